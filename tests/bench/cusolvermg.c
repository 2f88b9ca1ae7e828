/* A peer on all visible GPUs: cuSOLVERMg's potrf, or its syevd. Blocks of columns go round the GPUs, as its
 * documentation has it. The library is opened when it is asked for: the program runs without it. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

#ifdef TILEWORK_CUDA
#define DISABLE_CUSOLVERMG_DEPRECATED /* all of it is marked so since CUDA 13 */
#include <cusolverMg.h>

#include "bench/eigen.h"
#include "bench/gpu.h"

#define MAX_GPUS 16
#define BLOCK    256 /* columns in a block: that of NVIDIA's samples */

static struct {
    void *library;
    __typeof__(&cusolverMgCreate) create;
    __typeof__(&cusolverMgDestroy) destroy;
    __typeof__(&cusolverMgDeviceSelect) select;
    __typeof__(&cusolverMgCreateDeviceGrid) create_grid;
    __typeof__(&cusolverMgDestroyGrid) destroy_grid;
    __typeof__(&cusolverMgCreateMatrixDesc) create_desc;
    __typeof__(&cusolverMgDestroyMatrixDesc) destroy_desc;
    __typeof__(&cusolverMgPotrf_bufferSize) buffer_size;
    __typeof__(&cusolverMgPotrf) potrf;
    __typeof__(&cusolverMgSyevd_bufferSize) syevd_buffer_size;
    __typeof__(&cusolverMgSyevd) syevd;
} mg;

static int load(char *why)
{
    static const char *const names[] = {"libcusolverMg.so.12", "libcusolverMg.so.11", "libcusolverMg.so"};
    const struct {
        const char *name;
        void *to;
    } symbols[] = {{"cusolverMgCreate", &mg.create},
                   {"cusolverMgDestroy", &mg.destroy},
                   {"cusolverMgDeviceSelect", &mg.select},
                   {"cusolverMgCreateDeviceGrid", &mg.create_grid},
                   {"cusolverMgDestroyGrid", &mg.destroy_grid},
                   {"cusolverMgCreateMatrixDesc", &mg.create_desc},
                   {"cusolverMgDestroyMatrixDesc", &mg.destroy_desc},
                   {"cusolverMgPotrf_bufferSize", &mg.buffer_size},
                   {"cusolverMgPotrf", &mg.potrf},
                   {"cusolverMgSyevd_bufferSize", &mg.syevd_buffer_size},
                   {"cusolverMgSyevd", &mg.syevd}};

    for (size_t i = 0; i < sizeof names / sizeof *names && !mg.library; i++)
        mg.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!mg.library) {
        snprintf(why, 256, "libcusolverMg was not found (%.150s)", dlerror());
        return 1;
    }
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *address = dlsym(mg.library, symbols[i].name);
        if (!address) {
            snprintf(why, 256, "libcusolverMg has no %s", symbols[i].name);
            return 1;
        }
        memcpy(symbols[i].to, &address, sizeof address); /* ISO C has no cast from data to function pointers */
    }
    return 0;
}

struct spread {
    struct bench_gpu_peer peer; /* first: the peer's functions get a pointer to it */
    int gpus, device[MAX_GPUS];
    cusolverMgHandle_t solver;
    cudaLibMgGrid_t grid;
    cudaLibMgMatrixDesc_t desc;
    void *a[MAX_GPUS], *a0[MAX_GPUS], *work[MAX_GPUS];
    cudaStream_t stream[MAX_GPUS];
    size_t local_bytes; /* of one GPU's columns */
    int64_t lwork;
    int info;
    /* of syevd: the eigenvalues, of the real type, in main memory (NULL: this is potrf) */
    void *w;
    int vectors;
};

/* Each GPU's part of the array: block b is on GPU b % gpus, there at place b / gpus. */
static size_t place(const struct spread *s, tw_int block)
{
    return (size_t)(block / s->gpus) * BLOCK * (size_t)s->peer.n * bench_sizeof(s->peer.type);
}

static int finish(struct bench_gpu_peer *p)
{
    struct spread *s = (struct spread *)p;
    for (int i = 0; i < s->gpus; i++) {
        TRY(cudaSetDevice(s->device[i]));
        TRY(cudaDeviceSynchronize());
    }
    return s->info ? bench_fail("cuSOLVERMg: info = %d", s->info) : 0;
out:
    return 1;
}

static int restore(struct bench_gpu_peer *p)
{
    struct spread *s = (struct spread *)p;
    for (int i = 0; i < s->gpus; i++) {
        TRY(cudaSetDevice(s->device[i]));
        TRY(cudaMemcpyAsync(s->a[i], s->a0[i], s->local_bytes, cudaMemcpyDeviceToDevice, s->stream[i]));
    }
    return finish(p);
out:
    return 1;
}

/* All blocks, each GPU's in a stream of its own; cuSOLVERMg knows none of them, so copies end before it begins. */
static int copy(struct bench_gpu_peer *p, enum cudaMemcpyKind kind)
{
    struct spread *s = (struct spread *)p;
    size_t column = (size_t)p->n * bench_sizeof(p->type);
    int in = kind == cudaMemcpyHostToDevice;

    for (tw_int block = 0; block * BLOCK < p->n; block++) {
        int i = (int)(block % s->gpus);
        tw_int columns = p->n - block * BLOCK < BLOCK ? p->n - block * BLOCK : BLOCK;
        char *host = (char *)p->host + (size_t)block * BLOCK * column, *device = (char *)s->a[i] + place(s, block);
        TRY(cudaSetDevice(s->device[i]));
        TRY(cudaMemcpyAsync(in ? device : host, in ? host : device, (size_t)columns * column, kind, s->stream[i]));
    }
    return finish(p);
out:
    return 1;
}

static cudaDataType real_type(const struct spread *s)
{
    return s->peer.type == TW_FLOAT || s->peer.type == TW_COMPLEX_FLOAT ? CUDA_R_32F : CUDA_R_64F;
}

static int factor(struct bench_gpu_peer *p)
{
    struct spread *s = (struct spread *)p;
    const cudaDataType t = bench_cuda_type(p->type);

    if (s->w) {
        TRY(mg.syevd(s->solver, s->vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR,
                     CUBLAS_FILL_MODE_LOWER, (int)p->n, s->a, 1, 1, s->desc, s->w, real_type(s), t, s->work, s->lwork,
                     &s->info));
        return 0;
    }
    TRY(mg.potrf(s->solver, CUBLAS_FILL_MODE_LOWER, (int)p->n, s->a, 1, 1, s->desc, t, s->work, s->lwork, &s->info));
    return 0;
out:
    return 1;
}

static void close_spread(struct bench_gpu_peer *p)
{
    struct spread *s = (struct spread *)p;
    if (s->desc) mg.destroy_desc(s->desc);
    if (s->grid) mg.destroy_grid(s->grid);
    if (s->solver) mg.destroy(s->solver);
    for (int i = 0; i < s->gpus; i++) {
        cudaSetDevice(s->device[i]);
        if (s->stream[i]) cudaStreamDestroy(s->stream[i]);
        cudaFree(s->a[i]);
        cudaFree(s->a0[i]);
        cudaFree(s->work[i]);
    }
    cudaSetDevice(0);
    free(s->w);
    free(s);
}

static int put(void *context, tw_int block, tw_int columns, const void *from)
{
    struct spread *s = context;
    int i = (int)(block % s->gpus);
    TRY(cudaSetDevice(s->device[i]));
    TRY(cudaMemcpy((char *)s->a0[i] + place(s, block), from,
                   (size_t)columns * (size_t)s->peer.n * bench_sizeof(s->peer.type), cudaMemcpyHostToDevice));
    return 0;
out:
    return 1;
}

/* GPUs that reach each other's memory; those that cannot, copy through the host. */
static int befriend(const struct spread *s)
{
    for (int i = 0; i < s->gpus; i++) {
        TRY(cudaSetDevice(s->device[i]));
        for (int j = 0; j < s->gpus; j++) {
            int can = 0;
            cudaError_t e;
            if (i == j) continue;
            TRY(cudaDeviceCanAccessPeer(&can, s->device[i], s->device[j]));
            if (!can) continue;
            e = cudaDeviceEnablePeerAccess(s->device[j], 0);
            if (e == cudaErrorPeerAccessAlreadyEnabled)
                (void)cudaGetLastError();
            else
                TRY(e);
        }
    }
    return 0;
out:
    return 1;
}

static int prepare(struct spread *s, const tw_generator *g)
{
    struct bench_gpu_peer *p = &s->peer;
    cudaDataType t = bench_cuda_type(p->type);
    tw_int blocks = (p->n + BLOCK - 1) / BLOCK, per_gpu = (blocks + s->gpus - 1) / s->gpus;

    s->local_bytes = (size_t)per_gpu * BLOCK * (size_t)p->n * bench_sizeof(p->type);
    if (befriend(s)) goto out;
    TRY(mg.create(&s->solver));
    TRY(mg.select(s->solver, s->gpus, s->device));
    TRY(mg.create_grid(&s->grid, 1, s->gpus, s->device, CUDALIBMG_GRID_MAPPING_COL_MAJOR));
    TRY(mg.create_desc(&s->desc, p->n, p->n, p->n, BLOCK, t, s->grid));
    for (int i = 0; i < s->gpus; i++) {
        TRY(cudaSetDevice(s->device[i]));
        TRY(cudaStreamCreate(&s->stream[i]));
        TRY(cudaMalloc(&s->a[i], s->local_bytes));
        TRY(cudaMalloc(&s->a0[i], s->local_bytes));
        TRY(cudaMemset(s->a0[i], 0, s->local_bytes)); /* blocks beyond the matrix */
    }
    if (s->w)
        TRY(mg.syevd_buffer_size(s->solver, s->vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR,
                                 CUBLAS_FILL_MODE_LOWER, (int)p->n, s->a, 1, 1, s->desc, s->w, real_type(s), t,
                                 &s->lwork));
    else
        TRY(mg.buffer_size(s->solver, CUBLAS_FILL_MODE_LOWER, (int)p->n, s->a, 1, 1, s->desc, t, &s->lwork));
    for (int i = 0; i < s->gpus; i++) {
        TRY(cudaSetDevice(s->device[i]));
        TRY(cudaMalloc(&s->work[i], (size_t)s->lwork * bench_sizeof(p->type) + 1));
    }
    return bench_gpu_fill(g, p->n, BLOCK, put, s) || finish(p);
out:
    (void)cudaGetLastError();
    return 1;
}

/* values: of syevd, with vectors or not; or potrf. */
static struct bench_gpu_peer *open_spread(enum tw_type type, tw_int n, const tw_generator *g, int host, int values,
                                          int vectors, char *why)
{
    struct spread *s;
    double bytes = (double)n * (double)n * (double)bench_sizeof(type);
    int gpus = bench_gpu_count();

    if (gpus < 2) {
        snprintf(why, 256, "%d GPU is visible, and it is for two or more", gpus);
        return NULL;
    }
    if (load(why)) return NULL;
    s = bench_alloc(sizeof *s);
    *s = (struct spread){.peer = {.type = type,
                                  .n = n,
                                  .restore = restore,
                                  .copy = copy,
                                  .factor = factor,
                                  .finish = finish,
                                  .close = close_spread},
                         .gpus = gpus < MAX_GPUS ? gpus : MAX_GPUS,
                         .w = values ? bench_alloc((double)n * sizeof(double)) : NULL,
                         .vectors = vectors};
    for (int i = 0; i < s->gpus; i++)
        s->device[i] = i;
    if (host && !(s->peer.host = bench_gpu_pinned(bytes))) {
        snprintf(why, 256, "no %.0f bytes of pinned memory", bytes);
        close_spread(&s->peer);
        return NULL;
    }
    if (prepare(s, g)) {
        snprintf(why, 256, "it could not be set up on %d GPUs (n = %lld)", s->gpus, (long long)n);
        close_spread(&s->peer);
        return NULL;
    }
    return &s->peer;
}

struct bench_gpu_peer *bench_cusolvermg_open(enum tw_type type, tw_int n, const tw_generator *g, int host, char *why)
{
    return open_spread(type, n, g, host, 0, 0, why);
}

struct bench_gpu_peer *eigen_cusolvermg_open(const struct eigen_problem *p, const tw_generator *g, int host, char *why)
{
    if (p->routine != SYEVD) {
        snprintf(why, 256, "cuSOLVERMg has syevd alone");
        return NULL;
    }
    return open_spread(p->type, p->n, g, host, 1, p->vectors, why);
}

int eigen_cusolvermg_values(struct bench_gpu_peer *peer, double *w)
{
    const struct spread *s = (const struct spread *)peer;

    for (tw_int i = 0; i < s->peer.n; i++)
        w[i] = real_type(s) == CUDA_R_32F ? (double)((const float *)s->w)[i] : ((const double *)s->w)[i];
    return 0;
}
#else

#include "bench/eigen.h"

struct bench_gpu_peer *eigen_cusolvermg_open(const struct eigen_problem *p, const tw_generator *g, int host, char *why)
{
    (void)p, (void)g, (void)host;
    snprintf(why, 256, "this build has no CUDA");
    return NULL;
}

int eigen_cusolvermg_values(struct bench_gpu_peer *peer, double *w)
{
    (void)peer, (void)w;
    return bench_fail("this build has no CUDA");
}
#endif
