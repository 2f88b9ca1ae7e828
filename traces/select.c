/* A part of a recording: some time, some kernels, some workers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "traces/analysis.h"
#include "traces/recorded.h"

/* Whether a list with commas has the word; no list has all. */
static int has(const char *list, const char *word)
{
    const size_t n = strlen(word);

    if (!list || !*list) return 1;
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == n && !strncmp(at, word, n)) return 1;
    return 0;
}

static int copy_frame(struct tw_recorded *to, const struct tw_recording *v)
{
    int e = 0;

    for (int k = 0; !e && k < v->nfacts; k++)
        e = tw_recorded_add_fact(to, v->facts[k].key, strlen(v->facts[k].key), v->facts[k].value,
                                 strlen(v->facts[k].value));
    for (int k = 0; !e && k < v->nworkers; k++)
        e = tw_recorded_add_worker(to, v->workers[k].name, strlen(v->workers[k].name), v->workers[k].is_cuda,
                                   v->workers[k].device);
    for (int k = 0; !e && k < v->nroutines; k++)
        e = tw_names_add(&to->routines, v->routines[k], strlen(v->routines[k]));
    for (size_t k = 0; !e && k < v->nmarks; k++)
        e = tw_recorded_add_mark(to, &v->marks[k], v->marks[k].name, strlen(v->marks[k].name));
    for (size_t k = 0; !e && k < v->ntransfers; k++)
        e = tw_recorded_add_transfer(to, &v->transfers[k]);
    for (size_t k = 0; !e && k < v->nused; k++)
        e = tw_recorded_add_used(to, &v->used[k]);
    return e;
}

/* What threads did, up to the last end of a task that is left. */
static int copy_stays(struct tw_recorded *to, const struct tw_recording *v)
{
    double last = -INFINITY;
    int e = 0;

    for (size_t k = 0; k < to->nrecords; k++)
        last = fmax(last, to->records[k].end);
    for (size_t k = 0; !e && k < v->nstays; k++) {
        struct tw_stay s = v->stays[k];
        const int all = to->nrecords == v->nrecords;
        if (!all && s.to > last) s.to = last;
        if (s.to > s.from) e = tw_recorded_add_stay(to, &s);
    }
    return e;
}

static double origin_of(const struct tw_recording *v)
{
    double origin = INFINITY;

    for (size_t k = 0; k < v->nrecords; k++)
        if (tw_counts(v, &v->records[k])) origin = fmin(origin, fmin(v->records[k].submit, v->records[k].start));
    return origin;
}

/* now[k]: 1 + the place of record k among those that are left; 0: it is not. */
static int copy_tasks(struct tw_recorded *to, const struct tw_recording *v, unsigned *now)
{
    struct tw_copies kernels = {{0}, {0}}, stages = {{0}, {0}};
    unsigned n = 0;
    int e = 0;

    for (size_t k = 0; k < v->nrecords; k++)
        if (now[k]) now[k] = ++n;
    for (size_t k = 0; !e && k < v->nrecords; k++) {
        struct tw_record t = v->records[k];
        if (!now[k]) continue;
        t.name = tw_copies_keep(&kernels, t.name ? t.name : "(unnamed)", &e);
        if (t.stage) t.stage = tw_copies_keep(&stages, t.stage, &e);
        if (!e) e = tw_recorded_add_task(to, &t);
        for (size_t j = v->first_edge ? v->first_edge[k] : 0; !e && v->first_edge && j < v->first_edge[k + 1]; j++)
            if (now[v->edge[j]]) e = tw_recorded_add_edge(to, now[v->edge[j]] - 1);
    }
    tw_index_free(&kernels.index), tw_index_free(&stages.index);
    to->kernels = kernels.names, to->stages = stages.names;
    return e;
}

int tw_recorded_select(tw_recorded **part, const tw_recorded *recorded, double from, double to, const char *kernels,
                       const char *workers)
{
    const struct tw_recording *v;
    const char *why = NULL;
    unsigned *now;
    double origin;
    int e;

    tw_clear_message();
    if (!part) return tw_illegal("tw_recorded_select", 1, "NULL");
    *part = NULL;
    if (!recorded) return tw_illegal("tw_recorded_select", 2, "NULL");
    if (isnan(from)) return tw_illegal("tw_recorded_select", 3, "NaN");
    if (isnan(to) || to < from) return tw_illegal("tw_recorded_select", 4, "before the beginning");
    v = &recorded->view;
    origin = origin_of(v);
    if (!(now = calloc(v->nrecords + 1, sizeof *now)))
        return tw_fail(TW_E_MEMORY, "no memory for a part of a recording");
    for (size_t k = 0; k < v->nrecords; k++) {
        const struct tw_record *t = &v->records[k];
        now[k] = tw_counts(v, t) && t->end - origin >= from && t->start - origin <= to &&
                 has(kernels, t->name ? t->name : "(unnamed)") && has(workers, v->workers[t->worker].name);
    }
    e = tw_recorded_new(part);
    if (!e) e = copy_frame(*part, v);
    if (!e) e = copy_tasks(*part, v, now);
    if (!e) e = copy_stays(*part, v);
    if (!e) e = tw_recorded_finish(*part, &why);
    free(now);
    if (e && *part) {
        tw_recorded_destroy(*part);
        *part = NULL;
        return tw_fail(e, "no memory for a part of a recording");
    }
    return e;
}
