/* What the expert drivers share: scalings, which are real numbers of the type's precision, and inside double. */
#ifndef TW_ALGORITHMS_LAPACK_EXPERT_H
#define TW_ALGORITHMS_LAPACK_EXPERT_H
#include "algorithms/dense/expert.h"
#include "algorithms/lapack/bounds.h"

/* Scalings of the caller's: all of them are positive; a NaN is not. */
static inline int all_positive(enum tw_type type, const void *s, tw_int n)
{
    for (tw_int i = 0; i < n; i++)
        if (!(get_real(type, s, i) > 0)) return 0;
    return 1;
}

/* n of the caller's scalings as doubles. */
static inline void scalings_in(enum tw_type type, tw_int n, const void *from, double *to)
{
    for (tw_int i = 0; i < n; i++)
        to[i] = get_real(type, from, i);
}
/* LAPACK's info and rcond: a NaN among these is a matrix that is singular for all that can be told. */
static inline tw_int told_expert(tw_int info, enum tw_type type, tw_int n, void *rcond)
{
    const double r = info == 0 ? get_real(type, rcond, 0) : 0;

    if (r == r) return info;
    put_real(type, rcond, 0);
    return n + 1;
}
static inline char upper_case(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}
#endif
