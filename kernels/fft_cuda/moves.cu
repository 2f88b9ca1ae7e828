/* Copies with a factor, and the transposing store with its twiddle factors. */
#include "kernels/fft_cuda/moves.cuh"
#include "kernels/fft_cuda/index.h"
extern "C" {
#include "runtime/error.h"
}

/* Not <<<>>> and cudaGetLastError(): that one also reports what other calls of the thread left behind. */
template <typename... Parameters, typename... Arguments>
static int launch(const char *name, const struct tw_cuda *q, dim3 grid, dim3 block, void (*kernel)(Parameters...),
                  Arguments... arguments)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.stream = (cudaStream_t)q->stream;
    cudaError_t e = cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
    if (e == cudaSuccess) return 0;
    tw_fail(TW_E_DEVICE, "CUDA kernel %s: %s: %s", name, cudaGetErrorName(e), cudaGetErrorString(e));
    return 1;
}

/* Reals are moved one by one: neighbours in a warp make full lines of them. */
template <typename R>
static __global__ void __launch_bounds__(256)
    copy_kernel(int64_t rows, int64_t reals, const R *src, int64_t lds, R *dst, int64_t ldd, R scale)
{
    for (int64_t row = blockIdx.y; row < rows; row += gridDim.y)
        for (int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; k < reals;
             k += (int64_t)gridDim.x * blockDim.x)
            dst[row * ldd + k] = scale * src[row * lds + k];
}

int tw_fft_cuda_copy(const struct tw_cuda *q, int single, int reals, int64_t rows, int64_t cols, const void *src,
                     int64_t lds, void *dst, int64_t ldd, double scale)
{
    int64_t width = cols * reals, bx = (width + 255) / 256;
    dim3 grid((unsigned)(bx < 4096 ? bx : 4096), (unsigned)(rows < 65535 ? rows : 65535));

    if (rows <= 0 || cols <= 0) return 0;
    if (single)
        return launch("copy", q, grid, dim3(256), copy_kernel<float>, rows, width, (const float *)src, lds * reals,
                      (float *)dst, ldd * reals, (float)scale);
    return launch("copy", q, grid, dim3(256), copy_kernel<double>, rows, width, (const double *)src, lds * reals,
                  (double *)dst, ldd * reals, scale);
}

template <typename R, typename C>
static __global__ void __launch_bounds__(TW_FFT_TILE *TW_FFT_TILE_ROWS)
    transpose_kernel(int64_t i0, int64_t i1, int64_t w, const C *src, C *dst, int64_t ldd, double turn, int64_t roots,
                     int64_t first, R scale)
{
    __shared__ C tile[TW_FFT_TILE][TW_FFT_TILE + 1];
    int64_t tiles_j = (w + TW_FFT_TILE - 1) / TW_FFT_TILE, count = (i1 - i0 + TW_FFT_TILE - 1) / TW_FFT_TILE * tiles_j;

    for (int64_t t = blockIdx.x; t < count; t += gridDim.x) {
        for (int step = 0; step < TW_FFT_TILE; step += TW_FFT_TILE_ROWS) {
            struct tw_fft_at a = tw_fft_tile_load(t / tiles_j, t % tiles_j, (int)threadIdx.x, (int)threadIdx.y, step);
            if (i0 + a.i < i1 && a.j < w) tile[a.row][a.column] = src[(i0 + a.i) * w + a.j];
        }
        __syncthreads();
        for (int step = 0; step < TW_FFT_TILE; step += TW_FFT_TILE_ROWS) {
            struct tw_fft_at a = tw_fft_tile_store(t / tiles_j, t % tiles_j, (int)threadIdx.x, (int)threadIdx.y, step);
            if (i0 + a.i < i1 && a.j < w) {
                C x = tile[a.row][a.column], y;
                R c = scale, s = 0;
                if (roots > 0) {
                    double dc, ds;
                    sincospi(turn * (double)tw_fft_turn(i0 + a.i, first + a.j, roots), &ds, &dc);
                    c = scale * (R)dc;
                    s = scale * (R)ds;
                }
                y.x = x.x * c - x.y * s;
                y.y = x.x * s + x.y * c;
                dst[a.j * ldd + a.i] = y;
            }
        }
        __syncthreads();
    }
}

int tw_fft_cuda_transpose(const struct tw_cuda *q, int single, int64_t i0, int64_t i1, int64_t w, const void *src,
                          void *dst, int64_t ldd, int sign, int64_t roots, int64_t first, double scale)
{
    int64_t tiles = ((i1 - i0 + TW_FFT_TILE - 1) / TW_FFT_TILE) * ((w + TW_FFT_TILE - 1) / TW_FFT_TILE);
    dim3 grid((unsigned)(tiles < 1 << 20 ? tiles : 1 << 20)), block(TW_FFT_TILE, TW_FFT_TILE_ROWS);
    double turn = roots > 0 ? sign * 2.0 / (double)roots : 0; /* half turns per step */

    if (tiles <= 0) return 0;
    if (single)
        return launch("transpose", q, grid, block, transpose_kernel<float, float2>, i0, i1, w, (const float2 *)src,
                      (float2 *)dst, ldd, turn, roots, first, (float)scale);
    return launch("transpose", q, grid, block, transpose_kernel<double, double2>, i0, i1, w, (const double2 *)src,
                  (double2 *)dst, ldd, turn, roots, first, scale);
}
