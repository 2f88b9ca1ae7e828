/* QR and LQ by trees of tiles, of matrices of any shape. */
#ifndef TW_ALGORITHMS_DENSE_TREE_H
#define TW_ALGORITHMS_DENSE_TREE_H
#include "algorithms/dense/dense_loops.h"

/* A = Q [R; 0]. A block column is a panel: its tiles from the diagonal one down are cut into domains of so many tiles
 * each. Within a domain the first tile is factored, and its triangle with one tile after the other below it; then the
 * domains' triangles are joined in pairs. R is where LAPACK has it, Q in the rest of A and in T.
 *
 * storev 'R': A = [L 0] Q' by the QR of A^H, whose adjoint A holds: block rows are panels, and what is said of A's rows
 * here is its columns'. Q is A^H's: Q' = Q^H.
 *
 * T has a tile of tw_tpqrt_block() rows for what each tile of A is when it is joined to one above, and below these one
 * for each domain's first tile. */
struct tw_tree {
    struct tw_sequence *seq;
    char storev;
    struct tw_matrix *A, *T; /* A as tw_tree_cut() has it */
    int panels, domain;
    int own; /* T is the loop's */
    struct tw_tree_step *step;
};

/* Whether gels and cholqr take the tree for A: tall (storev 'R': wide), and no GPU, whose panels are kernels of their
 * own. */
int tw_tree_suits(const struct tw_matrix *A, char storev);
/* Elements of T for an m x n matrix in tiles of order nb for these, QR's if it is tall, LQ's if it is wide; 0: the tree
 * is not the way for it. */
double tw_tree_elements(tw_int m, tw_int n, tw_int nb);

/* The order of tiles for a tall or wide m x n matrix, where nb is what panels want: a tree's tasks are of two tiles and
 * like them larger. On two cores, double: 200,000 x 256 took 4.2, 1.8 and 1.7 s with tiles of 96, 128 and 256, 200,000
 * x 64 0.59, 0.31 and 0.41 with 64, 128 and 256, 100,000 x 500 1.6, 1.2 and 1.5 with 128, 256 and 512. */
tw_int tw_tree_nb(const struct tw_sizes *s, tw_int nb);
/* A in tiles as trees take it: its own where it is one tile wide and these are no wider than high, else square ones.
 * NULL: the sequence has failed. */
struct tw_matrix *tw_tree_cut(struct tw_sequence *seq, struct tw_matrix *A, char storev);
/* T's shape. domain: tiles, or 0: as many as suits shape and workers. */
struct tw_tree_shape {
    tw_int m, n, mb, nb;
};
struct tw_tree_shape tw_tree_shape(const struct tw_matrix *A, char storev, tw_int domain);
/* Tiles that A has on top of each other when it is cut. */
int tw_tree_tiles(const struct tw_matrix *A, char storev);
/* Bytes of that, stored as a matrix, for domain 0 and square tiles. */
double tw_tree_bytes(const struct tw_sizes *s, tw_int nb);

/* A is as tw_tree_cut() has it. T as tw_tree_shape() has it, or NULL: one for the loop. 0, or -1 and the sequence has
 * failed; tw_tree_end in any case. */
int tw_tree_begin(struct tw_sequence *seq, struct tw_tree *t, char storev, struct tw_matrix *A, struct tw_matrix *T);
/* Factors A, and X := Q^H X on the way (NULL: none), whose tiles have as many rows as A's. */
void tw_tree_factor_loop(struct tw_tree *t, struct tw_matrix *X);
/* C := op(Q) C ('L': tiles of as many rows as A's) or C op(Q) ('R': tiles of as many columns as A's have rows); op 'N'
 * or 'C'. identity: C is that, and Q C or C Q^H is asked for: what stays zero is left out. */
void tw_tree_apply_loop(const struct tw_tree *t, char side, char op, struct tw_matrix *C, int identity);
void tw_tree_end(struct tw_tree *t);
#endif
