/* What routines say that they need, beside what they are seen to make (made.h). */
#include <math.h>

#include "algorithms/dense/dense_loops.h"
#include "algorithms/eigen/eigen_loops.h"
#include "algorithms/svd/svd_loops.h"
#include "made.h"

enum { M = 300, N = 260, K = 150, NB = 64 };

static tw_matrix *matrix(enum tw_type t, enum tw_uplo uplo, int m, int n, const char *kind)
{
    return tt_made_matrix(t, uplo, m, n, NB, kind);
}

/* All that it makes may be there at the same time. */
static void compare(const char *routine, enum tw_type t, int m, int n, int k, tw_matrix **list, int operands)
{
    tt_made_compare(&(struct tt_made_problem){routine, t, m, n, k, NB}, TT_ALL, 1, list, operands);
}
/* One thing after the other. */
static void compare_most(const char *routine, enum tw_type t, int m, int n, int k, tw_matrix **list, int operands)
{
    tt_made_compare(&(struct tt_made_problem){routine, t, m, n, k, NB}, TT_MOST, 1, list, operands);
}

static void symmetric_systems(void **state)
{
    (void)state;
    TT_TYPES(t) {
        tw_matrix *A = matrix(t, TW_LOWER, N, N, "spd"), *B = matrix(t, TW_GENERAL, N, K, "random"), *X;
        tt_made_begin();
        assert_int_equal(tw_potrf(TW_LOWER, A), 0);
        compare("potrf", t, N, N, 0, &A, 1);
        A = matrix(t, TW_LOWER, N, N, "spd");
        tt_made_begin();
        assert_int_equal(tw_posv(TW_LOWER, A, B), 0);
        compare("posv", t, N, N, K, (tw_matrix *[]){A, B}, 2);
        if (t != TW_DOUBLE && t != TW_COMPLEX_DOUBLE) continue;
        A = matrix(t, TW_LOWER, N, N, "spd"), B = matrix(t, TW_GENERAL, N, K, "random");
        X = matrix(t, TW_GENERAL, N, K, "random");
        int iter;
        double berr[K];
        tt_made_begin();
        assert_int_equal(tw_posv_mixed(TW_LOWER, A, B, X, &iter, berr), 0);
        compare("posv_mixed", t, N, N, K, (tw_matrix *[]){A, B, X}, 3);
        A = matrix(t, TW_LOWER, N, N, "spd"), B = matrix(t, TW_GENERAL, N, K, "random");
        X = matrix(t, TW_GENERAL, N, K, "random");
        tt_made_begin();
        assert_int_equal(tw_posv_half(TW_LOWER, A, B, X, &iter, berr), 0);
        compare("posv_half", t, N, N, K, (tw_matrix *[]){A, B, X}, 3);
    }
}

static void general_systems(void **state)
{
    (void)state;
    TT_TYPES(t) {
        tw_matrix *A = matrix(t, TW_GENERAL, M, N, "random"), *B = matrix(t, TW_GENERAL, N, K, "random"), *X, *p;
        assert_int_equal(tw_pivots_create(&p, A), 0);
        tt_made_begin();
        assert_int_equal(tw_getrf(A, p), 0);
        compare("getrf", t, M, N, 0, (tw_matrix *[]){A, p}, 2);
        A = matrix(t, TW_GENERAL, N, N, "random");
        assert_int_equal(tw_pivots_create(&p, A), 0);
        tt_made_begin();
        assert_int_equal(tw_gesv(A, p, B), 0);
        compare("gesv", t, N, N, K, (tw_matrix *[]){A, p, B}, 3);
        if (t != TW_DOUBLE && t != TW_COMPLEX_DOUBLE) continue;
        A = matrix(t, TW_GENERAL, N, N, "random"), B = matrix(t, TW_GENERAL, N, K, "random");
        X = matrix(t, TW_GENERAL, N, K, "random");
        assert_int_equal(tw_pivots_create(&p, A), 0);
        int iter;
        double berr[K];
        tt_made_begin();
        assert_int_equal(tw_gesv_mixed(A, p, B, X, &iter, berr), 0);
        compare("gesv_mixed", t, N, N, K, (tw_matrix *[]){A, p, B, X}, 4);
        A = matrix(t, TW_GENERAL, N, N, "random"), B = matrix(t, TW_GENERAL, N, K, "random");
        X = matrix(t, TW_GENERAL, N, K, "random");
        assert_int_equal(tw_pivots_create(&p, A), 0);
        tt_made_begin();
        assert_int_equal(tw_gesv_half(A, p, B, X, &iter, berr), 0);
        assert_true(iter >= 0);
        compare("gesv_half", t, N, N, K, (tw_matrix *[]){A, p, B, X}, 4);
    }
}

static void orthogonal(void **state)
{
    (void)state;
    TT_TYPES(t) {
        tw_matrix *A = matrix(t, TW_GENERAL, M, N, "random"), *C = matrix(t, TW_GENERAL, M, K, "random"), *tau;
        assert_int_equal(tw_tau_create(&tau, A), 0);
        tt_made_begin();
        assert_int_equal(tw_geqrf(A, tau), 0);
        compare("geqrf", t, M, N, 0, (tw_matrix *[]){A, tau}, 2);
        A = matrix(t, TW_GENERAL, N, M, "random");
        assert_int_equal(tw_tau_create(&tau, A), 0);
        tt_made_begin();
        assert_int_equal(tw_gelqf(A, tau), 0);
        compare("gelqf", t, N, M, 0, (tw_matrix *[]){A, tau}, 2);
        A = matrix(t, TW_GENERAL, M, K, "random");
        assert_int_equal(tw_tau_create(&tau, A), 0);
        assert_int_equal(tw_geqrf(A, tau), 0);
        tt_made_begin();
        assert_int_equal(tw_unmqr(TW_LEFT, TW_CONJTRANS, A, tau, C), 0);
        compare("unmqr", t, M, K, K, (tw_matrix *[]){A, tau, C}, 3);
        A = matrix(t, TW_GENERAL, K, M, "random"), C = matrix(t, TW_GENERAL, M, N, "random");
        assert_int_equal(tw_tau_create(&tau, A), 0);
        assert_int_equal(tw_gelqf(A, tau), 0);
        tt_made_begin();
        assert_int_equal(tw_unmlq(TW_LEFT, TW_CONJTRANS, A, tau, C), 0);
        compare("unmlq", t, M, N, K, (tw_matrix *[]){A, tau, C}, 3);
        for (int rows = K; rows <= N; rows += N - K) {
            A = matrix(t, TW_GENERAL, rows, M, "random");
            assert_int_equal(tw_tau_create(&tau, A), 0);
            assert_int_equal(tw_gelqf(A, tau), 0);
            tt_made_begin();
            assert_int_equal(tw_unglq(A, tau), 0);
            compare("unglq", t, rows, M, 0, (tw_matrix *[]){A, tau}, 2);
        }
    }
}

static void products(void **state)
{
    const tw_scalar one = {1, 0};
    (void)state;
    TT_TYPES(t) {
        tw_matrix *A = matrix(t, TW_GENERAL, M, K, "random"), *B = matrix(t, TW_GENERAL, K, N, "random"),
                  *C = matrix(t, TW_GENERAL, M, N, "random");
        tt_made_begin();
        assert_int_equal(tw_gemm(TW_NOTRANS, TW_NOTRANS, one, A, B, one, C), 0);
        compare("gemm", t, M, N, K, (tw_matrix *[]){A, B, C}, 3);
        A = matrix(t, TW_LOWER, M, M, "spd"), B = matrix(t, TW_GENERAL, M, N, "random"),
        C = matrix(t, TW_GENERAL, M, N, "random");
        tt_made_begin();
        assert_int_equal(tw_symm(TW_LEFT, TW_LOWER, one, A, B, one, C), 0);
        compare("symm", t, M, N, 0, (tw_matrix *[]){A, B, C}, 3);
        A = matrix(t, TW_GENERAL, N, K, "random"), C = matrix(t, TW_LOWER, N, N, "spd");
        tt_made_begin();
        assert_int_equal(tw_syrk(TW_LOWER, TW_NOTRANS, one, A, one, C), 0);
        compare("syrk", t, N, N, K, (tw_matrix *[]){A, C}, 2);
        A = matrix(t, TW_LOWER, M, M, "spd"), B = matrix(t, TW_GENERAL, M, N, "random");
        tt_made_begin();
        assert_int_equal(tw_trsm(TW_LEFT, TW_LOWER, TW_NOTRANS, TW_NONUNIT, one, A, B), 0);
        compare("trsm", t, M, N, 0, (tw_matrix *[]){A, B}, 2);
    }
}

/* Of rank r: a product. */
static tw_matrix *of_rank(enum tw_type t, int m, int n, int r)
{
    tw_matrix *X = matrix(t, TW_GENERAL, m, r, "random"), *Y = matrix(t, TW_GENERAL, r, n, "random"),
              *A = matrix(t, TW_GENERAL, m, n, "random");

    assert_int_equal(tw_gemm(TW_NOTRANS, TW_NOTRANS, (tw_scalar){1, 0}, X, Y, (tw_scalar){0, 0}, A), 0);
    assert_int_equal(tw_matrix_destroy(X), 0);
    assert_int_equal(tw_matrix_destroy(Y), 0);
    return A;
}

/* Of every shape; a tree of tiles where A is tall and one tile wide. */
static void least_squares(void **state)
{
    static const struct {
        int m, n;
        enum tw_trans trans;
    } shape[] = {{M, N, TW_NOTRANS},          {M, N, TW_CONJTRANS}, {N, M, TW_NOTRANS},          {N, M, TW_CONJTRANS},
                 {2 * M + 5, 50, TW_NOTRANS}, {40, 30, TW_NOTRANS}, {6 * NB + 3, NB, TW_NOTRANS}};
    (void)state;
    TT_TYPES(t)
        for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
            const int m = shape[s].m, n = shape[s].n, g = tw_max(m, n);
            tw_matrix *A = matrix(t, TW_GENERAL, m, n, "random"), *B = matrix(t, TW_GENERAL, g, K, "random");
            tt_made_begin();
            assert_int_equal(tw_gels(shape[s].trans, A, B), 0);
            compare("gels", t, m, n, K, (tw_matrix *[]){A, B}, 2);
        }
}

/* The least that is missing of a full rank is the most that gelsy makes. */
static void any_rank(void **state)
{
    static const int shape[][2] = {{M, N}, {N, M}, {70, 60}};
    tw_int jpvt[M] = {0};
    int rank;
    (void)state;
    TT_TYPES(t)
        for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
            const int m = shape[s][0], n = shape[s][1], least = tw_min(m, n);
            tw_matrix *A = of_rank(t, m, n, least - 1), *B = matrix(t, TW_GENERAL, tw_max(m, n), K, "random");
            memset(jpvt, 0, sizeof jpvt);
            tt_made_begin();
            assert_int_equal(tw_gelsy(A, jpvt, tw_is_single(t) ? 1e-5 : 1e-11, &rank, B), 0);
            assert_int_equal(rank, least - 1);
            compare_most("gelsy", t, m, n, K, (tw_matrix *[]){A, B}, 2);
        }
}

static void pivoted(void **state)
{
    static const int shape[][2] = {{M, N}, {N, M}, {40, 30}};
    tw_int jpvt[M] = {0}, k;
    double c, d;
    (void)state;
    TT_TYPES(t)
        for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
            const int m = shape[s][0], n = shape[s][1], least = tw_min(m, n);
            tw_matrix *A = matrix(t, TW_GENERAL, m, n, "random"), *tau;
            memset(jpvt, 0, sizeof jpvt);
            assert_int_equal(tw_tau_create(&tau, A), 0);
            tt_made_begin();
            assert_int_equal(tw_geqp3(A, jpvt, tau), 0);
            compare_most("geqp3", t, m, n, 0, (tw_matrix *[]){A, tau}, 2);
            A = matrix(t, TW_GENERAL, m, n, "random");
            assert_int_equal(tw_tau_create(&tau, A), 0);
            tt_made_begin();
            memset(jpvt, 0, sizeof jpvt);
            assert_int_equal(tw_geqp3_random(A, jpvt, tau), 0);
            compare("geqp3_random", t, m, n, 0, (tw_matrix *[]){A, tau}, 2);
            A = matrix(t, TW_GENERAL, m, n, "random");
            assert_int_equal(tw_tau_create(&tau, A), 0);
            tt_made_begin();
            assert_int_equal(tw_geqp3rk(A, least, -1, -1, &k, &c, &d, jpvt, tau), 0);
            compare_most("geqp3rk", t, m, n, 0, (tw_matrix *[]){A, tau}, 2);
        }
}

/* That ends within its last block takes the most. */
static void pivoted_up_to_a_rank(void **state)
{
    static const int shape[][2] = {{M, 4 * NB}, {4 * NB, M}, {40, 30}};
    tw_int jpvt[M] = {0}, k;
    double c, d;
    (void)state;
    TT_TYPES(t)
        for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
            const int m = shape[s][0], n = shape[s][1], least = tw_min(m, n);
            tw_matrix *A = matrix(t, TW_GENERAL, m, n, "random"), *tau;
            assert_int_equal(tw_tau_create(&tau, A), 0);
            tt_made_begin();
            assert_int_equal(tw_geqp3rk_random(A, least - 1, -1, -1, &k, &c, &d, jpvt, tau), 0);
            assert_int_equal(k, least - 1);
            compare("geqp3rk_random", t, m, n, 0, (tw_matrix *[]){A, tau}, 2);
        }
}

static void inverses(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int n = 50; n <= N; n += N - 50) {
            tw_matrix *A = matrix(t, TW_GENERAL, n, n, "random"), *p;
            assert_int_equal(tw_pivots_create(&p, A), 0);
            assert_int_equal(tw_getrf(A, p), 0);
            tt_made_begin();
            assert_int_equal(tw_getri(A, p), 0);
            compare("getri", t, n, n, 0, (tw_matrix *[]){A, p}, 2);
        }
}

/* The most is needed where reflectors have to do it; of many tiles the Gram matrix' partial sums are more. */
static void tall(void **state)
{
    static const int shape[][2] = {{M, N}, {6 * NB + 3, NB}};
    int choleskys;
    (void)state;
    TT_TYPES(t) {
        tw_matrix *A, *R;
        for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
            const int m = shape[s][0], n = shape[s][1];
            A = of_rank(t, m, n, n - 1), R = matrix(t, TW_GENERAL, n, n, "random");
            tt_made_begin();
            assert_int_equal(tw_cholqr(A, R, &choleskys), 0);
            assert_int_equal(choleskys, 0);
            compare_most("cholqr", t, m, n, 0, (tw_matrix *[]){A, R}, 2);
        }
        if (getenv("TILEWORK_TALL")) continue; /* where domains, which this does not come to, would be more by far */
        A = tt_made_matrix(t, TW_GENERAL, 400, 160, 16, "random");
        R = tt_made_matrix(t, TW_GENERAL, 160, 160, 16, "random");
        tt_made_begin();
        assert_int_equal(tw_cholqr(A, R, &choleskys), 0);
        assert_int_equal(choleskys, 2); /* two Gram matrices, one after the other */
        tt_made_compare(&(struct tt_made_problem){"cholqr", t, 400, 160, 0, 16}, TT_ALL, 0.86, (tw_matrix *[]){A, R},
                        2);
    }
}

/* A tree's T is given, too: made for the shape. */
static void trees(void **state)
{
    (void)state;
    TT_TYPES(t) {
        tw_matrix *A = matrix(t, TW_GENERAL, M, N, "random"), *Q = matrix(t, TW_GENERAL, M, N, "random"), *T;
        assert_int_equal(tw_tree_create(&T, A, 0), 0);
        tt_made_begin();
        assert_int_equal(tw_geqrf_tree(A, T), 0);
        assert_int_equal(tw_ungqr_tree(A, T, Q), 0);
        compare("ungqr_tree", t, M, N, 0, (tw_matrix *[]){A, T, Q}, 3);
        A = matrix(t, TW_GENERAL, N, M, "random");
        assert_int_equal(tw_tree_create(&T, A, 0), 0);
        tt_made_begin();
        assert_int_equal(tw_geqrf_tree(A, T), 0);
        compare("geqrf_tree", t, N, M, 0, (tw_matrix *[]){A, T}, 2);
        A = matrix(t, TW_GENERAL, M, K, "random"), Q = matrix(t, TW_GENERAL, M, N, "random");
        assert_int_equal(tw_tree_create(&T, A, 0), 0);
        assert_int_equal(tw_geqrf_tree(A, T), 0);
        tt_made_begin();
        assert_int_equal(tw_unmqr_tree(TW_LEFT, TW_CONJTRANS, A, T, Q), 0);
        compare("unmqr_tree", t, M, N, K, (tw_matrix *[]){A, T, Q}, 3);
        A = matrix(t, TW_GENERAL, N, M, "random"), Q = matrix(t, TW_GENERAL, N, M, "random");
        assert_int_equal(tw_tree_create_lq(&T, A, 0), 0);
        tt_made_begin();
        assert_int_equal(tw_gelqf_tree(A, T), 0);
        assert_int_equal(tw_unglq_tree(A, T, Q), 0);
        compare("unglq_tree", t, N, M, 0, (tw_matrix *[]){A, T, Q}, 3);
        A = matrix(t, TW_GENERAL, K, M, "random"), Q = matrix(t, TW_GENERAL, M, N, "random");
        assert_int_equal(tw_tree_create_lq(&T, A, 0), 0);
        assert_int_equal(tw_gelqf_tree(A, T), 0);
        tt_made_begin();
        assert_int_equal(tw_unmlq_tree(TW_LEFT, TW_CONJTRANS, A, T, Q), 0);
        compare("unmlq_tree", t, M, N, K, (tw_matrix *[]){A, T, Q}, 3);
        A = matrix(t, TW_GENERAL, NB + 1, 8 * M, "random"), Q = matrix(t, TW_GENERAL, 8 * M, 1, "random");
        tt_made_begin();
        assert_int_equal(tw_gels(TW_NOTRANS, A, Q), 0);
        compare("gels", t, NB + 1, 8 * M, 1, (tw_matrix *[]){A, Q}, 2);
        A = matrix(t, TW_GENERAL, 8 * M, NB + 1, "random"), Q = matrix(t, TW_GENERAL, 8 * M, 1, "random");
        tt_made_begin();
        assert_int_equal(tw_gels(TW_NOTRANS, A, Q), 0);
        compare("gels", t, 8 * M, NB + 1, 1, (tw_matrix *[]){A, Q}, 2);
    }
}

/* Error bounds' vectors are as many as right-hand sides. */
static void refined(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int k = 40; k <= K; k += K - 40) {
            double ferr[K], berr[K], r[N], c[N], rcond, rpivot, growth;
            int steps, equed, iter;
            tw_matrix *A = matrix(t, TW_GENERAL, N, N, "dominant"), *AF = matrix(t, TW_GENERAL, N, N, "dominant"),
                      *B = matrix(t, TW_GENERAL, N, k, "random"), *X = matrix(t, TW_GENERAL, N, k, "random"), *p;
            assert_int_equal(tw_pivots_create(&p, A), 0);
            tt_made_begin();
            tt_made_vector = 2 * N;
            assert_int_equal(tw_gesvx(TW_FACT_EQUILIBRATE, TW_NOTRANS, A, AF, p, &equed, r, c, B, X, &rcond, ferr, berr,
                                      &rpivot, &steps),
                             0);
            tt_made_vector = 0;
            compare("gesvx", t, N, N, k, (tw_matrix *[]){A, AF, p, B, X}, 5);
            A = matrix(t, TW_LOWER, N, N, "spd"), AF = matrix(t, TW_LOWER, N, N, "spd");
            B = matrix(t, TW_GENERAL, N, k, "random"), X = matrix(t, TW_GENERAL, N, k, "random");
            tt_made_begin();
            tt_made_vector = 2 * N;
            assert_int_equal(
                tw_posvx(TW_FACT_EQUILIBRATE, TW_LOWER, A, AF, &equed, r, B, X, &rcond, ferr, berr, &steps), 0);
            tt_made_vector = 0;
            compare("posvx", t, N, N, k, (tw_matrix *[]){A, AF, B, X}, 4);
            A = matrix(t, TW_LOWER, N, N, "spd"), B = matrix(t, TW_GENERAL, N, k, "random"),
            X = matrix(t, TW_GENERAL, N, k, "random");
            tt_made_begin();
            tt_made_vector = 2 * N;
            assert_int_equal(tw_trrfs(TW_LOWER, TW_NOTRANS, TW_NONUNIT, A, B, X, ferr, berr), 0);
            tt_made_vector = 0;
            compare("trrfs", t, N, N, k, (tw_matrix *[]){A, B, X}, 3);
            A = matrix(t, TW_GENERAL, N, N, "dominant"), B = matrix(t, TW_GENERAL, N, k, "random");
            assert_int_equal(tw_pivots_create(&p, A), 0);
            tt_made_begin();
            assert_int_equal(tw_gesv_nopiv(A, p, B, &iter, &growth, berr), 0);
            compare("gesv_nopiv", t, N, N, k, (tw_matrix *[]){A, p, B}, 3);
        }
}

/* A copy of B and X is made where their tiles are wider than one task's estimates. */
static void wide_tiles(void **state)
{
    enum { WIDE = 100 };
    double ferr[K], berr[K];
    int steps;
    (void)state;
    TT_TYPES(t) {
        tw_matrix *A = tt_made_matrix(t, TW_LOWER, N, N, WIDE, "spd"),
                  *AF = tt_made_matrix(t, TW_LOWER, N, N, WIDE, "spd"),
                  *B = tt_made_matrix(t, TW_GENERAL, N, K, WIDE, "random"),
                  *X = tt_made_matrix(t, TW_GENERAL, N, K, WIDE, "random");
        assert_int_equal(tw_potrf(TW_LOWER, AF), 0);
        tt_made_begin();
        tt_made_vector = 2 * N;
        assert_int_equal(tw_porfs(TW_LOWER, A, AF, B, X, ferr, berr, &steps), 0);
        tt_made_vector = 0;
        tt_made_compare(&(struct tt_made_problem){"porfs", t, N, N, K, WIDE}, TT_ALL, 1, (tw_matrix *[]){A, AF, B, X},
                        4);
    }
}

/* Every row's shapes can be read, grow with the sizes, and are nothing where these are. */
static void every_row(void **state)
{
    const struct tw_routine *const *const families[] = {tw_dense_routines, tw_eigen_routines, tw_svd_routines};
    int counted = 0;
    (void)state;

    for (int f = 0; f < 3; f++)
        for (const struct tw_routine *const *r = families[f]; *r; r++) {
            tw_memory none, some, twice;
            const int e = tw_routine_memory((*r)->name, TW_COMPLEX_FLOAT, 0, 0, 0, NB, &none);
            assert_int_equal(e, (*r)->needs.given ? 0 : -1);
            if (e) continue;
            counted++;
            assert_int_equal(tw_routine_memory((*r)->name, TW_COMPLEX_FLOAT, M, N, K, NB, &some), 0);
            assert_int_equal(tw_routine_memory((*r)->name, TW_COMPLEX_FLOAT, 4 * M, 4 * N, 4 * K, NB, &twice), 0);
            if (none.host + none.own > 4096) fail_msg("%s: %zu bytes for nothing", (*r)->name, none.host + none.own);
            if (*(*r)->needs.given)
                assert_true(some.host > (size_t)N * N / 2 * 8 / 2 && twice.host > 4 * some.host / 2);
            assert_true(twice.own >= some.own);
            for (const char *list = (*r)->needs.given; *list; list++)
                if (!strchr("23456789TBmnklghbef1:rsdi ", *list)) fail_msg("%s: '%c' in a shape", (*r)->name, *list);
        }
    assert_true(counted > 85);
    /* larger than any memory, and than any number of bytes */
    tw_memory huge;
    assert_int_equal(tw_routine_memory("gesv", TW_DOUBLE, 1 << 20, 1 << 20, 1, 0, &huge), 0);
    assert_true(huge.host >= (size_t)8 << 40);
    assert_int_equal(tw_routine_memory("gemm", TW_DOUBLE, (tw_int)1 << 40, (tw_int)1 << 40, 1, 512, &huge), 0);
    assert_true(huge.host == SIZE_MAX);
    /* whatever the dimensions: their products overflow nowhere */
    for (int f = 0; f < 3; f++)
        for (const struct tw_routine *const *r = families[f]; *r; r++)
            for (int who = 1; who < 8 && (*r)->needs.given; who++)
                for (int e = 31; e <= 63; e += 8) {
                    const tw_int large = INT64_MAX >> (63 - e);
                    assert_int_equal(tw_routine_memory((*r)->name, TW_DOUBLE, who & 1 ? large : N, who & 2 ? large : N,
                                                       who & 4 ? large : K, NB, &huge),
                                     0);
                }
    assert_int_equal(tw_routine_memory("gels", TW_DOUBLE, INT64_MAX, 1, 1, 8, &huge), 0);
    assert_true(huge.host == SIZE_MAX && huge.own == SIZE_MAX);
}

static void refusals(void **state)
{
    tw_memory m;
    (void)state;
    assert_int_equal(tw_routine_memory(NULL, TW_DOUBLE, 1, 1, 1, 0, &m), -1);
    assert_int_equal(tw_routine_memory("gemn", TW_DOUBLE, 1, 1, 1, 0, &m), -1);
    assert_int_equal(tw_routine_memory("gemm", TW_INT32, 1, 1, 1, 0, &m), -2);
    assert_int_equal(tw_routine_memory("gemm", TW_DOUBLE, -1, 1, 1, 0, &m), -3);
    assert_int_equal(tw_routine_memory("gemm", TW_DOUBLE, 1, -1, 1, 0, &m), -4);
    assert_int_equal(tw_routine_memory("gemm", TW_DOUBLE, 1, 1, -1, 0, &m), -5);
    assert_int_equal(tw_routine_memory("gemm", TW_DOUBLE, 1, 1, 1, -1, &m), -6);
    assert_int_equal(tw_routine_memory("gemm", TW_DOUBLE, 1, 1, 1, 0, NULL), -7);
}

/* A matrix is the sum of its tiles, or, without GPUs and where it is not tall, of its block columns. */
static size_t alone(enum tw_type t, tw_int rows, tw_int columns)
{
    const size_t size = tt_size(t), line = 64 / size;
    const int padded = !tw_has_cuda() && rows >= 64 && (size_t)rows * size % 1024 == 0;
    return (((size_t)rows + (padded ? line : 0)) * (size_t)columns * size + 255) / 256 * 256;
}
static void piece_by_piece(void **state)
{
    static const tw_int side[] = {0, 1, 3, 63, 64, 65, 128, 150, 192, 320};
    static const enum tw_uplo uplos[] = {TW_GENERAL, TW_LOWER, TW_UPPER};
    enum { SIDES = sizeof side / sizeof *side };
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < 3 * SIDES * SIDES; k++) {
            const enum tw_uplo uplo = uplos[k % 3];
            const tw_int m = side[k / 3 % SIDES], n = side[k / 3 / SIDES];
            const tw_int rows = (m + NB - 1) / NB, columns = (n + NB - 1) / NB;
            size_t sum = 0, bytes;
            for (tw_int j = 0; j < n; j += NB) {
                const tw_int first = uplo == TW_LOWER ? j : 0, last = uplo == TW_UPPER ? tw_min(m, j + NB) : m,
                             each = tw_has_cuda() || rows > 4 * columns ? NB : tw_max(1, last - first);
                for (tw_int i = first; i < last; i += each)
                    sum += alone(t, tw_min(each, m - i), tw_min(NB, n - j));
            }
            assert_int_equal(tw_matrix_memory(t, uplo, m, n, NB, &bytes, NULL), 0);
            if (bytes != sum)
                fail_msg("%c, %c, %d x %d: %zu bytes, its pieces have %zu", tt_letter(t), uplo, (int)m, (int)n, bytes,
                         sum);
        }
}

/* Sizes that no machine holds are answered at once: nobody goes through their tiles (of which some have 2^58). */
static void any_size(void **state)
{
    static const tw_int size[] = {0, 1, 100000, INT32_MAX, (tw_int)INT32_MAX + 1, (tw_int)1 << 48, INT64_MAX};
    static const tw_int nb[] = {0, 1, 7, 1 << 20};
    enum { SIZES = sizeof size / sizeof *size };
    const struct tw_routine *const *const families[] = {tw_dense_routines, tw_eigen_routines, tw_svd_routines};
    (void)state;
    for (int f = 0; f < 3; f++)
        for (const struct tw_routine *const *r = families[f]; *r; r++) {
            if (!(*r)->needs.given) continue;
            for (int c = 0; c < SIZES * SIZES * SIZES * 4; c++) {
                const int b = c % 4, i = c / 4 % SIZES, j = c / 4 / SIZES % SIZES, k = c / 4 / SIZES / SIZES;
                tw_memory memory;
                tt_expect_info(
                    tw_routine_memory((*r)->name, TW_COMPLEX_DOUBLE, size[i], size[j], size[k], nb[b], &memory), 0,
                    "%s %lld %lld %lld", (*r)->name, (long long)size[i], (long long)size[j], (long long)size[k]);
                assert_true(memory.nb >= 1 && memory.nb <= 1 << 20);
                if (nb[b]) assert_int_equal(memory.nb, nb[b]);
            }
        }
    assert_int_equal(tw_matrix_memory(TW_DOUBLE, TW_LOWER, 500000000, 500000000, 1, &(size_t){0}, NULL), 0);
    assert_int_equal(tw_matrix_memory(TW_DOUBLE, TW_LOWER, INT64_MAX, INT64_MAX, 1, &(size_t){0}, NULL), TW_E_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(symmetric_systems),
                                       cmocka_unit_test(general_systems),
                                       cmocka_unit_test(orthogonal),
                                       cmocka_unit_test(products),
                                       cmocka_unit_test(least_squares),
                                       cmocka_unit_test(any_rank),
                                       cmocka_unit_test(pivoted),
                                       cmocka_unit_test(pivoted_up_to_a_rank),
                                       cmocka_unit_test(inverses),
                                       cmocka_unit_test(tall),
                                       cmocka_unit_test(trees),
                                       cmocka_unit_test(refined),
                                       cmocka_unit_test(wide_tiles),
                                       cmocka_unit_test(every_row),
                                       cmocka_unit_test(piece_by_piece),
                                       cmocka_unit_test(any_size),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
