/* Tasks of bisection (codelets/eigen/stebz.c has the objects). */
#ifndef TW_CODELETS_EIGEN_STEBZ_TASKS_H
#define TW_CODELETS_EIGEN_STEBZ_TASKS_H
#include "codelets/eigen/eigen_tasks.h"

enum { TW_STEBZ_PIECES = 40 };
struct tw_stebz_data {
    struct tw_data *T, *blocks, *head;
};
/* What is known before the values are: how many blocks; eigenvalues to compute, of which the `left_out` smallest, and
 * those after the next `wanted`, are no task's. */
struct tw_stebz_head {
    int64_t blocks, total, left_out, wanted;
};
/* The caller's arrays, LAPACK's w, iblock and isplit; the last two may be NULL. */
struct tw_stebz_results {
    double *w;
    tw_int *iblock, *isplit;
};
/* Doubles in T for order n. */
size_t tw_stebz_length(tw_int n);

/* The matrix with diagonal d and sub-diagonal e, scaled and split, and what of it is wanted. info = n: it is not
 * finite; there are no blocks then. */
void tw_task_stebz_begin(struct tw_sequence *seq, int priority, const struct tw_wanted *wanted, double abstol,
                         struct tw_data *d, struct tw_data *e, const struct tw_stebz_data *x, struct tw_data *info);
/* w (doubles): from place `first` on, as many as w has elements of the eigenvalues to compute. */
void tw_task_stebz(struct tw_sequence *seq, int priority, int first, const struct tw_stebz_data *x, struct tw_data *w);
/* All pieces, times scale, to where they are wanted, in the order 'E' (all ascending) or 'B' (block by block). */
void tw_task_stebz_end(struct tw_sequence *seq, int priority, const struct tw_stebz_head *head, char order,
                       double scale, const struct tw_stebz_data *x, struct tw_data *const *w, int pieces,
                       const struct tw_stebz_results *to);
double tw_flops_stebz(double n, double count);
#endif
