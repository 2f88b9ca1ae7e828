/* gebrd, orgbr and ungbr, ormbr and unmbr: the one-stage reduction to bidiagonal form and its Q and P, through all
 * doors, beside LAPACK's, and bad input. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "tt.h"

#define COUNT(list) ((int)(sizeof list / sizeof *list))
enum kind { RANDOM, ZERO, IDENTITY, BIDIAGONAL, HUGE_, TINY, GRADED, KINDS };
static const char *const kinds[] = {"random", "zero", "identity", "bidiagonal", "huge", "tiny", "graded"};

static int is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}
static int least(int a, int b)
{
    return a < b ? a : b;
}
static int most(int a, int b)
{
    return a > b ? a : b;
}

static void fill(enum tw_type t, enum kind kind, int m, int n, void *a, int lda)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            tt_z x = tt_uniform(7, i, j) + (tt_complex(t) ? tt_uniform(8, i, j) * I : 0);
            if (kind == ZERO || (kind == BIDIAGONAL && j != i && j != (m >= n ? i + 1 : i - 1))) x = 0;
            if (kind == IDENTITY) x = i == j;
            if (kind == HUGE_) x *= is_single(t) ? 1e36 : 1e304;
            if (kind == TINY) x *= is_single(t) ? 1e-36 : 1e-304;
            if (kind == GRADED) x *= pow(10, -0.1 * i);
            tt_put(t, a, (size_t)i + (size_t)j * (size_t)lda, x);
        }
}

static void orthonormal(const char *what, enum tw_type t, int m, int n, const tt_z *Q)
{
    tt_z *H = calloc((size_t)m * (size_t)n + 1, sizeof *H), *X = calloc((size_t)n * (size_t)n + 1, sizeof *X);

    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            H[j + i * n] = conj(Q[i + j * m]);
    tt_multiply(n, n, m, 1, H, Q, 0, X);
    for (int i = 0; i < n; i++)
        X[i * (n + 1)] -= 1;
    tt_expect(what, t, tt_norm('O', n, n, X) / (m * tt_eps(t)), 0, "%d x %d", m, n);
    free(H), free(X);
}

/* A - Q B P^H, in units of max(m, n) eps |A|, from the whole Q (m x m) and P^H (n x n); and that the storage has d and
 * e, too. */
static void judge(const char *what, enum tw_type t, int m, int n, const void *a, int lda, const void *f, int ldf,
                  const double *d, const double *e, const void *q, const void *ph)
{
    const int k = least(m, n), up = m >= n;
    tt_z *A = tt_full(TT_GENERAL, t, 'G', 'N', m, n, a, lda), *Q = tt_full(TT_GENERAL, t, 'G', 'N', m, m, q, m),
         *P = tt_full(TT_GENERAL, t, 'G', 'N', n, n, ph, n), *B = calloc((size_t)m * (size_t)n + 1, sizeof *B),
         *X = calloc((size_t)m * (size_t)n + 1, sizeof *X);
    double size = 0;

    for (int i = 0; i < m * n; i++)
        size = fmax(size, fmax(fabs(creal(A[i])), fabs(cimag(A[i]))));
    for (int i = 0; i < k; i++) {
        const int row = up ? i : i + 1, column = up ? i + 1 : i;
        assert_true(tt_get(t, f, (size_t)i + (size_t)i * (size_t)ldf) == d[i]);
        if (size > 0) B[i + i * m] = d[i] / size;
        if (i + 1 == k) continue;
        assert_true(tt_get(t, f, (size_t)row + (size_t)column * (size_t)ldf) == e[i]);
        if (size > 0) B[row + column * m] = e[i] / size;
    }
    for (int i = 0; i < m * n && size > 0; i++)
        A[i] /= size;
    tt_multiply(m, n, m, 1, Q, B, 0, X);
    tt_multiply(m, n, n, -1, X, P, 1, A);
    if (size > 0) {
        tt_z *whole = tt_full(TT_GENERAL, t, 'G', 'N', m, n, a, lda);
        tt_expect("|A - Q B P^H|", t,
                  tt_norm('O', m, n, A) / (most(m, n) * tt_eps(t) * (tt_norm('O', m, n, whole) / size)), 0,
                  "%s, %d x %d", what, m, n);
        free(whole);
    }
    orthonormal("|Q^H Q - I|", t, m, m, Q);
    orthonormal("|P^H P - I|", t, n, n, P);
    free(A), free(Q), free(P), free(B), free(X);
}

/* The whole of Q or P^H by the matrix door: the factors, with room for the other columns (rows). */
static void *formed(enum tw_type t, enum tw_vect vect, int m, int n, const void *f, int ldf, tw_matrix *tau, int nb)
{
    const int order = vect == TW_VECT_Q ? m : n;
    void *q = tt_array(t, order, order);
    struct tt_place place;
    tw_matrix *Q;

    for (int j = 0; j < least(order, n); j++)
        for (int i = 0; i < least(order, m); i++)
            tt_put(t, q, (size_t)i + (size_t)j * (size_t)order, tt_get(t, f, (size_t)i + (size_t)j * (size_t)ldf));
    Q = tt_enter(&place, TT_CREATED, t, TW_GENERAL, order, order, q, order, nb);
    assert_int_equal(tw_ungbr(vect, vect == TW_VECT_Q ? n : m, Q, tau), 0);
    tt_leave(&place);
    return q;
}

/* X times C from both sides, op(X) before or after, gives C again; and X C is the product with X as it is formed. */
static void multiplied(enum tw_type t, enum tw_vect vect, tw_int k, tw_matrix *A, tw_matrix *tau, int order,
                       const void *x, int wide)
{
    for (int right = 0; right < 2; right++) {
        const int m = right ? wide : order, n = right ? order : wide;
        void *c = tt_array(t, m, n), *back;
        tt_z *X = tt_full(TT_GENERAL, t, 'G', 'N', order, order, x, order), *C,
             *product = calloc((size_t)m * (size_t)n + 1, sizeof *product);
        struct tt_place place;
        tw_matrix *W;

        tt_random(t, 'G', m, n, c, m, 5);
        back = tt_copy(t, m, n, c);
        C = tt_full(TT_GENERAL, t, 'G', 'N', m, n, c, m);
        W = tt_enter(&place, TT_CREATED, t, TW_GENERAL, m, n, back, m, 8);
        /* Q as it is, of P its adjoint */
        assert_int_equal(
            tw_unmbr(vect, right ? TW_RIGHT : TW_LEFT, vect == TW_VECT_Q ? TW_NOTRANS : TW_CONJTRANS, k, A, tau, W), 0);
        assert_int_equal(tw_matrix_to_lapack(W, back, m), 0);
        if (right)
            tt_multiply(m, n, n, 1, C, X, 0, product);
        else
            tt_multiply(m, n, m, 1, X, C, 0, product);
        for (int i = 0; i < m * n; i++)
            assert_true(cabs(tt_get(t, back, (size_t)i) - product[i]) < 100 * order * tt_eps(t));
        assert_int_equal(
            tw_unmbr(vect, right ? TW_RIGHT : TW_LEFT, vect == TW_VECT_Q ? TW_CONJTRANS : TW_NOTRANS, k, A, tau, W), 0);
        tt_leave(&place);
        for (int i = 0; i < m * n; i++)
            assert_true(cabs(tt_get(t, back, (size_t)i) - C[i]) < 100 * order * tt_eps(t));
        free(c), free(back), free(C), free(X), free(product);
    }
}

static void matrix_door(enum tw_type t, enum kind kind, int m, int n, int nb)
{
    const int lda = m + 2, k = least(m, n);
    void *a = tt_array(t, lda, n), *f, *q, *p;
    double *d = calloc((size_t)k + 1, sizeof *d), *e = calloc((size_t)k + 1, sizeof *e);
    struct tt_place pa;
    tw_matrix *A, *Q, *P;

    fill(t, kind, m, n, a, lda);
    f = tt_copy(t, lda, n, a);
    A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, f, lda, nb);
    assert_int_equal(tw_matrix_create_tiles(&Q, t, TW_GENERAL, k, 1, 10, 1, NULL), 0);
    assert_int_equal(tw_matrix_create_tiles(&P, t, TW_GENERAL, k, 1, 7, 1, NULL), 0);
    tt_expect_info(tw_gebrd(A, d, e, Q, P), 0, "%d x %d", m, n);
    assert_int_equal(tw_matrix_to_lapack(A, f, lda), 0);
    q = formed(t, TW_VECT_Q, m, n, f, lda, Q, nb);
    p = formed(t, TW_VECT_P, m, n, f, lda, P, nb);
    multiplied(t, TW_VECT_Q, n, A, Q, m, q, 13);
    multiplied(t, TW_VECT_P, m, A, P, n, p, 13);
    tt_leave(&pa);
    judge(kinds[kind], t, m, n, a, lda, f, lda, d, e, q, p);
    tw_matrix_destroy(Q), tw_matrix_destroy(P);
    free(a), free(f), free(q), free(p), free(d), free(e);
}

static void sizes(void **state)
{
    static const int size[][2] = {{1, 1},   {1, 5},   {5, 1},   {2, 2},   {3, 2},   {2, 3},   {31, 33},  {32, 32},
                                  {33, 31}, {65, 64}, {64, 65}, {97, 97}, {97, 40}, {40, 97}, {130, 70}, {70, 130}};
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(size); k++)
            matrix_door(t, RANDOM, size[k][0], size[k][1], k % 2 ? 16 : 40);
}

static void kinds_of(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int kind = 0; kind < KINDS; kind++) {
            matrix_door(t, (enum kind)kind, 70, 45, 32);
            matrix_door(t, (enum kind)kind, 45, 70, 32);
        }
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

static int reduce(int way, enum tw_type t, int layout, int m, int n, void *a, int lda, void *d, void *e, void *tauq,
                  void *taup, void *work, int lwork)
{
#define CALL(p)                                                                                                        \
    (way == 0   ? (int)tw_##p##gebrd(m, n, a, lda, d, e, tauq, taup)                                                   \
     : way == 1 ? (int)tw_LAPACKE_##p##gebrd(layout, m, n, a, lda, d, e, tauq, taup)                                   \
     : way == 2 ? (int)tw_LAPACKE_##p##gebrd_work(layout, m, n, a, lda, d, e, tauq, taup, work, lwork)                 \
                : (int)LAPACKE_##p##gebrd_work(layout, m, n, a, lda, d, e, tauq, taup, work, lwork))
    return t == TW_FLOAT ? CALL(s) : t == TW_DOUBLE ? CALL(d) : t == TW_COMPLEX_FLOAT ? CALL(c) : CALL(z);
#undef CALL
}
static int form(int way, enum tw_type t, int layout, char vect, int m, int n, int k, void *a, int lda, const void *tau,
                void *work, int lwork)
{
#define CALL(p, name)                                                                                                  \
    (way == 0   ? (int)tw_##p##name(vect, m, n, k, a, lda, tau)                                                        \
     : way == 1 ? (int)tw_LAPACKE_##p##name(layout, vect, m, n, k, a, lda, tau)                                        \
     : way == 2 ? (int)tw_LAPACKE_##p##name##_work(layout, vect, m, n, k, a, lda, tau, work, lwork)                    \
                : (int)LAPACKE_##p##name##_work(layout, vect, m, n, k, a, lda, tau, work, lwork))
    return t == TW_FLOAT           ? CALL(s, orgbr)
           : t == TW_DOUBLE        ? CALL(d, orgbr)
           : t == TW_COMPLEX_FLOAT ? CALL(c, ungbr)
                                   : CALL(z, ungbr);
#undef CALL
}
static int multiply(int way, enum tw_type t, int layout, char vect, char side, char trans, int m, int n, int k,
                    const void *a, int lda, const void *tau, void *c, int ldc, void *work, int lwork)
{
#define CALL(p, name)                                                                                                  \
    (way == 0   ? (int)tw_##p##name(vect, side, trans, m, n, k, a, lda, tau, c, ldc)                                   \
     : way == 1 ? (int)tw_LAPACKE_##p##name(layout, vect, side, trans, m, n, k, a, lda, tau, c, ldc)                   \
     : way == 2                                                                                                        \
         ? (int)tw_LAPACKE_##p##name##_work(layout, vect, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork)      \
         : (int)LAPACKE_##p##name##_work(layout, vect, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork))
    return t == TW_FLOAT           ? CALL(s, ormbr)
           : t == TW_DOUBLE        ? CALL(d, ormbr)
           : t == TW_COMPLEX_FLOAT ? CALL(c, unmbr)
                                   : CALL(z, unmbr);
#undef CALL
}

enum { LD = 44, SPACE = 20000 };

static void same(enum tw_type t, int layout, int m, int n, const void *a, const void *b)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            const size_t at = tt_layout_at(layout, i, j, LD);
            assert_true(cabs(tt_get(t, a, at) - tt_get(t, b, at)) < 3000 * LD * tt_eps(t));
        }
}

/* A copy by columns of an array in that layout, or the other way round. */
static void *turned(enum tw_type t, int layout, const void *a)
{
    void *b = tt_array(t, LD, LD);

    for (int j = 0; j < LD; j++)
        for (int i = 0; i < LD; i++)
            tt_put(t, b, (size_t)(i + j * LD), tt_get(t, a, tt_layout_at(layout, i, j, LD)));
    return b;
}

/* Ours beside LAPACK's: with the same reflectors the same numbers, to rounding. LAPACK's are asked by columns: LAPACKE
 * gives a row-major array's copy no element more than it needs, and OpenBLAS' zgemv reads behind it (tw_room_behind),
 * which crashes where no memory is. */
static void beside_lapack(int way, enum tw_type t, int layout, int m, int n)
{
    const int k = least(m, n);
    const enum tw_type real = is_single(t) ? TW_FLOAT : TW_DOUBLE;
    const char *const letters[] = {"LN", "RN", tt_complex(t) ? "LC" : "LT", tt_complex(t) ? "RC" : "RT"};
    void *f[2], *tau[2][2], *d[2], *e[2], *by_columns, *work = malloc(SPACE * tt_size(t));

    for (int ours = 0; ours < 2; ours++) {
        f[ours] = tt_array(t, LD, LD), tau[ours][0] = tt_array(t, k, 1), tau[ours][1] = tt_array(t, k, 1);
        d[ours] = tt_array(real, k, 1), e[ours] = tt_array(real, k, 1);
        tt_random(t, 'G', LD, LD, f[ours], LD, 4); /* Q's and P's other columns and rows, where LAPACKE looks for NaN */
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                tt_put(t, f[ours], tt_layout_at(layout, i, j, LD),
                       tt_uniform(7, i, j) + (tt_complex(t) ? tt_uniform(8, i, j) * I : 0));
        if (ours) {
            assert_int_equal(reduce(way, t, layout, m, n, f[1], LD, d[1], e[1], tau[1][0], tau[1][1], work, SPACE), 0);
            continue;
        }
        by_columns = turned(t, layout, f[0]);
        assert_int_equal(
            reduce(3, t, LAPACK_COL_MAJOR, m, n, by_columns, LD, d[0], e[0], tau[0][0], tau[0][1], work, SPACE), 0);
        free(f[0]), f[0] = turned(t, layout, by_columns);
        free(by_columns);
    }
    same(t, layout, m, n, f[1], f[0]);
    for (int i = 0; i < k; i++) {
        assert_true(fabs(creal(tt_get(real, d[1], (size_t)i) - tt_get(real, d[0], (size_t)i))) < 3000 * LD * tt_eps(t));
        if (i + 1 < k)
            assert_true(fabs(creal(tt_get(real, e[1], (size_t)i) - tt_get(real, e[0], (size_t)i))) <
                        3000 * LD * tt_eps(t));
    }
    for (int p = 0; p < 2; p++)
        for (int all = 0; all < 2; all++) {
            const int order = p ? n : m, lines = all ? order : k, rows = p ? lines : m, columns = p ? n : lines;
            void *q[2];
            q[1] = tt_copy(t, LD, LD, f[0]);
            assert_int_equal(
                form(way, t, layout, p ? 'P' : 'Q', rows, columns, p ? m : n, q[1], LD, tau[0][p], work, SPACE), 0);
            by_columns = turned(t, layout, f[0]);
            assert_int_equal(form(3, t, LAPACK_COL_MAJOR, p ? 'P' : 'Q', rows, columns, p ? m : n, by_columns, LD,
                                  tau[0][p], work, SPACE),
                             0);
            q[0] = turned(t, layout, by_columns);
            free(by_columns);
            same(t, layout, rows, columns, q[1], q[0]);
            free(q[0]), free(q[1]);
        }
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < COUNT(letters); i++) {
            const int order = p ? n : m, rows = letters[i][0] == 'L' ? order : 11,
                      columns = letters[i][0] == 'L' ? 11 : order;
            void *c[2], *F = turned(t, layout, f[0]), *ordered;
            for (int ours = 0; ours < 2; ours++) {
                c[ours] = tt_array(t, LD, LD);
                tt_random(t, 'G', LD, LD, c[ours], LD, 9);
            }
            /* LAPACKE's own cunmbr and zunmbr read too few columns of a row-major A for vect 'P': LAPACK's is asked, by
             * columns. */
            ordered = turned(t, layout, c[0]);
            assert_int_equal(multiply(3, t, LAPACK_COL_MAJOR, p ? 'P' : 'Q', letters[i][0], letters[i][1], rows,
                                      columns, p ? m : n, F, LD, tau[0][p], ordered, LD, work, SPACE),
                             0);
            free(c[0]), c[0] = turned(t, layout, ordered);
            assert_int_equal(multiply(way, t, layout, p ? 'P' : 'Q', letters[i][0], letters[i][1], rows, columns,
                                      p ? m : n, f[0], LD, tau[0][p], c[1], LD, work, SPACE),
                             0);
            free(F), free(ordered);
            same(t, layout, rows, columns, c[1], c[0]);
            free(c[0]), free(c[1]);
        }
    for (int ours = 0; ours < 2; ours++)
        free(f[ours]), free(tau[ours][0]), free(tau[ours][1]), free(d[ours]), free(e[ours]);
    free(work);
}

static void doors(void **state)
{
    static const int shape[][2] = {{40, 40}, {40, 27}, {27, 40}};
    (void)state;
    for (int small = 0; small < 2; small++) {
        if (!small) setenv("TILEWORK_CROSSOVER", "0", 1);
        TT_TYPES(t)
            for (int way = 0; way < 3; way++)
                for (int rows = 0; rows < (way ? 2 : 1); rows++)
                    for (int k = 0; k < COUNT(shape); k++)
                        beside_lapack(way, t, rows ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR, shape[k][0], shape[k][1]);
        unsetenv("TILEWORK_CROSSOVER");
    }
}

/* The arguments that LAPACK refuses, by its numbers: ours (LAPACKE's are one more), and LAPACK's own. */
static void refusals(void **state)
{
    double a[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7}, tau[4] = {0}, taup[4] = {0}, d[4], e[4],
           c[16] = {0}, work[400];
    tw_matrix *A, *T, *P, *C, *F;
    (void)state;
    for (int way = 0; way < 4; way++) {
        const int more = way > 0;
#define REDUCE(m, n, lda, lwork) reduce(way, TW_DOUBLE, LAPACK_COL_MAJOR, m, n, a, lda, d, e, tau, taup, work, lwork)
        assert_int_equal(REDUCE(-1, 4, 4, 400), -1 - more);
        assert_int_equal(REDUCE(4, -1, 4, 400), -2 - more);
        assert_int_equal(REDUCE(4, 3, 3, 400), -4 - more);
        assert_int_equal(REDUCE(0, 3, 1, 400), 0);
        if (way > 1) assert_int_equal(REDUCE(4, 3, 4, 3), -11);
        if (way > 1) assert_int_equal(REDUCE(4, 3, 4, -1), 0);
#define FORM(vect, m, n, k, lda, lwork) form(way, TW_DOUBLE, LAPACK_COL_MAJOR, vect, m, n, k, a, lda, tau, work, lwork)
        assert_int_equal(FORM('X', 4, 4, 4, 4, 400), -1 - more);
        assert_int_equal(FORM('Q', -1, 4, 4, 4, 400), -2 - more);
        assert_int_equal(FORM('Q', 3, 4, 4, 4, 400), -3 - more);
        assert_int_equal(FORM('Q', 4, 2, 3, 4, 400), -3 - more);
        assert_int_equal(FORM('P', 4, 3, 4, 4, 400), -3 - more);
        assert_int_equal(FORM('P', 2, 4, 3, 4, 400), -3 - more);
        assert_int_equal(FORM('Q', 4, 4, -1, 4, 400), -4 - more);
        assert_int_equal(FORM('Q', 4, 4, 4, 3, 400), -6 - more);
        if (way > 1) assert_int_equal(FORM('Q', 4, 4, 4, 4, 2), -10);
#define MULTIPLY(vect, side, trans, m, n, k, lda, ldc, lwork)                                                          \
    multiply(way, TW_DOUBLE, LAPACK_COL_MAJOR, vect, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork)
        assert_int_equal(MULTIPLY('X', 'L', 'N', 4, 3, 4, 4, 4, 400), -1 - more);
        if (way > 0) /* rows of A as short as Q's may be */
            assert_int_equal(
                multiply(way, TW_COMPLEX_DOUBLE, LAPACK_ROW_MAJOR, 'X', 'L', 'N', 4, 1, 2, a, 2, tau, c, 1, work, 200),
                -2);
        assert_int_equal(MULTIPLY('Q', 'X', 'N', 4, 3, 4, 4, 4, 400), -2 - more);
        assert_int_equal(MULTIPLY('Q', 'L', 'C', 4, 3, 4, 4, 4, 400), -3 - more);
        assert_int_equal(MULTIPLY('Q', 'L', 'N', -1, 3, 4, 4, 4, 400), -4 - more);
        assert_int_equal(MULTIPLY('Q', 'L', 'N', 4, -1, 4, 4, 4, 400), -5 - more);
        assert_int_equal(MULTIPLY('Q', 'L', 'N', 4, 3, -1, 4, 4, 400), -6 - more);
        assert_int_equal(MULTIPLY('Q', 'L', 'N', 4, 3, 4, 3, 4, 400), -8 - more);
        assert_int_equal(MULTIPLY('P', 'L', 'N', 4, 3, 4, 3, 4, 400), -8 - more);
        assert_int_equal(MULTIPLY('Q', 'L', 'N', 4, 3, 4, 4, 3, 400), -11 - more);
        if (way > 1) assert_int_equal(MULTIPLY('Q', 'L', 'N', 4, 3, 4, 4, 4, 2), -14);
    }
    assert_int_equal(tw_dgebrd(4, 4, NULL, 4, d, e, tau, taup), -3);
    assert_int_equal(tw_dgebrd(4, 4, a, 4, NULL, e, tau, taup), -5);
    assert_int_equal(tw_dgebrd(4, 4, a, 4, d, NULL, tau, taup), -6);
    assert_int_equal(tw_dgebrd(4, 4, a, 4, d, e, NULL, taup), -7);
    assert_int_equal(tw_dgebrd(4, 4, a, 4, d, e, tau, NULL), -8);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 5, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&T, TW_DOUBLE, TW_GENERAL, 4, 1, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&P, TW_DOUBLE, TW_GENERAL, 4, 1, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_DOUBLE, TW_GENERAL, 5, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 4, 1, 2, NULL), 0);
    assert_int_equal(tw_gebrd(NULL, d, e, T, P), -1);
    assert_int_equal(tw_gebrd(A, NULL, e, T, P), -2);
    assert_int_equal(tw_gebrd(A, d, NULL, T, P), -3);
    assert_int_equal(tw_gebrd(A, d, e, F, P), -4);
    assert_int_equal(tw_gebrd(A, d, e, T, T), -5);
    assert_int_equal(tw_gebrd_async(A, d, e, T, P, NULL), -6);
    assert_int_equal(tw_ungbr((enum tw_vect)1, 4, A, T), -1);
    assert_int_equal(tw_ungbr(TW_VECT_Q, -1, A, T), -2);
    assert_int_equal(tw_ungbr(TW_VECT_P, 4, A, T), -3);
    assert_int_equal(tw_ungbr(TW_VECT_Q, 5, A, T), -3);
    assert_int_equal(tw_ungbr(TW_VECT_Q, 4, A, F), -4);
    assert_int_equal(tw_ungbr_async(TW_VECT_Q, 4, A, T, NULL), -5);
    assert_int_equal(tw_unmbr((enum tw_vect)1, TW_LEFT, TW_NOTRANS, 4, A, T, C), -1);
    assert_int_equal(tw_unmbr(TW_VECT_Q, (enum tw_side)1, TW_NOTRANS, 4, A, T, C), -2);
    assert_int_equal(tw_unmbr(TW_VECT_Q, TW_LEFT, (enum tw_trans)1, 4, A, T, C), -3);
    assert_int_equal(tw_unmbr(TW_VECT_Q, TW_LEFT, TW_NOTRANS, -1, A, T, C), -4);
    assert_int_equal(tw_unmbr(TW_VECT_Q, TW_LEFT, TW_NOTRANS, 5, A, T, C), -5);
    assert_int_equal(tw_unmbr(TW_VECT_Q, TW_LEFT, TW_NOTRANS, 4, A, F, C), -6);
    assert_int_equal(tw_unmbr(TW_VECT_Q, TW_RIGHT, TW_NOTRANS, 4, A, T, C), -7);
    assert_int_equal(tw_unmbr_async(TW_VECT_Q, TW_LEFT, TW_NOTRANS, 4, A, T, C, NULL), -8);
    tw_matrix_destroy(A), tw_matrix_destroy(T), tw_matrix_destroy(P), tw_matrix_destroy(C), tw_matrix_destroy(F);
}

/* NaN in, NaN out, and it ends. */
static void not_finite(void **state)
{
    enum { N = 80 };
    (void)state;
    TT_TYPES(t) {
        void *a = tt_array(t, N, N), *tau = tt_array(t, N, 1), *taup = tt_array(t, N, 1);
        double d[N], e[N];
        tt_random(t, 'G', N, N, a, N, 3);
        tt_put(t, a, 5 + 11 * N, NAN);
        setenv("TILEWORK_CROSSOVER", "0", 1);
        assert_int_equal(reduce(0, t, 0, N, N, a, N, d, e, tau, taup, NULL, 0), 0);
        unsetenv("TILEWORK_CROSSOVER");
        assert_true(isnan(creal(tt_get(t, a, N * N - 1))));
        free(a), free(tau), free(taup);
    }
}

/* The command's checker passes what is right, and notices one element that is not: of B, of either side's reflectors or
 * of their factors. */
static void checker(void **state)
{
    enum { M = 70, N = 50, SPOILT = 6 };
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        const int m = wide ? N : M, n = wide ? M : N;
        void *a = tt_array(TW_DOUBLE, m, n), *f, *tauq = tt_array(TW_DOUBLE, N, 1), *taup = tt_array(TW_DOUBLE, N, 1);
        const struct check_array array = {CHECK_GENERAL, TW_DOUBLE, TW_GENERAL, TW_NONUNIT, m, n, a, m};
        const struct check_matrix A = check_of_array(&array);
        double d[N], e[N], residual[4], *element;

        tt_random(TW_DOUBLE, 'G', m, n, a, m, 3);
        f = tt_copy(TW_DOUBLE, m, n, a);
        assert_int_equal(tw_dgebrd(m, n, f, m, d, e, tauq, taup), 0);
        for (int k = 0; k <= SPOILT; k++) {
            double *const places[] = {
                NULL, (double *)f + 40 + 3 * m, (double *)f + 3 + 40 * m, (double *)tauq + 7, (double *)taup + 7, d + 5,
                e + 5};
            if ((element = places[k])) *element += 1e-6;
            assert_int_equal(check_gebrd(&A, f, m, d, e, tauq, taup, residual), 0);
            assert_true(k > 0 || residual[3] == 0);
            for (int i = 0; i < 3; i++)
                if (k == 0) tt_expect("the command's checker", TW_DOUBLE, residual[i], 0, "%d x %d", m, n);
            if (k > 0) assert_true(residual[0] > 30 || residual[1] > 30 || residual[2] > 30);
            if (element) *element -= 1e-6;
        }
        free(a), free(f), free(tauq), free(taup);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes),      cmocka_unit_test(kinds_of),
                                       cmocka_unit_test(doors),      cmocka_unit_test(refusals),
                                       cmocka_unit_test(not_finite), cmocka_unit_test(checker)};
    return tt_run(tests);
}
