/* What the codelets of the fast multipole method share. */
#ifndef TW_CODELETS_NBODY_FMM_LOCAL_H
#define TW_CODELETS_NBODY_FMM_LOCAL_H
#include "codelets/nbody/fmm.h"
#include "kernels/nbody/cpu/nbody_cpu.h"

/* Arguments of every stage: of which group (and its level), or chunk. */
struct tw_fmm_args {
    const struct tw_fmm *f;
    struct tw_fmm_uses uses;
    int level, id;
};

/* The buffer of group or chunk `id`; those in args->uses are the task's buffers from `first` on. */
static inline const struct tw_buffer *tw_fmm_used(const struct tw_body *body, int first, int id)
{
    const struct tw_fmm_uses *u = &((const struct tw_fmm_args *)body->args)->uses;
    int low = 0, high = u->n - 1;
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
static inline double *tw_fmm_expansion(const struct tw_fmm *f, const struct tw_buffer *b, int cell)
{
    const int level = f->tree.cell[cell].level;
    return (double *)b->ptr + (size_t)((cell - f->tree.level_at[level]) % TW_FMM_GROUP) * (size_t)b->ld;
}
/* Points from `from` on, `n` of them, of a chunk's buffer whose first point is number `first`; c: the cell that the
 * expansion belongs to. */
static inline struct tw_fmm_points tw_fmm_points_of(const struct tw_fmm *f, const struct tw_buffer *b, int first,
                                                    int from, int n, const struct tw_fmm_cell *c)
{
    const double *x = (const double *)b->ptr + (from - first), width = f->tree.side / (double)(1 << c->level);
    struct tw_fmm_points p = {.x = x, .y = x + b->ld, .z = x + 2 * (size_t)b->ld, .n = n, .inverse = 1 / width};
    for (int k = 0; k < 3; k++)
        p.centre[k] = f->tree.corner[k] + (c->at[k] + 0.5) * width;
    return p;
}
/* Results of charge vector d: nf columns of the chunk's result buffer, from target `from` on. */
static inline void tw_fmm_results(const struct tw_fmm *f, const struct tw_buffer *b, int first, int from, int d,
                                  double *out[4])
{
    for (int k = 0; k < 4; k++)
        out[k] = k < f->nf ? (double *)b->ptr + (size_t)(d * f->nf + k) * (size_t)b->ld + (from - first) : NULL;
}

/* An expansion E and, if results have gradients, its slopes, scaled to physical units, as l2p and m2p take them: in work
 * (4 * stride doubles). inverse: 1 / the cell's side. */
static inline void tw_fmm_fields(const struct tw_fmm *f, const double *E, double inverse,
                                 void (*slope)(const struct tw_fmm_tables *, const double *, double *const[3]),
                                 double *work)
{
    const size_t stride = (size_t)f->tables->stride;
    if (f->nf == 4) {
        slope(f->tables, E, (double *const[3]){work + stride, work + 2 * stride, work + 3 * stride});
        for (size_t k = stride; k < 4 * stride; k++)
            work[k] *= inverse * inverse;
    }
    for (size_t k = 0; k < stride; k++)
        work[k] = E[k] * inverse;
}
/* Parent-child translations of both classes, n[0] and n[1] of them, for every charge vector; changes the pairs. */
static inline void tw_fmm_translate(const struct tw_fmm *f, const struct tw_fmm_class class[2], const int n[2],
                                    struct tw_fmm_pair *first, struct tw_fmm_pair *second, double *work)
{
    const struct tw_fmm_tables *t = f->tables;
    for (int c = 0; c < 2; c++) {
        struct tw_fmm_pair *pair = c ? second : first;
        for (int d = 0; d < f->nd; d++) {
            tw_nbody_cpu()->translate(t, t->rotation[class[c].rotation], t->shift[class[c].shift], n[c], pair, work);
            for (int k = 0; k < n[c]; k++)
                pair[k].src += t->stride, pair[k].dst += t->stride;
        }
    }
}

/* Submit a stage: `written` in the given mode, `read` if it is not NULL, of[id] for every use, `scratch` bytes if not 0. */
void tw_fmm_submit(struct tw_sequence *seq, struct tw_codelet *codelet, int priority, const struct tw_fmm_args *args,
                   struct tw_data *written, enum tw_mode mode, struct tw_data *read, struct tw_data *const *of,
                   size_t scratch, double flops);
#endif
