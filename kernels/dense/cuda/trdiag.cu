/* Infos found by looking along a diagonal: an exact zero (trdiag), a NaN (potrf). One block each. */
#include <limits.h>
#include "kernels/launch.cuh"

static __device__ __forceinline__ bool is_zero(T x)
{
#if TW_IS_COMPLEX
    return x.x == 0 && x.y == 0;
#else
    return x == 0;
#endif
}

static __device__ __forceinline__ bool is_nan(T x)
{
#if TW_IS_COMPLEX
    return x.x != x.x;
#else
    return x != x;
#endif
}

/* *info = the smallest positive of *info and offset + k; a negative *info is an error that stays. */
static __device__ void combine(int64_t *info, int64_t value)
{
    if (*info == 0 || value < *info) *info = value;
}

/* 1-based index of the first NaN (nan) or zero, `none` if there is none; the same in all threads. */
static __device__ int first_on_diagonal(bool nan, int n, const T *a, int64_t lda, int none)
{
    __shared__ int first;
    if (threadIdx.x == 0) first = none;
    __syncthreads();
    for (int64_t i = threadIdx.x; i < n; i += TW_BLOCK) {
        T x = a[i + i * lda];
        if (nan ? is_nan(x) : is_zero(x)) {
            atomicMin(&first, (int)i + 1);
            break;
        }
    }
    __syncthreads();
    return first;
}

static __global__ void __launch_bounds__(TW_BLOCK)
    trdiag_kernel(int n, const T *a, int64_t lda, int64_t *info, int64_t offset)
{
    int k = first_on_diagonal(false, n, a, lda, INT_MAX);
    if (threadIdx.x == 0 && k != INT_MAX) combine(info, offset + k);
}

static __global__ void __launch_bounds__(TW_BLOCK)
    potrf_info_kernel(int n, const T *a, int64_t lda, const int *devinfo, int64_t *info, int64_t offset)
{
    int k = first_on_diagonal(true, n, a, lda, INT_MAX);
    if (threadIdx.x != 0) return;
    if (*devinfo > 0 && *devinfo < k) k = *devinfo;
    if (k != INT_MAX) combine(info, offset + k);
}

int CUDA(trdiag)(const struct tw_cuda *q, int n, const void *a, int lda, int64_t *info, int64_t offset)
{
    if (n <= 0) return 0;
    return launch(TW_CALL_trdiag, q, dim3(1), dim3(TW_BLOCK), trdiag_kernel, n, (const T *)a, lda, info, offset);
}

int CUDA(potrf_info)(const struct tw_cuda *q, int n, const void *a, int lda, const int *devinfo, int64_t *info,
                     int64_t offset)
{
    if (n <= 0) return 0;
    return launch(TW_CALL_potrf_info, q, dim3(1), dim3(TW_BLOCK), potrf_info_kernel, n, (const T *)a, lda, devinfo,
                  info, offset);
}
