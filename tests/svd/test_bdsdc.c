/* bdsdc: bidiagonal matrices of many kinds through all doors; values alone, each beside its own in quadruple precision;
 * bad input. */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "../eigen/tridiagonal.h"
#include "bidiagonal.h"
#include "tt.h"

#define COUNT(list) (sizeof list / sizeof *list)
enum { MOST = 320 };

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static void *dense(enum tw_type t, int lower, int n, const double *d, const double *e)
{
    void *a = tt_array(t, n, n);

    for (int i = 0; i < n * n; i++)
        tt_put(t, a, (size_t)i, 0);
    for (int i = 0; i < n; i++) {
        tt_put(t, a, (size_t)i * (size_t)(n + 1), d[i]);
        if (i + 1 < n) tt_put(t, a, (size_t)(lower ? i + 1 + i * n : i + (i + 1) * n), e[i]);
    }
    return a;
}

static void judge(const char *what, enum tw_type t, int n, const void *a, const double *s, const void *u, int ldu,
                  const void *vt, int ldvt)
{
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, n, n, a, n};
    const struct check_matrix A = check_of_array(&array);
    double residual[3] = {0, 0, 0}, error = 0;

    if (n == 0) return;
    if (u) {
        assert_int_equal(check_gesdd(&A, s, n, u, ldu, n, vt, ldvt, residual), 0);
        tt_expect("|B - U S V^H|", t, residual[0], 0, "%s, n = %d", what, n);
        tt_expect("|U^H U - I|", t, residual[1], 0, "%s, n = %d", what, n);
        tt_expect("|V^H V - I|", t, residual[2], 0, "%s, n = %d", what, n);
    }
    assert_int_equal(check_singular_values(&A, s, &error), 0);
    tt_expect("|s - LAPACK's|", t, error, 0, "%s, n = %d", what, n);
}

/* ---- the matrix door --------------------------------------------------------------------------------------------- */

static void matrix_door(enum tt_storage storage, enum tw_type t, enum tt_tridiagonal kind, int lower, int n, int nb)
{
    const enum tw_uplo uplo = lower ? TW_LOWER : TW_UPPER;
    const char *what = tt_tridiagonals[kind];
    const int ld = n + 1;
    void *u = tt_array(t, ld, n), *vt = tt_array(t, ld, n), *alone = tt_array(t, ld, n), *a;
    double d[MOST], e[MOST], s[MOST], again[MOST];
    struct tt_place pu, pv;

    tt_tridiagonal(t, kind, n, d, e);
    a = dense(t, lower, n, d, e);
    tt_expect_info(tw_bdsdc(uplo, n, d, e, s, tt_enter(&pu, storage, t, TW_GENERAL, n, n, u, ld, nb),
                            tt_enter(&pv, storage, t, TW_GENERAL, n, n, vt, ld, nb)),
                   0, "%s", what);
    tt_leave(&pu), tt_leave(&pv);
    judge(what, t, n, a, s, u, ld, vt, ld);
    /* one side alone is the same to the bit */
    tt_expect_info(tw_bdsdc(uplo, n, d, e, again, NULL, tt_enter(&pv, storage, t, TW_GENERAL, n, n, alone, ld, nb)), 0,
                   "%s", what);
    tt_leave(&pv);
    assert_memory_equal(s, again, (size_t)n * sizeof *s);
    for (int j = 0; j < n; j++)
        assert_memory_equal((char *)vt + (size_t)j * (size_t)ld * tt_size(t),
                            (char *)alone + (size_t)j * (size_t)ld * tt_size(t), (size_t)n * tt_size(t));
    memcpy(s, d, (size_t)n * sizeof *s); /* over the diagonal */
    tt_expect_info(tw_bdsdc(uplo, n, s, e, s, NULL, NULL), 0, "%s", what);
    judge(what, t, n, a, s, NULL, 0, NULL, 0);
    free(u), free(vt), free(alone), free(a);
}

static void sizes(void **state)
{
    static const int ns[] = {0, 1, 2, 3, 4, 5, 24, 25, 26, 33, 97};
    (void)state;
    for (int leaf = 1; leaf < 12; leaf += 5) {
        char text[8];
        snprintf(text, sizeof text, "%d", leaf);
        setenv("TILEWORK_LEAF", text, 1);
        TT_TYPES(t)
            for (size_t k = 0; k < COUNT(ns); k++)
                matrix_door(k % 3 == 2 ? TT_WRAPPED : TT_CREATED, t, TT_T_RANDOM, (int)k % 2, ns[k], k % 2 ? 16 : 40);
    }
    unsetenv("TILEWORK_LEAF");
}

static void kinds(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (enum tt_tridiagonal kind = TT_T_RANDOM; kind < TT_TRIDIAGONALS; kind++) {
            setenv("TILEWORK_LEAF", kind % 3 == 0 ? "1" : kind % 3 == 1 ? "7" : "24", 1);
            matrix_door(TT_FROM_LAPACK, t, kind, (int)kind % 2, 63 + 7 * (int)kind % 40, 32);
            if (tt_complex(t)) continue; /* another type is made of the same numbers at the end */
            setenv("TILEWORK_LEAF", kind % 3 == 1 ? "1" : kind % 3 == 2 ? "5" : "30", 1);
            matrix_door(TT_CREATED, t, kind, (int)(kind + 1) % 2, 120 - (int)kind, 50);
        }
    unsetenv("TILEWORK_LEAF");
    matrix_door(TT_CREATED, TW_DOUBLE, TT_T_GLUED, 0, 300, 128); /* leaves as they are */
    matrix_door(TT_CREATED, TW_DOUBLE, TT_T_RANDOM, 1, 301, 128);
}

/* ---- values alone, to high relative accuracy --------------------------------------------------------------------- */

static void relative_accuracy(void **state)
{
    enum { N = 60 };
    double worst = 0;

    (void)state;
    for (int kind = 0; kind < TT_GRADED_KINDS; kind++)
        for (int n = 1; n <= N; n = n * 2 + 1) {
            double d[N], e[N], s[N];

            tt_graded(kind, n, d, e);
            tt_expect_info(tw_bdsdc(kind % 2 ? TW_LOWER : TW_UPPER, n, d, e, s, NULL, NULL), 0, "graded, kind %d",
                           kind);
            for (int i = 0; i < n; i++) {
                const __float128 right = tt_exact_value(n, d, e, i, s[n - 1 - i]), difference = s[n - 1 - i] - right;
                const double error =
                    (double)((difference < 0 ? -difference : difference) / right) / (n * DBL_EPSILON / 2);
                assert_true(s[n - 1 - i] > 0);
                if (!(error <= 30)) fail_msg("kind %d, n = %d, value %d: %g n eps", kind, n, i, error);
                if (error > worst) worst = error;
            }
        }
    printf("each value to %.3g n eps of its own size\n", worst);
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

static lapack_int lapacke(int work, enum tw_type t, int layout, char uplo, char compq, int n, void *d, void *e, void *u,
                          int ldu, void *vt, int ldvt, void *q, lapack_int *iq)
{
    static lapack_int iwork[1600];
    static double space[200000];

    if (t == TW_FLOAT)
        return work ? tw_LAPACKE_sbdsdc_work(layout, uplo, compq, n, d, e, u, ldu, vt, ldvt, q, iq, (float *)space,
                                             iwork)
                    : tw_LAPACKE_sbdsdc(layout, uplo, compq, n, d, e, u, ldu, vt, ldvt, q, iq);
    return work ? tw_LAPACKE_dbdsdc_work(layout, uplo, compq, n, d, e, u, ldu, vt, ldvt, q, iq, space, iwork)
                : tw_LAPACKE_dbdsdc(layout, uplo, compq, n, d, e, u, ldu, vt, ldvt, q, iq);
}

static void transpose(enum tw_type t, int n, void *a, int ld)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++) {
            const tt_z x = tt_get(t, a, (size_t)(i + j * ld)), y = tt_get(t, a, (size_t)(j + i * ld));
            tt_put(t, a, (size_t)(i + j * ld), y);
            tt_put(t, a, (size_t)(j + i * ld), x);
        }
}

/* who 0: LAPACK's name, 1 LAPACKE's, 2 with _work. */
static void one_door(enum tw_type t, int who, int layout, char uplo, char compq)
{
    enum { N = 70, LD = 75 };
    double d[N], e[N], s[N];
    void *u = tt_array(t, LD, N), *vt = tt_array(t, LD, N), *rd = tt_array(t, N, 1), *re = tt_array(t, N, 1), *a;
    tw_int info;

    tt_tridiagonal(t, TT_T_RANDOM, N, d, e);
    a = dense(t, uplo == 'L', N, d, e);
    for (int i = 0; i < N; i++) {
        tt_put(t, rd, (size_t)i, d[i]);
        if (i + 1 < N) tt_put(t, re, (size_t)i, e[i]);
    }
    if (who > 0)
        info = lapacke(who == 2, t, layout, uplo, compq, N, rd, re, u, LD, vt, LD, NULL, NULL);
    else
        info = t == TW_FLOAT ? tw_sbdsdc(uplo, compq, N, rd, re, u, LD, vt, LD, NULL, NULL)
                             : tw_dbdsdc(uplo, compq, N, rd, re, u, LD, vt, LD, NULL, NULL);
    tt_expect_info(info, 0, "bdsdc %c %c, door %d", uplo, compq, who);
    for (int i = 0; i < N; i++)
        s[i] = (double)tt_get(t, rd, (size_t)i);
    if (layout == LAPACK_ROW_MAJOR) transpose(t, N, u, LD), transpose(t, N, vt, LD);
    judge("LAPACK's names", t, N, a, s, compq == 'I' ? u : NULL, LD, vt, LD);
    free(u), free(vt), free(rd), free(re), free(a);
}

static void doors(void **state)
{
    static const enum tw_type types[] = {TW_FLOAT, TW_DOUBLE};
    (void)state;
    setenv("TILEWORK_LEAF", "11", 1);
    for (int straight = 0; straight < 2; straight++) { /* LAPACK itself, and tiles */
        setenv("TILEWORK_CROSSOVER", straight ? "512" : "0", 1);
        for (size_t k = 0; k < COUNT(types); k++)
            for (int way = 0; way < 4; way++) {
                const char uplo = way % 2 ? 'L' : 'U', compq = way / 2 ? 'N' : 'I';
                one_door(types[k], 0, LAPACK_COL_MAJOR, uplo, compq);
                one_door(types[k], 1, LAPACK_COL_MAJOR, uplo, compq);
                one_door(types[k], 1, LAPACK_ROW_MAJOR, uplo, compq);
                one_door(types[k], 2, LAPACK_COL_MAJOR, uplo, compq);
                one_door(types[k], 2, LAPACK_ROW_MAJOR, uplo, compq);
            }
    }
    unsetenv("TILEWORK_CROSSOVER"), unsetenv("TILEWORK_LEAF");
}

/* The compact form is LAPACK's to the bit, of small matrices, too, of which LAPACK has n integers. */
static void compact(void **state)
{
    enum { MOST = 120 };
    static double d[2][MOST], e[2][MOST], q[2][MOST * 80], u[1];
    static lapack_int iq[2][MOST * 20];
    const int orders[] = {1, 2, 9, 20, 25, 26, MOST};

    (void)state;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
        for (int lower = 0; lower < 2; lower++) {
            const int n = orders[k];
            const char uplo = lower ? 'L' : 'U';
            size_t known = n <= 25 ? MOST * 20 : 3 * (size_t)n; /* LAPACK's own has some behind what its text says */

            if (n == MOST) known = MOST * 20;
            memset(q, 0, sizeof q), memset(iq, 0, sizeof iq);
            tt_tridiagonal(TW_DOUBLE, TT_T_RANDOM, n, d[0], e[0]);
            memcpy(d[1], d[0], sizeof d[0]), memcpy(e[1], e[0], sizeof e[0]);
            assert_int_equal(LAPACKE_dbdsdc(LAPACK_COL_MAJOR, uplo, 'P', n, d[0], e[0], u, 1, u, 1, q[0], iq[0]), 0);
            tt_expect_info(tw_LAPACKE_dbdsdc(LAPACK_COL_MAJOR, uplo, 'P', n, d[1], e[1], u, 1, u, 1, q[1], iq[1]), 0,
                           "n %d", n);
            assert_memory_equal(d[0], d[1], sizeof d[0]);
            assert_memory_equal(q[0], q[1], sizeof q[0]);
            assert_memory_equal(iq[0], iq[1], known * sizeof iq[0][0]);
        }
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void bad_input(void **state)
{
    enum { N = 40 };
    double d[N], e[N], s[N], u[N * N], q[1];
    tw_int iq[1];
    tw_matrix *U, *W, *F;

    (void)state;
    assert_int_equal(tw_matrix_create(&U, TW_DOUBLE, TW_GENERAL, N, N, 16, 0), 0);
    assert_int_equal(tw_matrix_create(&W, TW_DOUBLE, TW_GENERAL, N, N + 1, 16, 0), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, N, N, 16, 0), 0);
    tt_tridiagonal(TW_DOUBLE, TT_T_RANDOM, N, d, e);
    assert_int_equal(tw_bdsdc((enum tw_uplo)0, N, d, e, s, NULL, NULL), -1);
    assert_int_equal(tw_bdsdc(TW_UPPER, -1, d, e, s, NULL, NULL), -2);
    assert_int_equal(tw_bdsdc(TW_UPPER, N, NULL, e, s, NULL, NULL), -3);
    assert_int_equal(tw_bdsdc(TW_UPPER, N, d, NULL, s, NULL, NULL), -4);
    assert_int_equal(tw_bdsdc(TW_UPPER, N, d, e, NULL, NULL, NULL), -5);
    assert_int_equal(tw_bdsdc(TW_UPPER, N, d, e, s, W, NULL), -6);
    assert_int_equal(tw_bdsdc(TW_UPPER, N, d, e, s, U, W), -7);
    assert_int_equal(tw_bdsdc(TW_UPPER, N, d, e, s, U, U), -7);
    assert_int_equal(tw_bdsdc(TW_UPPER, N, d, e, s, U, F), -7);
    assert_int_equal(tw_dbdsdc('X', 'I', N, d, e, u, N, u, N, q, iq), -1);
    assert_int_equal(tw_dbdsdc('U', 'X', N, d, e, u, N, u, N, q, iq), -2);
    assert_int_equal(tw_dbdsdc('U', 'I', -1, d, e, u, N, u, N, q, iq), -3);
    assert_int_equal(tw_dbdsdc('U', 'I', N, d, e, u, N - 1, u, N, q, iq), -7);
    assert_int_equal(tw_dbdsdc('U', 'I', N, d, e, u, N, u, N - 1, q, iq), -9);
    assert_int_equal(tw_dbdsdc('U', 'N', 0, NULL, NULL, NULL, 1, NULL, 1, NULL, NULL), 0);
    for (int vectors = 0; vectors < 2; vectors++)
        for (int where = 0; where < 2; where++) {
            double *const at = where ? e + N / 2 : d + N / 3, old = *at;
            *at = where ? INFINITY : NAN;
            tt_expect_info(tw_bdsdc(TW_UPPER, N, d, e, s, vectors ? U : NULL, NULL), N, "not finite");
            assert_true(isnan(s[0]) && isnan(s[N - 1]));
            *at = old;
        }
    d[N / 2] = 1e300;
    tt_expect_info(tw_bdsdc(TW_UPPER, N, d, e, s, F, NULL), N, "not a float");
    assert_int_equal(tw_matrix_destroy(U), 0);
    assert_int_equal(tw_matrix_destroy(W), 0);
    assert_int_equal(tw_matrix_destroy(F), 0);
}

/* In a sequence, with what comes after: U S Vt. */
static void queued(void **state)
{
    enum { N = 130 };
    void *u = tt_array(TW_DOUBLE, N, N), *vt = tt_array(TW_DOUBLE, N, N), *a;
    double d[N], e[N], s[N], other[N];
    struct tt_place pu, pv;
    tw_sequence *seq;
    tw_matrix *U, *Vt;

    (void)state;
    setenv("TILEWORK_LEAF", "9", 1);
    tt_tridiagonal(TW_DOUBLE, TT_T_RANDOM, N, d, e);
    a = dense(TW_DOUBLE, 0, N, d, e);
    U = tt_enter(&pu, TT_CREATED, TW_DOUBLE, TW_GENERAL, N, N, u, N, 48);
    Vt = tt_enter(&pv, TT_CREATED, TW_DOUBLE, TW_GENERAL, N, N, vt, N, 48);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_bdsdc_async(TW_UPPER, N, d, e, s, U, Vt, seq), 0);
    assert_int_equal(tw_bdsdc_async(TW_LOWER, N, d, e, other, NULL, NULL, seq), 0);
    assert_int_equal(tw_sequence_wait(seq), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    tt_leave(&pu), tt_leave(&pv);
    judge("queued", TW_DOUBLE, N, a, s, u, N, vt, N);
    free(a), free(u), free(vt);
    unsetenv("TILEWORK_LEAF");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes), cmocka_unit_test(kinds),   cmocka_unit_test(relative_accuracy),
        cmocka_unit_test(doors), cmocka_unit_test(compact), cmocka_unit_test(bad_input),
        cmocka_unit_test(queued)};
    return tt_run(tests);
}
