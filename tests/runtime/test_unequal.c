/* GPUs that are not as fast as the first, without any: factors from times, and what counts of them; models that
 * multiply by them and learn beside them; predictions; the choice between GPUs, fed with queues that are a model's. */
#include <math.h>

#include "tt.h"
#include "runtime/base/state.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/machine/tuning.h"
#include "runtime/task/cost.h"
#include "runtime/task/soonest.h"

static const int both[2] = {0, 1};
static void use(double first, double second)
{
    double factor[TW_PROFILE_GPUS][TW_NFACTORS] = {{first, first}, {second, second}};
    tw_gpu_factors_use((const double(*)[TW_NFACTORS])factor, both, 2);
}

/* ---- factors ----------------------------------------------------------------------------------------------------- */

static void equal_within_some_per_cent_is_equal(void **state)
{
    (void)state;
    assert_true(tw_factor_of(1, 1) == 1 && tw_factor_of(1, 1.04) == 1 && tw_factor_of(1.04, 1) == 1);
    assert_true(tw_factor_of(1, 2) == 0.5 && tw_factor_of(1, 0.5) == 2 && tw_factor_of(1, 1.1) < 0.92);
    assert_true(tw_factor_of(0, 1) == 0 && tw_factor_of(1, 0) == 0 && tw_factor_of(1, -1) == 0);
    assert_true(tw_factor_of(NAN, 1) == 0 && tw_factor_of(1, NAN) == 0);
    assert_true(tw_factor_of(1, 1e6) == 0 && tw_factor_of(1e6, 1) == 0); /* a clock's mistake */
}

static void what_counts(void **state)
{
    double factor[TW_PROFILE_GPUS][TW_NFACTORS] = {{0}};
    static const int later[2] = {3, 1};

    (void)state;
    use(1, 1);
    assert_true(tw_gpus_alike() && tw_gpu_units(TW_FACTOR_PRODUCTS) == 2 && tw_gpu_best(TW_FACTOR_MEMORY) == 1);
    use(0, 0); /* nothing was measured */
    assert_true(tw_gpus_alike() && tw_gpu_units(TW_FACTOR_PRODUCTS) == 2 && tw_gpu_factor(1, TW_RATE_GEMM) == 1);
    factor[1][TW_FACTOR_PRODUCTS] = 0.5, factor[1][TW_FACTOR_MEMORY] = 1.25;
    factor[3][TW_FACTOR_PRODUCTS] = factor[3][TW_FACTOR_MEMORY] = 1;
    tw_gpu_factors_use((const double(*)[TW_NFACTORS])factor, later, 2);
    assert_false(tw_gpus_alike());
    assert_true(tw_gpu_units(TW_FACTOR_PRODUCTS) == 1.5 && tw_gpu_units(TW_FACTOR_MEMORY) == 2.25);
    assert_true(tw_gpu_best(TW_FACTOR_PRODUCTS) == 1 && tw_gpu_best(TW_FACTOR_MEMORY) == 1.25);
    for (int r = 0; r < TW_NRATES; r++) {
        assert_true(tw_gpu_factor(1, (enum tw_rate)r) == (r == TW_RATE_MEMORY ? 1.25 : 0.5));
        assert_true(tw_gpu_factor(3, (enum tw_rate)r) == 1 && tw_gpu_factor(0, (enum tw_rate)r) == 1);
        assert_true(tw_gpu_factor(-1, (enum tw_rate)r) == 1 && tw_gpu_factor(1000, (enum tw_rate)r) == 1);
    }
    tw_gpu_factors_use((const double(*)[TW_NFACTORS])factor, later, 0); /* no GPUs */
    assert_true(tw_gpus_alike() && tw_gpu_units(TW_FACTOR_PRODUCTS) == 0 && tw_gpu_factor(1, TW_RATE_GEMM) == 1);
}

/* ---- TILEWORK_GPU_RATES ------------------------------------------------------------------------------------------ */

static void rates_that_are_said(void **state)
{
    static const int second[1] = {1};
    double none[TW_PROFILE_GPUS][TW_NFACTORS] = {{0}}, half[TW_PROFILE_GPUS][TW_NFACTORS] = {{1, 1}, {0.5, 0.5}};
    const double(*measured)[TW_NFACTORS] = (const double(*)[TW_NFACTORS])half;

    (void)state;
    setenv("TILEWORK_GPU_RATES", "2,0.5,1", 1);
    tt_expect_info(tw_init(NULL), 0, "tw_init");
    assert_int_equal(tw_rt.config.gpu_rates, 3);
    tw_gpu_factors_use((const double(*)[TW_NFACTORS])none, both, 2);
    assert_true(tw_gpu_factor(0, TW_RATE_GEMM) == 1 && tw_gpu_factor(1, TW_RATE_MEMORY) == 0.25);
    tw_gpu_factors_use((const double(*)[TW_NFACTORS])none, second, 1); /* the profile's rates are that one's */
    assert_true(tw_gpu_factor(1, TW_RATE_GEMM) == 1 && tw_gpus_alike());
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
    setenv("TILEWORK_GPU_RATES", "1,1", 1); /* against what was measured */
    tt_expect_info(tw_init(NULL), 0, "tw_init");
    tw_gpu_factors_use(measured, both, 2);
    assert_true(tw_gpus_alike());
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
    unsetenv("TILEWORK_GPU_RATES");
    tt_expect_info(tw_init(NULL), 0, "tw_init");
    tw_gpu_factors_use(measured, both, 2);
    assert_true(tw_gpu_factor(1, TW_RATE_GEMM) == 0.5);
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
}

static void wrong_rates_are_refused(void **state)
{
    static const char *const wrong[] = {"1,", ",1",    "1;0.5", "1,half", "0",    "1,0",
                                        "-1", "1,nan", "inf",   "1,101",  "1e-3", "1 0.5"};
    char many[2 * TW_GPU_RATES_MOST + 2];

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        setenv("TILEWORK_GPU_RATES", wrong[k], 1);
        tt_expect_info(tw_init(NULL), TW_E_OPTION, "%s", wrong[k]);
        assert_non_null(strstr(tw_last_message(), "TILEWORK_GPU_RATES="));
        assert_non_null(strstr(tw_last_message(), "0.01 to 100"));
    }
    for (int k = 0; k <= TW_GPU_RATES_MOST; k++)
        memcpy(many + 2 * k, "1,", 2);
    many[2 * TW_GPU_RATES_MOST + 1] = 0; /* one too many */
    setenv("TILEWORK_GPU_RATES", many, 1);
    tt_expect_info(tw_init(NULL), TW_E_OPTION, "65 of them");
    many[2 * TW_GPU_RATES_MOST - 1] = 0;
    setenv("TILEWORK_GPU_RATES", many, 1);
    tt_expect_info(tw_init(NULL), 0, "64 of them");
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
    unsetenv("TILEWORK_GPU_RATES");
}

/* ---- models ------------------------------------------------------------------------------------------------------ */

/* On a GPU a launch is part of it: large enough that it does not matter. */
static const struct tw_work large = {.flops = 1e12, .bytes = 1e9, .order = 4096};

/* Nobody else is to have learned what is made up here. */
static void start_apart(void)
{
    const char *build = getenv("TILEWORK_BUILD");
    static char folder[4200];
    tw_options o;

    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%.4100s/test-state/unequal-XXXXXX", build ? build : "/tmp");
        assert_non_null(mkdtemp(folder));
    }
    tw_options_init(&o);
    o.cache_dir = folder;
    tt_expect_info(tw_init(&o), 0, "tw_init");
}

static void models_know_each_gpu(void **state)
{
    struct tw_model *m;
    double first, second;

    (void)state;
    start_apart();
    m = tw_model_of("tw_dunequal", TW_RATE_GEMM, TW_DOUBLE, 0.8);
    assert_non_null(m);
    use(1, 1);
    first = tw_model_seconds(m, TW_COST_GPU, &large);
    assert_true(tw_model_seconds(m, TW_COST_GPU + 1, &large) == first); /* to the last bit */
    assert_true(tw_model_seconds(m, TW_COST_FIRST_GPU, &large) == first);
    use(1, 0.5);
    assert_true(tw_model_seconds(m, TW_COST_GPU, &large) == first);
    assert_true(tw_model_seconds(m, TW_COST_FIRST_GPU, &large) == first);
    second = tw_model_seconds(m, TW_COST_GPU + 1, &large);
    assert_true(fabs(second / first - 2) < 0.01);
    /* A slow GPU's samples say nothing new about the codelet, unless it is slower than that. */
    for (int k = 0; k < 400; k++) {
        tw_model_learn(m, TW_COST_GPU, &large, first);
        tw_model_learn(m, TW_COST_GPU + 1, &large, second);
    }
    assert_true(fabs(tw_model_share(m, TW_COST_GPU, 4096) / 0.8 - 1) < 1e-3);
    for (int k = 0; k < 400; k++)
        tw_model_learn(m, TW_COST_GPU + 1, &large, 1.5 * second);
    assert_true(fabs(tw_model_share(m, TW_COST_GPU, 4096) * 1.5 / 0.8 - 1) < 1e-3);
    assert_true(fabs(tw_model_seconds(m, TW_COST_GPU, &large) / first - 1.5) < 1e-3);
    assert_true(tw_model_share(m, TW_COST_CPU, 4096) > 0.79); /* a CPU's is another */
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
}

/* A CPU's time knows nothing of GPUs. */
static void cores_are_left_alone(void **state)
{
    struct tw_model *m;
    double before;

    (void)state;
    start_apart();
    m = tw_model_of("tw_dunequal", TW_RATE_GEMM, TW_DOUBLE, 0.8);
    use(1, 1);
    before = tw_model_seconds(m, TW_COST_CPU, &large);
    use(0.5, 0.5);
    assert_true(tw_model_seconds(m, TW_COST_CPU, &large) == before);
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
}

/* What is learned by rates that were made up is nothing for the next program. */
static void made_up_rates_teach_nobody(void **state)
{
    (void)state;
    for (int said = 0; said < 2; said++) {
        struct tw_model *m;
        if (said) setenv("TILEWORK_GPU_RATES", "1,0.5", 1);
        start_apart();
        m = tw_model_of("tw_dtaught", TW_RATE_SYRK, TW_DOUBLE, 0);
        if (said) assert_true(tw_model_share(m, TW_COST_CPU, 4096) < 0.9); /* of the program before */
        for (int k = 0; k < 40; k++)
            tw_model_learn(m, said ? TW_COST_GPU : TW_COST_CPU, &large,
                           2 * tw_model_seconds(m, said ? TW_COST_GPU : TW_COST_CPU, &large));
        tt_expect_info(tw_finalize(), 0, "tw_finalize");
        unsetenv("TILEWORK_GPU_RATES");
    }
    start_apart();
    assert_true(tw_model_share(tw_model_of("tw_dtaught", TW_RATE_SYRK, TW_DOUBLE, 0), TW_COST_GPU, 4096) == 1);
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
}

/* Equal ones are predicted as without factors, to the last bit; a half GPU counts as half of one. */
static void predictions(void **state)
{
    static struct tw_profile p;
    const struct tw_sizes s = {.type = TW_DOUBLE, .m = 32768, .n = 32768};
    struct tw_workers w = {.profile = &p, .cores = 16, .gpus = 2, .streams = 6, .processors = 132, .by_inverse = 1};
    double equal, half, one;

    (void)state;
    tw_profile_guess(&p);
    for (double nb = 512; nb <= 2048; nb *= 2) {
        w.gpus = 2, w.streams = 6;
        w.units = 0, equal = tw_predict_cholesky(&w, &s, nb);
        w.units = 2, assert_true(tw_predict_cholesky(&w, &s, nb) == equal);
        w.units = 1.5, half = tw_predict_cholesky(&w, &s, nb);
        w.gpus = 1, w.streams = 3;
        w.units = 1, one = tw_predict_cholesky(&w, &s, nb);
        assert_true(equal <= half && half < one); /* small tiles: the host decides */
        if (nb > 1024) assert_true(equal < half);
    }
}

/* ---- the choice -------------------------------------------------------------------------------------------------- */

static void the_soonest(void **state)
{
    struct tw_soonest s = tw_soonest();

    (void)state;
    assert_int_equal(s.gpu, -1);
    tw_soonest_offer(&s, 7, 1, 1, 0);
    assert_true(s.gpu == 7 && s.seconds == 1 && s.done == 2);
    tw_soonest_offer(&s, 8, 1, 1, 0); /* of equal ones the first */
    assert_int_equal(s.gpu, 7);
    tw_soonest_offer(&s, 8, 0, 1.9, 0); /* twice as slow, with nothing to do */
    assert_true(s.gpu == 8 && s.seconds == 1.9);
    tw_soonest_offer(&s, 9, 0, 1, TW_FETCHED); /* its data is a second away */
    assert_int_equal(s.gpu, 8);
    tw_soonest_offer(&s, 9, 0, 1, 0.8 * TW_FETCHED);
    assert_int_equal(s.gpu, 9);
}

/* What a core's help costs beside its own work. */
static void help(void **state)
{
    (void)state;
    assert_true(tw_help_seconds(2, 0, 0, 0) == 2);
    assert_true(tw_help_seconds(2, TW_FETCHED, 0, 0) == 3); /* it comes */
    assert_true(tw_help_seconds(2, 0, TW_FETCHED, 0) == 3); /* and goes back */
    assert_true(tw_help_seconds(2, 0, 0, TW_FRESH) == 2);
    assert_true(isinf(tw_help_seconds(2, 0, 0, 33554432))); /* a tile that lives on a GPU alone stays there */
}

/* The rule before GPUs could be unequal, of up to eight of them. */
static int first_of_equals(const double *load, double seconds, const double *lacks, int count)
{
    double soonest = -1;
    int best = -1;

    for (int g = 0; g < count; g++) {
        const double done = load[g] + seconds + lacks[g] / 5e10;
        if (soonest < 0 || done < soonest) soonest = done, best = g;
    }
    return best;
}
static void equal_ones_are_chosen_as_before(void **state)
{
    (void)state;
    for (int k = 0; k < 100000; k++) {
        const int count = 1 + k % 8;
        const double seconds = tt_uniform(1, k, 0) * 1e-3;
        struct tw_soonest s = tw_soonest();
        double load[8], lacks[8];
        for (int g = 0; g < count; g++) {
            load[g] = k % 3 ? fabs(tt_uniform(2, k, g)) * 1e-2 : 0; /* idle ones often tie */
            lacks[g] = k % 5 ? fabs(tt_uniform(3, k, g)) * 1e7 : 0;
            tw_soonest_offer(&s, g, load[g], fabs(seconds), lacks[g]);
        }
        assert_int_equal(s.gpu, first_of_equals(load, fabs(seconds), lacks, count));
        assert_true(s.seconds == fabs(seconds));
    }
}

/* Two GPUs, the second of half the rate, work off their queues; tasks become ready by `batch`es, whenever no more than
 * that are queued. What the policy thinks of the second one's rate is `believed`. The share of the first in tasks, and
 * in *seconds when the last one ended. */
static double share_of_first(double believed, int tasks, int batch, double *seconds)
{
    const double true_rate[2] = {1, 0.5}, thought[2] = {1, believed};
    double load[2] = {0, 0}, busy[2] = {0, 0}, now = 0;
    int queued[2] = {0, 0}, done[2] = {0, 0}, ready = 0;

    while (done[0] + done[1] < tasks) {
        for (int k = 0; ready < tasks && queued[0] + queued[1] < batch && k < batch; k++, ready++) {
            struct tw_soonest s = tw_soonest();
            for (int g = 0; g < 2; g++)
                tw_soonest_offer(&s, g, load[g], 1 / thought[g], 0);
            load[s.gpu] += s.seconds;
            queued[s.gpu]++;
        }
        for (int g = 0; g < 2; g++) /* who has ended takes the next */
            if (busy[g] <= now && queued[g] > 0) {
                queued[g]--, done[g]++;
                load[g] = queued[g] > 0 ? load[g] - 1 / thought[g] : 0;
                busy[g] = now + 1 / true_rate[g];
            }
        now += 0.5;
    }
    *seconds = fmax(busy[0], busy[1]);
    return (double)done[0] / tasks;
}

static void tasks_go_as_rates_do(void **state)
{
    double known, unknown;

    (void)state;
    for (int batch = 30; batch <= 3000; batch *= 10) {
        const double share = share_of_first(0.5, 3000, batch, &known);
        if (!(fabs(share / (2.0 / 3) - 1) <= 0.15)) fail_msg("by %d: %g of the tasks on the first", batch, share);
        assert_true(known <= 2000 / 0.8); /* 0.8 of the rates' sum, and better */
        (void)share_of_first(1, 3000, batch, &unknown);
        assert_true(known <= unknown + 3);
    }
    assert_true(unknown > 1.4 * known); /* all at once: the slow one ends long after the other */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_within_some_per_cent_is_equal),
        cmocka_unit_test(what_counts),
        cmocka_unit_test(rates_that_are_said),
        cmocka_unit_test(wrong_rates_are_refused),
        cmocka_unit_test(models_know_each_gpu),
        cmocka_unit_test(cores_are_left_alone),
        cmocka_unit_test(made_up_rates_teach_nobody),
        cmocka_unit_test(predictions),
        cmocka_unit_test(the_soonest),
        cmocka_unit_test(help),
        cmocka_unit_test(equal_ones_are_chosen_as_before),
        cmocka_unit_test(tasks_go_as_rates_do),
    };
    return tt_run(tests);
}
