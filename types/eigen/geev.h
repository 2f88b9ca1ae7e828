/* What balancing finds out of a general matrix whose eigenvalues are wanted. */
#ifndef TW_TYPES_EIGEN_GEEV_H
#define TW_TYPES_EIGEN_GEEV_H
#include <stdint.h>

struct tw_geev_head {
    int64_t ilo, ihi, finite; /* finite: the matrix has neither NaN nor infinity */
    double norm, to;          /* the largest element, and what it was made; 0: it was left */
};
#endif
