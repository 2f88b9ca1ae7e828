/* Down: local expansions of a group's cells: from the multipole expansions of well separated cells of their level
 * (M2L), from larger leaves that touch their parents only (P2L), from their parents' (L2L). The root of a periodic
 * tree: from its own multipole expansion, on behalf of all images beyond its neighbours.
 *
 * Buffers    L        W  the group's expansions
 *            sources  R  chunks with the larger leaves' points
 *            M        R  groups with the sources' expansions
 *            parents  R  groups of local expansions of the level above
 *            work     scratch: the kernel's, then the pairs */
#include <string.h>

#include "codelets/nbody/series_local.h"

enum { MOST = 189 * TW_FMM_GROUP }; /* cells of one level that touch the parent, not the cell */

struct search {
    const struct tw_body *body;
    const struct tw_series *s;
    struct tw_series_pair *pair;
    double *work;
    int n;
};

static void separated(void *context, enum tw_fmm_kind kind, int target, int source)
{
    struct search *x = context;
    const struct tw_series *s = x->s;
    const int cell = tw_fmm_origin(&s->tree, source);
    const struct tw_fmm_cell b = tw_fmm_image(&s->tree, source);
    struct tw_series_pair *pair = &x->pair[x->n++];

    (void)kind;
    pair->src = tw_fmm_expansion(&s->tree, tw_series_used(x->body, 1, TW_SERIES_M, tw_series_group(s, cell)), cell);
    pair->dst = tw_fmm_expansion(&s->tree, &x->body->buf[0], target);
    for (int axis = 0; axis < 3; axis++)
        pair->way[axis] = (signed char)(s->tree.cell[target].at[axis] - b.at[axis]);
}

static void larger(void *context, enum tw_fmm_kind kind, int target, int source)
{
    const struct search *x = context;
    const struct tw_series *s = x->s;
    const struct tw_fmm_cell *from = &s->tree.cell[tw_fmm_origin(&s->tree, source)];
    struct tw_fmm_cell to = s->tree.cell[target];
    const int chunk = s->chunk_of[from->leaf_begin];
    const struct tw_buffer *b = tw_series_used(x->body, 1, TW_SERIES_SOURCES, chunk);

    (void)kind;
    for (int axis = 0; axis < 3; axis++) /* the source stays, so the target moves the other way */
        to.at[axis] -= tw_fmm_image_shift(&s->tree, source, axis) * (1 << to.level);
    const struct tw_fmm_points p =
        tw_fmm_points_in(&s->tree, b, s->chunk[chunk].sbegin, from->sbegin, from->send - from->sbegin, &to);
    for (int d = 0; d < s->nd; d++)
        s->ops->p2l(s, to.level, &p, p.x + (size_t)(3 + d) * (size_t)b->ld,
                    tw_fmm_expansion(&s->tree, &x->body->buf[0], target) + (size_t)d * (size_t)s->length[to.level],
                    x->work);
}

/* A translation for every charge vector, from level `source` to `level`. */
static void translate(const struct tw_series *s, int source, int level,
                      void (*how)(const struct tw_series *, int, int, const struct tw_series_pair *, double *), int n,
                      struct tw_series_pair *pair, double *work)
{
    for (int d = 0; d < s->nd && n; d++) {
        how(s, level, n, pair, work);
        for (int k = 0; k < n; k++)
            pair[k].src += s->length[source], pair[k].dst += s->length[level];
    }
}

static void from_parents(struct search *x, int begin, int end, int level)
{
    const struct tw_series *s = x->s;

    x->n = 0;
    for (int c = begin; c < end; c++) {
        const struct tw_fmm_cell *cell = &s->tree.cell[c];
        if (cell->tend == cell->tbegin) continue;
        struct tw_series_pair *pair = &x->pair[x->n++];
        pair->src = tw_fmm_expansion(
            &s->tree, tw_series_used(x->body, 1, TW_SERIES_L, tw_series_group(s, cell->parent)), cell->parent);
        pair->dst = tw_fmm_expansion(&s->tree, &x->body->buf[0], c);
        for (int axis = 0; axis < 3; axis++)
            pair->way[axis] = cell->at[axis] & 1;
    }
    translate(s, level - 1, level, s->ops->l2l, x->n, x->pair, x->work);
}

static int cpu(const struct tw_body *body)
{
    const struct tw_series_args *g = body->args;
    const struct tw_series *s = g->s;
    const struct tw_buffer *L = &body->buf[0];
    double *work = body->buf[1 + g->uses.at[TW_SERIES_KINDS]].ptr;
    struct search x = {body, s, (struct tw_series_pair *)(work + s->work), work, 0};
    int begin, end;

    memset(L->ptr, 0, (size_t)L->ld * (size_t)L->n * sizeof(double));
    if (g->level == 0) {
        const struct tw_buffer *M = tw_series_used(body, 1, TW_SERIES_M, 0);
        for (int d = 0; d < s->nd; d++)
            s->ops->beyond(s, (double *)M->ptr + (size_t)d * (size_t)s->length[0],
                           (double *)L->ptr + (size_t)d * (size_t)s->length[0]);
        return 0;
    }
    tw_series_cells(s, g->level, g->id, &begin, &end);
    for (int c = begin; c < end; c++)
        tw_fmm_walk_cell(&s->tree, c, separated, &x);
    translate(s, g->level, g->level, s->ops->m2l, x.n, x.pair, work);
    for (int c = begin; c < end; c++)
        tw_fmm_walk_large(&s->tree, c, larger, &x);
    if (g->level > s->top) from_parents(&x, begin, end, g->level);
    return 0;
}

static struct tw_codelet codelet = {.name = "series_down", .color = 0x228833, .rate = TW_RATE_GEMM, .cpu = cpu};

void tw_task_series_down(struct tw_sequence *seq, int priority, const struct tw_series *s, int level, int group,
                         struct tw_series_uses uses, double flops)
{
    const struct tw_series_args args = {s, uses, level, group};
    tw_series_submit(seq, &codelet, priority, &args, s->L[group], TW_W, NULL,
                     s->work + MOST * sizeof(struct tw_series_pair) / sizeof(double), flops);
}
