/* Inverse of a lower triangular tile, and the product with it that takes a triangular solve's place.
 *
 * A solve is a chain of small dependent steps; the product with the inverse of the triangle is one large multiplication
 * (order 1024, double, H200: trsm 470 us, trmm 40 us), and one inverse serves a whole panel. Blocks of BASE rows are
 * inverted side by side, then pairs of inverted blocks become blocks of twice the order:
 *
 *     inv [ L11     ] = [ M11            M11 = inv(L11), M22 = inv(L22)
 *         [ L21 L22 ]   [ -M22 L21 M11  M22 ]
 *
 * A product with an explicit inverse has an error of eps ||L|| ||M||, not of eps as a solve (Higham, "Accuracy and
 * Stability of Numerical Algorithms", section 14.2): where the condition is larger than the tile's order, the residual
 * is taken and one step of refinement follows. The decision falls on the GPU, so nothing waits for it. */
#include "kernels/dense/cuda/element.cuh"
#include "kernels/launch.cuh"

#define BASE (TW_IS_COMPLEX ? 32 : 64) /* columns of the inverse are kept in registers */

/* ---- inverse ----------------------------------------------------------------------------------------------------- */

/* One diagonal block of BASE rows: thread j finds column j of its inverse by forward substitution, x in registers. The
 * factor of a Cholesky factorization has a real diagonal. */
static __global__ void __launch_bounds__(BASE) base_kernel(int n, const T *l, int64_t ldl, T *inv, int64_t ldi)
{
    __shared__ T block[BASE][BASE + 1]; /* block[column][row] */
    __shared__ R reciprocal[BASE];
    const int first = (int)blockIdx.x * BASE, rows = n - first < BASE ? n - first : BASE, j = (int)threadIdx.x;
    T x[BASE];

    l += first + first * ldl;
    inv += first + first * ldi;
    for (int c = 0; c < BASE; c++) /* the identity beyond a ragged edge; the other triangle is not read */
        block[c][j] = c < rows && j < rows && j >= c ? l[j + c * ldl] : number(c == j);
    __syncthreads();
    reciprocal[j] = 1 / real_part(block[j][j]);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < BASE; i++)
        x[i] = number(i == j);
#pragma unroll
    for (int i = 0; i < BASE; i++) {
        x[i] = scaled(x[i], reciprocal[i]);
#pragma unroll
        for (int r = i + 1; r < BASE; r++)
            x[r] = minus_product(x[r], block[i][r], x[i]);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < BASE; i++)
        block[j][i] = x[i];
    __syncthreads();
    for (int c = 0; c < rows; c++)
        if (j < rows) inv[j + c * ldi] = block[c][j];
}

/* count products of order (m, n, k), `step` elements apart in both operands */
static int batch(const struct tw_cuda *q, int m, int n, int k, double alpha, const T *a, int lda, long long stride_a,
                 const T *b, int ldb, long long stride_b, T *c, int ldc, long long stride_c, int count)
{
    T al = tw_value((tw_scalar){alpha, 0}), be = tw_value(tw_zero);
    return TW_STATUS(BLAS, gemmStridedBatched,
                     CUBLAS(gemmStridedBatched)((cublasHandle_t)q->blas, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &al, a, lda,
                                                stride_a, b, ldb, stride_b, &be, c, ldc, stride_c, count));
}

/* The block below the diagonal of `count` pairs of blocks of orders s and r. */
static int join(const struct tw_cuda *q, int s, int r, const T *l, int ldl, T *inv, int ldi, T *work, int count)
{
    const long long step_l = 2LL * s * (ldl + 1), step_i = 2LL * s * (ldi + 1), step_w = (long long)s * s;
    TW_TRY(batch(q, r, s, s, 1, l + s, ldl, step_l, inv, ldi, step_i, work, r, step_w, count));
    return batch(q, r, s, r, -1, TW_AT(inv, ldi, s, s), ldi, step_i, work, r, step_w, inv + s, ldi, step_i, count);
}

/* Largest column sums of L and of M as floats in elements (0, n-1) and (1, n-1) of M's unused triangle, which are 0
 * before. One warp a column; the maximum is the same in whatever order. */
static __global__ void __launch_bounds__(TW_BLOCK) condition_kernel(int n, const T *l, int64_t ldl, T *inv, int64_t ldi)
{
    const int j = (int)(blockIdx.x * (TW_BLOCK / 32) + threadIdx.x / 32), lane = (int)threadIdx.x % 32;
    float sum_l = 0, sum_i = 0;

    if (j >= n) return;
    for (int64_t i = j + lane; i < n; i += 32) {
        sum_l += size_of(l[i + j * ldl]);
        sum_i += size_of(inv[i + j * ldi]);
    }
    for (int s = 16; s > 0; s /= 2) {
        sum_l += __shfl_down_sync(0xffffffffu, sum_l, s);
        sum_i += __shfl_down_sync(0xffffffffu, sum_i, s);
    }
    if (lane == 0) { /* non-negative floats are ordered as integers; NaN is larger than all */
        atomicMax((int *)(inv + (int64_t)(n - 1) * ldi), __float_as_int(fabsf(sum_l)));
        atomicMax((int *)(inv + (int64_t)(n - 1) * ldi + 1), __float_as_int(fabsf(sum_i)));
    }
}

int CUDA(inverse)(const struct tw_cuda *q, int n, const void *l, int ldl, void *inv, int ldi, void *work)
{
    const T *from = (const T *)l;
    T *to = (T *)inv;

    if (n <= 0) return 0;
    TW_TRY(tw_cublas_host_scalars(q));
    TW_TRY(CUDA(laset)(q, 'G', n, n, tw_zero, tw_zero, inv, ldi));
    TW_TRY(launch(TW_CALL_inverse, q, dim3((unsigned)((n + BASE - 1) / BASE)), dim3(BASE), base_kernel, n, from,
                  (int64_t)ldl, to, (int64_t)ldi));
    for (int s = BASE; s < n; s *= 2) {
        const int pairs = n / (2 * s), rest = n - pairs * 2 * s, at = pairs * 2 * s;
        if (pairs > 0) TW_TRY(join(q, s, s, from, ldl, to, ldi, (T *)work, pairs));
        if (rest > s)
            TW_TRY(join(q, s, rest - s, TW_AT(from, ldl, at, at), ldl, TW_AT(to, ldi, at, at), ldi, (T *)work, 1));
    }
    if (n < TW_INVERSE_MIN) return 0;
    return launch(TW_CALL_inverse, q, dim3((unsigned)((n + TW_BLOCK / 32 - 1) / (TW_BLOCK / 32))), dim3(TW_BLOCK),
                  condition_kernel, n, from, (int64_t)ldl, to, (int64_t)ldi);
}

/* ---- the product, and its refinement ----------------------------------------------------------------------------- */

#define EDGE 64 /* of the square of C that one block computes; a thread has 4 x 4 of it */
#define STEP 16

/* C = D + sign A B over the leading or trailing part that a triangle leaves, for one side:
 *   'R'  A general (m x n), B = t^H with t lower triangular:   sum over k <= j of a(i, k) conj(t(j, k))
 *   'L'  A = t, lower triangular, B general:                   sum over k <= i of t(i, k) b(k, j)
 * t is stored as the lower triangle, or (stored 'U') as its conjugate transpose. Does nothing where the condition found
 * by condition_kernel is within the limit. */
static __global__ void __launch_bounds__(256)
    refine_kernel(char side, char stored, int m, int n, R sign, const T *t, int64_t ldt, const T *g, int64_t ldg,
                  const T *d, int64_t ldd, T *c, int64_t ldc, const T *inv, int64_t ldi, int order)
{
    __shared__ T left[STEP][EDGE + 1], right[STEP][EDGE + 1];
    const T *corner = inv + (int64_t)(order - 1) * ldi;
    const float condition = *(const float *)corner * *(const float *)(corner + 1);
    const int i0 = (int)blockIdx.x * EDGE, j0 = (int)blockIdx.y * EDGE, tx = (int)threadIdx.x % 16,
              ty = (int)threadIdx.x / 16;
    const int last = side == 'R' ? (j0 + EDGE < n ? j0 + EDGE : n) : (i0 + EDGE < m ? i0 + EDGE : m);
    T sum[4][4];

    if (condition <= (float)order) return; /* 0 times infinity, beyond the range of float, refines */
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            sum[a][b] = number(0);
    for (int k0 = 0; k0 < last; k0 += STEP) {
        for (int e = (int)threadIdx.x; e < STEP * EDGE; e += 256) {
            const int k = k0 + e / EDGE, x = e % EDGE, i = i0 + x, j = j0 + x, row = side == 'R' ? j : i;
            T triangle = number(0), general = number(0);
            if (row < order && k <= row) {
                triangle = stored == 'U' ? conjugate(t[k + row * ldt]) : t[row + k * ldt];
                if (side == 'R') triangle = conjugate(triangle);
            }
            if (k < order && side == 'R' && i < m) general = g[i + k * ldg];
            if (k < order && side == 'L' && j < n) general = g[k + j * ldg];
            left[e / EDGE][x] = side == 'R' ? general : triangle;
            right[e / EDGE][x] = side == 'R' ? triangle : general;
        }
        __syncthreads();
        for (int k = 0; k < STEP; k++)
            for (int a = 0; a < 4; a++)
                for (int b = 0; b < 4; b++)
                    sum[a][b] = minus_product(sum[a][b], left[k][tx + 16 * a], right[k][ty + 16 * b]);
        __syncthreads();
    }
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) {
            const int64_t i = i0 + tx + 16 * a, j = j0 + ty + 16 * b;
            if (i < m && j < n) c[i + j * ldc] = minus_product(d[i + j * ldd], number(-sign), scaled(sum[a][b], -1));
        }
}

static int refine(const struct tw_cuda *q, char side, char stored, int m, int n, double sign, const T *t, int ldt,
                  const T *g, int ldg, const T *d, int ldd, T *c, int ldc, const T *inv, int ldi)
{
    return launch(TW_CALL_inverse, q, dim3((unsigned)((m + EDGE - 1) / EDGE), (unsigned)((n + EDGE - 1) / EDGE)),
                  dim3(256), refine_kernel, side, stored, m, n, (R)sign, t, (int64_t)ldt, g, (int64_t)ldg, d,
                  (int64_t)ldd, c, (int64_t)ldc, inv, (int64_t)ldi, side == 'R' ? n : m);
}

int CUDA(trsm_inverse)(const struct tw_cuda *q, char uplo, int m, int n, const void *a, int lda, const void *inv,
                       int ldi, void *b, int ldb, void *work)
{
    const char side = uplo == 'L' ? 'R' : 'L';
    const T *t = (const T *)a, *i = (const T *)inv;
    T *x = (T *)b, *w = (T *)work, one = tw_value(tw_one);

    if (m <= 0 || n <= 0) return 0;
    TW_TRY(tw_cublas_host_scalars(q));
    TW_TRY(CUDA(lacpy)(q, 'G', m, n, b, ldb, work, m));
    TW_TRY(TW_STATUS(BLAS, trmm,
                     CUBLAS(trmm)((cublasHandle_t)q->blas, tw_cublas_side(side), CUBLAS_FILL_MODE_LOWER,
                                  side == 'R' ? CUBLAS_OP_C : CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, m, n, &one, i, ldi, w,
                                  m, x, ldb)));
    if ((side == 'R' ? n : m) < TW_INVERSE_MIN) return 0;
    /* W = B - X L^H (or B - U^H X) in place: a block of W reads only its own old content and X; then X += W inv^H (or
     * inv W). */
    TW_TRY(refine(q, side, uplo, m, n, -1, t, lda, x, ldb, w, m, w, m, i, ldi));
    return refine(q, side, 'L', m, n, 1, i, ldi, w, m, x, ldb, x, ldb, i, ldi);
}

/* ---- factor and inverse of a diagonal tile ----------------------------------------------------------------------- */

#define SQUARE 32

/* to = from^H where from's part (a triangle with its diagonal) is; the rest of `to` stays as it was. */
static __global__ void __launch_bounds__(SQUARE * 8)
    adjoint_kernel(char part, int n, const T *from, int64_t ldf, T *to, int64_t ldt)
{
    __shared__ T square[SQUARE][SQUARE + 1];
    const int x = (int)threadIdx.x % SQUARE, i0 = (int)blockIdx.x * SQUARE, j0 = (int)blockIdx.y * SQUARE;

    for (int y = (int)threadIdx.x / SQUARE; y < SQUARE; y += 8)
        if (i0 + x < n && j0 + y < n) square[y][x] = from[i0 + x + (int64_t)(j0 + y) * ldf];
    __syncthreads();
    for (int y = (int)threadIdx.x / SQUARE; y < SQUARE; y += 8) {
        const int i = i0 + y, j = j0 + x; /* of `from` */
        if (i < n && j < n && in_part(part, i, j)) to[j + (int64_t)i * ldt] = conjugate(square[x][y]);
    }
}

static int adjoint(const struct tw_cuda *q, char part, int n, const T *from, int ldf, T *to, int ldt)
{
    const unsigned blocks = (unsigned)((n + SQUARE - 1) / SQUARE);
    return launch(TW_CALL_inverse, q, dim3(blocks, blocks), dim3(SQUARE * 8), adjoint_kernel, part, n, from,
                  (int64_t)ldf, to, (int64_t)ldt);
}

int CUDA(potrf_inverse_work)(const struct tw_cuda *q, char uplo, int n, size_t *bytes)
{
    TW_TRY(CUDA(potrf_work)(q, 'L', n, bytes));
    /* join() needs n * n / 4 elements; U is factored as its adjoint, in n * n more */
    *bytes += ((size_t)n * (size_t)n / 4 + 1024 + (uplo == 'U' ? (size_t)n * (size_t)n : 0)) * sizeof(T);
    return 0;
}

int CUDA(potrf_inverse)(const struct tw_cuda *q, char uplo, int n, void *a, int lda, void *inv, int ldi, void *work,
                        size_t bytes, int64_t *info, int64_t offset)
{
    const size_t square = (size_t)n * (size_t)n * sizeof(T), transposed = uplo == 'U' ? square : 0;
    T *l = uplo == 'U' ? (T *)work : (T *)a;
    const int ldl = uplo == 'U' ? n : lda;
    char *rest = (char *)work + transposed;

    if (n <= 0) return 0;
    /* U^H U = L L^H with L = U^H: cuSOLVER's lower factorization is twice as fast. */
    if (uplo == 'U') TW_TRY(adjoint(q, 'U', n, (const T *)a, lda, l, n));
    TW_TRY(CUDA(potrf)(q, 'L', n, l, ldl, rest, bytes - transposed, info, offset));
    TW_TRY(CUDA(inverse)(q, n, l, ldl, inv, ldi, rest));
    return uplo == 'L' ? 0 : adjoint(q, 'L', n, l, n, (T *)a, lda);
}
