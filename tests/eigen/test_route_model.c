/* Which route is chosen, on machines that are made up: profiles planted in the place of this machine's. */
#include <math.h>
#include "algorithms/eigen/route_model.h"
#include "runtime/machine/machine_profile.h"
#include "tt.h"

/* Two cores of a server, as they were measured: what the guesses for missing measurements leave out are fast caches. */
static void plant_server(void)
{
    static const double gemm[] = {80, 84, 84, 84, 84}, potrf[] = {6.5, 16, 30, 46, 58},
                        memory[] = {120, 85, 70, 50, 30};

    tw_profile_guess(&tw_profile);
    tw_profile.valid = 1;
    for (int t = 0; t < TW_NTYPES; t++)
        for (int k = 0; k < TW_PROFILE_SIZES; k++) {
            tw_profile.cpu.gflops[t][TW_RATE_GEMM][k] = gemm[k] * (tw_is_single((enum tw_type)t) ? 2 : 1);
            tw_profile.cpu.gflops[t][TW_RATE_POTRF][k] = tw_profile.cpu.gflops[t][TW_RATE_TRI][k] =
                potrf[k] * (tw_is_complex((enum tw_type)t) ? 2.2 : 1);
            tw_profile.cpu.gflops[t][TW_RATE_MEMORY][k] = memory[k];
        }
    tw_profile.link[TW_LINK_HOST] = 9.5;
    tw_profile.launch[0] = 30e-6;
}

static enum tw_route choose(enum tw_type type, double n, double columns, int cores, int gpus, double most)
{
    const struct tw_route_problem p = {type, n, columns, fmin(gpus && n >= 8192 ? 128 : 64, n - 1), cores, gpus};
    struct tw_route_seconds s;

    tw_route_predict(&p, &s);
    assert_true(isinf(s.at[TW_ROUTE_AUTO]) && isinf(s.on_gpu[TW_ROUTE_LAPACK]));
    for (enum tw_route r = TW_ROUTE_LAPACK; r <= TW_ROUTE_TWO; r++) {
        assert_true(s.at[r] > 0 && isfinite(s.at[r]));
        assert_true(gpus == 0 || r == TW_ROUTE_LAPACK ? isinf(s.on_gpu[r]) : s.on_gpu[r] > 0);
        assert_true(tw_route_least(&s, r) == fmin(s.at[r], s.on_gpu[r]));
    }
    return tw_route_choose(&p, &s, most);
}

static void cores_alone(void **state)
{
    (void)state;
    plant_server();
    for (int t = 0; t < TW_NTYPES; t++) {
        const enum tw_type type = (enum tw_type)t;
        if (type != TW_FLOAT && type != TW_DOUBLE && type != TW_COMPLEX_FLOAT && type != TW_COMPLEX_DOUBLE) continue;
        for (int vectors = 0; vectors < 2; vectors++) {
            for (int n = 8; n <= 100; n += 23)
                assert_int_equal(choose(type, n, vectors * n, 2, 0, INFINITY), TW_ROUTE_LAPACK);
            assert_int_not_equal(choose(type, 100, vectors * 100, 2, 0, 99),
                                 TW_ROUTE_LAPACK); /* an order that was set */
            for (int n = 8000; n <= 64000; n *= 2)
                for (int cores = 1; cores <= 64; cores *= 4)
                    if (choose(type, n, vectors * n, cores, 0, INFINITY) != TW_ROUTE_TWO)
                        fail_msg("type %d, n = %d, %d cores", t, n, cores);
        }
    }
}

static void gpus(void **state)
{
    (void)state;
    plant_server();
    assert_int_equal(choose(TW_DOUBLE, 60, 60, 16, 1, INFINITY), TW_ROUTE_LAPACK);
    for (int n = 2000; n <= 40000; n *= 2)
        for (int vectors = 0; vectors < 2; vectors++) {
            const struct tw_route_problem p = {TW_DOUBLE, n, vectors * n, 64, 16, 1};
            struct tw_route_seconds s;
            assert_int_equal(choose(TW_DOUBLE, n, vectors * n, 16, 1, INFINITY), TW_ROUTE_TWO);
            tw_route_predict(&p, &s);
            if (n >= 8000) assert_true(s.on_gpu[TW_ROUTE_TWO] < s.at[TW_ROUTE_TWO]); /* there */
        }
    /* a GPU behind a slow link, with slow products: cores do it */
    for (int k = 0; k < TW_PROFILE_SIZES; k++)
        tw_profile.cuda.gflops[TW_DOUBLE][TW_RATE_GEMM][k] = 20;
    tw_profile.link[TW_LINK_TO_GPU] = tw_profile.link[TW_LINK_FROM_GPU] = 0.1;
    const struct tw_route_problem p = {TW_DOUBLE, 4000, 4000, 64, 16, 1};
    struct tw_route_seconds s;
    tw_route_predict(&p, &s);
    assert_true(s.at[TW_ROUTE_TWO] < s.on_gpu[TW_ROUTE_TWO]);
}

/* What one H200 took, host to host, median of runs after the first (docs/performance.md,
 * tests/bench/results/h200-eigen-*, h200-2026-11-26), within a factor of 1.3. */
static void plant_h200(void)
{
    static const double gemm[] = {4500, 14000, 32000, 50000, 57000};

    plant_server();
    for (int t = 0; t < TW_NTYPES; t++)
        for (int k = 0; k < TW_PROFILE_SIZES; k++) {
            tw_profile.cuda.gflops[t][TW_RATE_GEMM][k] = gemm[k];
            tw_profile.cuda.gflops[t][TW_RATE_MEMORY][k] = 3800;
        }
    tw_profile.link[TW_LINK_TO_GPU] = tw_profile.link[TW_LINK_FROM_GPU] = 53;
}
static void expect_near(const struct tw_route_problem *p, double predicted, double took)
{
    if (!(predicted < took * 1.3 && predicted > took / 1.3))
        fail_msg("type %d, order %g, %g columns, %d GPUs: predicted %.3f s, took %.3f", (int)p->type, p->n, p->columns,
                 p->gpus, predicted, took);
}
static void measured(void **state)
{
    static const struct {
        enum tw_type type;
        double n, columns, b, seconds;
        int gpus;
    } runs[] = {{TW_DOUBLE, 4096, 0, 64, 0.098, 1},
                {TW_DOUBLE, 4096, 4096, 64, 0.117, 1},
                {TW_DOUBLE, 8192, 0, 64, 0.208, 1},
                {TW_DOUBLE, 8192, 8192, 128, 0.363, 1},
                {TW_DOUBLE, 8192, 819, 128, 0.290, 1},
                {TW_DOUBLE, 16384, 0, 128, 0.591, 1},
                {TW_DOUBLE, 16384, 16384, 128, 1.478, 1},
                {TW_DOUBLE, 16384, 1638, 128, 0.841, 1},
                {TW_DOUBLE, 32768, 0, 128, 2.70, 1},
                {TW_DOUBLE, 32768, 32768, 128, 9.09, 1},
                {TW_DOUBLE, 32768, 32768, 128, 3.81, 4},
                {TW_FLOAT, 8192, 0, 64, 0.242, 1},
                {TW_FLOAT, 8192, 8192, 128, 0.349, 1},
                {TW_COMPLEX_FLOAT, 8192, 0, 64, 0.331, 1},
                {TW_COMPLEX_FLOAT, 8192, 8192, 128, 0.659, 1},
                {TW_COMPLEX_DOUBLE, 8192, 0, 64, 0.387, 1},
                {TW_COMPLEX_DOUBLE, 8192, 8192, 64, 0.807, 1}};
    /* one stage, syevd values: h200-geqp3-svd-sytrd-2026-11-23 */
    static const double one[][2] = {{4096, 0.27}, {8192, 0.86}};

    (void)state;
    plant_h200();
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        const struct tw_route_problem p = {runs[k].type, runs[k].n, runs[k].columns, runs[k].b, 12, runs[k].gpus};
        struct tw_route_seconds s;
        tw_route_predict(&p, &s);
        expect_near(&p, s.on_gpu[TW_ROUTE_TWO], runs[k].seconds);
        assert_int_equal(tw_route_choose(&p, &s, INFINITY), TW_ROUTE_TWO);
        assert_true(tw_route_least(&s, TW_ROUTE_TWO) == s.on_gpu[TW_ROUTE_TWO]);
    }
    for (size_t k = 0; k < sizeof one / sizeof *one; k++) {
        const struct tw_route_problem p = {TW_DOUBLE, one[k][0], 0, 64, 12, 1};
        struct tw_route_seconds s;
        tw_route_predict(&p, &s);
        expect_near(&p, s.on_gpu[TW_ROUTE_ONE], one[k][1]);
    }
}

/* Memory as fast as caches makes one stage the better one where vectors are wanted: they go back through one stage, not
 * two. Values never gain so much by two cores' products. */
static void rates_decide(void **state)
{
    (void)state;
    plant_server();
    assert_int_equal(choose(TW_DOUBLE, 4000, 4000, 2, 0, INFINITY), TW_ROUTE_TWO);
    for (int k = 0; k < TW_PROFILE_SIZES; k++)
        tw_profile.cpu.gflops[TW_DOUBLE][TW_RATE_MEMORY][k] = 2000;
    tw_profile.link[TW_LINK_HOST] = 1000;
    assert_int_equal(choose(TW_DOUBLE, 4000, 4000, 2, 0, INFINITY), TW_ROUTE_ONE);
    /* no choice makes a task of one core longer than half a second, whatever the others take */
    for (int k = 0; k < TW_PROFILE_SIZES; k++)
        for (int r = 0; r < TW_NRATES; r++)
            tw_profile.cpu.gflops[TW_DOUBLE][r][k] = 1;
    tw_profile.launch[0] = 1;
    assert_int_not_equal(choose(TW_DOUBLE, 3000, 3000, 2, 0, INFINITY), TW_ROUTE_LAPACK);
}

/* A profile that was measured while other programs ran (two cores, AVX2): small factorizations suffer most, and must
 * not make one stage the better one, whose teams wait for each column. */
static void busy_profile(void **state)
{
    static const double gemm[] = {31.8, 39.7, 36.5, 44.2, 43.2}, potrf[] = {1.2, 2.3, 4.6, 6.6, 10.5},
                        memory[] = {60.6, 82.3, 62.4, 50.3, 47.1};

    (void)state;
    plant_server();
    for (int k = 0; k < TW_PROFILE_SIZES; k++) {
        tw_profile.cpu.gflops[TW_DOUBLE][TW_RATE_GEMM][k] = gemm[k];
        tw_profile.cpu.gflops[TW_DOUBLE][TW_RATE_POTRF][k] = tw_profile.cpu.gflops[TW_DOUBLE][TW_RATE_TRI][k] =
            potrf[k];
        tw_profile.cpu.gflops[TW_DOUBLE][TW_RATE_MEMORY][k] = memory[k];
    }
    for (int n = 2000; n <= 8000; n *= 2)
        for (int vectors = 0; vectors < 2; vectors++)
            assert_int_equal(choose(TW_DOUBLE, n, vectors * n, 2, 0, INFINITY), TW_ROUTE_TWO);
}

/* Fewer eigenvectors take less, and eigenvalues alone least. */
static void shares(void **state)
{
    struct tw_route_seconds all, tenth, none;

    (void)state;
    plant_server();
    tw_route_predict(&(struct tw_route_problem){TW_DOUBLE, 4000, 4000, 64, 2, 0}, &all);
    tw_route_predict(&(struct tw_route_problem){TW_DOUBLE, 4000, 400, 64, 2, 0}, &tenth);
    tw_route_predict(&(struct tw_route_problem){TW_DOUBLE, 4000, 0, 64, 2, 0}, &none);
    for (enum tw_route r = TW_ROUTE_ONE; r <= TW_ROUTE_TWO; r++)
        assert_true(none.at[r] < all.at[r] && tenth.at[r] < all.at[r]);
    assert_true(tenth.at[TW_ROUTE_LAPACK] == all.at[TW_ROUTE_LAPACK]); /* syevd makes all of them */
}

/* Reductions to Hessenberg form in one stage, in seconds on cores and on a GPU. */
static void hessenberg(enum tw_type type, double n, int cores, double *on_cores, double *on_gpu)
{
    const struct tw_one_stage p = {type, n, n, n, n * n * n / 3, n * n * n * 8 / 3};
    tw_one_stage_predict(&p, cores, on_cores, on_gpu);
    assert_true(*on_cores > 0 && isfinite(*on_cores) && *on_gpu > 0 && isfinite(*on_gpu));
}
static void one_stage(void **state)
{
    double cores, gpu, before = 0;

    (void)state;
    plant_h200();
    for (int n = 8; n <= 100; n += 23) {
        hessenberg(TW_DOUBLE, n, 12, &cores, &gpu);
        assert_true(cores < gpu);
    }
    for (int n = 1000; n <= 32000; n *= 2) {
        hessenberg(TW_DOUBLE, n, 12, &cores, &gpu);
        assert_true(gpu < cores && gpu > before);
        before = gpu;
    }
    hessenberg(TW_DOUBLE, 8192, 12, &cores, &gpu); /* not below what it reads, nor above what is wanted */
    assert_true(gpu > 0.347 && gpu < 1.7 * 0.52);
    /* behind a slow link */
    tw_profile.link[TW_LINK_TO_GPU] = tw_profile.link[TW_LINK_FROM_GPU] = 0.001;
    hessenberg(TW_DOUBLE, 2000, 12, &cores, &gpu);
    assert_true(cores < gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cores_alone),  cmocka_unit_test(gpus),
                                       cmocka_unit_test(measured),     cmocka_unit_test(one_stage),
                                       cmocka_unit_test(rates_decide), cmocka_unit_test(busy_profile),
                                       cmocka_unit_test(shares)};
    return tt_run(tests);
}
