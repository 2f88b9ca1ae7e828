/* The fast multipole method's octree and lists, and the tasks of its passes.
 *
 * Cells of one level are consecutive and in Morton order; TW_FMM_GROUP of them are one data object with their
 * expansions. Points are sorted along the same curve; the points of consecutive leaves form a chunk, one data object
 * for sources, one for targets, one for results. Trees and lists stay in main memory while tasks run (all passes run on
 * CPUs). */
#ifndef TW_CODELETS_NBODY_FMM_H
#define TW_CODELETS_NBODY_FMM_H
#include "runtime/data/data.h"
#include "runtime/task/submit.h"
#include "types/nbody/tables.h"

enum { TW_FMM_GROUP = 64, TW_FMM_DEPTH = 20, TW_FMM_BITS = 21 };

struct tw_fmm_cell {
    int level, at[3];               /* coordinates in units of the cell's side */
    int parent, child, nchild;      /* first child; children are consecutive */
    int sbegin, send, tbegin, tend; /* sources and targets, in sorted order */
    int leaf_begin, leaf_end;       /* leaves below it (itself, if it is one) */
    int near_begin, near_end;       /* in near[]: cells with sources that touch it: of its level, or larger leaves */
};
struct tw_fmm_chunk {
    int leaf_begin, leaf_end, sbegin, send, tbegin, tend;
};
struct tw_fmm_tree {
    double corner[3], side;
    struct tw_fmm_cell *cell;
    int ncells, depth, level_at[TW_FMM_DEPTH + 2];
    int *near, *leaf, nleaves; /* leaf: cell numbers in Morton order */
    int few;                   /* W and X cells with at most so many points are summed directly */
    int periodic;              /* see below */
};
struct tw_fmm {
    struct tw_fmm_tree tree;
    const struct tw_fmm_tables *tables;
    int nd, nf; /* charge vectors; results of each: 1 potential, 4 with the gradient */
    struct tw_fmm_chunk *chunk;
    int nchunks, *chunk_of;                      /* by leaf */
    int group_at[TW_FMM_DEPTH + 2];              /* first group of a level */
    struct tw_data **source, **target, **result; /* by chunk; NULL where there are no points */
    struct tw_data **M, **L;                     /* by group, for levels from 2 on */
};

/* In a periodic tree the root's 26 neighbours are images of itself. Wherever sources are named (near[], visits), number
 * c + k * ncells is image k of cell c, 0 <= k < 27; image 0 is the cell, so that other trees see cell numbers only. */
static inline int tw_fmm_origin(const struct tw_fmm_tree *t, int id)
{
    return id < t->ncells ? id : id % t->ncells;
}
/* Where an image is along an axis: -1, 0 or 1 roots away. */
static inline int tw_fmm_image_shift(const struct tw_fmm_tree *t, int id, int axis)
{
    static const int power[3] = {9, 3, 1};
    return id < t->ncells ? 0 : (id / t->ncells / power[axis] + 1) % 3 - 1;
}
/* The cell with its coordinates there. */
static inline struct tw_fmm_cell tw_fmm_image(const struct tw_fmm_tree *t, int id)
{
    struct tw_fmm_cell c = t->cell[tw_fmm_origin(t, id)];
    for (int k = 0; k < 3; k++)
        c.at[k] += tw_fmm_image_shift(t, id, k) * (1 << c.level);
    return c;
}

static inline int tw_fmm_is_leaf(const struct tw_fmm_cell *c)
{
    return c->nchild == 0;
}
static inline int tw_fmm_group(const struct tw_fmm *f, int cell)
{
    const int level = f->tree.cell[cell].level;
    return f->group_at[level] + (cell - f->tree.level_at[level]) / TW_FMM_GROUP;
}
/* Cells [*begin, *end) of group g, which belongs to `level`. */
static inline void tw_fmm_group_cells(const struct tw_fmm *f, int level, int g, int *begin, int *end)
{
    *begin = f->tree.level_at[level] + (g - f->group_at[level]) * TW_FMM_GROUP;
    *end = (int)tw_min(*begin + TW_FMM_GROUP, f->tree.level_at[level + 1]);
}

/* ---- walk.c: which cells interact, once for planning, once for the work, once for the tests ---------------------- */

enum tw_fmm_kind { TW_FMM_P2P, TW_FMM_M2P, TW_FMM_M2L, TW_FMM_P2L };
/* `source` (an image in periodic trees) acts on `target` in this way; P2P: all leaves below source. */
typedef void (*tw_fmm_visit)(void *context, enum tw_fmm_kind kind, int target, int source);
/* Do two cells touch (or overlap)? */
int tw_fmm_touch(const struct tw_fmm_cell *a, const struct tw_fmm_cell *b);
/* What a leaf's targets receive directly: P2P and M2P. */
void tw_fmm_walk_leaf(const struct tw_fmm_tree *t, int leaf_cell, tw_fmm_visit visit, void *context);
/* What a cell's local expansion receives from cells of its level: M2L; and from larger leaves: P2L. */
void tw_fmm_walk_cell(const struct tw_fmm_tree *t, int cell, tw_fmm_visit visit, void *context);
void tw_fmm_walk_large(const struct tw_fmm_tree *t, int cell, tw_fmm_visit visit, void *context);

/* ---- tables.c ---------------------------------------------------------------------------------------------------- */

/* Tables of order p (kept for the next call); NULL without memory. Give every one back: those unused are freed when
 * others are asked for. */
const struct tw_fmm_tables *tw_fmm_tables_get(int p);
void tw_fmm_tables_put(const struct tw_fmm_tables *t);

/* ---- tasks --------------------------------------------------------------------------------------------------------
 * uses: the ids (groups or chunks), ascending, of the data objects that the task reads; it stays valid until the task
 * has run. flops: an estimate, for progress and traces. */
struct tw_fmm_uses {
    const int *id;
    int n;
};
void tw_task_fmm_p2m(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int level, int group,
                     struct tw_fmm_uses chunks, double flops);
void tw_task_fmm_m2m(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int level, int group,
                     struct tw_fmm_uses children, double flops);
void tw_task_fmm_m2l(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int level, int group,
                     struct tw_fmm_uses groups, double flops);
void tw_task_fmm_p2l(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int level, int group,
                     struct tw_fmm_uses chunks, double flops);
void tw_task_fmm_l2l(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int level, int group,
                     struct tw_fmm_uses parents, double flops);
void tw_task_fmm_p2p(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int chunk,
                     struct tw_fmm_uses chunks, double flops);
void tw_task_fmm_m2p(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int chunk,
                     struct tw_fmm_uses groups, double flops);
void tw_task_fmm_l2p(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int chunk,
                     struct tw_fmm_uses groups, double flops);
#endif
