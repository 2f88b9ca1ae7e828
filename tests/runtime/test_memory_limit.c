/* Too much memory is refused before any work, with the number of bytes; absurd orders neither overflow nor crash. */
#include <time.h>
#include <unistd.h>

#include "tt.h"

static double resident_bytes(void)
{
    long pages = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld %ld", &pages, &resident) != 2) resident = 0;
    if (f) fclose(f);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

/* A number of at least `least` and at most 1.1 times as much stands in the text. */
static int names_bytes(const char *text, double least)
{
    for (const char *p = text; *p; p++)
        if (*p >= '0' && *p <= '9') {
            char *end;
            double v = strtod(p, &end);
            if (v >= least && v <= 1.1 * least + 65536) return 1;
            p = end - 1;
        }
    return 0;
}

static void small_limit(void **state)
{
    const char *source = "";
    tw_matrix *A = (tw_matrix *)&source, *B;
    tw_counters c;
    double before;
    (void)state;
    setenv("TILEWORK_HOST_MEMORY", "64M", 1);
    assert_int_equal(tw_init(NULL), 0);
    assert_int_equal(tw_host_memory_limit(&source), 64 << 20);
    assert_non_null(strstr(source, "TILEWORK_HOST_MEMORY"));
    before = resident_bytes();
    tt_expect_info(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 8192, 8192, 512, NULL), TW_E_MEMORY,
                   "512 MiB in 64 MiB");
    assert_null(A);
    if (!names_bytes(tw_last_message(), 8192.0 * 8192 * 8)) fail_msg("no number of bytes in: %s", tw_last_message());
    assert_true(resident_bytes() - before < 32e6);
    assert_int_equal(tw_counters_get(&c), 0);
    assert_int_equal(c.tasks, 0);

    /* What fits fits, twice does not, and memory given back can be had again. */
    for (int round = 0; round < 5; round++) {
        tt_expect_info(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 2048, 2048, 256, NULL), 0, "32 MiB");
        tt_expect_info(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 2048, 2048, 256, NULL), TW_E_MEMORY, "32 MiB more");
        assert_int_equal(tw_matrix_destroy(A), 0);
    }
    assert_int_equal(tw_finalize(), 0);
    unsetenv("TILEWORK_HOST_MEMORY");
}

static void limit_by_option(void **state)
{
    tw_options o;
    tw_matrix *A;
    (void)state;
    setenv("TILEWORK_HOST_MEMORY", "1G", 1);
    tw_options_init(&o);
    o.host_memory_limit = 16 << 20;
    assert_int_equal(tw_init(&o), 0);
    assert_int_equal(tw_host_memory_limit(NULL), 16 << 20); /* the option beats the variable */
    tt_expect_info(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 2048, 2048, 256, NULL), TW_E_MEMORY, "32 MiB in 16");
    assert_int_equal(tw_finalize(), 0);
    unsetenv("TILEWORK_HOST_MEMORY");
}

static void the_default_is_sane(void **state)
{
    const char *source = NULL;
    size_t limit = tw_host_memory_limit(&source);
    (void)state;
    assert_true(limit > (size_t)256 << 20);
    assert_non_null(source);
    assert_true(!strcmp(source, "cgroup") || !strcmp(source, "memory") || !strcmp(source, "rlimit"));
}

/* This thread's alone: what else runs on the machine does not count. */
static double processor_seconds(void)
{
    struct timespec t;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) ? 0 : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Orders up to the largest number; the array is not looked at. */
static void gigantic_orders(void **state)
{
    static const tw_int orders[] = {(tw_int)1 << 24, (tw_int)1 << 31, ((tw_int)1 << 32) + 1,
                                    3037000500,      (tw_int)1 << 40, INT64_MAX};
    double small[4] = {4, 0, 0, 4}, rcond, start = processor_seconds();
    (void)state;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
        for (int storage = 0; storage < 3; storage++) {
            static const enum tw_uplo stored[] = {TW_GENERAL, TW_LOWER, TW_UPPER};
            tw_int n = orders[k];
            tw_matrix *A = (tw_matrix *)small;
            size_t host = 1, device = 1;
            tt_expect_info(tw_matrix_create(&A, TW_COMPLEX_DOUBLE, stored[storage], n, n, 0, NULL), TW_E_MEMORY,
                           "n = %lld", (long long)n);
            assert_null(A);
            assert_true(strlen(tw_last_message()) > 20);
            (void)tw_matrix_create(&A, TW_DOUBLE, stored[storage], n, n, 1, NULL);
            assert_null(A);
            if (tw_matrix_memory(TW_DOUBLE, stored[storage], n, n, 0, &host, &device) == 0)
                assert_true((double)host > (double)n / 2 * (double)n * 0.9); /* not a wrapped-around number */
        }
    for (size_t k = 2; k < sizeof orders / sizeof *orders; k++) {
        tw_int n = orders[k];
        tw_int codes[] = {tw_dpotrf('L', n, small, n),
                          tw_dpotri('U', n, small, n),
                          tw_dlauum('L', n, small, n),
                          tw_dtrtri('L', 'N', n, small, n),
                          tw_dpotrs('L', n, 1, small, n, small, n),
                          tw_dposv('L', n, n, small, n, small, n),
                          tw_dpocon('L', n, small, n, 1, &rcond)};
        for (size_t c = 0; c < sizeof codes / sizeof *codes; c++)
            if (codes[c] >= 0) fail_msg("routine %d with n = %lld: %lld", (int)c, (long long)n, (long long)codes[c]);
    }
    printf("refused in %.3f s\n", processor_seconds() - start);
    assert_true(processor_seconds() - start < 20);
    assert_int_equal(tw_dpotrf('L', 2, small, 2), 0); /* alive */
    assert_true(small[0] == 2 && small[3] == 2);
    assert_int_equal(tw_finalize(), 0);
}

/* Columns few, rows many: a legal shape whose size in bytes is small must not be refused for its number of rows. */
static void long_and_thin(void **state)
{
    tw_int m = 3000000;
    float *a = calloc((size_t)m, sizeof *a);
    tw_matrix *A;
    double value = -1;
    (void)state;
    assert_non_null(a);
    a[m - 1] = -3;
    tt_expect_info(tw_matrix_wrap(&A, TW_FLOAT, TW_GENERAL, m, 1, a, m, 4096), 0, "wrap 3000000 x 1");
    tt_expect_info(tw_lange(TW_MAX_NORM, A, &value), 0, "lange");
    assert_true(value == 3);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_finalize(), 0);
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_is_sane), cmocka_unit_test(small_limit),   cmocka_unit_test(limit_by_option),
        cmocka_unit_test(gigantic_orders),     cmocka_unit_test(long_and_thin),
    };
    unsetenv("TILEWORK_HOST_MEMORY");
    return tt_run(tests);
}
