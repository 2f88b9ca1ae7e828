/* A peer on one GPU: cuSOLVER's potrf (lower), getrf or geqrf, data resident, or from and to a pinned host array as its
 * users do it: the whole n x n array copied in, factored, the whole array copied out. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

#ifdef TILEWORK_CUDA
#include <cusolverDn.h>

#include "bench/gpu.h"

struct dense {
    struct bench_gpu_peer peer; /* first: the peer's functions get a pointer to it */
    cusolverDnHandle_t solver;
    cusolverDnParams_t params;
    cudaStream_t stream;
    void *a, *a0, *second, *work, *host_work; /* second: pivots or tau */
    int *info;
    enum bench_factorization which;
    size_t bytes, device_bytes, host_bytes;
};

static int restore(struct bench_gpu_peer *p)
{
    struct dense *d = (struct dense *)p;
    TRY(cudaSetDevice(0));
    TRY(cudaMemcpyAsync(d->a, d->a0, d->bytes, cudaMemcpyDeviceToDevice, d->stream));
    TRY(cudaStreamSynchronize(d->stream));
    return 0;
out:
    return 1;
}

static int copy(struct bench_gpu_peer *p, enum cudaMemcpyKind kind)
{
    struct dense *d = (struct dense *)p;
    int in = kind == cudaMemcpyHostToDevice;
    TRY(cudaMemcpyAsync(in ? d->a : p->host, in ? p->host : d->a, d->bytes, kind, d->stream));
    return 0;
out:
    return 1;
}

static int factor(struct bench_gpu_peer *p)
{
    struct dense *d = (struct dense *)p;
    cudaDataType t = bench_cuda_type(p->type);
    switch (d->which) {
    case BENCH_POTRF:
        TRY(cusolverDnXpotrf(d->solver, d->params, CUBLAS_FILL_MODE_LOWER, p->n, t, d->a, p->n, t, d->work,
                             d->device_bytes, d->host_work, d->host_bytes, d->info));
        break;
    case BENCH_GETRF:
        TRY(cusolverDnXgetrf(d->solver, d->params, p->n, p->n, t, d->a, p->n, d->second, t, d->work, d->device_bytes,
                             d->host_work, d->host_bytes, d->info));
        break;
    case BENCH_GEQRF:
        TRY(cusolverDnXgeqrf(d->solver, d->params, p->n, p->n, t, d->a, p->n, t, d->second, t, d->work, d->device_bytes,
                             d->host_work, d->host_bytes, d->info));
        break;
    }
    return 0;
out:
    return 1;
}

static int finish(struct bench_gpu_peer *p)
{
    const struct dense *d = (struct dense *)p;
    return bench_gpu_info(d->stream, d->info, "cuSOLVER");
}

static void close_dense(struct bench_gpu_peer *p)
{
    struct dense *d = (struct dense *)p;
    cudaSetDevice(0);
    if (d->params) cusolverDnDestroyParams(d->params);
    if (d->solver) cusolverDnDestroy(d->solver);
    if (d->stream) cudaStreamDestroy(d->stream);
    cudaFree(d->a);
    cudaFree(d->a0);
    cudaFree(d->second);
    cudaFree(d->work);
    cudaFree(d->info);
    free(d->host_work);
    free(d);
}

static int put(void *context, tw_int block, tw_int columns, const void *from)
{
    struct dense *d = context;
    size_t column = (size_t)d->peer.n * bench_sizeof(d->peer.type);
    TRY(cudaMemcpy((char *)d->a0 + (size_t)block * 256 * column, from, (size_t)columns * column,
                   cudaMemcpyHostToDevice));
    return 0;
out:
    return 1;
}

static int prepare(struct dense *d, const tw_generator *g)
{
    struct bench_gpu_peer *p = &d->peer;
    cudaDataType t = bench_cuda_type(p->type);

    TRY(cudaSetDevice(0));
    TRY(cudaStreamCreate(&d->stream));
    TRY(cusolverDnCreate(&d->solver));
    TRY(cusolverDnSetStream(d->solver, d->stream));
    TRY(cusolverDnCreateParams(&d->params));
    TRY(cudaMalloc(&d->a, d->bytes));
    TRY(cudaMalloc(&d->a0, d->bytes));
    TRY(cudaMalloc((void **)&d->info, sizeof *d->info));
    TRY(cudaMemset(d->info, 0, sizeof *d->info));
    if (d->which != BENCH_POTRF) TRY(cudaMalloc(&d->second, (size_t)p->n * 16)); /* int64 or any type */
    switch (d->which) {
    case BENCH_POTRF:
        TRY(cusolverDnXpotrf_bufferSize(d->solver, d->params, CUBLAS_FILL_MODE_LOWER, p->n, t, d->a, p->n, t,
                                        &d->device_bytes, &d->host_bytes));
        break;
    case BENCH_GETRF:
        TRY(cusolverDnXgetrf_bufferSize(d->solver, d->params, p->n, p->n, t, d->a, p->n, t, &d->device_bytes,
                                        &d->host_bytes));
        break;
    case BENCH_GEQRF:
        TRY(cusolverDnXgeqrf_bufferSize(d->solver, d->params, p->n, p->n, t, d->a, p->n, t, d->second, t,
                                        &d->device_bytes, &d->host_bytes));
        break;
    }
    TRY(cudaMalloc(&d->work, d->device_bytes + 1));
    d->host_work = bench_alloc((double)d->host_bytes);
    return bench_gpu_fill(g, p->n, 256, put, d);
out:
    (void)cudaGetLastError();
    return 1;
}

struct bench_gpu_peer *bench_cusolver_open(enum tw_type type, tw_int n, const tw_generator *g, int host, char *why)
{
    return bench_cusolver_factor_open(BENCH_POTRF, type, n, g, host, why);
}

struct bench_gpu_peer *bench_cusolver_factor_open(enum bench_factorization which, enum tw_type type, tw_int n,
                                                  const tw_generator *g, int host, char *why)
{
    struct dense *d;

    if (bench_gpu_count() == 0) {
        snprintf(why, 256, "no GPU is visible");
        return NULL;
    }
    d = bench_alloc(sizeof *d);
    *d = (struct dense){.peer = {.type = type,
                                 .n = n,
                                 .restore = restore,
                                 .copy = copy,
                                 .factor = factor,
                                 .finish = finish,
                                 .close = close_dense},
                        .which = which,
                        .bytes = (size_t)n * (size_t)n * bench_sizeof(type)};
    if (host && !(d->peer.host = bench_gpu_pinned((double)d->bytes))) {
        snprintf(why, 256, "no %zu bytes of pinned memory", d->bytes);
        close_dense(&d->peer);
        return NULL;
    }
    if (prepare(d, g)) {
        snprintf(why, 256, "it could not be set up (n = %lld takes 2 x %zu bytes of GPU memory)", (long long)n,
                 d->bytes);
        close_dense(&d->peer);
        return NULL;
    }
    return &d->peer;
}
#endif

/* ---- tilework bench cusolver: the peer alone --------------------------------------------------------------------- */

static int one_size(const struct bench_options *o, tw_int n)
{
    char letter[2] = {tw_type_letter(o->type), 0}, why[256];
    double flops = bench_potrf_flops(o->type, (double)n), resident, home;
    double *r = bench_alloc(2.0 * o->repeat * sizeof *r), *h = r + o->repeat, warm;
    struct bench_gpu_peer *p = NULL;
    tw_generator *g = NULL;
    json_t *record;
    int e = tw_generator_create(&g, o->kind, o->type, n, n, 1);

    if (e) {
        e = bench_fail("%s", tw_last_message());
    } else if (!(p = bench_cusolver_open(o->type, n, g, 1, why))) {
        e = bench_fail("cusolver: %s", why);
    } else {
        e = bench_gpu_peer_resident(p, &warm);
        for (int i = 0; i < o->repeat && !e; i++) {
            e = bench_gpu_peer_resident(p, &r[i]);
            if (!e) e = bench_gpu_peer_host(p, &h[i]);
        }
    }
    if (!e) {
        resident = bench_median(o->repeat, r), home = bench_median(o->repeat, h);
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
    bench_gpu_peer_close(p);
    tw_generator_destroy(g);
    free(r);
    return e;
}

int bench_cusolver(const struct bench_options *o)
{
    int e = 0;

    if (bench_gpu_count() == 0) return bench_fail("cusolver: no GPU, or a build without CUDA");
    bench_gpu_reserve(bench_largest(o));
    for (int i = 0; i < o->sizes && !e; i++)
        e = one_size(o, o->n[i]);
    bench_gpu_release();
    if (tw_finalize() < 0) e |= bench_fail("stopping: %s", tw_last_message());
    return e;
}
