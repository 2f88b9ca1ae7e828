/* The tables of an order as one block that travels to a GPU. */
#include <string.h>

#include "kernels/nbody_cuda/fmm.h"

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

extern "C" struct tw_gpu_tables tw_gpu_tables_layout(const struct tw_fmm_tables *t)
{
    struct tw_gpu_tables g = {};
    const int triangle = (t->p + 1) * (t->p + 2) / 2, angles = t->nphi * (t->p + 1);
    int at = 0, slopes = 0;

    g.p = t->p, g.nc = t->nc, g.stride = t->stride;
    for (int axis = 0; axis < 3; axis++)
        slopes += t->nslope[axis];
    g.turn_total = t->turn_c[t->p + 1];
    g.shift_total = t->shift_at[t->p + 1];
    g.diagonal = at, at += t->p + 1;
    g.a = at, at += triangle;
    g.b = at, at += triangle;
    g.cosine = at, at += angles;
    g.sine = at, at += angles;
    g.rotation = at, at += t->nrotations * g.turn_total;
    g.shift = at, at += t->nshifts * g.shift_total;
    g.slope_value = at, at += 2 * slopes;
    g.numbers = (size_t)at;
    at = 0;
    g.turn_c = at, at += t->p + 2;
    g.turn_s = at, at += t->p + 2;
    g.shift_at = at, at += t->p + 2;
    g.way = at, at += 6 * TW_GPU_WAYS;
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

/* Gradients by their results: of a local expansion G[to] += value E[from], of a multipole one G[from] -= value E[to]. */
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

extern "C" void tw_gpu_tables_fill(const struct tw_fmm_tables *t, const struct tw_gpu_tables *g, void *blob)
{
    double *number = (double *)blob;
    int *integer = (int *)(number + g->numbers);
    const size_t triangle = (size_t)(t->p + 1) * (size_t)(t->p + 2) / 2, angles = (size_t)t->nphi * (size_t)(t->p + 1);

    memcpy(number + g->diagonal, t->diagonal, (size_t)(t->p + 1) * sizeof(double));
    memcpy(number + g->a, t->a, triangle * sizeof(double));
    memcpy(number + g->b, t->b, triangle * sizeof(double));
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
    fill_slopes(t, number + g->slope_value, integer + g->slope_start, integer + g->slope_from);
    for (int k = 0, l = 0; k < t->nc; k++) { /* degree of a coefficient */
        while ((l + 1) * (l + 1) <= k)
            l++;
        integer[g->degree + k] = l;
    }
}
