/* The fast multipole method in the plane: the logarithm, by complex expansions on a quadtree. */
#include <math.h>

#include "algorithms/nbody/series.h"

/* Measured: a digit in reserve in the worst of the test distributions, random charges in two balls a radius apart. */
static int order_of(double eps)
{
    return (int)ceil(-2.1 * log10(eps)) + 1;
}
/* Measured: where a leaf's 9 n^2 pairs cost what 4 x 27 translations do. */
static int leaf_of(int order)
{
    return (int)tw_max(40, 2 * order);
}

/* A pair has a logarithm: measured, as long as 100 flops. */
static double flops(const struct tw_series_problem *q)
{
    const double p = order_of(q->eps), leaf = leaf_of((int)p);
    return (double)q->nd * (double)(q->ns + q->nt) * (9 * 100 * leaf + 27 / leaf * 4 * p * p);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct tw_series_problem *q = p;
    const int order = order_of(q->eps);
    struct tw_plane *t = tw_series_plane_make(order);
    struct tw_series_work w = {0};
    struct tw_gpu_problem gpu = tw_series_for_gpu("tw_fmm2d", q, TW_GPU_PLANE, order, flops(q));
    const int way = t ? tw_gpu_way(seq, &gpu) : 0;

    gpu.plane = t;
    if (!t) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for expansions of order %d", order);
    } else if (way) {
        if (way > 0) tw_gpu_loop(seq, &gpu);
    } else {
        tw_series_use_plane(&w.s, t);
        w.leaf = leaf_of(order);
        if (!tw_series_run(seq, q, &w)) tw_series_give(seq, q, &w, NULL, NULL);
    }
    tw_series_free(&w);
    tw_series_plane_free(t);
}

int tw_fmm2d_call(const char *routine, struct tw_sequence *seq, struct tw_series_problem *q)
{
    int e = tw_series_check(routine, q, 0);
    if (e) return e;
    if (tw_series_trivial(q)) return 0;
    return seq ? tw_call_async(seq, routine + 3, loop, q, sizeof *q, flops(q))
               : tw_call(routine + 3, loop, q, flops(q));
}

#define PROBLEM(t) TW_SERIES_PROBLEM(t, .dim = 2)

int tw_fmm2d(double eps, tw_int nd, tw_int nsource, const double *source, const double *charge, double *pot,
             double *grad, tw_int ntarget, const double *target, double *pottarg, double *gradtarg)
{
    return tw_fmm2d_call("tw_fmm2d", NULL, PROBLEM(TW_DOUBLE));
}
int tw_sfmm2d(double eps, tw_int nd, tw_int nsource, const float *source, const float *charge, float *pot, float *grad,
              tw_int ntarget, const float *target, float *pottarg, float *gradtarg)
{
    return tw_fmm2d_call("tw_sfmm2d", NULL, PROBLEM(TW_FLOAT));
}
int tw_fmm2d_async(double eps, tw_int nd, tw_int nsource, const double *source, const double *charge, double *pot,
                   double *grad, tw_int ntarget, const double *target, double *pottarg, double *gradtarg,
                   tw_sequence *seq)
{
    TW_ARGUMENT("tw_fmm2d_async", 12, seq ? NULL : "NULL sequence");
    return tw_fmm2d_call("tw_fmm2d", seq, PROBLEM(TW_DOUBLE));
}
int tw_sfmm2d_async(double eps, tw_int nd, tw_int nsource, const float *source, const float *charge, float *pot,
                    float *grad, tw_int ntarget, const float *target, float *pottarg, float *gradtarg, tw_sequence *seq)
{
    TW_ARGUMENT("tw_sfmm2d_async", 12, seq ? NULL : "NULL sequence");
    return tw_fmm2d_call("tw_sfmm2d", seq, PROBLEM(TW_FLOAT));
}
