/* Where a QR factorization with column exchanges may end before the last column, and where it did. */
#ifndef TW_TYPES_DENSE_PIVOT_STOP_H
#define TW_TYPES_DENSE_PIVOT_STOP_H
#include <stdint.h>

struct tw_pivot_stop {
    /* it ends where the largest norm is at most abstol, or reltol times the first one; negative: never for that
     * reason */
    double abstol, reltol;
    int64_t kmax;          /* and after so many columns */
    double first, largest; /* the largest norm of a column: of the matrix, and of what is left */
    int64_t k;             /* columns done */
    int64_t nan; /* the column, from 1 and at its place by then, that has a NaN, or whose reflector has one; 0: none */
    int64_t inf; /* the same of an infinity that was met first */
    int32_t stopped;
};
#endif
