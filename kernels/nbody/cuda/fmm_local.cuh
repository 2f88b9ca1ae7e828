/* What the kernels of the multipole method share: launching, cells, and the parts of its passes. */
#ifndef TW_KERNELS_NBODY_CUDA_FMM_LOCAL_CUH
#define TW_KERNELS_NBODY_CUDA_FMM_LOCAL_CUH
#include <cuda_runtime.h>

#include "kernels/nbody/cuda/fmm.h"
extern "C" {
#include "kernels/status.h"
}

static inline int fmm_status(cudaError_t e)
{
    return tw_cuda_status(TW_LIBRARY_CUDA, TW_DOUBLE, TW_CALL_fmm, (int)e);
}

/* Not <<<>>> and cudaGetLastError(): that one also reports what other calls of the thread left behind. */
template <typename... Parameters, typename... Arguments>
static int launch(const struct tw_cuda *q, dim3 grid, dim3 block, size_t shared, void (*kernel)(Parameters...),
                  Arguments... arguments)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared;
    config.stream = (cudaStream_t)q->stream;
    return fmm_status(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

static inline unsigned blocks(long long n, int per_block)
{
    const long long b = (n + per_block - 1) / per_block;
    return (unsigned)(b < 1 ? 1 : b);
}

/* Shared memory whose size the launch gives. */
#ifndef TW_DYNAMIC_SHARED
#define TW_DYNAMIC_SHARED(name) extern __shared__ double name[]
#endif

/* The parts of the passes that fmm_expand.cu computes; of a periodic tree also: to the first levels' expansions and
 * from them. */
int tw_gpu_p2m(const struct tw_cuda *q, const struct tw_gpu_fmm *f);
int tw_gpu_p2l(const struct tw_cuda *q, const struct tw_gpu_fmm *f);
int tw_gpu_to_first(const struct tw_cuda *q, const struct tw_gpu_fmm *f);
int tw_gpu_from_first(const struct tw_cuda *q, const struct tw_gpu_fmm *f);

static __device__ __forceinline__ bool is_leaf(const struct tw_gpu_cell *c)
{
    return c->mask == 0;
}
static __device__ __forceinline__ int sources_of(const struct tw_gpu_cell *c)
{
    return c->send - c->sbegin;
}
static __device__ __forceinline__ int targets_of(const struct tw_gpu_cell *c)
{
    return c->tend - c->tbegin;
}
/* The child at octant `octant` of an inner cell, or -1. */
static __device__ __forceinline__ int child_at(const struct tw_gpu_cell *c, int octant)
{
    return c->mask >> octant & 1 ? c->child + __popc(c->mask & ((1 << octant) - 1)) : -1;
}

constexpr int SCAN = 1024, SCAN_ITEMS = 8;
/* count[0 … n-1] becomes the sums before each, count[n] the total; one block of SCAN
 * threads. */
static __device__ __forceinline__ int scan(int *count, int n)
{
    __shared__ int sum[SCAN];
    __shared__ int before;

    if (threadIdx.x == 0) before = 0;
    __syncthreads();
    for (int base = 0; base < n; base += SCAN * SCAN_ITEMS) {
        int item[SCAN_ITEMS], mine = 0;
        const int first = base + threadIdx.x * SCAN_ITEMS;
        for (int k = 0; k < SCAN_ITEMS; k++) {
            item[k] = first + k < n ? count[first + k] : 0;
            mine += item[k];
        }
        sum[threadIdx.x] = mine;
        __syncthreads();
        for (int step = 1; step < SCAN; step *= 2) {
            const int other = (int)threadIdx.x >= step ? sum[threadIdx.x - step] : 0;
            __syncthreads();
            sum[threadIdx.x] += other;
            __syncthreads();
        }
        int at = before + sum[threadIdx.x] - mine;
        for (int k = 0; k < SCAN_ITEMS; k++) {
            if (first + k < n) count[first + k] = at;
            at += item[k];
        }
        __syncthreads();
        if (threadIdx.x == 0) before += sum[SCAN - 1];
        __syncthreads();
    }
    if (threadIdx.x == 0) count[n] = before;
    __syncthreads();
    return before;
}
#endif
