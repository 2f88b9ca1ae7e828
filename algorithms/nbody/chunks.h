/* What both multipole methods share: chunks of leaves and groups of cells, their data objects, what tasks read, and the
 * order of passes. */
#ifndef TW_ALGORITHMS_NBODY_CHUNKS_H
#define TW_ALGORITHMS_NBODY_CHUNKS_H
#include "algorithms/nbody/nbody_loops.h"

/* Consecutive leaves with some thousand points each: *chunk, *chunk_of (by leaf), both malloc'ed. 0 or TW_E_MEMORY. */
int tw_chunks_make(const struct tw_fmm_tree *t, struct tw_fmm_chunk **chunk, int **chunk_of, int *nchunks);
/* A number for each point in each column, all sources' or all targets'. */
struct tw_point_columns {
    double *at;
    tw_int points;
    int columns;
};
/* Each chunk's sources, or targets, as a data object (NULL: it has none) of *list, which is malloc'ed. 0 or
 * TW_E_MEMORY. */
int tw_chunks_wrap(const struct tw_fmm_chunk *chunk, int nchunks, int targets, struct tw_point_columns of,
                   struct tw_data ***list);
/* TW_FMM_GROUP cells of one level are a group: group_at[level] becomes a level's first, group_at[depth + 1] and the
 * result how many there are. */
int tw_groups_count(const struct tw_fmm_tree *t, int *group_at);
/* Group g's multipole and local expansions, `length` numbers for each of its cells. 0 or TW_E_MEMORY. */
int tw_group_wrap(struct tw_data **M, struct tw_data **L, double *multipole, double *local, int length, int cells,
                  int level, int g);
/* Forgets n of them (keep: what they hold goes home first), and frees the list. */
void tw_chunks_forget(struct tw_data **d, int n, int keep);

struct tw_kept_ids { /* until the routine ends */
    int **list, n, capacity;
};
/* A list of n ids, to be filled in by the caller; NULL: no memory. */
int *tw_keep_ids(struct tw_kept_ids *kept, int n);
void tw_kept_ids_free(struct tw_kept_ids *kept);

/* Ids below a limit that are marked once each. */
struct tw_marks {
    char *marked;
    int *list, n;
};
/* 0 or TW_E_MEMORY; tw_marks_free in any case. */
int tw_marks_make(struct tw_marks *m, int limit);
void tw_marks_free(struct tw_marks *m);
static inline void tw_mark(struct tw_marks *m, int id)
{
    if (m->marked[id]) return;
    m->marked[id] = 1;
    m->list[m->n++] = id;
}
/* Chunks with sources below a cell; `source` has the chunks' objects. */
static inline void tw_mark_sources(struct tw_marks *m, const int *chunk_of, struct tw_data *const *source,
                                   const struct tw_fmm_cell *c)
{
    for (int k = chunk_of[c->leaf_begin]; k <= chunk_of[c->leaf_end - 1]; k++)
        if (source[k]) tw_mark(m, k);
}
/* The marked ones in ascending order to `id` (NULL: nowhere), and none is marked any more. How many they were. */
int tw_marks_take(struct tw_marks *m, int *id);

static inline int tw_has_sources(const struct tw_fmm_cell *c)
{
    return c->send > c->sbegin;
}
static inline int tw_has_targets(const struct tw_fmm_cell *c)
{
    return c->tend > c->tbegin;
}

/* What submits a group's or a chunk's tasks: 0 or an error. */
typedef int (*tw_group_fn)(struct tw_sequence *seq, void *plan, int level, int g);
typedef int (*tw_chunk_fn)(struct tw_sequence *seq, void *plan, int chunk);
struct tw_multipole_passes {
    tw_group_fn up;   /* deepest level first: multipole expansions */
    tw_chunk_fn near; /* direct sums, at any time */
    tw_group_fn down; /* from level `top` on: local expansions */
    tw_chunk_fn end;  /* both expansions, added to the chunk's results */
};
/* All of them, up to the first error. */
int tw_multipole_submit(struct tw_sequence *seq, const struct tw_multipole_passes *passes, void *plan, int top,
                        int depth, const int *group_at, int nchunks);
#endif
