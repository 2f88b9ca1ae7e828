/* Where a transform runs: on the CPUs or on GPUs, by estimates of its time; and into how many parts it is cut there. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "algorithms/fft/fft_plan.h"
#include "runtime/base/variables.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/place.h"

/* Measured on 13 and 61 workers of a Xeon beside an H200, double precision; EPYCs are up to twice as fast. */
static const struct tw_place_row usual = {.name = "fft",
                                          .cpu_start = 5e-4,
                                          .cpu_object = 4e-6,
                                          .cpu_gflops = 13, /* in its caches */
                                          .cpu_memory = 80,
                                          .gpu_start = 1.5e-4,
                                          .gpu_memory = 4000,
                                          .pinning = 7e-11,
                                          .pageable = 8,
                                          .several = 0.65,
                                          .both_start = 5e-4,
                                          .both_slower = 1.45,
                                          .both_pays = 0.97};
__attribute__((constructor)) static void known(void)
{
    tw_place_register(&usual);
}

/* How often both arrays pass through memory: rows once if they fit a core's caches; tasks of columns gather lines from
 * everywhere. */
static double passes(const struct tw_fft *p, int rows)
{
    const size_t row = (p->in_bytes + p->out_bytes) / (size_t)p->transforms;

    if (!rows) return 3.7;
    return row <= (size_t)512 << 10 ? 1 : row <= (size_t)2 << 20 ? 2 : 3.5;
}

static double cpu_seconds(const struct tw_fft *p)
{
    const int rows = tw_fft_is_batch(p) && !p->each;
    const double parts = tw_fft_parts(p->reproducible), each = fmin(parts * parts, (double)p->points / 1024);
    int ncuda, cores = tw_worker_count(&ncuda) - ncuda;

    return tw_place_seconds(tw_place_row(&usual), 0,
                            &(struct tw_place_work){.type = tw_fft_single(p) ? TW_FLOAT : TW_DOUBLE,
                                                    .units = cores > 0 ? cores : 1,
                                                    .flops = p->flops,
                                                    .objects = rows ? 0 : each * (double)p->transforms,
                                                    .bytes = passes(p, rows) * (double)(p->in_bytes + p->out_bytes)});
}

#define PIN_FROM ((size_t)32 << 20) /* small arrays travel as they are (runtime/data/pin.c) */

/* Every output needs every input, unless there are many transforms: then the two directions overlap. A GPU's own work
 * is passes through its memory. */
static double gpu_seconds(const struct tw_fft *p, int gpus, int pinned)
{
    const struct tw_place_row *row = tw_place_row(&usual);
    const double in = (double)p->in_bytes, out = (double)p->out_bytes;
    const struct tw_place_way way = {.to = in,
                                     .from = out,
                                     .gpus = gpus,
                                     .overlaps = tw_fft_is_batch(p),
                                     .pinned = pinned,
                                     .never = p->in_bytes < PIN_FROM || p->out_bytes < PIN_FROM};

    return tw_place_seconds(
        row, 1,
        &(struct tw_place_work){
            .type = TW_DOUBLE, .units = gpus, .bytes = 4 * (in + out), .seconds = tw_place_travel(row, &way)});
}

/* StarPU cuts blocks of up to 4 MiB from pieces of 32 MiB, and keeps four that are empty: beside these GPUs have so
 * many bytes for larger blocks. (A task that waits for memory which is never there waits for ever.) */
#define PIECES ((size_t)5 << 25)
static size_t usable(void)
{
    const size_t memory = tw_gpu_memory();
    return memory == 0 ? SIZE_MAX : memory > PIECES ? memory - PIECES : 0;
}

enum wish { WISH_AUTO, WISH_CPU, WISH_GPU, WISH_BOTH }; /* TILEWORK_FFT_PLACE's words */
static enum wish wished(void)
{
    int wish = WISH_AUTO;
    (void)tw_variable_word(TW_TILEWORK_FFT_PLACE, &wish); /* the plan has refused others */
    return (enum wish)wish;
}

struct tw_fft_speeds tw_fft_starts(const struct tw_fft *p)
{
    const double start = tw_place_row(&usual)->both_start;
    int ncuda, cores = tw_worker_count(&ncuda) - ncuda;

    return (struct tw_fft_speeds){
        .cpu_start = start, .cpu_at_once = p->each && cores > 0 ? 1 : cores, .gpu_start = start};
}

/* A batch in both places at once: by the estimates, or by what it took before. Shared by measured speeds, it would not
 * be computed in the same way everywhere. */
static tw_int shared(struct tw_fft *p, double on_cpu, double on_gpu, int pinned, enum wish wish, double *seconds)
{
    const struct tw_place_row *row = tw_place_row(&usual);
    const int forced = wish == WISH_BOTH;
    struct tw_fft_speeds s = tw_fft_starts(p);
    tw_int rows;

    *seconds = 0;
    if (!tw_fft_is_batch(p) || s.cpu_at_once < 1 || (p->reproducible && !forced)) return 0;
    s.cpu_each = row->both_slower * (on_cpu - row->cpu_start) * (double)s.cpu_at_once / (double)p->nrows;
    s.gpu_each = row->both_slower * (on_gpu - row->gpu_start) / (double)p->nrows;
    starpu_pthread_mutex_lock(&p->lock);
    if (p->shared.pinned != pinned) p->shared = (struct tw_fft_shared){.pinned = pinned};
    if (p->shared.cpu_each > 0) s.cpu_each = p->shared.cpu_each, s.gpu_each = p->shared.gpu_each;
    starpu_pthread_mutex_unlock(&p->lock);
    rows = tw_fft_cpu_share(&s, p->nrows, seconds);
    return forced || (wish == WISH_AUTO && tw_place_choose(row, on_cpu, on_gpu, *seconds) == TW_PLACE_BOTH) ? rows : 0;
}

int tw_fft_gpus(struct tw_fft *p, const void *in, const void *out, tw_int *cpu_rows)
{
    int gpus = tw_gpus(), g, pinned;
    double on_cpu, on_gpu, on_both;
    const enum wish wish = wished();

    *cpu_rows = 0;
    if (gpus == 0 || usable() < PIECES) return 0;
    pinned = tw_fft_where(in, &g) != TW_FFT_PAGEABLE && tw_fft_where(out, &g) != TW_FFT_PAGEABLE;
    on_cpu = cpu_seconds(p);
    on_gpu = gpu_seconds(p, gpus, pinned);
    *cpu_rows = shared(p, on_cpu, on_gpu, pinned, wish, &on_both);
    starpu_pthread_mutex_lock(&p->lock);
    p->cpu_seconds = on_cpu;
    p->gpu_seconds = on_gpu;
    p->both_seconds = on_both;
    starpu_pthread_mutex_unlock(&p->lock);
    return *cpu_rows || wish == WISH_GPU ||
                   (wish != WISH_CPU && tw_place_choose(tw_place_row(&usual), on_cpu, on_gpu, 0) == TW_PLACE_GPU)
               ? gpus
               : 0;
}

static int pageable(const char *array, size_t bytes)
{
    int g;
    return tw_fft_where(array, &g) == TW_FFT_PAGEABLE && tw_fft_where(array + bytes - 1, &g) == TW_FFT_PAGEABLE;
}

int tw_fft_pin(const void *in, size_t in_bytes, const void *out, size_t out_bytes, struct tw_pinned pinned[2])
{
    const char *a = in, *b = out, *first = a < b ? a : b, *end = a < b ? b + out_bytes : a + in_bytes;
    const size_t gap = (size_t)(a < b ? b - a - (ptrdiff_t)in_bytes : a - b - (ptrdiff_t)out_bytes);

    if (a == b) return tw_pin(a, tw_max(in_bytes, out_bytes), &pinned[0]);
    /* two halves of one array, say: they share a page */
    if (gap < 8192 && pageable(a, in_bytes) && pageable(b, out_bytes))
        return tw_pin(first, (size_t)(end - first), &pinned[0]);
    return tw_pin(a, in_bytes, &pinned[0]) || tw_pin(b, out_bytes, &pinned[1]) ? -1 : 0;
}

tw_int tw_fft_gpu_parts(size_t bytes, size_t line, int gpus)
{
    const double memory = fmax(1, (double)usable());
    tw_int parts = (tw_int)(bytes >> 25), most = gpus > 1 ? 8 * gpus : 16;

    if (line == 0)
        most = 64; /* nothing is cut: any number serves, and both ends of the pipeline are idle for a part's time */
    if (line > 0) most = tw_min(most, tw_max(4, (tw_int)(line >> 16)));
    parts = tw_max(2 * gpus, tw_min(parts, most));
    /* a task's operands and workspace, and what the tasks before and after it have there */
    parts = tw_max(parts, (tw_int)(12.0 * (double)bytes / memory) + 1);
    return tw_fft_ceil(parts, gpus) * gpus;
}

int tw_fft_fits(size_t bytes, int gpus)
{
    return (double)bytes / gpus < 0.8 * (double)usable();
}
