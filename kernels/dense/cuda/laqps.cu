/* A block of QR with column exchanges on a GPU (kernels/dense/cpu/laqps.c). Four launches a column:
 *
 *   choose   norms that cancelled are summed up; the largest one's column: the numbers and F's rows change places
 *   column   the exchange in the matrix; the column less what the reflectors before take from it; sums of its squares
 *   product  the reflector v; A^H v of all columns behind it, and V^H v of those before
 *   row      F's column from these; the row of R; the norms without it
 *
 * The product reads all that is left, at memory's speed: the others are small beside it where the matrix is large. All
 * scalars stay on the device. Sums are of parts that have places of their own, in a fixed order: the same bits each
 * time. Blocks never wait for one another.
 *
 * Where it may end before the last column (`stop`), the kernels of columns that are not taken find so and return. */
#include <float.h>
#include <math.h>
#include "kernels/dense/cuda/one_stage.cuh"
#include "kernels/launch.cuh"

extern "C" {
#include "kernels/dense/cuda/laqps.h"
}

#define PIECE         TW_LAQPS_PIECE
#define SOME          256 /* reflectors at a time */
#define CHOOSE_BLOCKS 256 /* on every GPU the same */
#define SCAN          1024
#define EPS           (TW_IS_SINGLE ? 0x1p-24 : 0x1p-53)

struct panel {
    const struct tw_tile_at *at;
    int m, n, mb, nb, mt, pieces, down; /* pieces: of a tile's rows; down: of all rows */
    int64_t column;                     /* the first one's place in the matrix */
    int64_t *fixed;                     /* so many of the matrix stay in front */
    int32_t *jpvt, *swap;
    T *tau;
    double *norm, *summed;
    int *count, *done, *marked; /* columns whose norms are to be summed up; blocks that have done their part of it */
    double *squares, *partial;  /* of a column; of the marked ones */
    struct tw_pivot_stop *stop; /* NULL: none */
    int *ended, *broken;        /* the column before which it ended; whose reflector is a NaN; -1: none */
    int64_t *info, columns;     /* of the routine; the matrix' */
    int strips;
    T *f, *x, *slot; /* F, n x k; a column; parts of the product, n x down */
};

static __device__ __forceinline__ T *element(const struct panel &p, int r, int c)
{
    const struct tw_tile_at t = p.at[r / p.mb + c / p.nb * p.mt];
    return (T *)t.ptr + r % p.mb + (size_t)(c % p.nb) * (size_t)t.ld;
}
static __device__ __forceinline__ T *f_at(const struct panel &p, int c, int j)
{
    return p.f + c + (size_t)j * p.n;
}
static __device__ __forceinline__ struct vector vector_of(const struct panel &p, int j)
{
    const struct vector x = {p.x, p.squares, p.m, j, p.strips};
    return x;
}
/* Column j of the block is this many behind those that stay in front: negative where it is one of them. */
static __device__ __forceinline__ long long free_from(const struct panel &p, int j)
{
    return (long long)p.column + j - (long long)*p.fixed;
}

/* Has it ended, or, before column `before`, been broken? Threads of a block find the same: *broken is set by a product,
 * which asks for the columns before its own. */
static __device__ __forceinline__ bool over(const struct panel &p, int before)
{
    return p.stop && (*p.ended >= 0 || (*p.broken >= 0 && *p.broken < before));
}

/* ---- the beginning ----------------------------------------------------------------------------------------------- */

/* One block: the list of columns that are to come first, and the numbers as their exchanges, one after another, leave
 * them. */
static __global__ void __launch_bounds__(SCAN) begin_kernel(struct panel p, int begins)
{
    __shared__ int of_warp[SCAN / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int total = 0;

    if (threadIdx.x == 0) *p.count = *p.done = 0, *p.ended = *p.broken = -1;
    if (!begins) return;
    for (int from = 0; from < p.n; from += SCAN) {
        const int c = from + (int)threadIdx.x;
        const bool first = c < p.n && p.jpvt[c] != 0;
        const unsigned which = __ballot_sync(0xffffffff, first);
        int before = total;

        if (c < p.n) p.jpvt[c] = c + 1;
        if (lane == 0) of_warp[warp] = __popc(which);
        __syncthreads();
        for (int w = 0; w < SCAN / 32; w++) {
            if (w < warp) before += of_warp[w];
            total += of_warp[w];
        }
        if (first) p.marked[before + __popc(which & ((1u << lane) - 1))] = c;
        __syncthreads();
    }
    if (threadIdx.x > 0) return;
    for (int f = 0; f < total; f++) {
        const int c = p.marked[f];
        if (c == f) continue;
        p.jpvt[c] = p.jpvt[f];
        p.jpvt[f] = c + 1;
    }
    *p.fixed = total;
}
static __global__ void __launch_bounds__(TW_BLOCK) front_kernel(struct panel p)
{
    const long long r = (long long)blockIdx.x * TW_BLOCK + threadIdx.x, count = *p.fixed;

    if (r >= p.m) return;
    for (int f = 0; f < count; f++) {
        const int c = p.marked[f];
        if (c == f) continue;
        T *one = element(p, (int)r, f), *other = element(p, (int)r, c);
        const T x = *one;
        *one = *other;
        *other = x;
    }
}

/* ---- what reflectors take from a column -------------------------------------------------------------------------- */

/* The sum of V(r, i) conj(F(c, i)), i < q, each thread with its strip's row r; complete, and right, in the first
 * group's threads alone. All threads. */
static __device__ T taken(const struct panel &p, bool mine, int r, int c, int q, T *next, T (*gathered)[STRIP])
{
    const int row = threadIdx.x % STRIP, group = threadIdx.x / STRIP;
    const T *v = NULL;
    size_t ld = 0;
    T s = number(0);

    if (mine) {
        const struct tw_tile_at t = p.at[r / p.mb];
        v = (const T *)t.ptr + r % p.mb, ld = (size_t)t.ld;
    }
    for (int from = 0; from < q; from += SOME) {
        const int count = min(SOME, q - from);
        __syncthreads();
        for (int i = threadIdx.x; i < count; i += STRIP_THREADS)
            next[i] = conjugate(*f_at(p, c, from + i));
        __syncthreads();
        if (!mine) continue;
#pragma unroll 8
        for (int i = group; i < count; i += GROUPS)
            s = plus_product(s, v[(size_t)(from + i) * ld], next[i]);
    }
    gathered[group][row] = s;
    __syncthreads();
    if (group == 0)
        for (int g = 1; g < GROUPS; g++)
            s = sum(s, gathered[g][row]);
    __syncthreads();
    return s;
}

/* ---- choose ------------------------------------------------------------------------------------------------------ */

/* The squares of all threads in its first thread. All threads. */
static __device__ struct squares together(struct squares s, struct squares *shared)
{
    s = warp_squares(s);
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < STRIP_WARPS; w++) {
            s.large += shared[w].large;
            s.usual += shared[w].usual;
            s.small += shared[w].small;
        }
    __syncthreads();
    return s;
}

struct choice {
    double norm;
    int at;
};
static __device__ __forceinline__ struct choice better(struct choice a, struct choice b)
{
    return b.norm > a.norm || (b.norm == a.norm && b.at < a.at) ? b : a;
}
/* The first one of the largest norms from column j on, as a loop finds it that begins with column j and takes what is
 * larger: a NaN is taken there alone. In the first thread; all threads. */
static __device__ int largest(const struct panel &p, int j, struct choice *shared)
{
    struct choice best = {-1, p.n};

    for (int c = j + (int)threadIdx.x; c < p.n; c += STRIP_THREADS) {
        const double norm = __ldcg(p.norm + c);
        if (norm > best.norm) best.norm = norm, best.at = c;
    }
    for (int by = 16; by > 0; by /= 2) {
        struct choice other;
        other.norm = __shfl_xor_sync(0xffffffff, best.norm, by);
        other.at = __shfl_xor_sync(0xffffffff, best.at, by);
        best = better(best, other);
    }
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < STRIP_WARPS; w++)
            best = better(best, shared[w]);
    const double own = __ldcg(p.norm + j);
    return own == own && best.at < p.n ? best.at : j;
}

/* Norms of columns as j reflectors leave them, from row j on. One by one, each by many blocks: sums of squares of a
 * strip each. Or, if there are many, each by one. */
static __device__ void sum_up(const struct panel &p, int j, bool all, int count, T *next, T (*gathered)[STRIP],
                              struct squares *shared)
{
    const bool few = count <= TW_LAQPS_FEW;
    const int first = j / STRIP, strips = p.strips - first, row = threadIdx.x % STRIP;
    const long long items = few ? (long long)count * strips : count;

    for (long long item = blockIdx.x; item < items; item += gridDim.x) {
        const int i = (int)(few ? item / strips : item), begin = few ? first + (int)(item % strips) : first,
                  end = few ? begin + 1 : p.strips, c = all ? j + i : p.marked[i];
        struct squares s = {0, 0, 0};
        for (int strip = begin; strip < end; strip++) {
            const int r = strip * STRIP + row;
            const bool mine = r >= j && r < p.m;
            const T less = taken(p, mine, r, c, j, next, gathered);
            if (mine && threadIdx.x < STRIP) add_squares_of(&s, minus_product(*element(p, r, c), number(1), less));
        }
        s = together(s, shared);
        if (threadIdx.x > 0) continue;
        if (few) {
            double *to = p.partial + 3 * ((size_t)i * p.strips + begin);
            to[0] = s.large, to[1] = s.usual, to[2] = s.small;
        } else {
            p.norm[c] = p.summed[c] = root_of(s);
        }
    }
}
/* By the last block to come here. A warp has a column. */
static __device__ void put_together(const struct panel &p, int j, bool all, int count)
{
    const int lane = threadIdx.x % 32;

    for (int i = threadIdx.x / 32; i < count; i += STRIP_WARPS) {
        const int c = all ? j + i : p.marked[i];
        struct squares s = {0, 0, 0};
        for (int strip = j / STRIP + lane; strip < p.strips; strip += 32) {
            const double *from = p.partial + 3 * ((size_t)i * p.strips + strip);
            s.large += __ldcg(from);
            s.usual += __ldcg(from + 1);
            s.small += __ldcg(from + 2);
        }
        s = warp_squares(s);
        if (lane == 0) p.norm[c] = p.summed[c] = root_of(s);
    }
    __syncthreads();
}

/* The first NaN among the norms from column j on, or p.n. All threads. */
static __device__ int first_nan(const struct panel &p, int j, int *shared)
{
    if (threadIdx.x == 0) *shared = p.n;
    __syncthreads();
    for (int c = j + (int)threadIdx.x; c < p.n; c += STRIP_THREADS) {
        const double norm = __ldcg(p.norm + c);
        if (norm == norm) continue;
        atomicMin(shared, c);
        break;
    }
    __syncthreads();
    return *shared;
}
/* Whether column j is one too many, as the CPUs' laqps has it. c: of the largest norm. */
static __device__ bool ends(const struct panel &p, int j, int c, int nan)
{
    struct tw_pivot_stop s = *p.stop;
    const int64_t at = p.column + j;

    s.k = at;
    s.largest = __ldcg(p.norm + c);
    if (!s.nan && nan < p.n) s.nan = p.column + nan + 1, s.largest = NAN;
    if (isinf(s.largest) && !s.inf) s.inf = p.column + c + 1;
    if (at == 0) s.first = s.largest;
    s.stopped = s.nan || at >= s.kmax || s.largest == 0 || s.largest <= s.abstol || s.largest <= s.reltol * s.first;
    *p.stop = s;
    return s.stopped;
}

/* last: the block is done, what is behind it only gets its norms. */
static __global__ void __launch_bounds__(STRIP_THREADS) choose_kernel(struct panel p, int j, int last)
{
    __shared__ T next[SOME], gathered[GROUPS][STRIP];
    __shared__ struct squares shared[STRIP_WARPS];
    __shared__ struct choice choices[STRIP_WARPS];
    __shared__ int place, nan;
    if (over(p, j)) return;
    const long long free_columns = free_from(p, j);
    const bool all = free_columns == 0 && !last;
    const int count = all ? p.n - j : *p.count;

    if (count > 0) {
        sum_up(p, j, all, count, next, gathered, shared);
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) place = atomicAdd(p.done, 1);
        __syncthreads();
        if (place < (int)gridDim.x - 1) return;
        __threadfence();
        if (count <= TW_LAQPS_FEW) put_together(p, j, all, count);
        if (threadIdx.x == 0) *p.count = *p.done = 0;
    } else if (blockIdx.x > 0) {
        return;
    }
    if (last) {
        if (p.stop && threadIdx.x == 0) p.stop->k = p.column + j;
        return;
    }
    const int found = free_columns >= 0 || p.stop ? largest(p, j, choices) : j,
              odd = p.stop ? first_nan(p, j, &nan) : p.n;
    if (threadIdx.x == 0) {
        place = free_columns >= 0 ? found : j;
        if (p.stop && ends(p, j, found, odd)) place = -1, *p.ended = j;
    }
    __syncthreads();
    const int c = place;
    if (c < 0) return;
    if (threadIdx.x == 0) p.swap[j] = c;
    if (c == j) return;
    for (int i = threadIdx.x; i < j; i += STRIP_THREADS) {
        const T x = *f_at(p, j, i);
        *f_at(p, j, i) = *f_at(p, c, i);
        *f_at(p, c, i) = x;
    }
    if (threadIdx.x > 0) return;
    const int32_t number_of = p.jpvt[j];
    p.jpvt[j] = p.jpvt[c];
    p.jpvt[c] = number_of;
    p.norm[c] = __ldcg(p.norm + j);
    p.summed[c] = __ldcg(p.summed + j);
}

/* ---- column ------------------------------------------------------------------------------------------------------ */

static __global__ void __launch_bounds__(STRIP_THREADS) column_kernel(struct panel p, int j)
{
    __shared__ T next[SOME], gathered[GROUPS][STRIP];
    __shared__ struct squares squares[STRIP / 32];
    if (over(p, j)) return;
    const int r = blockIdx.x * STRIP + threadIdx.x % STRIP, c = p.swap[j];
    const bool below = r >= j && r < p.m;
    const T less = taken(p, below, r, j, j, next, gathered);
    T x = number(0);

    if (threadIdx.x < STRIP && r < p.m) {
        T *own = element(p, r, j), *other = element(p, r, c);
        const T e = *other;
        if (c != j) *other = *own;
        if (!below) *own = e;
        if (below) p.x[r] = x = minus_product(e, number(1), less);
    }
    leave_squares(vector_of(p, j), blockIdx.x, below && r > j, x, squares);
}

static __device__ __forceinline__ bool is_nan(T a)
{
#if TW_IS_COMPLEX
    return a.x != a.x || a.y != a.y;
#else
    return a != a;
#endif
}

/* ---- product ----------------------------------------------------------------------------------------------------- */

/* Products of a piece of two columns with v, rows from `skip` on, a lane's part. KEPT: they are V's, which other
 * kernels read, too, and stay in the cache. */
template <bool KEPT>
static __device__ __forceinline__ void two_columns(const T *e, const T *f, const T *v, int skip, int rows, T (&y)[2])
{
    for (int from = skip / ROWS * ROWS; from < rows; from += ROWS) {
        const int lane = threadIdx.x % 32;
        if (from >= skip && from + ROWS <= rows) {
            T z[2][PER];
#pragma unroll
            for (int i = 0; i < PER; i++) {
                z[0][i] = KEPT ? e[from + 32 * i] : once(e + from + 32 * i);
                z[1][i] = KEPT ? f[from + 32 * i] : once(f + from + 32 * i);
            }
#pragma unroll
            for (int i = 0; i < PER; i++) {
                const T w = v[from + 32 * i + lane];
                y[0] = plus_dot(y[0], z[0][i], w);
                y[1] = plus_dot(y[1], z[1][i], w);
            }
        } else {
#pragma unroll
            for (int i = 0; i < PER; i++) {
                const int r = from + 32 * i + lane;
                if (r < skip || r >= rows) continue;
                const T w = v[r];
                y[0] = plus_dot(y[0], KEPT ? e[from + 32 * i] : once(e + from + 32 * i), w);
                y[1] = plus_dot(y[1], KEPT ? f[from + 32 * i] : once(f + from + 32 * i), w);
            }
        }
    }
}

/* The first blocks leave the reflector where it belongs; the others have a piece of rows, and columns `across` at a
 * time, of all but column j. */
static __global__ void __launch_bounds__(ROWS) product_kernel(struct panel p, int j, int across)
{
    __shared__ T v[PIECE];
    __shared__ struct reflector h;
    if (over(p, j)) return;
    const struct vector x = vector_of(p, j);
    const int number_of = (int)blockIdx.x - p.down, piece = number_of < 0 ? (int)blockIdx.x : number_of % p.down,
              tile = piece / p.pieces, first = tile * p.mb + piece % p.pieces * PIECE,
              rows = min(min(first + PIECE, (tile + 1) * p.mb), p.m) - first, skip = max(j - first, 0),
              lane = threadIdx.x % 32;

    if (threadIdx.x < 32) {
        const struct reflector mine = reflector_for(x);
        if (threadIdx.x == 0) h = mine;
    }
    __syncthreads();
    if (number_of < 0) {
        for (int i = threadIdx.x; i < rows; i += ROWS) {
            const int r = first + i;
            if (r >= j) *element(p, r, j) = r > j ? element_of_v(x, h, r) : number(h.beta);
            if (r != j) continue;
            p.tau[j] = h.tau;
            if (p.stop && is_nan(h.tau)) *p.broken = j;
        }
        return;
    }
    for (int i = threadIdx.x; i < rows; i += ROWS)
        if (i >= skip) v[i] = element_of_v(x, h, first + i);
    __syncthreads();

    const int begin = number_of / p.down * across, end = min(begin + across, p.n - 1),
              inside = piece % p.pieces * PIECE;
    for (int q = begin + 2 * (int)(threadIdx.x / 32); q < end; q += 2 * WARPS) {
        const bool both = q + 1 < end;
        const int one = q < j ? q : q + 1, two = !both ? one : q + 1 < j ? q + 1 : q + 2;
        const struct tw_tile_at a = p.at[tile + one / p.nb * p.mt], b = p.at[tile + two / p.nb * p.mt];
        const T *e = (const T *)a.ptr + inside + lane + (size_t)(one % p.nb) * (size_t)a.ld,
                *f = (const T *)b.ptr + inside + lane + (size_t)(two % p.nb) * (size_t)b.ld;
        T y[2] = {number(0), number(0)};
        if (one < j)
            two_columns<true>(e, f, v, skip, rows, y);
        else
            two_columns<false>(e, f, v, skip, rows, y);
        y[0] = warp_sum(y[0]);
        y[1] = warp_sum(y[1]);
        if (lane > 0) continue;
        T *to = p.slot + (size_t)piece * p.n;
        to[one] = y[0];
        if (both) to[two] = y[1];
    }
}

/* ---- row --------------------------------------------------------------------------------------------------------- */

static __device__ double absolute_of(T a)
{
#if TW_IS_COMPLEX
    return hypot((double)a.x, (double)a.y);
#else
    return fabs((double)a);
#endif
}
/* Column c's element in the row that is done now is e: its norm is that of the rows below. */
static __device__ void without(const struct panel &p, int c, T e)
{
    const double norm = p.norm[c], t = absolute_of(e) / norm, rest = fmax(0.0, (1 + t) * (1 - t)),
                 shrunk = norm / p.summed[c];

    if (norm == 0) return;
    if (!(rest * shrunk * shrunk <= sqrt(EPS)))
        p.norm[c] = norm * sqrt(rest);
    else
        p.marked[atomicAdd(p.count, 1)] = c;
}

/* A thread has a row of F, that is, a column of the matrix, with those of other groups. */
static __global__ void __launch_bounds__(STRIP_THREADS) row_kernel(struct panel p, int j)
{
    __shared__ T finish[SOME], next[SOME], gathered[2][GROUPS][STRIP];
    const int column = threadIdx.x % STRIP, group = threadIdx.x / STRIP, c = j + 1 + blockIdx.x * STRIP + column;
    const bool mine = c < p.n;
    T done = number(0), behind = number(0);

    if (over(p, j + 1)) return;
    if (mine) {
#pragma unroll 4
        for (int i = group; i < p.down; i += GROUPS)
            done = sum(done, p.slot[(size_t)i * p.n + c]);
    }
    for (int from = 0; from < j; from += SOME) {
        const int count = min(SOME, j - from);
        __syncthreads();
        for (int i = threadIdx.x; i < count; i += STRIP_THREADS) {
            T s = number(0);
#pragma unroll 4
            for (int d = 0; d < p.down; d++)
                s = sum(s, p.slot[(size_t)d * p.n + from + i]);
            finish[i] = s;
            next[i] = conjugate(*element(p, j, from + i));
        }
        __syncthreads();
        if (!mine) continue;
#pragma unroll 8
        for (int i = group; i < count; i += GROUPS) {
            const T e = *f_at(p, c, from + i);
            done = minus_product(done, e, finish[i]);
            behind = minus_product(behind, e, next[i]);
        }
    }
    gathered[0][group][column] = done;
    gathered[1][group][column] = behind;
    __syncthreads();
    if (group > 0 || !mine) return;
    for (int g = 1; g < GROUPS; g++) {
        done = sum(done, gathered[0][g][column]);
        behind = sum(behind, gathered[1][g][column]);
    }
    const T f = product(p.tau[j], done);
    T *to = element(p, j, c);
    const T e = sum(*to, conjugate(minus_product(behind, number(1), f)));
    *f_at(p, c, j) = f;
    *to = e;
    if (free_from(p, j) >= 0) without(p, c, e);
}

/* ---- the end before the last column ---- */

/* It ended, after j of its k columns: what they owe the others in the block and the first row of tiles is subtracted
 * here, and F's further columns are zeros. A broken column's exchange stays, for the rows above. */
static __global__ void __launch_bounds__(STRIP_THREADS) leave_kernel(struct panel p, int k)
{
    __shared__ T next[SOME], gathered[GROUPS][STRIP];
    const bool broken = *p.ended < 0;
    const int j = broken ? *p.broken : *p.ended, strips = p.strips - j / STRIP;

    if (j < 0) return;
    if (blockIdx.x == 0) {
        for (int c = j + (int)threadIdx.x; c < k; c += STRIP_THREADS) {
            if (c > j || !broken) p.swap[c] = c;
            p.tau[c] = number(0);
        }
        if (threadIdx.x == 0) {
            struct tw_pivot_stop *s = p.stop;
            if (broken) s->k = p.column + j, s->nan = p.column + j + 1, s->largest = NAN, s->stopped = 1;
            const int64_t info = s->nan ? s->nan : s->inf ? p.columns + s->inf : 0;
            if (info > 0 && (*p.info == 0 || info < *p.info)) *p.info = info;
        }
    }
    for (long long e = (long long)blockIdx.x * STRIP_THREADS + threadIdx.x; e < (long long)(k - j) * p.n;
         e += (long long)gridDim.x * STRIP_THREADS)
        *f_at(p, (int)(e % p.n), j + (int)(e / p.n)) = number(0);
    for (long long item = blockIdx.x; j > 0 && item < (long long)(p.n - j) * strips; item += gridDim.x) {
        const int c = j + (int)(item / strips), strip = j / STRIP + (int)(item % strips),
                  end = c < k ? p.m : min(p.mb, p.m), r = strip * STRIP + threadIdx.x % STRIP;
        if (strip * STRIP >= end) continue;
        const bool mine = r >= j && r < end;
        const T less = taken(p, mine, r, c, j, next, gathered);
        if (!mine || threadIdx.x >= STRIP) continue;
        T *to = element(p, r, c);
        *to = minus_product(*to, number(1), less);
    }
}

/* ---- the block --------------------------------------------------------------------------------------------------- */

static int one_column(const struct tw_cuda *q, const struct panel *p, int j)
{
    const unsigned strips = (unsigned)p->strips, down = (unsigned)p->down, behind = (unsigned)(p->n - j - 1);
    const int across = tw_laqps_across(p->n - 1, p->down);
    const unsigned items = p->n > 1 ? down * (unsigned)tw_pieces(p->n - 1, across) : 0;

    TW_TRY(launch(TW_CALL_laqps, q, dim3(CHOOSE_BLOCKS), dim3(STRIP_THREADS), choose_kernel, *p, j, 0));
    TW_TRY(launch(TW_CALL_laqps, q, dim3(strips), dim3(STRIP_THREADS), column_kernel, *p, j));
    TW_TRY(launch(TW_CALL_laqps, q, dim3(down + items), dim3(ROWS), product_kernel, *p, j, across));
    if (behind == 0) return 0;
    return launch(TW_CALL_laqps, q, dim3((behind + STRIP - 1) / STRIP), dim3(STRIP_THREADS), row_kernel, *p, j);
}

int CUDA(laqps)(const struct tw_cuda *q, const struct tw_tile_grid *a, int k, int begins, int64_t column,
                int64_t *fixed, int32_t *jpvt, int32_t *swap, void *tau, void *f, double *norm, double *summed,
                void *work, int64_t columns, struct tw_pivot_stop *stop, int64_t *info)
{
    const int nt = tw_pieces(a->n, a->nb);
    const struct tw_tiles tiles = {a->m, a->n, a->mb, a->mt * nt, a->at};
    struct tw_tile_at *list = (struct tw_tile_at *)tw_work_aligned(work);
    struct panel p = {};

    p.at = list, p.m = a->m, p.n = a->n, p.mb = a->mb, p.nb = a->nb, p.mt = a->mt;
    p.pieces = tw_laqps_pieces(a->mb), p.down = a->mt * p.pieces;
    p.column = column, p.fixed = fixed, p.jpvt = jpvt, p.swap = swap, p.tau = (T *)tau, p.norm = norm;
    p.summed = summed, p.f = (T *)f, p.strips = tw_pieces(a->m, STRIP);
    p.squares = (double *)(list + a->mt * nt);
    p.partial = p.squares + 3 * (size_t)p.strips;
    p.slot = (T *)(p.partial + ((size_t)3 * TW_LAQPS_FEW * p.strips + p.strips % 2));
    p.x = p.slot + (size_t)p.n * p.down;
    p.count = (int *)(p.x + p.m), p.done = p.count + 1, p.ended = p.count + 2, p.broken = p.count + 3;
    p.marked = p.count + 4, p.stop = stop, p.info = info, p.columns = columns;
    TW_TRY(CUDA(tile_list)(q, &tiles, list));
    TW_TRY(launch(TW_CALL_laqps, q, dim3(1), dim3(SCAN), begin_kernel, p, begins));
    if (begins)
        TW_TRY(launch(TW_CALL_laqps, q, dim3((unsigned)tw_pieces(p.m, TW_BLOCK)), dim3(TW_BLOCK), front_kernel, p));
    for (int j = 0; j < k; j++)
        TW_TRY(one_column(q, &p, j));
    TW_TRY(launch(TW_CALL_laqps, q, dim3(CHOOSE_BLOCKS), dim3(STRIP_THREADS), choose_kernel, p, k, 1));
    return stop ? launch(TW_CALL_laqps, q, dim3(CHOOSE_BLOCKS), dim3(STRIP_THREADS), leave_kernel, p, k) : 0;
}
