/* Commuting writes and reductions: sums, and the order in which their parts were added. In reproducible mode (a process
 * of its own) that order is the one of submission, and the sums have the bits of the same tree computed here. */
#include <math.h>
#include <stdatomic.h>
#include <time.h>

#include "tt.h"
#include "runtime/task/reduce.h"

enum { COUNT = 60 };
static const int none[2] = {-1, -1};

static void submit(struct tw_sequence *seq, struct tw_codelet *c, const void *args, size_t size,
                   const struct tw_access *access, int n)
{
    tw_submit(seq, &(struct tw_task){.codelet = c,
                                     .type = TW_DOUBLE,
                                     .args = args,
                                     .args_size = size,
                                     .access = access,
                                     .naccess = n,
                                     .size = 8,
                                     .coord = {-1, -1, -1, -1}});
}

/* Powers of ten of both signs: the bits of a sum depend on the order. */
static double term(int k)
{
    return (k % 3 ? 1 : -1) * pow(10, k % 17 - 8) / (1 + k);
}

/* ---- commuting --------------------------------------------------------------------------------------------------- */

/* list: how many have been here, and who, in this order; sum: of their terms. */
static atomic_int arrived;
static int enlist(const struct tw_body *body)
{
    const int me = *(const int *)body->args;
    int64_t *list = body->buf[0].ptr;

    list[++list[0]] = me;
    *(double *)body->buf[1].ptr += term(me);
    atomic_fetch_add(&arrived, 1);
    return 0;
}
/* Keeps its operand until the others have enlisted, or for a second where they do not. */
static int late(const struct tw_body *body)
{
    for (int ms = 0; ms < 1000 && atomic_load(&arrived) < COUNT - 1; ms++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    *(double *)body->buf[0].ptr = 1;
    return 0;
}
static struct tw_codelet enlist_codelet = {.name = "enlist", .rate = TW_RATE_MEMORY, .cpu = enlist},
                         late_codelet = {.name = "late", .rate = TW_RATE_MEMORY, .cpu = late};

struct commuting {
    struct tw_data *list, *sum, *slow;
};
/* The first to be submitted waits for `slow`: if the others may go before it, they do. */
static void commuting_loop(struct tw_sequence *seq, void *args)
{
    const struct commuting *c = args;

    submit(seq, &late_codelet, NULL, 0, &(struct tw_access){c->slow, TW_RW}, 1);
    for (int k = 0; k < COUNT; k++)
        submit(seq, &enlist_codelet, &k, sizeof k,
               (struct tw_access[]){{c->list, TW_RW_COMMUTE}, {c->sum, TW_RW_COMMUTE}, {c->slow, TW_R}},
               k == 0 ? 3 : 2);
}

static void commuting(void **state)
{
    struct commuting c = {tw_data_vector_of(TW_INT64, COUNT + 1, none), tw_data_vector_of(TW_DOUBLE, 1, none),
                          tw_data_vector_of(TW_DOUBLE, 1, none)};
    int seen[COUNT] = {0};
    double sum = 0, size = 0;
    const int64_t *list;
    (void)state;
    atomic_store(&arrived, 0);
    tt_expect_info(tw_call("commuting", commuting_loop, &c, 0), 0, "commuting");
    list = tw_data_acquire(c.list, 'r');
    assert_int_equal(list[0], COUNT);
    for (int k = 0; k < COUNT; k++) {
        const int who = (int)list[1 + k];
        assert_true(who >= 0 && who < COUNT && !seen[who]++);
        sum += term(who);
        size += fabs(term(who));
        if (tw_reproducible()) assert_int_equal(who, k);
    }
    if (!tw_reproducible()) assert_int_equal(list[COUNT], 0); /* the one that had to wait came last */
    tw_data_release(c.list);
    assert_true(*(const double *)tw_data_acquire(c.sum, 'r') == sum);
    assert_true(size > 0);
    tw_data_release(c.sum);
    tw_data_free_later(c.list), tw_data_free_later(c.sum), tw_data_free_later(c.slow);
}

/* ---- reducing ---------------------------------------------------------------------------------------------------- */

enum { M = 6, N = 5 };
static int clear_body(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0];
    for (int j = 0; j < a->n; j++)
        memset((double *)a->ptr + (size_t)j * (size_t)a->ld, 0, (size_t)a->m * sizeof(double));
    return 0;
}
static int add_body(const struct tw_body *body)
{
    const struct tw_buffer *x = &body->buf[0], *y = &body->buf[1];
    for (int j = 0; j < y->n; j++)
        for (int i = 0; i < y->m; i++)
            ((double *)y->ptr)[i + j * y->ld] += ((const double *)x->ptr)[i + j * x->ld];
    return 0;
}
/* A contribution: an outer product of its terms. */
static int outer_body(const struct tw_body *body)
{
    const int k = *(const int *)body->args;
    const struct tw_buffer *a = &body->buf[0];
    for (int j = 0; j < a->n; j++)
        for (int i = 0; i < a->m; i++)
            ((double *)a->ptr)[i + j * a->ld] += term(k + i) * term(k + j);
    return 0;
}
static struct tw_codelet clear_codelet = {.name = "clear", .rate = TW_RATE_MEMORY, .cpu = clear_body},
                         add_codelet = {.name = "add", .rate = TW_RATE_MEMORY, .cpu = add_body},
                         outer_codelet = {.name = "outer", .rate = TW_RATE_MEMORY, .cpu = outer_body};

static struct tw_data *make(void *user)
{
    (void)user;
    return tw_data_tile(TW_DOUBLE, M, N);
}
static void clear(struct tw_sequence *seq, int priority, struct tw_data *partial, void *user)
{
    (void)user, (void)priority;
    submit(seq, &clear_codelet, NULL, 0, &(struct tw_access){partial, TW_W}, 1);
}
static void add(struct tw_sequence *seq, int priority, struct tw_data *from, struct tw_data *into, void *user)
{
    (void)user, (void)priority;
    submit(seq, &add_codelet, NULL, 0, (struct tw_access[]){{from, TW_R}, {into, TW_RW}}, 2);
}
static const struct tw_reduce_ops ops = {make, clear, add};

struct reducing {
    struct tw_data *into;
    int width, count;
};
static void reducing_loop(struct tw_sequence *seq, void *args)
{
    const struct reducing *c = args;
    struct tw_reduction r;

    tw_reduce_begin(&r, seq, &ops, NULL, c->width, 0);
    for (int k = 0; k < c->count; k++) {
        const struct tw_access part = tw_reduce_next(&r);
        submit(seq, &outer_codelet, &k, sizeof k, &part, 1);
    }
    tw_reduce_end(&r, c->into);
}

/* The tree of reduce.h, for one element. */
static double tree(int width, int count, int i, int j, double start)
{
    double partial[TW_REDUCE_MOST] = {0};
    const int used = count < width ? count : width;

    for (int k = 0; k < count; k++)
        partial[k % width] += term(k + i) * term(k + j);
    for (int step = 1; step < used; step *= 2)
        for (int k = 0; k + step < used; k += 2 * step)
            partial[k] += partial[k + step];
    return used ? start + partial[0] : start;
}

static void reducing(void **state)
{
    static const int cases[][2] = {{1, 20}, {8, 100}, {7, 33}, {64, 64}, {5, 3}, {4, 1}, {3, 0}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const int width = cases[c][0], count = cases[c][1], no_shape[4] = {0};
        double a[M * N];
        struct tw_data *into = tw_data_over(&tw_kind_tile, TW_DOUBLE, a, M, N, M, no_shape, 0, 0);

        for (int k = 0; k < M * N; k++)
            a[k] = k;
        tt_expect_info(tw_call("reducing", reducing_loop, &(struct reducing){into, width, count}, 0), 0, "reducing");
        tw_data_forget(into, 1);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++) {
                const double want = tree(width, count, i, j, i + j * M), got = a[i + j * M];
                double size = i + j * M;
                for (int k = 0; k < count; k++)
                    size += fabs(term(k + i) * term(k + j));
                assert_true(fabs(got - want) <= (count + 2) * 2.3e-16 * size);
                if (tw_reproducible()) assert_true(got == want);
            }
    }
}

/* A failed sequence: nothing hangs, nothing is left. */
static int wrong(const struct tw_body *body)
{
    (void)body;
    return TW_E_INTERNAL;
}
static struct tw_codelet wrong_codelet = {.name = "wrong", .rate = TW_RATE_MEMORY, .cpu = wrong};
static void failing_loop(struct tw_sequence *seq, void *args)
{
    struct tw_reduction r;

    tw_reduce_begin(&r, seq, &ops, NULL, 4, 0);
    for (int k = 0; k < 50; k++) {
        const struct tw_access part = tw_reduce_next(&r);
        submit(seq, k == 20 ? &wrong_codelet : &outer_codelet, &k, sizeof k, &part, 1);
    }
    tw_reduce_end(&r, args);
}
static void failing(void **state)
{
    double a[M * N] = {0};
    struct tw_data *into = tw_data_over(&tw_kind_tile, TW_DOUBLE, a, M, N, M, (const int[4]){0}, 0, 0);

    tt_expect_info(tw_call("failing", failing_loop, into, 0), TW_E_INTERNAL, "failing");
    tw_data_forget(into, 1);
    reducing(state);
}

static int all_tests(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(commuting), cmocka_unit_test(reducing),
                                       cmocka_unit_test(failing)};
    tw_options o;
    int e;

    tw_options_init(&o);
    o.ncpu = 2; /* one to wait, one to work */
    if (tw_init(&o) < 0) return 1;
    e = tt_run(tests);
    return tw_finalize() < 0 ? 1 : e;
}

int main(int argc, char **argv)
{
    static char out[1 << 16];
    int rc, failed;

    (void)argv;
    if (argc > 1) return all_tests();
    failed = all_tests();
    rc = tt_run_self("again", (const char *[]){"TILEWORK_REPRODUCIBLE=1", NULL}, 120, out, sizeof out);
    printf("==== reproducible: exit %d\n%s", rc, out);
    return failed || rc != 0;
}
