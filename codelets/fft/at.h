/* Between at.c and the codelets that have tasks of both kinds: on data objects, and on memory that is only pointed to. */
#ifndef TW_CODELETS_FFT_AT_H
#define TW_CODELETS_FFT_AT_H
#include "codelets/fft/local.h"

enum { TW_FFT_AT_MOST = 17 };

/* Submit the task `like`, with t's operands, priority and place. */
void tw_fft_submit_at(struct tw_sequence *seq, const struct tw_task *like, size_t work, const struct tw_fft_at *t);
/* Run another body with the arguments `args` on `count` buffers and the workspace. */
int tw_fft_run_at(const struct tw_body *body, tw_body_fn run, const void *args, const struct tw_buffer *at, int count);
#endif
