/* gehrd, orghr and unghr, ormhr and unmhr: the reduction to Hessenberg form and its Q, through all doors, beside
 * LAPACK's, and bad input. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "tt.h"

#define COUNT(list) ((int)(sizeof list / sizeof *list))
enum { MOST = 200 };
enum kind { RANDOM, ZERO, TRIANGULAR, HESSENBERG, HUGE_, TINY, GRADED, KINDS };
static const char *const kinds[] = {"random", "zero", "triangular", "Hessenberg", "huge", "tiny", "graded"};

static int is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}
/* Outside the rows and columns ilo ... ihi it is upper triangular. */
static void fill(enum tw_type t, enum kind kind, int n, int ilo, int ihi, void *a, int lda)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            tt_z x = tt_uniform(7, i, j) + (tt_complex(t) ? tt_uniform(8, i, j) * I : 0);
            if (kind == ZERO || (kind == TRIANGULAR && i > j) || (kind == HESSENBERG && i > j + 1)) x = 0;
            if (kind == HUGE_) x *= is_single(t) ? 1e36 : 1e304;
            if (kind == TINY) x *= is_single(t) ? 1e-36 : 1e-304;
            if (kind == GRADED) x *= pow(10, -0.1 * i);
            if (i > j && (j < ilo - 1 || i > ihi - 1)) x = 0;
            tt_put(t, a, (size_t)i + (size_t)j * (size_t)lda, x);
        }
}

/* A Q - Q H, in units of n eps |A|, and Q^H Q - I; H is f's Hessenberg part. */
static void judge(const char *what, enum tw_type t, int n, const void *a, int lda, const void *f, int ldf,
                  const void *q, int ldq)
{
    tt_z *A = tt_full(TT_GENERAL, t, 'G', 'N', n, n, a, lda), *H = tt_full(TT_GENERAL, t, 'G', 'N', n, n, f, ldf),
         *Q = tt_full(TT_GENERAL, t, 'G', 'N', n, n, q, ldq), *X = calloc((size_t)n * (size_t)n + 1, sizeof *X),
         *Y = calloc((size_t)n * (size_t)n + 1, sizeof *Y);
    double size = 0;

    for (int i = 0; i < n * n; i++)
        size = fmax(size, fmax(fabs(creal(A[i])), fabs(cimag(A[i]))));
    for (int i = 0; i < n * n && size > 0; i++)
        A[i] /= size, H[i] /= size;
    for (int j = 0; j < n; j++)
        for (int i = j + 2; i < n; i++)
            H[i + j * n] = 0;
    tt_multiply(n, n, n, 1, A, Q, 0, X);
    tt_multiply(n, n, n, 1, Q, H, 0, Y);
    for (int i = 0; i < n * n; i++)
        X[i] -= Y[i];
    if (size > 0)
        tt_expect("|A Q - Q H|", t, tt_norm('O', n, n, X) / (n * tt_eps(t) * tt_norm('O', n, n, A)), 0, "%s, n = %d",
                  what, n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            H[j + i * n] = conj(Q[i + j * n]);
    tt_multiply(n, n, n, 1, H, Q, 0, X);
    for (int i = 0; i < n; i++)
        X[i * (n + 1)] -= 1;
    tt_expect("|Q^H Q - I|", t, tt_norm('O', n, n, X) / (n * tt_eps(t)), 0, "%s, n = %d", what, n);
    free(A), free(H), free(Q), free(X), free(Y);
}

static void matrix_door(enum tw_type t, enum kind kind, int n, int ilo, int ihi, int nb)
{
    const int lda = n + 2, wide = 13;
    void *a = tt_array(t, lda, n), *f, *q, *c = tt_array(t, n, wide), *back, *tau = tt_array(t, n, 1);
    struct tt_place pa, pc;
    tw_matrix *A, *T = NULL, *C;

    fill(t, kind, n, ilo, ihi, a, lda);
    f = tt_copy(t, lda, n, a);
    A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, n, n, f, lda, nb);
    if (n > 1) assert_int_equal(tw_matrix_create_tiles(&T, t, TW_GENERAL, n - 1, 1, 10, 1, NULL), 0);
    tt_expect_info(tw_gehrd(ilo, ihi, A, T), 0, "n = %d", n);
    assert_int_equal(tw_matrix_to_lapack(A, f, lda), 0);
    if (T) assert_int_equal(tw_matrix_to_lapack(T, tau, n), 0);
    for (int i = 0; i < n - 1; i++) /* LAPACK's are 0 there */
        if (i < ilo - 1 || i >= ihi - 1) assert_true(tt_get(t, tau, (size_t)i) == 0);
    /* Q^H (Q C) from the left, and from the right */
    tt_random(t, 'G', n, wide, c, n, 5);
    back = tt_copy(t, n, wide, c);
    C = tt_enter(&pc, TT_CREATED, t, TW_GENERAL, n, wide, back, n, 8);
    assert_int_equal(tw_unmhr(TW_LEFT, TW_NOTRANS, ilo, ihi, A, T, C), 0);
    assert_int_equal(tw_unmhr(TW_LEFT, TW_CONJTRANS, ilo, ihi, A, T, C), 0);
    tt_leave(&pc);
    for (int i = 0; i < n * wide; i++)
        assert_true(cabs(tt_get(t, back, (size_t)i) - tt_get(t, c, (size_t)i)) < 100 * n * tt_eps(t));
    assert_int_equal(tw_unghr(ilo, ihi, A, T), 0);
    tt_leave(&pa); /* over f */
    q = f;
    f = tt_copy(t, lda, n, a);
    A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, n, n, f, lda, nb);
    assert_int_equal(tw_gehrd(ilo, ihi, A, T), 0);
    tt_leave(&pa);
    judge(kinds[kind], t, n, a, lda, f, lda, q, lda);
    tw_matrix_destroy(T);
    free(a), free(f), free(q), free(c), free(back), free(tau);
}

static void sizes(void **state)
{
    static const int size[] = {1, 2, 3, 5, 31, 32, 33, 34, 64, 65, 97, 130};
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(size); k++)
            matrix_door(t, RANDOM, size[k], 1, size[k], k % 2 ? 16 : 40);
}

static void kinds_of(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int kind = 0; kind < KINDS; kind++)
            matrix_door(t, (enum kind)kind, 70, 1, 70, 32);
}

static void ranges(void **state)
{
    static const int range[][2] = {{1, 1}, {90, 90}, {1, 50}, {40, 90}, {17, 80}, {33, 34}, {70, 71}};
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(range); k++)
            matrix_door(t, RANDOM, 90, range[k][0], range[k][1], 32);
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

static int reduce(int way, enum tw_type t, int layout, int n, int ilo, int ihi, void *a, int lda, void *tau, void *work,
                  int lwork)
{
#define CALL(p)                                                                                                        \
    (way == 0   ? (int)tw_##p##gehrd(n, ilo, ihi, a, lda, tau)                                                         \
     : way == 1 ? (int)tw_LAPACKE_##p##gehrd(layout, n, ilo, ihi, a, lda, tau)                                         \
     : way == 2 ? (int)tw_LAPACKE_##p##gehrd_work(layout, n, ilo, ihi, a, lda, tau, work, lwork)                       \
                : (int)LAPACKE_##p##gehrd_work(layout, n, ilo, ihi, a, lda, tau, work, lwork))
    return t == TW_FLOAT ? CALL(s) : t == TW_DOUBLE ? CALL(d) : t == TW_COMPLEX_FLOAT ? CALL(c) : CALL(z);
#undef CALL
}
static int form(int way, enum tw_type t, int layout, int n, int ilo, int ihi, void *a, int lda, const void *tau,
                void *work, int lwork)
{
#define CALL(p, name)                                                                                                  \
    (way == 0   ? (int)tw_##p##name(n, ilo, ihi, a, lda, tau)                                                          \
     : way == 1 ? (int)tw_LAPACKE_##p##name(layout, n, ilo, ihi, a, lda, tau)                                          \
     : way == 2 ? (int)tw_LAPACKE_##p##name##_work(layout, n, ilo, ihi, a, lda, tau, work, lwork)                      \
                : (int)LAPACKE_##p##name##_work(layout, n, ilo, ihi, a, lda, tau, work, lwork))
    return t == TW_FLOAT           ? CALL(s, orghr)
           : t == TW_DOUBLE        ? CALL(d, orghr)
           : t == TW_COMPLEX_FLOAT ? CALL(c, unghr)
                                   : CALL(z, unghr);
#undef CALL
}
static int multiply(int way, enum tw_type t, int layout, char side, char trans, int m, int n, int ilo, int ihi,
                    const void *a, int lda, const void *tau, void *c, int ldc, void *work, int lwork)
{
#define CALL(p, name)                                                                                                  \
    (way == 0   ? (int)tw_##p##name(side, trans, m, n, ilo, ihi, a, lda, tau, c, ldc)                                  \
     : way == 1 ? (int)tw_LAPACKE_##p##name(layout, side, trans, m, n, ilo, ihi, a, lda, tau, c, ldc)                  \
     : way == 2                                                                                                        \
         ? (int)tw_LAPACKE_##p##name##_work(layout, side, trans, m, n, ilo, ihi, a, lda, tau, c, ldc, work, lwork)     \
         : (int)LAPACKE_##p##name##_work(layout, side, trans, m, n, ilo, ihi, a, lda, tau, c, ldc, work, lwork))
    return t == TW_FLOAT           ? CALL(s, ormhr)
           : t == TW_DOUBLE        ? CALL(d, ormhr)
           : t == TW_COMPLEX_FLOAT ? CALL(c, unmhr)
                                   : CALL(z, unmhr);
#undef CALL
}

/* Ours beside LAPACK's: with the same reflectors the same numbers, to rounding. */
static void doors(void **state)
{
    enum { N = 60, M = 11, LD = 65, SPACE = 20000 };
    (void)state;
    for (int small = 0; small < 2; small++) {
        if (!small) setenv("TILEWORK_CROSSOVER", "0", 1);
        TT_TYPES(t)
            for (int way = 0; way < 3; way++)
                for (int rows = 0; rows < (way ? 2 : 1); rows++)
                    for (int part = 0; part < 2; part++) {
                        const int layout = rows ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR, ilo = part ? 9 : 1,
                                  ihi = part ? 47 : N;
                        const char *const letters[] = {"LN", "RN", tt_complex(t) ? "LC" : "LT",
                                                       tt_complex(t) ? "RC" : "RT"};
                        void *a = tt_array(t, LD, LD), *f[2], *tau[2], *q[2], *work = malloc(SPACE * tt_size(t));

                        fill(t, RANDOM, N, ilo, ihi, a, LD);
                        for (int ours = 0; ours < 2; ours++) {
                            f[ours] = tt_array(t, LD, LD), tau[ours] = tt_array(t, N, 1);
                            for (int j = 0; j < N; j++)
                                for (int i = 0; i < N; i++)
                                    tt_put(t, f[ours], tt_layout_at(layout, i, j, LD),
                                           tt_get(t, a, (size_t)i + (size_t)j * LD));
                            assert_int_equal(
                                reduce(ours ? way : 3, t, layout, N, ilo, ihi, f[ours], LD, tau[ours], work, SPACE), 0);
                            q[ours] = tt_copy(t, LD, LD, f[ours]);
                            assert_int_equal(
                                form(ours ? way : 3, t, layout, N, ilo, ihi, q[ours], LD, tau[ours], work, SPACE), 0);
                        }
                        for (int j = 0; j < N; j++)
                            for (int i = 0; i < N; i++) {
                                const size_t at = tt_layout_at(layout, i, j, LD);
                                assert_true(cabs(tt_get(t, f[1], at) - tt_get(t, f[0], at)) < 3000 * N * tt_eps(t));
                                assert_true(cabs(tt_get(t, q[1], at) - tt_get(t, q[0], at)) < 3000 * N * tt_eps(t));
                            }
                        for (int k = 0; k < COUNT(letters); k++) {
                            const char side = letters[k][0], trans = letters[k][1];
                            const int m = side == 'L' ? N : M, n = side == 'L' ? M : N;
                            void *c[2];
                            for (int ours = 0; ours < 2; ours++) {
                                c[ours] = tt_array(t, LD, LD);
                                tt_random(t, 'G', LD, LD, c[ours], LD, 9);
                                assert_int_equal(multiply(ours ? way : 3, t, layout, side, trans, m, n, ilo, ihi, f[0],
                                                          LD, tau[0], c[ours], LD, work, SPACE),
                                                 0);
                            }
                            for (int j = 0; j < n; j++)
                                for (int i = 0; i < m; i++) {
                                    const size_t at = tt_layout_at(layout, i, j, LD);
                                    assert_true(cabs(tt_get(t, c[1], at) - tt_get(t, c[0], at)) < 1000 * N * tt_eps(t));
                                }
                            free(c[0]), free(c[1]);
                        }
                        for (int ours = 0; ours < 2; ours++)
                            free(f[ours]), free(tau[ours]), free(q[ours]);
                        free(a), free(work);
                    }
        unsetenv("TILEWORK_CROSSOVER");
    }
}

/* The arguments that LAPACK refuses, by its numbers: ours (LAPACKE's are one more), and LAPACK's own. */
static void refusals(void **state)
{
    double a[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7}, tau[4] = {0}, c[16] = {0}, work[400];
    tw_matrix *A, *T, *C, *W, *F;
    (void)state;
    for (int way = 0; way < 4; way++) {
        const int more = way > 0;
#define REDUCE(n, ilo, ihi, lda, lwork) reduce(way, TW_DOUBLE, LAPACK_COL_MAJOR, n, ilo, ihi, a, lda, tau, work, lwork)
        assert_int_equal(REDUCE(-1, 1, 4, 4, 400), -1 - more);
        assert_int_equal(REDUCE(4, 0, 4, 4, 400), -2 - more);
        assert_int_equal(REDUCE(4, 5, 4, 4, 400), -2 - more);
        assert_int_equal(REDUCE(4, 3, 2, 4, 400), -3 - more);
        assert_int_equal(REDUCE(4, 1, 5, 4, 400), -3 - more);
        assert_int_equal(REDUCE(4, 1, 4, 3, 400), -5 - more);
        assert_int_equal(REDUCE(0, 1, 0, 1, 400), 0);
        if (way > 1) assert_int_equal(REDUCE(4, 1, 4, 4, 3), -9);
        if (way > 1) assert_int_equal(REDUCE(4, 1, 4, 4, -1), 0);
#define FORM(n, ilo, ihi, lda, lwork) form(way, TW_DOUBLE, LAPACK_COL_MAJOR, n, ilo, ihi, a, lda, tau, work, lwork)
        assert_int_equal(FORM(-1, 1, 4, 4, 400), -1 - more);
        assert_int_equal(FORM(4, 0, 4, 4, 400), -2 - more);
        assert_int_equal(FORM(4, 3, 2, 4, 400), -3 - more);
        assert_int_equal(FORM(4, 1, 4, 3, 400), -5 - more);
        if (way > 1) assert_int_equal(FORM(4, 1, 4, 4, 2), -9);
#define MULTIPLY(side, trans, m, n, ilo, ihi, lda, ldc, lwork)                                                         \
    multiply(way, TW_DOUBLE, LAPACK_COL_MAJOR, side, trans, m, n, ilo, ihi, a, lda, tau, c, ldc, work, lwork)
        assert_int_equal(MULTIPLY('X', 'N', 4, 3, 1, 4, 4, 4, 400), -1 - more);
        assert_int_equal(MULTIPLY('L', 'C', 4, 3, 1, 4, 4, 4, 400), -2 - more);
        assert_int_equal(MULTIPLY('L', 'N', -1, 3, 1, 4, 4, 4, 400), -3 - more);
        assert_int_equal(MULTIPLY('L', 'N', 4, -1, 1, 4, 4, 4, 400), -4 - more);
        assert_int_equal(MULTIPLY('L', 'N', 4, 3, 0, 4, 4, 4, 400), -5 - more);
        assert_int_equal(MULTIPLY('R', 'N', 4, 3, 1, 4, 4, 4, 400), -6 - more);
        assert_int_equal(MULTIPLY('L', 'N', 4, 3, 1, 4, 3, 4, 400), -8 - more);
        assert_int_equal(MULTIPLY('L', 'N', 4, 3, 1, 4, 4, 3, 400), -11 - more);
        if (way > 1) assert_int_equal(MULTIPLY('L', 'N', 4, 3, 1, 4, 4, 4, 2), -14);
    }
    assert_int_equal(tw_dgehrd(4, 1, 4, NULL, 4, tau), -4);
    assert_int_equal(tw_dgehrd(4, 1, 4, a, 4, NULL), -6);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&T, TW_DOUBLE, TW_GENERAL, 3, 1, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_DOUBLE, TW_GENERAL, 4, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&W, TW_DOUBLE, TW_GENERAL, 4, 5, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 3, 1, 2, NULL), 0);
    assert_int_equal(tw_gehrd(0, 4, A, T), -1);
    assert_int_equal(tw_gehrd(1, 5, A, T), -2);
    assert_int_equal(tw_gehrd(1, 4, W, T), -3);
    assert_int_equal(tw_gehrd(1, 4, A, F), -4);
    assert_int_equal(tw_gehrd(1, 4, A, NULL), -4);
    assert_int_equal(tw_gehrd_async(1, 4, A, T, NULL), -5);
    assert_int_equal(tw_unghr(0, 4, A, T), -1);
    assert_int_equal(tw_unghr(2, 1, A, T), -2);
    assert_int_equal(tw_unghr(1, 4, NULL, T), -3);
    assert_int_equal(tw_unghr(1, 4, A, C), -4);
    assert_int_equal(tw_unmhr((enum tw_side)1, TW_NOTRANS, 1, 4, A, T, C), -1);
    assert_int_equal(tw_unmhr(TW_LEFT, (enum tw_trans)1, 1, 4, A, T, C), -2);
    assert_int_equal(tw_unmhr(TW_LEFT, TW_NOTRANS, 5, 4, A, T, C), -3);
    assert_int_equal(tw_unmhr(TW_LEFT, TW_NOTRANS, 1, 5, A, T, C), -4);
    assert_int_equal(tw_unmhr(TW_LEFT, TW_NOTRANS, 1, 4, W, T, C), -5);
    assert_int_equal(tw_unmhr(TW_LEFT, TW_NOTRANS, 1, 4, A, F, C), -6);
    assert_int_equal(tw_unmhr(TW_RIGHT, TW_NOTRANS, 1, 4, A, T, C), -7);
    assert_int_equal(tw_unmhr_async(TW_LEFT, TW_NOTRANS, 1, 4, A, T, C, NULL), -8);
    tw_matrix_destroy(A), tw_matrix_destroy(T), tw_matrix_destroy(C), tw_matrix_destroy(W), tw_matrix_destroy(F);
}

/* One graph: the form twice, its Q, and Q^H (Q C). */
static void queued(void **state)
{
    enum { N = 90, WIDE = 13, NB = 32 };
    (void)state;
    TT_TYPES(t)
        for (int part = 0; part < 2; part++) {
            const int ilo = part ? 9 : 1, ihi = part ? 70 : N;
            void *a = tt_array(t, N, N), *q = tt_array(t, N, N), *h = tt_array(t, N, N), *c = tt_array(t, N, WIDE),
                 *back = tt_array(t, N, WIDE);
            tw_matrix *A, *F, *T, *C;
            tw_sequence *seq;

            fill(t, RANDOM, N, ilo, ihi, a, N);
            tt_random(t, 'G', N, WIDE, c, N, 5);
            assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, N, N, a, N, NB), 0);
            assert_int_equal(tw_matrix_from_lapack(&F, t, TW_GENERAL, N, N, a, N, NB), 0);
            assert_int_equal(tw_matrix_from_lapack(&C, t, TW_GENERAL, N, WIDE, c, N, 8), 0);
            assert_int_equal(tw_matrix_create_tiles(&T, t, TW_GENERAL, N - 1, 1, 10, 1, NULL), 0);
            assert_int_equal(tw_sequence_create(&seq), 0);
            assert_int_equal(tw_gehrd_async(ilo, ihi, A, T, seq), 0);
            assert_int_equal(tw_unmhr_async(TW_LEFT, TW_NOTRANS, ilo, ihi, A, T, C, seq), 0);
            assert_int_equal(tw_gehrd_async(ilo, ihi, F, T, seq), 0);
            assert_int_equal(tw_unmhr_async(TW_LEFT, TW_CONJTRANS, ilo, ihi, F, T, C, seq), 0);
            assert_int_equal(tw_unghr_async(ilo, ihi, A, T, seq), 0);
            assert_int_equal(tw_matrix_destroy(T), 0); /* once they are done with it */
            assert_int_equal(tw_sequence_wait(seq), 0);
            assert_int_equal(tw_sequence_destroy(seq), 0);
            assert_int_equal(tw_matrix_to_lapack(A, q, N), 0);
            assert_int_equal(tw_matrix_to_lapack(F, h, N), 0);
            assert_int_equal(tw_matrix_to_lapack(C, back, N), 0);
            judge("queued", t, N, a, N, h, N, q, N);
            for (int i = 0; i < N * WIDE; i++)
                assert_true(cabs(tt_get(t, back, (size_t)i) - tt_get(t, c, (size_t)i)) < 100 * N * tt_eps(t));
            assert_int_equal(tw_matrix_destroy(A), 0);
            assert_int_equal(tw_matrix_destroy(F), 0);
            assert_int_equal(tw_matrix_destroy(C), 0);
            free(a), free(q), free(h), free(c), free(back);
        }
}

/* NaN in, NaN out, and it ends. */
static void not_finite(void **state)
{
    enum { N = 80 };
    (void)state;
    TT_TYPES(t) {
        void *a = tt_array(t, N, N), *tau = tt_array(t, N, 1);
        tt_random(t, 'G', N, N, a, N, 3);
        tt_put(t, a, 5 + 11 * N, NAN);
        setenv("TILEWORK_CROSSOVER", "0", 1);
        assert_int_equal(reduce(0, t, 0, N, 1, N, a, N, tau, NULL, 0), 0);
        unsetenv("TILEWORK_CROSSOVER");
        assert_true(isnan(creal(tt_get(t, a, N * N - 1))));
        free(a), free(tau);
    }
}

/* The command's checker takes LAPACK's reduction, and nothing that is wrong in one place: of H, of a reflector, of
 * tau. */
static void checker(void **state)
{
    enum { N = 70 };
    (void)state;
    TT_TYPES(t)
        for (int wrong = 0; wrong < 5; wrong++) {
            void *a = tt_array(t, N, N), *f, *tau = tt_array(t, N, 1), *work = tt_array(t, 64 * N, 1);
            const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, N, N, a, N};
            const struct check_matrix A = check_of_array(&array);
            const double off = is_single(t) ? 1e-2 : 1e-6;
            double residual[2];

            fill(t, RANDOM, N, 1, N, a, N);
            f = tt_copy(t, N, N, a);
            assert_int_equal(reduce(3, t, LAPACK_COL_MAJOR, N, 1, N, f, N, tau, work, 64 * N), 0);
            if (wrong == 1) tt_put(t, f, 30 + 31 * N, tt_get(t, f, 30 + 31 * N) + off);
            if (wrong == 2) tt_put(t, f, 40 + 10 * N, tt_get(t, f, 40 + 10 * N) + off);
            if (wrong == 3) tt_put(t, tau, 20, tt_get(t, tau, 20) + off);
            if (wrong == 4) tt_put(t, f, N - 1, NAN);
            assert_int_equal(check_gehrd(&A, f, N, tau, residual), 0);
            const int fine = residual[0] < 30 && residual[1] < 30;
            if (fine != (wrong == 0))
                fail_msg("%c, fault %d: residuals %g and %g", tt_letter(t), wrong, residual[0], residual[1]);
            free(a), free(f), free(tau), free(work);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checker), cmocka_unit_test(sizes),    cmocka_unit_test(kinds_of),   cmocka_unit_test(ranges),
        cmocka_unit_test(doors),   cmocka_unit_test(refusals), cmocka_unit_test(not_finite), cmocka_unit_test(queued)};
    return tt_run(tests);
}
