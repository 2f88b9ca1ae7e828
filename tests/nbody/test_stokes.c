/* Stokes flow against direct sums, at every tolerance and far from the origin; divergence; edges. */
#include "points.h"

enum { CHECKED = 200 };

static void reference(tw_int n, const double *y, const double *f, const double *x, double u[4])
{
    long double sum[4] = {0, 0, 0, 0};
    for (tw_int j = 0; j < n; j++) {
        const double d[3] = {x[0] - y[3 * j], x[1] - y[3 * j + 1], x[2] - y[3 * j + 2]},
                     r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], r = sqrt(r2),
                     along = (f[3 * j] * d[0] + f[3 * j + 1] * d[1] + f[3 * j + 2] * d[2]) / (r2 * r);
        if (r2 == 0) continue;
        for (int k = 0; k < 3; k++)
            sum[k] += f[3 * j + k] / r + along * d[k];
        sum[3] += along;
    }
    for (int k = 0; k < 4; k++)
        u[k] = (double)sum[k];
}

static void expect(const char *name, double eps, tw_int n, const double *y, const double *f, tw_int m, const double *x,
                   const double *velocity, const double *pressure)
{
    const tw_int step = m > CHECKED ? m / CHECKED : 1, count = m / step;
    double *v = malloc((size_t)count * 8 * sizeof *v), *p = v + 3 * count, *vgot = p + count, *pgot = vgot + 3 * count;

    for (tw_int i = 0; i < count; i++) {
        double u[4];
        reference(n, y, f, x + 3 * i * step, u);
        for (int k = 0; k < 3; k++)
            v[3 * i + k] = u[k], vgot[3 * i + k] = velocity[3 * i * step + k];
        p[i] = u[3], pgot[i] = pressure[i * step];
    }
    tt_within(tt_relative(vgot, v, 3 * count), eps, "%-10s eps %.0e velocity", name, eps);
    tt_within(tt_relative(pgot, p, count), 10 * eps, "%-10s eps %.0e pressure", name, eps);
    free(v);
}

static void tolerances(void **state)
{
    static const double eps[] = {1e-3, 1e-6, 1e-9};
    enum { N = 3000 };
    (void)state;
    for (int kind = 0; kind < TT_NPLACES; kind++) {
        double *x = tt_places(kind, 3, N, 1), *f = tt_charges(3 * N, 2), *v = malloc(N * 24), *p = malloc(N * 8);
        for (int i = 0; i < 3 * N && kind == TT_UNIFORM; i++)
            x[i] += 100; /* far from the origin */
        for (int k = 0; k < TT_TOLERANCES(3); k++) {
            tt_expect_info(tw_stokes3d(eps[k], 1, N, x, f, v, p, 0, NULL, NULL, NULL), 0, "stokes3d");
            expect(tt_place_name[kind], eps[k], N, x, f, N, x, v, p);
        }
        free(x), free(f), free(v), free(p);
    }
}

static void targets(void **state)
{
    enum { N = 1500, M = 1000 };
    double *y = tt_places(TT_PLUMMER, 3, N, 3), *x = tt_places(TT_UNIFORM, 3, M, 4), *f = tt_charges(6 * N, 5),
           *v = malloc(M * 24), *p = malloc(M * 8), *one = malloc(N * 24);
    float *fy = malloc(N * 12), *fx = malloc(M * 12), *ff = malloc(N * 24), *fv = malloc(M * 24), *fp = malloc(M * 8);
    tw_sequence *seq;
    (void)state;
    for (int i = 0; i < 3 * N; i++)
        y[i] = fy[i] = (float)y[i];
    for (int i = 0; i < 6 * N; i++)
        f[i] = ff[i] = (float)f[i];
    for (int i = 0; i < 3 * M; i++)
        x[i] = fx[i] = (float)x[i];
    assert_int_equal(tw_sequence_create(&seq), 0);
    tt_expect_info(tw_sstokes3d_async(1e-5, 2, N, fy, ff, NULL, NULL, M, fx, fv, fp, seq), 0, "queue");
    tt_expect_info(tw_sequence_destroy(seq), 0, "wait");
    for (int d = 0; d < 2; d++) {
        for (int i = 0; i < 3 * N; i++)
            one[i] = f[d + 2 * i];
        for (int i = 0; i < 3 * M; i++)
            v[i] = fv[d + 2 * i];
        for (int i = 0; i < M; i++)
            p[i] = fp[d + 2 * i];
        expect("targets", 1e-5, N, y, one, M, x, v, p);
    }
    free(y), free(x), free(f), free(v), free(p), free(one), free(fy), free(fx), free(ff), free(fv), free(fp);
}

/* The flow is free of divergence. */
static void divergence(void **state)
{
    enum { N = 200 };
    const double h = 1e-4;
    double *y = tt_places(TT_SURFACE, 3, N, 7), *f = tt_charges(3 * N, 8), x[18], v[18], sum = 0, size = 0;
    (void)state;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++)
            x[3 * i + k] = 0.1 * (k + 1) + (i / 2 == k ? (i % 2 ? h : -h) : 0);
    tt_expect_info(tw_stokes3d(1e-12, 1, N, y, f, NULL, NULL, 6, x, v, NULL), 0, "stokes3d");
    for (int k = 0; k < 3; k++) {
        sum += (v[3 * (2 * k + 1) + k] - v[6 * k + k]) / (2 * h);
        size += fabs(v[3 * (2 * k + 1) + k] - v[6 * k + k]) / (2 * h);
    }
    assert_true(size > 0.1 && fabs(sum) < 1e-6 * size);
    free(y), free(f);
}

static void edges(void **state)
{
    double x[6] = {0, 0, 0, 0, 0, 2}, f[6] = {0, 0, 0, 1, 0, 3}, v[6], p[2], nan[3] = {0, 0, NAN};
    (void)state;
    tt_expect_info(tw_stokes3d(1e-6, 1, 0, NULL, NULL, NULL, NULL, 2, x, v, p), 0, "no forces");
    assert_true(v[0] == 0 && v[5] == 0 && p[0] == 0 && p[1] == 0);
    tt_expect_info(tw_stokes3d(1e-6, 1, 2, x, f, v, p, 0, NULL, NULL, NULL), 0, "two");
    assert_true(fabs(v[0] - 0.5) < 1e-14 && fabs(v[2] - 3) < 1e-14 && fabs(p[0] + 0.75) < 1e-14);
    assert_true(v[3] == 0 && v[5] == 0 && p[1] == 0);
    tt_expect_info(tw_stokes3d(0, 1, 1, x, f, v, NULL, 0, NULL, NULL, NULL), -1, "eps");
    tt_expect_info(tw_stokes3d(1e-3, 257, 1, x, f, v, NULL, 0, NULL, NULL, NULL), -2, "nd");
    tt_expect_info(tw_stokes3d(1e-3, 1, -1, x, f, v, NULL, 0, NULL, NULL, NULL), -3, "nsource");
    tt_expect_info(tw_stokes3d(1e-3, 1, 1, nan, f, v, NULL, 0, NULL, NULL, NULL), -4, "source");
    tt_expect_info(tw_stokes3d(1e-3, 1, 1, x, NULL, v, NULL, 0, NULL, NULL, NULL), -5, "force");
    tt_expect_info(tw_stokes3d(1e-3, 1, 1, x, nan, v, NULL, 0, NULL, NULL, NULL), -5, "force");
    tt_expect_info(tw_stokes3d(1e-3, 1, 1, x, f, v, NULL, 1, NULL, v, NULL), -9, "target");
    tt_expect_info(tw_stokes3d_async(1e-3, 1, 1, x, f, v, NULL, 0, NULL, NULL, NULL, NULL), -12, "sequence");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tolerances), cmocka_unit_test(targets),
                                       cmocka_unit_test(divergence), cmocka_unit_test(edges)};
    return tt_run(tests);
}
