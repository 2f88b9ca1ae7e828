/* Dense routines on square matrices beside LAPACK, cuSOLVER, the routine that they are told by (mixed precision by
 * double's, pivoted QR by geqrf) and gemm, in one process, on the same input, taking turns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/dense.h"

enum contestant { TILES, PLAIN, LAPACK, RESIDENT, HOST, DEVICE, CONTESTANTS };
static const char *const names[CONTESTANTS] = {"tiles", "plain", "lapack", "cusolver_resident", "cusolver", "device"};
enum { RESIDUAL_FAILS = 30 };

struct result {
    char why[256]; /* it does not take part */
    double residual;
    int iter;
};
struct contest {
    const struct bench_options *o;
    const struct dense_routine *routine, *plain;
    tw_generator *g, *right;
    struct dense_place tiles, array;
    void *input, *b; /* the input, in arrays: for LAPACK and the checks */
    struct bench_gpu_peer *vendor;
    struct dense_place device; /* of DEVICE: its matrix is the array on_gpu */
    void *on_gpu, *kept;       /* that, and the input beside it */
    struct bench_runs runs[CONTESTANTS];
    struct result result[CONTESTANTS];
};

static double bytes(const struct contest *c, tw_int columns)
{
    return (double)c->tiles.n * (double)columns * (double)bench_sizeof(c->o->type);
}
static double flops(const struct contest *c)
{
    const double n = (double)c->tiles.n;
    return (c->routine->cubes * n * n * n + (c->routine->solves ? 2 * n * n * (double)c->tiles.nrhs : 0)) *
           (c->o->type == TW_COMPLEX_FLOAT || c->o->type == TW_COMPLEX_DOUBLE ? 4 : 1);
}

/* ---- one run ----------------------------------------------------------------------------------------------------- */

static int home(struct dense_place *p)
{
    tw_matrix *const all[] = {p->A, p->second, p->B, p->X};
    int e = 0;

    for (int k = 0; k < 4 && !e; k++)
        if (all[k]) e = tw_release_to_host(all[k]);
    return e;
}

static int by_tiles(struct contest *c, const struct dense_routine *r, double *seconds)
{
    struct dense_place *p = &c->tiles;
    double begin;
    int e;

    if (tw_matrix_generate(p->A, c->g) || (p->B && tw_matrix_generate(p->B, c->right)) || home(p))
        return bench_fail("%s: %s", r->name, tw_last_message());
    bench_rest();
    begin = bench_seconds();
    e = r->own(p);
    if (!e) e = home(p);
    *seconds = bench_seconds() - begin;
    return e ? bench_fail("%s: %s%s%s", r->name, tw_strerror(e), *tw_last_message() ? ": " : "", tw_last_message()) : 0;
}

static int by_lapack(struct contest *c, double *seconds)
{
    double begin;
    int e;

    memcpy(c->array.a, c->input, (size_t)bytes(c, c->tiles.n));
    if (c->b) memcpy(c->array.b, c->b, (size_t)bytes(c, c->tiles.nrhs));
    bench_rest();
    bench_blas_threads(bench_cores());
    begin = bench_seconds();
    e = c->routine->lapack(&c->array);
    *seconds = bench_seconds() - begin;
    return e ? bench_fail("LAPACK's %s: info = %d", c->routine->name, e) : 0;
}

static int on_device(struct contest *c, double *seconds)
{
    double begin;
    int e;

    if (bench_gpu_move(c->on_gpu, c->kept, bytes(c, c->tiles.n))) return 1;
    bench_rest();
    begin = bench_seconds();
    e = c->routine->own(&c->device);
    *seconds = bench_seconds() - begin;
    return e ? bench_fail("%s on the GPU's array: %s: %s", c->routine->name, tw_strerror(e), tw_last_message()) : 0;
}

static int one_run(void *contest, int who, double *seconds)
{
    struct contest *c = contest;

    if (who == DEVICE) return on_device(c, seconds);
    return who == TILES    ? by_tiles(c, c->routine, seconds)
           : who == PLAIN  ? by_tiles(c, c->plain, seconds)
           : who == LAPACK ? by_lapack(c, seconds)
           : who == HOST   ? bench_gpu_peer_host(c->vendor, seconds)
                           : bench_gpu_peer_resident(c->vendor, seconds);
}

/* ---- right answers ----------------------------------------------------------------------------------------------- */

/* What the run has left in tiles, or in the GPU's array, in the arrays. */
static int taken_home(struct contest *c, int who)
{
    const struct dense_place *from = who == DEVICE ? &c->device : &c->tiles;
    struct dense_place *to = &c->array;
    const tw_int n = from->n;
    int e = 0;

    if (who == DEVICE && bench_gpu_move(to->a, c->on_gpu, bytes(c, n))) return 1;
    if (who != DEVICE) e = tw_matrix_to_lapack(from->A, to->a, n);

    if (!e && c->routine->second != DENSE_NONE)
        e = tw_matrix_to_lapack(from->second, c->routine->second == DENSE_PIVOTS ? (void *)to->ipiv : to->tau, n);
    if (!e && from->B) e = tw_matrix_to_lapack(from->B, to->b, n);
    if (!e && from->X) e = tw_matrix_to_lapack(from->X, to->x, n);
    if (!e && from->jpvt) memcpy(to->jpvt, from->jpvt, (size_t)n * sizeof *to->jpvt);
    return e ? bench_fail("tiles: %s", tw_last_message()) : 0;
}

static int judge(void *contest, int who)
{
    struct contest *c = contest;
    struct result *r = &c->result[who];
    const struct check_array array = {c->routine->triangle ? c->routine->solves ? CHECK_HERMITIAN : CHECK_TRIANGULAR
                                                           : CHECK_GENERAL,
                                      c->o->type,
                                      TW_LOWER,
                                      TW_NONUNIT,
                                      c->tiles.n,
                                      c->tiles.n,
                                      c->input,
                                      c->tiles.n};
    const struct check_matrix A = check_of_array(&array);

    r->iter = who == LAPACK ? c->array.iter
              : c->vendor && c->routine->refined && (who == RESIDENT || who == HOST)
                  ? bench_cusolver_irs_iter(c->vendor)
                  : c->tiles.iter;
    if (!c->o->check || !c->routine->check || (who != TILES && who != LAPACK && who != DEVICE)) return 0;
    if (who != LAPACK && taken_home(c, who)) return 1;
    bench_blas_threads(bench_cores());
    if (c->routine->check(&A, &c->array, c->b, &r->residual)) return bench_fail("--check: not enough memory");
    return 0;
}

/* ---- the report -------------------------------------------------------------------------------------------------- */

static json_t *one_result(const struct contest *c, enum contestant who, double ceiling)
{
    const struct result *r = &c->result[who];
    const double m = c->runs[who].seconds[(c->o->repeat - 1) / 2]; /* sorted by now */
    const double own = c->runs[TILES].seconds[(c->o->repeat - 1) / 2];
    json_t *o = json_object();

    bench_put(o, "seconds", json_real(m));
    bench_put(o, "min_seconds", json_real(c->runs[who].seconds[0]));
    bench_put(o, "first_seconds", json_real(c->runs[who].first));
    bench_put(o, "gflops", bench_real(flops(c) * (who == PLAIN ? c->plain->cubes / c->routine->cubes : 1) / m * 1e-9));
    if (ceiling > 0) bench_put(o, "gemm_fraction", bench_real(flops(c) / m * 1e-9 / ceiling));
    if (who != TILES) bench_put(o, "times_tilework", bench_real(m / own));
    if (who == RESIDENT && c->runs[DEVICE].takes_part)
        bench_put(o, "times_device", bench_real(m / c->runs[DEVICE].seconds[(c->o->repeat - 1) / 2]));
    if (r->residual >= 0 || isnan(r->residual)) bench_put(o, "residual", bench_real(r->residual));
    if (c->routine->refined && who != PLAIN) bench_put(o, "iter", json_integer(r->iter));
    if (who == TILES) bench_put(o, "nb", json_integer(tw_matrix_nb(c->tiles.A)));
    if (who == LAPACK) bench_put(o, "threads", json_integer(bench_cores()));
    return o;
}

static void line(const struct contest *c, enum contestant who, double ceiling)
{
    const struct result *r = &c->result[who];
    const double m = c->runs[who].seconds[(c->o->repeat - 1) / 2], own = c->runs[TILES].seconds[(c->o->repeat - 1) / 2];

    printf("  %-18s %.6f s (min %.6f, first %.6f)", who == PLAIN ? c->plain->name : names[who], m,
           c->runs[who].seconds[0], c->runs[who].first);
    if (who != PLAIN) printf("  %8.1f Gflop/s", flops(c) / m * 1e-9);
    if (who == TILES && ceiling > 0) printf("  %.3f of gemm", flops(c) / m * 1e-9 / ceiling);
    if (who != TILES) printf("  %.3f x Tilework's time", m / own);
    if (r->residual >= 0 || isnan(r->residual)) printf("  residual %.2g", r->residual);
    if (c->routine->refined && who != PLAIN) printf("  iter %d", r->iter);
    printf("\n");
}

static int report(struct contest *c)
{
    const char *const name = c->routine->name;
    json_t *record = bench_contest_record(c->o, name, 0, c->tiles.n);
    struct bench_ceiling ceiling = {.gflops = 0};
    int e = 0;

    for (int k = 0; k < CONTESTANTS; k++)
        if (c->runs[k].takes_part) (void)bench_median(c->o->repeat, c->runs[k].seconds);
    if (c->o->gemm) {
        const double m = c->runs[TILES].seconds[(c->o->repeat - 1) / 2];
        ceiling = bench_ceiling(c->o->type, c->tiles.n, m > 0.05 ? m : 0.05);
        bench_put(record, "gemm",
                  json_pack("{s:f, s:I}", "gflops", ceiling.gflops, "order", (json_int_t)ceiling.order));
    }
    if (c->routine->solves) bench_put(record, "nrhs", json_integer(c->tiles.nrhs));
    if (c->plain) bench_put(record, "plain_routine", json_string(c->plain->name));
    if (!c->o->json)
        printf("%c%s n=%lld, %s, %d runs\n", tw_type_letter(c->o->type), name, (long long)c->tiles.n, c->o->kind,
               c->o->repeat);
    for (int k = 0; k < CONTESTANTS; k++) {
        const struct result *r = &c->result[k];
        if (!c->runs[k].takes_part) {
            if (*r->why) bench_put(record, names[k], json_pack("{s:s}", "skipped", r->why));
            if (*r->why && !c->o->json) printf("  %-18s left out: %s\n", names[k], r->why);
            continue;
        }
        bench_put(record, names[k], one_result(c, (enum contestant)k, ceiling.gflops));
        if (!c->o->json) line(c, (enum contestant)k, ceiling.gflops);
        if (isnan(r->residual) || r->residual > RESIDUAL_FAILS)
            e = bench_fail("%s: residual %g", names[k], r->residual);
    }
    bench_print(c->o, record);
    return e;
}

/* ---- one order --------------------------------------------------------------------------------------------------- */

static int tiles_begin(struct contest *c)
{
    struct dense_place *p = &c->tiles;
    const struct dense_routine *r = c->routine;
    const enum tw_type t = p->type;
    const tw_int nb = c->o->nb ? c->o->nb : tw_routine_nb(r->name, t, p->n, p->n, p->nrhs, NULL);

    if (tw_generator_create(&c->g, c->o->kind, t, p->n, p->n, 1) ||
        (r->solves && tw_generator_create(&c->right, "random", t, p->n, p->nrhs, 2)))
        return bench_fail("%s: %s", c->o->kind, tw_last_message());
    if (tw_matrix_create(&p->A, t, r->triangle ? TW_LOWER : TW_GENERAL, p->n, p->n, nb, NULL) ||
        (r->second == DENSE_PIVOTS && tw_pivots_create(&p->second, p->A)) ||
        (r->second == DENSE_TAU && tw_tau_create(&p->second, p->A)) ||
        (r->solves && tw_matrix_create_tiles(&p->B, t, TW_GENERAL, p->n, p->nrhs, nb, nb, NULL)) ||
        (r->refined && tw_matrix_create_tiles(&p->X, t, TW_GENERAL, p->n, p->nrhs, nb, nb, NULL)))
        return bench_fail("tiles: %s", tw_last_message());
    return 0;
}

/* Bytes of main memory: the library's matrices, and arrays of LAPACK and of the checks beside them. */
static double needed(const struct contest *c)
{
    const double n = (double)c->tiles.n, square = bytes(c, c->tiles.n);
    const int arrays = c->runs[LAPACK].takes_part || c->o->check;

    return (c->runs[DEVICE].takes_part ? square : 0) + (c->routine->triangle ? square * (n + 1) / (2 * n) : square) +
           (arrays ? 2 * square : 0) + (c->routine->solves ? bytes(c, c->tiles.nrhs) * (arrays ? 5 : 2) : 0);
}

static int arrays_begin(struct contest *c)
{
    struct dense_place *p = &c->array;
    const double one = (double)bench_sizeof(p->type);

    p->jpvt = bench_alloc((double)p->n * sizeof *p->jpvt);
    c->tiles.jpvt = bench_alloc((double)p->n * sizeof *p->jpvt);
    if (!c->runs[LAPACK].takes_part && !c->o->check) return 0;
    c->input = bench_alloc(bytes(c, p->n)), p->a = bench_alloc(bytes(c, p->n));
    p->ipiv = bench_alloc((double)p->n * sizeof *p->ipiv), p->tau = bench_alloc((double)p->n * one);
    if (bench_generate(c->g, p->n, c->input)) return 1;
    if (!c->routine->solves) return 0;
    c->b = bench_alloc(bytes(c, p->nrhs)), p->b = bench_alloc(bytes(c, p->nrhs)), p->x = bench_alloc(bytes(c, p->nrhs));
    return tw_generator_block(c->right, 0, 0, p->n, p->nrhs, c->b, p->n)
               ? bench_fail("the right-hand sides: %s", tw_last_message())
               : 0;
}

static void vendor_begin(struct contest *c)
{
    struct bench_runs *const r = &c->runs[RESIDENT], *const h = &c->runs[HOST];
    char why[256] = "it has no such routine";

    if (!r->takes_part && !h->takes_part) return;
    if (c->routine->vendor >= DENSE_IRS)
        c->vendor = bench_cusolver_irs_open(c->routine->vendor == DENSE_IRS_HALF, c->o->type, c->tiles.n, c->tiles.nrhs,
                                            c->g, c->right, h->takes_part, why);
    else if (c->routine->vendor)
        c->vendor = bench_cusolver_factor_open((enum bench_factorization)(c->routine->vendor - 1), c->o->type,
                                               c->tiles.n, c->g, h->takes_part, why);
    if (c->vendor) return;
    for (int k = RESIDENT; k <= HOST; k++)
        if (c->runs[k].takes_part) snprintf(c->result[k].why, sizeof c->result[k].why, "%s", why);
    r->takes_part = h->takes_part = 0;
}

static int device_begin(struct contest *c)
{
    struct dense_place *const p = &c->device;
    const double size = bytes(c, c->tiles.n);
    const tw_int nb = tw_matrix_nb(c->tiles.A);
    void *input;
    int e;

    if (!c->runs[DEVICE].takes_part) return 0;
    c->runs[DEVICE].takes_part = 0;
    if (!c->routine->device || bench_gpu_count() == 0) {
        snprintf(c->result[DEVICE].why, sizeof c->result[DEVICE].why,
                 c->routine->device ? "no GPU is visible" : "not of this routine");
        return 0;
    }
    *p = (struct dense_place){.type = c->o->type, .n = c->tiles.n, .nrhs = c->tiles.nrhs, .jpvt = c->tiles.jpvt};
    input = bench_alloc(size);
    c->on_gpu = bench_gpu_array(size), c->kept = bench_gpu_array(size);
    e = bench_generate(c->g, p->n, input);
    if (!e && (!c->on_gpu || !c->kept)) e = bench_fail("two arrays of %.0f bytes do not fit the GPU", size);
    if (!e) e = bench_gpu_move(c->kept, input, size);
    free(input);
    if (e) return e;
    if (tw_matrix_wrap_device_tiles(&p->A, p->type, TW_GENERAL, p->n, p->n, c->on_gpu, p->n, nb, nb, 0) ||
        (c->routine->second == DENSE_PIVOTS && tw_pivots_create(&p->second, p->A)) ||
        (c->routine->second == DENSE_TAU && tw_tau_create(&p->second, p->A)))
        return bench_fail("the array on the GPU: %s", tw_last_message());
    c->runs[DEVICE].takes_part = 1;
    return 0;
}

static void end(struct contest *c)
{
    struct dense_place *const t = &c->tiles, *const a = &c->array;

    bench_gpu_peer_close(c->vendor);
    tw_matrix_destroy(t->A), tw_matrix_destroy(t->second), tw_matrix_destroy(t->B), tw_matrix_destroy(t->X);
    tw_matrix_destroy(c->device.A), tw_matrix_destroy(c->device.second);
    bench_gpu_array_free(c->on_gpu), bench_gpu_array_free(c->kept);
    tw_generator_destroy(c->g), tw_generator_destroy(c->right);
    free(t->jpvt), free(a->jpvt), free(a->a), free(a->tau), free(a->b), free(a->x), free(a->ipiv);
    free(c->input), free(c->b);
    for (int k = 0; k < CONTESTANTS; k++)
        free(c->runs[k].seconds);
}

static int one(const struct bench_options *o, const struct dense_routine *routine, tw_int n)
{
    struct contest c = {.o = o, .routine = routine, .plain = routine->plain ? dense_routine(routine->plain) : NULL};
    int e;

    c.tiles = c.array = (struct dense_place){.type = o->type, .n = n, .nrhs = o->nrhs ? o->nrhs : 1};
    for (int k = 0; k < CONTESTANTS; k++) {
        struct bench_runs *r = &c.runs[k];
        r->takes_part = k == TILES      ? 1
                        : k == PLAIN    ? c.plain != NULL
                        : k == LAPACK   ? (o->peers & BENCH_LAPACK) && routine->lapack
                        : k == RESIDENT ? (o->peers & BENCH_CUSOLVER_RESIDENT) != 0
                        : k == DEVICE   ? (o->peers & BENCH_DEVICE) != 0
                                        : (o->peers & BENCH_CUSOLVER_HOST) != 0;
        if (k == LAPACK && (o->peers & BENCH_LAPACK) && !routine->lapack)
            snprintf(c.result[k].why, sizeof c.result[k].why, "it has no such routine");
        c.result[k].residual = -1;
        r->seconds = bench_alloc((double)o->repeat * sizeof *r->seconds);
    }
    e = bench_too_large(needed(&c));
    if (!e) e = tiles_begin(&c) || arrays_begin(&c);
    if (!e) vendor_begin(&c);
    if (!e) e = device_begin(&c);
    if (!e) e = bench_take_turns(o, &(struct bench_turns){&c, CONTESTANTS, c.runs, NULL, one_run, judge});
    if (!e) e = report(&c);
    end(&c);
    return e;
}

int bench_dense(const struct bench_options *o)
{
    const struct dense_routine *routine = dense_routine(o->argv[1]);
    int e = 0;

    if (!routine) return bench_fail("%s: there is no benchmark of this name", o->argv[1]) + 1;
    if (routine->refined && o->type != TW_DOUBLE && o->type != TW_COMPLEX_DOUBLE)
        return bench_fail("%s: types d and z alone", routine->name) + 1;
    if ((e = bench_start(o))) return e;
    e = bench_kind_wrong(o, 0);
    if (!e && (o->peers & BENCH_CUSOLVER_HOST)) bench_gpu_reserve(bench_largest(o));
    for (int i = 0; i < o->sizes && e != 2; i++) {
        const int status = one(o, routine, o->n[i]);
        e = status > e ? status : e;
    }
    bench_gpu_release();
    if (tw_finalize() < 0) e |= bench_fail("stopping: %s", tw_last_message());
    return e;
}
