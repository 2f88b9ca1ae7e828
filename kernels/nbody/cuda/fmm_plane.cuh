/* Expansions of the logarithm in the plane from points and at points (kernels/nbody/cpu/plane.h); and the counting
 * kind's. The functions are those of fmm_solid.cuh, and work is shared in the same way. */
#ifndef TW_KERNELS_NBODY_CUDA_FMM_PLANE_CUH
#define TW_KERNELS_NBODY_CUDA_FMM_PLANE_CUH
#include "kernels/nbody/cuda/fmm_solid.cuh"

struct Planar {
    /* z relative to the centre, or, irregular, 1 / z. */
    static __device__ double2 place_in(const Place &p, const double *point, bool irregular)
    {
        const double2 xy = *(const double2 *)point;
        const double x = (xy.x - p.x) * p.inverse, y = (xy.y - p.y) * p.inverse;
        if (!irregular) return make_double2(x, y);
        const double r2 = x * x + y * y;
        return make_double2(x / r2, -y / r2);
    }
    static __device__ __forceinline__ double2 times(double2 a, double2 b)
    {
        return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
    }
    /* log r in the caller's units, from 1 / z. */
    static __device__ double log_distance(double2 w, double inverse)
    {
        return -0.5 * log(w.x * w.x + w.y * w.y) - log(inverse);
    }

    static __device__ void from_points(const struct tw_gpu_tables &t, double, const double *point, int n,
                                       const Place &place, bool irregular, double *E)
    {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

        for (int i = 0; i < n; i += 32) {
            const double *from = point + 4 * (size_t)min(i + lane, n - 1), q = i + lane < n ? from[3] : 0;
            const double2 z = place_in(place, from, irregular);
            double2 power = make_double2(q, 0);
            for (int k = 0; k <= t.p; k++) {
                if (k) power = times(power, z);
                if (k % EXPAND_WARPS != warp) continue;
                const double factor = k           ? -1.0 / k
                                      : irregular ? log_distance(z, place.inverse)
                                                  : 1,
                             sum = sum_both(factor * power.x, factor * power.y, lane);
                if (lane == 0) E[k] += sum;
                if (lane == 16 && k) E[t.half + k] += sum;
            }
        }
    }

    static __device__ void fields(const struct tw_gpu_tables &t, double, const double *E, double, int, int, double *to)
    {
        __syncthreads(); /* the last one has been used */
        for (int k = threadIdx.x; k < t.stride; k += EXPAND_BLOCK)
            to[k] = E[k];
        __syncthreads();
    }

    template <int NF>
    static __device__ void at_points(const struct tw_gpu_tables &t, double, const double *target, int begin, int end,
                                     const Place &place, bool irregular, const double *E, double *result, int nt)
    {
        for (int i = begin + threadIdx.x; i < end; i += EXPAND_BLOCK) {
            const double2 z = place_in(place, target + 4 * (size_t)i, irregular);
            double2 f = make_double2(0, 0), g = f; /* of sum_k E_k z^k, and its derivative */
            for (int k = t.p; k >= 0; k--) {
                if (NF > 1) {
                    g = times(g, z);
                    g.x += f.x, g.y += f.y;
                }
                f = times(f, z);
                if (k > 0 || !irregular) f.x += E[k], f.y += E[t.half + k];
            }
            if (irregular) { /* d/dx of sum a_k w^k is -w^2 g, of a_0 log x it is a_0 w */
                f.x += E[0] * log_distance(z, place.inverse);
                g = times(g, z);
                g = times(make_double2(E[0] - g.x, -g.y), z);
            }
            result[i] += f.x;
            if (NF == 1) continue;
            result[i + (size_t)nt] += g.x * place.inverse;
            result[i + 2 * (size_t)nt] -= g.y * place.inverse;
        }
    }
};

struct Numbers {
    static __device__ void from_points(const struct tw_gpu_tables &, double, const double *point, int n, const Place &,
                                       bool, double *E)
    {
        for (int i = 0; i < n && threadIdx.x == 0; i++)
            E[0] += point[4 * (size_t)i + 3];
    }
    static __device__ void fields(const struct tw_gpu_tables &, double, const double *E, double, int, int, double *to)
    {
        __syncthreads();
        if (threadIdx.x == 0) to[0] = E[0];
        __syncthreads();
    }
    template <int NF>
    static __device__ void at_points(const struct tw_gpu_tables &, double, const double *, int begin, int end,
                                     const Place &, bool, const double *E, double *result, int)
    {
        for (int i = begin + threadIdx.x; i < end; i += EXPAND_BLOCK)
            result[i] += E[0];
    }
};
#endif
