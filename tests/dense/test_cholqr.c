/* cholqr: shapes and tiles, both doors; which way is taken at which condition; scales of columns at both ends of the
 * numbers; zeros, NaN and infinities; refusals; a graph with what comes after. */
#include <complex.h>
#include <math.h>
#include "tt.h"

#define COUNT(list) (sizeof list / sizeof *list)

/* a (m x n) by Q and r; how often Cholesky. */
static int run(enum tw_type t, int m, int n, void *a, int lda, void *r, int mb, int nb, int queued)
{
    tw_matrix *A, *R;
    tw_sequence *seq;
    int choleskys = -1, info;

    assert_int_equal(tw_matrix_create_tiles(&A, t, TW_GENERAL, m, n, mb, nb, NULL), 0);
    assert_int_equal(tw_matrix_create_tiles(&R, t, TW_GENERAL, n, n, nb + 3, nb + 5, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, lda), 0);
    if (queued) {
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_cholqr_async(A, R, &choleskys, seq), 0);
        info = tw_sequence_wait(seq);
        assert_int_equal(tw_sequence_destroy(seq), 0);
    } else {
        info = tw_cholqr(A, R, &choleskys);
    }
    tt_expect_info(info, 0, "%ccholqr %d x %d", tt_letter(t), m, n);
    assert_int_equal(tw_matrix_to_lapack(A, a, lda), 0);
    assert_int_equal(tw_matrix_to_lapack(R, r, n), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(R), 0);
    return choleskys;
}

/* A = Q R, Q's columns orthonormal, R a triangle with zeros below. */
static void judge(enum tw_type t, int m, int n, const void *a, int lda, const void *q, const void *r, const char *what)
{
    tt_z *A = tt_full(TT_GENERAL, t, 'G', 'N', m, n, a, lda), *Q = tt_full(TT_GENERAL, t, 'G', 'N', m, n, q, lda),
         *R = tt_full(TT_GENERAL, t, 'G', 'N', n, n, r, n);

    tt_expect("cholqr", t, tt_equation_residual(t, m, n, n, Q, R, A), 0, "%d x %d %s", m, n, what);
    tt_expect("cholqr: Q", t, tt_orthogonality(t, m, n, Q), 0, "%d x %d %s", m, n, what);
    for (int j = 0; j < n; j++)
        for (int i = j + 1; i < n; i++)
            assert_true(R[i + j * n] == 0);
    free(A), free(Q), free(R);
}

static int right(enum tw_type t, int m, int n, const void *a, int lda, int mb, int nb, int queued, const char *what)
{
    void *q = tt_copy(t, lda, n, a), *r = tt_array(t, n, n);
    const int choleskys = run(t, m, n, q, lda, r, mb, nb, queued);

    judge(t, m, n, a, lda, q, r, what);
    assert_int_equal(tt_touched(t, 'G', m, n, q, lda), 0);
    for (int j = 0; j < n && choleskys == 2; j++) {
        assert_true(creal(tt_get(t, r, (size_t)(j + j * n))) > 0);
        assert_true(cimag(tt_get(t, r, (size_t)(j + j * n))) == 0);
    }
    free(q), free(r);
    return choleskys;
}

static const int shapes[][4] = {{1, 1, 4, 4},      {9, 1, 4, 4},      {90, 7, 16, 16},    {100, 40, 16, 16},
                                {211, 33, 64, 16}, {300, 20, 64, 20}, {301, 20, 60, 32},  {643, 40, 64, 64},
                                {640, 16, 16, 16}, {257, 64, 40, 24}, {500, 90, 500, 90}, {200, 60, 7, 9},
                                {335, 12, 50, 12}};

static void any_shape(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (size_t k = 0; k < COUNT(shapes); k++)
            for (int queued = 0; queued < 2; queued++) {
                const int m = shapes[k][0], n = shapes[k][1], lda = m + 2;
                void *a = tt_array(t, lda, n);
                tt_random(t, 'G', m, n, a, lda, 701 + k);
                assert_int_equal(right(t, m, n, a, lda, shapes[k][2], shapes[k][3], queued, "random"), 2);
                free(a);
            }
}

/* Condition 10^x: which way. In tiles of a tree's shape, or such for panels. */
static int one_condition(enum tw_type t, double x, int tree)
{
    const int m = 400, n = 24;
    char kind[40];
    void *a;
    int choleskys;

    snprintf(kind, sizeof kind, "svd:%g,3", pow(10, x));
    a = tt_generated(t, kind, m, n, 11);
    choleskys = right(t, m, n, a, m, tree ? 64 : 16, tree ? 24 : 16, 0, kind);
    assert_in_range(choleskys, 0, 2);
    if (x <= (tt_single(t) ? 2 : 5.5)) assert_int_equal(choleskys, 2);
    if (x >= (tt_single(t) ? 5 : 9.5)) assert_int_equal(choleskys, 0);
    free(a);
    return choleskys;
}

/* Right at every condition; by Cholesky where that can be, by reflectors where not, and in between by both. */
static void any_condition(void **state)
{
    int seen[3] = {0};
    (void)state;
    for (int tree = 0; tree < 2; tree++) {
        TT_TYPES(t)
            for (int e = 0; e <= 9; e++)
                seen[one_condition(t, tt_single(t) ? e / 1.2 : e * 1.7, tree)]++;
        for (int e = 0; e <= 24; e++)
            seen[one_condition(TW_DOUBLE, 7.4 + e / 20., tree)]++;
    }
    assert_true(seen[0] > 0 && seen[2] > 0); /* the third is a matter of roundings */
    printf("%d times by reflectors, %d after one Cholesky factorization, %d by CholeskyQR2\n", seen[0], seen[1],
           seen[2]);
}

/* Columns from one end of the numbers to the other, whose squares neither type has. */
static void any_scale(void **state)
{
    const int m = 300, n = 20;
    (void)state;
    TT_TYPES(t)
        for (int all = -1; all < 3; all++) { /* each its own; all small, all as they are, all large */
            const int most = tt_single(t) ? 100 : 900;
            void *a = tt_array(t, m, n), *q, *r = tt_array(t, n, n);

            tt_random(t, 'G', m, n, a, m, 31);
            q = tt_copy(t, m, n, a);
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++)
                    tt_put(t, q, (size_t)(i + j * m),
                           tt_get(t, a, (size_t)(i + j * m)) *
                               ldexp(1, all >= 0 ? (all - 1) * most : (j * 7 % n - n / 2) * most / (n / 2)));
            assert_int_equal(run(t, m, n, q, m, r, 64, 20, 0), 2);
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++)
                    tt_put(t, r, (size_t)(i + j * n),
                           tt_get(t, r, (size_t)(i + j * n)) *
                               ldexp(1, all >= 0 ? (1 - all) * most : -(j * 7 % n - n / 2) * most / (n / 2)));
            judge(t, m, n, a, m, q, r, "scaled");
            free(a), free(q), free(r);
        }
}

static void odd_numbers(void **state)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    const int m = 300, n = 20;
    (void)state;
    TT_TYPES(t) {
        void *a = tt_array(t, m, n), *q, *r = tt_array(t, n, n);

        memset(a, 0, (size_t)(m * n) * tt_size(t));
        assert_int_equal(right(t, m, n, a, m, 64, 20, 0, "zeros"), 0);
        assert_int_equal(right(t, m, n, a, m, 16, 16, 0, "zeros"), 0);
        tt_random(t, 'G', m, n, a, m, 32);
        memset((char *)a + (size_t)(7 * m) * tt_size(t), 0, (size_t)m * tt_size(t));
        assert_int_equal(right(t, m, n, a, m, 64, 20, 0, "a column of zeros"), 0);
        for (size_t k = 0; k < COUNT(odd); k++)
            for (int tree = 0; tree < 2; tree++) {
                q = tt_copy(t, m, n, a);
                tt_put(t, q, (size_t)(150 + 3 * m), odd[k]);
                assert_int_equal(run(t, m, n, q, m, r, tree ? 64 : 16, tree ? 20 : 16, 0), 0);
                assert_false(isfinite(creal(tt_get(t, r, (size_t)(3 + 3 * n)))));
                free(q);
            }
        free(a), free(r);
    }
}

static void refusals(void **state)
{
    tw_matrix *A, *R, *L, *W, *S;
    int choleskys = 7;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 8, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&W, TW_DOUBLE, TW_GENERAL, 4, 8, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&R, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&L, TW_DOUBLE, TW_LOWER, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&S, TW_FLOAT, TW_GENERAL, 4, 4, 2, NULL), 0);
    tt_expect_info(tw_cholqr(NULL, R, &choleskys), -1, "A");
    tt_expect_info(tw_cholqr(L, R, &choleskys), -1, "a triangle");
    tt_expect_info(tw_cholqr(W, R, &choleskys), -1, "a wide matrix");
    tt_expect_info(tw_cholqr(A, NULL, &choleskys), -2, "R");
    tt_expect_info(tw_cholqr(A, L, &choleskys), -2, "R a stored triangle");
    tt_expect_info(tw_cholqr(A, S, &choleskys), -2, "R of another type");
    tt_expect_info(tw_cholqr(A, W, &choleskys), -2, "R's shape");
    tt_expect_info(tw_cholqr(R, R, &choleskys), -2, "A as R");
    tt_expect_info(tw_cholqr(A, R, NULL), -3, "choleskys");
    assert_int_equal(choleskys, 7);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(R), 0);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 8, 0, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&R, TW_DOUBLE, TW_GENERAL, 0, 0, 2, NULL), 0);
    assert_int_equal(tw_cholqr(A, R, &choleskys), 0);
    assert_int_equal(choleskys, 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(R), 0);
    assert_int_equal(tw_matrix_destroy(L), 0);
    assert_int_equal(tw_matrix_destroy(W), 0);
    assert_int_equal(tw_matrix_destroy(S), 0);
}

/* Q^H times a copy of A behind it in one sequence is R, whichever way. */
static void before_others(void **state)
{
    static const char *const kinds[] = {"svd:1e2", "svd:1e14"};
    const int m = 300, n = 24;
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        double *a = tt_generated(TW_DOUBLE, kinds[k], m, n, 11), *c = tt_array(TW_DOUBLE, n, n),
               *r = tt_array(TW_DOUBLE, n, n);
        tw_matrix *A, *B, *C, *R;
        tw_sequence *seq;
        int choleskys;

        assert_int_equal(tw_matrix_create_tiles(&A, TW_DOUBLE, TW_GENERAL, m, n, 48, n, NULL), 0);
        assert_int_equal(tw_matrix_create_tiles(&B, TW_DOUBLE, TW_GENERAL, m, n, 48, n, NULL), 0);
        assert_int_equal(tw_matrix_create(&C, TW_DOUBLE, TW_GENERAL, n, n, n, NULL), 0);
        assert_int_equal(tw_matrix_create(&R, TW_DOUBLE, TW_GENERAL, n, n, n, NULL), 0);
        assert_int_equal(tw_matrix_set_lapack(A, a, m), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_lacpy_async(TW_GENERAL, A, B, seq), 0);
        assert_int_equal(tw_cholqr_async(A, R, &choleskys, seq), 0);
        assert_int_equal(tw_gemm_async(TW_CONJTRANS, TW_NOTRANS, (tw_scalar){1, 0}, A, B, (tw_scalar){0, 0}, C, seq),
                         0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(choleskys, k ? 0 : 2);
        assert_int_equal(tw_matrix_to_lapack(C, c, n), 0);
        assert_int_equal(tw_matrix_to_lapack(R, r, n), 0);
        for (int i = 0; i < n * n; i++)
            assert_true(fabs(c[i] - r[i]) < 1e-12);
        assert_int_equal(tw_matrix_destroy(A), 0);
        assert_int_equal(tw_matrix_destroy(B), 0);
        assert_int_equal(tw_matrix_destroy(C), 0);
        assert_int_equal(tw_matrix_destroy(R), 0);
        free(a), free(c), free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_shape),   cmocka_unit_test(any_condition), cmocka_unit_test(any_scale),
        cmocka_unit_test(odd_numbers), cmocka_unit_test(refusals),      cmocka_unit_test(before_others),
    };
    return tt_run(tests);
}
