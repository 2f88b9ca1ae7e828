/* PREFIX.tw.part: what a run leaves that is killed, that it goes when the recording is there, and where it cannot be
 * written. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tt.h"
#include <tilework/trace.h>
#include "runtime/machine/machine.h"
#include "runtime/watch/watch.h"
#include "traces/read.h"
#include "traces/recorded.h"

enum { N = 512, SECONDS = 120 };
static char folder[] = "/tmp/tw-part-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    setenv("TILEWORK_NB", "64", 1);
    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_TRACE_FORMATS", "tw", 1);
    return !mkdtemp(folder) || chdir(folder);
}
static int tear_down(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "cd / && rm -rf %s", folder);
    return system(command);
}

/* 8 x 8 tiles: 120 tasks. */
static void work(void)
{
    static double a[N * N];

    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a[i + j * N] = i == j ? N : 1.0 / (1 + i + j);
    if (tw_dpotrf('L', N, a, N)) abort();
}

static void rest(void)
{
    nanosleep(&(struct timespec){0, 20000000}, NULL);
}
static double seconds_from(time_t begin)
{
    return difftime(time(NULL), begin);
}

static int is_there(const char *name)
{
    struct stat s;
    return stat(name, &s) == 0;
}

/* ---- killed ------------------------------------------------------------------------------------------------------ */

static tw_trace_facts facts_of(const char *file)
{
    tw_recorded *r;
    tw_trace_facts f = {0};

    if (tw_recorded_read(&r, file)) return f;
    assert_int_equal(tw_recorded_facts(r, &f), 0);
    f.lacks = *f.lacks ? "something" : ""; /* the text goes with it */
    tw_recorded_destroy(r);
    return f;
}

/* What is left may have been cut anywhere: whole blocks count. */
static void cut_anywhere(const char *file, size_t tasks)
{
    static char bytes[8 << 20]; /* a block is a second of the run */
    FILE *f = fopen(file, "rb");
    const size_t n = fread(bytes, 1, sizeof bytes, f);
    size_t last = 0;

    fclose(f);
    for (size_t at = 0; at < n; at += at < 2000 || n - at < 200 ? 1 : 1 + n / 200) {
        tw_recorded *r;
        tw_trace_facts facts;
        f = fmemopen(bytes, at ? at : 1, "rb");
        const int e = tw_recorded_read_stream(&r, f, "cut.tw.part");
        fclose(f);
        if (e) {
            assert_int_equal(e, TW_E_FORMAT);
            assert_int_equal(last, 0);
            continue;
        }
        assert_int_equal(tw_recorded_facts(r, &facts), 0);
        assert_true(facts.tasks >= last && facts.tasks <= tasks && *facts.lacks);
        last = facts.tasks;
        tw_recorded_destroy(r);
    }
    assert_true(last > 0);
    for (size_t at = 0; at < n; at += 1 + n / 300) { /* and is refused, or ends sooner, if it was altered */
        tw_recorded *r;
        bytes[at] ^= 16;
        f = fmemopen(bytes, n, "rb");
        const int e = tw_recorded_read_stream(&r, f, "altered.tw.part");
        fclose(f);
        bytes[at] ^= 16;
        if (e) continue;
        tw_trace_facts facts;
        assert_int_equal(tw_recorded_facts(r, &facts), 0);
        assert_non_null(strstr(facts.lacks, "no whole block"));
        tw_recorded_destroy(r);
    }
}

/* Before the library starts here: the child needs a process without threads. */
static void killed(void **state)
{
    const time_t begin = time(NULL);
    tw_recorded *r;
    tw_trace_facts f;
    int status;

    (void)state;
    const pid_t child = fork();
    if (!child) {
        if (tw_trace_start_to("killed")) _exit(1);
        for (;;) {
            work();
            for (int k = 0; k < 5; k++)
                rest();
        }
    }
    while (facts_of("killed.tw.part").tasks < 200) {
        assert_int_equal(waitpid(child, &status, WNOHANG), 0);
        if (seconds_from(begin) > SECONDS) fail_msg("the file has %zu tasks", facts_of("killed.tw.part").tasks);
        rest();
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && !is_there("killed.tw"));

    assert_int_equal(tw_recorded_read(&r, "killed.tw.part"), 0);
    assert_int_equal(tw_recorded_facts(r, &f), 0);
    /* All graphs but the last ones are whole: 120 tasks and 259 edges, and those from one to the next. */
    assert_true(f.tasks >= 200 && f.edges >= 259 * (f.tasks / 120 - 1));
    assert_int_equal(f.kernels, 4);
    assert_non_null(strstr(f.lacks, "killed or goes on"));
    assert_true(f.seconds > 0 && f.graph > 0 && f.busy > 0);
    assert_int_equal(tw_recorded_write(r, "whole", "tw,paje,json,svg,html,csv"), 0);
    const size_t tasks = f.tasks, edges = f.edges;
    tw_recorded_destroy(r);
    assert_int_equal(tw_recorded_read(&r, "whole.tw"), 0);
    assert_int_equal(tw_recorded_facts(r, &f), 0);
    assert_true(f.tasks == tasks && f.edges == edges && strstr(f.lacks, "killed or goes on"));
    tw_recorded_destroy(r);
    cut_anywhere("killed.tw.part", tasks);
}

/* ---- what is said ------------------------------------------------------------------------------------------------ */

static pthread_mutex_t said_lock = PTHREAD_MUTEX_INITIALIZER;
static char said[4000];

static void hear(enum tw_log_level level, const char *message, void *user)
{
    (void)user;
    if (level > TW_LOG_WARNING) return;
    pthread_mutex_lock(&said_lock);
    strncat(said, message, sizeof said - strlen(said) - 2);
    strcat(said, "\n");
    pthread_mutex_unlock(&said_lock);
}
static int times_said(const char *words)
{
    int n = 0;

    pthread_mutex_lock(&said_lock);
    for (const char *at = said; (at = strstr(at, words)); at++)
        n++;
    pthread_mutex_unlock(&said_lock);
    return n;
}
static void hush(void)
{
    pthread_mutex_lock(&said_lock);
    *said = 0;
    pthread_mutex_unlock(&said_lock);
}

/* ---- the file is somebody's -------------------------------------------------------------------------------------- */

static void write_text(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
}
static void has_text(const char *name, const char *text)
{
    char got[100] = "";
    FILE *f = fopen(name, "r");

    if (!f) fail_msg("%s is not there", name);
    const size_t n = fread(got, 1, sizeof got - 1, f);
    got[n] = 0;
    fclose(f);
    assert_string_equal(got, text);
}
static void copy_file(const char *from, const char *to)
{
    char command[200];
    snprintf(command, sizeof command, "cp %s %s", from, to);
    assert_int_equal(system(command), 0);
}

/* This process' own, which the library calls: the file loses its name between being opened and being locked. */
static const char *stolen;
static int locks;
int flock(int fd, int operation)
{
    if (stolen && unlink(stolen) == 0) stolen = NULL;
    locks++;
    return (int)syscall(SYS_flock, fd, operation);
}

/* A process with a recording that grows has a child, and is killed: the child has the file no more. Before the library
 * starts here. */
static void forked(void **state)
{
    int status, child_lives[2], ready[2];
    char byte;

    (void)state;
    assert_true(!pipe(child_lives) && !pipe(ready));
    const pid_t first = fork();
    if (!first) {
        if (tw_trace_start_to("forked")) _exit(1);
        work();
        const pid_t second = fork();
        if (second < 0 || (second && write(ready[1], "", 1) != 1)) _exit(2);
        close(child_lives[1]);
        if (!second) _exit(read(child_lives[0], &byte, 1) != 0); /* until the test's end of it is closed */
        for (;;)
            pause();
    }
    close(child_lives[0]);
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    for (const time_t begin = time(NULL); facts_of("forked.tw.part").tasks < 120 && seconds_from(begin) < SECONDS;)
        rest();
    kill(first, SIGKILL);
    assert_int_equal(waitpid(first, &status, 0), first);
    assert_true(WIFSIGNALED(status));

    const pid_t third = fork();
    if (!third) {
        close(child_lives[1]);
        if (tw_trace_start_to("forked")) _exit(1);
        _exit(times_said("another process writes it") ? 2 : is_there("forked.tw.part.old") ? 0 : 3);
    }
    assert_int_equal(waitpid(third, &status, 0), third);
    assert_int_equal(status, 0);
    assert_int_equal(facts_of("forked.tw.part.old").tasks, 120);
    assert_int_equal(facts_of("forked.tw.part").tasks, 0);
    close(child_lives[1]);
    close(ready[0]);
}

static void of_others(void **state)
{
    (void)state;
    /* No recording: neither emptied nor removed. */
    write_text("mine.tw.part", "precious\n");
    assert_int_equal(tw_trace_start_to("mine"), TW_E_IO);
    assert_non_null(strstr(tw_last_message(), "mine.tw.part: a file that is no recording"));
    tt_expect_info(tw_finalize(), 0, "finalize");
    hush();
    setenv("TILEWORK_TRACE", "mine", 1);
    work();
    assert_int_equal(times_said("mine.tw.part: a file that is no recording"), 1);
    tt_expect_info(tw_finalize(), 0, "finalize");
    unsetenv("TILEWORK_TRACE");
    has_text("mine.tw.part", "precious\n");
    assert_int_equal(facts_of("mine.tw").tasks, 120);

    /* What a killed run has left stays; beginnings of recordings are recordings. */
    copy_file("killed.tw.part", "again.tw.part");
    const size_t tasks = facts_of("again.tw.part").tasks;
    tt_expect_info(tw_trace_start_to("again"), 0, "start");
    work();
    assert_int_equal(facts_of("again.tw.part.old").tasks, tasks);
    tt_expect_info(tw_trace_stop(), 0, "stop");
    tt_expect_info(tw_trace_write("again"), 0, "write");
    assert_false(is_there("again.tw.part"));
    assert_int_equal(facts_of("again.tw.part.old").tasks, tasks);
    write_text("again.tw.part", "TWTR");
    tt_expect_info(tw_trace_start_to("again"), 0, "start");
    has_text("again.tw.part.old", "TWTR");
    write_text("again.tw.part.old", "precious\n");
    copy_file("killed.tw.part", "strange.tw.part");
    write_text("strange.tw.part.old", "precious\n");
    write_text("strange.tw.part.new", "precious, too\n");
    assert_int_equal(tw_trace_start_to("strange"), TW_E_IO);
    assert_int_equal(facts_of("strange.tw.part").tasks, tasks);
    assert_int_equal(unlink("strange.tw.part"), 0);
    tt_expect_info(tw_trace_start_to("strange"), 0, "start");
    has_text("strange.tw.part.old", "precious\n");
    has_text("strange.tw.part.new", "precious, too\n");

    /* Another one's file that has come in its place is not removed with it, nor replaced. */
    assert_int_equal(rename("strange.tw.part", "moved.tw.part"), 0);
    write_text("strange.tw.part", "a stranger's\n");
    work();
    tt_expect_info(tw_trace_stop(), 0, "stop");
    tt_expect_info(tw_trace_write("strange"), 0, "write");
    has_text("strange.tw.part", "a stranger's\n");

    stolen = "raced.tw.part";
    locks = 0;
    tt_expect_info(tw_trace_start_to("raced"), 0, "start");
    assert_true(!stolen && locks == 2 && is_there("raced.tw.part"));
    work();
    tt_expect_info(tw_finalize(), 0, "finalize");
    assert_false(is_there("raced.tw.part"));
}

/* ---- ended ------------------------------------------------------------------------------------------------------- */

static void ended(void **state)
{
    (void)state;
    tt_expect_info(tw_trace_start_to("ended"), 0, "start");
    assert_true(is_there("ended.tw.part"));
    work();
    tt_expect_info(tw_trace_stop(), 0, "stop");
    tt_expect_info(tw_trace_write("ended"), 0, "write");
    assert_true(!is_there("ended.tw.part") && !is_there("ended.tw.part.new"));
    assert_int_equal(facts_of("ended.tw").tasks, 120);
    assert_string_equal(facts_of("ended.tw").lacks, "");

    tt_expect_info(tw_trace_start_to("unwritten"), 0, "start");
    work();
    tt_expect_info(tw_trace_start_to("other"), 0, "start"); /* forgets that one */
    assert_true(!is_there("unwritten.tw.part") && is_there("other.tw.part"));
    work();
    tt_expect_info(tw_finalize(), 0, "finalize");
    assert_true(!is_there("other.tw.part") && !is_there("other.tw"));

    setenv("TILEWORK_TRACE", "variable", 1);
    work();
    assert_true(is_there("variable.tw.part"));
    tt_expect_info(tw_finalize(), 0, "finalize");
    unsetenv("TILEWORK_TRACE");
    assert_true(!is_there("variable.tw.part"));
    assert_int_equal(facts_of("variable.tw").tasks, 120);

    setenv("TILEWORK_TRACE_FORMATS", "csv", 1); /* no recording is asked for */
    tt_expect_info(tw_trace_start_to("none"), 0, "start");
    setenv("TILEWORK_TRACE_FORMATS", "tw", 1);
    assert_false(is_there("none.tw.part"));
}

/* ---- where it cannot be written ---------------------------------------------------------------------------------- */

static void unwritable(void **state)
{
    (void)state;
    assert_int_equal(tw_trace_start_to("missing/run"), TW_E_IO);
    assert_non_null(strstr(tw_last_message(), "missing/run.tw.part"));
    work();
    assert_int_equal(tw_trace_count(), 0);
    assert_int_equal(tw_trace_start_to(""), -1);
    assert_int_equal(tw_trace_start_to(NULL), -1);
    tt_expect_info(tw_finalize(), 0, "finalize");

    hush();
    setenv("TILEWORK_TRACE", "missing/run", 1);
    work();
    assert_int_equal(times_said("missing/run.tw.part: cannot create"), 1);
    assert_int_equal(tw_trace_count(), 120);
    assert_int_equal(tw_finalize(), TW_E_IO);
    unsetenv("TILEWORK_TRACE");

    /* Two processes of one name: the first one has the file. */
    const int held = open("held.tw.part", O_RDWR | O_CREAT, 0666);
    assert_int_equal(flock(held, LOCK_EX), 0);
    tt_expect_info(tw_trace_start_to("held"), 0, "start");
    assert_int_equal(times_said("another process writes it"), 1);
    work();
    tt_expect_info(tw_trace_stop(), 0, "stop");
    tt_expect_info(tw_trace_write("held"), 0, "write");
    assert_true(is_there("held.tw.part"));
    assert_int_equal(facts_of("held.tw").tasks, 120);
    close(held);
}

static void full_disk(void **state)
{
    const time_t begin = time(NULL);
    struct rlimit before, little;
    size_t tasks;

    (void)state;
    hush();
    signal(SIGXFSZ, SIG_IGN);
    tt_expect_info(tw_trace_start_to("full"), 0, "start");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    little = before;
    little.rlim_cur =
        150000; /* several of the pieces in which tasks are written, however many there are by the first look */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    while (!times_said("goes on in memory")) {
        work();
        if (seconds_from(begin) > SECONDS) break;
    }
    for (int k = 0; k < 5; k++)
        work(), rest();
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(times_said("goes on in memory"), 1);
    assert_true(facts_of("full.tw.part").tasks > 0); /* its whole blocks */
    tt_expect_info(tw_trace_stop(), 0, "stop");
    tasks = tw_trace_count();
    tt_expect_info(tw_trace_write("full"), 0, "write");
    assert_false(is_there("full.tw.part"));
    assert_int_equal(facts_of("full.tw").tasks, tasks);
}

/* ---- the last tasks ---------------------------------------------------------------------------------------------- */

static unsigned long highest_id(const struct tw_recording *v, unsigned long *lowest)
{
    unsigned long most = 0;

    *lowest = ~0ul;
    for (size_t k = 0; k < v->nrecords; k++) {
        if (v->records[k].id > most) most = v->records[k].id;
        if (v->records[k].id < *lowest) *lowest = v->records[k].id;
    }
    return most;
}

/* All edges among the tasks that are there are the tiles', no others: whole graphs have 259, one after the other. */
static void last_tasks(void **state)
{
    const char *const limits[] = {"last:50", "last:250", "last:100000"};
    const size_t kept[] = {50, 250, 120 * 12};
    unsigned long lowest, highest;
    tw_recorded *r;
    char text[40];
    (void)state;

    tt_expect_info(tw_finalize(), 0, "finalize");
    for (int k = 0; k < 3; k++) {
        setenv("TILEWORK_TRACE_LIMIT", limits[k], 1);
        hush();
        tt_expect_info(tw_trace_start_to("last"), 0, "start");
        for (int i = 0; i < 12; i++)
            work();
        tt_expect_info(tw_trace_stop(), 0, "stop");
        assert_int_equal(tw_trace_count(), kept[k]);
        tt_expect_info(tw_trace_write("last"), 0, "write");
        assert_false(is_there("last.tw.part"));
        tt_expect_info(tw_finalize(), 0, "finalize");
        snprintf(text, sizeof text, "lacks %zu tasks", 120 * 12 - kept[k]);
        assert_int_equal(times_said(text), k < 2);
        assert_int_equal(tw_recorded_read(&r, "last.tw"), 0);
        assert_true(r->view.nrecords == kept[k] && r->view.dropped == 120 * 12 - kept[k]);
        highest = highest_id(&r->view, &lowest);
        assert_true(highest - lowest >= kept[k] - 1 && highest - lowest < kept[k] + 120);
        if (k == 0) assert_true(r->nedges > 50);
        if (k == 1)
            assert_true(r->nedges >= 2 * 259 &&
                        r->nedges <= 3 * 259 + 250); /* two whole graphs, and some of a third one */
        if (k == 2) assert_true(r->nedges >= 12 * 259);
        tw_recorded_destroy(r);
    }
    /* A file that grew for so long that it began anew has the last ones, and says how many are not there. */
    setenv("TILEWORK_TRACE_LIMIT", "last:1000", 1);
    tt_expect_info(tw_trace_start_to("ring"), 0, "start");
    size_t done = 0, largest = 0;
    for (const time_t begin = time(NULL); (done < 9000 || largest == 0) && seconds_from(begin) < SECONDS; done += 120) {
        const tw_trace_facts f = facts_of("ring.tw.part");
        if (f.tasks > largest) largest = f.tasks;
        work();
    }
    tt_expect_info(tw_trace_stop(), 0, "stop");
    rest();
    unsetenv("TILEWORK_TRACE_LIMIT");
    assert_true(largest > 0 && done >= 9000);
    for (int k = 0; k < 100 && facts_of("ring.tw.part").tasks + facts_of("ring.tw.part").dropped < done; k++)
        rest();
    const tw_trace_facts f = facts_of("ring.tw.part");
    assert_int_equal(f.tasks + f.dropped, done);
    assert_true(f.tasks >= 1000 && f.tasks <= 4000);
    tt_expect_info(tw_trace_write("ring"), 0, "write");
    assert_int_equal(facts_of("ring.tw").tasks, 1000);
    assert_int_equal(facts_of("ring.tw").dropped, done - 1000);
    tt_expect_info(tw_finalize(), 0, "finalize");

    setenv("TILEWORK_TRACE_LIMIT", "last:", 1);
    assert_int_equal(tw_init(NULL), TW_E_OPTION);
    assert_non_null(strstr(tw_last_message(), "TILEWORK_TRACE_LIMIT=last:"));
    unsetenv("TILEWORK_TRACE_LIMIT");
}

/* ---- used memory ------------------------------------------------------------------------------------------------- */

static void near(const char *what, double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-3 + 1e-9 * fabs(expected)))
        fail_msg("%s: %.12g instead of %.12g", what, got, expected);
}

/* However long it takes: so many points, over all of the time, and the last one among them. */
static void used_memory(void **state)
{
    struct tw_used *used;
    size_t n;
    (void)state;

    tt_expect_info(tw_init(NULL), 0, "start");
    tw_used_begin();
    for (int k = 1; k <= 50000; k++) {
        tw_memory_account(1000);
        tw_used_look(0.01 * k);
    }
    assert_int_equal(tw_used_copy(-1, &used, &n), 0);
    assert_true(n > 1000 && n <= 4096 && used[0].time == 0);
    for (size_t k = 1; k < n; k++) {
        assert_true(used[k].time > used[k - 1].time && used[k].memory == -1);
        near("bytes", used[k].bytes - used[0].bytes, 1e5 * used[k].time);
        assert_true(used[k].time - used[k - 1].time < 1);
    }
    assert_true(used[n - 1].time > 499);
    free(used);
    tw_memory_account(-1000.0 * 50000);
    tw_used_end();
    tw_used_look(1e9);
    assert_int_equal(tw_used_copy(499, &used, &n), 0);
    assert_true(n > 0 && used[0].time > 499 && used[n - 1].time <= 500);
    free(used);
    tt_expect_info(tw_finalize(), 0, "finalize");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed),     cmocka_unit_test(forked),      cmocka_unit_test(of_others),
        cmocka_unit_test(ended),      cmocka_unit_test(unwritable),  cmocka_unit_test(full_disk),
        cmocka_unit_test(last_tasks), cmocka_unit_test(used_memory),
    };
    tw_set_log(hear, NULL);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
