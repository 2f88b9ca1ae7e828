/* The tilework command from outside: every routine, type, triangle and door, JSON, numerical failures. Runs the program
 * of $TILEWORK_BUILD/bin in a folder of its own. */
#include "command.h"

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

/* BLAS-3: every routine, type and door; odd shapes; letters; and, above an order of 8192, the check by vectors. */
static void blas3(void **state)
{
    static const char *const names[] = {"gemm", "symm", "hemm", "syrk", "herk", "syr2k", "her2k", "trmm", "trsm"};
    static const char *const others[] = {"gemm --transa T --transb C --m 90 --n 130 --k 200 --alpha 0.5 --beta 0",
                                         "gemm --m 8200 --n 70 --k 80",
                                         "symm --side R --uplo U --m 200 --n 130 --beta 0",
                                         "hemm --side R --m 8200 --n 80",
                                         "syrk --uplo U --transa T --n 130 --k 90 --beta -2",
                                         "herk --transa C --n 100 --k 8200",
                                         "syr2k --transa T --n 100 --k 8200 --alpha -1",
                                         "her2k --uplo U --transa C --n 130 --k 70",
                                         "trmm --side R --uplo U --transa C --diag U --m 100 --n 150 --alpha -3",
                                         "trmm --side R --m 8200 --n 80",
                                         "trsm --side R --transa T --diag U --m 100 --n 150 --alpha 2",
                                         "trsm --side R --uplo U --m 8200 --n 80 --alpha 0.5"};
    const int count = sizeof others / sizeof *others;
    (void)state;
    for (int k = 0; k < 9 * 4 + count; k++) {
        const int more = k - 9 * 4;
        json_t *o;
        if (more < 0)
            expect_status(0, tilework("", "%s --n 200 --nb 64 --type %c %s --check --json", names[k % 9], "dzsc"[k / 9],
                                      k >= 18 ? "--lapack-door" : ""));
        else
            expect_status(0, tilework("", "%s --nb 48 --type %c --check --json", others[more], "dzsc"[more % 4]));
        o = parse_line();
        if (more < 0) assert_string_equal(string(o, "routine"), names[k % 9]);
        assert_non_null(string(o, "version"));
        assert_true(number(o, "bytes_gpu_to_gpu") >= 0);
        assert_true(number(o, "residual") > 0 && number(o, "residual") < 3);
        assert_string_equal(string(o, "check"), "ok");
        if (more < 0 || !strstr(others[more], "8200")) assert_string_equal(string(o, "check_method"), "full");
        if (more >= 0 && strstr(others[more], "8200")) assert_string_equal(string(o, "check_method"), "vectors");
        if (more < 0 && k < 18) assert_true(number(o, "tasks") > 0);
        if (more < 0 && k >= 18) assert_true(number(o, "tasks") == 0);
        json_decref(o);
    }
    expect_status(0, tilework("", "gemm --n 0 --check"));
    expect_status(0, tilework("", "trsm --m 1 --n 1 --check"));
    expect_status(0, tilework("", "gemm --n 100 --k 0 --check"));
    expect_status(2, tilework("", "gemm --side L"));
    expect_status(2, tilework("", "syr2k --transa C"));
    expect_status(2, tilework("", "her2k --transa T"));
    expect_status(2, tilework("", "trsm --diag X"));
    expect_status(2, tilework("", "gemm --k -1"));
    expect_status(2, tilework("", "symm nonsense"));
}

/* LU: general matrices without a triangle. */
static void lu(void **state)
{
    static const char *const names[] = {"getrf", "getrs", "gesv", "getri"}, *const doors[] = {"", "--in-place",
                                                                                              "--lapack-door"};
    (void)state;
    for (int r = 0; r < 4; r++) {
        for (const char *type = "sdcz"; *type; type++)
            for (int d = 0; d < 3; d++) {
                json_t *o;
                expect_status(
                    0, tilework("", "%s --n 300 --nb 64 --type %c %s --check --json", names[r], *type, doors[d]));
                o = parse_line();
                assert_string_equal(string(o, "routine"), names[r]);
                assert_string_equal(string(o, "kind"), "random");
                assert_null(json_object_get(o, "uplo"));
                assert_true(number(o, "residual") > 0 && number(o, "residual") < 3);
                assert_string_equal(string(o, "check"), "ok");
                if (r == 0) assert_true(number(o, "growth") >= 1 && number(o, "growth") < 300);
                json_decref(o);
            }
        expect_status(0, tilework("", "%s --n 0 --check", names[r]));
        expect_status(0, tilework("", "%s --n 1 --check", names[r]));
        expect_status(1, tilework("", "%s --n 100 --nb 32 --kind zero --output never.mtx", names[r]));
        expect_status(2, tilework("", "%s --n 100 --uplo L", names[r]));
        expect_text(err, "stderr", "--uplo");
    }
    expect_status(0, tilework("", "getrf --n 200 --nb 64 --kind identity --check --json"));
    expect_text(out, "stdout", "\"growth\":1.0");
    for (const char *type = "sdcz"; *type; type++) {
        expect_status(0, tilework("", "getrf --n 24 --nb 7 --kind wilkinson --type %c --check --json", *type));
        json_t *o = parse_line();
        assert_true(number(o, "growth") == 8388608); /* 2^23 */
        json_decref(o);
        expect_status(0, tilework("", "getrf --n 200 --nb 64 --kind dyadic --type %c --check",
                                  *type)); /* exactly 0 is right here */
        for (int c = 0; c < 9; c++) {      /* the first, a middle, the last column: P A = L U all the same */
            static const int columns[] = {1, 70, 100};
            char says[64];
            json_t *o;
            expect_status(1, tilework("TILEWORK_CROSSOVER=0",
                                      "getrf --n 100 --nb 32 --kind zerocol:%d --type %c --check --json%s",
                                      columns[c % 3], *type,
                                      c < 3   ? ""
                                      : c < 6 ? " --in-place"
                                              : " --lapack-door"));
            o = parse_line();
            assert_true(number(o, "info") == columns[c % 3]);
            assert_true(number(o, "residual") > 0 && number(o, "residual") < 3);
            assert_string_equal(string(o, "check"), "ok");
            json_decref(o);
            expect_status(
                1, tilework("", "getrf --n 100 --nb 32 --kind zerocol:%d --type %c --check", columns[c % 3], *type));
            snprintf(says, sizeof says, "pivot %d is exactly 0", columns[c % 3]);
            expect_text(out, "stdout", says);
            expect_text(out, "stdout", " ok (");
        }
        for (int c = 0; c < 6; c++) {
            json_t *o;
            expect_status(0, tilework("TILEWORK_CROSSOVER=0",
                                      "trtrs --n 90 --nb 32 --nrhs 2 --uplo %c --trans %c --type %c --check --json%s",
                                      "LU"[c % 2], "NTC"[c / 2], *type, c == 2 || c == 5 ? " --lapack-door" : ""));
            o = parse_line();
            assert_string_equal(string(o, "trans"), ((const char[]){"NTC"[c / 2], 0}));
            assert_true(number(o, "residual") > 0 && number(o, "residual") < 3);
            json_decref(o);
        }
        expect_status(0,
                      tilework("", "gelsy --m 120 --n 80 --nb 32 --kind lowrank:33 --type %c --check --json", *type));
        expect_text(out, "stdout", "\"rank\":33");
    }
    for (const char *type = "dz"; *type; type++) {
        expect_status(0, tilework("", "gelqf --m 70 --n 110 --nb 32 --type %c --check --json", *type));
        json_t *o = parse_line();
        assert_true(number(o, "residual") > 0 && number(o, "residual") < 3);
        json_decref(o);
        expect_status(0,
                      tilework("", "%s --m 7 --n 200000 --type %c --check", *type == 'd' ? "getrf" : "gelqf", *type));
        expect_status(0, tilework("", "getrs --n 90 --nb 32 --nrhs 2 --trans T --type %c --check --json", *type));
        expect_text(out, "stdout", "\"trans\":\"T\"");
        for (int wide = 0; wide < 2; wide++)
            expect_status(0, tilework("", "gels --m %d --n %d --nb 32 --trans C --type %c --check %s", wide ? 50 : 110,
                                      wide ? 110 : 50, *type, wide ? "--lapack-door" : ""));
    }
    expect_status(0, tilework("", "gels --m 110 --n 50 --nb 32 --seed 7 --output trans_x.mtx"));
    expect_status(2, tilework("", "gels --m 110 --n 60 --trans T --rhs trans_x.mtx --check"));
    expect_text(err, "stderr", "50 rows, the matrix 60 columns");
    expect_status(0,
                  tilework("", "gels --m 110 --n 50 --nb 32 --trans T --rhs trans_x.mtx --output trans_y.mtx --check"));
    expect_status(0, tilework("", "gels --m 110 --n 50 --nb 32 --rhs trans_y.mtx --check"));
    expect_status(2, tilework("", "gels --n 20 --trans T --type z"));
    expect_status(2, tilework("", "gesv --n 20 --trans T"));
    expect_text(err, "stderr", "--trans");
    expect_status(2, tilework("TILEWORK_HOST_MEMORY=12M", "getri --n 1000 --nb 250"));
    expect_text(err, "stderr", "not enough memory");
    expect_status(0, tilework("", "gesv --n 100 --nb 32 --nrhs 150 --check"));
    expect_status(0, tilework("", "gesv_nopiv --n 100 --nb 32 --kind dominant --check --json"));
    expect_text(out, "stdout", "\"method\":\"nopiv\"");
    expect_status(0, tilework("", "gesv_nopiv --n 60 --nb 32 --nrhs 2 --kind dyadic --check --json --lapack-door"));
    expect_text(out, "stdout", "\"method\":\"pivoted\"");
    expect_text(out, "stdout", "\"iter\":-3");
    expect_status(1, tilework("", "gesv_nopiv --n 60 --nb 32 --kind zerocol:40"));
    expect_text(out, "stdout", "pivot 40 is exactly 0");
    expect_status(0, tilework("", "gesv_half --n 100 --nb 32 --nrhs 2 --kind svd:1e4 --check --json"));
    expect_text(out, "stdout", "\"factors\":\"half\"");
    expect_status(0, tilework("", "posv_half --n 100 --nb 32 --cond 1e12 --in-place --check --json"));
    expect_text(out, "stdout", "\"factors\":\"double\"");
    expect_status(0, tilework("", "gesv_half --n 100 --nb 32 --type z --kind svd:1e3 --check --json"));
    expect_text(out, "stdout", "\"factors\":\"half\"");
    expect_status(2, tilework("", "gesv_half --n 100 --type c"));
    for (int r = 0; r < 2; r++) {
        const char *name = r ? "geqp3rk_random" : "geqp3rk";
        expect_status(0,
                      tilework("", "%s --m 120 --n 80 --nb 32 --kind lowrank:33 --reltol 1e-10 --check --json", name));
        expect_text(out, "stdout", "\"rank\":33");
        expect_status(0,
                      tilework("", "%s --m 80 --n 90 --nb 32 --kmax 41 --type z --check --json --lapack-door", name));
        expect_text(out, "stdout", "\"rank\":41");
    }
    expect_status(2, tilework("", "geqp3 --n 20 --kmax 3"));
    expect_text(err, "stderr", "--kmax");
    for (int r = 0; r < 2; r++) {
        expect_status(0, tilework("", "%s --n 100 --nb 32 --nrhs 3 --check --json", r ? "posvx" : "gesvx"));
        expect_text(out, "stdout", "\"iterations\":");
        expect_text(out, "stdout", "\"berr\":");
        expect_status(1, tilework("", "%s --n 100 --nb 32 --kind zero", r ? "posvx" : "gesvx"));
        expect_status(0, tilework("", "%s --n 100 --nb 32 --check --json", r ? "trcon" : "gecon"));
        expect_text(out, "stdout", "\"rcond_lapack\":");
    }
    assert_false(exists("never.mtx"));
}

/* QR and least squares: --m rows and --n columns. */
static void rectangular(void **state)
{
    static const char *const names[] = {"geqrf", "gels", "geqrf_tree"}, *const doors[] = {"", "--in-place",
                                                                                          "--lapack-door"};
    static const int shapes[][2] = {{300, 200}, {200, 300}, {250, 250}};
    (void)state;
    for (int r = 0; r < 3; r++) {
        for (const char *type = "sdcz"; *type; type++)
            for (int c = 0; c < 9; c++) {
                const int m = shapes[c / 3][0], n = shapes[c / 3][1];
                json_t *o;
                if (r == 2 && (c % 3 == 2 || c % 3 != *type % 2)) continue; /* half of two doors */
                expect_status(0,
                              tilework("TILEWORK_CROSSOVER=0", "%s --m %d --n %d --nb 64 --type %c %s --check --json",
                                       names[r], m, n, *type, doors[c % 3]));
                o = parse_line();
                assert_string_equal(string(o, "routine"), names[r]);
                assert_true(number(o, "m") == m && number(o, "n") == n);
                assert_null(json_object_get(o, "uplo"));
                assert_true(number(o, "residual") > 0 && number(o, "residual") < 3);
                assert_string_equal(string(o, "check"), "ok");
                json_decref(o);
            }
        expect_status(0, tilework("", "%s --n 0 --check", names[r]));
        expect_status(0, tilework("", "%s --m 1 --n 70 --check", names[r]));
        expect_status(0, tilework("", "%s --m 70 --n 1 --check", names[r]));
        expect_status(2, tilework("", "%s --n 100 --uplo L", names[r]));
        expect_status(0, tilework("", "%s --m 9000 --n 40 --nb 64 --check --json", names[r]));
        if (r != 1) expect_text(out, "stdout", "\"check_method\":\"vectors\"");
    }
    expect_status(2, tilework("", "geqrf_tree --n 100 --lapack-door"));
    expect_status(0, tilework("", "gels --m 120 --n 80 --nb 32 --nrhs 150 --check"));
    expect_status(2, tilework("", "gesv --m 100 --n 80"));
    expect_text(err, "stderr", "square");
    for (const char *door = "tl"; *door; door++)
        for (int tall = 0; tall < 2; tall++) {
            const char *shape = tall ? "--m 130 --n 71" : "--m 71 --n 130", *at = *door == 'l' ? " --lapack-door" : "";
            json_t *o;
            expect_status(0, tilework("TILEWORK_CROSSOVER=0", "getrf %s --nb 32 --type z --check --json%s", shape, at));
            o = parse_line();
            assert_true(number(o, "residual") > 0 && number(o, "residual") < 3 && number(o, "growth") > 1);
            assert_true(number(o, "m") == (tall ? 130 : 71));
            json_decref(o);
            expect_status(
                0, tilework("TILEWORK_CROSSOVER=0", "getrf_nopiv %s --kind dominant --nb 32 --check%s", shape, at));
        }
    expect_status(0, tilework("", "getrf --m 9000 --n 40 --check --json"));
    expect_text(out, "stdout", "\"check_method\":\"full\"");
    expect_status(1, tilework("", "getrf --m 60 --n 100 --kind zerocol:50 --check"));
    expect_text(out, "stdout", "pivot 50 is exactly 0");
    expect_text(out, "stdout", " ok (");
    expect_status(0, tilework("", "getrf --m 1 --n 70 --check"));
    expect_status(0, tilework("", "getrf --m 70 --n 1 --check"));
    expect_status(2, tilework("", "getrf_nopiv --m 70 --n 30")); /* there is no spd of such a shape */
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
            expect_status(0, tilework("TILEWORK_CROSSOVER=512", "%s --n 700 --nb 128 %s --check --json --type %c",
                                      routines[r], flags[d], "dz"[d == 1]));
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

/* Above 8192 the checker works with vectors: it has to accept right results. (That it refuses wrong ones:
 * with_a_fault.) */
static void large_check(void **state)
{
    static const char *const triangular[] = {"potrf", "lauum", "trtri", "potri", "posv"};
    (void)state;
    for (int r = 0; r < 5; r++) {
        expect_status(0, tilework("", "%s --n 8200 --type s --uplo %c --check --json", triangular[r], "LU"[r % 2]));
        check_record(triangular[r], 's', "LU"[r % 2], 8200);
        if (r < 4) expect_text(out, "stdout", "\"check_method\":\"vectors\"");
    }
    expect_status(0, tilework("", "getrf --n 8200 --type s --check --json"));
    expect_text(out, "stdout", "\"check_method\":\"vectors\"");
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
    assert_int_equal(lines, 4); /* the last one: median, least, spread */
    expect_text(out, "stdout", "Gflop/s");
    expect_text(out, "stdout", "residual");
    expect_status(0, tilework("", "potrf --n 64 --repeat 2 --json --seed 7"));
    expect_text(out, "stdout", "\"repeat\":1");
    expect_text(out, "stdout", "\"seed\":7");
}

/* ---- failures ---------------------------------------------------------------------------------------------------- */

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
    for (int r = 0; r < 7; r++) {
        expect_status(1, tilework("TILEWORK_FAULT=1", "%s --n 400 --nb 64 --kind kms:0.5 --check --output never.mtx",
                                  routines[r]));
        expect_text(out, "stdout", "failed");
        expect_status(1, tilework("TILEWORK_FAULT=1", "%s --n 8200 --kind kms:0.5 --check", routines[r]));
        expect_text(out, "stdout", "failed");
    }
    for (int r = 0; r < 3; r++) {
        static const char *const names[] = {"getrf", "getrs", "gesv"};
        expect_status(1, tilework("TILEWORK_FAULT=1", "%s --n 400 --nb 64 --kind kms:0.5 --check", names[r]));
        expect_text(out, "stdout", "failed");
    }
    for (int r = 0; r < 7; r++) {
        static const char *const runs[] = {"geqrf --n 400 --nb 64",          "geqrf --m 500 --n 300 --nb 64",
                                           "geqrf --m 8200 --n 300 --nb 64", "gels --n 400 --nb 64",
                                           "gelqf --m 300 --n 500 --nb 64",  "gels --m 500 --n 300 --nb 64",
                                           "gels --m 300 --n 500 --nb 64"};
        expect_status(1, tilework("TILEWORK_FAULT=1", "%s --check", runs[r]));
        expect_text(out, "stdout", "failed");
    }
    expect_status(1, tilework("TILEWORK_FAULT=1", "getrf --n 8200 --kind kms:0.5 --check"));
    expect_text(out, "stdout", "failed");
    assert_false(exists("never.mtx"));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_routine_type_and_triangle),
        cmocka_unit_test(blas3),
        cmocka_unit_test(lu),
        cmocka_unit_test(rectangular),
        cmocka_unit_test(task_count_is_the_closed_form),
        cmocka_unit_test(every_door),
        cmocka_unit_test(odd_sizes),
        cmocka_unit_test(large_check),
        cmocka_unit_test(ill_conditioned),
        cmocka_unit_test(repeats_and_lines),
        cmocka_unit_test(numerical_failures),
#ifdef TILEWORK_FAULT_INJECTION
        cmocka_unit_test(with_a_fault),
#endif
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
