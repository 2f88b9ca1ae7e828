/* Copies with a factor, and the transposing store with its twiddle factors. */
#include <cuda_runtime.h>
#include "kernels/fft/cuda/moves.h"
#include "kernels/fft/cuda/index.h"
extern "C" {
#include "runtime/base/error.h"
}

/* Not <<<>>> and cudaGetLastError(): that one also reports what other calls of the thread left behind. */
template <typename... Parameters, typename... Arguments>
static int launch(const char *name, const struct tw_fft_gpu *q, dim3 grid, dim3 block, void (*kernel)(Parameters...),
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

static __device__ __forceinline__ float times(float a, float x)
{
    return a * x;
}
static __device__ __forceinline__ double times(double a, double x)
{
    return a * x;
}
static __device__ __forceinline__ double2 times(double a, double2 x)
{
    return make_double2(a * x.x, a * x.y);
}
static __device__ __forceinline__ float4 times(float a, float4 x)
{
    return make_float4(a * x.x, a * x.y, a * x.z, a * x.w);
}

/* V: 16 bytes where everything is aligned so, else one real; neighbours in a warp make full lines of them. */
template <typename R, typename V>
static __global__ void __launch_bounds__(256)
    copy_kernel(int64_t rows, int64_t width, const V *src, int64_t lds, V *dst, int64_t ldd, R scale)
{
    for (int64_t row = blockIdx.y; row < rows; row += gridDim.y)
        for (int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; k < width;
             k += (int64_t)gridDim.x * blockDim.x)
            dst[row * ldd + k] = times(scale, src[row * lds + k]);
}

template <typename R, typename V>
static int copy(const struct tw_fft_gpu *q, int64_t rows, int64_t reals, const void *src, int64_t lds, void *dst,
                int64_t ldd, double scale)
{
    const int64_t per = sizeof(V) / sizeof(R), width = reals / per, bx = (width + 255) / 256;
    dim3 grid((unsigned)(bx < 4096 ? bx : 4096), (unsigned)(rows < 65535 ? rows : 65535));

    return launch("copy", q, grid, dim3(256), copy_kernel<R, V>, rows, width, (const V *)src, lds / per, (V *)dst,
                  ldd / per, (R)scale);
}

int tw_fft_cuda_copy(const struct tw_fft_gpu *q, int single, int reals, int64_t rows, int64_t cols, const void *src,
                     int64_t lds, void *dst, int64_t ldd, double scale)
{
    const int64_t size = single ? 4 : 8;
    const uintptr_t odd = (uintptr_t)src | (uintptr_t)dst | (uintptr_t)(size * reals * (cols | lds | ldd));

    if (rows <= 0 || cols <= 0) return 0;
    cols *= reals, lds *= reals, ldd *= reals;
    if (single)
        return odd % 16 ? copy<float, float>(q, rows, cols, src, lds, dst, ldd, scale)
                        : copy<float, float4>(q, rows, cols, src, lds, dst, ldd, scale);
    return odd % 16 ? copy<double, double>(q, rows, cols, src, lds, dst, ldd, scale)
                    : copy<double, double2>(q, rows, cols, src, lds, dst, ldd, scale);
}

/* x * scale * exp(i pi turn (i j mod roots)); scale alone without roots. */
template <typename R, typename C>
static __device__ __forceinline__ C turned(C x, int64_t i, int64_t j, double turn, int64_t roots, R scale)
{
    R c = scale, s = 0;
    C y;
    if (roots > 0) {
        double dc, ds;
        sincospi(turn * (double)tw_fft_root_index(i, j, roots), &ds, &dc);
        c = scale * (R)dc;
        s = scale * (R)ds;
    }
    y.x = x.x * c - x.y * s;
    y.y = x.x * s + x.y * c;
    return y;
}

template <typename R, typename C>
static __global__ void __launch_bounds__(TW_FFT_TILE *TW_FFT_TILE_ROWS)
    transpose_kernel(int64_t i0, int64_t i1, int64_t w, const C *src, int64_t lds, C *dst, int64_t ldd, double turn,
                     int64_t roots, int64_t first, R scale)
{
    __shared__ C tile[TW_FFT_TILE][TW_FFT_TILE + 1];
    int64_t tiles_j = (w + TW_FFT_TILE - 1) / TW_FFT_TILE, count = (i1 - i0 + TW_FFT_TILE - 1) / TW_FFT_TILE * tiles_j;

    for (int64_t t = blockIdx.x; t < count; t += gridDim.x) {
        for (int step = 0; step < TW_FFT_TILE; step += TW_FFT_TILE_ROWS) {
            struct tw_fft_at a = tw_fft_tile_load(t / tiles_j, t % tiles_j, (int)threadIdx.x, (int)threadIdx.y, step);
            if (i0 + a.i < i1 && a.j < w) tile[a.row][a.column] = src[(i0 + a.i) * lds + a.j];
        }
        __syncthreads();
        for (int step = 0; step < TW_FFT_TILE; step += TW_FFT_TILE_ROWS) {
            struct tw_fft_at a = tw_fft_tile_store(t / tiles_j, t % tiles_j, (int)threadIdx.x, (int)threadIdx.y, step);
            if (i0 + a.i < i1 && a.j < w)
                dst[a.j * ldd + a.i] = turned(tile[a.row][a.column], i0 + a.i, first + a.j, turn, roots, scale);
        }
        __syncthreads();
    }
}

int tw_fft_cuda_transpose(const struct tw_fft_gpu *q, int single, int64_t i0, int64_t i1, int64_t w, const void *src,
                          int64_t lds, void *dst, int64_t ldd, int sign, int64_t roots, int64_t first, double scale)
{
    int64_t tiles = ((i1 - i0 + TW_FFT_TILE - 1) / TW_FFT_TILE) * ((w + TW_FFT_TILE - 1) / TW_FFT_TILE);
    dim3 grid((unsigned)(tiles < 1 << 20 ? tiles : 1 << 20)), block(TW_FFT_TILE, TW_FFT_TILE_ROWS);
    double turn = roots > 0 ? sign * 2.0 / (double)roots : 0; /* half turns per step */

    if (tiles <= 0) return 0;
    if (single)
        return launch("transpose", q, grid, block, transpose_kernel<float, float2>, i0, i1, w, (const float2 *)src, lds,
                      (float2 *)dst, ldd, turn, roots, first, (float)scale);
    return launch("transpose", q, grid, block, transpose_kernel<double, double2>, i0, i1, w, (const double2 *)src, lds,
                  (double2 *)dst, ldd, turn, roots, first, scale);
}

template <typename R, typename C>
static __global__ void __launch_bounds__(256)
    twist_kernel(int64_t i0, int64_t i1, int64_t w, const C *src, int64_t lds, C *dst, int64_t ldd, double turn,
                 int64_t roots, int64_t first, R scale)
{
    for (int64_t j = blockIdx.y; j < w; j += gridDim.y)
        for (int64_t i = i0 + (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < i1;
             i += (int64_t)gridDim.x * blockDim.x)
            dst[j * ldd + i - i0] = turned(src[j * lds + i], i, first + j, turn, roots, scale);
}

int tw_fft_cuda_twist(const struct tw_fft_gpu *q, int single, int64_t i0, int64_t i1, int64_t w, const void *src,
                      int64_t lds, void *dst, int64_t ldd, int sign, int64_t roots, int64_t first, double scale)
{
    int64_t bx = (i1 - i0 + 255) / 256;
    dim3 grid((unsigned)(bx < 4096 ? bx : 4096), (unsigned)(w < 65535 ? w : 65535));
    double turn = roots > 0 ? sign * 2.0 / (double)roots : 0;

    if (i1 <= i0 || w <= 0) return 0;
    if (single)
        return launch("twist", q, grid, dim3(256), twist_kernel<float, float2>, i0, i1, w, (const float2 *)src, lds,
                      (float2 *)dst, ldd, turn, roots, first, (float)scale);
    return launch("twist", q, grid, dim3(256), twist_kernel<double, double2>, i0, i1, w, (const double2 *)src, lds,
                  (double2 *)dst, ldd, turn, roots, first, scale);
}
