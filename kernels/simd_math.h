/* Elementary functions of vectors of doubles, to a few units in the last place. */
#ifndef TW_KERNELS_SIMD_MATH_H
#define TW_KERNELS_SIMD_MATH_H
#include "kernels/simd.h"

/* log x for normal x > 0: x = 2^e m, sqrt(1/2) <= m < sqrt(2); log m = 2 artanh((m - 1) / (m + 1)) by its series: |s| <
 * 0.172. */
static inline V vector_log(V x)
{
    const I one = (I)splat(1), bits = (I)x,
            high = (bits & 0xfffffffffffffLL) > 0x6a09e667f3bccLL; /* -1 beyond sqrt(2) */
    const V e = __builtin_convertvector((bits >> 52) - 1023 - high, V),
            m = (V)(((bits & 0xfffffffffffffLL) | one) + (high << 52)), s = (m - 1) / (m + 1), s2 = s * s;
    V sum = splat(1.0 / 23);
    for (int k = 21; k >= 1; k -= 2)
        sum = sum * s2 + 1.0 / k;
    return e * 0.693147180369123816490 + (2 * s * sum + e * 1.90821492927058770002e-10);
}

/* e^-x for 0 <= x; 0 beyond 708. x = n log 2 + r, |r| <= log(2) / 2; Taylor's series of degree 13. */
static inline V vector_exp_minus(V x)
{
    const V magic = splat(0x1.8p52), n = (x * 1.44269504088896340736 + magic) - magic,
            r = n * 0.693147180369123816490 - x + n * 1.90821492927058770002e-10;
    const I there = x <= 708, power = (1023 - __builtin_convertvector((V)((I)n & there), I)) << 52;
    V sum = splat(1.0 / 6227020800);
    static const double inverse[] = {
        1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
        1.0 / 120,       1.0 / 24,       1.0 / 6,       1.0 / 2,      1,           1};
#pragma GCC unroll 13
    for (int k = 0; k < 13; k++)
        sum = sum * r + inverse[k];
    return keep(there, sum * (V)power);
}
#endif
