/* From the neighbours' sums to the next positions: a thread for each atom; one thread decides. */
namespace
{

__global__ void begin(const __grid_constant__ tw_cut c)
{
    if (c.control->state == TW_CUT_RUN && c.lone.count[2]) c.control->state = TW_CUT_FULL;
    for (int k = WALK_PRUNE; k <= WALK_CHAIN; k++)
        c.lone.count[k] = 0;
    tw_cut_begin(&c.s, c.control);
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
__global__ void __launch_bounds__(BLOCK) collect(const __grid_constant__ tw_cut c)
{
    const int slot = blockIdx.x * BLOCK + threadIdx.x, i = runs(c) ? atom_at(c, slot) : -1;
    T reaction[3] = {0, 0, 0};

    if (i < 0) return;
    if (c.s.once) {
        Reaction *high = (Reaction *)c.reaction + slot, *low = high + c.s.slots;
        const Reaction h = *high, l = *low;
        *high = *low = Reaction{0, 0, 0, 0};
        reaction[0] = h.x + l.x;
        reaction[1] = h.y + l.y;
        reaction[2] = h.z + l.z;
        if (!(h.w <= (float)c.s.meets && l.w <= (float)c.s.range)) c.lone.count[3] = 1;
    }
    tw_cut_collect_atom(&c, i, slot, reaction);
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

} /* namespace */
