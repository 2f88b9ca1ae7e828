/* gesvd: every job for each side, through all doors; the same vectors as gesdd's to the bit, whatever the jobs; bad
 * input. */
#include <complex.h>
#include <lapacke.h>
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

/* A problem, gesdd's answer with all vectors, and arrays for another one. */
struct one {
    enum tw_type t;
    int m, n, k, lda;
    void *a, *over, *u, *vt, *all_u, *all_vt;
    double s[MOST], all_s[MOST], superb[MOST];
    int tiles; /* U and V^T have gesdd's */
};
static void begin(struct one *o, enum tw_type t, int m, int n)
{
    struct tt_place pa, pu, pv;
    tw_matrix *A, *U, *Vt;

    *o = (struct one){.t = t, .m = m, .n = n, .k = smaller(m, n), .lda = m + 2};
    o->a = tt_array(t, o->lda, n);
    tt_random(t, 'G', m, n, o->a, o->lda, 7);
    o->over = tt_copy(t, o->lda, n, o->a);
    o->u = tt_array(t, m, m), o->vt = tt_array(t, n, n), o->all_u = tt_array(t, m, m), o->all_vt = tt_array(t, n, n);
    A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, o->a, o->lda, 24);
    U = tt_enter(&pu, TT_CREATED, t, TW_GENERAL, m, m, o->all_u, m, 24);
    Vt = tt_enter(&pv, TT_CREATED, t, TW_GENERAL, n, n, o->all_vt, n, 24);
    tt_expect_info(tw_gesdd(TW_SVD_ALL, A, o->all_s, U, Vt), 0, "gesdd");
    tt_leave(&pa), tt_leave(&pu), tt_leave(&pv);
}
static void end(struct one *o)
{
    free(o->a), free(o->over), free(o->u), free(o->vt), free(o->all_u), free(o->all_vt);
}

/* m x n elements that have to be the same, to the bit where `apart` is 0. */
static void same(const struct one *o, double apart, int m, int n, const void *x, int ldx, const void *y, int ldy,
                 const char *what, char jobu, char jobvt)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            if (!(cabs(tt_get(o->t, x, (size_t)i + (size_t)j * (size_t)ldx) -
                       tt_get(o->t, y, (size_t)i + (size_t)j * (size_t)ldy)) <= apart))
                fail_msg("%s differs: %c%c, %d x %d, type %c, (%d, %d)", what, jobu, jobvt, o->m, o->n, tt_letter(o->t),
                         i, j);
}
static int rows_of_vt(const struct one *o, char jobvt)
{
    return jobvt == 'A' ? o->n : o->k;
}
/* Against gesdd's; ldvt: of vt. exact: by the same tiles. */
static void compare(struct one *o, char jobu, char jobvt, int ldvt)
{
    const int left = jobu == 'A' ? o->m : o->k, right = rows_of_vt(o, jobvt);
    const void *u = jobu == 'N'   ? NULL
                    : jobu == 'O' ? o->over
                                  : o->u,
               *vt = jobvt == 'N'   ? NULL
                     : jobvt == 'O' ? o->over
                                    : o->vt;

    for (int i = 0; i < o->k; i++) /* values alone come from another method */
        assert_true(u || vt ? o->s[i] == o->all_s[i]
                            : fabs(o->s[i] - o->all_s[i]) <= 3 * (o->m + o->n) * tt_eps(o->t) * o->all_s[0]);
    /* All of them in gesdd's tiles are gesdd's to the bit. Else the products have other numbers of columns, by which
     * some kernels of BLAS round differently. */
    const double eps = 30 * tt_eps(o->t), u_apart = o->tiles && left == o->m ? 0 : eps,
                 vt_apart = o->tiles && right == o->n ? 0 : eps;
    if (u) same(o, u_apart, o->m, left, u, jobu == 'O' ? o->lda : o->m, o->all_u, o->m, "U", jobu, jobvt);
    if (vt) same(o, vt_apart, right, o->n, vt, jobvt == 'O' ? o->lda : ldvt, o->all_vt, o->n, "V^T", jobu, jobvt);
    for (int i = 0; i + 1 < o->k; i++)
        assert_true(o->superb[i] == 0);
    if (jobu != 'O' && jobvt != 'O') same(o, 0, o->m, o->n, o->over, o->lda, o->a, o->lda, "A", jobu, jobvt);
    if (jobu == 'O') /* the rest of A stays */
        same(o, 0, o->m, o->n - o->k, (char *)o->over + (size_t)(o->k * o->lda) * tt_size(o->t), o->lda,
             (char *)o->a + (size_t)(o->k * o->lda) * tt_size(o->t), o->lda, "A", jobu, jobvt);
    if (jobvt == 'O')
        same(o, 0, o->m - o->k, o->n, (char *)o->over + (size_t)o->k * tt_size(o->t), o->lda,
             (char *)o->a + (size_t)o->k * tt_size(o->t), o->lda, "A", jobu, jobvt);
    assert_int_equal(tt_touched(o->t, 'G', o->m, o->n, o->over, o->lda), 0);
    memcpy(o->over, o->a, (size_t)o->lda * (size_t)o->n * tt_size(o->t));
}

static void matrix_door(struct one *o, char jobu, char jobvt, int nb_u, int nb_vt)
{
    const int has_u = jobu == 'A' || jobu == 'S', has_vt = jobvt == 'A' || jobvt == 'S', right = rows_of_vt(o, jobvt);
    struct tt_place pa, pu, pv;
    tw_matrix *A = tt_enter(&pa, TT_CREATED, o->t, TW_GENERAL, o->m, o->n, o->over, o->lda, 24), *U = NULL, *Vt = NULL;

    if (has_u) U = tt_enter(&pu, TT_CREATED, o->t, TW_GENERAL, o->m, jobu == 'A' ? o->m : o->k, o->u, o->m, nb_u);
    if (has_vt) Vt = tt_enter(&pv, TT_CREATED, o->t, TW_GENERAL, right, o->n, o->vt, right, nb_vt);
    tt_expect_info(tw_gesvd((enum tw_svd_job)jobu, (enum tw_svd_job)jobvt, A, o->s, U, Vt, o->superb), 0,
                   "%c%c, %d x %d", jobu, jobvt, o->m, o->n);
    tt_leave(&pa);
    if (has_u) tt_leave(&pu);
    if (has_vt) tt_leave(&pv);
    o->tiles = nb_u == 24 && nb_vt == 24;
    compare(o, jobu, jobvt, right);
}

static void jobs(void **state)
{
    static const int shapes[][2] = {{2, 3}, {60, 60}, {75, 90}, {120, 33}, {33, 120}};
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t)
        for (int i = 0; i < COUNT(shapes); i++) {
            struct one o;
            begin(&o, t, shapes[i][0], shapes[i][1]);
            for (const char *u = "ASON"; *u; u++)
                for (const char *v = "ASON"; *v; v++)
                    if (*u != 'O' || *v != 'O') {
                        matrix_door(&o, *u, *v, 24, 24);
                        matrix_door(&o, *u, *v, 30, 17);
                    }
            end(&o);
        }
    unsetenv("TILEWORK_BAND");
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

static tw_int door(enum tw_type t, char u, char v, int m, int n, void *a, int lda, double *s, void *U, int ldu,
                   void *vt, int ldvt, double *superb)
{
    float single[MOST], above[MOST];
    tw_int info;

    if (t == TW_DOUBLE) return tw_dgesvd(u, v, m, n, a, lda, s, U, ldu, vt, ldvt, superb);
    if (t == TW_COMPLEX_DOUBLE) return tw_zgesvd(u, v, m, n, a, lda, s, U, ldu, vt, ldvt, superb);
    info = t == TW_FLOAT ? tw_sgesvd(u, v, m, n, a, lda, single, U, ldu, vt, ldvt, above)
                         : tw_cgesvd(u, v, m, n, a, lda, single, U, ldu, vt, ldvt, above);
    for (int i = 0; i < smaller(m, n) && info >= 0; i++) {
        s[i] = (double)single[i];
        if (i + 1 < smaller(m, n)) superb[i] = (double)above[i];
    }
    return info;
}

static void judge(const char *what, const struct one *o, char jobu, char jobvt, const void *u, int ldu, const void *vt,
                  int ldvt)
{
    const struct check_array array = {CHECK_GENERAL, o->t, TW_GENERAL, TW_NONUNIT, o->m, o->n, o->a, o->lda};
    const struct check_matrix A = check_of_array(&array);
    double residual[3] = {0, 0, 0}, error = 0;

    assert_int_equal(check_gesdd(&A, o->s, jobu == 'A' ? o->m : o->k, u, ldu, rows_of_vt(o, jobvt), vt, ldvt, residual),
                     0);
    assert_int_equal(check_singular_values(&A, o->s, &error), 0);
    tt_expect("|A - U S V^H|", o->t, residual[0], 0, "%s, %c%c, %d x %d", what, jobu, jobvt, o->m, o->n);
    tt_expect("|U^H U - I|", o->t, residual[1], 0, "%s, %c%c, %d x %d", what, jobu, jobvt, o->m, o->n);
    tt_expect("|V^H V - I|", o->t, residual[2], 0, "%s, %c%c, %d x %d", what, jobu, jobvt, o->m, o->n);
    tt_expect("|s - LAPACK's|", o->t, error, 0, "%s, %c%c, %d x %d", what, jobu, jobvt, o->m, o->n);
    for (int i = 0; i + 1 < o->k; i++)
        assert_true(o->superb[i] == 0);
}

static void lapack_door(void **state)
{
    static const int shapes[][2] = {{70, 60}, {30, 90}};
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t)
        for (int i = 0; i < 2 * COUNT(shapes); i++) {
            struct one o;
            begin(&o, t, shapes[i / 2][0], shapes[i / 2][1]);
            if (i % 2) setenv("TILEWORK_CROSSOVER", "0", 1);
            for (const char *u = "AsON"; *u; u++)
                for (const char *v = "ASoN"; *v; v++) {
                    const char U = (char)(*u & ~32), V = (char)(*v & ~32);
                    const int ldvt = rows_of_vt(&o, V) + 1;
                    if (U == 'O' && V == 'O') continue;
                    free(o.vt), o.vt = tt_array(t, ldvt, o.n);
                    tt_expect_info(door(t, *u, *v, o.m, o.n, o.over, o.lda, o.s, o.u, o.m, o.vt, ldvt, o.superb), 0,
                                   "%c%c", U, V);
                    judge("LAPACK's name", &o, U, V,
                          U == 'N'   ? NULL
                          : U == 'O' ? o.over
                                     : o.u,
                          U == 'O' ? o.lda : o.m,
                          V == 'N'   ? NULL
                          : V == 'O' ? o.over
                                     : o.vt,
                          V == 'O' ? o.lda : ldvt);
                    memcpy(o.over, o.a, (size_t)o.lda * (size_t)o.n * tt_size(t));
                }
            unsetenv("TILEWORK_CROSSOVER");
            end(&o);
        }
    unsetenv("TILEWORK_BAND");
}

enum { SPACE = 20000 };
static int lapacke(int ours, int work, enum tw_type t, int layout, char u, char v, int m, int n, void *a, int lda,
                   double *s, void *U, int ldu, void *vt, int ldvt, double *superb, void *space, int lwork)
{
    static double rwork[SPACE];
    float single[MOST], above[MOST];
    float *const few = (float *)(void *)rwork;
    int info;

#define WORK(p, s, ...)                                                                                                \
    (ours ? tw_LAPACKE_##p##gesvd_work(layout, u, v, m, n, a, lda, s, U, ldu, vt, ldvt, __VA_ARGS__)                   \
          : LAPACKE_##p##gesvd_work(layout, u, v, m, n, a, lda, s, U, ldu, vt, ldvt, __VA_ARGS__))
#define WHOLE(p, s, superb) tw_LAPACKE_##p##gesvd(layout, u, v, m, n, a, lda, s, U, ldu, vt, ldvt, superb)
    switch (t) {
    case TW_DOUBLE: return work ? WORK(d, s, space, lwork) : WHOLE(d, s, superb);
    case TW_COMPLEX_DOUBLE: return work ? WORK(z, s, space, lwork, rwork) : WHOLE(z, s, superb);
    case TW_FLOAT: info = work ? WORK(s, single, space, lwork) : WHOLE(s, single, above); break;
    default: info = work ? WORK(c, single, space, lwork, few) : WHOLE(c, single, above);
    }
    for (int i = 0; i < smaller(m, n) && info == 0 && lwork != -1; i++)
        s[i] = (double)single[i];
    return info;
}

static void lapacke_doors(void **state)
{
    static const int shapes[][2] = {{40, 30}, {30, 40}};
    static const char jobs[][2] = {{'A', 'S'}, {'S', 'A'}, {'O', 'A'}, {'A', 'O'}, {'N', 'S'}, {'S', 'N'}, {'N', 'N'}};
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    setenv("TILEWORK_CROSSOVER", "0", 1);
    TT_TYPES(t)
        for (int i = 0; i < COUNT(shapes); i++)
            for (int k = 0; k < COUNT(jobs); k++)
                for (int l = 0; l < 2; l++) {
                    const int layout = l ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR, work = (i + k + l) % 2, ld = 45;
                    const char U = jobs[k][0], V = jobs[k][1];
                    void *a = tt_array(t, ld, ld), *u = tt_array(t, ld, ld), *vt = tt_array(t, ld, ld),
                         *space = malloc(SPACE * tt_size(t)), *q[2];
                    const void *from[2] = {U == 'O' ? a : U == 'N' ? NULL : u, V == 'O' ? a : V == 'N' ? NULL : vt};
                    struct one o;
                    begin(&o, t, shapes[i][0], shapes[i][1]);
                    for (int c = 0; c < o.n; c++)
                        for (int r = 0; r < o.m; r++)
                            tt_put(t, a, tt_layout_at(layout, r, c, ld),
                                   tt_get(t, o.a, (size_t)r + (size_t)c * (size_t)o.lda));
                    assert_int_equal(
                        lapacke(1, work, t, layout, U, V, o.m, o.n, a, ld, o.s, u, ld, vt, ld, o.superb, space, SPACE),
                        0);
                    for (int side = 0; side < 2; side++) {
                        q[side] = from[side] ? tt_array(t, ld, ld) : NULL;
                        for (int c = 0; q[side] && c < (side ? o.n : U == 'A' ? o.m : o.k); c++)
                            for (int r = 0; r < (side ? rows_of_vt(&o, V) : o.m); r++)
                                tt_put(t, q[side], (size_t)r + (size_t)c * (size_t)ld,
                                       tt_get(t, from[side], tt_layout_at(layout, r, c, ld)));
                    }
                    judge("LAPACKE's name", &o, U, V, q[0], ld, q[1], ld);
                    end(&o);
                    free(a), free(u), free(vt), free(space), free(q[0]), free(q[1]);
                }
    unsetenv("TILEWORK_CROSSOVER");
    unsetenv("TILEWORK_BAND");
}

/* Of workspaces LAPACK's own least sizes are asked for. */
static void workspaces(void **state)
{
    enum { LD = 50 };
    static const int shapes[][2] = {{1, 1}, {10, 10}, {15, 10}, {16, 10}, {40, 10}, {10, 15}, {10, 16}, {10, 40}};
    double s[LD], superb[LD];
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(shapes); k++)
            for (const char *u = "ASON"; *u; u++)
                for (const char *v = "ASON"; *v; v++) {
                    const int m = shapes[k][0], n = shapes[k][1];
                    void *a = tt_array(t, LD, LD), *U = tt_array(t, LD, LD), *vt = tt_array(t, LD, LD),
                         *space = calloc(SPACE, tt_size(t));
                    int least;
#define CALL(ours, lwork)                                                                                              \
    lapacke(ours, 1, t, LAPACK_COL_MAJOR, *u, *v, m, n, a, LD, s, U, LD, vt, LD, superb, space, lwork)
                    tt_random(t, 'G', LD, LD, a, LD, 3);
                    if (*u != 'O' || *v != 'O') {
                        assert_int_equal(CALL(1, -1), 0);
                        least = (int)creal(tt_get(t, space, 0));
                        assert_int_equal(CALL(0, least), 0);
                        for (int ours = 0; least > 1 && ours < 2; ours++)
                            tt_expect_info(CALL(ours, least - 1), -14, "%c%c, %d x %d, lwork %d, %s", *u, *v, m, n,
                                           least - 1, ours ? "ours" : "LAPACK's");
                    }
#undef CALL
                    free(a), free(U), free(vt), free(space);
                }
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void not_finite(void **state)
{
    static const double bad[] = {NAN, INFINITY};
    (void)state;
    TT_TYPES(t)
        for (int i = 0; i < 4; i++) {
            struct one o;
            begin(&o, t, 40, 30);
            tt_put(t, o.over, 5 + 11 * 42, bad[i % 2]);
            if (i < 2) setenv("TILEWORK_CROSSOVER", "0", 1);
            assert_int_equal(door(t, 'S', 'S', o.m, o.n, o.over, o.lda, o.s, o.u, o.m, o.vt, o.n, o.superb), o.k);
            unsetenv("TILEWORK_CROSSOVER");
            for (int j = 0; j < o.k; j++)
                assert_true(isnan(o.s[j]));
            end(&o);
        }
}

static void refusals(void **state)
{
    double a[12] = {1}, s[4], u[16], vt[16], superb[4];
    tw_matrix *A, *U, *Vt;
    (void)state;
#define D(u_, v_, m, n, a, lda, s, u, ldu, vt, ldvt) (int)tw_dgesvd(u_, v_, m, n, a, lda, s, u, ldu, vt, ldvt, superb)
    assert_int_equal(D('X', 'N', 4, 3, a, 4, s, u, 4, vt, 3), -1);
    assert_int_equal(D('N', 'X', 4, 3, a, 4, s, u, 4, vt, 3), -2);
    assert_int_equal(D('O', 'O', 4, 3, a, 4, s, u, 4, vt, 3), -2);
    assert_int_equal(D('N', 'N', -1, 3, a, 4, s, u, 4, vt, 3), -3);
    assert_int_equal(D('N', 'N', 4, -1, a, 4, s, u, 4, vt, 3), -4);
    assert_int_equal(D('N', 'N', 4, 3, NULL, 4, s, u, 4, vt, 3), -5);
    assert_int_equal(D('N', 'N', 4, 3, a, 3, s, u, 4, vt, 3), -6);
    assert_int_equal(D('N', 'N', 4, 3, a, 4, NULL, u, 4, vt, 3), -7);
    assert_int_equal(D('S', 'N', 4, 3, a, 4, s, NULL, 4, vt, 3), -8);
    assert_int_equal(D('S', 'N', 4, 3, a, 4, s, u, 3, vt, 3), -9);
    assert_int_equal(D('O', 'S', 4, 3, a, 4, s, NULL, 1, NULL, 3), -10);
    assert_int_equal(D('O', 'S', 4, 3, a, 4, s, NULL, 1, vt, 2), -11);
    assert_int_equal(D('N', 'A', 3, 4, a, 3, s, NULL, 1, vt, 3), -11);
#undef D
    assert_int_equal(tw_LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', 4, 3, a, 2, s, u, 4, vt, 3, superb), -7);
    assert_int_equal(tw_LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'N', 4, 3, a, 3, s, u, 3, vt, 3, superb), -10);
    assert_int_equal(tw_LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'S', 4, 3, a, 3, s, u, 4, vt, 2, superb), -12);
    a[1] = NAN;
    assert_int_equal(tw_LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', 4, 3, a, 4, s, u, 4, vt, 3, superb), -6);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&U, TW_DOUBLE, TW_GENERAL, 4, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&Vt, TW_DOUBLE, TW_GENERAL, 3, 3, 2, NULL), 0);
    assert_int_equal(tw_gesvd((enum tw_svd_job)'X', TW_SVD_NONE, A, s, NULL, NULL, NULL), -1);
    assert_int_equal(tw_gesvd(TW_SVD_NONE, (enum tw_svd_job)'X', A, s, NULL, NULL, NULL), -2);
    assert_int_equal(tw_gesvd(TW_SVD_OVERWRITE, TW_SVD_OVERWRITE, A, s, NULL, NULL, NULL), -2);
    assert_int_equal(tw_gesvd(TW_SVD_NONE, TW_SVD_NONE, NULL, s, NULL, NULL, NULL), -3);
    assert_int_equal(tw_gesvd(TW_SVD_NONE, TW_SVD_NONE, A, NULL, NULL, NULL, NULL), -4);
    assert_int_equal(tw_gesvd(TW_SVD_SOME, TW_SVD_NONE, A, s, NULL, NULL, NULL), -5);
    assert_int_equal(tw_gesvd(TW_SVD_NONE, TW_SVD_SOME, A, s, U, Vt, NULL), -5);
    assert_int_equal(tw_gesvd(TW_SVD_SOME, TW_SVD_SOME, A, s, U, NULL, NULL), -6);
    assert_int_equal(tw_gesvd(TW_SVD_SOME, TW_SVD_OVERWRITE, A, s, U, Vt, NULL), -6);
    assert_int_equal(tw_gesvd_async(TW_SVD_NONE, TW_SVD_NONE, A, s, NULL, NULL, NULL, NULL), -8);
    tw_matrix_destroy(A), tw_matrix_destroy(U), tw_matrix_destroy(Vt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {tt_test_of_bits(jobs),           cmocka_unit_test(lapack_door),
                                       cmocka_unit_test(lapacke_doors), cmocka_unit_test(workspaces),
                                       cmocka_unit_test(not_finite),    cmocka_unit_test(refusals)};
    return tt_run(tests);
}
