/* geequ and poequ, geequb and poequb beside LAPACK's: badly scaled rows and columns, zeros in the first, a middle and
 * the last place, entries at both ends of the numbers, NaN, sizes of 0. */
#include <lapacke.h>
#include <math.h>
#include <tilework/lapacke.h>

#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
enum { MOST = 70, LAPACK = 0, DOOR = 1, LAPACKE = 2 };

struct result {
    double r[MOST], c[MOST], rowcnd, colcnd, amax;
    int info;
};
static int powers; /* geequb and poequb */
#define CALLS(p, R, geequ, poequ)                                                                                      \
    static void p##geequ(int which, int layout, int m, int n, const void *a, int lda, struct result *to)               \
    {                                                                                                                  \
        R r[MOST] = {0}, c[MOST] = {0}, x = -1, y = -1, z = -1;                                                        \
        to->info = which == LAPACK ? LAPACKE_##p##geequ##_work(layout, m, n, a, lda, r, c, &x, &y, &z)                 \
                   : which == DOOR ? (int)tw_##p##geequ(m, n, a, lda, r, c, &x, &y, &z)                                \
                                   : tw_LAPACKE_##p##geequ(layout, m, n, a, lda, r, c, &x, &y, &z);                    \
        to->rowcnd = (double)x, to->colcnd = (double)y, to->amax = (double)z;                                          \
        for (int i = 0; i < MOST; i++)                                                                                 \
            to->r[i] = (double)r[i], to->c[i] = (double)c[i];                                                          \
    }                                                                                                                  \
    static void p##poequ(int which, int layout, int n, const void *a, int lda, struct result *to)                      \
    {                                                                                                                  \
        R s[MOST] = {0}, x = -1, z = -1;                                                                               \
        to->info = which == LAPACK ? LAPACKE_##p##poequ##_work(layout, n, a, lda, s, &x, &z)                           \
                   : which == DOOR ? (int)tw_##p##poequ(n, a, lda, s, &x, &z)                                          \
                                   : tw_LAPACKE_##p##poequ(layout, n, a, lda, s, &x, &z);                              \
        to->rowcnd = (double)x, to->amax = (double)z;                                                                  \
        for (int i = 0; i < MOST; i++)                                                                                 \
            to->r[i] = (double)s[i];                                                                                   \
    }
CALLS(s, float, geequ, poequ)
CALLS(d, double, geequ, poequ)
CALLS(c, float, geequ, poequ)
CALLS(z, double, geequ, poequ)
CALLS(s, float, geequb, poequb)
CALLS(d, double, geequb, poequb)
CALLS(c, float, geequb, poequb)
CALLS(z, double, geequb, poequb)

static void geequ(enum tw_type t, int which, int layout, int m, int n, const void *a, int lda, struct result *to)
{
    void (*const by_type[][4])(int, int, int, int, const void *, int, struct result *) = {
        {sgeequ, dgeequ, cgeequ, zgeequ}, {sgeequb, dgeequb, cgeequb, zgeequb}};
    by_type[powers][t](which, layout, m, n, a, lda, to);
}
static void poequ(enum tw_type t, int which, int layout, int n, const void *a, int lda, struct result *to)
{
    void (*const by_type[][4])(int, int, int, const void *, int, struct result *) = {
        {spoequ, dpoequ, cpoequ, zpoequ}, {spoequb, dpoequb, cpoequb, zpoequb}};
    by_type[powers][t](which, layout, n, a, lda, to);
}

static void close_to(double got, double want, enum tw_type t, const char *what)
{
    if (!(fabs(got - want) <= 4 * tt_eps(t) * fabs(want)) && got != want)
        fail_msg("%c%s: %g, LAPACK has %g", tt_letter(t), what, got, want);
}
static void same(enum tw_type t, int m, int n, const struct result *got, const struct result *want)
{
    assert_int_equal(got->info, want->info);
    close_to(got->amax, want->amax, t, "amax");
    for (int i = 0; i < m; i++)
        close_to(got->r[i], want->r[i], t, "r");
    if (want->info > 0 && want->info <= m) return;
    close_to(got->rowcnd, want->rowcnd, t, "rowcnd");
    for (int j = 0; j < n; j++)
        close_to(got->c[j], want->c[j], t, "c");
    if (want->info == 0) close_to(got->colcnd, want->colcnd, t, "colcnd");
}

static void in_tiles(enum tw_type t, int m, int n, const void *a, int lda, int mb, int nb, struct result *to)
{
    tw_matrix *A;

    assert_int_equal(tw_matrix_create_tiles(&A, t, TW_GENERAL, m, n, mb, nb, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, lda), 0);
    to->info = (powers ? tw_geequb : tw_geequ)(A, to->r, to->c, &to->rowcnd, &to->colcnd, &to->amax);
    assert_int_equal(tw_matrix_destroy(A), 0);
}

static void *bad_scales(enum tw_type t, int m, int n, int lda, int range)
{
    void *a = tt_array(t, lda, n);

    tt_random(t, 'G', m, n, a, lda, 5);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, a, (size_t)(i + j * lda),
                   tt_get(t, a, (size_t)(i + j * lda)) *
                       pow(10, (i * 7 % 5 - 2) * range + (j * 3 % 7 - 3) * range / 2));
    return a;
}

static void general(void **state)
{
    static const int sizes[][4] = {{1, 1, 1, 1}, {5, 9, 3, 2}, {40, 40, 16, 16}, {60, 33, 20, 12}, {33, 60, 12, 20}};
    static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR};

    (void)state;
    FOR_TYPES(t)
        for (int wide = 0; wide < 2; wide++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                const int m = sizes[s][0], n = sizes[s][1], lda = m + 2,
                          single = t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
                void *a = bad_scales(t, m, n, lda, wide ? (single ? 8 : 70) : 1);
                struct result want, got;

                for (int place = -1; place < 3;
                     place++) { /* no zero; a zero row at the beginning, in the middle, at the end */
                    const int at = place == 0 ? 0 : place == 1 ? m / 2 : m - 1;
                    for (int j = 0; place >= 0 && j < n; j++)
                        tt_put(t, a, (size_t)(at + j * lda), 0);
                    geequ(t, LAPACK, LAPACK_COL_MAJOR, m, n, a, lda, &want);
                    in_tiles(t, m, n, a, lda, sizes[s][2], sizes[s][3], &got);
                    same(t, m, n, &got, &want);
                    geequ(t, DOOR, 0, m, n, a, lda, &got);
                    same(t, m, n, &got, &want);
                    for (int j = 0; place >= 0 && j < n; j++)
                        tt_put(t, a, (size_t)(at + j * lda), 1);
                }
                for (int place = 0; place < 3; place++) { /* zero columns */
                    const int at = place == 0 ? 0 : place == 1 ? n / 2 : n - 1;
                    if (n == 1) break;
                    for (int i = 0; i < m; i++)
                        tt_put(t, a, (size_t)(i + at * lda), 0);
                    geequ(t, LAPACK, LAPACK_COL_MAJOR, m, n, a, lda, &want);
                    assert_true(want.info > m);
                    in_tiles(t, m, n, a, lda, sizes[s][2], sizes[s][3], &got);
                    same(t, m, n, &got, &want);
                    geequ(t, DOOR, 0, m, n, a, lda, &got);
                    same(t, m, n, &got, &want);
                    for (int i = 0; i < m; i++)
                        tt_put(t, a, (size_t)(i + at * lda), 1);
                }
                for (int l = 0; l < 2; l++) {
                    void *square = tt_array(t, 66, 66);
                    tt_random(t, 'G', 66, 66, square, 66, 3);
                    geequ(t, LAPACK, layouts[l], m, n, square, 66, &want);
                    geequ(t, LAPACKE, layouts[l], m, n, square, 66, &got);
                    same(t, m, n, &got, &want);
                    free(square);
                }
                free(a);
            }
}

static void positive_definite(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int n = 1; n <= 41; n += 40)
            for (int place = -1; place < 3; place++) {
                const int lda = n + 1, at = place == 0 ? 0 : place == 1 ? n / 2 : n - 1;
                void *a = tt_array(t, lda, n);
                struct result want, got;
                tw_matrix *A;

                for (int i = 0; i < n; i++)
                    tt_put(t, a, (size_t)(i * (lda + 1)), pow(10, i % 9 - 4));
                if (place >= 0)
                    tt_put(t, a, (size_t)(at * (lda + 1)), -1), tt_put(t, a, (size_t)((n - 1) * (lda + 1)), 0);
                poequ(t, LAPACK, LAPACK_COL_MAJOR, n, a, lda, &want);
                poequ(t, DOOR, 0, n, a, lda, &got);
                assert_int_equal(got.info, want.info);
                for (int both = 0; both < 2; both++) {
                    close_to(got.amax, want.amax, t, "amax");
                    for (int i = 0; i < n; i++)
                        close_to(got.r[i], want.r[i], t, "s");
                    if (want.info == 0) close_to(got.rowcnd, want.rowcnd, t, "scond");
                    assert_int_equal(tw_matrix_from_lapack(&A, t, both ? TW_LOWER : TW_UPPER, n, n, a, lda, 12), 0);
                    tt_expect_info((powers ? tw_poequb : tw_poequ)(A, got.r, &got.rowcnd, &got.amax), want.info, "n=%d",
                                   n);
                    assert_int_equal(tw_matrix_destroy(A), 0);
                }
                free(a);
            }
}

static void general_powers(void **state)
{
    powers = 1;
    general(state);
    powers = 0;
}
static void positive_definite_powers(void **state)
{
    powers = 1;
    positive_definite(state);
    powers = 0;
}

/* Nothing is rounded: scalings are powers of 2, and the largest element of each row and column is then 1/2 to 2. */
static void powers_of_two(void **state)
{
    enum { M = 50, N = 40 };
    (void)state;
    TT_TYPES(t) {
        void *a = bad_scales(t, M, N, M, 1);
        double r[M], c[N], s[N], x, y, z;
        tw_sequence *seq;
        tw_matrix *A;
        assert_int_equal(tw_matrix_wrap(&A, t, TW_GENERAL, M, N, a, M, 16), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_geequb_async(A, r, c, &x, &y, &z, seq), 0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        for (int i = 0; i < M; i++)
            assert_true(r[i] == ldexp(1, ilogb(r[i])));
        for (int j = 0; j < N; j++) {
            double most = 0;
            assert_true(c[j] == ldexp(1, ilogb(c[j])));
            for (int i = 0; i < M; i++) {
                const tt_z v = tt_get(t, a, (size_t)(i + j * M));
                most = fmax(most, (fabs(__real__ v) + fabs(__imag__ v)) * r[i] * c[j]);
            }
            if (!(most >= 0.5 && most <= 2)) fail_msg("%c: a column's largest element is %g", tt_letter(t), most);
        }
        assert_int_equal(tw_matrix_destroy(A), 0);
        for (int i = 0; i < N; i++)
            tt_put(t, a, (size_t)(i + i * M), pow(10, i % 9 - 4));
        assert_int_equal(tw_matrix_wrap(&A, t, TW_LOWER, N, N, a, M, 16), 0);
        assert_int_equal(tw_poequb_async(A, s, &x, &z, seq), 0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        for (int i = 0; i < N; i++) {
            const double d = pow(10, i % 9 - 4) * s[i] * s[i];
            assert_true(s[i] == ldexp(1, ilogb(s[i])) && d >= 0.25 && d <= 4);
        }
        assert_int_equal(tw_matrix_destroy(A), 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        free(a);
    }
}

static void codes(void **state)
{
    double a[64] = {0}, r[8], c[8], x = -1, y = -1, z = -1;
    tw_matrix *A;

    (void)state;
    tt_expect_info(tw_dgeequ(-1, 8, a, 8, r, c, &x, &y, &z), -1, "m");
    tt_expect_info(tw_dgeequ(8, -1, a, 8, r, c, &x, &y, &z), -2, "n");
    tt_expect_info(tw_dgeequ(8, 8, NULL, 8, r, c, &x, &y, &z), -3, "a");
    tt_expect_info(tw_dgeequ(8, 8, a, 7, r, c, &x, &y, &z), -4, "lda");
    tt_expect_info(tw_dgeequ(0, 8, NULL, 1, r, c, &x, &y, &z), 0, "nothing");
    assert_true(x == 1 && y == 1 && z == 0);
    tt_expect_info(tw_dpoequ(-1, a, 8, r, &x, &z), -1, "n");
    tt_expect_info(tw_dpoequ(8, a, 7, r, &x, &z), -3, "lda");
    tt_expect_info(tw_dpoequ(8, a, 8, NULL, &x, &z), -4, "s");
    tt_expect_info(tw_dpoequ(0, NULL, 1, NULL, &x, &z), 0, "nothing");
    assert_true(x == 1 && z == 0);
    a[0] = NAN;
    assert_int_equal(tw_LAPACKE_dgeequ(LAPACK_ROW_MAJOR, 8, 8, a, 8, r, c, &x, &y, &z), -4);
    assert_int_equal(tw_LAPACKE_dpoequ(LAPACK_ROW_MAJOR, 8, a, 8, r, &x, &z), -3);
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_GENERAL, 8, 8, a, 8, 3), 0);
    assert_int_equal(tw_poequ(A, r, &x, &z), 1); /* a NaN is not positive */
    assert_int_equal(tw_geequ(A, r, c, &x, &y, &z), 1);
    assert_int_equal(tw_geequ(A, r, NULL, &x, &y, &z), -3);
    assert_int_equal(tw_poequ(A, r, NULL, &z), -3);
    assert_int_equal(tw_geequ(NULL, r, c, &x, &y, &z), -1);
    assert_int_equal(tw_poequb(A, r, &x, &z), 1);
    assert_int_equal(tw_geequb(A, r, c, &x, &y, &z), 1);
    assert_int_equal(tw_geequb(A, r, NULL, &x, &y, &z), -3);
    tt_expect_info(tw_dgeequb(8, 8, a, 7, r, c, &x, &y, &z), -4, "lda");
    tt_expect_info(tw_dpoequb(-1, a, 8, r, &x, &z), -1, "n");
    assert_int_equal(tw_LAPACKE_dgeequb(LAPACK_ROW_MAJOR, 8, 8, a, 8, r, c, &x, &y, &z), -4);
    assert_int_equal(tw_LAPACKE_dpoequb(LAPACK_ROW_MAJOR, 8, a, 8, r, &x, &z), -3);
    /* What an earlier call did wrong is not said of this one. */
    memset(a, 0, sizeof a);
    assert_int_equal(tw_geequ(NULL, r, c, &x, &y, &z), -1);
    tt_expect_info(tw_dgeequ(8, 8, a, 8, r, c, &x, &y, &z), 1, "zeros");
    assert_string_equal(tw_last_message(), "");
    assert_int_equal(tw_geequ(NULL, r, c, &x, &y, &z), -1);
    tt_expect_info(tw_dpoequb(8, a, 8, r, &x, &z), 1, "zeros");
    assert_string_equal(tw_last_message(), "");
    assert_int_equal(tw_matrix_destroy(A), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(general),        cmocka_unit_test(positive_definite),
                                       cmocka_unit_test(general_powers), cmocka_unit_test(positive_definite_powers),
                                       cmocka_unit_test(powers_of_two),  cmocka_unit_test(codes)};
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
