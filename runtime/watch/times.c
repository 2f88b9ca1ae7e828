/* Where the time went: what each task waited for and when it ran, made into the split of every device's time
 * (tw_times_start).
 *
 * StarPU stamps each task with the time at which it became ready, was taken by a worker, had its data, started, ended.
 * The intervals of all tasks of a device are swept from the beginning to the end; a moment belongs to the most useful
 * thing that went on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/watch/bound.h"
#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/watch/watch.h"

struct moments {
    double ready, taken, loaded, start, end, done;
    int copies; /* its start to end is waiting for data, too */
    int helps;  /* no task of its own: parts of another worker's */
};
struct log { /* of one worker */
    struct moments *tasks;
    size_t count, capacity, helps;
    double flops;
};
/* Workers write to `live` under its lock; tw_times_stop takes it away to `logs` first. */
static struct {
    starpu_pthread_mutex_t lock;
    struct log log;
} live[STARPU_NMAXWORKERS] = {[0 ... STARPU_NMAXWORKERS - 1] = {.lock = STARPU_PTHREAD_MUTEX_INITIALIZER}};
static struct log logs[STARPU_NMAXWORKERS];
/* Tiles that CPU workers carried to or from a GPU themselves. */
struct carry {
    int worker;
    unsigned node;
    double start, end;
};
static struct carries {
    struct carry *list;
    size_t count, capacity;
} live_carries, carries;
static starpu_pthread_mutex_t carries_lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static atomic_int on, lost;
static double began;
static struct tw_bus bus_before;
static starpu_pthread_mutex_t control = STARPU_PTHREAD_MUTEX_INITIALIZER;

int tw_times_on(void)
{
    return atomic_load_explicit(&on, memory_order_relaxed);
}

/* ---- recording --------------------------------------------------------------------------------------------------- */

static double seconds(struct timespec *t)
{
    return starpu_timing_timespec_to_us(t) * 1e-6;
}

static void log_moments(int worker, const struct moments *m, double flops)
{
    struct log *l = &live[worker].log;

    starpu_pthread_mutex_lock(&live[worker].lock);
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 1024;
        struct moments *bigger = realloc(l->tasks, capacity * sizeof *bigger);
        if (bigger) l->tasks = bigger, l->capacity = capacity;
    }
    if (l->count < l->capacity) {
        l->tasks[l->count++] = *m;
        l->helps += (size_t)m->helps;
        l->flops += flops;
    } else {
        atomic_fetch_add(&lost, 1);
    }
    starpu_pthread_mutex_unlock(&live[worker].lock);
}

static struct moments moments_of(struct starpu_profiling_task_info *info)
{
    return (struct moments){.ready = seconds(&info->push_start_time),
                            .taken = seconds(&info->acquire_data_start_time),
                            .loaded = seconds(&info->acquire_data_end_time),
                            .start = seconds(&info->start_time),
                            .end = seconds(&info->end_time),
                            .done = tw_now()};
}

void tw_times_done(int worker, const struct tw_seen_kernel *kernel, double flops, double size, double bytes, int copies,
                   struct starpu_profiling_task_info *info)
{
    struct moments m = moments_of(info);

    m.copies = copies;
    log_moments(worker, &m, flops);
    tw_bound_done(worker, kernel, flops, size, bytes, m.end - m.start);
}

void tw_times_helped(int worker, struct starpu_profiling_task_info *info)
{
    struct moments m = moments_of(info);

    if (!tw_times_on()) return;
    m.taken = m.loaded = m.start; /* nothing is waited for */
    m.helps = 1;
    log_moments(worker, &m, 0);
}

enum { NOBODY = -2 }; /* no CPU worker: -1 stands for all of a GPU's */
static void carry(int worker, unsigned node, struct starpu_profiling_task_info *info)
{
    struct carries *c = &live_carries;

    if (!tw_times_on()) return;
    starpu_pthread_mutex_lock(&carries_lock);
    if (c->count == c->capacity) {
        size_t capacity = c->capacity ? 2 * c->capacity : 1024;
        struct carry *bigger = realloc(c->list, capacity * sizeof *bigger);
        if (bigger) c->list = bigger, c->capacity = capacity;
    }
    if (c->count < c->capacity)
        c->list[c->count++] = (struct carry){worker, node, seconds(&info->start_time), seconds(&info->end_time)};
    else
        atomic_fetch_add(&lost, 1);
    starpu_pthread_mutex_unlock(&carries_lock);
}

/* StarPU's node of a GPU in use, or of main memory. */
static unsigned node_of(int memory)
{
    const int worker = memory < 0 ? -1 : tw_gpu_worker(memory);
    return worker < 0 ? STARPU_MAIN_RAM : starpu_worker_get_memory_node((unsigned)worker);
}

/* The worker's own device sees it in the task; a GPU at another end waits for the data, too. */
double tw_times_moved(int worker, const struct tw_move *move, struct starpu_profiling_task_info *info)
{
    const unsigned own = starpu_worker_get_memory_node((unsigned)worker),
                   end[2] = {node_of(move->from), node_of(move->to)};

    if (move->from == move->to) return 0;
    tw_counters_carried(end[0], end[1], (uint64_t)move->bytes);
    for (int k = 0; k < 2; k++)
        if (end[k] != own && starpu_node_get_kind(end[k]) == STARPU_CUDA_RAM) carry(NOBODY, end[k], info);
    return move->bytes;
}

double tw_times_carried(int worker, const struct tw_move *move, struct starpu_profiling_task_info *info)
{
    const unsigned end[2] = {node_of(move->from), node_of(move->to)};

    if (move->from == move->to) return 0;
    tw_counters_carried(end[0], end[1], (uint64_t)move->bytes);
    for (int k = 0; k < 2; k++)
        if (starpu_node_get_kind(end[k]) == STARPU_CUDA_RAM) carry(worker, end[k], info);
    return move->bytes;
}

static void take(void)
{
    starpu_pthread_mutex_lock(&carries_lock);
    carries = live_carries;
    live_carries = (struct carries){0};
    starpu_pthread_mutex_unlock(&carries_lock);
    for (int w = 0; w < STARPU_NMAXWORKERS; w++) {
        starpu_pthread_mutex_lock(&live[w].lock);
        logs[w] = live[w].log;
        live[w].log = (struct log){0};
        starpu_pthread_mutex_unlock(&live[w].lock);
    }
}

static void drop(void)
{
    for (int w = 0; w < STARPU_NMAXWORKERS; w++)
        free(logs[w].tasks);
    memset(logs, 0, sizeof logs);
    free(carries.list);
    carries = (struct carries){0};
}

/* What is left of an earlier recording: its stragglers. */
static void forget(void)
{
    take();
    drop();
    tw_bound_forget();
    atomic_store(&lost, 0);
}

int tw_times_start(void)
{
    int e = 0;

    tw_clear_message();
    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    starpu_pthread_mutex_lock(&control);
    if (tw_times_on()) {
        e = tw_fail(TW_E_STATE, "tw_times_start: a recording runs already: tw_times_stop ends it");
    } else {
        forget();
        tw_counters_bus(&bus_before);
        began = tw_now();
        atomic_store(&on, 1);
    }
    starpu_pthread_mutex_unlock(&control);
    return e;
}

/* ---- the split --------------------------------------------------------------------------------------------------- */

enum activity { KERNEL, DATA, RUNTIME, ACTIVITIES };
struct event {
    double at;
    enum activity what;
    int step; /* +1: begins, -1: ends */
};
struct span {
    /* the interval; when its first task was ready, and its last one done, on any device */
    double from, to, first, last;
};
struct sweep {
    struct event *events;
    size_t count;
    double area; /* kernels running, integrated over time */
};

static double clip(const struct span *s, double t)
{
    return t < s->from ? s->from : t > s->to ? s->to : t;
}

static void interval(struct sweep *sweep, const struct span *s, enum activity what, double from, double to)
{
    from = clip(s, from), to = clip(s, to);
    if (!(to > from)) return;
    sweep->events[sweep->count++] = (struct event){from, what, 1};
    sweep->events[sweep->count++] = (struct event){to, what, -1};
}

#define EVENTS_PER_TASK 8
static void add_worker(struct sweep *sweep, const struct span *s, const struct log *l)
{
    for (size_t k = 0; k < l->count; k++) {
        const struct moments *m = &l->tasks[k];
        interval(sweep, s, m->copies ? DATA : KERNEL, m->start, m->end);
        interval(sweep, s, DATA, m->taken, m->loaded);
        interval(sweep, s, RUNTIME, m->ready > 0 ? m->ready : m->start, m->start);
        interval(sweep, s, RUNTIME, m->end, m->done);
    }
}

/* Carrying tiles is the device's waiting for data at both ends. */
static void add_carries(struct sweep *sweep, const struct span *s, int worker, int node)
{
    for (size_t k = 0; k < carries.count; k++)
        if (carries.list[k].worker == worker || (int)carries.list[k].node == node)
            interval(sweep, s, DATA, carries.list[k].start, carries.list[k].end);
}

static int earlier(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

static double overlap(double a, double b, double from, double to)
{
    double begin = a > from ? a : from, end = b < to ? b : to;
    return end > begin ? end - begin : 0;
}

static void belongs(struct tw_device_times *d, const struct span *s, const int running[ACTIVITIES], double from,
                    double to)
{
    double length = to - from, before, after;

    if (running[KERNEL]) {
        d->kernels += length;
    } else if (running[DATA]) {
        d->data += length;
    } else if (running[RUNTIME]) {
        d->runtime += length;
    } else {
        before = overlap(from, to, s->from, s->first);
        after = overlap(from, to, s->last, s->to);
        d->runtime += before;
        d->home += after;
        d->idle += length - before - after;
    }
}

/* Adds to the device's times; the events are used up. */
static void sweep_over(struct sweep *sweep, const struct span *s, struct tw_device_times *d)
{
    int running[ACTIVITIES] = {0};
    double at = s->from;

    qsort(sweep->events, sweep->count, sizeof *sweep->events, earlier);
    for (size_t k = 0; k < sweep->count; k++) {
        const struct event *e = &sweep->events[k];
        belongs(d, s, running, at, e->at);
        sweep->area += running[KERNEL] * (e->at - at);
        running[e->what] += e->step;
        at = e->at;
    }
    belongs(d, s, running, at, s->to);
    sweep->count = 0;
}

static struct span interval_of(double from, double to)
{
    struct span s = {from, to, to, from};
    size_t tasks = 0;

    for (int w = 0; w < STARPU_NMAXWORKERS; w++)
        for (size_t k = 0; k < logs[w].count; k++, tasks++) {
            const struct moments *m = &logs[w].tasks[k];
            double ready = m->ready > 0 ? m->ready : m->start;
            if (ready < s.first) s.first = ready;
            if (m->done > s.last) s.last = m->done;
        }
    for (size_t k = 0; k < carries.count; k++)
        if (carries.list[k].start < s.first) s.first = carries.list[k].start;
    if (!tasks) s.first = from, s.last = to; /* nothing ran: idle */
    s.first = clip(&s, s.first);
    s.last = clip(&s, s.last);
    return s;
}

static void count_worker(struct tw_device_times *d, const struct log *l)
{
    d->workers++;
    d->tasks += l->count - l->helps;
    d->flops += l->flops;
}

/* All CPU workers: each is swept alone and the times add up; then all together, for the number of kernels at once. */
static void cpu_device(struct sweep *sweep, const struct span *s, struct tw_device_times *d)
{
    struct tw_device_times any = {.workers = 0};

    snprintf(d->name, sizeof d->name, "CPU");
    for (int w = 0; w < (int)starpu_worker_get_count(); w++) {
        if (starpu_worker_get_type(w) != STARPU_CPU_WORKER) continue;
        count_worker(d, &logs[w]);
        add_worker(sweep, s, &logs[w]);
        add_carries(sweep, s, w, -1);
        sweep_over(sweep, s, d);
    }
    d->seconds = d->workers * (s->to - s->from);
    sweep->area = 0;
    for (int w = 0; w < (int)starpu_worker_get_count(); w++)
        if (starpu_worker_get_type(w) == STARPU_CPU_WORKER) add_worker(sweep, s, &logs[w]);
    sweep_over(sweep, s, &any);
    d->in_flight = any.kernels > 0 ? sweep->area / any.kernels : 0;
}

static void gpu_device(struct sweep *sweep, const struct span *s, unsigned node, struct tw_device_times *d)
{
    snprintf(d->name, sizeof d->name, "GPU %d", starpu_memory_node_get_devid(node));
    d->is_cuda = 1;
    for (int w = 0; w < (int)starpu_worker_get_count(); w++) {
        if (starpu_worker_get_type(w) != STARPU_CUDA_WORKER || starpu_worker_get_memory_node((unsigned)w) != node)
            continue;
        count_worker(d, &logs[w]);
        add_worker(sweep, s, &logs[w]);
    }
    add_carries(sweep, s, -1, (int)node);
    sweep->area = 0;
    sweep_over(sweep, s, d);
    d->seconds = s->to - s->from;
    d->in_flight = d->kernels > 0 ? sweep->area / d->kernels : 0;
}

static int split(tw_times *t, double from, double to)
{
    struct span s = interval_of(from, to);
    struct sweep sweep = {0};
    size_t tasks = 0;

    for (int w = 0; w < STARPU_NMAXWORKERS; w++)
        tasks += logs[w].count;
    t->tasks = tasks;
    sweep.events = malloc((tasks * EVENTS_PER_TASK + 2 * carries.count + 1) * sizeof *sweep.events);
    if (!sweep.events) return tw_fail(TW_E_MEMORY, "tw_times_stop: no memory for %zu tasks", tasks);
    if (tw_rt.ncpu > 0) cpu_device(&sweep, &s, &t->device[t->devices++]);
    for (unsigned node = 0; node < starpu_memory_nodes_get_count() && t->devices < TW_MAX_DEVICES; node++)
        if (starpu_node_get_kind(node) == STARPU_CUDA_RAM) gpu_device(&sweep, &s, node, &t->device[t->devices++]);
    free(sweep.events);
    return 0;
}

/* ---- links ------------------------------------------------------------------------------------------------------- */

static int number(unsigned node)
{
    return starpu_node_get_kind(node) == STARPU_CUDA_RAM ? starpu_memory_node_get_devid(node) : -1;
}

static void links(tw_times *t)
{
    struct tw_bus now;
    unsigned nodes = starpu_memory_nodes_get_count();

    tw_counters_bus(&now);
    for (unsigned i = 0; i < nodes; i++)
        for (unsigned j = 0; j < nodes; j++) {
            uint64_t bytes = now.bytes[i][j] - bus_before.bytes[i][j];
            tw_link_times *l = &t->link[t->links];
            double bandwidth;
            if (i == j || !bytes || t->links == TW_MAX_LINKS) continue;
            bandwidth = starpu_transfer_bandwidth(i, j) * 1e6; /* StarPU's unit is the megabyte per second */
            if (!(bandwidth > 0)) bandwidth = 0;
            *l = (tw_link_times){.from = number(i),
                                 .to = number(j),
                                 .bytes = bytes,
                                 .transfers = now.transfers[i][j] - bus_before.transfers[i][j],
                                 .bandwidth = bandwidth};
            if (bandwidth > 0 && t->seconds > 0) l->busy = (double)bytes / (bandwidth * t->seconds);
            t->links++;
        }
}

int tw_times_stop(tw_times *t)
{
    TW_INSIDE int refused = tw_begin_running();
    double ended = refused ? 0 : tw_now();
    int e = 0, missing;

    tw_clear_message();
    if (t) memset(t, 0, sizeof *t);
    starpu_pthread_mutex_lock(&control);
    if (!tw_times_on()) {
        e = tw_fail(TW_E_STATE, "tw_times_stop: no recording runs: call tw_times_start first");
    } else {
        atomic_store(&on, 0);
        take();
        missing = atomic_load(&lost);
        if (refused) {
            e = tw_fail(TW_E_STATE, "tw_times_stop: the library was stopped since tw_times_start");
        } else if (missing) {
            e = tw_fail(TW_E_MEMORY, "tw_times_stop: no memory for the records of %d tasks", missing);
        } else if (t) {
            t->seconds = ended - began;
            links(t);
            e = split(t, began, ended);
            if (!e) tw_bound_fill(t);
        }
        drop();
    }
    starpu_pthread_mutex_unlock(&control);
    return e;
}
