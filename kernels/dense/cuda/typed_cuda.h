/* What the CUDA kernels share: the element type, names of cuBLAS and cuSOLVER routines, statuses, the prototypes.
 * Read by C (library calls) and by CUDA C++ (device code). */
#ifndef TW_KERNELS_DENSE_CUDA_TYPED_CUDA_H
#define TW_KERNELS_DENSE_CUDA_TYPED_CUDA_H
#include <stddef.h>
#include <cuComplex.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include "kernels/precision.h"

#ifdef __cplusplus
extern "C" {
#endif
#include "kernels/dense/cuda/dense_cuda.h"
#include "kernels/status.h"
#include "runtime/base/account.h"

#if defined(TW_PRECISION_S)
#define T          float
#define TW_UPPER_P S
#elif defined(TW_PRECISION_D)
#define T          double
#define TW_UPPER_P D
#elif defined(TW_PRECISION_C)
#define T          cuFloatComplex
#define TW_UPPER_P C
#else
#define T          cuDoubleComplex
#define TW_UPPER_P Z
#endif

#define CUDA(x)     TW_NAME(tw_cuda_, x)
#define CUBLAS(x)   TW_CAT3(cublas, TW_UPPER_P, x)
#define CUSOLVER(x) TW_CAT3(cusolverDn, TW_UPPER_P, x)

/* Statuses of this precision. */
#define TW_STATUS(library, call, code) tw_cuda_status(TW_LIBRARY_##library, TW_TYPE, TW_CALL_##call, (int)(code))
/* return on failure */
#define TW_TRY(expression)                                                                                             \
    do {                                                                                                               \
        int status_ = (expression);                                                                                    \
        if (status_) return status_;                                                                                   \
    } while (0)

static inline T tw_value(tw_scalar s)
{
#if TW_IS_COMPLEX
    T x;
    x.x = (R)s.re;
    x.y = (R)s.im;
    return x;
#else
    return (T)s.re;
#endif
}

/* Address of element (i, j), 0-based, in 64-bit arithmetic. */
#define TW_AT(a, lda, i, j) ((a) + (size_t)(i) + (size_t)(lda) * (size_t)(j))

static inline cublasFillMode_t tw_cublas_uplo(char c)
{
    return c == 'U' ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
}
static inline cublasOperation_t tw_cublas_trans(char c)
{
    return c == 'N' ? CUBLAS_OP_N : c == 'T' ? CUBLAS_OP_T : CUBLAS_OP_C;
}
static inline cublasSideMode_t tw_cublas_side(char c)
{
    return c == 'L' ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
}
static inline cublasDiagType_t tw_cublas_diag(char c)
{
    return c == 'U' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
}

/* Our scalars live on the host; a task of the user's own may have left the worker's handle in the other mode. */
static inline int tw_cublas_host_scalars(const struct tw_cuda *q)
{
    return TW_STATUS(BLAS, SetPointerMode, cublasSetPointerMode((cublasHandle_t)q->blas, CUBLAS_POINTER_MODE_HOST));
}

static const tw_scalar tw_one = {1, 0}, tw_zero = {0, 0}, tw_minus_one = {-1, 0};

static inline int tw_min(int a, int b)
{
    return a < b ? a : b;
}

/* Workspaces begin at a multiple of this many bytes behind what they are given, which may be anything. */
#define TW_WORK_ALIGN 256
static inline char *tw_work_aligned(void *work)
{
    return (char *)(((uintptr_t)work + TW_WORK_ALIGN - 1) / TW_WORK_ALIGN * TW_WORK_ALIGN);
}

#define TW_KERNEL(name, ...) int CUDA(name)(const struct tw_cuda *q, __VA_ARGS__);
#include "kernels/dense/cuda/dense_cuda_list.h"
#undef TW_KERNEL

/* B = the part of A that `uplo` names, as lacpy, with two more letters: 'l' and 'u' are the triangles without
 * diagonal. */
enum tw_copy { TW_COPY_PART, TW_COPY_ZERO_REST /* zeros in the rest of B */, TW_COPY_REAL_DIAGONAL };
int CUDA(copy)(const struct tw_cuda *q, char uplo, enum tw_copy how, int m, int n, const void *a, int lda, void *b,
               int ldb);
/* The info of a factor: cuSOLVER's devinfo or the first NaN of its diagonal, whichever comes first, combined into
 * *info. */
int CUDA(potrf_info)(const struct tw_cuda *q, int n, const void *a, int lda, const int *devinfo, int64_t *info,
                     int64_t offset);
/* What the QR kernels share (larft.cu).
 * block_front: the front triangle of V (unit lower, storev 'C') or of V^H (unit upper, 'R') with its ones and zeros, k
 * x k, ld k. trapezoid: B = A, m x n, in its last l rows only the upper trapezoid; zero: with zeros below it, which
 * otherwise stay. */
int CUDA(block_front)(const struct tw_cuda *q, char storev, int k, const void *v, int ldv, void *front);
int CUDA(trapezoid)(const struct tw_cuda *q, int zero, int m, int n, int l, const void *a, int lda, void *b, int ldb);
/* V and tau alone; work as geqrf's without T's part. */
int CUDA(reflectors)(const struct tw_cuda *q, int m, int n, void *a, int lda, void *tau, void *work, size_t bytes);
int CUDA(reflectors_work)(const struct tw_cuda *q, int m, int n, size_t *bytes);
#ifdef __cplusplus
}
#endif
#endif
