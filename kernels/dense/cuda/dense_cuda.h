/* CUDA kernels: the same operations as kernels/dense/cpu/dense_cpu.h on arrays in GPU memory, enqueued on the worker's stream.
 *
 * Nothing here allocates, synchronises or uses the default stream. Every function returns 0 or a status that
 * tw_cuda_status_text() explains (CUDA, cuBLAS and cuSOLVER errors; never thrown away). */
#ifndef TW_KERNELS_DENSE_CUDA_DENSE_CUDA_H
#define TW_KERNELS_DENSE_CUDA_DENSE_CUDA_H
#include <stdint.h>
#include <tilework/runtime.h>
#include "kernels/dense/cpu/dense_cpu.h" /* enum tw_structure */
#include "runtime/machine/cuda.h"

struct tw_cuda_kernels {
    /* work: `bytes` of potrf_work; devinfo: one int. Then *info (int64_t on the device) becomes offset + k if the leading
     * minor of order k fails (or its pivot is NaN) and *info was 0 or larger. */
    int (*potrf)(const struct tw_cuda *q, char uplo, int n, void *a, int lda, void *work, size_t bytes, int64_t *info,
                 int64_t offset);
    int (*potrf_work)(const struct tw_cuda *q, char uplo, int n, size_t *bytes); /* devinfo included */
    /* The same, and the inverse that a panel's solves are made with (kernels/dense/cpu/dense_cpu.h), n x n. */
    int (*potrf_inverse)(const struct tw_cuda *q, char uplo, int n, void *a, int lda, void *inv, int ldi, void *work,
                         size_t bytes, int64_t *info, int64_t offset);
    int (*potrf_inverse_work)(const struct tw_cuda *q, char uplo, int n, size_t *bytes);
    /* B = B L^-H (uplo 'L') or U^-H B ('U'), a: the factor, inv: what potrf_inverse made of it. work: m * n elements. */
    int (*trsm_inverse)(const struct tw_cuda *q, char uplo, int m, int n, const void *a, int lda, const void *inv, int ldi,
                        void *b, int ldb, void *work);
    int (*gemm)(const struct tw_cuda *q, char ta, char tb, int m, int n, int k, tw_scalar alpha, const void *a, int lda,
                const void *b, int ldb, tw_scalar beta, void *c, int ldc);
    int (*syrk)(const struct tw_cuda *q, char uplo, char trans, int n, int k, tw_scalar alpha, const void *a, int lda,
                tw_scalar beta, void *c, int ldc);
    int (*herk)(const struct tw_cuda *q, char uplo, char trans, int n, int k, double alpha, const void *a, int lda, double beta,
                void *c, int ldc);
    int (*trsm)(const struct tw_cuda *q, char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha,
                const void *a, int lda, void *b, int ldb);
    int (*trmm)(const struct tw_cuda *q, char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha,
                const void *a, int lda, void *b, int ldb); /* in place, as BLAS */
    /* work: n * n elements (trtri), 2 * n * n elements (lauum). */
    int (*trtri)(const struct tw_cuda *q, char uplo, char diag, int n, void *a, int lda, void *work);
    int (*lauum)(const struct tw_cuda *q, char uplo, int n, void *a, int lda, void *work);
    /* *info = offset + k of the first exactly zero diagonal element, if *info was 0 or larger. */
    int (*trdiag)(const struct tw_cuda *q, int n, const void *a, int lda, int64_t *info, int64_t offset);
    int (*lacpy)(const struct tw_cuda *q, char uplo, int m, int n, const void *a, int lda, void *b, int ldb);
    int (*laset)(const struct tw_cuda *q, char uplo, int m, int n, tw_scalar offdiag, tw_scalar diag, void *a, int lda);
    int (*normmax)(const struct tw_cuda *q, enum tw_structure s, char uplo, char diag, int m, int n, const void *a, int lda,
                   double *value);
    int (*normsum)(const struct tw_cuda *q, enum tw_structure s, char uplo, char diag, int m, int n, const void *a, int lda,
                   double *rows, double *cols);
    int (*normfro)(const struct tw_cuda *q, enum tw_structure s, char uplo, char diag, int m, int n, const void *a, int lda,
                   int weight, double acc[2]);
};

extern const struct tw_cuda_kernels *const tw_cuda_kernels[TW_NTYPES];
/* "cublasDgemm: CUBLAS_STATUS_…" for a status of the functions above. */
const char *tw_cuda_status_text(int status);
#endif
