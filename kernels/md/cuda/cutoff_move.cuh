/* From the neighbours' sums to the next positions: a thread for each atom; one thread decides. */
namespace
{

__device__ __forceinline__ void begin_step(const tw_cut &c)
{
    for (int k = WALK_PRUNE; k <= WALK_CHAIN; k++)
        c.lone.count[k] = 0;
    tw_cut_begin(&c.s, c.control);
}
__global__ void begin(const __grid_constant__ tw_cut c)
{
    if (c.control->state == TW_CUT_RUN && c.lone.count[2]) c.control->state = TW_CUT_FULL;
    begin_step(c);
}

__global__ void __launch_bounds__(BLOCK) radii(const __grid_constant__ tw_cut c)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (runs(c) && i < c.s.n) tw_cut_radius(&c, c.slot[i]);
}
__global__ void __launch_bounds__(BLOCK) gather(const __grid_constant__ tw_cut c)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (runs(c) && i < c.s.n) tw_cut_gain(&c, c.slot[i]);
}
/* The atom at a place, or -1. Threads for places find the sums of their clusters side by side. */
__device__ __forceinline__ int atom_at(const tw_cut &c, int slot)
{
    return slot < c.head->clusters * LANES ? c.atom[slot] : -1;
}
/* The sum of what was given to a place. */
__device__ __forceinline__ void take(const tw_cut &c, int slot, T sum[3])
{
    const Reaction *high = (const Reaction *)c.reaction + slot, h = high[0], l = high[c.s.slots];
    sum[0] = h.x + l.x;
    sum[1] = h.y + l.y;
    sum[2] = h.z + l.z;
    if (!(h.w <= (float)c.s.meets && l.w <= (float)c.s.range)) c.lone.count[3] = 1;
}
__global__ void __launch_bounds__(BLOCK) collect(const __grid_constant__ tw_cut c)
{
    const int slot = blockIdx.x * BLOCK + threadIdx.x, i = runs(c) ? atom_at(c, slot) : -1;
    T sum[3];

    if (i < 0) return;
    if (c.s.once) take(c, slot, sum);
    tw_cut_collect_atom(&c, i, slot, c.s.once ? sum : nullptr);
}

/* Totals: a number of blocks that does not depend on the GPU, each with atoms of its own, then their sums in order. */
__global__ void __launch_bounds__(BLOCK) measure(const __grid_constant__ tw_cut c)
{
    __shared__ double warp[BLOCK / WARP][TW_CUT_TOTALS];
    const int used = c.s.mode >= TW_CUT_DESCENT ? TW_TOTAL_BASIS + 6 * c.s.history : TW_TOTAL_MOMENTUM + 3;
    double total[TW_CUT_TOTALS];

    if (!runs(c) || !c.control->energy) return;
    for (int k = 0; k < TW_CUT_TOTALS; k++)
        total[k] = 0;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < c.s.n; i += TW_CUT_BLOCKS * BLOCK)
        tw_cut_measure_atom(&c, i, total);
    for (int k = 0; k < TW_CUT_TOTALS; k++) {
        if (k >= used && k != TW_TOTAL_FORCE) continue;
        double x = total[k];
        for (int d = WARP / 2; d; d /= 2) {
            const double y = __shfl_xor_sync(~0u, x, d);
            x = k == TW_TOTAL_FORCE ? tw_cut_larger(x, y) : x + y;
        }
        if (threadIdx.x % WARP == 0) warp[threadIdx.x / WARP][k] = x;
    }
    __syncthreads();
    const int k = threadIdx.x;
    if (k < used || k == TW_TOTAL_FORCE) {
        double x = warp[0][k];
        for (int w = 1; w < BLOCK / WARP; w++)
            x = k == TW_TOTAL_FORCE ? tw_cut_larger(x, warp[w][k]) : x + warp[w][k];
        c.partial[blockIdx.x * TW_CUT_TOTALS + k] = x;
    }
}

__global__ void __launch_bounds__(TW_CUT_TOTALS) decide(const __grid_constant__ tw_cut c)
{
    const int used = c.s.mode >= TW_CUT_DESCENT ? TW_TOTAL_BASIS + 6 * c.s.history : TW_TOTAL_MOMENTUM + 3,
              k = threadIdx.x;

    if (runs(c) && c.control->energy) {
        double x = 0;
        for (int b = 0; b < TW_CUT_BLOCKS && (k < used || k == TW_TOTAL_FORCE); b++) {
            const double y = c.partial[b * TW_CUT_TOTALS + k];
            x = k == TW_TOTAL_FORCE ? tw_cut_larger(x, y) : x + y;
        }
        c.control->total[k] = x;
    }
    __syncthreads();
    if (k == 0) tw_cut_decide(&c.s, c.control, c.lone.count[3]);
}

__global__ void __launch_bounds__(BLOCK) direct(const __grid_constant__ tw_cut c)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;

    if (!c.control->go || !c.control->accept || c.control->last) return;
    const double reach = block_largest(i < c.s.n ? tw_cut_direct_atom(&c, i) : 0);
    if (threadIdx.x == 0) raise(&c.control->reach, reach);
}

__global__ void __launch_bounds__(BLOCK) move(const __grid_constant__ tw_cut c)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    double moved = 0, hop = 0;

    if (!c.control->go) return;
    if (i < c.s.n) tw_cut_move_atom(&c, i, tw_cut_way(&c), &moved, &hop);
    moved = block_largest(moved);
    hop = block_largest(hop);
    if (threadIdx.x == 0) {
        raise(&c.control->moved, moved);
        raise(&c.control->hop, hop);
    }
}

/* ---- Verlet: all of it in one pass over the places --------------------------------------------------------------- */

/* Totals that Verlet asks for, the largest force last; a block's, and all blocks' in a fixed order: the same bits on
 * any GPU. */
constexpr int VERLET = TW_TOTAL_MOMENTUM + 4;
static_assert(32 * VERLET <= BLOCK, "`partial` has room for slots / 32 of them (cutoff_bind_common.c)");
__device__ __forceinline__ int total_of(int k)
{
    return k == VERLET - 1 ? TW_TOTAL_FORCE : k;
}
__device__ __forceinline__ double joined(int k, double x, double y)
{
    return k == VERLET - 1 ? tw_cut_larger(x, y) : x + y;
}
__device__ void block_totals(const tw_cut &c, const double *total)
{
    __shared__ double warp[BLOCK / WARP][VERLET];
#pragma unroll
    for (int k = 0; k < VERLET; k++) {
        double x = total[k];
        for (int d = WARP / 2; d; d /= 2)
            x = joined(k, x, __shfl_xor_sync(~0u, x, d));
        if (threadIdx.x % WARP == 0) warp[threadIdx.x / WARP][k] = x;
    }
    __syncthreads();
    const int k = threadIdx.x;
    if (k < VERLET) {
        double x = warp[0][k];
        for (int w = 1; w < BLOCK / WARP; w++)
            x = joined(k, x, warp[w][k]);
        c.partial[(size_t)blockIdx.x * VERLET + k] = x;
    }
}
__device__ void all_totals(const tw_cut &c)
{
    __shared__ double part[BLOCK / VERLET][VERLET];
    const int k = threadIdx.x % VERLET, row = threadIdx.x / VERLET, blocks = (int)gridDim.x;
    double x = 0;

    if (row < BLOCK / VERLET) {
        for (int b = row; b < blocks; b += BLOCK / VERLET)
            x = joined(k, x, __ldcg(&c.partial[(size_t)b * VERLET + k]));
        part[row][k] = x;
    }
    __syncthreads();
    if (row == 0) {
        x = part[0][k];
        for (int r = 1; r < BLOCK / VERLET; r++)
            x = joined(k, x, part[r][k]);
        c.control->total[total_of(k)] = x;
    }
    __syncthreads();
}

/* Forces from their sums, totals, motion into the second copies of positions and velocities; the last block decides,
 * and begins the next step. Where it turns out that a sum was rounded, the first copies are still what they were. */
__global__ void __launch_bounds__(BLOCK) advance(const __grid_constant__ tw_cut c)
{
    __shared__ int last_block;
    const int slot = blockIdx.x * BLOCK + threadIdx.x;
    tw_cut_control *control = c.control;

    if (!runs(c)) return;
    const int i = atom_at(c, slot), energy = control->energy, kick = control->step > 0,
              last = control->step >= control->steps;
    double moved = 0, hop = 0, total[VERLET];
    for (int k = 0; k < VERLET; k++)
        total[k] = 0;
    if (i >= 0) {
        const Place start = ((const Place *)c.start)[slot], from = ((const Place *)c.sorted)[slot],
                    speed = ((const Place *)c.speed)[slot];
        T sum[3], f[3], e[3], x[3] = {from.x, from.y, from.z}, v[3] = {speed.x, speed.y, speed.z};
        const T ref[3] = {start.x, start.y, start.z};
        if (c.s.once) take(c, slot, sum);
        tw_cut_felt(&c, i, slot, c.s.once ? sum : nullptr, f, e);
        for (int k = 0; k < 3; k++) {
            if (energy) {
                total[k] = (double)e[k];
                total[VERLET - 1] += (double)f[k] * (double)f[k];
                tw_cut_measure_motion(&c, k, v[k], speed.q, f[k], total);
            }
            const T step = tw_cut_kick(&c, kick, last, speed.q, f[k], &v[k]);
            if (!last) x[k] += step;
            hop += (double)step * (double)step;
            const double way = (double)x[k] - (double)ref[k];
            moved += way * way;
        }
        ((Place *)c.sorted_next)[slot] = Place{x[0], x[1], x[2], from.q};
        ((Place *)c.speed_next)[slot] = Place{v[0], v[1], v[2], speed.q};
    }
    if (energy) block_totals(c, total);
    moved = block_largest(moved);
    hop = block_largest(hop);
    if (threadIdx.x == 0) {
        raise(&control->moved, moved);
        raise(&control->hop, hop);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last_block = atomicAdd(&c.head->blocks, 1) == (int)gridDim.x - 1;
    __syncthreads();
    if (!last_block) return;
    __threadfence();
    if (energy) all_totals(c);
    if (threadIdx.x == 0) {
        /* What other blocks wrote, past this multiprocessor's own cache. */
        control->moved = atomicAdd((unsigned long long *)&control->moved, 0ull);
        control->hop = atomicAdd((unsigned long long *)&control->hop, 0ull);
        tw_cut_decide(&c.s, control, atomicAdd(&c.lone.count[3], 0));
        if (control->go) c.head->moves++;
        c.head->blocks = 0;
        begin_step(c);
    }
}

/* Back to the atoms' own order, if this segment began with a sort. c: with the copies as they were at the sort. */
__global__ void __launch_bounds__(BLOCK) unload(const __grid_constant__ tw_cut c)
{
    const int slot = blockIdx.x * BLOCK + threadIdx.x, moves = c.head->moves, i = moves < 0 ? -1 : atom_at(c, slot);

    if (i < 0) return;
    const Place x = ((const Place *)(moves % 2 ? c.sorted_next : c.sorted))[slot],
                v = ((const Place *)(moves % 2 ? c.speed_next : c.speed))[slot];
    T *to = (T *)c.x + 3 * (size_t)i, *speed = (T *)c.v + 3 * (size_t)i;
    to[0] = x.x, to[1] = x.y, to[2] = x.z;
    speed[0] = v.x, speed[1] = v.y, speed[2] = v.z;
}

} /* namespace */
