/* The periodic box: Madelung constants, Ewald's sum at every tolerance, both boundaries, forces from energies,
 * edges. */
#include "algorithms/nbody/series.h"
#include "points.h"

/* Rock salt with distance 1, `cells` ions along a side (even). */
static tw_int rock_salt(int cells, double **x, double **q)
{
    const tw_int n = (tw_int)cells * cells * cells;
    *x = malloc((size_t)(3 * n) * sizeof **x);
    *q = malloc((size_t)n * sizeof **q);
    for (tw_int i = 0; i < n; i++) {
        const tw_int at[3] = {i % cells, i / cells % cells, i / cells / cells};
        for (int k = 0; k < 3; k++)
            (*x)[3 * i + k] = (double)at[k];
        (*q)[i] = (at[0] + at[1] + at[2]) % 2 ? -1 : 1;
    }
    return n;
}

static void madelung(void **state)
{
    static const double salt = 1.74756459463318219063;
    static const double corners[][3] = {{-0.5, -0.5, -0.5}, {0, 0, 0}, {100.3, -7.7, 0.25}};
    (void)state;
    for (int cells = 2; cells <= 12; cells += 10)
        for (int k = 0; k < 6; k += cells == 2 ? 1 : 3) {
            double *x, *q, *pot, *grad, worst = 0, force = 0;
            const tw_int n = rock_salt(cells, &x, &q);
            pot = malloc((size_t)n * 8), grad = malloc((size_t)n * 24);
            tt_expect_info(tw_fmm3d_periodic(1e-11, k % 2 ? TW_VACUUM : TW_TINFOIL, corners[k / 2], cells, 1, n, x, q,
                                             pot, grad, 0, NULL, NULL, NULL),
                           0, "salt");
            for (tw_int i = 0; i < n; i++)
                worst = fmax(worst, fabs(pot[i] * q[i] + salt));
            for (tw_int i = 0; i < 3 * n; i++)
                force = fmax(force, fabs(grad[i]));
            tt_within(worst, 1e-9, "rock salt, %d ions, corner %d", (int)n, k / 2);
            tt_within(force, 1e-8, "its forces");
            free(x), free(q), free(pot), free(grad);
        }
}

/* Caesium chloride: two charges. One charge with its background: the lattice's self potential. */
static void few_charges(void **state)
{
    const double corner[3] = {-0.1, -0.1, -0.1}, x[6] = {0, 0, 0, 0.5, 0.5, 0.5}, q[2] = {1, -1};
    double pot[2], grad[6];
    (void)state;
    tt_expect_info(tw_fmm3d_periodic(1e-12, TW_TINFOIL, corner, 1, 1, 2, x, q, pot, grad, 0, NULL, NULL, NULL), 0,
                   "caesium chloride");
    tt_within(fabs(pot[0] * sqrt(0.75) + 1.76267477307098839794), 1e-11, "caesium chloride");
    tt_within(fabs(pot[0] + pot[1]) + fabs(grad[0]), 1e-11, "its other ion, its force");
    tt_expect_info(tw_fmm3d_periodic(1e-12, TW_TINFOIL, corner, 1, 1, 1, x, q, pot, grad, 0, NULL, NULL, NULL), 0,
                   "one");
    tt_within(fabs(pot[0] + 2.837297479480619614), 1e-11, "one charge");
    tt_expect_info(tw_ewald3d(TW_TINFOIL, corner, 1, 1, x, q, 1, x, pot, grad), 0, "Ewald");
    tt_within(fabs(pot[0] + 2.837297479480619614), 1e-13, "one charge by Ewald's sum");
    tt_expect_info(tw_fmm3d_periodic(1e-6, TW_TINFOIL, corner, 1, 1, 0, NULL, NULL, NULL, NULL, 2, x, pot, grad), 0,
                   "none");
    assert_true(pot[0] == 0 && pot[1] == 0 && grad[0] == 0 && grad[5] == 0);
}

/* ---- against Ewald's sum ----------------------------------------------------------------------------------------- */

enum { N = 800, M = 40 };

static void compare(const char *name, enum tw_boundary boundary, double eps, const double *x, const double *q)
{
    const double corner[3] = {-0.2, 0.1, -0.3};
    double y[3 * M], pot[N], grad[3 * N], pottarg[M], gradtarg[3 * M], u[M], g[3 * M], at[3 * M], v[M], h[3 * M];

    for (int i = 0; i < 3 * M; i++) {
        y[i] = 3 * tt_uniform(77, i, 1); /* some outside the box */
        at[i] = x[i / 3 * (N / M) * 3 + i % 3];
    }
    struct tw_series_problem p = {.type = TW_DOUBLE,
                                  .dim = 3,
                                  .nd = 1,
                                  .ns = N,
                                  .nt = M,
                                  .source = x,
                                  .charge = q,
                                  .target = y,
                                  .pot = pot,
                                  .grad = grad,
                                  .pottarg = pottarg,
                                  .gradtarg = gradtarg,
                                  .eps = eps,
                                  .side = 1.25,
                                  .boundary = (int)boundary,
                                  .leaf = 30}; /* small leaves: expansions do most of the work */
    tt_expect_info(tw_periodic_call("tw_fmm3d_periodic", NULL, &p, corner), 0, "fmm");
    assert_int_equal(tw_ewald3d(boundary, corner, 1.25, N, x, q, M, y, u, g), 0);
    tt_within(tt_relative(pottarg, u, M), eps, "%s, eps %.0e, targets", name, eps);
    tt_within(tt_relative(gradtarg, g, 3 * M), 10 * eps, "%s, eps %.0e, their gradients", name, eps);
    assert_int_equal(tw_ewald3d(boundary, corner, 1.25, N, x, q, M, at, u, g), 0);
    for (int i = 0; i < 3 * M; i++) {
        v[i / 3] = pot[i / 3 * (N / M)];
        h[i] = grad[i / 3 * (N / M) * 3 + i % 3];
    }
    tt_within(tt_relative(v, u, M), eps, "%s, eps %.0e, sources", name, eps);
    tt_within(tt_relative(h, g, 3 * M), 10 * eps, "%s, eps %.0e, their gradients", name, eps);
}

static void against_ewald(void **state)
{
    static const double eps[] = {1e-3, 1e-6, 1e-9, 1e-12};
    (void)state;
    for (int kind = TT_UNIFORM; kind <= TT_PLUMMER; kind += TT_PLUMMER) {
        double *x = tt_places(kind, 3, N, 21), *q = tt_charges(N, 22);
        for (int k = 0; k < TT_TOLERANCES(4); k++)
            for (int b = TW_TINFOIL; b <= (k < 2 ? TW_VACUUM : TW_TINFOIL); b++)
                compare(kind ? "plummer" : "uniform", b, eps[k], x, q);
        free(x), free(q);
    }
}

/* A deep tree: its near and far parts in all directions. Float arrays, charge vectors, asynchronously. */
static void deep(void **state)
{
    enum { MANY = 10000 };
    const double corner[3] = {0, 0, 0};
    double *x = tt_places(TT_UNIFORM, 3, MANY, 31), *q = tt_charges(2 * MANY, 32), *one = malloc(MANY * 8), u[M], v[M];
    float *fx = malloc(MANY * 12), *fq = malloc(MANY * 8), *pot = malloc(MANY * 8);
    tw_sequence *seq;
    (void)state;
    for (int i = 0; i < 3 * MANY; i++)
        x[i] = fx[i] = (float)x[i];
    for (int i = 0; i < 2 * MANY; i++)
        q[i] = fq[i] = (float)q[i];
    assert_int_equal(tw_sequence_create(&seq), 0);
    tt_expect_info(
        tw_sfmm3d_periodic_async(1e-5, TW_TINFOIL, corner, 1, 2, MANY, fx, fq, pot, NULL, 0, NULL, NULL, NULL, seq), 0,
        "queue");
    tt_expect_info(tw_sequence_destroy(seq), 0, "wait");
    for (int d = 0; d < 2; d++) {
        for (int i = 0; i < MANY; i++)
            one[i] = q[d + 2 * i];
        assert_int_equal(tw_ewald3d(TW_TINFOIL, corner, 1, MANY, x, one, M, x, u, NULL), 0);
        for (int i = 0; i < M; i++)
            v[i] = pot[d + 2 * i];
        tt_within(tt_relative(v, u, M), 1e-5, "deep tree, charge vector %d", d);
    }
    free(x), free(q), free(one), free(fx), free(fq), free(pot);
}

/* ---- energies and forces ----------------------------------------------------------------------------------------- */

static double energy(enum tw_boundary boundary, int n, const double *x, const double *q)
{
    const double corner[3] = {0, 0, 0};
    double pot[100], sum = 0;
    tt_expect_info(tw_fmm3d_periodic(1e-10, boundary, corner, 1, 1, n, x, q, pot, NULL, 0, NULL, NULL, NULL), 0,
                   "energy");
    for (int i = 0; i < n; i++)
        sum += 0.5 * q[i] * pot[i];
    return sum;
}

/* Central differences of the energy; the sum of all forces (in vacuum a charged box would feel its dipole: neutral
 * here). */
static void forces(void **state)
{
    enum { FEW = 40 };
    const double corner[3] = {0, 0, 0}, h = 2e-3;
    double *x = tt_places(TT_UNIFORM, 3, FEW, 41), *q = tt_charges(FEW, 42), pot[FEW], grad[3 * FEW];
    (void)state;
    for (int i = 0; i < FEW; i += 2)
        q[i + 1] = -q[i];
    for (int b = TW_TINFOIL; b <= TW_VACUUM; b++) {
        double total[3] = {0}, size = 0;
        tt_expect_info(tw_fmm3d_periodic(1e-10, b, corner, 1, 1, FEW, x, q, pot, grad, 0, NULL, NULL, NULL), 0,
                       "forces");
        for (int i = 0; i < 3 * FEW; i++) {
            total[i % 3] += q[i / 3] * grad[i];
            size = fmax(size, fabs(q[i / 3] * grad[i]));
        }
        for (int k = 0; k < 3; k++)
            assert_true(fabs(total[k]) < 1e-9 * size);
        for (int i = 0; i < 3 * FEW; i += 31) {
            const double at = x[i];
            double e[4];
            if (at < 0.01 || at > 0.99)
                continue; /* moved into the box from the other side it would change the dipole */
            for (int k = 0; k < 4; k++) {
                x[i] = at + h * (double[]){-2, -1, 1, 2}[k];
                e[k] = energy(b, FEW, x, q);
            }
            x[i] = at;
            tt_within(fabs((e[0] - 8 * e[1] + 8 * e[2] - e[3]) / (12 * h) - q[i / 3] * grad[i]), 1e-7 * size,
                      "energy's derivative %d", i);
        }
    }
    /* A dipole: the two boundaries differ by 2 pi D^2 / (3 V). */
    const double dipole[6] = {0.4, 0.5, 0.5, 0.6, 0.5, 0.5}, pair[2] = {1, -1};
    tt_within(fabs(energy(TW_VACUUM, 2, dipole, pair) - energy(TW_TINFOIL, 2, dipole, pair) - 2 * M_PI / 3 * 0.04),
              1e-12, "dipole");
    free(x), free(q);
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

static void same_bits(void **state)
{
    const double corner[3] = {0, 0, 0};
    double *x = tt_places(TT_PLUMMER, 3, N, 51), *q = tt_charges(N, 52), pot[N], first[N];
    (void)state;
    for (int k = 0; k < 3; k++) {
        tw_options o;
        tt_expect_info(tw_finalize(), 0, "stop");
        tw_options_init(&o);
        setenv("STARPU_SCHED", k == 1 ? "eager" : "lws", 1);
        setenv("STARPU_NCPU", k ? "2" : "1", 1);
        tt_expect_info(tw_init(&o), 0, "start");
        tt_expect_info(
            tw_fmm3d_periodic(1e-5, TW_TINFOIL, corner, 1, 1, N, x, q, k ? pot : first, NULL, 0, NULL, NULL, NULL), 0,
            "fmm");
        if (k) assert_memory_equal(pot, first, sizeof pot);
    }
    unsetenv("STARPU_SCHED");
    free(x), free(q);
}

static void illegal(void **state)
{
    double c[3] = {0, 0, 0}, nan[3] = {0, NAN, 0}, x[3] = {0.5, 0.5, 0.5}, q = 1, u;
    (void)state;
#define CALL(eps, boundary, corner, side, nd, ns, s, charge, nt, t)                                                    \
    tw_fmm3d_periodic(eps, boundary, corner, side, nd, ns, s, charge, &u, NULL, nt, t, NULL, NULL)
    tt_expect_info(CALL(0, TW_TINFOIL, c, 1, 1, 1, x, &q, 0, NULL), -1, "eps");
    tt_expect_info(CALL(1e-3, (enum tw_boundary)7, c, 1, 1, 1, x, &q, 0, NULL), -2, "boundary");
    tt_expect_info(CALL(1e-3, TW_TINFOIL, NULL, 1, 1, 1, x, &q, 0, NULL), -3, "no corner");
    tt_expect_info(CALL(1e-3, TW_TINFOIL, nan, 1, 1, 1, x, &q, 0, NULL), -3, "corner");
    tt_expect_info(CALL(1e-3, TW_TINFOIL, c, 0, 1, 1, x, &q, 0, NULL), -4, "side");
    tt_expect_info(CALL(1e-3, TW_TINFOIL, c, NAN, 1, 1, x, &q, 0, NULL), -4, "side");
    tt_expect_info(CALL(1e-3, TW_TINFOIL, c, 1, 0, 1, x, &q, 0, NULL), -5, "nd");
    tt_expect_info(CALL(1e-3, TW_TINFOIL, c, 1, 1, -1, x, &q, 0, NULL), -6, "nsource");
    tt_expect_info(CALL(1e-3, TW_TINFOIL, c, 1, 1, 1, nan, &q, 0, NULL), -7, "source");
    tt_expect_info(CALL(1e-3, TW_TINFOIL, c, 1, 1, 1, x, NULL, 0, NULL), -8, "charge");
    tt_expect_info(CALL(1e-3, TW_TINFOIL, c, 1, 1, 1, x, &q, -1, NULL), -11, "ntarget");
    tt_expect_info(CALL(1e-3, TW_TINFOIL, c, 1, 1, 1, x, &q, 1, NULL), -12, "target");
    tt_expect_info(tw_fmm3d_periodic_async(1e-3, TW_TINFOIL, c, 1, 1, 1, x, &q, &u, NULL, 0, NULL, NULL, NULL, NULL),
                   -15, "sequence");
    tt_expect_info(tw_ewald3d((enum tw_boundary)7, c, 1, 1, x, &q, 1, x, &u, NULL), -1, "boundary");
    tt_expect_info(tw_ewald3d(TW_TINFOIL, NULL, 1, 1, x, &q, 1, x, &u, NULL), -2, "corner");
    tt_expect_info(tw_ewald3d(TW_TINFOIL, c, -1, 1, x, &q, 1, x, &u, NULL), -3, "side");
    tt_expect_info(tw_ewald3d(TW_TINFOIL, c, 1, -1, x, &q, 1, x, &u, NULL), -4, "nsource");
    tt_expect_info(tw_ewald3d(TW_TINFOIL, c, 1, 1, nan, &q, 1, x, &u, NULL), -5, "source");
    tt_expect_info(tw_ewald3d(TW_TINFOIL, c, 1, 1, x, NULL, 1, x, &u, NULL), -6, "charge");
    tt_expect_info(tw_ewald3d(TW_TINFOIL, c, 1, 1, x, &q, -1, x, &u, NULL), -7, "ntarget");
    tt_expect_info(tw_ewald3d(TW_TINFOIL, c, 1, 1, x, &q, 1, nan, &u, NULL), -8, "target");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(madelung),      cmocka_unit_test(few_charges),
                                       cmocka_unit_test(against_ewald), cmocka_unit_test(deep),
                                       cmocka_unit_test(forces),        cmocka_unit_test(same_bits),
                                       cmocka_unit_test(illegal)};
    return tt_run(tests);
}
