/* GMRES on many right-hand sides, preconditioned with factors of a scaled matrix in single precision: corrections where
 * classical refinement, which multiplies with the same factors, would not converge (Carson, Higham, SIAM J. Sci.
 * Comput. 40, 2018; scalings: Higham, Pranesh, Zounon, SIAM J. Sci. Comput. 41, 2019). Of types d and z. */
#ifndef TW_ALGORITHMS_DENSE_GMRES_H
#define TW_ALGORITHMS_DENSE_GMRES_H
#include "algorithms/dense/refine.h"
#include "types/dense/gmres.h"

struct tw_gmres {
    struct tw_refinement system; /* A's structure; its X is R, its B zeros */
    struct tw_inverse inverse;   /* of diag(rows) A diag(cols) */
    struct tw_matrix *rows, *cols;
    struct tw_matrix *R, *SX; /* residuals, or what belongs to them on the way; the same of single precision */
    struct tw_matrix *zeros, *W, *V, *Z, *state;
    struct tw_data *left;
};
/* What is not there yet, for matrices like X; 0, or -1 without memory. tw_gmres_end in any case. */
int tw_gmres_make(struct tw_gmres *g, const struct tw_matrix *X);
void tw_gmres_end(struct tw_gmres *g);
/* rows and cols: each row's and each column's largest element becomes 1, or, of a positive definite A, the diagonal.
 * info as getrf's and potrf's, where that cannot be. */
void tw_gmres_scalings(struct tw_sequence *seq, const struct tw_gmres *g, const struct tw_matrix *A,
                       struct tw_data *info);
/* Residuals are in R: the first vector. Then a step after the other; behind each a double says whether any column is
 * not done (left). In the end R becomes the correction. */
void tw_gmres_begin(struct tw_sequence *seq, const struct tw_gmres *g);
void tw_gmres_step(struct tw_sequence *seq, const struct tw_gmres *g, int step);
void tw_gmres_correction(struct tw_sequence *seq, const struct tw_gmres *g);
/* Of the state alone: the vectors are as many as a row's shapes say. */
double tw_gmres_bytes(const struct tw_sizes *s, tw_int nb);
#endif
