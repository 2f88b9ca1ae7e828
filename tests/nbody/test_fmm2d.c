/* The plane: every tolerance on every distribution against direct sums, charge vectors, targets, edges. */
#include <unistd.h>

#include "points.h"

enum { CHECKED = 500 };

/* u and its gradient at x. */
static void reference(tw_int n, const double *y, const double *q, const double *x, double u[3])
{
    long double sum[3] = {0, 0, 0};
    for (tw_int j = 0; j < n; j++) {
        const double dx = x[0] - y[2 * j], dy = x[1] - y[2 * j + 1], r2 = dx * dx + dy * dy;
        if (r2 == 0) continue;
        sum[0] += q[j] * 0.5 * log(r2);
        sum[1] += q[j] * dx / r2;
        sum[2] += q[j] * dy / r2;
    }
    for (int k = 0; k < 3; k++)
        u[k] = (double)sum[k];
}

static void expect(const char *name, double eps, tw_int n, const double *y, const double *q, tw_int m, const double *x,
                   const double *pot, const double *grad)
{
    const tw_int step = m > CHECKED ? m / CHECKED : 1, count = m / step;
    double *u = malloc((size_t)count * 6 * sizeof *u), *got = u + 3 * count;

    for (int part = 0; part < 2; part++) {
        for (tw_int i = 0; i < count; i++) {
            double v[3];
            reference(n, y, q, x + 2 * i * step, v);
            for (int k = 0; k < 1 + part; k++) {
                u[(1 + part) * i + k] = v[part + k];
                got[(1 + part) * i + k] = part ? grad[2 * i * step + k] : pot[i * step];
            }
        }
        tt_within(tt_relative(got, u, (1 + part) * count), part ? 10 * eps : eps, "%-10s eps %.0e %s", name, eps,
                  part ? "gradient" : "potential");
    }
    free(u);
}

static void tolerances(void **state)
{
    static const double eps[] = {1e-3, 1e-6, 1e-9, 1e-12};
    enum { N = 5000 };
    (void)state;
    for (int kind = 0; kind < TT_NPLACES; kind++) {
        double *x = tt_places(kind, 2, N, 1), *q = tt_charges(N, 2), *pot = malloc(N * 8), *grad = malloc(N * 16);
        for (int k = 0; k < 4; k++) {
            tt_expect_info(tw_fmm2d(eps[k], 1, N, x, q, pot, grad, 0, NULL, NULL, NULL), 0, "fmm2d");
            expect(tt_place_name[kind], eps[k], N, x, q, N, x, pot, grad);
        }
        free(x), free(q), free(pot), free(grad);
    }
}

/* Sources in one ball, targets in another one beside it: nothing near hides what expansions leave out. */
static void apart(void **state)
{
    static const double eps[] = {1e-3, 1e-6, 1e-9, 1e-12};
    enum { N = 2000 };
    double *y = tt_places(TT_CLUSTERS, 2, 2 * N, 11), *q = tt_charges(N, 12), *u = malloc(N * 8), *g = malloc(N * 16);
    (void)state;
    for (int i = 0; i < N; i++) { /* of both clusters only the one at the origin; the second half moves */
        y[2 * i] = y[4 * i] + (i < N / 2 ? 0 : 3);
        y[2 * i + 1] = y[4 * i + 1];
    }
    for (int k = 0; k < 4; k++) {
        tt_expect_info(tw_fmm2d(eps[k], 1, N / 2, y, q, NULL, NULL, N / 2, y + N, u, g), 0, "apart");
        expect("apart", eps[k], N / 2, y, q, N / 2, y + N, u, g);
    }
    free(y), free(q), free(u), free(g);
}

/* Two charge vectors, sources and targets apart and at other scales (large and small leaves next to each other),
 * asynchronously, float. */
static void vectors_and_targets(void **state)
{
    enum { N = 4000, M = 3000 };
    double *y = tt_places(TT_PLUMMER, 2, N, 3), *x = tt_places(TT_UNIFORM, 2, M, 4), *q = tt_charges(2 * N, 5),
           *pot = malloc(M * 8), *grad = malloc(M * 16), *one = malloc(N * 8);
    float *fy = malloc(N * 8), *fx = malloc(M * 8), *fq = malloc(N * 8), *fpot = malloc(M * 8), *fgrad = malloc(M * 16);
    tw_sequence *seq;
    (void)state;
    for (int i = 0; i < 2 * N; i++)
        y[i] = fy[i] = (float)y[i], q[i] = fq[i] = (float)q[i];
    for (int i = 0; i < 2 * M; i++)
        x[i] = fx[i] = (float)(0.01 * x[i]);
    assert_int_equal(tw_sequence_create(&seq), 0);
    tt_expect_info(tw_sfmm2d_async(1e-5, 2, N, fy, fq, NULL, NULL, M, fx, fpot, fgrad, seq), 0, "queue");
    tt_expect_info(tw_sequence_destroy(seq), 0, "wait");
    for (int d = 0; d < 2; d++) {
        for (int i = 0; i < N; i++)
            one[i] = q[d + 2 * i];
        for (int i = 0; i < M; i++)
            pot[i] = fpot[d + 2 * i], grad[2 * i] = fgrad[d + 4 * i], grad[2 * i + 1] = fgrad[d + 4 * i + 2];
        expect("targets", 1e-5, N, y, one, M, x, pot, grad);
    }
    free(y), free(x), free(q), free(pot), free(grad), free(one), free(fy), free(fx), free(fq), free(fpot), free(fgrad);
}

/* A ring of charge 1: no field inside, log r outside. */
static void ring(void **state)
{
    enum { N = 4096 };
    double *y = malloc(N * 16), *q = malloc(N * 8), x[6] = {0.1, 0.2, -0.5, 0.3, 1.5, 2}, u[3], g[6];
    (void)state;
    for (int i = 0; i < N; i++) {
        y[2 * i] = cos(2 * M_PI * i / N);
        y[2 * i + 1] = sin(2 * M_PI * i / N);
        q[i] = 1.0 / N;
    }
    tt_expect_info(tw_fmm2d(1e-12, 1, N, y, q, NULL, NULL, 3, x, u, g), 0, "ring");
    assert_true(fabs(u[0]) < 1e-12 && fabs(u[1]) < 1e-12 && fabs(u[2] - log(2.5)) < 1e-12);
    assert_true(fabs(g[0]) < 1e-11 && fabs(g[3]) < 1e-11 && fabs(g[4] - 1.5 / 6.25) < 1e-11);
    free(y), free(q);
}

/* Points at 2^-k: in the end the squares of their distances are below the smallest number. Their logarithms are modest,
 * and count; and so do their gradients, one by one, for they are of all sizes. */
static void ever_closer(void **state)
{
    enum { N = 1000 };
    double *x = malloc(N * 16), *q = tt_charges(N, 31), *u = malloc(N * 8), *g = malloc(N * 16);
    long double error = 0, norm = 0;
    (void)state;
    for (int k = 0; k < N; k++)
        x[2 * k] = ldexp(1, -k), x[2 * k + 1] = ldexp(k % 3 - 1, -k);
    tt_expect_info(tw_fmm2d(1e-6, 1, N, x, q, u, g, 0, NULL, NULL, NULL), 0, "ever closer");
    for (int i = 0; i < N; i++) {
        long double sum[3] = {0, 0, 0}, size = 0;
        for (int j = 0; j < N; j++) {
            const long double dx = (long double)x[2 * i] - x[2 * j], dy = (long double)x[2 * i + 1] - x[2 * j + 1],
                              r2 = dx * dx + dy * dy;
            if (i == j) continue;
            sum[0] += q[j] * 0.5L * logl(r2);
            sum[1] += q[j] * dx / r2;
            sum[2] += q[j] * dy / r2;
            size += fabsl(q[j]) / sqrtl(r2);
        }
        error += (u[i] - sum[0]) * (u[i] - sum[0]);
        norm += sum[0] * sum[0];
        for (int k = 0; k < 2; k++)
            if (!(fabsl(g[2 * i + k] - sum[1 + k]) <= 1e-5L * size))
                fail_msg("gradient %d of point %d: %g", k, i, g[2 * i + k]);
    }
    tt_within((double)sqrtl(error / norm), 1e-6, "ever closer");
    free(x), free(q), free(u), free(g);
}

/* Cancelled at once or in the middle: the code says so, nothing hangs, and the next call is right. */
static void cancelled(void **state)
{
    enum { N = 20000 };
    double *x = tt_places(TT_UNIFORM, 2, N, 21), *q = tt_charges(N, 22), *pot = malloc(N * 8), *grad = malloc(N * 16);
    tw_sequence *seq;
    (void)state;
    assert_int_equal(tw_sequence_create(&seq), 0);
    for (int k = 0; k < 4; k++) {
        int e;
        tt_expect_info(tw_fmm2d_async(1e-12, 1, N, x, q, pot, grad, 0, NULL, NULL, NULL, seq), 0, "queue");
        if (k) usleep((useconds_t)(k * 4000));
        assert_int_equal(tw_sequence_cancel(seq), 0);
        e = tw_sequence_wait(seq);
        if (e != TW_E_CANCELLED && !(e == 0 && k)) fail_msg("cancelled: %d", e); /* 0: it was over before */
    }
    tt_expect_info(tw_fmm2d(1e-3, 1, N, x, q, pot, grad, 0, NULL, NULL, NULL), 0, "again");
    expect("again", 1e-3, N, x, q, N, x, pot, grad);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    free(x), free(q), free(pot), free(grad);
}

/* On CPUs; on a GPU this limit would not matter. The library is told anew, whatever the environment said when it
 * started. */
static void too_large(void **state)
{
    enum { N = 20000 };
    double *x = tt_places(TT_UNIFORM, 2, N, 21), *q = tt_charges(N, 22), *pot = malloc(N * 8);
    tw_options o;
    (void)state;
    tt_expect_info(tw_finalize(), 0, "stop");
    tw_options_init(&o);
    o.host_memory_limit = 1 << 20;
    tt_expect_info(tw_init(&o), 0, "start");
    const int gpu = getenv("TILEWORK_FMM_PATH") && !strcmp(getenv("TILEWORK_FMM_PATH"), "gpu");
    setenv("TILEWORK_FMM_PATH", "cpu", 1);
    tt_expect_info(tw_fmm2d(1e-3, 1, N, x, q, pot, NULL, 0, NULL, NULL, NULL), TW_E_MEMORY, "too much");
    setenv("TILEWORK_FMM_PATH", gpu ? "gpu" : "auto", 1);
    tt_expect_info(tw_finalize(), 0, "stop");
    free(x), free(q), free(pot);
}

static void edges(void **state)
{
    double x[4] = {1, 2, 1, 5}, q[2] = {7, 11}, u[2] = {-1, -1}, g[4], nan[2] = {NAN, 0}, y[2] = {1e140, 0};
    (void)state;
    tt_expect_info(tw_fmm2d(1e-6, 1, 0, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL), 0, "nothing");
    tt_expect_info(tw_fmm2d(1e-6, 1, 0, NULL, NULL, NULL, NULL, 2, x, u, g), 0, "no sources");
    assert_true(u[0] == 0 && u[1] == 0 && g[3] == 0);
    tt_expect_info(tw_fmm2d(1e-6, 1, 1, x, q, u, g, 0, NULL, NULL, NULL), 0, "one");
    assert_true(u[0] == 0 && g[0] == 0 && g[1] == 0);
    tt_expect_info(tw_fmm2d(1e-6, 1, 2, x, q, u, g, 0, NULL, NULL, NULL), 0, "two");
    assert_true(fabs(u[0] - 11 * log(3)) < 1e-14 && fabs(g[1] + 11.0 / 3) < 1e-14 && fabs(g[3] - 7.0 / 3) < 1e-14);
    tt_expect_info(tw_fmm2d(1e-6, 1, 2, x, q, NULL, NULL, 1, y, u, NULL), 0, "far");
    assert_true(fabs(u[0] - 18 * log(1e140)) < 1e-10);
    tt_expect_info(tw_fmm2d(0, 1, 1, x, q, u, NULL, 0, NULL, NULL, NULL), -1, "eps");
    tt_expect_info(tw_fmm2d(1e-3, 0, 1, x, q, u, NULL, 0, NULL, NULL, NULL), -2, "nd");
    tt_expect_info(tw_fmm2d(1e-3, 1, -1, x, q, u, NULL, 0, NULL, NULL, NULL), -3, "nsource");
    tt_expect_info(tw_fmm2d(1e-3, 1, 1, nan, q, u, NULL, 0, NULL, NULL, NULL), -4, "NaN");
    tt_expect_info(tw_fmm2d(1e-3, 1, 1, x, NULL, u, NULL, 0, NULL, NULL, NULL), -5, "charge");
    tt_expect_info(tw_fmm2d(1e-3, 1, 1, x, q, u, NULL, -1, x, NULL, NULL), -8, "ntarget");
    tt_expect_info(tw_fmm2d(1e-3, 1, 1, x, q, u, NULL, 1, NULL, u, NULL), -9, "target");
    tt_expect_info(tw_fmm2d_async(1e-3, 1, 1, x, q, u, NULL, 0, NULL, NULL, NULL, NULL), -12, "sequence");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tolerances), cmocka_unit_test(apart),      cmocka_unit_test(vectors_and_targets),
        cmocka_unit_test(ring),       cmocka_unit_test(cancelled),  cmocka_unit_test(too_large),
        cmocka_unit_test(edges),      cmocka_unit_test(ever_closer)};
    return tt_run(tests);
}
