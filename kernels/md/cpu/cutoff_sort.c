/* Cell lists: atoms into columns, along z inside each, cut into clusters of 8; sorted copies of what the pairs need. */
#include "kernels/md/cpu/cutoff_local.h"

static void wrap(struct tw_cut *c)
{
    T *x = c->x, *ref = c->ref;
    for (int i = 0; i < 3 * c->s.n; i++) {
        const T length = (T)c->s.box[i % 3];
        if (length > 0) {
            x[i] -= length * (T)floor((double)(x[i] / length));
            if (!(x[i] < length)) x[i] = 0; /* rounding */
        }
        ref[i] = x[i];
    }
}

/* The columns' grid: the box, or what the atoms span where it is open. */
static void grid(struct tw_cut *c)
{
    struct tw_cut_head *h = c->head;
    const int count[2] = {c->s.nx, c->s.ny};
    const T *x = c->x;

    for (int k = 0; k < 3; k++) {
        double low = 0, high = c->s.box[k];
        if (!(high > 0)) {
            low = high = (double)x[k];
            for (int i = 1; i < c->s.n; i++) {
                low = (double)x[3 * i + k] < low ? (double)x[3 * i + k] : low;
                high = (double)x[3 * i + k] > high ? (double)x[3 * i + k] : high;
            }
        }
        h->origin[k] = low;
        if (k < 2)
            h->inverse[k] = high > low ? count[k] / (high - low) : 0;
        else
            h->zscale = high > low ? 4294967295.0 / (high - low) : 0;
    }
}

static int cell(double x, double origin, double inverse, int count)
{
    const int k = (int)((x - origin) * inverse);
    return k < 0 ? 0 : k < count ? k : count - 1;
}

static void keys(struct tw_cut *c)
{
    const struct tw_cut_head *h = c->head;
    const T *x = c->x;

    for (int i = 0; i < c->s.n; i++) {
        const int cx = cell((double)x[3 * i], h->origin[0], h->inverse[0], c->s.nx),
                  cy = cell((double)x[3 * i + 1], h->origin[1], h->inverse[1], c->s.ny);
        double z = ((double)x[3 * i + 2] - h->origin[2]) * h->zscale;
        z = z > 0 ? z < 4294967295.0 ? z : 4294967295.0 : 0;
        c->key[0][i] = (uint64_t)(cx * (int64_t)c->s.ny + cy) << 32 | (uint64_t)z;
        c->value[0][i] = (uint32_t)i;
    }
}

/* By digits of 11 bits; equal keys keep their order. Afterwards the result is in key[0], value[0]. */
static void radix_sort(struct tw_cut *c)
{
    enum { BITS = 11, SIZE = 1 << BITS };
    uint32_t count[SIZE];
    int bits = 32;

    while (bits < 63 && ((int64_t)c->s.nx * c->s.ny - 1) >> (bits - 32))
        bits++;
    for (int shift = 0; shift < bits; shift += BITS) {
        const uint64_t *from = c->key[0];
        uint64_t *to = c->key[1];
        uint32_t at = 0;
        memset(count, 0, sizeof count);
        for (int i = 0; i < c->s.n; i++)
            count[from[i] >> shift & (SIZE - 1)]++;
        for (int k = 0; k < SIZE; k++) {
            const uint32_t here = count[k];
            count[k] = at;
            at += here;
        }
        for (int i = 0; i < c->s.n; i++) {
            const uint32_t place = count[from[i] >> shift & (SIZE - 1)]++;
            to[place] = from[i];
            c->value[1][place] = c->value[0][i];
        }
        c->key[1] = c->key[0];
        c->key[0] = to;
        uint32_t *values = c->value[1];
        c->value[1] = c->value[0];
        c->value[0] = values;
    }
}

static void put(struct tw_cut *c, int slot, int atom)
{
    T *s = (T *)c->sorted + 4 * (size_t)slot, *v = (T *)c->vdw + 2 * (size_t)slot;
    const T *x = c->x;

    c->atom[slot] = atom;
    if (atom < 0) {
        for (int k = 0; k < 4; k++)
            s[k] = k < 3 ? NOWHERE : 0;
        v[0] = v[1] = 0;
        ((T *)c->born)[2 * slot] = 1;
        ((T *)c->born)[2 * slot + 1] = 0;
        c->types[slot] = 0;
        return;
    }
    c->slot[atom] = slot;
    for (int k = 0; k < 3; k++)
        s[k] = x[3 * atom + k];
    s[3] = ((const T *)c->charge)[atom];
    v[0] = ((const T *)c->half)[atom];
    v[1] = ((const T *)c->root)[atom];
    c->types[slot] = c->type[atom];
}

void TW_NB(cut_sort)(struct tw_cut *c)
{
    struct tw_cut_control *control = c->control;
    const int columns = c->s.nx * c->s.ny;
    int slot = 0;

    if (control->state > TW_CUT_STALE) return;
    wrap(c);
    grid(c);
    keys(c);
    radix_sort(c);
    for (int column = 0, i = 0; column < columns; column++) {
        c->column[column] = slot / LANES;
        for (; i < c->s.n && (int)(c->key[0][i] >> 32) == column; i++)
            put(c, slot++, (int)c->value[0][i]);
        while (slot % LANES)
            put(c, slot++, -1);
    }
    c->column[columns] = c->head->clusters = slot / LANES;
    control->state = TW_CUT_RUN;
    control->moved = control->hop = 0;
    control->path = -1;
    control->rebuilds++;
    tw_cut_begin(&c->s, control);
}
