/* The tables of an order as one block that travels to a GPU. */
#include <string.h>

#include "kernels/nbody/cuda/fmm.h"

/* The vector from source to target of M2L's way w, in -3…3; cells that touch have none. Returns the number of ways. */
static int directions(signed char way[TW_GPU_M2L][3])
{
    int n = 0;
    for (int i = -3; i <= 3; i++)
        for (int j = -3; j <= 3; j++)
            for (int k = -3; k <= 3; k++) {
                if (i * i <= 1 && j * j <= 1 && k * k <= 1) continue;
                way[n][0] = (signed char)i, way[n][1] = (signed char)j, way[n++][2] = (signed char)k;
            }
    return n;
}

extern "C" struct tw_gpu_tables tw_gpu_tables_layout(const struct tw_fmm_tables *t, int translations)
{
    struct tw_gpu_tables g = {};
    const int triangle = (t->p + 1) * (t->p + 2) / 2, angles = t->nphi * (t->p + 1);
    int at = 0, slopes = 0;

    g.p = t->p, g.nc = t->nc, g.stride = t->stride;
    g.nm2l = translations ? TW_GPU_M2L : 0;
    g.nshifts = t->nshifts;
    for (int axis = 0; axis < 3; axis++)
        slopes += t->nslope[axis];
    g.turn_total = t->turn_c[t->p + 1];
    g.shift_total = t->shift_at[t->p + 1];
    g.diagonal = at, at += t->p + 1;
    g.a = at, at += triangle;
    g.b = at, at += triangle;
    g.slope_value = at, at += 2 * slopes;
    if (translations) {
        g.cosine = at, at += angles;
        g.sine = at, at += angles;
        g.rotation = at, at += t->nrotations * g.turn_total;
        g.shift = at, at += t->nshifts * g.shift_total;
    }
    g.numbers = (size_t)at;
    at = 0;
    if (translations) {
        g.turn_c = at, at += t->p + 2;
        g.turn_s = at, at += t->p + 2;
        g.shift_at = at, at += t->p + 2;
        g.way = at, at += 6 * TW_GPU_WAYS;
    }
    g.slope_start = at, at += 6 * (t->nc + 1);
    g.slope_from = at, at += 2 * slopes;
    g.degree = at, at += t->nc;
    g.integers = (size_t)at;
    return g;
}

extern "C" size_t tw_gpu_tables_bytes(const struct tw_gpu_tables *g)
{
    return g->numbers * sizeof(double) + g->integers * sizeof(int);
}

extern "C" struct tw_gpu_tables tw_gpu_tables_at(struct tw_gpu_tables g, const void *blob)
{
    g.number = (const double *)blob;
    g.integer = (const int *)(g.number + g.numbers);
    return g;
}

static void fill_ways(const struct tw_fmm_tables *t, int *to)
{
    signed char way[TW_GPU_M2L][3];
    const int n = directions(way);

    for (int w = 0; w < n; w++, to += 6) {
        const int at = 49 * (way[w][0] + 3) + 7 * (way[w][1] + 3) + way[w][2] + 3;
        const struct tw_fmm_class *c = &t->m2l[t->m2l_class[at]];
        to[0] = way[w][0], to[1] = way[w][1], to[2] = way[w][2];
        to[3] = c->rotation, to[4] = c->shift, to[5] = t->m2l_phi[at];
    }
    for (int w = 0; w < 16; w++, to += 6) {
        const int child = w % 8;
        const struct tw_fmm_class *c = &(w < 8 ? t->m2m : t->l2l)[t->child_class[child]];
        to[0] = child, to[1] = to[2] = 0;
        to[3] = c->rotation, to[4] = c->shift, to[5] = t->child_phi[child];
    }
}

/* Gradients by their results: of a local expansion G[to] += value E[from], of a multipole one G[from] -= value
 * E[to]. */
static void fill_slopes(const struct tw_fmm_tables *t, double *value, int *start, int *from)
{
    int at = 0;
    for (int kind = 0; kind < 2; kind++)
        for (int axis = 0; axis < 3; axis++) {
            const struct tw_fmm_slope *s = t->slope[axis];
            for (int k = 0; k < t->nc; k++) {
                *start++ = at;
                for (int i = 0; i < t->nslope[axis]; i++)
                    if ((kind ? s[i].from : s[i].to) == k) {
                        value[at] = kind ? -s[i].value : s[i].value;
                        from[at++] = kind ? s[i].to : s[i].from;
                    }
            }
            *start++ = at;
        }
}

static void fill_translations(const struct tw_fmm_tables *t, const struct tw_gpu_tables *g, double *number,
                              int *integer)
{
    const size_t angles = (size_t)t->nphi * (size_t)(t->p + 1);

    memcpy(number + g->cosine, t->cosine, angles * sizeof(double));
    memcpy(number + g->sine, t->sine, angles * sizeof(double));
    for (int k = 0; k < t->nrotations; k++)
        memcpy(number + g->rotation + (size_t)k * (size_t)g->turn_total, t->rotation[k],
               (size_t)g->turn_total * sizeof(double));
    for (int k = 0; k < t->nshifts; k++)
        memcpy(number + g->shift + (size_t)k * (size_t)g->shift_total, t->shift[k],
               (size_t)g->shift_total * sizeof(double));
    memcpy(integer + g->turn_c, t->turn_c, (size_t)(t->p + 2) * sizeof(int));
    memcpy(integer + g->turn_s, t->turn_s, (size_t)(t->p + 2) * sizeof(int));
    memcpy(integer + g->shift_at, t->shift_at, (size_t)(t->p + 2) * sizeof(int));
    fill_ways(t, integer + g->way);
}

extern "C" void tw_gpu_tables_fill(const struct tw_fmm_tables *t, const struct tw_gpu_tables *g, void *blob)
{
    double *number = (double *)blob;
    int *integer = (int *)(number + g->numbers);
    const size_t triangle = (size_t)(t->p + 1) * (size_t)(t->p + 2) / 2;

    memcpy(number + g->diagonal, t->diagonal, (size_t)(t->p + 1) * sizeof(double));
    memcpy(number + g->a, t->a, triangle * sizeof(double));
    memcpy(number + g->b, t->b, triangle * sizeof(double));
    if (g->nm2l) fill_translations(t, g, number, integer);
    fill_slopes(t, number + g->slope_value, integer + g->slope_start, integer + g->slope_from);
    for (int k = 0, l = 0; k < t->nc; k++) { /* degree of a coefficient */
        while ((l + 1) * (l + 1) <= k)
            l++;
        integer[g->degree + k] = l;
    }
}

/* ---- Yukawa's levels ---- */

static size_t level_numbers(const struct tw_gpu_tables *g)
{
    return (size_t)(g->nshifts + 2) * (size_t)g->shift_total;
}

extern "C" size_t tw_gpu_levels_bytes(const struct tw_gpu_tables *g, int levels)
{
    return (size_t)levels * level_numbers(g) * sizeof(double);
}

extern "C" void tw_gpu_levels_fill(const struct tw_gpu_tables *g, const struct tw_yukawa_level *y, int levels,
                                   double *to)
{
    const size_t total = (size_t)g->shift_total;

    memset(to, 0, tw_gpu_levels_bytes(g, levels)); /* distances that M2L does not have */
    for (int level = 0; level < levels; level++, y++, to += level_numbers(g)) {
        for (int k = 0; k < g->nshifts; k++)
            if (y->m2l[k]) memcpy(to + (size_t)k * total, y->m2l[k], total * sizeof(double));
        memcpy(to + (size_t)g->nshifts * total, y->m2m, total * sizeof(double));
        memcpy(to + (size_t)(g->nshifts + 1) * total, y->l2l, total * sizeof(double));
    }
}

/* ---- the plane ---- */

/* Ways of the plane and of the counting kind: the direction or child; which of the three translations; the index of its
 * powers. */
static void put_way(int **to, int x, int y, int z, int kind, int index)
{
    const int way[6] = {x, y, z, kind, index, 0};
    memcpy(*to, way, sizeof way);
    *to += 6;
}
static void put_children(int *to, int (*index)(int child))
{
    for (int w = 0; w < 16; w++)
        put_way(&to, w % 8, 0, 0, 1 + w / 8, index(w % 8));
}
/* Of children 4 bx + 2 by + bz in the plane: bz says nothing. */
static int plane_child(int child)
{
    return child / 2;
}

extern "C" struct tw_gpu_tables tw_gpu_plane_layout(const struct tw_plane *t)
{
    static const int directions[3] = {49, 4, 4};
    struct tw_gpu_tables g = {};
    const int n = t->p + 1;
    int at = 0;

    g.p = t->p, g.half = t->half;
    g.nc = g.stride = TW_PLANE_LENGTH(t);
    g.nm2l = 40;
    for (int k = 0; k < 3; k++) {
        g.plane_A[k] = at, at += n * n;
        g.plane_in[k] = at, at += 2 * n * directions[k];
        g.plane_out[k] = at, at += 2 * n * directions[k];
    }
    g.numbers = (size_t)at;
    g.integers = (size_t)(6 * (g.nm2l + 16));
    return g;
}

extern "C" void tw_gpu_plane_fill(const struct tw_plane *t, const struct tw_gpu_tables *g, void *blob)
{
    static const size_t directions[3] = {49, 4, 4};
    const struct tw_plane_kind *kinds[3] = {&t->m2l, &t->m2m, &t->l2l};
    double *number = (double *)blob;
    int *way = (int *)(number + g->numbers);
    const size_t n = (size_t)(t->p + 1);

    for (int k = 0; k < 3; k++) {
        memcpy(number + g->plane_A[k], kinds[k]->A, n * n * sizeof(double));
        memcpy(number + g->plane_in[k], kinds[k]->in_powers, directions[k] * n * 2 * sizeof(double));
        memcpy(number + g->plane_out[k], kinds[k]->out_powers, directions[k] * n * 2 * sizeof(double));
    }
    for (int i = -3; i <= 3; i++)
        for (int j = -3; j <= 3; j++)
            if (i * i > 1 || j * j > 1) put_way(&way, i, j, 0, 0, 7 * (i + 3) + j + 3);
    put_children(way, plane_child);
}

/* ---- counting ---- */

static int any_child(int child)
{
    (void)child;
    return 0;
}

extern "C" struct tw_gpu_tables tw_gpu_counting_layout(void)
{
    struct tw_gpu_tables g = {};
    g.nc = 1, g.stride = 8;
    g.nm2l = TW_GPU_M2L;
    g.integers = 6 * TW_GPU_WAYS;
    return g;
}

extern "C" void tw_gpu_counting_fill(const struct tw_gpu_tables *g, void *blob)
{
    signed char direction[TW_GPU_M2L][3];
    int *way = (int *)((double *)blob + g->numbers);
    const int n = directions(direction);

    for (int w = 0; w < n; w++)
        put_way(&way, direction[w][0], direction[w][1], direction[w][2], 0, 0);
    put_children(way, any_child);
}
