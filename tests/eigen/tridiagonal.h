/* Tridiagonal matrices of many kinds, for the tests. */
#ifndef TESTS_EIGEN_TRIDIAGONAL_H
#define TESTS_EIGEN_TRIDIAGONAL_H
#include <math.h>
#include "checks/checks.h"
#include "tt.h"

enum tt_tridiagonal {
    TT_T_RANDOM,
    TT_T_ZERO,
    TT_T_IDENTITY,
    TT_T_DIAGONAL,
    TT_T_SECOND_DIFFERENCES,
    TT_T_CLEMENT,
    TT_T_WILKINSON,
    TT_T_GLUED,
    TT_T_CLUSTERED,
    TT_T_PAIRS,
    TT_T_GRADED,
    TT_T_SPLIT,
    TT_T_ONE_LARGE,
    TT_T_HUGE,
    TT_T_TINY,
    TT_TRIDIAGONALS
};
static const char *const tt_tridiagonals[] = {"random",  "zero",      "identity",  "diagonal", "1-2-1",
                                              "Clement", "W21+",      "glued",     "clusters", "+- pairs",
                                              "graded",  "splitting", "one large", "huge",     "tiny"};

static inline double tt_diagonal_at(enum tt_tridiagonal kind, int n, int i, double scale)
{
    const double x = tt_uniform(21, i, 0);
    switch (kind) {
    case TT_T_ZERO:
    case TT_T_CLEMENT:
    case TT_T_PAIRS: return 0;
    case TT_T_IDENTITY: return 1;
    case TT_T_DIAGONAL: return i % 7 - 3;
    case TT_T_SECOND_DIFFERENCES: return 2;
    case TT_T_WILKINSON: return fabs(i - (n - 1) / 2.0);
    case TT_T_GLUED: return fabs(i % 21 - 10.0);
    case TT_T_CLUSTERED: return i < n / 2 ? 1 : 2;
    case TT_T_GRADED: return pow(2, -0.5 * i) * (1 + fabs(x));
    case TT_T_ONE_LARGE: return i == n / 3 ? 1e4 : x;
    default: return x * scale;
    }
}
static inline double tt_off_at(enum tt_tridiagonal kind, int n, int i, double eps, double scale)
{
    const double x = tt_uniform(22, i, 0);
    switch (kind) {
    case TT_T_ZERO:
    case TT_T_IDENTITY:
    case TT_T_DIAGONAL: return 0;
    case TT_T_SECOND_DIFFERENCES: return -1;
    case TT_T_CLEMENT: return sqrt((i + 1.0) * (n - 1 - i));
    case TT_T_WILKINSON: return 1;
    case TT_T_GLUED: return i % 21 == 20 ? sqrt(eps) : 1;
    case TT_T_CLUSTERED: return 10 * eps * x;
    case TT_T_GRADED: return pow(2, -0.5 * i) * x;
    case TT_T_SPLIT: return i % 5 == 4 ? 0 : x;
    default: return x * scale;
    }
}
/* d: n; e: n - 1 numbers that the type has. */
static inline void tt_tridiagonal(enum tw_type t, enum tt_tridiagonal kind, int n, double *d, double *e)
{
    const int single = t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
    const double scale = kind == TT_T_HUGE   ? (single ? 1e37 : 1e305)
                         : kind == TT_T_TINY ? (single ? 1e-37 : 1e-305)
                                             : 1;

    for (int i = 0; i < n; i++) {
        d[i] = tt_diagonal_at(kind, n, i, scale);
        if (single) d[i] = (double)(float)d[i];
        if (i + 1 == n) break;
        e[i] = tt_off_at(kind, n, i, tt_eps(t), scale);
        if (single) e[i] = (double)(float)e[i];
    }
}

/* As LAPACK's band array ab (2 x n), for the checks. */
static inline void tt_put_tridiagonal(enum tw_type t, int n, const double *d, const double *e, void *ab)
{
    for (int i = 0; i < n; i++) {
        tt_put(t, ab, 2 * (size_t)i, d[i]);
        tt_put(t, ab, 2 * (size_t)i + 1, i + 1 < n ? e[i] : 0);
    }
}
static inline struct check_band tt_band_of_tridiagonal(enum tw_type t, int n, const void *ab)
{
    return (struct check_band){t, TW_LOWER, n, 1, ab, 2};
}
#endif
