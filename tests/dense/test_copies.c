/* Sums, copies, transposes, fillings and scalings of matrices, wholes, triangles and trapezoids, in tiles that fit and
 * that do not, at once and queued: every element against plain arithmetic. What is not to be read is NaN, and what is
 * not to be written stays. And the estimate of the 2-norm against singular values. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "tt.h"

static tt_z value_of(enum tw_type t, tw_scalar s)
{
    return tt_complex(t) ? CMPLX(s.re, s.im) : s.re;
}
static int inside(char uplo, int i, int j)
{
    return uplo == 'L' ? i >= j : uplo == 'U' ? i <= j : 1;
}

/* A matrix in tiles of mb x nb, in turn in the pool and in place. */
struct operand {
    enum tw_type t;
    char stored; /* 'G', or a triangle in square tiles */
    int m, n, ld, wrapped;
    void *a;
    tw_matrix *A;
};
static void make(struct operand *o, enum tw_type t, char stored, int m, int n)
{
    *o = (struct operand){.t = t, .stored = stored, .m = m, .n = n, .ld = m + 2};
    o->a = tt_array(t, o->ld, n);
}
static void enter(struct operand *o, int mb, int nb)
{
    static int turn;
    const enum tw_uplo uplo = (enum tw_uplo)o->stored;

    o->wrapped = turn++ % 2;
    if (o->wrapped) {
        assert_int_equal(tw_matrix_wrap_tiles(&o->A, o->t, uplo, o->m, o->n, o->a, o->ld, mb, nb), 0);
    } else {
        assert_int_equal(tw_matrix_create_tiles(&o->A, o->t, uplo, o->m, o->n, mb, nb, NULL), 0);
        assert_int_equal(tw_matrix_set_lapack(o->A, o->a, o->ld), 0);
    }
}
static void leave(struct operand *o)
{
    if (!o->wrapped) assert_int_equal(tw_matrix_to_lapack(o->A, o->a, o->ld), 0);
    assert_int_equal(tw_matrix_destroy(o->A), 0);
}
static tt_z at(const struct operand *o, int i, int j)
{
    return tt_get(o->t, o->a, (size_t)(i + j * o->ld));
}
static tt_z before(const struct operand *o, const void *was, int i, int j)
{
    return tt_get(o->t, was, (size_t)(i + j * o->ld));
}

/* ---- the routines: one row each ------------------------------------------------------------------------------- */

struct call {
    enum tw_type t;
    char trans, uplo;
    tw_scalar alpha, beta; /* laset: off and on the diagonal */
    double from, to;
    tw_sequence *seq;
};
typedef int (*run_fn)(const struct call *c, tw_matrix *A, tw_matrix *B);
/* The element (i, j) of the result, of A's element there, or at (j, i) with a transpose, and B's old one. */
typedef tt_z (*want_fn)(const struct call *c, tt_z a, tt_z b, int i, int j);

#define RUN(name, ...)                                                                                                 \
    static int run_##name(const struct call *c, tw_matrix *A, tw_matrix *B)                                            \
    {                                                                                                                  \
        (void)A;                                                                                                       \
        return c->seq ? tw_##name##_async(__VA_ARGS__, c->seq) : tw_##name(__VA_ARGS__);                               \
    }
RUN(geadd, (enum tw_trans)c->trans, c->alpha, A, c->beta, B)
RUN(transpose_to, (enum tw_trans)c->trans, A, B)
RUN(lacpy, (enum tw_uplo)c->uplo, A, B)
RUN(laset, (enum tw_uplo)c->uplo, c->alpha, c->beta, B)
RUN(lascl, (enum tw_uplo)c->uplo, c->from, c->to, B)

static tt_z sum(const struct call *c, tt_z a, tt_z b, int i, int j)
{
    const tt_z alpha = value_of(c->t, c->alpha), beta = value_of(c->t, c->beta);
    (void)i, (void)j;
    return (alpha == 0 ? 0 : alpha * (c->trans == 'C' ? conj(a) : a)) + (beta == 0 ? 0 : beta * b);
}
static tt_z copy(const struct call *c, tt_z a, tt_z b, int i, int j)
{
    (void)b, (void)i, (void)j;
    return c->trans == 'C' ? conj(a) : a;
}
static tt_z filling(const struct call *c, tt_z a, tt_z b, int i, int j)
{
    (void)a, (void)b;
    return value_of(c->t, i == j ? c->beta : c->alpha);
}
static tt_z scaling(const struct call *c, tt_z a, tt_z b, int i, int j)
{
    (void)a, (void)i, (void)j;
    return b / c->from * c->to; /* from: a power of two, so that this is one rounding */
}

static const struct row {
    const char *name, *transposes, *uplos;
    run_fn run;
    want_fn want;
    double roundings; /* 0: exact */
} rows[] = {
    {"geadd", "NTC", "G", run_geadd, sum, 4},     {"transpose_to", "TC", "G", run_transpose_to, copy, 0},
    {"lacpy", "N", "GLU", run_lacpy, copy, 0},    {"laset", "N", "GLU", run_laset, filling, 0},
    {"lascl", "N", "GLU", run_lascl, scaling, 2},
};

static void one(const struct row *r, const struct call *c, int m, int n, const int *tiles)
{
    static int turn;
    const int plain = c->trans == 'N', reads_a = r->want != sum || value_of(c->t, c->alpha) != 0,
              reads_b = r->want == scaling || (r->want == sum && value_of(c->t, c->beta) != 0);
    const char stored_a = c->uplo != 'G' && tiles[0] == tiles[1] && turn % 3 == 0 ? c->uplo : 'G',
               stored_b = c->uplo != 'G' && tiles[2] == tiles[3] && turn % 2 ? c->uplo : 'G';
    struct operand A, B;
    void *was;
    double worst = 0;

    turn++;
    make(&A, c->t, stored_a, plain ? m : n, plain ? n : m);
    make(&B, c->t, stored_b, m, n);
    if (reads_a) tt_random(c->t, c->uplo, A.m, A.n, A.a, A.ld, 1);
    if (reads_b) tt_random(c->t, c->uplo, B.m, B.n, B.a, B.ld, 2);
    was = tt_copy(c->t, B.ld, B.n, B.a);
    enter(&A, tiles[0], tiles[1]), enter(&B, tiles[2], tiles[3]);
    tt_expect_info(r->run(c, A.A, B.A), 0, "%s", r->name);
    if (c->seq) tt_expect_info(tw_sequence_wait(c->seq), 0, "%s", r->name);
    leave(&A), leave(&B);
    assert_int_equal(tt_touched(c->t, c->uplo, m, n, B.a, B.ld), 0); /* the rest is NaN as before */
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            const tt_z a = plain ? at(&A, i, j) : at(&A, j, i);
            tt_z want, got = at(&B, i, j);
            double scale, error;
            if (!inside(c->uplo, i, j)) continue;
            want = r->want(c, a, before(&B, was, i, j), i, j);
            scale = cabs(want);
            if (r->want == sum)
                scale = (reads_a ? cabs(a) * cabs(value_of(c->t, c->alpha)) : 0) +
                        (reads_b ? cabs(before(&B, was, i, j)) * cabs(value_of(c->t, c->beta)) : 0);
            error = got == want ? 0 : cabs(got - want) / (scale * tt_eps(c->t));
            if (!(error <= r->roundings))
                fail_msg("%s %c%c %d x %d at (%d, %d): %g%+gi, expected %g%+gi", r->name, c->trans, c->uplo, m, n, i, j,
                         creal(got), cimag(got), creal(want), cimag(want));
            worst = fmax(worst, error);
        }
    tt_expect(r->name, c->t, worst, 0, "%c%c %d x %d", c->trans, c->uplo, m, n);
    free(A.a), free(B.a), free(was);
}

static const int shapes[][2] = {{70, 45}, {33, 80}, {64, 64}, {1, 20}, {20, 1}, {0, 5}, {5, 0}, {1, 1}};
/* Tiles of A and of B; laset and lascl of triangles take square ones. */
static const int tilings[][4] = {
    {20, 20, 20, 20}, {16, 16, 24, 24}, {7, 31, 24, 9}, {100, 100, 100, 100}, {9, 9, 64, 64}};
static const tw_scalar scalars[][2] = {{{1, 0}, {0, 0}}, {{0.5, -2}, {1, 0}},     {{0, 0}, {0.75, 1}},
                                       {{0, 0}, {0, 0}}, {{-1, 0.5}, {3, -0.25}}, {{1, 0}, {1, 0}}};
#define COUNT(x) ((int)(sizeof(x) / sizeof *(x)))

static void elements(void **state)
{
    tw_sequence *seq;
    int turn = 0;
    (void)state;
    assert_int_equal(tw_sequence_create(&seq), 0);
    for (int k = 0; k < COUNT(rows); k++)
        TT_TYPES(t)
            for (const char *trans = rows[k].transposes; *trans; trans++)
                for (const char *uplo = rows[k].uplos; *uplo; uplo++)
                    for (int s = 0; s < COUNT(shapes); s++)
                        for (int g = 0; g < COUNT(tilings); g++, turn++) {
                            const tw_scalar *pair = scalars[turn % COUNT(scalars)];
                            struct call c = {t, *trans, *uplo, pair[0], pair[1], 0x1p-20, 0.3, turn % 3 ? NULL : seq};
                            if (*uplo != 'G' && rows[k].run != run_lacpy && tilings[g][2] != tilings[g][3]) continue;
                            one(&rows[k], &c, shapes[s][0], shapes[s][1], tilings[g]);
                        }
    assert_int_equal(tw_sequence_destroy(seq), 0);
}

/* lascl by factors whose quotient is out of range, where the result is not. */
static void extreme_scalings(void **state)
{
    double a[6] = {1e-200, -3e-200, 2e-250, 0, 5e-210, 1e-300};
    tw_matrix *A;
    (void)state;
    assert_int_equal(tw_matrix_wrap(&A, TW_DOUBLE, TW_GENERAL, 3, 2, a, 3, 2), 0);
    assert_int_equal(tw_lascl(TW_GENERAL, 1e-200, 1e150, A), 0); /* 1e350 is no double */
    assert_int_equal(tw_release_to_host(A), 0);
    for (int k = 0; k < 6; k++) {
        const double want[6] = {1e150, -3e150, 2e100, 0, 5e140, 1e50};
        assert_true(fabs(a[k] - want[k]) <= 1e-14 * fabs(want[k]));
    }
    assert_int_equal(tw_lascl(TW_GENERAL, 1e150, 0, A), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    for (int k = 0; k < 6; k++)
        assert_true(a[k] == 0);
}

/* ---- the 2-norm -------------------------------------------------------------------------------------------------- */

static double largest_singular_value(int m, int n, tt_z *a)
{
    double s[200], superb[200];
    assert_true(m <= 200 && n <= 200);
    assert_int_equal(LAPACKE_zgesvd(LAPACK_COL_MAJOR, 'N', 'N', m, n, a, m, s, NULL, 1, NULL, 1, superb), 0);
    return s[0];
}

/* Random matrices, whose largest singular values lie near each other; scale: near the ends of the type's range. */
static void estimates(void **state)
{
    static const int mn[][4] = {{97, 60, 16, 16}, {60, 97, 32, 32}, {80, 80, 80, 80},
                                {1, 40, 9, 9},    {40, 1, 9, 9},    {50, 70, 11, 30}};
    tw_sequence *seq;
    (void)state;
    assert_int_equal(tw_sequence_create(&seq), 0);
    TT_TYPES(t)
        for (int c = 0; c < COUNT(mn); c++)
            for (int k = 0; k < 3; k++) {
                const int m = mn[c][0], n = mn[c][1], single = t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
                const double scale = k == 0 ? 1 : k == 1 ? (single ? 1e30 : 1e290) : (single ? 1e-30 : 1e-290);
                struct operand A;
                double value = -1, norm = -1, tol = 1e-3, want;
                tt_z *full;

                make(&A, t, 'G', m, n);
                tt_random(t, 'G', m, n, A.a, A.ld, 3);
                full = tt_full(TT_GENERAL, t, 'G', 'N', m, n, A.a, A.ld);
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < m; i++)
                        tt_put(t, A.a, (size_t)(i + j * A.ld), scale * at(&A, i, j));
                want = largest_singular_value(m, n, full) * scale;
                enter(&A, mn[c][2], mn[c][3]);
                tt_expect_info(tw_norm2est(A.A, tol, &value), 0, "norm2est");
                tt_expect_info(tw_norm2est_async(A.A, tol, &norm, seq), 0, "norm2est"); /* what follows waits for it */
                tt_expect_info(tw_laset_async(TW_GENERAL, (tw_scalar){0, 0}, (tw_scalar){0, 0}, A.A, seq), 0, "laset");
                tt_expect_info(tw_sequence_wait(seq), 0, "wait");
                leave(&A);
                assert_true(at(&A, m - 1, n - 1) == 0);
                if (!(value >= 0.95 * want && value <= want * (1 + 100 * (m + n) * tt_eps(t))))
                    fail_msg("%c %d x %d: %g, in truth %g", tt_letter(t), m, n, value, want);
                assert_true(fabs(norm - value) <= 1e-4 * value);
                free(A.a), free(full);
            }
    assert_int_equal(tw_sequence_destroy(seq), 0);
}

/* Zero, empty, NaN, infinity; a diagonal whose norm is known exactly. */
static void estimates_of_odd_matrices(void **state)
{
    double value = -1, a[49];
    tw_matrix *A;
    (void)state;
    for (int k = 0; k < 5; k++) {
        memset(a, 0, sizeof a);
        for (int i = 0; i < 7 && k > 0; i++)
            a[8 * i] = i + 1;
        if (k == 2) a[10] = NAN;
        if (k == 3) a[10] = INFINITY;
        assert_int_equal(tw_matrix_wrap(&A, TW_DOUBLE, TW_GENERAL, 7, k == 4 ? 0 : 7, a, 7, 3), 0);
        tt_expect_info(tw_norm2est(A, 1e-10, &value), 0, "norm2est");
        assert_int_equal(tw_matrix_destroy(A), 0);
        if (k == 0 || k == 4) assert_true(value == 0);
        if (k == 1) assert_true(fabs(value - 7) < 1e-7);
        if (k == 2) assert_true(isnan(value));
        if (k == 3) assert_true(!isfinite(value));
    }
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void illegal_arguments(void **state)
{
    const tw_scalar one = {1, 0};
    tw_matrix *A, *B, *L, *R, *F;
    double value;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 10, 8, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 8, 10, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&L, TW_DOUBLE, TW_LOWER, 10, 8, 4, NULL), 0);
    assert_int_equal(tw_matrix_create_tiles(&R, TW_DOUBLE, TW_GENERAL, 10, 8, 4, 3, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 10, 8, 4, NULL), 0);
    tt_expect_info(tw_geadd('X', one, A, one, B), -1, "trans");
    tt_expect_info(tw_geadd(TW_TRANS, one, NULL, one, B), -3, "NULL");
    tt_expect_info(tw_geadd(TW_NOTRANS, one, A, one, B), -5, "shape");
    tt_expect_info(tw_geadd(TW_NOTRANS, one, A, one, A), -5, "A is B");
    tt_expect_info(tw_geadd(TW_NOTRANS, one, F, one, A), -5, "types differ");
    tt_expect_info(tw_transpose_to(TW_NOTRANS, A, B), -1, "trans");
    tt_expect_info(tw_transpose_to(TW_TRANS, L, B), -2, "only a triangle is stored");
    tt_expect_info(tw_transpose_to(TW_TRANS, A, R), -3, "shape");
    tt_expect_info(tw_lacpy('X', A, R), -1, "uplo");
    tt_expect_info(tw_lacpy(TW_UPPER, L, A), -2, "the other triangle is stored");
    tt_expect_info(tw_lacpy(TW_GENERAL, A, L), -3, "only a triangle is stored");
    tt_expect_info(tw_lacpy(TW_GENERAL, A, B), -3, "shape");
    tt_expect_info(tw_laset('X', one, one, A), -1, "uplo");
    tt_expect_info(tw_laset(TW_LOWER, one, one, R), -4, "tiles not square");
    tt_expect_info(tw_laset(TW_GENERAL, one, one, NULL), -4, "NULL");
    tt_expect_info(tw_lascl('X', 1, 1, A), -1, "uplo");
    tt_expect_info(tw_lascl(TW_GENERAL, 0, 1, A), -2, "cfrom");
    tt_expect_info(tw_lascl(TW_GENERAL, NAN, 1, A), -2, "cfrom");
    tt_expect_info(tw_lascl(TW_GENERAL, 1, NAN, A), -3, "cto");
    tt_expect_info(tw_norm2est(L, 0.1, &value), -1, "only a triangle is stored");
    tt_expect_info(tw_norm2est(A, 0, &value), -2, "tol");
    tt_expect_info(tw_norm2est(A, NAN, &value), -2, "tol");
    tt_expect_info(tw_norm2est(A, 0.1, NULL), -3, "NULL");
    assert_int_equal(tw_matrix_destroy(A) | tw_matrix_destroy(B) | tw_matrix_destroy(L), 0);
    assert_int_equal(tw_matrix_destroy(R) | tw_matrix_destroy(F), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements),          cmocka_unit_test(extreme_scalings),
        cmocka_unit_test(estimates),         cmocka_unit_test(estimates_of_odd_matrices),
        cmocka_unit_test(illegal_arguments),
    };
    return tt_run(tests);
}
