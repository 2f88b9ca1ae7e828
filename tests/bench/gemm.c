/* The ceiling: gemm by size, one core, all cores, one GPU, each sustained for --seconds. */
#include <cblas.h>
#include <stdlib.h>

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

/* Gflop/s on `threads` cores. */
static double rate(enum tw_type type, tw_int n, int threads, double seconds, const void *a, const void *b, void *c)
{
    double flops = 2.0 * (double)n * (double)n * (double)n * (type >= TW_COMPLEX_FLOAT ? 4 : 1), begin, now;
    long runs = 0;

    bench_blas_threads(threads);
    if (n <= 2048) one_gemm(type, (int)n, a, b, c); /* warm: the pages, the buffers of OpenBLAS */
    begin = bench_seconds();
    do {
        one_gemm(type, (int)n, a, b, c);
        runs++;
        now = bench_seconds();
    } while (now - begin < seconds);
    return flops * (double)runs / (now - begin) * 1e-9;
}

int bench_gemm(const struct bench_options *o)
{
    char letter[2] = {"sdcz"[o->type], 0};

    for (int i = 0; i < o->sizes; i++) {
        tw_int n = o->n[i];
        double bytes = (double)n * (double)n * (double)bench_sizeof(o->type), one, all, gpu;
        void *a = bench_alloc(bytes), *b = bench_alloc(bytes), *c = bench_alloc(bytes);
        json_t *record;

        bench_fill_spd(o->type, n, a);
        bench_fill_spd(o->type, n, b);
        bench_fill_spd(o->type, n, c);
        one = rate(o->type, n, 1, o->seconds, a, b, c);
        all = rate(o->type, n, bench_cores(), o->seconds, a, b, c);
        gpu = bench_gpu_gemm(o->type, n, o->seconds);
        record = bench_record(o, "gemm");
        json_object_update_new(record, json_pack("{s:s, s:I, s:f, s:f, s:f, s:f}", "type", letter, "n", (json_int_t)n,
                                                 "seconds", o->seconds, "one_core_gflops", one, "all_cores_gflops", all,
                                                 "gpu_gflops", gpu));
        if (!o->json) {
            printf("%cgemm n=%-6lld one core %7.1f  %d cores %7.1f Gflop/s", letter[0], (long long)n, one,
                   bench_cores(), all);
            if (gpu > 0) printf("  GPU %9.1f Gflop/s", gpu);
            printf("\n");
        }
        bench_print(o, record);
        free(a);
        free(b);
        free(c);
    }
    return tw_finalize() < 0;
}
