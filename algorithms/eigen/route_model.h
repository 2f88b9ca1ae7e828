/* How long each way of a hermitian eigenvalue problem takes on a machine, and a general matrix' reduction in one stage,
 * from the profile. */
#ifndef TW_ALGORITHMS_EIGEN_ROUTE_MODEL_H
#define TW_ALGORITHMS_EIGEN_ROUTE_MODEL_H
#include <tilework/eigen.h>
#include "runtime/base/types.h"

struct tw_route_problem {
    enum tw_type type;
    double n, columns; /* eigenvectors that are wanted; 0: eigenvalues alone */
    double b;          /* sub-diagonals of the band of two stages */
    int cores, gpus;   /* that work on it */
};
/* Seconds from the call to the result in the caller's tiles, by enum tw_route (TW_ROUTE_AUTO: not used). */
struct tw_route_seconds {
    double at[TW_ROUTE_TWO + 1],
        on_gpu[TW_ROUTE_TWO + 1]; /* cores alone; a GPU with them, INFINITY: there is none, or it never goes there */
};
void tw_route_predict(const struct tw_route_problem *p, struct tw_route_seconds *s);
/* The lesser of both places. */
double tw_route_least(const struct tw_route_seconds *s, enum tw_route route);
/* The route with the least, of nearly equal ones two stages; LAPACK's only up to order `lapack_most`, and where it ends
 * within half a second: a task cannot be cancelled, or looked into. */
enum tw_route tw_route_choose(const struct tw_route_problem *p, const struct tw_route_seconds *s, double lapack_most);

/* A reduction of a general matrix in one stage: what its products with vectors read, one after another, and what its
 * updates compute. */
struct tw_one_stage {
    enum tw_type type;
    double m, n;
    double steps;    /* products, each of which waits for the one before */
    double elements; /* that they read, of all of them */
    double flops;    /* of real numbers, in products of matrices */
};
/* Seconds on cores, and on one GPU with the way there and home. */
void tw_one_stage_predict(const struct tw_one_stage *p, int cores, double *on_cores, double *on_gpu);
#endif
