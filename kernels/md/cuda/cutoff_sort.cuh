/* Cell lists: the same columns and clusters as kernels/md/cpu/cutoff_sort.c makes. */
namespace
{

__device__ __forceinline__ bool sorts(const tw_cut &c)
{
    return c.control->state <= TW_CUT_STALE;
}

/* Doubles as integers of the same order. */
__device__ __forceinline__ unsigned long long ordered(double x)
{
    const long long bits = __double_as_longlong(x);
    return bits < 0 ? ~(unsigned long long)bits : (unsigned long long)bits | 0x8000000000000000ull;
}
__device__ __forceinline__ double disordered(unsigned long long u)
{
    return __longlong_as_double(u >> 63 ? (long long)(u & 0x7fffffffffffffffull) : (long long)~u);
}

__global__ void sort_begin(const __grid_constant__ tw_cut c)
{
    if (threadIdx.x < 3) {
        c.head->low[threadIdx.x] = ~0ull;
        c.head->high[threadIdx.x] = 0;
        c.lone.count[threadIdx.x] = 0;
    }
    if (threadIdx.x == 3) {
        c.lone.count[3] = 0;
        c.head->moves = sorts(c) ? 0 : -1;
        c.head->blocks = 0;
    }
}

__global__ void __launch_bounds__(BLOCK) sort_wrap(const __grid_constant__ tw_cut c)
{
    __shared__ unsigned long long low[3], high[3];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    bool open = false;

    if (!sorts(c)) return;
    if (threadIdx.x < 3) {
        low[threadIdx.x] = ~0ull;
        high[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        const T length = (T)c.s.box[k];
        if (i < c.s.n) {
            T *x = (T *)c.x + 3 * (size_t)i + k;
            if (length > 0) {
                T value = *x - length * (T)floor((double)(*x / length));
                if (!(value < length)) value = 0;
                *x = value;
            }
            ((T *)c.ref)[3 * (size_t)i + k] = *x;
            if (!(length > 0)) {
                atomicMin(&low[k], ordered((double)*x));
                atomicMax(&high[k], ordered((double)*x));
            }
        }
        open |= !(length > 0);
    }
    if (!open) return;
    __syncthreads();
    if (threadIdx.x < 3) {
        atomicMin(&c.head->low[threadIdx.x], low[threadIdx.x]);
        atomicMax(&c.head->high[threadIdx.x], high[threadIdx.x]);
    }
}

__global__ void sort_grid(const __grid_constant__ tw_cut c)
{
    tw_cut_head *h = c.head;
    for (int k = 0; k < 3; k++) {
        const bool open = !(c.s.box[k] > 0);
        const double low = open ? disordered(h->low[k]) : 0, high = open ? disordered(h->high[k]) : c.s.box[k];
        h->origin[k] = low;
        if (k < 2)
            h->inverse[k] = high > low ? (k ? c.s.ny : c.s.nx) / (high - low) : 0;
        else
            h->zscale = high > low ? 4294967295.0 / (high - low) : 0;
    }
}

__device__ __forceinline__ int cell(double x, double origin, double inverse, int count)
{
    const int k = (int)((x - origin) * inverse);
    return k < 0 ? 0 : k < count ? k : count - 1;
}

__global__ void __launch_bounds__(BLOCK) sort_keys(const __grid_constant__ tw_cut c)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const tw_cut_head *h = c.head;

    if (!sorts(c) || i >= c.s.n) return;
    const T *x = (const T *)c.x + 3 * (size_t)i;
    const int cx = cell((double)x[0], h->origin[0], h->inverse[0], c.s.nx),
              cy = cell((double)x[1], h->origin[1], h->inverse[1], c.s.ny);
    double z = ((double)x[2] - h->origin[2]) * h->zscale;
    z = z > 0 ? z < 4294967295.0 ? z : 4294967295.0 : 0;
    c.key[0][i] = (uint64_t)(cx * (int64_t)c.s.ny + cy) << 32 | (uint64_t)z;
    c.value[0][i] = (uint32_t)i;
}

/* Where each column begins among the sorted atoms: behind the columns' clusters, in the same array. */
__global__ void __launch_bounds__(BLOCK) sort_columns(const __grid_constant__ tw_cut c)
{
    const int column = blockIdx.x * BLOCK + threadIdx.x, columns = c.s.nx * c.s.ny;

    if (!sorts(c) || column > columns) return;
    int a = 0, b = c.s.n;
    while (a < b) {
        const int m = a + (b - a) / 2;
        if ((int64_t)(c.key[1][m] >> 32) < column)
            a = m + 1;
        else
            b = m;
    }
    c.column[columns + 1 + column] = a;
}

/* First cluster of each column: one block goes through all of them. */
__global__ void __launch_bounds__(1024) sort_clusters(const __grid_constant__ tw_cut c)
{
    __shared__ int warp[WARP];
    const int columns = c.s.nx * c.s.ny, lane = threadIdx.x % WARP, *begin = c.column + columns + 1;
    int before = 0;

    if (!sorts(c)) return;
    for (int base = 0; base < columns; base += 1024) {
        const int k = base + threadIdx.x, here = k < columns ? (begin[k + 1] - begin[k] + LANES - 1) / LANES : 0;
        int sum = here;
        for (int d = 1; d < WARP; d *= 2) {
            const int other = __shfl_up_sync(~0u, sum, d);
            if (lane >= d) sum += other;
        }
        if (lane == WARP - 1) warp[threadIdx.x / WARP] = sum;
        __syncthreads();
        if (threadIdx.x < WARP) {
            int all = warp[lane];
            for (int d = 1; d < WARP; d *= 2) {
                const int other = __shfl_up_sync(~0u, all, d);
                if (lane >= d) all += other;
            }
            warp[lane] = all;
        }
        __syncthreads();
        if (threadIdx.x >= WARP) sum += warp[threadIdx.x / WARP - 1];
        if (k < columns) c.column[k] = before + sum - here;
        before += warp[WARP - 1];
        __syncthreads();
    }
    if (threadIdx.x == 0) c.column[columns] = c.head->clusters = before;
}

__device__ void put(const tw_cut &c, int slot, int atom)
{
    Place place = {NOWHERE, NOWHERE, NOWHERE, 0};
    Two vdw = {0, 0};
    c.atom[slot] = atom;
    c.types[slot] = atom < 0 ? 0 : c.type[atom];
    if (atom >= 0) {
        const T *x = (const T *)c.x + 3 * (size_t)atom;
        c.slot[atom] = slot;
        place = Place{x[0], x[1], x[2], ((const T *)c.charge)[atom]};
        vdw = Two{((const T *)c.half)[atom], ((const T *)c.root)[atom]};
    }
    ((Place *)c.sorted)[slot] = place;
    if (c.s.in_places) {
        const T *v = (const T *)c.v + 3 * (size_t)(atom < 0 ? 0 : atom);
        ((Place *)c.sorted_next)[slot] = ((Place *)c.start)[slot] = place;
        ((Place *)c.speed)[slot] = Place{v[0], v[1], v[2], atom < 0 ? T(0) : ((const T *)c.lightness)[atom]};
    }
    ((Two *)c.vdw)[slot] = vdw;
    if (atom < 0) ((Two *)c.born)[slot] = Two{1, 0};
}

/* Atoms to their places; then (threads behind the atoms) the places that columns leave empty at their ends. */
__global__ void __launch_bounds__(BLOCK) sort_places(const __grid_constant__ tw_cut c)
{
    const int64_t i = blockIdx.x * (int64_t)BLOCK + threadIdx.x;
    const int columns = c.s.nx * c.s.ny, *begin = c.column + columns + 1;

    if (!sorts(c)) return;
    if (i < c.s.n) {
        const int column = (int)(c.key[1][i] >> 32);
        put(c, c.column[column] * LANES + (int)i - begin[column], (int)c.value[1][i]);
    } else if (i - c.s.n < columns) {
        const int column = (int)(i - c.s.n), end = c.column[column + 1] * LANES;
        for (int slot = c.column[column] * LANES + begin[column + 1] - begin[column]; slot < end; slot++)
            put(c, slot, -1);
    }
}

__global__ void sort_end(const __grid_constant__ tw_cut c)
{
    tw_cut_control *control = c.control;
    if (control->state > TW_CUT_STALE) return;
    control->state = TW_CUT_RUN;
    control->moved = control->hop = 0;
    control->path = -1;
    control->rebuilds++;
    c.lone.count[0] = c.head->clusters; /* each has an item of its own number */
}

cudaError_t sort(cudaStream_t stream, const tw_cut &c)
{
    const int columns = c.s.nx * c.s.ny;
    cudaError_t e = cudaSuccess;
    size_t bytes = 0;
    int bits = 33;

    while (bits < 63 && ((int64_t)columns - 1) >> (bits - 32))
        bits++;
    TW_LAUNCH(e, stream, 1, 32, sort_begin, c);
    TW_LAUNCH(e, stream, blocks_for(c.s.n, BLOCK), BLOCK, sort_wrap, c);
    TW_LAUNCH(e, stream, 1, 1, sort_grid, c);
    TW_LAUNCH(e, stream, blocks_for(c.s.n, BLOCK), BLOCK, sort_keys, c);
    for (int pass = 0; pass < 2 && e == cudaSuccess; pass++) { /* first only how many bytes it wants */
        if (pass && bytes > c.temp_bytes) return cudaErrorInvalidValue;
        e = cub::DeviceRadixSort::SortPairs(pass ? c.temp : nullptr, bytes, c.key[0], c.key[1], c.value[0], c.value[1],
                                            c.s.n, 0, bits, stream);
    }
    TW_LAUNCH(e, stream, blocks_for(columns + 1, BLOCK), BLOCK, sort_columns, c);
    TW_LAUNCH(e, stream, 1, 1024, sort_clusters, c);
    TW_LAUNCH(e, stream, blocks_for((int64_t)c.s.n + columns, BLOCK), BLOCK, sort_places, c);
    TW_LAUNCH(e, stream, 1, 1, sort_end, c);
    return e;
}

} /* namespace */
