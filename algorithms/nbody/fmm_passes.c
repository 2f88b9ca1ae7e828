/* The fast multipole method's data objects and its passes.
 *
 *   up      P2M, M2M            deepest level first: a group's multipole expansions
 *   near    P2P                 a chunk's direct sums, at any time
 *   down    M2L, P2L, L2L       level 2 first: a group's local expansions
 *   end     M2P, L2P            added to the chunk's results
 *
 * A task is told which groups or chunks it reads; it finds the lists themselves by walking the tree again. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/nbody/fmm.h"

/* ---- objects ----------------------------------------------------------------------------------------------------- */

static int wrap_chunks(struct tw_fmm_work *w, tw_int ns)
{
    struct tw_fmm *f = &w->f;
    const struct tw_point_columns source = {w->source, ns, 3 + f->nd}, target = {w->target, w->targets, 3},
                                  result = {w->result, w->targets, f->nd * f->nf};
    int e = tw_chunks_wrap(f->chunk, f->nchunks, 0, source, &f->source);

    if (!e) e = tw_chunks_wrap(f->chunk, f->nchunks, 1, target, &f->target);
    return e ? e : tw_chunks_wrap(f->chunk, f->nchunks, 1, result, &f->result);
}

static int wrap_groups(struct tw_fmm_work *w)
{
    struct tw_fmm *f = &w->f;
    const struct tw_fmm_tree *t = &f->tree;
    const int length = f->nd * f->tables->stride;
    const size_t cells = (size_t)t->ncells;
    int e = 0;

    w->ngroups = tw_groups_count(t, f->group_at);
    f->M = calloc((size_t)w->ngroups, sizeof *f->M);
    f->L = calloc((size_t)w->ngroups, sizeof *f->L);
    if (!f->M || !f->L ||
        !(w->expansions = tw_pool_alloc(w->expansion_bytes = 2 * cells * (size_t)length * sizeof(double))))
        return TW_E_MEMORY;
    for (int level = 2; level <= t->depth; level++)
        for (int g = f->group_at[level]; g < f->group_at[level + 1] && !e; g++) {
            int begin, end;
            tw_fmm_group_cells(f, level, g, &begin, &end);
            double *M = w->expansions + (size_t)begin * (size_t)length;
            e = tw_group_wrap(f->M, f->L, M, M + cells * (size_t)length, length, end - begin, level, g);
        }
    return e;
}

int tw_fmm_objects_make(struct tw_fmm_work *w)
{
    int e = tw_chunks_make(&w->f.tree, &w->f.chunk, &w->f.chunk_of, &w->f.nchunks);
    if (!e) e = wrap_chunks(w, w->f.tree.cell[0].send);
    return e ? e : wrap_groups(w);
}

void tw_fmm_objects_free(struct tw_fmm_work *w)
{
    struct tw_fmm *f = &w->f;

    tw_chunks_forget(f->source, f->nchunks, 0), tw_chunks_forget(f->target, f->nchunks, 0),
        tw_chunks_forget(f->result, f->nchunks, 1);
    tw_chunks_forget(f->M, w->ngroups, 0), tw_chunks_forget(f->L, w->ngroups, 0);
    f->source = f->target = f->result = f->M = f->L = NULL;
    tw_kept_ids_free(&w->uses);
    if (w->expansions) tw_pool_free(w->expansions, w->expansion_bytes);
    free(f->chunk), free(f->chunk_of);
    w->expansions = NULL, f->chunk = NULL, f->chunk_of = NULL;
}

/* ---- what a task reads ------------------------------------------------------------------------------------------- */

struct plan {
    struct tw_fmm_work *w;
    const struct tw_fmm *f;
    struct tw_marks marks;
    double points; /* pairs of points, or points, or translations: what the flops are made of */
};

static void mark(struct plan *p, int id)
{
    tw_mark(&p->marks, id);
}
static void mark_sources(struct plan *p, const struct tw_fmm_cell *c)
{
    tw_mark_sources(&p->marks, p->f->chunk_of, p->f->source, c);
}

/* What was marked since the last call, kept until the routine ends. n < 0: no memory. */
static struct tw_fmm_uses take(struct plan *p)
{
    int *id = tw_keep_ids(&p->w->uses, p->marks.n);

    if (!id) return (struct tw_fmm_uses){NULL, -1};
    const int n = tw_marks_take(&p->marks, id);
    return (struct tw_fmm_uses){id, n};
}

static void mark_near(void *context, enum tw_fmm_kind kind, int target, int source)
{
    struct plan *p = context;
    const struct tw_fmm_cell *a = &p->f->tree.cell[target], *b = &p->f->tree.cell[source];
    if (kind != TW_FMM_P2P) return;
    mark_sources(p, b);
    p->points += (double)(a->tend - a->tbegin) * (b->send - b->sbegin);
}
static void mark_m2p(void *context, enum tw_fmm_kind kind, int target, int source)
{
    struct plan *p = context;
    if (kind != TW_FMM_M2P) return;
    mark(p, tw_fmm_group(p->f, source));
    p->points += p->f->tree.cell[target].tend - p->f->tree.cell[target].tbegin;
}
static void mark_p2l(void *context, enum tw_fmm_kind kind, int target, int source)
{
    struct plan *p = context;
    const struct tw_fmm_cell *b = &p->f->tree.cell[source];
    (void)kind, (void)target;
    mark_sources(p, b);
    p->points += b->send - b->sbegin;
}

/* Groups that a cell's M2L may read: the children of what touches its parent (a few too many: no list is made here). */
static void mark_m2l(struct plan *p, const struct tw_fmm_cell *parent)
{
    const struct tw_fmm_tree *t = &p->f->tree;
    for (int k = parent->near_begin; k < parent->near_end; k++) {
        const struct tw_fmm_cell *b = &t->cell[t->near[k]];
        if (tw_fmm_is_leaf(b)) continue;
        mark(p, tw_fmm_group(p->f, b->child));
        mark(p, tw_fmm_group(p->f, b->child + b->nchild - 1));
        p->points += b->nchild * (189.0 / 216) * parent->nchild;
    }
}

/* ---- passes ------------------------------------------------------------------------------------------------------ */

static double translation_flops(const struct tw_fmm *f)
{
    const double p = f->tables->p + 1;
    return 4 * p * p * p * f->nd; /* turns 2 x 4/3 p^3, shift 4/3 p^3 */
}

static int up(struct tw_sequence *seq, void *plan, int level, int g)
{
    struct plan *p = plan;
    const struct tw_fmm *f = p->f;
    const int priority = tw_priority(seq, 4, 4, 1);
    int begin, end, any = 0, inner = 0;
    struct tw_fmm_uses uses;

    tw_fmm_group_cells(f, level, g, &begin, &end);
    p->points = 0;
    for (const struct tw_fmm_cell *c = &f->tree.cell[begin]; c < &f->tree.cell[end]; c++) {
        if (!tw_has_sources(c)) continue;
        any = 1;
        if (tw_fmm_is_leaf(c)) mark_sources(p, c), p->points += c->send - c->sbegin;
    }
    if (!any) return 0;
    if ((uses = take(p)).n < 0) return TW_E_MEMORY;
    tw_task_fmm_p2m(seq, priority, f, level, g, uses, 6.0 * p->points * f->tables->nc * f->nd);
    for (const struct tw_fmm_cell *c = &f->tree.cell[begin]; c < &f->tree.cell[end]; c++)
        for (int k = c->child; k < c->child + c->nchild; k++)
            if (tw_has_sources(&f->tree.cell[k])) mark(p, tw_fmm_group(f, k)), inner++;
    if (!inner) return 0;
    if ((uses = take(p)).n < 0) return TW_E_MEMORY;
    tw_task_fmm_m2m(seq, priority, f, level, g, uses, inner * translation_flops(f));
    return 0;
}

static int down(struct tw_sequence *seq, void *plan, int level, int g)
{
    struct plan *p = plan;
    const struct tw_fmm *f = p->f;
    const struct tw_fmm_tree *t = &f->tree;
    const int priority = tw_priority(seq, 3, 4, 1);
    int begin, end, parent = -1, any = 0;
    struct tw_fmm_uses uses;

    tw_fmm_group_cells(f, level, g, &begin, &end);
    p->points = 0;
    for (int c = begin; c < end; c++) {
        any |= tw_has_targets(&t->cell[c]);
        if (t->cell[c].parent != parent && tw_has_targets(&t->cell[c]))
            mark_m2l(p, &t->cell[parent = t->cell[c].parent]);
    }
    if ((uses = take(p)).n < 0) return TW_E_MEMORY;
    if (!any) return 0;
    tw_task_fmm_m2l(seq, priority, f, level, g, uses, p->points * translation_flops(f));
    p->points = 0;
    for (int c = begin; c < end; c++)
        tw_fmm_walk_large(t, c, mark_p2l, p);
    if ((uses = take(p)).n < 0) return TW_E_MEMORY;
    if (uses.n) tw_task_fmm_p2l(seq, priority, f, level, g, uses, 8 * p->points * f->tables->nc * f->nd);
    if (level == 2) return 0;
    for (int c = begin; c < end; c++)
        if (tw_has_targets(&t->cell[c])) mark(p, tw_fmm_group(f, t->cell[c].parent));
    if ((uses = take(p)).n < 0) return TW_E_MEMORY;
    tw_task_fmm_l2l(seq, priority, f, level, g, uses, (end - begin) * translation_flops(f));
    return 0;
}

static int near(struct tw_sequence *seq, void *plan, int chunk)
{
    struct plan *p = plan;
    const struct tw_fmm *f = p->f;
    const struct tw_fmm_chunk *c = &f->chunk[chunk];
    struct tw_fmm_uses uses;

    if (c->tend == c->tbegin) return 0;
    p->points = 0;
    for (int k = c->leaf_begin; k < c->leaf_end; k++)
        if (tw_has_targets(&f->tree.cell[f->tree.leaf[k]])) tw_fmm_walk_leaf(&f->tree, f->tree.leaf[k], mark_near, p);
    if ((uses = take(p)).n < 0) return TW_E_MEMORY;
    tw_task_fmm_p2p(seq, tw_priority(seq, 1, 4, 0), f, chunk, uses, (f->nf == 1 ? 10 : 20) * p->points * f->nd);
    return 0;
}

static int finish(struct tw_sequence *seq, void *plan, int chunk)
{
    struct plan *p = plan;
    const struct tw_fmm *f = p->f;
    const struct tw_fmm_chunk *c = &f->chunk[chunk];
    const int priority = tw_priority(seq, 2, 4, 0);
    struct tw_fmm_uses uses;
    int deep = 0;

    if (c->tend == c->tbegin) return 0;
    p->points = 0;
    for (int k = c->leaf_begin; k < c->leaf_end; k++)
        if (tw_has_targets(&f->tree.cell[f->tree.leaf[k]])) tw_fmm_walk_leaf(&f->tree, f->tree.leaf[k], mark_m2p, p);
    if ((uses = take(p)).n < 0) return TW_E_MEMORY;
    if (uses.n) tw_task_fmm_m2p(seq, priority, f, chunk, uses, 6 * p->points * f->tables->nc * f->nd);
    for (int k = c->leaf_begin; k < c->leaf_end; k++) {
        const struct tw_fmm_cell *leaf = &f->tree.cell[f->tree.leaf[k]];
        if (leaf->level >= 2 && tw_has_targets(leaf)) mark(p, tw_fmm_group(f, f->tree.leaf[k])), deep = 1;
    }
    if ((uses = take(p)).n < 0) return TW_E_MEMORY;
    if (deep)
        tw_task_fmm_l2p(seq, priority, f, chunk, uses, 6.0 * (c->tend - c->tbegin) * f->tables->nc * f->nd * f->nf);
    return 0;
}

int tw_fmm_submit_passes(struct tw_sequence *seq, struct tw_fmm_work *w)
{
    static const struct tw_multipole_passes passes = {up, near, down, finish};
    const struct tw_fmm *f = &w->f;
    struct plan p = {.w = w, .f = f};
    int e = tw_marks_make(&p.marks, tw_max(w->ngroups, f->nchunks));

    if (!e) e = tw_multipole_submit(seq, &passes, &p, 2, f->tree.depth, f->group_at, f->nchunks);
    tw_marks_free(&p.marks);
    return e;
}

double tw_fmm_flops(const struct tw_fmm_problem *q)
{
    const double p = q->order + 1, n = (double)(q->source.n + q->target.n), leaf = tw_fmm_leaf(q->order, 1);
    return (double)q->nd * n * (27 * leaf * 10 + 189 / leaf * 4 * p * p * p + 12 * p * p);
}
