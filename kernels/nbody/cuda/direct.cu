/* The direct sum over all pairs of two tiles of particles (Nyland, Harris and Prins, GPU Gems 3, chapter 31).
 *
 * A block owns TARGETS targets, PER_LANE of them in each lane's registers, the same ones in every warp; sources pass
 * through shared memory, BLOCK at a time, and each warp takes its WARPth of them: even a small tile of targets fills
 * the GPU. The warps' sums are added in their order, without atomics: the same bits in every run.
 *
 * Coincident pairs, which add nothing, would cost every pair a comparison and two selections. Instead a warp takes 32
 * sources as if there were none, noting the smallest distance only, and takes them again with care in the rare case
 * that there was one. */
#include <cfloat>
#include <cuda_runtime.h>

#include "kernels/nbody/cuda/nbody_cuda.h"
#include "kernels/ptx.cuh"
extern "C" {
#include "kernels/status.h"
}

namespace
{

constexpr int BLOCK = 256, LANES = 32, WARPS = BLOCK / LANES, PER_LANE = 2, TARGETS = LANES * PER_LANE;

template <typename T> struct Arrays {
    const T *target[3], *source[4];
    T *pot, *grad[3];
    int nt, ns;
    T soft2;
    bool first;
};
template <typename T> struct alignas(4 * sizeof(T)) Particle {
    T x, y, z, q;
};

/* The unit's estimate: in float to 22 bits, which is what rsqrtf gives, but without its steps for subnormal numbers; in
 * double to 20 bits, then one step of the binomial series. */
__device__ __forceinline__ float inverse_root(float x)
{
    return inverse_root_estimate(x);
}
__device__ __forceinline__ double inverse_root(double x)
{
    const double y = inverse_root_estimate(x), e = 1 - x * y * y;
    return y + y * e * (0.5 + 0.375 * e);
}
__device__ __forceinline__ float smallest(float)
{
    return FLT_MIN;
}
__device__ __forceinline__ double smallest(double)
{
    return DBL_MIN;
}

template <typename T, bool POT, bool GRAD> struct Sum {
    T pot, x, y, z;

    __device__ __forceinline__ void add_pair(T q, T h, T dx, T dy, T dz)
    {
        const T w = q * h;
        if (POT) pot += w;
        if (GRAD) {
            const T g = w * (h * h);
            x += g * dx;
            y += g * dy;
            z += g * dz;
        }
    }
    /* closest: the smallest r^2 + soft2 so far. */
    __device__ __forceinline__ void add(const Particle<T> &s, T x0, T y0, T z0, T soft2, T *closest)
    {
        const T dx = s.x - x0, dy = s.y - y0, dz = s.z - z0, d2 = dx * dx + (dy * dy + (dz * dz + soft2));
        *closest = fmin(*closest, d2);
        add_pair(s.q, inverse_root(d2), dx, dy, dz);
    }
    __device__ void add_carefully(const Particle<T> &s, T x0, T y0, T z0, T soft2)
    {
        const T dx = s.x - x0, dy = s.y - y0, dz = s.z - z0, d2 = dx * dx + dy * dy + dz * dz;
        const bool coincide = d2 < smallest(d2); /* NaN does not, and spreads */
        add_pair(coincide ? T(0) : s.q, inverse_root(coincide ? T(1) : d2 + soft2), dx, dy, dz);
    }
    __device__ __forceinline__ void add(const Sum &s)
    {
        if (POT) pot += s.pot;
        if (!GRAD) return;
        x += s.x;
        y += s.y;
        z += s.z;
    }
};

template <typename T, bool POT, bool GRAD> __global__ void __launch_bounds__(BLOCK) direct(const Arrays<T> a)
{
    __shared__ Particle<T> tile[BLOCK];
    __shared__ T part[WARPS][4][TARGETS];
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, base = blockIdx.x * TARGETS;
    T x[PER_LANE], y[PER_LANE], z[PER_LANE];
    Sum<T, POT, GRAD> sum[PER_LANE] = {};
    const T guard = fmax(a.soft2 * T(1.0001), 4 * smallest(a.soft2)); /* no coincident pair is above */

#pragma unroll
    for (int r = 0; r < PER_LANE; r++) {
        const int i = base + r * LANES + lane, from = i < a.nt ? i : a.nt - 1; /* what is beyond is never stored */
        x[r] = a.target[0][from];
        y[r] = a.target[1][from];
        z[r] = a.target[2][from];
    }
    for (int j0 = 0; j0 < a.ns; j0 += BLOCK) {
        const int j = j0 + threadIdx.x;
        /* Beyond the end: a copy of the last source without charge. */
        const int from = j < a.ns ? j : a.ns - 1;
        __syncthreads();
        tile[threadIdx.x] =
            Particle<T>{a.source[0][from], a.source[1][from], a.source[2][from], j < a.ns ? a.source[3][from] : T(0)};
        __syncthreads();
        const Particle<T> *mine = tile + warp * LANES;
        Sum<T, POT, GRAD> some[PER_LANE] = {};
        T closest = guard;
#pragma unroll 8
        for (int k = 0; k < LANES; k++) {
            const Particle<T> s = mine[k];
#pragma unroll
            for (int r = 0; r < PER_LANE; r++)
                some[r].add(s, x[r], y[r], z[r], a.soft2, &closest);
        }
        if (closest < guard) {
#pragma unroll
            for (int r = 0; r < PER_LANE; r++)
                some[r] = Sum<T, POT, GRAD>{};
#pragma unroll 1
            for (int k = 0; k < LANES; k++)
#pragma unroll
                for (int r = 0; r < PER_LANE; r++)
                    some[r].add_carefully(mine[k], x[r], y[r], z[r], a.soft2);
        }
#pragma unroll
        for (int r = 0; r < PER_LANE; r++)
            sum[r].add(some[r]);
    }
#pragma unroll
    for (int r = 0; r < PER_LANE; r++) {
        part[warp][0][r * LANES + lane] = sum[r].pot;
        part[warp][1][r * LANES + lane] = sum[r].x;
        part[warp][2][r * LANES + lane] = sum[r].y;
        part[warp][3][r * LANES + lane] = sum[r].z;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 4 * TARGETS; k += BLOCK) {
        const int what = k / TARGETS, i = base + k % TARGETS;
        T *to = what == 0 ? a.pot : a.grad[what - 1], value = 0;
        if (!to || i >= a.nt) continue;
        for (int w = 0; w < WARPS; w++)
            value += part[w][what][k % TARGETS];
        to[i] = a.first ? value : to[i] + value;
    }
}

template <typename T> int enqueue(const struct tw_cuda *cuda, enum tw_type type, const struct tw_direct *d, bool first)
{
    Arrays<T> a = {};
    cudaLaunchConfig_t config = {};
    cudaError_t e;

    for (int k = 0; k < 3; k++) {
        a.target[k] = (const T *)d->target[k];
        a.grad[k] = (T *)d->grad[k];
    }
    for (int k = 0; k < 4; k++)
        a.source[k] = (const T *)d->source[k];
    a.pot = (T *)d->pot;
    a.nt = d->nt;
    a.ns = d->ns;
    a.soft2 = (T)d->soft2;
    a.first = first;
    config.gridDim = dim3((unsigned)((d->nt + TARGETS - 1) / TARGETS));
    config.blockDim = dim3(BLOCK);
    config.stream = (cudaStream_t)cuda->stream;
    if (!a.grad[0])
        e = cudaLaunchKernelEx(&config, direct<T, true, false>, a);
    else if (!a.pot)
        e = cudaLaunchKernelEx(&config, direct<T, false, true>, a);
    else
        e = cudaLaunchKernelEx(&config, direct<T, true, true>, a);
    return tw_cuda_status(TW_LIBRARY_CUDA, type, TW_CALL_direct, (int)e);
}

} /* namespace */

extern "C" int tw_nbody_cuda_direct(const struct tw_cuda *cuda, enum tw_type type, const struct tw_direct *d, int first)
{
    if (d->nt <= 0 || d->ns <= 0) return 0;
    return type == TW_FLOAT ? enqueue<float>(cuda, type, d, first != 0) : enqueue<double>(cuda, type, d, first != 0);
}
