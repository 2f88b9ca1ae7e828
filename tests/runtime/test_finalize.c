/* Stopping the library while other threads are inside of it, and from inside of its own calls. tests/soak does the same
 * at random. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <tilework/cutoff.h>

#include "tt.h"

enum { N = 700, ROUNDS = 12 };
static double spd[N * N];

static void nap(double seconds)
{
    nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)}, NULL);
}

/* ---- from another thread ----------------------------------------------------------------------------------------- */

struct caller {
    pthread_t thread;
    void (*work)(struct caller *c);
    atomic_int stop;
    atomic_long right, refused;
    int bad;
};

static void count(struct caller *c, int e, int sound)
{
    if ((e && e != TW_E_STATE) || !sound) c->bad = 1;
    atomic_fetch_add(e ? &c->refused : &c->right, 1);
}

static void factor(struct caller *c)
{
    double *a = tt_copy(TW_DOUBLE, N, N, spd);
    const tw_int e = tw_dpotrf('L', N, a, N);
    count(c, (int)e, e || tt_potrf_residual(TW_DOUBLE, 'L', N, spd, N, a, N) < 30);
    free(a);
}

static void make_and_destroy(struct caller *c)
{
    tw_matrix *A = NULL;
    int e = tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, 200, 200, spd, N, 64);
    if (!e) e = tw_potrf(TW_LOWER, A);
    count(c, e, 1);
    e = tw_matrix_destroy(A);
    c->bad |= e && e != TW_E_STATE;
}

static void sums(struct caller *c)
{
    enum { POINTS = 1200 };
    double *x = malloc(3 * POINTS * sizeof *x), *q = malloc(POINTS * sizeof *q), *u = calloc(POINTS, sizeof *u);
    int e;
    for (int k = 0; k < 3 * POINTS; k++)
        x[k] = tt_uniform(1, k, 0), q[k % POINTS] = 1;
    e = tw_fmm3d(1e-4, 1, POINTS, x, q, u, NULL, 0, NULL, NULL, NULL);
    count(c, e, e || u[7] > 100);
    free(x);
    free(q);
    free(u);
}

static void *go_on(void *arg)
{
    struct caller *c = arg;
    while (!atomic_load(&c->stop))
        c->work(c);
    return NULL;
}

static void stops_beside(void (*work)(struct caller *c))
{
    static struct caller c[3];
    int stops = 0;

    memset(c, 0, sizeof c);
    for (int k = 0; k < 3; k++) {
        c[k].work = work;
        assert_int_equal(pthread_create(&c[k].thread, NULL, go_on, &c[k]), 0);
    }
    for (int k = 0; k < ROUNDS; k++) {
        const long before = atomic_load(&c[k % 3].right);
        for (int tries = 0; tries < 3000 && atomic_load(&c[k % 3].right) == before; tries++)
            nap(0.01);
        nap(0.003 * k); /* somewhere inside of the next calls */
        stops += tw_finalize() == 0;
    }
    for (int k = 0; k < 3; k++)
        atomic_store(&c[k].stop, 1);
    for (int k = 0; k < 3; k++)
        (void)pthread_join(c[k].thread, NULL);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(c[k].bad, 0);
        assert_true(c[k].right > 0);
    }
    assert_int_equal(stops, ROUNDS);
    assert_int_equal(tw_finalize(), 0);
}

static void during_factorizations(void **state)
{
    (void)state;
    stops_beside(factor);
}
static void while_matrices_come_and_go(void **state)
{
    (void)state;
    stops_beside(make_and_destroy);
}
static void during_sums(void **state)
{
    (void)state;
    stops_beside(sums);
}

/* A call that is under way ends as it would have, and the stop waits for it. */
static atomic_int began, ended;
static int slowly(void *user, const tw_atoms *a, const tw_verlet_state *s)
{
    (void)user, (void)a, (void)s;
    atomic_store(&began, 1);
    nap(0.5);
    atomic_store(&ended, 1);
    return 0;
}
static void *move(void *result)
{
    tw_atoms a;
    tw_cutoff c;
    tw_cutoff_init(&c, 2.5);
    if (!(*(int *)result = tw_atoms_generate(&a, "argon", 216, 1)))
        *(int *)result = tw_cutoff_verlet(&c, &a, 1e-3, 0, 5, 0, slowly, NULL);
    tw_atoms_free(&a);
    return NULL;
}
static void *intrude(void *result)
{
    double a[4] = {4, 1, 1, 4};
    tw_matrix *A = NULL;
    nap(0.15); /* tw_finalize waits by now */
    *(int *)result = tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, 2, 2, a, 2, 1);
    return NULL;
}
static void waits_and_refuses(void **state)
{
    pthread_t mover, intruder;
    int moved = 1, intruded = 0;
    (void)state;
    atomic_store(&began, 0);
    atomic_store(&ended, 0);
    assert_int_equal(pthread_create(&mover, NULL, move, &moved), 0);
    while (!atomic_load(&began))
        nap(0.001);
    assert_int_equal(pthread_create(&intruder, NULL, intrude, &intruded), 0);
    assert_int_equal(tw_finalize(), 0);
    assert_int_equal(atomic_load(&ended), 1);
    assert_int_equal(tw_is_running(), 0);
    assert_int_equal(pthread_join(mover, NULL) | pthread_join(intruder, NULL), 0);
    tt_expect_info(moved, 0, "under way");
    tt_expect_info(intruded, TW_E_STATE, "later");
}

/* ---- from inside ------------------------------------------------------------------------------------------------- */

static int answers[4], nanswers;
static int ask(void)
{
    if (nanswers < 4) answers[nanswers++] = tw_finalize();
    if (nanswers < 4) answers[nanswers++] = tw_init(NULL);
    return 42;
}
static int in_verlet(void *user, const tw_atoms *a, const tw_verlet_state *s)
{
    (void)user, (void)a, (void)s;
    return ask();
}
static int in_minimize(void *user, const tw_atoms *a, const tw_minimize_state *s)
{
    (void)user, (void)a, (void)s;
    return ask();
}
static int in_leapfrog(void *user, const tw_particles *p, const tw_motion_state *s)
{
    (void)user, (void)p, (void)s;
    return ask();
}

static void expect_refusals(const char *what)
{
    assert_int_equal(nanswers, 2);
    for (int k = 0; k < nanswers; k++)
        tt_expect_info(answers[k], TW_E_STATE, "%s", what);
    nanswers = 0;
    assert_int_equal(tw_is_running(), 1);
}

static void inside_reports(void **state)
{
    tw_atoms a;
    tw_cutoff c;
    const tw_minimize m = {.method = TW_LBFGS, .iterations = 10, .every = 1};
    tw_particles p;
    const tw_motion motion = {.g = 1, .softening = 0.1, .dt = 1e-3};
    tw_sequence *seq;
    (void)state;
    tw_cutoff_init(&c, 2.5);
    assert_int_equal(tw_atoms_generate(&a, "argon", 216, 1), 0);
    assert_int_equal(tw_particles_generate(&p, "plummer", 100, 1), 0);
    tt_expect_info(tw_cutoff_verlet(&c, &a, 1e-3, 0, 5, 1, in_verlet, NULL), 42, "verlet's report");
    expect_refusals("verlet");
    tt_expect_info(tw_cutoff_minimize(&c, &a, &m, in_minimize, NULL, NULL), 42, "minimize's report");
    expect_refusals("minimize");
    tt_expect_info(tw_leapfrog(&p, &motion, 3, in_leapfrog, NULL), 42, "leapfrog's report");
    expect_refusals("leapfrog");
    /* through the async door: the report's word is what the wait returns */
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_cutoff_verlet_async(&c, &a, 1e-3, 0, 5, 1, in_verlet, NULL, seq), 0);
    tt_expect_info(tw_sequence_wait(seq), 42, "verlet's report, queued");
    expect_refusals("verlet, queued");
    assert_int_equal(tw_cutoff_minimize_async(&c, &a, &m, in_minimize, NULL, NULL, seq), 0);
    tt_expect_info(tw_sequence_wait(seq), 42, "minimize's report, queued");
    expect_refusals("minimize, queued");
    tt_expect_info(tw_sequence_wait(seq), 0, "the sequence is as new");
    assert_int_equal(tw_sequence_destroy(seq), 0);
    tw_atoms_free(&a);
    tw_particles_free(&p);
    assert_int_equal(tw_finalize(), 0);
}

static _Thread_local int in_log;
static void in_log_callback(enum tw_log_level level, const char *message, void *user)
{
    double a[4] = {4, 1, 1, 4};
    tw_matrix *A;
    (void)level, (void)message, (void)user;
    if (in_log) return;
    in_log = 1;
    (void)tw_init(NULL);
    (void)tw_finalize();
    if (!tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, 2, 2, a, 2, 1)) (void)tw_matrix_destroy(A);
    in_log = 0;
}
static void inside_log_callbacks(void **state)
{
    (void)state;
    tw_set_log(in_log_callback, NULL);
    assert_int_equal(tw_init(NULL), 0);
    assert_int_equal(tw_finalize(), 0);
    tw_set_log(NULL, NULL);
    assert_int_equal(tw_is_running(), 0);
}

/* ---- what lives through it --------------------------------------------------------------------------------------- */

static void matrices_live_on_as_nothing(void **state)
{
    static double a[64 * 64], b[64 * 64];
    tw_matrix *A, *W;
    double norm;
    (void)state;
    tt_spd(TW_DOUBLE, 'L', 64, a, 64, 1);
    memcpy(b, a, sizeof b);
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, 64, 64, a, 64, 16), 0);
    assert_int_equal(tw_matrix_wrap(&W, TW_DOUBLE, TW_LOWER, 64, 64, b, 64, 16), 0);
    assert_int_equal(tw_potrf(TW_LOWER, A) | tw_potrf(TW_LOWER, W), 0);
    assert_int_equal(tw_finalize(), 0);
    assert_true(tt_potrf_residual(TW_DOUBLE, 'L', 64, a, 64, b, 64) < 30); /* what was wrapped came home */
    for (int again = 0; again < 2; again++) {
        tt_expect_info(tw_matrix_to_lapack(A, a, 64), TW_E_STATE, "to_lapack");
        tt_expect_info(tw_matrix_set_lapack(A, a, 64), TW_E_STATE, "set_lapack");
        tt_expect_info(tw_potrf(TW_LOWER, A), TW_E_STATE, "potrf");
        tt_expect_info(tw_lansy(TW_MAX_NORM, TW_LOWER, A, &norm), TW_E_STATE, "lansy");
        tt_expect_info(tw_release_to_host(W), TW_E_STATE, "release_to_host");
        tt_expect_info(tw_prefetch(W, -1), TW_E_STATE, "prefetch");
        assert_int_equal(tw_matrix_rows(A), 64);
        assert_int_equal(tw_finalize(), 0);
    }
    tt_expect_info(tw_matrix_destroy(A), TW_E_STATE, "destroy while stopped");
    assert_int_equal(tw_init(NULL), 0);
    tt_expect_info(tw_matrix_destroy(W), TW_E_STATE, "destroy while running again");
    assert_int_equal(tw_finalize(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(during_factorizations),
        cmocka_unit_test(while_matrices_come_and_go),
        cmocka_unit_test(during_sums),
        cmocka_unit_test(waits_and_refuses),
        cmocka_unit_test(inside_reports),
        cmocka_unit_test(inside_log_callbacks),
        cmocka_unit_test(matrices_live_on_as_nothing),
    };
    setenv("TILEWORK_CROSSOVER", "100", 1);
    tt_spd(TW_DOUBLE, 'L', N, spd, N, 3);
    return tt_run(tests);
}
