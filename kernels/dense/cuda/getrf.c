/* LU factors of a block of columns: panels of a few columns by a kernel of our own (lu_panel.cu), whose exchanges go
 * through all other columns at once, put together by halves with solves and products. Where the rows are too many for
 * it, cuSOLVER. */
#include "kernels/dense/cuda/panel.h"

/* ---- our own ---- */

struct lu {
    const struct tw_cuda *q;
    int m, n, k, lda, width, blocks;
    T *a;
    int32_t *ipiv;
    int *moves;
    struct tw_panel_talk talk;
};

/* Columns first ... first + n - 1. */
static int few_columns(struct lu *f, int first, int n)
{
    return CUDA(lu_panel)(f->q, f->m - first, n, TW_AT(f->a, f->lda, first, first), f->lda, first, f->ipiv + first,
                          f->moves, f->n, f->a + first, f->blocks, &f->talk);
}

static int columns(struct lu *f, int first, int n)
{
    const int n1 = n <= f->width ? n : (n / 2 + f->width - 1) / f->width * f->width, n2 = n - n1,
              rest = f->m - first - n1;
    T *a = TW_AT(f->a, f->lda, first, first), *a12 = TW_AT(a, f->lda, 0, n1), *a21 = a + n1, *a22 = a12 + n1;

    if (n2 == 0) return few_columns(f, first, n);
    TW_TRY(columns(f, first, n1));
    TW_TRY(CUDA(trsm)(f->q, 'L', 'L', 'N', 'U', n1, n2, tw_one, a, f->lda, a12, f->lda));
    TW_TRY(CUDA(gemm)(f->q, 'N', 'N', rest, n2, n1, tw_minus_one, a21, f->lda, a12, f->lda, tw_one, a22, f->lda));
    return columns(f, first + n1, n2);
}

static int own(struct lu *f)
{
    TW_TRY(tw_cuda_status(TW_LIBRARY_CUDA, TW_TYPE, TW_CALL_getrf,
                          (int)cudaMemsetAsync(f->talk.memory, 0, TW_PANEL_TALK_BYTES, (cudaStream_t)f->q->stream)));
    TW_TRY(columns(f, 0, f->k));
    return CUDA(trsm)(f->q, 'L', 'L', 'N', 'U', f->k, f->n - f->k, tw_one, f->a, f->lda, TW_AT(f->a, f->lda, 0, f->k),
                      f->lda);
}

/* ---- cuSOLVER's ---- */

/* Elements that it wants. */
static int elements_of(const struct tw_cuda *q, int m, int n, int lda, size_t *elements)
{
    int count = 0;
    TW_TRY(TW_STATUS(SOLVER, getrf_bufferSize,
                     CUSOLVER(getrf_bufferSize)((cusolverDnHandle_t)q->solver, m, n, NULL, lda, &count)));
    *elements = (size_t)count;
    return 0;
}

static int vendor(const struct tw_cuda *q, int m, int n, void *a, int lda, int32_t *ipiv, char *base, size_t bytes)
{
    size_t elements = 0;

    TW_TRY(elements_of(q, m, n, lda, &elements)); /* getrf does not ask how much it was given */
    if (bytes < TW_WORK_ALIGN + elements * sizeof(T)) return TW_STATUS(SOLVER, getrf, CUSOLVER_STATUS_INVALID_VALUE);
    tw_account_vendor("cusolver_getrf", m);
    return TW_STATUS(
        SOLVER, getrf,
        CUSOLVER(getrf)((cusolverDnHandle_t)q->solver, m, n, a, lda, (T *)(base + TW_WORK_ALIGN), ipiv, (int *)base));
}

/* ---- calls ---- */

/* What blocks talk through, and the exchanges. */
#define OWN_BYTES (TW_PANEL_TALK_BYTES + 2 * TW_LU_SHARES * TW_PANEL_WIDEST * sizeof(int))

/* Up to TW_WORK_ALIGN bytes lost to alignment. Asked for more rows than it is used for, perhaps: both fit. */
int CUDA(getrf_work)(const struct tw_cuda *q, int m, int n, size_t *bytes)
{
    size_t elements = 0;

    if (m > 0 && n > 0 && !CUDA(lu_panel_width)(m, CUDA(panel_blocks)())) TW_TRY(elements_of(q, m, n, m, &elements));
    *bytes = TW_WORK_ALIGN + elements * sizeof(T);
    *bytes = TW_WORK_ALIGN + (*bytes > OWN_BYTES ? *bytes : OWN_BYTES);
    return 0;
}

int CUDA(getrf)(const struct tw_cuda *q, int m, int n, void *a, int lda, int32_t *ipiv, void *work, size_t bytes,
                int64_t *info, int64_t offset)
{
    char *base = tw_work_aligned(work);
    const int blocks = CUDA(panel_blocks)(), width = CUDA(lu_panel_width)(m, blocks);
    struct lu f = {q, m, n, tw_min(m, n), lda, width, blocks, a, ipiv, (int *)(base + TW_PANEL_TALK_BYTES), {base, 1}};

    if (m <= 0 || n <= 0) return 0;
    if (bytes < 2 * TW_WORK_ALIGN || (width > 0 && bytes < TW_WORK_ALIGN + OWN_BYTES))
        return TW_STATUS(SOLVER, getrf, CUSOLVER_STATUS_INVALID_VALUE);
    TW_TRY(width > 0 ? own(&f) : vendor(q, m, n, a, lda, ipiv, base, bytes - TW_WORK_ALIGN));
    /* LAPACK's info is the first exact zero on U's diagonal, which is there to be seen. */
    return CUDA(trdiag)(q, tw_min(m, n), a, lda, info, offset);
}
