/* A system solved in single precision and refined in double, or by LU without row exchanges and refined, between two of
 * its steps. */
#ifndef TW_TYPES_DENSE_MIXED_H
#define TW_TYPES_DENSE_MIXED_H
#include <math.h>
#include <stdint.h>

enum tw_mixed_status {
    TW_MIXED_GOOD,     /* every column's residual is small enough */
    TW_MIXED_MORE,     /* not yet */
    TW_MIXED_LOST,     /* a NaN or an infinity: no correction will help */
    TW_MIXED_OVERFLOW, /* a number was beyond single precision's, or the elements of U grew too much */
    TW_MIXED_SINGULAR  /* the factorization in single precision, or without exchanges, failed */
};
struct tw_mixed {
    int64_t status;
    /* the largest max |r| / (|A| max |x|) of all columns, |A| in the infinity-norm and |z| = |re| + |im| */
    double berr;
    double growth; /* the largest |u_ij| over the largest |a_ij|, where that was asked for; a zero matrix: 1 */
};
/* Which berr is good, in rounding units. LAPACK's dsgesv asks for sqrt(n). Half of that, so that residuals which others
 * compute, with other roundings, are within it, too; of orders below 16 2, which rounding alone may come to, or
 * LAPACK's own where that is less. */
static inline double tw_mixed_limit(double n)
{
    return fmax(fmin(2, sqrt(n)), sqrt(n) / 2);
}
#endif
