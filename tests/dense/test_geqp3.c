/* geqp3: LAPACK's choice of columns, fixed ones included, in any shape and tiles; norms that cancel, ranks, zeros, NaN;
 * LAPACK's and LAPACKE's functions in both layouts; refusals; a graph with what comes after. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <tilework/lapacke.h>

#include "pivoted.h"

#define FOR_TYPES(t) TT_TYPES(t)
#define COUNT(list)  (sizeof list / sizeof *list)
enum { MOST = 200 };

static int min_of(int a, int b)
{
    return a < b ? a : b;
}

static int lapacks(enum tw_type t, int m, int n, void *a, int lda, int *jpvt, void *tau)
{
    return t == TW_FLOAT           ? LAPACKE_sgeqp3(LAPACK_COL_MAJOR, m, n, a, lda, jpvt, tau)
           : t == TW_DOUBLE        ? LAPACKE_dgeqp3(LAPACK_COL_MAJOR, m, n, a, lda, jpvt, tau)
           : t == TW_COMPLEX_FLOAT ? LAPACKE_cgeqp3(LAPACK_COL_MAJOR, m, n, a, lda, jpvt, tau)
                                   : LAPACKE_zgeqp3(LAPACK_COL_MAJOR, m, n, a, lda, jpvt, tau);
}
static tw_int door(enum tw_type t, int m, int n, void *a, int lda, tw_int *jpvt, void *tau)
{
    return t == TW_FLOAT           ? tw_sgeqp3(m, n, a, lda, jpvt, tau)
           : t == TW_DOUBLE        ? tw_dgeqp3(m, n, a, lda, jpvt, tau)
           : t == TW_COMPLEX_FLOAT ? tw_cgeqp3(m, n, a, lda, jpvt, tau)
                                   : tw_zgeqp3(m, n, a, lda, jpvt, tau);
}

static int in_tiles(enum tw_type t, int m, int n, void *a, int lda, tw_int *jpvt, void *tau, int mb, int nb, int async)
{
    static const struct pivoted which = {tw_geqp3, tw_geqp3_async};
    return pivoted_in_tiles(&which, t, m, n, a, lda, jpvt, tau, mb, nb, async);
}

/* |R(j, j)| of the free columns does not grow, and no column behind has a larger norm from there on, to rounding. */
static void ordered(enum tw_type t, int m, int n, const void *f, int lda, int fixed)
{
    const double slack = 1 + 200 * (double)(m + n) * tt_eps(t),
                 small =
                     20 * tt_eps(t) * cabs(tt_get(t, f, 0)); /* what rounding leaves of columns that depend on others */

    for (int j = fixed; j < min_of(m, n); j++) {
        const double d = cabs(tt_get(t, f, (size_t)(j + j * lda)));
        for (int c = j + 1; c < n; c++) {
            double sum = 0;
            for (int i = j; i <= c && i < m; i++)
                sum += pow(cabs(tt_get(t, f, (size_t)(i + c * lda))), 2);
            if (!(sqrt(sum) <= d * (slack + sqrt(tt_eps(t))) + small))
                fail_msg("%c column %d over %d", tt_letter(t), c, j);
        }
    }
}

/* a as given; which columns are to come first; compared: jpvt has to be LAPACK's. */
static void one(enum tw_type t, int m, int n, const void *a, int lda, const int *first, int mb, int nb, int way,
                int compared)
{
    tw_int jpvt[MOST] = {0};
    int theirs[MOST] = {0}, fixed = 0;
    void *f = tt_copy(t, lda, n, a), *g = tt_copy(t, lda, n, a), *tau = tt_array(t, MOST, 1),
         *other = tt_array(t, MOST, 1);

    for (int j = 0; first && j < n; j++)
        jpvt[j] = 5 * first[j], theirs[j] = first[j], fixed += first[j] != 0;
    tt_expect_info(way == 2 ? door(t, m, n, f, lda, jpvt, tau) : in_tiles(t, m, n, f, lda, jpvt, tau, mb, nb, way), 0,
                   "geqp3");
    assert_int_equal(lapacks(t, m, n, g, lda, theirs, other), 0);
    tt_expect("geqp3", t, tt_geqp3_residual(t, m, n, a, lda, f, lda, jpvt, tau), m < n ? m : n, "%d x %d nb=%d way %d",
              m, n, nb, way);
    assert_int_equal(tt_touched(t, 'G', m, n, f, lda), 0);
    ordered(t, m, n, f, lda, fixed);
    for (int j = 0; j < n && compared; j++)
        if (jpvt[j] != theirs[j])
            fail_msg("%c %d x %d nb=%d: jpvt[%d] = %d, LAPACK's %d", tt_letter(t), m, n, nb, j, (int)jpvt[j],
                     theirs[j]);
    for (int j = 0; j < min_of(m, n) && compared; j++) /* R's diagonal: its signs, too */
        assert_true(cabs(tt_get(t, f, (size_t)(j + j * lda)) - tt_get(t, g, (size_t)(j + j * lda))) <=
                    1e3 * tt_eps(t) * cabs(tt_get(t, g, 0)) * (first ? 10 : 1));
    free(f), free(g), free(tau), free(other);
}

static const int shapes[][4] = {{1, 1, 4, 4},    {1, 9, 4, 4},    {9, 1, 4, 4},      {30, 30, 8, 8},
                                {33, 31, 8, 8},  {31, 33, 8, 8},  {100, 40, 16, 16}, {40, 100, 16, 16},
                                {97, 60, 9, 16}, {60, 97, 40, 7}, {64, 64, 64, 64},  {50, 64, 100, 100}};

static void beside_lapack(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (size_t k = 0; k < COUNT(shapes); k++)
            for (int way = 0; way < 3; way++) {
                const int m = shapes[k][0], n = shapes[k][1], lda = m + 2;
                void *a = tt_array(t, lda, n);
                tt_random(t, 'G', m, n, a, lda, 401 + k);
                one(t, m, n, a, lda, NULL, shapes[k][2], shapes[k][3], way, 1);
                free(a);
            }
}

static void fixed_columns(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (size_t k = 3; k < COUNT(shapes); k++)
            for (int every = 1; every <= 5; every += 2) {
                const int m = shapes[k][0], n = shapes[k][1], lda = m;
                int first[MOST];
                void *a = tt_array(t, lda, n);
                tt_random(t, 'G', m, n, a, lda, 501 + k);
                for (int j = 0; j < n; j++)
                    first[j] = every == 1 ? 1 : j % every == every - 1;
                one(t, m, n, a, lda, first, shapes[k][2], shapes[k][3], (int)k % 3, 1);
                free(a);
            }
}

/* Columns that differ by 1e-6 of themselves and less: their norms cancel in the first steps. And a Kahan matrix, that
 * has ties and cancels late. */
static void cancellation(void **state)
{
    enum { M = 90, N = 60 }; /* below the order from which a residual of 0, of triangles that stay, is odd */
    (void)state;
    FOR_TYPES(t) {
        void *a = tt_array(t, M, N);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++)
                tt_put(t, a, (size_t)(i + j * M),
                       tt_uniform(1, i, j / 10) * (1 + 0.01 * (j / 10)) + pow(10, -1 - j % 10) * tt_uniform(2, i, j));
        for (int way = 0; way < 3; way++)
            one(t, M, N, a, M, NULL, 16, 16, way, 0);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++)
                tt_put(t, a, (size_t)(i + j * M),
                       i > j ? 0 : pow(0.95, i) * (i == j ? 1 : -sqrt(1 - 0.9025)) * (1 - 1e-3 * j));
        for (int way = 0; way < 3; way++)
            one(t, M, N, a, M, NULL, 16, 16, way, 0);
        free(a);
    }
}

/* Rank 7: R's further elements are rounding. The zero matrix; one column that is not zero. */
static void ranks(void **state)
{
    enum { M = 60, N = 50, RANK = 7 };
    (void)state;
    FOR_TYPES(t)
        for (int way = 0; way < 3; way++) {
            tt_z *x = calloc(M * RANK, sizeof *x), *y = calloc(RANK * N, sizeof *y), *p = calloc(M * N, sizeof *p);
            void *a = tt_array(t, M, N), *f, *tau = tt_array(t, N, 1);
            tw_int jpvt[N] = {0};

            for (int k = 0; k < M * RANK; k++)
                x[k] = tt_uniform(1, k, 0);
            for (int k = 0; k < N * RANK; k++)
                y[k] = tt_uniform(2, k, 0);
            tt_multiply(M, N, RANK, 1, x, y, 0, p);
            for (int k = 0; k < M * N; k++)
                tt_put(t, a, (size_t)k, p[k]);
            f = tt_copy(t, M, N, a);
            tt_expect_info(way == 2 ? door(t, M, N, f, M, jpvt, tau) : in_tiles(t, M, N, f, M, jpvt, tau, 16, 16, way),
                           0, "rank");
            tt_expect("geqp3, rank 7", t, tt_geqp3_residual(t, M, N, a, M, f, M, jpvt, tau), N, "way %d", way);
            assert_true(cabs(tt_get(t, f, RANK - 1 + (RANK - 1) * M)) > 0.05);
            for (int j = RANK; j < N; j++)
                assert_true(cabs(tt_get(t, f, (size_t)(j + j * M))) < 1e3 * tt_eps(t));
            for (int what = 0; what < 2; what++) {
                for (int k = 0; k < M * N; k++)
                    tt_put(t, a, (size_t)k, what && k / M == 33 ? 1 + k % M : 0);
                free(f);
                f = tt_copy(t, M, N, a);
                memset(jpvt, 0, sizeof jpvt);
                tt_expect_info(way == 2 ? door(t, M, N, f, M, jpvt, tau)
                                        : in_tiles(t, M, N, f, M, jpvt, tau, 16, 16, way),
                               0, "zeros");
                assert_int_equal(jpvt[0], what ? 34 : 1);
                assert_true((cabs(tt_get(t, f, 0)) > 0) == what);
                for (int j = 1; j < N; j++)
                    assert_true(tt_get(t, f, (size_t)(j + j * M)) == 0);
            }
            memset(jpvt, 0, sizeof jpvt); /* NaN: an end, and a permutation */
            tt_put(t, a, 5 + 7 * M, NAN);
            free(f);
            f = tt_copy(t, M, N, a);
            tt_expect_info(way == 2 ? door(t, M, N, f, M, jpvt, tau) : in_tiles(t, M, N, f, M, jpvt, tau, 16, 16, way),
                           0, "NaN");
            tw_int sum = 0;
            for (int j = 0; j < N; j++)
                sum += jpvt[j] * jpvt[j];
            assert_int_equal(sum, (tw_int)N * (N + 1) * (2 * N + 1) / 6);
            free(x), free(y), free(p), free(a), free(f), free(tau);
        }
}

/* Numbers near the ends of the range. */
static void extremes(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double by = ldexp(1, sign * (t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? 100 : 900));
            void *a = tt_array(t, 40, 30), *f, *g, *tau = tt_array(t, 30, 1);
            tw_int jpvt[30] = {0}, plain[30] = {0};

            tt_random(t, 'G', 40, 30, a, 40, 3);
            g = tt_copy(t, 40, 30, a);
            for (int k = 0; k < 1200; k++)
                tt_put(t, a, (size_t)k, by * tt_get(t, a, (size_t)k));
            f = tt_copy(t, 40, 30, a);
            tt_expect_info(in_tiles(t, 40, 30, g, 40, plain, tau, 8, 8, 0), 0, "as they are");
            tt_expect_info(in_tiles(t, 40, 30, f, 40, jpvt, tau, 8, 8, 0), 0, "times 2^%d", sign);
            assert_memory_equal(jpvt, plain, sizeof plain);
            for (int j = 0; j < 30; j++)
                assert_true(cabs(tt_get(t, f, (size_t)(41 * j)) / by - tt_get(t, g, (size_t)(41 * j))) <
                            1e4 * tt_eps(t));
            free(a), free(f), free(g), free(tau);
        }
}

/* ---- LAPACKE ----------------------------------------------------------------------------------------------------- */

extern int64_t dgeqp364(int, int64_t, int64_t, double *, int64_t, int64_t *, double *) __asm__("tw_LAPACKE_dgeqp3_64");

static void lapacke(void **state)
{
    (void)state;
    for (int layout = LAPACK_ROW_MAJOR; layout <= LAPACK_COL_MAJOR; layout++)
        for (int tall = 0; tall < 2; tall++) {
            enum { LONG = 50, SHORT = 21 };
            const int m = tall ? LONG : SHORT, n = tall ? SHORT : LONG, lda = (layout == LAPACK_COL_MAJOR ? m : n) + 2,
                      lines = layout == LAPACK_COL_MAJOR ? n : m;
            double *a = tt_layout_random(TW_DOUBLE, layout, m, n, lda, 7), *b = tt_copy(TW_DOUBLE, lda, lines, a),
                   *c = tt_copy(TW_DOUBLE, lda, lines, a), tau[LONG], other[LONG], work[1000], size;
            tt_z *z = tt_layout_random(TW_COMPLEX_DOUBLE, layout, m, n, lda, 8),
                 *y = tt_copy(TW_COMPLEX_DOUBLE, lda, lines, z), ztau[LONG], zother[LONG], zwork[1000], zsize;
            double rwork[2 * LONG];
            int p[LONG] = {0, 0, 1}, q[LONG] = {0, 0, 1};
            int64_t w[LONG] = {0, 0, 1};

            tt_expect_info(tw_LAPACKE_dgeqp3(layout, m, n, a, lda, p, tau), 0, "dgeqp3");
            tt_expect_info(LAPACKE_dgeqp3(layout, m, n, b, lda, q, other), 0, "LAPACKE's");
            assert_memory_equal(p, q, (size_t)n * sizeof *p);
            for (int i = 0; i < m; i++)
                for (int j = 0; j < n; j++)
                    assert_true(fabs(a[tt_layout_at(layout, i, j, lda)] - b[tt_layout_at(layout, i, j, lda)]) < 1e-11);
            tt_expect_info(dgeqp364(layout, m, n, c, lda, w, tau), 0, "64 bits");
            for (int j = 0; j < n; j++)
                assert_int_equal(w[j], q[j]);
            assert_memory_equal(a, c, (size_t)lda * (size_t)lines * sizeof *a);
            tt_expect_info(tw_LAPACKE_dgeqp3_work(layout, m, n, a, lda, p, tau, &size, -1), 0, "query");
            assert_true(size >= 3 * n + 1 && size <= 1000);
            tt_expect_info(tw_LAPACKE_dgeqp3_work(layout, m, n, a, lda, p, tau, work, 3 * n), -9, "short lwork");
            memset(p, 0, sizeof p), memset(q, 0, sizeof q);
            tt_expect_info(tw_LAPACKE_zgeqp3_work(layout, m, n, (lapack_complex_double *)z, lda, p,
                                                  (lapack_complex_double *)ztau, (lapack_complex_double *)zwork, n + 1,
                                                  rwork),
                           0, "zgeqp3");
            tt_expect_info(
                LAPACKE_zgeqp3(layout, m, n, (lapack_complex_double *)y, lda, q, (lapack_complex_double *)zother), 0,
                "LAPACKE's");
            assert_memory_equal(p, q, (size_t)n * sizeof *p);
            for (int j = 0; j < min_of(m, n); j++)
                assert_true(cabs(ztau[j] - zother[j]) < 1e-11);
            tt_expect_info(
                tw_LAPACKE_zgeqp3_work(layout, m, n, NULL, lda, NULL, NULL, (lapack_complex_double *)&zsize, -1, NULL),
                0, "query");
            assert_true(creal(zsize) >= n + 1);
            free(a), free(b), free(c), free(z), free(y);
        }
}

/* Without rows columns that are to come first do all the same, as LAPACK's programs count on. */
static void no_rows(void **state)
{
    enum { COLUMNS = 7 };
    double a[1] = {0}, tau[1], work[100]; /* LAPACK asks for one element, and its ormqr for more */
    tw_matrix *A, *T;

    (void)state;
    for (int which = 0; which < 1 << COLUMNS; which += 5) {
        tw_int p[4][COLUMNS];
        int q[COLUMNS], r[COLUMNS];
        for (int j = 0; j < COLUMNS; j++) {
            q[j] = r[j] = which >> j & 1;
            for (int way = 0; way < 4; way++)
                p[way][j] = q[j];
        }
        tt_expect_info(LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, 0, COLUMNS, a, 1, q, tau, work, 100), 0, "LAPACKE's");
        tt_expect_info(tw_LAPACKE_dgeqp3(LAPACK_COL_MAJOR, 0, COLUMNS, a, 1, r, tau), 0, "LAPACKE");
        tt_expect_info(tw_dgeqp3(0, COLUMNS, a, 1, p[0], tau), 0, "LAPACK");
        tt_expect_info(tw_dgeqp3_random(0, COLUMNS, a, 1, p[1], tau), 0, "LAPACK, random");
        assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 0, COLUMNS, 4, NULL), 0);
        assert_int_equal(tw_tau_create(&T, A), 0);
        tt_expect_info(tw_geqp3(A, p[2], T), 0, "matrix");
        tt_expect_info(tw_geqp3_random(A, p[3], T), 0, "matrix, random");
        tw_matrix_destroy(A), tw_matrix_destroy(T);
        assert_memory_equal(r, q, sizeof q);
        for (int j = 0; j < COLUMNS; j++)
            for (int way = 0; way < 4; way++)
                assert_int_equal(p[way][j], q[j]);
    }
}

static void refusals(void **state)
{
    double a[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, tau[3];
    tw_int jpvt[3] = {0};
    int few[3] = {0};
    tw_matrix *A, *T;

    (void)state;
    tt_expect_info(tw_dgeqp3(-1, 3, a, 3, jpvt, tau), -1, "m");
    tt_expect_info(tw_dgeqp3(3, -1, a, 3, jpvt, tau), -2, "n");
    tt_expect_info(tw_dgeqp3(3, 3, NULL, 3, jpvt, tau), -3, "a");
    tt_expect_info(tw_dgeqp3(3, 3, a, 2, jpvt, tau), -4, "lda");
    tt_expect_info(tw_dgeqp3(3, 3, a, 3, NULL, tau), -5, "jpvt");
    tt_expect_info(tw_dgeqp3(3, 3, a, 3, jpvt, NULL), -6, "tau");
    tt_expect_info(tw_dgeqp3(0, 3, NULL, 1, NULL, NULL), 0, "no rows");
    tt_expect_info(tw_dgeqp3(3, 0, NULL, 3, NULL, NULL), 0, "no columns");
    tt_expect_info(tw_LAPACKE_dgeqp3(1, 3, 3, a, 3, few, tau), -1, "layout");
    tt_expect_info(tw_LAPACKE_dgeqp3(LAPACK_ROW_MAJOR, 2, 3, a, 2, few, tau), -5, "lda");
    a[4] = NAN;
    tt_expect_info(tw_LAPACKE_dgeqp3(LAPACK_COL_MAJOR, 3, 3, a, 3, few, tau), -4, "NaN");
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 9, 7, 4, NULL), 0);
    assert_int_equal(tw_tau_create(&T, A), 0);
    tt_expect_info(tw_geqp3(NULL, jpvt, T), -1, "A");
    tt_expect_info(tw_geqp3(A, NULL, T), -2, "jpvt");
    tt_expect_info(tw_geqp3(A, jpvt, NULL), -3, "tau");
    tt_expect_info(tw_geqp3(A, jpvt, A), -3, "tau is A");
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(T), 0);
}

/* Q is formed behind it in one sequence: its columns are orthogonal. */
static void graph(void **state)
{
    enum { M = 120, N = 70 };
    tw_matrix *A, *T;
    tw_sequence *seq;
    tw_int jpvt[N] = {0};
    double *a = tt_array(TW_DOUBLE, M, N);
    tt_z *q;

    (void)state;
    tt_random(TW_DOUBLE, 'G', M, N, a, M, 4);
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_GENERAL, M, N, a, M, 32), 0);
    assert_int_equal(tw_tau_create(&T, A), 0);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_geqp3_async(A, jpvt, T, seq), 0);
    assert_int_equal(tw_ungqr_async(A, T, seq), 0);
    tt_expect_info(tw_sequence_wait(seq), 0, "the sequence");
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(tw_matrix_to_lapack(A, a, M), 0);
    q = tt_full(TT_GENERAL, TW_DOUBLE, 'G', 'N', M, N, a, M);
    tt_expect("geqp3, Q", TW_DOUBLE, tt_orthogonality(TW_DOUBLE, M, N, q), N, "graph");
    assert_true(jpvt[0] >= 1);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(T), 0);
    free(a), free(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside_lapack), cmocka_unit_test(fixed_columns), cmocka_unit_test(cancellation),
        cmocka_unit_test(ranks),         cmocka_unit_test(extremes),      cmocka_unit_test(lapacke),
        cmocka_unit_test(no_rows),       cmocka_unit_test(refusals),      cmocka_unit_test(graph)};
    return tt_run(tests);
}
