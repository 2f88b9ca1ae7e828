/* How many eigenvalues of a tridiagonal matrix lie at or below each of two numbers: Sturm's count, of LAPACK's laebz.
 *
 * Arguments  low, high
 * Buffers    d      R  n
 *            e      R  at least n - 1
 *            below  W  two int64 */
#include "codelets/eigen/laed_bodies.h"

struct args {
    double low, high;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *d = &body->buf[0], *e = &body->buf[1];
    int64_t *below = body->buf[2].ptr;

    below[0] = TW_LAED(body)->below(d->m, d->ptr, e->ptr, g->low);
    below[1] = TW_LAED(body)->below(d->m, d->ptr, e->ptr, g->high);
    return 0;
}

static struct tw_codelet codelet = {
    .name = "laebz", .color = 0xCC6677, .rate = TW_RATE_TRI, .share = 0.05, .cpu = cpu, .urgent = 1};

void tw_task_laebz(struct tw_sequence *seq, int priority, double low, double high, struct tw_data *d, struct tw_data *e,
                   struct tw_data *below)
{
    const struct args args = {low, high};
    const struct tw_access access[] = {{d, TW_R}, {e, TW_R}, {below, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = d->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = 10.0 * d->m,
                                     .size = 1,
                                     .coord = {-1, -1, -1, -1}});
}
