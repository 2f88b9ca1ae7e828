/* What one tile adds to a sum of squares (Frobenius norm).
 *
 * Arguments  s: how the tile counts; uplo: 'G' for full tiles; diag: 'U' for ones on the diagonal; weight: 2 for
 *            tiles whose mirror image is not stored, else 1
 * Buffers    A    R   m x n
 *            acc  RW  two doubles, LAPACK's lassq: acc[0]^2 acc[1] is the sum */
#include "codelets/dense/dense_bodies.h"

struct args {
    enum tw_structure s;
    char uplo, diag;
    int weight;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    TW_CPU(body)->normfro(g->s, g->uplo, g->diag, a->m, a->n, a->ptr, a->ld, g->weight, body->buf[1].ptr);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    return TW_CUDA(body)->normfro(body->cuda, g->s, g->uplo, g->diag, a->m, a->n, a->ptr, a->ld, g->weight,
                                  body->buf[1].ptr);
}

static struct tw_codelet codelet = {
    .name = "normfro", .color = 0x339988, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_normfro(struct tw_sequence *seq, int priority, enum tw_structure s, char uplo, char diag, int weight,
                     struct tw_data *A, struct tw_data *acc)
{
    const struct args args = {s, uplo, diag, weight};
    const struct tw_access access[] = {{A, TW_R}, {acc, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .size = tw_smallest(A->m, A->n, A->n),
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
