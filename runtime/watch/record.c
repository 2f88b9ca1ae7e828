/* The recorder: which task ran where and when. Needs no FxT: StarPU's profiling gives each finished task's times. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <starpu.h>

#include "runtime/base/doing.h"
#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/state.h"
#include "runtime/base/sequence.h"
#include "runtime/watch/record_private.h"

struct tw_recorded_since tw_recorded_since = {.lock = STARPU_PTHREAD_MUTEX_INITIALIZER};
static atomic_int on;
static atomic_ulong next_id, first_id; /* first_id: of the recording */
static _Atomic double origin;          /* tasks may end while another thread starts a recording */
static char **routines;
static int nroutines, routine_capacity;
static starpu_pthread_mutex_t routine_lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

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
    tw_events_forget();
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

/* Copies of those from a place on, which moves on. */
int tw_record_copy_routines(size_t *from, struct tw_recording *out)
{
    starpu_pthread_mutex_lock(&routine_lock);
    const size_t n = (size_t)nroutines - *from;
    char **names = n ? calloc(n, sizeof *names) : NULL;
    int e = n && !names ? TW_E_MEMORY : 0;

    for (size_t k = 0; !e && k < n; k++)
        if (!(names[k] = strdup(routines[*from + k]))) e = TW_E_MEMORY;
    out->routines = (const char *const *)names;
    out->nroutines = names ? (int)n : 0;
    *from += n;
    starpu_pthread_mutex_unlock(&routine_lock);
    return e;
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
        tw_recorded_since.epoch_ns = 1000000000ll * t.tv_sec + t.tv_nsec - (long long)(0.5e9 * least);
    }
}

/* ---- start, stop ------------------------------------------------------------------------------------------------- */

static unsigned long cancelled_before; /* cancellations before the recording began */

/* With part_lock held; prefix NULL: nobody knows where it will be written. *grows: 0, or why its file does not grow. */
static void start(const char *prefix, int needed, int *grows)
{
    atomic_store(&on, 0);
    atomic_store(&tw_doing_seen, NULL);
    tw_grow_end(0);
    forget();
    tw_counters_bus(&tw_recorded_since.bus);
    read_clocks();
    atomic_store(&first_id, atomic_load(&next_id));
    tw_used_begin();
    cancelled_before = tw_cancel_epoch();
    *grows = prefix ? tw_trace_begin_part(prefix) : 0;
    if (*grows && needed && *grows != TW_E_STATE) return;
    tw_own_watch();
    atomic_store(&on, 1);
    atomic_store(&tw_doing_seen, tw_events_stay);
}

static int start_from(const char *what, const char *prefix)
{
    int grows;

    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    if (tw_grow_here()) return tw_fail(TW_E_STATE, "%s: called from a log callback of the recorder's", what);
    starpu_pthread_mutex_lock(&tw_recorded_since.lock);
    start(prefix ? prefix : tw_rt.config.trace[0] ? tw_rt.config.trace : NULL, prefix != NULL, &grows);
    starpu_pthread_mutex_unlock(&tw_recorded_since.lock);
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
    starpu_pthread_mutex_lock(&tw_recorded_since.lock);
    /* A run that was cancelled wrote nothing, for it was not to go on: what it had recorded stays, as that of a killed
     * one does. */
    char *kept = tw_grow_end(tw_cancel_epoch() != cancelled_before);
    starpu_pthread_mutex_unlock(&tw_recorded_since.lock);
    if (kept) tw_log(TW_LOG_WARNING, "cancelled: what was recorded until then is in %s.tw.part", kept);
    free(kept);
}

int tw_record_any(void)
{
    return tw_events_any() || tw_trace_count() > 0;
}

size_t tw_trace_count(void)
{
    return tw_kept_count();
}
