/* Several ranks' recordings as one. Each rank's times begin with its own recording; the calendar's clock, which its
 * file has for that moment, puts them in one order. Names say whose a worker, a thread, a routine and a memory is. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/state.h"
#include "traces/index.h"
#include "traces/recorded.h"

/* What a file may have (read.c). */
enum { WORKERS = 100000, THREADS = 10000, MEMORIES = 1000 };
#define TIME_MOST INT64_C(2000000000000000000) /* ns; sums stay within 64 bits */

struct part {
    const struct tw_recording *v;
    int *rank, nranks;
    int several;       /* it was merged itself: its names say whose they are */
    char prefix[32];   /* of names */
    int dated;         /* it says when it began: */
    int64_t began;     /* in ns since 1970, by the first rank's clock */
    int gpus, threads; /* their numbers are below; main memory is -1 */
    /* What is added to its numbers and times. */
    struct {
        double time;
        unsigned long id;
        int worker, routine, thread, memory;
        size_t task;
    } shift;
};

/* ---- what a recording says of itself ----------------------------------------------------------------------------- */

static int bad(const char *key, const char *value)
{
    return tw_fail(TW_E_FORMAT, "tw_recorded_merge: %s is '%.40s' in one of them", key, value);
}

/* A whole number that `text` begins with; *end: behind it. */
static int integer(const char *text, int64_t low, int64_t high, int64_t *v, char **end)
{
    errno = 0;
    *v = strtoll(text, end, 10);
    return *end == text || errno || *v < low || *v > high;
}

static int number(const struct tw_recording *v, const char *key, int64_t low, int64_t high, int64_t *value)
{
    const char *text = tw_recorded_fact(v, key);
    char *end;

    *value = 0;
    if (!text) return 0;
    return integer(text, low, high, value, &end) || *end ? bad(key, text) : 0;
}

static int by_rank(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* "0 1 5" of "ranks", or the only "rank". */
static int find_ranks(struct part *p)
{
    const char *text = tw_recorded_fact(p->v, "ranks");
    int64_t rank = 0;
    int room = 0, e;

    p->several = text != NULL;
    if (!text && (e = number(p->v, "rank", 0, TW_RANK_MOST, &rank))) return e;
    for (const char *at = text ? text : ""; !text || *at;) {
        char *end = (char *)at;
        if (text && (integer(at, 0, TW_RANK_MOST, &rank, &end) || (*end && *end != ' '))) return bad("ranks", text);
        if (p->nranks == room) {
            int *more = realloc(p->rank, (size_t)(2 * room + 4) * sizeof *more);
            if (!more) return tw_fail(TW_E_MEMORY, "no memory to merge recordings");
            p->rank = more;
            room = 2 * room + 4;
        }
        p->rank[p->nranks++] = (int)rank;
        if (!text) break;
        at = end + (*end == ' ');
    }
    if (!p->nranks) return bad("ranks", text);
    qsort(p->rank, (size_t)p->nranks, sizeof *p->rank, by_rank);
    if (!p->several) snprintf(p->prefix, sizeof p->prefix, "rank %d ", p->rank[0]);
    return 0;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int look_at(struct part *p, const tw_recorded *r)
{
    int64_t offset;
    int e;

    p->v = &r->view;
    if ((e = find_ranks(p))) return e;
    if ((e = number(p->v, "began ns since 1970", 0, TIME_MOST, &p->began))) return e;
    if ((e = number(p->v, "clock offset ns", -TIME_MOST, TIME_MOST, &offset))) return e;
    p->dated = tw_recorded_fact(p->v, "began ns since 1970") != NULL;
    p->began += offset;
    for (int k = 0; k < p->v->nworkers; k++)
        if (p->v->workers[k].is_cuda) p->gpus = most(p->gpus, least(p->v->workers[k].device, MEMORIES) + 1);
    for (size_t k = 0; k < p->v->ntransfers; k++)
        p->gpus = most(p->gpus, least(most(p->v->transfers[k].source, p->v->transfers[k].target), MEMORIES) + 1);
    for (size_t k = 0; k < p->v->nused; k++)
        p->gpus = most(p->gpus, least(p->v->used[k].memory, MEMORIES) + 1);
    for (size_t k = 0; k < p->v->nstays; k++)
        p->threads = most(p->threads, p->v->stays[k].thread + 1);
    for (size_t k = 0; k < p->v->nmarks; k++)
        p->threads = most(p->threads, p->v->marks[k].thread + 1);
    return 0;
}

static int twice(const struct part *a, const struct part *b)
{
    for (int i = 0, j = 0; i < a->nranks && j < b->nranks;)
        if (a->rank[i] == b->rank[j])
            return tw_fail(TW_E_FORMAT, "tw_recorded_merge: rank %d is there twice", a->rank[i]);
        else if (a->rank[i] < b->rank[j])
            i++;
        else
            j++;
    return 0;
}

/* Number 0 of the first stays what it is; the second's numbers follow. */
static int place(struct part *a, struct part *b)
{
    unsigned long last = 0, lowest = ULONG_MAX;
    const int64_t apart = a->dated && b->dated ? b->began - a->began : 0;

    for (size_t k = 0; k < a->v->nrecords; k++)
        if (a->v->records[k].id > last) last = a->v->records[k].id;
    for (size_t k = 0; k < b->v->nrecords; k++)
        if (b->v->records[k].id < lowest) lowest = b->v->records[k].id;
    a->shift.time = apart < 0 ? -1e-9 * (double)apart : 0;
    b->shift.time = apart > 0 ? 1e-9 * (double)apart : 0;
    b->shift.id = last + 1 - lowest;
    b->shift.worker = a->v->nworkers;
    b->shift.routine = a->v->nroutines;
    b->shift.thread = a->threads;
    b->shift.memory = a->gpus + 1;
    b->shift.task = a->v->nrecords;
    if (apart > INT64_C(1000000000) * 31536000 || apart < -INT64_C(1000000000) * 31536000)
        return tw_fail(TW_E_FORMAT, "tw_recorded_merge: they began more than a year apart: one of the clocks is wrong");
    if (a->v->nworkers + b->v->nworkers > WORKERS || a->threads + b->threads > THREADS ||
        a->gpus + b->gpus + 1 > MEMORIES || a->v->nrecords + b->v->nrecords >= UINT_MAX)
        return tw_fail(TW_E_FORMAT, "tw_recorded_merge: more workers, threads, memories or tasks than a file may have");
    return 0;
}

/* ---- facts ------------------------------------------------------------------------------------------------------- */

static int add_fact(struct tw_recorded *to, const char *key, const char *value)
{
    return tw_recorded_add_fact(to, key, strlen(key), value, strlen(value));
}

/* *text with another piece, unless it is there; both NULL: none. */
static int join(char **text, const char *more)
{
    const size_t had = *text ? strlen(*text) : 0, length = more ? strlen(more) : 0;
    char *longer;

    if (!length || had + length > 4000 || (*text && strstr(*text, more))) return 0;
    if (!(longer = realloc(*text, had + length + 3))) return tw_fail(TW_E_MEMORY, "no memory to merge recordings");
    if (had) strcpy(longer + had, "; ");
    strcpy(longer + had + (had ? 2 : 0), more);
    *text = longer;
    return 0;
}

static int add_joined(struct tw_recorded *to, const char *key, const char *first, const char *second, const char *third)
{
    char *text = NULL;
    int e = join(&text, first);

    if (!e) e = join(&text, second);
    if (!e) e = join(&text, third);
    if (!e && text) e = add_fact(to, key, text);
    free(text);
    return e;
}

static int add_ranks(struct tw_recorded *to, const struct part *a, const struct part *b)
{
    const size_t n = (size_t)a->nranks + (size_t)b->nranks;
    char *text = malloc(12 * n + 1), *at = text, number[16];
    int e = text ? 0 : tw_fail(TW_E_MEMORY, "no memory to merge recordings"), i = 0, j = 0;

    while (!e && (size_t)i + (size_t)j < n) {
        const int first = j == b->nranks || (i < a->nranks && a->rank[i] < b->rank[j]);
        at += sprintf(at, "%s%d", at > text ? " " : "", first ? a->rank[i++] : b->rank[j++]);
    }
    snprintf(number, sizeof number, "%d", a->rank[0] < b->rank[0] ? a->rank[0] : b->rank[0]);
    if (!e) e = add_fact(to, "rank", number);
    if (!e) e = add_fact(to, "ranks", text);
    free(text);
    return e;
}

static int add_clock(struct tw_recorded *to, const struct part *a, const struct part *b)
{
    char text[32];
    const struct part *first = !b->dated || (a->dated && a->began < b->began) ? a : b;

    if (!first->dated) return 0;
    snprintf(text, sizeof text, "%" PRId64, first->began);
    return add_fact(to, "began ns since 1970", text);
}

static int add_lacks(struct tw_recorded *to, const struct part *a, const struct part *b)
{
    const char *first = tw_recorded_fact(a->v, "lacks"), *second = tw_recorded_fact(b->v, "lacks");
    char undated[100] = "";
    const struct part *which = !a->dated ? a : b;

    if (!a->dated || !b->dated)
        snprintf(undated, sizeof undated, "when rank %d began: times are from its own beginning", which->rank[0]);
    char *text = NULL;
    int e = join(&text, "what ranks waited for of each other");
    if (!e) e = join(&text, undated);
    if (!e) e = add_joined(to, "lacks", text, first, second);
    free(text);
    return e;
}

static int add_own_facts(struct tw_recorded *to, const struct part *a, const struct part *b)
{
    const char *one = tw_recorded_fact(a->v, "command"), *other = tw_recorded_fact(b->v, "command");
    char dropped[32];
    int e = add_joined(to, "machine", tw_recorded_fact(a->v, "machine"), tw_recorded_fact(b->v, "machine"), NULL);

    snprintf(dropped, sizeof dropped, "%zu", a->v->dropped + b->v->dropped);
    if (!e)
        e = add_joined(to, "scheduler", tw_recorded_fact(a->v, "scheduler"), tw_recorded_fact(b->v, "scheduler"), NULL);
    if (!e) e = add_joined(to, "command", one, other, NULL);
    if (!e) e = add_fact(to, "dropped", dropped);
    if (!e) e = add_ranks(to, a, b);
    if (!e) e = add_clock(to, a, b);
    return e ? e : add_lacks(to, a, b);
}

static int is_own(const char *key)
{
    static const char *const own[] = {
        "machine",         "scheduler",           "command", "dropped", "rank", "ranks", "lacks",
        "clock offset ns", "began ns since 1970", "part"};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (!strcmp(key, own[k])) return 1;
    return 0;
}

static int memory_of(const struct part *p, int memory)
{
    return memory + p->shift.memory;
}

/* Facts about memories and threads, with the numbers that these get. 0: it is none. */
static int renumbered(const struct part *p, const char *key, char *text, size_t size)
{
    int from, to;

    if (sscanf(key, "bytes counted from %d to %d", &from, &to) == 2 && from >= -1 && to >= -1 && from < MEMORIES &&
        to < MEMORIES)
        return snprintf(text, size, "bytes counted from %d to %d", memory_of(p, from), memory_of(p, to));
    if (sscanf(key, "memory %d", &from) == 1 && from >= -1 && from < MEMORIES)
        return snprintf(text, size, "memory %d", memory_of(p, from));
    if (sscanf(key, "thread %d", &from) == 1 && from >= 0 && from < THREADS)
        return snprintf(text, size, "thread %d", from + p->shift.thread);
    return 0;
}

/* Those that both have are there once; others of the second, with its prefix. */
static int add_other_facts(struct tw_recorded *to, const struct part *p, const struct part *before,
                           const struct tw_index *keys, const int *at)
{
    int e = 0;

    for (int k = 0; !e && k < p->v->nfacts; k++) {
        const struct tw_run_fact *f = &p->v->facts[k];
        char number[64], *text = NULL;
        if (is_own(f->key)) continue;
        if (renumbered(p, f->key, number, sizeof number)) {
            e = add_fact(to, number, f->value);
            continue;
        }
        const int there = before ? tw_index_find(keys, f->key, 0) : -1;
        if (there >= 0 && !strcmp(before->v->facts[at[there]].value, f->value)) continue;
        if (!(text = malloc(strlen(p->prefix) + strlen(f->key) + 1)))
            return tw_fail(TW_E_MEMORY, "no memory to merge recordings");
        strcat(strcpy(text, before ? p->prefix : ""), f->key);
        e = add_fact(to, text, f->value);
        free(text);
    }
    return e;
}

static int add_names(struct tw_recorded *to, const struct part *p)
{
    char key[32], name[64];
    int e = 0;

    for (int m = -1; !p->several && !e && m < p->gpus; m++) {
        snprintf(key, sizeof key, "memory %d", memory_of(p, m));
        snprintf(name, sizeof name, m < 0 ? "%smain memory" : "%sGPU %d", p->prefix, m);
        e = add_fact(to, key, name);
    }
    for (int t = 0; !p->several && !e && t < p->threads; t++) {
        snprintf(key, sizeof key, "thread %d", t + p->shift.thread);
        snprintf(name, sizeof name, "%sthread %d", p->prefix, t);
        e = add_fact(to, key, name);
    }
    return e;
}

static int add_facts(struct tw_recorded *to, const struct part *a, const struct part *b)
{
    struct tw_index keys = {0};
    int *at = malloc(((size_t)a->v->nfacts + 1) * sizeof *at), e = at ? add_own_facts(to, a, b) : TW_E_MEMORY;

    for (int k = 0; !e && k < a->v->nfacts; k++) {
        const int key = tw_index_of(&keys, a->v->facts[k].key, 0);
        if (key < 0)
            e = TW_E_MEMORY;
        else
            at[key] = k;
    }
    if (e == TW_E_MEMORY) (void)tw_fail(e, "no memory to merge recordings");
    if (!e) e = add_other_facts(to, a, NULL, NULL, NULL);
    if (!e) e = add_names(to, a);
    if (!e) e = add_other_facts(to, b, a, &keys, at);
    if (!e) e = add_names(to, b);
    tw_index_free(&keys);
    free(at);
    return e;
}

/* ---- all that has a number --------------------------------------------------------------------------------------- */

static int add_workers(struct tw_recorded *to, const struct part *p)
{
    char name[sizeof p->prefix + sizeof p->v->workers->name];
    int e = 0;

    for (int k = 0; !e && k < p->v->nworkers; k++) {
        const struct tw_recorded_worker *w = &p->v->workers[k];
        snprintf(name, sizeof name, "%s%s", p->prefix, w->name);
        e = tw_recorded_add_worker(to, name, strlen(name), w->is_cuda,
                                   w->is_cuda ? memory_of(p, w->device) : w->device);
    }
    return e;
}

/* prefix and text; to be freed. */
static char *prefixed(const struct part *p, const char *text)
{
    char *name = malloc(strlen(p->prefix) + strlen(text) + 1);

    if (!name) (void)tw_fail(TW_E_MEMORY, "no memory to merge recordings");
    return name ? strcat(strcpy(name, p->prefix), text) : NULL;
}

static int add_routines(struct tw_recorded *to, const struct part *p)
{
    int e = 0;

    for (int k = 0; !e && k < p->v->nroutines; k++) {
        char *name = prefixed(p, p->v->routines[k]);
        e = name ? tw_names_add(&to->routines, name, strlen(name)) : TW_E_MEMORY;
        free(name);
    }
    return e;
}

static int add_ranges(struct tw_recorded *to, const struct part *p)
{
    int e = 0;

    for (size_t k = 0; !e && k < p->v->nmarks; k++) {
        struct tw_mark m = p->v->marks[k];
        char *name = prefixed(p, m.name);
        m.from += p->shift.time, m.to += p->shift.time, m.thread += p->shift.thread;
        e = name ? tw_recorded_add_mark(to, &m, name, strlen(name)) : TW_E_MEMORY;
        free(name);
    }
    for (size_t k = 0; !e && k < p->v->nstays; k++) {
        struct tw_stay s = p->v->stays[k];
        s.from += p->shift.time, s.to += p->shift.time, s.thread += p->shift.thread;
        e = tw_recorded_add_stay(to, &s);
    }
    for (size_t k = 0; !e && k < p->v->ntransfers; k++) {
        struct tw_transfer t = p->v->transfers[k];
        t.from += p->shift.time, t.to += p->shift.time;
        t.source = memory_of(p, t.source), t.target = memory_of(p, t.target);
        if (t.task) t.task += p->shift.id;
        e = tw_recorded_add_transfer(to, &t);
    }
    for (size_t k = 0; !e && k < p->v->nused; k++) {
        struct tw_used u = p->v->used[k];
        u.time += p->shift.time;
        u.memory = memory_of(p, u.memory);
        e = tw_recorded_add_used(to, &u);
    }
    return e;
}

static int add_tasks(struct tw_recorded *to, const struct part *p, struct tw_copies *kernels, struct tw_copies *stages)
{
    int e = 0;

    for (size_t k = 0; !e && k < p->v->nrecords; k++) {
        struct tw_record t = p->v->records[k];
        double *const times[] = {&t.ready, &t.taken, &t.loaded};
        for (int i = 0; i < 3; i++)
            if (*times[i] > 0) *times[i] += p->shift.time; /* 0: not known */
        t.submit += p->shift.time, t.start += p->shift.time, t.end += p->shift.time;
        t.id += p->shift.id;
        t.worker += p->shift.worker;
        t.routine += p->shift.routine;
        t.name = tw_copies_keep(kernels, t.name ? t.name : "(unnamed)", &e);
        if (t.stage) t.stage = tw_copies_keep(stages, t.stage, &e);
        if (!e) e = tw_recorded_add_task(to, &t);
        for (size_t j = p->v->first_edge ? p->v->first_edge[k] : 0;
             !e && p->v->first_edge && j < p->v->first_edge[k + 1]; j++)
            e = tw_recorded_add_edge(to, (unsigned)(p->v->edge[j] + p->shift.task));
    }
    return e;
}

static int add_all(struct tw_recorded *to, struct part *part)
{
    struct tw_copies kernels = {{0}, {0}}, stages = {{0}, {0}};
    const char *why = NULL;
    int e = add_facts(to, &part[0], &part[1]);

    for (int k = 0; !e && k < 2; k++) {
        e = add_workers(to, &part[k]);
        if (!e) e = add_routines(to, &part[k]);
        if (!e) e = add_ranges(to, &part[k]);
        if (!e) e = add_tasks(to, &part[k], &kernels, &stages);
    }
    tw_index_free(&kernels.index), tw_index_free(&stages.index);
    to->kernels = kernels.names, to->stages = stages.names;
    if (!e) e = tw_recorded_finish(to, &why);
    return why ? tw_fail(TW_E_FORMAT, "tw_recorded_merge: %s", why) : e;
}

int tw_recorded_merge(tw_recorded **merged, const tw_recorded *first, const tw_recorded *second)
{
    struct part part[2] = {0};
    int e;

    tw_clear_message();
    if (!merged) return tw_illegal("tw_recorded_merge", 1, "NULL");
    *merged = NULL;
    if (!first) return tw_illegal("tw_recorded_merge", 2, "NULL");
    if (!second) return tw_illegal("tw_recorded_merge", 3, "NULL");
    e = look_at(&part[0], first);
    if (!e) e = look_at(&part[1], second);
    if (!e) e = twice(&part[0], &part[1]);
    if (!e) e = place(&part[0], &part[1]);
    if (!e) e = tw_recorded_new(merged);
    if (!e) e = add_all(*merged, part);
    free(part[0].rank), free(part[1].rank);
    if (e && *merged) {
        char text[600];
        snprintf(text, sizeof text, "%s", tw_last_message());
        tw_recorded_destroy(*merged);
        *merged = NULL;
        return tw_fail(e, "%s", text);
    }
    return e;
}
