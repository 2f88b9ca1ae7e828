/* B = alpha op(A) + beta B, and the transposed copy. Squares of BLOCK, so that the side read across its columns stays
 * in the cache. */
#include "kernels/dense/cpu/typed.h"

#define BLOCK 32

static inline T op(char trans, T x)
{
    return trans == 'C' ? TW_CONJ(x) : x;
}

/* One square, m x n of B. Neither A nor B is read where its factor is 0: it may hold anything. */
static void add(char trans, int m, int n, T alpha, const T *a, int lda, T beta, T *b, int ldb)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            T *to = TW_AT(b, ldb, i, j), sum = beta == 0 ? 0 : beta == 1 ? *to : tw_mul(beta, *to);
            if (alpha != 0) {
                T x = op(trans, trans == 'N' ? *TW_AT(a, lda, i, j) : *TW_AT(a, lda, j, i));
                sum += alpha == 1 ? x : tw_mul(alpha, x);
            }
            *to = sum;
        }
}

void CPU(geadd)(char trans, int m, int n, tw_scalar alpha, const void *a_, int lda, tw_scalar beta, void *b_, int ldb)
{
    T al = tw_value(alpha), be = tw_value(beta), *b = b_;
    const T *a = a_;
    for (int j = 0; j < n; j += BLOCK)
        for (int i = 0; i < m; i += BLOCK)
            add(trans, tw_min(BLOCK, m - i), tw_min(BLOCK, n - j), al,
                trans == 'N' ? TW_AT(a, lda, i, j) : TW_AT(a, lda, j, i), lda, be, TW_AT(b, ldb, i, j), ldb);
}

void CPU(transpose)(char trans, int m, int n, const void *a_, int lda, void *b_, int ldb)
{
    const T *a = a_;
    T *b = b_;
    for (int j0 = 0; j0 < n; j0 += BLOCK)
        for (int i0 = 0; i0 < m; i0 += BLOCK)
            for (int i = i0; i < m && i < i0 + BLOCK; i++)
                for (int j = j0; j < n && j < j0 + BLOCK; j++)
                    *TW_AT(b, ldb, j, i) = op(trans, *TW_AT(a, lda, i, j));
}
