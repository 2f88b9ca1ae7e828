/* All pairs of two tiles of particles by a kernel of the user's. CPU only: the kernel is a function of this program.
 *
 * Arguments  kernel, user; i0, j0: rows of the whole matrices; first: the result is zeroed before
 * Buffers    sources  R   ns rows
 *            targets  R   nt rows
 *            result   RW  nt rows; W if first */
#include <string.h>

#include "codelets/nbody/nbody_tasks.h"

struct args {
    tw_nbody_kernel kernel;
    const void *user;
    tw_int i0, j0;
    int first;
};

int tw_pairs_on_cpu(const struct tw_body *body, tw_nbody_kernel kernel, const void *user, tw_int i0, tw_int j0,
                    int first)
{
    const struct tw_buffer *s = &body->buf[0], *t = &body->buf[1], *r = &body->buf[2];
    const size_t size = tw_sizeof(body->type);
    int e;

    for (int k = 0; first && k < r->n; k++)
        memset((char *)r->ptr + (size_t)k * (size_t)r->ld * size, 0, (size_t)r->m * size);
    e = kernel(user, body->type, i0, t->m, t->ptr, t->ld, j0, s->m, s->ptr, s->ld, r->ptr, r->ld);
    return e ? tw_fail(e < 0 ? e : TW_E_UNSUPPORTED, "the user's kernel returned %d", e) : 0;
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    return tw_pairs_on_cpu(body, g->kernel, g->user, g->i0, g->j0, g->first);
}

static struct tw_codelet codelet = {.name = "pairs", .color = 0xEE8866, .rate = TW_RATE_GEMM, .cpu = cpu};

void tw_task_pairs(struct tw_sequence *seq, int priority, tw_nbody_kernel kernel, const void *user, tw_int i0,
                   tw_int j0, struct tw_data *sources, struct tw_data *targets, struct tw_data *result, int first)
{
    const struct args args = {kernel, user, i0, j0, first};
    const struct tw_access access[] = {{sources, TW_R}, {targets, TW_R}, {result, first ? TW_W : TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = sources->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = 20.0 * sources->m * targets->m,
                                     .size = 8,
                                     .coord = {result->coord[0], sources->coord[0], -1, -1}});
}
