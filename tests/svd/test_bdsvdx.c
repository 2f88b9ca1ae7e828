/* bdsvdx: some singular values of bidiagonal matrices of many kinds, by number and by interval, through all doors;
 * values each beside its own in quadruple precision; vectors by |B V - U S|, |B^T U - V S| and orthogonality; bad
 * input. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "../eigen/tridiagonal.h"
#include "bidiagonal.h"
#include "tt.h"

#define COUNT(list) ((int)(sizeof list / sizeof *list))
enum { MOST = 320 };

struct range {
    char letter;
    double vl, vu;
    int il, iu;
};

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

static void judge(const char *what, enum tw_type t, int lower, int n, const double *d, const double *e,
                  const struct range *r, int ns, const double *s, const void *u, int ldu, const void *vt, int ldvt)
{
    void *b = dense(t, lower, n, d, e);
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, n, n, b, n};
    const struct check_matrix B = check_of_array(&array);
    double residual[4], error = 0;

    if (r->letter != 'V') assert_int_equal(ns, r->letter == 'I' ? r->iu - r->il + 1 : n);
    assert_int_equal(check_gesvdx(&B, ns, s, u, ldu, vt, ldvt, residual), 0);
    tt_expect("|B V - U S|", t, residual[0], 0, "%s, %c, n = %d", what, r->letter, n);
    tt_expect("|B^T U - V S|", t, residual[1], 0, "%s, %c, n = %d", what, r->letter, n);
    tt_expect("|U^T U - I|", t, residual[2], 0, "%s, %c, n = %d", what, r->letter, n);
    tt_expect("|V^T V - I|", t, residual[3], 0, "%s, %c, n = %d", what, r->letter, n);
    if (r->letter == 'V')
        assert_int_equal(check_singular_interval(&B, r->vl, r->vu, ns, s, &error), 0);
    else
        assert_int_equal(check_some_singular_values(&B, r->letter == 'I' ? r->il - 1 : 0, ns, s, &error), 0);
    tt_expect("|s - LAPACK's|", t, error, 0, "%s, %c, n = %d", what, r->letter, n);
    free(b);
}

/* ---- the matrix door --------------------------------------------------------------------------------------------- */

static void matrix_door(enum tw_type t, enum tt_tridiagonal kind, int lower, int n, const struct range *r, int nb)
{
    const int room = r->letter == 'I' ? r->iu - r->il + 1 : n + 2;
    void *u = tt_array(t, n, room), *vt = tt_array(t, room, n), *alone = tt_array(t, room, n);
    double d[MOST], e[MOST], s[MOST], again[MOST];
    struct tt_place pu, pv;
    tw_int ns = -1, count = -1;

    tt_tridiagonal(t, kind, n, d, e);
    tt_expect_info(tw_bdsvdx(lower ? TW_LOWER : TW_UPPER, (enum tw_which)r->letter, n, d, e, r->vl, r->vu, r->il, r->iu,
                             &ns, s, tt_enter(&pu, TT_CREATED, t, TW_GENERAL, n, room, u, n, nb),
                             tt_enter(&pv, TT_FROM_LAPACK, t, TW_GENERAL, room, n, vt, room, nb)),
                   0, "%s", tt_tridiagonals[kind]);
    tt_leave(&pu), tt_leave(&pv);
    judge(tt_tridiagonals[kind], t, lower, n, d, e, r, (int)ns, s, u, n, vt, room);
    /* one side alone, and the same values, to the bit */
    tt_expect_info(tw_bdsvdx(lower ? TW_LOWER : TW_UPPER, (enum tw_which)r->letter, n, d, e, r->vl, r->vu, r->il, r->iu,
                             &count, again, NULL, tt_enter(&pv, TT_CREATED, t, TW_GENERAL, room, n, alone, room, nb)),
                   0, "%s", tt_tridiagonals[kind]);
    tt_leave(&pv);
    assert_int_equal(count, ns);
    assert_memory_equal(s, again, (size_t)ns * sizeof *s);
    for (int j = 0; j < n; j++)
        assert_memory_equal((char *)vt + (size_t)(j * room) * tt_size(t),
                            (char *)alone + (size_t)(j * room) * tt_size(t), (size_t)ns * tt_size(t));
    free(u), free(vt), free(alone);
}

static void ranges(enum tw_type t, enum tt_tridiagonal kind, int lower, int n, int nb)
{
    double d[MOST], e[MOST], s[MOST], large;
    tt_tridiagonal(t, kind, n, d, e);
    tt_expect_info(tw_bdsdc(lower ? TW_LOWER : TW_UPPER, n, d, e, s, NULL, NULL), 0, "%s", tt_tridiagonals[kind]);
    large = s[0] > 0 ? 1.5 * s[0] : 1;
    const struct range list[] = {{'I', 0, 0, 1, 1},
                                 {'I', 0, 0, n / 3 + 1, n / 3 + 1 + n / 9},
                                 {'I', 0, 0, n, n},
                                 {'A', 0, 0, 0, 0},
                                 {'V', 0, large, 0, 0},
                                 {'V', s[n / 2] * 0.999, large, 0, 0},
                                 {'V', large, 2 * large, 0, 0}};
    for (int i = 0; i < COUNT(list); i++)
        if (i % 2 == (int)kind % 2 || n == 300) matrix_door(t, kind, lower, n, &list[i], nb);
}

static void kinds(void **state)
{
    static const int ns[] = {1, 2, 3, 26, 97};
    (void)state;
    TT_TYPES(t)
        for (enum tt_tridiagonal kind = TT_T_RANDOM; kind < TT_TRIDIAGONALS; kind++) {
            if (t != TW_DOUBLE && kind % 4 != t) continue;
            setenv("TILEWORK_LEAF", kind % 3 == 0 ? "5" : kind % 3 == 1 ? "9" : "24", 1);
            ranges(t, kind, (int)kind % 2, 40 + 7 * (int)kind % 40, 32);
        }
    for (int i = 0; i < COUNT(ns); i++)
        ranges(i % 2 ? TW_DOUBLE : TW_FLOAT, TT_T_RANDOM, i % 2, ns[i], 16);
    unsetenv("TILEWORK_LEAF");
    ranges(TW_DOUBLE, TT_T_GLUED, 0, 300, 128); /* leaves as they are, and more than one task of values */
}

/* Ends of an interval belong to it below and not above, also where values are exact. */
static void ends(void **state)
{
    const double d[] = {3, -1, 4, 2, 0}, e[] = {0, 0, 0, 0};
    double s[5];
    tw_int ns;

    (void)state;
    assert_int_equal(tw_bdsvdx(TW_UPPER, TW_INTERVAL, 5, d, e, 2, 4, 0, 0, &ns, s, NULL, NULL), 0);
    assert_true(ns == 2 && s[0] == 3 && s[1] == 2);
    assert_int_equal(tw_bdsvdx(TW_UPPER, TW_INTERVAL, 5, d, e, 0, 1, 0, 0, &ns, s, NULL, NULL), 0);
    assert_true(ns == 1 && s[0] == 0);
    assert_int_equal(tw_bdsvdx(TW_LOWER, TW_INTERVAL, 5, d, e, 3.5, (double)INFINITY, 0, 0, &ns, s, NULL, NULL), 0);
    assert_true(ns == 1 && s[0] == 4);
    assert_int_equal(tw_bdsvdx(TW_LOWER, TW_ALL, 0, NULL, NULL, 0, 0, 0, 0, &ns, NULL, NULL, NULL), 0);
    assert_int_equal(ns, 0);
}

/* ---- to high relative accuracy ----------------------------------------------------------------------------------- */

/* By bisection (few) and by dqds (all), with vectors and without. */
static void relative_accuracy(void **state)
{
    enum { N = 60 };
    double worst = 0;

    (void)state;
    setenv("TILEWORK_LEAF", "10", 1);
    for (int kind = 0; kind < TT_GRADED_KINDS; kind++)
        for (int way = 0; way < 3; way++) {
            const int il = way == 0 ? N - 6 : way == 1 ? 1 : 20, iu = way == 1 ? N : il + 6, n = N;
            double d[N], e[N], s[N];
            tw_matrix *U = NULL;
            tw_int ns;

            tt_graded(kind, n, d, e);
            if (way == 2) assert_int_equal(tw_matrix_create(&U, TW_DOUBLE, TW_GENERAL, n, iu - il + 1, 16, NULL), 0);
            tt_expect_info(
                tw_bdsvdx(kind % 2 ? TW_LOWER : TW_UPPER, TW_INDICES, n, d, e, 0, 0, il, iu, &ns, s, U, NULL), 0,
                "graded, kind %d", kind);
            for (int i = il; i <= iu; i++) {
                const __float128 right = tt_exact_value(n, d, e, n - i, s[i - il]), difference = s[i - il] - right;
                const double error =
                    (double)((difference < 0 ? -difference : difference) / right) / (n * DBL_EPSILON / 2);
                assert_true(s[i - il] > 0);
                if (!(error <= 30)) fail_msg("kind %d, way %d, value %d: %g n eps", kind, way, i, error);
                if (error > worst) worst = error;
            }
            if (U) tw_matrix_destroy(U);
        }
    unsetenv("TILEWORK_LEAF");
    printf("each value to %.3g n eps of its own size\n", worst);
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

/* who 0: LAPACK's name, 1 LAPACKE's, 2 with _work. */
static tw_int call(int who, enum tw_type t, int layout, char uplo, char jobz, const struct range *r, int n, void *d,
                   void *e, int *ns, void *s, void *z, int ldz, int *flags)
{
    static double work[14 * MOST];
    tw_int found = -1, wide[12 * MOST], info;
    lapack_int narrow = -1;
    const char g = r->letter;
    const int il = r->il, iu = r->iu;
#define ONE(p, R)                                                                                                      \
    (who == 0   ? tw_##p##bdsvdx(uplo, jobz, g, n, d, e, (R)r->vl, (R)r->vu, il, iu, &found, s, z, ldz, wide)          \
     : who == 1 ? tw_LAPACKE_##p##bdsvdx(layout, uplo, jobz, g, n, d, e, (R)r->vl, (R)r->vu, il, iu, &narrow, s, z,    \
                                         ldz, flags)                                                                   \
                : tw_LAPACKE_##p##bdsvdx_work(layout, uplo, jobz, g, n, d, e, (R)r->vl, (R)r->vu, il, iu, &narrow, s,  \
                                              z, ldz, (void *)work, flags))
    for (int i = 0; i < 12 * MOST; i++)
        wide[i] = -1, flags[i] = -1;
    info = t == TW_FLOAT ? ONE(s, float) : ONE(d, double);
#undef ONE
    *ns = who == 0 ? (int)found : narrow;
    for (int i = 0; who == 0 && i < 12 * MOST; i++)
        flags[i] = (int)wide[i];
    return info;
}

static void one_door(enum tw_type t, int who, int layout, char uplo, char jobz, const struct range *r, int n)
{
    const int row = layout == LAPACK_ROW_MAJOR, most = r->letter == 'I' ? r->iu - r->il + 1 : n,
              ldz = row ? most + 4 : 2 * n + 1;
    void *rd = tt_array(t, n, 1), *re = tt_array(t, n, 1), *s = tt_array(t, n, 1),
         *z = tt_array(t, ldz, row ? 2 * n : most), *u = tt_array(t, n, most), *vt = tt_array(t, most, n);
    double d[MOST], e[MOST], values[MOST];
    int flags[12 * MOST], ns;

    tt_tridiagonal(t, TT_T_RANDOM, n, d, e);
    for (int i = 0; i < n; i++) {
        tt_put(t, rd, (size_t)i, d[i]);
        if (i + 1 < n) tt_put(t, re, (size_t)i, e[i]);
    }
    tt_expect_info(call(who, t, layout, uplo, jobz, r, n, rd, re, &ns, s, z, ldz, flags), 0, "bdsvdx %c%c%c, door %d",
                   uplo, jobz, r->letter, who);
    for (int i = 0; i < ns; i++)
        values[i] = (double)tt_get(t, s, (size_t)i);
    for (int j = 0; j < ns; j++)
        for (int i = 0; i < n; i++) {
            tt_put(t, u, (size_t)(i + j * n), tt_get(t, z, tt_layout_at(layout, i, j, ldz)));
            tt_put(t, vt, (size_t)(j + i * most), tt_get(t, z, tt_layout_at(layout, n + i, j, ldz)));
        }
    judge("LAPACK's names", t, uplo == 'L', n, d, e, r, ns, values, jobz == 'V' ? u : NULL, n, jobz == 'V' ? vt : NULL,
          most);
    for (int i = 0; i < 12 * MOST; i++)
        assert_int_equal(flags[i], i < ns - (who < 2) ? 0 : -1);
    free(rd), free(re), free(s), free(z), free(u), free(vt);
}

static void doors(void **state)
{
    (void)state;
    setenv("TILEWORK_LEAF", "11", 1);
    for (int straight = 0; straight < 2; straight++) {
        setenv("TILEWORK_CROSSOVER", straight ? "512" : "0", 1);
        for (int way = 0; way < 20; way++) {
            const struct range r = {"IVA"[way % 3], 0.3, 0.9, 3, 11};
            one_door(way / 10 ? TW_FLOAT : TW_DOUBLE,
                     way / 2 % 5 == 0  ? 0
                     : way / 2 % 5 < 3 ? 1
                                       : 2,
                     way / 2 % 5 % 2 ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR, way % 2 ? 'L' : 'U',
                     way % 10 == 3 ? 'N' : 'V', &r, 70);
        }
    }
    unsetenv("TILEWORK_CROSSOVER"), unsetenv("TILEWORK_LEAF");
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void refused(void **state)
{
    enum { N = 5 };
    double d[N] = {1, 2, 3, 4, 5}, e[N] = {1, 1, 1, 1}, s[N], z[2 * N * (N + 1)];
    tw_int ns, superb[12 * N];
    lapack_int few, iwork[12 * N];
    tw_matrix *U, *V, *F, *small;

    (void)state;
#define LAPACK(i, uplo, jobz, range, n, vl, vu, il, iu, ldz)                                                           \
    assert_int_equal(tw_dbdsvdx(uplo, jobz, range, n, d, e, vl, vu, il, iu, &ns, s, z, ldz, superb), -(i))
    LAPACK(1, 'X', 'V', 'A', N, 0, 1, 1, 1, 2 * N);
    LAPACK(2, 'U', 'X', 'A', N, 0, 1, 1, 1, 2 * N);
    LAPACK(3, 'U', 'V', 'X', N, 0, 1, 1, 1, 2 * N);
    LAPACK(4, 'U', 'V', 'A', -1, 0, 1, 1, 1, 2 * N);
    LAPACK(7, 'U', 'V', 'V', N, -0.1, 1, 1, 1, 2 * N);
    LAPACK(8, 'U', 'V', 'V', N, 1, 1, 1, 1, 2 * N);
    LAPACK(9, 'U', 'V', 'I', N, 0, 1, 0, 1, 2 * N);
    LAPACK(9, 'U', 'V', 'I', N, 0, 1, N + 1, N + 1, 2 * N);
    LAPACK(9, 'U', 'V', 'I', N, 0, 1, INT64_MIN, INT64_MAX, 2 * N);
    LAPACK(10, 'U', 'V', 'I', N, 0, 1, 3, INT64_MIN, 2 * N);
    LAPACK(10, 'U', 'V', 'I', N, 0, 1, 3, 2, 2 * N);
    LAPACK(10, 'U', 'V', 'I', N, 0, 1, 3, N + 1, 2 * N);
    LAPACK(14, 'U', 'V', 'A', N, 0, 1, 1, 1, 2 * N - 1);
    LAPACK(14, 'U', 'N', 'A', N, 0, 1, 1, 1, 0);
    LAPACK(0, 'U', 'V', 'I', 0, -1, -2, 7, 3, 1); /* n = 0: nothing is looked at */
    assert_int_equal(ns, 0);
    assert_int_equal(tw_LAPACKE_dbdsvdx(0, 'U', 'V', 'A', N, d, e, 0, 0, 0, 0, &few, s, z, 2 * N, iwork), -1);
    assert_int_equal(tw_LAPACKE_dbdsvdx(LAPACK_ROW_MAJOR, 'U', 'V', 'A', N, d, e, 0, 0, 0, 0, &few, s, z, N, iwork),
                     -15);
    assert_int_equal(tw_LAPACKE_dbdsvdx(LAPACK_ROW_MAJOR, 'U', 'V', 'I', N, d, e, 0, 0, 2, 4, &few, s, z, 2, iwork),
                     -15);
    assert_int_equal(tw_matrix_create(&U, TW_DOUBLE, TW_GENERAL, N, N, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&V, TW_DOUBLE, TW_GENERAL, N, N, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, N, N, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&small, TW_DOUBLE, TW_GENERAL, N, 1, 4, NULL), 0);
#define MATRIX(i, uplo, which, n, d, e, vl, vu, il, iu, ns, s, U, V)                                                   \
    assert_int_equal(tw_bdsvdx((enum tw_uplo)uplo, (enum tw_which)which, n, d, e, vl, vu, il, iu, ns, s, U, V), -(i))
    MATRIX(1, 'X', 'A', N, d, e, 0, 0, 0, 0, &ns, s, NULL, NULL);
    MATRIX(2, 'U', 'X', N, d, e, 0, 0, 0, 0, &ns, s, NULL, NULL);
    MATRIX(3, 'U', 'A', -1, d, e, 0, 0, 0, 0, &ns, s, NULL, NULL);
    MATRIX(4, 'U', 'A', N, NULL, e, 0, 0, 0, 0, &ns, s, NULL, NULL);
    MATRIX(5, 'U', 'A', N, d, NULL, 0, 0, 0, 0, &ns, s, NULL, NULL);
    MATRIX(6, 'U', 'V', N, d, e, -1, 0, 0, 0, &ns, s, NULL, NULL);
    MATRIX(7, 'U', 'V', N, d, e, 1, 1, 0, 0, &ns, s, NULL, NULL);
    MATRIX(8, 'U', 'I', N, d, e, 0, 0, 0, 1, &ns, s, NULL, NULL);
    MATRIX(8, 'U', 'I', N, d, e, 0, 0, INT64_MIN, INT64_MAX, &ns, s, U, V);
    MATRIX(9, 'U', 'I', N, d, e, 0, 0, 2, INT64_MIN, &ns, s, U, V);
    MATRIX(9, 'U', 'I', N, d, e, 0, 0, 2, 1, &ns, s, NULL, NULL);
    MATRIX(10, 'U', 'A', N, d, e, 0, 0, 0, 0, NULL, s, NULL, NULL);
    MATRIX(11, 'U', 'A', N, d, e, 0, 0, 0, 0, &ns, NULL, NULL, NULL);
    MATRIX(12, 'U', 'I', N, d, e, 0, 0, 1, 2, &ns, s, small, NULL);
    MATRIX(13, 'U', 'A', N, d, e, 0, 0, 0, 0, &ns, s, U, F);
    MATRIX(13, 'U', 'A', N, d, e, 0, 0, 0, 0, &ns, s, U, U);
    assert_int_equal(tw_bdsvdx(TW_UPPER, TW_INTERVAL, N, d, e, 0, 100, 0, 0, &ns, s, small, NULL), TW_E_MEMORY);
    assert_int_equal(ns, N);
    for (int way = 0; way < 6; way++) {
        double *const at = way % 2 ? &e[1] : &d[2], old = *at;
        *at = way % 2 ? INFINITY : NAN;
        tt_expect_info(tw_bdsvdx(TW_UPPER, (enum tw_which) "AVI"[way / 2], N, d, e, 0, 1, 2, 4, &ns, s, U, V),
                       2 * N + 1, "not finite");
        assert_true(ns == 0 && isnan(s[0]) && isnan(s[2]));
        tt_expect_info(tw_dbdsvdx('U', 'V', "AVI"[way / 2], N, d, e, 0, 1, 2, 4, &ns, s, z, 2 * N, superb), 2 * N + 1,
                       "not finite");
        assert_true(ns == 0 && isnan(s[0]) && isnan(s[2]));
        *at = old;
    }
    tw_matrix_destroy(U), tw_matrix_destroy(V), tw_matrix_destroy(F), tw_matrix_destroy(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {tt_test_of_bits(kinds), cmocka_unit_test(ends),
                                       cmocka_unit_test(relative_accuracy), cmocka_unit_test(doors),
                                       cmocka_unit_test(refused)};
    return tt_run(tests);
}
