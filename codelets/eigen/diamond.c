/* The reflectors of bulge chasing as diamonds: block reflectors I - V T V^H with V and V T written out.
 *
 * Arguments  shape; first, count: bundles; groups: of sweeps in them
 * Buffers    v         R each  b x any, a group's reflectors
 *            work      SCRATCH
 *            diamonds  W       ld x (count x steps x 2 width)
 *            after     R       any, or missing: not looked at */
#include <stdlib.h>
#include "codelets/accesses.h"
#include "codelets/eigen/chase_tasks.h"
#include "kernels/eigen/cpu/diamond.h"
#include "kernels/eigen/cuda/diamond.h" /* its table exists only in builds with CUDA */

struct args {
    struct tw_chase_shape shape;
    int first, count, groups;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_chase_shape *c = &g->shape;
    const int steps = tw_chase_steps(c, g->first * c->width), per = c->width / c->depth;
    const struct tw_buffer *work = &body->buf[g->groups], *to = work + 1;
    const size_t each = (size_t)to->ld * 2 * (size_t)c->width * tw_sizeof(body->type);
    const void **v = malloc((size_t)g->groups * sizeof *v);

    if (!v) return TW_E_MEMORY;
    for (int l = 0; l < g->groups; l++)
        v[l] = body->buf[l].ptr;
    for (int i = 0; i < g->count; i++)
        for (int k = 0; k < tw_chase_steps(c, (g->first + i) * c->width); k++)
            tw_diamond_kernels[body->type]->form(c, g->first + i, k, v + (size_t)i * (size_t)per,
                                                 (char *)to->ptr + (size_t)(i * steps + k) * each, work->ptr);
    free(v);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_chase_shape *c = &g->shape;
    const int S = g->first * (c->width / c->depth);
    struct tw_chase_group *group = malloc((size_t)g->groups * sizeof *group);
    int e;

    if (!group) return TW_E_MEMORY;
    for (int l = 0; l < g->groups; l++)
        group[l] = (struct tw_chase_group){body->buf[l].ptr, S + l};
    e = tw_diamond_cuda[body->type]->form(body->cuda, c, g->first, g->count, group, g->groups,
                                          body->buf[g->groups + 1].ptr, body->buf[g->groups].ptr);
    free(group);
    return e;
}

static struct tw_codelet codelet = {
    .name = "larft_hb2st", .color = 0xF0E442, .rate = TW_RATE_SYRK, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

/* Elements; a GPU forms all diamonds of a bundle side by side. */
static size_t work_size(const struct tw_chase_shape *c, int first)
{
    const size_t width = (size_t)c->width, steps = tw_gpus() > 0 ? (size_t)tw_chase_steps(c, first * c->width) : 0;
    return width * (width * (steps > 2 ? steps : 2) + 1);
}

void tw_task_diamond(struct tw_sequence *seq, int priority, const struct tw_chase_shape *shape, int first, int count,
                     struct tw_data *const *v, struct tw_data *after, struct tw_data *diamonds)
{
    const int per = shape->width / shape->depth, S = first * per;
    const int groups = (int)tw_min(count * per, tw_chase_groups(shape) - S);
    const struct args args = {*shape, first, count, groups};
    const double width = shape->width, rows = tw_chase_height(shape);
    const enum tw_type type = diamonds->type;
    struct tw_access few[TW_ACCESSES_FEW], *access = tw_accesses(seq, "larft_hb2st", groups + 3, few);
    int naccess = 0;

    if (!access) return;
    for (int s = S; s < S + groups; s++)
        access[naccess++] = (struct tw_access){v[s], TW_R};
    access[naccess++] = (struct tw_access){tw_scratch(work_size(shape, first) * tw_sizeof(type)), TW_SCRATCH};
    access[naccess++] = (struct tw_access){diamonds, TW_W};
    if (after) access[naccess++] = (struct tw_access){after, TW_R};
    tw_submit(seq,
              &(struct tw_task){.codelet = &codelet,
                                .type = type,
                                .args = &args,
                                .args_size = sizeof args,
                                .access = access,
                                .naccess = naccess,
                                .priority = priority,
                                .flops = tw_flop_factor(type) * count * tw_chase_steps(shape, first * shape->width) *
                                         width * width * (3 * rows + width / 3),
                                .m = rows,
                                .n = width,
                                .k = width,
                                .coord = {first, -1, -1, -1}});
    tw_accesses_free(access, few);
}
