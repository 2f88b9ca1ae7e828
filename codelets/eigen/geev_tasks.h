/* Tasks of the eigenvalue problem of a general matrix, around its reduction to Hessenberg form. Whole matrices are one tile. */
#ifndef TW_CODELETS_EIGEN_GEEV_TASKS_H
#define TW_CODELETS_EIGEN_GEEV_TASKS_H
#include "codelets/eigen/eigen_tasks.h"
#include "types/eigen/geev.h"

/* A, n x n, is scaled where it has to be, and balanced. scale: a vector of n real numbers; head: of one struct tw_geev_head. */
void tw_task_gebal(struct tw_sequence *seq, int priority, struct tw_data *A, struct tw_data *scale,
                   struct tw_data *head);
/* The Hessenberg matrix H becomes its Schur form, Z (NULL: not wanted) Z times its vectors; wr and wi, n doubles of the caller's, the eigenvalues. state: n + 1 int32, the info and, of each column
 * of H, 0, or 1 and 2 for two that have conjugate eigenvalues. Z may be some of its rows alone, of orders from 512 on; then other tasks, on copies of H, take the others, and those have no wr, wi,
 * state and info (NULL). */
void tw_task_hseqr(struct tw_sequence *seq, int priority, const struct tw_geev_head *head, double *wr, double *wi,
                   struct tw_data *H, struct tw_data *Z, struct tw_data *state, struct tw_data *info);
/* X: eigenvectors of the Schur form T from number `first` on, right ones (side 'R'), rows 0 ... first + X->n - 1, or left ones ('L'), rows `first` ... n - 1. No pair is parted. */
void tw_task_trevc(struct tw_sequence *seq, int priority, char side, int first, struct tw_data *T, struct tw_data *X);
/* V, n x X->n, = Z X, Z of one or two pieces one below the other. */
void tw_task_trevc_back(struct tw_sequence *seq, int priority, char side, int first, struct tw_data *const *Z,
                        int pieces, struct tw_data *X, struct tw_data *V);
/* Eigenvectors of the balanced matrix become those of the matrix itself, of length 1. */
void tw_task_gebak(struct tw_sequence *seq, int priority, char side, int first, const struct tw_geev_head *head,
                   struct tw_data *scale, struct tw_data *state, struct tw_data *V);
#endif
