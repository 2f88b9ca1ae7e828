/* General matrices for tests of their eigenvalues: of each kind one of every order and type. */
#ifndef TESTS_EIGEN_GENERAL_H
#define TESTS_EIGEN_GENERAL_H
#include <complex.h>
#include <math.h>
#include "tt.h"

#define COUNT(list) ((int)(sizeof list / sizeof *list))
enum kind {
    RANDOM,
    ZERO,
    IDENTITY,
    TRIANGULAR,
    CIRCULANT, /* of a random row */
    COMPANION, /* of x^n - 1 */
    CLEMENT,
    JORDAN,
    GRADED,    /* balancing's diagonal scaling brings it back */
    ISOLATED,  /* its permutations find eigenvalues */
    ROTATIONS, /* pairs alone */
    SYMMETRIC,
    HUGE_,
    TINY,
    KINDS
};
static const char *const kinds[] = {"random", "zero",   "identity", "triangular", "circulant", "companion", "Clement",
                                    "Jordan", "graded", "isolated", "rotations",  "symmetric", "huge",      "tiny"};

static int is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}
static tt_z element(enum tw_type t, enum kind kind, int n, int i, int j)
{
    const tt_z x = tt_uniform(7, i, j) + (tt_complex(t) ? tt_uniform(8, i, j) * I : 0);

    switch (kind) {
    case ZERO: return 0;
    case IDENTITY: return i == j;
    case TRIANGULAR: return i > j ? 0 : x;
    case CIRCULANT: return tt_uniform(9, (j - i + n) % n, 0);
    case COMPANION: return n == 1 ? 1 : i == j + 1 || (i == 0 && j == n - 1);
    case CLEMENT: return j == i + 1 ? i + 1 : i == j + 1 ? n - 1 - j : 0;
    case JORDAN: return i == j ? 2 : j == i + 1;
    case GRADED: return x * pow(2, (i - j) * 20.0 / n);
    case ISOLATED: return (i + 1) % 3 && i % 5 < 2 && i != j ? 0 : x;
    case ROTATIONS:
        return i / 2 != j / 2 || (n % 2 && i == n - 1 && j != i) ? 0
               : i == j                                          ? cos(1 + i / 2)
                                                                 : (i < j ? -1 : 1) * sin(1 + i / 2);
    case SYMMETRIC: return i < j ? conj(element(t, kind, n, j, i)) : i == j ? creal(x) : x;
    case HUGE_: return x * (is_single(t) ? 1e36 : 1e304);
    case TINY: return x * (is_single(t) ? 1e-36 : 1e-304);
    default: return x;
    }
}
static void fill(enum tw_type t, enum kind kind, int n, void *a, int lda)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            tt_put(t, a, (size_t)i + (size_t)j * (size_t)lda, element(t, kind, n, i, j));
}
#endif
