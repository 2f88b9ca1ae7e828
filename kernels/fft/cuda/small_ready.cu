/* What the kernels of the small transforms, and of the stages of long ones, need on a GPU: their tables, their shared
 * memory. Launching them. */
#include <cstdlib>
#include <cuda_runtime.h>
#include "kernels/fft/cuda/small.h"
extern "C" {
#include "runtime/base/error.h"
}

/* Made once per device and kernel, kept by the codelets as long as the process. */
struct tw_small_table {
    const struct tw_small_entry *entry;
    int device;
    void *memory;
    struct tw_small_table *next;
};

static int failed(const char *call, cudaError_t e)
{
    if (e == cudaSuccess) return 0;
    tw_fail(TW_E_DEVICE, "%s: %s: %s", call, cudaGetErrorName(e), cudaGetErrorString(e));
    return 1;
}

static const struct tw_small_table *find(struct tw_fft_cache *cache, const struct tw_small_entry *entry, int device)
{
    const struct tw_small_table *t;

    pthread_mutex_lock(&cache->lock);
    for (t = cache->tables; t && (t->entry != entry || t->device != device);)
        t = t->next;
    pthread_mutex_unlock(&cache->lock);
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

int tw_small_make_ready(const struct tw_fft_gpu *q, const struct tw_small_entry *e, int single)
{
    const size_t bytes = (single ? sizeof(float2) : sizeof(double2)) * (size_t)e->roots;
    struct tw_small_table *t;
    void *host;
    int device;

    if (failed("cudaGetDevice", cudaGetDevice(&device))) return 1;
    if (find(q->cache, e, device)) return 0;
    t = (struct tw_small_table *)calloc(1, sizeof *t);
    host = malloc(bytes);
    if (!t || !host) {
        tw_fail(TW_E_MEMORY, "no memory for a table of roots of unity");
        free(host);
        free(t);
        return 1;
    }
    e->fill(host);
    *t = {e, device, NULL, NULL};
    if (allow_shared(e, device) || failed("cudaMalloc", cudaMalloc(&t->memory, bytes)) ||
        failed("cudaMemcpyAsync",
               cudaMemcpyAsync(t->memory, host, bytes, cudaMemcpyHostToDevice, (cudaStream_t)q->stream)) ||
        failed("cudaStreamSynchronize", cudaStreamSynchronize((cudaStream_t)q->stream))) {
        (void)cudaFree(t->memory); /* the error above is the one to report */
        free(host);
        free(t);
        return 1;
    }
    free(host);
    pthread_mutex_lock(&q->cache->lock);
    t->next = q->cache->tables;
    q->cache->tables = t;
    pthread_mutex_unlock(&q->cache->lock);
    return 0;
}

int tw_small_table_of(const struct tw_fft_gpu *q, const struct tw_small_entry *e, const void **table)
{
    const struct tw_small_table *t;
    int device;

    if (failed("cudaGetDevice", cudaGetDevice(&device))) return 1;
    if (!(t = find(q->cache, e, device))) {
        tw_fail(TW_E_INTERNAL, "a kernel of our own was not prepared on its GPU");
        return 1;
    }
    *table = t->memory;
    return 0;
}

int tw_small_launch(const struct tw_fft_gpu *q, const struct tw_small_entry *e, int64_t blocks, void *args)
{
    cudaLaunchConfig_t config = {};
    void *arguments[] = {args};

    config.gridDim = dim3((unsigned)blocks);
    config.blockDim = dim3((unsigned)e->threads);
    config.dynamicSmemBytes = (size_t)e->shared;
    config.stream = (cudaStream_t)q->stream;
    return failed("a kernel of our own", cudaLaunchKernelExC(&config, e->kernel, arguments));
}
