/* Seconds of a call by Tilework and by the real routine: what calls of this program have shown, else by the machine
 * profile's rates, else by constants. docs/dropin.md tells the same. */
#define _GNU_SOURCE /* strcasestr */
#include <limits.h>
#include <math.h> /* INFINITY; libm itself is not linked */
#include <stdlib.h>
#include <string.h>

#include "dropin/machine.h"

/* Rates without a profile, in flops a second: of a core with the real routine, of a GPU, and bytes a second to it and
 * back from memory that is not pinned. */
static const double CORE = 50e9, GPU = 15e12, LINK = 8e9;

static double smaller(double a, double b)
{
    return a < b ? a : b;
}
static double larger(double a, double b)
{
    return a > b ? a : b;
}
static int is_one_of(const char *routine, const char *const *list)
{
    while (*list && strcmp(routine, *list))
        list++;
    return *list != NULL;
}
static double single(const struct tw_door *d)
{
    return strchr("sc", d->name[0]) ? 2 : 1;
}
static int type_of(const struct tw_door *d)
{
    static const char letters[] = "sdcz";
    const char *at = strchr(letters, d->name[0]);
    return at && *at ? (int)(at - letters) : 1;
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

/* ---- kinds of routines ------------------------------------------------------------------------------------------- */

/* Routines that tiles make faster on cores than an OpenBLAS on the same cores, and from which order on: measured on two
 * (docs/performance.md). All others are as fast there. */
static double faster_on_cores(const struct tw_door *d, double order)
{
    static const struct {
        const char *routine;
        double times, from;
    } list[] = {
        {"geqrf", 1.15, 4000}, {"syevr", 1.4, 2000}, {"heevr", 1.4, 2000}, {"syevx", 1.4, 2000}, {"heevx", 1.4, 2000}};

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

/* Routines whose work is products on GPUs; others are one core's, or go over a matrix once. With the share of the
 * profile's rate that they come near on an H200 where the matrix is large, and what each column costs besides: panels,
 * which wait for each other (docs/performance.md). */
struct on_gpu {
    const char *const *routines;
    double share, column;
};
static const char *const factored[] = {"potrf", "posv", "potri", "lauum", "trtri", NULL};
static const char *const pivoted[] = {"getrf", "gesv", "getri", NULL};
static const char *const reflected[] = {"geqrf", "gelqf", "gels", NULL};
static const char *const applied[] = {"potrs", "trtrs", "getrs", "ormqr", "unmqr", "ormlq",
                                      "unmlq", "orgqr", "ungqr", "orglq", "unglq", NULL};
static const char *const eigen[] = {"syevd", "heevd", "syev",  "heev", "syevr", "heevr", "syevx", "heevx", "sygst",
                                    "hegst", "sygvd", "hegvd", "sygv", "hegv",  "sygvx", "hegvx", NULL};
static const char *const singular[] = {"gesdd", "gesvd", "gelsd", "gelss", NULL};
static const struct on_gpu kinds[] = {{factored, 0.8, 1e-6}, {pivoted, 0.8, 3.5e-6}, {reflected, 0.8, 2.5e-6},
                                      {applied, 0.6, 1e-6},  {eigen, 0.1, 3e-5},     {singular, 0.05, 3e-5}};
static const struct on_gpu products = {NULL, 0.9, 0};

static const struct on_gpu *on_gpu(const struct tw_door *d)
{
    if (d->blas) return &products;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is_one_of(d->name + 1, kinds[i].routines)) return &kinds[i];
    return NULL;
}
/* Singular values without a profile: a share of a GPU's rate and seconds a column, from which both the measured times
 * of gesdd with vectors come, 2048 to 16384 columns (docs/performance.md); the real routines' share, too, is far from
 * the others'. */
static const double SVD_GPU_SHARE = 0.19, SVD_GPU_COLUMN = 3e-5, SVD_REAL_SHARE = 0.03, SVD_FROM = 2048;

/* How far the real routine stays below the rate of a product. */
static double real_share(const struct tw_door *d)
{
    static const struct {
        const char *routine;
        double share;
    } list[] = {{"potrf", 0.8}, {"potri", 0.6}, {"posv", 0.8}, {"getrf", 0.7},
                {"gesv", 0.7},  {"geqrf", 0.4}, {"gels", 0.4}};

    if (d->blas) return 1;
    if (is_one_of(d->name + 1, singular)) return SVD_REAL_SHARE;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!strcmp(d->name + 1, list[i].routine)) return list[i].share;
    return 0.3;
}

/* ---- what calls have shown --------------------------------------------------------------------------------------- */

/* The best rates of a door's calls, by whether they were taken and whether vectors were wanted, in classes of a factor
 * of eight of flops. */
enum { CLASSES = 12, DOORS = 1024 };
static _Atomic float shown[2][2][DOORS][CLASSES];
static int class_of(double flops)
{
    int c = 0;
    for (double f = flops / 0x1p30; f >= 1 && c < CLASSES - 1; f /= 8)
        c++;
    return c;
}
void tw_learn(const struct tw_site *s, int taken, int vectors, double flops, double seconds)
{
    const int door = s->name / TW_NAMES;
    const float rate = (float)(flops / seconds);
    _Atomic float *best;

    if (door >= DOORS || flops < 0x1p26 || seconds <= 0 || tw_settings.reproducible) return;
    best = &shown[taken][vectors][door][class_of(flops)];
    if (rate > atomic_load(best)) atomic_store(best, rate); /* of two at once either will do */
}
double tw_seen(int taken, const struct tw_site *s, int vectors, double flops)
{
    const int door = s->name / TW_NAMES;
    return door < DOORS ? (double)atomic_load(&shown[taken][vectors][door][class_of(flops)]) : 0;
}

/* ---- predictions ------------------------------------------------------------------------------------------------- */

/* Of one core: the profile's is of a core whose neighbours are idle, and all together reach some nine tenths of it. */
static double core_rate(const struct tw_door *d, const struct tw_here_rates *rates)
{
    return rates ? 0.9 * rates->core[type_of(d)] : CORE * single(d);
}
/* The profile counts cores without their second threads, which add nothing. */
static int cores_of(int n, const struct tw_here_rates *rates)
{
    return rates && rates->cores > 0 && rates->cores < n ? rates->cores : n;
}

/* One GPU with several streams of tiles, of which a matrix has several in each direction. */
static double gpu_rate(const struct tw_door *d, double order, const struct tw_here_rates *rates)
{
    const double tile = order / 6;
    const int type = type_of(d);
    double rate = 0;
    int k = 0;
    double w;

    if (!rates) return GPU * single(d);
    while (k < 2 && tile > tw_here_orders[k + 1]) /* tiles are not larger than 2048 */
        k++;
    w = larger(0, smaller(1, (tile - tw_here_orders[k]) / tw_here_orders[k]));
    for (int i = 0; i < 2; i++) {
        const double *gain = rates->streams[type][k + i];
        rate += (i ? w : 1 - w) * rates->gpu[type][k + i] * larger(1, larger(gain[0], gain[1]));
    }
    return rate;
}
/* Tiles are packed by several cores, some of which drive the GPU; small arrays go through the driver's own buffer. */
static double seconds_of_transfers(double bytes, const struct tw_here_rates *rates)
{
    const double link = smaller(rates->to_gpu, rates->from_gpu);
    const int copying = rates->cores > 5 ? rates->cores - 4 : 1;

    return bytes / (bytes < 16e6 ? smaller(link, rates->copy) : smaller(link, rates->copy * copying));
}
static double on_gpus(const struct tw_door *d, double order, double flops, double bytes)
{
    const struct tw_here_rates *rates = tw_here_profile();
    const struct on_gpu *kind = on_gpu(d);
    double computing, travelling;

    if (!kind) return INFINITY;
    if (kind->routines == singular && order < SVD_FROM) return INFINITY; /* not measured */
    if (!rates && kind->routines == singular)
        return flops / (GPU * single(d) * SVD_GPU_SHARE) + SVD_GPU_COLUMN * order + bytes / LINK + 1e-3;
    if (!rates) return flops / (GPU * single(d) * real_share(d)) + bytes / LINK + 1e-3;
    computing = flops / (kind->share * gpu_rate(d, order, rates)) + kind->column * order;
    travelling = seconds_of_transfers(bytes, rates);
    /* While tiles travel others are computed with, but for the first and the last ones. */
    return larger(computing, travelling) + 0.5 * smaller(computing, travelling) + 1e-3;
}

double tw_core_rate(const struct tw_door *d)
{
    return core_rate(d, tw_here_profile());
}
int tw_cores_of_real(void)
{
    return cores_of(tw_here_threads(), tw_here_profile());
}
void tw_predict(const struct tw_site *s, double work, double flops, double elements, int vectors,
                struct tw_prediction *p)
{
    const struct tw_door *d = tw_door_of(s->name);
    const struct tw_here_rates *rates = tw_here_profile();
    const double rate = tw_seen(1, s, vectors, flops), real = tw_seen(0, s, vectors, flops), order = cube_root(work);
    const double element = 8 / single(d) * (strchr("cz", d->name[0]) ? 2 : 1);

    p->without = flops / (real > 0 ? real : core_rate(d, rates) * cores_of(tw_here_threads(), rates) * real_share(d));
    if (rate > 0)
        p->with = flops / rate;
    else if (tw_here_gpus() > 0)
        p->with = on_gpus(d, order, flops, elements * element);
    else if (tw_here_threads() < tw_here_cores())
        p->with = INFINITY;
    else if (is_fast(s))
        p->with = p->without / faster_on_cores(d, order);
    else /* without a profile half of the rate: its kernels may be slower than the guess */
        p->with =
            flops / (core_rate(d, rates) * (rates ? 0.8 : 0.5) * cores_of(tw_here_cores(), rates) * real_share(d)) +
            1e-3;
}
