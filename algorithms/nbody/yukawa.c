/* The fast multipole method for Yukawa's kernel. Levels whose cells are many screening lengths wide are left out: what their
 * interaction lists hold is at least a side away. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/nbody/series.h"

enum { MOST = 72 }; /* largest order */

/* Largest kappa times side with expansions: beyond, e^-kappa is 1e-3 eps of e^-8, from where on the accuracy is absolute. */
static double limit(double eps)
{
    return 15 - log(eps);
}

/* Before the tree is made, its side being known: the order that all its levels can do with. */
static int choose(struct tw_series_work *w, const struct tw_series_problem *q)
{
    struct tw_series_yukawa *y = w->context;
    const int laplace = tw_fmm_order(q->eps) + 1; /* half a digit in reserve */
    int order = laplace;

    for (int level = 2; level <= TW_FMM_DEPTH; level++) {
        y->level[level].kappa = y->kappa * ldexp(w->s.tree.side, -level);
        if (y->level[level].kappa > limit(q->eps)) continue;
        const int p = tw_yukawa_order(laplace, y->level[level].kappa, MOST);
        order = p > order ? p : order;
    }
    if (!(y->tables = tw_fmm_tables_get(order))) return TW_E_MEMORY;
    tw_series_use_yukawa(&w->s, y);
    w->leaf = tw_fmm_leaf(order, 4); /* pairs cost more than Laplace's: as much as with gradients, or more */
    return 0;
}

/* With the tree: the translations of its levels. */
static int translations(struct tw_series_work *w, const struct tw_series_problem *q)
{
    struct tw_series_yukawa *y = w->context;
    struct tw_series *s = &w->s;

    while (s->top <= s->tree.depth && y->level[s->top].kappa > limit(q->eps))
        s->top++;
    for (int level = s->top; level <= s->tree.depth; level++)
        if (tw_yukawa_level_make(&y->level[level], y->tables, y->level[level].kappa)) return TW_E_MEMORY;
    return 0;
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct tw_series_problem *q = p;
    struct tw_series_yukawa y = {.kappa = q->parameter};
    struct tw_series_work w = {.context = &y, .choose = choose, .with_tree = translations};

    if (!tw_series_run(seq, q, &w)) tw_series_give(q, &w, NULL, NULL);
    tw_series_free(&w);
    for (int level = 0; level <= TW_FMM_DEPTH && y.tables; level++)
        tw_yukawa_level_free(&y.level[level], y.tables);
    tw_fmm_tables_put(y.tables);
}

int tw_yukawa_call(const char *routine, struct tw_sequence *seq, struct tw_series_problem *q)
{
    int e;
    TW_NBODY_CHECK(routine, 2,
                   q->parameter >= 0 && q->parameter <= TW_NBODY_COORDINATE_MAX ? NULL : "not in [0, 1e150]");
    if ((e = tw_series_check(routine, q, 1))) return e;
    if (tw_series_trivial(q)) return 0;
    const double p = tw_fmm_order(q->eps) + 1, leaf = tw_fmm_leaf((int)p, 4),
                 flops = (double)q->nd * (double)(q->ns + q->nt) * (27 * leaf * 40 + 189 / leaf * 4 * p * p * p);
    return seq ? tw_call_async(seq, routine + 3, loop, q, sizeof *q, flops) : tw_call(routine + 3, loop, q, flops);
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
    TW_NBODY_CHECK("tw_yukawa3d_async", 13, seq ? NULL : "NULL sequence");
    return tw_yukawa_call("tw_yukawa3d", seq, PROBLEM(TW_DOUBLE));
}
int tw_syukawa3d_async(double eps, double kappa, tw_int nd, tw_int nsource, const float *source, const float *charge,
                       float *pot, float *grad, tw_int ntarget, const float *target, float *pottarg, float *gradtarg,
                       tw_sequence *seq)
{
    TW_NBODY_CHECK("tw_syukawa3d_async", 13, seq ? NULL : "NULL sequence");
    return tw_yukawa_call("tw_syukawa3d", seq, PROBLEM(TW_FLOAT));
}
