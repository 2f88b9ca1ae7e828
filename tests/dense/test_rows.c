/* Every routine in every storage that a matrix has, through the matrix door and the async door, on tiles that fit and
 * that do not: its residual, and nothing written beside its operands. */
#include "rows.h"

static void one(const struct tt_row *r, enum tw_type t, char uplo, int n, int nb, enum tt_storage s, int async)
{
    const int nrhs = n / 3;
    struct tt_case c;

    tt_case_make(&c, r, t, uplo, n, nrhs, 2, NULL, NULL);
    tt_expect_info(tt_case_run(&c, s, nb, async), 0, "%s n=%d nb=%d %s", r->name, n, nb, tt_storage_name(s));
    tt_expect(r->name, t, r->residual(&c), r->exact ? 0 : n, "%c n=%d nb=%d %s%s", uplo, n, nb, tt_storage_name(s),
              async ? " async" : "");
    assert_int_equal(tt_touched(t, 'G', c.m, c.k, c.f, c.lda) - tt_touched(t, 'G', c.m, c.k, c.a, c.lda), 0);
    if (r->b) assert_int_equal(tt_touched(t, 'G', n, nrhs, c.x, c.lda), 0);
    tt_case_free(&c, 0);
}

static void storages(void **state)
{
    static const int sizes[][2] = {{5, 2}, {47, 48}, {48, 48}, {49, 48}, {130, 48}};
    const struct tt_row *r;

    (void)state;
    for (int k = 0, turn = 0; (r = tt_row(k)); k++)
        TT_TYPES(t)
            for (const char *uplo = r->uplos; *uplo && tt_row_has(r, t); uplo++)
                for (int s = 0; s < tt_storages(); s++, turn++)
                    for (int i = 0; i < 5; i++)
                        one(r, t, *uplo, sizes[i][0], sizes[i][1], (enum tt_storage)s, (turn + i) % 2);
    assert_int_equal(tw_finalize(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(storages)};
    return tt_run(tests);
}
