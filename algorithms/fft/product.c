/* Elementwise products of transforms. */
#include "algorithms/fft/fft_plan.h"

struct product {
    struct tw_fft_product p;
    tw_int count;
    int parts;
};

static void loop(struct tw_sequence *seq, void *args)
{
    struct product *q = args;
    tw_int step = tw_fft_ceil(q->count, q->parts);
    int tasks = (int)tw_fft_ceil(q->count, step);
    struct tw_data **done;

    if (tw_fft_tokens_make(seq, tasks, &done)) return;
    for (int k = 0; k < tasks; k++)
        tw_task_fft_product(seq, &q->p, k * step, tw_min(q->count, (k + 1) * step), done[k]);
    tw_loop_wait(seq);
}

int tw_fft_multiply(struct tw_fft *plan, void *a, const void *b, tw_int count)
{
    struct product q = {
        .p = {.a = a, .b = b, .type = plan->type}, .count = count, .parts = tw_fft_parts(plan->reproducible)};

    if (plan->method == &tw_fft_by_call) {
        tw_fft_times(plan->type, count, a, b);
        return 0;
    }
    return tw_call("fft_product", loop, &q, 6 * (double)count);
}
