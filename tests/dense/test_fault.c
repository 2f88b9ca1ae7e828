/* Do the checkers check? In a build with fault injection (TILEWORK_FAULT=1 spoils one tile of every routine by 1e-6)
 * every one of them has to fail; in a normal build the same runs have to pass. */
#include "rows.h"

/* Small enough for one spoilt tile, the ragged ones included, to count in the norm of a product. */
enum { N = 120, NB = 48, RHS = 40 };

static void checkers(void **state)
{
    const struct tt_row *r;
    int wrong = 0, rows = 0;

    (void)state;
    for (; (r = tt_row(rows)); rows++)
        TT_TYPES(t)
            for (const char *uplo = r->uplos; *uplo && tt_row_has(r, t); uplo++) {
                struct tt_case c;
                double residual;
                int failed, bad;

                tt_case_make(&c, r, t, *uplo, N, RHS, 0, NULL, NULL);
                (void)tt_case_run(&c, TT_FROM_LAPACK, NB, 0);
                residual = r->residual(&c);
                failed = tt_judge(residual, r->exact ? 0 : N) == TT_FAIL;
#ifdef TILEWORK_FAULT_INJECTION
                bad = r->repairs ? failed : !failed;
#else
                bad = failed;
#endif
                printf("%c%-16s %c residual %10.3g%s\n", tt_letter(t), r->name, *uplo, residual,
                       bad ? "  WRONG VERDICT" : "");
                wrong += bad;
                tt_case_free(&c, 0);
            }
    assert_int_equal(wrong, 0);
    assert_true(rows >= 21);
}

/* What refinement repairs it has noticed: corrections, or row exchanges. */
static void repairs(void **state)
{
    (void)state;
    TT_TYPES(t) {
        void *a = tt_array(t, N, N), *b = tt_array(t, N, RHS);
        tw_matrix *A, *B, *P;
        int iter = 99;

        for (int i = 0; i < N * N; i++) /* a solve without any rounding */
            tt_put(t, a, (size_t)i, i % (N + 1) ? 0 : 1024);
        tt_random(t, 'G', N, RHS, b, N, 4);
        assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, N, N, a, N, NB), 0);
        assert_int_equal(tw_matrix_from_lapack(&B, t, TW_GENERAL, N, RHS, b, N, NB), 0);
        assert_int_equal(tw_pivots_create(&P, A), 0);
        tt_expect_info(tw_gesv_nopiv(A, P, B, &iter, NULL, NULL), 0, "gesv_nopiv");
        printf("%cgesv_nopiv iter %d\n", tt_letter(t), iter);
#ifdef TILEWORK_FAULT_INJECTION
        assert_int_not_equal(iter, 0);
#else
        assert_int_equal(iter, 0);
#endif
        assert_int_equal(tw_matrix_destroy(A), 0);
        assert_int_equal(tw_matrix_destroy(B), 0);
        assert_int_equal(tw_matrix_destroy(P), 0);
        free(a), free(b);
    }
    assert_int_equal(tw_finalize(), 0);
}

/* The judge itself: the limits, NaN, and the answer that is too good. */
static void judge(void **state)
{
    (void)state;
    assert_int_equal(tt_judge(0.1, 100), TT_PASS);
    assert_int_equal(tt_judge(3, 100), TT_WARN);
    assert_int_equal(tt_judge(29.9, 100), TT_WARN);
    assert_int_equal(tt_judge(30, 100), TT_FAIL);
    assert_int_equal(tt_judge(0.0 / 0.0, 100), TT_FAIL);
    assert_int_equal(tt_judge(1.0 / 0.0, 100), TT_FAIL);
    assert_int_equal(tt_judge(0, 64), TT_FAIL);
    assert_int_equal(tt_judge(0, 63), TT_PASS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(judge), cmocka_unit_test(checkers), cmocka_unit_test(repairs)};
    setenv("TILEWORK_FAULT", "1", 1);
    return tt_run(tests);
}
