/* symm and hemm: C = alpha A B + beta C (side 'L') or alpha B A + beta C ('R'), A symmetric or hermitian, of which one
 * triangle is read.
 *
 * Arguments  side; uplo: A's triangle; alpha, beta
 * Buffers    A  R   m x m (side 'L') or n x n
 *            B  R   m x n
 *            C  RW  m x n; W with beta = 0 (all of the tile is written, its old content does not matter) */
#include "codelets/dense/dense_bodies.h"

struct args {
    char side, uplo, hermitian;
    tw_scalar alpha, beta;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1], *c = &body->buf[2];
    (g->hermitian ? TW_CPU(body)->hemm : TW_CPU(body)->symm)(g->side, g->uplo, c->m, c->n, g->alpha, a->ptr, a->ld,
                                                             b->ptr, b->ld, g->beta, c->ptr, c->ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1], *c = &body->buf[2];
    return (g->hermitian ? TW_CUDA(body)->hemm : TW_CUDA(body)->symm)(
        body->cuda, g->side, g->uplo, c->m, c->n, g->alpha, a->ptr, a->ld, b->ptr, b->ld, g->beta, c->ptr, c->ld);
}

static struct tw_codelet symm = {
    .name = "symm", .color = 0x6699CC, .rate = TW_RATE_SYRK, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};
static struct tw_codelet hemm = {
    .name = "hemm", .color = 0x4477AA, .rate = TW_RATE_SYRK, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_symm(struct tw_sequence *seq, int priority, int hermitian, char side, char uplo, tw_scalar alpha,
                  struct tw_data *A, struct tw_data *B, tw_scalar beta, struct tw_data *C)
{
    const enum tw_type type = C->type;
    const int her = hermitian && tw_is_complex(type), k = side == 'L' ? C->m : C->n;
    const struct args args = {side, uplo, (char)her, alpha, beta};
    const struct tw_access access[] = {{A, TW_R}, {B, TW_R}, {C, tw_is_zero(type, beta) ? TW_W : TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = her ? &hemm : &symm,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = tw_flops_gemm(type, C->m, C->n, k),
                                     .m = C->m,
                                     .n = C->n,
                                     .k = k,
                                     .coord = {C->coord[0], C->coord[1], -1, -1}});
}
