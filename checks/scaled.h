/* How errors become residuals. What cannot be told, for a NaN or an infinite norm, is above every bound, never 0. */
#ifndef CHECKS_SCALED_H
#define CHECKS_SCALED_H
#include <math.h>

/* The larger one, NaN if one of them is: of residuals the worse. (fmax drops NaNs.) */
static inline double check_worse(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* error / scale: NaN if one of them is, infinite if the scale is, else 0 if the error is 0. */
static inline double check_quotient(double error, double scale)
{
    if (isnan(error) || isnan(scale)) return NAN;
    if (isinf(scale)) return INFINITY;
    return error == 0 ? 0 : error / scale;
}
#endif
