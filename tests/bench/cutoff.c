/* Localized interactions beside the library's own sum over all pairs, on the same workers: pairs within the cut-off per
 * second of a Verlet step, lists and all. Pairs are counted as the direct sum counts them: what each atom feels from
 * each other one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/tilework.h>

#include "bench/bench.h"

/* Mean number of atoms within the cut-off of an atom: of every k-th one, against all. */
static double neighbours(const tw_atoms *a, double cutoff)
{
    const tw_int step = a->n > 500 ? a->n / 500 : 1;
    tw_int looked = 0;
    double count = 0;

    for (tw_int i = 0; i < a->n; i += step, looked++)
        for (tw_int j = 0; j < a->n; j++) {
            double r2 = 0;
            for (int k = 0; k < 3; k++) {
                double d = fabs(a->x[3 * i + k] - a->x[3 * j + k]);
                d = d > a->box[k] / 2 ? d - a->box[k] : d;
                r2 += d * d;
            }
            count += i != j && r2 < cutoff * cutoff;
        }
    return count / (double)looked;
}

static int bench_has_gpu(void)
{
    tw_machine m;
    return tw_machine_info(&m) == 0 && m.cuda_workers > 0;
}

/* Pairs per second of the direct sum with gradients. */
static int direct(const struct bench_options *o, tw_int n, double *rate)
{
    const tw_int nb = n < 65536 ? n : 65536;
    double best = 0;
    void *x = bench_alloc(4.0 * (double)n * (double)bench_sizeof(o->type));
    tw_matrix *S = NULL, *R = NULL;
    int e = 0;

    for (tw_int i = 0; i < 4 * n; i++)
        if (o->type == TW_FLOAT)
            ((float *)x)[i] = (float)rand() / (float)RAND_MAX;
        else
            ((double *)x)[i] = (double)rand() / RAND_MAX;
    e = tw_matrix_from_lapack(&S, o->type, TW_GENERAL, n, 4, x, n, nb);
    if (!e) e = tw_matrix_create(&R, o->type, TW_GENERAL, n, 3, nb, NULL);
    for (int k = 0; k <= o->repeat && !e; k++) {
        const double begin = bench_seconds();
        e = tw_nbody_direct(0, S, NULL, R);
        best = fmax(best, (double)n * (double)n / (bench_seconds() - begin));
    }
    tw_matrix_destroy(S), tw_matrix_destroy(R);
    free(x);
    *rate = best;
    return e;
}

struct loop {
    tw_int rebuilds;
};
static int note(void *user, const tw_atoms *a, const tw_verlet_state *s)
{
    (void)a;
    ((struct loop *)user)->rebuilds = s->rebuilds;
    return 0;
}

/* Seconds of a run of `steps` steps. */
static int motion(const tw_cutoff *c, tw_atoms *a, double dt, tw_int steps, double *seconds, tw_int *rebuilds)
{
    struct loop l = {0};
    const double begin = bench_seconds();
    const int e = tw_cutoff_verlet(c, a, dt, 0, steps, 0, note, &l);

    *seconds = bench_seconds() - begin;
    *rebuilds = l.rebuilds;
    return e;
}

/* steps: so many that a run takes a second or two; the start (registration, copies, first lists) is left out by a short
 * run's time. */
static int one(const struct bench_options *o, tw_int n, const char *kind, double cutoff, double dt, enum tw_vdw vdw,
               enum tw_electrostatics electrostatics, double peer)
{
    tw_cutoff c;
    tw_atoms a;
    tw_int steps = 5, few = 5, lists[2];
    double seconds[2] = {0}, median[16];
    tw_times times = {0};
    const int repeat = o->repeat < 16 ? o->repeat : 16;
    int e = tw_atoms_generate(&a, kind, n, 1);

    if (e) return bench_fail("cutoff: %s", tw_last_message());
    tw_cutoff_init(&c, cutoff);
    c.type = o->type;
    c.vdw = vdw;
    c.electrostatics = electrostatics;
    c.reuse = 50; /* lists are used until an atom has moved too far */
    const double mean = neighbours(&a, cutoff);
    e = motion(&c, &a, dt, few, &seconds[0], &lists[0]); /* warms up */
    if (!e) e = motion(&c, &a, dt, few, &seconds[0], &lists[0]);
    for (; !e && seconds[1] < 1 && steps < 20000; steps *= 4)
        e = motion(&c, &a, dt, few + 4 * steps, &seconds[1], &lists[1]);
    for (int k = 0; k < repeat && !e; k++) {
        e = motion(&c, &a, dt, few, &seconds[0], &lists[0]);
        if (!e) e = tw_times_start();
        if (!e) e = motion(&c, &a, dt, few + steps, &seconds[1], &lists[1]);
        if (!e) e = tw_times_stop(&times);
        median[k] = (seconds[1] - seconds[0]) / (double)steps;
    }
    if (e) {
        tw_atoms_free(&a);
        return bench_fail("cutoff: %s", tw_last_message());
    }
    const double step = bench_median(repeat, median), rate = mean * (double)a.n / step;
    json_t *j = bench_record(o, "cutoff");
    bench_put(j, "type", json_string(o->type == TW_FLOAT ? "s" : "d"));
    bench_put(j, "n", json_integer(a.n));
    bench_put(j, "kind", json_string(kind));
    bench_put(j, "vdw", json_integer((json_int_t)vdw));
    bench_put(j, "electrostatics", json_integer((json_int_t)electrostatics));
    bench_put(j, "cutoff", bench_real(cutoff));
    bench_put(j, "skin", bench_real(c.skin));
    bench_put(j, "reuse", json_integer(c.reuse));
    bench_put(j, "neighbours", bench_real(mean));
    bench_put(j, "steps", json_integer(steps));
    bench_put(j, "rebuilds", json_integer(lists[1]));
    bench_put(j, "seconds_per_step", bench_real(step));
    bench_put(j, "pairs_per_second", bench_real(rate));
    bench_put(j, "direct_pairs_per_second", bench_real(peer));
    bench_put(j, "ratio", bench_real(rate / peer));
    bench_put(j, "split", bench_split_json(&times)); /* of the last long run, its start and end as well */
    bench_print(o, j);
    if (!o->json)
        printf("cutoff %s %s n %lld cutoff %g: %.1f neighbours, %.3f ms per step, %.3g pairs/s within the cut-off, "
               "%.2f of all pairs' "
               "%.3g pairs/s; %lld lists in %lld steps\n",
               o->type == TW_FLOAT ? "s" : "d", kind, (long long)a.n, cutoff, mean, 1e3 * step, rate, rate / peer, peer,
               (long long)lists[1], (long long)steps);
    tw_atoms_free(&a);
    return 0;
}

int bench_cutoff(const struct bench_options *o)
{
    double peer;

    if (o->type != TW_FLOAT && o->type != TW_DOUBLE) return bench_fail("cutoff: --type s or d");
    if (direct(o, bench_has_gpu() ? 262144 : 16384, &peer)) return bench_fail("cutoff: %s", tw_last_message());
    for (int k = 0; k < o->sizes; k++) {
        int e = one(o, o->n[k], "liquid", 12, 0.02, TW_VDW_CUT, TW_ELECTROSTATICS_NONE, peer);
        if (!e) e = one(o, o->n[k], "liquid", 12, 0.02, TW_VDW_SMOOTH, TW_ELECTROSTATICS_REACTION_FIELD, peer);
        if (!e) e = one(o, o->n[k], "argon", 2.5, 0.004, TW_VDW_CUT, TW_ELECTROSTATICS_NONE, peer);
        if (e) return e;
    }
    return 0;
}
