/* Products of a matrix and a vector, for panels that need one for each column. OpenBLAS' complex gemv reads past its
 * matrix: it does not get the last columns. */
#ifndef TW_KERNELS_DENSE_CPU_VECTORS_H
#define TW_KERNELS_DENSE_CPU_VECTORS_H
#include "kernels/dense/cpu/typed.h"

static inline int tw_without_last(int n)
{
    return TW_IS_COMPLEX ? n - TW_COLUMNS_BEHIND : n;
}
/* y (n) = A^H x, A m x n. */
static inline void tw_adjoint_times(int m, int n, const T *a, int lda, const T *x, T *y)
{
    const T one = 1, zero = 0;
    const int most = tw_without_last(n);

    if (most > 0) BLAS(gemv)
    (CblasColMajor, CblasConjTrans, m, most, TW_ARG(one), a, lda, x, 1, TW_ARG(zero), y, 1);
    for (int c = most > 0 ? most : 0; c < n; c++) {
        const T *column = TW_AT(a, lda, 0, c);
        T sum = 0;
        for (int i = 0; i < m; i++)
            sum += tw_mul(TW_CONJ(column[i]), x[i]);
        y[c] = sum;
    }
}
/* y (m) += factor A x, A m x n. */
static inline void tw_add_times(int m, int n, T factor, const T *a, int lda, const T *x, T *y)
{
    const T one = 1;
    const int most = tw_without_last(n);

    if (most > 0) BLAS(gemv)
    (CblasColMajor, CblasNoTrans, m, most, TW_ARG(factor), a, lda, x, 1, TW_ARG(one), y, 1);
    for (int c = most > 0 ? most : 0; c < n; c++) {
        const T *column = TW_AT(a, lda, 0, c), times = tw_mul(factor, x[c]);
        for (int i = 0; i < m; i++)
            y[i] += tw_mul(column[i], times);
    }
}
#endif
