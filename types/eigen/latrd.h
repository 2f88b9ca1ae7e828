/* A panel of the one-stage reduction to tridiagonal form: some columns of a hermitian matrix are made tridiagonal, and
 * V, W say what its rest becomes: A - V W^H - W V^H. */
#ifndef TW_TYPES_EIGEN_LATRD_H
#define TW_TYPES_EIGEN_LATRD_H
#include "types/dense/tiles.h"

struct tw_latrd {
    int n;       /* order of what is left of the matrix, which begins in row and column `skip` of the first tile */
    int columns; /* of the panel, at most n, all of them in the first column of tiles */
    int nb, skip, tiles;         /* order of the tiles; how many rows of them */
    const struct tw_tile_at *at; /* their lower triangle, column by column */
    /* Results. Reflector c is H = I - tau(c) v v^H on the rows c + 1 ... n - 1 of what is left, and v(0) = 1. */
    void *vwv; /* (n - 1) x 3 k with k = min(columns, n - 1), from row 1 on: [V W V] with all zeros and ones */
    int ld;
    void *d, *e, *tau; /* `columns`, k and k elements; d and e real */
};
static inline int tw_latrd_reflectors(const struct tw_latrd *p)
{
    return p->columns < p->n - 1 ? p->columns : p->n - 1;
}
/* Where tile (row, column), row >= column, is in the list. */
static inline int tw_latrd_at(const struct tw_latrd *p, int row, int column)
{
    return column * p->tiles - column * (column - 1) / 2 + row - column;
}
#endif
