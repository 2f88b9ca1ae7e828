/* geqp3rk and geqp3rk_random: geqp3's (and geqp3_random's) numbers up to where it ends, and what is left behind that;
 * each of the three reasons to end, in every place of a block; ranks, zeros, NaN; refusals; a graph with what comes
 * after. */
#include <complex.h>
#include <math.h>
#include "tt.h"

#define COUNT(list) (sizeof list / sizeof *list)
enum { MOST = 130 };

struct result {
    tw_int k, jpvt[MOST];
    double largest, quotient;
    void *f, *tau;
};

static int sketched; /* the other routine: geqp3rk_random */

static int run(enum tw_type t, int m, int n, const void *a, int lda, int mb, int nb, tw_int kmax, double abstol,
               double reltol, int queued, struct result *r)
{
    tw_matrix *A, *V;
    tw_sequence *seq;
    int info;

    r->f = tt_copy(t, lda, n, a), r->tau = tt_array(t, MOST, 1);
    for (int j = 0; j < MOST; j++)
        r->jpvt[j] = -7; /* not read */
    assert_int_equal(tw_matrix_create_tiles(&A, t, TW_GENERAL, m, n, mb, nb, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, r->f, lda), 0);
    assert_int_equal(tw_tau_create(&V, A), 0);
    if (queued) {
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal((sketched ? tw_geqp3rk_random_async : tw_geqp3rk_async)(
                             A, kmax, abstol, reltol, &r->k, &r->largest, &r->quotient, r->jpvt, V, seq),
                         0);
        info = tw_sequence_wait(seq);
        assert_int_equal(tw_sequence_destroy(seq), 0);
    } else {
        info = (sketched ? tw_geqp3rk_random : tw_geqp3rk)(A, kmax, abstol, reltol, &r->k, &r->largest, &r->quotient,
                                                           r->jpvt, V);
    }
    assert_int_equal(tw_matrix_to_lapack(A, r->f, lda), 0);
    assert_int_equal(tw_matrix_to_lapack(V, r->tau, m < n ? m : n), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(V), 0);
    return info;
}
static void forget(struct result *r)
{
    free(r->f), free(r->tau);
}

static double column_norm(enum tw_type t, const void *f, int lda, int from, int m, int j)
{
    double sum = 0;
    for (int i = from; i < m; i++)
        sum = hypot(sum, cabs(tt_get(t, f, (size_t)(i + j * lda))));
    return sum;
}

/* A P = Q (R, and what is left); the norms said are those of what is left. */
static void judge(enum tw_type t, int m, int n, const void *a, int lda, const struct result *r, const char *what)
{
    const int k = (int)r->k, least = m < n ? m : n;
    tt_z *q = tt_q(t, 'C', m, k, r->f, lda, r->tau), *s = calloc((size_t)(m * n), sizeof *s),
         *p = calloc((size_t)(m * n), sizeof *p);
    double largest = 0, first = 0;
    int seen[MOST] = {0};

    for (int j = 0; j < n; j++) {
        const tw_int from = r->jpvt[j] - 1;
        assert_in_range(from, 0, n - 1);
        assert_int_equal(seen[from]++, 0);
        for (int i = 0; i < m; i++) {
            p[i + j * m] = tt_get(t, a, (size_t)(i + from * lda));
            if (j >= k || i <= j) s[i + j * m] = tt_get(t, r->f, (size_t)(i + j * lda));
        }
        first = fmax(first, column_norm(t, a, lda, 0, m, j));
        if (j >= k && k < m) largest = fmax(largest, column_norm(t, r->f, lda, k, m, j));
    }
    tt_expect("geqp3rk", t, tt_equation_residual(t, m, n, m, q, s, p), 0, "%d x %d, %d columns, %s", m, n, k, what);
    if (k == least) assert_true(r->largest == 0 && r->quotient == 0);
    if (k < least) {
        assert_true(fabs(r->largest - largest) <= 100 * tt_eps(t) * first + 1e-6 * largest);
        assert_true(fabs(r->quotient - (first == 0 ? 0 : largest / first)) <= 100 * tt_eps(t) + 1e-6 * r->quotient);
    }
    for (int j = k; j < least; j++)
        assert_true(tt_get(t, r->tau, (size_t)j) == 0);
    assert_int_equal(tt_touched(t, 'G', m, n, r->f, lda), 0);
    free(q), free(s), free(p);
}

static const int shapes[][4] = {{60, 40, 16, 16}, {40, 60, 16, 16}, {33, 31, 8, 8}, {50, 50, 64, 64},
                                {97, 60, 9, 16},  {1, 9, 4, 4},     {9, 1, 4, 4},   {64, 64, 16, 16}};

/* After any number of columns: those are geqp3's to the last bit, as is all of it without an end. */
static void any_number(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (size_t s = 0; s < COUNT(shapes); s++) {
            const int m = shapes[s][0], n = shapes[s][1], least = m < n ? m : n, lda = m + 1,
                      step = sketched     ? 11
                             : least > 12 ? 5
                                          : 1;
            void *a;
            struct result all, some;

            if (sketched && s != 0 && s != 1 && s != 4) continue; /* the others' ends are geqp3's own */
            a = tt_array(t, lda, n);
            tt_random(t, 'G', m, n, a, lda, 801 + s);
            assert_int_equal(run(t, m, n, a, lda, shapes[s][2], shapes[s][3], 1000, -1, -1, 0, &all), 0);
            assert_int_equal(all.k, least);
            judge(t, m, n, a, lda, &all, "all");
            for (int k = 0; k <= least; k += k % 16 == 15 || k % 16 == 0 ? 1 : step) {
                assert_int_equal(run(t, m, n, a, lda, shapes[s][2], shapes[s][3], k, -1, -1, k % 2, &some), 0);
                assert_int_equal(some.k, k);
                if (k == 0 && least > 0) assert_true(some.quotient == 1);
                judge(t, m, n, a, lda, &some, "kmax");
                for (int j = 0; j < k; j++) {
                    assert_int_equal(some.jpvt[j], all.jpvt[j]);
                    assert_true(tt_get(t, some.tau, (size_t)j) == tt_get(t, all.tau, (size_t)j));
                    assert_memory_equal((char *)some.f + (size_t)(j * lda) * tt_size(t),
                                        (char *)all.f + (size_t)(j * lda) * tt_size(t), (size_t)m * tt_size(t));
                }
                forget(&some);
            }
            free(a), forget(&all);
        }
}

/* Where the norms fall: each tolerance ends it at the first column below, whose norm |R(k, k)| would be. */
static void tolerances(void **state)
{
    const int n = 90;
    (void)state;
    TT_TYPES(t) {
        void *a = tt_array(t, n, n);
        tw_generator *g;
        struct result all, some;

        assert_int_equal(
            tw_generator_create(&g, t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? "svd:1e3,3" : "svd:1e9,3", t, n, n, 5), 0);
        assert_int_equal(tw_generator_block(g, 0, 0, n, n, a, n), 0);
        tw_generator_destroy(g);
        assert_int_equal(run(t, n, n, a, n, 32, 32, n, -1, -1, 0, &all), 0);
        for (int k = 3; k < n; k += 7) {
            const double before = cabs(tt_get(t, all.f, (size_t)((k - 1) * (n + 1)))),
                         there = cabs(tt_get(t, all.f, (size_t)(k * (n + 1)))), tol = sqrt(before * there),
                         first = cabs(tt_get(t, all.f, 0));
            if (there > 0.999 * before) continue; /* as good as equal: either may come first */
            assert_int_equal(run(t, n, n, a, n, 32, 32, n, tol, -1, 0, &some), 0);
            assert_int_equal(some.k, k);
            judge(t, n, n, a, n, &some, "abstol");
            forget(&some);
            assert_int_equal(run(t, n, n, a, n, 32, 32, n, -1, tol / first, 1, &some), 0);
            assert_int_equal(some.k, k);
            judge(t, n, n, a, n, &some, "reltol");
            forget(&some);
            assert_int_equal(run(t, n, n, a, n, 32, 32, k - 2, tol, tol / first, 0, &some), 0);
            assert_int_equal(some.k, k - 2);
            forget(&some);
        }
        assert_int_equal(run(t, n, n, a, n, 32, 32, n, 1e30, -1, 0, &some), 0); /* nothing counts */
        assert_int_equal(some.k, 0);
        assert_true(some.quotient == 1);
        judge(t, n, n, a, n, &some, "abstol above all");
        forget(&some), forget(&all), free(a);
    }
}

static void ranks_and_zeros(void **state)
{
    const int n = 80;
    (void)state;
    TT_TYPES(t) {
        void *a = tt_array(t, n, n);
        tw_generator *g;
        struct result r;

        assert_int_equal(tw_generator_create(&g, "lowrank:23", t, n, n, 5), 0);
        assert_int_equal(tw_generator_block(g, 0, 0, n, n, a, n), 0);
        tw_generator_destroy(g);
        assert_int_equal(run(t, n, n, a, n, 16, 16, n, -1, 1000 * tt_eps(t), 0, &r), 0);
        assert_int_equal(r.k, 23);
        judge(t, n, n, a, n, &r, "rank 23");
        forget(&r);
        memset(a, 0, (size_t)(n * n) * tt_size(t));
        assert_int_equal(run(t, n, n, a, n, 16, 16, n, -1, -1, 0, &r), 0);
        assert_int_equal(r.k, 0);
        assert_true(r.largest == 0 && r.quotient == 0);
        judge(t, n, n, a, n, &r, "zeros");
        forget(&r);
        for (int j = 0; j < 20; j++) /* 20 columns that are exactly independent of the others' zeros */
            tt_put(t, a, (size_t)(3 * j + 3 * j * n), j + 1);
        assert_int_equal(run(t, n, n, a, n, 16, 16, n, -1, -1, 0, &r), 0);
        assert_int_equal(r.k, 20);
        judge(t, n, n, a, n, &r, "20 columns");
        forget(&r);
        tt_random(t, 'G', n, n, a, n, 4);
        tt_put(t, a, 5 + 7 * (size_t)n, NAN);
        assert_int_equal(run(t, n, n, a, n, 16, 16, n, -1, -1, 0, &r), 8);
        assert_int_equal(r.k, 0);
        assert_true(isnan(r.largest) && isnan(r.quotient));
        forget(&r), free(a);
    }
}

/* ---- with columns from a sketch ---------------------------------------------------------------------------------- */

static void sketched_any_number(void **state)
{
    sketched = 1;
    any_number(state);
    sketched = 0;
}

/* It ends at the first column behind which nothing is longer than the tolerance. */
static void sketched_tolerances(void **state)
{
    const int n = 90;
    (void)state;
    sketched = 1;
    TT_TYPES(t) {
        void *a = tt_array(t, n, n);
        tw_generator *g;
        struct result some, before;

        assert_int_equal(
            tw_generator_create(&g, t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? "svd:1e3,3" : "svd:1e9,3", t, n, n, 5), 0);
        assert_int_equal(tw_generator_block(g, 0, 0, n, n, a, n), 0);
        tw_generator_destroy(g);
        for (int e = 1; e < 6; e += 2) {
            const double tol = pow(t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? 1e3 : 1e9, -e / 6.0);
            for (int relative = 0; relative < 2; relative++) {
                assert_int_equal(
                    run(t, n, n, a, n, 32, 32, n, relative ? -1 : tol, relative ? tol : -1, relative, &some), 0);
                assert_true(some.k > 0 && some.k < n);
                assert_true((relative ? some.quotient : some.largest) <= tol);
                judge(t, n, n, a, n, &some, "a tolerance");
                assert_int_equal(run(t, n, n, a, n, 32, 32, some.k - 1, -1, -1, 0, &before), 0);
                assert_true((relative ? before.quotient : before.largest) > tol * (1 - 100 * tt_eps(t)));
                forget(&some), forget(&before);
            }
        }
        assert_int_equal(run(t, n, n, a, n, 32, 32, n, 1e30, -1, 0, &some), 0);
        assert_int_equal(some.k, 0);
        judge(t, n, n, a, n, &some, "abstol above all");
        forget(&some), free(a);
    }
    sketched = 0;
}

static void sketched_ranks(void **state)
{
    const int n = 80;
    (void)state;
    sketched = 1;
    TT_TYPES(t) {
        void *a = tt_array(t, n, n);
        tw_generator *g;
        struct result r;

        assert_int_equal(tw_generator_create(&g, "lowrank:23", t, n, n, 5), 0);
        assert_int_equal(tw_generator_block(g, 0, 0, n, n, a, n), 0);
        tw_generator_destroy(g);
        assert_int_equal(run(t, n, n, a, n, 16, 16, n, -1, 1000 * tt_eps(t), 0, &r), 0);
        assert_int_equal(r.k, 23);
        judge(t, n, n, a, n, &r, "rank 23");
        forget(&r);
        memset(a, 0, (size_t)(n * n) * tt_size(t));
        assert_int_equal(run(t, n, n, a, n, 16, 16, n, -1, -1, 0, &r), 0);
        assert_int_equal(r.k, 0);
        assert_true(r.largest == 0 && r.quotient == 0);
        judge(t, n, n, a, n, &r, "zeros");
        forget(&r);
        tt_random(t, 'G', n, n, a, n, 4);
        tt_put(t, a, 5 + 7 * (size_t)n, INFINITY);
        assert_int_equal(run(t, n, n, a, n, 16, 16, n, -1, -1, 0, &r), n + 8);
        assert_true(r.k == 0 && isinf(r.largest) && r.quotient == 1);
        forget(&r);
        tt_put(t, a, 5 + 30 * (size_t)n, NAN);
        assert_int_equal(run(t, n, n, a, n, 16, 16, n, -1, -1, 1, &r), 31);
        assert_true(r.k == 0 && isnan(r.largest) && isnan(r.quotient));
        assert_memory_equal(r.f, a, (size_t)(n * n) * tt_size(t)); /* A stays */
        forget(&r), free(a);
    }
    sketched = 0;
}

/* ---- LAPACK's names ---------------------------------------------------------------------------------------------- */

static tw_int door(enum tw_type t, tw_int m, tw_int n, tw_int nrhs, tw_int kmax, double abstol, double reltol, void *a,
                   tw_int lda, struct result *r)
{
    float left = -7, of_all = -7;
    tw_int info;

    r->k = -7, r->largest = r->quotient = -7;
    switch (t) {
    case TW_FLOAT:
        info =
            tw_sgeqp3rk(m, n, nrhs, kmax, (float)abstol, (float)reltol, a, lda, &r->k, &left, &of_all, r->jpvt, r->tau);
        break;
    case TW_DOUBLE:
        return tw_dgeqp3rk(m, n, nrhs, kmax, abstol, reltol, a, lda, &r->k, &r->largest, &r->quotient, r->jpvt, r->tau);
    case TW_COMPLEX_FLOAT:
        info =
            tw_cgeqp3rk(m, n, nrhs, kmax, (float)abstol, (float)reltol, a, lda, &r->k, &left, &of_all, r->jpvt, r->tau);
        break;
    default:
        return tw_zgeqp3rk(m, n, nrhs, kmax, abstol, reltol, a, lda, &r->k, &r->largest, &r->quotient, r->jpvt, r->tau);
    }
    r->largest = (double)left, r->quotient = (double)of_all;
    return info;
}

/* The columns behind become Q^H times what they were. */
static void judge_sides(enum tw_type t, int m, int n, int nrhs, const void *before, const struct result *r, int lda)
{
    tt_z *q = tt_q(t, 'C', m, r->k, r->f, lda, r->tau), *s = calloc((size_t)(m * nrhs), sizeof *s),
         *b = calloc((size_t)(m * nrhs), sizeof *b);

    for (int j = 0; j < nrhs; j++)
        for (int i = 0; i < m; i++) {
            b[i + j * m] = tt_get(t, before, (size_t)(i + (n + j) * lda));
            s[i + j * m] = tt_get(t, r->f, (size_t)(i + (n + j) * lda));
        }
    tt_expect("geqp3rk, right-hand sides", t, tt_equation_residual(t, m, nrhs, m, q, s, b), 0, "%d x %d, %d columns", m,
              n, (int)r->k);
    free(q), free(s), free(b);
}

static void lapack_names(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (size_t s = 0; s < 3; s++)
            for (int what = 0; what < 4; what++)
                for (int nrhs = what == 1 ? 0 : 5; nrhs <= 5; nrhs += 5) {
                    const int m = shapes[s][0], n = shapes[s][1], least = m < n ? m : n, lda = m + 1;
                    void *a = tt_array(t, lda, n + nrhs);
                    struct result r = {.tau = tt_array(t, MOST, 1)};
                    tw_int info;

                    tt_random(t, 'G', m, n + nrhs, a, lda, 901 + s);
                    r.f = tt_copy(t, lda, n + nrhs, a);
                    info = door(t, m, n, nrhs,
                                what == 0   ? n + 9
                                : what == 1 ? least / 2
                                : what == 2 ? 0
                                            : n,
                                -1, what == 3 ? 0.5 : -1, r.f, lda, &r);
                    tt_expect_info(info, 0, "%d x %d", m, n);
                    if (what < 3) assert_int_equal(r.k, what == 0 ? least : what == 1 ? least / 2 : 0);
                    judge(t, m, n, a, lda, &r, "LAPACK's name");
                    if (nrhs) judge_sides(t, m, n, nrhs, a, &r, lda);
                    assert_int_equal(tt_touched(t, 'G', m, n + nrhs, r.f, lda), 0);
                    free(a), forget(&r);
                }
}

/* An infinity: its reflector is a NaN, and ends it with the column that was to be the next; where it ends before, the
 * info is beyond n. */
static void infinities(void **state)
{
    const int m = 40, n = 30;
    (void)state;
    TT_TYPES(t)
        for (int what = 0; what < 3; what++) {
            struct result r = {.f = tt_array(t, m, n), .tau = tt_array(t, MOST, 1)};
            tw_int info;

            tt_random(t, 'G', m, n, r.f, m, 5);
            tt_put(t, r.f, (size_t)(3 + 20 * m), INFINITY);
            if (what == 2) tt_put(t, r.f, (size_t)(1 + 4 * m), NAN);
            info = door(t, m, n, 0, what == 1 ? 0 : n, -1, -1, r.f, m, &r);
            tt_expect_info(info, what == 0 ? 1 : what == 1 ? n + 21 : 5, "infinity %d", what);
            assert_int_equal(r.k, 0);
            assert_true(what == 1 ? isinf(r.largest) && r.quotient == 1 : isnan(r.largest) && isnan(r.quotient));
            if (what == 0) assert_int_equal(r.jpvt[0], 21);
            forget(&r);
        }
}

static void lapack_codes(void **state)
{
    double a[12] = {1}, tau[3], x, y;
    tw_int jpiv[4], k;
    (void)state;
#define TRY(m, n, nrhs, kmax, abstol, reltol, a, lda, k, x, y, jpiv, tau)                                              \
    tw_dgeqp3rk(m, n, nrhs, kmax, abstol, reltol, a, lda, k, x, y, jpiv, tau)
    tt_expect_info(TRY(-1, 4, 0, 4, -1, -1, a, 3, &k, &x, &y, jpiv, tau), -1, "m");
    tt_expect_info(TRY(3, -1, 0, 4, -1, -1, a, 3, &k, &x, &y, jpiv, tau), -2, "n");
    tt_expect_info(TRY(3, 4, -1, 4, -1, -1, a, 3, &k, &x, &y, jpiv, tau), -3, "nrhs");
    tt_expect_info(TRY(3, 4, 0, -1, -1, -1, a, 3, &k, &x, &y, jpiv, tau), -4, "kmax");
    tt_expect_info(TRY(3, 4, 0, 4, NAN, -1, a, 3, &k, &x, &y, jpiv, tau), -5, "abstol");
    tt_expect_info(TRY(3, 4, 0, 4, -1, NAN, a, 3, &k, &x, &y, jpiv, tau), -6, "reltol");
    tt_expect_info(TRY(3, 4, 0, 4, -1, -1, NULL, 3, &k, &x, &y, jpiv, tau), -7, "a");
    tt_expect_info(TRY(3, 4, 0, 4, -1, -1, a, 2, &k, &x, &y, jpiv, tau), -8, "lda");
    tt_expect_info(TRY(3, 4, 0, 4, -1, -1, a, 3, NULL, &x, &y, jpiv, tau), -9, "k");
    tt_expect_info(TRY(3, 4, 0, 4, -1, -1, a, 3, &k, NULL, &y, jpiv, tau), -10, "maxc2nrmk");
    tt_expect_info(TRY(3, 4, 0, 4, -1, -1, a, 3, &k, &x, NULL, jpiv, tau), -11, "relmaxc2nrmk");
    tt_expect_info(TRY(3, 4, 0, 4, -1, -1, a, 3, &k, &x, &y, NULL, tau), -12, "jpiv");
    tt_expect_info(TRY(3, 4, 0, 4, -1, -1, a, 3, &k, &x, &y, jpiv, NULL), -13, "tau");
    k = 9, x = y = 9;
    tt_expect_info(TRY(0, 4, 2, 4, -1, -1, NULL, 1, &k, &x, &y, NULL, NULL), 0, "nothing");
    assert_true(k == 0 && x == 0 && y == 0);
#undef TRY
}

static void refusals(void **state)
{
    tw_matrix *A, *L, *V;
    tw_int jpvt[4], k;
    double x, y;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&L, TW_DOUBLE, TW_LOWER, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_tau_create(&V, A), 0);
    tt_expect_info(tw_geqp3rk(NULL, 4, -1, -1, &k, &x, &y, jpvt, V), -1, "A");
    tt_expect_info(tw_geqp3rk(L, 4, -1, -1, &k, &x, &y, jpvt, V), -1, "a triangle");
    tt_expect_info(tw_geqp3rk(A, -1, -1, -1, &k, &x, &y, jpvt, V), -2, "kmax");
    tt_expect_info(tw_geqp3rk(A, 4, NAN, -1, &k, &x, &y, jpvt, V), -3, "abstol");
    tt_expect_info(tw_geqp3rk(A, 4, -1, NAN, &k, &x, &y, jpvt, V), -4, "reltol");
    tt_expect_info(tw_geqp3rk(A, 4, -1, -1, NULL, &x, &y, jpvt, V), -5, "k");
    tt_expect_info(tw_geqp3rk(A, 4, -1, -1, &k, NULL, &y, jpvt, V), -6, "maxc2nrmk");
    tt_expect_info(tw_geqp3rk(A, 4, -1, -1, &k, &x, NULL, jpvt, V), -7, "relmaxc2nrmk");
    tt_expect_info(tw_geqp3rk(A, 4, -1, -1, &k, &x, &y, NULL, V), -8, "jpvt");
    tt_expect_info(tw_geqp3rk(A, 4, -1, -1, &k, &x, &y, jpvt, A), -9, "tau");
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(L), 0);
    assert_int_equal(tw_matrix_destroy(V), 0);
}

/* Q^H A P behind it in one sequence: R in the first rows, what is left in the others. */
static void before_others(void **state)
{
    const int n = 90, stop = 37;
    double *a = tt_array(TW_DOUBLE, n, n), *f, *b, x, y;
    tw_int jpvt[MOST], k;
    tw_matrix *A, *V, *B;
    tw_sequence *seq;
    (void)state;
    tt_random(TW_DOUBLE, 'G', n, n, a, n, 9);
    f = tt_copy(TW_DOUBLE, n, n, a), b = tt_copy(TW_DOUBLE, n, n, a);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, n, n, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, n, n, 16, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, n), 0);
    assert_int_equal(tw_matrix_set_lapack(B, b, n), 0);
    assert_int_equal(tw_tau_create(&V, A), 0);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_geqp3rk_async(A, stop, -1, -1, &k, &x, &y, jpvt, V, seq), 0);
    assert_int_equal(tw_unmqr_async(TW_LEFT, TW_CONJTRANS, A, V, B, seq), 0);
    assert_int_equal(tw_sequence_wait(seq), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(k, stop);
    assert_int_equal(tw_matrix_to_lapack(A, f, n), 0);
    assert_int_equal(tw_matrix_to_lapack(B, b, n), 0);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            assert_true(fabs(b[i + (jpvt[j] - 1) * n] - (i <= j || j >= stop ? f[i + j * n] : 0)) < 1e-12);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(B), 0);
    assert_int_equal(tw_matrix_destroy(V), 0);
    free(a), free(f), free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tt_test_of_bits(any_number),          cmocka_unit_test(tolerances),
        cmocka_unit_test(ranks_and_zeros),    cmocka_unit_test(refusals),
        cmocka_unit_test(before_others),      cmocka_unit_test(lapack_names),
        cmocka_unit_test(infinities),         cmocka_unit_test(lapack_codes),
        tt_test_of_bits(sketched_any_number), cmocka_unit_test(sketched_tolerances),
        cmocka_unit_test(sketched_ranks),
    };
    return tt_run(tests);
}
