/* Arrays that stay on the GPUs (without GPUs: in main memory): forward equals tw_fft_execute, there and back several
 * times gives the input, `get` gives it in row-major order whichever way it lies, asynchronously too; wrong plans are
 * refused. */
#include "reference.h"

static double distance(const double *a, const double *b, tw_int count)
{
    double d = 0, n = 0;
    for (tw_int i = 0; i < count; i++)
        d += (a[i] - b[i]) * (a[i] - b[i]), n += b[i] * b[i];
    return sqrt(d / n);
}

static void there_and_back(int rank, const tw_int *n)
{
    tw_int count = 1;
    uint64_t seed = 5;
    tw_fft_options o;
    tw_fft *there, *back;
    tw_fft_array *a;
    tw_sequence *seq;

    for (int d = 0; d < rank; d++)
        count *= n[d];
    double *x = malloc(16 * (size_t)count), *y = malloc(16 * (size_t)count), *z = malloc(16 * (size_t)count);
    for (tw_int k = 0; k < 2 * count; k++)
        x[k] = uniform(&seed);
    tw_fft_options_init(&o);
    o.path = TW_FFT_TASKS;
    assert_int_equal(tw_fft_plan(&there, TW_DOUBLE, TW_FFT_C2C, rank, n, 1, -1, &o), 0);
    o.norm = TW_FFT_BY_N;
    assert_int_equal(tw_fft_plan(&back, TW_DOUBLE, TW_FFT_C2C, rank, n, 1, 1, &o), 0);
    assert_int_equal(tw_fft_execute(there, x, y), 0);
    assert_int_equal(tw_fft_array_create(&a, there), 0);
    assert_int_equal(tw_fft_array_set(a, x), 0);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(tw_fft_array_execute(there, a), 0);
        assert_int_equal(tw_fft_array_get(a, z), 0);
        if (!(distance(z, y, 2 * count) < 1e-14)) fail_msg("forward, round %d: %.3g", round, distance(z, y, 2 * count));
        assert_int_equal(tw_fft_array_execute(back, a), 0);
        assert_int_equal(tw_fft_array_get(a, z), 0);
        if (!(distance(z, x, 2 * count) < 1e-14)) fail_msg("back, round %d: %.3g", round, distance(z, x, 2 * count));
    }
    assert_int_equal(tw_fft_array_set(a, x), 0);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_fft_array_execute_async(there, a, seq), 0);
    assert_int_equal(tw_fft_array_execute_async(back, a, seq), 0);
    assert_int_equal(tw_fft_array_execute_async(there, a, seq), 0);
    assert_int_equal(tw_sequence_wait(seq), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(tw_fft_array_get(a, z), 0); /* lies the other way round */
    assert_true(distance(z, y, 2 * count) < 1e-14);
    assert_int_equal(tw_fft_array_destroy(a), 0);
    tw_fft_destroy(there);
    tw_fft_destroy(back);
    free(x), free(y), free(z);
}

static void shapes(void **state)
{
    static const tw_int sizes[][3] = {{64, 64, 64}, {37, 101, 40}, {128, 96, 50}};
    static const tw_int plane[] = {90, 1200}, line[] = {5000};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        there_and_back(3, sizes[k]);
    there_and_back(2, plane);
    there_and_back(1, line);
}

static void refused(void **state)
{
    static const tw_int n[] = {16, 16, 16}, m[] = {16, 16, 32};
    tw_fft *p, *real, *other, *batch;
    tw_fft_array *a;
    double x[2];
    (void)state;
    assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 3, n, 1, -1, NULL), 0);
    assert_int_equal(tw_fft_plan(&real, TW_DOUBLE, TW_FFT_R2C, 3, n, 1, -1, NULL), 0);
    assert_int_equal(tw_fft_plan(&other, TW_DOUBLE, TW_FFT_C2C, 3, m, 1, -1, NULL), 0);
    assert_int_equal(tw_fft_plan(&batch, TW_DOUBLE, TW_FFT_C2C, 2, n, 3, -1, NULL), 0);
    assert_int_equal(tw_fft_array_create(NULL, p), -1);
    assert_int_equal(tw_fft_array_create(&a, NULL), -2);
    assert_int_equal(tw_fft_array_create(&a, real), TW_E_UNSUPPORTED);
    assert_int_equal(tw_fft_array_create(&a, batch), TW_E_UNSUPPORTED);
    assert_null(a);
    assert_int_equal(tw_fft_array_create(&a, p), 0);
    assert_int_equal(tw_fft_array_execute(other, a), -2);
    assert_int_equal(tw_fft_array_execute(NULL, a), -1);
    assert_int_equal(tw_fft_array_execute_async(p, a, NULL), -3);
    assert_int_equal(tw_fft_array_execute(p, a), TW_E_STATE); /* nothing was set */
    assert_int_equal(tw_fft_array_get(a, x), TW_E_STATE);
    assert_int_equal(tw_fft_array_set(a, NULL), -2);
    assert_int_equal(tw_fft_array_get(NULL, x), -1);
    assert_int_equal(tw_fft_array_destroy(a), 0);
    assert_int_equal(tw_fft_array_destroy(NULL), 0);
    tw_fft_destroy(p), tw_fft_destroy(real), tw_fft_destroy(other), tw_fft_destroy(batch);
}

/* An array does not outlive the library's run; a second one does not revive it. */
static void stopped(void **state)
{
    static const tw_int n[] = {16, 32, 32};
    double *x = calloc(2 * 16 * 32 * 32, sizeof *x);
    tw_fft_array *a;
    tw_sequence *seq;
    tw_fft *p;
    (void)state;

    assert_non_null(x);
    assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 3, n, 1, -1, NULL), 0);
    assert_int_equal(tw_fft_array_create(&a, p), 0);
    assert_int_equal(tw_fft_array_set(a, x), 0);
    assert_int_equal(tw_fft_array_execute(p, a), 0);
    assert_int_equal(tw_finalize(), 0);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(tw_fft_array_execute(p, a), TW_E_STATE);
        assert_int_equal(tw_fft_array_set(a, x), TW_E_STATE);
        assert_int_equal(tw_fft_array_get(a, x), TW_E_STATE);
        assert_non_null(strstr(tw_last_message(), "stopped"));
        if (!again) assert_int_equal(tw_init(NULL), 0);
    }
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_fft_array_execute_async(p, a, seq), TW_E_STATE);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(tw_fft_array_destroy(a), 0);
    tw_fft_destroy(p);
    free(x);
}

/* Memory from tw_fft_alloc serves as any other. */
static void allocated(void **state)
{
    enum { N = 1 << 12 };
    double *x = tw_fft_alloc(16 * N), *y = tw_fft_alloc(16 * N);
    (void)state;
    assert_non_null(x);
    assert_non_null(y);
    memset(x, 0, 16 * N);
    x[0] = 1;
    assert_int_equal(tw_fft_1d(TW_DOUBLE, N, x, y, -1), 0);
    for (int k = 0; k < N; k++)
        assert_true(y[2 * k] == 1 && y[2 * k + 1] == 0);
    tw_fft_free(x, 16 * N);
    tw_fft_free(y, 16 * N);
    tw_fft_free(NULL, 16 * N);
}

/* Sizes that wrap around when they are rounded up are no small ones. */
static void too_much(void **state)
{
    (void)state;
    for (size_t below = 1; below <= 4096; below++)
        if (below <= 130 || below % 61 == 0) assert_null(tw_fft_alloc((size_t)0 - below));
    assert_null(tw_fft_alloc((size_t)1 << 62));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused), cmocka_unit_test(allocated),
                                       cmocka_unit_test(too_much), cmocka_unit_test(shapes), cmocka_unit_test(stopped)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tw_finalize() || failed;
}
