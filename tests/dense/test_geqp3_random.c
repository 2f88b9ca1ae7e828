/* geqp3_random: shapes and tiles, all doors; R's diagonal beside the singular values and beside geqp3's; ranks, zeros,
 * NaN, scales; refusals; a graph with what comes after. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include "pivoted.h"

#define COUNT(list) (sizeof list / sizeof *list)
enum { MOST = 220 };

static int min_of(int a, int b)
{
    return a < b ? a : b;
}

static tw_int door(enum tw_type t, int m, int n, void *a, int lda, tw_int *jpvt, void *tau)
{
    return t == TW_FLOAT           ? tw_sgeqp3_random(m, n, a, lda, jpvt, tau)
           : t == TW_DOUBLE        ? tw_dgeqp3_random(m, n, a, lda, jpvt, tau)
           : t == TW_COMPLEX_FLOAT ? tw_cgeqp3_random(m, n, a, lda, jpvt, tau)
                                   : tw_zgeqp3_random(m, n, a, lda, jpvt, tau);
}

static int in_tiles(enum tw_type t, int m, int n, void *a, int lda, tw_int *jpvt, void *tau, int mb, int nb, int way)
{
    static const struct pivoted which = {tw_geqp3_random, tw_geqp3_random_async};
    return pivoted_in_tiles(&which, t, m, n, a, lda, jpvt, tau, mb, nb, way == 1);
}

static double diagonal(enum tw_type t, const void *f, int lda, int j)
{
    return cabs(tt_get(t, f, (size_t)(j + j * lda)));
}

static void right(enum tw_type t, int m, int n, const void *a, int lda, int mb, int nb, int way, void *f)
{
    tw_int jpvt[MOST];
    void *tau = tt_array(t, MOST, 1), *own = f ? f : tt_copy(t, lda, n, a);

    for (int j = 0; j < n; j++)
        jpvt[j] = 0; /* all free */
    tt_expect_info(way == 2 ? door(t, m, n, own, lda, jpvt, tau) : in_tiles(t, m, n, own, lda, jpvt, tau, mb, nb, way),
                   0, "geqp3_random");
    tt_expect("geqp3_random", t, tt_geqp3_residual(t, m, n, a, lda, own, lda, jpvt, tau), min_of(m, n),
              "%d x %d nb=%d way %d", m, n, nb, way);
    assert_int_equal(tt_touched(t, 'G', m, n, own, lda), 0);
    if (!f) free(own);
    free(tau);
}

static const int shapes[][4] = {{1, 1, 4, 4},     {1, 9, 4, 4},    {9, 1, 4, 4},      {30, 30, 8, 8},
                                {33, 31, 8, 8},   {31, 33, 8, 8},  {100, 40, 16, 16}, {40, 100, 16, 16},
                                {97, 60, 9, 16},  {60, 97, 40, 7}, {64, 64, 64, 64},  {50, 64, 100, 100},
                                {5, 200, 16, 16}, {200, 5, 16, 16}};

static void any_shape(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (size_t k = 0; k < COUNT(shapes); k++)
            for (int way = 0; way < 3; way++) {
                const int m = shapes[k][0], n = shapes[k][1], lda = m + 2;
                void *a = tt_array(t, lda, n);
                tt_random(t, 'G', m, n, a, lda, 601 + k);
                right(t, m, n, a, lda, shapes[k][2], shapes[k][3], way, NULL);
                free(a);
            }
}

/* As the caller's jpvt says: `count` first columns, in their order; the others behind them. */
static void expect_first(const tw_int *jpvt, const tw_int *asked, int n)
{
    int count = 0;

    for (int j = 0; j < n; j++)
        if (asked[j]) assert_int_equal(jpvt[count++], j + 1);
    for (int j = count; j < n; j++)
        assert_int_equal(asked[jpvt[j] - 1], 0);
}

/* Every way in which they may end: in front of, within and behind a block, and behind the last row. */
static void fixed_columns(void **state)
{
    static const int sizes[][4] = {
        {30, 30, 8, 8}, {100, 40, 16, 16}, {40, 100, 16, 16}, {97, 60, 9, 16}, {20, 31, 64, 64}};
    (void)state;
    TT_TYPES(t)
        for (size_t k = 0; k < COUNT(sizes); k++)
            for (int every = 1; every <= 5; every++) {
                const int m = sizes[k][0], n = sizes[k][1], way = (int)(k + (size_t)every) % 3;
                void *a = tt_array(t, m, n), *f, *tau = tt_array(t, MOST, 1);
                tw_int jpvt[MOST], asked[MOST];

                tt_random(t, 'G', m, n, a, m, 801 + k);
                f = tt_copy(t, m, n, a);
                for (int j = 0; j < n; j++) /* 1: all; 5: so many that they end with a block */
                    jpvt[j] = asked[j] = every == 1   ? 1
                                         : every == 5 ? j >= n - sizes[k][3] && sizes[k][3] < n ? 9 : 0
                                                      : (j % every == every - 1) * -3;
                tt_expect_info(way == 2 ? door(t, m, n, f, m, jpvt, tau)
                                        : in_tiles(t, m, n, f, m, jpvt, tau, sizes[k][2], sizes[k][3], way),
                               0, "geqp3_random");
                expect_first(jpvt, asked, n);
                tt_expect("geqp3_random, fixed columns", t, tt_geqp3_residual(t, m, n, a, m, f, m, jpvt, tau),
                          min_of(m, n), "%d x %d every %d", m, n, every);
                free(a), free(f), free(tau);
            }
}

/* Columns 0, 3, 6, ... come first; others are a thousand times as large and lie in the span of these but for a small
 * part, or are small and do not: who looks at what the first ones leave takes the latter, who does not the former.
 * Sizes and tiles such that they end within a block and with one. As large as geqp3's |R| is what there is. */
static void what_they_leave(void **state)
{
    static const int tiles[] = {16, 20, 30, 64};
    const int n = 120, fixed = 40;
    (void)state;
    for (size_t k = 0; k < COUNT(tiles); k++)
        for (int zeros = 0; zeros < 2; zeros++) { /* the first two of those that come first are zero */
            double *a = tt_array(TW_DOUBLE, n, n), *f, *c, tau[MOST], *v = tt_array(TW_DOUBLE, MOST, 1);
            tw_int jpvt[MOST] = {0}, theirs[MOST] = {0}, asked[MOST] = {0};

            tt_random(TW_DOUBLE, 'G', n, n, a, n, 77);
            for (int j = 0; j < n; j++)
                if (j % 3 == 0) jpvt[j] = theirs[j] = asked[j] = 1;
            for (int j = 1; j < n; j += 3) /* a combination of three of the first, and 1e-6 of itself */
                for (int i = 0; i < n; i++)
                    a[i + j * n] =
                        1e3 * (a[i + (j - 1) * n] + a[i + (j + 38) % n / 3 * 3 * n] - a[i + (j + 71) % n / 3 * 3 * n]) +
                        1e-6 * a[i + j * n];
            for (int i = 0; zeros && i < n; i++)
                a[i] = a[i + 3 * n] = 0;
            f = tt_copy(TW_DOUBLE, n, n, a), c = tt_copy(TW_DOUBLE, n, n, a);
            assert_int_equal(in_tiles(TW_DOUBLE, n, n, f, n, jpvt, v, tiles[k], tiles[k], 0), 0);
            expect_first(jpvt, asked, n);
            tt_expect("geqp3_random, fixed columns", TW_DOUBLE, tt_geqp3_residual(TW_DOUBLE, n, n, a, n, f, n, jpvt, v),
                      n, "tiles of %d", tiles[k]);
            assert_int_equal(tw_dgeqp3(n, n, c, n, theirs, tau), 0);
            for (int j = fixed; j < n; j++) {
                const double mine = diagonal(TW_DOUBLE, f, n, j), its = diagonal(TW_DOUBLE, c, n, j);
                if (!(mine <= 30 * its + 1e-9 && mine >= its / 30 - 1e-9))
                    fail_msg("tiles of %d: |R(%d, %d)| = %g, geqp3's %g", tiles[k], j, j, mine, its);
            }
            free(a), free(f), free(c), free(v);
        }
}

/* Of what io/dense/generate.c makes: |R(j, j)| within 10 times of the singular value, and no smaller than a tenth of
 * geqp3's. */
static void reveals(void **state)
{
    static const char *const kinds[] = {"svd:1e10", "svd:1e3,2", "graded", "lowrank:23"};
    const int n = 200;
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        tw_generator *g;
        double *a = tt_array(TW_DOUBLE, n, n), *f, *c, *tau = tt_array(TW_DOUBLE, n, 1), s[MOST], super[MOST];
        tw_int jpvt[MOST] = {0};

        assert_int_equal(tw_generator_create(&g, kinds[k], TW_DOUBLE, n, n, 7), 0);
        assert_int_equal(tw_generator_block(g, 0, 0, n, n, a, n), 0);
        tw_generator_destroy(g);
        f = tt_copy(TW_DOUBLE, n, n, a), c = tt_copy(TW_DOUBLE, n, n, a);
        right(TW_DOUBLE, n, n, a, n, 32, 32, 0, f);
        assert_int_equal(in_tiles(TW_DOUBLE, n, n, c, n, jpvt, tau, 32, 32, 0), 0);
        assert_memory_equal(c, f, (size_t)n * (size_t)n * sizeof *f); /* the sketch's numbers are always the same */
        memcpy(c, a, (size_t)n * (size_t)n * sizeof *c);
        assert_int_equal(LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', n, n, c, n, s, NULL, 1, NULL, 1, super), 0);
        for (int j = 0; j < n; j++) {
            const double d = diagonal(TW_DOUBLE, f, n, j), noise = 100 * n * 1.1e-16 * s[0];
            if (!(d <= 10 * s[j] + noise && d >= s[j] / 10 - noise))
                fail_msg("%s: |R(%d, %d)| = %g, the singular value %g", kinds[k], j, j, d, s[j]);
        }
        free(a), free(f), free(c), free(tau);
    }
}

/* Kahan's matrix, on which norms alone mislead: no worse than geqp3. */
static void kahan(void **state)
{
    const int n = 160;
    double *a = tt_array(TW_DOUBLE, n, n), *f, *c, tau[MOST];
    tw_int jpvt[MOST] = {0};
    tw_generator *g;
    (void)state;
    assert_int_equal(tw_generator_create(&g, "kahan", TW_DOUBLE, n, n, 1), 0);
    assert_int_equal(tw_generator_block(g, 0, 0, n, n, a, n), 0);
    tw_generator_destroy(g);
    f = tt_copy(TW_DOUBLE, n, n, a), c = tt_copy(TW_DOUBLE, n, n, a);
    right(TW_DOUBLE, n, n, a, n, 32, 32, 0, f);
    assert_int_equal(tw_dgeqp3(n, n, c, n, jpvt, tau), 0);
    assert_true(diagonal(TW_DOUBLE, f, n, n - 1) <= 10 * diagonal(TW_DOUBLE, c, n, n - 1));
    free(a), free(f), free(c);
}

static void zeros_and_odd_numbers(void **state)
{
    const int n = 60;
    (void)state;
    TT_TYPES(t) {
        void *a = tt_array(t, n, n), *f, *tau = tt_array(t, n, 1);
        tw_int jpvt[MOST] = {0};
        memset(a, 0, (size_t)(n * n) * tt_size(t));
        right(t, n, n, a, n, 16, 16, 0, NULL);
        tt_random(t, 'G', n, n, a, n, 3);
        for (int j = 0; j < n * n; j++) /* far below and above 1 */
            tt_put(t, a, (size_t)j, tt_get(t, a, (size_t)j) * (t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? 1e15 : 1e150));
        right(t, n, n, a, n, 16, 16, 0, NULL);
        tt_put(t, a, 5 + 7 * (size_t)n, NAN);
        f = tt_copy(t, n, n, a);
        assert_int_equal(in_tiles(t, n, n, f, n, jpvt, tau, 16, 16, 0),
                         0); /* it ends; what is NaN is said nowhere, as by geqp3 */
        free(a), free(f), free(tau);
    }
}

static void refusals(void **state)
{
    tw_matrix *A, *L, *V;
    tw_int jpvt[4] = {3, 3, 3, 3};
    double a[16], tau[4];
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&L, TW_DOUBLE, TW_LOWER, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_tau_create(&V, A), 0);
    tt_expect_info(tw_geqp3_random(NULL, jpvt, V), -1, "A");
    tt_expect_info(tw_geqp3_random(L, jpvt, V), -1, "a triangle");
    tt_expect_info(tw_geqp3_random(A, NULL, V), -2, "jpvt");
    tt_expect_info(tw_geqp3_random(A, jpvt, NULL), -3, "tau");
    tt_expect_info(tw_geqp3_random(A, jpvt, A), -3, "A as tau");
    tt_expect_info(tw_dgeqp3_random(-1, 4, a, 4, jpvt, tau), -1, "m");
    tt_expect_info(tw_dgeqp3_random(4, -1, a, 4, jpvt, tau), -2, "n");
    tt_expect_info(tw_dgeqp3_random(4, 4, NULL, 4, jpvt, tau), -3, "a");
    tt_expect_info(tw_dgeqp3_random(4, 4, a, 3, jpvt, tau), -4, "lda");
    tt_expect_info(tw_dgeqp3_random(4, 4, a, 4, NULL, tau), -5, "jpvt");
    tt_expect_info(tw_dgeqp3_random(4, 4, a, 4, jpvt, NULL), -6, "tau");
    assert_int_equal(tw_dgeqp3_random(0, 4, a, 1, jpvt, tau), 0);
    assert_int_equal(jpvt[2], 3); /* nothing was done, as by geqp3 */
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(L), 0);
    assert_int_equal(tw_matrix_destroy(V), 0);
}

/* Q^H B behind it in one sequence. */
static void before_others(void **state)
{
    const int n = 90;
    double *a = tt_array(TW_DOUBLE, n, n), *f, *b;
    tw_int jpvt[MOST] = {0};
    tw_matrix *A, *V, *B;
    tw_sequence *seq;
    (void)state;
    tt_random(TW_DOUBLE, 'G', n, n, a, n, 9);
    f = tt_copy(TW_DOUBLE, n, n, a), b = tt_copy(TW_DOUBLE, n, n, a);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, n, n, 32, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, n, n, 32, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, n), 0);
    assert_int_equal(tw_matrix_set_lapack(B, b, n), 0);
    assert_int_equal(tw_tau_create(&V, A), 0);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_geqp3_random_async(A, jpvt, V, seq), 0);
    assert_int_equal(tw_unmqr_async(TW_LEFT, TW_CONJTRANS, A, V, B, seq), 0);
    assert_int_equal(tw_sequence_wait(seq), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(tw_matrix_to_lapack(A, f, n), 0);
    assert_int_equal(tw_matrix_to_lapack(B, b, n), 0);
    for (int j = 0; j < n; j++) /* B was A: Q^H A P = R */
        for (int i = 0; i < n; i++)
            assert_true(fabs(b[i + (jpvt[j] - 1) * n] - (i <= j ? f[i + j * n] : 0)) < 1e-12);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(B), 0);
    assert_int_equal(tw_matrix_destroy(V), 0);
    free(a), free(f), free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_shape), cmocka_unit_test(fixed_columns), cmocka_unit_test(what_they_leave),
        tt_test_of_bits(reveals),    cmocka_unit_test(kahan),         cmocka_unit_test(zeros_and_odd_numbers),
        cmocka_unit_test(refusals),  cmocka_unit_test(before_others),
    };
    return tt_run(tests);
}
