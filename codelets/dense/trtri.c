/* Inverse of a triangle, in place. Its diagonal is known to have no zero: a routine looks at all diagonals (trdiag)
 * before it changes anything.
 *
 * Arguments  uplo; diag: 'N' or 'U' (ones on the diagonal)
 * Buffers    A     RW       n x n; never W: the other triangle may hold something that has to survive
 *            work  SCRATCH  n x n elements; only when a GPU is in use */
#include "codelets/dense/dense_bodies.h"

struct args {
    char uplo, diag;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    return TW_CPU(body)->trtri(g->uplo, g->diag, a->m, a->ptr, a->ld) == 0 ? 0 : TW_E_INTERNAL;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    return TW_CUDA(body)->trtri(body->cuda, g->uplo, g->diag, a->m, a->ptr, a->ld, body->buf[1].ptr);
}

static struct tw_codelet codelet = {
    .name = "trtri", .color = 0xCC6677, .rate = TW_RATE_TRI, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_trtri(struct tw_sequence *seq, int priority, char uplo, char diag, struct tw_data *A)
{
    const struct args args = {uplo, diag};
    struct tw_access access[2] = {{A, TW_RW}};
    int naccess = 1;

    if (tw_has_cuda())
        access[naccess++] =
            (struct tw_access){tw_scratch((size_t)A->m * (size_t)A->m * tw_sizeof(A->type)), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = tw_flops_trtri(A->type, A->m),
                                     .size = A->m,
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
