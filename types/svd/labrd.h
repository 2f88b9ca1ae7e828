/* A panel of the one-stage reduction to bidiagonal form: some rows and columns of an m x n matrix, m >= n, become
 * bidiagonal, and what is behind them A - [V X] [Y U]^H. */
#ifndef TW_TYPES_SVD_LABRD_H
#define TW_TYPES_SVD_LABRD_H
#include "types/dense/tiles.h"

struct tw_labrd {
    int m, n, first, columns; /* columns of the panel, all of them in the first of the block columns */
    /* of the block columns (the last one may be narrower), of all rows; the first column of the first of them */
    int width, blocks, at_first;
    const struct tw_tile_at *at;
    /* Results. vx: [V X], m - first rows from row first on, yu: [Y U], n - first rows from row first on; V and U with
     * ones and zeros, X and Y only where rows are left. rows: columns of this are the panel's rows behind it, less e's
     * elements conjugated, as LAPACK leaves them: n - first - columns rows, column by column. d, e, tauq, taup: of the
     * panel's columns, e one less at the end. The panel's own columns are as LAPACK leaves them. */
    void *vx, *yu, *rows, *d, *e, *tauq, *taup;
    int ldvx, ldyu, ldrows;
};
#endif
