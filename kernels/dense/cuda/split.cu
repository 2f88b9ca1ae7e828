/* Products of single precision made of TF32 matrix units' products: every number is the sum of two with 11 significant
 * bits each, and
 *
 *     op(A) op(B) = Ah Bh + (Ah Bl + Al Bh) + Al Bl,
 *
 * whose last term is below single precision's rounding (Markidis, Der Chien, Laure, Peng, Vetter, "NVIDIA tensor core
 * programmability, performance & precision", IPDPSW 2018; Ootomo, Yokota, "Recovering single precision accuracy from
 * tensor cores", IJHPCA 36, 2022). An H200 does single precision's own products at 52 TF and TF32's at some 400.
 *
 * The parts of A lie one behind the other along the sum, those of B in the other order, so that one call makes both
 * small products; and both operands are turned so that sums run along columns, which is what the matrix units read
 * fastest. */
#include "kernels/dense/cuda/element.cuh"
#include "kernels/launch.cuh"

#define SQUARE 32

#if TW_IS_SINGLE && !TW_IS_COMPLEX

/* The nearest number of 11 bits, ties away from zero; a finite number stays finite, and a NaN one. */
static __device__ __forceinline__ float short_of(float x)
{
    const unsigned bits = __float_as_uint(x), rounded = (bits + 0x1000u) & 0xffffe000u, cut = bits & 0xffffe000u;
    if (isnan(x)) return __uint_as_float(0x7fffe000u);
    return __uint_as_float((rounded & 0x7f800000u) == 0x7f800000u ? cut : rounded);
}
static __device__ __forceinline__ void split(float x, float *high, float *low)
{
    *high = short_of(x);
    *low = isfinite(x) ? short_of(x - *high) : 0;
    if (isfinite(x) && isinf(*high + *low)) *low = __uint_as_float(__float_as_uint(x - *high) & 0xffffe000u);
}

/* Column j of `to` gets the two parts of column j of op(x), k long, each padded with zeros to `room`: the higher part
 * first, or the lower one. x is k x n, or n x k and turned. */
static __global__ void __launch_bounds__(SQUARE * 8)
    split_kernel(int turned, int high_first, int k, int n, const T *x, int64_t ldx, int room, T *to)
{
    __shared__ T square[SQUARE][SQUARE + 1]; /* [column of op(x)][row] */
    const int along = (int)threadIdx.x % SQUARE, l0 = (int)blockIdx.x * SQUARE, j0 = (int)blockIdx.y * SQUARE;

    for (int y = (int)threadIdx.x / SQUARE; y < SQUARE; y += 8) {
        const int l = l0 + (turned ? y : along), j = j0 + (turned ? along : y);
        T value = number(0);
        if (l < k && j < n) value = turned ? x[j + (int64_t)l * ldx] : x[l + (int64_t)j * ldx];
        square[j - j0][l - l0] = value;
    }
    __syncthreads();
    for (int y = (int)threadIdx.x / SQUARE; y < SQUARE; y += 8) {
        const int l = l0 + along, j = j0 + y;
        T high, low, *column = to + (int64_t)j * 2 * room;
        if (l >= room || j >= n) continue;
        split(square[y][along], &high, &low);
        column[l] = high_first ? high : low;
        column[room + l] = high_first ? low : high;
    }
}

static int take_apart(const struct tw_cuda *q, int turned, int high_first, int k, int n, const T *x, int ldx, int room,
                      T *to)
{
    return launch(TW_CALL_gemm, q,
                  dim3((unsigned)((room + SQUARE - 1) / SQUARE), (unsigned)((n + SQUARE - 1) / SQUARE)),
                  dim3(SQUARE * 8), split_kernel, turned, high_first, k, n, x, (int64_t)ldx, room, to);
}

/* C = alpha A^T B + beta C of k rows, in TF32: what A and B hold is exact in it. */
static int product(const struct tw_cuda *q, int m, int n, int k, T alpha, const T *a, const T *b, int ld, T beta, T *c,
                   int ldc)
{
    return TW_STATUS(BLAS, gemm,
                     cublasGemmEx((cublasHandle_t)q->blas, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, a, CUDA_R_32F, ld,
                                  b, CUDA_R_32F, ld, &beta, c, CUDA_R_32F, ldc, CUBLAS_COMPUTE_32F_FAST_TF32,
                                  CUBLAS_GEMM_DEFAULT));
}

int CUDA(gemm_split)(const struct tw_cuda *q, char ta, char tb, int m, int n, int k, tw_scalar alpha, const void *a,
                     int lda, const void *b, int ldb, tw_scalar beta, void *c, int ldc, void *work)
{
    const int room = tw_gemm_split_room(k);
    T *pa = (T *)work, *pb = pa + 2 * (int64_t)room * m, *to = (T *)c, one = tw_value(tw_one);

    if (m <= 0 || n <= 0) return 0;
    if (k <= 0 || (alpha.re == 0 && alpha.im == 0))
        return CUDA(gemm)(q, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    TW_TRY(tw_cublas_host_scalars(q));
    TW_TRY(take_apart(q, ta == 'N', 0, k, m, (const T *)a, lda, room, pa));
    TW_TRY(take_apart(q, tb != 'N', 1, k, n, (const T *)b, ldb, room, pb));
    /* (Al, Ah) (Bh, Bl) first: small numbers added to small ones lose least. */
    TW_TRY(product(q, m, n, 2 * room, tw_value(alpha), pa, pb, 2 * room, tw_value(beta), to, ldc));
    return product(q, m, n, room, tw_value(alpha), pa + room, pb, 2 * room, one, to, ldc);
}

#else /* double precision has matrix units of its own; of complex numbers three such products are slower than one */

int CUDA(gemm_split)(const struct tw_cuda *q, char ta, char tb, int m, int n, int k, tw_scalar alpha, const void *a,
                     int lda, const void *b, int ldb, tw_scalar beta, void *c, int ldc, void *work)
{
    (void)work;
    return CUDA(gemm)(q, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
#endif
