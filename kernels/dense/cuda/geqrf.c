/* QR factors of a block of columns by cuSOLVER, with T by larft; LQ as the adjoint of the adjoint's QR. */
#include <limits.h>
#include "kernels/dense/cuda/typed_cuda.h"

/* Up to TW_WORK_ALIGN bytes lost to alignment, devinfo, what cuSOLVER wants. */
int CUDA(reflectors_work)(const struct tw_cuda *q, int m, int n, size_t *bytes)
{
    int elements = 0;
    if (m > 0 && n > 0)
        TW_TRY(TW_STATUS(SOLVER, geqrf_bufferSize,
                         CUSOLVER(geqrf_bufferSize)((cusolverDnHandle_t)q->solver, m, n, NULL, m, &elements)));
    *bytes = (size_t)2 * TW_WORK_ALIGN + (size_t)elements * sizeof(T);
    return 0;
}

int CUDA(reflectors)(const struct tw_cuda *q, int m, int n, void *a, int lda, void *tau, void *work, size_t bytes)
{
    char *base = tw_work_aligned(work);
    size_t elements = bytes < 2 * TW_WORK_ALIGN ? 0 : (bytes - 2 * TW_WORK_ALIGN) / sizeof(T);

    /* devinfo tells of arguments only, as does the status */
    return TW_STATUS(SOLVER, geqrf,
                     CUSOLVER(geqrf)((cusolverDnHandle_t)q->solver, m, n, a, lda, tau, (T *)(base + TW_WORK_ALIGN),
                                     elements > INT_MAX ? INT_MAX : (int)elements, (int *)base));
}

/* larft's part and cuSOLVER's are not needed at the same time. */
int CUDA(geqrf_work)(const struct tw_cuda *q, int m, int n, size_t *bytes)
{
    size_t k = (size_t)(tw_min(m, n) > 0 ? tw_min(m, n) : 0), triangle = k * k * sizeof(T) + TW_WORK_ALIGN;
    TW_TRY(CUDA(reflectors_work)(q, m, n, bytes));
    if (*bytes < triangle) *bytes = triangle;
    return 0;
}

int CUDA(geqrf)(const struct tw_cuda *q, int m, int n, void *a, int lda, void *tau, void *t, int ldt, void *work,
                size_t bytes)
{
    if (m <= 0 || n <= 0) return 0;
    TW_TRY(CUDA(reflectors)(q, m, n, a, lda, tau, work, bytes));
    return CUDA(larft)(q, 'C', m, tw_min(m, n), a, lda, tau, t, ldt, tw_work_aligned(work));
}

int CUDA(gelqf_work)(const struct tw_cuda *q, int m, int n, size_t *bytes)
{
    size_t adjoint = m > 0 && n > 0 ? (size_t)m * (size_t)n * sizeof(T) : 0;
    TW_TRY(CUDA(geqrf_work)(q, n, m, bytes));
    *bytes += adjoint + TW_WORK_ALIGN;
    return 0;
}

int CUDA(gelqf)(const struct tw_cuda *q, int m, int n, void *a, int lda, void *tau, void *t, int ldt, void *work,
                size_t bytes)
{
    T *adjoint = (T *)tw_work_aligned(work), *rest = adjoint + (size_t)(m > 0 ? m : 0) * (size_t)(n > 0 ? n : 0);
    size_t used = (size_t)((char *)rest - (char *)work);

    if (m <= 0 || n <= 0) return 0;
    if (used > bytes) return TW_STATUS(SOLVER, geqrf, CUSOLVER_STATUS_INVALID_VALUE);
    TW_TRY(CUDA(transpose)(q, 'C', m, n, a, lda, adjoint, n));
    TW_TRY(CUDA(geqrf)(q, n, m, adjoint, n, tau, t, ldt, rest, bytes - used));
    return CUDA(transpose)(q, 'C', n, m, adjoint, n, a, lda);
}
