/* The recorder: which task ran where and when. Needs no FxT: StarPU's profiling gives each finished task's times. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <starpu.h>

#include "runtime/base/doing.h"
#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/sequence.h"
#include "runtime/base/variables.h"
#include "runtime/cuda/nvtx.h"
#include "runtime/cuda/timing.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/watch/watch.h"

#define MAX_WRITERS 16
static struct {
    const char *format;
    int usual;
    tw_trace_writer write;
} writers[MAX_WRITERS];
static int nwriters;

static atomic_int on;
static atomic_ulong next_id, first_id; /* first_id: of the recording */
static struct tw_bus bus_before;       /* what the links had carried when it began */
static _Atomic double origin;          /* tasks may end while another thread starts a recording */
static long long began;                /* the same by the calendar's clock, in ns since 1970 */
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
    const double begin = tw_record_origin();
    if (tw_record_on() && nmarks < mark_room && to > begin) {
        marks[nmarks++] =
            (struct tw_mark){name, from > begin ? from - begin : 0, to - begin, marking.depth, marking.thread - 1};
        name = NULL;
    }
    starpu_pthread_mutex_unlock(&mark_lock);
    free(name);
    return 0;
}

/* ---- what grows with a recording beside tasks ---------------------------------------------------------------------- */

static struct grown {
    void *at;
    size_t count, room, gone; /* gone: thrown out in front of them */
} stays, transfers;
static size_t ndirect;  /* calls among the stays that made no tasks */
static size_t left_out; /* of both, beyond the limit */

/* With mark_lock held: the place for one more, of this size; NULL: no memory, or beyond the limit, for these are bounded as tasks are. */
static void *one_more(struct grown *g, size_t size)
{
    const size_t limit = (size_t)tw_rt.config.trace_limit, last = tw_rt.config.trace_last ? limit : 0;
    void *more;

    if (limit && !last && g->count >= limit) {
        left_out++;
        return NULL;
    }
    if (last && g->count >= 2 * last) {
        memmove(g->at, (char *)g->at + (g->count - last) * size, last * size);
        g->gone += g->count - last;
        left_out += g->count - last;
        g->count = last;
    }
    if (g->count == g->room) {
        if (!(more = realloc(g->at, (2 * g->room + 64) * size))) return NULL;
        g->at = more;
        g->room = 2 * g->room + 64;
    }
    return (char *)g->at + g->count++ * size;
}

/* With mark_lock held: those that count, of all that are kept. */
static size_t counting(const struct grown *g)
{
    const size_t last = tw_rt.config.trace_last ? (size_t)tw_rt.config.trace_limit : 0;
    return last && g->count > last ? last : g->count;
}

/* Calls that make no tasks may come by the million: those that follow each other at once are one, and when there are many nevertheless, so are others, as far apart
 * as it takes. Such a one is as long as its calls together: what lies between them is none of LAPACK's time. */
enum { DIRECT_MOST = 1 << 19, THREADS = 1024 };
#define AT_ONCE  1e-6 /* seconds */
#define TOGETHER 0.1  /* so long a one is left to itself: a file that grows has it */
static double apart = AT_ONCE;

static int joins(const struct tw_stay *s, const struct tw_stay *next)
{
    return s->what >= TW_DOING_LAPACK && s->what == next->what && s->thread == next->thread &&
           next->from - s->to <= apart;
}

static void join_stays(void)
{
    struct tw_stay *s = stays.at;
    static size_t last[THREADS]; /* 1 + the place of each thread's last one */

    while (ndirect > DIRECT_MOST / 2 && apart < 1e6) {
        size_t kept = 0;
        apart *= 4;
        memset(last, 0, sizeof last);
        for (size_t k = 0; k < stays.count; k++) {
            const size_t at = last[s[k].thread % THREADS];
            if (at && joins(&s[at - 1], &s[k])) {
                s[at - 1].to += s[k].to - s[k].from;
            } else {
                s[kept++] = s[k];
                last[s[kept - 1].thread % THREADS] = kept;
            }
        }
        stays.gone += stays.count - kept;
        stays.count = kept;
        ndirect = 0;
        for (size_t k = 0; k < stays.count; k++)
            ndirect += s[k].what >= TW_DOING_LAPACK;
    }
}

static void see_stay(enum tw_doing what, double from, double to)
{
    struct tw_stay *s;

    if (!marking.thread) marking.thread = 1 + atomic_fetch_add(&marking_threads, 1);
    starpu_pthread_mutex_lock(&mark_lock);
    const double begin = tw_record_origin();
    const struct tw_stay now = {from > begin ? from - begin : 0, to - begin, (int)what, marking.thread - 1};
    if (tw_record_on() && to > begin) {
        s = stays.count ? (struct tw_stay *)stays.at + (stays.count - 1) : NULL;
        if (s && joins(s, &now) && s->to - s->from < fmax(TOGETHER, apart)) {
            s->to += now.to - now.from;
        } else if ((s = one_more(&stays, sizeof *s))) {
            *s = now;
            ndirect += what >= TW_DOING_LAPACK;
            if (ndirect > DIRECT_MOST) join_stays();
        }
    }
    starpu_pthread_mutex_unlock(&mark_lock);
}

void tw_record_transfer(const struct tw_transfer *t)
{
    const double begin = tw_record_origin();
    struct tw_transfer *kept;

    starpu_pthread_mutex_lock(&mark_lock);
    if (tw_record_on() && (kept = one_more(&transfers, sizeof *kept))) {
        *kept = *t;
        kept->from -= begin;
        kept->to -= begin;
    }
    starpu_pthread_mutex_unlock(&mark_lock);
}

static void forget_the_rest(void)
{
    starpu_pthread_mutex_lock(&mark_lock);
    free(stays.at), free(transfers.at);
    stays = transfers = (struct grown){0};
    ndirect = left_out = 0;
    apart = AT_ONCE;
    starpu_pthread_mutex_unlock(&mark_lock);
}

/* ---- the same for a file that grows ------------------------------------------------------------------------------------ */

void tw_rest_free(struct tw_recording *rest)
{
    for (int k = 0; k < rest->nroutines; k++)
        free((char *)rest->routines[k]);
    for (size_t k = 0; k < rest->nmarks; k++)
        free((char *)rest->marks[k].name);
    free((void *)rest->routines), free((void *)rest->marks), free((void *)rest->stays), free((void *)rest->transfers);
    free((void *)rest->used);
}

static int copy_routines(size_t *from, struct tw_recording *out)
{
    const size_t n = (size_t)nroutines - *from;
    char **names = n ? calloc(n, sizeof *names) : NULL;
    int e = n && !names ? TW_E_MEMORY : 0;

    for (size_t k = 0; !e && k < n; k++)
        if (!(names[k] = strdup(routines[*from + k]))) e = TW_E_MEMORY;
    out->routines = (const char *const *)names;
    out->nroutines = names ? (int)n : 0;
    *from += n;
    return e;
}

static int copy_marks(size_t *from, struct tw_recording *out)
{
    const size_t n = nmarks - *from;
    struct tw_mark *copies = n ? malloc(n * sizeof *copies) : NULL;
    int e = n && !copies ? TW_E_MEMORY : 0;

    if (copies) memcpy(copies, marks + *from, n * sizeof *copies);
    for (size_t k = 0; copies && k < n; k++)
        if (!((copies[k].name = strdup(marks[*from + k].name)))) e = TW_E_MEMORY;
    out->marks = copies;
    out->nmarks = copies ? n : 0;
    *from += n;
    return e;
}

static int copy_grown(size_t *from, const struct grown *g, size_t size, const void **to, size_t *count)
{
    const size_t from_there = *from > g->gone ? *from - g->gone : 0, at = from_there < g->count ? from_there : g->count,
                 n = g->count - at;
    void *copies = n ? malloc(n * size) : NULL;

    if (copies) memcpy(copies, (const char *)g->at + at * size, n * size);
    *to = copies;
    *count = copies ? n : 0;
    *from = g->gone + g->count;
    return n && !copies ? TW_E_MEMORY : 0;
}

static int copy_used(struct tw_rest_place *from, struct tw_recording *out)
{
    struct tw_used *used;
    const int e = tw_used_copy(from->any_used ? from->used : -1, &used, &out->nused);

    out->used = used;
    if (!e && out->nused) from->used = used[out->nused - 1].time, from->any_used = 1;
    return e;
}

int tw_rest_copy(struct tw_rest_place *from, struct tw_recording *out)
{
    int e;

    starpu_pthread_mutex_lock(&routine_lock);
    e = copy_routines(&from->routines, out);
    starpu_pthread_mutex_unlock(&routine_lock);
    starpu_pthread_mutex_lock(&mark_lock);
    if (!e) e = copy_marks(&from->marks, out);
    if (!e) e = copy_grown(&from->stays, &stays, sizeof *out->stays, (const void **)&out->stays, &out->nstays);
    if (!e)
        e = copy_grown(&from->transfers, &transfers, sizeof *out->transfers, (const void **)&out->transfers,
                       &out->ntransfers);
    starpu_pthread_mutex_unlock(&mark_lock);
    if (!e) e = copy_used(from, out);
    return e ? tw_fail(e, "no memory to write a trace") : 0;
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

/* How many are wanted, or TW_E_OPTION. */
static int read_formats(const char *formats, const char *what, int wanted[MAX_WRITERS])
{
    int n = 0, k;

    for (k = 0; k < nwriters; k++)
        n += wanted[k] = !*formats && writers[k].usual;
    for (const char *at = formats; *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        if ((k = writer_named(at, length)) < 0) return unknown_format(what, at, length);
        n += !wanted[k];
        wanted[k] = 1;
        at += length;
    }
    return n;
}

int tw_trace_formats_check(void)
{
    const char *formats = tw_variable_text(TW_TILEWORK_TRACE_FORMATS);
    int wanted[MAX_WRITERS];
    const int n = formats && nwriters ? read_formats(formats, "TILEWORK_TRACE_FORMATS", wanted) : 0;

    return n < 0 ? n : 0;
}

int tw_trace_call_writers(const struct tw_recording *recording, const char *prefix, const char *formats,
                          const char *what, struct tw_trace_written *written)
{
    int wanted[MAX_WRITERS], e = 0;
    const int n = read_formats(formats, what, wanted);

    if (n < 0) return n;
    for (int k = 0; k < nwriters && !e; k++) {
        if (!wanted[k]) continue;
        e = writers[k].write(recording, prefix);
        if (!e && !strcmp(writers[k].format, "tw")) written->tw = 1;
        if (e != TW_E_UNSUPPORTED || n == 1) continue;
        snprintf(written->left_out, sizeof written->left_out, "%s", tw_last_message());
        tw_clear_message();
        e = 0; /* the other formats can hold this recording */
    }
    return e;
}

int tw_trace_wants(const char *format)
{
    const char *formats = tw_variable_text(TW_TILEWORK_TRACE_FORMATS);
    const int k = writer_named(format, strlen(format));

    if (k < 0) return 0;
    if (!formats) return writers[k].usual;
    for (const char *at = formats; *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        if (length == strlen(format) && !strncmp(at, format, length)) return 1;
        at += length;
    }
    return 0;
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

unsigned long tw_record_coming_id(void)
{
    return atomic_load_explicit(&next_id, memory_order_relaxed);
}

unsigned long tw_record_ids(void)
{
    return atomic_load(&next_id) - atomic_load(&first_id);
}

static void forget(void)
{
    tw_kept_forget();
    starpu_pthread_mutex_lock(&routine_lock);
    for (int k = 0; k < nroutines; k++)
        free(routines[k]);
    free(routines);
    routines = NULL;
    nroutines = routine_capacity = 0;
    starpu_pthread_mutex_unlock(&routine_lock);
    tw_edges_forget();
    tw_own_forget();
    forget_marks();
    forget_the_rest();
}

void tw_record_init(void)
{
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

void tw_record_task(const struct tw_record *r)
{
    const double from = atomic_load(&origin);
    struct tw_record kept = *r;
    double *const times[] = {&kept.submit, &kept.ready, &kept.taken, &kept.loaded};

    for (int k = 0; k < 4; k++)
        if (*times[k] > 0) *times[k] -= from; /* 0: nobody knows */
    kept.start -= from;
    kept.end -= from;
    tw_kept_add(&kept);
    tw_used_look(kept.end);
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

/* ---- start, stop ------------------------------------------------------------------------------------------------------- */

static starpu_pthread_mutex_t part_lock = STARPU_PTHREAD_MUTEX_INITIALIZER; /* of the file that grows */
static char *with_rank(const char *prefix);
static int begin_part(const char *prefix);
static unsigned long cancelled_before; /* cancellations before the recording began */

/* With part_lock held; prefix NULL: nobody knows where it will be written. *grows: 0, or why its file does not grow. */
static void start(const char *prefix, int needed, int *grows)
{
    atomic_store(&on, 0);
    atomic_store(&tw_doing_seen, NULL);
    tw_grow_end(0);
    forget();
    tw_counters_bus(&bus_before);
    read_clocks();
    atomic_store(&first_id, atomic_load(&next_id));
    tw_used_begin();
    cancelled_before = tw_cancel_epoch();
    *grows = prefix ? begin_part(prefix) : 0;
    if (*grows && needed && *grows != TW_E_STATE) return;
    tw_own_watch();
    atomic_store(&on, 1);
    atomic_store(&tw_doing_seen, see_stay);
}

static int start_from(const char *what, const char *prefix)
{
    int grows;

    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    if (tw_grow_here()) return tw_fail(TW_E_STATE, "%s: called from a log callback of the recorder's", what);
    starpu_pthread_mutex_lock(&part_lock);
    start(prefix ? prefix : tw_rt.config.trace[0] ? tw_rt.config.trace : NULL, prefix != NULL, &grows);
    starpu_pthread_mutex_unlock(&part_lock);
    if (!grows) return 0;
    if (prefix && grows != TW_E_STATE) return grows;
    tw_log(TW_LOG_WARNING, "%s: the trace is kept in memory until the end", tw_last_message());
    tw_clear_message();
    return 0;
}

int tw_trace_start(void)
{
    return start_from("tw_trace_start", NULL);
}

int tw_trace_start_to(const char *prefix)
{
    tw_clear_message();
    if (!prefix || !*prefix) return tw_illegal("tw_trace_start_to", 1, "no prefix");
    return start_from("tw_trace_start_to", prefix);
}

int tw_trace_stop(void)
{
    tw_used_end();
    atomic_store(&on, 0);
    atomic_store(&tw_doing_seen, NULL);
    return 0;
}

void tw_record_end(void)
{
    (void)tw_trace_stop();
    starpu_pthread_mutex_lock(&part_lock);
    /* A run that was cancelled wrote nothing, for it was not to go on: what it had recorded stays, as that of a killed one does. */
    char *kept = tw_grow_end(tw_cancel_epoch() != cancelled_before);
    starpu_pthread_mutex_unlock(&part_lock);
    if (kept) tw_log(TW_LOG_WARNING, "cancelled: what was recorded until then is in %s.tw.part", kept);
    free(kept);
}

int tw_record_any(void)
{
    starpu_pthread_mutex_lock(&mark_lock);
    const int direct = ndirect > 0;
    starpu_pthread_mutex_unlock(&mark_lock);
    return direct || tw_trace_count() > 0;
}

size_t tw_trace_count(void)
{
    return tw_kept_count();
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

/* Those that r has already, which were told, and those that are inferred. *all: to be freed. */
static int all_transfers(struct tw_recording *r, const struct tw_record *records, size_t n,
                         const struct tw_recorded_worker *workers, struct tw_transfer **all)
{
    const size_t told = r->ntransfers;
    int memory[STARPU_NMAXWORKERS];
    struct tw_transfer *more;
    size_t count;
    int e;

    *all = NULL;
    if (!tw_has_cuda()) return 0;
    for (int w = 0; w < r->nworkers; w++)
        memory[w] = workers[w].is_cuda ? 1 + workers[w].device : 0;
    if ((e = tw_inferred_transfers(records, n, memory, all, &count))) return e;
    if (!(more = realloc(*all, (count + told + 1) * sizeof *more)))
        return tw_fail(TW_E_MEMORY, "no memory for the trace's transfers");
    *all = more;
    if (told) memcpy(more + count, r->transfers, told * sizeof *more);
    r->ntransfers = count + told, r->transfers = more;
    return 0;
}

/* What StarPU counted on each link since the recording began: what inferred transfers can be compared with. */
static int tell_links(struct tw_run_fact *facts, int n, int max)
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
            facts[n++] = (struct tw_run_fact){text[used][0], text[used][1]};
            used++;
        }
    return n;
}

/* What several ranks' recordings are brought together by. */
static int tell_when(struct tw_run_fact *facts, int n)
{
    static char text[2][32];

    snprintf(text[0], sizeof text[0], "%lld", (long long)tw_rt.config.rank);
    snprintf(text[1], sizeof text[1], "%lld", began);
    facts[n++] = (struct tw_run_fact){"rank", text[0]};
    facts[n++] = (struct tw_run_fact){"clock offset ns", "0"};
    facts[n++] = (struct tw_run_fact){"began ns since 1970", text[1]};
    return n;
}

/* Whose clock GPU tasks' times are. */
static int tell_clock(struct tw_run_fact *facts, int n, int whole)
{
    static char text[32];

    if (!tw_has_cuda()) return n;
    facts[n++] = (struct tw_run_fact){"gpu times", tw_rt.config.trace_events ? "CUDA events" : "host"};
    if (!tw_rt.config.trace_events || !whole) return n;
    snprintf(text, sizeof text, "%.3f", 1e6 * tw_timings_set());
    facts[n++] = (struct tw_run_fact){"gpu clock set us", text};
    return n;
}

/* Waits, calls and transfers that the limit, which is one of tasks, left out, too. */
static int tell_left_out(struct tw_run_fact *facts, int n, char text[120])
{
    starpu_pthread_mutex_lock(&mark_lock);
    const size_t all = left_out + (stays.count - counting(&stays)) + (transfers.count - counting(&transfers));
    starpu_pthread_mutex_unlock(&mark_lock);

    if (!all) return n;
    snprintf(text, 120, "%zu waits, calls in LAPACK and transfers: more than TILEWORK_TRACE_LIMIT allows", all);
    facts[n++] = (struct tw_run_fact){"lacks", text};
    return n;
}

/* What is known from the beginning on. With facts_lock held, as the facts' texts lie in one place. */
static starpu_pthread_mutex_t facts_lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
struct frame {
    struct tw_recorded_worker workers[STARPU_NMAXWORKERS];
    struct tw_run_fact facts[138];
    char lacks[120]; /* empty: nothing */
    char machine[600];
};
static void make_frame(struct tw_recording *r, struct frame *f, int whole)
{
    memset(f->workers, 0, sizeof f->workers);
    f->lacks[0] = 0;
    r->nworkers = (int)starpu_worker_get_count();
    r->workers = f->workers;
    name_workers(f->workers, r->nworkers);
    describe(f->machine, sizeof f->machine);
    r->machine = f->machine;
    r->sched = tw_rt.sched;
    r->nfacts = tw_record_facts(f->facts, 100);
    if (whole) r->nfacts = tell_links(f->facts, r->nfacts, 132);
    r->nfacts = tell_clock(f->facts, tell_when(f->facts, r->nfacts), whole);
    if (whole) r->nfacts = tell_left_out(f->facts, r->nfacts, f->lacks);
    r->facts = f->facts;
}

static int begin_part(const char *prefix)
{
    struct tw_recording r = {0};
    struct frame *frame = malloc(sizeof *frame);
    char *name = with_rank(prefix);
    int e = frame && name ? 0 : tw_fail(TW_E_MEMORY, "no memory for a file's name");

    starpu_pthread_mutex_lock(&facts_lock);
    if (!e) make_frame(&r, frame, 0);
    if (!e) e = tw_grow_begin(name, &r);
    starpu_pthread_mutex_unlock(&facts_lock);
    free(frame), free(name);
    return e;
}

/* More may come while writers are at work: they get copies, and hold up nobody who records. *rest: to be freed (tw_rest_free). */
static int copy_rest(struct tw_recording *r, struct tw_recording *rest)
{
    const size_t last = tw_rt.config.trace_last ? (size_t)tw_rt.config.trace_limit : SIZE_MAX;
    struct tw_rest_place all = {0};
    const int e = tw_rest_copy(&all, rest);

    r->nroutines = rest->nroutines, r->routines = rest->routines;
    r->nmarks = rest->nmarks, r->marks = rest->marks;
    r->nused = rest->nused, r->used = rest->used;
    r->nstays = rest->nstays < last ? rest->nstays : last;
    r->stays = rest->stays + (rest->nstays - r->nstays);
    r->ntransfers = rest->ntransfers < last ? rest->ntransfers : last;
    r->transfers = rest->transfers + (rest->ntransfers - r->ntransfers);
    return e;
}

static int write_records(const char *prefix, struct tw_record *records, size_t n, struct tw_trace_written *written)
{
    struct tw_recording r = {.nrecords = n, .records = records}, rest = {0};
    struct frame *frame = malloc(sizeof *frame);
    const char *formats = tw_variable_text(TW_TILEWORK_TRACE_FORMATS);
    size_t tasks = 0;
    struct tw_transfer *moves = NULL;
    size_t *first_edge = NULL;
    unsigned *edge = NULL;
    int e = frame ? tw_edges_of(records, n, &first_edge, &edge) : tw_fail(TW_E_MEMORY, "no memory to write a trace");

    r.first_edge = first_edge;
    r.edge = edge;
    for (size_t k = 0; k < n; k++) {
        tasks += !records[k].part;
        if (records[k].end > r.duration) r.duration = records[k].end;
    }
    r.dropped = tw_kept_dropped(tasks);
    if (r.dropped)
        tw_log(TW_LOG_WARNING, "the trace lacks %zu tasks: %s", r.dropped,
               tw_rt.config.trace_limit ? "more than TILEWORK_TRACE_LIMIT allows" : "no memory for them");
    if (!e) e = copy_rest(&r, &rest);
    for (size_t k = 0; !e && k < n; k++) /* another thread has begun anew: these tasks' routines are gone */
        if (records[k].routine >= (r.nroutines ? r.nroutines : 1))
            e = tw_fail(TW_E_STATE, "tw_trace_write: another recording was begun meanwhile");
    starpu_pthread_mutex_lock(&facts_lock);
    if (!e) make_frame(&r, frame, 1);
    if (!e) e = all_transfers(&r, records, n, frame->workers, &moves);
    if (!e) e = tw_trace_call_writers(&r, prefix, formats ? formats : "", "TILEWORK_TRACE_FORMATS", written);
    starpu_pthread_mutex_unlock(&facts_lock);
    if (!e && frame->lacks[0]) tw_log(TW_LOG_WARNING, "the trace lacks %s", frame->lacks);
    if (written->left_out[0]) tw_log(TW_LOG_WARNING, "left out: %s", written->left_out);
    free(first_edge), free(edge), free(moves), free(frame);
    tw_rest_free(&rest);
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

/* A recording that was stopped is written where its part grew: that has all now, and goes when the whole file is there. */
static int end_growth(const char *name)
{
    starpu_pthread_mutex_lock(&part_lock);
    const int is = !tw_record_on() && tw_grow_is(name);
    if (is) tw_grow_stop();
    starpu_pthread_mutex_unlock(&part_lock);
    return is;
}

/* It stays where the whole file could not be written: e is why. */
static int drop_part(const char *name, int e, int has_tw)
{
    char *why = e ? strdup(tw_last_message()) : NULL;

    starpu_pthread_mutex_lock(&part_lock);
    char *kept = tw_grow_is(name) ? tw_grow_end(e && !has_tw) : NULL;
    starpu_pthread_mutex_unlock(&part_lock);
    if (why && kept) tw_fail(e, "%s; what was recorded is in %s.tw.part", why, kept);
    if (why && !kept) tw_set_message(why);
    free(why), free(kept);
    return e;
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
    if (!tw_record_any())
        return tw_fail(TW_E_STATE, "tw_trace_write: nothing was recorded: no task ran since tw_trace_start (marks "
                                   "alone make no trace), or that was not called");
    if (nwriters == 0)
        return tw_fail(
            TW_E_STATE,
            "tw_trace_write: this program was linked without Tilework's trace writers (link libtilework.so, or the "
            "static library as a whole)");
    if (tw_grow_here()) return tw_fail(TW_E_STATE, "tw_trace_write: called from a log callback of the recorder's");
    if (!(name = with_rank(prefix))) return tw_fail(TW_E_MEMORY, "no memory for a file's name");
    const int grew = end_growth(name);
    struct tw_trace_written written = {0};
    if (!(e = tw_kept_gather(&records, &n))) {
        e = write_records(name, records, n, &written);
        free(records);
    }
    if (grew) e = drop_part(name, e, written.tw);
    free(name);
    return e;
}
