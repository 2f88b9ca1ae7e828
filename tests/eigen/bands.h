/* Hermitian band matrices for the tests of stage 2, and what is right about their tridiagonal forms: own loops and
 * LAPACK, in double complex. */
#ifndef TESTS_EIGEN_BANDS_H
#define TESTS_EIGEN_BANDS_H
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include "tt.h"

enum kind { RANDOM, GRADED, TRIDIAGONAL, DIAGONAL, ZERO, HUGE_ONES, TINY_ONES, KINDS };
static const char *const kind_name[KINDS] = {"random", "graded", "tridiagonal", "diagonal", "zero", "huge", "tiny"};

struct band_case {
    enum tw_type t;
    int n, b;
    enum kind kind;
    tt_z *full; /* n x n */
};

static tt_z *matrix_of(int n)
{
    tt_z *x = calloc((size_t)n * (size_t)n + 1, sizeof *x);
    if (!x) exit(1);
    return x;
}
static int band_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}

static tt_z band_element(const struct band_case *c, int i, int j)
{
    const int width = c->kind == DIAGONAL ? 0 : c->kind == TRIDIAGONAL ? 1 : c->b;
    const double far = band_single(c->t) ? 1e15 : 1e150;
    tt_z x = tt_uniform(7, i, j) + (tt_complex(c->t) && i != j ? tt_uniform(8, i, j) * I : 0);

    if (i - j > width || c->kind == ZERO) return 0;
    if (c->kind == GRADED) x *= pow(10, -(band_single(c->t) ? 5.0 : 12.0) * (i + j) / (2 * c->n));
    return x * (c->kind == HUGE_ONES ? far : c->kind == TINY_ONES ? 1 / far : 1);
}

/* Both triangles, as the type holds it. */
static void band_make(struct band_case *c)
{
    c->full = matrix_of(c->n);
    for (int j = 0; j < c->n; j++)
        for (int i = j; i < c->n && i <= j + c->b; i++) {
            char one[16];
            tt_put(c->t, one, 0, band_element(c, i, j));
            c->full[i + (size_t)j * (size_t)c->n] = tt_get(c->t, one, 0);
            c->full[j + (size_t)i * (size_t)c->n] = conj(tt_get(c->t, one, 0));
        }
}
/* Columns first … last - 1 in the layout of struct tw_band. */
static void band_columns(const struct band_case *c, int first, int last, void *a, int ld)
{
    for (int j = first; j < last; j++)
        for (int i = j; i < c->n && i - j <= c->b; i++)
            tt_put(c->t, a, (size_t)(i - j) + (size_t)j * (size_t)ld, c->full[i + (size_t)j * (size_t)c->n]);
}

static double band_unit(const struct band_case *c)
{
    const double norm = tt_norm('O', c->n, c->n, c->full);
    return norm * tt_eps(c->t) * c->n;
}
static double band_scaled(const struct band_case *c, double error)
{
    if (isnan(error)) return INFINITY;
    return error == 0 ? 0 : error / band_unit(c);
}

/* |B - Q T Q^H| / (n eps |B|) */
static double band_residual(const struct band_case *c, const double *d, const double *e, const tt_z *q)
{
    const int n = c->n;
    tt_z *qt = matrix_of(n), *adjoint = matrix_of(n), *r = matrix_of(n);
    double error;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const size_t at = i + (size_t)j * (size_t)n;
            qt[at] = q[at] * d[j];
            if (j > 0) qt[at] += q[at - (size_t)n] * e[j - 1];
            if (j + 1 < n) qt[at] += q[at + (size_t)n] * e[j];
            adjoint[j + (size_t)i * (size_t)n] = conj(q[at]);
            r[at] = c->full[at];
        }
    tt_multiply(n, n, n, -1, qt, adjoint, 1, r);
    error = tt_norm('O', n, n, r);
    free(qt), free(adjoint), free(r);
    return band_scaled(c, error);
}

/* max |lambda(T) - lambda(B)| / (n eps |B|), LAPACK's hbev in double complex. */
static double band_values_error(const struct band_case *c, const double *d, const double *e)
{
    const int n = c->n, b = c->b < n ? c->b : n > 0 ? n - 1 : 0;
    tt_z *ab = calloc((size_t)(b + 1) * (size_t)n + 1, sizeof *ab);
    double *w = calloc((size_t)n + 1, sizeof *w), *x = calloc((size_t)n + 1, sizeof *x),
           *y = calloc((size_t)n + 1, sizeof *y);
    double error = 0;

    for (int j = 0; j < n; j++)
        for (int i = j; i < n && i - j <= b; i++)
            ab[i - j + (size_t)j * (size_t)(b + 1)] = c->full[i + (size_t)j * (size_t)n];
    memcpy(x, d, (size_t)n * sizeof *x);
    if (n > 1) memcpy(y, e, (size_t)(n - 1) * sizeof *y);
    assert_int_equal(n ? LAPACKE_zhbev(LAPACK_COL_MAJOR, 'N', 'L', n, b, (void *)ab, b + 1, w, NULL, 1) : 0, 0);
    assert_int_equal(n ? LAPACKE_dsterf(n, x, y) : 0, 0);
    for (int i = 0; i < n; i++)
        error = fabs(w[i] - x[i]) <= error ? error : fabs(w[i] - x[i]);
    free(ab), free(w), free(x), free(y);
    return band_scaled(c, error);
}

/* Below 3, or the test fails; exactly 0 is suspicious where there is something to compute. */
static void band_expect(const char *name, const struct band_case *c, double residual)
{
    const int trivial = c->kind == ZERO || c->kind == DIAGONAL || c->kind == TRIDIAGONAL || c->b == 1;
    tt_expect(name, c->t, residual, trivial ? 0 : c->n, "n %d, b %d, %s", c->n, c->b, kind_name[c->kind]);
    if (!(residual < 3)) fail_msg("%s: %g, n %d, b %d, %s", name, residual, c->n, c->b, kind_name[c->kind]);
}
#endif
