/* QR with column exchanges, for routines that are made of it. */
#ifndef TW_ALGORITHMS_DENSE_PIVOTED_H
#define TW_ALGORITHMS_DENSE_PIVOTED_H
#include "algorithms/dense/dense_loops.h"

/* One factorization, block by block: what geqp3 and geqp3rk, which looks after each block whether it was the last, are
 * made of. */
struct tw_pivoted {
    struct tw_sequence *seq;
    struct tw_matrix *A, *tau;
    struct tw_data *jpvt, *fixed, *norms;
    struct tw_data *stop;               /* a struct tw_pivot_stop, or NULL */
    struct tw_data **swap, **grid, **F; /* of each block; lists */
    int blocks;
};
/* 0, or -1 and the sequence has failed; tw_pivoted_end in any case. */
int tw_pivoted_begin(struct tw_pivoted *f, struct tw_sequence *seq, struct tw_matrix *A, struct tw_data *jpvt,
                     struct tw_matrix *tau);
/* Block k's columns and rows, then what it takes from the tiles behind it. -1: the sequence has failed. */
int tw_pivoted_panel(struct tw_pivoted *f, int k);
void tw_pivoted_update(struct tw_pivoted *f, int k);
/* The exchanges of the first `blocks` blocks in the rows above them. */
void tw_pivoted_finish(struct tw_pivoted *f, int blocks);
void tw_pivoted_end(struct tw_pivoted *f);

/* A P = Q R of A in square tiles; tau: min(m, n) elements in tiles of A's nb. jpvt, a vector of n int32_t: in: columns
 * that are to come first are not 0; out: column j of A P was column jpvt[j] of A, from 1. */
void tw_geqp3_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_data *jpvt, struct tw_matrix *tau);

/* Elements that it makes, and bytes, as a row wants them. */
double tw_pivoted_elements(tw_int m, tw_int n, tw_int nb);
double tw_pivoted_bytes(const struct tw_sizes *s, tw_int nb);

/* The same with columns from a random sketch; jpvt is the caller's, which gets it when the tasks are done. */
void tw_geqp3_random_loop(struct tw_sequence *seq, struct tw_matrix *A, tw_int *jpvt, struct tw_matrix *tau);

/* Up to a rank: what may end it, and what is told (geqp3rk). */
struct tw_rank_ends {
    tw_int kmax;
    double abstol, reltol;
    tw_int *k;
    double *maxc2nrmk, *relmaxc2nrmk;
    tw_int *jpvt;
};
/* A struct tw_pivot_stop with these ends; NULL without memory. */
struct tw_data *tw_pivot_stop_of(enum tw_type type, const struct tw_rank_ends *ends);
/* Where it ended, of a matrix with so many rows or columns. */
struct tw_pivot_stop;
void tw_rank_told(const struct tw_rank_ends *ends, const struct tw_pivot_stop *s, tw_int least);
/* geqp3rk of A in square tiles with columns from a random sketch. */
void tw_geqp3rk_random_loop(struct tw_sequence *seq, struct tw_matrix *A, const struct tw_rank_ends *ends,
                            struct tw_matrix *tau);

/* The caller's jpvt as such a vector: NULL without memory, and then the sequence has failed. And back: `to` gets it. */
struct tw_data *tw_jpvt_in(struct tw_sequence *seq, tw_int n, const tw_int *jpvt);
void tw_jpvt_out(struct tw_sequence *seq, struct tw_data *vector, tw_int *to);
/* jpvt of no rows, for which there are no tasks: columns that are to come first do, by LAPACK's exchanges. */
void tw_jpvt_of_no_rows(tw_int n, tw_int *jpvt);
#endif
