/* The peers on a GPU: cuSOLVER's potrf, data resident or from and to pinned host memory, and cuBLAS' gemm. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

#ifdef TILEWORK_CUDA
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cusolverDn.h>

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        int status_ = (int)(call);                                                                                     \
        if (status_ != 0) {                                                                                            \
            bench_fail("%s: status %d (line %d)", #call, status_, __LINE__);                                           \
            goto out;                                                                                                  \
        }                                                                                                              \
    } while (0)

static const cudaDataType kinds[TW_NTYPES] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};

int bench_gpu_count(void)
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

struct gpu {
    cusolverDnHandle_t solver;
    cusolverDnParams_t params;
    cudaStream_t stream;
    void *a, *a0, *work, *host_work, *pinned;
    int *info;
    size_t bytes, device_bytes, host_bytes;
};

/* The lower triangle, in panels of columns: half of the matrix travels. */
static cudaError_t copy_lower(struct gpu *g, size_t size, tw_int n, int to_gpu)
{
    const tw_int width = 1024;
    for (tw_int j = 0; j < n; j += width) {
        tw_int columns = j + width < n ? width : n - j;
        size_t at = ((size_t)j * (size_t)n + (size_t)j) * size;
        void *device = (char *)g->a + at, *host = (char *)g->pinned + at;
        cudaError_t e = cudaMemcpy2DAsync(to_gpu ? device : host, (size_t)n * size, to_gpu ? host : device,
                                          (size_t)n * size, (size_t)(n - j) * size, (size_t)columns,
                                          to_gpu ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, g->stream);
        if (e != cudaSuccess) return e;
    }
    return cudaSuccess;
}

static void close_gpu(struct gpu *g)
{
    if (g->params) cusolverDnDestroyParams(g->params);
    if (g->solver) cusolverDnDestroy(g->solver);
    if (g->stream) cudaStreamDestroy(g->stream);
    cudaFree(g->a);
    cudaFree(g->a0);
    cudaFree(g->work);
    cudaFree(g->info);
    cudaFreeHost(g->pinned);
    free(g->host_work);
}

static int open_gpu(struct gpu *g, enum tw_type type, tw_int n, const void *a)
{
    memset(g, 0, sizeof *g);
    g->bytes = (size_t)n * (size_t)n * bench_sizeof(type);
    TRY(cudaSetDevice(0));
    TRY(cudaStreamCreate(&g->stream));
    TRY(cusolverDnCreate(&g->solver));
    TRY(cusolverDnSetStream(g->solver, g->stream));
    TRY(cusolverDnCreateParams(&g->params));
    TRY(cudaMalloc(&g->a, g->bytes));
    TRY(cudaMalloc(&g->a0, g->bytes));
    TRY(cudaMalloc((void **)&g->info, sizeof *g->info));
    TRY(cudaMallocHost(&g->pinned, g->bytes));
    memcpy(g->pinned, a, g->bytes);
    TRY(cudaMemcpy(g->a0, a, g->bytes, cudaMemcpyHostToDevice));
    TRY(cusolverDnXpotrf_bufferSize(g->solver, g->params, CUBLAS_FILL_MODE_LOWER, n, kinds[type], g->a, n, kinds[type],
                                    &g->device_bytes, &g->host_bytes));
    TRY(cudaMalloc(&g->work, g->device_bytes + 1));
    g->host_work = bench_alloc((double)g->host_bytes);
    return 0;
out:
    return 1;
}

static int factor(struct gpu *g, enum tw_type type, tw_int n)
{
    TRY(cusolverDnXpotrf(g->solver, g->params, CUBLAS_FILL_MODE_LOWER, n, kinds[type], g->a, n, kinds[type], g->work,
                         g->device_bytes, g->host_work, g->host_bytes, g->info));
    return 0;
out:
    return 1;
}

static int one_run(struct gpu *g, enum tw_type type, tw_int n, const void *a, double *resident, double *home)
{
    double begin;
    int info = 0;

    TRY(cudaMemcpyAsync(g->a, g->a0, g->bytes, cudaMemcpyDeviceToDevice, g->stream));
    TRY(cudaStreamSynchronize(g->stream));
    begin = bench_seconds();
    if (factor(g, type, n)) goto out;
    TRY(cudaStreamSynchronize(g->stream));
    *resident = bench_seconds() - begin;

    memcpy(g->pinned, a, g->bytes);
    begin = bench_seconds();
    TRY(copy_lower(g, bench_sizeof(type), n, 1));
    if (factor(g, type, n)) goto out;
    TRY(copy_lower(g, bench_sizeof(type), n, 0));
    TRY(cudaStreamSynchronize(g->stream));
    *home = bench_seconds() - begin;
    TRY(cudaMemcpy(&info, g->info, sizeof info, cudaMemcpyDeviceToHost));
    return info ? bench_fail("cuSOLVER: info = %d", info) : 0;
out:
    return 1;
}

int bench_gpu_potrf(enum tw_type type, tw_int n, const void *a, int repeat, double *resident, double *host_to_host,
                    void *check)
{
    struct gpu g;
    double *r = bench_alloc(2.0 * repeat * sizeof *r), *h = r + repeat;
    int e = open_gpu(&g, type, n, a);

    if (!e) e = one_run(&g, type, n, a, &r[0], &h[0]); /* warm */
    for (int i = 0; i < repeat && !e; i++)
        e = one_run(&g, type, n, a, &r[i], &h[i]);
    if (!e) *resident = bench_median(repeat, r), *host_to_host = bench_median(repeat, h);
    if (!e && check) memcpy(check, g.pinned, g.bytes);
    close_gpu(&g);
    free(r);
    return e;
}

double bench_gpu_gemm(enum tw_type type, tw_int n, double seconds)
{
    const float f1[2] = {-1, 0}, f2[2] = {1, 0};
    const double d1[2] = {-1, 0}, d2[2] = {1, 0};
    const void *alpha = type % 2 ? (const void *)d1 : f1, *beta = type % 2 ? (const void *)d2 : f2;
    const cublasComputeType_t compute = type % 2 ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
    size_t bytes = (size_t)n * (size_t)n * bench_sizeof(type);
    double flops = 2.0 * (double)n * (double)n * (double)n * (type >= TW_COMPLEX_FLOAT ? 4 : 1), begin = 0, result = 0;
    void *v[3] = {NULL, NULL, NULL}, *host = bench_alloc((double)bytes);
    cublasHandle_t blas = NULL;
    long runs = 0;
    int batch = n >= 4096 ? 1 : n >= 1024 ? 16 : 128;

    if (bench_gpu_count() == 0) goto out;
    bench_fill_spd(type, n, host); /* rates depend on the data: zeros would flatter */
    for (int i = 0; i < 3; i++) {
        TRY(cudaMalloc(&v[i], bytes));
        TRY(cudaMemcpy(v[i], host, bytes, cudaMemcpyHostToDevice));
    }
    TRY(cublasCreate(&blas));
    for (int warm = 1; warm >= 0; warm--) {
        begin = bench_seconds();
        runs = 0;
        do {
            for (int i = 0; i < batch; i++)
                TRY(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_T, (int)n, (int)n, (int)n, alpha, v[0], kinds[type],
                                 (int)n, v[1], kinds[type], (int)n, beta, v[2], kinds[type], (int)n, compute,
                                 CUBLAS_GEMM_DEFAULT));
            runs += batch;
            TRY(cudaDeviceSynchronize());
        } while (!warm && bench_seconds() - begin < seconds);
    }
    result = flops * (double)runs / (bench_seconds() - begin) * 1e-9;
out:
    for (int i = 0; i < 3; i++)
        cudaFree(v[i]);
    if (blas) cublasDestroy(blas);
    free(host);
    return result;
}

#else

int bench_gpu_count(void)
{
    return 0;
}

int bench_gpu_potrf(enum tw_type type, tw_int n, const void *a, int repeat, double *resident, double *host_to_host,
                    void *check)
{
    (void)type, (void)n, (void)a, (void)repeat, (void)resident, (void)host_to_host, (void)check;
    return bench_fail("cusolver: this build has no CUDA");
}

double bench_gpu_gemm(enum tw_type type, tw_int n, double seconds)
{
    (void)type, (void)n, (void)seconds;
    return 0;
}
#endif

int bench_cusolver(const struct bench_options *o)
{
    char letter[2] = {"sdcz"[o->type], 0};
    int e = 0;

    if (bench_gpu_count() == 0) return bench_fail("cusolver: no GPU, or a build without CUDA");
    for (int i = 0; i < o->sizes && !e; i++) {
        tw_int n = o->n[i];
        double resident, home, flops = bench_potrf_flops(o->type, (double)n);
        void *a = bench_alloc((double)n * (double)n * (double)bench_sizeof(o->type));
        json_t *record;

        bench_fill_spd(o->type, n, a);
        e = bench_gpu_potrf(o->type, n, a, o->repeat, &resident, &home, NULL);
        free(a);
        if (e) break;
        record = bench_record(o, "cusolver");
        json_object_update_new(record,
                               json_pack("{s:s, s:I, s:f, s:f, s:f, s:f}", "type", letter, "n", (json_int_t)n,
                                         "resident_seconds", resident, "resident_gflops", flops / resident * 1e-9,
                                         "host_seconds", home, "host_gflops", flops / home * 1e-9));
        if (!o->json)
            printf("%cpotrf n=%-6lld cuSOLVER resident %.4f s %.1f Gflop/s, host to host %.4f s %.1f Gflop/s\n",
                   letter[0], (long long)n, resident, flops / resident * 1e-9, home, flops / home * 1e-9);
        bench_print(o, record);
    }
    if (tw_finalize() < 0) e |= bench_fail("stopping: %s", tw_last_message());
    return e;
}
