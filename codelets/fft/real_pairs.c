/* A range of pairs between a real transform and the complex one of half the length.
 *
 * Arguments  what, and the range
 * Buffers    done  W   a token */
#include "codelets/fft/fft_bodies.h"
#include "codelets/fft/strips.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_fft_range *part = body->args;
    const struct tw_fft_real_pairs *h = part->what;
    struct tw_fft_split s = h->split;

    s.from = part->from;
    s.to = part->to;
    (h->join ? tw_fft_kernels(h->type)->join : tw_fft_kernels(h->type)->split)(&s);
    return 0;
}

static struct tw_codelet codelet = {.name = "fft_real_pairs", .color = 0xC9A227, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_fft_real_pairs(struct tw_sequence *seq, const struct tw_fft_real_pairs *h, tw_int from, tw_int to,
                            struct tw_data *done)
{
    tw_fft_submit_range(seq, &codelet, h->type, &(struct tw_fft_range){h, from, to}, 16, done, 0, NULL);
}
