/* gesv_mixed and posv_mixed, LAPACK's dsgesv, zcgesv, dsposv, zcposv: iter's value and sign beside LAPACK's, A and its
 * pivots, what leads to double precision, infos, NaN, LAPACKE's functions, refusals, a graph with what comes after. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <tilework/lapacke.h>

#include "tt.h"

static const enum tw_type types[] = {TW_DOUBLE, TW_COMPLEX_DOUBLE};
#define FOR_TYPES(t) for (enum tw_type t = TW_DOUBLE; (int)t <= TW_COMPLEX_DOUBLE; t = types[1] + (t == types[1]))
enum { MOST = 160 };

/* A X = B; part 'G' by LU, 'L' or 'U' by Cholesky. */
struct system {
    enum tw_type t;
    char part;
    int n, nrhs, ld;
    void *a, *f, *b, *x;
    int ipiv[MOST];
    double berr;
    tw_int iter;
};

static struct system make_by(enum tw_type t, char part, int n, int nrhs, uint64_t seed)
{
    struct system s = {.t = t, .part = part, .n = n, .nrhs = nrhs, .ld = n + 3, .iter = 99};

    s.a = tt_array(t, s.ld, n);
    if (part == 'G')
        tt_random(t, 'G', n, n, s.a, s.ld, seed);
    else
        tt_spd(t, part, n, s.a, s.ld, seed);
    s.b = tt_array(t, s.ld, nrhs);
    tt_random(t, 'G', n, nrhs, s.b, s.ld, seed + 1);
    s.x = tt_array(t, s.ld, nrhs);
    return s;
}
static struct system make(enum tw_type t, char part, int n, int nrhs)
{
    return make_by(t, part, n, nrhs, 11);
}
static void drop(struct system *s)
{
    free(s->a), free(s->f), free(s->b), free(s->x);
}
static void set(struct system *s, int i, int j, tt_z value)
{
    tt_put(s->t, s->a, (size_t)(i + j * s->ld), value);
}
static tt_z get(const struct system *s, const void *a, int i, int j)
{
    return tt_get(s->t, a, (size_t)(i + j * s->ld));
}
static void scale(struct system *s, void *a, int columns, double by)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < s->n; i++)
            tt_put(s->t, a, (size_t)(i + j * s->ld), by * get(s, a, i, j));
}

/* ---- by every way ------------------------------------------------------------------------------------------------ */

enum { LAPACK, DOOR, TILES, ASYNC, WAYS };

static int by_lapack(struct system *s)
{
    int iter = 99, info;
    void *work = calloc((size_t)(s->n * (s->nrhs + 1)), 16), *half = calloc((size_t)(s->n * (s->n + s->nrhs) + 1), 8);
    double real[MOST];
    const int n = s->n, k = s->nrhs, ld = s->ld;

    if (s->part == 'G')
        info = s->t == TW_DOUBLE ? LAPACKE_dsgesv_work(LAPACK_COL_MAJOR, n, k, s->f, ld, s->ipiv, s->b, ld, s->x, ld,
                                                       work, half, &iter)
                                 : LAPACKE_zcgesv_work(LAPACK_COL_MAJOR, n, k, s->f, ld, s->ipiv, s->b, ld, s->x, ld,
                                                       work, half, real, &iter);
    else
        info = s->t == TW_DOUBLE ? LAPACKE_dsposv_work(LAPACK_COL_MAJOR, s->part, n, k, s->f, ld, s->b, ld, s->x, ld,
                                                       work, half, &iter)
                                 : LAPACKE_zcposv_work(LAPACK_COL_MAJOR, s->part, n, k, s->f, ld, s->b, ld, s->x, ld,
                                                       work, half, real, &iter);
    s->iter = iter;
    free(work), free(half);
    return info;
}

static int by_door(struct system *s)
{
    tw_int wide[MOST];
    const tw_int n = s->n, k = s->nrhs, ld = s->ld;
    tw_int info;

    if (s->part == 'G')
        info = s->t == TW_DOUBLE ? tw_dsgesv(n, k, s->f, ld, wide, s->b, ld, s->x, ld, &s->iter)
                                 : tw_zcgesv(n, k, s->f, ld, wide, s->b, ld, s->x, ld, &s->iter);
    else
        info = s->t == TW_DOUBLE ? tw_dsposv(s->part, n, k, s->f, ld, s->b, ld, s->x, ld, &s->iter)
                                 : tw_zcposv(s->part, n, k, s->f, ld, s->b, ld, s->x, ld, &s->iter);
    for (int i = 0; s->part == 'G' && i < s->n; i++)
        s->ipiv[i] = (int)wide[i];
    return (int)info;
}

/* Tiles of whatever shape where the routine takes them. */
static int by_tiles(struct system *s, int nb, int async)
{
    const int n = s->n, other = nb > 1 ? nb - 1 : nb;
    const enum tw_uplo uplo = (enum tw_uplo)s->part;
    tw_matrix *A, *B, *X, *P = NULL;
    tw_sequence *seq;
    int iter = 99, info;

    assert_int_equal(tw_matrix_create_tiles(&A, s->t, s->part == 'G' ? TW_GENERAL : uplo, n, n,
                                            s->part == 'G' ? other : nb, nb, NULL),
                     0);
    assert_int_equal(tw_matrix_set_lapack(A, s->f, s->ld), 0);
    assert_int_equal(tw_matrix_create_tiles(&B, s->t, TW_GENERAL, n, s->nrhs, other, nb, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(B, s->b, s->ld), 0);
    assert_int_equal(tw_matrix_create_tiles(&X, s->t, TW_GENERAL, n, s->nrhs, nb, 3, NULL), 0);
    if (s->part == 'G') assert_int_equal(tw_pivots_create(&P, A), 0);
    if (async) {
        assert_int_equal(tw_sequence_create(&seq), 0);
        info = s->part == 'G' ? tw_gesv_mixed_async(A, P, B, X, &iter, &s->berr, seq)
                              : tw_posv_mixed_async(uplo, A, B, X, &iter, &s->berr, seq);
        assert_int_equal(info, 0);
        info = tw_sequence_wait(seq);
        assert_int_equal(tw_sequence_destroy(seq), 0);
    } else {
        info =
            s->part == 'G' ? tw_gesv_mixed(A, P, B, X, &iter, &s->berr) : tw_posv_mixed(uplo, A, B, X, &iter, &s->berr);
    }
    s->iter = iter;
    assert_int_equal(tw_matrix_to_lapack(A, s->f, s->ld), 0);
    assert_int_equal(tw_matrix_to_lapack(X, s->x, s->ld), 0);
    if (P) assert_int_equal(tw_matrix_to_lapack(P, s->ipiv, n > 0 ? n : 1), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(B), 0);
    assert_int_equal(tw_matrix_destroy(X), 0);
    assert_int_equal(tw_matrix_destroy(P), 0);
    return info;
}

static int run(struct system *s, int way, int nb)
{
    free(s->f);
    s->f = tt_copy(s->t, s->ld, s->n, s->a);
    s->iter = 99;
    s->berr = 99;
    return way == LAPACK ? by_lapack(s) : way == DOOR ? by_door(s) : by_tiles(s, nb, way == ASYNC);
}

static double residual(const struct system *s)
{
    return s->part == 'G' ? tt_general_solve_residual(s->t, 'N', s->n, s->nrhs, s->a, s->ld, s->b, s->ld, s->x, s->ld)
                          : tt_solve_residual(s->t, s->part, s->n, s->nrhs, s->a, s->ld, s->b, s->ld, s->x, s->ld);
}
static double factor_residual(const struct system *s)
{
    tw_int wide[MOST];

    if (s->part != 'G') return tt_potrf_residual(s->t, s->part, s->n, s->a, s->ld, s->f, s->ld);
    for (int i = 0; i < s->n; i++)
        wide[i] = s->ipiv[i];
    return tt_lu_residual(s->t, s->n, s->n, s->a, s->ld, s->f, s->ld, wide);
}
static int unchanged(const struct system *s)
{
    return !memcmp(s->a, s->f, (size_t)s->ld * (size_t)s->n * tt_size(s->t));
}

/* LAPACK's criterion, from the outside. */
static double criterion(const struct system *s)
{
    const enum tt_structure st = s->part == 'G' ? TT_GENERAL : TT_HERMITIAN;
    tt_z *a = tt_full(st, s->t, s->part, 'N', s->n, s->n, s->a, s->ld),
         *x = tt_full(TT_GENERAL, s->t, 'G', 'N', s->n, s->nrhs, s->x, s->ld),
         *r = tt_full(TT_GENERAL, s->t, 'G', 'N', s->n, s->nrhs, s->b, s->ld);
    const double anorm = tt_norm('I', s->n, s->n, a);
    double worst = 0;

    tt_multiply(s->n, s->nrhs, s->n, -1, a, x, 1, r);
    for (int j = 0; j < s->nrhs; j++) {
        double rmax = 0, xmax = 0;
        for (int i = 0; i < s->n; i++) {
            const tt_z p = r[i + j * s->n], q = x[i + j * s->n];
            rmax = fmax(rmax, fabs(creal(p)) + fabs(cimag(p)));
            xmax = fmax(xmax, fabs(creal(q)) + fabs(cimag(q)));
        }
        worst = fmax(worst, rmax / (anorm * xmax));
    }
    free(a), free(x), free(r);
    return worst;
}

static int gpus(void)
{
    tw_machine machine;
    return tw_machine_info(&machine) == 0 ? machine.cuda_devices : 0;
}

/* iter as LAPACK's: its sign, and its value to 1; what A holds. */
static void judge(struct system *s, int way, tw_int lapacks_iter)
{
    if ((lapacks_iter < 0 && s->iter != lapacks_iter) || (lapacks_iter >= 0 && s->iter < 0) ||
        labs((long)(s->iter - lapacks_iter)) > 1)
        fail_msg("%c %c n=%d, %d columns, way %d: iter %d, LAPACK's %d, berr %g, residual %g", tt_letter(s->t), s->part,
                 s->n, s->nrhs, way, (int)s->iter, (int)lapacks_iter, s->berr, residual(s));
    tt_expect(s->iter < 0 ? "mixed, in double" : "mixed", s->t, residual(s), s->n, "%c n=%d way %d", s->part, s->n,
              way);
    if (s->iter >= 0)
        assert_true(unchanged(s));
    else
        tt_expect("mixed, factors", s->t, factor_residual(s), s->n, "%c n=%d way %d", s->part, s->n, way);
    if (s->iter >= 0 && way >= TILES) { /* of what was computed, to the rounding of the residual */
        const double mine = criterion(s), limit = 0x1p-53 * sqrt((double)s->n);
        assert_true(s->berr <= limit && fabs(s->berr - mine) <= 2 * s->n * 0x1p-53);
    }
    if (s->iter < 0 && way >= TILES) assert_true(s->berr == -1);
}

static const char parts[] = "GLU";

static void beside_lapack(void **state)
{
    static const int sizes[][3] = {{1, 1, 1},   {2, 3, 1},    {17, 5, 16},  {64, 7, 16},
                                   {65, 1, 16}, {130, 9, 48}, {150, 2, 200}};
    (void)state;
    FOR_TYPES(t)
        for (const char *part = parts; *part; part++)
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                struct system s = make(t, *part, sizes[k][0], sizes[k][1]);
                tw_int iter;
                tt_expect_info(run(&s, LAPACK, 0), 0, "LAPACK");
                iter = s.iter;
                assert_true(iter >= 0);
                for (int way = DOOR; way < WAYS; way++) {
                    tt_expect_info(run(&s, way, sizes[k][2]), 0, "way %d", way);
                    judge(&s, way, iter);
                }
                drop(&s);
            }
}

/* Where rounding alone is as much as is asked for. */
static void small_orders(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (const char *part = parts; *part; part++)
            for (int k = 0; k < 40; k++) {
                struct system s = make_by(t, *part, 2 + k % 2, 1, (uint64_t)(100 + 2 * k));
                tw_int iter;
                tt_expect_info(run(&s, LAPACK, 0), 0, "LAPACK");
                iter = s.iter;
                tt_expect_info(run(&s, TILES, 16), 0, "n=%d", s.n);
                judge(&s, TILES, iter);
                drop(&s);
            }
}

/* Pivots are single precision's. */
static void pivots(void **state)
{
    (void)state;
    struct system s = make(TW_DOUBLE, 'G', 97, 2);
    float *f = calloc(97 * 97, sizeof *f);
    int theirs[97];

    for (int j = 0; j < 97; j++)
        for (int i = 0; i < 97; i++)
            f[i + 97 * j] = (float)creal(get(&s, s.a, i, j));
    assert_int_equal(LAPACKE_sgetrf_work(LAPACK_COL_MAJOR, 97, 97, f, 97, theirs), 0);
    tt_expect_info(run(&s, TILES, 32), 0, "pivots");
    assert_memory_equal(s.ipiv, theirs, sizeof theirs);
    free(f);
    drop(&s);
}

/* Beyond single precision's numbers: in A, in B, in both triangles' corners; just below them nothing happens. */
static void overflow(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (const char *part = parts; *part; part++)
            for (int what = 0; what < 4; what++) {
                struct system s = make(t, *part, 70, 4);
                if (what == 0) set(&s, 69, 69, 1e39);
                if (what == 1) tt_put(t, s.b, (size_t)(69 + 3 * s.ld), -4e38);
                if (what == 2) scale(&s, s.a, 70, 1e100), scale(&s, s.b, 4, 1e100);
                if (what == 3) scale(&s, s.b, 4, 3e38);
                for (int way = what < 3 ? LAPACK : DOOR; way < WAYS;
                     way++) { /* LAPACK's own takes NaN for small there */
                    tt_expect_info(run(&s, way, 16), 0, "overflow");
                    if (what < 3)
                        judge(&s, way, -2);
                    else
                        tt_expect("mixed, near overflow", t, residual(&s), 70, "%c way %d", *part, way);
                }
                drop(&s);
            }
}

/* Singular, or not definite, in single precision alone; and in both. */
static void failing_factorization(void **state)
{
    static const int places[] = {0, 30, 59};
    (void)state;
    FOR_TYPES(t)
        for (const char *part = parts; *part; part++)
            for (int k = 0; k < 3; k++)
                for (int really = 0; really < 2; really++) {
                    struct system s = make(t, *part, 60, 3);
                    const int at = places[k];
                    for (int j = 0; j < 60;
                         j++) /* the identity but for a small element, which in single precision is 0 */
                        for (int i = 0; i < 60; i++)
                            if (*part == 'G' || (*part == 'L' ? i >= j : i <= j))
                                set(&s, i, j, i != j ? 0 : i != at ? 1 : really ? 0 : 1e-60);
                    for (int way = LAPACK; way < WAYS; way++) {
                        tt_expect_info(run(&s, way, 16), really ? at + 1 : 0, "way %d", way);
                        assert_int_equal(s.iter, -3);
                        if (!really) tt_expect("mixed, in double", t, residual(&s), 0, "%c way %d", *part, way);
                    }
                    drop(&s);
                }
}

/* Condition 1e12 and more: corrections do not converge. */
static void hopeless(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (const char *part = parts; *part; part++) {
            struct system s = make(t, *part, 60, 3);
            for (int j = 0; j < 60; j++)
                for (int i = 0; i < 60; i++)
                    if (*part == 'G') /* rows 0 and 59 nearly the same */
                        set(&s, i, j, i == 59 ? get(&s, s.a, 0, j) + 1e-13 * tt_uniform(5, i, j) : get(&s, s.a, i, j));
            if (*part != 'G')
                set(&s, 59, 59, 1e-12), set(&s, 58, 58, 1), set(&s, *part == 'L' ? 59 : 58, *part == 'L' ? 58 : 59, 0);
            for (int j = 0; j < 58 && *part != 'G'; j++)
                set(&s, *part == 'L' ? 59 : j, *part == 'L' ? j : 59, 1e-7 * tt_uniform(6, j, 0));
            tt_expect_info(run(&s, LAPACK, 0), 0, "LAPACK");
            const tw_int iter = s.iter;
            for (int way = DOOR; way < WAYS; way++) {
                tt_expect_info(run(&s, way, 16), 0, "way %d", way);
                judge(&s, way, iter);
                if (*part == 'G') assert_int_equal(s.iter, -31);
            }
            drop(&s);
        }
}

/* Factors that overflow in single precision, where LAPACK takes NaN for convergence; NaN and infinity in A and B. */
static void not_finite(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (const char *part = parts; *part; part++)
            for (int what = 0; what < 3; what++)
                for (int way = DOOR; way < WAYS; way++) {
                    struct system s = make(t, *part, 50, 2);
                    if (what == 0) set(&s, 49, 49, NAN);
                    if (what == 1) tt_put(t, s.b, 3, NAN);
                    if (what == 2) set(&s, 49, 49, INFINITY);
                    const int info = run(&s, way, 16);
                    if (what == 1)
                        assert_true(info == 0 && s.iter == -31);
                    else if (what == 2)
                        assert_int_equal(s.iter, -2);
                    else
                        assert_true(s.iter == -31 || s.iter == -3);
                    if (info == 0 && what == 1)
                        assert_true(isnan(creal(get(&s, s.x, 3, 0))) || isnan(creal(get(&s, s.x, 0, 0))));
                    drop(&s);
                }
    for (int way = DOOR; way < WAYS; way++) { /* what grows beyond 3e38 on the way */
        struct system s = make(TW_DOUBLE, 'G', 12, 2);
        for (int j = 0; j < 12; j++)
            for (int i = 0; i < 12; i++) /* Wilkinson's matrix, whose last column doubles in every step */
                set(&s, i, j, j == 11 || i == j ? 1e36 : i > j ? -1e36 : 0);
        tt_expect_info(run(&s, way, 16), 0, "way %d", way);
        tt_expect("mixed, growth", TW_DOUBLE, residual(&s), 0, "way %d", way);
        drop(&s);
    }
}

/* ---- LAPACKE ----------------------------------------------------------------------------------------------------- */

extern int64_t dsgesv64(int, int64_t, int64_t, double *, int64_t, int64_t *, double *, int64_t, double *, int64_t,
                        int64_t *) __asm__("tw_LAPACKE_dsgesv_64");
extern int64_t zcposv64(int, char, int64_t, int64_t, void *, int64_t, void *, int64_t, void *, int64_t, void *, void *,
                        double *, int64_t *) __asm__("tw_LAPACKE_zcposv_work_64");

/* Both layouts against LAPACKE's own; what: A's element that is made huge, for double precision. */
static void lapacke_real(int layout, int n, int nrhs, double huge)
{
    const int lda = n + 1, ldb = layout == LAPACK_COL_MAJOR ? n + 1 : nrhs + 2;
    const size_t rows = (size_t)(n > nrhs ? n : nrhs) + 3;
    double *a = tt_layout_random(TW_DOUBLE, layout, n, n, lda, 1),
           *b = tt_layout_random(TW_DOUBLE, layout, n, nrhs, ldb, 2), *f = tt_copy(TW_DOUBLE, lda, n, a), *g,
           *x = calloc(rows * rows, 8), *y = calloc(rows * rows, 8);
    int p[MOST], q[MOST], iter = 99, theirs = 99;
    int64_t p64[MOST], iter64 = 99;

    f[0] = a[0] = huge;
    g = tt_copy(TW_DOUBLE, lda, n, f);
    tt_expect_info(tw_LAPACKE_dsgesv(layout, n, nrhs, f, lda, p, b, ldb, x, ldb, &iter), 0, "dsgesv");
    tt_expect_info(LAPACKE_dsgesv(layout, n, nrhs, g, lda, q, b, ldb, y, ldb, &theirs), 0, "LAPACKE's");
    assert_true(iter == theirs || (huge < 2 && abs(iter - theirs) <= 1));
    assert_memory_equal(p, q, (size_t)n * sizeof *p);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < nrhs; j++)
            assert_true(fabs(x[tt_layout_at(layout, i, j, ldb)] - y[tt_layout_at(layout, i, j, ldb)]) < 1e-8);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            assert_true(fabs(f[tt_layout_at(layout, i, j, lda)] - g[tt_layout_at(layout, i, j, lda)]) <= 1e-8);
    memcpy(f, a, (size_t)lda * (size_t)n * 8);
    memset(y, 0, rows * rows * 8);
    tt_expect_info(dsgesv64(layout, n, nrhs, f, lda, p64, b, ldb, y, ldb, &iter64), 0, "64 bits");
    assert_int_equal(iter64, iter);
    assert_memory_equal(x, y, rows * rows * 8);
    free(a), free(b), free(f), free(g), free(x), free(y);
}

static void lapacke_hermitian(int layout, char uplo, int n, int nrhs)
{
    const enum tw_type t = TW_COMPLEX_DOUBLE;
    const int ld = n + 1, ldb = layout == LAPACK_COL_MAJOR ? n : nrhs;
    const char as_columns = layout == LAPACK_COL_MAJOR ? uplo : uplo == 'L' ? 'U' : 'L';
    tt_z *a = tt_array(t, ld, n), *f, *g, *b = tt_layout_random(t, layout, n, nrhs, ldb, 2),
         *x = calloc((size_t)(n * nrhs), 16), *y = calloc((size_t)(n * nrhs), 16);
    int iter = 99, theirs = 99;
    int64_t iter64 = 99;

    tt_spd(t, as_columns, n, a, ld, 3);
    f = tt_copy(t, ld, n, a), g = tt_copy(t, ld, n, a);
    tt_expect_info(tw_LAPACKE_zcposv(layout, uplo, n, nrhs, (lapack_complex_double *)f, ld, (lapack_complex_double *)b,
                                     ldb, (lapack_complex_double *)x, ldb, &iter),
                   0, "zcposv");
    tt_expect_info(LAPACKE_zcposv(layout, uplo, n, nrhs, (lapack_complex_double *)g, ld, (lapack_complex_double *)b,
                                  ldb, (lapack_complex_double *)y, ldb, &theirs),
                   0, "LAPACKE's");
    assert_true(iter >= 0 && abs(iter - theirs) <= 1);
    assert_memory_equal(f, a, (size_t)(ld * n) * 16);
    for (int i = 0; i < n * nrhs; i++)
        assert_true(cabs(x[i] - y[i]) < 1e-12);
    memset(y, 0, (size_t)(n * nrhs) * 16);
    tt_expect_info(zcposv64(layout, uplo, n, nrhs, f, ld, b, ldb, y, ldb, NULL, NULL, NULL, &iter64), 0, "64 bits");
    assert_int_equal(iter64, iter);
    assert_memory_equal(x, y, (size_t)(n * nrhs) * 16);
    free(a), free(f), free(g), free(b), free(x), free(y);
}

static void lapacke(void **state)
{
    (void)state;
    for (int layout = LAPACK_ROW_MAJOR; layout <= LAPACK_COL_MAJOR; layout++)
        for (int n = 1; n <= 45; n += 22) {
            lapacke_real(layout, n, 3, 1.5);
            lapacke_real(layout, n, 3, 1e45);
            lapacke_hermitian(layout, 'L', n, 3);
            lapacke_hermitian(layout, 'U', n, 3);
        }
}

static void refusals(void **state)
{
    double a[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[6] = {1, 2, 3, 4, 5, 6}, x[6];
    const double nan_a[9] = {NAN, 0, 0, 0, NAN, 0, 0, 0, NAN}, nan_b[3] = {NAN, NAN, NAN};
    double other[9];
    tw_int p[3], iter = 7;
    int piv[3], small = 7;

    (void)state;
    tt_expect_info(tw_dsgesv(-1, 1, a, 3, p, b, 3, x, 3, &iter), -1, "n");
    tt_expect_info(tw_dsgesv(3, -1, a, 3, p, b, 3, x, 3, &iter), -2, "nrhs");
    tt_expect_info(tw_dsgesv(3, 1, NULL, 3, p, b, 3, x, 3, &iter), -3, "a");
    tt_expect_info(tw_dsgesv(3, 1, a, 2, p, b, 3, x, 3, &iter), -4, "lda");
    tt_expect_info(tw_dsgesv(3, 1, a, 3, NULL, b, 3, x, 3, &iter), -5, "ipiv");
    tt_expect_info(tw_dsgesv(3, 1, a, 3, p, NULL, 3, x, 3, &iter), -6, "b");
    tt_expect_info(tw_dsgesv(3, 1, a, 3, p, b, 2, x, 3, &iter), -7, "ldb");
    tt_expect_info(tw_dsgesv(3, 1, a, 3, p, b, 3, NULL, 3, &iter), -8, "x");
    tt_expect_info(tw_dsgesv(3, 1, a, 3, p, b, 3, x, 2, &iter), -9, "ldx");
    tt_expect_info(tw_dsgesv(3, 1, a, 3, p, b, 3, x, 3, NULL), -10, "iter");
    tt_expect_info(tw_dsposv('X', 3, 1, a, 3, b, 3, x, 3, &iter), -1, "uplo");
    tt_expect_info(tw_dsposv('L', -1, 1, a, 3, b, 3, x, 3, &iter), -2, "n");
    tt_expect_info(tw_dsposv('l', 3, -1, a, 3, b, 3, x, 3, &iter), -3, "nrhs");
    tt_expect_info(tw_dsposv('L', 3, 1, a, 2, b, 3, x, 3, &iter), -5, "lda");
    tt_expect_info(tw_dsposv('L', 3, 1, a, 3, b, 2, x, 3, &iter), -7, "ldb");
    tt_expect_info(tw_dsposv('L', 3, 1, a, 3, b, 3, x, 2, &iter), -9, "ldx");
    iter = 7;
    tt_expect_info(tw_dsgesv(0, 1, NULL, 1, NULL, NULL, 1, NULL, 1, &iter), 0, "nothing");
    assert_int_equal(iter, 0);
    iter = 7;
    tt_expect_info(tw_dsposv('U', 3, 0, a, 3, NULL, 3, NULL, 3, &iter), 0, "no right-hand side");
    assert_int_equal(iter, 0);
    tt_expect_info(tw_LAPACKE_dsgesv(7, 3, 1, a, 3, piv, b, 3, x, 3, &small), -1, "layout");
    memcpy(other, nan_a, sizeof other);
    tt_expect_info(tw_LAPACKE_dsgesv(LAPACK_COL_MAJOR, 3, 1, other, 3, piv, b, 3, x, 3, &small), -4, "NaN in A");
    memcpy(other, nan_b, sizeof nan_b);
    tt_expect_info(tw_LAPACKE_dsgesv(LAPACK_COL_MAJOR, 3, 1, a, 3, piv, other, 3, x, 3, &small), -7, "NaN in B");
    tt_expect_info(tw_LAPACKE_dsgesv(LAPACK_ROW_MAJOR, 3, 2, a, 2, piv, b, 2, x, 2, &small), -5, "row-major lda");
    tt_expect_info(tw_LAPACKE_dsgesv(LAPACK_ROW_MAJOR, 3, 2, a, 3, piv, b, 1, x, 2, &small), -8, "row-major ldb");
    tt_expect_info(tw_LAPACKE_dsgesv(LAPACK_ROW_MAJOR, 3, 2, a, 3, piv, b, 2, x, 1, &small), -10, "row-major ldx");
    tt_expect_info(tw_LAPACKE_dsposv(LAPACK_ROW_MAJOR, 'L', 3, 2, a, 2, b, 2, x, 2, &small), -6, "row-major lda");
    tt_expect_info(tw_LAPACKE_dsposv(LAPACK_COL_MAJOR, 'L', 3, 1, a, 3, b, 2, x, 3, &small), -8, "ldb");
}

static void matrix_refusals(void **state)
{
    tw_matrix *S, *A, *B, *X, *P, *Y;
    int iter;

    (void)state;
    assert_int_equal(tw_matrix_create(&S, TW_FLOAT, TW_GENERAL, 9, 9, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 9, 9, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 9, 2, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&X, TW_DOUBLE, TW_GENERAL, 9, 2, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&Y, TW_DOUBLE, TW_GENERAL, 9, 3, 4, NULL), 0);
    assert_int_equal(tw_pivots_create(&P, A), 0);
    tt_expect_info(tw_gesv_mixed(S, P, B, X, &iter, NULL), -1, "single");
    tt_expect_info(tw_gesv_mixed(A, NULL, B, X, &iter, NULL), -2, "pivots");
    tt_expect_info(tw_gesv_mixed(A, P, A, X, &iter, NULL), -3, "B is A");
    tt_expect_info(tw_gesv_mixed(A, P, B, B, &iter, NULL), -4, "X is B");
    tt_expect_info(tw_gesv_mixed(A, P, B, Y, &iter, NULL), -4, "X's columns");
    tt_expect_info(tw_gesv_mixed(A, P, B, X, NULL, NULL), -5, "iter");
    tt_expect_info(tw_posv_mixed(TW_GENERAL, A, B, X, &iter, NULL), -1, "uplo");
    tt_expect_info(tw_posv_mixed(TW_LOWER, S, B, X, &iter, NULL), -2, "single");
    tt_expect_info(tw_posv_mixed(TW_LOWER, A, B, A, &iter, NULL), -4, "X is A");
    tw_matrix *const all[] = {S, A, B, X, Y, P};
    for (int k = 0; k < 6; k++)
        assert_int_equal(tw_matrix_destroy(all[k]), 0);
}

/* Nothing waits: two systems, one of which ends in double precision, and products with their solutions in one
 * sequence. */
static void graph(void **state)
{
    enum { N = 120, K = 5 };
    struct system s[2] = {make(TW_DOUBLE, 'G', N, K), make(TW_DOUBLE, 'L', N, K)};
    tw_matrix *A[2], *B[2], *X[2], *R[2], *P;
    tw_sequence *seq;
    double norm[2] = {-1, -1};
    int iter[2] = {99, 99};
    const double tolerance = gpus() > 0 ? 1e-10 : 0; /* cuBLAS' solves and OpenBLAS' in one sequence */

    (void)state;
    set(&s[0], 0, 0, 1e40);
    assert_int_equal(tw_sequence_create(&seq), 0);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(tw_matrix_from_lapack(&A[k], TW_DOUBLE, k ? TW_LOWER : TW_GENERAL, N, N, s[k].a, s[k].ld, 32),
                         0);
        assert_int_equal(tw_matrix_from_lapack(&B[k], TW_DOUBLE, TW_GENERAL, N, K, s[k].b, s[k].ld, 32), 0);
        assert_int_equal(tw_matrix_create(&X[k], TW_DOUBLE, TW_GENERAL, N, K, 32, NULL), 0);
        assert_int_equal(tw_matrix_create(&R[k], TW_DOUBLE, TW_GENERAL, N, K, 32, NULL), 0);
    }
    assert_int_equal(tw_pivots_create(&P, A[0]), 0);
    assert_int_equal(tw_gesv_mixed_async(A[0], P, B[0], X[0], &iter[0], NULL, seq), 0);
    assert_int_equal(tw_posv_mixed_async(TW_LOWER, A[1], B[1], X[1], &iter[1], NULL, seq), 0);
    for (int k = 0; k < 2; k++)
        assert_int_equal(tw_lacpy_async(TW_GENERAL, B[k], R[k], seq), 0);
    assert_int_equal(tw_getrs_async(TW_NOTRANS, A[0], P, R[0], seq), 0); /* factors of double precision by then */
    assert_int_equal(tw_geadd_async(TW_NOTRANS, (tw_scalar){-1, 0}, X[0], (tw_scalar){1, 0}, R[0], seq), 0);
    assert_int_equal(tw_symm_async(TW_LEFT, TW_LOWER, (tw_scalar){-1, 0}, A[1], X[1], (tw_scalar){1, 0}, R[1], seq), 0);
    for (int k = 0; k < 2; k++)
        assert_int_equal(tw_lange_async(TW_MAX_NORM, R[k], &norm[k], seq), 0);
    tt_expect_info(tw_sequence_wait(seq), 0, "the sequence");
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(iter[0], -2);
    assert_true(iter[1] >= 0);
    if (!(norm[0] >= 0 && norm[0] <= tolerance)) fail_msg("the same solves differ by %g", norm[0]);
    assert_true(norm[1] > 0 && norm[1] < 1e-13); /* entries of B below 1 */
    for (int k = 0; k < 2; k++) {
        assert_int_equal(tw_matrix_destroy(A[k]), 0);
        assert_int_equal(tw_matrix_destroy(B[k]), 0);
        assert_int_equal(tw_matrix_destroy(X[k]), 0);
        assert_int_equal(tw_matrix_destroy(R[k]), 0);
        drop(&s[k]);
    }
    assert_int_equal(tw_matrix_destroy(P), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(beside_lapack),
                                       cmocka_unit_test(small_orders),
                                       cmocka_unit_test(pivots),
                                       cmocka_unit_test(overflow),
                                       cmocka_unit_test(failing_factorization),
                                       cmocka_unit_test(hopeless),
                                       cmocka_unit_test(not_finite),
                                       cmocka_unit_test(lapacke),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(matrix_refusals),
                                       cmocka_unit_test(graph)};
    return tt_run(tests);
}
