/* A range of pairs between a real transform and the complex one of half the length.
 *
 * Arguments  what, and the range
 * Buffers    done  W   a sign */
#include "codelets/fft/codelets.h"

struct args {
    const struct tw_fft_half *h;
    tw_int from, to;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    struct tw_fft_split s = g->h->split;

    s.from = g->from;
    s.to = g->to;
    if (g->h->join)
        g->h->k->join(&s);
    else
        g->h->k->split(&s);
    return 0;
}

static struct tw_codelet codelet = {.name = "fft_half", .color = 0xC9A227, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_fft_half(struct tw_sequence *seq, const struct tw_fft_half *h, tw_int from, tw_int to,
                      struct tw_data *done)
{
    const struct args args = {h, from, to};
    const struct tw_access access[] = {{done, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = h->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 1,
                                     .flops = 16 * (double)(to - from),
                                     .size = (double)(to - from),
                                     .coord = {(int)(from / tw_max(1, to - from)), -1, -1, -1}});
}
