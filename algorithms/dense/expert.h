/* What the expert drivers (gesvx, posvx) share: when scaling pays, scalings as tasks, what is told in the end. */
#ifndef TW_ALGORITHMS_DENSE_EXPERT_H
#define TW_ALGORITHMS_DENSE_EXPERT_H
#include <float.h>
#include <math.h>
#include <string.h>
#include <tilework/type.h>
#include "algorithms/dense/refine.h"

static inline double tw_safe_minimum(enum tw_type type)
{
    return tw_is_single(type) ? (double)FLT_MIN : DBL_MIN;
}
/* LAPACK's laqge and laqsy: scaling by factors of this spread pays, of a matrix whose largest element this is. The
 * latter is compared with the safe minimum over the precision. */
static inline int tw_spread_pays(double spread)
{
    return !(spread >= 0.1);
}
static inline int tw_size_pays(enum tw_type type, double amax)
{
    const double small = tw_safe_minimum(type) / (2 * tw_type_eps(type));
    return !(amax >= small && amax <= 1 / small);
}
/* The spread of scalings of the caller's: the least over the most; 0 where one is not positive. */
static inline double tw_spread_of(enum tw_type type, const double *s, tw_int n)
{
    const double small = tw_safe_minimum(type), big = 1 / small;
    double least = big, most = 0;

    for (tw_int i = 0; i < n; i++) {
        if (!(s[i] > 0)) return 0;
        least = fmin(least, s[i]);
        most = fmax(most, s[i]);
    }
    return n == 0 ? 1 : fmax(least, small) / fmin(most, big);
}

static inline const char *tw_bad_fact(enum tw_fact f)
{
    return f == TW_FACT_NONE || f == TW_FACT_EQUILIBRATE || f == TW_FACT_GIVEN
               ? NULL
               : "not TW_FACT_NONE, TW_FACT_EQUILIBRATE or TW_FACT_GIVEN";
}
/* Of a factorization with so many flops, and all that follows for X. */
double tw_expert_flops(double factorization, enum tw_structure structure, struct tw_matrix *X);
/* B, which is argument `first` and sound, X, and the bounds from argument `bounds` on, which are set to 0; A is
 * sound. */
int tw_expert_check(const char *who, int first, int bounds, const struct tw_refinement *r);

/* The caller's n numbers as an object; NULL without memory, and then the sequence has failed. */
struct tw_data *tw_scalings(struct tw_sequence *seq, const double *s, tw_int n);
/* The part uplo of M times r's numbers by rows and c's by columns (NULL: not). hermitian: its diagonal becomes real. */
void tw_laqge_loop(struct tw_sequence *seq, enum tw_uplo uplo, int hermitian, struct tw_matrix *M, struct tw_data *r,
                   struct tw_data *c);
/* 1 and *value, once these tasks are done, of a norm's object that is given back; 0 where the sequence has failed. */
int tw_norm_value(struct tw_sequence *seq, struct tw_data *norm, double *value);
/* The routine's info so far; what runs on after this has waited for it. -1: the sequence has failed. */
int64_t tw_info_value(struct tw_sequence *seq);
/* X := inv(op(A)) B refined, with bounds, and the condition of A, whose norm is anorm: all of it submitted and done
 * when this returns. r: as refine.h's, with factors in square tiles. */
void tw_expert_solve(struct tw_sequence *seq, const struct tw_refinement *r, enum tw_norm norm, double anorm,
                     double *rcond);
/* The end: X's rows by the scalings x (NULL: none), the bounds by their spread, and the info n + 1 where rcond is below
 * the unit roundoff. */
void tw_expert_end(struct tw_sequence *seq, const struct tw_refinement *r, struct tw_data *x, double spread,
                   double rcond);
#endif
