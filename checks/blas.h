/* BLAS, LAPACK, norms and elements by type, for the checks: OpenBLAS, LAPACKE and loops, nothing of the library's.
 * Column-major arrays. */
#ifndef CHECKS_BLAS_H
#define CHECKS_BLAS_H
#include <tilework/matrix.h>
#include <tilework/runtime.h>
#include <tilework/type.h>

#include "checks/scaled.h"

static inline size_t check_sizeof(enum tw_type type)
{
    return tw_type_size(type);
}
static inline int check_is_complex(enum tw_type type)
{
    return tw_type_is_complex(type);
}
static inline double check_eps(enum tw_type type)
{
    return tw_type_eps(type);
}

void check_gemm(enum tw_type type, enum tw_trans ta, enum tw_trans tb, tw_int m, tw_int n, tw_int k, double alpha,
                const void *a, tw_int lda, const void *b, tw_int ldb, double beta, void *c, tw_int ldc);
/* B (m x n) = op(A) B or B op(A), A triangular. */
void check_trmm(enum tw_type type, enum tw_side side, enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag,
                tw_int m, tw_int n, const void *a, tw_int lda, void *b, tw_int ldb);
/* C (m x n) = A B or B A, A symmetric or hermitian in one triangle. */
void check_hemm(enum tw_type type, enum tw_side side, enum tw_uplo uplo, tw_int m, tw_int n, const void *a, tw_int lda,
                const void *b, tw_int ldb, void *c, tw_int ldc);

/* Norms (norms.c): sums in double precision by plain loops, which pass NaNs on. he: 1-norm of a symmetric or hermitian
 * matrix; ge: 1-norm; tr: the norm that the letter says, '1', 'I' or 'M'. */
double check_norm_he(enum tw_type type, enum tw_uplo uplo, tw_int n, const void *a, tw_int lda);
double check_norm_ge(enum tw_type type, tw_int m, tw_int n, const void *a, tw_int lda);
double check_norm_tr(enum tw_type type, char norm, enum tw_uplo uplo, tw_int n, const void *a, tw_int lda);
double check_norm_max(enum tw_type type, tw_int n, const void *a, tw_int lda); /* n x n */
double check_max(tw_int n, const double *v);                                   /* 0 if n is 0; NaN if there is one */
/* LAPACKE_?pocon, ?gecon, ?trcon (in the 1-norm); their info. */
int check_lapack_gecon(enum tw_type type, tw_int n, const void *a, tw_int lda, double anorm, double *rcond);
int check_lapack_trcon(enum tw_type type, enum tw_uplo uplo, tw_int n, const void *a, tw_int lda, double *rcond);
int check_lapack_pocon(enum tw_type type, enum tw_uplo uplo, tw_int n, const void *a, tw_int lda, double anorm,
                       double *rcond);

/* C (m x k) = Q C (TW_NOTRANS) or Q^H C, Q of `reflectors` of LAPACK's geqrf in f and tau: 0 or TW_E_MEMORY. And
 * LAPACKE's geqrf. */
int check_reflect(enum tw_type type, enum tw_trans trans, tw_int m, tw_int k, tw_int reflectors, const void *f,
                  tw_int ldf, const void *tau, void *c, tw_int ldc);
/* C (m x n) = Q C, Q^H C, C Q or C Q^H with Q of LAPACK's sytrd or hetrd in f (its uplo triangle) and tau: 0 or
 * TW_E_MEMORY. */
int check_reflect_trd(enum tw_type type, enum tw_side side, enum tw_uplo uplo, enum tw_trans trans, tw_int m, tw_int n,
                      const void *f, tw_int ldf, const void *tau, void *c, tw_int ldc);
/* C (m x k) = X C or X^H C with X = Q ('Q') or P ('P') of LAPACK's gebrd, of order m; other: of Q the columns, of P the
 * rows of what was reduced. */
int check_reflect_brd(enum tw_type type, char vect, enum tw_trans trans, tw_int m, tw_int k, tw_int other,
                      const void *f, tw_int ldf, const void *tau, void *c, tw_int ldc);
/* LAPACKE_?sytrd or ?hetrd of the uplo triangle in a, with d and e as doubles; its info. */
int check_lapack_sytrd(enum tw_type type, enum tw_uplo uplo, tw_int n, void *a, tw_int lda, double *d, double *e,
                       void *tau);
/* LAPACKE_?syevd or ?heevd of the hermitian matrix whose lower triangle is in a (n x n): values, for jobz 'V' vectors
 * over a; its info. And LAPACKE_?sygvd or ?hegvd, values alone, with B in b. */
int check_lapack_syevd(enum tw_type type, char jobz, tw_int n, void *a, double *w);
int check_lapack_sygvd(enum tw_type type, int itype, tw_int n, void *a, void *b, double *w);
/* LAPACKE_?gesvd of a (m x n, without gaps, overwritten), values alone; its info. */
int check_lapack_gesvd(enum tw_type type, tw_int m, tw_int n, void *a, double *s);
int check_lapack_geqrf(enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda, void *tau);

/* n floats become doubles, where they lie. */
void check_widen(tw_int n, void *a);

void check_get(enum tw_type type, const void *a, size_t i, double value[2]);
void check_set(enum tw_type type, void *a, size_t i, double re, double im);
/* Y -= X, m x n. */
void check_subtract(enum tw_type type, tw_int m, tw_int n, void *y, tw_int ldy, const void *x, tw_int ldx);
void check_copy(enum tw_type type, tw_int m, tw_int n, const void *from, tw_int ldf, void *to, tw_int ldt);
/* Zero what is not in the uplo triangle (or trapezoid) of A (m x n). */
void check_clean_triangle(enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, void *a, tw_int lda);
/* Rows i and ipiv[i] (from 1) of X (m x k) are exchanged, for i = 1 ... pivots, or backward. */
void check_exchange(enum tw_type type, tw_int m, tw_int k, tw_int pivots, void *x, tw_int ldx, const tw_int *ipiv,
                    int backward);
#endif
