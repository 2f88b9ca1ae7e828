/* The async door: several routines and several sequences as one graph, errors in call order, cancellation, reuse.
 * Run a second time with a window of 3 tasks: bounded submission must not change anything. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "tt.h"
#include "runtime/task/submit.h"

enum { N = 350, NB = 64, RHS = 70 };
static const tw_scalar one = {1, 0}, zero = {0, 0};

static tw_matrix *matrix_of(enum tw_type t, enum tw_uplo uplo, int m, int n, const void *a)
{
    tw_matrix *A = NULL;
    tt_expect_info(tw_matrix_from_lapack(&A, t, uplo, m, n, a, m, NB), 0, "from_lapack");
    return A;
}
static tw_sequence *sequence(void)
{
    tw_sequence *seq = NULL;
    tt_expect_info(tw_sequence_create(&seq), 0, "tw_sequence_create");
    assert_non_null(seq);
    return seq;
}

/* A system and its solution in one sequence: factor, solve, multiply back, with no wait in between. */
struct job {
    enum tw_type t;
    void *a, *b, *x, *c;
    tw_matrix *A, *F, *B, *C;
    tw_sequence *seq;
    double anorm, rcond;
};

static void start(struct job *job, enum tw_type t, tw_sequence *seq, uint64_t seed)
{
    *job = (struct job){.t = t, .seq = seq, .anorm = -1, .rcond = -1};
    job->a = tt_array(t, N, N);
    job->b = tt_array(t, N, RHS);
    tt_spd(t, 'G', N, job->a, N, seed);
    tt_random(t, 'G', N, RHS, job->b, N, seed + 1);
    job->A = matrix_of(t, TW_GENERAL, N, N, job->a);
    job->F = matrix_of(t, TW_LOWER, N, N, job->a);
    job->B = matrix_of(t, TW_GENERAL, N, RHS, job->b);
    assert_int_equal(tw_matrix_create(&job->C, t, TW_GENERAL, N, RHS, NB, NULL), 0);
    tt_expect_info(tw_potrf_async(TW_LOWER, job->F, seq), 0, "potrf_async");
    tt_expect_info(tw_potrs_async(TW_LOWER, job->F, job->B, seq), 0, "potrs_async");
    tt_expect_info(tw_gemm_async(TW_NOTRANS, TW_NOTRANS, one, job->A, job->B, zero, job->C, seq), 0, "gemm_async");
    tt_expect_info(tw_lange_async(TW_ONE_NORM, job->A, &job->anorm, seq), 0, "lange_async");
    tt_expect_info(tw_pocon_async(TW_LOWER, job->F, 1.5 * N, &job->rcond, seq), 0, "pocon_async");
}

static void finish(struct job *j)
{
    tt_z *full = tt_full(TT_GENERAL, j->t, 'G', 'N', N, N, j->a, N);

    j->x = tt_array(j->t, N, RHS);
    j->c = tt_array(j->t, N, RHS);
    assert_int_equal(tw_matrix_to_lapack(j->B, j->x, N) | tw_matrix_to_lapack(j->C, j->c, N), 0);
    tt_expect("solve", j->t, tt_solve_residual(j->t, 'L', N, RHS, j->a, N, j->b, N, j->x, N), N, "in a sequence");
    tt_expect("multiply back", j->t, tt_difference(j->t, 'G', 'N', N, RHS, j->c, N, j->b, N), N, "in a sequence");
    assert_float_equal(j->anorm, tt_norm('O', N, N, full), 1e-3);
    assert_true(j->rcond > 0.01 && j->rcond <= 1.5);
    assert_int_equal(
        tw_matrix_destroy(j->A) | tw_matrix_destroy(j->B) | tw_matrix_destroy(j->C) | tw_matrix_destroy(j->F), 0);
    free(j->a), free(j->b), free(j->x), free(j->c), free(full);
}

static void one_graph(void **state)
{
    tw_sequence *seq = sequence();
    (void)state;
    TT_TYPES(t) {
        struct job j;
        start(&j, t, seq, 10 + (uint64_t)t);
        tt_expect_info(tw_sequence_wait(seq), 0, "wait");
        assert_int_equal(tw_sequence_test(seq), 1);
        tt_expect_info(tw_sequence_wait(seq), 0, "a second wait has nothing to wait for");
        finish(&j);
    }
    assert_int_equal(tw_sequence_destroy(seq), 0);
}

static void several_sequences(void **state)
{
    struct job j[8];
    (void)state;
    for (int k = 0; k < 8; k++)
        start(&j[k], (enum tw_type)(k % TW_NTYPES), sequence(), 20 + (uint64_t)k);
    for (int k = 7; k >= 0; k--)
        tt_expect_info(tw_sequence_wait(j[k].seq), 0, "sequence %d", k);
    for (int k = 0; k < 8; k++) {
        finish(&j[k]);
        assert_int_equal(tw_sequence_destroy(j[k].seq), 0);
    }
}

/* Data used by two sequences: a user orders them by waiting. */
static void sequences_share_data(void **state)
{
    tw_sequence *first = sequence(), *second = sequence();
    double *a = tt_array(TW_DOUBLE, N, N), *f = tt_array(TW_DOUBLE, N, N);
    tw_matrix *A;
    (void)state;
    tt_spd(TW_DOUBLE, 'L', N, a, N, 5);
    A = matrix_of(TW_DOUBLE, TW_LOWER, N, N, a);
    assert_int_equal(tw_potrf_async(TW_LOWER, A, first), 0);
    assert_int_equal(tw_sequence_wait(first), 0);
    assert_int_equal(tw_potri_async(TW_LOWER, A, second), 0);
    assert_int_equal(tw_sequence_wait(second), 0);
    assert_int_equal(tw_matrix_to_lapack(A, f, N), 0);
    tt_expect("potri", TW_DOUBLE, tt_inverse_residual(TW_DOUBLE, 'L', N, a, N, f, N), N, "over two sequences");
    assert_int_equal(tw_matrix_destroy(A) | tw_sequence_destroy(first) | tw_sequence_destroy(second), 0);
    free(a), free(f);
}

/* ---- errors ------------------------------------------------------------------------------------------------- */

static tw_matrix *failing(int n, int k, int nb)
{
    double *a = tt_array(TW_DOUBLE, n, n);
    tw_matrix *A = NULL;
    k ? tt_spd_failing(TW_DOUBLE, 'L', n, a, n, 7, k) : tt_spd(TW_DOUBLE, 'L', n, a, n, 7);
    tt_expect_info(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, n, n, a, n, nb), 0, "from_lapack");
    free(a);
    return A;
}

/* The first in call order, not in time: the large one fails last. */
static void first_error_in_call_order(void **state)
{
    tw_sequence *seq = sequence();
    tw_matrix *large = failing(900, 890, 100), *small = failing(10, 3, 10), *good = failing(200, 0, 50);
    double rcond = -1;
    (void)state;
    for (int round = 0; round < 2; round++) {
        tw_matrix *A = round ? small : large, *B = round ? large : small;
        tt_expect_info(tw_potrf_async(TW_LOWER, good, seq), 0, "queue");
        tt_expect_info(tw_potrf_async(TW_LOWER, A, seq), 0, "queue");
        tt_expect_info(tw_potrf_async(TW_LOWER, B, seq), 0, "queue");
        tt_expect_info(tw_pocon_async(TW_LOWER, good, 300, &rcond, seq), 0, "queue");
        tt_expect_info(tw_sequence_wait(seq), round ? 3 : 890, "round %d", round);
        assert_true(rcond > 0 && rcond <= 1.5); /* a numerical failure does not stop what follows */
        tt_expect_info(tw_sequence_wait(seq), 0, "the error was told");
        assert_int_equal(tw_matrix_destroy(large) | tw_matrix_destroy(small) | tw_matrix_destroy(good), 0);
        large = failing(900, 890, 100), small = failing(10, 3, 10), good = failing(200, 0, 50);
    }
    tt_expect_info(tw_potrf_async(TW_LOWER, good, seq), 0, "reuse");
    tt_expect_info(tw_sequence_wait(seq), 0, "reuse after an error");
    assert_int_equal(tw_matrix_destroy(large) | tw_matrix_destroy(small) | tw_matrix_destroy(good), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
}

static void posv_leaves_b(void **state)
{
    tw_sequence *seq = sequence();
    tw_matrix *A = failing(N, 200, NB), *B;
    double *b = tt_array(TW_DOUBLE, N, 3), *x = tt_array(TW_DOUBLE, N, 3);
    (void)state;
    tt_random(TW_DOUBLE, 'G', N, 3, b, N, 1);
    B = matrix_of(TW_DOUBLE, TW_GENERAL, N, 3, b);
    tt_expect_info(tw_posv_async(TW_LOWER, A, B, seq), 0, "queue");
    tt_expect_info(tw_sequence_wait(seq), 200, "posv");
    assert_int_equal(tw_matrix_to_lapack(B, x, N), 0);
    assert_memory_equal(x, b, sizeof(double) * N * 3);
    assert_int_equal(tw_matrix_destroy(A) | tw_matrix_destroy(B) | tw_sequence_destroy(seq), 0);
    free(b), free(x);
}

/* Illegal arguments are told at once and leave the sequence alone. */
static void arguments_are_checked_at_once(void **state)
{
    tw_sequence *seq = sequence();
    tw_matrix *A = failing(N, 0, NB);
    double v;
    (void)state;
    tt_expect_info(tw_potrf_async('X', A, seq), -1, "uplo");
    tt_expect_info(tw_potrf_async(TW_LOWER, NULL, seq), -2, "NULL");
    tt_expect_info(tw_lansy_async(TW_ONE_NORM, TW_LOWER, A, NULL, seq), -4, "NULL");
    assert_true(tw_potrf_async(TW_LOWER, A, NULL) < 0);
    assert_true(tw_lansy_async(TW_ONE_NORM, TW_LOWER, A, &v, NULL) < 0);
    tt_expect_info(tw_sequence_wait(NULL), -1, "NULL");
    tt_expect_info(tw_sequence_create(NULL), -1, "NULL");
    assert_int_equal(tw_sequence_test(seq), 1);
    tt_expect_info(tw_sequence_wait(seq), 0, "nothing was queued");
    assert_int_equal(tw_matrix_destroy(A) | tw_sequence_destroy(seq) | tw_sequence_destroy(NULL), 0);
}

/* ---- time --------------------------------------------------------------------------------------------------- */

static void the_caller_is_not_blocked(void **state)
{
    tw_sequence *seq = sequence();
    tw_matrix *A[3];
    double start_time, queued, done;
    (void)state;
    for (int k = 0; k < 3; k++)
        A[k] = failing(1200, 0, NB);
    start_time = tt_seconds();
    for (int k = 0; k < 3; k++)
        tt_expect_info(tw_potrf_async(TW_LOWER, A[k], seq), 0, "queue");
    queued = tt_seconds() - start_time;
    while (!tw_sequence_test(seq))
        usleep(200);
    done = tt_seconds() - start_time;
    tt_expect_info(tw_sequence_wait(seq), 0, "wait");
    printf("queued in %.6f s, done in %.4f s\n", queued, done);
    assert_true(queued < 0.5 * done);
    for (int k = 0; k < 3; k++)
        assert_int_equal(tw_matrix_destroy(A[k]), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
}

static void destroy_waits(void **state)
{
    double *a = tt_array(TW_DOUBLE, N, N), *f = tt_array(TW_DOUBLE, N, N);
    tw_sequence *seq = sequence();
    tw_matrix *A;
    (void)state;
    tt_spd(TW_DOUBLE, 'L', N, a, N, 3);
    A = matrix_of(TW_DOUBLE, TW_LOWER, N, N, a);
    assert_int_equal(tw_potrf_async(TW_LOWER, A, seq), 0);
    tt_expect_info(tw_sequence_destroy(seq), 0, "destroy");
    assert_int_equal(tw_matrix_to_lapack(A, f, N), 0);
    tt_expect("potrf", TW_DOUBLE, tt_potrf_residual(TW_DOUBLE, 'L', N, a, N, f, N), N, "destroyed without a wait");
    assert_int_equal(tw_matrix_destroy(A), 0);
    free(a), free(f);
}

/* ---- cancellation ------------------------------------------------------------------------------------------- */

enum { MANY = 40 };
static void make_many(tw_matrix *A[MANY])
{
    for (int k = 0; k < MANY; k++)
        A[k] = failing(700, 0, NB);
}
static void queue_many(tw_sequence *seq, tw_matrix *A[MANY])
{
    for (int k = 0; k < MANY; k++)
        tt_expect_info(tw_potrf_async(TW_LOWER, A[k], seq), 0, "queue");
}
static void destroy_many(tw_matrix *A[MANY])
{
    for (int k = 0; k < MANY; k++)
        assert_int_equal(tw_matrix_destroy(A[k]), 0);
}
static void works_again(tw_sequence *seq)
{
    struct job j;
    start(&j, TW_DOUBLE, seq, 90);
    tt_expect_info(tw_sequence_wait(seq), 0, "reuse after a cancellation");
    finish(&j);
}

/* The first routine of the queue waits for the cancellation, so that it never comes too late. */
static atomic_int cancelled_now;
static void gate(struct tw_sequence *seq, void *args)
{
    (void)seq, (void)args;
    while (!atomic_load(&cancelled_now))
        usleep(100);
}
static void cancelled(void **state)
{
    tw_sequence *seq = sequence();
    tw_matrix *A[MANY];
    (void)state;
    tt_expect_info(tw_sequence_cancel(seq), 0, "nothing to cancel");
    tt_expect_info(tw_sequence_wait(seq), 0, "nothing was cancelled");
    make_many(A);
    atomic_store(&cancelled_now, 0);
    assert_int_equal(tw_call_async(seq, "gate", gate, NULL, 0, 0), 0);
    queue_many(seq, A);
    assert_int_equal(tw_sequence_test(seq), 0);
    tt_expect_info(tw_sequence_cancel(seq), 0, "cancel");
    atomic_store(&cancelled_now, 1);
    tt_expect_info(tw_sequence_wait(seq), TW_E_CANCELLED, "wait");
    assert_true(strlen(tw_last_message()) > 0);
    destroy_many(A);
    works_again(seq);
    assert_int_equal(tw_sequence_destroy(seq), 0);
}

static void *cancel_soon(void *arg)
{
    usleep(2000);
    if (arg)
        (void)tw_sequence_cancel(arg);
    else
        tw_cancel_all();
    atomic_store(&cancelled_now, 1);
    return NULL;
}

static void cancelled_by_another_thread(void **state)
{
    tw_sequence *seq = sequence();
    tw_matrix *A[MANY];
    (void)state;
    for (int all = 0; all < 2; all++) {
        pthread_t thread;
        make_many(A);
        atomic_store(&cancelled_now, 0);
        assert_int_equal(tw_call_async(seq, "gate", gate, NULL, 0, 0), 0);
        queue_many(seq, A);
        assert_int_equal(pthread_create(&thread, NULL, cancel_soon, all ? NULL : seq), 0);
        tt_expect_info(tw_sequence_wait(seq), TW_E_CANCELLED, "cancelled while waiting");
        assert_int_equal(pthread_join(thread, NULL), 0);
        destroy_many(A);
        works_again(seq);
    }
    assert_int_equal(tw_sequence_destroy(seq), 0);
}

/* In the middle of a factorization; again, should it have ended before the other thread got its turn. */
static void *cancel_a_running_call(void *arg)
{
    tw_counters c;
    (void)arg;
    do {
        (void)tw_counters_get(&c);
    } while (c.tasks < 20);
    tw_cancel_all();
    return NULL;
}
static void cancel_all_ends_synchronous_calls(void **state)
{
    tw_matrix *A;
    int e = 0;
    (void)state;
    for (int attempt = 0; e == 0 && attempt < 5; attempt++) {
        pthread_t thread;
        A = failing(2500, 0, NB);
        tw_counters_reset();
        assert_int_equal(pthread_create(&thread, NULL, cancel_a_running_call, NULL), 0);
        e = tw_potrf(TW_LOWER, A);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(tw_matrix_destroy(A), 0);
    }
    tt_expect_info(e, TW_E_CANCELLED, "potrf");
    A = failing(300, 0, NB);
    tt_expect_info(tw_potrf(TW_LOWER, A), 0, "the library works again");
    assert_int_equal(tw_matrix_destroy(A), 0);
}

static void finalize_refuses_live_sequences(void **state)
{
    tw_sequence *seq = sequence();
    (void)state;
    tt_expect_info(tw_finalize(), TW_E_STATE, "a sequence lives");
    works_again(seq);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    tt_expect_info(tw_finalize(), 0, "none lives");
    assert_int_equal(tw_is_running(), 0);
    seq = sequence(); /* starts the library again */
    works_again(seq);
    assert_int_equal(tw_sequence_destroy(seq), 0);
}

static int all_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_graph),
        cmocka_unit_test(several_sequences),
        cmocka_unit_test(sequences_share_data),
        cmocka_unit_test(first_error_in_call_order),
        cmocka_unit_test(posv_leaves_b),
        cmocka_unit_test(arguments_are_checked_at_once),
        cmocka_unit_test(the_caller_is_not_blocked),
        cmocka_unit_test(destroy_waits),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(cancelled_by_another_thread),
        cmocka_unit_test(cancel_all_ends_synchronous_calls),
        cmocka_unit_test(finalize_refuses_live_sequences),
    };
    return tt_run(tests);
}

int main(int argc, char **argv)
{
    static char out[1 << 18];
    int rc, failed;

    (void)argv;
    if (argc > 1) return all_tests();
    failed = all_tests();
    rc = tt_run_self("again", (const char *[]){"TILEWORK_WINDOW=3", NULL}, 120, out, sizeof out);
    printf("==== window of 3 tasks: exit %d\n%s", rc, out);
    return failed || rc != 0;
}
