/* How far LU, QR and Cholesky work ahead: fixed depths (TILEWORK_LOOKAHEAD) and what the library does by itself, on the
 * same input, taking turns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/tilework.h>

#include "bench/bench.h"

enum { DEPTHS = 16, ROUTINES = 3 };
static const char *const routines[ROUTINES] = {"getrf", "geqrf", "potrf"};

struct contest {
    const struct bench_options *o;
    int routine, depths;
    char name[DEPTHS][12];
    double *seconds[DEPTHS];
    tw_matrix *A, *second; /* pivots, tau, or NULL */
    tw_generator *g;
};

static int split(const char *text, struct contest *c)
{
    char copy[256], *state = NULL;

    if (strlen(text) >= sizeof copy) return bench_fail("--lookahead: too long") + 1;
    memcpy(copy, text, strlen(text) + 1);
    for (char *word = strtok_r(copy, ",", &state); word; word = strtok_r(NULL, ",", &state)) {
        const int is_auto = !strcmp(word, "auto");
        if (c->depths == DEPTHS || strlen(word) > 6 || (!is_auto && strspn(word, "0123456789") != strlen(word)))
            return bench_fail("--lookahead %s: expected depths and auto, %d at most, such as 0,1,2,auto", text,
                              DEPTHS) +
                   1;
        memcpy(c->name[c->depths++], word, strlen(word) + 1);
    }
    return c->depths ? 0 : bench_fail("--lookahead: expected depths, such as 0,1,2,auto") + 1;
}

static int one_run(const struct contest *c, const char *depth, double *seconds)
{
    double begin;
    int e;

    if (tw_matrix_generate(c->A, c->g) || tw_release_to_host(c->A)) return bench_fail("tiles: %s", tw_last_message());
    if (setenv("TILEWORK_LOOKAHEAD", depth, 1)) return bench_fail("TILEWORK_LOOKAHEAD could not be set");
    begin = bench_seconds();
    e = c->routine == 0   ? tw_getrf(c->A, c->second)
        : c->routine == 1 ? tw_geqrf(c->A, c->second)
                          : tw_potrf(TW_LOWER, c->A);
    if (!e) e = tw_release_to_host(c->A);
    *seconds = bench_seconds() - begin;
    unsetenv("TILEWORK_LOOKAHEAD");
    return e ? bench_fail("%s: %s: %s", routines[c->routine], tw_strerror(e), tw_last_message()) : 0;
}

static int compete(struct contest *c)
{
    for (int round = -1; round < c->o->repeat; round++) /* the first is no measurement */
        for (int k = 0; k < c->depths; k++) {
            double seconds = 0;
            if (one_run(c, c->name[k], &seconds)) return 1;
            if (round >= 0) c->seconds[k][round] = seconds;
        }
    return 0;
}

static void report(const struct contest *c, tw_int n)
{
    char letter[2] = {tw_type_letter(c->o->type), 0};
    json_t *record = bench_record(c->o, "lookahead"), *depths = json_object();
    double best = INFINITY, own = 0;
    const char *which = "";

    bench_put(record, "routine", json_string(routines[c->routine]));
    bench_put(record, "type", json_string(letter));
    bench_put(record, "n", json_integer(n));
    bench_put(record, "nb", json_integer(tw_matrix_nb(c->A)));
    bench_put(record, "runs", json_integer(c->o->repeat));
    if (!c->o->json)
        printf("%s%s n=%lld nb=%lld, %d runs\n", letter, routines[c->routine], (long long)n,
               (long long)tw_matrix_nb(c->A), c->o->repeat);
    for (int k = 0; k < c->depths; k++) {
        const double m = bench_median(c->o->repeat, c->seconds[k]); /* sorted by then */
        bench_put(depths, c->name[k], json_pack("{s:f, s:f}", "seconds", m, "min_seconds", c->seconds[k][0]));
        if (!c->o->json) printf("  depth %-6s %.6f s (min %.6f)\n", c->name[k], m, c->seconds[k][0]);
        if (!strcmp(c->name[k], "auto"))
            own = m;
        else if (m < best)
            best = m, which = c->name[k];
    }
    bench_put(record, "depths", depths);
    if (isfinite(best)) bench_put(record, "best", json_string(which));
    if (own > 0 && isfinite(best)) {
        bench_put(record, "auto_of_best", bench_real(best / own));
        if (!c->o->json) printf("  auto: %.3f x the rate of the best fixed depth, %s\n", best / own, which);
    }
    bench_print(c->o, record);
}

static int one(struct contest *c, tw_int n)
{
    const enum tw_type t = c->o->type;
    const char *kind = c->routine == 2 ? "spd" : "random", *name = routines[c->routine];
    int e;

    e = tw_generator_create(&c->g, kind, t, n, n, 1);
    if (!e)
        e = tw_matrix_create(&c->A, t, c->routine == 2 ? TW_LOWER : TW_GENERAL, n, n,
                             c->o->nb ? c->o->nb : tw_routine_nb(name, t, n, n, 0, NULL), NULL);
    if (!e && c->routine < 2) e = c->routine ? tw_tau_create(&c->second, c->A) : tw_pivots_create(&c->second, c->A);
    if (e) bench_fail("%s: %s", name, tw_last_message());
    if (!e && !(e = compete(c))) report(c, n);
    tw_matrix_destroy(c->A), tw_matrix_destroy(c->second), tw_generator_destroy(c->g);
    c->A = c->second = NULL, c->g = NULL;
    return e != 0;
}

int bench_lookahead(const struct bench_options *o)
{
    struct contest c = {.o = o};
    int e = split(o->ahead ? o->ahead : "0,1,2,auto", &c);

    if (e || (e = bench_start(o))) return e;
    if ((e = bench_too_large(bench_largest(o)))) return tw_finalize(), e;
    for (int k = 0; k < c.depths; k++)
        c.seconds[k] = bench_alloc((double)o->repeat * sizeof *c.seconds[k]);
    for (int i = 0; i < o->sizes; i++)
        for (c.routine = 0; c.routine < ROUTINES; c.routine++)
            e |= one(&c, o->n[i]);
    for (int k = 0; k < c.depths; k++)
        free(c.seconds[k]);
    if (tw_finalize() < 0) e |= bench_fail("stopping: %s", tw_last_message());
    return e;
}
