/* gepolar: polar decompositions of matrices of every condition, shape, scale and tiling; the steps it takes; dependent
 * columns; a graph. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/checks.h"
#include "tt.h"

#define COUNT(list) ((int)(sizeof list / sizeof *list))

static int is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}

static void judge(enum tw_type t, int m, int n, const void *a, int lda, const void *u, int ldu, const void *h, int ldh,
                  const char *what)
{
    static const char *const names[] = {"|A - U H|", "|U^H U - I|", "H hermitian, >= 0"};
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, m, n, a, lda};
    const struct check_matrix A = check_of_array(&array);
    double residual[3];

    assert_int_equal(check_gepolar(&A, u, ldu, h, ldh, residual), 0);
    for (int k = 0; k < 3; k++)
        tt_expect(names[k], t, residual[k], 0, "%s, %d x %d", what, m, n);
}

static void one(enum tw_type t, const char *kind, int m, int n, int nb, int nb_h, double scale)
{
    const int lda = m + 2, ldh = n + 1;
    void *a = tt_array(t, lda, n), *u, *h = tt_array(t, ldh, n);
    tw_generator *g;
    struct tt_place pa, ph;
    tw_matrix *A, *H;
    double steps = 0;

    assert_int_equal(tw_generator_create(&g, kind, t, m, n, 5), 0);
    assert_int_equal(tw_generator_block(g, 0, 0, m, n, a, lda), 0);
    tw_generator_destroy(g);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, a, (size_t)i + (size_t)j * (size_t)lda,
                   scale * tt_get(t, a, (size_t)i + (size_t)j * (size_t)lda));
    u = tt_copy(t, lda, n, a);
    A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, u, lda, nb);
    H = tt_enter(&ph, TT_CREATED, t, TW_GENERAL, n, n, h, ldh, nb_h);
    tt_expect_info(tw_gepolar(A, H), 0, "%s, %d x %d", kind, m, n);
    assert_int_equal(tw_figure("steps", &steps), 1);
    assert_true(steps >= 1 && steps <= 6);
    tt_leave(&pa), tt_leave(&ph);
    judge(t, m, n, a, lda, u, lda, h, ldh, kind);
    free(a), free(u), free(h);
}

static void shapes(void **state)
{
    static const int shape[][4] = {{1, 1, 16, 16},   {2, 1, 16, 16},    {7, 7, 3, 5},
                                   {32, 32, 16, 16}, {61, 61, 16, 24},  {90, 33, 16, 16},
                                   {33, 32, 16, 40}, {130, 17, 32, 16}, {50, 50, 100, 7}};
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(shape); k++)
            one(t, "random", shape[k][0], shape[k][1], shape[k][2], shape[k][3], 1);
}

static void conditions(void **state)
{
    static const double condition[] = {1, 10, 1e3, 1e6, 1e9, 1e12, 1e15, 1e16};
    char kind[32];
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(condition); k++)
            for (int tall = 0; tall < 2; tall++) {
                snprintf(kind, sizeof kind, "svd:%g", condition[k]);
                one(t, kind, tall ? 100 : 64, 64, 24, 24, 1);
            }
}

static void kinds(void **state)
{
    static const char *const kind[] = {"orthogonal", "identity", "graded", "kahan", "lowrank:20", "minij"};
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(kind); k++)
            one(t, kind[k], 48, 48, 16, 16, 1);
    TT_TYPES(t) {
        one(t, "random", 48, 48, 16, 16, is_single(t) ? 1e36 : 1e300);
        one(t, "random", 60, 48, 16, 16, is_single(t) ? 1e-30 : 1e-290);
    }
}

/* Singular values of all sizes far below the rounding unit, and rows of the same one: the iteration's factorizations
 * lose the small rows, so that U comes from singular vectors. Columns of U are orthonormal whatever the rank. */
static void beyond_the_unit(void **state)
{
    static const int shape[][2] = {{60, 60}, {150, 110}};
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(shape); k++)
            for (int hilbert = 0; hilbert < 2; hilbert++) {
                const int m = shape[k][0], n = shape[k][1];
                void *a = tt_array(t, m, n), *u[2], *h = tt_array(t, n, n);
                for (int i = 0; i < m * n; i++) {
                    const int row = i % m, column = i / m;
                    tt_put(t, a, (size_t)i,
                           hilbert         ? 1.0 / (row + column + 1)
                           : row <= column ? tt_uniform(3, row, column)
                                           : 0);
                }
                for (int alone = 0; alone < 2; alone++) {
                    struct tt_place pu, ph;
                    tw_matrix *U, *H = NULL;
                    u[alone] = tt_copy(t, m, n, a);
                    U = tt_enter(&pu, TT_CREATED, t, TW_GENERAL, m, n, u[alone], m, 32);
                    if (!alone) H = tt_enter(&ph, TT_CREATED, t, TW_GENERAL, n, n, h, n, 32);
                    tt_expect_info(tw_gepolar(U, H), 0, "%d x %d", m, n);
                    tt_leave(&pu);
                    if (!alone) tt_leave(&ph);
                }
                judge(t, m, n, a, m, u[0], m, h, n, hilbert ? "Hilbert" : "random triangle");
                assert_memory_equal(u[0], u[1], (size_t)m * (size_t)n * tt_size(t));
                free(a), free(u[0]), free(u[1]), free(h);
            }
}

/* Numbers near the smallest ones that there are: whole numbers times a power of two below all of them have the same U,
 * and H times that power to rounding of denormals. */
static void tiny(void **state)
{
    static const int shape[][2] = {{2, 2}, {40, 40}, {60, 35}};
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(shape); k++) {
            const int m = shape[k][0], n = shape[k][1], smallest = is_single(t) ? -149 : -1074;
            void *u[2], *h[2];

            for (int small = 0; small < 2; small++) {
                struct tt_place pu, ph;
                tw_matrix *U, *H;
                u[small] = tt_array(t, m, n), h[small] = tt_array(t, n, n);
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < m; i++) {
                        const double x = round(1000 * tt_uniform(7, i, j)) + (i == j ? 2000 : 0),
                                     y = tt_complex(t) ? round(1000 * tt_uniform(8, i, j)) : 0;
                        tt_put(t, u[small], (size_t)(i + j * m),
                               ldexp(x, small ? smallest : 0) + I * ldexp(y, small ? smallest : 0));
                    }
                U = tt_enter(&pu, TT_CREATED, t, TW_GENERAL, m, n, u[small], m, 16);
                H = tt_enter(&ph, TT_CREATED, t, TW_GENERAL, n, n, h[small], n, 16);
                tt_expect_info(tw_gepolar(U, H), 0, "tiny, %d x %d", m, n);
                tt_leave(&pu), tt_leave(&ph);
            }
            for (size_t i = 0; i < (size_t)(m * n); i++)
                assert_true(cabs(tt_get(t, u[0], i) - tt_get(t, u[1], i)) <= 100 * tt_eps(t));
            for (size_t i = 0; i < (size_t)(n * n); i++) {
                const tt_z x = tt_get(t, h[1], i), y = tt_get(t, h[0], i);
                assert_true(fabs(ldexp(creal(x), -smallest) - creal(y)) <= m + 3 &&
                            fabs(ldexp(cimag(x), -smallest) - cimag(y)) <= m + 3);
            }
            for (int small = 0; small < 2; small++)
                free(u[small]), free(h[small]);
        }
}

/* Columns of zeros, of which rounding may make orthonormal ones or not: A = U H all the same. A NaN: nothing is
 * done. */
static void singular(void **state)
{
    enum { N = 40 };
    (void)state;
    TT_TYPES(t)
        for (int all = 0; all < 2; all++) {
            void *a = tt_array(t, N, N), *u, *h = tt_array(t, N, N);
            const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, N, N, a, N};
            const struct check_matrix A = check_of_array(&array);
            struct tt_place pu, ph;
            tw_matrix *U, *H;
            double residual[3];
            int info;

            tt_random(t, 'G', N, N, a, N, 3);
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N && (all || j == 7 || j == 8); i++)
                    tt_put(t, a, (size_t)(i + j * N), 0);
            u = tt_copy(t, N, N, a);
            U = tt_enter(&pu, TT_CREATED, t, TW_GENERAL, N, N, u, N, 16);
            H = tt_enter(&ph, TT_CREATED, t, TW_GENERAL, N, N, h, N, 16);
            info = tw_gepolar(U, H);
            assert_true(info == N || (info == 0 && !all));
            tt_leave(&pu), tt_leave(&ph);
            assert_int_equal(check_gepolar(&A, u, N, h, N, residual), 0);
            tt_expect("|A - U H|, singular", t, residual[0], 0, "%d", all);
            tt_expect("H >= 0, singular", t, residual[2], 0, "%d", all);
            if (info == 0) tt_expect("|U^H U - I|, singular", t, residual[1], 0, "%d", all);
            tt_put(t, u, 11, NAN);
            memcpy(a, u, (size_t)N * N * tt_size(t));
            U = tt_enter(&pu, TT_CREATED, t, TW_GENERAL, N, N, u, N, 16);
            assert_int_equal(tw_gepolar(U, NULL), N + 1);
            tt_leave(&pu);
            for (size_t i = 0; i < N * N; i++)
                assert_true(i == 11 || tt_get(t, u, i) == tt_get(t, a, i));
            free(a), free(u), free(h);
        }
}

/* Matrices of rank 1, whose further singular values are rounding's and may lie anywhere below the unit: columns of U
 * are orthonormal, or info says that they need not be. */
static void rank_one(void **state)
{
    static const int shape[][3] = {{15, 3, 1}, {18, 3, 8}, {48, 3, 8}, {57, 3, 1}, {87, 3, 8}, {168, 5, 2}, {9, 9, 4}};
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(shape); k++) {
            const int m = shape[k][0], n = shape[k][1];
            void *a = tt_array(t, m, n), *u, *h = tt_array(t, n, n);
            const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, m, n, a, m};
            const struct check_matrix A = check_of_array(&array);
            struct tt_place pu, ph;
            tw_matrix *U, *H;
            double residual[3];
            int info;

            for (int i = 0; i < m * n; i++)
                tt_put(t, a, (size_t)i, 1);
            u = tt_copy(t, m, n, a);
            U = tt_enter(&pu, TT_CREATED, t, TW_GENERAL, m, n, u, m, shape[k][2]);
            H = tt_enter(&ph, TT_CREATED, t, TW_GENERAL, n, n, h, n, 16);
            info = tw_gepolar(U, H);
            assert_true(info == 0 || info == n);
            tt_leave(&pu), tt_leave(&ph);
            assert_int_equal(check_gepolar(&A, u, m, h, n, residual), 0);
            tt_expect("|A - U H|, rank 1", t, residual[0], 0, "%d x %d", m, n);
            tt_expect("H >= 0, rank 1", t, residual[2], 0, "%d x %d", m, n);
            if (info == 0) tt_expect("|U^H U - I|, rank 1", t, residual[1], 0, "%d x %d", m, n);
            free(a), free(u), free(h);
        }
}

/* U without H is the same to the bit; a product queued behind. */
static void queued(void **state)
{
    enum { M = 70, N = 50 };
    (void)state;
    TT_TYPES(t) {
        void *a = tt_array(t, M, N), *u = tt_array(t, M, N), *alone = tt_array(t, M, N), *h = tt_array(t, N, N),
             *p = tt_array(t, M, N);
        tw_matrix *A, *B, *H, *P;
        tw_sequence *seq;
        double worst = 0;

        tt_random(t, 'G', M, N, a, M, 9);
        assert_int_equal(tw_matrix_create(&A, t, TW_GENERAL, M, N, 16, NULL), 0);
        assert_int_equal(tw_matrix_create(&B, t, TW_GENERAL, M, N, 16, NULL), 0);
        assert_int_equal(tw_matrix_create(&H, t, TW_GENERAL, N, N, 20, NULL), 0);
        assert_int_equal(tw_matrix_create(&P, t, TW_GENERAL, M, N, 16, NULL), 0);
        assert_int_equal(tw_matrix_set_lapack(A, a, M), 0);
        assert_int_equal(tw_matrix_set_lapack(B, a, M), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_gepolar_async(A, H, seq), 0);
        assert_int_equal(tw_gemm_async(TW_NOTRANS, TW_NOTRANS, (tw_scalar){1, 0}, A, H, (tw_scalar){0, 0}, P, seq), 0);
        assert_int_equal(tw_gepolar_async(B, NULL, seq), 0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(tw_matrix_to_lapack(A, u, M), 0);
        assert_int_equal(tw_matrix_to_lapack(B, alone, M), 0);
        assert_int_equal(tw_matrix_to_lapack(H, h, N), 0);
        assert_int_equal(tw_matrix_to_lapack(P, p, M), 0);
        judge(t, M, N, a, M, u, M, h, N, "queued");
        assert_memory_equal(u, alone, (size_t)M * N * tt_size(t));
        for (size_t i = 0; i < M * N; i++)
            worst = fmax(worst, cabs(tt_get(t, p, i) - tt_get(t, a, i)));
        assert_true(worst < 100 * tt_eps(t));
        tw_matrix_destroy(A), tw_matrix_destroy(B), tw_matrix_destroy(H), tw_matrix_destroy(P);
        free(a), free(u), free(alone), free(h), free(p);
    }
}

static void refusals(void **state)
{
    tw_matrix *A, *W, *H, *F;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&W, TW_DOUBLE, TW_GENERAL, 3, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&H, TW_DOUBLE, TW_GENERAL, 3, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 3, 3, 2, NULL), 0);
    assert_int_equal(tw_gepolar(NULL, H), -1);
    assert_int_equal(tw_gepolar(W, H), -1);
    assert_int_equal(tw_gepolar(A, A), -2);
    assert_int_equal(tw_gepolar(A, W), -2);
    assert_int_equal(tw_gepolar(A, F), -2);
    assert_int_equal(tw_gepolar(H, H), -2);
    assert_int_equal(tw_gepolar_async(A, H, NULL), -3);
    tw_matrix_destroy(A), tw_matrix_destroy(W), tw_matrix_destroy(H), tw_matrix_destroy(F);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),         cmocka_unit_test(conditions), cmocka_unit_test(kinds),
        tt_test_of_bits(beyond_the_unit), cmocka_unit_test(tiny),       cmocka_unit_test(singular),
        cmocka_unit_test(rank_one),       tt_test_of_bits(queued),      cmocka_unit_test(refusals)};
    return tt_run(tests);
}
