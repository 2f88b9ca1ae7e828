/* QR, LQ and least squares under LAPACK's and LAPACKE's names: the same factors, products, solutions and codes as the
 * installed LAPACK's, column- and row-major, with and without _work, with 32- and 64-bit integers; workspace queries;
 * straight to LAPACK and through tiles.
 *
 * storev 'C' stands for QR, 'R' for LQ. */
#include <lapacke.h>
#include <math.h>
#include <tilework/lapacke.h>

#include "tt.h"

#define FOR_TYPES(t)  TT_TYPES(t)
#define FOR_STOREV(s) for (const char *s = "CR"; *s; s++)
#define COUNT(list)   (sizeof list / sizeof *list)
static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR};

static int min_of(int a, int b)
{
    return a < b ? a : b;
}
static int max_of(int a, int b)
{
    return a > b ? a : b;
}

/* ---- calls by type. which: 0 LAPACKE, 1 Tilework, 2 LAPACKE's _work, 3 Tilework's ---- */

#define BY_TYPE(t, pre, real, complex_, ...)                                                                           \
    ((t) == TW_FLOAT           ? pre##s##real(__VA_ARGS__)                                                             \
     : (t) == TW_DOUBLE        ? pre##d##real(__VA_ARGS__)                                                             \
     : (t) == TW_COMPLEX_FLOAT ? pre##c##complex_(__VA_ARGS__)                                                         \
                               : pre##z##complex_(__VA_ARGS__))
/* A workspace large enough for whatever is called here. */
enum { WORK = 100000 };
static double work[2 * WORK];
static int lwork = WORK;

#define CALLS(real, complex_, ...)                                                                                     \
    switch (which) {                                                                                                   \
    case 0: return BY_TYPE(t, LAPACKE_, real, complex_, __VA_ARGS__);                                                  \
    case 1: return BY_TYPE(t, tw_LAPACKE_, real, complex_, __VA_ARGS__);                                               \
    case 2: return BY_TYPE(t, LAPACKE_, real##_work, complex_##_work, __VA_ARGS__, (void *)work, lwork);               \
    default: return BY_TYPE(t, tw_LAPACKE_, real##_work, complex_##_work, __VA_ARGS__, (void *)work, lwork);           \
    }
static int factor(int which, char storev, enum tw_type t, int layout, int m, int n, void *a, int lda, void *tau)
{
    if (storev == 'C') CALLS(geqrf, geqrf, layout, m, n, a, lda, tau)
    CALLS(gelqf, gelqf, layout, m, n, a, lda, tau)
}
static int multiply(int which, char storev, enum tw_type t, int layout, char side, char trans, int m, int n, int k,
                    const void *a, int lda, const void *tau, void *c, int ldc)
{
    if (storev == 'C') CALLS(ormqr, unmqr, layout, side, trans, m, n, k, a, lda, tau, c, ldc)
    CALLS(ormlq, unmlq, layout, side, trans, m, n, k, a, lda, tau, c, ldc)
}
static int form(int which, char storev, enum tw_type t, int layout, int m, int n, int k, void *a, int lda,
                const void *tau)
{
    if (storev == 'C') CALLS(orgqr, ungqr, layout, m, n, k, a, lda, tau)
    CALLS(orglq, unglq, layout, m, n, k, a, lda, tau)
}
static int gels(int which, enum tw_type t, int layout, char trans, int m, int n, int nrhs, void *a, int lda, void *b,
                int ldb)
{
    CALLS(gels, gels, layout, trans, m, n, nrhs, a, lda, b, ldb)
}
static char adjoint(enum tw_type t)
{
    return tt_complex(t) ? 'C' : 'T';
}

static int ld_of(int layout, int m, int n)
{
    return max_of(1, layout == LAPACK_COL_MAJOR ? m : n) + 2;
}
/* Rows and columns of the array as a column-major one. */
#define SHAPE(layout, m, n) layout == LAPACK_COL_MAJOR ? (m) : (n), layout == LAPACK_COL_MAJOR ? (n) : (m)

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* LAPACK's unmlq from the right, on column-major copies, without its check for NaNs. */
static void through_columns(enum tw_type t, int layout, char trans, int m, int n, int k, const void *a, int lda,
                            const void *tau, void *c, int ldc)
{
    void *v = tt_array(t, k, n), *x = tt_array(t, m, n);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < k; i++)
            tt_put(t, v, (size_t)(i + j * k), tt_get(t, a, tt_layout_at(layout, i, j, lda)));
        for (int i = 0; i < m; i++)
            tt_put(t, x, (size_t)(i + j * m), tt_get(t, c, tt_layout_at(layout, i, j, ldc)));
    }
    assert_int_equal(multiply(2, 'R', t, LAPACK_COL_MAJOR, 'R', trans, m, n, k, v, k, tau, x, m), 0);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, c, tt_layout_at(layout, i, j, ldc), tt_get(t, x, (size_t)(i + j * m)));
    free(v), free(x);
}

/* factor (k < 0) or form. LAPACKE's own copies of row-major matrices have no room behind them, and OpenBLAS 0.3.21's
 * cgemv and zgemv, which gelqf and unglq call, read past their matrix: a crash now and then. LAPACKE, with which is
 * compared, gets column-major arrays there, which have. */
static int plainly(int which, char storev, enum tw_type t, int layout, int m, int n, int k, void *a, int lda, void *tau)
{
    const int around = which % 2 == 0 && layout == LAPACK_ROW_MAJOR && storev == 'R' && tt_complex(t);
    void *x = around ? tt_array(t, m, n) : a;
    const int L = around ? LAPACK_COL_MAJOR : layout, ld = around ? m : lda;
    int info;

    for (int j = 0; around && j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, x, (size_t)(i + j * m), tt_get(t, a, tt_layout_at(layout, i, j, lda)));
    info = k < 0 ? factor(which, storev, t, L, m, n, x, ld, tau) : form(which, storev, t, L, m, n, k, x, ld, tau);
    if (!around) return info;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, a, tt_layout_at(layout, i, j, lda), tt_get(t, x, (size_t)(i + j * m)));
    free(x);
    return info;
}

static void one_shape(char storev, enum tw_type t, int layout, int m, int n, int with_work)
{
    const int k = min_of(m, n), lda = ld_of(layout, m, n), order = storev == 'C' ? m : n, few = k > 3 ? k - 3 : k;
    void *a[2], *tau[2], *square;
    double condition;

    for (int w = 0; w < 2; w++) {
        a[w] = tt_layout_random(t, layout, m, n, lda, 31);
        tau[w] = tt_array(t, max_of(1, k), 1);
        assert_int_equal(plainly(with_work + w, storev, t, layout, m, n, -1, a[w], lda, tau[w]), 0);
    }
    square = tt_layout_random(t, LAPACK_COL_MAJOR, m, n, max_of(1, m),
                              31); /* LAPACK's factors, column-major, for their condition */
    {
        void *other = tt_array(t, max_of(1, k), 1);
        assert_int_equal(factor(0, storev, t, LAPACK_COL_MAJOR, m, n, square, max_of(1, m), other), 0);
        condition = tt_qr_condition(t, storev, m, n, square, max_of(1, m));
        free(other);
    }
    free(square);
    assert_int_equal(tt_touched(t, 'G', SHAPE(layout, m, n), a[1], lda), 0);
    tt_expect("LAPACKE geqrf, gelqf", t,
              tt_difference(t, 'G', 'N', SHAPE(layout, m, n), a[1], lda, a[0], lda) / condition, 0,
              "%c layout %d, %d x %d", storev, layout, m, n);
    tt_expect("LAPACKE geqrf, gelqf: tau", t, tt_difference(t, 'G', 'N', k, 1, tau[1], k, tau[0], k) / condition, 0,
              "%c layout %d, %d x %d", storev, layout, m, n);
    for (int c = 0; c < 4; c++) { /* the same factors for both */
        const char side = c % 2 ? 'L' : 'r', trans = c / 2 ? 'n' : adjoint(t);
        const int mc = c % 2 ? order : 23, nc = c % 2 ? 23 : order, ldc = ld_of(layout, mc, nc);
        void *x[2] = {tt_layout_random(t, layout, mc, nc, ldc, 32), tt_layout_random(t, layout, mc, nc, ldc, 32)};
        if (storev == 'R' && side == 'r') /* LAPACKE 3.9's ormlq takes A's shape from the wrong side */
            through_columns(t, layout, trans, mc, nc, few, a[0], lda, tau[0], x[0], ldc);
        else
            assert_int_equal(
                multiply(with_work, storev, t, layout, side, trans, mc, nc, few, a[0], lda, tau[0], x[0], ldc), 0);
        assert_int_equal(
            multiply(with_work + 1, storev, t, layout, side, trans, mc, nc, few, a[0], lda, tau[0], x[1], ldc), 0);
        assert_int_equal(tt_touched(t, 'G', SHAPE(layout, mc, nc), x[1], ldc), 0);
        tt_expect("LAPACKE unmqr, unmlq", t, tt_difference(t, 'G', 'N', SHAPE(layout, mc, nc), x[1], ldc, x[0], ldc), 0,
                  "%c layout %d, %d x %d %c %c", storev, layout, m, n, side, trans);
        free(x[0]), free(x[1]);
    }
    if (storev == 'C' ? m >= n : m <= n) {
        void *q[2] = {tt_copy(t, lda, layout == LAPACK_COL_MAJOR ? n : m, a[0]),
                      tt_copy(t, lda, layout == LAPACK_COL_MAJOR ? n : m, a[0])};
        for (int w = 0; w < 2; w++)
            assert_int_equal(plainly(with_work + w, storev, t, layout, m, n, few, q[w], lda, tau[0]), 0);
        assert_int_equal(tt_touched(t, 'G', SHAPE(layout, m, n), q[1], lda), 0);
        tt_expect("LAPACKE ungqr, unglq", t, tt_difference(t, 'G', 'N', SHAPE(layout, m, n), q[1], lda, q[0], lda), 0,
                  "%c layout %d, %d x %d", storev, layout, m, n);
        free(q[0]), free(q[1]);
    }
    free(a[0]), free(a[1]), free(tau[0]), free(tau[1]);
}

static void same_results(void **state)
{
    static const int sizes[][2] = {{1, 1},   {30, 30},   {1, 9},    {9, 1},   {60, 41},
                                   {41, 60}, {130, 130}, {150, 77}, {77, 150}};
    (void)state;
    FOR_STOREV(storev)
        FOR_TYPES(t)
            for (int l = 0; l < 2; l++)
                for (size_t s = 0; s < COUNT(sizes); s++)
                    for (int with_work = 0; with_work < 4; with_work += 2)
                        one_shape(*storev, t, layouts[l], sizes[s][0], sizes[s][1], with_work);
}

static void same_solutions(void **state)
{
    static const int sizes[][3] = {{1, 1, 1}, {60, 41, 7}, {41, 60, 7}, {130, 100, 1}, {100, 130, 1}, {90, 90, 3}};
    (void)state;
    FOR_TYPES(t)
        for (int l = 0; l < 2; l++)
            for (size_t s = 0; s < COUNT(sizes); s++)
                for (int c = 0; c < 4; c++) {
                    const int layout = layouts[l], m = sizes[s][0], n = sizes[s][1], nrhs = sizes[s][2],
                              longest = max_of(m, n), lda = ld_of(layout, m, n), ldb = ld_of(layout, longest, nrhs);
                    const char trans = c % 2 ? adjoint(t) : 'N';
                    void *a = tt_layout_random(t, layout, m, n, lda, 41),
                         *b = tt_layout_random(t, layout, longest, nrhs, ldb, 42),
                         *plain_a = tt_layout_random(t, LAPACK_COL_MAJOR, m, n, m, 41),
                         *plain_b = tt_layout_random(t, LAPACK_COL_MAJOR, longest, nrhs, longest, 42),
                         *x = tt_array(t, longest, nrhs);
                    assert_int_equal(gels(c / 2 ? 3 : 1, t, layout, trans, m, n, nrhs, a, lda, b, ldb), 0);
                    assert_int_equal(tt_touched(t, 'G', SHAPE(layout, longest, nrhs), b, ldb), 0);
                    for (int j = 0; j < nrhs; j++)
                        for (int i = 0; i < longest; i++)
                            tt_put(t, x, (size_t)(i + j * longest), tt_get(t, b, tt_layout_at(layout, i, j, ldb)));
                    tt_expect(
                        "LAPACKE gels", t,
                        tt_gels_residual(t, c % 2 ? 'C' : 'N', m, n, nrhs, plain_a, m, plain_b, longest, x, longest), 0,
                        "layout %d, %c %d x %d", layout, trans, m, n);
                    free(a), free(b), free(plain_a), free(plain_b), free(x);
                }
}

/* A column (row) of zeros: info, and B to the bit. */
static void without_rank(void **state)
{
    enum { M = 60, N = 40, PLACE = 23 };
    (void)state;
    FOR_TYPES(t)
        for (int l = 0; l < 2; l++)
            for (int tall = 0; tall < 2; tall++) {
                const int layout = layouts[l], m = tall ? M : N, n = tall ? N : M, lda = ld_of(layout, m, n),
                          ldb = ld_of(layout, M, 2);
                void *a = tt_layout_random(t, layout, m, n, lda, 51), *b = tt_layout_random(t, layout, M, 2, ldb, 52),
                     *before = tt_copy(t, ldb, layout == LAPACK_COL_MAJOR ? 2 : M, b);
                for (int i = 0; i < M; i++)
                    tt_put(t, a,
                           tall ? tt_layout_at(layout, i, PLACE - 1, lda) : tt_layout_at(layout, PLACE - 1, i, lda), 0);
                assert_int_equal(gels(1, t, layout, 'N', m, n, 2, a, lda, b, ldb), PLACE);
                assert_memory_equal(b, before, (size_t)ldb * (layout == LAPACK_COL_MAJOR ? 2 : M) * tt_size(t));
                free(a), free(b), free(before);
            }
}

/* ---- codes and workspaces ---------------------------------------------------------------------------------------- */

#define SAME(want, call)                                                                                               \
    do {                                                                                                               \
        for (int w = 0; w < 2; w++) {                                                                                  \
            const int got = call;                                                                                      \
            if (got != (want)) fail_msg("%s, %s: %d, not %d", w ? "tw_LAPACKE" : "LAPACKE", #call, got, want);         \
        }                                                                                                              \
    } while (0)

static void same_codes(void **state)
{
    (void)state;
    FOR_STOREV(storev)
        FOR_TYPES(t)
            for (int l = 0; l < 2; l++) {
                const int L = layouts[l];
                const char s = *storev, wrong = tt_complex(t) ? 'T' : 'C';
                void *a = tt_layout_random(t, L, 8, 8, 8, 1), *c = tt_layout_random(t, L, 8, 8, 8, 2),
                     *tau = tt_layout_random(t, LAPACK_COL_MAJOR, 8, 1, 8, 3);
                SAME(-1, factor(w, s, t, 7, 8, 8, a, 8, tau));
                SAME(-1, factor(2 + w, s, t, 7, 8, 8, a, 8, tau));
                SAME(-2, factor(w, s, t, L, -1, 8, a, 8, tau));
                SAME(-3, factor(w, s, t, L, 8, -1, a, 8, tau));
                SAME(-5, factor(w, s, t, L, 8, 8, a, 7, tau));
                SAME(-1, multiply(w, s, t, 7, 'L', 'N', 8, 8, 8, a, 8, tau, c, 8));
                SAME(-2, multiply(w, s, t, L, 'X', 'N', 8, 8, 8, a, 8, tau, c, 8));
                SAME(-3, multiply(w, s, t, L, 'L', wrong, 8, 8, 8, a, 8, tau, c, 8));
                SAME(-6, multiply(w, s, t, L, 'L', 'N', 8, 8, -1, a, 8, tau, c, 8));
                SAME(-8, multiply(w, s, t, L, 'L', 'N', 8, 8, 8, a, 7, tau, c, 8));
                SAME(-11, multiply(w, s, t, L, 'R', 'N', 8, 8, 8, a, 8, tau, c, 7));
                SAME(-1, form(w, s, t, 7, 8, 8, 8, a, 8, tau));
                if (L == LAPACK_COL_MAJOR) {
                    SAME(-2, form(w, s, t, L, -1, s == 'C' ? -1 : 8, 8, a, 8, tau));
                    SAME(-3, form(w, s, t, L, s == 'C' ? 7 : 8, s == 'C' ? 8 : 7, 7, a, 8, tau));
                    SAME(-4, multiply(w, s, t, L, 'R', 'N', -1, 8, 8, a, 8, tau, c, 8));
                    SAME(-5, multiply(w, s, t, L, 'L', 'N', 8, -1, 8, a, 8, tau, c, 8));
                }
                SAME(-4, form(w, s, t, L, 8, 8, -1, a, 8, tau));
                SAME(-6, form(w, s, t, L, 8, 8, 8, a, 7, tau));
                if (s == 'C') {
                    SAME(-1, gels(w, t, 7, 'N', 8, 8, 8, a, 8, c, 8));
                    SAME(-2, gels(w, t, L, wrong, 8, 8, 8, a, 8, c, 8));
                    SAME(-3, gels(w, t, L, 'N', -1, 8, 8, a, 8, c, 8));
                    SAME(-4, gels(w, t, L, 'N', 8, -1, 8, a, 8, c, 8));
                    SAME(-5, gels(w, t, L, 'N', 8, 8, -1, a, 8, c, 8));
                    SAME(-7, gels(w, t, L, 'N', 8, 8, 8, a, 7, c, 8));
                    SAME(-9, gels(w, t, L, 'N', 8, 8, 8, a, 8, c, 7));
                }
                tt_put(t, tau, 3, (double)NAN);
                SAME(-9, multiply(w, s, t, L, 'L', 'N', 8, 8, 8, a, 8, tau, c, 8));
                SAME(-7, form(w, s, t, L, 8, 8, 8, a, 8, tau));
                tt_put(t, c, 9, (double)NAN);
                SAME(-10, multiply(w, s, t, L, 'L', 'N', 8, 8, 8, a, 8, tau, c, 8));
                if (s == 'C') SAME(-8, gels(w, t, L, 'N', 8, 8, 8, a, 8, c, 8));
                tt_put(t, a, 17, (double)NAN);
                SAME(-4, factor(w, s, t, L, 8, 8, a, 8, tau));
                SAME(-7, multiply(w, s, t, L, 'L', 'N', 8, 8, 8, a, 8, tau, c, 8));
                SAME(-5, form(w, s, t, L, 8, 8, 8, a, 8, tau));
                if (s == 'C') SAME(-6, gels(w, t, L, 'N', 8, 8, 8, a, 8, c, 8));
                free(a), free(c), free(tau);
            }
}

static double asked_for(enum tw_type t)
{
    float single;
    memcpy(&single, work, sizeof single);
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? (double)single : work[0];
}

/* Queries give at least LAPACK's least and touch nothing else; one element less than that is refused as LAPACK does. */
static void workspaces(void **state)
{
    enum { M = 31, N = 20, RHS = 27 };
    (void)state;
    FOR_STOREV(storev)
        FOR_TYPES(t)
            for (int l = 0; l < 2; l++) {
                const int L = layouts[l], qr = *storev == 'C', m = qr ? M : N, n = qr ? N : M, lda = ld_of(L, m, n),
                          ldc = ld_of(L, M, RHS);
                void *a = tt_layout_random(t, L, m, n, lda, 1), *c = tt_layout_random(t, L, M, RHS, ldc, 2),
                     *tau = tt_array(t, N, 1), *before = tt_copy(t, lda, L == LAPACK_COL_MAJOR ? n : m, a);
                const int least[4] = {N, RHS, N, N + RHS};
                for (int what = 0; what < 4; what++)
                    for (int query = 1; query >= 0; query--) {
                        lwork = query ? -1 : least[what] - 1;
                        for (int w = query ? 1 : 0; w < 2; w++) {
                            const int got =
                                what == 0   ? factor(2 + w, *storev, t, L, m, n, a, lda, tau)
                                : what == 1 ? multiply(2 + w, *storev, t, L, 'L', 'N', M, RHS, N, a, lda, tau, c, ldc)
                                : what == 2 ? form(2 + w, *storev, t, L, m, n, N, a, lda, tau)
                                            : gels(2 + w, t, L, 'N', m, n, RHS, a, lda, c, ldc);
                            static const int argument[4] = {-8, -13, -9, -11};
                            if (got != (query ? 0 : argument[what]))
                                fail_msg("%c %c, routine %d, lwork %d: %d", *storev, tt_letter(t), what, lwork, got);
                            if (query && !(asked_for(t) >= least[what])) fail_msg("the query gives %g", asked_for(t));
                        }
                    }
                assert_memory_equal(a, before, (size_t)lda * (size_t)(L == LAPACK_COL_MAJOR ? n : m) * tt_size(t));
                lwork = WORK;
                free(a), free(c), free(tau), free(before);
            }
}

/* ---- the LAPACK door --------------------------------------------------------------------------------------------- */

static void lapack_door(void **state)
{
    static const int sizes[][2] = {{1, 1}, {64, 64}, {131, 90}, {90, 131}, {300, 20}, {20, 300}, {201, 200}};
    (void)state;
    FOR_STOREV(storev)
        FOR_TYPES(t)
            for (size_t s = 0; s < COUNT(sizes); s++) {
                const int m = sizes[s][0], n = sizes[s][1], k = min_of(m, n), lda = m + 1,
                          order = *storev == 'C' ? m : n;
                void *a = tt_array(t, lda, n), *f, *tau = tt_array(t, k + 1, 1), *c = tt_array(t, order, 9), *x;
                tt_z *q, *C0;
                tt_random(t, 'G', m, n, a, lda, 61);
                tt_random(t, 'G', order, 9, c, order, 62);
                f = tt_copy(t, lda, n, a);
                x = tt_copy(t, order, 9, c);
                tt_expect_info(*storev == 'C' ? tt_door_geqrf(t, m, n, f, lda, tau)
                                              : tt_door_gelqf(t, m, n, f, lda, tau),
                               0, "%d x %d", m, n);
                assert_int_equal(tt_touched(t, 'G', m, n, f, lda), 0);
                assert_true(isnan(__real__ tt_get(t, tau, (size_t)k))); /* not touched */
                tt_expect("LAPACK door: geqrf, gelqf", t, tt_qr_residual(t, *storev, m, n, a, lda, f, lda, tau), k,
                          "%c %d x %d", *storev, m, n);
                tt_expect_info(
                    (*storev == 'C' ? tt_door_unmqr : tt_door_unmlq)(t, 'L', 'N', order, 9, k, f, lda, tau, x, order),
                    0, "%d x %d", m, n);
                q = tt_q(t, *storev, order, k, f, lda, tau);
                C0 = tt_full(TT_GENERAL, t, 'G', 'N', order, 9, c, order);
                tt_expect("LAPACK door: unmqr, unmlq", t,
                          tt_product_residual(t, 'G', order, 9, order, 1, q, C0, 0, C0, x, order), k, "%c %d x %d",
                          *storev, m, n);
                if (*storev == 'C' ? m >= n : m <= n) {
                    tt_z *part;
                    tt_expect_info((*storev == 'C' ? tt_door_ungqr : tt_door_unglq)(t, m, n, k, f, lda, tau), 0,
                                   "%d x %d", m, n);
                    part = tt_full(TT_GENERAL, t, 'G', 'N', m, n, f, lda);
                    tt_expect("LAPACK door: ungqr, unglq", t, tt_orthogonality(t, m, n, part), k, "%c %d x %d", *storev,
                              m, n);
                    free(part);
                }
                free(a), free(f), free(tau), free(c), free(x), free(q), free(C0);
            }
}

static void nothing_to_do(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        void *a = tt_array(t, 5, 5), *b = tt_array(t, 5, 2);
        tt_random(t, 'G', 5, 2, b, 5, 1);
        assert_int_equal(tt_door_geqrf(t, 0, 5, NULL, 1, NULL), 0);
        assert_int_equal(tt_door_gelqf(t, 5, 0, NULL, 5, NULL), 0);
        assert_int_equal(tt_door_unmqr(t, 'L', 'N', 5, 2, 0, NULL, 5, NULL, b, 5), 0);
        assert_int_equal(tt_door_ungqr(t, 5, 0, 0, NULL, 5, NULL), 0);
        assert_int_equal(tt_door_ungqr(t, 5, 5, 0, a, 5, NULL), 0); /* no reflectors: the identity */
        for (size_t i = 0; i < 25; i++)
            assert_true(tt_get(t, a, i) == (i % 6 == 0));
        assert_int_equal(tt_door_gels(t, 'N', 5, 0, 2, NULL, 5, b, 5), 0); /* no columns: B becomes zero */
        for (size_t i = 0; i < 10; i++)
            assert_true(tt_get(t, b, i) == 0);
        assert_int_equal(tt_door_gels(t, 'N', 5, 5, 0, NULL, 5, NULL, 5), 0);
        free(a), free(b);
    }
}

/* The functions of programs with 64-bit integers, by their names in the library. */
extern int64_t dgeqrf64(int, int64_t, int64_t, double *, int64_t, double *) __asm__("tw_LAPACKE_dgeqrf_64");
extern int64_t dorgqr64(int, int64_t, int64_t, int64_t, double *, int64_t,
                        const double *) __asm__("tw_LAPACKE_dorgqr_64");
extern int64_t zgels64(int, char, int64_t, int64_t, int64_t, void *, int64_t, void *,
                       int64_t) __asm__("tw_LAPACKE_zgels_64");
static void sixty_four_bits(void **state)
{
    enum { M = 50, N = 40 };
    (void)state;
    for (int l = 0; l < 2; l++) {
        const int L = layouts[l], ld = ld_of(L, M, N);
        double *a = tt_layout_random(TW_DOUBLE, L, M, N, ld, 1), *r = tt_layout_random(TW_DOUBLE, L, M, N, ld, 1),
               tau[2][N];
        void *z = tt_layout_random(TW_COMPLEX_DOUBLE, L, M, N, ld, 1),
             *b = tt_layout_random(TW_COMPLEX_DOUBLE, L, M, 1, L == LAPACK_COL_MAJOR ? M : 1, 2),
             *plain = tt_layout_random(TW_COMPLEX_DOUBLE, LAPACK_COL_MAJOR, M, N, M, 1),
             *x = tt_layout_random(TW_COMPLEX_DOUBLE, LAPACK_COL_MAJOR, M, 1, M, 2);
        assert_int_equal(dgeqrf64(L, M, N, a, ld, tau[1]), 0);
        assert_int_equal(factor(0, 'C', TW_DOUBLE, L, M, N, r, ld, tau[0]), 0);
        assert_int_equal(dorgqr64(L, M, N, N, a, ld, tau[1]), 0);
        assert_int_equal(form(0, 'C', TW_DOUBLE, L, M, N, N, r, ld, tau[0]), 0);
        tt_expect("64-bit geqrf, orgqr", TW_DOUBLE, tt_difference(TW_DOUBLE, 'G', 'N', SHAPE(L, M, N), a, ld, r, ld), 0,
                  "layout %d", L);
        assert_int_equal(zgels64(L, 'N', M, N, 1, z, ld, b, L == LAPACK_COL_MAJOR ? M : 1), 0);
        tt_expect("64-bit gels", TW_COMPLEX_DOUBLE,
                  tt_gels_residual(TW_COMPLEX_DOUBLE, 'N', M, N, 1, plain, M, x, M, b, M), 0, "layout %d", L);
        free(a), free(r), free(z), free(b), free(plain), free(x);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_results),  cmocka_unit_test(same_solutions),
                                       cmocka_unit_test(without_rank),  cmocka_unit_test(same_codes),
                                       cmocka_unit_test(workspaces),    cmocka_unit_test(lapack_door),
                                       cmocka_unit_test(nothing_to_do), cmocka_unit_test(sixty_four_bits)};
    static const char *const ways[][3] = {{"TILEWORK_CROSSOVER=1000000", NULL},
                                          {"TILEWORK_CROSSOVER=0", "TILEWORK_NB=19", NULL},
                                          {"TILEWORK_CROSSOVER=0", "TILEWORK_NB=64", NULL}};
    int failed;
    if (argc == 1) { /* straight to LAPACK, then through tiles */
        static char out[1 << 18];
        for (size_t way = 0; way < COUNT(ways); way++) {
            const int rc = tt_run_self("child", ways[way], 200, out, sizeof out);
            printf("==== %s %s: exit %d\n%s", ways[way][0], ways[way][1] ? ways[way][1] : "", rc, out);
            if (rc) return 1;
        }
        return 0;
    }
    (void)argv;
    failed = tt_run(tests);
    return tw_finalize() != 0 || failed;
}
