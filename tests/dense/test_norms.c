/* Norms of tiled matrices against sums in long double: every kind, every structure, ragged tiles, NaN, Inf, extreme
 * numbers. */
#include <math.h>

#include "tt.h"

static const char kinds[] = "MOIF";
struct matrix {
    enum tt_structure s;
    enum tw_type t;
    char uplo, diag;
    int m, n, lda;
    void *a;
};

static int call(const struct matrix *x, char kind, tw_matrix *A, double *value)
{
    enum tw_norm norm = (enum tw_norm)kind;
    enum tw_uplo uplo = (enum tw_uplo)x->uplo;
    switch (x->s) {
    case TT_GENERAL: return tw_lange(norm, A, value);
    case TT_SYMMETRIC: return tw_lansy(norm, uplo, A, value);
    case TT_HERMITIAN: return tw_lanhe(norm, uplo, A, value);
    default: return tw_lantr(norm, uplo, (enum tw_diag)x->diag, A, value);
    }
}

/* Compare all four norms; the triangle that is not stored is full of NaN. */
static void compare(const struct matrix *x, int nb, const char *what)
{
    static int turn;
    int storages = tt_storages(), whole = x->s != TT_GENERAL && turn % 2;
    tt_z *full = tt_full(x->s, x->t, x->uplo, x->diag, x->m, x->n, x->a, x->lda);
    struct tt_place p;
    tw_matrix *A =
        tt_enter(&p, (enum tt_storage)(turn++ % storages), x->t,
                 x->s == TT_GENERAL || whole ? TW_GENERAL : (enum tw_uplo)x->uplo, x->m, x->n, x->a, x->lda, nb);

    for (int k = 0; k < 4; k++) {
        double want = tt_norm(kinds[k], x->m, x->n, full), got = -1;
        tt_expect_info(call(x, kinds[k], A, &got), 0, "norm %c %s", kinds[k], what);
        if (isnan(want) ? isnan(got) : isinf(want) ? got == want : want == 0 ? got == 0 : 0) continue;
        if (isnan(want) || isinf(want) || isnan(got))
            fail_msg("norm %c %s: %g, expected %g", kinds[k], what, got, want);
        tt_expect(x->s == TT_GENERAL     ? "lange"
                  : x->s == TT_SYMMETRIC ? "lansy"
                  : x->s == TT_HERMITIAN ? "lanhe"
                                         : "lantr",
                  x->t, fabs(got - want) / (want * (x->m + x->n) * tt_eps(x->t)), 0, "%c %c%c %d x %d nb=%d %s",
                  kinds[k], x->uplo, x->diag, x->m, x->n, nb, what);
    }
    tt_leave(&p);
    free(full);
}

static struct matrix make(enum tt_structure s, enum tw_type t, char uplo, char diag, int m, int n)
{
    struct matrix x = {s, t, uplo, diag, m, n, m + 3, tt_array(t, m + 3, n)};
    tt_random(t, s == TT_GENERAL ? 'G' : uplo, m, n, x.a, x.lda, 17);
    return x;
}

typedef void (*vary_fn)(struct matrix *x);
static void as_is(struct matrix *x)
{
    (void)x;
}
static void put(struct matrix *x, double i, double j, double v)
{
    int row = (int)(i * (x->m - 1)), col = (int)(j * (x->n - 1));
    if (x->m && x->n) tt_put(x->t, x->a, (size_t)(x->uplo == 'U' ? col + row * x->lda : row + col * x->lda), v);
}
static void with_nan(struct matrix *x)
{
    put(x, 0.9, 0.3, NAN);
}
static void with_inf(struct matrix *x)
{
    put(x, 0.7, 0.1, -INFINITY);
}
static void with_both(struct matrix *x)
{
    put(x, 0.9, 0.3, NAN), put(x, 0.2, 0.1, INFINITY);
}
static void scaled(struct matrix *x, double by)
{
    for (int j = 0; j < x->n; j++)
        for (int i = 0; i < x->m; i++) {
            size_t at = (size_t)(i + j * x->lda);
            if (x->s == TT_GENERAL || (x->uplo == 'L' ? i >= j : i <= j))
                tt_put(x->t, x->a, at, by * tt_get(x->t, x->a, at));
        }
}
static int is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}
static void huge(struct matrix *x)
{
    scaled(x, is_single(x->t) ? 1e30 : 1e200);
}
static void tiny(struct matrix *x)
{
    scaled(x, is_single(x->t) ? 1e-30 : 1e-200);
}

static void each_structure(vary_fn vary, const char *what)
{
    static const int mn[][3] = {{20, 31, 7}, {64, 64, 64}, {131, 100, 64}, {1, 40, 16},
                                {40, 1, 16}, {5, 5, 1},    {0, 3, 2},      {0, 0, 2}};

    TT_TYPES(t)
        for (size_t c = 0; c < sizeof mn / sizeof *mn; c++)
            for (int s = TT_GENERAL; s <= TT_TRIANGULAR; s++)
                for (int k = 0; k < (s == TT_GENERAL ? 1 : s == TT_TRIANGULAR ? 4 : 2); k++) {
                    int m = mn[c][0], n = s == TT_GENERAL ? mn[c][1] : m;
                    struct matrix x =
                        make((enum tt_structure)s, t, s == TT_GENERAL ? 'G' : "LU"[k & 1], k & 2 ? 'U' : 'N', m, n);
                    vary(&x);
                    compare(&x, mn[c][2], what);
                    free(x.a);
                }
}

static void random_matrices(void **state)
{
    (void)state, each_structure(as_is, "random");
}
static void nan_is_seen(void **state)
{
    (void)state, each_structure(with_nan, "NaN");
}
static void infinity_is_seen(void **state)
{
    (void)state, each_structure(with_inf, "Inf");
}
static void nan_beats_infinity(void **state)
{
    (void)state, each_structure(with_both, "NaN and Inf");
}
static void no_overflow(void **state)
{
    (void)state, each_structure(huge, "huge");
}
static void no_underflow(void **state)
{
    (void)state, each_structure(tiny, "tiny");
}

static void illegal_arguments(void **state)
{
    double v;
    tw_matrix *A, *L;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 10, 8, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&L, TW_DOUBLE, TW_LOWER, 10, 10, 4, NULL), 0);
    tt_expect_info(tw_lange('X', A, &v), -1, "norm");
    tt_expect_info(tw_lange(TW_MAX_NORM, NULL, &v), -2, "NULL");
    tt_expect_info(tw_lange(TW_MAX_NORM, A, NULL), -3, "NULL");
    tt_expect_info(tw_lansy(TW_MAX_NORM, TW_GENERAL, L, &v), -2, "uplo");
    tt_expect_info(tw_lansy(TW_MAX_NORM, TW_LOWER, A, &v), -3, "not square");
    tt_expect_info(tw_lanhe(TW_MAX_NORM, TW_UPPER, L, &v), -3, "the other triangle is stored");
    tt_expect_info(tw_lantr(TW_MAX_NORM, TW_LOWER, 'X', L, &v), -3, "diag");
    tt_expect_info(tw_lantr(TW_MAX_NORM, TW_LOWER, TW_UNIT, L, NULL), -5, "NULL");
    assert_int_equal(tw_matrix_destroy(A) | tw_matrix_destroy(L), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_matrices),    cmocka_unit_test(nan_is_seen), cmocka_unit_test(infinity_is_seen),
        cmocka_unit_test(nan_beats_infinity), cmocka_unit_test(no_overflow), cmocka_unit_test(no_underflow),
        cmocka_unit_test(illegal_arguments),
    };
    return tt_run(tests);
}
