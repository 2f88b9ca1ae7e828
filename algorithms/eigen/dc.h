/* Divide and conquer as a tree of tasks, for the eigenvectors of a tridiagonal matrix (stedc.c) and both sides' vectors
 * of a bidiagonal one (algorithms/svd/bdsdc.c): what the two have of their own is a struct tw_dc_method. */
#ifndef TW_ALGORITHMS_EIGEN_DC_H
#define TW_ALGORITHMS_EIGEN_DC_H
#include "algorithms/eigen/eigen_loops.h"
#include "codelets/eigen/stedc_tasks.h"

/* A part of the matrix; its halves are parts 2 p + 1 and 2 p + 2. */
struct tw_dc_subproblem {
    int first, n, halves_done;
    struct tw_data *d;                            /* its values, in the order of the columns */
    struct tw_dc_columns Q[2];                    /* its vectors, of each side */
    struct tw_data *z[2], *head, *plan, *numbers; /* of its merge */
};
struct tw_dc {
    const struct tw_dc_method *method;
    int users;         /* continuations, and the loop: the last one gives it back */
    enum tw_type real; /* of d, which may have been given back before the last merge */
    int n, leaf, parts, depth;
    int first, count; /* of the values in their order: the wanted ones */
    double scale, *w, *superb;
    struct tw_data *d, *e, *norm;
    struct tw_matrix *S[2]; /* where the vectors go; NULL: that side is not asked for */
    struct tw_dc_subproblem part[];
};
struct tw_dc_method {
    const char *name;
    int sides; /* the rows of the last one's vectors make z */
    /* The matrix is brought to the order of 1, and what merges add is taken away. */
    void (*begin)(struct tw_sequence *seq, int priority, const struct tw_dc *t);
    /* d and Q of a part that is not divided. */
    void (*leaf)(struct tw_sequence *seq, int priority, const struct tw_dc *t, const struct tw_dc_subproblem *p);
    /* head, plan and numbers of a merge. */
    void (*deflate)(struct tw_sequence *seq, int priority, const struct tw_dc *t, const struct tw_dc_subproblem *p,
                    const struct tw_dc_subproblem *first, const struct tw_dc_subproblem *second);
    void (*roots)(struct tw_sequence *seq, int priority, int m, int k, int first, struct tw_data *numbers,
                  struct tw_data *lambda, struct tw_data *delta, struct tw_data *part);
    /* How many of the rotations a side does not take. */
    int (*skip)(const struct tw_dc *t, const struct tw_dc_subproblem *p, int side);
    void (*vectors)(struct tw_sequence *seq, int priority, int side, const struct tw_merge_head *head, int n1,
                    struct tw_data *z, struct tw_data *plan, struct tw_data *numbers, struct tw_data *delta,
                    struct tw_data *top, struct tw_data *bottom, struct tw_data *Q);
    /* w, superb and the info from the root's d; order (int32): where the wanted ones are. window, k, width: as
     * tw_task_laed0_order's. */
    void (*order)(struct tw_sequence *seq, int priority, const struct tw_dc *t, struct tw_data *order,
                  struct tw_data *window, int k, int width);
};
/* Values of the matrix with diagonal d and off-diagonal e (real vectors, used up), times scale, into w, and vectors
 * into S, n rows or more in whole blocks of columns: those from number `first` on, as many as S has columns; behind all
 * n columns of the identity. superb: the method's. */
struct tw_dc_problem {
    double scale;
    struct tw_data *d, *e;
    int first;
    double *w, *superb;
    struct tw_matrix *S[2];
};
/* Bytes that it holds, of `wanted` of so many sides' vectors, `columns` each, if nothing is deflated: of parts that are
 * not divided; in the last merge, halves, products' factors and columns; then these alone. 0: there is no merge. some:
 * the vectors themselves, n x columns, are there in the last merge already. */
struct tw_dc_footprint {
    double leaves, merge, merged;
    int some;
};
struct tw_dc_footprint tw_dc_footprint(enum tw_type type, tw_int n, double columns, int sides, int wanted);
void tw_dc_loop(struct tw_sequence *seq, const struct tw_dc_method *method, const struct tw_dc_problem *p);
#endif
