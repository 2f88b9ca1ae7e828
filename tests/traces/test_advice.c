/* Advice: each rule is fired by a recording that has what it is about, and not by its twin that has not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <tilework/tilework.h>
#include "traces/recorded.h"

static tw_recorded *example(const char *what)
{
    tw_recorded *r;
    if (tw_recorded_example(&r, what)) fail_msg("%s: %s", what, tw_last_message());
    return r;
}

/* Whether the rule is among what stands out; frees the recording. */
static int fires(tw_recorded *r, const char *rule)
{
    tw_trace_advice a[32];
    const int n = tw_recorded_advice(r, a, 32);
    int found = 0;
    tw_trace_facts f;

    assert_in_range(n, 0, 20);
    assert_int_equal(tw_recorded_facts(r, &f), 0);
    for (int k = 0; k < n; k++) {
        assert_true(*a[k].evidence && *a[k].command && a[k].share >= 0 && a[k].share <= 1 + 1e-9);
        assert_true(k == 0 || a[k].share <= a[k - 1].share);
        assert_true(a[k].gain >= 0 && a[k].gain < f.seconds);
        if (!strcmp(a[k].rule, rule)) found = 1, printf("%s: %s: %s\n", rule, a[k].evidence, a[k].command);
    }
    tw_recorded_destroy(r);
    return found;
}

static void set_fact(tw_recorded *r, const char *key, const char *value)
{
    for (int k = 0; k < r->nfacts; k++)
        if (!strcmp(r->facts[k].key, key)) r->facts[k].value = value;
    assert_int_equal(tw_recorded_add_fact(r, key, strlen(key), value, strlen(value)), 0);
    r->view.facts = r->facts, r->view.nfacts = r->nfacts;
}

/* Before each task so many seconds in which its worker is idle. */
static tw_recorded *with_gaps(tw_recorded *r, double gap)
{
    double more[64] = {0};
    for (size_t k = 0; k < r->nrecords; k++) {
        struct tw_record *t = &r->records[k];
        const double by = more[t->worker] += gap;
        t->start += by, t->end += by;
        t->ready = t->taken = t->loaded = 0;
    }
    return r;
}
static tw_recorded *chain_with_gaps(double gap, int of) /* of: 0 submission, 1 scheduler, 2 data */
{
    tw_recorded *r = with_gaps(example("chain:n=12,t=1e-2"), gap);
    for (size_t k = 0; k < r->nrecords; k++) {
        struct tw_record *t = &r->records[k];
        if (of == 0 && k) t->submit = t->start;
        if (of == 2) t->taken = t->start - gap > 0 ? t->start - gap : 1e-9, t->loaded = t->start;
    }
    return r;
}

static void sound(void **state)
{
    static const char *const runs[] = {"cholesky:nt=20,workers=5,t=1e-3", "cholesky:nt=40,workers=8,t=1e-3",
                                       "independent:n=400,workers=4"};
    tw_trace_advice a[4];
    (void)state;
    for (int k = 0; k < 3; k++) {
        tw_recorded *r = example(runs[k]);
        const int n = tw_recorded_advice(r, a, 4);
        if (n) fail_msg("%s: %s: %s", runs[k], a[0].rule, a[0].evidence);
        tw_recorded_destroy(r);
    }
    assert_int_equal(tw_recorded_advice(NULL, a, 4), -1);
    tw_recorded *r = example("chain:n=3");
    assert_int_equal(tw_recorded_advice(r, NULL, 4), -2);
    assert_int_equal(tw_recorded_advice(r, a, -1), -3);
    tw_recorded_destroy(r);
}

static void of_the_machine(void **state)
{
    tw_recorded *r;
    (void)state;
    for (int bad = 0; bad < 2; bad++) {
        r = example("cholesky:nt=20,workers=5,t=1e-3");
        r->view.dropped = bad ? 10 : 0;
        assert_int_equal(fires(r, "recording"), bad);
        r = example("cholesky:nt=20,workers=5,t=1e-3");
        for (size_t k = 0; k < r->nrecords; k++)
            r->records[k].lost = (bad ? 0.1 : 0.01) * (r->records[k].end - r->records[k].start);
        assert_int_equal(fires(r, "cores-lost"), bad);
        r = example("cholesky:nt=20,workers=5,t=1e-3");
        set_fact(r, "blas kernels", bad ? "Prescott" : "SkylakeX");
        assert_int_equal(fires(r, "blas-kernels"), bad);
        r = example("cholesky:nt=20,workers=5,t=1e-3");
        for (size_t k = 0; k < r->nrecords; k++)
            r->records[k].predicted[0] = (r->records[k].end - r->records[k].start) / (bad ? 4 : 1.1);
        assert_int_equal(fires(r, "predictions"), bad);
        r = example("independent:n=100,workers=1");
        for (size_t k = 50; k < 100; k++) { /* task 50 takes 20 times as long; the twin's core was another program's */
            if (k > 50) r->records[k].start += 20e-3;
            r->records[k].end += 20e-3;
        }
        if (!bad) r->records[50].lost = 20e-3;
        assert_int_equal(fires(r, "outliers"), bad);
        r = example("independent:n=100,workers=2,t=1e-3");
        for (size_t k = 0; k < r->nrecords; k++) {
            r->records[k].flops = 1e6;
            if (bad && r->records[k].worker) r->records[k].start *= 3, r->records[k].end = r->records[k].start + 3e-3;
        }
        assert_int_equal(fires(r, "slow-worker"), bad);
    }
}

static void of_the_tasks(void **state)
{
    (void)state;
    for (int bad = 0; bad < 2; bad++) {
        assert_int_equal(
            fires(with_gaps(example("independent:n=1000,workers=2,t=5e-5"), bad ? 3e-5 : 0), "small-tasks"), bad);
        assert_int_equal(fires(with_gaps(example("independent:n=1000,workers=2,t=5e-3"), 3e-5), "small-tasks"), 0);
        assert_int_equal(fires(chain_with_gaps(bad ? 5e-3 : 0, 0), "submission"), bad);
        /* Each waits for the value of the one before, which nothing makes come sooner; or all for the first one's, and
         * are submitted one by one then. */
        tw_recorded *values = example("values:n=20,t=1e-3,wait=5e-4");
        for (size_t k = 0; bad && k < values->nedges; k++)
            values->edge[k] = 0;
        assert_int_equal(fires(values, "submission"), bad);
        assert_int_equal(fires(chain_with_gaps(bad ? 5e-3 : 0, 1), "not-taken"), bad);
        assert_int_equal(fires(chain_with_gaps(bad ? 5e-3 : 0, 2), "data"), bad);
        assert_int_equal(fires(example(bad ? "chain:n=5,workers=2" : "cholesky:nt=12,workers=2"), "chain"), bad);
        assert_int_equal(fires(example(bad ? "independent:n=3,workers=2" : "independent:n=4,workers=2"), "end"), bad);
        assert_int_equal(fires(example(bad ? "chain:n=5,workers=3" : "independent:n=6,workers=3"), "unused-workers"),
                         bad);
        tw_recorded *r = example("independent:n=2,workers=2,t=1e-2"); /* one task; the other worker did parts of it */
        r->records[1].part = 1, r->records[1].end = bad ? 1e-4 : 1e-2;
        assert_int_equal(fires(r, "unused-workers"), bad);
    }
}

/* What a rule promises, in seconds; negative: it is not said. The recording is freed. */
static double promised(tw_recorded *r, const char *rule, char *command)
{
    tw_trace_advice a[32];
    const int n = tw_recorded_advice(r, a, 32);
    double gain = -1;

    for (int k = 0; k < n; k++)
        if (!strcmp(a[k].rule, rule)) gain = a[k].gain, strcpy(command, a[k].command);
    tw_recorded_destroy(r);
    return gain;
}

static void promises(void **state)
{
    struct tw_stay full = {0, 0.1, 1, 0};
    char command[120];
    (void)state;
    tw_recorded *r = chain_with_gaps(5e-3, 0);
    double same, other;
    assert_int_equal(tw_recorded_replay(r, "", &same), 0);
    assert_int_equal(tw_recorded_replay(r, "submit=0,order=fifo", &other), 0);
    assert_true(fabs(other - 0.12) < 1e-9 && same > 0.17);
    assert_true(fabs(promised(r, "submission", command) - 0.75 * (same - other)) < 1e-9);
    assert_null(strstr(command, "--window"));
    r = chain_with_gaps(5e-3, 0); /* the same, while the window was full */
    assert_int_equal(tw_recorded_add_stay(r, &full), 0);
    r->view.stays = r->stays, r->view.nstays = 1;
    assert_true(fabs(promised(r, "submission", command) - (same - other)) < 1e-9);
    assert_string_equal(command, "--window 16384");
    assert_true(fabs(promised(example("chain:n=5,workers=2"), "chain", command) - 1.25e-3) < 1e-9);
    r = example("cholesky:nt=1,workers=3"); /* one task, of order 2400 */
    r->records[0].flops = 2400. * 2400 * 2400 / 3;
    assert_true(promised(r, "unused-workers", command) > 0);
    assert_string_equal(command, "--nb 300");
    r = example("chain:n=20,t=1e-2"); /* outliers promise nothing */
    r->records[7].end += 0.2;
    for (int k = 8; k < 20; k++)
        r->records[k].start += 0.2, r->records[k].end += 0.2;
    assert_true(promised(r, "outliers", command) == 0);
}

static void of_the_schedule(void **state)
{
    struct tw_stay full = {0, 0.04, 1, 0};
    tw_recorded *r;
    (void)state;
    for (int bad = 0; bad < 2; bad++) {
        r = with_gaps(example("independent:n=100,workers=2,t=1e-3"), bad ? 5e-4 : 0);
        assert_int_equal(tw_recorded_add_stay(r, &full), 0);
        r->view.stays = r->stays, r->view.nstays = 1;
        assert_int_equal(fires(r, "window"), bad);
        r = example("independent:n=100,workers=2,t=1e-3"); /* all by one of two workers; the twin: by both */
        for (size_t k = 0; bad && k < r->nrecords; k++)
            r->records[k].worker = 0, r->records[k].start = 1e-3 * (double)k,
            r->records[k].end = 1e-3 * (double)(k + 1);
        for (size_t k = 1; k < 4; k++)
            assert_int_equal(tw_recorded_add_edge(r, (unsigned)(r->nrecords - 1 - k)), 0);
        r->view.first_edge = r->first_edge, r->view.edge = r->edge;
        assert_int_equal(fires(r, "schedule"), bad);
        r = example("cholesky:nt=8,workers=5");
        set_fact(r, "command", bad ? "tilework potrf --priority none --n 9" : "tilework potrf --priority panel --n 9");
        assert_int_equal(fires(r, "priorities"), bad);
        r = example("cholesky:nt=8,workers=5");
        set_fact(r, "variable TILEWORK_PRIORITY", bad ? "none" : "panel");
        assert_int_equal(fires(r, "priorities"), bad);
        r = with_gaps(example("independent:n=100,workers=2,t=1e-3"), 5e-4);
        r->view.sched = bad ? "eager" : "lws";
        assert_int_equal(fires(r, "scheduler-priorities"), bad);
    }
}

/* Steps of one task, which all wait for, and eight beside each other: 1 ms against 1, or against 10. */
static void of_the_panel(void **state)
{
    static const char *const names[] = {"panel", "update"};
    (void)state;
    for (int bad = 0; bad < 2; bad++) {
        const double wide = bad ? 1e-3 : 10e-3;
        const char *why;
        tw_recorded *r;
        double at = 0;
        assert_int_equal(tw_recorded_new(&r), 0);
        for (int w = 0; w < 8; w++)
            assert_int_equal(tw_recorded_add_worker(r, "CPU", 3, 0, w), 0);
        for (int k = 0; k < 2; k++)
            assert_int_equal(tw_recorded_add_kernel(r, names[k], strlen(names[k]), 0), 0);
        for (unsigned step = 0; step < 6; step++) {
            struct tw_record t = {.start = at,
                                  .end = at + 1e-3,
                                  .name = r->kernels.name[0],
                                  .type = 1,
                                  .coord = {-1, -1, -1, -1},
                                  .id = 9 * step};
            assert_int_equal(tw_recorded_add_task(r, &t), 0);
            for (unsigned k = 1; step && k < 9; k++)
                assert_int_equal(tw_recorded_add_edge(r, 9 * step - k), 0);
            t.start = t.end, t.end += wide, t.name = r->kernels.name[1];
            for (t.worker = 0; t.worker < 8; t.worker++) {
                t.id++;
                assert_int_equal(tw_recorded_add_task(r, &t), 0);
                assert_int_equal(tw_recorded_add_edge(r, 9 * step), 0);
            }
            at = t.end;
        }
        assert_int_equal(tw_recorded_finish(r, &why), 0);
        assert_int_equal(fires(r, "panel"), bad);
    }
}

static void of_gpus(void **state)
{
    (void)state;
    for (int bad = 0; bad < 2; bad++) {
        tw_recorded *r = example("independent:n=100,workers=2,t=1e-3");
        r->workers[0].is_cuda = 1;
        for (size_t k = 0; k < r->nrecords; k++) {
            const int kind = r->records[k].worker == 0;
            r->records[k].predicted[kind] = 1e-3, r->records[k].predicted[!kind] = bad ? 1e-4 : 2e-3;
        }
        assert_int_equal(fires(r, "place"), bad);
        r = example("independent:n=100,workers=2,t=1e-3");
        r->workers[0].is_cuda = 1;
        for (size_t k = 0; bad && k < r->nrecords; k++)
            if (r->records[k].worker == 0) r->records[k].end = r->records[k].start + 1e-4;
        assert_int_equal(fires(r, "idle-gpus"), bad);
        /* Two cores that have nothing to do beside three streams of a GPU: a loss only where they could do a fair
         * part. */
        r = example("independent:n=60,workers=3,t=1e-3");
        for (int w = 0; w < 3; w++)
            r->workers[w].is_cuda = 1, r->workers[w].device = 0;
        for (int w = 0; w < 2; w++)
            assert_int_equal(tw_recorded_add_worker(r, "CPU", 3, 0, w), 0);
        r->view.workers = r->workers, r->view.nworkers = r->nworkers;
        for (size_t k = 0; k < r->nrecords; k++)
            r->records[k].predicted[0] = bad ? 2e-3 : 5e-2, r->records[k].predicted[1] = 1e-3;
        assert_int_equal(fires(r, "unused-workers"), bad);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sound),           cmocka_unit_test(of_the_machine),
                                       cmocka_unit_test(of_the_tasks),    cmocka_unit_test(promises),
                                       cmocka_unit_test(of_the_schedule), cmocka_unit_test(of_the_panel),
                                       cmocka_unit_test(of_gpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
