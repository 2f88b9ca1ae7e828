/* syr2k and her2k, in one triangle of C: alpha A B^T + alpha B A^T + beta C (trans 'N') or alpha A^T B + alpha B^T A +
 * beta C ('T'); her2k: alpha A B^H + conj(alpha) B A^H + beta C and so on, beta real.
 *
 * Arguments  uplo; trans: 'N', 'T' (syr2k) or 'C' (her2k); alpha, beta
 * Buffers    A  R   n x k (trans 'N') or k x n
 *            B  R   as A
 *            C  RW  n x n; never W: the other triangle may hold something that has to survive */
#include "codelets/dense/dense_bodies.h"

struct args {
    char uplo, trans, hermitian;
    tw_scalar alpha, beta;
};

static int inner(const struct args *g, const struct tw_buffer *a)
{
    return g->trans == 'N' ? a->n : a->m;
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1], *c = &body->buf[2];
    if (g->hermitian)
        TW_CPU(body)->her2k(g->uplo, g->trans, c->m, inner(g, a), g->alpha, a->ptr, a->ld, b->ptr, b->ld, g->beta.re,
                            c->ptr, c->ld);
    else
        TW_CPU(body)->syr2k(g->uplo, g->trans, c->m, inner(g, a), g->alpha, a->ptr, a->ld, b->ptr, b->ld, g->beta,
                            c->ptr, c->ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1], *c = &body->buf[2];
    if (g->hermitian)
        return TW_CUDA(body)->her2k(body->cuda, g->uplo, g->trans, c->m, inner(g, a), g->alpha, a->ptr, a->ld, b->ptr,
                                    b->ld, g->beta.re, c->ptr, c->ld);
    return TW_CUDA(body)->syr2k(body->cuda, g->uplo, g->trans, c->m, inner(g, a), g->alpha, a->ptr, a->ld, b->ptr,
                                b->ld, g->beta, c->ptr, c->ld);
}

static struct tw_codelet syr2k = {
    .name = "syr2k", .color = 0x77AADD, .rate = TW_RATE_SYRK, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};
static struct tw_codelet her2k = {
    .name = "her2k", .color = 0x5599BB, .rate = TW_RATE_SYRK, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_syr2k(struct tw_sequence *seq, int priority, int hermitian, char uplo, char trans, tw_scalar alpha,
                   struct tw_data *A, struct tw_data *B, tw_scalar beta, struct tw_data *C)
{
    const enum tw_type type = C->type;
    const int her = hermitian && tw_is_complex(type), k = trans == 'N' ? A->n : A->m;
    const struct args args = {uplo, tw_real_trans(type, trans), (char)her, alpha, beta};
    const struct tw_access access[] = {{A, TW_R}, {B, TW_R}, {C, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = her ? &her2k : &syr2k,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = 2 * tw_flops_syrk(type, C->m, k),
                                     .m = C->m,
                                     .n = C->m,
                                     .k = k,
                                     .coord = {C->coord[0], C->coord[1], A->coord[trans == 'N'], -1}});
}
