/* QR with columns chosen from a random sketch, block by block: what geqp3_random and geqp3rk_random, which looks after
 * each block whether it was the last, are made of. */
#ifndef TW_ALGORITHMS_DENSE_PIVOTED_RANDOM_H
#define TW_ALGORITHMS_DENSE_PIVOTED_RANDOM_H
#include "algorithms/dense/reflectors.h"

struct tw_sketched {
    struct tw_reflectors r;
    struct tw_matrix *A, *tau, *X, *S, *W; /* in square tiles; W: what elimination overwrites */
    struct tw_target on_A, on_X;
    struct tw_data *jpvt, *info;   /* that one's own */
    tw_int fixed;                  /* columns that come first, in front by then */
    int first;                     /* the first block that has a choice */
    struct tw_data **swap, **list; /* of each block; some tiles */
    double *panel;                 /* bottom levels: seconds from panel k to the end; [blocks]: 0 */
    double step;                   /* about: products that a block column waits for between two panels */
};
/* What it makes: block reflectors, X, S and W, and what these reflectors are applied to A and X with. */
#define TW_SKETCHED_SHAPES "2lb mb 2nb 2bn 2fn 2bb 2fb"
/* Columns whose jpvt is not 0 come first (NULL: none). 0, and the first sketch is submitted; or -1 and the sequence has
 * failed. tw_sketched_end in any case. */
int tw_sketched_begin(struct tw_sketched *f, struct tw_sequence *seq, struct tw_matrix *A, const tw_int *jpvt,
                      struct tw_matrix *tau);
/* Block k's columns, and what it does to those behind it. -1: the sequence has failed. */
int tw_sketched_block(struct tw_sketched *f, int k);
/* The exchanges of the first `blocks` blocks in the rows above them. */
void tw_sketched_finish(struct tw_sketched *f, int blocks);
void tw_sketched_end(struct tw_sketched *f);
#endif
