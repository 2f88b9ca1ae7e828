/* The data objects and passes of the multipole method for any kernel. A task is told which chunks and groups it reads;
 * it finds the lists themselves by walking the tree again. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/nbody/series.h"

/* ---- objects ----------------------------------------------------------------------------------------------------- */

static int wrap_chunks(struct tw_series_work *w)
{
    struct tw_series *s = &w->s;
    const struct tw_point_columns source = {w->source, w->ns, 3 + s->nd}, target = {w->target, w->nt, 3},
                                  result = {w->result, w->nt, s->nd * s->nf};
    int e = tw_chunks_wrap(s->chunk, s->nchunks, 0, source, &s->source);

    if (!e) e = tw_chunks_wrap(s->chunk, s->nchunks, 1, target, &s->target);
    return e ? e : tw_chunks_wrap(s->chunk, s->nchunks, 1, result, &s->result);
}

/* The first expansions of a level: M and L of all levels before it. */
static size_t offset(const struct tw_series *s, int level)
{
    size_t at = 0;
    for (int k = s->top; k < level && k <= s->tree.depth; k++)
        at += (size_t)(s->tree.level_at[k + 1] - s->tree.level_at[k]) * (size_t)(s->nd * s->length[k]) * 2;
    return at;
}

static int wrap_groups(struct tw_series_work *w)
{
    struct tw_series *s = &w->s;
    const struct tw_fmm_tree *t = &s->tree;
    int e = 0;

    s->ngroups = tw_groups_count(t, s->group_at);
    s->M = calloc((size_t)s->ngroups, sizeof *s->M);
    s->L = calloc((size_t)s->ngroups, sizeof *s->L);
    w->expansion_bytes = (offset(s, t->depth + 1) + 1) * sizeof(double);
    if (!s->M || !s->L || !(w->expansions = tw_pool_alloc(w->expansion_bytes))) return TW_E_MEMORY;
    for (int level = s->top; level <= t->depth; level++) {
        const int length = s->nd * s->length[level], first = t->level_at[level];
        double *at = w->expansions + offset(s, level);
        for (int g = s->group_at[level]; g < s->group_at[level + 1] && !e; g++) {
            int begin, end;
            tw_series_cells(s, level, g, &begin, &end);
            double *M = at + (size_t)(begin - first) * (size_t)length,
                   *L = M + (size_t)(t->level_at[level + 1] - first) * (size_t)length;
            e = tw_group_wrap(s->M, s->L, M, L, length, end - begin, level, g);
        }
    }
    return e;
}

int tw_series_objects_make(struct tw_series_work *w)
{
    int e = tw_chunks_make(&w->s.tree, &w->s.chunk, &w->s.chunk_of, &w->s.nchunks);
    if (!e) e = wrap_chunks(w);
    return e ? e : wrap_groups(w);
}

void tw_series_objects_free(struct tw_series_work *w)
{
    struct tw_series *s = &w->s;

    tw_chunks_forget(s->source, s->nchunks, 0), tw_chunks_forget(s->target, s->nchunks, 0),
        tw_chunks_forget(s->result, s->nchunks, 1);
    tw_chunks_forget(s->M, s->ngroups, 0), tw_chunks_forget(s->L, s->ngroups, 0);
    s->source = s->target = s->result = s->M = s->L = NULL;
    tw_kept_ids_free(&w->uses);
    if (w->expansions) tw_pool_free(w->expansions, w->expansion_bytes);
    free(s->chunk), free(s->chunk_of);
    w->expansions = NULL, s->chunk = NULL, s->chunk_of = NULL;
}

/* ---- what a task reads ------------------------------------------------------------------------------------------- */

struct plan {
    struct tw_series_work *w;
    const struct tw_series *s;
    struct tw_marks marks[TW_SERIES_KINDS];
    double flops;
};

static void mark_cell(struct plan *p, int kind, int cell)
{
    tw_mark(&p->marks[kind], tw_series_group(p->s, cell));
}
static void mark_sources(struct plan *p, const struct tw_fmm_cell *c)
{
    tw_mark_sources(&p->marks[TW_SERIES_SOURCES], p->s->chunk_of, p->s->source, c);
}

/* What was marked since the last call, kept until the routine ends. id NULL: no memory. */
static struct tw_series_uses take(struct plan *p)
{
    struct tw_series_uses u = {NULL, {0}};
    int n = 0, *id = tw_keep_ids(&p->w->uses, p->marks[0].n + p->marks[1].n + p->marks[2].n);

    for (int kind = 0; kind < TW_SERIES_KINDS; kind++) {
        n += tw_marks_take(&p->marks[kind], id ? id + n : NULL);
        u.at[kind + 1] = n;
    }
    u.id = id;
    return u;
}

/* Visits: what they read, and a rough number of flops. */
static void visit(void *context, enum tw_fmm_kind kind, int target, int source)
{
    struct plan *p = context;
    const struct tw_fmm_tree *t = &p->s->tree;
    const int origin = tw_fmm_origin(t, source);
    const struct tw_fmm_cell *a = &t->cell[target], *b = &t->cell[origin];
    const double per_term = 6.0 * p->s->length[a->level];

    switch (kind) {
    case TW_FMM_P2P:
        mark_sources(p, b);
        p->flops += 20.0 * (a->tend - a->tbegin) * (b->send - b->sbegin);
        break;
    case TW_FMM_P2L:
        mark_sources(p, b);
        p->flops += per_term * (b->send - b->sbegin);
        break;
    case TW_FMM_M2P:
        mark_cell(p, TW_SERIES_M, origin);
        p->flops += per_term * p->s->nf * (a->tend - a->tbegin);
        break;
    case TW_FMM_M2L:
        mark_cell(p, TW_SERIES_M, origin);
        p->flops += p->s->flops;
        break;
    }
}
static void visit_near(void *context, enum tw_fmm_kind kind, int target, int source)
{
    if (kind == TW_FMM_P2P) visit(context, kind, target, source);
}
static void visit_m2p(void *context, enum tw_fmm_kind kind, int target, int source)
{
    const struct tw_series *s = ((struct plan *)context)->s;
    if (kind == TW_FMM_M2P && s->tree.cell[tw_fmm_origin(&s->tree, source)].level >= s->top)
        visit(context, kind, target, source);
}

/* ---- passes ------------------------------------------------------------------------------------------------------ */

static int up(struct tw_sequence *seq, void *plan, int level, int g)
{
    struct plan *p = plan;
    const struct tw_series *s = p->s;
    int begin, end, any = 0;

    tw_series_cells(s, level, g, &begin, &end);
    p->flops = 0;
    for (const struct tw_fmm_cell *c = &s->tree.cell[begin]; c < &s->tree.cell[end]; c++) {
        if (!tw_has_sources(c)) continue;
        any = 1;
        if (tw_fmm_is_leaf(c)) mark_sources(p, c), p->flops += 6.0 * s->length[level] * (c->send - c->sbegin);
        for (int k = c->child; k < c->child + c->nchild; k++)
            if (tw_has_sources(&s->tree.cell[k])) mark_cell(p, TW_SERIES_M, k), p->flops += s->flops;
    }
    const struct tw_series_uses uses = take(p);
    if (!uses.id) return TW_E_MEMORY;
    if (any) tw_task_series_up(seq, tw_priority(seq, 4, 4, 1), s, level, g, uses, p->flops * s->nd);
    return 0;
}

static int down(struct tw_sequence *seq, void *plan, int level, int g)
{
    struct plan *p = plan;
    const struct tw_series *s = p->s;
    int begin, end, any = 0;

    tw_series_cells(s, level, g, &begin, &end);
    p->flops = 0;
    for (int c = begin; c < end; c++) {
        if (!tw_has_targets(&s->tree.cell[c])) continue;
        any = 1;
        if (level == 0) {
            mark_cell(p, TW_SERIES_M, 0);
            continue;
        }
        tw_fmm_walk_cell(&s->tree, c, visit, p);
        tw_fmm_walk_large(&s->tree, c, visit, p);
        if (level > s->top) mark_cell(p, TW_SERIES_L, s->tree.cell[c].parent), p->flops += s->flops;
    }
    const struct tw_series_uses uses = take(p);
    if (!uses.id) return TW_E_MEMORY;
    if (any) tw_task_series_down(seq, tw_priority(seq, 3, 4, 1), s, level, g, uses, p->flops * s->nd);
    return 0;
}

/* What a chunk's targets receive: the direct sums first, then the expansions' values. */
static int points(struct tw_sequence *seq, struct plan *p, int chunk, int direct)
{
    const struct tw_series *s = p->s;
    const struct tw_fmm_chunk *c = &s->chunk[chunk];

    if (c->tend == c->tbegin) return 0;
    p->flops = 0;
    for (int k = c->leaf_begin; k < c->leaf_end; k++) {
        const int cell = s->tree.leaf[k];
        const struct tw_fmm_cell *leaf = &s->tree.cell[cell];
        if (!tw_has_targets(leaf)) continue;
        tw_fmm_walk_leaf(&s->tree, cell, direct ? visit_near : visit_m2p, p);
        if (direct || leaf->level < s->top) continue;
        mark_cell(p, TW_SERIES_L, cell);
        p->flops += 6.0 * s->length[leaf->level] * s->nf * (leaf->tend - leaf->tbegin);
    }
    const struct tw_series_uses uses = take(p);
    if (!uses.id) return TW_E_MEMORY;
    if (direct)
        tw_task_series_near(seq, tw_priority(seq, 1, 4, 0), s, chunk, uses, p->flops * s->nd);
    else if (uses.at[TW_SERIES_KINDS])
        tw_task_series_end(seq, tw_priority(seq, 2, 4, 0), s, chunk, uses, p->flops * s->nd);
    return 0;
}

static int near(struct tw_sequence *seq, void *plan, int chunk)
{
    return points(seq, plan, chunk, 1);
}
static int finish(struct tw_sequence *seq, void *plan, int chunk)
{
    return points(seq, plan, chunk, 0);
}

int tw_series_submit_passes(struct tw_sequence *seq, struct tw_series_work *w)
{
    static const struct tw_multipole_passes passes = {up, near, down, finish};
    const struct tw_series *s = &w->s;
    struct plan p = {.w = w, .s = s};
    int e = 0;

    for (int kind = 0; kind < TW_SERIES_KINDS; kind++)
        if (tw_marks_make(&p.marks[kind], tw_max(s->ngroups, s->nchunks))) e = TW_E_MEMORY;
    if (!e) e = tw_multipole_submit(seq, &passes, &p, s->top, s->tree.depth, s->group_at, s->nchunks);
    for (int kind = 0; kind < TW_SERIES_KINDS; kind++)
        tw_marks_free(&p.marks[kind]);
    return e;
}
