/* Tasks of the eigenvalue problem of a general matrix, around its reduction to Hessenberg form. Whole matrices are one
 * tile. */
#ifndef TW_CODELETS_EIGEN_GEEV_TASKS_H
#define TW_CODELETS_EIGEN_GEEV_TASKS_H
#include "codelets/eigen/eigen_tasks.h"
#include "types/eigen/geev.h"

/* Where the caller wants these; NULL: nowhere. */
struct tw_gees_to {
    tw_int *sdim;
    double *rconde, *rcondv;
};

/* A, n x n, is scaled where it has to be, and balanced by LAPACK's gebal with that job. scale: a vector of n real
 * numbers; head: of one struct tw_geev_head. to: n doubles of the caller's, which get scale, and then head the 1-norm;
 * NULL: not asked for. */
void tw_task_gebal(struct tw_sequence *seq, int priority, char job, struct tw_data *A, struct tw_data *scale,
                   struct tw_data *head, double *to);
/* The Hessenberg matrix H becomes its Schur form, Z (NULL: not wanted) Z times its vectors; wr and wi, n doubles of the
 * caller's, the eigenvalues. state: n + 1 int32, the info and, of each column of H, 0, or 1 and 2 for two that have
 * conjugate eigenvalues. Z may be some of its rows alone, of orders from 512 on; then other tasks, on copies of H, take
 * the others, and those have no wr, wi, state and info (NULL). */
void tw_task_hseqr(struct tw_sequence *seq, int priority, const struct tw_geev_head *head, double *wr, double *wi,
                   struct tw_data *H, struct tw_data *Z, struct tw_data *state, struct tw_data *info);
/* X: eigenvectors of the Schur form T from number `first` on, right ones (side 'R'), rows 0 ... first + X->n - 1, or
 * left ones ('L'), rows `first` ... n - 1. No pair is parted. */
void tw_task_trevc(struct tw_sequence *seq, int priority, char side, int first, struct tw_data *T, struct tw_data *X);
/* V, n x X->n, = Z X, Z of one or two pieces one below the other. */
void tw_task_trevc_back(struct tw_sequence *seq, int priority, char side, int first, struct tw_data *const *Z,
                        int pieces, struct tw_data *X, struct tw_data *V);
/* Eigenvectors of the balanced matrix become those of the matrix itself, of length 1. */
void tw_task_gebak(struct tw_sequence *seq, int priority, char side, int first, const struct tw_geev_head *head,
                   struct tw_data *scale, struct tw_data *state, struct tw_data *V);
/* Condition numbers of the Schur form T's eigenvalues (sense 'E'), eigenvectors ('V') or both ('B') from number `first`
 * on, `count` of them, which part no pair, into s and sep (doubles of the caller's, all n of them; NULL: not wanted),
 * sep times `factor`. For eigenvalues VL and VR have these eigenvectors, of T or of a matrix unitarily similar to it;
 * else NULL. */
void tw_task_trsna(struct tw_sequence *seq, int priority, char sense, int first, int count, struct tw_data *T,
                   struct tw_data *VL, struct tw_data *VR, double factor, double *s, double *sep);
/* What gees does behind the QR iteration, which left the Schur form T of the balanced matrix, its vectors Z (NULL: not
 * wanted), state and wr and wi: the eigenvalues that are selected come first, Z becomes the original matrix' and T is
 * scaled back. to: the caller's. The info may become LAPACK's n + 1 or n + 2. */
void tw_task_trsen(struct tw_sequence *seq, int priority, const struct tw_geev_head *head,
                   const struct tw_gees_order *order, double *wr, double *wi, struct tw_gees_to to, struct tw_data *T,
                   struct tw_data *Z, struct tw_data *scale, struct tw_data *state, struct tw_data *info);
#endif
