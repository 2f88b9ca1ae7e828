/* Several cores for one task: rounds of parts give what one thread gives, whoever comes; under every scheduler, with
 * more parts than workers, several teams at once, one core, a StarPU of the program's own; and nobody who was invited
 * late is missed or does harm. */
#include <pthread.h>
#include <starpu.h>
#include <unistd.h>

#include "runtime/task/submit.h"
#include "runtime/task/team.h"
#include "runtime/task/when.h"
#include "tt.h"

enum { LENGTH = 64, ROUNDS = 20, TASKS = 12 };

struct work {
    int most, parts, slow, fail, seed;
};
struct round {
    double *x, *y; /* read, written: the next round reads what all parts wrote */
    int parts, slow;
};
static void part(void *args, int i)
{
    const struct round *r = args;
    for (int k = tw_part_begin(i, r->parts, LENGTH, 1); k < tw_part_begin(i + 1, r->parts, LENGTH, 1); k++)
        r->y[k] = 0.5 * r->x[(k + 7) % LENGTH] + 0.25 * r->x[(k + 31) % LENGTH] + 1;
    if (r->slow) usleep((unsigned)r->slow);
}
static void rounds(struct tw_team *team, double *x, int parts, int slow)
{
    double y[LENGTH];
    for (int k = 0; k < ROUNDS; k++) {
        struct round r = {k % 2 ? y : x, k % 2 ? x : y, parts, slow};
        tw_team_run(team, parts, part, &r);
    }
}

static void begin(double *x, int seed)
{
    for (int i = 0; i < LENGTH; i++)
        x[i] = i * 0.125 + seed;
}

static int body(const struct tw_body *b)
{
    const struct work *w = b->args;
    struct tw_team *team = tw_team_open(b, w->most);
    begin(b->buf[0].ptr, w->seed);
    rounds(team, b->buf[0].ptr, w->parts, w->slow);
    tw_team_close(team);
    return w->fail ? TW_E_IO : 0;
}
static struct tw_codelet codelet = {.name = "teamwork", .color = 0x808080, .rate = TW_RATE_MEMORY, .cpu = body};

static void loop(struct tw_sequence *seq, void *args)
{
    struct tw_data *vector[TASKS];
    struct work w = *(const struct work *)args;

    for (int k = 0; k < TASKS; k++) {
        w.seed = k;
        vector[k] = tw_data_vector(LENGTH, sizeof(double), (int[2]){-1, -1});
        tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                         .type = TW_DOUBLE,
                                         .args = &w,
                                         .args_size = sizeof w,
                                         .access = &(struct tw_access){vector[k], TW_W},
                                         .naccess = 1,
                                         .bytes = 1e4});
    }
    for (int k = 0; k < TASKS && !w.fail; k++) {
        double want[LENGTH], got[LENGTH] = {0}, none[LENGTH] = {0};
        begin(want, k);
        rounds(NULL, want, w.parts, 0);
        if (!tw_loop_value(seq, vector[k], none, got)) assert_memory_equal(got, want, sizeof want);
    }
    for (int k = 0; k < TASKS; k++)
        if (vector[k]) tw_data_free_later(vector[k]);
}

static const int shape[][2] = {{2, 2}, {2, 64}, {8, 5}, {1000, 64}, {3, 1}, {1, 4}}; /* members at most, parts */
#define SHAPES (sizeof shape / sizeof *shape)

static void same_as_one(void **state)
{
    (void)state;
    for (size_t s = 0; s < SHAPES; s++)
        for (int again = 0; again < 5; again++) {
            struct work w = {shape[s][0], shape[s][1], 0, 0, 0};
            tt_expect_info(tw_call("team", loop, &w, 0), 0, "most %d, parts %d", w.most, w.parts);
        }
}

/* Parts that last: an idle worker has time to come. */
static void somebody_comes(void **state)
{
    const unsigned long before = tw_team_helped();
    tw_machine m;
    (void)state;
    tt_expect_info(tw_machine_info(&m), 0, "start");
    for (int again = 0; again < 20 && tw_team_helped() == before; again++) {
        struct work w = {2, 2, 300, 0, 0};
        tt_expect_info(tw_call("team", loop, &w, 0), 0, "slow parts");
    }
    if (m.cpu_workers > 1)
        assert_true(tw_team_helped() > before);
    else
        assert_int_equal(tw_team_helped(), before);
}

static void failing(void **state)
{
    struct work w = {8, 16, 0, 1, 0};
    (void)state;
    for (int again = 0; again < 10; again++)
        tt_expect_info(tw_call("team", loop, &w, 0), TW_E_IO, "a body that fails");
}

static void *caller(void *status)
{
    for (int again = 0; again < 3; again++) {
        struct work w = {4, 6, 20, 0, 0};
        *(int *)status |= tw_call("team", loop, &w, 0);
    }
    return NULL;
}
static void two_callers(void **state)
{
    pthread_t thread[2];
    int status[2] = {0, 0};
    (void)state;
    for (int k = 0; k < 2; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, caller, &status[k]), 0);
    for (int k = 0; k < 2; k++)
        assert_int_equal(pthread_join(thread[k], NULL), 0);
    assert_int_equal(status[0] | status[1], 0);
}

/* Invitations that nobody had time for are still queued when the library stops, and starts again. */
static void stops_and_starts(void **state)
{
    (void)state;
    for (int again = 0; again < 5; again++) {
        struct work w = {1000, 3, 0, 0, 0};
        tt_expect_info(tw_call("team", loop, &w, 0), 0, "before a stop");
        assert_int_equal(tw_finalize(), 0);
    }
}

/* potrf of tiles that teams work on, and the panels of LU, through the routines. */
static void routines(void **state)
{
    const int n = 700;
    (void)state;
    for (const char *uplo = "LU"; *uplo; uplo++)
        TT_TYPES(t) {
            void *a = tt_array(t, n, n), *f;
            tt_spd(t, *uplo, n, a, n, 1);
            f = tt_copy(t, n, n, a);
            tt_expect_info(tt_door_potrf(t, *uplo, n, f, n), 0, "potrf");
            tt_expect("potrf", t, tt_potrf_residual(t, *uplo, n, a, n, f, n), n, "%c", *uplo);
            free(a), free(f);
        }
}

static int child(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_one), cmocka_unit_test(somebody_comes),
                                       cmocka_unit_test(failing),     cmocka_unit_test(two_callers),
                                       cmocka_unit_test(routines),    cmocka_unit_test(stops_and_starts)};
    return tt_run(tests);
}

/* A StarPU of the program's own, which it stops after the library. */
static int own_starpu(void)
{
    struct starpu_conf conf;
    struct work w = {8, 16, 100, 0, 0};
    int e;
    starpu_conf_init(&conf);
    if (starpu_init(&conf) != 0) return 77;
    e = tw_call("team", loop, &w, 0);
    if (!e) e = tw_finalize();
    starpu_shutdown();
    return e != 0;
}

static const char *const ways[][4] = {
    {"STARPU_SCHED=lws", NULL},
    {"STARPU_SCHED=eager", NULL},
    {"STARPU_SCHED=dmdas", NULL},
    {"STARPU_SCHED=heteroprio", NULL},
    {"STARPU_SCHED=modular-eager", NULL},
    {"STARPU_SCHED=tilework", NULL},
    {"STARPU_SCHED=lws", "STARPU_NCPU=1", NULL},
    {"STARPU_SCHED=lws", "STARPU_NCPU=5", NULL},
    {"STARPU_SCHED=lws", "TILEWORK_TEAM=1", NULL},
    {"STARPU_SCHED=lws", "TILEWORK_REPRODUCIBLE=1", NULL},
};

static void every_way(void **state)
{
    static char out[1 << 16];
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const char *env[6] = {"TILEWORK_CROSSOVER=0", "TILEWORK_NB=350"};
        const char *what = k < 8 ? "child" : "alone";
        int rc;
        for (int v = 0; ways[k][v]; v++)
            env[2 + v] = ways[k][v];
        rc = tt_run_self(what, env, 100, out, sizeof out);
        printf("%s %s: exit %d\n", ways[k][0], ways[k][1] ? ways[k][1] : "", rc);
        if (rc) fail_msg("%s", out);
    }
}
static void beside_a_program(void **state)
{
    static char out[1 << 16];
    const int rc = tt_run_self("own-starpu", (const char *[]){NULL}, 100, out, sizeof out);
    (void)state;
    if (rc) fail_msg("exit %d\n%s", rc, out);
}

/* No team where none is wanted: nobody comes, the results are the same. */
static int alone(void)
{
    struct work w = {8, 4, 300, 0, 0};
    if (tw_call("team", loop, &w, 0) || tw_team_helped()) return 1;
    return tw_finalize() != 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_way), cmocka_unit_test(beside_a_program)};
    if (argc > 1 && !strcmp(argv[1], "own-starpu")) return own_starpu();
    if (argc > 1 && !strcmp(argv[1], "alone")) return alone();
    return argc > 1 ? child() : tt_run(tests);
}
