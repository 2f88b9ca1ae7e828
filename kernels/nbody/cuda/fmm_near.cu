/* P2P: what acts on a leaf's targets directly. A warp owns TW_GPU_TILE targets of one leaf, two in each lane's
 * registers; sources pass through shared memory, 32 at a time, of which each warp has its own: no lane waits for
 * another warp.
 *
 * Arithmetic is double; on GPUs whose double units run at half the rate of the single ones that is no loss, since
 * differences in float would need care for close pairs. 1 / sqrt is an estimate of the hardware: of 20 bits and with
 * one step of the binomial series (exact), or the float one of 22 bits, reached without conversions, which are slow: a
 * double's and a float's bits differ by a shift and the exponent's offset (quick). */
#include "kernels/nbody/cuda/fmm_walk.cuh"
#include "kernels/ptx.cuh"

namespace
{

constexpr int WARPS = 4, BLOCK = 32 * WARPS, PER_LANE = TW_GPU_TILE / 32;

struct Near {
    const struct tw_gpu_info *info;
    const struct tw_gpu_cell *cell;
    const int *near;
    const struct tw_gpu_tile *tile;
    const double *source, *target;
    double *result, kappa;
    int few, ntiles, nt;
};

/* ---- pairs: what a source does to a target --------------------------------------------------------------------------
 * `side`, `kappa`: see below and fmm.h; field k of what was summed: get(k). */

__device__ __forceinline__ double exact_root(double d2)
{
    /* Pairs closer than the smallest normal number's root add nothing. */
    const double y = __double2hiint(d2) < 0x00100000 ? 0 : inverse_root_estimate(d2), e = 1 - d2 * y * y;
    return y + y * e * (0.5 + 0.375 * e);
}

/* side: s, where the cell's side is between 2^s and 2^(s+1). In units of 2^s no distance here is too large for float,
 * and what is below its smallest normal number, coincident points above all, takes the other way. */
__device__ __forceinline__ double quick_root(double d2, int side)
{
    const int high = __double2hiint(d2) - (896 + 2 * side) * (1 << 20);
    if (high < 0x00100000) return exact_root(d2);
    const int bits =
        __float_as_int(inverse_root_estimate(__int_as_float(__funnelshift_l(__double2loint(d2), high, 3))));
    return __hiloint2double((bits >> 3) + (896 - side) * (1 << 20), bits << 29);
}

template <bool GRAD, bool QUICK> struct Laplace {
    static constexpr int FIELDS = GRAD ? 4 : 1;
    static constexpr bool SIDE = QUICK;
    double pot, x, y, z;
    __device__ __forceinline__ void add(const double2 xy, const double2 zq, double x0, double y0, double z0, int side,
                                        double)
    {
        const double dx = xy.x - x0, dy = xy.y - y0, dz = zq.x - z0, d2 = dx * dx + dy * dy + dz * dz,
                     h = QUICK ? quick_root(d2, side) : exact_root(d2);
        if (GRAD) {
            const double w = zq.y * h, g = w * (h * h);
            pot += w;
            x += g * dx;
            y += g * dy;
            z += g * dz;
        } else {
            pot += zq.y * h;
        }
    }
    __device__ __forceinline__ double get(int k) const
    {
        return k == 0 ? pot : k == 1 ? x : k == 2 ? y : z;
    }
};

template <bool GRAD> struct Yukawa {
    static constexpr int FIELDS = GRAD ? 4 : 1;
    static constexpr bool SIDE = false;
    double pot, x, y, z;
    __device__ __forceinline__ void add(const double2 xy, const double2 zq, double x0, double y0, double z0, int,
                                        double kappa)
    {
        const double dx = xy.x - x0, dy = xy.y - y0, dz = zq.x - z0, d2 = dx * dx + dy * dy + dz * dz,
                     h = exact_root(d2), a = kappa * (d2 * h), w = zq.y * h * exp(-a);
        pot += w;
        if (!GRAD) return;
        const double g = w * (1 + a) * (h * h);
        x += g * dx;
        y += g * dy;
        z += g * dz;
    }
    __device__ __forceinline__ double get(int k) const
    {
        return k == 0 ? pot : k == 1 ? x : k == 2 ? y : z;
    }
};

template <bool GRAD> struct Plane {
    static constexpr int FIELDS = GRAD ? 3 : 1;
    static constexpr bool SIDE = false;
    double pot, x, y;
    __device__ __forceinline__ void add(const double2 xy, const double2 zq, double x0, double y0, double, int, double)
    {
        const double dx = x0 - xy.x, dy = y0 - xy.y, r2 = dx * dx + dy * dy;
        if (__double2hiint(r2) < (1023 - 960) << 20) { /* below 2^-960 */
            close(zq.y, dx * 0x1p600, dy * 0x1p600);
            return;
        }
        pot += zq.y * (0.5 * log(r2));
        if (!GRAD) return;
        const double w = zq.y / r2;
        x += w * dx;
        y += w * dy;
    }
    /* A pair whose squared distance has lost bits, or is 0: in units of 2^-600 it is a normal number. Only pairs at the
     * same place are left out. */
    __device__ __forceinline__ void close(double q, double dx, double dy)
    {
        const double r2 = dx * dx + dy * dy;
        if (r2 == 0) return;
        pot += q * (0.5 * log(r2) - 600 * 0.69314718055994530942);
        if (!GRAD) return;
        x += q * (dx / r2) * 0x1p600;
        y += q * (dy / r2) * 0x1p600;
    }
    __device__ __forceinline__ double get(int k) const
    {
        return k == 0 ? pot : k == 1 ? x : y;
    }
};

struct Counting {
    static constexpr int FIELDS = 1;
    static constexpr bool SIDE = false;
    double pot;
    __device__ __forceinline__ void add(const double2, const double2 zq, double, double, double, int, double)
    {
        pot += zq.y;
    }
    __device__ __forceinline__ double get(int) const
    {
        return pot;
    }
};

/* ---- the sum ---- */

template <typename Pair, bool PERIODIC> __global__ void __launch_bounds__(BLOCK) sum_near(const Near a)
{
    const int index = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
    __shared__ double2 stage[WARPS][32][2];
    double2(*const mine)[2] = stage[threadIdx.x / 32];
    if (index >= a.ntiles) return;
    const struct tw_gpu_tile tile = a.tile[index];
    const int end = a.cell[tile.cell].tend, side = Pair::SIDE ? ilogb(a.info->side) - a.cell[tile.cell].level : 0;
    const double period = PERIODIC ? a.info->side : 0;
    double x[PER_LANE], y[PER_LANE], z[PER_LANE], x0[PER_LANE], y0[PER_LANE], z0[PER_LANE];
    Pair sum[PER_LANE] = {};
    Walk<PERIODIC> walk(a.cell, a.near, a.few, tile.cell);
    bool expansion;

    for (int r = 0; r < PER_LANE; r++) {
        const int i = min(tile.begin + 32 * r + lane, end - 1); /* what is beyond is never stored */
        const double2 *from = (const double2 *)a.target + 2 * (size_t)i;
        const double2 xy = from[0];
        x[r] = xy.x, y[r] = xy.y, z[r] = from[1].x;
    }
    for (int b; (b = walk.next(&expansion)) >= 0;) {
        if (expansion) continue;
        const double2 *s = (const double2 *)a.source + 2 * (size_t)a.cell[b].sbegin;
        const int n = sources_of(&a.cell[b]);
#pragma unroll
        for (int r = 0; r < PER_LANE; r++) { /* an image's sources stay, so the targets move the other way */
            x0[r] = PERIODIC ? x[r] - walk.image.x * period : x[r];
            y0[r] = PERIODIC ? y[r] - walk.image.y * period : y[r];
            z0[r] = PERIODIC ? z[r] - walk.image.z * period : z[r];
        }
        for (int j = 0; j < n; j += 32) {
            const int m = min(n - j, 32);
            __syncwarp();
            if (lane < m) {
                mine[lane][0] = s[2 * (j + lane)];
                mine[lane][1] = s[2 * (j + lane) + 1];
            }
            __syncwarp();
            if (tile.begin + 32 < end) {
#pragma unroll 4
                for (int k = 0; k < m; k++) {
                    const double2 xy = mine[k][0], zq = mine[k][1];
#pragma unroll
                    for (int r = 0; r < PER_LANE; r++)
                        sum[r].add(xy, zq, x0[r], y0[r], z0[r], side, a.kappa);
                }
            } else { /* the leaf's last targets: one per lane */
#pragma unroll 4
                for (int k = 0; k < m; k++)
                    sum[0].add(mine[k][0], mine[k][1], x0[0], y0[0], z0[0], side, a.kappa);
            }
        }
    }
    for (int r = 0; r < PER_LANE; r++) {
        const int i = tile.begin + 32 * r + lane;
        if (i >= end) continue;
#pragma unroll
        for (int k = 0; k < Pair::FIELDS; k++)
            a.result[i + (size_t)k * (size_t)a.nt] = sum[r].get(k);
    }
}

typedef void (*Kernel)(const Near);
template <bool GRAD> Kernel kernel_of(const struct tw_gpu_fmm *f)
{
    const bool periodic = f->space.side > 0;
    switch (f->kind) {
    case TW_GPU_YUKAWA: return sum_near<Yukawa<GRAD>, false>;
    case TW_GPU_PLANE: return sum_near<Plane<GRAD>, false>;
    case TW_GPU_COUNTING: return periodic ? sum_near<Counting, true> : sum_near<Counting, false>;
    case TW_GPU_LAPLACE: break;
    }
    if (periodic) return f->quick ? sum_near<Laplace<GRAD, true>, true> : sum_near<Laplace<GRAD, false>, true>;
    return f->quick ? sum_near<Laplace<GRAD, true>, false> : sum_near<Laplace<GRAD, false>, false>;
}

} /* namespace */

extern "C" int tw_gpu_near(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    const Near a = {f->info,   f->cell,  f->near, f->tile,   f->source, f->target,
                    f->result, f->kappa, f->few,  f->ntiles, f->nt};
    if (f->ntiles == 0) return 0;
    return launch(q, blocks(f->ntiles, WARPS), BLOCK, 0, f->nf > 1 ? kernel_of<true>(f) : kernel_of<false>(f), a);
}
