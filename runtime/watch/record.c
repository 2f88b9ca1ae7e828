/* The recorder: which task ran where and when. Needs no FxT: StarPU's profiling gives each finished task's times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <starpu.h>

#include "runtime/base/doing.h"
#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/variables.h"
#include "runtime/cuda/nvtx.h"
#include "runtime/cuda/timing.h"
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
static struct {
    const char *format;
    int usual;
    tw_trace_writer write;
} writers[MAX_WRITERS];
static int nwriters;

static struct buffer buffers[STARPU_NMAXWORKERS];
static int initialised;
static atomic_int on, lost;
static atomic_ulong taken; /* tasks, where they are limited */
static atomic_ulong next_id;
static struct tw_bus bus_before; /* what the links had carried when it began */
static _Atomic double origin;    /* tasks may end while another thread starts a recording */
static long long began;          /* the same by the calendar's clock, in ns since 1970 */
static char **routines;
static int nroutines, routine_capacity;
static starpu_pthread_mutex_t routine_lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

/* ---- marks ------------------------------------------------------------------------------------------------------------- */

enum { MARK_DEPTH = 64 };
static _Thread_local struct {
    char *name[MARK_DEPTH];
    double from[MARK_DEPTH];
    unsigned long told[MARK_DEPTH];   /* the start of the library whose StarPU has heard of it; 0: none */
    unsigned char ranged[MARK_DEPTH]; /* NVTX has it */
    int depth, thread;
} marking;
static struct tw_mark *marks; /* their names are copies */
static size_t nmarks, mark_room;
static atomic_int marking_threads;
static starpu_pthread_mutex_t mark_lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

static void forget_marks(void)
{
    starpu_pthread_mutex_lock(&mark_lock);
    for (size_t k = 0; k < nmarks; k++)
        free((char *)marks[k].name);
    free(marks);
    marks = NULL;
    nmarks = mark_room = 0;
    starpu_pthread_mutex_unlock(&mark_lock);
}

/* "iteration 12": StarPU's own traces want a number. */
static unsigned long number_in(const char *name)
{
    const char *at = name + strlen(name);

    while (at > name && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return *at ? strtoul(at, NULL, 10) : 0;
}

/* StarPU's level is one for all threads, without a lock, and it ends the program at a pop too many. */
static unsigned long tell_push(const char *name)
{
    unsigned long told = 0;

    starpu_pthread_mutex_lock(&mark_lock);
    if (tw_is_running()) {
        starpu_iteration_push(number_in(name));
        told = atomic_load(&tw_life.starts);
    }
    starpu_pthread_mutex_unlock(&mark_lock);
    return told;
}
static void tell_pop(unsigned long told)
{
    starpu_pthread_mutex_lock(&mark_lock);
    if (told && told == atomic_load(&tw_life.starts) && tw_is_running()) starpu_iteration_pop();
    starpu_pthread_mutex_unlock(&mark_lock);
}

int tw_trace_push(const char *name)
{
    tw_clear_message();
    if (!name) return tw_illegal("tw_trace_push", 1, "NULL");
    if (marking.depth == MARK_DEPTH)
        return tw_fail(TW_E_STATE, "tw_trace_push: %d marks are open in this thread already", MARK_DEPTH);
    if (!marking.thread) marking.thread = 1 + atomic_fetch_add(&marking_threads, 1);
    if (!(marking.name[marking.depth] = strdup(name))) return tw_fail(TW_E_MEMORY, "tw_trace_push: no memory");
    marking.told[marking.depth] = tell_push(name);
    if ((marking.ranged[marking.depth] = (unsigned char)tw_nvtx_on())) tw_nvtx_push(name, 0, -1);
    marking.from[marking.depth++] = tw_now();
    return 0;
}

int tw_trace_pop(void)
{
    double to = tw_now(), from;
    char *name;

    tw_clear_message();
    if (marking.depth == 0) return tw_fail(TW_E_STATE, "tw_trace_pop: no mark is open in this thread (tw_trace_push)");
    name = marking.name[--marking.depth];
    tell_pop(marking.told[marking.depth]);
    if (marking.ranged[marking.depth]) tw_nvtx_pop();
    /* StarPU's clock, which tw_now is, begins anew with it. */
    from = marking.told[marking.depth] == atomic_load(&tw_life.starts) ? marking.from[marking.depth] : 0;
    starpu_pthread_mutex_lock(&mark_lock);
    if (nmarks == mark_room && tw_record_on()) {
        struct tw_mark *more = realloc(marks, (2 * mark_room + 64) * sizeof *more);
        if (more) marks = more, mark_room = 2 * mark_room + 64;
    }
    if (tw_record_on() && nmarks < mark_room) {
        const double begin = tw_record_origin();
        marks[nmarks++] =
            (struct tw_mark){name, from > begin ? from - begin : 0, to - begin, marking.depth, marking.thread - 1};
        name = NULL;
    }
    starpu_pthread_mutex_unlock(&mark_lock);
    free(name);
    return 0;
}

/* ---- what grows with a recording beside tasks ---------------------------------------------------------------------- */

static struct tw_stay *stays;
static struct tw_transfer *transfers;
static size_t nstays, stay_room, ntransfers, transfer_room;

/* Room for one more, with mark_lock held; 0: no memory, or beyond the limit. */
static int room_for(void **array, size_t count, size_t *room, size_t size)
{
    void *more;

    if (tw_rt.config.trace_limit && count >= (size_t)tw_rt.config.trace_limit) return 0; /* bounded as tasks are */
    if (count < *room) return 1;
    if (!(more = realloc(*array, (2 * *room + 64) * size))) return 0;
    *array = more;
    *room = 2 * *room + 64;
    return 1;
}

static void see_stay(enum tw_doing what, double from, double to)
{
    if (!marking.thread) marking.thread = 1 + atomic_fetch_add(&marking_threads, 1);
    starpu_pthread_mutex_lock(&mark_lock);
    const double begin = tw_record_origin();
    if (tw_record_on() && to > begin && room_for((void **)&stays, nstays, &stay_room, sizeof *stays))
        stays[nstays++] = (struct tw_stay){from > begin ? from - begin : 0, to - begin, (int)what, marking.thread - 1};
    starpu_pthread_mutex_unlock(&mark_lock);
}

void tw_record_transfer(const struct tw_transfer *t)
{
    const double begin = tw_record_origin();

    starpu_pthread_mutex_lock(&mark_lock);
    if (tw_record_on() && room_for((void **)&transfers, ntransfers, &transfer_room, sizeof *transfers)) {
        transfers[ntransfers] = *t;
        transfers[ntransfers].from -= begin;
        transfers[ntransfers++].to -= begin;
    }
    starpu_pthread_mutex_unlock(&mark_lock);
}

static void forget_the_rest(void)
{
    starpu_pthread_mutex_lock(&mark_lock);
    free(stays), free(transfers);
    stays = NULL, transfers = NULL;
    nstays = stay_room = ntransfers = transfer_room = 0;
    starpu_pthread_mutex_unlock(&mark_lock);
}

/* ---- tasks ------------------------------------------------------------------------------------------------------------- */

void tw_trace_register_format(const char *format, int usual, tw_trace_writer writer)
{
    if (nwriters == MAX_WRITERS) return;
    writers[nwriters].format = format;
    writers[nwriters].usual = usual;
    writers[nwriters++].write = writer;
}

void tw_trace_register_writer(tw_trace_writer writer)
{
    tw_trace_register_format("", 1, writer);
}

static int writer_named(const char *word, size_t length)
{
    for (int k = 0; k < nwriters; k++)
        if (length > 0 && strlen(writers[k].format) == length && !strncmp(writers[k].format, word, length)) return k;
    return -1;
}

static int unknown_format(const char *what, const char *word, size_t length)
{
    char list[300] = "";

    for (int k = 0; k < nwriters; k++)
        if (*writers[k].format)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", writers[k].format);
    return tw_fail(TW_E_OPTION, "%s: there is no format '%.*s'; there are: %s", what, (int)(length < 60 ? length : 60),
                   word, list);
}

int tw_trace_call_writers(const struct tw_recording *recording, const char *prefix, const char *formats,
                          const char *what)
{
    int wanted[MAX_WRITERS] = {0}, e = 0, k;

    for (const char *at = formats; *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        if ((k = writer_named(at, length)) < 0) return unknown_format(what, at, length);
        wanted[k] = 1;
        at += length;
    }
    for (k = 0; k < nwriters && !e; k++)
        if (*formats ? wanted[k] : writers[k].usual) e = writers[k].write(recording, prefix);
    return e;
}

int tw_record_on(void)
{
    return atomic_load_explicit(&on, memory_order_relaxed);
}
double tw_record_origin(void)
{
    return origin;
}
unsigned long tw_record_next_id(void)
{
    return atomic_fetch_add_explicit(&next_id, 1, memory_order_relaxed);
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
    atomic_store(&taken, 0);
    tw_edges_forget();
    tw_own_forget();
    forget_marks();
    forget_the_rest();
}

void tw_record_init(void)
{
    if (!initialised)
        for (int w = 0; w < STARPU_NMAXWORKERS; w++)
            starpu_pthread_mutex_init(&buffers[w].lock, NULL);
    initialised = 1;
    forget();
    atomic_store(&on, 0);
    atomic_store(&tw_doing_seen, NULL);
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

static int beyond_limit(void)
{
    const tw_int limit = tw_rt.config.trace_limit;

    if (!limit || atomic_fetch_add(&taken, 1) < (unsigned long)limit) return 0;
    atomic_fetch_add(&lost, 1);
    return 1;
}

void tw_record_task(const struct tw_record *r)
{
    struct buffer *b = &buffers[r->worker];

    if (!r->part && beyond_limit()) return;
    starpu_pthread_mutex_lock(&b->lock);
    if (b->count == b->capacity) {
        size_t capacity = b->capacity + b->capacity / 4 + 1024; /* memory for a quarter more at most stands idle */
        struct tw_record *bigger = realloc(b->records, capacity * sizeof *bigger);
        if (bigger) b->records = bigger, b->capacity = capacity;
    }
    if (b->count < b->capacity) {
        b->records[b->count] = *r;
        const double from = atomic_load(&origin);
        struct tw_record *kept = &b->records[b->count++];
        double *const times[] = {&kept->submit, &kept->ready, &kept->taken, &kept->loaded};
        for (int k = 0; k < 4; k++)
            if (*times[k] > 0) *times[k] -= from; /* 0: nobody knows */
        kept->start -= from;
        kept->end -= from;
    } else {
        atomic_fetch_add(&lost, 1);
    }
    starpu_pthread_mutex_unlock(&b->lock);
}

/* Both clocks at one time: the calendar's between two looks at the other, the closest of some. */
static void read_clocks(void)
{
    double least = 1;

    for (int k = 0; k < 5; k++) {
        const double before = tw_now();
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        const double after = tw_now();
        if (k && after - before >= least) continue;
        least = after - before;
        origin = before; /* a whole number of ns, as all times are */
        began = 1000000000ll * t.tv_sec + t.tv_nsec - (long long)(0.5e9 * least);
    }
}

int tw_trace_start(void)
{
    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    forget();
    tw_counters_bus(&bus_before);
    read_clocks();
    tw_own_watch();
    atomic_store(&on, 1);
    atomic_store(&tw_doing_seen, see_stay);
    return 0;
}

int tw_trace_stop(void)
{
    atomic_store(&on, 0);
    atomic_store(&tw_doing_seen, NULL);
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

/* The machine, in words. */
static void describe(char *text, size_t size)
{
    char gpu[256];
    size_t memory;

    if (tw_gpu_facts(gpu, sizeof gpu, &memory))
        snprintf(text, size, "%s, %d x %s", tw_cpu_name(), tw_rt.ndevices, gpu);
    else
        snprintf(text, size, "%s", tw_cpu_name());
}

/* With mark_lock held: those that were told, and those that are inferred. *all: to be freed. */
static int all_transfers(struct tw_recording *r, const struct tw_record *records, size_t n,
                         const struct tw_recorded_worker *workers, struct tw_transfer **all)
{
    int memory[STARPU_NMAXWORKERS];
    struct tw_transfer *more;
    size_t count;
    int e;

    r->ntransfers = ntransfers, r->transfers = transfers;
    *all = NULL;
    if (!tw_has_cuda()) return 0;
    for (int w = 0; w < r->nworkers; w++)
        memory[w] = workers[w].is_cuda ? 1 + workers[w].device : 0;
    if ((e = tw_inferred_transfers(records, n, memory, all, &count))) return e;
    if (!(more = realloc(*all, (count + ntransfers + 1) * sizeof *more)))
        return tw_fail(TW_E_MEMORY, "no memory for the trace's transfers");
    *all = more;
    if (ntransfers) memcpy(more + count, transfers, ntransfers * sizeof *more);
    r->ntransfers = count + ntransfers, r->transfers = more;
    return 0;
}

/* What StarPU counted on each link since the recording began: what inferred transfers can be compared with. */
static int tell_links(struct tw_fact *facts, int n, int max)
{
    static char text[32][2][64];
    struct tw_bus now;
    int used = 0;

    if (!tw_has_cuda()) return n;
    tw_counters_bus(&now);
    for (unsigned i = 0; i < starpu_memory_nodes_get_count(); i++)
        for (unsigned j = 0; j < starpu_memory_nodes_get_count(); j++) {
            const uint64_t bytes = now.bytes[i][j] - bus_before.bytes[i][j];
            const int from = starpu_node_get_kind(i) == STARPU_CUDA_RAM ? starpu_memory_node_get_devid(i) : -1,
                      to = starpu_node_get_kind(j) == STARPU_CUDA_RAM ? starpu_memory_node_get_devid(j) : -1;
            if (!bytes || i == j || used == 32 || n == max) continue;
            snprintf(text[used][0], sizeof text[0][0], "bytes counted from %d to %d", from, to);
            snprintf(text[used][1], sizeof text[0][0], "%llu", (unsigned long long)bytes);
            facts[n++] = (struct tw_fact){text[used][0], text[used][1]};
            used++;
        }
    return n;
}

/* What several ranks' recordings are brought together by. */
static int tell_when(struct tw_fact *facts, int n)
{
    static char text[2][32];

    snprintf(text[0], sizeof text[0], "%lld", (long long)tw_rt.config.rank);
    snprintf(text[1], sizeof text[1], "%lld", began);
    facts[n++] = (struct tw_fact){"rank", text[0]};
    facts[n++] = (struct tw_fact){"clock offset ns", "0"};
    facts[n++] = (struct tw_fact){"began ns since 1970", text[1]};
    return n;
}

/* Whose clock GPU tasks' times are. */
static int tell_clock(struct tw_fact *facts, int n)
{
    static char text[32];

    if (!tw_has_cuda()) return n;
    facts[n++] = (struct tw_fact){"gpu times", tw_rt.config.trace_events ? "CUDA events" : "host"};
    if (!tw_rt.config.trace_events) return n;
    snprintf(text, sizeof text, "%.3f", 1e6 * tw_timings_set());
    facts[n++] = (struct tw_fact){"gpu clock set us", text};
    return n;
}

static int write_records(const char *prefix, struct tw_record *records, size_t n)
{
    struct tw_recorded_worker workers[STARPU_NMAXWORKERS];
    struct tw_fact facts[137];
    struct tw_recording r = {
        .nrecords = n, .records = records, .nworkers = (int)starpu_worker_get_count(), .workers = workers};
    const char *formats = tw_variable_text(TW_TILEWORK_TRACE_FORMATS);
    char machine[600];
    struct tw_transfer *moves = NULL;
    size_t *first_edge = NULL;
    unsigned *edge = NULL;
    int e = tw_edges_of(records, n, &first_edge, &edge);

    memset(workers, 0, sizeof workers);
    name_workers(workers, r.nworkers);
    describe(machine, sizeof machine);
    r.machine = machine;
    r.sched = tw_rt.sched;
    r.first_edge = first_edge;
    r.edge = edge;
    r.dropped = (size_t)atomic_load(&lost);
    if (r.dropped)
        tw_log(TW_LOG_WARNING, "the trace lacks %zu tasks: %s", r.dropped,
               tw_rt.config.trace_limit ? "more than TILEWORK_TRACE_LIMIT allows" : "no memory for them");
    for (size_t k = 0; k < n; k++)
        if (records[k].end > r.duration) r.duration = records[k].end;
    starpu_pthread_mutex_lock(&routine_lock); /* until the writers are done: routines may be added meanwhile */
    starpu_pthread_mutex_lock(&mark_lock);
    r.nfacts = tell_clock(facts, tell_when(facts, tell_links(facts, tw_record_facts(facts, 100), 132)));
    r.facts = facts;
    r.nroutines = nroutines;
    r.routines = (const char *const *)routines;
    r.nmarks = nmarks;
    r.marks = marks;
    r.nstays = nstays;
    r.stays = stays;
    if (!e) e = all_transfers(&r, records, n, workers, &moves);
    if (!e) e = tw_trace_call_writers(&r, prefix, formats ? formats : "", "TILEWORK_TRACE_FORMATS");
    starpu_pthread_mutex_unlock(&mark_lock);
    starpu_pthread_mutex_unlock(&routine_lock);
    free(first_edge), free(edge), free(moves);
    return e;
}

/* Several processes of one run get the same variables: "%r" in a name is the rank. */
static char *with_rank(const char *prefix)
{
    char number[32], *name, *to;
    size_t places = 0;

    snprintf(number, sizeof number, "%lld", (long long)tw_rt.config.rank);
    for (const char *at = prefix; (at = strstr(at, "%r")); at += 2)
        places++;
    if (!(to = name = malloc(strlen(prefix) + places * strlen(number) + 1))) return NULL;
    while (*prefix)
        if (!strncmp(prefix, "%r", 2))
            to = stpcpy(to, number), prefix += 2;
        else
            *to++ = *prefix++;
    *to = 0;
    return name;
}

int tw_trace_write(const char *prefix)
{
    struct tw_record *records;
    char *name;
    size_t n;
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
    if ((e = gather(&records, &n))) return e;
    if (!(name = with_rank(prefix)))
        e = tw_fail(TW_E_MEMORY, "no memory for a file's name");
    else
        e = write_records(name, records, n);
    free(records), free(name);
    return e;
}
