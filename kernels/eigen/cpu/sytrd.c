/* Copies between a matrix in LAPACK's storage, lower or upper, and the objects of the one-stage reduction, which knows
 * the lower form alone. */
#include "kernels/dense/cpu/typed.h"
#include "kernels/eigen/cpu/sytrd.h"

static void reversed(int m, int n, const void *a, int lda, void *b, int ldb)
{
    for (int j = 0; j < n; j++) {
        const T *from = TW_AT((const T *)a, lda, 0, j);
        T *to = TW_AT((T *)b, ldb, m - 1, n - 1 - j);
        for (int i = 0; i < m; i++)
            to[-i] = from[i];
    }
}

static void store(const struct tw_sytrd_panel *p, const struct tw_sytrd_tile *t, const void *v, int ldv, const void *d,
                  const void *e, double scale, void *a, int lda)
{
    const int up = p->uplo == 'U';
    int from, to;

    tw_sytrd_columns(p, t, p->columns, &from, &to);
    for (int j = from; j < to; j++) {
        const int column = up ? p->n - 1 - t->column - j : t->column + j, c = column - p->first;
        for (int i = 0; i < t->m; i++) {
            const int row = up ? p->n - 1 - t->row - i : t->row + i;
            T *x = TW_AT((T *)a, lda, i, j);
            if (row == column)
                *x = (R)scale * ((const R *)d)[c];
            else if (row == column + 1)
                *x = (R)scale * ((const R *)e)[c];
            else if (row > column)
                *x = *TW_AT((const T *)v, ldv, row - 1 - p->first, c);
        }
    }
}

static void load(const struct tw_sytrd_panel *p, const struct tw_sytrd_tile *t, const void *a, int lda, void *v,
                 int ldv)
{
    const int up = p->uplo == 'U', first = up ? 0 : p->first + 1, last = up ? p->n - 1 - p->first : p->n;
    int from, to;

    tw_sytrd_columns(p, t, p->k, &from, &to);
    for (int j = from; j < to; j++) {
        const int column = t->column + j, c = (up ? p->n - 1 - column : column) - p->first,
                  one = up ? column - 1 : column + 1;
        for (int i = tw_max(0, first - t->row); i < t->m && t->row + i < last; i++) {
            const int row = t->row + i;
            *TW_AT((T *)v, ldv, row - first, c) = row == one          ? 1
                                                  : (row > one) == up ? 0
                                                                      : *TW_AT((const T *)a, lda, i, j);
        }
    }
}

const struct tw_sytrd_kernels CPU(sytrd) = {reversed, store, load};
