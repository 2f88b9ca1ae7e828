/* PREFIX.tw.part, which grows while a recording is on whose file's name is known: a run that is killed leaves what had
 * ended by then. A thread looks every quarter of a second what has come, and gives it to the writer (traces/part.c), in
 * pieces that are small enough for nobody to wait for it. With the last tasks only the file begins anew when it has
 * twice as many. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/base/c_locale.h"
#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/helper.h"
#include "runtime/base/state.h"
#include "runtime/watch/watch.h"

enum {
    PIECE = 512, /* tasks that are copied with a worker's lock held */
    SLACK = 1000 /* more of them than twice the last ones, for the file to begin anew */
};

static struct tw_trace_part writer;
static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of stopping */
static pthread_cond_t stop_now = PTHREAD_COND_INITIALIZER;
static int active, stopping;
static _Thread_local int here;

static struct {
    void *file;
    char *name; /* of the recording */
    struct tw_kept_place place[STARPU_NMAXWORKERS];
    struct tw_events_place rest;
    size_t edges, tasks; /* tasks: in the file */
    unsigned long submitted;
    int failed;
} part;

void tw_trace_register_part(const struct tw_trace_part *functions)
{
    writer = *functions;
}

/* ---- what has come ----------------------------------------------------------------------------------------------- */

/* In this pass anything but tasks has come. */
static int came;

static int add_rest(void)
{
    struct tw_recording rest = {0};
    int e = tw_events_copy(&part.rest, &rest);

    came |= rest.nroutines || rest.nmarks || rest.nstays || rest.ntransfers || rest.nused;
    if (!e) e = writer.add(part.file, &rest, NULL, 0);
    tw_events_free(&rest);
    return e;
}

/* Those that end while others are copied may be of routines that were not there before: these go first. */
static int add_tasks(struct tw_record *records)
{
    int e = 0;

    for (int w = 0; w < STARPU_NMAXWORKERS; w++)
        for (size_t n = PIECE; !e && n == PIECE;) {
            struct tw_kept_place *place = &part.place[w];
            const size_t before = place->tasks - place->skipped;
            n = tw_kept_copy(w, place, records, PIECE);
            part.tasks += place->tasks - place->skipped - before;
            if (n && !(e = add_rest()))
                e = writer.add(part.file, &(struct tw_recording){.nrecords = n, .records = records}, NULL, 0);
        }
    return e;
}

static int add_edges(void)
{
    struct tw_waits pairs[PIECE];
    int e = 0;

    for (size_t n = PIECE; !e && n == PIECE;) {
        n = tw_edges_copy(&part.edges, pairs, PIECE);
        if (n) e = writer.add(part.file, &(struct tw_recording){0}, pairs, n);
    }
    return e;
}

/* What there is by now, and how much that is of all. */
static int add_all(void)
{
    struct tw_record *records = malloc(PIECE * sizeof *records);
    const unsigned long submitted = tw_record_ids();
    const size_t before = part.tasks;
    size_t skipped = 0;
    char number[3][32];
    int e;

    came = 0;
    e = records ? add_rest() : TW_E_MEMORY;

    if (!e) e = add_tasks(records);
    if (!e) e = add_edges();
    free(records);
    if (e || (submitted == part.submitted && part.tasks == before && !came)) return e;
    part.submitted = submitted;
    for (int w = 0; w < STARPU_NMAXWORKERS; w++)
        skipped += part.place[w].skipped;
    snprintf(number[0], sizeof number[0], "%lu", submitted);
    snprintf(number[1], sizeof number[1], "%zu", skipped + (tw_rt.config.trace_last ? 0 : tw_kept_dropped(0)));
    tw_print_number(number[2], sizeof number[2], 6, tw_now() - tw_record_origin());
    const struct tw_run_fact facts[] = {{"submitted", number[0]}, {"dropped", number[1]}, {"written until", number[2]}};
    return writer.add(part.file, &(struct tw_recording){.nfacts = 3, .facts = facts}, NULL, 0);
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

static void from_the_start(void)
{
    memset(part.place, 0, sizeof part.place);
    part.rest = (struct tw_events_place){0};
    part.edges = part.tasks = 0;
    part.submitted = 0;
}

/* Of the last tasks only: another file, with those that are kept, takes the place of the one that has grown too
 * long. */
static int begin_again(void)
{
    void *next;
    int e = writer.again(part.file, &next);

    if (e) return e;
    void *const old = part.file;
    part.file = next;
    from_the_start();
    if ((e = add_all())) {
        part.file = old;
        writer.close(next, 0);
        return e;
    }
    return writer.replace(old, next);
}

static void grow(void)
{
    const size_t last = tw_rt.config.trace_last ? (size_t)tw_rt.config.trace_limit : 0;

    if (part.failed) return;
    if (!(last && part.tasks > 2 * last + SLACK ? begin_again() : add_all())) return;
    part.failed = 1; /* the file has what it has */
    tw_log(TW_LOG_WARNING, "%s: the recording goes on in memory alone, and is written at the end", tw_last_message());
}

static void *watch(void *unused)
{
    int last = 0;

    (void)unused;
    here = 1;
    tw_gate_adopt(); /* it ends before the library does */
    while (!last) {
        struct timespec t;
        pthread_mutex_lock(&lock);
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += 250000000;
        if (t.tv_nsec >= 1000000000) t.tv_sec++, t.tv_nsec -= 1000000000;
        while (!stopping && pthread_cond_timedwait(&stop_now, &lock, &t) != ETIMEDOUT) {}
        last = stopping;
        pthread_mutex_unlock(&lock);
        grow();
    }
    return NULL;
}

int tw_grow_here(void)
{
    return here;
}

int tw_grow_is(const char *name)
{
    return part.name && !strcmp(part.name, name);
}

static void forget(int keep)
{
    if (part.file) writer.close(part.file, keep);
    part.file = NULL;
    free(part.name);
    part.name = NULL;
}

int tw_grow_begin(const char *name, const struct tw_recording *frame)
{
    int e;

    if (!writer.open || part.name) return 0;
    if (!(part.name = strdup(name))) return tw_fail(TW_E_MEMORY, "no memory for a file's name");
    part.failed = 0;
    from_the_start();
    e = writer.open(&part.file, name, frame);
    if (!e && part.file) {
        stopping = 0;
        active = tw_helper_start(&thread, watch, NULL) == 0;
        if (!active) e = tw_fail(TW_E_MEMORY, "no thread to write %s.tw.part", name);
    }
    if (!active) forget(0);
    return e;
}

void tw_grow_stop(void)
{
    if (active) {
        pthread_mutex_lock(&lock);
        stopping = 1;
        pthread_cond_signal(&stop_now);
        pthread_mutex_unlock(&lock);
        pthread_join(thread, NULL);
        active = 0;
    }
    if (part.failed) forget(0);
}

char *tw_grow_end(int keep)
{
    tw_grow_stop();
    char *kept = keep && part.file ? strdup(part.name) : NULL;
    forget(keep);
    return kept;
}
