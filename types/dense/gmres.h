/* GMRES for one column of a system: the least squares problem with the Hessenberg matrix, kept triangular by rotations
 * (Saad, Schultz, SIAM J. Sci. Stat. Comput. 7, 1986). */
#ifndef TW_TYPES_DENSE_GMRES_H
#define TW_TYPES_DENSE_GMRES_H

enum { TW_GMRES_MOST = 10 }; /* steps before it begins again */

struct tw_gmres_column {
    double r[TW_GMRES_MOST][TW_GMRES_MOST + 1]; /* columns of the triangle */
    double c[TW_GMRES_MOST], s[TW_GMRES_MOST];  /* rotations */
    double g[TW_GMRES_MOST + 1]; /* the right-hand side; the last element is what is left of the residual */
    double first;                /* the residual's length before */
    double steps, done;
};
#endif
