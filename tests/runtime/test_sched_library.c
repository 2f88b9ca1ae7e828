/* Scheduling policies of the user's own library: taken by name, and refused, with the loader's words, where a name or a
 * library is wrong. The library is examples/scheduler/mine.c, built beside this program. */
#include <starpu.h>
#include <unistd.h>

#include "tt.h"

static char beside[4096]; /* this program's folder */
static char mine[4200];

static int find(void **state)
{
    ssize_t n = readlink("/proc/self/exe", beside, sizeof beside - 1);
    (void)state;
    if (n <= 0) return -1;
    beside[n] = 0;
    *strrchr(beside, '/') = 0;
    snprintf(mine, sizeof mine, "%s/mine.so", beside);
    unsetenv("STARPU_SCHED"), unsetenv("STARPU_SCHED_LIB");
    return access(mine, R_OK);
}

static void by_variables(const char *library, const char *name)
{
    if (library) setenv("STARPU_SCHED_LIB", library, 1);
    if (name) setenv("STARPU_SCHED", name, 1);
}
static void forget(void)
{
    unsetenv("STARPU_SCHED"), unsetenv("STARPU_SCHED_LIB");
}

static void factors(const char *name)
{
    const int n = 300;
    void *a = tt_array(TW_DOUBLE, n, n), *f;
    tw_machine m;

    tt_expect_info(tw_machine_info(&m), 0, "start");
    assert_string_equal(m.sched, name); /* as StarPU says */
    tt_spd(TW_DOUBLE, 'L', n, a, n, 1);
    f = tt_copy(TW_DOUBLE, n, n, a);
    tt_expect_info(tt_door_potrf(TW_DOUBLE, 'L', n, f, n), 0, name);
    tt_expect("potrf", TW_DOUBLE, tt_potrf_residual(TW_DOUBLE, 'L', n, a, n, f, n), n, "%s", name);
    tt_expect_info(tw_finalize(), 0, "stop");
    free(a), free(f);
}

/* Both policies of the library, and one of StarPU's while it is named; twice, since the library is opened anew each
 * time. */
static void runs(void **state)
{
    static const char *const names[] = {"mine", "mine-fifo", "lws", "tilework", "mine"};
    tw_options o;
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        by_variables(mine, names[k]);
        tt_expect_info(tw_init(NULL), 0, names[k]);
        assert_string_equal(getenv("STARPU_SCHED"), names[k]); /* as it was */
        assert_string_equal(getenv("STARPU_SCHED_LIB"), mine);
        factors(names[k]);
        forget();
        tw_options_init(&o);
        o.sched = names[k];
        o.sched_lib = mine;
        tt_expect_info(tw_init(&o), 0, names[k]);
        assert_null(getenv("STARPU_SCHED"));
        factors(names[k]);
    }
    by_variables(mine, NULL); /* the variable names the library, the option the policy */
    tw_options_init(&o);
    o.sched = "mine";
    tt_expect_info(tw_init(&o), 0, "variable and option");
    factors("mine");
    forget();
}

/* Says so in both ways of naming it, and the library does not run; it starts with better words afterwards. */
static void refused(const char *library, const char *name, const char *first, const char *second)
{
    tw_options o;
    for (int by_option = 0; by_option < 2; by_option++) {
        tw_options_init(&o);
        if (by_option)
            o.sched = name, o.sched_lib = library;
        else
            by_variables(library, name);
        tt_expect_info(tw_init(&o), TW_E_OPTION, "refused");
        printf("%s\n", tw_last_message());
        if (!strstr(tw_last_message(), first) || !strstr(tw_last_message(), second))
            fail_msg("neither '%s' nor '%s' may be missing in: %s", first, second, tw_last_message());
        assert_int_equal(tw_is_running(), 0);
        forget();
    }
}

static void wrong_ones(void **state)
{
    char text[4300], file[] = "/tmp/tw-no-library-XXXXXX";
    int fd = mkstemp(file);
    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "no library", 10), 10);
    close(fd);
    refused(mine, "theirs", "theirs: there is no such scheduler", " mine mine-fifo ");
    refused(mine, NULL, "which of its policies", "mine mine-fifo");
    refused("missing.so", "mine", "missing.so", "cannot open shared object file");
    refused("missing.so", "lws", "missing.so", "cannot open shared object file"); /* it would not have been needed */
    refused("missing.so", NULL, "missing.so", "cannot open shared object file");
    refused(file, "mine", file, "file too short");
    refused(beside, "mine", beside, "cannot read file data");
    snprintf(text, sizeof text, "%s/%.20s", beside, "incomplete.so");
    refused("libm.so.6", "mine", "libm.so.6", "no function starpu_get_sched_lib_policy");
    refused(text, "lazy", "lazy", "no pop_task");
    refused(text, "theirs", "theirs", " lazy "); /* its list does not end */
    unlink(file);
    tt_expect_info(tw_init(NULL), 0, "the default");
    tt_expect_info(tw_finalize(), 0, "stop");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs), cmocka_unit_test(wrong_ones)};
    return cmocka_run_group_tests(tests, find, NULL);
}
