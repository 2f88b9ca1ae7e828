/* Least squares: Tilework through its doors and LAPACK, in one process, on the same input, taking turns; and what one
 * copy of A takes, by which the bars of tall matrices are told. */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/tilework.h>

#include "bench/bench.h"
#include "checks/checks.h"

enum contestant { TILES, ARRAY, LAPACK, COPY, CONTESTANTS };
static const char *const names[CONTESTANTS] = {"tiles", "lapack_door", "lapack", "copy_in"};
static const char *const titles[CONTESTANTS] = {"Tilework, tiles", "Tilework, LAPACK door", "LAPACK of OpenBLAS",
                                                "one copy of A"};
enum { RESIDUAL_FAILS = 30, ROWS = 200000 };

struct result {
    double residual, difference; /* negative: not done */
};
struct contest {
    const struct bench_options *o;
    tw_int m, n, nrhs, longest;
    int gpu; /* the copy goes to a GPU */
    struct bench_runs runs[CONTESTANTS];
    struct result result[CONTESTANTS];
    void *a, *b;                 /* the input */
    void *array, *x, *reference; /* what a run works on; LAPACK's X */
    tw_matrix *A, *B;
};

static double elements(tw_int m, tw_int n, const struct contest *c)
{
    return (double)m * (double)n * (double)bench_sizeof(c->o->type);
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

struct filling {
    const tw_generator *g;
    tw_int m, ld;
    char *to;
    int failed;
};

static void columns(void *context, int thread, tw_int first, tw_int last)
{
    struct filling *f = context;
    const size_t column = (size_t)f->ld * bench_sizeof(tw_generator_type(f->g));

    (void)thread;
    if (tw_generator_block(f->g, 0, first, f->m, last - first, f->to + (size_t)first * column, f->ld))
        __atomic_store_n(&f->failed, 1, __ATOMIC_RELAXED);
}

/* m x n of leading dimension ld, of what `kind` says. */
static int fill(const struct contest *c, const char *kind, unsigned seed, tw_int m, tw_int n, void *to, tw_int ld)
{
    struct filling f = {.m = m, .ld = ld, .to = to};
    tw_generator *g = NULL;

    if (tw_generator_create(&g, kind, c->o->type, m, n, seed)) return bench_fail("%s: %s", kind, tw_last_message());
    f.g = g;
    bench_parallel(n, 8, columns, &f);
    tw_generator_destroy(g);
    return f.failed ? bench_fail("the input: %s", tw_last_message()) : 0;
}

/* ---- one run, its time in *seconds ------------------------------------------------------------------------------- */

static int lapack_gels(struct contest *c)
{
    const int m = (int)c->m, n = (int)c->n, k = (int)c->nrhs, l = (int)c->longest;

    switch (c->o->type) {
    case TW_FLOAT: return LAPACKE_sgels(LAPACK_COL_MAJOR, 'N', m, n, k, c->array, m, c->x, l);
    case TW_DOUBLE: return LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', m, n, k, c->array, m, c->x, l);
    case TW_COMPLEX_FLOAT: return LAPACKE_cgels(LAPACK_COL_MAJOR, 'N', m, n, k, c->array, m, c->x, l);
    default: return LAPACKE_zgels(LAPACK_COL_MAJOR, 'N', m, n, k, c->array, m, c->x, l);
    }
}

static int array_gels(struct contest *c)
{
    const tw_int m = c->m, n = c->n, k = c->nrhs, l = c->longest;

    switch (c->o->type) {
    case TW_FLOAT: return (int)tw_sgels('N', m, n, k, c->array, m, c->x, l);
    case TW_DOUBLE: return (int)tw_dgels('N', m, n, k, c->array, m, c->x, l);
    case TW_COMPLEX_FLOAT: return (int)tw_cgels('N', m, n, k, c->array, m, c->x, l);
    default: return (int)tw_zgels('N', m, n, k, c->array, m, c->x, l);
    }
}

static int by_arrays(struct contest *c, int (*call)(struct contest *), double *seconds)
{
    double begin;
    int e;

    memcpy(c->array, c->a, (size_t)elements(c->m, c->n, c));
    memcpy(c->x, c->b, (size_t)elements(c->longest, c->nrhs, c));
    bench_rest();
    bench_blas_threads(bench_cores());
    begin = bench_seconds();
    e = call(c);
    *seconds = bench_seconds() - begin;
    return e ? bench_fail("gels: info = %d: %s", e, tw_last_message()) : 0;
}

/* X comes home, A's factors stay where they are. */
static int by_tiles(struct contest *c, double *seconds)
{
    double begin;
    int e;

    if (tw_matrix_set_lapack(c->A, c->a, c->m) || tw_matrix_set_lapack(c->B, c->b, c->longest) ||
        tw_release_to_host(c->A) || tw_release_to_host(c->B))
        return bench_fail("tiles: %s", tw_last_message());
    bench_rest();
    begin = bench_seconds();
    e = tw_gels(TW_NOTRANS, c->A, c->B);
    if (!e) e = tw_release_to_host(c->B);
    *seconds = bench_seconds() - begin;
    if (!e) e = tw_matrix_to_lapack(c->B, c->x, c->longest);
    return e ? bench_fail("tiles: %s: %s", tw_strerror(e), tw_last_message()) : 0;
}

/* From pinned memory to the GPU; without one, from the array into tiles. */
static int by_copy(struct contest *c, double *seconds)
{
    double begin;

    if (c->gpu) return bench_gpu_copy_in(elements(c->m, c->n, c), seconds);
    begin = bench_seconds();
    if (tw_matrix_set_lapack(c->A, c->a, c->m)) return bench_fail("tiles: %s", tw_last_message());
    *seconds = bench_seconds() - begin;
    return 0;
}

static int one_run(void *contest, int who, double *seconds)
{
    struct contest *c = contest;

    return who == TILES    ? by_tiles(c, seconds)
           : who == ARRAY  ? by_arrays(c, array_gels, seconds)
           : who == LAPACK ? by_arrays(c, lapack_gels, seconds)
                           : by_copy(c, seconds);
}

/* ---- right answers ----------------------------------------------------------------------------------------------- */

static double part(enum tw_type t, const void *x, size_t at)
{
    return tw_type_real(t) == TW_FLOAT ? (double)((const float *)x)[at] : ((const double *)x)[at];
}

/* After the first call: X is in c->x. */
static int judge(void *contest, int who)
{
    struct contest *c = contest;
    const enum tw_type t = c->o->type;
    const size_t parts = tw_type_is_complex(t) ? 2 : 1;
    struct result *r = &c->result[who];
    double most = 0, largest = 0;

    if (who == COPY) return 0;
    if (c->o->check) {
        const struct check_array array = {CHECK_GENERAL, t, TW_LOWER, TW_NONUNIT, c->m, c->n, c->a, c->m};
        const struct check_matrix A = check_of_array(&array);
        bench_blas_threads(bench_cores());
        if (check_gels(&A, c->nrhs, c->x, c->longest, c->b, c->longest, &r->residual))
            return bench_fail("--check: not enough memory");
    }
    if (who == LAPACK) {
        memcpy(c->reference, c->x, (size_t)elements(c->longest, c->nrhs, c));
        return 0;
    }
    if (!c->reference) return 0;
    for (tw_int j = 0; j < c->nrhs; j++)
        for (size_t i = 0; i < (size_t)c->n * parts; i++) {
            const size_t at = (size_t)(j * c->longest) * parts + i;
            const double d = fabs(part(t, c->x, at) - part(t, c->reference, at));
            most = check_worse(most, d);
            largest = fmax(largest, fabs(part(t, c->reference, at)));
        }
    r->difference = largest > 0 ? most / largest : most;
    return 0;
}

/* ---- the report -------------------------------------------------------------------------------------------------- */

/* As LAPACK's own counts have it: the factorization, Q^H B and the triangle. */
static double flops(const struct contest *c)
{
    const double l = (double)c->longest, k = (double)(c->m < c->n ? c->m : c->n), nrhs = (double)c->nrhs;

    return (2 * l * k * k - 2 * k * k * k / 3 + nrhs * (4 * l * k - k * k)) * (tw_type_is_complex(c->o->type) ? 4 : 1);
}

static double median(const struct contest *c, enum contestant who)
{
    double *copy = bench_alloc((double)c->o->repeat * sizeof *copy), m;

    memcpy(copy, c->runs[who].seconds, (size_t)c->o->repeat * sizeof *copy);
    m = bench_median(c->o->repeat, copy);
    free(copy);
    return m;
}
static double least(const struct contest *c, enum contestant who)
{
    double m = c->runs[who].seconds[0];

    for (int i = 1; i < c->o->repeat; i++)
        m = fmin(m, c->runs[who].seconds[i]);
    return m;
}
static enum contestant own(const struct contest *c)
{
    return c->runs[TILES].takes_part ? TILES : ARRAY;
}

static json_t *one_result(const struct contest *c, enum contestant who)
{
    const struct result *r = &c->result[who];
    const double m = median(c, who);
    json_t *o = json_object(), *all = json_array();

    for (int i = 0; i < c->o->repeat; i++)
        json_array_append_new(all, json_real(c->runs[who].seconds[i]));
    bench_put(o, "seconds", json_real(m));
    bench_put(o, "min_seconds", json_real(least(c, who)));
    bench_put(o, "first_seconds", json_real(c->runs[who].first));
    bench_put(o, "all_seconds", all);
    if (who == COPY) {
        bench_put(o, "to", json_string(c->gpu ? "GPU" : "tiles"));
        bench_put(o, "bytes_per_second", bench_real(elements(c->m, c->n, c) / m));
        return o;
    }
    bench_put(o, "gflops", bench_real(flops(c) / m * 1e-9));
    if (who != own(c)) bench_put(o, "times_tilework", bench_real(m / median(c, own(c))));
    if (c->runs[COPY].takes_part) bench_put(o, "times_copy_in", bench_real(m / median(c, COPY)));
    if (r->residual >= 0 || isnan(r->residual)) bench_put(o, "residual", bench_real(r->residual));
    if (r->difference >= 0 || isnan(r->difference)) bench_put(o, "difference", bench_real(r->difference));
    if (who == TILES) {
        bench_put(o, "mb", json_integer(tw_matrix_mb(c->A)));
        bench_put(o, "nb", json_integer(tw_matrix_nb(c->A)));
    }
    if (who == LAPACK) bench_put(o, "threads", json_integer(bench_cores()));
    return o;
}

static void line(const struct contest *c, enum contestant who)
{
    const struct result *r = &c->result[who];
    const double m = median(c, who);

    printf("  %-24s %.6f s (min %.6f, first %.6f)", titles[who], m, least(c, who), c->runs[who].first);
    if (who == COPY) {
        printf("  %.2f GB/s, %s\n", elements(c->m, c->n, c) / m * 1e-9,
               c->gpu ? "from pinned memory to the GPU" : "from the array into tiles");
        return;
    }
    printf("  %8.1f Gflop/s", flops(c) / m * 1e-9);
    if (who != own(c)) printf("  %.3f x Tilework's time", m / median(c, own(c)));
    if (c->runs[COPY].takes_part) printf("  %.2f x the copy", m / median(c, COPY));
    if (r->residual >= 0 || isnan(r->residual)) printf("  residual %.2g", r->residual);
    if (r->difference >= 0 || isnan(r->difference)) printf("  difference %.1e", r->difference);
    printf("\n");
}

static int report(const struct contest *c)
{
    json_t *record = bench_contest_record(c->o, "gels", c->m, c->n);
    int e = 0;

    bench_put(record, "nrhs", json_integer(c->nrhs));
    if (!c->o->json)
        printf("%cgels m=%lld n=%lld nrhs=%lld, %s, %d runs\n", tw_type_letter(c->o->type), (long long)c->m,
               (long long)c->n, (long long)c->nrhs, c->o->kind, c->o->repeat);
    for (int k = 0; k < CONTESTANTS; k++) {
        const struct result *r = &c->result[k];
        if (!c->runs[k].takes_part) continue;
        bench_put(record, names[k], one_result(c, (enum contestant)k));
        if (!c->o->json) line(c, (enum contestant)k);
        if (isnan(r->residual) || r->residual > RESIDUAL_FAILS)
            e = bench_fail("%s: residual %g", titles[k], r->residual);
    }
    bench_print(c->o, record);
    return e;
}

/* ---- one size ---------------------------------------------------------------------------------------------------- */

static int enter(struct contest *c)
{
    const enum tw_type t = c->o->type;
    const double a = elements(c->m, c->n, c), b = elements(c->longest, c->nrhs, c);
    tw_int mb = c->o->nb, nb = c->o->nb;

    c->a = bench_alloc(a), c->b = bench_alloc(b), c->x = bench_alloc(b);
    memset(c->b, 0, (size_t)b);
    if (c->runs[ARRAY].takes_part || c->runs[LAPACK].takes_part) c->array = bench_alloc(a);
    if (c->runs[LAPACK].takes_part) c->reference = bench_alloc(b);
    if (fill(c, c->o->kind, 1, c->m, c->n, c->a, c->m) || fill(c, "random", 2, c->m, c->nrhs, c->b, c->longest))
        return 1;
    if (!c->runs[TILES].takes_part) return 0;
    if ((nb == 0 && tw_routine_tiles("gels", t, c->m, c->n, c->nrhs, &mb, &nb)) ||
        tw_matrix_create_tiles(&c->A, t, TW_GENERAL, c->m, c->n, mb, nb, NULL) ||
        tw_matrix_create_tiles(&c->B, t, TW_GENERAL, c->longest, c->nrhs, mb, nb, NULL))
        return bench_fail("tiles: %s", tw_last_message());
    return 0;
}

static void leave(struct contest *c)
{
    tw_matrix_destroy(c->A);
    tw_matrix_destroy(c->B);
    free(c->a), free(c->b), free(c->array), free(c->x), free(c->reference);
    for (int k = 0; k < CONTESTANTS; k++)
        free(c->runs[k].seconds);
}

static int one(const struct bench_options *o, tw_int n)
{
    static const int order[CONTESTANTS] = {LAPACK, COPY, TILES, ARRAY}; /* the others are compared with LAPACK's X */
    struct contest c = {.o = o, .m = o->m ? o->m : ROWS, .n = n, .nrhs = o->nrhs ? o->nrhs : 1};
    tw_machine machine;
    int e;

    c.longest = c.m > n ? c.m : n;
    c.gpu = !tw_machine_info(&machine) && machine.cuda_devices > 0;
    for (int k = 0; k < CONTESTANTS; k++) {
        struct bench_runs *r = &c.runs[k];
        r->takes_part = k == LAPACK  ? (o->peers & BENCH_LAPACK) != 0
                        : k == ARRAY ? (o->doors & BENCH_ARRAY) != 0
                                     : (o->doors & BENCH_TILES) != 0;
        c.result[k].residual = c.result[k].difference = -1;
        r->seconds = bench_alloc((double)o->repeat * sizeof *r->seconds);
    }
    e = enter(&c);
    if (!e) e = bench_take_turns(o, &(struct bench_turns){&c, CONTESTANTS, c.runs, order, one_run, judge});
    if (!e) e = report(&c);
    leave(&c);
    return e;
}

int bench_gels(const struct bench_options *o)
{
    int e = 0;

    for (int i = 0; i < o->sizes; i++)
        if (o->n[i] > INT32_MAX || o->nrhs > INT32_MAX) return bench_fail("gels: more than 2^31 - 1 columns") + 1;
    if ((e = bench_start(o))) return e;
    e = bench_kind_wrong(o, o->m ? o->m : ROWS);
    for (int i = 0; i < o->sizes && e != 2; i++)
        e |= one(o, o->n[i]);
    bench_gpu_release();
    if (tw_finalize() < 0) e |= bench_fail("stopping: %s", tw_last_message());
    return e;
}
