/* The periodic box, the plane, Yukawa's kernel and Stokes flow on a GPU: against direct sums, against the CPU's way,
 * the same bits twice; and the kernel that counts. (The tests of these routines also run with TILEWORK_FMM_PATH=gpu:
 * tests/gpu/run.sh.) Skipped where there is no GPU. */
#include "algorithms/nbody/series.h"
#include "nbody/counting.h"
#include "nbody/points.h"

/* ---- counting ---------------------------------------------------------------------------------------------------- */

/* The first two levels of a periodic tree, on the host. */
static void pass(const struct tw_series *s, int level, int n, const struct tw_series_pair *pair, double *work)
{
    (void)s, (void)level, (void)work;
    for (int k = 0; k < n; k++)
        pair[k].dst[0] += pair[k].src[0];
}
/* All images beyond the neighbours: as if there were 1000. */
static void beyond(const struct tw_series *s, const double *M, double *L)
{
    (void)s;
    L[0] += 1000 * M[0];
}

static void counting_loop(struct tw_sequence *seq, void *p)
{
    static const struct tw_series_ops ops = {.m2m = pass, .m2l = pass, .l2l = pass, .beyond = beyond};
    const struct tw_series_problem *q = p;
    struct tw_series first = {.ops = &ops, .length = {8, 8}, .work = 8};
    struct tw_gpu_problem gpu = tw_series_for_gpu("counting", q, TW_GPU_COUNTING, 0, 1);

    gpu.leaf = 20;
    if (q->side > 0) gpu.first = &first;
    tw_gpu_loop(seq, &gpu);
}

static void everybody_counts(void **state)
{
    (void)state;
    for (int kind = 0; kind < TT_NPLACES; kind++)
        for (int periodic = 0; periodic < 2; periodic++) {
            tt_count(counting_loop, kind, kind, 30000, 10000, 1, periodic ? 2.5 : 0);
            tt_count(counting_loop, kind, TT_UNIFORM, 800, 3000, 2, periodic ? 1 : 0);
        }
    tt_count(counting_loop, TT_UNIFORM, TT_UNIFORM, 1, 1, 1, 0);
    tt_count(counting_loop, TT_UNIFORM, TT_UNIFORM, 1, 1, 1, 1);
}

/* ---- the routines ------------------------------------------------------------------------------------------------ */

enum routine { PERIODIC, PLANE, YUKAWA, STOKES, ROUTINES };
static const char *const name[] = {"periodic", "plane", "yukawa", "stokes"};
static const double kappa = 3, corner[3] = {-40, -40, -40};

/* Results: the potential (Stokes: the velocity) and the gradient (Stokes: the pressure), so many of each per point. */
static int components(enum routine r, int part)
{
    return r == STOKES ? (part ? 1 : 3) : part ? (r == PLANE ? 2 : 3) : 1;
}
static void run(enum routine r, double eps, tw_int n, const double *x, const double *q, double *const out[2])
{
    int e = 0;
    switch (r) {
    case PERIODIC:
        e = tw_fmm3d_periodic(eps, TW_TINFOIL, corner, 80, 1, n, x, q, out[0], out[1], 0, NULL, NULL, NULL);
        break;
    case PLANE: e = tw_fmm2d(eps, 1, n, x, q, out[0], out[1], 0, NULL, NULL, NULL); break;
    case YUKAWA: e = tw_yukawa3d(eps, kappa, 1, n, x, q, out[0], out[1], 0, NULL, NULL, NULL); break;
    case STOKES: e = tw_stokes3d(eps, 1, n, x, q, out[0], out[1], 0, NULL, NULL, NULL); break;
    case ROUTINES: break;
    }
    tt_expect_info(e, 0, name[r]);
}

/* Results at target x: the potential or velocity, then the gradient or pressure. */
static void direct(enum routine r, tw_int n, const double *y, const double *q, const double *x, double u[4])
{
    const int dim = r == PLANE ? 2 : 3;
    long double sum[4] = {0};
    for (tw_int j = 0; j < n; j++) {
        double d[3] = {0}, r2 = 0, along = 0;
        for (int k = 0; k < dim; k++) {
            d[k] = x[k] - y[dim * j + k];
            r2 += d[k] * d[k];
            if (r == STOKES) along += q[3 * j + k] * d[k];
        }
        if (r2 == 0) continue;
        const double length = sqrt(r2), w = r == YUKAWA ? q[j] * exp(-kappa * length) / length : 0;
        sum[0] += r == PLANE ? q[j] * log(length) : w;
        for (int k = 0; k < dim; k++) {
            if (r == PLANE) sum[1 + k] += q[j] * d[k] / r2;
            if (r == YUKAWA) sum[1 + k] -= w * (1 + kappa * length) / r2 * d[k];
            if (r == STOKES) sum[k] += q[3 * j + k] / length + along * d[k] / (r2 * length);
        }
        if (r == STOKES) sum[3] += along / (r2 * length);
    }
    for (int k = 0; k < 4; k++)
        u[k] = (double)sum[k];
}

enum { N = 20000, CHECKED = 1000 };

/* Direct sums at CHECKED targets: 4 numbers each. */
static void sums(enum routine r, const double *x, const double *q, double *to)
{
    const int dim = r == PLANE ? 2 : 3;
    for (tw_int i = 0; i < CHECKED && r != PERIODIC; i++) /* the box: test_periodic.c, by Ewald's sum */
        direct(r, N, x, q, x + dim * (i * (N / CHECKED)), to + 4 * i);
}
static void check(enum routine r, enum tt_places kind, double eps, const double *sum, double *const out[2])
{
    for (int part = 0; part < 2 && r != PERIODIC; part++) {
        const int c = components(r, part), first = part ? components(r, 0) : 0;
        double *want = malloc((size_t)(CHECKED * c) * 8), *got = malloc((size_t)(CHECKED * c) * 8);
        for (tw_int i = 0; i < CHECKED * c; i++) {
            want[i] = sum[4 * (i / c) + first + i % c];
            got[i] = out[part][i / c * (N / CHECKED) * c + i % c];
        }
        tt_within(tt_relative(got, want, CHECKED * c), part ? 10 * eps : eps, "%-8s %-10s eps %.0e part %d", name[r],
                  tt_place_name[kind], eps, part);
        free(want), free(got);
    }
}

/* Twice on the GPU, once on CPUs. */
static void three_times(enum routine r, double eps, const double *x, const double *q, double *const out[3][2])
{
    for (int time = 0; time < 3; time++) {
        setenv("TILEWORK_FMM_PATH", time < 2 ? "gpu" : "cpu", 1);
        run(r, eps, N, x, q, out[time]);
    }
    setenv("TILEWORK_FMM_PATH", "gpu", 1);
    for (int part = 0; part < 2; part++) {
        const tw_int count = N * components(r, part);
        assert_memory_equal(out[0][part], out[1][part], (size_t)count * 8);
        assert_memory_not_equal(out[0][part], out[2][part], (size_t)count * 8); /* it was another way */
        tt_within(tt_relative(out[0][part], out[2][part], count), (part ? 20 : 2) * eps,
                  "%-8s eps %.0e GPU and CPU, part %d", name[r], eps, part);
    }
}

static void two_ways(enum routine r)
{
    static const double eps[] = {1e-4, 1e-9};
    static const enum tt_places kinds[] = {TT_UNIFORM, TT_PLUMMER};
    double *out[3][2], *sum = malloc(4 * CHECKED * 8);
    for (int k = 0; k < 6; k++)
        out[k / 2][k % 2] = malloc(3 * N * 8);
    for (int k = 0; k < 2; k++) {
        double *x = tt_places(kinds[k], r == PLANE ? 2 : 3, N, 3), *q = tt_charges(3 * N, 4);
        sums(r, x, q, sum);
        for (int e = 0; e < 2; e++) {
            three_times(r, eps[e], x, q, out);
            check(r, kinds[k], eps[e], sum, out[0]);
        }
        free(x), free(q);
    }
    for (int k = 0; k < 6; k++)
        free(out[k / 2][k % 2]);
    free(sum);
}
static void periodic(void **state)
{
    (void)state, two_ways(PERIODIC);
}
static void plane(void **state)
{
    (void)state, two_ways(PLANE);
}
static void yukawa(void **state)
{
    (void)state, two_ways(YUKAWA);
}
static void stokes(void **state)
{
    (void)state, two_ways(STOKES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everybody_counts), cmocka_unit_test(periodic),
                                       cmocka_unit_test(plane), cmocka_unit_test(yukawa), cmocka_unit_test(stokes)};
    setenv("TILEWORK_FMM_PATH", "gpu", 1);
    if (tw_init(NULL)) return 1;
    if (tw_gpus() == 0) {
        printf("skipped: no GPU\n");
        return 77;
    }
    return tt_run(tests);
}
