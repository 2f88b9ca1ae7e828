/* Column exchanges of a block in the list of where columns came from. CPU only: a few numbers, which the host reads
 * next.
 *
 * Arguments  first: the block's first column
 * Buffers    swap   R   k int32_t, from 0: column first + j changed places with column first + swap[j]
 *            jpvt   RW  n int32_t */
#include "codelets/dense/dense_bodies.h"

static int cpu(const struct tw_body *body)
{
    const int32_t *swap = body->buf[0].ptr;
    int32_t *jpvt = (int32_t *)body->buf[1].ptr + *(const int64_t *)body->args;

    for (int j = 0; j < body->buf[0].m; j++) {
        const int32_t other = jpvt[swap[j]];
        jpvt[swap[j]] = jpvt[j];
        jpvt[j] = other;
    }
    return 0;
}

static struct tw_codelet codelet = {.name = "swap_numbers", .color = 0xAADDEE, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_swap_numbers(struct tw_sequence *seq, int priority, enum tw_type type, tw_int first, struct tw_data *swap,
                          struct tw_data *jpvt)
{
    const int64_t args = first;
    const struct tw_access access[] = {{swap, TW_R}, {jpvt, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .size = swap->m,
                                     .coord = {swap->coord[0], swap->coord[1], -1, -1}});
}
