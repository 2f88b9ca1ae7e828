/* Sums over neighbours: a warp for each item, a neighbour in each lane, the cluster's 8 atoms in every lane's registers: a neighbour
 * read once serves 8 pairs. The lanes' sums are added by a fixed tree, and the item's sums stored: nothing is shared with others. */
namespace
{

/* 32 values in each lane: lane l gets the sum of value l over the lanes. */
__device__ __forceinline__ T transpose_sum(T v[WARP], int lane)
{
#pragma unroll
    for (int step = 0; step < 5; step++) {
        const int k = WARP / 2 >> step;
#pragma unroll
        for (int j = 0; j < WARP / 2; j++) {
            if (j >= k) break;
            const bool upper = lane & k;
            const T send = upper ? v[j] : v[j + k], stay = upper ? v[j + k] : v[j];
            v[j] = stay + __shfl_xor_sync(~0u, send, k);
        }
    }
    return v[0];
}
__device__ __forceinline__ T warp_sum(T x)
{
    for (int k = WARP / 2; k; k /= 2)
        x += __shfl_xor_sync(~0u, x, k);
    return x;
}

/* What a lane adds up: forces on the 8 atoms, one number more for each of them (Born), energies. */
struct Sums {
    T x[LANES], y[LANES], z[LANES], born[LANES], vdw, elec;
};

/* The neighbour in a lane; the mask says with which of the 8 atoms it interacts. */
struct Neighbour {
    Place p;
    Two vdw, born;
    int type;
    unsigned mask;
};

template <bool MASKED>
__device__ __forceinline__ bool pair_of(const tw_cut_constants &k, const Place &i, const Neighbour &j, int a, T &dx,
                                        T &dy, T &dz, T &r2)
{
    dx = i.x - j.p.x;
    dy = i.y - j.p.y;
    dz = i.z - j.p.z;
    r2 = dx * dx + dy * dy + dz * dz;
    return r2 < k.rc2 && (!MASKED || (j.mask >> a & 1));
}

template <int VDW, int COULOMB, bool BORN, bool ENERGY> struct Force {
    /* Where van der Waals forces are all there is, the root of an atom's own depth multiplies its sums instead of its pairs. */
    static constexpr bool FACTOR = VDW && !COULOMB && !BORN;
    Two vdw[LANES], born[LANES];

    __device__ void begin(const tw_cut &c, int cluster)
    {
#pragma unroll
        for (int a = 0; a < LANES; a++) {
            if (VDW) vdw[a] = ((const Two *)c.vdw)[cluster * LANES + a];
            if (BORN) born[a] = ((const Two *)c.born)[cluster * LANES + a];
        }
    }
    __device__ void fetch(const tw_cut &c, unsigned slot, Neighbour &j) const
    {
        if (VDW) j.vdw = ((const Two *)c.vdw)[slot];
        if (BORN) j.born = ((const Two *)c.born)[slot];
    }
    template <bool MASKED>
    __device__ void add(const tw_cut &c, const tw_cut_constants &k, const Place *i, const Neighbour &j, Sums &s) const
    {
        const T charge = COULOMB ? k.elec * j.p.q : j.p.q;
#pragma unroll
        for (int a = 0; a < LANES; a++) {
            T dx, dy, dz, r2, e, db, fr = 0;
            const bool near = pair_of<MASKED>(k, i[a], j, a, dx, dy, dz, r2);
            const T safe = MASKED ? (near ? r2 : T(1)) : r2, ir = root(safe), irr = ir * ir, qq = i[a].q * charge;
            if (VDW) {
                const int kind = VDW == TW_CUT_VDW_SMOOTH ? VDW : ENERGY ? c.s.vdw : TW_CUT_VDW_CUT;
                fr =
                    tw_cut_vdw_pair(&k, kind, safe, irr, vdw[a].a + j.vdw.a, FACTOR ? j.vdw.b : vdw[a].b * j.vdw.b, &e);
                if (ENERGY) s.vdw += near ? (FACTOR ? vdw[a].b * e : e) : T(0);
            }
            if (COULOMB) {
                fr += tw_cut_coulomb_pair(&k, COULOMB, safe, ir, qq, &e);
                if (ENERGY) s.elec += near ? e : T(0);
            }
            fr *= irr;
            if (BORN) {
                const T far = safe > k.on2 ? T(1) : T(0);
                fr += tw_cut_born_pair(&k, safe, ir, far, qq, born[a].a, j.born.a, &e, &db);
                if (ENERGY) s.elec += near ? e : T(0);
                s.born[a] += near ? db : T(0);
            }
            fr = near ? fr : T(0);
            s.x[a] += fr * dx;
            s.y[a] += fr * dy;
            s.z[a] += fr * dz;
        }
    }
    __device__ void save(const tw_cut &c, T *to, Sums &s, int lane) const
    {
        T v[WARP];
#pragma unroll
        for (int a = 0; a < LANES; a++) {
            const T factor = FACTOR ? vdw[a].b : T(1);
            v[a] = factor * s.x[a];
            v[LANES + a] = factor * s.y[a];
            v[2 * LANES + a] = factor * s.z[a];
            v[3 * LANES + a] = BORN ? s.born[a] : T(0);
        }
        const T mine = transpose_sum(v, lane);
        if (lane < 3 * LANES) to[lane] = mine;
        if (BORN && lane >= 3 * LANES) to[2 * LANES + lane] = mine;
        if (!ENERGY) return;
        /* Only their totals are asked for: the cluster's first atom gets them. */
        const T evdw = warp_sum(s.vdw), eelec = warp_sum(s.elec);
        if (lane < LANES) {
            to[3 * LANES + lane] = lane == 0 ? evdw : T(0);
            to[4 * LANES + lane] = lane == 0 ? eelec : T(0);
        }
    }
};

/* Types of the cluster's atoms, and the table of pairs of types. */
struct Types {
    int type[LANES];
    __device__ void begin(const tw_cut &c, int cluster)
    {
#pragma unroll
        for (int a = 0; a < LANES; a++)
            type[a] = c.types[cluster * LANES + a];
    }
    __device__ __forceinline__ void brace(const tw_cut &c, const tw_cut_constants &k, int of, int around, T r2, T irr,
                                          T *e, T *de) const
    {
        const Four f = ((const Four *)c.pair)[of * c.s.ntypes + around];
        tw_cut_brace(&k, f.a, f.b, f.c, f.d, r2, irr, r2 > k.on2 ? T(1) : T(0), e, de);
    }
};

struct Self : Types {
    __device__ void fetch(const tw_cut &c, unsigned slot, Neighbour &j) const
    {
        j.type = c.types[slot];
    }
    template <bool MASKED>
    __device__ void add(const tw_cut &c, const tw_cut_constants &k, const Place *i, const Neighbour &j, Sums &s) const
    {
#pragma unroll
        for (int a = 0; a < LANES; a++) {
            T dx, dy, dz, r2, e, de;
            if (!pair_of<MASKED>(k, i[a], j, a, dx, dy, dz, r2)) continue;
            brace(c, k, type[a], j.type, r2, 1 / r2, &e, &de);
            s.born[a] += e;
        }
    }
    __device__ void save(const tw_cut &, T *to, Sums &s, int lane) const
    {
#pragma unroll
        for (int a = 0; a < LANES; a++) {
            const T sum = warp_sum(s.born[a]);
            if (lane == a) to[5 * LANES + a] = sum;
        }
    }
};

struct Chain : Types {
    Two born[LANES];
    __device__ void begin(const tw_cut &c, int cluster)
    {
        Types::begin(c, cluster);
#pragma unroll
        for (int a = 0; a < LANES; a++)
            born[a] = ((const Two *)c.born)[cluster * LANES + a];
    }
    __device__ void fetch(const tw_cut &c, unsigned slot, Neighbour &j) const
    {
        j.type = c.types[slot];
        j.born = ((const Two *)c.born)[slot];
    }
    template <bool MASKED>
    __device__ void add(const tw_cut &c, const tw_cut_constants &k, const Place *i, const Neighbour &j, Sums &s) const
    {
#pragma unroll
        for (int a = 0; a < LANES; a++) {
            T dx, dy, dz, r2, e, mine, other;
            if (!pair_of<MASKED>(k, i[a], j, a, dx, dy, dz, r2)) continue;
            brace(c, k, type[a], j.type, r2, 1 / r2, &e, &mine);
            brace(c, k, j.type, type[a], r2, 1 / r2, &e, &other);
            const T fr = -(born[a].b * mine + j.born.b * other);
            s.x[a] += fr * dx;
            s.y[a] += fr * dy;
            s.z[a] += fr * dz;
        }
    }
    __device__ void save(const tw_cut &, T *to, Sums &s, int lane) const
    {
        T v[WARP];
#pragma unroll
        for (int a = 0; a < LANES; a++) {
            v[a] = s.x[a];
            v[LANES + a] = s.y[a];
            v[2 * LANES + a] = s.z[a];
            v[3 * LANES + a] = 0;
        }
        const T mine = transpose_sum(v, lane);
        if (lane < 3 * LANES) to[lane] += mine;
    }
};

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

template <class What>
__device__ __forceinline__ void walk_special(const tw_cut &c, const tw_cut_constants &k, const Images &images,
                                             const What &what, const Place *i, const uint32_t *pairs, int count,
                                             int lane, Sums &s)
{
    for (int l = lane; l - lane < count; l += WARP) {
        const uint32_t entry = l < count ? pairs[2 * l] : 0;
        Neighbour j = fetch(c, what, entry);
        shift(images, entry, l < count, j);
        j.mask = l < count ? pairs[2 * l + 1] : 0;
        what.template add<true>(c, k, i, j, s);
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
        shift(images, entry, l < count, j);
        entry = after;
        next = fetch(c, what, entry);
        after = l + 2 * WARP < count ? entries[l + 2 * WARP] : 0;
        what.template add<false>(c, k, i, j, s);
    }
}

template <class What>
__device__ __forceinline__ void items(const tw_cut &c, const tw_cut_constants &k, const Images &images, int lane)
{
    for (int n = blockIdx.x * WARPS + threadIdx.x / WARP; n < c.lone.count[0]; n += gridDim.x * WARPS) {
        const tw_cut_item item = c.lone.item[n];
        const uint32_t *special = c.lone.pool + item.begin, *plain = c.lone.inner + item.begin + 2 * item.special;
        Place i[LANES];
        Sums s = {};
        What what;
#pragma unroll
        for (int a = 0; a < LANES; a++)
            i[a] = ((const Place *)c.sorted)[item.cluster * LANES + a];
        what.begin(c, item.cluster);
        walk_special(c, k, images, what, i, special, item.special, lane, s);
        walk(c, k, images, what, i, plain, c.lone.kept[n], lane, s);
        what.save(c, (T *)c.lone.sum + (size_t)n * (TW_CUT_SUMS * LANES), s, lane);
    }
}

template <int VDW, int COULOMB, bool BORN>
__global__ void __launch_bounds__(WARPS *WARP) force(const __grid_constant__ tw_cut c)
{
    __shared__ Images images;
    const tw_cut_constants k = tw_cut_constants_of(&c.s);

    images.set(c);
    __syncthreads();
    if (!runs(c)) return;
    if (c.control->energy)
        items<Force<VDW, COULOMB, BORN, true>>(c, k, images, threadIdx.x % WARP);
    else
        items<Force<VDW, COULOMB, BORN, false>>(c, k, images, threadIdx.x % WARP);
}

template <class What> __global__ void __launch_bounds__(WARPS *WARP) born(const __grid_constant__ tw_cut c)
{
    __shared__ Images images;
    const tw_cut_constants k = tw_cut_constants_of(&c.s);

    images.set(c);
    __syncthreads();
    if (runs(c)) items<What>(c, k, images, threadIdx.x % WARP);
}

template <int VDW> cudaError_t force_of(cudaStream_t stream, const tw_cut &c, unsigned grid)
{
    cudaError_t e = cudaSuccess;
    if (c.s.born)
        TW_LAUNCH(e, stream, grid, WARPS * WARP, (force<VDW, TW_CUT_COULOMB_NONE, true>), c);
    else if (c.s.coulomb == TW_CUT_COULOMB_FIELD)
        TW_LAUNCH(e, stream, grid, WARPS * WARP, (force<VDW, TW_CUT_COULOMB_FIELD, false>), c);
    else if (c.s.coulomb == TW_CUT_COULOMB_SHIFT)
        TW_LAUNCH(e, stream, grid, WARPS * WARP, (force<VDW, TW_CUT_COULOMB_SHIFT, false>), c);
    else
        TW_LAUNCH(e, stream, grid, WARPS * WARP, (force<VDW, TW_CUT_COULOMB_NONE, false>), c);
    return e;
}

} /* namespace */
