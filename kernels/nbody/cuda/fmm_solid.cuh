/* Expansions in solid harmonics from points (P2M, P2L) and at points (L2P, M2P), with the recurrences of
 * kernels/nbody/cpu/harmonics.c; with functions of the radius (yukawa.c) for Yukawa's kernel.
 *
 * From points: lanes are points, and a block's four warps share the orders m; a lane's harmonics are summed over its
 * warp. At points: threads are targets, and the expansion lies in shared memory. A block owns a cell. */
#ifndef TW_KERNELS_NBODY_CUDA_FMM_SOLID_CUH
#define TW_KERNELS_NBODY_CUDA_FMM_SOLID_CUH
#include "kernels/nbody/cuda/fmm_walk.cuh"

constexpr int EXPAND_WARPS = 4, EXPAND_BLOCK = 32 * EXPAND_WARPS;

/* Sum of c over the warp in its lower half, of s in its upper half. */
static __device__ __forceinline__ double sum_both(double c, double s, int lane)
{
    double mine = lane < 16 ? c : s;
    const double other = lane < 16 ? s : c;
    mine += __shfl_xor_sync(0xffffffffu, other, 16);
    for (int step = 8; step > 0; step /= 2)
        mine += __shfl_xor_sync(0xffffffffu, mine, step);
    return mine;
}

/* f_l(z) or, irregular, g_l(z) for l = 0…p: see kernels/nbody/cpu/yukawa.h. z2 is z^2. */
constexpr int RADIAL_MOST = 80;
static __device__ void radial_functions(int p, double z2, bool irregular, double *to)
{
    if (irregular) {
        const double z = sqrt(z2);
        to[0] = exp(-z);
        to[1] = (1 + z) * to[0];
        for (int l = 1; l < p; l++)
            to[l + 1] = to[l] + z2 * to[l - 1] * (1 / ((2.0 * l - 1) * (2 * l + 1)));
        return;
    }
    double top = 1, above = 1, term = 1, next = 1;
    for (int k = 1; term > 1e-18 * top; k++) {
        term *= 0.5 * z2 / (k * (2.0 * p + 2 * k + 1));
        next *= 0.5 * z2 / (k * (2.0 * p + 2 * k + 3));
        top += term;
        above += next;
    }
    to[p] = top;
    for (int l = p; l > 0; l--) {
        to[l - 1] = to[l] + z2 * above / ((2.0 * l + 1) * (2 * l + 3));
        above = to[l];
    }
}

/* One point relative to a cell's centre. */
template <bool RADIAL> struct Harmonics {
    double x, y, z, r2; /* of the irregular ones x, y, z are divided by r^2, and r2 is 1 / r^2 */
    double c, s;        /* R_mm */
    double radial[RADIAL ? RADIAL_MOST : 1];

    /* kappa: times the cell's side. */
    __device__ Harmonics(const struct tw_gpu_tables &t, double kappa, const Place &p, const double *point,
                         bool irregular)
    {
        const double2 *from = (const double2 *)point;
        const double2 xy = from[0];
        x = (xy.x - p.x) * p.inverse;
        y = (xy.y - p.y) * p.inverse;
        z = (from[1].x - p.z) * p.inverse;
        r2 = x * x + y * y + z * z;
        c = 1;
        s = 0;
        if (RADIAL) radial_functions(t.p, kappa * kappa * r2, irregular, radial);
        if (!irregular) return;
        r2 = 1 / r2;
        c = sqrt(r2);
        x *= r2, y *= r2, z *= r2;
    }
    /* From R_m-1,m-1 to R_mm. */
    __device__ __forceinline__ void next_order(double diagonal)
    {
        const double cc = diagonal * (x * c - y * s);
        s = diagonal * (x * s + y * c);
        c = cc;
    }
    __device__ __forceinline__ double of_radius(int l, double value) const
    {
        return RADIAL ? value * radial[l] : value;
    }
};

template <bool RADIAL> struct Solid {
    /* Which warp takes order m: all get nearly the same number of coefficients. */
    static __device__ __forceinline__ int warp_of(int m)
    {
        return m & EXPAND_WARPS ? EXPAND_WARPS - 1 - (m & (EXPAND_WARPS - 1)) : m & (EXPAND_WARPS - 1);
    }

    /* E += sum q R, or q S, of n points; a coefficient belongs to one warp. */
    static __device__ void from_points(const struct tw_gpu_tables &t, double kappa, const double *point, int n,
                                       const Place &place, bool irregular, double *E)
    {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const double *diagonal = t.number + t.diagonal, *a = t.number + t.a, *b = t.number + t.b;

        for (int i = 0; i < n; i += 32) {
            const double *from = point + 4 * (size_t)min(i + lane, n - 1);
            Harmonics<RADIAL> v(t, kappa, place, from, irregular);
            v.c *= i + lane < n ? from[3] : 0; /* all harmonics are linear in R_00 */
            for (int m = 0; m <= t.p; m++) {
                if (m) v.next_order(diagonal[m]);
                if (warp_of(m) != warp) continue;
                double c = v.c, s = v.s, c_1 = 0, s_1 = 0;
                for (int l = m;;) {
                    const double sum = sum_both(v.of_radius(l, c), v.of_radius(l, s), lane);
                    if (lane == 0) E[l * l + m] += sum;
                    if (lane == 16 && m) E[l * l + l + m] += sum;
                    if (++l > t.p) break;
                    const int k = l * (l + 1) / 2 + m;
                    const double az = a[k] * v.z, br = b[k] * v.r2, cc = az * c - br * c_1, ss = az * s - br * s_1;
                    c_1 = c, s_1 = s;
                    c = cc, s = ss;
                }
            }
        }
    }

    /* kappa^2 / ((2 l - 1) (2 l + 1)): what the slopes of Yukawa's functions have beyond Laplace's
     * (tw_yukawa_slope_local). */
    static __device__ __forceinline__ double back(double kappa, int l)
    {
        return kappa * kappa / ((2.0 * l - 1) * (2 * l + 1));
    }

    /* An expansion and, if wanted, its gradient's three, scaled to physical units. kind: 0 local, 1 multipole. */
    static __device__ void fields(const struct tw_gpu_tables &t, double kappa, const double *E, double inverse, int nf,
                                  int kind, double *to)
    {
        const double *value = t.number + t.slope_value;
        const int *from = t.integer + t.slope_from, *degree = t.integer + t.degree;

        __syncthreads(); /* the last fields have been used */
        for (int k = threadIdx.x; k < t.nc; k += EXPAND_BLOCK)
            to[k] = E[k] * inverse;
        for (int axis = 0; nf == 4 && axis < 3; axis++) {
            const int *start = t.integer + t.slope_start + (3 * kind + axis) * (t.nc + 1),
                      *other = t.integer + t.slope_start + (3 * (1 - kind) + axis) * (t.nc + 1);
            for (int k = threadIdx.x; k < t.nc; k += EXPAND_BLOCK) {
                double sum = 0, more = 0;
                for (int i = start[k]; i < start[k + 1]; i++)
                    sum += value[i] * E[from[i]];
                for (int i = other[k]; RADIAL && i < other[k + 1]; i++)
                    more += value[i] * E[from[i]] * back(kappa, kind ? degree[from[i]] : degree[k]);
                to[(1 + axis) * t.stride + k] = (sum - more) * inverse * inverse;
            }
        }
        __syncthreads();
    }

    /* What fields E say at a cell's targets, added to the results: NF columns of nt. */
    template <int NF>
    static __device__ void at_points(const struct tw_gpu_tables &t, double kappa, const double *target, int begin,
                                     int end, const Place &place, bool irregular, const double *E, double *result,
                                     int nt)
    {
        const double *diagonal = t.number + t.diagonal, *a = t.number + t.a, *b = t.number + t.b;
        for (int i = begin + threadIdx.x; i < end; i += EXPAND_BLOCK) {
            Harmonics<RADIAL> v(t, kappa, place, target + 4 * (size_t)i, irregular);
            double value[NF] = {};
            for (int m = 0; m <= t.p; m++) {
                if (m) v.next_order(diagonal[m]);
                double c = v.c, s = v.s, c_1 = 0, s_1 = 0;
                for (int l = m;;) {
                    const double *e = E + l * l + m, cr = v.of_radius(l, c), sr = v.of_radius(l, s);
#pragma unroll
                    for (int k = 0; k < NF; k++) {
                        value[k] += e[k * t.stride] * cr;
                        if (m) value[k] += e[k * t.stride + l] * sr;
                    }
                    if (++l > t.p) break;
                    const int k = l * (l + 1) / 2 + m;
                    const double az = a[k] * v.z, br = b[k] * v.r2, cc = az * c - br * c_1, ss = az * s - br * s_1;
                    c_1 = c, s_1 = s;
                    c = cc, s = ss;
                }
            }
#pragma unroll
            for (int k = 0; k < NF; k++)
                result[i + k * (size_t)nt] += value[k];
        }
    }
};
#endif
