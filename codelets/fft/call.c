/* One call of FFTW on the user's arrays, a transform too small to be cut.
 *
 * Arguments  what is called, and with what */
#include "codelets/fft/fft_bodies.h"

struct args {
    void (*run)(void *what);
    void *what;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    g->run(g->what);
    return 0;
}

static struct tw_codelet codelet = {.name = "fft_call", .color = 0x7B9E46, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_fft_call(struct tw_sequence *seq, enum tw_type type, void (*run)(void *what), void *what, double flops)
{
    const struct args args = {run, what};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .flops = flops,
                                     .size = 8,
                                     .coord = {-1, -1, -1, -1},
                                     .place = TW_ON_CPUS});
}
