/* Cholesky: Tilework through its doors and the peers, in one process, on the same input, taking turns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/tilework.h>

#include "bench/potrf.h"

/* What the contestants work on. */
struct arena {
    const struct bench_options *o;
    struct contest *c;
    tw_generator *g;
    tw_matrix *A;    /* tiles */
    void *array;     /* of LAPACK and of the LAPACK door: plain malloc */
    void *reference; /* LAPACK's factor */
    struct bench_gpu_peer *cusolver, *mg;
    int large; /* beyond the orders that are LAPACK's alone */
};

/* ---- the contestants: one run each, its time in *seconds --------------------------------------------------------- */

static int by_lapack(struct arena *a, double *seconds)
{
    double begin;
    int info;

    if (bench_generate(a->g, a->c->n, a->array)) return 1;
    if (a->large) bench_rest();
    bench_blas_threads(bench_cores());
    begin = bench_seconds();
    info = bench_lapack_potrf(a->c->type, a->c->n, a->array);
    *seconds = bench_seconds() - begin;
    return info ? bench_fail("LAPACK: info = %d", info) : 0;
}

/* Recording touches what small problems, which LAPACK solves in microseconds, would notice: it is left out there. */
static int start_times(struct arena *a)
{
    return a->large && tw_times_start() ? bench_fail("times: %s", tw_last_message()) : 0;
}
static int stop_times(struct arena *a, tw_times *times)
{
    return a->large && tw_times_stop(times) ? bench_fail("times: %s", tw_last_message()) : 0;
}

static int by_array(struct arena *a, double *seconds, tw_times *times)
{
    double begin;
    tw_int info;

    if (bench_generate(a->g, a->c->n, a->array)) return 1;
    if (a->large && a->c->result[LAPACK].takes_part) bench_rest();
    if (start_times(a)) return 1;
    begin = bench_seconds();
    info = bench_tilework_potrf(a->c->type, a->c->n, a->array);
    *seconds = bench_seconds() - begin;
    if (stop_times(a, times)) return 1;
    return info ? bench_fail("Tilework: info = %lld: %s", (long long)info, tw_last_message()) : 0;
}

static int by_tiles(struct arena *a, double *seconds, tw_times *times)
{
    double begin;
    int e;

    if ((e = tw_matrix_generate(a->A, a->g)) || (e = tw_release_to_host(a->A)))
        return bench_fail("tiles: %s", tw_last_message());
    if (a->c->result[LAPACK].takes_part) bench_rest();
    if (start_times(a)) return 1;
    begin = bench_seconds();
    e = tw_potrf(TW_LOWER, a->A);
    if (!e) e = tw_release_to_host(a->A);
    *seconds = bench_seconds() - begin;
    if (stop_times(a, times)) return 1;
    return e ? bench_fail("tiles: %s: %s", tw_strerror(e), tw_last_message()) : 0;
}

static int one_run(struct arena *a, enum contestant who, double *seconds, tw_times *times)
{
    switch (who) {
    case TILES: return by_tiles(a, seconds, times);
    case ARRAY: return by_array(a, seconds, times);
    case LAPACK: return by_lapack(a, seconds);
    case CUSOLVER_RESIDENT: return bench_gpu_peer_resident(a->cusolver, seconds);
    case CUSOLVER_HOST: return bench_gpu_peer_host(a->cusolver, seconds);
    case MG_RESIDENT: return bench_gpu_peer_resident(a->mg, seconds);
    default: return bench_gpu_peer_host(a->mg, seconds);
    }
}

/* ---- right answers ----------------------------------------------------------------------------------------------- */

/* The array that holds this contestant's factor after its run; NULL: none does. */
static const void *factor_of(const struct arena *a, enum contestant who)
{
    switch (who) {
    case ARRAY:
    case LAPACK: return a->array;
    case CUSOLVER_HOST: return bench_gpu_peer_factor(a->cusolver);
    case MG_HOST: return bench_gpu_peer_factor(a->mg);
    default: return NULL;
    }
}

/* After the first call: nobody wins by being wrong. */
static int judge(struct arena *a, enum contestant who)
{
    struct result *r = &a->c->result[who];
    const void *factor = factor_of(a, who);
    tw_int n = a->c->n;

    if (who == TILES) {
        if (a->o->check && bench_residual_tiles(a->g, a->A, &r->residual)) return 1;
        if (!a->reference) return 0;
        if (tw_matrix_to_lapack(a->A, a->array, n)) return bench_fail("tiles: %s", tw_last_message());
        factor = a->array;
    } else if (a->o->check && factor) {
        r->residual = bench_residual_array(a->g, a->c->type, n, factor);
    }
    if (who == LAPACK)
        memcpy(a->reference, factor, (size_t)n * (size_t)n * bench_sizeof(a->c->type));
    else if (a->reference && factor)
        r->difference = bench_difference(a->c->type, n, a->reference, factor);
    return 0;
}

/* ---- the contest ------------------------------------------------------------------------------------------------- */

/* LAPACK first: the others are compared with its factor. */
static int compete(struct arena *a)
{
    static const enum contestant order[CONTESTANTS] = {LAPACK,        TILES,       ARRAY,  CUSOLVER_RESIDENT,
                                                       CUSOLVER_HOST, MG_RESIDENT, MG_HOST};
    struct contest *c = a->c;

    for (int round = -1; round < c->rounds; round++)
        for (int k = 0; k < CONTESTANTS; k++) {
            struct result *r = &c->result[order[k]];
            tw_times first;
            if (!r->takes_part) continue;
            if (one_run(a, order[k], round < 0 ? &r->first : &r->seconds[round],
                        round < 0 || !r->times ? &first : &r->times[round]))
                return 1;
            if (round < 0 && judge(a, order[k])) return 1;
        }
    return 0;
}

static void peer_on_gpu(struct arena *a, int resident, int host, struct bench_gpu_peer **peer,
                        struct bench_gpu_peer *(*open)(enum tw_type, tw_int, const tw_generator *, int, char *))
{
    struct result *r = &a->c->result[resident], *h = &a->c->result[host];
    char why[256] = "";

    if (!r->takes_part && !h->takes_part) return;
    if ((*peer = open(a->c->type, a->c->n, a->g, h->takes_part, why))) return;
    if (r->takes_part) memcpy(r->skipped, why, sizeof why);
    if (h->takes_part) memcpy(h->skipped, why, sizeof why);
    r->takes_part = h->takes_part = 0;
}

static int enter(struct arena *a)
{
    struct contest *c = a->c;
    double bytes = (double)c->n * (double)c->n * (double)bench_sizeof(c->type);

    if (tw_generator_create(&a->g, a->o->kind, c->type, c->n, c->n, 1)) return bench_fail("%s", tw_last_message());
    if (!tw_generator_is_spd(a->g)) return bench_fail("--kind %s: not positive definite", a->o->kind);
    if (c->result[TILES].takes_part) {
        if (tw_matrix_create(&a->A, c->type, TW_LOWER, c->n, c->n, a->o->nb, NULL))
            return bench_fail("tiles: %s", tw_last_message());
        c->result[TILES].nb = tw_matrix_nb(a->A);
    }
    if (c->result[ARRAY].takes_part || c->result[LAPACK].takes_part) a->array = bench_alloc(bytes);
    if (c->result[LAPACK].takes_part) a->reference = bench_alloc(bytes);
    peer_on_gpu(a, CUSOLVER_RESIDENT, CUSOLVER_HOST, &a->cusolver, bench_cusolver_open);
    peer_on_gpu(a, MG_RESIDENT, MG_HOST, &a->mg, bench_cusolvermg_open);
    return 0;
}

static void leave(struct arena *a)
{
    bench_gpu_peer_close(a->cusolver);
    bench_gpu_peer_close(a->mg);
    tw_matrix_destroy(a->A);
    tw_generator_destroy(a->g);
    free(a->array);
    free(a->reference);
}

int bench_median_run(const struct result *r, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        int below = 0, equal = 0;
        for (int j = 0; j < rounds; j++)
            below += r->seconds[j] < r->seconds[i], equal += r->seconds[j] == r->seconds[i];
        if (below <= (rounds - 1) / 2 && (rounds - 1) / 2 < below + equal) return i;
    }
    return 0;
}

static void who_takes_part(const struct bench_options *o, struct contest *c, int large)
{
    static const int peer[CONTESTANTS] = {[LAPACK] = BENCH_LAPACK,
                                          [CUSOLVER_RESIDENT] = BENCH_CUSOLVER_RESIDENT,
                                          [CUSOLVER_HOST] = BENCH_CUSOLVER_HOST,
                                          [MG_RESIDENT] = BENCH_CUSOLVERMG_RESIDENT,
                                          [MG_HOST] = BENCH_CUSOLVERMG_HOST};

    for (int k = 0; k < CONTESTANTS; k++) {
        struct result *r = &c->result[k];
        r->takes_part = k == TILES   ? o->doors == BENCH_TILES || (large && o->doors & BENCH_TILES)
                        : k == ARRAY ? (o->doors & BENCH_ARRAY) != 0
                                     : (o->peers & peer[k]) != 0;
        r->residual = r->difference = -1;
        r->seconds = bench_alloc((double)c->rounds * sizeof *r->seconds);
        r->times = large && k <= ARRAY ? bench_alloc((double)c->rounds * sizeof *r->times) : NULL;
    }
}

static void measure_ceiling(const struct bench_options *o, struct contest *c)
{
    enum contestant who = c->result[TILES].takes_part ? TILES : ARRAY;

    if (!o->gemm) return;
    c->ceiling = bench_ceiling(c->type, c->n, c->result[who].seconds[bench_median_run(&c->result[who], c->rounds)]);
}

static int one_size(const struct bench_options *o, tw_int n)
{
    int large = n > 512;
    struct contest c = {.type = o->type, .n = n, .rounds = large || o->repeat_given ? o->repeat : 301};
    struct arena a = {.o = o, .c = &c, .large = large};
    int e;

    who_takes_part(o, &c, large);
    e = enter(&a);
    if (!e) e = compete(&a);
    leave(&a);
    if (!e) measure_ceiling(o, &c);
    if (!e) e = bench_potrf_report(o, &c);
    for (int k = 0; k < CONTESTANTS; k++) {
        free(c.result[k].seconds);
        free(c.result[k].times);
    }
    return e;
}

int bench_potrf(const struct bench_options *o)
{
    int e = 0;

    if (bench_start(o)) return 1;
    if (o->peers & (BENCH_CUSOLVER_HOST | BENCH_CUSOLVERMG_HOST)) bench_gpu_reserve(bench_largest(o));
    for (int i = 0; i < o->sizes; i++)
        e |= one_size(o, o->n[i]);
    bench_gpu_release();
    if (tw_finalize() < 0) e |= bench_fail("stopping: %s", tw_last_message());
    return e;
}
