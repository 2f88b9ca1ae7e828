/* QR of two triangles, or of a triangle on top of a tile, and the product with its Q: the joints of trees (algorithms/dense/tree.c).
 *
 * tpqrt   Arguments  m, l: rows of B, and how many of its last rows are a trapezoid
 *         Buffers  A     RW       its upper n x n triangle, which becomes R
 *                  B     RW       its first m rows become V's lower part (l = m = n: the upper triangle only)
 *                  T     W        tw_tpqrt_block(n) x n
 *                  work  SCRATCH
 * tpmqrt  Arguments  m, l; side: 'L' or 'R'; trans: 'N' or 'C'
 *         Buffers  V     R        tpqrt's B
 *                  T     R
 *                  C     RW       'L': its first n rows, and
 *                  D     RW       its first m rows become op(Q) [C; D]; 'R': their first columns [C D] op(Q)
 *                  work  SCRATCH */
#include "codelets/dense/dense_bodies.h"

#define BLOCK 32 /* columns of a triangle of T */

struct args {
    int m, l;
    char side, trans;
};

static int factor_cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1], *t = &body->buf[2];

    TW_CPU(body)->tpqrt(g->m, a->n, g->l, BLOCK, a->ptr, (int)a->ld, b->ptr, (int)b->ld, t->ptr, (int)t->ld,
                        body->buf[3].ptr);
    return 0;
}
static int apply_cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *v = &body->buf[0], *t = &body->buf[1], *c = &body->buf[2], *d = &body->buf[3];

    TW_CPU(body)->tpmqrt(g->side, tw_real_trans(body->type, g->trans), g->side == 'L' ? g->m : d->m,
                         g->side == 'L' ? d->n : g->m, v->n, g->l, BLOCK, v->ptr, (int)v->ld, t->ptr, (int)t->ld,
                         c->ptr, (int)c->ld, d->ptr, (int)d->ld, body->buf[4].ptr);
    return 0;
}

static int factor_cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1], *t = &body->buf[2], *work = &body->buf[3];

    return TW_CUDA(body)->tpqrt(body->cuda, g->m, a->n, g->l, BLOCK, a->ptr, (int)a->ld, b->ptr, (int)b->ld, t->ptr,
                                (int)t->ld, work->ptr, work->bytes);
}
static int apply_cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *v = &body->buf[0], *t = &body->buf[1], *c = &body->buf[2], *d = &body->buf[3];

    return TW_CUDA(body)->tpmqrt(body->cuda, g->side, tw_real_trans(body->type, g->trans), g->side == 'L' ? g->m : d->m,
                                 g->side == 'L' ? d->n : g->m, v->n, g->l, BLOCK, v->ptr, (int)v->ld, t->ptr,
                                 (int)t->ld, c->ptr, (int)c->ld, d->ptr, (int)d->ld, body->buf[4].ptr);
}
static int workspace(const struct tw_cuda *q, enum tw_type type, const struct tw_extent *e, size_t *bytes)
{
    return tw_cuda_kernels[type]->tpqrt_work(q, e->v[0], e->v[1], BLOCK, bytes);
}

static struct tw_codelet factor = {.name = "tpqrt",
                                   .color = 0xD55E00,
                                   .rate = TW_RATE_POTRF,
                                   .cpu = factor_cpu,
                                   .cuda = TW_CUDA_BODY(factor_cuda)},
                         apply = {.name = "tpmqrt",
                                  .color = 0x0072B2,
                                  .rate = TW_RATE_GEMM,
                                  .cpu = apply_cpu,
                                  .cuda = TW_CUDA_BODY(apply_cuda)};

int tw_tpqrt_block(int n)
{
    return (int)tw_min(BLOCK, n);
}

void tw_task_tpqrt(struct tw_sequence *seq, int priority, int m, int l, struct tw_data *A, struct tw_data *B,
                   struct tw_data *T)
{
    const struct args args = {m, l, 0, 0};
    const size_t on_cpu = (size_t)BLOCK * (size_t)A->n * tw_sizeof(A->type),
                 on_gpu = tw_cuda_workspace(workspace, A->type, (struct tw_extent){{m, A->n}});
    const struct tw_access access[] = {
        {A, TW_RW}, {B, TW_RW}, {T, TW_W}, {tw_scratch(on_cpu > on_gpu ? on_cpu : on_gpu), TW_SCRATCH}};

    /* a trapezoid has half of a rectangle's elements */
    tw_submit(seq, &(struct tw_task){.codelet = &factor,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 4,
                                     .priority = priority,
                                     .flops = tw_flop_factor(A->type) * 2 * (m - 2.0 / 3 * l) * A->n * A->n,
                                     .m = m,
                                     .n = A->n,
                                     .k = A->n,
                                     .coord = {B->coord[0], B->coord[1], -1, -1}});
}

void tw_task_tpmqrt(struct tw_sequence *seq, int priority, char side, char trans, int m, int l, struct tw_data *V,
                    struct tw_data *T, struct tw_data *C, struct tw_data *D)
{
    const struct args args = {m, l, side, trans};
    const int across = side == 'L' ? C->n : C->m;
    const size_t work = (size_t)BLOCK * ((size_t)m + 2 * (size_t)across) * tw_sizeof(C->type);
    const struct tw_access access[] = {{V, TW_R}, {T, TW_R}, {C, TW_RW}, {D, TW_RW}, {tw_scratch(work), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = &apply,
                                     .type = C->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 5,
                                     .priority = priority,
                                     .flops = tw_flop_factor(C->type) * 4 * (m - 0.5 * l) * across * V->n,
                                     .m = m,
                                     .n = across,
                                     .k = V->n,
                                     .coord = {D->coord[0], D->coord[1], -1, -1}});
}
