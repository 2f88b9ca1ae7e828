/* Statistics of a recording. */
#include "traces/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/doing.h"
#include "runtime/base/error.h"
#include "traces/index.h"
#include "traces/recorded.h"

/* For kernels that bring no colour: distinct for most eyes, colour-blind ones included (Okabe and Ito). */
static const unsigned palette[] = {0x0072B2, 0xE69F00, 0x009E73, 0xD55E00, 0xCC79A7, 0x56B4E9, 0xF0E442, 0x7F7F7F};
#define NPALETTE (sizeof palette / sizeof palette[0])

double tw_summary_rate(struct tw_work w)
{
    return w.seconds > 0 && w.flops > 0 ? w.flops / w.seconds * 1e-9 : 0;
}

double tw_summary_flops(const struct tw_record *t)
{
    return isfinite(t->flops) && t->flops > 0 ? t->flops : 0;
}

double tw_summary_submit(const struct tw_record *t)
{
    return isfinite(t->submit) && t->submit <= t->start ? t->submit : t->start;
}

static void add_work(struct tw_work *w, double seconds, double flops)
{
    w->count++;
    w->seconds += seconds;
    w->flops += flops;
}

static int usable(const struct tw_recording *r, const struct tw_record *t)
{
    return t->worker >= 0 && t->worker < r->nworkers && isfinite(t->start) && isfinite(t->end) && t->end >= t->start;
}

/* The kernel of a record; -1 without memory. */
static int kernel_of(struct tw_summary *s, struct tw_index *index, int *room, const struct tw_record *t, int guess)
{
    const char *name = t->name ? t->name : "(unnamed)";
    enum tw_type type = tw_type_ok(t->type) ? (enum tw_type)t->type : TW_DOUBLE;

    if (guess >= 0 && s->kernels[guess].type == type && s->kernels[guess].name == name) return guess;
    const int known = tw_index_of(index, name, (int)type);
    if (known < s->nkernels) return known; /* -1, too */
    if (s->nkernels == *room) {
        int more = *room ? 2 * *room : 16;
        struct tw_kernel_stats *grown = realloc(s->kernels, (size_t)more * sizeof *grown);
        if (!grown) return -1;
        s->kernels = grown;
        *room = more;
    }
    struct tw_kernel_stats *k = &s->kernels[s->nkernels];
    memset(k, 0, sizeof *k);
    k->name = name;
    k->type = type;
    k->color = t->color ? t->color & 0xFFFFFF : palette[(size_t)s->nkernels % NPALETTE];
    return s->nkernels++;
}

/* The copy ends at the last whole UTF-8 character that fits. */
static void set_label(struct tw_kernel_stats *k, int with_type)
{
    size_t at = 0, length = strlen(k->name);

    if (with_type) k->label[at++] = tw_letter(k->type);
    if (length > sizeof k->label - 1 - at) {
        length = sizeof k->label - 1 - at;
        while (length > 0 && ((unsigned char)k->name[length] & 0xC0) == 0x80)
            length--;
    }
    memcpy(k->label + at, k->name, length);
    k->label[at + length] = '\0';
}

/* How many kernels, of several types, have a name: counted in `times`, by the name's number. */
static int label_kernels(struct tw_summary *s)
{
    struct tw_index names = {0};
    int *times = calloc((size_t)s->nkernels + 1, sizeof *times),
        *number = malloc(((size_t)s->nkernels + 1) * sizeof *number);
    int status = times && number ? 0 : -1;

    for (int k = 0; k < s->nkernels && !status; k++)
        if ((number[k] = tw_index_of(&names, s->kernels[k].name, 0)) < 0)
            status = -1;
        else
            times[number[k]]++;
    for (int k = 0; k < s->nkernels && !status; k++)
        set_label(&s->kernels[k], times[number[k]] > 1);
    tw_index_free(&names);
    free(times), free(number);
    return status;
}

/* Group the records by worker (they come sorted by start) and give each its kernel. */
static int collect_spans(struct tw_summary *s)
{
    const struct tw_recording *r = s->recording;
    struct tw_index index = {0};
    int room = 0, kernel = -1;
    size_t *next = calloc((size_t)r->nworkers + 1, sizeof *next);

    if (!next) return -1;
    for (size_t i = 0; i < r->nrecords; i++) {
        if (usable(r, &r->records[i]))
            s->first_span[r->records[i].worker + 1]++;
        else
            s->left_out++;
    }
    for (int w = 0; w < r->nworkers; w++)
        s->first_span[w + 1] += s->first_span[w];
    memcpy(next, s->first_span, ((size_t)r->nworkers + 1) * sizeof *next);
    s->ntasks = s->first_span[r->nworkers];
    for (size_t i = 0; i < r->nrecords; i++) {
        const struct tw_record *t = &r->records[i];
        if (!usable(r, t)) continue;
        kernel = kernel_of(s, &index, &room, t, kernel);
        if (kernel < 0) break;
        s->spans[next[t->worker]++] = (struct tw_span){t->start, t->end, i, kernel};
    }
    tw_index_free(&index);
    free(next);
    return s->ntasks && kernel < 0 ? -1 : 0;
}

/* Time 0 is the first submission: what lies between the start of the recording and the first routine is no news. */
static double find_origin(const struct tw_summary *s)
{
    double origin = INFINITY;

    if (s->recording->to > s->recording->from) return s->recording->from;
    for (size_t i = 0; i < s->ntasks; i++)
        origin = fmin(origin, tw_summary_submit(&s->recording->records[s->spans[i].record]));
    for (size_t k = 0; !s->ntasks && k < s->recording->nstays; k++) /* calls that made no tasks */
        origin = fmin(origin, s->recording->stays[k].from);
    return isfinite(origin) ? origin : 0;
}

static void place_spans(struct tw_summary *s)
{
    for (int w = 0; w < s->recording->nworkers; w++) {
        double free_from = 0;
        for (size_t i = s->first_span[w]; i < s->first_span[w + 1]; i++) {
            struct tw_span *p = &s->spans[i];
            p->from = fmax(p->from - s->origin, free_from);
            p->to = fmax(p->to - s->origin, p->from);
            free_from = p->to;
            s->duration = fmax(s->duration, p->to);
        }
    }
}

static void count_stage(struct tw_summary *s, const char *name, const struct tw_span *p, double flops)
{
    struct tw_stage_stats *stage = s->stages;

    while (stage < s->stages + s->nstages && strcmp(stage->name, name) != 0)
        stage++;
    if (stage == s->stages + TW_SUMMARY_STAGES) return;
    if (stage == s->stages + s->nstages) {
        *stage = (struct tw_stage_stats){.name = name, .first = p->from, .last = p->to};
        s->nstages++;
    }
    stage->first = fmin(stage->first, p->from);
    stage->last = fmax(stage->last, p->to);
    add_work(&stage->all, p->to - p->from, flops);
}

static void count_span(struct tw_summary *s, int w, const struct tw_span *p)
{
    const struct tw_record *t = &s->recording->records[p->record];
    struct tw_kernel_stats *k = &s->kernels[p->kernel];
    double seconds = p->to - p->from, flops = tw_summary_flops(t);
    double submitted = tw_summary_submit(t) - s->origin;
    int kind = s->recording->workers[w].is_cuda ? TW_ON_CUDA : TW_ON_CPU;

    add_work(&s->all, seconds, flops);
    add_work(&k->all, seconds, flops);
    add_work(&k->on[kind], seconds, flops);
    add_work(&s->workers[w].all, seconds, flops);
    k->longest = fmax(k->longest, seconds);
    s->longest = fmax(s->longest, seconds);
    s->mean_wait += p->from - submitted;
    s->submission = fmax(s->submission, submitted);
    if (t->routine >= 0 && t->routine < s->recording->nroutines) {
        struct tw_routine_stats *routine = &s->routines[t->routine];
        routine->submitted = routine->all.count ? fmin(routine->submitted, submitted) : submitted;
        routine->last = fmax(routine->last, p->to);
        add_work(&routine->all, seconds, flops);
    }
    if (t->stage) count_stage(s, t->stage, p, flops);
}

static void fill_bins(struct tw_summary *s, const struct tw_span *p)
{
    double scale = TW_SUMMARY_BINS / s->duration;
    double from = p->from * scale, to = p->to * scale;

    for (int b = (int)from; b < TW_SUMMARY_BINS && b < to; b++)
        s->bins[b] += fmin(to, b + 1) - fmax(from, b);
}

static void count_idle(struct tw_summary *s)
{
    int nworkers = s->recording->nworkers;

    for (int w = 0; w < nworkers; w++) {
        const struct tw_worker_stats *stats = &s->workers[w];
        if (!stats->all.count) {
            s->idle_unused += s->duration;
            continue;
        }
        s->idle_start += stats->first;
        s->idle_end += s->duration - stats->last;
        s->idle_middle += fmax(stats->last - stats->first - stats->all.seconds, 0);
    }
    double whole = nworkers * s->duration;
    s->idle_unused = tw_summary_share(s->idle_unused, whole);
    s->idle_start = tw_summary_share(s->idle_start, whole);
    s->idle_middle = tw_summary_share(s->idle_middle, whole);
    s->idle_end = tw_summary_share(s->idle_end, whole);
    s->idle = s->idle_unused + s->idle_start + s->idle_middle + s->idle_end;
}

static void count_everything(struct tw_summary *s)
{
    for (int w = 0; w < s->recording->nworkers; w++) {
        size_t begin = s->first_span[w], end = s->first_span[w + 1];
        s->kinds |= s->recording->workers[w].is_cuda ? 2 : 1;
        for (size_t i = begin; i < end; i++) {
            count_span(s, w, &s->spans[i]);
            if (s->duration > 0) fill_bins(s, &s->spans[i]);
        }
        if (begin == end) continue;
        s->workers[w].first = s->spans[begin].from;
        s->workers[w].last = s->spans[end - 1].to;
    }
    if (s->ntasks) s->mean_wait /= (double)s->ntasks;
    count_idle(s);
}

struct ranked {
    struct tw_kernel_stats stats;
    int was;
};

static int by_time(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->stats.all.seconds != y->stats.all.seconds) return x->stats.all.seconds < y->stats.all.seconds ? 1 : -1;
    return x->was - y->was;
}

static int rank_kernels(struct tw_summary *s)
{
    int n = s->nkernels, *now = malloc(((size_t)n + 1) * sizeof *now);
    struct ranked *ranked = malloc(((size_t)n + 1) * sizeof *ranked);

    if (now && ranked) {
        for (int k = 0; k < n; k++)
            ranked[k] = (struct ranked){s->kernels[k], k};
        qsort(ranked, (size_t)n, sizeof *ranked, by_time);
        for (int k = 0; k < n; k++) {
            s->kernels[k] = ranked[k].stats;
            now[ranked[k].was] = k;
        }
        for (size_t i = 0; i < s->ntasks; i++)
            s->spans[i].kernel = now[s->spans[i].kernel];
    }
    int status = now && ranked ? 0 : -1;
    free(now);
    free(ranked);
    return status;
}

int tw_summary_make(struct tw_summary *s, const struct tw_recording *r)
{
    size_t nworkers = (size_t)r->nworkers;

    memset(s, 0, sizeof *s);
    s->recording = r;
    s->spans = malloc((r->nrecords + 1) * sizeof *s->spans);
    s->first_span = calloc(nworkers + 1, sizeof *s->first_span);
    s->workers = calloc(nworkers + 1, sizeof *s->workers);
    s->routines = calloc((size_t)r->nroutines + 1, sizeof *s->routines);
    if (!s->spans || !s->first_span || !s->workers || !s->routines || collect_spans(s) != 0) goto no_memory;
    s->origin = find_origin(s);
    if (r->to > r->from) s->duration = r->to - r->from;
    place_spans(s);
    for (size_t k = 0; !s->ntasks && k < r->nstays; k++)
        s->duration = fmax(s->duration, r->stays[k].to - s->origin);
    count_everything(s);
    if (label_kernels(s) != 0 || rank_kernels(s) != 0) goto no_memory;
    return 0;
no_memory:
    tw_summary_free(s);
    return tw_fail(TW_E_MEMORY, "no memory for the statistics of a trace of %zu tasks", r->nrecords);
}

void tw_summary_free(struct tw_summary *s)
{
    free(s->spans);
    free(s->first_span);
    free(s->kernels);
    free(s->workers);
    free(s->routines);
    memset(s, 0, sizeof *s);
}

/* ---- running tasks over time --------------------------------------------------------------------------------- */

/* At equal times the ends come first, so that back-to-back tasks do not show as two. */
static int by_step_time(const void *a, const void *b)
{
    const struct tw_running_step *x = a, *y = b;

    if (x->time != y->time) return x->time < y->time ? -1 : 1;
    return (x->running > y->running) - (x->running < y->running);
}

/* From when to when a task counts; nothing: to <= from. */
static void running(const struct tw_summary *s, size_t span, double *from, double *to)
{
    *from = s->spans[span].from;
    *to = s->spans[span].to;
}
static void ready(const struct tw_summary *s, size_t span, double *from, double *to)
{
    const struct tw_record *t = &s->recording->records[s->spans[span].record];

    *from = t->ready - s->origin;
    *to = t->ready > 0 && isfinite(t->ready) && isfinite(t->taken) ? fmin(t->taken, t->start) - s->origin : *from;
}
typedef void (*counts_fn)(const struct tw_summary *s, size_t span, double *from, double *to);

static size_t exact_steps(const struct tw_summary *s, counts_fn counts, struct tw_running_step *steps)
{
    size_t n = 0, kept = 0;
    double number = 0, from, to;

    for (size_t i = 0; i < s->ntasks; i++) {
        counts(s, i, &from, &to);
        if (!(to > from)) continue;
        steps[n++] = (struct tw_running_step){from, 1};
        steps[n++] = (struct tw_running_step){to, -1};
    }
    qsort(steps, n, sizeof *steps, by_step_time);
    for (size_t i = 0; i < n; i++) {
        number += steps[i].running;
        if (i + 1 < n && steps[i + 1].time == steps[i].time) continue;
        if (kept && steps[kept - 1].running == number) continue;
        steps[kept++] = (struct tw_running_step){steps[i].time, number};
    }
    return kept;
}

/* Means of equal parts of the duration. What lies in a part wholly counts there; long intervals count by differences,
 * one addition a bin. */
static size_t mean_steps(const struct tw_summary *s, counts_fn counts, struct tw_running_step *steps)
{
    const double scale = s->duration > 0 ? TW_SUMMARY_BINS / s->duration : 0;
    double from, to;
    size_t any = 0;

    for (int b = 0; b <= TW_SUMMARY_BINS; b++)
        steps[b] = (struct tw_running_step){s->duration * b / TW_SUMMARY_BINS, 0};
    for (size_t i = 0; i < s->ntasks; i++) {
        counts(s, i, &from, &to);
        if (!(to > from)) continue;
        any = TW_SUMMARY_BINS + 1;
        from = fmax(from, 0) * scale, to *= scale;
        for (int b = (int)from; b < TW_SUMMARY_BINS && b < to; b++)
            steps[b].running += fmin(to, b + 1) - fmax(from, b);
    }
    return any;
}

static int steps_of(const struct tw_summary *s, counts_fn counts, struct tw_running_step **steps, size_t *n)
{
    const int exact = s->ntasks <= TW_RUNNING_EXACT;

    *n = 0;
    *steps = malloc((exact ? 2 * s->ntasks + 1 : TW_SUMMARY_BINS + 1) * sizeof **steps);
    if (!*steps) return tw_fail(TW_E_MEMORY, "no memory for the counter of a trace of %zu tasks", s->ntasks);
    *n = exact ? exact_steps(s, counts, *steps) : mean_steps(s, counts, *steps);
    return 0;
}

int tw_summary_steps(const struct tw_summary *s, struct tw_running_step **steps, size_t *n)
{
    return steps_of(s, running, steps, n);
}

int tw_summary_ready(const struct tw_summary *s, struct tw_running_step **steps, size_t *n)
{
    return steps_of(s, ready, steps, n);
}

/* ---- threads and memories ------------------------------------------------------------------------------------- */

const char *tw_stay_name(int what)
{
    static const char *const names[] = {"submitting", "window full", "waiting", "in LAPACK or BLAS", "in FFTW"};
    return what >= 0 && what < TW_DOING_KINDS ? names[what] : "?";
}

/* The fact that names it; NULL: none does. */
static const char *named(const struct tw_recording *r, const char *what, int number)
{
    char key[32];

    if (!tw_recorded_is_merged(r)) return NULL;
    snprintf(key, sizeof key, "%s %d", what, number);
    return tw_recorded_fact(r, key);
}

struct tw_memory_name tw_memory_name(const struct tw_recording *r, int memory)
{
    const char *name = named(r, "memory", memory);
    struct tw_memory_name n;

    if (name)
        snprintf(n.text, sizeof n.text, "%s", name);
    else if (memory < 0)
        snprintf(n.text, sizeof n.text, "main memory");
    else
        snprintf(n.text, sizeof n.text, "GPU %d", memory);
    return n;
}

int tw_memory_count(const struct tw_recording *r)
{
    int n = 0;

    for (size_t k = 0; k < r->ntransfers; k++) {
        const struct tw_transfer *t = &r->transfers[k];
        const int last = (t->source > t->target ? t->source : t->target) + 2;
        if (last > n) n = last;
    }
    for (size_t k = 0; k < r->nused; k++)
        if (r->used[k].memory + 2 > n) n = r->used[k].memory + 2;
    return n;
}

struct tw_memory_name tw_thread_name(const struct tw_recording *r, int thread)
{
    const char *name = named(r, "thread", thread);
    struct tw_memory_name n;

    if (name)
        snprintf(n.text, sizeof n.text, "%s", name);
    else
        snprintf(n.text, sizeof n.text, "thread %d", thread);
    return n;
}

static int by_thread(const void *a, const void *b)
{
    const struct tw_stay_piece *x = a, *y = b;

    if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to > y->to ? -1 : x->to < y->to; /* the outer one first */
}

int tw_summary_stays(const struct tw_summary *s, struct tw_stay_piece **pieces, size_t *n)
{
    const struct tw_recording *r = s->recording;
    const size_t m = r->nstays;
    struct tw_stay_piece *all = malloc((m + 1) * sizeof *all), *out = malloc((2 * m + 1) * sizeof *out);
    size_t *open = malloc((m + 1) * sizeof *open), depth = 0, kept = 0;
    double at = 0;

    *pieces = NULL, *n = 0;
    if (!all || !out || !open) {
        free(all), free(out), free(open);
        return tw_fail(TW_E_MEMORY, "no memory for what %zu threads did", m);
    }
    for (size_t k = 0; k < m; k++)
        all[k] = (struct tw_stay_piece){r->stays[k].from - s->origin, r->stays[k].to - s->origin, r->stays[k].what,
                                        r->stays[k].thread};
    qsort(all, m, sizeof *all, by_thread);
    for (size_t k = 0; k <= m; k++) { /* `at`: up to where the innermost open one is told */
        while (depth &&
               (k == m || all[k].thread != all[open[depth - 1]].thread || all[open[depth - 1]].to <= all[k].from)) {
            const struct tw_stay_piece *o = &all[open[--depth]];
            if (o->to > at) out[kept++] = (struct tw_stay_piece){at, o->to, o->what, o->thread}, at = o->to;
        }
        if (k == m) break;
        if (depth && all[k].from > at)
            out[kept++] = (struct tw_stay_piece){at, all[k].from, all[open[depth - 1]].what, all[k].thread};
        at = all[k].from;
        open[depth++] = k;
    }
    free(all), free(open);
    *pieces = out, *n = kept;
    return 0;
}
