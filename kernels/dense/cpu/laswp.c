/* Row exchanges of a block of columns: a column at a time, whose rows stay in the cache. */
#include "kernels/dense/cpu/typed.h"

static inline void exchange(T *column, int m, int i, int32_t pivot)
{
    if (pivot < 1 || pivot > m || pivot == i + 1) return;
    T x = column[i];
    column[i] = column[pivot - 1];
    column[pivot - 1] = x;
}

void CPU(laswp)(char direct, int m, int n, void *a, int lda, int k, const int32_t *ipiv)
{
    k = tw_min(k, m);
    for (int j = 0; j < n; j++) {
        T *column = TW_AT((T *)a, lda, 0, j);
        if (direct == 'F')
            for (int i = 0; i < k; i++)
                exchange(column, m, i, ipiv[i]);
        else
            for (int i = k - 1; i >= 0; i--)
                exchange(column, m, i, ipiv[i]);
    }
}
