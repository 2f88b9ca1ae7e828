/* Elements off the diagonal (of the whole tile, uplo 'G', or of one triangle) to one value, the diagonal to another. */
#include "kernels/dense/cpu/typed.h"

void CPU(laset)(char uplo, int m, int n, tw_scalar offdiag, tw_scalar diag, void *a_, int lda)
{
    T off = tw_value(offdiag), on = tw_value(diag);
    T *a = a_;
    for (int j = 0; j < n; j++) {
        int from = uplo == 'L' ? j + 1 : 0;
        int to = uplo == 'U' && j < m ? j : m;
        T *column = TW_AT(a, lda, 0, j);
        for (int i = from; i < to; i++)
            column[i] = off;
        if (j < m) column[j] = on;
    }
}
