/* What the checks share: errors known by their products, copies. */
#ifndef CHECKS_PRODUCTS_H
#define CHECKS_PRODUCTS_H
#include "checks/checks.h"

#define CHECK_VECTORS 4 /* columns of each product of an estimate */

/* The error E of a result, for a check_operator. */
struct check_error {
    const struct check_matrix *A;
    enum tw_uplo uplo;
    enum tw_diag diag;
    const void *f; /* the result */
    tw_int ldf;
    const tw_int *ipiv;
    void *t;                 /* n x CHECK_VECTORS */
    double *colsum, *rowsum; /* of the input, from the first product */
    double one, inf;         /* its norms */
    int normed;
};
/* Y = op(A) X; the first time A's norms, too. */
int check_by_input(struct check_error *r, enum tw_uplo uplo, enum tw_trans op, int k, const void *x, void *y);
/* |E| / (n eps), and r->one and r->inf. */
int check_estimate(struct check_error *r, check_operator op, double *value);

/* n x n (or m x n) elements, to be freed; NULL without memory. */
void *check_room(enum tw_type type, tw_int m, tw_int n);
/* X (n x k, without gaps) becomes columns of the identity, or of signs that look random. */
void check_columns(enum tw_type type, tw_int n, tw_int k, int identity, void *x);
/* |Q^H Q - I| / (m eps) of m x k columns, or of rows |Q Q^H - I|; with all products, or (few) with CHECK_VECTORS
 * vectors. 0 or TW_E_MEMORY. */
int check_orthonormal(enum tw_type type, int rows, tw_int m, tw_int k, const void *q, tw_int ldq, int few,
                      double *value);
#endif
