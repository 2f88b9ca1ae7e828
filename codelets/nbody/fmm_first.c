/* The first two levels of a periodic tree whose other passes run on a GPU: from the multipole expansions of the root's
 * children and of leaves to the local expansions of both levels. At most nine cells, with many images each and more
 * terms than others: a CPU's.
 *
 * Buffers    first  RW  multipole expansions of TW_GPU_TOP cells, then local ones (zero at the start); the wide order's
 *                       stride each
 *            work   scratch: the kernel's, then the pairs
 * Arguments  the kernel (codelets/nbody/series.h); the cells */
#include <stdlib.h>
#include <string.h>

#include "codelets/nbody/fmm_gpu.h"

enum { MOST = 8 * 189 }; /* pairs */

struct args {
    const struct tw_series *s;
    const struct tw_gpu_cell *cell;
    int n;
};

/* A child and the root, in the order that M2M or L2L wants. */
static struct tw_series_pair relatives(const struct tw_gpu_cell *child, const double *src, double *dst)
{
    struct tw_series_pair p = {.src = src, .dst = dst};
    for (int axis = 0; axis < 3; axis++)
        p.way[axis] = (signed char)child->at[axis];
    return p;
}

/* What children and their images that do not touch the child `to` do to it: at most 189. */
static int separated(const struct args *a, int to, const double *M, double *L, struct tw_series_pair *pair)
{
    const int stride = a->s->length[1];
    int n = 0;

    for (int from = 1; from < a->n; from++)
        for (int image = 0; image < 27 && a->cell[from].send > a->cell[from].sbegin; image++) {
            const int root[3] = {image / 9 - 1, image / 3 % 3 - 1, image % 3 - 1};
            int far = 0;
            pair[n] = (struct tw_series_pair){.src = M + (size_t)from * (size_t)stride,
                                              .dst = L + (size_t)to * (size_t)stride};
            for (int axis = 0; axis < 3; axis++) {
                const int way = a->cell[to].at[axis] - a->cell[from].at[axis] - 2 * root[axis];
                pair[n].way[axis] = (signed char)way;
                far |= abs(way) > 1;
            }
            n += far;
        }
    return n;
}

static int cpu(const struct tw_body *body)
{
    const struct args *a = body->args;
    const struct tw_series *s = a->s;
    const size_t stride = (size_t)s->length[0];
    double *M = body->buf[0].ptr, *L = M + TW_GPU_TOP * stride, *work = body->buf[1].ptr;
    struct tw_series_pair *pair = (struct tw_series_pair *)(work + s->work);
    int n = 0;

    for (int c = 1; c < a->n; c++)
        if (a->cell[c].send > a->cell[c].sbegin) pair[n++] = relatives(&a->cell[c], M + (size_t)c * stride, M);
    if (n) s->ops->m2m(s, 1, n, pair, work);
    s->ops->beyond(s, M, L);
    n = 0;
    for (int c = 1; c < a->n; c++)
        if (a->cell[c].tend > a->cell[c].tbegin) n += separated(a, c, M, L, pair + n);
    if (n) s->ops->m2l(s, 1, n, pair, work);
    n = 0;
    for (int c = 1; c < a->n; c++)
        if (a->cell[c].tend > a->cell[c].tbegin) pair[n++] = relatives(&a->cell[c], L, L + (size_t)c * stride);
    if (n) s->ops->l2l(s, 1, n, pair, work);
    return 0;
}

static struct tw_codelet codelet = {.name = "first", .color = 0x4477AA, .rate = TW_RATE_GEMM, .cpu = cpu};

void tw_task_fmm_first(struct tw_sequence *seq, const struct tw_fmm_gpu *g)
{
    const struct args args = {g->series, g->first, g->f.level_at[2]};
    const size_t work = g->series->work * sizeof(double) + MOST * sizeof(struct tw_series_pair);
    const struct tw_access access[2] = {{g->data[TW_GPU_FIRST], TW_RW}, {tw_scratch(work), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = TW_DOUBLE,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = tw_priority(seq, TW_FMM_GPU_PASSES, TW_FMM_GPU_PASSES, 1),
                                     .flops = MOST * g->series->flops,
                                     .size = 32,
                                     .coord = {-1, -1, -1, -1},
                                     .place = TW_ON_CPUS});
}
