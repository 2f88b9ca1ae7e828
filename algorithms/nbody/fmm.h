/* The fast multipole method's parts: arguments and door (fmm.c), data objects and passes (fmm_passes.c). */
#ifndef TW_ALGORITHMS_NBODY_FMM_H
#define TW_ALGORITHMS_NBODY_FMM_H
#include "algorithms/nbody/chunks.h"

struct tw_fmm_problem {
    struct tw_points source, target;
    tw_int nd;
    const void *charge;
    void *pot, *grad, *pottarg, *gradtarg;
    int order, leaf; /* 0: from eps */
};
struct tw_fmm_work {
    struct tw_fmm f;
    tw_int targets; /* all targets */
    uint64_t *source_key, *target_key;
    uint32_t *source_order, *target_order;
    void *all;                        /* targets in the caller's type and order */
    double *source, *target, *result; /* sorted, column by column */
    double *expansions;               /* all M, then all L; in the library's pool */
    size_t expansion_bytes;
    int ngroups;
    struct tw_kept_ids uses; /* the ids that tasks were given */
};

/* Check the arguments (numbered as tw_fmm3d's) and run, or queue in seq if it is not NULL. */
int tw_fmm_call(const char *routine, struct tw_sequence *seq, double eps, struct tw_fmm_problem *q);
/* The routine's loop, for loops that need its results: p is a checked struct tw_fmm_problem with its order; they are
 * there when it returns, unless the sequence has failed. */
void tw_fmm_loop(struct tw_sequence *seq, void *p);
/* An estimate of the flops, for progress. */
double tw_fmm_flops(const struct tw_fmm_problem *q);

/* Chunks, groups and their data objects; 0 or TW_E_MEMORY. */
int tw_fmm_objects_make(struct tw_fmm_work *w);
/* Waits for the tasks that use them. */
void tw_fmm_objects_free(struct tw_fmm_work *w);
/* Submit all passes; 0 or TW_E_MEMORY. */
int tw_fmm_submit_passes(struct tw_sequence *seq, struct tw_fmm_work *w);
#endif
