/* A = beta A, all of the tile or one triangle: what BLAS does when alpha or k is 0. The rank-0 updates of gemm, syrk
 * and herk are that operation on every device, so there is no kernel of its own.
 *
 * Arguments  uplo: 'G' (all), 'L' or 'U'; hermitian: the imaginary part of the diagonal becomes 0 (herk's rule); beta
 * Buffers    A  RW  m x n, square when uplo is not 'G' */
#include "codelets/dense/dense_bodies.h"

struct args {
    char uplo, hermitian;
    tw_scalar beta;
};
static const tw_scalar zero = {0, 0};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    if (g->uplo == 'G')
        TW_CPU(body)->gemm('N', 'N', a->m, a->n, 0, zero, a->ptr, a->ld, a->ptr, a->ld, g->beta, a->ptr, a->ld);
    else if (g->hermitian)
        TW_CPU(body)->herk(g->uplo, 'N', a->m, 0, 0, a->ptr, a->ld, g->beta.re, a->ptr, a->ld);
    else
        TW_CPU(body)->syrk(g->uplo, 'N', a->m, 0, zero, a->ptr, a->ld, g->beta, a->ptr, a->ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    if (g->uplo == 'G')
        return TW_CUDA(body)->gemm(body->cuda, 'N', 'N', a->m, a->n, 0, zero, a->ptr, a->ld, a->ptr, a->ld, g->beta,
                                   a->ptr, a->ld);
    if (g->hermitian)
        return TW_CUDA(body)->herk(body->cuda, g->uplo, 'N', a->m, 0, 0, a->ptr, a->ld, g->beta.re, a->ptr, a->ld);
    return TW_CUDA(body)->syrk(body->cuda, g->uplo, 'N', a->m, 0, zero, a->ptr, a->ld, g->beta, a->ptr, a->ld);
}

static struct tw_codelet codelet = {
    .name = "lascl", .color = 0xBBCC33, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_lascl(struct tw_sequence *seq, int priority, char uplo, int hermitian, tw_scalar beta, struct tw_data *A)
{
    const struct args args = {uplo, (char)(hermitian && tw_is_complex(A->type)), beta};
    const struct tw_access access[] = {{A, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 1,
                                     .priority = priority,
                                     .flops = tw_flop_factor(A->type) * A->m * A->n,
                                     .size = tw_smallest(A->m, A->n, A->n),
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
