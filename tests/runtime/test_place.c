/* CPUs, GPUs or both: the estimates on planted profiles against formulas, that a planted row decides, and that the file
 * keeps it. Families' own rows decide as their formulas did before they shared one. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>

#include <tilework/tilework.h>
#include "tt.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/machine/place.h"

static const struct tw_place_row row = {.name = "test_a",
                                        .cpu_start = 5e-4,
                                        .cpu_object = 4e-6,
                                        .cpu_gflops = 13,
                                        .cpu_memory = 80,
                                        .gpu_start = 1.5e-4,
                                        .gpu_memory = 4000,
                                        .pinning = 7e-11,
                                        .pageable = 8,
                                        .several = 0.65,
                                        .both_start = 5e-4,
                                        .both_slower = 1.45,
                                        .both_pays = 0.97};

static void near_to(double x, double y)
{
    if (!(fabs(x - y) <= 1e-12 * fabs(y))) fail_msg("%.17g instead of %.17g", x, y);
}

/* A GPU of 40 TF, links of 50 and 40 GB/s, 70 both ways; cores of 30 GF that copy 10 GB/s. */
static void plant(void)
{
    memset(&tw_profile, 0, sizeof tw_profile);
    tw_profile_guess(&tw_profile);
    for (int t = 0; t < TW_NTYPES; t++)
        for (int k = 0; k < TW_PROFILE_SIZES; k++) {
            tw_profile.cpu.gflops[t][TW_RATE_GEMM][k] = 30;
            tw_profile.cuda.gflops[t][TW_RATE_GEMM][k] = 40000;
        }
    tw_profile.link[TW_LINK_TO_GPU] = 50;
    tw_profile.link[TW_LINK_FROM_GPU] = 40;
    tw_profile.link[TW_LINK_BOTH_WAYS] = 70;
    tw_profile.link[TW_LINK_HOST] = 10;
}

static const struct tw_place_row *planted(const char *name)
{
    for (int k = 0; k < tw_profile.nplaces; k++)
        if (!strcmp(tw_profile.places[k].name, name)) return &tw_profile.places[k];
    fail_msg("no row for %s", name);
    return NULL;
}

static void seconds_are_their_sum(void **state)
{
    struct tw_place_work w = {
        .type = TW_DOUBLE, .units = 4, .flops = 13e9, .objects = 1000, .bytes = 8e9, .seconds = 0.125};
    struct tw_place_row by_gemm = row;

    (void)state;
    plant();
    near_to(tw_place_seconds(&row, 0, &w), 5e-4 + 4e-3 + 0.25 + 8e9 / 40e9 + 0.125); /* four cores copy 40 GB/s */
    w.units = 13;
    near_to(tw_place_seconds(&row, 0, &w), 5e-4 + 4e-3 + 1.0 / 13 + 8e9 / 80e9 + 0.125); /* all there is */
    w.type = TW_COMPLEX_FLOAT;
    near_to(tw_place_seconds(&row, 0, &w), 5e-4 + 4e-3 + 0.5 / 13 + 8e9 / 80e9 + 0.125);
    w.units = 2;
    near_to(tw_place_seconds(&row, 1, &w), 1.5e-4 + 8e9 / 8e12 + 0.125);
    by_gemm.gpu_share = 0.5, by_gemm.gpu_order = 2048;
    near_to(tw_place_seconds(&by_gemm, 1, &w), 1.5e-4 + 13e9 / 40e12 + 8e9 / 8e12 + 0.125);
    w.units = 0;
    assert_true(isinf(tw_place_seconds(&row, 0, &w)) && isinf(tw_place_seconds(&row, 1, &w)));
}

static void ways_over_the_links(void **state)
{
    struct tw_place_way w = {.to = 50e9, .from = 80e9, .gpus = 1, .pinned = 1};

    (void)state;
    plant();
    near_to(tw_place_travel(&row, &w), 1 + 2);
    w.overlaps = 1;
    near_to(tw_place_travel(&row, &w), 80.0 / 35);
    w.gpus = 4;
    near_to(tw_place_travel(&row, &w), 80.0 / 35 / 2.6);
    w.pinned = 0;
    near_to(tw_place_travel(&row, &w), 80.0 / 35 / 2.6 + 130e9 * 7e-11);
    w.never = 1;
    near_to(tw_place_travel(&row, &w), 10 / 2.6);
    tw_profile.link[TW_LINK_BOTH_WAYS] = 0;
    assert_true(isinf(tw_place_travel(&row, &w)));
}

static void the_least_is_chosen(void **state)
{
    (void)state;
    assert_int_equal(tw_place_choose(&row, 1, 2, 0), TW_PLACE_CPU);
    assert_int_equal(tw_place_choose(&row, 2, 1, 0), TW_PLACE_GPU);
    assert_int_equal(tw_place_choose(&row, 1, 1, 0), TW_PLACE_CPU);
    assert_int_equal(tw_place_choose(&row, INFINITY, 1, 0), TW_PLACE_GPU);
    assert_int_equal(tw_place_choose(&row, 2, 1, 0.96), TW_PLACE_BOTH);
    assert_int_equal(tw_place_choose(&row, 2, 1, 0.98), TW_PLACE_GPU);
}

/* The cut-off's and the multipole method's rows give what these families' own formulas gave, on any profile. */
static void families_decide_as_before(void **state)
{
    (void)state;
    plant();
    for (double flops = 1e3; flops < 1e16; flops *= 3)
        for (int cores = 1; cores <= 64; cores *= 2)
            for (double gpu = 100; gpu < 1e5; gpu *= 5) {
                const struct tw_place_work here = {.type = TW_DOUBLE, .units = cores, .flops = flops},
                                           there = {.type = TW_DOUBLE, .units = 1, .flops = flops},
                                           sorted = {.type = TW_DOUBLE, .units = cores, .flops = flops, .objects = 1e5};
                const struct tw_place_row *cut = planted("cutoff"), *fmm = planted("fmm"),
                                          *plane = planted("fmm_plane");
                for (int k = 0; k < TW_PROFILE_SIZES; k++)
                    tw_profile.cuda.gflops[TW_DOUBLE][TW_RATE_GEMM][k] = gpu;
                near_to(tw_place_seconds(cut, 0, &here), flops / (0.12e9 * cores * 30));
                near_to(tw_place_seconds(cut, 1, &there), 1e-4 + flops / (0.25e9 * gpu));
                near_to(tw_place_seconds(fmm, 0, &sorted), flops / (cores * 30e9) + 5e-3);
                near_to(tw_place_seconds(fmm, 1, &there), 8e-3 + flops / (0.4 * gpu * 1e9));
                near_to(tw_place_seconds(plane, 1, &there), 3e-3 + flops / (0.4 * gpu * 1e9));
            }
}

/* A profile's row stands in the usual one's place, after a start, too; what the file lacks, or an older one, is as
 * usual. */
static void the_profile_decides(void **state)
{
    char folder[] = "/tmp/tilework-place-XXXXXX", command[64];
    struct tw_place_row slow = row;
    struct tw_profile p;
    tw_options o;
    tw_profile_facts f;

    (void)state;
    assert_non_null(mkdtemp(folder));
    plant();
    assert_ptr_equal(tw_place_row(&row), &row);
    tw_options_init(&o);
    o.cache_dir = folder;
    tt_expect_info(tw_init(&o), 0, "tw_init");
    tt_expect_info(tw_profile_facts_get(&f), 0, "facts");
    p = tw_profile;
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
    slow.gpu_start = 9.5;
    assert_int_equal(tw_place_put(&p, &slow), 0);
    slow = *planted("cutoff");
    slow.gpu_start = 8.25;
    assert_int_equal(tw_place_put(&p, &slow), 0);
    assert_int_equal(tw_profile_write(p.path, &p), 0);
    tt_expect_info(tw_init(&o), 0, "tw_init");
    assert_true(tw_place_row(&row)->gpu_start == 9.5 && tw_place_row(&row)->cpu_gflops == 13);
    assert_true(planted("cutoff")->gpu_start == 8.25 && planted("fmm")->gpu_start == 8e-3);
    assert_int_equal(tw_place_choose(tw_place_row(&row), 1,
                                     tw_place_seconds(tw_place_row(&row), 1, &(struct tw_place_work){.units = 1}), 0),
                     TW_PLACE_CPU);
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void what_cannot_be_is_refused(void **state)
{
    static const double values[] = {-1, 1e9, NAN, INFINITY};
    static const char *const names[] = {"", "Fft", "a b", "a-very-long-name-of-a-place"};

    (void)state;
    assert_true(tw_place_plausible(&row));
    for (size_t k = 0; k < 4; k++) {
        struct tw_place_row r = row;
        r.both_slower = values[k];
        assert_false(tw_place_plausible(&r));
        r = row;
        r.cpu_start = values[k];
        assert_false(tw_place_plausible(&r));
        r = row;
        memcpy(r.name, names[k], tw_min(strlen(names[k]) + 1, sizeof r.name));
        assert_false(tw_place_plausible(&r));
    }
}

/* The files with these rows are part of the program. */
void *const linked[] = {(void *)tw_fmm3d, (void *)tw_cutoff_forces};

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seconds_are_their_sum),     cmocka_unit_test(ways_over_the_links),
        cmocka_unit_test(the_least_is_chosen),       cmocka_unit_test(families_decide_as_before),
        cmocka_unit_test(what_cannot_be_is_refused), cmocka_unit_test(the_profile_decides)};
    return tt_run(tests);
}
