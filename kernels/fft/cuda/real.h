/* Real to real transforms on a GPU: any size, rank 1 to 3, arrays without gaps or with any strides. */
#ifndef TW_KERNELS_FFT_CUDA_REAL_H
#define TW_KERNELS_FFT_CUDA_REAL_H
#include <tilework/fft.h>
#include "kernels/fft/cuda/cache.h"

#ifdef __cplusplus
extern "C" {
#endif
/* `batch` arrays of n[0] x … x n[rank-1] reals, each dimension by its own kind. Every dimension but the last is
 * transformed where it lies in the output. */
struct tw_fft_cuda_real {
    int single, rank;
    enum tw_fft_r2r r2r[3];
    tw_int n[3], batch;
    double scale;
};
/* On a worker, outside of tasks: cuFFT's plans, tables, the choice of the faster way, and how many bytes of workspace a
 * task needs. 0, or 1 with the message set. */
int tw_fft_cuda_real_plan(const struct tw_fft_gpu *q, const struct tw_fft_cuda_real *r, const void *in, const void *out,
                          size_t *bytes);
/* in == out is allowed. */
int tw_fft_cuda_real(const struct tw_fft_gpu *q, const struct tw_fft_cuda_real *r, const void *in, void *out,
                     void *work, size_t bytes);

/* real_strided.cu. Dimensions and loops of transforms, at least one dimension, in any order: sizes, and strides of
 * input and output in reals. In place (in == out) both strides are the same; else the arrays do not overlap. Elements
 * in the output's gaps are left as they are. */
enum { TW_FFT_CUDA_LEVELS = 6 };
struct tw_fft_cuda_level {
    tw_int n, is, os;
    int r2r; /* enum tw_fft_r2r; -1: a loop */
};
struct tw_fft_cuda_strided {
    int single, levels;
    struct tw_fft_cuda_level level[TW_FFT_CUDA_LEVELS];
    double scale;
};
/* As above. */
int tw_fft_cuda_strided_plan(const struct tw_fft_gpu *q, const struct tw_fft_cuda_strided *s, const void *in,
                             const void *out, size_t *bytes);
int tw_fft_cuda_strided(const struct tw_fft_gpu *q, const struct tw_fft_cuda_strided *s, const void *in, void *out,
                        void *work, size_t bytes);

/* One dimension around cuFFT's transform: lines of n points, `stride` apart; `inner` lines lie side by side, then the
 * next `inner` are `outer` reals further. */
struct tw_fft_cuda_around {
    int single;
    enum tw_fft_r2r r2r;
    tw_int n, lines, stride, inner, outer;
    double scale;
};
int tw_fft_cuda_around_plan(const struct tw_fft_gpu *q, const struct tw_fft_cuda_around *a, size_t *bytes);
int tw_fft_cuda_around(const struct tw_fft_gpu *q, const struct tw_fft_cuda_around *a, const void *in, void *out,
                       void *work, size_t bytes);
#ifdef __cplusplus
}
#endif
#endif
