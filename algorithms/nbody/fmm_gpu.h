/* The multipole method on GPUs for every kernel that has expansions there: what fmm_gpu.c is told by the routines. */
#ifndef TW_ALGORITHMS_NBODY_FMM_GPU_H
#define TW_ALGORITHMS_NBODY_FMM_GPU_H
#include "algorithms/nbody/nbody_loops.h"
#include "codelets/nbody/fmm_gpu.h"

struct tw_gpu_problem {
    const char *routine; /* for messages */
    enum tw_gpu_kind kind;
    struct tw_gpu_space space; /* the arrays' type, dimension and periodic box, if any */
    tw_int nd, ns, nt;
    const void *source, *charge, *target;
    void *pot, *grad, *pottarg, *gradtarg;
    int order, leaf;                    /* leaf 0: by order and kind */
    int most_order;                     /* larger ones that are used, too (`choose`, `wide`); 0: none */
    double cpu_flops;                   /* what it would cost on CPUs */
    const struct tw_fmm_tables *tables; /* of this order: Laplace's and Yukawa's */
    const struct tw_plane *plane;       /* the plane's */
    /* Yukawa's: tables, order and leaf may have to be chosen when the side of the tree is known, and the translations
     * of levels from *top on made when its depth is. 0 or TW_E_MEMORY. */
    double kappa;
    void *context;
    int (*choose)(struct tw_gpu_problem *q, double side);
    int (*levels)(struct tw_sequence *seq, struct tw_gpu_problem *q, int depth, int *top,
                  const struct tw_yukawa_level **level);
    /* Periodic boxes: the kernel of the first two levels, their tables (counting: NULL), and what the boundary adds
     * (tinfoil -1: nothing). */
    const struct tw_series *first;
    const struct tw_fmm_tables *wide;
    int tinfoil;
    double self;
};

/* Inside a loop: 1 if the problem goes to the GPUs: there is one with room for it, and by the models it is faster (or
 * the variable says so); 0 if to the CPUs. Negative, and the sequence has failed: the variable asks for GPUs, but there
 * is none, or it has not enough room. */
int tw_gpu_way(struct tw_sequence *seq, const struct tw_gpu_problem *q);
/* Then this is its loop; the results are in the caller's arrays when it returns, unless the sequence has failed. */
void tw_gpu_loop(struct tw_sequence *seq, struct tw_gpu_problem *q);
#endif
