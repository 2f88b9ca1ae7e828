/* C = op(H) C (side 'L') or C op(H) ('R') with a block reflector H = I - V T V^H; and the first columns or rows of
 * op(H) itself.
 *
 * Everything is a plain product: V's front triangle is copied with its ones and zeros, and T has zeros below its
 * diagonal; cuBLAS' trmm is slower than twice the flops at this size. */
#include "kernels/dense/cuda/typed_cuda.h"

/* V (storev 'C') or V^H ('R'): front (a clean k x k copy) and rest, and the letters that make V and V^H of them. */
struct reflector {
    char plain, adjoint;
    const T *front, *rest;
    int ldv;
};

static int reflector(const struct tw_cuda *q, char storev, int k, const void *v_, int ldv, T *front,
                     struct reflector *h)
{
    const T *v = v_;
    if (storev == 'C')
        *h = (struct reflector){'N', 'C', front, v + k, ldv};
    else
        *h = (struct reflector){'C', 'N', front, TW_AT(v, ldv, 0, k), ldv};
    return CUDA(block_front)(q, storev, k, v, ldv, front);
}

/* C -= V W (C: m x n, W: k x n) */
static int finish_left(const struct tw_cuda *q, const struct reflector *h, int m, int n, int k, const T *w, T *c,
                       int ldc)
{
    TW_TRY(CUDA(gemm)(q, h->plain, 'N', k, n, k, tw_minus_one, h->front, k, w, k, tw_one, c, ldc));
    if (m == k) return 0;
    return CUDA(gemm)(q, h->plain, 'N', m - k, n, k, tw_minus_one, h->rest, h->ldv, w, k, tw_one, c + k, ldc);
}

/* C -= W V^H (W: m x k) */
static int finish_right(const struct tw_cuda *q, const struct reflector *h, int m, int n, int k, const T *w, T *c,
                        int ldc)
{
    TW_TRY(CUDA(gemm)(q, 'N', h->adjoint, m, k, k, tw_minus_one, w, m, h->front, k, tw_one, c, ldc));
    if (n == k) return 0;
    return CUDA(gemm)(q, 'N', h->adjoint, m, n - k, k, tw_minus_one, w, m, h->rest, h->ldv, tw_one, TW_AT(c, ldc, 0, k),
                      ldc);
}

int CUDA(larfb)(const struct tw_cuda *q, char side, char trans, char storev, int m, int n, int k, const void *v,
                int ldv, const void *t, int ldt, void *c_, int ldc, void *work)
{
    T *front = work, *w = TW_AT(front, k, 0, k), *tw = TW_AT(w, k, 0, side == 'L' ? n : m), *c = c_;
    struct reflector h;

    if (m <= 0 || n <= 0 || k <= 0) return 0;
    TW_TRY(reflector(q, storev, k, v, ldv, front, &h));
    if (side == 'L') {
        TW_TRY(CUDA(gemm)(q, h.adjoint, 'N', k, n, k, tw_one, front, k, c, ldc, tw_zero, w, k));
        if (m > k) TW_TRY(CUDA(gemm)(q, h.adjoint, 'N', k, n, m - k, tw_one, h.rest, ldv, c + k, ldc, tw_one, w, k));
        TW_TRY(CUDA(gemm)(q, trans, 'N', k, n, k, tw_one, t, ldt, w, k, tw_zero, tw, k));
        return finish_left(q, &h, m, n, k, tw, c, ldc);
    }
    TW_TRY(CUDA(gemm)(q, 'N', h.plain, m, k, k, tw_one, c, ldc, front, k, tw_zero, w, m));
    if (n > k)
        TW_TRY(CUDA(gemm)(q, 'N', h.plain, m, k, n - k, tw_one, TW_AT(c, ldc, 0, k), ldc, h.rest, ldv, tw_one, w, m));
    TW_TRY(CUDA(gemm)(q, 'N', trans, m, k, k, tw_one, w, m, t, ldt, tw_zero, tw, m));
    return finish_right(q, &h, m, n, k, tw, c, ldc);
}

int CUDA(orgqr)(const struct tw_cuda *q, int m, int n, int k, const void *v, int ldv, const void *t, int ldt, void *to,
                int ldq, void *work)
{
    T *front = work, *w = TW_AT(front, k, 0, k), *tw = TW_AT(w, k, 0, n);
    struct reflector h;

    TW_TRY(CUDA(laset)(q, 'G', m, n, tw_zero, tw_one, to, ldq));
    if (m <= 0 || n <= 0 || k <= 0) return 0;
    TW_TRY(reflector(q, 'C', k, v, ldv, front, &h));
    /* W = V^H of the identity's first columns: V's first n rows, adjoint */
    TW_TRY(CUDA(transpose)(q, 'C', n, k, v, ldv, w, k));
    TW_TRY(CUDA(laset)(q, 'L', k, k, tw_zero, tw_one, w, k));
    TW_TRY(CUDA(gemm)(q, 'N', 'N', k, n, k, tw_one, t, ldt, w, k, tw_zero, tw, k));
    return finish_left(q, &h, m, n, k, tw, to, ldq);
}

int CUDA(orglq)(const struct tw_cuda *q, int m, int n, int k, const void *v, int ldv, const void *t, int ldt, void *to,
                int ldq, void *work)
{
    T *front = work, *w = TW_AT(front, k, 0, k), *tw = TW_AT(w, k, 0, m);
    struct reflector h;

    TW_TRY(CUDA(laset)(q, 'G', m, n, tw_zero, tw_one, to, ldq));
    if (m <= 0 || n <= 0 || k <= 0) return 0;
    TW_TRY(reflector(q, 'R', k, v, ldv, front, &h));
    TW_TRY(CUDA(transpose)(q, 'C', k, m, v, ldv, w, m));
    TW_TRY(CUDA(laset)(q, 'U', k, k, tw_zero, tw_one, w, m));
    TW_TRY(CUDA(gemm)(q, 'N', 'C', m, k, k, tw_one, w, m, t, ldt, tw_zero, tw, m));
    return finish_right(q, &h, m, n, k, tw, to, ldq);
}
