/* Band matrices: their tiles, LAPACK's band arrays in and out, and a band solve made of the dense tasks: Cholesky on
 * the band's tiles, then both triangular solves, against LAPACK's own pbsv. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "tt.h"
#include "algorithms/dense/dense_loops.h"

/* ---- storage ---------------------------------------------------------------------------------------------------- */

static void round_trips(void **state)
{
    static const int cases[][6] = {/* m, n, kl, ku, nb, tiles, or -1 */
                                   {40, 40, 0, 0, 8, 5},  {40, 40, 1, 0, 8, 9},   {40, 40, 8, 8, 8, 13},
                                   {40, 40, 9, 0, 8, 12}, {37, 52, 5, 11, 7, -1}, {52, 37, 11, 5, 7, -1},
                                   {9, 9, 20, 20, 4, 9},  {60, 20, 3, 3, 16, -1}, {1, 1, 0, 0, 3, 1},
                                   {0, 0, 2, 2, 3, 0},    {100, 100, 3, 2, 0, -1}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        TT_TYPES(t) {
            const int m = cases[c][0], n = cases[c][1], kl = cases[c][2], ku = cases[c][3], ld = kl + ku + 3;
            void *ab = tt_array(t, ld, n), *back = tt_array(t, ld, n);
            int tiles = 0;
            tw_matrix *A;

            tt_random(t, 'G', ld, n, ab, ld, 6);
            assert_int_equal(tw_matrix_create_band(&A, t, m, n, kl, ku, cases[c][4]), 0);
            tt_expect_info(tw_matrix_set_band(A, ab, ld), 0, "set");
            for (int j = 0; j < A->nt; j++)
                for (int i = 0; i < A->mt; i++) {
                    const tw_int i0 = i * A->mb, j0 = j * A->nb, i1 = tw_min(i0 + A->mb, m) - 1,
                                 j1 = tw_min(j0 + A->nb, n) - 1;
                    const int in = i1 - j0 >= -ku && i0 - j1 <= kl;
                    assert_int_equal(tw_tile(A, i, j) != NULL, in);
                    tiles += in;
                }
            if (cases[c][5] >= 0) assert_int_equal(tiles, cases[c][5]);
            tt_expect_info(tw_matrix_to_band(A, back, ld), 0, "get");
            assert_int_equal(tw_matrix_destroy(A), 0);
            for (int j = 0; j < n; j++)
                for (int r = 0; r < ld; r++) {
                    const int i = r + j - ku, in = r <= kl + ku && i >= 0 && i < m;
                    const tt_z x = tt_get(t, back, (size_t)(r + j * ld));
                    if (in) assert_true(x == tt_get(t, ab, (size_t)(r + j * ld)));
                    if (!in) assert_true(isnan(creal(x))); /* untouched */
                }
            free(ab), free(back);
        }
}

/* A long, thin band takes the memory of its tiles, not of a grid of n / nb squared. */
static void thin(void **state)
{
    tw_matrix *A;
    (void)state;
    assert_int_equal(tw_matrix_create_band(&A, TW_DOUBLE, 2000000, 2000000, 3, 3, 20), 0);
    assert_int_equal(A->nt, 100000);
    assert_true(A->tall == 3 && A->bytes < (size_t)3 * 100000 * 20 * 24 * 8);
    assert_non_null(tw_tile(A, 99999, 99999));
    assert_non_null(tw_tile(A, 99998, 99999));
    assert_null(tw_tile(A, 99997, 99999));
    assert_null(tw_tile(A, 0, 99999));
    assert_int_equal(tw_matrix_destroy(A), 0);
}

static void refusals(void **state)
{
    double a[64] = {0}, value;
    tw_matrix *A, *G;
    (void)state;
    tt_expect_info(tw_matrix_create_band(NULL, TW_DOUBLE, 9, 9, 1, 1, 4), -1, "NULL");
    tt_expect_info(tw_matrix_create_band(&A, TW_INT32, 9, 9, 1, 1, 4), -2, "type");
    tt_expect_info(tw_matrix_create_band(&A, TW_DOUBLE, -9, 9, 1, 1, 4), -3, "m");
    tt_expect_info(tw_matrix_create_band(&A, TW_DOUBLE, 9, -9, 1, 1, 4), -4, "n");
    tt_expect_info(tw_matrix_create_band(&A, TW_DOUBLE, 9, 9, -1, 1, 4), -5, "kl");
    tt_expect_info(tw_matrix_create_band(&A, TW_DOUBLE, 9, 9, 1, -1, 4), -6, "ku");
    tt_expect_info(tw_matrix_create_band(&A, TW_DOUBLE, 9, 9, 1, 1, -4), -7, "nb");
    assert_null(A);
    assert_int_equal(tw_matrix_create_band(&A, TW_DOUBLE, 9, 9, 1, 1, 4), 0);
    assert_int_equal(tw_matrix_create(&G, TW_DOUBLE, TW_GENERAL, 9, 9, 4, NULL), 0);
    tt_expect_info(tw_matrix_set_band(A, a, 2), -3, "ldab");
    tt_expect_info(tw_matrix_set_band(G, a, 3), -1, "not a band");
    tt_expect_info(tw_matrix_to_lapack(A, a, 9), -1, "a band");
    tt_expect_info(tw_potrf(TW_LOWER, A), -2, "a band");
    tt_expect_info(tw_gemm(TW_NOTRANS, TW_NOTRANS, (tw_scalar){1, 0}, G, A, (tw_scalar){0, 0}, G), -5, "a band");
    tt_expect_info(tw_lange(TW_MAX_NORM, A, &value), -2, "a band");
    tt_expect_info(tw_lantr(TW_MAX_NORM, TW_LOWER, TW_UNIT, A, &value), -4, "a band");
    assert_non_null(strstr(tw_last_message(), "band"));
    assert_int_equal(tw_matrix_destroy(A) | tw_matrix_destroy(G), 0);
}

/* ---- a solve ----------------------------------------------------------------------------------------------------- */

struct solve {
    tw_matrix *A, *B;
};
#define A(i, j) tw_tile(s->A, i, j)
#define B(i, j) tw_tile(s->B, i, j)
/* Rows of tiles below k that the band reaches. */
static int reach(const struct solve *s, int k)
{
    int last = k;
    while (last + 1 < s->A->mt && A(last + 1, k))
        last++;
    return last;
}
/* The right-looking algorithm on the lower band's tiles (LAPACK's pbtrf), and L L^H X = B. What tiles hold beside the
 * band is 0 and stays so. */
static void solve_loop(struct tw_sequence *seq, void *args)
{
    const struct solve *s = args;

    for (int k = 0; k < s->A->nt; k++) {
        tw_task_potrf(seq, 0, 'L', A(k, k), k * s->A->nb, tw_info(seq));
        for (int m = k + 1; m <= reach(s, k); m++)
            tw_task_trsm(seq, 0, 'R', 'L', 'C', 'N', tw_one, A(k, k), A(m, k));
        for (int n = k + 1; n <= reach(s, k); n++) {
            tw_task_herk(seq, 0, 'L', 'N', -1, A(n, k), 1, A(n, n));
            for (int m = n + 1; m <= reach(s, k); m++)
                tw_task_gemm(seq, 0, 'N', 'C', tw_minus_one, A(m, k), A(n, k), tw_one, A(m, n));
        }
    }
    for (int j = 0; j < s->B->nt; j++) {
        for (int k = 0; k < s->A->nt; k++) {
            tw_task_trsm(seq, 0, 'L', 'L', 'N', 'N', tw_one, A(k, k), B(k, j));
            for (int m = k + 1; m <= reach(s, k); m++)
                tw_task_gemm(seq, 0, 'N', 'N', tw_minus_one, A(m, k), B(k, j), tw_one, B(m, j));
        }
        for (int k = s->A->nt - 1; k >= 0; k--) {
            for (int m = k + 1; m <= reach(s, k); m++)
                tw_task_gemm(seq, 0, 'C', 'N', tw_minus_one, A(m, k), B(m, j), tw_one, B(k, j));
            tw_task_trsm(seq, 0, 'L', 'L', 'C', 'N', tw_one, A(k, k), B(k, j));
        }
    }
}

static int lapack(enum tw_type t, int n, int kd, int nrhs, void *ab, int ldab, void *b)
{
    switch (t) {
    case TW_FLOAT: return LAPACKE_spbsv_work(LAPACK_COL_MAJOR, 'L', n, kd, nrhs, ab, ldab, b, n);
    case TW_DOUBLE: return LAPACKE_dpbsv_work(LAPACK_COL_MAJOR, 'L', n, kd, nrhs, ab, ldab, b, n);
    case TW_COMPLEX_FLOAT: return LAPACKE_cpbsv_work(LAPACK_COL_MAJOR, 'L', n, kd, nrhs, ab, ldab, b, n);
    default: return LAPACKE_zpbsv_work(LAPACK_COL_MAJOR, 'L', n, kd, nrhs, ab, ldab, b, n);
    }
}

/* The lower part of a positive definite band matrix as a full array (zeros beside the band), and in LAPACK's band
 * array. */
static void make(enum tw_type t, int n, int kd, void *full, void *ab, int ldab)
{
    tt_spd(t, 'L', n, full, n, 8);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            if (i - j > kd)
                tt_put(t, full, (size_t)(i + j * n), 0);
            else
                tt_put(t, ab, (size_t)(i - j + j * ldab), tt_get(t, full, (size_t)(i + j * n)));
        }
}

static void solves(void **state)
{
    static const int cases[][4] = {/* n, kd, nb, nrhs */ {150, 23, 16, 20},
                                   {150, 0, 16, 3},
                                   {97, 1, 10, 1},
                                   {128, 16, 16, 17},
                                   {60, 59, 16, 4},
                                   {201, 40, 64, 5}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        TT_TYPES(t) {
            const int n = cases[c][0], kd = cases[c][1], nb = cases[c][2], nrhs = cases[c][3], ldab = kd + 2;
            void *a = tt_array(t, n, n), *ab = tt_array(t, ldab, n), *b = tt_array(t, n, nrhs), *x, *l, *y;
            struct solve s;

            make(t, n, kd, a, ab, ldab);
            tt_random(t, 'G', n, nrhs, b, n, 9);
            x = tt_copy(t, n, nrhs, b), y = tt_copy(t, n, nrhs, b), l = tt_copy(t, ldab, n, ab);
            assert_int_equal(tw_matrix_create_band(&s.A, t, n, n, kd, 0, nb), 0);
            assert_int_equal(tw_matrix_set_band(s.A, ab, ldab), 0);
            assert_int_equal(tw_matrix_wrap_tiles(&s.B, t, TW_GENERAL, n, nrhs, x, n, nb, 7), 0);
            tt_expect_info(tw_call("pbsv", solve_loop, &s, 0), 0, "pbsv n=%d kd=%d", n, kd);
            assert_int_equal(tw_matrix_to_band(s.A, l, ldab), 0);
            assert_int_equal(tw_matrix_destroy(s.A) | tw_matrix_destroy(s.B), 0);
            tt_expect("pbsv", t, tt_solve_residual(t, 'L', n, nrhs, a, n, b, n, x, n), kd ? n : 0, "n=%d kd=%d nb=%d",
                      n, kd, nb);
            assert_int_equal(lapack(t, n, kd, nrhs, ab, ldab, y), 0); /* ab becomes LAPACK's factor */
            tt_expect("pbsv vs LAPACK", t, tt_difference(t, 'G', 'N', n, nrhs, x, n, y, n), 0, "n=%d kd=%d", n, kd);
            for (int j = 0; j < n; j++)
                for (int r = 0; r <= kd && r + j < n; r++) {
                    const size_t at = (size_t)(r + j * ldab);
                    assert_true(cabs(tt_get(t, l, at) - tt_get(t, ab, at)) <= 30 * n * tt_eps(t) * sqrt(2.0 * n));
                }
            free(a), free(ab), free(b), free(x), free(y), free(l);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trips), cmocka_unit_test(thin),
                                       cmocka_unit_test(refusals), cmocka_unit_test(solves)};
    return tt_run(tests);
}
