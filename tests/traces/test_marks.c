/* Marks of a program in its recording: nested, of several threads, and refused where they do not match. */
#include <pthread.h>
#include <unistd.h>

#include "tt.h"
#include "traces/recorded.h"

static void *other_thread(void *arg)
{
    (void)arg;
    return (void *)(size_t)(tw_trace_push("elsewhere") || tw_trace_pop());
}

static void marks(void **state)
{
    const int n = 200;
    void *a = tt_array(TW_DOUBLE, n, n), *failed;
    char prefix[] = "/tmp/tw-marks-XXXXXX", path[64], name[32];
    tw_recorded *r;
    pthread_t thread;
    int fd = mkstemp(prefix);
    (void)state;
    assert_true(fd >= 0);
    close(fd);
    tt_expect_info(tw_trace_pop(), TW_E_STATE, "pop without a push");
    tt_expect_info(tw_trace_push(NULL), -1, "NULL");
    assert_int_equal(tw_trace_push("before the recording"), 0); /* the library does not run yet */
    setenv("TILEWORK_NB", "64", 1), setenv("TILEWORK_CROSSOVER", "0", 1), setenv("TILEWORK_TRACE_FORMATS", "tw", 1);
    tt_expect_info(tw_trace_start(), 0, "start");
    assert_int_equal(tw_trace_push("all"), 0);
    for (int k = 0; k < 3; k++) {
        snprintf(name, sizeof name, "iteration %d", k);
        assert_int_equal(tw_trace_push(name), 0);
        tt_spd(TW_DOUBLE, 'L', n, a, n, 1);
        tt_expect_info(tt_door_potrf(TW_DOUBLE, 'L', n, a, n), 0, "potrf");
        assert_int_equal(tw_trace_pop(), 0);
    }
    assert_int_equal(pthread_create(&thread, NULL, other_thread, NULL), 0);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    assert_int_equal(tw_trace_pop(), 0);
    assert_int_equal(tw_trace_pop(), 0);
    for (int k = 0; k < 64; k++)
        assert_int_equal(tw_trace_push("deep"), 0);
    tt_expect_info(tw_trace_push("too deep"), TW_E_STATE, "too deep");
    tt_expect_info(tw_trace_write(prefix), 0, "write");
    for (int k = 0; k < 64; k++)
        assert_int_equal(tw_trace_pop(), 0);

    snprintf(path, sizeof path, "%s.tw", prefix);
    tt_expect_info(tw_recorded_read(&r, path), 0, "read");
    assert_int_equal(r->view.nmarks, 6); /* those that were open are not there */
    const struct tw_mark *m = r->view.marks;
    for (int k = 0; k < 3; k++) {
        snprintf(name, sizeof name, "iteration %d", k);
        assert_string_equal(m[k].name, name);
        assert_true(m[k].depth == 2 && m[k].from < m[k].to && (k == 0 || m[k].from >= m[k - 1].to - 1e-9));
    }
    assert_string_equal(m[3].name, "elsewhere");
    assert_true(m[3].depth == 0 && m[3].thread != m[0].thread);
    assert_string_equal(m[4].name, "all");
    assert_true(m[4].depth == 1 && m[4].from <= m[0].from && m[4].to >= m[2].to);
    assert_string_equal(m[5].name, "before the recording");
    assert_true(m[5].from == 0);
    assert_int_equal(r->view.nrecords, 3 * 20); /* 4 x 4 tiles */
    tt_expect_info(tw_recorded_destroy(r), 0, "destroy");
    tt_expect_info(tw_finalize(), 0, "stop");
    unlink(path), unlink(prefix);
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(marks)};
    return tt_run(tests);
}
