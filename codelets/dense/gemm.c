/* C = alpha op(A) op(B) + beta C.
 *
 * Arguments  ta, tb: 'N', 'T', 'C'; alpha, beta
 * Buffers    A     R        m x k (ta 'N') or k x m
 *            B     R        k x n (tb 'N') or n x k
 *            C     RW       m x n; W with beta = 0 (all of the tile is written, its old content does not matter)
 *            work  SCRATCH  gemm_split alone: the operands' parts; not on CPUs; gemm_half: the rounded operands */
#include "codelets/dense/dense_bodies.h"

struct args {
    char ta, tb;
    tw_scalar alpha, beta;
};

static int inner(const struct args *g, const struct tw_buffer *a)
{
    return g->ta == 'N' ? a->n : a->m;
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1], *c = &body->buf[2];
    TW_CPU(body)->gemm(g->ta, g->tb, c->m, c->n, inner(g, a), g->alpha, a->ptr, a->ld, b->ptr, b->ld, g->beta, c->ptr,
                       c->ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1], *c = &body->buf[2];
    return TW_CUDA(body)->gemm(body->cuda, g->ta, g->tb, c->m, c->n, inner(g, a), g->alpha, a->ptr, a->ld, b->ptr,
                               b->ld, g->beta, c->ptr, c->ld);
}

/* The same of single precision, made of TF32's products, three for one. */
static int split_cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1], *c = &body->buf[2];
    return TW_CUDA(body)->gemm_split(body->cuda, g->ta, g->tb, c->m, c->n, inner(g, a), g->alpha, a->ptr, a->ld, b->ptr,
                                     b->ld, g->beta, c->ptr, c->ld, body->buf[3].ptr);
}

/* The same of single precision, of operands rounded to half precision. */
static int half_cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1], *c = &body->buf[2];
    const int lda = tw_gemm_half_room(a->m), ldb = tw_gemm_half_room(b->m);
    char *ha = body->buf[3].ptr, *hb = ha + tw_gemm_half_elements(a->m, a->n) * tw_sizeof(body->type);

    TW_CPU(body)->half(a->m, a->n, a->ptr, a->ld, ha, lda);
    TW_CPU(body)->half(b->m, b->n, b->ptr, b->ld, hb, ldb);
    TW_CPU(body)->gemm(g->ta, g->tb, c->m, c->n, inner(g, a), g->alpha, ha, lda, hb, ldb, g->beta, c->ptr, c->ld);
    return 0;
}
static int half_cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1], *c = &body->buf[2];
    return TW_CUDA(body)->gemm_half(body->cuda, g->ta, g->tb, c->m, c->n, inner(g, a), g->alpha, a->ptr, a->ld, b->ptr,
                                    b->ld, g->beta, c->ptr, c->ld, body->buf[3].ptr);
}

static struct tw_codelet codelet = {
    .name = "gemm", .color = 0x117733, .rate = TW_RATE_GEMM, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};
static struct tw_codelet split_codelet = {
    .name = "gemm_split", .color = 0x44AA77, .rate = TW_RATE_GEMM, .cpu = cpu, .cuda = TW_CUDA_BODY(split_cuda)};
static struct tw_codelet half_codelet = {
    .name = "gemm_half", .color = 0x77BB55, .rate = TW_RATE_GEMM, .cpu = half_cpu, .cuda = TW_CUDA_BODY(half_cuda)};

/* Taking operands apart costs as much as some products of few sums. */
static int splits(const struct tw_sequence *seq, enum tw_type type, int m, int n, int k)
{
    enum { LEAST = 256 };
    return tw_loop_splits_products(seq, type) && tw_has_cuda() && tw_smallest(m, n, k) >= LEAST;
}

void tw_task_gemm(struct tw_sequence *seq, int priority, char ta, char tb, tw_scalar alpha, struct tw_data *A,
                  struct tw_data *B, tw_scalar beta, struct tw_data *C)
{
    const enum tw_type type = C->type;
    const int k = ta == 'N' ? A->n : A->m;
    const struct args args = {tw_real_trans(type, ta), tw_real_trans(type, tb), alpha, beta};
    const int half = tw_loop_halves_products(seq, type), split = !half && splits(seq, type, C->m, C->n, k);
    struct tw_access access[4] = {{A, TW_R}, {B, TW_R}, {C, tw_is_zero(type, beta) ? TW_W : TW_RW}};

    if (split)
        access[3] = (struct tw_access){tw_scratch(tw_gemm_split_elements(C->m, C->n, k) * C->elemsize), TW_SCRATCH};
    if (half)
        access[3] = (struct tw_access){
            tw_scratch((tw_gemm_half_elements(A->m, A->n) + tw_gemm_half_elements(B->m, B->n)) * C->elemsize),
            TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = half    ? &half_codelet
                                                : split ? &split_codelet
                                                        : &codelet,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3 + (split || half),
                                     .priority = priority,
                                     .flops = tw_flops_gemm(type, C->m, C->n, k),
                                     .m = C->m,
                                     .n = C->n,
                                     .k = k,
                                     .coord = {C->coord[0], C->coord[1], A->coord[ta == 'N'], -1}});
}
