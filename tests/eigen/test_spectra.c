/* syevd of dense matrices with given spectra, at the orders where something changes, over the range of numbers, by both
 * routes of tasks and by LAPACK's. Some of the product here; `test_spectra all` (ctest -C long -L eigen-spectra) takes
 * all of it. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/checks.h"
#include "eigen/tridiagonal.h"
#include "tt.h"

enum { B = 8, NB = 24 };
enum spectrum { UNIFORM, CLUSTERED, GEOMETRIC, ARITHMETIC, REPEATED, PAIRS, ONE_TINY, ONE_LARGE, SPECTRA };
static const char *const spectra[] = {"uniform",  "clustered", "geometric", "arithmetic",
                                      "repeated", "+- pairs",  "one tiny",  "one large"};
static const char *const scales[] = {"", ", large", ", small"}, *const routes[] = {"two", "one", "lapack"};
static int all;

static int is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}
static double scale_of(enum tw_type t, int scale)
{
    return scale == 0 ? 1 : pow(10, (scale == 1 ? 1 : -1) * (is_single(t) ? 15 : 150));
}

static double eigenvalue(enum tw_type t, enum spectrum s, int n, int k)
{
    const double x = n > 1 ? (double)k / (n - 1) : 1, eps = tt_eps(t);

    switch (s) {
    case CLUSTERED: return k < n / 2 ? 1 + k * eps : 2 + tt_uniform(31, k, 0) * 1e-3;
    case GEOMETRIC: return pow(10, -12 * x);
    case ARITHMETIC: return 1 - (1 - eps) * x;
    case REPEATED: return k % 3 - 1;
    case PAIRS: return (k % 2 ? -1 : 1) * (1 + k / 2);
    case ONE_TINY: return k == n / 2 ? eps * eps : 1 + x;
    case ONE_LARGE: return k == n / 3 ? 1 / eps : tt_uniform(32, k, 0);
    default: return tt_uniform(33, k, 0);
    }
}

/* A := H A H with a reflector H = I - 2 u u^H of random numbers; A is full, hermitian. */
static void reflect(enum tw_type t, int n, tt_z *a, int seed)
{
    tt_z *u = calloc((size_t)n + 1, sizeof *u), *v = calloc((size_t)n + 1, sizeof *v), uv = 0;
    double norm = 0;

    for (int i = 0; i < n; i++) {
        u[i] = tt_uniform((uint64_t)seed, i, 0) + (tt_complex(t) ? tt_uniform((uint64_t)seed + 1, i, 0) * I : 0);
        norm += creal(u[i] * conj(u[i]));
    }
    for (int i = 0; i < n; i++)
        u[i] /= sqrt(norm);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            v[i] += a[i + (size_t)j * (size_t)n] * u[j];
    for (int i = 0; i < n; i++)
        uv += conj(u[i]) * v[i];
    for (int i = 0; i < n; i++) /* A - 2 u w^H - 2 w u^H with w = A u - (u^H A u) u */
        v[i] -= uv * u[i];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            a[i + (size_t)j * (size_t)n] -= 2 * (u[i] * conj(v[j]) + v[i] * conj(u[j]));
    free(u), free(v);
}

/* A full matrix: spectrum s, or of the tridiagonal kinds beyond them. */
static tt_z *matrix(enum tw_type t, int kind, int n)
{
    tt_z *a = calloc((size_t)n * (size_t)n + 1, sizeof *a);

    if (kind < SPECTRA) {
        for (int k = 0; k < n; k++)
            a[(size_t)k * (size_t)(n + 1)] = eigenvalue(t, (enum spectrum)kind, n, k);
        reflect(t, n, a, 41), reflect(t, n, a, 43);
    } else {
        double *d = calloc((size_t)n + 1, sizeof *d), *e = calloc((size_t)n + 1, sizeof *e);
        tt_tridiagonal(t, (enum tt_tridiagonal)(kind - SPECTRA), n, d, e);
        for (int i = 0; i < n; i++) {
            a[(size_t)i * (size_t)(n + 1)] = d[i];
            if (i + 1 < n) a[(size_t)i * (size_t)(n + 1) + 1] = a[(size_t)(i + 1) * (size_t)(n + 1) - 1] = e[i];
        }
        free(d), free(e);
    }
    return a;
}
static const char *name(int kind)
{
    return kind < SPECTRA ? spectra[kind] : tt_tridiagonals[kind - SPECTRA];
}

/* The uplo triangle as t has it; NaN in the other one. */
static void one(enum tw_type t, int kind, int n, char uplo, int scale, const char *route)
{
    const int lda = n + 2;
    const double factor = scale_of(t, scale);
    tt_z *full = matrix(t, kind, n);
    void *a = tt_array(t, lda, n), *before;
    double *w = malloc(((size_t)n + 1) * sizeof *w), residual[2], error;
    struct tt_place p;
    tw_matrix *A;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if (uplo == 'L' ? i >= j : i <= j)
                tt_put(t, a, (size_t)i + (size_t)j * (size_t)lda, factor * full[i + (size_t)j * (size_t)n]);
    before = tt_copy(t, lda, n, a);
    setenv("TILEWORK_ROUTE", route, 1);
    A = tt_enter(&p, TT_CREATED, t, TW_GENERAL, n, n, a, lda, NB);
    tt_expect_info(tw_syevd(TW_VECTORS, (enum tw_uplo)uplo, A, w, A), 0, "%s, %c, n = %d%s, %s", name(kind), uplo, n,
                   scales[scale], route);
    tt_leave(&p);
    const struct check_array array = {CHECK_HERMITIAN, t, (enum tw_uplo)uplo, TW_NONUNIT, n, n, before, lda};
    const struct check_matrix source = check_of_array(&array);
    for (int k = 0; k + 1 < n; k++)
        assert_true(w[k] <= w[k + 1]);
    assert_int_equal(check_syevd(&source, n, w, a, lda, residual), 0);
    assert_int_equal(check_eigenvalues(&source, w, &error), 0);
    tt_expect("|A Z - Z w|", t, residual[0], 0, "%s, %c, n = %d%s, %s", name(kind), uplo, n, scales[scale], route);
    tt_expect("|Z^H Z - I|", t, residual[1], 0, "%s, %c, n = %d%s, %s", name(kind), uplo, n, scales[scale], route);
    tt_expect("|w - LAPACK's|", t, error, 0, "%s, %c, n = %d%s, %s", name(kind), uplo, n, scales[scale], route);
    free(full), free(a), free(before), free(w);
    unsetenv("TILEWORK_ROUTE");
}

/* Huge and tiny tridiagonal matrices are at the range's ends already. */
static int scale_for(int kind, int scale)
{
    return kind == SPECTRA + TT_T_HUGE || kind == SPECTRA + TT_T_TINY ? 0 : scale;
}

static void kinds(void **state)
{
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t)
        for (int kind = 0; kind < SPECTRA + TT_TRIDIAGONALS; kind++)
            for (int scale = 0; scale < 3; scale++)
                for (int k = 0; k < 6; k++) /* both triangles, three routes */
                    if (all || k == (kind + scale + (int)t) % 6)
                        one(t, kind, 73, "LU"[k % 2], scale_for(kind, scale), routes[k / 2]);
    unsetenv("TILEWORK_BAND");
}

static void orders(void **state)
{
    static const int ns[] = {0, 1, 2, 3, B - 1, B, B + 1, NB - 1, NB, NB + 1, 97};
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t)
        for (size_t i = 0; i < sizeof ns / sizeof *ns; i++)
            for (int kind = 0; kind < SPECTRA; kind++)
                for (int k = 0; k < 6; k++)
                    if (all || (kind == (int)i % SPECTRA && k == (int)(i + (size_t)t) % 6))
                        one(t, kind, ns[i], "LU"[k % 2], 0, routes[k / 2]);
    unsetenv("TILEWORK_BAND");
}

/* Orders of use, with the band that is chosen. */
static void large(void **state)
{
    static const int ns[] = {1000, 1537, 2500};
    (void)state;
    for (int i = 0; all && i < 3; i++)
        TT_TYPES(t)
            for (int kind = 0; kind < SPECTRA; kind++)
                one(t, kind, ns[i], "LU"[(kind + i) % 2], (kind + (int)t) % 3, routes[kind % 2]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds), cmocka_unit_test(orders), cmocka_unit_test(large)};

    all = argc > 1 && !strcmp(argv[1], "all");
    return tt_run(tests);
}
