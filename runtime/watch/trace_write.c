/* From a recording to its files: its frame (workers, machine, facts), tasks, edges and transfers, given to the writers
 * that are asked for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/c_locale.h"
#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/state.h"
#include "runtime/base/variables.h"
#include "runtime/cuda/timing.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/watch/record_private.h"

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
            const uint64_t bytes = now.bytes[i][j] - tw_recorded_since.bus.bytes[i][j];
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
    snprintf(text[1], sizeof text[1], "%lld", tw_recorded_since.epoch_ns);
    facts[n++] = (struct tw_run_fact){"rank", text[0]};
    facts[n++] = (struct tw_run_fact){"clock offset ns", "0"};
    facts[n++] = (struct tw_run_fact){"began ns since 1970", text[1]};
    return n;
}

/* Whose clock GPU tasks' times are. */
static int tell_clock(struct tw_run_fact *facts, int n, int ended)
{
    static char text[32];

    if (!tw_has_cuda()) return n;
    facts[n++] = (struct tw_run_fact){"gpu times", tw_rt.config.trace_events ? "CUDA events" : "host"};
    if (!tw_rt.config.trace_events || !ended) return n;
    tw_print_number(text, sizeof text, 3, 1e6 * tw_timings_set());
    facts[n++] = (struct tw_run_fact){"gpu clock set us", text};
    return n;
}

/* Waits, calls and transfers that the limit, which is one of tasks, left out, too. */
static int tell_left_out(struct tw_run_fact *facts, int n, char text[120])
{
    const size_t all = tw_events_left_out();

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
static void make_frame(struct tw_recording *r, struct frame *f, int ended)
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
    if (ended) r->nfacts = tell_links(f->facts, r->nfacts, 132);
    r->nfacts = tell_clock(f->facts, tell_when(f->facts, r->nfacts), ended);
    if (ended) r->nfacts = tell_left_out(f->facts, r->nfacts, f->lacks);
    r->facts = f->facts;
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

int tw_trace_begin_part(const char *prefix)
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

/* More may come while writers are at work: they get copies, and hold up nobody who records. *rest: to be freed
 * (tw_events_free). */
static int copy_rest(struct tw_recording *r, struct tw_recording *rest)
{
    const size_t last = tw_rt.config.trace_last ? (size_t)tw_rt.config.trace_limit : SIZE_MAX;
    struct tw_events_place all = {0};
    const int e = tw_events_copy(&all, rest);

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
    tw_events_free(&rest);
    return e;
}

/* A recording that was stopped is written where its part grew: that has all now, and goes when the whole file is
 * there. */
static int end_growth(const char *name)
{
    starpu_pthread_mutex_lock(&tw_recorded_since.lock);
    const int is = !tw_record_on() && tw_grow_is(name);
    if (is) tw_grow_stop();
    starpu_pthread_mutex_unlock(&tw_recorded_since.lock);
    return is;
}

/* It stays where the whole file could not be written: e is why. */
static int drop_part(const char *name, int e, int has_tw)
{
    char *why = e ? strdup(tw_last_message()) : NULL;

    starpu_pthread_mutex_lock(&tw_recorded_since.lock);
    char *kept = tw_grow_is(name) ? tw_grow_end(e && !has_tw) : NULL;
    starpu_pthread_mutex_unlock(&tw_recorded_since.lock);
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
    if (!tw_trace_has_writers())
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
