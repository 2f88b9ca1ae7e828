/* The octree: cells level by level, then each cell's near list. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/nbody/nbody.h"

struct growing {
    int *item, n, capacity;
};

static int push(struct growing *g, int x)
{
    if (g->n == g->capacity) {
        const int capacity = g->capacity ? 2 * g->capacity : 1024;
        int *item = realloc(g->item, (size_t)capacity * sizeof *item);
        if (!item) return TW_E_MEMORY;
        g->item = item;
        g->capacity = capacity;
    }
    g->item[g->n++] = x;
    return 0;
}

/* First index in [begin, end) whose key is not below `key`. */
static int lower_bound(const uint64_t *keys, int begin, int end, uint64_t key)
{
    while (begin < end) {
        const int middle = begin + (end - begin) / 2;
        if (keys[middle] < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static struct tw_fmm_cell *new_cell(struct tw_fmm_tree *t, int *capacity)
{
    if (t->ncells == *capacity) {
        const int more = *capacity ? 2 * *capacity : 1024;
        struct tw_fmm_cell *cell = realloc(t->cell, (size_t)more * sizeof *cell);
        if (!cell) return NULL;
        t->cell = cell;
        *capacity = more;
    }
    return &t->cell[t->ncells++];
}

/* The children of cell c that hold points. base: key of its first place. */
static int split(struct tw_fmm_tree *t, int *capacity, int c, const uint64_t *source, const uint64_t *target)
{
    const struct tw_fmm_cell parent = t->cell[c];
    const int shift = 3 * (TW_FMM_BITS - parent.level - 1);
    const uint64_t key = parent.send > parent.sbegin ? source[parent.sbegin] : target[parent.tbegin],
                   base = key >> (shift + 3) << (shift + 3);
    int s = parent.sbegin, g = parent.tbegin;

    t->cell[c].child = t->ncells;
    for (int k = 0; k < 8; k++) {
        const uint64_t next = base + ((uint64_t)(k + 1) << shift);
        const int s_end = lower_bound(source, s, parent.send, next), t_end = lower_bound(target, g, parent.tend, next);
        if (s_end > s || t_end > g) {
            struct tw_fmm_cell *child = new_cell(t, capacity);
            if (!child) return TW_E_MEMORY;
            *child = (struct tw_fmm_cell){
                .level = parent.level + 1,
                .at = {2 * parent.at[0] + (k >> 2), 2 * parent.at[1] + (k >> 1 & 1), 2 * parent.at[2] + (k & 1)},
                .parent = c,
                .sbegin = s,
                .send = s_end,
                .tbegin = g,
                .tend = t_end};
            t->cell[c].nchild++;
        }
        s = s_end;
        g = t_end;
    }
    return 0;
}

static int make_cells(struct tw_fmm_tree *t, const uint64_t *source, int ns, const uint64_t *target, int nt, int leaf)
{
    int capacity = 0, level = 0;
    struct tw_fmm_cell *root = new_cell(t, &capacity);

    if (!root) return TW_E_MEMORY;
    *root = (struct tw_fmm_cell){.parent = -1, .send = ns, .tend = nt};
    for (;; level++) {
        const int begin = t->level_at[level], end = t->ncells;
        t->level_at[level + 1] = end;
        for (int c = begin; c < end && level < TW_FMM_DEPTH; c++) {
            const struct tw_fmm_cell *cell = &t->cell[c];
            if (cell->send - cell->sbegin <= leaf && cell->tend - cell->tbegin <= leaf) continue;
            const int e = split(t, &capacity, c, source, target);
            if (e) return e;
        }
        if (t->ncells == end) break;
    }
    t->depth = level;
    return 0;
}

static void number_leaves(struct tw_fmm_tree *t, int c)
{
    struct tw_fmm_cell *cell = &t->cell[c];
    cell->leaf_begin = t->nleaves;
    if (tw_fmm_is_leaf(cell)) t->leaf[t->nleaves++] = c;
    for (int k = 0; k < cell->nchild; k++)
        number_leaves(t, cell->child + k);
    cell->leaf_end = t->nleaves;
}

static int touches(const struct tw_fmm_tree *t, const struct tw_fmm_cell *a, int id)
{
    if (id < t->ncells) return tw_fmm_touch(a, &t->cell[id]);
    const struct tw_fmm_cell image = tw_fmm_image(t, id);
    return tw_fmm_touch(a, &image);
}

/* Of cells with targets: what touches them, from what touches their parents. */
static int make_near(struct tw_fmm_tree *t)
{
    struct growing near = {NULL, 0, 0};
    int e = 0;

    for (int c = 0; c < t->ncells && !e; c++) {
        struct tw_fmm_cell *a = &t->cell[c];
        const struct tw_fmm_cell *parent = a->parent >= 0 ? &t->cell[a->parent] : NULL;
        a->near_begin = near.n;
        for (int k = 0; k < (t->periodic ? 27 : 1) && !parent && a->send > 0 && !e; k++)
            e = push(&near, k * t->ncells);
        if (parent && a->tend > a->tbegin)
            for (int k = parent->near_begin; k < parent->near_end && !e; k++) {
                const int b = tw_fmm_origin(t, near.item[k]), image = near.item[k] - b;
                const struct tw_fmm_cell *B = &t->cell[b];
                if (tw_fmm_is_leaf(B)) {
                    if (touches(t, a, b + image)) e = push(&near, b + image);
                    continue;
                }
                for (int d = B->child; d < B->child + B->nchild && !e; d++)
                    if (t->cell[d].send > t->cell[d].sbegin && touches(t, a, d + image)) e = push(&near, d + image);
            }
        a->near_end = near.n;
    }
    t->near = near.item;
    return e;
}

int tw_fmm_tree_make(struct tw_fmm_tree *t, const uint64_t *source, int ns, const uint64_t *target, int nt, int leaf)
{
    int e = make_cells(t, source, ns, target, nt, leaf);
    if (e) return e;
    if (!(t->leaf = malloc((size_t)t->ncells * sizeof *t->leaf))) return TW_E_MEMORY;
    number_leaves(t, 0);
    return make_near(t);
}

void tw_fmm_tree_free(struct tw_fmm_tree *t)
{
    free(t->cell);
    free(t->near);
    free(t->leaf);
    memset(t, 0, sizeof *t);
}
