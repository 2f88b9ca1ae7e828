/* gees and geesx: Schur forms of general matrices through all doors, by checks that know nothing of them, their order,
 * condition numbers beside LAPACK's, and bad input. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "general.h"

/* ---- what is selected -------------------------------------------------------------------------------------------- */

struct choice {
    double least, most; /* of the real part */
    int calls;
};
static int between(void *user, double wr, double wi)
{
    struct choice *c = user;
    (void)wi;
    c->calls++;
    return wr > c->least && wr < c->most;
}
static int left_s(const float *wr, const float *wi)
{
    (void)wi;
    return *wr < 0;
}
static int left_d(const double *wr, const double *wi)
{
    (void)wi;
    return *wr < 0;
}
static int left_c(const lapack_complex_float *w)
{
    return crealf(*w) < 0;
}
static int left_z(const lapack_complex_double *w)
{
    return creal(*w) < 0;
}

/* ---- judges ------------------------------------------------------------------------------------------------------ */

static double judge(const char *what, enum tw_type t, int n, const void *a, int lda, const double *wr, const double *wi,
                    const void *s, int lds, const void *z, int ldz)
{
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, n, n, a, lda};
    const struct check_matrix A = check_of_array(&array);
    double residual[2];

    assert_int_equal(check_gees(&A, wr, wi, s, lds, z, ldz, residual), 0);
    tt_expect("|A Z - Z T|", t, residual[0], 0, "%s, n = %d", what, n);
    tt_expect("|Z^H Z - I|", t, residual[1], 0, "%s, n = %d", what, n);
    return residual[1];
}
static int near(double a, double b, double c, double d, double allowed)
{
    return hypot(a - c, b - d) <= allowed;
}

/* ---- the matrix door --------------------------------------------------------------------------------------------- */

struct result {
    void *s, *z;
    double *wr, *wi;
    tw_int sdim;
    int info;
};
static void give_back(struct result *r)
{
    free(r->s), free(r->z), free(r->wr), free(r->wi);
}
static struct result solved(enum tw_type t, enum kind kind, int n, int nb, int vectors, struct choice *choice)
{
    struct result r = {.s = tt_array(t, n + 2, n + 1), .z = tt_array(t, n + 1, n + 1)};
    struct tt_place pa, pz;
    tw_matrix *A, *Z = NULL;

    r.wr = malloc((size_t)(n + 1) * sizeof(double)), r.wi = malloc((size_t)(n + 1) * sizeof(double));
    fill(t, kind, n, r.s, n + 2);
    A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, n, n, r.s, n + 2, nb);
    if (vectors) Z = tt_enter(&pz, TT_CREATED, t, TW_GENERAL, n, n, r.z, n + 1, nb + 3);
    r.sdim = -7;
    r.info = tw_gees(Z ? TW_VECTORS : TW_NOVECTORS, choice ? between : NULL, choice, A, &r.sdim, r.wr, r.wi, Z);
    tt_leave(&pa);
    if (Z) tt_leave(&pz);
    return r;
}

static void matrix_door(enum tw_type t, enum kind kind, int n, int nb)
{
    void *a = tt_array(t, n + 2, n + 1);
    struct result with = solved(t, kind, n, nb, 1, NULL), without = solved(t, kind, n, nb, 0, NULL);

    fill(t, kind, n, a, n + 2);
    tt_expect_info(with.info, 0, "%s, n = %d", kinds[kind], n);
    tt_expect_info(without.info, 0, "%s, n = %d", kinds[kind], n);
    assert_int_equal(with.sdim, 0);
    /* by tiles it is more so than LAPACK's */
    assert_true(judge(kinds[kind], t, n, a, n + 2, with.wr, with.wi, with.s, n + 2, with.z, n + 1) < 3);
    /* the same bits without Schur vectors */
    assert_memory_equal(with.wr, without.wr, (size_t)n * sizeof(double));
    assert_memory_equal(with.wi, without.wi, (size_t)n * sizeof(double));
    for (int j = 0; j < n; j++)
        assert_memory_equal((char *)with.s + (size_t)(j * (n + 2)) * tt_size(t),
                            (char *)without.s + (size_t)(j * (n + 2)) * tt_size(t), (size_t)n * tt_size(t));
    give_back(&with), give_back(&without), free(a);
}

static void sizes(void **state)
{
    static const int orders[] = {0, 1, 2, 3, 31, 32, 33, 97};
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(orders); k++)
            matrix_door(t, RANDOM, orders[k], 32);
}
static void kinds_of(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int kind = 0; kind < KINDS; kind++)
            matrix_door(t, (enum kind)kind, kind % 2 ? 20 : 61, 48);
}

/* Those that are selected come first, as many as sdim says, and among themselves, as the others do, in the order that
 * they had. */
static void order_of(enum tw_type t, enum kind kind, int n, double least, double most)
{
    struct choice choice = {least, most, 0};
    void *a = tt_array(t, n + 2, n + 1);
    struct result before = solved(t, kind, n, 24, 1, NULL), r = solved(t, kind, n, 24, 1, &choice),
                  alone = solved(t, kind, n, 24, 0, &choice);
    int selected = 0, at = 0;
    double size = 1;

    fill(t, kind, n, a, n + 2);
    tt_expect_info(r.info, 0, "%s, n = %d", kinds[kind], n);
    assert_true(judge("in order", t, n, a, n + 2, r.wr, r.wi, r.s, n + 2, r.z, n + 1) < 3);
    assert_true(choice.calls >= n);
    assert_int_equal(r.sdim, alone.sdim);
    assert_memory_equal(r.wr, alone.wr, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        assert_int_equal(between(&choice, r.wr[i], r.wi[i]), i < r.sdim);
        selected += between(&choice, before.wr[i], before.wi[i]);
        size = fmax(size, hypot(before.wr[i], before.wi[i]));
    }
    assert_int_equal(r.sdim, selected);
    for (int i = 0; i < n; i++)
        if (between(&choice, before.wr[i], before.wi[i])) {
            assert_true(near(before.wr[i], before.wi[i], r.wr[at], r.wi[at], 3000 * n * tt_eps(t) * size));
            at++;
        }
    for (int i = 0; i < n; i++)
        if (!between(&choice, before.wr[i], before.wi[i])) {
            assert_true(near(before.wr[i], before.wi[i], r.wr[at], r.wi[at], 3000 * n * tt_eps(t) * size));
            at++;
        }
    give_back(&before), give_back(&r), give_back(&alone), free(a);
}
static void order(void **state)
{
    (void)state;
    TT_TYPES(t) {
        order_of(t, RANDOM, 50, -INFINITY, 0);
        order_of(t, RANDOM, 33, 0.5, 2);
        order_of(t, RANDOM, 20, 100, 200);
        order_of(t, RANDOM, 20, -100, 100);
        order_of(t, TRIANGULAR, 40, 0, INFINITY);
        order_of(t, TINY, 30, -INFINITY, 0);
        order_of(t, HUGE_, 30, 0, INFINITY);
        order_of(t, ISOLATED, 45, 0, INFINITY);
    }
}

/* With two workers two tasks have made Z's halves, before there is an order. */
static void large(void **state)
{
    enum { N = 560 };
    struct choice choice = {-INFINITY, 0, 0};
    (void)state;
    for (int which = 0; which < 3; which++) {
        const enum tw_type t = which < 2 ? TW_DOUBLE : TW_COMPLEX_FLOAT;
        void *a = tt_array(t, N + 2, N + 1);
        struct result r = solved(t, RANDOM, N, 128, 1, which ? &choice : NULL);

        fill(t, RANDOM, N, a, N + 2);
        tt_expect_info(r.info, 0, "n = %d", N);
        judge("large", t, N, a, N + 2, r.wr, r.wi, r.s, N + 2, r.z, N + 1);
        for (int i = 0; which && i < N; i++)
            assert_int_equal(r.wr[i] < 0, i < r.sdim);
        give_back(&r), free(a);
    }
}

/* In a sequence, on a matrix that a product before makes, and behind it products that give it back. */
static void async(void **state)
{
    enum { N = 70, NB = 32 };
    struct choice choice = {-INFINITY, 0, 0};
    double *a[5], wr[N], wi[N], rconde = -1, rcondv = -1;
    struct tt_place place[5];
    tw_matrix *A[5]; /* A, I, A I and T, Z, Z T */
    tw_sequence *seq;
    tw_int sdim = -1;
    (void)state;
    for (int k = 0; k < 5; k++) {
        a[k] = tt_array(TW_DOUBLE, N, N);
        fill(TW_DOUBLE, k == 0 ? RANDOM : k == 1 ? IDENTITY : ZERO, N, a[k], N);
        A[k] = tt_enter(&place[k], TT_CREATED, TW_DOUBLE, TW_GENERAL, N, N, a[k], N, NB);
    }
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_gemm_async(TW_NOTRANS, TW_NOTRANS, (tw_scalar){1, 0}, A[0], A[1], (tw_scalar){0, 0}, A[2], seq),
                     0);
    assert_int_equal(
        tw_geesx_async(TW_VECTORS, between, &choice, TW_SENSE_BOTH, A[2], &sdim, wr, wi, A[3], &rconde, &rcondv, seq),
        0);
    assert_int_equal(tw_gemm_async(TW_NOTRANS, TW_NOTRANS, (tw_scalar){1, 0}, A[3], A[2], (tw_scalar){0, 0}, A[4], seq),
                     0);
    assert_int_equal(tw_sequence_wait(seq), 0);
    tw_sequence_destroy(seq);
    for (int k = 0; k < 5; k++)
        tt_leave(&place[k]);
    judge("in a sequence", TW_DOUBLE, N, a[0], N, wr, wi, a[2], N, a[3], N);
    assert_true(sdim > 0 && rconde > 0 && rconde <= 1 && rcondv > 0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double az = 0;
            for (int k = 0; k < N; k++)
                az += a[0][i + k * N] * a[3][k + j * N];
            assert_true(fabs(az - a[4][i + j * N]) < 1e-11);
        }
    for (int k = 0; k < 5; k++)
        free(a[k]);
}

/* The checker sees what is wrong: an element of T above or below its diagonal, an eigenvalue, an element of Z, Z's
 * length. */
static void checker(void **state)
{
    enum { N = 40 };
    (void)state;
    TT_TYPES(t)
        for (int wrong = 0; wrong < 6; wrong++) {
            const double off = tt_eps(t) > 1e-10 ? 1e-2 : 1e-6;
            void *a = tt_array(t, N, N);
            const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, N, N, a, N};
            const struct check_matrix A = check_of_array(&array);
            struct result r = solved(t, RANDOM, N, N, 1, NULL);
            const int at = wrong == 1   ? 3 + 20 * (N + 2)
                           : wrong == 2 ? 30 + 4 * (N + 2)
                           : wrong == 4 ? 11 + 7 * (N + 1)
                                        : 0;
            double residual[2];

            fill(t, RANDOM, N, a, N);
            if (wrong == 1 || wrong == 2) tt_put(t, r.s, (size_t)at, tt_get(t, r.s, (size_t)at) + off * N);
            if (wrong == 3) r.wr[9] += off;
            if (wrong == 4) tt_put(t, r.z, (size_t)at, tt_get(t, r.z, (size_t)at) + off);
            for (int i = 0; wrong == 5 && i < (N + 1) * N; i++)
                tt_put(t, r.z, (size_t)i, tt_get(t, r.z, (size_t)i) * (1 + 10 * off));
            assert_int_equal(check_gees(&A, r.wr, r.wi, r.s, N + 2, r.z, N + 1, residual), 0);
            assert_int_equal(residual[0] < 30, wrong == 0 || wrong == 5);
            assert_int_equal(residual[1] < 30, wrong < 4);
            give_back(&r), free(a);
        }
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

/* What a call gives back beside its arrays. */
struct more {
    tw_int sdim;
    double rconde, rcondv;
};
/* way 0: LAPACK's name, 1: LAPACKE's, 2: with _work, 3: LAPACK's own with _work. sense 0: gees. Of complex types w has
 * all eigenvalues, of real ones wi the imaginary parts. */
static int solve(int way, enum tw_type t, int layout, char jobvs, char sort, char sense, int n, void *a, int lda,
                 void *w, void *wi, void *vs, int ldvs, void *work, int lwork, struct more *more)
{
    lapack_int sdim = -1, iwork[2000], bwork[200];
    double e[2] = {-1, -1}, rwork[200];
    int info;
#define COMMA        ,
#define REAL_ARGS(S) n, a, lda, S, w, wi, vs, ldvs
#define PAIR_ARGS(S) n, a, lda, S, w, vs, ldvs
#define CONDITIONS   , (void *)&e[0], (void *)&e[1]
#define WAYS(p, name, select, lead, args, conditions, space)                                                           \
    (way == 0   ? (int)tw_##p##name(jobvs, sort, select lead, args(&more->sdim) conditions)                            \
     : way == 1 ? (int)tw_LAPACKE_##p##name(layout, jobvs, sort, select lead, args(&sdim) conditions)                  \
     : way == 2 ? (int)tw_LAPACKE_##p##name##_work(layout, jobvs, sort, select lead, args(&sdim) conditions, work,     \
                                                   lwork space, bwork)                                                 \
                : (int)LAPACKE_##p##name##_work(layout, jobvs, sort, select lead, args(&sdim) conditions, work,        \
                                                lwork space, bwork))
#define REAL(p)                                                                                                        \
    (sense ? WAYS(p, geesx, left_##p, COMMA sense, REAL_ARGS, CONDITIONS, COMMA iwork COMMA 2000)                      \
           : WAYS(p, gees, left_##p, , REAL_ARGS, , ))
#define COMPLEX(p)                                                                                                     \
    (sense ? WAYS(p, geesx, left_##p, COMMA sense, PAIR_ARGS, CONDITIONS, COMMA(void *) rwork)                         \
           : WAYS(p, gees, left_##p, , PAIR_ARGS, , COMMA(void *) rwork))
    info = t == TW_FLOAT ? REAL(s) : t == TW_DOUBLE ? REAL(d) : t == TW_COMPLEX_FLOAT ? COMPLEX(c) : COMPLEX(z);
#undef REAL
#undef COMPLEX
    if (way > 0) more->sdim = sdim;
    for (int k = 0; k < 2; k++) {
        float single;
        memcpy(&single, &e[k], sizeof single);
        *(k ? &more->rcondv : &more->rconde) = is_single(t) ? (double)single : e[k];
    }
    return info;
}
static void values_of(enum tw_type t, int n, const void *w, const void *wi, double *to)
{
    for (int i = 0; i < n; i++) {
        const tt_z x = tt_get(t, w, (size_t)i);
        to[i] = creal(x), to[n + i] = tt_complex(t) ? cimag(x) : creal(tt_get(t, wi, (size_t)i));
    }
}

enum { SPACE = 5000 };
/* Both results are brought to columns, and compared with LAPACK's own sdim and condition numbers. */
static void door(enum tw_type t, int way, int layout, int n, char jobvs, char sort, char sense)
{
    enum { LD = 57 };
    void *a = tt_array(t, LD, LD), *f = tt_array(t, LD, LD), *z = tt_array(t, LD, LD), *w = tt_array(t, LD, 2),
         *wi = tt_array(t, LD, 2), *work = malloc(SPACE * tt_size(t)), *s = tt_array(t, n, n), *v = tt_array(t, n, n);
    double values[2 * LD];
    struct more got, want;

    fill(t, RANDOM, n, a, LD);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            tt_put(t, f, tt_layout_at(layout, i, j, LD), tt_get(t, a, (size_t)(i + j * LD)));
    tt_expect_info(solve(way, t, layout, jobvs, sort, sense, n, f, LD, w, wi, z, LD, work, SPACE, &got), 0,
                   "way %d, n = %d, %c", way, n, sense ? sense : '-');
    values_of(t, n, w, wi, values);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            tt_put(t, s, (size_t)(i + j * n), tt_get(t, f, tt_layout_at(layout, i, j, LD)));
            tt_put(t, v, (size_t)(i + j * n), jobvs == 'V' ? tt_get(t, z, tt_layout_at(layout, i, j, LD)) : i == j);
        }
    if (jobvs == 'V')
        judge("doors", t, n, a, LD, values, values + n, s, n, v, n);
    else
        assert_true(check_schur_form(t, n, s, n, values, values + n));
    for (int i = 0; i < n && sort == 'S'; i++)
        assert_int_equal(values[i] < 0, i < got.sdim);
    memcpy(f, a, LD * LD * tt_size(t));
    assert_int_equal(solve(3, t, LAPACK_COL_MAJOR, jobvs, sort, sense, n, f, LD, w, wi, z, LD, work, SPACE, &want), 0);
    assert_int_equal(got.sdim, want.sdim);
    if (sense == 'E' || sense == 'B') assert_true(fabs(got.rconde - want.rconde) < 10 * sqrt(tt_eps(t)) * want.rconde);
    if (sense == 'V' || sense == 'B') /* an estimate, which depends on the Schur form */
        assert_true(got.rcondv <= 5 * want.rcondv && want.rcondv <= 5 * got.rcondv);
    free(a), free(f), free(z), free(w), free(wi), free(work), free(s), free(v);
}

static void doors(void **state)
{
    (void)state;
    for (int small = 0; small < 2; small++) {
        if (!small) setenv("TILEWORK_CROSSOVER", "0", 1);
        TT_TYPES(t)
            for (int way = 0; way < 3; way++)
                for (int rows = 0; rows < (way ? 2 : 1); rows++) {
                    const int layout = rows ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR;
                    door(t, way, layout, 40, 'V', 'S', 0);
                    door(t, way, layout, 23, 'N', 'N', 0);
                    door(t, way, layout, 41, 'V', 'S', "BEVN"[way]);
                    door(t, way, layout, 24, 'N', 'S', 'B');
                }
        unsetenv("TILEWORK_CROSSOVER");
    }
}

/* The arguments that LAPACK refuses, by its numbers: ours (LAPACKE's are one more), and LAPACK's own. */
static void refusals(void **state)
{
    double a[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7}, w[8], wi[8], z[32], work[400], e, v;
    struct choice choice = {0, 1, 0};
    struct more more;
    tw_matrix *A, *V, *W, *F;
    tw_int sdim;
    (void)state;
    for (int type = 0; type < 2; type++)
        for (int expert = 0; expert < 2; expert++)
            for (int way = 0; way < 4; way++) {
                const enum tw_type t = type ? TW_COMPLEX_DOUBLE : TW_DOUBLE;
                const char none = expert ? 'N' : 0;
#define REFUSED(layout, jobvs, sort, sense, n, lda, ldvs, lwork)                                                       \
    solve(way, t, layout, jobvs, sort, sense, n, a, lda, w, wi, z, ldvs, work, lwork, &more)
#define COLUMNS LAPACK_COL_MAJOR
                assert_int_equal(REFUSED(COLUMNS, 'X', 'N', none, 4, 4, 4, 100), -1 - (way > 0));
                assert_int_equal(REFUSED(COLUMNS, 'V', 'X', none, 4, 4, 4, 100), -2 - (way > 0));
                if (expert) assert_int_equal(REFUSED(COLUMNS, 'V', 'S', 'X', 4, 4, 4, 100), -4 - (way > 0));
                if (expert) assert_int_equal(REFUSED(COLUMNS, 'V', 'N', 'E', 4, 4, 4, 100), -4 - (way > 0));
                assert_int_equal(REFUSED(COLUMNS, 'V', 'N', none, -1, 4, 4, 100), -4 - expert - (way > 0));
                assert_int_equal(REFUSED(COLUMNS, 'V', 'N', none, 4, 3, 4, 100), -6 - expert - (way > 0));
                assert_int_equal(REFUSED(COLUMNS, 'V', 'N', none, 4, 4, 3, 100), -11 - expert + type - (way > 0));
                assert_int_equal(REFUSED(COLUMNS, 'N', 'N', none, 4, 4, 0, 100), -11 - expert + type - (way > 0));
                assert_int_equal(REFUSED(COLUMNS, 'N', 'N', none, 0, 1, 1, 100), 0);
                assert_int_equal(more.sdim, 0);
                if (way > 1) {
                    assert_int_equal(REFUSED(COLUMNS, 'V', 'S', none, 4, 4, 4, type ? 7 : 11), -14 - 3 * expert + type);
                    assert_int_equal(REFUSED(COLUMNS, 'V', 'S', none, 4, 4, 4, -1), 0);
                    assert_true(work[0] >= (type ? 8 : 12));
                }
                if (way == 0) continue;
                assert_int_equal(REFUSED(7, 'V', 'N', none, 4, 4, 4, 100), -1);
                assert_int_equal(REFUSED(LAPACK_ROW_MAJOR, 'V', 'N', none, 4, 3, 4, 100), -7 - expert);
                assert_int_equal(REFUSED(LAPACK_ROW_MAJOR, 'V', 'N', none, 4, 4, 3, 100), -12 - expert + type);
                assert_int_equal(REFUSED(LAPACK_ROW_MAJOR, 'N', 'N', none, 4, 4, 1, 100), -12 - expert + type);
            }
    assert_int_equal(tw_dgees('V', 'S', NULL, 4, a, 4, &sdim, w, wi, z, 4), -3);
    assert_int_equal(tw_dgees('V', 'N', NULL, 4, NULL, 4, &sdim, w, wi, z, 4), -5);
    assert_int_equal(tw_dgees('V', 'N', NULL, 4, a, 4, NULL, w, wi, z, 4), -7);
    assert_int_equal(tw_dgees('V', 'N', NULL, 4, a, 4, &sdim, NULL, wi, z, 4), -8);
    assert_int_equal(tw_dgees('V', 'N', NULL, 4, a, 4, &sdim, w, NULL, z, 4), -9);
    assert_int_equal(tw_dgees('V', 'N', NULL, 4, a, 4, &sdim, w, wi, NULL, 4), -10);
    assert_int_equal(tw_dgeesx('V', 'S', left_d, 'E', 4, a, 4, &sdim, w, wi, z, 4, NULL, &v), -13);
    assert_int_equal(tw_dgeesx('V', 'S', left_d, 'B', 4, a, 4, &sdim, w, wi, z, 4, &e, NULL), -14);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&V, TW_DOUBLE, TW_GENERAL, 4, 4, 3, NULL), 0);
    assert_int_equal(tw_matrix_create(&W, TW_DOUBLE, TW_GENERAL, 4, 5, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_gees((enum tw_jobz)'x', NULL, NULL, A, &sdim, w, wi, V), -1);
    assert_int_equal(tw_gees(TW_VECTORS, NULL, NULL, W, &sdim, w, wi, V), -4);
    assert_int_equal(tw_gees(TW_VECTORS, NULL, NULL, A, NULL, w, wi, V), -5);
    assert_int_equal(tw_gees(TW_VECTORS, NULL, NULL, A, &sdim, NULL, wi, V), -6);
    assert_int_equal(tw_gees(TW_VECTORS, NULL, NULL, A, &sdim, w, w, V), -7);
    assert_int_equal(tw_gees(TW_VECTORS, NULL, NULL, A, &sdim, w, NULL, V), -7);
    assert_int_equal(tw_gees(TW_VECTORS, NULL, NULL, A, &sdim, w, wi, NULL), -8);
    assert_int_equal(tw_gees(TW_NOVECTORS, NULL, NULL, A, &sdim, w, wi, V), -8);
    assert_int_equal(tw_gees(TW_VECTORS, NULL, NULL, A, &sdim, w, wi, A), -8);
    assert_int_equal(tw_gees(TW_VECTORS, NULL, NULL, A, &sdim, w, wi, F), -8);
    assert_int_equal(tw_gees_async(TW_VECTORS, NULL, NULL, A, &sdim, w, wi, V, NULL), -9);
    assert_int_equal(tw_geesx(TW_VECTORS, NULL, NULL, TW_SENSE_BOTH, A, &sdim, w, wi, V, &e, &v), -4);
    assert_int_equal(tw_geesx(TW_VECTORS, between, &choice, (enum tw_sense)'x', A, &sdim, w, wi, V, &e, &v), -4);
    assert_int_equal(tw_geesx(TW_VECTORS, between, &choice, TW_SENSE_BOTH, W, &sdim, w, wi, V, &e, &v), -5);
    assert_int_equal(tw_geesx(TW_VECTORS, between, &choice, TW_SENSE_VALUES, A, &sdim, w, wi, V, NULL, &v), -10);
    assert_int_equal(tw_geesx(TW_VECTORS, between, &choice, TW_SENSE_VECTORS, A, &sdim, w, wi, V, &e, NULL), -11);
    assert_int_equal(tw_geesx_async(TW_VECTORS, between, &choice, TW_SENSE_NONE, A, &sdim, w, wi, V, NULL, NULL, NULL),
                     -12);
    assert_int_equal(choice.calls, 0);
    tw_matrix_destroy(A), tw_matrix_destroy(V), tw_matrix_destroy(W), tw_matrix_destroy(F);
}

/* NaN and infinity: LAPACKE's functions say which argument, all others that nothing converged; the matrix stays. */
static void not_finite(void **state)
{
    enum { N = 60 };
    (void)state;
    for (int small = 0; small < 2; small++) {
        if (!small) setenv("TILEWORK_CROSSOVER", "0", 1);
        TT_TYPES(t)
            for (int bad = 0; bad < 2; bad++) {
                void *a = tt_array(t, N, N), *v = tt_array(t, N, N), *w = tt_array(t, N, 2), *wi = tt_array(t, N, 2),
                     *work = malloc(SPACE * tt_size(t)), *before;
                double values[2 * N];
                struct more more;

                for (int way = 0; way < 3; way++) {
                    const char sense = way == 2 ? 'N' : 0;
                    fill(t, RANDOM, N, a, N);
                    tt_put(t, a, 5 + 11 * N, bad ? INFINITY : NAN);
                    before = tt_copy(t, N, N, a);
                    tt_expect_info(
                        solve(way, t, LAPACK_COL_MAJOR, 'V', 'S', sense, N, a, N, w, wi, v, N, work, SPACE, &more),
                        way == 1 && !bad ? -6 : N, "way %d", way);
                    assert_memory_equal(a, before, N * N * tt_size(t));
                    free(before);
                    if (way == 1 && !bad) continue;
                    assert_int_equal(more.sdim, 0);
                    values_of(t, N, w, wi, values);
                    for (int i = 0; i < 2 * N; i++)
                        assert_true(isnan(values[i]));
                }
                free(a), free(v), free(w), free(wi), free(work);
            }
        unsetenv("TILEWORK_CROSSOVER");
    }
}

/* Where there is no memory for T and Z, nothing is begun: the matrix stays. */
static void memory(void **state)
{
    enum { N = 200 };
    tw_int sdim = -7, ilo, ihi;
    double *a = tt_array(TW_DOUBLE, N, N), *z = tt_array(TW_DOUBLE, N, N), *kept, wr[N], wi[N], scale[N], abnrm;
    struct tt_place pa, pz;
    tw_matrix *A, *Z;
    tw_machine machine;
    (void)state;
    fill(TW_DOUBLE, RANDOM, N, a, N);
    kept = tt_copy(TW_DOUBLE, N, N, a);
    A = tt_enter(&pa, TT_CREATED, TW_DOUBLE, TW_GENERAL, N, N, a, N, 64);
    Z = tt_enter(&pz, TT_CREATED, TW_DOUBLE, TW_GENERAL, N, N, z, N, 64);
    assert_int_equal(tw_machine_info(&machine), 0);
    setenv("TILEWORK_HOST_MEMORY", "1M", 1);
    if (machine.cuda_workers == 0) { /* temporaries may live on GPUs alone */
        assert_int_equal(tw_gees(TW_VECTORS, NULL, NULL, A, &sdim, wr, wi, Z), TW_E_MEMORY);
        assert_int_equal(tw_geevx(TW_BALANCE_BOTH, TW_NOVECTORS, TW_VECTORS, TW_SENSE_NONE, A, wr, wi, NULL, Z, &ilo,
                                  &ihi, scale, &abnrm, NULL, NULL),
                         TW_E_MEMORY);
        assert_non_null(strstr(tw_last_message(), "bytes"));
        assert_int_equal(sdim, -7);
    }
    unsetenv("TILEWORK_HOST_MEMORY");
    tt_leave(&pa), tt_leave(&pz);
    assert_memory_equal(a, kept, N * N * sizeof *a);
    free(a), free(z), free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tt_test_of_bits(sizes),       tt_test_of_bits(kinds_of), tt_test_of_bits(order),  cmocka_unit_test(large),
        cmocka_unit_test(async),      cmocka_unit_test(checker), cmocka_unit_test(doors), cmocka_unit_test(refusals),
        cmocka_unit_test(not_finite), cmocka_unit_test(memory)};
    return tt_run(tests);
}
