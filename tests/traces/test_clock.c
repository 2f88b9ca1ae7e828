/* GPU tasks' times by the GPU's clock: how it is set by the host's, and what a recording says of it. What only a GPU
 * can show is in tests/gpu/events.sh. */
#include <unistd.h>

#include "runtime/cuda/timing.h"
#include "traces/recorded.h"
#include "tt.h"

static void near(const char *what, double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-12)) fail_msg("%s: %.12g instead of %.12g", what, got, expected);
}

static int fits(double *zero, double from, double to, double *start, double *end, double *set)
{
    const double before = *zero, length = *end - *start;
    const int fitted = tw_clock_fit(zero, from, to, start, end, set);

    if (!fitted) near("zero stays", *zero, before);
    if (fitted) near("its length stays", *end - *start, length);
    return fitted;
}

static void clocks(void **state)
{
    double zero = 100, set = 0, start = 1, end = 1.5;
    (void)state;
    assert_true(fits(&zero, 100.9, 101.6, &start, &end, &set)); /* as it should be */
    near("start", start, 101), near("end", end, 101.5), near("set", set, 0);
    start = 2, end = 2.5;
    assert_true(fits(&zero, 102.001, 103, &start, &end, &set)); /* before it was asked for */
    near("start", start, 102.001), near("zero", zero, 100.001), near("set", set, 1e-3);
    start = 3, end = 3.5;
    assert_true(fits(&zero, 102.9, 103.4995, &start, &end, &set)); /* after it was seen to be done */
    near("end", end, 103.4995), near("zero", zero, 99.9995), near("set", set, 1.5e-3);
    start = 4, end = 4.6;
    assert_false(fits(&zero, 104, 104.5, &start, &end, &set)); /* longer than the host saw */
    start = 5, end = 4;
    assert_false(fits(&zero, 104, 106, &start, &end, &set));
    start = NAN, end = 1;
    assert_false(fits(&zero, 0, 200, &start, &end, &set));
    start = 1, end = NAN;
    assert_false(fits(&zero, 0, 200, &start, &end, &set));
    start = 1, end = 2;
    assert_false(fits(&zero, NAN, NAN, &start, &end, &set));
    start = 6, end = 6.5; /* as long as the host saw, to the events' resolution: begins when it was asked for */
    assert_true(fits(&zero, 106, 106.499999, &start, &end, &set));
    near("start", start, 106);
}

/* Drifting by 50 ppm for ten minutes, tasks every 10 ms whose host sees them up to 30 us late: never outside of what
 * the host says. */
static void drift(void **state)
{
    double zero = 5, set = 0, worst = 0;
    (void)state;
    srand(7);
    for (int k = 0; k < 60000; k++) {
        const double at = 0.01 * k, length = 1e-3 * (1 + rand() % 8), late = 1e-6 * (rand() % 30),
                     early = 1e-6 * (rand() % 30);
        const double true_start = 5 + at, true_end = true_start + length;
        double start = at * (1 + 50e-6), end = start + length;
        assert_true(fits(&zero, true_start - early, true_end + late, &start, &end, &set));
        assert_true(start >= true_start - early - 1e-12 && end <= true_end + late + 1e-12);
        worst = fmax(worst, fabs(start - true_start));
    }
    assert_true(worst <= 30e-6 && set <= 30e-6 && set > 0);
}

static void kept(void **state)
{
    char prefix[] = "/tmp/tw-clock-XXXXXX", path[64];
    tw_recorded *r, *again, *part;
    const int fd = mkstemp(prefix);
    (void)state;
    assert_true(fd >= 0);
    close(fd);
    snprintf(path, sizeof path, "%s.tw", prefix);
    for (int pattern = 0; pattern < 5; pattern++) {
        tt_expect_info(tw_recorded_example(&r, "transfers:n=200,workers=3"), 0, "example");
        for (size_t k = 0; k < 200; k++)
            r->records[k].by_gpu = pattern == 1   ? 1
                                   : pattern == 2 ? k % 2
                                   : pattern == 3 ? k < 10 || k > 150
                                   : pattern == 4 ? k > 10 && k < 180
                                                  : 0;
        tt_expect_info(tw_recorded_write(r, prefix, "tw"), 0, "write");
        tt_expect_info(tw_recorded_read(&again, path), 0, "read");
        for (size_t k = 0; k < 200; k++)
            assert_int_equal(again->view.records[k].by_gpu, r->records[k].by_gpu);
        tt_expect_info(tw_recorded_select(&part, again, 0, INFINITY, "leaf", NULL), 0, "select");
        for (size_t k = 0; k < 200; k++)
            assert_int_equal(part->view.records[k].by_gpu, r->records[k].by_gpu);
        tw_recorded_destroy(r), tw_recorded_destroy(again), tw_recorded_destroy(part);
    }
    unlink(path), unlink(prefix);
}

/* Without a GPU the variable changes nothing; what is neither is refused. */
static void variable(void **state)
{
    const int n = 200;
    void *a = tt_array(TW_DOUBLE, n, n);
    (void)state;
    setenv("TILEWORK_TRACE_GPU", "frob", 1);
    tt_expect_info(tw_trace_start(), TW_E_OPTION, "frob");
    assert_non_null(strstr(tw_last_message(), "TILEWORK_TRACE_GPU=frob"));
    setenv("TILEWORK_TRACE_GPU", "events", 1), setenv("TILEWORK_NB", "64", 1), setenv("TILEWORK_CROSSOVER", "0", 1);
    tt_expect_info(tw_trace_start(), 0, "events");
    tt_spd(TW_DOUBLE, 'L', n, a, n, 1);
    tt_expect_info(tt_door_potrf(TW_DOUBLE, 'L', n, a, n), 0, "potrf");
    assert_int_equal(tw_trace_count(), 20);
    tt_expect_info(tw_finalize(), 0, "stop");
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(clocks), cmocka_unit_test(drift), cmocka_unit_test(kept),
                                       cmocka_unit_test(variable)};
    return tt_run(tests);
}
