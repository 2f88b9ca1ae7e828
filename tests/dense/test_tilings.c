/* Operands in tiles of different shapes in one call: products, solves and triangular products, against products of full
 * copies; rectangular tiles in every storage; and that equal cuts give the same bits as one nb. */
#include <math.h>

#include "tt.h"

/* A matrix in tiles of mb x nb, in turn in the pool and in place. */
struct operand {
    enum tw_type t;
    void *a;
    int m, n, lda, wrapped;
    tw_matrix *A;
};
static void enter(struct operand *o, enum tw_type t, int m, int n, int mb, int nb, uint64_t seed)
{
    static int turn;

    *o = (struct operand){.t = t, .m = m, .n = n, .lda = m + 1, .wrapped = turn++ % 2};
    o->a = tt_array(t, o->lda, n);
    tt_random(t, 'G', m, n, o->a, o->lda, seed);
    if (o->wrapped) {
        assert_int_equal(tw_matrix_wrap_tiles(&o->A, t, TW_GENERAL, m, n, o->a, o->lda, mb, nb), 0);
    } else {
        assert_int_equal(tw_matrix_create_tiles(&o->A, t, TW_GENERAL, m, n, mb, nb, NULL), 0);
        assert_int_equal(tw_matrix_set_lapack(o->A, o->a, o->lda), 0);
    }
    assert_int_equal(tw_matrix_mb(o->A), mb);
    assert_int_equal(tw_matrix_nb(o->A), nb);
}
static void leave(struct operand *o)
{
    if (!o->wrapped) assert_int_equal(tw_matrix_to_lapack(o->A, o->a, o->lda), 0);
    assert_int_equal(tw_matrix_destroy(o->A), 0);
    assert_int_equal(tt_touched(o->t, 'G', o->m, o->n, o->a, o->lda), 0);
}
static tt_z *full(const struct operand *o, char trans)
{
    return tt_op(trans, o->m, o->n, tt_full(TT_GENERAL, o->t, 'G', 'N', o->m, o->n, o->a, o->lda));
}
static tw_scalar real(double re)
{
    return (tw_scalar){re, 0};
}

/* Tiles (mb, nb) of A, B and C. The first two fit as they are: square ones, and rectangular ones cut alike. */
static const int tilings[][6] = {{32, 32, 32, 32, 32, 32}, {24, 40, 40, 16, 24, 16},  {32, 32, 20, 50, 32, 32},
                                 {10, 70, 33, 7, 16, 128}, {200, 200, 9, 9, 200, 30}, {1, 83, 97, 1, 83, 61}};

static void products(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof tilings / sizeof *tilings; c++)
        for (int k = 0; k < 36; k++) {
            const int *s = tilings[c], m = 83, n = 61, inner = 97;
            const enum tw_type t = (enum tw_type)(k % TW_NTYPES);
            if (!TT_HAS(t)) continue;
            const char ta = "NTC"[k / 4 % 3], tb = "NTC"[k / 12];
            struct operand a, b, d;
            tt_z *A, *B, *C;

            if (c == 1 && ta != 'N' && k % 2) continue;
            enter(&a, t, ta == 'N' ? m : inner, ta == 'N' ? inner : m, s[0], s[1], 1);
            enter(&b, t, tb == 'N' ? inner : n, tb == 'N' ? n : inner, s[2], s[3], 2);
            enter(&d, t, m, n, s[4], s[5], 3);
            A = full(&a, ta), B = full(&b, tb), C = full(&d, 'N');
            tt_expect_info(
                tw_gemm((enum tw_trans)ta, (enum tw_trans)tb, real(-0.3), a.A, b.A, real(k % 3 ? 2 : 0), d.A), 0,
                "gemm %c%c", ta, tb);
            leave(&a), leave(&b), leave(&d);
            tt_expect("gemm", t, tt_product_residual(t, 'G', m, n, inner, -0.3, A, B, k % 3 ? 2 : 0, C, d.a, d.lda),
                      c == 4 ? 0 : inner, /* one tile may have the reference's own bits */
                      "%c%c tiling %zu", ta, tb, c);
            free(A), free(B), free(C), free(a.a), free(b.a), free(d.a);
        }
}

static void rank_k(void **state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        const enum tw_type t = (enum tw_type)(k % TW_NTYPES);
        if (!TT_HAS(t)) continue;
        const char trans = k & 4 ? 'T' : 'N', uplo = k & 8 ? 'U' : 'L';
        const int n = 75, inner = 50;
        struct operand a, c;
        tt_z *left, *right, *C;

        enter(&a, t, trans == 'N' ? n : inner, trans == 'N' ? inner : n, 17, 23, 1);
        enter(&c, t, n, n, 32, 32, 2);
        left = full(&a, trans), right = full(&a, trans == 'N' ? 'T' : 'N'), C = full(&c, 'N');
        tt_expect_info(tw_syrk((enum tw_uplo)uplo, (enum tw_trans)trans, real(1), a.A, real(0.5), c.A), 0, "syrk");
        leave(&a), leave(&c);
        tt_expect("syrk", t, tt_product_residual(t, uplo, n, n, inner, 1, left, right, 0.5, C, c.a, c.lda), inner,
                  "%c%c", uplo, trans);
        free(left), free(right), free(C), free(a.a), free(c.a);
    }
}

/* A triangular in tiles of 20; B in others. trsm and trmm undo each other: op(A) X = B. */
static void triangular(void **state)
{
    (void)state;
    for (int k = 0; k < 96; k++) {
        const enum tw_type t = (enum tw_type)(k % TW_NTYPES);
        if (!TT_HAS(t)) continue;
        const char uplo = k / 4 % 2 ? 'U' : 'L', side = k / 8 % 2 ? 'R' : 'L', trans = "NTC"[k / 16 % 3];
        const int order = 71, m = side == 'L' ? order : 45, n = side == 'L' ? 45 : order, solve = k < 48;
        const int tiles[][2] = {{20, 20}, {20, 7}, {33, 20}, {64, 3}};
        void *a = tt_array(t, order, order);
        struct operand b;
        tw_matrix *A;
        tt_z *before, *after, *T;

        tt_triangle(t, uplo, 'N', order, a, order, 4);
        assert_int_equal(tw_matrix_wrap(&A, t, (enum tw_uplo)uplo, order, order, a, order, 20), 0);
        enter(&b, t, m, n, tiles[k / 3 % 4][0], tiles[k / 3 % 4][1], 5);
        before = full(&b, 'N');
        tt_expect_info((solve ? tw_trsm : tw_trmm)((enum tw_side)side, (enum tw_uplo)uplo, (enum tw_trans)trans,
                                                   TW_NONUNIT, real(1), A, b.A),
                       0, "trsm, trmm");
        leave(&b);
        assert_int_equal(tw_matrix_destroy(A), 0);
        after = full(&b, 'N');
        T = tt_op(trans, order, order, tt_full(TT_TRIANGULAR, t, uplo, 'N', order, order, a, order));
        if (solve && side == 'L')
            tt_expect("trsm", t, tt_equation_residual(t, m, n, order, T, after, before), order, "%c", uplo);
        else if (solve)
            tt_expect("trsm", t, tt_equation_residual(t, m, n, order, after, T, before), order, "%c", uplo);
        else if (side == 'L')
            tt_expect("trmm", t, tt_equation_residual(t, m, n, order, T, before, after), order, "%c", uplo);
        else
            tt_expect("trmm", t, tt_equation_residual(t, m, n, order, before, T, after), order, "%c", uplo);
        free(a), free(before), free(after), free(T), free(b.a);
    }
}

/* Factor and solve, the right-hand sides in one column of tiles, in narrow ones, and in tiles that do not fit the
 * factor's; at once and queued. */
static void solutions(void **state)
{
    static const int tiles[][2] = {{25, 25}, {25, 300}, {25, 4}, {40, 11}, {300, 1}};
    (void)state;
    for (int k = 0; k < 20; k++) {
        const enum tw_type t = (enum tw_type)(k % TW_NTYPES);
        if (!TT_HAS(t)) continue;
        const char uplo = k % 3 ? 'L' : 'U';
        const int n = 130, nrhs = 37, *s = tiles[k / 4];
        void *a = tt_array(t, n, n), *f, *b0;
        struct operand b;
        tw_sequence *seq;
        tw_matrix *A;

        tt_spd(t, uplo, n, a, n, 5);
        f = tt_copy(t, n, n, a);
        assert_int_equal(tw_matrix_wrap(&A, t, (enum tw_uplo)uplo, n, n, f, n, 25), 0);
        enter(&b, t, n, nrhs, s[0], s[1], 6);
        b0 = tt_copy(t, b.lda, nrhs, b.a);
        if (k % 2) {
            tt_expect_info(tw_posv((enum tw_uplo)uplo, A, b.A), 0, "posv");
        } else {
            assert_int_equal(tw_sequence_create(&seq), 0);
            tt_expect_info(tw_potrf_async((enum tw_uplo)uplo, A, seq), 0, "potrf");
            tt_expect_info(tw_potrs_async((enum tw_uplo)uplo, A, b.A, seq), 0, "potrs");
            tt_expect_info(tw_sequence_wait(seq), 0, "wait");
            assert_int_equal(tw_sequence_destroy(seq), 0);
        }
        leave(&b);
        assert_int_equal(tw_matrix_destroy(A), 0);
        tt_expect("posv", t, tt_solve_residual(t, uplo, n, nrhs, a, n, b0, b.lda, b.a, b.lda), n, "tiles %d x %d", s[0],
                  s[1]);
        free(a), free(f), free(b0), free(b.a);
    }
}

/* The sums of a product run over the same inner tiles in the same order, so that an operand that had to be copied gives
 * the same bits as one that fitted. */
static void same_bits(void **state)
{
    const int m = 90, n = 70, inner = 110;
    struct operand a, b[2], c[2];
    tw_options o;

    (void)state;
    assert_int_equal(tw_finalize(), 0);
    tw_options_init(&o);
    o.reproducible = 1; /* one kind of worker for all */
    assert_int_equal(tw_init(&o), 0);
    enter(&a, TW_DOUBLE, m, inner, 32, 16, 1);
    for (int k = 0; k < 2; k++) {
        enter(&b[k], TW_DOUBLE, inner, n, k ? 27 : 16, k ? 9 : 48, 2);
        enter(&c[k], TW_DOUBLE, m, n, 32, 48, 3);
        tt_expect_info(tw_gemm(TW_NOTRANS, TW_NOTRANS, real(1), a.A, b[k].A, real(1), c[k].A), 0, "gemm");
        leave(&b[k]), leave(&c[k]);
    }
    assert_memory_equal(c[0].a, c[1].a, (size_t)c[0].lda * (size_t)n * sizeof(double));
    leave(&a);
    for (int k = 0; k < 2; k++)
        free(b[k].a), free(c[k].a);
    free(a.a);
    assert_int_equal(tw_finalize(), 0);
}

/* All operands are destroyed while the product, which copies two of them into other tiles, is still queued: that waits,
 * and C, in place, has the result. Then the same, cancelled. */
static void destroyed_while_queued(void **state)
{
    const int m = 300, n = 260, inner = 280;
    (void)state;
    for (int k = 0; k < 8; k++) {
        const int cancelled = k % 2;
        struct operand a, b;
        double *c = tt_array(TW_DOUBLE, m, n);
        tw_sequence *seq;
        tw_matrix *C;
        tt_z *A, *B, *C0;
        int e;

        enter(&a, TW_DOUBLE, m, inner, 30, 40, 1);
        enter(&b, TW_DOUBLE, inner, n, 25, 10, 2);
        tt_random(TW_DOUBLE, 'G', m, n, c, m, 3);
        A = full(&a, 'N'), B = full(&b, 'N'), C0 = tt_full(TT_GENERAL, TW_DOUBLE, 'G', 'N', m, n, c, m);
        assert_int_equal(tw_matrix_wrap_tiles(&C, TW_DOUBLE, TW_GENERAL, m, n, c, m, 17, 64), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        tt_expect_info(tw_gemm_async(TW_NOTRANS, TW_NOTRANS, real(1), a.A, b.A, real(2), C, seq), 0, "gemm");
        if (cancelled) assert_int_equal(tw_sequence_cancel(seq), 0);
        assert_int_equal(tw_matrix_destroy(a.A) | tw_matrix_destroy(b.A) | tw_matrix_destroy(C), 0);
        e = tw_sequence_wait(seq);
        if (!cancelled) assert_int_equal(e, 0);
        if (cancelled) assert_true(e == 0 || e == TW_E_CANCELLED);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        if (e == 0)
            tt_expect("gemm", TW_DOUBLE, tt_product_residual(TW_DOUBLE, 'G', m, n, inner, 1, A, B, 2, C0, c, m), inner,
                      "destroyed while queued");
        free(a.a), free(b.a), free(c), free(A), free(B), free(C0);
    }
}

/* What goes in comes out, and norms see every element. */
static void round_trips(void **state)
{
    static const int cases[][4] = {{50, 7, 16, 3}, {7, 50, 3, 16}, {33, 33, 33, 1}, {64, 64, 1, 64}, {9, 0, 2, 3}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int k = 0; k < 2 * TW_NTYPES; k++) {
            const enum tw_type t = (enum tw_type)(k % TW_NTYPES);
            if (!TT_HAS(t)) continue;
            const int m = cases[c][0], n = cases[c][1];
            struct operand a;
            double value;
            void *back = tt_array(t, m, n);

            enter(&a, t, m, n, cases[c][2], cases[c][3], 7);
            tt_expect_info(tw_lange(TW_MAX_NORM, a.A, &value), 0, "lange");
            tt_expect_info(tw_matrix_to_lapack(a.A, back, m), 0, "to_lapack");
            leave(&a);
            assert_true(tt_difference(t, 'G', 'N', m, n, back, m, a.a, a.lda) == 0);
            if (n > 0) {
                tt_z *A = full(&a, 'N');
                tt_expect("lange", t, fabs(value - tt_norm('M', m, n, A)) / tt_eps(t), 0, "%d x %d", m, n);
                free(A);
            }
            free(back), free(a.a);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(products),
        cmocka_unit_test(rank_k),
        cmocka_unit_test(triangular),
        cmocka_unit_test(solutions),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(destroyed_while_queued),
    };
    return tt_run(tests);
}
