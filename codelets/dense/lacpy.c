/* B = A, all of it or one triangle.
 *
 * Arguments  uplo: 'G' (all), 'L' or 'U'
 * Buffers    A  R   m x n
 *            B  W   m x n; RW when only a triangle is written */
#include "codelets/dense/dense_bodies.h"

struct args {
    char uplo;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1];
    TW_CPU(body)->lacpy(g->uplo, a->m, a->n, a->ptr, a->ld, b->ptr, b->ld);
    return 0;
}

#ifdef TILEWORK_CUDA
static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0], *b = &body->buf[1];
    return TW_CUDA(body)->lacpy(body->cuda, g->uplo, a->m, a->n, a->ptr, a->ld, b->ptr, b->ld);
}
#endif

static struct tw_codelet codelet = {
    .name = "lacpy", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_lacpy(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A, struct tw_data *B)
{
    const struct args args = {uplo};
    const struct tw_access access[] = {{A, TW_R}, {B, uplo == 'G' ? TW_W : TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = B->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .size = tw_smallest(B->m, B->n, B->n),
                                     .coord = {B->coord[0], B->coord[1], -1, -1}});
}
