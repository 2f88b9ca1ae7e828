/* A range of an elementwise product of complex arrays, which takes the place of the first.
 *
 * Arguments  what, and the range
 * Buffers    done  W   a token */
#include "codelets/fft/fft_bodies.h"
#include "codelets/fft/strips.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_fft_range *part = body->args;
    const struct tw_fft_product *p = part->what;
    size_t at = tw_sizeof(p->type) * (size_t)part->from;

    tw_fft_kernels(p->type)->multiply(part->to - part->from, p->a + at, p->b + at);
    return 0;
}

static struct tw_codelet codelet = {.name = "fft_product", .color = 0xB56576, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_fft_product(struct tw_sequence *seq, const struct tw_fft_product *p, tw_int from, tw_int to,
                         struct tw_data *done)
{
    tw_fft_submit_range(seq, &codelet, p->type, &(struct tw_fft_range){p, from, to}, 6, done, 0, NULL);
}
