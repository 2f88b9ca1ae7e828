/* Advice: one function a rule, which looks at the figures and, where something stands out, says what and which command
 * to try. Thresholds are such that a run without fault hears nothing: what costs less than a tenth of the time is not
 * worth a word, but for what makes figures wrong. */
#include "traces/advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/doing.h"
#include "traces/recorded.h"
#include "traces/text.h"

struct looked {
    const struct tw_summary *s;
    const struct tw_analysis *a;
    const tw_trace_facts *f;
    double whole;    /* seconds of all workers together */
    int nb;          /* order of the tiles, as the flops of gemm or trsm say; 0: not known */
    int cores, gpus; /* workers: of a GPU there may be several */
    int wanted[2];   /* cores, GPUs' workers: they could do a fair part of the work */
    int workers;     /* of wanted kinds */
    double idle;     /* share of their time */
    int on_gpus;     /* these did most of the work */
    int streams;     /* workers of a GPU */
};
/* 1: it holds; evidence, command and share are filled in, and gain where the command changes the run itself: what
 * tests/bench/advice-bars.sh measures. */
typedef int (*rule_fn)(const struct looked *l, tw_trace_advice *a);

#define SAY(...)     snprintf(a->evidence, sizeof a->evidence, __VA_ARGS__)
#define COMMAND(...) snprintf(a->command, sizeof a->command, __VA_ARGS__)

static double percent(double part, double whole)
{
    return 100 * tw_summary_share(part, whole);
}
static int option(const struct looked *l, const char *variable, const char *flag, const char *value)
{
    char text[100];
    const char *command = tw_recorded_fact(l->s->recording, "command"), *set, *at;

    snprintf(text, sizeof text, "variable %s", variable);
    set = tw_recorded_fact(l->s->recording, text);
    if (set && !strcmp(set, value)) return 1;
    snprintf(text, sizeof text, "%s %s", flag, value);
    at = command ? strstr(command, text) : NULL;
    return at && (at[strlen(text)] == ' ' || !at[strlen(text)]);
}
/* Part of the whole time. */
static void promise(const struct looked *l, tw_trace_advice *a, double part)
{
    a->gain = fmax(0, fmin(part, 1)) * l->f->seconds;
}
/* A GPU's kernels lose more by small tiles than cores', and how much a recording does not say: there nothing is
 * promised. */
static void try_tiles(const struct looked *l, tw_trace_advice *a, double factor)
{
    if (l->on_gpus) {
        a->gain = 0;
        if (l->nb)
            COMMAND("tilework compare --nb %d,%d -- ...", l->nb, (int)(l->nb * factor));
        else
            COMMAND("tilework compare with several --nb");
    } else if (l->nb)
        COMMAND("--nb %d", (int)(l->nb * factor) > 0 ? (int)(l->nb * factor) : 1);
    else
        COMMAND(factor > 1 ? "larger parts (--nb, --eps)" : "smaller parts (--nb)");
}

/* ---- the rules --------------------------------------------------------------------------------------------------- */

static int dropped(const struct looked *l, tw_trace_advice *a)
{
    const size_t all = l->s->recording->dropped + l->f->tasks;
    if (!l->s->recording->dropped) return 0;
    a->share = tw_summary_share((double)l->s->recording->dropped, (double)all);
    SAY("%zu of %zu tasks are missing in the recording: figures are of the rest", l->s->recording->dropped, all);
    COMMAND("TILEWORK_TRACE_LIMIT=%zu", all);
    return 1;
}

static int lost_cores(const struct looked *l, tw_trace_advice *a)
{
    const double lost = l->f->lost + l->f->lost_idle;
    a->share = tw_summary_share(lost, l->cores * l->f->seconds);
    if (!l->cores || a->share < 0.05) return 0;
    a->gain = l->f->path_lost;
    SAY("other programs took %.1f %% of the cores' time: no figure here is the machine's", 100 * a->share);
    if (l->cores > 1)
        COMMAND("a quiet machine, or --ncpu %d", l->cores - 1);
    else
        COMMAND("a quiet machine");
    return 1;
}

static int old_kernels(const struct looked *l, tw_trace_advice *a)
{
    static const char *const old[] = {"Prescott", "Core2",  "Nehalem",   "Generic",
                                      "Atom",     "Katmai", "Northwood", "Banias"};
    const char *kernels = tw_recorded_fact(l->s->recording, "blas kernels");
    for (size_t k = 0; kernels && k < sizeof old / sizeof *old; k++)
        if (!strcmp(kernels, old[k])) {
            a->share = tw_summary_share(l->f->busy, l->whole);
            a->gain = 0.5 * l->f->path_tasks; /* registers have grown twice since: by one of the two */
            SAY("BLAS ran its kernels for %s, which are for processors of many years ago", kernels);
            COMMAND("tilework doctor");
            return 1;
        }
    return 0;
}

static int small_tasks(const struct looked *l, tw_trace_advice *a)
{
    const double mean = tw_summary_share(l->f->busy, (double)l->f->tasks), idle = l->s->idle_middle;
    a->share = idle;
    if (l->f->tasks < 50 || mean > 100e-6 || idle < 0.15) return 0;
    SAY("a task takes %s on average, and between tasks workers are idle for %.0f %% of their time: the runtime's own "
        "work shows",
        tw_time_text(mean).text, 100 * idle);
    promise(l, a, 0.75 * idle); /* a quarter as many tasks at least */
    try_tiles(l, a, 2);
    return 1;
}

/* For how long submission waited because as many tasks were under way as may be. */
static double window_full(const struct looked *l)
{
    const struct tw_recording *r = l->s->recording;
    double full = 0;
    for (size_t k = 0; k < r->nstays; k++)
        if (r->stays[k].what == TW_DOING_FULL) full += r->stays[k].to - r->stays[k].from;
    return full;
}

/* Seconds that the same tasks would take less, had all been submitted at once. */
static double all_at_once(const struct looked *l)
{
    double same, other;
    const struct tw_recording *r = l->s->recording;
    if (!r->first_edge || r->nrecords > 200000) return 0;
    return tw_replay(r, "", &same) || tw_replay(r, "submit=0,order=fifo", &other) ? 0 : fmax(0, same - other);
}

enum { DEFAULT_WINDOW = 16384 };

/* Whether the window that was full was smaller than the default of 16384 tasks, which fewer do not fill. */
static int small_window(const struct looked *l)
{
    const char *set = tw_recorded_fact(l->s->recording, "variable TILEWORK_WINDOW"),
               *command = tw_recorded_fact(l->s->recording, "command"),
               *flag = command ? strstr(command, "--window ") : NULL;
    if (flag) set = flag + strlen("--window ");
    return l->f->tasks <= DEFAULT_WINDOW || (set && strtoll(set, NULL, 10) < DEFAULT_WINDOW);
}

/* Larger windows where they were small, larger tiles else. */
static void try_window(const struct looked *l, tw_trace_advice *a)
{
    if (small_window(l)) {
        COMMAND("--window %d", DEFAULT_WINDOW);
        return;
    }
    a->gain *= 0.75; /* a quarter as many tasks at most */
    try_tiles(l, a, 2);
}

/* Of the path's waits for submission those that a loop made by submitting slowly. What is submitted once a value is
 * there cannot come sooner than the first task that is; that one's delay no tiles make shorter. 0, too, without
 * memory. */
static double slow_submission(const struct looked *l)
{
    const struct tw_recording *r = l->s->recording;
    double *first = malloc((r->nrecords + 1) * sizeof *first), slow = l->f->path_submission;

    for (size_t k = 0; first && k < r->nrecords; k++)
        first[k] = INFINITY;
    for (size_t k = 0; first && k < r->nrecords; k++) {
        const size_t writer = r->records[k].values && tw_counts(r, &r->records[k]) ? tw_value_before(r, k) : SIZE_MAX;
        if (writer != SIZE_MAX) first[writer] = fmin(first[writer], tw_value_delay(r, k));
    }
    for (size_t k = 0; first && k < l->a->nsteps; k++)
        if (l->a->steps[k].because == 4)
            slow -= fmin(l->a->steps[k].submission, first[tw_value_before(r, l->a->step_record[k])]);
    free(first);
    return first ? fmax(0, slow) : 0;
}

static int submission(const struct looked *l, tw_trace_advice *a)
{
    const double slow = slow_submission(l);

    a->share = tw_summary_share(slow, l->f->seconds);
    if (a->share < 0.10 || l->f->tasks < 2) return 0;
    SAY("for %.0f %% of the time the work that was needed next had not been submitted yet", 100 * a->share);
    a->gain = fmin(all_at_once(l), slow);
    if (a->gain < 0.03 * l->f->seconds) return 0; /* no sooner would it have been of use */
    if (window_full(l) > 0.5 * l->f->seconds) {   /* that is what it waited for */
        try_window(l, a);
    } else {
        a->gain *= 0.75;
        try_tiles(l, a, 2);
    }
    return 1;
}

static int window(const struct looked *l, tw_trace_advice *a)
{
    const double full = window_full(l);
    const double idle = l->workers == l->s->recording->nworkers ? l->s->idle_middle + l->s->idle_unused : l->idle;
    a->share = fmin(idle, tw_summary_share(full, l->f->seconds));
    if (a->share < 0.10) return 0;
    SAY("submission waited for %.0f %% of the time because as many tasks were under way as may be, while workers were "
        "idle for %.0f %%",
        percent(full, l->f->seconds), 100 * idle);
    a->gain = all_at_once(l);
    try_window(l, a);
    return 1;
}

static int tail(const struct looked *l, tw_trace_advice *a)
{
    const double each = tw_summary_share((double)l->f->tasks, l->workers);
    a->share = l->s->idle_end;
    if (a->share < 0.15 || each < 1 || each > 200) return 0;
    SAY("workers had nothing to do for %.0f %% of their time at the end, with %.0f tasks for each: the graph narrows",
        100 * a->share, each);
    promise(l, a, 0.5 * a->share);
    try_tiles(l, a, 0.5);
    return 1;
}

static int unused(const struct looked *l, tw_trace_advice *a)
{
    int idle = 0, parts = 0;
    for (int w = 0; w < l->s->recording->nworkers; w++) { /* it may have done some parts of a team's task */
        if (!l->wanted[!!l->s->recording->workers[w].is_cuda]) continue;
        const double busy = tw_summary_share(l->s->workers[w].all.seconds, l->f->seconds);
        if (busy > 0.02) continue;
        idle++, parts += l->s->workers[w].all.count > 0;
        a->share += (1 - busy) / l->workers;
    }
    if (!idle || a->share < 0.15) return 0;
    SAY("%d of %d workers ran %s, with %zu tasks in all", idle, l->workers, parts ? "next to nothing" : "nothing",
        l->f->tasks);
    promise(l, a, 0.5 * a->share);
    if (l->f->tasks < 20 * (size_t)l->workers)
        try_tiles(l, a, l->f->tasks > 1 ? 0.5 : 0.125); /* two tiles a side are a chain, too */
    else
        COMMAND("--sched eager");
    return 1;
}

/* Tasks in a row: one waits for the other, and no worker more would help. The path is that chain, whatever other
 * programs took of it. */
static int chain(const struct looked *l, tw_trace_advice *a)
{
    const double seconds = l->f->seconds, row = l->f->graph, work = l->f->busy / l->workers;

    a->share = tw_summary_share(row - work, seconds);
    if (a->share < 0.2 || row < (l->on_gpus ? 0.85 : 0.5) * seconds || row < 0.8 * (l->f->path_tasks + l->f->path_lost))
        return 0;
    if (l->f->tasks > 200 * (size_t)l->workers) return 0;
    SAY("tasks that wait for each other take %.0f %% of the time in a row, while workers are busy for %.0f %% of "
        "theirs",
        percent(row, seconds), percent(work, seconds));
    promise(l, a, 0.5 * a->share);
    try_tiles(l, a, 0.5);
    return 1;
}

/* A kernel that is little of the work and much of the path. */
static int panel(const struct looked *l, tw_trace_advice *a)
{
    for (int k = 0; k < l->a->nkernels; k++) {
        const tw_trace_kernel *t = &l->a->kernels[k];
        const double path = tw_summary_share(t->path_seconds, l->f->seconds),
                     busy = tw_summary_share(t->seconds, l->f->busy);
        if (path < 0.30 || busy > 0.15 || l->idle < 0.20 || l->a->nkernels < 2 || t->path_tasks < 2) continue;
        a->share = path - busy;
        SAY("%c%.40s is %.0f %% of the work and %.0f %% of the path: workers wait for it", t->type, t->name, 100 * busy,
            100 * path);
        promise(l, a, 0.5 * a->share);
        try_tiles(l, a, 0.5);
        return 1;
    }
    return 0;
}

static int order(const struct looked *l, tw_trace_advice *a)
{
    double same, other;
    if (!option(l, "TILEWORK_PRIORITY", "--priority", "none") || l->s->recording->nrecords > 200000) return 0;
    if (!l->s->recording->first_edge || tw_replay(l->s->recording, "", &same) || l->idle < 0.05) return 0;
    other = fmax(l->f->graph, l->f->busy / l->workers);
    a->share = tw_summary_share(same - other, same);
    if (a->share < 0.05) return 0;
    SAY("tasks have no priorities, and workers are idle for %.0f %% of their time", 100 * l->idle);
    COMMAND("--priority bottom-level");
    return 1;
}

static int blind(const struct looked *l, tw_trace_advice *a)
{
    static const char *const those[] = {"random", "eager", "ws", "dm", "dmda", "dmdar"};
    const char *sched = l->s->recording->sched;
    int known = 0;
    for (size_t k = 0; k < sizeof those / sizeof *those; k++)
        known |= sched && !strcmp(sched, those[k]);
    a->share = l->s->idle_middle;
    if (!known || a->share < 0.10 || l->f->tasks < 20) return 0;
    SAY("'%s' does not look at priorities, and between tasks workers are idle for %.0f %% of their time", sched,
        100 * a->share);
    promise(l, a, 0.5 * a->share);
    COMMAND("--sched %s", l->gpus ? "tilework" : "lws");
    return 1;
}

static int not_taken(const struct looked *l, tw_trace_advice *a)
{
    a->share = tw_summary_share(l->f->path_scheduler, l->f->seconds);
    if (a->share < 0.15 || l->f->tasks < 10) return 0;
    SAY("for %.0f %% of the time the task needed next was ready, and no worker took it", 100 * a->share);
    COMMAND("tilework compare --sched %s -- ...", l->gpus ? "tilework,dmdas,lws" : "lws,prio,eager");
    return 1;
}

/* Where idle workers and ready tasks do not meet, off the path, too: the same tasks by list scheduling. */
static int schedule(const struct looked *l, tw_trace_advice *a)
{
    double same, other;
    if (l->idle < 0.20 || l->f->tasks < 20 || l->s->recording->nrecords > 200000) return 0;
    if (!l->s->recording->first_edge || option(l, "TILEWORK_PRIORITY", "--priority", "none")) return 0;
    if (tw_replay(l->s->recording, "", &same) || tw_replay(l->s->recording, "order=priority", &other)) return 0;
    a->share = tw_summary_share(same - other, l->f->seconds);
    if (a->share < 0.20) return 0;
    SAY("workers are idle for %.0f %% of their time, and the same tasks, the most urgent first, would take %.0f %% "
        "less",
        100 * l->idle, percent(same - other, same));
    promise(l, a, a->share);
    COMMAND("tilework compare --sched %s -- ...", l->gpus ? "tilework,dmdas,lws" : "lws,prio,eager");
    return 1;
}

static int data(const struct looked *l, tw_trace_advice *a)
{
    const int ours = l->gpus && l->s->recording->sched && !strcmp(l->s->recording->sched, "tilework");
    a->share = tw_summary_share(l->f->path_data, l->f->seconds);
    if (a->share < (ours ? 0.20 : 0.10)) return 0; /* from main memory the first tiles take their time */
    SAY("for %.0f %% of the time the task needed next waited for its data", 100 * a->share);
    promise(l, a, 0.5 * a->share);
    if (l->gpus && !ours)
        COMMAND("--sched tilework");
    else
        try_tiles(l, a, l->on_gpus ? 0.5 : 2); /* a GPU's link begins sooner with what cores would want larger */
    return 1;
}

static int outliers(const struct looked *l, tw_trace_advice *a)
{
    const struct tw_recording *r = l->s->recording;
    for (int k = 0; k < l->a->nkernels; k++) {
        const tw_trace_kernel *t = &l->a->kernels[k];
        double excess = 0;
        if (t->tasks < 20 || !t->outliers) continue;
        for (size_t i = 0; i < r->nrecords; i++) {
            const struct tw_record *x = &r->records[i];
            const double took = x->end - x->start - x->lost;
            if (r->workers[x->worker].is_cuda && l->streams > 1) continue; /* beside others' kernels it takes longer */
            if (tw_counts(r, x) && took > 3 * t->median && tw_letter((enum tw_type)x->type) == t->type && x->name &&
                !strcmp(x->name, t->name))
                excess += took - t->median;
        }
        a->share = tw_summary_share(excess, l->f->busy);
        if (a->share < 0.10) continue;
        SAY("%zu of %zu %c%.40s took more than three times the median %s, %.0f %% of all work, though no other program "
            "had the core",
            t->outliers, t->tasks, t->type, t->name, tw_time_text(t->median).text, 100 * a->share);
        COMMAND("--repeat 5, and look at the last run");
        return 1;
    }
    return 0;
}

/* Most of its tasks ran there. */
static int on_gpus(const struct looked *l, const tw_trace_kernel *t)
{
    const struct tw_recording *r = l->s->recording;
    size_t there = 0;

    for (size_t i = 0; i < r->nrecords; i++)
        there += tw_counts(r, &r->records[i]) && r->workers[r->records[i].worker].is_cuda && r->records[i].name &&
                 tw_letter((enum tw_type)r->records[i].type) == t->type && !strcmp(r->records[i].name, t->name);
    return 2 * there > t->tasks;
}

static int models(const struct looked *l, tw_trace_advice *a)
{
    for (int k = 0; k < l->a->nkernels; k++) {
        const tw_trace_kernel *t = &l->a->kernels[k];
        a->share = tw_summary_share(t->seconds, l->f->busy);
        if (t->predicted < 10 || a->share < 0.10 || (t->bias < 2.5 && t->bias > 0.4)) continue;
        if (t->bias > 1 && on_gpus(l, t) && t->bias < 2.5 * l->streams) continue; /* kernels of a GPU at once */
        SAY("%c%.40s takes %.2g times as long as predicted: schedulers, and the choice of tiles, go by predictions",
            t->type, t->name, t->bias);
        COMMAND("tilework calibrate");
        return 1;
    }
    return 0;
}

static int wrong_place(const struct looked *l, tw_trace_advice *a)
{
    a->share = tw_summary_share(l->f->regret, l->f->busy);
    if (a->share < 0.20 || l->f->choices < 10) return 0;
    SAY("%zu of %zu tasks that cores and GPUs can do ran where they were predicted to take longer, by %.0f %% of all "
        "work",
        l->f->against, l->f->choices, 100 * a->share);
    a->gain = l->f->regret / l->s->recording->nworkers;
    COMMAND("--sched tilework");
    return 1;
}

/* A worker's own, or, of a GPU, that of all its streams, which share it. */
static double rate_of(const struct looked *l, int worker)
{
    const struct tw_recording *r = l->s->recording;
    struct tw_work all = {0};

    if (!r->workers[worker].is_cuda) return tw_summary_rate(l->s->workers[worker].all);
    for (int w = 0; w < r->nworkers; w++)
        if (r->workers[w].is_cuda && r->workers[w].device == r->workers[worker].device) {
            all.seconds += l->s->workers[w].all.seconds;
            all.flops += l->s->workers[w].all.flops;
        }
    return tw_summary_rate(all);
}

static int slow_worker(const struct looked *l, tw_trace_advice *a)
{
    const struct tw_recording *r = l->s->recording;
    double best[2] = {0, 0};

    for (int w = 0; w < r->nworkers && r->nworkers <= 10000; w++)
        if (l->s->workers[w].all.count >= 10)
            best[!!r->workers[w].is_cuda] = fmax(best[!!r->workers[w].is_cuda], rate_of(l, w));
    for (int w = 0; w < r->nworkers && r->nworkers <= 10000; w++) {
        const struct tw_work *all = &l->s->workers[w].all;
        const double mine = rate_of(l, w), most = best[!!r->workers[w].is_cuda];
        if (all->count < 10 || !(mine > 0) || mine > 0.5 * most || all->seconds < 0.1 * l->f->seconds) continue;
        if (l->f->lost > 0.05 * l->f->busy) return 0; /* lost_cores says it */
        a->share = tw_summary_share(all->seconds, l->whole);
        SAY("%.40s works at %s, the best of its kind at %s", r->workers[w].name, tw_rate_text(mine).text,
            tw_rate_text(most).text);
        COMMAND("--ncpu %d, or another core: STARPU_WORKERS_CPUID", l->cores > 1 ? l->cores - 1 : 1);
        return 1;
    }
    return 0;
}

static int idle_gpus(const struct looked *l, tw_trace_advice *a)
{
    double busy[2] = {0, 0}, cores;
    if (!l->gpus || !l->cores) return 0;
    for (int w = 0; w < l->s->recording->nworkers; w++)
        busy[!!l->s->recording->workers[w].is_cuda] += l->s->workers[w].all.seconds;
    a->share = 1 - tw_summary_share(busy[1], l->gpus * l->f->seconds);
    cores = tw_summary_share(busy[0], l->cores * l->f->seconds);
    if (a->share < 0.5 || cores < 0.5) return 0;
    SAY("GPUs are idle for %.0f %% of the time while cores are busy for %.0f %%: they wait for what cores do",
        100 * a->share, 100 * cores);
    COMMAND("--ncpu 1");
    return 1;
}

static const struct {
    const char *name;
    rule_fn holds;
    int of_all; /* about idle time, counts or order: of a recording that lacks tasks it says nothing */
} rules[] = {{"recording", dropped, 0},
             {"cores-lost", lost_cores, 0},
             {"blas-kernels", old_kernels, 0},
             {"small-tasks", small_tasks, 1},
             {"submission", submission, 1},
             {"window", window, 1},
             {"end", tail, 1},
             {"unused-workers", unused, 1},
             {"chain", chain, 1},
             {"panel", panel, 1},
             {"priorities", order, 1},
             {"scheduler-priorities", blind, 1},
             {"not-taken", not_taken, 1},
             {"schedule", schedule, 1},
             {"data", data, 1},
             {"outliers", outliers, 0},
             {"predictions", models, 0},
             {"place", wrong_place, 0},
             {"slow-worker", slow_worker, 0},
             {"idle-gpus", idle_gpus, 1}};

static int largest_share(const void *a, const void *b)
{
    const double x = ((const tw_trace_advice *)a)->share, y = ((const tw_trace_advice *)b)->share;
    return (x < y) - (x > y);
}

/* As the flops of gemm say, which are 2 nb^3, or, where there is none, those of trsm, nb^3, or of potrf, nb^3 / 3.
 * Complex ones: four times as many. */
static int tiles(const struct tw_analysis *a)
{
    static const char *const names[] = {"gemm", "trsm", "potrf"};
    static const double cubes[] = {2, 1, 1 / 3.};

    for (int name = 0; name < 3; name++)
        for (int k = 0; k < a->nkernels; k++)
            if (!strcmp(a->kernels[k].name, names[name]) && a->kernels[k].tasks)
                return (int)lround(cbrt(a->kernels[k].flops / (double)a->kernels[k].tasks /
                                        (strchr("cz", a->kernels[k].type) ? 4 : 1) / cubes[name]));
    return 0;
}

/* Beside a GPU a dozen cores may have nothing to do, and be no loss: those count that could do a third of the work, as
 * tasks were predicted. */
static void find_wanted(struct looked *l)
{
    const struct tw_recording *r = l->s->recording;
    double seconds[2] = {0, 0}, could[2];
    int devices = 0;

    for (size_t i = 0; i < r->nrecords; i++)
        for (int kind = 0; kind < 2 && tw_counts(r, &r->records[i]); kind++)
            seconds[kind] += r->records[i].predicted[kind];
    for (int w = 0; w < r->nworkers; w++) { /* streams of a GPU share it */
        int again = !r->workers[w].is_cuda;
        for (int v = 0; v < w && !again; v++)
            again = r->workers[v].is_cuda && r->workers[v].device == r->workers[w].device;
        devices += !again;
    }
    could[0] = tw_summary_share(l->cores, seconds[0]);
    could[1] = tw_summary_share(devices, seconds[1]);
    for (int kind = 0; kind < 2; kind++)
        l->wanted[kind] = could[0] + could[1] > 0 ? could[kind] >= (devices ? 1 / 3. : 0.1) * (could[0] + could[1]) : 1;
    l->workers = (l->wanted[0] ? l->cores : 0) + (l->wanted[1] ? l->gpus : 0);
    if (!l->workers) l->wanted[0] = l->wanted[1] = 1, l->workers = r->nworkers;
    l->streams = devices ? l->gpus / devices : 0;
}

/* How idle those were, and which did the work. */
static void find_work(struct looked *l)
{
    const struct tw_recording *r = l->s->recording;
    struct tw_work of[2] = {{0}, {0}};
    double busy = 0;

    for (int w = 0; w < r->nworkers; w++) {
        const int kind = !!r->workers[w].is_cuda;
        of[kind].flops += l->s->workers[w].all.flops;
        of[kind].seconds += l->s->workers[w].all.seconds;
        if (l->wanted[kind]) busy += l->s->workers[w].all.seconds;
    }
    l->idle = l->workers == r->nworkers ? l->s->idle : 1 - fmin(1, tw_summary_share(busy, l->workers * l->f->seconds));
    l->on_gpus = of[1].flops > 0 ? of[1].flops > of[0].flops : of[1].seconds > of[0].seconds;
}

/* Of several ranks' together the rules would see waits for each other as faults of the machine. */
static int each_alone(tw_trace_advice *advice, int max, const char *ranks)
{
    tw_trace_advice alone = {.rule = "ranks"}, *a = &alone;

    SAY("this is ranks %.60s together: what they waited for of each other is not recorded", ranks);
    COMMAND("tilework trace with the recording of one rank");
    if (max > 0) advice[0] = alone;
    return 1;
}

int tw_advise(tw_trace_advice *advice, int max, const struct tw_summary *s, const struct tw_analysis *a)
{
    enum { RULES = sizeof rules / sizeof *rules };
    struct looked l = {
        .s = s, .a = a, .f = &a->facts, .whole = a->facts.seconds * s->recording->nworkers, .nb = tiles(a)};
    tw_trace_advice all[RULES];
    int n = 0;

    if (tw_recorded_is_merged(s->recording)) return each_alone(advice, max, tw_recorded_fact(s->recording, "ranks"));

    for (int w = 0; w < s->recording->nworkers; w++)
        s->recording->workers[w].is_cuda ? l.gpus++ : l.cores++;
    find_wanted(&l);
    find_work(&l);
    for (int k = 0; k < RULES && a->facts.seconds > 0; k++) {
        if (rules[k].of_all && (s->recording->dropped || s->recording->part)) continue;
        all[n] = (tw_trace_advice){.rule = rules[k].name};
        n += rules[k].holds(&l, &all[n]);
    }
    qsort(all, (size_t)n, sizeof *all, largest_share);
    for (int k = 0; k < n && k < max; k++)
        advice[k] = all[k];
    return n;
}
