/* The tilework command from outside: files, traces, signals, and the commands beside the routines. */
#include "command.h"

/* ---- files that work --------------------------------------------------------------------------------------------- */

static void read_numbers(const char *name, int skip_lines, int count, double *v)
{
    char line[256];
    FILE *f = fopen(name, "r");
    assert_non_null(f);
    for (int i = 0; i < skip_lines;) {
        assert_non_null(fgets(line, sizeof line, f));
        if (line[0] != '%' || i == 0) i++;
    }
    for (int i = 0; i < count; i++)
        assert_int_equal(fscanf(f, "%lf", &v[i]), 1);
    fclose(f);
}

static void solves_a_file(void **state)
{
    double x[3], l[4];

    (void)state;
    /* A = [4 2 0; 2 5 1; 0 1 3], x = (1, 2, 3): b = (8, 15, 11) */
    write_file("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4\n2 1 2\n2 2 5\n3 2 1\n3 3 3\n");
    write_file("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n8\n15\n11\n");
    for (int upper = 0; upper < 2; upper++) {
        expect_status(0, tilework("", "posv --input a.mtx --rhs b.mtx --output x.mtx --uplo %c --check", "LU"[upper]));
        read_numbers("x.mtx", 2, 3, x);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(x[i] - (i + 1)) < 1e-14);
    }
    /* A factor is written as a triangle with zeros, not as a symmetric matrix. */
    write_file("c.mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n4\n2\n10\n");
    expect_status(0, tilework("", "potrf --input c.mtx --output l.mtx --check"));
    slurp("l.mtx", out, sizeof out);
    expect_text(out, "l.mtx", "general");
    read_numbers("l.mtx", 2, 4, l);
    assert_true(l[0] == 2 && l[1] == 1 && l[2] == 0 && l[3] == 3);
    /* A file that is not symmetric is used by its triangle, and that is said. */
    write_file("d.mtx", "%%MatrixMarket matrix array real general\n2 2\n4\n2\n99\n10\n");
    expect_status(0, tilework("", "potrf --input d.mtx --output m.mtx --check"));
    expect_text(err, "stderr", "lower triangle");
    read_numbers("m.mtx", 2, 4, l);
    assert_true(l[1] == 1 && l[3] == 3);
}

/* A triangle is read as it stands, imaginary parts on its diagonal, too; of a matrix that is to be hermitian, a file's
 * or a kind's, the triangle counts, for the check as well. */
static void triangles(void **state)
{
    double t[8];

    (void)state;
    write_file("t.mtx", "%%MatrixMarket matrix array complex general\n2 2\n1 1\n2 0\n0 0\n0 2\n"); /* [1+i 0; 2 2i] */
    expect_status(0, tilework("", "trtri --type z --input t.mtx --output u.mtx --check"));
    assert_string_equal(err, "");
    read_numbers("u.mtx", 2, 8, t);
    assert_true(t[0] == 0.5 && t[1] == -0.5 && t[2] == 0.5 && t[3] == 0.5 && t[6] == 0 && t[7] == -0.5);
    write_file("v.mtx", "%%MatrixMarket matrix array complex general\n2 1\n2 0\n2 2\n"); /* x = (1 - i, 2) */
    expect_status(0, tilework("", "trtrs --type z --input t.mtx --rhs v.mtx --output u.mtx --check"));
    read_numbers("u.mtx", 2, 4, t);
    assert_true(t[0] == 1 && t[1] == -1 && t[2] == 2 && t[3] == 0);
    expect_status(0, tilework("", "lauum --type z --input t.mtx --check"));
    expect_status(0, tilework("", "trtri --type z --uplo U --input t.mtx --check"));
    expect_text(err, "stderr", "elements below its diagonal, which are not read: --uplo U");
    for (int door = 0; door < 2; door++) {
        const char *flag = door ? " --lapack-door" : "";
        expect_status(0,
                      tilework("TILEWORK_CROSSOVER=0", "posv --n 300 --nb 100 --kind kahan --type z --check%s", flag));
        expect_text(err, "stderr", "--kind kahan is not hermitian; its lower triangle is used");
        for (int upper = 0; upper < 2; upper++)
            expect_status(0, tilework("TILEWORK_CROSSOVER=0",
                                      "syevd --n 300 --kind random --type z --uplo %c --check%s", "LU"[upper], flag));
        expect_text(err, "stderr", "its upper triangle is used");
    }
    expect_status(0, tilework("", "trtri --n 70 --kind dominant --check"));
    assert_string_equal(err, "");
    /* where |R(k, k)| of randomized pivots grows by 10.4 */
    expect_status(0, tilework("", "geqp3_random --n 90 --nb 32 --kind spectrum --check"));
}

/* What belongs to a factor, in files of its own: A is small, so that all can be told. */
static void factors_parts(void **state)
{
    double v[4];

    (void)state;
    write_file("f.mtx",
               "%%MatrixMarket matrix array real general\n3 2\n0\n4\n0\n3\n1\n12\n"); /* columns (0 4 0), (3 1 12) */
    for (int door = 0; door < 2; door++) {
        const char *at = door ? " --lapack-door" : "";
        expect_status(
            0, tilework("TILEWORK_CROSSOVER=0", "getrf --input f.mtx --output l.mtx --pivots p.mtx --check%s", at));
        read_numbers("p.mtx", 2, 2, v);
        assert_true(v[0] == 2 && v[1] == 3);
        expect_status(0,
                      tilework("TILEWORK_CROSSOVER=0", "geqp3 --input f.mtx --pivots p.mtx --tau t.mtx --check%s", at));
        read_numbers("p.mtx", 2, 2, v);
        assert_true(v[0] == 2 && v[1] == 1);
        read_numbers("t.mtx", 2, 2, v);
        assert_true(fabs(v[0] - (1 + 3 / sqrt(154))) < 1e-14); /* beta = -sqrt(154) */
    }
    write_file("g.mtx", "%%MatrixMarket matrix array real general\n3 1\n3\n4\n12\n");
    expect_status(0, tilework("", "cholqr --input g.mtx --output q.mtx --r r.mtx --check"));
    read_numbers("r.mtx", 2, 1, v);
    assert_true(fabs(v[0] - 13) < 1e-13);
    read_numbers("q.mtx", 2, 3, v);
    assert_true(fabs(v[2] - 12.0 / 13) < 1e-15);
    expect_status(2, tilework("", "getrf --input f.mtx --output l.mtx --pivots l.mtx"));
    expect_text(err, "stderr", "--pivots l.mtx: that is the file of --output");
    expect_status(2, tilework("", "gesv --n 10 --pivots p.mtx"));
    expect_text(err, "stderr", "--pivots: gesv writes none");
    expect_status(2, tilework("", "getrf --n 10 --tau t.mtx"));
    expect_status(2, tilework("", "geqrf --n 10 --r r.mtx"));
    remove("x.mtx");
    expect_status(1, tilework("", "geqp3 --input f.mtx --output x.mtx --pivots /dev/full")); /* both or none */
    assert_null(fopen("x.mtx", "r"));
}

static void traces_are_written(void **state)
{
    static const char *const names[] = {"t.paje", "t.json", "t.svg"};
    (void)state;
    expect_status(0, tilework("", "potrf --n 400 --nb 64 --trace t --json"));
    for (int i = 0; i < 3; i++) {
        struct stat s;
        assert_int_equal(stat(names[i], &s), 0);
        assert_true(s.st_size > 500);
    }
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static void wait_ms(long ms)
{
    const struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* Whether the process has a handler for the signal: on a busy machine it may take its time to get there. */
static int catches(pid_t child, int number)
{
    char path[64], line[256];
    unsigned long long mask = 0;
    FILE *f;

    snprintf(path, sizeof path, "/proc/%d/status", (int)child);
    f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "SigCgt: %llx", &mask) == 1) break;
    if (f) fclose(f);
    return (mask >> (number - 1)) & 1;
}

/* Starts the command, sends the signal after the first line of output (so it is at work), and wants an orderly end. */
static void interrupted_by(int number, int first_wait)
{
    char lines[256];
    int link[2], status = 0, before = files(), waited = 0;
    pid_t child;
    ssize_t got;

    assert_int_equal(pipe(link), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(link[1], STDOUT_FILENO);
        close(link[0]);
        close(link[1]);
        execl(program, "tilework", "potrf", "--n", "3000", "--nb", "128", "--repeat", "100000", "--output", "never.mtx",
              (char *)NULL);
        _exit(99);
    }
    close(link[1]);
    if (first_wait) {
        got = read(link[0], lines, sizeof lines);
        assert_true(got > 0);
    }
    while (!catches(child, number) && waited < 60000) {
        wait_ms(10);
        waited += 10;
    }
    waited = 0;
    wait_ms(first_wait ? 50 : 300);
    kill(child, number);
    while (waitpid(child, &status, WNOHANG) == 0 && waited < 60000) {
        wait_ms(10);
        waited += 10;
    }
    close(link[0]);
    if (waited >= 60000) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        fail_msg("signal %d did not end the command within a minute", number);
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 128 + number)
        fail_msg("signal %d: wait status %x instead of exit status %d", number, (unsigned)status, 128 + number);
    assert_false(exists("never.mtx"));
    assert_int_equal(files(), before);
}

static void signals_end_it_cleanly(void **state)
{
    (void)state;
    interrupted_by(SIGINT, 1);
    interrupted_by(SIGTERM, 1);
    interrupted_by(SIGINT, 0);
}

/* ---- the other subcommands --------------------------------------------------------------------------------------- */

static void profile_is_shown(const json_t *profile)
{
    const json_t *rates = json_object_get(profile, "rates"), *e;
    size_t k;
    int gemm = 0, launch = 0, host = 0;

    assert_true(strlen(string(profile, "path")) > 0);
    assert_true(json_is_true(json_object_get(profile, "kept")));
    assert_true(number(profile, "seconds") > 0 && number(profile, "age") >= 0);
    assert_true(strlen(string(json_object_get(profile, "key"), "cpu")) > 0);
    json_array_foreach(rates, k, e)
    {
        const char *what = string(e, "what");
        assert_true(number(e, "value") > 0 && strlen(string(e, "unit")) > 0 && strlen(string(e, "device")) > 0);
        gemm += !strcmp(what, "gemm") && !strcmp(string(e, "type"), "d") && number(e, "order") > 0;
        launch += !strcmp(what, "launch");
        host += !strcmp(what, "host_memcpy");
    }
    assert_true(gemm >= 5 && launch >= 1 && host == 1);
}

static void info_tells(void **state)
{
    json_t *o;
    size_t i;
    json_t *name;
    int lws = 0;

    (void)state;
    expect_status(0, tilework("STARPU_NCPU=1", "info"));
    expect_text(out, "stdout", "StarPU");
    expect_text(out, "stdout", "STARPU_NCPU=1");
    expect_text(out, "stdout", "memory");
    expect_status(0, tilework("", "info --json"));
    o = parse_line();
    assert_true(number(o, "cores") >= 1);
    assert_true(number(o, "host_memory") > 0);
    assert_true(number(json_object_get(o, "cpu_gflops"), "d") > 0);
    json_array_foreach(json_object_get(o, "schedulers"), i, name) lws |= !strcmp(json_string_value(name), "lws");
    assert_true(lws);
    assert_true(json_is_array(json_object_get(o, "to_fix")));
    profile_is_shown(json_object_get(o, "machine_profile"));
    assert_true(json_array_size(json_object_get(o, "startup")) >= 3);
    json_decref(o);
    expect_status(0, tilework("", "info --startup"));
    expect_text(out, "stdout", "machine profile");
    expect_text(out, "stdout", "stop ");
    expect_status(2, tilework("", "info --startup --json"));
    expect_status(0, tilework("TILEWORK_NBB=3", "info"));
    expect_text(out, "stdout", "no such variable");
    expect_status(2, tilework("STARPU_SCHED=nonsense", "info"));
    expect_text(out, "stdout", "nonsense");
    expect_status(2, tilework("", "info --frobnicate"));
}

static void help_env_and_others(void **state)
{
    (void)state;
    expect_status(0, tilework("", "help"));
    expect_text(out, "stdout", "potrf");
    expect_text(out, "stdout", "--lapack-door");
    expect_status(0, tilework("", "--help"));
    for (int r = 0; r < NROUTINES; r++) {
        expect_status(0, tilework("", "help %s", routines[r]));
        expect_text(out, "stdout", "Example");
        expect_status(0, tilework("", "%s -h", routines[r]));
        expect_text(out, "stdout", "Example");
    }
    expect_status(0, tilework("", "help kinds"));
    expect_text(out, "stdout", "spectrum");
    expect_status(0, tilework("", "help variables"));
    expect_text(out, "stdout", "TILEWORK_NB");
    expect_status(2, tilework("", "help nonsense"));
    expect_text(err, "stderr", "nonsense");
    expect_status(2, tilework("", "nonsense"));
    expect_text(err, "stderr", "nonsense");
    expect_text(err, "stderr", "potrf");
    expect_status(2, tilework("", " "));
    expect_text(err, "stderr", "usage");
    expect_status(0, tilework("", "--version"));
    expect_text(out, "stdout", "tilework 0.");
    expect_status(0, tilework("env -u OPENBLAS_CORETYPE", "env"));
    assert_true(!strncmp(out, "export OPENBLAS_CORETYPE=", 25) || out[0] == '#');
    expect_status(2, tilework("", "env surplus"));
    expect_status(0, tilework("", "bench -h"));
    expect_text(out, "stdout", "overhead");
    expect_status(2, tilework("", "bench potrf --vs nobody"));
    expect_text(err, "stderr", "--vs");
}

static void the_right_kernels(void **state)
{
    char core[256];
    (void)state;
    expect_status(0, tilework("env -u OPENBLAS_CORETYPE", "potrf --n 64 --json"));
    json_t *o = parse_line();
    snprintf(core, sizeof core, "%s", string(o, "blas_core"));
    json_decref(o);
    expect_status(0, tilework("env -u OPENBLAS_CORETYPE", "info --json"));
    o = parse_line();
    assert_string_equal(string(o, "blas_core"), core); /* both restart themselves alike */
    json_decref(o);
}

static void bench_runs(void **state)
{
    json_t *o;
    (void)state;
    expect_status(0, tilework("", "bench potrf --n 700 --repeat 1 --json"));
    o = parse_line();
    static const char *const contestants[] = {"lapack", "lapack_door", "tiles"};
    for (int k = 0; k < 3; k++)
        assert_true(number(json_object_get(o, contestants[k]), "gflops") > 0);
    assert_true(number(json_object_get(o, "tiles"), "difference") < 1e-12);
    json_decref(o);
    expect_status(2, tilework("", "bench blas3 --n 100 --letter X"));
    expect_status(0, tilework("", "bench blas3 --n 600 --repeat 1"));
    static const char *const products[] = {"dgemm  NN", "dgemm  TN", "dsymm", "dsyrk", "dsyr2k", "dtrmm", "dtrsm"};
    for (int k = 0; k < 7; k++)
        expect_text(out, "stdout", products[k]);
    expect_status(0, tilework("", "bench overhead --tasks 2000 --json"));
    o = parse_line();
    assert_true(number(o, "starpu_us") > 0 && number(o, "tilework_us") > 0);
    json_decref(o);
    expect_status(0, tilework("", "bench memory --n 1000 --json"));
    o = parse_line();
    assert_true(number(o, "peak_bytes") > 8e6);
    json_decref(o);
}

static void memory_is_told(void **state)
{
    json_t *o;
    (void)state;
    expect_status(0, tilework("", "memory gesv --n 300 --k 20 --nb 64 --type z --json"));
    o = parse_line();
    assert_true(number(o, "host") >= 16 * (300.0 * 300 + 300 * 20) + 4 * 300 &&
                number(o, "host") < 1.2 * 16 * 320 * 320);
    assert_true(number(o, "own") == 16 * 300.0 * 20 && number(o, "nb") == 64 && number(o, "m") == 300);
    json_decref(o);
    expect_status(0, tilework("", "memory gersvd --n 400 --json"));
    o = parse_line();
    assert_true(number(o, "k") == 50);
    json_decref(o);
    expect_status(0, tilework("", "memory syevd --n 300"));
    expect_text(out, "stdout", "k = 300");
    expect_text(out, "stdout", "about");
    expect_status(0, tilework("", "memory geev --n 300"));
    expect_text(out, "stdout", "at least");
    expect_status(0, tilework("", "memory geqrf --m 5000 --n 300"));
    expect_text(out, "stdout", "operands in main memory");
    assert_null(strstr(out, "do not fit"));
    expect_status(0, tilework("TILEWORK_HOST_MEMORY=1M", "memory gesv --n 1000"));
    expect_text(out, "stdout", "these do not fit into main memory");
    expect_status(2, tilework("", "memory"));
    expect_status(2, tilework("", "memory gemn"));
    expect_text(err, "stderr", "did you mean gemm?");
    expect_status(2, tilework("", "memory zheevd"));
    expect_text(err, "stderr", "did you mean syevd?");
    expect_status(2, tilework("", "memory hseqr")); /* it takes no matrix objects, and is like no other name */
    expect_text(err, "stderr", "nobody has counted");
    expect_status(0, tilework("", "memory syev --n 300"));
    expect_text(out, "stdout", "k = 300");
    expect_status(0, tilework("TILEWORK_HOST_MEMORY=1G", "memory syevd --n 300"));
    expect_text(out, "stdout", "(option or TILEWORK_HOST_MEMORY)");
    expect_status(0, tilework("", "memory sbevd --m 20 --n 1000 --k 1000 --json"));
    o = parse_line();
    assert_true(number(o, "nb") == 20 && number(o, "host") > 8e6 && number(o, "host") < 8e6 * 1.2);
    json_decref(o);
    expect_status(2, tilework("", "memory gemm gemm"));
    expect_status(2, tilework("", "memory gemm --n"));
    expect_status(2, tilework("", "memory gemm --n -1"));
    expect_status(2, tilework("", "memory gemm --type i"));
    expect_status(2, tilework("", "memory gemm --size 3"));
}

static void calibrate_measures(void **state)
{
    (void)state;
    expect_status(0, tilework("TILEWORK_CACHE_DIR=\"$PWD/cache\"", "calibrate --seconds 1"));
    expect_text(out, "stdout", "Gflop/s");
    expect_text(out, "stdout", "changed by more than");
    expect_text(out, "stdout", "LAPACK itself up to");
    expect_status(2, tilework("", "calibrate surplus"));
    expect_status(2, tilework("", "calibrate --seconds"));
    expect_status(2, tilework("", "calibrate --seconds 0"));
    expect_status(
        1, tilework("TILEWORK_CACHE_DIR=/dev/null/none", "calibrate --seconds 1")); /* not kept: said, not ignored */
    expect_text(err, "stderr", "/dev/null/none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_a_file),
        cmocka_unit_test(triangles),
        cmocka_unit_test(factors_parts),
        cmocka_unit_test(traces_are_written),
        cmocka_unit_test(signals_end_it_cleanly),
        cmocka_unit_test(info_tells),
        cmocka_unit_test(help_env_and_others),
        cmocka_unit_test(the_right_kernels),
        cmocka_unit_test(bench_runs),
        cmocka_unit_test(memory_is_told),
        cmocka_unit_test(calibrate_measures),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
