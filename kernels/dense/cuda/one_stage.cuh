/* What panels of the one-stage reductions share on a GPU. Every column (and row) of a panel needs a product of all that
 * is behind it with one vector, which is read from memory at its speed; what is small beside that are few launches,
 * spread over all multiprocessors, with loads that do not wait for one another. All scalars stay on the device. Sums
 * are of parts that have places of their own, in a fixed order: the same bits each time, and on each GPU.
 *
 *   step     row by row: the last product's parts become a column of X or Y, and the next vector is brought up to date
 *            with it and the columns before
 *   stream   the reflector of that vector, which every block finds by itself; a product with the matrix; the
 *            reflector's products with the panel's columns */
#ifndef TW_KERNELS_DENSE_CUDA_ONE_STAGE_CUH
#define TW_KERNELS_DENSE_CUDA_ONE_STAGE_CUH
#include "kernels/dense/cuda/element.cuh"
#include "kernels/dense/cuda/one_stage.h"

#define ROWS          TW_STREAM_ROWS
#define WARPS         (ROWS / 32)
#define PER           (ROWS / 32)             /* rows of a thread where a warp has a column */
#define AHEAD         (TW_IS_SINGLE ? 16 : 8) /* loads of a thread that are on their way */
#define BATCH         128
#define MOST          TW_PANEL_MOST
#define STRIP         TW_STRIP_ROWS
#define GROUPS        8 /* that share a strip's columns */
#define STRIP_THREADS (STRIP * GROUPS)
#define STRIP_WARPS   (STRIP_THREADS / 32)

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

/* ---- norms ------------------------------------------------------------------------------------------------------- */

/* Sums of squares as J. L. Blue's (ACM Trans. Math. Softw. 4, 1978): of what is very large, of what is very small, and
 * of the rest, so that none overflows or gets lost. */
struct squares {
    double large, usual, small;
};
#define LARGE 0x1p+490 /* from here on squares of many would overflow */
#define SMALL 0x1p-490 /* below, they would lose bits */
#define APART 0x1p+560 /* by which these are divided and multiplied */

static __device__ __forceinline__ void add_square(struct squares *s, double x)
{
    const double size = fabs(x);
    if (size > LARGE)
        s->large += (x / APART) * (x / APART);
    else if (size < SMALL)
        s->small += (x * APART) * (x * APART);
    else
        s->usual += x * x;
}
static __device__ __forceinline__ void add_squares_of(struct squares *s, T a)
{
#if TW_IS_COMPLEX
    add_square(s, a.x);
    add_square(s, a.y);
#else
    add_square(s, a);
#endif
}
static __device__ __forceinline__ struct squares warp_squares(struct squares s)
{
    s.large = warp_sum_of_doubles(s.large);
    s.usual = warp_sum_of_doubles(s.usual);
    s.small = warp_sum_of_doubles(s.small);
    return s;
}
/* Their root; NaN, and infinity, if one of the numbers was. */
static __device__ __forceinline__ double root_of(struct squares s)
{
    if (s.large > 0) return sqrt(s.large + s.usual / APART / APART) * APART; /* what is very small does not count */
    if (s.usual > 0) return sqrt(s.usual + s.small / APART / APART);
    return s.usual == 0 ? sqrt(s.small) / APART : s.usual;
}

/* ---- the reflector ----------------------------------------------------------------------------------------------- */

struct reflector {
    T tau;
    R beta;
    R first;  /* v's tail is x's, times a power of two, */
    T second; /* times this: each of them in range, where their product may not be */
};

/* LAPACK's larfg, of a vector that begins with alpha, the others' norm beside it. */
static __device__ struct reflector reflector_of(T alpha, double norm)
{
    struct reflector h;
#if TW_IS_COMPLEX
    const double re = alpha.x, im = alpha.y;
#else
    const double re = alpha, im = 0;
#endif
    const double largest = fmax(fmax(fabs(re), fabs(im)), norm);

    h.tau = h.second = number(0);
    h.beta = (R)re;
    h.first = 1;
    if (norm == 0 && im == 0) return h;
    if (!(largest < INFINITY) || re != re || im != im || norm != norm) { /* fmax is silent about NaN */
        h.beta = (R)NAN;
        h.tau = h.second = number((R)NAN);
#if TW_IS_COMPLEX
        h.tau.y = h.second.y = (R)NAN;
#endif
        return h;
    }
    const int e = ilogb(largest), half = -e / 2;
    const double a = scalbn(re, -e), b = scalbn(im, -e), c = scalbn(norm, -e),
                 beta = -copysign(sqrt(a * a + b * b + c * c), a), part = a - beta, size = part * part + b * b,
                 rest = scalbn(1.0, -e - half);
    h.beta = (R)scalbn(beta, e);
    h.first = (R)scalbn(1.0, half);
#if TW_IS_COMPLEX
    h.tau.x = (R)(-part / beta);
    h.tau.y = (R)(-b / beta);
    h.second.x = (R)(part / size * rest);
    h.second.y = (R)(-b / size * rest);
#else
    (void)size;
    h.tau = (R)(-part / beta);
    h.second = (R)(1 / part * rest);
#endif
    return h;
}

/* What a step leaves of the vector for it: x, by row; sums of squares of its tail, of each strip: large ones, usual
 * ones, small ones. */
struct vector {
    T *x;
    double *norm;
    int rows, head; /* v begins with a 1 in row `head` */
    int strips;     /* of rows from `head` on */
};
/* By the first warp. */
static __device__ struct reflector reflector_for(const struct vector &x)
{
    struct squares s = {0, 0, 0};

    for (int i = threadIdx.x % 32; i < x.strips; i += 32) {
        s.large += x.norm[i];
        s.usual += x.norm[x.strips + i];
        s.small += x.norm[2 * x.strips + i];
    }
    s = warp_squares(s);
    return reflector_of(x.x[x.head], root_of(s));
}
static __device__ __forceinline__ T element_of_v(const struct vector &x, const struct reflector &h, int r)
{
    return r == x.head ? number(1) : product(scaled(x.x[r], h.first), h.second);
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

/* Two matrices of as many rows, side by side, in what a panel has made so far. */
struct tall {
    const T *at[2];
    int ld, count[2]; /* columns */
};

/* The last product's parts. */
struct parts {
    const T *slot;
    int count, ld;
    T tau;
};

/* coef[j] = the sum of `count` parts, j by j, each warp its own j. */
static __device__ __forceinline__ void sum_parts(const T *part, int columns, int count, T *coef)
{
    const int lane = threadIdx.x % 32;
    for (int j = threadIdx.x / 32; j < columns; j += blockDim.x / 32) {
        T s = number(0);
#pragma unroll 4
        for (int i = lane; i < count; i += 32)
            s = sum(s, part[(size_t)j * count + i]);
        s = warp_sum(s);
        if (lane == 0) coef[j] = s;
    }
}

/* Row r (of a strip its own in each thread of a group): *f = tau (parts - B finish), *x = -(B next). Both are complete,
 * and right, in the first group's threads alone. */
static __device__ void step_row(const struct tall &b, const struct parts &p, bool mine, int r, const T *finish,
                                const T *next, T (*gathered)[GROUPS][STRIP], T *f, T *x)
{
    const int row = threadIdx.x % STRIP, group = threadIdx.x / STRIP;
    T done = number(0), behind = number(0);

    if (mine) {
#pragma unroll 4
        for (int i = group; i < p.count; i += GROUPS)
            done = sum(done, p.slot[(size_t)i * p.ld + r]);
        for (int m = 0, at = 0; m < 2; at += b.count[m], m++) {
            const T *column = b.at[m] + r;
#pragma unroll 8
            for (int j = group; j < b.count[m]; j += GROUPS) {
                const T e = column[(size_t)j * b.ld];
                done = minus_product(done, e, finish[at + j]);
                behind = minus_product(behind, e, next[at + j]);
            }
        }
    }
    gathered[0][group][row] = done;
    gathered[1][group][row] = behind;
    __syncthreads();
    *f = *x = number(0);
    if (group > 0) return;
    for (int g = 0; g < GROUPS; g++) {
        *f = sum(*f, gathered[0][g][row]);
        *x = sum(*x, gathered[1][g][row]);
    }
    *f = product(p.tau, *f);
}

/* The squares of a strip's numbers, one in each thread of the first group, to their place. All threads. */
static __device__ void leave_squares(const struct vector &x, int strip, bool counts, T a, struct squares *shared)
{
    struct squares s = {0, 0, 0};

    if (threadIdx.x < STRIP) {
        if (counts) add_squares_of(&s, a);
        s = warp_squares(s);
        if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = s;
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int w = 1; w < STRIP / 32; w++) {
        s.large += shared[w].large;
        s.usual += shared[w].usual;
        s.small += shared[w].small;
    }
    x.norm[strip] = s.large;
    x.norm[x.strips + strip] = s.usual;
    x.norm[2 * x.strips + strip] = s.small;
}

/* ---- a stream ---------------------------------------------------------------------------------------------------- */

/* A part of the matrix, by its rows and columns there; vectors have the places that these have less row0 and
 * column0. */
struct stream {
    const T *a;
    size_t ld;
    int row, rows, column, columns, row0, column0;
    struct tw_stream_cut cut;
    T *slot;
    int slot_ld;
};

/* Read once, and not kept: the panel's columns stay in the cache. */
static __device__ __forceinline__ T once(const T *a)
{
    return __ldcs(a);
}

/* Parts of A v: 256 rows, one of each thread, of block `across` of the columns. */
static __device__ void stream_plain(const struct stream &s, const struct vector &x, const struct reflector &h, int down,
                                    int across, T *v)
{
    const int row = (s.cut.first + down) * ROWS + (int)threadIdx.x, begin = across * s.cut.across,
              end = min(begin + s.cut.across, s.columns);
    const bool mine = row >= s.row && row < s.row + s.rows;
    T y = number(0);

    for (int from = begin; from < end; from += BATCH) {
        const int count = min(BATCH, end - from);
        __syncthreads();
        if ((int)threadIdx.x < count) v[threadIdx.x] = element_of_v(x, h, s.column + from + threadIdx.x - s.column0);
        __syncthreads();
        if (!mine) continue;
        const T *e = s.a + (size_t)(s.column + from) * s.ld + row;
        int j = 0;
        for (; j + AHEAD <= count; j += AHEAD) {
            T z[AHEAD];
#pragma unroll
            for (int i = 0; i < AHEAD; i++)
                z[i] = once(e + (size_t)(j + i) * s.ld);
#pragma unroll
            for (int i = 0; i < AHEAD; i++)
                y = plus_product(y, z[i], v[j + i]);
        }
        for (; j < count; j++)
            y = plus_product(y, once(e + (size_t)j * s.ld), v[j]);
    }
    if (mine) s.slot[(size_t)across * s.slot_ld + row - s.row0] = y;
}

/* Parts of A^H v: 256 rows of block `across` of the columns, two columns at a time of each warp. */
static __device__ void stream_adjoint(const struct stream &s, const struct vector &x, const struct reflector &h,
                                      int down, int across)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = (s.cut.first + down) * ROWS + lane;
    const int begin = across * s.cut.across, end = min(begin + s.cut.across, s.columns);
    const bool whole = row - lane >= s.row && row - lane + ROWS <= s.row + s.rows;
    T v[PER];

#pragma unroll
    for (int i = 0; i < PER; i++) {
        const int r = row + 32 * i;
        v[i] = r >= s.row && r < s.row + s.rows ? element_of_v(x, h, r - s.row0) : number(0);
    }
    for (int j = begin + 2 * warp; j < end; j += 2 * WARPS) {
        const bool both = j + 1 < end;
        const T *e = s.a + (size_t)(s.column + j) * s.ld + row, *f = both ? e + s.ld : e;
        T y[2] = {number(0), number(0)};
        if (whole) {
            T z[2][PER];
#pragma unroll
            for (int i = 0; i < PER; i++) {
                z[0][i] = once(e + 32 * i);
                z[1][i] = once(f + 32 * i);
            }
#pragma unroll
            for (int i = 0; i < PER; i++) {
                y[0] = plus_dot(y[0], z[0][i], v[i]);
                y[1] = plus_dot(y[1], z[1][i], v[i]);
            }
        } else {
#pragma unroll
            for (int i = 0; i < PER; i++) {
                const int r = row + 32 * i;
                if (r < s.row || r >= s.row + s.rows) continue;
                y[0] = plus_dot(y[0], once(e + 32 * i), v[i]);
                y[1] = plus_dot(y[1], once(f + 32 * i), v[i]);
            }
        }
        y[0] = warp_sum(y[0]);
        y[1] = warp_sum(y[1]);
        if (lane == 0) {
            T *to = s.slot + (size_t)down * s.slot_ld + (s.column + j - s.column0);
            to[0] = y[0];
            if (both) to[1] = y[1];
        }
    }
}

/* The reflector's products with the panel's columns, B^H v, of 256 rows: columns part, part + 4, … The sums' parts of a
 * column lie side by side. */
static __device__ void dots(const struct tall &b, const struct vector &x, const struct reflector &h, int piece,
                            int part_of_columns, T *part)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = piece * ROWS + lane,
              pieces = tw_pieces(x.rows, ROWS), count = b.count[0] + b.count[1];
    T v[PER];

#pragma unroll
    for (int i = 0; i < PER; i++) {
        const int r = row + 32 * i;
        v[i] = r >= x.head && r < x.rows ? element_of_v(x, h, r) : number(0);
    }
    for (int j = part_of_columns + TW_DOTS_PARTS * warp; j < count; j += TW_DOTS_PARTS * WARPS) {
        const T *e = (j < b.count[0] ? b.at[0] + (size_t)j * b.ld : b.at[1] + (size_t)(j - b.count[0]) * b.ld) + row;
        T s = number(0);
#pragma unroll
        for (int i = 0; i < PER; i++) {
            const int r = row + 32 * i;
            if (r >= x.head && r < x.rows) s = plus_dot(s, e[32 * i], v[i]);
        }
        s = warp_sum(s);
        if (lane == 0) part[(size_t)j * pieces + piece] = s;
    }
}
#endif
