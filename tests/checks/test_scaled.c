/* The checks themselves: norms beside sums in long double, and that what cannot be told, for a NaN or an infinite norm,
 * fails wherever it lies. */
#include <complex.h>
#include <float.h>
#include <math.h>

#include "checks/checks.h"
#include "tt.h"

enum { N = 67, LD = 70 };

static int fails(double residual)
{
    return tt_judge(residual, N) == TT_FAIL;
}

static void quotients(void **state)
{
    (void)state;
    assert_true(check_quotient(3, 2) == 1.5);
    assert_true(check_quotient(0, 2) == 0 && check_quotient(0, 0) == 0);
    assert_true(isinf(check_quotient(1, 0)) && isinf(check_quotient(INFINITY, 2)));
    assert_true(isinf(check_quotient(1, INFINITY)) && isinf(check_quotient(0, INFINITY)));
    assert_true(isinf(check_quotient(INFINITY, INFINITY)));
    assert_true(isnan(check_quotient(NAN, 2)) && isnan(check_quotient(0, NAN)) && isnan(check_quotient(NAN, INFINITY)));
    assert_true(check_worse(1, 2) == 2 && check_worse(2, 1) == 2);
    assert_true(isnan(check_worse(NAN, 1)) && isnan(check_worse(1, NAN)));
    assert_true(fails(check_quotient(1, INFINITY)) && fails(check_quotient(0, INFINITY)) && fails(NAN));
}

/* ---- norms ------------------------------------------------------------------------------------------------------- */

/* What is read of the array: the general matrix, or what a triangle stands for. */
static double size(enum tw_type t, const void *a, int hermitian, char uplo, int i, int j)
{
    const int here = uplo == 'G' || (uplo == 'L' ? i >= j : i <= j);
    if (hermitian && i == j) return fabs(creal(tt_get(t, a, (size_t)(i + j * LD))));
    return here ? cabs(tt_get(t, a, (size_t)(i + j * LD))) : hermitian ? cabs(tt_get(t, a, (size_t)(j + i * LD))) : 0;
}

static double by_sums(enum tw_type t, const void *a, int hermitian, char uplo, char norm)
{
    long double most = 0;
    for (int j = 0; j < N; j++) {
        long double sum = 0;
        for (int i = 0; i < N; i++) {
            const double one = size(t, a, hermitian, uplo, norm == 'I' ? j : i, norm == 'I' ? i : j);
            sum = norm == 'M' ? fmaxl(sum, one) : sum + one;
        }
        most = fmaxl(most, sum);
    }
    return (double)most;
}

static void same(double got, double want)
{
    if (!(fabs(got - want) <= 1e-14 * want)) fail_msg("a norm is %.17g, the sums say %.17g", got, want);
}

static void norms(void **state)
{
    (void)state;
    TT_TYPES(t) {
        void *a = tt_array(t, LD, N);
        tt_random(t, 'G', N, N, a, LD, 5);
        same(check_norm_ge(t, N, N, a, LD), by_sums(t, a, 0, 'G', '1'));
        same(check_norm_max(t, N, a, LD), by_sums(t, a, 0, 'G', 'M'));
        for (const char *uplo = "LU"; *uplo; uplo++) {
            same(check_norm_he(t, (enum tw_uplo) * uplo, N, a, LD), by_sums(t, a, 1, *uplo, '1'));
            for (const char *norm = "1IM"; *norm; norm++)
                same(check_norm_tr(t, *norm, (enum tw_uplo) * uplo, N, a, LD), by_sums(t, a, 0, *uplo, *norm));
        }
        free(a);
    }
}

/* A NaN anywhere is told, in the other triangle by those that read it. */
static void nans(void **state)
{
    static const int at[][2] = {{0, 0}, {N - 1, 0}, {40, 7}, {N - 1, N - 1}};
    (void)state;
    TT_TYPES(t)
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            void *a = tt_array(t, LD, N);
            const int diagonal = at[k][0] == at[k][1];
            tt_random(t, 'G', N, N, a, LD, 5);
            tt_put(t, a, (size_t)(at[k][0] + at[k][1] * LD), NAN);
            assert_true(isnan(check_norm_ge(t, N, N, a, LD)) && isnan(check_norm_max(t, N, a, LD)));
            assert_true(isnan(check_norm_he(t, TW_LOWER, N, a, LD)));
            assert_true(isnan(check_norm_he(t, TW_UPPER, N, a, LD)) == diagonal);
            for (const char *norm = "1IM"; *norm; norm++) {
                assert_true(isnan(check_norm_tr(t, *norm, TW_LOWER, N, a, LD)));
                assert_true(isnan(check_norm_tr(t, *norm, TW_UPPER, N, a, LD)) == diagonal);
            }
            free(a);
        }
}

/* Sums of numbers near the largest of single precision. */
static void large_singles(void **state)
{
    const float big = FLT_MAX / 2, a[] = {big, big, big, big, big, big, big, big, big};
    (void)state;
    same(check_norm_ge(TW_FLOAT, 3, 3, a, 3), 3 * (double)big);
    same(check_norm_he(TW_FLOAT, TW_LOWER, 3, a, 3), 3 * (double)big);
    same(check_norm_tr(TW_FLOAT, 'I', TW_UPPER, 3, a, 3), 3 * (double)big);
}

/* ---- planted ----------------------------------------------------------------------------------------------------- */

/* An inverse that is wrong off the diagonal, whose norm times the matrix' overflows: it read 0. And an exact one. */
static void an_infinite_scale_fails(void **state)
{
    double t[] = {1e200, 0, 0, 1e-200}, inverse[] = {1e-200, 3, 0, 1e200}, residual = 0;
    const struct check_array s = {CHECK_TRIANGULAR, TW_DOUBLE, TW_LOWER, TW_NONUNIT, 2, 2, t, 2};
    const struct check_matrix A = check_of_array(&s);

    (void)state;
    assert_int_equal(check_trtri(&A, TW_LOWER, TW_NONUNIT, inverse, 2, &residual), 0);
    assert_true(isinf(residual) && fails(residual));
    inverse[1] = 0;
    assert_int_equal(check_trtri(&A, TW_LOWER, TW_NONUNIT, inverse, 2, &residual), 0);
    assert_true(fails(residual));
}

/* A NaN in the first of three columns, before others that are right. */
static void a_nan_stays(void **state)
{
    enum { M = 80, NRHS = 3 };
    double *a = tt_array(TW_DOUBLE, LD, N), *b = tt_array(TW_DOUBLE, M, NRHS), *x = tt_array(TW_DOUBLE, M, NRHS),
           *tall = tt_array(TW_DOUBLE, M, N), residual = 0;
    struct check_array s = {CHECK_GENERAL, TW_DOUBLE, TW_GENERAL, TW_NONUNIT, N, N, a, LD};
    struct check_matrix A = check_of_array(&s);

    (void)state;
    tt_random(TW_DOUBLE, 'G', N, N, a, LD, 1);
    tt_random(TW_DOUBLE, 'G', M, N, tall, M, 2);
    memset(x, 0, M * NRHS * sizeof *x);
    memset(b, 0, M * NRHS * sizeof *b);
    for (int k = 0; k < 2; k++) {
        x[0] = k ? NAN : 0;
        assert_int_equal(check_solve(&A, TW_NOTRANS, NRHS, x, M, b, M, &residual), 0);
        assert_true(k ? isnan(residual) : residual == 0);
    }
    s.a = tall, s.m = M, s.lda = M;
    A = check_of_array(&s);
    for (int k = 0; k < 2; k++) {
        x[0] = k ? NAN : 0;
        assert_int_equal(check_gels(&A, NRHS, x, M, b, M, &residual), 0);
        assert_true(k ? isnan(residual) : residual == 0);
    }
    free(a), free(b), free(x), free(tall);
}

/* Eigenvalues and singular values of which the first is none. */
static void a_nan_among_values_stays(void **state)
{
    double a[N * N], w[N], error = 0;
    const struct check_array s = {CHECK_HERMITIAN, TW_DOUBLE, TW_LOWER, TW_NONUNIT, N, N, a, N};
    const struct check_matrix A = check_of_array(&s);

    (void)state;
    memset(a, 0, sizeof a);
    for (int i = 0; i < N; i++)
        a[i + i * N] = w[i] = i + 1;
    w[0] = NAN;
    assert_int_equal(check_eigenvalues(&A, w, &error), 0);
    assert_true(isnan(error));
    for (int i = 0; i < N; i++)
        w[i] = N - i;
    w[0] = NAN;
    assert_int_equal(check_singular_values(&A, w, &error), 0);
    assert_true(isnan(error));
}

/* Results whose sums are rounded one after another, as a GPU's of single precision are and products in single precision
 * by OpenBLAS: the check's rounding is not to be theirs, which would leave an error of exactly 0. */
static void sums_like_the_checks(void **state)
{
    enum { n = 64 };
    static float t[n * n], inverse[n * n], product[n * n];
    const struct check_array unit = {CHECK_TRIANGULAR, TW_FLOAT, TW_LOWER, TW_UNIT, n, n, t, n},
                             whole = {CHECK_TRIANGULAR, TW_FLOAT, TW_LOWER, TW_NONUNIT, n, n, t, n};
    const struct check_matrix U = check_of_array(&unit), L = check_of_array(&whole);
    double residual = 0;

    (void)state;
    tt_triangle(TW_FLOAT, 'L', 'N', n, t, n, 7);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            float x = 0, p = 0;
            for (int k = j; k < i; k++)
                x = fmaf(t[i + k * n], k == j ? 1 : inverse[k + j * n], x);
            for (int k = i; k < n; k++)
                p = fmaf(t[k + i * n], t[k + j * n], p);
            inverse[i + j * n] = i == j ? 1 : -x;
            product[i + j * n] = p;
        }
    assert_int_equal(check_trtri(&U, TW_LOWER, TW_UNIT, inverse, n, &residual), 0);
    tt_expect("trtri", TW_FLOAT, residual, n, "unit, by substitution");
    assert_int_equal(check_lauum(&L, TW_LOWER, product, n, &residual), 0);
    tt_expect("lauum", TW_FLOAT, residual, n, "by sums");
}

/* Inverses by substitution, with one rounding a step or two: of many the product cancels to nothing in double
 * precision, as it adds in the same order. They are no exact results, and must not look like results that nobody
 * computed; one in 2048 has no error in long double's 64 bits either. */
static void cancelled(void **state)
{
    int exact = 0;
    (void)state;
    for (int fused = 0; fused < 2; fused++)
        for (int k = 0; k < 200; k++) {
            double c[9] = {0}, f[9] = {0}, residual;
            const double c21 = tt_uniform(5, k, 1), c31 = tt_uniform(5, k, 2), c32 = tt_uniform(5, k, 3);
            const volatile double product = -c21 * c32;
            c[1] = c21, c[2] = c31, c[5] = c32;
            f[1] = -c21, f[5] = -c32;
            f[2] = fused ? -fma(c32, -c21, c31) : -(c31 + product);
            residual = tt_trtri_residual(TW_DOUBLE, 'L', 'U', 3, c, 3, f, 3);
            exact += residual == 0;
            if (!(residual < 3)) fail_msg("matrix %d, fused %d: residual %g", k, fused, residual);
        }
    if (exact > 4) fail_msg("%d of 400 residuals are 0", exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotients),
        cmocka_unit_test(norms),
        cmocka_unit_test(nans),
        cmocka_unit_test(large_singles),
        cmocka_unit_test(a_nan_stays),
        cmocka_unit_test(an_infinite_scale_fails),
        cmocka_unit_test(a_nan_among_values_stays),
        cmocka_unit_test(sums_like_the_checks),
        cmocka_unit_test(cancelled),
    };
    return tt_run(tests);
}
