/* The machine profile's numbers: guessed, read, or measured at the start, and asked for ever after. */
#include "runtime/machine/machine_profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/file.h"
#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/variables.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/tuning.h"
#include <tilework/profile.h>

/* CPU orders avoid powers of two: columns 4 KiB apart share cache sets, which halves a gemm of order 512 (tiles are
 * padded against that in matrix.c). */
const int tw_profile_size_cpu[TW_PROFILE_SIZES] = {32, 72, 136, 264, 520};
const int tw_profile_size_cuda[TW_PROFILE_SIZES] = {256, 512, 1024, 2048, 4096};
const int tw_profile_stream_count[TW_PROFILE_STREAMS] = {1, 2, 4};
const char *const tw_rate_name[TW_NRATES] = {"gemm", "syrk", "trsm", "trmm", "potrf", "tri", "memory"};
const char *const tw_link_name[TW_NLINKS] = {"to_gpu", "from_gpu", "both_ways", "gpu_to_gpu", "host_memcpy"};
struct tw_profile tw_profile;

/* The probe's share of the 3 s that a first start may take; 0.3 s are left for links and launches. */
#define CPU_SECONDS  1.0
#define CUDA_SECONDS 1.5
#define SAMPLES      4

double tw_profile_flops(enum tw_rate rate, enum tw_type type, double n)
{
    double f = n * n * n;
    switch (rate) {
    case TW_RATE_GEMM: f *= 2; break;
    case TW_RATE_SYRK:
    case TW_RATE_TRSM:
    case TW_RATE_TRMM: break;
    case TW_RATE_POTRF:
    case TW_RATE_TRI: f /= 3; break;
    default: return 2 * n * n * (double)tw_sizeof(type); /* bytes: one read, one write */
    }
    return f * tw_flop_factor(type);
}

/* ---- guesses: shapes seen on the machines at hand, for what a probe does not measure ----------------------------- */

static double guess(int is_cuda, enum tw_rate rate, enum tw_type type, double n)
{
    static const double cpu_share[TW_NRATES] = {1, 0.9, 0.8, 0.75, 0.6, 0.4, 0};
    static const double cuda_share[TW_NRATES] = {1, 0.9, 0.4, 0.5, 0.12, 0.1, 0};
    double peak = is_cuda ? 55000 : 40, half_order = is_cuda ? 690 : 48;
    if (rate == TW_RATE_MEMORY) return is_cuda ? 2000 : 5;
    if (!is_cuda && tw_is_single(type)) peak *= 2;
    return peak * (is_cuda ? cuda_share : cpu_share)[rate] * n * n / (n * n + half_order * half_order);
}

/* Two and four streams of small kernels: about streams^0.7, until the GPU is full. */
static double guess_gain(enum tw_type type, int k, int streams)
{
    double one = guess(1, TW_RATE_GEMM, type, tw_profile_size_cuda[k]),
           peak = guess(1, TW_RATE_GEMM, type, tw_profile_size_cuda[TW_PROFILE_SIZES - 1]);
    return fmax(1, fmin(pow(streams, 0.7), peak / one));
}

static const double guessed_links[TW_NLINKS] = {50, 50, 80, 150, 8};

void tw_profile_guess(struct tw_profile *p)
{
    for (int t = 0; t < TW_NTYPES; t++)
        for (int k = 0; k < TW_PROFILE_SIZES; k++) {
            for (int r = 0; r < TW_NRATES; r++) {
                p->cpu.gflops[t][r][k] = guess(0, (enum tw_rate)r, (enum tw_type)t, tw_profile_size_cpu[k]);
                p->cuda.gflops[t][r][k] = guess(1, (enum tw_rate)r, (enum tw_type)t, tw_profile_size_cuda[k]);
            }
            for (int s = 0; s < TW_PROFILE_STREAMS; s++)
                p->gain[t][k][s] = guess_gain((enum tw_type)t, k, tw_profile_stream_count[s]);
        }
    memcpy(p->link, guessed_links, sizeof guessed_links);
    p->launch[0] = 1e-6;
    p->launch[1] = 8e-6;
    memset(p->factor, 0, sizeof p->factor);
    p->nplaces = 0;
    tw_place_complete(p);
    p->valid = 1;
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

/* Where size lies among the orders measured: between k and k + 1, *w of the way; below the first or above the last at
 * them. */
static int place(const int *sizes, double size, double *w)
{
    int k = 0;
    if (!(size > sizes[0])) return *w = 0, 0;
    if (size >= sizes[TW_PROFILE_SIZES - 1]) return *w = 1, TW_PROFILE_SIZES - 2;
    while (size > sizes[k + 1])
        k++;
    *w = log(size / sizes[k]) / log((double)sizes[k + 1] / sizes[k]);
    return k;
}

static enum tw_type rated(enum tw_type type)
{
    return tw_type_ok(type) ? type : type == TW_INT64 ? TW_DOUBLE : TW_FLOAT;
}

double tw_rate_of(const struct tw_profile *p, int is_cuda, enum tw_rate rate, enum tw_type type, double size)
{
    const int *sizes = is_cuda ? tw_profile_size_cuda : tw_profile_size_cpu;
    const double *g = (is_cuda ? &p->cuda : &p->cpu)->gflops[rated(type)][rate];
    double w;
    int k;

    if (!p->valid) return guess(is_cuda, rate, type, size);
    if (size < sizes[0] && rate != TW_RATE_MEMORY) /* rates fall linearly there: the time is that of overheads */
        return g[0] * (size > 1 ? size / sizes[0] : 1.0 / sizes[0]);
    k = place(sizes, size, &w);
    return g[k] * (1 - w) + g[k + 1] * w;
}

double tw_streams_of(const struct tw_profile *p, enum tw_type type, double size, double streams)
{
    double one = tw_rate_of(p, 1, TW_RATE_GEMM, type, size), w, low, high, x;
    int k = place(tw_profile_size_cuda, size, &w), s = 0;

    if (!p->valid || streams <= 1) return one;
    type = rated(type);
    while (s < TW_PROFILE_STREAMS - 2 && streams > tw_profile_stream_count[s + 1])
        s++;
    x = fmin(1,
             log2(streams / tw_profile_stream_count[s])); /* the counts double; beyond the last one nothing is gained */
    low = p->gain[type][k][s] * (1 - w) + p->gain[type][k + 1][s] * w;
    high = p->gain[type][k][s + 1] * (1 - w) + p->gain[type][k + 1][s + 1] * w;
    return one * (low * (1 - x) + high * x);
}

double tw_profile_rate(int is_cuda, enum tw_rate rate, enum tw_type type, double size)
{
    return tw_rate_of(&tw_profile, is_cuda, rate, type, size);
}
double tw_profile_streams(enum tw_type type, double size, double streams)
{
    return tw_streams_of(&tw_profile, type, size, streams);
}

double tw_profile_link(enum tw_link link)
{
    return tw_profile.valid ? tw_profile.link[link] : guessed_links[link];
}

double tw_profile_launch(int is_cuda)
{
    return tw_profile.valid ? tw_profile.launch[is_cuda != 0] : is_cuda ? 8e-6 : 1e-6;
}

/* ---- soundness --------------------------------------------------------------------------------------------------- */

static int within(double x, double low, double high)
{
    return x >= low && x <= high; /* false for NaN */
}

static int rates_plausible(const struct tw_rates *rates, double peak, double memory)
{
    for (int t = 0; t < TW_NTYPES; t++)
        for (int r = 0; r < TW_NRATES; r++)
            for (int k = 0; k < TW_PROFILE_SIZES; k++)
                if (!within(rates->gflops[t][r][k], 1e-4, r == TW_RATE_MEMORY ? memory : peak)) return 0;
    return 1;
}

/* Limits far above today's machines: one core 2 Tflop/s and 1 TB/s, one GPU 2 Pflop/s and 100 TB/s. */
int tw_profile_plausible(const struct tw_profile *p)
{
    if (!rates_plausible(&p->cpu, 2e3, 1e3) || !rates_plausible(&p->cuda, 2e6, 1e5)) return 0;
    for (int t = 0; t < TW_NTYPES; t++)
        for (int k = 0; k < TW_PROFILE_SIZES; k++)
            for (int s = 0; s < TW_PROFILE_STREAMS; s++)
                if (!within(p->gain[t][k][s], 0.5, 1.3 * tw_profile_stream_count[s])) return 0;
    for (int l = 0; l < TW_NLINKS; l++)
        if (!within(p->link[l], 1e-3, 1e4)) return 0;
    for (int d = 0; d < TW_PROFILE_GPUS; d++)
        for (int k = 0; k < TW_NFACTORS; k++)
            if (p->factor[d][k] != 0 && !tw_factor_plausible(p->factor[d][k])) return 0;
    for (int k = 0; k < p->nshares; k++)
        if (!tw_share_plausible(&p->shares[k])) return 0;
    for (int k = 0; k < p->nplaces; k++)
        if (!tw_place_plausible(&p->places[k])) return 0;
    return within(p->launch[0], 1e-8, 1e-2) && within(p->launch[1], 1e-8, 1e-2);
}

/* gemm is the fastest kernel, and rates grow with the order: a sample that says otherwise by far was disturbed. Memory
 * is left alone: small operands lie in the caches. */
static void tidy_rates(struct tw_rates *rates)
{
    for (int t = 0; t < TW_NTYPES; t++) {
        const double *gemm = rates->gflops[t][TW_RATE_GEMM];
        double peak = 0,
               next = 0; /* the highest rate may itself be the spoilt one: it is believed up to twice the next */
        for (int k = 0; k < TW_PROFILE_SIZES; k++)
            if (gemm[k] > peak)
                next = peak, peak = gemm[k];
            else
                next = fmax(next, gemm[k]);
        peak = fmin(peak, 2 * next);
        for (int r = 0; r < TW_RATE_MEMORY; r++)
            for (int k = 0; k < TW_PROFILE_SIZES; k++) {
                double *g = &rates->gflops[t][r][k];
                *g = fmin(*g, 1.15 * peak);
                if (k > 0) *g = fmax(*g, 0.75 * g[-1]);
            }
    }
}

void tw_profile_tidy(struct tw_profile *p)
{
    tidy_rates(&p->cpu);
    tidy_rates(&p->cuda);
    for (int t = 0; t < TW_NTYPES; t++)
        for (int k = 0; k < TW_PROFILE_SIZES; k++) {
            double *gain = p->gain[t][k];
            gain[0] = 1;
            for (int s = 1; s < TW_PROFILE_STREAMS; s++)
                gain[s] = fmax(0.8 * gain[s - 1], fmin(gain[s], tw_profile_stream_count[s]));
        }
    p->link[TW_LINK_BOTH_WAYS] =
        fmin(p->link[TW_LINK_BOTH_WAYS], 1.1 * (p->link[TW_LINK_TO_GPU] + p->link[TW_LINK_FROM_GPU]));
}

/* ---- at the start ------------------------------------------------------------------------------------------------ */

static void keep(void)
{
    tw_profile.kept = tw_profile_write(tw_profile.path, &tw_profile) == 0;
    if (!tw_profile.kept) tw_log(TW_LOG_INFO, "the machine profile is not kept: %s", tw_last_message());
    tw_clear_message();
}

static void measure(double cpu_seconds, double cuda_seconds, int samples)
{
    double begin = tw_now();

    tw_profile_guess(&tw_profile);
    tw_profile_measure(&tw_profile, cpu_seconds, cuda_seconds, samples);
    tw_profile_tidy(&tw_profile);
    if (!tw_profile_plausible(&tw_profile)) { /* a clock that does not go, say */
        tw_log(TW_LOG_WARNING, "the machine profile could not be measured: typical rates are used instead");
        tw_profile_guess(&tw_profile);
    }
    tw_profile.seconds = tw_now() - begin;
    tw_profile.written = (int64_t)time(NULL);
    tw_log(TW_LOG_INFO, "machine profile measured in %.2f s", tw_profile.seconds);
}

static int load(int last)
{
    const char *why;

    if (tw_variable_is_on(TW_TILEWORK_REPROBE)) return 0;
    tw_profile.kept = tw_profile_read(tw_profile.path, &tw_profile.key, &tw_profile, &why);
    if (!tw_profile.kept && last) /* what was damaged is worth a notice */
        tw_log(strncmp(why, "damaged", 7) ? TW_LOG_INFO : TW_LOG_WARNING, "%s: %s; measuring", tw_profile.path, why);
    return tw_profile.kept;
}

/* Processes that start together wait for the first one's file instead of disturbing its measurements. */
static int read_or_measure(void)
{
    char lock[600];
    int fd;

    memset(&tw_profile, 0, sizeof tw_profile);
    tw_profile_guess(&tw_profile);
    tw_key_make(&tw_profile.key);
    if (!tw_rt.config.cache_dir[0]) {
        measure(CPU_SECONDS, CUDA_SECONDS, SAMPLES);
        return 1;
    }
    snprintf(tw_profile.path, sizeof tw_profile.path, "%s/profile-%016llx.json", tw_rt.config.cache_dir,
             (unsigned long long)tw_key_hash(&tw_profile.key));
    if (load(0)) return 0;
    tw_make_directories(tw_rt.config.cache_dir);
    snprintf(lock, sizeof lock, "%s/profile.lock", tw_rt.config.cache_dir);
    fd = tw_lock_file(lock, 10);
    if (!load(1)) {
        measure(CPU_SECONDS, CUDA_SECONDS, SAMPLES);
        keep();
    }
    tw_unlock_file(fd);
    return 1;
}

int tw_profile_load(void)
{
    const int measured = read_or_measure();
    tw_gpu_factors_take(&tw_profile);
    return measured;
}

/* ---- the public door --------------------------------------------------------------------------------------------- */

int tw_calibrate(double seconds)
{
    TW_INSIDE int refused = tw_begin();
    int e;

    if (refused) return refused;
    if (!(seconds >= 1 && seconds <= 600)) return tw_illegal("tw_calibrate", 1, "expected 1 to 600 seconds");
    if (tw_awake())
        return tw_fail(TW_E_STATE,
                       "tw_calibrate: other work runs, which would spoil what is measured; let it finish first");
    tw_blas_single();
    if (tw_rt.ncuda > 0)
        measure(seconds * 0.4, seconds * 0.6, 1000000);
    else
        measure(seconds, 0, 1000000);
    tw_blas_restore();
    tw_gpu_factors_take(&tw_profile);
    tw_crossover_know();
    if (!tw_profile.path[0])
        return tw_fail(TW_E_IO, "there is no place to keep the profile: set TILEWORK_CACHE_DIR or HOME");
    tw_profile.kept = 0;
    if ((e = tw_profile_write(tw_profile.path, &tw_profile))) return e;
    tw_profile.kept = 1;
    return 0;
}

int tw_profile_facts_get(tw_profile_facts *f)
{
    int64_t age;

    if (!f) return tw_illegal("tw_profile_facts_get", 1, "NULL");
    memset(f, 0, sizeof *f);
    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    age = (int64_t)time(NULL) - tw_profile.written;
    f->path = tw_profile.path;
    f->kept = tw_profile.kept && access(tw_profile.path, R_OK) == 0;
    f->seconds = tw_profile.seconds;
    f->age = age > 0 ? (double)age : 0;
    f->nkeys = TW_KEY_FIELDS;
    for (int k = 0; k < TW_KEY_FIELDS; k++) {
        f->key[k] = tw_key_name[k];
        f->value[k] = tw_profile.key.value[k];
    }
    return 0;
}

struct list {
    tw_profile_entry *to;
    int max, count;
};
static void add(struct list *l, const char *device, const char *what, int type, int order, int streams, double value,
                const char *unit)
{
    if (l->count < l->max)
        l->to[l->count] =
            (tw_profile_entry){device, what, type < 0 ? 0 : tw_letter((enum tw_type)type), order, streams, value, unit};
    l->count++;
}

static void add_rates(struct list *l, int is_cuda)
{
    const int *sizes = is_cuda ? tw_profile_size_cuda : tw_profile_size_cpu;
    const struct tw_rates *rates = is_cuda ? &tw_profile.cuda : &tw_profile.cpu;
    for (int t = 0; t < TW_NTYPES; t++)
        for (int r = 0; r < TW_NRATES; r++)
            for (int k = 0; k < TW_PROFILE_SIZES; k++)
                add(l, is_cuda ? "cuda" : "cpu", tw_rate_name[r], t, sizes[k], 1, rates->gflops[t][r][k],
                    r == TW_RATE_MEMORY ? "GB/s" : "Gflop/s");
    add(l, is_cuda ? "cuda" : "cpu", "launch", -1, 0, 0, tw_profile_launch(is_cuda) * 1e6, "us");
}

/* What counts of unequal GPUs, measured or said. */
static void add_factors(struct list *l)
{
    static char name[TW_PROFILE_GPUS][16];
    static const enum tw_rate rate[TW_NFACTORS] = {TW_RATE_GEMM, TW_RATE_MEMORY};

    for (int g = 0; g < tw_gpus() && tw_gpus() > 1; g++) {
        const int device = tw_gpu_device(g);
        if (device < 0 || device >= TW_PROFILE_GPUS) continue;
        snprintf(name[device], sizeof name[device], "cuda %d", device);
        for (int k = 0; k < TW_NFACTORS; k++)
            add(l, name[device], tw_factor_name[k], -1, 0, 0, tw_gpu_factor(device, rate[k]),
                tw_rt.config.gpu_rates ? "of the first GPU (TILEWORK_GPU_RATES)" : "of the first GPU");
    }
}

static void add_shares(struct list *l)
{
    static const char *const unit[TW_NRATES] = {"of gemm",  "of syrk", "of trsm",  "of trmm",
                                                "of potrf", "of tri",  "of memory"};
    for (int k = 0; k < tw_profile.nshares; k++) {
        const struct tw_share_row *row = &tw_profile.shares[k];
        for (int d = 0; d < 2; d++)
            for (int c = 0; c < TW_SIZE_CLASSES; c++)
                if (row->share[d][c] > 0) {
                    add(l, d ? "cuda" : "cpu", row->symbol, -1, 1 << c, 1, row->share[d][c], unit[row->rate]);
                    if (l->count <= l->max) l->to[l->count - 1].type = row->symbol[3];
                }
    }
}

int tw_profile_entries(tw_profile_entry *entries, int max)
{
    struct list l = {entries, entries ? max : 0, 0};
    TW_INSIDE int refused = tw_begin();

    if (refused) return refused;
    add_rates(&l, 0);
    add(&l, "link", tw_link_name[TW_LINK_HOST], -1, 0, 0, tw_profile_link(TW_LINK_HOST), "GB/s");
    if (tw_rt.ncuda == 0) {
        add_shares(&l);
        return l.count;
    }
    add_rates(&l, 1);
    for (int t = 0; t < TW_NTYPES; t++)
        for (int k = 0; k < TW_PROFILE_SIZES; k++)
            for (int s = 1; s < TW_PROFILE_STREAMS; s++)
                add(&l, "cuda", "gemm", t, tw_profile_size_cuda[k], tw_profile_stream_count[s],
                    tw_profile_streams((enum tw_type)t, tw_profile_size_cuda[k], tw_profile_stream_count[s]),
                    "Gflop/s");
    add_factors(&l);
    for (int k = 0; k < TW_LINK_HOST; k++)
        if (k != TW_LINK_GPU_TO_GPU || tw_rt.ndevices > 1)
            add(&l, "link", tw_link_name[k], -1, 0, 0, tw_profile_link((enum tw_link)k), "GB/s");
    add_shares(&l);
    return l.count;
}
