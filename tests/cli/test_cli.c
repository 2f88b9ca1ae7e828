/* The tilework command from outside: every routine, every flag's refusal, exit statuses, JSON, files, signals. Runs the program
 * of $TILEWORK_BUILD/bin in a folder of its own. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include <jansson.h>

static char program[4096], folder[4096];
static char out[1 << 20], err[1 << 16];

/* ---- running the command ----------------------------------------------------------------------------------------------- */

static void slurp(const char *path, char *to, size_t size)
{
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(to, 1, size - 1, f) : 0;
    to[n] = 0;
    if (f) fclose(f);
}

/* Exit status of `before tilework arguments`; what it printed lands in out and err. Negative: killed by that signal. */
static int tilework(const char *before, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int tilework(const char *before, const char *format, ...)
{
    char arguments[8192], command[20000];
    va_list list;
    int status;

    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    snprintf(command, sizeof command, "cd '%s' && %s '%s' %s >stdout 2>stderr </dev/null", folder, before, program,
             arguments);
    status = system(command);
    slurp("stdout", out, sizeof out);
    slurp("stderr", err, sizeof err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect_status(int wanted, int got)
{
    if (wanted != got) fail_msg("exit status %d instead of %d\nstdout: %s\nstderr: %s", got, wanted, out, err);
}

static void expect_text(const char *where, const char *what, const char *text)
{
    if (!strstr(where, text)) fail_msg("%s does not say \"%s\":\n%s", what, text, where);
}

static json_t *parse_line(void)
{
    json_error_t e;
    json_t *o = json_loads(out, 0, &e);
    if (!o) fail_msg("not one JSON object: %s\n%s", e.text, out);
    return o;
}

static double number(const json_t *o, const char *key)
{
    json_t *v = json_object_get(o, key);
    if (!json_is_number(v)) fail_msg("no number '%s' in %s", key, out);
    return json_number_value(v);
}

static const char *string(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    if (!s) fail_msg("no string '%s' in %s", key, out);
    return s ? s : "";
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static int exists(const char *name)
{
    return access(name, F_OK) == 0;
}

/* Files in the folder, without what this test itself leaves there. */
static int files(void)
{
    DIR *d = opendir(".");
    int count = 0;
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.' || strlen(e->d_name) > 2) count++;
    closedir(d);
    return count;
}

/* ---- routines ------------------------------------------------------------------------------------------------------------ */

static const char *const routines[] = {"potrf", "potrs", "posv", "potri", "lauum", "trtri", "pocon"};
#define NROUTINES 7

static void check_record(const char *routine, char type, char uplo, int n)
{
    json_t *o = parse_line();
    char letter[2] = {type, 0}, triangle[2] = {uplo, 0};

    assert_string_equal(string(o, "routine"), routine);
    assert_string_equal(string(o, "type"), letter);
    assert_string_equal(string(o, "uplo"), triangle);
    assert_int_equal((int)number(o, "n"), n);
    assert_int_equal((int)number(o, "m"), n);
    assert_int_equal((int)number(o, "info"), 0);
    assert_true(number(o, "seconds") > 0);
    if (strcmp(routine, "pocon")) assert_true(number(o, "gflops") > 0);
    assert_true(number(o, "residual") > 0 && number(o, "residual") < 3);
    assert_string_equal(string(o, "check"), "ok");
    assert_true(strlen(string(o, "sched")) > 0);
    assert_true(strlen(string(o, "nb_source")) > 0);
    assert_true(number(o, "cpu_tasks") + number(o, "cuda_tasks") == number(o, "tasks"));
    json_decref(o);
}

static void every_routine_type_and_triangle(void **state)
{
    (void)state;
    for (int r = 0; r < NROUTINES; r++)
        for (const char *type = "sdcz"; *type; type++)
            for (const char *uplo = "LU"; *uplo; uplo++) {
                expect_status(0, tilework("", "%s --n 200 --nb 64 --type %c --uplo %c --check --json", routines[r],
                                          *type, *uplo));
                check_record(routines[r], *type, *uplo, 200);
            }
}

/* The number of tasks is the textbook's: t potrf, t(t-1)/2 trsm and syrk, t(t-1)(t-2)/6 gemm. */
static void task_count_is_the_closed_form(void **state)
{
    json_t *o;

    (void)state;
    expect_status(0, tilework("", "potrf --n 500 --nb 64 --json"));
    o = parse_line();
    assert_int_equal((int)number(o, "nb"), 64);
    assert_string_equal(string(o, "nb_source"), "option");
    assert_int_equal((int)number(o, "tasks"), 8 + 28 + 28 + 56);
    assert_null(json_object_get(o, "residual"));
    json_decref(o);
}

static void every_door(void **state)
{
    static const char *const flags[] = {"", "--in-place", "--lapack-door"}, *const names[] = {"tiles", "in-place",
                                                                                              "lapack"};
    json_t *o;

    (void)state;
    for (int r = 0; r < NROUTINES; r++)
        for (int d = 0; d < 3; d++) {
            expect_status(0, tilework("", "%s --n 700 --nb 128 %s --check --json --type %c", routines[r], flags[d],
                                      "dz"[d == 1]));
            o = parse_line();
            assert_string_equal(string(o, "door"), names[d]);
            /* The LAPACK door gives LAPACK what has little to compute: potrs with one right-hand side, pocon. */
            if (d < 2 || (strcmp(routines[r], "pocon") && strcmp(routines[r], "potrs")))
                assert_true(number(o, "tasks") > 0);
            json_decref(o);
        }
    expect_status(0, tilework("", "potrf --n 100 --lapack-door --check --json"));
    o = parse_line();
    assert_int_equal((int)number(o, "tasks"), 0); /* too small for tiles: LAPACK itself */
    json_decref(o);
}

static void odd_sizes(void **state)
{
    static const int sizes[] = {0, 1, 2, 63, 64, 65, 131};
    (void)state;
    for (int r = 0; r < NROUTINES; r++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            expect_status(0, tilework("", "%s --n %d --nb 64 --check --uplo %c", routines[r], sizes[i], "LU"[i % 2]));
    expect_status(0, tilework("", "posv --n 100 --nb 64 --nrhs 0 --check"));
    expect_status(0, tilework("", "posv --n 100 --nb 64 --nrhs 70 --check"));
}

/* Above 8192 the checker works with vectors: it has to accept right results. (That it refuses wrong ones: with_a_fault.) */
static void large_check(void **state)
{
    static const char *const triangular[] = {"potrf", "lauum", "trtri", "potri", "posv"};
    (void)state;
    for (int r = 0; r < 5; r++) {
        expect_status(0, tilework("", "%s --n 8200 --type s --uplo %c --check --json", triangular[r], "LU"[r % 2]));
        check_record(triangular[r], 's', "LU"[r % 2], 8200);
        if (r < 4) expect_text(out, "stdout", "\"check_method\":\"vectors\"");
    }
}

static void ill_conditioned(void **state)
{
    (void)state;
    expect_status(0, tilework("", "potrf --n 600 --nb 100 --cond 1e12 --check --json"));
    check_record("potrf", 'd', 'L', 600);
    expect_text(out, "stdout", "\"kind\":\"spectrum:1000000000000\"");
    expect_status(0, tilework("", "pocon --n 300 --nb 64 --cond 1e6 --check --json"));
    expect_status(0, tilework("", "posv --n 300 --nb 64 --kind minij --check"));
    expect_status(0, tilework("", "potrf --n 300 --nb 64 --kind identity --check")); /* exactly 0 is right here */
}

static void repeats_and_lines(void **state)
{
    int lines = 0;
    (void)state;
    expect_status(0, tilework("", "potrf --n 300 --nb 64 --repeat 3 --check"));
    for (char *c = out; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 3);
    expect_text(out, "stdout", "Gflop/s");
    expect_text(out, "stdout", "residual");
    expect_status(0, tilework("", "potrf --n 64 --repeat 2 --json --seed 7"));
    expect_text(out, "stdout", "\"repeat\":1");
    expect_text(out, "stdout", "\"seed\":7");
}

/* ---- failures -------------------------------------------------------------------------------------------------------------- */

static void numerical_failures(void **state)
{
    static const int minors[] = {1, 150, 300};
    (void)state;
    for (int i = 0; i < 3; i++) {
        json_t *o;
        expect_status(
            1, tilework("", "potrf --n 300 --nb 64 --kind minor:%d --check --json --output never.mtx", minors[i]));
        o = parse_line();
        assert_int_equal((int)number(o, "info"), minors[i]);
        json_decref(o);
        expect_status(1, tilework("", "posv --n 300 --nb 64 --kind minor:%d --output never.mtx", minors[i]));
        expect_status(1, tilework("", "potri --n 300 --nb 64 --kind minor:%d --output never.mtx", minors[i]));
        expect_text(err, "stderr", "not positive definite");
    }
    expect_status(1, tilework("", "potrf --n 300 --nb 64 --kind nan:200,100 --check --output never.mtx"));
    expect_status(1, tilework("", "trtri --n 100 --nb 64 --kind zero --output never.mtx"));
    assert_false(exists("never.mtx"));
}

#ifdef TILEWORK_FAULT_INJECTION
/* The preset `fault`: one tile is perturbed, and every checker has to see it, the full ones and those with vectors. */
static void with_a_fault(void **state)
{
    (void)state;
    for (int r = 0; r < 6; r++) {
        expect_status(1, tilework("TILEWORK_FAULT=1", "%s --n 400 --nb 64 --kind kms:0.5 --check --output never.mtx",
                                  routines[r]));
        expect_text(out, "stdout", "failed");
        expect_status(1, tilework("TILEWORK_FAULT=1", "%s --n 8200 --kind kms:0.5 --check", routines[r]));
        expect_text(out, "stdout", "failed");
    }
    assert_false(exists("never.mtx"));
}
#endif

static void bad_flags_are_named(void **state)
{
    static const char *const bad[][2] = {{"--n x", "--n"},
                                         {"--n -1", "--n"},
                                         {"--n 10x", "--n"},
                                         {"--n ''", "--n"},
                                         {"--n 99999999999999999999", "--n"},
                                         {"--n", "--n"},
                                         {"--n 10 --m 11", "--m"},
                                         {"--nrhs -2", "--nrhs"},
                                         {"--type q", "--type"},
                                         {"--type dd", "--type"},
                                         {"--uplo X", "--uplo"},
                                         {"--uplo ''", "--uplo"},
                                         {"--nb 0", "--nb"},
                                         {"--nb many", "--nb"},
                                         {"--kind nosuch", "--kind"},
                                         {"--kind spectrum:x", "--kind"},
                                         {"--kind minor:0", "--kind"},
                                         {"--kind ''", "--kind"},
                                         {"--cond 0.5", "--cond"},
                                         {"--cond nan", "--cond"},
                                         {"--cond 10 --kind spd", "--cond"},
                                         {"--seed -1", "--seed"},
                                         {"--seed 1.5", "--seed"},
                                         {"--input x --kind spd", "--input"},
                                         {"--input ''", "--input"},
                                         {"--repeat 0", "--repeat"},
                                         {"--check=1", "--check"},
                                         {"--sched nonsense --n 64", "--sched"},
                                         {"--ncpu -1", "--ncpu"},
                                         {"--ncpu 1e3", "--ncpu"},
                                         {"--ncuda x", "--ncuda"},
                                         {"--lapack-door --in-place", "--in-place"},
                                         {"--priority high", "--priority"},
                                         {"--window 0", "--window"},
                                         {"--limit-cuda-mem 0", "--limit-cuda-mem"},
                                         {"--rhs b.mtx", "--rhs"},
                                         {"--nrhs 2", "--nrhs"},
                                         {"--frobnicate", "--frobnicate"},
                                         {"-x", "-x"},
                                         {"surplus", "surplus"},
                                         {"--output ''", "--output"},
                                         {"--trace ''", "--trace"}};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int status = tilework("", "potrf %s", bad[i][0]);
        if (status != 2) fail_msg("potrf %s: exit status %d\n%s%s", bad[i][0], status, out, err);
        expect_text(err, bad[i][0], bad[i][1]);
        assert_string_equal(out, "");
    }
}

static void bad_variables_are_named(void **state)
{
    (void)state;
    expect_status(2, tilework("STARPU_SCHED=nonsense", "potrf --n 64"));
    expect_text(err, "stderr", "nonsense");
    expect_text(err, "stderr", "dmdas");
    expect_text(err, "stderr", "lws");
    expect_status(2, tilework("TILEWORK_NB=-3", "potrf --n 64"));
    expect_text(err, "stderr", "TILEWORK_NB");
    expect_status(2, tilework("TILEWORK_PRIORITY=x", "potrf --n 64"));
    expect_text(err, "stderr", "TILEWORK_PRIORITY");
    expect_status(
        0, tilework("STARPU_SCHED=nonsense", "potrf --n 64 --sched eager --json")); /* a flag beats the variable */
    expect_text(out, "stdout", "\"sched\":\"eager\"");
    expect_status(0, tilework("TILEWORK_NB=32", "potrf --n 128 --json"));
    expect_text(out, "stdout", "\"nb_source\":\"TILEWORK_NB\"");
    expect_status(0, tilework("TILEWORK_NB=32", "potrf --n 128 --nb 64 --json"));
    expect_text(out, "stdout", "\"nb\":64");
}

static void too_large(void **state)
{
    static const char *const flags[] = {"", "--lapack-door", "--in-place", "--check", "--type z"};
    (void)state;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        expect_status(2, tilework("", "potrf --n 10000000 %s --output never.mtx", flags[i]));
        expect_text(err, "stderr", "bytes");
        expect_text(err, "stderr", "memory");
    }
    expect_status(2, tilework("", "potrf --n 9000000000000000000"));
    expect_text(err, "stderr", "bytes");
    expect_status(2, tilework("TILEWORK_HOST_MEMORY=1M", "potrf --n 2000"));
    expect_text(err, "stderr", "TILEWORK_HOST_MEMORY");
    expect_status(2, tilework("", "posv --n 1000 --nrhs 2000000000"));
    expect_text(err, "stderr", "bytes");
    assert_false(exists("never.mtx"));
}

static void bad_files(void **state)
{
    static const struct {
        const char *name, *text, *says;
    } bad[] = {{"short.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", "short.mtx"},
               {"words.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\nthree\n4\n", "5"},
               {"nan.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\nnan\n0\n4\n", "4"},
               {"huge.mtx", "%%MatrixMarket matrix array real general\n4000000000 4000000000\n1\n", "huge.mtx"},
               {"header.mtx", "%%MatrixMarket matrix nonsense real general\n2 2\n", "1"},
               {"empty.mtx", "", "empty.mtx"},
               {"index.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n3 1 5\n", "3"},
               {"oblong.mtx", "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n", "2 x 3"},
               {"complex.mtx", "%%MatrixMarket matrix array complex general\n1 1\n1 2\n", "--type"}};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int status;
        write_file(bad[i].name, bad[i].text);
        status = tilework("", "potrf --input %s --output never.mtx --check", bad[i].name);
        if (status != 2) fail_msg("%s: exit status %d\n%s%s", bad[i].name, status, out, err);
        expect_text(err, bad[i].name, bad[i].says);
        if (i != 3) expect_text(err, bad[i].name, bad[i].name);
        assert_false(exists("never.mtx"));
    }
    expect_status(2, tilework("", "potrf --input missing.mtx"));
    expect_text(err, "stderr", "missing.mtx");
    write_file("one.mtx", "%%MatrixMarket matrix array real general\n1 1\n4\n");
    expect_status(2, tilework("", "potrf --input one.mtx --n 2"));
    expect_text(err, "stderr", "--n");
    expect_status(2, tilework("", "posv --input one.mtx --rhs oblong.mtx"));
    expect_text(err, "stderr", "--rhs");
}

static void output_that_cannot_be_written(void **state)
{
    (void)state;
    expect_status(1, tilework("", "potrf --n 100 --nb 64 --output no/such/folder/l.mtx"));
    expect_text(err, "stderr", "--output");
    expect_text(err, "stderr", "no/such/folder/l.mtx");
}

/* ---- files that work ---------------------------------------------------------------------------------------------------------- */

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

/* ---- signals ------------------------------------------------------------------------------------------------------------------- */

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

/* ---- the other subcommands -------------------------------------------------------------------------------------------------------- */

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
    assert_true(json_is_array(json_object_get(o, "to_mend")));
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
    expect_status(0, tilework("", "bench overhead --tasks 2000 --json"));
    o = parse_line();
    assert_true(number(o, "starpu_us") > 0 && number(o, "tilework_us") > 0);
    json_decref(o);
    expect_status(0, tilework("", "bench memory --n 1000 --json"));
    o = parse_line();
    assert_true(number(o, "peak_bytes") > 8e6);
    json_decref(o);
}

static void calibrate_measures(void **state)
{
    (void)state;
    expect_status(0, tilework("TILEWORK_CACHE_DIR=\"$PWD/cache\"", "calibrate --seconds 1"));
    expect_text(out, "stdout", "Gflop/s");
    expect_text(out, "stdout", "changed by more than");
    expect_status(2, tilework("", "calibrate surplus"));
    expect_status(2, tilework("", "calibrate --seconds"));
    expect_status(2, tilework("", "calibrate --seconds 0"));
    expect_status(1, tilework("TILEWORK_CACHE_DIR=/dev/null/none", "calibrate --seconds 1")); /* not kept: said, not ignored */
    expect_text(err, "stderr", "/dev/null/none");
}

static int set_up(void **state)
{
    const char *given = getenv("TILEWORK_BUILD");
    char *build = realpath(given ? given : ".", NULL);

    (void)state;
    if (!build) return -1;
    snprintf(program, sizeof program, "%s/bin/tilework", build);
    snprintf(folder, sizeof folder, "%s/test-cli-XXXXXX", build);
    free(build);
    if (access(program, X_OK) != 0) {
        fprintf(stderr, "%s: %s (TILEWORK_BUILD names the build folder)\n", program, strerror(errno));
        return -1;
    }
    return !mkdtemp(folder) || chdir(folder) ? -1 : 0;
}

static int tear_down(void **state)
{
    char command[4200];
    (void)state;
    snprintf(command, sizeof command, "cd / && rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_routine_type_and_triangle),
        cmocka_unit_test(task_count_is_the_closed_form),
        cmocka_unit_test(every_door),
        cmocka_unit_test(odd_sizes),
        cmocka_unit_test(ill_conditioned),
        cmocka_unit_test(repeats_and_lines),
        cmocka_unit_test(numerical_failures),
#ifdef TILEWORK_FAULT_INJECTION
        cmocka_unit_test(with_a_fault),
#endif
        cmocka_unit_test(bad_flags_are_named),
        cmocka_unit_test(bad_variables_are_named),
        cmocka_unit_test(too_large),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(output_that_cannot_be_written),
        cmocka_unit_test(solves_a_file),
        cmocka_unit_test(traces_are_written),
        cmocka_unit_test(signals_end_it_cleanly),
        cmocka_unit_test(info_tells),
        cmocka_unit_test(help_env_and_others),
        cmocka_unit_test(the_right_kernels),
        cmocka_unit_test(bench_runs),
        cmocka_unit_test(calibrate_measures),
        cmocka_unit_test(large_check),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
