/* Largest element of a vector of doubles >= 0: the max norm of an n x 1 matrix, on either device.
 *
 * Arguments  none
 * Buffers    x      R   doubles
 *            value  RW  one double: max(value, x_i), NaN propagates */
#include "codelets/dense/dense_bodies.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_buffer *x = &body->buf[0];
    tw_cpu_kernels[TW_DOUBLE]->normmax(TW_STRUCT_GENERAL, 'G', 'N', x->m, 1, x->ptr, x->m, body->buf[1].ptr);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct tw_buffer *x = &body->buf[0];
    return tw_cuda_kernels[TW_DOUBLE]->normmax(body->cuda, TW_STRUCT_GENERAL, 'G', 'N', x->m, 1, x->ptr, x->m,
                                               body->buf[1].ptr);
}

static struct tw_codelet codelet = {
    .name = "vecmax", .color = 0x77CCBB, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_vecmax(struct tw_sequence *seq, int priority, struct tw_data *x, struct tw_data *value)
{
    const struct tw_access access[] = {{x, TW_R}, {value, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = TW_DOUBLE,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .size = x->m,
                                     .coord = {x->coord[0], x->coord[1], -1, -1}});
}
