/* A part of a recording: some time, some kernels, some workers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/c_locale.h"
#include "runtime/base/error.h"
#include "traces/analysis.h"
#include "traces/recorded.h"

/* ---- names ------------------------------------------------------------------------------------------------------- */

static const char *name_of(const struct tw_record *t)
{
    return t->name ? t->name : "(unnamed)";
}

static int is_kernel(const struct tw_recording *v, size_t k, const char *word, size_t length)
{
    return tw_kernel_is(name_of(&v->records[k]), v->records[k].type, word, length);
}
static int is_worker(const struct tw_recording *v, size_t k, const char *word, size_t length)
{
    return strlen(v->workers[k].name) == length && !strncmp(v->workers[k].name, word, length);
}
typedef int (*is_fn)(const struct tw_recording *v, size_t k, const char *word, size_t length);

/* Whether a list with commas has the name of the k-th; no list has all. */
static int has(const struct tw_recording *v, size_t k, const char *list, is_fn is)
{
    if (!list || !*list) return 1;
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
        if (is(v, k, at, strcspn(at, ","))) return 1;
    return 0;
}

static void add_name(char *list, size_t size, const char *name)
{
    const size_t used = strlen(list);
    if (used < size - 80) snprintf(list + used, size - used, "%s%.60s", used ? ", " : "", name);
}

/* Each word of the list is the name of something. */
static int known(const struct tw_recording *v, const char *list, const char *what, size_t n, is_fn is)
{
    char all[400] = "";

    for (const char *at = list ? list : ""; *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        size_t k = 0;
        while (k < n && !is(v, k, at, length))
            k++;
        if (k == n) {
            if (is == is_kernel) tw_kernel_names(v, all, sizeof all);
            for (k = 0; is == is_worker && k < n; k++)
                add_name(all, sizeof all, v->workers[k].name);
            return tw_fail(TW_E_OPTION, "%s %.*s: there is none of that name; there are: %s", what,
                           (int)(length < 60 ? length : 60), at, all);
        }
        at += length;
    }
    return 0;
}

/* ---- the copy ---------------------------------------------------------------------------------------------------- */

struct window {
    double from, to; /* infinities: open */
};

static int is_cut(const struct window *w)
{
    return isfinite(w->from) || isfinite(w->to);
}

/* What of a range lies inside, as a share of it. */
static double inside(const struct window *w, double *from, double *to)
{
    const double whole = *to - *from;

    *from = fmax(*from, w->from), *to = fmin(*to, w->to);
    return whole > 0 ? fmax(0, *to - *from) / whole : 1;
}

static int copy_fact(struct tw_recorded *to, const struct tw_run_fact *f, const struct window *w)
{
    if (!strcmp(f->key, "part")) return 0;
    if (is_cut(w) && !strncmp(f->key, "bytes counted from ", 19)) return 0; /* counts of the whole time */
    return tw_recorded_add_fact(to, f->key, strlen(f->key), f->value, strlen(f->value));
}

static int copy_frame(struct tw_recorded *to, const struct tw_recording *v, const struct window *w)
{
    char part[64] = "";
    int e = 0;

    for (int k = 0; !e && k < v->nfacts; k++)
        e = copy_fact(to, &v->facts[k], w);
    if (is_cut(w)) {
        void *locale = tw_c_locale_enter();
        snprintf(part, sizeof part, "%.9f %.9f", w->from, w->to);
        tw_c_locale_leave(locale);
    }
    if (!e) e = tw_recorded_add_fact(to, "part", 4, part, strlen(part));
    for (int k = 0; !e && k < v->nworkers; k++)
        e = tw_recorded_add_worker(to, v->workers[k].name, strlen(v->workers[k].name), v->workers[k].is_cuda,
                                   v->workers[k].device);
    for (int k = 0; !e && k < v->nroutines; k++)
        e = tw_names_add(&to->routines, v->routines[k], strlen(v->routines[k]));
    return e;
}

/* Marks, transfers and used memory. */
static int copy_rest(struct tw_recorded *to, const struct tw_recording *v, const struct window *w)
{
    int e = 0;

    for (size_t k = 0; !e && k < v->nmarks; k++) {
        struct tw_mark m = v->marks[k];
        inside(w, &m.from, &m.to);
        if (m.to >= m.from) e = tw_recorded_add_mark(to, &m, v->marks[k].name, strlen(v->marks[k].name));
    }
    for (size_t k = 0; !e && k < v->ntransfers; k++) {
        struct tw_transfer t = v->transfers[k];
        t.bytes *= inside(w, &t.from, &t.to);
        if (t.to >= t.from) e = tw_recorded_add_transfer(to, &t);
    }
    for (size_t k = 0; !e && k < v->nused; k++) {
        struct tw_used u = v->used[k];
        size_t next = k + 1;
        while (next < v->nused && v->used[next].memory != u.memory)
            next++;
        if (u.time > w->to || (next < v->nused && v->used[next].time <= w->from)) continue;
        u.time = fmax(u.time, w->from); /* that much was in use when the part begins */
        e = tw_recorded_add_used(to, &u);
    }
    return e;
}

/* What threads did: in the window, or else up to the last end of a task that is left. */
static int copy_stays(struct tw_recorded *to, const struct tw_recording *v, const struct window *w)
{
    struct window all = {-INFINITY, INFINITY};
    double last = -INFINITY;
    int e = 0;

    for (size_t k = 0; k < to->nrecords; k++)
        last = fmax(last, to->records[k].end);
    if (to->nrecords != v->nrecords) all.to = last;
    if (is_cut(w)) all = *w;
    for (size_t k = 0; !e && k < v->nstays; k++) {
        struct tw_stay s = v->stays[k];
        inside(&all, &s.from, &s.to);
        if (s.to > s.from) e = tw_recorded_add_stay(to, &s);
    }
    return e;
}

/* The part of a task that lies inside. */
static void cut(struct tw_record *t, const struct window *w)
{
    double *const before[] = {&t->ready, &t->taken, &t->loaded};
    const double part = inside(w, &t->start, &t->end);

    t->submit = fmin(fmax(t->submit, w->from), t->start);
    for (int k = 0; k < 3; k++)
        if (*before[k] > 0) *before[k] = fmin(fmax(*before[k], t->submit), t->start);
    t->flops *= part, t->moved *= part, t->lost *= part;
    t->predicted[0] *= part, t->predicted[1] *= part;
    t->lost_before = fmin(t->lost_before, t->start - t->submit);
}

static double origin_of(const struct tw_recording *v)
{
    double origin = INFINITY;

    if (v->to > v->from) return v->from;
    for (size_t k = 0; k < v->nrecords; k++)
        if (tw_counts(v, &v->records[k])) origin = fmin(origin, fmin(v->records[k].submit, v->records[k].start));
    return origin;
}

/* now[k]: 1 + the place of record k among those that are left; 0: it is not. */
static int copy_tasks(struct tw_recorded *to, const struct tw_recording *v, unsigned *now, const struct window *w)
{
    struct tw_copies kernels = {{0}, {0}}, stages = {{0}, {0}};
    unsigned n = 0;
    int e = 0;

    for (size_t k = 0; k < v->nrecords; k++)
        if (now[k]) now[k] = ++n;
    for (size_t k = 0; !e && k < v->nrecords; k++) {
        struct tw_record t = v->records[k];
        if (!now[k]) continue;
        if (is_cut(w)) cut(&t, w);
        t.name = tw_copies_keep(&kernels, name_of(&v->records[k]), &e);
        if (t.stage) t.stage = tw_copies_keep(&stages, t.stage, &e);
        for (size_t j = 0; j < v->records[k].values; j++)
            t.values -= !now[v->edge[v->first_edge[k] + j]];
        if (!e) e = tw_recorded_add_task(to, &t);
        for (size_t j = v->first_edge ? v->first_edge[k] : 0; !e && v->first_edge && j < v->first_edge[k + 1]; j++)
            if (now[v->edge[j]]) e = tw_recorded_add_edge(to, now[v->edge[j]] - 1);
    }
    tw_index_free(&kernels.index), tw_index_free(&stages.index);
    to->kernels = kernels.names, to->stages = stages.names;
    return e;
}

/* In the recording's seconds, whole ns, as times in files are; of an end that is open, the recording's. */
static struct window window_of(const struct tw_recording *v, double from, double to)
{
    const double origin = origin_of(v), end = tw_recording_end(v);
    struct window w = {-INFINITY, INFINITY};

    if (!isfinite(origin) || (from <= 0 && isinf(to) && !(v->to > v->from))) return w;
    w.from = 1e-9 * round(1e9 * (origin + fmax(from, 0)));
    w.to = 1e-9 * round(1e9 * fmin(origin + to, end));
    if (w.to < w.from) w.to = w.from; /* behind the end: nothing is left */
    return w;
}

/* What only touches the window has nothing inside of it. */
static int is_inside(const struct window *w, const struct tw_record *t)
{
    return (t->end > w->from && t->start < w->to) || (t->start == t->end && t->end >= w->from && t->start <= w->to);
}

int tw_recorded_select(tw_recorded **part, const tw_recorded *recorded, double from, double to, const char *kernels,
                       const char *workers)
{
    const struct tw_recording *v;
    const char *why = NULL;
    struct window w;
    unsigned *now;
    int e;

    tw_clear_message();
    if (!part) return tw_illegal("tw_recorded_select", 1, "NULL");
    *part = NULL;
    if (!recorded) return tw_illegal("tw_recorded_select", 2, "NULL");
    if (isnan(from)) return tw_illegal("tw_recorded_select", 3, "NaN");
    if (isnan(to) || to < from) return tw_illegal("tw_recorded_select", 4, "before the beginning");
    v = &recorded->view;
    if ((e = known(v, kernels, "kernel", v->nrecords, is_kernel))) return e;
    if ((e = known(v, workers, "worker", (size_t)v->nworkers, is_worker))) return e;
    w = window_of(v, from, to);
    if (!(now = calloc(v->nrecords + 1, sizeof *now)))
        return tw_fail(TW_E_MEMORY, "no memory for a part of a recording");
    for (size_t k = 0; k < v->nrecords; k++) {
        const struct tw_record *t = &v->records[k];
        now[k] = tw_counts(v, t) && is_inside(&w, t) && has(v, k, kernels, is_kernel) &&
                 has(v, (size_t)t->worker, workers, is_worker);
    }
    e = tw_recorded_new(part);
    if (!e) e = copy_frame(*part, v, &w);
    if (!e) e = copy_rest(*part, v, &w);
    if (!e) e = copy_tasks(*part, v, now, &w);
    if (!e) e = copy_stays(*part, v, &w);
    if (!e) e = tw_recorded_finish(*part, &why);
    free(now);
    if (e && *part) {
        tw_recorded_destroy(*part);
        *part = NULL;
        return tw_fail(e, "no memory for a part of a recording");
    }
    return e;
}
