/* What the tilework command refuses, and that it says why: flags, variables, sizes, files. */
#include "command.h"

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
    expect_status(2, tilework("TILEWORK_PROGRESS=maybe", "potrf --n 64"));
    expect_text(err, "stderr", "TILEWORK_PROGRESS");
    expect_status(0, tilework("TILEWORK_PROGRESS=maybe", "potrf --n 64 --no-progress"));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_flags_are_named),
        cmocka_unit_test(bad_variables_are_named),
        cmocka_unit_test(too_large),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(output_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
