/* Programs whose calls are all small: no task runs, and the trace says for how long LAPACK and BLAS worked. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tt.h"
#include <tilework/lapacke.h>
#include <tilework/trace.h>
#include "runtime/base/doing.h"
#include "runtime/base/facts.h"
#include "traces/recorded.h"

enum { N = 40, CALLS = 50 };
static char folder[] = "/tmp/tw-direct-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    return !mkdtemp(folder) || chdir(folder);
}
static int tear_down(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "cd / && rm -rf %s", folder);
    return system(command);
}

static void fill(double *a)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a[i + j * N] = i == j ? N : 1.0 / (1 + i + j);
}

/* Each through another door. */
static void *small_calls(void *arg)
{
    double a[N * N], b[N * N];
    tw_int ipiv[N];

    (void)arg;
    for (int k = 0; k < CALLS; k++) {
        fill(a);
        if (tw_dpotrf('L', N, a, N)) abort();
        fill(a);
        if (tw_dgetrf(N, N, a, N, ipiv)) abort();
        fill(a);
        if (tw_LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'U', N, a, N)) abort();
        fill(a), fill(b);
        if (tw_dgemm('N', 'N', N, N, N, 1.0, a, N, a, N, 0.0, b, N)) abort();
    }
    return NULL;
}

static void without_a_trace(void **state)
{
    (void)state;
    unsetenv("TILEWORK_TRACE");
    (void)small_calls(NULL);
    assert_false(tw_is_running());
}

static void all_small(void **state)
{
    static const char *const files[] = {"small.tw", "small.paje", "small.json", "small.svg", "small.html", "small.csv"};
    pthread_t thread;
    tw_recorded *r;
    tw_trace_facts f;
    int threads = 0;
    (void)state;

    tt_expect_info(tw_finalize(), 0, "finalize");
    setenv("TILEWORK_TRACE_FORMATS", "tw,paje,json,svg,html,csv", 1);
    tt_expect_info(tw_trace_start_to("small"), 0, "start");
    const double begin = tw_now();
    (void)small_calls(NULL);
    assert_int_equal(pthread_create(&thread, NULL, small_calls, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    const double end = tw_now();
    tt_expect_info(tw_trace_stop(), 0, "stop");
    assert_int_equal(tw_trace_count(), 0);
    tt_expect_info(tw_trace_write("small"), 0, "write");
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        struct stat s;
        if (stat(files[k], &s) || s.st_size == 0) fail_msg("no %s", files[k]);
    }
    assert_int_equal(access("small.tw.part", F_OK), -1);
    tt_expect_info(tw_recorded_read(&r, "small.tw"), 0, "read");
    tt_expect_info(tw_recorded_facts(r, &f), 0, "facts");
    assert_true(f.tasks == 0 && f.direct > 0 && f.direct <= end - begin);
    assert_true(r->view.nstays > 1 && r->view.nstays <= 2 * 4 * CALLS);
    for (size_t k = 0; k < r->view.nstays; k++) {
        const struct tw_stay *s = &r->view.stays[k];
        assert_true(s->what == TW_DOING_LAPACK && s->to >= s->from && s->from >= 0);
        threads |= 1 << s->thread;
    }
    assert_true(threads && threads & (threads - 1)); /* two */
    tt_expect_info(tw_recorded_write(r, "again", "tw,html,paje,json,svg,csv"), 0, "write again");
    tw_recorded_destroy(r);
    tt_expect_info(tw_finalize(), 0, "finalize");
}

/* However many there are: so much memory, and the time is that of the calls, without what lies between them. */
static void millions(void **state)
{
    const int calls = 3000000;
    tw_recorded *r;
    tw_trace_facts f;
    (void)state;

    setenv("TILEWORK_TRACE_FORMATS", "tw", 1);
    tt_expect_info(tw_trace_start(), 0, "start");
    const double begin = tw_now();
    for (int k = 0; k < calls; k++) {
        const double from = begin + 20e-6 * k;
        atomic_load (&tw_doing_seen)(TW_DOING_LAPACK, from, from + 5e-6);
    }
    tt_expect_info(tw_trace_stop(), 0, "stop");
    tt_expect_info(tw_trace_write("many"), 0, "write");
    tt_expect_info(tw_recorded_read(&r, "many.tw"), 0, "read");
    tt_expect_info(tw_recorded_facts(r, &f), 0, "facts");
    assert_true(r->view.nstays > 100 && r->view.nstays <= 1 << 19);
    assert_true(f.direct >= 4.9e-6 * calls && f.direct <= 5.1e-6 * calls);
    tw_recorded_destroy(r);
    tt_expect_info(tw_finalize(), 0, "finalize");
}

/* A child has no recording: a thread of its parent's, which it does not have, may hold the recorder's locks. */
static atomic_int marks_end;
static void *mark_on_and_on(void *arg)
{
    (void)arg;
    while (!atomic_load(&marks_end))
        if (tw_trace_push("mark") || tw_trace_pop()) abort();
    return NULL;
}
static int ends(pid_t child)
{
    const time_t begin = time(NULL);
    int status;

    while (waitpid(child, &status, WNOHANG) == 0) {
        if (time(NULL) - begin > 60) {
            kill(child, SIGKILL);
            (void)waitpid(child, &status, 0);
            return 0;
        }
        usleep(200);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
static void children(void **state)
{
    double a[N * N], b[N * N];
    pthread_t thread;
    int ended = 1;
    (void)state;

    fill(a);
    tt_expect_info(tw_trace_start(), 0, "start");
    assert_int_equal(pthread_create(&thread, NULL, mark_on_and_on, NULL), 0);
    for (int k = 0; k < 100 && ended; k++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) _exit(tw_dgemm('N', 'N', N, N, N, 1.0, a, N, a, N, 0.0, b, N) != 0);
        ended = ends(child);
    }
    atomic_store(&marks_end, 1);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(ended);
    tt_expect_info(tw_trace_stop(), 0, "stop");
    tt_expect_info(tw_finalize(), 0, "finalize");
}

static atomic_int marked; /* 1: while a writer was at work */
static void *mark_once(void *unused)
{
    (void)unused;
    if (tw_trace_push("beside") == 0 && tw_trace_pop() == 0) atomic_store(&marked, 1);
    return NULL;
}

/* A writer that waits for another thread's mark. */
static int slow_writer(const struct tw_recording *recording, const char *prefix)
{
    pthread_t thread;
    struct timespec end;
    (void)recording, (void)prefix;

    if (pthread_create(&thread, NULL, mark_once, NULL)) return -1;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 60;
    if (pthread_timedjoin_np(thread, NULL, &end)) fail_msg("a mark waits for a writer");
    return 0;
}

/* Who writes holds up nobody who works on: a disk may be slow, and a pipe have no reader. */
static void while_writing(void **state)
{
    double a[N * N], b[N * N];
    (void)state;

    fill(a);
    tw_trace_register_format("slow", 0, slow_writer);
    assert_int_equal(setenv("TILEWORK_TRACE_FORMATS", "slow", 1), 0);
    tt_expect_info(tw_trace_start(), 0, "start");
    tt_expect_info(tw_dgemm('N', 'N', N, N, N, 1.0, a, N, a, N, 0.0, b, N), 0, "gemm");
    tt_expect_info(tw_trace_write("while"), 0, "write");
    assert_int_equal(atomic_load(&marked), 1);
    tt_expect_info(tw_finalize(), 0, "finalize");
    assert_int_equal(unsetenv("TILEWORK_TRACE_FORMATS"), 0);
}

/* The variable alone: the first such call starts the library, and its end writes. */
static void by_variable(void **state)
{
    char command[4200], own[4000];
    const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    tw_recorded *r;
    (void)state;

    assert_true(n > 0);
    own[n] = 0;
    snprintf(command, sizeof command, "TILEWORK_TRACE=variable TILEWORK_TRACE_FORMATS=tw '%s' calls", own);
    assert_int_equal(system(command), 0);
    tt_expect_info(tw_recorded_read(&r, "variable.tw"), 0, "read");
    assert_true(r->view.nrecords == 0 && r->view.nstays > 1);
    tw_recorded_destroy(r);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_trace), cmocka_unit_test(all_small),     cmocka_unit_test(millions),
        cmocka_unit_test(children),        cmocka_unit_test(while_writing), cmocka_unit_test(by_variable),
    };
    (void)argv;
    if (argc > 1) return small_calls(NULL) != NULL;
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
