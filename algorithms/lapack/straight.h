/* LAPACK's own routines, with what has to be done around them, for routines made of others. Arguments are sound. */
#ifndef TW_ALGORITHMS_LAPACK_STRAIGHT_H
#define TW_ALGORITHMS_LAPACK_STRAIGHT_H
#include <tilework/runtime.h>

tw_int tw_straight_potrf(enum tw_type type, char uplo, tw_int n, void *a, tw_int lda);
int tw_straight_potrs(enum tw_type type, char uplo, int n, int nrhs, const void *a, int lda, void *b, int ldb);
int tw_straight_lauum(enum tw_type type, char uplo, tw_int n, void *a, tw_int lda);
int tw_straight_trtri(enum tw_type type, char uplo, char diag, int n, void *a, int lda);
/* The first exactly zero element of the diagonal (1-based), 0 if there is none: some LAPACKs only find the smallest
 * one. */
tw_int tw_first_zero(enum tw_type type, tw_int n, const void *a, tw_int lda);
tw_int tw_straight_getrf(const char *routine, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda, tw_int *ipiv);
tw_int tw_straight_getrs(const char *routine, enum tw_type type, char trans, tw_int n, tw_int nrhs, const void *a,
                         tw_int lda, const tw_int *ipiv, void *b, tw_int ldb);

/* The m eigenvectors z of a generalized problem's standard form become its own, with B's Cholesky factor. */
void tw_straight_pencil(enum tw_type type, int itype, char uplo, int n, int m, const void *b, int ldb, void *z,
                        int ldz);
/* The LAPACK door's potrf for a type known at run time only. */
tw_int tw_door_potrf(const char *routine, enum tw_type type, char uplo, tw_int n, void *a, tw_int lda);
/* potrs for right-hand sides that are rows: solve Y op = C for Y over C (nrhs x n, ldc), where `op` is the hermitian
 * matrix U^H U (uplo 'U') or L L^H ('L') whose factor is a. Nothing is empty. */
tw_int tw_lapack_potrs_rows(enum tw_type type, char uplo, tw_int n, tw_int nrhs, const void *a, tw_int lda, void *c,
                            tw_int ldc);
/* What is left to check before rows are solved for: 0, or LAPACKE's argument. */
tw_int tw_enter_rows(const char *routine, char uplo, tw_int n, tw_int nrhs, tw_int ldb);
#endif
