/* What the GPU peers share: the pinned array, the input in panels, timed runs. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

#ifdef TILEWORK_CUDA
#include "bench/gpu.h"

int bench_gpu_count(void)
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

cudaDataType bench_cuda_type(enum tw_type type)
{
    static const cudaDataType kinds[TW_NTYPES] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
    return kinds[type];
}

int bench_gpu_info(cudaStream_t stream, const int *info, const char *who)
{
    int here = 0;

    TRY(cudaMemcpyAsync(&here, info, sizeof here, cudaMemcpyDeviceToHost, stream));
    TRY(cudaStreamSynchronize(stream));
    return here ? bench_fail("%s: info = %d", who, here) : 0;
out:
    return 1;
}

static void *pinned;
static double pinned_bytes;

void bench_gpu_release(void)
{
    if (pinned) cudaFreeHost(pinned);
    pinned = NULL;
    pinned_bytes = 0;
}

void *bench_gpu_pinned(double bytes)
{
    if (bytes <= pinned_bytes) return pinned;
    bench_gpu_release();
    if (cudaHostAlloc(&pinned, (size_t)bytes, cudaHostAllocPortable) != cudaSuccess) {
        (void)cudaGetLastError(); /* said by the NULL */
        pinned = NULL;
        return NULL;
    }
    pinned_bytes = bytes;
    return pinned;
}

void bench_gpu_reserve(double bytes)
{
    if (bench_gpu_count() > 0) (void)bench_gpu_pinned(bytes); /* who needs it asks again, and says what is missing */
}

int bench_gpu_copy_in(double bytes, double *seconds)
{
    void *from = bench_gpu_pinned(bytes), *to = NULL;
    double begin;
    int e = 1;

    if (!from) return bench_fail("no pinned memory for %.0f bytes", bytes);
    TRY(cudaMalloc(&to, (size_t)bytes));
    TRY(cudaDeviceSynchronize());
    begin = bench_seconds();
    TRY(cudaMemcpy(to, from, (size_t)bytes, cudaMemcpyHostToDevice));
    TRY(cudaDeviceSynchronize());
    *seconds = bench_seconds() - begin;
    e = 0;
out:
    if (to) cudaFree(to);
    return e;
}

void *bench_gpu_array(double bytes)
{
    void *a = NULL;

    if (cudaMalloc(&a, (size_t)bytes) == cudaSuccess) return a;
    (void)cudaGetLastError(); /* said by the NULL */
    return NULL;
}
void bench_gpu_array_free(void *a)
{
    if (a) cudaFree(a);
}
int bench_gpu_move(void *to, const void *from, double bytes)
{
    int e = 1;

    TRY(cudaMemcpy(to, from, (size_t)bytes, cudaMemcpyDefault));
    TRY(cudaDeviceSynchronize());
    e = 0;
out:
    return e;
}

struct panel {
    const tw_generator *g;
    tw_int n, first;
    char *to;
    int failed;
};

static void columns(void *context, int thread, tw_int first, tw_int last)
{
    struct panel *p = context;
    size_t column = (size_t)p->n * bench_sizeof(tw_generator_type(p->g));
    (void)thread;
    if (tw_generator_block(p->g, 0, p->first + first, p->n, last - first, p->to + (size_t)first * column, p->n))
        __atomic_store_n(&p->failed, 1, __ATOMIC_RELAXED);
}

int bench_gpu_fill(const tw_generator *g, tw_int n, tw_int width, bench_put_fn put, void *context)
{
    struct panel p = {g, n, 0, NULL, 0};
    int e = 0;

    if (cudaMallocHost((void **)&p.to, (size_t)n * (size_t)width * bench_sizeof(tw_generator_type(g))) != cudaSuccess)
        return bench_fail("no pinned memory for the input");
    for (tw_int block = 0; block * width < n && !e; block++) {
        tw_int count = n - block * width < width ? n - block * width : width;
        p.first = block * width;
        bench_parallel(count, 16, columns, &p);
        e = p.failed ? bench_fail("the input: %s", tw_last_message()) : put(context, block, count, p.to);
    }
    cudaFreeHost(p.to);
    return e;
}

int bench_gpu_peer_resident(struct bench_gpu_peer *p, double *seconds)
{
    double begin;
    int e = p->restore(p);

    begin = bench_seconds();
    if (!e) e = p->factor(p);
    if (!e) e = p->finish(p);
    *seconds = bench_seconds() - begin;
    return e;
}

int bench_gpu_peer_host(struct bench_gpu_peer *p, double *seconds)
{
    double begin;
    int e = p->restore(p);

    if (!e) e = p->copy(p, cudaMemcpyDeviceToHost); /* the last run's result is there */
    if (!e) e = p->finish(p);
    begin = bench_seconds();
    if (!e) e = p->copy(p, cudaMemcpyHostToDevice);
    if (!e) e = p->factor(p);
    if (!e) e = p->copy(p, cudaMemcpyDeviceToHost);
    if (!e) e = p->finish(p);
    *seconds = bench_seconds() - begin;
    return e;
}

const void *bench_gpu_peer_factor(const struct bench_gpu_peer *p)
{
    return p->host;
}

void bench_gpu_peer_close(struct bench_gpu_peer *p)
{
    if (p) p->close(p);
}

#else

int bench_gpu_count(void)
{
    return 0;
}

int bench_gpu_copy_in(double bytes, double *seconds)
{
    (void)bytes, (void)seconds;
    return bench_fail("this build has no CUDA");
}

void *bench_gpu_array(double bytes)
{
    (void)bytes;
    return NULL;
}
void bench_gpu_array_free(void *a)
{
    (void)a;
}
int bench_gpu_move(void *to, const void *from, double bytes)
{
    (void)to, (void)from, (void)bytes;
    return bench_fail("this build has no CUDA");
}

double bench_gpu_gemm(enum tw_type type, tw_int n, double seconds, int gpus)
{
    (void)type, (void)n, (void)seconds, (void)gpus;
    return 0;
}

static struct bench_gpu_peer *none(char *why)
{
    snprintf(why, 256, "this build has no CUDA");
    return NULL;
}

struct bench_gpu_peer *bench_cusolver_open(enum tw_type type, tw_int n, const tw_generator *g, int host, char *why)
{
    (void)type, (void)n, (void)g, (void)host;
    return none(why);
}

struct bench_gpu_peer *bench_cusolver_factor_open(enum bench_factorization which, enum tw_type type, tw_int n,
                                                  const tw_generator *g, int host, char *why)
{
    (void)which, (void)type, (void)n, (void)g, (void)host;
    return none(why);
}

struct bench_gpu_peer *bench_cusolver_irs_open(int half, enum tw_type type, tw_int n, tw_int nrhs,
                                               const tw_generator *g, const tw_generator *right, int host, char *why)
{
    (void)half, (void)type, (void)n, (void)nrhs, (void)g, (void)right, (void)host;
    return none(why);
}
int bench_cusolver_irs_iter(const struct bench_gpu_peer *p)
{
    (void)p;
    return 0;
}

struct bench_gpu_peer *bench_cusolvermg_open(enum tw_type type, tw_int n, const tw_generator *g, int host, char *why)
{
    (void)type, (void)n, (void)g, (void)host;
    return none(why);
}

int bench_gpu_peer_resident(struct bench_gpu_peer *p, double *seconds)
{
    (void)p, (void)seconds;
    return bench_fail("this build has no CUDA");
}

int bench_gpu_peer_host(struct bench_gpu_peer *p, double *seconds)
{
    return bench_gpu_peer_resident(p, seconds);
}

const void *bench_gpu_peer_factor(const struct bench_gpu_peer *p)
{
    (void)p;
    return NULL;
}

void bench_gpu_peer_close(struct bench_gpu_peer *p)
{
    (void)p;
}

void bench_gpu_reserve(double bytes)
{
    (void)bytes;
}

void bench_gpu_release(void)
{
}
#endif
