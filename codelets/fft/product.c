/* A range of an elementwise product of complex arrays.
 *
 * Arguments  what, and the range
 * Buffers    done  W   a sign */
#include "codelets/fft/codelets.h"

struct args {
    const struct tw_fft_product *p;
    tw_int from, to;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_fft_product *p = g->p;
    size_t at = p->k->bytes * (size_t)g->from;

    p->k->multiply(g->to - g->from, p->a + at, p->b + at, p->c + at, p->conjugate, p->scale);
    return 0;
}

static struct tw_codelet codelet = {.name = "fft_product", .color = 0xB56576, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_fft_product(struct tw_sequence *seq, const struct tw_fft_product *p, tw_int from, tw_int to,
                         struct tw_data *done)
{
    const struct args args = {p, from, to};
    const struct tw_access access[] = {{done, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = p->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 1,
                                     .flops = 6 * (double)(to - from),
                                     .size = (double)(to - from),
                                     .coord = {(int)(from / tw_max(1, to - from)), -1, -1, -1}});
}
