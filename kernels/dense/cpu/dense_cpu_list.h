/* The list of CPU kernels, one line each: TW_KERNEL(type of the result, name, parameters...), defined by the file that
 * includes this file (the table's members, the prototypes and the four tables are all made of it, so a new kernel is
 * one line here and its file). No include guard: it is read several times. */

/* Returns 0, or k > 0: the leading minor of order k is not positive definite, or its pivot is NaN. */
TW_KERNEL(int, potrf, char uplo, int n, void *a, int lda)
/* By several threads, where there are some and n is large enough: the same result whichever they are, which may differ
 * in rounding from the one above. */
TW_KERNEL(int, potrf_team, struct tw_team *team, char uplo, int n, void *a, int lda)
/* The same, and what a panel's solves can be made with on a GPU: the inverse M of L (uplo 'L') or of U^H ('U'), lower
 * triangular, n x n. M's other triangle is 0, but for two floats in its elements (0, n-1) and (1, n-1): the largest
 * column sums of |L| and |M|, whose product is the condition (n >= TW_INVERSE_MIN). */
TW_KERNEL(int, potrf_inverse, char uplo, int n, void *a, int lda, void *inv, int ldi)

TW_KERNEL(void, gemm, char ta, char tb, int m, int n, int k, tw_scalar alpha, const void *a, int lda, const void *b,
          int ldb, tw_scalar beta, void *c, int ldc)
TW_KERNEL(void, syrk, char uplo, char trans, int n, int k, tw_scalar alpha, const void *a, int lda, tw_scalar beta,
          void *c, int ldc)
TW_KERNEL(void, herk, char uplo, char trans, int n, int k, double alpha, const void *a, int lda, double beta, void *c,
          int ldc)
TW_KERNEL(void, trsm, char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha, const void *a,
          int lda, void *b, int ldb)
TW_KERNEL(void, trmm, char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha, const void *a,
          int lda, void *b, int ldb)
/* C = what trmm makes of B, which stays; B and C (m x n) do not overlap. */
TW_KERNEL(void, trmm_to, char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha, const void *a,
          int lda, const void *b, int ldb, void *c, int ldc)
/* C (m x n) = alpha A B + beta C (side 'L', A m x m) or alpha B A + beta C ('R', A n x n); one triangle of A is read,
 * and of a hermitian A's diagonal the real part. */
TW_KERNEL(void, symm, char side, char uplo, int m, int n, tw_scalar alpha, const void *a, int lda, const void *b,
          int ldb, tw_scalar beta, void *c, int ldc)
TW_KERNEL(void, hemm, char side, char uplo, int m, int n, tw_scalar alpha, const void *a, int lda, const void *b,
          int ldb, tw_scalar beta, void *c, int ldc)
/* One triangle of C (n x n); trans 'N': A and B are n x k, otherwise k x n.
 * syr2k: alpha (A B^T + B A^T) + beta C, or alpha (A^T B + B^T A) + beta C; her2k: alpha A B^H + conj(alpha) B A^H +
 * beta C and so on. */
TW_KERNEL(void, syr2k, char uplo, char trans, int n, int k, tw_scalar alpha, const void *a, int lda, const void *b,
          int ldb, tw_scalar beta, void *c, int ldc)
TW_KERNEL(void, her2k, char uplo, char trans, int n, int k, tw_scalar alpha, const void *a, int lda, const void *b,
          int ldb, double beta, void *c, int ldc)
/* B (m x n) = alpha op(A) + beta B; neither is read where its factor is 0. */
TW_KERNEL(void, geadd, char trans, int m, int n, tw_scalar alpha, const void *a, int lda, tw_scalar beta, void *b,
          int ldb)
/* B (n x m) = A^T (trans 'T') or A^H ('C') of an m x n A; they do not overlap. */
TW_KERNEL(void, transpose, char trans, int m, int n, const void *a, int lda, void *b, int ldb)

TW_KERNEL(int, trtri, char uplo, char diag, int n, void *a, int lda) /* k > 0: A(k,k) is zero */
TW_KERNEL(void, lauum, char uplo, int n, void *a, int lda)
/* A hermitian in its uplo triangle, B's Cholesky factor in the same one: A = inv(L) A inv(L^H) or inv(U^H) A inv(U)
 * (itype 1), L^H A L or U A U^H (2, 3). */
TW_KERNEL(int, syevd, char jobz, char uplo, int n, void *a, int lda, void *w)
TW_KERNEL(void, sygst, int itype, char uplo, int n, void *a, int lda, const void *b, int ldb)
/* Index (1-based) of the first exactly zero diagonal element, or 0. */
TW_KERNEL(int, trdiag, int n, const void *a, int lda)
TW_KERNEL(void, lacpy, char uplo, int m, int n, const void *a, int lda, void *b, int ldb) /* uplo 'G', 'L', 'U' */
/* B = A in the other precision of the same kind (float and double, complex or not); uplo as lacpy's. 1 if an element is
 * beyond that one's numbers: it becomes an infinity. */
TW_KERNEL(int, lag2, char uplo, int m, int n, const void *a, int lda, void *b, int ldb)
/* B = A rounded to half precision, single precision alone; others stay what they are. */
TW_KERNEL(void, half, int m, int n, const void *a, int lda, void *b, int ldb)
TW_KERNEL(void, laset, char uplo, int m, int n, tw_scalar offdiag, tw_scalar diag, void *a, int lda)
TW_KERNEL(void, lascl_columns, int m, int n, const void *a, int lda, const void *x, void *b,
          int ldb) /* B = A diag(x) */
/* The part `uplo` of A times to / from (LAPACK's lascl: no product on the way overflows where the result does not). */
TW_KERNEL(void, lascl, char uplo, int m, int n, double from, double to, void *a, int lda)

/* Norm pieces; NaN propagates. uplo 'G' for full tiles. diag 'U': ones instead of the stored diagonal (triangular).
 * normmax: *value = max(*value, |a_ij|). */
TW_KERNEL(void, normmax, enum tw_structure s, char uplo, char diag, int m, int n, const void *a, int lda, double *value)
/* cols[j] += sum_i |a_ij|, rows[i] += sum_j |a_ij|; either may be NULL. For a diagonal tile of a symmetric or hermitian
 * matrix cols == rows is the one vector of the whole (mirrored) tile. */
TW_KERNEL(void, normsum, enum tw_structure s, char uplo, char diag, int m, int n, const void *a, int lda, double *rows,
          double *cols)
/* acc[0] = scale, acc[1] = sum of squares (LAPACK's lassq), each element counted `weight` times (1 or 2); in a diagonal
 * tile of a symmetric or hermitian matrix off-diagonal elements count twice. */
TW_KERNEL(void, normfro, enum tw_structure s, char uplo, char diag, int m, int n, const void *a, int lda, int weight,
          double acc[2])
/* The same for each column: cols[j] = max(cols[j], max_i (|re| + |im|)), the measure of BLAS's iamax; and acc[2 j],
 * acc[2 j + 1] as in normfro. */
TW_KERNEL(void, colmax, int m, int n, const void *a, int lda, double *cols)
TW_KERNEL(void, colfro, int m, int n, const void *a, int lda, double *acc)

/* ---- LU. Pivots are int32_t, counted from 1, relative to the first row of the block. ---- */

/* P A = L U of an m x n block with partial pivoting by LAPACK's rules; ipiv: min(m, n). Returns 0, or k > 0: U(k,k) is
 * exactly zero, with the factorization complete. A NaN is not larger than anything; as first candidate of its column it
 * is the pivot. */
TW_KERNEL(int, getrf, int m, int n, void *a, int lda, int32_t *ipiv)
/* By several threads, as potrf_team: the same pivots, where roundings do not decide. */
TW_KERNEL(int, getrf_team, struct tw_team *team, int m, int n, void *a, int lda, int32_t *ipiv)
/* The same without exchanges. k > 0: pivot k is zero and what depends on it is undefined (Inf, NaN). */
TW_KERNEL(int, getrf_nopiv, int m, int n, void *a, int lda)
/* Rows i and ipiv[i] of an m x n block are exchanged, for i = 1 ... k (direct 'F') or k ... 1 ('B', which undoes it). A
 * pivot outside 1 ... m exchanges nothing. */
TW_KERNEL(void, laswp, char direct, int m, int n, void *a, int lda, int k, const int32_t *ipiv)
/* The same in a block column of tiles: pivot i stands in its row first + i - 1 (0-based), and names row ipiv[i] - base
 * (from 1). */
TW_KERNEL(void, laswp_tiles, char direct, const struct tw_tiles *a, int first, int base, int k, const int32_t *ipiv)

/* ---- QR and LQ. A block reflector is H = H(1) ... H(k) = I - V T V^H, T (k x k) upper triangular with zeros below.
 * storev 'C': V is p x k, unit lower trapezoidal; 'R': V^H is stored, k x p, unit upper trapezoidal. The other triangle
 * and the ones are not read. ---- */

/* A (m x n) = Q R: R on and above the diagonal, v below it, tau (k = min(m, n)) and T (k x k) beside it; Q = H. work: k
 * n elements. */
TW_KERNEL(void, geqrf, int m, int n, void *a, int lda, void *tau, void *t, int ldt, void *work)
/* A (m x n) = L Q: L on and below the diagonal, rows of V^H above it; Q = H^H. work: (n + k) m elements. */
TW_KERNEL(void, gelqf, int m, int n, void *a, int lda, void *tau, void *t, int ldt, void *work)
/* Both by several threads, as potrf_team. */
TW_KERNEL(void, geqrf_team, struct tw_team *team, int m, int n, void *a, int lda, void *tau, void *t, int ldt,
          void *work)
TW_KERNEL(void, gelqf_team, struct tw_team *team, int m, int n, void *a, int lda, void *tau, void *t, int ldt,
          void *work)
/* T from V and tau, where it was not kept; p is the order of H. */
TW_KERNEL(void, larft, char storev, int p, int k, const void *v, int ldv, const void *tau, void *t, int ldt)
/* The same from the strict upper triangle of V^H V, which lies in T. work: k k elements. */
TW_KERNEL(void, larft_finish, int k, const void *tau, void *t, int ldt, void *work)
/* C (m x n) = op(H) C (side 'L', p = m) or C op(H) ('R', p = n); trans 'N' or 'C' ('T' with real types), k <= p. work:
 * k n ('L') or m k ('R') elements. With storev 'R', H is Q^H of gelqf. */
TW_KERNEL(void, larfb, char side, char trans, char storev, int m, int n, int k, const void *v, int ldv, const void *t,
          int ldt, void *c, int ldc, void *work)
/* The first n columns of geqrf's Q into Q (m x n, k <= n <= m; work: k n elements), the first m rows of gelqf's Q (m x
 * n, k <= m <= n; work: m k elements). V and Q do not overlap. */
TW_KERNEL(void, orgqr, int m, int n, int k, const void *v, int ldv, const void *t, int ldt, void *q, int ldq,
          void *work)
TW_KERNEL(void, orglq, int m, int n, int k, const void *v, int ldv, const void *t, int ldt, void *q, int ldq,
          void *work)

/* ---- QR with column exchanges (LAPACK's ?geqp3, ?laqps) ---- */

/* As many columns of A (m x n) are factored as F (n x k, ldf) has: a block of ?laqps, which updates these columns and
 * the first k rows, and leaves A2 - V2 F2^H for the others to be done. jpvt: of A's n columns, exchanged with them;
 * swap (k): column j changed places with column swap[j], from 0. The first `fixed` columns stay where they are. norm,
 * summed: n doubles each, of the columns as they are now and when they were last summed up; they are made where the
 * first column is reached that may be exchanged (fixed >= 0). tau: k elements. work: 2 m + n + 2 k elements. stop
 * (NULL: none): where it may end before; `at` is the first column's place in the matrix. Where it does, swap says that
 * the other columns stay, their tau and columns of F are 0, and these columns and the first row of tiles have all that
 * is owed to them. */
TW_KERNEL(void, laqps, const struct tw_tile_grid *a, int k, int fixed, int32_t *jpvt, int32_t *swap, void *tau, void *f,
          int ldf, double *norm, double *summed, void *work, int64_t at, struct tw_pivot_stop *stop)
/* Those columns whose jpvt is not 0 come first, as LAPACK has it; jpvt becomes the columns' numbers, from 1. Returns
 * how many there are. */
TW_KERNEL(int, fix_columns, const struct tw_tile_grid *a, int32_t *jpvt)
/* Columns first + j and first + swap[j], j < k, of A are exchanged. */
TW_KERNEL(void, swap_columns, const struct tw_tile_grid *a, int first, int k, const int32_t *swap)

/* How many of the first k columns of a triangle R (upper, k x k and more, in tiles) have a condition of at most 1 /
 * rcond, estimated as they come (LAPACK's ?laic1, in ?gelsy); 0 if its first element is 0. work: 3 k elements. */
TW_KERNEL(int, rank, const struct tw_tile_grid *r, int k, double rcond, void *work)
/* A's first m rows (upper trapezoidal, m <= n, in tiles) = (T 0) Z (LAPACK's ?tzrzf), into f (m x n, with
 * TW_COLUMNS_BEHIND columns of zeros behind it) and tau (m), and into them with T times `by`. work: 32 m elements. */
TW_KERNEL(void, tzrzf, const struct tw_tile_grid *a, int m, double by, void *f, void *tau, void *work)
/* x (n rows) = Z^H (inv(T) y; 0), y of at least m rows, both in tiles, from what tzrzf left in f, which is changed, and
 * the same again in the end. work: (n + 32) k + 4160 elements, k the columns of x. */
TW_KERNEL(void, minimum_norm, int m, int n, void *f, const void *tau, const struct tw_tile_grid *y,
          const struct tw_tile_grid *x, void *work)
/* Row i of x goes where jpvt[i] says, from 1. work: as many elements as x has rows. */
TW_KERNEL(void, permute_rows, const struct tw_tile_grid *x, const int32_t *jpvt, void *work)

/* ---- Trees of tiles: LAPACK's ?tpqrt and ?tpmqrt. ---- */

/* QR of [A; B]: A (n x n) upper triangular becomes R, B (m x n, its last l rows upper trapezoidal, 0 <= l <= min(m, n))
 * becomes V's lower part; V's upper part is the identity. l = 0: a square under the triangle (tsqrt), l = n = m: a
 * triangle (ttqrt). T: nb x n, the triangles of blocks of nb columns side by side, zeros below. A's and B's other
 * triangles are not touched. work: nb n elements. */
TW_KERNEL(void, tpqrt, int m, int n, int l, int nb, void *a, int lda, void *b, int ldb, void *t, int ldt, void *work)
/* [A; B] = op(Q) [A; B] (side 'L': A k x n, B m x n, V m x k; work nb n) or [A B] = [A B] op(Q) ('R': A m x k, B m x n,
 * V n x k; work m nb) with tpqrt's V (its B), T, l and nb. */
TW_KERNEL(void, tpmqrt, char side, char trans, int m, int n, int k, int l, int nb, const void *v, int ldv,
          const void *t, int ldt, void *a, int lda, void *b, int ldb, void *work)

/* ---- Estimates of norms of inverses (types/dense/lacn2.h). ---- */

/* One turn of LAPACK's ?lacn2: v, x, isgn have n elements. */
TW_KERNEL(void, lacn2, int n, void *v, void *x, int32_t *isgn, double *est, int32_t *kase, int32_t isave[3])
/* 1 if there is no NaN and no infinity. */
TW_KERNEL(int, finite, int m, int n, const void *a, int lda)
/* x 2^e */
TW_KERNEL(void, shift, int n, void *x, int64_t e)
/* Solve op(A) y = x 2^e without overflow: y = x 2^e with both new. e becomes TW_HOPELESS where A, a triangle, has a
 * zero on its diagonal, an infinity or a NaN, and then nothing happens any more. work: n doubles. */
TW_KERNEL(void, latrs, char uplo, char trans, char diag, int n, const void *a, int lda, void *x, int64_t *e,
          double *work)
/* y 2^ey -= op(A) x 2^ex likewise; A is m x n. work: as many elements as x has. */
TW_KERNEL(void, latrs_update, char trans, int m, int n, const void *a, int lda, const void *x, int64_t ex, void *y,
          int64_t *ey, void *work)

/* ---- Error bounds (LAPACK's ?gerfs): |z| is |re| + |im|, and weights are the real parts of elements. ---- */

/* B = |A| */
TW_KERNEL(void, laabs, int m, int n, const void *a, int lda, void *b, int ldb)
/* W += |op(A)| |X|, A m x n, general, a hermitian or symmetric tile on the diagonal, or a triangle (uplo 'G' away from
 * the diagonal); X and W have k columns. work: m n + (m + n) k real elements. */
TW_KERNEL(void, absmm, enum tw_structure s, char uplo, char diag, char trans, int m, int n, int k, const void *a,
          int lda, const void *x, int ldx, void *w, int ldw, void *work)
/* The largest |r_i| / w_i of n; both with nz times the smallest safe number added where w_i is next to nothing; NaN if
 * there is one. */
TW_KERNEL(double, berr, int n, double nz, const void *r, const void *w)
/* f_i = |r_i| + nz eps w_i */
TW_KERNEL(void, ferr_weights, int n, double nz, const void *r, const void *w, void *f)
/* The largest |x_i|. */
TW_KERNEL(double, max1, int n, const void *x)

/* ---- Equilibration (LAPACK's ?geequ): |z| is |re| + |im|, a NaN is not larger than anything. ---- */

/* rows[i] = max(rows[i], max_j |a_ij|), cols[j] = max(cols[j], max_i |a_ij| rows[i]) */
TW_KERNEL(void, rowmax, int m, int n, const void *a, int lda, double *rows)
TW_KERNEL(void, colmax_scaled, int m, int n, const void *a, int lda, const double *rows, double *cols)
/* a_ij = c[j] r[i] a_ij (NULL: 1) in the part of A ('G', 'L', 'U'); hermitian: the diagonal becomes real. */
TW_KERNEL(void, laqge, char part, int hermitian, int m, int n, void *a, int lda, const double *r, const double *c)
/* x_i = 1 / x_i, kept within the type's numbers, and their spread, the least of all over the most, kept so, too. */
TW_KERNEL(double, reciprocals, int n, double *x, double least, double most)
/* Powers of 2 in place of positive numbers, towards 1, their exponents by LAPACK's quotient of logarithms (?geequb). */
TW_KERNEL(void, radix_powers, int n, double *x)
