/* Some eigenvalues and eigenvectors under LAPACK's names, of hermitian matrices and of generalized problems: what they
 * share (syevr.c). */
#ifndef TW_ALGORITHMS_LAPACK_RANGE_H
#define TW_ALGORITHMS_LAPACK_RANGE_H
#include "algorithms/lapack/values.h"

/* One call, of any of the routines. */
struct request {
    int expert; /* syevx, sygvx: `each` is ifail; else isuppz */
    char jobz, range, uplo;
    tw_int n;
    void *a;
    tw_int lda;
    double vl, vu;
    tw_int il, iu;
    double abstol;
    void *m, *w, *z;
    tw_int ldz;
    void *each;
    size_t int_size; /* of m and each */
    int pencil;      /* sygvx: what follows counts */
    tw_int itype;
    void *b;
    tw_int ldb;
    tw_int kd; /* of band matrices */
};
/* What these share with routines of other matrices (stevr.c). Into one of the caller's arrays of integers, if there is
 * one: */
void tw_range_put(const struct request *r, void *to, tw_int i, tw_int value);
/* m, and what is said of each of m eigenvectors. */
void tw_range_counts(const struct request *r, tw_int m);
/* Of all eigenvalues w (of the real type) and eigenvectors v (n x n) those that are wanted, and their counts. */
void tw_range_keep(enum tw_type type, const struct request *r, const void *v, const void *w);
/* Columns that the caller's z is known to have; of an interval that is not known. And in a row-major array. */
tw_int tw_range_columns(const struct request *r);
tw_int tw_range_columns_of_rows(const struct request *r);
/* Room for the eigenvectors of an interval, of which it is not known how many there are: n x n elements, for malloc's
 * free. NULL without memory, and that is told. */
void *tw_range_room(const char *routine, enum tw_type type, tw_int n);
/* w, and the first m columns of an interval's vectors, which went into an array with room for all; it is given back. */
tw_int tw_range_leave(enum tw_type type, const struct request *r, tw_int info, tw_int m, double *values, void *room);
/* The LAPACK door, and LAPACKE's. */
tw_int tw_door_range(const char *routine, enum tw_type type, struct request *r, const struct workspaces *work);
tw_int tw_lapacke_range(const struct tw_lapacke *call, struct request *r, const struct workspaces *work);
#endif
