/* Pivots that exchange nothing, of a factorization that went without.
 *
 * Arguments  first: rows of the matrix above this part
 * Buffers    ipiv  W  k int32_t: first + 1, first + 2, ... */
#include "codelets/dense/dense_bodies.h"

struct args {
    int64_t first;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *b = &body->buf[0];
    int32_t *ipiv = b->ptr;

    for (int i = 0; i < b->m * b->n; i++)
        ipiv[i] = (int32_t)(g->first + i + 1);
    return 0;
}

static struct tw_codelet codelet = {.name = "no_exchanges", .color = 0x999999, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_no_exchanges(struct tw_sequence *seq, int priority, enum tw_type type, tw_int first, struct tw_data *ipiv)
{
    const struct args args = {first};
    const struct tw_access access[] = {{ipiv, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 1,
                                     .priority = priority,
                                     .size = ipiv->m,
                                     .coord = {-1, -1, -1, -1}});
}
