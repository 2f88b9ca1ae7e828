/* The fast multipole method for Yukawa's kernel. Levels whose cells are many screening lengths wide are left out: what
 * their interaction lists hold is at least a side away. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/nbody/series.h"
#include "codelets/range.h"

enum { MOST = 72 }; /* largest order */

/* Largest kappa times side with expansions: beyond, e^-kappa is 1e-3 eps of e^-8, from where on the accuracy is
 * absolute. */
static double limit(double eps)
{
    return 15 - log(eps);
}

/* The side of the tree being known: the order that all its levels can do with. */
static int choose_order(struct tw_series_yukawa *y, double eps, double side)
{
    const int laplace = tw_fmm_order(eps) + 1; /* half a digit in reserve */
    int order = laplace;

    for (int level = 2; level <= TW_FMM_DEPTH; level++) {
        y->level[level].kappa = y->kappa * ldexp(side, -level);
        if (y->level[level].kappa > limit(eps)) continue;
        const int p = tw_series_yukawa_order(laplace, y->level[level].kappa, MOST);
        order = p > order ? p : order;
    }
    y->tables = tw_fmm_tables_get(order);
    return y->tables ? 0 : TW_E_MEMORY;
}

/* With the tree: the first level that has expansions, and the translations of these levels, a task each. */
struct making {
    struct tw_series_yukawa *y;
    int top, failed[TW_FMM_DEPTH + 1];
};
static void make_some(void *context, int part, tw_int begin, tw_int end)
{
    struct making *m = context;
    (void)part;
    for (tw_int k = begin; k < end; k++)
        m->failed[k] = tw_series_yukawa_level(m->y, m->top + (int)k);
}
static int make_levels(struct tw_sequence *seq, struct tw_series_yukawa *y, double eps, int depth, int *top)
{
    struct making m = {.y = y};

    while (*top <= depth && y->level[*top].kappa > limit(eps))
        ++*top;
    if (*top > depth) return 0;
    m.top = *top;
    tw_range_run_by(seq, make_some, &m, depth - *top + 1, 1);
    for (int k = 0; k <= depth - *top; k++)
        if (m.failed[k]) return TW_E_MEMORY;
    return tw_loop_status(seq);
}

/* ---- on CPUs ---- */

static int choose(struct tw_series_work *w, const struct tw_series_problem *q)
{
    struct tw_series_yukawa *y = w->context;

    if (choose_order(y, q->eps, w->s.tree.side)) return TW_E_MEMORY;
    tw_series_use_yukawa(&w->s, y);
    w->leaf = tw_fmm_leaf(y->tables->p, 4); /* pairs cost more than Laplace's: as much as with gradients, or more */
    return 0;
}
static int translations(struct tw_sequence *seq, struct tw_series_work *w, const struct tw_series_problem *q)
{
    return make_levels(seq, w->context, q->eps, w->s.tree.depth, &w->s.top);
}

/* ---- on a GPU ---- */

struct gpu_context {
    struct tw_series_yukawa *y;
    double eps;
};
static int choose_for_gpu(struct tw_gpu_problem *q, double side)
{
    const struct gpu_context *c = q->context;

    if (choose_order(c->y, c->eps, side)) return TW_E_MEMORY;
    q->tables = c->y->tables;
    q->order = c->y->tables->p;
    return 0;
}
static int levels_for_gpu(struct tw_sequence *seq, struct tw_gpu_problem *q, int depth, int *top,
                          const struct tw_yukawa_level **level)
{
    const struct gpu_context *c = q->context;
    const int e = make_levels(seq, c->y, c->eps, depth, top);

    *level = &c->y->level[*top];
    return e;
}

static double flops(const struct tw_series_problem *q)
{
    const double p = tw_fmm_order(q->eps) + 1, leaf = tw_fmm_leaf((int)p, 4);
    return (double)q->nd * (double)(q->ns + q->nt) * (27 * leaf * 40 + 189 / leaf * 4 * p * p * p);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct tw_series_problem *q = p;
    struct tw_series_yukawa y = {.kappa = q->parameter};
    struct tw_series_work w = {.context = &y, .choose = choose, .with_tree = translations};
    struct tw_gpu_problem gpu = tw_series_for_gpu("tw_yukawa3d", q, TW_GPU_YUKAWA, tw_fmm_order(q->eps) + 1, flops(q));
    int way;

    if (y.kappa > 0) /* no kappa times side needs more: the side is not known yet */
        gpu.most_order = (int)tw_min(tw_series_yukawa_order(gpu.order, 8.1, MOST) + 1, MOST);
    way = tw_gpu_way(seq, &gpu);
    gpu.kappa = y.kappa;
    gpu.context = &(struct gpu_context){&y, q->eps};
    gpu.choose = choose_for_gpu, gpu.levels = levels_for_gpu;
    if (way > 0) tw_gpu_loop(seq, &gpu);
    if (way == 0 && !tw_series_run(seq, q, &w)) tw_series_give(seq, q, &w, NULL, NULL);
    tw_series_free(&w);
    tw_series_yukawa_free(&y);
}

int tw_yukawa_call(const char *routine, struct tw_sequence *seq, struct tw_series_problem *q)
{
    int e;
    TW_ARGUMENT(routine, 2, q->parameter >= 0 && q->parameter <= TW_NBODY_COORDINATE_MAX ? NULL : "not in [0, 1e150]");
    if ((e = tw_series_check(routine, q, 1))) return e;
    if (tw_series_trivial(q)) return 0;
    return seq ? tw_call_async(seq, routine + 3, loop, q, sizeof *q, flops(q))
               : tw_call(routine + 3, loop, q, flops(q));
}

#define PROBLEM(t) TW_SERIES_PROBLEM(t, .dim = 3, .parameter = kappa)

int tw_yukawa3d(double eps, double kappa, tw_int nd, tw_int nsource, const double *source, const double *charge,
                double *pot, double *grad, tw_int ntarget, const double *target, double *pottarg, double *gradtarg)
{
    return tw_yukawa_call("tw_yukawa3d", NULL, PROBLEM(TW_DOUBLE));
}
int tw_syukawa3d(double eps, double kappa, tw_int nd, tw_int nsource, const float *source, const float *charge,
                 float *pot, float *grad, tw_int ntarget, const float *target, float *pottarg, float *gradtarg)
{
    return tw_yukawa_call("tw_syukawa3d", NULL, PROBLEM(TW_FLOAT));
}
int tw_yukawa3d_async(double eps, double kappa, tw_int nd, tw_int nsource, const double *source, const double *charge,
                      double *pot, double *grad, tw_int ntarget, const double *target, double *pottarg,
                      double *gradtarg, tw_sequence *seq)
{
    TW_ARGUMENT("tw_yukawa3d_async", 13, seq ? NULL : "NULL sequence");
    return tw_yukawa_call("tw_yukawa3d", seq, PROBLEM(TW_DOUBLE));
}
int tw_syukawa3d_async(double eps, double kappa, tw_int nd, tw_int nsource, const float *source, const float *charge,
                       float *pot, float *grad, tw_int ntarget, const float *target, float *pottarg, float *gradtarg,
                       tw_sequence *seq)
{
    TW_ARGUMENT("tw_syukawa3d_async", 13, seq ? NULL : "NULL sequence");
    return tw_yukawa_call("tw_syukawa3d", seq, PROBLEM(TW_FLOAT));
}
