/* What the passes of both multipole methods share: finding their buffers, cells, points and results in these, and
 * becoming a task. */
#ifndef TW_CODELETS_NBODY_FMM_TASK_H
#define TW_CODELETS_NBODY_FMM_TASK_H
#include "codelets/nbody/fmm.h"
#include "kernels/nbody/cpu/nbody_cpu.h"

/* Which of the ascending ids is `id`, between low and high. */
static inline int tw_fmm_find_id(const int *ids, int low, int high, int id)
{
    while (low < high) {
        const int middle = (low + high) / 2;
        if (ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
/* Expansion of charge vector 0 of a cell in its group's buffer. */
static inline double *tw_fmm_expansion(const struct tw_fmm_tree *t, const struct tw_buffer *b, int cell)
{
    const int level = t->cell[cell].level;
    return (double *)b->ptr + (size_t)((cell - t->level_at[level]) % TW_FMM_GROUP) * (size_t)b->ld;
}
/* Points from `from` on, `n` of them, of a chunk's buffer whose first point is number `first`; c: the cell that the
 * expansion belongs to. */
static inline struct tw_fmm_points tw_fmm_points_in(const struct tw_fmm_tree *t, const struct tw_buffer *b, int first,
                                                    int from, int n, const struct tw_fmm_cell *c)
{
    const double *x = (const double *)b->ptr + (from - first), width = t->side / (double)(1 << c->level);
    struct tw_fmm_points p = {.x = x, .y = x + b->ld, .z = x + 2 * (size_t)b->ld, .n = n, .inverse = 1 / width};
    for (int k = 0; k < 3; k++)
        p.centre[k] = t->corner[k] + (c->at[k] + 0.5) * width;
    return p;
}
/* Results of charge vector d: nf columns of the chunk's result buffer, from target `from` on. */
static inline void tw_fmm_results_in(int nf, const struct tw_buffer *b, int first, int from, int d, double *out[4])
{
    for (int k = 0; k < 4; k++)
        out[k] = k < nf ? (double *)b->ptr + (size_t)(d * nf + k) * (size_t)b->ld + (from - first) : NULL;
}

/* A task of group (or chunk) `id`. Its buffers: `written`, in the given mode; `read` if it is not NULL; the objects
 * of[id] of each list; `scratch` bytes if not 0. */
struct tw_fmm_operands {
    struct tw_data *const *of;
    const int *id;
    int n;
};
struct tw_fmm_task {
    struct tw_codelet *codelet;
    const void *args;
    size_t args_size;
    int priority, level, id;
    struct tw_data *written, *read;
    enum tw_mode mode;
    const struct tw_fmm_operands *uses;
    int nuses;
    size_t scratch;
    double flops;
};
void tw_fmm_task_submit(struct tw_sequence *seq, const struct tw_fmm_task *task);
#endif
