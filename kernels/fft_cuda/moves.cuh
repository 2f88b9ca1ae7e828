/* Moving blocks to and from contiguous buffers. */
#ifndef TW_KERNELS_FFT_CUDA_MOVES_CUH
#define TW_KERNELS_FFT_CUDA_MOVES_CUH
#include <cuda_runtime.h>
#include "kernels/fft_cuda/kernels.h"

/* rows x cols elements of `reals` numbers (1 or 2) of one precision, multiplied by scale; src == dst is allowed for equal strides. */
int tw_fft_cuda_copy(const struct tw_cuda *q, int single, int reals, int64_t rows, int64_t cols, const void *src,
                     int64_t lds, void *dst, int64_t ldd, double scale);
/* dst[j * ldd + i - i0] = src[i * w + j] * scale * exp(sign 2 pi i (first + j) i / roots) for i0 <= i < i1, 0 <= j < w. */
int tw_fft_cuda_transpose(const struct tw_cuda *q, int single, int64_t i0, int64_t i1, int64_t w, const void *src,
                          void *dst, int64_t ldd, int sign, int64_t roots, int64_t first, double scale);
#endif
