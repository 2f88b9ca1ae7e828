/* One task with more buffers than StarPU's default limit of 8, and more than the runtime keeps on the stack. */
#include "tt.h"
#include "runtime/task/submit.h"

enum { LENGTH = 5 };
static int sum_body(const struct tw_body *body)
{
    double *total = body->buf[0].ptr;
    int factor = *(const int *)body->args;

    for (int k = 1; k < body->nbuf; k++)
        for (int i = 0; i < body->buf[k].m; i++)
            total[i] += factor * ((const double *)body->buf[k].ptr)[i];
    return 0;
}
static struct tw_codelet sum_codelet = {.name = "sum", .color = 0x808080, .rate = TW_RATE_MEMORY, .cpu = sum_body};

struct work {
    int count;
    struct tw_data **vectors;
};
static void loop(struct tw_sequence *seq, void *args)
{
    struct work *w = args;
    struct tw_access access[64];
    int factor = 3;

    for (int k = 0; k < w->count; k++)
        access[k] = (struct tw_access){w->vectors[k], k ? TW_R : TW_RW};
    for (int repeat = 0; repeat < 4; repeat++)
        tw_submit(seq, &(struct tw_task){.codelet = &sum_codelet,
                                         .type = TW_DOUBLE,
                                         .args = &factor,
                                         .args_size = sizeof factor,
                                         .access = access,
                                         .naccess = w->count,
                                         .size = LENGTH,
                                         .coord = {-1, -1, -1, -1}});
}

static void many_buffers(void **state)
{
    static const int counts[] = {1, 2, 8, 9, 20, 33, 64};
    (void)state;
    assert_int_equal(tw_init(NULL), 0);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        struct tw_data *v[64];
        double want = 0, *p;
        for (int k = 0; k < counts[c]; k++) {
            v[k] = tw_data_vector(LENGTH, sizeof(double), (int[2]){k, -1});
            assert_non_null(v[k]);
            p = tw_data_acquire(v[k], 'w');
            assert_non_null(p);
            for (int i = 0; i < LENGTH; i++) {
                assert_true(p[i] == 0);
                p[i] = k ? k * 10 + i : i;
            }
            tw_data_release(v[k]);
            want += k * 10;
        }
        tt_expect_info(tw_call("sum", loop, &(struct work){counts[c], v}, 0), 0, "%d buffers", counts[c]);
        p = tw_data_acquire(v[0], 'r');
        for (int i = 0; i < LENGTH; i++)
            assert_true(p[i] == i + 4 * 3 * (want + (counts[c] - 1) * i));
        tw_data_release(v[0]);
        for (int k = 0; k < counts[c]; k++)
            tw_data_free_later(v[k]);
    }
    assert_int_equal(tw_finalize(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_buffers)};
    return tt_run(tests);
}
