/* The fast multipole method (Greengard and Rokhlin 1987; adaptive: Carrier, Greengard and Rokhlin 1988; translations by
 * rotation: White and Head-Gordon 1996): sort, tree, then one task per pass and group of cells or chunk of points.
 *
 * Every object has one writer at a time, in the order of submission, and sums inside a task have a fixed order: results
 * are the same bits whatever the scheduler does. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/variables.h"
#include "algorithms/nbody/fmm.h"
#include "algorithms/nbody/fmm_gpu.h"
#include "codelets/range.h"

/* ---- what eps means ---------------------------------------------------------------------------------------------- */

/* Measured errors of random charges of both signs in two distant balls, the worst of the test distributions, with half
 * a digit in reserve, and one order more for each digit beyond 9: 6, 14, 26, 44 for 1e-3, 1e-6, 1e-9, 1e-12. Towards
 * high accuracy this is the 4.2 orders per digit of FMM3D. */
int tw_fmm_order(double eps)
{
    const double digits = -log10(eps);
    const int p = (int)ceil(1.5 + 0.917 * digits + 0.194 * digits * digits + fmax(0, digits - 9));
    return p < 3 ? 3 : p > TW_FMM_MAX_ORDER ? TW_FMM_MAX_ORDER : p;
}

/* Splitting a leaf of n points saves 27 n^2 (1 - 1/8) pairs and costs 8 x 189 translations: equal where the next level
 * pays. The ratio of the two costs was measured (AVX-512; with AVX2 it is nearly the same); the result depends on its
 * root. */
int tw_fmm_leaf(int order, int nf)
{
    const double pair = nf == 1 ? 0.26e-3 : 0.42e-3, p = order, translation = 9e-5 * p * p * p + 1.1e-2 * p;
    const double leaf = sqrt(64 * translation / pair);
    return leaf < 40 ? 40 : (int)leaf;
}

/* ---- sorted copies ----------------------------------------------------------------------------------------------- */

struct copies {
    const struct tw_points *p;
    const uint32_t *order;
    tw_int nd;
    const void *charge;
    double *to;
};
static void copy(void *context, int part, tw_int begin, tw_int end)
{
    const struct copies *c = context;
    const struct tw_points *p = c->p;
    (void)part;
    for (tw_int i = begin; i < end; i++) {
        const tw_int from = c->order[i];
        for (int k = 0; k < 3; k++)
            c->to[i + k * p->n] = tw_number_at(p->type, p->xyz, 3 * from + k) - p->shift[k];
        for (tw_int d = 0; d < c->nd; d++)
            c->to[i + (3 + d) * p->n] = tw_number_at(p->type, c->charge, c->nd * from + d);
    }
}

/* Sorted points and, of sources, charges: columns of n doubles. */
static double *sorted(struct tw_sequence *seq, const struct tw_points *p, const uint32_t *order, tw_int nd,
                      const void *charge)
{
    struct copies c = {p, order, nd, charge, malloc((size_t)p->n * (size_t)(3 + nd) * sizeof(double) + 1)};
    if (c.to) tw_range_run(seq, copy, &c, p->n);
    return c.to;
}

/* Targets are the sources, if results are wanted there, then the caller's targets: number `from` of both. */
static void give_one(const struct tw_fmm_problem *q, tw_int from, const struct tw_fmm_work *w, tw_int at)
{
    const int own = q->pot || q->grad;
    const tw_int i = own && from >= q->source.n ? from - q->source.n : from;
    const int at_source = own && from < q->source.n;
    void *pot = at_source ? q->pot : q->pottarg, *grad = at_source ? q->grad : q->gradtarg;

    for (tw_int d = 0; d < q->nd; d++) {
        const double *value = w->result + at + d * w->f.nf * w->targets;
        if (pot) tw_add_at(q->source.type, pot, d + q->nd * i, value[0]);
        for (int k = 0; grad && k < 3; k++)
            tw_add_at(q->source.type, grad, d + q->nd * (k + 3 * i), value[(1 + k) * w->targets]);
    }
}
struct given {
    const struct tw_fmm_problem *q;
    const struct tw_fmm_work *w;
};
static void give(void *context, int part, tw_int begin, tw_int end)
{
    const struct given *g = context;
    (void)part;
    for (tw_int i = begin; i < end; i++)
        give_one(g->q, g->w->target_order[i], g->w, i);
}

/* All targets as one array, in the caller's type. */
static void *joined(const struct tw_fmm_problem *q, tw_int n)
{
    const size_t size = 3 * tw_sizeof(q->source.type), own = (size_t)(n - q->target.n) * size;
    char *to = malloc((size_t)n * size + 1);
    if (!to) return NULL;
    if (own) memcpy(to, q->source.xyz, own);
    if (q->target.n) memcpy(to + own, q->target.xyz, (size_t)q->target.n * size);
    return to;
}

static int sort_points(struct tw_sequence *seq, const struct tw_fmm_problem *q, struct tw_fmm_work *w)
{
    struct tw_fmm_tree *t = &w->f.tree;
    struct tw_points source = q->source, all = {.type = q->source.type, .xyz = w->all, .n = w->targets};
    struct tw_box box;
    int e;

    tw_box_empty(&box);
    tw_box_add(&box, &source);
    tw_box_add(&box, &all);
    tw_box_shift(&box, source.shift);
    memcpy(all.shift, source.shift, sizeof all.shift);
    tw_box_cube(&box, t->corner, &t->side);
    if ((e = tw_morton_sort_by_tasks(seq, &source, t->corner, t->side, w->source_key, w->source_order))) return e;
    if ((q->pot || q->grad) && w->targets == q->source.n) { /* the same points */
        memcpy(w->target_key, w->source_key, (size_t)w->targets * sizeof *w->target_key);
        memcpy(w->target_order, w->source_order, (size_t)w->targets * sizeof *w->target_order);
    } else if ((e = tw_morton_sort_by_tasks(seq, &all, t->corner, t->side, w->target_key, w->target_order))) {
        return e;
    }
    w->source = sorted(seq, &source, w->source_order, q->nd, q->charge);
    w->target = sorted(seq, &all, w->target_order, 0, NULL);
    return w->source && w->target ? tw_loop_status(seq) : TW_E_MEMORY;
}

static int make_work(struct tw_sequence *seq, const struct tw_fmm_problem *q, struct tw_fmm_work *w)
{
    const size_t ns = (size_t)q->source.n, nt = (size_t)w->targets;
    int e;

    w->source_key = malloc((ns + 1) * sizeof(uint64_t));
    w->target_key = malloc((nt + 1) * sizeof(uint64_t));
    w->source_order = malloc((ns + 1) * sizeof(uint32_t));
    w->target_order = malloc((nt + 1) * sizeof(uint32_t));
    w->result = malloc((nt * (size_t)(q->nd * w->f.nf) + 1) * sizeof(double));
    w->all = joined(q, w->targets);
    if (!w->source_key || !w->target_key || !w->source_order || !w->target_order || !w->result || !w->all)
        return TW_E_MEMORY;
    if ((e = sort_points(seq, q, w))) return e;
    w->f.tree.few = w->f.tables->nc / 2;
    return tw_fmm_tree_make_by_tasks(seq, &w->f.tree, w->source_key, (int)ns, w->target_key, (int)nt,
                                     q->leaf ? q->leaf : tw_fmm_leaf(w->f.tables->p, w->f.nf));
}

static void free_work(struct tw_fmm_work *w)
{
    tw_fmm_objects_free(w);
    tw_fmm_tree_free(&w->f.tree);
    tw_fmm_tables_put(w->f.tables);
    free(w->source_key), free(w->target_key), free(w->source_order), free(w->target_order);
    free(w->source), free(w->target), free(w->result), free(w->all);
}

/* On CPUs: keys, orders, sorted copies, results; the expansions are counted by the pool. */
static int fits(struct tw_sequence *seq, const struct tw_fmm_problem *q)
{
    const double ns = (double)q->source.n, nt = (q->pot || q->grad ? ns : 0) + (double)q->target.n, nd = (double)q->nd,
                 nf = q->grad || q->gradtarg ? 4 : 1, bytes = ns * (44 + 8 * (3 + nd)) + nt * (60 + 8 * nd * nf),
                 limit = (double)tw_host_memory_limit(NULL);
    if (bytes <= limit) return 1;
    tw_loop_fail(seq, TW_E_MEMORY,
                 "the fast multipole method needs %.0f MB of main memory beside its expansions, %.0f MB may be used",
                 bytes * 1e-6, limit * 1e-6);
    return 0;
}

static struct tw_gpu_problem for_gpu(const struct tw_fmm_problem *q)
{
    return (struct tw_gpu_problem){.routine = "tw_fmm3d",
                                   .kind = TW_GPU_LAPLACE,
                                   .space = {.type = q->source.type, .dim = 3},
                                   .nd = q->nd,
                                   .ns = q->source.n,
                                   .nt = q->target.n,
                                   .source = q->source.xyz,
                                   .charge = q->charge,
                                   .target = q->target.xyz,
                                   .pot = q->pot,
                                   .grad = q->grad,
                                   .pottarg = q->pottarg,
                                   .gradtarg = q->gradtarg,
                                   .order = q->order,
                                   .leaf = q->leaf,
                                   .cpu_flops = tw_fmm_flops(q)};
}

/* 1 if a GPU does it, or nothing can. */
static int on_gpu(struct tw_sequence *seq, const struct tw_fmm_problem *q)
{
    struct tw_gpu_problem gpu = for_gpu(q);
    const int way = tw_gpu_way(seq, &gpu);

    if (way <= 0) return way < 0;
    if ((gpu.tables = tw_fmm_tables_get(q->order)))
        tw_gpu_loop(seq, &gpu);
    else
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for expansions of order %d", q->order);
    tw_fmm_tables_put(gpu.tables);
    return 1;
}

void tw_fmm_loop(struct tw_sequence *seq, void *p)
{
    const struct tw_fmm_problem *q = p;
    struct tw_fmm_work w;
    int e;

    if (on_gpu(seq, q) || !fits(seq, q)) return;
    memset(&w, 0, sizeof w);
    w.targets = (q->pot || q->grad ? q->source.n : 0) + (q->pottarg || q->gradtarg ? q->target.n : 0);
    w.f.nd = (int)q->nd;
    w.f.nf = q->grad || q->gradtarg ? 4 : 1;
    w.f.tables = tw_fmm_tables_get(q->order);
    e = w.f.tables ? make_work(seq, q, &w) : TW_E_MEMORY;
    if (!e) e = tw_fmm_objects_make(&w);
    if (!e) e = tw_fmm_submit_passes(seq, &w);
    if (e && !tw_loop_status(seq))
        tw_loop_fail(seq, e, "no memory for the fast multipole method with %lld points", (long long)q->source.n);
    tw_loop_wait(seq);
    tw_fmm_objects_free(&w); /* the results are in main memory again */
    if (!tw_loop_status(seq)) tw_range_run(seq, give, &(struct given){q, &w}, w.targets);
    free_work(&w);
}

/* ---- doors ------------------------------------------------------------------------------------------------------- */

/* Nothing to sum: zeros. */
static void zero(const struct tw_fmm_problem *q)
{
    const size_t size = tw_sizeof(q->source.type) * (size_t)q->nd, ns = (size_t)q->source.n, nt = (size_t)q->target.n;
    if (q->pot) memset(q->pot, 0, size * ns);
    if (q->grad) memset(q->grad, 0, 3 * size * ns);
    if (q->pottarg) memset(q->pottarg, 0, size * nt);
    if (q->gradtarg) memset(q->gradtarg, 0, 3 * size * nt);
}

int tw_fmm_call(const char *routine, struct tw_sequence *seq, double eps, struct tw_fmm_problem *q)
{
    const int single = q->source.type == TW_FLOAT;
    const double limit = single ? TW_NBODY_COORDINATE_MAX_FLOAT : TW_NBODY_COORDINATE_MAX, large = INT32_MAX;
    char text[128];
    double flops;
    int e;

    if ((e = tw_variable_check(TW_TILEWORK_FMM_PATH))) return e;
    TW_ARGUMENT(routine, 1, eps >= 1e-14 && eps < 1 ? NULL : "not in [1e-14, 1)");
    TW_ARGUMENT(routine, 2, q->nd >= 1 && q->nd <= 1024 ? NULL : "not between 1 and 1024");
    TW_ARGUMENT(routine, 3, q->source.n >= 0 && q->source.n <= large / 2 ? NULL : "not between 0 and 2^30 - 1");
    TW_ARGUMENT(routine, 8, q->target.n >= 0 && q->target.n <= large / 2 ? NULL : "not between 0 and 2^30");
    TW_ARGUMENT(routine, 4, q->source.n && !q->source.xyz ? "NULL" : NULL);
    TW_ARGUMENT(routine, 5, q->source.n && !q->charge ? "NULL" : NULL);
    TW_ARGUMENT(routine, 9, q->target.n && !q->target.xyz ? "NULL" : NULL);
    TW_ARGUMENT(routine, 4, tw_bad_numbers_by_tasks(q->source.type, q->source.xyz, 3 * q->source.n, limit, text));
    TW_ARGUMENT(routine, 5, tw_bad_numbers_by_tasks(q->source.type, q->charge, q->nd * q->source.n, DBL_MAX, text));
    TW_ARGUMENT(routine, 9, tw_bad_numbers_by_tasks(q->source.type, q->target.xyz, 3 * q->target.n, limit, text));
    if (!q->pottarg && !q->gradtarg) q->target.n = 0; /* nothing is asked for there */
    if (!q->source.n || (!q->pot && !q->grad && !(q->target.n && (q->pottarg || q->gradtarg)))) {
        zero(q);
        return 0;
    }
    if (!q->order) q->order = tw_fmm_order(eps);
    flops = tw_fmm_flops(q);
    return seq ? tw_call_async(seq, routine + 3, tw_fmm_loop, q, sizeof *q, flops)
               : tw_call(routine + 3, tw_fmm_loop, q, flops);
}

#define PROBLEM(t)                                                                                                     \
    (&(struct tw_fmm_problem){.source = {t, source, nsource},                                                          \
                              .target = {t, target, ntarget},                                                          \
                              .nd = nd,                                                                                \
                              .charge = charge,                                                                        \
                              .pot = pot,                                                                              \
                              .grad = grad,                                                                            \
                              .pottarg = pottarg,                                                                      \
                              .gradtarg = gradtarg})

int tw_fmm3d(double eps, tw_int nd, tw_int nsource, const double *source, const double *charge, double *pot,
             double *grad, tw_int ntarget, const double *target, double *pottarg, double *gradtarg)
{
    return tw_fmm_call("tw_fmm3d", NULL, eps, PROBLEM(TW_DOUBLE));
}
int tw_sfmm3d(double eps, tw_int nd, tw_int nsource, const float *source, const float *charge, float *pot, float *grad,
              tw_int ntarget, const float *target, float *pottarg, float *gradtarg)
{
    return tw_fmm_call("tw_sfmm3d", NULL, eps, PROBLEM(TW_FLOAT));
}
int tw_fmm3d_async(double eps, tw_int nd, tw_int nsource, const double *source, const double *charge, double *pot,
                   double *grad, tw_int ntarget, const double *target, double *pottarg, double *gradtarg,
                   tw_sequence *seq)
{
    TW_ARGUMENT("tw_fmm3d_async", 12, seq ? NULL : "NULL sequence");
    return tw_fmm_call("tw_fmm3d", seq, eps, PROBLEM(TW_DOUBLE));
}
int tw_sfmm3d_async(double eps, tw_int nd, tw_int nsource, const float *source, const float *charge, float *pot,
                    float *grad, tw_int ntarget, const float *target, float *pottarg, float *gradtarg, tw_sequence *seq)
{
    TW_ARGUMENT("tw_sfmm3d_async", 12, seq ? NULL : "NULL sequence");
    return tw_fmm_call("tw_sfmm3d", seq, eps, PROBLEM(TW_FLOAT));
}
