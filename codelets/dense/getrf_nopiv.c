/* LU factors of a diagonal tile without row exchanges: A = L U.
 *
 * Arguments  offset: rows of the matrix above this tile
 * Buffers    info  RW  one int64_t: the first k with U(k, k) exactly zero in the whole matrix, 0 if none
 *            A     RW  m x n: L below the diagonal, without its ones, and U */
#include "codelets/dense/dense_bodies.h"

struct args {
    int64_t offset;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[1];
    tw_combine_info(body->buf[0].ptr, g->offset, TW_CPU(body)->getrf_nopiv(a->m, a->n, a->ptr, a->ld));
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[1];
    return TW_CUDA(body)->getrf_nopiv(body->cuda, a->m, a->n, a->ptr, a->ld, body->buf[0].ptr, g->offset);
}

static struct tw_codelet codelet = {.name = "getrf_nopiv",
                                    .color = 0xE69F00,
                                    .rate = TW_RATE_POTRF,
                                    .cpu = cpu,
                                    .cuda = TW_CUDA_BODY(cuda),
                                    .urgent = 1};

void tw_task_getrf_nopiv(struct tw_sequence *seq, int priority, struct tw_data *A, tw_int offset, struct tw_data *info)
{
    const struct args args = {offset};
    const struct tw_access access[2] = {{info, TW_RW}, {A, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .flops = tw_flops_getrf(A->type, A->m, A->n),
                                     .size = A->n,
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
