/* Recordings that own their content: growing, finishing, freeing; and the public functions on them. */
#include "traces/recorded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/c_locale.h"
#include "runtime/base/error.h"
#include "traces/advice.h"
#include "traces/analysis.h"

/* ---- growing ----------------------------------------------------------------------------------------------------- */

static int no_memory(void)
{
    return tw_fail(TW_E_MEMORY, "no memory for a recording");
}

/* Room for one element more. */
static int grow(void **array, size_t count, size_t *room, size_t size)
{
    void *more;

    if (count < *room) return 0;
    more = realloc(*array, (2 * *room + 16) * size);
    if (!more) return no_memory();
    *array = more;
    *room = 2 * *room + 16;
    return 0;
}

static int grow_int(void **array, int count, int *room, size_t size)
{
    size_t wide = (size_t)*room;
    int e = grow(array, (size_t)count, &wide, size);

    *room = (int)wide;
    return e;
}

int tw_recorded_new(struct tw_recorded **r)
{
    return (*r = calloc(1, sizeof **r)) ? 0 : no_memory();
}

/* Of a text within a block, behind which no zero comes: checked builds take strndup to want one. */
static char *copy_of(const char *text, size_t length)
{
    char *copy = malloc(length + 1);

    if (copy) memcpy(copy, text, length), copy[length] = 0;
    return copy;
}

int tw_names_add(struct tw_names *names, const char *text, size_t length)
{
    int e = grow_int((void **)&names->name, names->count, &names->room, sizeof *names->name);

    if (e) return e;
    if (!(names->name[names->count] = copy_of(text, length))) return no_memory();
    names->count++;
    return 0;
}

const char *tw_copies_keep(struct tw_copies *c, const char *text, int *e)
{
    const int k = *e ? -1 : tw_index_of(&c->index, text, 0);

    if (k < 0 && !*e) *e = no_memory();
    if (!*e && k == c->names.count) *e = tw_names_add(&c->names, text, strlen(text));
    return *e ? NULL : c->names.name[k];
}

int tw_recorded_add_worker(struct tw_recorded *r, const char *name, size_t length, int is_cuda, int device)
{
    int e = grow_int((void **)&r->workers, r->nworkers, &r->worker_room, sizeof *r->workers);

    if (e) return e;
    r->workers[r->nworkers] = (struct tw_recorded_worker){.is_cuda = is_cuda, .device = device};
    if (length > sizeof r->workers->name - 1) length = sizeof r->workers->name - 1;
    memcpy(r->workers[r->nworkers++].name, name, length);
    return 0;
}

int tw_recorded_add_kernel(struct tw_recorded *r, const char *name, size_t length, unsigned color)
{
    int e = grow_int((void **)&r->colors, r->kernels.count, &r->color_room, sizeof *r->colors);

    if (!e) r->colors[r->kernels.count] = color;
    return e ? e : tw_names_add(&r->kernels, name, length);
}

int tw_recorded_add_fact(struct tw_recorded *r, const char *key, size_t key_length, const char *value, size_t length)
{
    int e = grow_int((void **)&r->facts, r->nfacts, &r->fact_room, sizeof *r->facts);

    if (!e) e = tw_names_add(&r->texts, key, key_length);
    if (!e) e = tw_names_add(&r->texts, value, length);
    if (e) return e;
    r->facts[r->nfacts++] = (struct tw_run_fact){r->texts.name[r->texts.count - 2], r->texts.name[r->texts.count - 1]};
    return 0;
}

int tw_recorded_set_fact(struct tw_recorded *r, const char *key, size_t key_length, const char *value, size_t length,
                         int replaces)
{
    for (int k = 0; replaces && k < r->nfacts; k++) {
        if (strlen(r->facts[k].key) != key_length || strncmp(r->facts[k].key, key, key_length) != 0) continue;
        for (int i = 0; i < r->texts.count; i++) {
            char *copy;
            if (r->texts.name[i] != r->facts[k].value) continue;
            if (!(copy = copy_of(value, length))) return no_memory();
            free(r->texts.name[i]);
            r->texts.name[i] = copy;
            r->facts[k].value = copy;
            return 0;
        }
    }
    return tw_recorded_add_fact(r, key, key_length, value, length);
}

int tw_recorded_add_mark(struct tw_recorded *r, const struct tw_mark *mark, const char *name, size_t length)
{
    int e = grow((void **)&r->marks, r->nmarks, &r->mark_room, sizeof *r->marks);

    if (!e) e = tw_names_add(&r->texts, name, length);
    if (e) return e;
    r->marks[r->nmarks] = *mark;
    r->marks[r->nmarks++].name = r->texts.name[r->texts.count - 1];
    return 0;
}

int tw_recorded_add_stay(struct tw_recorded *r, const struct tw_stay *stay)
{
    const int e = grow((void **)&r->stays, r->nstays, &r->stay_room, sizeof *r->stays);

    if (!e) r->stays[r->nstays++] = *stay;
    return e;
}

int tw_recorded_add_transfer(struct tw_recorded *r, const struct tw_transfer *transfer)
{
    const int e = grow((void **)&r->transfers, r->ntransfers, &r->transfer_room, sizeof *r->transfers);

    if (!e) r->transfers[r->ntransfers++] = *transfer;
    return e;
}

int tw_recorded_add_used(struct tw_recorded *r, const struct tw_used *used)
{
    const int e = grow((void **)&r->used, r->nused, &r->used_room, sizeof *r->used);

    if (!e) r->used[r->nused++] = *used;
    return e;
}

int tw_recorded_add_task(struct tw_recorded *r, const struct tw_record *t)
{
    int e = grow((void **)&r->records, r->nrecords, &r->record_room, sizeof *r->records);

    if (!e) e = grow((void **)&r->first_edge, r->nrecords + 1, &r->first_room, sizeof *r->first_edge);
    if (e) return e;
    r->records[r->nrecords] = *t;
    r->first_edge[r->nrecords++] = r->nedges;
    r->first_edge[r->nrecords] = r->nedges;
    return 0;
}

int tw_recorded_add_edge(struct tw_recorded *r, unsigned before)
{
    int e = grow((void **)&r->edge, r->nedges, &r->edge_room, sizeof *r->edge);

    if (e) return e;
    r->edge[r->nedges++] = before;
    r->first_edge[r->nrecords] = r->nedges;
    return 0;
}

/* ---- edges by numbers -------------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const struct tw_numbered *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static int by_pair(const void *a, const void *b)
{
    const struct tw_waits *x = a, *y = b;
    if (x->task != y->task) return x->task < y->task ? -1 : 1;
    if (x->value != y->value) return x->value ? -1 : 1;
    return (x->before > y->before) - (x->before < y->before);
}

const struct tw_numbered *tw_numbered_find(const struct tw_numbered *list, size_t n, unsigned long id)
{
    const struct tw_numbered key = {id, 0};
    return bsearch(&key, list, n, sizeof *list, by_number);
}

/* Copies of staged tiles have no number. */
int tw_recorded_numbers(const struct tw_recorded *r, struct tw_numbered **list, size_t *n)
{
    *n = 0;
    if (!(*list = malloc((r->nrecords + 1) * sizeof **list))) return no_memory();
    for (size_t k = 0; k < r->nrecords; k++) {
        const struct tw_record *t = &r->records[k];
        if (!t->part && (t->id || !(t->moved > 0) || t->flops > 0))
            (*list)[(*n)++] = (struct tw_numbered){t->id, (unsigned)k};
    }
    qsort(*list, *n, sizeof **list, by_number);
    return 0;
}

/* The pairs that stay, by places instead of numbers, each once. */
static size_t place_pairs(const struct tw_numbered *list, size_t n, struct tw_waits *waits, size_t nwaits)
{
    size_t kept = 0, once = 0;

    for (size_t k = 0; k < nwaits; k++) {
        const struct tw_numbered *task = tw_numbered_find(list, n, waits[k].task),
                                 *before = tw_numbered_find(list, n, waits[k].before);
        if (task && before && task != before) waits[kept++] = (struct tw_waits){task->at, before->at, waits[k].value};
    }
    qsort(waits, kept, sizeof *waits, by_pair);
    for (size_t k = 0; k < kept; k++)
        if (!once || by_pair(&waits[once - 1], &waits[k]) != 0) waits[once++] = waits[k];
    return once;
}

int tw_recorded_set_waits(struct tw_recorded *r, struct tw_waits *waits, size_t nwaits)
{
    struct tw_numbered *list;
    size_t *first, n, at = 0, j = 0;
    unsigned *edge;

    if (tw_recorded_numbers(r, &list, &n)) return TW_E_MEMORY;
    nwaits = nwaits ? place_pairs(list, n, waits, nwaits) : 0;
    free(list);
    first = malloc((r->nrecords + 2) * sizeof *first);
    edge = malloc((r->nedges + nwaits + 1) * sizeof *edge);
    if (!first || !edge) {
        free(first), free(edge);
        return no_memory();
    }
    for (size_t k = 0; k < r->nrecords; k++) {
        first[k] = at;
        for (; j < nwaits && waits[j].task == k && waits[j].value; j++, r->records[k].values++)
            edge[at++] = (unsigned)waits[j].before;
        for (size_t i = r->first_edge[k]; i < r->first_edge[k + 1]; i++)
            edge[at++] = r->edge[i];
        for (; j < nwaits && waits[j].task == k; j++)
            edge[at++] = (unsigned)waits[j].before;
    }
    first[r->nrecords] = at;
    free(r->first_edge), free(r->edge);
    r->first_edge = first, r->edge = edge;
    r->first_room = r->nrecords + 2, r->edge_room = r->nedges + nwaits + 1, r->nedges = at;
    return 0;
}

/* ---- finishing --------------------------------------------------------------------------------------------------- */

struct place {
    double start;
    unsigned long id;
    unsigned at;
};

static int by_start(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Tasks in order of start, edges with them. */
static int sort_tasks(struct tw_recorded *r)
{
    const size_t n = r->nrecords;
    struct place *place = malloc((n + 1) * sizeof *place);
    unsigned *now = malloc((n + 1) * sizeof *now), *edge = malloc((r->nedges + 1) * sizeof *edge);
    struct tw_record *records = malloc((n + 1) * sizeof *records);
    size_t *first = malloc((n + 2) * sizeof *first), at = 0;
    int e = place && now && edge && records && first ? 0 : no_memory();

    for (size_t k = 0; !e && k < n; k++)
        place[k] = (struct place){r->records[k].start, r->records[k].id, (unsigned)k};
    if (!e) qsort(place, n, sizeof *place, by_start);
    for (size_t k = 0; !e && k < n; k++)
        now[place[k].at] = (unsigned)k;
    for (size_t k = 0; !e && k < n; k++) {
        const unsigned old = place[k].at;
        records[k] = r->records[old];
        first[k] = at;
        for (size_t i = r->first_edge[old]; i < r->first_edge[old + 1]; i++)
            edge[at++] = now[r->edge[i]];
    }
    free(place), free(now);
    if (e) {
        free(edge), free(records), free(first);
        return e;
    }
    first[n] = at;
    free(r->records), free(r->edge), free(r->first_edge);
    r->records = records, r->edge = edge, r->first_edge = first;
    r->record_room = n + 1, r->edge_room = r->nedges + 1, r->first_room = n + 2;
    return 0;
}

static int by_time(const void *a, const void *b)
{
    const struct tw_used *x = a, *y = b;
    if (x->time != y->time) return x->time < y->time ? -1 : 1;
    return (x->memory > y->memory) - (x->memory < y->memory);
}

/* "part": "", or from when to when. A file may say anything: tasks lie within the window, or widen it. */
static void read_part(struct tw_recording *v)
{
    const char *text = tw_recorded_fact(v, "part");
    double from, to;
    char *end;

    v->part = text != NULL;
    if (!text) return;
    from = tw_strtod(text, &end);
    if (end == text) return;
    to = tw_strtod(text = end, &end);
    if (end == text || !(from >= -1e9 && to <= 1e9 && from < to)) return;
    for (size_t k = 0; k < v->nrecords; k++) {
        const struct tw_record *t = &v->records[k];
        if (!tw_counts(v, t)) continue;
        from = fmin(from, fmin(isfinite(t->submit) ? t->submit : t->start, t->start));
        to = fmax(to, t->end);
    }
    v->from = from, v->to = to;
}

int tw_recorded_finish(struct tw_recorded *r, const char **why)
{
    unsigned *order = NULL;
    int e;

    *why = NULL;
    for (size_t k = 0; k < r->nedges; k++)
        if (r->edge[k] >= r->nrecords) {
            *why = "a task waits for one that is not there";
            return TW_E_FORMAT;
        }
    if (!r->first_edge && (r->first_edge = calloc(2, sizeof *r->first_edge))) r->first_room = 2;
    if (!r->first_edge) return no_memory();
    if ((e = sort_tasks(r))) return e;
    if (r->nused) qsort(r->used, r->nused, sizeof *r->used, by_time);
    r->view = (struct tw_recording){.nrecords = r->nrecords,
                                    .records = r->records,
                                    .nworkers = r->nworkers,
                                    .workers = r->workers,
                                    .nroutines = r->routines.count,
                                    .routines = (const char *const *)r->routines.name,
                                    .first_edge = r->nedges ? r->first_edge : NULL,
                                    .edge = r->edge,
                                    .nfacts = r->nfacts,
                                    .facts = r->facts,
                                    .nmarks = r->nmarks,
                                    .marks = r->marks,
                                    .nstays = r->nstays,
                                    .stays = r->stays,
                                    .ntransfers = r->ntransfers,
                                    .transfers = r->transfers,
                                    .nused = r->nused,
                                    .used = r->used};
    for (size_t k = 0; k < r->nrecords; k++)
        if (r->records[k].end > r->view.duration) r->view.duration = r->records[k].end;
    r->view.sched = tw_recorded_fact(&r->view, "scheduler") ? tw_recorded_fact(&r->view, "scheduler") : "?";
    r->view.machine = tw_recorded_fact(&r->view, "machine") ? tw_recorded_fact(&r->view, "machine") : "?";
    if (tw_recorded_fact(&r->view, "dropped"))
        r->view.dropped = strtoull(tw_recorded_fact(&r->view, "dropped"), NULL, 10);
    read_part(&r->view);
    if ((order = tw_topological(&r->view, &e)) == NULL && e == TW_E_FORMAT)
        *why = "tasks wait for each other in a circle";
    free(order);
    return e;
}

const char *tw_recorded_fact(const struct tw_recording *r, const char *key)
{
    for (int k = 0; k < r->nfacts; k++)
        if (!strcmp(r->facts[k].key, key)) return r->facts[k].value;
    return NULL;
}

static void free_names(struct tw_names *names)
{
    for (int k = 0; k < names->count; k++)
        free(names->name[k]);
    free(names->name);
}

int tw_recorded_destroy(tw_recorded *r)
{
    tw_clear_message();
    if (!r) return 0;
    tw_analysis_free(r->analysis);
    free_names(&r->routines), free_names(&r->kernels), free_names(&r->stages), free_names(&r->texts);
    free(r->records), free(r->first_edge), free(r->edge), free(r->workers), free(r->colors), free(r->facts),
        free(r->marks), free(r->stays), free(r->transfers), free(r->used);
    free(r);
    return 0;
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

int tw_recorded_write(const tw_recorded *r, const char *prefix, const char *formats)
{
    struct tw_trace_written written = {0};
    int e;

    tw_clear_message();
    if (!r) return tw_illegal("tw_recorded_write", 1, "NULL");
    if (!prefix || !*prefix) return tw_illegal("tw_recorded_write", 2, "no prefix");
    if (r->view.nrecords == 0 && r->view.nstays == 0)
        return tw_fail(TW_E_STATE, "tw_recorded_write: the recording has no tasks");
    e = tw_trace_call_writers(&r->view, prefix, formats ? formats : "", "tw_recorded_write", &written);
    if (written.left_out[0]) tw_log(TW_LOG_WARNING, "left out: %s", written.left_out);
    return e;
}

/* Made once; recordings do not change, so the first thread stores it. */
static const struct tw_analysis *analysis_of(const tw_recorded *r, int *e)
{
    struct tw_analysis *made = __atomic_load_n(&r->analysis, __ATOMIC_ACQUIRE), *expected = NULL;

    *e = 0;
    if (made) return made;
    if ((*e = tw_analysis_make(&made, &r->view))) return NULL;
    if (__atomic_compare_exchange_n(&((tw_recorded *)r)->analysis, &expected, made, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return made;
    tw_analysis_free(made);
    return expected;
}

int tw_recorded_facts(const tw_recorded *r, tw_trace_facts *facts)
{
    const struct tw_analysis *a;
    int e;

    tw_clear_message();
    if (!r) return tw_illegal("tw_recorded_facts", 1, "NULL");
    if (!facts) return tw_illegal("tw_recorded_facts", 2, "NULL");
    if (!(a = analysis_of(r, &e))) return e;
    *facts = a->facts;
    facts->edges = r->nedges;
    facts->dropped = r->view.dropped;
    facts->workers = r->view.nworkers;
    facts->machine = r->view.machine;
    facts->sched = r->view.sched;
    facts->lacks = tw_recorded_fact(&r->view, "lacks") ? tw_recorded_fact(&r->view, "lacks") : "";
    facts->ranks = tw_recorded_fact(&r->view, "ranks");
    if (!facts->ranks) facts->ranks = tw_recorded_fact(&r->view, "rank") ? tw_recorded_fact(&r->view, "rank") : "0";
    facts->command = tw_recorded_fact(&r->view, "command") ? tw_recorded_fact(&r->view, "command") : "?";
    return 0;
}

int tw_recorded_kernels(const tw_recorded *r, tw_trace_kernel *kernels, int max)
{
    const struct tw_analysis *a;
    int e;

    tw_clear_message();
    if (!r) return tw_illegal("tw_recorded_kernels", 1, "NULL");
    if (!kernels && max > 0) return tw_illegal("tw_recorded_kernels", 2, "NULL");
    if (max < 0) return tw_illegal("tw_recorded_kernels", 3, "negative");
    if (!(a = analysis_of(r, &e))) return e;
    for (int k = 0; k < a->nkernels && k < max; k++)
        kernels[k] = a->kernels[k];
    return a->nkernels;
}

tw_int tw_recorded_path(const tw_recorded *r, tw_trace_step *steps, tw_int first, tw_int max)
{
    const struct tw_analysis *a;
    int e;

    tw_clear_message();
    if (!r) return tw_illegal("tw_recorded_path", 1, "NULL");
    if (!steps && max > 0) return tw_illegal("tw_recorded_path", 2, "NULL");
    if (first < 0) return tw_illegal("tw_recorded_path", 3, "negative");
    if (max < 0) return tw_illegal("tw_recorded_path", 4, "negative");
    if (!(a = analysis_of(r, &e))) return e;
    for (tw_int k = first; k < (tw_int)a->nsteps && k - first < max; k++)
        steps[k - first] = a->steps[k];
    return (tw_int)a->nsteps;
}

int tw_recorded_advice(const tw_recorded *r, tw_trace_advice *advice, int max)
{
    const struct tw_analysis *a;
    struct tw_summary s;
    int e, n;

    tw_clear_message();
    if (!r) return tw_illegal("tw_recorded_advice", 1, "NULL");
    if (!advice && max > 0) return tw_illegal("tw_recorded_advice", 2, "NULL");
    if (max < 0) return tw_illegal("tw_recorded_advice", 3, "negative");
    if (!(a = analysis_of(r, &e)) || (e = tw_summary_make(&s, &r->view))) return e;
    n = tw_advise(advice, max, &s, a);
    tw_summary_free(&s);
    return n;
}

int tw_recorded_standard_change(const tw_recorded *r, int k, char *change, size_t length)
{
    const struct tw_analysis *a;
    int e;

    tw_clear_message();
    if (!r) return tw_illegal("tw_recorded_standard_change", 1, "NULL");
    if (k < 0) return tw_illegal("tw_recorded_standard_change", 2, "negative");
    if (!change) return tw_illegal("tw_recorded_standard_change", 3, "NULL");
    if (!length) return tw_illegal("tw_recorded_standard_change", 4, "0");
    *change = 0;
    if (!(a = analysis_of(r, &e))) return e;
    return tw_standard_change(&r->view, a, k, change, length);
}
