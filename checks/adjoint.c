/* The conjugate transpose of a matrix that is not there as an array, and of one that is. */
#include <stdlib.h>

#include "checks/products.h"

void check_adjoint_of_array(enum tw_type type, tw_int m, tw_int n, const void *a, tw_int lda, void *b, tw_int ldb)
{
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i++) {
            double v[2];
            check_get(type, a, (size_t)(i + j * lda), v);
            check_set(type, b, (size_t)(j + i * ldb), v[0], -v[1]);
        }
}

static int fill(const void *context, void *a, tw_int lda)
{
    const struct check_matrix *A = context;
    void *copy = check_room(A->type, A->m, A->n);
    const int e = copy ? A->fill(A->context, copy, A->m > 0 ? A->m : 1) : TW_E_MEMORY;

    if (!e) check_adjoint_of_array(A->type, A->m, A->n, copy, A->m, a, lda);
    free(copy);
    return e;
}

static int apply(const void *context, enum tw_uplo uplo, enum tw_trans op, tw_int k, const void *x, void *y,
                 double *colsum, double *rowsum)
{
    const struct check_matrix *A = context;
    return A->apply(A->context, uplo, op == TW_NOTRANS ? TW_CONJTRANS : TW_NOTRANS, k, x, y, rowsum, colsum);
}

struct check_matrix check_adjoint(const struct check_matrix *A)
{
    return (struct check_matrix){A->type, A->n, A->m, A, fill, apply};
}
