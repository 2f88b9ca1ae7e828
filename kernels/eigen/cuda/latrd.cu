/* A panel of the one-stage reduction to tridiagonal form on a GPU (kernels/eigen/cpu/latrd.c). Three launches a column,
 * all scalars on the device:
 *
 *   column    W's column before this one is completed; this column of A less what the panel has not subtracted there;
 *             sums of its squares
 *   product   the reflector, which every block finds from these sums; A v, each tile read once, in parts that have
 *             places of their own; W^H v and V^H v
 *   combine   w = tau (A v - V (W^H v) - W (V^H v)), its parts in a fixed order, and sums of w^H v
 *
 * Sums of squares are doubles for all types, and the matrix is of the order of 1: what is left of a column is nothing
 * where they are below any of them that counts. */
#include "kernels/dense/cuda/element.cuh"
#include "kernels/launch.cuh"

extern "C" {
#include "kernels/eigen/cuda/latrd.h"
int CUDA(latrd)(const struct tw_cuda *q, const struct tw_latrd *p, void *work);
}

#define ROWS    TW_LATRD_ROWS_OF_BLOCK
#define COLUMNS TW_LATRD_COLUMNS_OF_BLOCK
#define THREADS TW_LATRD_THREADS
#define WARPS   8           /* of a block of the product */
#define PER     (ROWS / 32) /* rows of a thread there */

struct panel {
    int n, nb, skip, tiles, k, ld, down, across;
    const struct tw_tile_at *at;
    T *vwv, *tau;
    R *d, *e;
    T *x, *w;     /* a column; W's column before alpha v is added */
    T *slots;     /* tiles (across + down) x n */
    T *part;      /* W^H v, V^H v of 256 rows each: 2 k */
    double *norm; /* of THREADS rows each */
    T *dot;       /* the same: w^H v */
};

static __device__ __forceinline__ T plus_product(T c, T a, T b)
{
#if TW_IS_COMPLEX
    c.x += a.x * b.x - a.y * b.y;
    c.y += a.x * b.y + a.y * b.x;
    return c;
#else
    return c + a * b;
#endif
}
/* c + conj(a) b */
static __device__ __forceinline__ T plus_dot(T c, T a, T b)
{
    return plus_product(c, conjugate(a), b);
}
static __device__ __forceinline__ double square(T a)
{
#if TW_IS_COMPLEX
    return (double)a.x * (double)a.x + (double)a.y * (double)a.y;
#else
    return (double)a * (double)a;
#endif
}
static __device__ __forceinline__ T shuffle(T a, int by)
{
#if TW_IS_COMPLEX
    a.x = __shfl_xor_sync(0xffffffff, a.x, by);
    a.y = __shfl_xor_sync(0xffffffff, a.y, by);
    return a;
#else
    return __shfl_xor_sync(0xffffffff, a, by);
#endif
}
static __device__ __forceinline__ T warp_sum(T a)
{
    for (int by = 16; by > 0; by /= 2)
        a = sum(a, shuffle(a, by));
    return a;
}
static __device__ __forceinline__ double warp_sum_of_doubles(double a)
{
    for (int by = 16; by > 0; by /= 2)
        a += __shfl_xor_sync(0xffffffff, a, by);
    return a;
}

/* Row r >= 1 of V (which 0), W (1), the second V (2). */
static __device__ __forceinline__ T *at(const struct panel &p, int which, int r, int j)
{
    return p.vwv + (r - 1) + (size_t)(which * p.k + j) * p.ld;
}
static __device__ __forceinline__ int pieces(int rows, int each)
{
    return (rows + each - 1) / each;
}

/* ---- column ------------------------------------------------------------------------------------------------------ */

/* c may be one beyond the last column: then W is completed alone. */
static __global__ void __launch_bounds__(THREADS) column_kernel(struct panel p, int c, int last)
{
    __shared__ T coef[2][1024 / 8], alpha;
    __shared__ double sums[THREADS / 32];
    const int r = c + blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double norm = 0;

    if (c > 0 && warp == 0) { /* -1/2 tau w^H v */
        const int parts = pieces(p.n - c, THREADS);
        T dot = number(0);
        for (int i = lane; i < parts; i += 32)
            dot = sum(dot, p.dot[i]);
        dot = warp_sum(dot);
        if (lane == 0) alpha = scaled(product(p.tau[c - 1], dot), (R)-0.5);
    }
    __syncthreads();
    for (int j = threadIdx.x; j < c && !last; j += THREADS) {
        T w = j == c - 1 ? sum(p.w[c], product(alpha, *at(p, 0, c, j))) : *at(p, 1, c, j);
        coef[0][j] = conjugate(w);
        coef[1][j] = conjugate(*at(p, 0, c, j));
    }
    __syncthreads();
    if (r < p.n && c > 0) *at(p, 1, r, c - 1) = sum(p.w[r], product(alpha, *at(p, 0, r, c - 1)));
    if (last) return;
    if (r < p.n) {
        const int place = p.skip + r, tile = place / p.nb;
        T x = ((const T *)p.at[tile].ptr)[place - tile * p.nb + (size_t)(p.skip + c) * p.at[tile].ld];
#pragma unroll 4
        for (int j = 0; j < c; j++) {
            x = minus_product(x, *at(p, 0, r, j), coef[0][j]);
            x = minus_product(x, *at(p, 1, r, j), coef[1][j]);
        }
        if (r == c)
            p.d[c] = real_part(x);
        else
            p.x[r] = x;
        if (r > c + 1) norm = square(x);
    }
    norm = warp_sum_of_doubles(norm);
    if (lane == 0) sums[warp] = norm;
    __syncthreads();
    if (threadIdx.x == 0) {
        norm = 0;
        for (int i = 0; i < THREADS / 32; i++)
            norm += sums[i];
        p.norm[blockIdx.x] = norm;
    }
}

/* ---- product ----------------------------------------------------------------------------------------------------- */

struct reflector {
    T tau, scale;
    R beta;
};
/* LAPACK's larfg of x(c + 1 ...), by the first warp. */
static __device__ struct reflector reflector_of(const struct panel &p, int c)
{
    const double nothing = TW_IS_SINGLE ? 1e-60 : 1e-290;
    const int parts = pieces(p.n - c, THREADS), lane = threadIdx.x % 32;
    const T first = p.x[c + 1];
    struct reflector h;
    double tail = 0;

    for (int i = lane; i < parts; i += 32)
        tail += p.norm[i];
    tail = warp_sum_of_doubles(tail);
    h.tau = h.scale = number(0);
    h.beta = real_part(first);
#if TW_IS_COMPLEX
    const double re = first.x, im = first.y;
#else
    const double re = first, im = 0;
#endif
    if (tail < nothing && im == 0) return h;
    const double beta = -copysign(sqrt(tail + re * re + im * im), re), part = re - beta, size = part * part + im * im;
    h.beta = (R)beta;
#if TW_IS_COMPLEX
    h.tau.x = (R)(-part / beta);
    h.tau.y = (R)(-im / beta);
    h.scale.x = (R)(part / size);
    h.scale.y = (R)(-im / size);
#else
    (void)size;
    h.tau = (R)(-part / beta);
    h.scale = (R)(1 / part);
#endif
    return h;
}

static __device__ __forceinline__ T element_of_v(const struct panel &p, const struct reflector &h, int c, int r)
{
    return r == c + 1 ? number(1) : product(p.x[r], h.scale);
}

/* 256 rows: v to its places; W^H v and V^H v. */
static __device__ void dots(const struct panel &p, const struct reflector &h, int c, int piece)
{
    const int row = c + 1 + piece * ROWS, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    T v[PER];

    if (row >= p.n) return;
    if (piece == 0) {
        for (int r = 1 + threadIdx.x; r <= c; r += 32 * WARPS)
            *at(p, 0, r, c) = *at(p, 1, r, c) = *at(p, 2, r, c) = number(0);
        if (threadIdx.x == 0) {
            p.e[c] = h.beta;
            p.tau[c] = h.tau;
        }
    }
    for (int i = 0; i < PER; i++) {
        const int r = row + i * 32 + lane;
        v[i] = r < p.n ? element_of_v(p, h, c, r) : number(0);
        if (r < p.n && warp == i) *at(p, 0, r, c) = *at(p, 2, r, c) = v[i];
    }
    for (int j = warp; j < 2 * c; j += WARPS) {
        const int which = j < c, column = j < c ? j : j - c; /* W's come first */
        T s = number(0);
#pragma unroll
        for (int i = 0; i < PER; i++) {
            const int r = row + i * 32 + lane;
            if (r < p.n) s = plus_dot(s, *at(p, which, r, column), v[i]);
        }
        s = warp_sum(s);
        if (lane == 0) p.part[(size_t)piece * 2 * p.k + j] = s;
    }
}

/* 256 x 128 of tile (row, column): its parts of A v and A^H v. */
static __device__ void block(const struct panel &p, const struct reflector &h, int c, int row, int column, int down,
                             int across, T (*gathered)[ROWS])
{
    const int first = p.skip + c + 1, end = p.skip + p.n, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int r0 = row * p.nb + down * ROWS, c0 = column * p.nb + across * COLUMNS; /* places in all tiles */
    const int r1 = min(min(r0 + ROWS, (row + 1) * p.nb), end), c1 = min(min(c0 + COLUMNS, (column + 1) * p.nb), end);
    const struct tw_tile_at tile = p.at[column * p.tiles - column * (column - 1) / 2 + row - column];
    const T *a = (const T *)tile.ptr - row * p.nb; /* by the place of the row */
    T v[PER], y[PER];

    if (r1 <= first || c1 <= first || r0 >= r1 || c0 >= c1 || r1 - 1 < c0) return;
    for (int i = 0; i < PER; i++) {
        const int r = r0 + i * 32 + lane;
        v[i] = r >= first && r < r1 ? element_of_v(p, h, c, r - p.skip) : number(0);
        y[i] = number(0);
    }
    const bool plain = row != column || r0 >= c1;
#pragma unroll 2
    for (int j = max(c0, first) + warp; j < c1; j += WARPS) {
        const T *e = a + (size_t)(j - column * p.nb) * tile.ld, x = element_of_v(p, h, c, j - p.skip);
        T s = number(0);
#pragma unroll
        for (int i = 0; i < PER; i++) {
            const int r = r0 + i * 32 + lane;
            if (r < first || r >= r1) continue;
            if (plain || r > j) {
                const T z = e[r];
                y[i] = plus_product(y[i], z, x);
                s = plus_dot(s, z, v[i]);
            } else if (r == j) {
                y[i] = plus_product(y[i], number(real_part(e[r])), x);
            }
        }
        s = warp_sum(s);
        if (lane == 0) p.slots[(size_t)(p.tiles * p.across + row * p.down + down) * p.n + (j - p.skip)] = s;
    }
    for (int i = 0; i < PER; i++)
        gathered[warp][i * 32 + lane] = y[i];
    __syncthreads();
    const int r = r0 + (int)threadIdx.x;
    if (r < first || r >= r1) return;
    T total = gathered[0][threadIdx.x];
    for (int i = 1; i < WARPS; i++)
        total = sum(total, gathered[i][threadIdx.x]);
    p.slots[(size_t)(column * p.across + across) * p.n + (r - p.skip)] = total;
}

static __global__ void __launch_bounds__(32 * WARPS) product_kernel(struct panel p, int c, int dot_rows)
{
    __shared__ T gathered[WARPS][ROWS];
    __shared__ struct reflector h;
    int number_of = (int)blockIdx.y - dot_rows, column = (p.skip + c + 1) / p.nb;

    if (threadIdx.x < 32) {
        const struct reflector mine = reflector_of(p, c);
        if (threadIdx.x == 0) h = mine;
    }
    __syncthreads();
    if (number_of < 0) {
        dots(p, h, c, blockIdx.y * gridDim.x + blockIdx.x);
        return;
    }
    for (int left = p.tiles - column; number_of >= left; left--)
        number_of -= left, column++;
    block(p, h, c, column + number_of, column, blockIdx.x % p.down, blockIdx.x / p.down, gathered);
}

/* ---- combine ----------------------------------------------------------------------------------------------------- */

/* A v in row r: what blocks of columns to the left, and those of rows below, left there. */
static __device__ T gather(const struct panel &p, int c, int r)
{
    const int first = p.skip + c + 1, end = p.skip + p.n, place = p.skip + r, tile = place / p.nb,
              inside = place - tile * p.nb;
    const int lowest = tile * p.nb + inside / ROWS * ROWS + ROWS - 1; /* of its block of rows, about */
    T total = number(0);

    for (int column = first / p.nb; column <= tile; column++)
        for (int across = 0; across < p.across; across++) {
            const int c0 = column * p.nb + across * COLUMNS, c1 = min(min(c0 + COLUMNS, (column + 1) * p.nb), end);
            const int r1 = min(min(lowest + 1, (tile + 1) * p.nb), end);
            if (c0 >= c1 || c1 <= first || r1 - 1 < c0) continue;
            total = sum(total, p.slots[(size_t)(column * p.across + across) * p.n + r]);
        }
    const int own = tile * p.nb + inside / COLUMNS * COLUMNS;
    for (int row = tile; row < p.tiles; row++)
        for (int down = 0; down < p.down; down++) {
            const int r0 = row * p.nb + down * ROWS, r1 = min(min(r0 + ROWS, (row + 1) * p.nb), end);
            if (r0 >= r1 || r1 <= first || r1 - 1 < own) continue;
            total = sum(total, p.slots[(size_t)(p.tiles * p.across + row * p.down + down) * p.n + r]);
        }
    return total;
}

static __global__ void __launch_bounds__(THREADS) combine_kernel(struct panel p, int c)
{
    __shared__ T coef[2 * 1024 / 8], sums[THREADS / 32];
    const int r = c + 1 + blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int parts = pieces(p.n - c - 1, ROWS);
    T dot = number(0);

    for (int j = threadIdx.x; j < 2 * c; j += THREADS) {
        T s = number(0);
        for (int i = 0; i < parts; i++)
            s = sum(s, p.part[(size_t)i * 2 * p.k + j]);
        coef[j] = s;
    }
    __syncthreads();
    if (r < p.n) {
        T w = gather(p, c, r);
#pragma unroll 4
        for (int j = 0; j < c; j++) {
            w = minus_product(w, *at(p, 0, r, j), coef[j]);
            w = minus_product(w, *at(p, 1, r, j), coef[c + j]);
        }
        w = product(p.tau[c], w);
        p.w[r] = w;
        dot = plus_dot(dot, w, *at(p, 0, r, c));
    }
    dot = warp_sum(dot);
    if (lane == 0) sums[warp] = dot;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < THREADS / 32; i++)
            dot = sum(dot, sums[i]);
        p.dot[blockIdx.x] = dot;
    }
}

/* ---- the panel --------------------------------------------------------------------------------------------------- */

static int one_column(const struct tw_cuda *q, const struct panel *p, int c)
{
    const int left = p->n - c, tiles = p->tiles - (p->skip + c + 1) / p->nb, wide = p->down * p->across;
    const int dot_rows = ((left - 1 + ROWS - 1) / ROWS + wide - 1) / wide;

    TW_TRY(launch(TW_CALL_latrd, q, dim3((unsigned)((left + THREADS - 1) / THREADS)), dim3(THREADS), column_kernel, *p,
                  c, 0));
    if (c >= p->k) return 0;
    TW_TRY(launch(TW_CALL_latrd, q, dim3((unsigned)wide, (unsigned)(dot_rows + tiles * (tiles + 1) / 2)),
                  dim3(32 * WARPS), product_kernel, *p, c, dot_rows));
    return launch(TW_CALL_latrd, q, dim3((unsigned)((left - 1 + THREADS - 1) / THREADS)), dim3(THREADS), combine_kernel,
                  *p, c);
}

int CUDA(latrd)(const struct tw_cuda *q, const struct tw_latrd *l, void *work)
{
    const struct tw_latrd_blocks b = tw_latrd_blocks(l->nb);
    const int count = l->tiles * (l->tiles + 1) / 2;
    const size_t pieces = (size_t)l->n / THREADS + 2;
    const struct tw_tiles tiles = {l->n, l->columns, l->nb, count, l->at};
    struct panel p = {};
    char *room = tw_work_aligned(work);

    struct tw_tile_at *list = (struct tw_tile_at *)room;
    room += (size_t)count * sizeof *list;
    p.norm = (double *)room;
    p.x = (T *)(p.norm + (pieces + 1) / 2 * 2);
    p.w = p.x + l->n;
    p.dot = p.w + l->n;
    p.part = p.dot + pieces;
    p.slots = p.part + pieces * 2 * (size_t)l->columns;
    p.n = l->n, p.nb = l->nb, p.skip = l->skip, p.tiles = l->tiles, p.k = tw_latrd_reflectors(l), p.ld = l->ld;
    p.down = b.down, p.across = b.across, p.at = list;
    p.vwv = (T *)l->vwv, p.tau = (T *)l->tau, p.d = (R *)l->d, p.e = (R *)l->e;
    TW_TRY(CUDA(tile_list)(q, &tiles, list));
    for (int c = 0; c < l->columns; c++)
        TW_TRY(one_column(q, &p, c));
    if (l->columns > p.k || p.k == 0) return 0; /* the last column's own round has completed W */
    return launch(TW_CALL_latrd, q, dim3((unsigned)((p.n - l->columns + THREADS - 1) / THREADS)), dim3(THREADS),
                  column_kernel, p, l->columns, 1);
}
