/* Bulge chasing from a hermitian band: the tasks of codelets/eigen/chase.c with its kernels. */
#include "codelets/eigen/chase_bodies.h"
#include "kernels/eigen/cpu/hb2st.h"
#include "kernels/eigen/cuda/hb2st.h" /* its table exists only in builds with CUDA */

static int kernel(enum tw_type type, const struct tw_chase_steps_of *s)
{
    return tw_hb2st_kernel(type)(&(struct tw_hb2st){.shape = s->shape,
                                                    .group = s->group,
                                                    .task = s->task,
                                                    .a = s->a,
                                                    .ld = s->ld,
                                                    .d = s->d,
                                                    .e = s->e,
                                                    .carry = s->carry,
                                                    .v = s->v,
                                                    .work = s->work});
}

static int steps(const struct tw_body *body)
{
    return tw_chase_steps_body(body, kernel);
}

static int sweeps(const struct tw_body *body)
{
    return tw_chase_sweeps_body(body, kernel, tw_hb2st_work(body->type, tw_chase_sweeps_operands(body).shape.b));
}

static int cuda(const struct tw_body *body)
{
    const struct tw_chase_sweeps_of o = tw_chase_sweeps_operands(body);
    void *v[TW_CHASE_GROUPS];

    for (int i = 0; o.v && i < o.groups; i++)
        v[i] = o.v[i].ptr;
    return tw_hb2st_cuda[body->type](body->cuda, &(struct tw_hb2st_sweeps){.shape = o.shape,
                                                                           .first = o.first,
                                                                           .groups = o.groups,
                                                                           .a = o.band->ptr,
                                                                           .ld = (int)o.band->ld,
                                                                           .d = o.d->ptr,
                                                                           .e = o.e->ptr,
                                                                           .info = o.info ? o.info->ptr : NULL,
                                                                           .v = o.v ? v : NULL,
                                                                           .progress = o.work->ptr});
}

static struct tw_codelet by_steps = {
    .name = "hb2st", .color = 0xCC6677, .rate = TW_RATE_SYRK, .share = 0.2, .cpu = steps};
static struct tw_codelet by_sweeps = {.name = "hb2st_sweeps",
                                      .color = 0xCC6677,
                                      .rate = TW_RATE_SYRK,
                                      .share = 0.2,
                                      .cpu = sweeps,
                                      .cuda = TW_CUDA_BODY(cuda),
                                      .urgent = 1};

void tw_task_hb2st(struct tw_sequence *seq, int priority, const struct tw_chase_task *t)
{
    tw_chase_submit(seq, priority, &by_steps, t, tw_hb2st_work(t->B->type, t->shape.b), 1);
}

void tw_task_hb2st_sweeps(struct tw_sequence *seq, int priority, const struct tw_chase_task *t, int groups,
                          struct tw_data *const *u, struct tw_data *const *v)
{
    (void)u;
    tw_chase_sweeps_submit(seq, priority, &by_sweeps, t, groups, NULL, v, tw_hb2st_work(t->B->type, t->shape.b),
                           TW_CHASE_GROUPS, 1);
}
