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

static void add_sums(const struct check_array *s, const void *a, double *colsum, double *rowsum)
{
    double v[2];

    for (tw_int i = 0; rowsum && i < s->m; i++)
        rowsum[i] = 0;
    for (tw_int j = 0; j < s->n; j++) {
        if (colsum) colsum[j] = 0;
        for (tw_int i = 0; i < s->m; i++) {
            check_get(s->type, a, (size_t)(i + j * s->m), v);
            if (colsum) colsum[j] += hypot(v[0], v[1]);
            if (rowsum) rowsum[i] += hypot(v[0], v[1]);
        }
    }
}

static int apply(const void *context, enum tw_uplo uplo, enum tw_trans op, tw_int k, const void *x, void *y,
                 double *colsum, double *rowsum)
{
    const struct check_array *s = context;
    const int plain = op == TW_NOTRANS;
    const tw_int rows = plain ? s->m : s->n, inner = plain ? s->n : s->m;
    void *a = check_room(s->type, s->m, s->n);

    if (!a) return TW_E_MEMORY;
    (void)fill(s, a, s->m);
    if (uplo != TW_GENERAL) check_clean_triangle(s->type, uplo, s->m, s->n, a, s->m);
    if (y && k > 0) check_gemm(s->type, op, TW_NOTRANS, rows, k, inner, 1, a, s->m, x, inner, 0, y, rows);
    if (colsum || rowsum) add_sums(s, a, colsum, rowsum);
    free(a);
    return 0;
}

struct check_matrix check_of_array(const struct check_array *array)
{
    return (struct check_matrix){array->type, array->m, array->n, array, fill, apply};
}
