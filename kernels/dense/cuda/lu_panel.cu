/* LU of a few columns with partial pivoting, by blocks that run together.
 *
 * LAPACK's rules: the pivot is the largest |re| + |im|, the first of equal ones; a NaN is the pivot only where it is
 * the first candidate; a zero pivot is passed over. No row moves before the end: each knows the position that the
 * exchanges have brought it to. A step's message of a block is its candidate and that row; one hop, and all know the
 * pivot and its row.
 *
 * A launch does several shares of columns, left-looking: a share catches up with the pivots before it when its turn
 * comes. Launches that stand beside products wait for places, so that fewer and longer ones are better. */
#include <float.h>
#include <limits.h>
#include <cuda_pipeline.h>
#include "kernels/dense/cuda/panel.cuh"

#define SAFE_MINIMUM (TW_IS_SINGLE ? (R)FLT_MIN : (R)DBL_MIN)

struct shared {
    uint4 candidate[WARPS]; /* key, its low word, position */
    T own[TW_PANEL_WIDEST], u[TW_PANEL_WIDEST], factor;
    bool by_itself; /* the column is divided by factor, not multiplied */
    int pivot;
};

/* Larger is better, 0 is none. */
static __device__ __forceinline__ word key_of(T x, bool first)
{
#if TW_IS_COMPLEX
    const R s = (TW_IS_SINGLE ? (R)fabsf((float)x.x) : (R)fabs((double)x.x)) +
                (TW_IS_SINGLE ? (R)fabsf((float)x.y) : (R)fabs((double)x.y));
#else
    const R s = TW_IS_SINGLE ? (R)fabsf((float)x) : (R)fabs((double)x);
#endif
    if (s != s) return first ? (word)UINT_MAX << 32 : 0;
#if TW_IS_SINGLE
    return (word)(__float_as_uint(s) + 1) << 32;
#else
    return (word)__double_as_longlong(s) + 1;
#endif
}

/* The best of a warp's candidates, the first of equal ones. */
static __device__ __forceinline__ void best_of_warp(word *key, unsigned *at)
{
    const unsigned high = (unsigned)(*key >> 32), low = (unsigned)*key, highest = __reduce_max_sync(EVERY, high);
    const unsigned lowest = TW_IS_SINGLE ? 0 : __reduce_max_sync(EVERY, high == highest ? low : 0);
    *at = __reduce_min_sync(EVERY, high == highest && low == lowest ? *at : UINT_MAX);
    *key = (word)highest << 32 | lowest;
}

/* How the column is divided by the pivot: by its reciprocal where that is in range. */
static __device__ __forceinline__ void prepare(struct shared *s, T pivot)
{
#if TW_IS_COMPLEX
    const bool safe = hypot((double)pivot.x, (double)pivot.y) >= (double)SAFE_MINIMUM;
#else
    const bool safe = !(fabs((double)pivot) < (double)SAFE_MINIMUM);
#endif
    s->by_itself = !safe && !is_zero(pivot);
    s->factor = is_zero(pivot) ? number(1) : safe ? quotient(number(1), pivot) : pivot;
}
static __device__ __noinline__ T divided(T x, T by)
{
    return quotient(x, by);
}

/* Row i of a thread to where its columns' order begins. */
template <int ROWS, int COLUMNS>
static __device__ __forceinline__ void lay_out(const struct part<ROWS, COLUMNS> &p, int i, T *to)
{
#define ROW(r)                                                                                                         \
    case r:                                                                                                            \
        for (int c = 0; c < COLUMNS; c++)                                                                              \
            to[p.column(c)] = p.a[r % ROWS][c];                                                                        \
        break;
    switch (i) {
        ROW(0) ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) default : if (ROWS > 8) switch (i)
        {
            ROW(8) ROW(9) ROW(10) ROW(11) ROW(12) ROW(13) ROW(14) ROW(15)
        }
    }
#undef ROW
}

/* A warp that has the block's candidate tells its row; all lanes call this. */
template <int ROWS, int COLUMNS>
static __device__ __forceinline__ void tell(struct shared *s, const struct part<ROWS, COLUMNS> &p, int j, int i,
                                            unsigned winner, struct message *slot, unsigned tag)
{
    const int lane = (int)threadIdx.x % 32;

    if (i >= 0) lay_out(p, i, gridDim.x == 1 ? s->u : s->own);
    __syncwarp();
    if (gridDim.x > 1) {
        if (lane < 4 * COLUMNS * WORDS) put(slot + 1 + lane, word_of(s->own[lane / WORDS], lane % WORDS), tag);
    } else if (lane == 0) {
        s->pivot = (int)winner;
        prepare(s, s->u[j]);
    }
}

/* Every warp finds the best of all blocks; the one that asked for its row gives it to the others. Rows are asked for
 * before it is known whose is wanted, as long as these are few. */
template <int WIDTH>
static __device__ __forceinline__ void hear(struct shared *s, int j, const struct message *step, unsigned tag)
{
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, blocks = (int)gridDim.x;
    const bool mine = lane < WIDTH * WORDS;
    word row[AHEAD], its_tag[AHEAD];
    word best = 0;
    unsigned at = UINT_MAX;
    int who = -1;

#pragma unroll
    for (int e = 0; e < AHEAD; e++)
        if (mine && warp + e * WARPS < blocks) {
            const struct message m = get(step + (size_t)(warp + e * WARPS) * TW_PANEL_STEP + 1 + lane);
            row[e] = m.payload, its_tag[e] = m.tag;
        }
    for (int b = lane; b < blocks; b += 32) {
        struct message m;
        do
            m = get(step + (size_t)b * TW_PANEL_STEP);
        while ((unsigned)(m.tag >> 32) != tag);
        if (m.payload > best || (m.payload == best && (unsigned)m.tag < at))
            best = m.payload, at = (unsigned)m.tag, who = b;
    }
    const unsigned candidate = at;
    best_of_warp(&best, &at);
    who = __shfl_sync(EVERY, who, __ffs((int)__ballot_sync(EVERY, candidate == at)) - 1);
    if (who % WARPS != warp) return;
    if (mine) {
        const struct message *from = step + (size_t)who * TW_PANEL_STEP + 1 + lane;
        struct message m = {0, 0};
#pragma unroll
        for (int e = 0; e < AHEAD; e++) {
            m.payload = who == warp + e * WARPS ? row[e] : m.payload;
            m.tag = who == warp + e * WARPS ? its_tag[e] : m.tag;
        }
        while (m.tag != tag)
            m = get(from);
        set_word(&s->u[lane / WORDS], lane % WORDS, m.payload);
    }
    __syncwarp();
    if (lane == 0) {
        s->pivot = (int)at;
        prepare(s, s->u[j]);
    }
}

/* All blocks have come here, and what they wrote before is there. */
static __device__ void meet(struct message *step, unsigned tag)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) put(step + (size_t)blockIdx.x * TW_PANEL_STEP, 0, (word)tag << 32);
    if (threadIdx.x < 32)
        for (int b = (int)threadIdx.x; b < (int)gridDim.x; b += 32)
            while ((unsigned)(get(step + (size_t)b * TW_PANEL_STEP).tag >> 32) != tag)
                ;
    __threadfence();
    __syncthreads();
}

/* The columns from `left` on catch up with the pivots before: U's rows of them are found by every block for itself, and
 * L U is taken off. from: the rows that these pivots' rows are in. */
template <int WIDTH> struct before {
    enum { MOST = (TW_LU_SHARES - 1) * WIDTH };
    T u[MOST][WIDTH + 1], l[WIDTH][MOST + 1]; /* l[column][row] */
};
template <int WIDTH>
static __device__ __forceinline__ void find_u(struct before<WIDTH> *s, int n, int left, const T *a, int64_t lda,
                                              const int *from)
{
    constexpr int SOLVED = WIDTH > WARPS ? WIDTH / WARPS : 1,
                  UPDATED = WIDTH * WIDTH > THREADS ? WIDTH * WIDTH / THREADS : 1;
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;

#pragma unroll 4
    for (int e = (int)threadIdx.x; e < left * WIDTH; e += THREADS) {
        const int t = e / WIDTH, c = e % WIDTH;
        s->u[t][c] = left + c < n ? __ldcg(&a[__ldcg(&from[t]) + (left + c) * lda]) : number(0);
    }
    for (int done = 0; done < left; done += WIDTH) {
        const int rest = left - done;
#pragma unroll 4
        for (int e = (int)threadIdx.x; e < rest * WIDTH; e += THREADS) {
            const int t = done + e / WIDTH, c = e % WIDTH;
            s->l[c][t] = __ldcg(&a[__ldcg(&from[t]) + (done + c) * lda]);
        }
        __syncthreads();
        if (lane < WIDTH && warp < WIDTH) { /* several columns at once, since each is a chain */
            T mine[SOLVED];
#pragma unroll
            for (int e = 0; e < SOLVED; e++)
                mine[e] = s->u[done + lane][warp + e * WARPS];
#pragma unroll 8
            for (int d = 0; d < WIDTH; d++) {
                const T l = s->l[d][done + lane];
#pragma unroll
                for (int e = 0; e < SOLVED; e++) {
                    const T next = minus_product(mine[e], l, shuffled_among<WIDTH>(mine[e], d));
                    mine[e] = lane > d ? next : mine[e];
                }
            }
#pragma unroll
            for (int e = 0; e < SOLVED; e++)
                s->u[done + lane][warp + e * WARPS] = mine[e];
        }
        __syncthreads();
        for (int top = done + WIDTH; top < left && (int)threadIdx.x < WIDTH * WIDTH; top += WIDTH) {
            const int c = (int)threadIdx.x % WIDTH, t = top + (int)threadIdx.x / WIDTH;
            T x[UPDATED];
#pragma unroll
            for (int e = 0; e < UPDATED; e++)
                x[e] = s->u[t + e * (THREADS / WIDTH)][c];
#pragma unroll 8
            for (int d = 0; d < WIDTH; d++) {
                const T u = s->u[done + d][c];
#pragma unroll
                for (int e = 0; e < UPDATED; e++)
                    x[e] = minus_product(x[e], s->l[d][t + e * (THREADS / WIDTH)], u);
            }
#pragma unroll
            for (int e = 0; e < UPDATED; e++)
                s->u[t + e * (THREADS / WIDTH)][c] = x[e];
        }
        __syncthreads();
    }
}

/* What catching up needs in shared memory; L's rows of this block arrive a few columns at a time. */
template <int ROWS, int COLUMNS> struct room {
    enum { HEIGHT = 8 * ROWS * WARPS, FEW_COLUMNS = COLUMNS };
    struct before<4 * COLUMNS> before;
    T rows[2][FEW_COLUMNS][HEIGHT];
};

template <int ROWS, int COLUMNS>
static __device__ __forceinline__ void bring_l(struct room<ROWS, COLUMNS> *s, int m, const T *a, int64_t lda, int from)
{
    constexpr int HEIGHT = room<ROWS, COLUMNS>::HEIGHT;
    const int top = (int)blockIdx.x * HEIGHT;

    for (int c = 0; c < COLUMNS; c++)
        for (int r = (int)threadIdx.x; r < HEIGHT && top + r < m; r += THREADS)
            __pipeline_memcpy_async(&s->rows[from / COLUMNS % 2][c][r], &a[top + r + (from + c) * lda], sizeof(T));
    __pipeline_commit();
}

template <int ROWS, int COLUMNS>
static __device__ __forceinline__ void catch_up(struct room<ROWS, COLUMNS> *s, struct part<ROWS, COLUMNS> &p,
                                                const int (&at)[ROWS], int m, int n, int left, const T *a, int64_t lda,
                                                const int *from)
{
    const int mine = p.row - (int)blockIdx.x * room<ROWS, COLUMNS>::HEIGHT;

    bring_l(s, m, a, lda, 0);
    find_u(&s->before, n, left, a, lda, from);
#pragma unroll 1
    for (int t = 0; t < left; t++) {
        T x[ROWS], u[COLUMNS];
        if (t % COLUMNS == 0) {
            __pipeline_wait_prior(0);
            __syncthreads();
            if (t + COLUMNS < left) bring_l(s, m, a, lda, t + COLUMNS);
        }
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            x[i] = at[i] >= left ? s->rows[t / COLUMNS % 2][t % COLUMNS][mine + 8 * i] : number(0);
#pragma unroll
        for (int c = 0; c < COLUMNS; c++)
            u[c] = s->before.u[t][p.group + 4 * c];
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int c = 0; c < COLUMNS; c++)
                p.a[i][c] = minus_product(p.a[i][c], x[i], u[c]);
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        if (at[i] >= 0 && at[i] < left)
#pragma unroll
            for (int c = 0; c < COLUMNS; c++)
                p.a[i][c] = s->before.u[at[i]][p.group + 4 * c];
}

/* The exchanges in one column, by a warp: all is read before anything is written. */
#define EACH ((TW_PANEL_WIDEST * TW_LU_SHARES + 31) / 32)
static __device__ __forceinline__ void exchange_column(T *column, int k, const int (&from)[EACH], const int (&to)[EACH])
{
    const int lane = (int)threadIdx.x % 32;
    T x[EACH], y[EACH];

#pragma unroll
    for (int e = 0; e < EACH; e++) {
        x[e] = from[e] >= 0 ? __ldcg(&column[from[e]]) : number(0);
        y[e] = to[e] >= 0 ? __ldcg(&column[lane + 32 * e]) : number(0);
    }
    __syncwarp();
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        if (from[e] >= 0) column[lane + 32 * e] = x[e];
        if (to[e] >= 0) column[to[e]] = y[e];
    }
}

/* k exchanges in `count` columns, by all blocks. */
static __device__ void exchange_all(int count, T *a, int64_t lda, int k, const int *moves)
{
    const int lane = (int)threadIdx.x % 32;
    int from[EACH], to[EACH];

#pragma unroll
    for (int e = 0; e < EACH; e++) {
        from[e] = lane + 32 * e < k ? __ldcg(&moves[lane + 32 * e]) : -1;
        to[e] = lane + 32 * e < k ? __ldcg(&moves[k + lane + 32 * e]) : -1;
    }
    for (int64_t j = (int64_t)blockIdx.x * WARPS + threadIdx.x / 32; j < count; j += (int64_t)gridDim.x * WARPS)
        exchange_column(a + j * lda, k, from, to);
}

template <int ROWS, int COLUMNS>
static __global__ void __launch_bounds__(THREADS, 1)
    lu_panel_kernel(int m, int n, T *a, int64_t lda, int first, int32_t *ipiv, int *moves, int count, T *all,
                    struct message *talk, unsigned tag)
{
    constexpr int QUARTER = ROWS / 4, WIDTH = 4 * COLUMNS;
    extern __shared__ __align__(16) char bytes[]; /* struct room */
    __shared__ struct shared s;
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, k = m < n ? m : n;
    const bool odd = lane & 8, upper = lane & 16;
    struct part<ROWS, COLUMNS> p;
    int at[ROWS]; /* positions: a row whose position is less than the step's is done; -2: there is none */

#pragma unroll
    for (int i = 0; i < ROWS; i++)
        at[i] = p.row + 8 * i < m ? p.row + 8 * i : -2;

#pragma unroll 1
    for (int left = 0; left < n; left += WIDTH) {
        p.load(m, n - left, a + left * lda, lda);
        if (left > 0) {
            if (gridDim.x > 1) {
                meet(talk + (size_t)(tag & 1) * TW_PANEL_BLOCKS * TW_PANEL_STEP, tag);
                tag++;
            } else {
                __syncthreads();
            }
            catch_up((struct room<ROWS, COLUMNS> *)bytes, p, at, m, n, left, a, lda, moves);
        }
#pragma unroll 1
        for (int top = left; top < n && top < left + WIDTH; top += 4) {
#pragma unroll 1
            for (int j = top; j < top + 4 && j < k; j++) {
                const int owner = j - top;
                struct message *step = talk + (size_t)(tag & 1) * TW_PANEL_BLOCKS * TW_PANEL_STEP;
                struct message *slot = step + (size_t)blockIdx.x * TW_PANEL_STEP;
                T x[ROWS], u[COLUMNS]; /* the column, the pivot's row */
                word key = 0;
                unsigned winner = UINT_MAX;
                int here = -1;

#pragma unroll
                for (int i = 0; i < ROWS; i++)
                    x[i] = shuffled(p.a[i][0], lane % 8 + 8 * owner);
#pragma unroll
                for (int e = 0; e < QUARTER; e++) { /* a group looks at a quarter of them */
                    const T mine = upper ? (odd ? x[3 * QUARTER + e] : x[2 * QUARTER + e])
                                   : odd ? x[QUARTER + e]
                                         : x[e];
                    const int position = upper ? (odd ? at[3 * QUARTER + e] : at[2 * QUARTER + e])
                                         : odd ? at[QUARTER + e]
                                               : at[e];
                    const word candidate = position >= j ? key_of(mine, position == j) : 0;
                    if (candidate > key || (candidate == key && candidate > 0 && (unsigned)position < winner))
                        key = candidate, winner = (unsigned)position;
                }
                best_of_warp(&key, &winner);
                if (lane == 0) s.candidate[warp] = make_uint4((unsigned)(key >> 32), (unsigned)key, winner, 0);
                __syncthreads();
                const uint4 c = lane < WARPS ? s.candidate[lane] : make_uint4(0, 0, UINT_MAX, 0);
                key = (word)c.x << 32 | c.y, winner = c.z;
                best_of_warp(&key, &winner);
                if (threadIdx.x == 0 && gridDim.x > 1) put(slot, key, (word)tag << 32 | winner);
#pragma unroll
                for (int i = 0; i < ROWS; i++)
                    if (at[i] == (int)winner) here = i;
                if (__any_sync(EVERY, here >= 0)) tell(&s, p, j - left, here, winner, slot, tag);
                if (gridDim.x > 1) hear<WIDTH>(&s, j - left, step, tag);
                tag++;
                __syncthreads();

                const int pivot = s.pivot;
                const bool by_itself = s.by_itself;
                const T factor = s.factor;
                if (blockIdx.x == 0 && threadIdx.x == 0) ipiv[j] = first + pivot + 1;
                if (here >= 0 && p.group == 0 && winner == (unsigned)pivot) moves[j] = p.row + 8 * here;
#pragma unroll
                for (int d = 0; d < COLUMNS; d++)
                    u[d] = s.u[p.column(d)];
#pragma unroll
                for (int i = 0; i < ROWS; i++)
                    x[i] = by_itself ? divided(x[i], factor) : product(x[i], factor);
#pragma unroll
                for (int i = 0; i < ROWS; i++) {
                    at[i] = at[i] == j ? pivot : at[i] == pivot ? j : at[i];
                    if (at[i] <= j) continue;
                    const T less = minus_product(p.a[i][0], x[i], u[0]);
                    p.a[i][0] = p.group == owner ? x[i] : p.group > owner ? less : p.a[i][0];
#pragma unroll
                    for (int d = 1; d < COLUMNS; d++)
                        p.a[i][d] = minus_product(p.a[i][d], x[i], u[d]);
                }
            }
            const int column = p.group + top;
#pragma unroll
            for (int i = 0; i < ROWS; i++)
                if (p.row + 8 * i < m && column < n) a[p.row + 8 * i + column * lda] = p.a[i][0];
            p.turn(); /* what was done is changed no more than it is read */
        }
    }

#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const int row = p.row + 8 * i;
        if (p.group != 0 || row >= m) continue;
        if (row < k) moves[k + row] = at[i] < k ? -1 : at[i];
    }
    if (count == 0) return;
    meet(talk + (size_t)(tag & 1) * TW_PANEL_BLOCKS * TW_PANEL_STEP, tag);
    exchange_all(count, all, lda, k, moves);
}

static __global__ void __launch_bounds__(THREADS) exchange_kernel(int n, T *a, int64_t lda, int k, const int *moves)
{
    exchange_all(n, a, lda, k, moves);
}

/* A few columns of B by a block: a square of 32 rows after the other, less what is known of it by then. X stays in
 * shared memory. */
#define SQUARE 32
#define LINES  (sizeof(T) == 16 ? 4 : 8)
static __global__ void __launch_bounds__(SQUARE *LINES)
    solve_kernel(int n1, int n2, const T *l, int64_t ldl, T *b, int64_t ldb)
{
    extern __shared__ char memory[];
    T(*x)[LINES] = (T(*)[LINES])memory;
    __shared__ T square[SQUARE][SQUARE + 1]; /* [column][row] */
    const int i = (int)threadIdx.x, c = (int)threadIdx.y;
    const int64_t column = (int64_t)blockIdx.x * LINES + c;
    /* of the square after this one: what follows the diagonal's is in the next row of squares */
    T next[SQUARE / LINES];

#pragma unroll
    for (int e = 0; e < SQUARE / LINES; e++)
        next[e] = i < n1 && c + LINES * e < n1 ? l[i + (c + LINES * e) * ldl] : number(0);
    for (int top = 0; top < n1; top += SQUARE) {
        const bool inside = top + i < n1 && column < n2;
        T mine = inside ? b[top + i + column * ldb] : number(0);
        for (int left = 0; left <= top; left += SQUARE) {
            const int row = (left < top ? top : top + SQUARE) + i, from = left < top ? left + SQUARE : 0;
            __syncthreads();
#pragma unroll
            for (int e = 0; e < SQUARE / LINES; e++) {
                square[c + LINES * e][i] = next[e];
                next[e] = row < n1 && from + c + LINES * e < n1 ? l[row + (from + c + LINES * e) * ldl] : number(0);
            }
            __syncthreads();
            if (left < top) {
#pragma unroll 8
                for (int d = 0; d < SQUARE; d++)
                    mine = minus_product(mine, square[d][i], x[left + d][c]);
            } else {
#pragma unroll 8
                for (int d = 0; d < SQUARE; d++) {
                    const T known = shuffled(mine, d);
                    if (i > d) mine = minus_product(mine, square[d][i], known);
                }
            }
        }
        if (top + i < n1) x[top + i][c] = mine;
        if (inside) b[top + i + column * ldb] = mine;
    }
}

/* ---- calls ---- */

#define ENOUGH 16 /* blocks that do the exchanges as fast as a launch of its own, which waits for its place */

int CUDA(panel_blocks)(void)
{
    int device = 0, together = 0, processors = 0, shared = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&together, cudaDevAttrCooperativeLaunch, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess)
        return 0;
    return together && shared >= (int)sizeof(struct room<MANY, FEW>) + 4096 ? tw_min(processors, TW_PANEL_BLOCKS) : 0;
}

int CUDA(lu_panel_width)(int m, int blocks)
{
    return TW_LU_SHARES * panel_width(m, blocks);
}

template <int ROWS, int COLUMNS>
static int panel(const struct tw_cuda *q, int m, int n, T *a, int lda, int first, int32_t *ipiv, int *moves, int count,
                 T *all, struct tw_panel_talk *talk)
{
    const size_t bytes = sizeof(struct room<ROWS, COLUMNS>);
    const unsigned tag = talk->tag;

    talk->tag += (unsigned)n + TW_LU_SHARES;
    TW_TRY(tw_cuda_status(TW_LIBRARY_CUDA, TW_TYPE, TW_CALL_getrf,
                          (int)cudaFuncSetAttribute(lu_panel_kernel<ROWS, COLUMNS>,
                                                    cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes)));
    return launch_together(TW_CALL_getrf, q, blocks_for(m, ROWS), bytes, lu_panel_kernel<ROWS, COLUMNS>, m, n, a,
                           (int64_t)lda, first, ipiv, moves, count, all, (struct message *)talk->memory, tag);
}

int CUDA(lu_panel)(const struct tw_cuda *q, int m, int n, T *a, int lda, int first, int32_t *ipiv, int *moves,
                   int count, T *all, int blocks, struct tw_panel_talk *talk)
{
    const bool more = blocks_for(m, MANY) > blocks;
    const int used = blocks_for(m, more ? 2 * MANY : MANY), alone = used >= ENOUGH ? 0 : count;

    TW_TRY((more ? panel<2 * MANY, FEW / 2> : panel<MANY, FEW>)(q, m, n, a, lda, first, ipiv, moves, count - alone, all,
                                                                talk));
    if (alone == 0) return 0;
    return launch(TW_CALL_laswp, q, dim3((unsigned)((alone + WARPS - 1) / WARPS)), dim3(THREADS), exchange_kernel,
                  alone, all, (int64_t)lda, n, (const int *)moves);
}

int CUDA(lu_solve)(const struct tw_cuda *q, int n1, int n2, const T *l, int ldl, T *b, int ldb)
{
    const size_t bytes = (size_t)n1 * LINES * sizeof(T);
    cudaLaunchConfig_t config = {};

    if (n1 <= 0 || n2 <= 0) return 0;
    config.gridDim = dim3((unsigned)((n2 + LINES - 1) / LINES));
    config.blockDim = dim3(SQUARE, LINES);
    config.dynamicSmemBytes = bytes;
    config.stream = (cudaStream_t)q->stream;
    return tw_cuda_status(TW_LIBRARY_CUDA, TW_TYPE, TW_CALL_trsm,
                          (int)cudaLaunchKernelEx(&config, solve_kernel, n1, n2, l, (int64_t)ldl, b, (int64_t)ldb));
}
