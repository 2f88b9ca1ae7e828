/* exit() while sequences live and their tasks run, other threads queue more, wait or destroy: the program ends, with
 * its status, and soon. In child processes, since each of them ends but once. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tt.h"

enum { THREADS = 6, N = 96, CHILDREN = 12, STATUS = 17 };

static void *queue_for_ever(void *p)
{
    double *a = calloc(N * N, sizeof *a);

    (void)p;
    for (int i = 0; a && i < N * N; i++)
        a[i] = i % (N + 1) ? 0 : 5;
    while (a) { /* whatever they return: the program ends meanwhile */
        tw_matrix *A;
        tw_sequence *seq;
        if (tw_matrix_from_lapack(&A, TW_DOUBLE, TW_GENERAL, N, N, a, N, 16)) continue;
        const int refused = tw_sequence_create(&seq);
        if (!refused) {
            (void)tw_potrf_async(TW_LOWER, A, seq);
            (void)tw_potri_async(TW_LOWER, A, seq);
        }
        (void)tw_matrix_destroy(A); /* after a refused sequence, too: the end may have come in between */
        if (!refused) (void)tw_sequence_destroy(seq);
    }
    return NULL;
}

static void child(unsigned us, int started)
{
    pthread_t thread;

    alarm(60);
    if (started && tw_init(NULL)) _exit(1);
    for (int t = 0; t < THREADS; t++)
        if (pthread_create(&thread, NULL, queue_for_ever, NULL) != 0) _exit(2);
    usleep(us);
    exit(STATUS);
}

static void children(int started, unsigned n)
{
    for (unsigned k = 0; k < n; k++) {
        int status = -1;
        const pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) child(1000 + 20000 * k, started);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != STATUS) fail_msg("child %u: status %#x", k, status);
    }
}

static void exit_beside_sequences(void **state)
{
    (void)state;
    children(1, CHILDREN);
}

/* The threads start the library: exit() comes while it measures the machine, or just after. */
static void exit_beside_a_start(void **state)
{
    (void)state;
    children(0, CHILDREN / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(exit_beside_sequences), cmocka_unit_test(exit_beside_a_start)};
    return cmocka_run_group_tests(tests, NULL, NULL); /* this process itself must not start the library */
}
