/* QR of two triangles, or of a triangle on top of a tile, and the product with its Q: the joints of trees
 * (algorithms/dense/tree.c). LQ, of a triangle beside a tile, is the QR of their adjoints, which lie in the workspace
 * meanwhile; Q is that of QR.
 *
 * tpqrt, tplqt
 *         Arguments  m, l: rows of B, and how many of its last rows are a trapezoid; storev: 'C', or 'R': A and B are
 *                    the adjoints of what is meant
 *         Buffers  A     RW       its upper n x n triangle, which becomes R
 *                  B     RW       its first m rows become V's lower part (l = m = n: the upper triangle only)
 *                  T     W        tw_tpqrt_block(n) x n
 *                  work  SCRATCH
 * tpmqrt, tpmlqt
 *         Arguments  m, l, storev; side: 'L' or 'R'; trans: 'N' or 'C'
 *         Buffers  V     R        tpqrt's or tplqt's B
 *                  T     R
 *                  C     RW       'L': its first n rows, and
 *                  D     RW       its first m rows become op(Q) [C; D]; 'R': their first columns [C D] op(Q)
 *                  work  SCRATCH */
#include "codelets/dense/dense_bodies.h"

#define BLOCK 32 /* columns of a triangle of T */

struct args {
    int m, l;
    char storev, side, trans;
};

/* Where an operand lies as QR has it: a block of the tile, or of its adjoint, in the workspace. */
struct block {
    int m, n, ld;
    void *at;
};
static size_t bytes_of(enum tw_type type, int m, int n)
{
    return ((size_t)m * (size_t)n * tw_sizeof(type) + 255) / 256 * 256;
}
/* m x n of it. *work is what is left of the workspace. */
static struct block block_of(const struct tw_body *body, const struct tw_buffer *b, int m, int n, char **work)
{
    const struct args *g = body->args;
    struct block x = {m, n, (int)b->ld, b->ptr};

    if (g->storev == 'C') return x;
    x.ld = m > 0 ? m : 1, x.at = *work, *work += bytes_of(body->type, m, n);
    return x;
}
/* Of LQ only: the tile's part into the block, or back. */
static void move_cpu(const struct tw_body *body, const struct tw_buffer *b, const struct block *x, int back)
{
    const char trans = tw_real_trans(body->type, 'C');

    if (x->at == b->ptr) return;
    if (back)
        TW_CPU(body)->transpose(trans, x->m, x->n, x->at, x->ld, b->ptr, (int)b->ld);
    else
        TW_CPU(body)->transpose(trans, x->n, x->m, b->ptr, (int)b->ld, x->at, x->ld);
}
static int move_cuda(const struct tw_body *body, const struct tw_buffer *b, const struct block *x, int back)
{
    const char trans = tw_real_trans(body->type, 'C');

    if (x->at == b->ptr) return 0;
    return back ? TW_CUDA(body)->transpose(body->cuda, trans, x->m, x->n, x->at, x->ld, b->ptr, (int)b->ld)
                : TW_CUDA(body)->transpose(body->cuda, trans, x->n, x->m, b->ptr, (int)b->ld, x->at, x->ld);
}

static int factor_cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *t = &body->buf[2];
    char *work = body->buf[3].ptr;
    const struct block a = block_of(body, &body->buf[0], t->n, t->n, &work),
                       b = block_of(body, &body->buf[1], g->m, t->n, &work);

    move_cpu(body, &body->buf[0], &a, 0);
    move_cpu(body, &body->buf[1], &b, 0);
    TW_CPU(body)->tpqrt(g->m, t->n, g->l, BLOCK, a.at, a.ld, b.at, b.ld, t->ptr, (int)t->ld, work);
    move_cpu(body, &body->buf[0], &a, 1);
    move_cpu(body, &body->buf[1], &b, 1);
    return 0;
}
static int apply_cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *t = &body->buf[1], *c = &body->buf[2], *d = &body->buf[3];
    char *work = body->buf[4].ptr;
    const struct block v = block_of(body, &body->buf[0], g->m, t->n, &work);

    move_cpu(body, &body->buf[0], &v, 0);
    TW_CPU(body)->tpmqrt(g->side, tw_real_trans(body->type, g->trans), g->side == 'L' ? g->m : d->m,
                         g->side == 'L' ? d->n : g->m, t->n, g->l, BLOCK, v.at, v.ld, t->ptr, (int)t->ld, c->ptr,
                         (int)c->ld, d->ptr, (int)d->ld, work);
    return 0;
}

static int factor_cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *t = &body->buf[2], *scratch = &body->buf[3];
    char *work = scratch->ptr;
    const struct block a = block_of(body, &body->buf[0], t->n, t->n, &work),
                       b = block_of(body, &body->buf[1], g->m, t->n, &work);
    int e = move_cuda(body, &body->buf[0], &a, 0);

    if (!e) e = move_cuda(body, &body->buf[1], &b, 0);
    if (!e)
        e = TW_CUDA(body)->tpqrt(body->cuda, g->m, t->n, g->l, BLOCK, a.at, a.ld, b.at, b.ld, t->ptr, (int)t->ld, work,
                                 scratch->bytes - (size_t)(work - (char *)scratch->ptr));
    if (!e) e = move_cuda(body, &body->buf[0], &a, 1);
    return e ? e : move_cuda(body, &body->buf[1], &b, 1);
}
static int apply_cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *t = &body->buf[1], *c = &body->buf[2], *d = &body->buf[3];
    char *work = body->buf[4].ptr;
    const struct block v = block_of(body, &body->buf[0], g->m, t->n, &work);
    const int e = move_cuda(body, &body->buf[0], &v, 0);

    if (e) return e;
    return TW_CUDA(body)->tpmqrt(body->cuda, g->side, tw_real_trans(body->type, g->trans), g->side == 'L' ? g->m : d->m,
                                 g->side == 'L' ? d->n : g->m, t->n, g->l, BLOCK, v.at, v.ld, t->ptr, (int)t->ld,
                                 c->ptr, (int)c->ld, d->ptr, (int)d->ld, work);
}
static int workspace(const struct tw_cuda *q, enum tw_type type, const struct tw_extent *e, size_t *bytes)
{
    return tw_cuda_kernels[type]->tpqrt_work(q, e->v[0], e->v[1], BLOCK, bytes);
}

static struct tw_codelet tpqrt = {.name = "tpqrt",
                                  .color = 0xD55E00,
                                  .rate = TW_RATE_POTRF,
                                  .cpu = factor_cpu,
                                  .cuda = TW_CUDA_BODY(factor_cuda)},
                         tplqt = {.name = "tplqt",
                                  .color = 0xD55E00,
                                  .rate = TW_RATE_POTRF,
                                  .cpu = factor_cpu,
                                  .cuda = TW_CUDA_BODY(factor_cuda)},
                         tpmqrt = {.name = "tpmqrt",
                                   .color = 0x0072B2,
                                   .rate = TW_RATE_GEMM,
                                   .cpu = apply_cpu,
                                   .cuda = TW_CUDA_BODY(apply_cuda)},
                         tpmlqt = {.name = "tpmlqt",
                                   .color = 0x0072B2,
                                   .rate = TW_RATE_GEMM,
                                   .cpu = apply_cpu,
                                   .cuda = TW_CUDA_BODY(apply_cuda)};

int tw_tpqrt_block(int n)
{
    return (int)tw_min(BLOCK, n);
}

void tw_task_tpqrt(struct tw_sequence *seq, int priority, char storev, int m, int l, struct tw_data *A,
                   struct tw_data *B, struct tw_data *T)
{
    const struct args args = {m, l, storev, 0, 0};
    const int n = T->n;
    const size_t adjoints = storev == 'C' ? 0 : bytes_of(A->type, n, n) + bytes_of(A->type, m, n),
                 on_cpu = adjoints + (size_t)BLOCK * (size_t)n * tw_sizeof(A->type),
                 on_gpu = adjoints + tw_cuda_workspace(workspace, A->type, (struct tw_extent){{m, n}});
    const struct tw_access access[] = {
        {A, TW_RW}, {B, TW_RW}, {T, TW_W}, {tw_scratch(on_cpu > on_gpu ? on_cpu : on_gpu), TW_SCRATCH}};

    /* a trapezoid has half of a rectangle's elements */
    tw_submit(seq, &(struct tw_task){.codelet = storev == 'C' ? &tpqrt : &tplqt,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 4,
                                     .priority = priority,
                                     .flops = tw_flop_factor(A->type) * 2 * (m - 2.0 / 3 * l) * n * n,
                                     .m = m,
                                     .n = n,
                                     .k = n,
                                     .coord = {B->coord[0], B->coord[1], -1, -1}});
}

void tw_task_tpmqrt(struct tw_sequence *seq, int priority, char storev, char side, char trans, int m, int l,
                    struct tw_data *V, struct tw_data *T, struct tw_data *C, struct tw_data *D)
{
    const struct args args = {m, l, storev, side, trans};
    const int across = side == 'L' ? C->n : C->m;
    const size_t work = (storev == 'C' ? 0 : bytes_of(C->type, m, T->n)) +
                        (size_t)BLOCK * ((size_t)m + 2 * (size_t)across) * tw_sizeof(C->type);
    const struct tw_access access[] = {{V, TW_R}, {T, TW_R}, {C, TW_RW}, {D, TW_RW}, {tw_scratch(work), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = storev == 'C' ? &tpmqrt : &tpmlqt,
                                     .type = C->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 5,
                                     .priority = priority,
                                     .flops = tw_flop_factor(C->type) * 4 * (m - 0.5 * l) * across * T->n,
                                     .m = m,
                                     .n = across,
                                     .k = T->n,
                                     .coord = {D->coord[0], D->coord[1], -1, -1}});
}
