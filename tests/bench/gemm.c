/* The ceiling: gemm by size, one core, all cores, one GPU, each sustained for --seconds. */
#include "bench/bench.h"

int bench_gemm(const struct bench_options *o)
{
    char letter[2] = {tw_type_letter(o->type), 0};

    for (int i = 0; i < o->sizes; i++) {
        tw_int n = o->n[i];
        double one = bench_cpu_gemm(o->type, n, 1, o->seconds);
        double all = bench_cpu_gemm(o->type, n, bench_cores(), o->seconds);
        double gpu = bench_gpu_gemm(o->type, n, o->seconds, 1);
        json_t *record = bench_record(o, "gemm");

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
    }
    return tw_finalize() < 0;
}
