/* Every size up to 512, in the caller's thread and as tasks, against the definitions; all kinds of real transforms. */
#include "reference.h"

static const enum tw_type types[2] = {TW_FLOAT, TW_DOUBLE};

static void complex_sizes(void **state)
{
    double worst[2][3] = {{0}};
    (void)state;
    for (tw_int n = 1; n <= 512; n++)
        for (int t = 0; t < 2; t++)
            for (int path = TW_FFT_DIRECT; path <= TW_FFT_TASKS; path++) {
                struct fft_case c = dense_case(types[t], TW_FFT_C2C, 1, n, 0, 0, 1);
                if (path == TW_FFT_TASKS && n > 64 && n % 7) continue; /* all small ones and a seventh of the others */
                c.path = (enum tw_fft_path)path;
                c.sign = n % 2 ? -1 : 1;
                c.norm = (enum tw_fft_norm)(n % 3);
                c.in_place = n % 5 == 0;
                worst[t][path] = fmax(worst[t][path], check_case(&c));
            }
    print_message("worst errors in units of the bound: float %.2f %.2f, double %.2f %.2f\n", worst[0][1], worst[0][2],
                  worst[1][1], worst[1][2]);
}

static void real_sizes(void **state)
{
    (void)state;
    for (tw_int n = 1; n <= 512; n += n < 100 ? 1 : 3)
        for (int t = 0; t < 2; t++)
            for (int kind = TW_FFT_R2C; kind <= TW_FFT_C2R; kind++)
                for (int path = TW_FFT_DIRECT; path <= TW_FFT_TASKS; path++) {
                    struct fft_case c = n % 4 == 0 ? in_place_case(types[t], (enum tw_fft_kind)kind, 1, n, 0, 0, 1)
                                                   : dense_case(types[t], (enum tw_fft_kind)kind, 1, n, 0, 0, 1);
                    if (path == TW_FFT_TASKS && n > 64 && n % 5) continue;
                    c.path = (enum tw_fft_path)path;
                    c.norm = (enum tw_fft_norm)(n % 3);
                    check_case(&c);
                }
}

static void real_to_real(void **state)
{
    (void)state;
    for (int kind = TW_FFT_DCT1; kind <= TW_FFT_DHT; kind++)
        for (tw_int n = kind == TW_FFT_DCT1 ? 2 : 1; n <= 140; n += n < 34 ? 1 : 13)
            for (int t = 0; t < 2; t++)
                for (int path = TW_FFT_DIRECT; path <= TW_FFT_TASKS; path++) {
                    struct fft_case c = dense_case(types[t], TW_FFT_R2R, 1, n, 0, 0, 1);
                    if (path == TW_FFT_TASKS && n % 3) continue;
                    c.path = (enum tw_fft_path)path;
                    c.r2r[0] = (enum tw_fft_r2r)kind;
                    c.norm = (enum tw_fft_norm)(n % 3);
                    c.in_place = n % 2;
                    check_case(&c);
                }
}

/* Forward and backward with TW_FFT_BY_N give back the input: all pairs of inverse kinds. */
static void real_to_real_inverses(void **state)
{
    static const enum tw_fft_r2r inverse[] = {TW_FFT_DCT1, TW_FFT_DCT3, TW_FFT_DCT2, TW_FFT_DCT4, TW_FFT_DST1,
                                              TW_FFT_DST3, TW_FFT_DST2, TW_FFT_DST4, TW_FFT_DHT};
    const tw_int n[2] = {37, 24};
    double x[37 * 24], y[37 * 24];
    uint64_t seed = 5;
    (void)state;

    for (int kind = 0; kind <= TW_FFT_DHT; kind++) {
        tw_fft_options o;
        tw_fft *p;
        double error = 0, norm = 0;
        for (int i = 0; i < 37 * 24; i++)
            x[i] = uniform(&seed);
        tw_fft_options_init(&o);
        o.r2r[0] = (enum tw_fft_r2r)kind;
        o.r2r[1] = inverse[kind];
        assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, TW_FFT_R2R, 2, n, 1, 0, &o), 0);
        assert_int_equal(tw_fft_execute(p, x, y), 0);
        tw_fft_destroy(p);
        o.r2r[0] = inverse[kind];
        o.r2r[1] = (enum tw_fft_r2r)kind;
        o.norm = TW_FFT_BY_N;
        assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, TW_FFT_R2R, 2, n, 1, 0, &o), 0);
        assert_int_equal(tw_fft_execute(p, y, y), 0);
        tw_fft_destroy(p);
        for (int i = 0; i < 37 * 24; i++)
            error += (x[i] - y[i]) * (x[i] - y[i]), norm += x[i] * x[i];
        if (!(sqrt(error / norm) <= 20 * 0x1p-53 * sqrt(log2(37 * 24))))
            fail_msg("kind %d: round trip %.3g", kind, sqrt(error / norm));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(complex_sizes), cmocka_unit_test(real_sizes),
                                       cmocka_unit_test(real_to_real), cmocka_unit_test(real_to_real_inverses)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tw_finalize() ? 1 : failed;
}
