/* Whole sweeps of bulge chasing, as GPUs do them: many in flight, in one launch.
 *
 * Arguments  shape; first, groups: of sweeps; has_info, kept: whether there are such buffers
 * Buffers    info   RW      int64: the first k for which d(k) or e(k) is not finite
 *            d, e   RW      made final, real
 *            work   SCRATCH
 *            band   RW      ld x n
 *            v      W each  b x any: a group's reflectors */
#include <stdlib.h>
#include "codelets/eigen/chase_tasks.h"
#include "kernels/eigen/cpu/hb2st.h"
#include "kernels/eigen/cuda/hb2st.h" /* its table exists only in builds with CUDA */

struct args {
    struct tw_chase_shape shape;
    int first, groups;
    int has_info, kept;
};
struct operands {
    const struct tw_buffer *info, *d, *e, *work, *band, *v;
};

static struct operands operands(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *b = body->buf;
    struct operands o = {0};

    if (g->has_info) o.info = b++;
    o.d = b++, o.e = b++, o.work = b++, o.band = b++;
    if (g->kept) o.v = b;
    return o;
}

/* One step after the other. */
static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct operands o = operands(body);
    char *carry = (char *)o.work->ptr + tw_hb2st_work(body->type, g->shape.b);
    int first = 0;

    for (int i = 0; i < g->groups; i++)
        for (int J = 0; J < tw_chase_tasks(&g->shape, g->first + i); J++) {
            const struct tw_hb2st t = {.shape = g->shape,
                                       .group = g->first + i,
                                       .task = J,
                                       .a = o.band->ptr,
                                       .ld = o.band->ld,
                                       .d = o.d->ptr,
                                       .e = o.e->ptr,
                                       .carry = carry,
                                       .v = g->kept ? o.v[i].ptr : NULL,
                                       .work = o.work->ptr};
            const int k = tw_hb2st_kernel(body->type)(&t);
            if (k > 0 && (first == 0 || k < first)) first = k;
        }
    if (o.info) tw_chase_first_bad(o.info->ptr, first);
    /* for fault injection, which looks for tiles; the last one's corners may be room that no reflector takes */
    tw_body_result(body, &(struct tw_buffer){.ptr = o.d->ptr, .m = o.d->m, .n = 1, .ld = o.d->m}, 1);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct operands o = operands(body);
    void *v[TW_CHASE_GROUPS];

    for (int i = 0; g->kept && i < g->groups; i++)
        v[i] = o.v[i].ptr;
    return tw_hb2st_cuda[body->type](body->cuda, &(struct tw_hb2st_sweeps){.shape = g->shape,
                                                                           .first = g->first,
                                                                           .groups = g->groups,
                                                                           .a = o.band->ptr,
                                                                           .ld = o.band->ld,
                                                                           .d = o.d->ptr,
                                                                           .e = o.e->ptr,
                                                                           .info = o.info ? o.info->ptr : NULL,
                                                                           .v = g->kept ? v : NULL,
                                                                           .progress = o.work->ptr});
}

static struct tw_codelet codelet = {.name = "hb2st_sweeps",
                                    .color = 0xCC6677,
                                    .rate = TW_RATE_SYRK,
                                    .share = 0.2,
                                    .cpu = cpu,
                                    .cuda = TW_CUDA_BODY(cuda),
                                    .urgent = 1};

double tw_chase_sweeps_flops(const struct tw_chase_shape *c, int first, int groups)
{
    double sum = 0;
    for (int S = first; S < first + groups; S++)
        for (int J = 0; J < tw_chase_tasks(c, S); J++)
            sum += tw_chase_flops(c, S, J);
    return sum;
}

/* For both kinds of workers: vectors and the reflectors between tasks; or how far each sweep is. */
static size_t work_size(const struct tw_chase_shape *c, enum tw_type type)
{
    const size_t cpu = tw_hb2st_work(type, c->b) + (size_t)c->b * (size_t)c->depth * tw_sizeof(type);
    const size_t gpu = (2 * (size_t)TW_CHASE_GROUPS * (size_t)c->depth + 1) * sizeof(int);
    return cpu > gpu ? cpu : gpu;
}

int tw_chase_sweeps_most(const struct tw_chase_shape *shape)
{
    const int launch = 2048 / shape->depth; /* some 25 ms, and how much there is in flight hardly counts */
    return launch < 1 ? 1 : launch > TW_CHASE_GROUPS ? TW_CHASE_GROUPS : launch;
}
int tw_chase_sweeps_can(const struct tw_chase_shape *shape)
{
    return shape->b >= 2 && shape->b <= TW_CHASE_B && shape->n >= 2;
}

void tw_task_hb2st_sweeps(struct tw_sequence *seq, int priority, const struct tw_chase_task *t, int groups,
                          struct tw_data *const *v)
{
    const struct args args = {t->shape, t->S, groups, t->info != NULL, v != NULL};
    const enum tw_type type = t->B->type;
    struct tw_access access[5 + TW_CHASE_GROUPS];
    int naccess = 0;

    if (t->info) access[naccess++] = (struct tw_access){t->info, TW_RW};
    access[naccess++] = (struct tw_access){t->d, TW_RW};
    access[naccess++] = (struct tw_access){t->e, TW_RW};
    access[naccess++] = (struct tw_access){tw_scratch(work_size(&t->shape, type)), TW_SCRATCH};
    access[naccess++] = (struct tw_access){t->B->memory, TW_RW};
    for (int i = 0; v && i < groups; i++)
        access[naccess++] = (struct tw_access){v[i], TW_W};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = tw_flop_factor(type) * tw_chase_sweeps_flops(&t->shape, t->S, groups),
                                     .size = t->shape.b,
                                     .coord = {t->S, -1, -1, -1}});
}
