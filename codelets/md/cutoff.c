/* Localized interactions.
 *
 * One group: one task does a whole segment, lists and all.
 * Buffers    part     W   lists and their sums
 *            params   R
 *            work     W   sorted copies
 *            control  RW
 *            state    RW  positions, velocities, …
 * Several groups: a task for each stage, and for each group where the stage has it. The stages and what they write:
 *   sort    work, state (wrapped), control       list    part           self, force, chain    part (sums)
 *   radii, gather    work                         move    state, work, control
 * Buffers    part(s), params, work, control and, for sort and move, state, in this order */
#include "codelets/md/md_tasks.h"
#include "kernels/md/cut.h"
#include "kernels/md/cuda/md_cuda.h"

enum stage { SORT, LIST, SELF, RADII, FORCE, GATHER, CHAIN, MOVE, SEGMENT, NSTAGES };
struct args {
    const struct tw_cut_problem *problem;
    enum stage stage;
    int part, iterations;
};
enum { MOST_PARTS = TW_CUT_GROUPS };

/* Bytes of `work` that a GPU's sort wants. */
static size_t sort_bytes(int n)
{
    return tw_has_cuda() ? tw_cut_cuda_temp(n) : 0;
}

void tw_cut_sizes(struct tw_cut_problem *p)
{
    struct tw_cut c;
    tw_cut_bind(&c, &p->shape, tw_sizeof(p->type), sort_bytes(p->shape.n), NULL, NULL, NULL, NULL, NULL, &p->bytes);
}
void tw_cut_view(const struct tw_cut_problem *p, void *params, void *state, struct tw_cut *c)
{
    tw_cut_bind(c, &p->shape, tw_sizeof(p->type), 0, params, state, NULL, NULL, NULL, NULL);
}

/* The task's view of the problem. table: room for the parts. */
static void view(const struct tw_body *body, struct tw_cut *c, struct tw_cut_part *table)
{
    const struct args *g = body->args;
    const struct tw_cut_shape *s = &g->problem->shape;
    const size_t size = tw_sizeof(body->type);
    const int with_state = g->stage == SORT || g->stage == MOVE || g->stage == SEGMENT,
              parts = body->nbuf - 3 - with_state;
    const struct tw_buffer *b = body->buf + parts;

    tw_cut_bind(c, s, size, sort_bytes(s->n), b[0].ptr, with_state ? b[3].ptr : NULL, b[1].ptr,
                parts == 1 ? body->buf[0].ptr : NULL, b[2].ptr, NULL);
    if (s->groups == 1) return;
    c->part = table;
    for (int k = 0; k < parts; k++)
        tw_cut_bind_part(s, &table[parts == 1 ? g->part : k], size, body->buf[k].ptr);
}

static void evaluate(const struct tw_cut_kernels *k, struct tw_cut *c)
{
    k->prune(c, 0);
    if (c->s.born) {
        k->self(c, 0);
        k->radii(c);
    }
    k->force(c, 0);
    if (c->s.born) {
        k->gather(c);
        k->chain(c, 0);
    }
    k->collect(c);
    k->move(c);
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_cut_kernels *k = tw_cut_cpu(body->type == TW_DOUBLE);
    struct tw_cut_part table[MOST_PARTS];
    struct tw_cut c;

    view(body, &c, table);
    switch (g->stage) {
    case SORT: k->sort(&c); break;
    case LIST: k->list(&c, g->part); break;
    case SELF:
        k->prune(&c, g->part);
        k->self(&c, g->part);
        break;
    case RADII: k->radii(&c); break;
    case FORCE:
        if (!c.s.born) k->prune(&c, g->part);
        k->force(&c, g->part);
        break;
    case GATHER: k->gather(&c); break;
    case CHAIN: k->chain(&c, g->part); break;
    case MOVE:
        k->collect(&c);
        k->move(&c);
        break;
    default:
        k->sort(&c);
        k->list(&c, 0);
        for (int i = 0; i < g->iterations; i++)
            evaluate(k, &c);
        break;
    }
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    struct tw_cut c;

    view(body, &c, NULL);
    return tw_cut_cuda_segment(body->cuda, body->type, &c, g->iterations);
}

static struct tw_codelet codelets[NSTAGES] = {
    [SORT] = {.name = "cutsort", .color = 0x888888, .rate = TW_RATE_MEMORY, .cpu = cpu},
    [LIST] = {.name = "cutlist", .color = 0x4477AA, .rate = TW_RATE_GEMM, .cpu = cpu},
    [SELF] = {.name = "cutself", .color = 0x228833, .rate = TW_RATE_GEMM, .cpu = cpu},
    [RADII] = {.name = "cutradii", .color = 0xCCBB44, .rate = TW_RATE_MEMORY, .cpu = cpu},
    [FORCE] = {.name = "cutforce", .color = 0xAA3377, .rate = TW_RATE_GEMM, .cpu = cpu},
    [GATHER] = {.name = "cutgather", .color = 0xCCBB44, .rate = TW_RATE_MEMORY, .cpu = cpu},
    [CHAIN] = {.name = "cutchain", .color = 0xEE6677, .rate = TW_RATE_GEMM, .cpu = cpu},
    [MOVE] = {.name = "cutmove", .color = 0x66CCEE, .rate = TW_RATE_MEMORY, .cpu = cpu},
    [SEGMENT] = {.name = "cutoff", .color = 0xAA3377, .rate = TW_RATE_GEMM, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)}};

/* flops: of the whole stage. group < 0: the stage sees every part. */
static void submit(struct tw_sequence *seq, int priority, const struct tw_cut_problem *p, enum stage stage, int group,
                   int iterations, double flops)
{
    const int groups = p->shape.groups, makes = stage == LIST || stage == SEGMENT;
    const struct args args = {p, stage, group, iterations};
    struct tw_access access[MOST_PARTS + 4];
    int n = 0;

    for (int g = 0; g < groups && stage != SORT; g++)
        if (group < 0 || g == group)
            access[n++] = (struct tw_access){p->part[g], makes ? TW_W : group < 0 ? TW_R : TW_RW};
    access[n++] = (struct tw_access){p->params, TW_R};
    access[n++] = (struct tw_access){p->work, stage == SORT || stage == SEGMENT                    ? TW_W
                                              : stage == RADII || stage == GATHER || stage == MOVE ? TW_RW
                                                                                                   : TW_R};
    access[n++] = (struct tw_access){p->control, stage == SORT || stage == MOVE || stage == SEGMENT ? TW_RW : TW_R};
    if (stage == SORT || stage == MOVE || stage == SEGMENT) access[n++] = (struct tw_access){p->state, TW_RW};
    tw_submit(seq, &(struct tw_task){.codelet = &codelets[stage],
                                     .type = p->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = n,
                                     .priority = priority,
                                     .flops = group < 0 ? flops : flops / groups,
                                     .size = 256,
                                     .place = p->place,
                                     .coord = {group, -1, -1, -1}});
}

static void each(struct tw_sequence *seq, int priority, const struct tw_cut_problem *p, enum stage stage, double flops)
{
    for (int g = 0; g < p->shape.groups; g++)
        submit(seq, priority, p, stage, g, 1, flops);
}

void tw_task_cutoff_segment(struct tw_sequence *seq, int priority, const struct tw_cut_problem *p, int iterations)
{
    const double pair = 30 * p->pairs, atoms = 100.0 * p->shape.n;

    if (p->shape.groups == 1) {
        submit(seq, priority, p, SEGMENT, -1, iterations, pair * (iterations + 1) * (p->shape.born ? 4 : 1));
        return;
    }
    submit(seq, priority, p, SORT, -1, 1, atoms);
    each(seq, priority, p, LIST, pair);
    for (int k = 0; k < iterations && !tw_loop_status(seq); k++) {
        if (p->shape.born) {
            each(seq, priority, p, SELF, pair);
            submit(seq, priority, p, RADII, -1, 1, atoms);
        }
        each(seq, priority, p, FORCE, pair);
        if (p->shape.born) {
            submit(seq, priority, p, GATHER, -1, 1, atoms);
            each(seq, priority, p, CHAIN, 2 * pair);
        }
        submit(seq, priority, p, MOVE, -1, 1, atoms);
    }
}
