/* Checks of results: scaled residuals from the input and the result, with BLAS alone, never a kernel of the library's.
 * For the command, the tests, the benchmarks and the examples.
 *
 * Residuals are in the 1-norm and in units of eps, the unit roundoff, as each function says: around 1 for a sound
 * result; the command warns above 3 and fails above 30. 0 where there is nothing to check, and where the error is
 * exactly 0; NaN where there is a NaN. Every function returns 0, TW_E_MEMORY, or what reading the input returned. */
#ifndef CHECKS_CHECKS_H
#define CHECKS_CHECKS_H
#include <tilework/eigen.h>
#include "checks/blas.h"

/* What a routine was given: m x n elements that can be made again. Full checks, up to order CHECK_FULL_MAX, copy all of
 * it (`fill`); others only multiply with it (`apply`), and the error's norm is estimated (check_norm_estimate). */
#define CHECK_FULL_MAX 8192
struct check_matrix {
    enum tw_type type;
    tw_int m, n;
    const void *context;
    int (*fill)(const void *context, void *a, tw_int lda); /* all elements, of hermitian matrices both triangles */
    /* Y = op(M) X for k columns, M the matrix or its triangle; colsum, rowsum (NULL: not wanted) get the sums of
     * |m_ij|. */
    int (*apply)(const void *context, enum tw_uplo uplo, enum tw_trans op, tw_int k, const void *x, void *y,
                 double *colsum, double *rowsum);
};

/* An array as a check_matrix. Of symmetric, hermitian and triangular ones only the uplo triangle is read, and of unit
 * triangles not the diagonal. */
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
/* A^H, of all of A, which has to live as long; and as an array, of an m x n one. */
struct check_matrix check_adjoint(const struct check_matrix *A);
void check_adjoint_of_array(enum tw_type type, tw_int m, tw_int n, const void *a, tw_int lda, void *b, tw_int ldb);

/* The same of a hermitian band matrix of order n in LAPACK's storage: kd sub-diagonals (uplo TW_LOWER) or
 * super-diagonals in ab, of leading dimension ldab. */
struct check_band {
    enum tw_type type;
    enum tw_uplo uplo;
    tw_int n, kd;
    const void *ab;
    tw_int ldab;
};
struct check_matrix check_of_band(const struct check_band *band);

/* Cholesky; f: the result's array, of which the uplo triangle is read.
 *   potrf  |A - L L^H| / (n eps |A|)              or U^H U
 *   potri  |I - A inv(A)| / (n eps |A| |inv(A)|)
 *   lauum  |L^H L - R| / (n eps |L| |L^H|)        or U U^H; A is the triangle
 *   trtri  |I - T inv(T)| / (n eps |T| |inv(T)|)  A is the triangle
 * Whole products of the last two are made in double precision. */
int check_potrf(const struct check_matrix *A, enum tw_uplo uplo, const void *f, tw_int ldf, double *residual);
int check_potri(const struct check_matrix *A, enum tw_uplo uplo, const void *f, tw_int ldf, double *residual);
int check_lauum(const struct check_matrix *A, enum tw_uplo uplo, const void *f, tw_int ldf, double *residual);
int check_trtri(const struct check_matrix *A, enum tw_uplo uplo, enum tw_diag diag, const void *f, tw_int ldf,
                double *residual);

/* |P A - L U| / (max(m, n) eps |A|); ipiv as LAPACK's getrf returns it, or NULL: no rows were exchanged. NaN if a pivot
 * names no row, or one above. Above CHECK_FULL_MAX square matrices only. */
int check_getrf(const struct check_matrix *A, const void *f, tw_int ldf, const tw_int *ipiv, double *residual);

/* |I - A inv(A)| / (n eps |A| |inv(A)|) of a general A. */
int check_getri(const struct check_matrix *A, const void *f, tw_int ldf, double *residual);

/* The larger of |A - Q R| / (max(m, n) eps |A|) and |Q^H Q - I| / (m eps), Q by LAPACK's ormqr from V and tau; with m
 * or n above CHECK_FULL_MAX for a few vectors. */
int check_geqrf(const struct check_matrix *A, const void *f, tw_int ldf, const void *tau, double *residual);
/* The same of A P = Q R, whose column j is A's column jpvt[j], from 1. NaN if jpvt is no permutation, or a diagonal
 * element of R is more than `growth` (1 + sqrt(eps)) times the one before it, or with a growth above 1 any before it
 * (of columns that were free: all). */
int check_geqp3(const struct check_matrix *A, const void *f, tw_int ldf, const tw_int *jpvt, const void *tau,
                double growth, double *residual);
/* The same of the first k columns alone: below their rows of R is what is left, whose longest column has the norm
 * `left`. NaN if it has not. */
int check_geqp3rk(const struct check_matrix *A, const void *f, tw_int ldf, tw_int k, double left, const tw_int *jpvt,
                  const void *tau, double growth, double *residual);
/* Of all columns the largest |A^H (b - A x)| / (max(m, n) eps |A| (|A| |x| + |b|)) if m >= n; else |b - A x| / (max(m,
 * n) eps (|A| |x| + |b|)) and, up to CHECK_FULL_MAX, x's distance from A^H's range / (max(m, n) eps |x|). b: m rows, x:
 * n. |A| is the 1-norm of A or A^H, whichever is larger. */
int check_gels(const struct check_matrix *A, tw_int nrhs, const void *x, tw_int ldx, const void *b, tw_int ldb,
               double *residual);
/* The same of an A of that rank: where it is less than min(m, n), that x is of least squares, but not that it is the
 * shortest one. */
int check_gelsy(const struct check_matrix *A, tw_int rank, tw_int nrhs, const void *x, tw_int ldx, const void *b,
                tw_int ldb, double *residual);

/* Eigenvalues w[0] <= ... <= w[k - 1] and eigenvectors, the columns of z (n x k), of a hermitian matrix: residual[0] is
 * |A Z - Z diag(w)| / (n eps |A|) (NaN if w does not ascend), residual[1] |Z^H Z - I| / (n eps). Above CHECK_FULL_MAX
 * with a few vectors Z x in place of Z. */
int check_syevd(const struct check_matrix *A, tw_int k, const double *w, const void *z, tw_int ldz, double residual[2]);
/* All n eigenvalues alone: the largest |w[i] - LAPACK's| / (n eps |A|), NaN if w does not ascend. LAPACK takes a while:
 * for orders up to CHECK_VALUES_MAX. */
#define CHECK_VALUES_MAX 4096
int check_eigenvalues(const struct check_matrix *A, const double *w, double *error);
/* The same of k eigenvalues, which are LAPACK's from number `first` (from 0) on. */
int check_some_eigenvalues(const struct check_matrix *A, tw_int first, tw_int k, const double *w, double *error);
/* The same of k eigenvalues, which are all of LAPACK's in (vl, vu], whose ends are taken as exact to 3 n eps |A|;
 * infinite or NaN where LAPACK has another number of them. */
int check_interval(const struct check_matrix *A, double vl, double vu, tw_int k, const double *w, double *error);

/* Eigenvalues wr + i wi of a general matrix and its right (left 0) or left (1) eigenvectors, the columns of v as
 * LAPACK's geev leaves them. residual[0]: |A V - V D| / (n eps |A| |V|), of left ones |A^H V - V D^H|; NaN where
 * eigenvalues of a real matrix are no conjugate pairs. residual[1]: how far the vectors' lengths are from 1, in units
 * of n eps. */
int check_geev(const struct check_matrix *A, const double *wr, const double *wi, int left, const void *v, tw_int ldv,
               double residual[2]);
/* Eigenvalues alone: the largest |sum of w^p - trace of A^p| / (p n eps |A|_F^p), p = 1 ... 4; of p = 1 over the root
 * of n, too. */
int check_general_values(const struct check_matrix *A, const double *wr, const double *wi, double *error);

/* A's Schur form, A Z = Z T, as LAPACK's gees leaves it. residual[0]: |A Z - Z T| / (n eps |A|), NaN where T has
 * another form or other eigenvalues than wr + i wi; residual[1]: |Z^H Z - I| / (n eps). */
int check_gees(const struct check_matrix *A, const double *wr, const double *wi, const void *t, tw_int ldt,
               const void *z, tw_int ldz, double residual[2]);
/* T's form and eigenvalues alone: 1, or 0: T is no triangle, of real matrices with pairs' blocks, or has others. */
int check_schur_form(enum tw_type type, tw_int n, const void *t, tw_int ldt, const double *wr, const double *wi);

/* LAPACK's sytrd: f (its uplo triangle) and tau say Q, d and e the tridiagonal T. residual[0] is |A Q - Q T| / (n eps
 * |A|), residual[1] |Q^H Q - I| / (n eps), residual[2] how far d and e are from what f has of them, exactly 0. Q by
 * LAPACK's ormtr; above CHECK_FULL_MAX for a few vectors. NaN where LAPACK refuses them. */
int check_sytrd(const struct check_matrix *A, enum tw_uplo uplo, const void *f, tw_int ldf, const double *d,
                const double *e, const void *tau, double residual[3]);
/* The first two of a Q that is there, n x n. */
int check_trd_q(const struct check_matrix *A, const double *d, const double *e, const void *q, tw_int ldq,
                double residual[2]);

/* The same where T, the tridiagonal real part of Q^H A Q, is what Q makes of A: sbevx's Q. */
int check_band_q(const struct check_matrix *A, const void *q, tw_int ldq, double residual[2]);

/* Generalized problems with k of the n eigenvalues and eigenvectors, the columns of z (n x k). residual[0]: |A Z - B Z
 * diag(w)| / (n eps |A| |Z|) (itype 1), |A B Z - Z diag(w)| / (n eps |A| |B| |Z|) (2), |B A Z - Z diag(w)| / (n eps |A|
 * |B| |Z|) (3), as LAPACK's dsgt01, whose B is of size 1; NaN if w does not ascend. residual[1]: |Z^H B Z - I| / (n eps
 * |B| max |z|^2), of itype 3 |Z Z^H - B| / (n eps |B|), or where k < n |Z^H A Z - diag(w)| / (n eps |A| max |z|^2). */
int check_sygvd(int itype, const struct check_matrix *A, const struct check_matrix *B, tw_int k, const double *w,
                const void *z, tw_int ldz, double residual[2]);
/* Eigenvalues alone, `count` from number `first` (from 0) on: the largest |w[i] - LAPACK's| / (n eps max |w|), NaN if w
 * does not ascend. */
int check_generalized_values(int itype, const struct check_matrix *A, const struct check_matrix *B, tw_int first,
                             tw_int count, const double *w, double *error);
/* The same of `count` eigenvalues, which are all of LAPACK's in (vl, vu], whose ends are taken as exact to 3 n eps max
 * |w|; infinite or NaN where LAPACK has another number of them. */
int check_generalized_interval(int itype, const struct check_matrix *A, const struct check_matrix *B, double vl,
                               double vu, tw_int count, const double *w, double *error);
/* The standard form c of A, with B's Cholesky factor f, all three in the uplo triangle: |A - L C L^H| / (n eps |C| |L|
 * |L^H|) for itype 1, |C - L^H A L| / (n eps |A| |L| |L^H|) for 2 and 3, and so with U^H in L's place. Of all orders
 * with whole products. */
int check_sygst(int itype, const struct check_matrix *A, enum tw_uplo uplo, const void *c, tw_int ldc, const void *f,
                tw_int ldf, double *residual);

/* LAPACK's gehrd of all rows and columns: f has H and Q's reflectors, tau their factors. residual[0] is |A Q - Q H| /
 * (n eps |A|), residual[1] |Q^H Q - I| / (n eps), Q by LAPACK's ormtr; above CHECK_FULL_MAX for a few vectors. NaN
 * where LAPACK refuses them. */
int check_gehrd(const struct check_matrix *A, const void *f, tw_int ldf, const void *tau, double residual[2]);

/* LAPACK's gebrd: f, tauq and taup say Q and P, d and e the bidiagonal B. residual[0] is |A P - Q B| / (max(m, n) eps
 * |A|), residual[1], [2] |Q^H Q - I| / (m eps), |P^H P - I| / (n eps), residual[3] how far d and e are from what f has
 * of them, exactly 0. Q and P by LAPACK's ormbr; with m or n above CHECK_FULL_MAX for a few vectors. NaN where LAPACK
 * refuses them. */
int check_gebrd(const struct check_matrix *A, const void *f, tw_int ldf, const double *d, const double *e,
                const void *tauq, const void *taup, double residual[4]);

/* Singular values s, k = min(m, n) of them, and vectors: the columns of u (m x left) and the rows of vt (right x n), as
 * many as A has of either or k; NULL: not wanted. residual[0]: |A - U diag(s) V^T| / (max(m, n) eps |A|), NaN if s does
 * not descend or is negative; residual[1]: |U^H U - I| / (m eps); residual[2]: |V^T V - I| / (n eps). With m or n above
 * CHECK_FULL_MAX for a few vectors. */
int check_gesdd(const struct check_matrix *A, const double *s, tw_int left, const void *u, tw_int ldu, tw_int right,
                const void *vt, tw_int ldvt, double residual[3]);
/* k of its singular values and vectors, the columns of u (m x k) and the rows of vt (k x n); NULL: not wanted.
 * residual[0]: |A V - U diag(s)| / (max(m, n) eps |A|), residual[1]: |A^H U - V diag(s)| / (max(m, n) eps |A^H|); of
 * one side alone how far the lengths of A V's or A^H U's columns are from s, likewise; NaN if s does not descend or is
 * negative. residual[2], [3]: |U^H U - I| / (m eps), |V^T V - I| / (n eps). */
int check_gesvdx(const struct check_matrix *A, tw_int k, const double *s, const void *u, tw_int ldu, const void *vt,
                 tw_int ldvt, double residual[4]);
/* Such values beside LAPACK's gesvd: from number `first` (from 0) on, or all in [vl, vu), whose ends are taken as exact
 * to 3 max(m, n) eps |A|: the largest difference / (max(m, n) eps s[0] of A); infinite or NaN where LAPACK has another
 * number of them there, or s does not descend. */
int check_some_singular_values(const struct check_matrix *A, tw_int first, tw_int k, const double *s, double *error);
int check_singular_interval(const struct check_matrix *A, double vl, double vu, tw_int k, const double *s,
                            double *error);
/* The singular values alone: the largest |s[i] - those of LAPACK's gesvd| / (max(m, n) eps s[0]), NaN if s does not
 * descend or is negative. */
int check_singular_values(const struct check_matrix *A, const double *s, double *error);

/* The pseudo-inverse P (n x m) up to rcond |A|: residual[0 ... 3] are |A P A - A| / (|A| |P| |A| + rcond |A| / eps), |P
 * A P - P| / (|P| |A| |P|), |A P - (A P)^H| / (|A| |P|) and |P A - (P A)^H| / (|A| |P|), each over max(m, n) eps: the
 * conditions of Moore and Penrose. With m or n above CHECK_FULL_MAX for a few vectors. */
int check_gepinv(const struct check_matrix *A, const void *p, tw_int ldp, double rcond, double residual[4]);

/* The first k singular values s and vectors, the columns of u and the rows of vt, that a projection finds: residual[0]
 * is |U^H A - diag(s) V^T| / (max(m, n) eps |A|), NaN if s does not descend or is negative; residual[1], [2] as
 * check_gesdd's. distance: |A - U diag(s) V^T| in the 2-norm, from below, by 30 steps of the power method. */
int check_gersvd(const struct check_matrix *A, tw_int k, const double *s, const void *u, tw_int ldu, const void *vt,
                 tw_int ldvt, double residual[3], double *distance);

/* A = U H with U of k columns, k <= m: residual[0] is |A - U H| / (max(m, n) eps |A|), residual[1] |U^H U - I| / (m
 * eps). With m or n above CHECK_FULL_MAX for a few vectors. */
int check_thin_product(const struct check_matrix *A, tw_int k, const void *u, tw_int ldu, const void *h, tw_int ldh,
                       double residual[2]);

/* The polar decomposition A = U H: residual[0] is |A - U H| / (max(m, n) eps |A|), residual[1] |U^H U - I| / (m eps),
 * residual[2] how far H is from its adjoint, and below 0, over n eps |H|: the eigenvalues by LAPACK, up to order 1024.
 * With m or n above CHECK_FULL_MAX for a few vectors. */
int check_gepolar(const struct check_matrix *A, const void *u, tw_int ldu, const void *h, tw_int ldh,
                  double residual[3]);

/* F (n x n) = f(A) of a hermitian A: |F F - A| / (3 n eps |F|^2) for the square root, |A F - I| / (n eps |A| |F|) for
 * the inverse, |F A F - I| / (n eps |F|^2 |A|) for the root of the inverse; exp, log and the absolute value against
 * LAPACK's eigenvalues and eigenvectors: |F - Z f(w) Z^H| / (n eps max(|F|, |A| max |f'|)). */
int check_syfun(enum tw_function f, const struct check_matrix *A, const void *F, tw_int ldf, double *residual);

/* The largest |b - op(A) x| / ((|A| |x| + |b|) n eps) of all columns. */
int check_solve(const struct check_matrix *A, enum tw_trans op, tw_int nrhs, const void *x, tw_int ldx, const void *b,
                tw_int ldb, double *residual);

/* The same with a triangle of A alone (TW_GENERAL: all of it). */
int check_solve_part(const struct check_matrix *A, enum tw_uplo uplo, enum tw_trans op, tw_int nrhs, const void *x,
                     tw_int ldx, const void *b, tw_int ldb, double *residual);

/* The 1-norm of A, exact. */
int check_anorm(const struct check_matrix *A, double *norm);

/* Y = E X, or E^H X when adjoint, for k columns; 0 or a library code. */
typedef int (*check_operator)(void *context, int adjoint, int k, const void *x, void *y);
/* 1-norm of an n x n operator known by its products, by the block method of Higham and Tisseur (SIAM J. Matrix Anal.
 * Appl. 21, 2000): a lower bound, here within a factor of 3 of the norm. */
int check_norm_estimate(enum tw_type type, tw_int n, check_operator op, void *context, double *value);
#endif
