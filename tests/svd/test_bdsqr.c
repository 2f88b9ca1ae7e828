/* bdsqr: B = Q S P^T of bidiagonal matrices through all doors, judged by what it does to matrices: U S Vt against Y B
 * X, and lengths. Values beside bdsdc's own; bad input. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "../eigen/tridiagonal.h"
#include "bidiagonal.h"
#include "tt.h"

#define COUNT(list) (sizeof list / sizeof *list)
enum { MOST = 200 };

/* ---- checks, in plain loops -------------------------------------------------------------------------------------- */

struct dense {
    int m, n;
    tt_z *a;
};
static struct dense make(int m, int n)
{
    return (struct dense){m, n, calloc((size_t)(m * n + 1), sizeof(tt_z))};
}
static struct dense read(enum tw_type t, int layout, int m, int n, const void *a, int ld)
{
    struct dense x = make(m, n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            x.a[i + j * m] = tt_get(t, a, tt_layout_at(layout, i, j, ld));
    return x;
}
/* op(A) B, op the adjoint or nothing */
static struct dense product(int adjoint, struct dense a, struct dense b)
{
    struct dense c = make(adjoint ? a.n : a.m, b.n);
    for (int j = 0; j < c.n; j++)
        for (int k = 0; k < b.m; k++)
            for (int i = 0; i < c.m; i++)
                c.a[i + j * c.m] += (adjoint ? conj(a.a[k + i * a.m]) : a.a[i + k * a.m]) * b.a[k + j * b.m];
    return c;
}
static double norm(struct dense x)
{
    double sum = 0;
    for (int i = 0; i < x.m * x.n; i++)
        sum += creal(x.a[i] * conj(x.a[i]));
    return sqrt(sum);
}
/* |x - y| / (n eps scale); both are given back. */
static void compare(const char *name, enum tw_type t, int n, struct dense x, struct dense y, double scale,
                    const char *what)
{
    assert_true(x.m == y.m && x.n == y.n);
    for (int i = 0; i < x.m * x.n; i++)
        x.a[i] -= y.a[i];
    tt_expect(name, t, scale > 0 ? norm(x) / (n * tt_eps(t) * scale) : norm(x), 0, "%s, n = %d, %d x %d", what, n, x.m,
              x.n);
    free(x.a), free(y.a);
}

/* Three matrices before (X: n x ncvt, Y: nru x n, W: n x ncc), and what became of them. */
struct three {
    struct dense x, y, w;
};
static void let_go(struct three *m)
{
    free(m->x.a), free(m->y.a), free(m->w.a);
}

static void judge(const char *what, enum tw_type t, int lower, int n, const double *d, const double *e, const double *s,
                  const struct three *before, const struct three *after)
{
    struct dense b = make(n, n), bx, svt = make(n, after->x.n);

    for (int i = 0; i < n; i++) {
        b.a[i + i * n] = d[i];
        if (i + 1 < n) b.a[lower ? i + 1 + i * n : i + (i + 1) * n] = e[i];
        assert_true(s[i] >= 0 && (i == 0 || s[i - 1] >= s[i]));
        for (int j = 0; j < svt.n; j++)
            svt.a[i + j * n] = s[i] * after->x.a[i + j * n];
    }
    bx = product(0, b, before->x);
    compare("|Y B X - U S Vt|", t, n, product(0, before->y, bx), product(0, after->y, svt),
            norm(before->y) * norm(b) * norm(before->x), what);
    compare("|X^H X - V V^H|", t, n, product(1, before->x, before->x), product(1, after->x, after->x),
            norm(before->x) * norm(before->x), what);
    compare("|Y W - U C|", t, n, product(0, before->y, before->w), product(0, after->y, after->w),
            norm(before->y) * norm(before->w), what);
    compare("|W^H W - C^H C|", t, n, product(1, before->w, before->w), product(1, after->w, after->w),
            norm(before->w) * norm(before->w), what);
    free(b.a), free(bx.a), free(svt.a);
}

/* ---- the matrix door --------------------------------------------------------------------------------------------- */

static tw_matrix *entered(struct tt_place *p, enum tt_storage storage, enum tw_type t, int m, int n, void *a, int ld,
                          int nb)
{
    return m > 0 && n > 0 ? tt_enter(p, storage, t, TW_GENERAL, m, n, a, ld, nb) : NULL;
}
static void *random_array(enum tw_type t, int m, int n, int ld, uint64_t seed)
{
    void *a = tt_array(t, ld, n + 1);
    tt_random(t, 'G', m, n, a, ld, seed);
    return a;
}

static void matrix_door(enum tt_storage storage, enum tw_type t, enum tt_tridiagonal kind, int lower, int n, int ncvt,
                        int nru, int ncc, int nb)
{
    const char *what = tt_tridiagonals[kind];
    const int ld = n + 2, ldu = nru + 1, layout = LAPACK_COL_MAJOR;
    void *vt = random_array(t, n, ncvt, ld, 1), *u = random_array(t, nru, n, ldu, 2),
         *c = random_array(t, n, ncc, ld, 3);
    struct three before = {read(t, layout, n, ncvt, vt, ld), read(t, layout, nru, n, u, ldu),
                           read(t, layout, n, ncc, c, ld)},
                 after;
    double d[MOST], e[MOST], s[MOST], alone[MOST];
    struct tt_place pv, pu, pc;
    tw_matrix *Vt = entered(&pv, storage, t, n, ncvt, vt, ld, nb),
              *U = entered(&pu, storage, t, nru, n, u, ldu, nb + 8), *C = entered(&pc, storage, t, n, ncc, c, ld, nb);

    tt_tridiagonal(t, kind, n, d, e);
    tt_expect_info(tw_bdsqr(lower ? TW_LOWER : TW_UPPER, n, d, e, s, Vt, U, C), 0, "%s", what);
    if (Vt) tt_leave(&pv);
    if (U) tt_leave(&pu);
    if (C) tt_leave(&pc);
    after = (struct three){read(t, layout, n, ncvt, vt, ld), read(t, layout, nru, n, u, ldu),
                           read(t, layout, n, ncc, c, ld)};
    judge(what, t, lower, n, d, e, s, &before, &after);
    if (tt_eps(t) < 1e-10) { /* each value as exact as without vectors: it is the same one */
        tt_expect_info(tw_bdsdc(lower ? TW_LOWER : TW_UPPER, n, d, e, alone, NULL, NULL), 0, "%s", what);
        assert_memory_equal(s, alone, (size_t)n * sizeof *s);
    }
    let_go(&before), let_go(&after);
    free(vt), free(u), free(c);
}

static void sizes(void **state)
{
    static const int ns[] = {0, 1, 2, 3, 4, 25, 26, 33, 97}, columns[] = {0, 1, 20, 33, 110};
    int k = 0;

    (void)state;
    for (int leaf = 1; leaf < 12; leaf += 5) {
        char text[8];
        snprintf(text, sizeof text, "%d", leaf);
        setenv("TILEWORK_LEAF", text, 1);
        TT_TYPES(t)
            for (size_t i = 0; i < COUNT(ns); i++, k++)
                matrix_door(k % 3 == 2 ? TT_WRAPPED
                            : k % 3    ? TT_FROM_LAPACK
                                       : TT_CREATED,
                            t, TT_T_RANDOM, k % 2, ns[i], columns[(k + 1) % 5], columns[k / 2 % 5], columns[k / 3 % 5],
                            k % 2 ? 16 : 40);
    }
    unsetenv("TILEWORK_LEAF");
}

static void kinds(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (enum tt_tridiagonal kind = TT_T_RANDOM; kind < TT_T_HUGE; kind++) { /* products of others overflow here */
            setenv("TILEWORK_LEAF", kind % 3 == 0 ? "1" : kind % 3 == 1 ? "7" : "24", 1);
            matrix_door(TT_CREATED, t, kind, (int)kind % 2, 63 + 7 * (int)kind % 40, 30, 70, 5, 32);
        }
    unsetenv("TILEWORK_LEAF");
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

/* who 0: LAPACK's name, 1 LAPACKE's, 2 with _work. */
static tw_int call(int who, enum tw_type t, int layout, char uplo, int n, int ncvt, int nru, int ncc, void *d, void *e,
                   void *vt, int ldvt, void *u, int ldu, void *c, int ldc)
{
    static double work[4 * MOST];
#define ONE(p)                                                                                                         \
    (who == 0 ? tw_##p##bdsqr(uplo, n, ncvt, nru, ncc, d, e, vt, ldvt, u, ldu, c, ldc)                                 \
     : who == 1                                                                                                        \
         ? tw_LAPACKE_##p##bdsqr(layout, uplo, n, ncvt, nru, ncc, d, e, vt, ldvt, u, ldu, c, ldc)                      \
         : tw_LAPACKE_##p##bdsqr_work(layout, uplo, n, ncvt, nru, ncc, d, e, vt, ldvt, u, ldu, c, ldc, (void *)work))
    return t == TW_FLOAT ? ONE(s) : t == TW_DOUBLE ? ONE(d) : t == TW_COMPLEX_FLOAT ? ONE(c) : ONE(z);
#undef ONE
}

static void one_door(enum tw_type t, int who, int layout, char uplo, int n, int ncvt, int nru, int ncc)
{
    const int lower = uplo == 'L', row = layout == LAPACK_ROW_MAJOR;
    const int ldvt = (row ? ncvt : n) + 3, ldu = (row ? n : nru) + 1, ldc = (row ? ncc : n) + 2;
    const enum tw_type real = tt_eps(t) > 1e-10 ? TW_FLOAT : TW_DOUBLE;
    void *vt = tt_layout_random(t, layout, n, ncvt, ldvt, 4), *u = tt_layout_random(t, layout, nru, n, ldu, 5),
         *c = tt_layout_random(t, layout, n, ncc, ldc, 6), *rd = tt_array(real, n, 1), *re = tt_array(real, n, 1);
    struct three before = {read(t, layout, n, ncvt, vt, ldvt), read(t, layout, nru, n, u, ldu),
                           read(t, layout, n, ncc, c, ldc)},
                 after;
    double d[MOST], e[MOST], s[MOST];

    tt_tridiagonal(t, TT_T_RANDOM, n, d, e);
    for (int i = 0; i < n; i++) {
        tt_put(real, rd, (size_t)i, d[i]);
        if (i + 1 < n) tt_put(real, re, (size_t)i, e[i]);
    }
    tt_expect_info(call(who, t, layout, uplo, n, ncvt, nru, ncc, rd, re, vt, ldvt, u, ldu, c, ldc), 0,
                   "bdsqr %c, door %d", uplo, who);
    for (int i = 0; i < n; i++)
        s[i] = creal(tt_get(real, rd, (size_t)i));
    after = (struct three){read(t, layout, n, ncvt, vt, ldvt), read(t, layout, nru, n, u, ldu),
                           read(t, layout, n, ncc, c, ldc)};
    judge("LAPACK's names", t, lower, n, d, e, s, &before, &after);
    let_go(&before), let_go(&after);
    free(vt), free(u), free(c), free(rd), free(re);
}

static void doors(void **state)
{
    (void)state;
    setenv("TILEWORK_LEAF", "11", 1);
    for (int straight = 0; straight < 2; straight++) { /* LAPACK itself, and tiles */
        setenv("TILEWORK_CROSSOVER", straight ? "512" : "0", 1);
        TT_TYPES(t)
            for (int way = 0; way < 10; way++)
                one_door(t,
                         way / 2 % 5 == 0  ? 0
                         : way / 2 % 5 < 3 ? 1
                                           : 2,
                         way / 2 % 5 % 2 ? LAPACK_COL_MAJOR
                         : way / 2       ? LAPACK_ROW_MAJOR
                                         : LAPACK_COL_MAJOR,
                         way % 2 ? 'L' : 'U', 70, way == 3 ? 0 : 40, way == 4 ? 0 : 75, way == 5 ? 0 : 3);
    }
    setenv("TILEWORK_CROSSOVER", "0", 1);
    one_door(TW_DOUBLE, 0, LAPACK_COL_MAJOR, 'U', 190, 1, 2, 1); /* few columns: LAPACK's rotations */
    unsetenv("TILEWORK_CROSSOVER"), unsetenv("TILEWORK_LEAF");
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

/* 28 decades in single precision, whose squares it does not have: each value to some n eps of its own size, but
 * those that are below its range beside the largest. */
static void graded_in_single(void **state)
{
    enum { N = 30 };
    double d[N], e[N], s[N], worst = 0;
    float v[N];
    tw_matrix *Vt;

    (void)state;
    if (!TT_HAS(TW_FLOAT)) return;
    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < N; i++) {
            d[i] = (float)pow(10, 14 * tt_uniform(43, i, kind)), e[i] = (float)pow(10, 14 * tt_uniform(44, i, kind));
            v[i] = 1;
        }
        assert_int_equal(tw_matrix_wrap(&Vt, TW_FLOAT, TW_GENERAL, N, 1, v, N, 8), 0);
        tt_expect_info(tw_bdsqr(TW_UPPER, N, d, e, s, Vt, NULL, NULL), 0, "kind %d", kind);
        assert_int_equal(tw_matrix_destroy(Vt), 0);
        for (int i = 0; i < N; i++) {
            const double exact = (double)tt_exact_value(N, d, e, i, s[N - 1 - i]);
            worst = fmax(worst, exact < 1e-35 * s[0] ? 0 : fabs(s[N - 1 - i] - exact) / exact);
        }
    }
    if (!(worst <= 30 * N * tt_eps(TW_FLOAT))) fail_msg("a value is off by %g of itself", worst);
}

static void bad_input(void **state)
{
    enum { N = 40 };
    double d[N], e[N], s[N], a[N * N], before[N * N];
    tw_matrix *A, *B, *C, *W, *F;
    struct tt_place place;

    (void)state;
    tt_random(TW_DOUBLE, 'G', N, N, a, N, 7);
    memcpy(before, a, sizeof a);
    A = tt_enter(&place, TT_CREATED, TW_DOUBLE, TW_GENERAL, N, N, a, N, 16);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, N, 3, 16, 0), 0);
    assert_int_equal(tw_matrix_create(&C, TW_DOUBLE, TW_GENERAL, N, N, 16, 0), 0);
    assert_int_equal(tw_matrix_create(&W, TW_DOUBLE, TW_GENERAL, N + 1, N + 1, 16, 0), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, N, N, 16, 0), 0);
    tt_tridiagonal(TW_DOUBLE, TT_T_RANDOM, N, d, e);
    assert_int_equal(tw_bdsqr((enum tw_uplo)0, N, d, e, s, NULL, NULL, NULL), -1);
    assert_int_equal(tw_bdsqr(TW_UPPER, -1, d, e, s, NULL, NULL, NULL), -2);
    assert_int_equal(tw_bdsqr(TW_UPPER, N, NULL, e, s, NULL, NULL, NULL), -3);
    assert_int_equal(tw_bdsqr(TW_UPPER, N, d, NULL, s, NULL, NULL, NULL), -4);
    assert_int_equal(tw_bdsqr(TW_UPPER, N, d, e, NULL, NULL, NULL, NULL), -5);
    assert_int_equal(tw_bdsqr(TW_UPPER, N, d, e, s, W, NULL, NULL), -6);
    assert_int_equal(tw_bdsqr(TW_UPPER, N, d, e, s, A, B, NULL), -7);
    assert_int_equal(tw_bdsqr(TW_UPPER, N, d, e, s, A, A, NULL), -7);
    assert_int_equal(tw_bdsqr(TW_UPPER, N, d, e, s, A, F, NULL), -7);
    assert_int_equal(tw_bdsqr(TW_UPPER, N, d, e, s, NULL, NULL, W), -8);
    assert_int_equal(tw_bdsqr(TW_UPPER, N, d, e, s, A, C, A), -8);
    assert_int_equal(tw_dbdsqr('X', N, 0, 0, 0, d, e, a, N, a, N, a, N), -1);
    assert_int_equal(tw_dbdsqr('U', -1, 0, 0, 0, d, e, a, N, a, N, a, N), -2);
    assert_int_equal(tw_dbdsqr('U', N, -1, 0, 0, d, e, a, N, a, N, a, N), -3);
    assert_int_equal(tw_dbdsqr('U', N, 0, -1, 0, d, e, a, N, a, N, a, N), -4);
    assert_int_equal(tw_dbdsqr('U', N, 0, 0, -1, d, e, a, N, a, N, a, N), -5);
    assert_int_equal(tw_dbdsqr('U', N, 1, 0, 0, d, e, a, N - 1, a, N, a, N), -9);
    assert_int_equal(tw_dbdsqr('U', N, 0, N, 0, d, e, a, N, a, N - 1, a, N), -11);
    assert_int_equal(tw_dbdsqr('U', N, 0, 0, 1, d, e, a, N, a, N, a, N - 1), -13);
    assert_int_equal(tw_dbdsqr('U', 0, 0, 0, 0, NULL, NULL, NULL, 1, NULL, 1, NULL, 1), 0);
    assert_int_equal(tw_LAPACKE_dbdsqr(LAPACK_ROW_MAJOR, 'U', N, 5, 0, 0, d, e, a, 4, a, N, a, N), -10);
    assert_int_equal(tw_LAPACKE_dbdsqr(0, 'U', N, 5, 0, 0, d, e, a, 5, a, N, a, N), -1);
    for (int vectors = 0; vectors < 2; vectors++)
        for (int where = 0; where < 2; where++) {
            double *const at = where ? e + N / 2 : d + N / 3, old = *at;
            *at = where ? INFINITY : NAN;
            tt_expect_info(tw_bdsqr(TW_UPPER, N, d, e, s, vectors ? A : NULL, NULL, NULL), N, "not finite");
            assert_true(isnan(s[0]) && isnan(s[N - 1]));
            *at = old;
        }
    tt_leave(&place);
    assert_memory_equal(a, before, sizeof a); /* the matrices are as they were */
    d[N / 2] = 1e300;
    tt_expect_info(tw_bdsqr(TW_UPPER, N, d, e, s, F, NULL, NULL), N, "not a float");
    assert_int_equal(tw_matrix_destroy(B), 0);
    assert_int_equal(tw_matrix_destroy(C), 0);
    assert_int_equal(tw_matrix_destroy(W), 0);
    assert_int_equal(tw_matrix_destroy(F), 0);
}

/* A NaN in what is multiplied by the vectors stays there: the values are found, as by LAPACK's own. */
static void not_finite_in_vectors(void **state)
{
    enum { N = 40 };
    (void)state;
    for (int tiles = 0; tiles < 2; tiles++) {
        double d[N], e[N], u[N * N];

        setenv("TILEWORK_CROSSOVER", tiles ? "0" : "1000", 1);
        tt_tridiagonal(TW_DOUBLE, TT_T_RANDOM, N, d, e);
        for (int i = 0; i < N * N; i++)
            u[i] = i % (N + 1) == 0;
        u[5] = NAN;
        tt_expect_info(tw_dbdsqr('U', N, 0, N, 0, d, e, NULL, 1, u, N, NULL, 1), 0, "NaN in u");
        for (int i = 0; i < N; i++)
            assert_true(isfinite(d[i]) && isfinite(u[i * N + 6]));
        unsetenv("TILEWORK_CROSSOVER");
    }
}

/* In a sequence, over d: twice, the second time with what the first one left. */
static void queued(void **state)
{
    enum { N = 120, K = 50 };
    void *vt = random_array(TW_DOUBLE, N, K, N, 8), *none = random_array(TW_DOUBLE, 0, N, 1, 9);
    const int layout = LAPACK_COL_MAJOR;
    struct three before = {read(TW_DOUBLE, layout, N, K, vt, N), make(0, N), make(N, 0)}, after;
    double d[N], e[N], s[N];
    struct tt_place place;
    tw_sequence *seq;
    tw_matrix *Vt;

    (void)state;
    setenv("TILEWORK_LEAF", "9", 1);
    tt_tridiagonal(TW_DOUBLE, TT_T_RANDOM, N, d, e);
    Vt = tt_enter(&place, TT_CREATED, TW_DOUBLE, TW_GENERAL, N, K, vt, N, 48);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_bdsqr_async(TW_UPPER, N, d, e, s, Vt, NULL, NULL, seq), 0);
    assert_int_equal(tw_bdsqr_async(TW_LOWER, N, d, e, s, Vt, NULL, NULL, seq), 0);
    assert_int_equal(tw_sequence_wait(seq), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    tt_leave(&place);
    after = (struct three){read(TW_DOUBLE, layout, N, K, vt, N), make(0, N), make(N, 0)};
    judge("queued", TW_DOUBLE, 0, N, d, e, s, &before, &after); /* lengths, after both */
    let_go(&before), let_go(&after);
    free(vt), free(none);
    unsetenv("TILEWORK_LEAF");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tt_test_of_bits(sizes),  tt_test_of_bits(kinds),      cmocka_unit_test(graded_in_single),
        cmocka_unit_test(doors), cmocka_unit_test(bad_input), cmocka_unit_test(not_finite_in_vectors),
        cmocka_unit_test(queued)};
    return tt_run(tests);
}
