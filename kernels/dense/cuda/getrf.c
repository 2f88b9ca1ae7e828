/* LU factors of a block of columns by cuSOLVER, which enqueues on the worker's stream like everything here. */
#include "kernels/dense/cuda/typed_cuda.h"

/* Elements that cuSOLVER wants. */
static int elements_of(const struct tw_cuda *q, int m, int n, int lda, size_t *elements)
{
    int count = 0;
    TW_TRY(TW_STATUS(SOLVER, getrf_bufferSize,
                     CUSOLVER(getrf_bufferSize)((cusolverDnHandle_t)q->solver, m, n, NULL, lda, &count)));
    *elements = (size_t)count;
    return 0;
}

/* Up to TW_WORK_ALIGN bytes lost to alignment, devinfo, what cuSOLVER wants. */
int CUDA(getrf_work)(const struct tw_cuda *q, int m, int n, size_t *bytes)
{
    size_t elements = 0;
    if (m > 0 && n > 0) TW_TRY(elements_of(q, m, n, m, &elements));
    *bytes = (size_t)2 * TW_WORK_ALIGN + elements * sizeof(T);
    return 0;
}

int CUDA(getrf)(const struct tw_cuda *q, int m, int n, void *a, int lda, int32_t *ipiv, void *work, size_t bytes,
                int64_t *info, int64_t offset)
{
    char *base = tw_work_aligned(work);
    size_t elements = 0;

    if (m <= 0 || n <= 0) return 0;
    TW_TRY(elements_of(q, m, n, lda, &elements)); /* getrf does not ask how much it was given */
    if (bytes < 2 * TW_WORK_ALIGN + elements * sizeof(T))
        return TW_STATUS(SOLVER, getrf, CUSOLVER_STATUS_INVALID_VALUE);
    TW_TRY(TW_STATUS(
        SOLVER, getrf,
        CUSOLVER(getrf)((cusolverDnHandle_t)q->solver, m, n, a, lda, (T *)(base + TW_WORK_ALIGN), ipiv, (int *)base)));
    /* devinfo is left alone: LAPACK's info is the first exact zero on U's diagonal, which is there to be seen. */
    return CUDA(trdiag)(q, tw_min(m, n), a, lda, info, offset);
}
