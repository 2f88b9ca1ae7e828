/* Pieces of the max, one, infinity and Frobenius norms of a matrix: what one tile adds to them.
 *
 * The same bits in every run: sums are formed in a fixed order, by one block per column or strip of rows, and the only
 * atomic is a maximum. Everything is accumulated in double; NaN and Inf propagate as in kernels/dense/cpu/norms.c. */
#include "kernels/launch.cuh"

struct shape {
    int structure;
    char uplo, diag;
};

static inline bool mirrored(enum tw_structure s, char uplo)
{
    return uplo != 'G' && (s == TW_STRUCT_SYMMETRIC || s == TW_STRUCT_HERMITIAN);
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

#if TW_IS_COMPLEX
static __device__ __forceinline__ double re(T x)
{
    return x.x;
}
static __device__ __forceinline__ double im(T x)
{
    return x.y;
}
#else
static __device__ __forceinline__ double re(T x)
{
    return x;
}
static __device__ __forceinline__ double im(T)
{
    return 0;
}
#endif

/* |x|; NaN if a part is NaN. */
static __device__ __forceinline__ double magnitude(double re, double im)
{
    if (!TW_IS_COMPLEX) return fabs(re);
    double s = re * re + im * im;
    if (!TW_IS_SINGLE && !(s >= 1e-280 && s <= 1e300) && s == s) return hypot(re, im);
    return sqrt(s);
}

/* Rows [from, to) of column j are stored off the diagonal; full tiles have no diagonal of their own (on == false). */
struct column {
    int from, to;
    bool on;
    __device__ column(char uplo, int m, int64_t j)
        : from(uplo != 'L' ? 0 : (int)(j + 1 < m ? j + 1 : m)), to(uplo == 'U' && j < m ? (int)j : m),
          on(uplo != 'G' && j < m)
    {
    }
};

/* A diagonal element's parts as the norm has to see them. */
static __device__ void diagonal(shape h, T x, double *r, double *i)
{
    bool unit = h.structure == TW_STRUCT_TRIANGULAR && h.diag == 'U';
    *r = unit ? 1 : re(x);
    *i = unit || h.structure == TW_STRUCT_HERMITIAN ? 0 : im(x);
}

/* ---- reductions over a block, in a fixed order; the result is in thread 0 ---------------------------------------- */

static __device__ __forceinline__ double larger(double a, double b)
{
    return a < b || b != b ? b : a; /* once NaN, always NaN */
}

template <bool maximum> static __device__ double reduce(double x)
{
    __shared__ double part[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (int d = 16; d > 0; d /= 2) {
        double y = __shfl_down_sync(0xffffffffu, x, d);
        x = maximum ? larger(x, y) : x + y;
    }
    __syncthreads(); /* part may still be read from the call before */
    if (lane == 0) part[warp] = x;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < warps; w++)
            x = maximum ? larger(x, part[w]) : x + part[w];
    return x;
}

/* ---- max --------------------------------------------------------------------------------------------------------- */

/* One block per column. Non-negative doubles are ordered like their bits, and NaN is above Inf. */
static __global__ void __launch_bounds__(TW_BLOCK) max_kernel(shape h, int m, const T *a, int64_t lda, double *value)
{
    int64_t j = blockIdx.x;
    const T *x = a + j * lda;
    column c(h.uplo, m, j);
    double max = 0;
    for (int64_t i = c.from + (int64_t)threadIdx.x; i < c.to; i += TW_BLOCK)
        max = larger(max, magnitude(re(x[i]), im(x[i])));
    if (c.on && threadIdx.x == 0) {
        double r, s;
        diagonal(h, x[j], &r, &s);
        max = larger(max, magnitude(r, s));
    }
    max = fabs(reduce<true>(max));
    if (threadIdx.x == 0) atomicMax((unsigned long long *)value, (unsigned long long)__double_as_longlong(max));
}

int CUDA(normmax)(const struct tw_cuda *q, enum tw_structure s, char uplo, char diag, int m, int n, const void *a,
                  int lda, double *value)
{
    shape h = {(int)s, uplo, diag};
    if (m <= 0 || n <= 0) return 0;
    return launch(TW_CALL_normmax, q, dim3((unsigned)n), dim3(TW_BLOCK), max_kernel, h, m, (const T *)a, lda, value);
}

/* ---- sums of rows and columns ------------------------------------------------------------------------------------ */

/* cols[j] += its stored elements' sum, the diagonal included. One block per column. */
static __global__ void __launch_bounds__(TW_BLOCK) cols_kernel(shape h, int m, const T *a, int64_t lda, double *cols)
{
    int64_t j = blockIdx.x;
    const T *x = a + j * lda;
    column c(h.uplo, m, j);
    double sum = 0;
    for (int64_t i = c.from + (int64_t)threadIdx.x; i < c.to; i += TW_BLOCK)
        sum += magnitude(re(x[i]), im(x[i]));
    if (c.on && threadIdx.x == 0) {
        double r, s;
        diagonal(h, x[j], &r, &s);
        sum += magnitude(r, s);
    }
    sum = reduce<false>(sum);
    if (threadIdx.x == 0) cols[j] += sum;
}

#define STRIP 32 /* rows of a block */
#define DEPTH 8  /* columns at a time */

/* rows[i] += its stored elements' sum; skip_diagonal: cols_kernel has counted it for the same vector. */
static __global__ void __launch_bounds__(STRIP *DEPTH)
    rows_kernel(shape h, bool skip_diagonal, int m, int n, const T *a, int64_t lda, double *rows)
{
    __shared__ double part[DEPTH][STRIP];
    int64_t i = (int64_t)blockIdx.x * STRIP + threadIdx.x;
    double sum = 0;
    if (i < m)
        for (int64_t j = threadIdx.y; j < n; j += DEPTH) {
            if (!in_part(h.uplo, (int)i, (int)j)) continue;
            T x = a[i + j * lda];
            double r = re(x), s = im(x);
            if (i == j && h.uplo != 'G') {
                if (skip_diagonal) continue;
                diagonal(h, x, &r, &s);
            }
            sum += magnitude(r, s);
        }
    part[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || i >= m) return;
    for (int d = 1; d < DEPTH; d++)
        sum += part[d][threadIdx.x];
    rows[i] += sum;
}

static int add_cols(const struct tw_cuda *q, shape h, int m, int n, const void *a, int lda, double *cols)
{
    return launch(TW_CALL_normsum, q, dim3((unsigned)n), dim3(TW_BLOCK), cols_kernel, h, m, (const T *)a, lda, cols);
}

static int add_rows(const struct tw_cuda *q, shape h, bool skip_diagonal, int m, int n, const void *a, int lda,
                    double *rows)
{
    return launch(TW_CALL_normsum, q, dim3((unsigned)((m + (STRIP - 1LL)) / STRIP)), dim3(STRIP, DEPTH), rows_kernel, h,
                  skip_diagonal, m, n, (const T *)a, lda, rows);
}

int CUDA(normsum)(const struct tw_cuda *q, enum tw_structure s, char uplo, char diag, int m, int n, const void *a,
                  int lda, double *rows, double *cols)
{
    shape h = {(int)s, uplo, diag};
    if (m <= 0 || n <= 0) return 0;
    if (mirrored(s, uplo)) { /* one vector: a stored element counts in its row and in its column */
        double *vectors[2] = {cols, rows == cols ? NULL : rows};
        for (int v = 0; v < 2; v++) {
            if (vectors[v] == NULL) continue;
            TW_TRY(add_cols(q, h, m, n, a, lda, vectors[v]));
            TW_TRY(add_rows(q, h, true, m, n, a, lda, vectors[v]));
        }
        return 0;
    }
    if (cols) TW_TRY(add_cols(q, h, m, n, a, lda, cols));
    if (rows) TW_TRY(add_rows(q, h, false, m, n, a, lda, rows));
    return 0;
}

/* ---- Frobenius --------------------------------------------------------------------------------------------------- */

/* Sums of squares in three ranges, so that none overflows or underflows (Blue's algorithm, as in LAPACK 3.10's
 * lassq; the squares of floats need only the middle one). */
struct squares {
    double big, middle, small;
};

static __device__ __forceinline__ void add_square(squares *s, double x, double times)
{
    double y = fabs(x);
    if (!TW_IS_SINGLE && y > ldexp(1.0, 486))
        s->big += times * (y * ldexp(1.0, -538)) * (y * ldexp(1.0, -538));
    else if (!TW_IS_SINGLE && y < ldexp(1.0, -511))
        s->small += times * (y * ldexp(1.0, 537)) * (y * ldexp(1.0, 537));
    else
        s->middle += times * y * y;
}

/* The three as one (scale, sum), with the CPU kernel's conventions: Inf is (Inf, 1), NaN is (1, NaN). */
static __device__ void finish(squares s, double *scale, double *sum)
{
    *scale = 1;
    *sum = s.middle;
    if (s.middle != s.middle) return;
    if (isinf(s.big) || isinf(s.middle)) {
        *scale = INFINITY;
        *sum = 1;
    } else if (s.big > 0) { /* the small ones do not count beside these */
        *scale = ldexp(1.0, 538);
        *sum = s.big + s.middle * ldexp(1.0, -538) * ldexp(1.0, -538);
    } else if (s.small > 0 && s.middle == 0) {
        *scale = ldexp(1.0, -537);
        *sum = s.small;
    } else { /* small ones beside middle ones vanish, or nearly so */
        *sum += s.small * ldexp(1.0, -537) * ldexp(1.0, -537);
    }
}

static __device__ void combine(double acc[2], double scale, double sum)
{
    if (scale == acc[0]) { /* apart, since Inf / Inf is NaN */
        acc[1] += sum;
    } else if (scale > acc[0]) {
        acc[1] = sum + acc[1] * (acc[0] / scale) * (acc[0] / scale);
        acc[0] = scale;
    } else {
        acc[1] += sum * (scale / acc[0]) * (scale / acc[0]);
    }
}

/* One block of 32 warps, which take columns in turn: the result needs no second step and no workspace. */
static __global__ void __launch_bounds__(1024)
    fro_kernel(shape h, double twice, int m, int n, const T *a, int64_t lda, int weight, double *acc)
{
    squares s = {0, 0, 0};
    int lane = threadIdx.x % 32;
    for (int64_t j = threadIdx.x / 32; j < n; j += 32) {
        const T *x = a + j * lda;
        column c(h.uplo, m, j);
#pragma unroll 4
        for (int64_t i = c.from + (int64_t)lane; i < c.to; i += 32) {
            T y = x[i];
            add_square(&s, re(y), twice);
            if (TW_IS_COMPLEX) add_square(&s, im(y), twice);
        }
        if (c.on && lane == 0) {
            double r, t;
            diagonal(h, x[j], &r, &t);
            add_square(&s, r, 1);
            add_square(&s, t, 1);
        }
    }
    s.big = reduce<false>(s.big);
    s.middle = reduce<false>(s.middle);
    s.small = reduce<false>(s.small);
    if (threadIdx.x == 0) {
        double scale, sum;
        finish(s, &scale, &sum);
        if (sum != 0) combine(acc, scale, weight * sum);
    }
}

int CUDA(normfro)(const struct tw_cuda *q, enum tw_structure s, char uplo, char diag, int m, int n, const void *a,
                  int lda, int weight, double acc[2])
{
    shape h = {(int)s, uplo, diag};
    if (m <= 0 || n <= 0) return 0;
    return launch(TW_CALL_normfro, q, dim3(1), dim3(1024), fro_kernel, h, mirrored(s, uplo) ? 2.0 : 1.0, m, n,
                  (const T *)a, lda, weight, acc);
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(TW_BLOCK) colmax_kernel(int m, const T *a, int64_t lda, double *cols)
{
    const T *x = a + (int64_t)blockIdx.x * lda;
    double max = 0;
    for (int64_t i = threadIdx.x; i < m; i += TW_BLOCK)
        max = larger(max, fabs(re(x[i])) + fabs(im(x[i])));
    max = reduce<true>(max);
    if (threadIdx.x == 0) cols[blockIdx.x] = larger(cols[blockIdx.x], max);
}

static __global__ void __launch_bounds__(TW_BLOCK) colfro_kernel(int m, const T *a, int64_t lda, double *acc)
{
    const T *x = a + (int64_t)blockIdx.x * lda;
    squares s = {0, 0, 0};
    for (int64_t i = threadIdx.x; i < m; i += TW_BLOCK) {
        T y = x[i];
        add_square(&s, re(y), 1);
        if (TW_IS_COMPLEX) add_square(&s, im(y), 1);
    }
    s.big = reduce<false>(s.big);
    s.middle = reduce<false>(s.middle);
    s.small = reduce<false>(s.small);
    if (threadIdx.x == 0) {
        double scale, sum;
        finish(s, &scale, &sum);
        if (sum != 0) combine(acc + 2 * (int64_t)blockIdx.x, scale, sum);
    }
}

int CUDA(colmax)(const struct tw_cuda *q, int m, int n, const void *a, int lda, double *cols)
{
    if (m <= 0 || n <= 0) return 0;
    return launch(TW_CALL_colmax, q, dim3((unsigned)n), dim3(TW_BLOCK), colmax_kernel, m, (const T *)a, lda, cols);
}

int CUDA(colfro)(const struct tw_cuda *q, int m, int n, const void *a, int lda, double *acc)
{
    if (m <= 0 || n <= 0) return 0;
    return launch(TW_CALL_colfro, q, dim3((unsigned)n), dim3(TW_BLOCK), colfro_kernel, m, (const T *)a, lda, acc);
}
