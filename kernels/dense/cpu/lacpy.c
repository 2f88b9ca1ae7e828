/* B = A: the whole tile (uplo 'G') or a triangle with its diagonal (a trapezoid if m != n). */
#include <string.h>
#include "kernels/dense/cpu/typed.h"

void CPU(lacpy)(char uplo, int m, int n, const void *a_, int lda, void *b_, int ldb)
{
    const T *a = a_;
    T *b = b_;
    for (int j = 0; j < n; j++) {
        int from = uplo == 'L' ? j : 0;
        int to = uplo == 'U' && j + 1 < m ? j + 1 : m;
        if (from < to) memcpy(TW_AT(b, ldb, from, j), TW_AT(a, lda, from, j), (size_t)(to - from) * sizeof(T));
    }
}
