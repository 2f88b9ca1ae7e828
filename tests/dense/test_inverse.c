/* getri and trtrs, what the rows of all routines do not see: tiles of every kind, every letter, exact zeros in the
 * first, a middle and the last place, NaN, sizes of 0, refusals; LAPACKE's functions in both layouts; inverse and
 * product as one graph. */
#include <lapacke.h>
#include <math.h>
#include <tilework/lapacke.h>

#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
#define BY_TYPE(t, pre, name, ...)                                                                                     \
    ((t) == TW_FLOAT           ? pre##s##name(__VA_ARGS__)                                                             \
     : (t) == TW_DOUBLE        ? pre##d##name(__VA_ARGS__)                                                             \
     : (t) == TW_COMPLEX_FLOAT ? pre##c##name(__VA_ARGS__)                                                             \
                               : pre##z##name(__VA_ARGS__))

/* LAPACK's factors and pivots, with the pivots as tiles have them. */
static void factor(enum tw_type t, int n, void *f, int lda, int32_t *few, tw_int *ipiv, int info)
{
    assert_int_equal(tt_lapack_getrf(t, n, n, f, lda, few), info);
    for (int i = 0; i < n; i++)
        ipiv[i] = few[i];
}

static int invert(enum tw_type t, int n, void *f, int lda, const int32_t *few, int mb, int nb)
{
    tw_matrix *A, *P;
    int info;

    assert_int_equal(tw_matrix_create_tiles(&A, t, TW_GENERAL, n, n, mb, nb, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, f, lda), 0);
    assert_int_equal(tw_pivots_create(&P, A), 0);
    assert_int_equal(tw_matrix_set_lapack(P, few, n > 0 ? n : 1), 0);
    info = tw_getri(A, P);
    assert_int_equal(tw_matrix_to_lapack(A, f, lda), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(P), 0);
    return info;
}

static void inverses(void **state)
{
    static const int sizes[][3] = {{0, 4, 4},    {1, 1, 1},    {7, 3, 3},   {40, 16, 16},
                                   {50, 20, 12}, {53, 12, 20}, {64, 64, 64}};

    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const int n = sizes[s][0], lda = n + 3;
            void *a = tt_array(t, lda, n), *f, *g;
            int32_t few[64] = {0};
            tw_int ipiv[64];

            tt_random(t, 'G', n, n, a, lda, 11);
            f = tt_copy(t, lda, n, a);
            if (n > 0) factor(t, n, f, lda, few, ipiv, 0);
            g = tt_copy(t, lda, n, f);
            tt_expect_info(invert(t, n, f, lda, few, sizes[s][1], sizes[s][2]), 0, "n=%d", n);
            tt_expect("getri", t, tt_general_inverse_residual(t, n, a, lda, f, lda), 0, "n=%d in %d x %d", n,
                      sizes[s][1], sizes[s][2]);
            tt_expect_info(BY_TYPE(t, tw_, getri, n, g, lda, ipiv), 0, "LAPACK door, n=%d", n);
            tt_expect("getri, LAPACK door", t, tt_general_inverse_residual(t, n, a, lda, g, lda), 0, "n=%d", n);
            assert_int_equal(tt_touched(t, 'G', n, n, g, lda), 0);
            free(a), free(f), free(g);
        }
}

static void singular_factors(void **state)
{
    enum { N = 50 };
    static const tw_int zeros[] = {1, 20, N};

    (void)state;
    FOR_TYPES(t)
        for (int z = 0; z < 3; z++) {
            void *a = tt_array(t, N, N), *f;
            int32_t few[N];
            tw_int ipiv[N];

            tt_dyadic(t, N, N, a, N, 4, &zeros[z], 1, ipiv);
            factor(t, N, a, N, few, ipiv, (int)zeros[z]);
            f = tt_copy(t, N, N, a);
            tt_expect_info(invert(t, N, f, N, few, 16, 16), zeros[z], "zero %lld", (long long)zeros[z]);
            assert_memory_equal(f, a, N * N * tt_size(t));
            tt_expect_info(BY_TYPE(t, tw_, getri, N, f, N, ipiv), zeros[z], "LAPACK door, zero %lld",
                           (long long)zeros[z]);
            assert_memory_equal(f, a, N * N * tt_size(t));
            free(a), free(f);
        }
}

/* ---- trtrs ------------------------------------------------------------------------------------------------------- */

static int solve(enum tw_type t, char uplo, char trans, char diag, int n, int nrhs, const void *a, int lda, void *b,
                 int ldb, int nb)
{
    tw_matrix *A, *B;
    int info;

    assert_int_equal(tw_matrix_from_lapack(&A, t, (enum tw_uplo)uplo, n, n, a, lda, nb), 0);
    assert_int_equal(tw_matrix_from_lapack(&B, t, TW_GENERAL, n, nrhs, b, ldb, nb + 3), 0);
    info = tw_trtrs((enum tw_uplo)uplo, (enum tw_trans)trans, (enum tw_diag)diag, A, B);
    assert_int_equal(tw_matrix_to_lapack(B, b, ldb), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(B), 0);
    return info;
}

static void every_letter(void **state)
{
    enum { N = 45, RHS = 7, LD = 47 };

    (void)state;
    FOR_TYPES(t)
        for (const char *uplo = "LU"; *uplo; uplo++)
            for (const char *trans = "NTC"; *trans; trans++)
                for (const char *diag = "NU"; *diag; diag++) {
                    void *a = tt_array(t, LD, N), *b = tt_array(t, LD, RHS), *x, *y;

                    tt_triangle(t, *uplo, *diag, N, a, LD, 3);
                    tt_random(t, 'G', N, RHS, b, LD, 4);
                    x = tt_copy(t, LD, RHS, b), y = tt_copy(t, LD, RHS, b);
                    tt_expect_info(solve(t, *uplo, *trans, *diag, N, RHS, a, LD, x, LD, 16), 0, "%c%c%c", *uplo, *trans,
                                   *diag);
                    tt_expect("trtrs", t,
                              tt_triangle_solve_residual(t, *uplo, *trans, *diag, N, RHS, a, LD, b, LD, x, LD), 0,
                              "%c%c%c", *uplo, *trans, *diag);
                    tt_expect_info(BY_TYPE(t, tw_, trtrs, *uplo, *trans, *diag, N, RHS, a, LD, y, LD), 0, "%c%c%c",
                                   *uplo, *trans, *diag);
                    tt_expect("trtrs, LAPACK door", t,
                              tt_triangle_solve_residual(t, *uplo, *trans, *diag, N, RHS, a, LD, b, LD, y, LD), 0,
                              "%c%c%c", *uplo, *trans, *diag);
                    assert_int_equal(tt_touched(t, 'G', N, RHS, y, LD), 0);
                    free(a), free(b), free(x), free(y);
                }
}

/* Two zeros: the first one is told, B stays. A unit diagonal is not looked at; a NaN is no zero. */
static void zeros(void **state)
{
    enum { N = 45, RHS = 3 };
    static const int places[] = {1, 22, 45};

    (void)state;
    FOR_TYPES(t)
        for (const char *uplo = "LU"; *uplo; uplo++)
            for (int z = 0; z < 3; z++) {
                void *a = tt_array(t, N, N), *b = tt_array(t, N, RHS), *x;

                tt_triangle(t, *uplo, 'N', N, a, N, 3);
                tt_put(t, a, (size_t)((places[z] - 1) * (N + 1)), 0);
                tt_put(t, a, (size_t)((N - 1) * (N + 1)), 0);
                tt_random(t, 'G', N, RHS, b, N, 4);
                x = tt_copy(t, N, RHS, b);
                tt_expect_info(solve(t, *uplo, 'N', 'N', N, RHS, a, N, x, N, 16), places[z], "%c", *uplo);
                assert_memory_equal(x, b, N * RHS * tt_size(t));
                tt_expect_info(BY_TYPE(t, tw_, trtrs, *uplo, 'T', 'N', N, RHS, a, N, x, N), places[z], "%c", *uplo);
                assert_memory_equal(x, b, N * RHS * tt_size(t));
                tt_expect_info(BY_TYPE(t, tw_, trtrs, *uplo, 'T', 'N', N, 0, a, N, NULL, N), places[z], "no columns");
                tt_expect_info(solve(t, *uplo, 'N', 'N', N, 0, a, N, x, N, 16), places[z], "no columns in tiles");
                tt_expect_info(solve(t, *uplo, 'N', 'U', N, RHS, a, N, x, N, 16), 0, "unit %c", *uplo);
                tt_put(t, a, (size_t)((places[z] - 1) * (N + 1)), NAN);
                if (places[z] < N) {
                    tt_expect_info(solve(t, *uplo, 'N', 'N', N, RHS, a, N, x, N, 16), N, "NaN, then zero");
                    tt_put(t, a, (size_t)((N - 1) * (N + 1)), 1);
                }
                tt_expect_info(solve(t, *uplo, 'N', 'N', N, RHS, a, N, x, N, 16), 0, "NaN");
                free(a), free(b), free(x);
            }
}

/* ---- LAPACKE ----------------------------------------------------------------------------------------------------- */

static int lapacke_getri(int ours, int work, enum tw_type t, int layout, int n, void *a, int lda, const int *ipiv)
{
    tt_z room[64 * 64];
    if (!work && ours) return BY_TYPE(t, tw_LAPACKE_, getri, layout, n, a, lda, ipiv);
    if (!work) return BY_TYPE(t, LAPACKE_, getri, layout, n, a, lda, ipiv);
    if (ours) return BY_TYPE(t, tw_LAPACKE_, getri_work, layout, n, a, lda, ipiv, (void *)room, 64 * 64);
    return BY_TYPE(t, LAPACKE_, getri_work, layout, n, a, lda, ipiv, (void *)room, 64 * 64);
}
static int lapacke_trtrs(int ours, int work, enum tw_type t, int layout, char uplo, char trans, char diag, int n,
                         int nrhs, const void *a, int lda, void *b, int ldb)
{
    if (!work && ours) return BY_TYPE(t, tw_LAPACKE_, trtrs, layout, uplo, trans, diag, n, nrhs, a, lda, b, ldb);
    if (!work) return BY_TYPE(t, LAPACKE_, trtrs, layout, uplo, trans, diag, n, nrhs, a, lda, b, ldb);
    if (ours) return BY_TYPE(t, tw_LAPACKE_, trtrs_work, layout, uplo, trans, diag, n, nrhs, a, lda, b, ldb);
    return BY_TYPE(t, LAPACKE_, trtrs_work, layout, uplo, trans, diag, n, nrhs, a, lda, b, ldb);
}

static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR};

static void same_as_lapacke(void **state)
{
    enum { N = 40, RHS = 6, LD = 43 };

    (void)state;
    FOR_TYPES(t)
        for (int l = 0; l < 2; l++)
            for (int work = 0; work < 2; work++) {
                const int layout = layouts[l], column = layout == LAPACK_COL_MAJOR;
                void *a = tt_array(t, LD, N), *r, *b = tt_array(t, LD, N), *x;
                int32_t few[N];
                tw_int ipiv[N];

                /* read in the other layout the array is another matrix's: LAPACK's factors of what is there are not its
                 * own, but good for both */
                tt_random(t, 'G', N, N, a, LD, 21);
                for (int i = 0; i < N; i++)
                    tt_put(t, a, (size_t)(i * (LD + 1)), 3 + tt_get(t, a, (size_t)(i * (LD + 1))));
                factor(t, N, a, LD, few, ipiv, 0);
                r = tt_copy(t, LD, N, a);
                assert_int_equal(lapacke_getri(0, work, t, layout, N, r, LD, few), 0);
                assert_int_equal(lapacke_getri(1, work, t, layout, N, a, LD, few), 0);
                tt_expect("LAPACKE getri", t, tt_difference(t, 'G', 'N', N, N, a, LD, r, LD) / 1000.0, 0, "layout %d",
                          layout);
                assert_int_equal(tt_touched(t, 'G', N, N, a, LD), 0);
                for (const char *uplo = "LU"; *uplo; uplo++)
                    for (const char *trans = "NTC"; *trans; trans++) {
                        const int m = column ? N : RHS, lines = column ? RHS : N;
                        tt_triangle(t, column ? *uplo : *uplo == 'L' ? 'U' : 'L', 'N', N, a, LD, 3);
                        tt_random(t, 'G', m, lines, b, LD, 4);
                        x = tt_copy(t, LD, N, b);
                        assert_int_equal(lapacke_trtrs(0, work, t, layout, *uplo, *trans, 'N', N, RHS, a, LD, b, LD),
                                         0);
                        assert_int_equal(lapacke_trtrs(1, work, t, layout, *uplo, *trans, 'N', N, RHS, a, LD, x, LD),
                                         0);
                        tt_expect("LAPACKE trtrs", t, tt_difference(t, 'G', 'N', m, lines, x, LD, b, LD) / 30, 0,
                                  "layout %d %c%c", layout, *uplo, *trans);
                        free(x);
                    }
                free(a), free(r), free(b);
            }
}

static void same_codes(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int l = 0; l < 2; l++)
            for (int ours = 0; ours < 2; ours++) {
                const int L = layouts[l];
                void *a = tt_array(t, 8, 8), *b = tt_array(t, 8, 8);
                int p[8] = {1, 2, 3, 4, 5, 6, 7, 8};

                tt_random(t, 'G', 8, 8, a, 8, 1);
                tt_random(t, 'G', 8, 8, b, 8, 1);
                assert_int_equal(lapacke_getri(ours, 0, t, 7, 8, a, 8, p), -1);
                assert_int_equal(lapacke_getri(ours, 0, t, L, -1, a, 8, p), -2);
                assert_int_equal(lapacke_getri(ours, 0, t, L, 8, a, 7, p), -4);
                assert_int_equal(lapacke_trtrs(ours, 0, t, 7, 'L', 'N', 'N', 8, 8, a, 8, b, 8), -1);
                assert_int_equal(lapacke_trtrs(ours, 0, t, L, 'X', 'N', 'N', 8, 8, a, 8, b, 8), -2);
                assert_int_equal(lapacke_trtrs(ours, 0, t, L, 'L', 'X', 'N', 8, 8, a, 8, b, 8), -3);
                assert_int_equal(lapacke_trtrs(ours, 0, t, L, 'L', 'N', 'X', 8, 8, a, 8, b, 8), -4);
                assert_int_equal(lapacke_trtrs(ours, 0, t, L, 'L', 'N', 'N', -1, 8, a, 8, b, 8), -5);
                assert_int_equal(lapacke_trtrs(ours, 0, t, L, 'L', 'N', 'N', 8, -1, a, 8, b, 8), -6);
                assert_int_equal(lapacke_trtrs(ours, 0, t, L, 'L', 'N', 'N', 8, 8, a, 7, b, 8), -8);
                assert_int_equal(lapacke_trtrs(ours, 0, t, L, 'L', 'N', 'N', 8, 8, a, 8, b, 7), -10);
                tt_put(t, b, 9, NAN);
                assert_int_equal(lapacke_trtrs(ours, 0, t, L, 'L', 'N', 'N', 8, 8, a, 8, b, 8), -9);
                tt_put(t, a, 0, NAN);
                assert_int_equal(lapacke_trtrs(ours, 0, t, L, 'L', 'N', 'N', 8, 8, a, 8, b, 8), -7);
                assert_int_equal(lapacke_getri(ours, 0, t, L, 8, a, 8, p), -3);
                free(a), free(b);
            }
}

static void workspace(void **state)
{
    double a[64] = {0}, query = 0;
    int p[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    (void)state;
    for (int i = 0; i < 8; i++)
        a[9 * i] = 1;
    assert_int_equal(tw_LAPACKE_dgetri_work(LAPACK_COL_MAJOR, 8, a, 8, p, &query, -1), 0);
    assert_true(query >= 8);
    assert_int_equal(tw_LAPACKE_dgetri_work(LAPACK_ROW_MAJOR, 8, a, 8, p, &query, -1), 0);
    assert_int_equal(tw_LAPACKE_dgetri_work(LAPACK_COL_MAJOR, 8, a, 8, p, &query, 7), -7);
}

static void refusals(void **state)
{
    double a[64] = {0}, b[64] = {0};
    tw_int p[8] = {99, -1, 0, 4, 5, 6, 7, 8};
    tw_matrix *A, *P, *B;
    tw_sequence *seq;

    (void)state;
    tt_expect_info(tw_dgetri(-1, a, 8, p), -1, "n");
    tt_expect_info(tw_dgetri(8, NULL, 8, p), -2, "a");
    tt_expect_info(tw_dgetri(8, a, 7, p), -3, "lda");
    tt_expect_info(tw_dgetri(8, a, 8, NULL), -4, "ipiv");
    tt_expect_info(tw_dgetri(0, NULL, 1, NULL), 0, "nothing");
    tt_expect_info(tw_dtrtrs('X', 'N', 'N', 8, 8, a, 8, b, 8), -1, "uplo");
    tt_expect_info(tw_dtrtrs('L', 'X', 'N', 8, 8, a, 8, b, 8), -2, "trans");
    tt_expect_info(tw_dtrtrs('L', 'N', 'X', 8, 8, a, 8, b, 8), -3, "diag");
    tt_expect_info(tw_dtrtrs('L', 'N', 'N', -1, 8, a, 8, b, 8), -4, "n");
    tt_expect_info(tw_dtrtrs('L', 'N', 'N', 8, -1, a, 8, b, 8), -5, "nrhs");
    tt_expect_info(tw_dtrtrs('L', 'N', 'N', 8, 8, NULL, 8, b, 8), -6, "a");
    tt_expect_info(tw_dtrtrs('L', 'N', 'N', 8, 8, a, 7, b, 8), -7, "lda");
    tt_expect_info(tw_dtrtrs('L', 'N', 'N', 8, 8, a, 8, NULL, 8), -8, "b");
    tt_expect_info(tw_dtrtrs('L', 'N', 'N', 8, 8, a, 8, b, 7), -9, "ldb");
    for (int i = 0; i < 8; i++)
        a[9 * i] = 1;
    tt_expect_info(tw_dgetri(8, a, 8, p), 0, "pivots that name no row exchange nothing");
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_GENERAL, 8, 8, a, 8, 4), 0);
    assert_int_equal(tw_matrix_from_lapack(&B, TW_DOUBLE, TW_GENERAL, 7, 8, a, 8, 4), 0);
    assert_int_equal(tw_pivots_create(&P, A), 0);
    assert_int_equal(tw_getri(NULL, P), -1);
    assert_int_equal(tw_getri(B, P), -1);
    assert_int_equal(tw_getri(A, NULL), -2);
    assert_int_equal(tw_getri(A, A), -2);
    assert_int_equal(tw_trtrs(TW_LOWER, TW_NOTRANS, TW_NONUNIT, A, B), -5);
    assert_int_equal(tw_trtrs(TW_LOWER, TW_NOTRANS, TW_NONUNIT, A, A), -5);
    assert_int_equal(tw_trtrs(TW_LOWER, TW_NOTRANS, TW_NONUNIT, P, A), -4);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_getri_async(A, NULL, seq), -2);
    assert_int_equal(tw_getri_async(A, P, NULL), -3);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(B), 0);
    assert_int_equal(tw_matrix_destroy(P), 0);
}

/* Factor, invert and multiply as one graph; a singular one in the same sequence leaves its info. */
static void one_graph(void **state)
{
    enum { N = 150, NB = 32 };
    const tw_scalar one = {1, 0}, zero = {0, 0};

    (void)state;
    FOR_TYPES(t) {
        void *a = tt_array(t, N, N), *b = tt_array(t, N, N), *x = tt_array(t, N, N);
        tw_matrix *A, *B, *C, *P;
        tw_sequence *seq;

        tt_random(t, 'G', N, N, a, N, 1);
        tt_random(t, 'G', N, N, b, N, 2);
        assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, N, N, a, N, NB), 0);
        assert_int_equal(tw_matrix_from_lapack(&B, t, TW_GENERAL, N, N, b, N, NB), 0);
        assert_int_equal(tw_matrix_create(&C, t, TW_GENERAL, N, N, NB, NULL), 0);
        assert_int_equal(tw_pivots_create(&P, A), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_getrf_async(A, P, seq), 0);
        assert_int_equal(tw_getri_async(A, P, seq), 0);
        assert_int_equal(tw_gemm_async(TW_NOTRANS, TW_NOTRANS, one, A, B, zero, C, seq), 0);
        tt_expect_info(tw_sequence_wait(seq), 0, "the graph");
        assert_int_equal(tw_matrix_to_lapack(C, x, N), 0);
        tt_expect("getrf, getri, gemm", t, tt_general_solve_residual(t, 'N', N, N, a, N, b, N, x, N) / 100, N, "n=%d",
                  N);
        assert_int_equal(tw_laset_async(TW_GENERAL, zero, zero, A, seq), 0);
        assert_int_equal(tw_getri_async(A, P, seq), 0);
        tt_expect_info(tw_sequence_wait(seq), 1, "zeros");
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(tw_matrix_destroy(A), 0);
        assert_int_equal(tw_matrix_destroy(B), 0);
        assert_int_equal(tw_matrix_destroy(C), 0);
        assert_int_equal(tw_matrix_destroy(P), 0);
        free(a), free(b), free(x);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inverses),  cmocka_unit_test(singular_factors), cmocka_unit_test(every_letter),
        cmocka_unit_test(zeros),     cmocka_unit_test(same_as_lapacke),  cmocka_unit_test(same_codes),
        cmocka_unit_test(workspace), cmocka_unit_test(refusals),         cmocka_unit_test(one_graph)};
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
