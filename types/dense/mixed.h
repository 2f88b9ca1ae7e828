/* A system solved in single precision and refined in double, between two of its steps. */
#ifndef TW_TYPES_DENSE_MIXED_H
#define TW_TYPES_DENSE_MIXED_H
#include <stdint.h>

enum tw_mixed_status {
    TW_MIXED_GOOD,     /* every column's residual is small enough */
    TW_MIXED_MORE,     /* not yet */
    TW_MIXED_LOST,     /* a NaN or an infinity: no correction will help */
    TW_MIXED_OVERFLOW, /* a number was beyond single precision's */
    TW_MIXED_SINGULAR  /* the factorization in single precision failed */
};
struct tw_mixed {
    int64_t status;
    double
        berr; /* the largest max |r| / (|A| max |x|) of all columns, |A| in the infinity-norm and |z| = |re| + |im| */
};
#endif
