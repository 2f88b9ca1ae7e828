/* Predicted seconds of routines, by tiles and by LAPACK itself, from the rates of a machine profile: what nb and the
 * order up to which LAPACK alone is taken are chosen by. */
#include <math.h>

#include "runtime/base/state.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/machine/tuning.h"

struct tw_workers tw_workers_now(void)
{
    const int gpus = tw_rt.ncuda > 0;

    return (struct tw_workers){.profile = &tw_profile,
                               .cores = (int)tw_max(tw_rt.ncpu, 1),
                               .gpus = gpus ? (int)tw_max(tw_rt.ndevices, 1) : 0,
                               .streams = tw_rt.ncuda,
                               .units = tw_gpu_units(TW_FACTOR_PRODUCTS),
                               .processors = gpus ? tw_gpu_processors() : 0,
                               .by_inverse = tw_solve_by_inverse()};
}

/* The largest multiple of 128 whose square is covered by one wave of 128 x 128 blocks (1408 on 132 multiprocessors):
 * kernels of such blocks move the least data per flop, and once power is the limit that decides. Measured on an H200,
 * gemms of random data for 0.25 s: 56 to 57 TF at 1408, 53 to 55 at 2048, 51 at 1024. cuBLAS has other kernels for the
 * other types. */
tw_int tw_one_wave(const struct tw_workers *w)
{
    return w->processors > 0 ? 128 * (tw_int)sqrt(w->processors) : 1024;
}

/* ---- one task ---------------------------------------------------------------------------------------------------- */

/* A CPU task costs about 6 us of runtime, or what an empty one was measured to cost; on a GPU the next task of a chain
 * starts about 50 us after the last one's kernel has ended, since the host has to notice. */
static double task(const struct tw_workers *w)
{
    return w->gpus > 0 ? 50e-6 : fmax(6e-6, w->profile->valid ? w->profile->launch[0] : 0);
}
double tw_seconds_alone(const struct tw_workers *w, enum tw_rate rate, enum tw_type type, double flops, double nb)
{
    return flops / (1e9 * tw_rate_of(w->profile, w->gpus > 0, rate, type, nb)) + task(w);
}

/* On a GPU several streams run side by side: what cannot fill the GPU alone gains by that, up to what gemm was measured
 * to reach. On a CPU a task finds about two of its tiles in memory instead of the cache, where the profile's kernels
 * ran. */
double tw_seconds_shared(const struct tw_workers *w, enum tw_rate rate, enum tw_type type, double flops, double nb)
{
    double r = 1e9 * tw_rate_of(w->profile, w->gpus > 0, rate, type, nb), streams, full;

    if (w->gpus == 0) return flops / r + task(w) + 2 * nb * nb * (double)tw_sizeof(type) / 8e9;
    streams = fmax(1, (double)w->streams / w->gpus);
    full = 1e9 * tw_streams_of(w->profile, type, nb, (int)streams) *
           (type == TW_DOUBLE && nb == (double)tw_one_wave(w) ? 0.93 : 0.86); /* of short runs' rate */
    return flops / fmin(full, rate == TW_RATE_GEMM ? full : r * streams);
}

/* GPUs: or the host's 22 us for each of their tasks, and the ways of about four tiles in and four out that nothing
 * hides. On cores: whichever bound is larger, and a third of what keeps the others waiting meanwhile (two cores, n =
 * 8192: 25 ms of idle time for a path of 245). */
double tw_seconds_together(const struct tw_workers *w, enum tw_type type, double nb, double work, double path,
                           double tasks)
{
    const double units = w->gpus == 0   ? w->cores
                         : w->units > 0 ? w->units
                                        : w->gpus,
                 tile = nb * nb * (double)tw_sizeof(type);

    if (w->gpus == 0) return fmax(work / units, path) + 0.3 * path * (1 - 1 / units);
    return fmax(work / units, tasks * 22e-6 / w->gpus) + 0.75 * path +
           4 * tile * 1e-9 * (1 / w->profile->link[TW_LINK_TO_GPU] + 1 / w->profile->link[TW_LINK_FROM_GPU]);
}

/* ---- by tiles ---------------------------------------------------------------------------------------------------- */

/* A Cholesky factorization, which stands for its neighbours: the balance between few efficient tiles and many parallel
 * ones is the same. */
double tw_predict_cholesky(const struct tw_workers *w, const struct tw_sizes *s, double nb)
{
    const enum tw_type type = s->type;
    const double n = (double)tw_max(s->m, s->n), t = ceil(n / nb), b3 = nb * nb * nb * tw_flop_factor(type),
                 full = w->gpus > 0 ? n / (t * nb) : 1; /* the last row is ragged */
    const enum tw_rate solve = w->by_inverse ? TW_RATE_SYRK : TW_RATE_TRSM;
    const double work = t * tw_seconds_shared(w, TW_RATE_POTRF, type, b3 / 3, nb) +
                        t * (t - 1) / 2 * tw_seconds_shared(w, solve, type, b3, nb) +
                        t * (t - 1) / 2 * tw_seconds_shared(w, TW_RATE_SYRK, type, b3, nb) +
                        t * (t - 1) * (t - 2) / 6 * tw_seconds_shared(w, TW_RATE_GEMM, type, 2 * b3, nb),
                 path = t * tw_seconds_alone(w, TW_RATE_POTRF, type, b3 / 3, nb) +
                        (t - 1) * (tw_seconds_alone(w, solve, type, b3, nb) +
                                   tw_seconds_alone(w, TW_RATE_SYRK, type, b3, nb));

    return tw_seconds_together(w, type, nb, work * full * full * full, path, t * (t + 1) * (t + 2) / 6);
}

/* A factorization by panels of block columns: what happens in one step of it. */
struct step {
    double rows;         /* of the panel */
    double columns;      /* that it has */
    double right, below; /* block columns right of it; tiles in each that its update touches */
    enum tw_type type;
};
struct panels {
    double (*panel)(const struct step *s); /* flops of the panel's column steps */
    int recursive;     /* halves of a panel are put together by products; else all is at the rate of a Cholesky tile */
    double column;     /* seconds of one column on a GPU, where they come one after another */
    int chain;         /* an update begins with a sum over its tiles, one after another */
    double small;      /* flops over nb^3 of what an update does once in a block column: a solve, a product with T */
    enum tw_rate rate; /* of these */
    double products;   /* gemms for each tile of an update */
    double moved;      /* rows that are read and written in each block column, of nb elements: exchanges */
};

/* Seconds of one flop of a panel on cores or a GPU: if it is recursive half of them are in products of half its width,
 * a quarter in those of a quarter, and so on. */
static double panel_flop(const struct tw_workers *w, enum tw_type type, double width, int recursive)
{
    double seconds = 0, share = 1;

    for (; recursive && width > 16; width /= 2, share /= 2)
        seconds += share / 2 / tw_rate_of(w->profile, w->gpus > 0, TW_RATE_GEMM, type, width / 2);
    return 1e-9 * (seconds + share / tw_rate_of(w->profile, w->gpus > 0, TW_RATE_POTRF, type, width));
}

static double predict_panels(const struct tw_workers *w, const struct tw_sizes *s, double nb, const struct panels *p)
{
    const enum tw_type type = s->type;
    const double m = (double)s->m, n = (double)s->n, least = fmin(m, n), size = (double)tw_sizeof(type),
                 width = fmin(nb, fmax(least, 1)), f = tw_flop_factor(type), b3 = width * width * width * f,
                 moved = p->moved * width * width * size, one = tw_seconds_alone(w, TW_RATE_GEMM, type, 2 * b3, nb),
                 rest = tw_seconds_alone(w, p->rate, type, p->small * b3, nb) +
                        (moved > 0 ? tw_seconds_alone(w, TW_RATE_MEMORY, type, moved, nb) : 0),
                 shared = tw_seconds_shared(w, TW_RATE_GEMM, type, 2 * b3, nb),
                 shared_rest = tw_seconds_shared(w, p->rate, type, p->small * b3, nb) +
                               (moved > 0 ? tw_seconds_shared(w, TW_RATE_MEMORY, type, moved, nb) : 0),
                 each_flop = panel_flop(w, type, width, p->recursive),
                 begin = tw_seconds_alone(w, TW_RATE_POTRF, type, 0, nb);
    double work = 0, path = 0, tasks = 0;

    /* Of more than 4096 steps each that is looked at stands for those behind it. */
    const double steps = ceil(least / nb), stride = fmax(1, ceil(steps / 4096));

    for (double k = 0; k < steps; k += stride) {
        const double done = k * nb, columns = fmin(nb, least - done), times = fmin(stride, steps - k);
        const struct step step = {m - done, columns, ceil((n - done - columns) / nb), ceil((m - done) / nb), type};
        const double flops = p->panel(&step),
                     panel = begin + (w->gpus > 0 ? fmax(flops * each_flop, columns * p->column) : flops * each_flop);
        work += times * (panel + step.right * (shared_rest + p->products * step.below * shared));
        path += times * panel;
        if (step.right > 0) path += times * (rest + (p->chain ? step.below + 1 : 1) * one);
        tasks += times * (1 + step.right * (2 + p->products * step.below));
    }
    return tw_seconds_together(w, type, nb, work, path, tasks);
}

static double lu_panel(const struct step *s)
{
    const double m = s->rows, n = fmin(s->columns, s->rows);
    return tw_flop_factor(s->type) * (m * n * n - n * n * n / 3);
}
static double qr_panel(const struct step *s)
{
    const double m = s->rows, n = fmin(s->columns, s->rows);
    return tw_flop_factor(s->type) * (2 * m * n * n - 2 * n * n * n / 3 + m * n * n); /* and T */
}
/* The tile of an update that lies in the panel's own block row is solved, the others are products. */
double tw_predict_lu(const struct tw_workers *w, const struct tw_sizes *s, double nb)
{
    return predict_panels(w, s, nb,
                          &(struct panels){.panel = lu_panel,
                                           .recursive = 1,
                                           .column = 3.5e-6,
                                           .small = 1,
                                           .rate = TW_RATE_TRSM,
                                           .products = 1,
                                           .moved = 2});
}
/* V^H C, T of that, C less V times that. */
double tw_predict_qr(const struct tw_workers *w, const struct tw_sizes *s, double nb)
{
    return predict_panels(
        w, s, nb,
        &(struct panels){
            .panel = qr_panel, .column = 4.8e-6, .chain = 1, .small = 2, .rate = TW_RATE_GEMM, .products = 2});
}

/* Each tile of the result is a chain of products. */
double tw_predict_product(const struct tw_workers *w, const struct tw_sizes *s, double nb)
{
    const enum tw_type type = s->type;
    const double results = ceil((double)s->m / nb) * ceil((double)s->n / nb), chain = ceil((double)s->k / nb),
                 b = fmin(nb, (double)tw_max(1, tw_max(s->m, s->n))),
                 flops = 2 * b * b * fmin(b, (double)tw_max(1, s->k)) * tw_flop_factor(type),
                 rounds = ceil(results / (w->gpus > 0 ? w->gpus : w->cores)) * (w->gpus > 0 ? w->gpus : w->cores);

    return tw_seconds_together(w, type, nb, rounds * chain * tw_seconds_shared(w, TW_RATE_GEMM, type, flops, b),
                               w->gpus > 0 ? chain * tw_seconds_alone(w, TW_RATE_GEMM, type, flops, b) : 0,
                               results * chain);
}

/* ---- by LAPACK itself, on cores ---------------------------------------------------------------------------------- */

/* Threads share what is not one core's, but for a part that falls with the order n: OpenBLAS' dpotrf with two threads
 * (0.3.21, a Xeon) came to 64, 110, 150 and 158 Gflop/s at n = 1024, 2048, 4096 and 8192, where one core's gemm has 97:
 * as if updates of the first 500 columns were not shared. Of one thread and all the better. */
#define FACTORIZATION 500
#define PRODUCT       20
static double by_threads(double alone, double shared, double n, double late, int threads)
{
    return alone + (threads > 1 ? shared * fmin(1, 1.0 / threads + late / n) : shared);
}

static double flops_over(const struct tw_workers *w, enum tw_rate rate, enum tw_type type, double flops, double size)
{
    return flops * tw_flop_factor(type) / (1e9 * tw_rate_of(w->profile, 0, rate, type, size));
}

/* Up to the largest order that was measured the profile has its rate; beyond, blocks of that order. */
double tw_lapack_cholesky(const struct tw_workers *w, const struct tw_sizes *s, int threads)
{
    const double n = (double)tw_max(1, tw_max(s->m, s->n)), block = fmin(n, tw_profile_size_cpu[TW_PROFILE_SIZES - 1]),
                 diagonal = n * block * block / 3, solves = block * n * (n - block) / 2;

    return by_threads(0,
                      flops_over(w, TW_RATE_POTRF, s->type, diagonal, block) +
                          flops_over(w, TW_RATE_TRSM, s->type, solves, block) +
                          flops_over(w, TW_RATE_SYRK, s->type, n * n * n / 3 - diagonal - solves, block),
                      n, FACTORIZATION, threads);
}

/* Panels are one core's, of 64 columns where LU is recursive, of LAPACK's own 32 in QR; updates are products with so
 * many inner columns. */
static double lapack_panels(const struct tw_workers *w, const struct tw_sizes *s, double width,
                            double (*panel)(const struct step *s), double flops, int threads)
{
    const double m = (double)s->m, n = (double)s->n, least = fmin(m, n);
    double panels = 0;

    for (double done = 0; done < least; done += width)
        panels += panel(&(struct step){m - done, fmin(width, least - done), 0, 0, TW_DOUBLE});
    return by_threads(flops_over(w, TW_RATE_POTRF, s->type, panels, width),
                      flops_over(w, TW_RATE_GEMM, s->type, fmax(0, flops - panels), 2 * width), fmax(1, least),
                      FACTORIZATION, threads);
}
double tw_lapack_lu(const struct tw_workers *w, const struct tw_sizes *s, int threads)
{
    const double most = (double)tw_max(s->m, s->n), least = (double)tw_min(s->m, s->n);
    return lapack_panels(w, s, 64, lu_panel, most * least * least - least * least * least / 3, threads);
}
double tw_lapack_qr(const struct tw_workers *w, const struct tw_sizes *s, int threads)
{
    const double most = (double)tw_max(s->m, s->n), least = (double)tw_min(s->m, s->n);
    return lapack_panels(w, s, 32, qr_panel, 2 * most * least * least - 2 * least * least * least / 3, threads);
}

double tw_lapack_product(const struct tw_workers *w, const struct tw_sizes *s, int threads)
{
    const double flops = 2 * (double)s->m * (double)s->n * (double)tw_max(1, s->k);
    const tw_int order = tw_min(s->m, tw_min(s->n, tw_max(1, s->k)));
    return by_threads(0, flops_over(w, TW_RATE_GEMM, s->type, flops, (double)order), (double)tw_max(1, order), PRODUCT,
                      threads);
}
