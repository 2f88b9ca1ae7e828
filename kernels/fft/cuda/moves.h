/* Moving blocks to and from contiguous buffers. */
#ifndef TW_KERNELS_FFT_CUDA_MOVES_H
#define TW_KERNELS_FFT_CUDA_MOVES_H
#include <stdint.h>
#include "kernels/fft/cuda/fft_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif
/* rows x cols elements of `reals` numbers (1 or 2) of one precision, multiplied by scale; src == dst is allowed for
 * equal strides. */
int tw_fft_cuda_copy(const struct tw_fft_gpu *q, int single, int reals, int64_t rows, int64_t cols, const void *src,
                     int64_t lds, void *dst, int64_t ldd, double scale);
/* dst[j * ldd + i - i0] = src[i * lds + j] * scale * exp(sign 2 pi i (first + j) i / roots) for i0 <= i < i1, 0 <= j <
 * w; without the exponential if roots is 0. */
int tw_fft_cuda_transpose(const struct tw_fft_gpu *q, int single, int64_t i0, int64_t i1, int64_t w, const void *src,
                          int64_t lds, void *dst, int64_t ldd, int sign, int64_t roots, int64_t first, double scale);
/* The same of an array that is transposed already: from src[j * lds + i]. */
int tw_fft_cuda_twist(const struct tw_fft_gpu *q, int single, int64_t i0, int64_t i1, int64_t w, const void *src,
                      int64_t lds, void *dst, int64_t ldd, int sign, int64_t roots, int64_t first, double scale);
#ifdef __cplusplus
}
#endif
#endif
