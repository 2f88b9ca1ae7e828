/* Some eigenvalues and eigenvectors under LAPACK's names, of hermitian matrices and of generalized problems: what they share (syevr.c). */
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
};
/* The LAPACK door, and LAPACKE's. */
tw_int tw_door_range(const char *routine, enum tw_type type, struct request *r, const struct workspaces *work);
tw_int tw_lapacke_range(const struct tw_lapacke *call, struct request *r, const struct workspaces *work);
#endif
