/* A part of a chirp, and of the array that Bluestein's convolution is with.
 *
 * Arguments  what, and which elements
 * Buffers    done  W   a token */
#include <string.h>
#include "codelets/fft/fft_bodies.h"
#include "codelets/fft/strips.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_fft_range *part = body->args;
    const struct tw_fft_chirps *t = part->what;
    struct tw_fft_chirp c = t->chirp;
    /* between the chirp and its mirror there are zeros: each task writes its share of them */
    tw_int gap = c.length - c.nout - c.nin + 1, from = gap * part->from / c.n, to = gap * part->to / c.n;

    c.from = part->from;
    c.to = part->to;
    tw_fft_kernels(t->type)->chirp(&c);
    memset((char *)c.b + tw_sizeof(t->type) * (size_t)(c.nout + from), 0, tw_sizeof(t->type) * (size_t)(to - from));
    return 0;
}

static struct tw_codelet codelet = {.name = "fft_chirp", .color = 0xE76F51, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_fft_chirp(struct tw_sequence *seq, const struct tw_fft_chirps *c, tw_int from, tw_int to,
                       struct tw_data *done)
{
    tw_fft_submit_range(seq, &codelet, c->type, &(struct tw_fft_range){c, from, to}, 10, done, 0, NULL);
}
