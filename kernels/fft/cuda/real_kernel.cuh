/* The kernels before and behind cuFFT's transform. */
#ifndef TW_KERNELS_FFT_CUDA_REAL_KERNEL_CUH
#define TW_KERNELS_FFT_CUDA_REAL_KERNEL_CUH
#include "kernels/fft/cuda/real_filters.cuh"

/* One thread computes the same element of a few lines, so that it has several loads under way. */
enum { TW_REAL_ROWS = 4 };

/* y: rows of `count` elements, ldy apart. */
template <class F, class R, class Y>
static __global__ void __launch_bounds__(256)
    tw_real_before(const F f, int64_t rows, const R *x, const tw_real_lines lx, Y *y, int64_t ldy, int64_t count)
{
    for (int64_t first = (int64_t)blockIdx.y * blockDim.y * TW_REAL_ROWS + threadIdx.y; first < rows;
         first += (int64_t)gridDim.y * blockDim.y * TW_REAL_ROWS)
        for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
             i += (int64_t)gridDim.x * blockDim.x) {
            Y part[TW_REAL_ROWS];
#pragma unroll
            for (int k = 0; k < TW_REAL_ROWS; k++) {
                int64_t row = first + (int64_t)k * blockDim.y;
                if (row < rows) part[k] = f.before(tw_real_line_of(x, lx, row), i, (Y *)0);
            }
#pragma unroll
            for (int k = 0; k < TW_REAL_ROWS; k++) {
                int64_t row = first + (int64_t)k * blockDim.y;
                if (row < rows) y[row * ldy + i] = part[k];
            }
        }
}

template <class F, class Z, class R>
static __global__ void __launch_bounds__(256)
    tw_real_behind(const F f, int64_t rows, const Z *z, int64_t ldz, R *y, const tw_real_lines ly)
{
    for (int64_t first = (int64_t)blockIdx.y * blockDim.y * TW_REAL_ROWS + threadIdx.y; first < rows;
         first += (int64_t)gridDim.y * blockDim.y * TW_REAL_ROWS)
        for (int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; k < f.n;
             k += (int64_t)gridDim.x * blockDim.x) {
            R part[TW_REAL_ROWS];
#pragma unroll
            for (int r = 0; r < TW_REAL_ROWS; r++) {
                int64_t row = first + (int64_t)r * blockDim.y;
                if (row < rows) part[r] = f.behind(z + row * ldz, k);
            }
#pragma unroll
            for (int r = 0; r < TW_REAL_ROWS; r++) {
                int64_t row = first + (int64_t)r * blockDim.y;
                if (row < rows) tw_real_line_of(y, ly, row)[k] = part[r];
            }
        }
}

/* Blocks of 256 threads for rows of `count` elements. */
static inline void tw_real_grid(int64_t rows, int64_t count, dim3 *grid, dim3 *block)
{
    unsigned width = 32;
    while (width < 256 && width < count)
        width *= 2;
    int64_t across = (count + width - 1) / width, per = (int64_t)(256 / width) * TW_REAL_ROWS,
            down = (rows + per - 1) / per;
    *block = dim3(width, 256 / width);
    *grid = dim3((unsigned)(across < 1 << 20 ? across : 1 << 20), (unsigned)(down < 65535 ? down : 65535));
}
#endif
