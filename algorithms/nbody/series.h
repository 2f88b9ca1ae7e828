/* The multipole method for any kernel (codelets/nbody/series.h): from the caller's arrays to results. */
#ifndef TW_ALGORITHMS_NBODY_SERIES_H
#define TW_ALGORITHMS_NBODY_SERIES_H
#include "algorithms/nbody/fmm_gpu.h"
#include "algorithms/nbody/chunks.h"
#include "codelets/nbody/series.h"

struct tw_series_problem {
    enum tw_type type;
    int dim; /* 2 or 3 */
    tw_int nd, ns, nt;
    const void *source, *charge, *target;
    void *pot, *grad, *pottarg, *gradtarg; /* gradients have dim components */
    double eps, parameter;                 /* parameter: the kernel's own */
    /* A periodic box, if side > 0: points are moved into it. */
    double corner[3], side;
    int boundary; /* enum tw_boundary */
    int leaf;     /* 0: by the kernel */
};
/* From a public routine's arguments, which have FMM3D's names; behind the type what else its kernel needs. */
#define TW_SERIES_PROBLEM(t, ...)                                                                                      \
    (&(struct tw_series_problem){.type = t,                                                                            \
                                 .nd = nd,                                                                             \
                                 .ns = nsource,                                                                        \
                                 .nt = ntarget,                                                                        \
                                 .source = source,                                                                     \
                                 .charge = charge,                                                                     \
                                 .target = target,                                                                     \
                                 .pot = pot,                                                                           \
                                 .grad = grad,                                                                         \
                                 .pottarg = pottarg,                                                                   \
                                 .gradtarg = gradtarg,                                                                 \
                                 .eps = eps,                                                                           \
                                 __VA_ARGS__})
struct tw_series_work {
    struct tw_series s;
    /* What the kernel still has to choose once the tree's corner and side are known (s.ops and so on, leaf), and once
     * the tree is made (s.top, its own tables): NULL, or functions that return 0 or TW_E_MEMORY. */
    void *context;
    int (*choose)(struct tw_series_work *w, const struct tw_series_problem *q);
    int (*with_tree)(struct tw_sequence *seq, struct tw_series_work *w, const struct tw_series_problem *q);
    tw_int ns, nt; /* nt: all targets: the sources, if results are wanted there, then the caller's */
    int leaf;
    double *all;                      /* x, y, z of the sources, then of the caller's targets */
    double *source, *target, *result; /* sorted, column by column */
    uint64_t *key[2];
    uint32_t *order[2]; /* of sources and of targets */
    double *expansions;
    size_t expansion_bytes;
    struct tw_kept_ids uses;
};

/* Check the arguments that all kernels have; their numbers are FMM3D's (eps 1, nd 2, nsource 3, …, gradtarg 11) plus
 * `shift` for those behind eps. 0 or -i. */
int tw_series_check(const char *routine, const struct tw_series_problem *q, int shift);
/* 1 if there is nothing to sum: then the results have been set to zero. */
int tw_series_trivial(const struct tw_series_problem *q);

/* Inside a loop, on CPUs. w is zero but for w->s.ops (and what comes with it) and w->leaf, or functions that choose
 * them: sort, make the tree, run all passes, wait. 0, or the sequence has failed. w's arrays stay until
 * tw_series_free. */
int tw_series_run(struct tw_sequence *seq, const struct tw_series_problem *q, struct tw_series_work *w);
/* Write the results into the caller's arrays: value[0] is the potential, then the gradient; `adjust`, if not NULL, may
 * change them: x is the target (in a periodic box relative to its centre), d the charge vector. */
typedef void (*tw_series_adjust)(const void *context, const double *x, tw_int d, int nf, double *value);
void tw_series_give(struct tw_sequence *seq, const struct tw_series_problem *q, const struct tw_series_work *w,
                    tw_series_adjust adjust, const void *context);
void tw_series_free(struct tw_series_work *w);

/* The same problem for a GPU, which a routine asks first (tw_gpu_way): the order of its expansions, and what it would
 * cost on CPUs. */
struct tw_gpu_problem tw_series_for_gpu(const char *routine, const struct tw_series_problem *q, enum tw_gpu_kind kind,
                                        int order, double cpu_flops);

/* The routines with all their arguments in q: check them and run, or queue in seq if it is not NULL. parameter:
 * kappa. */
int tw_periodic_call(const char *routine, struct tw_sequence *seq, struct tw_series_problem *q, const double *corner);
int tw_fmm2d_call(const char *routine, struct tw_sequence *seq, struct tw_series_problem *q);
int tw_yukawa_call(const char *routine, struct tw_sequence *seq, struct tw_series_problem *q);

/* series_passes.c: chunks, groups and their data objects; the tasks. 0 or TW_E_MEMORY. */
int tw_series_objects_make(struct tw_series_work *w);
void tw_series_objects_free(struct tw_series_work *w);
int tw_series_submit_passes(struct tw_sequence *seq, struct tw_series_work *w);
#endif
