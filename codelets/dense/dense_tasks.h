/* Codelets: what can be submitted. One file per kernel holds its argument struct, buffers and access modes, CPU and
 * CUDA body and the function below that submits it.
 *
 * Letters are LAPACK's. Shapes come from the data objects: a call names operands, not sizes. All operands of one task
 * have the same type. Functions return nothing: a failed submission fails the sequence (see runtime/task/submit.h). */
#ifndef TW_CODELETS_DENSE_DENSE_TASKS_H
#define TW_CODELETS_DENSE_DENSE_TASKS_H
#include "runtime/task/submit.h"
#include "types/dense/structure.h"

/* ---- BLAS on tiles --------------------------------------------------------------------------------------------- */

/* C = alpha op(A) op(B) + beta C. With beta = 0 the old content of C is neither read nor moved. */
void tw_task_gemm(struct tw_sequence *seq, int priority, char ta, char tb, tw_scalar alpha, struct tw_data *A,
                  struct tw_data *B, tw_scalar beta, struct tw_data *C);
/* C = alpha A op(b) + C for `count` tiles A and C one under the other: a task each, or, on cores where they lie so in
 * arrays, several at once, as long as that leaves each core some. columns: how many such lists there are to be done. */
void tw_task_gemm_column(struct tw_sequence *seq, int priority, char tb, tw_scalar alpha, struct tw_data *const *A,
                         int count, struct tw_data *b, struct tw_data *const *C, int columns);
/* C = alpha A A^T + beta C (trans 'N') or alpha A^T A + beta C ('T'), in the uplo triangle of C. */
void tw_task_syrk(struct tw_sequence *seq, int priority, char uplo, char trans, tw_scalar alpha, struct tw_data *A,
                  tw_scalar beta, struct tw_data *C);
/* The same with A^H (trans 'N' or 'C'); for real types it is syrk. */
void tw_task_herk(struct tw_sequence *seq, int priority, char uplo, char trans, double alpha, struct tw_data *A,
                  double beta, struct tw_data *C);
/* C = alpha A B + beta C (side 'L') or alpha B A + beta C ('R'), A symmetric, or hermitian, in its uplo triangle. With
 * beta = 0 the old content of C is neither read nor moved. */
void tw_task_symm(struct tw_sequence *seq, int priority, int hermitian, char side, char uplo, tw_scalar alpha,
                  struct tw_data *A, struct tw_data *B, tw_scalar beta, struct tw_data *C);
/* C = alpha A B^T + alpha B A^T + beta C (trans 'N') or alpha A^T B + alpha B^T A + beta C ('T', or 'C' for the
 * hermitian one), in the uplo triangle of C. hermitian: with ^H, conj(alpha) in the second product, and the real part
 * of beta. */
void tw_task_syr2k(struct tw_sequence *seq, int priority, int hermitian, char uplo, char trans, tw_scalar alpha,
                   struct tw_data *A, struct tw_data *B, tw_scalar beta, struct tw_data *C);
/* B = alpha inv(op(A)) B (side 'L') or alpha B inv(op(A)) ('R'), A triangular. */
void tw_task_trsm(struct tw_sequence *seq, int priority, char side, char uplo, char trans, char diag, tw_scalar alpha,
                  struct tw_data *A, struct tw_data *B);
/* B = alpha op(A) B or alpha B op(A), A triangular. */
void tw_task_trmm(struct tw_sequence *seq, int priority, char side, char uplo, char trans, char diag, tw_scalar alpha,
                  struct tw_data *A, struct tw_data *B);
/* B = alpha op(A) + beta B. With beta = 0 the old content of B is neither read nor moved. */
void tw_task_geadd(struct tw_sequence *seq, int priority, char trans, tw_scalar alpha, struct tw_data *A,
                   tw_scalar beta, struct tw_data *B);
/* A = beta A; uplo 'G' all of the tile, 'L' or 'U' one triangle. hermitian: the diagonal's imaginary part becomes 0. */
void tw_task_lascl(struct tw_sequence *seq, int priority, char uplo, int hermitian, tw_scalar beta, struct tw_data *A);
/* The part `uplo` of A ('G', 'L', 'U'; a trapezoid if A is not square) times to / from, by factors that stay in range:
 * LAPACK's lascl. */
void tw_task_scale(struct tw_sequence *seq, int priority, char uplo, double from, double to, struct tw_data *A);

/* ---- LAPACK on tiles ------------------------------------------------------------------------------------------- */

/* Cholesky factor of a diagonal tile whose first row is `offset` (0-based) in the matrix; info becomes offset + k
 * when the leading minor of order k of the tile fails, if it was 0 or larger. */
void tw_task_potrf(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A, tw_int offset,
                   struct tw_data *info);
/* The same, and M (a tile of tw_data_tile) becomes what tw_task_trsm_inverse solves A's panel with. */
void tw_task_potrf_inverse(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A, struct tw_data *M,
                           tw_int offset, struct tw_data *info);
/* B = B inv(A^H) (uplo 'L': B is below A) or inv(A^H) B ('U': right of A): the solve as a product, much faster on
 * GPUs. */
void tw_task_trsm_inverse(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A, struct tw_data *M,
                          struct tw_data *B);
/* Inverse of a triangle; its diagonal must have been looked at with trdiag. */
void tw_task_trtri(struct tw_sequence *seq, int priority, char uplo, char diag, struct tw_data *A);
/* L^H L or U U^H. */
void tw_task_lauum(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A);
/* info becomes offset + k for the first k with A(k, k) exactly zero, if it was 0 or larger. */
void tw_task_trdiag(struct tw_sequence *seq, int priority, struct tw_data *A, tw_int offset, struct tw_data *info);
/* B = A, all of it (uplo 'G') or one triangle. */
void tw_task_lacpy(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A, struct tw_data *B);
/* The m x n block of A that begins at (ai, aj), 0-based, to the block of B that begins at (bi, bj). overwrites: the
 * rest of B need not be kept (it is undefined then). */
struct tw_block {
    int m, n, ai, aj, bi, bj;
};
void tw_task_lacpy_block(struct tw_sequence *seq, int priority, const struct tw_block *block, struct tw_data *A,
                         struct tw_data *B, int overwrites);
/* The same with the block's lower ('L') or upper ('U') triangle or trapezoid. */
void tw_task_lacpy_part(struct tw_sequence *seq, int priority, char uplo, const struct tw_block *block,
                        struct tw_data *A, struct tw_data *B, int overwrites);
/* The same as lacpy_block if info, of a routine that comes before, is 0; else B stays as it is. */
void tw_task_lacpy_block_if(struct tw_sequence *seq, int priority, const struct tw_block *block, struct tw_data *A,
                            struct tw_data *B, struct tw_data *info);
/* A = offdiag, and diag on the tile's own diagonal; all of it (uplo 'G') or one triangle. */
void tw_task_laset(struct tw_sequence *seq, int priority, char uplo, tw_scalar offdiag, tw_scalar diag,
                   struct tw_data *A);
/* A = offdiag, and diag on the diagonal that goes through the elements (r, c) with r = c + shift, in all of the
 * tile. */
void tw_task_laset_diagonal(struct tw_sequence *seq, int priority, tw_scalar offdiag, tw_scalar diag, tw_int shift,
                            struct tw_data *A);
/* B = A^T (trans 'T') or A^H ('C'). */
void tw_task_transpose(struct tw_sequence *seq, int priority, char trans, struct tw_data *A, struct tw_data *B);

/* ---- LU -------------------------------------------------------------------------------------------------------------
 * A block column is a list of tiles, from some row of tiles down; all but the last have as many rows as the first. */

/* P A = L U of a block column whose first row is `row` (0-based) in the matrix. ipiv gets its min(m, n) pivots as
 * LAPACK's (1-based rows of the matrix); info becomes row + k for the first k with U(k, k) exactly zero, if it was 0 or
 * larger. */
void tw_task_getrf(struct tw_sequence *seq, int priority, struct tw_data *const *tile, int count, tw_int row,
                   struct tw_data *ipiv, struct tw_data *info);
/* A = L U of a diagonal tile whose first row is `offset` (0-based) in the matrix, without exchanges; info as
 * getrf's. */
void tw_task_getrf_nopiv(struct tw_sequence *seq, int priority, struct tw_data *A, tw_int offset, struct tw_data *info);
/* ipiv, the pivots of rows from `first` (0-based) on, says that no rows are exchanged. type: of the matrix. */
void tw_task_no_exchanges(struct tw_sequence *seq, int priority, enum tw_type type, tw_int first, struct tw_data *ipiv);
/* Exchange the rows of such a block column that consecutive pivots say, `pieces` objects of them; the first pivot
 * stands in row `first` of the matrix. direct 'F': in their order, 'B': the other way, which undoes it. */
void tw_task_laswp(struct tw_sequence *seq, int priority, char direct, struct tw_data *const *tile, int count,
                   tw_int row, struct tw_data *const *ipiv, int pieces, tw_int first);

/* ---- QR and LQ ------------------------------------------------------------------------------------------------------
 * Block reflectors H = I - V T V^H, from a block column (storev 'C': V) or a block row ('R': V^H), a list of tiles. */

/* A = Q R of a block column or A = L Q of a block row, in LAPACK's storage; tau gets its k = min(m, n) elements, T (k x
 * k) is upper triangular with zeros below. front: the part of V (or V^H) in the first tile, with its ones and zeros, as
 * many rows (columns) as that has, and k columns (rows). */
void tw_task_geqrf(struct tw_sequence *seq, int priority, char storev, struct tw_data *const *tile, int count,
                   struct tw_data *tau, struct tw_data *front, struct tw_data *T);
/* front and T of a panel that was factored before, k as T says; further columns (rows) of the tiles are not looked
 * at. */
void tw_task_larft(struct tw_sequence *seq, int priority, char storev, struct tw_data *const *tile, int count,
                   struct tw_data *tau, struct tw_data *front, struct tw_data *T);

/* ---- QR with column exchanges ------------------------------------------------------------------------------------ */

/* A block column of it (?laqps), as wide as `F` has columns: grid holds the tiles from its first row and column on, mt
 * x nt, column-major. The columns' numbers jpvt (int32_t), and `norms` (2 doubles each) are the whole matrix' vectors
 * of n; `column` is the first column's place there. begins: columns with jpvt other than 0 come first, `fixed` (an
 * int64_t) gets their number. swap, tau: k elements each. F: the tiles of the block columns behind it, as many columns
 * as k; A - V F^H is left to do in the rows below the first row of tiles. stop (NULL: none): a vector of one struct
 * tw_pivot_stop; a column that it finds a NaN in goes into the info. */
void tw_task_laqps(struct tw_sequence *seq, int priority, int begins, tw_int column, struct tw_data *const *grid,
                   int mt, int nt, struct tw_data *jpvt, struct tw_data *fixed, struct tw_data *norms,
                   struct tw_data *swap, struct tw_data *tau, struct tw_data *const *F, struct tw_data *stop);
/* Such a block's exchanges in the list of where columns came from, from the block's first column on. */
void tw_task_swap_numbers(struct tw_sequence *seq, int priority, enum tw_type type, tw_int first, struct tw_data *swap,
                          struct tw_data *jpvt);
/* The exchanges of `pieces` such blocks, one after another, in a row of tiles that lies above them; the first block
 * begins with tile[0], and all are as wide as it. */
void tw_task_swap_columns(struct tw_sequence *seq, int priority, struct tw_data *const *tile, int count,
                          struct tw_data *const *swap, int pieces);

/* acc, 2 doubles for each column of A (LAPACK's lassq), += its squares. */
void tw_task_colnorm2(struct tw_sequence *seq, int priority, struct tw_data *A, struct tw_data *acc);
/* Whether QR with column exchanges ends within the last block, of `width` columns from column `at` of n on (0: there is
 * none yet), or, if there are more, behind it: stop, a struct tw_pivot_stop, and the info. row: R's tiles in the
 * block's rows, from its own column on; acc: of the columns behind it what is below them; or of all columns. */
void tw_task_pivot_look(struct tw_sequence *seq, int priority, enum tw_type type, tw_int at, tw_int n, int width,
                        int more, struct tw_data *const *row, int tiles, struct tw_data *const *acc, int sums,
                        struct tw_data *stop);

/* rank, an int64_t: how many of the k columns of R (in tiles x tiles, column-major) have a condition of at most 1 /
 * rcond. */
void tw_task_rank(struct tw_sequence *seq, int priority, double rcond, int k, struct tw_data *const *grid, int tiles,
                  struct tw_data *rank);
/* The first rows of R, as many as F has, become (T 0) Z, which F (m x (n + TW_COLUMNS_BEHIND), the last columns zeros)
 * gets as well; R gets T times `by`; tau: m elements. */
void tw_task_tzrzf(struct tw_sequence *seq, int priority, struct tw_data *const *grid, int mt, int nt, double by,
                   struct tw_data *F, struct tw_data *tau);
/* A block column: X = Z^H (inv(T) Y; 0) of Y's first rows. */
void tw_task_minimum_norm(struct tw_sequence *seq, int priority, struct tw_data *F, struct tw_data *tau,
                          struct tw_data *const *Y, int y, struct tw_data *const *X, int x);
/* A block column: row i of X goes where jpvt[i] says. */
void tw_task_permute_rows(struct tw_sequence *seq, int priority, struct tw_data *jpvt, struct tw_data *const *X, int x);

/* ---- trees of tiles (LAPACK's geqrt, gemqrt, tpqrt, tpmqrt) ----
 * storev 'R': A and B (V) are the adjoints of what is said here, as LQ has them (LAPACK's gelqt ...); Q, T, C and D are
 * not. */

/* A = Q R of a tile; T: b x min(m, n), the triangles of blocks of b columns. */
void tw_task_geqrt(struct tw_sequence *seq, int priority, char storev, struct tw_data *A, struct tw_data *T);
/* C = Q C (side 'L', trans 'N'), Q^H C ('C'), C Q or C Q^H (side 'R') with that Q. */
void tw_task_gemqrt(struct tw_sequence *seq, int priority, char storev, char side, char trans, struct tw_data *V,
                    struct tw_data *T, struct tw_data *C);
/* The triangle of A (n columns) on top of B's first m rows, of which the last l are upper trapezoidal (l = m = n: a
 * triangle; 0: all of the tile) is factored: R in A, V's lower part in B. T: tw_tpqrt_block(n) x n. What else is in A
 * and B stays. */
void tw_task_tpqrt(struct tw_sequence *seq, int priority, char storev, int m, int l, struct tw_data *A,
                   struct tw_data *B, struct tw_data *T);
int tw_tpqrt_block(int n);
/* [C; D] = op(Q) [C; D] with C's first n and D's first m rows ('L'); or [C D] = [C D] op(Q) with so many columns
 * ('R'). */
void tw_task_tpmqrt(struct tw_sequence *seq, int priority, char storev, char side, char trans, int m, int l,
                    struct tw_data *V, struct tw_data *T, struct tw_data *C, struct tw_data *D);

/* ---- norms: tiles into vectors of doubles, vectors into one number --------------------------------------------- */

/* value (1 double) = max(value, |a_ij|). uplo 'G' for full tiles; diag 'U': ones on the diagonal. NaN propagates. */
void tw_task_normmax(struct tw_sequence *seq, int priority, enum tw_structure s, char uplo, char diag,
                     struct tw_data *A, struct tw_data *value);
/* rows (m doubles) and cols (n doubles) += sums of |a_ij|; either may be NULL. For a diagonal tile of a symmetric or
 * hermitian matrix give one of them: it gets the sums of the whole, mirrored tile. */
void tw_task_normsum(struct tw_sequence *seq, int priority, enum tw_structure s, char uplo, char diag,
                     struct tw_data *A, struct tw_data *rows, struct tw_data *cols);
/* acc (2 doubles: scale, sum of squares) += the squares of A's elements, each counted `weight` times. */
void tw_task_normfro(struct tw_sequence *seq, int priority, enum tw_structure s, char uplo, char diag, int weight,
                     struct tw_data *A, struct tw_data *acc);
/* value (1 double) = max(value, x_i) of a vector of doubles >= 0. NaN propagates. */
void tw_task_vecmax(struct tw_sequence *seq, int priority, struct tw_data *x, struct tw_data *value);
/* acc += part, both pairs (scale, sum of squares). */
void tw_task_frosum(struct tw_sequence *seq, int priority, struct tw_data *part, struct tw_data *acc);

/* ---- estimates of norms of inverses: LAPACK's lacn2, and latrs for its solves ------------------------------------ */

/* k <= TW_LACN2_MOST estimates (types/dense/lacn2.h) of operators of order n: vectors of k struct tw_lacn2; n k int32_t
 * (one, of complex types); n k elements; n k elements. */
struct tw_lacn2_vectors {
    struct tw_data *state, *isgn, *v, *kept;
};
/* A turn on the block column X (n x k): what it holds is that product (0: nothing yet), and what is to be multiplied
 * next comes in its place. again: a product that is not finite may be repeated with exponents e, a vector of an int64_t
 * for each tile (NULL: there are none yet). w: a block column whose real parts are weights, or NULL. */
void tw_task_lacn2(struct tw_sequence *seq, int priority, const struct tw_lacn2_vectors *v, int product, int again,
                   struct tw_data *e, struct tw_data *const *w, struct tw_data *const *X, int count);
/* X (n x 1) as `kept` has it, and its exponents e all 0. */
void tw_task_latrs_begin(struct tw_sequence *seq, int priority, struct tw_data *e, struct tw_data *kept,
                         struct tw_data *const *X, int count);
/* x(r) := inv(op(A)) x(r), A triangular, without overflow: x's exponent is e[r]. x(i) -= op(A) x(r) likewise. */
void tw_task_latrs(struct tw_sequence *seq, int priority, char uplo, char trans, char diag, struct tw_data *A,
                   struct tw_data *x, int r, struct tw_data *e);
void tw_task_latrs_update(struct tw_sequence *seq, int priority, char trans, struct tw_data *A, struct tw_data *xr,
                          int r, struct tw_data *xi, int i, struct tw_data *e);

/* ---- error bounds (LAPACK's gerfs): |z| is |re| + |im|, W's real parts count ------------------------------------- */

/* W = |B| */
void tw_task_laabs(struct tw_sequence *seq, int priority, struct tw_data *B, struct tw_data *W);
/* W += |op(A)| |X|; s, uplo, diag as normsum's. */
void tw_task_absmm(struct tw_sequence *seq, int priority, enum tw_structure s, char uplo, char diag, char trans,
                   struct tw_data *A, struct tw_data *X, struct tw_data *W);
/* Block columns of `count` tiles: the solutions x, their w = |op(A)| |x| + |b| and residuals r = b - op(A) x. state, a
 * vector of a struct tw_refined for each column (types/dense/refine.h), says what to do; r becomes zero where that is
 * nothing, and f the weights of the forward error. */
void tw_task_berr(struct tw_sequence *seq, int priority, int first, int most, struct tw_data *state,
                  struct tw_data *const *x, struct tw_data *const *w, struct tw_data *const *f,
                  struct tw_data *const *r, int count);

/* ---- mixed precision (LAPACK's dsgesv): |z| is |re| + |im| ------------------------------------------------------- */

/* B = A (uplo 'G', or a triangle, and B's other one is undefined then) in the other precision of the same kind; lost, a
 * double, becomes 1 where an element is beyond the numbers of B's type. */
void tw_task_lag2(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A, struct tw_data *B,
                  struct tw_data *lost);
/* cols, a double for each column of A, = max(cols, max_i |a_ij|); NaN propagates. */
void tw_task_colmax(struct tw_sequence *seq, int priority, struct tw_data *A, struct tw_data *cols);
/* state, a struct tw_mixed (types/dense/mixed.h): what is to be done about solutions of a system of order n with these
 * max |x| and max |r|, `parts` vectors of doubles each; anorm: |A|; info: the factorization's; lost: conversions'.
 * growth (NULL: not looked at): the largest |a_ij| and |u_ij|, doubles, and how often the one may be in the other. */
struct tw_growth {
    struct tw_data *amax, *umax;
    double limit;
};
void tw_task_mixed_look(struct tw_sequence *seq, int priority, enum tw_type type, tw_int n, struct tw_data *state,
                        struct tw_data *anorm, struct tw_data *info, struct tw_data *const *lost, int nlost,
                        struct tw_data *const *x, struct tw_data *const *r, int parts, const struct tw_growth *growth);

/* ---- factors of half precision's products, and GMRES with them (types/dense/gmres.h); type d alone --------------- */

/* scale (doubles) = 1 / sqrt(a_ii); info: offset + the 1-based place of the first that is not positive. */
void tw_task_rsqrt_diagonal(struct tw_sequence *seq, int priority, struct tw_data *A, struct tw_data *scale,
                            tw_int offset, struct tw_data *info);
/* B = diag(r) A diag(c) of its part `uplo`, in the other precision; r, c: doubles, NULL: 1. */
void tw_task_lag2_scaled(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A, struct tw_data *r,
                         struct tw_data *c, struct tw_data *B);
/* For each column of a block column, `count` tiles R: V's first vector is the residual in R, at length 1; R becomes
 * diag(r) times it, its largest element 1. state: a struct tw_gmres_column each. V, Z: for each column TW_GMRES_MOST +
 * 1, and one less, vectors of length n. */
void tw_task_gmres_begin(struct tw_sequence *seq, int priority, struct tw_data *const *R, struct tw_data *const *r,
                         int count, struct tw_data *V, struct tw_data *state);
/* Step `step`, from 0: R has Z's next vector, W minus A times it. V's next vector goes into R as in the beginning.
 * *left, a vector of one double: is a column not done? first: of the block columns. */
void tw_task_gmres_step(struct tw_sequence *seq, int priority, int step, int first, struct tw_data *const *W,
                        struct tw_data *const *R, struct tw_data *const *r, int count, struct tw_data *V,
                        struct tw_data *Z, struct tw_data *state, struct tw_data *left);
/* R = Z y. */
void tw_task_gmres_end(struct tw_sequence *seq, int priority, struct tw_data *const *R, int count, struct tw_data *Z,
                       struct tw_data *state);

/* ---- equilibration (LAPACK's geequ): |z| is |re| + |im|, rows and cols are vectors of doubles -------------------- */

/* rows = max(rows, max_j |a_ij|); cols = max(cols, max_i |a_ij| rows_i) */
void tw_task_rowmax(struct tw_sequence *seq, int priority, struct tw_data *A, struct tw_data *rows);
void tw_task_colmax_scaled(struct tw_sequence *seq, int priority, struct tw_data *A, struct tw_data *rows,
                           struct tw_data *cols);
/* a_ij times r[row + i] c[column + j], of vectors of doubles (NULL: 1), in the part of A ('G', 'L', 'U'); hermitian:
 * the diagonal of a triangle becomes real. */
void tw_task_laqge(struct tw_sequence *seq, int priority, char part, int hermitian, struct tw_data *A,
                   struct tw_data *r, tw_int row, struct tw_data *c, tw_int column);
/* d (from element `first` on, 0-based) = the real parts of A's diagonal; info: 1-based place of the first that is not
 * positive. */
void tw_task_lacpy_diagonal(struct tw_sequence *seq, int priority, struct tw_data *A, tw_int first, struct tw_data *d,
                            struct tw_data *info);
/* The `count` parts become their reciprocals, of matrices of that type; with radix those of powers of 2 in their place.
 * out, a vector of as many doubles and 3: them, the quotient of their extremes, the largest of what they were, and the
 * 1-based place of the first zero (0: none; else nothing becomes a reciprocal, and info offset + that). */
void tw_task_reciprocals(struct tw_sequence *seq, int priority, enum tw_type type, int radix,
                         struct tw_data *const *part, int count, struct tw_data *out, tw_int offset,
                         struct tw_data *info);

/* ---- columns by powers of two (CholeskyQR) --------------------------------------------------------------------------
 * x, forth, back, even are rows of A's type, a number for each column. */

/* Of a block column whose `count` parts (doubles, of colmax) are its largest |re| + |im|: forth brings columns near 1
 * whose squares would overflow or underflow, and is 1 for others; back is its reciprocal, and forth times even brings
 * every column near 1. All are powers of two. */
void tw_task_column_factors(struct tw_sequence *seq, int priority, struct tw_data *forth, struct tw_data *back,
                            struct tw_data *even, struct tw_data *const *part, int count);
/* A = A diag(x) */
void tw_task_scale_columns(struct tw_sequence *seq, int priority, struct tw_data *x, struct tw_data *A);

/* ---- filling --------------------------------------------------------------------------------------------------- */

/* Writes rows i0… and columns j0… (0-based) of a matrix into a (m x n, lda); returns 0 or TW_E_…. Called from many
 * threads. */
typedef int (*tw_block_fn)(const void *user, tw_int i0, tw_int j0, tw_int m, tw_int n, void *a, tw_int lda);
/* Fill tile A, whose first element is (i0, j0); uplo 'L' or 'U': only that triangle of the tile is written. `user`
 * has to live until the task has run. */
void tw_task_generate(struct tw_sequence *seq, tw_block_fn block, const void *user, char uplo, tw_int i0, tw_int j0,
                      struct tw_data *A);

/* What a generator's block is, at once: it lies in the generator's matrix. */
void tw_generate_entries(const struct tw_generator *g, tw_int i0, tw_int j0, tw_int m, tw_int n, void *a, tw_int lda);

/* ---- flops ------------------------------------------------------------------------------------------------------
 * LAPACK Working Note 41's counts for real arithmetic. Complex ones count four times as much (a multiply-add pair is
 * 4 + 4 real operations), the leading term of the exact complex counts; every rate that Tilework prints is made with
 * these. */
static inline double tw_flops_gemm(enum tw_type t, double m, double n, double k)
{
    return tw_flop_factor(t) * 2 * m * n * k;
}
static inline double tw_flops_syrk(enum tw_type t, double n, double k)
{
    return tw_flop_factor(t) * k * n * (n + 1);
}
/* B is m x n: two products and a sum for each element. */
static inline double tw_flops_geadd(enum tw_type t, double m, double n)
{
    return tw_flop_factor(t) * 3 * m * n;
}
/* B is m x n. Also trmm's. */
static inline double tw_flops_trsm(enum tw_type t, char side, double m, double n)
{
    return tw_flop_factor(t) * (side == 'L' ? n * m * m : m * n * n);
}
static inline double tw_flops_getrf(enum tw_type t, double m, double n)
{
    const double k = m < n ? m : n, s = k * (k + 1) / 2, s2 = k * (k + 1) * (2 * k + 1) / 6;
    return tw_flop_factor(t) * (k + m * k - s + 2 * (m * n * k - (m + n) * s + s2));
}
static inline double tw_flops_geqrf(enum tw_type t, double m, double n)
{
    return tw_flop_factor(t) * (m >= n ? 2 * m * n * n - 2 * n * n * n / 3 + m * n + n * n + 14 * n / 3
                                       : 2 * n * m * m - 2 * m * m * m / 3 + 3 * n * m - m * m + 14 * m / 3);
}
static inline double tw_flops_gelqf(enum tw_type t, double m, double n)
{
    return tw_flop_factor(t) * (m >= n ? 2 * m * n * n - 2 * n * n * n / 3 + 3 * m * n - n * n + 14 * n / 3
                                       : 2 * n * m * m - 2 * m * m * m / 3 + m * n + m * m + 14 * m / 3);
}
/* op(Q) of k reflectors on an m x n matrix from the left ('L') or the right: ormqr, ormlq. */
static inline double tw_flops_unmqr(enum tw_type t, char side, double m, double n, double k)
{
    return tw_flop_factor(t) * (side == 'L' ? 4 * n * m * k - 2 * n * k * k + 3 * n * k
                                            : 4 * n * m * k - 2 * m * k * k + 2 * m * k + n * k - k * k / 2 + k / 2);
}
/* Q (m x n) of k reflectors: orgqr, orglq. */
static inline double tw_flops_ungqr(enum tw_type t, double m, double n, double k)
{
    return tw_flop_factor(t) *
           (4 * m * n * k - 2 * (m + n) * k * k + 4 * k * k * k / 3 + 3 * n * k - m * k - k * k - 4 * k / 3);
}
/* Also lauum's. */
static inline double tw_flops_potrf(enum tw_type t, double n)
{
    return tw_flop_factor(t) * (n * n * n / 3 + n * n / 2 + n / 6);
}
static inline double tw_flops_trtri(enum tw_type t, double n)
{
    return tw_flop_factor(t) * (n * n * n / 3 + 2 * n / 3);
}
/* From LU factors. */
static inline double tw_flops_getri(enum tw_type t, double n)
{
    return tw_flop_factor(t) * (4 * n * n * n / 3 - n * n + 5 * n / 3);
}
/* The CPU kernel itself, for problems too small for tasks (OpenBLAS' own is not safe: see
 * kernels/dense/cpu/lauum.c). */
void tw_kernel_lauum(enum tw_type type, char uplo, int n, void *a, int lda);
#endif
