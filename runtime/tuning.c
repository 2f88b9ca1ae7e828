/* Choosing the tile order, and when LAPACK alone is best. */
#include <math.h>
#include <stdlib.h>

#include "runtime/internal.h"

/* Predicted seconds of a Cholesky factorization with tiles of order nb: the larger of the work shared by the workers and the
 * critical path, plus what the tail of the one costs the other. Cholesky stands for its neighbours: the balance between few
 * efficient tiles and many parallel ones is the same. */
static double predict(enum tw_type type, double n, double nb)
{
    int cuda = tw_rt.ncuda > 0;
    double t = ceil(n / nb), f = tw_flop_factor(type), b3 = nb * nb * nb * f;
    double workers = cuda ? tw_rt.ndevices : tw_max(tw_rt.ncpu, 1), task = cuda ? 10e-6 : 4e-6;
    double gemm = 2 * b3 / (1e9 * tw_profile_rate(cuda, TW_RATE_GEMM, type, nb)) + task;
    double syrk = b3 / (1e9 * tw_profile_rate(cuda, TW_RATE_SYRK, type, nb)) + task;
    double trsm = b3 / (1e9 * tw_profile_rate(cuda, TW_RATE_TRSM, type, nb)) + task;
    double potrf = b3 / 3 / (1e9 * tw_profile_rate(cuda, TW_RATE_POTRF, type, nb)) + task;
    double work = t * potrf + t * (t - 1) / 2 * (trsm + syrk) + t * (t - 1) * (t - 2) / 6 * gemm;
    double path = t * potrf + (t - 1) * (trsm + syrk);
    double total = work / workers + path * (1 - 1 / workers);

    if (cuda) { /* streams of one GPU run panels beside updates, but the path stays; copies in and out at 40 GB/s overlap in part */
        double bytes = n * n / 2 * (double)tw_sizeof(type);
        total = fmax(work / workers * 1.02, path) + 0.5 * fmin(work / workers, path) + nb * nb * t * (double)tw_sizeof(type) / 4e10 + bytes / 2e11;
    }
    return total;
}

static tw_int best_nb(enum tw_type type, tw_int m, tw_int n)
{
    static const int cpu[] = {64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1024};
    static const int cuda[] = {128, 256, 512, 768, 1024, 1536, 2048, 3072, 4096};
    const int *c = tw_rt.ncuda > 0 ? cuda : cpu;
    int count = (int)(tw_rt.ncuda > 0 ? sizeof cuda / sizeof *cuda : sizeof cpu / sizeof *cpu);
    double order = (double)tw_max(m, n), best = -1;
    tw_int nb = c[0];

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
    const char *text = getenv("TILEWORK_CROSSOVER");
    (void)type;
    if (n > 46340) return 0; /* 32-bit LAPACK indexes up to n * n */
    if (text && *text) return n <= strtoll(text, NULL, 10);
    return n <= 512;
}
