/* cuFFT by its own interface, the way a careful user would call it. */
#include "peer.h"
#include <cufft.h>
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        cudaError_t e_ = (call);                                                                                       \
        if (e_ != cudaSuccess) return fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_)), 1;                   \
    } while (0)
#define TRY_FFT(call)                                                                                                  \
    do {                                                                                                               \
        cufftResult e_ = (call);                                                                                       \
        if (e_ != CUFFT_SUCCESS) return fprintf(stderr, "%s: cuFFT error %d\n", #call, (int)e_), 1;                    \
    } while (0)

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, ascending);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

static int execute(cufftHandle plan, int single, void *a)
{
    if (single)
        TRY_FFT(cufftExecC2C(plan, a, a, CUFFT_FORWARD));
    else
        TRY_FFT(cufftExecZ2Z(plan, a, a, CUFFT_FORWARD));
    return 0;
}

/* Over some four million elements, evenly spread. */
static double difference(int single, size_t count, const void *x, const void *y)
{
    size_t step = count > 1 << 22 ? count >> 22 | 1 : 1;
    double d = 0, n = 0;

    for (size_t k = 0; k < count; k += step)
        for (int part = 0; part < 2; part++) {
            double a = single ? (double)((const float *)x)[2 * k + part] : ((const double *)x)[2 * k + part],
                   b = single ? (double)((const float *)y)[2 * k + part] : ((const double *)y)[2 * k + part];
            d += (a - b) * (a - b), n += b * b;
        }
    return n > 0 ? sqrt(d / n) : 1;
}

enum { MOST = 64 };

int peer_measure(struct peer_times *t, int single, int rank, const long long *n, long long batch, const void *in,
                 const void *result, void *scratch, int repeat)
{
    size_t count = (size_t)batch, bytes, work;
    double whole[MOST], resident[MOST], up[MOST], down[MOST], both[MOST], t0, t1, t2;
    long long size[3] = {0}, dist = 1;
    cudaStream_t one, two;
    cufftHandle plan;
    void *a, *b;

    if (repeat > MOST) repeat = MOST;
    for (int d = 0; d < rank; d++)
        count *= (size_t)n[d], dist *= n[d], size[d] = n[d];
    bytes = count * (single ? 8 : 16);
    TRY(cudaMalloc(&a, bytes));
    TRY(cudaMalloc(&b, bytes));
    TRY(cudaStreamCreate(&one));
    TRY(cudaStreamCreate(&two));
    TRY_FFT(cufftCreate(&plan));
    TRY_FFT(cufftMakePlanMany64(plan, rank, size, NULL, 1, dist, NULL, 1, dist, single ? CUFFT_C2C : CUFFT_Z2Z, batch,
                                &work));
    for (int r = -1; r < repeat; r++) {
        TRY(cudaDeviceSynchronize());
        t0 = now();
        TRY(cudaMemcpy(a, in, bytes, cudaMemcpyHostToDevice));
        t1 = now();
        if (execute(plan, single, a)) return 1;
        TRY(cudaDeviceSynchronize());
        t2 = now();
        TRY(cudaMemcpy(scratch, a, bytes, cudaMemcpyDeviceToHost));
        if (r >= 0) up[r] = t1 - t0, down[r] = now() - t2, whole[r] = now() - t0;
        if (r < 0 && result) t->worst = difference(single, count, result, scratch);
    }
    for (int r = -1; r < repeat; r++) {
        t0 = now();
        if (execute(plan, single, a)) return 1;
        TRY(cudaDeviceSynchronize());
        if (r >= 0) resident[r] = now() - t0;
    }
    for (int r = -1; r < repeat; r++) {
        t0 = now();
        TRY(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, one));
        TRY(cudaMemcpyAsync(scratch, b, bytes, cudaMemcpyDeviceToHost, two));
        TRY(cudaDeviceSynchronize());
        if (r >= 0) both[r] = now() - t0;
    }
    t->host = median(whole, repeat);
    t->resident = median(resident, repeat);
    t->in = median(up, repeat);
    t->out = median(down, repeat);
    t->duplex = median(both, repeat);
    TRY_FFT(cufftDestroy(plan));
    TRY(cudaStreamDestroy(one));
    TRY(cudaStreamDestroy(two));
    TRY(cudaFree(a));
    TRY(cudaFree(b));
    return 0;
}

int peer_device_array(void **p, size_t bytes, const void *content)
{
    TRY(cudaMalloc(p, bytes));
    TRY(cudaMemcpy(*p, content, bytes, cudaMemcpyHostToDevice));
    return 0;
}
void peer_device_free(void *p)
{
    (void)cudaFree(p); /* the end of a measurement */
}
int peer_download(void *host, const void *device, size_t bytes)
{
    TRY(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
    return 0;
}
const char *peer_name(void)
{
    static struct cudaDeviceProp p;
    return cudaGetDeviceProperties(&p, 0) == cudaSuccess ? p.name : "unknown";
}
