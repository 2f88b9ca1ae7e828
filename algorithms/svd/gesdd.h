/* Singular values by two stages: what the files of gesdd share. */
#ifndef TW_ALGORITHMS_SVD_GESDD_H
#define TW_ALGORITHMS_SVD_GESDD_H
#include "algorithms/dense/reflectors.h"
#include "algorithms/svd/svd_loops.h"

/* What is reduced, m >= n, in tiles of order nb: A or its adjoint, and how many vectors of each side are wanted.
 * adjoint: it is made of a copy in other tiles. */
struct tw_svd_shape {
    enum tw_type type;
    tw_int m, n, nb, left, right;
    int adjoint;
};
/* Super-diagonals of the band: narrow, stage 2 is short; wide, stage 1's products are fast. */
int tw_svd_band(tw_int n);
/* Is it R of a QR factorization that is reduced? */
static inline int tw_svd_by_qr(tw_int m, tw_int n)
{
    return m >= n + (n + 1) / 2;
}
/* CholeskyQR2, which makes Q itself: no more of its columns than A has are wanted, and A is so tall that its products,
 * twice those of reflectors, are nearly all that is done. */
enum { TW_SVD_TALL = 4, TW_SVD_ROWS = 512 };
static inline int tw_svd_by_cholesky(tw_int m, tw_int n, tw_int left)
{
    return tw_svd_by_qr(m, n) && m >= TW_SVD_TALL * n && m >= TW_SVD_ROWS && left <= n;
}

/* One call. X, m x n with m >= n, is A, or its adjoint: what is reduced. */
struct tw_svd_problem {
    enum tw_type type;
    tw_int m, n, nb; /* nb: of X's tiles */
    int b;
    double scale; /* by which X is multiplied */
    double *s, *superb;
    struct tw_matrix *X;
    struct tw_svd_side left, right; /* X's U and V */
    enum tw_route route;
    int some; /* gesvdx: those that are wanted, and to whom their number is told */
    struct tw_wanted wanted;
    tw_int *ns;
};

/* problem.c: it is CholeskyQR2 that comes first; the sequence fails; a matrix of X's type, NULL: it has failed; *ns is
 * told, and 0, or it has failed, as there is no room; X has a NaN or an infinity, and the results say so. */
int tw_svd_problem_by_cholesky(const struct tw_svd_problem *p);
void tw_svd_no_memory(struct tw_sequence *seq, const char *what);
struct tw_matrix *tw_svd_temporary(struct tw_sequence *seq, const struct tw_svd_problem *p, tw_int m, tw_int n,
                                   tw_int mb, tw_int nb);
int tw_svd_told(struct tw_sequence *seq, const struct tw_svd_problem *p, tw_int count);
void tw_svd_not_finite(struct tw_sequence *seq, const struct tw_svd_problem *p);

/* qr_first.c: X = Q R, and R is what is reduced. */
struct tw_svd_tall {
    struct tw_reflectors r;
    struct tw_matrix *tau, *R;
    int explicit;        /* X is Q, and there are no reflectors; */
    struct tw_matrix *S; /* or X inv(S) is (NULL: it is not so) */
};

/* 0, or -1 and the sequence has failed; tw_svd_tall_end in any case. */
int tw_svd_tall_begin(struct tw_sequence *seq, const struct tw_svd_problem *p, struct tw_svd_tall *t);
void tw_svd_tall_end(struct tw_svd_tall *t);
/* R's vectors, which are given back, become X's: these, or NULL: they are where they go, or the sequence has failed. */
struct tw_matrix *tw_svd_tall_back(struct tw_sequence *seq, const struct tw_svd_problem *p, struct tw_svd_tall *t,
                                   const struct tw_svd_side *side, struct tw_matrix *Z);

/* stages.c: X, or R, to the end by two stages. t, which is given back: NULL, or QR came first. */
void tw_svd_two_stages(struct tw_sequence *seq, const struct tw_svd_problem *p, const struct tw_svd_tall *t);
/* by_lapack.c: by LAPACK's gesdd as one task, as a continuation of X's largest element; X is A's copy, in one tile. */
void tw_svd_by_lapack(struct tw_sequence *seq, const void *value, void *problem);
#endif
