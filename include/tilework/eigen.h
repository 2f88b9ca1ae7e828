/* Tilework: eigenvalues and eigenvectors of symmetric and hermitian matrices on tw_matrix (the matrix door and the
 * async door).
 *
 * The matrix is brought to a band by block reflectors (stage 1), the band to a tridiagonal matrix by bulge chasing
 * (stage 2); its eigenvectors go back through both: G. H. Golub and C. F. Van Loan, "Matrix Computations", 8.3; C.
 * Bischof, B. Lang, X. Sun, ACM Trans. Math. Softw. 26 (2000), 581-601; A. Haidar, H. Ltaief, J. Dongarra, SC'11. All
 * of it is one graph of tasks.
 *
 * Return values as in tilework/dense.h: 0, LAPACK's info, -i if argument i is illegal, or a code of tilework/runtime.h.
 * Every matrix has its type; eigenvalues are double for all types. */
#ifndef TILEWORK_EIGEN_H
#define TILEWORK_EIGEN_H

#include <tilework/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Eigenvalues alone, or with eigenvectors: LAPACK's jobz. */
enum tw_jobz { TW_NOVECTORS = 'N', TW_VECTORS = 'V' };

/* Which way a matrix goes: as TILEWORK_ROUTE says (auto, lapack, one, two), and what tw_figure("route") tells
 * afterwards. By LAPACK's syevd, which is one task on a core where matrices are tiles; by way of a band (two); by a
 * reduction to tridiagonal form in one stage (one). Where nothing is said small problems under LAPACK's names go to
 * LAPACK (tw_routine_crossover), all others as the machine profile predicts to be fastest; in reproducible mode by two
 * stages. */
enum tw_route { TW_ROUTE_AUTO, TW_ROUTE_LAPACK, TW_ROUTE_ONE, TW_ROUTE_TWO };

/* A = Z diag(w) Z^H: all eigenvalues of the n x n matrix A, symmetric or hermitian, of which the uplo triangle is read
 * (of a hermitian matrix' diagonal the real part), in ascending order into w (n doubles), and for TW_VECTORS the
 * eigenvectors, of length 1, into the columns of Z (n x n, general, of A's type, in whatever tiles). LAPACK's syevd and
 * heevd. TW_NOVECTORS: Z is NULL, and A stays as it is. TW_VECTORS: Z may be A itself, which is overwritten then; else
 * A stays as it is. info = k > 0: eigenvalues were not found (LAPACK's number for sterf or stedc; n if A's triangle has
 * a NaN or an infinity: w is then NaN and Z is not written). Matrices whose largest element is near the ends of the
 * range are scaled on the way. Needs the memory of some five more A (complex: four), without vectors of one;
 * tw_routine_memory tells. */
TW_API int tw_syevd(enum tw_jobz jobz, enum tw_uplo uplo, tw_matrix *A, double *w, tw_matrix *Z);

/* The async door: arguments are checked at once, the rest happens later. w is written before tw_sequence_wait()
 * returns. */
TW_API int tw_syevd_async(enum tw_jobz jobz, enum tw_uplo uplo, tw_matrix *A, double *w, tw_matrix *Z,
                          tw_sequence *seq);

/* Some eigenvalues of A: all (TW_ALL), those in (vl, vu] (TW_INTERVAL), or numbers il ... iu, counted from 1 in
 * ascending order (TW_INDICES; without any order 0 has il = 1, iu = 0); vl, vu, il, iu count only there. *m becomes how
 * many there are, w gets them (an interval's needs room for n), and for TW_VECTORS the first *m columns of Z (of A's
 * type, not A itself, with n rows and as many columns as are wanted, for an interval as many as it may hold) their
 * eigenvectors; further columns stay. A stays as it is. LAPACK's syevr and syevx: one method, which takes the less time
 * the fewer vectors are wanted, and finds values as exactly as tw_syevd; LAPACK's abstol is for others. info as
 * tw_syevd, and *m = 0 where A is not finite. TW_E_MEMORY: the interval holds more eigenvalues than Z has columns; *m
 * says how many. */
enum tw_which { TW_ALL = 'A', TW_INTERVAL = 'V', TW_INDICES = 'I' };
TW_API int tw_syevr(enum tw_jobz jobz, enum tw_which which, enum tw_uplo uplo, tw_matrix *A, double vl, double vu,
                    tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z);
TW_API int tw_syevr_async(enum tw_jobz jobz, enum tw_which which, enum tw_uplo uplo, tw_matrix *A, double vl, double vu,
                          tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z, tw_sequence *seq);
TW_API int tw_syevx(enum tw_jobz jobz, enum tw_which which, enum tw_uplo uplo, tw_matrix *A, double vl, double vu,
                    tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z);
TW_API int tw_syevx_async(enum tw_jobz jobz, enum tw_which which, enum tw_uplo uplo, tw_matrix *A, double vl, double vu,
                          tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z, tw_sequence *seq);

/* tw_syevd for a band matrix A (tw_matrix_create_band) with square tiles: its diagonal, and below it kl diagonals
 * (TW_LOWER) or above it ku ones (TW_UPPER), count; A stays as it is. LAPACK's sbevd and hbevd. */
TW_API int tw_sbevd(enum tw_jobz jobz, enum tw_uplo uplo, tw_matrix *A, double *w, tw_matrix *Z);
TW_API int tw_sbevd_async(enum tw_jobz jobz, enum tw_uplo uplo, tw_matrix *A, double *w, tw_matrix *Z,
                          tw_sequence *seq);
/* Some of its eigenvalues and eigenvectors, which tw_syevr's arguments say; LAPACK's sbevx and hbevx. Q: NULL, or for
 * TW_VECTORS an n x n general matrix of A's type that becomes the unitary matrix for which Q^H A Q is tridiagonal and
 * real; it is not Z. Where A is not finite (info = n, *m = 0) Q and Z are not written. */
TW_API int tw_sbevx(enum tw_jobz jobz, enum tw_which which, enum tw_uplo uplo, tw_matrix *A, tw_matrix *Q, double vl,
                    double vu, tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z);
TW_API int tw_sbevx_async(enum tw_jobz jobz, enum tw_which which, enum tw_uplo uplo, tw_matrix *A, tw_matrix *Q,
                          double vl, double vu, tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z,
                          tw_sequence *seq);

/* The reduction to tridiagonal form in one stage, A = Q T Q^H, of the n x n hermitian A of which the uplo triangle
 * counts, in LAPACK's storage: T's diagonal, real, into d (n doubles) and its other one into e (n - 1), and into A's
 * uplo triangle both, and Q's reflectors as LAPACK has them (TW_LOWER below the sub-diagonal, H(1) H(2) ... = Q;
 * TW_UPPER above the super-diagonal, ... H(2) H(1) = Q); tau, of A's type, a column of n - 1 elements or more
 * (tw_tau_create) in whatever tiles, gets their factors; for n <= 1 it may be NULL. A's other triangle stays. LAPACK's
 * sytrd and hetrd; info is 0, and NaN and infinities in A go into d and e. Needs the memory of half an A more. */
TW_API int tw_sytrd(enum tw_uplo uplo, tw_matrix *A, double *d, double *e, tw_matrix *tau);
TW_API int tw_sytrd_async(enum tw_uplo uplo, tw_matrix *A, double *d, double *e, tw_matrix *tau, tw_sequence *seq);
/* C := Q C, Q^H C (TW_LEFT), C Q or C Q^H (TW_RIGHT) with that Q; trans: TW_NOTRANS or TW_CONJTRANS, of real matrices
 * TW_TRANS, too. A (its uplo triangle) and tau as tw_sytrd left them. LAPACK's ormtr and unmtr. */
TW_API int tw_unmtr(enum tw_side side, enum tw_uplo uplo, enum tw_trans trans, tw_matrix *A, tw_matrix *tau,
                    tw_matrix *C);
TW_API int tw_unmtr_async(enum tw_side side, enum tw_uplo uplo, enum tw_trans trans, tw_matrix *A, tw_matrix *tau,
                          tw_matrix *C, tw_sequence *seq);
/* A, all of it, becomes that Q. LAPACK's orgtr and ungtr. Needs the memory of one more A. */
TW_API int tw_ungtr(enum tw_uplo uplo, tw_matrix *A, tw_matrix *tau);
TW_API int tw_ungtr_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *tau, tw_sequence *seq);

/* The reduction of a general n x n matrix to Hessenberg form, A = Q H Q^H, of which rows and columns ilo ... ihi (from
 * 1; 1 and n: all) take part: what lies left of and below them is zero, as balancing leaves it. A gets LAPACK's
 * storage: H, and below its sub-diagonal Q's reflectors, whose factors go to tau, as tw_sytrd's. LAPACK's gehrd; info
 * is 0, and NaN and infinities in A go into H. Needs the memory of one more A. Bodies for cores; of the updates for
 * GPUs, too. */
TW_API int tw_gehrd(tw_int ilo, tw_int ihi, tw_matrix *A, tw_matrix *tau);
TW_API int tw_gehrd_async(tw_int ilo, tw_int ihi, tw_matrix *A, tw_matrix *tau, tw_sequence *seq);
/* C := Q C, Q^H C, C Q or C Q^H with that Q, and A, all of it, becomes it: as tw_unmtr and tw_ungtr. LAPACK's ormhr,
 * unmhr, orghr, unghr. */
TW_API int tw_unmhr(enum tw_side side, enum tw_trans trans, tw_int ilo, tw_int ihi, tw_matrix *A, tw_matrix *tau,
                    tw_matrix *C);
TW_API int tw_unmhr_async(enum tw_side side, enum tw_trans trans, tw_int ilo, tw_int ihi, tw_matrix *A, tw_matrix *tau,
                          tw_matrix *C, tw_sequence *seq);
TW_API int tw_unghr(tw_int ilo, tw_int ihi, tw_matrix *A, tw_matrix *tau);
TW_API int tw_unghr_async(tw_int ilo, tw_int ihi, tw_matrix *A, tw_matrix *tau, tw_sequence *seq);

/* A x = lambda x: all eigenvalues of the general n x n matrix A, real parts into wr, imaginary ones into wi (n doubles
 * each, of real and of complex matrices), and as jobvl and jobvr (TW_VECTORS, TW_NOVECTORS) say, into VL its left
 * eigenvectors, u^H A = lambda u^H, and into VR its right ones (n x n, general, in whatever tiles; NULL without); A
 * stays as it is. LAPACK's geev: A is balanced; the eigenvalues of a real A that are not real come as conjugate pairs,
 * the one with a positive imaginary part first, and of the two eigenvectors, too conjugate, the real part is in its
 * column and the imaginary one in the next; each has length 1 and its largest element real. Eigenvalues are the same
 * bits whatever is asked for beside them. info = k > 0: the QR iteration did not converge; eigenvalues that it did not
 * find are NaN, those behind number k are there, and VL and VR are as they were. info = n, all of them NaN: A has a NaN
 * or an infinity. Needs the memory of two more A, with eigenvectors of five. */
TW_API int tw_geev(enum tw_jobz jobvl, enum tw_jobz jobvr, tw_matrix *A, double *wr, double *wi, tw_matrix *VL,
                   tw_matrix *VR);
TW_API int tw_geev_async(enum tw_jobz jobvl, enum tw_jobz jobvr, tw_matrix *A, double *wr, double *wi, tw_matrix *VL,
                         tw_matrix *VR, tw_sequence *seq);

/* What balancing does before (LAPACK's letters): nothing, permutations that find eigenvalues, scaling by powers of two,
 * both; and whose condition numbers are wanted. */
enum tw_balance { TW_BALANCE_NONE = 'N', TW_BALANCE_PERMUTE = 'P', TW_BALANCE_SCALE = 'S', TW_BALANCE_BOTH = 'B' };
enum tw_sense { TW_SENSE_NONE = 'N', TW_SENSE_VALUES = 'E', TW_SENSE_VECTORS = 'V', TW_SENSE_BOTH = 'B' };

/* tw_geev with that balancing, LAPACK's geevx: rows and columns *ilo ... *ihi (from 1) are those in which permutations
 * found no eigenvalues, scale (n doubles) has the rows that changed places and the factors, *abnrm is the balanced
 * matrix' 1-norm; of each eigenvalue, as sense asks, rconde gets the reciprocal condition number (for these jobvl and
 * jobvr are both TW_VECTORS), and rcondv that of its right eigenvector (n doubles each; NULL where they are not
 * wanted), both of the balanced matrix. With eigenvectors A becomes the Schur form of the balanced matrix, else it
 * stays. info as tw_geev; n, with NaN in *abnrm, too: A is not finite. */
TW_API int tw_geevx(enum tw_balance balanc, enum tw_jobz jobvl, enum tw_jobz jobvr, enum tw_sense sense, tw_matrix *A,
                    double *wr, double *wi, tw_matrix *VL, tw_matrix *VR, tw_int *ilo, tw_int *ihi, double *scale,
                    double *abnrm, double *rconde, double *rcondv);
TW_API int tw_geevx_async(enum tw_balance balanc, enum tw_jobz jobvl, enum tw_jobz jobvr, enum tw_sense sense,
                          tw_matrix *A, double *wr, double *wi, tw_matrix *VL, tw_matrix *VR, tw_int *ilo, tw_int *ihi,
                          double *scale, double *abnrm, double *rconde, double *rcondv, tw_sequence *seq);

/* Whether the eigenvalue wr + i wi is among those that come first: not 0. It is called in a task, by one of the
 * library's threads (of small matrices under LAPACK's names by the caller's), for one eigenvalue after the other, and
 * again for those of the result. It must not call the library, nor leave by longjmp or an exception, and what it reads
 * has to stay until the routine is done. */
typedef int (*tw_select_fn)(void *user, double wr, double wi);

/* A = Z T Z^H: A becomes its Schur form T, a triangle, of a real matrix with blocks of two rows and columns, equal on
 * their diagonals, for conjugate pairs; wr and wi (n doubles each) get the eigenvalues in T's order, and with jobvs
 * TW_VECTORS VS (n x n, general, in whatever tiles; else NULL) the unitary Z. select, called with `user`, says which
 * eigenvalues come first (a pair where either is); *sdim is how many they are; NULL: any order, and 0. LAPACK's gees.
 * info = k <= n: the QR iteration did not converge; eigenvalues that it did not find are NaN, those behind number k are
 * there, A and VS have what it came to. n + 1: the eigenvalues could not be put in order, some being too close; n + 2:
 * they were, and rounding made some of them others for select, so that not all that come first are selected (real
 * types). n, all of them NaN: A has a NaN or an infinity, and A and VS are as they were. Needs the memory of two more
 * A, with VS of four. */
TW_API int tw_gees(enum tw_jobz jobvs, tw_select_fn select, void *user, tw_matrix *A, tw_int *sdim, double *wr,
                   double *wi, tw_matrix *VS);
TW_API int tw_gees_async(enum tw_jobz jobvs, tw_select_fn select, void *user, tw_matrix *A, tw_int *sdim, double *wr,
                         double *wi, tw_matrix *VS, tw_sequence *seq);
/* The same with reciprocal condition numbers of what was selected, as sense asks: *rconde of the mean of these
 * eigenvalues, *rcondv of their right invariant subspace (NULL where it is not wanted). Other senses than TW_SENSE_NONE
 * need a select. LAPACK's geesx. */
TW_API int tw_geesx(enum tw_jobz jobvs, tw_select_fn select, void *user, enum tw_sense sense, tw_matrix *A,
                    tw_int *sdim, double *wr, double *wi, tw_matrix *VS, double *rconde, double *rcondv);
TW_API int tw_geesx_async(enum tw_jobz jobvs, tw_select_fn select, void *user, enum tw_sense sense, tw_matrix *A,
                          tw_int *sdim, double *wr, double *wi, tw_matrix *VS, double *rconde, double *rcondv,
                          tw_sequence *seq);

/* The generalized problems with a hermitian A and a positive definite B, both n x n in their uplo triangle: A x =
 * lambda B x (itype 1), A B x = lambda x (2), B A x = lambda x (3). LAPACK's sygvd and hegvd: B becomes its Cholesky
 * factor, L or U; eigenvalues and eigenvectors as tw_syevd, with Z^H B Z = I for itype 1 and 2, Z^H inv(B) Z = I for 3.
 * Z may be A itself; else, and without eigenvectors, A stays as it is. All of it is one graph. info = n + k: the
 * leading minor of order k of B is not positive definite; A, w and Z are as they were. k <= n: as tw_syevd; n also
 * where A, reduced to the standard problem, is not finite. Needs the memory that tw_syevd needs, without eigenvectors
 * half an A more. */
TW_API int tw_sygvd(int itype, enum tw_jobz jobz, enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, double *w,
                    tw_matrix *Z);
TW_API int tw_sygvd_async(int itype, enum tw_jobz jobz, enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, double *w,
                          tw_matrix *Z, tw_sequence *seq);

/* Some of its eigenvalues and eigenvectors, which tw_syevr's arguments say; LAPACK's sygvx and hegvx. Z is not A, which
 * stays as it is. info = n + k as tw_sygvd's, with *m = 0. */
TW_API int tw_sygvx(int itype, enum tw_jobz jobz, enum tw_which which, enum tw_uplo uplo, tw_matrix *A, tw_matrix *B,
                    double vl, double vu, tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z);
TW_API int tw_sygvx_async(int itype, enum tw_jobz jobz, enum tw_which which, enum tw_uplo uplo, tw_matrix *A,
                          tw_matrix *B, double vl, double vu, tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z,
                          tw_sequence *seq);

/* That reduction alone, LAPACK's sygst and hegst: B has potrf's factor, and A's uplo triangle becomes inv(L) A inv(L^H)
 * or inv(U^H) A inv(U) for itype 1, L^H A L or U A U^H for 2 and 3. */
TW_API int tw_sygst(int itype, enum tw_uplo uplo, tw_matrix *A, tw_matrix *B);
TW_API int tw_sygst_async(int itype, enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_sequence *seq);

/* T = S diag(w) S^T: all eigenvalues of the symmetric tridiagonal matrix with diagonal d (n doubles) and sub-diagonal e
 * (n - 1), in ascending order into w (n doubles, which may be d), and into Z (n x n, general, in whatever tiles):
 * nothing (TW_COMPZ_N; Z is NULL), the eigenvectors S of T (TW_COMPZ_I), or Z S, those of the matrix Q T Q^H whose Q is
 * in Z (TW_COMPZ_V). Computed in Z's precision, without Z in double. LAPACK's stedc. d and e are read once the routine
 * begins: in a sequence they have to stay until it has ended. info as tw_syevd: n if d or e has a NaN or an infinity,
 * or a number that Z's precision does not have. Needs the memory of three more Z, for TW_COMPZ_V of four. */
enum tw_compz { TW_COMPZ_N = 'N', TW_COMPZ_I = 'I', TW_COMPZ_V = 'V' };
TW_API int tw_stedc(enum tw_compz compz, tw_int n, const double *d, const double *e, double *w, tw_matrix *Z);
TW_API int tw_stedc_async(enum tw_compz compz, tw_int n, const double *d, const double *e, double *w, tw_matrix *Z,
                          tw_sequence *seq);
/* LAPACK's stevd: TW_NOVECTORS as TW_COMPZ_N, TW_VECTORS as TW_COMPZ_I with a Z of a real type. */
TW_API int tw_stevd(enum tw_jobz jobz, tw_int n, const double *d, const double *e, double *w, tw_matrix *Z);
TW_API int tw_stevd_async(enum tw_jobz jobz, tw_int n, const double *d, const double *e, double *w, tw_matrix *Z,
                          tw_sequence *seq);
/* LAPACK's sterf: eigenvalues alone, in double. */
TW_API int tw_sterf(tw_int n, const double *d, const double *e, double *w);
TW_API int tw_sterf_async(tw_int n, const double *d, const double *e, double *w, tw_sequence *seq);

/* Some eigenvalues of T, and their eigenvectors: LAPACK's stevr and stevx, one method as tw_syevr's, and its arguments;
 * Z is of a real type, in whose precision is computed, without Z in double. info as tw_stevd, and *m = 0 where T is not
 * finite. TW_E_MEMORY: as tw_syevr. */
TW_API int tw_stevr(enum tw_jobz jobz, enum tw_which which, tw_int n, const double *d, const double *e, double vl,
                    double vu, tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z);
TW_API int tw_stevr_async(enum tw_jobz jobz, enum tw_which which, tw_int n, const double *d, const double *e, double vl,
                          double vu, tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z, tw_sequence *seq);
TW_API int tw_stevx(enum tw_jobz jobz, enum tw_which which, tw_int n, const double *d, const double *e, double vl,
                    double vu, tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z);
TW_API int tw_stevx_async(enum tw_jobz jobz, enum tw_which which, tw_int n, const double *d, const double *e, double vl,
                          double vu, tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z, tw_sequence *seq);

/* Some eigenvalues of T by bisection, LAPACK's stebz: which, vl, vu, il, iu as tw_syevr. *m becomes how many there are;
 * w (room for n doubles) gets them in ascending order (TW_ENTIRE), or of one block after the other (TW_BY_BLOCKS).
 * Where an element of e is as good as 0, T falls into blocks: *nsplit becomes their number, isplit their last rows, and
 * iblock says of each eigenvalue whose it is, all counted from 1 (isplit and iblock: room for n); nsplit, iblock and
 * isplit may be NULL. An eigenvalue is found to within abstol, or where this is not positive to within eps times its
 * block's norm, and no more exactly than to 2 eps of itself. For a small abstol and small eigenvalues of large matrices
 * that takes many passes. Elements below some 1e-290 times the largest one lose digits, those of blocks of one row,
 * too. info = 4, with *m = 0, if d or e has a NaN or an infinity. */
enum tw_order { TW_ENTIRE = 'E', TW_BY_BLOCKS = 'B' };
TW_API int tw_stebz(enum tw_which which, enum tw_order order, tw_int n, double vl, double vu, tw_int il, tw_int iu,
                    double abstol, const double *d, const double *e, tw_int *m, tw_int *nsplit, double *w,
                    tw_int *iblock, tw_int *isplit);
TW_API int tw_stebz_async(enum tw_which which, enum tw_order order, tw_int n, double vl, double vu, tw_int il,
                          tw_int iu, double abstol, const double *d, const double *e, tw_int *m, tw_int *nsplit,
                          double *w, tw_int *iblock, tw_int *isplit, tw_sequence *seq);

/* Functions of a hermitian matrix: F = Z diag(f(w)) Z^H, with A = Z diag(w) Z^H. */
enum tw_function {
    TW_SQRT,
    TW_INVERSE,
    TW_INVERSE_SQRT,
    TW_EXP,
    TW_LOG,
    TW_ABS,
    TW_FUNCTION /* one of your own */
};
/* *y = f(x): 0; another number if f is not defined at x. Called on a worker's thread, once for each eigenvalue in
 * ascending order, up to the first where it is not. */
typedef int (*tw_function_fn)(void *user, double x, double *y);
/* F (n x n, general, in whatever tiles; it may be A itself) becomes that function of A, of which the uplo triangle is
 * read; both triangles of it, hermitian but for rounding within tiles of the diagonal. w: the eigenvalues (n doubles).
 * fn and user: for TW_FUNCTION; fn is NULL else. info = k: f has no value at eigenvalue k, counted from 1 in ascending
 * order, or not a finite one; F is as it was, w is there. Eigenvalues of at most n eps max |w| in size may be anything
 * that near to 0: the square root takes them as 0, the inverse, its root and the logarithm have no value there. info =
 * n also as tw_syevd. Needs the memory of five more A. */
TW_API int tw_syfun(enum tw_function f, tw_function_fn fn, void *user, enum tw_uplo uplo, tw_matrix *A, double *w,
                    tw_matrix *F);
TW_API int tw_syfun_async(enum tw_function f, tw_function_fn fn, void *user, enum tw_uplo uplo, tw_matrix *A, double *w,
                          tw_matrix *F, tw_sequence *seq);

#ifdef __cplusplus
}
#endif
#endif
