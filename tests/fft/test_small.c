/* The small transforms' CUDA kernels, every kind and size, and the passes of the real transforms of any length, run on
 * the host. */
#include "lines.h"

#ifndef TILEWORK_CUDA
int main(void)
{
    printf("skipped: built without CUDA\n");
    return 77;
}
#else
#include <sys/stat.h>
#include "codelets/fft/small_answers.h"
#include "small_host.h"

static int host(const struct tw_fft_cuda_lines *l, const void *in, size_t in_bytes, void *out, size_t out_bytes)
{
    (void)in_bytes, (void)out_bytes;
    return small_on_host(l, in, out);
}
static int passes(const struct tw_fft_cuda_lines *l, const void *in, size_t in_bytes, void *out, size_t out_bytes)
{
    (void)in_bytes, (void)out_bytes;
    around_on_host(l, in, out);
    return 0;
}

/* Points of a row whose inner transform has M. */
static tw_int length(enum tw_fft_kind kind, enum tw_fft_r2r r2r, tw_int M)
{
    if (kind == TW_FFT_C2C) return M;
    if (kind == TW_FFT_R2R && r2r == TW_FFT_DCT1) return M + 1;
    if (kind == TW_FFT_R2R && r2r == TW_FFT_DST1) return M - 1;
    return 2 * M;
}

static tw_int rows_for(tw_int n)
{
    return n <= 16 ? 300 : n <= 256 ? 37 : n <= 1024 ? 5 : 2;
}

static void complex_kinds(void **state)
{
    double worst = 0;
    (void)state;
    for (int single = 0; single < 2; single++)
        for (tw_int M = 2; M <= 4096; M *= 2)
            for (int kind = TW_FFT_C2C; kind <= TW_FFT_C2R; kind++)
                for (int sign = -1; sign <= (kind == TW_FFT_C2C ? 1 : -1); sign += 2)
                    for (int in_place = 0; in_place < 2; in_place++) {
                        tw_int n = length(kind, 0, M);
                        struct tw_fft_cuda_lines l = {single, sign, kind, 0, n, rows_for(n), 0, 0, in_place ? 0.25 : 1};
                        worst = fmax(worst, check_lines(l, in_place ? 0 : 2, in_place, host));
                    }
    printf("worst %.2f of the bound\n", worst);
}

static void real_kinds(void **state)
{
    double worst = 0;
    (void)state;
    for (int single = 0; single < 2; single++)
        for (tw_int M = 2; M <= 4096; M *= 2)
            for (int r2r = TW_FFT_DCT1; r2r <= TW_FFT_DHT; r2r++) {
                tw_int n = length(TW_FFT_R2R, r2r, M);
                struct tw_fft_cuda_lines l = {single, 0, TW_FFT_R2R, r2r, n, rows_for(n), 0, 0, r2r % 2 ? 0.5 : 1};
                if (n == 1) continue; /* the DST 1 of 1 point has no kernel */
                worst = fmax(worst, check_lines(l, 4, 0, host));
                worst = fmax(worst, check_lines(l, 0, 1, host));
            }
    printf("worst %.2f of the bound\n", worst);
}

static void any_length(void **state)
{
    double worst = 0;
    (void)state;
    for (int single = 0; single < 2; single++)
        for (tw_int n = 1; n <= 45; n++)
            for (int r2r = TW_FFT_DCT1; r2r <= TW_FFT_DHT; r2r++) {
                struct tw_fft_cuda_lines l = {single, 0, TW_FFT_R2R, r2r, n, 2, 0, 0, 3};
                if (n > 1 || r2r != TW_FFT_DCT1) worst = fmax(worst, check_lines(l, 3, 0, passes));
            }
    printf("worst %.2f of the bound\n", worst);
}

/* No kernel where none should be. */
static void refused(void **state)
{
    static const struct {
        enum tw_fft_kind kind;
        enum tw_fft_r2r r2r;
        tw_int n;
    } none[] = {{TW_FFT_C2C, 0, 1},           {TW_FFT_C2C, 0, 6},           {TW_FFT_C2C, 0, 8192},
                {TW_FFT_R2C, 0, 2},           {TW_FFT_R2C, 0, 16384},       {TW_FFT_R2C, 0, 9},
                {TW_FFT_R2R, TW_FFT_DCT2, 7}, {TW_FFT_R2R, TW_FFT_DCT1, 8}, {TW_FFT_R2R, TW_FFT_DST1, 8},
                {TW_FFT_R2R, TW_FFT_DCT4, 1}, {TW_FFT_R2R, TW_FFT_DHT, 12}};
    struct tw_fft_cuda_lines l = {1, -1, TW_FFT_C2C, 0, 8, 4, 8, 8, 1};
    char array[16];
    (void)state;

    assert_true(tw_fft_cuda_small_suits(&l, NULL, NULL));
    assert_false(tw_fft_cuda_small_suits(&l, NULL, (char *)NULL + 4)); /* half of a complex number off */
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++) {
        struct tw_fft_cuda_lines m = {0, -1, none[k].kind, none[k].r2r, none[k].n, 1, none[k].n, none[k].n, 1};
        assert_false(tw_fft_cuda_small_suits(&m, NULL, NULL));
        assert_int_equal(small_on_host(&m, array, array), 1);
    }
    l.kind = TW_FFT_R2R, l.r2r = TW_FFT_DCT2, l.ld_out = 10; /* its rows go by four */
    assert_false(tw_fft_cuda_small_suits(&l, NULL, NULL));
    l.single = 0;
    assert_true(tw_fft_cuda_small_suits(&l, NULL, NULL));
    l.ld_in = 9;
    assert_false(tw_fft_cuda_small_suits(&l, NULL, NULL));
}

/* What was measured is kept, by model of GPU; damaged and foreign files know nothing. */
static void answers(void **state)
{
    char dir[] = "/tmp/tilework-small-XXXXXX", path[100];
    struct tw_small_answers a = {0}, b = {0};
    FILE *f;
    (void)state;

    assert_non_null(mkdtemp(dir));
    setenv("TILEWORK_CACHE_DIR", dir, 1);
    tw_small_answers_read("Some GPU", 1, &b);
    assert_memory_equal(&a, &b, sizeof a);
    a.of[0][TW_SMALL_C2C][5] = TW_SMALL_THEIRS;
    a.of[1][TW_SMALL_T4][TW_SMALL_SIZES] = TW_SMALL_OURS;
    tw_small_answers_write("Some GPU", 1, &a);
    b.of[1][TW_SMALL_DHT][1] = TW_SMALL_OURS;
    tw_small_answers_write("Some GPU", 1, &b); /* by another program: both stay */
    memset(&b, 0, sizeof b);
    tw_small_answers_read("Another GPU", 1, &b);
    tw_small_answers_read("Some GPU", 2, &b);
    assert_int_equal(b.of[0][TW_SMALL_C2C][5], TW_SMALL_UNKNOWN);
    b.of[0][TW_SMALL_C2C][5] = TW_SMALL_OURS; /* what is known stays */
    tw_small_answers_read("Some GPU", 1, &b);
    assert_int_equal(b.of[0][TW_SMALL_C2C][5], TW_SMALL_OURS);
    assert_int_equal(b.of[1][TW_SMALL_T4][TW_SMALL_SIZES], TW_SMALL_OURS);
    assert_int_equal(b.of[1][TW_SMALL_DHT][1], TW_SMALL_OURS);

    snprintf(path, sizeof path, "%s/fft-small-Some-GPU-1", dir);
    for (int damaged = 0; damaged < 2; damaged++) {
        assert_non_null(f = fopen(path, "w"));
        fputs(damaged ? "tilework fft-small 1\ns t4 99 ours\ns t4 -1 ours\nrubbish\ns t4 3 maybe\ns t9 3 ours\n"
                      : "tilework fft-small 0\ns t4 3 ours\n",
              f);
        fclose(f);
        memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
        tw_small_answers_read("Some GPU", 1, &b);
        assert_memory_equal(&a, &b, sizeof a);
    }
    remove(path);
    assert_int_equal(remove(dir), 0);
    unsetenv("TILEWORK_CACHE_DIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(complex_kinds), cmocka_unit_test(real_kinds),
                                       cmocka_unit_test(any_length), cmocka_unit_test(refused),
                                       cmocka_unit_test(answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
