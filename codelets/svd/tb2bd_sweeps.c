/* Whole sweeps of bulge chasing from a triangular band, as GPUs do them: many in flight, in one launch.
 *
 * Arguments  shape; first, groups: of sweeps; has_info, has_u, has_v: whether there are such buffers
 * Buffers    info   RW      int64: the first k for which d(k) or e(k) is not finite
 *            d, e   RW      made final, real
 *            work   SCRATCH
 *            band   RW      ld x n
 *            u, v   W each  b x any: a group's left and right reflectors; all u, then all v */
#include "codelets/eigen/chase_tasks.h"
#include "codelets/svd/svd_tasks.h"
#include "kernels/svd/cpu/tb2bd.h"
#include "kernels/svd/cuda/tb2bd.h" /* its table exists only in builds with CUDA */

struct args {
    struct tw_chase_shape shape;
    int first, groups;
    int has_info, has_u, has_v;
};
struct operands {
    const struct tw_buffer *info, *d, *e, *work, *band, *u, *v;
};

static struct operands operands(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *b = body->buf;
    struct operands o = {0};

    if (g->has_info) o.info = b++;
    o.d = b++, o.e = b++, o.work = b++, o.band = b++;
    if (g->has_u) o.u = b, b += g->groups;
    if (g->has_v) o.v = b;
    return o;
}

/* One step after the other. */
static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct operands o = operands(body);
    char *carry = (char *)o.work->ptr + tw_tb2bd_work(body->type, g->shape.b);
    int first = 0;

    for (int i = 0; i < g->groups; i++)
        for (int J = 0; J < tw_chase_tasks(&g->shape, g->first + i); J++) {
            const struct tw_tb2bd t = {.shape = g->shape,
                                       .group = g->first + i,
                                       .task = J,
                                       .a = o.band->ptr,
                                       .ld = o.band->ld,
                                       .d = o.d->ptr,
                                       .e = o.e->ptr,
                                       .carry = carry,
                                       .u = o.u ? o.u[i].ptr : NULL,
                                       .v = o.v ? o.v[i].ptr : NULL,
                                       .work = o.work->ptr};
            const int k = tw_tb2bd_kernel(body->type)(&t);
            if (k > 0 && (first == 0 || k < first)) first = k;
        }
    if (o.info) tw_chase_first_bad(o.info->ptr, first);
    tw_body_result(body, &(struct tw_buffer){.ptr = o.d->ptr, .m = o.d->m, .n = 1, .ld = o.d->m},
                   1); /* for fault injection */
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct operands o = operands(body);
    void *u[TW_TB2BD_GROUPS], *v[TW_TB2BD_GROUPS];

    for (int i = 0; i < g->groups; i++) {
        u[i] = o.u ? o.u[i].ptr : NULL;
        v[i] = o.v ? o.v[i].ptr : NULL;
    }
    return tw_tb2bd_cuda[body->type](body->cuda, &(struct tw_tb2bd_sweeps){.shape = g->shape,
                                                                           .first = g->first,
                                                                           .groups = g->groups,
                                                                           .a = o.band->ptr,
                                                                           .ld = o.band->ld,
                                                                           .d = o.d->ptr,
                                                                           .e = o.e->ptr,
                                                                           .info = o.info ? o.info->ptr : NULL,
                                                                           .u = u,
                                                                           .v = v,
                                                                           .progress = o.work->ptr});
}

static struct tw_codelet codelet = {.name = "tb2bd_sweeps", .color = 0xCC6677,
                                    .rate = TW_RATE_SYRK,
                                    .share = 0.2,
                                    .cpu = cpu,
                                    .cuda = TW_CUDA_BODY(cuda),
                                    .urgent = 1};

/* For both kinds of workers: vectors and the reflectors between tasks; or how far each sweep is. */
static size_t work_size(const struct tw_chase_shape *c, enum tw_type type)
{
    const size_t cpu = tw_tb2bd_work(type, c->b) + (size_t)c->b * (size_t)c->depth * tw_sizeof(type),
                 gpu = (2 * (size_t)TW_TB2BD_GROUPS * (size_t)c->depth + 1) * sizeof(int);
    return cpu > gpu ? cpu : gpu;
}

int tw_tb2bd_sweeps_most(const struct tw_chase_shape *shape)
{
    return (int)tw_min(TW_TB2BD_GROUPS, tw_chase_sweeps_most(shape));
}

void tw_task_tb2bd_sweeps(struct tw_sequence *seq, int priority, const struct tw_tb2bd_task *t, int groups,
                          struct tw_data *const *u, struct tw_data *const *v)
{
    const struct args args = {t->shape, t->S, groups, t->info != NULL, u != NULL, v != NULL};
    const enum tw_type type = t->B->type;
    struct tw_access access[5 + 2 * TW_TB2BD_GROUPS];
    int naccess = 0;

    if (t->info) access[naccess++] = (struct tw_access){t->info, TW_RW};
    access[naccess++] = (struct tw_access){t->d, TW_RW};
    access[naccess++] = (struct tw_access){t->e, TW_RW};
    access[naccess++] = (struct tw_access){tw_scratch(work_size(&t->shape, type)), TW_SCRATCH};
    access[naccess++] = (struct tw_access){t->B->memory, TW_RW};
    for (int i = 0; u && i < groups; i++)
        access[naccess++] = (struct tw_access){u[i], TW_W};
    for (int i = 0; v && i < groups; i++)
        access[naccess++] = (struct tw_access){v[i], TW_W};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = 2 * tw_flop_factor(type) * tw_chase_sweeps_flops(&t->shape, t->S, groups),
                                     .size = t->shape.b,
                                     .coord = {t->S, -1, -1, -1}});
}
