/* End: add to a chunk's results what its leaves' local expansions say (L2P), and multipole expansions of cells that are
 * smaller than a leaf and too near for its local expansion (M2P).
 *
 * Buffers    results  RW  as in series_near.c
 *            targets  R   columns x, y, z
 *            M        R   groups with multipole expansions
 *            L        R   groups with the leaves' expansions
 *            work     scratch */
#include "codelets/nbody/series_local.h"

struct add {
    const struct tw_body *body;
    const struct tw_series *s;
    const struct tw_fmm_chunk *chunk;
    double *work;
};

static struct tw_fmm_points targets(const struct add *x, const struct tw_fmm_cell *leaf,
                                    const struct tw_fmm_cell *around)
{
    return tw_fmm_points_in(&x->s->tree, &x->body->buf[1], x->chunk->tbegin, leaf->tbegin, leaf->tend - leaf->tbegin,
                            around);
}

static void visit(void *context, enum tw_fmm_kind kind, int target, int source)
{
    const struct add *x = context;
    const struct tw_series *s = x->s;
    const int cell = tw_fmm_origin(&s->tree, source);
    const struct tw_fmm_cell around = tw_fmm_image(&s->tree, source), *leaf = &s->tree.cell[target];

    if (kind != TW_FMM_M2P || around.level < s->top) return;
    const double *M =
        tw_fmm_expansion(&s->tree, tw_series_used(x->body, 2, TW_SERIES_M, tw_series_group(s, cell)), cell);
    const struct tw_fmm_points p = targets(x, leaf, &around);
    for (int d = 0; d < s->nd; d++) {
        double *out[4];
        tw_fmm_results_in(s->nf, &x->body->buf[0], x->chunk->tbegin, leaf->tbegin, d, out);
        s->ops->m2p(s, around.level, &p, M + (size_t)d * (size_t)s->length[around.level], out, x->work);
    }
}

static void local(const struct add *x, int c)
{
    const struct tw_series *s = x->s;
    const struct tw_fmm_cell *leaf = &s->tree.cell[c];
    const double *L = tw_fmm_expansion(&s->tree, tw_series_used(x->body, 2, TW_SERIES_L, tw_series_group(s, c)), c);
    const struct tw_fmm_points p = targets(x, leaf, leaf);

    for (int d = 0; d < s->nd; d++) {
        double *out[4];
        tw_fmm_results_in(s->nf, &x->body->buf[0], x->chunk->tbegin, leaf->tbegin, d, out);
        s->ops->l2p(s, leaf->level, &p, L + (size_t)d * (size_t)s->length[leaf->level], out, x->work);
    }
}

static int cpu(const struct tw_body *body)
{
    const struct tw_series_args *g = body->args;
    const struct tw_series *s = g->s;
    struct add x = {body, s, &s->chunk[g->id], body->buf[2 + g->uses.at[TW_SERIES_KINDS]].ptr};

    for (int k = x.chunk->leaf_begin; k < x.chunk->leaf_end; k++) {
        const int c = s->tree.leaf[k];
        const struct tw_fmm_cell *leaf = &s->tree.cell[c];
        if (leaf->tend == leaf->tbegin) continue;
        tw_fmm_walk_leaf(&s->tree, c, visit, &x);
        if (leaf->level >= s->top) local(&x, c);
    }
    return 0;
}

static struct tw_codelet codelet = {.name = "series_end", .color = 0xBBBBBB, .rate = TW_RATE_GEMM, .cpu = cpu};

void tw_task_series_end(struct tw_sequence *seq, int priority, const struct tw_series *s, int chunk,
                        struct tw_series_uses uses, double flops)
{
    const struct tw_series_args args = {s, uses, -1, chunk};
    tw_series_submit(seq, &codelet, priority, &args, s->result[chunk], TW_RW, s->target[chunk], s->work, flops);
}
