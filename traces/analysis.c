/* The path that happened, slack, kernels. */
#include "traces/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/doing.h"
#include "runtime/base/error.h"
#include "traces/index.h"

int tw_counts(const struct tw_recording *r, const struct tw_record *t)
{
    return !t->part && t->worker >= 0 && t->worker < r->nworkers && isfinite(t->start) && isfinite(t->end) &&
           t->end >= t->start;
}

static size_t edges_begin(const struct tw_recording *r, size_t k)
{
    return r->first_edge ? r->first_edge[k] : 0;
}
static size_t edges_end(const struct tw_recording *r, size_t k)
{
    return r->first_edge ? r->first_edge[k + 1] : 0;
}
static size_t values_end(const struct tw_recording *r, size_t k)
{
    return edges_begin(r, k) + (r->first_edge ? r->records[k].values : 0);
}

/* Times of different clocks: what is not before it cannot be what it waited for. */
size_t tw_value_before(const struct tw_recording *r, size_t k)
{
    size_t at = SIZE_MAX;

    for (size_t j = edges_begin(r, k); j < values_end(r, k); j++) {
        const unsigned p = r->edge[j];
        if (p < k && tw_counts(r, &r->records[p]) && (at == SIZE_MAX || r->records[p].end > r->records[at].end)) at = p;
    }
    return at;
}

double tw_value_delay(const struct tw_recording *r, size_t k)
{
    const struct tw_record *t = &r->records[k];
    const size_t p = tw_value_before(r, k);

    return p == SIZE_MAX || !isfinite(t->submit) ? 0 : fmax(0, fmin(t->submit, t->start) - r->records[p].end);
}

static int no_memory(void)
{
    return tw_fail(TW_E_MEMORY, "no memory to analyse a recording");
}

/* Kahn's algorithm, with the successors as lists. */
unsigned *tw_topological(const struct tw_recording *r, int *e)
{
    const size_t n = r->nrecords, m = edges_end(r, n ? n - 1 : 0);
    unsigned *order = malloc((n + 1) * sizeof *order), *left = calloc(n + 1, sizeof *left),
             *next = malloc((m + 1) * sizeof *next);
    unsigned *head = malloc((n + 1) * sizeof *head), *successor = malloc((m + 1) * sizeof *successor);
    size_t done = 0, known = 0;

    *e = order && left && next && head && successor ? 0 : no_memory();
    for (size_t k = 0; !*e && k < n; k++)
        head[k] = 0;
    for (size_t k = 0; !*e && k < n; k++)
        for (size_t i = edges_begin(r, k); i < edges_end(r, k); i++) {
            successor[i] = (unsigned)k;
            next[i] = head[r->edge[i]];
            head[r->edge[i]] = (unsigned)i + 1;
            left[k]++;
        }
    for (size_t k = 0; !*e && k < n; k++)
        if (!left[k]) order[known++] = (unsigned)k;
    while (!*e && done < known)
        for (unsigned i = head[order[done++]]; i; i = next[i - 1])
            if (--left[successor[i - 1]] == 0) order[known++] = successor[i - 1];
    if (!*e && known < n) *e = TW_E_FORMAT;
    free(left), free(next), free(head), free(successor);
    if (!*e) return order;
    free(order);
    return NULL;
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

static int kernel_of(struct tw_analysis *a, struct tw_index *index, const struct tw_record *t, int guess)
{
    const char *name = t->name ? t->name : "(unnamed)";
    const char type = tw_kernel_letter(name, (enum tw_type)t->type);

    if (guess >= 0 && a->kernels[guess].name == name && a->kernels[guess].type == type) return guess;
    const int k = tw_index_of(index, name, type);
    if (k < a->nkernels) return k; /* -1, too */
    if ((k & (k - 1)) == 0) {      /* the room is a power of two */
        tw_trace_kernel *more = realloc(a->kernels, (k ? 2 * (size_t)k : 1) * sizeof *more);
        if (!more) return -1;
        a->kernels = more;
    }
    a->kernels[a->nkernels] = (tw_trace_kernel){.name = name, .type = type, .slack = INFINITY};
    return a->nkernels++;
}

struct work {
    const struct tw_recording *r;
    struct tw_analysis *a;
    double origin, last;
    int *kernel;      /* of each record; -1: it does not count */
    unsigned *before; /* 1 + the task that its worker ran before; 0: none */
    double *latest;   /* the latest end at which nothing else would end later */
    unsigned *topological;
    struct tw_index index; /* of kernels, by name and type */
};

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of a kernel's times, sorted. */
static void spread(tw_trace_kernel *k, const double *seconds, size_t n)
{
    const double mean = k->seconds / (double)n;
    double squares = 0;

    k->median = 0.5 * (seconds[(n - 1) / 2] + seconds[n / 2]);
    k->p99 = seconds[(size_t)(0.99 * (double)(n - 1) + 0.5)];
    for (size_t i = 0; i < n; i++) {
        squares += (seconds[i] - mean) * (seconds[i] - mean);
        k->outliers += seconds[i] > 3 * k->median;
    }
    k->deviation = mean > 0 ? sqrt(squares / (double)n) / mean : 0;
}

/* How far the models were off, and whether the task ran where they would have put it had all been idle. */
static int predictions(struct work *w)
{
    struct sums {
        double predicted, seconds, ratios, squares;
    } *sum = calloc((size_t)w->a->nkernels + 1, sizeof *sum);
    tw_trace_facts *f = &w->a->facts;

    if (!sum) return no_memory();
    for (size_t i = 0; i < w->r->nrecords; i++) {
        const struct tw_record *t = &w->r->records[i];
        if (w->kernel[i] < 0) continue;
        const int kind = !!w->r->workers[t->worker].is_cuda;
        const double here = t->predicted[kind], there = t->predicted[!kind],
                     took = t->end - t->start - fmin(t->lost, t->end - t->start);
        if (here > 0 && there > 0) f->choices++, f->against += there < here, f->regret += fmax(0, here - there);
        if (!(here > 0)) continue;
        w->a->kernels[w->kernel[i]].predicted++;
        struct sums *s = &sum[w->kernel[i]];
        s->predicted += here, s->seconds += took, s->ratios += took / here, s->squares += took / here * (took / here);
    }
    for (int k = 0; k < w->a->nkernels; k++) {
        tw_trace_kernel *kernel = &w->a->kernels[k];
        const double n = (double)kernel->predicted, mean = n > 0 ? sum[k].ratios / n : 0;
        if (!(mean > 0)) continue;
        kernel->bias = sum[k].seconds / sum[k].predicted;
        kernel->spread = sqrt(fmax(0, sum[k].squares / n - mean * mean)) / mean;
    }
    free(sum);
    return 0;
}

static int medians(struct work *w)
{
    const size_t n = w->r->nrecords;
    size_t *at = calloc((size_t)w->a->nkernels + 1, sizeof *at), first = 0;
    double *seconds = malloc((n + 1) * sizeof *seconds);
    int e = at && seconds ? 0 : no_memory();

    for (int k = 0; !e && k < w->a->nkernels; k++)
        at[k + 1] = at[k] + w->a->kernels[k].tasks;
    for (size_t i = 0; !e && i < n; i++)
        if (w->kernel[i] >= 0) seconds[at[w->kernel[i]]++] = w->r->records[i].end - w->r->records[i].start;
    for (int k = 0; !e && k < w->a->nkernels; k++) {
        const size_t count = w->a->kernels[k].tasks;
        qsort(seconds + first, count, sizeof *seconds, ascending);
        spread(&w->a->kernels[k], seconds + first, count);
        first += count;
    }
    free(at), free(seconds);
    return e;
}

/* When the thread went on that waited while the last task ended; that end, where none did. */
static double returned(const struct tw_recording *r, double last)
{
    double at = last;

    for (size_t k = 0; k < r->nstays; k++)
        if (r->stays[k].what == TW_DOING_WAIT && r->stays[k].from <= last && r->stays[k].to > at) at = r->stays[k].to;
    return at;
}

/* When the call began that made the first submission. */
static double called(const struct tw_recording *r, double origin)
{
    double at = origin;

    for (size_t k = 0; k < r->nstays; k++)
        if (r->stays[k].what == TW_DOING_SUBMIT && r->stays[k].to >= origin && r->stays[k].from < at)
            at = r->stays[k].from;
    return at;
}

double tw_recording_end(const struct tw_recording *r)
{
    double last = -INFINITY;

    if (r->to > r->from) return r->to;
    for (size_t i = 0; i < r->nrecords; i++)
        if (tw_counts(r, &r->records[i])) last = fmax(last, r->records[i].end);
    return returned(r, last);
}

static int sum_up(struct work *w)
{
    const struct tw_recording *r = w->r;
    tw_trace_facts *f = &w->a->facts;
    int guess = -1;

    w->origin = INFINITY, w->last = -INFINITY;
    for (size_t i = 0; i < r->nrecords; i++) {
        const struct tw_record *t = &r->records[i];
        w->kernel[i] = -1;
        if (!tw_counts(r, t)) continue;
        if ((guess = kernel_of(w->a, &w->index, t, guess)) < 0) return no_memory();
        tw_trace_kernel *k = &w->a->kernels[w->kernel[i] = guess];
        const double seconds = t->end - t->start, flops = isfinite(t->flops) && t->flops > 0 ? t->flops : 0;
        k->tasks++, k->seconds += seconds, k->flops += flops;
        if (seconds > k->longest) k->longest = seconds;
        f->tasks++, f->busy += seconds, f->flops += flops;
        f->lost += fmin(t->lost, seconds), f->lost_idle += t->lost_before;
        w->origin = fmin(w->origin, isfinite(t->submit) && t->submit <= t->start ? t->submit : t->start);
        w->last = fmax(w->last, t->end);
    }
    for (size_t i = 0; i < r->ntransfers; i++)
        f->transfers++, f->moved += r->transfers[i].bytes;
    for (size_t k = 0; k < r->nstays; k++)
        if (r->stays[k].what >= TW_DOING_LAPACK) f->direct += r->stays[k].to - r->stays[k].from;
    if (f->tasks == 0) w->origin = w->last = 0;
    if (r->to > r->from) {
        w->origin = r->from;
        f->path_return = r->to - w->last;
    } else {
        f->path_return = returned(r, w->last) - w->last;
        f->path_submission = w->origin - called(r, w->origin);
    }
    f->part = r->part;
    f->span = w->last - w->origin;
    f->seconds = w->last - w->origin + f->path_submission + f->path_return;
    f->kernels = w->a->nkernels;
    const int e = medians(w);
    return e ? e : predictions(w);
}

/* ---- the path ---------------------------------------------------------------------------------------------------- */

static void find_before(struct work *w, unsigned *last)
{
    for (size_t i = 0; i < w->r->nrecords; i++) {
        if (w->kernel[i] < 0) continue;
        w->before[i] = last[w->r->records[i].worker];
        last[w->r->records[i].worker] = (unsigned)i + 1;
    }
}

/* The chain of the graph alone, through values that submissions waited for, too. */
static void chain(struct work *w, double *longest)
{
    const struct tw_recording *r = w->r;

    for (size_t k = 0; k < r->nrecords; k++) {
        const unsigned i = w->topological[k];
        if (w->kernel[i] < 0) continue;
        for (size_t j = edges_begin(r, i); j < edges_end(r, i); j++)
            longest[i] = fmax(longest[i], longest[r->edge[j]]);
        longest[i] += r->records[i].end - r->records[i].start;
        w->a->facts.graph = fmax(w->a->facts.graph, longest[i]);
    }
}

/* How late each task could have ended: backwards over its successors, its worker's next task and what was submitted
 * once its value was there, as long after it as it was. By start, latest first: the recording's order backwards is one
 * in which successors and the worker's next task come before. */
static void slack(struct work *w)
{
    const struct tw_recording *r = w->r;

    for (size_t i = 0; i < r->nrecords; i++)
        w->latest[i] = w->last;
    for (size_t i = r->nrecords; i-- > 0;) {
        if (w->kernel[i] < 0) continue;
        const double start = w->latest[i] - (r->records[i].end - r->records[i].start);
        const double free_time = fmax(0, w->latest[i] - r->records[i].end);
        tw_trace_kernel *k = &w->a->kernels[w->kernel[i]];
        const double delay = r->records[i].values ? tw_value_delay(r, i) : 0;
        for (size_t j = edges_begin(r, i); j < edges_end(r, i); j++)
            w->latest[r->edge[j]] = fmin(w->latest[r->edge[j]], start - (j < values_end(r, i) ? delay : 0));
        if (w->before[i]) w->latest[w->before[i] - 1] = fmin(w->latest[w->before[i] - 1], start);
        k->slack = fmin(k->slack, free_time);
    }
}

static int add_step(struct tw_analysis *a, size_t *room, const tw_trace_step *s, size_t record)
{
    if (a->nsteps == *room) {
        tw_trace_step *more = realloc(a->steps, (2 * *room + 64) * sizeof *more);
        if (more) a->steps = more;
        size_t *records = realloc(a->step_record, (2 * *room + 64) * sizeof *records);
        if (records) a->step_record = records;
        if (!more || !records) return no_memory();
        *room = 2 * *room + 64;
    }
    a->step_record[a->nsteps] = record;
    a->steps[a->nsteps++] = *s;
    return 0;
}

/* What task i waited for last, and until when: its submission, a predecessor, its worker. A GPU holds the next task
 * while one runs, so ends may lie behind its start: they count up to there. Of a submission that waited for a value the
 * task that wrote it is what was waited for, and *left when that ended; else *left is *since. */
static size_t cause(const struct work *w, size_t i, tw_trace_step *s, double *since, double *left)
{
    const struct tw_record *t = &w->r->records[i];
    size_t at = SIZE_MAX;

    *since = w->origin;
    s->because = 0;
    if (isfinite(t->submit) && t->submit > w->origin) *since = fmin(t->submit, t->start), s->because = 1;
    for (size_t j = values_end(w->r, i); j < edges_end(w->r, i); j++) {
        const unsigned p = w->r->edge[j];
        if (w->kernel[p] >= 0 && p < i && w->r->records[p].end >= *since)
            *since = w->r->records[p].end, s->because = 2, at = p;
    }
    if (w->before[i]) {
        const unsigned p = w->before[i] - 1;
        if (w->r->records[p].end > *since) *since = w->r->records[p].end, s->because = 3, at = p;
    }
    *left = *since;
    if (s->because == 1 && (at = tw_value_before(w->r, i)) != SIZE_MAX) {
        s->because = 4;
        *left = fmin(*since, w->r->records[at].end);
    }
    return at;
}

/* The time between `since` and the start: until a worker took it, of which its core may have been another program's,
 * until its data was there, until it began. */
static void split_wait(const struct tw_record *t, double since, tw_trace_step *s)
{
    const double from = fmin(since, t->start);
    double taken = t->taken > 0 ? fmin(fmax(t->taken, from), t->start) : t->start;
    double loaded = t->loaded > 0 ? fmin(fmax(t->loaded, taken), t->start) : taken;

    s->lost = fmin(t->lost_before, taken - from);
    s->scheduler = taken - from - s->lost;
    s->data = loaded - taken;
    s->begin = t->start - loaded;
}

static int walk(struct work *w)
{
    const struct tw_recording *r = w->r;
    tw_trace_facts *f = &w->a->facts;
    size_t i = SIZE_MAX, room = 0, next, record;
    double until = w->last, since = w->origin, left = w->origin;
    int e = 0;

    for (size_t k = 0; k < r->nrecords; k++)
        if (w->kernel[k] >= 0 && r->records[k].end == w->last) i = k;
    for (; !e && i != SIZE_MAX; i = next) {
        const struct tw_record *t = &r->records[i];
        tw_trace_kernel *k = &w->a->kernels[w->kernel[i]];
        tw_trace_step s = {.kernel = k->name,
                           .worker = r->workers[t->worker].name,
                           .start = t->start - w->origin,
                           .end = until - w->origin};
        memcpy(s.coord, t->coord, sizeof s.coord);
        next = cause(w, i, &s, &since, &left);
        split_wait(t, since, &s);
        left = fmin(left, t->start);
        if (next == SIZE_MAX) left = w->origin; /* from here back nothing ran that it waited for */
        s.submission = fmin(since, t->start) - left;
        const double lost = fmin(t->lost, until - t->start), worked = until - t->start - lost;
        s.lost += lost, s.lost_at_work = lost;
        f->path_tasks += worked, f->path_lost += s.lost;
        f->path_scheduler += s.scheduler, f->path_data += s.data, f->path_start += s.begin,
            f->path_submission += s.submission;
        f->path_length++;
        k->path_tasks++;
        k->path_seconds += worked;
        e = add_step(w->a, &room, &s, i);
        until = left; /* where the next one is left, back in time */
    }
    for (size_t a = 0, b = w->a->nsteps; a + 1 < b; a++) { /* found from the end on */
        const tw_trace_step kept = w->a->steps[a];
        w->a->steps[a] = w->a->steps[--b];
        w->a->steps[b] = kept;
        record = w->a->step_record[a];
        w->a->step_record[a] = w->a->step_record[b];
        w->a->step_record[b] = record;
    }
    return e;
}

static int most_time(const void *a, const void *b)
{
    const tw_trace_kernel *x = a, *y = b;
    return x->seconds != y->seconds ? (x->seconds < y->seconds ? 1 : -1) : strcmp(x->name, y->name);
}

int tw_analysis_make(struct tw_analysis **made, const struct tw_recording *r)
{
    const size_t n = r->nrecords + 1;
    struct work w = {.r = r,
                     .a = calloc(1, sizeof *w.a),
                     .kernel = malloc(n * sizeof *w.kernel),
                     .before = calloc(n, sizeof *w.before),
                     .latest = malloc(n * sizeof *w.latest)};
    double *longest = calloc(n, sizeof *longest);
    unsigned *last = calloc((size_t)r->nworkers + 1, sizeof *last);
    int e = w.a && w.kernel && w.before && w.latest && longest && last ? 0 : no_memory();

    if (!e) w.topological = tw_topological(r, &e);
    if (e == TW_E_FORMAT) e = tw_fail(TW_E_FORMAT, "tasks of the recording wait for each other in a circle");
    if (!e) e = sum_up(&w);
    if (!e) {
        find_before(&w, last);
        chain(&w, longest);
        slack(&w);
        e = walk(&w);
    }
    if (!e && w.a->nkernels) qsort(w.a->kernels, (size_t)w.a->nkernels, sizeof *w.a->kernels, most_time);
    tw_index_free(&w.index);
    free(w.kernel), free(w.before), free(w.latest), free(longest), free(last), free(w.topological);
    if (e) tw_analysis_free(w.a);
    *made = e ? NULL : w.a;
    return e;
}

void tw_analysis_free(struct tw_analysis *a)
{
    if (!a) return;
    free(a->kernels), free(a->steps), free(a->step_record);
    free(a);
}
