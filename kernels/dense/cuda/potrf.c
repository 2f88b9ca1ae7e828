/* Cholesky factor of a tile by cuSOLVER, which enqueues on the worker's stream like everything here. */
#include <limits.h>
#include "kernels/dense/cuda/typed_cuda.h"

#define ALIGN 256 /* of devinfo and of cuSOLVER's workspace */

/* Workspace: up to ALIGN bytes lost to alignment, devinfo, what cuSOLVER wants. Its need depends on n, not on A or
 * lda. */
int CUDA(potrf_work)(const struct tw_cuda *q, char uplo, int n, size_t *bytes)
{
    int elements = 0;
    *bytes = 2 * ALIGN;
    if (n <= 0) return 0;
    TW_TRY(TW_STATUS(
        SOLVER, potrf_bufferSize,
        CUSOLVER(potrf_bufferSize)((cusolverDnHandle_t)q->solver, tw_cublas_uplo(uplo), n, NULL, n, &elements)));
    *bytes += (size_t)elements * sizeof(T);
    return 0;
}

int CUDA(potrf)(const struct tw_cuda *q, char uplo, int n, void *a, int lda, void *work, size_t bytes, int64_t *info,
                int64_t offset)
{
    char *base = (char *)(((uintptr_t)work + ALIGN - 1) / ALIGN * ALIGN);
    int *devinfo = (int *)base;
    size_t elements = bytes < 2 * ALIGN ? 0 : (bytes - 2 * ALIGN) / sizeof(T);

    if (n <= 0) return 0;
    tw_account_vendor("cusolver_potrf", n);
    TW_TRY(TW_STATUS(SOLVER, potrf,
                     CUSOLVER(potrf)((cusolverDnHandle_t)q->solver, tw_cublas_uplo(uplo), n, a, lda,
                                     (T *)(base + ALIGN), elements > INT_MAX ? INT_MAX : (int)elements, devinfo)));
    return CUDA(potrf_info)(q, n, a, lda, devinfo, info, offset);
}
