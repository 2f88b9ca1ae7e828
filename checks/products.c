/* Errors known by their products: the input's, and the estimate that is made of them. */
#include "checks/products.h"
#include <stdlib.h>
#include <string.h>

int check_by_input(struct check_error *r, enum tw_uplo uplo, enum tw_trans op, int k, const void *x, void *y)
{
    const struct check_matrix *A = r->A;
    const int first = !r->normed;
    const int e = A->apply(A->context, uplo, op, k, x, y, first ? r->colsum : NULL, first ? r->rowsum : NULL);

    if (e || !first) return e;
    r->one = check_max(A->n, r->colsum);
    r->inf = check_max(A->m, r->rowsum);
    r->normed = 1;
    return 0;
}

void *check_room(enum tw_type type, tw_int m, tw_int n)
{
    const double bytes = (double)m * (double)n * (double)check_sizeof(type);
    return bytes < 9e18 ? malloc(bytes > 0 ? (size_t)bytes : 1) : NULL;
}

void check_columns(enum tw_type t, tw_int n, tw_int k, int identity, void *x)
{
    uint64_t state = 88172645463325252u;

    memset(x, 0, (size_t)n * (size_t)k * check_sizeof(t));
    for (tw_int j = 0; j < k; j++)
        for (tw_int i = 0; i < n; i++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            if (!identity || i == j) check_set(t, x, (size_t)(i + j * n), identity || state & 1 ? 1 : -1, 0);
        }
}

int check_estimate(struct check_error *r, check_operator op, double *value)
{
    const tw_int n = r->A->n;
    int e = TW_E_MEMORY;

    r->t = check_room(r->A->type, n, CHECK_VECTORS);
    r->colsum = check_room(TW_DOUBLE, n, 1);
    r->rowsum = check_room(TW_DOUBLE, n, 1);
    if (r->t && r->colsum && r->rowsum) e = check_norm_estimate(r->A->type, n, op, r, value);
    free(r->t);
    free(r->colsum);
    free(r->rowsum);
    *value /= (double)n * check_eps(r->A->type);
    return e;
}

int check_anorm(const struct check_matrix *A, double *norm)
{
    double *sums = check_room(TW_DOUBLE, A->n, 1);
    const int e = sums ? A->apply(A->context, TW_GENERAL, TW_NOTRANS, 0, NULL, NULL, sums, NULL) : TW_E_MEMORY;

    if (!e) *norm = check_max(A->n, sums);
    free(sums);
    return e;
}
