/* One call of FFTW on a part of the user's arrays.
 *
 * Arguments  the pass, which step of its split loop, how many steps
 * Buffers    done  W   a token: this part is written
 *            after R   the tokens it waits for */
#include <stdlib.h>
#include "codelets/fft/fft_bodies.h"

struct args {
    const struct tw_fft_pass *p;
    tw_int first, count;
};

static void scale(const struct tw_fft_pass *p, int level, char *out)
{
    if (level == 0)
        tw_fft_kernels(p->type)->scale(p->level[0].n, p->level[0].stride, out, p->scale);
    else
        for (tw_int i = 0; i < p->level[level].n; i++)
            scale(p, level - 1, out + tw_sizeof(p->type) / 2 * (size_t)(i * p->level[level].stride));
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_fft_pass *p = g->p;
    char *out = p->out + p->out_step * (size_t)g->first;

    tw_fft_kernels(p->type)->run(g->count == p->chunk ? p->full : p->rest, p->in + p->in_step * (size_t)g->first, out);
    if (p->scale != 1)
        for (tw_int i = 0; i < g->count; i++)
            scale(p, p->nlevels - 1, out + p->out_step * (size_t)i);
    return 0;
}

static struct tw_codelet codelet = {.name = "fft_pass", .color = 0x7B9E46, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_fft_pass(struct tw_sequence *seq, const struct tw_fft_pass *p, tw_int index, struct tw_data *done,
                      int nafter, struct tw_data *const *after)
{
    struct args args = {p, index * p->chunk, tw_min(p->chunk, p->n - index * p->chunk)};
    struct tw_access *access = malloc((size_t)(nafter + 1) * sizeof *access);

    if (!access) {
        tw_loop_fail(seq, TW_E_MEMORY, "fft_pass: no memory for a task's operands");
        return;
    }
    access[0] = (struct tw_access){done, TW_W};
    for (int k = 0; k < nafter; k++)
        access[k + 1] = (struct tw_access){after[k], TW_R};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = p->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = nafter + 1,
                                     .flops = p->flops * (double)args.count,
                                     .size = (double)args.count,
                                     .coord = {(int)index, -1, -1, -1}});
    free(access);
}
