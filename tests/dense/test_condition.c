/* gecon, pocon, trcon beside LAPACK's: random matrices in both norms, tiles of every kind, entries at both ends of the
 * numbers, inverses whose solves overflow on the way, exact zeros in the first, a middle and the last place, NaN and
 * infinities, sizes of 0, refusals, LAPACKE's functions. */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <tilework/lapacke.h>

#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)

/* which: 0 LAPACKE, 1 LAPACK door, 2 Tilework's LAPACKE, 3 its _work, 4 LAPACKE's _work; layout of all but the door. */
#define GECON(p, T, R, MORE)                                                                                           \
    static int p##gecon(int which, int layout, char norm, int n, const void *a, int lda, double anorm, double *rcond)  \
    {                                                                                                                  \
        static char work[1 << 20], more[1 << 18];                                                                      \
        R r = -1;                                                                                                      \
        const int info = which == 0   ? LAPACKE_##p##gecon(layout, norm, n, a, lda, (R)anorm, &r)                      \
                         : which == 1 ? (int)tw_##p##gecon(norm, n, a, lda, (R)anorm, &r)                              \
                         : which == 2 ? tw_LAPACKE_##p##gecon(layout, norm, n, a, lda, (R)anorm, &r)                   \
                         : which == 3 ? tw_LAPACKE_##p##gecon_work(layout, norm, n, a, lda, (R)anorm, &r,              \
                                                                   (T *)(void *)work, (MORE *)(void *)more)            \
                                      : LAPACKE_##p##gecon_work(layout, norm, n, a, lda, (R)anorm, &r,                 \
                                                                (T *)(void *)work, (MORE *)(void *)more);              \
        *rcond = (double)r;                                                                                            \
        return info;                                                                                                   \
    }                                                                                                                  \
    static int p##trcon(int which, int layout, char norm, char uplo, char diag, int n, const void *a, int lda,         \
                        double *rcond)                                                                                 \
    {                                                                                                                  \
        static char work[1 << 20], more[1 << 18];                                                                      \
        R r = -1;                                                                                                      \
        const int info = which == 0   ? LAPACKE_##p##trcon(layout, norm, uplo, diag, n, a, lda, &r)                    \
                         : which == 1 ? (int)tw_##p##trcon(norm, uplo, diag, n, a, lda, &r)                            \
                         : which == 2 ? tw_LAPACKE_##p##trcon(layout, norm, uplo, diag, n, a, lda, &r)                 \
                         : which == 3 ? tw_LAPACKE_##p##trcon_work(layout, norm, uplo, diag, n, a, lda, &r,            \
                                                                   (T *)(void *)work, (MORE *)(void *)more)            \
                                      : LAPACKE_##p##trcon_work(layout, norm, uplo, diag, n, a, lda, &r,               \
                                                                (T *)(void *)work, (MORE *)(void *)more);              \
        *rcond = (double)r;                                                                                            \
        return info;                                                                                                   \
    }
GECON(s, float, float, int)
GECON(d, double, double, int)
GECON(c, lapack_complex_float, float, float)
GECON(z, lapack_complex_double, double, double)

static int gecon(enum tw_type t, int which, int layout, char norm, int n, const void *a, int lda, double anorm,
                 double *rcond)
{
    int (*const by_type[])(int, int, char, int, const void *, int, double, double *) = {sgecon, dgecon, cgecon, zgecon};
    return by_type[t](which, layout, norm, n, a, lda, anorm, rcond);
}
static int trcon(enum tw_type t, int which, int layout, char norm, char uplo, char diag, int n, const void *a, int lda,
                 double *rcond)
{
    int (*const by_type[])(int, int, char, char, char, int, const void *, int, double *) = {strcon, dtrcon, ctrcon,
                                                                                            ztrcon};
    return by_type[t](which, layout, norm, uplo, diag, n, a, lda, rcond);
}

static double in_tiles(enum tw_type t, char norm, int n, const void *a, int lda, double anorm, int mb, int nb)
{
    double rcond = -1;
    tw_matrix *A;

    assert_int_equal(tw_matrix_create_tiles(&A, t, TW_GENERAL, n, n, mb, nb, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, lda), 0);
    tt_expect_info(tw_gecon(norm == 'I' ? TW_INF_NORM : TW_ONE_NORM, A, anorm, &rcond), 0, "n=%d", n);
    assert_int_equal(tw_matrix_destroy(A), 0);
    return rcond;
}
static double triangle_in_tiles(enum tw_type t, char norm, char uplo, char diag, int n, const void *a, int lda, int nb)
{
    double rcond = -1;
    tw_matrix *A;

    assert_int_equal(tw_matrix_from_lapack(&A, t, (enum tw_uplo)uplo, n, n, a, lda, nb), 0);
    tt_expect_info(tw_trcon(norm == 'I' ? TW_INF_NORM : TW_ONE_NORM, (enum tw_uplo)uplo, (enum tw_diag)diag, A, &rcond),
                   0, "n=%d", n);
    assert_int_equal(tw_matrix_destroy(A), 0);
    return rcond;
}

/* Of the same size; a factor of 3 is what estimates may differ by, though these are the same method. */
static void near(double got, double want, const char *what, enum tw_type t, int n)
{
    if (!(got <= 3 * want && want <= 3 * got))
        fail_msg("%c%s n=%d: %g, LAPACK has %g", tt_letter(t), what, n, got, want);
}

/* LAPACK's factors in a, and the norm of what it was. */
static double factor(enum tw_type t, char norm, int n, void *a, int lda, int info)
{
    int *ipiv = calloc((size_t)n + 1, sizeof *ipiv);
    tt_z *full = tt_full(TT_GENERAL, t, 'G', 'N', n, n, a, lda);
    const double anorm = tt_norm(norm == 'I' ? 'I' : 'O', n, n, full);

    assert_int_equal(tt_lapack_getrf(t, n, n, a, lda, ipiv), info);
    free(full), free(ipiv);
    return anorm;
}

static void random_matrices(void **state)
{
    static const int sizes[][3] = {{1, 1, 1}, {2, 1, 1}, {7, 3, 3}, {40, 16, 16}, {50, 20, 12}, {130, 48, 48}};

    (void)state;
    FOR_TYPES(t)
        for (const char *norm = "1OI"; *norm; norm++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                const int n = sizes[s][0], lda = n + 2;
                void *a = tt_array(t, lda, n);
                double anorm, want, got;

                tt_random(t, 'G', n, n, a, lda, 11);
                anorm = factor(t, *norm, n, a, lda, 0);
                assert_int_equal(gecon(t, 0, LAPACK_COL_MAJOR, *norm, n, a, lda, anorm, &want), 0);
                near(in_tiles(t, *norm, n, a, lda, anorm, sizes[s][1], sizes[s][2]), want, "gecon", t, n);
                assert_int_equal(gecon(t, 1, 0, *norm, n, a, lda, anorm, &got), 0);
                near(got, want, "gecon, LAPACK door", t, n);
                for (const char *uplo = "LU"; *uplo; uplo++)
                    for (const char *diag = "NU"; *diag; diag++) {
                        tt_triangle(t, *uplo, *diag, n, a, lda, 3);
                        assert_int_equal(trcon(t, 0, LAPACK_COL_MAJOR, *norm, *uplo, *diag, n, a, lda, &want), 0);
                        near(triangle_in_tiles(t, *norm, *uplo, *diag, n, a, lda, sizes[s][1]), want, "trcon", t, n);
                        assert_int_equal(trcon(t, 1, 0, *norm, *uplo, *diag, n, a, lda, &got), 0);
                        near(got, want, "trcon, LAPACK door", t, n);
                    }
                free(a);
            }
}

/* The condition does not change with the unit: at both ends of the numbers, where sums and solves overflow. */
static void units(void **state)
{
    enum { N = 60 };

    (void)state;
    FOR_TYPES(t)
        for (int up = -1; up <= 1; up += 2)
            for (const char *norm = "1I"; *norm; norm++) {
                const double unit = t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? pow(10, 32 * up) : pow(10, 300 * up);
                void *a = tt_array(t, N, N);
                double anorm, want, triangle, got;

                tt_random(t, 'G', N, N, a, N, 7);
                anorm = factor(t, *norm, N, a, N, 0);
                assert_int_equal(trcon(t, 0, LAPACK_COL_MAJOR, *norm, 'U', 'N', N, a, N, &triangle), 0);
                assert_int_equal(gecon(t, 0, LAPACK_COL_MAJOR, *norm, N, a, N, anorm, &want), 0);
                for (int j = 0; j < N; j++) /* U in another unit */
                    for (int i = 0; i <= j; i++)
                        tt_put(t, a, (size_t)(i + j * N), unit * tt_get(t, a, (size_t)(i + j * N)));
                near(in_tiles(t, *norm, N, a, N, anorm * unit, 16, 16), want, "gecon", t, N);
                assert_int_equal(gecon(t, 1, 0, *norm, N, a, N, anorm * unit, &got), 0);
                near(got, want, "gecon, LAPACK door", t, N);
                /* (LAPACK's own, single, gives this one up) */
                near(triangle_in_tiles(t, *norm, 'U', 'N', N, a, N, 16), triangle, "trcon", t, N);
                free(a);
            }
}

/* inv(L) has 2^(n - 2) in its corner, which U takes back: the inverse is of ordinary numbers, what lies between is
 * not. */
static void growth_on_the_way(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (const char *norm = "1I"; *norm; norm++) {
            const int single = t == TW_FLOAT || t == TW_COMPLEX_FLOAT, n = single ? 200 : 1300,
                      middle = single ? 100 : 700;
            void *a = tt_array(t, n, n);
            double want, got;

            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++)
                    tt_put(t, a, (size_t)(i + j * n), i > j ? -1 : i < j ? 0 : ldexp(1, i - middle));
            assert_int_equal(gecon(t, 0, LAPACK_COL_MAJOR, *norm, n, a, n, 1, &want), 0);
            assert_true(want > 0 && want < 1e-20);
            got = in_tiles(t, *norm, n, a, n, 1, single ? 48 : 160, single ? 48 : 160);
            near(got, want, "gecon", t, n);
            free(a);
        }
}

static void nothing_finite(void **state)
{
    enum { N = 50 };
    static const int places[] = {0, 24, N - 1};
    static const double bad[] = {0, NAN, INFINITY, -INFINITY};

    (void)state;
    FOR_TYPES(t)
        for (int place = 0; place < 3; place++)
            for (int b = 0; b < 4; b++)
                for (const char *norm = "1I"; *norm; norm++) {
                    void *a = tt_array(t, N, N);
                    double got = -1;
                    tw_matrix *A;

                    tt_random(t, 'G', N, N, a, N, 7);
                    (void)factor(t, *norm, N, a, N, 0);
                    tt_put(t, a, (size_t)(places[place] * (N + 1)), bad[b]);
                    got = in_tiles(t, *norm, N, a, N, 100, 16, 16);
                    assert_true(b > 1 ? got >= 0 : got == 0); /* an infinity's reciprocal may do no harm */
                    assert_true(triangle_in_tiles(t, *norm, 'U', 'N', N, a, N, 16) == 0);
                    assert_int_equal(gecon(t, 1, 0, *norm, N, a, N, 100, &got), 0);
                    assert_true(b > 1 ? got >= 0 : got == 0);
                    assert_int_equal(tw_matrix_from_lapack(&A, t, TW_UPPER, N, N, a, N, 16), 0);
                    assert_int_equal(tw_pocon(TW_UPPER, A, 100, &got), 0);
                    assert_true(b > 1 ? got >= 0 : got == 0);
                    assert_int_equal(tw_matrix_destroy(A), 0);
                    free(a);
                }
}

/* Inverses beyond the numbers, of triangles and factors with ordinary ones. */
static void beyond_the_numbers(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        const int single = t == TW_FLOAT || t == TW_COMPLEX_FLOAT, n = single ? 200 : 1200;
        void *a = tt_array(t, n, n);

        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                tt_put(t, a, (size_t)(i + j * n), i > j ? -1 : i == j);
        assert_true(triangle_in_tiles(t, '1', 'L', 'N', n, a, n, 160) == 0);
        assert_true(in_tiles(t, 'I', n, a, n, 1, 160, 160) == 0);
        free(a);
    }
}

static void same_as_lapacke(void **state)
{
    enum { N = 40, LD = 43 };
    static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR};

    (void)state;
    FOR_TYPES(t)
        for (int l = 0; l < 2; l++)
            for (int which = 2; which < 4; which++)
                for (const char *norm = "1OI"; *norm; norm++) {
                    void *a = tt_array(t, LD, N);
                    double want, got;

                    tt_random(t, 'G', N, N, a, LD, 5);
                    for (int i = 0; i < N; i++)
                        tt_put(t, a, (size_t)(i * (LD + 1)), 5);
                    assert_int_equal(gecon(t, which == 2 ? 0 : 4, layouts[l], *norm, N, a, LD, 20, &want), 0);
                    assert_int_equal(gecon(t, which, layouts[l], *norm, N, a, LD, 20, &got), 0);
                    near(got, want, "LAPACKE gecon", t, N);
                    for (const char *uplo = "LU"; *uplo; uplo++) {
                        assert_int_equal(trcon(t, which == 2 ? 0 : 4, layouts[l], *norm, *uplo, 'N', N, a, LD, &want),
                                         0);
                        assert_int_equal(trcon(t, which, layouts[l], *norm, *uplo, 'N', N, a, LD, &got), 0);
                        near(got, want, "LAPACKE trcon", t, N);
                    }
                    free(a);
                }
}

static void same_codes(void **state)
{
    static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR};
    double r = -1;

    (void)state;
    FOR_TYPES(t)
        for (int l = 0; l < 2; l++)
            for (int which = 0; which < 3; which += 2) {
                void *a = tt_array(t, 8, 8);
                const int L = layouts[l];

                tt_random(t, 'G', 8, 8, a, 8, 5);
                assert_int_equal(gecon(t, which, 7, '1', 8, a, 8, 1, &r), -1);
                assert_int_equal(gecon(t, which, L, 'X', 8, a, 8, 1, &r), -2);
                assert_int_equal(gecon(t, which, L, '1', -1, a, 8, 1, &r), -3);
                assert_int_equal(gecon(t, which, L, '1', 8, a, 7, 1, &r), -5);
                assert_int_equal(gecon(t, which, L, '1', 8, a, 8, -1, &r), -6);
                assert_int_equal(gecon(t, which, L, '1', 8, a, 8, NAN, &r), -6);
                assert_int_equal(trcon(t, which, 7, '1', 'L', 'N', 8, a, 8, &r), -1);
                assert_int_equal(trcon(t, which, L, 'X', 'L', 'N', 8, a, 8, &r), -2);
                assert_int_equal(trcon(t, which, L, '1', 'X', 'N', 8, a, 8, &r), -3);
                assert_int_equal(trcon(t, which, L, '1', 'L', 'X', 8, a, 8, &r), -4);
                assert_int_equal(trcon(t, which, L, '1', 'L', 'N', -1, a, 8, &r), -5);
                assert_int_equal(trcon(t, which, L, '1', 'L', 'N', 8, a, 7, &r), -7);
                tt_put(t, a, 0, NAN);
                assert_int_equal(gecon(t, which, L, '1', 8, a, 8, 1, &r), -4);
                assert_int_equal(trcon(t, which, L, '1', 'L', 'N', 8, a, 8, &r), -6);
                free(a);
            }
}

static void refusals_and_nothing(void **state)
{
    double a[64] = {0}, r = -1;
    tw_matrix *A, *L;
    tw_sequence *seq;

    (void)state;
    tt_expect_info(tw_dgecon('X', 8, a, 8, 1, &r), -1, "norm");
    tt_expect_info(tw_dgecon('M', 8, a, 8, 1, &r), -1, "norm");
    tt_expect_info(tw_dgecon('1', -1, a, 8, 1, &r), -2, "n");
    tt_expect_info(tw_dgecon('1', 8, NULL, 8, 1, &r), -3, "a");
    tt_expect_info(tw_dgecon('1', 8, a, 7, 1, &r), -4, "lda");
    tt_expect_info(tw_dgecon('1', 8, a, 8, NAN, &r), -5, "anorm");
    tt_expect_info(tw_dgecon('1', 8, a, 8, 1, NULL), -6, "rcond");
    tt_expect_info(tw_dgecon('i', 0, NULL, 1, 1, &r), 0, "nothing");
    assert_true(r == 1);
    tt_expect_info(tw_dgecon('o', 8, a, 8, 0, &r), 0, "anorm = 0");
    assert_true(r == 0);
    tt_expect_info(tw_dgecon('o', 8, a, 8, INFINITY, &r), 0, "anorm = Inf");
    assert_true(r == 0);
    tt_expect_info(tw_dtrcon('1', 'L', 'N', 8, a, 8, NULL), -7, "rcond");
    tt_expect_info(tw_dtrcon('1', 'L', 'N', 8, NULL, 8, &r), -5, "a");
    tt_expect_info(tw_dtrcon('1', 'L', 'N', 0, NULL, 1, &r), 0, "nothing");
    assert_true(r == 1);
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_GENERAL, 8, 8, a, 8, 4), 0);
    assert_int_equal(tw_matrix_from_lapack(&L, TW_DOUBLE, TW_LOWER, 8, 8, a, 8, 4), 0);
    assert_int_equal(tw_gecon(TW_MAX_NORM, A, 1, &r), -1);
    assert_int_equal(tw_gecon(TW_ONE_NORM, L, 1, &r), -2);
    assert_int_equal(tw_gecon(TW_ONE_NORM, A, -1, &r), -3);
    assert_int_equal(tw_gecon(TW_ONE_NORM, A, 1, NULL), -4);
    assert_int_equal(tw_trcon(TW_FROBENIUS_NORM, TW_LOWER, TW_UNIT, L, &r), -1);
    assert_int_equal(tw_trcon(TW_ONE_NORM, TW_UPPER, TW_UNIT, L, &r), -4);
    assert_int_equal(tw_trcon(TW_ONE_NORM, TW_LOWER, TW_UNIT, L, NULL), -5);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_gecon_async(TW_ONE_NORM, A, 1, NULL, seq), -4);
    assert_int_equal(tw_trcon_async(TW_ONE_NORM, TW_LOWER, TW_UNIT, L, &r, NULL), -6);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(L), 0);
}

/* Factor, estimate, and overwrite the factors, as one graph: the estimate is of the factors as they were. */
static void one_graph(void **state)
{
    enum { N = 150, NB = 32 };
    const tw_scalar zero = {0, 0};

    (void)state;
    FOR_TYPES(t) {
        void *a = tt_array(t, N, N), *f;
        double rcond = -1, both = -1, want, anorm;
        tw_matrix *A, *P;
        tw_sequence *seq;

        tt_random(t, 'G', N, N, a, N, 1);
        f = tt_copy(t, N, N, a);
        anorm = factor(t, '1', N, f, N, 0);
        assert_int_equal(gecon(t, 0, LAPACK_COL_MAJOR, '1', N, f, N, anorm, &want), 0);
        assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, N, N, a, N, NB), 0);
        assert_int_equal(tw_pivots_create(&P, A), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_getrf_async(A, P, seq), 0);
        assert_int_equal(tw_gecon_async(TW_ONE_NORM, A, anorm, &rcond, seq), 0);
        assert_int_equal(tw_trcon_async(TW_INF_NORM, TW_UPPER, TW_NONUNIT, A, &both, seq), 0);
        assert_int_equal(tw_laset_async(TW_GENERAL, zero, zero, A, seq), 0);
        tt_expect_info(tw_sequence_wait(seq), 0, "the graph");
        assert_int_equal(tw_sequence_destroy(seq), 0);
        near(rcond, want, "gecon in a graph", t, N);
        assert_int_equal(trcon(t, 0, LAPACK_COL_MAJOR, 'I', 'U', 'N', N, f, N, &want), 0);
        near(both, want, "trcon in a graph", t, N);
        assert_int_equal(tw_matrix_destroy(A), 0);
        assert_int_equal(tw_matrix_destroy(P), 0);
        free(a), free(f);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_matrices),    cmocka_unit_test(units),
                                       cmocka_unit_test(growth_on_the_way),  cmocka_unit_test(nothing_finite),
                                       cmocka_unit_test(beyond_the_numbers), cmocka_unit_test(same_as_lapacke),
                                       cmocka_unit_test(same_codes),         cmocka_unit_test(refusals_and_nothing),
                                       cmocka_unit_test(one_graph)};
    int failed;
    if (argc == 1) { /* straight to LAPACK, then through tiles */
        static char out[1 << 18];
        for (int way = 0; way < 2; way++) {
            const int rc = tt_run_self("child",
                                       way ? (const char *[]){"TILEWORK_CROSSOVER=0", "TILEWORK_NB=19", NULL}
                                           : (const char *[]){"TILEWORK_CROSSOVER=1000000", NULL},
                                       200, out, sizeof out);
            printf("==== %s: exit %d\n%s", way ? "tiles" : "straight", rc, out);
            if (rc) return 1;
        }
        return 0;
    }
    (void)argv;
    failed = tt_run(tests);
    return tw_finalize() != 0 || failed;
}
