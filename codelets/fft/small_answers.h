/* Which small transforms our kernels compute faster than cuFFT, kept in the cache directory beside the machine profile:
 * a file for each model of GPU and version of cuFFT. */
#ifndef TW_CODELETS_FFT_SMALL_ANSWERS_H
#define TW_CODELETS_FFT_SMALL_ANSWERS_H
#include "kernels/fft/cuda/small.h"

/* Fill in what the file knows and `a` does not. A file that is missing, of other kernels or damaged knows nothing. */
void tw_small_answers_read(const char *gpu, int cufft, struct tw_small_answers *a);
/* Write them, with what other programs have written meanwhile. Where that is impossible they are measured again next
 * time. */
void tw_small_answers_write(const char *gpu, int cufft, const struct tw_small_answers *a);
#endif
