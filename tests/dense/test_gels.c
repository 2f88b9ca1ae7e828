/* gels: both trans, m and n apart either way, in every storage and any tiles; scaled numbers, zero and rank-deficient
 * matrices, NaN, queued with other routines, operands that do not fit. */
#include <complex.h>
#include <math.h>

#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
#define COUNT(list)  (sizeof list / sizeof *list)

static int max_of(int a, int b)
{
    return a > b ? a : b;
}
static int is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}
static int cols_of(char trans, int m, int n)
{
    return trans == 'N' ? n : m;
}
/* LAPACK's letter for both: 'T' with real matrices. */
static char adjoint(enum tw_type t)
{
    return tt_complex(t) ? 'C' : 'T';
}

/* By the matrix door: x (max(m, n) x nrhs, ld), which has b, gets the solution; f (m x n) the factors. */
static tw_int solved(enum tt_storage s, enum tw_type t, char trans, int m, int n, int nrhs, void *f, int lda, void *x,
                     int ldx, int nb, int nb_b)
{
    struct tt_place pa, pb;
    tw_matrix *A = tt_enter(&pa, s, t, TW_GENERAL, m, n, f, lda, nb),
              *B = tt_enter(&pb, s, t, TW_GENERAL, max_of(m, n), nrhs, x, ldx, nb_b);
    const tw_int info = tw_gels((enum tw_trans)trans, A, B);

    tt_leave(&pb);
    tt_leave(&pa);
    return info;
}

/* The rows of op(A) of a right-hand side, NaN in the others: they are not looked at. */
static void *right_hand_side(enum tw_type t, char trans, int m, int n, int nrhs, int ldb)
{
    void *b = tt_array(t, ldb, nrhs);
    tt_random(t, 'G', trans == 'N' ? m : n, nrhs, b, ldb, 302);
    return b;
}

static void one_solve(enum tt_storage s, enum tw_type t, char trans, int m, int n, int nrhs, int nb, int nb_b)
{
    const int lda = m + 1, ldb = max_of(m, n) + 2, rows = trans == 'N' ? m : n, cols = cols_of(trans, m, n);
    void *a = tt_array(t, lda, n), *b = right_hand_side(t, trans, m, n, nrhs, ldb), *f, *x;
    const char op = trans == 'T' ? 'C' : trans;

    tt_random(t, 'G', m, n, a, lda, 301);
    f = tt_copy(t, lda, n, a);
    x = tt_copy(t, ldb, nrhs, b);
    tt_expect_info(solved(s, t, trans, m, n, nrhs, f, lda, x, ldb, nb, nb_b), 0, "%cgels %c %d x %d", tt_letter(t),
                   trans, m, n);
    assert_int_equal(tt_touched(t, 'G', m, n, f, lda), 0);
    assert_int_equal(tt_touched(t, 'G', max_of(m, n), nrhs, x, ldb), 0);
    tt_expect(rows >= cols ? "gels, least squares" : "gels, least norm", t,
              tt_gels_residual(t, op, m, n, nrhs, a, lda, b, ldb, x, ldb), cols, "%c %d x %d, %d, nb=%d, %d, %s", trans,
              m, n, nrhs, nb, nb_b, tt_storage_name(s));
    for (int j = 0; rows > cols && j < nrhs; j++) { /* the elements below X: the residual's norm */
        tt_z *A = tt_op(op, m, n, tt_full(TT_GENERAL, t, 'G', 'N', m, n, a, lda)),
             *r = tt_full(TT_GENERAL, t, 'G', 'N', rows, 1, (char *)b + (size_t)j * (size_t)ldb * tt_size(t), ldb),
             *y = tt_full(TT_GENERAL, t, 'G', 'N', rows, 1, (char *)x + (size_t)j * (size_t)ldb * tt_size(t), ldb);
        const double size = tt_norm('F', rows, 1, r);
        tt_multiply(rows, 1, cols, -1, A, y, 1, r);
        tt_expect("gels, the residual's norm", t,
                  fabs(tt_norm('F', rows, 1, r) - tt_norm('F', rows - cols, 1, y + cols)) / (size * rows * tt_eps(t)),
                  0, "%c %d x %d", trans, m, n);
        free(A), free(r), free(y);
    }
    free(a), free(b), free(f), free(x);
}

static void solutions(void **state)
{
    static const int cases[][4] = {
        /* m, n, nb, nb of B */
        {1, 1, 16, 16},
        {40, 1, 16, 16},
        {1, 40, 16, 16},
        {64, 64, 16, 16},
        {65, 64, 16, 11},
        {64, 65, 16, 11},
        {97, 50, 19, 19},
        {50, 97, 19, 19},
        {300, 13, 19, 64},
        {13, 300, 19, 64},
        {130, 96, 32, 3},
        {96, 130, 32, 3},
        {60, 50, 400, 7},
        {50, 60, 400, 7},
        {33, 30, 1, 2},
        {129, 127, 48, 48},
        /* trees: a last tile with fewer rows than columns; tiles that are square; five of them, which is no power of
         * two */
        {290, 13, 19, 5},
        {81, 16, 16, 3},
        {80, 16, 16, 16},
        {200, 30, 40, 9}};
    (void)state;
    FOR_TYPES(t)
        for (size_t c = 0; c < COUNT(cases); c++)
            for (int transposed = 0; transposed < 2; transposed++)
                for (int nrhs = 1; nrhs <= 7; nrhs += 6)
                    one_solve(TT_FROM_LAPACK, t, transposed ? adjoint(t) : 'N', cases[c][0], cases[c][1], nrhs,
                              cases[c][2], cases[c][3]);
    one_solve(TT_FROM_LAPACK, TW_DOUBLE, 'C', 60, 50, 90, 32, 19); /* wider than A; the other letter */
}

static void every_storage(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < tt_storages(); s++)
            for (int transposed = 0; transposed < 2; transposed++) {
                one_solve((enum tt_storage)s, t, transposed ? adjoint(t) : 'N', 150, 90, 40, 32, 32);
                one_solve((enum tt_storage)s, t, transposed ? adjoint(t) : 'N', 90, 149, 5, 48, 31);
                one_solve((enum tt_storage)s, t, transposed ? adjoint(t) : 'N', 170, 25, 3, 32, 31);
            }
}

static void rectangular_tiles(void **state)
{
    static const int shapes[][2] = {{110, 70}, {70, 110}};
    (void)state;
    FOR_TYPES(t)
        for (int c = 0; c < 4; c++) {
            const int m = shapes[c / 2][0], n = shapes[c / 2][1], longest = max_of(m, n);
            const char trans = c % 2 ? adjoint(t) : 'N';
            void *a = tt_array(t, m, n), *b = right_hand_side(t, trans, m, n, 9, longest), *x = tt_array(t, longest, 9);
            tw_matrix *A, *B;
            tt_random(t, 'G', m, n, a, m, 301);
            assert_int_equal(tw_matrix_create_tiles(&A, t, TW_GENERAL, m, n, 17, 30, NULL), 0);
            assert_int_equal(tw_matrix_create_tiles(&B, t, TW_GENERAL, longest, 9, 50, 4, NULL), 0);
            assert_int_equal(tw_matrix_set_lapack(A, a, m), 0);
            assert_int_equal(tw_matrix_set_lapack(B, b, longest), 0);
            tt_expect_info(tw_gels((enum tw_trans)trans, A, B), 0, "rectangular tiles");
            assert_int_equal(tw_matrix_to_lapack(B, x, longest), 0);
            tt_expect("gels, any tiles", t,
                      tt_gels_residual(t, c % 2 ? 'C' : 'N', m, n, 9, a, m, b, longest, x, longest), n, "%c %d x %d",
                      trans, m, n);
            assert_int_equal(tw_matrix_destroy(A), 0);
            assert_int_equal(tw_matrix_destroy(B), 0);
            free(a), free(b), free(x);
        }
}

/* A and B near the ends of the range, in all combinations: gels scales, and gives the solution that belongs to numbers
 * near 1. */
static void extreme_sizes(void **state)
{
    enum { M = 70, N = 50, RHS = 3 };
    (void)state;
    FOR_TYPES(t)
        for (int c = 0; c < 36; c++) {
            const int e = is_single(t) ? 115 : 1000, tall = c % 2, m = tall ? M : N, n = tall ? N : M;
            const int ea = (c / 2 % 3 - 1) * e, eb = (c / 6 % 3 - 1) * e, ex = eb - ea;
            const char trans = c / 18 ? adjoint(t) : 'N';
            void *a = tt_array(t, m, n), *b = right_hand_side(t, trans, m, n, RHS, M), *f, *x;
            if (ex > e || ex < -e) { /* the solution itself is out of range */
                free(a), free(b);
                continue;
            }
            tt_random(t, 'G', m, n, a, m, 311);
            f = tt_copy(t, m, n, a);
            x = tt_copy(t, M, RHS, b);
            for (size_t i = 0; i < (size_t)M * N; i++)
                tt_put(t, f, i, ldexp(1, ea) * tt_get(t, f, i));
            for (size_t i = 0; i < (size_t)M * RHS; i++)
                tt_put(t, x, i, ldexp(1, eb) * tt_get(t, x, i));
            tt_expect_info(solved(TT_FROM_LAPACK, t, trans, m, n, RHS, f, m, x, M, 24, 24), 0, "2^%d, 2^%d", ea, eb);
            for (size_t i = 0; i < (size_t)M * RHS; i++)
                tt_put(t, x, i, ldexp(1, -ex) * tt_get(t, x, i));
            tt_expect("gels, far from 1", t, tt_gels_residual(t, trans == 'N' ? 'N' : 'C', m, n, RHS, a, m, b, M, x, M),
                      0, "%c %d x %d 2^%d, 2^%d", trans, m, n, ea, eb);
            free(a), free(b), free(f), free(x);
        }
}

static void without_rank(void **state)
{
    enum { M = 90, N = 70, RHS = 4 };
    (void)state;
    FOR_TYPES(t)
        for (int c = 0; c < 4; c++) {
            const int m = c % 2 ? M : N, n = c % 2 ? N : M;
            const char trans = c / 2 ? adjoint(t) : 'N';
            static const int places[] = {1, N / 2, N};
            void *a = tt_array(t, m, n), *b = right_hand_side(t, trans, m, n, RHS, M), *f, *x;

            for (size_t i = 0; i < (size_t)M * N; i++) /* the zero matrix */
                tt_put(t, a, i, 0);
            f = tt_copy(t, m, n, a);
            x = tt_copy(t, M, RHS, b);
            tt_expect_info(solved(TT_FROM_LAPACK, t, trans, m, n, RHS, f, m, x, M, 24, 24), 0, "zero matrix");
            for (size_t i = 0; i < (size_t)M * RHS; i++)
                assert_true(tt_get(t, x, i) == 0);
            free(f), free(x);
            for (size_t p = 0; p < COUNT(places);
                 p++) { /* a column (LQ: a row) of zeros: an exact zero on the triangle's diagonal */
                tt_random(t, 'G', m, n, a, m, 321);
                for (int i = 0; i < M; i++)
                    tt_put(t, a, (size_t)(m >= n ? i + (places[p] - 1) * m : places[p] - 1 + i * m), 0);
                f = tt_copy(t, m, n, a);
                x = tt_copy(t, M, RHS, b);
                tt_expect_info(solved(TT_FROM_LAPACK, t, trans, m, n, RHS, f, m, x, M, 24, 24), places[p], "%c %d x %d",
                               trans, m, n);
                assert_memory_equal(x, b, (size_t)M * RHS * tt_size(t)); /* as it was, to the bit */
                free(f), free(x);
            }
            free(a), free(b);
        }
}

static void wild_numbers_end(void **state)
{
    enum { M = 60, N = 40 };
    static const double values[] = {NAN, INFINITY};
    (void)state;
    FOR_TYPES(t)
        for (int c = 0; c < 8; c++) {
            const int m = c % 2 ? M : N, n = c % 2 ? N : M, in_b = c / 4;
            const char trans = c / 2 % 2 ? adjoint(t) : 'N';
            for (size_t v = 0; v < COUNT(values); v++) {
                void *a = tt_array(t, m, n), *x = right_hand_side(t, trans, m, n, 2, M);
                int wild = 0;
                tt_random(t, 'G', m, n, a, m, 331);
                tt_put(t, in_b ? x : a, in_b ? 3 : 20 + 15 * (size_t)m, values[v]);
                tt_expect_info(solved(TT_FROM_LAPACK, t, trans, m, n, 2, a, m, x, M, 24, 24), 0, "%g", values[v]);
                for (int i = 0; i < cols_of(trans, m, n); i++)
                    wild += !isfinite(creal(tt_get(t, x, (size_t)i)));
                assert_true(wild > 0); /* not hidden */
                free(a), free(x);
            }
        }
}

/* Two systems and a product with a solution: one graph, in which nothing waits. */
static void one_graph(void **state)
{
    enum { M = 140, N = 90, RHS = 6, NB = 32 };
    (void)state;
    FOR_TYPES(t) {
        void *a = tt_array(t, M, N), *b = tt_array(t, M, RHS), *x = tt_array(t, M, RHS), *y = tt_array(t, M, RHS);
        tw_matrix *A, *B, *C, *F;
        tw_sequence *seq;
        tt_random(t, 'G', M, N, a, M, 341);
        tt_random(t, 'G', M, RHS, b, M, 342);
        assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, M, N, a, M, NB), 0);
        assert_int_equal(tw_matrix_from_lapack(&F, t, TW_GENERAL, M, N, a, M, NB), 0);
        assert_int_equal(tw_matrix_from_lapack(&B, t, TW_GENERAL, M, RHS, b, M, NB), 0);
        assert_int_equal(tw_matrix_from_lapack(&C, t, TW_GENERAL, M, RHS, b, M, NB), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_gels_async(TW_NOTRANS, A, B, seq), 0);
        assert_int_equal(tw_gels_async(TW_CONJTRANS, F, C, seq), 0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        assert_int_equal(tw_matrix_to_lapack(B, x, M), 0);
        assert_int_equal(tw_matrix_to_lapack(C, y, M), 0);
        tt_expect("async gels", t, tt_gels_residual(t, 'N', M, N, RHS, a, M, b, M, x, M), N, "one graph");
        tt_expect("async gels", t, tt_gels_residual(t, 'C', M, N, RHS, a, M, b, M, y, M), N, "one graph");
        assert_int_equal(tw_matrix_set_lapack(F, a, M),
                         0); /* right after each other over the same matrices, then cancelled */
        assert_int_equal(tw_gels_async(TW_NOTRANS, F, C, seq), 0);
        assert_int_equal(tw_gels_async(TW_CONJTRANS, F, C, seq), 0);
        tw_sequence_cancel(seq);
        (void)tw_sequence_wait(seq);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(tw_matrix_destroy(A), 0);
        assert_int_equal(tw_matrix_destroy(B), 0);
        assert_int_equal(tw_matrix_destroy(C), 0);
        assert_int_equal(tw_matrix_destroy(F), 0);
        free(a), free(b), free(x), free(y);
    }
}

static void matrices_that_do_not_fit(void **state)
{
    tw_matrix *A, *B, *S, *F, *Z, *E, *W;
    double w[40], x[40];
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 40, 30, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&Z, TW_COMPLEX_DOUBLE, TW_GENERAL, 40, 30, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 40, 3, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&S, TW_DOUBLE, TW_GENERAL, 30, 3, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 40, 3, 16, NULL), 0);
    assert_int_equal(tw_gels((enum tw_trans)'X', A, B), -1);
    assert_int_equal(tw_gels(TW_TRANS, Z, B), -1);
    assert_int_equal(tw_gels(TW_NOTRANS, NULL, B), -2);
    assert_int_equal(tw_gels(TW_NOTRANS, A, NULL), -3);
    assert_int_equal(tw_gels(TW_NOTRANS, A, S), -3);
    assert_int_equal(tw_gels(TW_CONJTRANS, A, S), -3);
    assert_int_equal(tw_gels(TW_NOTRANS, A, F), -3);
    assert_int_equal(tw_gels(TW_NOTRANS, A, A), -3);
    /* no columns: B becomes zero; no right-hand sides: nothing happens */
    assert_int_equal(tw_matrix_create(&E, TW_DOUBLE, TW_GENERAL, 40, 0, 16, NULL), 0);
    for (int i = 0; i < 40; i++)
        w[i] = 7;
    assert_int_equal(tw_matrix_from_lapack(&W, TW_DOUBLE, TW_GENERAL, 40, 1, w, 40, 16), 0);
    assert_int_equal(tw_gels(TW_NOTRANS, E, W), 0);
    assert_int_equal(tw_matrix_to_lapack(W, x, 40), 0);
    for (int i = 0; i < 40; i++)
        assert_true(x[i] == 0);
    tw_matrix_destroy(W);
    assert_int_equal(tw_matrix_create(&W, TW_DOUBLE, TW_GENERAL, 40, 0, 16, NULL), 0);
    assert_int_equal(tw_gels(TW_NOTRANS, A, W), 0);
    tw_matrix_destroy(W), tw_matrix_destroy(E), tw_matrix_destroy(A), tw_matrix_destroy(B), tw_matrix_destroy(S);
    tw_matrix_destroy(F), tw_matrix_destroy(Z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solutions),         cmocka_unit_test(every_storage),
                                       cmocka_unit_test(rectangular_tiles), cmocka_unit_test(extreme_sizes),
                                       cmocka_unit_test(without_rank),      cmocka_unit_test(wild_numbers_end),
                                       cmocka_unit_test(one_graph),         cmocka_unit_test(matrices_that_do_not_fit)};
    const int failed = tt_run(tests);
    return tw_finalize() != 0 || failed;
}
