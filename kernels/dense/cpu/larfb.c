/* C = op(H) C (side 'L') or C op(H) ('R') with a block reflector H = I - V T V^H; and the first columns or rows of
 * op(H) itself.
 *
 * V's unit triangle and its rest go apart: what lies in the other triangle is R or L. */
#include "kernels/dense/cpu/typed.h"

/* V (storev 'C', columnwise) or V^H ('R') as it is stored: the letters that make V of the triangle and of the rest. */
struct reflector {
    char uplo, plain, adjoint; /* of V itself, of V^H */
    const T *v, *rest;
    int ldv;
};

static struct reflector reflector(char storev, int k, const T *v, int ldv)
{
    if (storev == 'C') return (struct reflector){'L', 'N', 'C', v, v + k, ldv};
    return (struct reflector){'U', 'C', 'N', v, TW_AT(v, ldv, 0, k), ldv};
}

/* B -= A, m x n */
static void subtract(int m, int n, const T *a, int lda, T *b, int ldb)
{
    for (int j = 0; j < n; j++) {
        const T *from = TW_AT(a, lda, 0, j);
        T *to = TW_AT(b, ldb, 0, j);
        for (int i = 0; i < m; i++)
            to[i] -= from[i];
    }
}

/* C -= V W (C: m x n, W: k x n, destroyed) or C -= W V^H (W: m x k). */
static void finish_left(const struct reflector *h, int m, int n, int k, T *w, T *c, int ldc)
{
    if (m > k) CPU(gemm)(h->plain, 'N', m - k, n, k, tw_minus_one, h->rest, h->ldv, w, k, tw_one, c + k, ldc);
    CPU(trmm)('L', h->uplo, h->plain, 'U', k, n, tw_one, h->v, h->ldv, w, k);
    subtract(k, n, w, k, c, ldc);
}

static void finish_right(const struct reflector *h, int m, int n, int k, T *w, T *c, int ldc)
{
    if (n > k)
        CPU(gemm)('N', h->adjoint, m, n - k, k, tw_minus_one, w, m, h->rest, h->ldv, tw_one, TW_AT(c, ldc, 0, k), ldc);
    CPU(trmm)('R', h->uplo, h->adjoint, 'U', m, k, tw_one, h->v, h->ldv, w, m);
    subtract(m, k, w, m, c, ldc);
}

void CPU(larfb)(char side, char trans, char storev, int m, int n, int k, const void *v, int ldv, const void *t, int ldt,
                void *c_, int ldc, void *work)
{
    struct reflector h = reflector(storev, k, v, ldv);
    T *c = c_, *w = work;

    if (m <= 0 || n <= 0 || k <= 0) return;
    if (side == 'L') { /* W = V^H C */
        CPU(lacpy)('G', k, n, c, ldc, w, k);
        CPU(trmm)('L', h.uplo, h.adjoint, 'U', k, n, tw_one, v, ldv, w, k);
        if (m > k) CPU(gemm)(h.adjoint, 'N', k, n, m - k, tw_one, h.rest, ldv, c + k, ldc, tw_one, w, k);
        CPU(trmm)('L', 'U', trans, 'N', k, n, tw_one, t, ldt, w, k);
        finish_left(&h, m, n, k, w, c, ldc);
    } else { /* W = C V */
        CPU(lacpy)('G', m, k, c, ldc, w, m);
        CPU(trmm)('R', h.uplo, h.plain, 'U', m, k, tw_one, v, ldv, w, m);
        if (n > k) CPU(gemm)('N', h.plain, m, k, n - k, tw_one, TW_AT(c, ldc, 0, k), ldc, h.rest, ldv, tw_one, w, m);
        CPU(trmm)('R', 'U', trans, 'N', m, k, tw_one, t, ldt, w, m);
        finish_right(&h, m, n, k, w, c, ldc);
    }
}

void CPU(orgqr)(int m, int n, int k, const void *v, int ldv, const void *t, int ldt, void *q, int ldq, void *work)
{
    struct reflector h = reflector('C', k, v, ldv);
    T *w = work;

    CPU(laset)('G', m, n, tw_zero, tw_one, q, ldq);
    if (m <= 0 || n <= 0 || k <= 0) return;
    /* W = V^H of the identity's first columns: V's first n rows, adjoint */
    CPU(transpose)('C', n, k, v, ldv, w, k);
    CPU(laset)('L', k, k, tw_zero, tw_one, w, k);
    CPU(trmm)('L', 'U', 'N', 'N', k, n, tw_one, t, ldt, w, k);
    finish_left(&h, m, n, k, w, q, ldq);
}

void CPU(orglq)(int m, int n, int k, const void *v, int ldv, const void *t, int ldt, void *q, int ldq, void *work)
{
    struct reflector h = reflector('R', k, v, ldv);
    T *w = work;

    CPU(laset)('G', m, n, tw_zero, tw_one, q, ldq);
    if (m <= 0 || n <= 0 || k <= 0) return;
    CPU(transpose)('C', k, m, v, ldv, w, m);
    CPU(laset)('U', k, k, tw_zero, tw_one, w, m);
    CPU(trmm)('R', 'U', 'C', 'N', m, k, tw_one, t, ldt, w, m);
    finish_right(&h, m, n, k, w, q, ldq);
}
