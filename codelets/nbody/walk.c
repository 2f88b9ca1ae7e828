/* Interaction lists, never stored: a cell's follow from its parent's near list (the U, V, W and X lists of Carrier,
 * Greengard and Rokhlin, SIAM J. Sci. Stat. Comput. 9, 1988).
 *
 * near(A) holds the source cells that touch A: of A's level, or larger leaves. Each source point is below exactly one
 * cell that meets A in one of these ways, or met one of A's ancestors so: that is why every pair counts once. */
#include "codelets/nbody/fmm.h"

int tw_fmm_touch(const struct tw_fmm_cell *a, const struct tw_fmm_cell *b)
{
    const struct tw_fmm_cell *big = a->level <= b->level ? a : b, *small = big == a ? b : a;
    const int s = small->level - big->level;
    for (int k = 0; k < 3; k++) {
        const int lo = big->at[k] * (1 << s), hi = (big->at[k] + 1) * (1 << s);
        if (small->at[k] + 1 < lo || small->at[k] > hi) return 0;
    }
    return 1;
}

static int touches(const struct tw_fmm_tree *t, int cell, int id)
{
    if (id < t->ncells) return tw_fmm_touch(&t->cell[cell], &t->cell[id]);
    const struct tw_fmm_cell image = tw_fmm_image(t, id);
    return tw_fmm_touch(&t->cell[cell], &image);
}
static const struct tw_fmm_cell *origin(const struct tw_fmm_tree *t, int id)
{
    return &t->cell[tw_fmm_origin(t, id)];
}
static int sources(const struct tw_fmm_cell *c)
{
    return c->send - c->sbegin;
}

/* B is at least as deep as the leaf A and touches it. */
static void descend(const struct tw_fmm_tree *t, int A, int B, tw_fmm_visit visit, void *context)
{
    const struct tw_fmm_cell *b = origin(t, B);
    const int image = B - tw_fmm_origin(t, B);
    if (tw_fmm_is_leaf(b)) {
        visit(context, TW_FMM_P2P, A, B);
        return;
    }
    for (int c = b->child; c < b->child + b->nchild; c++) {
        const int n = sources(&t->cell[c]);
        if (n == 0) continue;
        if (touches(t, A, c + image))
            descend(t, A, c + image, visit, context);
        else /* W; with few points in it direct sums are cheaper */
            visit(context, n > t->few ? TW_FMM_M2P : TW_FMM_P2P, A, c + image);
    }
}

/* X: leaves that touch a cell's parent but not the cell, seen from the leaf A below it, if the cell is too small for
 * P2L. */
static void from_ancestors(const struct tw_fmm_tree *t, int A, tw_fmm_visit visit, void *context)
{
    for (int C = A; t->cell[C].parent >= 0; C = t->cell[C].parent) {
        const struct tw_fmm_cell *c = &t->cell[C], *parent = &t->cell[c->parent];
        if (c->tend - c->tbegin > t->few) return; /* and so are the ones above */
        for (int k = parent->near_begin; k < parent->near_end; k++)
            if (tw_fmm_is_leaf(origin(t, t->near[k])) && !touches(t, C, t->near[k]))
                visit(context, TW_FMM_P2P, A, t->near[k]);
    }
}

void tw_fmm_walk_leaf(const struct tw_fmm_tree *t, int A, tw_fmm_visit visit, void *context)
{
    const struct tw_fmm_cell *a = &t->cell[A];
    for (int k = a->near_begin; k < a->near_end; k++)
        descend(t, A, t->near[k], visit, context);
    from_ancestors(t, A, visit, context);
}

void tw_fmm_walk_cell(const struct tw_fmm_tree *t, int A, tw_fmm_visit visit, void *context)
{
    const struct tw_fmm_cell *a = &t->cell[A], *parent = a->parent >= 0 ? &t->cell[a->parent] : NULL;

    if (!parent || a->tend == a->tbegin) return;
    for (int k = parent->near_begin; k < parent->near_end; k++) {
        const int B = tw_fmm_origin(t, t->near[k]), image = t->near[k] - B;
        const struct tw_fmm_cell *b = &t->cell[B];
        for (int c = b->child; c < b->child + b->nchild; c++)
            if (sources(&t->cell[c]) > 0 && !touches(t, A, c + image)) visit(context, TW_FMM_M2L, A, c + image);
    }
}

void tw_fmm_walk_large(const struct tw_fmm_tree *t, int A, tw_fmm_visit visit, void *context)
{
    const struct tw_fmm_cell *a = &t->cell[A], *parent = a->parent >= 0 ? &t->cell[a->parent] : NULL;

    if (!parent || a->tend - a->tbegin <= t->few) return;
    for (int k = parent->near_begin; k < parent->near_end; k++) {
        const int b = t->near[k];
        if (tw_fmm_is_leaf(origin(t, b)) && !touches(t, A, b)) visit(context, TW_FMM_P2L, A, b);
    }
}
