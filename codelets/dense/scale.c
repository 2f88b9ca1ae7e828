/* The part `uplo` of A times to / from, by factors that stay in range (LAPACK's lascl; codelets/dense/lascl.c is BLAS'
 * product with beta).
 *
 * Arguments  uplo: 'G' (all), 'L' or 'U'; from, to
 * Buffers    A  RW  m x n */
#include "codelets/dense/dense_bodies.h"

struct args {
    char uplo;
    double from, to;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    TW_CPU(body)->lascl(g->uplo, a->m, a->n, g->from, g->to, a->ptr, a->ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    return TW_CUDA(body)->lascl(body->cuda, g->uplo, a->m, a->n, g->from, g->to, a->ptr, a->ld);
}

static struct tw_codelet codelet = {
    .name = "scale", .color = 0xBBBB55, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_scale(struct tw_sequence *seq, int priority, char uplo, double from, double to, struct tw_data *A)
{
    const struct args args = {uplo, from, to};
    const struct tw_access access[] = {{A, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 1,
                                     .priority = priority,
                                     .flops = (tw_is_complex(A->type) ? 2.0 : 1.0) * A->m * A->n,
                                     .size = tw_smallest(A->m, A->n, A->n),
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
