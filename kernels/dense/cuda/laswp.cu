/* Row exchanges by pivots that lie on the device.
 *
 * A chain of exchanges is one permutation of at most 2 k rows. Each block finds it in shared memory and then moves
 * whole sets of rows at once, a column at a time: every element is read and written once, with no chain of dependent
 * accesses to memory. */
#include "kernels/launch.cuh"

#define CHUNK   256 /* pivots of one launch; threads of a block */
#define COLUMNS 4   /* at a time */

/* Slots 0 ... k-1 are the rows first ... first + k - 1, slot k + i the row of pivot i, if it lies elsewhere and no
 * pivot before i names it. row: what row a slot is; from: the slot whose content comes here. */
static __device__ void find_permutation(bool forward, int m, int first, int base, int k, const int32_t *ipiv, int *row,
                                        int *from, int *target)
{
    const int t = (int)threadIdx.x;
    int pivot = t < k ? ipiv[t] : 0;
    pivot = pivot > base ? pivot - base : 0;

    pivot = pivot < 1 || pivot > m ? first + t : pivot - 1; /* out of range: no exchange */
    row[t] = t < k ? first + t : -1;
    row[CHUNK + t] = t < k && (pivot < first || pivot >= first + k) ? pivot : -1;
    from[t] = t;
    from[CHUNK + t] = CHUNK + t;
    __syncthreads();
    if (t < k) {
        int slot = pivot - first;
        if (row[CHUNK + t] >= 0)
            for (slot = CHUNK; row[slot] != pivot; slot++) /* ends at CHUNK + t at the latest */
                ;
        target[t] = slot;
    }
    __syncthreads();
    if (t < k && target[t] >= CHUNK && target[t] != CHUNK + t) row[CHUNK + t] = -1;
    if (t == 0)
        for (int s = 0; s < k; s++) {
            int i = forward ? s : k - 1 - s, p = target[i], x = from[i];
            from[i] = from[p];
            from[p] = x;
        }
    __syncthreads();
}

static __global__ void __launch_bounds__(CHUNK)
    laswp_kernel(bool forward, int m, int n, T *a, int64_t lda, int first, int k, const int32_t *ipiv)
{
    __shared__ int row[2 * CHUNK], from[2 * CHUNK], target[CHUNK];
    find_permutation(forward, m, first, 0, k, ipiv + first, row, from, target);

    /* This thread fills two slots. */
    const int s[2] = {(int)threadIdx.x, CHUNK + (int)threadIdx.x};
    int to[2], source[2];
    for (int e = 0; e < 2; e++) {
        to[e] = row[s[e]] >= 0 && from[s[e]] != s[e] ? row[s[e]] : -1;
        source[e] = to[e] >= 0 ? row[from[s[e]]] : 0;
    }
    for (int64_t j0 = (int64_t)blockIdx.x * COLUMNS; j0 < n; j0 += (int64_t)gridDim.x * COLUMNS) {
        const int columns = n - j0 < COLUMNS ? (int)(n - j0) : COLUMNS;
        T x[2][COLUMNS];
#pragma unroll
        for (int c = 0; c < COLUMNS; c++)
            for (int e = 0; e < 2; e++)
                if (c < columns && to[e] >= 0) x[e][c] = a[source[e] + (j0 + c) * lda];
        __syncthreads(); /* all is read before anything is written */
#pragma unroll
        for (int c = 0; c < COLUMNS; c++)
            for (int e = 0; e < 2; e++)
                if (c < columns && to[e] >= 0) a[to[e] + (j0 + c) * lda] = x[e][c];
    }
}

/* Pointers travel as parameters of a kernel: no copy from memory of the host, which might be gone when it runs. */
#define LIST_PART 128
struct list_part {
    struct tw_tile_at at[LIST_PART];
};
static __global__ void __launch_bounds__(LIST_PART)
    tile_list_kernel(struct list_part part, int count, struct tw_tile_at *list)
{
    if ((int)threadIdx.x < count) list[threadIdx.x] = part.at[threadIdx.x];
}

int CUDA(tile_list)(const struct tw_cuda *q, const struct tw_tiles *a, struct tw_tile_at *list)
{
    for (int from = 0; from < a->count; from += LIST_PART) {
        struct list_part part = {};
        const int count = tw_min(LIST_PART, a->count - from);
        for (int i = 0; i < count; i++)
            part.at[i] = a->at[from + i];
        TW_TRY(launch(TW_CALL_laswp, q, dim3(1), dim3(LIST_PART), tile_list_kernel, part, count, list + from));
    }
    return 0;
}

/* ---- in tiles ---------------------------------------------------------------------------------------------------- */

/* The permutation of up to TW_LASWP_MOST exchanges, found by one block: row to[e] gets what row from[e] has, e < 2 k;
 * to[e] < 0: nothing. Exchange t is of row first + t and row p(t). As LU makes them, p(t) is not above row first + t,
 * and all of them are looked at side by side:
 *   what comes to row first + t is what row p(t) has at that moment: what the last exchange before with the same p left
 *   there, or what was there at first; exchange t leaves there what its own row had: what the last exchange before left
 *   in that row, which had come to its own row so, and so on: the root of a tree.
 * A caller's own pivots may be anything; then one thread goes through them. */
static __global__ void __launch_bounds__(TW_LASWP_MOST)
    permutation_kernel(bool forward, int m, int first, int base, int k, const int32_t *ipiv, int *to, int *from)
{
    __shared__ __align__(16) int p[TW_LASWP_MOST];
    __shared__ int up[TW_LASWP_MOST], content[2 * TW_LASWP_MOST];
    const int t = (int)threadIdx.x, own = first + t;
    int pivot = t < k ? ipiv[t] : 0, before = -1, head = t, put[2] = {-1, -1}, got[2] = {-1, -1};
    bool last = true;

    pivot = pivot > base ? pivot - base : 0;
    pivot = pivot < 1 || pivot > m ? own : pivot - 1; /* out of range: no exchange */
    p[t] = t < k ? pivot : -1 - t;
    up[t] = -1;
    const bool inside = pivot >= first && pivot < first + k;
    const bool any_order = __syncthreads_or(t < k && inside && pivot < own);
    for (int j = 0; j < k; j += 4) {
        const int4 others = *(const int4 *)&p[j];
        const int other[4] = {others.x, others.y, others.z, others.w};
#pragma unroll
        for (int e = 0; e < 4; e++)
            if (other[e] == pivot) {
                if (j + e < t) before = j + e, head = head < j + e ? head : j + e;
                if (j + e > t) last = false;
            }
    }
    if (!any_order) {
        if (t < k && inside && pivot != own) atomicMax(&up[pivot - first], t);
        __syncthreads();
        content[t] = up[t] >= 0 ? up[t] : t;
        __syncthreads();
        for (int length = 1; length < k; length *= 2) {
            const int further = content[content[t]];
            __syncthreads();
            content[t] = further;
            __syncthreads();
        }
        if (t < k) {
            put[0] = own, got[0] = pivot == own ? first + content[t] : before >= 0 ? first + content[before] : pivot;
            if (!inside && last) put[1] = pivot, got[1] = first + content[t];
        }
    } else {
        content[t] = t, content[TW_LASWP_MOST + t] = TW_LASWP_MOST + t;
        /* a row further down has the place of the first exchange that names it */
        up[t] = inside ? pivot - first : TW_LASWP_MOST + head;
        __syncthreads();
        for (int i = 0; t == 0 && i < k; i++) {
            const int x = content[i];
            content[i] = content[up[i]];
            content[up[i]] = x;
        }
        __syncthreads();
        for (int e = 0; e < 2 && t < k; e++) {
            const int c = content[e * TW_LASWP_MOST + t];
            if (e == 1 && (inside || head != t)) continue;
            put[e] = e ? pivot : own, got[e] = c < TW_LASWP_MOST ? first + c : p[c - TW_LASWP_MOST];
        }
    }
    for (int e = 0; e < 2 && t < k; e++) { /* the other way round it is the inverse */
        to[e * k + t] = put[e] == got[e] ? -1 : forward ? put[e] : got[e];
        from[e * k + t] = forward ? got[e] : put[e];
    }
}

#define MOVERS 512 /* threads of a block that moves rows */
#define EACH   (2 * TW_LASWP_MOST / MOVERS)

/* count rows move, a few columns at a time: every element is read and written once. list: NULL where `part` has all
 * tiles. */
static __global__ void __launch_bounds__(MOVERS)
    move_kernel(int n, int mb, const __grid_constant__ struct list_part part, const struct tw_tile_at *list, int count,
                const int *to, const int *from)
{
    T *put[EACH];
    const T *got[EACH];
    int64_t put_ld[EACH], got_ld[EACH];

#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const int at = (int)threadIdx.x + e * MOVERS, p = at < count ? to[at] : -1, g = p >= 0 ? from[at] : 0;
        put[e] = NULL, got[e] = NULL, put_ld[e] = got_ld[e] = 0;
        if (p < 0) continue;
        const struct tw_tile_at a = list ? list[p / mb] : part.at[p / mb], b = list ? list[g / mb] : part.at[g / mb];
        put[e] = (T *)a.ptr + p % mb, put_ld[e] = a.ld;
        got[e] = (const T *)b.ptr + g % mb, got_ld[e] = b.ld;
    }
    for (int64_t j0 = (int64_t)blockIdx.x * COLUMNS; j0 < n; j0 += (int64_t)gridDim.x * COLUMNS) {
        const int columns = n - j0 < COLUMNS ? (int)(n - j0) : COLUMNS;
        T x[EACH][COLUMNS];
#pragma unroll
        for (int e = 0; e < EACH; e++)
#pragma unroll
            for (int c = 0; c < COLUMNS; c++)
                if (c < columns && put[e]) x[e][c] = got[e][(j0 + c) * got_ld[e]];
        __syncthreads(); /* all is read before anything is written */
#pragma unroll
        for (int e = 0; e < EACH; e++)
#pragma unroll
            for (int c = 0; c < COLUMNS; c++)
                if (c < columns && put[e]) put[e][(j0 + c) * put_ld[e]] = x[e][c];
    }
}

int CUDA(laswp_tiles)(const struct tw_cuda *q, char direct, const struct tw_tiles *a, void *work, int first, int base,
                      int k, const int32_t *ipiv)
{
    const int rows = tw_min(k, a->m - first), chunks = (rows + TW_LASWP_MOST - 1) / TW_LASWP_MOST,
              blocks = (int)((a->n + (COLUMNS - 1LL)) / COLUMNS);
    int *to = (int *)work, *from = to + 2 * TW_LASWP_MOST;
    struct tw_tile_at *list = a->count > LIST_PART ? (struct tw_tile_at *)(from + 2 * TW_LASWP_MOST) : NULL;
    struct list_part part = {};

    if (rows <= 0 || a->n <= 0) return 0;
    if (list) TW_TRY(CUDA(tile_list)(q, a, list));
    for (int i = 0; !list && i < a->count; i++)
        part.at[i] = a->at[i];
    for (int c = 0; c < chunks; c++) {
        const int at = (direct == 'F' ? c : chunks - 1 - c) * TW_LASWP_MOST, these = tw_min(TW_LASWP_MOST, rows - at);
        TW_TRY(launch(TW_CALL_laswp, q, dim3(1), dim3(TW_LASWP_MOST), permutation_kernel, direct == 'F', a->m,
                      first + at, base, these, ipiv + at, to, from));
        TW_TRY(launch(TW_CALL_laswp, q, dim3((unsigned)tw_min(blocks, 1024)), dim3(MOVERS), move_kernel, a->n, a->mb,
                      part, (const struct tw_tile_at *)list, 2 * these, (const int *)to, (const int *)from));
    }
    return 0;
}

/* Columns of a row of tiles: the same with columns for rows, a few rows at a time. */
static __global__ void __launch_bounds__(CHUNK)
    swap_columns_kernel(int rows, int columns, int nb, const struct tw_tile_at *list, int first, int base, int k,
                        const int32_t *swap)
{
    __shared__ int column[2 * CHUNK], from[2 * CHUNK], target[CHUNK];
    find_permutation(true, columns, first, base, k, swap, column, from, target);

    const int s[2] = {(int)threadIdx.x, CHUNK + (int)threadIdx.x};
    T *to[2] = {NULL, NULL}, *source[2] = {NULL, NULL};
    for (int e = 0; e < 2; e++) {
        const int c = column[s[e]];
        if (c < 0 || from[s[e]] == s[e]) continue;
        const int f = column[from[s[e]]];
        to[e] = (T *)list[c / nb].ptr + c % nb * list[c / nb].ld;
        source[e] = (T *)list[f / nb].ptr + f % nb * list[f / nb].ld;
    }
    for (int64_t i0 = (int64_t)blockIdx.x * COLUMNS; i0 < rows; i0 += (int64_t)gridDim.x * COLUMNS) {
        const int count = rows - i0 < COLUMNS ? (int)(rows - i0) : COLUMNS;
        T x[2][COLUMNS];
#pragma unroll
        for (int r = 0; r < COLUMNS; r++)
            for (int e = 0; e < 2; e++)
                if (r < count && to[e]) x[e][r] = source[e][i0 + r];
        __syncthreads(); /* all is read before anything is written */
#pragma unroll
        for (int r = 0; r < COLUMNS; r++)
            for (int e = 0; e < 2; e++)
                if (r < count && to[e]) to[e][i0 + r] = x[e][r];
    }
}

int CUDA(swap_columns)(const struct tw_cuda *q, const struct tw_tiles *a, const struct tw_tile_at *list, int first,
                       int k, const int32_t *swap)
{
    const int blocks = (int)((a->n + (COLUMNS - 1LL)) / COLUMNS);
    if (a->n <= 0) return 0;
    for (int at = 0; at < k; at += CHUNK) /* a swap of 0 is the block's first column: the pivot 1 + first */
        TW_TRY(launch(TW_CALL_laswp, q, dim3((unsigned)tw_min(blocks, 1024)), dim3(CHUNK), swap_columns_kernel, a->n,
                      a->m, a->mb, list, first + at, -(first + 1), tw_min(CHUNK, k - at), swap + at));
    return 0;
}

static __global__ void __launch_bounds__(CHUNK) shift_kernel(int k, int by, int32_t *ipiv)
{
    const int64_t i = (int64_t)blockIdx.x * CHUNK + threadIdx.x;
    if (i < k) ipiv[i] += by;
}

int CUDA(shift_pivots)(const struct tw_cuda *q, int k, int by, int32_t *ipiv)
{
    if (k <= 0 || by == 0) return 0;
    return launch(TW_CALL_laswp, q, dim3((unsigned)((k + CHUNK - 1LL) / CHUNK)), dim3(CHUNK), shift_kernel, k, by,
                  ipiv);
}

int CUDA(laswp)(const struct tw_cuda *q, char direct, int m, int n, void *a, int lda, int k, const int32_t *ipiv)
{
    const int chunks = (tw_min(k, m) + CHUNK - 1) / CHUNK, blocks = (int)((n + (COLUMNS - 1LL)) / COLUMNS);
    if (m <= 0 || n <= 0 || k <= 0) return 0;
    for (int c = 0; c < chunks; c++) {
        int first = (direct == 'F' ? c : chunks - 1 - c) * CHUNK;
        TW_TRY(launch(TW_CALL_laswp, q, dim3((unsigned)tw_min(blocks, 1024)), dim3(CHUNK), laswp_kernel, direct == 'F',
                      m, n, (T *)a, (int64_t)lda, first, tw_min(CHUNK, tw_min(k, m) - first), ipiv));
    }
    return 0;
}
