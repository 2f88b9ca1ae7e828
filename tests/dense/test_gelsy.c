/* gelsy: ranks and shortest solutions beside LAPACK's, in any shape and tiles; fixed columns; scaled numbers, zeros,
 * NaN; LAPACK's and LAPACKE's functions in both layouts; refusals; a graph with what comes after. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <tilework/lapacke.h>

#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
#define COUNT(list)  (sizeof list / sizeof *list)
enum { MOST = 160, RHS = 5 };

static int min_of(int a, int b)
{
    return a < b ? a : b;
}
static int max_of(int a, int b)
{
    return a > b ? a : b;
}
static int is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}

static int lapacks(enum tw_type t, int m, int n, void *a, int lda, void *b, int ldb, int *jpvt, double rcond, int *rank)
{
    const int c = LAPACK_COL_MAJOR;
    return t == TW_FLOAT           ? LAPACKE_sgelsy(c, m, n, RHS, a, lda, b, ldb, jpvt, (float)rcond, rank)
           : t == TW_DOUBLE        ? LAPACKE_dgelsy(c, m, n, RHS, a, lda, b, ldb, jpvt, rcond, rank)
           : t == TW_COMPLEX_FLOAT ? LAPACKE_cgelsy(c, m, n, RHS, a, lda, b, ldb, jpvt, (float)rcond, rank)
                                   : LAPACKE_zgelsy(c, m, n, RHS, a, lda, b, ldb, jpvt, rcond, rank);
}

enum { TILES, ASYNC, DOOR, WAYS };
static int solved(int way, enum tw_type t, int m, int n, void *a, int lda, void *b, int ldb, tw_int *jpvt, double rcond,
                  int *rank, int mb, int nb)
{
    tw_matrix *A, *B;
    tw_sequence *seq;
    tw_int wide = 99;
    int info;

    *rank = 99;
    if (way == DOOR) {
        info = (int)(t == TW_FLOAT           ? tw_sgelsy(m, n, RHS, a, lda, b, ldb, jpvt, (float)rcond, &wide)
                     : t == TW_DOUBLE        ? tw_dgelsy(m, n, RHS, a, lda, b, ldb, jpvt, rcond, &wide)
                     : t == TW_COMPLEX_FLOAT ? tw_cgelsy(m, n, RHS, a, lda, b, ldb, jpvt, (float)rcond, &wide)
                                             : tw_zgelsy(m, n, RHS, a, lda, b, ldb, jpvt, rcond, &wide));
        *rank = (int)wide;
        return info;
    }
    assert_int_equal(tw_matrix_create_tiles(&A, t, TW_GENERAL, m, n, mb, nb, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, lda), 0);
    assert_int_equal(tw_matrix_create_tiles(&B, t, TW_GENERAL, max_of(m, n), RHS, nb, 3, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(B, b, ldb), 0);
    if (way == ASYNC) {
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_gelsy_async(A, jpvt, rcond, rank, B, seq), 0);
        info = tw_sequence_wait(seq);
        assert_int_equal(tw_sequence_destroy(seq), 0);
    } else {
        info = tw_gelsy(A, jpvt, rcond, rank, B);
    }
    assert_int_equal(tw_matrix_to_lapack(A, a, lda), 0);
    assert_int_equal(tw_matrix_to_lapack(B, b, ldb), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(B), 0);
    return info;
}

/* Of that rank, with singular values of one size; m x n. */
static void *of_rank(enum tw_type t, int m, int n, int rank, int lda, uint64_t seed)
{
    void *a = tt_array(t, lda, n), *x = tt_array(t, m, rank), *y = tt_array(t, rank, n);
    tt_z *p = calloc((size_t)(m * n), sizeof *p), *fx, *fy;

    if (rank == min_of(m, n)) {
        tt_random(t, 'G', m, n, a, lda, seed);
    } else {
        tt_random(t, 'G', m, rank, x, m, seed);
        tt_random(t, 'G', rank, n, y, rank, seed + 1);
        fx = tt_full(TT_GENERAL, t, 'G', 'N', m, rank, x, m), fy = tt_full(TT_GENERAL, t, 'G', 'N', rank, n, y, rank);
        tt_multiply(m, n, rank, 1, fx, fy, 0, p);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                tt_put(t, a, (size_t)(i + j * lda), p[i + j * m]);
        free(fx), free(fy);
    }
    free(p), free(x), free(y);
    return a;
}

static double largest(enum tw_type t, int m, const void *x, int ldx, const void *y)
{
    double most = 0;
    for (int j = 0; j < RHS; j++)
        for (int i = 0; i < m; i++) {
            const tt_z v = tt_get(t, x, (size_t)(i + j * ldx)), w = y ? tt_get(t, y, (size_t)(i + j * ldx)) : 0;
            most = fmax(most, cabs(v - w));
        }
    return most;
}

/* Of the triangle of order k, the largest element. */
static double of_triangle(enum tw_type t, int k, const void *a, int lda)
{
    double most = 0;
    for (int j = 0; j < k; j++)
        for (int i = 0; i <= j; i++)
            most = fmax(most, cabs(tt_get(t, a, (size_t)(i + j * lda))));
    return most;
}

static void one(enum tw_type t, int m, int n, int rank, const int *first, int mb, int nb, int way, double by)
{
    const int lda = m + 1, ldb = max_of(m, n) + 2;
    const double rcond = 1e3 * tt_eps(t);
    void *a = of_rank(t, m, n, rank, lda, 601), *b = tt_array(t, ldb, RHS), *f, *g, *x, *y;
    tw_int jpvt[MOST] = {0};
    int theirs[MOST] = {0}, got, want;

    tt_random(t, 'G', m, RHS, b, ldb, 602);
    for (int j = 0; j < RHS; j++)
        for (int i = m; i < n; i++)
            tt_put(t, b, (size_t)(i + j * ldb), 7);
    for (int j = 0; by != 1 && j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, a, (size_t)(i + j * lda), by * tt_get(t, a, (size_t)(i + j * lda)));
    for (int j = 0; first && j < n; j++)
        jpvt[j] = theirs[j] = first[j];
    f = tt_copy(t, lda, n, a), g = tt_copy(t, lda, n, a), x = tt_copy(t, ldb, RHS, b), y = tt_copy(t, ldb, RHS, b);
    tt_expect_info(solved(way, t, m, n, f, lda, x, ldb, jpvt, rcond, &got, mb, nb), 0, "gelsy %d x %d", m, n);
    assert_int_equal(lapacks(t, m, n, g, lda, y, ldb, theirs, rcond, &want), 0);
    if (got != rank || want != rank)
        fail_msg("%c %d x %d: rank %d, LAPACK's %d, of %d", tt_letter(t), m, n, got, want, rank);
    /* of least squares everywhere, and of least norm where A has a null space: LAPACK's residual of both */
    if (rank == min_of(m, n))
        tt_expect("gelsy", t, tt_gels_residual(t, 'N', m, n, RHS, a, lda, b, ldb, x, ldb), max_of(m, n),
                  "%d x %d way %d", m, n, way);
    if (!(largest(t, n, x, ldb, y) <= 2e4 * tt_eps(t) * largest(t, n, y, ldb, NULL)))
        fail_msg("%c %d x %d rank %d way %d: X differs by %g of %g", tt_letter(t), m, n, rank, way,
                 largest(t, n, x, ldb, y), largest(t, n, y, ldb, NULL));
    for (int j = 0; j < n && rank == min_of(m, n); j++)
        assert_int_equal(jpvt[j], theirs[j]);
    for (int j = 0; j < RHS && rank == n && m > n; j++) { /* the residual's norm is in the rows below */
        double mine = 0, lapacks_sum = 0;
        for (int i = n; i < m; i++) {
            mine += pow(cabs(tt_get(t, x, (size_t)(i + j * ldb))), 2);
            lapacks_sum += pow(cabs(tt_get(t, y, (size_t)(i + j * ldb))), 2);
        }
        assert_true(fabs(mine - lapacks_sum) <= 1e3 * tt_eps(t) * lapacks_sum);
    }
    { /* A's triangle is of A's size again, whatever it was scaled by */
        const double mine = of_triangle(t, rank, f, lda), lapacks_own = of_triangle(t, rank, g, lda);
        if (!(mine <= 1.5 * lapacks_own && lapacks_own <= 1.5 * mine))
            fail_msg("%c %d x %d rank %d way %d: T is of size %g, LAPACK's of %g", tt_letter(t), m, n, rank, way, mine,
                     lapacks_own);
    }
    assert_int_equal(tt_touched(t, 'G', max_of(m, n), RHS, x, ldb), 0);
    assert_int_equal(tt_touched(t, 'G', m, n, f, lda), 0);
    free(a), free(b), free(f), free(g), free(x), free(y);
}

static const int cases[][5] = {/* m, n, rank, mb, nb */
                               {1, 1, 1, 4, 4},      {1, 7, 1, 4, 4},      {7, 1, 1, 4, 4},      {30, 30, 30, 8, 8},
                               {30, 30, 11, 8, 8},   {60, 33, 33, 16, 16}, {60, 33, 16, 16, 16}, {33, 60, 33, 16, 16},
                               {33, 60, 17, 16, 16}, {100, 70, 1, 32, 32}, {70, 100, 69, 9, 32}, {90, 50, 49, 50, 7}};

static void beside_lapack(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (size_t k = 0; k < COUNT(cases); k++)
            for (int way = 0; way < WAYS; way++)
                one(t, cases[k][0], cases[k][1], cases[k][2], NULL, cases[k][3], cases[k][4], way, 1);
}

static void fixed_and_scaled(void **state)
{
    int first[MOST];
    (void)state;
    for (int j = 0; j < MOST; j++)
        first[j] = j % 4 == 3;
    FOR_TYPES(t)
        for (int way = 0; way < WAYS; way++) {
            one(t, 60, 33, 33, first, 16, 16, way, 1);
            for (int sign = -1; sign <= 1; sign += 2) {
                const double by = ldexp(1, sign * (is_single(t) ? 110 : 1000));
                one(t, 50, 40, 13, NULL, 16, 16, way, by);
                one(t, 50, 40, 40, NULL, 16, 16, way, by);
            }
        }
}

/* A = 0 gives X = 0, rank 0, and leaves jpvt; an infinite B and NaN give an end. */
static void odd(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int way = 0; way < WAYS; way++)
            for (int what = 0; what < 3; what++) {
                const int m = 40, n = 30;
                void *a = tt_array(t, m, n), *b = tt_array(t, m, RHS);
                tw_int jpvt[30] = {0, 0, 1};
                int rank;
                tt_random(t, 'G', m, n, a, m, 5);
                tt_random(t, 'G', m, RHS, b, m, 6);
                for (int k = 0; what == 0 && k < m * n; k++)
                    tt_put(t, a, (size_t)k, 0);
                if (what == 1) tt_put(t, a, 77, NAN);
                if (what == 2) tt_put(t, b, 7, NAN);
                tt_expect_info(solved(way, t, m, n, a, m, b, m, jpvt, 1e-5, &rank, 16, 16), 0, "odd");
                if (what == 0) {
                    assert_true(rank == 0 && jpvt[0] == 0 && jpvt[2] == 1);
                    assert_true(largest(t, m, b, m, NULL) == 0);
                } else if (what == 2) {
                    assert_int_equal(rank, n);
                    assert_true(isnan(creal(tt_get(t, b, 3))) && !isnan(creal(tt_get(t, b, (size_t)(3 + m)))));
                }
                free(a), free(b);
            }
}

extern int64_t zgelsy64(int, int64_t, int64_t, int64_t, void *, int64_t, void *, int64_t, int64_t *, double,
                        int64_t *) __asm__("tw_LAPACKE_zgelsy_64");

static void lapacke(void **state)
{
    (void)state;
    for (int layout = LAPACK_ROW_MAJOR; layout <= LAPACK_COL_MAJOR; layout++)
        for (int tall = 0; tall < 2; tall++) {
            const int m = tall ? 40 : 22, n = tall ? 22 : 40, columns = layout == LAPACK_COL_MAJOR,
                      lda = (columns ? m : n) + 1, ldb = columns ? 41 : 4;
            double *a = tt_layout_random(TW_DOUBLE, layout, m, n, lda, 7),
                   *f = tt_copy(TW_DOUBLE, lda, columns ? n : m, a),
                   *b = tt_layout_random(TW_DOUBLE, layout, 40, 3, ldb, 8),
                   *x = tt_copy(TW_DOUBLE, ldb, columns ? 3 : 40, b), work[2000], size;
            tt_z *z = tt_layout_random(TW_COMPLEX_DOUBLE, layout, m, n, lda, 7),
                 *w = tt_copy(TW_COMPLEX_DOUBLE, lda, columns ? n : m, z),
                 *c = tt_layout_random(TW_COMPLEX_DOUBLE, layout, 40, 3, ldb, 8),
                 *y = tt_copy(TW_COMPLEX_DOUBLE, ldb, columns ? 3 : 40, c);
            int p[40] = {0}, q[40] = {0}, rank = 99, theirs = 98;
            int64_t p64[40] = {0}, rank64 = 99;

            tt_expect_info(tw_LAPACKE_dgelsy_work(layout, m, n, 3, a, lda, b, ldb, p, 1e-9, &rank, &size, -1), 0,
                           "query");
            assert_true(size >= 22 + 44 && size <= 2000);
            tt_expect_info(tw_LAPACKE_dgelsy_work(layout, m, n, 3, a, lda, b, ldb, p, 1e-9, &rank, work, 22), -13,
                           "short");
            tt_expect_info(tw_LAPACKE_dgelsy_work(layout, m, n, 3, a, lda, b, ldb, p, 1e-9, &rank, work, 2000), 0,
                           "dgelsy");
            tt_expect_info(LAPACKE_dgelsy(layout, m, n, 3, f, lda, x, ldb, q, 1e-9, &theirs), 0, "LAPACKE's");
            assert_int_equal(rank, theirs);
            assert_memory_equal(p, q, (size_t)n * sizeof *p);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < 3; j++)
                    assert_true(fabs(b[tt_layout_at(layout, i, j, ldb)] - x[tt_layout_at(layout, i, j, ldb)]) < 1e-10);
            memset(q, 0, sizeof q);
            tt_expect_info(zgelsy64(layout, m, n, 3, z, lda, c, ldb, p64, 1e-9, &rank64), 0, "zgelsy, 64 bits");
            tt_expect_info(LAPACKE_zgelsy(layout, m, n, 3, (lapack_complex_double *)w, lda, (lapack_complex_double *)y,
                                          ldb, q, 1e-9, &theirs),
                           0, "LAPACKE's");
            assert_int_equal(rank64, theirs);
            for (int j = 0; j < n; j++)
                assert_int_equal(p64[j], q[j]);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < 3; j++)
                    assert_true(cabs(c[tt_layout_at(layout, i, j, ldb)] - y[tt_layout_at(layout, i, j, ldb)]) < 1e-10);
            free(a), free(b), free(f), free(x), free(z), free(w), free(c), free(y);
        }
}

static void refusals(void **state)
{
    double a[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[6] = {1, 2, 3, 4, 5, 6};
    tw_int jpvt[3] = {0}, rank = 9;
    int few[3] = {0}, small;
    tw_matrix *A, *B, *C;

    (void)state;
    tt_expect_info(tw_dgelsy(-1, 3, 1, a, 3, b, 3, jpvt, 0.1, &rank), -1, "m");
    tt_expect_info(tw_dgelsy(3, -1, 1, a, 3, b, 3, jpvt, 0.1, &rank), -2, "n");
    tt_expect_info(tw_dgelsy(3, 3, -1, a, 3, b, 3, jpvt, 0.1, &rank), -3, "nrhs");
    tt_expect_info(tw_dgelsy(3, 3, 1, NULL, 3, b, 3, jpvt, 0.1, &rank), -4, "a");
    tt_expect_info(tw_dgelsy(3, 3, 1, a, 2, b, 3, jpvt, 0.1, &rank), -5, "lda");
    tt_expect_info(tw_dgelsy(3, 3, 1, a, 3, NULL, 3, jpvt, 0.1, &rank), -6, "b");
    tt_expect_info(tw_dgelsy(2, 3, 1, a, 3, b, 2, jpvt, 0.1, &rank), -7, "ldb");
    tt_expect_info(tw_dgelsy(3, 3, 1, a, 3, b, 3, NULL, 0.1, &rank), -8, "jpvt");
    tt_expect_info(tw_dgelsy(3, 3, 1, a, 3, b, 3, jpvt, 0.1, NULL), -10, "rank");
    tt_expect_info(tw_dgelsy(0, 3, 1, NULL, 1, NULL, 3, NULL, 0.1, &rank), 0, "nothing");
    assert_int_equal(rank, 0);
    tt_expect_info(tw_LAPACKE_dgelsy(LAPACK_ROW_MAJOR, 3, 3, 2, a, 3, b, 1, few, 0.1, &small), -8, "ldb");
    tt_expect_info(tw_LAPACKE_dgelsy(LAPACK_ROW_MAJOR, 3, 3, 2, a, 2, b, 2, few, 0.1, &small), -6, "lda");
    tt_expect_info(tw_LAPACKE_dgelsy(LAPACK_COL_MAJOR, 3, 3, 2, a, 3, b, 3, few, NAN, &small), -10, "rcond");
    a[0] = NAN;
    tt_expect_info(tw_LAPACKE_dgelsy(LAPACK_COL_MAJOR, 3, 3, 2, a, 3, b, 3, few, 0.1, &small), -5, "NaN");
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 9, 7, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 9, 2, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_DOUBLE, TW_GENERAL, 7, 2, 4, NULL), 0);
    tt_expect_info(tw_gelsy(NULL, jpvt, 0.1, &small, B), -1, "A");
    tt_expect_info(tw_gelsy(A, NULL, 0.1, &small, B), -2, "jpvt");
    tt_expect_info(tw_gelsy(A, jpvt, 0.1, NULL, B), -4, "rank");
    tt_expect_info(tw_gelsy(A, jpvt, 0.1, &small, C), -5, "B");
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(B), 0);
    assert_int_equal(tw_matrix_destroy(C), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(beside_lapack), cmocka_unit_test(fixed_and_scaled),
                                       cmocka_unit_test(odd), cmocka_unit_test(lapacke), cmocka_unit_test(refusals)};
    return tt_run(tests);
}
