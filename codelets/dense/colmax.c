/* The largest |re| + |im| of each column of a tile, joined with what other tiles of the column gave; a NaN stays one.
 *
 * Buffers  A     R   m x n
 *          cols  RW  n doubles */
#include "codelets/dense/dense_bodies.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0];
    TW_CPU(body)->colmax(a->m, a->n, a->ptr, a->ld, body->buf[1].ptr);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0];
    return TW_CUDA(body)->colmax(body->cuda, a->m, a->n, a->ptr, a->ld, body->buf[1].ptr);
}

static struct tw_codelet codelet = {
    .name = "colmax", .color = 0x55AACC, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_colmax(struct tw_sequence *seq, int priority, struct tw_data *A, struct tw_data *cols)
{
    const struct tw_access access[] = {{A, TW_R}, {cols, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .size = tw_smallest(A->m, A->n, A->n),
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
