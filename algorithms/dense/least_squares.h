/* What routines of least squares share: LAPACK's scaling, rows of right-hand sides and solutions. */
#ifndef TW_ALGORITHMS_DENSE_LEAST_SQUARES_H
#define TW_ALGORITHMS_DENSE_LEAST_SQUARES_H
#include "algorithms/dense/dense_loops.h"

/* What a matrix whose largest element is `norm` is multiplied with: elements below smlnum or above its inverse are
 * brought there. NaN and Inf stay what they are. */
double tw_safe_scale(enum tw_type type, double norm);
/* The first rows of `from` become `to`, or `from` becomes the first rows of `to`; both are cut at the same places.
 * overwrites: of `to`, what lies in the same tiles below need not be kept. */
void tw_copy_rows_loop(struct tw_sequence *seq, struct tw_matrix *from, struct tw_matrix *to, int overwrites);
#endif
