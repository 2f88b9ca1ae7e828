/* What the doors of iterative refinement share: bounds of the errors, which are double inside and of the type's
 * precision outside. */
#ifndef TW_ALGORITHMS_LAPACK_BOUNDS_H
#define TW_ALGORITHMS_LAPACK_BOUNDS_H
#include "algorithms/lapack/condition.h"

struct bounds {
    double *ferr, *berr; /* nrhs each */
};
static inline int bounds_begin(struct bounds *b, const char *routine, tw_int nrhs)
{
    b->ferr = calloc(2 * (size_t)nrhs + 1, sizeof *b->ferr);
    b->berr = b->ferr + nrhs;
    return b->ferr ? 0 : tw_fail(TW_E_MEMORY, "%s: no memory for %lld bounds", routine, (long long)nrhs);
}
static inline void bounds_out(enum tw_type type, tw_int nrhs, const double *from, void *to)
{
    for (tw_int j = 0; j < nrhs; j++)
        put_real_at(type, to, j, from[j]);
}
/* Of a call that returned info, the user's arrays are written. */
static inline tw_int bounds_end(struct bounds *b, tw_int info, enum tw_type type, tw_int nrhs, void *ferr, void *berr)
{
    if (info >= 0 && b->ferr) bounds_out(type, nrhs, b->ferr, ferr);
    if (info >= 0 && b->ferr) bounds_out(type, nrhs, b->berr, berr);
    free(b->ferr);
    return info;
}
/* Nothing to solve: all bounds are 0. */
static inline tw_int bounds_of_nothing(enum tw_type type, tw_int nrhs, void *ferr, void *berr)
{
    for (tw_int j = 0; j < nrhs; j++)
        bounds_out(type, 1, &(double){0}, (char *)ferr + (size_t)j * (tw_is_single(type) ? 4 : 8)),
            bounds_out(type, 1, &(double){0}, (char *)berr + (size_t)j * (tw_is_single(type) ? 4 : 8));
    return 0;
}
/* Ten products with a matrix: the order whose Cholesky factorization has as many flops. */
static inline double refinement_order(tw_int n, tw_int nrhs)
{
    return cbrt(60.0 * (double)n * (double)n * (double)nrhs);
}
#endif
