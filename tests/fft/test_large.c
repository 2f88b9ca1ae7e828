/* Large transforms: random sizes up to a million and primes against FFTW in long double; larger ones by their
 * properties (linearity, impulse, shifts: Ergun, Testing multivariate linear functions, STOC 1995; Parseval). */
#include "reference.h"

static const enum tw_type types[2] = {TW_FLOAT, TW_DOUBLE};

static void one(enum tw_type type, enum tw_fft_kind kind, tw_int n, enum tw_fft_path path, int in_place)
{
    struct fft_case c = dense_case(type, kind, 1, n, 0, 0, 1);
    c.path = path;
    c.in_place = in_place;
    c.sign = n % 2 ? 1 : -1;
    c.norm = in_place ? TW_FFT_BY_N : TW_FFT_UNSCALED;
    check_case(&c);
}

static void random_sizes(void **state)
{
    uint64_t seed = 2026;
    (void)state;
    for (int k = 0; k < 12; k++) {
        tw_int n = 1000 + (tw_int)(fabs(uniform(&seed)) * 999000);
        one(types[k % 2], (enum tw_fft_kind)(k % 3), n, TW_FFT_TASKS, 0);
    }
}

/* Sizes for which the six steps are taken, with all sorts of factors, real and complex. */
static void many_factors(void **state)
{
    static const tw_int n[] = {1 << 16,      3 * 5 * 7 * 1024, 59049,  390625,  117649, 97 * 101,
                               2 * 997 * 13, 1 << 19,          720720, 1 << 18, 510510};
    (void)state;
    for (size_t k = 0; k < sizeof n / sizeof *n; k++) {
        one(types[k % 2], TW_FFT_C2C, n[k], TW_FFT_TASKS, k % 3 == 0);
        if (n[k] % 2 == 0) {
            one(types[(k + 1) % 2], TW_FFT_R2C, n[k], TW_FFT_TASKS, k % 2);
            one(types[(k + 1) % 2], TW_FFT_C2R, n[k], TW_FFT_TASKS, k % 2);
        }
    }
}

static void primes(void **state)
{
    static const tw_int n[] = {509, 521, 1009, 4099, 10007, 65537, 99991, 524287};
    (void)state;
    for (size_t k = 0; k < sizeof n / sizeof *n; k++) {
        one(types[k % 2], TW_FFT_C2C, n[k], k % 2 ? TW_FFT_TASKS : TW_FFT_DIRECT, 0);
        one(types[k % 2], (enum tw_fft_kind)(1 + k % 2), n[k], TW_FFT_TASKS, 0);
    }
}

/* ---- properties, for a size whose definition takes too long ------------------------------------------------------ */

enum { N = 1 << 20 };

static double distance(const double *a, const double *b, tw_int count)
{
    double d = 0, n = 0;
    for (tw_int i = 0; i < count; i++)
        d += (a[i] - b[i]) * (a[i] - b[i]), n += b[i] * b[i];
    return sqrt(d / n);
}

static void properties(void **state)
{
    double *x = malloc(16 * N), *y = malloc(16 * N), *fx = malloc(16 * N), *fy = malloc(16 * N),
           bound = 8 * 0x1p-53 * sqrt(20);
    long double sx = 0, sf = 0; /* sums of 2^21 terms */
    double *w = malloc(16 * N), *fw = malloc(16 * N);
    const tw_int n = N, shift = 12345;
    uint64_t seed = 7;
    tw_fft *p;
    tw_fft_info info;
    (void)state;

    assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, &n, 1, TW_FFT_FORWARD, NULL), 0);
    for (tw_int i = 0; i < 2 * N; i++)
        x[i] = uniform(&seed), y[i] = uniform(&seed);
    assert_int_equal(tw_fft_execute(p, x, fx), 0);
    assert_int_equal(tw_fft_execute(p, y, fy), 0);
    /* Parseval */
    for (tw_int i = 0; i < 2 * N; i++)
        sx += x[i] * x[i], sf += fx[i] * fx[i];
    assert_true(fabsl(sf / N / sx - 1) < bound);
    /* linearity: a x + b y with real a, b */
    for (tw_int i = 0; i < 2 * N; i++)
        w[i] = 0.75 * x[i] - 0.3 * y[i], fy[i] = 0.75 * fx[i] - 0.3 * fy[i];
    assert_int_equal(tw_fft_execute(p, w, fw), 0);
    if (!(distance(fw, fy, 2 * N) < bound)) fail_msg("linearity: %.3g", distance(fw, fy, 2 * N));
    /* shift in time: the transform turns by exp(-2 pi i k shift / N) */
    for (tw_int i = 0; i < N; i++)
        memcpy(w + 2 * ((i + shift) % N), x + 2 * i, 16);
    assert_int_equal(tw_fft_execute(p, w, fw), 0);
    for (tw_int k = 0; k < N; k++) {
        long double angle = 2 * PI * (long double)(k * shift % N) / N, c = cosl(angle), s = -sinl(angle);
        fy[2 * k] = (double)(fx[2 * k] * c - fx[2 * k + 1] * s);
        fy[2 * k + 1] = (double)(fx[2 * k] * s + fx[2 * k + 1] * c);
    }
    if (!(distance(fw, fy, 2 * N) < bound)) fail_msg("shift: %.3g", distance(fw, fy, 2 * N));
    /* impulse */
    memset(w, 0, 16 * N);
    w[2 * shift] = 1;
    assert_int_equal(tw_fft_execute(p, w, fw), 0);
    for (tw_int k = 0; k < N; k++) {
        long double angle = 2 * PI * (long double)(k * shift % N) / N;
        fy[2 * k] = (double)cosl(angle), fy[2 * k + 1] = -(double)sinl(angle);
    }
    if (!(distance(fw, fy, 2 * N) < bound)) fail_msg("impulse: %.3g", distance(fw, fy, 2 * N));
    /* it was tasks that did this, several per core, as many as the closed form says */
    assert_int_equal(tw_fft_get_info(p, &info), 0);
    assert_string_equal(info.path, "six-step");
    assert_true(info.n1 == 1024 && info.n2 == 1024);
    assert_true(info.tasks >= (info.gpus ? 1 : 8)); /* a GPU does what fits there at once */
    tw_fft_destroy(p);
    free(x), free(y), free(fx), free(fy), free(w), free(fw);
}

static void round_trip_2d_real(void **state)
{
    const tw_int n[2] = {700, 901}, half = 901 / 2 + 1;
    double *x = malloc(sizeof(double) * 700 * 901), *y = malloc(sizeof(double) * 700 * 901),
           *f = malloc(16 * 700 * (size_t)half);
    uint64_t seed = 3;
    tw_fft_options o;
    tw_fft *forward, *backward;
    tw_fft_info info;
    (void)state;

    tw_fft_options_init(&o);
    o.norm = TW_FFT_ORTHO;
    assert_int_equal(tw_fft_plan(&forward, TW_DOUBLE, TW_FFT_R2C, 2, n, 1, 0, &o), 0);
    assert_int_equal(tw_fft_plan(&backward, TW_DOUBLE, TW_FFT_C2R, 2, n, 1, 0, &o), 0);
    for (int i = 0; i < 700 * 901; i++)
        x[i] = uniform(&seed);
    assert_int_equal(tw_fft_execute(forward, x, f), 0);
    assert_int_equal(tw_fft_execute(backward, f, y), 0);
    if (!(distance(y, x, 700 * 901) < 8 * 0x1p-53 * sqrt(20))) fail_msg("round trip: %.3g", distance(y, x, 700 * 901));
    assert_int_equal(tw_fft_get_info(forward, &info), 0);
    assert_string_equal(info.path, "slabs");
    assert_true(info.tasks >= (info.gpus ? 1 : 16)); /* a GPU does what fits there at once */
    tw_fft_destroy(forward);
    tw_fft_destroy(backward);
    free(x), free(y), free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_sizes), cmocka_unit_test(many_factors),
                                       cmocka_unit_test(primes), cmocka_unit_test(properties),
                                       cmocka_unit_test(round_trip_2d_real)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tw_finalize() ? 1 : failed;
}
