/* A hermitian eigenvalue problem from its band on: what syevd, syevr, sbevd and their like share. */
#ifndef TW_ALGORITHMS_EIGEN_FROM_BAND_H
#define TW_ALGORITHMS_EIGEN_FROM_BAND_H
#include "algorithms/eigen/chase.h"
#include "algorithms/eigen/eigen_loops.h"

/* One problem. */
struct tw_spectrum {
    enum tw_type type;
    tw_int n;
    int b; /* of the band; 0: the matrix is tridiagonal, real, and comes in d and e */
    struct tw_wanted wanted;
    double scale;        /* by which the matrix was multiplied */
    double *w;           /* room for as many eigenvalues as are wanted, for an interval n */
    tw_int *m;           /* how many there are; NULL: not asked for */
    struct tw_matrix *Z; /* their eigenvectors, in its first columns; NULL: values alone */
    int final;           /* Z may go home */
    struct tw_matrix *Q; /* Q2, n x n, goes there; NULL: not asked for */
    struct tw_pencil pencil;
    /* What tw_from_band_begin makes, and tw_from_band_loop or tw_from_band_end gives back. */
    struct tw_band *B;
    struct tw_chase *chase;
    struct tw_data *d, *e;
    struct tw_he2hb q; /* of a caller that keeps a stage 1: what Z is multiplied with at last; panels = 0: nothing */
};
/* 0; or -1, and the sequence has failed. tw_from_band_loop or tw_from_band_end follows in any case. */
int tw_from_band_begin(struct tw_sequence *seq, struct tw_spectrum *p);
/* B is filled by tasks submitted so far (or, where b is 0, d and e are): the rest; p is left empty. */
void tw_from_band_loop(struct tw_sequence *seq, struct tw_spectrum *p);
void tw_from_band_end(struct tw_spectrum *p);

/* S, n rows in whole blocks of columns, has the m wanted eigenvectors of the standard problem: those of the pencil, if
 * there is one, go home to Z. S is given back. */
void tw_leave_vectors(struct tw_sequence *seq, const struct tw_spectrum *p, struct tw_matrix *S);
/* Z cannot hold m eigenvectors: 1, and the sequence has failed. */
int tw_too_many(struct tw_sequence *seq, const struct tw_spectrum *p, tw_int m);
/* The whole problem by LAPACK's syevd as one task (route.c). L: the matrix, its lower triangle in one tile; it is
 * overwritten. Of *p the fields before those that tw_from_band_begin makes count, b and scale do not. */
void tw_lapack_loop(struct tw_sequence *seq, const struct tw_spectrum *p, struct tw_matrix *L);

/* LAPACK's: by what a matrix whose largest element is that is multiplied so that squares of elements are in range. */
double tw_scale_of(enum tw_type type, double norm);
/* The matrix has a NaN or an infinity: that answer, in as many elements of w as there must be. */
void tw_not_finite(struct tw_sequence *seq, tw_int n, struct tw_wanted wanted, double *w, tw_int *m);
#endif
