/* What balancing finds out of a general matrix whose eigenvalues are wanted, and how its Schur form is put in order. */
#ifndef TW_TYPES_EIGEN_GEEV_H
#define TW_TYPES_EIGEN_GEEV_H
#include <stdint.h>

struct tw_geev_head {
    int64_t ilo, ihi, finite; /* finite: the matrix has neither NaN nor infinity */
    int64_t job;              /* LAPACK's letter: 'N' nothing, 'P' permutes, 'S' scales, 'B' both */
    double norm, to;          /* the largest element, and what it was made; 0: it was left */
    double one;               /* the 1-norm of the balanced matrix, of A as it was; 0: not asked for */
};

/* Which eigenvalues come first (NULL: any order), and which condition numbers are wanted: LAPACK's letter, 'N':
 * none. */
struct tw_gees_order {
    int (*select)(void *user, double wr, double wi);
    void *user;
    char sense;
};
/* What became of it: eigenvalues that were selected, and the condition numbers. */
struct tw_gees_found {
    int64_t sdim;
    double rconde, rcondv;
};
#endif
