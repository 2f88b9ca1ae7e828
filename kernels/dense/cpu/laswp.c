/* Row exchanges of a block of columns: a column at a time, whose rows stay in the cache; and of a block column of
 * tiles. */
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

static inline T *at(const struct tw_tiles *a, int row)
{
    return (T *)a->at[row / a->mb].ptr + row % a->mb;
}

static void exchange_rows(const struct tw_tiles *a, int i, int p)
{
    const size_t ldi = (size_t)a->at[i / a->mb].ld, ldp = (size_t)a->at[p / a->mb].ld;
    T *x = at(a, i), *y = at(a, p);

    for (int j = 0; j < a->n; j++) {
        T t = x[(size_t)j * ldi];
        x[(size_t)j * ldi] = y[(size_t)j * ldp];
        y[(size_t)j * ldp] = t;
    }
}

void CPU(laswp_tiles)(char direct, const struct tw_tiles *a, int first, int base, int k, const int32_t *ipiv)
{
    k = tw_min(k, a->m - first);
    for (int s = 0; s < k; s++) {
        const int i = direct == 'F' ? s : k - 1 - s;
        const int64_t p = (int64_t)ipiv[i] - base;
        if (p >= 1 && p <= a->m && p != first + i + 1) exchange_rows(a, first + i, (int)p - 1);
    }
}
