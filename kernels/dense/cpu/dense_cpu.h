/* CPU kernels: what one task computes, as plain functions on plain column-major arrays, one table per precision.
 *
 * Letters are LAPACK's. Scalars of any type come as tw_scalar. No StarPU, no global state; the caller has set BLAS to one
 * thread. Elements outside the stated triangle are neither read nor written. */
#ifndef TW_KERNELS_DENSE_CPU_DENSE_CPU_H
#define TW_KERNELS_DENSE_CPU_DENSE_CPU_H
#include <tilework/runtime.h>

/* How a tile counts in a norm. Diagonal tiles of symmetric, hermitian and triangular matrices hold one triangle (uplo 'L' or
 * 'U'), all other tiles are full (uplo 'G'). */
enum tw_structure { TW_STRUCT_GENERAL, TW_STRUCT_SYMMETRIC, TW_STRUCT_HERMITIAN, TW_STRUCT_TRIANGULAR };

#define TW_INVERSE_MIN 8 /* smallest order of potrf_inverse whose condition is known */

struct tw_cpu_kernels {
    /* Returns 0, or k > 0: the leading minor of order k is not positive definite, or its pivot is NaN. */
    int (*potrf)(char uplo, int n, void *a, int lda);
    /* The same, and what a panel's solves can be made with on a GPU: the inverse M of L (uplo 'L') or of U^H ('U'), lower triangular,
     * n x n. M's other triangle is 0, but for two floats in its elements (0, n-1) and (1, n-1): the largest column sums of |L| and
     * |M|, whose product is the condition (n >= TW_INVERSE_MIN). */
    int (*potrf_inverse)(char uplo, int n, void *a, int lda, void *inv, int ldi);
    void (*gemm)(char ta, char tb, int m, int n, int k, tw_scalar alpha, const void *a, int lda, const void *b, int ldb,
                 tw_scalar beta, void *c, int ldc);
    void (*syrk)(char uplo, char trans, int n, int k, tw_scalar alpha, const void *a, int lda, tw_scalar beta, void *c, int ldc);
    void (*herk)(char uplo, char trans, int n, int k, double alpha, const void *a, int lda, double beta, void *c, int ldc);
    void (*trsm)(char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha, const void *a, int lda, void *b,
                 int ldb);
    void (*trmm)(char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha, const void *a, int lda, void *b,
                 int ldb);
    int (*trtri)(char uplo, char diag, int n, void *a, int lda); /* k > 0: A(k,k) is zero */
    void (*lauum)(char uplo, int n, void *a, int lda);
    /* Index (1-based) of the first exactly zero diagonal element, or 0. */
    int (*trdiag)(int n, const void *a, int lda);
    void (*lacpy)(char uplo, int m, int n, const void *a, int lda, void *b, int ldb); /* uplo 'G', 'L', 'U' */
    void (*laset)(char uplo, int m, int n, tw_scalar offdiag, tw_scalar diag, void *a, int lda);
    /* Norm pieces; NaN propagates. uplo 'G' for full tiles. diag 'U': ones instead of the stored diagonal (triangular).
     * normmax: *value = max(*value, |a_ij|). */
    void (*normmax)(enum tw_structure s, char uplo, char diag, int m, int n, const void *a, int lda, double *value);
    /* cols[j] += sum_i |a_ij|, rows[i] += sum_j |a_ij|; either may be NULL. For a diagonal tile of a symmetric or hermitian
     * matrix cols == rows is the one vector of the whole (mirrored) tile. */
    void (*normsum)(enum tw_structure s, char uplo, char diag, int m, int n, const void *a, int lda, double *rows, double *cols);
    /* acc[0] = scale, acc[1] = sum of squares (LAPACK's lassq), each element counted `weight` times (1 or 2); in a diagonal
     * tile of a symmetric or hermitian matrix off-diagonal elements count twice. */
    void (*normfro)(enum tw_structure s, char uplo, char diag, int m, int n, const void *a, int lda, int weight, double acc[2]);
};

extern const struct tw_cpu_kernels *const tw_cpu_kernels[TW_NTYPES];
#endif
