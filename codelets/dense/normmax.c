/* What one tile adds to a max norm.
 *
 * Arguments  s: how the tile counts; uplo: 'G' for full tiles; diag: 'U' for ones on the diagonal
 * Buffers    A      R   m x n
 *            value  RW  one double: max(value, |a_ij|), NaN propagates */
#include "codelets/dense/dense_bodies.h"

struct args {
    enum tw_structure s;
    char uplo, diag;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    TW_CPU(body)->normmax(g->s, g->uplo, g->diag, a->m, a->n, a->ptr, a->ld, body->buf[1].ptr);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    return TW_CUDA(body)->normmax(body->cuda, g->s, g->uplo, g->diag, a->m, a->n, a->ptr, a->ld, body->buf[1].ptr);
}

static struct tw_codelet codelet = {
    .name = "normmax", .color = 0x44AA99, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_normmax(struct tw_sequence *seq, int priority, enum tw_structure s, char uplo, char diag,
                     struct tw_data *A, struct tw_data *value)
{
    const struct args args = {s, uplo, diag};
    const struct tw_access access[] = {{A, TW_R}, {value, TW_RW}};

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
