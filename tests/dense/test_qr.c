/* geqrf, unmqr, ungqr and their LQ twins: residuals and orthogonality against reflectors applied one by one, LAPACK's
 * V, tau and R, every storage, shapes and tiles of all kinds, numbers at the ends of the range, queued routines,
 * operands that do not fit.
 *
 * storev 'C' stands for QR, 'R' for LQ. */
#include <complex.h>
#include <math.h>

#include "tt.h"

#define FOR_TYPES(t)  TT_TYPES(t)
#define FOR_STOREV(s) for (const char *s = "CR"; *s; s++)
#define COUNT(list)   (sizeof list / sizeof *list)

static tw_int max_of(tw_int a, tw_int b)
{
    return a > b ? a : b;
}
static tw_int min_of(tw_int a, tw_int b)
{
    return a < b ? a : b;
}
static const char *name_of(char storev, const char *qr, const char *lq)
{
    return storev == 'C' ? qr : lq;
}

static int factor(char storev, tw_matrix *A, tw_matrix *tau)
{
    return storev == 'C' ? tw_geqrf(A, tau) : tw_gelqf(A, tau);
}
static int multiply(char storev, enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *tau, tw_matrix *C)
{
    return storev == 'C' ? tw_unmqr(side, trans, A, tau, C) : tw_unmlq(side, trans, A, tau, C);
}
static int generate(char storev, tw_matrix *A, tw_matrix *tau)
{
    return storev == 'C' ? tw_ungqr(A, tau) : tw_unglq(A, tau);
}
static int lapacks(char storev, enum tw_type t, int m, int n, void *a, int lda, void *tau)
{
    return storev == 'C' ? tt_lapack_geqrf(t, m, n, a, lda, tau) : tt_lapack_gelqf(t, m, n, a, lda, tau);
}

/* A tau matrix with the content of k elements, in tiles of nb. */
static tw_matrix *tau_of(enum tw_type t, tw_int k, tw_int nb, const void *tau)
{
    tw_matrix *T;
    assert_int_equal(tw_matrix_create_tiles(&T, t, TW_GENERAL, k, 1, nb, nb, NULL), 0);
    if (k > 0) assert_int_equal(tw_matrix_set_lapack(T, tau, k), 0);
    return T;
}

/* a (m x n) by the matrix door: the factors in f and tau. */
static void factored(char storev, enum tt_storage s, enum tw_type t, int m, int n, int nb, void *f, int lda, void *tau)
{
    struct tt_place p;
    tw_matrix *A = tt_enter(&p, s, t, TW_GENERAL, m, n, f, lda, nb), *T;

    assert_int_equal(tw_tau_create(&T, A), 0);
    tt_expect_info(factor(storev, A, T), 0, "%c%s %d x %d nb=%d", tt_letter(t), name_of(storev, "geqrf", "gelqf"), m, n,
                   nb);
    if (min_of(m, n) > 0) assert_int_equal(tw_matrix_to_lapack(T, tau, min_of(m, n)), 0);
    assert_int_equal(tw_matrix_destroy(T), 0);
    tt_leave(&p);
}

/* ---- the factors ------------------------------------------------------------------------------------------------- */

static void one_factor(char storev, enum tt_storage s, enum tw_type t, int m, int n, int nb, int lda)
{
    const int k = (int)min_of(m, n);
    void *a = tt_array(t, lda, n), *f, *r, *tau = tt_array(t, max_of(1, k), 1),
         *lapacks_tau = tt_array(t, max_of(1, k), 1);
    double condition;

    tt_random(t, 'G', m, n, a, lda, 101);
    f = tt_copy(t, lda, n, a);
    r = tt_copy(t, lda, n, a);
    factored(storev, s, t, m, n, nb, f, lda, tau);
    assert_int_equal(tt_touched(t, 'G', m, n, f, lda), 0);
    tt_expect(name_of(storev, "geqrf", "gelqf"), t, tt_qr_residual(t, storev, m, n, a, lda, f, lda, tau), k,
              "%d x %d nb=%d %s", m, n, nb, tt_storage_name(s));
    if (k > 0) {
        assert_int_equal(lapacks(storev, t, m, n, r, lda, lapacks_tau), 0);
        condition = tt_qr_condition(t, storev, m, n, r, lda);
        tt_expect(name_of(storev, "geqrf against LAPACK", "gelqf against LAPACK"), t,
                  tt_difference(t, 'G', 'N', m, n, f, lda, r, lda) / condition, 0, "%d x %d nb=%d", m, n, nb);
        tt_expect(name_of(storev, "geqrf: tau against LAPACK", "gelqf: tau against LAPACK"), t,
                  tt_difference(t, 'G', 'N', k, 1, tau, k, lapacks_tau, k) / condition, 0, "%d x %d nb=%d", m, n, nb);
    }
    free(a), free(f), free(r), free(tau), free(lapacks_tau);
}

static void factors(void **state)
{
    static const int sizes[][3] = {
        {0, 0, 16},     {0, 5, 16},    {5, 0, 16},    {1, 1, 16},    {1, 40, 16},    {40, 1, 16},    {18, 18, 19},
        {19, 19, 19},   {20, 20, 19},  {19, 20, 19},  {20, 19, 19},  {57, 38, 19},   {38, 57, 19},   {101, 101, 19},
        {97, 211, 32},  {211, 97, 32}, {13, 300, 19}, {300, 13, 19}, {128, 128, 32}, {127, 129, 32}, {129, 127, 64},
        {193, 131, 64}, {64, 257, 64}, {257, 64, 64}, {60, 50, 400}, {50, 60, 400},  {45, 33, 1},    {33, 45, 2}};
    (void)state;
    FOR_STOREV(storev)
        FOR_TYPES(t)
            for (size_t s = 0; s < COUNT(sizes); s++)
                one_factor(*storev, TT_FROM_LAPACK, t, sizes[s][0], sizes[s][1], sizes[s][2],
                           (int)max_of(1, sizes[s][0]) + (s % 2 ? 3 : 0));
}

static void every_storage(void **state)
{
    (void)state;
    FOR_STOREV(storev)
        FOR_TYPES(t)
            for (int s = 0; s < tt_storages(); s++) {
                one_factor(*storev, (enum tt_storage)s, t, 150, 90, 32, 152);
                one_factor(*storev, (enum tt_storage)s, t, 90, 149, 48, 90);
            }
}

/* ---- Q ----------------------------------------------------------------------------------------------------------- */

static tt_z *copied(int n, const tt_z *x)
{
    tt_z *y = malloc((size_t)(n * n + 1) * sizeof *y);
    assert_non_null(y);
    memcpy(y, x, (size_t)(n * n) * sizeof *y);
    return y;
}

/* op(Q) C and C op(Q) of the first k reflectors, on matrices with `width` lines in tiles of nb_c. */
static void one_product(char storev, enum tw_type t, int m, int n, int k, int nb, int width, int nb_c)
{
    const int order = storev == 'C' ? m : n;
    void *f = tt_array(t, m, n), *tau = tt_array(t, max_of(1, min_of(m, n)), 1);
    tw_matrix *A, *T;
    tt_z *q;

    tt_random(t, 'G', m, n, f, m, 111);
    factored(storev, TT_FROM_LAPACK, t, m, n, nb, f, m, tau);
    q = tt_q(t, storev, order, k, f, m, tau);
    assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, m, n, f, m, nb), 0);
    T = tau_of(t, k, nb, tau);
    for (int left = 0; left < 2; left++)
        for (const char *trans = "NCT"; *trans; trans++) {
            const int mc = left ? order : width, nc = left ? width : order, ldc = mc + 1;
            void *c = tt_array(t, ldc, nc), *got;
            tw_matrix *C;
            tt_z *C0, *Q = copied(order, q);
            if (*trans == 'T' && tt_complex(t)) {
                free(c), free(Q);
                continue;
            }
            tt_random(t, 'G', mc, nc, c, ldc, 112);
            got = tt_copy(t, ldc, nc, c);
            assert_int_equal(tw_matrix_from_lapack(&C, t, TW_GENERAL, mc, nc, c, ldc, nb_c), 0);
            tt_expect_info(multiply(storev, left ? TW_LEFT : TW_RIGHT, (enum tw_trans) * trans, A, T, C), 0, "unmqr");
            assert_int_equal(tw_matrix_to_lapack(C, got, ldc), 0);
            assert_int_equal(tw_matrix_destroy(C), 0);
            assert_int_equal(tt_touched(t, 'G', mc, nc, got, ldc), 0);
            C0 = tt_full(TT_GENERAL, t, 'G', 'N', mc, nc, c, ldc);
            Q = tt_op(*trans, order, order, Q);
            tt_expect(name_of(storev, "unmqr", "unmlq"), t,
                      tt_product_residual(t, 'G', mc, nc, order, 1, left ? Q : C0, left ? C0 : Q, 0, C0, got, ldc),
                      k > 0 ? order : 0, "%d x %d k=%d nb=%d %c %d lines in %d", m, n, k, nb, *trans, width, nb_c);
            free(c), free(got), free(C0), free(Q);
        }
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(T), 0);
    free(f), free(tau), free(q);
}

/* The first `n` columns (LQ: rows) of the Q of k reflectors. */
static void one_generated(char storev, enum tw_type t, int order, int n, int k, int nb)
{
    const int m = storev == 'C' ? order : n, cols = storev == 'C' ? n : order;
    void *f = tt_array(t, max_of(1, m), cols), *tau = tt_array(t, max_of(1, n), 1), *v;
    tw_matrix *A, *T;
    tt_z *q, *got, *part = calloc((size_t)(order * n + 1), sizeof *part);

    tt_random(t, 'G', m, cols, f, m, 121);
    factored(storev, TT_FROM_LAPACK, t, m, cols, nb, f, m, tau);
    v = tt_copy(t, m, cols, f);
    for (int j = 0; j < cols; j++) /* what is not among the first k is not looked at */
        for (int i = 0; i < m; i++)
            if ((storev == 'C' ? j : i) >= k) tt_put(t, v, (size_t)(i + j * m), NAN);
    q = tt_q(t, storev, order, k, f, m, tau);
    assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, m, cols, v, m, nb), 0);
    T = tau_of(t, k, nb, tau);
    tt_expect_info(generate(storev, A, T), 0, "ungqr");
    assert_int_equal(tw_matrix_to_lapack(A, v, m), 0);
    got = tt_full(TT_GENERAL, t, 'G', 'N', m, cols, v, m);
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < m; i++)
            part[i + j * m] = got[i + j * m] - q[i + j * order];
    tt_expect(name_of(storev, "ungqr", "unglq"), t, tt_norm('O', m, cols, part) / (order * tt_eps(t)), 0,
              "order %d, %d, k=%d nb=%d", order, n, k, nb);
    tt_expect(name_of(storev, "ungqr: orthogonality", "unglq: orthogonality"), t, tt_orthogonality(t, m, cols, got),
              k > 0 ? n : 0, "order %d, %d, k=%d nb=%d", order, n, k, nb);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(T), 0);
    free(f), free(tau), free(v), free(q), free(got), free(part);
}

static void products(void **state)
{
    static const int cases[][6] = {/* m, n, k, nb, lines, their tiles */
                                   {1, 1, 1, 16, 1, 16},     {40, 1, 1, 16, 3, 16},     {64, 64, 64, 16, 20, 16},
                                   {90, 50, 50, 19, 7, 19},  {50, 90, 50, 19, 7, 19},   {90, 50, 37, 19, 33, 11},
                                   {50, 90, 20, 19, 33, 64}, {100, 70, 70, 32, 90, 32}, {70, 60, 60, 200, 5, 9},
                                   {100, 64, 5, 32, 40, 32}, {80, 80, 0, 32, 4, 32}};
    (void)state;
    FOR_STOREV(storev)
        FOR_TYPES(t)
            for (size_t c = 0; c < COUNT(cases); c++)
                one_product(*storev, t, cases[c][0], cases[c][1], cases[c][2], cases[c][3], cases[c][4], cases[c][5]);
}

static void generated(void **state)
{
    static const int cases[][4] = {/* order, n, k, nb */
                                   {1, 1, 1, 16},     {40, 1, 1, 16},    {40, 40, 40, 16}, {41, 40, 40, 16},
                                   {90, 50, 50, 19},  {90, 50, 20, 19},  {90, 57, 38, 19}, {90, 57, 45, 19},
                                   {60, 60, 1, 32},   {131, 97, 97, 32}, {100, 80, 0, 32}, {70, 60, 60, 200},
                                   {70, 60, 33, 200}, {90, 90, 77, 30}};
    (void)state;
    FOR_STOREV(storev)
        FOR_TYPES(t)
            for (size_t c = 0; c < COUNT(cases); c++)
                one_generated(*storev, t, cases[c][0], cases[c][1], cases[c][2], cases[c][3]);
}

/* Tiles that are not square, m and n apart. */
static void rectangular_tiles(void **state)
{
    static const int shapes[][4] = {
        {100, 100, 16, 33}, {100, 70, 70, 9}, {150, 60, 20, 64}, {60, 150, 64, 20}, {15, 60, 64, 20}};
    (void)state;
    FOR_STOREV(storev)
        FOR_TYPES(t)
            for (size_t s = 0; s < COUNT(shapes); s++) {
                const int m = shapes[s][0], n = shapes[s][1], k = (int)min_of(m, n);
                void *a = tt_array(t, m, n), *f, *tau = tt_array(t, k, 1);
                tw_matrix *A, *T;
                tt_random(t, 'G', m, n, a, m, 131);
                f = tt_copy(t, m, n, a);
                assert_int_equal(tw_matrix_create_tiles(&A, t, TW_GENERAL, m, n, shapes[s][2], shapes[s][3], NULL), 0);
                assert_int_equal(tw_matrix_set_lapack(A, f, m), 0);
                assert_int_equal(tw_tau_create(&T, A), 0);
                tt_expect_info(factor(*storev, A, T), 0, "rectangular tiles");
                assert_int_equal(tw_matrix_to_lapack(A, f, m), 0);
                assert_int_equal(tw_matrix_to_lapack(T, tau, k), 0);
                tt_expect(name_of(*storev, "geqrf, any tiles", "gelqf, any tiles"), t,
                          tt_qr_residual(t, *storev, m, n, a, m, f, m, tau), k, "%d x %d in %d x %d", m, n,
                          shapes[s][2], shapes[s][3]);
                if (*storev == 'C' ? m >= n : m <= n) {
                    tt_z *q;
                    tt_expect_info(generate(*storev, A, T), 0, "rectangular tiles");
                    assert_int_equal(tw_matrix_to_lapack(A, f, m), 0);
                    q = tt_full(TT_GENERAL, t, 'G', 'N', m, n, f, m);
                    tt_expect(name_of(*storev, "ungqr, any tiles", "unglq, any tiles"), t, tt_orthogonality(t, m, n, q),
                              k, "%d x %d in %d x %d", m, n, shapes[s][2], shapes[s][3]);
                    free(q);
                }
                assert_int_equal(tw_matrix_destroy(A), 0);
                assert_int_equal(tw_matrix_destroy(T), 0);
                free(a), free(f), free(tau);
            }
}

/* ---- wild numbers ------------------------------------------------------------------------------------------------ */

/* Elements near the ends of the range, below larfg's safmin: R scales along, V and tau are the same. */
static void extreme_sizes(void **state)
{
    enum { M = 90, N = 70, NB = 32 };
    (void)state;
    FOR_STOREV(storev)
        FOR_TYPES(t)
            for (int sign = -1; sign <= 1; sign += 2) {
                const int single = t == TW_FLOAT || t == TW_COMPLEX_FLOAT, exponent = single ? 118 : 1000;
                void *a = tt_array(t, M, N), *f, *tau = tt_array(t, N, 1);
                tt_random(t, 'G', M, N, a, M, 15);
                f = tt_copy(t, M, N, a);
                for (size_t i = 0; i < (size_t)M * N; i++)
                    tt_put(t, f, i, ldexp(1, sign * exponent) * tt_get(t, f, i));
                factored(*storev, TT_FROM_LAPACK, t, M, N, NB, f, M, tau);
                for (tw_int j = 0; j < N; j++)
                    for (tw_int i = 0; i < M; i++)
                        if (*storev == 'C' ? i <= j : i >= j)
                            tt_put(t, f, (size_t)(i + j * M),
                                   ldexp(1, -sign * exponent) * tt_get(t, f, (size_t)(i + j * M)));
                tt_expect(name_of(*storev, "geqrf, far from 1", "gelqf, far from 1"), t,
                          tt_qr_residual(t, *storev, M, N, a, M, f, M, tau), 0, "2^%d", sign * exponent);
                free(a), free(f), free(tau);
            }
}

static void zeros_and_nans(void **state)
{
    enum { N = 75, NB = 32 };
    (void)state;
    FOR_STOREV(storev)
        FOR_TYPES(t) {
            void *a = tt_array(t, N, N), *f, *tau = tt_array(t, N, 1);
            int nans = 0;
            for (size_t i = 0; i < (size_t)N * N; i++)
                tt_put(t, a, i, 0);
            f = tt_copy(t, N, N, a);
            factored(*storev, TT_FROM_LAPACK, t, N, N, NB, f, N, tau);
            for (size_t i = 0; i < (size_t)N * N; i++) /* Q is the identity */
                assert_true(tt_get(t, f, i) == 0);
            for (size_t i = 0; i < N; i++)
                assert_true(tt_get(t, tau, i) == 0);
            /* columns (rows) of zeros amid others */
            tt_random(t, 'G', N, N, a, N, 31);
            for (tw_int j = 0; j < N; j++)
                for (tw_int i = 0; i < N; i++)
                    if ((*storev == 'C' ? j : i) % 7 == 3) tt_put(t, a, (size_t)(i + j * N), 0);
            memcpy(f, a, (size_t)N * N * tt_size(t));
            factored(*storev, TT_FROM_LAPACK, t, N, N, NB, f, N, tau);
            tt_expect(name_of(*storev, "geqrf, singular", "gelqf, singular"), t,
                      tt_qr_residual(t, *storev, N, N, a, N, f, N, tau), 0, "n=%d", N);
            for (int wild = 0; wild < 2; wild++) { /* it returns, and does not hide them */
                tt_random(t, 'G', N, N, f, N, 32);
                tt_put(t, f, 40 + 30 * N, wild ? INFINITY : NAN);
                factored(*storev, TT_FROM_LAPACK, t, N, N, NB, f, N, tau);
                for (size_t i = 0; i < (size_t)N * N; i++)
                    nans += isnan(creal(tt_get(t, f, i)));
                assert_true(nans > 0);
            }
            free(a), free(f), free(tau);
        }
}

/* ---- the checkers ------------------------------------------------------------------------------------------------ */

/* One wrong element of V, tau or R is seen. */
static void checkers_see_faults(void **state)
{
    enum { M = 100, N = 80, NB = 32 };
    (void)state;
    FOR_STOREV(storev)
        FOR_TYPES(t) {
            const int single = t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
            const double fault = single ? 0.02 : 1e-6;
            void *a = tt_array(t, M, N), *f, *tau = tt_array(t, N, 1);
            const size_t lower = 60 + 20 * M, upper = 20 + 60 * M;
            tt_random(t, 'G', M, N, a, M, 41);
            f = tt_copy(t, M, N, a);
            factored(*storev, TT_FROM_LAPACK, t, M, N, NB, f, M, tau);
            for (int what = 0; what < 4; what++) {
                void *array = what < 2 ? f : tau;
                const size_t at = what == 0 ? lower : what == 1 ? upper : what == 2 ? 0 : 50;
                const tt_z was = tt_get(t, array, at);
                tt_put(t, array, at, was + (what < 2 ? 20 : 1) * fault);
                if (tt_judge(tt_qr_residual(t, *storev, M, N, a, M, f, M, tau), N) != TT_FAIL)
                    fail_msg("%c: a fault of kind %d is not seen", tt_letter(t), what);
                tt_put(t, array, at, was);
            }
            tt_expect("without the faults", t, tt_qr_residual(t, *storev, M, N, a, M, f, M, tau), N, "%c", *storev);
            free(a), free(f), free(tau);
        }
}

/* ---- doors ------------------------------------------------------------------------------------------------------- */

/* Factor, multiply, form Q: one graph. tau over an array of the caller's. */
static void one_graph(void **state)
{
    enum { M = 160, N = 130, WIDTH = 40, NB = 32 };
    (void)state;
    FOR_TYPES(t) {
        void *a = tt_array(t, M, N), *c = tt_array(t, M, WIDTH), *got = tt_array(t, M, WIDTH), *f = tt_array(t, M, N),
             *tau = tt_array(t, N, 1);
        tw_matrix *A, *C, *T, *F;
        tw_sequence *seq;
        tt_z *Q, *C0, *X;
        tt_random(t, 'G', M, N, a, M, 221);
        tt_random(t, 'G', M, WIDTH, c, M, 222);
        assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, M, N, a, M, NB), 0);
        assert_int_equal(tw_matrix_from_lapack(&F, t, TW_GENERAL, M, N, a, M, NB), 0);
        assert_int_equal(tw_matrix_from_lapack(&C, t, TW_GENERAL, M, WIDTH, c, M, NB), 0);
        assert_int_equal(tw_matrix_wrap_tiles(&T, t, TW_GENERAL, N, 1, tau, N, NB, 1), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_geqrf_async(A, T, seq), 0);
        assert_int_equal(tw_unmqr_async(TW_LEFT, TW_CONJTRANS, A, T, C, seq), 0);
        assert_int_equal(tw_geqrf_async(F, T, seq), 0); /* the same once more */
        assert_int_equal(tw_ungqr_async(A, T, seq), 0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(tw_matrix_to_lapack(C, got, M), 0);
        assert_int_equal(tw_matrix_to_lapack(F, f, M), 0);
        assert_int_equal(tw_matrix_destroy(T), 0);
        tt_expect("async geqrf", t, tt_qr_residual(t, 'C', M, N, a, M, f, M, tau), N, "one graph");
        Q = tt_op('C', M, M, tt_q(t, 'C', M, N, f, M, tau));
        C0 = tt_full(TT_GENERAL, t, 'G', 'N', M, WIDTH, c, M);
        tt_expect("async unmqr", t, tt_product_residual(t, 'G', M, WIDTH, M, 1, Q, C0, 0, C0, got, M), M, "one graph");
        assert_int_equal(tw_matrix_to_lapack(A, f, M), 0);
        X = tt_full(TT_GENERAL, t, 'G', 'N', M, N, f, M);
        tt_expect("async ungqr", t, tt_orthogonality(t, M, N, X), N, "one graph");
        assert_int_equal(tw_matrix_destroy(A), 0);
        assert_int_equal(tw_matrix_destroy(C), 0);
        assert_int_equal(tw_matrix_destroy(F), 0);
        free(a), free(c), free(got), free(f), free(tau), free(Q), free(C0), free(X);
    }
}

static void matrices_that_do_not_fit(void **state)
{
    tw_matrix *A, *Z, *L, *C, *T, *S, *P, *O, *F;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 40, 30, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&Z, TW_COMPLEX_DOUBLE, TW_GENERAL, 40, 30, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&L, TW_DOUBLE, TW_LOWER, 40, 40, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_DOUBLE, TW_GENERAL, 40, 3, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 40, 3, 16, NULL), 0);
    assert_int_equal(tw_tau_create(&T, A), 0);
    assert_int_equal(tw_matrix_rows(T), 30);
    assert_int_equal(tw_matrix_type(T), TW_DOUBLE);
    assert_int_equal(tw_tau_create(&S, Z), 0);
    assert_int_equal(tw_pivots_create(&P, A), 0);
    assert_int_equal(tw_matrix_create_tiles(&O, TW_DOUBLE, TW_GENERAL, 30, 1, 10, 10, NULL), 0);
    FOR_STOREV(s) {
        assert_int_equal(factor(*s, NULL, T), -1);
        assert_int_equal(factor(*s, L, T), -1);
        assert_int_equal(factor(*s, P, T), -1);
        assert_int_equal(factor(*s, A, NULL), -2);
        assert_int_equal(factor(*s, A, S), -2);
        assert_int_equal(factor(*s, A, P), -2);
        assert_int_equal(factor(*s, A, C), -2);
        assert_int_equal(factor(*s, A, O), -2);
        assert_int_equal(factor(*s, T, T), -2);
        assert_int_equal(multiply(*s, (enum tw_side)'X', TW_NOTRANS, A, T, C), -1);
        assert_int_equal(multiply(*s, TW_LEFT, (enum tw_trans)'X', A, T, C), -2);
        assert_int_equal(multiply(*s, TW_LEFT, TW_TRANS, Z, S, Z), -2);
        assert_int_equal(multiply(*s, TW_LEFT, TW_NOTRANS, L, T, C), -3);
        assert_int_equal(multiply(*s, TW_LEFT, TW_NOTRANS, A, S, C), -4);
        assert_int_equal(multiply(*s, TW_LEFT, TW_NOTRANS, A, O, C), -4);
        assert_int_equal(multiply(*s, TW_LEFT, TW_NOTRANS, A, T, F), -5);
        assert_int_equal(multiply(*s, TW_RIGHT, TW_NOTRANS, A, T, C), -5);
        assert_int_equal(multiply(*s, TW_LEFT, TW_NOTRANS, A, T, NULL), -5);
    }
    assert_int_equal(tw_unmqr(TW_LEFT, TW_NOTRANS, A, T, A), -5);
    assert_int_equal(tw_unmqr(TW_LEFT, TW_NOTRANS, C, T, A), -4); /* more reflectors than columns */
    assert_int_equal(tw_ungqr(C, T), -2);
    assert_int_equal(tw_unglq(A, T), -1);
    assert_int_equal(tw_ungqr(NULL, T), -1);
    assert_int_equal(tw_ungqr(A, NULL), -2);
    tw_matrix_destroy(O);
    assert_int_equal(tw_tau_create(&O, NULL), -2);
    assert_int_equal(tw_tau_create(&O, P), -2);
    assert_null(O);
    assert_int_equal(tw_tau_create(NULL, A), -1);
    tw_matrix_destroy(A), tw_matrix_destroy(Z), tw_matrix_destroy(L), tw_matrix_destroy(C), tw_matrix_destroy(T);
    tw_matrix_destroy(S), tw_matrix_destroy(P), tw_matrix_destroy(F);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(factors),           cmocka_unit_test(every_storage),
                                       cmocka_unit_test(products),          cmocka_unit_test(generated),
                                       cmocka_unit_test(rectangular_tiles), cmocka_unit_test(extreme_sizes),
                                       cmocka_unit_test(zeros_and_nans),    cmocka_unit_test(checkers_see_faults),
                                       cmocka_unit_test(one_graph),         cmocka_unit_test(matrices_that_do_not_fit)};
    const int failed = tt_run(tests);
    return tw_finalize() != 0 || failed;
}
