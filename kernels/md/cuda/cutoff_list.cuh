/* Neighbour lists: a warp searches for one cluster. Entries are in the order of the columns and of z, as on CPUs. A
 * neighbour is what is near the cluster's box: a few more than on CPUs, which ask each of its atoms; pruning, which
 * comes next, does that here, too. */
namespace
{

struct Search {
    uint32_t pairs[2 * TW_CUT_SPECIAL], entries[TW_CUT_BUFFER],
        excluded[LANES * TW_CUT_LINKS]; /* excluded: atom, lane << 26 */
};

struct Warp { /* the same values in all lanes */
    const tw_cut &c;
    Search &s;
    int cluster, lane, last, special, plain, nexcluded;
    bool once;               /* each pair in one list */
    T low[3], high[3], far2; /* the cluster's box; squared radius of its list */

    /* What was gathered becomes an item. A cluster's first item has the cluster's number, so that neighbouring warps
     * sum for neighbouring clusters and find each other's atoms in the cache; further ones come behind all clusters. */
    __device__ void flush()
    {
        const tw_cut_part &p = c.lone;
        const unsigned words = 2u * special + plain;
        int item = cluster;
        unsigned begin = 0;

        __syncwarp();
        if (words == 0 && last >= 0) return;
        if (lane == 0) {
            if (last >= 0) item = atomicAdd(&p.count[0], 1);
            begin = item < c.s.items ? atomicAdd((unsigned *)&p.count[1], words) : c.s.pool;
            if (item >= c.s.items || begin > c.s.pool || words > c.s.pool - begin) {
                p.count[2] = 1;
                item = -1;
            }
        }
        item = __shfl_sync(~0u, item, 0);
        begin = __shfl_sync(~0u, begin, 0);
        if (item >= 0) {
            if (lane == 0) {
                p.item[item] = tw_cut_item{cluster, special, plain, -1, begin};
                if (last < 0)
                    p.first[cluster] = item;
                else
                    p.item[last].next = item;
            }
            for (int k = lane; k < 2 * special; k += WARP)
                p.pool[begin + k] = s.pairs[k];
            for (int k = lane; k < plain; k += WARP)
                p.pool[begin + 2 * special + k] = s.entries[k];
            last = item;
        }
        special = plain = 0;
        __syncwarp();
    }

    /* The lanes that an atom does not interact with: itself, its links, and in half lists those behind it in its
     * cluster. */
    __device__ unsigned out_of(int slot, int image) const
    {
        const unsigned self = 1u << slot % LANES;
        unsigned out = slot / LANES != cluster ? 0 : once && image == SAME ? 0x100 - self : self;
        const unsigned atom = nexcluded ? (unsigned)c.atom[slot] : 0;
        for (int k = 0; k < nexcluded; k++)
            if ((s.excluded[k] & (TW_CUT_ATOMS - 1)) == atom) out |= 1u << (s.excluded[k] >> 26);
        return out;
    }

    /* How far a coordinate is outside of the box. */
    __device__ __forceinline__ T outside(T x, int axis) const
    {
        const T below = low[axis] - x, above = x - high[axis], more = below > above ? below : above;
        return more > 0 ? more : T(0);
    }
    /* Each lane has a place p to consider, if it is there. */
    __device__ void consider(const Place &p, int slot, bool there, int image, T sx, T sy, T sz)
    {
        bool near = false;
        unsigned out = 0;

        if (there) {
            const T x = p.x + sx, y = p.y + sy, z = p.z + sz, dx = outside(x, 0), dy = outside(y, 1),
                    dz = outside(z, 2);
            near = dx * dx + dy * dy + dz * dz < far2;
            if (near && (nexcluded || slot / LANES == cluster)) out = out_of(slot, image);
        }
        const unsigned below = (1u << lane) - 1, odd = __ballot_sync(~0u, near && out),
                       even = __ballot_sync(~0u, near && !out);
        const uint32_t entry = (uint32_t)slot | (uint32_t)image << 27;
        if (special + __popc(odd) > TW_CUT_SPECIAL || plain + __popc(even) > c.s.buffer) flush();
        if (near && out) {
            const int at = special + __popc(odd & below);
            s.pairs[2 * at] = entry;
            s.pairs[2 * at + 1] = ~out & 0xffu;
        } else if (near) {
            s.entries[plain + __popc(even & below)] = entry;
        }
        special += __popc(odd);
        plain += __popc(even);
    }
};

__device__ __forceinline__ double slack_of(const tw_cut &c, double low, double high)
{
    return 1e-6 * (fabs(low) + fabs(high) + c.s.outer);
}
/* Columns that a range reaches, unwrapped in a periodic direction. */
__device__ void reach(const tw_cut &c, int axis, double low, double high, int *from, int *to)
{
    const int count = axis ? c.s.ny : c.s.nx;
    const double inverse = c.head->inverse[axis], origin = c.head->origin[axis], most = 2.0 * count,
                 far = c.s.outer + slack_of(c, low, high), a = floor((low - far - origin) * inverse),
                 b = floor((high + far - origin) * inverse);
    *from = (int)(a > -most ? a : -most);
    *to = (int)(b < most ? b : most);
    if (!(c.s.box[axis] > 0)) {
        *from = *from < 0 ? 0 : *from < count ? *from : count - 1;
        *to = *to < 0 ? 0 : *to < count ? *to : count - 1;
    }
}
__device__ __forceinline__ int image_of(int *k, int count)
{
    const int times = *k < 0 ? -((count - 1 - *k) / count) : *k / count;
    *k -= times * count;
    return times + 1;
}
/* How far unwrapped column k is from a range: 0 if they overlap. */
__device__ double gap(const tw_cut &c, int axis, int k, double low, double high)
{
    const double inverse = c.head->inverse[axis], side = inverse > 0 ? 1 / inverse : 0,
                 a = c.head->origin[axis] + k * side, below = low - (a + side), above = a - high;
    return below > 0 ? below : above > 0 ? above : 0;
}
/* The first cluster of a column that reaches up to z (its place 7), or that begins above z (its place 0). */
__device__ int first_cluster(const tw_cut &c, int from, int to, double z, int place)
{
    const Place *p = (const Place *)c.sorted + place;
    while (from < to) {
        const int m = from + (to - from) / 2;
        const double here = (double)p[m * LANES].z;
        if (here < z || (place == 0 && here == z))
            from = m + 1;
        else
            to = m;
    }
    return from;
}

/* Neighbours in a column, and the first of them: a place in each lane, and the next in each lane. */
struct Run {
    int from, to, image;
    Place first, second;
};
__device__ __forceinline__ Place place_at(const tw_cut &c, int slot, bool there)
{
    return ((const Place *)c.sorted)[there ? slot : 0];
}

__global__ void __launch_bounds__(WARPS *WARP, 5) list_search(const __grid_constant__ tw_cut c)
{
    extern __shared__ __align__(16) char memory[];
    __shared__ Images images;
    const int lane = threadIdx.x % WARP, cluster = blockIdx.x * WARPS + threadIdx.x / WARP;
    Search &s = ((Search *)memory)[threadIdx.x / WARP];
    Warp w = {c, s, cluster, lane, -1, 0, 0, 0, c.s.once != 0, {}, {}, 0};

    images.set(c);
    __syncthreads();
    if (!runs(c) || cluster >= c.head->clusters) return;
    const Place *own = (const Place *)c.sorted + (size_t)cluster * LANES;
    double low[3] = {(double)own[0].x, (double)own[0].y, (double)own[0].z}, high[3] = {low[0], low[1], low[2]};
    for (int k = 0; k < LANES; k++) {
        const int atom = c.atom[cluster * LANES + k];
        if (atom < 0) break;
        const double x[3] = {(double)own[k].x, (double)own[k].y, (double)own[k].z};
        for (int a = 0; a < 3; a++) {
            low[a] = fmin(low[a], x[a]);
            high[a] = fmax(high[a], x[a]);
        }
        const int first = c.s.nlinks ? c.link_first[atom] : 0, links = c.s.nlinks ? c.link_first[atom + 1] - first : 0;
        if (lane < links) s.excluded[w.nexcluded + lane] = (uint32_t)c.link_to[first + lane] | (uint32_t)k << 26;
        w.nexcluded += links;
    }
    __syncwarp();

    for (int a = 0; a < 3; a++) {
        w.low[a] = (T)low[a];
        w.high[a] = (T)high[a];
    }
    w.far2 = (T)(c.s.outer * c.s.outer);
    const double far = c.s.outer + slack_of(c, low[2], high[2]);
    int x0, x1, y0, y1;
    reach(c, 0, low[0], high[0], &x0, &x1);
    reach(c, 1, low[1], high[1], &y0, &y1);
    const int home_x = cell((double)own[0].x, c.head->origin[0], c.head->inverse[0], c.s.nx),
              home_y = cell((double)own[0].y, c.head->origin[1], c.head->inverse[1], c.s.ny);
    const int ny = y1 - y0 + 1, count = (x1 - x0 + 1) * ny, z0 = c.s.box[2] > 0 ? 0 : 1, z1 = c.s.box[2] > 0 ? 2 : 1;
    for (int base = 0; base < count; base += WARP) {
        /* Each lane looks up a column, for every image along z … */
        int begin[3] = {0, 0, 0}, end[3] = {0, 0, 0}, image = 0;
        if (base + lane < count) {
            int x = x0 + (base + lane) / ny, y = y0 + (base + lane) % ny;
            /* In half lists the one of two clusters, or of two images, has the pair that is farther left, in front, or
             * below: half of any cluster's neighbours. */
            const int side = x != home_x ? x - home_x : y - home_y;
            const double gx = gap(c, 0, x, low[0], high[0]), gy = gap(c, 1, y, low[1], high[1]),
                         r2 = far * far - gx * gx - gy * gy;
            const int ix = image_of(&x, c.s.nx), iy = image_of(&y, c.s.ny);
            if ((!w.once || side >= 0) && r2 > 0 && ix >= 0 && ix <= 2 && iy >= 0 && iy <= 2) {
                const double r = sqrt(r2) + slack_of(c, low[2], high[2]);
                const int column = x * c.s.ny + y, b = c.column[column + 1];
                image = ix + 3 * iy;
                for (int k = z0; k <= z1; k++) {
                    const double shift = (k - 1) * c.s.box[2];
                    int a = c.column[column];
                    if (w.once && side == 0) {
                        if (k < 1) continue;
                        if (k == 1 && a < cluster) a = cluster;
                    }
                    if (z0 != z1 && (high[2] + r - shift < 0 || low[2] - r - shift > c.s.box[2])) continue;
                    begin[k] = first_cluster(c, a, b, low[2] - r - shift, LANES - 1);
                    end[k] = first_cluster(c, begin[k], b, high[2] + r - shift, 0);
                }
            }
        }
        /* … and the warp goes through them. While it looks at one, the first places of the next are on their way. */
        for (int k = z0; k <= z1; k++) {
            const int b = k == 0   ? begin[0]
                          : k == 1 ? begin[1]
                                   : begin[2],
                      e = k == 0   ? end[0]
                          : k == 1 ? end[1]
                                   : end[2];
            unsigned todo = __ballot_sync(~0u, b < e);
            auto take = [&]() {
                const int l = __ffs(todo) - 1;
                Run r = {__shfl_sync(~0u, b, l) * LANES + lane,
                         __shfl_sync(~0u, e, l) * LANES,
                         __shfl_sync(~0u, image, l) + 9 * k,
                         {},
                         {}};
                r.first = place_at(c, r.from, r.from < r.to);
                r.second = place_at(c, r.from + WARP, r.from + WARP < r.to);
                todo &= todo - 1;
                return r;
            };
            if (!todo) continue;
            Run next = take();
            for (bool more = true; more;) {
                const Run r = next;
                const T sx = images.x[r.image], sy = images.y[r.image], sz = images.z[r.image];
                if ((more = todo)) next = take();
                w.consider(r.first, r.from, r.from < r.to, r.image, sx, sy, sz);
                if (r.from - lane + WARP < r.to)
                    w.consider(r.second, r.from + WARP, r.from + WARP < r.to, r.image, sx, sy, sz);
                for (int j = r.from + 2 * WARP; j - lane < r.to; j += WARP)
                    w.consider(place_at(c, j, j < r.to), j, j < r.to, r.image, sx, sy, sz);
            }
        }
    }
    w.flush();
}

/* Pruned copies of the lists: a warp for each item. */
__global__ void __launch_bounds__(WARPS *WARP) list_prune(const __grid_constant__ tw_cut c)
{
    __shared__ Images images;
    const int lane = threadIdx.x % WARP;
    const T inner2 = T(c.s.inner * c.s.inner);

    images.set(c);
    __syncthreads();
    if (!runs(c) || !c.control->prune) return;
    for (int k; (k = __shfl_sync(~0u, next_item(c, WALK_PRUNE, lane), 0)) < c.lone.count[0];) {
        const tw_cut_item item = c.lone.item[k];
        const unsigned start = item.begin + 2u * item.special;
        Place i[LANES];
        int kept = 0;
#pragma unroll
        for (int a = 0; a < LANES; a++)
            i[a] = ((const Place *)c.sorted)[item.cluster * LANES + a];
        /* While one batch is looked at, the next places and the entries behind them are on their way. */
        const uint32_t *entries = c.lone.pool + start;
        uint32_t entry = lane < item.plain ? entries[lane] : 0,
                 after = WARP + lane < item.plain ? entries[WARP + lane] : 0;
        Place next = ((const Place *)c.sorted)[entry & PLACE];
        for (int l = lane; l - lane < item.plain; l += WARP) {
            const uint32_t mine = entry;
            const T x = next.x + images.x[mine >> 27], y = next.y + images.y[mine >> 27],
                    z = next.z + images.z[mine >> 27];
            bool near = false;
            entry = after;
            next = ((const Place *)c.sorted)[entry & PLACE];
            after = l + 2 * WARP < item.plain ? entries[l + 2 * WARP] : 0;
#pragma unroll
            for (int a = 0; a < LANES; a++) {
                const T dx = i[a].x - x, dy = i[a].y - y, dz = i[a].z - z;
                near |= dx * dx + dy * dy + dz * dz < inner2;
            }
            near = near && l < item.plain;
            const unsigned all = __ballot_sync(~0u, near);
            if (near) c.lone.inner[start + kept + __popc(all & ((1u << lane) - 1))] = mine;
            kept += __popc(all);
        }
        if (lane == 0) c.lone.kept[k] = kept;
    }
}

cudaError_t list(cudaStream_t stream, const tw_cut &c)
{
    const int bytes = WARPS * (int)sizeof(Search);
    cudaError_t e = cudaFuncSetAttribute(list_search, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    cudaLaunchConfig_t config = {};

    if (e != cudaSuccess) return e;
    config.gridDim = dim3(blocks_for(c.s.clusters, WARPS));
    config.blockDim = dim3(WARPS * WARP);
    config.dynamicSmemBytes = (size_t)bytes;
    config.stream = stream;
    return cudaLaunchKernelEx(&config, list_search, c);
}

} /* namespace */
