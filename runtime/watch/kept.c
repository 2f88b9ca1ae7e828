/* The tasks that were recorded, by worker, so that workers seldom wait for each other: all, the first ones, or the last
 * ones (TILEWORK_TRACE_LIMIT).
 *
 * Of the last ones each has its place in the order of ends. What is too old stays where it is until half of a worker's
 * are: then the others move to the front. Workers that have nothing to do any more are looked after by the others, so
 * that no more than some two times the limit are held. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/state.h"
#include "runtime/watch/watch.h"

struct buffer {
    starpu_pthread_mutex_t lock;
    struct tw_record *records;
    unsigned long *order; /* of the last ones only: how many tasks had ended before */
    size_t count, capacity;
    size_t gone, gone_tasks; /* so many were thrown out in front of them; of these tasks, not parts */
};

static struct buffer buffers[STARPU_NMAXWORKERS];
static int initialised;
static atomic_ulong taken; /* tasks, where they are limited */
static atomic_ulong lost;  /* tasks beyond the first ones, or without memory */

/* So many of the last ones are kept; 0: not the last ones. */
static unsigned long last_ones(void)
{
    return tw_rt.config.trace_last ? (unsigned long)tw_rt.config.trace_limit : 0;
}

void tw_kept_forget(void)
{
    if (!initialised)
        for (int w = 0; w < STARPU_NMAXWORKERS; w++)
            starpu_pthread_mutex_init(&buffers[w].lock, NULL);
    initialised = 1;
    for (int w = 0; w < STARPU_NMAXWORKERS; w++) {
        struct buffer *b = &buffers[w];
        starpu_pthread_mutex_lock(&b->lock);
        free(b->records), free(b->order);
        b->records = NULL, b->order = NULL;
        b->count = b->capacity = b->gone = b->gone_tasks = 0;
        starpu_pthread_mutex_unlock(&b->lock);
    }
    atomic_store(&lost, 0);
    atomic_store(&taken, 0);
}

/* With its lock: how many in front are too old. */
static size_t too_old(const struct buffer *b, unsigned long oldest)
{
    size_t low = 0, high = b->count;

    while (low < high) {
        const size_t mid = (low + high) / 2;
        if (b->order[mid] < oldest)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static size_t tasks_in(const struct tw_record *records, size_t n)
{
    size_t tasks = 0;

    for (size_t k = 0; k < n; k++)
        tasks += !records[k].part;
    return tasks;
}

/* With its lock. */
static void throw_out(struct buffer *b, size_t n)
{
    tw_edges_dropped(b->records, n);
    b->gone_tasks += tasks_in(b->records, n);
    memmove(b->records, b->records + n, (b->count - n) * sizeof *b->records);
    memmove(b->order, b->order + n, (b->count - n) * sizeof *b->order);
    b->count -= n;
    b->gone += n;
}

static unsigned long oldest_kept(void)
{
    const unsigned long n = last_ones(), ended = atomic_load(&taken);

    return n && ended > n ? ended - n : 0;
}

/* Those of all workers, once in so many tasks as are kept. */
static void look_after_others(void)
{
    for (int w = 0; w < STARPU_NMAXWORKERS; w++) {
        struct buffer *b = &buffers[w];
        starpu_pthread_mutex_lock(&b->lock);
        const size_t n = b->order ? too_old(b, oldest_kept()) : 0;
        if (n) throw_out(b, n);
        starpu_pthread_mutex_unlock(&b->lock);
    }
}

/* With its lock: room for one more, or as many as there were. */
static void make_room(struct buffer *b)
{
    const size_t capacity = b->capacity + b->capacity / 8 + 256; /* memory for an eighth more at most stands idle */

    if (last_ones() && b->count) {
        const size_t n = too_old(b, oldest_kept());
        if (n >= b->count / 2) {
            throw_out(b, n);
            return;
        }
    }
    struct tw_record *bigger = realloc(b->records, capacity * sizeof *bigger);
    if (!bigger) return;
    b->records = bigger;
    if (last_ones()) {
        unsigned long *order = realloc(b->order, capacity * sizeof *order);
        if (!order) return;
        b->order = order;
    }
    b->capacity = capacity;
}

void tw_kept_add(const struct tw_record *r)
{
    struct buffer *b = &buffers[r->worker];
    const unsigned long limit = (unsigned long)tw_rt.config.trace_limit, last = last_ones();

    starpu_pthread_mutex_lock(&b->lock);
    const unsigned long order = !limit ? 0 : r->part ? atomic_load(&taken) : atomic_fetch_add(&taken, 1);
    if (limit && !last && !r->part && order >= limit) {
        atomic_fetch_add(&lost, 1);
    } else {
        if (b->count == b->capacity) make_room(b);
        if (b->count < b->capacity) {
            if (b->order) b->order[b->count] = order;
            b->records[b->count++] = *r;
        } else if (!r->part) {
            atomic_fetch_add(&lost, 1);
        }
    }
    starpu_pthread_mutex_unlock(&b->lock);
    if (last && !r->part && (order + 1) % last == 0) look_after_others();
}

/* With its lock: the first that counts. */
static size_t first_of(const struct buffer *b)
{
    return b->order ? too_old(b, oldest_kept()) : 0;
}

/* Tasks; parts are none. */
static size_t count_of(struct buffer *b)
{
    starpu_pthread_mutex_lock(&b->lock);
    const size_t first = first_of(b), n = tasks_in(b->records + first, b->count - first);
    starpu_pthread_mutex_unlock(&b->lock);
    return n;
}

size_t tw_kept_count(void)
{
    size_t n = 0;

    for (int w = 0; w < STARPU_NMAXWORKERS; w++)
        n += count_of(&buffers[w]);
    return n;
}

size_t tw_kept_dropped(size_t kept)
{
    return (size_t)(last_ones() ? atomic_load(&taken) - kept : atomic_load(&lost));
}

static int by_start(const void *a, const void *b)
{
    const struct tw_record *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start ? 1 : x->id < y->id ? -1 : x->id > y->id;
}

/* Tasks may still run: each worker's are copied under its lock. */
int tw_kept_gather(struct tw_record **out, size_t *count)
{
    *out = malloc(sizeof **out);
    *count = 0;
    for (int w = 0; *out && w < STARPU_NMAXWORKERS; w++) {
        struct buffer *b = &buffers[w];
        starpu_pthread_mutex_lock(&b->lock);
        const size_t first = first_of(b), n = b->count - first;
        if (n) {
            struct tw_record *bigger = realloc(*out, (*count + n) * sizeof *bigger);
            if (bigger) {
                memcpy(bigger + *count, b->records + first, n * sizeof *bigger);
                *count += n;
            } else {
                free(*out);
            }
            *out = bigger;
        }
        starpu_pthread_mutex_unlock(&b->lock);
    }
    if (!*out) return tw_fail(TW_E_MEMORY, "no memory for the trace's records");
    qsort(*out, *count, sizeof **out, by_start);
    return 0;
}

size_t tw_kept_copy(int worker, struct tw_kept_place *from, struct tw_record *out, size_t max)
{
    struct buffer *b = &buffers[worker];

    starpu_pthread_mutex_lock(&b->lock);
    const size_t first = first_of(b);
    if (from->at < b->gone + first) {
        const size_t before = b->gone_tasks + tasks_in(b->records, first);
        from->skipped += before - from->tasks;
        from->tasks = before;
        from->at = b->gone + first;
    }
    const size_t left = b->gone + b->count - from->at, n = left < max ? left : max;
    if (n) memcpy(out, b->records + (from->at - b->gone), n * sizeof *out);
    starpu_pthread_mutex_unlock(&b->lock);
    from->at += n;
    from->tasks += tasks_in(out, n);
    return n;
}
