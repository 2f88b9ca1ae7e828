/* B = alpha op(A) + beta B, and the transposed copy: squares through shared memory, so that both sides go along
 * columns. */
#include "kernels/dense/cuda/element.cuh"
#include "kernels/launch.cuh"

#define SQUARE 32
#define DEPTH  8

static __global__ void __launch_bounds__(SQUARE *DEPTH)
    geadd_kernel(char trans, int m, int n, T alpha, const T *a, int64_t lda, T beta, T *b, int64_t ldb)
{
    __shared__ T square[SQUARE][SQUARE + 1];
    const int x = (int)threadIdx.x, y0 = (int)threadIdx.y;
    const int64_t i0 = (int64_t)blockIdx.x * SQUARE;
    const bool read_a = !is_zero(alpha), read_b = !is_zero(beta); /* what has factor 0 may be NaN */
    const bool copy_a = is_one(alpha), keep_b = is_one(beta); /* 1 times infinity is not infinity in complex numbers */

    for (int64_t j0 = (int64_t)blockIdx.y * SQUARE; j0 < n; j0 += (int64_t)gridDim.y * SQUARE) {
        if (trans != 'N' && read_a) {
            for (int y = y0; y < SQUARE; y += DEPTH)
                if (j0 + x < n && i0 + y < m) square[y][x] = a[j0 + x + (i0 + y) * lda];
            __syncthreads();
        }
        for (int y = y0; y < SQUARE; y += DEPTH) {
            const int64_t i = i0 + x, j = j0 + y;
            if (i >= m || j >= n) continue;
            T value = number(0);
            if (read_a) {
                value = trans == 'N' ? a[i + j * lda] : square[x][y];
                if (trans == 'C') value = conjugate(value);
                if (!copy_a) value = product(alpha, value);
            }
            if (read_b) {
                const T old = keep_b ? b[i + j * ldb] : product(beta, b[i + j * ldb]);
                value = read_a ? sum(value, old) : old;
            }
            b[i + j * ldb] = value;
        }
        __syncthreads(); /* square is filled anew */
    }
}

int CUDA(geadd)(const struct tw_cuda *q, char trans, int m, int n, tw_scalar alpha, const void *a, int lda,
                tw_scalar beta, void *b, int ldb)
{
    unsigned rows, columns;
    if (m <= 0 || n <= 0) return 0;
    rows = (unsigned)((m + (SQUARE - 1LL)) / SQUARE), columns = (unsigned)((n + (SQUARE - 1LL)) / SQUARE);
    return launch(TW_CALL_geadd, q, dim3(rows, columns < 65535 ? columns : 65535), dim3(SQUARE, DEPTH), geadd_kernel,
                  trans, m, n, tw_value(alpha), (const T *)a, (int64_t)lda, tw_value(beta), (T *)b, (int64_t)ldb);
}

int CUDA(transpose)(const struct tw_cuda *q, char trans, int m, int n, const void *a, int lda, void *b, int ldb)
{
    return CUDA(geadd)(q, trans, n, m, tw_one, a, lda, tw_zero, b, ldb);
}
