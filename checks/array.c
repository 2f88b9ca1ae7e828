/* A plain array as the matrix that a check wants, whatever triangle it is stored in. */
#include <math.h>
#include <stdlib.h>

#include "checks/products.h"

static void element(const struct check_array *s, tw_int i, tw_int j, double v[2])
{
    const int here = s->uplo == TW_LOWER ? i >= j : s->uplo == TW_UPPER ? i <= j : 1;

    v[0] = v[1] = 0;
    if (s->structure == CHECK_TRIANGULAR && i == j && s->diag == TW_UNIT)
        v[0] = 1;
    else if (here || s->structure == CHECK_GENERAL)
        check_get(s->type, s->a, (size_t)(i + j * s->lda), v);
    else if (s->structure != CHECK_TRIANGULAR)
        check_get(s->type, s->a, (size_t)(j + i * s->lda), v);
    if (s->structure == CHECK_HERMITIAN && (i == j || !here)) v[1] = i == j ? 0 : -v[1];
}

static int fill(const void *context, void *a, tw_int lda)
{
    const struct check_array *s = context;
    double v[2];

    for (tw_int j = 0; j < s->n; j++)
        for (tw_int i = 0; i < s->m; i++) {
            element(s, i, j, v);
            check_set(s->type, a, (size_t)(i + j * lda), v[0], v[1]);
        }
    return 0;
}

static void add_sums(enum tw_type type, tw_int m, tw_int n, const void *a, double *colsum, double *rowsum)
{
    double v[2];

    for (tw_int i = 0; rowsum && i < m; i++)
        rowsum[i] = 0;
    for (tw_int j = 0; j < n; j++) {
        if (colsum) colsum[j] = 0;
        for (tw_int i = 0; i < m; i++) {
            check_get(type, a, (size_t)(i + j * m), v);
            if (colsum) colsum[j] += hypot(v[0], v[1]);
            if (rowsum) rowsum[i] += hypot(v[0], v[1]);
        }
    }
}

/* With all of the matrix in an array. */
static int apply_filled(const struct check_matrix *M, enum tw_uplo uplo, enum tw_trans op, tw_int k, const void *x,
                        void *y, double *colsum, double *rowsum)
{
    const int plain = op == TW_NOTRANS;
    const tw_int rows = plain ? M->m : M->n, inner = plain ? M->n : M->m;
    void *a = check_room(M->type, M->m, M->n);

    if (!a) return TW_E_MEMORY;
    (void)M->fill(M->context, a, M->m);
    if (uplo != TW_GENERAL) check_clean_triangle(M->type, uplo, M->m, M->n, a, M->m);
    if (y && k > 0) check_gemm(M->type, op, TW_NOTRANS, rows, k, inner, 1, a, M->m, x, inner, 0, y, rows);
    if (colsum || rowsum) add_sums(M->type, M->m, M->n, a, colsum, rowsum);
    free(a);
    return 0;
}

static int apply(const void *context, enum tw_uplo uplo, enum tw_trans op, tw_int k, const void *x, void *y,
                 double *colsum, double *rowsum)
{
    const struct check_matrix M = check_of_array(context);
    return apply_filled(&M, uplo, op, k, x, y, colsum, rowsum);
}

struct check_matrix check_of_array(const struct check_array *array)
{
    return (struct check_matrix){array->type, array->m, array->n, array, fill, apply};
}

/* ---- bands ------------------------------------------------------------------------------------------------------- */

static int fill_band(const void *context, void *a, tw_int lda)
{
    const struct check_band *s = context;
    const int low = s->uplo == TW_LOWER;

    for (tw_int j = 0; j < s->n; j++)
        for (tw_int i = 0; i < s->n; i++)
            check_set(s->type, a, (size_t)(i + j * lda), 0, 0);
    for (tw_int j = 0; j < s->n; j++)
        for (tw_int k = 0; k <= s->kd && j + k < s->n; k++) { /* element (j + k, j), or (j, j + k) above the diagonal */
            const tw_int row = low ? j + k : j, column = low ? j : j + k;
            double v[2];
            check_get(s->type, s->ab, (size_t)(low ? k + j * s->ldab : s->kd - k + column * s->ldab), v);
            check_set(s->type, a, (size_t)(row + column * lda), v[0], k ? v[1] : 0);
            check_set(s->type, a, (size_t)(column + row * lda), v[0], k ? -v[1] : 0);
        }
    return 0;
}

static int apply_band(const void *context, enum tw_uplo uplo, enum tw_trans op, tw_int k, const void *x, void *y,
                      double *colsum, double *rowsum)
{
    const struct check_matrix M = check_of_band(context);
    return apply_filled(&M, uplo, op, k, x, y, colsum, rowsum);
}

struct check_matrix check_of_band(const struct check_band *band)
{
    return (struct check_matrix){band->type, band->n, band->n, band, fill_band, apply_band};
}
