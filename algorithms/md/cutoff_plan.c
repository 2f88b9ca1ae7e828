/* Localized interactions: sizes, constants and parameters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/md/md_loops.h"

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

static void extents(const tw_atoms *a, double length[3])
{
    for (int k = 0; k < 3; k++) {
        double low = a->x[k], high = low;
        for (tw_int i = 1; i < a->n; i++) {
            low = fmin(low, a->x[3 * i + k]);
            high = fmax(high, a->x[3 * i + k]);
        }
        length[k] = a->box[k] > 0 ? a->box[k] : high - low;
    }
}

/* Columns as wide as a cluster of 8 atoms at the mean density, but not so many that most places stay empty. */
static void columns(struct tw_cut_shape *s, const double length[3])
{
    const double n = s->n, most = fmax(1, n / 16), x = length[0], y = length[1], z = length[2];
    double side = cbrt(TW_CUT_LANES * x * y * z / n);

    if (!(side > 0)) side = sqrt(TW_CUT_LANES * x * y / n); /* a flat cloud, or a line */
    s->nx = side > 0 ? (int)fmin(fmax(1, round(x / side)), fmin(most, 32768)) : 1;
    s->ny = side > 0 ? (int)fmin(fmax(1, round(y / side)), fmax(1, floor(most / s->nx))) : 1;
    s->clusters = (int)((n + (TW_CUT_LANES - 1.0) * fmin((double)s->nx * s->ny, n)) / TW_CUT_LANES) + 1;
    s->slots = s->clusters * TW_CUT_LANES;
}

/* Entries of a cluster's list, were the atoms spread evenly. */
static double expected(const struct tw_cut_shape *s, const double length[3], double radius)
{
    const double floor_ = radius / 8, /* flat clouds */
        volume = fmax(length[0], floor_) * fmax(length[1], floor_) * fmax(length[2], floor_), density = s->n / volume,
                 side = cbrt(TW_CUT_LANES / density);
    return fmin(s->n, density * (side * side * side + 6 * side * side * radius + 3 * M_PI * side * radius * radius +
                                 4 * M_PI / 3 * radius * radius * radius)) +
           TW_CUT_LANES;
}

static int room(struct tw_cut_shape *s, double entries, int gpu)
{
    const double clusters = (double)s->clusters / s->groups + 2, pool = clusters * (1.3 * entries + 64) + 4096;
    /* A GPU has thousands of warps to feed; a core sums a long item as well as a short one. */
    const double buffer = gpu ? fmin(TW_CUT_BUFFER, fmax(96, clusters * entries / 16384)) : TW_CUT_BUFFER,
                 items = clusters * (2 + 1.3 * entries / (buffer - 32)) + 64;

    s->buffer = (int)buffer / 32 * 32;
    if (pool > 4.2e9 || items > 2e9) return TW_E_MEMORY;
    s->pool = (uint32_t)pool;
    s->items = (int)items;
    return 0;
}

int tw_cut_full_lists(struct tw_cut_shape *s)
{
    s->once = 0;
    return room(s, s->entries, 1);
}

int tw_cut_enlarge(struct tw_cut_shape *s)
{
    if (s->pool > 2100000000u || s->items > 1000000000) return TW_E_MEMORY;
    s->pool *= 2;
    s->items *= 2;
    return 0;
}

/* ---- constants --------------------------------------------------------------------------------------------------- */

static void electrostatics(struct tw_cut_shape *s, const tw_cutoff *o)
{
    const double rc = o->cutoff, ratio = o->eps_out / o->eps_in;

    s->elec = o->electrostatics == TW_ELECTROSTATICS_BORN ? o->constant : o->constant / o->eps_in;
    if (o->electrostatics == TW_ELECTROSTATICS_REACTION_FIELD) {
        s->coulomb = TW_CUT_COULOMB_FIELD;
        s->ca = (isinf(ratio) ? 0.5 : (ratio - 1) / (2 * ratio + 1)) / (rc * rc * rc);
        s->cc = -(1 / rc + s->ca * rc * rc);
    } else if (o->electrostatics == TW_ELECTROSTATICS_SHIFT) {
        s->coulomb = TW_CUT_COULOMB_SHIFT;
        s->cb = 1 / (rc * rc);
        s->cc = -2 / rc;
    } else if (o->electrostatics == TW_ELECTROSTATICS_BORN) {
        s->born = 1;
        s->on = o->switch_on;
        s->inverse_in = 1 / o->eps_in;
        s->tau = 1 / o->eps_in - 1 / o->eps_out;
    }
}

static double largest(const double *x, tw_int n)
{
    double most = 0;
    for (tw_int i = 0; x && i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* Reactions of lists on an atom are floats, added in any order. For the same bits each is cut into a multiple of
 * `coarse` and one of `fine`, which leave room for their sums in 24 bits. A reaction is typically as large as the
 * steepest van der Waals attraction, or as the Coulomb force at half the cut-off; sums of 2^17 times that are in range,
 * as between atoms at 0.4 of their distance of least energy. lists: that an atom is in. */
static void reactions(struct tw_cut_shape *s, const tw_cutoff *o, const tw_atoms *a, double lists)
{
    const double size = 2 * largest(a->radius, a->n), q = 2 * largest(a->charge, a->n) / o->cutoff,
                 vdw = s->vdw && size > 0 ? 12 * largest(a->depth, a->n) / size : 0,
                 elec = o->electrostatics ? fabs(s->elec) * q * q : 0, unit = fmax(vdw, elec);
    int power = 0, bits = 0;

    frexp(unit > 0 && unit < 1e20 ? fmax(unit, 1e-20) : 1, &power);
    frexp(fmin(fmax(4 * lists, 256), 65535), &bits);
    s->range = ldexp(1, power + 17);
    s->coarse = ldexp(1, power + 17 - 22);
    s->meets = ldexp(1, bits);
    s->fine = s->coarse * ldexp(1, bits - 24);
}

static double born_radius(const tw_atoms *a, tw_int i)
{
    return a->born ? a->born[i] : a->radius[i];
}
static double volume_of(const tw_atoms *a, tw_int i)
{
    const double r = born_radius(a, i);
    return a->volume ? a->volume[i] : 4 * M_PI / 3 * r * r * r;
}

int tw_cut_plan(struct tw_cut_shape *s, const tw_cutoff *o, const tw_atoms *a, const struct tw_cut_job *job, int groups,
                int gpu)
{
    const tw_minimize *m = &job->minimize;
    double length[3], shortest = INFINITY;

    *s = (struct tw_cut_shape){.n = (int)a->n,
                               .groups = groups,
                               .nlinks = 2 * (int)a->nlinks,
                               .vdw = (int)o->vdw,
                               .cutoff = o->cutoff,
                               .mode = job->mode,
                               .dt = job->dt,
                               .tolerance = m->tolerance,
                               .first = m->first > 0 ? m->first : o->cutoff / 1000,
                               .most = m->most > 0 ? m->most : o->cutoff / 50};
    if (job->mode == TW_CUT_LBFGS) s->history = m->history > 0 ? (int)m->history : 5;
    s->noise = o->type == TW_FLOAT ? 0x1p-22 : 0x1p-48;
    electrostatics(s, o);
    for (int k = 0; k < 3; k++) {
        s->box[k] = a->box[k];
        if (a->box[k] > 0) shortest = fmin(shortest, a->box[k]);
    }
    s->outer = fmin(o->cutoff + o->skin, fmax(o->cutoff, 0.99 * shortest)); /* no atom twice by the same image */
    s->inner = o->cutoff + 0.3 * (s->outer - o->cutoff);
    s->ntypes = s->born ? tw_cut_kinds(o, a, NULL) : 0;
    for (tw_int i = 0; i < a->n && s->born; i++)
        s->largest += 3 / (4 * M_PI) * volume_of(a, i);
    s->largest = cbrt(s->largest);
    extents(a, length);
    columns(s, length);
    s->once = gpu && o->type == TW_FLOAT && !s->born;
    s->in_places = gpu && job->mode == TW_CUT_VERLET;
    s->entries = expected(s, length, s->outer);
    reactions(s, o, a, s->entries / TW_CUT_LANES / 2);
    return room(s, s->once ? s->entries / 2 + 2 * TW_CUT_LANES : s->entries, gpu);
}

/* ---- parameters -------------------------------------------------------------------------------------------------- */

void tw_cut_ace(double ri, double rk, double vk, double row[4])
{
    const double a = fmax(1.2, ri / rk), a2 = a * a, t = M_PI / 2 * a2 * rk * rk / (ri * ri),
                 F = 2 / (1 + t) - 1 / (1 + 2 * t), Q = t / sqrt(1 + 2 * t), P = Q - atan(Q),
                 iomega = vk * P / (M_PI * M_PI * a2 * a2 * rk * rk * rk * rk),
                 sigma2 = 3 * P * a2 * rk * rk / ((3 + F) * Q - 4 * atan(Q)), sigma3 = sigma2 * sqrt(sigma2),
                 mu = 77 * M_PI * M_SQRT2 / 512 * ri / (1 - 2 * pow(M_PI, 1.5) * sigma3 * ri * iomega / vk);
    row[0] = iomega;
    row[1] = 1 / sigma2;
    row[2] = mu * mu * mu * mu;
    row[3] = vk / (8 * M_PI);
}
/* What an atom's own volume adds to the inverse of its Born radius, halved. */
static double own(double r, double v)
{
    const double a2 = 1.44, t = M_PI / 2 * a2, Q = t / sqrt(1 + 2 * t), P = Q - atan(Q);
    return (4 * r * r * r / (3 * M_PI) - v / (M_PI * M_PI)) * P / (a2 * a2 * r * r * r * r);
}

enum { MOST_KINDS = 1024 };
struct kinds {
    double radius[MOST_KINDS], volume[MOST_KINDS];
    int count;
};
static int kind_of(struct kinds *t, double r, double v)
{
    for (int k = 0; k < t->count; k++)
        if (t->radius[k] == r && t->volume[k] == v) return k;
    if (t->count == MOST_KINDS) return -1;
    t->radius[t->count] = r;
    t->volume[t->count] = v;
    return t->count++;
}
static int find_kinds(struct kinds *t, const tw_atoms *a, int *kind)
{
    t->count = 0;
    for (tw_int i = 0; i < a->n; i++) {
        const int k = kind_of(t, born_radius(a, i), volume_of(a, i));
        if (k < 0) return -1;
        if (kind) kind[i] = k;
    }
    return t->count;
}
int tw_cut_kinds(const tw_cutoff *o, const tw_atoms *a, int *kind)
{
    struct kinds t;
    return o->electrostatics == TW_ELECTROSTATICS_BORN ? find_kinds(&t, a, kind) : 0;
}

static void put(enum tw_type type, const void *to, size_t at, double x)
{
    if (type == TW_FLOAT)
        ((float *)to)[at] = (float)x;
    else
        ((double *)to)[at] = x;
}

/* Links by their ends: each twice. */
static void fill_links(const struct tw_cut *c, enum tw_type type, const tw_atoms *a)
{
    int *first = (int *)c->link_first, *to = (int *)c->link_to;

    memset(first, 0, ((size_t)a->n + 1) * sizeof *first);
    for (tw_int l = 0; l < a->nlinks; l++)
        first[a->link[l].i + 1]++, first[a->link[l].j + 1]++;
    for (tw_int i = 0; i < a->n; i++)
        first[i + 1] += first[i];
    for (tw_int l = 0; l < a->nlinks; l++)
        for (int end = 0; end < 2; end++) {
            const tw_bond *k = &a->link[l];
            const int at = first[end ? k->j : k->i]++; /* moved along; put back below */
            to[at] = (int)(end ? k->i : k->j);
            put(type, c->link_k, (size_t)at, k->stiffness);
            put(type, c->link_r, (size_t)at, k->length);
        }
    memmove(first + 1, first, (size_t)a->n * sizeof *first);
    first[0] = 0;
}

void tw_cut_fill(const struct tw_cut *c, enum tw_type type, const tw_cutoff *o, const tw_atoms *a, const int *kind)
{
    struct kinds t = {.count = 0};

    for (tw_int i = 0; i < a->n; i++) {
        put(type, c->charge, (size_t)i, a->charge ? a->charge[i] : 0);
        put(type, c->half, (size_t)i, a->radius ? a->radius[i] : 0);
        put(type, c->root, (size_t)i, a->depth ? sqrt(12 * a->depth[i]) : 0);
        put(type, c->lightness, (size_t)i, a->mass ? 1 / a->mass[i] : 1);
        ((int *)c->type)[i] = kind ? kind[i] : 0;
    }
    fill_links(c, type, a);
    if (!c->s.born) return;
    find_kinds(&t, a, NULL);
    for (int i = 0; i < t.count; i++) {
        const double r = t.radius[i];
        put(type, c->kind, 3 * (size_t)i, r);
        put(type, c->kind, 3 * (size_t)i + 1, 1 / r + 2 * own(r, t.volume[i]));
        put(type, c->kind, 3 * (size_t)i + 2, 1 / (2 * o->eps_out * r));
        for (int k = 0; k < t.count; k++) {
            double row[4];
            tw_cut_ace(r, t.radius[k], t.volume[k], row);
            for (int j = 0; j < 4; j++)
                put(type, c->pair, 4 * ((size_t)i * (size_t)t.count + (size_t)k) + (size_t)j, row[j]);
        }
    }
}
