/* Checks of results: scaled residuals from the input and the result, with BLAS alone, never a kernel of the library's. For the command, the
 * tests, the benchmarks and the examples.
 *
 * Residuals are in the 1-norm and in units of eps, the unit roundoff, as each function says: around 1 for a sound result; the command warns
 * above 3 and fails above 30. 0 where there is nothing to check, and where the error is exactly 0; NaN where there is a NaN. Every
 * function returns 0, TW_E_MEMORY, or what reading the input returned. */
#ifndef CHECKS_CHECKS_H
#define CHECKS_CHECKS_H
#include "checks/blas.h"

/* What a routine was given: m x n elements that can be made again. Full checks, up to order CHECK_FULL_MAX, copy all of it (`fill`); others only
 * multiply with it (`apply`), and the error's norm is estimated (check_norm_estimate). */
#define CHECK_FULL_MAX 8192
struct check_matrix {
    enum tw_type type;
    tw_int m, n;
    const void *context;
    int (*fill)(const void *context, void *a, tw_int lda); /* all elements, of hermitian matrices both triangles */
    /* Y = op(M) X for k columns, M the matrix or its triangle; colsum, rowsum (NULL: not wanted) get the sums of |m_ij|. */
    int (*apply)(const void *context, enum tw_uplo uplo, enum tw_trans op, tw_int k, const void *x, void *y,
                 double *colsum, double *rowsum);
};

/* An array as a check_matrix. Of symmetric, hermitian and triangular ones only the uplo triangle is read, and of unit triangles not the
 * diagonal. */
enum check_structure { CHECK_GENERAL, CHECK_SYMMETRIC, CHECK_HERMITIAN, CHECK_TRIANGULAR };
struct check_array {
    enum check_structure structure;
    enum tw_type type;
    enum tw_uplo uplo;
    enum tw_diag diag;
    tw_int m, n;
    const void *a;
    tw_int lda;
};
struct check_matrix check_of_array(const struct check_array *array); /* which has to live as long */

/* Cholesky; f: the result's array, of which the uplo triangle is read.
 *   potrf  |A - L L^H| / (n eps |A|)              or U^H U
 *   potri  |I - A inv(A)| / (n eps |A| |inv(A)|)
 *   lauum  |L^H L - R| / (n eps |L| |L^H|)        or U U^H; A is the triangle
 *   trtri  |I - T inv(T)| / (n eps |T| |inv(T)|)  A is the triangle */
int check_potrf(const struct check_matrix *A, enum tw_uplo uplo, const void *f, tw_int ldf, double *residual);
int check_potri(const struct check_matrix *A, enum tw_uplo uplo, const void *f, tw_int ldf, double *residual);
int check_lauum(const struct check_matrix *A, enum tw_uplo uplo, const void *f, tw_int ldf, double *residual);
int check_trtri(const struct check_matrix *A, enum tw_uplo uplo, enum tw_diag diag, const void *f, tw_int ldf,
                double *residual);

/* |P A - L U| / (max(m, n) eps |A|); ipiv as LAPACK's getrf returns it, or NULL: no rows were exchanged. NaN if a pivot names no row, or
 * one above. Above CHECK_FULL_MAX square matrices only. */
int check_getrf(const struct check_matrix *A, const void *f, tw_int ldf, const tw_int *ipiv, double *residual);

/* The larger of |A - Q R| / (max(m, n) eps |A|) and |Q^H Q - I| / (m eps), Q by LAPACK's ormqr from V and tau; with m or n above CHECK_FULL_MAX for a
 * few vectors. */
int check_geqrf(const struct check_matrix *A, const void *f, tw_int ldf, const void *tau, double *residual);
/* Of all columns the largest |A^H (b - A x)| / (max(m, n) eps |A| (|A| |x| + |b|)) if m >= n; else |b - A x| / (max(m, n) eps (|A| |x| + |b|)) and, up to
 * CHECK_FULL_MAX, x's distance from A^H's range / (max(m, n) eps |x|). b: m rows, x: n. |A| is the 1-norm of A or A^H, whichever is larger. */
int check_gels(const struct check_matrix *A, tw_int nrhs, const void *x, tw_int ldx, const void *b, tw_int ldb,
               double *residual);

/* The largest |b - op(A) x| / ((|A| |x| + |b|) n eps) of all columns. */
int check_solve(const struct check_matrix *A, enum tw_trans op, tw_int nrhs, const void *x, tw_int ldx, const void *b,
                tw_int ldb, double *residual);

/* The 1-norm of A, exact. */
int check_anorm(const struct check_matrix *A, double *norm);

/* Y = E X, or E^H X when adjoint, for k columns; 0 or a library code. */
typedef int (*check_operator)(void *context, int adjoint, int k, const void *x, void *y);
/* 1-norm of an n x n operator known by its products, by the block method of Higham and Tisseur (SIAM J. Matrix Anal. Appl.
 * 21, 2000): a lower bound, here within a factor of 3 of the norm. */
int check_norm_estimate(enum tw_type type, tw_int n, check_operator op, void *context, double *value);
#endif
