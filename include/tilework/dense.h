/* Tilework: dense linear algebra on tw_matrix (the matrix door and the async door).
 *
 * Each routine exists twice: tw_X(…) returns when the result is ready (use tw_release_to_host, tw_matrix_to_lapack or
 * tw_matrix_destroy to have it in main memory), with LAPACK's info; tw_X_async(…, seq) checks its arguments, queues the
 * routine in seq and returns at once; its info is returned by tw_sequence_wait(). All matrices of one call have the
 * same type. Their tiles may differ: where they are not cut at the same places, operands other than triangles are
 * copied into tiles that fit (gemm, syrk, herk, syr2k, her2k: A, B; symm, hemm: B, and C there and back; trsm, trmm,
 * potrs, posv, getrs: B, there and back), which takes their memory once more. Triangles have square tiles. Illegal
 * argument i: -i. */
#ifndef TILEWORK_DENSE_H
#define TILEWORK_DENSE_H

#include <tilework/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the Cholesky family (LAPACK's definitions) ---------------------------------------------------------------
 * A is n x n, its storage uplo equal to `uplo` or TW_GENERAL. */

/* A = L L^H or U^H U. info = k > 0: the leading minor of order k is not positive definite (a NaN pivot counts as that);
 * the factor of order k - 1 is in its place, what lies behind it is undefined. */
TW_API int tw_potrf(enum tw_uplo uplo, tw_matrix *A);
/* Solve A X = B with the factor from tw_potrf. */
TW_API int tw_potrs(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B);
/* Factor and solve. On info > 0 B is unchanged. */
TW_API int tw_posv(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B);
/* The same in mixed precision, LAPACK's dsposv and zcposv: as tw_gesv_mixed, info as tw_posv's. */
TW_API int tw_posv_mixed(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_matrix *X, int *iter, double *berr);
/* tw_posv_mixed (d, z) with factors of half precision's products and GMRES: as tw_gesv_half, info as
 * tw_posv's. */
TW_API int tw_posv_half(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_matrix *X, int *iter, double *berr);
/* inv(A) from the factor, in the uplo triangle. info = k > 0: element (k, k) of the factor is zero. */
TW_API int tw_potri(enum tw_uplo uplo, tw_matrix *A);
/* L^H L or U U^H from a triangular matrix, in place. */
TW_API int tw_lauum(enum tw_uplo uplo, tw_matrix *A);
/* Inverse of a triangular matrix, in place. info = k > 0: A(k, k) is exactly zero and A is unchanged. */
TW_API int tw_trtri(enum tw_uplo uplo, enum tw_diag diag, tw_matrix *A);
/* Solve op(A) X = B, A triangular, X over B. info = k > 0: A(k, k) is exactly zero (the first such) and B is
 * unchanged. */
TW_API int tw_trtrs(enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag, tw_matrix *A, tw_matrix *B);
/* Reciprocal 1-norm condition number of the matrix whose factor is A; anorm is the matrix's 1-norm. The norm of the
 * inverse is estimated from below, rarely by more than a factor of 3 (Higham's estimator, LAPACK's lacn2), with solves
 * scaled where they would overflow. 0 where A is singular, where that norm is beyond the type's numbers, and where
 * there is a NaN: rcond is never one. */
TW_API int tw_pocon(enum tw_uplo uplo, tw_matrix *A, double anorm, double *rcond);

/* ---- the LU family (LAPACK's definitions) ----------------------------------------------------------------------
 * ipiv: pivots of A (tw_pivots_create): row i was exchanged with row ipiv[i], both counted from 1. They are computed
 * and read where the tasks run; tw_matrix_to_lapack(ipiv, int32_t array, …) brings them home. Tiles of A that are not
 * square are copied into such, there and back. */

/* A = P L U of an m x n matrix with partial pivoting. info = k > 0: U(k, k) is exactly zero; the factorization is
 * complete. Ties take the first row, complex pivots are the largest |re| + |im| (of panels that go to cuSOLVER,
 * docs/dense.md says which, equal candidates are its choice). A NaN goes where the arithmetic takes it: it is never
 * larger than another candidate. */
TW_API int tw_getrf(tw_matrix *A, tw_matrix *ipiv);
/* Solve A X = B, A^T X = B or A^H X = B with the factors from tw_getrf. A pivot outside 1 … n exchanges nothing. */
TW_API int tw_getrs(enum tw_trans trans, tw_matrix *A, tw_matrix *ipiv, tw_matrix *B);
/* Factor and solve A X = B. On info > 0 B is unchanged; solving needs the memory of one more B. */
TW_API int tw_gesv(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B);
/* The same for matrices of double precision (d, z), factored in single and refined in double until every column's max
 * |b - A x| is at most eps sqrt(n) |A| max |x| (LAPACK's dsgesv, zcgesv; eps = 2^-53, |A| in the infinity-norm, |z| =
 * |re| + |im|; half of it is asked for, from order 4 on). *iter >= 0: that many corrections; A is unchanged, and ipiv
 * has the pivots of single precision's factors. *iter < 0: A and ipiv have the factors of double precision, from which
 * X is, because a number of A, B or a residual is beyond single precision's (-2), because its factorization failed
 * (-3), or because 30 corrections did not do or there was a NaN or an infinity (-31). B is unchanged. *berr (NULL: not
 * asked for): the largest max |b - A x| / (|A| max |x|), -1 where *iter < 0. info = k > 0: A is singular, as tw_gesv's;
 * X is undefined. Pays where the condition is well below 1e7; needs the memory of half an A and three X. */
TW_API int tw_gesv_mixed(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, tw_matrix *X, int *iter, double *berr);
/* tw_gesv_mixed, d and z, never taken by default: rows and columns are scaled, and the scaled matrix is factored in
 * single precision with products of operands rounded to half precision and sums in single precision, and X comes from
 * GMRES in double precision preconditioned with these factors, until residuals are as small as tw_gesv_mixed's. It
 * converges for conditions up to 1e5 or so, where corrections with such factors alone would not. *iter >= 0: so many
 * steps of GMRES, 50 at most; < 0: double precision had to do it, as tw_gesv_mixed's, for a pivot was zero (-3) or 50
 * steps would not do, or there was a NaN or an infinity (-31). Needs the memory of 24 more B beside A in single
 * precision. */
TW_API int tw_gesv_half(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, tw_matrix *X, int *iter, double *berr);
/* tw_gesv by LU without row exchanges, in all four types, never taken by default: X is refined, residuals made with a
 * copy of A, until in every column max |b - A x| is within tw_gesv_mixed's bound (eps of A's own type; 2 eps at least).
 * *iter >= 0: so it went, with that many corrections, and ipiv exchanges nothing. *iter < 0: rows were exchanged, and
 * all is as tw_gesv leaves it, because U's largest element is more than 1 / sqrt(eps) times A's (-2), because a pivot
 * was zero (-3), or because corrections did not do or there was a NaN or an infinity (-31). *growth: the largest |u_ij|
 * over the largest |a_ij|; *berr: tw_gesv_mixed's measure; both of what A and B hold in the end, NULL: not asked for;
 * -1: not known, as berr after info > 0. info and B as tw_gesv's; A and ipiv are for tw_getrs in either case, whose
 * errors grow with *growth where *iter >= 0. Needs the memory of one more A and three more B. */
TW_API int tw_gesv_nopiv(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, int *iter, double *growth, double *berr);
/* inv(A) over the factors from tw_getrf. info = k > 0: U(k, k) is exactly zero and A is unchanged. A pivot outside 1 …
 * n exchanges nothing. */
TW_API int tw_getri(tw_matrix *A, tw_matrix *ipiv);
/* Reciprocal condition number in the 1-norm (TW_ONE_NORM) or the infinity-norm (TW_INF_NORM) of the matrix whose
 * factors from tw_getrf are A, and whose norm, the same one, is anorm; as tw_pocon. */
TW_API int tw_gecon(enum tw_norm norm, tw_matrix *A, double anorm, double *rcond);
/* The same of a triangular matrix, whose norm is not asked for. */
TW_API int tw_trcon(enum tw_norm norm, enum tw_uplo uplo, enum tw_diag diag, tw_matrix *A, double *rcond);
/* Solutions X of op(A) X = B, refined until their componentwise backward errors are down to the unit roundoff or do not
 * halve any more, five times at most; with those errors, max |b - op(A) x|_i / (|op(A)| |x| + |b|)_i, in berr and
 * estimated bounds of max |x - true x|_i / max |x|_i in ferr (nrhs each), |z| being |re| + |im|. steps: the most
 * corrections of any of them (NULL: not asked for). AF and ipiv: A's factors from tw_getrf. Residuals are in the
 * matrix' own precision. Needs the memory of some seven more X. */
TW_API int tw_gerfs(enum tw_trans trans, tw_matrix *A, tw_matrix *AF, tw_matrix *ipiv, tw_matrix *B, tw_matrix *X,
                    double *ferr, double *berr, int *steps);
/* The same of a hermitian positive definite A and its factor AF from tw_potrf, in tiles of the same order. */
TW_API int tw_porfs(enum tw_uplo uplo, tw_matrix *A, tw_matrix *AF, tw_matrix *B, tw_matrix *X, double *ferr,
                    double *berr, int *steps);
/* The bounds alone, of a triangular A: X stays as it is. */
TW_API int tw_trrfs(enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag, tw_matrix *A, tw_matrix *B, tw_matrix *X,
                    double *ferr, double *berr);
/* Scalings r (m) of rows and c (n) of columns after which the largest |re| + |im| in each is 1, their spreads rowcnd
 * and colcnd (least over most: above 0.1 scaling pays little) and A's largest element amax (LAPACK's geequ); A stays.
 * info = i <= m: row i is zero; m + j: column j is. */
TW_API int tw_geequ(tw_matrix *A, double *r, double *c, double *rowcnd, double *colcnd, double *amax);
/* Scalings s (n) after which a positive definite A has ones on its diagonal. info = i: a_ii is not positive (nor is a
 * NaN). */
TW_API int tw_poequ(tw_matrix *A, double *s, double *scond, double *amax);
/* The same with powers of 2, by which nothing is rounded: the largest elements become 1/2 to 2 (LAPACK's geequb and
 * poequb), and amax is the largest power in place of a row's largest element. Exponents are LAPACK's, by logarithms in
 * A's precision: of numbers that are within rounding of a power of 2 they may be one off, on a GPU another way. */
TW_API int tw_geequb(tw_matrix *A, double *r, double *c, double *rowcnd, double *colcnd, double *amax);
TW_API int tw_poequb(tw_matrix *A, double *s, double *scond, double *amax);
/* A X = B, or with A^T or A^H by trans, with everything (LAPACK's gesvx): what A and B are scaled with, A's factors,
 * its condition, refined solutions, bounds of their errors. */
enum tw_fact {
    TW_FACT_NONE = 'N',        /* A is copied to AF and factored */
    TW_FACT_EQUILIBRATE = 'E', /* the same of A scaled, if that pays */
    TW_FACT_GIVEN = 'F'        /* AF, ipiv, *equed and the scalings are an earlier call's, and A as that left it */
};
enum tw_equed { /* A is diag(r) times what it was, times diag(c) */
                TW_EQUED_NONE = 'N',
                TW_EQUED_ROWS = 'R',
                TW_EQUED_COLUMNS = 'C',
                TW_EQUED_BOTH = 'B',
                TW_EQUED_YES = 'Y' /* of a hermitian A, which is scaled with s from both sides */
};
/* *equed is one of the latter; r and c (n each; NULL where fact is TW_FACT_NONE) are as tw_geequ's. B is scaled as A
 * is. rcond as tw_gecon's, in the 1-norm (trans TW_NOTRANS) or the infinity-norm; ferr, berr, steps as tw_gerfs', of
 * the system as it was given; *rpivot: the largest |a_ij| over the largest |u_ij|, small where elements grew. info = k
 * <= n: U(k, k) is exactly zero: *rcond is 0, *rpivot is of the first k columns, and X stays; n + 1: rcond is below the
 * unit roundoff, and all is there. In a sequence, *equed, r and c of TW_FACT_GIVEN have to be there when it is queued,
 * and the sequence's next routines wait until it is done. */
TW_API int tw_gesvx(enum tw_fact fact, enum tw_trans trans, tw_matrix *A, tw_matrix *AF, tw_matrix *ipiv, int *equed,
                    double *r, double *c, tw_matrix *B, tw_matrix *X, double *rcond, double *ferr, double *berr,
                    double *rpivot, int *steps);
/* The same of a hermitian positive definite A, AF being of the same order of tiles: scalings s as tw_poequ's. info = k
 * <= n: the leading minor of order k is not positive definite. */
TW_API int tw_posvx(enum tw_fact fact, enum tw_uplo uplo, tw_matrix *A, tw_matrix *AF, int *equed, double *s,
                    tw_matrix *B, tw_matrix *X, double *rcond, double *ferr, double *berr, int *steps);
/* A = L U of an m x n matrix without exchanging rows, for matrices that need no pivoting (diagonally dominant by rows
 * or columns, positive definite). Of others the factors may be useless: the error grows with the elements of U and is
 * not bounded, so that solutions need iterative refinement or a check. info = k > 0: U(k, k) is exactly zero; the
 * factors from there on are undefined. Solve with tw_trsm: L is unit lower triangular. NaN goes where the arithmetic
 * takes it. */
TW_API int tw_getrf_nopiv(tw_matrix *A);

/* ---- QR and LQ (LAPACK's definitions, storage and signs) -----------------------------------------------------------
 * tau: the reflectors' factors (tw_tau_create): with k of them, Q = H(1) H(2) ... H(k) (QR) or H(k)^H ... H(2)^H H(1)^H
 * (LQ), H(i) = I - tau(i) v v^H, v below the diagonal of A's column i (right of it in row i, as v^H). tau is computed
 * and read where the tasks run; tw_matrix_to_lapack(tau, array, ...) brings it home. Tiles of A that are not square are
 * copied into such, there and back. NaN and Inf go where the arithmetic takes them. For real types these are LAPACK's
 * ormqr, orgqr, ormlq, orglq. */

/* A = Q R of an m x n matrix: R on and above the diagonal. */
TW_API int tw_geqrf(tw_matrix *A, tw_matrix *tau);
/* A = L Q: L on and below the diagonal. */
TW_API int tw_gelqf(tw_matrix *A, tw_matrix *tau);
/* A P = Q R with column pivoting: columns whose jpvt (n elements) is not 0 come first, in their order; of the others
 * the one of the largest norm, what came before it taken off, is always next. Then column j of A P was column jpvt[j],
 * from 1, and |R(j, j)| does not grow, but for what max(m, n) eps |R(1, 1)| allows. jpvt is read while the routine
 * runs. Norms are updated, and summed up again where that would cancel (LAPACK's tol3z), kept in double for all
 * types. */
TW_API int tw_geqp3(tw_matrix *A, tw_int *jpvt, tw_matrix *tau);
/* The same outputs, with columns chosen a block (A's nb) at a time from a random sketch of what is left (Martinsson et
 * al., SIAM J. Sci. Comput. 39, 2017): nearly geqrf's speed. |R(j, j)| follows the singular values as closely as
 * geqp3's does, within some factors, but grows here and there, seldom by more than 10 (what docs/dense.md says was
 * measured). jpvt is as tw_geqp3's: columns whose jpvt is not 0 come first, in their order, and the sketch chooses of
 * what these leave. It is not written where m or n is 0. The sketch's numbers are always the same ones. Needs the
 * memory of three block columns more, and for a while of a block column and three block rows where columns that come
 * first end within a block. */
TW_API int tw_geqp3_random(tw_matrix *A, tw_int *jpvt, tw_matrix *tau);
/* geqp3 up to a rank, as LAPACK's geqp3rk: it ends after kmax columns, or where the largest norm of a column of what is
 * left is at most abstol, or reltol times that of A; negative ones do not count, others below 2 safe minima and eps are
 * these. *k gets the columns done, R's rows; maxc2nrmk that norm, and relmaxc2nrmk it over A's (0 with *k = min(m, n)).
 * A's rows from *k on then hold what is left, Q^H A P - R, in columns from *k on; tau's further elements are 0, so that
 * tw_unmqr takes it. All columns are free: jpvt is written only. info = j <= n: column j, at its place by then, has a
 * NaN, or an infinity made one of its reflector; the *k columns before are done, and both norms are NaN; n + j: it has
 * an infinity, and it ended for another reason. */
TW_API int tw_geqp3rk(tw_matrix *A, tw_int kmax, double abstol, double reltol, tw_int *k, double *maxc2nrmk,
                      double *relmaxc2nrmk, tw_int *jpvt, tw_matrix *tau);
/* The same ends with tw_geqp3_random's columns: |R(j, j)| follows the singular values within some factors, and the norm
 * is that of what is left, exactly. A block is factored whole; where it ends within one, its further reflectors are
 * taken back, which leaves some eps there. A NaN or an infinity in A, column j of it, ends it before the first column:
 * info is j or n + j, and A stays. */
TW_API int tw_geqp3rk_random(tw_matrix *A, tw_int kmax, double abstol, double reltol, tw_int *k, double *maxc2nrmk,
                             double *relmaxc2nrmk, tw_int *jpvt, tw_matrix *tau);
/* C := op(Q) C or C op(Q), op by trans: TW_NOTRANS or TW_CONJTRANS, with real matrices TW_TRANS as well. Q, of tau's k
 * reflectors (k <= min(m, n) of A), is of A's number of rows (unmqr) or columns (unmlq). */
TW_API int tw_unmqr(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *tau, tw_matrix *C);
TW_API int tw_unmlq(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *tau, tw_matrix *C);
/* A, m x n with m >= n, becomes the first n columns of Q (ungqr); with m <= n its first m rows (unglq). */
TW_API int tw_ungqr(tw_matrix *A, tw_matrix *tau);
TW_API int tw_unglq(tw_matrix *A, tw_matrix *tau);
/* A = Q R by a tree of tiles (CAQR), which waits for no whole column: for A of many more rows than columns, or many
 * workers. R is on and above A's diagonal, as tw_geqrf's, but for its rows' signs; Q is in the rest of A and in T, not
 * in LAPACK's storage, and only the three functions below know it. |A - Q R| and |Q^H Q - I| are some eps, as
 * tw_geqrf's. Any m and n. A's tiles are taken as nb x nb, or, where A is one tile wide, as they are if they are no
 * wider than high.
 *
 * T, of A's type, is made by tw_tree_create for A's shape and tiles. domain: within so many tiles of a block column one
 * is joined to the next, the domains' triangles in pairs: 1 is all in pairs, A's number of tile rows all in a chain; 0
 * is as suits A's shape and the workers (in reproducible mode the shape alone). Returns 0, -1, -2, -3 or an error. */
TW_API int tw_tree_create(tw_matrix **T, const tw_matrix *A, tw_int domain);
TW_API int tw_geqrf_tree(tw_matrix *A, tw_matrix *T);
/* C := op(Q) C or C op(Q) with that Q (m x m), as tw_unmqr. */
TW_API int tw_unmqr_tree(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *T, tw_matrix *C);
/* Q, of A's number of rows and any number of columns up to that, becomes Q's first columns. A and T stay. */
TW_API int tw_ungqr_tree(tw_matrix *A, tw_matrix *T, tw_matrix *Q);
/* A = L Q by a tree of tiles: the adjoint of A^H's QR by a tree, for A of many more columns than rows. L is on and
 * below A's diagonal; T is made by tw_tree_create_lq, whose domains are of a block row's tiles. A's tiles are taken as
 * mb x mb, or, where A is one tile high, as they are if they are no higher than wide. */
TW_API int tw_tree_create_lq(tw_matrix **T, const tw_matrix *A, tw_int domain);
TW_API int tw_gelqf_tree(tw_matrix *A, tw_matrix *T);
/* C := op(Q) C or C op(Q) with that Q (n x n), as tw_unmlq. */
TW_API int tw_unmlq_tree(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *T, tw_matrix *C);
/* Q, of A's number of columns and any number of rows up to that, becomes Q's first rows. A and T stay. */
TW_API int tw_unglq_tree(tw_matrix *A, tw_matrix *T, tw_matrix *Q);
/* A = Q R of a tall A (m >= n) with Q itself: A becomes Q, m x n, and R (n x n) its triangle, zeros below. By two
 * Cholesky factorizations of Gram matrices where A's condition, columns brought to one length, is below 1 / sqrt(eps)
 * or so: as good as Householder's QR and several times quicker for tall matrices. Both are looked at: where R's
 * condition or |Q^H Q - I| is too large for that, Householder's QR goes on. *choleskys says how it went: 2,
 * CholeskyQR2; 1, one Cholesky factorization, then Householder's QR of what it left; 0, Householder's QR of A. R's
 * diagonal is positive with 2, and real. Any scale of columns does; NaN and Inf lead to 0 and go where the arithmetic
 * takes them. info is 0. Needs the memory of three R more, and with 0 or 1 of one more A. Tiles of A of more rows than
 * columns (tw_matrix_create_tiles) are the better ones. */
TW_API int tw_cholqr(tw_matrix *A, tw_matrix *R, int *choleskys);
/* For every column of B the shortest of all x with the least |b - A x|, A of any shape and rank (LAPACK's gelsy). jpvt
 * as tw_geqp3's. *rank gets how many columns count: those in front whose triangle R has, as is estimated, a condition
 * of at most 1 / rcond. B has max(m, n) rows, of which X overwrites n; with *rank = n < m the squares of a column's
 * further elements add up to |b - A x|^2. A is overwritten by its complete orthogonal factorization. A = 0:
 * *rank = 0, X = 0, and jpvt stays. Needs the memory of two more B, and with *rank < n of as many rows of A. */
TW_API int tw_gelsy(tw_matrix *A, tw_int *jpvt, double rcond, int *rank, tw_matrix *B);
/* For every column of B the x with the least |b - op(A) x|, A m x n of full rank; where op(A) has fewer rows than
 * columns, of all x with op(A) x = b the shortest one. trans as tw_unmqr's. B has max(m, n) rows: those of op(A) are
 * read; X overwrites as many as op(A) has columns, and the squares of a column's further elements add up to |b - op(A)
 * x|^2. A is overwritten by its QR (m >= n) or LQ factors, of A scaled if its largest element is below smlnum or above
 * 1 / smlnum (LAPACK's safe minimum / precision); in LAPACK's storage under LAPACK's names, here in the library's own
 * where A is many times as tall as wide, or as wide as tall (a tree of tiles; with GPUs domains of tall ones, and A as
 * it was where its tiles are others). info = k > 0: the triangle's diagonal element k is exactly zero, A has not full
 * rank, and B is unchanged. A = 0 gives X = 0 and info = 0. Needs the memory of two more B. */
TW_API int tw_gels(enum tw_trans trans, tw_matrix *A, tw_matrix *B);

/* ---- BLAS on tiles (BLAS' definitions) ---------------------------------------------------------------------------
 * With beta = 0 C is not read, with alpha = 0 neither A nor B: NaN there does not survive. For real matrices
 * TW_CONJTRANS is TW_TRANS, and the hermitian routines are the symmetric ones. */
TW_API int tw_gemm(enum tw_trans transa, enum tw_trans transb, tw_scalar alpha, tw_matrix *A, tw_matrix *B,
                   tw_scalar beta, tw_matrix *C);
/* C = alpha A B + beta C (side left) or alpha B A + beta C (right) with A symmetric, or hermitian, of which the uplo
 * triangle is read. */
TW_API int tw_symm(enum tw_side side, enum tw_uplo uplo, tw_scalar alpha, tw_matrix *A, tw_matrix *B, tw_scalar beta,
                   tw_matrix *C);
TW_API int tw_hemm(enum tw_side side, enum tw_uplo uplo, tw_scalar alpha, tw_matrix *A, tw_matrix *B, tw_scalar beta,
                   tw_matrix *C);
TW_API int tw_syrk(enum tw_uplo uplo, enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_scalar beta, tw_matrix *C);
TW_API int tw_herk(enum tw_uplo uplo, enum tw_trans trans, double alpha, tw_matrix *A, double beta, tw_matrix *C);
/* C = alpha A B^T + alpha B A^T + beta C or (trans) alpha A^T B + alpha B^T A + beta C; her2k: alpha A B^H +
 * conj(alpha) B A^H + beta C and so on. */
TW_API int tw_syr2k(enum tw_uplo uplo, enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_matrix *B, tw_scalar beta,
                    tw_matrix *C);
TW_API int tw_her2k(enum tw_uplo uplo, enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_matrix *B, double beta,
                    tw_matrix *C);
TW_API int tw_trsm(enum tw_side side, enum tw_uplo uplo, enum tw_trans transa, enum tw_diag diag, tw_scalar alpha,
                   tw_matrix *A, tw_matrix *B);
TW_API int tw_trmm(enum tw_side side, enum tw_uplo uplo, enum tw_trans transa, enum tw_diag diag, tw_scalar alpha,
                   tw_matrix *A, tw_matrix *B);

/* ---- sums, copies, scalings (LAPACK's lacpy, laset, lascl) --------------------------------------------------------
 * uplo TW_GENERAL: all of the matrix; TW_LOWER or TW_UPPER: that triangle, or trapezoid, with its diagonal, of matrices
 * that store it or everything; the rest is neither read nor written. */

/* B = alpha op(A) + beta B. With beta = 0 B is not read, with alpha = 0 A is not. */
TW_API int tw_geadd(enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_scalar beta, tw_matrix *B);
/* B = A^T (TW_TRANS) or A^H (TW_CONJTRANS). */
TW_API int tw_transpose_to(enum tw_trans trans, tw_matrix *A, tw_matrix *B);
/* B = A, in whatever tiles. */
TW_API int tw_lacpy(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B);
/* A = offdiag off its diagonal and diag on it. */
TW_API int tw_laset(enum tw_uplo uplo, tw_scalar offdiag, tw_scalar diag, tw_matrix *A);
/* A = A cto / cfrom, with no over- or underflow on the way where there is none in the result. cfrom is not 0; NaN is
 * refused. */
TW_API int tw_lascl(enum tw_uplo uplo, double cfrom, double cto, tw_matrix *A);

/* ---- norms (LAPACK's lange, lansy, lanhe, lantr) ----------------------------------------------------------------- */
TW_API int tw_lange(enum tw_norm norm, tw_matrix *A, double *value);
TW_API int tw_lansy(enum tw_norm norm, enum tw_uplo uplo, tw_matrix *A, double *value);
TW_API int tw_lanhe(enum tw_norm norm, enum tw_uplo uplo, tw_matrix *A, double *value);
TW_API int tw_lantr(enum tw_norm norm, enum tw_uplo uplo, enum tw_diag diag, tw_matrix *A, double *value);
/* |A|_2 from below, by the power method on A^H A from a random vector that is always the same, until a step gains less
 * than tol (0 < tol < 1) of it, 200 steps at most: 0.1 gives its size, 1e-3 two digits as a rule. NaN or infinity in A
 * gives NaN or infinity. */
TW_API int tw_norm2est(tw_matrix *A, double tol, double *value);

/* ---- the async door ------------------------------------------------------------------------------------------------
 * Arguments are checked at once (the return value); the rest happens later. Pointers to results (rcond, value) are
 * written before tw_sequence_wait() returns. */
TW_API int tw_potrf_async(enum tw_uplo uplo, tw_matrix *A, tw_sequence *seq);
TW_API int tw_potrs_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_sequence *seq);
TW_API int tw_posv_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_sequence *seq);
TW_API int tw_posv_mixed_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_matrix *X, int *iter, double *berr,
                               tw_sequence *seq);
TW_API int tw_posv_half_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_matrix *X, int *iter, double *berr,
                              tw_sequence *seq);
TW_API int tw_potri_async(enum tw_uplo uplo, tw_matrix *A, tw_sequence *seq);
TW_API int tw_lauum_async(enum tw_uplo uplo, tw_matrix *A, tw_sequence *seq);
TW_API int tw_trtri_async(enum tw_uplo uplo, enum tw_diag diag, tw_matrix *A, tw_sequence *seq);
TW_API int tw_trtrs_async(enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag, tw_matrix *A, tw_matrix *B,
                          tw_sequence *seq);
TW_API int tw_pocon_async(enum tw_uplo uplo, tw_matrix *A, double anorm, double *rcond, tw_sequence *seq);
TW_API int tw_getrf_async(tw_matrix *A, tw_matrix *ipiv, tw_sequence *seq);
TW_API int tw_getrs_async(enum tw_trans trans, tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, tw_sequence *seq);
TW_API int tw_gesv_async(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, tw_sequence *seq);
TW_API int tw_gesvx_async(enum tw_fact fact, enum tw_trans trans, tw_matrix *A, tw_matrix *AF, tw_matrix *ipiv,
                          int *equed, double *r, double *c, tw_matrix *B, tw_matrix *X, double *rcond, double *ferr,
                          double *berr, double *rpivot, int *steps, tw_sequence *seq);
TW_API int tw_posvx_async(enum tw_fact fact, enum tw_uplo uplo, tw_matrix *A, tw_matrix *AF, int *equed, double *s,
                          tw_matrix *B, tw_matrix *X, double *rcond, double *ferr, double *berr, int *steps,
                          tw_sequence *seq);
TW_API int tw_gesv_nopiv_async(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, int *iter, double *growth, double *berr,
                               tw_sequence *seq);
TW_API int tw_gesv_mixed_async(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, tw_matrix *X, int *iter, double *berr,
                               tw_sequence *seq);
TW_API int tw_gesv_half_async(tw_matrix *A, tw_matrix *ipiv, tw_matrix *B, tw_matrix *X, int *iter, double *berr,
                              tw_sequence *seq);
TW_API int tw_getri_async(tw_matrix *A, tw_matrix *ipiv, tw_sequence *seq);
TW_API int tw_gecon_async(enum tw_norm norm, tw_matrix *A, double anorm, double *rcond, tw_sequence *seq);
TW_API int tw_trcon_async(enum tw_norm norm, enum tw_uplo uplo, enum tw_diag diag, tw_matrix *A, double *rcond,
                          tw_sequence *seq);
TW_API int tw_gerfs_async(enum tw_trans trans, tw_matrix *A, tw_matrix *AF, tw_matrix *ipiv, tw_matrix *B, tw_matrix *X,
                          double *ferr, double *berr, int *steps, tw_sequence *seq);
TW_API int tw_porfs_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *AF, tw_matrix *B, tw_matrix *X, double *ferr,
                          double *berr, int *steps, tw_sequence *seq);
TW_API int tw_trrfs_async(enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag, tw_matrix *A, tw_matrix *B,
                          tw_matrix *X, double *ferr, double *berr, tw_sequence *seq);
TW_API int tw_geequ_async(tw_matrix *A, double *r, double *c, double *rowcnd, double *colcnd, double *amax,
                          tw_sequence *seq);
TW_API int tw_poequ_async(tw_matrix *A, double *s, double *scond, double *amax, tw_sequence *seq);
TW_API int tw_geequb_async(tw_matrix *A, double *r, double *c, double *rowcnd, double *colcnd, double *amax,
                           tw_sequence *seq);
TW_API int tw_poequb_async(tw_matrix *A, double *s, double *scond, double *amax, tw_sequence *seq);
TW_API int tw_getrf_nopiv_async(tw_matrix *A, tw_sequence *seq);
TW_API int tw_geqrf_async(tw_matrix *A, tw_matrix *tau, tw_sequence *seq);
TW_API int tw_gelqf_async(tw_matrix *A, tw_matrix *tau, tw_sequence *seq);
TW_API int tw_geqp3_random_async(tw_matrix *A, tw_int *jpvt, tw_matrix *tau, tw_sequence *seq);
TW_API int tw_geqp3_async(tw_matrix *A, tw_int *jpvt, tw_matrix *tau, tw_sequence *seq);
TW_API int tw_unmqr_async(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *tau, tw_matrix *C,
                          tw_sequence *seq);
TW_API int tw_unmlq_async(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *tau, tw_matrix *C,
                          tw_sequence *seq);
TW_API int tw_ungqr_async(tw_matrix *A, tw_matrix *tau, tw_sequence *seq);
TW_API int tw_unglq_async(tw_matrix *A, tw_matrix *tau, tw_sequence *seq);
TW_API int tw_geqp3rk_random_async(tw_matrix *A, tw_int kmax, double abstol, double reltol, tw_int *k,
                                   double *maxc2nrmk, double *relmaxc2nrmk, tw_int *jpvt, tw_matrix *tau,
                                   tw_sequence *seq);
TW_API int tw_geqp3rk_async(tw_matrix *A, tw_int kmax, double abstol, double reltol, tw_int *k, double *maxc2nrmk,
                            double *relmaxc2nrmk, tw_int *jpvt, tw_matrix *tau, tw_sequence *seq);
TW_API int tw_geqrf_tree_async(tw_matrix *A, tw_matrix *T, tw_sequence *seq);
TW_API int tw_unmqr_tree_async(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *T, tw_matrix *C,
                               tw_sequence *seq);
TW_API int tw_ungqr_tree_async(tw_matrix *A, tw_matrix *T, tw_matrix *Q, tw_sequence *seq);
TW_API int tw_gelqf_tree_async(tw_matrix *A, tw_matrix *T, tw_sequence *seq);
TW_API int tw_unmlq_tree_async(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *T, tw_matrix *C,
                               tw_sequence *seq);
TW_API int tw_unglq_tree_async(tw_matrix *A, tw_matrix *T, tw_matrix *Q, tw_sequence *seq);
TW_API int tw_cholqr_async(tw_matrix *A, tw_matrix *R, int *choleskys, tw_sequence *seq);
TW_API int tw_gelsy_async(tw_matrix *A, tw_int *jpvt, double rcond, int *rank, tw_matrix *B, tw_sequence *seq);
TW_API int tw_gels_async(enum tw_trans trans, tw_matrix *A, tw_matrix *B, tw_sequence *seq);
TW_API int tw_gemm_async(enum tw_trans transa, enum tw_trans transb, tw_scalar alpha, tw_matrix *A, tw_matrix *B,
                         tw_scalar beta, tw_matrix *C, tw_sequence *seq);
TW_API int tw_symm_async(enum tw_side side, enum tw_uplo uplo, tw_scalar alpha, tw_matrix *A, tw_matrix *B,
                         tw_scalar beta, tw_matrix *C, tw_sequence *seq);
TW_API int tw_hemm_async(enum tw_side side, enum tw_uplo uplo, tw_scalar alpha, tw_matrix *A, tw_matrix *B,
                         tw_scalar beta, tw_matrix *C, tw_sequence *seq);
TW_API int tw_syrk_async(enum tw_uplo uplo, enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_scalar beta,
                         tw_matrix *C, tw_sequence *seq);
TW_API int tw_herk_async(enum tw_uplo uplo, enum tw_trans trans, double alpha, tw_matrix *A, double beta, tw_matrix *C,
                         tw_sequence *seq);
TW_API int tw_syr2k_async(enum tw_uplo uplo, enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_matrix *B,
                          tw_scalar beta, tw_matrix *C, tw_sequence *seq);
TW_API int tw_her2k_async(enum tw_uplo uplo, enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_matrix *B,
                          double beta, tw_matrix *C, tw_sequence *seq);
TW_API int tw_trsm_async(enum tw_side side, enum tw_uplo uplo, enum tw_trans transa, enum tw_diag diag, tw_scalar alpha,
                         tw_matrix *A, tw_matrix *B, tw_sequence *seq);
TW_API int tw_trmm_async(enum tw_side side, enum tw_uplo uplo, enum tw_trans transa, enum tw_diag diag, tw_scalar alpha,
                         tw_matrix *A, tw_matrix *B, tw_sequence *seq);
TW_API int tw_geadd_async(enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_scalar beta, tw_matrix *B,
                          tw_sequence *seq);
TW_API int tw_transpose_to_async(enum tw_trans trans, tw_matrix *A, tw_matrix *B, tw_sequence *seq);
TW_API int tw_lacpy_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_sequence *seq);
TW_API int tw_laset_async(enum tw_uplo uplo, tw_scalar offdiag, tw_scalar diag, tw_matrix *A, tw_sequence *seq);
TW_API int tw_lascl_async(enum tw_uplo uplo, double cfrom, double cto, tw_matrix *A, tw_sequence *seq);
TW_API int tw_norm2est_async(tw_matrix *A, double tol, double *value, tw_sequence *seq);
TW_API int tw_lange_async(enum tw_norm norm, tw_matrix *A, double *value, tw_sequence *seq);
TW_API int tw_lansy_async(enum tw_norm norm, enum tw_uplo uplo, tw_matrix *A, double *value, tw_sequence *seq);
TW_API int tw_lanhe_async(enum tw_norm norm, enum tw_uplo uplo, tw_matrix *A, double *value, tw_sequence *seq);
TW_API int tw_lantr_async(enum tw_norm norm, enum tw_uplo uplo, enum tw_diag diag, tw_matrix *A, double *value,
                          tw_sequence *seq);
TW_API int tw_generate_async(tw_matrix *A, const tw_generator *g, tw_sequence *seq);

/* ---- how routines cut their matrices ----------------------------------------------------------------------------- */

/* The order of tiles that a routine ("gemm", "potrf", ...) chooses on this machine for a matrix, or a result, of m x n;
 * k: the inner size of a product or the number of right-hand sides, else 0. LAPACK's and BLAS' doors use it; of a
 * matrix made with nb = 0 nobody knows yet what it is for, so that it gets a Cholesky factorization's:
 * tw_matrix_create(..., tw_routine_nb("gemm", type, m, n, k, NULL), NULL) gets gemm's. *source (NULL: not asked) says
 * where it comes from: "option", "TILEWORK_NB", "reproducible" or "profile". Errors (negative): -i for argument i, or
 * why the library does not start. */
TW_API tw_int tw_routine_nb(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_int k, const char **source);
/* The same for tw_matrix_create_tiles: *mb rows and *nb columns, both tw_routine_nb's but where the routine wants tall
 * tiles: with GPUs gels, cholqr and the singular values of matrices of many more rows than columns, whose tiles are as
 * wide as the matrix then, and tens in place of thousands. Errors: -i for argument i, or why the library does not
 * start. */
TW_API int tw_routine_tiles(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_int k, tw_int *mb,
                            tw_int *nb);
/* The order n (of a routine with other flop counts: of the Cholesky factorization with as many) up to which LAPACK's
 * and BLAS' doors take LAPACK or BLAS itself: from there on the machine profile predicts tiles to be faster, for the
 * number of threads that OpenBLAS has now. Starts nothing: before the library runs the profile is read from the cache
 * directory, once. *source: "TILEWORK_CROSSOVER", "reproducible", "profile", or "default" (512 mostly: no profile yet,
 * or a routine of which nobody predicts LAPACK's time). Of routines that LAPACK does not have it means nothing: they
 * are never LAPACK's. Errors: -i. */
TW_API tw_int tw_routine_crossover(const char *routine, enum tw_type type, const char **source);

/* Bytes that a routine needs at the same time, for matrices of the library's with tiles of order nb. */
typedef struct tw_memory {
    tw_int nb;   /* the order of tiles that was counted with */
    size_t host; /* its operands in main memory, as tw_matrix_create makes them */
    /* what it makes beside them for a while: on GPUs and in main memory where there are GPUs, else in main memory */
    size_t own;
    /* on all GPUs in use together, if nothing has to leave before the end: operands, what is its own, what GPUs alone
     * make; 0 without GPUs */
    size_t gpus;
    size_t per_gpu; /* the same on one of them, if they share it evenly */
} tw_memory;
/* m, n, k as in tw_routine_nb (of factorizations of square matrices and solves with them n is the order and k the
 * number of right-hand sides; of products m, n, k are gemm's, of symm, trmm and trsm from the left m is A's order; of
 * eigenvalues and singular values k is the number of vectors, 0 without, of band matrices m that of sub-diagonals; of
 * unmtr, unmbr and unmhr C is m x n and Q on its left); nb 0: the routine's own choice. Of hermitian eigenvalues and
 * singular values it is what the route that is taken holds if nothing is deflated, else less is held than is
 * told. Vectors of numbers, copies of matrices whose tiles do not fit each other, kernels' workspaces, and what
 * StarPU keeps of memory once taken are not counted. Errors: -i for argument i (-1, too, for a routine that nobody has
 * counted), or why the library does not start. */
TW_API int tw_routine_memory(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_int k, tw_int nb,
                             tw_memory *memory);

#ifdef __cplusplus
}
#endif
#endif
