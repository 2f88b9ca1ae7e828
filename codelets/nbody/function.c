/* All pairs of two tiles of particles by a kernel of the user's that exists for GPUs, too.
 *
 * Arguments  function; i0, j0: rows of the whole matrices; first: the result is set, else added to
 * Buffers    sources  R   ns rows
 *            targets  R   nt rows
 *            result   RW  nt rows; W if first */
#include "codelets/nbody/function.h"
#include "kernels/nbody/cuda/pairs.h"

struct args {
    const struct tw_nbody_function *f;
    tw_int i0, j0;
    int first;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    return tw_pairs_on_cpu(body, g->f->kernel, g->f->user, g->i0, g->j0, g->first);
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *s = &body->buf[0], *t = &body->buf[1], *r = &body->buf[2];
    const struct tw_pairs_tiles tiles = {.target = t->ptr,
                                         .source = s->ptr,
                                         .result = r->ptr,
                                         .first_target = g->i0,
                                         .first_source = g->j0,
                                         .nt = t->m,
                                         .ns = s->m,
                                         .ld_target = t->ld,
                                         .ld_source = s->ld,
                                         .ld_result = r->ld,
                                         .first = g->first};
    return tw_pairs_cuda(body->cuda, body->type, g->f->module, TW_FUNCTION_GPUS, &tiles, g->f->parameters);
}

static struct tw_codelet on_cpus = {.name = "pairs_on_cpu", .color = 0xEE8866, .rate = TW_RATE_GEMM, .cpu = cpu};
static struct tw_codelet anywhere = {
    .name = "pairs_anywhere", .color = 0xEE8866, .rate = TW_RATE_GEMM, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};
static struct tw_codelet on_gpus = {
    .name = "pairs_on_gpu", .color = 0xEE8866, .rate = TW_RATE_GEMM, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_function(struct tw_sequence *seq, int priority, const struct tw_nbody_function *f, tw_int i0, tw_int j0,
                      struct tw_data *sources, struct tw_data *targets, struct tw_data *result, int first)
{
    const struct args args = {f, i0, j0, first};
    const struct tw_access access[] = {{sources, TW_R}, {targets, TW_R}, {result, first ? TW_W : TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = !f->gpus    ? &on_cpus
                                                : f->kernel ? &anywhere
                                                            : &on_gpus,
                                     .type = sources->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = 20.0 * sources->m * targets->m,
                                     .size = f->gpus ? (double)tw_min(sources->m, targets->m) : 8,
                                     .coord = {result->coord[0], sources->coord[0], -1, -1}});
}
