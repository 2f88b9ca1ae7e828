/* Tilework: the LAPACK door. Column-major arrays in host memory, LAPACK's arguments in LAPACK's order, info returned.
 *
 * info = 0 success; > 0 LAPACK's; -i argument i is illegal; <= -2000 a code of tilework/runtime.h. uplo and diag are LAPACK's
 * letters in either case. Matrices too small to gain from tiles go straight to LAPACK and start nothing. */
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

/* For each type: p its LAPACK letter, T its element type, R the real type of the same precision.
 *   potrf  A = L L^H or U^H U in place; only the uplo triangle is read and written
 *   potrs  solve A X = B with that factor
 *   posv   both
 *   potri  the inverse from the factor
 *   lauum  L^H L or U U^H in place
 *   trtri  inverse of a triangular matrix in place
 *   pocon  reciprocal condition number in the 1-norm from the factor and the matrix's 1-norm
 *   getrf  P A = L U of an m x n matrix in place; ipiv: min(m, n), counted from 1. info = k > 0: U(k, k) is zero, with the factorization complete
 *   getrs  solve A X = B, A^T X = B or A^H X = B with those factors (trans 'N', 'T', 'C'); a pivot outside 1 ... n exchanges nothing
 *   gesv   both; on info > 0 B is unchanged
 *   getrf_nopiv  A = L U of an m x n matrix without exchanging rows, which LAPACK does not have: for matrices that need no pivoting, else its error
 *          is not bounded. info = k > 0: U(k, k) is zero, and the factors from there on are undefined
 *   geqrf  A = Q R of an m x n matrix in place, in LAPACK's storage and signs; tau: min(m, n)
 *   gelqf  A = L Q
 *   gels   min |b - op(A) x| for each column of B (max(m, n) x nrhs), or where op(A) has fewer rows than columns the shortest x with op(A) x = b; trans
 *          'N', 'T' (s, d) or 'C' (c, z). info = k > 0: A has not full rank, and B is unchanged
 * QR's and LQ's further routines, of two types each, real (or...) and complex (un...), all with workspaces of the library's own:
 *   ormqr, unmqr  Q C, op(Q) C, C Q or C op(Q) with geqrf's Q, of k reflectors; ormlq, unmlq with gelqf's
 *   orgqr, ungqr  the first n columns of geqrf's Q, over its factors; orglq, unglq the first m rows of gelqf's
 * BLAS-3 with BLAS' arguments, scalars by value. With beta = 0 C is not read; with alpha = 0, or k = 0, neither are A and B, which may be NULL then:
 *   gemm   C = alpha op(A) op(B) + beta C, op(X) being X, X^T or X^H (transa, transb 'N', 'T', 'C'); C is m x n
 *   symm   C = alpha A B + beta C (side 'L') or alpha B A + beta C ('R'), A symmetric in its uplo triangle
 *   syrk   C = alpha A A^T + beta C (trans 'N') or alpha A^T A + beta C, in the uplo triangle of the n x n matrix C
 *   syr2k  C = alpha A B^T + alpha B A^T + beta C or alpha A^T B + alpha B^T A + beta C
 *   trmm   B = alpha op(A) B or alpha B op(A), A triangular
 *   trsm   solve op(A) X = alpha B or X op(A) = alpha B, X over B
 * and for complex types hemm, herk, her2k, hermitian, with the conjugate transpose (trans 'N', 'C') */
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
    TW_API tw_int tw_##p##getrf_nopiv(tw_int m, tw_int n, T *a, tw_int lda);                                           \
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
