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
    const struct CMUnitTest tests[] = {cmocka_unit_test(judge), cmocka_unit_test(checkers)};
    setenv("TILEWORK_FAULT", "1", 1);
    return tt_run(tests);
}
