/* Tasks of divide and conquer for the eigenvectors of a tridiagonal matrix (types/eigen/merge.h). All are of a real
 * type. */
#ifndef TW_CODELETS_EIGEN_STEDC_TASKS_H
#define TW_CODELETS_EIGEN_STEDC_TASKS_H
#include "runtime/task/submit.h"
#include "types/eigen/merge.h"

/* The eigenvectors of a part of T: `pieces` objects of `rows` rows, count of `width` columns (the last of them has what
 * is left of the first `columns`), and, if there is one more, the rest. */
struct tw_dc_columns {
    int rows, pieces, count, width, columns;
    struct tw_data *piece[TW_MERGE_PIECES];
};

/* d and e, of a real type, from the caller's doubles, which have to live until then. */
void tw_task_laed0_enter(struct tw_sequence *seq, int priority, const double *from_d, const double *from_e,
                         struct tw_data *d, struct tw_data *e);
/* d and e become those of a matrix whose largest element is 1, cut down to order `leaf`; norm (a double): what that
 * element was. */
void tw_task_laed0_tear(struct tw_sequence *seq, int priority, int leaf, struct tw_data *d, struct tw_data *e,
                        struct tw_data *norm);
/* Eigenvalues w and eigenvectors Q of T's part that begins at row `first`, of w's order; w is NaN where they are not
 * found, or where info says that T is not finite. */
void tw_task_laed0_leaf(struct tw_sequence *seq, int priority, int first, struct tw_data *d, struct tw_data *e,
                        struct tw_data *w, struct tw_data *Q, struct tw_data *info);
/* Eigenvalues of the tridiagonal matrix with diagonal d and sub-diagonal e (used up), whose elements are at most 1,
 * ascending, into d. info as LAPACK's sterf. */
void tw_task_sterf(struct tw_sequence *seq, int priority, struct tw_data *d, struct tw_data *e, struct tw_data *info);
/* below (two int64): how many eigenvalues are at most low, and high. */
void tw_task_laebz(struct tw_sequence *seq, int priority, double low, double high, struct tw_data *d, struct tw_data *e,
                   struct tw_data *below);
/* z = the last row of Q, or the first one. */
void tw_task_laed1_row(struct tw_sequence *seq, int priority, int last, const struct tw_dc_columns *Q,
                       struct tw_data *z);
/* Deflation at the cut before row `cut`: head (vector of int64, struct tw_merge_head), plan (int32) and numbers (reals)
 * as types/eigen/merge.h has them. */
void tw_task_laed2(struct tw_sequence *seq, int priority, int cut, struct tw_data *e, struct tw_data *d1,
                   struct tw_data *d2, struct tw_data *z1, struct tw_data *z2, struct tw_data *head,
                   struct tw_data *plan, struct tw_data *numbers);
/* The columns that stay and those that are deflated; NULL where there are none. skip: the first of the rotations, which
 * these columns do not take. */
void tw_task_laed2_gather(struct tw_sequence *seq, int priority, const struct tw_merge_head *head, int skip,
                          const struct tw_dc_columns *Q1, const struct tw_dc_columns *Q2, struct tw_data *plan,
                          struct tw_data *numbers, struct tw_data *top, struct tw_data *bottom, struct tw_data *rest);
/* Roots first ... of k, as many as lambda has elements; delta and part as kernels/eigen/cpu/laed.h says. */
void tw_task_laed4(struct tw_sequence *seq, int priority, int m, int k, int first, struct tw_data *numbers,
                   struct tw_data *lambda, struct tw_data *delta, struct tw_data *part);
/* z of all parts. */
void tw_task_laed3_weights(struct tw_sequence *seq, int priority, int m, struct tw_data *const *part, int parts,
                           struct tw_data *numbers, struct tw_data *z);
/* Q, n1 + n2 rows: the eigenvectors of delta's columns. */
void tw_task_laed3(struct tw_sequence *seq, int priority, const struct tw_merge_head *head, int n1, struct tw_data *z,
                   struct tw_data *plan, struct tw_data *numbers, struct tw_data *delta, struct tw_data *top,
                   struct tw_data *bottom, struct tw_data *Q);
/* d: the roots, one list after another, and the deflated values. A root that was not found is NaN. */
void tw_task_laed1_values(struct tw_sequence *seq, int priority, int k, struct tw_data *const *lambda, int lists,
                          struct tw_data *numbers, struct tw_data *d);
/* Of d's n eigenvalues in ascending order those from number `first` on, as many as `order` (int32) has elements: order
 * says where they are; w (doubles of the caller's): these values, times norm and scale. info becomes 1 if there is a
 * NaN. window (two int32), if not NULL: of d's first k elements, which ascend, in blocks of `width`, the blocks in
 * which wanted ones lie: the first, and how many; order is that of the columns of these blocks and the other n - k
 * then. */
void tw_task_laed0_order(struct tw_sequence *seq, int priority, double scale, int first, struct tw_data *d,
                         struct tw_data *norm, struct tw_data *order, double *w, struct tw_data *info,
                         struct tw_data *window, int k, int width);
/* S, of Q's type or complex: Q's columns order[first], order[first + 1], ...; behind the last of them, and below Q's
 * rows, S is the identity. */
void tw_task_laed0_sort(struct tw_sequence *seq, int priority, int first, const struct tw_dc_columns *Q,
                        struct tw_data *order, struct tw_data *S);
#endif
