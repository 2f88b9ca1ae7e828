/* QR of a matrix that is much taller than wide, by a tree of tiles. */
#ifndef TW_ALGORITHMS_DENSE_TREE_H
#define TW_ALGORITHMS_DENSE_TREE_H
#include "algorithms/dense/dense_loops.h"

/* A = Q [R; 0], A one block column of square-cut tiles (one tile column, A->nb rows a tile, all but the last with n rows or more). R is the upper
 * triangle of the first tile; Q is in the tiles and in T: of each tile, and of the joint above it. */
struct tw_tree {
    struct tw_sequence *seq;
    struct tw_matrix *A;
    struct tw_data **T, **joint;
};
/* Whether the tree is the way for A: tall, one tile wide, and no GPU, whose panels are kernels of their own. */
int tw_tree_suits(const struct tw_matrix *A);
/* Elements that the tree of an m x n matrix in tiles of order nb makes; 0: it is not the way for it. */
double tw_tree_elements(tw_int m, tw_int n, tw_int nb);
/* 0, or -1 and the sequence has failed; tw_tree_end in any case. */
int tw_tree_begin(struct tw_sequence *seq, struct tw_tree *t, struct tw_matrix *A);
/* Factors A, and X := Q^H X on the way (NULL: none), whose tiles have as many rows as A's. */
void tw_tree_factor_loop(struct tw_tree *t, struct tw_matrix *X);
/* X := Q X. */
void tw_tree_apply_loop(const struct tw_tree *t, struct tw_matrix *X);
void tw_tree_end(struct tw_tree *t);
#endif
