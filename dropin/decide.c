/* Which calls are worth taking. docs/dropin.md tells the same with reasons. */
#define _GNU_SOURCE /* sched_getaffinity, strcasestr */
#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dropin/dropin.h"

const char *const tw_why_name[TW_WHYS] = {"taken",    "small",    "no gain",         "starting",    "off",
                                          "query",    "forked",   "parallel region", "not started", "illegal",
                                          "ended"};

/* Orders below which nobody gains: the product of the dimensions is compared with their cubes. */
enum { LEAST_ON_GPU = 1024, LEAST_ON_CORES = 2048 };

/* ---- the machine, as far as it can be seen without starting anything ------------------------------------------------------- */

static int cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
}
/* Whoever gives his BLAS fewer threads than there are cores wants the others for something else. */
static int threads(void)
{
    static const char *const name[] = {"OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"};
    int n = cores();

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        const char *text = secure_getenv(name[i]);
        if (text && atoi(text) > 0 && atoi(text) < n) n = atoi(text);
    }
    return n;
}
/* GPUs that the library would use: no driver is woken for this. */
static int gpus(void)
{
#ifdef TILEWORK_CUDA
    static atomic_int found = -1;
    const char *visible = secure_getenv("CUDA_VISIBLE_DEVICES"), *used = secure_getenv("STARPU_NCUDA");
    int n = 0;

    if (atomic_load(&found) >= 0) return atomic_load(&found);
    for (int i = 0; i < 16; i++) {
        char path[32];
        snprintf(path, sizeof path, "/dev/nvidia%d", i);
        n += access(path, R_OK | W_OK) == 0;
    }
    if (visible && (!*visible || *visible == '-')) n = 0;
    if (used && atoi(used) == 0) n = 0;
    atomic_store(&found, n);
    return n;
#else
    return 0;
#endif
}

/* ---- the model --------------------------------------------------------------------------------------------------------------- */

/* Rates, in flops a second: of a core with the real routine, of all cores with ours in place of it, of a GPU, and bytes a second to it and back from memory that is not pinned. */
static const double CORE = 50e9, GPU = 15e12, LINK = 8e9;
static const double START_GPU = 2, START_CORES = 0.5; /* seconds that a start costs */

static double single(const struct tw_door *d)
{
    return strchr("sc", d->name[0]) ? 2 : 1;
}
/* Routines that tiles make faster on cores than an OpenBLAS on the same cores, and from which order on: measured on two (docs/performance.md). All others are as fast there. */
static double faster_on_cores(const struct tw_door *d, double order)
{
    static const struct {
        const char *routine;
        double times, from;
    } list[] = {{"geqrf", 1.15, 4000}, {"syevr", 1.4, 2000}, {"heevr", 1.4, 2000}, {"syevx", 1.4, 2000}, {"heevx", 1.4, 2000}};

    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!strcmp(d->name + 1, list[i].routine)) return order >= list[i].from ? list[i].times : 1;
    return 1;
}
/* A BLAS that uses all cores, and the same kernels as ours. */
static int is_fast(const struct tw_site *s)
{
    static const char *const word[] = {"openblas", "mkl", "blis", "armpl", "torch"};
    char file[PATH_MAX];

    if (!s->provider || !realpath(s->provider, file)) return 1;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (strcasestr(file, word[i])) return 1;
    return 0;
}
/* Routines whose work is products on GPUs. Others are one core's, or go over a matrix once. */
static int gains_on_gpus(const struct tw_door *d)
{
    static const char *const list[] = {"potrf", "posv",  "potri", "potrs", "lauum", "trtri", "trtrs", "getrf", "gesv",  "getri", "getrs",
                                       "geqrf", "gelqf", "gels",  "ormqr", "unmqr", "ormlq", "unmlq", "orgqr", "ungqr", "orglq", "unglq",
                                       "syevd", "heevd", "syev",  "heev",  "syevr", "heevr", "syevx", "heevx", "sygst", "hegst", "sygvd",
                                       "hegvd", "sygv",  "hegv",  "sygvx", "hegvx", "gesdd", "gesvd", "gelsd", "gelss"};

    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!strcmp(d->name + 1, list[i])) return 1;
    return d->blas;
}

/* Singular values: a share of a GPU's rate and seconds a column, from which both the measured times of gesdd with vectors come, 2048 to 16384 columns (docs/performance.md); the real routines' share, too,
 * is far from the others'. */
static int is_svd(const struct tw_door *d)
{
    static const char *const list[] = {"gesdd", "gesvd", "gelsd", "gelss"};

    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!strcmp(d->name + 1, list[i])) return 1;
    return 0;
}
static const double SVD_GPU_SHARE = 0.19, SVD_GPU_COLUMN = 3e-5, SVD_REAL_SHARE = 0.03, SVD_FROM = 2048;

/* How far the real routine stays below the rate of a product. */
static double real_share(const struct tw_door *d)
{
    static const struct {
        const char *routine;
        double share;
    } list[] = {{"potrf", 0.8}, {"potri", 0.6}, {"posv", 0.8}, {"getrf", 0.7}, {"gesv", 0.7}, {"geqrf", 0.4},
                {"gels", 0.4}};

    if (d->blas) return 1;
    if (is_svd(d)) return SVD_REAL_SHARE;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!strcmp(d->name + 1, list[i].routine)) return list[i].share;
    return 0.3;
}

/* What calls have shown: the best rates of a door's calls, by whether they were taken, in classes of a factor of eight of flops. */
enum { CLASSES = 12, DOORS = 1024 };
static _Atomic float shown[2][DOORS][CLASSES];
static int class_of(double flops)
{
    int c = 0;
    for (double f = flops / 0x1p30; f >= 1 && c < CLASSES - 1; f /= 8)
        c++;
    return c;
}
void tw_learn(const struct tw_site *s, int taken, double flops, double seconds)
{
    const int door = s->name / TW_NAMES;
    const float rate = (float)(flops / seconds);
    _Atomic float *best;

    if (door >= DOORS || flops < 0x1p26 || seconds <= 0 || tw_settings.reproducible) return;
    best = &shown[taken][door][class_of(flops)];
    if (rate > atomic_load(best)) atomic_store(best, rate); /* of two at once either will do */
}
static double seen(int taken, const struct tw_site *s, double flops)
{
    const int door = s->name / TW_NAMES;
    return door < DOORS ? (double)atomic_load(&shown[taken][door][class_of(flops)]) : 0;
}

static double cube_root(double x) /* to some digits */
{
    double r = 1;
    while (r * r * r < x)
        r *= 2;
    for (int i = 0; i < 8; i++)
        r = (2 * r + x / (r * r)) / 3;
    return r;
}

double tw_seconds_without(const struct tw_site *s, double flops)
{
    const struct tw_door *d = tw_door_of(s->name);
    const double rate = seen(0, s, flops);
    return flops / (rate > 0 ? rate : CORE * threads() * single(d) * real_share(d));
}
static double seconds_with(const struct tw_site *s, double work, double flops, double elements)
{
    const struct tw_door *d = tw_door_of(s->name);
    const double rate = seen(1, s, flops), order = cube_root(work);
    const double element = 8 / single(d) * (strchr("cz", d->name[0]) ? 2 : 1);

    if (rate > 0) return flops / rate;
    if (gpus() > 0 && is_svd(d)) {
        if (order < SVD_FROM) return INFINITY; /* not measured */
        return flops / (GPU * single(d) * SVD_GPU_SHARE) + SVD_GPU_COLUMN * order + elements * element / LINK + 1e-3;
    }
    if (gpus() > 0)
        return gains_on_gpus(d) ? flops / (GPU * single(d) * real_share(d)) + elements * element / LINK + 1e-3 : INFINITY;
    if (threads() < cores()) return INFINITY;
    if (is_fast(s)) return tw_seconds_without(s, flops) / faster_on_cores(d, order);
    return flops / (CORE / 2 * cores() * single(d) * real_share(d)) + 1e-3;
}

/* ---- decisions --------------------------------------------------------------------------------------------------------------- */

static int is_off(const struct tw_site *s)
{
    const int blas = tw_door_of(s->name)->blas;
    return tw_settings.taken == TW_NONE || tw_settings.taken == (blas ? TW_LAPACK : TW_BLAS);
}

int64_t tw_least_work(const struct tw_site *s)
{
    double order = gpus() > 0 ? LEAST_ON_GPU : LEAST_ON_CORES;

    if (!s->provider) return INT64_MIN;
    if (tw_settings.counts) return INT64_MIN; /* all are looked at */
    if (tw_settings.min >= 0) order = tw_settings.min;
    if (is_off(s)) return INT64_MAX;
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
    const double order = tw_settings.min >= 0 ? tw_settings.min : gpus() > 0 ? LEAST_ON_GPU : LEAST_ON_CORES;
    return work < order * order * order;
}

/* LAPACK's own bdsvdx takes the eigenvectors of stevx apart, of a matrix with zeros on its diagonal: the halves of a vector have to be as long as each other, which of close eigenvalues holds
 * only for the basis that LAPACK's stevx happens to find. */
static int takes_apart(const struct tw_site *s)
{
    Dl_info caller, real;
    return !s->of_program && !strcmp(tw_door_of(s->name)->name + 1, "stevx") && dladdr(s->caller, &caller) &&
           dladdr(s->real, &real) && caller.dli_fbase == real.dli_fbase;
}

enum tw_why tw_decide(const struct tw_site *s, double work, double flops, double elements)
{
    static _Atomic double missed; /* seconds that forwarded calls might have saved */
    double gain, sum;

    if (atomic_load(&tw_forked)) return TW_FORKED;
    if (!s->provider) return tw_engine_start() ? TW_TAKEN : TW_REFUSED;
    if (is_off(s) || takes_apart(s) || work == TW_SELECTING) return TW_OFF;
    if (work < 0) return TW_ILLEGAL;
    if (is_small(work)) return TW_SMALL;
    if (in_parallel()) return TW_PARALLEL;
    if (tw_settings.min >= 0) return tw_engine_start() ? TW_TAKEN : TW_REFUSED;
    gain = tw_seconds_without(s, flops) - seconds_with(s, work, flops, elements);
    if (!(gain > 0)) return TW_NO_GAIN;
    if (tw_engine_runs()) return TW_TAKEN;
    if (tw_settings.reproducible) return tw_engine_start() ? TW_TAKEN : TW_REFUSED;
    sum = atomic_load(&missed);
    while (!atomic_compare_exchange_weak(&missed, &sum, sum + gain)) {
    }
    if (sum + gain > (gpus() > 0 ? START_GPU : START_CORES)) tw_engine_start_later();
    return TW_STARTING;
}
