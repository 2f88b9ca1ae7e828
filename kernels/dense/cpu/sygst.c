/* A hermitian tile to a generalized eigenvalue problem's standard form, with the Cholesky factor of B: LAPACK's ?sygst
 * and ?hegst, halving down to what loops do. Not LAPACK's own: OpenBLAS 0.3.21's chegst and zhegst give wrong results
 * where two threads run them at once.
 *
 * The upper triangle is worked on as the lower one, of the adjoint: factors change places. */
#include "kernels/dense/cpu/typed.h"

#define SMALL 16 /* order done by the loops below */

/* ---- loops ------------------------------------------------------------------------------------------------------- */

/* Element (m, k), m >= k, of the lower triangle, or of the upper one's adjoint. */
static T get(char uplo, const T *a, int lda, int m, int k)
{
    return uplo == 'L' ? *TW_AT(a, lda, m, k) : TW_CONJ(*TW_AT(a, lda, k, m));
}
static void put(char uplo, T *a, int lda, int m, int k, T x)
{
    *(uplo == 'L' ? TW_AT(a, lda, m, k) : TW_AT(a, lda, k, m)) = m == k ? TW_RE(x) : uplo == 'L' ? x : TW_CONJ(x);
}
#define A(m, k)        get(uplo, a, lda, m, k)
#define L(m, k)        get(uplo, b, ldb, m, k)
#define SET_A(m, k, x) put(uplo, a, lda, m, k, x)

static void divide_small(char uplo, int n, T *a, int lda, const T *b, int ldb)
{
    for (int k = 0; k < n; k++) {
        const R bkk = TW_RE(L(k, k)), akk = TW_RE(A(k, k)) / bkk / bkk;
        SET_A(k, k, akk);
        for (int m = k + 1; m < n; m++)
            SET_A(m, k, A(m, k) / bkk - akk / 2 * L(m, k));
        for (int j = k + 1; j < n; j++)
            for (int i = j; i < n; i++)
                SET_A(i, j, A(i, j) - tw_mul(A(i, k), TW_CONJ(L(j, k))) - tw_mul(L(i, k), TW_CONJ(A(j, k))));
        for (int m = k + 1; m < n; m++)
            SET_A(m, k, A(m, k) - akk / 2 * L(m, k));
        for (int s = k + 1; s < n; s++) {
            SET_A(s, k, A(s, k) / TW_RE(L(s, s)));
            for (int m = s + 1; m < n; m++)
                SET_A(m, k, A(m, k) - tw_mul(L(m, s), A(s, k)));
        }
    }
}

static void multiply_small(char uplo, int n, T *a, int lda, const T *b, int ldb)
{
    for (int k = 0; k < n; k++) {
        const R bkk = TW_RE(L(k, k)), akk = TW_RE(A(k, k));
        for (int j = 0; j < k; j++) {
            T sum = akk / 2 * L(k, j);
            for (int i = j; i < k; i++)
                sum += tw_mul(A(k, i), L(i, j));
            SET_A(k, j, sum);
        }
        for (int j = 0; j < k; j++)
            for (int i = j; i < k; i++)
                SET_A(i, j, A(i, j) + tw_mul(TW_CONJ(A(k, i)), L(k, j)) + tw_mul(TW_CONJ(L(k, i)), A(k, j)));
        for (int j = 0; j < k; j++)
            SET_A(k, j, (A(k, j) + akk / 2 * L(k, j)) * bkk);
        SET_A(k, k, akk * bkk * bkk);
    }
}

/* ---- halves ------------------------------------------------------------------------------------------------------ */

void CPU(sygst)(int itype, char uplo, int n, void *a_, int lda, const void *b_, int ldb)
{
    static const tw_scalar half = {0.5, 0}, minus_half = {-0.5, 0};
    const int n1 = tw_half(n), n2 = n - n1, low = uplo == 'L', m = low ? n2 : n1, k = low ? n1 : n2;
    const char left = low ? 'L' : 'R', right = low ? 'R' : 'L';
    T *a = a_, *a21 = low ? TW_AT(a, lda, n1, 0) : TW_AT(a, lda, 0, n1), *a22 = TW_AT(a, lda, n1, n1);
    const T *b = b_, *l21 = low ? TW_AT(b, ldb, n1, 0) : TW_AT(b, ldb, 0, n1), *l22 = TW_AT(b, ldb, n1, n1);

    if (n <= SMALL) {
        (itype == 1 ? divide_small : multiply_small)(uplo, n, a, lda, b, ldb);
        return;
    }
    CPU(sygst)(itype, uplo, n1, a, lda, b, ldb);
    if (itype == 1) {
        CPU(trsm)(right, uplo, 'C', 'N', m, k, tw_one, b, ldb, a21, lda);
        CPU(hemm)(right, uplo, m, k, minus_half, a, lda, l21, ldb, tw_one, a21, lda);
        CPU(her2k)(uplo, low ? 'N' : 'C', n2, n1, tw_minus_one, a21, lda, l21, ldb, 1, a22, lda);
        CPU(hemm)(right, uplo, m, k, minus_half, a, lda, l21, ldb, tw_one, a21, lda);
        CPU(trsm)(left, uplo, 'N', 'N', m, k, tw_one, l22, ldb, a21, lda);
    } else {
        CPU(trmm)(right, uplo, 'N', 'N', m, k, tw_one, b, ldb, a21, lda);
        CPU(hemm)(left, uplo, m, k, half, a22, lda, l21, ldb, tw_one, a21, lda);
        CPU(her2k)(uplo, low ? 'C' : 'N', n1, n2, tw_one, a21, lda, l21, ldb, 1, a, lda);
        CPU(hemm)(left, uplo, m, k, half, a22, lda, l21, ldb, tw_one, a21, lda);
        CPU(trmm)(left, uplo, 'C', 'N', m, k, tw_one, l22, ldb, a21, lda);
    }
    CPU(sygst)(itype, uplo, n2, a22, lda, l22, ldb);
}
