/* A peer on one GPU: cuSOLVER's gesv of lower precision with refinement (cusolverDnIRSXgesv), data resident, or from
 * and to main memory: A and B copied in, X copied out. */
#include <stdlib.h>

#include "bench/bench.h"

#ifdef TILEWORK_CUDA
#include <cusolverDn.h>

#include "bench/gpu.h"

struct irs {
    struct bench_gpu_peer peer; /* first: the peer's functions get a pointer to it */
    cusolverDnHandle_t solver;
    cusolverDnIRSParams_t params;
    cusolverDnIRSInfos_t infos;
    cudaStream_t stream;
    tw_int nrhs;
    void *a, *a0, *b, *x, *work;
    char *host_b; /* B, and X behind it */
    int *info, iter;
    size_t bytes, columns, work_bytes; /* columns: of B */
};

static int restore(struct bench_gpu_peer *p)
{
    struct irs *d = (struct irs *)p;
    TRY(cudaSetDevice(0));
    TRY(cudaMemcpyAsync(d->a, d->a0, d->bytes, cudaMemcpyDeviceToDevice, d->stream));
    TRY(cudaMemcpyAsync(d->b, d->host_b, d->columns, cudaMemcpyHostToDevice, d->stream));
    TRY(cudaStreamSynchronize(d->stream));
    return 0;
out:
    return 1;
}

/* Before a run from host to host A goes to the host once, as its users have it; the solver leaves it. */
static int copy(struct bench_gpu_peer *p, enum cudaMemcpyKind kind)
{
    struct irs *d = (struct irs *)p;

    if (kind == cudaMemcpyHostToDevice) {
        TRY(cudaMemcpyAsync(d->a, p->host, d->bytes, kind, d->stream));
        TRY(cudaMemcpyAsync(d->b, d->host_b, d->columns, kind, d->stream));
    } else
        TRY(cudaMemcpyAsync(d->host_b + d->columns, d->x, d->columns, kind, d->stream));
    return 0;
out:
    return 1;
}

static int solve(struct bench_gpu_peer *p)
{
    struct irs *d = (struct irs *)p;
    const cusolver_int_t n = (cusolver_int_t)p->n;

    TRY(cusolverDnIRSXgesv(d->solver, d->params, d->infos, n, (cusolver_int_t)d->nrhs, d->a, n, d->b, n, d->x, n,
                           d->work, d->work_bytes, &d->iter, d->info));
    return 0;
out:
    return 1;
}

static int finish(struct bench_gpu_peer *p)
{
    const struct irs *d = (struct irs *)p;
    return bench_gpu_info(d->stream, d->info, "cuSOLVER's IRS gesv");
}

static void close_irs(struct bench_gpu_peer *p)
{
    struct irs *d = (struct irs *)p;

    cudaSetDevice(0);
    if (d->infos) cusolverDnIRSInfosDestroy(d->infos);
    if (d->params) cusolverDnIRSParamsDestroy(d->params);
    if (d->solver) cusolverDnDestroy(d->solver);
    if (d->stream) cudaStreamDestroy(d->stream);
    cudaFree(d->a), cudaFree(d->a0), cudaFree(d->b), cudaFree(d->x), cudaFree(d->work), cudaFree(d->info);
    if (d->host_b) cudaFreeHost(d->host_b);
    free(d);
}

static int put(void *context, tw_int block, tw_int columns, const void *from)
{
    struct irs *d = context;
    const size_t column = (size_t)d->peer.n * bench_sizeof(d->peer.type), at = (size_t)block * 256 * column;

    TRY(cudaMemcpy((char *)d->a0 + at, from, (size_t)columns * column, cudaMemcpyHostToDevice));
    if (d->peer.host) TRY(cudaMemcpy((char *)d->peer.host + at, from, (size_t)columns * column, cudaMemcpyHostToHost));
    return 0;
out:
    return 1;
}

/* Single precision is refined as LAPACK does it; half by GMRES, as ours is. */
static int prepare(struct irs *d, int half, const tw_generator *g, const tw_generator *right)
{
    const struct bench_gpu_peer *p = &d->peer;
    const int complex_ = p->type == TW_COMPLEX_DOUBLE;
    const cusolver_int_t n = (cusolver_int_t)p->n;

    TRY(cudaSetDevice(0));
    TRY(cudaStreamCreate(&d->stream));
    TRY(cusolverDnCreate(&d->solver));
    TRY(cusolverDnSetStream(d->solver, d->stream));
    TRY(cusolverDnIRSParamsCreate(&d->params));
    TRY(cusolverDnIRSInfosCreate(&d->infos));
    TRY(cusolverDnIRSParamsSetSolverPrecisions(d->params, complex_ ? CUSOLVER_C_64F : CUSOLVER_R_64F,
                                               half       ? complex_ ? CUSOLVER_C_16F : CUSOLVER_R_16F
                                               : complex_ ? CUSOLVER_C_32F
                                                          : CUSOLVER_R_32F));
    TRY(cusolverDnIRSParamsSetRefinementSolver(d->params,
                                               half ? CUSOLVER_IRS_REFINE_GMRES : CUSOLVER_IRS_REFINE_CLASSICAL));
    TRY(cusolverDnIRSXgesv_bufferSize(d->solver, d->params, n, (cusolver_int_t)d->nrhs, &d->work_bytes));
    TRY(cudaMalloc(&d->a, d->bytes));
    TRY(cudaMalloc(&d->a0, d->bytes));
    TRY(cudaMalloc(&d->b, d->columns));
    TRY(cudaMalloc(&d->x, d->columns));
    TRY(cudaMalloc(&d->work, d->work_bytes + 1));
    TRY(cudaMalloc((void **)&d->info, sizeof *d->info));
    TRY(cudaMemset(d->info, 0, sizeof *d->info));
    TRY(cudaMallocHost((void **)&d->host_b, 2 * d->columns));
    if (tw_generator_block(right, 0, 0, p->n, d->nrhs, d->host_b, p->n))
        return bench_fail("the right-hand sides: %s", tw_last_message());
    return bench_gpu_fill(g, p->n, 256, put, d);
out:
    (void)cudaGetLastError();
    return 1;
}

struct bench_gpu_peer *bench_cusolver_irs_open(int half, enum tw_type type, tw_int n, tw_int nrhs,
                                               const tw_generator *g, const tw_generator *right, int host, char *why)
{
    struct irs *d;

    if (bench_gpu_count() == 0) {
        snprintf(why, 256, "no GPU is visible");
        return NULL;
    }
    d = bench_alloc(sizeof *d);
    *d = (struct irs){.peer = {.type = type,
                               .n = n,
                               .restore = restore,
                               .copy = copy,
                               .factor = solve,
                               .finish = finish,
                               .close = close_irs},
                      .nrhs = nrhs,
                      .bytes = (size_t)n * (size_t)n * bench_sizeof(type),
                      .columns = (size_t)n * (size_t)nrhs * bench_sizeof(type)};
    if (host && !(d->peer.host = bench_gpu_pinned((double)d->bytes))) {
        snprintf(why, 256, "no %zu bytes of pinned memory", d->bytes);
        close_irs(&d->peer);
        return NULL;
    }
    if (prepare(d, half, g, right)) {
        snprintf(why, 256, "it could not be set up (n = %lld takes 3 x %zu bytes of GPU memory)", (long long)n,
                 d->bytes);
        close_irs(&d->peer);
        return NULL;
    }
    return &d->peer;
}

int bench_cusolver_irs_iter(const struct bench_gpu_peer *p)
{
    return ((const struct irs *)p)->iter;
}
#endif
