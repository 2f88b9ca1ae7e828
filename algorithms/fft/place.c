/* Where a transform runs: on the CPUs or on GPUs, by two estimates of its time; and into how many parts it is cut there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "algorithms/fft/fft.h"

/* One core's rate in cache, Gflop/s, and what large transforms keep of it: the rest goes by memory. Measured on several Xeons and EPYCs:
 * 4 to 8 Gflop/s (AVX2, AVX-512), in single precision twice that. */
#define CORE_GFLOPS 5.0
#define START_CPU 1e-4 /* seconds for a graph of tasks */
#define START_GPU 6e-4

static double cpu_seconds(const struct tw_fft *p)
{
    int ncuda, cores = tw_worker_count(&ncuda) - ncuda;
    double rate = 1e9 * CORE_GFLOPS * (tw_fft_single(p) ? 2 : 1) * fmax(1, cores), copy = tw_host_copy_speed() * cores;

    /* two stages read and write everything */
    return START_CPU + p->flops / rate + (copy > 0 ? 2.0 * (double)(p->in_bytes + p->out_bytes) / copy : 0);
}

/* Seconds per byte that pinning takes; small arrays travel as they are, at some 8 GB/s (runtime/pin.c). */
#define PINNING 7e-11
#define PIN_FROM ((size_t)32 << 20)
#define PAGEABLE 8e9

/* Every output needs every input, unless there are many transforms: then the two directions overlap. */
static double gpu_seconds(const struct tw_fft *p, int gpus, int pinned)
{
    double link = tw_link_speed(), in = (double)p->in_bytes, out = (double)p->out_bytes, moved;

    if (!(link > 0)) return INFINITY;
    if (!pinned && (p->in_bytes < PIN_FROM || p->out_bytes < PIN_FROM)) link = fmin(link, PAGEABLE), pinned = 1;
    moved = p->method == TW_FFT_BY_SLABS && p->rows.whole ? fmax(in, out) : in + out;
    return START_GPU + moved / (link * gpus) + (in + out) * 4 / (4e12 * gpus) +
           (pinned ? 0 : PINNING * (in + out));
}

static const char *forced(void)
{
    const char *text = getenv("TILEWORK_FFT_PLACE");
    return text && *text ? text : "auto";
}

int tw_fft_place_check(void)
{
    const char *text = forced();

    if (!strcmp(text, "auto") || !strcmp(text, "cpu") || !strcmp(text, "gpu")) return 0;
    return tw_fail(TW_E_OPTION, "TILEWORK_FFT_PLACE=%.40s: expected auto, cpu or gpu", text);
}

int tw_fft_gpus(struct tw_fft *p, const void *in, const void *out)
{
    int gpus = tw_gpus(), g, pinned;
    double on_cpu, on_gpu;
    const char *wish = forced();

    if (gpus == 0) return 0;
    pinned = tw_fft_where(in, &g) != TW_FFT_PAGEABLE && tw_fft_where(out, &g) != TW_FFT_PAGEABLE;
    on_cpu = cpu_seconds(p);
    on_gpu = gpu_seconds(p, gpus, pinned);
    pthread_mutex_lock(&p->lock);
    p->cpu_seconds = on_cpu;
    p->gpu_seconds = on_gpu;
    pthread_mutex_unlock(&p->lock);
    return !strcmp(wish, "gpu") || (strcmp(wish, "cpu") != 0 && on_gpu < on_cpu) ? gpus : 0;
}

static int pageable(const char *array, size_t bytes)
{
    int g;
    return tw_fft_where(array, &g) == TW_FFT_PAGEABLE && tw_fft_where(array + bytes - 1, &g) == TW_FFT_PAGEABLE;
}

int tw_fft_pin(const struct tw_fft *p, const void *in, const void *out, struct tw_pinned pinned[2])
{
    const char *a = in, *b = out, *first = a < b ? a : b, *end = a < b ? b + p->out_bytes : a + p->in_bytes;
    const size_t gap = (size_t)(a < b ? b - a - (ptrdiff_t)p->in_bytes : a - b - (ptrdiff_t)p->out_bytes);

    if (a == b) return tw_pin(a, tw_max(p->in_bytes, p->out_bytes), &pinned[0]);
    /* two halves of one array, say: they share a page */
    if (gap < 8192 && pageable(a, p->in_bytes) && pageable(b, p->out_bytes))
        return tw_pin(first, (size_t)(end - first), &pinned[0]);
    return tw_pin(a, p->in_bytes, &pinned[0]) || tw_pin(b, p->out_bytes, &pinned[1]) ? -1 : 0;
}

tw_int tw_fft_gpu_parts(size_t bytes, size_t line, int gpus)
{
    const size_t memory = tw_gpu_memory();
    tw_int parts = (tw_int)(bytes >> 25), most = gpus > 1 ? 8 * gpus : 16;

    if (line == 0) most = 64; /* nothing is cut: any number serves, and both ends of the pipeline are idle for a part's time */
    if (line > 0) most = tw_min(most, tw_max(4, (tw_int)(line >> 16)));
    parts = tw_max(2 * gpus, tw_min(parts, most));
    /* a task's operands and workspace, and what the tasks before and after it have there */
    if (memory > 0) parts = tw_max(parts, (tw_int)(12.0 * (double)bytes / (double)memory) + 1);
    return tw_fft_ceil(parts, gpus) * gpus;
}

int tw_fft_fits(size_t bytes, int gpus)
{
    const size_t memory = tw_gpu_memory();
    return memory == 0 || (double)bytes / gpus < 0.8 * (double)memory;
}
