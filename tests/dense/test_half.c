/* gesv_half and posv_half, real and complex: rounding to half precision; conditions from 1e1 to 1e5; A and its pivots;
 * badly scaled matrices and right-hand sides; what leads to double precision, and after how many steps, infos, NaN;
 * refusals; a graph with what comes after. */
#include <complex.h>
#include <math.h>
#include "kernels/dense/cpu/dense_cpu.h"
#include "tt.h"

/* A X = B; part 'G' by LU, 'L' or 'U' by Cholesky. Elements are `parts` doubles. */
struct system {
    enum tw_type type;
    char part;
    int n, nrhs, parts;
    double *a, *f, *b, *x;
    int iter, info, nb;
    double berr;
};

static double *full(enum tw_type type, const char *kind, int n, int columns, uint64_t seed)
{
    double *a = tt_array(type, n, columns);
    tw_generator *g;
    tw_matrix *M;

    assert_int_equal(tw_generator_create(&g, kind, type, n, columns, seed), 0);
    assert_int_equal(tw_matrix_create(&M, type, TW_GENERAL, n, columns, 16, NULL), 0);
    assert_int_equal(tw_matrix_generate(M, g), 0);
    assert_int_equal(tw_matrix_to_lapack(M, a, n > 0 ? n : 1), 0);
    assert_int_equal(tw_matrix_destroy(M), 0);
    tw_generator_destroy(g);
    return a;
}
static struct system make(enum tw_type type, char part, int n, int nrhs, int nb, double condition)
{
    char kind[64];
    struct system s = {.type = type, .part = part, .n = n, .nrhs = nrhs, .nb = nb, .parts = type == TW_DOUBLE ? 1 : 2};

    snprintf(kind, sizeof kind, part == 'G' ? "svd:%g" : "spectrum:%g", condition);
    s.a = full(type, kind, n, n, 3);
    s.b = full(type, "random", n, nrhs, 4);
    s.x = tt_array(type, n, nrhs);
    s.f = tt_array(type, n, n);
    return s;
}
/* Element (i, j) of an array with n rows. */
static double *at(const struct system *s, double *a, int i, int j)
{
    return a + s->parts * (i + j * s->n);
}
static double complex number(const struct system *s, double *a, int i, int j)
{
    const double *x = at(s, a, i, j);
    return CMPLX(x[0], s->parts == 2 ? x[1] : 0);
}
static void set(const struct system *s, double *a, int i, int j, double x)
{
    at(s, a, i, j)[0] = x;
    if (s->parts == 2) at(s, a, i, j)[1] = 0;
}
static void times(const struct system *s, double *a, int i, int j, double by)
{
    for (int k = 0; k < s->parts; k++)
        at(s, a, i, j)[k] *= by;
}
static void drop(struct system *s)
{
    free(s->a), free(s->f), free(s->b), free(s->x);
}
static void run(struct system *s, int async)
{
    const int n = s->n, ld = n > 0 ? n : 1;
    const enum tw_uplo uplo = (enum tw_uplo)s->part;
    tw_matrix *A, *B, *X, *P = NULL;
    tw_sequence *seq;

    s->iter = 99, s->berr = 99;
    assert_int_equal(tw_matrix_create(&A, s->type, s->part == 'G' ? TW_GENERAL : uplo, n, n, s->nb, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, s->a, ld), 0);
    assert_int_equal(tw_matrix_create_tiles(&B, s->type, TW_GENERAL, n, s->nrhs, s->nb, 2, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(B, s->b, ld), 0);
    assert_int_equal(tw_matrix_create_tiles(&X, s->type, TW_GENERAL, n, s->nrhs, async ? s->nb : 7, 2, NULL), 0);
    if (s->part == 'G') assert_int_equal(tw_pivots_create(&P, A), 0);
    if (async) {
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(s->part == 'G' ? tw_gesv_half_async(A, P, B, X, &s->iter, &s->berr, seq)
                                        : tw_posv_half_async(uplo, A, B, X, &s->iter, &s->berr, seq),
                         0);
        s->info = tw_sequence_wait(seq);
        assert_int_equal(tw_sequence_destroy(seq), 0);
    } else {
        s->info = s->part == 'G' ? tw_gesv_half(A, P, B, X, &s->iter, &s->berr)
                                 : tw_posv_half(uplo, A, B, X, &s->iter, &s->berr);
    }
    assert_int_equal(tw_matrix_to_lapack(A, s->f, ld), 0);
    assert_int_equal(tw_matrix_to_lapack(X, s->x, ld), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(B), 0);
    assert_int_equal(tw_matrix_destroy(X), 0);
    assert_int_equal(tw_matrix_destroy(P), 0);
}

static double abs1(double complex x)
{
    return fabs(creal(x)) + fabs(cimag(x));
}
/* max |b - A x| / (|A| max |x|), the worst column's, from the outside; of |z| = |re| + |im|, |A| as LAPACK's. */
static double criterion(const struct system *s)
{
    const int n = s->n;
    double anorm = 0, worst = 0;

    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += cabs(number(s, s->a, i, j));
        anorm = fmax(anorm, sum);
    }
    for (int k = 0; k < s->nrhs; k++) {
        double rmax = 0, xmax = 0;
        for (int i = 0; i < n; i++) {
            long double complex r = number(s, s->b, i, k);
            for (int j = 0; j < n; j++)
                r -= (long double complex)number(s, s->a, i, j) * number(s, s->x, j, k);
            rmax = fmax(rmax, abs1((double complex)r));
            xmax = fmax(xmax, abs1(number(s, s->x, i, k)));
        }
        worst = fmax(worst, rmax / (anorm * xmax));
    }
    return worst;
}
static int unchanged(const struct system *s)
{
    for (int j = 0; j < s->n; j++)
        for (int i = s->part == 'L' ? j : 0; i < (s->part == 'U' ? j + 1 : s->n); i++)
            if (number(s, s->a, i, j) != number(s, s->f, i, j)) return 0;
    return 1;
}
/* Of order 1 a complex product's rounding alone comes to more than the limit. */
static void good(const struct system *s, const char *what)
{
    const double limit = 0x1p-53 * fmax(s->n == 1 ? s->parts : 1, sqrt((double)s->n)), mine = criterion(s);

    tt_expect_info(s->info, 0, "%c %s", s->part, what);
    if (s->iter < 0 || !(mine <= limit) || !(s->berr <= limit))
        fail_msg("%c %c n=%d, %s: iter %d, berr %g, %g from the outside", tt_letter(s->type), s->part, s->n, what,
                 s->iter, s->berr, mine);
    assert_true(unchanged(s));
}

/* ---- rounding ---------------------------------------------------------------------------------------------------- */

/* In double, by the definition. */
static float rounded(float x)
{
    int e;
    double step;

    if (!isfinite(x) || x == 0) return x;
    (void)frexp((double)x, &e); /* |x| is in [2^(e-1), 2^e) */
    step = ldexp(1, e - 1 < -14 ? -24 : e - 11);
    const double y = nearbyint((double)x / step) * step;
    return fabs(y) > 65504 ? (float)copysign(INFINITY, y) : (float)y;
}
static void rounding(void **state)
{
    static const float some[] = {0,
                                 -0.0f,
                                 1,
                                 65504,
                                 65519.996f,
                                 65520,
                                 -65536,
                                 0x1p-14f,
                                 0x1.ffep-15f,
                                 0x1p-24f,
                                 0x1p-25f,
                                 0x1.8p-25f,
                                 0x1.000002p-25f,
                                 0x1p-40f,
                                 0x1p-149f,
                                 3e38f,
                                 INFINITY,
                                 NAN,
                                 0x1.002p0f,
                                 0x1.006p0f,
                                 0x1.0021p0f,
                                 -0x1.006p-3f,
                                 0.1f,
                                 1.0f / 3,
                                 -0x1.fffp10f};
    enum { SOME = sizeof some / sizeof *some, MORE = 4000 };
    float *x = malloc((SOME + MORE) * sizeof *x), *y = malloc((SOME + MORE) * sizeof *y);
    (void)state;
    for (int i = 0; i < SOME + MORE; i++)
        x[i] = i < SOME ? some[i] : ldexpf((float)sin(i), i % 50 - 32);
    tw_cpu_kernels[TW_FLOAT]->half(SOME + MORE, 1, x, SOME + MORE, y, SOME + MORE);
    for (int i = 0; i < SOME + MORE; i++) {
        const float want = rounded(x[i]);
        if (isnan(x[i]) ? !isnan(y[i]) : y[i] != want || signbit(y[i]) != signbit(want))
            fail_msg("%a became %a, not %a", (double)x[i], (double)y[i], (double)want);
    }
    free(x), free(y);
}

/* ---- systems ----------------------------------------------------------------------------------------------------- */

#define FOR_TYPES(t)                                                                                                   \
    for (enum tw_type t = TW_DOUBLE; t != TW_NTYPES; t = t == TW_DOUBLE ? TW_COMPLEX_DOUBLE : TW_NTYPES)

/* Factors of single precision would do with two or three steps up to 1e4: that it takes more says that products were of
 * half precision's numbers. */
static void conditions(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (const char *part = "GLU"; *part; part++)
            for (int c = 1; c <= 5; c++) {
                struct system s = make(t, *part, 150, 3, 24, pow(10, c));
                char what[64];
                snprintf(what, sizeof what, "condition 1e%d", c);
                run(&s, c % 2);
                if (getenv("TILEWORK_TEST_VERBOSE"))
                    printf("%c %c %s: %d steps, %.2g\n", tt_letter(t), *part, what, s.iter, s.berr);
                good(&s, what);
                if (c >= 3) assert_true(s.iter >= 4);
                drop(&s);
            }
}

/* Of one tile no product is rounded. */
static void orders(void **state)
{
    static const int sizes[][3] = {{0, 2, 8},   {1, 1, 8},   {2, 3, 8},   {17, 5, 16},
                                   {33, 1, 16}, {64, 4, 64}, {90, 0, 32}, {97, 2, 7}};
    (void)state;
    FOR_TYPES(t)
        for (const char *part = "GLU"; *part; part++)
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                struct system s = make(t, *part, sizes[k][0], sizes[k][1], sizes[k][2], 100);
                run(&s, (int)k % 2);
                if (s.n > 0 && s.nrhs > 0)
                    good(&s, "an order");
                else
                    assert_true(s.info == 0 && s.iter == 0);
                drop(&s);
            }
}

/* Far beyond half precision's numbers, and single's: all of A, rows and columns by themselves, right-hand sides. */
static void sizes_of_numbers(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (const char *part = "GL"; *part; part++)
            for (int way = 0; way < 6; way++) {
                struct system s = make(t, *part, 100, 2, 24, 100);
                const double by = way == 0 ? 1e30 : way == 1 ? 1e-30 : way == 2 ? 1e150 : way == 3 ? 1e-150 : 1;
                for (int j = 0; j < s.n; j++)
                    for (int i = 0; i < s.n; i++) {
                        times(&s, s.a, i, j, by);
                        if (way == 4)
                            times(&s, s.a, i, j, pow(10, (i * 7 % 13 - 6) + (*part == 'G' ? 0 : j * 7 % 13 - 6)));
                    }
                for (int i = 0; i < s.n * s.nrhs; i++) {
                    if (way == 5) times(&s, s.b, i, 0, i < s.n ? 1e200 : 1e-200);
                    if (way == 4) times(&s, s.b, i, 0, pow(10, i % s.n * 7 % 13 - 6));
                }
                run(&s, way % 2);
                good(&s, (const char *[]){"1e30", "1e-30", "1e150", "1e-150", "rows", "right-hand sides"}[way]);
                drop(&s);
            }
}

static void zero_right_hand_sides(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        struct system s = make(t, 'G', 60, 2, 16, 10);
        memset(s.b, 0, sizeof *s.b * 120 * (size_t)s.parts);
        run(&s, 0);
        assert_true(s.info == 0 && s.iter == 0 && unchanged(&s));
        for (int i = 0; i < 120; i++)
            assert_true(number(&s, s.x, i, 0) == 0);
        for (int i = 0; i < 60; i++)
            set(&s, s.b, i, 1, i); /* one column of zeros beside another one */
        run(&s, 1);
        assert_true(s.info == 0 && s.iter > 0);
        for (int i = 0; i < 60; i++)
            assert_true(number(&s, s.x, i, 0) == 0);
        drop(&s);
    }
}

/* What gesv and posv say about A themselves; and iter why it came to that. */
static void falls_back(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        for (int zero = 0; zero < 90; zero += 44) {
            struct system s = make(t, 'G', 90, 2, 24, 10), c = make(t, 'L', 90, 2, 24, 10);
            for (int i = 0; i < 90; i++)
                set(&s, s.a, i, zero, 0);
            set(&c, c.a, zero, zero, -1);
            run(&s, 0), run(&c, 1);
            assert_true(s.iter == -3 && s.berr == -1);
            tt_expect_info(s.info, zero + 1, "a column of zeros");
            assert_true(c.iter == -3);
            tt_expect_info(c.info, zero + 1, "not positive definite");
            drop(&s), drop(&c);
        }
        /* a condition that half precision's factors are no help with */
        struct system s = make(t, 'G', 150, 2, 24, 1e15);
        run(&s, 0);
        tt_expect_info(s.info, 0, "1e15");
        if (s.iter >= 0) good(&s, "1e15");
        tt_expect("gesv_half, in double", t, tt_general_solve_residual(t, 'N', 150, 2, s.a, 150, s.b, 150, s.x, 150),
                  150, "1e15");
        set(&s, s.b, 7, 0, NAN);
        run(&s, 1);
        tt_expect_info(s.info, 0, "a NaN in B");
        assert_int_equal(s.iter, -31);
        set(&s, s.b, 7, 0, 1), set(&s, s.a, 33, 0, NAN);
        run(&s, 0);
        assert_true(s.iter < 0);
        assert_true(isnan(s.x[0]));
        drop(&s);
    }
}

/* Of one block column. */
static int steps_of(struct system *s)
{
    static tw_times t;
    int steps = 0;

    assert_int_equal(tw_times_start(), 0);
    run(s, 0);
    assert_int_equal(tw_times_stop(&t), 0);
    for (int k = 0; k < t.kernels; k++)
        if (strstr(t.kernel[k].name, "gmres_step")) steps += (int)(t.kernel[k].cpu_tasks + t.kernel[k].cuda_tasks);
    return steps;
}

/* Where factors are no help, steps end soon: of 2^149 growth, which half precision's numbers do not have, behind the
 * first; of a condition far beyond them when they have come to nothing. */
static void no_steps_for_nothing(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        struct system s = make(t, 'G', 150, 2, 24, 10);
        int steps;
        free(s.a);
        s.a = full(t, "wilkinson", 150, 150, 1);
        steps = steps_of(&s);
        tt_expect_info(s.info, 0, "infinite growth");
        assert_int_equal(s.iter, -31);
        assert_true(steps >= 1 && steps <= 2);
        drop(&s);
        s = make(t, 'G', 150, 2, 24, 1e12);
        steps = steps_of(&s);
        if (s.iter < 0) assert_true(steps <= 30);
        drop(&s);
    }
}

static void refusals(void **state)
{
    tw_matrix *A, *B, *X, *P, *C, *Z, *L;
    int iter = 9;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 8, 8, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 8, 2, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&X, TW_DOUBLE, TW_GENERAL, 8, 2, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_DOUBLE, TW_GENERAL, 8, 3, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&Z, TW_COMPLEX_FLOAT, TW_GENERAL, 8, 8, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&L, TW_FLOAT, TW_LOWER, 8, 8, 4, NULL), 0);
    assert_int_equal(tw_pivots_create(&P, A), 0);
    tt_expect_info(tw_gesv_half(NULL, P, B, X, &iter, NULL), -1, "A");
    tt_expect_info(tw_gesv_half(Z, P, B, X, &iter, NULL), -1, "single precision");
    tt_expect_info(tw_gesv_half(A, NULL, B, X, &iter, NULL), -2, "ipiv");
    tt_expect_info(tw_gesv_half(A, P, A, X, &iter, NULL), -3, "B");
    tt_expect_info(tw_gesv_half(A, P, B, C, &iter, NULL), -4, "X");
    tt_expect_info(tw_gesv_half(A, P, B, X, NULL, NULL), -5, "iter");
    tt_expect_info(tw_posv_half((enum tw_uplo)'X', A, B, X, &iter, NULL), -1, "uplo");
    tt_expect_info(tw_posv_half(TW_LOWER, L, B, X, &iter, NULL), -2, "single precision");
    tt_expect_info(tw_posv_half(TW_LOWER, A, B, B, &iter, NULL), -4, "X is B");
    tw_matrix *all[] = {A, B, X, P, C, Z, L};
    for (int i = 0; i < 7; i++)
        assert_int_equal(tw_matrix_destroy(all[i]), 0);
}

/* A, which stays, and X are needed by what comes behind, and given back before it has ended. */
static void before_others(void **state)
{
    struct system s = make(TW_DOUBLE, 'G', 100, 2, 24, 1e4);
    const tw_scalar one = {1, 0}, minus_one = {-1, 0};
    double *r = tt_array(TW_DOUBLE, 100, 2), berr;
    tw_matrix *A, *B, *X, *P;
    tw_sequence *seq;
    int iter;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 100, 100, 24, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 100, 2, 24, NULL), 0);
    assert_int_equal(tw_matrix_create(&X, TW_DOUBLE, TW_GENERAL, 100, 2, 24, NULL), 0);
    assert_int_equal(tw_pivots_create(&P, A), 0);
    assert_int_equal(tw_matrix_set_lapack(A, s.a, 100), 0);
    assert_int_equal(tw_matrix_set_lapack(B, s.b, 100), 0);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_gesv_half_async(A, P, B, X, &iter, &berr, seq), 0);
    assert_int_equal(tw_gemm_async(TW_NOTRANS, TW_NOTRANS, minus_one, A, X, one, B, seq), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(X), 0);
    assert_int_equal(tw_matrix_destroy(P), 0);
    assert_int_equal(tw_matrix_to_lapack(B, r, 100), 0);
    assert_int_equal(tw_sequence_wait(seq), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_true(iter > 0 && berr < 1e-14);
    for (int i = 0; i < 200; i++)
        assert_true(fabs(r[i]) < 1e-9);
    assert_int_equal(tw_matrix_destroy(B), 0);
    free(r);
    drop(&s);
}

/* The same call gives the same bits. */
static void same_bits(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        struct system s = make(t, 'G', 120, 2, 24, 1e3), again = make(t, 'G', 120, 2, 24, 1e3);
        run(&s, 0), run(&again, 0);
        assert_int_equal(s.iter, again.iter);
        assert_memory_equal(s.x, again.x, 240 * sizeof *s.x * (size_t)s.parts);
        drop(&s), drop(&again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding),
        cmocka_unit_test(conditions),
        cmocka_unit_test(orders),
        cmocka_unit_test(sizes_of_numbers),
        cmocka_unit_test(zero_right_hand_sides),
        cmocka_unit_test(falls_back),
        cmocka_unit_test(no_steps_for_nothing),
        cmocka_unit_test(refusals),
        cmocka_unit_test(before_others),
        tt_test_of_bits(same_bits),
    };
    return tt_run(tests);
}
