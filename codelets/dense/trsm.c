/* B = alpha inv(op(A)) B or alpha B inv(op(A)), A triangular.
 *
 * Arguments  side: 'L' or 'R'; uplo; trans: 'N', 'T', 'C'; diag: 'N' or 'U' (ones on A's diagonal); alpha
 * Buffers    A  R   m x m (side 'L') or n x n, one triangle of it is read
 *            B  RW  m x n */
#include "codelets/dense/dense_bodies.h"

struct args {
    char side, uplo, trans, diag;
    tw_scalar alpha;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1];
    TW_CPU(body)->trsm(g->side, g->uplo, g->trans, g->diag, b->m, b->n, g->alpha, a->ptr, a->ld, b->ptr, b->ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1];
    return TW_CUDA(body)->trsm(body->cuda, g->side, g->uplo, g->trans, g->diag, b->m, b->n, g->alpha, a->ptr, a->ld,
                               b->ptr, b->ld);
}

static struct tw_codelet codelet = {
    .name = "trsm", .color = 0xDDCC77, .rate = TW_RATE_TRSM, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_trsm(struct tw_sequence *seq, int priority, char side, char uplo, char trans, char diag, tw_scalar alpha,
                  struct tw_data *A, struct tw_data *B)
{
    const struct args args = {side, uplo, tw_real_trans(B->type, trans), diag, alpha};
    const struct tw_access access[] = {{A, TW_R}, {B, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = B->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .flops = tw_flops_trsm(B->type, side, B->m, B->n),
                                     .m = B->m,
                                     .n = B->n,
                                     .k = side == 'L' ? B->m : B->n,
                                     .coord = {B->coord[0], B->coord[1], -1, -1}});
}
