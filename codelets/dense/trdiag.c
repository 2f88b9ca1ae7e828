/* Look for an exactly zero element on a triangle's diagonal.
 *
 * Arguments  offset: rows of the matrix above this tile
 * Buffers    A     R   m x n, only its diagonal is read
 *            info  RW  one int64_t: smallest index of a zero diagonal element of the whole matrix, 0 if none */
#include "codelets/dense/dense_bodies.h"

struct args {
    int64_t offset;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    tw_combine_info(body->buf[1].ptr, g->offset, TW_CPU(body)->trdiag((int)tw_min(a->m, a->n), a->ptr, a->ld));
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    return TW_CUDA(body)->trdiag(body->cuda, (int)tw_min(a->m, a->n), a->ptr, a->ld, body->buf[1].ptr, g->offset);
}

static struct tw_codelet codelet = {
    .name = "trdiag", .color = 0x999999, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_trdiag(struct tw_sequence *seq, int priority, struct tw_data *A, tw_int offset, struct tw_data *info)
{
    const struct args args = {offset};
    const struct tw_access access[] = {{A, TW_R}, {info, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .size = A->m,
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
