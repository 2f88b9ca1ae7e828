/* Four threads call different routines at once, the very first call of the process included; small problems
 * (straight to LAPACK) and tiled ones, all doors. */
#include <pthread.h>

#include "tt.h"

static int repeats = 60;
static pthread_barrier_t together;

static int potrf_thread(enum tw_type t, int n, int round)
{
    char uplo = tt_uplos[round & 1];
    void *a = tt_array(t, n + 1, n), *f;
    int bad;

    tt_spd(t, uplo, n, a, n + 1, (uint64_t)round);
    f = tt_copy(t, n + 1, n, a);
    bad = tt_door_potrf(t, uplo, n, f, n + 1) != 0 || tt_touched(t, uplo, n, n, f, n + 1) != 0 ||
          tt_note("potrf", t, tt_potrf_residual(t, uplo, n, a, n + 1, f, n + 1), n);
    free(a), free(f);
    return bad;
}

static int posv_thread(enum tw_type t, int n, int round)
{
    void *a = tt_array(t, n, n), *f, *b = tt_array(t, n, 9), *x;
    int bad, k = round % 3 ? 0 : n / 2 + 1;

    k ? tt_spd_failing(t, 'L', n, a, n, 3, k) : tt_spd(t, 'L', n, a, n, 3);
    tt_random(t, 'G', n, 9, b, n, (uint64_t)round);
    f = tt_copy(t, n, n, a);
    x = tt_copy(t, n, 9, b);
    bad = tt_door_posv(t, 'L', n, 9, f, n, x, n) != k;
    if (k)
        bad |= memcmp(x, b, (size_t)(9 * n) * tt_size(t)) != 0;
    else
        bad |= tt_note("posv", t, tt_solve_residual(t, 'L', n, 9, a, n, b, n, x, n), n);
    bad |= tt_door_posv(t, 'L', n, 9, f, n - 1, x, n) != -5 || !strstr(tw_last_message(), "5");
    free(a), free(f), free(b), free(x);
    return bad;
}

static int trtri_thread(enum tw_type t, int n, int round)
{
    void *a = tt_array(t, n, n), *f;
    char diag = "NU"[round & 1];
    tw_matrix *A;
    int bad;

    tt_triangle(t, 'U', diag, n, a, n, (uint64_t)round);
    f = tt_copy(t, n, n, a);
    bad = tw_matrix_wrap(&A, t, TW_UPPER, n, n, f, n, 40) || tw_trtri(TW_UPPER, (enum tw_diag)diag, A) ||
          tw_matrix_destroy(A) || tt_note("trtri", t, tt_trtri_residual(t, 'U', diag, n, a, n, f, n), n);
    free(a), free(f);
    return bad;
}

static int sequence_thread(enum tw_type t, int n, int round)
{
    void *a = tt_array(t, n, n), *f;
    tw_sequence *seq;
    tw_matrix *A;
    int bad;

    tt_spd(t, 'L', n, a, n, (uint64_t)round);
    f = tt_copy(t, n, n, a);
    bad = tw_matrix_from_lapack(&A, t, TW_LOWER, n, n, a, n, 48) || tw_sequence_create(&seq);
    if (bad) return 1;
    bad = tw_potrf_async(TW_LOWER, A, seq) || tw_potri_async(TW_LOWER, A, seq) || tw_sequence_wait(seq) ||
          tw_matrix_to_lapack(A, f, n) || tw_sequence_destroy(seq) || tw_matrix_destroy(A) ||
          tt_note("potri", t, tt_inverse_residual(t, 'L', n, a, n, f, n), n);
    free(a), free(f);
    return bad;
}

typedef int (*work_fn)(enum tw_type, int, int);
static const work_fn works[4] = {potrf_thread, posv_thread, trtri_thread, sequence_thread};
static int failures[4];

static void *worker(void *arg)
{
    int me = (int)(intptr_t)arg;

    (void)pthread_barrier_wait(&together);
    for (int r = 0; r < repeats; r++) {
        int n = r % 3 == 0 ? 20 + r % 50 : 150 + 17 * (r % 7); /* below and above the crossover */
        if (works[me]((enum tw_type)((r + me) % TW_NTYPES), n, r)) {
            failures[me]++;
            fprintf(stderr, "thread %d, round %d, n = %d: \"%s\"\n", me, r, n, tw_last_message());
        }
    }
    return NULL;
}

static void four_threads(void **state)
{
    pthread_t thread[4];
    (void)state;
    for (int again = 0; again < 2; again++) {
        assert_int_equal(tw_is_running(), 0); /* all four race to start the library */
        assert_int_equal(pthread_barrier_init(&together, NULL, 4), 0);
        for (int k = 0; k < 4; k++)
            assert_int_equal(pthread_create(&thread[k], NULL, worker, (void *)(intptr_t)k), 0);
        for (int k = 0; k < 4; k++)
            assert_int_equal(pthread_join(thread[k], NULL), 0);
        for (int k = 0; k < 4; k++)
            assert_int_equal(failures[k], 0);
        pthread_barrier_destroy(&together);
        tt_expect_info(tw_finalize(), 0, "finalize");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(four_threads)};
    const char *sanitizer = getenv("TILEWORK_TEST_SANITIZE");

    setenv("TILEWORK_CROSSOVER", "100", 1);
    setenv("TILEWORK_NB", "48", 1);
    if (sanitizer && *sanitizer) repeats = 15;
    return tt_run(tests);
}
