/* Tasks of the two-stage reduction of a general matrix to bidiagonal form, and of what follows it.
 *
 * A is m x n, m >= n, in square tiles. Step p of stage 1 begins at (c, c), c = p b. Its columns c ... c + k - 1 from
 * row c down are factored, Q R with Q = I - V T V^H, and A becomes Q^H A = A - V X^H, X = A^H V T; then its rows c ...
 * c + k - 1 from column c + k on, as their adjoint G, Q' L^H with Q' = I - W S W^H, and A becomes A Q' = A - Y W^H, Y =
 * A W S. R and L are the band's. Both updates of what is left, from (c + k, c + k) on, are one, A - [V Y] [X W]^H, and
 * the next step's column and row are taken out of the tiles before it is made. All objects but A's tiles are whole: V
 * has m - c rows, G, X and W have n - c - k, Y has m - c - k. */
#ifndef TW_CODELETS_SVD_SVD_TASKS_H
#define TW_CODELETS_SVD_SVD_TASKS_H
#include "codelets/dense/dense_tasks.h"
#include "codelets/eigen/band.h"
#include "codelets/eigen/eigen_tasks.h"
#include "types/eigen/merge.h"
#include "codelets/eigen/chase_tasks.h"

/* What the step before has left to do: [V Y] and [X W], whose first rows are row and column c of A; both NULL: there
 * was none. */
struct tw_ge2tb_pending {
    struct tw_data *VY, *XW;
};

/* P becomes columns of A, whose tiles from that on the diagonal down are given and of which `skip` columns (and rows of
 * the first one) come before, less what is pending. */
void tw_task_ge2tb_column(struct tw_sequence *seq, int priority, int skip, struct tw_data *const *tile, int count,
                          const struct tw_ge2tb_pending *pending, struct tw_data *P);
/* G becomes the adjoint of k rows of A, whose tiles from that on the diagonal to the right are given and of which
 * `skip` rows (and skip + k columns) come before, less what is pending. */
void tw_task_ge2tb_row(struct tw_sequence *seq, int priority, int skip, struct tw_data *const *tile, int count,
                       const struct tw_ge2tb_pending *pending, int k, struct tw_data *G);
/* X = (A^H V) T, from A^H V in pieces without the rows in G; then G's rows are updated: G - X V^H. XW: n - c - k rows,
 * X goes into its first columns. */
void tw_task_ge2tb_x(struct tw_sequence *seq, int priority, struct tw_data *const *X, int count, struct tw_data *G,
                     struct tw_data *V, struct tw_data *T, struct tw_data *XW);
/* VY = [V Y] without V's first k rows, Y = (A W - V (X^H W)) S, from A W in pieces; XW gets W. */
void tw_task_ge2tb_y(struct tw_sequence *seq, int priority, struct tw_data *const *Y, int count, struct tw_data *V,
                     struct tw_data *W, struct tw_data *S, struct tw_data *XW, struct tw_data *VY);
/* A = A - [V Y] [X W]^H: one tile. before: rows of both before t->first. */
void tw_task_ge2tb_update(struct tw_sequence *seq, int priority, const struct tw_trailing *t, int before,
                          const struct tw_ge2tb_pending *pending, struct tw_data *A);
/* Columns column ... of the band: R, the upper triangle of P, and right of it L, the adjoint of G's upper trapezoid
 * (NULL: P is the last). */
void tw_task_ge2tb_store(struct tw_sequence *seq, int priority, tw_int column, struct tw_data *P, struct tw_data *G,
                         struct tw_band *B);

/* Task (S, J) of bulge chasing from a triangular band, and all of groups S ... S + groups - 1, at most
 * tw_tb2bd_sweeps_most, as one task: as hb2st's (codelets/eigen/chase_tasks.h). */
void tw_task_tb2bd(struct tw_sequence *seq, int priority, const struct tw_chase_task *t);
int tw_tb2bd_sweeps_most(const struct tw_chase_shape *shape);
void tw_task_tb2bd_sweeps(struct tw_sequence *seq, int priority, const struct tw_chase_task *t, int groups,
                          struct tw_data *const *u, struct tw_data *const *v);

/* d becomes the singular values, descending, of the upper bidiagonal matrix with diagonal d and super-diagonal e (n -
 * 1, or more elements; used up), each to high relative accuracy. info as LAPACK's lasq1. */
void tw_task_lasq1(struct tw_sequence *seq, int priority, struct tw_data *d, struct tw_data *e, struct tw_data *info);

/* Some singular values of the upper or lower bidiagonal matrix with d and e (n - 1, or more elements) by bisection
 * (codelets/svd/bdsvdx.c); a matrix that is not finite makes info n. found (two int64): of those in [low, high) the
 * first one's number, from 0 for the largest, and how many there are. chain (doubles, of that length): what values are
 * found from: numbers first ..., `count` of them, times scale, to s (the caller's), in tasks of some each; NaN of a
 * matrix that is not finite. */
size_t tw_bdsvdx_chain_length(int n);
void tw_task_bdsvdx_count(struct tw_sequence *seq, int priority, double low, double high, struct tw_data *d,
                          struct tw_data *e, struct tw_data *found, struct tw_data *info);
void tw_task_bdsvdx_chain(struct tw_sequence *seq, int priority, struct tw_data *d, struct tw_data *e,
                          struct tw_data *chain, struct tw_data *info);
void tw_task_bdsvdx_values(struct tw_sequence *seq, int priority, double scale, struct tw_data *chain, int first,
                           int count, double *s);
/* Of all k values in s (the caller's, written before info is), descending, the wanted ones become the first; found as
 * above, none where info is not 0. */
void tw_task_bdsvdx_select(struct tw_sequence *seq, int priority, const struct tw_wanted *wanted, tw_int k, double *s,
                           struct tw_data *found, struct tw_data *info);

/* ---- divide and conquer for a bidiagonal matrix (kernels/svd/cpu/lasd.h) --------------------------------------------
 * All of a real type. Tasks that it shares with eigenvalues are in codelets/eigen/stedc_tasks.h. */

/* Singular values s and vectors U, V of the part that begins at row `first`, of s's order, elements at most 1; null:
 * its last row counts as zeros. s is NaN where they are not found, or where info says that the matrix is not finite. */
void tw_task_lasd0(struct tw_sequence *seq, int priority, int first, int null, struct tw_data *d, struct tw_data *e,
                   struct tw_data *s, struct tw_data *U, struct tw_data *V, struct tw_data *info);
/* Deflation at the cut before row `cut`; null: of the whole. As tw_task_laed2. */
void tw_task_lasd2(struct tw_sequence *seq, int priority, int cut, int null, struct tw_data *d, struct tw_data *e,
                   struct tw_data *d1, struct tw_data *d2, struct tw_data *z1, struct tw_data *z2, struct tw_data *head,
                   struct tw_data *plan, struct tw_data *numbers);
/* As tw_task_laed4 and tw_task_laed3; side 0: left vectors. */
void tw_task_lasd4(struct tw_sequence *seq, int priority, int m, int k, int first, struct tw_data *numbers,
                   struct tw_data *lambda, struct tw_data *delta, struct tw_data *part);
void tw_task_lasd3(struct tw_sequence *seq, int priority, int side, const struct tw_merge_head *head, int n1,
                   struct tw_data *z, struct tw_data *plan, struct tw_data *numbers, struct tw_data *delta,
                   struct tw_data *top, struct tw_data *bottom, struct tw_data *Q);
/* Of d's values in descending order those from number `first` on: s (doubles of the caller's, or NULL) gets so many
 * `values` of them times norm and scale; order (int32, or NULL) says where `count` of them are. All NaN if info is not
 * 0 then: a NaN makes it 1. superb (NULL: not asked for) gets zeros, or with such an info e, times norm and scale.
 * window, k, width: as tw_task_laed0_order's; with an order alone. */
struct tw_lasd_order {
    int first, count, values;
    double *s, *superb;
    struct tw_data *order, *window;
    int k, width;
};
void tw_task_lasd0_order(struct tw_sequence *seq, int priority, double scale, struct tw_data *d, struct tw_data *e,
                         struct tw_data *norm, const struct tw_lasd_order *to, struct tw_data *info);
/* LAPACK's gesdd of A, one tile, which is overwritten: s as above; U and VT tiles, or NULL with jobz N. */
void tw_task_gesdd(struct tw_sequence *seq, int priority, char jobz, struct tw_data *A, double *s, struct tw_data *U,
                   struct tw_data *VT, struct tw_data *info);

/* Least squares: rows first ... of C, a tile of U^H B, divided by s (k doubles of the caller's, written before C is)
 * and times 2^e, or zeros where s(i) <= rcond s(0); *rank (of the caller's, NULL: another task's) becomes how many are
 * not. */
void tw_task_divide_rows(struct tw_sequence *seq, int priority, tw_int first, tw_int k, const double *s, double rcond,
                         int e, int *rank, struct tw_data *C);
/* to: in its first row the length of each column of R times 2^e, then zeros. */
void tw_task_lengths(struct tw_sequence *seq, int priority, int e, struct tw_data *R, struct tw_data *to);

/* What the k singular values in S (doubles), which are written before `info` is, say of the matrix of that type: where
 * info is not 0 NaN, and a rank of 0. */
enum tw_svd_number { TW_SVD_NORM, TW_SVD_CONDITION, TW_SVD_RANK };
void tw_task_svd_number(struct tw_sequence *seq, int priority, enum tw_type type, enum tw_svd_number what, tw_int k,
                        double rcond, struct tw_data *info, struct tw_data *S, double *value, int *rank);

/* Randomised singular values: how many of those found are wanted, how far from A what they make is in the 2-norm (but
 * with a probability of 1e-6), and whether that is near enough. */
struct tw_gersvd_found {
    double error;
    int64_t rank, enough;
};
/* found, a vector of one: of the `count` values in S (doubles, written before Z is) the first `most`, of tol > 0 as few
 * of them as it takes. lengths: in their first row the lengths of what random vectors times A have outside the range
 * that was found, times `factor` a bound of A's norm there; lengths, values and norm, A's Frobenius norm by
 * tw_frobenius_norm_tasks, than which no error is larger, are those of A times `scale`. info: of what found the
 * values. The wanted values go to s, of `most` doubles, which are 0 behind them; rank and error: the caller's. */
struct tw_gersvd_wanted {
    tw_int count, most;
    double factor, scale, tol, *s, *error;
    int *rank;
};
void tw_task_gersvd_look(struct tw_sequence *seq, int priority, const struct tw_gersvd_wanted *wanted,
                         struct tw_data *info, struct tw_data *S, struct tw_data *lengths, struct tw_data *norm,
                         struct tw_data *found, struct tw_data *Z);

/* ---- flops ---- */

/* LAPACK's count for the reduction to bidiagonal form (Working Note 41's gebrd), m >= n, whatever is done. */
static inline double tw_flops_gebrd(enum tw_type t, double m, double n)
{
    return tw_flop_factor(t) * (4 * m * n * n - 4 * n * n * n / 3);
}
#endif
