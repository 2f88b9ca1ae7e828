/* The order in which products fill a matrix C, each of whose tiles is a chain of them.
 *
 * With GPUs C grows by squares: s rows of tiles of the left factor and s columns of the right one are enough for s^2
 * tiles of C, which travel home while the factors' later ones travel in. Chains of the first squares go on side by
 * side, since data arrives link by link; later ones, whose data is there, a few at a time, so that no more than these
 * come home behind the last product. Without GPUs nothing travels: all chains go on side by side, and end together.
 * Source of the bound on the first: a link of q^2 chains needs 2 q tiles, which takes no longer to bring than to
 * multiply from q = 8 R / (B nb) on (an H200: products at R = 57 TF, B = 55 GB/s, tiles of order nb = 1408: q = 6). */
#ifndef TW_ALGORITHMS_DENSE_SQUARES_H
#define TW_ALGORITHMS_DENSE_SQUARES_H
#include "runtime/data/data.h"
#include "runtime/task/submit.h"

/* The factor whose tile (i, j) a product takes: a matrix M ('N'), its transpose or adjoint ('T'), or a symmetric or
 * hermitian M of which that triangle is stored ('L', 'U'). M NULL: no factor. */
struct tw_factor {
    struct tw_matrix *M;
    char stored;
};
static inline int tw_factor_swaps(char stored, int i, int j)
{
    return stored == 'T' || (stored == 'L' && i < j) || (stored == 'U' && i > j);
}
static inline struct tw_data *tw_factor_tile(struct tw_factor f, int i, int j)
{
    return tw_factor_swaps(f.stored, i, j) ? tw_tile(f.M, j, i) : tw_tile(f.M, i, j);
}

struct tw_squares {
    struct tw_sequence *seq;
    const struct tw_matrix *C;
    int mt, nt, links;  /* tiles of C; products of each */
    char part;          /* 'G': all tiles of C, 'L', 'U': those of that triangle */
    int steps, step;    /* squares; C's longer side grows by one tile with each */
    int r0, c0, r1, c1; /* tiles of the square before, and of this one */
    int i, j;           /* the tile whose turn it is */
    int later;          /* tiles behind the first squares so far */
    int group, groups;  /* tiles of one group go on side by side */
    int gpus;
    int asked; /* steps whose factors are on their way */
};

/* For C's tiles, each of so many links; with `part` 'G' C may be any matrix of mt x nt tiles. */
struct tw_squares tw_squares_begin(struct tw_sequence *seq, const struct tw_matrix *C, char part, int links);
/* To the next tile (i, j); 0: there is none. A tile comes after those above it in its column and those before it in
 * its row. */
int tw_squares_next(struct tw_squares *q);
/* Of the k-th link of its chain. */
int tw_squares_priority(const struct tw_squares *q, int k);
/* Where they have to travel and all of it has room: bring tiles of C = L R's factors to the GPUs ahead of the products,
 * in the order of these. To be called for each tile before its products are submitted. */
void tw_squares_fetch(struct tw_squares *q, struct tw_factor L, struct tw_factor R);

#endif
