/* L2P: add to a chunk's results the values of its leaves' local expansions.
 *
 * Buffers    results  RW  as in p2p.c
 *            targets  R   columns x, y, z
 *            groups   R   with the leaves' expansions
 *            work     scratch: four expansions */
#include "codelets/nbody/fmm_local.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_fmm_args *g = body->args;
    const struct tw_fmm *f = g->f;
    const struct tw_fmm_chunk *chunk = &f->chunk[g->id];
    double *work = body->buf[2 + g->uses.n].ptr;

    for (int k = chunk->leaf_begin; k < chunk->leaf_end; k++) {
        const int c = f->tree.leaf[k];
        const struct tw_fmm_cell *to = &f->tree.cell[c];
        if (to->tend == to->tbegin || to->level < 2) continue;
        const double *L = tw_fmm_expansion(&f->tree, tw_fmm_used(body, 2, tw_fmm_group(f, c)), c);
        const struct tw_fmm_points p =
            tw_fmm_points_in(&f->tree, &body->buf[1], chunk->tbegin, to->tbegin, to->tend - to->tbegin, to);
        for (int d = 0; d < f->nd; d++) {
            double *out[4];
            tw_fmm_results_in(f->nf, &body->buf[0], chunk->tbegin, to->tbegin, d, out);
            tw_fmm_fields(f, L + (size_t)d * (size_t)f->tables->stride, p.inverse, tw_fmm_slope_local, work);
            tw_nbody_cpu()->l2p(f->tables, &p, f->nf, work, out);
        }
    }
    return 0;
}

static struct tw_codelet codelet = {.name = "l2p", .color = 0xBBBBBB, .rate = TW_RATE_GEMM, .cpu = cpu};

void tw_task_fmm_l2p(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int chunk,
                     struct tw_fmm_uses groups, double flops)
{
    const struct tw_fmm_args args = {f, groups, -1, chunk};
    tw_fmm_submit(seq, &codelet, priority, &args, f->result[chunk], TW_RW, f->target[chunk], f->L,
                  (size_t)(4 * f->tables->stride) * sizeof(double), flops);
}
