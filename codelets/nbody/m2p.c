/* M2P: add to a chunk's results what comes from the multipole expansions of W lists: cells smaller than the leaf, whose
 * parents touch it.
 *
 * Buffers    results  RW  as in p2p.c
 *            targets  R   columns x, y, z
 *            groups   R   with the expansions
 *            work     scratch: four expansions */
#include "codelets/nbody/fmm_local.h"

struct add {
    const struct tw_body *body;
    const struct tw_fmm *f;
    const struct tw_fmm_chunk *chunk;
    double *work;
};

static void visit(void *context, enum tw_fmm_kind kind, int target, int source)
{
    const struct add *x = context;
    const struct tw_fmm *f = x->f;
    const struct tw_fmm_cell *to = &f->tree.cell[target];

    if (kind != TW_FMM_M2P) return;
    const double *M = tw_fmm_expansion(&f->tree, tw_fmm_used(x->body, 2, tw_fmm_group(f, source)), source);
    const struct tw_fmm_points p = tw_fmm_points_in(&f->tree, &x->body->buf[1], x->chunk->tbegin, to->tbegin,
                                                    to->tend - to->tbegin, &f->tree.cell[source]);
    for (int d = 0; d < f->nd; d++) {
        double *out[4];
        tw_fmm_results_in(f->nf, &x->body->buf[0], x->chunk->tbegin, to->tbegin, d, out);
        tw_fmm_fields(f, M + (size_t)d * (size_t)f->tables->stride, p.inverse, tw_fmm_slope_multipole, x->work);
        tw_nbody_cpu()->m2p(f->tables, &p, f->nf, x->work, out);
    }
}

static int cpu(const struct tw_body *body)
{
    const struct tw_fmm_args *g = body->args;
    struct add x = {body, g->f, &g->f->chunk[g->id], body->buf[2 + g->uses.n].ptr};

    for (int k = x.chunk->leaf_begin; k < x.chunk->leaf_end; k++) {
        const struct tw_fmm_cell *to = &g->f->tree.cell[g->f->tree.leaf[k]];
        if (to->tend > to->tbegin) tw_fmm_walk_leaf(&g->f->tree, g->f->tree.leaf[k], visit, &x);
    }
    return 0;
}

static struct tw_codelet codelet = {.name = "m2p", .color = 0xEE8866, .rate = TW_RATE_GEMM, .cpu = cpu};

void tw_task_fmm_m2p(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int chunk,
                     struct tw_fmm_uses groups, double flops)
{
    const struct tw_fmm_args args = {f, groups, -1, chunk};
    tw_fmm_submit(seq, &codelet, priority, &args, f->result[chunk], TW_RW, f->target[chunk], f->M,
                  (size_t)(4 * f->tables->stride) * sizeof(double), flops);
}
