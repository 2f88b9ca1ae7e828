/* Tilework: the LAPACK door. Column-major arrays in host memory, LAPACK's arguments in LAPACK's order, info returned.
 *
 * info = 0 success; > 0 LAPACK's; -i argument i is illegal; <= -2000 a code of tilework/runtime.h. uplo and diag are
 * LAPACK's letters in either case. Matrices too small to gain from tiles go straight to LAPACK and start nothing. */
#ifndef TILEWORK_LAPACK_H
#define TILEWORK_LAPACK_H

#include <tilework/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Complex types as LAPACKE declares them: define your own before including if you use others of the same layout. */
#ifndef tw_complex_float
#ifdef __cplusplus
}
#include <complex>
extern "C" {
#define tw_complex_float  std::complex<float>
#define tw_complex_double std::complex<double>
#else
#include <complex.h>
#define tw_complex_float  float _Complex
#define tw_complex_double double _Complex
#endif
#endif

/* Whether an eigenvalue is among those that come first (gees, geesx): not 0. See tw_select_fn in tilework/eigen.h: it
 * may be called by another thread, and must not call the library. */
typedef int (*tw_s_select_fn)(const float *wr, const float *wi);
typedef int (*tw_d_select_fn)(const double *wr, const double *wi);
typedef int (*tw_c_select_fn)(const tw_complex_float *w);
typedef int (*tw_z_select_fn)(const tw_complex_double *w);

/* For each type: p its LAPACK letter, T its element type, R the real type of the same precision.
 *   potrf  A = L L^H or U^H U in place; only the uplo triangle is read and written. info = k > 0: the factor of order k
 *          - 1 is in its place, as LAPACK leaves it, what lies behind it is undefined
 *   potrs  solve A X = B with that factor
 *   posv   both
 *   potri  the inverse from the factor
 *   lauum  L^H L or U U^H in place
 *   trtri  inverse of a triangular matrix in place
 *   pocon  reciprocal condition number in the 1-norm from the factor and the matrix's 1-norm
 *   getrf  P A = L U of an m x n matrix in place; ipiv: min(m, n), counted from 1. info = k > 0: U(k, k) is zero, with
 *          the factorization complete
 *   getrs  solve A X = B, A^T X = B or A^H X = B with those factors (trans 'N', 'T', 'C'); a pivot outside 1 ... n
 *          exchanges nothing
 *   gesv   both; on info > 0 B is unchanged
 *   getri  the inverse from those factors. info = k > 0: U(k, k) is zero, and A is unchanged
 *   trtrs  solve op(A) X = B, A triangular (trans 'N', 'T', 'C'). info = k > 0: A(k, k) is exactly zero, and B is
 *          unchanged
 *   gecon  reciprocal condition number in the 1-norm (norm '1', 'O') or the infinity-norm ('I') from getrf's factors
 *          and the matrix's norm
 *   trcon  the same of a triangular matrix
 *   gerfs  solutions x of op(A) x = b refined, with their componentwise backward errors berr and estimated bounds ferr
 *          of their errors, from getrf's factors af
 *   porfs  the same of a hermitian positive definite A, from potrf's factor; trrfs  the bounds alone, of a triangular A
 *   geequ  scalings r of rows and c of columns after which the largest |re| + |im| of each is 1; poequ  s after which a
 *          positive definite A has ones on its diagonal; geequb, poequb  the same with powers of 2
 *   gesvx  A X = B (op(A) by trans) with everything: fact 'N' factors into af and ipiv, 'E' scales A and B before where
 *          that pays (equed 'N', 'R', 'C', 'B'), 'F' takes what an earlier call left there; solutions refined, rcond,
 *          ferr, berr, and in rpivot the largest |a_ij| over the largest |u_ij|. info = k <= n: U(k, k) is zero, rcond
 *          is 0 and X untouched; n + 1: rcond is below the unit roundoff, X and all else is there
 *   posvx  the same of a positive definite A (equed 'N', 'Y')
 *   getrf_nopiv  A = L U of an m x n matrix without exchanging rows, which LAPACK does not have: for matrices that need
 *          no pivoting, else its error is not bounded. info = k > 0: U(k, k) is zero, and the factors from there on are
 *          undefined
 *   gesv_nopiv  gesv without exchanging rows, refined (LAPACK has no such routine). iter >= 0: that many corrections,
 *          ipiv exchanges nothing; else rows were exchanged after all, because U grew beyond 1 / sqrt(eps) (-2), a
 *          pivot was zero (-3) or corrections did not do (-31). growth, berr (or NULL): the largest |u_ij| over the
 *          largest |a_ij|, and the largest max |b - A x| / (|A| max |x|); -1: not known
 *   geqrf  A = Q R of an m x n matrix in place, in LAPACK's storage and signs; tau: min(m, n)
 *   gelqf  A = L Q
 *   geqp3  A P = Q R with column pivoting; jpvt (n): columns that are to come first are not 0; afterwards the number,
 *          from 1, of each column of A P in A
 *   geqp3_random  the same with columns chosen from a random sketch, by blocks; jpvt as geqp3's (LAPACK has no such
 *          routine)
 *   geqp3rk  geqp3 up to a rank: it ends after kmax columns, or where the largest norm of a column of what is left is
 *          at most abstol or reltol times A's (negative: not for that reason). *k columns are done; maxc2nrmk is that
 *          norm, relmaxc2nrmk its quotient with A's. What is left lies below *k rows of R. a has nrhs columns more,
 *          which become Q^H times what they were. jpiv is written only. info = j <= n: column j has, or its reflector
 *          gave, a NaN; n + j: there is an infinity in column j, and it ended for another reason
 *   geqp3rk_random  the same with geqp3_random's columns; a NaN or an infinity ends it at once (LAPACK has no such
 *          routine)
 *   gelsy  the shortest x with the least |b - A x| for each column of B (max(m, n) x nrhs), A of any rank; jpvt as
 *          geqp3's; *rank columns are taken, whose condition is at most 1 / rcond
 *   gels   min |b - op(A) x| for each column of B (max(m, n) x nrhs), or where op(A) has fewer rows than columns the
 *          shortest x with op(A) x = b; trans 'N', 'T' (s, d) or 'C' (c, z). info = k > 0: A has not full rank, and B
 *          is unchanged
 * Of double precision only, factored in single and refined in double:
 *   dsgesv, zcgesv  gesv whose solutions go to x. iter >= 0: that many corrections, a is unchanged; else a has the
 *          factors of double precision, and iter is -2 (a number was beyond single precision's), -3 (its factorization
 *          failed) or -31 (30 corrections did not do, or met a NaN or an infinity)
 *   dsposv, zcposv  posv likewise
 * QR's and LQ's further routines, of two types each, real (or...) and complex (un...), all with workspaces of the
 * library's own:
 *   ormqr, unmqr  Q C, op(Q) C, C Q or C op(Q) with geqrf's Q, of k reflectors; ormlq, unmlq with gelqf's
 *   orgqr, ungqr  the first n columns of geqrf's Q, over its factors; orglq, unglq the first m rows of gelqf's
 * BLAS-3 with BLAS' arguments, scalars by value. With beta = 0 C is not read; with alpha = 0, or k = 0, neither are A
 * and B, which may be NULL then:
 *   gemm   C = alpha op(A) op(B) + beta C, op(X) being X, X^T or X^H (transa, transb 'N', 'T', 'C'); C is m x n
 *   symm   C = alpha A B + beta C (side 'L') or alpha B A + beta C ('R'), A symmetric in its uplo triangle
 *   syrk   C = alpha A A^T + beta C (trans 'N') or alpha A^T A + beta C, in the uplo triangle of the n x n matrix C
 *   syr2k  C = alpha A B^T + alpha B A^T + beta C or alpha A^T B + alpha B^T A + beta C
 *   trmm   B = alpha op(A) B or alpha B op(A), A triangular
 *   trsm   solve op(A) X = alpha B or X op(A) = alpha B, X over B
 * and for complex types hemm, herk, her2k, hermitian, with the conjugate transpose (trans 'N', 'C').
 * Eigenvalues:
 *   syevd, heevd  all eigenvalues of a symmetric (s, d) or hermitian (c, z) matrix, of which the uplo triangle is read,
 *          ascending into w (n, real), and for jobz 'V' the eigenvectors into the columns of a; jobz 'N': the triangle
 *          is destroyed or not, the rest of a stays. info = k > 0: some were not found; n: the triangle has a NaN or an
 *          infinity
 *   syev, heev  the same; syevd_2stage, heevd_2stage, syev_2stage, heev_2stage  eigenvalues alone, with another jobz
 *          than 'N' -1 as LAPACK's
 *   sygvd, hegvd, sygv, hegv  A x = lambda B x (itype 1), A B x = lambda x (2), B A x = lambda x (3), B positive
 *          definite: b becomes its Cholesky factor. info = n + k: the leading minor of order k of B is not positive
 *          definite, and a and w are as they were
 *   sygvx, hegvx  the same for some eigenvalues, with syevx's arguments; a is used up or not
 *   sygst, hegst  such a problem's standard form, with potrf's factor in b: inv(L) A inv(L^H) or inv(U^H) A inv(U) for
 *          itype 1, else L^H A L or U A U^H
 *   sytrd, hetrd  the reduction of such a matrix to tridiagonal form, A = Q T Q^H: T's diagonal into d and beside it
 *          into e (n - 1), Q's reflectors into a and tau (n - 1)
 *   orgtr, ungtr  that Q, over a; ormtr, unmtr  Q C, op(Q) C, C Q or C op(Q) with it, of order m (side 'L') or n ('R');
 *          trans 'N' or 'T', of complex types 'N' or 'C'
 *   stedc  of the symmetric tridiagonal matrix with diagonal d and sub-diagonal e, over d: eigenvalues (compz 'N'),
 *          with its eigenvectors in z ('I'), or z times these ('V'); e is used up or not; info as above. stevd (s, d)
 *          the same for jobz 'N', 'V'; sterf (s, d): eigenvalues alone
 *   stebz (s, d)  of such a matrix the *m eigenvalues that range selects (as syevr's) by bisection, in order 'E'
 *          ascending, 'B' block by block; nsplit blocks end at rows isplit, iblock says whose each is. d and e stay.
 *          info = 4: they are not finite
 *   syevr, heevr, syevx, heevx  of a symmetric or hermitian matrix the *m eigenvalues that range selects: 'A' all, 'V'
 *          those in (vl, vu], 'I' numbers il ... iu in ascending order; with jobz 'V' their eigenvectors in z's first
 *          *m columns. a stays, abstol is ignored, each ifail is 0; of all eigenvectors (range 'A', or numbers 1 ...
 *          n) each isuppz is 1, n, of fewer it is not written, as LAPACK has it
 *   stevr, stevx (s, d)  the same of the symmetric tridiagonal matrix with diagonal d and sub-diagonal e, which may
 *          change
 *   sbevd, hbevd  as syevd, of a band matrix with kd sub-diagonals in LAPACK's storage ab; eigenvectors into z. By
 *          tiles ab stays
 *   sbevx, hbevx  of such a matrix some eigenvalues, with syevx's arguments; with jobz 'V' also the n x n matrix q for
 *          which q^H A q is tridiagonal
 *   gehrd  the reduction of a general matrix to Hessenberg form, A = Q H Q^H, in rows and columns ilo ... ihi (1 and n:
 *          all): H and below it Q's reflectors into a, tau (n - 1)
 *   geev   all eigenvalues of a general matrix, real and imaginary parts into wr and wi (s, d; of conjugate pairs that
 *          with a positive imaginary part first) or into w (c, z), and with jobvl and jobvr 'V' its left and right
 *          eigenvectors into vl and vr, of length 1, of a pair real and imaginary part of the first's; a is destroyed
 *          or not. info > 0: those before, and those behind number info were found, and no eigenvectors; n with all of
 *          them NaN: a has a NaN or an infinity
 *   geevx  the same with balancing as balanc says ('N', 'P' permutes, 'S' scales, 'B' both): ilo, ihi, scale (n) and
 *          the balanced matrix' 1-norm abnrm; and as sense asks ('N', 'E', 'V', 'B') reciprocal condition numbers of
 *          the eigenvalues into rconde (n; with both jobvl and jobvr 'V') and of the right eigenvectors into rcondv
 *          (n). With eigenvectors a becomes the Schur form
 *   gees   A = Z T Z^H: a becomes the Schur form T, and with jobvs 'V' vs the unitary Z; eigenvalues in T's order as
 *          geev's. sort 'S': those that select chooses come first, *sdim of them. info = n + 1: they could not be put
 *          in order, n + 2: rounding made some of them others (s, d); n with NaN: a has a NaN or an infinity, and is as
 *          it was. geesx  the same with condition numbers, as sense asks, of their mean into *rconde and of their
 *          invariant subspace into *rcondv
 *   hseqr  of a Hessenberg matrix h, in rows and columns ilo ... ihi, the eigenvalues (job 'E') or its Schur form, too
 *          ('S'), and z times its Schur vectors (compz 'V'), or these ('I'); info = ihi and eigenvalues ilo ... ihi
 *          NaN: h has a NaN or an infinity. gebal  balancing (job as geevx's balanc): a NaN is refused with -3 where it
 *          would be scaled; gebak  takes it back in the m columns of v, right eigenvectors (side 'R') or left ones.
 *          trevc3  eigenvectors of a Schur form t: side 'R', 'L', 'B'; howmny 'A' all, 'B' multiplied by what vr and vl
 *          hold, 'S' those that select has; *m columns of mm are taken. These four are LAPACK's own, in the caller's
 *          thread
 *   orghr, unghr  that Q, over a; ormhr, unmhr  products with it, as ormtr
 * Singular values:
 *   gesdd  A = U diag(s) V^T (V^H) of an m x n matrix: s descending, real; jobz 'N': values alone; 'S': the first
 *          min(m, n) columns of u and rows of vt; 'A': all of them; 'O': those of 'S' that are as many as A's go over
 *          a, the others are as 'A'. With another jobz a is destroyed or not. -4: a has a NaN or an infinity. info > 0:
 *          not all were found
 *   gesvd  the same with a job for each side, not both 'O'; min(m, n) columns of U, or rows of V^T, go over a with 'O'.
 *          superb (min(m, n) - 1): 0, or with info > 0 what is left of the super-diagonal. info = min(m, n) and s NaN:
 *          a has a NaN or an infinity
 *   gesvdx  the *ns singular values that range selects: 'A' all, 'V' those in [vl, vu), 'I' numbers il ... iu from the
 *          largest one on; into s (min(m, n)), descending, and their vectors into the first *ns columns of u (jobu 'V')
 *          and rows of vt (jobvt 'V'). superb: LAPACKE's, zeros; may be NULL. a is destroyed or not. info = 2 min(m, n)
 *          + 1, *ns = 0 and s NaN: a has a NaN or an infinity
 *   gelsd  the shortest x with the least |b - A x| for each column of B (max(m, n) x nrhs); s: A's singular values, of
 *          which *rank are above rcond times the largest. info = min(m, n) and s NaN: a or b has a NaN or an infinity
 *   gelss  the same by gelsd's method; the first min(m, n) rows of a become the right singular vectors, V^T
 *   gebrd  the reduction of an m x n matrix to bidiagonal form in one stage, A = Q B P^H, upper where m >= n, else
 *          lower: B's diagonal into d (min(m, n)) and beside it into e, the reflectors of both sides into a, tauq and
 *          taup (min(m, n) each)
 *   orgbr, ungbr  the first n columns of that Q (vect 'Q'; k: columns of the matrix that was reduced) or the first m
 *          rows of P^H ('P'; k: its rows), over a; ormbr, unmbr  X C, op(X) C, C X or C op(X), X = Q or P, of order m
 *          (side 'L') or n ('R')
 *   bdsdc (s, d)  of the bidiagonal matrix with diagonal d and beside it e (n - 1), above it (uplo 'U') or below ('L'),
 *          over d: singular values, descending (compq 'N'), with its singular vectors in the columns of u and the rows
 *          of vt ('I'), or with those in LAPACK's compact form in q and iq ('P', always by LAPACK). e may change. info
 *          = n: they are not finite
 *   bdsqr  of such a matrix B = Q S P^T the same values over d, and P^T vt (n x ncvt), u Q (nru x n) and Q^T c (n x
 *          ncc) over vt, u and c, each value to some n eps of its own size unless it is beyond tw_bdsqr's range
 *   bdsvdx (s, d)  of such a matrix those values that range selects (gesvdx's), each to some n eps of its own size,
 *          into s (n), and with jobz 'V' their left vectors in the first n rows of z's columns, the right ones in
 *          the next n, each of length 1. superb as gesvdx's. d and e stay. info = 2 n + 1, *ns = 0 and s NaN: they
 *          are not finite */
#define TW_LAPACK_PROTOTYPES(p, T, R)                                                                                  \
    TW_API tw_int tw_##p##potrf(char uplo, tw_int n, T *a, tw_int lda);                                                \
    TW_API tw_int tw_##p##potrs(char uplo, tw_int n, tw_int nrhs, const T *a, tw_int lda, T *b, tw_int ldb);           \
    TW_API tw_int tw_##p##posv(char uplo, tw_int n, tw_int nrhs, T *a, tw_int lda, T *b, tw_int ldb);                  \
    TW_API tw_int tw_##p##potri(char uplo, tw_int n, T *a, tw_int lda);                                                \
    TW_API tw_int tw_##p##lauum(char uplo, tw_int n, T *a, tw_int lda);                                                \
    TW_API tw_int tw_##p##trtri(char uplo, char diag, tw_int n, T *a, tw_int lda);                                     \
    TW_API tw_int tw_##p##pocon(char uplo, tw_int n, const T *a, tw_int lda, R anorm, R *rcond);                       \
    TW_API tw_int tw_##p##getrf(tw_int m, tw_int n, T *a, tw_int lda, tw_int *ipiv);                                   \
    TW_API tw_int tw_##p##getrs(char trans, tw_int n, tw_int nrhs, const T *a, tw_int lda, const tw_int *ipiv, T *b,   \
                                tw_int ldb);                                                                           \
    TW_API tw_int tw_##p##gesv(tw_int n, tw_int nrhs, T *a, tw_int lda, tw_int *ipiv, T *b, tw_int ldb);               \
    TW_API tw_int tw_##p##getri(tw_int n, T *a, tw_int lda, const tw_int *ipiv);                                       \
    TW_API tw_int tw_##p##trtrs(char uplo, char trans, char diag, tw_int n, tw_int nrhs, const T *a, tw_int lda, T *b, \
                                tw_int ldb);                                                                           \
    TW_API tw_int tw_##p##gecon(char norm, tw_int n, const T *a, tw_int lda, R anorm, R *rcond);                       \
    TW_API tw_int tw_##p##trcon(char norm, char uplo, char diag, tw_int n, const T *a, tw_int lda, R *rcond);          \
    TW_API tw_int tw_##p##gerfs(char trans, tw_int n, tw_int nrhs, const T *a, tw_int lda, const T *af, tw_int ldaf,   \
                                const tw_int *ipiv, const T *b, tw_int ldb, T *x, tw_int ldx, R *ferr, R *berr);       \
    TW_API tw_int tw_##p##porfs(char uplo, tw_int n, tw_int nrhs, const T *a, tw_int lda, const T *af, tw_int ldaf,    \
                                const T *b, tw_int ldb, T *x, tw_int ldx, R *ferr, R *berr);                           \
    TW_API tw_int tw_##p##trrfs(char uplo, char trans, char diag, tw_int n, tw_int nrhs, const T *a, tw_int lda,       \
                                const T *b, tw_int ldb, const T *x, tw_int ldx, R *ferr, R *berr);                     \
    TW_API tw_int tw_##p##geequ(tw_int m, tw_int n, const T *a, tw_int lda, R *r, R *c, R *rowcnd, R *colcnd,          \
                                R *amax);                                                                              \
    TW_API tw_int tw_##p##poequ(tw_int n, const T *a, tw_int lda, R *s, R *scond, R *amax);                            \
    TW_API tw_int tw_##p##geequb(tw_int m, tw_int n, const T *a, tw_int lda, R *r, R *c, R *rowcnd, R *colcnd,         \
                                 R *amax);                                                                             \
    TW_API tw_int tw_##p##poequb(tw_int n, const T *a, tw_int lda, R *s, R *scond, R *amax);                           \
    TW_API tw_int tw_##p##gesvx(char fact, char trans, tw_int n, tw_int nrhs, T *a, tw_int lda, T *af, tw_int ldaf,    \
                                tw_int *ipiv, char *equed, R *r, R *c, T *b, tw_int ldb, T *x, tw_int ldx, R *rcond,   \
                                R *ferr, R *berr, R *rpivot);                                                          \
    TW_API tw_int tw_##p##posvx(char fact, char uplo, tw_int n, tw_int nrhs, T *a, tw_int lda, T *af, tw_int ldaf,     \
                                char *equed, R *s, T *b, tw_int ldb, T *x, tw_int ldx, R *rcond, R *ferr, R *berr);    \
    TW_API tw_int tw_##p##getrf_nopiv(tw_int m, tw_int n, T *a, tw_int lda);                                           \
    TW_API tw_int tw_##p##gesv_nopiv(tw_int n, tw_int nrhs, T *a, tw_int lda, tw_int *ipiv, T *b, tw_int ldb,          \
                                     tw_int *iter, R *growth, R *berr);                                                \
    TW_API tw_int tw_##p##gemm(char transa, char transb, tw_int m, tw_int n, tw_int k, T alpha, const T *a,            \
                               tw_int lda, const T *b, tw_int ldb, T beta, T *c, tw_int ldc);                          \
    TW_API tw_int tw_##p##symm(char side, char uplo, tw_int m, tw_int n, T alpha, const T *a, tw_int lda, const T *b,  \
                               tw_int ldb, T beta, T *c, tw_int ldc);                                                  \
    TW_API tw_int tw_##p##syrk(char uplo, char trans, tw_int n, tw_int k, T alpha, const T *a, tw_int lda, T beta,     \
                               T *c, tw_int ldc);                                                                      \
    TW_API tw_int tw_##p##syr2k(char uplo, char trans, tw_int n, tw_int k, T alpha, const T *a, tw_int lda,            \
                                const T *b, tw_int ldb, T beta, T *c, tw_int ldc);                                     \
    TW_API tw_int tw_##p##trmm(char side, char uplo, char transa, char diag, tw_int m, tw_int n, T alpha, const T *a,  \
                               tw_int lda, T *b, tw_int ldb);                                                          \
    TW_API tw_int tw_##p##trsm(char side, char uplo, char transa, char diag, tw_int m, tw_int n, T alpha, const T *a,  \
                               tw_int lda, T *b, tw_int ldb);                                                          \
    TW_API tw_int tw_##p##geqrf(tw_int m, tw_int n, T *a, tw_int lda, T *tau);                                         \
    TW_API tw_int tw_##p##gelqf(tw_int m, tw_int n, T *a, tw_int lda, T *tau);                                         \
    TW_API tw_int tw_##p##geqp3_random(tw_int m, tw_int n, T *a, tw_int lda, tw_int *jpvt, T *tau);                    \
    TW_API tw_int tw_##p##geqp3rk(tw_int m, tw_int n, tw_int nrhs, tw_int kmax, R abstol, R reltol, T *a, tw_int lda,  \
                                  tw_int *k, R *maxc2nrmk, R *relmaxc2nrmk, tw_int *jpiv, T *tau);                     \
    TW_API tw_int tw_##p##geqp3rk_random(tw_int m, tw_int n, tw_int nrhs, tw_int kmax, R abstol, R reltol, T *a,       \
                                         tw_int lda, tw_int *k, R *maxc2nrmk, R *relmaxc2nrmk, tw_int *jpiv, T *tau);  \
    TW_API tw_int tw_##p##geqp3(tw_int m, tw_int n, T *a, tw_int lda, tw_int *jpvt, T *tau);                           \
    TW_API tw_int tw_##p##gelsy(tw_int m, tw_int n, tw_int nrhs, T *a, tw_int lda, T *b, tw_int ldb, tw_int *jpvt,     \
                                R rcond, tw_int *rank);                                                                \
    TW_API tw_int tw_##p##gels(char trans, tw_int m, tw_int n, tw_int nrhs, T *a, tw_int lda, T *b, tw_int ldb);
#define TW_LAPACK_REAL_PROTOTYPES(p, T)                                                                                \
    TW_API tw_int tw_##p##ormqr(char side, char trans, tw_int m, tw_int n, tw_int k, const T *a, tw_int lda,           \
                                const T *tau, T *c, tw_int ldc);                                                       \
    TW_API tw_int tw_##p##ormlq(char side, char trans, tw_int m, tw_int n, tw_int k, const T *a, tw_int lda,           \
                                const T *tau, T *c, tw_int ldc);                                                       \
    TW_API tw_int tw_##p##orgqr(tw_int m, tw_int n, tw_int k, T *a, tw_int lda, const T *tau);                         \
    TW_API tw_int tw_##p##orglq(tw_int m, tw_int n, tw_int k, T *a, tw_int lda, const T *tau);
#define TW_LAPACK_COMPLEX_PROTOTYPES(p, T, R)                                                                          \
    TW_API tw_int tw_##p##hemm(char side, char uplo, tw_int m, tw_int n, T alpha, const T *a, tw_int lda, const T *b,  \
                               tw_int ldb, T beta, T *c, tw_int ldc);                                                  \
    TW_API tw_int tw_##p##herk(char uplo, char trans, tw_int n, tw_int k, R alpha, const T *a, tw_int lda, R beta,     \
                               T *c, tw_int ldc);                                                                      \
    TW_API tw_int tw_##p##her2k(char uplo, char trans, tw_int n, tw_int k, T alpha, const T *a, tw_int lda,            \
                                const T *b, tw_int ldb, R beta, T *c, tw_int ldc);                                     \
    TW_API tw_int tw_##p##unmqr(char side, char trans, tw_int m, tw_int n, tw_int k, const T *a, tw_int lda,           \
                                const T *tau, T *c, tw_int ldc);                                                       \
    TW_API tw_int tw_##p##unmlq(char side, char trans, tw_int m, tw_int n, tw_int k, const T *a, tw_int lda,           \
                                const T *tau, T *c, tw_int ldc);                                                       \
    TW_API tw_int tw_##p##ungqr(tw_int m, tw_int n, tw_int k, T *a, tw_int lda, const T *tau);                         \
    TW_API tw_int tw_##p##unglq(tw_int m, tw_int n, tw_int k, T *a, tw_int lda, const T *tau);

#define TW_LAPACK_SVD_PROTOTYPES(p, T, R)                                                                              \
    TW_API tw_int tw_##p##gebrd(tw_int m, tw_int n, T *a, tw_int lda, R *d, R *e, T *tauq, T *taup);                   \
    TW_API tw_int tw_##p##gehrd(tw_int n, tw_int ilo, tw_int ihi, T *a, tw_int lda, T *tau);                           \
    TW_API tw_int tw_##p##gesvd(char jobu, char jobvt, tw_int m, tw_int n, T *a, tw_int lda, R *s, T *u, tw_int ldu,   \
                                T *vt, tw_int ldvt, R *superb);                                                        \
    TW_API tw_int tw_##p##gesvdx(char jobu, char jobvt, char range, tw_int m, tw_int n, T *a, tw_int lda, R vl, R vu,  \
                                 tw_int il, tw_int iu, tw_int *ns, R *s, T *u, tw_int ldu, T *vt, tw_int ldvt,         \
                                 tw_int *superb);                                                                      \
    TW_API tw_int tw_##p##gelsd(tw_int m, tw_int n, tw_int nrhs, T *a, tw_int lda, T *b, tw_int ldb, R *s, R rcond,    \
                                tw_int *rank);                                                                         \
    TW_API tw_int tw_##p##gelss(tw_int m, tw_int n, tw_int nrhs, T *a, tw_int lda, T *b, tw_int ldb, R *s, R rcond,    \
                                tw_int *rank);                                                                         \
    TW_API tw_int tw_##p##gesdd(char jobz, tw_int m, tw_int n, T *a, tw_int lda, R *s, T *u, tw_int ldu, T *vt,        \
                                tw_int ldvt);
#define TW_LAPACK_EIGEN_PROTOTYPES(p, T, R)                                                                            \
    TW_API tw_int tw_##p##bdsqr(char uplo, tw_int n, tw_int ncvt, tw_int nru, tw_int ncc, R *d, R *e, T *vt,           \
                                tw_int ldvt, T *u, tw_int ldu, T *c, tw_int ldc);                                      \
    TW_API tw_int tw_##p##stedc(char compz, tw_int n, R *d, R *e, T *z, tw_int ldz);
#define TW_LAPACK_REAL_EIGEN_PROTOTYPES(p, T)                                                                          \
    TW_API tw_int tw_##p##bdsdc(char uplo, char compq, tw_int n, T *d, T *e, T *u, tw_int ldu, T *vt, tw_int ldvt,     \
                                T *q, tw_int *iq);                                                                     \
    TW_API tw_int tw_##p##bdsvdx(char uplo, char jobz, char range, tw_int n, T *d, T *e, T vl, T vu, tw_int il,        \
                                 tw_int iu, tw_int *ns, T *s, T *z, tw_int ldz, tw_int *superb);                       \
    TW_API tw_int tw_##p##syevd(char jobz, char uplo, tw_int n, T *a, tw_int lda, T *w);                               \
    TW_API tw_int tw_##p##stevd(char jobz, tw_int n, T *d, T *e, T *z, tw_int ldz);                                    \
    TW_API tw_int tw_##p##sterf(tw_int n, T *d, T *e);                                                                 \
    TW_API tw_int tw_##p##stebz(char range, char order, tw_int n, T vl, T vu, tw_int il, tw_int iu, T abstol,          \
                                const T *d, const T *e, tw_int *m, tw_int *nsplit, T *w, tw_int *iblock,               \
                                tw_int *isplit);                                                                       \
    TW_API tw_int tw_##p##syevd_2stage(char jobz, char uplo, tw_int n, T *a, tw_int lda, T *w);                        \
    TW_API tw_int tw_##p##syev(char jobz, char uplo, tw_int n, T *a, tw_int lda, T *w);                                \
    TW_API tw_int tw_##p##syev_2stage(char jobz, char uplo, tw_int n, T *a, tw_int lda, T *w);                         \
    TW_API tw_int tw_##p##sygvd(tw_int itype, char jobz, char uplo, tw_int n, T *a, tw_int lda, T *b, tw_int ldb,      \
                                T *w);                                                                                 \
    TW_API tw_int tw_##p##sygv(tw_int itype, char jobz, char uplo, tw_int n, T *a, tw_int lda, T *b, tw_int ldb,       \
                               T *w);                                                                                  \
    TW_API tw_int tw_##p##sygst(tw_int itype, char uplo, tw_int n, T *a, tw_int lda, const T *b, tw_int ldb);          \
    TW_API tw_int tw_##p##sygvx(tw_int itype, char jobz, char range, char uplo, tw_int n, T *a, tw_int lda, T *b,      \
                                tw_int ldb, T vl, T vu, tw_int il, tw_int iu, T abstol, tw_int *m, T *w, T *z,         \
                                tw_int ldz, tw_int *ifail);
#define TW_LAPACK_COMPLEX_EIGEN_PROTOTYPES(p, T, R)                                                                    \
    TW_API tw_int tw_##p##heevd(char jobz, char uplo, tw_int n, T *a, tw_int lda, R *w);                               \
    TW_API tw_int tw_##p##heevd_2stage(char jobz, char uplo, tw_int n, T *a, tw_int lda, R *w);                        \
    TW_API tw_int tw_##p##heev(char jobz, char uplo, tw_int n, T *a, tw_int lda, R *w);                                \
    TW_API tw_int tw_##p##heev_2stage(char jobz, char uplo, tw_int n, T *a, tw_int lda, R *w);                         \
    TW_API tw_int tw_##p##hegvd(tw_int itype, char jobz, char uplo, tw_int n, T *a, tw_int lda, T *b, tw_int ldb,      \
                                R *w);                                                                                 \
    TW_API tw_int tw_##p##hegv(tw_int itype, char jobz, char uplo, tw_int n, T *a, tw_int lda, T *b, tw_int ldb,       \
                               R *w);                                                                                  \
    TW_API tw_int tw_##p##hegst(tw_int itype, char uplo, tw_int n, T *a, tw_int lda, const T *b, tw_int ldb);          \
    TW_API tw_int tw_##p##hegvx(tw_int itype, char jobz, char range, char uplo, tw_int n, T *a, tw_int lda, T *b,      \
                                tw_int ldb, R vl, R vu, tw_int il, tw_int iu, R abstol, tw_int *m, R *w, T *z,         \
                                tw_int ldz, tw_int *ifail);

#define TW_LAPACK_MIXED_PROTOTYPES(p, T)                                                                               \
    TW_API tw_int tw_##p##gesv(tw_int n, tw_int nrhs, T *a, tw_int lda, tw_int *ipiv, T *b, tw_int ldb, T *x,          \
                               tw_int ldx, tw_int *iter);                                                              \
    TW_API tw_int tw_##p##posv(char uplo, tw_int n, tw_int nrhs, T *a, tw_int lda, T *b, tw_int ldb, T *x, tw_int ldx, \
                               tw_int *iter);

TW_LAPACK_MIXED_PROTOTYPES(ds, double)
TW_LAPACK_MIXED_PROTOTYPES(zc, tw_complex_double)
#define TW_LAPACK_REAL_RANGE_PROTOTYPES(p, T)                                                                          \
    TW_API tw_int tw_##p##orgbr(char vect, tw_int m, tw_int n, tw_int k, T *a, tw_int lda, const T *tau);              \
    TW_API tw_int tw_##p##ormbr(char vect, char side, char trans, tw_int m, tw_int n, tw_int k, const T *a,            \
                                tw_int lda, const T *tau, T *c, tw_int ldc);                                           \
    TW_API tw_int tw_##p##sytrd(char uplo, tw_int n, T *a, tw_int lda, T *d, T *e, T *tau);                            \
    TW_API tw_int tw_##p##orgtr(char uplo, tw_int n, T *a, tw_int lda, const T *tau);                                  \
    TW_API tw_int tw_##p##geev(char jobvl, char jobvr, tw_int n, T *a, tw_int lda, T *wr, T *wi, T *vl, tw_int ldvl,   \
                               T *vr, tw_int ldvr);                                                                    \
    TW_API tw_int tw_##p##orghr(tw_int n, tw_int ilo, tw_int ihi, T *a, tw_int lda, const T *tau);                     \
    TW_API tw_int tw_##p##ormhr(char side, char trans, tw_int m, tw_int n, tw_int ilo, tw_int ihi, const T *a,         \
                                tw_int lda, const T *tau, T *c, tw_int ldc);                                           \
    TW_API tw_int tw_##p##ormtr(char side, char uplo, char trans, tw_int m, tw_int n, const T *a, tw_int lda,          \
                                const T *tau, T *c, tw_int ldc);                                                       \
    TW_API tw_int tw_##p##syevr(char jobz, char range, char uplo, tw_int n, T *a, tw_int lda, T vl, T vu, tw_int il,   \
                                tw_int iu, T abstol, tw_int *m, T *w, T *z, tw_int ldz, tw_int *isuppz);               \
    TW_API tw_int tw_##p##syevx(char jobz, char range, char uplo, tw_int n, T *a, tw_int lda, T vl, T vu, tw_int il,   \
                                tw_int iu, T abstol, tw_int *m, T *w, T *z, tw_int ldz, tw_int *ifail);                \
    TW_API tw_int tw_##p##stevr(char jobz, char range, tw_int n, T *d, T *e, T vl, T vu, tw_int il, tw_int iu,         \
                                T abstol, tw_int *m, T *w, T *z, tw_int ldz, tw_int *isuppz);                          \
    TW_API tw_int tw_##p##stevx(char jobz, char range, tw_int n, T *d, T *e, T vl, T vu, tw_int il, tw_int iu,         \
                                T abstol, tw_int *m, T *w, T *z, tw_int ldz, tw_int *ifail);                           \
    TW_API tw_int tw_##p##sbevd(char jobz, char uplo, tw_int n, tw_int kd, T *ab, tw_int ldab, T *w, T *z,             \
                                tw_int ldz);                                                                           \
    TW_API tw_int tw_##p##sbevx(char jobz, char range, char uplo, tw_int n, tw_int kd, T *ab, tw_int ldab, T *q,       \
                                tw_int ldq, T vl, T vu, tw_int il, tw_int iu, T abstol, tw_int *m, T *w, T *z,         \
                                tw_int ldz, tw_int *ifail);
#define TW_LAPACK_COMPLEX_RANGE_PROTOTYPES(p, T, R)                                                                    \
    TW_API tw_int tw_##p##ungbr(char vect, tw_int m, tw_int n, tw_int k, T *a, tw_int lda, const T *tau);              \
    TW_API tw_int tw_##p##unmbr(char vect, char side, char trans, tw_int m, tw_int n, tw_int k, const T *a,            \
                                tw_int lda, const T *tau, T *c, tw_int ldc);                                           \
    TW_API tw_int tw_##p##hetrd(char uplo, tw_int n, T *a, tw_int lda, R *d, R *e, T *tau);                            \
    TW_API tw_int tw_##p##ungtr(char uplo, tw_int n, T *a, tw_int lda, const T *tau);                                  \
    TW_API tw_int tw_##p##geev(char jobvl, char jobvr, tw_int n, T *a, tw_int lda, T *w, T *vl, tw_int ldvl, T *vr,    \
                               tw_int ldvr);                                                                           \
    TW_API tw_int tw_##p##unghr(tw_int n, tw_int ilo, tw_int ihi, T *a, tw_int lda, const T *tau);                     \
    TW_API tw_int tw_##p##unmhr(char side, char trans, tw_int m, tw_int n, tw_int ilo, tw_int ihi, const T *a,         \
                                tw_int lda, const T *tau, T *c, tw_int ldc);                                           \
    TW_API tw_int tw_##p##unmtr(char side, char uplo, char trans, tw_int m, tw_int n, const T *a, tw_int lda,          \
                                const T *tau, T *c, tw_int ldc);                                                       \
    TW_API tw_int tw_##p##heevr(char jobz, char range, char uplo, tw_int n, T *a, tw_int lda, R vl, R vu, tw_int il,   \
                                tw_int iu, R abstol, tw_int *m, R *w, T *z, tw_int ldz, tw_int *isuppz);               \
    TW_API tw_int tw_##p##heevx(char jobz, char range, char uplo, tw_int n, T *a, tw_int lda, R vl, R vu, tw_int il,   \
                                tw_int iu, R abstol, tw_int *m, R *w, T *z, tw_int ldz, tw_int *ifail);                \
    TW_API tw_int tw_##p##hbevd(char jobz, char uplo, tw_int n, tw_int kd, T *ab, tw_int ldab, R *w, T *z,             \
                                tw_int ldz);                                                                           \
    TW_API tw_int tw_##p##hbevx(char jobz, char range, char uplo, tw_int n, tw_int kd, T *ab, tw_int ldab, T *q,       \
                                tw_int ldq, R vl, R vu, tw_int il, tw_int iu, R abstol, tw_int *m, R *w, T *z,         \
                                tw_int ldz, tw_int *ifail);

#define TW_LAPACK_REAL_SCHUR_PROTOTYPES(p, T, S)                                                                       \
    TW_API tw_int tw_##p##hseqr(char job, char compz, tw_int n, tw_int ilo, tw_int ihi, T *h, tw_int ldh, T *wr,       \
                                T *wi, T *z, tw_int ldz);                                                              \
    TW_API tw_int tw_##p##trevc3(char side, char howmny, tw_int *select, tw_int n, const T *t, tw_int ldt, T *vl,      \
                                 tw_int ldvl, T *vr, tw_int ldvr, tw_int mm, tw_int *m);                               \
    TW_API tw_int tw_##p##geevx(char balanc, char jobvl, char jobvr, char sense, tw_int n, T *a, tw_int lda, T *wr,    \
                                T *wi, T *vl, tw_int ldvl, T *vr, tw_int ldvr, tw_int *ilo, tw_int *ihi, T *scale,     \
                                T *abnrm, T *rconde, T *rcondv);                                                       \
    TW_API tw_int tw_##p##gees(char jobvs, char sort, S select, tw_int n, T *a, tw_int lda, tw_int *sdim, T *wr,       \
                               T *wi, T *vs, tw_int ldvs);                                                             \
    TW_API tw_int tw_##p##geesx(char jobvs, char sort, S select, char sense, tw_int n, T *a, tw_int lda, tw_int *sdim, \
                                T *wr, T *wi, T *vs, tw_int ldvs, T *rconde, T *rcondv);
#define TW_LAPACK_COMPLEX_SCHUR_PROTOTYPES(p, T, R, S)                                                                 \
    TW_API tw_int tw_##p##hseqr(char job, char compz, tw_int n, tw_int ilo, tw_int ihi, T *h, tw_int ldh, T *w, T *z,  \
                                tw_int ldz);                                                                           \
    TW_API tw_int tw_##p##trevc3(char side, char howmny, tw_int *select, tw_int n, T *t, tw_int ldt, T *vl,            \
                                 tw_int ldvl, T *vr, tw_int ldvr, tw_int mm, tw_int *m);                               \
    TW_API tw_int tw_##p##geevx(char balanc, char jobvl, char jobvr, char sense, tw_int n, T *a, tw_int lda, T *w,     \
                                T *vl, tw_int ldvl, T *vr, tw_int ldvr, tw_int *ilo, tw_int *ihi, R *scale, R *abnrm,  \
                                R *rconde, R *rcondv);                                                                 \
    TW_API tw_int tw_##p##gees(char jobvs, char sort, S select, tw_int n, T *a, tw_int lda, tw_int *sdim, T *w, T *vs, \
                               tw_int ldvs);                                                                           \
    TW_API tw_int tw_##p##geesx(char jobvs, char sort, S select, char sense, tw_int n, T *a, tw_int lda, tw_int *sdim, \
                                T *w, T *vs, tw_int ldvs, R *rconde, R *rcondv);

#define TW_LAPACK_BALANCE_PROTOTYPES(p, T, R)                                                                          \
    TW_API tw_int tw_##p##gebal(char job, tw_int n, T *a, tw_int lda, tw_int *ilo, tw_int *ihi, R *scale);             \
    TW_API tw_int tw_##p##gebak(char job, char side, tw_int n, tw_int ilo, tw_int ihi, const R *scale, tw_int m, T *v, \
                                tw_int ldv);

TW_LAPACK_BALANCE_PROTOTYPES(s, float, float)
TW_LAPACK_BALANCE_PROTOTYPES(d, double, double)
TW_LAPACK_BALANCE_PROTOTYPES(c, tw_complex_float, float)
TW_LAPACK_BALANCE_PROTOTYPES(z, tw_complex_double, double)
TW_LAPACK_REAL_SCHUR_PROTOTYPES(s, float, tw_s_select_fn)
TW_LAPACK_REAL_SCHUR_PROTOTYPES(d, double, tw_d_select_fn)
TW_LAPACK_COMPLEX_SCHUR_PROTOTYPES(c, tw_complex_float, float, tw_c_select_fn)
TW_LAPACK_COMPLEX_SCHUR_PROTOTYPES(z, tw_complex_double, double, tw_z_select_fn)
TW_LAPACK_REAL_RANGE_PROTOTYPES(s, float)
TW_LAPACK_REAL_RANGE_PROTOTYPES(d, double)
TW_LAPACK_COMPLEX_RANGE_PROTOTYPES(c, tw_complex_float, float)
TW_LAPACK_COMPLEX_RANGE_PROTOTYPES(z, tw_complex_double, double)
TW_LAPACK_SVD_PROTOTYPES(s, float, float)
TW_LAPACK_SVD_PROTOTYPES(d, double, double)
TW_LAPACK_SVD_PROTOTYPES(c, tw_complex_float, float)
TW_LAPACK_SVD_PROTOTYPES(z, tw_complex_double, double)
TW_LAPACK_EIGEN_PROTOTYPES(s, float, float)
TW_LAPACK_EIGEN_PROTOTYPES(d, double, double)
TW_LAPACK_EIGEN_PROTOTYPES(c, tw_complex_float, float)
TW_LAPACK_EIGEN_PROTOTYPES(z, tw_complex_double, double)
TW_LAPACK_REAL_EIGEN_PROTOTYPES(s, float)
TW_LAPACK_REAL_EIGEN_PROTOTYPES(d, double)
TW_LAPACK_COMPLEX_EIGEN_PROTOTYPES(c, tw_complex_float, float)
TW_LAPACK_COMPLEX_EIGEN_PROTOTYPES(z, tw_complex_double, double)
TW_LAPACK_PROTOTYPES(s, float, float)
TW_LAPACK_PROTOTYPES(d, double, double)
TW_LAPACK_PROTOTYPES(c, tw_complex_float, float)
TW_LAPACK_PROTOTYPES(z, tw_complex_double, double)
TW_LAPACK_REAL_PROTOTYPES(s, float)
TW_LAPACK_REAL_PROTOTYPES(d, double)
TW_LAPACK_COMPLEX_PROTOTYPES(c, tw_complex_float, float)
TW_LAPACK_COMPLEX_PROTOTYPES(z, tw_complex_double, double)

#ifdef __cplusplus
}
#endif
#endif
