/* Which task waits for which. StarPU orders tasks by what they access: a reader after the last writer, a writer after
 * the readers since, or, if there are none, after the last writer; writers that commute after what was there before the
 * first of them. The same bookkeeping, at the door through which every task goes, costs a fraction of a microsecond and
 * needs no FxT. Only edges that these rules name: no edge that others imply is looked for, and none is left out that
 * they do not. */
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/state.h"
#include "runtime/watch/watch.h"

struct ids {
    unsigned long *id;
    int count, room;
};
struct object {
    const void *data;
    struct ids writers, readers, before; /* before: what a group of commuting writers waits for */
    int commuting;                       /* the writers are such a group */
    unsigned number;                     /* for inferred.c */
};

static struct object *table; /* open addressing */
static size_t used, room;
static struct tw_waits *pairs;
static size_t npairs, pair_room;
static size_t cut;             /* so many pairs were thrown out */
static unsigned long *dropped; /* tasks whose pairs are to be */
static size_t ndropped, dropped_room;
static unsigned objects; /* so many were numbered */
static size_t seen;      /* tasks */
static int lost;         /* no memory for some */
static int twice;        /* some pairs may be there twice */
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static const char gone; /* in the place of an object that was freed */

static void clear(struct object *o)
{
    free(o->writers.id), free(o->readers.id), free(o->before.id);
    memset(o, 0, sizeof *o);
}

void tw_edges_forget(void)
{
    starpu_pthread_mutex_lock(&lock);
    for (size_t k = 0; k < room; k++)
        clear(&table[k]);
    free(table), free(pairs), free(dropped);
    table = NULL, pairs = NULL, dropped = NULL;
    used = room = npairs = pair_room = seen = cut = ndropped = dropped_room = 0;
    lost = twice = 0;
    objects = 0;
    tw_inferred_forget();
    starpu_pthread_mutex_unlock(&lock);
}

static size_t slot_of(const struct object *objects, size_t size, const void *data)
{
    size_t at = (size_t)(((uintptr_t)data >> 4) * 0x9e3779b97f4a7c15ull >> 20) & (size - 1);

    while (objects[at].data && objects[at].data != data)
        at = (at + 1) & (size - 1);
    return at;
}

static struct object *object_of(const void *data)
{
    if (2 * (used + 1) > room) {
        const size_t bigger = room ? 2 * room : 1024;
        struct object *more = calloc(bigger, sizeof *more);
        if (!more) return NULL;
        used = 0;
        for (size_t k = 0; k < room; k++)
            if (table[k].data && table[k].data != &gone) more[slot_of(more, bigger, table[k].data)] = table[k], used++;
        free(table);
        table = more;
        room = bigger;
    }
    struct object *o = &table[slot_of(table, room, data)];
    if (!o->data) o->data = data, o->number = objects++, used++;
    return o;
}

static void add(struct ids *s, unsigned long id)
{
    if (s->count == s->room) {
        unsigned long *more = realloc(s->id, (size_t)(2 * s->room + 2) * sizeof *more);
        if (!more) {
            lost = 1;
            return;
        }
        s->id = more;
        s->room = 2 * s->room + 2;
    }
    s->id[s->count++] = id;
}

static void add_pair(unsigned long id, unsigned long before, int value)
{
    if (npairs == pair_room) {
        const size_t room_then = pair_room + pair_room / 8 + 4096;
        struct tw_waits *more = realloc(pairs, room_then * sizeof *more);
        if (!more) {
            lost = 1;
            return;
        }
        pairs = more;
        pair_room = room_then;
    }
    pairs[npairs++] = (struct tw_waits){id, before, value != 0};
}

/* `first` is where this task's pairs begin: several of its objects may have the same writer. In long lists nobody looks
 * for that: an edge that is there twice does no harm, and a token may have had a hundred thousand readers. */
static void after(unsigned long id, const struct ids *s, size_t first)
{
    const size_t end = npairs;
    const int looks = (end - first) * (size_t)s->count <= 4096;

    for (int k = 0; k < s->count; k++) {
        size_t i = looks ? first : end;
        while (i < end && pairs[i].before != s->id[k])
            i++;
        if (i == end && s->id[k] != id) add_pair(id, s->id[k], 0);
    }
}

static void take(struct ids *to, struct ids *from)
{
    struct ids empty = *to;

    *to = *from;
    empty.count = 0;
    *from = empty;
}

static void write_access(struct object *o, unsigned long id, int commutes, size_t first)
{
    if (commutes && o->commuting && o->readers.count == 0) { /* one more of the group */
        after(id, &o->before, first);
    } else {
        take(&o->before, o->readers.count ? &o->readers : &o->writers);
        after(id, &o->before, first);
        o->readers.count = o->writers.count = 0;
        o->commuting = commutes;
    }
    add(&o->writers, id);
}

/* Nor is a task recorded, most probably, that is one too many. */
static int too_many(void)
{
    return tw_rt.config.trace_limit && !tw_rt.config.trace_last && seen > (size_t)tw_rt.config.trace_limit;
}

void tw_edges_task(unsigned long id, const struct tw_seen_access *access, int naccess)
{
    starpu_pthread_mutex_lock(&lock);
    seen++;
    if (too_many()) {
        starpu_pthread_mutex_unlock(&lock);
        return;
    }
    const size_t first = npairs;
    for (int k = 0; k < naccess; k++) {
        struct object *o = access[k].object ? object_of(access[k].handle ? access[k].handle : access[k].object) : NULL;
        if (!access[k].object) continue;
        if (o && tw_has_cuda()) tw_inferred_use(id, o->number, &access[k]);
        if (!o) {
            lost = 1;
        } else if (access[k].writes) {
            write_access(o, id, access[k].commutes, first);
        } else {
            after(id, &o->writers, first);
            add(&o->readers, id);
        }
    }
    starpu_pthread_mutex_unlock(&lock);
}

int tw_edges_writers(const void *object, unsigned long *id, int max)
{
    int n = 0;

    starpu_pthread_mutex_lock(&lock);
    if (room) {
        const struct object *o = &table[slot_of(table, room, object)];
        for (; o->data && n < max && n < o->writers.count; n++)
            id[n] = o->writers.id[o->writers.count - 1 - n];
    }
    starpu_pthread_mutex_unlock(&lock);
    return n;
}

void tw_edges_values(unsigned long id, const unsigned long *writer, int n)
{
    starpu_pthread_mutex_lock(&lock);
    for (int k = 0; k < n && !too_many(); k++)
        if (writer[k] != id) add_pair(id, writer[k], 1);
    starpu_pthread_mutex_unlock(&lock);
}

void tw_edges_told(unsigned long id, unsigned long before)
{
    starpu_pthread_mutex_lock(&lock);
    add_pair(id, before, 0);
    twice = 1;
    starpu_pthread_mutex_unlock(&lock);
}

void tw_edges_freed(const void *object)
{
    if (!tw_record_on()) return;
    starpu_pthread_mutex_lock(&lock);
    if (room) {
        struct object *o = &table[slot_of(table, room, object)];
        if (o->data) clear(o), o->data = &gone;
    }
    starpu_pthread_mutex_unlock(&lock);
}

/* ---- of the last tasks only -------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;
    return (x > y) - (x < y);
}

/* Pairs of tasks that are gone. An edge from a task that went earlier stays until its other end goes, and is left out
 * by the writers. */
static void throw_out(void)
{
    size_t kept = 0;

    qsort(dropped, ndropped, sizeof *dropped, by_number);
    for (size_t k = 0; k < npairs; k++)
        if (!bsearch(&pairs[k].task, dropped, ndropped, sizeof *dropped, by_number)) pairs[kept++] = pairs[k];
    tw_inferred_dropped(dropped, ndropped);
    cut += npairs - kept;
    npairs = kept;
    ndropped = 0;
}

void tw_edges_dropped(const struct tw_record *records, size_t n)
{
    starpu_pthread_mutex_lock(&lock);
    for (size_t k = 0; k < n; k++) {
        if (records[k].part) continue;
        if (ndropped == dropped_room) {
            const size_t more = dropped_room + dropped_room / 4 + 1024;
            unsigned long *bigger = realloc(dropped, more * sizeof *bigger);
            if (!bigger) break; /* their pairs stay */
            dropped = bigger;
            dropped_room = more;
        }
        dropped[ndropped++] = records[k].id;
    }
    if (ndropped >= 1024 && ndropped >= npairs / 8) throw_out();
    starpu_pthread_mutex_unlock(&lock);
}

size_t tw_edges_copy(size_t *from, struct tw_waits *out, size_t max)
{
    starpu_pthread_mutex_lock(&lock);
    const size_t at = *from > cut ? *from - cut : 0, left = at < npairs ? npairs - at : 0, n = left < max ? left : max;
    if (n) memcpy(out, pairs + at, n * sizeof *out);
    *from = cut + at + n;
    starpu_pthread_mutex_unlock(&lock);
    return n;
}

/* ---- for the writers --------------------------------------------------------------------------------------------- */

/* Where the record of a task is: by its number, from the smallest on. */
struct places {
    unsigned long least;
    size_t count;
    unsigned *at; /* 1 + the record; 0: none */
};

static int find_places(struct places *p, const struct tw_record *records, size_t n)
{
    unsigned long most = 0;

    *p = (struct places){.least = ~0ul};
    for (size_t k = 0; k < n; k++) {
        if (records[k].part) continue;
        if (records[k].id < p->least) p->least = records[k].id;
        if (records[k].id > most) most = records[k].id;
    }
    if (p->least > most) p->least = most;
    p->count = (size_t)(most - p->least) + 1;
    if (!(p->at = calloc(p->count, sizeof *p->at))) return TW_E_MEMORY;
    for (size_t k = 0; k < n; k++)
        if (!records[k].part) p->at[records[k].id - p->least] = (unsigned)k + 1;
    return 0;
}

static unsigned place_of(const struct places *p, unsigned long id)
{
    return id < p->least || id - p->least >= p->count ? 0 : p->at[id - p->least];
}

/* What StarPU told may be what the data said. */
static void only_once(const struct tw_record *records, size_t *first, unsigned *edge, size_t n)
{
    size_t from = 0, kept = 0;

    for (size_t k = 0; k < n; k++) {
        const size_t to = first[k + 1];
        for (unsigned v = 0; v < records[k].values; v++)
            edge[kept++] = edge[from++];
        const size_t begin = kept;
        const int looks = to - from <= 256; /* of a longer list, in which a token's readers may stand, all stays */
        for (size_t i = from; i < to; i++) {
            size_t j = looks ? begin : kept;
            while (j < kept && edge[j] != edge[i])
                j++;
            if (j == kept) edge[kept++] = edge[i];
        }
        from = to;
        first[k + 1] = kept;
    }
}

int tw_edges_of(struct tw_record *records, size_t n, size_t **first_edge, unsigned **edge)
{
    struct places p;
    int e;

    *first_edge = calloc(n + 2, sizeof **first_edge);
    *edge = NULL;
    if (!*first_edge || (e = find_places(&p, records, n)))
        return tw_fail(TW_E_MEMORY, "no memory for the trace's predecessors");
    starpu_pthread_mutex_lock(&lock);
    size_t *next = *first_edge + 1;
    for (size_t k = 0; k < n; k++)
        records[k].values = 0;
    for (size_t k = 0; k < npairs; k++) {
        const unsigned task = place_of(&p, pairs[k].task);
        if (!task || !place_of(&p, pairs[k].before)) continue;
        next[task]++; /* counts, one place further: sums become beginnings */
        records[task - 1].values += pairs[k].value;
    }
    for (size_t k = 0; k < n; k++)
        next[k + 1] += next[k];
    *edge = malloc((next[n] + 1) * sizeof **edge);
    for (int value = 1; value >= 0; value--) /* these first */
        for (size_t k = 0; *edge && k < npairs; k++) {
            if (pairs[k].value != (unsigned)value) continue;
            const unsigned task = place_of(&p, pairs[k].task), before = place_of(&p, pairs[k].before);
            if (task && before) (*edge)[next[task - 1]++] = before - 1;
        }
    if (*edge && twice) only_once(records, *first_edge, *edge, n);
    starpu_pthread_mutex_unlock(&lock);
    free(p.at);
    return *edge ? 0 : tw_fail(TW_E_MEMORY, "no memory for the trace's predecessors");
}
