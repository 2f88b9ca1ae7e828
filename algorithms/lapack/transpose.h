/* Row-major arrays of routines that need the matrix itself: copied to column-major ones and back, as LAPACKE does. */
#ifndef TW_ALGORITHMS_LAPACK_TRANSPOSE_H
#define TW_ALGORITHMS_LAPACK_TRANSPOSE_H
#include <tilework/runtime.h>

/* `to` (n x m, ldt, its columns are from's rows) = the transpose of `from` (m x n, ldf), both column-major. Where m or n is below 1 nothing happens. */
void tw_transpose(enum tw_type type, tw_int m, tw_int n, const void *from, tw_int ldf, void *to, tw_int ldt);
/* m x n elements and one, to be freed; NULL without memory. Sizes below 1 count as 1. */
void *tw_transposed_room(enum tw_type type, tw_int m, tw_int n);
#endif
