/* B = A in the other precision of the same kind: float and double, complex or not.
 *
 * Arguments  uplo: 'G' (all), 'L' or 'U'
 * Buffers    lost  RW  one double: 1 if an element of A is beyond the numbers of B's type, else as it was
 *            A     R   m x n
 *            B     W   m x n, of the other type; what is not written is undefined */
#include "codelets/dense/dense_bodies.h"

struct args {
    char uplo;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[1], *b = &body->buf[2];

    if (TW_CPU(body)->lag2(g->uplo, a->m, a->n, a->ptr, a->ld, b->ptr, b->ld)) *(double *)body->buf[0].ptr = 1;
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[1], *b = &body->buf[2];
    return TW_CUDA(body)->lag2(body->cuda, g->uplo, a->m, a->n, a->ptr, a->ld, b->ptr, b->ld, body->buf[0].ptr);
}

static struct tw_codelet codelet = {
    .name = "lag2", .color = 0xAA99BB, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_lag2(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A, struct tw_data *B,
                  struct tw_data *lost)
{
    const struct args args = {uplo};
    const struct tw_access access[] = {{lost, TW_RW_COMMUTE}, {A, TW_R}, {B, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .second = TW_SECOND(B->type),
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .size = tw_smallest(A->m, A->n, A->n),
                                     .coord = {B->coord[0], B->coord[1], -1, -1}});
}
