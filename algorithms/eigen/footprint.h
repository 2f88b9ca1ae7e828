/* What problems of eigenvalues and singular values hold at the same time, from the shapes of what their loops make. */
#ifndef TW_ALGORITHMS_EIGEN_FOOTPRINT_H
#define TW_ALGORITHMS_EIGEN_FOOTPRINT_H
#include "runtime/base/types.h"

/* A problem from its band on, or from its tridiagonal or bidiagonal form. In bytes: what was reduced, the matrix, which
 * is gone before the first merge; stage 1's reflectors, and these as they are joined to go back, with whatever else
 * stays until then; the vectors of all wanted sides on their way. */
struct tw_footprint {
    enum tw_type type;
    tw_int n;
    int b, rows;       /* rows of the band's memory, and sub-diagonals; 0: there is no band */
    int sides, wanted; /* of divide and conquer; 0 wanted: values alone */
    double columns;    /* of each wanted side's vectors, as many as are formed */
    double matrix, reflectors, joined, vectors;
};
double tw_footprint_from_band(const struct tw_footprint *h);
/* Is the way back from the band to be late (tw_chase_apply_loop), as its memory and divide and conquer's together are
 * more than half of the GPUs'? By type, n, b, sides, wanted and columns. */
int tw_footprint_late(const struct tw_footprint *h);
/* A triangle of order n in square tiles. */
double tw_footprint_triangle(enum tw_type type, tw_int n, tw_int nb);
#endif
