/* What the tasks of the multipole method for any kernel share. */
#ifndef TW_CODELETS_NBODY_SERIES_LOCAL_H
#define TW_CODELETS_NBODY_SERIES_LOCAL_H
#include "codelets/nbody/series.h"
#include "codelets/nbody/fmm_task.h"

/* Arguments of every pass: of which group (and its level), or chunk. */
struct tw_series_args {
    const struct tw_series *s;
    struct tw_series_uses uses;
    int level, id;
};

/* The buffer of the object `id` of one kind; those of the uses are the task's buffers from `first` on. */
static inline const struct tw_buffer *tw_series_used(const struct tw_body *body, int first, int kind, int id)
{
    const struct tw_series_uses *u = &((const struct tw_series_args *)body->args)->uses;
    return &body->buf[first + tw_fmm_find_id(u->id, u->at[kind], u->at[kind + 1] - 1, id)];
}

/* Submit a pass: `written` in the given mode, `read` if it is not NULL, the uses, `scratch` doubles if not 0. */
void tw_series_submit(struct tw_sequence *seq, struct tw_codelet *codelet, int priority,
                      const struct tw_series_args *args, struct tw_data *written, enum tw_mode mode,
                      struct tw_data *read, size_t scratch, double flops);
#endif
