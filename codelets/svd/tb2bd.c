/* Some steps of some sweeps of bulge chasing from a triangular band.
 *
 * Arguments  shape, S, J: which; band: its buffer's place; info, u, v: whether there are such buffers
 * Buffers    signs, tokens  RW, R   what orders the task (the band itself is one object that all share)
 *            band   R       ld x n
 *            d, e   RW      of the group's first task: made final, real
 *            info   RW      int64: the first k for which d(k) or e(k) is not finite
 *            work   SCRATCH
 *            carry  RW      b x depth: the left reflectors that the group's next task begins with; W in the first one
 *            u, v   RW      b x any: all left and right reflectors of the group (if kept); W in the first one */
#include <stdlib.h>
#include "codelets/accesses.h"
#include "codelets/eigen/chase_tasks.h"
#include "codelets/svd/svd_tasks.h"
#include "kernels/svd/cpu/tb2bd.h"

struct args {
    struct tw_chase_shape shape;
    int S, J, band; /* band: its buffer's place, behind what only orders */
    int has_info, has_u, has_v;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *b = &body->buf[g->band], *band = b++, *d = NULL, *e = NULL, *info = NULL, *work;

    if (g->J == 0) d = b++, e = b++;
    if (g->J == 0 && g->has_info) info = b++;
    work = b++;
    const struct tw_tb2bd t = {.shape = g->shape,
                               .group = g->S,
                               .task = g->J,
                               .a = band->ptr,
                               .ld = band->ld,
                               .d = d ? d->ptr : NULL,
                               .e = e ? e->ptr : NULL,
                               .carry = b->ptr,
                               .u = g->has_u ? b[1].ptr : NULL,
                               .v = g->has_v ? b[1 + g->has_u].ptr : NULL,
                               .work = work->ptr};
    const int k = tw_tb2bd_kernel(body->type)(&t);
    if (info) tw_chase_first_bad(info->ptr, k);
    if (d && !g->has_u && !g->has_v) /* for fault injection, which looks for tiles */
        tw_body_result(body, &(struct tw_buffer){.ptr = d->ptr, .m = d->m, .n = 1, .ld = d->m}, 1);
    return 0;
}

static struct tw_codelet codelet = {.name = "tb2bd", .color = 0xCC6677, .rate = TW_RATE_SYRK, .share = 0.2, .cpu = cpu};

enum { ORDER = 2, OTHERS = 9 };

static int accesses(const struct tw_tb2bd_task *t, struct args *g, struct tw_access *access)
{
    const enum tw_type type = t->B->type;
    const size_t b = (size_t)t->shape.b;
    int count = tw_chase_order(&t->shape, t->S, t->J, t->B, t->sign, access);

    g->band = count - 1;
    if (t->J == 0) {
        access[count++] = (struct tw_access){t->d, TW_RW};
        access[count++] = (struct tw_access){t->e, TW_RW};
        if (t->info) access[count++] = (struct tw_access){t->info, TW_RW};
    }
    access[count++] = (struct tw_access){tw_scratch(tw_tb2bd_work(type, (int)b)), TW_SCRATCH};
    access[count++] = (struct tw_access){t->carry, t->J == 0 ? TW_W : TW_RW};
    if (t->u) access[count++] = (struct tw_access){t->u, t->J == 0 ? TW_W : TW_RW};
    if (t->v) access[count++] = (struct tw_access){t->v, t->J == 0 ? TW_W : TW_RW};
    return count;
}

void tw_task_tb2bd(struct tw_sequence *seq, int priority, const struct tw_tb2bd_task *t)
{
    struct args g = {.shape = t->shape,
                     .S = t->S,
                     .J = t->J,
                     .has_info = t->info != NULL,
                     .has_u = t->u != NULL,
                     .has_v = t->v != NULL};
    struct tw_access few[TW_ACCESSES_FEW], *access = tw_accesses(seq, "tb2bd", ORDER + 1 + t->B->segments + OTHERS, few);
    const enum tw_type type = t->B->type;

    if (!access) return;
    const int naccess = accesses(t, &g, access);
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = type,
                                     .args = &g,
                                     .args_size = sizeof g,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = 2 * tw_flop_factor(type) * tw_chase_flops(&t->shape, t->S, t->J),
                                     .size = t->shape.b,
                                     .coord = {t->S, t->J, -1, -1}});
    tw_accesses_free(access, few);
}
