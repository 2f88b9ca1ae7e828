/* The contest of dense routines on square matrices (dense.c), and their calls (dense_calls.c). */
#ifndef BENCH_DENSE_H
#define BENCH_DENSE_H
#include <tilework/tilework.h>

#include "bench/bench.h"
#include "checks/checks.h"

/* What one of a routine's calls works on: the library's matrices, or LAPACK's arrays of leading dimension n. */
struct dense_place {
    enum tw_type type;
    tw_int n, nrhs, nb;
    tw_matrix *A, *second, *B, *X; /* second: pivots or tau */
    tw_int *jpvt;
    int iter; /* of mixed precision */
    void *a, *tau, *b, *x;
    int *ipiv;
};

/* NONE: A alone. */
enum { DENSE_IRS = 100, DENSE_IRS_HALF };
enum dense_second { DENSE_NONE, DENSE_PIVOTS, DENSE_TAU };
struct dense_routine {
    const char *name, *kind; /* of the input, where nothing else is said */
    enum dense_second second;
    int triangle, columns, solves; /* A is stored as its lower triangle; has jpvt; has B, and X where refined */
    int refined;                   /* in lower precision, then corrected: d and z alone */
    double cubes;                  /* flops: so many n^3, and 2 n^2 for each right-hand side */
    const char *plain;             /* the routine whose time it is told by; NULL: none */
    int vendor;                    /* 1 + an enum bench_factorization, DENSE_IRS or DENSE_IRS_HALF, or 0: it has none */
    int device;                    /* also on an array that stays on a GPU */
    int (*own)(struct dense_place *p);
    int (*lapack)(struct dense_place *p);
    /* From the input A and what has come home; NULL: nothing is checked. */
    int (*check)(const struct check_matrix *A, const struct dense_place *p, const void *input_b, double *residual);
};
/* The routine of that name, or NULL; and the k-th, NULL at the end. */
const struct dense_routine *dense_routine(const char *name);
const struct dense_routine *dense_routine_number(int k);
#endif
