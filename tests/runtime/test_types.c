/* Facts about types: beside the C compiler's own. */
#include <float.h>

#include "tt.h"

static void sizes(void **state)
{
    static const size_t size[TW_NELEMENTS] = {sizeof(float),
                                              sizeof(double),
                                              sizeof(float _Complex),
                                              sizeof(double _Complex),
                                              sizeof(int32_t),
                                              sizeof(int64_t),
                                              2,
                                              2,
                                              sizeof(int8_t)};
    (void)state;
    for (int t = 0; t < TW_NELEMENTS; t++)
        assert_int_equal(tw_type_size((enum tw_type)t), size[t]);
    assert_int_equal(tw_type_size((enum tw_type) - 1), 0);
    assert_int_equal(tw_type_size((enum tw_type)TW_NELEMENTS), 0);
}

static void roundoff(void **state)
{
    (void)state;
    for (int t = 0; t < TW_NTYPES; t++)
        assert_true(tw_type_eps((enum tw_type)t) == (t % 2 ? DBL_EPSILON / 2 : (double)FLT_EPSILON / 2));
    assert_true(tw_type_eps(TW_HALF) == 0x1p-11 && tw_type_eps(TW_BFLOAT16) == 0x1p-8);
    assert_true(tw_type_eps(TW_INT32) == 0 && tw_type_eps(TW_INT64) == 0 && tw_type_eps(TW_INT8) == 0);
    assert_true(tw_type_eps((enum tw_type) - 1) == 0 && tw_type_eps((enum tw_type)100) == 0);
}

static void letters(void **state)
{
    (void)state;
    for (int t = 0; t < TW_NELEMENTS; t++)
        assert_int_equal(tw_type_letter((enum tw_type)t), "sdczilhbq"[t]);
    assert_int_equal(tw_type_letter((enum tw_type) - 1), 0);
    assert_int_equal(tw_type_letter((enum tw_type)TW_NELEMENTS), 0);
}

static void counterparts(void **state)
{
    (void)state;
    for (int t = 0; t < TW_NELEMENTS; t++) {
        const enum tw_type real = tw_type_real((enum tw_type)t);
        assert_int_equal(tw_type_is_complex((enum tw_type)t), t == TW_COMPLEX_FLOAT || t == TW_COMPLEX_DOUBLE);
        assert_false(tw_type_is_complex(real));
        assert_true(tw_type_eps(real) == tw_type_eps((enum tw_type)t));
        assert_int_equal(tw_type_size((enum tw_type)t),
                         tw_type_size(real) * (tw_type_is_complex((enum tw_type)t) ? 2 : 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(roundoff), cmocka_unit_test(letters),
                                       cmocka_unit_test(counterparts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
