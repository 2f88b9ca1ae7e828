/* What the singular value routines share: the loops that they are put together of. */
#ifndef TW_ALGORITHMS_SVD_SVD_LOOPS_H
#define TW_ALGORITHMS_SVD_SVD_LOOPS_H
#include <tilework/svd.h>
#include "algorithms/eigen/chase.h"
#include "algorithms/eigen/eigen_loops.h"
#include "codelets/svd/svd_tasks.h"

/* The rows of this family: a name here, a struct tw_routine in its file. */
/* clang-format off */
#define TW_SVD_ROUTINES(X)                                                                                            \
    X(gesdd) X(gesvd) X(gesvdx) X(bdsdc) X(bdsqr) X(bdsvdx) X(gelsd) X(gelss) X(gepinv) X(genorm2) X(gecond2)         \
    X(gerank) X(gersvd) X(gepolar) X(gebrd) X(ungbr) X(unmbr)
/* clang-format on */
#define TW_ROW(name) extern const struct tw_routine tw_routine_##name;
TW_SVD_ROUTINES(TW_ROW)
#undef TW_ROW
extern const struct tw_routine *const tw_svd_routines[]; /* NULL after the last */

/* Stage 1's U1 = product of I - V(p) T(p) V(p)^H on rows p b ... m - 1, and V1 = product of I - W(p) S(p) W(p)^H on
 * rows (p + 1) b ... n - 1, p ascending. */
struct tw_ge2tb {
    tw_int m, n;
    int b, panels;
    struct tw_data **V, **T, **W, **S; /* of each panel; NULL where there is none, or it is not kept */
};
/* 0, or -1 and the sequence has failed; tw_ge2tb_end in any case. */
int tw_ge2tb_begin(struct tw_sequence *seq, struct tw_ge2tb *q, tw_int m, tw_int n, int b);
void tw_ge2tb_end(struct tw_ge2tb *q);
/* Stage 1: A = U1 (B; 0) V1^H. A: m x n, m >= n, in square tiles whose order is a multiple of b; it is overwritten. B:
 * n x n. left, right: U1, V1 will be applied. */
void tw_ge2tb_loop(struct tw_sequence *seq, struct tw_ge2tb *q, struct tw_matrix *A, struct tw_band *B, int left,
                   int right);
/* Z := U1 Z, V1 Z; Z of m, n rows in whole blocks of columns. */
void tw_ge2tb_left_loop(struct tw_sequence *seq, const struct tw_ge2tb *q, struct tw_matrix *Z);
void tw_ge2tb_right_loop(struct tw_sequence *seq, const struct tw_ge2tb *q, struct tw_matrix *Z);

/* Stage 2: B = U2 C V2^H, C real bidiagonal with diagonal d (n) and super-diagonal e (n - 1, or more elements): vectors
 * of the real type that belongs to B's. What is in the band is used up; its element (0, 0) is real. u, v: made for B's
 * type, n and b (algorithms/eigen/chase.h), they keep U2, V2; NULL: not kept. info as tw_hb2st_loop's. */
void tw_tb2bd_loop(struct tw_sequence *seq, struct tw_band *B, struct tw_data *d, struct tw_data *e, struct tw_chase *u,
                   struct tw_chase *v, struct tw_data *info);

/* The upper bidiagonal matrix with diagonal d and super-diagonal e (n - 1, or more elements; real vectors, used up):
 * singular values, times scale, descending into s (doubles of the caller's; NaN if they are not found; NULL: not wanted
 * beside vectors), each to high relative accuracy if there are no vectors; and into U and V (any one may be NULL), n
 * rows or more in whole blocks of columns, all vectors, and behind and below them the identity. superb (NULL: not
 * asked for): 0, or what was left if info is not 0. */
void tw_bdsdc_loop(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e, double *s,
                   double *superb, struct tw_matrix *U, struct tw_matrix *V);
/* Of the values in descending order those from number `first` (from 0) on: without U and V s gets `count` of them; else
 * U and V as many vectors as they have columns, and nothing else is formed in the last merge, and s counts for
 * nothing. */
void tw_bdsdc_some_loop(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e, tw_int first,
                        tw_int count, double *s, struct tw_matrix *U, struct tw_matrix *V);

/* `count` values from number `first` on, each to high relative accuracy, times scale into s: by bisection, if they are
 * few, else by dqds. d and e stay. */
void tw_bdsvdx_values_loop(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e, tw_int first,
                           tw_int count, double *s);
/* tw_bdsvdx with the right vectors in the columns of V. */
int tw_bdsvdx_columns(enum tw_uplo uplo, struct tw_wanted wanted, tw_int n, const double *d, const double *e,
                      tw_int *ns, double *s, struct tw_matrix *U, struct tw_matrix *V);
/* 0, or -argument: of a range of singular values, k in all, whose vl is argument `first`; vu, il and iu follow. Without
 * values LAPACK looks at none of them. */
int tw_check_singular_range(const char *who, int first, const struct tw_wanted *wanted, tw_int k);
/* U (or V) has not `count` columns, or rows: 1, and the sequence has failed. */
int tw_too_many_singular(struct tw_sequence *seq, tw_int room, tw_int count);

/* Singular vectors that are wanted: they go to the first columns, or rows, of `to`; NULL: none. */
struct tw_svd_side {
    struct tw_matrix *to;
    tw_int columns;        /* how many */
    int adjoint;           /* `to` gets the adjoint of these columns */
    struct tw_data *token; /* what waits until all tasks are submitted, or NULL: for a caller that looks at s */
};
/* tw_gesvd without its checks: U and Vt (whose `adjoint` does not count) may be in A itself; superb may be NULL. */
/* s is written before the last task that has tw_info(seq) is done, and before U and Vt are. */
void tw_gesdd_loop(struct tw_sequence *seq, struct tw_matrix *A, double *s, double *superb, struct tw_svd_side U,
                   struct tw_svd_side Vt);
/* tw_gesvdx without its checks: of the wanted ones, *ns of them (NULL: not asked for). U.columns and Vt.columns do not
 * count. s has room for min(m, n). */
void tw_gesvdx_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_wanted wanted, tw_int *ns, double *s,
                    struct tw_svd_side U, struct tw_svd_side Vt);
extern const struct tw_tuning tw_tuning_svd;
/* Z, n rows in whole blocks of columns, which is given back: it, or its adjoint, goes where it is wanted. */
void tw_leave_side(struct tw_sequence *seq, const struct tw_svd_side *side, struct tw_matrix *Z);
/* The adjoint, tile by tile, in a new matrix; NULL without memory, and then the sequence has failed. */
struct tw_matrix *tw_adjoint(struct tw_sequence *seq, struct tw_matrix *A);
/* From one into the other, whichever has more rows. */
void tw_copy_home_loop(struct tw_sequence *seq, struct tw_matrix *from, struct tw_matrix *to);
/* The rows that both have, of one number of columns, in whatever tiles. content: `to` has some already, and its other
 * rows stay; else its tiles are without content, and it has no more rows. */
void tw_common_rows_loop(struct tw_sequence *seq, struct tw_matrix *from, struct tw_matrix *to, int content);
/* What is held at the same time, if nothing is deflated, for so many vectors of each side (0: none) of an m x n matrix
 * in tiles of order nb (footprint.c). */
double tw_svd_bytes(enum tw_type type, tw_int m, tw_int n, tw_int left, tw_int right, tw_int nb);
#endif
