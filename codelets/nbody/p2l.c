/* P2L: add to local expansions of a group's cells what comes from the leaves of their X lists: larger than they are,
 * and touching their parents only.
 *
 * Buffers    L        RW  the group's expansions
 *            sources  R   chunks with the leaves' points
 *            work     scratch */
#include "codelets/nbody/fmm_local.h"

struct add {
    const struct tw_body *body;
    const struct tw_fmm *f;
    double *work;
};

static void visit(void *context, enum tw_fmm_kind kind, int target, int source)
{
    const struct add *x = context;
    const struct tw_fmm *f = x->f;
    const struct tw_fmm_cell *leaf = &f->tree.cell[source];

    (void)kind;
    const int chunk = f->chunk_of[leaf->leaf_begin];
    const struct tw_buffer *s = tw_fmm_used(x->body, 1, chunk);
    const struct tw_fmm_points p = tw_fmm_points_in(&f->tree, s, f->chunk[chunk].sbegin, leaf->sbegin,
                                                    leaf->send - leaf->sbegin, &f->tree.cell[target]);
    for (int d = 0; d < f->nd; d++)
        tw_nbody_cpu()->p2l(
            f->tables, &p, p.x + (size_t)(3 + d) * (size_t)s->ld,
            tw_fmm_expansion(&f->tree, &x->body->buf[0], target) + (size_t)d * (size_t)f->tables->stride, x->work);
}

static int cpu(const struct tw_body *body)
{
    const struct tw_fmm_args *g = body->args;
    struct add x = {body, g->f, body->buf[1 + g->uses.n].ptr};
    int begin, end;

    tw_fmm_group_cells(g->f, g->level, g->id, &begin, &end);
    for (int c = begin; c < end; c++)
        tw_fmm_walk_large(&g->f->tree, c, visit, &x);
    return 0;
}

static struct tw_codelet codelet = {.name = "p2l", .color = 0xEE6677, .rate = TW_RATE_GEMM, .cpu = cpu};

void tw_task_fmm_p2l(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int level, int group,
                     struct tw_fmm_uses chunks, double flops)
{
    const struct tw_fmm_args args = {f, chunks, level, group};
    tw_fmm_submit(seq, &codelet, priority, &args, f->L[group], TW_RW, NULL, f->source, f->tables->work * sizeof(double),
                  flops);
}
