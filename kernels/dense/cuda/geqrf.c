/* QR factors of a block of columns: panels of a few columns by a kernel of our own (qr_panel.cu), put together by
 * halves with block reflectors; while that goes on A has V alone, with its ones and zeros, so that all else is plain
 * products, and R is kept aside. Where the rows are too many for it, cuSOLVER. LQ as the adjoint of the adjoint's
 * QR. */
#include <limits.h>
#include "kernels/dense/cuda/panel.h"

/* ---- our own ---- */

struct qr {
    const struct tw_cuda *q;
    int m, k, lda, ldt, width, blocks;
    T *a, *tau, *t, *r, *work, *more; /* r: k x k; work and more: k (largest number of columns that follow) */
    struct tw_panel_talk talk;
};

/* C = (I - V T V^H)^H C for the reflectors first ... first + k - 1. */
static int apply(struct qr *f, int first, int k, int n, T *c, int ldc)
{
    const int m = f->m - first;
    const T *v = TW_AT(f->a, f->lda, first, first), *t = TW_AT(f->t, f->ldt, first, first);

    if (n <= 0) return 0;
    TW_TRY(CUDA(gemm)(f->q, 'C', 'N', k, n, m, tw_one, v, f->lda, c, ldc, tw_zero, f->work, k));
    TW_TRY(CUDA(gemm)(f->q, 'C', 'N', k, n, k, tw_one, t, f->ldt, f->work, k, tw_zero, f->more, k));
    return CUDA(gemm)(f->q, 'N', 'N', m, n, k, tw_minus_one, v, f->lda, f->more, k, tw_one, c, ldc);
}

/* T12 = -T1 (V1^H V2) T2 */
static int join(struct qr *f, int first, int n1, int n2)
{
    const int second = first + n1;
    const T *v1 = TW_AT(f->a, f->lda, second, first), *v2 = TW_AT(f->a, f->lda, second, second);
    const T *t1 = TW_AT(f->t, f->ldt, first, first), *t2 = TW_AT(f->t, f->ldt, second, second);

    TW_TRY(CUDA(gemm)(f->q, 'C', 'N', n1, n2, f->m - second, tw_one, v1, f->lda, v2, f->lda, tw_zero, f->work, n1));
    TW_TRY(CUDA(gemm)(f->q, 'N', 'N', n1, n2, n1, tw_minus_one, t1, f->ldt, f->work, n1, tw_zero, f->more, n1));
    return CUDA(gemm)(f->q, 'N', 'N', n1, n2, n2, tw_one, f->more, n1, t2, f->ldt, tw_zero,
                      TW_AT(f->t, f->ldt, first, second), f->ldt);
}

static int columns(struct qr *f, int first, int n)
{
    const int n1 = n <= f->width ? n : (n / 2 + f->width - 1) / f->width * f->width, n2 = n - n1;

    if (n2 == 0)
        return CUDA(qr_panel)(f->q, first, f->m - first, n, TW_AT(f->a, f->lda, 0, first), f->lda,
                              TW_AT(f->r, f->k, 0, first), f->k, f->tau + first, TW_AT(f->t, f->ldt, first, first),
                              f->ldt, f->blocks, &f->talk);
    TW_TRY(columns(f, first, n1));
    TW_TRY(apply(f, first, n1, n2, TW_AT(f->a, f->lda, first, first + n1), f->lda));
    TW_TRY(columns(f, first + n1, n2));
    return join(f, first, n1, n2);
}

/* Columns of W in the products above. */
static size_t following(int m, int n, int width)
{
    const int k = tw_min(m, n), half = (k / 2 + width - 1) / width * width;
    return (size_t)(n - k > half ? n - k : half);
}
static size_t own_bytes(int m, int n, int width)
{
    const size_t k = (size_t)tw_min(m, n);
    return TW_WORK_ALIGN + TW_PANEL_TALK_BYTES + k * (k + 2 * following(m, n, width)) * sizeof(T);
}

static int own(const struct tw_cuda *q, int m, int n, T *a, int lda, T *tau, T *t, int ldt, char *base, int width,
               int blocks)
{
    const int k = tw_min(m, n);
    T *r = (T *)(base + TW_PANEL_TALK_BYTES), *work = r + (size_t)k * (size_t)k,
      *more = work + (size_t)k * following(m, n, width);
    struct qr f = {q, m, k, lda, ldt, width, blocks, a, tau, t, r, work, more, {base, 1}};

    TW_TRY(tw_cuda_status(TW_LIBRARY_CUDA, TW_TYPE, TW_CALL_geqrf,
                          (int)cudaMemsetAsync(base, 0, TW_PANEL_TALK_BYTES, (cudaStream_t)q->stream)));
    TW_TRY(CUDA(laset)(q, 'G', k, k, tw_zero, tw_zero, t, ldt));
    TW_TRY(columns(&f, 0, k));
    TW_TRY(apply(&f, 0, k, n - k, TW_AT(a, lda, 0, k), lda));
    return CUDA(lacpy)(q, 'U', k, k, r, k, a, lda);
}

/* ---- cuSOLVER's ---- */

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

    tw_account_vendor("cusolver_geqrf", m);
    /* devinfo tells of arguments only, as does the status */
    return TW_STATUS(SOLVER, geqrf,
                     CUSOLVER(geqrf)((cusolverDnHandle_t)q->solver, m, n, a, lda, tau, (T *)(base + TW_WORK_ALIGN),
                                     elements > INT_MAX ? INT_MAX : (int)elements, (int *)base));
}

/* ---- calls ---- */

/* Asked for more rows than it is used for, perhaps: both fit. larft's part and cuSOLVER's are not needed at the same
 * time. */
int CUDA(geqrf_work)(const struct tw_cuda *q, int m, int n, size_t *bytes)
{
    const size_t k = (size_t)(tw_min(m, n) > 0 ? tw_min(m, n) : 0), triangle = k * k * sizeof(T) + TW_WORK_ALIGN;
    const size_t ours = k > 0 ? own_bytes(m, n, TW_PANEL_WIDEST) : 0;

    *bytes = 0;
    if (!CUDA(qr_panel_width)(m, CUDA(panel_blocks)())) {
        TW_TRY(CUDA(reflectors_work)(q, m, n, bytes));
        if (*bytes < triangle) *bytes = triangle;
    }
    if (*bytes < ours) *bytes = ours;
    return 0;
}

int CUDA(geqrf)(const struct tw_cuda *q, int m, int n, void *a, int lda, void *tau, void *t, int ldt, void *work,
                size_t bytes)
{
    const int blocks = CUDA(panel_blocks)(), width = CUDA(qr_panel_width)(m, blocks);

    if (m <= 0 || n <= 0) return 0;
    if (width > 0) {
        if (bytes < own_bytes(m, n, width)) return TW_STATUS(SOLVER, geqrf, CUSOLVER_STATUS_INVALID_VALUE);
        return own(q, m, n, a, lda, tau, t, ldt, tw_work_aligned(work), width, blocks);
    }
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
