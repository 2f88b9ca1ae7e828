/* tw_LAPACKE_X against LAPACKE_X: the same results, the same codes, column- and row-major, illegal arguments and NaN
 * included. */
#include <lapacke.h>
#include <math.h>
#include <tilework/lapacke.h>

#include "tt.h"

/* Both libraries behind one table per type: [0] LAPACKE, [1] Tilework. */
struct api {
    lapack_int (*potrf)(int, char, lapack_int, void *, lapack_int);
    lapack_int (*potrs)(int, char, lapack_int, lapack_int, const void *, lapack_int, void *, lapack_int);
    lapack_int (*posv)(int, char, lapack_int, lapack_int, void *, lapack_int, void *, lapack_int);
    lapack_int (*potri)(int, char, lapack_int, void *, lapack_int);
    lapack_int (*lauum)(int, char, lapack_int, void *, lapack_int);
    lapack_int (*trtri)(int, char, char, lapack_int, void *, lapack_int);
    lapack_int (*pocon)(int, char, lapack_int, const void *, lapack_int, double, double *);
};
#define WRAP(pre, P, p, R)                                                                                             \
    static lapack_int pre##p##potrf(int l, char u, lapack_int n, void *a, lapack_int lda)                              \
    {                                                                                                                  \
        return P##p##potrf(l, u, n, a, lda);                                                                           \
    }                                                                                                                  \
    static lapack_int pre##p##potrs(int l, char u, lapack_int n, lapack_int k, const void *a, lapack_int lda, void *b, \
                                    lapack_int ldb)                                                                    \
    {                                                                                                                  \
        return P##p##potrs(l, u, n, k, a, lda, b, ldb);                                                                \
    }                                                                                                                  \
    static lapack_int pre##p##posv(int l, char u, lapack_int n, lapack_int k, void *a, lapack_int lda, void *b,        \
                                   lapack_int ldb)                                                                     \
    {                                                                                                                  \
        return P##p##posv(l, u, n, k, a, lda, b, ldb);                                                                 \
    }                                                                                                                  \
    static lapack_int pre##p##potri(int l, char u, lapack_int n, void *a, lapack_int lda)                              \
    {                                                                                                                  \
        return P##p##potri(l, u, n, a, lda);                                                                           \
    }                                                                                                                  \
    static lapack_int pre##p##lauum(int l, char u, lapack_int n, void *a, lapack_int lda)                              \
    {                                                                                                                  \
        return P##p##lauum(l, u, n, a, lda);                                                                           \
    }                                                                                                                  \
    static lapack_int pre##p##trtri(int l, char u, char d, lapack_int n, void *a, lapack_int lda)                      \
    {                                                                                                                  \
        return P##p##trtri(l, u, d, n, a, lda);                                                                        \
    }                                                                                                                  \
    static lapack_int pre##p##pocon(int l, char u, lapack_int n, const void *a, lapack_int lda, double anorm,          \
                                    double *rcond)                                                                     \
    {                                                                                                                  \
        R r = -1;                                                                                                      \
        lapack_int info = P##p##pocon(l, u, n, a, lda, (R)anorm, &r);                                                  \
        *rcond = r;                                                                                                    \
        return info;                                                                                                   \
    }
#define ROW(pre, p)                                                                                                    \
    {                                                                                                                  \
        pre##p##potrf, pre##p##potrs, pre##p##posv, pre##p##potri, pre##p##lauum, pre##p##trtri, pre##p##pocon         \
    }
WRAP(ref_, LAPACKE_, s, float)
WRAP(ref_, LAPACKE_, d, double)
WRAP(ref_, LAPACKE_, c, float)
WRAP(ref_, LAPACKE_, z, double)
WRAP(my_, tw_LAPACKE_, s, float)
WRAP(my_, tw_LAPACKE_, d, double)
WRAP(my_, tw_LAPACKE_, c, float)
WRAP(my_, tw_LAPACKE_, z, double)
static const struct api apis[2][TW_NTYPES] = {{ROW(ref_, s), ROW(ref_, d), ROW(ref_, c), ROW(ref_, z)},
                                              {ROW(my_, s), ROW(my_, d), ROW(my_, c), ROW(my_, z)}};

/* A row-major array is the transpose of the column-major one in the same place: same triangle by name, the other one
 * in memory. Right-hand sides are n x nrhs. */
static char in_memory(int layout, char uplo)
{
    return layout == LAPACK_COL_MAJOR ? uplo : uplo == 'L' ? 'U' : 'L';
}

struct pair {
    void *a[2], *b[2];
    size_t a_bytes, b_bytes;
    int lda, ldb;
};
static struct pair make(enum tw_type t, int layout, char uplo, int n, int nrhs, int k)
{
    struct pair p = {.lda = n + 2, .ldb = (layout == LAPACK_COL_MAJOR ? n : nrhs) + 1};
    int columns = layout == LAPACK_COL_MAJOR ? nrhs : n, rows = layout == LAPACK_COL_MAJOR ? n : nrhs;

    p.a[0] = tt_array(t, p.lda, n);
    p.b[0] = tt_array(t, p.ldb, columns);
    k ? tt_spd_failing(t, in_memory(layout, uplo), n, p.a[0], p.lda, 1, k)
      : tt_spd(t, in_memory(layout, uplo), n, p.a[0], p.lda, 1);
    tt_random(t, 'G', rows, columns, p.b[0], p.ldb, 2);
    p.a[1] = tt_copy(t, p.lda, n, p.a[0]);
    p.b[1] = tt_copy(t, p.ldb, columns, p.b[0]);
    p.a_bytes = (size_t)p.lda * (size_t)n * tt_size(t);
    p.b_bytes = (size_t)p.ldb * (size_t)columns * tt_size(t);
    return p;
}
static void drop(struct pair *p)
{
    for (int k = 0; k < 2; k++)
        free(p->a[k]), free(p->b[k]);
}

#define BOTH(call, want)                                                                                               \
    for (int w = 0; w < 2; w++) {                                                                                      \
        const struct api *api = &apis[w][t];                                                                           \
        tt_expect_info(api->call, want, "%s: %s, %c, layout %d, uplo %c, n=%d", w ? "tw_LAPACKE" : "LAPACKE", #call,   \
                       tt_letter(t), layout, uplo, n);                                                                 \
    }
static void same(const char *name, enum tw_type t, int layout, char uplo, int n, struct pair *p)
{
    tt_expect(name, t, tt_difference(t, in_memory(layout, uplo), 'N', n, n, p->a[1], p->lda, p->a[0], p->lda), 0,
              "layout %d %c n=%d", layout, uplo, n);
    assert_int_equal(tt_touched(t, in_memory(layout, uplo), n, n, p->a[1], p->lda), 0);
}
static void same_b(const char *name, enum tw_type t, int layout, char uplo, int n, int nrhs, struct pair *p)
{
    int rows = layout == LAPACK_COL_MAJOR ? n : nrhs, columns = layout == LAPACK_COL_MAJOR ? nrhs : n;
    tt_expect(name, t, tt_difference(t, 'G', 'N', rows, columns, p->b[1], p->ldb, p->b[0], p->ldb) * rows / n, 0,
              "layout %d %c n=%d", layout, uplo, n);
    assert_int_equal(tt_touched(t, 'G', rows, columns, p->b[1], p->ldb), 0);
}

/* OpenBLAS 0.3.21's complex lauum 'U' reads past the end of its array, in row-major order that of a copy inside
 * LAPACKE: so LAPACKE gets the same triangle of the same memory in column-major order (the transpose of the result
 * is the same). */
#define SAFE_LAYOUT (w ? layout : LAPACK_COL_MAJOR)
#define SAFE_UPLO   (w ? uplo : in_memory(layout, uplo))

/* ---- results ------------------------------------------------------------------------------------------------ */

static void one(enum tw_type t, int layout, char uplo, int n, int nrhs)
{
    struct pair p = make(t, layout, uplo, n, nrhs, 0), q = make(t, layout, uplo, n, nrhs, 0);
    double rcond[2] = {-1, -2};

    BOTH(potrf(layout, uplo, n, p.a[w], p.lda), 0)
    same("potrf", t, layout, uplo, n, &p);
    memcpy(p.a[1], p.a[0], p.a_bytes);
    BOTH(potrs(layout, uplo, n, nrhs, p.a[w], p.lda, p.b[w], p.ldb), 0)
    same_b("potrs", t, layout, uplo, n, nrhs, &p);
    BOTH(posv(layout, uplo, n, nrhs, q.a[w], q.lda, q.b[w], q.ldb), 0)
    same("posv: factor", t, layout, uplo, n, &q);
    same_b("posv", t, layout, uplo, n, nrhs, &q);
    BOTH(pocon(layout, uplo, n, p.a[w], p.lda, 1.5 * n, &rcond[w]), 0)
    tt_expect("pocon", t, fabs(rcond[1] - rcond[0]) / (rcond[0] * n * tt_eps(t)), 0, "layout %d %c n=%d", layout, uplo,
              n);
    BOTH(lauum(SAFE_LAYOUT, SAFE_UPLO, n, q.a[w], q.lda), 0)
    same("lauum", t, layout, uplo, n, &q);
    memcpy(q.a[0], p.a[0], p.a_bytes), memcpy(q.a[1], p.a[0], p.a_bytes);
    BOTH(trtri(layout, uplo, 'N', n, q.a[w], q.lda), 0)
    same("trtri", t, layout, uplo, n, &q);
    memcpy(q.a[0], p.a[0], p.a_bytes), memcpy(q.a[1], p.a[0], p.a_bytes);
    BOTH(trtri(layout, uplo, 'U', n, q.a[w], q.lda), 0)
    same("trtri unit", t, layout, uplo, n, &q);
    BOTH(potri(SAFE_LAYOUT, SAFE_UPLO, n, p.a[w], p.lda), 0)
    same("potri", t, layout, uplo, n, &p);
    drop(&p), drop(&q);
}

static void results(void **state)
{
    static const int n[] = {1, 2, 64, 150, 300};
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < 20; k++)
            one(t, k & 1 ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR, tt_uplos[k / 2 % 2], n[k / 4], k & 1 ? 5 : 70);
}

static void failures(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < 12; k++) {
            int layout = k & 1 ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR, n = 200, at = (int[]){1, 140, 200}[k / 4];
            char uplo = tt_uplos[k / 2 % 2];
            struct pair p = make(t, layout, uplo, n, 3, at), q = make(t, layout, uplo, n, 3, at);
            void *before = malloc(p.b_bytes);
            memcpy(before, p.b[0], p.b_bytes);
            BOTH(potrf(layout, uplo, n, p.a[w], p.lda), at)
            BOTH(posv(layout, uplo, n, 3, q.a[w], q.lda, q.b[w], q.ldb), at)
            assert_memory_equal(q.b[1], before, q.b_bytes);
            tt_put(t, q.a[0], (size_t)((at - 1) * (q.lda + 1)), 0.0),
                tt_put(t, q.a[1], (size_t)((at - 1) * (q.lda + 1)), 0.0);
            for (int i = 0; i < n * n; i++) /* the failed factorization may have left anything there */
                if (i % n != i / n || i / n != at - 1)
                    for (int w = 0; w < 2; w++)
                        tt_put(t, q.a[w], (size_t)(i % n + i / n * q.lda), i % n == i / n ? 1.0 + i / n : 1e-3);
            BOTH(trtri(layout, uplo, 'N', n, q.a[w], q.lda), at)
            free(before), drop(&p), drop(&q);
        }
}

/* ---- codes -------------------------------------------------------------------------------------------------- */

static void illegal_arguments(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int row = 0; row < 2; row++) {
            int layout = row ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR, n = 8;
            char uplo = 'L';
            struct pair p = make(t, layout, uplo, n, 3, 0);
            double r;
            for (int w = 0; w < 2; w++) { /* no NaN anywhere: LAPACKE looks for them with the wrong leading dimension */
                tt_random(t, 'G', p.lda, n, p.a[w], p.lda, 3);
                tt_random(t, 'G', p.ldb, row ? n : 3, p.b[w], p.ldb, 4);
            }
            BOTH(potrf(77, uplo, n, p.a[w], 8), -1)
            BOTH(potrf(layout, 'X', n, p.a[w], 8), -2)
            BOTH(potrf(layout, uplo, -1, p.a[w], 8), -3)
            BOTH(potrf(layout, uplo, n, p.a[w], 7), -5)
            BOTH(potrs(0, uplo, n, 3, p.a[w], 10, p.b[w], p.ldb), -1)
            BOTH(potrs(layout, 'X', n, 3, p.a[w], 10, p.b[w], p.ldb), -2)
            BOTH(potrs(layout, uplo, n, -1, p.a[w], 10, p.b[w], p.ldb), -4)
            BOTH(potrs(layout, uplo, n, 3, p.a[w], 7, p.b[w], p.ldb), -6)
            BOTH(potrs(layout, uplo, n, 3, p.a[w], 10, p.b[w], row ? 2 : 7), -8)
            BOTH(posv(0, uplo, n, 3, p.a[w], 10, p.b[w], p.ldb), -1)
            BOTH(posv(layout, 'X', n, 3, p.a[w], 10, p.b[w], p.ldb), -2)
            BOTH(posv(layout, uplo, n, 3, p.a[w], 7, p.b[w], p.ldb), -6)
            BOTH(posv(layout, uplo, n, 3, p.a[w], 10, p.b[w], row ? 2 : 7), -8)
            BOTH(potri(0, uplo, n, p.a[w], 8), -1)
            BOTH(potri(layout, uplo, n, p.a[w], 7), -5)
            BOTH(lauum(layout, uplo, n, p.a[w], 7), -5)
            BOTH(trtri(layout, uplo, 'X', n, p.a[w], 8), -3)
            BOTH(trtri(layout, uplo, 'N', n, p.a[w], 7), -6)
            BOTH(pocon(layout, uplo, n, p.a[w], 7, 1, &r), -5)
            BOTH(pocon(layout, uplo, n, p.a[w], 10, -1, &r), -6)
            assert_memory_equal(p.a[0], p.a[1], p.a_bytes);
            drop(&p);
        }
}

/* An order that its leading dimension denies: nothing may be read to look for NaN, for there is no such matrix. */
static void huge_orders(void **state)
{
    const int n = INT32_MAX;
    double a[16], b[16];
    (void)state;
    for (int k = 0; k < 16; k++)
        a[k] = b[k] = 1;
    for (int layout = LAPACK_ROW_MAJOR; layout <= LAPACK_COL_MAJOR; layout++) {
        assert_int_equal(tw_LAPACKE_dpotrf(layout, 'L', n, a, 4), -5);
        assert_int_equal(tw_LAPACKE_dpotri(layout, 'L', n, a, 4), -5);
        assert_int_equal(tw_LAPACKE_dlauum(layout, 'U', n, a, 4), -5);
        assert_int_equal(tw_LAPACKE_dtrtri(layout, 'U', 'N', n, a, 4), -6);
    }
    assert_int_equal(tw_LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', n, 1, a, 4, b, 4), -6);
    assert_int_equal(tw_LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, 1, a, 4, b, 4), -6);
}

/* The NaN check of LAPACKE: the argument's number, before anything is computed; off, the routine's own answer. */
static void nan_check(void **state)
{
    (void)state;
    assert_int_equal(tw_LAPACKE_get_nancheck(), LAPACKE_get_nancheck());
    TT_TYPES(t)
        for (int row = 0; row < 2; row++) {
            int layout = row ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR, n = 150;
            char uplo = 'U';
            struct pair p = make(t, layout, uplo, n, 3, 0);
            double r;
            for (int w = 0; w < 2; w++)
                tt_put(t, p.a[w], (size_t)(100 * (p.lda + 1)), (double)NAN);
            BOTH(potrf(layout, uplo, n, p.a[w], p.lda), -4)
            BOTH(potri(layout, uplo, n, p.a[w], p.lda), -4)
            BOTH(lauum(layout, uplo, n, p.a[w], p.lda), -4)
            BOTH(trtri(layout, uplo, 'N', n, p.a[w], p.lda), -5)
            BOTH(potrs(layout, uplo, n, 3, p.a[w], p.lda, p.b[w], p.ldb), -5)
            BOTH(posv(layout, uplo, n, 3, p.a[w], p.lda, p.b[w], p.ldb), -5)
            BOTH(pocon(layout, uplo, n, p.a[w], p.lda, 1, &r), -4)
            assert_memory_equal(p.a[0], p.a[1], p.a_bytes);
            tw_LAPACKE_set_nancheck(0);
            tt_expect_info(apis[1][t].potrf(layout, uplo, n, p.a[1], p.lda), 101, "without the check");
            tw_LAPACKE_set_nancheck(1);
            drop(&p);
            p = make(t, layout, uplo, n, 3, 0);
            for (int w = 0; w < 2; w++)
                tt_put(t, p.b[w], 1, (double)NAN);
            BOTH(posv(layout, uplo, n, 3, p.a[w], p.lda, p.b[w], p.ldb), -7)
            drop(&p);
        }
}

static int all_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results),     cmocka_unit_test(failures),  cmocka_unit_test(illegal_arguments),
        cmocka_unit_test(huge_orders), cmocka_unit_test(nan_check),
    };
    return tt_run(tests);
}

int main(int argc, char **argv)
{
    static char out[1 << 18];
    static const char *const paths[][3] = {{"TILEWORK_CROSSOVER=1000000", NULL},
                                           {"TILEWORK_CROSSOVER=0", "TILEWORK_NB=56", NULL}};
    int failed = 0;

    (void)argv;
    if (argc > 1) return all_tests();
    for (int k = 0; k < 2; k++) {
        int rc = tt_run_self("child", paths[k], 120, out, sizeof out);
        printf("==== %s: exit %d\n%s", paths[k][0], rc, out);
        failed |= rc != 0;
    }
    return failed;
}
