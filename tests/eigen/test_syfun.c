/* syfun: each function by what makes it out, a function of one's own, poles and arguments outside the domain, bad
 * calls. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/checks.h"
#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
#define COUNT(list)  (sizeof list / sizeof *list)

/* Positive definite with eigenvalues around 1, or with `shift` -1: indefinite; NaN in the other triangle. */
static void *input(enum tw_type t, char uplo, int n, int ld, double shift)
{
    void *a = tt_array(t, ld, n);

    tt_spd(t, uplo, n, a, ld, 3);
    for (int j = 0; j < n; j++)
        for (int i = uplo == 'L' ? j : 0; i < (uplo == 'L' ? n : j + 1); i++) {
            const size_t at = (size_t)i + (size_t)j * (size_t)ld;
            tt_put(t, a, at, tt_get(t, a, at) / n + (i == j ? shift : 0));
        }
    return a;
}

static void judge(const char *what, enum tw_function f, enum tw_type t, char uplo, int n, const void *a, int lda,
                  const void *F, int ldf)
{
    const struct check_array array = {CHECK_HERMITIAN, t, (enum tw_uplo)uplo, TW_NONUNIT, n, n, a, lda};
    const struct check_matrix A = check_of_array(&array);
    double residual;

    assert_int_equal(check_syfun(f, &A, F, ldf, &residual), 0);
    tt_expect(what, t, residual, 0, "%d, %c, n = %d", (int)f, uplo, n);
}

/* F in tiles of nb_f, or A itself (0). */
static void one(enum tw_function f, enum tw_type t, char uplo, int n, int nb, int nb_f)
{
    const int ld = n + 1;
    void *a = input(t, uplo, n, ld, f == TW_ABS || f == TW_EXP ? -1 : 0), *b = tt_copy(t, ld, n, a),
         *to = tt_array(t, ld, n);
    double *w = malloc(((size_t)n + 1) * sizeof *w);
    struct tt_place pa, pf;
    tw_matrix *A = tt_enter(&pa, TT_CREATED, t, nb_f ? (enum tw_uplo)uplo : TW_GENERAL, n, n, b, ld, nb),
              *F = nb_f ? tt_enter(&pf, TT_WRAPPED, t, TW_GENERAL, n, n, to, ld, nb_f) : A;

    tt_expect_info(tw_syfun(f, NULL, NULL, (enum tw_uplo)uplo, A, w, F), 0, "%d n = %d", (int)f, n);
    if (nb_f) tt_leave(&pf);
    tt_leave(&pa);
    if (nb_f) assert_memory_equal(a, b, (size_t)ld * (size_t)n * tt_size(t));
    judge("f(A)", f, t, uplo, n, a, ld, nb_f ? to : b, ld);
    free(a), free(b), free(to), free(w);
}
static void functions(void **state)
{
    static const int sizes[][3] = {{0, 4, 4}, {1, 4, 0}, {2, 4, 3}, {33, 8, 0}, {64, 64, 64}, {97, 40, 31}};
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    FOR_TYPES(t)
        for (size_t k = 0; k < COUNT(sizes); k++)
            for (enum tw_function f = TW_SQRT; f < TW_FUNCTION; f++)
                one(f, t, (k + f) % 2 ? 'L' : 'U', sizes[k][0], sizes[k][1], sizes[k][2]);
    unsetenv("TILEWORK_BAND");
}

/* ---- a function of one's own ------------------------------------------------------------------------------------- */

struct calls {
    int count, until;
    double last;
};
static int square(void *user, double x, double *y)
{
    struct calls *c = user;

    if (c->count++ && x < c->last) return 2; /* not in ascending order */
    c->last = x;
    *y = x * x;
    return c->count == c->until;
}

static void own(void **state)
{
    enum { N = 70 };
    (void)state;
    FOR_TYPES(t)
        for (int until = 0; until <= N; until += 35) {
            struct calls calls = {0, until, 0};
            void *a = input(t, 'L', N, N, -1), *b = tt_copy(t, N, N, a), *to = tt_array(t, N, N);
            tt_z *full = tt_full(TT_HERMITIAN, t, 'L', 'N', N, N, a, N);
            struct tt_place pa, pf;
            double w[N];
            tw_matrix *A = tt_enter(&pa, TT_CREATED, t, TW_LOWER, N, N, b, N, 16),
                      *F = tt_enter(&pf, TT_CREATED, t, TW_GENERAL, N, N, to, N, 24);
            tt_expect_info(tw_syfun(TW_FUNCTION, square, &calls, TW_LOWER, A, w, F), until, "until %d", until);
            tt_leave(&pa), tt_leave(&pf);
            assert_int_equal(calls.count, until ? until : N);
            if (until)
                assert_int_equal(tt_touched(t, 'G', 0, N, to, N), 0);
            else
                tt_expect("A A", t, tt_product_residual(t, 'G', N, N, N, 1, full, full, 0, full, to, N), 0, "n = %d",
                          N);
            free(a), free(b), free(to), free(full);
        }
}

/* One that says 0 and no value has none, at the first eigenvalue. */
static int silent(void *user, double x, double *y)
{
    (void)user, (void)x, (void)y;
    return 0;
}
/* One that cancels its own sequence at the third call is not called again. */
struct canceller {
    tw_sequence *seq;
    int count;
};
static int cancelling(void *user, double x, double *y)
{
    struct canceller *c = user;

    *y = x;
    if (++c->count == 3) assert_int_equal(tw_sequence_cancel(c->seq), 0);
    return 0;
}
static void silent_and_cancelling(void **state)
{
    enum { N = 20 };
    struct canceller c = {0};
    void *a = input(TW_DOUBLE, 'L', N, N, -1);
    double w[N];
    tw_matrix *A, *F;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_LOWER, N, N, 8, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_DOUBLE, TW_GENERAL, N, N, 8, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, N), 0);
    assert_int_equal(tw_syfun(TW_FUNCTION, silent, NULL, TW_LOWER, A, w, F), 1);
    assert_int_equal(tw_sequence_create(&c.seq), 0);
    assert_int_equal(tw_syfun_async(TW_FUNCTION, cancelling, &c, TW_LOWER, A, w, F, c.seq), 0);
    assert_int_equal(tw_sequence_wait(c.seq), TW_E_CANCELLED);
    assert_int_equal(c.count, 3);
    assert_int_equal(tw_sequence_destroy(c.seq), 0);
    tw_matrix_destroy(A), tw_matrix_destroy(F);
    free(a);
}

/* ---- poles, and arguments outside the domain --------------------------------------------------------------------- */

/* A diagonal matrix with these eigenvalues, in other places: the info, and whether F stays. */
static void outside(enum tw_function f, const double *value, int n, int info)
{
    FOR_TYPES(t) {
        void *a = tt_array(t, n, n), *before;
        struct tt_place p;
        double w[8];
        tw_matrix *A;

        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                tt_put(t, a, (size_t)i + (size_t)(j * n), i == j ? value[(3 * i + 1) % n] : 0);
        before = tt_copy(t, n, n, a);
        A = tt_enter(&p, TT_CREATED, t, TW_GENERAL, n, n, a, n, 3);
        tt_expect_info(tw_syfun(f, NULL, NULL, TW_LOWER, A, w, A), info, "%d", (int)f);
        tt_leave(&p);
        if (info) assert_memory_equal(a, before, (size_t)n * (size_t)n * tt_size(t));
        for (int i = 0; i < n; i++)
            assert_true(fabs(w[i] - value[i]) <= 1e-5 * fabs(value[n - 1]));
        free(a), free(before);
    }
}
static void domains(void **state)
{
    static const double negative[] = {-2, -1, 0, 1, 4}, zero[] = {-3, -1, 0, 0, 5}, semi[] = {0, 0, 1, 2, 9},
                        large[] = {-900, 1, 2, 800, 900}, positive[] = {0.5, 1, 2, 3, 4};
    (void)state;
    outside(TW_SQRT, negative, 5, 1);
    outside(TW_SQRT, semi, 5, 0);
    outside(TW_INVERSE, zero, 5, 3);
    outside(TW_INVERSE, semi, 5, 1);
    outside(TW_INVERSE_SQRT, negative, 5, 1);
    outside(TW_INVERSE_SQRT, semi, 5, 1);
    outside(TW_LOG, semi, 5, 1);
    outside(TW_LOG, negative, 5, 1);
    outside(TW_LOG, positive, 5, 0);
    outside(TW_EXP, large, 5, 4);
    outside(TW_ABS, zero, 5, 0);
}

static void not_finite(void **state)
{
    enum { N = 40 };
    (void)state;
    FOR_TYPES(t) {
        void *a = input(t, 'L', N, N, 0), *before;
        struct tt_place p;
        double w[N];
        tw_matrix *A;
        tt_put(t, a, 30 + 7 * N, NAN);
        before = tt_copy(t, N, N, a);
        A = tt_enter(&p, TT_CREATED, t, TW_GENERAL, N, N, a, N, 16);
        tt_expect_info(tw_syfun(TW_EXP, NULL, NULL, TW_LOWER, A, w, A), N, "NaN");
        tt_leave(&p);
        assert_true(isnan(w[0]) && isnan(w[N - 1]));
        assert_memory_equal(a, before, (size_t)N * N * tt_size(t));
        free(a), free(before);
    }
}

static void refusals(void **state)
{
    double w[4];
    tw_matrix *A, *B, *C, *U;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 4, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_FLOAT, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&U, TW_DOUBLE, TW_UPPER, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_syfun((enum tw_function)77, NULL, NULL, TW_LOWER, A, w, A), -1);
    assert_int_equal(tw_syfun(TW_FUNCTION, NULL, NULL, TW_LOWER, A, w, A), -2);
    assert_int_equal(tw_syfun(TW_EXP, square, NULL, TW_LOWER, A, w, A), -2);
    assert_int_equal(tw_syfun(TW_EXP, NULL, NULL, (enum tw_uplo)'X', A, w, A), -4);
    assert_int_equal(tw_syfun(TW_EXP, NULL, NULL, TW_LOWER, U, w, A), -5);
    assert_int_equal(tw_syfun(TW_EXP, NULL, NULL, TW_LOWER, B, w, A), -5);
    assert_int_equal(tw_syfun(TW_EXP, NULL, NULL, TW_LOWER, A, NULL, A), -6);
    assert_int_equal(tw_syfun(TW_EXP, NULL, NULL, TW_LOWER, A, w, NULL), -7);
    assert_int_equal(tw_syfun(TW_EXP, NULL, NULL, TW_LOWER, A, w, B), -7);
    assert_int_equal(tw_syfun(TW_EXP, NULL, NULL, TW_LOWER, A, w, C), -7);
    assert_int_equal(tw_syfun(TW_EXP, NULL, NULL, TW_UPPER, A, w, U), -7);
    assert_int_equal(tw_syfun_async(TW_EXP, NULL, NULL, TW_LOWER, A, w, A, NULL), -8);
    tw_matrix_destroy(A), tw_matrix_destroy(B), tw_matrix_destroy(C), tw_matrix_destroy(U);
}

/* log(exp(A)) = A, queued. */
static void queued(void **state)
{
    enum { N = 100 };
    (void)state;
    setenv("TILEWORK_BAND", "16", 1);
    FOR_TYPES(t) {
        void *a = input(t, 'U', N, N, -1), *back = tt_array(t, N, N);
        double w[2][N];
        tw_sequence *seq;
        tw_matrix *A, *F;
        assert_int_equal(tw_matrix_create(&A, t, TW_UPPER, N, N, 32, NULL), 0);
        assert_int_equal(tw_matrix_create(&F, t, TW_GENERAL, N, N, 20, NULL), 0);
        assert_int_equal(tw_matrix_set_lapack(A, a, N), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_syfun_async(TW_EXP, NULL, NULL, TW_UPPER, A, w[0], F, seq), 0);
        assert_int_equal(tw_syfun_async(TW_LOG, NULL, NULL, TW_LOWER, F, w[1], F, seq), 0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(tw_matrix_to_lapack(F, back, N), 0);
        tt_expect("log(exp(A))", t, tt_difference(t, 'U', 'N', N, N, back, N, a, N) / 10, 0, "n = %d", N);
        tw_matrix_destroy(A), tw_matrix_destroy(F);
        free(a), free(back);
    }
    unsetenv("TILEWORK_BAND");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions), cmocka_unit_test(own),        cmocka_unit_test(silent_and_cancelling),
        cmocka_unit_test(domains),   cmocka_unit_test(not_finite), cmocka_unit_test(refusals),
        cmocka_unit_test(queued)};
    return tt_run(tests);
}
