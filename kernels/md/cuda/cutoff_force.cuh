/* Sums over neighbours: a warp for each item, a neighbour in each lane, the cluster's 8 atoms in every lane's
 * registers: a neighbour read once serves 8 pairs. An item's sums are stored by its warp: nothing is shared with others
 * but the reactions on neighbours. */
namespace
{

/* The neighbour that an entry names, before its image is taken. */
template <class What> __device__ __forceinline__ Neighbour fetch(const tw_cut &c, const What &what, uint32_t entry)
{
    Neighbour j = {};
    j.p = ((const Place *)c.sorted)[entry & PLACE];
    what.fetch(c, entry & PLACE, j);
    return j;
}
/* Beyond the end of the list: nowhere. */
__device__ __forceinline__ void shift(const Images &images, uint32_t entry, bool there, Neighbour &j)
{
    const int image = (int)(entry >> 27);
    j.p.x = there ? j.p.x + images.x[image] : -2 * NOWHERE;
    j.p.y += images.y[image];
    j.p.z += images.z[image];
}

/* Special entries, 32 at a time; the last of these batches is filled up with plain ones. */
template <class What>
__device__ __forceinline__ void walk_special(const tw_cut &c, const tw_cut_constants &k, const Images &images,
                                             const What &what, const Place *i, const uint32_t *pairs,
                                             const uint32_t *entries, int special, int count, int lane, Sums &s)
{
    for (int l = lane; l - lane < special; l += WARP) {
        uint32_t entry = 0, mask = 0;
        if (l < special) {
            entry = pairs[2 * l];
            mask = pairs[2 * l + 1];
        } else if (l < count) {
            entry = entries[l - special];
            mask = 0xff;
        }
        Neighbour j = fetch(c, what, entry);
        shift(images, entry, mask != 0, j);
        j.mask = mask;
        what.template add<true>(c, k, i, j, s);
        what.react(c, entry, mask != 0, j);
    }
}

/* While the pairs of one batch are computed, the next neighbours and the entries behind them are on their way. */
template <class What>
__device__ __forceinline__ void walk(const tw_cut &c, const tw_cut_constants &k, const Images &images, const What &what,
                                     const Place *i, const uint32_t *entries, int count, int lane, Sums &s)
{
    uint32_t entry = lane < count ? entries[lane] : 0, after = WARP + lane < count ? entries[WARP + lane] : 0;
    Neighbour next = fetch(c, what, entry);

    for (int l = lane; l - lane < count; l += WARP) {
        Neighbour j = next;
        const uint32_t mine = entry;
        shift(images, entry, l < count, j);
        entry = after;
        next = fetch(c, what, entry);
        after = l + 2 * WARP < count ? entries[l + 2 * WARP] : 0;
        what.template add<false>(c, k, i, j, s);
        what.react(c, mine, l < count, j);
    }
}

/* All items, by as many warps as the GPU holds, each taking the next. What an item's sums wait for is asked for while
 * the item before is summed. */
template <class What>
__device__ __forceinline__ void items(const tw_cut &c, const tw_cut_constants &k, const Images &images, int lane)
{
    const int count = c.lone.count[0];
    int n = next_item(c, What::WALK, lane), then = next_item(c, What::WALK, lane);

    n = __shfl_sync(~0u, n, 0);
    if (n >= count) return;
    tw_cut_item item = c.lone.item[n];
    int kept = c.lone.kept[n];
    for (;;) {
        const int ahead = __shfl_sync(~0u, then, 0), look = ahead < count ? ahead : n;
        const tw_cut_item later = c.lone.item[look];
        const int later_kept = c.lone.kept[look];
        const uint32_t *special = c.lone.pool + item.begin, *plain = c.lone.inner + item.begin + 2 * item.special;
        const int room = (item.special + WARP - 1) / WARP * WARP - item.special, used = room < kept ? room : kept;
        Place i[LANES];
        Sums s = {};
        What what;
        then = next_item(c, What::WALK, lane);
#pragma unroll
        for (int a = 0; a < LANES; a++)
            i[a] = ((const Place *)c.sorted)[item.cluster * LANES + a];
        what.begin(c, item.cluster);
        walk_special(c, k, images, what, i, special, plain, item.special, item.special + used, lane, s);
        walk(c, k, images, what, i, plain + used, kept - used, lane, s);
        what.save(c, (T *)c.lone.sum + (size_t)n * (TW_CUT_SUMS * LANES), s, lane);
        if (ahead >= count) return;
        n = ahead;
        item = later;
        kept = later_kept;
    }
}

template <int VDW, int COULOMB, bool BORN, bool ONCE>
__global__ void __launch_bounds__(WARPS *WARP, sizeof(T) == sizeof(float) && !BORN ? ONCE && COULOMB ? 5 : 4 : 1)
    force(const __grid_constant__ tw_cut c)
{
    __shared__ Images images;
    const tw_cut_constants k = tw_cut_constants_of(&c.s);

    images.set(c);
    __syncthreads();
    if (!runs(c)) return;
    if (c.control->energy)
        items<Force<VDW, COULOMB, BORN, true, ONCE>>(c, k, images, threadIdx.x % WARP);
    else
        items<Force<VDW, COULOMB, BORN, false, ONCE>>(c, k, images, threadIdx.x % WARP);
}

template <class What> __global__ void __launch_bounds__(WARPS *WARP) born(const __grid_constant__ tw_cut c)
{
    __shared__ Images images;
    const tw_cut_constants k = tw_cut_constants_of(&c.s);

    images.set(c);
    __syncthreads();
    if (runs(c)) items<What>(c, k, images, threadIdx.x % WARP);
}

template <int VDW, bool ONCE> cudaError_t force_by(cudaStream_t stream, const tw_cut &c)
{
    cudaError_t e = cudaSuccess;
    if (c.s.coulomb == TW_CUT_COULOMB_FIELD)
        TW_LAUNCH_WALK(e, stream, (force<VDW, TW_CUT_COULOMB_FIELD, false, ONCE>), c);
    else if (c.s.coulomb == TW_CUT_COULOMB_SHIFT)
        TW_LAUNCH_WALK(e, stream, (force<VDW, TW_CUT_COULOMB_SHIFT, false, ONCE>), c);
    else
        TW_LAUNCH_WALK(e, stream, (force<VDW, TW_CUT_COULOMB_NONE, false, ONCE>), c);
    return e;
}
template <int VDW> cudaError_t force_of(cudaStream_t stream, const tw_cut &c)
{
    cudaError_t e = cudaSuccess;
    if (c.s.once) return force_by<VDW, sizeof(T) == sizeof(float)>(stream, c);
    if (!c.s.born) return force_by<VDW, false>(stream, c);
    TW_LAUNCH_WALK(e, stream, (force<VDW, TW_CUT_COULOMB_NONE, true, false>), c);
    return e;
}

} /* namespace */
