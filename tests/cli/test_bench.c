/* tilework bench from outside: every documented field of the Cholesky contest (docs/bench.md) is there and makes sense,
 * and the script of the CPU bars writes the lines it promises. */
#include "shell.h"

static char build[4096], source[4096];

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static json_t *get(json_t *o, const char *key)
{
    json_t *v = json_object_get(o, key);
    if (!v) fail_msg("no field '%s' in %s", key, json_dumps(o, JSON_COMPACT));
    return v;
}

static double number(json_t *o, const char *key)
{
    json_t *v = get(o, key);
    if (!json_is_number(v)) fail_msg("'%s' is not a number", key);
    return json_number_value(v);
}

static double positive(json_t *o, const char *key)
{
    double v = number(o, key);
    if (!(v > 0 && isfinite(v))) fail_msg("%s = %g", key, v);
    return v;
}

static double not_negative(json_t *o, const char *key)
{
    double v = number(o, key);
    if (!(v >= -1e-9 && isfinite(v))) fail_msg("%s = %g", key, v);
    return v;
}

static const char *string(json_t *o, const char *key)
{
    json_t *v = get(o, key);
    if (!json_is_string(v)) fail_msg("'%s' is not text", key);
    return json_string_value(v);
}

static void expect_stamp(json_t *o)
{
    json_t *m = get(o, "machine");
    static const char *const texts[] = {"cpu", "gpu", "blas_core", "openblas", "starpu", "sched"};

    assert_true(strlen(string(o, "date")) == 20 && *string(o, "commit") && *string(o, "command"));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(*string(m, texts[i]) != 0);
    positive(m, "cores");
    not_negative(m, "cpu_workers");
    not_negative(m, "cuda_workers");
    not_negative(m, "cuda_devices");
}

/* One contestant's figures; returns its seconds. */
static double expect_times(json_t *o, double flops, int runs)
{
    double s = positive(o, "seconds"), least = positive(o, "min_seconds");
    json_t *all = get(o, "all_seconds");

    positive(o, "first_seconds");
    assert_true(least <= s);
    assert_int_equal(json_array_size(all), runs < 32 ? runs : 32);
    if (fabs(positive(o, "gflops") - flops / s * 1e-9) > 1e-6 * flops / s * 1e-9) fail_msg("gflops do not fit");
    return s;
}

static void expect_device(json_t *d, double wall)
{
    double seconds = positive(d, "seconds"), workers = positive(d, "workers"), kernels = not_negative(d, "kernels");
    double sum = kernels + not_negative(d, "data") + not_negative(d, "runtime") + not_negative(d, "idle") +
                 not_negative(d, "home");

    assert_true(*string(d, "name") != 0);
    assert_true(json_is_boolean(get(d, "cuda")));
    if (fabs(sum - seconds) > 1e-6 * seconds) fail_msg("the split adds up to %g of %g s", sum, seconds);
    if (!json_is_true(get(d, "cuda")) && fabs(seconds - workers * wall) > 1e-6 * seconds)
        fail_msg("%g workers, %g s each, not %g", workers, wall, seconds);
    if (not_negative(d, "tasks") > 0) {
        double at_once = positive(d, "in_flight");
        assert_true(kernels > 0 && positive(d, "gflop") > 0 && at_once >= 0.999 && at_once <= workers + 1e-6);
    }
}

/* nt tiles in a row, n of the whole matrix */
static void expect_split(json_t *s, double taken, int nt, double n)
{
    double wall = positive(s, "seconds"), tasks = positive(s, "tasks"), cuda = not_negative(s, "cuda_tasks"), bound;
    double kernels = 0, lower = 8 * n * (n + 1) / 2;
    json_t *devices = get(s, "devices"), *links = get(s, "links"), *table = get(s, "kernels");

    if (wall < taken || wall > taken + 0.5) fail_msg("recorded %g s, taken %g s", wall, taken);
    assert_true(cuda > 0 || tasks == nt + nt * (nt - 1) + nt * (nt - 1) * (nt - 2) / 6);
    assert_true(tasks == not_negative(s, "cpu_tasks") + cuda);
    assert_true(cuda == 0 || *string(s, "cpu_reason") != 0);
    assert_true(json_array_size(devices) > 0);
    for (size_t i = 0; i < json_array_size(devices); i++)
        expect_device(json_array_get(devices, i), wall);
    for (size_t i = 0; i < json_array_size(links); i++) {
        json_t *l = json_array_get(links, i);
        assert_true(strcmp(string(l, "from"), string(l, "to")) != 0);
        positive(l, "bytes");
        positive(l, "transfers");
        not_negative(l, "bandwidth");
        not_negative(l, "busy");
    }
    assert_true(json_array_size(table) >= 4);
    for (size_t i = 0; i < json_array_size(table); i++) {
        json_t *k = json_array_get(table, i);
        assert_true(*string(k, "name") == 'd');
        kernels += not_negative(k, "cpu_tasks") + not_negative(k, "cuda_tasks");
        positive(k, "gflop");
        not_negative(k, "cpu_seconds");
        not_negative(k, "cuda_seconds");
    }
    assert_true(kernels == tasks);
    /* At least the triangle, at most all of the tiles on its diagonal, too. */
    assert_true(positive(s, "bytes_needed_in") >= lower && number(s, "bytes_needed_in") < 1.5 * lower);
    assert_true(positive(s, "bytes_needed_out") >= lower && number(s, "bytes_needed_out") < 1.5 * lower);
    not_negative(s, "bytes_fetched_again");
    not_negative(s, "bytes_written_again");
    bound = positive(s, "bound");
    assert_true(bound >= positive(s, "area_bound") && bound >= positive(s, "path_bound"));
    assert_true(bound >= not_negative(s, "transfer_bound"));
    if (bound > 1.02 * wall) fail_msg("lower bound %g s, measured %g s", bound, wall);
    if (fabs(positive(s, "over_bound") - wall / bound) > 1e-6 * wall / bound) fail_msg("over_bound does not fit");
}

static json_t *one_line(void)
{
    json_t *o = json_loads(out, 0, NULL);
    if (!o) fail_msg("not one JSON object: %s", out);
    return o;
}

/* ---- the contest ------------------------------------------------------------------------------------------------- */

static void all_fields(void **state)
{
    const double n = 700, flops = n * n * n / 3 + n * n / 2 + n / 6;
    json_t *o, *gemm, *tiles, *door, *lapack;
    double seconds;

    (void)state;
    expect_status(0,
                  run("'%s/bin/tilework' bench potrf --n 700 --nb 100 --repeat 2 --vs lapack --check --json", build));
    o = one_line();
    expect_stamp(o);
    assert_string_equal(string(o, "bench"), "potrf");
    assert_string_equal(string(o, "type"), "d");
    assert_string_equal(string(o, "kind"), "spd");
    assert_true(number(o, "n") == n && number(o, "runs") == 2);
    gemm = get(o, "gemm");
    positive(gemm, "gflops");
    positive(gemm, "order");
    positive(gemm, "seconds");
    assert_true(not_negative(gemm, "gpus") > 0 || positive(gemm, "threads") > 0);
    tiles = get(o, "tiles"), door = get(o, "lapack_door"), lapack = get(o, "lapack");
    seconds = expect_times(tiles, flops, 2);
    assert_true(number(tiles, "nb") == 100);
    expect_split(get(tiles, "split"), number(tiles, "min_seconds"), 7, n);
    if (fabs(positive(tiles, "gemm_fraction") - number(tiles, "gflops") / number(gemm, "gflops")) > 1e-6)
        fail_msg("gemm_fraction does not fit");
    expect_times(door, flops, 2);
    get(door, "split");
    expect_times(lapack, flops, 2);
    positive(lapack, "threads");
    assert_true(fabs(positive(lapack, "times_tilework") - number(lapack, "seconds") / seconds) < 1e-6 * 1e3);
    assert_true(positive(tiles, "residual") < 3 && positive(door, "residual") < 3 && positive(lapack, "residual") < 3);
    assert_true(not_negative(tiles, "difference") < 1e-12 && not_negative(door, "difference") < 1e-12);
    json_decref(o);
}

/* LAPACK does small problems itself: nothing is recorded, and only the LAPACK door takes part. */
static void small_problems(void **state)
{
    json_t *o;

    (void)state;
    expect_status(0, run("'%s/bin/tilework' bench potrf --n 64 --json --no-gemm --type z", build));
    o = one_line();
    assert_null(json_object_get(o, "tiles"));
    assert_null(json_object_get(o, "gemm"));
    assert_null(json_object_get(get(o, "lapack_door"), "split"));
    assert_true(number(o, "runs") == 301);
    assert_string_equal(string(o, "type"), "z");
    json_decref(o);
}

/* Peers that cannot run here are named with the reason, and the rest goes on. */
static void absent_peers(void **state)
{
    json_t *o;

    (void)state;
    expect_status(
        0, run("CUDA_VISIBLE_DEVICES= '%s/bin/tilework' bench potrf --n 600 --repeat 1 --vs cusolver,cusolvermg --door "
               "tiles --no-gemm --json",
               build));
    o = one_line();
    assert_null(json_object_get(o, "lapack"));
    assert_null(json_object_get(o, "lapack_door"));
    assert_true(*string(get(o, "cusolver"), "skipped") && *string(get(o, "cusolver_resident"), "skipped"));
    assert_true(*string(get(o, "cusolvermg"), "skipped") && *string(get(o, "cusolvermg_resident"), "skipped"));
    get(get(o, "tiles"), "split");
    json_decref(o);
}

/* The same runs with barriers between stages: none begins before the one ahead of it has ended, and the result is
 * right. */
static void expect_barriers(json_t *barriers, json_t *tiles, int vectors)
{
    static const char *const first[] = {"band", "tridiagonal", "bidiagonal", "solve"}, *const second[] = {
                                                                                           "tridiagonal", "solve",
                                                                                           "solve", "back_band"};
    json_t *stages = get(barriers, "stages");
    const double gain = positive(barriers, "overlap");
    double low = INFINITY, high = 0;

    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 2; j++) {
            const double ratio = json_number_value(json_array_get(get(tiles, "all_seconds"), i)) /
                                 json_number_value(json_array_get(get(barriers, "all_seconds"), j));
            low = fmin(low, ratio), high = fmax(high, ratio);
        }
    assert_true(gain >= low * (1 - 1e-6) && gain <= high * (1 + 1e-6));
    for (size_t k = 0; k < sizeof first / sizeof *first; k++) {
        json_t *one = json_object_get(stages, first[k]), *next = json_object_get(stages, second[k]);
        if (one && next) assert_true(number(one, "last_end") <= number(next, "first_start") + 1e-9);
    }
    assert_true(!vectors || json_object_get(stages, "back_band"));
    if (vectors) assert_true(number(barriers, "residual") < 30);
    not_negative(barriers, "difference");
}

/* Eigenvalues: a line for each jobz, with every contestant's times, ratios from the same run, and Tilework's stages (a
 * band that is asked for means two). */
static void eigenvalues(void **state)
{
    static const char *const benches[] = {"syevd", "syevr", "sygvd", "stedc", "gesdd", "geev"};

    (void)state;
    for (size_t k = 0; k < sizeof benches / sizeof *benches; k++)
        for (int vectors = 0; vectors <= 1; vectors++) {
            json_t *o, *lapack, *tiles, *solve;
            expect_status(
                0, run("TILEWORK_BAND=64 CUDA_VISIBLE_DEVICES= '%s/bin/tilework' bench %s --n 130 --repeat 2 --vs "
                       "lapack,cusolver_resident --jobz %s%s --check --json%s",
                       build, benches[k], vectors ? "V" : "N", k == 1 ? " --share 0.2" : "",
                       k == 3 || k == 5 ? "" : " --barriers"));
            o = one_line();
            expect_stamp(o);
            assert_string_equal(string(o, "bench"), benches[k]);
            assert_string_equal(string(o, "jobz"), vectors ? "V" : "N");
            if (k == 1) assert_true(number(o, "m") == 26);
            tiles = get(o, "tiles"), lapack = get(o, "lapack");
            get(o, "lapack_door");
            assert_true(*string(get(o, "cusolver_resident"), "skipped") != 0);
            assert_true(
                fabs(positive(lapack, "times_tilework") - positive(lapack, "seconds") / positive(tiles, "seconds")) <
                1e-6 * number(lapack, "times_tilework"));
            assert_int_equal(json_array_size(get(tiles, "all_seconds")), 2);
            assert_true(number(tiles, "min_seconds") <= number(tiles, "seconds") &&
                        positive(tiles, "first_seconds") > 0);
            if (k != 5) not_negative(tiles, "difference");
            assert_int_equal(json_object_get(tiles, "residual") != NULL, vectors || k == 5);
            if (vectors || k == 5) assert_true(number(tiles, "residual") < 30 && number(lapack, "residual") < 30);
            solve = get(get(tiles, "stages"), k == 5 ? "schur" : "solve");
            assert_true(positive(solve, "seconds") <= number(solve, "last_end") - number(solve, "first_start") + 1e-9);
            assert_int_equal(json_object_get(get(tiles, "stages"), "back_band") != NULL, vectors && k != 3 && k != 5);
            if (k != 3 && k != 5) expect_barriers(get(o, "barriers"), tiles, vectors);
            json_decref(o);
        }
    expect_status(2, run("'%s/bin/tilework' bench syevd --jobz X", build));
    expect_status(2, run("'%s/bin/tilework' bench stedc --barriers", build));
    expect_status(2, run("'%s/bin/tilework' bench geev --barriers", build));
    expect_status(2, run("'%s/bin/tilework' bench syevd --m 100 --n 10", build));
    expect_status(2, run("'%s/bin/tilework' bench gesdd --m 10 --n 100", build));
    expect_status(0, run("'%s/bin/tilework' bench gesdd --m 300 --n 40 --repeat 1 --check --json", build));
    expect_status(2, run("'%s/bin/tilework' bench syevd --barriers --door lapack", build));
    expect_status(2, run("'%s/bin/tilework' bench syevr --share 0", build));
    expect_status(2, run("'%s/bin/tilework' bench syevd --share 0.5", build));
    expect_status(2, run("'%s/bin/tilework' bench syevd --kind nosuch", build));
    /* a peer that is not there, or lacks the routine, is left out, and says why */
    for (size_t k = 0; k < 4; k += 3) {
        json_t *o;
        expect_status(
            0, run("CUDA_VISIBLE_DEVICES= '%s/bin/tilework' bench %s --n 10 --repeat 1 --jobz N --vs cusolvermg --json",
                   build, benches[k]));
        o = one_line();
        assert_non_null(strstr(string(get(o, "cusolvermg"), "skipped"), k == 0 ? "two or more" : "syevd alone"));
        json_decref(o);
    }
}

/* Least squares: every contestant's times, X beside LAPACK's, and the copy that the bar of tall matrices is told by. */
static void least_squares(void **state)
{
    static const struct {
        const char *flags;
        double m, n, nrhs;
        int complex;
    } cases[] = {{"--m 3000 --n 40", 3000, 40, 1, 0}, {"--type c --m 70 --n 90 --nrhs 3", 70, 90, 3, 1}};

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double most = fmax(cases[k].m, cases[k].n), least = fmin(cases[k].m, cases[k].n),
                     flops = (2 * most * least * least - 2 * least * least * least / 3 +
                              cases[k].nrhs * (4 * most * least - least * least)) *
                             (cases[k].complex ? 4 : 1);
        json_t *o, *tiles, *door, *lapack, *copy;
        expect_status(0, run("CUDA_VISIBLE_DEVICES= '%s/bin/tilework' bench gels %s --repeat 2 --check --json", build,
                             cases[k].flags));
        o = one_line();
        expect_stamp(o);
        assert_string_equal(string(o, "bench"), "gels");
        assert_string_equal(string(o, "type"), cases[k].complex ? "c" : "d");
        assert_string_equal(string(o, "kind"), "random");
        assert_true(number(o, "m") == cases[k].m && number(o, "n") == cases[k].n);
        assert_true(number(o, "nrhs") == cases[k].nrhs && number(o, "runs") == 2);
        tiles = get(o, "tiles"), door = get(o, "lapack_door"), lapack = get(o, "lapack"), copy = get(o, "copy_in");
        expect_times(tiles, flops, 2);
        expect_times(door, flops, 2);
        expect_times(lapack, flops, 2);
        positive(tiles, "nb"), positive(tiles, "mb"), positive(lapack, "threads");
        assert_true(positive(tiles, "residual") < 30 && positive(door, "residual") < 30);
        assert_true(positive(lapack, "residual") < 30);
        assert_true(not_negative(tiles, "difference") < (cases[k].complex ? 1e-3 : 1e-10));
        not_negative(door, "difference");
        assert_null(json_object_get(lapack, "difference"));
        assert_true(fabs(positive(lapack, "times_tilework") - number(lapack, "seconds") / number(tiles, "seconds")) <
                    1e-6 * number(lapack, "times_tilework"));
        assert_true(fabs(positive(tiles, "times_copy_in") - number(tiles, "seconds") / number(copy, "seconds")) <
                    1e-6 * number(tiles, "times_copy_in"));
        assert_string_equal(string(copy, "to"), "tiles");
        positive(copy, "bytes_per_second");
        assert_true(number(copy, "min_seconds") <= positive(copy, "seconds") && positive(copy, "first_seconds") > 0);
        json_decref(o);
    }
    expect_status(0, run("'%s/bin/tilework' bench gels --m 500 --n 20 --repeat 1 --vs none --door lapack", build));
    assert_null(strstr(out, "LAPACK of"));
    assert_null(strstr(out, "one copy"));
    expect_status(0, run("'%s/bin/tilework' bench gels --m 500 --n 20 --repeat 1", build));
    assert_non_null(strstr(out, "x the copy"));
    expect_status(2, run("'%s/bin/tilework' bench gels --vs cusolver", build));
    expect_status(2, run("'%s/bin/tilework' bench gels --kind nosuch", build));
    expect_status(2, run("'%s/bin/tilework' bench gels --nrhs 0", build));
    expect_status(2, run("'%s/bin/tilework' bench potrf --nrhs 2", build));
}

/* Dense routines on square matrices: every one is checked, and has the peers that there are. */
static void dense_routines(void **state)
{
    static const struct {
        const char *name, *plain; /* the routine that it is told by */
        int solves, halves, corrected;
        double cubes;
    } routines[] = {{"getrf", NULL, 0, 0, 0, 2 / 3.},
                    {"geqrf", NULL, 0, 0, 0, 4 / 3.},
                    {"gelqf", "geqrf", 0, 0, 0, 4 / 3.},
                    {"geqp3", "geqrf", 0, 0, 0, 4 / 3.},
                    {"geqp3_random", "geqrf", 0, 0, 0, 4 / 3.},
                    {"potri", NULL, 0, 0, 0, 2 / 3.},
                    {"trtri", NULL, 0, 0, 0, 1 / 3.},
                    {"lauum", NULL, 0, 0, 0, 1 / 3.},
                    {"gesv", NULL, 1, 0, 0, 2 / 3.},
                    {"posv", NULL, 1, 0, 0, 1 / 3.},
                    {"gesv_mixed", "gesv", 1, 0, 1, 2 / 3.},
                    {"posv_mixed", "posv", 1, 0, 1, 1 / 3.},
                    {"gesv_half", "gesv", 1, 1, 1, 2 / 3.},
                    {"posv_half", "posv", 1, 1, 1, 1 / 3.}};
    const double n = 150;

    (void)state;
    for (size_t k = 0; k < sizeof routines / sizeof *routines; k++) {
        const int gemm = k == 0, nrhs = routines[k].solves ? 2 : 0;
        const double flops = routines[k].cubes * n * n * n + 2 * n * n * nrhs;
        json_t *o, *tiles, *lapack;
        expect_status(0,
                      run("CUDA_VISIBLE_DEVICES= '%s/bin/tilework' bench %s --n 150 --nb 64 --repeat 3 --check --json "
                          "--vs lapack,cusolver%s%s",
                          build, routines[k].name, nrhs ? " --nrhs 2" : "", gemm ? "" : " --no-gemm"));
        o = one_line();
        expect_stamp(o);
        assert_string_equal(string(o, "bench"), routines[k].name);
        assert_string_equal(string(o, "type"), "d");
        assert_true(*string(o, "kind") && number(o, "n") == n && number(o, "runs") == 3);
        assert_true(nrhs ? number(o, "nrhs") == nrhs : !json_object_get(o, "nrhs"));
        if (gemm) positive(get(o, "gemm"), "gflops"), positive(get(o, "gemm"), "order");
        assert_true(gemm || !json_object_get(o, "gemm"));
        tiles = get(o, "tiles"), lapack = get(o, "lapack");
        assert_true(positive(tiles, "min_seconds") <= positive(tiles, "seconds") && number(tiles, "nb") == 64);
        positive(tiles, "first_seconds");
        if (fabs(positive(tiles, "gflops") * number(tiles, "seconds") * 1e9 / flops - 1) > 1e-6)
            fail_msg("%s: gflops do not fit", routines[k].name);
        assert_true(positive(tiles, "residual") < 3);
        if (gemm) positive(tiles, "gemm_fraction");
        if (routines[k].corrected) not_negative(tiles, "iter");
        if (routines[k].halves) {
            assert_non_null(strstr(string(lapack, "skipped"), "no such routine"));
        } else {
            assert_true(positive(lapack, "residual") < 3);
            positive(lapack, "threads");
            assert_true(
                fabs(positive(lapack, "times_tilework") - number(lapack, "seconds") / number(tiles, "seconds")) <
                1e-6 * number(lapack, "times_tilework"));
        }
        if (routines[k].plain) {
            assert_string_equal(string(o, "plain_routine"), routines[k].plain);
            positive(get(o, "plain"), "times_tilework");
        }
        assert_true(*string(get(o, "cusolver"), "skipped") && *string(get(o, "cusolver_resident"), "skipped"));
        json_decref(o);
    }
    expect_status(0, run("'%s/bin/tilework' bench potri --type z --n 90 --nb 32 --repeat 1 --check --no-gemm", build));
    expect_status(0, run("'%s/bin/tilework' bench gelqf --type c --n 90 --nb 32 --repeat 1 --check --no-gemm", build));
    expect_status(0, run("'%s/bin/tilework' bench blas3 --n 150 --nb 40 --repeat 1 --door tiles --no-gemm", build));
    expect_status(0, run("'%s/bin/tilework' bench blas3 --n 150 --repeat 1 --vs none --no-gemm", build));
    expect_status(0, run("'%s/bin/tilework' bench blas3 --n 150 --repeat 1 --door tiles --only syrk,trsm", build));
    if (!strstr(out, "dtrsm") || !strstr(out, "dsyrk") || strstr(out, "dgemm") || strstr(out, "dsymm"))
        fail_msg("--only syrk,trsm: %s", out);
    expect_status(1, run("'%s/bin/tilework' bench posv --kind random --n 90", build));
    if (!strstr(err, "info = ") || strstr(err, ": \n")) fail_msg("%s", err);
    expect_status(2, run("'%s/bin/tilework' bench gesv_mixed --type s", build));
}

/* What a benchmark does not have is refused, not passed over. */
static void others_flags(void **state)
{
    static const struct {
        const char *command, *says;
    } cases[] = {{"getrf --door tiles", "--kind"},
                 {"getrf --nrhs 2", "not a flag of getrf"},
                 {"gesv --m 3", "--nrhs"},
                 {"getrf --vs elpa", "cusolver-resident"},
                 {"potrf --vs elpa", "cusolvermg"},
                 {"gels --vs cusolver", "lapack none"},
                 {"blas3 --vs cusolver", "lapack none"},
                 {"blas3 --only gemv", "gemm symm"},
                 {"trsm --n 100", "blas3 --only trsm"},
                 {"syevd --vs device", "cusolver"},
                 {"cholqr --vs lapack", "not a flag of cholqr"},
                 {"lookahead --kind spd", "--lookahead"},
                 {"syevd --share 0.3", "not a flag of syevd"},
                 {"stedc --barriers", "not a flag of stedc"},
                 {"overhead --n 3", "--tasks"},
                 {"getrf --chek", "did you mean --check?"},
                 {"getrf more", "more: not a flag"},
                 {"getrf --kind nosuch", "--kind nosuch"},
                 {"cholqr --m 100 --n 10 --kind nosuch", "--kind nosuch"},
                 {"potrf --kind nosuch", "--kind nosuch"},
                 {"getrf --n 1000000", "GiB of main memory"},
                 {"lookahead --n 1000000", "GiB of main memory"}};

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        expect_status(2, run("'%s/bin/tilework' bench %s", build, cases[k].command));
        if (!strstr(err, cases[k].says)) fail_msg("%s: no \"%s\" in %s", cases[k].command, cases[k].says, err);
        if (strlen(err) > 500) fail_msg("%s: a page for one word:\n%s", cases[k].command, err);
    }
    expect_status(2, run("TILEWORK_TALL=far '%s/bin/tilework' bench gels --m 100 --n 10", build));
}

/* A line for each routine, every depth that was asked for, and auto beside the best of them. */
static void lookahead(void **state)
{
    char *line, *rest = NULL;
    int lines = 0;

    (void)state;
    expect_status(
        0, run("'%s/bin/tilework' bench lookahead --n 200 --nb 50 --repeat 2 --lookahead 0,3,auto --json", build));
    for (line = strtok_r(out, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), lines++) {
        static const char *const names[] = {"getrf", "geqrf", "potrf"};
        json_t *o = json_loads(line, 0, NULL), *depths, *own, *none, *three;
        double best;
        assert_true(o && lines < 3);
        expect_stamp(o);
        assert_string_equal(string(o, "routine"), names[lines]);
        assert_true(number(o, "n") == 200 && number(o, "nb") == 50 && number(o, "runs") == 2);
        depths = get(o, "depths"), own = get(depths, "auto"), none = get(depths, "0"), three = get(depths, "3");
        assert_int_equal(json_object_size(depths), 3);
        best = fmin(positive(none, "seconds"), positive(three, "seconds"));
        assert_true(positive(own, "min_seconds") <= positive(own, "seconds"));
        assert_string_equal(string(o, "best"), number(none, "seconds") == best ? "0" : "3");
        assert_true(fabs(positive(o, "auto_of_best") - best / number(own, "seconds")) <
                    1e-6 * number(o, "auto_of_best"));
        json_decref(o);
    }
    assert_int_equal(lines, 3);
    expect_status(2, run("'%s/bin/tilework' bench lookahead --lookahead 0,far", build));
    expect_status(2, run("'%s/bin/tilework' bench potrf --lookahead 0", build));
}

static void lines_for_readers(void **state)
{
    static const char *const wanted[] = {"kernels", "data",         "runtime",       "idle",    "lower bounds",
                                         "gemm",    "Tilework, ti", "LAPACK of Ope", "residual"};

    (void)state;
    expect_status(0, run("'%s/bin/tilework' bench potrf --n 600 --repeat 1 --check", build));
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(out, wanted[i])) fail_msg("no \"%s\" in\n%s", wanted[i], out);
}

static void wrong_flags(void **state)
{
    static const struct {
        const char *flags, *says;
    } cases[] = {{"--vs foo", "cusolvermg"},  {"--door window", "tiles"}, {"--door ''", "tiles"},      {"--n 0", "--n"},
                 {"--repeat -1", "--repeat"}, {"--type q", "--type"},     {"--nonsense", "--nonsense"}};
    /* what means nothing there is not passed over */
    static const struct {
        const char *flags, *says;
    } others[] = {{"getrf --n 10 --door lapack", "--door"},
                  {"gesv --n 10 --jobz V", "--jobz"},
                  {"posv --n 10 --barriers", "--barriers"},
                  {"geqrf --n 10 --vs elpa", "--vs"},
                  {"getrf --n 10 --m 20", "--m"},
                  {"getrf --n 10 --nrhs 2", "--nrhs"},
                  {"gesv_mixed --n 10 --type s", "types d and z"},
                  {"cholqr --m 100 --n 10 --vs lapack", "--vs"},
                  {"cholqr --m 100 --n 10 --no-gemm", "--no-gemm"},
                  {"cholqr --m 5 --n 6", "--m 5"},
                  {"cholqr --n 200001", "--m 200000"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_status(2, run("'%s/bin/tilework' bench potrf %s", build, cases[i].flags));
        if (!strstr(err, cases[i].says)) fail_msg("%s: no \"%s\" in %s", cases[i].flags, cases[i].says, err);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        expect_status(2, run("'%s/bin/tilework' bench %s", build, others[i].flags));
        if (!strstr(err, others[i].says)) fail_msg("%s: no \"%s\" in %s", others[i].flags, others[i].says, err);
    }
    expect_status(1, run("'%s/bin/tilework' bench potrf --n 600 --kind random", build));
    if (!strstr(err, "positive definite")) fail_msg("%s", err);
}

static void field_of_lines(void **state)
{
    (void)state;
    expect_status(
        0, run("printf '%%s\\n' 'noise' '{\"a\":{\"b\":[1,2.5]},\"n\":7}' '{\"a\":{\"b\":[3,4.5]},\"n\":8}' > lines; "
               "'%s/bin/tilework-bench' field a.b.1 n=7 < lines",
               build));
    assert_string_equal(out, "2.5\n");
    expect_status(0, run("'%s/bin/tilework-bench' field a.b.1 < lines", build));
    assert_string_equal(out, "4.5\n");
    expect_status(1, run("'%s/bin/tilework-bench' field a.c < lines", build));
    assert_string_equal(out, "");
}

/* ---- the bars ---------------------------------------------------------------------------------------------------- */

/* Whether they are met is this machine's affair; that each is measured and written down is the script's. */
static void bars_on_cpu(void **state)
{
    char *line, *rest = NULL;
    int bars = 0, runs = 0, status;

    (void)state;
    status = run("bash '%s/tests/bench/cpu-bars.sh' small --build '%s' --repeat 1 --out bars.jsonl", source, build);
    if (status != 0 && status != 1) expect_status(0, status);
    assert_non_null(strstr(out, "met?"));
    slurp("bars.jsonl", out, sizeof out);
    for (line = strtok_r(out, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        json_t *o = json_loads(line, 0, NULL);
        if (!o) fail_msg("not JSON: %s", line);
        assert_true(strlen(string(o, "date")) == 20 && *string(o, "commit") && *string(o, "command"));
        assert_true(json_is_object(get(o, "machine")));
        if (json_object_get(o, "bar")) {
            positive(o, "measured");
            assert_true(json_is_boolean(get(o, "met")) && *string(o, "wanted") && *string(o, "group"));
            bars++;
        } else {
            runs++;
        }
        json_decref(o);
    }
    assert_int_equal(bars, 6);
    assert_int_equal(runs, 6);
    expect_status(2, run("bash '%s/tests/bench/cpu-bars.sh' nonsense --build '%s'", source, build));
    expect_status(2, run("bash '%s/tests/bench/gpu-bars.sh' nonsense --build '%s'", source, build));
    expect_status(2, run("bash '%s/tests/bench/eigen-bars.sh' nonsense --build '%s'", source, build));
    expect_status(0, run("bash '%s/tests/bench/gpu-bars.sh' --help", source));
    assert_non_null(strstr(out, "four-gpu"));
}

/* What cannot be run is refused at once, and leaves an earlier run's results alone. */
static void bars_that_cannot_be(void **state)
{
    static const struct {
        const char *command, *says;
    } cases[] = {{"dense-bars.sh blas3 --limit soon", "--limit soon"},
                 {"dense-bars.sh blas3 --repeat 0", "--repeat 0"},
                 {"dense-bars.sh blas3 gpu", "no GPU"},
                 {"dense-bars.sh nonsense", "nonsense"},
                 {"eigen-bars.sh tall", "no GPU"},
                 {"gpu-bars.sh", "no GPU"},
                 {"fft-gpu-bars.sh", "no GPU"},
                 {"unequal.sh", "two GPUs"}};

    (void)state;
    expect_status(0, run("mkdir -p none && printf '#!/bin/sh\n' > none/nvidia-smi && chmod +x none/nvidia-smi"));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        expect_status(0, run("echo earlier > earlier.jsonl"));
        expect_status(2, run("PATH=\"$PWD/none:$PATH\" bash '%s/tests/bench/'%s --build '%s' --out earlier.jsonl",
                             source, cases[k].command, build));
        if (!strstr(err, cases[k].says)) fail_msg("%s: no \"%s\" in %s", cases[k].command, cases[k].says, err);
        slurp("earlier.jsonl", out, sizeof out);
        assert_string_equal(out, "earlier\n");
    }
    expect_status(2, run("bash '%s/tests/bench/old-new.sh' '%s' '%s' --rounds few", source, build, build));
    expect_status(
        2, run("PATH=\"$PWD/none:$PATH\" bash '%s/tests/bench/old-new.sh' '%s' '%s' one-gpu", source, build, build));
    expect_status(2, run("bash '%s/tests/bench/dense-bars.sh' blas3 --build '%s' --out none/no/x", source, build));
    if (strstr(err, "_bars.sh")) fail_msg("%s", err);
}

static int setup(void **state)
{
    const char *b = getenv("TILEWORK_BUILD"), *s = getenv("TILEWORK_SOURCE");

    (void)state;
    if (!b || !s) return -1;
    snprintf(build, sizeof build, "%s", b);
    snprintf(source, sizeof source, "%s", s);
    snprintf(folder, sizeof folder, "%s/test-state/bench-XXXXXX", b);
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    char command[5000];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_fields),         cmocka_unit_test(small_problems), cmocka_unit_test(absent_peers),
        cmocka_unit_test(eigenvalues),        cmocka_unit_test(least_squares),  cmocka_unit_test(lookahead),
        cmocka_unit_test(lines_for_readers),  cmocka_unit_test(wrong_flags),    cmocka_unit_test(field_of_lines),
        cmocka_unit_test(bars_on_cpu),        cmocka_unit_test(dense_routines), cmocka_unit_test(others_flags),
        cmocka_unit_test(bars_that_cannot_be)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
