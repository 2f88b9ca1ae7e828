/* Tasks of the reduction of a general matrix to Hessenberg form, which lies in whole block columns. */
#ifndef TW_CODELETS_EIGEN_GEHRD_TASKS_H
#define TW_CODELETS_EIGEN_GEHRD_TASKS_H
#include "codelets/eigen/eigen_tasks.h"

/* Columns first ... first + columns - 1, all in one block column of so much width; rows and columns before `last` take
 * part (LAPACK's ihi). */
struct tw_gehrd_panel {
    int first, columns, last, width;
    int place; /* of its tasks: TW_ON_CPUS; or TW_ON_GPU(g), where the whole matrix is one block column */
};
enum { TW_GEHRD_PANEL = 32, TW_GEHRD_PANEL_ON_GPU = 64 }; /* columns, at most */
/* The panel's columns get what LAPACK leaves in them. block: its block column and those behind it that have columns
 * before `last`. tau: elements of all columns. V: (last - first - 1) x k with ones and zeros, T: k x k, zeros below its
 * diagonal, Y = A V T: last x k. */
void tw_task_gehrd_panel(struct tw_sequence *seq, int priority, const struct tw_gehrd_panel *p,
                         struct tw_data *const *block, int blocks, struct tw_data *tau, struct tw_data *V,
                         struct tw_data *T, struct tw_data *Y);
/* A := (I - V T^H V^H)(A - Y V^H) in the columns behind the panel of a block column that begins with that one; those
 * not before `last` from the left alone. */
void tw_task_gehrd_update(struct tw_sequence *seq, int priority, const struct tw_gehrd_panel *p, tw_int column,
                          struct tw_data *V, struct tw_data *T, struct tw_data *Y, struct tw_data *A);

/* LAPACK Working Note 41's count. */
static inline double tw_flops_gehrd(enum tw_type t, double n)
{
    return tw_flop_factor(t) * (10 * n * n * n / 3 - n * n / 2 - 11 * n / 6);
}
#endif
