/* A range of pairs between a real transform and the complex one of half the length.
 *
 * Arguments  what, and the range
 * Buffers    done  W   a token */
#include "codelets/fft/fft_bodies.h"
#include "codelets/fft/strips.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_fft_part *part = body->args;
    const struct tw_fft_half *h = part->what;
    struct tw_fft_split s = h->split;

    s.from = part->from;
    s.to = part->to;
    (h->join ? tw_fft_kernels(h->type)->join : tw_fft_kernels(h->type)->split)(&s);
    return 0;
}

static struct tw_codelet codelet = {.name = "fft_half", .color = 0xC9A227, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_fft_half(struct tw_sequence *seq, const struct tw_fft_half *h, tw_int from, tw_int to,
                      struct tw_data *done)
{
    tw_fft_submit_part(seq, &codelet, h->type, &(struct tw_fft_part){h, from, to}, 16, done, 0, NULL);
}
