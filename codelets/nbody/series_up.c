/* Up: multipole expansions of a group's cells, of leaves from their sources (P2M), of others from their children's
 * (M2M).
 *
 * Buffers    M         W  the group's expansions
 *            sources   R  chunks with the leaves' points: columns x, y, z, then one per charge vector
 *            children  R  groups of the next level
 *            work      scratch: the kernel's, then the pairs */
#include <string.h>

#include "codelets/nbody/series_local.h"

enum { MOST = 8 * TW_FMM_GROUP };

static void leaf(const struct tw_body *body, const struct tw_series *s, int c, double *work)
{
    const struct tw_fmm_cell *cell = &s->tree.cell[c];
    const int chunk = s->chunk_of[cell->leaf_begin];
    const struct tw_buffer *b = tw_series_used(body, 1, TW_SERIES_SOURCES, chunk);
    const struct tw_fmm_points p =
        tw_fmm_points_in(&s->tree, b, s->chunk[chunk].sbegin, cell->sbegin, cell->send - cell->sbegin, cell);

    for (int d = 0; d < s->nd; d++)
        s->ops->p2m(s, cell->level, &p, p.x + (size_t)(3 + d) * (size_t)b->ld,
                    tw_fmm_expansion(&s->tree, &body->buf[0], c) + (size_t)d * (size_t)s->length[cell->level], work);
}

static int children(const struct tw_body *body, const struct tw_series *s, int c, struct tw_series_pair *pair)
{
    const struct tw_fmm_cell *cell = &s->tree.cell[c];
    int n = 0;

    for (int k = cell->child; k < cell->child + cell->nchild; k++) {
        const struct tw_fmm_cell *child = &s->tree.cell[k];
        if (child->send == child->sbegin) continue;
        pair[n] = (struct tw_series_pair){
            .src = tw_fmm_expansion(&s->tree, tw_series_used(body, 1, TW_SERIES_M, tw_series_group(s, k)), k),
            .dst = tw_fmm_expansion(&s->tree, &body->buf[0], c)};
        for (int axis = 0; axis < 3; axis++)
            pair[n].way[axis] = child->at[axis] & 1;
        n++;
    }
    return n;
}

static int cpu(const struct tw_body *body)
{
    const struct tw_series_args *g = body->args;
    const struct tw_series *s = g->s;
    const struct tw_buffer *M = &body->buf[0];
    double *work = body->buf[1 + g->uses.at[TW_SERIES_KINDS]].ptr;
    struct tw_series_pair *pair = (struct tw_series_pair *)(work + s->work);
    int begin, end, n = 0;

    tw_series_cells(s, g->level, g->id, &begin, &end);
    memset(M->ptr, 0, (size_t)M->ld * (size_t)M->n * sizeof(double));
    for (int c = begin; c < end; c++) {
        const struct tw_fmm_cell *cell = &s->tree.cell[c];
        if (cell->send == cell->sbegin) continue;
        if (tw_fmm_is_leaf(cell))
            leaf(body, s, c, work);
        else
            n += children(body, s, c, pair + n);
    }
    for (int d = 0; d < s->nd && n; d++) {
        s->ops->m2m(s, g->level + 1, n, pair, work);
        for (int k = 0; k < n; k++)
            pair[k].src += s->length[g->level + 1], pair[k].dst += s->length[g->level];
    }
    return 0;
}

static struct tw_codelet codelet = {.name = "series_up", .color = 0x4477AA, .rate = TW_RATE_GEMM, .cpu = cpu};

void tw_task_series_up(struct tw_sequence *seq, int priority, const struct tw_series *s, int level, int group,
                       struct tw_series_uses uses, double flops)
{
    const struct tw_series_args args = {s, uses, level, group};
    tw_series_submit(seq, &codelet, priority, &args, s->M[group], TW_W, NULL,
                     s->work + MOST * sizeof(struct tw_series_pair) / sizeof(double), flops);
}
