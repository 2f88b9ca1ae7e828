/* Finding, preparing and launching the kernels of the small transforms. */
#include <cstdlib>
#include <cuda_runtime.h>
#include <pthread.h>
#include "kernels/fft_cuda/small.h"
extern "C" {
#include "runtime/error.h"
}

int tw_small_which(const struct tw_fft_cuda_lines *l, int *kind, int *m, int *flip)
{
    static const int kinds[] = {TW_SMALL_T1, TW_SMALL_T2, TW_SMALL_T3, TW_SMALL_T4, TW_SMALL_T1,
                                TW_SMALL_T2, TW_SMALL_T3, TW_SMALL_T4, TW_SMALL_DHT};
    tw_int points;

    *flip =
        l->kind == TW_FFT_C2C ? l->sign > 0 : l->kind == TW_FFT_R2R && l->r2r >= TW_FFT_DST1 && l->r2r <= TW_FFT_DST4;
    *kind = l->kind == TW_FFT_C2C   ? TW_SMALL_C2C
            : l->kind == TW_FFT_R2C ? TW_SMALL_R2C
            : l->kind == TW_FFT_C2R ? TW_SMALL_C2R
                                    : kinds[l->r2r];
    if (l->n < 2 || l->n > 2 << TW_SMALL_SIZES) return -1;
    if (*kind == TW_SMALL_C2C)
        points = l->n;
    else if (*kind == TW_SMALL_T1)
        points = *flip ? l->n + 1 : l->n - 1;
    else
        points = l->n % 2 ? 0 : l->n / 2;
    for (*m = 1; *m <= TW_SMALL_SIZES; ++*m)
        if (points == (tw_int)1 << *m) return 0;
    return -1;
}

static const struct tw_small_entry *entry_of(const struct tw_fft_cuda_lines *l, int kind, int m)
{
    return l->single ? tw_small_entry_float(kind, m) : tw_small_entry_double(kind, m);
}

/* The kernels read and write pairs of reals, and rows of DCT 2 and 3 in single precision by four. */
int tw_fft_cuda_small_suits(const struct tw_fft_cuda_lines *l, const void *in, const void *out)
{
    const size_t real = l->single ? 4 : 8;
    size_t in_bytes = real * (size_t)l->ld_in, out_bytes = real * (size_t)l->ld_out, need;
    int kind, m, flip;

    if (tw_small_which(l, &kind, &m, &flip)) return 0;
    if (kind == TW_SMALL_T1) return 1;
    if (kind == TW_SMALL_C2C || kind == TW_SMALL_C2R) in_bytes *= 2;
    if (kind == TW_SMALL_C2C || kind == TW_SMALL_R2C) out_bytes *= 2;
    need = kind == TW_SMALL_T2 || kind == TW_SMALL_T3 ? 16 : 2 * real;
    return (((uintptr_t)in | (uintptr_t)out | in_bytes | out_bytes) & (need - 1)) == 0;
}

/* ---- tables: made once per device and kernel, kept as long as the process --------------------------------------------------------- */

struct table {
    const struct tw_small_entry *entry;
    int device;
    void *memory;
    struct table *next;
};
static struct table *tables;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int failed(const char *call, cudaError_t e)
{
    if (e == cudaSuccess) return 0;
    tw_fail(TW_E_DEVICE, "%s: %s: %s", call, cudaGetErrorName(e), cudaGetErrorString(e));
    return 1;
}

static const struct table *find(const struct tw_small_entry *entry, int device)
{
    const struct table *t;

    pthread_mutex_lock(&lock);
    for (t = tables; t && (t->entry != entry || t->device != device);)
        t = t->next;
    pthread_mutex_unlock(&lock);
    return t;
}

/* The rest of a multiprocessor's shared memory caches the roots. */
static int allow_shared(const struct tw_small_entry *e, int device)
{
    int blocks, all;

    if (failed("cudaFuncSetAttribute",
               cudaFuncSetAttribute(e->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, e->shared)) ||
        failed("cudaDeviceGetAttribute",
               cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device)) ||
        failed("cudaOccupancyMaxActiveBlocksPerMultiprocessor",
               cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, e->kernel, e->threads, (size_t)e->shared)))
        return 1;
    if (blocks == 0) {
        tw_fail(TW_E_DEVICE, "a block of the small transforms does not fit this GPU");
        return 1;
    }
    all = (blocks * (e->shared + 1024) * 100 + all - 1) / all; /* a block takes 1 KiB more than it asks for */
    return failed(
        "cudaFuncSetAttribute",
        cudaFuncSetAttribute(e->kernel, cudaFuncAttributePreferredSharedMemoryCarveout, all < 100 ? all : 100));
}

int tw_fft_cuda_small_plan(const struct tw_cuda *q, const struct tw_fft_cuda_lines *l)
{
    const size_t size = l->single ? sizeof(float2) : sizeof(double2);
    const struct tw_small_entry *e;
    int kind, m, flip, device;
    struct table *t;
    void *host;

    if (tw_small_which(l, &kind, &m, &flip)) {
        tw_fail(TW_E_INTERNAL, "there is no small transform of this kind and size");
        return 1;
    }
    e = entry_of(l, kind, m);
    if (failed("cudaGetDevice", cudaGetDevice(&device))) return 1;
    if (find(e, device)) return 0;
    t = (struct table *)calloc(1, sizeof *t);
    host = malloc(size * (size_t)e->roots);
    if (!t || !host) {
        tw_fail(TW_E_MEMORY, "no memory for a table of roots of unity");
        free(host);
        free(t);
        return 1;
    }
    e->fill(host);
    *t = {e, device, NULL, NULL};
    if (allow_shared(e, device) || failed("cudaMalloc", cudaMalloc(&t->memory, size * (size_t)e->roots)) ||
        failed("cudaMemcpyAsync", cudaMemcpyAsync(t->memory, host, size * (size_t)e->roots, cudaMemcpyHostToDevice,
                                                  (cudaStream_t)q->stream)) ||
        failed("cudaStreamSynchronize", cudaStreamSynchronize((cudaStream_t)q->stream))) {
        (void)cudaFree(t->memory); /* the error above is the one to report */
        free(host);
        free(t);
        return 1;
    }
    free(host);
    pthread_mutex_lock(&lock);
    t->next = tables;
    tables = t;
    pthread_mutex_unlock(&lock);
    return 0;
}

int tw_fft_cuda_small(const struct tw_cuda *q, const struct tw_fft_cuda_lines *l, const void *in, void *out)
{
    struct tw_small_args args = {in, out, l->rows, l->ld_in, l->ld_out, NULL, l->scale, 0};
    const struct tw_small_entry *e;
    const struct table *t;
    cudaLaunchConfig_t config = {};
    void *arguments[] = {&args};
    int kind, m, device;

    if (l->rows <= 0) return 0;
    if (failed("cudaGetDevice", cudaGetDevice(&device))) return 1;
    if (tw_small_which(l, &kind, &m, &args.flip) || !(t = find(e = entry_of(l, kind, m), device))) {
        tw_fail(TW_E_INTERNAL, "a small transform was not prepared on its GPU");
        return 1;
    }
    args.table = t->memory;
    config.gridDim = dim3((unsigned)((l->rows + e->batch - 1) / e->batch));
    config.blockDim = dim3((unsigned)e->threads);
    config.dynamicSmemBytes = (size_t)e->shared;
    config.stream = (cudaStream_t)q->stream;
    return failed("small transform", cudaLaunchKernelExC(&config, e->kernel, arguments));
}
