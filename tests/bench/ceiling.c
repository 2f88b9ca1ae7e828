/* The ceiling that a rate is compared with: gemm of the same type, kept up for as long as the work took, in the same
 * process. */
#include <cblas.h>
#include <stdlib.h>
#include <tilework/runtime.h>

#include "bench/bench.h"

static void one_gemm(enum tw_type type, int n, const void *a, const void *b, void *c)
{
    const float f1[2] = {-1, 0}, f2[2] = {1, 0};
    const double d1[2] = {-1, 0}, d2[2] = {1, 0};

    switch (type) {
    case TW_FLOAT: cblas_sgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, n, -1, a, n, b, n, 1, c, n); break;
    case TW_DOUBLE: cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, n, -1, a, n, b, n, 1, c, n); break;
    case TW_COMPLEX_FLOAT:
        cblas_cgemm(CblasColMajor, CblasNoTrans, CblasConjTrans, n, n, n, f1, a, n, b, n, f2, c, n);
        break;
    default: cblas_zgemm(CblasColMajor, CblasNoTrans, CblasConjTrans, n, n, n, d1, a, n, b, n, d2, c, n); break;
    }
}

double bench_cpu_gemm(enum tw_type type, tw_int n, int threads, double seconds)
{
    double bytes = (double)n * (double)n * (double)bench_sizeof(type), begin, now;
    void *a = bench_alloc(bytes), *b = bench_alloc(bytes), *c = bench_alloc(bytes);
    long runs = 0;

    bench_fill_spd(type, n, a);
    bench_fill_spd(type, n, b);
    bench_fill_spd(type, n, c);
    bench_blas_threads(threads);
    if (n <= 2048) one_gemm(type, (int)n, a, b, c); /* warm: the pages, the buffers of OpenBLAS */
    begin = bench_seconds();
    do {
        one_gemm(type, (int)n, a, b, c);
        runs++;
        now = bench_seconds();
    } while (now - begin < seconds);
    free(a);
    free(b);
    free(c);
    return bench_gemm_flops(type, (double)n) * (double)runs / (now - begin) * 1e-9;
}

struct bench_ceiling bench_ceiling(enum tw_type type, tw_int n, double seconds)
{
    static const tw_int gpu_orders[] = {4096, 8192, 16384}, cpu_orders[] = {1024, 2048, 4096};
    struct bench_ceiling best = {.seconds = seconds, .threads = bench_cores()};
    tw_machine m;
    const tw_int *orders;

    if (tw_machine_info(&m)) return best;
    best.gpus = m.cuda_devices;
    orders = best.gpus ? gpu_orders : cpu_orders;
    for (int i = 0; i < 3; i++) {
        tw_int order =
            best.gpus || orders[i] < n ? orders[i] : n; /* a small problem's ceiling is a gemm of its order */
        double rate;
        if (!best.gpus && i > 0 && orders[i - 1] >= n) break;
        rate = best.gpus ? bench_gpu_gemm(type, order, seconds, best.gpus)
                         : bench_cpu_gemm(type, order, best.threads, seconds);
        if (rate > best.gflops) best.gflops = rate, best.order = order;
    }
    return best;
}
