/* Neighbour lists of clusters, and their pruned copies. */
#include "kernels/md/cpu/cutoff_local.h"

struct search {
    struct tw_cut *c;
    struct tw_cut_part *p;
    struct cluster i;
    int cluster, last; /* the cluster's latest item */
    int special, plain;
    uint32_t pairs[2 * TW_CUT_SPECIAL], entries[TW_CUT_BUFFER];
};

/* What was gathered becomes an item. */
static void flush(struct search *s)
{
    struct tw_cut_part *p = s->p;
    const uint32_t begin = (uint32_t)p->count[1], words = 2 * (uint32_t)s->special + (uint32_t)s->plain;
    const int item = p->count[0];

    if (words == 0) return;
    if (item >= s->c->s.items || words > s->c->s.pool - begin) {
        p->count[2] = 1;
    } else {
        p->item[item] = (struct tw_cut_item){s->cluster, s->special, s->plain, -1, begin};
        memcpy(p->pool + begin, s->pairs, 2 * (size_t)s->special * sizeof(uint32_t));
        memcpy(p->pool + begin + 2 * s->special, s->entries, (size_t)s->plain * sizeof(uint32_t));
        if (s->last < 0)
            p->first[0] = item; /* the caller moves first along */
        else
            p->item[s->last].next = item;
        s->last = item;
        p->count[0]++;
        p->count[1] = (int)(begin + words);
    }
    s->special = s->plain = 0;
}

/* The lanes that an atom does not interact with: itself and its links. */
static uint32_t excluded(const struct tw_cut *c, int cluster, int atom)
{
    uint32_t lanes = 0;
    for (int k = 0; k < LANES; k++) {
        const int i = c->atom[cluster * LANES + k];
        if (i < 0) continue;
        if (i == atom) lanes |= 1u << k;
        for (int l = c->link_first[i]; l < c->link_first[i + 1]; l++)
            if (c->link_to[l] == atom) lanes |= 1u << k;
    }
    return lanes;
}

static void consider(struct search *s, int slot, int image, const T shift[3])
{
    const struct tw_cut *c = s->c;
    const T *x = (const T *)c->sorted + 4 * (size_t)slot, outer2 = (T)(c->s.outer * c->s.outer);
    const V8 dx = s->i.x - (x[0] + shift[0]), dy = s->i.y - (x[1] + shift[1]), dz = s->i.z - (x[2] + shift[2]);
    const uint32_t entry = (uint32_t)slot | (uint32_t)image << 27;
    uint32_t out = 0;

    if (!any8(dx * dx + dy * dy + dz * dz < outer2)) return;
    if (slot / LANES == s->cluster || c->s.nlinks > 0) out = excluded(c, s->cluster, c->atom[slot]);
    if (out) {
        if (s->special == TW_CUT_SPECIAL) flush(s);
        s->pairs[2 * s->special] = entry;
        s->pairs[2 * s->special++ + 1] = ~out & 0xffu;
    } else {
        if (s->plain == c->s.buffer) flush(s);
        s->entries[s->plain++] = entry;
    }
}

/* Places of a column whose z lies in [low, high]: z ascends, places without an atom come last. */
static void along(struct search *s, int column, int image, const T shift[3], double low, double high)
{
    const struct tw_cut *c = s->c;
    const T *x = c->sorted;
    const int end = c->column[column + 1] * LANES;
    int a = c->column[column] * LANES, b = end;

    while (a < b) {
        const int m = a + (b - a) / 2;
        if ((double)x[4 * (size_t)m + 2] < low)
            a = m + 1;
        else
            b = m;
    }
    for (; a < end && (double)x[4 * (size_t)a + 2] <= high; a++)
        consider(s, a, image, shift);
}

struct range {
    double low, high;
};
static struct range span(const struct search *s, int axis)
{
    const T *x = (const T *)s->c->sorted + (size_t)s->cluster * LANES * 4 + axis;
    struct range r = {(double)x[0], (double)x[0]};
    for (int k = 1; k < LANES && s->c->atom[s->cluster * LANES + k] >= 0; k++) {
        r.low = (double)x[4 * k] < r.low ? (double)x[4 * k] : r.low;
        r.high = (double)x[4 * k] > r.high ? (double)x[4 * k] : r.high;
    }
    return r;
}

/* Rounding of coordinates and of their images. */
static double slack_of(const struct tw_cut *c, const struct range *r)
{
    return 1e-6 * (fabs(r->low) + fabs(r->high) + c->s.outer);
}

/* Columns that a range reaches, unwrapped in a periodic direction. */
static void reach(const struct tw_cut *c, int axis, struct range r, int *from, int *to)
{
    const int count = axis ? c->s.ny : c->s.nx;
    const double inverse = c->head->inverse[axis], origin = c->head->origin[axis], most = 2.0 * count;
    const double far = c->s.outer + slack_of(c, &r), a = floor((r.low - far - origin) * inverse),
                 b = floor((r.high + far - origin) * inverse);

    *from = (int)(a > -most ? a : -most);
    *to = (int)(b < most ? b : most);
    if (!(c->s.box[axis] > 0)) {
        *from = *from < 0 ? 0 : *from < count ? *from : count - 1;
        *to = *to < 0 ? 0 : *to < count ? *to : count - 1;
    }
}
/* floor(k / count) + 1 of an unwrapped column, and the column itself. */
static int image_of(int *k, int count)
{
    const int times = *k < 0 ? -((count - 1 - *k) / count) : *k / count;
    *k -= times * count;
    return times + 1;
}

static void column_images(struct search *s, int column, int xy, const struct range *z)
{
    const struct tw_cut *c = s->c;
    const double length = c->s.box[2], far = c->s.outer + slack_of(c, z);
    const int several = length > 0;

    for (int k = several ? 0 : 1; k <= (several ? 2 : 1); k++) {
        const int image = xy + 9 * k;
        const T shift[3] = {shift_of(&c->s, image, 0), shift_of(&c->s, image, 1), shift_of(&c->s, image, 2)};
        along(s, column, image, shift, z->low - far - (double)shift[2], z->high + far - (double)shift[2]);
    }
}

static void search(struct search *s)
{
    const struct tw_cut *c = s->c;
    const struct range rx = span(s, 0), ry = span(s, 1), rz = span(s, 2);
    int x0, x1, y0, y1;

    reach(c, 0, rx, &x0, &x1);
    reach(c, 1, ry, &y0, &y1);
    for (int x = x0; x <= x1; x++)
        for (int y = y0; y <= y1; y++) {
            int cx = x, cy = y;
            const int ix = image_of(&cx, c->s.nx), iy = image_of(&cy, c->s.ny);
            if (ix < 0 || ix > 2 || iy < 0 || iy > 2) continue; /* farther than the lists reach */
            column_images(s, cx * c->s.ny + cy, ix + 3 * iy, &rz);
        }
}

void TW_NB(cut_list)(struct tw_cut *c, int part)
{
    struct tw_cut_part *p = &c->part[part];
    struct search s = {.c = c, .p = &(struct tw_cut_part){0}};
    int from, to;

    if (c->control->state != TW_CUT_RUN) return;
    tw_cut_range(c->head->clusters, c->s.groups, part, &from, &to);
    p->count[0] = p->count[1] = p->count[2] = 0;
    *s.p = *p;
    for (int k = from; k < to; k++, s.p->first++) {
        s.cluster = k;
        s.last = s.p->first[0] = -1;
        s.special = s.plain = 0;
        s.i = cluster_at(c, k);
        search(&s);
        flush(&s);
    }
}

void TW_NB(cut_prune)(struct tw_cut *c, int part)
{
    struct tw_cut_part *p = &c->part[part];
    const T *x = c->sorted, inner2 = (T)(c->s.inner * c->s.inner);

    if (c->control->state != TW_CUT_RUN || !c->control->prune || p->count[2]) return;
    for (int k = 0; k < p->count[0]; k++) {
        const struct tw_cut_item *item = &p->item[k];
        const struct cluster i = cluster_at(c, item->cluster);
        const uint32_t begin = item->begin + 2 * (uint32_t)item->special, *from = p->pool + begin;
        uint32_t *to = p->inner + begin;
        int kept = 0;
        for (int l = 0; l < item->plain; l++) {
            const int image = (int)(from[l] >> 27);
            const T *xj = x + 4 * (size_t)(from[l] & 0x7ffffffu);
            const V8 dx = i.x - (xj[0] + shift_of(&c->s, image, 0)), dy = i.y - (xj[1] + shift_of(&c->s, image, 1)),
                     dz = i.z - (xj[2] + shift_of(&c->s, image, 2));
            if (any8(dx * dx + dy * dy + dz * dz < inner2)) to[kept++] = from[l];
        }
        p->kept[k] = kept;
    }
}
