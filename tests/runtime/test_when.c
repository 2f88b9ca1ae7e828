/* Continuations: random programs of tasks, values and continuations give what the same program gives one step after
 * another; failing and cancelled sequences run none of them and lose nothing. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "runtime/task/submit.h"
#include "runtime/task/when.h"
#include "tt.h"

enum { OBJECTS = 9, LENGTH = 3, STEPS = 120, DEPTH = 2 };

/* x = x / 2 - y / 4 + k, which does not commute; exact in double for as many steps. */
struct mix {
    double k;
    int slow;
};
static void mix(double *x, const double *y, double k)
{
    for (int i = 0; i < LENGTH; i++)
        x[i] = fmod(floor(x[i] / 2) - floor(y[i] / 4) + k, 4096);
}
static int mix_body(const struct tw_body *body)
{
    const struct mix *m = body->args;
    if (m->slow) usleep(200);
    mix(body->buf[0].ptr, body->buf[1].ptr, m->k);
    return 0;
}
static struct tw_codelet mix_codelet = {.name = "mix", .color = 0x808080, .rate = TW_RATE_MEMORY, .cpu = mix_body};

static int fail_body(const struct tw_body *body)
{
    (void)body;
    return TW_E_IO;
}
static struct tw_codelet fail_codelet = {
    .name = "failing", .color = 0x808080, .rate = TW_RATE_MEMORY, .cpu = fail_body};

/* ---- one program, two machines ----------------------------------------------------------------------------------- */

struct machine {
    struct tw_sequence *seq; /* NULL: one step after another, here */
    struct tw_data *object[OBJECTS];
    double (*plain)[LENGTH];
    int fail_at, failed_before; /* step at which a task fails; continuations that ran after it are counted */
};
static atomic_int continued;

static unsigned next(unsigned *state)
{
    return *state = *state * 1664525u + 1013904223u, *state >> 8;
}

static void step(struct machine *m, int x, int y, double k, int slow)
{
    if (x == y) return;
    if (!m->seq) {
        mix(m->plain[x], m->plain[y], k);
        return;
    }
    const struct mix args = {k, slow};
    const struct tw_access access[] = {{m->object[x], TW_RW}, {m->object[y], TW_R}};
    tw_submit(m->seq, &(struct tw_task){.codelet = &mix_codelet,
                                        .type = TW_DOUBLE,
                                        .args = &args,
                                        .args_size = sizeof args,
                                        .access = access,
                                        .naccess = 2,
                                        .coord = {-1, -1, -1, -1}});
}

struct continuation {
    struct machine *m;
    unsigned random;
    int uses[3], depth;
};

/* Works on its three objects only; what it does depends on the value. */
static void continue_with(struct machine *m, const double *value, const struct continuation *c);

static void arrived(struct tw_sequence *seq, const void *value, void *args)
{
    const struct continuation *c = args;
    (void)seq;
    atomic_fetch_add(&continued, 1);
    continue_with(c->m, value, c);
}

static void when(struct machine *m, int data, const struct continuation *c)
{
    if (!m->seq) {
        double value[LENGTH];
        memcpy(value, m->plain[data], sizeof value);
        continue_with(m, value, c);
        return;
    }
    tw_when(m->seq, m->object[data], NULL,
            (const struct tw_use[]){{m->object[c->uses[0]], NULL, TW_RW},
                                    {m->object[c->uses[1]], NULL, TW_RW},
                                    {m->object[c->uses[2]], NULL, TW_R}},
            3, arrived, c, sizeof *c);
}

static void continue_with(struct machine *m, const double *value, const struct continuation *c)
{
    const int odd = (int)fabs(value[0]) & 1;
    unsigned r = c->random;

    step(m, c->uses[odd], c->uses[2], value[1], 1);
    if (c->depth > 0 && next(&r) % 2) {
        struct continuation inner = {m, next(&r), {c->uses[0], c->uses[1], c->uses[2]}, c->depth - 1};
        when(m, c->uses[!odd], &inner);
    }
    step(m, c->uses[!odd], c->uses[odd], value[2] + 1, 0);
}

static void program(struct machine *m, unsigned random)
{
    for (int s = 0; s < STEPS; s++) {
        const int x = (int)(next(&random) % OBJECTS), y = (int)(next(&random) % OBJECTS);
        const unsigned what = next(&random) % 12;
        if (what == 0) {
            struct continuation c = {m, next(&random), {x, y, (int)(next(&random) % OBJECTS)}, DEPTH};
            when(m, (int)(next(&random) % OBJECTS), &c);
        } else if (what == 1) {
            double value[LENGTH] = {0};
            if (m->seq) {
                if (tw_loop_value(m->seq, m->object[y], NULL, value)) return;
            } else {
                memcpy(value, m->plain[y], sizeof value);
            }
            step(m, x, y, value[0] + 2, 0);
        } else {
            step(m, x, y, (double)(next(&random) % 64), what == 2);
        }
        if (m->seq && s == m->fail_at)
            tw_submit(m->seq, &(struct tw_task){.codelet = &fail_codelet,
                                                .type = TW_DOUBLE,
                                                .access = (struct tw_access[]){{m->object[x], TW_RW}},
                                                .naccess = 1,
                                                .coord = {-1, -1, -1, -1}});
    }
}

struct job {
    unsigned random;
    double (*result)[LENGTH];
    int fail_at;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct job *j = p;
    struct machine *m = calloc(1, sizeof *m);

    assert_non_null(m);
    m->seq = seq;
    m->fail_at = j->fail_at;
    for (int k = 0; k < OBJECTS; k++) {
        assert_non_null(m->object[k] = tw_data_vector(LENGTH, sizeof(double), (int[2]){-1, -1}));
        double *x = tw_data_acquire(m->object[k], 'w');
        for (int i = 0; i < LENGTH; i++)
            x[i] = k + i;
        tw_data_release(m->object[k]);
    }
    program(m, j->random);
    for (int k = 0; k < OBJECTS; k++) { /* the same way as everything: after all that is held back */
        (void)tw_loop_value(seq, m->object[k], NULL, j->result[k]);
        tw_data_free_later(m->object[k]);
    }
    tw_loop_settle(seq); /* continuations have pointers to m */
    free(m);
}

static void expected(unsigned random, double result[OBJECTS][LENGTH])
{
    struct machine m = {.plain = result, .fail_at = -1};
    for (int k = 0; k < OBJECTS; k++)
        for (int i = 0; i < LENGTH; i++)
            result[k][i] = k + i;
    program(&m, random);
}

static void random_programs(void **state)
{
    (void)state;
    for (int k = 0; k < 50; k++) {
        double want[OBJECTS][LENGTH], got[OBJECTS][LENGTH] = {{0}};
        struct job j = {(unsigned)k * 7919u + 17, got, -1};
        expected(j.random, want);
        if (k % 2) {
            tt_expect_info(tw_call("when", loop, &j, 0), 0, "program %d", k);
        } else {
            tw_sequence *seq;
            assert_int_equal(tw_sequence_create(&seq), 0);
            assert_int_equal(tw_call_async(seq, "when", loop, &j, sizeof j, 0), 0);
            tt_expect_info(tw_sequence_wait(seq), 0, "program %d", k);
            assert_int_equal(tw_sequence_destroy(seq), 0);
        }
        if (memcmp(want, got, sizeof want)) fail_msg("program %d: another result than one step after another", k);
    }
    assert_true(atomic_load(&continued) > 0);
}

static void failing_programs(void **state)
{
    (void)state;
    for (int k = 0; k < 20; k++) {
        double got[OBJECTS][LENGTH] = {{0}};
        struct job j = {(unsigned)k * 104729u + 5, got, k % STEPS};
        tt_expect_info(tw_call("when", loop, &j, 0), TW_E_IO, "failing program %d", k);
    }
}

static void *cancel_soon(void *p)
{
    usleep(*(unsigned *)p);
    tw_cancel_all();
    return NULL;
}

static void cancelled_programs(void **state)
{
    (void)state;
    for (int k = 0; k < 20; k++) {
        double got[OBJECTS][LENGTH] = {{0}};
        struct job j = {(unsigned)k * 31u + 3, got, -1};
        unsigned when_us = 100 + 300 * (unsigned)k;
        pthread_t thread;
        int e;
        assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &when_us), 0);
        e = tw_call("when", loop, &j, 0);
        assert_true(e == 0 || e == TW_E_CANCELLED);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
}

/* ---- modelled values: a machine that computes nothing takes them ------------------------------------------------- */

static atomic_int seen;
static void note(struct tw_sequence *seq, const void *value, void *args)
{
    (void)seq, (void)args;
    atomic_store(&seen, (int)*(const double *)value);
}
static void modelled_loop(struct tw_sequence *seq, void *args)
{
    static const double model = 77;
    struct tw_data *d = tw_data_vector(1, sizeof(double), (int[2]){-1, -1});
    double value = -1;
    (void)args;
    tw_when(seq, d, &model, NULL, 0, note, NULL, 0);
    (void)tw_loop_value(seq, d, &model, &value);
    tw_loop_settle(seq);
    assert_true(value == atomic_load(&seen));
    tw_data_free_later(d);
}
static void modelled_values(void **state)
{
    (void)state;
    tt_expect_info(tw_call("modelled", modelled_loop, NULL, 0), 0, "plain");
    assert_int_equal(atomic_load(&seen), 0);
    assert_int_equal(tw_finalize(), 0);
    assert_int_equal(setenv("TILEWORK_MODELLED", "1", 1), 0);
    tt_expect_info(tw_call("modelled", modelled_loop, NULL, 0), 0, "modelled");
    assert_int_equal(atomic_load(&seen), 77);
    assert_int_equal(unsetenv("TILEWORK_MODELLED"), 0);
    assert_int_equal(tw_finalize(), 0);
}

/* ---- ways of GPUs: a continuation has the one that was in force where it was said -------------------------------- */

static void note_lane(struct tw_sequence *seq, const void *value, void *args)
{
    (void)value, (void)args;
    atomic_store(&seen, (int)tw_loop_in_lane(seq, TW_LANE_CHAIN)); /* and what it leaves is not in force after it */
}
static void lanes_loop(struct tw_sequence *seq, void *args)
{
    struct tw_data *d = tw_data_vector(1, sizeof(double), (int[2]){-1, -1});

    (void)args;
    assert_int_equal(tw_loop_in_lane(seq, TW_LANE_YIELDING), TW_LANE_OWN);
    tw_when(seq, d, NULL, NULL, 0, note_lane, NULL, 0);
    assert_int_equal(tw_loop_in_lane(seq, TW_LANE_URGENT), TW_LANE_YIELDING);
    tw_loop_settle(seq);
    assert_int_equal(tw_loop_in_lane(seq, TW_LANE_OWN), TW_LANE_URGENT);
    tw_data_free_later(d);
}
static void lanes(void **state)
{
    (void)state;
    atomic_store(&seen, -1);
    tt_expect_info(tw_call("lanes", lanes_loop, NULL, 0), 0, "lanes");
    assert_int_equal(atomic_load(&seen), TW_LANE_YIELDING);
    assert_int_equal(tw_finalize(), 0);
}

/* ---- likewise of what products of single precision are made, whatever routine's loop is under way when it runs --- */

static void note_products(struct tw_sequence *seq, const void *value, void *args)
{
    (void)value, (void)args;
    atomic_store(&seen, (int)tw_loop_products(seq, TW_PRODUCTS_SPLIT));
}
static void products_loop(struct tw_sequence *seq, void *args)
{
    struct tw_data *d = tw_data_vector(1, sizeof(double), (int[2]){-1, -1});

    (void)args;
    tw_when(seq, d, NULL, NULL, 0, note_products, NULL, 0);
    assert_int_equal(tw_loop_products(seq, TW_PRODUCTS_HALF), TW_PRODUCTS_OWN);
    tw_loop_settle(seq);
    assert_int_equal(tw_loop_products(seq, TW_PRODUCTS_OWN), TW_PRODUCTS_HALF);
    tw_data_free_later(d);
}
static void products(void **state)
{
    (void)state;
    atomic_store(&seen, -1);
    tt_expect_info(tw_call("products", products_loop, NULL, 0), 0, "products");
    assert_int_equal(atomic_load(&seen), TW_PRODUCTS_OWN);
    assert_int_equal(tw_finalize(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs),
                                       cmocka_unit_test(failing_programs),
                                       cmocka_unit_test(cancelled_programs),
                                       cmocka_unit_test(modelled_values),
                                       cmocka_unit_test(lanes),
                                       cmocka_unit_test(products)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
