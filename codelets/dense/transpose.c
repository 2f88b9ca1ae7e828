/* B = A^T or A^H.
 *
 * Arguments  trans: 'T', 'C'
 * Buffers    A  R  m x n
 *            B  W  n x m */
#include "codelets/dense/dense_bodies.h"

struct args {
    char trans;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1];
    TW_CPU(body)->transpose(g->trans, a->m, a->n, a->ptr, a->ld, b->ptr, b->ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1];
    return TW_CUDA(body)->transpose(body->cuda, g->trans, a->m, a->n, a->ptr, a->ld, b->ptr, b->ld);
}

static struct tw_codelet codelet = {
    .name = "transpose", .color = 0xAAAA99, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_transpose(struct tw_sequence *seq, int priority, char trans, struct tw_data *A, struct tw_data *B)
{
    const struct args args = {tw_real_trans(B->type, trans)};
    const struct tw_access access[] = {{A, TW_R}, {B, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = B->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .size = tw_smallest(B->m, B->n, B->n),
                                     .coord = {B->coord[0], B->coord[1], -1, -1}});
}
