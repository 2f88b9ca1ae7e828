/* A = offdiag everywhere and diag on the tile's own diagonal, all of it or one triangle.
 *
 * Arguments  uplo: 'G' (all), 'L' or 'U' (the triangle with its diagonal); offdiag, diag
 * Buffers    A  W  m x n; RW when only a triangle is written */
#include "codelets/dense/dense_bodies.h"

struct args {
    char uplo;
    tw_scalar offdiag, diag;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    TW_CPU(body)->laset(g->uplo, a->m, a->n, g->offdiag, g->diag, a->ptr, a->ld);
    return 0;
}

#ifdef TILEWORK_CUDA
static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    return TW_CUDA(body)->laset(body->cuda, g->uplo, a->m, a->n, g->offdiag, g->diag, a->ptr, a->ld);
}
#endif

static struct tw_codelet codelet = {
    .name = "laset", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_laset(struct tw_sequence *seq, int priority, char uplo, tw_scalar offdiag, tw_scalar diag,
                   struct tw_data *A)
{
    const struct args args = {uplo, offdiag, diag};
    const struct tw_access access[] = {{A, uplo == 'G' ? TW_W : TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 1,
                                     .priority = priority,
                                     .size = tw_smallest(A->m, A->n, A->n),
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
