/* All pairs of two tiles of particles.
 *
 * Arguments  softening; first: the result is set, else added to
 * Buffers    sources  R   ns x 4 or more: x, y, z, charge
 *            targets  R   nt x 3 or more: x, y, z
 *            result   RW  nt x 1 (potential), 3 (gradient) or 4 (potential, gradient); W if first */
#include <string.h>

#include "codelets/nbody/nbody_tasks.h"
#include "kernels/nbody/cpu/nbody_cpu.h"
#include "kernels/nbody/cuda/nbody_cuda.h"

struct args {
    double softening;
    int first;
};

static void *column(const struct tw_buffer *b, size_t size, int k)
{
    return (char *)b->ptr + (size_t)k * (size_t)b->ld * size;
}

static struct tw_direct pairs_of(const struct tw_body *body)
{
    const struct tw_buffer *s = &body->buf[0], *t = &body->buf[1], *r = &body->buf[2];
    const double softening = ((const struct args *)body->args)->softening;
    const size_t size = tw_sizeof(body->type);
    struct tw_direct d = {.nt = t->m, .ns = s->m, .soft2 = softening * softening};

    for (int k = 0; k < 4; k++)
        d.source[k] = column(s, size, k);
    for (int k = 0; k < 3; k++)
        d.target[k] = column(t, size, k);
    if (r->n != 3) d.pot = column(r, size, 0);
    for (int k = 0; k < 3 && r->n > 1; k++)
        d.grad[k] = column(r, size, k + (r->n == 4));
    return d;
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *r = &body->buf[2];
    const struct tw_direct d = pairs_of(body);

    for (int k = 0; g->first && k < r->n; k++)
        memset(column(r, tw_sizeof(body->type), k), 0, (size_t)r->m * tw_sizeof(body->type));
    tw_nbody_cpu()->direct[body->type](&d);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct tw_direct d = pairs_of(body);
    return tw_nbody_cuda_direct(body->cuda, body->type, &d, ((const struct args *)body->args)->first);
}

static struct tw_codelet codelet = {
    .name = "direct", .color = 0xAA3377, .rate = TW_RATE_GEMM, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_direct(struct tw_sequence *seq, int priority, double softening, struct tw_data *sources,
                    struct tw_data *targets, struct tw_data *result, int first)
{
    const struct args args = {softening, first};
    const struct tw_access access[] = {{sources, TW_R}, {targets, TW_R}, {result, first ? TW_W : TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = sources->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = 20.0 * sources->m * targets->m,
                                     .size = (double)tw_min(sources->m, targets->m),
                                     .coord = {result->coord[0], sources->coord[0], -1, -1}});
}
