/* B = alpha op(A) + beta B.
 *
 * Arguments  trans: 'N', 'T', 'C'; alpha, beta
 * Buffers    A  R   m x n (trans 'N') or n x m
 *            B  RW  m x n; W with beta = 0 (all of the tile is written, its old content does not matter) */
#include "codelets/dense/dense_bodies.h"

struct args {
    char trans;
    tw_scalar alpha, beta;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1];
    TW_CPU(body)->geadd(g->trans, b->m, b->n, g->alpha, a->ptr, a->ld, g->beta, b->ptr, b->ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1];
    return TW_CUDA(body)->geadd(body->cuda, g->trans, b->m, b->n, g->alpha, a->ptr, a->ld, g->beta, b->ptr, b->ld);
}

static struct tw_codelet codelet = {
    .name = "geadd", .color = 0xCCBB44, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_geadd(struct tw_sequence *seq, int priority, char trans, tw_scalar alpha, struct tw_data *A,
                   tw_scalar beta, struct tw_data *B)
{
    const struct args args = {tw_real_trans(B->type, trans), alpha, beta};
    const struct tw_access access[] = {{A, TW_R}, {B, tw_is_zero(B->type, beta) ? TW_W : TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = B->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .flops = tw_flops_geadd(B->type, B->m, B->n),
                                     .size = tw_smallest(B->m, B->n, B->n),
                                     .coord = {B->coord[0], B->coord[1], -1, -1}});
}
