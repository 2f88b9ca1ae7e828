/* Tasks of the two-stage reduction of a hermitian matrix to tridiagonal form, and of what follows it.
 *
 * A is hermitian (of real types: symmetric), its lower triangle in square tiles. Panel p of stage 1 takes b columns;
 * below them, from row `first` on, it is factored, Q R, with Q = I - V T V^H, and A becomes Q^H A Q: A - V W^H - W V^H
 * with W = X - V (T^H V^H X) / 2 and X = A V T. Nothing of A but its lower triangle from (first, first) on changes. V,
 * of height n - first, is in one object with its ones and zeros. */
#ifndef TW_CODELETS_EIGEN_EIGEN_TASKS_H
#define TW_CODELETS_EIGEN_EIGEN_TASKS_H
#include <tilework/eigen.h>
#include "codelets/dense/dense_tasks.h"

struct tw_band; /* codelets/eigen/band.h */

/* Which eigenvalues: all, those in (vl, vu], or numbers il ... iu (from 1) in ascending order. */
struct tw_wanted {
    enum tw_which which;
    double vl, vu;
    tw_int il, iu;
};

/* The rows and columns of A that a task works on, 0-based: A is given by its tiles, which know their place by their
 * coordinates. */
struct tw_trailing {
    tw_int first; /* of the rows that V, W, X have */
    int nb;       /* A's */
};
/* The first row of a tile row that belongs to it, counted in the tile; and the row of V that this is. */
static inline int tw_trailing_skip(const struct tw_trailing *t, int tile)
{
    return (int)tw_max(0, t->first - (tw_int)tile * t->nb);
}
static inline tw_int tw_trailing_row(const struct tw_trailing *t, int tile)
{
    return tw_max(0, (tw_int)tile * t->nb - t->first);
}

/* D (k x k, lower triangle) and P (what is below, NULL: nothing is) become columns of A, whose tiles from that on the
 * diagonal down are given and of which `skip` columns come before, less what the panel before this one has not yet
 * subtracted there: V W^H + W V^H, from VWV = [V W V], whose first row is that of D (NULL: there is no panel
 * before). */
void tw_task_he2hb_gather(struct tw_sequence *seq, int priority, int skip, struct tw_data *const *tile, int count,
                          struct tw_data *VWV, struct tw_data *D, struct tw_data *P);
/* op 'N': X = A(I, K) V(K) + beta X; 'C': X = A(I, K)^H V(I) + beta X: one tile's part, in the rows and columns from
 * t->first on. before: rows of V before these. hermitian: of A the lower triangle's tiles are there, and a diagonal one
 * is the hermitian matrix that its lower triangle says. */
void tw_task_trailing_multiply(struct tw_sequence *seq, int priority, const struct tw_trailing *t, char op,
                               int hermitian, int before, struct tw_data *A, struct tw_data *V, int first,
                               struct tw_data *X);
/* VWV = [V W V] from X = A V in pieces, V and T. */
void tw_task_he2hb_w(struct tw_sequence *seq, int priority, struct tw_data *const *X, int count, struct tw_data *V,
                     struct tw_data *T, struct tw_data *VWV);
/* A = A - V W^H - W V^H: one tile. */
void tw_task_he2hb_update(struct tw_sequence *seq, int priority, const struct tw_trailing *t, struct tw_data *VWV,
                          struct tw_data *A);
/* w (n doubles) and, with jobz V, A's eigenvectors in its place, A being the lower triangle of one tile: LAPACK's
 * syevd. */
void tw_task_syevd(struct tw_sequence *seq, int priority, char jobz, struct tw_data *A, struct tw_data *w,
                   struct tw_data *info);
/* Columns column ... of the band: the lower triangle of D and, below it, R, the upper trapezoid of a panel's factors
 * (NULL: D is the last). */
void tw_task_band_store(struct tw_sequence *seq, int priority, tw_int column, struct tw_data *D, struct tw_data *R,
                        struct tw_band *B);
/* V, T: the two block reflectors V1, T1 and V2, T2, of which V2 begins so many rows below V1 as it has fewer, as one of
 * both's columns. */
void tw_task_larft_pair(struct tw_sequence *seq, int priority, struct tw_data *V1, struct tw_data *T1,
                        struct tw_data *V2, struct tw_data *T2, struct tw_data *V, struct tw_data *T);
/* Z = (I - V T V^H) Z in rows first, first + 1, ... of Z, a whole block of columns. */
void tw_task_larfb_rows(struct tw_sequence *seq, int priority, tw_int first, struct tw_data *V, struct tw_data *T,
                        struct tw_data *Z);

/* A hermitian diagonal tile to a generalized problem's standard form; B: the diagonal tile of the Cholesky factor.
 * LAPACK's sygst. */
void tw_task_sygst(struct tw_sequence *seq, int priority, int itype, char uplo, struct tw_data *A, struct tw_data *B);
/* The same on arrays, in the calling thread. */
void tw_kernel_sygst(enum tw_type type, int itype, char uplo, int n, void *a, int lda, const void *b, int ldb);

/* x = f of the eigenvalues w (doubles of the caller's, written before Z is): 0 where it has no value, and info the
 * first such place. */
void tw_task_syfun_values(struct tw_sequence *seq, int priority, enum tw_function f, tw_function_fn fn, void *user,
                          const double *w, struct tw_data *Z, struct tw_data *x, struct tw_data *info);
/* G = Z diag(x(first), x(first + 1), ...) */
void tw_task_lascl_columns(struct tw_sequence *seq, int priority, tw_int first, struct tw_data *Z, struct tw_data *x,
                           struct tw_data *G);

/* ---- flops ---- */

/* LAPACK's count for the reduction to tridiagonal form (Working Note 41's sytrd), whatever is done. */
static inline double tw_flops_sytrd(enum tw_type t, double n)
{
    return tw_flop_factor(t) * (4 * n * n * n / 3 + 3 * n * n - 20 * n / 3);
}
/* LAPACK's count for the reduction of a generalized problem to standard form. */
static inline double tw_flops_sygst(enum tw_type t, double n)
{
    return tw_flop_factor(t) * n * n * n;
}
#endif
