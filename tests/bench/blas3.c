/* BLAS-3: Tilework's functions under BLAS' names beside OpenBLAS' own on all cores, run by run in turn, on the same
 * arrays (--door lapack); or its routines on matrices of the library, main memory to main memory (--door tiles).
 * Medians of --repeat runs after the first of each, and gemm kept up as long as one takes. */
#include <cblas.h>
#include <stdlib.h>
#include <tilework/lapack.h>
#include <tilework/tilework.h>

#include "bench/bench.h"

#define ONLY(o, which) (!(o)->only || (o)->only & 1 << (which))

/* n x n each; A has a large diagonal, so that a triangle of it is sound to solve with, and stays so when it multiplies
 * again and again. */
struct arrays {
    int n;
    tw_int nb;
    double *a, *b, *c;
    tw_matrix *A, *B, *C, *L; /* in place of these; L: A's lower triangle */
};

enum { GEMM, GEMM_T, SYMM, SYRK, SYR2K, TRMM, TRSM, ROUTINES };
static const struct {
    const char *name, *letters;
    double flops; /* times n^3 */
} routines[ROUTINES] = {{"gemm", "NN", 2},  {"gemm", "TN", 2},   {"symm", "LL", 2},  {"syrk", "LN", 1},
                        {"syr2k", "LN", 2}, {"trmm", "LLNN", 1}, {"trsm", "LLNN", 1}};

static tw_int on_arrays(int which, const struct arrays *x)
{
    const tw_int n = x->n;

    switch (which) {
    case GEMM: return tw_dgemm('N', 'N', n, n, n, 1, x->a, n, x->b, n, 0, x->c, n);
    case GEMM_T: return tw_dgemm('T', 'N', n, n, n, 1, x->a, n, x->b, n, 0, x->c, n);
    case SYMM: return tw_dsymm('L', 'L', n, n, 1, x->a, n, x->b, n, 0, x->c, n);
    case SYRK: return tw_dsyrk('L', 'N', n, n, 1, x->b, n, 0, x->c, n);
    case SYR2K: return tw_dsyr2k('L', 'N', n, n, 1, x->a, n, x->b, n, 0, x->c, n);
    case TRMM: return tw_dtrmm('L', 'L', 'N', 'N', n, n, 1, x->a, n, x->b, n);
    default: return tw_dtrsm('L', 'L', 'N', 'N', n, n, 1, x->a, n, x->b, n);
    }
}

static int on_tiles(int which, const struct arrays *x)
{
    static const tw_scalar one = {1, 0}, zero = {0, 0};
    int e;

    switch (which) {
    case GEMM: e = tw_gemm(TW_NOTRANS, TW_NOTRANS, one, x->A, x->B, zero, x->C); break;
    case GEMM_T: e = tw_gemm(TW_TRANS, TW_NOTRANS, one, x->A, x->B, zero, x->C); break;
    case SYMM: e = tw_symm(TW_LEFT, TW_LOWER, one, x->L, x->B, zero, x->C); break;
    case SYRK: e = tw_syrk(TW_LOWER, TW_NOTRANS, one, x->B, zero, x->L); break;
    case SYR2K: e = tw_syr2k(TW_LOWER, TW_NOTRANS, one, x->A, x->B, zero, x->L); break;
    case TRMM: e = tw_trmm(TW_LEFT, TW_LOWER, TW_NOTRANS, TW_NONUNIT, one, x->L, x->B); break;
    default: e = tw_trsm(TW_LEFT, TW_LOWER, TW_NOTRANS, TW_NONUNIT, one, x->L, x->B); break;
    }
    if (!e) e = tw_release_to_host(which >= TRMM ? x->B : which >= SYRK ? x->L : x->C);
    return e;
}

static void openblas(int which, const struct arrays *x)
{
    const enum CBLAS_ORDER o = CblasColMajor;
    const enum CBLAS_TRANSPOSE no = CblasNoTrans;
    const int n = x->n;

    switch (which) {
    case GEMM: cblas_dgemm(o, no, no, n, n, n, 1, x->a, n, x->b, n, 0, x->c, n); break;
    case GEMM_T: cblas_dgemm(o, CblasTrans, no, n, n, n, 1, x->a, n, x->b, n, 0, x->c, n); break;
    case SYMM: cblas_dsymm(o, CblasLeft, CblasLower, n, n, 1, x->a, n, x->b, n, 0, x->c, n); break;
    case SYRK: cblas_dsyrk(o, CblasLower, no, n, n, 1, x->b, n, 0, x->c, n); break;
    case SYR2K: cblas_dsyr2k(o, CblasLower, no, n, n, 1, x->a, n, x->b, n, 0, x->c, n); break;
    case TRMM: cblas_dtrmm(o, CblasLeft, CblasLower, no, CblasNonUnit, n, n, 1, x->a, n, x->b, n); break;
    default: cblas_dtrsm(o, CblasLeft, CblasLower, no, CblasNonUnit, n, n, 1, x->a, n, x->b, n); break;
    }
}

/* ---- the input --------------------------------------------------------------------------------------------------- */

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

static int fill_tiles(struct arrays *x)
{
    tw_generator *g = NULL, *h = NULL;
    int e = tw_generator_create(&g, "dominant", TW_DOUBLE, x->n, x->n, 1);

    if (!e) e = tw_generator_create(&h, "random", TW_DOUBLE, x->n, x->n, 2);
    if (!e) e = tw_matrix_generate(x->A, g);
    if (!e && x->L) e = tw_matrix_generate(x->L, g);
    if (!e) e = tw_matrix_generate(x->B, h);
    if (!e) e = tw_matrix_generate(x->C, h);
    if (!e) e = tw_release_to_host(x->A);
    if (!e && x->L) e = tw_release_to_host(x->L);
    if (!e) e = tw_release_to_host(x->B);
    if (!e) e = tw_release_to_host(x->C);
    tw_generator_destroy(g), tw_generator_destroy(h);
    return e ? bench_fail("the input: %s", tw_last_message()) : 0;
}

/* In the tiles that this routine has by itself. */
static tw_int own_nb(const struct bench_options *o, const struct arrays *x, int which)
{
    return o->nb ? o->nb : tw_routine_nb(routines[which].name, TW_DOUBLE, x->n, x->n, x->n, NULL);
}

static int begin(const struct bench_options *o, struct arrays *x)
{
    const tw_int n = x->n, nb = x->nb;
    const double bytes = 8.0 * (double)n * (double)n;

    const int triangle = o->doors & BENCH_TILES && o->only != 1 << GEMM;

    if (bench_too_large((triangle ? 3.5 : 3) * bytes)) return 2;
    if (o->doors & BENCH_TILES)
        return tw_matrix_create(&x->A, TW_DOUBLE, TW_GENERAL, n, n, nb, NULL) ||
                       tw_matrix_create(&x->B, TW_DOUBLE, TW_GENERAL, n, n, nb, NULL) ||
                       tw_matrix_create(&x->C, TW_DOUBLE, TW_GENERAL, n, n, nb, NULL) ||
                       (triangle && tw_matrix_create(&x->L, TW_DOUBLE, TW_LOWER, n, n, nb, NULL))
                   ? bench_fail("tiles: %s", tw_last_message())
                   : 0;
    x->a = bench_alloc(bytes), x->b = bench_alloc(bytes), x->c = bench_alloc(bytes);
    return 0;
}

static void end(struct arrays *x)
{
    tw_matrix_destroy(x->A), tw_matrix_destroy(x->B), tw_matrix_destroy(x->C), tw_matrix_destroy(x->L);
    x->A = x->B = x->C = x->L = NULL;
    free(x->a), free(x->b), free(x->c);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

struct times {
    double first, *mine, *theirs; /* theirs: NULL where OpenBLAS has no part */
};

static void report(const struct bench_options *o, int which, const struct arrays *x, const struct times *r)
{
    const double flops = routines[which].flops * (double)x->n * (double)x->n * (double)x->n,
                 m = bench_median(o->repeat, r->mine), t = r->theirs ? bench_median(o->repeat, r->theirs) : 0;
    const struct bench_ceiling ceiling =
        o->gemm ? bench_ceiling(TW_DOUBLE, x->n, m > 0.05 ? m : 0.05) : (struct bench_ceiling){.gflops = 0};
    json_t *record = bench_record(o, "blas3");

    if (!o->json) {
        printf("d%-6s%-5s n=%-6d Tilework %9.5f s (first %.5f) %8.1f Gflop/s", routines[which].name,
               routines[which].letters, x->n, m, r->first, flops / m * 1e-9);
        if (t > 0) printf("   OpenBLAS %9.5f s %7.1f Gflop/s   ratio of rates %.3f", t, flops / t * 1e-9, t / m);
        if (ceiling.gflops > 0) printf("   %.3f of gemm", flops / m * 1e-9 / ceiling.gflops);
        printf("\n");
    }
    bench_put(record, "routine", json_string(routines[which].name));
    bench_put(record, "letters", json_string(routines[which].letters));
    bench_put(record, "door", json_string(o->doors & BENCH_TILES ? "tiles" : "lapack"));
    bench_put(record, "type", json_string("d"));
    bench_put(record, "n", json_integer(x->n));
    if (x->A) bench_put(record, "nb", json_integer(x->nb));
    bench_put(record, "runs", json_integer(o->repeat));
    bench_put(record, "seconds", bench_real(m));
    bench_put(record, "min_seconds", bench_real(r->mine[0]));
    bench_put(record, "first_seconds", bench_real(r->first));
    bench_put(record, "gflops", bench_real(flops / m * 1e-9));
    if (t > 0) {
        bench_put(record, "openblas_seconds", bench_real(t));
        bench_put(record, "openblas_min_seconds", bench_real(r->theirs[0]));
        bench_put(record, "openblas_gflops", bench_real(flops / t * 1e-9));
        bench_put(record, "of_openblas", bench_real(t / m));
    }
    if (ceiling.gflops > 0) {
        bench_put(record, "gemm_gflops", bench_real(ceiling.gflops));
        bench_put(record, "gemm_fraction", bench_real(flops / m * 1e-9 / ceiling.gflops));
    }
    bench_print(o, record);
}

/* One run of OpenBLAS', where it takes part, and one of ours; k < 0: the first, which is no measurement. */
static int one_turn(int which, struct arrays *x, int k, struct times *r)
{
    double begun, mine;

    if (r->theirs) {
        bench_blas_threads(bench_cores());
        begun = bench_seconds();
        openblas(which, x);
        if (k >= 0) r->theirs[k] = bench_seconds() - begun;
    }
    bench_rest();
    begun = bench_seconds();
    if (x->A ? on_tiles(which, x) : (int)on_arrays(which, x))
        return bench_fail("%s: %s", routines[which].name, tw_last_message());
    mine = bench_seconds() - begun;
    if (k < 0)
        r->first = mine;
    else
        r->mine[k] = mine;
    return 0;
}

static int one_order(const struct bench_options *o, struct arrays *x)
{
    const int beside = !x->A && o->peers & BENCH_LAPACK;
    struct times r = {.mine = bench_alloc((double)o->repeat * sizeof *r.mine),
                      .theirs = beside ? bench_alloc((double)o->repeat * sizeof *r.theirs) : NULL};
    int e = 0;

    for (int which = 0; which < ROUTINES && !e; which++) {
        if (!ONLY(o, which)) continue;
        if (x->A && x->nb != own_nb(o, x, which)) {
            end(x);
            x->nb = own_nb(o, x, which);
            if ((e = begin(o, x))) break;
        }
        if (x->A)
            e = fill_tiles(x);
        else
            fill(x);
        for (int k = -1; k < o->repeat && !e; k++)
            e = one_turn(which, x, k, &r);
        if (!e) report(o, which, x, &r);
    }
    free(r.mine);
    free(r.theirs);
    return e;
}

int bench_blas3(const struct bench_options *o)
{
    struct bench_options usual = *o;
    int e = 0;

    if (o->type != TW_DOUBLE) return bench_fail("blas3: --type d only") + 1;
    if (usual.doors == (BENCH_TILES | BENCH_ARRAY)) usual.doors = BENCH_ARRAY; /* nothing was said */
    if ((e = bench_start(o))) return e;
    for (int i = 0; i < o->sizes && !e; i++) {
        struct arrays x = {.n = (int)o->n[i]};
        x.nb = own_nb(&usual, &x, GEMM);
        e = begin(&usual, &x);
        if (!e) e = one_order(&usual, &x);
        end(&x);
    }
    return (tw_finalize() < 0) | e;
}
