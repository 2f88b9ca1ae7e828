/* Yukawa's kernel: every tolerance, several screening lengths and distributions against direct sums; the limit kappa =
 * 0; edges. */
#include "algorithms/nbody/series.h"
#include "points.h"

enum { CHECKED = 200 };

static void reference(double kappa, tw_int n, const double *y, const double *q, const double *x, double u[4])
{
    long double sum[4] = {0, 0, 0, 0};
    for (tw_int j = 0; j < n; j++) {
        const double d[3] = {x[0] - y[3 * j], x[1] - y[3 * j + 1], x[2] - y[3 * j + 2]},
                     r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], r = sqrt(r2), w = q[j] * exp(-kappa * r) / r;
        if (r2 == 0) continue;
        sum[0] += w;
        for (int k = 0; k < 3; k++)
            sum[1 + k] -= w * (1 + kappa * r) / r2 * d[k];
    }
    for (int k = 0; k < 4; k++)
        u[k] = (double)sum[k];
}

static void expect(const char *name, double eps, double kappa, tw_int n, const double *y, const double *q, tw_int m,
                   const double *x, const double *pot, const double *grad)
{
    const tw_int step = m > CHECKED ? m / CHECKED : 1, count = m / step;
    double *u = malloc((size_t)count * 8 * sizeof *u), *g = u + count, *got = g + 3 * count, *ggot = got + count;

    for (tw_int i = 0; i < count; i++) {
        double v[4];
        reference(kappa, n, y, q, x + 3 * i * step, v);
        u[i] = v[0];
        got[i] = pot[i * step];
        for (int k = 0; k < 3; k++)
            g[3 * i + k] = v[1 + k], ggot[3 * i + k] = grad[3 * i * step + k];
    }
    tt_within(tt_relative(got, u, count), eps, "%-10s kappa %-4g eps %.0e potential", name, kappa, eps);
    tt_within(tt_relative(ggot, g, 3 * count), 10 * eps, "%-10s kappa %-4g eps %.0e gradient", name, kappa, eps);
    free(u);
}

/* With small leaves, so that expansions do most of the work. */
static void run(double eps, double kappa, tw_int n, const double *y, const double *q, double *pot, double *grad,
                tw_int m, const double *x, double *pottarg, double *gradtarg)
{
    struct tw_series_problem p = {.type = TW_DOUBLE,
                                  .dim = 3,
                                  .nd = 1,
                                  .ns = n,
                                  .nt = m,
                                  .source = y,
                                  .charge = q,
                                  .target = x,
                                  .pot = pot,
                                  .grad = grad,
                                  .pottarg = pottarg,
                                  .gradtarg = gradtarg,
                                  .eps = eps,
                                  .parameter = kappa,
                                  .leaf = 40};
    tt_expect_info(tw_yukawa_call("tw_yukawa3d", NULL, &p), 0, "yukawa3d");
}

static void tolerances(void **state)
{
    static const double eps[] = {1e-3, 1e-6, 1e-9, 1e-12}, kappas[] = {0, 0.3, 3, 30, 300};
    enum { N = 1500 };
    (void)state;
    for (int kind = 0; kind < TT_NPLACES; kind++) {
        double *x = tt_places(kind, 3, N, 1), *q = tt_charges(N, 2), *pot = malloc(N * 8), *grad = malloc(N * 24);
        for (int k = 0; k < TT_TOLERANCES(4); k++)
            for (int j = kind % 2; j < 5; j += kind == TT_UNIFORM ? 1 : 2) {
                if (k >= 2 && (j != 2 || (kind != TT_PLUMMER && kind != TT_COINCIDENT)))
                    continue;                                           /* tables take time */
                if (kind == TT_COINCIDENT && kappas[j] > 100) continue; /* 30 screening lengths between places */
                run(eps[k], kappas[j], N, x, q, pot, grad, 0, NULL, NULL, NULL);
                expect(tt_place_name[kind], eps[k], kappas[j], N, x, q, N, x, pot, grad);
            }
        free(x), free(q), free(pot), free(grad);
    }
}

/* Sources in one ball, targets in another one beside it, from 4 screening lengths on. */
static void apart(void **state)
{
    static const double eps[] = {1e-3, 1e-6, 1e-9};
    enum { N = 1000 };
    double *y = tt_places(TT_CLUSTERS, 3, 2 * N, 11), *q = tt_charges(N, 12), *u = malloc(N * 8), *g = malloc(N * 24);
    (void)state;
    for (int i = 0; i < N; i++) /* of both clusters only the one at the origin; the second half moves */
        for (int k = 0; k < 3; k++)
            y[3 * i + k] = y[6 * i + k] + (i >= N / 2 && k == 0 ? 3 : 0);
    for (int k = 0; k < 3; k++)
        for (double kappa = 0.5; kappa < 5; kappa *= 2) {
            run(eps[k], kappa, N / 2, y, q, NULL, NULL, N / 2, y + 3 * N / 2, u, g);
            expect("apart", eps[k], kappa, N / 2, y, q, N / 2, y + 3 * N / 2, u, g);
        }
    free(y), free(q), free(u), free(g);
}

/* Targets and sources of different scales; two charge vectors, float, asynchronous. */
static void vectors_and_targets(void **state)
{
    enum { N = 2000, M = 1500 };
    double *y = tt_places(TT_PLUMMER, 3, N, 3), *x = tt_places(TT_UNIFORM, 3, M, 4), *q = tt_charges(2 * N, 5),
           *pot = malloc(M * 8), *grad = malloc(M * 24), *one = malloc(N * 8);
    float *fy = malloc(N * 12), *fx = malloc(M * 12), *fq = malloc(N * 8), *fpot = malloc(M * 8),
          *fgrad = malloc(M * 24);
    tw_sequence *seq;
    (void)state;
    for (int i = 0; i < 3 * N; i++)
        y[i] = fy[i] = (float)y[i];
    for (int i = 0; i < 2 * N; i++)
        q[i] = fq[i] = (float)q[i];
    for (int i = 0; i < 3 * M; i++)
        x[i] = fx[i] = (float)(0.01 * x[i]);
    assert_int_equal(tw_sequence_create(&seq), 0);
    tt_expect_info(tw_syukawa3d_async(1e-5, 2, 2, N, fy, fq, NULL, NULL, M, fx, fpot, fgrad, seq), 0, "queue");
    tt_expect_info(tw_sequence_destroy(seq), 0, "wait");
    for (int d = 0; d < 2; d++) {
        for (int i = 0; i < N; i++)
            one[i] = q[d + 2 * i];
        for (int i = 0; i < M; i++)
            pot[i] = fpot[d + 2 * i];
        for (int i = 0; i < 3 * M; i++)
            grad[i] = fgrad[d + 2 * i];
        expect("targets", 1e-5, 2, N, y, one, M, x, pot, grad);
    }
    free(y), free(x), free(q), free(pot), free(grad), free(one), free(fy), free(fx), free(fq), free(fpot), free(fgrad);
}

static void edges(void **state)
{
    double x[6] = {1, 2, 3, 1, 2, 5}, q[2] = {7, 11}, u[2] = {-1, -1}, g[6], nan[3] = {NAN, 0, 0};
    (void)state;
    tt_expect_info(tw_yukawa3d(1e-6, 1, 1, 0, NULL, NULL, NULL, NULL, 2, x, u, g), 0, "no sources");
    assert_true(u[0] == 0 && u[1] == 0 && g[5] == 0);
    tt_expect_info(tw_yukawa3d(1e-6, 1, 1, 1, x, q, u, g, 0, NULL, NULL, NULL), 0, "one");
    assert_true(u[0] == 0 && g[0] == 0);
    tt_expect_info(tw_yukawa3d(1e-6, 0.5, 1, 2, x, q, u, g, 0, NULL, NULL, NULL), 0, "two");
    assert_true(fabs(u[0] - 5.5 * exp(-1)) < 1e-14 && fabs(g[2] - 5.5 * exp(-1)) < 1e-14);
    tt_expect_info(tw_yukawa3d(1e-6, 1e100, 1, 2, x, q, u, g, 0, NULL, NULL, NULL), 0, "screened");
    assert_true(u[0] == 0 && g[2] == 0);
    tt_expect_info(tw_yukawa3d(0, 1, 1, 1, x, q, u, NULL, 0, NULL, NULL, NULL), -1, "eps");
    tt_expect_info(tw_yukawa3d(1e-3, -1, 1, 1, x, q, u, NULL, 0, NULL, NULL, NULL), -2, "kappa");
    tt_expect_info(tw_yukawa3d(1e-3, NAN, 1, 1, x, q, u, NULL, 0, NULL, NULL, NULL), -2, "kappa");
    tt_expect_info(tw_yukawa3d(1e-3, 1, 0, 1, x, q, u, NULL, 0, NULL, NULL, NULL), -3, "nd");
    tt_expect_info(tw_yukawa3d(1e-3, 1, 1, -1, x, q, u, NULL, 0, NULL, NULL, NULL), -4, "nsource");
    tt_expect_info(tw_yukawa3d(1e-3, 1, 1, 1, nan, q, u, NULL, 0, NULL, NULL, NULL), -5, "source");
    tt_expect_info(tw_yukawa3d(1e-3, 1, 1, 1, x, NULL, u, NULL, 0, NULL, NULL, NULL), -6, "charge");
    tt_expect_info(tw_yukawa3d(1e-3, 1, 1, 1, x, q, u, NULL, -1, x, NULL, NULL), -9, "ntarget");
    tt_expect_info(tw_yukawa3d(1e-3, 1, 1, 1, x, q, u, NULL, 1, NULL, u, NULL), -10, "target");
    tt_expect_info(tw_yukawa3d_async(1e-3, 1, 1, 1, x, q, u, NULL, 0, NULL, NULL, NULL, NULL), -13, "sequence");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tolerances), cmocka_unit_test(apart),
                                       cmocka_unit_test(vectors_and_targets), cmocka_unit_test(edges)};
    return tt_run(tests);
}
