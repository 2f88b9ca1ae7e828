/* gesvx and posvx beside LAPACK's: every fact, trans and equed, matrices that are badly scaled, singular in the first,
 * a middle and the last place, singular to working precision, NaN, sizes of 0; LAPACKE's functions in both layouts. */
#include <lapacke.h>
#include <math.h>
#include <tilework/lapacke.h>

#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
enum { MOST = 70 };

/* All that a call takes and gives. Scalings and bounds are floats or doubles, as the type. */
struct call {
    enum tw_type t;
    char fact, trans, equed; /* trans: posvx's uplo */
    int n, nrhs, ld, layout, info;
    void *a, *af, *b, *x;
    int ipiv[MOST];
    tw_int wide[MOST];
    double r[MOST], c[MOST], ferr[MOST], berr[MOST], rcond, rpivot;
};

#define CALLS(p, R, T, MORE)                                                                                           \
    static void p##x(int which, int po, struct call *k)                                                                \
    {                                                                                                                  \
        static char work[1 << 16], more[1 << 16];                                                                      \
        T *w = (T *)(void *)work;                                                                                      \
        MORE *m = (MORE *)(void *)more;                                                                                \
        R r[MOST], c[MOST], f[MOST], b[MOST], rcond = -1, rpivot = -1;                                                 \
        const int L = k->layout, n = k->n, q = k->nrhs, ld = k->ld;                                                    \
        for (int i = 0; i < MOST; i++)                                                                                 \
            r[i] = (R)k->r[i], c[i] = (R)k->c[i], f[i] = b[i] = -1;                                                    \
        switch (which * 2 + po) {                                                                                      \
        case 0:                                                                                                        \
            k->info = LAPACKE_##p##gesvx_work(L, k->fact, k->trans, n, q, k->a, ld, k->af, ld, k->ipiv, &k->equed, r,  \
                                              c, k->b, ld, k->x, ld, &rcond, f, b, w, m);                              \
            rpivot = sizeof(T) > sizeof(R) ? *(R *)(void *)more : *(R *)(void *)work;                                  \
            break;                                                                                                     \
        case 1:                                                                                                        \
            k->info = LAPACKE_##p##posvx_work(L, k->fact, k->trans, n, q, k->a, ld, k->af, ld, &k->equed, r, k->b, ld, \
                                              k->x, ld, &rcond, f, b, w, m);                                           \
            break;                                                                                                     \
        case 2:                                                                                                        \
            k->info = (int)tw_##p##gesvx(k->fact, k->trans, n, q, k->a, ld, k->af, ld, k->wide, &k->equed, r, c, k->b, \
                                         ld, k->x, ld, &rcond, f, b, &rpivot);                                         \
            break;                                                                                                     \
        case 3:                                                                                                        \
            k->info = (int)tw_##p##posvx(k->fact, k->trans, n, q, k->a, ld, k->af, ld, &k->equed, r, k->b, ld, k->x,   \
                                         ld, &rcond, f, b);                                                            \
            break;                                                                                                     \
        case 4:                                                                                                        \
            k->info = tw_LAPACKE_##p##gesvx(L, k->fact, k->trans, n, q, k->a, ld, k->af, ld, k->ipiv, &k->equed, r, c, \
                                            k->b, ld, k->x, ld, &rcond, f, b, &rpivot);                                \
            break;                                                                                                     \
        case 5:                                                                                                        \
            k->info = tw_LAPACKE_##p##posvx(L, k->fact, k->trans, n, q, k->a, ld, k->af, ld, &k->equed, r, k->b, ld,   \
                                            k->x, ld, &rcond, f, b);                                                   \
            break;                                                                                                     \
        case 6:                                                                                                        \
            k->info = tw_LAPACKE_##p##gesvx_work(L, k->fact, k->trans, n, q, k->a, ld, k->af, ld, k->ipiv, &k->equed,  \
                                                 r, c, k->b, ld, k->x, ld, &rcond, f, b, w, m);                        \
            rpivot = sizeof(T) > sizeof(R) ? *(R *)(void *)more : *(R *)(void *)work;                                  \
            break;                                                                                                     \
        default:                                                                                                       \
            k->info = tw_LAPACKE_##p##posvx_work(L, k->fact, k->trans, n, q, k->a, ld, k->af, ld, &k->equed, r, k->b,  \
                                                 ld, k->x, ld, &rcond, f, b, w, m);                                    \
        }                                                                                                              \
        for (int i = 0; i < MOST; i++) {                                                                               \
            k->r[i] = (double)r[i], k->c[i] = (double)c[i], k->ferr[i] = (double)f[i], k->berr[i] = (double)b[i];      \
            if (which > 1) k->wide[i] = k->ipiv[i];                                                                    \
            if (which == 1) k->ipiv[i] = (int)k->wide[i];                                                              \
        }                                                                                                              \
        k->rcond = (double)rcond, k->rpivot = (double)rpivot;                                                          \
    }
CALLS(s, float, float, int)
CALLS(d, double, double, int)
CALLS(c, float, lapack_complex_float, float)
CALLS(z, double, lapack_complex_double, double)

enum { LAPACK, DOOR, LAPACKE, WORK, MATRIX, ASYNC };

static tw_matrix *matrix(const struct call *k, enum tw_uplo uplo, const void *a, int columns, int mb, int nb)
{
    tw_matrix *A;

    assert_int_equal(tw_matrix_create_tiles(&A, k->t, uplo, k->n, columns, mb, nb, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, k->ld), 0);
    return A;
}

/* The matrix door, or in a sequence; tiles of several shapes. A hermitian matrix comes as a triangle and as all of
 * it. */
static void by_matrix(int async, int po, struct call *k)
{
    const enum tw_uplo uplo = po ? (enum tw_uplo)k->trans : TW_GENERAL;
    tw_matrix *A = matrix(k, k->nrhs % 2 ? TW_GENERAL : uplo, k->a, k->n, po ? 16 : 13, 16),
              *F = matrix(k, uplo, k->af, k->n, 16, 16), *B = matrix(k, TW_GENERAL, k->b, k->nrhs, 11, 9),
              *X = matrix(k, TW_GENERAL, k->x, k->nrhs, 16, 7), *P = NULL;
    tw_sequence *seq = NULL;
    int equed = k->equed, steps = -1;

    if (!po) assert_int_equal(tw_pivots_create(&P, F), 0);
    if (!po) assert_int_equal(tw_matrix_set_lapack(P, k->ipiv, tw_matrix_rows(P) > 0 ? tw_matrix_rows(P) : 1), 0);
    if (async) assert_int_equal(tw_sequence_create(&seq), 0);
    k->rcond = k->rpivot = -1;
    if (po)
        k->info = async ? tw_posvx_async((enum tw_fact)k->fact, uplo, A, F, &equed, k->r, B, X, &k->rcond, k->ferr,
                                         k->berr, &steps, seq)
                        : tw_posvx((enum tw_fact)k->fact, uplo, A, F, &equed, k->r, B, X, &k->rcond, k->ferr, k->berr,
                                   &steps);
    else
        k->info = async ? tw_gesvx_async((enum tw_fact)k->fact, (enum tw_trans)k->trans, A, F, P, &equed, k->r, k->c, B,
                                         X, &k->rcond, k->ferr, k->berr, &k->rpivot, &steps, seq)
                        : tw_gesvx((enum tw_fact)k->fact, (enum tw_trans)k->trans, A, F, P, &equed, k->r, k->c, B, X,
                                   &k->rcond, k->ferr, k->berr, &k->rpivot, NULL);
    if (async) {
        assert_int_equal(k->info, 0);
        k->info = tw_sequence_wait(seq);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_true(steps >= 0 && steps <= 5);
    }
    k->equed = (char)equed;
    assert_int_equal(tw_matrix_to_lapack(A, k->a, k->ld), 0);
    assert_int_equal(tw_matrix_to_lapack(F, k->af, k->ld), 0);
    assert_int_equal(tw_matrix_to_lapack(B, k->b, k->ld), 0);
    assert_int_equal(tw_matrix_to_lapack(X, k->x, k->ld), 0);
    if (P) assert_int_equal(tw_matrix_to_lapack(P, k->ipiv, k->n > 0 ? k->n : 1), 0);
    tw_matrix *const all[] = {A, F, B, X, P};
    for (int i = 0; i < 5; i++)
        assert_int_equal(tw_matrix_destroy(all[i]), 0);
}

static void run(int which, int po, struct call *k)
{
    if (which >= MATRIX) {
        by_matrix(which == ASYNC, po, k);
        return;
    }
    void (*const by_type[])(int, int, struct call *) = {sx, dx, cx, zx};
    by_type[k->t](which, po, k);
}

/* scale: 0 none, 1 rows, 2 columns, 3 both are badly scaled (posvx: any, both). In row-major layout the array's other
 * lines. */
static struct call make(enum tw_type t, int po, char fact, char trans, int n, int nrhs, int scale, int layout)
{
    struct call k = {
        .t = t, .fact = fact, .trans = trans, .equed = '?', .n = n, .nrhs = nrhs, .ld = n + 3, .layout = layout};
    const int most = (n > nrhs ? n : nrhs) + 3;

    if (layout == LAPACK_ROW_MAJOR) k.ld = most;
    k.a = tt_array(t, k.ld, most), k.af = tt_array(t, k.ld, most), k.b = tt_array(t, k.ld, most),
    k.x = tt_array(t, k.ld, most);
    if (po) {
        tt_spd(t, 'L', n, k.a, k.ld, 3);
        for (int j = 0; j < n; j++) /* both triangles: whichever layout says */
            for (int i = j + 1; i < n; i++)
                tt_put(t, k.a, (size_t)(j + i * k.ld), ~tt_get(t, k.a, (size_t)(i + j * k.ld)));
    } else {
        tt_random(t, 'G', n, n, k.a, k.ld, 3);
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const double by = (po          ? scale > 0
                               : scale & 1 ? 1
                                           : 0)
                                  ? pow(10, i % 4)
                                  : 1,
                         to = (po          ? scale > 0
                               : scale & 2 ? 1
                                           : 0)
                                  ? pow(10, j % 4)
                                  : 1;
            tt_put(t, k.a, (size_t)(i + j * k.ld), by * to * tt_get(t, k.a, (size_t)(i + j * k.ld)));
        }
    tt_random(t, 'G', most - 3, most - 3, k.b, k.ld, 4);
    return k;
}
static struct call copy(const struct call *k)
{
    const int most = (k->n > k->nrhs ? k->n : k->nrhs) + 3;
    struct call to = *k;

    to.a = tt_copy(k->t, k->ld, most, k->a), to.af = tt_copy(k->t, k->ld, most, k->af);
    to.b = tt_copy(k->t, k->ld, most, k->b), to.x = tt_copy(k->t, k->ld, most, k->x);
    return to;
}
static void drop(struct call *k)
{
    free(k->a), free(k->af), free(k->b), free(k->x);
}

static void near(double got, double want, double factor, const struct call *k, const char *what)
{
    if (!(got <= factor * want && want <= factor * got) && got != want)
        fail_msg("%c fact %c trans %c equed %c n=%d: %s %g, LAPACK has %g", tt_letter(k->t), k->fact, k->trans,
                 k->equed, k->n, what, got, want);
}

/* Results beside LAPACK's. */
static void same(int po, const struct call *got, const struct call *want)
{
    const int row = got->layout == LAPACK_ROW_MAJOR;
    const double eps = tt_eps(got->t);

    tt_expect_info(got->info, want->info, "fact %c trans %c n=%d", got->fact, got->trans, got->n);
    assert_int_equal(got->equed, want->equed);
    near(got->rcond, want->rcond, 3, want, "rcond");
    if (!po) near(got->rpivot, want->rpivot, 1 + 1e-3, want, "rpivot");
    if (want->info != 0 && want->info != want->n + 1) return;
    for (int j = 0; j < got->nrhs; j++) {
        if (!(got->berr[j] <= 8 * fmax(want->berr[j], eps))) near(got->berr[j], want->berr[j], 8, want, "berr");
        near(got->ferr[j], want->ferr[j], 10, want, "ferr");
    }
    for (int i = 0; got->equed != 'N' && i < got->n; i++)
        if (po || got->equed == 'R' || got->equed == 'B') near(got->r[i], want->r[i], 1 + 1e-5, want, "r");
    for (int i = 0; !po && (got->equed == 'C' || got->equed == 'B') && i < got->n; i++)
        near(got->c[i], want->c[i], 1 + 1e-5, want, "c");
    tt_expect(po ? "posvx: A" : "gesvx: A", got->t,
              tt_difference(got->t, po ? got->trans : 'G', 'N', got->n, got->n, got->a, got->ld, want->a, want->ld), 0,
              "fact %c equed %c", got->fact, got->equed);
    tt_expect(po ? "posvx: X" : "gesvx: X", got->t,
              fmin(1, want->rcond) *
                  tt_difference(got->t, 'G', 'N', row ? got->nrhs : got->n, row ? got->n : got->nrhs, got->x, got->ld,
                                want->x, want->ld) /
                  10,
              0, "fact %c trans %c equed %c n=%d", got->fact, got->trans, got->equed, got->n);
}

static void every_way(void **state)
{
    static const int sizes[][2] = {{1, 1}, {30, 4}, {50, 66}};
    static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR};
    static const char facts[] = "NE";
    const char *crossover = getenv("TILEWORK_CROSSOVER");
    const int last = crossover && *crossover == '0' ? WORK : ASYNC; /* those have tiles of their own in either run */

    (void)state;
    FOR_TYPES(t)
        for (int po = 0; po < 2; po++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                for (int scale = 0; scale < 4; scale++)
                    for (const char *fact = facts; *fact; fact++)
                        for (const char *trans = po ? "LU" : "NTC"; *trans; trans++)
                            for (int which = DOOR; which <= last; which++) {
                                const int layout = layouts[which == DOOR || which >= MATRIX ? 0 : (scale + which) % 2];
                                struct call want = make(t, po, *fact, *trans, sizes[s][0], sizes[s][1], scale, layout),
                                            got = copy(&want);

                                if ((*fact == 'N' && scale > 1) || (s == 2 && (scale < 3 || which != DOOR)) ||
                                    (s == 1 && which != DOOR && scale % 2 == 0) ||
                                    (which == MATRIX && scale % 2 == 0) ||
                                    (which == ASYNC && (scale != 3 || strchr("TU", *trans))) ||
                                    (last == WORK && which != DOOR &&
                                     scale != 3)) { /* what 'N' is not for, and what is much of the same */
                                    drop(&want), drop(&got);
                                    continue;
                                }
                                run(LAPACK, po, &want);
                                run(which, po, &got);
                                same(po, &got, &want);
                                /* Once more with the factors and scalings that are there, and B and A as they are
                                 * now. */
                                want.fact = got.fact = 'F'; /* (LAPACKE does not give a scaled row-major B back) */
                                memcpy(got.b, want.b,
                                       (size_t)want.ld * (size_t)(want.n > want.nrhs ? want.n : want.nrhs) *
                                           tt_size(t));
                                run(LAPACK, po, &want);
                                run(which, po, &got);
                                same(po, &got, &want);
                                drop(&want), drop(&got);
                            }
}

static void singular(void **state)
{
    enum { N = 40 };
    static const int doors[] = {DOOR, MATRIX, ASYNC};
    static const int places[] = {0, 19, N - 1};

    (void)state;
    FOR_TYPES(t)
        for (int po = 0; po < 2; po++)
            for (int p = 0; p < 3; p++)
                for (const char *fact = "NE"; *fact; fact++)
                    for (int d = 0; d < 3; d += *fact == 'N' ? 1 : 2) {
                        struct call want = make(t, po, *fact, po ? 'L' : 'N', N, 3, 0, LAPACK_COL_MAJOR), got;

                        for (int i = 0; i < N; i++) { /* exact: an identity but for one place */
                            for (int j = 0; j < N; j++)
                                tt_put(t, want.a, (size_t)(i + j * want.ld), i == j && i != places[p]);
                            for (int j = 0; j < 3; j++)
                                tt_put(t, want.x, (size_t)(i + j * want.ld), 7);
                        }
                        got = copy(&want);
                        run(LAPACK, po, &want);
                        run(doors[d], po, &got);
                        assert_int_equal(want.info, places[p] + 1);
                        same(po, &got, &want);
                        assert_true(got.rcond == 0);
                        for (int j = 0; j < 3; j++)
                            for (int i = 0; i < N; i++)
                                assert_true(tt_get(t, got.x, (size_t)(i + j * got.ld)) == 7);
                        drop(&want), drop(&got);
                        /* singular to working precision: everything is there, and the info says it */
                        want = make(t, po, *fact, po ? 'L' : 'N', N, 3, 0, LAPACK_COL_MAJOR);
                        for (int i = 0; i < N; i++)
                            for (int j = 0; j < N; j++)
                                tt_put(t, want.a, (size_t)(i + j * want.ld),
                                       i != j           ? 0
                                       : i == places[p] ? tt_eps(t) / 64
                                                        : 1);
                        got = copy(&want);
                        run(LAPACK, po, &want);
                        run(doors[d], po, &got);
                        same(po, &got, &want);
                        assert_int_equal(got.info, *fact == 'E' ? 0 : N + 1);
                        drop(&want), drop(&got);
                    }
}

static void bad_input(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int po = 0; po < 2; po++) {
            struct call k = make(t, po, 'E', po ? 'U' : 'N', 30, 2, 0, LAPACK_COL_MAJOR);

            tt_put(t, k.a, (size_t)(4 * (k.ld + 1)), NAN);
            run(po ? MATRIX : DOOR, po, &k);
            assert_true(k.info >= 0);
            assert_true(k.info > 0 || k.rcond == 0 || !(k.berr[0] < 1e-3));
            assert_true(k.rcond >= 0); /* never NaN */
            run(LAPACKE, po, &k);
            assert_int_equal(k.info, -6);
            drop(&k);
            k = make(t, po, 'N', po ? 'U' : 'N', 0, 2, 0, LAPACK_COL_MAJOR);
            run(DOOR, po, &k);
            assert_int_equal(k.info, 0);
            assert_true(k.rcond == 1 && k.ferr[1] == 0 && k.berr[1] == 0 && k.equed == 'N');
            drop(&k);
        }
}

static void codes(void **state)
{
    double a[64], f[64], b[64], x[64], r[8], c[8], e[8], g[8], rcond, rpivot;
    tw_int q[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    char equed = 'N';

    (void)state;
    for (int i = 0; i < 64; i++)
        a[i] = f[i] = b[i] = x[i] = i % 9 == 0;
    for (int i = 0; i < 8; i++)
        r[i] = c[i] = 1;
#define GESVX(fact, trans, n, nrhs, lda, ldaf, ldb, ldx)                                                               \
    tw_dgesvx(fact, trans, n, nrhs, a, lda, f, ldaf, q, &equed, r, c, b, ldb, x, ldx, &rcond, e, g, &rpivot)
#define POSVX(fact, uplo, n, nrhs, lda, ldaf, ldb, ldx)                                                                \
    tw_dposvx(fact, uplo, n, nrhs, a, lda, f, ldaf, &equed, r, b, ldb, x, ldx, &rcond, e, g)
    tt_expect_info(GESVX('X', 'N', 8, 8, 8, 8, 8, 8), -1, "fact");
    tt_expect_info(GESVX('N', 'X', 8, 8, 8, 8, 8, 8), -2, "trans");
    tt_expect_info(GESVX('N', 'N', -1, 8, 8, 8, 8, 8), -3, "n");
    tt_expect_info(GESVX('N', 'N', 8, -1, 8, 8, 8, 8), -4, "nrhs");
    tt_expect_info(GESVX('N', 'N', 8, 8, 7, 8, 8, 8), -6, "lda");
    tt_expect_info(GESVX('N', 'N', 8, 8, 8, 7, 8, 8), -8, "ldaf");
    equed = 'X';
    tt_expect_info(GESVX('F', 'N', 8, 8, 8, 8, 8, 8), -10, "equed");
    equed = 'B', r[3] = 0;
    tt_expect_info(GESVX('F', 'N', 8, 8, 8, 8, 8, 8), -11, "r");
    equed = 'Y';
    tt_expect_info(POSVX('F', 'L', 8, 8, 8, 8, 8, 8), -10, "s");
    equed = 'B', r[3] = 1, c[2] = -1;
    tt_expect_info(GESVX('F', 'N', 8, 8, 8, 8, 8, 8), -12, "c");
    tt_expect_info(GESVX('N', 'N', 8, 8, 8, 8, 7, 8), -14, "ldb");
    tt_expect_info(GESVX('N', 'N', 8, 8, 8, 8, 8, 7), -16, "ldx");
    tt_expect_info(POSVX('X', 'L', 8, 8, 8, 8, 8, 8), -1, "fact");
    tt_expect_info(POSVX('N', 'X', 8, 8, 8, 8, 8, 8), -2, "uplo");
    tt_expect_info(POSVX('N', 'L', 8, 8, 7, 8, 8, 8), -6, "lda");
    tt_expect_info(POSVX('N', 'L', 8, 8, 8, 7, 8, 8), -8, "ldaf");
    equed = 'X';
    tt_expect_info(POSVX('F', 'L', 8, 8, 8, 8, 8, 8), -9, "equed");
    tt_expect_info(POSVX('N', 'L', 8, 8, 8, 8, 7, 8), -12, "ldb");
    tt_expect_info(POSVX('N', 'L', 8, 8, 8, 8, 8, 7), -14, "ldx");
    tt_expect_info(GESVX('N', 'N', 8, 0, 8, 8, 8, 8), 0, "no right-hand sides");
    assert_true(rcond == 1 && rpivot == 1);
    tt_expect_info(POSVX('N', 'L', 8, 0, 8, 8, 8, 8), 0, "no right-hand sides");
    assert_true(rcond == 1);
}

static void matrix_codes(void **state)
{
    struct call k = make(TW_DOUBLE, 0, 'N', 'N', 20, 3, 0, LAPACK_COL_MAJOR);
    tw_matrix *A = matrix(&k, TW_GENERAL, k.a, 20, 8, 8), *F = matrix(&k, TW_GENERAL, k.a, 20, 8, 8),
              *G = matrix(&k, TW_GENERAL, k.a, 20, 4, 4), *B = matrix(&k, TW_GENERAL, k.b, 3, 8, 8),
              *X = matrix(&k, TW_GENERAL, k.b, 3, 8, 8), *Y = matrix(&k, TW_GENERAL, k.b, 2, 8, 8), *P;
    double r[20] = {0}, e[3], f[3], rcond, grown;
    int equed = 'N';

    (void)state;
    assert_int_equal(tw_pivots_create(&P, F), 0);
#define TRY(fact, trans, A, F, P, q, r, B, X, c, f, p)                                                                 \
    tw_gesvx((enum tw_fact)(fact), (enum tw_trans)(trans), A, F, P, q, r, r, B, X, c, e, f, p, NULL)
#define TRY_PO(fact, uplo, A, F, q, s, B, X, c, f)                                                                     \
    tw_posvx((enum tw_fact)(fact), (enum tw_uplo)(uplo), A, F, q, s, B, X, c, e, f, NULL)
    tt_expect_info(TRY('X', 'N', A, F, P, &equed, r, B, X, &rcond, f, &grown), -1, "fact");
    tt_expect_info(TRY('N', 'X', A, F, P, &equed, r, B, X, &rcond, f, &grown), -2, "trans");
    tt_expect_info(TRY('N', 'N', NULL, F, P, &equed, r, B, X, &rcond, f, &grown), -3, "A");
    tt_expect_info(TRY('N', 'N', A, A, P, &equed, r, B, X, &rcond, f, &grown), -4, "AF is A");
    tt_expect_info(TRY('N', 'N', A, F, NULL, &equed, r, B, X, &rcond, f, &grown), -5, "pivots");
    tt_expect_info(TRY('N', 'N', A, F, P, NULL, r, B, X, &rcond, f, &grown), -6, "equed");
    equed = 'Y';
    tt_expect_info(TRY('F', 'N', A, F, P, &equed, r, B, X, &rcond, f, &grown), -6, "equed of gesvx");
    equed = 'B';
    tt_expect_info(TRY('F', 'N', A, F, P, &equed, r, B, X, &rcond, f, &grown), -7, "r");
    tt_expect_info(TRY('E', 'N', A, F, P, &equed, NULL, B, X, &rcond, f, &grown), -7, "no r");
    equed = 'C';
    tt_expect_info(TRY('F', 'N', A, F, P, &equed, r, B, X, &rcond, f, &grown), -8, "c");
    tt_expect_info(TRY('N', 'N', A, F, P, &equed, NULL, A, X, &rcond, f, &grown), -9, "B is A");
    tt_expect_info(TRY('N', 'N', A, F, P, &equed, NULL, B, B, &rcond, f, &grown), -10, "X is B");
    tt_expect_info(TRY('N', 'N', A, F, P, &equed, NULL, B, Y, &rcond, f, &grown), -10, "X's columns");
    tt_expect_info(TRY('N', 'N', A, F, P, &equed, NULL, B, X, NULL, f, &grown), -11, "rcond");
    tt_expect_info(TRY('N', 'N', A, F, P, &equed, NULL, B, X, &rcond, NULL, &grown), -13, "berr");
    tt_expect_info(TRY('N', 'N', A, F, P, &equed, NULL, B, X, &rcond, f, NULL), -14, "rpivot");
    tt_expect_info(TRY_PO('N', 'G', A, F, &equed, r, B, X, &rcond, f), -2, "uplo");
    tt_expect_info(TRY_PO('N', 'L', A, G, &equed, r, B, X, &rcond, f), -4, "AF's tiles");
    equed = 'R';
    tt_expect_info(TRY_PO('F', 'L', A, F, &equed, r, B, X, &rcond, f), -5, "equed of posvx");
    equed = 'Y';
    tt_expect_info(TRY_PO('F', 'L', A, F, &equed, r, B, X, &rcond, f), -6, "s");
    tt_expect_info(TRY_PO('N', 'L', A, F, &equed, r, B, X, NULL, f), -9, "rcond");
    tw_matrix *const all[] = {A, F, G, B, X, Y, P};
    for (int i = 0; i < 7; i++)
        assert_int_equal(tw_matrix_destroy(all[i]), 0);
    drop(&k);
}

/* What LAPACK did for a small system is told by the routine's own name. */
static void told(void **state)
{
    const char *crossover = getenv("TILEWORK_CROSSOVER");
    const int straight = crossover && *crossover != '0';
    double a[64], f[64], b[64], x[64], r[8], c[8], e[8], g[8], rcond, rpivot;
    tw_int q[8];
    char equed = 'N';
    (void)state;
    for (int po = 0; po < 2; po++) {
        tw_vendor_report seen[32];
        int found = 0, others = 0;
        for (int i = 0; i < 64; i++)
            a[i] = b[i] = i % 9 == 0;
        tw_counters_reset();
        tt_expect_info(po ? POSVX('N', 'L', 8, 8, 8, 8, 8, 8) : GESVX('N', 'N', 8, 8, 8, 8, 8, 8), 0, "told");
        const int count = tw_vendor_reports(seen, 32);
        for (int k = 0; k < count && k < 32; k++) {
            found += !strcmp(seen[k].name, po ? "posvx" : "gesvx");
            others += !strcmp(seen[k].name, po ? "posv" : "gesv");
        }
        assert_int_equal(found, straight);
        assert_int_equal(others, 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_way),    cmocka_unit_test(singular),
                                       cmocka_unit_test(bad_input),    cmocka_unit_test(codes),
                                       cmocka_unit_test(matrix_codes), cmocka_unit_test(told)};
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
