/* Forces are the gradients of energies, by differences, and add up to nothing; the same bits in reproducible mode. */
#include "points.h"

enum { FEW = 60 };
enum method { DIRECT, SOFTENED, FMM, YUKAWA, PLANE, NMETHODS };
static const char *const method_name[] = {"direct", "softened", "fmm3d", "yukawa3d", "fmm2d"};

/* Potential (n) and gradient (dim x n) at the sources. */
static void field(enum method method, double eps, tw_int n, const double *x, const double *q, double *u, double *g)
{
    switch (method) {
    case DIRECT:
    case SOFTENED: {
        double *s = malloc((size_t)n * 64), *r = s + 4 * n;
        tw_matrix *S, *R;
        for (tw_int i = 0; i < n; i++) {
            for (int k = 0; k < 3; k++)
                s[i + k * n] = x[3 * i + k];
            s[i + 3 * n] = q[i];
        }
        assert_int_equal(tw_matrix_from_lapack(&S, TW_DOUBLE, TW_GENERAL, n, 4, s, n, 64), 0);
        assert_int_equal(tw_matrix_create(&R, TW_DOUBLE, TW_GENERAL, n, 4, 64, NULL), 0);
        tt_expect_info(tw_nbody_direct(method == SOFTENED ? 0.1 : 0, S, NULL, R), 0, "direct");
        assert_int_equal(tw_matrix_to_lapack(R, r, n), 0);
        for (tw_int i = 0; i < n; i++) {
            u[i] = r[i];
            for (int k = 0; k < 3; k++)
                g[3 * i + k] = r[i + (1 + k) * n];
        }
        assert_int_equal(tw_matrix_destroy(S) | tw_matrix_destroy(R), 0);
        free(s);
        break;
    }
    case FMM: tt_expect_info(tw_fmm3d(eps, 1, n, x, q, u, g, 0, NULL, NULL, NULL), 0, "fmm3d"); break;
    case YUKAWA: tt_expect_info(tw_yukawa3d(eps, 1.5, 1, n, x, q, u, g, 0, NULL, NULL, NULL), 0, "yukawa3d"); break;
    default: tt_expect_info(tw_fmm2d(eps, 1, n, x, q, u, g, 0, NULL, NULL, NULL), 0, "fmm2d"); break;
    }
}

static double energy(enum method method, const double *x, const double *q)
{
    double u[FEW], g[3 * FEW], sum = 0;
    field(method, 1e-13, FEW, x, q, u, g);
    for (int i = 0; i < FEW; i++)
        sum += 0.5 * q[i] * u[i];
    return sum;
}

static void derivatives(void **state)
{
    const double h = 1e-4;
    (void)state;
    for (enum method method = DIRECT; method < NMETHODS; method++) {
        const int dim = method == PLANE ? 2 : 3;
        double *x = tt_places(TT_UNIFORM, dim, FEW, 1), *q = tt_charges(FEW, 2), u[FEW], g[3 * FEW], size = 0,
               worst = 0;
        field(method, 1e-13, FEW, x, q, u, g);
        for (int i = 0; i < dim * FEW; i++)
            size = fmax(size, fabs(q[i / dim] * g[i]));
        for (int i = 0; i < dim * FEW; i += 7) {
            const double at = x[i];
            double e[4];
            for (int k = 0; k < 4; k++) {
                x[i] = at + h * (double[]){-2, -1, 1, 2}[k];
                e[k] = energy(method, x, q);
            }
            x[i] = at;
            worst = fmax(worst, fabs((e[0] - 8 * e[1] + 8 * e[2] - e[3]) / (12 * h) - q[i / dim] * g[i]));
        }
        tt_within(worst / size, 1e-7, "%s: forces and the energy's differences", method_name[method]);
        free(x), free(q);
    }
}

/* Action and reaction: sums of forces, and of torques, vanish up to the tolerance. */
static void third_law(void **state)
{
    enum { N = 4000 };
    const double eps = 1e-8;
    (void)state;
    for (enum method method = FMM; method < NMETHODS; method++) {
        const int dim = method == PLANE ? 2 : 3;
        double *x = tt_places(TT_PLUMMER, dim, N, 3), *q = tt_charges(N, 4), *u = malloc(N * 8), *g = malloc(N * 24),
               total[3] = {0}, torque = 0, size = 0, reach = 0;
        field(method, eps, N, x, q, u, g);
        for (int i = 0; i < N; i++) {
            const double *f = g + dim * i, *y = x + dim * i;
            for (int k = 0; k < dim; k++) {
                total[k] += q[i] * f[k];
                size += fabs(q[i] * f[k]);
                reach += fabs(q[i] * f[k]) * hypot(y[0], y[1]);
            }
            torque += q[i] * (y[0] * f[1] - y[1] * f[0]);
        }
        for (int k = 0; k < dim; k++)
            tt_within(fabs(total[k]) / size, 10 * eps, "%s: sum of forces", method_name[method]);
        tt_within(fabs(torque) / reach, 10 * eps, "%s: sum of torques", method_name[method]);
        free(x), free(q), free(u), free(g);
    }
}

/* Schedulers and workers change nothing. */
static void same_bits(void **state)
{
    enum { N = 3000 };
    double *x = tt_places(TT_PLUMMER, 3, N, 5), *q = tt_charges(3 * N, 6), *u = malloc(3 * N * 8), *g = malloc(N * 24),
           *first = malloc((NMETHODS + 1) * 6 * N * 8);
    (void)state;
    setenv("TILEWORK_REPRODUCIBLE", "1", 1);
    for (int k = 0; k < 4; k++) {
        static const char *const sched[] = {"lws", "eager", "prio", "lws"};
        tw_options o;
        tt_expect_info(tw_finalize(), 0, "stop");
        tw_options_init(&o);
        setenv("STARPU_SCHED", sched[k], 1);
        setenv("STARPU_NCPU", k % 2 ? "2" : "1", 1);
        tt_expect_info(tw_init(&o), 0, "start");
        for (int method = DIRECT; method <= NMETHODS; method++) { /* the last one: Stokes flow */
            double *here = first + 6 * N * method;
            memset(g, 0, N * 24);
            memset(u, 0, 3 * N * 8);
            if (method == NMETHODS)
                tt_expect_info(tw_stokes3d(1e-4, 1, N, x, q, u, g, 0, NULL, NULL, NULL), 0, "stokes3d");
            else
                field((enum method)method, 1e-4, N, x, q, u, g);
            if (k == 0) memcpy(here, u, 3 * N * 8), memcpy(here + 3 * N, g, N * 24);
            assert_memory_equal(here, u, 3 * N * 8);
            assert_memory_equal(here + 3 * N, g, N * 24);
        }
    }
    unsetenv("STARPU_SCHED"), unsetenv("TILEWORK_REPRODUCIBLE");
    free(x), free(q), free(u), free(g), free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives), cmocka_unit_test(third_law),
                                       cmocka_unit_test(same_bits)};
    return tt_run(tests);
}
