/* Every scheduling policy that StarPU has predefined gives a right answer, one process each.
 *
 * A policy is left out by name only, with the reason; what is left out must still exist. */
#include <starpu.h>

#include "tt.h"

static const struct {
    const char *name, *reason;
} excluded[] = {
    {"graph_test",
     "holds every task back until the program calls starpu_do_schedule(): made for StarPU's own test of graphs"},
    {NULL, NULL},
};
enum { TIMEOUT_S = 40 };

static const char *reason_to_exclude(const char *name)
{
    for (int k = 0; excluded[k].name; k++)
        if (!strcmp(excluded[k].name, name)) return excluded[k].reason;
    return NULL;
}

/* ---- the child: STARPU_SCHED is set ------------------------------------------------------------------------- */

static void solve(enum tw_type t, char uplo, int n)
{
    void *a = tt_array(t, n, n), *f, *b = tt_array(t, n, 70), *x;

    tt_spd(t, uplo, n, a, n, 1);
    tt_random(t, 'G', n, 70, b, n, 2);
    f = tt_copy(t, n, n, a);
    x = tt_copy(t, n, 70, b);
    tt_expect_info(tt_door_posv(t, uplo, n, 70, f, n, x, n), 0, "posv");
    tt_expect("posv", t, tt_solve_residual(t, uplo, n, 70, a, n, b, n, x, n), n, "%c n=%d", uplo, n);
    tt_expect("posv: factor", t, tt_potrf_residual(t, uplo, n, a, n, f, n), n, "%c n=%d", uplo, n);
    tt_spd_failing(t, uplo, n, f, n, 1, n - 5);
    tt_expect_info(tt_door_potrf(t, uplo, n, f, n), n - 5, "info");
    free(a), free(f), free(b), free(x);
}

static void right_answers(void **state)
{
    tw_machine m;
    (void)state;
    tt_expect_info(tw_machine_info(&m), 0, "start");
    assert_string_equal(m.sched, getenv("STARPU_SCHED")); /* as StarPU says */
    solve(TW_DOUBLE, 'L', 400);
    solve(TW_COMPLEX_FLOAT, 'U', 203);
    tt_expect_info(tw_finalize(), 0, "stop");
    solve(TW_DOUBLE, 'U', 200); /* and once more from the start */
    tt_expect_info(tw_finalize(), 0, "stop");
}

static int child(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(right_answers)};
    return tt_run(tests);
}

/* ---- the parent --------------------------------------------------------------------------------------------- */

static void every_policy(void **state)
{
    static char out[1 << 16];
    struct starpu_sched_policy **policy = starpu_sched_get_predefined_policies();
    int tried = 0, failed = 0, own = 1;
    (void)state;
    for (; own || *policy; own ? (void)(own = 0) : (void)policy++) {
        const char *name = own ? "tilework" : (*policy)->policy_name, *reason = reason_to_exclude(name);
        char variable[128];
        double start = tt_seconds();
        int rc;
        if (reason) {
            printf("%-32s left out: %s\n", name, reason);
            continue;
        }
        snprintf(variable, sizeof variable, "STARPU_SCHED=%s", name);
        rc = tt_run_self("child", (const char *[]){variable, "TILEWORK_CROSSOVER=0", "TILEWORK_NB=64", NULL}, TIMEOUT_S,
                         out, sizeof out);
        printf("%-32s %s (exit %d, %.2f s)\n", name,
               rc == 0              ? "right"
               : rc == TT_TIMED_OUT ? "HANGS"
                                    : "FAILED",
               rc, tt_seconds() - start);
        if (rc == 0 && strstr(out, "was not found")) printf("%s is not known to StarPU\n", name), failed++;
        if (rc != 0) printf("%s\n", out), failed++;
        fflush(stdout);
        tried++;
    }
    assert_true(tried >= 20);
    assert_int_equal(failed, 0);
}

static void excluded_ones_exist(void **state)
{
    (void)state;
    for (int k = 0; excluded[k].name; k++) {
        struct starpu_sched_policy **policy = starpu_sched_get_predefined_policies();
        while (*policy && strcmp((*policy)->policy_name, excluded[k].name) != 0)
            policy++;
        if (!*policy) fail_msg("StarPU has no scheduler %s: take it off the list", excluded[k].name);
    }
}

/* nonsense is refused, whoever says it, with every legal name. */
static void nonsense_is_refused(void **state)
{
    char before[64] = "";
    tw_options o;
    (void)state;
    if (getenv("STARPU_SCHED")) snprintf(before, sizeof before, "%s", getenv("STARPU_SCHED"));
    for (int by_option = 0; by_option < 2; by_option++) {
        tw_options_init(&o);
        unsetenv("STARPU_SCHED");
        if (by_option)
            o.sched = "nonsense";
        else
            setenv("STARPU_SCHED", "nonsense", 1);
        tt_expect_info(tw_init(&o), TW_E_OPTION, "nonsense");
        assert_non_null(strstr(tw_last_message(), "nonsense"));
        for (struct starpu_sched_policy **p = starpu_sched_get_predefined_policies(); *p; p++)
            if (!strstr(tw_last_message(), (*p)->policy_name) != !!reason_to_exclude((*p)->policy_name))
                fail_msg("%s: %s", (*p)->policy_name, tw_last_message());
        assert_int_equal(tw_is_running(), 0);
    }
    if (before[0])
        setenv("STARPU_SCHED", before, 1);
    else
        unsetenv("STARPU_SCHED");
}

/* One that would wait for ever is refused, and says why. */
static void excluded_ones_are_refused(void **state)
{
    tw_options o;
    (void)state;
    if (getenv("STARPU_SCHED")) return; /* it is stronger than the option */
    for (int k = 0; excluded[k].name; k++) {
        tw_options_init(&o);
        o.sched = excluded[k].name;
        tt_expect_info(tw_init(&o), TW_E_OPTION, excluded[k].name);
        assert_non_null(strstr(tw_last_message(), "starpu_do_schedule"));
        assert_int_equal(tw_is_running(), 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(excluded_ones_exist),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(excluded_ones_are_refused),
        cmocka_unit_test(every_policy),
    };
    (void)argv;
    return argc > 1 ? child() : tt_run(tests);
}
