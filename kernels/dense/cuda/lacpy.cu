/* B = A, whole or one triangle; and the copies that trtri and lauum need. */
#include "kernels/launch.cuh"

static __device__ T zero_value()
{
#if TW_IS_COMPLEX
    T x;
    x.x = x.y = 0;
    return x;
#else
    return 0;
#endif
}

static __global__ void __launch_bounds__(TW_BLOCK)
    copy_kernel(char uplo, int how, int m, int n, const T *a, int64_t lda, T *b, int64_t ldb)
{
    int64_t i = (int64_t)blockIdx.x * TW_BLOCK + threadIdx.x;
    if (i >= m) return;
    for (int64_t j = blockIdx.y; j < n; j += gridDim.y) {
        if (in_part(uplo, (int)i, (int)j)) {
            T x = a[i + j * lda];
#if TW_IS_COMPLEX
            if (how == TW_COPY_REAL_DIAGONAL && i == j) x.y = 0;
#endif
            b[i + j * ldb] = x;
        } else if (how == TW_COPY_ZERO_REST) {
            b[i + j * ldb] = zero_value();
        }
    }
}

int CUDA(copy)(const struct tw_cuda *q, char uplo, enum tw_copy how, int m, int n, const void *a, int lda, void *b,
               int ldb)
{
    if (m <= 0 || n <= 0) return 0;
    return launch(TW_CALL_lacpy, q, tile_grid(m, n), dim3(TW_BLOCK), copy_kernel, uplo, (int)how, m, n, (const T *)a,
                  lda, (T *)b, ldb);
}

int CUDA(lacpy)(const struct tw_cuda *q, char uplo, int m, int n, const void *a, int lda, void *b, int ldb)
{
    return CUDA(copy)(q, uplo, TW_COPY_PART, m, n, a, lda, b, ldb);
}

static __global__ void __launch_bounds__(TW_BLOCK)
    copy_if_kernel(const int64_t *info, int m, int n, const T *a, int64_t lda, T *b, int64_t ldb)
{
    int64_t i = (int64_t)blockIdx.x * TW_BLOCK + threadIdx.x;
    if (i >= m || *info != 0) return;
    for (int64_t j = blockIdx.y; j < n; j += gridDim.y)
        b[i + j * ldb] = a[i + j * lda];
}

int CUDA(lacpy_if)(const struct tw_cuda *q, const int64_t *info, int m, int n, const void *a, int lda, void *b, int ldb)
{
    if (m <= 0 || n <= 0) return 0;
    return launch(TW_CALL_lacpy, q, tile_grid(m, n), dim3(TW_BLOCK), copy_if_kernel, info, m, n, (const T *)a, lda,
                  (T *)b, ldb);
}
