/* Tilework: singular values and singular vectors of general matrices on tw_matrix (the matrix door and the async door).
 *
 * The matrix is brought to an upper triangular band by block reflectors from both sides (stage 1), the band to a real
 * bidiagonal matrix by bulge chasing (stage 2); that one's singular vectors go back through both: G. H. Golub and C. F.
 * Van Loan, "Matrix Computations", 8.6; B. Grosser, B. Lang, Parallel Computing 25 (1999), 969-986; A. Haidar, J.
 * Kurzak, P. Luszczek, SC'13. All of it is one graph of tasks. TILEWORK_ROUTE and TILEWORK_BAND count as for
 * eigenvalues.
 *
 * Return values as in tilework/dense.h: 0, LAPACK's info, -i if argument i is illegal, or a code of tilework/runtime.h.
 * Every matrix has its type; singular values are double for all types. */
#ifndef TILEWORK_SVD_H
#define TILEWORK_SVD_H

#include <stdint.h>
#include <tilework/eigen.h>
#include <tilework/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which singular vectors are computed: LAPACK's jobz, jobu and jobvt. */
enum tw_svd_job { TW_SVD_ALL = 'A', TW_SVD_SOME = 'S', TW_SVD_OVERWRITE = 'O', TW_SVD_NONE = 'N' };

/* A = U diag(s) Vt of the m x n matrix A: its k = min(m, n) singular values in descending order into s (k doubles), and
 * singular vectors, the columns of U and the rows of Vt (general, of A's type, in whatever tiles). LAPACK's gesdd.
 *   TW_SVD_NONE       values alone; U and Vt are NULL
 *   TW_SVD_SOME       U is m x k, Vt k x n
 *   TW_SVD_ALL        U is m x m, Vt n x n
 *   TW_SVD_OVERWRITE  m >= n: A becomes its U, U is NULL and Vt n x n; m < n: A becomes its Vt, Vt is NULL and U m x m
 * With TW_SVD_SOME and TW_SVD_ALL either of U and Vt may be NULL: the other one is computed alone. But for
 * TW_SVD_OVERWRITE A stays as it is. info > 0: not all values were found, and s is NaN; k if A has a NaN or an
 * infinity: s is NaN, and U and Vt are not written. Matrices whose largest element is near the ends of the range are
 * scaled on the way. With m = 0 or n = 0 nothing is written, as LAPACK has it. Needs the memory of one more A, with
 * vectors of three and of some six k x k matrices. */
TW_API int tw_gesdd(enum tw_svd_job jobz, tw_matrix *A, double *s, tw_matrix *U, tw_matrix *Vt);

/* The async door: arguments are checked at once, the rest happens later. s is written before tw_sequence_wait()
 * returns. */
TW_API int tw_gesdd_async(enum tw_svd_job jobz, tw_matrix *A, double *s, tw_matrix *U, tw_matrix *Vt, tw_sequence *seq);

/* The same with a job for each side, not both TW_SVD_OVERWRITE: a side of TW_SVD_NONE or TW_SVD_OVERWRITE has no matrix
 * (NULL), and A's first min(m, n) columns become U, or its first rows Vt; the rest of A is then as it was. LAPACK's
 * gesvd, with gesdd's method. superb: NULL, or min(m, n) - 1 doubles that are 0 afterwards; with info > 0 what is left
 * of the super-diagonal. */
TW_API int tw_gesvd(enum tw_svd_job jobu, enum tw_svd_job jobvt, tw_matrix *A, double *s, tw_matrix *U, tw_matrix *Vt,
                    double *superb);
TW_API int tw_gesvd_async(enum tw_svd_job jobu, enum tw_svd_job jobvt, tw_matrix *A, double *s, tw_matrix *U,
                          tw_matrix *Vt, double *superb, tw_sequence *seq);

/* Some of A's singular values, and their vectors: TW_ALL, TW_INDICES: numbers il ... iu from the largest one on,
 * TW_INTERVAL: those in [vl, vu), 0 <= vl < vu. *ns becomes how many there are, s (room for min(m, n) doubles) gets
 * them in descending order, the first *ns columns of U and rows of Vt their vectors: U is m x any, Vt any x n, general,
 * of A's type, in whatever tiles; with TW_NOVECTORS for that side it is NULL. LAPACK's gesvdx; that one's interval is
 * the same, whatever its text says. A stays as it is. The stages are gesdd's; only the wanted columns are formed in the
 * last merge and go back, so that few vectors take less time; values are the same with vectors and without (unless
 * TILEWORK_ROUTE says lapack), those of the bidiagonal matrix each to high relative accuracy, and so exact to n eps of
 * the largest. info = 2 min(m, n) + 1, s NaN and *ns 0: A has a NaN or an infinity; info > 0 else: not all vectors were
 * found. TW_E_MEMORY, *ns set and nothing written: an interval holds more than U or Vt has room for. vl, vu, il and iu
 * count only with the range that they say. */
TW_API int tw_gesvdx(enum tw_jobz jobu, enum tw_jobz jobvt, enum tw_which which, tw_matrix *A, double vl, double vu,
                     tw_int il, tw_int iu, tw_int *ns, double *s, tw_matrix *U, tw_matrix *Vt);
TW_API int tw_gesvdx_async(enum tw_jobz jobu, enum tw_jobz jobvt, enum tw_which which, tw_matrix *A, double vl,
                           double vu, tw_int il, tw_int iu, tw_int *ns, double *s, tw_matrix *U, tw_matrix *Vt,
                           tw_sequence *seq);

/* B = U diag(s) Vt of the real bidiagonal matrix B of order n with diagonal d (n doubles) and beside it e (n - 1),
 * above it (TW_UPPER) or below (TW_LOWER): singular values in descending order into s (n doubles, which may be d), and
 * vectors, the columns of U and the rows of Vt (n x n each, general, of one type, in whatever tiles; each may be NULL).
 * LAPACK's bdsdc with compq I, or without U and Vt N. Computed in U's precision (Vt's), without both in double; values
 * alone are each exact to some n eps of their own size, with vectors to n eps of the largest. The vectors by divide and
 * conquer (M. Gu, S. C. Eisenstat, SIAM J. Matrix Anal. Appl. 16, 1995), the values alone by dqds (K. V. Fernando, B.
 * N. Parlett, Numer. Math. 67, 1994), on a GPU by bisection. info = n: d or e has a NaN or an infinity, or a number
 * that the precision does not have; info > 0 else: not all values were found; s is NaN then. d and e are read once the
 * routine begins: in a sequence they have to stay until it has ended. With vectors it needs the memory of some six
 * U. */
TW_API int tw_bdsdc(enum tw_uplo uplo, tw_int n, const double *d, const double *e, double *s, tw_matrix *U,
                    tw_matrix *Vt);
TW_API int tw_bdsdc_async(enum tw_uplo uplo, tw_int n, const double *d, const double *e, double *s, tw_matrix *U,
                          tw_matrix *Vt, tw_sequence *seq);

/* The same values, each exact to some n eps of its own size also with vectors (down to the precision's smallest normal
 * number times the largest value, in single 2^-126: smaller ones have fewer digits, or are 0), and of B = Q S P^T the
 * products Vt := P^T Vt, U := U Q, C := Q^T C: general matrices of one type with n rows, n columns, n rows, in whatever
 * tiles, whose other size is any; each may be NULL. LAPACK's bdsqr; the vectors by bdsdc's divide and conquer in place
 * of rotations, so that few columns take as long as n. info as tw_bdsdc's; with n the matrices are as they were, with
 * info > 0 else undefined. Needs the memory of some six matrices of order n and a copy of each of the three. */
TW_API int tw_bdsqr(enum tw_uplo uplo, tw_int n, const double *d, const double *e, double *s, tw_matrix *Vt,
                    tw_matrix *U, tw_matrix *C);
TW_API int tw_bdsqr_async(enum tw_uplo uplo, tw_int n, const double *d, const double *e, double *s, tw_matrix *Vt,
                          tw_matrix *U, tw_matrix *C, tw_sequence *seq);

/* Some of the singular values of such a matrix, which tw_gesvdx's which, vl, vu, il and iu say, and their vectors, the
 * first *ns columns of U (n x any) and rows of Vt (any x n), each of which may be NULL. Each value is exact to some n
 * eps of its own size (down to 2^-990 of the largest; smaller ones may be 0), with vectors, too: by bisection of (0
 * B^T; B 0), groups of them side by side, or where more than an eighth of them is wanted by dqds. Vectors by divide and
 * conquer, whose last merge forms the wanted ones alone; they are orthogonal to n eps. s has room for n doubles.
 * LAPACK's bdsvdx. info = 2 n + 1, s NaN and *ns 0: d or e has a NaN or an infinity, or a number that the precision
 * does not have; info > 0 else: not all vectors were found. */
TW_API int tw_bdsvdx(enum tw_uplo uplo, enum tw_which which, tw_int n, const double *d, const double *e, double vl,
                     double vu, tw_int il, tw_int iu, tw_int *ns, double *s, tw_matrix *U, tw_matrix *Vt);
TW_API int tw_bdsvdx_async(enum tw_uplo uplo, enum tw_which which, tw_int n, const double *d, const double *e,
                           double vl, double vu, tw_int il, tw_int iu, tw_int *ns, double *s, tw_matrix *U,
                           tw_matrix *Vt, tw_sequence *seq);

/* The shortest x with the least |b - A x| for each column b of B, which has max(m, n) rows: the first m of them are
 * read, the first n become x; where m > n the others' squares add up to those of b - A x if the rank is n. *rank
 * singular values are above rcond times the largest one (rcond <= 0 or >= 1: the rounding unit), the others count as 0.
 * s as gesdd's; A stays as it is. LAPACK's gelsd. info = min(m, n), s NaN, *rank 0 and B as it was: A or B has a NaN or
 * an infinity. info > 0 else as gesdd's; B is undefined then. With min(m, n) = 0 *rank is 0 and B stays as it was, as
 * LAPACK's does (tw_gels has zeros for x then). Elements of x beyond the range are infinities. */
TW_API int tw_gelsd(tw_matrix *A, tw_matrix *B, double *s, double rcond, int *rank);
TW_API int tw_gelsd_async(tw_matrix *A, tw_matrix *B, double *s, double rcond, int *rank, tw_sequence *seq);

/* The same, and A's first min(m, n) rows become V^H, as LAPACK's gelss leaves them. */
TW_API int tw_gelss(tw_matrix *A, tw_matrix *B, double *s, double rcond, int *rank);
TW_API int tw_gelss_async(tw_matrix *A, tw_matrix *B, double *s, double rcond, int *rank, tw_sequence *seq);

/* The pseudo-inverse (Moore, Penrose) of the m x n matrix A, P, n x m: V inv(S) U^H with the *rank singular values
 * above rcond times the largest one (rcond <= 0 or >= 1: max(m, n) times the rounding unit). s as gesdd's; A stays as
 * it is. info = min(m, n), s NaN, *rank 0 and P as it was: A has a NaN or an infinity. info > 0 else as gesdd's; P is
 * undefined then. With min(m, n) = 0 nothing is done. Elements of P beyond the range are infinities. */
TW_API int tw_gepinv(tw_matrix *A, tw_matrix *P, double *s, double rcond, int *rank);
TW_API int tw_gepinv_async(tw_matrix *A, tw_matrix *P, double *s, double rcond, int *rank, tw_sequence *seq);

/* The 2-norm of A, its largest singular value; its condition, the quotient of the largest and the smallest (infinite
 * where that is 0, 1 without elements); and its rank, how many are above rcond times the largest (rcond <= 0 or >= 1:
 * max(m, n) times the rounding unit). All of them are computed, without vectors; A stays as it is. tw_norm2est
 * (tilework/dense.h) estimates the norm in a fraction of the time. info as gesdd's; then NaN, and a rank of 0. */
TW_API int tw_genorm2(tw_matrix *A, double *value);
TW_API int tw_genorm2_async(tw_matrix *A, double *value, tw_sequence *seq);
TW_API int tw_gecond2(tw_matrix *A, double *value);
TW_API int tw_gecond2_async(tw_matrix *A, double *value, tw_sequence *seq);
TW_API int tw_gerank(tw_matrix *A, double rcond, int *rank);
TW_API int tw_gerank_async(tw_matrix *A, double rcond, int *rank, tw_sequence *seq);

/* The largest singular values and their vectors, by a random range finder (N. Halko, P. G. Martinsson, J. A. Tropp,
 * SIAM Review 53, 2011): A is about U diag(s) Vt. U is m x k, Vt k x n, s has k doubles, k <= min(m, n); columns of U
 * and rows of Vt are orthonormal.
 *   tol > 0: as few of them, *rank, as it takes for |A - U diag(s) Vt| <= tol in the 2-norm, or all k if that is not
 *   enough: then error > tol, and tw_last_message() says so, but not of tw_gersvd_async; s is 0 behind them, and
 *   vectors there are undefined. Else *rank is k
 *   oversampling  random vectors beside k; 5 to 10, as a rule
 *   power         products with A A^H before: 0 where singular values fall fast, 1 or 2 where they do not
 *   seed          of the random numbers: results are the same for the same one
 *   error         a bound of |A - U diag(s) Vt| in the 2-norm, which holds but with a probability of 1e-6: up to some
 *                 two times the Frobenius norm of what is left, which where singular values fall slowly is far above
 *                 the 2-norm, and never more than A's Frobenius norm
 * The values are no larger than A's own, and U^H A = diag(s) Vt to rounding. A stays as it is. info = k, s and error
 * NaN: A has a NaN or an infinity; info > 0 else as gesdd's. */
TW_API int tw_gersvd(tw_matrix *A, double tol, int oversampling, int power, uint64_t seed, double *s, tw_matrix *U,
                     tw_matrix *Vt, int *rank, double *error);
TW_API int tw_gersvd_async(tw_matrix *A, double tol, int oversampling, int power, uint64_t seed, double *s,
                           tw_matrix *U, tw_matrix *Vt, int *rank, double *error, tw_sequence *seq);

/* Polar decomposition A = U H, m >= n: A becomes U, whose columns are orthonormal, and H (n x n, all of it; NULL: not
 * wanted) hermitian and not negative. By the dynamically weighted Halley iteration, at most six steps at any condition
 * (tw_figure's "steps"), of QR and, where that is safe, Cholesky factorizations (Y. Nakatsukasa, N. J. Higham, SIAM J.
 * Sci. Comput. 35, 2013). info = n: A's columns are dependent to the last bit; A = U H holds, but U's columns need not
 * be orthonormal. info = n + 1: A has a NaN or an infinity, and nothing was done. */
TW_API int tw_gepolar(tw_matrix *A, tw_matrix *H);
TW_API int tw_gepolar_async(tw_matrix *A, tw_matrix *H, tw_sequence *seq);

/* A = Q B P^H of the m x n matrix A in one stage, Q and P unitary, B real and bidiagonal: upper bidiagonal where m >=
 * n, else lower. d gets its diagonal (k = min(m, n) doubles), e what is beside it (k - 1). A gets LAPACK's storage: B,
 * and below and above its two diagonals the reflectors of Q and P, whose factors go to tauq and taup (columns of k
 * elements in A's type, in whatever tiles). LAPACK's gebrd; info is 0, and NaN and infinities go their way. Needs the
 * memory of one more A. The two stages of tw_gesdd are faster where it is singular values that are wanted. */
TW_API int tw_gebrd(tw_matrix *A, double *d, double *e, tw_matrix *tauq, tw_matrix *taup);
TW_API int tw_gebrd_async(tw_matrix *A, double *d, double *e, tw_matrix *tauq, tw_matrix *taup, tw_sequence *seq);

/* Which factor of such a reduction: LAPACK's vect. */
enum tw_vect { TW_VECT_Q = 'Q', TW_VECT_P = 'P' };

/* C := X C, X^H C (TW_LEFT), C X or C X^H (TW_RIGHT), X = Q or P; trans: TW_NOTRANS or TW_CONJTRANS, of real matrices
 * TW_TRANS, too. A as tw_gebrd left it, or of X's reflectors alone: of Q its columns, of P its rows, as many as X's
 * order at most; tau: tauq or taup. k: of Q the columns, of P the rows of the matrix that was reduced. LAPACK's ormbr
 * and unmbr. */
TW_API int tw_unmbr(enum tw_vect vect, enum tw_side side, enum tw_trans trans, tw_int k, tw_matrix *A, tw_matrix *tau,
                    tw_matrix *C);
TW_API int tw_unmbr_async(enum tw_vect vect, enum tw_side side, enum tw_trans trans, tw_int k, tw_matrix *A,
                          tw_matrix *tau, tw_matrix *C, tw_sequence *seq);
/* A, all of it, becomes Q's first columns, or the first rows of P^H, as many as it has: no more than the factor's
 * order, and no fewer than reflectors lie in it. LAPACK's orgbr and ungbr. */
TW_API int tw_ungbr(enum tw_vect vect, tw_int k, tw_matrix *A, tw_matrix *tau);
TW_API int tw_ungbr_async(enum tw_vect vect, tw_int k, tw_matrix *A, tw_matrix *tau, tw_sequence *seq);

#ifdef __cplusplus
}
#endif
#endif
