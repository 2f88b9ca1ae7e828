/* Cholesky: peers and Tilework through each door, on the same input, taking turns; medians. Every factor is compared with
 * LAPACK's, so that nobody wins by being wrong. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/tilework.h>

#include "bench/bench.h"

struct contest {
    enum tw_type type;
    tw_int n, nb;
    void *input, *work, *reference;
    double *lapack, *door, *tiles; /* seconds of each run */
    double difference;
    uint64_t tasks;
    int tries_tiles;
};

static void fresh(struct contest *c)
{
    memcpy(c->work, c->input, (size_t)c->n * (size_t)c->n * bench_sizeof(c->type));
}

static int by_lapack(struct contest *c, int r)
{
    double begin;
    int info;

    fresh(c);
    bench_blas_threads(bench_cores());
    begin = bench_seconds();
    info = bench_lapack_potrf(c->type, c->n, c->work);
    c->lapack[r] = bench_seconds() - begin;
    if (r == 0) memcpy(c->reference, c->work, (size_t)c->n * (size_t)c->n * bench_sizeof(c->type));
    return info ? bench_fail("LAPACK: info = %d", info) : 0;
}

static void compare(struct contest *c, int r)
{
    double d;
    if (r) return;
    d = bench_difference(c->type, c->n, c->reference, c->work);
    if (!(d <= c->difference)) c->difference = d;
}

static int by_door(struct contest *c, int r)
{
    double begin;
    tw_int info;

    fresh(c);
    tw_counters_reset();
    begin = bench_seconds();
    info = bench_tilework_potrf(c->type, c->n, c->work);
    c->door[r] = bench_seconds() - begin;
    if (info) return bench_fail("Tilework: info = %lld: %s", (long long)info, tw_last_message());
    if (r == 0 && tw_is_running()) {
        tw_counters counters;
        tw_counters_get(&counters);
        c->tasks = counters.tasks;
    }
    compare(c, r);
    return 0;
}

static int by_tiles(struct contest *c, int r, tw_matrix *A)
{
    double begin;
    int e;

    if ((e = tw_matrix_set_lapack(A, c->input, c->n)) || (e = tw_release_to_host(A)))
        return bench_fail("tiles: %s", tw_last_message());
    begin = bench_seconds();
    e = tw_potrf(TW_LOWER, A);
    if (!e) e = tw_release_to_host(A);
    c->tiles[r] = bench_seconds() - begin;
    if (e) return bench_fail("tiles: %s: %s", tw_strerror(e), tw_last_message());
    if (r == 0 && (e = tw_matrix_to_lapack(A, c->work, c->n))) return bench_fail("tiles: %s", tw_last_message());
    compare(c, r);
    return 0;
}

/* One warming round, then `rounds` that count. Long runs rest in between, so that BLAS threads which still spin are out of the
 * way of whoever comes next; for short ones the caller's own threads are what a program would see. */
static int compete(struct contest *c, int rounds)
{
    int large = c->tries_tiles, e = 0;
    tw_matrix *A = NULL;

    if (large && tw_matrix_create(&A, c->type, TW_LOWER, c->n, c->n, c->nb, NULL))
        return bench_fail("tiles: %s", tw_last_message());
    if (A) c->nb = tw_matrix_nb(A);
    for (int r = -1; r < rounds && !e; r++) {
        int slot = r < 0 ? 0 : r;
        if (large) bench_rest();
        e = by_lapack(c, slot);
        if (large) bench_rest();
        if (!e) e = by_door(c, slot);
        if (large) bench_rest();
        if (!e && large) e = by_tiles(c, slot, A);
    }
    tw_matrix_destroy(A);
    return e;
}

static void gpu_peer(const struct bench_options *o, struct contest *c, json_t *record, double flops)
{
    double resident, home, difference;

    if (!o->cusolver) return;
    if (bench_gpu_potrf(c->type, c->n, c->input, o->repeat, &resident, &home, c->work)) return;
    difference = bench_difference(c->type, c->n, c->reference, c->work);
    json_object_set_new(record, "cusolver_resident_seconds", json_real(resident));
    json_object_set_new(record, "cusolver_host_seconds", json_real(home));
    json_object_set_new(record, "cusolver_difference", json_real(difference));
    if (!o->json)
        printf("%40s cusolver: resident %.4f s %.1f Gflop/s, host to host %.4f s %.1f Gflop/s\n", "", resident,
               flops / resident * 1e-9, home, flops / home * 1e-9);
}

static int report(const struct bench_options *o, struct contest *c, int rounds)
{
    double flops = bench_potrf_flops(c->type, (double)c->n), tolerance = 1e4 * (c->type % 2 ? 0x1p-53 : 0x1p-24);
    double lapack = bench_median(rounds, c->lapack), door = bench_median(rounds, c->door), tiles = NAN;
    json_t *record = bench_record(o, "potrf");
    const char *core = json_string_value(json_object_get(json_object_get(record, "machine"), "blas_core"));
    char letter[2] = {"sdcz"[c->type], 0};

    json_t *result =
        json_pack("{s:s, s:I, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:I}", "type", letter, "n", (json_int_t)c->n,
                  "runs", rounds, "lapack_threads", bench_cores(), "lapack_seconds", lapack, "lapack_gflops",
                  flops / lapack * 1e-9, "door_seconds", door, "door_gflops", flops / door * 1e-9, "door_ratio",
                  lapack / door, "difference", c->difference, "door_tasks", (json_int_t)c->tasks);
    if (c->tries_tiles) {
        tiles = bench_median(rounds, c->tiles);
        json_object_update_new(result,
                               json_pack("{s:f, s:f, s:f, s:I}", "tiles_seconds", tiles, "tiles_gflops",
                                         flops / tiles * 1e-9, "tiles_ratio", lapack / tiles, "nb", (json_int_t)c->nb));
    }
    json_object_update_new(record, result);
    if (!o->json) {
        printf("%cpotrf n=%-6lld %s x%d  lapack %.6f s %7.1f Gflop/s | lapack door %.6f s %7.1f Gflop/s ratio %.3f",
               letter[0], (long long)c->n, core ? core : "?", bench_cores(), lapack, flops / lapack * 1e-9, door,
               flops / door * 1e-9, lapack / door);
        if (c->tries_tiles)
            printf(" | tiles nb=%lld %.6f s %7.1f Gflop/s ratio %.3f", (long long)c->nb, tiles, flops / tiles * 1e-9,
                   lapack / tiles);
        printf(" | difference %.1e\n", c->difference);
    }
    gpu_peer(o, c, record, flops);
    bench_print(o, record);
    return c->difference <= tolerance
               ? 0
               : bench_fail("n = %lld: the factors differ by %g", (long long)c->n, c->difference);
}

static int one_size(const struct bench_options *o, tw_int n)
{
    struct contest c = {.type = o->type, .n = n, .nb = o->nb, .tries_tiles = n > 512};
    int rounds = c.tries_tiles ? o->repeat : o->repeat < 301 ? 301 : o->repeat, e;
    double bytes = (double)n * (double)n * (double)bench_sizeof(o->type);

    c.input = bench_alloc(bytes);
    c.work = bench_alloc(bytes);
    c.reference = bench_alloc(bytes);
    c.lapack = bench_alloc(3.0 * rounds * sizeof(double));
    c.door = c.lapack + rounds;
    c.tiles = c.door + rounds;
    bench_fill_spd(o->type, n, c.input);
    e = compete(&c, rounds);
    if (!e) e = report(o, &c, rounds);
    free(c.input);
    free(c.work);
    free(c.reference);
    free(c.lapack);
    return e;
}

int bench_potrf(const struct bench_options *o)
{
    int e = 0;
    tw_options options;

    tw_options_init(&options);
    options.nb = o->nb;
    options.progress = 0;
    if (tw_init(&options)) return bench_fail("starting: %s", tw_last_message());
    for (int i = 0; i < o->sizes; i++)
        e |= one_size(o, o->n[i]);
    if (tw_finalize() < 0) e |= bench_fail("stopping: %s", tw_last_message());
    return e;
}
