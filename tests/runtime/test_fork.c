/* A child of fork() has the library's memory but not its threads: every call says so, nothing hangs, and the parent
 * goes on. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tt.h"

enum { N = 200 };
static double *a, *f;

static int factor(void)
{
    memcpy(f, a, N * N * sizeof *f);
    return (int)tw_dpotrf('L', N, f, N);
}

/* 0, or the number of the call that did not answer TW_E_FORK. */
static int child_calls(void)
{
    tw_matrix *A;
    tw_sequence *seq;
    tw_machine m;
    double x;

    if (factor() != TW_E_FORK) return 1;
    if (!strstr(tw_last_message(), "fork")) return 2;
    if (tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, N, N, 0, NULL) != TW_E_FORK || A) return 3;
    if (tw_matrix_wrap(&A, TW_DOUBLE, TW_GENERAL, N, N, a, N, 0) != TW_E_FORK || A) return 4;
    if (tw_sequence_create(&seq) != TW_E_FORK) return 5;
    if (tw_machine_info(&m) != TW_E_FORK) return 6;
    if (tw_init(NULL) != TW_E_FORK) return 7;
    if (tw_finalize() != TW_E_FORK) return 8;
    if (tw_dpotrf('L', -1, a, N) != -2) return 9; /* what needs no worker still answers */
    x = 4;
    return tw_dpotrf('L', 0, &x, 1) != 0 ? 10 : 0;
}

/* What exists already is of no use either. */
static int child_uses(tw_matrix *A, tw_sequence *seq)
{
    double value;
    if (tw_potrf(TW_LOWER, A) != TW_E_FORK) return 11;
    if (tw_lansy(TW_MAX_NORM, TW_LOWER, A, &value) != TW_E_FORK) return 12;
    if (tw_potrf_async(TW_LOWER, A, seq) != TW_E_FORK) return 13;
    if (tw_matrix_to_lapack(A, f, N) != TW_E_FORK) return 14;
    if (tw_release_to_host(A) != TW_E_FORK) return 15;
    if (tw_matrix_destroy(A) != TW_E_FORK) return 16;
    return 0;
}

/* Nor is a sequence at work, whose lock another thread may have held: nothing waits for that. */
static int child_asks(tw_matrix *A, tw_sequence *seq)
{
    if (tw_sequence_test(seq) != 1) return 17; /* there is nobody who would do what is left */
    if (tw_sequence_cancel(seq) != TW_E_FORK) return 18;
    if (tw_sequence_wait(seq) != TW_E_FORK) return 19;
    if (tw_sequence_destroy(seq) != TW_E_FORK) return 20;
    return tw_matrix_destroy(A) != TW_E_FORK ? 22 : 0;
}

static void in_a_child(int (*calls)(tw_matrix *, tw_sequence *), tw_matrix *A, tw_sequence *seq, int quietly)
{
    int status = -1, waited = 0;
    pid_t pid;

    fflush(NULL);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int rc = calls ? calls(A, seq) : child_calls();
        if (quietly || (getenv("TILEWORK_TEST_SANITIZE") && *getenv("TILEWORK_TEST_SANITIZE")))
            _exit(rc); /* no leak report of half a process */
        exit(rc);      /* with atexit's handlers: they must not touch StarPU */
    }
    while (waitpid(pid, &status, WNOHANG) == 0 && waited++ < 2000)
        usleep(5000);
    if (waited >= 2000) {
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        fail_msg("the child hangs");
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        fail_msg("the child: status %#x (call %d)", status, WEXITSTATUS(status));
}

static int ordinary_use(tw_matrix *A, tw_sequence *seq)
{
    int e = factor();
    (void)A, (void)seq;
    return e ? e : tw_finalize();
}

/* After tw_finalize: CUDA does not survive a fork. */
static int use_after_cuda(tw_matrix *A, tw_sequence *seq)
{
    (void)A, (void)seq;
    return factor() == TW_E_FORK && strstr(tw_last_message(), "CUDA") ? 0 : 21;
}

static void forked(void **state)
{
    tw_matrix *A;
    tw_sequence *seq;
    tw_machine m;
    (void)state;
    in_a_child(ordinary_use, NULL, NULL, 0); /* before the first call: a program like any other */
    assert_int_equal(factor(), 0);
    in_a_child(NULL, NULL, NULL, 1);
    in_a_child(NULL, NULL, NULL, 0);
    assert_int_equal(factor(), 0); /* the parent does not notice */
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, N, N, a, N, 64), 0);
    assert_int_equal(tw_sequence_create(&seq), 0);
    in_a_child(child_uses, A, seq, 0);
    assert_int_equal(tw_potrf_async(TW_LOWER, A, seq) | tw_sequence_wait(seq), 0);
    assert_int_equal(tw_sequence_destroy(seq) | tw_matrix_destroy(A), 0);
    assert_int_equal(tw_machine_info(&m), 0);
    assert_int_equal(tw_finalize(), 0);
    in_a_child(m.cuda_workers ? use_after_cuda : ordinary_use, NULL, NULL,
               0); /* after tw_finalize nothing runs: the child starts its own */
    assert_int_equal(factor(), 0);
    assert_int_equal(tw_finalize(), 0);
}

static void while_a_sequence_works(void **state)
{
    tw_matrix *A;
    tw_sequence *seq;

    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, N, N, 8, NULL), 0);
    assert_int_equal(tw_sequence_create(&seq), 0);
    for (int k = 0; k < 30; k++) {
        for (int j = 0; j < 20; j++)
            assert_int_equal(tw_laset_async(TW_GENERAL, (tw_scalar){0, 0}, (tw_scalar){1, 0}, A, seq), 0);
        in_a_child(child_asks, A, seq, 1);
        assert_int_equal(tw_sequence_wait(seq), 0);
    }
    assert_int_equal(tw_sequence_destroy(seq) | tw_matrix_destroy(A), 0);
    assert_int_equal(tw_finalize(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forked), cmocka_unit_test(while_a_sequence_works)};
    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_NB", "64", 1);
    a = tt_array(TW_DOUBLE, N, N);
    f = tt_array(TW_DOUBLE, N, N);
    tt_spd(TW_DOUBLE, 'L', N, a, N, 1);
    return tt_run(tests);
}
