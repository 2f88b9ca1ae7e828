/* geevx through all doors: balancing and condition numbers beside LAPACK's own, eigenvectors by a check that knows
 * nothing of them, and bad input. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "general.h"

enum { MOST = 70, SPACE = MOST * (MOST + 8) };

/* One call's results; real numbers of any type as doubles. */
struct result {
    void *s, *vl, *vr; /* MOST x MOST; s: A's place */
    double w[2 * MOST], scale[MOST], rconde[MOST], rcondv[MOST], abnrm;
    tw_int ilo, ihi;
};
static struct result room(enum tw_type t)
{
    return (struct result){.s = tt_array(t, MOST, MOST), .vl = tt_array(t, MOST, MOST), .vr = tt_array(t, MOST, MOST)};
}
static void give_back(struct result *r)
{
    free(r->s), free(r->vl), free(r->vr);
}
static void reals(enum tw_type t, int n, const void *from, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = is_single(t) ? (double)((const float *)from)[i] : ((const double *)from)[i];
}

/* way 0: LAPACK's name, 1: LAPACKE's, 2: with _work, 3: LAPACK's own with _work. letters: balanc, jobvl, jobvr,
 * sense. */
static int solve(int way, enum tw_type t, int layout, const char *letters, int n, int lda, int ldvl, int ldvr,
                 int lwork, double *query, struct result *r)
{
    void *w = tt_array(t, MOST, 1), *wi = tt_array(t, MOST, 1), *work = malloc(SPACE * tt_size(t));
    double scale[MOST], abnrm[1] = {0}, rconde[MOST] = {0}, rcondv[MOST] = {0};
    lapack_int ilo = -1, ihi = -1, iwork[2 * MOST];
    double rwork[2 * MOST];
    int info;
#define COMMA        ,
#define REAL_ARGS    n, r->s, lda, w, wi, r->vl, ldvl, r->vr, ldvr
#define PAIR_ARGS    n, r->s, lda, w, r->vl, ldvl, r->vr, ldvr
#define LETTERS      letters[0], letters[1], letters[2], letters[3]
#define REST(lo, hi) lo, hi, (void *)scale, (void *)abnrm, (void *)rconde, (void *)rcondv
#define WAYS(p, args, more)                                                                                            \
    (way == 0   ? (int)tw_##p##geevx(LETTERS, args, REST(&r->ilo, &r->ihi))                                            \
     : way == 1 ? (int)tw_LAPACKE_##p##geevx(layout, LETTERS, args, REST(&ilo, &ihi))                                  \
     : way == 2 ? (int)tw_LAPACKE_##p##geevx_work(layout, LETTERS, args, REST(&ilo, &ihi), work, lwork, more)          \
                : (int)LAPACKE_##p##geevx_work(layout, LETTERS, args, REST(&ilo, &ihi), work, lwork, more))
    info = t == TW_FLOAT           ? WAYS(s, REAL_ARGS, iwork)
           : t == TW_DOUBLE        ? WAYS(d, REAL_ARGS, iwork)
           : t == TW_COMPLEX_FLOAT ? WAYS(c, PAIR_ARGS, (void *)rwork)
                                   : WAYS(z, PAIR_ARGS, (void *)rwork);
    if (way > 0) r->ilo = ilo, r->ihi = ihi;
    for (int i = 0; i < n && lwork != -1; i++) {
        const tt_z x = tt_get(t, w, (size_t)i);
        r->w[i] = creal(x), r->w[n + i] = tt_complex(t) ? cimag(x) : creal(tt_get(t, wi, (size_t)i));
    }
    if (query) *query = creal(tt_get(t, work, 0));
    reals(t, n, scale, r->scale), reals(t, 1, abnrm, &r->abnrm);
    reals(t, n, rconde, r->rconde), reals(t, n, rcondv, r->rcondv);
    free(w), free(wi), free(work);
    return info;
}

/* ---- judges ------------------------------------------------------------------------------------------------------ */

static void judge_vectors(enum tw_type t, int n, const void *a, const struct result *r, int left)
{
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, n, n, a, MOST};
    const struct check_matrix A = check_of_array(&array);
    double residual[2];

    assert_int_equal(check_geev(&A, r->w, r->w + n, left, left ? r->vl : r->vr, MOST, residual), 0);
    tt_expect(left ? "|A^H V - V D^H|" : "|A V - V D|", t, residual[0], 0, "n = %d", n);
    tt_expect("|v| - 1", t, residual[1], 0, "n = %d", n);
}
static int alike(double got, double want, double off)
{
    return fabs(got - want) <= off * fabs(want);
}
/* Balancing's results are LAPACK's; condition numbers are those of its nearest eigenvalue. */
static void compare(enum tw_type t, int n, const char *letters, const struct result *got, const struct result *want)
{
    const double off = 100 * sqrt(tt_eps(t));

    assert_int_equal(got->ilo, want->ilo);
    assert_int_equal(got->ihi, want->ihi);
    assert_true(alike(got->abnrm, want->abnrm, 4 * n * tt_eps(t)));
    for (int i = 0; i < n; i++) {
        int best = 0;
        assert_true(got->scale[i] == want->scale[i]);
        for (int j = 1; j < n; j++)
            if (hypot(got->w[i] - want->w[j], got->w[n + i] - want->w[n + j]) <
                hypot(got->w[i] - want->w[best], got->w[n + i] - want->w[n + best]))
                best = j;
        if (letters[3] == 'E' || letters[3] == 'B') assert_true(alike(got->rconde[i], want->rconde[best], off));
        if (letters[3] == 'V' || letters[3] == 'B') /* an estimate, which depends on the Schur form */
            assert_true(got->rcondv[i] <= 30 * want->rcondv[best] && want->rcondv[best] <= 30 * got->rcondv[i]);
    }
}

/* The same bits from the Schur form that A became. */
static void of_schur_form(enum tw_type t, int n, const struct result *r)
{
    lapack_int select[1] = {0}, m, iwork[2 * MOST];
    double own[MOST], room[MOST], sep[MOST], *work = malloc(MOST * (MOST + 6) * sizeof(tt_z));
#define TRSNA(p, more)                                                                                                 \
    LAPACKE_##p##trsna_work(LAPACK_COL_MAJOR, 'V', 'A', select, n, r->s, MOST, NULL, MOST, NULL, MOST, (void *)own,    \
                            (void *)room, n, &m, (void *)work, n, more)
    assert_int_equal(t == TW_FLOAT           ? TRSNA(s, iwork)
                     : t == TW_DOUBLE        ? TRSNA(d, iwork)
                     : t == TW_COMPLEX_FLOAT ? TRSNA(c, (void *)iwork)
                                             : TRSNA(z, (void *)iwork),
                     0);
    reals(t, n, room, sep);
    for (int i = 0; i < n; i++)
        assert_true(sep[i] == r->rcondv[i]);
    free(work);
}

/* ---- the matrix door --------------------------------------------------------------------------------------------- */

static void same_columns(enum tw_type t, int n, const void *a, const void *b)
{
    for (int j = 0; j < n; j++)
        assert_memory_equal((const char *)a + (size_t)(j * MOST) * tt_size(t),
                            (const char *)b + (size_t)(j * MOST) * tt_size(t), (size_t)n * tt_size(t));
}
/* geev's eigenvalues and eigenvectors, to the bit. */
static void same_as_geev(enum tw_type t, enum kind kind, int n, int left, int right, const struct result *r)
{
    struct result own = room(t);
    struct tt_place pa, pl, pr;
    tw_matrix *A, *VL = NULL, *VR = NULL;

    fill(t, kind, n, own.s, MOST);
    A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, n, n, own.s, MOST, 24);
    if (left) VL = tt_enter(&pl, TT_CREATED, t, TW_GENERAL, n, n, own.vl, MOST, 20);
    if (right) VR = tt_enter(&pr, TT_CREATED, t, TW_GENERAL, n, n, own.vr, MOST, 33);
    assert_int_equal(
        tw_geev(left ? TW_VECTORS : TW_NOVECTORS, right ? TW_VECTORS : TW_NOVECTORS, A, own.w, own.w + n, VL, VR), 0);
    tt_leave(&pa);
    if (VL) tt_leave(&pl);
    if (VR) tt_leave(&pr);
    assert_memory_equal(own.w, r->w, 2 * (size_t)n * sizeof(double));
    if (left) same_columns(t, n, own.vl, r->vl);
    if (right) same_columns(t, n, own.vr, r->vr);
    give_back(&own);
}

static void matrix_door(enum tw_type t, enum kind kind, int n, const char *letters)
{
    const enum tw_jobz jobvl = letters[1] == 'V' ? TW_VECTORS : TW_NOVECTORS,
                       jobvr = letters[2] == 'V' ? TW_VECTORS : TW_NOVECTORS;
    struct result r = room(t), own = room(t);
    void *a = tt_array(t, MOST, MOST);
    struct tt_place pa, pl, pr;
    tw_matrix *A, *VL = NULL, *VR = NULL;

    fill(t, kind, n, a, MOST), fill(t, kind, n, r.s, MOST), fill(t, kind, n, own.s, MOST);
    A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, n, n, r.s, MOST, 24);
    if (letters[1] == 'V') VL = tt_enter(&pl, TT_CREATED, t, TW_GENERAL, n, n, r.vl, MOST, 20);
    if (letters[2] == 'V') VR = tt_enter(&pr, TT_CREATED, t, TW_GENERAL, n, n, r.vr, MOST, 33);
    tt_expect_info(tw_geevx((enum tw_balance)letters[0], jobvl, jobvr, (enum tw_sense)letters[3], A, r.w, r.w + n, VL,
                            VR, &r.ilo, &r.ihi, r.scale, &r.abnrm, r.rconde, r.rcondv),
                   0, "%s, %s, n = %d", kinds[kind], letters, n);
    tt_leave(&pa);
    if (VL) tt_leave(&pl);
    if (VR) tt_leave(&pr);
    if (letters[0] == 'B') same_as_geev(t, kind, n, VL != NULL, VR != NULL, &r);
    if (VL) judge_vectors(t, n, a, &r, 1);
    if (VR) judge_vectors(t, n, a, &r, 0);
    if (!VL && !VR) same_columns(t, n, r.s, a); /* A stays */
    if ((VL || VR) && kind != HUGE_ && kind != TINY) assert_true(check_schur_form(t, n, r.s, MOST, r.w, r.w + n));
    assert_int_equal(solve(3, t, LAPACK_COL_MAJOR, letters, n, MOST, MOST, MOST, SPACE, NULL, &own), 0);
    if (n > 0) compare(t, n, letters, &r, &own);
    if (n > 0 && (letters[3] == 'V' || letters[3] == 'B') && (VL || VR) && kind != HUGE_ && kind != TINY)
        of_schur_form(t, n, &r);
    give_back(&r), give_back(&own), free(a);
}

static void matrices(void **state)
{
    static const char *const jobs[] = {"BVVB", "NVVE", "PNVV", "SVNV", "BNNV", "BNVN", "PNNN"};
    (void)state;
    TT_TYPES(t) {
        for (int k = 0; k < COUNT(jobs); k++)
            matrix_door(t, RANDOM, 40 + k, jobs[k]);
        for (int n = 0; n < 4; n++)
            matrix_door(t, RANDOM, n, "BVVB");
        matrix_door(t, GRADED, 50, "BVVB"), matrix_door(t, ISOLATED, 45, "BVVB"), matrix_door(t, ISOLATED, 45, "PVVN");
        matrix_door(t, GRADED, 50, "SNVN"), matrix_door(t, TINY, 30, "BVVB"), matrix_door(t, HUGE_, 30, "BVVB");
        matrix_door(t, ZERO, 20, "BVVN"), matrix_door(t, SYMMETRIC, 30, "NVVE");
    }
    for (int n = 65; n < MOST; n++) /* blocks of eigenvectors part no pair */
        matrix_door(TW_DOUBLE, ROTATIONS, n, "NVVE");
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

static void door(enum tw_type t, int way, int layout, const char *letters)
{
    enum { N = 40 };
    struct result r = room(t), own = room(t);
    void *a = tt_array(t, MOST, MOST), *x = tt_array(t, MOST, MOST);

    fill(t, ISOLATED, N, a, MOST), fill(t, ISOLATED, N, own.s, MOST);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            tt_put(t, r.s, tt_layout_at(layout, i, j, MOST), tt_get(t, a, (size_t)(i + j * MOST)));
    tt_expect_info(solve(way, t, layout, letters, N, MOST, MOST, MOST, SPACE, NULL, &r), 0, "way %d, %s", way, letters);
    for (int side = 0; side < 2; side++) {
        void **v = side ? &r.vl : &r.vr;
        if (letters[side ? 1 : 2] != 'V') continue;
        memcpy(x, *v, MOST * MOST * tt_size(t));
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                tt_put(t, *v, (size_t)(i + j * MOST), tt_get(t, x, tt_layout_at(layout, i, j, MOST)));
        judge_vectors(t, N, a, &r, side);
    }
    assert_int_equal(solve(3, t, LAPACK_COL_MAJOR, letters, N, MOST, MOST, MOST, SPACE, NULL, &own), 0);
    compare(t, N, letters, &r, &own);
    give_back(&r), give_back(&own), free(a), free(x);
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
                    door(t, way, layout, "BVVB"), door(t, way, layout, "PNVV"), door(t, way, layout, "SVNN");
                }
        unsetenv("TILEWORK_CROSSOVER");
    }
}

/* The arguments that LAPACK refuses, by its numbers: ours (LAPACKE's are one more), and LAPACK's own. */
static void refusals(void **state)
{
    double w[4], wi[4], scale[4], abnrm, e[4], v[4], query;
    struct result r = room(TW_COMPLEX_DOUBLE);
    tw_matrix *A, *V, *W, *Z;
    tw_int ilo, ihi;
    (void)state;
    for (int i = 0; i < 2 * MOST * MOST; i++)
        ((double *)r.s)[i] = tt_uniform(3, i, 0);
    for (int type = 0; type < 2; type++)
        for (int way = 0; way < 4; way++) {
            const enum tw_type t = type ? TW_COMPLEX_DOUBLE : TW_DOUBLE;
            const int more = way > 0;
#define REFUSED(layout, letters, n, lda, ldvl, ldvr, lwork)                                                            \
    solve(way, t, layout, letters, n, lda, ldvl, ldvr, lwork, &query, &r)
#define COLUMNS LAPACK_COL_MAJOR
            assert_int_equal(REFUSED(COLUMNS, "XVVB", 4, 4, 4, 4, 100), -1 - more);
            assert_int_equal(REFUSED(COLUMNS, "BXVB", 4, 4, 4, 4, 100), -2 - more);
            assert_int_equal(REFUSED(COLUMNS, "BVXV", 4, 4, 4, 4, 100), -3 - more);
            assert_int_equal(REFUSED(COLUMNS, "BVVX", 4, 4, 4, 4, 100), -4 - more);
            assert_int_equal(REFUSED(COLUMNS, "BNVE", 4, 4, 4, 4, 100), -4 - more);
            assert_int_equal(REFUSED(COLUMNS, "BVNB", 4, 4, 4, 4, 100), -4 - more);
            assert_int_equal(REFUSED(COLUMNS, "BVVB", -1, 4, 4, 4, 100), -5 - more);
            assert_int_equal(REFUSED(COLUMNS, "BVVB", 4, 3, 4, 4, 100), -7 - more);
            assert_int_equal(REFUSED(COLUMNS, "BVVB", 4, 4, 3, 4, 100), -11 + type - more);
            assert_int_equal(REFUSED(COLUMNS, "BNVV", 4, 4, 0, 4, 100), -11 + type - more);
            assert_int_equal(REFUSED(COLUMNS, "BVVB", 4, 4, 4, 3, 100), -13 + type - more);
            assert_int_equal(REFUSED(COLUMNS, "BNNN", 0, 1, 1, 1, 100), 0);
            if (way > 1) {
                assert_int_equal(REFUSED(COLUMNS, "BVVB", 4, 4, 4, 4, type ? 23 : 39), -22 + type);
                assert_int_equal(REFUSED(COLUMNS, "BVVE", 4, 4, 4, 4, type ? 7 : 11), -22 + type);
                assert_int_equal(REFUSED(COLUMNS, "BNNN", 4, 4, 4, 4, 7), -22 + type);
                assert_int_equal(REFUSED(COLUMNS, "BVVB", 4, 4, 4, 4, -1), 0);
                assert_true(query >= (type ? 24 : 40));
            }
            if (way == 0) continue;
            assert_int_equal(REFUSED(7, "BVVB", 4, 4, 4, 4, 100), -1);
            assert_int_equal(REFUSED(LAPACK_ROW_MAJOR, "BVVB", 4, 3, 4, 4, 100), -8);
            assert_int_equal(REFUSED(LAPACK_ROW_MAJOR, "BVVB", 4, 4, 3, 4, 100), -12 + type);
            assert_int_equal(REFUSED(LAPACK_ROW_MAJOR, "BVVB", 4, 4, 4, 3, 100), -14 + type);
        }
#define DGEEVX(a, w, wi, vl, vr, ilo, ihi, scale, abnrm, e, v)                                                         \
    tw_dgeevx('B', 'V', 'V', 'B', 4, a, 4, w, wi, vl, 4, vr, 4, ilo, ihi, scale, abnrm, e, v)
    assert_int_equal(DGEEVX(NULL, w, wi, r.vl, r.vr, &ilo, &ihi, scale, &abnrm, e, v), -6);
    assert_int_equal(DGEEVX(r.s, NULL, wi, r.vl, r.vr, &ilo, &ihi, scale, &abnrm, e, v), -8);
    assert_int_equal(DGEEVX(r.s, w, NULL, r.vl, r.vr, &ilo, &ihi, scale, &abnrm, e, v), -9);
    assert_int_equal(DGEEVX(r.s, w, wi, NULL, r.vr, &ilo, &ihi, scale, &abnrm, e, v), -10);
    assert_int_equal(DGEEVX(r.s, w, wi, r.vl, NULL, &ilo, &ihi, scale, &abnrm, e, v), -12);
    assert_int_equal(DGEEVX(r.s, w, wi, r.vl, r.vr, NULL, &ihi, scale, &abnrm, e, v), -14);
    assert_int_equal(DGEEVX(r.s, w, wi, r.vl, r.vr, &ilo, NULL, scale, &abnrm, e, v), -15);
    assert_int_equal(DGEEVX(r.s, w, wi, r.vl, r.vr, &ilo, &ihi, NULL, &abnrm, e, v), -16);
    assert_int_equal(DGEEVX(r.s, w, wi, r.vl, r.vr, &ilo, &ihi, scale, NULL, e, v), -17);
    assert_int_equal(DGEEVX(r.s, w, wi, r.vl, r.vr, &ilo, &ihi, scale, &abnrm, NULL, v), -18);
    assert_int_equal(DGEEVX(r.s, w, wi, r.vl, r.vr, &ilo, &ihi, scale, &abnrm, e, NULL), -19);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&V, TW_DOUBLE, TW_GENERAL, 4, 4, 3, NULL), 0);
    assert_int_equal(tw_matrix_create(&Z, TW_DOUBLE, TW_GENERAL, 4, 4, 3, NULL), 0);
    assert_int_equal(tw_matrix_create(&W, TW_DOUBLE, TW_GENERAL, 4, 5, 2, NULL), 0);
#define GEEVX(balanc, jobvl, jobvr, sense, A, w, wi, VL, VR, ilo, ihi, scale, abnrm, e, v)                             \
    tw_geevx((enum tw_balance)balanc, (enum tw_jobz)jobvl, (enum tw_jobz)jobvr, (enum tw_sense)sense, A, w, wi, VL,    \
             VR, ilo, ihi, scale, abnrm, e, v)
    assert_int_equal(GEEVX('x', 'V', 'V', 'B', A, w, wi, V, Z, &ilo, &ihi, scale, &abnrm, e, v), -1);
    assert_int_equal(GEEVX('B', 'x', 'V', 'B', A, w, wi, V, Z, &ilo, &ihi, scale, &abnrm, e, v), -2);
    assert_int_equal(GEEVX('B', 'V', 'x', 'B', A, w, wi, V, Z, &ilo, &ihi, scale, &abnrm, e, v), -3);
    assert_int_equal(GEEVX('B', 'V', 'V', 'x', A, w, wi, V, Z, &ilo, &ihi, scale, &abnrm, e, v), -4);
    assert_int_equal(GEEVX('B', 'N', 'V', 'E', A, w, wi, NULL, Z, &ilo, &ihi, scale, &abnrm, e, v), -4);
    assert_int_equal(GEEVX('B', 'V', 'V', 'B', W, w, wi, V, Z, &ilo, &ihi, scale, &abnrm, e, v), -5);
    assert_int_equal(GEEVX('B', 'V', 'V', 'B', A, NULL, wi, V, Z, &ilo, &ihi, scale, &abnrm, e, v), -6);
    assert_int_equal(GEEVX('B', 'V', 'V', 'B', A, w, NULL, V, Z, &ilo, &ihi, scale, &abnrm, e, v), -7);
    assert_int_equal(GEEVX('B', 'V', 'V', 'B', A, w, wi, W, Z, &ilo, &ihi, scale, &abnrm, e, v), -8);
    assert_int_equal(GEEVX('B', 'V', 'V', 'B', A, w, wi, V, V, &ilo, &ihi, scale, &abnrm, e, v), -9);
    assert_int_equal(GEEVX('B', 'V', 'V', 'B', A, w, wi, V, Z, NULL, &ihi, scale, &abnrm, e, v), -10);
    assert_int_equal(GEEVX('B', 'V', 'V', 'B', A, w, wi, V, Z, &ilo, NULL, scale, &abnrm, e, v), -11);
    assert_int_equal(GEEVX('B', 'V', 'V', 'B', A, w, wi, V, Z, &ilo, &ihi, NULL, &abnrm, e, v), -12);
    assert_int_equal(GEEVX('B', 'V', 'V', 'B', A, w, wi, V, Z, &ilo, &ihi, scale, NULL, e, v), -13);
    assert_int_equal(GEEVX('B', 'V', 'V', 'B', A, w, wi, V, Z, &ilo, &ihi, scale, &abnrm, NULL, v), -14);
    assert_int_equal(GEEVX('B', 'V', 'V', 'B', A, w, wi, V, Z, &ilo, &ihi, scale, &abnrm, e, NULL), -15);
    assert_int_equal(tw_geevx_async(TW_BALANCE_BOTH, TW_VECTORS, TW_VECTORS, TW_SENSE_BOTH, A, w, wi, V, Z, &ilo, &ihi,
                                    scale, &abnrm, e, v, NULL),
                     -16);
    tw_matrix_destroy(A), tw_matrix_destroy(V), tw_matrix_destroy(W), tw_matrix_destroy(Z);
    give_back(&r);
}

static void not_finite(void **state)
{
    enum { N = 40 };
    (void)state;
    for (int small = 0; small < 2; small++) {
        if (!small) setenv("TILEWORK_CROSSOVER", "0", 1);
        TT_TYPES(t)
            for (int bad = 0; bad < 2; bad++)
                for (int way = 0; way < 3; way++) {
                    struct result r = room(t);
                    fill(t, RANDOM, N, r.s, MOST);
                    tt_put(t, r.s, 5 + 11 * MOST, bad ? INFINITY : NAN);
                    tt_expect_info(solve(way, t, LAPACK_COL_MAJOR, "BVVB", N, MOST, MOST, MOST, SPACE, NULL, &r),
                                   way == 1 && !bad ? -7 : N, "way %d", way);
                    for (int i = 0; i < 2 * N && !(way == 1 && !bad); i++)
                        assert_true(isnan(r.w[i]));
                    give_back(&r);
                }
        unsetenv("TILEWORK_CROSSOVER");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {tt_test_of_bits(matrices), cmocka_unit_test(doors), cmocka_unit_test(refusals),
                                       cmocka_unit_test(not_finite)};
    return tt_run(tests);
}
