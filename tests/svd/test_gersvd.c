/* gersvd: projections of many shapes and spectra: exact in what they are, as near as they say; ranks by tolerances; the
 * same numbers for the same seed. And what values alone say: genorm2, gecond2, gerank. */
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
static void generate(enum tw_type t, const char *kind, int m, int n, void *a, int lda)
{
    tw_generator *g;
    assert_int_equal(tw_generator_create(&g, kind, t, m, n, 5), 0);
    assert_int_equal(tw_generator_block(g, 0, 0, m, n, a, lda), 0);
    tw_generator_destroy(g);
}

/* Judged; the rank that was found. */
static int one(enum tw_type t, const char *kind, double scale, int m, int n, int k, double tol, int power, int nb,
               int nb_u, double *error, double *first)
{
    static const char *const names[] = {"|U^H A - s V^H|", "|U^H U - I|", "|V^H V - I|"};
    const int lda = m + 1, ldu = m + 3, ldvt = k + 2;
    void *a = tt_array(t, lda, n), *u = tt_array(t, ldu, k), *vt = tt_array(t, ldvt, n);
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, m, n, a, lda};
    const struct check_matrix source = check_of_array(&array);
    double *s = calloc((size_t)k, sizeof *s), residual[3], distance;
    struct tt_place pa, pu, pv;
    tw_matrix *A, *U, *Vt;
    int rank = -1;

    generate(t, kind, m, n, a, lda);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, a, (size_t)i + (size_t)j * (size_t)lda,
                   scale * tt_get(t, a, (size_t)i + (size_t)j * (size_t)lda));
    A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, a, lda, nb);
    U = tt_enter(&pu, TT_CREATED, t, TW_GENERAL, m, k, u, ldu, nb_u);
    Vt = tt_enter(&pv, TT_CREATED, t, TW_GENERAL, k, n, vt, ldvt, nb_u);
    tt_expect_info(tw_gersvd(A, tol, 8, power, 42, s, U, Vt, &rank, error), 0, "%s, %d x %d", kind, m, n);
    assert_int_equal(tol > 0 && *error > tol, strstr(tw_last_message(), "tolerance not reached") != NULL);
    tt_leave(&pa), tt_leave(&pu), tt_leave(&pv);
    assert_true(rank >= 0 && rank <= k && *error >= 0);
    for (int i = rank; i < k; i++)
        assert_true(s[i] == 0);
    assert_int_equal(check_gersvd(&source, rank, s, u, ldu, vt, ldvt, residual, &distance), 0);
    for (int i = 0; i < 3; i++)
        tt_expect(names[i], t, residual[i], 0, "%s, %d x %d, %d, tol %g", kind, m, n, k, tol);
    if (!(distance <= *error + 100 * m * tt_eps(t) * s[0]))
        fail_msg("%s, %d x %d, %d: %g away, %g said", kind, m, n, k, distance, *error);
    *first = s[0];
    free(a), free(u), free(vt), free(s);
    return rank;
}

static void shapes(void **state)
{
    static const int shape[][5] = {{1, 1, 1, 16, 16},     {5, 3, 3, 16, 16},     {5, 3, 1, 2, 2},
                                   {100, 70, 10, 32, 32}, {70, 100, 10, 32, 24}, {150, 40, 12, 24, 24},
                                   {40, 150, 12, 24, 60}, {64, 64, 64, 16, 16}};
    double error, first;
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t)
        for (int k = 0; k < COUNT(shape); k++)
            assert_int_equal(one(t, "random", 1, shape[k][0], shape[k][1], shape[k][2], 0, k % 3, shape[k][3],
                                 shape[k][4], &error, &first),
                             shape[k][2]);
    TT_TYPES(t) {
        one(t, "random", is_single(t) ? 1e35 : 1e303, 60, 50, 9, 0, 1, 16, 16, &error, &first);
        one(t, "random", is_single(t) ? 1e-33 : 1e-300, 60, 50, 9, 0, 1, 16, 16, &error, &first);
    }
    unsetenv("TILEWORK_BAND");
}

/* A spectrum that falls geometrically: the error is near the best one, s(k + 1), and the tolerance finds the rank. */
static void spectra(void **state)
{
    enum { M = 160, N = 130 };
    double error, first;
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t) {
        const double top = is_single(t) ? 1e4 : 1e10, ratio = pow(top, -1.0 / (N - 1));
        char kind[32];
        snprintf(kind, sizeof kind, "svd:%g", top);
        one(t, kind, 1, M, N, 20, 0, 2, 32, 32, &error, &first);
        assert_true(error > 0.9 * first * pow(ratio, 20) && error < 10 * first * pow(ratio, 20));
        for (int k = 0; k < 3; k++) {
            const double tol = first * (k == 0 ? 0.1 : k == 1 ? 0.01 : 0.001);
            const int best = (int)ceil(log(tol / first) / log(ratio)),
                      rank = one(t, kind, 1, M, N, 120, tol, 1, 32, 32, &error, &first);
            assert_true(error <= tol);
            assert_true(rank >= best - 1 && rank <= best + 25);
        }
        assert_int_equal(one(t, "lowrank:7", 1, M, N, 60, is_single(t) ? 0.05 : 1e-8, 1, 32, 32, &error, &first), 7);
        assert_int_equal(one(t, "random", 1, M, N, 4, 1e-3, 1, 32, 32, &error, &first),
                         4); /* not enough: error says so */
        assert_true(error > 1e-3);
        assert_int_equal(one(t, "random", 1, M, N, 4, 1e20, 1, 32, 32, &error, &first), 0);
    }
    unsetenv("TILEWORK_BAND");
}

static void seeds(void **state)
{
    enum { M = 90, N = 80, K = 6 };
    (void)state;
    TT_TYPES(t) {
        tw_matrix *A, *U, *Vt;
        double s[3][K], error;
        int rank;

        assert_int_equal(tw_matrix_create(&A, t, TW_GENERAL, M, N, 32, NULL), 0);
        assert_int_equal(tw_matrix_create(&U, t, TW_GENERAL, M, K, 32, NULL), 0);
        assert_int_equal(tw_matrix_create(&Vt, t, TW_GENERAL, K, N, 32, NULL), 0);
        {
            void *a = tt_array(t, M, N);
            tt_random(t, 'G', M, N, a, M, 3);
            assert_int_equal(tw_matrix_set_lapack(A, a, M), 0);
            free(a);
        }
        for (int k = 0; k < 3; k++)
            assert_int_equal(tw_gersvd(A, 0, 4, 1, k == 2 ? 8 : 7, s[k], U, Vt, &rank, &error), 0);
        assert_memory_equal(s[0], s[1], sizeof s[0]);
        assert_true(s[0][0] != s[2][0]);
        tw_matrix_destroy(A), tw_matrix_destroy(U), tw_matrix_destroy(Vt);
    }
}

static void bad_input(void **state)
{
    double a[20] = {1, 2, 3, 4, 5, 6, 7, NAN}, s[4], error;
    int rank = 7;
    tw_matrix *A, *U, *Vt, *W, *F;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 5, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&U, TW_DOUBLE, TW_GENERAL, 5, 2, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&Vt, TW_DOUBLE, TW_GENERAL, 2, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&W, TW_DOUBLE, TW_GENERAL, 5, 5, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 5, 2, 2, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, 5), 0);
#define CALL(A, tol, over, power, s, U, Vt, rank, error) tw_gersvd(A, tol, over, power, 1, s, U, Vt, rank, error)
    assert_int_equal(CALL(NULL, 0, 1, 1, s, U, Vt, &rank, &error), -1);
    assert_int_equal(CALL(A, NAN, 1, 1, s, U, Vt, &rank, &error), -2);
    assert_int_equal(CALL(A, 0, -1, 1, s, U, Vt, &rank, &error), -3);
    assert_int_equal(CALL(A, 0, 1, -1, s, U, Vt, &rank, &error), -4);
    assert_int_equal(CALL(A, 0, 1, 1, NULL, U, Vt, &rank, &error), -6);
    assert_int_equal(CALL(A, 0, 1, 1, s, NULL, Vt, &rank, &error), -7);
    assert_int_equal(CALL(A, 0, 1, 1, s, F, Vt, &rank, &error), -7);
    assert_int_equal(CALL(A, 0, 1, 1, s, W, Vt, &rank, &error), -7);
    assert_int_equal(CALL(A, 0, 1, 1, s, U, NULL, &rank, &error), -8);
    assert_int_equal(CALL(A, 0, 1, 1, s, U, W, &rank, &error), -8);
    assert_int_equal(CALL(A, 0, 1, 1, s, U, Vt, NULL, &error), -9);
    assert_int_equal(CALL(A, 0, 1, 1, s, U, Vt, &rank, NULL), -10);
    assert_int_equal(tw_gersvd_async(A, 0, 1, 1, 1, s, U, Vt, &rank, &error, NULL), -11);
    assert_int_equal(CALL(A, 0, 1, 1, s, U, Vt, &rank, &error), 2);
    assert_true(rank == 0 && isnan(s[0]) && isnan(s[1]) && isnan(error));
    tw_matrix_destroy(A), tw_matrix_destroy(U), tw_matrix_destroy(Vt), tw_matrix_destroy(W), tw_matrix_destroy(F);
}

/* Known singular values. */
static void numbers(void **state)
{
    enum { M = 90, N = 60 };
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t)
        for (int wide = 0; wide < 2; wide++) {
            const int m = wide ? N : M, n = wide ? M : N;
            void *a = tt_array(t, m, n);
            struct tt_place pa;
            tw_matrix *A;
            tw_sequence *seq;
            double norm = -1, condition = -1, s[N];
            int rank = -1;

            generate(t, "svd:1000", m, n, a, m);
            A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, a, m, 16);
            assert_int_equal(tw_gesdd(TW_SVD_NONE, A, s, NULL, NULL), 0);
            assert_int_equal(tw_sequence_create(&seq), 0);
            assert_int_equal(tw_genorm2_async(A, &norm, seq), 0);
            assert_int_equal(tw_gecond2_async(A, &condition, seq), 0);
            assert_int_equal(tw_gerank_async(A, 0.02, &rank, seq), 0);
            assert_int_equal(tw_sequence_wait(seq), 0);
            assert_int_equal(tw_sequence_destroy(seq), 0);
            assert_true(fabs(norm - s[0]) <= 4 * tt_eps(t) * s[0]);
            assert_true(fabs(condition - 1000) <= 1e5 * M * tt_eps(t) * 1000);
            for (int i = 0; i < N; i++)
                rank -= s[i] > 0.02 * s[0];
            assert_int_equal(rank, 0);
            tt_leave(&pa);
            generate(t, "lowrank:9", m, n, a, m);
            A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, a, m, 16);
            assert_int_equal(tw_gerank(A, 0, &rank), 0);
            assert_int_equal(rank, 9);
            tt_leave(&pa);
            memset(a, 0, (size_t)m * (size_t)n * tt_size(t));
            A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, a, m, 16);
            assert_int_equal(tw_gecond2(A, &condition), 0);
            assert_int_equal(tw_genorm2(A, &norm), 0);
            assert_true(isinf(condition) && norm == 0);
            tt_leave(&pa);
            tt_put(t, a, 5, NAN);
            A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, a, m, 16);
            assert_int_equal(tw_gecond2(A, &condition), N);
            assert_int_equal(tw_genorm2(A, &norm), N);
            assert_int_equal(tw_gerank(A, 0, &rank), N);
            assert_true(isnan(condition) && isnan(norm) && rank == 0);
            assert_int_equal(tw_genorm2(NULL, &norm), -1);
            assert_int_equal(tw_genorm2(A, NULL), -2);
            assert_int_equal(tw_gecond2(A, NULL), -2);
            assert_int_equal(tw_gerank(A, NAN, &rank), -2);
            assert_int_equal(tw_gerank(A, 0, NULL), -3);
            tt_leave(&pa);
            free(a);
        }
    unsetenv("TILEWORK_BAND");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(spectra), tt_test_of_bits(seeds),
                                       cmocka_unit_test(bad_input), tt_test_of_bits(numbers)};
    return tt_run(tests);
}
