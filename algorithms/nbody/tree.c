/* The octree: cells level by level, then each cell's near list. Of a level all cells are looked at by parts, as tasks
 * where there are many; what each part found is then numbered in order, so that the tree does not depend on what made
 * it. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/nbody/nbody_loops.h"
#include "codelets/range.h"

enum { GRAIN = 1024 }; /* cells that are worth a task */

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

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* Where the eight parts of a cell's sources and targets begin. */
struct bounds {
    int s[9], t[9];
};
struct cells {
    struct tw_fmm_tree *t;
    const uint64_t *source, *target;
    int leaf, first; /* first: of the level */
    struct bounds *bounds;
};

/* How many children the cells of a level get. */
static void split(void *context, int part, tw_int begin, tw_int end)
{
    const struct cells *w = context;
    (void)part;
    for (tw_int c = begin; c < end; c++) {
        struct tw_fmm_cell *cell = &w->t->cell[w->first + c];
        struct bounds *b = &w->bounds[c];
        if (cell->send - cell->sbegin <= w->leaf && cell->tend - cell->tbegin <= w->leaf) continue;
        const int shift = 3 * (TW_FMM_BITS - cell->level - 1);
        const uint64_t key = cell->send > cell->sbegin ? w->source[cell->sbegin] : w->target[cell->tbegin],
                       base = key >> (shift + 3) << (shift + 3); /* key of the cell's first place */
        b->s[0] = cell->sbegin, b->t[0] = cell->tbegin;
        for (int k = 0; k < 8; k++) {
            const uint64_t next = base + ((uint64_t)(k + 1) << shift);
            b->s[k + 1] = lower_bound(w->source, b->s[k], cell->send, next);
            b->t[k + 1] = lower_bound(w->target, b->t[k], cell->tend, next);
            cell->nchild += b->s[k + 1] > b->s[k] || b->t[k + 1] > b->t[k];
        }
    }
}

/* The children, whose places are known. */
static void make_children(void *context, int part, tw_int begin, tw_int end)
{
    const struct cells *w = context;
    (void)part;
    for (tw_int c = begin; c < end; c++) {
        const struct tw_fmm_cell *parent = &w->t->cell[w->first + c];
        const struct bounds *b = &w->bounds[c];
        struct tw_fmm_cell *child = &w->t->cell[parent->child];
        for (int k = 0; k < 8 && parent->nchild; k++) {
            if (b->s[k + 1] == b->s[k] && b->t[k + 1] == b->t[k]) continue;
            *child++ = (struct tw_fmm_cell){
                .level = parent->level + 1,
                .at = {2 * parent->at[0] + (k >> 2), 2 * parent->at[1] + (k >> 1 & 1), 2 * parent->at[2] + (k & 1)},
                .parent = w->first + (int)c,
                .sbegin = b->s[k],
                .send = b->s[k + 1],
                .tbegin = b->t[k],
                .tend = b->t[k + 1]};
        }
    }
}

/* Numbers for the children of a level's cells, and room for them. */
static int number_children(struct tw_fmm_tree *t, int first, int end)
{
    const tw_int most = INT32_MAX / (t->periodic ? 27 : 1); /* images have numbers, too */
    tw_int n = end;
    struct tw_fmm_cell *cell;

    for (int c = first; c < end; c++) {
        t->cell[c].child = t->cell[c].nchild ? (int)n : 0;
        n += t->cell[c].nchild;
        if (n > most) return TW_E_MEMORY;
    }
    if (!(cell = realloc(t->cell, (size_t)n * sizeof *cell))) return TW_E_MEMORY;
    t->cell = cell;
    t->ncells = (int)n;
    return 0;
}

static int make_level(struct tw_sequence *seq, struct cells *w, int level)
{
    struct tw_fmm_tree *t = w->t;
    const int end = t->ncells, n = end - t->level_at[level];
    int e;

    w->first = t->level_at[level];
    if (!(w->bounds = malloc((size_t)n * sizeof *w->bounds))) return TW_E_MEMORY;
    tw_range_run_by(seq, split, w, n, GRAIN);
    e = number_children(t, w->first, end);
    if (!e && seq) e = tw_loop_status(seq); /* after a failure parts may be missing */
    if (!e && t->ncells > end) tw_range_run_by(seq, make_children, w, n, GRAIN);
    free(w->bounds);
    return !e && seq ? tw_loop_status(seq) : e;
}

static int make_cells(struct tw_sequence *seq, struct tw_fmm_tree *t, const uint64_t *source, int ns,
                      const uint64_t *target, int nt, int leaf)
{
    struct cells w = {.t = t, .source = source, .target = target, .leaf = leaf};
    int e;

    if (!(t->cell = malloc(sizeof *t->cell))) return TW_E_MEMORY;
    t->ncells = 1;
    *t->cell = (struct tw_fmm_cell){.parent = -1, .send = ns, .tend = nt};
    for (int level = 0;; level++) {
        t->depth = level;
        t->level_at[level + 1] = t->ncells;
        if (level == TW_FMM_DEPTH) return 0;
        if ((e = make_level(seq, &w, level))) return e;
        if (t->ncells == t->level_at[level + 1]) return 0;
    }
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

/* ---- near lists -------------------------------------------------------------------------------------------------- */

/* What one part of a level found. */
struct found {
    int *item;
    tw_int n, capacity;
    int failed;
};
struct lists {
    struct tw_fmm_tree *t;
    int first;
    struct found found[TW_RANGE_PARTS];
};

static void push(struct found *f, int x)
{
    if (f->n == f->capacity) {
        const tw_int capacity = f->capacity ? 2 * f->capacity : 4096;
        int *item = realloc(f->item, (size_t)capacity * sizeof *item);
        f->failed |= !item;
        if (!item) return;
        f->item = item;
        f->capacity = capacity;
    }
    f->item[f->n++] = x;
}

static int touches(const struct tw_fmm_tree *t, const struct tw_fmm_cell *a, int id)
{
    const struct tw_fmm_cell *b = &t->cell[tw_fmm_origin(t, id)];
    if (id < t->ncells) return tw_fmm_touch(a, b);
    struct tw_fmm_cell image = {.level = b->level}; /* not all of it: others write the lists' beginnings */
    for (int k = 0; k < 3; k++)
        image.at[k] = b->at[k] + tw_fmm_image_shift(t, id, k) * (1 << b->level);
    return tw_fmm_touch(a, &image);
}

/* What touches a cell, from what touches its parent. */
static void find_near_of(const struct tw_fmm_tree *t, const struct tw_fmm_cell *a, struct found *f)
{
    const struct tw_fmm_cell *parent = &t->cell[a->parent];

    for (int k = parent->near_begin; k < parent->near_end; k++) {
        const int b = tw_fmm_origin(t, t->near[k]), image = t->near[k] - b;
        const struct tw_fmm_cell *B = &t->cell[b];
        if (tw_fmm_is_leaf(B)) {
            if (touches(t, a, b + image)) push(f, b + image);
            continue;
        }
        for (int d = B->child; d < B->child + B->nchild; d++)
            if (t->cell[d].send > t->cell[d].sbegin && touches(t, a, d + image)) push(f, d + image);
    }
}

/* Lists of a part of a level's cells that have targets, numbered from the part's own beginning. */
static void find_near(void *context, int part, tw_int begin, tw_int end)
{
    struct lists *w = context;
    struct found f = {NULL, 0, 0, 0}; /* parts are neighbours in memory: not touched at every step */

    for (tw_int c = begin; c < end; c++) {
        struct tw_fmm_cell *a = &w->t->cell[w->first + c];
        a->near_begin = (int)f.n;
        if (a->tend > a->tbegin) find_near_of(w->t, a, &f);
        a->near_end = (int)f.n;
        f.failed |= f.n > INT32_MAX;
    }
    w->found[part] = f;
}

/* The parts' lists behind those of the levels above. */
static int join(struct lists *w, tw_int cells, tw_int *total)
{
    struct tw_fmm_tree *t = w->t;
    const int parts = tw_range_parts_by(cells, GRAIN);
    tw_int n = *total;
    int failed = 0, *near;

    for (int k = 0; k < parts; k++) {
        n += w->found[k].n;
        failed |= w->found[k].failed;
    }
    if (failed || n > INT32_MAX || !(near = realloc(t->near, (size_t)(n + 1) * sizeof *near))) return TW_E_MEMORY;
    t->near = near;
    for (int k = 0; k < parts; k++) {
        const struct found *f = &w->found[k];
        if (f->n) memcpy(near + *total, f->item, (size_t)f->n * sizeof *near);
        for (tw_int c = cells * k / parts; c < cells * (k + 1) / parts; c++) {
            t->cell[w->first + c].near_begin += (int)*total;
            t->cell[w->first + c].near_end += (int)*total;
        }
        *total += f->n;
    }
    return 0;
}

static int make_near(struct tw_sequence *seq, struct tw_fmm_tree *t)
{
    const int images = t->cell[0].send > 0 ? (t->periodic ? 27 : 1) : 0;
    tw_int total = images;
    int e = 0;

    if (!(t->near = malloc(27 * sizeof *t->near))) return TW_E_MEMORY;
    for (int k = 0; k < images; k++)
        t->near[k] = k * t->ncells;
    t->cell[0].near_end = images;
    for (int level = 1; level <= t->depth && !e; level++) {
        struct lists w = {.t = t, .first = t->level_at[level]};
        const tw_int n = t->level_at[level + 1] - w.first;
        tw_range_run_by(seq, find_near, &w, n, GRAIN);
        e = seq ? tw_loop_status(seq) : 0;
        if (!e) e = join(&w, n, &total);
        for (int k = 0; k < TW_RANGE_PARTS; k++)
            free(w.found[k].item);
    }
    return e;
}

int tw_fmm_tree_make_by_tasks(struct tw_sequence *seq, struct tw_fmm_tree *t, const uint64_t *source, int ns,
                              const uint64_t *target, int nt, int leaf)
{
    int e = make_cells(seq, t, source, ns, target, nt, leaf);
    if (e) return e;
    if (!(t->leaf = malloc((size_t)t->ncells * sizeof *t->leaf))) return TW_E_MEMORY;
    number_leaves(t, 0);
    return make_near(seq, t);
}

int tw_fmm_tree_make(struct tw_fmm_tree *t, const uint64_t *source, int ns, const uint64_t *target, int nt, int leaf)
{
    return tw_fmm_tree_make_by_tasks(NULL, t, source, ns, target, nt, leaf);
}

void tw_fmm_tree_free(struct tw_fmm_tree *t)
{
    free(t->cell);
    free(t->near);
    free(t->leaf);
    memset(t, 0, sizeof *t);
}
