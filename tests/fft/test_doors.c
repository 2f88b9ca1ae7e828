/* Everything about plans but their arithmetic: wrong arguments, sequences, threads, one-liners, convolution, options,
 * wisdom. */
#include "reference.h"
#include <malloc.h>
#include <pthread.h>
#include <unistd.h>

static const tw_int n8[3] = {8, 8, 8}, negative[1] = {-4}, zero[2] = {8, 0},
                    huge[2] = {(tw_int)1 << 40, (tw_int)1 << 40};

/* An error of this code whose message names the routine. */
#define REFUSED(code, expression)                                                                                      \
    do {                                                                                                               \
        int e_ = (expression);                                                                                         \
        if (e_ != (code)) fail_msg("%s gave %d (%s), not %d", #expression, e_, tw_last_message(), (int)(code));        \
        if (!strstr(tw_last_message(), "tw_fft")) fail_msg("%s: message '%s'", #expression, tw_last_message());        \
    } while (0)

static void bad_plans(void **state)
{
    tw_fft *p = (tw_fft *)8;
    tw_fft_options o;
    tw_fft_dim d = {8, 1, 1}, bad = {8, 0, 1};
    (void)state;

    REFUSED(-1, tw_fft_plan(NULL, TW_DOUBLE, TW_FFT_C2C, 1, n8, 1, -1, NULL));
    REFUSED(-2, tw_fft_plan(&p, (enum tw_type)9, TW_FFT_C2C, 1, n8, 1, -1, NULL));
    assert_null(p);
    REFUSED(-3, tw_fft_plan(&p, TW_DOUBLE, (enum tw_fft_kind)4, 1, n8, 1, -1, NULL));
    REFUSED(-4, tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 0, n8, 1, -1, NULL));
    REFUSED(-4, tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 4, n8, 1, -1, NULL));
    REFUSED(-5, tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, NULL, 1, -1, NULL));
    REFUSED(-5, tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, negative, 1, -1, NULL));
    REFUSED(-5, tw_fft_plan(&p, TW_DOUBLE, TW_FFT_R2C, 2, zero, 1, -1, NULL));
    REFUSED(TW_E_MEMORY, tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 2, huge, 1, -1, NULL));
    REFUSED(TW_E_MEMORY, tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, huge, (tw_int)1 << 30, -1, NULL));
    REFUSED(-6, tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, n8, 0, -1, NULL));
    REFUSED(-7, tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, n8, 1, 0, NULL));
    assert_null(p);

    tw_fft_options_init(&o);
    o.size = 3;
    REFUSED(-8, tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, n8, 1, -1, &o));
    tw_fft_options_init(&o);
    o.norm = (enum tw_fft_norm)7;
    REFUSED(-8, tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, n8, 1, -1, &o));
    tw_fft_options_init(&o);
    o.r2r[1] = (enum tw_fft_r2r)99;
    REFUSED(-8, tw_fft_plan(&p, TW_DOUBLE, TW_FFT_R2R, 2, n8, 1, -1, &o));
    tw_fft_options_init(&o);
    o.r2r[0] = TW_FFT_DCT1;
    REFUSED(-5, tw_fft_plan(&p, TW_DOUBLE, TW_FFT_R2R, 1, (tw_int[]){1}, 1, -1, &o));

    REFUSED(-5, tw_fft_plan_guru(&p, TW_DOUBLE, TW_FFT_C2C, 1, &bad, 0, NULL, -1, NULL));
    REFUSED(-6, tw_fft_plan_guru(&p, TW_DOUBLE, TW_FFT_C2C, 1, &d, 4, &d, -1, NULL));
    REFUSED(-7, tw_fft_plan_guru(&p, TW_DOUBLE, TW_FFT_C2C, 1, &d, 1, NULL, -1, NULL));
    REFUSED(-7, tw_fft_plan_guru(&p, TW_DOUBLE, TW_FFT_C2C, 1, &d, 1, &bad, -1, NULL));
    REFUSED(-8, tw_fft_plan_guru(&p, TW_DOUBLE, TW_FFT_C2C, 1, &d, 0, NULL, 5, NULL));

    REFUSED(-7, tw_fft_plan_many(&p, TW_DOUBLE, TW_FFT_C2C, 2, n8, 1, (tw_int[]){8, 7}, 1, 1, NULL, 1, 1, -1, NULL));
    REFUSED(-8, tw_fft_plan_many(&p, TW_DOUBLE, TW_FFT_C2C, 1, n8, 1, NULL, 0, 1, NULL, 1, 1, -1, NULL));
    REFUSED(-9, tw_fft_plan_many(&p, TW_DOUBLE, TW_FFT_C2C, 1, n8, 2, NULL, 1, -8, NULL, 1, 8, -1, NULL));
    REFUSED(-10, tw_fft_plan_many(&p, TW_DOUBLE, TW_FFT_C2C, 2, n8, 1, NULL, 1, 1, (tw_int[]){8, 3}, 1, 1, -1, NULL));
    REFUSED(-11, tw_fft_plan_many(&p, TW_DOUBLE, TW_FFT_C2C, 1, n8, 1, NULL, 1, 1, NULL, -1, 1, -1, NULL));
    REFUSED(-12, tw_fft_plan_many(&p, TW_DOUBLE, TW_FFT_C2C, 1, n8, 2, NULL, 1, 8, NULL, 1, 0, -1, NULL));
    REFUSED(-13, tw_fft_plan_many(&p, TW_DOUBLE, TW_FFT_C2C, 1, n8, 1, NULL, 1, 1, NULL, 1, 1, 2, NULL));
    REFUSED(-1, tw_fft_get_info(NULL, NULL));
    assert_int_equal(tw_fft_destroy(NULL), 0);
}

static void bad_executions(void **state)
{
    double x[64] = {0};
    tw_fft *c, *r;
    tw_sequence *seq;
    (void)state;

    assert_int_equal(tw_fft_plan(&c, TW_DOUBLE, TW_FFT_C2C, 1, n8, 1, -1, NULL), 0);
    assert_int_equal(tw_fft_plan(&r, TW_DOUBLE, TW_FFT_R2C, 2, n8, 1, -1, NULL), 0);
    REFUSED(-1, tw_fft_execute(NULL, x, x));
    REFUSED(-2, tw_fft_execute(c, NULL, x));
    REFUSED(-3, tw_fft_execute(c, x, NULL));
    REFUSED(-3, tw_fft_execute(c, x, x + 2));
    REFUSED(-3, tw_fft_execute(c, x + 15, x));
    assert_int_equal(tw_fft_execute(c, x, x + 16), 0);
    REFUSED(-3, tw_fft_execute(r, x, x)); /* rows without the padding that in-place transforms need */
    REFUSED(-4, tw_fft_execute_async(c, x, x, NULL));
    assert_int_equal(tw_sequence_create(&seq), 0);
    REFUSED(-3, tw_fft_execute_async(c, x, x + 2, seq));
    assert_int_equal(tw_sequence_destroy(seq), 0);
    REFUSED(-1, tw_fft_1d((enum tw_type) - 1, 8, x, x, -1));
    REFUSED(-2, tw_fft_1d(TW_DOUBLE, 0, x, x, -1));
    REFUSED(-4, tw_fft_2d(TW_DOUBLE, 2, 2, NULL, x, -1));
    REFUSED(-6, tw_fft_3d(TW_DOUBLE, 2, 2, 2, x, NULL, -1));
    REFUSED(-5, tw_fft_1d(TW_DOUBLE, 8, x, x, 3));
    REFUSED(-3, tw_fft_convolve(TW_DOUBLE, 1, zero + 1, x, x, x, 0));
    REFUSED(-2, tw_fft_convolve(TW_DOUBLE, 0, n8, x, x, x, 0));
    REFUSED(-5, tw_fft_convolve(TW_DOUBLE, 1, n8, x, NULL, x, 0));
    REFUSED(-6, tw_fft_convolve(TW_DOUBLE, 1, n8, x, x + 20, x + 4, 0));
    tw_fft_destroy(c);
    tw_fft_destroy(r);
}

static void variables(void **state)
{
    static const char *const wrong[][2] = {{"TILEWORK_FFT_PATH", "sideways"},
                                           {"TILEWORK_FFT_RIGOR", "3"},
                                           {"TILEWORK_FFT_TIMELIMIT", "-1"},
                                           {"TILEWORK_FFT_TIMELIMIT", "2x"},
                                           {"TILEWORK_FFT_PLACE", "moon"}};
    tw_fft *p;
    tw_fft_info info;
    (void)state;

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        setenv(wrong[k][0], wrong[k][1], 1);
        assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, n8, 1, -1, NULL), TW_E_OPTION);
        assert_non_null(strstr(tw_last_message(), wrong[k][0]));
        unsetenv(wrong[k][0]);
    }
    setenv("TILEWORK_FFT_PATH", "tasks", 1);
    assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 3, n8, 1, -1, NULL), 0);
    assert_int_equal(tw_fft_get_info(p, &info), 0);
    assert_string_equal(info.path, "slabs");
    assert_int_equal(info.points, 512);
    tw_fft_destroy(p);
    unsetenv("TILEWORK_FFT_PATH");
    assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 3, n8, 1, -1, NULL), 0);
    assert_int_equal(tw_fft_get_info(p, &info), 0);
    assert_string_equal(info.path, "direct");
    tw_fft_destroy(p);
}

/* Forward, backward, forward in one sequence, in place: the second needs the first's result. Then a cancelled one. */
static void sequences(void **state)
{
    enum { N = 4096 };
    double *x = malloc(16 * N), *y = malloc(16 * N), error = 0;
    const tw_int n = N;
    uint64_t seed = 1;
    tw_fft_options o;
    tw_fft *there, *back;
    tw_sequence *seq;
    (void)state;

    for (int i = 0; i < 2 * N; i++)
        x[i] = y[i] = uniform(&seed);
    tw_fft_options_init(&o);
    o.path = TW_FFT_TASKS;
    assert_int_equal(tw_fft_plan(&there, TW_DOUBLE, TW_FFT_C2C, 1, &n, 1, -1, &o), 0);
    o.norm = TW_FFT_BY_N;
    assert_int_equal(tw_fft_plan(&back, TW_DOUBLE, TW_FFT_C2C, 1, &n, 1, 1, &o), 0);
    assert_int_equal(tw_sequence_create(&seq), 0);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(tw_fft_execute_async(there, x, x, seq), 0);
        assert_int_equal(tw_fft_execute_async(back, x, x, seq), 0);
    }
    assert_int_equal(tw_sequence_wait(seq), 0);
    for (int i = 0; i < 2 * N; i++)
        error = fmax(error, fabs(x[i] - y[i]));
    assert_true(error < 1e-13);
    for (int k = 0; k < 50; k++)
        assert_int_equal(tw_fft_execute_async(there, x, x, seq), 0);
    assert_int_equal(tw_sequence_cancel(seq), 0);
    {
        int e = tw_sequence_wait(seq);
        assert_true(e == TW_E_CANCELLED || e == 0); /* 0: all were done before */
    }
    assert_int_equal(tw_fft_execute_async(there, y, x, seq), 0); /* the sequence is usable again */
    assert_int_equal(tw_sequence_wait(seq), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    tw_fft_destroy(there);
    tw_fft_destroy(back);
    free(x);
    free(y);
}

/* ---- one plan, several threads ----------------------------------------------------------------------------------- */

enum { M = 2048, THREADS = 4 };
struct job {
    tw_fft *plan;
    tw_int n;
    int index, failures;
};

static void *work(void *arg)
{
    struct job *j = arg;
    double *x = malloc(16 * M), *y = malloc(16 * M);

    for (int k = 0; k < 20; k++) {
        tw_int at = (j->index * 20 + k) % j->n;
        memset(x, 0, 16 * M);
        x[2 * at] = 1; /* an impulse: every thread and turn has its own answer */
        if (tw_fft_execute(j->plan, x, y)) j->failures++;
        for (tw_int i = 0; i < j->n; i++)
            if (fabs(y[2 * i] - cos(2 * (double)PI * (double)(at * i % j->n) / (double)j->n)) > 1e-13) j->failures++;
        if (tw_fft_1d(TW_DOUBLE, 16 + k, x, y, k % 2 ? 1 : -1)) j->failures++;
    }
    free(x);
    free(y);
    return NULL;
}

static void share(tw_int n, enum tw_fft_path path)
{
    pthread_t thread[THREADS];
    struct job job[THREADS];
    tw_fft_options o;
    tw_fft *p;

    tw_fft_options_init(&o);
    o.path = path;
    assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, &n, 1, -1, &o), 0);
    for (int t = 0; t < THREADS; t++) {
        job[t] = (struct job){p, n, t, 0};
        assert_int_equal(pthread_create(&thread[t], NULL, work, &job[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(thread[t], NULL);
        assert_int_equal(job[t].failures, 0);
    }
    tw_fft_destroy(p);
}

static void threads(void **state)
{
    (void)state;
    share(M, TW_FFT_DIRECT);
    share(M, TW_FFT_TASKS);
    share(2039, TW_FFT_TASKS); /* a prime: the first execution makes a table that the others wait for */
}

/* More one-liners than plans are kept, forward and back. */
static void one_liners(void **state)
{
    double x[2 * 4 * 5 * 60], y[2 * 4 * 5 * 60], z[2 * 4 * 5 * 60];
    uint64_t seed = 11;
    (void)state;
    for (int round = 0; round < 2; round++)
        for (tw_int n = 1; n <= 60; n++) {
            double error = 0;
            tw_int count = 2 * n * 20;
            for (tw_int i = 0; i < count; i++)
                x[i] = uniform(&seed);
            switch (n % 3) {
            case 0:
                assert_int_equal(tw_fft_1d(TW_DOUBLE, 20 * n, x, y, -1), 0);
                assert_int_equal(tw_fft_1d(TW_COMPLEX_DOUBLE, 20 * n, y, z, 1), 0);
                break;
            case 1:
                assert_int_equal(tw_fft_2d(TW_DOUBLE, n, 20, x, y, -1), 0);
                assert_int_equal(tw_fft_2d(TW_DOUBLE, n, 20, y, z, 1), 0);
                break;
            default:
                assert_int_equal(tw_fft_3d(TW_DOUBLE, 4, n, 5, x, y, 1), 0);
                assert_int_equal(tw_fft_3d(TW_DOUBLE, 4, n, 5, y, z, -1), 0);
            }
            for (tw_int i = 0; i < count; i++)
                error = fmax(error, fabs(z[i] / (20.0 * (double)n) - x[i]));
            assert_true(error < 1e-14);
        }
}

/* FFTW's plans that nobody uses are given up but for a number of them, while those in use stay: several threads make
 * plans, beside one that is held and runs. */
static void *many_plans(void *arg)
{
    struct job *j = arg;

    for (tw_int k = 0; k < 400; k++) {
        double x[64] = {1}, y[64] = {0};
        tw_int other = j->index + 60 * k;
        tw_fft_dim dim = {3, 1, 1}, loop = {2, 3 + other, 3 + k}; /* the same little transform with other strides */
        tw_fft *p;
        if (tw_fft_plan_guru(&p, TW_DOUBLE, TW_FFT_C2C, 1, &dim, 1, &loop, -1, NULL)) j->failures++;
        if (tw_fft_execute(j->plan, x, y)) j->failures++;
        for (int i = 0; i < 16; i++)
            if (fabs(y[2 * i] - 1) > 1e-13) j->failures++;
        tw_fft_destroy(p);
    }
    return NULL;
}

static void plan_cache(void **state)
{
    const tw_int n = 16;
    size_t before = 0;
    tw_fft *held;
    (void)state;

    assert_int_equal(tw_fft_plan(&held, TW_DOUBLE, TW_FFT_C2C, 1, &n, 1, -1, NULL), 0);
    for (int round = 0; round < 3; round++) {
        pthread_t thread[THREADS];
        struct job job[THREADS];
        for (int t = 0; t < THREADS; t++) {
            job[t] = (struct job){held, n, THREADS * round + t, 0};
            assert_int_equal(pthread_create(&thread[t], NULL, many_plans, &job[t]), 0);
        }
        for (int t = 0; t < THREADS; t++) {
            pthread_join(thread[t], NULL);
            assert_int_equal(job[t].failures, 0);
        }
        if (round == 0) before = mallinfo2().uordblks;
    }
    assert_true(mallinfo2().uordblks < before + (1 << 20));
    tw_fft_destroy(held);
}

static void convolution(void **state)
{
    static const tw_int shape[][2] = {{30, 7}, {9, 16}, {1, 25}};
    double a[210], b[210], c[210];
    float fa[210], fb[210], fc[210];
    uint64_t seed = 17;
    (void)state;
    for (int s = 0; s < 3; s++)
        for (int correlate = 0; correlate < 2; correlate++) {
            tw_int n0 = shape[s][0], n1 = shape[s][1];
            for (tw_int i = 0; i < n0 * n1; i++)
                fa[i] = (float)(a[i] = (float)uniform(&seed)), fb[i] = (float)(b[i] = (float)uniform(&seed));
            setenv("TILEWORK_FFT_PATH", s ? "tasks" : "auto", 1);
            assert_int_equal(tw_fft_convolve(TW_DOUBLE, 2, shape[s], a, b, c, correlate), 0);
            assert_int_equal(tw_fft_convolve(TW_FLOAT, 2, shape[s], fa, fb, fc, correlate), 0);
            unsetenv("TILEWORK_FFT_PATH");
            for (tw_int k0 = 0; k0 < n0; k0++)
                for (tw_int k1 = 0; k1 < n1; k1++) {
                    double sum = 0;
                    for (tw_int j0 = 0; j0 < n0; j0++)
                        for (tw_int j1 = 0; j1 < n1; j1++) {
                            tw_int i0 = correlate ? (k0 + j0) % n0 : (k0 - j0 + n0) % n0,
                                   i1 = correlate ? (k1 + j1) % n1 : (k1 - j1 + n1) % n1;
                            sum += correlate ? a[i0 * n1 + i1] * b[j0 * n1 + j1] : a[j0 * n1 + j1] * b[i0 * n1 + i1];
                        }
                    assert_true(fabs(c[k0 * n1 + k1] - sum) < 1e-13);
                    assert_true(fabs(fc[k0 * n1 + k1] - sum) < 1e-4);
                }
        }
    assert_int_equal(tw_fft_convolve(TW_DOUBLE, 1, (tw_int[]){5}, a, a, a, 0), 0); /* all three the same array */
}

/* A filter whose table is a transform is a convolution: compared with the sum, real and complex, in place and not,
 * small and as tasks. */
static void filters(void **state)
{
    static const tw_int shape[][3] = {{30, 7, 1}, {9, 16, 1}, {6, 5, 8}, {210, 1, 1}};
    double a[2 * 240], b[2 * 240], c[2 * 240], table[2 * 300];
    uint64_t seed = 23;
    (void)state;
    for (int s = 0; s < 4; s++)
        for (int kind = TW_FFT_C2C; kind <= TW_FFT_R2C; kind++)
            for (int path = TW_FFT_DIRECT; path <= TW_FFT_TASKS; path++) {
                const tw_int *n = shape[s];
                int rank = s == 3 ? 1 : s == 2 ? 3 : 2;
                tw_int count = n[0] * n[1] * n[2], parts = kind == TW_FFT_C2C ? 2 : 1;
                tw_fft_filter *f;
                tw_fft_options o;
                tw_fft *p;
                tw_fft_options_init(&o);
                o.path = (enum tw_fft_path)path;
                for (tw_int i = 0; i < parts * count; i++)
                    c[i] = a[i] = uniform(&seed), b[i] = uniform(&seed);
                assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, (enum tw_fft_kind)kind, rank, n, 1, -1, NULL), 0);
                assert_int_equal(tw_fft_execute(p, b, table), 0);
                tw_fft_destroy(p);
                assert_int_equal(tw_fft_filter_create(&f, TW_DOUBLE, (enum tw_fft_kind)kind, rank, n, table, &o), 0);
                assert_int_equal(tw_fft_filter_execute(f, c, c), 0);     /* in place */
                assert_int_equal(tw_fft_filter_execute(f, a, table), 0); /* not in place; the table was copied */
                for (tw_int i = 0; i < parts * count; i++)               /* other plans round differently */
                    assert_true(fabs(c[i] - table[i]) < 1e-13);
                REFUSED(-3, tw_fft_filter_execute(f, a, a + 1));
                tw_fft_filter_destroy(f);
                for (tw_int k = 0; k < count; k++) {
                    double re = 0, im = 0;
                    for (tw_int j = 0; j < count; j++) {
                        tw_int i0 = (k / (n[1] * n[2]) - j / (n[1] * n[2]) + n[0]) % n[0],
                               i1 = (k / n[2] % n[1] - j / n[2] % n[1] + n[1]) % n[1];
                        tw_int i = (i0 * n[1] + i1) * n[2] + (k % n[2] - j % n[2] + n[2]) % n[2];
                        double ar = a[parts * j], ai = parts == 2 ? a[2 * j + 1] : 0, br = b[parts * i],
                               bi = parts == 2 ? b[2 * i + 1] : 0;
                        re += ar * br - ai * bi;
                        im += ar * bi + ai * br;
                    }
                    assert_true(fabs(c[parts * k] - re) < 1e-13);
                    assert_true(parts == 1 || fabs(c[2 * k + 1] - im) < 1e-13);
                }
            }
    {
        tw_fft_filter *f;
        REFUSED(-1, tw_fft_filter_create(NULL, TW_DOUBLE, TW_FFT_C2C, 1, n8, table, NULL));
        REFUSED(-3, tw_fft_filter_create(&f, TW_DOUBLE, TW_FFT_C2R, 1, n8, table, NULL));
        REFUSED(-4, tw_fft_filter_create(&f, TW_DOUBLE, TW_FFT_C2C, 9, n8, table, NULL));
        REFUSED(-6, tw_fft_filter_create(&f, TW_DOUBLE, TW_FFT_C2C, 1, n8, NULL, NULL));
        REFUSED(-1, tw_fft_filter_execute(NULL, a, a));
    }
}

/* A limit below the workspace is an error, not a crash; afterwards all is well. */
static void short_memory(void **state)
{
    enum { N = 1 << 16 };
    double *x = calloc(2 * N, sizeof *x);
    const tw_int n = N;
    tw_fft_options o;
    tw_fft *p;
    (void)state;
    tw_fft_options_init(&o);
    o.path = TW_FFT_TASKS;
    assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, &n, 1, -1, &o), 0);
    assert_int_equal(tw_finalize(), 0);
    setenv("TILEWORK_HOST_MEMORY", "512K", 1);
    setenv("TILEWORK_FFT_PLACE", "cpu", 1); /* GPUs need no workspace of the host */
    assert_int_equal(tw_fft_execute(p, x, x), TW_E_MEMORY);
    assert_non_null(strstr(tw_last_message(), "workspace"));
    unsetenv("TILEWORK_HOST_MEMORY");
    unsetenv("TILEWORK_FFT_PLACE");
    assert_int_equal(tw_finalize(), 0);
    assert_int_equal(tw_fft_execute(p, x, x), 0);
    tw_fft_destroy(p);
    free(x);
}

/* What was measured is written, even over a file that is no wisdom. */
static void wisdom(void **state)
{
    const char *before = getenv("TILEWORK_CACHE_DIR");
    char dir[] = "/tmp/tilework-fft-XXXXXX", path[80], head[32] = "", *old = before ? strdup(before) : NULL;
    const tw_int n = 1155;
    tw_fft *p;
    FILE *f;
    (void)state;

    assert_int_equal(tw_finalize(), 0);
    assert_non_null(mkdtemp(dir));
    setenv("TILEWORK_CACHE_DIR", dir, 1);
    setenv("TILEWORK_FFT_RIGOR", "measure", 1);
    snprintf(path, sizeof path, "%s/fftw-wisdom", dir);
    f = fopen(path, "w");
    fputs("no wisdom\n", f);
    fclose(f);
    assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, &n, 1, -1, NULL), 0);
    assert_int_equal(tw_fft_save_wisdom(), 0);
    f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(head, sizeof head, f));
    fclose(f);
    assert_int_equal(strncmp(head, "tilework-wisdom 1 fftw", 22), 0);
    tw_fft_destroy(p);
    unlink(path);
    snprintf(path, sizeof path, "%s/fftwf-wisdom", dir);
    unlink(path);
    rmdir(dir);
    if (old)
        setenv("TILEWORK_CACHE_DIR", old, 1);
    else
        unsetenv("TILEWORK_CACHE_DIR");
    free(old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_plans),    cmocka_unit_test(bad_executions), cmocka_unit_test(variables),
        cmocka_unit_test(sequences),    cmocka_unit_test(threads),        cmocka_unit_test(one_liners),
        cmocka_unit_test(plan_cache),   cmocka_unit_test(convolution),    cmocka_unit_test(filters),
        cmocka_unit_test(short_memory), cmocka_unit_test(wisdom)};
    int failed;

    setenv("TILEWORK_FFT_RIGOR", "estimate", 1); /* measuring hundreds of sizes takes long */
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tw_finalize() ? 1 : failed;
}
