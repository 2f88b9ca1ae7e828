/* Choosing the tile order, and when LAPACK alone is best. */
#include <stdlib.h>

#include "runtime/base/error.h"
#include "runtime/base/variables.h"
#include "runtime/base/state.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/tuning.h"

/* Products on several GPUs: of fewer and larger tiles where each GPU has so many of the result's all the same. Four
 * H200s, gemm 65536, TF at nb 1408 / 2048: 194.5 / 199.4; their tasks are one host's work. */
static tw_int fewer(const struct tw_sizes *s, tw_int nb, tw_int each)
{
    enum { LARGE = 2048 };
    const tw_int tiles = (s->m / LARGE) * (s->n / LARGE);

    return nb < LARGE && tiles >= each * tw_max(tw_rt.ndevices, 1) ? LARGE : nb;
}

/* Two cores, n = 4096, double: tiles of 1024 take 0.86 of the processor time that those of 512 take, which is what a
 * factorization of that order wants; those of 2048 run at 0.97 of what OpenBLAS' own product does (1024: 0.93), but one
 * too many of such is half a product of time for which the other cores wait. */
static tw_int larger(const struct tw_sizes *s, tw_int nb)
{
    static const tw_int orders[] = {2048, 1184, 1056, 768, 640, 512, 384};
    const tw_int cores = tw_max(tw_rt.ncpu, 1), longer = tw_max(s->m, s->n);

    if (tw_rt.config.reproducible || longer == 0) return nb;
    if (tw_rt.ncuda > 0) return tw_rt.ndevices >= 3 ? fewer(s, nb, 64) : nb;
    for (size_t k = 0; k < sizeof orders / sizeof *orders && orders[k] > nb; k++) {
        const tw_int pieces = (longer + orders[k] - 1) / orders[k], even = ((longer + pieces - 1) / pieces + 7) / 8 * 8,
                     tiles = ((s->m + even - 1) / even) * ((s->n + even - 1) / even),
                     each = orders[k] < 2048     ? 4
                            : tiles % cores == 0 ? 2
                                                 : 8;
        if (tiles >= each * cores) return tw_max(nb, even);
    }
    return nb;
}

/* Solves with a triangle, whose diagonal tiles are far from gemm's rate on a GPU. One H200, double, host to host, n =
 * 32768, TF at nb 1024 / 1408 / 2048: 44.0 / 46.2 / 49.0. */
static tw_int larger_triangles(const struct tw_sizes *s, tw_int nb)
{
    return tw_rt.config.reproducible || tw_rt.ncuda == 0 ? larger(s, nb) : fewer(s, nb, 200);
}

/* LU and QR on GPUs: what a panel's columns take, one after another, is the longest way. One H200, double, host to
 * host, TF at nb 512 / 768 / 1024 / 1408: getrf 8192: 8.3 / 8.6 / 8.4 / –, 16384: – / 22.7 / 23.6 / –; geqrf 8192: 12.4
 * / 13.5 / 13.2 / –, 16384: – / 32.5 / 32.3 / 31.2, 32768: – / – / 43 / 44. */
static tw_int narrower(const struct tw_sizes *s, tw_int nb)
{
    const tw_int least = tw_min(s->m, s->n);

    if (tw_rt.config.reproducible || tw_rt.ncuda == 0) return nb;
    const struct tw_workers w = tw_workers_now();
    return least >= 24576 ? tw_one_wave(&w) : least >= 12288 ? 1024 : least >= 2048 ? 768 : least >= 1024 ? 512 : 256;
}

/* QR with column exchanges, whose panels are read once for each column, on a GPU. One H200, double, host to host,
 * seconds at nb 256 / 512 / 768 / 1024: 4096: 0.194 / 0.170 / 0.182 / –, 16384: – / 3.75 / – / 3.94. */
static tw_int exchanging(const struct tw_sizes *s, tw_int nb)
{
    return tw_rt.config.reproducible || tw_rt.ncuda == 0 ? nb : tw_min(narrower(s, nb), 512);
}

/* Pivots by a sketch: what is eliminated of it stands between panels and grows with their columns. Two cores of an EPYC
 * with AVX-512, order 4096, seconds at nb 128 / 192 / 256 / 384 / 512: 1.00 / 0.88 / 0.87 / 0.98 / 1.07. */
static tw_int sketched(const struct tw_sizes *s, tw_int nb)
{
    return tw_rt.config.reproducible || tw_rt.ncuda > 0 ? narrower(s, nb) : tw_min(nb, 256);
}

/* Where nobody predicts it: below this order there are too few tiles of a useful size to share. */
#define CROSSOVER 512
static struct tw_crossovers of_factorizations, of_products, of_lu, of_qr;
#define AS_PRODUCTS                                                                                                    \
    .by_tiles = tw_predict_product, .lapack = tw_lapack_product, .flops = 6, .crossovers = &of_products,               \
    .crossover = CROSSOVER
const struct tw_tuning tw_tuning_factorization = {.seconds = tw_predict_cholesky,
                                                  .lapack = tw_lapack_cholesky,
                                                  .flops = 1,
                                                  .crossovers = &of_factorizations,
                                                  .crossover = CROSSOVER},
                       tw_tuning_product = {.nb = larger, AS_PRODUCTS},
                       tw_tuning_solve = {.nb = larger_triangles, AS_PRODUCTS},
                       tw_tuning_lu = {.seconds = tw_predict_lu,
                                       .nb = narrower,
                                       .lapack = tw_lapack_lu,
                                       .flops = 2,
                                       .crossovers = &of_lu,
                                       .crossover = CROSSOVER},
                       tw_tuning_qr = {.seconds = tw_predict_qr,
                                       .nb = narrower,
                                       .lapack = tw_lapack_qr,
                                       .flops = 4,
                                       .crossovers = &of_qr,
                                       .crossover = CROSSOVER},
                       tw_tuning_panels = {.nb = narrower, .crossover = CROSSOVER},
                       tw_tuning_exchanges = {.nb = exchanging, .crossover = CROSSOVER},
                       tw_tuning_sketched = {.nb = sketched, .crossover = CROSSOVER};

tw_int tw_best_nb(const struct tw_workers *w, const struct tw_sizes *s, tw_predict_fn predict, double *least)
{
    static const int cpu[] = {64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1056, 1184};
    const tw_int cuda[] = {128, 256, 384, 512, 768, 1024, tw_one_wave(w),
                           2048}; /* larger ones lose to the power limit, too */
    const int count = (int)(w->gpus > 0 ? sizeof cuda / sizeof *cuda : sizeof cpu / sizeof *cpu);
    const double order = (double)tw_max(s->m, s->n);
    double best = -1;
    tw_int nb = 0;

    for (int k = 0; k < count; k++) {
        const tw_int candidate = w->gpus > 0 ? cuda[k] : cpu[k];
        const double seconds = predict(w, s, (double)candidate);
        if (best < 0 || seconds < best) best = seconds, nb = candidate;
        if ((double)candidate >= order) break;
    }
    if (least) *least = best;
    return nb;
}

static tw_int best_nb(const struct tw_tuning *t, const struct tw_sizes *s)
{
    const double order = (double)tw_max(s->m, s->n);
    const struct tw_workers w = tw_workers_now();

    if (tw_rt.config.reproducible) /* the same cut whatever was measured and however many workers there are */
        return tw_rt.ncuda > 0 ? (order < 16384 ? 1024 : 2048) : order < 1024 ? 128 : order < 4096 ? 256 : 512;
    return tw_best_nb(&w, s, t && t->seconds ? t->seconds : tw_predict_cholesky, NULL);
}

/* Thin problems have tiles as long as make them worth a task each, or 10^8 rows of 8 columns would be a million. */
static tw_int longer(const struct tw_sizes *s, tw_int nb)
{
    enum { ELEMENTS = 512 * 512 };
    const tw_int second = tw_second_size(s->m, s->n, s->k), longest = tw_max(tw_max(s->m, s->n), s->k);

    return second > 0 && second < TW_THIN ? tw_max(nb, tw_min(ELEMENTS / second, longest)) : nb;
}

tw_int tw_choose_nb(const struct tw_tuning *t, const struct tw_sizes *s, const char **source)
{
    tw_int nb;

    if (source)
        *source = tw_rt.config.nb > 0 ? tw_rt.config.nb_source : tw_rt.config.reproducible ? "reproducible" : "profile";
    if (tw_rt.config.nb > 0) return tw_rt.config.nb;
    nb = best_nb(t, s);
    if (t && t->nb) nb = t->nb(s, nb);
    if (t) nb = longer(s, nb); /* else it is no routine's, and may be a right-hand side, in tiles as its matrix' */
    return nb;
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
    tw_int found;

    if (source) *source = "reproducible";
    if (tw_wants_reproducible()) return 0; /* LAPACK's rounding changes with its threads */
    if (text) {                            /* a wrong value is refused when the library starts, and does nothing here */
        char *end;
        long long order = strtoll(text, &end, 10);
        if (source) *source = "TILEWORK_CROSSOVER";
        if (*end == 0) return order;
    }
    if (source) *source = "profile";
    if (t && t->lapack && (found = tw_crossover_predicted(t, type)) > 0) return found;
    if (source) *source = "default";
    return t && t->crossover ? t->crossover : CROSSOVER;
}

/* The smallest orders need no look at the profile: at none of them tiles gain, whatever it says. */
int tw_prefers_lapack(const struct tw_tuning *t, enum tw_type type, tw_int order)
{
    if (order > 46340) return 0; /* 32-bit LAPACK indexes up to n * n */
    if (order <= TW_CROSSOVER_LEAST && !tw_variable_text(TW_TILEWORK_CROSSOVER) && t && t->lapack)
        return !tw_wants_reproducible();
    return order <= tw_crossover(t, type, NULL);
}

int tw_solve_by_inverse(void)
{
    return tw_rt.config.trsm == TW_TRSM_AUTO ? tw_rt.ncuda > 0 : tw_rt.config.trsm == TW_TRSM_INVERSE;
}
