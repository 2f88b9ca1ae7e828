/* Does the checker check? In a build with fault injection (TILEWORK_FAULT=1 spoils one element of every routine that
 * runs as tasks over data objects) it has to find every result wrong; in a normal build the same runs are right. */
#include "reference.h"

static void judge(struct fft_case c)
{
    double error;

    c.path = TW_FFT_TASKS;
    error = check_case(&c);
#ifdef TILEWORK_FAULT_INJECTION
    if (!(error > 1)) fail_msg("a spoiled result passed: %.3g of the bound", error);
#else
    if (!(error <= 1)) fail_msg("%.3g of the bound", error);
#endif
}

static void faults(void **state)
{
    static const enum tw_type types[2] = {TW_FLOAT, TW_DOUBLE};
    (void)state;
    tolerant = 1;
    for (int t = 0; t < 2; t++)
        for (int kind = TW_FFT_C2C; kind <= TW_FFT_C2R; kind++) {
            judge(dense_case(types[t], (enum tw_fft_kind)kind, 1, 8192, 0, 0, 1)); /* six-step */
            judge(dense_case(types[t], (enum tw_fft_kind)kind, 3, 16, 24, 20, 1)); /* slabs */
            judge(dense_case(types[t], (enum tw_fft_kind)kind, 1, 60, 0, 0, 50));  /* rows only */
            judge(in_place_case(types[t], (enum tw_fft_kind)kind, 2, 32, 45, 0, 1));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults)};
    int failed;

    setenv("TILEWORK_FAULT", "1", 1);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tw_finalize() ? 1 : failed;
}
