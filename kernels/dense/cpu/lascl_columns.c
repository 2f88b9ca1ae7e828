/* B = A diag(x), column by column. */
#include "kernels/dense/cpu/typed.h"

void CPU(lascl_columns)(int m, int n, const void *a, int lda, const void *x, void *b, int ldb)
{
    for (int j = 0; j < n; j++) {
        const T factor = ((const T *)x)[j], *from = TW_AT((const T *)a, lda, 0, j);
        T *to = TW_AT((T *)b, ldb, 0, j);
        for (int i = 0; i < m; i++)
            to[i] = tw_mul(from[i], factor);
    }
}
