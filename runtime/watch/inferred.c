/* Transfers that StarPU makes of its own accord, inferred: it tells nobody of single ones. What a task accesses, in
 * which memory it ran, and what was there before say what had to travel: a reader needs a valid copy in its memory, a
 * writer leaves the only one. When: between the task being taken by its worker and its data being there; what was
 * fetched ahead came sooner than it seems here. What has its home in main memory and was written on a GPU last is
 * brought home, no sooner than that writer ended. Not seen: copies thrown out for lack of memory and fetched again.
 * Main memory is 0, GPU d is 1 + d. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/watch/watch.h"

/* There are several of each task: as small as may be. */
struct use {
    unsigned task;
    unsigned object : 29; /* its number; a freed one's address may come again, its number does not */
    unsigned reads : 1, writes : 1, home : 1;
};
enum { MOST_OBJECTS = 1 << 29 };
static struct use *uses;
static size_t nuses, room;
static double *bytes_of;              /* each object */
static unsigned objects, object_room; /* numbers are below this */
static int cut;                       /* what tasks used before was forgotten */
static int too_many;                  /* tasks or objects to be numbered so: nothing is inferred */
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

void tw_inferred_forget(void)
{
    starpu_pthread_mutex_lock(&lock);
    free(uses), free(bytes_of);
    uses = NULL, bytes_of = NULL;
    nuses = room = 0;
    objects = object_room = 0;
    cut = too_many = 0;
    starpu_pthread_mutex_unlock(&lock);
}

static int make_room(unsigned object)
{
    if (nuses == room) {
        const size_t more = room + room / 8 + 4096;
        struct use *bigger = realloc(uses, more * sizeof *bigger);
        if (!bigger) return 0;
        uses = bigger, room = more;
    }
    if (object >= object_room) {
        const unsigned more = object + object / 4 + 256;
        double *bigger = realloc(bytes_of, more * sizeof *bigger);
        if (!bigger) return 0;
        bytes_of = bigger, object_room = more;
    }
    return 1;
}

void tw_inferred_use(unsigned long task, unsigned object, const struct tw_seen_access *access)
{
    starpu_pthread_mutex_lock(&lock);
    if (task > UINT32_MAX || object >= MOST_OBJECTS) {
        too_many = 1;
    } else if (make_room(object)) {
        uses[nuses++] = (struct use){.task = (unsigned)task,
                                     .object = object & (MOST_OBJECTS - 1),
                                     .reads = access->reads != 0,
                                     .writes = access->writes != 0,
                                     .home = access->travels && !access->staged};
        bytes_of[object] = access->bytes;
        if (object >= objects) objects = object + 1;
    }
    starpu_pthread_mutex_unlock(&lock);
}

static int by_task(const void *a, const void *b)
{
    const struct use *x = a, *y = b;
    if (x->task != y->task) return x->task < y->task ? -1 : 1;
    return x->object < y->object ? -1 : x->object > y->object;
}

static int by_number(const void *a, const void *b)
{
    const unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;
    return (x > y) - (x < y);
}

void tw_inferred_dropped(const unsigned long *ids, size_t n)
{
    size_t kept = 0;

    starpu_pthread_mutex_lock(&lock);
    for (size_t k = 0; k < nuses; k++)
        if (!bsearch(&(unsigned long){uses[k].task}, ids, n, sizeof *ids, by_number)) uses[kept++] = uses[k];
    cut |= kept < nuses;
    nuses = kept;
    starpu_pthread_mutex_unlock(&lock);
}

static size_t first_of(unsigned long task)
{
    size_t low = 0, high = nuses;

    while (low < high) {
        const size_t mid = (low + high) / 2;
        if (uses[mid].task < task)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The object's copies after this access; *source: where it had to come from; -1: from nowhere. */
static uint64_t moved(uint64_t valid, const struct use *u, int memory, int *source)
{
    const uint64_t here = (uint64_t)1 << memory;

    *source = -1;
    if (u->reads && valid && !(valid & here))
        *source = __builtin_ctzll(valid); /* main memory first: it is the nearest to all */
    if (u->writes) return here;
    return valid ? valid | here : valid;
}

struct found {
    struct tw_transfer *t;
    size_t have, space;
};
static int add(struct found *f, struct tw_transfer t)
{
    if (f->have == f->space) {
        struct tw_transfer *more = realloc(f->t, (2 * f->space + 256) * sizeof *more);
        if (!more) return TW_E_MEMORY;
        f->t = more, f->space = 2 * f->space + 256;
    }
    t.inferred = 1;
    f->t[f->have++] = t;
    return 0;
}

/* What was known of an object last. */
struct object {
    uint64_t valid; /* memories with a copy */
    double written;
    int home;
};

/* What is on GPUs alone, and does not live there. */
static int bring_home(struct found *f, const struct object *of)
{
    int e = 0;

    for (unsigned k = 0; k < objects && !e; k++)
        if (of[k].home && of[k].valid && !(of[k].valid & 1))
            e = add(f, (struct tw_transfer){.from = of[k].written,
                                            .to = of[k].written,
                                            .bytes = bytes_of[k],
                                            .source = __builtin_ctzll(of[k].valid) - 1,
                                            .target = -1});
    return e;
}

int tw_inferred_transfers(const struct tw_record *records, size_t n, const int *memory, struct tw_transfer **out,
                          size_t *count)
{
    struct found f = {0};
    struct object *of;
    int e = 0, source;

    starpu_pthread_mutex_lock(&lock);
    of = calloc((size_t)objects + 1, sizeof *of);
    if (!of) e = TW_E_MEMORY;
    if (!e && nuses) qsort(uses, nuses, sizeof *uses, by_task);
    for (size_t k = 0; !e && k < nuses; k++)
        if (cut)
            of[uses[k].object].valid =
                ~(uint64_t)0; /* nobody knows where it was: nothing is inferred before it is written */
        else if (uses[k].home)
            of[uses[k].object].valid = 1;
    for (size_t k = 0; !e && !too_many && k < n; k++) {
        const struct tw_record *r = &records[k];
        const int here = memory[r->worker];
        if (r->part || here < 0 || here > 63) continue;
        for (size_t i = first_of(r->id); !e && i < nuses && uses[i].task == r->id; i++) {
            struct object *o = &of[uses[i].object];
            o->valid = moved(o->valid, &uses[i], here, &source);
            if (uses[i].writes) o->written = r->end, o->home = uses[i].home;
            if (source < 0) continue;
            const double to = r->loaded > 0 && r->loaded <= r->start ? r->loaded : r->start;
            e = add(&f, (struct tw_transfer){.from = r->taken > 0 && r->taken < to ? r->taken : to,
                                             .to = to,
                                             .bytes = bytes_of[uses[i].object],
                                             .source = source - 1,
                                             .target = here - 1,
                                             .task = r->id + 1});
        }
    }
    if (!e) e = bring_home(&f, of);
    starpu_pthread_mutex_unlock(&lock);
    free(of);
    if (e) {
        free(f.t);
        return tw_fail(e, "no memory for the trace's transfers");
    }
    *out = f.t, *count = f.have;
    return 0;
}
