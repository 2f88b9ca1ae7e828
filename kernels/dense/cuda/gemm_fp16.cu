/* Products of operands rounded to half precision with sums in single precision, on the matrix units: for factors that
 * are refined (Haidar, Tomov, Dongarra, Higham, "Harnessing GPU tensor cores for fast FP16 arithmetic to speed up
 * mixed-precision iterative refinement solvers", SC 2018). What is above 65504 becomes an infinity.
 *
 * Complex ones as one product of real numbers, with as many flops: C, whose parts lie side by side, is 2 m x n real
 * numbers, op(B) as well 2 k x n, and each number of op(A) is the 2 x 2 block that multiplies so. */
#include <cuda_fp16.h>
#include "kernels/dense/cuda/element.cuh"
#include "kernels/launch.cuh"

#if TW_IS_SINGLE

#define ROWS 256

/* How an operand becomes half precision's. */
enum layout {
    AS_IT_IS, /* m x n; complex: 2 m x n, the parts of a number one under the other */
    BLOCKS,   /* complex: 2 m x 2 n, (re, -im; im, re) of each number */
    SIDEWAYS  /* complex: m x 2 n, the parts of a number side by side */
};

static __device__ __forceinline__ void store(enum layout layout, int64_t i, int64_t j, T x, bool conjugated, __half *to,
                                             int64_t room)
{
#if TW_IS_COMPLEX
    const __half re = __float2half_rn(x.x), im = __float2half_rn(conjugated ? -x.y : x.y);

    if (layout == SIDEWAYS) {
        to[i + 2 * j * room] = re, to[i + (2 * j + 1) * room] = im;
    } else if (layout == AS_IT_IS) {
        *(__half2 *)(to + 2 * i + j * room) = __halves2half2(re, im);
    } else {
        *(__half2 *)(to + 2 * i + 2 * j * room) = __halves2half2(re, im);
        *(__half2 *)(to + 2 * i + (2 * j + 1) * room) = __halves2half2(__hneg(im), re);
    }
#else
    (void)layout, (void)conjugated;
    to[i + j * room] = __float2half_rn(x);
#endif
}

/* A column for each y; further ones where there are more columns than a grid has. */
static __global__ void __launch_bounds__(ROWS)
    round_kernel(enum layout layout, bool conjugated, int m, int n, const T *x, int64_t ldx, int64_t room, __half *to)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i >= m) return;
    for (int j = (int)blockIdx.y; j < n; j += (int)gridDim.y)
        store(layout, i, j, x[i + j * ldx], conjugated, to, room);
}

static int round_to(const struct tw_cuda *q, enum layout layout, bool conjugated, int m, int n, const void *x, int ldx,
                    int room, __half *to)
{
    const unsigned columns = (unsigned)(n < 32768 ? n : 32768);
    return launch(TW_CALL_gemm, q, dim3((unsigned)((m + ROWS - 1) / ROWS), columns), dim3(ROWS), round_kernel, layout,
                  conjugated, m, n, (const T *)x, (int64_t)ldx, (int64_t)room, to);
}

static cublasOperation_t op(char trans)
{
    return trans == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;
}

int CUDA(gemm_half)(const struct tw_cuda *q, char ta, char tb, int m, int n, int k, tw_scalar alpha, const void *a,
                    int lda, const void *b, int ldb, tw_scalar beta, void *c, int ldc, void *work)
{
    enum { PARTS = TW_IS_COMPLEX ? 2 : 1 };
    const int am = ta == 'N' ? m : k, an = ta == 'N' ? k : m, bm = tb == 'N' ? k : n, bn = tb == 'N' ? n : k;
    const enum layout la = TW_IS_COMPLEX ? BLOCKS : AS_IT_IS, lb = TW_IS_COMPLEX && tb != 'N' ? SIDEWAYS : AS_IT_IS;
    const int aroom = tw_gemm_half_room(PARTS * am), broom = tw_gemm_half_room(lb == SIDEWAYS ? bm : PARTS * bm);
    __half *ha = (__half *)work, *hb = (__half *)((T *)work + tw_gemm_half_elements(am, an));
    float by = (float)alpha.re, and_by = (float)beta.re;

    if (m <= 0 || n <= 0) return 0;
    if (k <= 0 || by == 0 || (TW_IS_COMPLEX && (alpha.im != 0 || beta.im != 0)))
        return CUDA(gemm)(q, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    TW_TRY(tw_cublas_host_scalars(q));
    /* a block's transpose is its number's adjoint */
    TW_TRY(round_to(q, la, ta == 'T', am, an, a, lda, aroom, ha));
    TW_TRY(round_to(q, lb, tb == 'C', bm, bn, b, ldb, broom, hb));
    return TW_STATUS(BLAS, gemm,
                     cublasGemmEx((cublasHandle_t)q->blas, op(ta), op(tb), PARTS * m, n, PARTS * k, &by, ha, CUDA_R_16F,
                                  aroom, hb, CUDA_R_16F, broom, &and_by, c, CUDA_R_32F, PARTS * ldc, CUBLAS_COMPUTE_32F,
                                  CUBLAS_GEMM_DEFAULT));
}

#else /* half precision stands for single precision's numbers alone */

int CUDA(gemm_half)(const struct tw_cuda *q, char ta, char tb, int m, int n, int k, tw_scalar alpha, const void *a,
                    int lda, const void *b, int ldb, tw_scalar beta, void *c, int ldc, void *work)
{
    (void)work;
    return CUDA(gemm)(q, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
#endif
