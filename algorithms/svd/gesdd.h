/* Singular values by two stages: what the files of gesdd share. */
#ifndef TW_ALGORITHMS_SVD_GESDD_H
#define TW_ALGORITHMS_SVD_GESDD_H
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
#endif
