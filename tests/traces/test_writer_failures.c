/* Where the writers of traces/ cannot write, and texts that they have to escape. */
#include "written.h"

/* A place that cannot be written to: TW_E_IO with the file's name in the message, and nothing left behind. */
static void test_unwritable(void **state)
{
    struct synthetic s;
    char bad[4200];

    (void)state;
    assert_int_equal(synthetic_potrf(&s, 4, 2, 0), 0);
    for (int k = 0; k < NFORMATS; k++) {
        snprintf(bad, sizeof bad, "%s/missing/run", directory);
        assert_int_equal(writers[k](&s.recording, bad), TW_E_IO);
        assert_non_null(strstr(tw_last_message(), "missing/run"));
        assert_non_null(strstr(tw_last_message(), extensions[k]));
        /* The target is a folder: everything can be written but the last step fails. */
        snprintf(bad, sizeof bad, "%s/run%s", directory, extensions[k]);
        assert_int_equal(mkdir(bad, 0755), 0);
        assert_int_equal(writers[k](&s.recording, prefix), TW_E_IO);
    }
    assert_int_equal(count_files(), 0);
    if (geteuid() != 0) { /* the superuser may write anywhere */
        assert_int_equal(chmod(directory, 0555), 0);
        for (int k = 0; k < NFORMATS; k++) {
            snprintf(bad, sizeof bad, "%s/other", directory);
            assert_int_equal(writers[k](&s.recording, bad), TW_E_IO);
        }
        assert_int_equal(chmod(directory, 0755), 0);
        assert_int_equal(count_files(), 0);
    }
    synthetic_free(&s);
}

/* A full disk shows up when the file is flushed: /dev/full plays it. */
static void test_full_disk(void **state)
{
    struct synthetic s;
    struct tw_tracefile f;

    (void)state;
    assert_int_equal(synthetic_potrf(&s, 4, 2, 0), 0);
    assert_int_equal(tw_tracefile_open(&f, prefix, ".svg"), 0);
    f.out.stream = freopen("/dev/full", "w", f.out.stream);
    if (!f.out.stream) fail_msg("/dev/full: %s", strerror(errno));
    struct tw_summary summary;
    assert_int_equal(tw_summary_make(&summary, &s.recording), 0);
    assert_int_equal(tw_tracefile_close(&f, tw_svg_picture(f.out.stream, &summary)), TW_E_IO);
    assert_int_equal(count_files(), 0);
    /* A writer that fails by itself keeps its error and leaves no file, either. */
    assert_int_equal(tw_tracefile_open(&f, prefix, ".svg"), 0);
    assert_int_equal(count_files(), 1);
    assert_int_equal(tw_tracefile_close(&f, TW_E_MEMORY), TW_E_MEMORY);
    assert_int_equal(count_files(), 0);
    tw_summary_free(&summary);
    synthetic_free(&s);
}

static void test_texts(void **state)
{
    (void)state;
    assert_string_equal(tw_time_text(1.234).text, "1.23 s");
    assert_string_equal(tw_time_text(0.9996).text, "1.00 s");
    assert_string_equal(tw_time_text(0.0123).text, "12.3 ms");
    assert_string_equal(tw_time_text(4.56e-4).text, "456 µs");
    assert_string_equal(tw_time_text(0).text, "0 s");
    assert_string_equal(tw_time_text(NAN).text, "0 s");
    assert_string_equal(tw_time_text(3600).text, "3600 s");
    assert_string_equal(tw_rate_text(45.67).text, "45.7 GF/s");
    assert_string_equal(tw_rate_text(41234).text, "41.2 TF/s");
    assert_string_equal(tw_rate_text(0).text, "-");
    assert_string_equal(tw_coord_text((int[4]){3, 1, -1, -1}).text, "(3, 1)");
    assert_string_equal(tw_coord_text((int[4]){-1, -1, -1, -1}).text, "");
    assert_string_equal(tw_count_text(1234567).text, "1 234 567");
    assert_string_equal(tw_count_text(0).text, "0");
    assert_string_equal(tw_count_text(100).text, "100");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DIRECTORY(test_unwritable),
        WITH_DIRECTORY(test_full_disk),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
