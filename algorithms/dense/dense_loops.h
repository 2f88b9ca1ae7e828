/* What the dense routines share: argument checks, the two doors, levels for priorities, and the loops that composite
 * routines put together.
 *
 * A routine is a row (runtime/task/routine.h) and a loop that submits tasks. Both doors check the arguments and run the
 * loop: in the calling thread (matrix door) or queued in a sequence (async door). */
#ifndef TW_ALGORITHMS_DENSE_DENSE_LOOPS_H
#define TW_ALGORITHMS_DENSE_DENSE_LOOPS_H
#include <tilework/dense.h>
#include "codelets/dense/dense_tasks.h"
#include "runtime/data/data.h"
#include "runtime/task/submit.h"
#include "runtime/task/when.h"

static const tw_scalar tw_one = {1, 0}, tw_minus_one = {-1, 0}, tw_zero = {0, 0};

static inline int tw_is(enum tw_type type, tw_scalar x, double re)
{
    return x.re == re && (x.im == 0 || !tw_is_complex(type));
}

/* ---- doors --------------------------------------------------------------------------------------------------- */

/* The rows of this family: a name here, a struct tw_routine in its file. */
/* clang-format off */
#define TW_DENSE_ROUTINES(X)                                                                                          \
    X(gemm) X(symm) X(hemm) X(syrk) X(herk) X(syr2k) X(her2k) X(trmm) X(trsm) X(geadd) X(transpose_to) X(lacpy)       \
    X(laset) X(lascl) X(norm2est) X(lange) X(lansy) X(lanhe) X(lantr) X(potrf) X(potrs) X(posv) X(potri) X(pocon)     \
    X(trtri) X(lauum) X(generate) X(getrf) X(getrs) X(gesv) X(getrf_nopiv) X(gesv_nopiv) X(trtrs) X(getri) X(gecon)   \
    X(trcon) X(gerfs) X(porfs) X(trrfs) X(geequ) X(poequ) X(geequb) X(poequb) X(gesvx) X(posvx)                   \
    X(gesv_mixed) X(posv_mixed) X(gesv_half) X(posv_half) X(geqp3)                                                    \
    X(geqp3_random) X(geqp3rk) X(geqp3rk_random) X(gelsy) X(geqrf) X(gelqf) X(unmqr) X(unmlq) X(ungqr) X(unglq)       \
    X(geqrf_tree) X(unmqr_tree) X(ungqr_tree) X(gelqf_tree) X(unmlq_tree) X(unglq_tree) X(cholqr) X(gels)
/* clang-format on */
#define TW_ROW(name) extern const struct tw_routine tw_routine_##name;
TW_DENSE_ROUTINES(TW_ROW)
#undef TW_ROW
extern const struct tw_routine *const tw_dense_routines[]; /* NULL after the last */

/* A factorization's blocks of lines (block columns of QR and LU, block rows of LQ), each line of so many tiles: as many
 * as fill half of the room that the GPUs have (tw_gpu_tiles). */
static inline int tw_block_lines(int lines, int tiles, long room)
{
    return (int)tw_max(1, tw_min(lines, room / 2 / tw_max(1, tiles)));
}

/* ---- argument checks: NULL when all is well, else what is wrong ------------------------------------------------- */

static inline const char *tw_bad_uplo(enum tw_uplo uplo)
{
    return uplo == TW_LOWER || uplo == TW_UPPER ? NULL : "neither TW_LOWER nor TW_UPPER";
}
static inline const char *tw_bad_trans(enum tw_trans t)
{
    return t == TW_NOTRANS || t == TW_TRANS || t == TW_CONJTRANS ? NULL : "not TW_NOTRANS, TW_TRANS or TW_CONJTRANS";
}
static inline const char *tw_bad_side(enum tw_side s)
{
    return s == TW_LEFT || s == TW_RIGHT ? NULL : "neither TW_LEFT nor TW_RIGHT";
}
static inline const char *tw_bad_diag(enum tw_diag d)
{
    return d == TW_NONUNIT || d == TW_UNIT ? NULL : "neither TW_NONUNIT nor TW_UNIT";
}
/* Two ways of cutting `extent` rows or columns cut at the same places. */
static inline int tw_same_cuts(tw_int extent, tw_int b, tw_int c)
{
    return b == c || extent <= tw_min(b, c);
}
/* Tiles of order nb along n elements, and elements of the lower triangle of an order n in whole such tiles. */
static inline tw_int tw_tiles_along(tw_int n, tw_int nb)
{
    return n / nb + (n % nb > 0);
}
static inline double tw_tile_triangle(tw_int n, tw_int nb)
{
    const double full = (double)(n / nb), rest = (double)(n % nb), b = (double)nb;
    return b * full * ((double)n - b * (full - 1) / 2) + rest * rest;
}
static inline const char *tw_bad_tiles(const struct tw_matrix *A)
{
    return tw_same_cuts(tw_max(A->m, A->n), A->mb, A->nb) ? NULL : "its tiles are not square";
}
static inline const char *tw_bad_sum_norm(enum tw_norm n)
{
    return n == TW_ONE_NORM || n == TW_INF_NORM ? NULL : "neither TW_ONE_NORM nor TW_INF_NORM";
}
/* A square matrix of which the uplo triangle is used. */
static inline const char *tw_bad_triangle(const struct tw_matrix *A, enum tw_uplo uplo)
{
    if (!A) return "NULL matrix";
    if (A->m != A->n) return "the matrix is not square";
    if (!tw_type_ok(A->type)) return "it holds pivots";
    if (A->uplo != TW_GENERAL && A->uplo != uplo) return "the matrix stores the other triangle";
    return A->band ? "it is a band matrix" : tw_bad_tiles(A);
}
static inline const char *tw_bad_general(const struct tw_matrix *A)
{
    if (!A) return "NULL matrix";
    if (A->band) return "it is a band matrix";
    if (!tw_type_ok(A->type)) return "it holds pivots";
    return A->uplo == TW_GENERAL ? NULL : "only one triangle of the matrix is stored";
}
/* B goes together with A, which is sound. */
static inline const char *tw_bad_pair(const struct tw_matrix *A, const struct tw_matrix *B)
{
    return A->type != B->type ? "its type differs from the first matrix's" : NULL;
}

/* A square general matrix. */
static inline const char *tw_bad_square(const struct tw_matrix *A)
{
    const char *why = tw_bad_general(A);
    return why ? why : A->m != A->n ? "the matrix is not square" : NULL;
}
/* Right-hand sides or solutions of A, which is sound. */
static inline const char *tw_bad_side_of(const struct tw_matrix *A, const struct tw_matrix *B)
{
    const char *why = tw_bad_general(B);
    if (!why) why = tw_bad_pair(A, B);
    return why ? why : B->m != A->n ? "its number of rows is not the order of A" : NULL;
}
/* Pivots of A, which is sound: tile k belongs to its block column k. */
static inline const char *tw_bad_pivots(const struct tw_matrix *ipiv, const struct tw_matrix *A)
{
    const tw_int k = tw_min(A->m, A->n);
    if (!ipiv) return "NULL";
    if (ipiv->type != TW_INT32) return "its type is not TW_INT32";
    if (ipiv->m != k || ipiv->n != 1) return "it is not min(m, n) x 1";
    return tw_same_cuts(k, ipiv->mb, A->nb) ? NULL : "its tiles have another number of rows than A's have columns";
}

/* Return with -argument if `why` is not NULL. */
#define TW_CHECK(routine, argument, why)                                                                               \
    do {                                                                                                               \
        const char *why_ = (why);                                                                                      \
        if (why_) return tw_illegal(routine, argument, why_);                                                          \
    } while (0)

/* ---- levels: seconds of one task on full tiles, what bottom levels are made of ----------------------------------- */

struct tw_costs {
    double potrf, trsm, trmm, syrk, gemm, tri;
};
static inline struct tw_costs tw_costs_of(const struct tw_matrix *A)
{
    const enum tw_type t = A->type;
    const double b = (double)tw_min(tw_min(A->mb, A->nb), tw_max(A->m, A->n));
    return (struct tw_costs){
        .potrf = tw_cost(TW_RATE_POTRF, t, tw_flops_potrf(t, b), b),
        .trsm = tw_cost(tw_solve_by_inverse() ? TW_RATE_SYRK : TW_RATE_TRSM, t, tw_flops_trsm(t, 'L', b, b), b),
        .trmm = tw_cost(TW_RATE_TRMM, t, tw_flops_trsm(t, 'L', b, b), b),
        .syrk = tw_cost(TW_RATE_SYRK, t, tw_flops_syrk(t, b, b), b),
        .gemm = tw_cost(TW_RATE_GEMM, t, tw_flops_gemm(t, b, b, b), b),
        .tri = tw_cost(TW_RATE_TRI, t, tw_flops_trtri(t, b), b)};
}

/* ---- loops of routines that others use ----------------------------------------------------------------------------
 * Arguments are sound. A failed sequence makes them return early. final: 1 if nothing of the same routine changes the
 * result again, so that it may travel home at once. */

/* A, a general matrix, in tiles of mb x nb: A itself where they are cut at the same places, else a temporary copy made
 * by tasks. NULL without memory, and then the sequence has failed. */
struct tw_matrix *tw_retiled(struct tw_sequence *seq, struct tw_matrix *A, tw_int mb, tw_int nb);
/* The same for a result: a copy is without content if no task reads what A holds. */
struct tw_matrix *tw_retiled_for(struct tw_sequence *seq, struct tw_matrix *A, tw_int mb, tw_int nb, int reads);
/* Always a copy. */
struct tw_matrix *tw_copied(struct tw_sequence *seq, struct tw_matrix *A, tw_int mb, tw_int nb);
/* A gets the content of such a copy T if info is 0 by then, and T is given back. */
void tw_copied_end_if(struct tw_sequence *seq, struct tw_matrix *A, struct tw_matrix *T, struct tw_data *info);
/* B as a triangular A on that side of it needs it. */
static inline struct tw_matrix *tw_facing(struct tw_sequence *seq, enum tw_side side, const struct tw_matrix *A,
                                          struct tw_matrix *B)
{
    return side == TW_LEFT ? tw_retiled(seq, B, A->nb, B->nb) : tw_retiled(seq, B, B->mb, A->nb);
}
/* T, from tw_retiled, is not needed any more by tasks to come; written: A gets its content. */
void tw_retiled_end(struct tw_sequence *seq, struct tw_matrix *A, struct tw_matrix *T, int written);

/* to = from, both general and of one shape, in whatever tiles; columns that only `to` has stay as they are. */
void tw_copy_loop(struct tw_sequence *seq, struct tw_matrix *from, struct tw_matrix *to, int final);
/* A triangle or trapezoid of it alone; TW_GENERAL: all. */
void tw_copy_part_loop(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *from, struct tw_matrix *to,
                       int final);
void tw_potrf_loop(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A);
/* The same whose info is counted as if so many rows came before A's; and with an info of the caller's. */
void tw_potrf_rows_loop(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A, tw_int rows);
void tw_potrf_info_loop(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A, tw_int rows,
                        struct tw_data *info);
void tw_potrs_loop(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A, struct tw_matrix *B);
void tw_trsm_loop(struct tw_sequence *seq, enum tw_side side, enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag,
                  tw_scalar alpha, struct tw_matrix *A, struct tw_matrix *B, int final);
/* alpha is not 0. */
void tw_trmm_loop(struct tw_sequence *seq, enum tw_side side, enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag,
                  tw_scalar alpha, struct tw_matrix *A, struct tw_matrix *B);
/* LU of A (in square tiles), its pivots, and X := inv(L) P X on the way (NULL: none; in tiles of as many rows as
 * A's). */
void tw_getrf_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_matrix *ipiv, struct tw_matrix *X);
void tw_getrf_info_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_matrix *ipiv, struct tw_matrix *X,
                        struct tw_data *info);
/* LU without row exchanges of A (in square tiles). */
void tw_getrf_nopiv_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_data *info);
/* A's largest |a_ij|, a double, once these tasks are done; the caller gives it back. NULL without memory, and then the
 * sequence has failed. */
struct tw_data *tw_max_norm_tasks(struct tw_sequence *seq, struct tw_matrix *A);
/* Likewise A's Frobenius norm: two doubles, a factor and the sum of squares that it belongs before the root of. */
struct tw_data *tw_frobenius_norm_tasks(struct tw_sequence *seq, struct tw_matrix *A);
/* The same of the one norm or the infinity norm of A, or of its part that uplo (TW_GENERAL: all) and diag say; urgent:
 * others wait for it, else it is computed, and its tiles travel, behind all else of the routine. */
struct tw_data *tw_sum_norm_tasks(struct tw_sequence *seq, enum tw_norm norm, enum tw_structure structure,
                                  enum tw_uplo uplo, enum tw_diag diag, struct tw_matrix *A, int urgent);
/* The same of its upper triangle (tiles are square), and of a hermitian matrix, of which one triangle is read. */
struct tw_data *tw_max_norm_of_upper(struct tw_sequence *seq, struct tw_matrix *A);
struct tw_data *tw_max_norm_of_triangle(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A);
/* Look for zeros on A's diagonal into the routine's info. If there are none, `then` submits what changes A; nothing
 * waits. */
void tw_unless_singular(struct tw_sequence *seq, enum tw_uplo uplo, enum tw_diag diag, struct tw_matrix *A,
                        void (*then)(struct tw_sequence *seq, enum tw_uplo uplo, enum tw_diag diag,
                                     struct tw_matrix *A));
/* The same where `then` works on what `uses` names: it gets the info, an int64_t, and leaves where that is not 0. */
void tw_when_regular(struct tw_sequence *seq, struct tw_matrix *A, const struct tw_use *uses, int nuses,
                     tw_when_fn then, const void *args, size_t size);
void tw_trtri_loop(struct tw_sequence *seq, enum tw_uplo uplo, enum tw_diag diag, struct tw_matrix *A, int final);
/* tw_cholqr without its checks; choleskys may be NULL. It looks at values: A and R are held back until it has. S (n x n
 * in tiles of A's columns; NULL: none): A becomes what has to be multiplied by inv(S) for Q, S's condition is below 2,
 * and the last of the solves with all of A is left to what is multiplied with Q. */
void tw_cholqr_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_matrix *R, struct tw_matrix *S,
                    int *choleskys);
/* rows_come: L (U) is made row by row (column by column) by tasks before these. */
void tw_lauum_loop(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A, int rows_come);
/* Scalings into arrays of the caller's, by continuations; spreads and amax stay as they are where there is a zero,
 * which goes into info. radix: powers of 2. */
void tw_geequ_loop(struct tw_sequence *seq, struct tw_matrix *A, double *r, double *c, double *rowcnd, double *colcnd,
                   double *amax, int radix, struct tw_data *info);
void tw_poequ_loop(struct tw_sequence *seq, struct tw_matrix *A, double *s, double *scond, double *amax, int radix,
                   struct tw_data *info);
/* C = alpha op(A) op(B) + beta C, in whatever tiles. */
void tw_gemm_loop(struct tw_sequence *seq, enum tw_trans ta, enum tw_trans tb, tw_scalar alpha, struct tw_matrix *A,
                  struct tw_matrix *B, tw_scalar beta, struct tw_matrix *C);
/* C = beta C: all of it (uplo TW_GENERAL) or a triangle; zeros if beta is 0. */
void tw_scale_loop(struct tw_sequence *seq, enum tw_uplo uplo, int hermitian, tw_scalar beta, struct tw_matrix *C);
/* C = 2^e C, in steps where 2^e itself is beyond the range of C's type. */
void tw_scale_by_power_loop(struct tw_sequence *seq, int e, struct tw_matrix *C);

/* gels for LAPACK's doors: A gets LAPACK's factors whatever its shape. */
int tw_gels_in_lapacks_storage(enum tw_trans trans, tw_matrix *A, tw_matrix *B);
#endif
