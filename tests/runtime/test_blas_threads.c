/* The program's own number of OpenBLAS threads is the same after a call as before it, whatever the call was. */
#include <pthread.h>

#include "tt.h"

int openblas_get_num_threads(void);
void openblas_set_num_threads(int);

enum { N = 300 };
static double a[N * N];

static tw_int factor(int fail_at)
{
    double *f = malloc(sizeof a);
    tw_int e;
    memcpy(f, a, sizeof a);
    if (fail_at) f[(fail_at - 1) * (N + 1)] = -1;
    e = tw_dpotrf('L', N, f, N);
    free(f);
    return e;
}
static void *factor_thread(void *arg)
{
    for (int k = 0; k < 20; k++)
        if (factor(0)) *(int *)arg = 1;
    return NULL;
}

static void as_before(int threads)
{
    tw_sequence *seq;
    tw_matrix *A;
    tw_machine m;
    pthread_t t[3];
    int bad = 0;

    openblas_set_num_threads(threads);
    assert_int_equal(openblas_get_num_threads(), threads);
#define SAME assert_int_equal(openblas_get_num_threads(), threads)
    assert_int_equal(tw_machine_info(&m), 0);
    SAME; /* after the start, and the probe of the machine in it */
    assert_int_equal(factor(0), 0);
    SAME;
    assert_int_equal(factor(150), 150);
    SAME;
    assert_int_equal(tw_dpotrf('L', 3, a, 1), -4);
    SAME;
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, N, N, a, N, 64) | tw_sequence_create(&seq), 0);
    assert_int_equal(tw_potrf_async(TW_LOWER, A, seq), 0);
    assert_int_equal(tw_sequence_wait(seq), 0);
    SAME;
    assert_int_equal(tw_sequence_destroy(seq) | tw_matrix_destroy(A), 0);
    SAME;
    for (int k = 0; k < 3; k++)
        assert_int_equal(pthread_create(&t[k], NULL, factor_thread, &bad), 0);
    for (int k = 0; k < 3; k++)
        assert_int_equal(pthread_join(t[k], NULL), 0);
    assert_int_equal(bad, 0);
    SAME;
    assert_int_equal(tw_finalize(), 0);
    SAME;
}

static void restored(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++)
        as_before(threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(restored)};
    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_NB", "64", 1);
    tt_spd(TW_DOUBLE, 'L', N, a, N, 1);
    return tt_run(tests);
}
