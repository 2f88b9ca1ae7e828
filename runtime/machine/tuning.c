/* Choosing the tile order, and when LAPACK alone is best. */
#include <math.h>
#include <stdlib.h>

#include "runtime/base/error.h"
#include "runtime/base/variables.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/machine/tuning.h"

/* Seconds of one kernel that runs alone: what the critical path is made of. A CPU task costs about 6 us of runtime; on a GPU the next
 * task of a chain starts about 50 us after the last one's kernel has ended, since the host has to notice. */
static double alone(enum tw_rate rate, enum tw_type type, double flops, double nb)
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

/* Seconds of one kernel of `flops` at order nb, as it adds to the work of the machine. On a GPU several streams run side by side: what
 * cannot fill the GPU alone gains by that, up to what gemm was measured to reach. On a CPU a task finds about two of its tiles in
 * memory instead of the cache, where the profile's kernels ran. */
static double share_of(enum tw_rate rate, enum tw_type type, double flops, double nb)
{
    double r = 1e9 * tw_profile_rate(tw_rt.ncuda > 0, rate, type, nb), streams, full;

    if (tw_rt.ncuda == 0) return flops / r + 6e-6 + 2 * nb * nb * (double)tw_sizeof(type) / 8e9;
    streams = fmax(1, (double)tw_rt.ncuda / fmax(1, tw_rt.ndevices));
    full = 1e9 * tw_profile_streams(type, nb, (int)streams) *
           (type == TW_DOUBLE && nb == (double)one_wave() ? 0.93 : 0.86); /* of short runs' rate */
    return flops / fmin(full, rate == TW_RATE_GEMM ? full : r * streams);
}

/* Predicted seconds of a Cholesky factorization with tiles of order nb: the work shared by the workers (of a GPU: or the host's 22 us for
 * each of its tasks), plus the part of the critical path that nothing hides, plus (GPUs) the ways of about four tiles in and four out
 * that nothing hides. Cholesky stands for its neighbours: the balance between few efficient tiles and many parallel ones is the same. */
static double predict(enum tw_type type, double n, double nb)
{
    const int cuda = tw_rt.ncuda > 0;
    const double t = ceil(n / nb), b3 = nb * nb * nb * tw_flop_factor(type), tile = nb * nb * (double)tw_sizeof(type);
    const double units = cuda ? tw_max(tw_rt.ndevices, 1) : tw_max(tw_rt.ncpu, 1),
                 f = n / (t * nb); /* the last row is ragged */
    const enum tw_rate solve = tw_solve_by_inverse() ? TW_RATE_SYRK : TW_RATE_TRSM;
    double work = t * share_of(TW_RATE_POTRF, type, b3 / 3, nb) + t * (t - 1) / 2 * share_of(solve, type, b3, nb) +
                  t * (t - 1) / 2 * share_of(TW_RATE_SYRK, type, b3, nb) +
                  t * (t - 1) * (t - 2) / 6 * share_of(TW_RATE_GEMM, type, 2 * b3, nb);
    const double path = t * alone(TW_RATE_POTRF, type, b3 / 3, nb) +
                        (t - 1) * (alone(solve, type, b3, nb) + alone(TW_RATE_SYRK, type, b3, nb));

    /* On cores: whichever bound is larger, and a third of what keeps the others waiting meanwhile (two cores, n = 8192: 25 ms of idle
     * time for a path of 245). */
    if (!cuda) return fmax(work / units, path) + 0.3 * path * (1 - 1 / units);
    return fmax(work * f * f * f, t * (t + 1) * (t + 2) / 6 * 22e-6) / units + 0.75 * path +
           4 * tile * 1e-9 * (1 / tw_profile_link(TW_LINK_TO_GPU) + 1 / tw_profile_link(TW_LINK_FROM_GPU));
}

static tw_int best_nb(enum tw_type type, tw_int m, tw_int n)
{
    static const int cpu[] = {64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1056, 1184};
    const tw_int cuda[] = {128, 256,  384,        512,
                           768, 1024, one_wave(), 2048}; /* larger ones lose to the power limit, too */
    const int count = (int)(tw_rt.ncuda > 0 ? sizeof cuda / sizeof *cuda : sizeof cpu / sizeof *cpu);
    const double order = (double)tw_max(m, n);
    double best = -1;
    tw_int nb = 0;

    if (tw_rt.config.reproducible) /* the same cut whatever was measured and however many workers there are */
        return tw_rt.ncuda > 0 ? (order < 16384 ? 1024 : 2048) : order < 1024 ? 128 : order < 4096 ? 256 : 512;
    for (int k = 0; k < count; k++) {
        const tw_int candidate = tw_rt.ncuda > 0 ? cuda[k] : cpu[k];
        const double s = predict(type, order, (double)candidate);
        if (best < 0 || s < best) best = s, nb = candidate;
        if ((double)candidate >= order) break;
    }
    return nb;
}

tw_int tw_choose_nb(enum tw_type type, tw_int m, tw_int n, const char **source)
{
    if (tw_rt.config.nb > 0) {
        if (source) *source = tw_rt.config.nb_source;
        return tw_rt.config.nb;
    }
    if (source) *source = "profile";
    return best_nb(type, m, n);
}

/* Two cores, n = 4096, double: tiles of 1024 take 0.86 of the processor time that those of 512 take, which is what a factorization of that order wants. */
tw_int tw_choose_product_nb(enum tw_type type, tw_int m, tw_int n)
{
    static const tw_int orders[] = {1184, 1056, 768, 640, 512, 384};
    const tw_int nb = tw_choose_nb(type, m, n, NULL), tiles = 4 * tw_max(tw_rt.ncpu, 1), longer = tw_max(m, n);

    if (tw_rt.config.nb > 0 || tw_rt.config.reproducible || tw_rt.ncuda > 0) return nb;
    for (size_t k = 0; k < sizeof orders / sizeof *orders && orders[k] > nb; k++) {
        const tw_int pieces = (longer + orders[k] - 1) / orders[k], even = ((longer + pieces - 1) / pieces + 7) / 8 * 8;
        if (((m + even - 1) / even) * ((n + even - 1) / even) >= tiles) return tw_max(nb, even);
    }
    return nb;
}

/* Below this order LAPACK alone wins: there are too few tiles of a useful size to share. TILEWORK_CROSSOVER=n changes it (0:
 * always tiles). */
int tw_prefers_lapack(enum tw_type type, tw_int n)
{
    const char *text = tw_variable_text(TW_TILEWORK_CROSSOVER);
    (void)type;
    if (n > 46340) return 0; /* 32-bit LAPACK indexes up to n * n */
    if (tw_is_running() ? tw_reproducible() : tw_variable_is_on(TW_TILEWORK_REPRODUCIBLE))
        return 0; /* LAPACK's rounding changes with its threads */
    if (text) {   /* a wrong value is refused when the library starts, and does nothing here */
        char *end;
        long long order = strtoll(text, &end, 10);
        if (*end == 0) return n <= order;
    }
    return n <= 512;
}

int tw_solve_by_inverse(void)
{
    return tw_rt.config.trsm == TW_TRSM_AUTO ? tw_rt.ncuda > 0 : tw_rt.config.trsm == TW_TRSM_INVERSE;
}
