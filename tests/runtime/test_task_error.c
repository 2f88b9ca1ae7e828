/* A body that fails: the sequence fails with its code, what is left of it becomes no-ops, nothing hangs, and the
 * library and the sequence are usable again. */
#include <stdatomic.h>

#include "tt.h"
#include "runtime/task/submit.h"

static atomic_int ran;
struct step {
    int number, fail_at, code;
};
static int step_body(const struct tw_body *body)
{
    const struct step *s = body->args;
    atomic_fetch_add(&ran, 1);
    return s->number == s->fail_at ? s->code : 0;
}
static struct tw_codelet step_codelet = {.name = "step", .color = 0x808080, .rate = TW_RATE_MEMORY, .cpu = step_body};

enum { STEPS = 300 };
static struct tw_data *chain;
/* A chain: step k + 1 reads and writes what step k wrote. */
static void loop(struct tw_sequence *seq, void *args)
{
    struct step s = *(const struct step *)args;
    for (s.number = 0; s.number < STEPS; s.number++)
        tw_submit(seq, &(struct tw_task){.codelet = &step_codelet,
                                         .type = TW_DOUBLE,
                                         .args = &s,
                                         .args_size = sizeof s,
                                         .access = &(struct tw_access){chain, TW_RW},
                                         .naccess = 1,
                                         .size = 1,
                                         .coord = {s.number, -1, -1, -1}});
}

static void a_body_fails(void **state)
{
    static const int codes[] = {TW_E_MEMORY, TW_E_IO, TW_E_INTERNAL};
    (void)state;
    for (size_t c = 0; c < sizeof codes / sizeof *codes; c++)
        for (int at = 0; at < STEPS; at += 149) {
            struct step s = {0, at, codes[c]};
            atomic_store(&ran, 0);
            tt_expect_info(tw_call("steps", loop, &s, 0), codes[c], "failing at %d", at);
            assert_int_equal(atomic_load(&ran), at + 1); /* none after the failing one */
            assert_non_null(strstr(tw_last_message(), "step"));
            s.fail_at = -1;
            atomic_store(&ran, 0);
            tt_expect_info(tw_call("steps", loop, &s, 0), 0, "afterwards");
            assert_int_equal(atomic_load(&ran), STEPS);
        }
}

static void in_a_sequence(void **state)
{
    tw_sequence *seq;
    struct step bad = {0, 10, TW_E_IO}, worse = {0, 0, TW_E_MEMORY}, good = {0, -1, 0};
    (void)state;
    assert_int_equal(tw_sequence_create(&seq), 0);
    for (int round = 0; round < 3; round++) {
        atomic_store(&ran, 0);
        assert_int_equal(tw_call_async(seq, "good", loop, &good, sizeof good, 0), 0);
        assert_int_equal(tw_call_async(seq, "bad", loop, &bad, sizeof bad, 0), 0);
        assert_int_equal(tw_call_async(seq, "worse", loop, &worse, sizeof worse, 0), 0);
        assert_int_equal(tw_call_async(seq, "good", loop, &good, sizeof good, 0), 0);
        tt_expect_info(tw_sequence_wait(seq), TW_E_IO, "the first error");
        assert_int_equal(atomic_load(&ran), STEPS + 11);
        atomic_store(&ran, 0);
        assert_int_equal(tw_call_async(seq, "good", loop, &good, sizeof good, 0), 0);
        tt_expect_info(tw_sequence_wait(seq), 0, "used again");
        assert_int_equal(atomic_load(&ran), STEPS);
    }
    assert_int_equal(tw_sequence_destroy(seq), 0);
}

/* A failure found by the loop itself, not by a task. */
static void failing_loop(struct tw_sequence *seq, void *args)
{
    struct step good = {0, -1, 0};
    (void)args;
    tw_loop_fail(seq, TW_E_UNSUPPORTED, "no %s for you", "result");
    loop(seq, &good);
}

static void a_loop_fails(void **state)
{
    (void)state;
    atomic_store(&ran, 0);
    tt_expect_info(tw_call("failing", failing_loop, NULL, 0), TW_E_UNSUPPORTED, "tw_loop_fail");
    assert_string_equal(tw_last_message(), "no result for you");
    assert_int_equal(atomic_load(&ran), 0);
}

static void real_work_still_runs(void **state)
{
    int n = 200;
    double *a = tt_array(TW_DOUBLE, n, n), *f;
    tw_matrix *A;
    (void)state;
    tt_spd(TW_DOUBLE, 'L', n, a, n, 1);
    f = tt_copy(TW_DOUBLE, n, n, a);
    assert_int_equal(tw_matrix_wrap(&A, TW_DOUBLE, TW_LOWER, n, n, f, n, 48), 0);
    tt_expect_info(tw_potrf(TW_LOWER, A), 0, "potrf");
    assert_int_equal(tw_matrix_destroy(A), 0);
    tt_expect("potrf", TW_DOUBLE, tt_potrf_residual(TW_DOUBLE, 'L', n, a, n, f, n), n, "after failures");
    free(a), free(f);
}

static int setup(void **state)
{
    (void)state;
    if (tw_init(NULL)) return -1;
    chain = tw_data_vector(1, sizeof(double), (int[2]){-1, -1});
    return chain ? 0 : -1;
}
static int teardown(void **state)
{
    (void)state;
    tw_data_free_later(chain);
    return tw_finalize();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_fails),
        cmocka_unit_test(in_a_sequence),
        cmocka_unit_test(a_loop_fails),
        cmocka_unit_test(real_work_still_runs),
    };
    int failed = cmocka_run_group_tests(tests, setup, teardown);
    tt_summary();
    return failed != 0;
}
