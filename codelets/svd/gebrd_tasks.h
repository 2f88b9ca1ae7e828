/* Tasks of the one-stage reduction of a general matrix, m x n with m >= n, to bidiagonal form; it lies in whole block
 * columns. */
#ifndef TW_CODELETS_SVD_GEBRD_TASKS_H
#define TW_CODELETS_SVD_GEBRD_TASKS_H
#include "codelets/svd/svd_tasks.h"

/* Rows and columns first ... first + columns - 1, the columns all in one block column of so much width. */
struct tw_gebrd_panel {
    int m, n, first, columns, width;
    int place; /* of its tasks: TW_ON_CPUS; or TW_ON_GPU(g), where the whole matrix is one block column */
};
enum { TW_GEBRD_PANEL = 32, TW_GEBRD_PANEL_ON_GPU = 64 }; /* columns, at most */
/* What a panel leaves: [V X], m - first x 2 k, [Y U], n - first x 2 k, and the adjoint of its rows behind it, n - first
 * - k x k (NULL: none). */
struct tw_gebrd_left {
    struct tw_data *VX, *YU, *rows;
};
/* The panel's columns get what LAPACK leaves in them. block: its block column and those behind it. d, e (real), tauq,
 * taup: of all columns. */
void tw_task_gebrd_panel(struct tw_sequence *seq, int priority, const struct tw_gebrd_panel *p,
                         struct tw_data *const *block, int blocks, struct tw_data *d, struct tw_data *e,
                         struct tw_data *tauq, struct tw_data *taup, const struct tw_gebrd_left *left);
/* A := A - [V X] [Y U]^H in the rows and columns behind the panel of a block column that begins with that one; the
 * panel's rows there become what LAPACK leaves in them. */
void tw_task_gebrd_update(struct tw_sequence *seq, int priority, const struct tw_gebrd_panel *p, tw_int column,
                          const struct tw_gebrd_left *left, struct tw_data *A);
#endif
