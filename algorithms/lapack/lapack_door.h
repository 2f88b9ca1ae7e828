/* What the LAPACKE door needs beyond tilework/lapack.h. */
#ifndef TW_ALGORITHMS_LAPACK_LAPACK_DOOR_H
#define TW_ALGORITHMS_LAPACK_LAPACK_DOOR_H
#include <tilework/runtime.h>

/* Solve Y op = C for Y over C (nrhs x n, ldc), where `op` is the hermitian matrix U^H U (uplo 'U') or L L^H ('L')
 * whose factor is a: potrs for right-hand sides that are rows. Arguments are sound and nothing is empty. */
tw_int tw_lapack_potrs_rows(enum tw_type type, char uplo, tw_int n, tw_int nrhs, const void *a, tw_int lda, void *c,
                            tw_int ldc);
#endif
