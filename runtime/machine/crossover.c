/* Up to which order LAPACK alone is better than tiles, from the machine profile: predicted seconds of one beside those
 * of the other.
 *
 * Small problems start nothing, so that the profile may not be loaded yet. Then the file with which the library would
 * start is read, once in a process, at the first call above the smallest orders; without one the constant of the
 * routine's row holds. What was found is kept for each row and type, and found again when the library starts or
 * calibrates, or the program changes the number of LAPACK's threads. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/machine/tuning.h"

/* ---- two predictions side by side -------------------------------------------------------------------------------- */

/* What a call by tiles costs beside its tasks: workers wake, matrices and a sequence come and go. */
#define CALL 100e-6

static double by_tiles(const struct tw_tuning *t, const struct tw_workers *w, const struct tw_sizes *s)
{
    const double bytes = (double)s->m * (double)s->n * (double)tw_sizeof(s->type),
                 travel = w->gpus == 0
                              ? 0
                              : 1e-9 * bytes *
                                    (1 / w->profile->link[TW_LINK_TO_GPU] + 1 / w->profile->link[TW_LINK_FROM_GPU]);
    double seconds;

    (void)tw_best_nb(w, s, t->by_tiles ? t->by_tiles : t->seconds, &seconds);
    return CALL + fmax(seconds, travel);
}

/* By a tenth at least: predictions are no better than that, and LAPACK starts nothing. */
static int tiles_win(const struct tw_tuning *t, const struct tw_workers *w, enum tw_type type, int threads, int order)
{
    const tw_int n = (tw_int)((double)order / cbrt(t->flops));
    const struct tw_sizes s = {type, n, n, n};

    return by_tiles(t, w, &s) < 0.9 * t->lapack(w, &s, threads);
}

/* Tiles gain with the order: where they begin to win is found by halving, to within 8. */
tw_int tw_crossover_of(const struct tw_tuning *t, const struct tw_workers *w, enum tw_type type, int threads)
{
    int lapack = TW_CROSSOVER_LEAST, tiles = TW_CROSSOVER_MOST;

    if (!tiles_win(t, w, type, threads, tiles)) return TW_CROSSOVER_MOST;
    while (tiles - lapack > 8) {
        const int middle = (lapack + tiles) / 2;
        if (tiles_win(t, w, type, threads, middle))
            tiles = middle;
        else
            lapack = middle;
    }
    return lapack;
}

/* ---- the profile that is known ----------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct tw_profile profile; /* a copy: the library's own changes while it starts */
static struct tw_workers workers;
/* How often another profile or other workers became known, from 1 on; whether anybody has looked for a file, and
 * whether there is a profile. */
static atomic_uint news = 1;
static int looked, known;

static void take_lock(void)
{
    pthread_mutex_lock(&lock);
}
static void leave_lock(void)
{
    pthread_mutex_unlock(&lock);
}
static void watch_forks(void)
{
    (void)pthread_atfork(take_lock, leave_lock,
                         leave_lock); /* without memory a fork at that moment hangs, as it may in malloc */
}

static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    char *end;
    const long value = text ? strtol(text, &end, 10) : -1;

    return value < 0 || value > 1 << 16 ? otherwise : (int)value;
}

/* As the library would start: a core beside each GPU drives it, three streams a GPU. */
static void look_ahead(void)
{
    const int expected = tw_device_expected() && number("STARPU_NCUDA", 1) > 0;
    int gpus;

    if (!(known = tw_profile_ahead(expected, &profile))) return;
    gpus = tw_key_gpus(&profile.key);
    workers = (struct tw_workers){.profile = &profile,
                                  .cores = (int)tw_max(1, number("STARPU_NCPU", tw_core_count() - gpus)),
                                  .gpus = gpus,
                                  .streams = 3 * gpus,
                                  .by_inverse = gpus > 0};
}

void tw_crossover_know(void)
{
    pthread_once(&once, watch_forks);
    take_lock();
    profile = tw_profile;
    workers = tw_workers_now();
    workers.profile = &profile;
    looked = known = 1;
    atomic_fetch_add(&news, 1);
    leave_lock();
}

void tw_crossover_forget(void)
{
    take_lock();
    looked = known = 0;
    atomic_fetch_add(&news, 1);
    leave_lock();
}

/* Which news and how many threads an order was found for, and the order; 0 where there was no profile. */
static uint64_t packed(unsigned of, int threads, tw_int order)
{
    return (uint64_t)(of & 0xffff) << 48 | (uint64_t)(threads & 0xffff) << 32 | (uint64_t)order;
}

tw_int tw_crossover_predicted(const struct tw_tuning *t, enum tw_type type)
{
    const int configured = tw_blas_threads(), threads = configured > 0 ? configured : tw_core_count();
    uint64_t found = atomic_load(&t->crossovers->order[type]);

    if (found >> 32 != packed(atomic_load(&news), threads, 0) >> 32) {
        pthread_once(&once, watch_forks);
        take_lock();
        if (!looked) look_ahead();
        looked = 1;
        found = packed(atomic_load(&news), threads, known ? tw_crossover_of(t, &workers, type, threads) : 0);
        atomic_store(&t->crossovers->order[type], found);
        leave_lock();
    }
    return (tw_int)(found & 0xffffffff);
}
