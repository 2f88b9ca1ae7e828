/* Between calls the workers sleep, and within them those without a task, if they are told to (TILEWORK_REST): the
 * process takes next to no CPU time. */
#include <starpu.h>
#include <unistd.h>

#include "tt.h"
#include "runtime/task/submit.h"

static void sleeps(const char *after)
{
    double before = tt_cpu_seconds(), used;
    usleep(500000);
    used = tt_cpu_seconds() - before;
    printf("%-28s %.4f s of CPU in 0.5 s\n", after, used);
    if (used >= 0.1) fail_msg("%s: %.3f s of CPU time in 0.5 s of sleep", after, used);
}

static void idle(void **state)
{
    int n = 400;
    double *a = tt_array(TW_DOUBLE, n, n), *f;
    tw_sequence *seq;
    tw_matrix *A;
    (void)state;
    tt_spd(TW_DOUBLE, 'L', n, a, n, 1);
    f = tt_copy(TW_DOUBLE, n, n, a);
    assert_int_equal(tw_init(NULL), 0);
    sleeps("tw_init");
    assert_int_equal(tw_dpotrf('L', n, f, n), 0);
    sleeps("potrf");
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, n, n, a, n, 64), 0);
    sleeps("from_lapack");
    assert_int_equal(tw_sequence_create(&seq) | tw_potrf_async(TW_LOWER, A, seq), 0);
    assert_int_equal(tw_sequence_wait(seq), 0);
    sleeps("sequence_wait");
    assert_int_equal(tw_prefetch(A, -1), 0);
    sleeps("prefetch");
    assert_int_equal(tw_prefetch(A, -7), -2); /* no such GPU, and not the host either */
    assert_int_equal(tw_prefetch(A, 1 << 20), -2);
    f[0] = -1;
    assert_int_equal(tw_dpotrf('L', n, f, n), 1);
    sleeps("a failure");
    assert_int_equal(tw_sequence_destroy(seq) | tw_matrix_destroy(A), 0);
    assert_int_equal(tw_finalize(), 0);
    sleeps("tw_finalize");
    free(a), free(f);
}

static void nothing_for_long(void **buffers, void *args)
{
    (void)buffers, (void)args;
    usleep(500000);
}
/* A task that takes no CPU time itself, so that all that is seen is the other worker's. */
static void one_task(struct tw_sequence *seq, void *args)
{
    static struct starpu_codelet codelet = {.cpu_funcs = {nothing_for_long}, .nbuffers = 0, .name = "nothing for long"};
    struct starpu_task *task = starpu_task_create();
    const double before = tt_cpu_seconds();
    (void)seq;
    task->cl = &codelet;
    task->synchronous = 1;
    assert_int_equal(starpu_task_submit(task), 0);
    *(double *)args = tt_cpu_seconds() - before;
}

static void rest(void **state)
{
    static const char *const policies[] = {"lws", "prio", "random", "dmdas", "tilework", "modular-heft"};
    double spins, used;
    tw_machine machine;
    (void)state;
    assert_int_equal(unsetenv("TILEWORK_REST"), 0);
    assert_int_equal(tw_call("rest", one_task, &spins, 0), 0);
    printf("%-28s %.4f s of CPU in 0.5 s\n", "spinning", spins);
    for (size_t k = 0; k < sizeof policies / sizeof *policies; k++) {
        assert_int_equal(tw_finalize(), 0);
        setenv("TILEWORK_REST", "1000", 1);
        setenv("STARPU_SCHED", policies[k], 1);
        assert_int_equal(tw_call("rest", one_task, &used, 0), 0);
        printf("%-28s %.4f s of CPU in 0.5 s\n", policies[k], used);
        assert_int_equal(tw_machine_info(&machine), 0);
        if (used >= 0.1 + 0.52 * machine.cuda_workers) /* GPUs' threads ask on */
            fail_msg("%s: %.3f s of CPU time in 0.5 s of rest", policies[k], used);
    }
    assert_int_equal(tw_finalize(), 0);
    unsetenv("STARPU_SCHED");
    setenv("TILEWORK_REST", "-1", 1);
    assert_int_equal(tw_init(NULL), TW_E_OPTION);
    assert_non_null(strstr(tw_last_message(), "TILEWORK_REST"));
    unsetenv("TILEWORK_REST");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(idle), cmocka_unit_test(rest)};
    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_NB", "64", 1);
    return tt_run(tests);
}
