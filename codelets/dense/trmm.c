/* B = alpha op(A) B or alpha B op(A), A triangular.
 *
 * Arguments  side: 'L' or 'R'; uplo; trans: 'N', 'T', 'C'; diag: 'N' or 'U' (ones on A's diagonal); alpha
 * Buffers    A     R        m x m (side 'L') or n x n, one triangle of it is read
 *            B     RW       m x n
 *            work  SCRATCH  m x n elements; only when a GPU is in use: cuBLAS' product in place is several times slower
 *                           than from a copy */
#include "codelets/dense/dense_bodies.h"

struct args {
    char side, uplo, trans, diag;
    tw_scalar alpha;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1];
    TW_CPU(body)->trmm(g->side, g->uplo, g->trans, g->diag, b->m, b->n, g->alpha, a->ptr, a->ld, b->ptr, b->ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1];
    void *copy = body->buf[2].ptr;
    const int e = TW_CUDA(body)->lacpy(body->cuda, 'G', b->m, b->n, b->ptr, b->ld, copy, b->m);
    return e ? e
             : TW_CUDA(body)->trmm_to(body->cuda, g->side, g->uplo, g->trans, g->diag, b->m, b->n, g->alpha, a->ptr,
                                      a->ld, copy, b->m, b->ptr, b->ld);
}

static struct tw_codelet codelet = {
    .name = "trmm", .color = 0x999933, .rate = TW_RATE_TRMM, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_trmm(struct tw_sequence *seq, int priority, char side, char uplo, char trans, char diag, tw_scalar alpha,
                  struct tw_data *A, struct tw_data *B)
{
    const struct args args = {side, uplo, tw_real_trans(B->type, trans), diag, alpha};
    struct tw_access access[3] = {{A, TW_R}, {B, TW_RW}};
    int naccess = 2;

    if (tw_has_cuda())
        access[naccess++] = (struct tw_access){tw_scratch((size_t)B->m * (size_t)B->n * B->elemsize), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = B->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = tw_flops_trsm(B->type, side, B->m, B->n),
                                     .m = B->m,
                                     .n = B->n,
                                     .k = side == 'L' ? B->m : B->n,
                                     .coord = {B->coord[0], B->coord[1], -1, -1}});
}
