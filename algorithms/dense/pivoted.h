/* QR with column exchanges, for routines that are made of it. */
#ifndef TW_ALGORITHMS_DENSE_PIVOTED_H
#define TW_ALGORITHMS_DENSE_PIVOTED_H
#include "algorithms/dense/dense_loops.h"

/* A P = Q R of A in square tiles; tau: min(m, n) elements in tiles of A's nb. jpvt, a vector of n int32_t: in: columns that are to come first are not 0; out: column j of A P
 * was column jpvt[j] of A, from 1. */
void tw_geqp3_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_data *jpvt, struct tw_matrix *tau);

/* The same with columns from a random sketch; jpvt is the caller's, who gets it when the tasks are done. */
void tw_geqp3_random_loop(struct tw_sequence *seq, struct tw_matrix *A, tw_int *jpvt, struct tw_matrix *tau);

/* The caller's jpvt as such a vector: NULL without memory, and then the sequence has failed. And back: `to` gets it. */
struct tw_data *tw_jpvt_in(struct tw_sequence *seq, tw_int n, const tw_int *jpvt);
void tw_jpvt_out(struct tw_sequence *seq, struct tw_data *vector, tw_int *to);
#endif
