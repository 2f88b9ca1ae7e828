/* Choosing the tile order, and when LAPACK alone is best. */
#include <math.h>
#include <stdlib.h>

#include "runtime/internal.h"

/* Seconds of one kernel that runs alone: what the critical path is made of. */
static double alone(enum tw_rate rate, enum tw_type type, double flops, double nb)
{
    return flops / (1e9 * tw_profile_rate(tw_rt.ncuda > 0, rate, type, nb)) + 6e-6;
}

/* Seconds of one kernel of `flops` at order nb, as it adds to the work of the machine. On a GPU several streams run side by side: a
 * kernel that cannot fill the GPU alone gains by that (about streams^0.7 until the GPU is full), and so do launch times. On a CPU
 * a task finds about two of its tiles in memory instead of the cache, where the profile's kernels ran. */
static double share_of(enum tw_rate rate, enum tw_type type, double flops, double nb)
{
    double r = 1e9 * tw_profile_rate(tw_rt.ncuda > 0, rate, type, nb), peak, streams;

    if (tw_rt.ncuda == 0) return flops / r + 6e-6 + 2 * nb * nb * (double)tw_sizeof(type) / 8e9;
    streams = fmax(1, (double)tw_rt.ncuda / fmax(1, tw_rt.ndevices));
    peak = 0.92e9 * tw_profile_rate(1, TW_RATE_GEMM, type, 4096);
    return flops / fmin(peak, r * pow(streams, 0.7)) + 20e-6 / streams;
}

/* Predicted seconds of a Cholesky factorization with tiles of order nb: the work shared by the workers, plus the part of the critical
 * path that nothing hides, plus (GPUs) the first copies in and the last ones out. Cholesky stands for its neighbours: the balance
 * between few efficient tiles and many parallel ones is the same. */
static double predict(enum tw_type type, double n, double nb)
{
    int cuda = tw_rt.ncuda > 0;
    double t = ceil(n / nb), b3 = nb * nb * nb * tw_flop_factor(type);
    double units = cuda ? tw_max(tw_rt.ndevices, 1) : tw_max(tw_rt.ncpu, 1);
    double work = t * share_of(TW_RATE_POTRF, type, b3 / 3, nb) +
                  t * (t - 1) / 2 * share_of(TW_RATE_TRSM, type, b3, nb) +
                  t * (t - 1) / 2 * share_of(TW_RATE_SYRK, type, b3, nb) +
                  t * (t - 1) * (t - 2) / 6 * share_of(TW_RATE_GEMM, type, 2 * b3, nb);
    double path = t * alone(TW_RATE_POTRF, type, b3 / 3, nb) +
                  (t - 1) * (alone(TW_RATE_TRSM, type, b3, nb) + alone(TW_RATE_SYRK, type, b3, nb));
    double bytes = cuda ? t * nb * nb * (double)tw_sizeof(type) : 0;

    return work / units + path * (cuda ? 0.75 : 1 - 1 / units) + bytes / 4e10;
}

static tw_int best_nb(enum tw_type type, tw_int m, tw_int n)
{
    static const int cpu[] = {64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1024};
    static const int cuda[] = {128, 256, 512, 768, 1024, 1536, 2048, 3072, 4096};
    const int *c = tw_rt.ncuda > 0 ? cuda : cpu;
    int count = (int)(tw_rt.ncuda > 0 ? sizeof cuda / sizeof *cuda : sizeof cpu / sizeof *cpu);
    double order = (double)tw_max(m, n), best = -1;
    tw_int nb = c[0];

    if (tw_rt.config.reproducible) /* the same cut whatever was measured and however many workers there are */
        return tw_rt.ncuda > 0 ? (order < 16384 ? 1024 : 2048) : order < 1024 ? 128 : order < 4096 ? 256 : 512;
    for (int k = 0; k < count; k++) {
        double s = predict(type, order, c[k]);
        if (best < 0 || s < best) best = s, nb = c[k];
        if (c[k] >= order) break;
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

/* Below this order LAPACK alone wins: there are too few tiles of a useful size to share. TILEWORK_CROSSOVER=n changes it (0:
 * always tiles). */
int tw_prefers_lapack(enum tw_type type, tw_int n)
{
    const char *text = getenv("TILEWORK_CROSSOVER"), *same = getenv("TILEWORK_REPRODUCIBLE");
    (void)type;
    if (n > 46340) return 0; /* 32-bit LAPACK indexes up to n * n */
    if (tw_is_running() ? tw_reproducible() : same && *same == '1')
        return 0;        /* LAPACK's rounding changes with its threads */
    if (text && *text) { /* a wrong value is refused when the library starts, and does nothing here */
        char *end;
        long long order = strtoll(text, &end, 10);
        if (*end == 0) return n <= order;
    }
    return n <= 512;
}
