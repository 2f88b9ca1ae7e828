/* What getrf, getrs and gesv share: pivots are tw_int in the LAPACK door, int32_t in the tiles' tasks, int in LAPACK
 * and of either width in LAPACKE. */
#ifndef TW_ALGORITHMS_LAPACK_LU_H
#define TW_ALGORITHMS_LAPACK_LU_H
#include "algorithms/lapack/doors.h"
#include "runtime/data/data.h"
#include "runtime/task/routine.h"

/* int32_t pivots; those of small problems sit on the stack. */
struct tw_pivots {
    int32_t few[512], *at;
};
int tw_pivots_begin(struct tw_pivots *p, const char *routine, tw_int k);
void tw_pivots_end(struct tw_pivots *p);
void tw_pivots_to_user(tw_int k, const int32_t *from, tw_int *to);
/* What names no row exchanges nothing: the row itself. LAPACK would leave the array. */
void tw_pivots_from_user(tw_int k, const tw_int *from, int32_t *to);

/* tw_int pivots beside those of a caller of LAPACKE's: to be freed; NULL without memory. */
tw_int *tw_pivots_room(tw_int k);
void tw_pivots_out(const struct tw_lapacke *call, tw_int k, const tw_int *from, void *to);
void tw_pivots_in(const struct tw_lapacke *call, tw_int k, const void *from, tw_int *to);

/* A over the user's array, in tiles as routine r wants them, its pivots and, if b is not NULL, B in tiles that fit. */
struct tw_lu_tiles {
    struct tw_matrix *A, *ipiv, *B;
};
int tw_lu_wrap(struct tw_lu_tiles *t, const struct tw_routine *r, enum tw_type type, tw_int m, tw_int n, const void *a,
               tw_int lda, tw_int nrhs, void *b, tw_int ldb);
/* The arrays' content is defined again, and ipiv, if it is not NULL, gets the pivots. */
tw_int tw_lu_leave(const char *routine, tw_int info, struct tw_lu_tiles *t, tw_int k, tw_int *ipiv);
#endif
