/* GMRES for one column of a system: the least squares problem with the Hessenberg matrix, kept triangular by rotations
 * (Saad, Schultz, SIAM J. Sci. Stat. Comput. 7, 1986). */
#ifndef TW_TYPES_DENSE_GMRES_H
#define TW_TYPES_DENSE_GMRES_H
#include "types/dense/tiles.h"

enum { TW_GMRES_MOST = 10 }; /* steps before it begins again */

struct tw_gmres_number {
    double re, im; /* 0 of real systems */
};
struct tw_gmres_column {
    struct tw_gmres_number r[TW_GMRES_MOST][TW_GMRES_MOST + 1]; /* columns of the triangle, whose diagonal is real */
    struct tw_gmres_number c[TW_GMRES_MOST];                    /* rotations: (c, s; -s, conj(c)) */
    double s[TW_GMRES_MOST];
    struct tw_gmres_number g[TW_GMRES_MOST + 1]; /* the right-hand side; the last element is what is left of the
                                                  * residual */
    double first;                                /* the residual's length before */
    double steps, done;
};

/* What the tasks of a block column work on. Tiles' lists are on the host. */
struct tw_gmres_block {
    struct tw_tiles x; /* residuals, or what the preconditioner gets or gave; in the end the corrections */
    struct tw_tiles w; /* - A z */
    struct tw_tiles r; /* the rows' scalings, doubles */
    struct tw_gmres_column *state;
    long long ld_state; /* in bytes: of a column's */
    void *v, *z;        /* TW_GMRES_MOST + 1 and TW_GMRES_MOST vectors a column, one behind the other */
    long long ldv, ldz; /* in elements */
};
#endif
