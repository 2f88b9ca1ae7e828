/* What a recording has beside tasks: ranges that the program marked, what threads that call did, transfers; and copies
 * of these for a file that grows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/state.h"
#include "runtime/cuda/nvtx.h"
#include "runtime/watch/record_private.h"

/* ---- marks ------------------------------------------------------------------------------------------------------- */

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

/* ---- what grows with a recording beside tasks -------------------------------------------------------------------- */

static struct grown {
    void *at;
    size_t count, room, gone; /* gone: thrown out in front of them */
} stays, transfers;
static size_t ndirect;  /* calls among the stays that made no tasks */
static size_t left_out; /* of both, beyond the limit */

/* With mark_lock held: the place for one more, of this size; NULL: no memory, or beyond the limit, for these are
 * bounded as tasks are. */
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

/* Calls that make no tasks may come by the million: those that follow each other at once are one, and when there are
 * many nevertheless, so are others, as far apart as it takes. Such a one is as long as its calls together: what lies
 * between them is none of LAPACK's time. */
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

void tw_events_stay(enum tw_doing what, double from, double to)
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

void tw_events_forget(void)
{
    forget_marks();
    starpu_pthread_mutex_lock(&mark_lock);
    free(stays.at), free(transfers.at);
    stays = transfers = (struct grown){0};
    ndirect = left_out = 0;
    apart = AT_ONCE;
    starpu_pthread_mutex_unlock(&mark_lock);
}

/* ---- the same for a file that grows ------------------------------------------------------------------------------ */

void tw_events_free(struct tw_recording *rest)
{
    for (int k = 0; k < rest->nroutines; k++)
        free((char *)rest->routines[k]);
    for (size_t k = 0; k < rest->nmarks; k++)
        free((char *)rest->marks[k].name);
    free((void *)rest->routines), free((void *)rest->marks), free((void *)rest->stays), free((void *)rest->transfers);
    free((void *)rest->used);
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
    const size_t first = *from > g->gone ? *from - g->gone : 0, at = first < g->count ? first : g->count,
                 n = g->count - at;
    void *copies = n ? malloc(n * size) : NULL;

    if (copies) memcpy(copies, (const char *)g->at + at * size, n * size);
    *to = copies;
    *count = copies ? n : 0;
    *from = g->gone + g->count;
    return n && !copies ? TW_E_MEMORY : 0;
}

static int copy_used(struct tw_events_place *from, struct tw_recording *out)
{
    struct tw_used *used;
    const int e = tw_used_copy(from->any_used ? from->used : -1, &used, &out->nused);

    out->used = used;
    if (!e && out->nused) from->used = used[out->nused - 1].time, from->any_used = 1;
    return e;
}

int tw_events_copy(struct tw_events_place *from, struct tw_recording *out)
{
    int e;

    e = tw_record_copy_routines(&from->routines, out);
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

/* ---- what there is ----------------------------------------------------------------------------------------------- */

int tw_events_any(void)
{
    starpu_pthread_mutex_lock(&mark_lock);
    const int direct = ndirect > 0;
    starpu_pthread_mutex_unlock(&mark_lock);
    return direct;
}

size_t tw_events_left_out(void)
{
    starpu_pthread_mutex_lock(&mark_lock);
    const size_t all = left_out + (stays.count - counting(&stays)) + (transfers.count - counting(&transfers));
    starpu_pthread_mutex_unlock(&mark_lock);
    return all;
}
