/* BLAS-3: Tilework's functions under BLAS' names beside OpenBLAS' own on all cores, run by run in turn, on the same
 * arrays. Medians of --repeat runs after the first of each. */
#include <cblas.h>
#include <stdlib.h>
#include <tilework/lapack.h>

#include "bench/bench.h"

/* n x n each; A has a large diagonal, so that a triangle of it is sound to solve with, and stays so when it multiplies
 * again and again. */
struct arrays {
    int n;
    double *a, *b, *c;
};

static tw_int ours(int which, const struct arrays *x)
{
    const tw_int n = x->n;

    switch (which) {
    case 0: return tw_dgemm('N', 'N', n, n, n, 1, x->a, n, x->b, n, 0, x->c, n);
    case 1: return tw_dgemm('T', 'N', n, n, n, 1, x->a, n, x->b, n, 0, x->c, n);
    case 2: return tw_dsymm('L', 'L', n, n, 1, x->a, n, x->b, n, 0, x->c, n);
    case 3: return tw_dsyrk('L', 'N', n, n, 1, x->b, n, 0, x->c, n);
    case 4: return tw_dsyr2k('L', 'N', n, n, 1, x->a, n, x->b, n, 0, x->c, n);
    case 5: return tw_dtrmm('L', 'L', 'N', 'N', n, n, 1, x->a, n, x->b, n);
    default: return tw_dtrsm('L', 'L', 'N', 'N', n, n, 1, x->a, n, x->b, n);
    }
}

static void openblas(int which, const struct arrays *x)
{
    const enum CBLAS_ORDER o = CblasColMajor;
    const enum CBLAS_TRANSPOSE no = CblasNoTrans;
    const int n = x->n;

    switch (which) {
    case 0: cblas_dgemm(o, no, no, n, n, n, 1, x->a, n, x->b, n, 0, x->c, n); break;
    case 1: cblas_dgemm(o, CblasTrans, no, n, n, n, 1, x->a, n, x->b, n, 0, x->c, n); break;
    case 2: cblas_dsymm(o, CblasLeft, CblasLower, n, n, 1, x->a, n, x->b, n, 0, x->c, n); break;
    case 3: cblas_dsyrk(o, CblasLower, no, n, n, 1, x->b, n, 0, x->c, n); break;
    case 4: cblas_dsyr2k(o, CblasLower, no, n, n, 1, x->a, n, x->b, n, 0, x->c, n); break;
    case 5: cblas_dtrmm(o, CblasLeft, CblasLower, no, CblasNonUnit, n, n, 1, x->a, n, x->b, n); break;
    default: cblas_dtrsm(o, CblasLeft, CblasLower, no, CblasNonUnit, n, n, 1, x->a, n, x->b, n); break;
    }
}

static const struct {
    const char *name, *letters;
    double flops; /* times n^3 */
} routines[] = {{"gemm", "NN", 2},  {"gemm", "TN", 2},   {"symm", "LL", 2},  {"syrk", "LN", 1},
                {"syr2k", "LN", 2}, {"trmm", "LLNN", 1}, {"trsm", "LLNN", 1}};
enum { ROUTINES = sizeof routines / sizeof *routines };

static void fill(struct arrays *x)
{
    const size_t n = (size_t)x->n;
    uint64_t state = 1;

    for (size_t i = 0; i < n * n; i++) {
        double v[2];
        for (int k = 0; k < 2; k++)
            state = state * 6364136223846793005u + 1442695040888963407u, v[k] = (double)(state >> 11) * 0x1p-53 - 0.5;
        x->a[i] = i % (n + 1) == 0 ? 1 : v[0] / (double)n; /* the product of many with it stays in range */
        x->b[i] = v[1];
        x->c[i] = 0;
    }
}

static int report(const struct bench_options *o, int which, const struct arrays *x, int rounds, double *mine,
                  double *theirs)
{
    const double flops = routines[which].flops * (double)x->n * (double)x->n * (double)x->n,
                 m = bench_median(rounds, mine), t = bench_median(rounds, theirs);
    json_t *record = bench_record(o, "blas3");

    if (!o->json)
        printf(
            "d%-6s%-5s n=%-6d Tilework %9.5f s %7.1f Gflop/s   OpenBLAS %9.5f s %7.1f Gflop/s   ratio of rates %.3f\n",
            routines[which].name, routines[which].letters, x->n, m, flops / m * 1e-9, t, flops / t * 1e-9, t / m);
    bench_put(record, "routine", json_string(routines[which].name));
    bench_put(record, "letters", json_string(routines[which].letters));
    bench_put(record, "type", json_string("d"));
    bench_put(record, "n", json_integer(x->n));
    bench_put(record, "runs", json_integer(rounds));
    bench_put(record, "seconds", bench_real(m));
    bench_put(record, "min_seconds", bench_real(mine[0]));
    bench_put(record, "gflops", bench_real(flops / m * 1e-9));
    bench_put(record, "openblas_seconds", bench_real(t));
    bench_put(record, "openblas_min_seconds", bench_real(theirs[0]));
    bench_put(record, "openblas_gflops", bench_real(flops / t * 1e-9));
    bench_put(record, "of_openblas", bench_real(t / m));
    bench_print(o, record);
    return 0;
}

static int one_order(const struct bench_options *o, struct arrays *x)
{
    const int rounds = o->repeat;
    double *mine = bench_alloc((double)rounds * sizeof *mine), *theirs = bench_alloc((double)rounds * sizeof *theirs);

    for (int which = 0; which < ROUTINES; which++) {
        fill(x);
        for (int k = -1; k < rounds; k++) { /* the first is no measurement */
            double begin;
            bench_blas_threads(bench_cores());
            begin = bench_seconds();
            openblas(which, x);
            if (k >= 0) theirs[k] = bench_seconds() - begin;
            bench_rest();
            begin = bench_seconds();
            if (ours(which, x)) return bench_fail("%s: %s", routines[which].name, tw_last_message());
            if (k >= 0) mine[k] = bench_seconds() - begin;
        }
        report(o, which, x, rounds, mine, theirs);
    }
    free(mine);
    free(theirs);
    return 0;
}

int bench_blas3(const struct bench_options *o)
{
    int e = 0;

    if (o->type != TW_DOUBLE) return bench_fail("blas3: --type d only") + 1;
    if ((e = bench_start(o))) return e;
    for (int i = 0; i < o->sizes && !e; i++) {
        const double bytes = 8.0 * (double)o->n[i] * (double)o->n[i];
        struct arrays x = {(int)o->n[i], bench_alloc(bytes), bench_alloc(bytes), bench_alloc(bytes)};
        e = one_order(o, &x);
        free(x.a), free(x.b), free(x.c);
    }
    return (tw_finalize() < 0) | e;
}
