/* C = alpha A A^H + beta C or alpha A^H A + beta C, in one triangle of C; alpha and beta are real. For real types:
 * syrk.
 *
 * Arguments  uplo; trans: 'N' or 'C'; alpha, beta
 * Buffers    A  R   n x k (trans 'N') or k x n
 *            C  RW  n x n; never W: the other triangle may hold something that has to survive */
#include "codelets/dense/dense_bodies.h"

struct args {
    char uplo, trans;
    double alpha, beta;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *c = &body->buf[1];
    TW_CPU(body)->herk(g->uplo, g->trans, c->m, g->trans == 'N' ? a->n : a->m, g->alpha, a->ptr, a->ld, g->beta, c->ptr,
                       c->ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *c = &body->buf[1];
    return TW_CUDA(body)->herk(body->cuda, g->uplo, g->trans, c->m, g->trans == 'N' ? a->n : a->m, g->alpha, a->ptr,
                               a->ld, g->beta, c->ptr, c->ld);
}

static struct tw_codelet codelet = {
    .name = "herk", .color = 0x56B4E9, .rate = TW_RATE_SYRK, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_herk(struct tw_sequence *seq, int priority, char uplo, char trans, double alpha, struct tw_data *A,
                  double beta, struct tw_data *C)
{
    const int k = trans == 'N' ? A->n : A->m;
    const struct args args = {uplo, trans, alpha, beta};
    const struct tw_access access[] = {{A, TW_R}, {C, TW_RW}};

    if (!tw_is_complex(C->type)) {
        tw_task_syrk(seq, priority, uplo, trans, (tw_scalar){alpha, 0}, A, (tw_scalar){beta, 0}, C);
        return;
    }
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = C->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .flops = tw_flops_syrk(C->type, C->m, k),
                                     .m = C->m,
                                     .n = C->m,
                                     .k = k,
                                     .coord = {C->coord[0], C->coord[1], A->coord[trans == 'N'], -1}});
}
