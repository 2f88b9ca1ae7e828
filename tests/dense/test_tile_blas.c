/* gemm, syrk, herk, trsm, trmm on ragged tiles: every combination of letters, against products of full copies. */
#include <complex.h>

#include "tt.h"

enum { NB = 32 };
static const char transposes[] = "NTC";

static tt_z value_of(enum tw_type t, tw_scalar s)
{
    return tt_complex(t) ? CMPLX(s.re, s.im) : s.re;
}
static tw_scalar scalar(double re, double im)
{
    return (tw_scalar){re, im};
}
/* BLAS' transposition of a real matrix is the same with 'C'. */
static tt_z *full_op(enum tt_structure s, enum tw_type t, char uplo, char diag, char trans, int m, int n, const void *a,
                     int lda)
{
    return tt_op(trans, m, n, tt_full(s, t, uplo, diag, m, n, a, lda));
}
static enum tt_storage in_turn(void)
{
    static int storages, turn;
    if (!storages) storages = tt_storages();
    return (enum tt_storage)(turn++ % storages);
}

/* ---- gemm --------------------------------------------------------------------------------------------------- */

static void one_gemm(enum tw_type t, char ta, char tb, int m, int n, int k, tw_scalar alpha, tw_scalar beta)
{
    int am = ta == 'N' ? m : k, an = ta == 'N' ? k : m, bm = tb == 'N' ? k : n, bn = tb == 'N' ? n : k;
    void *a = tt_array(t, am + 1, an), *b = tt_array(t, bm + 2, bn), *c = tt_array(t, m + 3, n), *c0;
    int reads_c = beta.re != 0 || beta.im != 0; /* else C is all NaN and must not be read */
    tt_z *A, *B, *C0;
    struct tt_place pa, pb, pc;

    tt_random(t, 'G', am, an, a, am + 1, 1);
    tt_random(t, 'G', bm, bn, b, bm + 2, 2);
    if (reads_c) tt_random(t, 'G', m, n, c, m + 3, 3);
    c0 = tt_copy(t, m + 3, n, c);
    (void)tt_enter(&pa, in_turn(), t, TW_GENERAL, am, an, a, am + 1, NB);
    (void)tt_enter(&pb, in_turn(), t, TW_GENERAL, bm, bn, b, bm + 2, NB);
    (void)tt_enter(&pc, in_turn(), t, TW_GENERAL, m, n, c, m + 3, NB);
    tt_expect_info(tw_gemm((enum tw_trans)ta, (enum tw_trans)tb, alpha, pa.A, pb.A, beta, pc.A), 0, "gemm %c%c", ta,
                   tb);
    tt_leave(&pa), tt_leave(&pb), tt_leave(&pc);
    assert_int_equal(tt_touched(t, 'G', m, n, c, m + 3), 0);
    A = full_op(TT_GENERAL, t, 'G', 'N', ta, am, an, a, am + 1);
    B = full_op(TT_GENERAL, t, 'G', 'N', tb, bm, bn, b, bm + 2);
    C0 = tt_full(TT_GENERAL, t, 'G', 'N', m, n, c0, m + 3);
    tt_expect("gemm", t,
              tt_product_residual(t, 'G', m, n, k, value_of(t, alpha), A, B, value_of(t, beta), C0, c, m + 3),
              alpha.re != 0 ? k : 0, "%c%c %d x %d x %d alpha=%g beta=%g", ta, tb, m, n, k, alpha.re, beta.re);
    free(a), free(b), free(c), free(c0), free(A), free(B), free(C0);
}

static void gemm(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int c = 0; c < 9; c++) {
            char ta = transposes[c % 3], tb = transposes[c / 3];
            one_gemm(t, ta, tb, 83, 61, 97, scalar(1, 0), scalar(0, 0));
            one_gemm(t, ta, tb, 32, 64, 96, scalar(-1, 0), scalar(1, 0));
            one_gemm(t, ta, tb, 45, 101, 70, scalar(0.5, -0.25), scalar(-0.75, 0.125));
            one_gemm(t, ta, tb, 20, 31, 5, scalar(0, 0), scalar(2, 1));
            one_gemm(t, ta, tb, 33, 1, 65, scalar(0, 0), scalar(0, 0));
            one_gemm(t, ta, tb, 40, 40, 0, scalar(1, 0), scalar(-2, 0));
            one_gemm(t, ta, tb, 0, 40, 33, scalar(1, 0), scalar(1, 0));
        }
}

/* ---- syrk, herk --------------------------------------------------------------------------------------------- */

static void one_rank_k(int her, enum tw_type t, char uplo, char trans, int n, int k, tw_scalar alpha, tw_scalar beta,
                       int whole)
{
    int am = trans == 'N' ? n : k, an = trans == 'N' ? k : n;
    char other = her ? 'C' : 'T';
    void *a = tt_array(t, am + 1, an), *c = tt_array(t, n + 2, n), *c0;
    tt_z *left, *right, *C0;
    struct tt_place pa, pc;
    int e;

    tt_random(t, 'G', am, an, a, am + 1, 1);
    if (beta.re != 0 || beta.im != 0) tt_spd(t, uplo, n, c, n + 2, 2);
    c0 = tt_copy(t, n + 2, n, c);
    (void)tt_enter(&pa, in_turn(), t, TW_GENERAL, am, an, a, am + 1, NB);
    (void)tt_enter(&pc, in_turn(), t, whole ? TW_GENERAL : (enum tw_uplo)uplo, n, n, c, n + 2, NB);
    if (her)
        e = tw_herk((enum tw_uplo)uplo, (enum tw_trans)trans, alpha.re, pa.A, beta.re, pc.A);
    else
        e = tw_syrk((enum tw_uplo)uplo, (enum tw_trans)trans, alpha, pa.A, beta, pc.A);
    tt_expect_info(e, 0, "%s %c%c", her ? "herk" : "syrk", uplo, trans);
    tt_leave(&pa), tt_leave(&pc);
    assert_int_equal(tt_touched(t, uplo, n, n, c, n + 2), 0);
    for (int i = 0; her && i < n; i++)
        assert_true(cimag(tt_get(t, c, (size_t)(i * (n + 3)))) == 0); /* BLAS sets it */
    left = full_op(TT_GENERAL, t, 'G', 'N', trans == 'N' ? 'N' : other, am, an, a, am + 1);
    right = full_op(TT_GENERAL, t, 'G', 'N', trans == 'N' ? other : 'N', am, an, a, am + 1);
    C0 = tt_full(her ? TT_HERMITIAN : TT_SYMMETRIC, t, uplo, 'N', n, n, c0, n + 2);
    if (her) alpha.im = beta.im = 0;
    tt_expect(her ? "herk" : "syrk", t,
              tt_product_residual(t, uplo, n, n, k, value_of(t, alpha), left, right, value_of(t, beta), C0, c, n + 2),
              alpha.re != 0 ? k : 0, "%c%c n=%d k=%d alpha=%g beta=%g", uplo, trans, n, k, alpha.re, beta.re);
    free(a), free(c), free(c0), free(left), free(right), free(C0);
}

static void rank_k(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int c = 0; c < 8; c++) {
            int her = c & 1, whole = c & 2;
            char uplo = c & 4 ? 'U' : 'L';
            if (her && !tt_complex(t)) continue;
            for (int k = 0; k < 2; k++) {
                char trans = k == 0 ? 'N' : her ? 'C' : 'T';
                one_rank_k(her, t, uplo, trans, 83, 97, scalar(1, 0), scalar(0, 0), whole);
                one_rank_k(her, t, uplo, trans, 96, 64, scalar(-1, 0), scalar(1, 0), whole);
                one_rank_k(her, t, uplo, trans, 45, 70, scalar(0.5, -0.25), scalar(-0.75, 0.5), whole);
                one_rank_k(her, t, uplo, trans, 33, 5, scalar(0, 0), scalar(2, 0), whole);
                one_rank_k(her, t, uplo, trans, 33, 0, scalar(1, 0), scalar(0.5, 0), whole);
                one_rank_k(her, t, uplo, trans, 1, 3, scalar(1, 0), scalar(1, 0), whole);
            }
        }
}

/* ---- trsm, trmm --------------------------------------------------------------------------------------------- */

struct letters {
    char side, uplo, trans, diag;
};

/* solve: op(A) X = alpha B or X op(A) = alpha B; otherwise the product alpha op(A) B. */
static void one_triangular(int solve, enum tw_type t, struct letters l, int m, int n, tw_scalar alpha, int whole)
{
    int k = l.side == 'L' ? m : n, lda = k + 1, ldb = m + 2, e;
    void *a = tt_array(t, lda, k), *b = tt_array(t, ldb, n), *x;
    tt_z *A, *B, *X;
    struct tt_place pa, pb;
    double residual;

    tt_triangle(t, l.uplo, l.diag, k, a, lda, 4);
    tt_random(t, 'G', m, n, b, ldb, 5);
    x = tt_copy(t, ldb, n, b);
    (void)tt_enter(&pa, in_turn(), t, whole ? TW_GENERAL : (enum tw_uplo)l.uplo, k, k, a, lda, NB);
    (void)tt_enter(&pb, in_turn(), t, TW_GENERAL, m, n, x, ldb, NB);
    e = (solve ? tw_trsm : tw_trmm)((enum tw_side)l.side, (enum tw_uplo)l.uplo, (enum tw_trans)l.trans,
                                    (enum tw_diag)l.diag, alpha, pa.A, pb.A);
    tt_expect_info(e, 0, "%s %c%c%c%c", solve ? "trsm" : "trmm", l.side, l.uplo, l.trans, l.diag);
    tt_leave(&pa), tt_leave(&pb);
    assert_int_equal(tt_touched(t, 'G', m, n, x, ldb), 0);
    assert_int_equal(tt_touched(t, l.uplo, k, k, a, lda), 0);
    A = full_op(TT_TRIANGULAR, t, l.uplo, l.diag, l.trans, k, k, a, lda);
    B = tt_full(TT_GENERAL, t, 'G', 'N', m, n, b, ldb);
    X = tt_full(TT_GENERAL, t, 'G', 'N', m, n, x, ldb);
    if (solve) {
        for (int i = 0; i < m * n; i++)
            B[i] *= value_of(t, alpha);
        residual =
            l.side == 'L' ? tt_equation_residual(t, m, n, k, A, X, B) : tt_equation_residual(t, m, n, k, X, A, B);
    } else {
        residual = l.side == 'L' ? tt_product_residual(t, 'G', m, n, k, value_of(t, alpha), A, B, 0, B, x, ldb)
                                 : tt_product_residual(t, 'G', m, n, k, value_of(t, alpha), B, A, 0, B, x, ldb);
    }
    tt_expect(solve ? "trsm" : "trmm", t, residual, alpha.re != 0 ? k : 0, "%c%c%c%c %d x %d alpha=%g", l.side, l.uplo,
              l.trans, l.diag, m, n, alpha.re);
    free(a), free(b), free(x), free(A), free(B), free(X);
}

static void triangular(int solve)
{
    TT_TYPES(t)
        for (int c = 0; c < 24; c++) {
            struct letters l = {c & 1 ? 'R' : 'L', c & 2 ? 'U' : 'L', transposes[c / 8], c & 4 ? 'U' : 'N'};
            one_triangular(solve, t, l, 83, 101, scalar(1, 0), 0);
            one_triangular(solve, t, l, 96, 64, scalar(-0.5, 0.75), 1);
            one_triangular(solve, t, l, 31, 33, scalar(0, 0), 0);
            one_triangular(solve, t, l, 1, 40, scalar(2, 0), 0);
            one_triangular(solve, t, l, 40, 1, scalar(2, 0), 1);
            one_triangular(solve, t, l, 0, 7, scalar(1, 0), 0);
        }
}
static void trsm(void **state)
{
    (void)state, triangular(1);
}
static void trmm(void **state)
{
    (void)state, triangular(0);
}

/* ---- what is refused ---------------------------------------------------------------------------------------- */

static void illegal_arguments(void **state)
{
    tw_scalar one = {1, 0};
    tw_matrix *A, *B, *F, *L;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_COMPLEX_DOUBLE, TW_GENERAL, 10, 8, NB, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_COMPLEX_DOUBLE, TW_GENERAL, 8, 10, NB, NULL), 0);
    assert_int_equal(tw_matrix_create(&L, TW_COMPLEX_DOUBLE, TW_LOWER, 10, 10, NB, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 10, 10, NB, NULL), 0);
    tt_expect_info(tw_gemm('X', TW_NOTRANS, one, A, B, one, L), -1, "transa");
    tt_expect_info(tw_gemm(TW_NOTRANS, 'X', one, A, B, one, L), -2, "transb");
    tt_expect_info(tw_gemm(TW_NOTRANS, TW_NOTRANS, one, NULL, B, one, A), -4, "NULL");
    tt_expect_info(tw_gemm(TW_NOTRANS, TW_NOTRANS, one, A, A, one, B), -5, "inner orders differ");
    tt_expect_info(tw_gemm(TW_NOTRANS, TW_NOTRANS, one, A, B, one, A), -7, "C's shape");
    tt_expect_info(tw_syrk('X', TW_NOTRANS, one, A, one, L), -1, "uplo");
    tt_expect_info(tw_syrk(TW_LOWER, TW_CONJTRANS, one, B, one, L), -2, "syrk of complex matrices has no 'C'");
    tt_expect_info(tw_syrk(TW_LOWER, TW_NOTRANS, one, B, one, L), -6, "C's order");
    tt_expect_info(tw_herk(TW_LOWER, TW_TRANS, 1, A, 1, L), -2, "herk of complex matrices has no 'T'");
    tt_expect_info(tw_herk(TW_UPPER, TW_NOTRANS, 1, A, 1, L), -6, "the other triangle is stored");
    tt_expect_info(tw_trsm('X', TW_LOWER, TW_NOTRANS, TW_UNIT, one, L, A), -1, "side");
    tt_expect_info(tw_trsm(TW_LEFT, 'X', TW_NOTRANS, TW_UNIT, one, L, A), -2, "uplo");
    tt_expect_info(tw_trsm(TW_LEFT, TW_LOWER, 'X', TW_UNIT, one, L, A), -3, "trans");
    tt_expect_info(tw_trsm(TW_LEFT, TW_LOWER, TW_NOTRANS, 'X', one, L, A), -4, "diag");
    tt_expect_info(tw_trsm(TW_LEFT, TW_LOWER, TW_NOTRANS, TW_UNIT, one, A, A), -6, "A is not square");
    tt_expect_info(tw_trsm(TW_LEFT, TW_LOWER, TW_NOTRANS, TW_UNIT, one, L, B), -7, "orders differ");
    tt_expect_info(tw_trmm(TW_LEFT, TW_LOWER, TW_NOTRANS, TW_UNIT, one, L, F), -7, "types differ");
    assert_int_equal(tw_matrix_destroy(A) | tw_matrix_destroy(B) | tw_matrix_destroy(L) | tw_matrix_destroy(F), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm),
        cmocka_unit_test(rank_k),
        cmocka_unit_test(trsm),
        cmocka_unit_test(trmm),
        cmocka_unit_test(illegal_arguments),
    };
    return tt_run(tests);
}
