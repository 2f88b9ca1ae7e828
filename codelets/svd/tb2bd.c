/* Bulge chasing from a triangular band: the tasks of codelets/eigen/chase.c with its kernels. */
#include "codelets/eigen/chase_bodies.h"
#include "codelets/svd/svd_tasks.h"
#include "kernels/eigen/cuda/hb2st.h" /* TW_CHASE_GROUPS */
#include "kernels/svd/cpu/tb2bd.h"
#include "kernels/svd/cuda/tb2bd.h" /* its table exists only in builds with CUDA */

_Static_assert(2 * TW_TB2BD_GROUPS <= TW_CHASE_GROUPS, "a task has room for both lists of reflectors");

static int kernel(enum tw_type type, const struct tw_chase_steps_of *s)
{
    return tw_tb2bd_kernel(type)(&(struct tw_tb2bd){.shape = s->shape,
                                                    .group = s->group,
                                                    .task = s->task,
                                                    .a = s->a,
                                                    .ld = s->ld,
                                                    .d = s->d,
                                                    .e = s->e,
                                                    .carry = s->carry,
                                                    .u = s->u,
                                                    .v = s->v,
                                                    .work = s->work});
}

static int steps(const struct tw_body *body)
{
    return tw_chase_steps_body(body, kernel);
}

static int sweeps(const struct tw_body *body)
{
    return tw_chase_sweeps_body(body, kernel, tw_tb2bd_work(body->type, tw_chase_sweeps_operands(body).shape.b));
}

static int cuda(const struct tw_body *body)
{
    const struct tw_chase_sweeps_of o = tw_chase_sweeps_operands(body);
    void *u[TW_TB2BD_GROUPS], *v[TW_TB2BD_GROUPS];

    for (int i = 0; i < o.groups; i++) {
        u[i] = o.u ? o.u[i].ptr : NULL;
        v[i] = o.v ? o.v[i].ptr : NULL;
    }
    return tw_tb2bd_cuda[body->type](body->cuda, &(struct tw_tb2bd_sweeps){.shape = o.shape,
                                                                           .first = o.first,
                                                                           .groups = o.groups,
                                                                           .a = o.band->ptr,
                                                                           .ld = (int)o.band->ld,
                                                                           .d = o.d->ptr,
                                                                           .e = o.e->ptr,
                                                                           .info = o.info ? o.info->ptr : NULL,
                                                                           .u = u,
                                                                           .v = v,
                                                                           .progress = o.work->ptr});
}

static struct tw_codelet by_steps = {
    .name = "tb2bd", .color = 0xCC6677, .rate = TW_RATE_SYRK, .share = 0.2, .cpu = steps};
static struct tw_codelet by_sweeps = {.name = "tb2bd_sweeps",
                                      .color = 0xCC6677,
                                      .rate = TW_RATE_SYRK,
                                      .share = 0.2,
                                      .cpu = sweeps,
                                      .cuda = TW_CUDA_BODY(cuda),
                                      .urgent = 1};

int tw_tb2bd_sweeps_most(const struct tw_chase_shape *shape)
{
    return (int)tw_min(TW_TB2BD_GROUPS, tw_chase_sweeps_most(shape));
}

void tw_task_tb2bd(struct tw_sequence *seq, int priority, const struct tw_chase_task *t)
{
    tw_chase_submit(seq, priority, &by_steps, t, tw_tb2bd_work(t->B->type, t->shape.b), 2);
}

void tw_task_tb2bd_sweeps(struct tw_sequence *seq, int priority, const struct tw_chase_task *t, int groups,
                          struct tw_data *const *u, struct tw_data *const *v)
{
    tw_chase_sweeps_submit(seq, priority, &by_sweeps, t, groups, u, v, tw_tb2bd_work(t->B->type, t->shape.b),
                           TW_TB2BD_GROUPS, 2);
}
