/* What tasks over rows and tasks over columns share: both kinds exist on data objects, and on memory that is only
 * pointed to. */
#ifndef TW_CODELETS_FFT_AT_H
#define TW_CODELETS_FFT_AT_H
#include "codelets/fft/fft_bodies.h"

enum { TW_FFT_AT_MOST = 17 };

/* Their arguments. */
struct tw_fft_args {
    const void *what;           /* struct tw_fft_rows or tw_fft_cols */
    tw_int first;               /* number of the first column */
    int nin, nout;              /* nout = 0: in place */
    const struct tw_buffer *at; /* nin + nout of them; NULL: the task's own buffers */
};

/* Submit the task `like`, with t's operands, priority and place. */
void tw_fft_submit_at(struct tw_sequence *seq, const struct tw_task *like, size_t work, const struct tw_fft_at *t);
/* Submit the task `like`, whose arguments are struct tw_fft_args, on so many data objects as these say. */
void tw_fft_submit_on(struct tw_sequence *seq, const struct tw_task *like, size_t work, struct tw_data *const *in,
                      struct tw_data *const *out);
/* The body of a task with such arguments: `run` gets a body whose buffers are its operands, wherever they lie, and the
 * workspace. */
int tw_fft_run_at(const struct tw_body *body, tw_body_fn run);
#endif
