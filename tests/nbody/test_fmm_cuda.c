/* The multipole method on a GPU: against direct sums for every tolerance and distribution, against the CPU's way,
 * charge vectors, targets, float, edges, the same bits twice. Skipped where there is no GPU. */
#include "algorithms/nbody/fmm.h"
#include "nbody/points.h"

enum { CHECKED = 1000 };

/* ---- direct sums ------------------------------------------------------------------------------------------------- */

/* Potential and gradient of charge vector d of nd at x. */
static void direct(tw_int nd, tw_int d, tw_int ns, const double *s, const double *q, const double *x, double u[4])
{
    long double sum[4] = {0};
    for (tw_int j = 0; j < ns; j++) {
        const double dx = s[3 * j] - x[0], dy = s[3 * j + 1] - x[1], dz = s[3 * j + 2] - x[2],
                     r2 = dx * dx + dy * dy + dz * dz;
        if (r2 == 0) continue;
        const double h = 1 / sqrt(r2), w = q[d + nd * j] * h, g = w * h * h;
        sum[0] += w, sum[1] += g * dx, sum[2] += g * dy, sum[3] += g * dz;
    }
    for (int k = 0; k < 4; k++)
        u[k] = (double)sum[k];
}

struct problem {
    tw_int nd, ns, nt;
    const double *s, *q, *t;
};

/* Direct sums at about CHECKED targets, `step` apart: potentials and gradients of all charge vectors. */
struct sums {
    tw_int step, n;
    double *pot, *grad;
};
static struct sums sums_of(const struct problem *p)
{
    const tw_int step = p->nt > CHECKED ? p->nt / CHECKED : 1, n = (p->nt + step - 1) / step * p->nd;
    const struct sums s = {step, n, malloc((size_t)n * 8), malloc((size_t)n * 24)};
    tw_int at = 0;
    for (tw_int i = 0; i < p->nt; i += step)
        for (tw_int d = 0; d < p->nd; d++, at++) {
            double u[4];
            direct(p->nd, d, p->ns, p->s, p->q, p->t + 3 * i, u);
            s.pot[at] = u[0];
            for (int k = 0; k < 3; k++)
                s.grad[3 * at + k] = u[1 + k];
        }
    return s;
}

/* Errors there: at most eps and 10 eps. pot or grad may be NULL. */
static void compare(const char *what, double eps, const struct problem *p, const struct sums *s, const double *pot,
                    const double *grad)
{
    double *a[2] = {malloc((size_t)s->n * 8), malloc((size_t)s->n * 24)};
    tw_int at = 0;
    for (tw_int i = 0; i < p->nt; i += s->step)
        for (tw_int d = 0; d < p->nd; d++, at++) {
            a[0][at] = pot ? pot[d + p->nd * i] : 0;
            for (int k = 0; k < 3; k++)
                a[1][3 * at + k] = grad ? grad[d + p->nd * (k + 3 * i)] : 0;
        }
    if (pot) tt_within(tt_relative(a[0], s->pot, s->n), eps, "%-10s eps %.0e potential", what, eps);
    if (grad) tt_within(tt_relative(a[1], s->grad, 3 * s->n), 10 * eps, "%-10s eps %.0e gradient ", what, eps);
    free(a[0]), free(a[1]);
}
static void expect(const char *what, double eps, const struct problem *p, const double *pot, const double *grad)
{
    const struct sums s = sums_of(p);
    compare(what, eps, p, &s, pot, grad);
    free(s.pot), free(s.grad);
}

/* ---- tolerances -------------------------------------------------------------------------------------------------- */

/* Every tolerance with the leaves that suit it, and small leaves, so that expansions do most of the work and trees are
 * deep. */
static void tolerances(void **state)
{
    static const double eps[] = {1e-3, 1e-6, 1e-9, 1e-12};
    static const int leaves[] = {25, 60, 150, 400};
    enum { N = 12000 };
    double *q = tt_charges(N, 2), *pot = malloc(N * 8), *grad = malloc(N * 24);
    (void)state;
    for (int kind = 0; kind < TT_NPLACES; kind++) {
        double *x = tt_places((enum tt_places)kind, 3, N, 1);
        const struct problem p = {1, N, N, x, q, x};
        const struct sums s = sums_of(&p);
        for (int k = 0; k < 4; k++)
            for (int small = 0; small < 2; small++) {
                struct tw_fmm_problem f = {.source = {TW_DOUBLE, x, N}, .nd = 1, .charge = q, .pot = pot, .grad = grad};
                if (small) f.leaf = leaves[k];
                tt_expect_info(tw_fmm_call("tw_fmm3d", NULL, eps[k], &f), 0, "fmm");
                compare(tt_place_name[kind], eps[k], &p, &s, pot, grad);
            }
        free(x), free(s.pot), free(s.grad);
    }
    free(q), free(pot), free(grad);
}

/* Far more points, sums of a few: many cells, batches of pairs, all of the launches' sizes. */
static void many_points(void **state)
{
    enum { N = 400000 };
    double *x = tt_places(TT_PLUMMER, 3, N, 5), *q = tt_charges(N, 6), *pot = malloc(N * 8);
    const struct problem p = {1, N, N, x, q, x};
    struct tw_fmm_problem f = {.source = {TW_DOUBLE, x, N}, .nd = 1, .charge = q, .pot = pot, .leaf = 20};
    (void)state;
    tt_expect_info(tw_fmm_call("tw_fmm3d", NULL, 1e-4, &f), 0, "fmm");
    expect("many", 1e-4, &p, pot, NULL);
    free(x), free(q), free(pot);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static void vectors_and_targets(void **state)
{
    enum { N = 5000, M = 4000, ND = 3 };
    double *x = tt_places(TT_PLUMMER, 3, N, 3), *y = tt_places(TT_UNIFORM, 3, M, 4), *q = tt_charges(ND * N, 5),
           *pot = malloc(ND * N * 8), *pottarg = malloc(ND * M * 8), *gradtarg = malloc(ND * M * 24);
    const struct problem here = {ND, N, N, x, q, x}, there = {ND, N, M, x, q, y};
    tw_sequence *seq;
    (void)state;
    assert_int_equal(tw_sequence_create(&seq), 0);
    tt_expect_info(tw_fmm3d_async(1e-6, ND, N, x, q, pot, NULL, M, y, pottarg, gradtarg, seq), 0, "queue");
    tt_expect_info(tw_sequence_wait(seq), 0, "wait");
    expect("sources", 1e-6, &here, pot, NULL);
    expect("targets", 1e-6, &there, pottarg, gradtarg);
    memset(pottarg, 0, ND * M * 8);
    tt_expect_info(tw_fmm3d(1e-4, ND, N, x, q, NULL, NULL, M, y, pottarg, NULL), 0, "targets only");
    expect("targets", 1e-4, &there, pottarg, NULL);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    free(x), free(y), free(q), free(pot), free(pottarg), free(gradtarg);
}

static void single(void **state)
{
    enum { N = 5000 };
    double *x = tt_places(TT_UNIFORM, 3, N, 8), *q = tt_charges(N, 9), *pot = malloc(N * 8), *grad = malloc(N * 24);
    float *fx = malloc(N * 12), *fq = malloc(N * 4), *fpot = malloc(N * 4), *fgrad = malloc(N * 12);
    const struct problem p = {1, N, N, x, q, x};
    (void)state;
    for (int i = 0; i < 3 * N; i++)
        x[i] = fx[i] = (float)x[i];
    for (int i = 0; i < N; i++)
        q[i] = fq[i] = (float)q[i];
    tt_expect_info(tw_sfmm3d(1e-5, 1, N, fx, fq, fpot, fgrad, 0, NULL, NULL, NULL), 0, "sfmm3d");
    for (int i = 0; i < N; i++)
        pot[i] = fpot[i];
    for (int i = 0; i < 3 * N; i++)
        grad[i] = fgrad[i];
    expect("float", 1e-5, &p, pot, grad);
    free(x), free(q), free(pot), free(grad), free(fx), free(fq), free(fpot), free(fgrad);
}

static void few_points(void **state)
{
    double x[6] = {1, 2, 3, 1, 2, 5}, q[2] = {7, 11}, pot[2] = {-1, -1}, grad[6], y[3] = {1e140, 0, 0}, u = -1;
    (void)state;
    tt_expect_info(tw_fmm3d(1e-6, 1, 1, x, q, pot, grad, 0, NULL, NULL, NULL), 0, "one");
    assert_true(pot[0] == 0 && grad[0] == 0);
    tt_expect_info(tw_fmm3d(1e-6, 1, 2, x, q, pot, grad, 1, y, &u, NULL), 0, "two");
    assert_true(fabs(pot[0] - 5.5) < 1e-14 && fabs(pot[1] - 3.5) < 1e-14 && fabs(grad[2] - 11.0 / 4) < 1e-14);
    assert_true(fabs(u - 18e-140) < 1e-152);
}

/* A crowd in a box a billionth of its distance from the origin; then more points than a leaf holds at the origin
 * itself, where none counts. */
static void places_of_boxes(void **state)
{
    enum { N = 20000 };
    double *x = tt_places(TT_UNIFORM, 3, N, 31), *q = tt_charges(N, 32), *pot = malloc(N * 8), *grad = malloc(N * 24);
    const struct problem p = {1, N, N, x, q, x};
    (void)state;
    for (int i = 0; i < 3 * N; i++)
        x[i] = (i % 3 == 1 ? -3 : 1) + 1e-9 * (i < 3 * N / 2 ? 1e-4 : 1) * x[i];
    tt_expect_info(tw_fmm3d(1e-6, 1, N, x, q, pot, grad, 0, NULL, NULL, NULL), 0, "far away");
    expect("far away", 1e-6, &p, pot, grad);
    memset(x, 0, N * 24);
    tt_expect_info(tw_fmm3d(1e-6, 1, N, x, q, pot, grad, 0, NULL, NULL, NULL), 0, "one place");
    for (int i = 0; i < N; i++)
        if (pot[i] != 0 || grad[3 * i] != 0) fail_msg("at the origin, point %d: %g", i, pot[i]);
    free(x), free(q), free(pot), free(grad);
}

/* More cells than are expected of so many points: pairs of sources, and elsewhere pairs of targets, that no level
 * parts, so that there are chains of cells down to the last one. The tree needs a second try. */
static void tree_beyond_its_room(void **state)
{
    enum { PLACES = 1500, N = 2 * PLACES };
    double *x = tt_places(TT_UNIFORM, 3, N, 21), *y = tt_places(TT_UNIFORM, 3, N, 23), *q = tt_charges(N, 22),
           *pot = malloc(N * 8);
    const struct problem p = {1, N, N, x, q, y};
    struct tw_fmm_problem f = {
        .source = {TW_DOUBLE, x, N}, .target = {TW_DOUBLE, y, N}, .nd = 1, .charge = q, .pottarg = pot, .leaf = 1};
    (void)state;
    memcpy(x + 3 * PLACES, x, PLACES * 24);
    memcpy(y + 3 * PLACES, y, PLACES * 24);
    tt_expect_info(tw_fmm_call("tw_fmm3d", NULL, 1e-3, &f), 0, "fmm");
    expect("pairs", 1e-3, &p, pot, NULL);
    free(x), free(y), free(q), free(pot);
}

/* ---- the two ways, twice ----------------------------------------------------------------------------------------- */

static void against_cpu(void **state)
{
    enum { N = 30000 };
    double *x = tt_places(TT_SURFACE, 3, N, 13), *q = tt_charges(N, 14), *a = malloc(N * 8), *b = malloc(N * 8);
    (void)state;
    tt_expect_info(tw_fmm3d(1e-9, 1, N, x, q, a, NULL, 0, NULL, NULL, NULL), 0, "gpu");
    tt_expect_info(tw_fmm3d(1e-9, 1, N, x, q, b, NULL, 0, NULL, NULL, NULL), 0, "gpu again");
    assert_memory_equal(a, b, N * 8);
    setenv("TILEWORK_FMM_PATH", "cpu", 1);
    tt_expect_info(tw_fmm3d(1e-9, 1, N, x, q, b, NULL, 0, NULL, NULL, NULL), 0, "cpu");
    setenv("TILEWORK_FMM_PATH", "gpu", 1);
    assert_memory_not_equal(a, b, N * 8); /* it was another way */
    tt_within(tt_relative(a, b, N), 2e-9, "GPU and CPU");
    free(x), free(q), free(a), free(b);
}

static void unknown_path(void **state)
{
    double x[3] = {0}, q = 1, u;
    (void)state;
    setenv("TILEWORK_FMM_PATH", "fpga", 1);
    assert_int_equal(tw_fmm3d(1e-6, 1, 1, x, &q, &u, NULL, 0, NULL, NULL, NULL), TW_E_OPTION);
    setenv("TILEWORK_FMM_PATH", "gpu", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tolerances),           cmocka_unit_test(many_points),
        cmocka_unit_test(vectors_and_targets),  cmocka_unit_test(single),
        cmocka_unit_test(few_points),           cmocka_unit_test(places_of_boxes),
        cmocka_unit_test(tree_beyond_its_room), cmocka_unit_test(against_cpu),
        cmocka_unit_test(unknown_path),
    };
    setenv("TILEWORK_FMM_PATH", "gpu", 1);
    if (tw_init(NULL)) return 1;
    if (tw_gpus() == 0) {
        printf("skipped: no GPU\n");
        return 77;
    }
    return tt_run(tests);
}
