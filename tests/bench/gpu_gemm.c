/* cuBLAS' gemm, kept up on one GPU or several at once. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

#ifdef TILEWORK_CUDA
#include <cublas_v2.h>

#include "bench/gpu.h"

#define MAX_GPUS 16
struct gpu {
    cublasHandle_t blas;
    void *v[3];
};

/* Rates depend on the data: zeros would flatter. A block of a diagonally dominant matrix, repeated. */
static int open_gpu(struct gpu *g, enum tw_type type, tw_int n, const void *block, size_t block_bytes)
{
    size_t bytes = (size_t)n * (size_t)n * bench_sizeof(type);

    for (int i = 0; i < 3; i++) {
        if (cudaMalloc(&g->v[i], bytes) != cudaSuccess) {
            (void)cudaGetLastError(); /* said by the result: it does not fit */
            return 1;
        }
        for (size_t at = 0; at < bytes; at += block_bytes)
            TRY(cudaMemcpy((char *)g->v[i] + at, block, bytes - at < block_bytes ? bytes - at : block_bytes,
                           cudaMemcpyHostToDevice));
    }
    TRY(cublasCreate(&g->blas));
    return 0;
out:
    return 1;
}

static void close_gpu(struct gpu *g)
{
    for (int i = 0; i < 3; i++)
        cudaFree(g->v[i]);
    if (g->blas) cublasDestroy(g->blas);
}

static int enqueue(struct gpu *g, enum tw_type type, int n, long runs)
{
    const float f1[2] = {-1, 0}, f2[2] = {1, 0};
    const double d1[2] = {-1, 0}, d2[2] = {1, 0};
    const void *alpha = type % 2 ? (const void *)d1 : f1, *beta = type % 2 ? (const void *)d2 : f2;
    const cublasComputeType_t compute = type % 2 ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
    const cudaDataType t = bench_cuda_type(type);

    for (long r = 0; r < runs; r++)
        TRY(cublasGemmEx(g->blas, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, alpha, g->v[0], t, n, g->v[1], t, n, beta, g->v[2],
                         t, n, compute, CUBLAS_GEMM_DEFAULT));
    return 0;
out:
    return 1;
}

/* `runs` gemms on every GPU, side by side: seconds until all have ended, negative after a message. */
static double round_of(struct gpu *g, int gpus, enum tw_type type, int n, long runs)
{
    double begin = bench_seconds();

    for (int i = 0; i < gpus; i++) {
        TRY(cudaSetDevice(i));
        if (enqueue(&g[i], type, n, runs)) return -1;
    }
    for (int i = 0; i < gpus; i++) {
        TRY(cudaSetDevice(i));
        TRY(cudaDeviceSynchronize());
    }
    return bench_seconds() - begin;
out:
    return -1;
}

/* Rounds of about 50 ms, so that no GPU waits for the host's queueing on another. */
static double sustain(struct gpu *g, int gpus, enum tw_type type, int n, double seconds)
{
    double one, begin, now;
    long batch, runs = 0;

    if (round_of(g, gpus, type, n, 1) < 0) return 0; /* the first loads the kernel */
    one = round_of(g, gpus, type, n, 1);
    if (one < 0) return 0;
    batch = one > 0 && one < 0.05 ? (long)(0.05 / one) + 1 : 1;
    if (batch > 512) batch = 512; /* the queue of a stream holds 1024 launches */
    begin = now = bench_seconds();
    do {
        if (round_of(g, gpus, type, n, batch) < 0) return 0;
        runs += batch;
        now = bench_seconds();
    } while (now - begin < seconds);
    return bench_gemm_flops(type, n) * (double)runs * gpus / (now - begin) * 1e-9;
}

double bench_gpu_gemm(enum tw_type type, tw_int n, double seconds, int gpus)
{
    const tw_int order = 1024;
    size_t block_bytes = (size_t)(order * order) * bench_sizeof(type);
    struct gpu g[MAX_GPUS];
    void *block;
    double rate = 0;
    int ready = 0, visible = bench_gpu_count();

    if (gpus > visible) gpus = visible;
    if (gpus > MAX_GPUS) gpus = MAX_GPUS;
    if (gpus < 1) return 0;
    memset(g, 0, sizeof g);
    block = bench_alloc((double)block_bytes);
    bench_fill_spd(type, order, block);
    for (; ready < gpus; ready++)
        if (cudaSetDevice(ready) != cudaSuccess || open_gpu(&g[ready], type, n, block, block_bytes)) break;
    if (ready == gpus) rate = sustain(g, gpus, type, (int)n, seconds);
    for (int i = 0; i < gpus; i++) {
        cudaSetDevice(i);
        close_gpu(&g[i]);
    }
    free(block);
    return rate;
}
#endif
