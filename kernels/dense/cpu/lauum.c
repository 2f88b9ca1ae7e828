/* U U^H (uplo 'U') or L^H L (uplo 'L') of a triangle, over that triangle.
 *
 * OpenBLAS is good at this, but for small orders and for leading dimensions that are a multiple of a cache way: double,
 * lower, n = 256 / 512, lda = 1024: 18 / 65 GF, halving it here 50 / 69 GF; with lda = 1040 55 / 78 and 52 / 72. */
#include "kernels/dense/cpu/typed.h"

#define SMALL 16 /* order done by the loops below */

/* Entry (i, j) of the product needs rows and columns from max(i, j) on, so results can overwrite the triangle row by
 * row. */
static void small(char uplo, int n, T *a, int lda)
{
    for (int p = 0; p < n; p++)
        for (int q = 0; q <= p; q++) {
            T *to = uplo == 'U' ? TW_AT(a, lda, q, p) : TW_AT(a, lda, p, q), sum = 0;
            for (int k = p; k < n; k++) {
                T x = uplo == 'U' ? *TW_AT(a, lda, q, k) : *TW_AT(a, lda, k, q);
                T y = uplo == 'U' ? *TW_AT(a, lda, p, k) : *TW_AT(a, lda, k, p);
                sum += x * TW_CONJ(y);
            }
            *to = sum;
        }
}

/* OpenBLAS 0.3.21's clauum and zlauum read one strided element past the array for 'U' (and may crash): never called. */
static int halve(char uplo, int n, int lda)
{
    if (TW_IS_COMPLEX && uplo == 'U') return 1;
    return n <= 64 || (lda % 128 == 0 && (uplo == 'L' || (n <= 256 && !TW_IS_COMPLEX)));
}

void CPU(lauum)(char uplo, int n, void *a_, int lda)
{
    T *a = a_;
    int n1 = tw_half(n), n2 = n - n1;
    T *a22 = TW_AT(a, lda, n1, n1);
    if (n <= 0) return;
    if (n <= SMALL) {
        small(uplo, n, a, lda);
        return;
    }
    if (!halve(uplo, n, lda)) {
        tw_account_vendor("lauum", n);
        LAPACKE(lauum_work)(LAPACK_COL_MAJOR, uplo, n, a, lda);
        return;
    }
    CPU(lauum)(uplo, n1, a, lda);
    if (uplo == 'L') {
        T *a21 = TW_AT(a, lda, n1, 0);
        CPU(herk)('L', 'C', n1, n2, 1, a21, lda, 1, a, lda);
        CPU(trmm)('L', 'L', 'C', 'N', n2, n1, tw_one, a22, lda, a21, lda);
    } else {
        T *a12 = TW_AT(a, lda, 0, n1);
        CPU(herk)('U', 'N', n1, n2, 1, a12, lda, 1, a, lda);
        CPU(trmm)('R', 'U', 'C', 'N', n1, n2, tw_one, a22, lda, a12, lda);
    }
    CPU(lauum)(uplo, n2, a22, lda);
}
