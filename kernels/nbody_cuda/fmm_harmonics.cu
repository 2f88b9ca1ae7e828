/* Expansions from points (P2M, P2L) and at points (L2P, M2P), with the recurrences of kernels/nbody_cpu/harmonics.c.
 *
 * From points: lanes are points, and a block's four warps share the orders m; a lane's harmonics are summed over its warp. At
 * points: threads are targets, and the expansion lies in shared memory. A block owns a cell. */
#include "kernels/nbody_cuda/fmm_walk.cuh"

namespace {

constexpr int WARPS = 4, BLOCK = 32 * WARPS;

struct Far {
    const struct tw_gpu_info *info;
    const struct tw_gpu_cell *cell;
    const int *near;
    const double *source, *target;
    double *M, *L, *result;
    int few, ncells, nt, nf;
};

/* One point relative to a cell's centre. */
struct Harmonics {
    double x, y, z, r2; /* of the irregular ones x, y, z are divided by r^2, and r2 is 1 / r^2 */
    double c, s;        /* R_mm */

    __device__ Harmonics(const Place &p, const double *point, bool irregular)
    {
        const double2 *from = (const double2 *)point;
        const double2 xy = from[0];
        x = (xy.x - p.x) * p.inverse;
        y = (xy.y - p.y) * p.inverse;
        z = (from[1].x - p.z) * p.inverse;
        r2 = x * x + y * y + z * z;
        c = 1;
        s = 0;
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
};

/* Which warp takes order m: all get nearly the same number of coefficients. */
__device__ __forceinline__ int warp_of(int m)
{
    return m & WARPS ? WARPS - 1 - (m & (WARPS - 1)) : m & (WARPS - 1);
}

/* Sum of c over the warp in its lower half, of s in its upper half. */
__device__ __forceinline__ double sum_both(double c, double s, int lane)
{
    double mine = lane < 16 ? c : s;
    const double other = lane < 16 ? s : c;
    mine += __shfl_xor_sync(0xffffffffu, other, 16);
    for (int step = 8; step > 0; step /= 2)
        mine += __shfl_xor_sync(0xffffffffu, mine, step);
    return mine;
}

/* E += sum q R, or q S, of n points; a coefficient belongs to one warp. */
__device__ void from_points(const struct tw_gpu_tables &t, const double *point, int n, const Place &place,
                            bool irregular, double *E)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const double *diagonal = t.number + t.diagonal, *a = t.number + t.a, *b = t.number + t.b;

    for (int i = 0; i < n; i += 32) {
        const double *from = point + 4 * (size_t)min(i + lane, n - 1);
        Harmonics v(place, from, irregular);
        v.c *= i + lane < n ? from[3] : 0; /* all harmonics are linear in R_00 */
        for (int m = 0; m <= t.p; m++) {
            if (m) v.next_order(diagonal[m]);
            if (warp_of(m) != warp) continue;
            double c = v.c, s = v.s, c_1 = 0, s_1 = 0;
            for (int l = m;;) {
                const double sum = sum_both(c, s, lane);
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

/* P2M of leaves; zero for other cells. */
__global__ void __launch_bounds__(BLOCK) from_sources(const Far f, const struct tw_gpu_tables t)
{
    TW_DYNAMIC_SHARED(E);
    const int c = blockIdx.x;
    const struct tw_gpu_cell *cell = &f.cell[c];

    for (int k = threadIdx.x; k < t.stride; k += BLOCK)
        E[k] = 0;
    __syncthreads();
    if (is_leaf(cell) && sources_of(cell) > 0)
        from_points(t, f.source + 4 * (size_t)cell->sbegin, sources_of(cell), place_of(f.info, cell), false, E);
    __syncthreads();
    for (int k = threadIdx.x; k < t.stride; k += BLOCK)
        f.M[(size_t)c * t.stride + k] = E[k];
}

/* P2L: large leaves that touch a cell's parent but not the cell. */
__global__ void __launch_bounds__(BLOCK) from_large(const Far f, const struct tw_gpu_tables t)
{
    TW_DYNAMIC_SHARED(E);
    const int c = blockIdx.x;
    const struct tw_gpu_cell *cell = &f.cell[c];
    bool any = false;

    if (cell->parent < 0 || targets_of(cell) <= f.few) return;
    const int *list = f.near + (size_t)27 * cell->parent;
    for (int k = 0; k < 27; k++) {
        const int b = near_once(list, k);
        if (b < 0 || !is_leaf(&f.cell[b]) || touch(cell, &f.cell[b])) continue;
        if (!any) {
            for (int i = threadIdx.x; i < t.stride; i += BLOCK)
                E[i] = 0;
            __syncthreads();
            any = true;
        }
        from_points(t, f.source + 4 * (size_t)f.cell[b].sbegin, sources_of(&f.cell[b]), place_of(f.info, cell), true,
                    E);
    }
    if (!any) return;
    __syncthreads();
    for (int k = threadIdx.x; k < t.stride; k += BLOCK)
        f.L[(size_t)c * t.stride + k] += E[k];
}

/* An expansion and, if wanted, its gradient's three, scaled to physical units. kind: 0 local, 1 multipole. */
__device__ void fields(const struct tw_gpu_tables &t, const double *E, double inverse, int nf, int kind, double *to)
{
    const double *value = t.number + t.slope_value;
    const int *from = t.integer + t.slope_from;

    __syncthreads(); /* the last fields have been used */
    for (int k = threadIdx.x; k < t.nc; k += BLOCK)
        to[k] = E[k] * inverse;
    for (int axis = 0; nf == 4 && axis < 3; axis++) {
        const int *start = t.integer + t.slope_start + (3 * kind + axis) * (t.nc + 1);
        for (int k = threadIdx.x; k < t.nc; k += BLOCK) {
            double sum = 0;
            for (int i = start[k]; i < start[k + 1]; i++)
                sum += value[i] * E[from[i]];
            to[(1 + axis) * t.stride + k] = sum * inverse * inverse;
        }
    }
    __syncthreads();
}

template <int NF>
__device__ void at_points(const Far &f, const struct tw_gpu_tables &t, const struct tw_gpu_cell *to, const Place &place,
                          bool irregular, const double *E)
{
    const double *diagonal = t.number + t.diagonal, *a = t.number + t.a, *b = t.number + t.b;
    for (int i = to->tbegin + threadIdx.x; i < to->tend; i += BLOCK) {
        Harmonics v(place, f.target + 4 * (size_t)i, irregular);
        double value[NF] = {};
        for (int m = 0; m <= t.p; m++) {
            if (m) v.next_order(diagonal[m]);
            double c = v.c, s = v.s, c_1 = 0, s_1 = 0;
            for (int l = m;;) {
                const double *e = E + l * l + m;
#pragma unroll
                for (int k = 0; k < NF; k++) {
                    value[k] += e[k * t.stride] * c;
                    if (m) value[k] += e[k * t.stride + l] * s;
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
            f.result[i + k * (size_t)f.nt] += value[k];
    }
}

/* L2P and M2P of a leaf. */
template <int NF> __global__ void __launch_bounds__(BLOCK) to_targets(const Far f, const struct tw_gpu_tables t)
{
    TW_DYNAMIC_SHARED(E);
    const int c = blockIdx.x;
    const struct tw_gpu_cell *cell = &f.cell[c];
    bool expansion;

    if (!is_leaf(cell) || targets_of(cell) == 0) return;
    if (cell->level >= 2) {
        const Place place = place_of(f.info, cell);
        fields(t, f.L + (size_t)c * t.stride, place.inverse, NF, 0, E);
        at_points<NF>(f, t, cell, place, false, E);
    }
    Walk walk(f.cell, f.near, f.few, c);
    for (int b; (b = walk.next(&expansion)) >= 0;) {
        if (!expansion) continue;
        const Place place = place_of(f.info, &f.cell[b]);
        fields(t, f.M + (size_t)b * t.stride, place.inverse, NF, 1, E);
        at_points<NF>(f, t, cell, place, true, E);
    }
}

Far far_of(const struct tw_gpu_fmm *f)
{
    return Far{f->info, f->cell, f->near, f->source, f->target, f->M, f->L, f->result, f->few, f->ncells, f->nt, f->nf};
}

/* Beyond 48 KiB a kernel must be told; orders above 37 with gradients need it. */
template <typename Kernel> int allow(Kernel kernel, size_t shared)
{
    if (shared <= 48 << 10) return 0;
    return fmm_status(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
}

} /* namespace */

int tw_gpu_p2m(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    return launch(q, (unsigned)f->ncells, BLOCK, (size_t)f->t.stride * sizeof(double), from_sources, far_of(f), f->t);
}

int tw_gpu_p2l(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    return launch(q, (unsigned)f->ncells, BLOCK, (size_t)f->t.stride * sizeof(double), from_large, far_of(f), f->t);
}

extern "C" int tw_gpu_end(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    const size_t shared = (size_t)f->nf * (size_t)f->t.stride * sizeof(double);
    int e = f->nf == 4 ? allow(to_targets<4>, shared) : allow(to_targets<1>, shared);
    if (e) return e;
    return launch(q, (unsigned)f->ncells, BLOCK, shared, f->nf == 4 ? to_targets<4> : to_targets<1>, far_of(f), f->t);
}
