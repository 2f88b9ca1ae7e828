/* P2M: multipole expansions of a group's leaves from their sources; zero for its other cells.
 *
 * Buffers    M        W  the group's expansions
 *            sources  R  chunks with the leaves' points: columns x, y, z, then one per charge vector
 *            work     scratch */
#include <string.h>

#include "codelets/nbody/fmm_local.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_fmm_args *g = body->args;
    const struct tw_fmm *f = g->f;
    const struct tw_buffer *M = &body->buf[0];
    double *work = body->buf[1 + g->uses.n].ptr;
    int begin, end;

    tw_fmm_group_cells(f, g->level, g->id, &begin, &end);
    memset(M->ptr, 0, (size_t)M->ld * (size_t)M->n * sizeof(double));
    for (int c = begin; c < end; c++) {
        const struct tw_fmm_cell *cell = &f->tree.cell[c];
        const int n = cell->send - cell->sbegin, chunk = f->chunk_of[cell->leaf_begin];
        if (!tw_fmm_is_leaf(cell) || n == 0) continue;
        const struct tw_buffer *s = tw_fmm_used(body, 1, chunk);
        const struct tw_fmm_points p = tw_fmm_points_in(&f->tree, s, f->chunk[chunk].sbegin, cell->sbegin, n, cell);
        for (int d = 0; d < f->nd; d++)
            tw_nbody_cpu()->p2m(f->tables, &p, p.x + (size_t)(3 + d) * (size_t)s->ld,
                                tw_fmm_expansion(&f->tree, M, c) + (size_t)d * (size_t)f->tables->stride, work);
    }
    return 0;
}

static struct tw_codelet codelet = {.name = "p2m", .color = 0x4477AA, .rate = TW_RATE_GEMM, .cpu = cpu};

void tw_task_fmm_p2m(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int level, int group,
                     struct tw_fmm_uses chunks, double flops)
{
    const struct tw_fmm_args args = {f, chunks, level, group};
    tw_fmm_submit(seq, &codelet, priority, &args, f->M[group], TW_W, NULL, f->source, f->tables->work * sizeof(double),
                  flops);
}
