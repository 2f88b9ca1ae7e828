/* A panel of the reduction to Hessenberg form: some columns of a matrix become Hessenberg, and V, T and Y = A V T say
 * what its rest becomes: (I - V T^H V^H)(A - Y V^H). */
#ifndef TW_TYPES_EIGEN_LAHR2_H
#define TW_TYPES_EIGEN_LAHR2_H
#include "types/dense/tiles.h"

struct tw_lahr2 {
    int first, columns; /* of the panel, all of them in the first of the block columns */
    int last;           /* rows and columns before `last` take part: LAPACK's ihi */
    /* of the block columns (the last one may be narrower), of all rows; the first column of the first of them */
    int width, blocks, at_first;
    const struct tw_tile_at *at;
    /* Results. V: last - first - 1 rows, from row first + 1 on, with ones and zeros; Y: `last` rows; T upper triangular
     * with zeros below; tau. The panel's own columns are as LAPACK leaves them. */
    void *v, *y, *t, *tau;
    int ldv, ldy, ldt;
};
#endif
