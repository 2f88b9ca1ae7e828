/* The recorder: which task ran where and when. Needs no FxT: StarPU's profiling gives each finished task's times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/watch/watch.h"

struct buffer {
    starpu_pthread_mutex_t lock;
    struct tw_record *records;
    size_t count, capacity;
};

#define MAX_WRITERS 16
static tw_trace_writer writers[MAX_WRITERS];
static int nwriters;

static struct buffer buffers[STARPU_NMAXWORKERS];
static int initialised;
static atomic_int on, lost;
static _Atomic double origin; /* tasks may end while another thread starts a recording */
static char **routines;
static int nroutines, routine_capacity;
static starpu_pthread_mutex_t routine_lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

void tw_trace_register_writer(tw_trace_writer writer)
{
    if (nwriters < MAX_WRITERS) writers[nwriters++] = writer;
}

int tw_record_on(void)
{
    return atomic_load_explicit(&on, memory_order_relaxed);
}
double tw_record_origin(void)
{
    return origin;
}

static void forget(void)
{
    for (int w = 0; w < STARPU_NMAXWORKERS; w++) {
        starpu_pthread_mutex_lock(&buffers[w].lock);
        free(buffers[w].records);
        buffers[w].records = NULL;
        buffers[w].count = buffers[w].capacity = 0;
        starpu_pthread_mutex_unlock(&buffers[w].lock);
    }
    starpu_pthread_mutex_lock(&routine_lock);
    for (int k = 0; k < nroutines; k++)
        free(routines[k]);
    free(routines);
    routines = NULL;
    nroutines = routine_capacity = 0;
    starpu_pthread_mutex_unlock(&routine_lock);
    atomic_store(&lost, 0);
}

void tw_record_init(void)
{
    if (!initialised)
        for (int w = 0; w < STARPU_NMAXWORKERS; w++)
            starpu_pthread_mutex_init(&buffers[w].lock, NULL);
    initialised = 1;
    forget();
    atomic_store(&on, 0);
}

int tw_record_routine(const char *text)
{
    int id = 0;
    starpu_pthread_mutex_lock(&routine_lock);
    if (nroutines == routine_capacity) {
        int capacity = routine_capacity ? 2 * routine_capacity : 16;
        char **bigger = realloc(routines, (size_t)capacity * sizeof *bigger);
        if (bigger) routines = bigger, routine_capacity = capacity;
    }
    if (nroutines < routine_capacity && (routines[nroutines] = strdup(text))) id = nroutines++;
    starpu_pthread_mutex_unlock(&routine_lock);
    return id;
}

void tw_record_task(const struct tw_record *r)
{
    struct buffer *b = &buffers[r->worker];
    starpu_pthread_mutex_lock(&b->lock);
    if (b->count == b->capacity) {
        size_t capacity = b->capacity ? 2 * b->capacity : 1024;
        struct tw_record *bigger = realloc(b->records, capacity * sizeof *bigger);
        if (bigger) b->records = bigger, b->capacity = capacity;
    }
    if (b->count < b->capacity) {
        b->records[b->count] = *r;
        const double from = atomic_load(&origin);
        b->records[b->count].submit -= from;
        b->records[b->count].start -= from;
        b->records[b->count++].end -= from;
    } else {
        atomic_fetch_add(&lost, 1);
    }
    starpu_pthread_mutex_unlock(&b->lock);
}

int tw_trace_start(void)
{
    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    forget();
    origin = tw_now();
    atomic_store(&on, 1);
    return 0;
}

int tw_trace_stop(void)
{
    atomic_store(&on, 0);
    return 0;
}

/* Tasks; parts are none. */
static size_t count_of(struct buffer *b)
{
    size_t n = 0;
    starpu_pthread_mutex_lock(&b->lock);
    for (size_t k = 0; k < b->count; k++)
        n += !b->records[k].part;
    starpu_pthread_mutex_unlock(&b->lock);
    return n;
}

size_t tw_trace_count(void)
{
    size_t n = 0;
    for (int w = 0; w < STARPU_NMAXWORKERS; w++)
        n += count_of(&buffers[w]);
    return n;
}

static int by_start(const void *a, const void *b)
{
    const struct tw_record *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start ? 1 : x->id < y->id ? -1 : x->id > y->id;
}

static void name_workers(struct tw_recorded_worker *w, int n)
{
    int cpu = 0, stream[64] = {0};
    for (int k = 0; k < n; k++) {
        w[k].is_cuda = starpu_worker_get_type(k) == STARPU_CUDA_WORKER;
        w[k].device = starpu_worker_get_devid(k);
        if (w[k].is_cuda)
            snprintf(w[k].name, sizeof w[k].name, "GPU %d stream %d", w[k].device, stream[w[k].device & 63]++);
        else
            snprintf(w[k].name, sizeof w[k].name, "CPU %d", cpu++);
    }
}

/* Tasks may still run: each worker's records are copied under its lock. */
static int gather(struct tw_record **out, size_t *count)
{
    *out = malloc(sizeof **out);
    *count = 0;
    for (int w = 0; *out && w < STARPU_NMAXWORKERS; w++) {
        struct buffer *b = &buffers[w];
        starpu_pthread_mutex_lock(&b->lock);
        if (b->count) {
            struct tw_record *bigger = realloc(*out, (*count + b->count) * sizeof *bigger);
            if (bigger) {
                memcpy(bigger + *count, b->records, b->count * sizeof *bigger);
                *count += b->count;
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

int tw_trace_write(const char *prefix)
{
    struct tw_record *records;
    struct tw_recorded_worker workers[STARPU_NMAXWORKERS];
    struct tw_recording r = {0};
    char machine[600], gpu[256];
    size_t memory;
    int e;

    tw_clear_message();
    if (!prefix || !*prefix) return tw_illegal("tw_trace_write", 1, "no prefix");
    TW_INSIDE int refused = tw_begin_running();
    if (refused) return tw_fail(TW_E_STATE, "tw_trace_write: the library does not run: write before tw_finalize");
    if (tw_trace_count() == 0)
        return tw_fail(TW_E_STATE, "tw_trace_write: nothing was recorded: call tw_trace_start first "
                                   "(problems given directly to LAPACK run no tasks)");
    if (nwriters == 0)
        return tw_fail(
            TW_E_STATE,
            "tw_trace_write: this program was linked without Tilework's trace writers (link libtilework.so, or the "
            "static library as a whole)");
    if ((e = gather(&records, &r.nrecords))) return e;
    memset(workers, 0, sizeof workers);
    r.records = records;
    r.nworkers = (int)starpu_worker_get_count();
    name_workers(workers, r.nworkers);
    r.workers = workers;
    starpu_pthread_mutex_lock(&routine_lock); /* until the writers are done: routines may be added meanwhile */
    r.nroutines = nroutines;
    r.routines = (const char *const *)routines;
    for (size_t k = 0; k < r.nrecords; k++)
        if (records[k].end > r.duration) r.duration = records[k].end;
    r.sched = tw_rt.sched;
    if (tw_gpu_facts(gpu, sizeof gpu, &memory))
        snprintf(machine, sizeof machine, "%s, %d x %s", tw_cpu_name(), tw_rt.ndevices, gpu);
    else
        snprintf(machine, sizeof machine, "%s", tw_cpu_name());
    r.machine = machine;
    if (atomic_load(&lost)) tw_log(TW_LOG_WARNING, "the trace lacks %d tasks: no memory for them", atomic_load(&lost));
    for (int k = 0; k < nwriters && !e; k++)
        e = writers[k](&r, prefix);
    starpu_pthread_mutex_unlock(&routine_lock);
    free(records);
    return e;
}
