/* What condition estimates and error bounds share: an inverse known by its triangular factors, and the estimate of its
 * norm. */
#ifndef TW_ALGORITHMS_DENSE_ESTIMATE_H
#define TW_ALGORITHMS_DENSE_ESTIMATE_H
#include "algorithms/dense/dense_loops.h"
#include "types/dense/lacn2.h"

/* inv(op(A)) from A's LU factors (ipiv NULL: but for the exchanges), from its Cholesky factor, or of a triangle. */
enum tw_factors { TW_LU_FACTORS, TW_CHOLESKY_FACTOR, TW_TRIANGLE };
struct tw_inverse {
    enum tw_factors of;
    struct tw_matrix *A, *ipiv;
    enum tw_uplo uplo; /* of the two others */
    enum tw_diag diag; /* of a triangle */
};
/* X := inv(op(A)) X; X has A's tile rows. */
void tw_inverse_loop(struct tw_sequence *seq, const struct tw_inverse *inverse, enum tw_trans trans,
                     struct tw_matrix *X);

/* The 1-norm of inv(op) (Higham, "FORTRAN codes for estimating the one-norm of a real or complex matrix", ACM TOMS 14,
 * 1988; LAPACK's lacn2), a lower bound of it that is rarely off by more than 3; as many estimates side by side as X has
 * columns. Each turn is looked at in a continuation. */
struct tw_estimate {
    struct tw_inverse inverse;
    enum tw_trans trans, adjoint; /* inv(op) is the product 1, inv(op)^H the product 2 */
    struct tw_matrix *X;          /* room: n x k in A's tile rows, k <= TW_LACN2_MOST */
    struct tw_matrix *weights;    /* like X, or NULL: of diag(w) inv(op), and of its adjoint */
    int careful;                  /* where a solve overflows, once more, scaled; k is 1 */
    /* What is to happen with the estimates, k of them; its own things beside. It submits tasks as a loop does. */
    void (*done)(struct tw_sequence *seq, const struct tw_lacn2 *s, const struct tw_estimate *e);
    double anorm, *to;
    struct tw_data *results;
    int first;
    /* the estimate's own */
    struct tw_lacn2_vectors own;
    struct tw_data *exponents;
};
/* Takes X away (tw_matrix_free_later) when it is done with it. */
void tw_estimate_begin(struct tw_sequence *seq, const struct tw_estimate *e);

/* 1 / (anorm |inverse|) of an estimate; 0 where that is nothing that could be told. */
double tw_rcond(double anorm, const struct tw_lacn2 *s);
/* *rcond = 1 / (anorm |inv(A)|) in the 1-norm or the infinity-norm. anorm is positive and finite. */
void tw_condition_loop(struct tw_sequence *seq, const struct tw_inverse *inverse, enum tw_norm norm, double anorm,
                       double *rcond);
/* For the rows of gecon, pocon and trcon. rcond, argument `at`, is set to what it is where nothing is to be done, 0 or
 * 1; A is sound. anorm 0 and Inf give 0, as does what is singular beyond measure: the inverse's norm overflows, or a
 * factor has a NaN (LAPACK would hand on a NaN, which no comparison catches). */
int tw_condition_check(const char *who, int at, const struct tw_matrix *A, double anorm, double *rcond);
/* Five estimates' solves, as a rule, with so many triangles each. */
double tw_condition_flops(const struct tw_matrix *A, int triangles);
#endif
