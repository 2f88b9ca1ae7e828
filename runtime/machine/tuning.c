/* Choosing the tile order, and when LAPACK alone is best. */
#include <math.h>
#include <stdlib.h>

#include "runtime/base/error.h"
#include "runtime/base/variables.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/machine/tuning.h"

/* A CPU task costs about 6 us of runtime; on a GPU the next task of a chain starts about 50 us after the last one's kernel has ended, since the
 * host has to notice. */
double tw_seconds_alone(enum tw_rate rate, enum tw_type type, double flops, double nb)
{
    return flops / (1e9 * tw_profile_rate(tw_rt.ncuda > 0, rate, type, nb)) + (tw_rt.ncuda > 0 ? 50e-6 : 6e-6);
}

/* The largest multiple of 128 whose square is covered by one wave of 128 x 128 blocks (1408 on 132 multiprocessors): kernels of such
 * blocks move the least data per flop, and once power is the limit that decides. Measured on an H200, gemms of random data for 0.25 s:
 * 56 to 57 TF at 1408, 53 to 55 at 2048, 51 at 1024. cuBLAS has other kernels for the other types. */
static tw_int one_wave(void)
{
    const int processors = tw_gpu_processors();
    return processors > 0 ? 128 * (tw_int)sqrt(processors) : 1024;
}

/* On a GPU several streams run side by side: what cannot fill the GPU alone gains by that, up to what gemm was measured to reach. On a CPU a
 * task finds about two of its tiles in memory instead of the cache, where the profile's kernels ran. */
double tw_seconds_shared(enum tw_rate rate, enum tw_type type, double flops, double nb)
{
    double r = 1e9 * tw_profile_rate(tw_rt.ncuda > 0, rate, type, nb), streams, full;

    if (tw_rt.ncuda == 0) return flops / r + 6e-6 + 2 * nb * nb * (double)tw_sizeof(type) / 8e9;
    streams = fmax(1, (double)tw_rt.ncuda / fmax(1, tw_rt.ndevices));
    full = 1e9 * tw_profile_streams(type, nb, (int)streams) *
           (type == TW_DOUBLE && nb == (double)one_wave() ? 0.93 : 0.86); /* of short runs' rate */
    return flops / fmin(full, rate == TW_RATE_GEMM ? full : r * streams);
}

/* GPUs: or the host's 22 us for each of their tasks, and the ways of about four tiles in and four out that nothing hides. On cores: whichever
 * bound is larger, and a third of what keeps the others waiting meanwhile (two cores, n = 8192: 25 ms of idle time for a path of 245). */
double tw_seconds_together(enum tw_type type, double nb, double work, double path, double tasks)
{
    const double units = tw_rt.ncuda > 0 ? tw_max(tw_rt.ndevices, 1) : tw_max(tw_rt.ncpu, 1),
                 tile = nb * nb * (double)tw_sizeof(type);

    if (tw_rt.ncuda == 0) return fmax(work / units, path) + 0.3 * path * (1 - 1 / units);
    return fmax(work, tasks * 22e-6) / units + 0.75 * path +
           4 * tile * 1e-9 * (1 / tw_profile_link(TW_LINK_TO_GPU) + 1 / tw_profile_link(TW_LINK_FROM_GPU));
}

/* A Cholesky factorization, which stands for its neighbours: the balance between few efficient tiles and many parallel ones is the same. */
static double cholesky(const struct tw_sizes *s, double nb)
{
    const enum tw_type type = s->type;
    const double n = (double)tw_max(s->m, s->n), t = ceil(n / nb), b3 = nb * nb * nb * tw_flop_factor(type),
                 full = tw_rt.ncuda > 0 ? n / (t * nb) : 1; /* the last row is ragged */
    const enum tw_rate solve = tw_solve_by_inverse() ? TW_RATE_SYRK : TW_RATE_TRSM;
    const double work = t * tw_seconds_shared(TW_RATE_POTRF, type, b3 / 3, nb) +
                        t * (t - 1) / 2 * tw_seconds_shared(solve, type, b3, nb) +
                        t * (t - 1) / 2 * tw_seconds_shared(TW_RATE_SYRK, type, b3, nb) +
                        t * (t - 1) * (t - 2) / 6 * tw_seconds_shared(TW_RATE_GEMM, type, 2 * b3, nb),
                 path =
                     t * tw_seconds_alone(TW_RATE_POTRF, type, b3 / 3, nb) +
                     (t - 1) * (tw_seconds_alone(solve, type, b3, nb) + tw_seconds_alone(TW_RATE_SYRK, type, b3, nb));

    return tw_seconds_together(type, nb, work * full * full * full, path, t * (t + 1) * (t + 2) / 6);
}

/* Two cores, n = 4096, double: tiles of 1024 take 0.86 of the processor time that those of 512 take, which is what a factorization of that order
 * wants. */
static tw_int larger(const struct tw_sizes *s, tw_int nb)
{
    static const tw_int orders[] = {1184, 1056, 768, 640, 512, 384};
    const tw_int tiles = 4 * tw_max(tw_rt.ncpu, 1), longer = tw_max(s->m, s->n);

    if (tw_rt.config.reproducible || tw_rt.ncuda > 0 || longer == 0) return nb;
    for (size_t k = 0; k < sizeof orders / sizeof *orders && orders[k] > nb; k++) {
        const tw_int pieces = (longer + orders[k] - 1) / orders[k], even = ((longer + pieces - 1) / pieces + 7) / 8 * 8;
        if (((s->m + even - 1) / even) * ((s->n + even - 1) / even) >= tiles) return tw_max(nb, even);
    }
    return nb;
}

/* LU and QR on GPUs: what a panel's columns take, one after another, is the longest way. One H200, double, host to host, TF at nb 512 / 768 / 1024 / 1408: getrf 8192:
 * 8.3 / 8.6 / 8.4 / –, 16384: – / 22.7 / 23.6 / –; geqrf 8192: 12.4 / 13.5 / 13.2 / –, 16384: – / 32.5 / 32.3 / 31.2, 32768: – / – / 43 / 44. */
static tw_int narrower(const struct tw_sizes *s, tw_int nb)
{
    const tw_int least = tw_min(s->m, s->n);

    if (tw_rt.config.reproducible || tw_rt.ncuda == 0) return nb;
    return least >= 24576 ? one_wave() : least >= 12288 ? 1024 : least >= 2048 ? 768 : least >= 1024 ? 512 : 256;
}

/* Below this order LAPACK alone wins: there are too few tiles of a useful size to share. */
#define CROSSOVER 512
const struct tw_tuning tw_tuning_factorization = {.seconds = cholesky, .crossover = CROSSOVER},
                       tw_tuning_product = {.nb = larger, .crossover = CROSSOVER},
                       tw_tuning_panels = {.nb = narrower, .crossover = CROSSOVER};

static tw_int best_nb(const struct tw_tuning *t, const struct tw_sizes *s)
{
    static const int cpu[] = {64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1056, 1184};
    const tw_int cuda[] = {128, 256,  384,        512,
                           768, 1024, one_wave(), 2048}; /* larger ones lose to the power limit, too */
    const int count = (int)(tw_rt.ncuda > 0 ? sizeof cuda / sizeof *cuda : sizeof cpu / sizeof *cpu);
    const double order = (double)tw_max(s->m, s->n);
    double best = -1;
    tw_int nb = 0;

    if (tw_rt.config.reproducible) /* the same cut whatever was measured and however many workers there are */
        return tw_rt.ncuda > 0 ? (order < 16384 ? 1024 : 2048) : order < 1024 ? 128 : order < 4096 ? 256 : 512;
    for (int k = 0; k < count; k++) {
        const tw_int candidate = tw_rt.ncuda > 0 ? cuda[k] : cpu[k];
        const double seconds = (t && t->seconds ? t->seconds : cholesky)(s, (double)candidate);
        if (best < 0 || seconds < best) best = seconds, nb = candidate;
        if ((double)candidate >= order) break;
    }
    return nb;
}

tw_int tw_choose_nb(const struct tw_tuning *t, const struct tw_sizes *s, const char **source)
{
    tw_int nb;

    if (source)
        *source = tw_rt.config.nb > 0 ? tw_rt.config.nb_source : tw_rt.config.reproducible ? "reproducible" : "profile";
    if (tw_rt.config.nb > 0) return tw_rt.config.nb;
    nb = best_nb(t, s);
    return t && t->nb ? t->nb(s, nb) : nb;
}

tw_int tw_choose_nb_over_array(const struct tw_tuning *t, const struct tw_sizes *s)
{
    struct tw_tuning first = t ? *t : (struct tw_tuning){0};

    if (first.not_over_arrays) first.nb = NULL;
    return tw_choose_nb(&first, s, NULL);
}

tw_int tw_choose_inner(const struct tw_tuning *t, enum tw_type type, tw_int nb)
{
    return t && t->inner ? t->inner(type, nb) : 0;
}

int tw_wants_reproducible(void)
{
    return tw_is_running() ? tw_reproducible() : tw_variable_is_on(TW_TILEWORK_REPRODUCIBLE);
}

/* TILEWORK_CROSSOVER=n changes it (0: always tiles). */
tw_int tw_crossover(const struct tw_tuning *t, enum tw_type type, const char **source)
{
    const char *text = tw_variable_text(TW_TILEWORK_CROSSOVER);
    (void)type;
    if (source) *source = "reproducible";
    if (tw_wants_reproducible()) return 0; /* LAPACK's rounding changes with its threads */
    if (text) {                            /* a wrong value is refused when the library starts, and does nothing here */
        char *end;
        long long order = strtoll(text, &end, 10);
        if (source) *source = "TILEWORK_CROSSOVER";
        if (*end == 0) return order;
    }
    if (source) *source = "default";
    return t && t->crossover ? t->crossover : CROSSOVER;
}

int tw_prefers_lapack(const struct tw_tuning *t, enum tw_type type, tw_int order)
{
    return order <= 46340 && order <= tw_crossover(t, type, NULL); /* 32-bit LAPACK indexes up to n * n */
}

int tw_solve_by_inverse(void)
{
    return tw_rt.config.trsm == TW_TRSM_AUTO ? tw_rt.ncuda > 0 : tw_rt.config.trsm == TW_TRSM_INVERSE;
}
