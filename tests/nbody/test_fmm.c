/* The fast multipole method against direct sums: every tolerance on every distribution, charge vectors, targets,
 * edges. */
#include <math.h>
#include <unistd.h>

#include "algorithms/nbody/fmm.h"
#include "tt.h"

enum { CHECKED = 1000 };

/* ---- problems --------------------------------------------------------------------------------------------------- */

enum kind { UNIFORM, SPHERE, PLUMMER, CLUSTERS, COINCIDENT, COLINEAR, DISK, NKINDS };
static const char *const names[] = {"uniform", "sphere", "plummer", "clusters", "coincident", "colinear", "disk"};

static double random_number(uint64_t seed, tw_int i, int k)
{
    return 0.5 + 0.5 * tt_uniform(seed, i, k);
}
static void place(enum kind kind, tw_int i, uint64_t seed, double x[3])
{
    const double z = 2 * random_number(seed, i, 0) - 1, angle = 2 * M_PI * random_number(seed, i, 1),
                 u = random_number(seed, i, 2), flat = sqrt(1 - z * z);
    const double radius = kind == PLUMMER  ? 1 / sqrt(pow(0.001 + 0.998 * u, -2.0 / 3) - 1)
                          : kind == SPHERE ? 1
                                           : cbrt(u);

    if (kind == UNIFORM || kind == COLINEAR) {
        for (int k = 0; k < 3; k++)
            x[k] = kind == UNIFORM || k == 0 ? random_number(seed, i, k) : 0.25;
        return;
    }
    if (kind == DISK) {
        x[0] = sqrt(u) * cos(angle), x[1] = sqrt(u) * sin(angle), x[2] = 0;
        return;
    }
    if (kind == COINCIDENT) i = i % 50, seed += 7; /* 50 places */
    x[0] = radius * flat * cos(angle) + (kind == CLUSTERS && i % 2 ? 100 : 0);
    x[1] = radius * flat * sin(angle);
    x[2] = radius * z;
    if (kind == COINCIDENT)
        for (int k = 0; k < 3; k++)
            x[k] = random_number(seed, i, k);
}
static double *places(enum kind kind, tw_int n, uint64_t seed)
{
    double *x = malloc((size_t)(3 * n + 1) * sizeof *x);
    for (tw_int i = 0; i < n; i++)
        place(kind, i, seed, x + 3 * i);
    return x;
}
static double *charges(tw_int n, uint64_t seed)
{
    double *q = malloc((size_t)(n + 1) * sizeof *q);
    for (tw_int i = 0; i < n; i++)
        q[i] = tt_uniform(seed, i, 9);
    return q;
}

/* ---- checks: own loops, Kahan's sum ------------------------------------------------------------------------------ */

static void add(double sum[2], double x)
{
    const double y = x - sum[1], t = sum[0] + y;
    sum[1] = (t - sum[0]) - y;
    sum[0] = t;
}
static void reference(tw_int nd, tw_int d, tw_int ns, const double *s, const double *q, const double *x, double u[4])
{
    double sum[4][2] = {{0}};
    for (tw_int j = 0; j < ns; j++) {
        const double dx = s[3 * j] - x[0], dy = s[3 * j + 1] - x[1], dz = s[3 * j + 2] - x[2],
                     r2 = dx * dx + dy * dy + dz * dz, h = 1 / sqrt(r2), c = q[d + nd * j] * h;
        if (r2 == 0) continue;
        add(sum[0], c);
        add(sum[1], c / r2 * dx);
        add(sum[2], c / r2 * dy);
        add(sum[3], c / r2 * dz);
    }
    for (int k = 0; k < 4; k++)
        u[k] = sum[k][0];
}

/* Errors of potential (pot may be NULL) and gradient at about CHECKED of n targets, over eps and 10 eps: at most 1. */
static void expect(const char *what, double eps, tw_int nd, tw_int ns, const double *s, const double *q, tw_int n,
                   const double *x, const double *pot, const double *grad)
{
    double e[2] = {0, 0}, norm[2] = {0, 0}, u[4];
    const tw_int step = n > CHECKED ? n / CHECKED : 1;
    for (tw_int i = 0; i < n; i += step)
        for (tw_int d = 0; d < nd; d++) {
            reference(nd, d, ns, s, q, x + 3 * i, u);
            if (pot) e[0] += pow(pot[d + nd * i] - u[0], 2), norm[0] += u[0] * u[0];
            for (int k = 0; grad && k < 3; k++)
                e[1] += pow(grad[d + nd * (k + 3 * i)] - u[1 + k], 2), norm[1] += u[1 + k] * u[1 + k];
        }
    for (int k = 0; k < 2; k++) {
        const double error = norm[k] > 0 ? sqrt(e[k] / norm[k]) : sqrt(e[k]), limit = k ? 10 * eps : eps;
        if (!(k ? grad != NULL : pot != NULL)) continue;
        printf("%-10s eps %.0e %s: error %.2e\n", what, eps, k ? "gradient " : "potential", error);
        if (!(error <= limit))
            fail_msg("%s, eps %g: error %g of the %s", what, eps, error, k ? "gradient" : "potential");
    }
}

/* Every tolerance; a small leaf as well, so that expansions do most of the work and trees are deep. */
static void tolerances(enum kind kind, tw_int n)
{
    static const double eps[] = {1e-3, 1e-6, 1e-9, 1e-12};
    double *x = places(kind, n, 1), *q = charges(n, 2), *pot = malloc((size_t)n * 8), *grad = malloc((size_t)n * 24);

    for (int k = 0; k < 4; k++) {
        tt_expect_info(tw_fmm3d(eps[k], 1, n, x, q, pot, grad, 0, NULL, NULL, NULL), 0, "fmm");
        expect(names[kind], eps[k], 1, n, x, q, n, x, pot, grad);
    }
    for (int k = 0; k < 2; k++) {
        struct tw_fmm_problem p = {
            .source = {TW_DOUBLE, x, n}, .nd = 1, .charge = q, .pot = pot, .grad = grad, .leaf = 25};
        tt_expect_info(tw_fmm_call("tw_fmm3d", NULL, eps[k], &p), 0, "fmm");
        expect(names[kind], eps[k], 1, n, x, q, n, x, pot, grad);
    }
    free(x), free(q), free(pot), free(grad);
}
static void uniform(void **state)
{
    (void)state, tolerances(UNIFORM, 6000);
}
static void sphere(void **state)
{
    (void)state, tolerances(SPHERE, 6000);
}
static void plummer(void **state)
{
    (void)state, tolerances(PLUMMER, 6000);
}
static void clusters(void **state)
{
    (void)state, tolerances(CLUSTERS, 6000);
}
static void coincident(void **state)
{
    (void)state, tolerances(COINCIDENT, 4000);
}
/* More points than a leaf holds at the origin, or as close to it as makes no box: no pair there counts, or it counts as
 * it does directly. */
static void one_place(void **state)
{
    enum { N = 3000 };
    double *x = calloc(3 * N, sizeof *x), *q = charges(N, 5), *pot = malloc(N * sizeof *pot),
           *grad = malloc(3 * N * sizeof *grad);
    (void)state;
    for (int k = 0; k < 3; k++) { /* all at the origin; half of them apart by nearly nothing; … by more than that */
        for (int i = 0; k && i < 3 * N / 2; i++)
            x[i] = (k == 1 ? 1e-140 : 1e-90) * (i + 1);
        memset(pot, 0xff, N * sizeof *pot), memset(grad, 0xff, 3 * N * sizeof *grad);
        tt_expect_info(tw_fmm3d(1e-6, 1, N, x, q, pot, k == 0 ? grad : NULL, 0, NULL, NULL, NULL), 0, "one place");
        for (int i = 0; i < N; i++)
            if (!isfinite(pot[i]) || (k == 0 && (pot[i] != 0 || grad[3 * i] != 0)))
                fail_msg("case %d, point %d: %g", k, i, pot[i]);
    }
    free(x), free(q), free(pot), free(grad);
}
/* A crowd far from the origin: half of the points in a ten-thousandth of the box, the box a billionth of its
 * distance. */
static void far_away(void **state)
{
    enum { N = 4000 };
    double *x = places(UNIFORM, N, 3), *q = charges(N, 5), *pot = malloc(N * sizeof *pot),
           *grad = malloc(3 * N * sizeof *grad);
    (void)state;
    for (int i = 0; i < 3 * N; i++)
        x[i] = (i % 3 == 1 ? -3 : 1) + 1e-9 * (i < 3 * N / 2 ? 1e-4 : 1) * x[i];
    tt_expect_info(tw_fmm3d(1e-6, 1, N, x, q, pot, grad, 0, NULL, NULL, NULL), 0, "far away");
    expect("far away", 1e-6, 1, N, x, q, N, x, pot, grad);
    free(x), free(q), free(pot), free(grad);
}
static void colinear(void **state)
{
    (void)state, tolerances(COLINEAR, 4000);
}
/* Flat: in the middle of the cube it would be on faces of cells on every level. */
static void disk(void **state)
{
    (void)state, tolerances(DISK, 30011);
}

/* Charge vectors, targets elsewhere and at the sources, asynchronously; what is not asked for is not written. */
static void vectors_and_targets(void **state)
{
    enum { N = 3000, M = 2500, ND = 3 };
    double *x = places(PLUMMER, N, 3), *y = places(UNIFORM, M, 4), *q = charges(ND * N, 5), *pot = malloc(ND * N * 8),
           *pottarg = malloc(ND * M * 8), *gradtarg = malloc(ND * M * 24);
    tw_sequence *seq;
    (void)state;
    assert_int_equal(tw_sequence_create(&seq), 0);
    tt_expect_info(tw_fmm3d_async(1e-6, ND, N, x, q, pot, NULL, M, y, pottarg, gradtarg, seq), 0, "queue");
    tt_expect_info(tw_sequence_wait(seq), 0, "wait");
    expect("sources", 1e-6, ND, N, x, q, N, x, pot, NULL);
    expect("targets", 1e-6, ND, N, x, q, M, y, pottarg, gradtarg);
    memset(pottarg, 0, ND * M * 8);
    tt_expect_info(tw_fmm3d(1e-4, ND, N, x, q, NULL, NULL, M, y, pottarg, NULL), 0, "targets only");
    expect("targets", 1e-4, ND, N, x, q, M, y, pottarg, NULL);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    free(x), free(y), free(q), free(pot), free(pottarg), free(gradtarg);
}

static void single(void **state)
{
    enum { N = 4000 };
    double *x = places(UNIFORM, N, 8), *q = charges(N, 9), *pot = malloc(N * 8), *grad = malloc(N * 24);
    float *fx = malloc(N * 12), *fq = malloc(N * 4), *fpot = malloc(N * 4), *fgrad = malloc(N * 12);
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
    expect("float", 1e-5, 1, N, x, q, N, x, pot, grad);
    free(x), free(q), free(pot), free(grad), free(fx), free(fq), free(fpot), free(fgrad);
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

static void few_points(void **state)
{
    double x[6] = {1, 2, 3, 1, 2, 5}, q[2] = {7, 11}, pot[2] = {-1, -1}, grad[6], y[3] = {1e140, 0, 0}, u = -1;
    (void)state;
    tt_expect_info(tw_fmm3d(1e-6, 1, 0, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL), 0, "nothing");
    tt_expect_info(tw_fmm3d(1e-6, 1, 0, NULL, NULL, NULL, NULL, 1, y, &u, grad), 0, "no sources");
    assert_true(u == 0 && grad[0] == 0 && grad[2] == 0);
    tt_expect_info(tw_fmm3d(1e-6, 1, 1, x, q, pot, grad, 0, NULL, NULL, NULL), 0, "one");
    assert_true(pot[0] == 0 && grad[0] == 0);
    tt_expect_info(tw_fmm3d(1e-6, 1, 2, x, q, pot, grad, 1, y, &u, NULL), 0, "two");
    assert_true(fabs(pot[0] - 5.5) < 1e-14 && fabs(pot[1] - 3.5) < 1e-14 && fabs(grad[2] - 11.0 / 4) < 1e-14);
    assert_true(fabs(u - 18e-140) < 1e-152);
    { /* targets at which nothing is wanted, fewer and more than the sources */
        const double places[9] = {0, 0, 0, 5, 5, 5, 9, 9, 9};
        for (tw_int n = 1; n <= 3; n += 2) {
            pot[0] = pot[1] = -1;
            tt_expect_info(tw_fmm3d(1e-6, 1, 2, x, q, pot, NULL, n, places, NULL, NULL), 0, "unwanted");
            assert_true(fabs(pot[0] - 5.5) < 1e-14 && fabs(pot[1] - 3.5) < 1e-14);
        }
    }
}

static void zero_charges(void **state)
{
    enum { N = 2000 };
    double *x = places(UNIFORM, N, 11), *q = calloc(N, 8), *pot = malloc(N * 8);
    (void)state;
    tt_expect_info(tw_fmm3d(1e-6, 1, N, x, q, pot, NULL, 0, NULL, NULL, NULL), 0, "fmm");
    for (int i = 0; i < N; i++)
        assert_true(pot[i] == 0);
    free(x), free(q), free(pot);
}

/* A uniform sphere of charge 1 and radius 1 has the energy 3/5 sum q u / 2: 6/5 = sum q u. */
static void sphere_energy(void **state)
{
    enum { N = 40000 };
    double *x = places(CLUSTERS, 2 * N, 12), *q = malloc(N * 8), *pot = malloc(N * 8), energy = 0;
    (void)state;
    for (int i = 0; i < N; i++) {
        memmove(x + 3 * i, x + 6 * i, 24); /* the cluster at the origin: a ball of radius 1 */
        q[i] = 1.0 / N;
    }
    tt_expect_info(tw_fmm3d(1e-6, 1, N, x, q, pot, NULL, 0, NULL, NULL, NULL), 0, "fmm");
    for (int i = 0; i < N; i++)
        energy += 0.5 * q[i] * pot[i];
    assert_true(fabs(energy - 0.6) < 0.01); /* sampling error: 1 / sqrt(N) */
    free(x), free(q), free(pot);
}

static uint64_t hash_of(const double *x, size_t n)
{
    uint64_t h = 1469598103934665603u;
    const unsigned char *p = (const unsigned char *)x;
    for (size_t k = 0; k < n * sizeof *x; k++)
        h = (h ^ p[k]) * 1099511628211u;
    return h;
}
/* The same bits with every scheduler and number of workers. */
static void same_bits(void **state)
{
    static const char *const sched[] = {"lws", "eager", "prio"};
    enum { N = 6000 };
    double *x = places(PLUMMER, N, 13), *q = charges(N, 14), *pot = malloc(N * 8);
    uint64_t first = 0;
    (void)state;
    for (int k = 0; k < 6; k++) {
        tw_options o;
        tt_expect_info(tw_finalize(), 0, "stop");
        tw_options_init(&o);
        setenv("STARPU_SCHED", sched[k % 3], 1);
        setenv("STARPU_NCPU", k < 3 ? "1" : "2", 1);
        tt_expect_info(tw_init(&o), 0, "start");
        tt_expect_info(tw_fmm3d(1e-6, 1, N, x, q, pot, NULL, 0, NULL, NULL, NULL), 0, "fmm");
        if (k == 0) first = hash_of(pot, N);
        assert_true(hash_of(pot, N) == first);
    }
    unsetenv("STARPU_SCHED");
    free(x), free(q), free(pot);
}

/* Cancelled at once or in the middle: the code says so, nothing hangs, and the next call is right. */
static void cancelled(void **state)
{
    enum { N = 20000 };
    double *x = places(UNIFORM, N, 15), *q = charges(N, 16), *pot = malloc(N * 8);
    tw_sequence *seq;
    (void)state;
    assert_int_equal(tw_sequence_create(&seq), 0);
    for (int k = 0; k < 4; k++) {
        int e;
        tt_expect_info(tw_fmm3d_async(1e-9, 1, N, x, q, pot, NULL, 0, NULL, NULL, NULL, seq), 0, "queue");
        if (k) usleep((useconds_t)(k * 4000));
        assert_int_equal(tw_sequence_cancel(seq), 0);
        e = tw_sequence_wait(seq);
        assert_true(e == TW_E_CANCELLED || (e == 0 && k)); /* 0: it was over before */
    }
    tt_expect_info(tw_fmm3d(1e-3, 1, N, x, q, pot, NULL, 0, NULL, NULL, NULL), 0, "again");
    expect("again", 1e-3, 1, N, x, q, N, x, pot, NULL);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    free(x), free(q), free(pot);
}

static void illegal_arguments(void **state)
{
    double x[3] = {0, 0, 0}, bad[3] = {0, NAN, 0}, far[3] = {0, 0, 1e160}, q = 1, inf = INFINITY, u;
    (void)state;
    tt_expect_info(tw_fmm3d(0, 1, 1, x, &q, &u, NULL, 0, NULL, NULL, NULL), -1, "eps 0");
    tt_expect_info(tw_fmm3d(NAN, 1, 1, x, &q, &u, NULL, 0, NULL, NULL, NULL), -1, "eps NaN");
    tt_expect_info(tw_fmm3d(1, 1, 1, x, &q, &u, NULL, 0, NULL, NULL, NULL), -1, "eps 1");
    tt_expect_info(tw_fmm3d(1e-3, 0, 1, x, &q, &u, NULL, 0, NULL, NULL, NULL), -2, "nd");
    tt_expect_info(tw_fmm3d(1e-3, 1, -1, x, &q, &u, NULL, 0, NULL, NULL, NULL), -3, "nsource");
    tt_expect_info(tw_fmm3d(1e-3, 1, 1, NULL, &q, &u, NULL, 0, NULL, NULL, NULL), -4, "source");
    tt_expect_info(tw_fmm3d(1e-3, 1, 1, x, NULL, &u, NULL, 0, NULL, NULL, NULL), -5, "charge");
    tt_expect_info(tw_fmm3d(1e-3, 1, 1, x, &q, &u, NULL, -1, x, NULL, NULL), -8, "ntarget");
    tt_expect_info(tw_fmm3d(1e-3, 1, 1, x, &q, &u, NULL, 1, NULL, &u, NULL), -9, "target");
    tt_expect_info(tw_fmm3d(1e-3, 1, 1, bad, &q, &u, NULL, 0, NULL, NULL, NULL), -4, "NaN");
    assert_non_null(strstr(tw_last_message(), "number 1 of it is NaN"));
    tt_expect_info(tw_fmm3d(1e-3, 1, 1, far, &q, &u, NULL, 0, NULL, NULL, NULL), -4, "far");
    tt_expect_info(tw_fmm3d(1e-3, 1, 1, x, &inf, &u, NULL, 0, NULL, NULL, NULL), -5, "infinite charge");
    tt_expect_info(tw_fmm3d(1e-3, 1, 1, x, &q, &u, NULL, 1, bad, &u, NULL), -9, "NaN target");
    tt_expect_info(tw_fmm3d_async(1e-3, 1, 1, x, &q, &u, NULL, 0, NULL, NULL, NULL, NULL), -12, "no sequence");
}

/* So many numbers that tasks look at them: the first bad one is named. */
static void bad_number_of_many(void **state)
{
    enum { N = 1500000 };
    double *x = calloc(3 * N, 8), *q = calloc(N, 8), u;
    (void)state;
    x[3 * N - 7] = NAN, x[3 * N - 2] = INFINITY;
    tt_expect_info(tw_fmm3d(1e-3, 1, N, x, q, &u, NULL, 0, NULL, NULL, NULL), -4, "NaN");
    assert_non_null(strstr(tw_last_message(), "number 4499993 of it is NaN"));
    free(x), free(q);
}

/* TILEWORK_FMM_PATH is obeyed by every routine, or refused. */
static void path(void **state)
{
    static const char *const paths[] = {"fpga", "gpu"};
    const double corner[3] = {0, 0, 0}, x[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, q[6] = {1, 2, 3, 4, 5, 6};
    double u[6];
    (void)state;
    for (int k = 0; k < 2; k++) {
        const int expected = k == 0 ? TW_E_OPTION : tw_gpus() ? 0 : TW_E_NO_WORKER;
        setenv("TILEWORK_FMM_PATH", paths[k], 1);
        tt_expect_info(tw_fmm3d(1e-6, 1, 2, x, q, u, NULL, 0, NULL, NULL, NULL), expected, "fmm3d");
        tt_expect_info(tw_fmm2d(1e-6, 1, 2, x, q, u, NULL, 0, NULL, NULL, NULL), expected, "fmm2d");
        tt_expect_info(tw_yukawa3d(1e-6, 1, 1, 2, x, q, u, NULL, 0, NULL, NULL, NULL), expected, "yukawa3d");
        tt_expect_info(tw_stokes3d(1e-6, 1, 2, x, q, u, NULL, 0, NULL, NULL, NULL), expected, "stokes3d");
        tt_expect_info(tw_fmm3d_periodic(1e-6, TW_TINFOIL, corner, 1, 1, 2, x, q, u, NULL, 0, NULL, NULL, NULL),
                       expected, "periodic");
    }
    setenv("TILEWORK_FMM_PATH", "cpu", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path),
        cmocka_unit_test(uniform),
        cmocka_unit_test(sphere),
        cmocka_unit_test(plummer),
        cmocka_unit_test(clusters),
        cmocka_unit_test(coincident),
        cmocka_unit_test(one_place),
        cmocka_unit_test(far_away),
        cmocka_unit_test(colinear),
        cmocka_unit_test(disk),
        cmocka_unit_test(vectors_and_targets),
        cmocka_unit_test(single),
        cmocka_unit_test(few_points),
        cmocka_unit_test(zero_charges),
        cmocka_unit_test(sphere_energy),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(illegal_arguments),
        cmocka_unit_test(bad_number_of_many),
    };
    if (tw_init(NULL)) return 1;
    setenv("TILEWORK_FMM_PATH", "cpu", 1); /* GPUs: test_fmm_cuda.c */
    return tt_run(tests);
}
