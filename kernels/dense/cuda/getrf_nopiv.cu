/* LU factors of a tile without exchanges: the columns are halved, down to squares that one block does in shared
 * memory. */
#include "kernels/dense/cuda/element.cuh"
#include "kernels/launch.cuh"

#define SQUARE 32

static __global__ void __launch_bounds__(SQUARE *SQUARE)
    square_kernel(int n, T *a, int64_t lda, int64_t *info, int64_t offset)
{
    __shared__ T s[SQUARE][SQUARE + 1]; /* s[column][row] */
    const int i = (int)threadIdx.x, j = (int)threadIdx.y;
    int zero = 0; /* 1-based index of the first zero pivot */

    if (i < n && j < n) s[j][i] = a[i + j * lda];
    for (int k = 0; k < n; k++) {
        __syncthreads();
        const T pivot = s[k][k];
        if (!zero && is_zero(pivot)) zero = k + 1;
        if (j == k && i > k && i < n) s[k][i] = quotient(s[k][i], pivot);
        __syncthreads();
        if (i > k && j > k && i < n && j < n) s[j][i] = minus_product(s[j][i], s[k][i], s[j][k]);
    }
    if (i < n && j < n) a[i + j * lda] = s[j][i];
    if (i == 0 && j == 0 && zero && (*info == 0 || offset + zero < *info)) *info = offset + zero;
}

static int factor(const struct tw_cuda *q, int m, int n, T *a, int lda, int64_t *info, int64_t offset)
{
    const int k = tw_min(m, n), n1 = k <= SQUARE ? k : (k / 2 + SQUARE - 1) / SQUARE * SQUARE, n2 = n - n1;
    T *a12 = TW_AT(a, lda, 0, n1), *a21 = a + n1, *a22 = TW_AT(a, lda, n1, n1);

    if (k <= SQUARE) {
        TW_TRY(launch(TW_CALL_getrf_nopiv, q, dim3(1), dim3(SQUARE, SQUARE), square_kernel, k, a, (int64_t)lda, info,
                      offset));
        TW_TRY(CUDA(trsm)(q, 'R', 'U', 'N', 'N', m - k, k, tw_one, a, lda, a21, lda));
    } else {
        TW_TRY(factor(q, m, n1, a, lda, info, offset));
    }
    if (n2 == 0) return 0;
    TW_TRY(CUDA(trsm)(q, 'L', 'L', 'N', 'U', n1, n2, tw_one, a, lda, a12, lda));
    if (m == n1) return 0;
    TW_TRY(CUDA(gemm)(q, 'N', 'N', m - n1, n2, n1, tw_minus_one, a21, lda, a12, lda, tw_one, a22, lda));
    return factor(q, m - n1, n2, a22, lda, info, offset + n1);
}

int CUDA(getrf_nopiv)(const struct tw_cuda *q, int m, int n, void *a, int lda, int64_t *info, int64_t offset)
{
    return m <= 0 || n <= 0 ? 0 : factor(q, m, n, (T *)a, lda, info, offset);
}
