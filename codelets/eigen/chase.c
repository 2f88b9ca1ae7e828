/* The tasks of bulge chasing, whatever band it is from: some steps of some sweeps each, for cores; or whole sweeps, as
 * GPUs do them: many in flight, in one launch.
 *
 * Some steps of some sweeps:
 * Arguments  shape, S, J: which; band: its buffer's place; info, u, v: whether there are such buffers
 * Buffers    tokens RW, R   what orders the task: its two of the chase, and of the columns (the band itself is one
 *                           object that all share)
 *            band   R       ld x n
 *            d, e   RW      of the group's first task: made final, real
 *            info   RW      int64: the first k for which d(k) or e(k) is not finite
 *            work   SCRATCH
 *            carry  RW      b x depth: the reflectors (from the left, where there are others) that the group's next
 *                           task begins with; W in the first one
 *            u, v   RW      b x any: all reflectors of the group, of a triangular band from the left and from the
 *                           right; W in the first one
 * Whole sweeps:
 * Arguments  shape; first, groups: of sweeps; info, u, v: whether there are such buffers
 * Buffers    info   RW      as above
 *            d, e   RW
 *            work   SCRATCH
 *            band   RW
 *            u, v   W each  a group's reflectors; all u, then all v */
#include <stdlib.h>
#include "codelets/accesses.h"
#include "codelets/eigen/chase_bodies.h"
#include "kernels/eigen/cuda/hb2st.h" /* TW_CHASE_GROUPS */

/* ---- some steps of some sweeps ----------------------------------------------------------------------------------- */

struct steps {
    struct tw_chase_shape shape;
    int S, J, band; /* band: its buffer's place, behind what only orders */
    int has_info, has_u, has_v;
};

int tw_chase_steps_body(const struct tw_body *body, tw_chase_kernel_fn kernel)
{
    const struct steps *g = body->args;
    const struct tw_buffer *b = &body->buf[g->band], *band = b++, *d = NULL, *e = NULL, *info = NULL, *work;

    if (g->J == 0) d = b++, e = b++;
    if (g->J == 0 && g->has_info) info = b++;
    work = b++;
    const int k = kernel(body->type, &(struct tw_chase_steps_of){.shape = g->shape,
                                                                 .group = g->S,
                                                                 .task = g->J,
                                                                 .a = band->ptr,
                                                                 .ld = (int)band->ld,
                                                                 .d = d ? d->ptr : NULL,
                                                                 .e = e ? e->ptr : NULL,
                                                                 .carry = b->ptr,
                                                                 .u = g->has_u ? b[1].ptr : NULL,
                                                                 .v = g->has_v ? b[1 + g->has_u].ptr : NULL,
                                                                 .work = work->ptr});
    if (info) tw_chase_first_bad(info->ptr, k);
    if (d && !g->has_u && !g->has_v) /* for fault injection, which looks for tiles */
        tw_body_result(body, &(struct tw_buffer){.ptr = d->ptr, .m = d->m, .n = 1, .ld = d->m}, 1);
    return 0;
}

enum { ORDER = 2, OTHERS = 9 };

/* What orders a task: the tokens of the chase, those of columns, and as the last one the band's memory. How many. */
static int order(const struct tw_chase_task *t, struct tw_access *access)
{
    int first, last, count = 0;

    access[count++] = (struct tw_access){t->token[t->J], TW_RW};
    access[count++] = (struct tw_access){t->token[t->J + 1], TW_RW};
    tw_chase_columns(&t->shape, t->S, t->J, &first, &last);
    if (t->S > 0 && t->shape.b > 1)
        last = first; /* a step of an earlier group, which it follows, has reached further */
    /* tokens behind the memory, which is to be the last of them */
    const int band = tw_band_accesses(t->B, first, last, TW_R, access + count);
    const struct tw_access memory = access[count];
    access[count] = access[count + band - 1];
    count += band;
    access[count - 1] = memory;
    return count;
}

static int accesses(const struct tw_chase_task *t, size_t work, struct steps *g, struct tw_access *access)
{
    const enum tw_mode first_writes = t->J == 0 ? TW_W : TW_RW;
    int count = order(t, access);

    g->band = count - 1;
    if (t->J == 0) {
        access[count++] = (struct tw_access){t->d, TW_RW};
        access[count++] = (struct tw_access){t->e, TW_RW};
        if (t->info) access[count++] = (struct tw_access){t->info, TW_RW};
    }
    access[count++] = (struct tw_access){tw_scratch(work), TW_SCRATCH};
    access[count++] = (struct tw_access){t->carry, first_writes};
    if (t->u) access[count++] = (struct tw_access){t->u, first_writes};
    if (t->v) access[count++] = (struct tw_access){t->v, first_writes};
    return count;
}

void tw_chase_submit(struct tw_sequence *seq, int priority, struct tw_codelet *codelet, const struct tw_chase_task *t,
                     size_t work, int sides)
{
    struct steps g = {.shape = t->shape,
                      .S = t->S,
                      .J = t->J,
                      .has_info = t->info != NULL,
                      .has_u = t->u != NULL,
                      .has_v = t->v != NULL};
    struct tw_access few[TW_ACCESSES_FEW],
        *access = tw_accesses(seq, codelet->name, ORDER + 1 + t->B->segments + OTHERS, few);
    const enum tw_type type = t->B->type;

    if (!access) return;
    const int naccess = accesses(t, work, &g, access);
    tw_submit(seq, &(struct tw_task){.codelet = codelet,
                                     .type = type,
                                     .args = &g,
                                     .args_size = sizeof g,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = sides * tw_flop_factor(type) * tw_chase_flops(&t->shape, t->S, t->J),
                                     .size = t->shape.b,
                                     .coord = {t->S, t->J, -1, -1}});
    tw_accesses_free(access, few);
}

/* ---- whole sweeps ------------------------------------------------------------------------------------------------ */

struct sweeps {
    struct tw_chase_shape shape;
    int first, groups;
    int has_info, has_u, has_v;
};

struct tw_chase_sweeps_of tw_chase_sweeps_operands(const struct tw_body *body)
{
    const struct sweeps *g = body->args;
    const struct tw_buffer *b = body->buf;
    struct tw_chase_sweeps_of o = {.shape = g->shape, .first = g->first, .groups = g->groups};

    if (g->has_info) o.info = b++;
    o.d = b++, o.e = b++, o.work = b++, o.band = b++;
    if (g->has_u) o.u = b, b += g->groups;
    if (g->has_v) o.v = b;
    return o;
}

int tw_chase_sweeps_body(const struct tw_body *body, tw_chase_kernel_fn kernel, size_t work)
{
    const struct tw_chase_sweeps_of o = tw_chase_sweeps_operands(body);
    int first = 0;

    for (int i = 0; i < o.groups; i++)
        for (int J = 0; J < tw_chase_tasks(&o.shape, o.first + i); J++) {
            const int k = kernel(body->type, &(struct tw_chase_steps_of){.shape = o.shape,
                                                                         .group = o.first + i,
                                                                         .task = J,
                                                                         .a = o.band->ptr,
                                                                         .ld = (int)o.band->ld,
                                                                         .d = o.d->ptr,
                                                                         .e = o.e->ptr,
                                                                         .carry = (char *)o.work->ptr + work,
                                                                         .u = o.u ? o.u[i].ptr : NULL,
                                                                         .v = o.v ? o.v[i].ptr : NULL,
                                                                         .work = o.work->ptr});
            if (k > 0 && (first == 0 || k < first)) first = k;
        }
    if (o.info) tw_chase_first_bad(o.info->ptr, first);
    /* for fault injection, which looks for tiles; the last one's corners may be room that no reflector takes */
    tw_body_result(body, &(struct tw_buffer){.ptr = o.d->ptr, .m = o.d->m, .n = 1, .ld = o.d->m}, 1);
    return 0;
}

double tw_chase_sweeps_flops(const struct tw_chase_shape *c, int first, int groups)
{
    double sum = 0;
    for (int S = first; S < first + groups; S++)
        for (int J = 0; J < tw_chase_tasks(c, S); J++)
            sum += tw_chase_flops(c, S, J);
    return sum;
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

/* For both kinds of workers: vectors and the reflectors between tasks; or how far each sweep is. */
static size_t work_for_both(const struct tw_chase_shape *c, enum tw_type type, size_t work, int most)
{
    const size_t cpu = work + (size_t)c->b * (size_t)c->depth * tw_sizeof(type),
                 gpu = (2 * (size_t)most * (size_t)c->depth + 1) * sizeof(int);
    return cpu > gpu ? cpu : gpu;
}

void tw_chase_sweeps_submit(struct tw_sequence *seq, int priority, struct tw_codelet *codelet,
                            const struct tw_chase_task *t, int groups, struct tw_data *const *u,
                            struct tw_data *const *v, size_t work, int most, int sides)
{
    const struct sweeps args = {t->shape, t->S, groups, t->info != NULL, u != NULL, v != NULL};
    const enum tw_type type = t->B->type;
    struct tw_access access[5 + TW_CHASE_GROUPS]; /* two lists of TW_TB2BD_GROUPS, less than half as many, or one */
    int naccess = 0;

    if (t->info) access[naccess++] = (struct tw_access){t->info, TW_RW};
    access[naccess++] = (struct tw_access){t->d, TW_RW};
    access[naccess++] = (struct tw_access){t->e, TW_RW};
    access[naccess++] = (struct tw_access){tw_scratch(work_for_both(&t->shape, type, work, most)), TW_SCRATCH};
    access[naccess++] = (struct tw_access){t->B->memory, TW_RW};
    for (int i = 0; u && i < groups; i++)
        access[naccess++] = (struct tw_access){u[i], TW_W};
    for (int i = 0; v && i < groups; i++)
        access[naccess++] = (struct tw_access){v[i], TW_W};
    tw_submit(seq,
              &(struct tw_task){.codelet = codelet,
                                .type = type,
                                .args = &args,
                                .args_size = sizeof args,
                                .access = access,
                                .naccess = naccess,
                                .priority = priority,
                                .flops = sides * tw_flop_factor(type) * tw_chase_sweeps_flops(&t->shape, t->S, groups),
                                .size = t->shape.b,
                                .coord = {t->S, -1, -1, -1}});
}
