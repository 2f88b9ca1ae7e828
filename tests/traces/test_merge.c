/* Several ranks' recordings as one: names, numbers, times by the calendar's clocks; and those that do not fit. */
#include <limits.h>
#include <math.h>
#include <unistd.h>

#include "tt.h"
#include "traces/recorded.h"

static char folder[] = "/tmp/tw-merge-XXXXXX";

struct rank {
    const char *rank, *began, *offset; /* NULL: not said */
    double start;                      /* of its first task */
    int gpu, thread;
};

static void fact(tw_recorded *r, const char *key, const char *value)
{
    if (value) assert_int_equal(tw_recorded_add_fact(r, key, strlen(key), value, strlen(value)), 0);
}

/* Two tasks, the second behind the first, on a core and on a GPU; a transfer, a mark, a thread. */
static tw_recorded *recording(const struct rank *x)
{
    const char *why;
    tw_recorded *r;
    const double t = x->start;

    assert_int_equal(tw_recorded_new(&r), 0);
    fact(r, "machine", "a machine"), fact(r, "scheduler", "lws"), fact(r, "command", "program");
    fact(r, "rank", x->rank), fact(r, "began ns since 1970", x->began), fact(r, "clock offset ns", x->offset);
    fact(r, "dropped", "3"), fact(r, "variable TILEWORK_RANK", x->rank), fact(r, "variable TILEWORK_NB", "128");
    fact(r, "bytes counted from -1 to 0", "800");
    assert_int_equal(tw_recorded_add_worker(r, "CPU 0", 5, 0, 0), 0);
    assert_int_equal(tw_recorded_add_worker(r, "GPU 0 stream 0", 14, 1, x->gpu), 0);
    assert_int_equal(tw_names_add(&r->routines, "potrf", 5), 0);
    assert_int_equal(tw_recorded_add_kernel(r, "potrf", 5, 0x123456), 0);
    struct tw_record task = {.name = r->kernels.name[0],
                             .color = 0x123456,
                             .type = TW_DOUBLE,
                             .id = 7,
                             .submit = t,
                             .ready = t + 0.125,
                             .taken = t + 0.25,
                             .start = t + 0.5,
                             .end = t + 1,
                             .coord = {0, -1, -1, -1}};
    assert_int_equal(tw_recorded_add_task(r, &task), 0);
    task.id = 8, task.worker = 1, task.ready = 0, task.start = t + 1, task.end = t + 2;
    assert_int_equal(tw_recorded_add_task(r, &task), 0);
    assert_int_equal(tw_recorded_add_edge(r, 0), 0);
    assert_int_equal(tw_recorded_add_mark(r, &(struct tw_mark){.from = t, .to = t + 2, .thread = x->thread}, "step", 4),
                     0);
    assert_int_equal(tw_recorded_add_stay(r, &(struct tw_stay){t, t + 2, 0, x->thread}), 0);
    assert_int_equal(
        tw_recorded_add_transfer(
            r, &(struct tw_transfer){.from = t, .to = t + 1, .bytes = 800, .source = -1, .target = x->gpu, .task = 9}),
        0);
    assert_int_equal(tw_recorded_add_used(r, &(struct tw_used){t + 0.25, 4096, x->gpu}), 0);
    assert_int_equal(tw_recorded_finish(r, &why), 0);
    return r;
}

static tw_recorded *merged(const tw_recorded *a, const tw_recorded *b)
{
    tw_recorded *r;
    tt_expect_info(tw_recorded_merge(&r, a, b), 0, "merge");
    return r;
}

static void expect_fact(const tw_recorded *r, const char *key, const char *value)
{
    const char *there = tw_recorded_fact(&r->view, key);
    if (!there || strcmp(there, value) != 0) fail_msg("%s: %s instead of %s", key, there ? there : "none", value);
}

static void names_and_times(void **state)
{
    tw_recorded *a = recording(&(struct rank){"3", "5000000000", "0", 1, 1, 2}),
                *b = recording(&(struct rank){"1", "3000000000", "-500000000", 1, 0, 0}), *r = merged(a, b), *again;
    const struct tw_recording *v = &r->view;
    tw_trace_facts f;
    double seconds;
    (void)state;
    /* b began at 2.5 s, 2.5 s before a. */
    assert_int_equal(v->nrecords, 4);
    assert_true(v->records[0].start == 1.5 && v->records[0].worker == 2 && v->records[0].submit == 1);
    assert_true(v->records[2].start == 4 && v->records[2].worker == 0 && v->records[2].ready == 3.625);
    assert_true(v->records[3].end == 5.5 && v->records[3].ready == 0 && v->records[3].taken == 3.75);
    assert_true(v->records[0].id == 9 && v->records[1].id == 10 && v->records[2].id == 7);
    assert_true(v->first_edge[1] == 0 && v->first_edge[2] == 1 && v->edge[0] == 0);
    assert_true(v->first_edge[3] == 1 && v->first_edge[4] == 2 && v->edge[1] == 2);
    assert_string_equal(v->workers[1].name, "rank 3 GPU 0 stream 0");
    assert_string_equal(v->workers[2].name, "rank 1 CPU 0");
    assert_string_equal(v->routines[v->records[0].routine], "rank 1 potrf");
    assert_string_equal(v->records[0].name, "potrf");
    assert_true(v->nmarks == 2 && v->marks[0].from == 3.5 && v->marks[1].from == 1 && v->marks[1].thread == 3);
    assert_string_equal(v->marks[1].name, "rank 1 step");
    assert_true(v->nstays == 2 && v->stays[0].thread == 2 && v->stays[1].thread == 3);
    /* Memories: rank 3's main memory and GPUs 0 and 1, then rank 1's. */
    assert_true(v->transfers[0].source == -1 && v->transfers[0].target == 1 && v->transfers[0].task == 9);
    assert_true(v->transfers[1].source == 2 && v->transfers[1].target == 3 && v->transfers[1].task == 11);
    assert_true(v->workers[1].device == 1 && v->workers[3].device == 3);
    assert_true(v->nused == 2 && v->used[0].time == 1.25 && v->used[0].memory == 3 && v->used[0].bytes == 4096);
    assert_true(v->used[1].time == 3.75 && v->used[1].memory == 1);
    expect_fact(r, "memory -1", "rank 3 main memory"), expect_fact(r, "memory 3", "rank 1 GPU 0");
    expect_fact(r, "thread 2", "rank 3 thread 2"), expect_fact(r, "thread 3", "rank 1 thread 0");
    expect_fact(r, "bytes counted from -1 to 0", "800"), expect_fact(r, "bytes counted from 2 to 3", "800");
    expect_fact(r, "ranks", "1 3"), expect_fact(r, "rank", "1"), expect_fact(r, "began ns since 1970", "2500000000");
    expect_fact(r, "machine", "a machine"), expect_fact(r, "variable TILEWORK_NB", "128");
    expect_fact(r, "variable TILEWORK_RANK", "3"), expect_fact(r, "rank 1 variable TILEWORK_RANK", "1");
    tt_expect_info(tw_recorded_facts(r, &f), 0, "facts");
    assert_true(f.tasks == 4 && f.dropped == 6 && f.edges == 2 && f.transfers == 2 && f.workers == 4);
    assert_string_equal(f.ranks, "1 3");
    assert_non_null(strstr(f.lacks, "each other"));
    assert_true(fabs(f.seconds - 4.5) < 1e-9);
    tt_expect_info(tw_recorded_replay(r, "", &seconds), TW_E_STATE, "replay of several ranks'");
    /* Written and read it is the same, and all formats have the names. */
    tt_expect_info(tw_recorded_write(r, "both", "tw,paje,json,svg,html,csv,dot"), 0, "write");
    tt_expect_info(tw_recorded_read(&again, "both.tw"), 0, "read");
    assert_int_equal(again->view.nrecords, 4);
    expect_fact(again, "ranks", "1 3"), expect_fact(again, "memory 3", "rank 1 GPU 0");
    assert_true(fabs(again->view.records[3].end - 5.5) < 1e-9);
    tw_recorded_destroy(again), tw_recorded_destroy(r), tw_recorded_destroy(a), tw_recorded_destroy(b);
    for (int k = 0; k < 4; k++) {
        static const char *const ending[] = {"paje", "json", "html", "csv"};
        char command[100];
        snprintf(command, sizeof command, "grep -q 'rank 1 GPU 0 stream 0' both.%s", ending[k]);
        if (system(command) != 0) fail_msg("%s has no rank 1", ending[k]);
        if (k == 3) continue;
        snprintf(command, sizeof command, "grep -q 'rank 1 thread 0' both.%s && grep -q 'rank 3 GPU 1' both.%s",
                 ending[k], ending[k]);
        if (system(command) != 0) fail_msg("%s does not name threads and memories", ending[k]);
    }
}

/* Three, in whatever order they meet. */
static void associates(void **state)
{
    tw_recorded *a = recording(&(struct rank){"0", "1000000000", NULL, 0, 0, 0}),
                *b = recording(&(struct rank){"1", "2000000000", NULL, 0, 1, 1}),
                *c = recording(&(struct rank){"2", "500000000", NULL, 0, 2, 0}), *ab = merged(a, b), *bc = merged(b, c),
                *left = merged(ab, c), *right = merged(a, bc), *r;
    (void)state;
    assert_int_equal(left->view.nrecords, 6);
    for (size_t k = 0; k < 6; k++) {
        const struct tw_record *x = &left->view.records[k], *y = &right->view.records[k];
        assert_true(x->start == y->start && x->end == y->end);
        assert_string_equal(left->view.workers[x->worker].name, right->view.workers[y->worker].name);
        assert_int_equal(left->view.workers[x->worker].device, right->view.workers[y->worker].device);
        assert_int_equal(x->id, y->id);
    }
    for (size_t k = 0; k < 3; k++) {
        char key[32];
        assert_int_equal(left->view.transfers[k].target, right->view.transfers[k].target);
        snprintf(key, sizeof key, "memory %d", left->view.transfers[k].target);
        assert_string_equal(tw_recorded_fact(&left->view, key), tw_recorded_fact(&right->view, key));
    }
    expect_fact(left, "ranks", "0 1 2"), expect_fact(right, "ranks", "0 1 2");
    assert_int_equal(left->view.nfacts, right->view.nfacts);
    tt_expect_info(tw_recorded_merge(&r, left, b), TW_E_FORMAT, "a rank twice");
    assert_non_null(strstr(tw_last_message(), "rank 1 is there twice"));
    assert_null(r);
    tw_recorded *const all[] = {a, b, c, ab, bc, left, right};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        tw_recorded_destroy(all[k]);
}

static void refused(void **state)
{
    static const struct {
        struct rank rank;
        const char *says;
    } bad[] = {
        {{"0", "0", "0", 0, 0, 0}, "twice"},
        {{NULL, "0", "0", 0, 0, 0}, "twice"}, /* of no rank: 0 */
        {{"one", "0", "0", 0, 0, 0}, "rank is 'one'"},
        {{"-1", "0", "0", 0, 0, 0}, "rank is '-1'"},
        {{"1000001", "0", "0", 0, 0, 0}, "rank is"},
        {{"1", "soon", "0", 0, 0, 0}, "began ns since 1970 is 'soon'"},
        {{"1", "9300000000000000000", "0", 0, 0, 0}, "began"},
        {{"1", "0", "1e9", 0, 0, 0}, "clock offset ns is '1e9'"},
        {{"1", "32000000000000000", "0", 0, 0, 0}, "more than a year"},
        {{"1", "0", "0", 0, 999, 0}, "more workers, threads, memories"},
        {{"1", "0", "0", 0, INT_MAX, 0}, "more workers, threads, memories"},
        {{"1", "0", "0", 0, 0, 9999}, "more workers, threads, memories"},
    };
    tw_recorded *a = recording(&(struct rank){"0", "0", "0", 0, 0, 0}), *r;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        tw_recorded *b = recording(&bad[k].rank);
        for (int swap = 0; swap < 2; swap++) {
            tt_expect_info(tw_recorded_merge(&r, swap ? b : a, swap ? a : b), TW_E_FORMAT, bad[k].says);
            if (!strstr(tw_last_message(), bad[k].says)) fail_msg("'%s' says: %s", bad[k].says, tw_last_message());
            assert_null(r);
        }
        tw_recorded_destroy(b);
    }
    tt_expect_info(tw_recorded_merge(NULL, a, a), -1, "NULL");
    tt_expect_info(tw_recorded_merge(&r, NULL, a), -2, "NULL");
    tt_expect_info(tw_recorded_merge(&r, a, NULL), -3, "NULL");
    tw_recorded_destroy(a);
}

/* A file that does not say when it began keeps its times, and that is said; one without tasks adds none. */
static void undated(void **state)
{
    tw_recorded *a = recording(&(struct rank){"0", "7000000000", "0", 1, 0, 0}),
                *b = recording(&(struct rank){"5", NULL, "0", 1, 0, 0}), *empty, *r = merged(a, b);
    tw_trace_facts f;
    const char *why;
    (void)state;
    tt_expect_info(tw_recorded_facts(r, &f), 0, "facts");
    assert_non_null(strstr(f.lacks, "when rank 5 began"));
    assert_true(r->view.records[0].start == 1.5 && r->view.records[1].start == 1.5);
    tw_recorded_destroy(r);
    assert_int_equal(tw_recorded_new(&empty), 0);
    fact(empty, "rank", "9");
    assert_int_equal(tw_recorded_finish(empty, &why), 0);
    r = merged(empty, a);
    assert_int_equal(r->view.nrecords, 2);
    assert_string_equal(r->view.workers[0].name, "rank 0 CPU 0");
    tw_recorded_destroy(r);
    r = merged(a, empty);
    assert_int_equal(r->view.nrecords, 2);
    tw_recorded_destroy(r), tw_recorded_destroy(a), tw_recorded_destroy(b), tw_recorded_destroy(empty);
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_times),
        cmocka_unit_test(associates),
        cmocka_unit_test(refused),
        cmocka_unit_test(undated),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
