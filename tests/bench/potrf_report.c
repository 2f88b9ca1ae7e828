/* The Cholesky contest, printed: lines for a reader, or one JSON object per order (docs/bench.md has every field). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/potrf.h"

const char *const bench_contestant[CONTESTANTS] = {
    [TILES] = "tiles",
    [ARRAY] = "lapack_door",
    [LAPACK] = "lapack",
    [CUSOLVER_RESIDENT] = "cusolver_resident",
    [CUSOLVER_HOST] = "cusolver",
    [MG_RESIDENT] = "cusolvermg_resident",
    [MG_HOST] = "cusolvermg",
};
static const char *const titles[CONTESTANTS] = {
    [TILES] = "Tilework, tiles",
    [ARRAY] = "Tilework, LAPACK door",
    [LAPACK] = "LAPACK of OpenBLAS",
    [CUSOLVER_RESIDENT] = "cuSOLVER, resident",
    [CUSOLVER_HOST] = "cuSOLVER, host to host",
    [MG_RESIDENT] = "cuSOLVERMg, resident",
    [MG_HOST] = "cuSOLVERMg, host to host",
};
#define RESIDUAL_FAILS 30

static double flops(const struct contest *c)
{
    return bench_potrf_flops(c->type, (double)c->n);
}

static double median(const struct contest *c, enum contestant who)
{
    double *copy = bench_alloc((double)c->rounds * sizeof *copy), m;
    memcpy(copy, c->result[who].seconds, (size_t)c->rounds * sizeof *copy);
    m = bench_median(c->rounds, copy);
    free(copy);
    return m;
}

static double least(const struct contest *c, enum contestant who)
{
    double m = c->result[who].seconds[0];
    for (int i = 1; i < c->rounds; i++)
        m = fmin(m, c->result[who].seconds[i]);
    return m;
}

static double gflops(const struct contest *c, double seconds)
{
    return seconds > 0 ? flops(c) / seconds * 1e-9 : 0;
}

/* LAPACK itself does small problems; Tilework's own figures are those of its first door that took part. */
static enum contestant own(const struct contest *c)
{
    return c->result[TILES].takes_part ? TILES : ARRAY;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

#define MANY_RUNS 32
static json_t *one_result(const struct contest *c, enum contestant who)
{
    const struct result *r = &c->result[who];
    json_t *o = json_object(), *all = json_array();
    double m;

    if (!r->takes_part) {
        json_decref(all);
        bench_put(o, "skipped", json_string(r->skipped));
        return o;
    }
    m = median(c, who);
    for (int i = 0; i < c->rounds && i < MANY_RUNS; i++)
        json_array_append_new(all, json_real(r->seconds[i]));
    bench_put(o, "seconds", json_real(m));
    bench_put(o, "min_seconds", json_real(least(c, who)));
    bench_put(o, "first_seconds", json_real(r->first));
    bench_put(o, "all_seconds", all);
    bench_put(o, "gflops", json_real(gflops(c, m)));
    if (c->ceiling.gflops > 0) bench_put(o, "gemm_fraction", json_real(gflops(c, m) / c->ceiling.gflops));
    if (who != own(c)) bench_put(o, "times_tilework", bench_real(m / median(c, own(c))));
    if (r->residual >= 0 || isnan(r->residual)) bench_put(o, "residual", bench_real(r->residual));
    if (r->difference >= 0 || isnan(r->difference)) bench_put(o, "difference", bench_real(r->difference));
    if (r->nb) bench_put(o, "nb", json_integer(r->nb));
    if (who == LAPACK) bench_put(o, "threads", json_integer(bench_cores()));
    if (r->times) bench_put(o, "split", bench_split_json(&r->times[bench_median_run(r, c->rounds)]));
    return o;
}

static void json_report(const struct bench_options *o, const struct contest *c)
{
    char letter[2] = {tw_type_letter(c->type), 0};
    json_t *record = bench_record(o, "potrf");

    bench_put(record, "type", json_string(letter));
    bench_put(record, "n", json_integer(c->n));
    bench_put(record, "kind", json_string(o->kind));
    bench_put(record, "runs", json_integer(c->rounds));
    if (c->ceiling.gflops > 0)
        bench_put(record, "gemm",
                  json_pack("{s:f, s:I, s:f, s:i, s:i}", "gflops", c->ceiling.gflops, "order",
                            (json_int_t)c->ceiling.order, "seconds", c->ceiling.seconds, "gpus", c->ceiling.gpus,
                            "threads", c->ceiling.gpus ? 0 : c->ceiling.threads));
    for (int k = 0; k < CONTESTANTS; k++)
        if (c->result[k].takes_part || *c->result[k].skipped)
            bench_put(record, bench_contestant[k], one_result(c, (enum contestant)k));
    bench_print(o, record);
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static void line(const struct contest *c, enum contestant who)
{
    const struct result *r = &c->result[who];
    double m;

    if (!r->takes_part) {
        if (*r->skipped) printf("  %-24s left out: %s\n", titles[who], r->skipped);
        return;
    }
    m = median(c, who);
    printf("  %-24s %.6f s (min %.6f, first %.6f)  %9.1f Gflop/s", titles[who], m, least(c, who), r->first,
           gflops(c, m));
    if (c->ceiling.gflops > 0) printf(" = %.3f gemm", gflops(c, m) / c->ceiling.gflops);
    if (who != own(c)) printf("  %.3f x Tilework's time", m / median(c, own(c)));
    if (r->nb) printf("  nb %lld", (long long)r->nb);
    if (r->residual >= 0 || isnan(r->residual)) printf("  residual %.2g", r->residual);
    if (r->difference >= 0 || isnan(r->difference)) printf("  difference %.1e", r->difference);
    printf("\n");
    if (r->times) bench_split_print(&r->times[bench_median_run(r, c->rounds)]);
}

static void text_report(const struct bench_options *o, const struct contest *c)
{
    tw_machine m;
    int e = tw_machine_info(&m);

    printf("%cpotrf n=%lld, %s, %d runs, %s kernels, %d CPU workers, %d GPUs, %s\n", tw_type_letter(c->type),
           (long long)c->n, o->kind, c->rounds, e ? "?" : m.blas_core, e ? 0 : m.cpu_workers, e ? 0 : m.cuda_devices,
           e ? "?" : m.sched);
    for (int k = 0; k < CONTESTANTS; k++)
        line(c, (enum contestant)k);
    if (c->ceiling.gflops > 0) {
        printf("  %-24s %.1f Gflop/s: order %lld, kept up for %.3f s on ", "gemm, the ceiling", c->ceiling.gflops,
               (long long)c->ceiling.order, c->ceiling.seconds);
        if (c->ceiling.gpus)
            printf("%d GPU%s\n", c->ceiling.gpus, c->ceiling.gpus > 1 ? "s at once" : "");
        else
            printf("%d cores\n", c->ceiling.threads);
    }
}

/* ---- verdict ----------------------------------------------------------------------------------------------------- */

static int verdict(const struct contest *c)
{
    double tolerance = 1e4 * bench_eps(c->type);
    int e = 0;

    for (int k = 0; k < CONTESTANTS; k++) {
        const struct result *r = &c->result[k];
        if (r->difference >= 0 && !(r->difference <= tolerance))
            e = bench_fail("n = %lld: the factor of %s differs from LAPACK's by %g", (long long)c->n, titles[k],
                           r->difference);
        if ((r->residual >= 0 && !(r->residual <= RESIDUAL_FAILS)) || isnan(r->residual) || isnan(r->difference))
            e = bench_fail("n = %lld: %s: residual %g", (long long)c->n, titles[k], r->residual);
    }
    return e;
}

int bench_potrf_report(const struct bench_options *o, const struct contest *c)
{
    if (o->json)
        json_report(o, c);
    else
        text_report(o, c);
    fflush(stdout);
    return verdict(c);
}
