/* QR factors of a triangle on top of a tile, and the product with their Q.
 *
 * The two are stacked in the workspace, with zeros in the other triangles, and cuSOLVER factors the stack: reflectors
 * keep zeros, so that V comes out as the identity on top of B. T is made of B's part alone. */
#include "kernels/dense/cuda/typed_cuda.h"

/* As kernels/dense/cpu/tpqrt.c: rows of B that columns [i, i + ib) reach, and how many of them are a trapezoid. */
static void reach(int m, int l, int i, int ib, int *rows, int *trapezoid)
{
    *rows = tw_min(m - l + i + ib, m);
    *trapezoid = i >= l ? 0 : *rows - m + l - i;
}

/* The stack, tau, T's systems, cuSOLVER's part. */
int CUDA(tpqrt_work)(const struct tw_cuda *q, int m, int n, int nb, size_t *bytes)
{
    size_t columns = (size_t)(n > 0 ? n : 0), rows = columns + (size_t)(m > 0 ? m : 0), square = (size_t)nb;
    TW_TRY(CUDA(reflectors_work)(q, (int)rows, n, bytes));
    *bytes += (columns * (rows + 1) + square * square) * sizeof(T) + TW_WORK_ALIGN;
    return 0;
}

int CUDA(tpqrt)(const struct tw_cuda *q, int m, int n, int l, int nb, void *a, int lda, void *b, int ldb, void *t_,
                int ldt, void *work, size_t bytes)
{
    const int rows = n + m;
    T *stack = (T *)tw_work_aligned(work), *lower = stack + n, *t = t_;
    T *tau, *system;
    char *rest;
    size_t used;

    if (n <= 0) return 0;
    if (m <= 0) return CUDA(laset)(q, 'G', tw_min(nb, n), n, tw_zero, tw_zero, t, ldt); /* Q is the identity */
    tau = TW_AT(stack, rows, 0, n), system = tau + n, rest = (char *)(system + (size_t)nb * (size_t)nb);
    used = (size_t)(rest - (char *)work);
    if (used > bytes) return TW_STATUS(SOLVER, geqrf, CUSOLVER_STATUS_INVALID_VALUE);
    TW_TRY(CUDA(trapezoid)(q, 1, n, n, n, a, lda, stack, rows));
    TW_TRY(CUDA(trapezoid)(q, 1, m, n, l, b, ldb, lower, rows));
    TW_TRY(CUDA(reflectors)(q, rows, n, stack, rows, tau, rest, bytes - used));
    TW_TRY(CUDA(lacpy)(q, 'U', n, n, stack, rows, a, lda));
    TW_TRY(CUDA(trapezoid)(q, 0, m, n, l, lower, rows, b, ldb));
    for (int i = 0; i < n; i += nb) { /* the stack's zeros are zeros still, or nearly: they are not part of V */
        int ib = tw_min(nb, n - i), reached, trapezoid;
        T *v = TW_AT(lower, rows, 0, i), *ti = TW_AT(t, ldt, 0, i);
        reach(m, l, i, ib, &reached, &trapezoid);
        TW_TRY(CUDA(trapezoid)(q, 1, reached, ib, trapezoid, v, rows, v, rows));
        TW_TRY(CUDA(gemm)(q, 'C', 'N', ib, ib, reached, tw_one, v, rows, v, rows, tw_zero, ti, ldt));
        TW_TRY(CUDA(larft_finish)(q, ib, tau + i, ti, ldt, system));
    }
    return 0;
}

/* One block of k reflectors: side 'L': A k x n, B m x n, V m x k; 'R': A m x k, B m x n, V n x k. */
static int apply(const struct tw_cuda *q, char side, char trans, int m, int n, int k, const T *v, int ldv, const T *t,
                 int ldt, T *a, int lda, T *b, int ldb, T *work)
{
    const int wm = side == 'L' ? k : m, wn = side == 'L' ? n : k;
    T *w = work, *tw = TW_AT(w, wm, 0, wn);

    TW_TRY(CUDA(lacpy)(q, 'G', wm, wn, a, lda, w, wm));
    if (side == 'L') {
        TW_TRY(CUDA(gemm)(q, 'C', 'N', k, n, m, tw_one, v, ldv, b, ldb, tw_one, w, wm));
        TW_TRY(CUDA(gemm)(q, trans, 'N', k, n, k, tw_one, t, ldt, w, wm, tw_zero, tw, wm));
        TW_TRY(CUDA(gemm)(q, 'N', 'N', m, n, k, tw_minus_one, v, ldv, tw, wm, tw_one, b, ldb));
    } else {
        TW_TRY(CUDA(gemm)(q, 'N', 'N', m, k, n, tw_one, b, ldb, v, ldv, tw_one, w, wm));
        TW_TRY(CUDA(gemm)(q, 'N', trans, m, k, k, tw_one, w, wm, t, ldt, tw_zero, tw, wm));
        TW_TRY(CUDA(gemm)(q, 'N', 'C', m, n, k, tw_minus_one, tw, wm, v, ldv, tw_one, b, ldb));
    }
    return CUDA(geadd)(q, 'N', wm, wn, tw_minus_one, tw, wm, tw_one, a, lda);
}

int CUDA(tpmqrt)(const struct tw_cuda *q, char side, char trans, int m, int n, int k, int l, int nb, const void *v_,
                 int ldv, const void *t, int ldt, void *a_, int lda, void *b, int ldb, void *work)
{
    const int left = side == 'L', order = left ? m : n, blocks = (k + nb - 1) / nb, forward = left == (trans != 'N');
    const T *v = v_;
    T *a = a_, *clean = work, *rest = TW_AT(clean, nb, 0, order);

    if (m <= 0 || n <= 0) return 0;
    for (int x = 0; x < blocks; x++) {
        int i = (forward ? x : blocks - 1 - x) * nb, ib = tw_min(nb, k - i), rows, trapezoid;
        const T *vi = TW_AT(v, ldv, 0, i), *ti = TW_AT((const T *)t, ldt, 0, i);
        T *ai = left ? a + i : TW_AT(a, lda, 0, i);
        int ld = ldv;
        reach(order, l, i, ib, &rows, &trapezoid);
        if (trapezoid > 0) { /* what lies below the trapezoid is not V's */
            TW_TRY(CUDA(trapezoid)(q, 1, rows, ib, trapezoid, vi, ldv, clean, rows));
            vi = clean, ld = rows;
        }
        TW_TRY(apply(q, side, trans, left ? rows : m, left ? n : rows, ib, vi, ld, ti, ldt, ai, lda, b, ldb, rest));
    }
    return 0;
}
