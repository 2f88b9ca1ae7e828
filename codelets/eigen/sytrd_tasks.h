/* Tasks of the one-stage reduction of a hermitian matrix to tridiagonal form, and of its Q.
 *
 * A is the lower triangle in square tiles. A panel makes some columns tridiagonal, and what is behind them is A - V W^H
 * - W V^H then: he2hb_update's work. Of uplo 'U' rows and columns are counted from the end, which makes LAPACK's upper
 *   form the lower one. */
#ifndef TW_CODELETS_EIGEN_SYTRD_TASKS_H
#define TW_CODELETS_EIGEN_SYTRD_TASKS_H
#include "codelets/eigen/eigen_tasks.h"
#include "types/eigen/sytrd.h"

/* The panel of p->columns columns from p->first on. tile: of the block columns from that one on, the lower triangle,
 * column by column, `tiles` rows of them; order: theirs. d, e, tau: of the whole matrix, n, n - 1 (or more) and n - 1
 * elements; d and e real. VWV: (n - 1 - first) x 3 k, [V W V]. */
void tw_task_latrd(struct tw_sequence *seq, int priority, const struct tw_sytrd_panel *p, int order,
                   struct tw_data *const *tile, int tiles, struct tw_data *d, struct tw_data *e, struct tw_data *tau,
                   struct tw_data *VWV);
/* V's columns from `column` on become the first k of VWV, the rows above them zeros; both end with the same row. */
void tw_task_latrd_keep(struct tw_sequence *seq, int priority, int column, struct tw_data *VWV, int k,
                        struct tw_data *V);
/* A tile of LAPACK's storage gets a panel's part of it: d, e, times scale, and reflectors. */
void tw_task_sytrd_store(struct tw_sequence *seq, int priority, const struct tw_sytrd_panel *p, double scale,
                         struct tw_data *VWV, struct tw_data *d, struct tw_data *e, tw_int row, tw_int column,
                         struct tw_data *A);
/* Columns of V, with ones and zeros, from a panel's reflectors in `count` tiles of a block column of LAPACK's storage,
 * one under the other, the first of which begins at (row, column) and has mb rows. overwrites: they are all of V. */
void tw_task_sytrd_load(struct tw_sequence *seq, int priority, const struct tw_sytrd_panel *p, tw_int row,
                        tw_int column, int mb, struct tw_data *const *tile, int count, struct tw_data *V,
                        int overwrites);
/* d and e times scale into doubles of the caller's, from the end if uplo is 'U'. */
void tw_task_sytrd_leave(struct tw_sequence *seq, int priority, char uplo, double scale, struct tw_data *d,
                         struct tw_data *e, double *to_d, double *to_e);
/* A block of the one into a block of the other, rows and columns in the opposite order. */
void tw_task_lacpy_reversed(struct tw_sequence *seq, int priority, const struct tw_block *block, struct tw_data *A,
                            struct tw_data *B, int overwrites);
/* T of the reflectors V (m x k, with ones and zeros) and k elements of tau, a column, from number `first` on. */
void tw_task_larft_v(struct tw_sequence *seq, int priority, int first, struct tw_data *tau, struct tw_data *V,
                     struct tw_data *T);
/* Z = (I - V op(T) V^H) Z in rows first ... of a whole block of columns (side 'L'), or Z (I - V op(T) V^H) in such
 * columns of a whole block of rows ('R'). op: 'N' or 'C'. */
void tw_task_larfb_side(struct tw_sequence *seq, int priority, char side, char op, tw_int first, struct tw_data *V,
                        struct tw_data *T, struct tw_data *Z);
#endif
