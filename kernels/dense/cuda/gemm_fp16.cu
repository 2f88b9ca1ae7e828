/* Products of operands rounded to half precision with sums in single precision, on the matrix units: for factors that
 * are refined (Haidar, Tomov, Dongarra, Higham, "Harnessing GPU tensor cores for fast FP16 arithmetic to speed up
 * mixed-precision iterative refinement solvers", SC 2018). What is above 65504 becomes an infinity. */
#include <cuda_fp16.h>
#include "kernels/dense/cuda/element.cuh"
#include "kernels/launch.cuh"

#if TW_IS_SINGLE && !TW_IS_COMPLEX

#define ROWS 256

/* A column for each y; further ones where there are more columns than a grid has. */
static __global__ void __launch_bounds__(ROWS)
    round_kernel(int m, int n, const T *x, int64_t ldx, int64_t room, __half *to)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i >= m) return;
    for (int j = (int)blockIdx.y; j < n; j += (int)gridDim.y)
        to[i + j * room] = __float2half_rn(x[i + j * ldx]);
}

static int round_to(const struct tw_cuda *q, int m, int n, const void *x, int ldx, __half *to)
{
    const unsigned columns = (unsigned)(n < 32768 ? n : 32768);
    return launch(TW_CALL_gemm, q, dim3((unsigned)((m + ROWS - 1) / ROWS), columns), dim3(ROWS), round_kernel, m, n,
                  (const T *)x, (int64_t)ldx, (int64_t)tw_gemm_half_room(m), to);
}

static cublasOperation_t op(char trans)
{
    return trans == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;
}

int CUDA(gemm_half)(const struct tw_cuda *q, char ta, char tb, int m, int n, int k, tw_scalar alpha, const void *a,
                    int lda, const void *b, int ldb, tw_scalar beta, void *c, int ldc, void *work)
{
    const int am = ta == 'N' ? m : k, an = ta == 'N' ? k : m, bm = tb == 'N' ? k : n, bn = tb == 'N' ? n : k;
    __half *ha = (__half *)work, *hb = ha + tw_gemm_half_elements(am, an);
    T by = tw_value(alpha), and_by = tw_value(beta);

    if (m <= 0 || n <= 0) return 0;
    if (k <= 0 || by == 0) return CUDA(gemm)(q, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    TW_TRY(tw_cublas_host_scalars(q));
    TW_TRY(round_to(q, am, an, a, lda, ha));
    TW_TRY(round_to(q, bm, bn, b, ldb, hb));
    return TW_STATUS(BLAS, gemm,
                     cublasGemmEx((cublasHandle_t)q->blas, op(ta), op(tb), m, n, k, &by, ha, CUDA_R_16F,
                                  tw_gemm_half_room(am), hb, CUDA_R_16F, tw_gemm_half_room(bm), &and_by, c, CUDA_R_32F,
                                  ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

#else /* half precision stands for single precision's real numbers alone */

int CUDA(gemm_half)(const struct tw_cuda *q, char ta, char tb, int m, int n, int k, tw_scalar alpha, const void *a,
                    int lda, const void *b, int ldb, tw_scalar beta, void *c, int ldc, void *work)
{
    (void)work;
    return CUDA(gemm)(q, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
#endif
