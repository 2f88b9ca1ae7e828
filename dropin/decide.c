/* Which calls are worth taking. docs/dropin.md tells the same with reasons. */
#define _GNU_SOURCE /* dladdr, pthread_getattr_np */
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "dropin/machine.h"

const char *const tw_why_name[TW_WHYS] = {"taken", "small",  "no gain",         "starting",    "off",
                                          "query", "forked", "parallel region", "not started", "illegal",
                                          "ended", "busy",   "little stack"};

/* Orders below which nobody gains: the product of the dimensions is compared with their cubes. */
enum { LEAST_ON_GPU = 1024, LEAST_ON_CORES = 2048 };
static const double START_GPU = 2, START_CORES = 0.5; /* seconds that a start costs */

static double least_order(void)
{
    return tw_settings.min >= 0 ? tw_settings.min : tw_here_gpus() > 0 ? LEAST_ON_GPU : LEAST_ON_CORES;
}
static int is_off(const struct tw_site *s)
{
    const int blas = tw_door_of(s->name)->blas;
    return tw_settings.taken == TW_NONE || tw_settings.taken == (blas ? TW_LAPACK : TW_BLAS);
}

int64_t tw_least_work(const struct tw_site *s)
{
    double order;

    if (!s->provider) return INT64_MIN;
    if (tw_settings.counts) return INT64_MIN; /* all are looked at */
    if (is_off(s)) return INT64_MAX;
    order = least_order();
    return order < 2e6 ? (int64_t)(order * order * order) : INT64_MAX;
}

/* Of any OpenMP that is loaded. */
static int in_parallel(void)
{
    static const char *const library[] = {"libgomp.so.1", "libiomp5.so", "libomp.so.5", "libomp.so"};
    enum { LIBRARIES = sizeof library / sizeof *library };
    static _Atomic(int (*)(void)) inside[LIBRARIES];
    static atomic_ullong seen;
    const unsigned long long loads = tw_dropin_loads();
    const int look = atomic_load(&seen) != loads;
    int within = 0;

    for (size_t i = 0; i < LIBRARIES; i++) {
        int (*f)(void) = atomic_load(&inside[i]);
        if (!f && look) {
            void *handle = dlopen(library[i], RTLD_LAZY | RTLD_NOLOAD); /* not closed: it stays */
            if (handle) *(void **)&f = dlsym(handle, "omp_in_parallel");
            if (f) atomic_store(&inside[i], f);
        }
        within |= f && f();
    }
    atomic_store(&seen, loads);
    return within;
}

static int is_small(double work)
{
    const double order = least_order();
    return work < order * order * order;
}

/* What LAPACK wants of its own routines beyond what they are said to do. Its bdsvdx takes the eigenvectors of stevx
 * apart, of a matrix with zeros on its diagonal: the halves of a vector have to be as long as each other, which of
 * close eigenvalues holds only for the basis that LAPACK's stevx happens to find. Its latdf (tgsyl, tgsen) goes on with
 * what gecon leaves in WORK, a vector that the matrix makes small. */
static int wants_more(const struct tw_site *s)
{
    const char *const name = tw_door_of(s->name)->name + 1;
    Dl_info caller, real;

    return !s->of_program && (!strcmp(name, "stevx") || !strcmp(name, "gecon")) && dladdr(s->caller, &caller) &&
           dladdr(s->real, &real) && caller.dli_fbase == real.dli_fbase;
}

/* The gain of calls that were forwarded for want of a library, until they have paid for its start. */
static enum tw_why start_if_missed(double gain)
{
    static _Atomic double missed; /* seconds that forwarded calls might have saved */
    double sum = atomic_load(&missed);

    while (!atomic_compare_exchange_weak(&missed, &sum, sum + gain)) {}
    if (sum + gain > (tw_here_gpus() > 0 ? START_GPU : START_CORES)) tw_engine_start_later();
    return TW_STARTING;
}

/* LAPACK below Tilework needs more of the caller's stack than LAPACK alone (dgeev of order 300: 128 KiB), and overflows
 * without a word. Stacks that are not the thread's own are not known. */
static int has_little_stack(void)
{
    enum { LEAST = 160 << 10 };
    static _Thread_local uintptr_t lowest, highest;
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    pthread_attr_t attributes;
    void *at;
    size_t size;

    if (!highest) {
        highest = 1;
        if (pthread_getattr_np(pthread_self(), &attributes)) return 0;
        if (pthread_attr_getstack(&attributes, &at, &size) == 0) {
            lowest = (uintptr_t)at;
            highest = lowest + size;
        }
        pthread_attr_destroy(&attributes);
    }
    return here > lowest && here < highest && here - lowest < LEAST;
}

static enum tw_why decide(const struct tw_site *s, double work, double flops, double elements, int vectors,
                          struct tw_prediction *p)
{
    if (is_off(s) || wants_more(s) || work == TW_SELECTING) return TW_OFF;
    if (work < 0) return TW_ILLEGAL;
    if (is_small(work)) return TW_SMALL;
    if (in_parallel()) return TW_PARALLEL;
    if (tw_settings.min >= 0) return tw_engine_start() ? TW_TAKEN : TW_REFUSED;
    tw_predict(s, work, flops, elements, vectors, p);
    if (!(p->with < p->without)) return TW_NO_GAIN;
    if (tw_settings.reproducible) return tw_engine_start() ? TW_TAKEN : TW_REFUSED;
    if (tw_here_busy()) return TW_BUSY;
    return tw_engine_runs() ? TW_TAKEN : start_if_missed(p->without - p->with);
}
enum tw_why tw_decide(const struct tw_site *s, double work, double flops, double elements, int vectors,
                      struct tw_prediction *p)
{
    enum tw_why why;

    p->with = p->without = 0;
    if (atomic_load(&tw_forked)) return TW_FORKED;
    if (!s->provider) return tw_engine_start() ? TW_TAKEN : TW_REFUSED;
    why = decide(s, work, flops, elements, vectors, p);
    return why == TW_TAKEN && has_little_stack() ? TW_STACK : why;
}
