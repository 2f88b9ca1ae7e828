/* gesv_nopiv: what stays without exchanges and what does not, beside gesv's own results; infos, NaN, what the report
 * says, refusals, a graph with what comes after. */
#include <complex.h>
#include <math.h>

#include "tt.h"

enum { MOST = 200, ZERO_PIVOT = -3, GREW = -2, GAVE_UP = -31 };

struct system {
    enum tw_type t;
    int n, nrhs, ld;
    void *a, *b, *f, *x; /* as given; factors, solutions */
    tw_int ipiv[MOST];
    int iter, info;
    double growth, berr;
};

static struct system make(enum tw_type t, int n, int nrhs, double diagonal)
{
    struct system s = {.t = t, .n = n, .nrhs = nrhs, .ld = n + 3};

    s.a = tt_array(t, s.ld, n);
    tt_random(t, 'G', n, n, s.a, s.ld, 21);
    for (int i = 0; i < n; i++)
        tt_put(t, s.a, (size_t)(i + i * s.ld), tt_get(t, s.a, (size_t)(i + i * s.ld)) + diagonal);
    s.b = tt_array(t, s.ld, nrhs);
    tt_random(t, 'G', n, nrhs, s.b, s.ld, 22);
    return s;
}
static void set(struct system *s, int i, int j, tt_z value)
{
    tt_put(s->t, s->a, (size_t)(i + j * s->ld), value);
}
static void drop(struct system *s)
{
    free(s->a), free(s->b), free(s->f), free(s->x);
}

/* ---- by every way ------------------------------------------------------------------------------------------------ */

enum { DOOR, TILES, ASYNC, WAYS, GESV };

static int by_door(struct system *s)
{
    const tw_int n = s->n, k = s->nrhs, ld = s->ld;
    float real[2] = {99, 99};
    tw_int iter = 99, info;

    switch (s->t) {
    case TW_FLOAT: info = tw_sgesv_nopiv(n, k, s->f, ld, s->ipiv, s->x, ld, &iter, &real[0], &real[1]); break;
    case TW_DOUBLE: info = tw_dgesv_nopiv(n, k, s->f, ld, s->ipiv, s->x, ld, &iter, &s->growth, &s->berr); break;
    case TW_COMPLEX_FLOAT: info = tw_cgesv_nopiv(n, k, s->f, ld, s->ipiv, s->x, ld, &iter, &real[0], &real[1]); break;
    default: info = tw_zgesv_nopiv(n, k, s->f, ld, s->ipiv, s->x, ld, &iter, &s->growth, &s->berr); break;
    }
    if (s->t == TW_FLOAT || s->t == TW_COMPLEX_FLOAT) s->growth = (double)real[0], s->berr = (double)real[1];
    s->iter = (int)iter;
    return (int)info;
}

static int queued(struct system *s, tw_matrix *A, tw_matrix *P, tw_matrix *B)
{
    tw_sequence *seq;
    int info;

    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_gesv_nopiv_async(A, P, B, &s->iter, &s->growth, &s->berr, seq), 0);
    info = tw_sequence_wait(seq);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    return info;
}

/* Tiles of whatever shape; gesv itself in the same ones. */
static int by_tiles(struct system *s, int nb, int way)
{
    const int other = nb > 1 ? nb - 1 : nb, n = s->n;
    int32_t piv[MOST];
    tw_matrix *A, *B, *P;
    int info;

    assert_int_equal(tw_matrix_create_tiles(&A, s->t, TW_GENERAL, n, n, other, nb, NULL), 0);
    assert_int_equal(tw_matrix_create_tiles(&B, s->t, TW_GENERAL, n, s->nrhs, other, 3, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, s->f, s->ld), 0);
    assert_int_equal(tw_matrix_set_lapack(B, s->x, s->ld), 0);
    assert_int_equal(tw_pivots_create(&P, A), 0);
    info = way == GESV    ? tw_gesv(A, P, B)
           : way == ASYNC ? queued(s, A, P, B)
                          : tw_gesv_nopiv(A, P, B, &s->iter, &s->growth, &s->berr);
    assert_int_equal(tw_matrix_to_lapack(A, s->f, s->ld), 0);
    assert_int_equal(tw_matrix_to_lapack(B, s->x, s->ld), 0);
    assert_int_equal(tw_matrix_to_lapack(P, piv, n), 0);
    for (int i = 0; i < n; i++)
        s->ipiv[i] = piv[i];
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(B), 0);
    assert_int_equal(tw_matrix_destroy(P), 0);
    return info;
}

static void run(struct system *s, int way, int nb)
{
    free(s->f), free(s->x);
    s->f = tt_copy(s->t, s->ld, s->n, s->a);
    s->x = tt_copy(s->t, s->ld, s->nrhs, s->b);
    s->iter = 99, s->growth = s->berr = 99;
    s->info = way == DOOR ? by_door(s) : by_tiles(s, nb, way);
}

/* ---- what is right ----------------------------------------------------------------------------------------------- */

static double largest(const struct system *s, const void *a, int upper)
{
    double most = 0;

    for (int j = 0; j < s->n; j++)
        for (int i = 0; i <= (upper ? j : s->n - 1); i++)
            most = fmax(most, cabs(tt_get(s->t, a, (size_t)(i + j * s->ld))));
    return most;
}

static double measured(const struct system *s)
{
    tt_z *a = tt_full(TT_GENERAL, s->t, 'G', 'N', s->n, s->n, s->a, s->ld),
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

static double solved(const struct system *s)
{
    return tt_general_solve_residual(s->t, 'N', s->n, s->nrhs, s->a, s->ld, s->b, s->ld, s->x, s->ld);
}

/* The report is of what is there. */
static void judge_report(const struct system *s)
{
    const double eps = tt_eps(s->t), growth = largest(s, s->f, 1) / largest(s, s->a, 0), berr = measured(s);

    if (!(fabs(s->growth - growth) <= 1e-6 * growth)) fail_msg("growth %g, not %g", s->growth, growth);
    if (!(fabs(s->berr - berr) <= 2 * s->n * eps)) fail_msg("berr %g, not %g", s->berr, berr);
}

/* Without exchanges: the factors are A's as they should be, and X is within the bound. */
static void judge_nopiv(const struct system *s, const char *what, int way, int units)
{
    const double eps = tt_eps(s->t), limit = eps * fmax(2, sqrt(s->n));

    tt_expect_info(s->info, 0, "%s, way %d", what, way);
    if (s->iter < 0)
        fail_msg("%s: %c, n=%d, way %d: iter %d, growth %g", what, tt_letter(s->t), s->n, way, s->iter, s->growth);
    for (int i = 0; i < s->n; i++)
        assert_int_equal(s->ipiv[i], i + 1);
    tt_expect("gesv_nopiv", s->t, solved(s), units, "%s n=%d way %d", what, s->n, way);
    judge_report(s);
    assert_true(s->berr <= limit && s->growth <= 1 / sqrt(eps));
    assert_true(tt_lu_residual(s->t, s->n, s->n, s->a, s->ld, s->f, s->ld, NULL) < 30 * fmax(1, s->growth * s->n));
}

/* With exchanges after all: everything is gesv's. */
static void judge_pivoted(struct system *s, const char *what, int way, int nb, int iter)
{
    struct system g = *s;

    if (s->iter != iter) fail_msg("%s: %c, n=%d, way %d: iter %d", what, tt_letter(s->t), s->n, way, s->iter);
    g.f = g.x = NULL;
    run(&g, GESV, nb);
    assert_int_equal(s->info, g.info);
    assert_memory_equal(s->ipiv, g.ipiv, (size_t)s->n * sizeof *s->ipiv);
    if (way != DOOR && g.info == 0 && iter != GAVE_UP) { /* in the same tiles, and finite */
        tt_expect("gesv_nopiv, gesv's factors", s->t,
                  tt_difference(s->t, 'G', 'N', s->n, s->n, s->f, s->ld, g.f, s->ld), 0, "%s way %d", what, way);
        tt_expect("gesv_nopiv, gesv's X", s->t, tt_difference(s->t, 'G', 'N', s->n, s->nrhs, s->x, s->ld, g.x, s->ld),
                  0, "%s way %d", what, way);
    }
    free(g.f), free(g.x);
}

/* ---- the cases --------------------------------------------------------------------------------------------------- */

/* A = L U and B = A X of such numbers that no step rounds, on no machine, in no order and through inverses, too, which
 * are L and U again but for signs: beside their diagonals, 1 and 1024, L has -1, 0, 1 over 256 in its lower left
 * quarter and U -1, 0, 1 in its upper right one; X's are integers. */
static tt_z small(int *state, enum tw_type t)
{
    const int complex_ = t == TW_COMPLEX_FLOAT || t == TW_COMPLEX_DOUBLE;
    int z[2] = {0, 0};

    for (int k = 0; k <= complex_; k++)
        *state = (int)((*state * 1103515245LL + 12345) & 0x7fffffff), z[k] = (*state >> 16) % 3 - 1;
    return z[0] + I * z[1];
}
static struct system exact(enum tw_type t, int n, int nrhs, tt_z **x)
{
    struct system s = make(t, n, nrhs, 0);
    tt_z *l = calloc((size_t)(n * n), sizeof *l), *u = calloc((size_t)(n * n), sizeof *u),
         *a = calloc((size_t)(n * n), sizeof *a), *b = calloc((size_t)(n * nrhs), sizeof *b);
    int seed = n;

    *x = calloc((size_t)(n * nrhs), sizeof **x);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const tt_z z = small(&seed, t);
            l[i + j * n] = i >= n / 2 && j < n / 2 ? z / 256 : i == j;
            u[i + j * n] = i < n / 2 && j >= n / 2 ? z : i == j ? 1024 : 0;
        }
    for (int i = 0; i < n * nrhs; i++)
        (*x)[i] = 3 * small(&seed, t) + small(&seed, t);
    tt_multiply(n, n, n, 1, l, u, 0, a);
    tt_multiply(n, nrhs, n, 1, a, *x, 0, b);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            set(&s, i, j, a[i + j * n]);
    for (int j = 0; j < nrhs; j++)
        for (int i = 0; i < n; i++)
            tt_put(t, s.b, (size_t)(i + j * s.ld), b[i + j * n]);
    free(l), free(u), free(a), free(b);
    return s;
}

static void dominant(void **state)
{
    static const int sizes[][3] = {{1, 1, 1},   {2, 3, 1},   {17, 5, 16},  {15, 1, 16},
                                   {64, 7, 16}, {65, 1, 16}, {131, 9, 48}, {150, 2, 200}};

    (void)state;
    TT_TYPES(t)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            for (int way = DOOR; way < WAYS; way++) {
                const int n = sizes[k][0], nrhs = sizes[k][1];
                tt_z *x;
                struct system s = exact(t, n, nrhs, &x);
                run(&s, way, sizes[k][2]);
                judge_nopiv(&s, "dominant", way, 0);
                assert_int_equal(s.iter, 0);
                for (int j = 0; j < nrhs; j++)
                    for (int i = 0; i < n; i++)
                        assert_true(tt_get(t, s.x, (size_t)(i + j * s.ld)) == x[i + j * n]);
                assert_int_equal(tt_touched(t, 'G', s.n, s.nrhs, s.x, s.ld), 0);
                free(x);
                drop(&s);
            }
}

/* Some digits are lost, and come back. The weaker the diagonal, the more. */
static void refined(void **state)
{
    int corrected = 0;

    (void)state;
    TT_TYPES(t)
        for (int way = DOOR; way < WAYS; way++)
            for (int n = 40; n <= 120; n += 40) {
                struct system s = make(t, n, 4, 1);
                run(&s, way, 16);
                if (s.iter < 0) { /* a growth of 4096 comes soon */
                    assert_true(t == TW_FLOAT || t == TW_COMPLEX_FLOAT);
                    judge_pivoted(&s, "random", way, 16, s.iter);
                } else {
                    judge_nopiv(&s, "random", way, s.n);
                    corrected += s.iter > 0;
                }
                drop(&s);
            }
    assert_true(corrected > 0);
}

static void tiny_pivot(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int way = DOOR; way < WAYS; way++) {
            struct system s = make(t, 70, 4, 0);
            set(&s, 0, 0, t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? 1e-5 : 1e-10);
            run(&s, way, 16);
            judge_pivoted(&s, "tiny pivot", way, 16, GREW);
            judge_report(&s);
            tt_expect("gesv_nopiv, pivoted", t, solved(&s), 70, "tiny pivot, way %d", way);
            drop(&s);
        }
}

/* Pivoting changes nothing there: the growth is 2^(n - 1) with and without. */
static void wilkinson(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int way = DOOR; way < WAYS; way++)
            for (int n = 10; n <= 60; n += 50) {
                struct system s = make(t, n, 2, 0);
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < n; i++)
                        set(&s, i, j, j == n - 1 || i == j ? 1 : i > j ? -1 : 0);
                run(&s, way, 16);
                if (n == 10)
                    judge_nopiv(&s, "wilkinson", way, s.n);
                else
                    judge_pivoted(&s, "wilkinson", way, 16, GREW);
                assert_true(fabs(s.growth / ldexp(1, n - 1) - 1) < 1e-6); /* sums of more than 24 bits */
                drop(&s);
            }
}

static void zero_pivot(void **state)
{
    static const int places[] = {0, 16, 49};

    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < 3; k++)
            for (int way = DOOR; way < WAYS; way++) {
                const int at = places[k], n = 50, other = at ? at - 1 : 1;
                struct system s = make(t, n, 3, 0);
                for (int j = 0; j < n; j++) /* the identity but for one exchange */
                    for (int i = 0; i < n; i++)
                        set(&s, i, j, i == j && i != at && i != other);
                set(&s, at, other, 2), set(&s, other, at, 4);
                run(&s, way, 16);
                judge_pivoted(&s, "zero pivot", way, 16, ZERO_PIVOT);
                tt_expect_info(s.info, 0, "zero pivot at %d", at);
                judge_report(&s);
                tt_expect("gesv_nopiv, pivoted", t, solved(&s), 0, "zero pivot, way %d", way);
                drop(&s);
            }
}

/* info as gesv's and LAPACK's, and B as it was. */
static void singular(void **state)
{
    static const int places[] = {0, 30, 59};

    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < 3; k++)
            for (int way = DOOR; way < WAYS; way++) {
                struct system s = make(t, 60, 3, 40);
                for (int i = 0; i < 60; i++)
                    set(&s, i, places[k], 0);
                run(&s, way, 16);
                judge_pivoted(&s, "singular", way, 16, ZERO_PIVOT);
                tt_expect_info(s.info, places[k] + 1, "singular at %d", places[k]);
                assert_memory_equal(s.x, s.b, (size_t)s.ld * 3 * tt_size(t));
                assert_true(s.berr == -1 && s.growth > 0);
                drop(&s);
            }
}

static void not_finite(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int what = 0; what < 4; what++)
            for (int way = DOOR; way < WAYS; way++) {
                struct system s = make(t, 50, 2, 60);
                if (what == 0) set(&s, 49, 49, NAN);
                if (what == 1) set(&s, 0, 0, NAN);
                if (what == 2) set(&s, 20, 30, INFINITY);
                if (what == 3) tt_put(t, s.b, 3, NAN);
                run(&s, way, 16);
                judge_pivoted(&s, "not finite", way, 16, s.iter);
                assert_true(s.iter == GAVE_UP || s.iter == ZERO_PIVOT || s.iter == GREW);
                if (what == 3) assert_int_equal(s.iter, GAVE_UP);
                if (what == 3)
                    assert_true(isnan(creal(tt_get(t, s.x, 3))) && isfinite(creal(tt_get(t, s.x, (size_t)s.ld))));
                assert_true(s.berr == -1);
                drop(&s);
            }
}

/* A zero matrix, no right-hand sides, nothing at all. */
static void least(void **state)
{
    double a[9] = {0}, b[3] = {1, 2, 3}, growth = 7, berr = 7, d[9] = {3, 1, 0, 1, 3, 1, 0, 1, 3};
    tw_int p[3], iter = 7;

    (void)state;
    tt_expect_info(tw_dgesv_nopiv(3, 1, a, 3, p, b, 3, &iter, &growth, &berr), 1, "zeros");
    assert_true(iter == ZERO_PIVOT && b[0] == 1 && berr == -1);
    tt_expect_info(tw_dgesv_nopiv(3, 0, d, 3, p, NULL, 3, &iter, &growth, &berr), 0, "no right-hand side");
    assert_true(iter == 0 && growth == 1 && berr == 0 && p[2] == 3 && d[1] == 1.0 / 3);
    tt_expect_info(tw_dgesv_nopiv(0, 1, NULL, 1, NULL, NULL, 1, &iter, &growth, &berr), 0, "nothing");
    assert_true(iter == 0 && growth == 1 && berr == 0);
}

static void refusals(void **state)
{
    double a[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[6] = {1, 2, 3, 4, 5, 6};
    tw_int p[3], i;
    tw_matrix *A, *F, *B, *S, *P;
    int iter;

    (void)state;
    tt_expect_info(tw_dgesv_nopiv(-1, 1, a, 3, p, b, 3, &i, NULL, NULL), -1, "n");
    tt_expect_info(tw_dgesv_nopiv(3, -1, a, 3, p, b, 3, &i, NULL, NULL), -2, "nrhs");
    tt_expect_info(tw_dgesv_nopiv(3, 1, NULL, 3, p, b, 3, &i, NULL, NULL), -3, "a");
    tt_expect_info(tw_dgesv_nopiv(3, 1, a, 2, p, b, 3, &i, NULL, NULL), -4, "lda");
    tt_expect_info(tw_dgesv_nopiv(3, 1, a, 3, NULL, b, 3, &i, NULL, NULL), -5, "ipiv");
    tt_expect_info(tw_dgesv_nopiv(3, 1, a, 3, p, NULL, 3, &i, NULL, NULL), -6, "b");
    tt_expect_info(tw_dgesv_nopiv(3, 1, a, 3, p, b, 2, &i, NULL, NULL), -7, "ldb");
    tt_expect_info(tw_dgesv_nopiv(3, 1, a, 3, p, b, 3, NULL, NULL, NULL), -8, "iter");
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 9, 9, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_DOUBLE, TW_GENERAL, 9, 8, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 9, 2, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&S, TW_FLOAT, TW_GENERAL, 9, 2, 4, NULL), 0);
    assert_int_equal(tw_pivots_create(&P, A), 0);
    tt_expect_info(tw_gesv_nopiv(NULL, P, B, &iter, NULL, NULL), -1, "A");
    tt_expect_info(tw_gesv_nopiv(F, P, B, &iter, NULL, NULL), -1, "not square");
    tt_expect_info(tw_gesv_nopiv(A, NULL, B, &iter, NULL, NULL), -2, "pivots");
    tt_expect_info(tw_gesv_nopiv(A, P, S, &iter, NULL, NULL), -3, "type");
    tt_expect_info(tw_gesv_nopiv(A, P, A, &iter, NULL, NULL), -3, "B is A");
    tt_expect_info(tw_gesv_nopiv(A, P, B, NULL, NULL, NULL), -4, "iter");
    tw_matrix *const all[] = {A, F, B, S, P};
    for (int k = 0; k < 5; k++)
        assert_int_equal(tw_matrix_destroy(all[k]), 0);
}

/* Nothing waits: two systems, one of which exchanges rows, and solves with both's factors behind them: the same X
 * again. */
static void graph(void **state)
{
    enum { N = 90, K = 5 };
    struct system s[2] = {make(TW_DOUBLE, N, K, 0), make(TW_DOUBLE, N, K, N)};
    tw_matrix *A[2], *B[2], *R[2], *P[2];
    tw_sequence *seq;
    double norm[2] = {-1, -1};
    int iter[2] = {99, 99};

    (void)state;
    set(&s[0], 0, 0, 0);
    assert_int_equal(tw_sequence_create(&seq), 0);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(tw_matrix_from_lapack(&A[k], TW_DOUBLE, TW_GENERAL, N, N, s[k].a, s[k].ld, 32), 0);
        assert_int_equal(tw_matrix_from_lapack(&B[k], TW_DOUBLE, TW_GENERAL, N, K, s[k].b, s[k].ld, 32), 0);
        assert_int_equal(tw_matrix_from_lapack(&R[k], TW_DOUBLE, TW_GENERAL, N, K, s[k].b, s[k].ld, 32), 0);
        assert_int_equal(tw_pivots_create(&P[k], A[k]), 0);
        assert_int_equal(tw_gesv_nopiv_async(A[k], P[k], B[k], &iter[k], NULL, NULL, seq), 0);
        assert_int_equal(tw_getrs_async(TW_NOTRANS, A[k], P[k], R[k], seq), 0);
        assert_int_equal(tw_geadd_async(TW_NOTRANS, (tw_scalar){-1, 0}, B[k], (tw_scalar){1, 0}, R[k], seq), 0);
        assert_int_equal(tw_lange_async(TW_MAX_NORM, R[k], &norm[k], seq), 0);
    }
    tt_expect_info(tw_sequence_wait(seq), 0, "the sequence");
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(iter[0], ZERO_PIVOT);
    assert_true(iter[1] >= 0);
    for (int k = 0; k < 2; k++) {
        if (!(norm[k] >= 0 && norm[k] < 1e-10)) fail_msg("the same solves differ by %g", norm[k]);
        assert_int_equal(tw_matrix_destroy(A[k]), 0);
        assert_int_equal(tw_matrix_destroy(B[k]), 0);
        assert_int_equal(tw_matrix_destroy(R[k]), 0);
        assert_int_equal(tw_matrix_destroy(P[k]), 0);
        drop(&s[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dominant),   cmocka_unit_test(refined),
                                       cmocka_unit_test(tiny_pivot), tt_test_of_bits(wilkinson),
                                       cmocka_unit_test(zero_pivot), cmocka_unit_test(singular),
                                       cmocka_unit_test(not_finite), cmocka_unit_test(least),
                                       cmocka_unit_test(refusals),   cmocka_unit_test(graph)};
    return tt_run(tests);
}
