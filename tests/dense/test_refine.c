/* gerfs, porfs, trrfs beside LAPACK's: the same backward and forward errors to a small factor, solutions that were
 * spoilt made good again, bounds that hold, tiles of every kind, every letter, NaN and infinities, sizes of 0,
 * refusals, LAPACKE's functions in both layouts. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <tilework/lapacke.h>

#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
enum { MOST = 160 };

/* One system: A (in `part`: 'G', or a triangle), its factors, right-hand sides, solutions. */
struct system {
    enum tw_type t;
    char part, trans, diag;
    int n, nrhs, ld;
    void *a, *f, *b, *x, *exact;
    int ipiv[MOST];
    tw_int wide[MOST];
};

static tt_z *whole(const struct system *s)
{
    const enum tt_structure st = s->part == 'G' ? TT_GENERAL : s->diag ? TT_TRIANGULAR : TT_HERMITIAN;
    return tt_full(st, s->t, s->part, s->diag ? s->diag : 'N', s->n, s->n, s->a, s->ld);
}

/* b = op(A) exact, rounded. */
static void make_b(struct system *s)
{
    tt_z *full = tt_op(s->trans, s->n, s->n, whole(s)),
         *x = tt_full(TT_GENERAL, s->t, 'G', 'N', s->n, s->nrhs, s->exact, s->ld),
         *b = calloc((size_t)(s->n * s->nrhs + 1), sizeof *b);
    tt_multiply(s->n, s->nrhs, s->n, 1, full, x, 0, b);
    for (int j = 0; j < s->nrhs; j++)
        for (int i = 0; i < s->n; i++)
            tt_put(s->t, s->b, (size_t)(i + j * s->ld), b[i + j * s->n]);
    free(full), free(x), free(b);
}

/* A column-major system; kind 'G' general, 'P' positive definite, 'T' triangular. Solutions are exact but for a
 * relative error of `spoilt`. */
static struct system make(enum tw_type t, char kind, char part, char trans, char diag, int n, int nrhs, double spoilt)
{
    struct system s = {.t = t, .part = part, .trans = trans, .diag = diag, .n = n, .nrhs = nrhs, .ld = n + 2};

    s.a = tt_array(t, s.ld, n);
    if (kind == 'G')
        tt_random(t, 'G', n, n, s.a, s.ld, 1);
    else if (kind == 'P')
        tt_spd(t, part, n, s.a, s.ld, 1);
    else
        tt_triangle(t, part, diag, n, s.a, s.ld, 1);
    s.f = tt_copy(t, s.ld, n, s.a);
    if (kind == 'G' && n > 0) assert_int_equal(tt_lapack_getrf(t, n, n, s.f, s.ld, s.ipiv), 0);
    if (kind == 'P') assert_int_equal(tt_lapack_potrf(t, part, n, s.f, s.ld), 0);
    for (int i = 0; i < n; i++)
        s.wide[i] = s.ipiv[i];
    s.exact = tt_array(t, s.ld, nrhs);
    tt_random(t, 'G', n, nrhs, s.exact, s.ld, 2);
    s.b = tt_array(t, s.ld, nrhs);
    make_b(&s);
    s.x = tt_copy(t, s.ld, nrhs, s.exact);
    for (int j = 0; j < nrhs; j++)
        for (int i = 0; i < n; i++)
            tt_put(t, s.x, (size_t)(i + j * s.ld),
                   tt_get(t, s.exact, (size_t)(i + j * s.ld)) * (1 + spoilt * tt_uniform(9, i, j)));
    return s;
}
static void drop(struct system *s)
{
    free(s->a), free(s->f), free(s->b), free(s->x), free(s->exact);
}

/* ---- by every way ------------------------------------------------------------------------------------------------ */

#define CALLS(p, R, T, MORE)                                                                                           \
    static int p##refine(int which, int layout, char kind, struct system *s, void *x, int ldx, void *ferr, void *berr) \
    {                                                                                                                  \
        static char work[1 << 16], more[1 << 16];                                                                      \
        T *w = (T *)(void *)work;                                                                                      \
        MORE *m = (MORE *)(void *)more;                                                                                \
        const int n = s->n, r = s->nrhs, ld = s->ld, b = ldx;                                                          \
        const char u = s->part, t = s->trans, d = s->diag;                                                             \
        switch (which * 10 + (kind == 'G' ? 0 : kind == 'P' ? 1 : 2)) {                                                \
        case 0:                                                                                                        \
            return LAPACKE_##p##gerfs_work(layout, t, n, r, s->a, ld, s->f, ld, s->ipiv, s->b, b, x, ldx, (R *)ferr,   \
                                           (R *)berr, w, m);                                                           \
        case 1:                                                                                                        \
            return LAPACKE_##p##porfs_work(layout, u, n, r, s->a, ld, s->f, ld, s->b, b, x, ldx, (R *)ferr, (R *)berr, \
                                           w, m);                                                                      \
        case 2:                                                                                                        \
            return LAPACKE_##p##trrfs_work(layout, u, t, d, n, r, s->a, ld, s->b, b, x, ldx, (R *)ferr, (R *)berr, w,  \
                                           m);                                                                         \
        case 10:                                                                                                       \
            return (int)tw_##p##gerfs(t, n, r, s->a, ld, s->f, ld, s->wide, s->b, b, x, ldx, (R *)ferr, (R *)berr);    \
        case 11: return (int)tw_##p##porfs(u, n, r, s->a, ld, s->f, ld, s->b, b, x, ldx, (R *)ferr, (R *)berr);        \
        case 12: return (int)tw_##p##trrfs(u, t, d, n, r, s->a, ld, s->b, b, x, ldx, (R *)ferr, (R *)berr);            \
        case 20:                                                                                                       \
            return tw_LAPACKE_##p##gerfs(layout, t, n, r, s->a, ld, s->f, ld, s->ipiv, s->b, b, x, ldx, (R *)ferr,     \
                                         (R *)berr);                                                                   \
        case 21:                                                                                                       \
            return tw_LAPACKE_##p##porfs(layout, u, n, r, s->a, ld, s->f, ld, s->b, b, x, ldx, (R *)ferr, (R *)berr);  \
        case 22: return tw_LAPACKE_##p##trrfs(layout, u, t, d, n, r, s->a, ld, s->b, b, x, ldx, (R *)ferr, (R *)berr); \
        case 30:                                                                                                       \
            return tw_LAPACKE_##p##gerfs_work(layout, t, n, r, s->a, ld, s->f, ld, s->ipiv, s->b, b, x, ldx,           \
                                              (R *)ferr, (R *)berr, w, m);                                             \
        case 31:                                                                                                       \
            return tw_LAPACKE_##p##porfs_work(layout, u, n, r, s->a, ld, s->f, ld, s->b, b, x, ldx, (R *)ferr,         \
                                              (R *)berr, w, m);                                                        \
        case 40:                                                                                                       \
            return LAPACKE_##p##gerfs(layout, t, n, r, s->a, ld, s->f, ld, s->ipiv, s->b, b, x, ldx, (R *)ferr,        \
                                      (R *)berr);                                                                      \
        case 41:                                                                                                       \
            return LAPACKE_##p##porfs(layout, u, n, r, s->a, ld, s->f, ld, s->b, b, x, ldx, (R *)ferr, (R *)berr);     \
        case 42: return LAPACKE_##p##trrfs(layout, u, t, d, n, r, s->a, ld, s->b, b, x, ldx, (R *)ferr, (R *)berr);    \
        default:                                                                                                       \
            return tw_LAPACKE_##p##trrfs_work(layout, u, t, d, n, r, s->a, ld, s->b, b, x, ldx, (R *)ferr, (R *)berr,  \
                                              w, m);                                                                   \
        }                                                                                                              \
    }
CALLS(s, float, float, int)
CALLS(d, double, double, int)
CALLS(c, float, lapack_complex_float, float)
CALLS(z, double, lapack_complex_double, double)

enum { LAPACK, DOOR, LAPACKE, WORK, LAPACKES_OWN };
/* x and both bounds, as double, of one way. */
static int refine(int which, int layout, char kind, struct system *s, void *x, int ldx, double *ferr, double *berr)
{
    int (*const by_type[])(int, int, char, struct system *, void *, int, void *, void *) = {srefine, drefine, crefine,
                                                                                            zrefine};
    const int single = s->t == TW_FLOAT || s->t == TW_COMPLEX_FLOAT;
    float fs[MOST], bs[MOST];
    const int info =
        by_type[s->t](which, layout, kind, s, x, ldx, single ? (void *)fs : ferr, single ? (void *)bs : berr);

    for (int j = 0; single && j < s->nrhs; j++)
        ferr[j] = (double)fs[j], berr[j] = (double)bs[j];
    return info;
}

static int in_tiles(char kind, struct system *s, void *x, int nb, int kb, double *ferr, double *berr)
{
    tw_matrix *A, *F, *B, *X, *P = NULL;
    const enum tw_uplo part = (enum tw_uplo)s->part;
    const enum tw_trans trans = (enum tw_trans)s->trans;
    int info;

    assert_int_equal(tw_matrix_from_lapack(&A, s->t, part, s->n, s->n, s->a, s->ld, nb), 0);
    assert_int_equal(tw_matrix_from_lapack(&F, s->t, part, s->n, s->n, s->f, s->ld, nb), 0);
    assert_int_equal(tw_matrix_create_tiles(&B, s->t, TW_GENERAL, s->n, s->nrhs, kb, nb, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(B, s->b, s->ld), 0);
    assert_int_equal(tw_matrix_create_tiles(&X, s->t, TW_GENERAL, s->n, s->nrhs, nb, kb, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(X, x, s->ld), 0);
    if (kind == 'G') assert_int_equal(tw_pivots_create(&P, F), 0);
    if (kind == 'G') assert_int_equal(tw_matrix_set_lapack(P, s->ipiv, s->n > 0 ? s->n : 1), 0);
    info = kind == 'G'   ? tw_gerfs(trans, A, F, P, B, X, ferr, berr, NULL)
           : kind == 'P' ? tw_porfs(part, A, F, B, X, ferr, berr, NULL)
                         : tw_trrfs(part, trans, (enum tw_diag)s->diag, A, B, X, ferr, berr);
    assert_int_equal(tw_matrix_to_lapack(X, x, s->ld), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(F), 0);
    assert_int_equal(tw_matrix_destroy(B), 0);
    assert_int_equal(tw_matrix_destroy(X), 0);
    assert_int_equal(tw_matrix_destroy(P), 0);
    return info;
}

/* ---- verdicts ---------------------------------------------------------------------------------------------------- */

static double abs1(tt_z z)
{
    return fabs(creal(z)) + fabs(cimag(z));
}
static double true_error(const struct system *s, const void *x, int j)
{
    double most = 0, norm = 0;
    for (int i = 0; i < s->n; i++) {
        const size_t at = (size_t)(i + j * s->ld);
        most = fmax(most, abs1(tt_get(s->t, x, at) - tt_get(s->t, s->exact, at)));
        norm = fmax(norm, abs1(tt_get(s->t, x, at)));
    }
    return norm > 0 ? most / norm : most;
}

/* Beside LAPACK's results on the same system. */
static void judge(const char *what, const struct system *s, const void *x, const double *ferr, const double *berr,
                  const double *theirs_f, const double *theirs_b)
{
    const double eps = tt_eps(s->t);
    for (int j = 0; j < s->nrhs; j++) {
        const double error = true_error(s, x, j);
        /* what rounding the residual leaves is some eps, one way or the other */
        if (!(berr[j] <= 8 * fmax(theirs_b[j], eps)) || !(theirs_b[j] <= 30 * fmax(berr[j], eps)))
            fail_msg("%c%s n=%d column %d: berr %g, LAPACK's %g", tt_letter(s->t), what, s->n, j, berr[j], theirs_b[j]);
        if (!(ferr[j] <= 10 * theirs_f[j] && theirs_f[j] <= 10 * ferr[j]))
            fail_msg("%c%s n=%d column %d: ferr %g, LAPACK's %g", tt_letter(s->t), what, s->n, j, ferr[j], theirs_f[j]);
        /* b is rounded: the exact solution belongs to a matrix that is off by an ulp in each row */
        if (!(error <= 3 * ferr[j])) fail_msg("%c%s: error %g, bound %g", tt_letter(s->t), what, error, ferr[j]);
    }
}

static const char *const kinds[] = {"GGN", "GGT", "GGC", "PL", "PU", "TLNN", "TUTN", "TLCU", "TUNU", "TLTU", "TUCN"};

/* Kind, part, trans, diag. */
static struct system of(enum tw_type t, const char *k, int n, int nrhs, double spoilt)
{
    return make(t, k[0], k[1], k[0] == 'P' ? 'N' : k[2], k[0] == 'T' ? k[3] : 0, n, nrhs, spoilt);
}

static void beside_lapack(void **state)
{
    static const int sizes[][4] = {{1, 1, 1, 1}, {7, 3, 3, 2}, {40, 5, 16, 16}, {50, 70, 16, 5}, {60, 66, 60, 66}};

    (void)state;
    FOR_TYPES(t)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++) {
                if (z > 2 && k % 3 != 0) continue; /* many right-hand sides, not for every letter */
                struct system s = of(t, kinds[k], sizes[z][0], sizes[z][1], kinds[k][0] == 'T' ? 10 * tt_eps(t) : 1e-3);
                void *mine = tt_copy(t, s.ld, s.nrhs, s.x), *door = tt_copy(t, s.ld, s.nrhs, s.x);
                double f[3][MOST], b[3][MOST];

                assert_int_equal(refine(LAPACK, LAPACK_COL_MAJOR, kinds[k][0], &s, s.x, s.ld, f[0], b[0]), 0);
                tt_expect_info(in_tiles(kinds[k][0], &s, mine, sizes[z][2], sizes[z][3], f[1], b[1]), 0, "%s",
                               kinds[k]);
                judge(kinds[k], &s, mine, f[1], b[1], f[0], b[0]);
                tt_expect_info(refine(DOOR, 0, kinds[k][0], &s, door, s.ld, f[2], b[2]), 0, "%s", kinds[k]);
                judge(kinds[k], &s, door, f[2], b[2], f[0], b[0]);
                assert_int_equal(tt_touched(t, 'G', s.n, s.nrhs, door, s.ld), 0);
                free(mine), free(door);
                drop(&s);
            }
}

/* Bounds are 0 where there is nothing; X = 0 and B = 0 give 0; NaN ends. */
static void ends(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (size_t k = 0; k < 4; k++) {
            static const char *const some[] = {"GGN", "PL", "TUTN", "GGC"};
            double f[MOST], b[MOST];
            struct system s = of(t, some[k], 30, 2, 0.01);

            for (int bad = 0; bad < 3; bad++) {
                void *x = tt_copy(t, s.ld, 2, s.x);
                tt_put(t, x, 3, bad == 0 ? NAN : bad == 1 ? INFINITY : 1);
                if (bad == 2) tt_put(t, s.b, 0, NAN);
                f[0] = b[0] = f[1] = b[1] = -1;
                tt_expect_info(in_tiles(some[k][0], &s, x, 11, 1, f, b), 0, "%s", some[k]);
                assert_true(!(b[0] < 1e-3) && !(f[0] == -1)); /* it is not said to be right */
                assert_true(b[1] >= 0 && b[1] <= (some[k][0] == 'T' ? 1 : 4 * tt_eps(t))); /* the other is */
                free(x);
            }
            drop(&s);
            s = of(t, some[k], 0, 3, 0);
            f[2] = b[2] = -1;
            tt_expect_info(in_tiles(some[k][0], &s, s.x, 4, 4, f, b), 0, "nothing");
            assert_true(f[2] == 0 && b[2] == 0);
            f[2] = b[2] = -1;
            tt_expect_info(refine(DOOR, 0, some[k][0], &s, s.x, s.ld, f, b), 0, "nothing");
            assert_true(f[2] == 0 && b[2] == 0);
            drop(&s);
            s = of(t, some[k], 20, 2, 0);
            for (int i = 0; i < 2 * s.ld; i++)
                tt_put(t, s.x, (size_t)i, 0), tt_put(t, s.b, (size_t)i, 0);
            tt_expect_info(in_tiles(some[k][0], &s, s.x, 8, 8, f, b), 0, "zeros");
            assert_true(f[0] >= 0 && f[0] < 1e-6 && b[0] >= 0 && b[0] <= 1);
            drop(&s);
        }
}

static void rows(enum tw_type t, void *to, const void *from, int m, int n, int ld, int ldt)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, to, (size_t)(j + i * ldt), tt_get(t, from, (size_t)(i + j * ld)));
}

static void same_as_lapacke(void **state)
{
    enum { N = 40, RHS = 5, LD = 44 };

    (void)state;
    FOR_TYPES(t)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (int l = 0; l < 2; l++)
                for (int which = LAPACKE; which <= WORK; which++) {
                    struct system s = of(t, kinds[k], N, RHS, kinds[k][0] == 'T' ? 10 * tt_eps(t) : 1e-3), r = s;
                    double f[2][MOST], b[2][MOST];
                    void *x[2];

                    if (l == 1) {
                        r.ld = LD;
                        r.a = tt_array(t, LD, N), r.f = tt_array(t, LD, N), r.b = tt_array(t, LD, N);
                        rows(t, r.a, s.a, N, N, s.ld, LD), rows(t, r.f, s.f, N, N, s.ld, LD);
                        rows(t, r.b, s.b, N, RHS, s.ld, LD);
                    }
                    for (int w = 0; w < 2; w++) {
                        x[w] = tt_array(t, r.ld, N);
                        if (l == 1)
                            rows(t, x[w], s.x, N, RHS, s.ld, LD);
                        else
                            memcpy(x[w], s.x, (size_t)(s.ld * RHS) * tt_size(t));
                        assert_int_equal(refine(w               ? which
                                                : which == WORK ? LAPACK
                                                                : LAPACKES_OWN,
                                                l ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR, kinds[k][0], &r, x[w], r.ld,
                                                f[w], b[w]),
                                         0);
                    }
                    for (int j = 0; j < RHS; j++) {
                        assert_true(b[1][j] <= 3 * fmax(b[0][j], tt_eps(t)));
                        assert_true(f[1][j] <= 10 * f[0][j] && f[0][j] <= 10 * f[1][j]);
                    }
                    tt_expect("LAPACKE's refinement", t,
                              tt_difference(t, 'G', 'N', l ? RHS : N, l ? N : RHS, x[1], r.ld, x[0], r.ld) / 1000, 0,
                              "%s", kinds[k]);
                    free(x[0]), free(x[1]);
                    if (l == 1) free(r.a), free(r.f), free(r.b);
                    drop(&s);
                }
}

static void codes(void **state)
{
    double a[64], f[64], b[64], x[64], e[8], g[8];
    int p[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    tw_int q[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    (void)state;
    for (int i = 0; i < 64; i++)
        a[i] = f[i] = b[i] = x[i] = i % 9 == 0;
    tt_expect_info(tw_dgerfs('X', 8, 8, a, 8, f, 8, q, b, 8, x, 8, e, g), -1, "trans");
    tt_expect_info(tw_dgerfs('N', -1, 8, a, 8, f, 8, q, b, 8, x, 8, e, g), -2, "n");
    tt_expect_info(tw_dgerfs('N', 8, -1, a, 8, f, 8, q, b, 8, x, 8, e, g), -3, "nrhs");
    tt_expect_info(tw_dgerfs('N', 8, 8, NULL, 8, f, 8, q, b, 8, x, 8, e, g), -4, "a");
    tt_expect_info(tw_dgerfs('N', 8, 8, a, 7, f, 8, q, b, 8, x, 8, e, g), -5, "lda");
    tt_expect_info(tw_dgerfs('N', 8, 8, a, 8, f, 7, q, b, 8, x, 8, e, g), -7, "ldaf");
    tt_expect_info(tw_dgerfs('N', 8, 8, a, 8, f, 8, NULL, b, 8, x, 8, e, g), -8, "ipiv");
    tt_expect_info(tw_dgerfs('N', 8, 8, a, 8, f, 8, q, b, 7, x, 8, e, g), -10, "ldb");
    tt_expect_info(tw_dgerfs('N', 8, 8, a, 8, f, 8, q, b, 8, x, 7, e, g), -12, "ldx");
    tt_expect_info(tw_dgerfs('N', 8, 8, a, 8, f, 8, q, b, 8, x, 8, NULL, g), -13, "ferr");
    tt_expect_info(tw_dgerfs('N', 8, 0, a, 8, f, 8, q, b, 8, x, 8, NULL, NULL), 0, "no columns");
    tt_expect_info(tw_dporfs('X', 8, 8, a, 8, f, 8, b, 8, x, 8, e, g), -1, "uplo");
    tt_expect_info(tw_dporfs('L', 8, 8, a, 7, f, 8, b, 8, x, 8, e, g), -5, "lda");
    tt_expect_info(tw_dporfs('L', 8, 8, a, 8, f, 7, b, 8, x, 8, e, g), -7, "ldaf");
    tt_expect_info(tw_dporfs('L', 8, 8, a, 8, f, 8, b, 7, x, 8, e, g), -9, "ldb");
    tt_expect_info(tw_dporfs('L', 8, 8, a, 8, f, 8, b, 8, x, 7, e, g), -11, "ldx");
    tt_expect_info(tw_dporfs('L', 8, 8, a, 8, f, 8, b, 8, x, 8, e, NULL), -13, "berr");
    tt_expect_info(tw_dtrrfs('X', 'N', 'N', 8, 8, a, 8, b, 8, x, 8, e, g), -1, "uplo");
    tt_expect_info(tw_dtrrfs('L', 'X', 'N', 8, 8, a, 8, b, 8, x, 8, e, g), -2, "trans");
    tt_expect_info(tw_dtrrfs('L', 'N', 'X', 8, 8, a, 8, b, 8, x, 8, e, g), -3, "diag");
    tt_expect_info(tw_dtrrfs('L', 'N', 'N', 8, 8, a, 7, b, 8, x, 8, e, g), -7, "lda");
    tt_expect_info(tw_dtrrfs('L', 'N', 'N', 8, 8, a, 8, b, 7, x, 8, e, g), -9, "ldb");
    tt_expect_info(tw_dtrrfs('L', 'N', 'N', 8, 8, a, 8, b, 8, x, 7, e, g), -11, "ldx");
    a[0] = NAN;
    assert_int_equal(tw_LAPACKE_dgerfs(LAPACK_ROW_MAJOR, 'N', 8, 8, a, 8, f, 8, p, b, 8, x, 8, e, g), -5);
    assert_int_equal(LAPACKE_dgerfs(LAPACK_ROW_MAJOR, 'N', 8, 8, a, 8, f, 8, p, b, 8, x, 8, e, g), -5);
    assert_int_equal(tw_LAPACKE_dporfs(LAPACK_ROW_MAJOR, 'L', 8, 8, a, 8, f, 8, b, 8, x, 8, e, g), -5);
    assert_int_equal(tw_LAPACKE_dtrrfs(LAPACK_ROW_MAJOR, 'L', 'N', 'N', 8, 8, a, 8, b, 8, x, 8, e, g), -7);
    assert_int_equal(tw_LAPACKE_dgerfs(LAPACK_ROW_MAJOR, 'N', 8, 8, f, 8, f, 8, p, b, 7, x, 8, e, g), -11);
    assert_int_equal(LAPACKE_dgerfs(LAPACK_ROW_MAJOR, 'N', 8, 8, f, 8, f, 8, p, b, 7, x, 8, e, g), -11);
    assert_int_equal(tw_gerfs(TW_NOTRANS, NULL, NULL, NULL, NULL, NULL, e, g, NULL), -2);
    assert_int_equal(tw_porfs(TW_LOWER, NULL, NULL, NULL, NULL, e, g, NULL), -2);
    assert_int_equal(tw_trrfs(TW_LOWER, TW_NOTRANS, TW_UNIT, NULL, NULL, NULL, e, g), -4);
}

/* Factor, solve, refine as one graph; what is overwritten behind it was still there. */
static void one_graph(void **state)
{
    enum { N = 130, RHS = 70, NB = 32 };
    const tw_scalar zero = {0, 0};

    (void)state;
    FOR_TYPES(t) {
        void *a = tt_array(t, N, N), *b = tt_array(t, N, RHS), *x = tt_array(t, N, RHS);
        double ferr[RHS], berr[RHS];
        int steps = -1;
        tw_matrix *A, *F, *P, *B, *X;
        tw_sequence *seq;

        tt_random(t, 'G', N, N, a, N, 1);
        tt_random(t, 'G', N, RHS, b, N, 2);
        assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, N, N, a, N, NB), 0);
        assert_int_equal(tw_matrix_from_lapack(&F, t, TW_GENERAL, N, N, a, N, NB), 0);
        assert_int_equal(tw_matrix_from_lapack(&B, t, TW_GENERAL, N, RHS, b, N, NB), 0);
        assert_int_equal(tw_matrix_from_lapack(&X, t, TW_GENERAL, N, RHS, b, N, NB), 0);
        assert_int_equal(tw_pivots_create(&P, F), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_gesv_async(F, P, X, seq), 0);
        assert_int_equal(tw_gerfs_async(TW_NOTRANS, A, F, P, B, X, ferr, berr, &steps, seq), 0);
        assert_int_equal(tw_laset_async(TW_GENERAL, zero, zero, A, seq), 0);
        assert_int_equal(tw_laset_async(TW_GENERAL, zero, zero, F, seq), 0);
        tt_expect_info(tw_sequence_wait(seq), 0, "the graph");
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(tw_matrix_to_lapack(X, x, N), 0);
        tt_expect("gesv and gerfs", t, tt_general_solve_residual(t, 'N', N, RHS, a, N, b, N, x, N), N, "n=%d", N);
        for (int j = 0; j < RHS; j++)
            assert_true(steps >= 0 && steps <= 5 && berr[j] <= 8 * tt_eps(t) && ferr[j] > 0 && ferr[j] < 0.1);
        assert_int_equal(tw_matrix_destroy(A), 0);
        assert_int_equal(tw_matrix_destroy(F), 0);
        assert_int_equal(tw_matrix_destroy(B), 0);
        assert_int_equal(tw_matrix_destroy(X), 0);
        assert_int_equal(tw_matrix_destroy(P), 0);
        free(a), free(b), free(x);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(beside_lapack), cmocka_unit_test(ends),
                                       cmocka_unit_test(same_as_lapacke), cmocka_unit_test(codes),
                                       cmocka_unit_test(one_graph)};
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
