/* Roots of a merge's secular equation, some columns of them.
 *
 * Buffers  numbers  R
 *          lambda   W  the roots, `count` of them
 *          part     W  k: the product of these columns' factors of z
 *          delta    W  k x count: d(i) - lambda(j) */
#include "codelets/eigen/laed_bodies.h"

struct args {
    int m, k, first;
};

static int roots(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *numbers = &body->buf[0], *lambda = &body->buf[1], *part = &body->buf[2],
                           *delta = &body->buf[3];
    if (body->cuda)
        return TW_CUDA_LAED(body)->roots(body->cuda, g->m, g->k, g->first, delta->n, numbers->ptr, lambda->ptr,
                                         delta->ptr, part->ptr);
    TW_LAED(body)->roots(g->m, g->k, g->first, delta->n, numbers->ptr, lambda->ptr, delta->ptr, part->ptr);
    return 0;
}

/* A core has some 5 GF of divisions, a GPU hundreds. */
static struct tw_codelet codelet = {
    .name = "laed4", .color = 0x44AA99, .rate = TW_RATE_TRI, .share = 0.06, .cpu = roots, .cuda = TW_CUDA_BODY(roots)};

void tw_task_laed4(struct tw_sequence *seq, int priority, int m, int k, int first, struct tw_data *numbers,
                   struct tw_data *lambda, struct tw_data *delta, struct tw_data *part)
{
    const struct args args = {m, k, first};
    const struct tw_access access[] = {{numbers, TW_R}, {lambda, TW_W}, {part, TW_W}, {delta, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = numbers->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 4,
                                     .priority = priority,
                                     .flops = 60.0 * k * delta->n, /* about six steps of ten flops for each term */
                                     .size = delta->n,
                                     .coord = {m, first, -1, -1}});
}
