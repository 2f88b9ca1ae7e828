/* What the eigenvalue routines share: the loops that they are put together of. */
#ifndef TW_ALGORITHMS_EIGEN_EIGEN_LOOPS_H
#define TW_ALGORITHMS_EIGEN_EIGEN_LOOPS_H
#include <tilework/eigen.h>
#include "algorithms/dense/dense_loops.h"
#include "codelets/eigen/band.h"
#include "codelets/eigen/eigen_tasks.h"

/* The rows of this family: a name here, a struct tw_routine in its file. */
/* clang-format off */
#define TW_EIGEN_ROUTINES(X)                                                                                          \
    X(syevd) X(sygst) X(sygvd) X(stedc) X(stevd) X(sterf) X(syfun) X(syevr) X(syevx) X(sygvx) X(sbevd) X(sbevx)       \
    X(sytrd) X(ungtr) X(unmtr) X(gehrd) X(unghr) X(unmhr) X(geev) X(geevx) X(gees) X(geesx) X(stebz) X(stevr)         \
    X(stevx)
/* clang-format on */
#define TW_ROW(name) extern const struct tw_routine tw_routine_##name;
TW_EIGEN_ROUTINES(TW_ROW)
#undef TW_ROW
extern const struct tw_routine *const tw_eigen_routines[]; /* NULL after the last */

/* How dense matrices are cut whose eigenvalues are wanted. */
extern const struct tw_tuning tw_tuning_eigen;
/* The uplo triangle of A in a new matrix in square tiles of order nb, whose other triangle is undefined. NULL without
 * memory, and then the sequence has failed. */
struct tw_matrix *tw_triangle_copy(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A, tw_int nb);
static inline const char *tw_bad_job(enum tw_jobz job)
{
    return job == TW_NOVECTORS || job == TW_VECTORS ? NULL : "neither TW_NOVECTORS nor TW_VECTORS";
}
static inline const char *tw_bad_which(enum tw_which which)
{
    return which == TW_ALL || which == TW_INTERVAL || which == TW_INDICES ? NULL
                                                                          : "not TW_ALL, TW_INTERVAL or TW_INDICES";
}
/* vl, vu, il, iu are arguments `first` ...: 0 or -argument. */
int tw_check_wanted(const char *who, int first, const struct tw_wanted *wanted, tw_int n);
/* How many numbers il ... iu are, from 1 on: 0 where that is no such range, whatever stands there. */
static inline tw_int tw_numbers(tw_int il, tw_int iu)
{
    return il >= 1 && iu >= il ? iu - il + 1 : 0;
}
/* Columns that a matrix for the eigenvectors needs, as far as that is known before. */
static inline tw_int tw_wanted_at_least(enum tw_which which, tw_int n, tw_int il, tw_int iu)
{
    return which == TW_ALL ? n : which == TW_INDICES ? tw_numbers(il, iu) : 0;
}

/* The hermitian matrix whose uplo triangle A has, as the lower triangle of a new one in square tiles of order nb; the
 * other triangle is undefined. NULL without memory, and then the sequence has failed. */
struct tw_matrix *tw_lower_copy(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A, tw_int nb);

/* A reduction's Q1 = Q(0) Q(1) ...: Q(p) = I - V(p) T(p) V(p)^H on rows begins + p b ... n - 1. Stage 1: begins = b; in
 * one stage it is 1. */
struct tw_he2hb {
    tw_int n, begins;
    int b, panels; /* panels: those that have reflectors */
    struct tw_data **V, **T;
};
/* 0, or -1 and the sequence has failed; tw_he2hb_end in any case. */
int tw_he2hb_begin(struct tw_sequence *seq, struct tw_he2hb *q, tw_int n, int b);
int tw_reflections_begin(struct tw_sequence *seq, struct tw_he2hb *q, tw_int n, int b, tw_int begins);
void tw_he2hb_end(struct tw_he2hb *q);
/* Stage 1: A = Q1 B Q1^H. A: hermitian, its lower triangle in square tiles whose order is a multiple of b; it is
 * overwritten. keep: Q1 will be applied. */
void tw_he2hb_loop(struct tw_sequence *seq, struct tw_he2hb *q, struct tw_matrix *A, struct tw_band *B, int keep);
/* The reduction in one stage: A = Q1 T Q1^H, A's lower triangle in square tiles whose order is a multiple of b; it is
 * overwritten. */
struct tw_sytrd {
    struct tw_matrix *L;
    int b;                 /* columns of a panel */
    struct tw_data *d, *e; /* T's, real vectors of n and n - 1 (or more) elements */
    struct tw_he2hb *q;    /* keeps Q1, begun with begins = 1 and a multiple of b; NULL: it is not applied */
    /* LAPACK's results, NULL: not asked for: the uplo triangle of A; tau, in A's type and in whatever tiles. d and e go
     * there divided by scale. */
    enum tw_uplo uplo;
    struct tw_matrix *A, *tau;
    double scale;
};
void tw_sytrd_loop(struct tw_sequence *seq, const struct tw_sytrd *x);
/* Columns of its panels, and of the block reflectors in which Q1 is kept, a multiple of those. */
int tw_sytrd_width(tw_int n);
int tw_sytrd_kept(tw_int n);
/* By what a matrix whose largest element is that is multiplied, so that no square on the way underflows: a power of
 * two. */
double tw_sytrd_scale(enum tw_type type, double norm);
/* The matrix whose lower triangle is A's upper one from the end: rows and columns in the opposite order. As
 * tw_lower_copy. */
struct tw_matrix *tw_reversed_copy(struct tw_sequence *seq, struct tw_matrix *A, tw_int nb);
/* tau's k factors as one column in the order in which reflectors act: of uplo 'U' the opposite one. NULL without
 * memory, and then the sequence has failed. */
struct tw_data *tw_tau_in(struct tw_sequence *seq, enum tw_uplo uplo, tw_int k, struct tw_matrix *tau);
/* The other way round, into tau's tiles, which go home. */
void tw_tau_out(struct tw_sequence *seq, enum tw_uplo uplo, tw_int k, struct tw_data *column, struct tw_matrix *tau);
/* tw_gehrd without its checks; tau may be NULL: not asked for. */
void tw_gehrd_loop(struct tw_sequence *seq, tw_int ilo, tw_int ihi, struct tw_matrix *A, struct tw_matrix *tau);
/* C := Q C, Q^H C (side 'L'; op 'N', 'C'), C Q or C Q^H ('R') with the Q of a reduction to Hessenberg form in rows and
 * columns ilo ... ihi, whose reflectors are in A, of Q's order or with more columns; C NULL: A, square, becomes Q. */
void tw_unghr_loop(struct tw_sequence *seq, enum tw_side side, char op, tw_int ilo, tw_int ihi, struct tw_matrix *A,
                   struct tw_matrix *tau, struct tw_matrix *C);
/* tau of a reduction of A, which is sound. */
static inline const char *tw_bad_trd_tau(const struct tw_matrix *tau, const struct tw_matrix *A)
{
    const char *why = !tau && A->n <= 1 ? NULL : tw_bad_general(tau);
    if (why || !tau) return why;
    if (tau == A) return "it is the matrix A itself";
    if (tau->type != A->type) return "its type differs from A's";
    return tau->n != 1 || tau->m < A->n - 1 ? "it is not a column of n - 1 elements or more" : NULL;
}
/* Tiles of stage 1: about as large as A's, cut where panels of b columns are. On cores no columns a multiple of 4096
 * bytes apart, which fall on the same lines of a cache: products of 512 x 128 x 512 with their result in such a tile
 * ran at 37.8 GF/s, in one of order 448 at 41.8 (two cores of an EPYC). */
static inline tw_int tw_order_of_tiles(enum tw_type type, tw_int about, int b)
{
    const tw_int order = (about + b - 1) / b * b;
    return tw_gpus() == 0 && (size_t)order * tw_sizeof(type) % 4096 == 0 && order >= 4 * b ? order - b : order;
}
/* Of so many columns those of a block; on cores, whatever GPUs there are. */
tw_int tw_columns_of_block(tw_int columns);
tw_int tw_columns_for_cores(tw_int columns);
/* T's diagonal and sub-diagonal, copied from the caller's n and n - 1 numbers, as vectors of the real type that belongs
 * to `type`. 0; or -1: the sequence has failed, or there is nothing left to do, since a number is not finite: w is NaN
 * then, and the info n. tw_tridiagonal_end in any case. */
struct tw_tridiagonal {
    struct tw_data *d, *e;
};
/* Not both numbers of d and e finite in that type. */
int tw_tridiagonal_bad(enum tw_type type, tw_int n, const double *d, const double *e);
int tw_tridiagonal_begin(struct tw_sequence *seq, struct tw_tridiagonal *t, enum tw_type type, tw_int n,
                         const double *d, const double *e, double *w);
void tw_tridiagonal_end(struct tw_tridiagonal *t);
/* The order up to which parts of T are not divided: 0, or TW_E_OPTION if TILEWORK_LEAF is none. */
int tw_stedc_leaf(tw_int *order);
/* Eigenvalues, times scale, ascending into w (doubles of the caller's), and eigenvectors, in S's type, of the
 * tridiagonal matrix with diagonal d and sub-diagonal e (real vectors, used up): of all n in ascending order those from
 * number `first` (from 0) on, as many as S, n x any in whole blocks of columns, has columns. The last merge forms no
 * others. The routine's info as LAPACK's stedc, about. */
void tw_stedc_loop(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e, tw_int first, double *w,
                   struct tw_matrix *S);
/* `count` eigenvalues alone. */
void tw_sterf_loop(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e, tw_int first,
                   tw_int count, double *w);
/* Those that are wanted, by bisection, as LAPACK's stebz with that abstol and order ('E' or 'B'): into w, room for n,
 * and for an interval how many into *m. Of the further results none is asked for where the pointer is NULL. */
struct tw_bisection {
    tw_int *m, *nsplit;
    double *w;
    tw_int *iblock, *isplit;
};
void tw_stebz_loop(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e,
                   const struct tw_wanted *wanted, double abstol, char order, const struct tw_bisection *to);
/* tw_stebz of numbers that are floats: one that would not change T as floats have it is taken as 0. */
int tw_stebz_single(enum tw_which which, enum tw_order order, tw_int n, double vl, double vu, tw_int il, tw_int iu,
                    double abstol, const double *d, const double *e, const struct tw_bisection *to);
/* A generalized problem's way from its standard form's eigenvectors to its own, with B's Cholesky factor. */
struct tw_pencil {
    int itype;
    enum tw_uplo uplo;
    struct tw_matrix *B; /* NULL: there is none, the problem is a standard one */
};
/* tw_syevd without its checks; Z is NULL without eigenvectors. final: nothing changes Z again. */
void tw_syevd_loop(struct tw_sequence *seq, enum tw_jobz jobz, enum tw_uplo uplo, struct tw_matrix *A, double *w,
                   struct tw_matrix *Z, int final);
/* The same of tw_syevr, for some eigenvalues, or of the problem whose standard form A is; m: how many there are, NULL:
 * not asked for. Z has enough columns, as far as that is known. */
void tw_syevr_loop(struct tw_sequence *seq, enum tw_jobz jobz, enum tw_uplo uplo, struct tw_matrix *A,
                   struct tw_wanted wanted, tw_int *m, double *w, struct tw_matrix *Z, int final,
                   struct tw_pencil pencil);
/* 0; or TW_E_MEMORY, saying how many bytes: A, B and Z, as far as the library holds them (NULL: there is none; the same
 * may come twice), and what the routine needs at the same time do not fit. */
int tw_eigen_memory(const char *who, double temporaries, const struct tw_matrix *A, const struct tw_matrix *B,
                    const struct tw_matrix *Z);
/* What is held at the same time, if nothing is deflated, for `columns` eigenvectors (0: none) of a dense matrix in
 * tiles of order nb, by the route that it goes, and of a pencil; of a tridiagonal matrix, and of a band of kd
 * sub-diagonals (footprint.c). */
double tw_syevd_bytes(enum tw_type type, tw_int n, double columns, tw_int nb);
double tw_sygvd_bytes(enum tw_type type, tw_int n, double columns, tw_int nb);
double tw_stedc_bytes(enum tw_type type, tw_int n, double columns);
double tw_sbevd_bytes(enum tw_type type, tw_int n, tw_int kd, double columns);
/* Of block reflectors, panels of b columns of which the first has so many rows, `count` columns in all: as they are
 * kept, or (columns > 0) as they go over so many columns of vectors. */
double tw_reflections_bytes(enum tw_type type, tw_int rows, tw_int count, tw_int b, tw_int columns);
/* Sub-diagonals of the band of two stages. */
int tw_syevd_band(enum tw_type type, tw_int n, int vectors);
double tw_sytrd_bytes(enum tw_type type, tw_int n);
double tw_syfun_bytes(enum tw_type type, tw_int n, tw_int nb);
/* What TILEWORK_ROUTE asks for: 0 or TW_E_OPTION. */
int tw_route(enum tw_route *route);
/* A problem's route, for `columns` eigenvectors (0: none) and a band of b: the one asked for; where none is
 * (TW_ROUTE_AUTO), of the predictions the least. Reproducible mode, and variables that are about two stages
 * (TILEWORK_BAND, TILEWORK_LEAF, TILEWORK_CHASE), leave nothing to choose: two. The predictions are told as figures. */
enum tw_route tw_route_of(enum tw_route asked, enum tw_type type, tw_int n, double columns, int b);
/* The same, of what TILEWORK_ROUTE asks for, without telling anything. */
enum tw_route tw_route_planned(enum tw_type type, tw_int n, double columns, int b);
/* 0, or TW_E_OPTION: variables that mean nothing are refused, not passed over. */
int tw_syevd_variables(void);
/* What LAPACK's way would take, about: reduction, divide and conquer without deflation, back-transformation. */
static inline double tw_flops_syevd(enum tw_type t, double n, enum tw_jobz jobz)
{
    return tw_flops_sytrd(t, n) + (jobz == TW_VECTORS ? tw_flop_factor(t) * 16 * n * n * n / 3 : 0);
}
/* A := inv(L) A inv(L^H), inv(U^H) A inv(U) (itype 1), L^H A L or U A U^H (2, 3); both in square tiles, cut at the same
 * places. */
void tw_sygst_loop(struct tw_sequence *seq, int itype, enum tw_uplo uplo, struct tw_matrix *A, struct tw_matrix *B);
/* Z := Q1 Z, Z in whole blocks of columns (mb = n): of stage 1, or of one stage; the same without a stage's name, where
 * panels without V have no reflectors. Reflectors are used up. */
void tw_reflections_apply_loop(struct tw_sequence *seq, const struct tw_he2hb *q, struct tw_matrix *Z);
void tw_he2hb_apply_loop(struct tw_sequence *seq, const struct tw_he2hb *q, struct tw_matrix *Z);
#endif
