/* tw_LAPACKE_?getrf, getrs, gesv against LAPACKE: the same factors, pivots, solutions and codes, column- and row-major,
 * with and without _work, with 32- and 64-bit integers. */
#include <lapacke.h>
#include <math.h>
#include <tilework/lapacke.h>

#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR};

#define BY_TYPE(t, pre, name, ...)                                                                                     \
    ((t) == TW_FLOAT           ? pre##s##name(__VA_ARGS__)                                                             \
     : (t) == TW_DOUBLE        ? pre##d##name(__VA_ARGS__)                                                             \
     : (t) == TW_COMPLEX_FLOAT ? pre##c##name(__VA_ARGS__)                                                             \
                               : pre##z##name(__VA_ARGS__))
/* which: 0 LAPACKE, 1 Tilework, 2 LAPACKE's _work, 3 Tilework's */
static int getrf(int which, enum tw_type t, int layout, int m, int n, void *a, int lda, int *ipiv)
{
    switch (which) {
    case 0: return BY_TYPE(t, LAPACKE_, getrf, layout, m, n, a, lda, ipiv);
    case 1: return BY_TYPE(t, tw_LAPACKE_, getrf, layout, m, n, a, lda, ipiv);
    case 2: return BY_TYPE(t, LAPACKE_, getrf_work, layout, m, n, a, lda, ipiv);
    default: return BY_TYPE(t, tw_LAPACKE_, getrf_work, layout, m, n, a, lda, ipiv);
    }
}
static int getrs(int which, enum tw_type t, int layout, char trans, int n, int nrhs, const void *a, int lda,
                 const int *ipiv, void *b, int ldb)
{
    switch (which) {
    case 0: return BY_TYPE(t, LAPACKE_, getrs, layout, trans, n, nrhs, a, lda, ipiv, b, ldb);
    case 1: return BY_TYPE(t, tw_LAPACKE_, getrs, layout, trans, n, nrhs, a, lda, ipiv, b, ldb);
    case 2: return BY_TYPE(t, LAPACKE_, getrs_work, layout, trans, n, nrhs, a, lda, ipiv, b, ldb);
    default: return BY_TYPE(t, tw_LAPACKE_, getrs_work, layout, trans, n, nrhs, a, lda, ipiv, b, ldb);
    }
}
static int gesv(int which, enum tw_type t, int layout, int n, int nrhs, void *a, int lda, int *ipiv, void *b, int ldb)
{
    switch (which) {
    case 0: return BY_TYPE(t, LAPACKE_, gesv, layout, n, nrhs, a, lda, ipiv, b, ldb);
    case 1: return BY_TYPE(t, tw_LAPACKE_, gesv, layout, n, nrhs, a, lda, ipiv, b, ldb);
    case 2: return BY_TYPE(t, LAPACKE_, gesv_work, layout, n, nrhs, a, lda, ipiv, b, ldb);
    default: return BY_TYPE(t, tw_LAPACKE_, gesv_work, layout, n, nrhs, a, lda, ipiv, b, ldb);
    }
}

static void same_results(void **state)
{
    static const int sizes[][3] = {{1, 1, 1}, {30, 30, 4}, {77, 77, 90}, {60, 41, 0}, {41, 60, 0}, {130, 130, 3}};
    (void)state;
    FOR_TYPES(t)
        for (int l = 0; l < 2; l++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                for (int work = 0; work < 4; work += 2) {
                    const int layout = layouts[l], column = layout == LAPACK_COL_MAJOR, m = sizes[s][0],
                              n = sizes[s][1], nrhs = sizes[s][2], k = m < n ? m : n, lda = (column ? m : n) + 2,
                              ldb = (column ? n : nrhs) + 1, lines = column ? n : m, b_lines = column ? nrhs : n;
                    void *a[2], *b[2] = {NULL, NULL};
                    int ipiv[2][131] = {{0}}, info[2];
                    for (int w = 0; w < 2; w++) {
                        a[w] = tt_layout_random(t, layout, m, n, lda, 31);
                        info[w] = getrf(work + w, t, layout, m, n, a[w], lda, ipiv[w]);
                    }
                    assert_int_equal(info[0], info[1]);
                    for (int i = 0; i < k; i++)
                        if (t == TW_DOUBLE || t == TW_COMPLEX_DOUBLE) assert_int_equal(ipiv[0][i], ipiv[1][i]);
                    assert_int_equal(tt_touched(t, 'G', column ? m : n, lines, a[1], lda), 0);
                    if (t == TW_DOUBLE || t == TW_COMPLEX_DOUBLE)
                        tt_expect("LAPACKE getrf", t,
                                  tt_difference(t, 'G', 'N', column ? m : n, lines, a[1], lda, a[0], lda) / (100.0 * k),
                                  0, "layout %d, %d x %d", layout, m, n);
                    for (const char *trans = "NTC"; *trans && m == n; trans++) {
                        for (int w = 0; w < 2; w++) {
                            b[w] = tt_layout_random(t, layout, n, nrhs, ldb, 32);
                            assert_int_equal(getrs(work + w, t, layout, *trans, n, nrhs, a[0], lda, ipiv[0], b[w], ldb),
                                             0);
                        }
                        assert_int_equal(tt_touched(t, 'G', column ? n : nrhs, b_lines, b[1], ldb), 0);
                        tt_expect("LAPACKE getrs", t,
                                  tt_difference(t, 'G', 'N', column ? n : nrhs, b_lines, b[1], ldb, b[0], ldb) /
                                      (1000.0 * n),
                                  0, "layout %d, %c n=%d nrhs=%d", layout, *trans, n, nrhs);
                        free(b[0]), free(b[1]);
                    }
                    if (m == n) {
                        void *c = tt_layout_random(t, layout, n, n, lda, 31);
                        b[0] = tt_layout_random(t, layout, n, nrhs, ldb, 33);
                        b[1] = tt_layout_random(t, layout, n, nrhs, ldb, 33);
                        assert_int_equal(gesv(work + 1, t, layout, n, nrhs, c, lda, ipiv[1], b[1], ldb), 0);
                        assert_int_equal(getrs(0, t, layout, 'N', n, nrhs, a[0], lda, ipiv[0], b[0], ldb), 0);
                        tt_expect("LAPACKE gesv", t,
                                  tt_difference(t, 'G', 'N', column ? n : nrhs, b_lines, b[1], ldb, b[0], ldb) /
                                      (1000.0 * n),
                                  0, "layout %d, n=%d nrhs=%d", layout, n, nrhs);
                        free(c), free(b[0]), free(b[1]);
                    }
                    free(a[0]), free(a[1]);
                }
}

static void singular(void **state)
{
    enum { N = 50 };
    (void)state;
    FOR_TYPES(t)
        for (int l = 0; l < 2; l++) {
            const tw_int zero = 20;
            void *a = tt_array(t, N, N), *r = tt_array(t, N, N), *b = tt_layout_random(t, layouts[l], N, 3, N, 5), *x;
            tw_int want[N];
            int ipiv[N];
            x = tt_copy(t, N, layouts[l] == LAPACK_COL_MAJOR ? 3 : N, b);
            tt_dyadic(t, N, N, a, N, 4, &zero, 1, want);
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++)
                    tt_put(t, r, tt_layout_at(layouts[l], i, j, N), tt_get(t, a, (size_t)(i + j * N)));
            assert_int_equal(gesv(1, t, layouts[l], N, 3, r, N, ipiv, x, N), 20);
            for (int i = 0; i < N; i++)
                assert_int_equal(ipiv[i], want[i]);
            assert_memory_equal(x, b, (size_t)N * (layouts[l] == LAPACK_COL_MAJOR ? 3 : N) * tt_size(t));
            free(a), free(r), free(b), free(x);
        }
}

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
    FOR_TYPES(t)
        for (int l = 0; l < 2; l++) {
            const int L = layouts[l];
            void *a = tt_layout_random(t, L, 8, 8, 8, 1), *b = tt_layout_random(t, L, 8, 8, 8, 2);
            int p[8] = {1, 2, 3, 4, 5, 6, 7, 8};
            SAME(-1, getrf(w, t, 7, 8, 8, a, 8, p));
            SAME(-1, getrf(2 + w, t, 7, 8, 8, a, 8, p));
            SAME(-2, getrf(w, t, L, -1, 8, a, 8, p));
            SAME(-3, getrf(w, t, L, 8, -1, a, 8, p));
            SAME(-5, getrf(w, t, L, 8, 8, a, 7, p));
            /* (OpenBLAS 0.3.21's getrs returns 0 whatever it tells XERBLA) */
            assert_int_equal(getrs(1, t, 7, 'N', 8, 8, a, 8, p, b, 8), -1);
            assert_int_equal(getrs(1, t, L, 'N', -1, 8, a, 8, p, b, 8), -3);
            assert_int_equal(getrs(1, t, L, 'N', 8, -1, a, 8, p, b, 8), -4);
            assert_int_equal(getrs(1, t, L, 'N', 8, 8, a, 7, p, b, 8), -6);
            assert_int_equal(getrs(1, t, L, 'N', 8, 8, a, 8, p, b, 7), -9);
            SAME(-2, gesv(w, t, L, -1, 8, a, 8, p, b, 8));
            SAME(-3, gesv(w, t, L, 8, -1, a, 8, p, b, 8));
            SAME(-5, gesv(w, t, L, 8, 8, a, 7, p, b, 8));
            SAME(-8, gesv(w, t, L, 8, 8, a, 8, p, b, 7));
            tt_put(t, b, 9, (double)NAN);
            assert_int_equal(getrs(1, t, L, 'N', 8, 8, a, 8, p, b, 8), -8);
            SAME(-7, gesv(w, t, L, 8, 8, a, 8, p, b, 8));
            tt_put(t, a, 17, (double)NAN);
            SAME(-4, getrf(w, t, L, 8, 8, a, 8, p));
            assert_int_equal(getrs(1, t, L, 'N', 8, 8, a, 8, p, b, 8), -5);
            SAME(-4, gesv(w, t, L, 8, 8, a, 8, p, b, 8));
            free(a), free(b);
        }
}

/* The functions of programs with 64-bit integers, by their names in the library. */
extern int64_t dgesv64(int, int64_t, int64_t, double *, int64_t, int64_t *, double *,
                       int64_t) __asm__("tw_LAPACKE_dgesv_64");
extern int64_t dgetrf64(int, int64_t, int64_t, double *, int64_t, int64_t *) __asm__("tw_LAPACKE_dgetrf_64");
static void sixty_four_bits(void **state)
{
    enum { N = 40 };
    (void)state;
    for (int l = 0; l < 2; l++) {
        double *a = tt_layout_random(TW_DOUBLE, layouts[l], N, N, N, 1), *r = tt_copy(TW_DOUBLE, N, N, a),
               *b = tt_layout_random(TW_DOUBLE, layouts[l], N, 1, N, 2),
               *x = tt_copy(TW_DOUBLE, N, layouts[l] == LAPACK_COL_MAJOR ? 1 : N, b);
        int64_t ipiv[N + 1] = {[N] = -7};
        int lapacks[N];
        assert_int_equal(dgetrf64(layouts[l], N, N, a, N, ipiv), 0);
        assert_int_equal(getrf(0, TW_DOUBLE, layouts[l], N, N, r, N, lapacks), 0);
        for (int i = 0; i < N; i++)
            assert_int_equal(ipiv[i], lapacks[i]);
        assert_int_equal(ipiv[N], -7);
        free(a);
        a = tt_layout_random(TW_DOUBLE, layouts[l], N, N, N, 1);
        assert_int_equal(dgesv64(layouts[l], N, 1, a, N, ipiv, x, N), 0);
        assert_int_equal(getrs(0, TW_DOUBLE, layouts[l], 'N', N, 1, r, N, lapacks, b, N), 0);
        for (int i = 0; i < N; i++) {
            const size_t k = tt_layout_at(layouts[l], i, 0, N);
            assert_true(fabs(x[k] - b[k]) < 1e-9 * (1 + fabs(b[k])));
        }
        free(a), free(r), free(b), free(x);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_results), cmocka_unit_test(singular),
                                       cmocka_unit_test(same_codes), cmocka_unit_test(sixty_four_bits)};
    int failed;
    if (argc == 1) { /* straight to LAPACK, then through tiles */
        static char out[1 << 18];
        for (int way = 0; way < 2; way++) {
            const int rc = tt_run_self("child",
                                       way ? (const char *[]){"TILEWORK_CROSSOVER=0", "TILEWORK_NB=19", NULL}
                                           : (const char *[]){"TILEWORK_CROSSOVER=1000000", NULL},
                                       200, out, sizeof out);
            printf("==== %s: exit %d\n%s", way ? "tiles" : "straight", rc, out);
            if (rc) return 1;
        }
        return 0;
    }
    (void)argv;
    failed = tt_run(tests);
    return tw_finalize() != 0 || failed;
}
