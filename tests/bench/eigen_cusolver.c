/* A peer on one GPU: cuSOLVER's Xsyevd, Xsyevdx (the lowest m), sygvd, Xgesvdp (by the polar decomposition, the fastest
 * of its singular value routines here; without vectors it fails, so that values alone are Xgesvd's), Xgeev (right
 * vectors), data resident, or from and to pinned host arrays as its users do it: the matrices copied in, the
 * eigenvalues and, if they are wanted, the eigenvectors copied out. */
#include <stdlib.h>
#include <string.h>

#include "bench/eigen.h"

#ifdef TILEWORK_CUDA
#include <cusolverDn.h>

#include "bench/gpu.h"

struct eigen_peer {
    struct bench_gpu_peer peer; /* first: the peer's functions get a pointer to it */
    const struct eigen_problem *p;
    cusolverDnHandle_t solver;
    cusolverDnParams_t params;
    cudaStream_t stream;
    void *a, *a0, *b, *b0, *u, *v, *w, *work, *host_work, *host_w;
    int *info, lwork;
    size_t bytes, device_bytes, host_bytes;
};

static enum cudaDataType_t real_type(enum tw_type type)
{
    return type == TW_FLOAT || type == TW_COMPLEX_FLOAT ? CUDA_R_32F : CUDA_R_64F;
}
static size_t values_bytes(const struct eigen_peer *d)
{
    return (size_t)d->p->n * (d->p->routine == GEEV ? 2 : 1) *
           (real_type(d->p->type) == CUDA_R_32F ? sizeof(float) : sizeof(double));
}
static cusolverEigMode_t mode(const struct eigen_peer *d)
{
    return d->p->vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
}

static int restore(struct bench_gpu_peer *p)
{
    struct eigen_peer *d = (struct eigen_peer *)p;
    TRY(cudaSetDevice(0));
    TRY(cudaMemcpyAsync(d->a, d->a0, d->bytes, cudaMemcpyDeviceToDevice, d->stream));
    if (d->b) TRY(cudaMemcpyAsync(d->b, d->b0, d->bytes, cudaMemcpyDeviceToDevice, d->stream));
    TRY(cudaStreamSynchronize(d->stream));
    return 0;
out:
    return 1;
}

/* The host's array holds A, and behind it B, before a run; afterwards the eigenvectors. */
static int copy(struct bench_gpu_peer *p, enum cudaMemcpyKind kind)
{
    struct eigen_peer *d = (struct eigen_peer *)p;
    char *const second = (char *)p->host + d->bytes;

    if (kind == cudaMemcpyHostToDevice) {
        TRY(cudaMemcpyAsync(d->a, p->host, d->bytes, kind, d->stream));
        if (d->b) TRY(cudaMemcpyAsync(d->b, second, d->bytes, kind, d->stream));
        return 0;
    }
    if (d->u) {
        TRY(cudaMemcpyAsync(p->host, d->u, d->bytes, kind, d->stream));
        if (d->v) TRY(cudaMemcpyAsync(second, d->v, d->bytes, kind, d->stream));
    } else if (d->p->vectors)
        TRY(cudaMemcpyAsync(p->host, d->a, d->bytes / (size_t)d->p->n * (size_t)d->p->m, kind, d->stream));
    TRY(cudaMemcpyAsync(d->host_w, d->w, values_bytes(d), kind, d->stream));
    return 0;
out:
    return 1;
}

#define SYGVD_CALL(letter, sy, T, R)                                                                                   \
    cusolverDn##letter##sy##gvd(d->solver, CUSOLVER_EIG_TYPE_1, mode(d), CUBLAS_FILL_MODE_LOWER, (int)p->n, (T *)d->a, \
                                (int)p->n, (T *)d->b, (int)p->n, (R *)d->w, (T *)d->work, d->lwork, d->info)
static int generalized(struct eigen_peer *d)
{
    const struct eigen_problem *p = d->p;

    switch (p->type) {
    case TW_FLOAT: TRY(SYGVD_CALL(S, sy, float, float)); break;
    case TW_DOUBLE: TRY(SYGVD_CALL(D, sy, double, double)); break;
    case TW_COMPLEX_FLOAT: TRY(SYGVD_CALL(C, he, cuComplex, float)); break;
    default: TRY(SYGVD_CALL(Z, he, cuDoubleComplex, double));
    }
    return 0;
out:
    return 1;
}

static int solve(struct bench_gpu_peer *peer)
{
    struct eigen_peer *d = (struct eigen_peer *)peer;
    const struct eigen_problem *p = d->p;
    const cudaDataType t = bench_cuda_type(p->type), r = real_type(p->type);
    double vl = 0, vu = 0;
    int64_t found = 0;

    double error = 0;

    if (p->routine == SYGVD) return generalized(d);
    if (p->routine == GEEV) /* of a real matrix real parts of all eigenvalues, then imaginary ones */
        TRY(cusolverDnXgeev(d->solver, d->params, CUSOLVER_EIG_MODE_NOVECTOR, mode(d), p->n, t, d->a, p->n, t, d->w, t,
                            NULL, p->n, t, d->u, p->n, t, d->work, d->device_bytes, d->host_work, d->host_bytes,
                            d->info));
    else if (p->routine == GESDD && !p->vectors)
        TRY(cusolverDnXgesvd(d->solver, d->params, 'N', 'N', p->n, p->n, t, d->a, p->n, r, d->w, t, NULL, p->n, t, NULL,
                             p->n, t, d->work, d->device_bytes, d->host_work, d->host_bytes, d->info));
    else if (p->routine == GESDD)
        TRY(cusolverDnXgesvdp(d->solver, d->params, mode(d), 1, p->n, p->n, t, d->a, p->n, r, d->w, t, d->u, p->n, t,
                              d->v, p->n, t, d->work, d->device_bytes, d->host_work, d->host_bytes, d->info, &error));
    else if (p->routine == SYEVR)
        TRY(cusolverDnXsyevdx(d->solver, d->params, mode(d), CUSOLVER_EIG_RANGE_I, CUBLAS_FILL_MODE_LOWER, p->n, t,
                              d->a, p->n, &vl, &vu, 1, p->m, &found, r, d->w, t, d->work, d->device_bytes, d->host_work,
                              d->host_bytes, d->info));
    else
        TRY(cusolverDnXsyevd(d->solver, d->params, mode(d), CUBLAS_FILL_MODE_LOWER, p->n, t, d->a, p->n, r, d->w, t,
                             d->work, d->device_bytes, d->host_work, d->host_bytes, d->info));
    return 0;
out:
    return 1;
}

static int finish(struct bench_gpu_peer *p)
{
    const struct eigen_peer *d = (struct eigen_peer *)p;
    return bench_gpu_info(d->stream, d->info, "cuSOLVER");
}

static void close_peer(struct bench_gpu_peer *p)
{
    struct eigen_peer *d = (struct eigen_peer *)p;
    cudaSetDevice(0);
    if (d->params) cusolverDnDestroyParams(d->params);
    if (d->solver) cusolverDnDestroy(d->solver);
    if (d->stream) cudaStreamDestroy(d->stream);
    cudaFree(d->a), cudaFree(d->a0), cudaFree(d->b), cudaFree(d->b0), cudaFree(d->u), cudaFree(d->v), cudaFree(d->w),
        cudaFree(d->work);
    cudaFree(d->info);
    cudaFreeHost(p->host), cudaFreeHost(d->host_w);
    free(d->host_work);
    free(d);
}

#define SYGVD_SIZE(letter, sy, T, R)                                                                                   \
    cusolverDn##letter##sy##gvd_bufferSize(d->solver, CUSOLVER_EIG_TYPE_1, mode(d), CUBLAS_FILL_MODE_LOWER, (int)p->n, \
                                           (T *)d->a, (int)p->n, (T *)d->b, (int)p->n, (R *)d->w, &d->lwork)
static int sizes(struct eigen_peer *d)
{
    const struct eigen_problem *p = d->p;
    const cudaDataType t = bench_cuda_type(p->type), r = real_type(p->type);
    double vl = 0, vu = 0;
    int64_t found = 0;

    if (p->routine == GEEV)
        TRY(cusolverDnXgeev_bufferSize(d->solver, d->params, CUSOLVER_EIG_MODE_NOVECTOR, mode(d), p->n, t, d->a, p->n,
                                       t, d->w, t, NULL, p->n, t, d->u, p->n, t, &d->device_bytes, &d->host_bytes));
    else if (p->routine == GESDD && !p->vectors)
        TRY(cusolverDnXgesvd_bufferSize(d->solver, d->params, 'N', 'N', p->n, p->n, t, d->a, p->n, r, d->w, t, NULL,
                                        p->n, t, NULL, p->n, t, &d->device_bytes, &d->host_bytes));
    else if (p->routine == GESDD)
        TRY(cusolverDnXgesvdp_bufferSize(d->solver, d->params, mode(d), 1, p->n, p->n, t, d->a, p->n, r, d->w, t, d->u,
                                         p->n, t, d->v, p->n, t, &d->device_bytes, &d->host_bytes));
    else if (p->routine == SYEVD)
        TRY(cusolverDnXsyevd_bufferSize(d->solver, d->params, mode(d), CUBLAS_FILL_MODE_LOWER, p->n, t, d->a, p->n, r,
                                        d->w, t, &d->device_bytes, &d->host_bytes));
    else if (p->routine == SYEVR)
        TRY(cusolverDnXsyevdx_bufferSize(d->solver, d->params, mode(d), CUSOLVER_EIG_RANGE_I, CUBLAS_FILL_MODE_LOWER,
                                         p->n, t, d->a, p->n, &vl, &vu, 1, p->m, &found, r, d->w, t, &d->device_bytes,
                                         &d->host_bytes));
    else
        switch (p->type) {
        case TW_FLOAT: TRY(SYGVD_SIZE(S, sy, float, float)); break;
        case TW_DOUBLE: TRY(SYGVD_SIZE(D, sy, double, double)); break;
        case TW_COMPLEX_FLOAT: TRY(SYGVD_SIZE(C, he, cuComplex, float)); break;
        default: TRY(SYGVD_SIZE(Z, he, cuDoubleComplex, double));
        }
    if (p->routine == SYGVD) d->device_bytes = (size_t)d->lwork * bench_sizeof(p->type);
    return 0;
out:
    return 1;
}

static int prepare(struct eigen_peer *d, int host)
{
    const struct eigen_problem *p = d->p;

    TRY(cudaSetDevice(0));
    TRY(cudaStreamCreate(&d->stream));
    TRY(cusolverDnCreate(&d->solver));
    TRY(cusolverDnSetStream(d->solver, d->stream));
    TRY(cusolverDnCreateParams(&d->params));
    TRY(cudaMalloc(&d->a, d->bytes));
    TRY(cudaMalloc(&d->a0, d->bytes));
    TRY(cudaMemcpy(d->a0, p->a, d->bytes, cudaMemcpyHostToDevice));
    if (p->b) {
        TRY(cudaMalloc(&d->b, d->bytes));
        TRY(cudaMalloc(&d->b0, d->bytes));
        TRY(cudaMemcpy(d->b0, p->b, d->bytes, cudaMemcpyHostToDevice));
    }
    if ((p->routine == GESDD || p->routine == GEEV) && p->vectors) TRY(cudaMalloc(&d->u, d->bytes));
    if (p->routine == GESDD && p->vectors) TRY(cudaMalloc(&d->v, d->bytes));
    TRY(cudaMalloc(&d->w, values_bytes(d)));
    TRY(cudaHostAlloc(&d->host_w, values_bytes(d), cudaHostAllocDefault));
    TRY(cudaMalloc((void **)&d->info, sizeof *d->info));
    TRY(cudaMemset(d->info, 0, sizeof *d->info));
    if (host) TRY(cudaHostAlloc(&d->peer.host, d->bytes * (p->b || d->v ? 2 : 1), cudaHostAllocDefault));
    if (sizes(d)) goto out;
    TRY(cudaMalloc(&d->work, d->device_bytes + 1));
    d->host_work = bench_alloc((double)d->host_bytes);
    return 0;
out:
    (void)cudaGetLastError();
    return 1;
}

/* What a run from host to host begins with is put there before its clock: restore, which all runs begin with, and
 * this. */
static int restore_host(struct bench_gpu_peer *p)
{
    struct eigen_peer *d = (struct eigen_peer *)p;

    if (restore(p)) return 1;
    memcpy(p->host, d->p->a, d->bytes);
    if (d->p->b) memcpy((char *)p->host + d->bytes, d->p->b, d->bytes);
    return 0;
}

struct bench_gpu_peer *eigen_cusolver_open(const struct eigen_problem *p, int host, char *why)
{
    struct eigen_peer *d;

    if (bench_gpu_count() == 0) {
        snprintf(why, 256, "no GPU is visible");
        return NULL;
    }
    if (p->routine == STEDC || p->rows != p->n) {
        snprintf(why, 256, p->routine == STEDC ? "cuSOLVER has no stedc" : "square matrices alone");
        return NULL;
    }
    d = bench_alloc(sizeof *d);
    *d = (struct eigen_peer){.peer = {.type = p->type,
                                      .n = p->n,
                                      .restore = host ? restore_host : restore,
                                      .copy = copy,
                                      .factor = solve,
                                      .finish = finish,
                                      .close = close_peer},
                             .p = p,
                             .bytes = (size_t)p->n * (size_t)p->n * bench_sizeof(p->type)};
    if (prepare(d, host)) {
        snprintf(why, 256, "it could not be set up (n = %lld takes %d x %zu bytes of GPU memory and a workspace)",
                 (long long)p->n, p->b ? 4 : 2, d->bytes);
        close_peer(&d->peer);
        return NULL;
    }
    return &d->peer;
}

int eigen_cusolver_values(struct bench_gpu_peer *peer, double *w)
{
    struct eigen_peer *d = (struct eigen_peer *)peer;

    TRY(cudaMemcpy(d->host_w, d->w, values_bytes(d), cudaMemcpyDeviceToHost));
    for (tw_int i = 0; i < (d->p->routine == GEEV ? 2 * d->p->n : d->p->m); i++)
        w[i] = real_type(d->p->type) == CUDA_R_32F ? (double)((float *)d->host_w)[i] : ((double *)d->host_w)[i];
    return 0;
out:
    return 1;
}

#else

struct bench_gpu_peer *eigen_cusolver_open(const struct eigen_problem *p, int host, char *why)
{
    (void)p, (void)host;
    snprintf(why, 256, "this build has no CUDA");
    return NULL;
}

int eigen_cusolver_values(struct bench_gpu_peer *peer, double *w)
{
    (void)peer, (void)w;
    return bench_fail("this build has no CUDA");
}
#endif
