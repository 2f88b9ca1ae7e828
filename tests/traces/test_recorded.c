/* Recordings that are kept: written and read again, damaged in every way, and the analysis on graphs with known
 * answers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <tilework/tilework.h>
#include "runtime/base/error.h"
#include "runtime/watch/watch.h"
#include "traces/analysis.h"
#include "traces/format.h"
#include "traces/read.h"
#include "runtime/base/doing.h"
#include "traces/recorded.h"
#include "traces/writers.h"
#include "synthetic.h"

static char folder[] = "/tmp/tw-recorded-XXXXXX";

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

static void near(const char *what, double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-9 + 1e-9 * fabs(expected)))
        fail_msg("%s: %.12g instead of %.12g", what, got, expected);
}

/* ---- known answers ----------------------------------------------------------------------------------------------- */

static tw_trace_facts facts_of(const tw_recorded *r)
{
    tw_trace_facts f;
    assert_int_equal(tw_recorded_facts(r, &f), 0);
    near("pieces of the path",
         f.path_tasks + f.path_submission + f.path_scheduler + f.path_lost + f.path_data + f.path_start + f.path_return,
         f.seconds);
    assert_true(f.graph <= f.seconds * (1 + 1e-12) && f.busy <= f.workers * f.seconds * (1 + 1e-12));
    return f;
}

static double replayed(const tw_recorded *r, const char *changes)
{
    double seconds;
    if (tw_recorded_replay(r, changes, &seconds)) fail_msg("%s: %s", changes ? changes : "", tw_last_message());
    return seconds;
}

static tw_recorded *example(const char *what)
{
    tw_recorded *r;
    if (tw_recorded_example(&r, what)) fail_msg("%s: %s", what, tw_last_message());
    return r;
}

static void chains(void **state)
{
    tw_recorded *r = example("chain:n=50,t=2e-3,workers=3");
    const tw_trace_facts f = facts_of(r);
    tw_trace_step step[60];
    (void)state;
    assert_int_equal(f.tasks, 50);
    assert_int_equal(f.edges, 49);
    near("time", f.seconds, 0.1);
    near("chain", f.graph, 0.1);
    near("path", f.path_tasks, 0.1);
    assert_int_equal(tw_recorded_path(r, step, 0, 60), 50);
    for (int k = 0; k < 50; k++) {
        assert_int_equal(step[k].coord[0], k);
        near("start", step[k].start, 2e-3 * k);
        assert_int_equal(step[k].because, k ? 2 : 0);
    }
    assert_int_equal(tw_recorded_path(r, step, 48, 1), 50);
    assert_int_equal(step[0].coord[0], 48);
    near("one core", replayed(r, "cores=1"), 0.1);
    near("a hundred", replayed(r, "cores=100,order=priority"), 0.1);
    near("twice as fast", replayed(r, "all=2x"), 0.05);
    tw_recorded_destroy(r);
}

static void independents(void **state)
{
    tw_recorded *r = example("independent:n=100,workers=8,t=1e-3");
    const tw_trace_facts f = facts_of(r);
    (void)state;
    near("time", f.seconds, 13e-3); /* ceil(100 / 8) */
    assert_int_equal(f.edges, 0);
    near("as it was", replayed(r, NULL), 13e-3);
    for (int cores = 1; cores <= 128; cores *= 2) {
        char text[40];
        for (int order = 0; order < 3; order++) {
            snprintf(text, sizeof text, "cores=%d,order=%s", cores,
                     order == 0   ? "kept"
                     : order == 1 ? "fifo"
                                  : "priority");
            near(text, replayed(r, text), 1e-3 * ((100 + cores - 1) / cores));
        }
    }
    near("leaf", replayed(r, "leaf=4x,cores=1"), 25e-3);
    char change[100];
    int k = 0;
    for (; tw_recorded_standard_change(r, k, change, sizeof change) == 1; k++) {
        const double then = replayed(r, change);
        if (!strcmp(change, "leaf=1.1x")) near(change, then, 13e-3 / 1.1);
        if (!strcmp(change, "cores=9")) near(change, then, 12e-3);
    }
    assert_int_equal(k, 6);
    tw_recorded_destroy(r);
}

static void forks(void **state)
{
    tw_recorded *r = example("fork:n=12,workers=4,t=0.01");
    const tw_trace_facts f = facts_of(r);
    tw_trace_kernel k[5];
    (void)state;
    near("time", f.seconds, 0.05);
    near("chain", f.graph, 0.03);
    assert_int_equal(f.edges, 24);
    assert_int_equal(tw_recorded_kernels(r, k, 5), 3);
    assert_string_equal(k[0].name, "leaf");
    assert_true(k[0].tasks == 12 && k[0].path_tasks == 3);
    near("leaves on the path", k[0].path_seconds, 0.03);
    near("cores", replayed(r, "cores=12"), 0.03);
    near("one", replayed(r, "cores=1"), 0.14);
    near("fork 10x", replayed(r, "fork=10x"), 0.041);
    tw_recorded_destroy(r);
}

/* The path of a tile Cholesky: nt - 1 times potrf, trsm, syrk, and a last potrf. */
static void choleskys(void **state)
{
    (void)state;
    for (int nt = 1; nt <= 24; nt += nt < 4 ? 1 : 10) {
        char text[60];
        const double t = 3e-3;
        snprintf(text, sizeof text, "cholesky:nt=%d,workers=%d,t=3e-3", nt, nt * nt);
        tw_recorded *r = example(text);
        const tw_trace_facts f = facts_of(r);
        /* A gemm of 2 t between two trsm is longer than a syrk of t: through the second column from the third step
         * on. */
        const double chain = nt == 1 ? t / 3 : nt == 2 ? t / 3 + t + t + t / 3 : -1;
        assert_int_equal(f.tasks, nt * (nt + 1) * (nt + 2) / 6);
        if (chain > 0) near("chain", f.graph, chain);
        near("workers enough", f.seconds, f.graph);
        near("one core", replayed(r, "cores=1"), f.busy);
        near("again", replayed(r, ""), f.seconds);
        near("fewer", replayed(r, "cores=1,all=2"), f.busy / 2);
        tw_recorded_destroy(r);
    }
}

/* n tasks on two streams, each fetching something first over one link: as long as a stream's tasks with their transfers
 * take, or all transfers. */
static double two_streams(int n, double move, double t)
{
    return move <= t ? n / 2 * (move + t) + move : n * move + t;
}

static void transfers(void **state)
{
    static const char *const orders[] = {"", ",order=fifo", ",order=priority"};
    const double factors[] = {1, 2, 0.5, 0.25, 10};
    char text[60];
    (void)state;
    tw_recorded *r = example("transfers:n=10,workers=2,t=1e-3,move=4e-4"), *again;
    const tw_trace_facts f = facts_of(r);
    near("time", f.seconds, two_streams(10, 4e-4, 1e-3));
    near("waiting for data", f.path_data, f.seconds - f.path_tasks);
    assert_true(f.transfers == 10 && f.edges == 0 && f.path_data > 0);
    for (int k = 0; k < 15; k++) {
        const double factor = factors[k % 5];
        snprintf(text, sizeof text, "link=%gx%s", factor, orders[k / 5]);
        near(text, replayed(r, text), two_streams(10, 4e-4 / factor, 1e-3));
    }
    near("all twice as fast", replayed(r, "leaf=2x,link=2x"), f.seconds / 2);
    near("tasks alone", replayed(r, "all=2x"), two_streams(10, 4e-4, 5e-4));
    near("links alone would do", replayed(r, "all=1e6x,overhead=0,lost=0,submit=0"), 10 * 4e-4 + 1e-9);
    near("a GPU more, with a link of its own", replayed(r, "gpus=2"), 4.2e-3);
    int k = 0, there = 0;
    for (; tw_recorded_standard_change(r, k, text, sizeof text) == 1; k++) {
        (void)replayed(r, text);
        there += !strcmp(text, "link=2x");
    }
    assert_true(k == 7 && there == 1);
    assert_int_equal(tw_recorded_write(r, "moves", "tw,html"), 0);
    assert_int_equal(tw_recorded_read(&again, "moves.tw"), 0);
    near("read again", replayed(again, "link=0.5x"), two_streams(10, 8e-4, 1e-3));
    tw_recorded_destroy(again);
    /* Every second one comes from another GPU, by a link of its own: what was its queue is now its transfer. */
    for (size_t i = 1; i < 10; i += 2)
        r->transfers[i].source = 1;
    near("two links", replayed(r, ""), f.seconds);
    near("two links, twice as fast", replayed(r, "link=2x"), 4e-4 + 1e-3 + 4 * 1.2e-3);
    tw_recorded_destroy(r);

    r = example("transfers:n=4,workers=1,t=1e-3,move=4e-4");
    r->view.ntransfers = 3; /* the last one waits for what another task fetches: it holds no link */
    near("as it was", replayed(r, ""), 4 * 1.4e-3);
    near("its wait, too", replayed(r, "link=2x"), 4 * 1.2e-3);
    r->view.ntransfers = 0;
    near("no transfers: the same", replayed(r, "link=2x"), replayed(r, ""));
    r->view.ntransfers = 4;
    r->transfers[3].task = 100; /* a task that is not there */
    near("nobody's transfer", replayed(r, "link=2x"), 4 * 1.2e-3);
    tw_recorded_destroy(r);

    /* Asked for while the task before runs, after half of it. */
    r = example("transfers:n=2,workers=1,t=1e-3,move=4e-4");
    r->records[1] = (struct tw_record){
        .name = "leaf", .submit = 1e-3, .taken = 1.9e-3, .loaded = 2.3e-3, .start = 2.4e-3, .end = 3.4e-3, .id = 1};
    r->transfers[1].from = 1.9e-3, r->transfers[1].to = 2.3e-3;
    near("behind the task before", replayed(r, ""), 2.4e-3);
    near("as before", replayed(r, "link=2x"), 2.2e-3);
    near("late", replayed(r, "link=0.25x"), 4.7e-3);
    near("asked for sooner", replayed(r, "all=2x"), 0.4e-3 + 0.25e-3 + 0.4e-3 + 0.5e-3);
    tw_recorded_destroy(r);

    /* Tasks that carry, and nothing else, are as fast as links; those that compute, too, are not. */
    r = example("chain:n=10,t=1e-2");
    for (size_t i = 2; i < 9; i += 3) {
        const struct tw_transfer t = {r->records[i].start, r->records[i].end, 8e6, -1, 0, r->records[i].id + 1, 0};
        r->records[i].moved = 8e6;
        if (i < 8) r->records[i].flops = 0;
        assert_int_equal(tw_recorded_add_transfer(r, &t), 0);
    }
    r->view.transfers = r->transfers, r->view.ntransfers = r->ntransfers;
    near("two of ten carry", replayed(r, "link=2x"), 0.09);
    near("and all is twice as fast", replayed(r, "link=2x,all=2x,order=fifo"), 0.045);
    tw_recorded_destroy(r);
    r = example("cholesky:nt=6,workers=3");
    near("no links", replayed(r, "link=0.1x"), replayed(r, ""));
    near("no links, and others", replayed(r, "potrf=2x,link=2x"), replayed(r, "potrf=2x"));
    tw_recorded_destroy(r);
}

static void bad_examples(void **state)
{
    static const char *const bad[] = {"",
                                      "x",
                                      "chain:",
                                      "chain:n",
                                      "chain:n=",
                                      "chain:n=0",
                                      "chain:n=-1",
                                      "chain:n=1e7",
                                      "chain:m=3",
                                      "chain:n=3,,",
                                      "chain:t=nan",
                                      "chain:n=3x",
                                      "cholesky:nt=500",
                                      "chain:workers=5000",
                                      "transfers:move=-1",
                                      "transfers:move=x",
                                      "values:wait=-1",
                                      "values:nt=3",
                                      "chain:wait=1",
                                      "chains"};
    tw_recorded *r;
    double seconds;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        if (k != 2 && tw_recorded_example(&r, bad[k]) != TW_E_OPTION) fail_msg("%s is taken", bad[k]);
    r = example("chain");
    static const char *const changes[] = {"frob",   "gemm=2x",   "link=",    "link=0",  "link=-1x", "link=xx",
                                          "cores=", "cores=-1",  "cores=1x", "cores=0", "order=x",  "submit=1",
                                          ",",      "link=2x,,", "=2",       "link=2y"};
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++)
        if (tw_recorded_replay(r, changes[k], &seconds) != TW_E_OPTION)
            fail_msg("%s is taken: %g", changes[k], seconds);
    assert_int_equal(tw_recorded_write(r, "x", "tw,frob"), TW_E_OPTION);
    assert_non_null(strstr(tw_last_message(), "csv, dot"));
    tw_recorded_destroy(r);
}

/* ---- written and read -------------------------------------------------------------------------------------------- */

static void same_records(const struct tw_recording *a, const struct tw_recording *b)
{
    assert_int_equal(a->nrecords, b->nrecords);
    for (size_t k = 0; k < a->nrecords; k++) {
        const struct tw_record *x = &a->records[k], *y = &b->records[k];
        const double times[][2] = {{x->submit, y->submit},
                                   {x->start, y->start},
                                   {x->end, y->end},
                                   {x->ready, y->ready},
                                   {x->taken, y->taken},
                                   {x->loaded, y->loaded},
                                   {x->lost, y->lost},
                                   {x->lost_before, y->lost_before},
                                   {x->predicted[0], y->predicted[0]},
                                   {x->predicted[1], y->predicted[1]}};
        for (int i = 0; i < 10; i++)
            if (fabs(times[i][0] - times[i][1]) > 1.1e-9)
                fail_msg("task %zu: time %d: %.12g, %.12g", k, i, times[i][0], times[i][1]);
        assert_string_equal(x->name, y->name);
        assert_true(x->flops == y->flops && x->moved == y->moved && x->id == y->id && x->worker == y->worker &&
                    x->priority == y->priority && x->type == y->type);
        assert_true(x->color == y->color && x->part == y->part && x->routine == y->routine && x->values == y->values);
        assert_memory_equal(x->coord, y->coord, sizeof x->coord);
        assert_true(!x->stage == !y->stage && (!x->stage || !strcmp(x->stage, y->stage)));
    }
    assert_int_equal(!a->first_edge, !b->first_edge);
    for (size_t k = 0; a->first_edge && k <= a->nrecords; k++)
        assert_int_equal(a->first_edge[k], b->first_edge[k]);
    for (size_t k = 0; a->first_edge && k < a->first_edge[a->nrecords]; k++)
        assert_int_equal(a->edge[k], b->edge[k]);
}

static void round_trip(void **state)
{
    struct synthetic s;
    tw_recorded *r, *again;
    struct tw_run_fact facts[] = {{"command", "potrf --n 1"}, {"variable STARPU_SCHED", "</script>\x1b[1m\xff"}};
    struct tw_mark marks[] = {{"outer", 0.25, 0.5, 0, 0}, {"iteration 3", 0.3, 0.4, 1, 2}};
    struct tw_stay stays[] = {{0.3, 0.4, 2, 1}, {0.25, 0.35, 0, 0}, {0.28, 0.29, 1, 0}, {0.35, 0.5, 2, 0}};
    struct tw_transfer transfers[] = {{0.26, 0.27, 8e6, -1, 0, 0, 0}, {0.27, 0.3, 1.5e6, 0, 1, 8, 1}};
    struct tw_used used[] = {{0.1, 4e9, -1}, {0.2, 5e9, -1}, {0.2, 1e10, 1}};
    struct tw_stay_piece *piece;
    struct tw_summary sum;
    size_t n;
    (void)state;
    assert_int_equal(synthetic_potrf(&s, 9, 3, 2), 0);
    s.recording.stays = stays, s.recording.nstays = 4;
    s.recording.transfers = transfers, s.recording.ntransfers = 2;
    s.recording.used = used, s.recording.nused = 3;
    for (size_t k = 0; k < s.recording.nrecords; k++) {
        if (k % 3) s.records[k].ready = s.records[k].start - 3e-6, s.records[k].loaded = s.records[k].start - 1e-6;
        if (k % 4) s.records[k].predicted[k % 2] = 1e-3;
        if (k % 5 == 0) s.records[k].moved = 1e6 + (double)k, s.records[k].stage = k % 2 ? "band" : "tridiagonal";
        if (k % 7 == 6) s.records[k].part = 1;
        if (k % 4 == 2) s.records[k].lost = 1e-6, s.records[k].lost_before = (double)k * 1e-7;
    }
    s.recording.facts = facts, s.recording.nfacts = 2;
    s.recording.marks = marks, s.recording.nmarks = 2;
    assert_int_equal(tw_write_tw(&s.recording, "made"), 0);
    assert_int_equal(tw_recorded_read(&r, "made.tw"), 0);
    same_records(&s.recording, &r->view);
    assert_string_equal(r->view.machine, s.recording.machine);
    assert_string_equal(tw_recorded_fact(&r->view, "variable STARPU_SCHED"), facts[1].value);
    assert_int_equal(r->view.nmarks, 2);
    assert_string_equal(r->view.marks[1].name, "iteration 3");
    near("mark", r->view.marks[1].to, 0.4);
    assert_int_equal(r->view.nstays, 4);
    assert_true(r->view.stays[2].what == 1 && r->view.stays[2].thread == 0);
    near("stay", r->view.stays[3].to, 0.5);
    assert_int_equal(r->view.ntransfers, 2);
    assert_true(r->view.transfers[1].source == 0 && r->view.transfers[1].target == 1 &&
                r->view.transfers[1].task == 8 && r->view.transfers[1].inferred == 1 &&
                r->view.transfers[1].bytes == 1.5e6);
    assert_int_equal(r->view.nused, 3);
    for (int k = 0; k < 3; k++) {
        near("time of used memory", r->view.used[k].time, used[k].time);
        assert_true(r->view.used[k].memory == used[k].memory && r->view.used[k].bytes == used[k].bytes);
    }
    assert_int_equal(tw_memory_count(&r->view), 3);
    assert_true(facts_of(r).transfers == 2 && facts_of(r).moved == 9.5e6);
    assert_int_equal(tw_summary_make(&sum, &r->view),
                     0); /* a wait cuts a submission in two; threads come one after another */
    assert_int_equal(tw_summary_stays(&sum, &piece, &n), 0);
    assert_int_equal(n, 5);
    for (int k = 0; k < 5; k++) {
        static const double from[] = {0.25, 0.28, 0.29, 0.35, 0.3}, to[] = {0.28, 0.29, 0.35, 0.5, 0.4};
        static const int what[] = {0, 1, 0, 2, 2};
        near("piece begins", piece[k].from + sum.origin, from[k]);
        near("piece ends", piece[k].to + sum.origin, to[k]);
        assert_true(piece[k].what == what[k] && piece[k].thread == (k == 4));
    }
    free(piece), tw_summary_free(&sum);
    assert_int_equal(r->view.nworkers, 5);
    assert_int_equal(r->view.workers[4].is_cuda, 1);
    assert_int_equal(tw_recorded_write(r, "again", NULL), 0); /* all of the usual files are made from it */
    assert_true(access("again.svg", R_OK) == 0 && access("again.paje", R_OK) == 0 && access("again.html", R_OK) == 0 &&
                access("again.json", R_OK) == 0);
    assert_int_equal(tw_recorded_read(&again, "again.tw"), 0);
    same_records(&r->view, &again->view);
    (void)facts_of(r);
    tw_recorded_destroy(r), tw_recorded_destroy(again);
    synthetic_free(&s);
    /* With edges. */
    r = example("cholesky:nt=30,workers=7");
    assert_int_equal(tw_recorded_write(r, "edges", "tw,csv"), 0);
    assert_int_equal(tw_recorded_read(&again, "edges.tw"), 0);
    same_records(&r->view, &again->view);
    near("replayed", replayed(again, "cores=5"), replayed(r, "cores=5"));
    tw_recorded_destroy(r), tw_recorded_destroy(again);
    r = example("chain:n=6000");
    assert_int_equal(tw_recorded_write(r, "large", "dot"), TW_E_UNSUPPORTED);
    assert_int_equal(access("large.dot", F_OK), -1);
    tw_recorded_destroy(r);
}

/* Tasks whose submissions wait for the value of the one before: the path goes on through that, and no schedule knows
 * better. */
static void values(void **state)
{
    tw_recorded *r = example("values:n=20,t=2e-3,wait=5e-4,workers=2"), *again, *part;
    tw_trace_step step[20];
    tw_trace_kernel kernel;
    (void)state;
    for (int reread = 0; reread < 2; reread++) {
        const tw_trace_facts f = facts_of(r);
        assert_true(f.tasks == 20 && f.edges == 19 && f.path_length == 20);
        near("time", f.seconds, 20 * 2e-3 + 19 * 5e-4);
        near("chain", f.graph, 20 * 2e-3);
        near("at work", f.path_tasks, 20 * 2e-3);
        near("submission", f.path_submission, 19 * 5e-4);
        assert_int_equal(tw_recorded_path(r, step, 0, 20), 20);
        for (int k = 0; k < 20; k++) {
            assert_true(step[k].coord[0] == k && step[k].because == (k ? 4 : 0));
            near("start", step[k].start, 25e-4 * k);
            near("waited", step[k].submission, k ? 5e-4 : 0);
        }
        assert_int_equal(tw_recorded_kernels(r, &kernel, 1), 1);
        near("slack", kernel.slack, 0);
        near("unchanged", replayed(r, ""), f.seconds);
        near("by list scheduling", replayed(r, "order=fifo"), f.seconds);
        near("four cores", replayed(r, "cores=4"), f.seconds);
        near("submitted at once", replayed(r, "submit=0"), 20 * 2e-3); /* no sooner than its value is there */
        near("submitted at once, in any order", replayed(r, "submit=0,order=fifo"), 20 * 2e-3);
        near("twice as fast", replayed(r, "step=2x"), 20 * 1e-3 + 19 * 5e-4);
        near("twice as fast, four cores", replayed(r, "step=2x,cores=4"), 20 * 1e-3 + 19 * 5e-4);
        assert_int_equal(tw_recorded_write(r, "values", "tw,csv,dot,json,html"), 0);
        assert_int_equal(tw_recorded_read(&again, "values.tw"), 0);
        same_records(&r->view, &again->view);
        tw_recorded_destroy(r);
        r = again;
    }
    for (size_t k = 0; k < 20; k++)
        assert_true(r->view.records[k].values == (k > 0));
    /* Tasks 3 to 6 as a part: what the first of them waited for is not in it. */
    assert_int_equal(tw_recorded_select(&part, r, 3 * 25e-4, 7 * 25e-4 - 5e-4, NULL, NULL), 0);
    assert_int_equal(part->view.nrecords, 4);
    for (size_t k = 0; k < 4; k++)
        assert_true(part->view.records[k].values == (k > 0));
    near("submission of the part", facts_of(part).path_submission, 3 * 5e-4);
    tw_recorded_destroy(part);
    /* Of two ranks. */
    tw_recorded *other = example("values:n=3,rank=1"), *both;
    assert_int_equal(tw_recorded_merge(&both, r, other), 0);
    assert_true(facts_of(both).edges == 21);
    int n = 0;
    for (size_t k = 0; k < both->view.nrecords; k++)
        for (unsigned v = 0; v < both->view.records[k].values; v++, n++) {
            const struct tw_record *t = &both->view.records[k],
                                   *w = &both->view.records[both->view.edge[both->view.first_edge[k] + v]];
            assert_true(t->routine == w->routine && t->id == w->id + 1);
        }
    assert_int_equal(n, 21);
    tw_recorded_destroy(r), tw_recorded_destroy(other), tw_recorded_destroy(both);
}

/* A value of two, and operands: the later counts, and only where nothing else came later still. */
static void value_or_data(void **state)
{
    const char *why;
    tw_recorded *r;
    tw_trace_step step[4];
    (void)state;
    for (int late = 0; late < 2; late++) {
        assert_int_equal(tw_recorded_new(&r), 0);
        for (int w = 0; w < 4; w++)
            assert_int_equal(tw_recorded_add_worker(r, "CPU", 3, 0, w), 0);
        assert_int_equal(tw_recorded_add_kernel(r, "task", 4, 1), 0);
        const double end[] = {1, 2, late ? 4 : 2.5};
        struct tw_record t = {.name = r->kernels.name[0], .coord = {-1, -1, -1, -1}, .type = TW_DOUBLE};
        for (int k = 0; k < 3; k++) {
            t.id = (unsigned long)k, t.worker = k, t.end = end[k];
            assert_int_equal(tw_recorded_add_task(r, &t), 0);
        }
        t = (struct tw_record){.name = t.name, .coord = {-1, -1, -1, -1}, .type = TW_DOUBLE, .id = 3, .worker = 3};
        t.submit = 3, t.start = 5, t.end = 6, t.values = 2;
        assert_int_equal(tw_recorded_add_task(r, &t), 0);
        for (unsigned k = 0; k < 3; k++)
            assert_int_equal(tw_recorded_add_edge(r, k), 0);
        assert_int_equal(tw_recorded_finish(r, &why), 0);
        const tw_trace_facts f = facts_of(r);
        assert_int_equal(tw_recorded_path(r, step, 0, 4), 2);
        assert_int_equal(step[1].because, late ? 2 : 4);
        near("the step before ends", step[0].end, late ? 4 : 2);
        near("submission", f.path_submission, late ? 0 : 1);
        near("scheduler", f.path_scheduler, late ? 1 : 2);
        near("chain", f.graph, late ? 5 : 3.5);
        assert_int_equal(tw_recorded_write(r, "both", "tw,csv,dot"), 0);
        tw_recorded *again;
        assert_int_equal(tw_recorded_read(&again, "both.tw"), 0);
        same_records(&r->view, &again->view);
        tw_recorded_destroy(r), tw_recorded_destroy(again);
    }
    FILE *dot = fopen("both.dot", "r");
    char line[200];
    int dashed = 0, plain = 0;
    while (fgets(line, sizeof line, dot))
        if (strstr(line, " -> ")) strstr(line, "dashed") ? dashed++ : plain++;
    fclose(dot);
    assert_true(dashed == 2 && plain == 1);
}

/* ---- damaged ----------------------------------------------------------------------------------------------------- */

static unsigned char *whole(const char *name, size_t *n)
{
    FILE *f = fopen(name, "rb");
    unsigned char *bytes = malloc(1 << 20);
    assert_non_null(f);
    *n = fread(bytes, 1, 1 << 20, f);
    assert_true(*n < 1 << 20);
    fclose(f);
    return bytes;
}

/* Refused, with a byte of the file. */
static void refused(const unsigned char *bytes, size_t n, const char *what)
{
    FILE *f = n ? fmemopen((void *)bytes, n, "rb") : fopen("/dev/null", "rb");
    tw_recorded *r = (void *)1;
    const char *at;
    const int e = tw_recorded_read_stream(&r, f, "damaged.tw");

    fclose(f);
    if (e != TW_E_FORMAT) fail_msg("%s: %d, %s", what, e, tw_last_message());
    assert_null(r);
    if (!(at = strstr(tw_last_message(), "damaged.tw: byte ")) || strtoul(at + 17, NULL, 10) > n)
        fail_msg("%s: %s", what, tw_last_message());
}

static void damaged_files(void **state)
{
    tw_recorded *r = example("fork:n=5,workers=2");
    unsigned char *bytes, kept;
    size_t n;
    char what[80];
    (void)state;
    assert_int_equal(tw_recorded_write(r, "small", "tw"), 0);
    tw_recorded_destroy(r);
    bytes = whole("small.tw", &n);
    for (size_t k = 0; k < n; k++) {
        snprintf(what, sizeof what, "cut off at %zu", k);
        refused(bytes, k, what);
    }
    for (size_t k = 0; k < n; k++)
        for (int bit = 0; bit < 8; bit++) {
            snprintf(what, sizeof what, "byte %zu, bit %d", k, bit);
            kept = bytes[k];
            bytes[k] = (unsigned char)(kept ^ 1 << bit);
            refused(bytes, n, what);
            bytes[k] = kept;
        }
    bytes[n] = 0;
    refused(bytes, n + 1, "one byte more");
    assert_int_equal(tw_recorded_read(&r, "missing.tw"), TW_E_IO);
    assert_int_equal(tw_recorded_read(&r, "."), TW_E_IO);
    free(bytes);
}

/* Blocks whose checksum is right, and whose content is not. */
static void put_block(unsigned char *to, size_t *n, const char *tag, const void *content, size_t length)
{
    const size_t at = *n;
    uint32_t sum;
    memcpy(to + at, tag, 4);
    for (int k = 0; k < 4; k++)
        to[at + 4 + k] = (unsigned char)(length >> 8 * k);
    memcpy(to + at + 8, content, length);
    sum = tw_crc32(0, to + at, 8 + length);
    for (int k = 0; k < 4; k++)
        to[at + 8 + length + k] = (unsigned char)(sum >> 8 * k);
    *n += 12 + length;
}

static void wrong_content(void **state)
{
    /* a task: flags id kernel type worker routine stage priority i j k l start length submit edges [edge] */
    static const struct {
        const char *what;
        unsigned char task[40];
        size_t length;
    } tasks[] = {
        {"a kernel", {0, 0, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0}, 16},
        {"a flag", {64, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0}, 16},
        {"a type", {0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0}, 16},
        {"a worker", {0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0}, 16},
        {"a routine", {0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0}, 16},
        {"a stage", {0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 5, 0, 0}, 16},
        {"an end", {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5}, 14},
        {"itself", {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 1, 0}, 17},
        {"nobody before", {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 1, 2}, 17},
        {"nobody behind", {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 1, 1}, 17},
        {"many edges", {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 255, 255, 255, 255, 255, 255, 255, 127}, 23},
        {"a long number", {0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0, 0}, 20},
        {"a late time", {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 127, 0, 0}, 24},
        {"flops that are NaN", {2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F, 0}, 24},
        {"a circle",
         {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 1, 1, /* waits for the next one */
          0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 1, 2},
         34}};
    (void)state;
    for (size_t k = 0; k < sizeof tasks / sizeof *tasks; k++) {
        unsigned char bytes[2000];
        size_t n = 8;
        const unsigned char done[] = {(unsigned char)(1 + (tasks[k].length == 34)),
                                      (unsigned char)(tasks[k].length == 34 ? 2 : 0)};
        memcpy(bytes, TW_FORMAT_MAGIC, 8);
        put_block(bytes, &n, "META", "", 0);
        put_block(bytes, &n, "WORK", "\0\0\3CPU", 6);
        put_block(bytes, &n, "ROUT", "", 0);
        put_block(bytes, &n, "STAG", "", 0);
        put_block(bytes, &n, "KERN", "\5\4gemm", 6);
        put_block(bytes, &n, "NEXT", "of a later version", 18); /* passed over */
        put_block(bytes, &n, "TASK", tasks[k].task, tasks[k].length);
        put_block(bytes, &n, "DONE", tasks[k].length == 17 ? (const unsigned char *)"\1\1" : done, 2);
        refused(bytes, n, tasks[k].what);
        printf("%s: %s\n", tasks[k].what, tw_last_message());
    }
    /* A block that says to be larger than any; one that says 16 MiB and has nothing. */
    refused((const unsigned char *)TW_FORMAT_MAGIC "META\377\377\377\377", 16, "four gigabytes");
    refused((const unsigned char *)TW_FORMAT_MAGIC "META\0\0\0\1", 16, "16 MiB");
    refused((const unsigned char *)"TWTRACE\2META", 12, "another version");
}

static void wrong_blocks(void **state)
{
    static const struct {
        const char *what, *tag;
        unsigned char content[24];
        size_t length;
    } blocks[] = {{"an unknown thing to do", "STAY", {0, 1, 3, 0}, 4},
                  {"a thread too many", "STAY", {0, 1, 0, 255, 255, 255, 1}, 7},
                  {"a stay cut short", "STAY", {0, 1, 0}, 3},
                  {"a memory that cannot be", "MOVE", {0, 1, 255, 255, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 16},
                  {"the clock of nobody's task", "CLCK", {1, 0}, 2},
                  {"the clocks of nobody's tasks", "CLCK", {0, 1}, 2},
                  {"half a clock", "CLCK", {0}, 1},
                  {"bytes that are NaN", "MOVE", {0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F, 0, 0}, 14},
                  {"an unknown kind of transfer", "MOVE", {0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}, 14}};
    (void)state;
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        unsigned char bytes[2000];
        size_t n = 8;
        memcpy(bytes, TW_FORMAT_MAGIC, 8);
        for (int i = 0; i < 5; i++)
            put_block(bytes, &n, (const char *[]){"META", "WORK", "ROUT", "STAG", "KERN"}[i], "", 0);
        put_block(bytes, &n, blocks[k].tag, blocks[k].content, blocks[k].length);
        put_block(bytes, &n, "DONE", "\0\0", 2);
        refused(bytes, n, blocks[k].what);
    }
}

/* Content that its checksum is right for, of a file of two tasks, 0 and 1: refused at the byte where it goes wrong. */
static void wrong_values(void **state)
{
    static const struct {
        const char *what;
        unsigned char content[16];
        size_t length, at; /* from the content's beginning */
        int first;         /* before the tasks */
    } blocks[] = {{"of a task that is not there", {4, 2}, 2, 0, 0},
                  {"of a task that is not there, by two bytes", {128, 1, 2}, 3, 1, 0},
                  {"its own", {2, 0}, 2, 1, 0},
                  {"of nobody before", {2, 4}, 2, 1, 0},
                  {"of nobody behind", {2, 1}, 2, 1, 0},
                  {"of a later pair", {2, 2, 0, 6}, 4, 3, 0},
                  {"cut short", {2}, 1, 1, 0},
                  {"a number too long", {2, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}, 12, 10, 0},
                  {"before the tasks", {2, 2}, 2, 0, 1}};
    static const unsigned char tasks[] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0,
                                          0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 5, 0, 0};
    char byte[60];
    (void)state;
    for (size_t k = 0; k <= sizeof blocks / sizeof *blocks; k++) {
        const int sound = k == sizeof blocks / sizeof *blocks;
        unsigned char bytes[2000];
        size_t n = 8, at = 0;
        memcpy(bytes, TW_FORMAT_MAGIC, 8);
        put_block(bytes, &n, "META", "", 0);
        put_block(bytes, &n, "WORK", "\0\0\3CPU", 6);
        put_block(bytes, &n, "ROUT", "", 0);
        put_block(bytes, &n, "STAG", "", 0);
        put_block(bytes, &n, "KERN", "\5\4gemm", 6);
        for (int second = 0; second < 2; second++)
            if (!sound && second != blocks[k].first)
                at = n + 8, put_block(bytes, &n, "VALU", blocks[k].content, blocks[k].length);
            else if (sound && second)
                put_block(bytes, &n, "VALU", "\2\2", 2);
            else
                put_block(bytes, &n, "TASK", tasks, sizeof tasks);
        put_block(bytes, &n, "DONE", "\2\0", 2);
        if (sound) {
            FILE *f = fmemopen(bytes, n, "rb");
            tw_recorded *r;
            if (tw_recorded_read_stream(&r, f, "sound.tw")) fail_msg("%s", tw_last_message());
            fclose(f);
            assert_true(r->view.records[1].values == 1 && r->view.first_edge[2] == 1 && r->view.edge[0] == 0);
            tw_recorded_destroy(r);
            continue;
        }
        refused(bytes, n, blocks[k].what);
        snprintf(byte, sizeof byte, "damaged.tw: byte %zu: ", at + blocks[k].at);
        if (!strstr(tw_last_message(), byte)) fail_msg("%s: %s instead of %s", blocks[k].what, tw_last_message(), byte);
    }
}

/* Time that other programs took: a piece of the path by itself, and what a replay can leave out. */
static void lost_cores(void **state)
{
    tw_recorded *r = example("chain:n=10,t=1e-2"), *quiet;
    tw_trace_facts f;
    (void)state;
    r->records[3].lost = 4e-3;
    for (int k = 5; k < 10; k++) /* a gap of 5 ms before task 5, of which 3 were another program's */
        r->records[k].start += 5e-3, r->records[k].end += 5e-3;
    r->records[5].lost_before = 3e-3;
    f = facts_of(r);
    near("time", f.seconds, 0.105);
    near("lost in tasks", f.lost, 4e-3);
    near("lost between them", f.lost_idle, 3e-3);
    near("lost on the path", f.path_lost, 7e-3);
    near("not taken", f.path_scheduler, 2e-3);
    near("at work", f.path_tasks, 0.096);
    near("as it was, but for the scheduler's gap", replayed(r, ""), 0.103);
    near("a quiet machine", replayed(r, "lost=0"), 0.096);
    near("and twice as fast", replayed(r, "lost=0,all=2x"), 0.048);
    assert_int_equal(tw_recorded_select(&quiet, r, 0, INFINITY, NULL, NULL), 0);
    tw_recorded_destroy(quiet), tw_recorded_destroy(r);
}

/* ---- edges: what waits for what ---------------------------------------------------------------------------------- */

static size_t waits_for(struct tw_record *records, size_t n, unsigned *before, size_t task)
{
    size_t *first, count;
    unsigned *edge;
    assert_int_equal(tw_edges_of(records, n, &first, &edge), 0);
    count = first[task + 1] - first[task];
    memcpy(before, edge + first[task], count * sizeof *before);
    free(first), free(edge);
    return count;
}

static void edges(void **state)
{
    static int x, y;
    const struct tw_seen_access reads_x = {.object = &x, .reads = 1}, writes_x = {.object = &x, .writes = 1},
                                adds_x = {.object = &x, .reads = 1, .writes = 1, .commutes = 1};
    const struct tw_seen_access both[] = {
        {.object = &x, .reads = 1}, {.object = &y, .reads = 1, .writes = 1}, {.object = NULL}};
    struct tw_record records[12];
    unsigned before[12];
    (void)state;
    memset(records, 0, sizeof records);
    for (int k = 0; k < 12; k++)
        records[k].id = 100 + (unsigned long)k;
    tw_edges_forget();
    tw_edges_task(100, &writes_x, 1);
    tw_edges_task(101, &reads_x, 1);
    tw_edges_task(102, both, 3);      /* reads x, writes y */
    tw_edges_task(103, &writes_x, 1); /* after both readers */
    tw_edges_task(104, &adds_x, 1);   /* two that commute: after the writer, not after each other */
    tw_edges_task(105, &adds_x, 1);
    tw_edges_task(106, &reads_x, 1); /* after both */
    tw_edges_task(107, &adds_x, 1);  /* another group, after the reader */
    tw_edges_task(108, &writes_x, 1);
    tw_edges_task(109, both, 3); /* x's writer, y's writer */
    tw_edges_task(99, &reads_x, 1);
    tw_edges_task(110, &writes_x, 1); /* a task before the recording counts for nobody */
    assert_int_equal(waits_for(records, 12, before, 0), 0);
    assert_true(waits_for(records, 12, before, 1) == 1 && before[0] == 0);
    assert_true(waits_for(records, 12, before, 2) == 1 && before[0] == 0);
    assert_true(waits_for(records, 12, before, 3) == 2 && before[0] == 1 && before[1] == 2);
    assert_true(waits_for(records, 12, before, 4) == 1 && before[0] == 3);
    assert_true(waits_for(records, 12, before, 5) == 1 && before[0] == 3);
    assert_true(waits_for(records, 12, before, 6) == 2 && before[0] == 4 && before[1] == 5);
    assert_true(waits_for(records, 12, before, 7) == 1 && before[0] == 6);
    assert_true(waits_for(records, 12, before, 8) == 1 && before[0] == 7);
    assert_true(waits_for(records, 12, before, 9) == 2 && before[0] == 8 && before[1] == 2);
    assert_true(waits_for(records, 12, before, 10) == 1 && before[0] == 9);
    tw_edges_forget();
    /* Two objects with very many readers, and one that writes both: no quadratic search. */
    for (unsigned long k = 0; k < 200000; k++)
        tw_edges_task(1000 + k, k % 2 ? &reads_x : &(struct tw_seen_access){.object = &y, .reads = 1}, 1);
    tw_edges_task(300000, (const struct tw_seen_access[]){writes_x, {.object = &y, .writes = 1}}, 2);
    tw_edges_forget();
}

/* ---- transfers that nobody tells of ------------------------------------------------------------------------------ */

static void inferred(void **state)
{
    static const struct tw_seen_access reads = {.bytes = 8, .reads = 1, .travels = 1},
                                       writes = {.bytes = 8, .writes = 1, .travels = 1},
                                       changes = {.bytes = 8, .reads = 1, .writes = 1, .travels = 1},
                                       fresh = {.bytes = 4, .reads = 1, .writes = 1},
                                       staged = {.bytes = 2, .reads = 1, .travels = 1, .staged = 1};
    const int memory[] = {0, 1, 2}; /* a core, two GPUs */
    const struct {
        unsigned object;
        const struct tw_seen_access *access;
        int worker, from, to; /* what is to be found; -9: nothing */
    } tasks[] = {{0, &reads, 1, -1, 0},   {0, &reads, 1, -9, 0},  {0, &reads, 2, -1, 1}, {0, &changes, 1, -9, 0},
                 {0, &reads, 2, 0, 1},    {0, &reads, 0, 0, -1},  {0, &reads, 2, -9, 0}, {1, &writes, 2, -9, 0},
                 {1, &reads, 0, 1, -1},   {2, &fresh, 1, -9, 0},  {2, &fresh, 0, 0, -1}, {3, &staged, 1, -9, 0},
                 {1, &changes, 0, -9, 0}, {1, &changes, 1, -1, 0}};
    enum { N = sizeof tasks / sizeof *tasks };
    struct tw_record records[N] = {0};
    struct tw_transfer *t;
    size_t n, at = 0;
    (void)state;
    tw_inferred_forget();
    for (unsigned k = 0; k < N; k++) {
        records[k] = (struct tw_record){
            .id = k, .worker = tasks[k].worker, .taken = k + 0.1, .loaded = k + 0.3, .start = k + 0.4, .end = k + 1};
        tw_inferred_use((k * 5) % N, tasks[(k * 5) % N].object, tasks[(k * 5) % N].access); /* in any order */
    }
    assert_int_equal(tw_inferred_transfers(records, N, memory, &t, &n), 0);
    for (unsigned k = 0; k < N; k++) {
        if (tasks[k].from == -9) continue;
        assert_true(at < n);
        assert_int_equal(t[at].task, k + 1);
        assert_true(t[at].source == tasks[k].from && t[at].target == tasks[k].to && t[at].inferred &&
                    t[at].bytes == tasks[k].access->bytes);
        near("from", t[at].from, k + 0.1), near("to", t[at].to, k + 0.3);
        at++;
    }
    /* Object 1 was written on a GPU last and lives in main memory; 0 is there already, 2 lives nowhere. */
    assert_int_equal(at + 1, n);
    assert_true(t[at].source == 0 && t[at].target == -1 && t[at].inferred && t[at].bytes == 8 && t[at].task == 0);
    near("home, from", t[at].from, N), near("home, to", t[at].to, N);
    free(t);
    tw_inferred_forget();
    assert_int_equal(tw_inferred_transfers(records, N, memory, &t, &n), 0);
    assert_int_equal(n, 0);
    free(t);
}

/* A GPU's tasks in a row, by its own clock: each is behind the one before by what the host takes to see its end.
 * Others, that wait for nothing, are no measure of it. */
static void seen_late(void **state)
{
    enum { ROW = 10, OTHERS = 30 };
    const double t = 1e-3, late = 5e-5, submit = 1e-6;
    const char *why;
    tw_recorded *r;
    (void)state;

    assert_int_equal(tw_recorded_new(&r), 0);
    for (int w = 0; w < 2; w++)
        assert_int_equal(tw_recorded_add_worker(r, "GPU", 3, 1, w), 0);
    assert_int_equal(tw_recorded_add_kernel(r, "leaf", 4, 0), 0);
    for (int k = 0; k < ROW + OTHERS; k++) {
        const int row = k < ROW;
        const double start = submit + (row ? k * (t + late) : (k - ROW) * t / 10);
        const struct tw_record x = {.name = r->kernels.name[0],
                                    .submit = submit,
                                    .ready = row ? start : submit,
                                    .start = start,
                                    .end = start + (row ? t : t / 10),
                                    .worker = !row,
                                    .type = 1,
                                    .by_gpu = 1,
                                    .coord = {k, -1, -1, -1},
                                    .id = (unsigned long)k};
        assert_int_equal(tw_recorded_add_task(r, &x), 0);
        if (row && k) assert_int_equal(tw_recorded_add_edge(r, (unsigned)k - 1), 0);
    }
    assert_int_equal(tw_recorded_finish(r, &why), 0);
    near("as it was", replayed(r, ""), ROW * t + (ROW - 1) * late);
    assert_true(replayed(r, "order=fifo") >
                ROW * t + (ROW - 1) * late - 1e-9); /* the other leaves may take its worker */
    near("seen at once", replayed(r, "overhead=0"), ROW * t);
    tw_recorded_destroy(r);
}

/* What a core ran for want of a GPU's time goes to a second GPU, and takes as long there as its like took on the
 * first. */
static void given_to_gpus(void **state)
{
    const char *why;
    tw_recorded *r;
    (void)state;

    assert_int_equal(tw_recorded_new(&r), 0);
    assert_int_equal(tw_recorded_add_worker(r, "GPU", 3, 1, 0), 0);
    assert_int_equal(tw_recorded_add_worker(r, "CPU", 3, 0, 0), 0);
    for (int k = 0; k < 2; k++)
        assert_int_equal(tw_recorded_add_kernel(r, k ? "alone" : "leaf", k ? 5 : 4, 0), 0);
    for (int k = 0; k < 23; k++) { /* 20 on the GPU, 2 beside them on a core, and one that only a core has */
        const double t = k < 20 ? 1e-3 : k < 22 ? 9e-3 : 2e-3, start = k < 20 ? k * t : (k - 20) * 9e-3;
        const struct tw_record x = {.name = r->kernels.name[k == 22],
                                    .start = start,
                                    .end = start + t,
                                    .worker = k >= 20,
                                    .type = 1,
                                    .coord = {k, -1, -1, -1},
                                    .id = (unsigned long)k};
        assert_int_equal(tw_recorded_add_task(r, &x), 0);
    }
    assert_int_equal(tw_recorded_finish(r, &why), 0);
    near("as it was", replayed(r, ""), 20e-3);
    near("another order", replayed(r, "order=fifo"), 20e-3);
    near("two GPUs", replayed(r, "gpus=2"), 11e-3);
    near("many", replayed(r, "gpus=40"), 2e-3);
    tw_recorded_destroy(r);
}

/* Submission that waited for room goes on sooner on a larger machine. */
static void window_full(void **state)
{
    tw_recorded *r = example("independent:n=40,workers=2,t=1e-3");
    (void)state;

    for (size_t k = 20; k < 40; k++)
        r->records[k].submit = r->records[k - 20].start + 1e-9;
    assert_int_equal(tw_recorded_add_stay(r, &(struct tw_stay){1e-9, r->records[39].submit, TW_DOING_FULL, 0}), 0);
    r->view.stays = r->stays, r->view.nstays = r->nstays;
    near("as it was", replayed(r, ""), 20e-3);
    near("twice the cores", replayed(r, "cores=4"), 10e-3);
    near("eight times", replayed(r, "cores=16"), 3e-3);
    tw_recorded_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(window_full),  cmocka_unit_test(given_to_gpus), cmocka_unit_test(seen_late),
        cmocka_unit_test(chains),       cmocka_unit_test(independents),  cmocka_unit_test(forks),
        cmocka_unit_test(choleskys),    cmocka_unit_test(transfers),     cmocka_unit_test(bad_examples),
        cmocka_unit_test(round_trip),   cmocka_unit_test(damaged_files), cmocka_unit_test(wrong_content),
        cmocka_unit_test(wrong_blocks), cmocka_unit_test(lost_cores),    cmocka_unit_test(edges),
        cmocka_unit_test(inferred),     cmocka_unit_test(values),        cmocka_unit_test(value_or_data),
        cmocka_unit_test(wrong_values)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
