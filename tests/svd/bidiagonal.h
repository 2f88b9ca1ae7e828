/* Graded bidiagonal matrices, and their singular values in quadruple precision, for the tests. */
#ifndef TESTS_SVD_BIDIAGONAL_H
#define TESTS_SVD_BIDIAGONAL_H
#include <math.h>
#include "tt.h"

enum { TT_GRADED_KINDS = 7 };

/* Eigenvalues of (0 B^T; B 0) below x > 0, in quadruple precision. */
static inline int tt_values_below(int n, const double *d, const double *e, __float128 x)
{
    __float128 pivot = -x;
    int count = 1;

    for (int k = 0; k < 2 * n - 1; k++) {
        const __float128 q = k % 2 ? e[k / 2] : d[k / 2];
        if (pivot == 0) pivot = (__float128)-1e-300 * (__float128)1e-300;
        pivot = -x - q * (q / pivot);
        count += pivot < 0;
    }
    return count;
}
/* Singular value number i from the smallest one on; near: about what it is. */
static inline __float128 tt_exact_value(int n, const double *d, const double *e, int i, double near)
{
    __float128 low = near / 2, high = (__float128)2 * near;

    if (!(tt_values_below(n, d, e, low) <= n + i && tt_values_below(n, d, e, high) > n + i)) low = 0, high = 1e308;
    for (int step = 0; step < 1100 && high - low > high * (__float128)1e-28; step++) {
        const __float128 x = low > 0 && high > 4 * low ? (low + high) / 8 + low / 2 : (low + high) / 2;
        if (tt_values_below(n, d, e, x) > n + i)
            high = x;
        else
            low = x;
    }
    return high;
}

/* Graded in ways that need not be monotonous. */
static inline void tt_graded(int kind, int n, double *d, double *e)
{
    for (int i = 0; i < n; i++) {
        const double r = tt_uniform(41, i, kind), q = tt_uniform(42, i, kind);
        switch (kind) {
        case 0: d[i] = pow(2, -0.7 * i) * (1 + fabs(r)), e[i] = pow(2, -0.7 * i) * q; break;
        case 1: d[i] = pow(2, 0.7 * (i - n)) * (1 + fabs(r)), e[i] = pow(2, 0.7 * (i - n)) * q; break;
        case 2: d[i] = pow(10, 9 * r), e[i] = pow(10, 9 * q); break;
        case 3: d[i] = pow(2, -fabs(i - n / 2.0)) * (1 + fabs(r)), e[i] = q * pow(2, -fabs(i - n / 2.0)); break;
        case 4: d[i] = 1, e[i] = 1e3; break; /* the smallest is tiny */
        case 5: d[i] = i % 9 == 4 ? 1e-20 * r : r, e[i] = i % 7 == 3 ? 1e-18 * q : q; break;
        default: d[i] = r, e[i] = q; break;
        }
    }
}
#endif
