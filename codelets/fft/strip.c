/* Transforms along some columns of an array in main memory.
 *
 * Arguments  what, and which columns
 * Buffers    done  W   a token: these columns are stored
 *            after R   the tokens it waits for */
#include "codelets/fft/fft_bodies.h"
#include "codelets/fft/strips.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_fft_range *part = body->args;
    const struct tw_fft_strips *s = part->what;
    struct tw_fft_columns c = s->columns;
    size_t first = tw_sizeof(s->type) * (size_t)part->from;

    c.first = part->from;
    c.w = part->to - part->from;
    if (c.enter.edge == TW_FFT_PLAIN) c.in = (const char *)c.in + first;
    if (c.leave.edge == TW_FFT_PLAIN) c.out = (char *)c.out + first * (size_t)(c.transposed ? c.ld_out : 1);
    if (c.table) c.table = (const char *)c.table + first;
    return tw_fft_kernels(s->type)->columns(&c) ? TW_E_MEMORY : 0;
}

static struct tw_codelet codelet = {.name = "fft_strip", .color = 0x2A9D8F, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_fft_strip(struct tw_sequence *seq, const struct tw_fft_strips *s, tw_int index, struct tw_data *done,
                       int nafter, struct tw_data *const *after)
{
    const struct tw_fft_range part = {s, index * s->block, tw_min(s->width, (index + 1) * s->block)};

    tw_fft_submit_range(seq, &codelet, s->type, &part, s->flops, done, nafter, after);
}
