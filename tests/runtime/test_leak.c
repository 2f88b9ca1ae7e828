/* Thousands of small calls through every door, and many starts and stops: the memory in use stays where it is. In
 * the address sanitizer's build the leak checker looks at the same loops. */
#include <malloc.h>
#include <unistd.h>

#include "tt.h"

static int sanitized;
static double resident_mib(void)
{
    long pages = 0, resident = 0;
    FILE *f;
    malloc_trim(0);
    f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld %ld", &pages, &resident) != 2) resident = 0;
    if (f) fclose(f);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1048576.0;
}

enum { N = 96 };
static double a[N * N], f[N * N], b[N * 3];

static void lapack_door(void)
{
    memcpy(f, a, sizeof f);
    assert_int_equal(tw_dposv('L', N, 3, f, N, b, N), 0);
    assert_int_equal(tw_dpotri('L', N, f, N), 0);
    memcpy(f, a, sizeof f);
    f[5 * (N + 1)] = -1;
    assert_int_equal(tw_dpotrf('L', N, f, N), 6);
    assert_int_equal(tw_dpotrf('L', -1, f, N), -2);
}

static void matrix_door(void)
{
    tw_matrix *A, *B;
    double value;
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, N, N, a, N, 32), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, N, N, 32, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(B, a, N), 0);
    assert_int_equal(tw_posv(TW_LOWER, A, B), 0);
    assert_int_equal(tw_lange(TW_FROBENIUS_NORM, B, &value), 0);
    assert_int_equal(tw_pocon(TW_LOWER, A, 200, &value), 0);
    assert_int_equal(tw_matrix_destroy(A) | tw_matrix_destroy(B), 0);
}

static void async_door(void)
{
    tw_sequence *seq;
    tw_matrix *A;
    double rcond;
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, N, N, a, N, 32), 0);
    assert_int_equal(tw_potrf_async(TW_LOWER, A, seq) | tw_pocon_async(TW_LOWER, A, 100, &rcond, seq) |
                         tw_potri_async(TW_LOWER, A, seq),
                     0);
    (void)tw_sequence_cancel(seq);
    (void)tw_sequence_wait(seq); /* cancelled or done */
    assert_int_equal(tw_potrf_async('X', A, seq), -1);
    assert_int_equal(tw_sequence_destroy(seq) | tw_matrix_destroy(A), 0);
}

static void start_and_stop(void)
{
    lapack_door();
    matrix_door();
    async_door();
    assert_int_equal(tw_finalize(), 0);
}

/* Growth over `count` calls, after as many to warm up. */
static void steady(const char *what, void (*call)(void), int count, double kib_per_call)
{
    double before, after;
    if (sanitized) count = count / 20 + 2;
    for (int k = 0; k < count; k++)
        call();
    before = resident_mib();
    for (int k = 0; k < count; k++)
        call();
    after = resident_mib();
    printf("%-16s %5d calls: %.1f -> %.1f MiB, %.3f KiB a call\n", what, count, before, after,
           (after - before) * 1024 / count);
    if (!sanitized && (after - before) * 1024 / count > kib_per_call && after - before > 1)
        fail_msg("%s: %.1f MiB more after %d calls", what, after - before, count);
}

static void calls_leak_nothing(void **state)
{
    (void)state;
    steady("LAPACK door", lapack_door, 700, 0.25);
    steady("matrix door", matrix_door, 700, 0.25);
    steady("async door", async_door, 700, 0.25);
    assert_int_equal(tw_finalize(), 0);
}

static void starts_leak_nothing(void **state)
{
    (void)state;
    steady("start and stop", start_and_stop, 12, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(calls_leak_nothing), cmocka_unit_test(starts_leak_nothing)};
    const char *sanitizer = getenv("TILEWORK_TEST_SANITIZE");

    sanitized = sanitizer && *sanitizer;
    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_NB", "32", 1);
    tt_spd(TW_DOUBLE, 'G', N, a, N, 1);
    tt_random(TW_DOUBLE, 'G', N, 3, b, N, 2);
    return tt_run(tests);
}
