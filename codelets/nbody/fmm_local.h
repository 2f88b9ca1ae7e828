/* What the codelets of the fast multipole method share. */
#ifndef TW_CODELETS_NBODY_FMM_LOCAL_H
#define TW_CODELETS_NBODY_FMM_LOCAL_H
#include "codelets/nbody/fmm_task.h"

/* Arguments of every pass: of which group (and its level), or chunk. */
struct tw_fmm_args {
    const struct tw_fmm *f;
    struct tw_fmm_uses uses;
    int level, id;
};

/* The buffer of group or chunk `id`; those in args->uses are the task's buffers from `first` on. */
static inline const struct tw_buffer *tw_fmm_used(const struct tw_body *body, int first, int id)
{
    const struct tw_fmm_uses *u = &((const struct tw_fmm_args *)body->args)->uses;
    return &body->buf[first + tw_fmm_find_id(u->id, 0, u->n - 1, id)];
}

/* An expansion E and, if results have gradients, its slopes, scaled to physical units, as l2p and m2p take them: in
 * work (4 * stride doubles). inverse: 1 / the cell's side. */
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

/* Submit a pass: `written` in the given mode, `read` if it is not NULL, of[id] for every use, `scratch` bytes if not
 * 0. */
void tw_fmm_submit(struct tw_sequence *seq, struct tw_codelet *codelet, int priority, const struct tw_fmm_args *args,
                   struct tw_data *written, enum tw_mode mode, struct tw_data *read, struct tw_data *const *of,
                   size_t scratch, double flops);
#endif
