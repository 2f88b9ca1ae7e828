/* gesvdx: some singular values and vectors by number and by interval, for every pair of jobs, through all doors: |A V -
 * U S|, |A^H U - V S|, orthogonality, values beside LAPACK's; the same values and vectors whatever the jobs; what is
 * left alone; bad input. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "tt.h"

#define COUNT(list) ((int)(sizeof list / sizeof *list))
enum { MOST = 130 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

struct range {
    char letter;
    double vl, vu;
    int il, iu;
};
struct problem {
    enum tw_type t;
    int m, n, k;
    void *a; /* m x n, without gaps */
    double all[MOST];
};
static struct problem begin(enum tw_type t, int m, int n, double scale)
{
    struct problem p = {.t = t, .m = m, .n = n, .k = smaller(m, n), .a = tt_array(t, m, n)};
    struct tt_place place;
    void *copy;

    tt_random(t, 'G', m, n, p.a, m, 7);
    for (int i = 0; i < m * n; i++)
        tt_put(t, p.a, (size_t)i, scale * tt_get(t, p.a, (size_t)i));
    copy = tt_copy(t, m, n, p.a);
    tt_expect_info(
        tw_gesdd(TW_SVD_NONE, tt_enter(&place, TT_CREATED, t, TW_GENERAL, m, n, copy, m, 24), p.all, NULL, NULL), 0,
        "gesdd");
    tt_leave(&place);
    free(copy);
    return p;
}

static void judge(const char *what, const struct problem *p, const struct range *r, int ns, const double *s,
                  const void *u, int ldu, const void *vt, int ldvt)
{
    const struct check_array array = {CHECK_GENERAL, p->t, TW_GENERAL, TW_NONUNIT, p->m, p->n, p->a, p->m};
    const struct check_matrix A = check_of_array(&array);
    double residual[4], error;

    assert_int_equal(check_gesvdx(&A, ns, s, u, ldu, vt, ldvt, residual), 0);
    tt_expect("|A V - U S|", p->t, residual[0], 0, "%s, %c, %d x %d", what, r->letter, p->m, p->n);
    tt_expect("|A^H U - V S|", p->t, residual[1], 0, "%s, %c, %d x %d", what, r->letter, p->m, p->n);
    tt_expect("|U^H U - I|", p->t, residual[2], 0, "%s, %c, %d x %d", what, r->letter, p->m, p->n);
    tt_expect("|V^H V - I|", p->t, residual[3], 0, "%s, %c, %d x %d", what, r->letter, p->m, p->n);
    if (r->letter == 'V')
        assert_int_equal(check_singular_interval(&A, r->vl, r->vu, ns, s, &error), 0);
    else
        assert_int_equal(check_some_singular_values(&A, r->letter == 'I' ? r->il - 1 : 0, ns, s, &error), 0);
    tt_expect("|s - LAPACK's|", p->t, error, 0, "%s, %c, %d x %d", what, r->letter, p->m, p->n);
    if (r->letter != 'V') assert_int_equal(ns, r->letter == 'I' ? r->iu - r->il + 1 : p->k);
}

/* ---- the matrix door --------------------------------------------------------------------------------------------- */

/* Bytes of the first ns vectors; the others are still those of fresh memory. */
static void same_columns(const struct problem *p, int rows, int columns, const void *x, const void *y, int ld)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            assert_true(tt_get(p->t, x, (size_t)(i + j * ld)) == tt_get(p->t, y, (size_t)(i + j * ld)));
}

static void matrix_door(const struct problem *p, const struct range *r, int nb)
{
    const int m = p->m, n = p->n, room = r->letter == 'I' ? r->iu - r->il + 2 : p->k; /* one more than needed */
    void *u[4], *vt[4];
    double s[4][MOST];
    tw_int ns[4];

    for (int job = 0; job < 4; job++) {
        const int left = job % 2 == 0, right = job / 2 == 0; /* both first */
        struct tt_place pa, pu, pv;
        tw_matrix *A = tt_enter(&pa, job == 1 ? TT_WRAPPED : TT_CREATED, p->t, TW_GENERAL, m, n, p->a, m, nb),
                  *U = NULL, *Vt = NULL;

        u[job] = tt_array(p->t, m, room), vt[job] = tt_array(p->t, room, n);
        if (left) U = tt_enter(&pu, TT_FROM_LAPACK, p->t, TW_GENERAL, m, room, u[job], m, nb + 5);
        if (right) Vt = tt_enter(&pv, TT_FROM_LAPACK, p->t, TW_GENERAL, room, n, vt[job], room, nb);
        tt_expect_info(tw_gesvdx(left ? TW_VECTORS : TW_NOVECTORS, right ? TW_VECTORS : TW_NOVECTORS,
                                 (enum tw_which)r->letter, A, r->vl, r->vu, r->il, r->iu, &ns[job], s[job], U, Vt),
                       0, "%c, %d x %d", r->letter, m, n);
        tt_leave(&pa);
        if (left) tt_leave(&pu);
        if (right) tt_leave(&pv);
        judge("matrix door", p, r, (int)ns[job], s[job], left ? u[job] : NULL, m, right ? vt[job] : NULL, room);
        assert_int_equal(ns[job], ns[0]);
        if (!getenv("TILEWORK_ROUTE"))
            assert_memory_equal(s[job], s[0], (size_t)ns[0] * sizeof(double)); /* LAPACK's with vectors are others */
        if (left) same_columns(p, m, (int)ns[0], u[job], u[0], m);
        if (right) same_columns(p, (int)ns[0], n, vt[job], vt[0], room);
        for (int j = (int)ns[job]; left && j < room; j++) /* NaN as before */
            assert_true(isnan(creal(tt_get(p->t, u[job], (size_t)(j * m)))));
        for (int j = (int)ns[job]; right && j < room; j++)
            assert_true(isnan(creal(tt_get(p->t, vt[job], (size_t)j))));
    }
    for (int job = 0; job < 4; job++)
        free(u[job]), free(vt[job]);
}

/* All, the first, some in the middle, the last; intervals with many, one, none, all. */
static void ranges(const struct problem *p, int nb)
{
    const int k = p->k, third = k / 3 + 1;
    const double *s = p->all, large = 2 * s[0];
    const struct range list[] = {
        {'A', 0, 0, 0, 0},
        {'I', 0, 0, 1, 1},
        {'I', 0, 0, third, smaller(k, third + 6)},
        {'I', 0, 0, k, k},
        {'I', 0, 0, 1, k},
        {'V', k > 1 ? (s[k - 1] + s[k - 2]) / 2 : s[0] / 2, large, 0, 0},
        {'V', k > 2 ? (s[1] + s[2]) / 2 : 0, k > 2 ? (s[0] + s[1]) / 2 : large, 0, 0},
        {'V', large, 2 * large, 0, 0},
        {'V', 0, large, 0, 0},
    };
    for (int i = 0; i < COUNT(list); i++)
        if (p->t == TW_DOUBLE ? i % 2 == k % 2 || k > 60 : i % 4 == (k + (int)p->t) % 4) matrix_door(p, &list[i], nb);
}

static void shapes(void **state)
{
    static const int sizes[][2] = {{1, 1}, {1, 5}, {2, 3}, {65, 64}, {75, 90}, {120, 33}, {33, 120}, {520, 33}};

    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t)
        for (int i = 0; i < COUNT(sizes); i++) {
            struct problem p = begin(t, sizes[i][0], sizes[i][1], 1);
            setenv("TILEWORK_LEAF", i % 2 ? "7" : "30", 1);
            ranges(&p, 24);
            if (i % 3 == 2 && t != TW_FLOAT) {
                setenv("TILEWORK_ROUTE", "lapack", 1);
                ranges(&p, 40);
                unsetenv("TILEWORK_ROUTE");
            }
            free(p.a);
        }
    for (int tiny = 0; tiny < 2; tiny++) { /* scaled on the way: ends of intervals, too */
        struct problem p = begin(TW_DOUBLE, 50, 40, tiny ? 1e-300 : 1e300);
        ranges(&p, 24);
        free(p.a);
    }
    unsetenv("TILEWORK_BAND"), unsetenv("TILEWORK_LEAF");
}

/* A has min(m, n) = 0: nothing is looked at, and nothing written. */
static void empty(void **state)
{
    tw_matrix *A;
    tw_int ns = 7;

    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 0, 5, 8, NULL), 0);
    assert_int_equal(tw_gesvdx(TW_VECTORS, TW_VECTORS, TW_INDICES, A, 0, 0, 3, 1, &ns, NULL, NULL, NULL), 0);
    assert_int_equal(ns, 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    ns = 7;
    assert_int_equal(tw_dgesvdx('V', 'V', 'V', 5, 0, NULL, 5, -1, -1, 3, 1, &ns, NULL, NULL, 1, NULL, 1, NULL), 0);
    assert_int_equal(ns, 0);
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

/* who 0: LAPACK's name, 1 LAPACKE's, 2 with _work. s: of the real type. */
static tw_int call(int who, enum tw_type t, int layout, char jobu, char jobvt, const struct range *r, int m, int n,
                   void *a, int lda, int *ns, void *s, void *u, int ldu, void *vt, int ldvt, int *flags)
{
    static double work[65536], rwork[65536];
    tw_int found = -1, wide[12 * MOST], info;
    lapack_int narrow = -1;
    const char g = r->letter;
    const int il = r->il, iu = r->iu, lwork = 20000;
#define ONE(p, R, work_arguments)                                                                                      \
    (who == 0                                                                                                          \
         ? tw_##p##gesvdx(jobu, jobvt, g, m, n, a, lda, (R)r->vl, (R)r->vu, il, iu, &found, s, u, ldu, vt, ldvt, wide) \
     : who == 1 ? tw_LAPACKE_##p##gesvdx(layout, jobu, jobvt, g, m, n, a, lda, (R)r->vl, (R)r->vu, il, iu, &narrow, s, \
                                         u, ldu, vt, ldvt, flags)                                                      \
                : tw_LAPACKE_##p##gesvdx_work(layout, jobu, jobvt, g, m, n, a, lda, (R)r->vl, (R)r->vu, il, iu,        \
                                              &narrow, s, u, ldu, vt, ldvt, work_arguments))
#define REAL    (void *)work, lwork, flags
#define COMPLEX (void *)work, lwork, (void *)rwork, flags
    for (int i = 0; i < 12 * MOST; i++)
        wide[i] = -1, flags[i] = -1;
    info = t == TW_FLOAT           ? ONE(s, float, REAL)
           : t == TW_DOUBLE        ? ONE(d, double, REAL)
           : t == TW_COMPLEX_FLOAT ? ONE(c, float, COMPLEX)
                                   : ONE(z, double, COMPLEX);
#undef ONE
    *ns = who == 0 ? (int)found : narrow;
    for (int i = 0; who == 0 && i < 12 * MOST; i++)
        flags[i] = (int)wide[i];
    return info;
}

static void one_door(const struct problem *p, int who, int layout, char jobu, char jobvt, const struct range *r)
{
    const enum tw_type t = p->t, real = tt_eps(t) > 1e-10 ? TW_FLOAT : TW_DOUBLE;
    const int m = p->m, n = p->n, row = layout == LAPACK_ROW_MAJOR, most = r->letter == 'I' ? r->iu - r->il + 1 : p->k,
              lda = (row ? n : m) + 2, ldu = (row ? most : m) + 1, ldvt = (row ? n : most) + 3;
    void *a = tt_array(t, lda, row ? m : n), *u = tt_array(t, ldu, row ? m : most),
         *vt = tt_array(t, ldvt, row ? most : n), *s = tt_array(real, p->k, 1), *cu = tt_array(t, m, most),
         *cvt = tt_array(t, most, n);
    int flags[12 * MOST], ns;
    double values[MOST];

    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, a, tt_layout_at(layout, i, j, lda), tt_get(t, p->a, (size_t)(i + j * m)));
    tt_expect_info(call(who, t, layout, jobu, jobvt, r, m, n, a, lda, &ns, s, u, ldu, vt, ldvt, flags), 0,
                   "gesvdx %c%c%c, door %d", jobu, jobvt, r->letter, who);
    for (int i = 0; i < ns; i++)
        values[i] = creal(tt_get(real, s, (size_t)i));
    for (int j = 0; j < ns; j++) {
        for (int i = 0; i < m; i++)
            tt_put(t, cu, (size_t)(i + j * m), tt_get(t, u, tt_layout_at(layout, i, j, ldu)));
        for (int i = 0; i < n; i++)
            tt_put(t, cvt, (size_t)(j + i * most), tt_get(t, vt, tt_layout_at(layout, j, i, ldvt)));
    }
    judge("LAPACK's names", p, r, ns, values, jobu == 'V' ? cu : NULL, m, jobvt == 'V' ? cvt : NULL, most);
    for (int i = 0; i < 12 * MOST; i++) /* zeros for all vectors, LAPACKE's without the first of them */
        assert_int_equal(flags[i], i < ns - (who < 2) ? 0 : -1);
    free(a), free(u), free(vt), free(s), free(cu), free(cvt);
}

static void doors(void **state)
{
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    for (int straight = 0; straight < 2; straight++) {
        setenv("TILEWORK_CROSSOVER", straight ? "512" : "0", 1);
        TT_TYPES(t)
            for (int way = 0; way < 10; way++) {
                struct problem p = way % 2 ? begin(t, 40, 66, 1) : begin(t, 70, 45, 1);
                const struct range r = {"IVA"[way % 3], p.all[9] * 1.001, p.all[2] * 1.001, 3, 11};
                one_door(&p,
                         way / 2 == 0  ? 0
                         : way / 2 < 3 ? 1
                                       : 2,
                         way / 2 % 2 ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR, way == 3 ? 'n' : 'V', way == 4 ? 'N' : 'v',
                         &r);
                free(p.a);
            }
    }
    unsetenv("TILEWORK_BAND"), unsetenv("TILEWORK_CROSSOVER");
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void refused(void **state)
{
    enum { M = 6, N = 4 };
    double a[M * N] = {1, 2, 3}, s[N], u[M * N], vt[N * N], work[400];
    tw_int ns, superb[12 * N];
    lapack_int few, iwork[12 * N];
    tw_matrix *A, *U, *Vt, *F, *small;

    (void)state;
#define LAPACK(i, jobu, jobvt, range, m, n, lda, vl, vu, il, iu, ldu, ldvt)                                            \
    assert_int_equal(tw_dgesvdx(jobu, jobvt, range, m, n, a, lda, vl, vu, il, iu, &ns, s, u, ldu, vt, ldvt, superb),   \
                     -(i))
    LAPACK(1, 'X', 'V', 'A', M, N, M, 0, 1, 1, 1, M, N);
    LAPACK(2, 'V', 'A', 'A', M, N, M, 0, 1, 1, 1, M, N);
    LAPACK(3, 'V', 'V', 'X', M, N, M, 0, 1, 1, 1, M, N);
    LAPACK(4, 'V', 'V', 'A', -1, N, M, 0, 1, 1, 1, M, N);
    LAPACK(5, 'V', 'V', 'A', M, -1, M, 0, 1, 1, 1, M, N);
    LAPACK(7, 'V', 'V', 'A', M, N, M - 1, 0, 1, 1, 1, M, N);
    LAPACK(8, 'V', 'V', 'V', M, N, M, -1, 1, 1, 1, M, N);
    LAPACK(8, 'V', 'V', 'V', M, N, M, (double)NAN, 1, 1, 1, M, N);
    LAPACK(9, 'V', 'V', 'V', M, N, M, 1, 1, 1, 1, M, N);
    LAPACK(10, 'V', 'V', 'I', M, N, M, 0, 1, 0, 1, M, N);
    LAPACK(10, 'V', 'V', 'I', M, N, M, 0, 1, N + 1, N + 1, M, N);
    LAPACK(10, 'V', 'V', 'I', M, N, M, 0, 1, INT64_MIN, INT64_MAX, M, N);
    LAPACK(11, 'V', 'V', 'I', M, N, M, 0, 1, 2, INT64_MIN, M, N);
    LAPACK(11, 'V', 'V', 'I', M, N, M, 0, 1, 2, 1, M, N);
    LAPACK(11, 'V', 'V', 'I', M, N, M, 0, 1, 2, N + 1, M, N);
    LAPACK(15, 'V', 'V', 'A', M, N, M, 0, 1, 1, 1, M - 1, N);
    LAPACK(17, 'V', 'V', 'A', M, N, M, 0, 1, 1, 1, M, N - 1);
    LAPACK(17, 'V', 'V', 'I', M, N, M, 0, 1, 2, 4, M, 2);
    assert_int_equal(tw_LAPACKE_dgesvdx_work(LAPACK_COL_MAJOR, 'V', 'V', 'A', M, N, a, M, 0, 1, 1, 1, &few, s, u, M, vt,
                                             N, work, 107, iwork),
                     -20); /* 4 (2 4 + 19) */
    assert_int_equal(tw_LAPACKE_dgesvdx_work(LAPACK_COL_MAJOR, 'V', 'V', 'A', M, N, a, M, 0, 1, 1, 1, &few, s, u, M, vt,
                                             N, work, -1, iwork),
                     0);
    assert_true(work[0] == 4 * 32); /* QR comes first: 4 (3 4 + 20) */
    assert_int_equal(tw_LAPACKE_dgesvdx(0, 'V', 'V', 'A', M, N, a, M, 0, 1, 1, 1, &few, s, u, M, vt, N, iwork), -1);
    assert_int_equal(
        tw_LAPACKE_dgesvdx(LAPACK_ROW_MAJOR, 'V', 'V', 'A', M, N, a, N - 1, 0, 1, 1, 1, &few, s, u, N, vt, N, iwork),
        -8);
    assert_int_equal(
        tw_LAPACKE_dgesvdx(LAPACK_ROW_MAJOR, 'V', 'V', 'A', M, N, a, N, 0, 1, 1, 1, &few, s, u, N - 1, vt, N, iwork),
        -16);
    assert_int_equal(
        tw_LAPACKE_dgesvdx(LAPACK_ROW_MAJOR, 'V', 'V', 'I', M, N, a, N, 0, 1, 1, 2, &few, s, u, 2, vt, N - 1, iwork),
        -18);

    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, M, N, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&U, TW_DOUBLE, TW_GENERAL, M, N, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&Vt, TW_DOUBLE, TW_GENERAL, N, N, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, N, N, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&small, TW_DOUBLE, TW_GENERAL, 1, N, 4, NULL), 0);
#define MATRIX(i, jobu, jobvt, which, A, vl, vu, il, iu, ns, s, U, Vt)                                                 \
    assert_int_equal(                                                                                                  \
        tw_gesvdx((enum tw_jobz)jobu, (enum tw_jobz)jobvt, (enum tw_which)which, A, vl, vu, il, iu, ns, s, U, Vt),     \
        -(i))
    MATRIX(1, 'X', 'V', 'A', A, 0, 0, 0, 0, &ns, s, U, Vt);
    MATRIX(2, 'V', 'X', 'A', A, 0, 0, 0, 0, &ns, s, U, Vt);
    MATRIX(3, 'V', 'V', 'X', A, 0, 0, 0, 0, &ns, s, U, Vt);
    MATRIX(4, 'V', 'V', 'A', NULL, 0, 0, 0, 0, &ns, s, U, Vt);
    MATRIX(5, 'V', 'V', 'V', A, -1, 1, 0, 0, &ns, s, U, Vt);
    MATRIX(6, 'V', 'V', 'V', A, 1, 1, 0, 0, &ns, s, U, Vt);
    MATRIX(7, 'V', 'V', 'I', A, 0, 0, 0, 1, &ns, s, U, Vt);
    MATRIX(8, 'V', 'V', 'I', A, 0, 0, 3, 2, &ns, s, U, Vt);
    MATRIX(9, 'V', 'V', 'A', A, 0, 0, 0, 0, NULL, s, U, Vt);
    MATRIX(10, 'V', 'V', 'A', A, 0, 0, 0, 0, &ns, NULL, U, Vt);
    MATRIX(11, 'V', 'V', 'A', A, 0, 0, 0, 0, &ns, s, NULL, Vt);
    MATRIX(11, 'N', 'V', 'A', A, 0, 0, 0, 0, &ns, s, U, Vt);
    MATRIX(11, 'V', 'V', 'A', A, 0, 0, 0, 0, &ns, s, A, Vt);
    MATRIX(11, 'V', 'N', 'A', A, 0, 0, 0, 0, &ns, s, Vt, NULL);
    MATRIX(12, 'V', 'V', 'A', A, 0, 0, 0, 0, &ns, s, U, F);
    MATRIX(12, 'N', 'V', 'I', A, 0, 0, 1, 2, &ns, s, NULL, small);
    /* an interval that holds more than there is room for: told, and nothing is written */
    for (int i = 0; i < M * N; i++)
        a[i] = i % 7 - 2.5;
    assert_int_equal(tw_matrix_set_lapack(A, a, M), 0);
    for (int route = 0; route < 2; route++) {
        if (route) setenv("TILEWORK_ROUTE", "lapack", 1);
        ns = 0;
        assert_int_equal(tw_gesvdx(TW_NOVECTORS, TW_VECTORS, TW_INTERVAL, A, 0, 1e6, 0, 0, &ns, s, NULL, small),
                         TW_E_MEMORY);
        assert_int_equal(ns, N);
    }
    unsetenv("TILEWORK_ROUTE");
    tw_matrix_destroy(A), tw_matrix_destroy(U), tw_matrix_destroy(Vt), tw_matrix_destroy(F), tw_matrix_destroy(small);
}

static void not_finite(void **state)
{
    enum { M = 50, N = 40 };
    (void)state;
    for (int way = 0; way < 12; way++) {
        void *a = tt_array(TW_DOUBLE, M, N), *u = tt_array(TW_DOUBLE, M, N), *vt = tt_array(TW_DOUBLE, N, N);
        double s[N];
        tw_int ns = 7;

        setenv("TILEWORK_CROSSOVER", way % 2 ? "512" : "0", 1);
        tt_random(TW_DOUBLE, 'G', M, N, a, M, 5);
        ((double *)a)[M * 3 + 5] = way / 2 % 2 ? INFINITY : NAN;
        tt_expect_info(tw_dgesvdx('V', 'V', "AVI"[way / 4], M, N, a, M, 0.1, 1, 2, 5, &ns, s, u, M, vt, N, NULL),
                       2 * N + 1, "not finite");
        assert_true(ns == 0 && isnan(s[0]) && isnan(s[way / 4 == 2 ? 3 : N - 1]));
        assert_int_equal(tt_touched(TW_DOUBLE, 'G', 0, N, u, M), 0);
        free(a), free(u), free(vt);
    }
    unsetenv("TILEWORK_CROSSOVER");
}

/* Before any work, and without a trace of it. */
static void no_memory(void **state)
{
    enum { N = 600 };
    double s[N];
    tw_matrix *A, *U, *Vt;
    tw_int ns = 7;

    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, N, N, 128, NULL), 0);
    assert_int_equal(tw_matrix_create(&U, TW_DOUBLE, TW_GENERAL, N, 10, 128, NULL), 0);
    assert_int_equal(tw_matrix_create(&Vt, TW_DOUBLE, TW_GENERAL, 10, N, 128, NULL), 0);
    s[0] = 5;
    setenv("TILEWORK_HOST_MEMORY", "4M", 1);
    assert_int_equal(tw_gesvdx(TW_VECTORS, TW_VECTORS, TW_INDICES, A, 0, 0, 1, 10, &ns, s, U, Vt), TW_E_MEMORY);
    unsetenv("TILEWORK_HOST_MEMORY");
    assert_true(ns == 0 && s[0] == 5);
    tw_matrix_destroy(A), tw_matrix_destroy(U), tw_matrix_destroy(Vt);
}

/* A sequence: the product with vectors whose number is not known when it is queued. */
static void queued(void **state)
{
    struct problem p = begin(TW_DOUBLE, 90, 60, 1);
    const struct range r = {'V', p.all[20] * 1.0001, p.all[4] * 1.0001, 0, 0};
    void *u = tt_array(TW_DOUBLE, 90, 60), *vt = tt_array(TW_DOUBLE, 60, 60);
    double s[60], again[60];
    struct tt_place pa, pu, pv;
    tw_matrix *A = tt_enter(&pa, TT_CREATED, TW_DOUBLE, TW_GENERAL, 90, 60, p.a, 90, 32),
              *U = tt_enter(&pu, TT_CREATED, TW_DOUBLE, TW_GENERAL, 90, 60, u, 90, 32),
              *Vt = tt_enter(&pv, TT_CREATED, TW_DOUBLE, TW_GENERAL, 60, 60, vt, 60, 32);
    tw_sequence *seq;
    tw_int ns, count;

    (void)state;
    setenv("TILEWORK_LEAF", "9", 1);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_gesvdx_async(TW_VECTORS, TW_VECTORS, TW_INTERVAL, A, r.vl, r.vu, 0, 0, &ns, s, U, Vt, seq), 0);
    assert_int_equal(
        tw_gesvdx_async(TW_NOVECTORS, TW_NOVECTORS, TW_INTERVAL, A, r.vl, r.vu, 0, 0, &count, again, NULL, NULL, seq),
        0);
    assert_int_equal(tw_sequence_wait(seq), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    tt_leave(&pa), tt_leave(&pu), tt_leave(&pv);
    assert_int_equal(ns, 16);
    assert_int_equal(count, ns);
    assert_memory_equal(s, again, (size_t)ns * sizeof *s);
    judge("queued", &p, &r, (int)ns, s, u, 90, vt, 60);
    unsetenv("TILEWORK_LEAF");
    free(u), free(vt), free(p.a);
}

/* The checker notices one element that is not right, of either side or of the values, also where the other side is not
 * there. */
static void checker(void **state)
{
    enum { M = 60, N = 40, K = 8, FIRST = 5 };
    double a[M * N], u[M * K], vt[K * N], s[N], residual[4], error;
    const struct check_array array = {CHECK_GENERAL, TW_DOUBLE, TW_GENERAL, TW_NONUNIT, M, N, a, M};
    const struct check_matrix A = check_of_array(&array);
    tw_int ns;

    (void)state;
    tt_random(TW_DOUBLE, 'G', M, N, a, M, 3);
    assert_int_equal(tw_dgesvdx('V', 'V', 'I', M, N, a, M, 0, 0, FIRST, FIRST + K - 1, &ns, s, u, M, vt, K, NULL), 0);
    tt_random(TW_DOUBLE, 'G', M, N, a, M, 3); /* which may be used up */
    for (int k = 0; k < 4; k++)
        for (int sides = 1; sides < 4; sides++) {
            double *const places[] = {NULL, u + 3 * M + 7, vt + 5 * K + 2, s + 4}, *element = places[k];
            int bad = 0;

            if (element) *element += 1e-6 * s[0];
            assert_int_equal(check_gesvdx(&A, K, s, sides & 1 ? u : NULL, M, sides & 2 ? vt : NULL, K, residual), 0);
            for (int i = 0; i < 4; i++)
                bad |= !(residual[i] < 30);
            assert_int_equal(bad, k == 3 || (k > 0 && (sides & k)));
            assert_int_equal(check_some_singular_values(&A, FIRST - 1, K, s, &error), 0);
            assert_int_equal(!(error < 30), k == 3);
            assert_int_equal(check_singular_interval(&A, 0.999 * s[K - 1], 1.001 * s[0], K, s, &error), 0);
            assert_int_equal(!(error < 30), k == 3);
            assert_int_equal(check_singular_interval(&A, 0.999 * s[K - 1], 1.001 * s[0], K - 1, s, &error), 0);
            assert_false(error < 30); /* one is missing */
            if (element) *element -= 1e-6 * s[0];
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        tt_test_of_bits(shapes),      cmocka_unit_test(empty),     cmocka_unit_test(doors),   cmocka_unit_test(refused),
        cmocka_unit_test(not_finite), cmocka_unit_test(no_memory), cmocka_unit_test(checker), tt_test_of_bits(queued)};
    return tt_run(tests);
}
