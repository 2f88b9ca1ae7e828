/* The list of CPU kernels, one line each: TW_KERNEL(type of the result, name, parameters...), defined by whoever includes this file (the
 * table's members, the prototypes and the four tables are all made of it, so a new kernel is one line here and its file).
 * No include guard: it is read several times. */

/* Returns 0, or k > 0: the leading minor of order k is not positive definite, or its pivot is NaN. */
TW_KERNEL(int, potrf, char uplo, int n, void *a, int lda)
/* The same, and what a panel's solves can be made with on a GPU: the inverse M of L (uplo 'L') or of U^H ('U'), lower triangular,
 * n x n. M's other triangle is 0, but for two floats in its elements (0, n-1) and (1, n-1): the largest column sums of |L| and
 * |M|, whose product is the condition (n >= TW_INVERSE_MIN). */
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

TW_KERNEL(int, trtri, char uplo, char diag, int n, void *a, int lda) /* k > 0: A(k,k) is zero */
TW_KERNEL(void, lauum, char uplo, int n, void *a, int lda)
/* Index (1-based) of the first exactly zero diagonal element, or 0. */
TW_KERNEL(int, trdiag, int n, const void *a, int lda)
TW_KERNEL(void, lacpy, char uplo, int m, int n, const void *a, int lda, void *b, int ldb) /* uplo 'G', 'L', 'U' */
TW_KERNEL(void, laset, char uplo, int m, int n, tw_scalar offdiag, tw_scalar diag, void *a, int lda)

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
