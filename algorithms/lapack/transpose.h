/* Row-major arrays of routines that need the matrix itself: copied to column-major ones and back, as LAPACKE does. */
#ifndef TW_ALGORITHMS_LAPACK_TRANSPOSE_H
#define TW_ALGORITHMS_LAPACK_TRANSPOSE_H
#include <stdlib.h>
#include <tilework/lapacke.h>
#include "runtime/base/error.h"
#include "runtime/base/types.h"

/* `to` (n x m, ldt, its columns are from's rows) = the transpose of `from` (m x n, ldf), both column-major. Where m or
 * n is below 1 nothing happens. */
void tw_transpose(enum tw_type type, tw_int m, tw_int n, const void *from, tw_int ldf, void *to, tw_int ldt);
/* m x n elements and one, to be freed; NULL without memory. Sizes below 1 count as 1. */
void *tw_transposed_room(enum tw_type type, tw_int m, tw_int n);

/* A routine's row-major arrays as column-major ones. Their shapes are sound: checked before. */
struct rows {
    enum tw_type type;
    tw_int m, n;
    void *user, *mine;
    tw_int ld;
};
static inline int rows_begin(struct rows *r)
{
    if (!r->user || !(r->mine = tw_transposed_room(r->type, r->m, r->n))) return r->user ? -1 : 0;
    tw_transpose(r->type, r->n, r->m, r->user, r->ld, r->mine, tw_max(1, r->m));
    return 0;
}
/* Of an array that is only written. */
static inline int rows_room(struct rows *r)
{
    return r->user && !(r->mine = tw_transposed_room(r->type, r->m, r->n)) ? -1 : 0;
}
static inline void rows_end(struct rows *r, int written)
{
    if (r->mine && written) tw_transpose(r->type, r->m, r->n, r->mine, tw_max(1, r->m), r->user, r->ld);
    free(r->mine);
}
/* A is read, L and R are written where they are wanted. 0; or -1 without memory, and nothing is kept. */
static inline int rows_begin_sides(struct rows *A, struct rows *L, int left, struct rows *R, int right)
{
    if (!rows_begin(A) && !(left && rows_room(L)) && !(right && rows_room(R))) return 0;
    rows_end(A, 0), rows_end(L, 0);
    return -1;
}
static inline int no_memory(const char *routine)
{
    return tw_fail(LAPACK_TRANSPOSE_MEMORY_ERROR, "%s: no memory for transposed arrays", routine);
}
#endif
