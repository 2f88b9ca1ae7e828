/* Add two sums of squares, each kept as LAPACK's (scale, sum). CPU only: four numbers that the host reads next.
 *
 * Arguments  none
 * Buffers    part  R   two doubles
 *            acc   RW  two doubles */
#include "codelets/dense/dense_bodies.h"

static int cpu(const struct tw_body *body)
{
    const double *part = body->buf[0].ptr;
    double *acc = body->buf[1].ptr;

    if (part[0] == acc[0]) { /* apart, so that Inf / Inf does not make a NaN */
        acc[1] += part[1];
    } else if (part[0] > acc[0]) {
        acc[1] = part[1] + acc[1] * (acc[0] / part[0]) * (acc[0] / part[0]);
        acc[0] = part[0];
    } else {
        acc[1] += part[1] * (part[0] / acc[0]) * (part[0] / acc[0]);
    }
    return 0;
}

static struct tw_codelet codelet = {.name = "frosum", .color = 0x227766, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_frosum(struct tw_sequence *seq, int priority, struct tw_data *part, struct tw_data *acc)
{
    const struct tw_access access[] = {{part, TW_R}, {acc, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = TW_DOUBLE,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .size = 2,
                                     .coord = {-1, -1, -1, -1}});
}
