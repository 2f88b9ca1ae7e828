/* Launching our own kernels, and what their device code shares. */
#ifndef TW_KERNELS_LAUNCH_CUH
#define TW_KERNELS_LAUNCH_CUH
#include "kernels/dense/cuda/typed_cuda.h"

/* Not <<<>>> and cudaGetLastError(): that one also reports what other calls of the thread left behind, such as the
 * cudaErrorNotReady of an event that was polled. */
template <typename... Parameters, typename... Arguments>
static int launch(enum tw_cuda_call call, const struct tw_cuda *q, dim3 grid, dim3 block, void (*kernel)(Parameters...),
                  Arguments... arguments)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.stream = (cudaStream_t)q->stream;
    return tw_cuda_status(TW_LIBRARY_CUDA, TW_TYPE, call,
                          (int)cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

/* One block is 256 rows of a column; columns beyond the grid's limit are reached by strides of gridDim.y. */
#define TW_BLOCK 256
static inline dim3 tile_grid(int m, int n)
{
    return dim3((unsigned)((m + (TW_BLOCK - 1LL)) / TW_BLOCK), (unsigned)(n < 65535 ? n : 65535));
}

/* Is (i, j) in the part: 'G' all, 'L' and 'U' triangles, 'l' and 'u' triangles without the diagonal? */
static __device__ __forceinline__ bool in_part(char uplo, int i, int j)
{
    switch (uplo) {
    case 'L': return i >= j;
    case 'U': return i <= j;
    case 'l': return i > j;
    case 'u': return i < j;
    default: return true;
    }
}
#endif
