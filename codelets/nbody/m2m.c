/* M2M: add the children's multipole expansions to those of a group's cells.
 *
 * Buffers    M         RW  the group's expansions
 *            children  R   groups of the next level
 *            work      scratch */
#include "codelets/nbody/fmm_local.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_fmm_args *g = body->args;
    const struct tw_fmm *f = g->f;
    const struct tw_fmm_tables *t = f->tables;
    double *work = body->buf[1 + g->uses.n].ptr;
    struct tw_fmm_pair pair[2][8 * TW_FMM_GROUP];
    int begin, end, n[2] = {0, 0};

    tw_fmm_group_cells(f, g->level, g->id, &begin, &end);
    for (int c = begin; c < end; c++) {
        const struct tw_fmm_cell *cell = &f->tree.cell[c];
        for (int k = cell->child; k < cell->child + cell->nchild; k++) {
            const struct tw_fmm_cell *child = &f->tree.cell[k];
            const int which = (child->at[0] & 1) << 2 | (child->at[1] & 1) << 1 | (child->at[2] & 1),
                      class = t->child_class[which];
            if (child->send == child->sbegin) continue;
            pair[class][n[class]++] =
                (struct tw_fmm_pair){tw_fmm_expansion(&f->tree, tw_fmm_used(body, 1, tw_fmm_group(f, k)), k),
                                     tw_fmm_expansion(&f->tree, &body->buf[0], c), t->child_phi[which]};
        }
    }
    tw_fmm_translate(f, t->m2m, n, pair[0], pair[1], work);
    return 0;
}

static struct tw_codelet codelet = {.name = "m2m", .color = 0x66CCEE, .rate = TW_RATE_GEMM, .cpu = cpu};

void tw_task_fmm_m2m(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int level, int group,
                     struct tw_fmm_uses children, double flops)
{
    const struct tw_fmm_args args = {f, children, level, group};
    tw_fmm_submit(seq, &codelet, priority, &args, f->M[group], TW_RW, NULL, f->M, f->tables->work * sizeof(double),
                  flops);
}
