/* A part of what comes before or after the transform behind a real-to-real one.
 *
 * Arguments  what, and the range
 * Buffers    done  W   a token */
#include "codelets/fft/fft_bodies.h"
#include "codelets/fft/strips.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_fft_range *part = body->args;
    const struct tw_fft_folds *t = part->what;
    struct tw_fft_fold f = t->fold;

    f.from = part->from;
    f.to = part->to;
    (t->after ? tw_fft_kernels(t->type)->unfold : tw_fft_kernels(t->type)->fold)(&f);
    return 0;
}

static struct tw_codelet codelet = {.name = "fft_fold", .color = 0xA8763E, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_fft_fold(struct tw_sequence *seq, const struct tw_fft_folds *f, tw_int from, tw_int to,
                      struct tw_data *done)
{
    tw_fft_submit_range(seq, &codelet, f->type, &(struct tw_fft_range){f, from, to}, 8, done, 0, NULL);
}
