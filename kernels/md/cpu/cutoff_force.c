/* Sums over neighbours: forces and energies, the Born model's self energies, and the forces that come by way of the
 * Born radii. Lanes are the cluster's atoms; every neighbour is broadcast to them, so a lane's sum runs over the list
 * in its order. */
#include "kernels/md/cpu/cutoff_local.h"

struct task {
    const struct tw_cut *c;
    struct tw_cut_constants k;
    struct cluster i;
    V8 half, root, born, gain; /* of the cluster's atoms; gain: dE / dS */
    int type[LANES];
    T image[32][3]; /* shifts */
    V8 fx, fy, fz, vdw, elec, born_sum;
};

static void prepare(struct task *t, const struct tw_cut *c)
{
    t->c = c;
    t->k = tw_cut_constants_of(&c->s);
    for (int image = 0; image < 27; image++)
        for (int axis = 0; axis < 3; axis++)
            t->image[image][axis] = shift_of(&c->s, image, axis);
}
static void begin(struct task *t, int cluster)
{
    const struct tw_cut *c = t->c;
    t->i = cluster_at(c, cluster);
    t->half = column8(c->vdw, cluster, 2, 0);
    t->root = column8(c->vdw, cluster, 2, 1);
    t->born = column8(c->born, cluster, 2, 0);
    t->gain = column8(c->born, cluster, 2, 1);
    for (int k = 0; k < LANES; k++)
        t->type[k] = c->types[cluster * LANES + k];
    t->fx = t->fy = t->fz = t->vdw = t->elec = t->born_sum = splat8(0);
}

/* Vector from the neighbour to each lane, squared distance; where the pair does not count: 0 in the mask and 1 for the
 * square. */
struct pair {
    V8 dx, dy, dz, r2, ir, far;
    I8 mask;
    size_t slot;
};
static inline __attribute__((always_inline)) struct pair pair_of(const struct task *t, uint32_t entry, uint32_t lanes)
{
    const T *image = t->image[entry >> 27];
    const size_t slot = entry & 0x7ffffffu;
    const T *x = (const T *)t->c->sorted + 4 * slot;
    struct pair p = {.slot = slot};

    p.dx = t->i.x - (x[0] + image[0]);
    p.dy = t->i.y - (x[1] + image[1]);
    p.dz = t->i.z - (x[2] + image[2]);
    p.r2 = p.dx * p.dx + p.dy * p.dy + p.dz * p.dz;
    p.mask = p.r2 < t->k.rc2;
    if (lanes != 0xffu) p.mask &= lanes8(lanes);
    p.r2 = choose8(p.mask, p.r2, splat8(1));
    p.ir = root8(p.r2);
    p.far = keep8(p.r2 > t->k.on2, splat8(1));
    return p;
}
static inline __attribute__((always_inline)) void push(struct task *t, const struct pair *p, V8 fr)
{
    fr = keep8(p->mask, fr);
    t->fx += fr * p->dx;
    t->fy += fr * p->dy;
    t->fz += fr * p->dz;
}

/* energy is a constant at every call. */
static inline __attribute__((always_inline)) void add_pair(struct task *t, uint32_t entry, uint32_t lanes, int energy)
{
    const struct tw_cut *c = t->c;
    const struct tw_cut_shape *s = &c->s;
    const struct pair p = pair_of(t, entry, lanes);
    const V8 qq = t->i.q * ((const T *)c->sorted)[4 * p.slot + 3], irr = p.ir * p.ir;
    V8 fr = splat8(0), e = splat8(0), db;

    if (s->vdw) {
        const T *v = (const T *)c->vdw + 2 * p.slot;
        fr = tw_cut_vdw_pair(&t->k, s->vdw, p.r2, irr, t->half + v[0], t->root * v[1], &e) * irr;
        if (energy) t->vdw += keep8(p.mask, e);
    }
    if (s->coulomb) {
        fr += tw_cut_coulomb_pair(&t->k, s->coulomb, p.r2, p.ir, t->k.elec * qq, &e) * irr;
        if (energy) t->elec += keep8(p.mask, e);
    }
    if (s->born) {
        fr +=
            tw_cut_born_pair(&t->k, p.r2, p.ir, p.far, qq, t->born, splat8(((const T *)c->born)[2 * p.slot]), &e, &db);
        if (energy) t->elec += keep8(p.mask, e);
        t->born_sum += keep8(p.mask, db);
    }
    push(t, &p, fr);
}

static inline __attribute__((always_inline)) void add_force(struct task *t, uint32_t entry, uint32_t lanes)
{
    add_pair(t, entry, lanes, 0);
}
static inline __attribute__((always_inline)) void add_both(struct task *t, uint32_t entry, uint32_t lanes)
{
    add_pair(t, entry, lanes, 1);
}

/* What the atoms of `of` take from the solvent around those of `around`: types' table, one of them per lane. */
static void brace(const struct task *t, const struct pair *p, int of, int mine, V8 *e, V8 *de)
{
    const int n = t->c->s.ntypes;
    V8 value[4];

    for (int k = 0; k < LANES; k++) {
        const T *row = (const T *)t->c->pair + 4 * (size_t)(mine ? t->type[k] * n + of : of * n + t->type[k]);
        for (int j = 0; j < 4; j++)
            value[j][k] = row[j];
    }
    tw_cut_brace(&t->k, value[0], value[1], value[2], value[3], p->r2, p->ir * p->ir, p->far, e, de);
}
static void add_self(struct task *t, uint32_t entry, uint32_t lanes)
{
    const struct pair p = pair_of(t, entry, lanes);
    V8 e, de;
    brace(t, &p, t->c->types[p.slot], 1, &e, &de);
    t->born_sum += keep8(p.mask, e);
}
static void add_chain(struct task *t, uint32_t entry, uint32_t lanes)
{
    const struct pair p = pair_of(t, entry, lanes);
    const int type = t->c->types[p.slot];
    V8 e, mine, other;
    brace(t, &p, type, 1, &e, &mine);
    brace(t, &p, type, 0, &e, &other);
    push(t, &p, -(t->gain * mine + ((const T *)t->c->born)[2 * p.slot + 1] * other));
}

typedef void (*add_fn)(struct task *t, uint32_t entry, uint32_t lanes);
static inline __attribute__((always_inline)) void all(struct task *t, const struct tw_cut_part *p, int item, add_fn add)
{
    const struct tw_cut_item *it = &p->item[item];
    const uint32_t *special = p->pool + it->begin, *plain = p->inner + it->begin + 2 * it->special;
    for (int k = 0; k < it->special; k++)
        add(t, special[2 * k], special[2 * k + 1]);
    for (int k = 0; k < p->kept[item]; k++)
        add(t, plain[k], 0xffu);
}

static int idle(const struct tw_cut *c, int part)
{
    return c->control->state != TW_CUT_RUN || c->part[part].count[2];
}
static T *sums(const struct tw_cut *c, int part, int item, int which)
{
    return (T *)c->part[part].sum + ((size_t)item * TW_CUT_SUMS + (size_t)which) * LANES;
}
static void save(T *to, V8 v)
{
    memcpy(to, &v, sizeof v);
}

void TW_NB(cut_force)(struct tw_cut *c, int part)
{
    const struct tw_cut_part *p = &c->part[part];
    struct task t;

    if (idle(c, part)) return;
    prepare(&t, c);
    for (int k = 0; k < p->count[0]; k++) {
        begin(&t, p->item[k].cluster);
        if (c->control->energy)
            all(&t, p, k, add_both);
        else
            all(&t, p, k, add_force);
        const V8 out[TW_CUT_SUMS] = {t.fx, t.fy, t.fz, t.vdw, t.elec, t.born_sum};
        for (int j = 0; j < TW_CUT_SUMS; j++)
            save(sums(c, part, k, j), out[j]);
    }
}

void TW_NB(cut_self)(struct tw_cut *c, int part)
{
    const struct tw_cut_part *p = &c->part[part];
    struct task t;

    if (idle(c, part)) return;
    prepare(&t, c);
    for (int k = 0; k < p->count[0]; k++) {
        begin(&t, p->item[k].cluster);
        all(&t, p, k, add_self);
        save(sums(c, part, k, 5), t.born_sum);
    }
}

void TW_NB(cut_chain)(struct tw_cut *c, int part)
{
    const struct tw_cut_part *p = &c->part[part];
    struct task t;

    if (idle(c, part)) return;
    prepare(&t, c);
    for (int k = 0; k < p->count[0]; k++) {
        begin(&t, p->item[k].cluster);
        all(&t, p, k, add_chain);
        const V8 out[3] = {t.fx, t.fy, t.fz};
        for (int j = 0; j < 3; j++) {
            T *to = sums(c, part, k, j);
            for (int l = 0; l < LANES; l++)
                to[l] += out[j][l];
        }
    }
}
