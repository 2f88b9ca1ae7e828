/* L2L: add the parents' local expansions to those of a group's cells.
 *
 * Buffers    L        RW  the group's expansions
 *            parents  R   groups of the level above
 *            work     scratch */
#include "codelets/nbody/fmm_local.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_fmm_args *g = body->args;
    const struct tw_fmm *f = g->f;
    const struct tw_fmm_tables *t = f->tables;
    double *work = body->buf[1 + g->uses.n].ptr;
    struct tw_fmm_pair pair[2][TW_FMM_GROUP];
    int begin, end, n[2] = {0, 0};

    tw_fmm_group_cells(f, g->level, g->id, &begin, &end);
    for (int c = begin; c < end; c++) {
        const struct tw_fmm_cell *cell = &f->tree.cell[c];
        const int which = (cell->at[0] & 1) << 2 | (cell->at[1] & 1) << 1 | (cell->at[2] & 1),
                  class = t->child_class[which];
        if (cell->tend == cell->tbegin) continue;
        pair[class][n[class]++] = (struct tw_fmm_pair){
            tw_fmm_expansion(&f->tree, tw_fmm_used(body, 1, tw_fmm_group(f, cell->parent)), cell->parent),
            tw_fmm_expansion(&f->tree, &body->buf[0], c), t->child_phi[which]};
    }
    tw_fmm_translate(f, t->l2l, n, pair[0], pair[1], work);
    return 0;
}

static struct tw_codelet codelet = {.name = "l2l", .color = 0xCCBB44, .rate = TW_RATE_GEMM, .cpu = cpu};

void tw_task_fmm_l2l(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int level, int group,
                     struct tw_fmm_uses parents, double flops)
{
    const struct tw_fmm_args args = {f, parents, level, group};
    tw_fmm_submit(seq, &codelet, priority, &args, f->L[group], TW_RW, NULL, f->L, f->tables->work * sizeof(double),
                  flops);
}
