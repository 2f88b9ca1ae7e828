/* getrf_nopiv, what the rows of all routines do not see: matrices that are not square, in tiles of every kind; exact
 * factors; the first zero pivot in every tile; NaN; refusals; a solve with the factors in the same sequence. */
#include <math.h>

#include "tt.h"

static void random_dominant(enum tw_type t, int m, int n, void *a, int lda)
{
    tt_random(t, 'G', m, n, a, lda, 7);
    for (int i = 0; i < m && i < n; i++)
        tt_put(t, a, (size_t)(i + i * lda), (double)(m > n ? m : n));
}

static tw_int door(enum tw_type t, tw_int m, tw_int n, void *a, tw_int lda)
{
    switch (t) {
    case TW_FLOAT: return tw_sgetrf_nopiv(m, n, a, lda);
    case TW_DOUBLE: return tw_dgetrf_nopiv(m, n, a, lda);
    case TW_COMPLEX_FLOAT: return tw_cgetrf_nopiv(m, n, a, lda);
    default: return tw_zgetrf_nopiv(m, n, a, lda);
    }
}

static void shapes(void **state)
{
    static const int sizes[][4] = {{1, 1, 1, 1},     {7, 3, 2, 2},     {3, 7, 2, 2},     {40, 40, 16, 16},
                                   {50, 33, 16, 16}, {33, 50, 16, 16}, {64, 48, 16, 16}, {45, 60, 20, 12},
                                   {60, 45, 12, 20}, {0, 5, 4, 4}};

    (void)state;
    TT_TYPES(t)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const int m = sizes[s][0], n = sizes[s][1], lda = m + 2;
            void *a = tt_array(t, lda, n), *f;
            tw_matrix *A;

            random_dominant(t, m, n, a, lda);
            f = tt_copy(t, lda, n, a);
            assert_int_equal(tw_matrix_create_tiles(&A, t, TW_GENERAL, m, n, sizes[s][2], sizes[s][3], NULL), 0);
            assert_int_equal(tw_matrix_set_lapack(A, f, lda), 0);
            tt_expect_info(tw_getrf_nopiv(A), 0, "%d x %d", m, n);
            assert_int_equal(tw_matrix_to_lapack(A, f, lda), 0);
            assert_int_equal(tw_matrix_destroy(A), 0);
            tt_expect("getrf_nopiv", t, tt_lu_residual(t, m, n, a, lda, f, lda, NULL), 0, "%d x %d in %d x %d", m, n,
                      sizes[s][2], sizes[s][3]);
            memcpy(f, a, (size_t)lda * (size_t)n * tt_size(t));
            tt_expect_info(door(t, m, n, f, lda), 0, "LAPACK door, %d x %d", m, n);
            tt_expect("getrf_nopiv, LAPACK door", t, tt_lu_residual(t, m, n, a, lda, f, lda, NULL), 0, "%d x %d", m, n);
            assert_int_equal(tt_touched(t, 'G', m, n, f, lda), 0);
            free(a), free(f);
        }
}

/* L and U with two diagonals each, of powers of two: every step is exact, and so are inverses of their blocks. */
enum { N = 20, NB = 6 };
static void bidiagonal(enum tw_type t, tw_int zero, void *a, void *lu)
{
    tt_z l[N] = {0}, d[N], u[N] = {0};

    for (int i = 0; i < N; i++) {
        d[i] = i + 1 == zero ? 0 : i % 3 ? 1 : 2;
        l[i] = i % 2 ? -1 : 1; /* L(i + 1, i) */
        u[i] = i % 4 ? 1 : -1; /* U(i, i + 1) */
    }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            tt_z v = i == j ? d[i] : i == j + 1 ? l[j] : j == i + 1 ? u[i] : 0;
            tt_put(t, lu, (size_t)(i + j * N), v);
            v = i == j ? d[i] + (i ? l[i - 1] * u[i - 1] : 0) : i == j + 1 ? l[j] * d[j] : j == i + 1 ? u[i] : 0;
            tt_put(t, a, (size_t)(i + j * N), v);
        }
}

static int factor(enum tw_type t, void *a)
{
    tw_matrix *A;
    int info;

    assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, N, N, a, N, NB), 0);
    info = tw_getrf_nopiv(A);
    assert_int_equal(tw_matrix_to_lapack(A, a, N), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    return info;
}

static void exact_factors_and_first_zero(void **state)
{
    (void)state;
    TT_TYPES(t) {
        void *a = tt_array(t, N, N), *lu = tt_array(t, N, N);

        bidiagonal(t, 0, a, lu);
        tt_expect_info(factor(t, a), 0, "bidiagonal factors");
        for (size_t i = 0; i < N * N; i++)
            if (tt_get(t, a, i) != tt_get(t, lu, i)) fail_msg("%c: element %zu differs", tt_letter(t), i);
        for (tw_int zero = 1; zero <= N; zero++) {
            bidiagonal(t, zero, a, lu);
            tt_expect_info(factor(t, a), zero, "zero pivot %lld", (long long)zero);
        }
        bidiagonal(t, 0, a, lu);
        tt_put(t, a, 0, 0);
        tt_put(t, a, (size_t)(N * N - 1), NAN);
        tt_expect_info(factor(t, a), 1, "zero, then NaN");
        free(a), free(lu);
    }
}

static void refusals(void **state)
{
    double a[64] = {0};
    tw_matrix *A, *P;
    tw_sequence *seq;

    (void)state;
    tt_expect_info(tw_dgetrf_nopiv(-1, 8, a, 8), -1, "m");
    tt_expect_info(tw_dgetrf_nopiv(8, -1, a, 8), -2, "n");
    tt_expect_info(tw_dgetrf_nopiv(8, 8, NULL, 8), -3, "a");
    tt_expect_info(tw_dgetrf_nopiv(8, 5, a, 7), -4, "lda");
    tt_expect_info(tw_dgetrf_nopiv(0, 5, NULL, 1), 0, "nothing");
    assert_int_equal(tw_getrf_nopiv(NULL), -1);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_LOWER, 8, 8, 4, NULL), 0);
    assert_int_equal(tw_getrf_nopiv(A), -1);
    assert_int_equal(tw_pivots_create(&P, A) == 0 ? tw_getrf_nopiv(P) : -1, -1);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_getrf_nopiv_async(A, seq), -1);
    assert_int_equal(tw_getrf_nopiv_async(A, NULL), -2);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
}

/* Factor and two triangular solves as one graph. */
static void solve_in_one_graph(void **state)
{
    enum { n = 150, nrhs = 20 };
    const tw_scalar one = {1, 0};

    (void)state;
    TT_TYPES(t) {
        void *a = tt_array(t, n, n), *b = tt_array(t, n, nrhs), *x = tt_array(t, n, nrhs);
        tw_matrix *A, *B;
        tw_sequence *seq;

        random_dominant(t, n, n, a, n);
        tt_random(t, 'G', n, nrhs, b, n, 8);
        assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, n, n, a, n, 32), 0);
        assert_int_equal(tw_matrix_from_lapack(&B, t, TW_GENERAL, n, nrhs, b, n, 32), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_getrf_nopiv_async(A, seq), 0);
        assert_int_equal(tw_trsm_async(TW_LEFT, TW_LOWER, TW_NOTRANS, TW_UNIT, one, A, B, seq), 0);
        assert_int_equal(tw_trsm_async(TW_LEFT, TW_UPPER, TW_NOTRANS, TW_NONUNIT, one, A, B, seq), 0);
        tt_expect_info(tw_sequence_wait(seq), 0, "the graph");
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(tw_matrix_to_lapack(B, x, n), 0);
        assert_int_equal(tw_matrix_destroy(A), 0);
        assert_int_equal(tw_matrix_destroy(B), 0);
        tt_expect("getrf_nopiv and trsm", t, tt_general_solve_residual(t, 'N', n, nrhs, a, n, b, n, x, n), n, "n=%d",
                  n);
        free(a), free(b), free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(exact_factors_and_first_zero),
                                       cmocka_unit_test(refusals), cmocka_unit_test(solve_in_one_graph)};
    return tt_run(tests);
}
