/* One call: whose it is, what became of it. The variables. */
#define _GNU_SOURCE /* secure_getenv */
#include "dropin/dropin.h"
#include <float.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>
#include <tilework/runtime.h>

struct tw_dropin_settings tw_settings = {.min = -1};
static _Thread_local int inside; /* a call that was taken is under way in this thread */

void tw_dropin_mark_thread(void)
{
    inside = 1;
}

void tw_dropin_say(const char *format, ...)
{
    char text[600];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(stderr, "libtilework_lapack: %s\n", text);
}

double tw_dropin_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static const char *variable(const char *name)
{
    const char *text = secure_getenv(name);
    return text && *text ? text : NULL;
}

/* Programs change their folder before they end. */
static const char *from_here(const char *file)
{
    static char path[2 * PATH_MAX];
    char folder[PATH_MAX];

    if (*file == '/' || !getcwd(folder, sizeof folder) ||
        snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path)
        return file;
    return path;
}
static void read_variables(void)
{
    static const char *const words[] = {"all", "1", "lapack", "blas", "fftw", "none", "0"};
    static const int means[] = {TW_ALL, TW_ALL, TW_LAPACK, TW_BLAS, TW_NONE, TW_NONE, TW_NONE};
    const char *text;

    tw_settings.secure = getauxval(AT_SECURE) != 0;
    if (tw_settings.secure) return;
    text = variable("TILEWORK_DROPIN");
    if (text) {
        size_t i = 0;
        while (i < sizeof words / sizeof *words && strcasecmp(text, words[i]) != 0)
            i++;
        tw_settings.taken = i < sizeof words / sizeof *words ? (unsigned)means[i] : TW_NONE;
        if (i == sizeof words / sizeof *words)
            tw_dropin_say("TILEWORK_DROPIN=%.80s: neither all (1), lapack, blas, fftw nor none (0): nothing is taken",
                          text);
    }
    text = variable("TILEWORK_DROPIN_MIN");
    if (text) {
        char *end;
        const double min = strtod(text, &end);
        if (end != text && !*end && min >= 0)
            tw_settings.min = min;
        else
            tw_dropin_say("TILEWORK_DROPIN_MIN=%.80s: not an order", text);
    }
    tw_settings.reproducible = variable("TILEWORK_REPRODUCIBLE") && !strcmp(variable("TILEWORK_REPRODUCIBLE"), "1");
    text = variable("TILEWORK_DROPIN_ROOT");
    if (text) snprintf(tw_settings.root, sizeof tw_settings.root, "%s", text);
    tw_settings.backend = variable("TILEWORK_DROPIN_BACKEND");
    tw_settings.report = variable("TILEWORK_DROPIN_REPORT");
    if (tw_settings.report && !strcmp(tw_settings.report, "0")) tw_settings.report = NULL;
    if (tw_settings.report && strcmp(tw_settings.report, "1") != 0) tw_settings.report = from_here(tw_settings.report);
    tw_settings.calls = variable("TILEWORK_DROPIN_CALLS");
    text = variable("TILEWORK_DROPIN_SELECT");
    tw_settings.selects = text && !strcmp(text, "1");
    if (text && strcmp(text, "0") != 0 && !tw_settings.selects)
        tw_dropin_say("TILEWORK_DROPIN_SELECT=%.80s: neither 0 nor 1: such calls are not taken", text);
    text = variable("TILEWORK_DROPIN_RUN");
    tw_settings.run = text ? atol(text) : 0;
    tw_settings.counts = tw_settings.report || tw_settings.calls;
}
void tw_dropin_prepare(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_variables);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static void add(_Atomic double *sum, double x)
{
    double was = atomic_load_explicit(sum, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(sum, &was, was + x, memory_order_relaxed, memory_order_relaxed)) {}
}

static void refused(const char *name)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&said))
        tw_dropin_say("%s is forwarded, as all are while this lasts: %s", name, tw_engine.message());
}

/* Calls that are counted and under way in this thread, the innermost; they lie on its stack. Those that ended by a
 * longjmp have nothing above the stack's end any more. */
static _Thread_local struct tw_dropin_call *under_way;
static void begin(struct tw_dropin_call *c)
{
    c->outer = (uintptr_t)under_way > (uintptr_t)c ? under_way : NULL;
    under_way = c;
}

static void leave(const struct tw_dropin_call *c)
{
    int ours;
    inside = 0;
    (void)pthread_setcancelstate(c->cancel, &ours);
}

int tw_dropin_enter(struct tw_dropin_call *c, struct tw_site *s, double work, double flops, double elements, int query,
                    int vectors)
{
    int e;

    c->site = s;
    c->work = work;
    c->flops = flops > 0 ? flops : 0;
    c->begun = 0;
    c->vectors = vectors != 0;
    c->predicted = (struct tw_prediction){0, 0};
    /* What Tilework's own work calls is not the program's, and is not counted. */
    c->counted = !inside && !tw_engine_at_work();
    tw_forwarding = s;
    if (!c->counted) return 0;
    if (tw_settings.counts) begin(c);
    inside = 1; /* also while the library starts */
    /* BLAS is no place where a thread may be cancelled: what it holds would never be let go. */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &c->cancel);
    c->why = query ? TW_QUERY : tw_decide(s, work, c->flops, elements, c->vectors, &c->predicted);
    if (c->why == TW_TAKEN) {
        c->engine = tw_engine_function(s->name, s->wide);
        if (!c->engine)
            c->why = TW_REFUSED;
        else if ((e = tw_engine.begin())) {
            c->why = e == TW_E_STATE ? TW_ENDED : TW_REFUSED;
            if (c->why == TW_REFUSED) refused(tw_door_of(s->name)->name);
        }
    }
    if (tw_settings.counts || c->flops > 0x1p26) c->begun = tw_dropin_now();
    if (c->why != TW_TAKEN) {
        leave(c);
        return 0;
    }
    c->tasks = tw_engine.tasks();
    return 1;
}

/* What the real routine would have taken in place of a call that was: as forwarded ones of its like went, else an
 * estimate. */
static void estimate(const struct tw_dropin_call *c, double seconds)
{
    struct tw_site *s = c->site;
    const double rate = tw_seen(0, s, c->vectors, c->flops);
    const double without =
        rate > 0 ? c->flops / rate : tw_seconds_of_real(tw_door_of(s->name), c->vectors, c->work, c->flops);

    if (without < 0) {
        atomic_fetch_add_explicit(&s->unknown, 1, memory_order_relaxed);
        return;
    }
    add(&s->without, without);
    if (rate > 0) {
        add(&s->compared, seconds);
        add(&s->compared_without, without);
    }
}
static void count(struct tw_dropin_call *c)
{
    struct tw_site *s = c->site;
    const double seconds = c->begun > 0 ? tw_dropin_now() - c->begun : 0;
    const int computes = c->why != TW_ILLEGAL && c->why != TW_QUERY;
    double flops;

    if (computes) tw_learn(s, c->why == TW_TAKEN, c->vectors, c->flops, seconds);
    if (!tw_settings.counts) return;
    under_way = c->outer;
    atomic_fetch_add_explicit(&s->why[c->why], 1, memory_order_relaxed);
    if (c->outer) atomic_fetch_add_explicit(&s->inner, 1, memory_order_relaxed);
    if (!computes) return;
    flops = tw_flops(tw_door_of(s->name), c->vectors, c->work, c->flops);
    add(&s->flops, flops);
    add(&s->seconds, seconds);
    if (c->outer) add(&s->seconds_inner, seconds);
    if (c->why == TW_FORKED && tw_children && !c->outer) {
        atomic_fetch_add_explicit(&tw_children->calls, 1, memory_order_relaxed);
        add(&tw_children->seconds, seconds);
    }
    if (c->predicted.without > 0 && c->predicted.with <= DBL_MAX) {
        atomic_fetch_add_explicit(&s->predicted, 1, memory_order_relaxed);
        add(&s->predicted_with, c->predicted.with);
        add(&s->predicted_without, c->predicted.without);
    }
    if (c->why == TW_TAKEN) {
        add(&s->flops_taken, flops);
        add(&s->seconds_taken, seconds);
        estimate(c, seconds);
    }
}

int tw_dropin_done(struct tw_dropin_call *c, int64_t code)
{
    const int touched = tw_engine.tasks() != c->tasks;
    char message[512] = "";

    if (code < 0) snprintf(message, sizeof message, "%s", tw_engine.message());
    tw_engine.end();
    leave(c);
    if (code >= 0) {
        count(c);
        return 1;
    }
    if (code > -1000) /* the real routine says so, in its way */
        c->why = TW_ILLEGAL;
    else if (!touched)
        c->why = TW_REFUSED;
    else {
        tw_dropin_say("%s failed after its arguments had been overwritten, and the program cannot go on: %s",
                      tw_door_of(c->site->name)->name, message);
        abort();
    }
    if (!c->site->provider) { /* nobody else can do it */
        tw_dropin_say("%s: %s", tw_door_of(c->site->name)->name, message);
        abort();
    }
    c->begun = tw_dropin_now();
    return 0;
}

void tw_dropin_forwarded(struct tw_dropin_call *c)
{
    if (c->counted) count(c);
}
