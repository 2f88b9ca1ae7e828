/* What both multipole methods cut and keep: chunks of leaves, their data objects, the lists of ids that tasks were given. */
#ifndef TW_ALGORITHMS_NBODY_CHUNKS_H
#define TW_ALGORITHMS_NBODY_CHUNKS_H
#include "algorithms/nbody/nbody_loops.h"

/* Consecutive leaves with some thousand points each: *chunk, *chunk_of (by leaf), both malloc'ed. 0 or TW_E_MEMORY. */
int tw_chunks_make(const struct tw_fmm_tree *t, struct tw_fmm_chunk **chunk, int **chunk_of, int *nchunks);
/* Rows [begin, end) of columns of `total` numbers as a data object; an empty piece has none. 0 or TW_E_MEMORY. */
int tw_chunk_wrap(struct tw_data **d, double *column, tw_int total, int begin, int end, int columns, int chunk);
/* Forgets n of them (keep: what they hold goes home first), and frees the list. */
void tw_chunks_forget(struct tw_data **d, int n, int keep);

struct tw_kept_ids { /* until the routine ends */
    int **list, n, capacity;
};
/* A list of n ids, to be filled in by the caller; NULL: no memory. */
int *tw_keep_ids(struct tw_kept_ids *kept, int n);
void tw_kept_ids_free(struct tw_kept_ids *kept);
/* For qsort of ints. */
int tw_ids_ascending(const void *a, const void *b);
#endif
