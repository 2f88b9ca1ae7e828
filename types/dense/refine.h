/* Iterative refinement of one right-hand side, between two of its steps. */
#ifndef TW_TYPES_DENSE_REFINE_H
#define TW_TYPES_DENSE_REFINE_H
#include <stdint.h>

struct tw_refined {
    double berr, last; /* the componentwise backward error, and what it was before */
    double xnorm;      /* the largest |re| + |im| of x, once it is final */
    int32_t steps;     /* corrections so far */
    int32_t active;    /* another one is wanted */
};
#endif
