/* Applying the Q of a reduction to tridiagonal form, from LAPACK's storage: what unmtr and ungtr share. */
#ifndef TW_ALGORITHMS_EIGEN_TRD_APPLY_H
#define TW_ALGORITHMS_EIGEN_TRD_APPLY_H
#include "algorithms/eigen/eigen_loops.h"

/* One application: A, uplo, side, op ('N' or 'C') and C are given. */
struct tw_trd_apply {
    struct tw_sequence *seq;
    enum tw_uplo uplo;
    struct tw_matrix *A;
    struct tw_data *tau, **list;
    int n, b, blocks;
    char side, op;
    struct tw_matrix *C; /* in whole blocks of columns, or rows */
    int identity;        /* that is what C was: what a block does not reach yet is left out */
};

/* A block's reflectors and tau, of Q's order n. */
double tw_trd_bytes(enum tw_type type, tw_int n);
/* 0, or -1 and the sequence has failed; tw_trd_end in any case. */
int tw_trd_begin(struct tw_trd_apply *f, struct tw_matrix *tau);
void tw_trd_end(struct tw_trd_apply *f);
/* C := Q C, Q^H C, C Q or C Q^H. */
void tw_trd_blocks(const struct tw_trd_apply *f);
#endif
