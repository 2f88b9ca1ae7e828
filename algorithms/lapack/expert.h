/* What the expert drivers share: scalings, which are real numbers of the type's precision, applied as LAPACK's ?laqge and ?laqsy do. */
#ifndef TW_ALGORITHMS_LAPACK_EXPERT_H
#define TW_ALGORITHMS_LAPACK_EXPERT_H
#include <float.h>
#include "algorithms/lapack/bounds.h"

static inline double real_of(enum tw_type type, const void *x, tw_int i)
{
    return tw_is_single(type) ? (double)((const float *)x)[i] : ((const double *)x)[i];
}
static inline double safe_minimum(enum tw_type type)
{
    return tw_is_single(type) ? (double)FLT_MIN : DBL_MIN;
}
/* What a matrix' elements and scalings are compared with: the safe minimum over the precision (eps times the base). */
static inline double small_number(enum tw_type type)
{
    return safe_minimum(type) / (tw_is_single(type) ? (double)FLT_EPSILON : DBL_EPSILON);
}

/* The spread of scalings of the caller's, and 0 where one is not positive. */
static inline double spread_of(enum tw_type type, const void *s, tw_int n)
{
    const double small = safe_minimum(type), big = 1 / small;
    double least = big, most = 0;

    for (tw_int i = 0; i < n; i++) {
        least = fmin(least, real_of(type, s, i));
        most = fmax(most, real_of(type, s, i));
    }
    return n == 0 ? 1 : least <= 0 ? 0 : fmax(least, small) / fmin(most, big);
}

/* a_ij times r_i c_j (NULL: 1) in the part of A ('G', 'L', 'U'); hermitian: the diagonal becomes real. */
static inline void scale_part(enum tw_type type, char part, int hermitian, tw_int m, tw_int n, void *a, tw_int lda,
                              const void *r, const void *c)
{
    const int re = tw_is_complex(type) ? 2 : 1;

    for (tw_int j = 0; j < n; j++) {
        const double cj = c ? real_of(type, c, j) : 1;
        for (tw_int i = part == 'L' ? j : 0; i < (part == 'U' ? j + 1 : m); i++)
            for (int k = 0; k < re; k++) {
                const size_t at = (size_t)re * ((size_t)i + (size_t)j * (size_t)lda) + (size_t)k;
                const int gone = k == 1 && hermitian && i == j;
                if (tw_is_single(type))
                    ((float *)a)[at] = gone ? 0 : (float)cj * (r ? ((const float *)r)[i] : 1) * ((float *)a)[at];
                else
                    ((double *)a)[at] = gone ? 0 : cj * (r ? ((const double *)r)[i] : 1) * ((double *)a)[at];
            }
    }
}
static inline void divide_bounds(enum tw_type type, tw_int nrhs, void *ferr, double by)
{
    for (tw_int j = 0; j < nrhs; j++)
        if (tw_is_single(type))
            ((float *)ferr)[j] /= (float)by;
        else
            ((double *)ferr)[j] /= by;
}
/* LAPACK's info and rcond: a NaN among these is a matrix that is singular for all that can be told. */
static inline tw_int told_expert(tw_int info, enum tw_type type, tw_int n, void *rcond)
{
    const double r = info == 0 ? real_of(type, rcond, 0) : 0;

    if (r == r) return info;
    put_real(type, rcond, 0);
    return n + 1;
}
static inline char upper_case(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}
#endif
