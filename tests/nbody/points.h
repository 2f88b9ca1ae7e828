/* Points and errors that the tests of the multipole methods share. */
#ifndef TESTS_NBODY_POINTS_H
#define TESTS_NBODY_POINTS_H
#include <math.h>

#include "tt.h"

enum tt_places { TT_UNIFORM, TT_SURFACE, TT_PLUMMER, TT_CLUSTERS, TT_COINCIDENT, TT_COLINEAR, TT_NPLACES };
static const char *const tt_place_name[] = {"uniform", "surface", "plummer", "clusters", "coincident", "colinear"};

/* Coordinate k of a point in dim dimensions: a cube, a sphere's surface, Plummer's model cut at 30, two balls 30 apart,
 * 50 places, a line. */
static inline double tt_place(enum tt_places kind, int dim, tw_int i, int k, uint64_t seed)
{
    double v[3], r = 0;
    if (kind == TT_COINCIDENT) i %= 50;
    if (kind == TT_UNIFORM || kind == TT_COINCIDENT) return 0.5 + 0.5 * tt_uniform(seed, i, k);
    if (kind == TT_COLINEAR) return k ? 0.25 : 0.5 + 0.5 * tt_uniform(seed, i, 0);
    for (int m = 0; m < 3; m++) { /* a direction, from three sums of uniform numbers */
        v[m] = 0;
        for (int n = 0; n < 8 && m < dim; n++)
            v[m] += tt_uniform(seed, i, 8 * m + n);
        r += v[m] * v[m];
    }
    const double u = 0.5 + 0.5 * tt_uniform(seed, i, 30), length = kind == TT_SURFACE ? 1
                                                                   : kind == TT_PLUMMER
                                                                       ? 1 / sqrt(pow(0.001 + 0.998 * u, -2.0 / 3) - 1)
                                                                       : pow(u, 1.0 / dim);
    return v[k] / sqrt(r) * length + (kind == TT_CLUSTERS && k == 0 && i % 2 ? 30 : 0);
}
static inline double *tt_places(enum tt_places kind, int dim, tw_int n, uint64_t seed)
{
    double *x = malloc(((size_t)(dim * n) + 1) * sizeof *x);
    for (tw_int i = 0; i < dim * n; i++)
        x[i] = tt_place(kind, dim, i / dim, (int)(i % dim), seed);
    return x;
}
static inline double *tt_charges(tw_int n, uint64_t seed)
{
    double *q = malloc(((size_t)n + 1) * sizeof *q);
    for (tw_int i = 0; i < n; i++)
        q[i] = tt_uniform(seed, i, 60);
    return q;
}
/* |a - b| / |b| in the 2-norm; |a| where b is 0. */
static inline double tt_relative(const double *a, const double *b, tw_int n)
{
    long double e = 0, norm = 0;
    for (tw_int i = 0; i < n; i++) {
        e += (long double)(a[i] - b[i]) * (a[i] - b[i]);
        norm += (long double)b[i] * b[i];
    }
    return (double)sqrtl(norm > 0 ? e / norm : e);
}
#define tt_within(error, limit, ...)                                                                                   \
    do {                                                                                                               \
        const double error_ = (error), limit_ = (limit);                                                               \
        printf(__VA_ARGS__);                                                                                           \
        printf(": error %.2e\n", error_);                                                                              \
        if (!(error_ <= limit_)) fail_msg("error %g above %g", error_, limit_);                                        \
    } while (0)
#endif
