/* What the tasks of the multipole method for any kernel share. */
#ifndef TW_CODELETS_NBODY_SERIES_LOCAL_H
#define TW_CODELETS_NBODY_SERIES_LOCAL_H
#include "codelets/nbody/series.h"
#include "kernels/nbody/cpu/nbody_cpu.h"

/* Arguments of every stage: of which group (and its level), or chunk. */
struct tw_series_args {
    const struct tw_series *s;
    struct tw_series_uses uses;
    int level, id;
};

/* The buffer of the object `id` of one kind; those of the uses are the task's buffers from `first` on. */
static inline const struct tw_buffer *tw_series_used(const struct tw_body *body, int first, int kind, int id)
{
    const struct tw_series_uses *u = &((const struct tw_series_args *)body->args)->uses;
    int low = u->at[kind], high = u->at[kind + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (u->id[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return &body->buf[first + low];
}
/* Expansion of charge vector 0 of a cell in its group's buffer. */
static inline double *tw_series_expansion(const struct tw_series *s, const struct tw_buffer *b, int cell)
{
    const int level = s->tree.cell[cell].level;
    return (double *)b->ptr + (size_t)((cell - s->tree.level_at[level]) % TW_FMM_GROUP) * (size_t)b->ld;
}
/* Points from `from` on, `n` of them, of a chunk's buffer whose first point is number `first`, relative to cell c. */
static inline struct tw_fmm_points tw_series_points(const struct tw_series *s, const struct tw_buffer *b, int first,
                                                    int from, int n, const struct tw_fmm_cell *c)
{
    const double *x = (const double *)b->ptr + (from - first), width = s->tree.side / (double)(1 << c->level);
    struct tw_fmm_points p = {.x = x, .y = x + b->ld, .z = x + 2 * (size_t)b->ld, .n = n, .inverse = 1 / width};
    for (int k = 0; k < 3; k++)
        p.centre[k] = s->tree.corner[k] + (c->at[k] + 0.5) * width;
    return p;
}
/* Results of charge vector d: nf columns of the chunk's result buffer, from target `from` on. */
static inline void tw_series_results(const struct tw_series *s, const struct tw_buffer *b, int first, int from, int d,
                                     double *out[4])
{
    for (int k = 0; k < 4; k++)
        out[k] = k < s->nf ? (double *)b->ptr + (size_t)(d * s->nf + k) * (size_t)b->ld + (from - first) : NULL;
}

/* Submit a stage: `written` in the given mode, `read` if it is not NULL, the uses, `scratch` doubles if not 0. */
void tw_series_submit(struct tw_sequence *seq, struct tw_codelet *codelet, int priority,
                      const struct tw_series_args *args, struct tw_data *written, enum tw_mode mode,
                      struct tw_data *read, size_t scratch, double flops);
#endif
