/* Row exchanges by pivots that lie on the device.
 *
 * A chain of exchanges is one permutation of at most 2 k rows. Each block finds it in shared memory and then moves whole sets of
 * rows at once, a column at a time: every element is read and written once, with no chain of dependent accesses to memory. */
#include "kernels/launch.cuh"

#define CHUNK   256 /* pivots of one launch; threads of a block */
#define COLUMNS 4   /* at a time */

/* Slots 0 ... k-1 are the rows first ... first + k - 1, slot k + i the row of pivot i, if it lies elsewhere and no pivot before i names
 * it. row: what row a slot is; from: the slot whose content comes here. */
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

/* The same in tiles. */
static __global__ void __launch_bounds__(CHUNK)
    laswp_tiles_kernel(bool forward, int m, int n, int mb, const struct tw_tile_at *list, int first, int base, int k,
                       const int32_t *ipiv)
{
    __shared__ int row[2 * CHUNK], from[2 * CHUNK], target[CHUNK];
    find_permutation(forward, m, first, base, k, ipiv, row, from, target);

    const int s[2] = {(int)threadIdx.x, CHUNK + (int)threadIdx.x};
    T *to[2] = {NULL, NULL}, *source[2] = {NULL, NULL};
    int64_t to_ld[2] = {0, 0}, source_ld[2] = {0, 0};
    for (int e = 0; e < 2; e++) {
        const int r = row[s[e]];
        if (r < 0 || from[s[e]] == s[e]) continue;
        const int f = row[from[s[e]]];
        to[e] = (T *)list[r / mb].ptr + r % mb, to_ld[e] = list[r / mb].ld;
        source[e] = (T *)list[f / mb].ptr + f % mb, source_ld[e] = list[f / mb].ld;
    }
    for (int64_t j0 = (int64_t)blockIdx.x * COLUMNS; j0 < n; j0 += (int64_t)gridDim.x * COLUMNS) {
        const int columns = n - j0 < COLUMNS ? (int)(n - j0) : COLUMNS;
        T x[2][COLUMNS];
#pragma unroll
        for (int c = 0; c < COLUMNS; c++)
            for (int e = 0; e < 2; e++)
                if (c < columns && to[e]) x[e][c] = source[e][(j0 + c) * source_ld[e]];
        __syncthreads(); /* all is read before anything is written */
#pragma unroll
        for (int c = 0; c < COLUMNS; c++)
            for (int e = 0; e < 2; e++)
                if (c < columns && to[e]) to[e][(j0 + c) * to_ld[e]] = x[e][c];
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

int CUDA(laswp_tiles)(const struct tw_cuda *q, char direct, const struct tw_tiles *a, const struct tw_tile_at *list,
                      int first, int base, int k, const int32_t *ipiv)
{
    const int rows = tw_min(k, a->m - first), chunks = (rows + CHUNK - 1) / CHUNK,
              blocks = (int)((a->n + (COLUMNS - 1LL)) / COLUMNS);
    if (rows <= 0 || a->n <= 0) return 0;
    for (int c = 0; c < chunks; c++) {
        const int at = (direct == 'F' ? c : chunks - 1 - c) * CHUNK;
        TW_TRY(launch(TW_CALL_laswp, q, dim3((unsigned)tw_min(blocks, 1024)), dim3(CHUNK), laswp_tiles_kernel,
                      direct == 'F', a->m, a->n, a->mb, list, first + at, base, tw_min(CHUNK, rows - at), ipiv + at));
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
