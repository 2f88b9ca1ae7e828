/* Choices made from the machine profile: tile orders, and when LAPACK alone is best. */
#ifndef TW_RUNTIME_MACHINE_TUNING_H
#define TW_RUNTIME_MACHINE_TUNING_H
#include "runtime/base/types.h"
#include "runtime/machine/rate.h"

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */

/* A problem: the matrix that is factored, or the result, is m x n; k is the inner size of a product, the number of right-hand sides, or 0. */
struct tw_sizes {
    enum tw_type type;
    tw_int m, n, k;
};
/* How a routine's matrices are best cut; its row names it (struct tw_routine). What is NULL or 0 is a Cholesky factorization's. */
struct tw_tuning {
    /* Predicted seconds with tiles of order nb, from the profile: of the orders that are tried, the one with the least is chosen. */
    double (*seconds)(const struct tw_sizes *s, double nb);
    /* Looks at that choice again. In reproducible mode it may go by nothing but sizes and types. NULL: it stands. */
    tw_int (*nb)(const struct tw_sizes *s, tw_int nb);
    /* nb() is about matrices of the library: over users' arrays, whose tiles cores copy to pinned memory, the choice stands. */
    int not_over_arrays;
    /* Columns of the blocks within a panel of nb. NULL: the kernels' own. */
    tw_int (*inner)(enum tw_type type, tw_int nb);
    /* Up to this order LAPACK alone is taken, where nobody measured it: the order of the Cholesky factorization with as many flops. */
    tw_int crossover;
};
/* The defaults; and a product: there is no critical path, so that cores like larger tiles, as long as each has several of the result's. */
extern const struct tw_tuning tw_tuning_factorization, tw_tuning_product;
/* LU and QR, whose panels go column by column: on GPUs narrower tiles, but for large matrices. */
extern const struct tw_tuning tw_tuning_panels;

/* t may be NULL. `source` (may be NULL) says why: "option", "TILEWORK_NB", "reproducible", "profile". */
tw_int tw_choose_nb(const struct tw_tuning *t, const struct tw_sizes *s, const char **source);
/* The same for tiles over a user's array. */
tw_int tw_choose_nb_over_array(const struct tw_tuning *t, const struct tw_sizes *s);
/* 0: the kernels' own. */
tw_int tw_choose_inner(const struct tw_tuning *t, enum tw_type type, tw_int nb);
/* The order up to which LAPACK alone is taken; source: "TILEWORK_CROSSOVER", "reproducible", "default". */
int tw_wants_reproducible(void); /* asked for, whether the library runs or not */
tw_int tw_crossover(const struct tw_tuning *t, enum tw_type type, const char **source);
/* 1 if a problem of this order is better given to LAPACK directly. Starts nothing. */
int tw_prefers_lapack(const struct tw_tuning *t, enum tw_type type, tw_int order);

/* ---- what predictions are made of -------------------------------------------------------------------------------- */

/* Seconds of one kernel of order nb that runs alone: what the critical path is made of. */
double tw_seconds_alone(enum tw_rate rate, enum tw_type type, double flops, double nb);
/* The same as it adds to the work of the machine. */
double tw_seconds_shared(enum tw_rate rate, enum tw_type type, double flops, double nb);
/* What is left of both: the work shared by cores or GPUs, and what nothing hides of the path; tasks: how many. */
double tw_seconds_together(enum tw_type type, double nb, double work, double path, double tasks);
/* 1 if panels are solved as products with the inverse of their diagonal tile: on GPUs, unless TILEWORK_TRSM says otherwise. */
int tw_solve_by_inverse(void);
#pragma GCC visibility pop
#endif
