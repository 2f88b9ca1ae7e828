/* gels by domains of many rows, as GPUs have it, on whatever workers there are (TILEWORK_TALL): levels, tiles,
 * right-hand sides; conditions up to 1e15; domains of different size; columns of zeros; missing memory; which tiles are
 * asked for. The whole of test_gels.c runs so as well (tests.cmake). */
#include <complex.h>
#include <math.h>

#include "runtime/base/error.h"
#include "runtime/data/data.h"
#include "tt.h"

#define COUNT(list) (sizeof list / sizeof *list)

static void rows_of_domains(int rows)
{
    char text[16];
    snprintf(text, sizeof text, "%d", rows);
    setenv("TILEWORK_TALL", text, 1);
}

/* ---- memory that fails ------------------------------------------------------------------------------------------- */

static long until_failure = -1; /* so many more are made, and then no more; negative: all */
static int failed;

static int fails(void)
{
    if (until_failure < 0 || until_failure-- > 0) return 0;
    (void)tw_fail(TW_E_MEMORY, "planted");
    until_failure = 0;
    failed = 1;
    return 1;
}

struct tw_matrix *__real_tw_matrix_temporary(enum tw_type type, tw_int m, tw_int n, tw_int mb, tw_int nb);
struct tw_matrix *__wrap_tw_matrix_temporary(enum tw_type type, tw_int m, tw_int n, tw_int mb, tw_int nb);
struct tw_matrix *__wrap_tw_matrix_temporary(enum tw_type type, tw_int m, tw_int n, tw_int mb, tw_int nb)
{
    return fails() ? NULL : __real_tw_matrix_temporary(type, m, n, mb, nb);
}
struct tw_data *__real_tw_data_vector(size_t length, size_t elemsize, const int coord[2]);
struct tw_data *__wrap_tw_data_vector(size_t length, size_t elemsize, const int coord[2]);
struct tw_data *__wrap_tw_data_vector(size_t length, size_t elemsize, const int coord[2])
{
    return fails() ? NULL : __real_tw_data_vector(length, elemsize, coord);
}

/* ---- one call ---------------------------------------------------------------------------------------------------- */

struct cuts {
    int mb, nb, mb_b, nb_b; /* of A's tiles and B's */
};
enum { QUEUED = 1, CANCELLED };

/* x (m x nrhs), which has b, gets the solution; a stays. */
static tw_int solved(enum tw_type t, char trans, int m, int n, int nrhs, const void *a, void *x, struct cuts c, int how)
{
    tw_matrix *A, *B;
    tw_sequence *seq;
    tw_int info;

    assert_int_equal(tw_matrix_create_tiles(&A, t, TW_GENERAL, m, n, c.mb, c.nb, NULL), 0);
    assert_int_equal(tw_matrix_create_tiles(&B, t, TW_GENERAL, m, nrhs, c.mb_b, c.nb_b, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, m), 0);
    assert_int_equal(tw_matrix_set_lapack(B, x, m), 0);
    if (how) {
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_gels_async((enum tw_trans)trans, A, B, seq), 0);
        if (how == CANCELLED) tw_sequence_cancel(seq);
        info = tw_sequence_wait(seq);
        assert_int_equal(tw_sequence_destroy(seq), 0);
    } else {
        info = tw_gels((enum tw_trans)trans, A, B);
    }
    assert_int_equal(tw_matrix_to_lapack(B, x, m), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(B), 0);
    return info;
}

/* a by itself, and right-hand sides of which op(A)'s rows count; a is given back. */
static void right(enum tw_type t, char trans, int m, int n, int nrhs, void *a, struct cuts c, int how, const char *what)
{
    void *b = tt_array(t, m, nrhs), *x;
    const char op = trans == 'N' ? 'N' : 'C';

    tt_random(t, 'G', trans == 'N' ? m : n, nrhs, b, m, 402);
    x = tt_copy(t, m, nrhs, b);
    tt_expect_info(solved(t, trans, m, n, nrhs, a, x, c, how), 0, "%s", what);
    tt_expect(trans == 'N' ? "least squares by domains" : "least norm by domains", t,
              tt_gels_residual(t, op, m, n, nrhs, a, m, b, m, x, m), n, "%c %d x %d, %d, %d x %d, %s", trans, m, n,
              nrhs, c.mb, c.nb, what);
    for (int j = 0; trans == 'N' && j < nrhs; j++) { /* the elements below X: the residual's norm */
        const size_t at = (size_t)j * (size_t)m * tt_size(t);
        tt_z *A = tt_full(TT_GENERAL, t, 'G', 'N', m, n, a, m),
             *r = tt_full(TT_GENERAL, t, 'G', 'N', m, 1, (char *)b + at, m),
             *y = tt_full(TT_GENERAL, t, 'G', 'N', m, 1, (char *)x + at, m);
        const double size = tt_norm('F', m, 1, r) + tt_norm('F', m, n, A) * tt_norm('F', n, 1, y);
        tt_multiply(m, 1, n, -1, A, y, 1, r);
        tt_expect("the residual's norm by domains", t,
                  fabs(tt_norm('F', m, 1, r) - tt_norm('F', m - n, 1, y + n)) / (size * m * tt_eps(t)), 0, "%d x %d", m,
                  n);
        free(A), free(r), free(y);
    }
    free(a), free(b), free(x);
}

static void *random_matrix(enum tw_type t, int m, int n)
{
    void *a = tt_array(t, m, n);
    tt_random(t, 'G', m, n, a, m, 401);
    return a;
}
/* ---- tests ------------------------------------------------------------------------------------------------------- */

/* Many levels and one; a last domain that is whole, short, or has fewer rows than columns; A's own tiles as domains,
 * and square ones; right-hand sides in such tiles and others. */
static void shapes(void **state)
{
    static const struct {
        int rows, m, n;
        struct cuts c;
    } list[] = {{1, 97, 3, {3, 3, 3, 3}},           {10, 300, 5, {10, 5, 10, 2}},     {10, 301, 5, {10, 5, 7, 9}},
                {40, 401, 20, {40, 20, 40, 3}},     {40, 419, 20, {16, 16, 16, 16}},  {40, 411, 20, {50, 32, 50, 20}},
                {64, 650, 17, {64, 17, 64, 4}},     {64, 200, 64, {64, 64, 64, 64}},  {100, 101, 30, {100, 30, 9, 9}},
                {30, 31, 1, {30, 1, 30, 1}},        {50, 260, 33, {200, 40, 200, 5}}, {50, 190, 33, {300, 40, 19, 5}},
                {4500, 9100, 3, {4500, 3, 4500, 3}}};
    (void)state;
    TT_TYPES(t)
        for (size_t k = 0; k < COUNT(list); k++)
            for (int nrhs = 1; nrhs <= 8; nrhs += 7)
                for (int trans = 0; trans < 2; trans++) {
                    const char letter = trans ? (tt_complex(t) ? 'C' : 'T') : 'N';
                    rows_of_domains(list[k].rows);
                    right(t, letter, list[k].m, list[k].n, nrhs, random_matrix(t, list[k].m, list[k].n), list[k].c,
                          nrhs > 1 ? QUEUED : 0, "random");
                }
}

/* Backward stable whatever the condition. Of the shortest solution the residual alone is looked at: how far it may be
 * from the range of A's adjoint grows with the condition. */
static void conditions(void **state)
{
    enum { M = 500, N = 24, RHS = 2 };
    (void)state;
    rows_of_domains(60);
    TT_TYPES(t)
        for (int e = 0; e <= 15; e += 3) {
            const struct cuts cuts = {60, N, 60, RHS};
            void *b = tt_array(t, M, RHS), *x, *a;
            tt_z *A, *X, *B;
            double size;
            char kind[24];

            snprintf(kind, sizeof kind, "svd:1e%d", e);
            right(t, 'N', M, N, RHS, tt_generated(t, kind, M, N, 11), cuts, 0, kind);
            a = tt_generated(t, kind, M, N, 11);
            tt_random(t, 'G', N, RHS, b, M, 402);
            x = tt_copy(t, M, RHS, b);
            tt_expect_info(solved(t, tt_complex(t) ? 'C' : 'T', M, N, RHS, a, x, cuts, 0), 0, "%s", kind);
            A = tt_op('C', M, N, tt_full(TT_GENERAL, t, 'G', 'N', M, N, a, M));
            X = tt_full(TT_GENERAL, t, 'G', 'N', M, RHS, x, M), B = tt_full(TT_GENERAL, t, 'G', 'N', N, RHS, b, M);
            size = M * tt_eps(t) * (tt_norm('F', N, M, A) * tt_norm('F', M, RHS, X) + tt_norm('F', N, RHS, B));
            tt_multiply(N, RHS, M, -1, A, X, 1, B);
            tt_expect("least norm by domains, the residual", t, tt_norm('F', N, RHS, B) / size, N, "%s", kind);
            free(a), free(b), free(x), free(A), free(X), free(B);
        }
}

/* Domains from one end of the numbers to the other, in a matrix that is small, large, or neither: what is scaled is
 * brought together again. The solution is compared with that of numbers near 1. */
static void sizes(void **state)
{
    enum { M = 330, N = 12, ROWS = 40, RHS = 2 };
    (void)state;
    rows_of_domains(ROWS);
    TT_TYPES(t)
        for (int all = -1; all <= 1; all++)
            for (int mixed = 0; mixed < 2; mixed++) {
                const int e = tt_single(t) ? 115 : 1000;
                void *a = random_matrix(t, M, N), *b = tt_array(t, M, RHS), *x, *f;

                tt_random(t, 'G', M, RHS, b, M, 402);
                for (int i = 0; mixed && i < M; i++) /* every third domain is far smaller than the others */
                    for (int j = 0; i / ROWS % 3 == 1 && j < N; j++)
                        tt_put(t, a, (size_t)(i + j * M), tt_get(t, a, (size_t)(i + j * M)) * ldexp(1, -e / 5));
                x = tt_copy(t, M, RHS, b), f = tt_copy(t, M, N, a);
                for (size_t i = 0; i < (size_t)M * N; i++)
                    tt_put(t, f, i, tt_get(t, f, i) * ldexp(1, all * e));
                tt_expect_info(solved(t, 'N', M, N, RHS, f, x, (struct cuts){ROWS, N, ROWS, RHS}, 0), 0, "2^%d",
                               all * e);
                for (int j = 0; j < RHS; j++)
                    for (int i = 0; i < N; i++)
                        tt_put(t, x, (size_t)(i + j * M), tt_get(t, x, (size_t)(i + j * M)) * ldexp(1, all * e));
                tt_expect("domains far from 1", t, tt_gels_residual(t, 'N', M, N, RHS, a, M, b, M, x, M), 0, "2^%d%s",
                          all * e, mixed ? ", mixed" : "");
                free(a), free(b), free(x), free(f);
            }
}

/* A domain of zeros is none; a column of them is an info, and B stays to the bit. The zero matrix has a solution. */
static void zeros(void **state)
{
    enum { M = 330, N = 12, ROWS = 40, RHS = 3 };
    static const struct cuts cuts[] = {{ROWS, N, ROWS, RHS}, {16, 16, 16, 16}};
    (void)state;
    rows_of_domains(ROWS);
    TT_TYPES(t)
        for (size_t c = 0; c < COUNT(cuts); c++)
            for (int trans = 0; trans < 2; trans++) {
                const char letter = trans ? (tt_complex(t) ? 'C' : 'T') : 'N';
                void *a = random_matrix(t, M, N), *b = tt_array(t, M, RHS), *x;

                for (int j = 0; j < N; j++)
                    for (int i = 2 * ROWS; i < 3 * ROWS; i++)
                        tt_put(t, a, (size_t)(i + j * M), 0);
                right(t, letter, M, N, RHS, tt_copy(t, M, N, a), cuts[c], 0, "a domain of zeros");
                tt_random(t, 'G', M, RHS, b, M, 402);
                for (int place = 1; place <= N; place += N - 1) {
                    void *f = tt_copy(t, M, N, a);
                    for (int i = 0; i < M; i++)
                        tt_put(t, f, (size_t)(i + (place - 1) * M), 0);
                    x = tt_copy(t, M, RHS, b);
                    tt_expect_info(solved(t, letter, M, N, RHS, f, x, cuts[c], 0), place, "column %d", place);
                    assert_memory_equal(x, b, (size_t)M * RHS * tt_size(t));
                    free(x), free(f);
                }
                memset(a, 0, (size_t)M * N * tt_size(t));
                x = tt_copy(t, M, RHS, b);
                tt_expect_info(solved(t, letter, M, N, RHS, a, x, cuts[c], 0), 0, "zeros");
                for (size_t i = 0; i < (size_t)M * RHS; i++)
                    assert_true(tt_get(t, x, i) == 0);
                free(a), free(b), free(x);
            }
}

/* Each allocation fails once: an error, B as it was, and the next call is right again. Cancelled ones leave nothing
 * behind, either (sanitizers look). */
static void no_memory(void **state)
{
    enum { M = 200, N = 7, RHS = 2 };
    const struct cuts cuts[] = {{30, N, 30, RHS}, {16, 16, 16, 16}};
    int failures = 0;
    (void)state;
    rows_of_domains(30);
    for (size_t c = 0; c < COUNT(cuts); c++)
        for (int trans = 0; trans < 2; trans++)
            for (long k = 0, last = 0; !last; k++) {
                double *a = random_matrix(TW_DOUBLE, M, N), *b = tt_array(TW_DOUBLE, M, RHS), *x;
                tw_int info;

                tt_random(TW_DOUBLE, 'G', M, RHS, b, M, 402);
                x = tt_copy(TW_DOUBLE, M, RHS, b);
                failed = 0, until_failure = k;
                info = solved(TW_DOUBLE, trans ? 'C' : 'N', M, N, RHS, a, x, cuts[c], k % 2 ? QUEUED : 0);
                last = !failed;
                until_failure = -1;
                if (!last) {
                    tt_expect_info(info, TW_E_MEMORY, "allocation %ld", k);
                    assert_memory_equal(x, b, sizeof(double) * M * RHS);
                    failures++;
                }
                (void)solved(TW_DOUBLE, 'N', M, N, RHS, a, x, cuts[c], CANCELLED);
                assert_true(k < 1000);
                free(a), free(b), free(x);
            }
    assert_true(failures > 20);
    right(TW_DOUBLE, 'N', M, N, RHS, random_matrix(TW_DOUBLE, M, N), cuts[0], 0, "afterwards");
}

static void tiles(void **state)
{
    tw_int mb = 0, nb = 0, square;
    tw_matrix *A = (tw_matrix *)&square;
    (void)state;
    unsetenv("TILEWORK_TALL");
    assert_int_equal(tw_routine_tiles("gels", TW_DOUBLE, 1000000, 256, 1, &mb, &nb), 0);
    square = tw_routine_nb("gels", TW_DOUBLE, 1000000, 256, 1, NULL);
    if (mb == nb) {
        assert_int_equal(nb, square); /* no GPU */
    } else {
        assert_in_range(mb, 16384, 131072);
        assert_int_equal(nb, 256);
    }
    rows_of_domains(5000);
    assert_int_equal(tw_routine_tiles("gels", TW_DOUBLE, 1000000, 256, 1, &mb, &nb), 0);
    assert_int_equal(mb, 5000);
    assert_int_equal(nb, 256);
    assert_int_equal(tw_routine_tiles("gels", TW_DOUBLE, 256, 1000000, 1, &mb, &nb), 0);
    assert_int_equal(mb, nb);
    rows_of_domains(0);
    assert_int_equal(tw_routine_tiles("gels", TW_DOUBLE, 1000000, 256, 1, &mb, &nb), 0);
    assert_int_equal(mb, nb);
    assert_int_equal(tw_routine_tiles("potrf", TW_DOUBLE, 1000, 1000, 0, &mb, &nb), 0);
    assert_int_equal(mb, nb);
    assert_int_equal(nb, tw_routine_nb("potrf", TW_DOUBLE, 1000, 1000, 0, NULL));
    assert_int_equal(tw_routine_tiles(NULL, TW_DOUBLE, 1, 1, 1, &mb, &nb), -1);
    assert_int_equal(tw_routine_tiles("gels", (enum tw_type)17, 1, 1, 1, &mb, &nb), -2);
    assert_int_equal(tw_routine_tiles("gels", TW_DOUBLE, -1, 1, 1, &mb, &nb), -3);
    assert_int_equal(tw_routine_tiles("gels", TW_DOUBLE, 1, -1, 1, &mb, &nb), -4);
    assert_int_equal(tw_routine_tiles("gels", TW_DOUBLE, 1, 1, -1, &mb, &nb), -5);
    assert_int_equal(tw_routine_tiles("gels", TW_DOUBLE, 1, 1, 1, NULL, &nb), -6);
    assert_int_equal(tw_routine_tiles("gels", TW_DOUBLE, 1, 1, 1, &mb, NULL), -7);
    assert_int_equal(tw_matrix_wrap_device_tiles(&A, TW_DOUBLE, TW_GENERAL, 8, 2, &square, 8, 4, 2, 99),
                     TW_E_NO_WORKER);
    assert_null(A);
}

static void wrong_variable(void **state)
{
    double x[2] = {1, 2};
    const double a[2] = {1, 1};
    tw_int mb, nb;
    (void)state;
    setenv("TILEWORK_TALL", "many", 1);
    tt_expect_info(solved(TW_DOUBLE, 'N', 2, 1, 1, a, x, (struct cuts){2, 1, 2, 1}, 0), TW_E_OPTION, "many");
    assert_int_equal(tw_routine_tiles("gesdd", TW_DOUBLE, 2, 1, 0, &mb, &nb), TW_E_OPTION);
    assert_int_equal(tw_routine_tiles("potrf", TW_DOUBLE, 2, 2, 0, &mb, &nb), 0); /* whose affair it is not */
    unsetenv("TILEWORK_TALL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes),        cmocka_unit_test(conditions),
                                       cmocka_unit_test(sizes),         cmocka_unit_test(zeros),
                                       cmocka_unit_test(no_memory),     cmocka_unit_test(tiles),
                                       cmocka_unit_test(wrong_variable)};
    const int failed = tt_run(tests);
    return tw_finalize() != 0 || failed;
}
