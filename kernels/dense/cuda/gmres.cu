/* GMRES' vectors on a GPU (kernels/dense/cpu/gmres.c), and the scaled matrix whose factors precondition it.
 *
 * Blocks of threads take TW_GMRES_CHUNK rows of one column; what they find lies in the workspace, and is put together
 * in a fixed order by each kernel that needs it: the same bits in every run. */
#include <cfloat>
#include "kernels/dense/cuda/element.cuh"
#include "kernels/dense/gmres_column.h"
#include "kernels/launch.cuh"

extern "C" {
#include "kernels/dense/cuda/gmres.h"
extern const struct tw_gmres_cuda_kernels CUDA(gmres);
}

#if TW_IS_SINGLE
typedef double other;
#else
typedef float other;
#endif

#define THREADS 256
#define EACH    (TW_GMRES_CHUNK / THREADS)
#define WARPS   (THREADS / 32)
#define NUMBERS (TW_GMRES_MOST + 1)

typedef struct tw_gmres_number pair;

struct block {
    const struct tw_tile_at *x, *w, *r;
    char *state;
    T *v, *z;
    int64_t ld_state, ldv, ldz;
    int m, n, mb, chunks;
    double *length; /* of each column's newest vector */
    pair *part;     /* of each column: NUMBERS for each chunk, and their sums */
};

static __device__ __forceinline__ double re(T x)
{
#if TW_IS_COMPLEX
    return x.x;
#else
    return x;
#endif
}
static __device__ __forceinline__ double im(T x)
{
#if TW_IS_COMPLEX
    return x.y;
#else
    return 0;
#endif
}
static __device__ __forceinline__ T of_parts(double re, double im)
{
    T x = number((R)re);
#if TW_IS_COMPLEX
    x.y = (R)im;
#endif
    return x;
}
/* The larger part; a NaN is one. */
static __device__ __forceinline__ double part_size(T x)
{
    const double a = fabs(re(x)), b = fabs(im(x));
    return a != a || a > b ? a : b;
}
static __device__ __forceinline__ double larger(double a, double b)
{
    return a < b || b != b ? b : a; /* once NaN, always NaN */
}

static __device__ __forceinline__ struct tw_gmres_column *state_of(const struct block &b, int j)
{
    return (struct tw_gmres_column *)(b.state + j * b.ld_state);
}
static __device__ __forceinline__ T *vector(const struct block &b, int j, int k)
{
    return b.v + j * b.ldv + (int64_t)k * b.m;
}
static __device__ __forceinline__ T *in_tiles(const struct block &b, const struct tw_tile_at *at, int j, int row)
{
    const struct tw_tile_at t = at[row / b.mb];
    return (T *)t.ptr + row % b.mb + j * t.ld;
}
static __device__ __forceinline__ double scaling(const struct block &b, int row)
{
    return ((const double *)b.r[row / b.mb].ptr)[row % b.mb];
}
static __device__ __forceinline__ pair *parts(const struct block &b, int j, int chunk)
{
    return b.part + ((int64_t)j * (b.chunks + 1) + chunk) * NUMBERS;
}
/* The e-th row of this thread. */
static __device__ __forceinline__ int row_of(int e)
{
    return (int)blockIdx.x * TW_GMRES_CHUNK + e * THREADS + (int)threadIdx.x;
}

/* Over a block of threads, in a fixed order; all of them get the result. */
template <bool maximum> static __device__ double reduce(double x)
{
    __shared__ double of_warp[WARPS];

    for (int d = 16; d > 0; d /= 2) {
        const double y = __shfl_xor_sync(0xffffffffu, x, d);
        x = maximum ? larger(x, y) : x + y;
    }
    __syncthreads(); /* it may still be read from the call before */
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
    __syncthreads();
    x = of_warp[0];
    for (int w = 1; w < WARPS; w++)
        x = maximum ? larger(x, of_warp[w]) : x + of_warp[w];
    return x;
}

/* ---- lengths ----------------------------------------------------------------------------------------------------- */

/* The chunk's largest number, and the sum of the squares of all over it. */
static __device__ void chunk_length(const T *x, pair *part)
{
    double most = 0, sum = 0;

    for (int e = 0; e < EACH; e++)
        most = larger(most, part_size(x[e]));
    most = reduce<true>(most);
    if (most > 0 && isfinite(most))
        for (int e = 0; e < EACH; e++)
            sum += re(x[e]) / most * (re(x[e]) / most) + im(x[e]) / most * (im(x[e]) / most);
    sum = reduce<false>(sum);
    if (threadIdx.x == 0) part->re = most, part->im = sum;
}
static __device__ double length_of(const struct block &b, int j)
{
    double most = 0, sum = 0;

    for (int c = 0; c < b.chunks; c++)
        most = larger(most, parts(b, j, c)->re);
    if (!(most > 0) || !isfinite(most)) return most;
    for (int c = 0; c < b.chunks; c++) {
        const pair p = *parts(b, j, c);
        sum += p.re / most * (p.re / most) * p.im;
    }
    return most * sqrt(sum);
}

/* ---- the first vectors ------------------------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(THREADS) residual_kernel(const struct block b)
{
    for (int j = (int)blockIdx.y; j < b.n; j += (int)gridDim.y) {
        T *v = vector(b, j, 0), x[EACH];
        for (int e = 0; e < EACH; e++) {
            const int row = row_of(e);
            x[e] = row < b.m ? *in_tiles(b, b.x, j, row) : number(0);
            if (row < b.m) v[row] = x[e];
        }
        chunk_length(x, parts(b, j, (int)blockIdx.x));
    }
}
static __global__ void __launch_bounds__(32) first_kernel(const struct block b)
{
    const int j = (int)(blockIdx.x * 32 + threadIdx.x);

    if (j >= b.n) return;
    struct tw_gmres_column *s = state_of(b, j);
    for (size_t i = 0; i < sizeof *s / sizeof(double); i++)
        ((double *)s)[i] = 0;
    tw_gmres_first(s, b.length[j] = length_of(b, j));
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

/* z goes to its place, A z to where the next vector will be. */
static __global__ void __launch_bounds__(THREADS) gather_kernel(const struct block b, int k, double *left)
{
    if (left && blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0) *left = 0;
    for (int j = (int)blockIdx.y; j < b.n; j += (int)gridDim.y) {
        if (state_of(b, j)->done != 0) continue;
        T *z = b.z + j * b.ldz + (int64_t)k * b.m, *next = vector(b, j, k + 1);
        for (int e = 0; e < EACH; e++) {
            const int row = row_of(e);
            if (row >= b.m) continue;
            z[row] = *in_tiles(b, b.x, j, row);
            next[row] = scaled(*in_tiles(b, b.w, j, row), (R)-1);
        }
    }
}

/* Of the newest vector with each before. */
static __global__ void __launch_bounds__(THREADS) dots_kernel(const struct block b, int k)
{
    __shared__ pair of_warp[WARPS][NUMBERS];

    for (int j = (int)blockIdx.y; j < b.n; j += (int)gridDim.y) {
        if (state_of(b, j)->done != 0) continue;
        const T *next = vector(b, j, k + 1);
        T x[EACH];
        for (int e = 0; e < EACH; e++)
            x[e] = row_of(e) < b.m ? next[row_of(e)] : number(0);
        for (int i = 0; i <= k; i++) {
            const T *v = vector(b, j, i);
            pair sum = {0, 0};
            for (int e = 0; e < EACH; e++) {
                if (row_of(e) >= b.m) continue;
                const T y = v[row_of(e)];
                sum.re += re(y) * re(x[e]) + im(y) * im(x[e]);
                sum.im += re(y) * im(x[e]) - im(y) * re(x[e]);
            }
            for (int d = 16; d > 0; d /= 2) {
                sum.re += __shfl_xor_sync(0xffffffffu, sum.re, d);
                sum.im += __shfl_xor_sync(0xffffffffu, sum.im, d);
            }
            if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32][i] = sum;
        }
        __syncthreads();
        if ((int)threadIdx.x <= k) {
            pair sum = of_warp[0][threadIdx.x];
            for (int w = 1; w < WARPS; w++)
                sum.re += of_warp[w][threadIdx.x].re, sum.im += of_warp[w][threadIdx.x].im;
            parts(b, j, (int)blockIdx.x)[threadIdx.x] = sum;
        }
        __syncthreads();
    }
}

/* What was found of all chunks, and to H; again: in the second turn. */
static __global__ void __launch_bounds__(32) sum_kernel(const struct block b, int k, int again)
{
    const int i = (int)threadIdx.x;

    for (int j = (int)blockIdx.x; j < b.n; j += (int)gridDim.x) {
        struct tw_gmres_column *s = state_of(b, j);
        pair sum = {0, 0};
        if (s->done != 0 || i > k) continue;
        for (int c = 0; c < b.chunks; c++)
            sum.re += parts(b, j, c)[i].re, sum.im += parts(b, j, c)[i].im;
        parts(b, j, b.chunks)[i] = sum;
        s->r[k][i].re = (again ? s->r[k][i].re : 0) + sum.re;
        s->r[k][i].im = (again ? s->r[k][i].im : 0) + sum.im;
    }
}

static __global__ void __launch_bounds__(THREADS) subtract_kernel(const struct block b, int k)
{
    for (int j = (int)blockIdx.y; j < b.n; j += (int)gridDim.y) {
        if (state_of(b, j)->done != 0) continue;
        const pair *sum = parts(b, j, b.chunks);
        T *next = vector(b, j, k + 1);
        for (int e = 0; e < EACH; e++) {
            const int row = row_of(e);
            if (row >= b.m) continue;
            T x = next[row];
            for (int i = 0; i <= k; i++)
                x = minus_product(x, of_parts(sum[i].re, sum[i].im), vector(b, j, i)[row]);
            next[row] = x;
        }
    }
}

static __global__ void __launch_bounds__(THREADS) length_kernel(const struct block b, int k)
{
    for (int j = (int)blockIdx.y; j < b.n; j += (int)gridDim.y) {
        if (state_of(b, j)->done != 0) continue;
        const T *next = vector(b, j, k + 1);
        T x[EACH];
        for (int e = 0; e < EACH; e++)
            x[e] = row_of(e) < b.m ? next[row_of(e)] : number(0);
        chunk_length(x, parts(b, j, (int)blockIdx.x));
    }
}

static __global__ void __launch_bounds__(32) turn_kernel(const struct block b, int k, double *left)
{
    const int j = (int)(blockIdx.x * 32 + threadIdx.x);

    if (j >= b.n || state_of(b, j)->done != 0) return;
    tw_gmres_turn(state_of(b, j), k, b.length[j] = length_of(b, j));
    if (state_of(b, j)->done == 0) *left = 1; /* all that write it write the same */
}

/* ---- what the preconditioner gets -------------------------------------------------------------------------------- */

/* Vector k, of length 1 from now on; diag(r) times it, or zeros, and the chunk's largest number. */
static __global__ void __launch_bounds__(THREADS) hand_kernel(const struct block b, int k)
{
    for (int j = (int)blockIdx.y; j < b.n; j += (int)gridDim.y) {
        const bool done = state_of(b, j)->done != 0;
        T *v = vector(b, j, k);
        const double by = done ? 1 : b.length[j];
        double most = 0;
        for (int e = 0; e < EACH; e++) {
            const int row = row_of(e);
            if (row >= b.m) continue;
            T x = number(0);
            if (!done) {
                x = v[row] = of_parts(re(v[row]) / by, im(v[row]) / by);
                x = scaled(x, (R)scaling(b, row));
            }
            *in_tiles(b, b.x, j, row) = x;
            const double size = part_size(x);
            if (size > most) most = size;
        }
        most = reduce<true>(most);
        if (threadIdx.x == 0) parts(b, j, (int)blockIdx.x)->re = most;
    }
}
/* Brought near 1. */
static __global__ void __launch_bounds__(THREADS) near_kernel(const struct block b)
{
    for (int j = (int)blockIdx.y; j < b.n; j += (int)gridDim.y) {
        double most = 0;
        if (state_of(b, j)->done != 0) continue;
        for (int c = (int)threadIdx.x; c < b.chunks; c += THREADS)
            most = larger(most, parts(b, j, c)->re);
        most = reduce<true>(most);
        if (!(most > 0) || !isfinite(most)) continue;
        for (int e = 0; e < EACH; e++) {
            if (row_of(e) >= b.m) continue;
            T *x = in_tiles(b, b.x, j, row_of(e));
            *x = of_parts(re(*x) / most, im(*x) / most);
        }
    }
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(32) solve_kernel(const struct block b)
{
    const int j = (int)(blockIdx.x * 32 + threadIdx.x);
    if (j < b.n) tw_gmres_solve(state_of(b, j), parts(b, j, b.chunks));
}
static __global__ void __launch_bounds__(THREADS) combine_kernel(const struct block b)
{
    for (int j = (int)blockIdx.y; j < b.n; j += (int)gridDim.y) {
        const int steps = (int)state_of(b, j)->steps;
        const pair *y = parts(b, j, b.chunks);
        const T *z = b.z + j * b.ldz;
        for (int e = 0; e < EACH; e++) {
            const int row = row_of(e);
            if (row >= b.m) continue;
            T x = number(0);
            for (int k = 0; k < steps; k++)
                x = sum(x, product(of_parts(y[k].re, y[k].im), z[(int64_t)k * b.m + row]));
            *in_tiles(b, b.x, j, row) = x;
        }
    }
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

static int make(const struct tw_cuda *q, const struct tw_gmres_block *g, void *work, struct block *b)
{
    struct tw_tile_at *at = (struct tw_tile_at *)tw_work_aligned(work);
    const struct tw_tiles *const lists[] = {&g->x, &g->w, &g->r};
    struct tw_tile_at *to[] = {NULL, NULL, NULL};

    for (int i = 0; i < 3; i++) {
        if (lists[i]->count == 0) continue;
        TW_TRY(CUDA(tile_list)(q, lists[i], at));
        to[i] = at, at += lists[i]->count;
    }
    b->x = to[0], b->w = to[1], b->r = to[2];
    b->state = (char *)g->state, b->v = (T *)g->v, b->z = (T *)g->z;
    b->ld_state = g->ld_state, b->ldv = g->ldv, b->ldz = g->ldz;
    b->m = g->x.m, b->n = g->x.n, b->mb = g->x.mb;
    b->chunks = (b->m + TW_GMRES_CHUNK - 1) / TW_GMRES_CHUNK;
    b->length = (double *)at;
    b->part = (pair *)(b->length + b->n);
    return 0;
}
static dim3 chunks_of(const struct block *b)
{
    return dim3((unsigned)b->chunks, (unsigned)tw_min(b->n, 65535));
}
static dim3 columns_of(const struct block *b)
{
    return dim3((unsigned)((b->n + 31) / 32));
}
#define ROWS(kernel, ...)    TW_TRY(launch(TW_CALL_gmres, q, chunks_of(&b), dim3(THREADS), kernel, __VA_ARGS__))
#define COLUMNS(kernel, ...) TW_TRY(launch(TW_CALL_gmres, q, columns_of(&b), dim3(32), kernel, __VA_ARGS__))

static int begin(const struct tw_cuda *q, const struct tw_gmres_block *g, void *work)
{
    struct block b = {};

    TW_TRY(make(q, g, work, &b));
    if (b.m <= 0 || b.n <= 0) return 0;
    ROWS(residual_kernel, b);
    COLUMNS(first_kernel, b);
    ROWS(hand_kernel, b, 0);
    ROWS(near_kernel, b);
    return 0;
}

static int step(const struct tw_cuda *q, const struct tw_gmres_block *g, int k, int first, double *left, void *work)
{
    struct block b = {};

    TW_TRY(make(q, g, work, &b));
    if (b.m <= 0 || b.n <= 0) return 0;
    ROWS(gather_kernel, b, k, first ? left : (double *)NULL);
    for (int again = 0; again < 2; again++) {
        ROWS(dots_kernel, b, k);
        TW_TRY(launch(TW_CALL_gmres, q, dim3((unsigned)tw_min(b.n, 65535)), dim3(32), sum_kernel, b, k, again));
        ROWS(subtract_kernel, b, k);
    }
    ROWS(length_kernel, b, k);
    COLUMNS(turn_kernel, b, k, left);
    ROWS(hand_kernel, b, k + 1);
    ROWS(near_kernel, b);
    return 0;
}

static int end(const struct tw_cuda *q, const struct tw_gmres_block *g, void *work)
{
    struct block b = {};

    TW_TRY(make(q, g, work, &b));
    if (b.m <= 0 || b.n <= 0) return 0;
    COLUMNS(solve_kernel, b);
    ROWS(combine_kernel, b);
    return 0;
}

/* ---- the scaled matrix ------------------------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(TW_BLOCK)
    lag2_scaled_kernel(char uplo, int m, int n, const R *a, int64_t lda, const double *r, const double *c, other *b,
                       int64_t ldb)
{
    enum { PARTS = TW_IS_COMPLEX ? 2 : 1 };
    const int64_t i = (int64_t)blockIdx.x * TW_BLOCK + threadIdx.x;

    if (i >= m) return;
    const double ri = r ? r[i] : 1;
    for (int64_t j = blockIdx.y; j < n; j += gridDim.y) {
        if (!in_part(uplo, (int)i, (int)j)) continue;
        const double by = (c ? c[j] : 1) * ri;
        for (int part = 0; part < PARTS; part++)
            b[PARTS * (i + j * ldb) + part] = (other)(by * (double)a[PARTS * (i + j * lda) + part]);
    }
}
static int lag2_scaled(const struct tw_cuda *q, char uplo, int m, int n, const void *a, int lda, const double *r,
                       const double *c, void *b, int ldb)
{
    if (m <= 0 || n <= 0) return 0;
    return launch(TW_CALL_lag2_scaled, q, tile_grid(m, n), dim3(TW_BLOCK), lag2_scaled_kernel, uplo, m, n, (const R *)a,
                  (int64_t)lda, r, c, (other *)b, (int64_t)ldb);
}

/* ---- scalings ---------------------------------------------------------------------------------------------------- */

static __device__ void combine_info(int64_t *info, int64_t value)
{
    if (*info == 0 || value < *info) *info = value;
}

static __global__ void __launch_bounds__(THREADS)
    rsqrt_kernel(int n, const T *a, int64_t lda, double *scale, int64_t *info, int64_t offset)
{
    __shared__ int first;

    if (threadIdx.x == 0) first = n;
    __syncthreads();
    for (int64_t i = threadIdx.x; i < n; i += THREADS) {
        const double x = re(a[i + i * lda]);
        if (!(x > 0)) atomicMin(&first, (int)i);
        scale[i] = x > 0 && isfinite(x) ? 1 / sqrt(x) : 1;
    }
    __syncthreads();
    if (threadIdx.x == 0 && first < n) combine_info(info, offset + first + 1);
}
static int rsqrt_diagonal(const struct tw_cuda *q, int n, const void *a, int lda, double *scale, int64_t *info,
                          int64_t offset)
{
    if (n <= 0) return 0;
    return launch(TW_CALL_rsqrt_diagonal, q, dim3(1), dim3(THREADS), rsqrt_kernel, n, (const T *)a, (int64_t)lda, scale,
                  info, offset);
}

static __device__ __forceinline__ R abs1(T x)
{
    return (R)(fabs(re(x)) + fabs(im(x)));
}

#define STRIP 32 /* rows of a block */
#define DEPTH 8  /* columns at a time */

static __global__ void __launch_bounds__(STRIP *DEPTH)
    rowmax_kernel(int m, int n, const T *a, int64_t lda, double *rows)
{
    __shared__ double most[DEPTH][STRIP];
    const int64_t i = (int64_t)blockIdx.x * STRIP + threadIdx.x;
    double x = 0;

    for (int64_t j = threadIdx.y; i < m && j < n; j += DEPTH) {
        const double y = (double)abs1(a[i + j * lda]);
        if (y > x) x = y;
    }
    most[threadIdx.y][threadIdx.x] = x;
    __syncthreads();
    if (threadIdx.y != 0 || i >= m) return;
    for (int d = 1; d < DEPTH; d++)
        if (most[d][threadIdx.x] > x) x = most[d][threadIdx.x];
    if (x > rows[i]) rows[i] = x;
}
static int rowmax(const struct tw_cuda *q, int m, int n, const void *a, int lda, double *rows)
{
    if (m <= 0 || n <= 0) return 0;
    return launch(TW_CALL_rowmax, q, dim3((unsigned)((m + (STRIP - 1LL)) / STRIP)), dim3(STRIP, DEPTH), rowmax_kernel,
                  m, n, (const T *)a, (int64_t)lda, rows);
}

static __global__ void __launch_bounds__(THREADS)
    colmax_scaled_kernel(int m, const T *a, int64_t lda, const double *rows, double *cols)
{
    const int64_t j = blockIdx.x;
    double most = 0;

    for (int64_t i = threadIdx.x; i < m; i += THREADS) {
        const double x = (double)(abs1(a[i + j * lda]) * (R)rows[i]);
        if (x > most) most = x;
    }
    most = reduce<true>(most);
    if (threadIdx.x == 0 && most > cols[j]) cols[j] = most;
}
static int colmax_scaled(const struct tw_cuda *q, int m, int n, const void *a, int lda, const double *rows,
                         double *cols)
{
    if (m <= 0 || n <= 0) return 0;
    return launch(TW_CALL_colmax_scaled, q, dim3((unsigned)n), dim3(THREADS), colmax_scaled_kernel, m, (const T *)a,
                  (int64_t)lda, rows, cols);
}

/* One block; a look at all, then what they become. */
static __global__ void __launch_bounds__(THREADS)
    reciprocals_kernel(int radix, int n, int mb, const struct tw_tile_at *at, double *out, int64_t *info,
                       int64_t offset)
{
    __shared__ int zero;
    const R small = TW_IS_SINGLE ? (R)FLT_MIN : (R)DBL_MIN, big = 1 / small;
    double least = INFINITY, most = 0;

    if (threadIdx.x == 0) zero = n;
    __syncthreads();
    for (int i = (int)threadIdx.x; i < n; i += THREADS) {
        double x = ((const double *)at[i / mb].ptr)[i % mb];
        const R v = (R)x;
        if (radix && v > 0 && isfinite(v))
            ((double *)at[i / mb].ptr)[i % mb] = x = ldexp(1.0, (int)(log(v) / log((R)2)));
        if (x < least) least = x;
        if (x > most) most = x;
        if (x == 0) atomicMin(&zero, i);
    }
    most = reduce<true>(most);
    least = -reduce<true>(-least);
    for (int i = (int)threadIdx.x; i < n; i += THREADS) {
        double *x = (double *)at[i / mb].ptr + i % mb;
        const R y = (R)*x, v = y < small ? small : y > big ? big : y;
        if (zero == n) *x = (double)(1 / v);
        out[i] = *x;
    }
    if (threadIdx.x != 0) return;
    const R low = (R)least > small ? (R)least : small, high = (R)most < big ? (R)most : big;
    out[n] = zero == n ? (double)(low / high) : 0;
    out[n + 1] = most;
    out[n + 2] = zero == n ? 0 : zero + 1;
    if (zero < n) combine_info(info, offset + zero + 1);
}
static int reciprocals(const struct tw_cuda *q, int radix, const struct tw_tiles *parts, double *out, int64_t *info,
                       int64_t offset, struct tw_tile_at *list)
{
    if (parts->m <= 0) return 0;
    TW_TRY(CUDA(tile_list)(q, parts, list));
    return launch(TW_CALL_reciprocals, q, dim3(1), dim3(THREADS), reciprocals_kernel, radix, parts->m, parts->mb,
                  (const struct tw_tile_at *)list, out, info, offset);
}

extern "C" const struct tw_gmres_cuda_kernels CUDA(gmres) = {begin,          step,   end,           lag2_scaled,
                                                             rsqrt_diagonal, rowmax, colmax_scaled, reciprocals};
