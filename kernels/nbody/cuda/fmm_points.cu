/* Points on their way in and out: their box, keys along the Morton curve, the order that sorts them, sorted copies;
 * results back into the caller's order. */
#include <cfloat>
#include <cmath>
#include <cub/device/device_radix_sort.cuh>

#include "kernels/nbody/cuda/fmm_local.cuh"
#include "types/nbody/cube.h"

namespace
{

constexpr int BLOCK = 256, BOX_BLOCKS = 1024;

/* What a block of `measure` found. */
struct Part {
    double low[3], high[3];
};

__device__ __forceinline__ double at(enum tw_type type, const void *a, size_t k)
{
    return type == TW_FLOAT ? (double)((const float *)a)[k] : ((const double *)a)[k];
}

/* A coordinate of a point, in the box if there is one (as tw_into_box). */
__device__ __forceinline__ double coordinate(const struct tw_gpu_space &s, const void *xyz, size_t i, int axis)
{
    if (axis >= s.dim) return 0;
    const double x = at(s.type, xyz, s.dim * i + axis);
    if (s.side <= 0) return x;
    const double inside = x - s.side * floor((x - s.corner[axis]) / s.side);
    return inside < s.corner[axis] || inside >= s.corner[axis] + s.side ? s.corner[axis] : inside;
}

__device__ void look(Part &p, const struct tw_gpu_space &s, const void *xyz, int64_t n)
{
    for (int64_t k = (int64_t)blockIdx.x * BLOCK + threadIdx.x; k < n; k += (int64_t)gridDim.x * BLOCK)
        for (int axis = 0; axis < 3; axis++) {
            const double x = coordinate(s, xyz, (size_t)k, axis);
            p.low[axis] = fmin(p.low[axis], x);
            p.high[axis] = fmax(p.high[axis], x);
        }
}

__device__ void combine(Part &p, const Part &o)
{
    for (int k = 0; k < 3; k++) {
        p.low[k] = fmin(p.low[k], o.low[k]);
        p.high[k] = fmax(p.high[k], o.high[k]);
    }
}

/* The block's part, in thread 0. */
__device__ Part of_block(Part p)
{
    __shared__ Part all[BLOCK];
    all[threadIdx.x] = p;
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half) combine(all[threadIdx.x], all[threadIdx.x + half]);
    }
    __syncthreads();
    return all[0];
}

__device__ Part nothing()
{
    return Part{{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
}

__global__ void __launch_bounds__(BLOCK)
    measure(const struct tw_gpu_space s, const void *source, int64_t ns, const void *target, int64_t nt, Part *part)
{
    Part p = nothing();
    look(p, s, source, ns);
    look(p, s, target, nt);
    p = of_block(p);
    if (threadIdx.x == 0) part[blockIdx.x] = p;
}

/* The cube, as tw_box_cube makes it. */
#define SMALLEST_SIDE 1e-100 /* algorithms/nbody/points.c says why */
__global__ void __launch_bounds__(BLOCK) make_cube(const Part *part, int n, struct tw_gpu_info *info)
{
    Part p = nothing();
    double widest = 0, far = DBL_MIN;

    for (int k = threadIdx.x; k < n; k += BLOCK)
        combine(p, part[k]);
    p = of_block(p);
    if (threadIdx.x) return;
    for (int k = 0; k < 3; k++) { /* as tw_box_shift */
        const double near = fabs(p.low[k]) < fabs(p.high[k]) ? p.low[k] : p.high[k], wide = p.high[k] - p.low[k];
        const double shift = p.low[k] * near > 0 && p.high[k] * near > 0 && fabs(near) >= wide ? near : 0;
        info->shift[k] = shift;
        p.low[k] -= shift;
        p.high[k] -= shift;
        widest = fmax(widest, p.high[k] - p.low[k]);
        far = fmax(far, fmax(fabs(p.low[k]), fabs(p.high[k])));
    }
    info->side = widest > 4 * DBL_EPSILON * far ? widest * (1 + 1e-9) : far;
    if (info->side < SMALLEST_SIDE) info->side = SMALLEST_SIDE;
    for (int k = 0; k < 3; k++)
        info->corner[k] =
            fma(-tw_box_middle(p.high[k] - p.low[k], info->side), info->side, 0.5 * (p.low[k] + p.high[k]));
}

__global__ void take_cube(const struct tw_gpu_space s, struct tw_gpu_info *info)
{
    info->side = s.side;
    for (int k = 0; k < 3; k++)
        info->corner[k] = s.corner[k], info->shift[k] = 0;
}

/* Bit k of x to bit 3 k, for 21 bits. */
__device__ uint64_t spread(uint64_t x)
{
    x = (x | x << 32) & 0x1f00000000ffff;
    x = (x | x << 16) & 0x1f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

__global__ void make_keys(const struct tw_gpu_space s, const void *xyz, int n, const struct tw_gpu_info *info,
                          uint64_t *key, uint32_t *order)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x, most = (1 << TW_GPU_BITS) - 1;
    const double scale = (double)(1 << TW_GPU_BITS) / info->side;
    uint64_t k = 0;

    if (i >= n) return;
    for (int axis = 0; axis < 3; axis++) {
        const double x = (coordinate(s, xyz, (size_t)i, axis) - info->shift[axis] - info->corner[axis]) * scale;
        k |= spread(x >= most ? (uint64_t)most : x > 0 ? (uint64_t)x : 0) << (2 - axis); /* NaN: 0 */
    }
    key[i] = k;
    order[i] = (uint32_t)i;
}

__global__ void copy_sorted(const struct tw_gpu_space s, const void *xyz, int n, const struct tw_gpu_info *info,
                            const uint32_t *order, double *to)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) return;
    double2 *out = (double2 *)to + 2 * (size_t)i;
    out[0] = make_double2(coordinate(s, xyz, order[i], 0) - info->shift[0],
                          coordinate(s, xyz, order[i], 1) - info->shift[1]);
    out[1] = make_double2(coordinate(s, xyz, order[i], 2) - info->shift[2], 0);
}

__global__ void copy_charges(enum tw_type type, const void *charge, int nd, int d, int n, const uint32_t *order,
                             double *to)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) to[4 * (size_t)i + 3] = at(type, charge, (size_t)order[i] * nd + d);
}

__device__ __forceinline__ void put(enum tw_type type, void *a, size_t k, double x)
{
    if (type == TW_FLOAT)
        ((float *)a)[k] = (float)x;
    else
        ((double *)a)[k] = x;
}

/* ---- what the boundary of a periodic box adds (algorithms/nbody/periodic.c) ---- */

constexpr int MOMENTS = 5, MOMENT_BLOCKS = 256;

/* Each block's part; thread 0 holds it in the end. */
__device__ void sum_block(double m[MOMENTS])
{
    __shared__ double all[MOMENTS][BLOCK];
    for (int k = 0; k < MOMENTS; k++)
        all[k][threadIdx.x] = m[k];
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        for (int k = 0; k < MOMENTS && (int)threadIdx.x < half; k++)
            all[k][threadIdx.x] += all[k][threadIdx.x + half];
    }
    __syncthreads();
    for (int k = 0; k < MOMENTS; k++)
        m[k] = all[k][0];
}

__global__ void __launch_bounds__(BLOCK)
    sum_moments(const struct tw_gpu_space s, const double *source, int n, double *part)
{
    double m[MOMENTS] = {};
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
        const double *from = source + 4 * (size_t)i, q = from[3];
        double r2 = 0;
        for (int k = 0; k < 3; k++) {
            const double x = from[k] - s.corner[k] - 0.5 * s.side;
            m[1 + k] += q * x;
            r2 += x * x;
        }
        m[0] += q;
        m[4] += q * r2;
    }
    sum_block(m);
    for (int k = 0; k < MOMENTS && threadIdx.x == 0; k++)
        part[blockIdx.x * MOMENTS + k] = m[k];
}

__global__ void __launch_bounds__(BLOCK) sum_parts(const double *part, int n, double *to)
{
    double m[MOMENTS] = {};
    for (int i = threadIdx.x; i < n; i += BLOCK)
        for (int k = 0; k < MOMENTS; k++)
            m[k] += part[i * MOMENTS + k];
    sum_block(m);
    for (int k = 0; k < MOMENTS && threadIdx.x == 0; k++)
        to[k] = m[k];
}

struct Output {
    struct tw_gpu_space space;
    const double *result, *target, *moment;
    const uint32_t *order;
    int total, from, n, nd, d, nf, tinfoil;
    double self;
    void *pot, *grad;
};

__device__ void adjust(const Output &o, const double *target, double value[4])
{
    const double side = o.space.side, a = 2 * M_PI / (3 * side) / side / side, *D = o.moment + 1;
    double r2 = 0;
    for (int k = 0; k < 3; k++) {
        const double x = target[k] - o.space.corner[k] - 0.5 * side;
        r2 += x * x;
        if (o.tinfoil) value[0] -= 2 * a * x * D[k];
        if (o.nf == 4) value[1 + k] += 2 * a * (o.moment[0] * x - (o.tinfoil ? D[k] : 0));
    }
    value[0] += a * (o.moment[0] * r2 + o.moment[4]) + o.self * o.moment[0];
}

__global__ void scatter(const Output o)
{
    const int k = blockIdx.x * BLOCK + threadIdx.x, dim = o.space.dim;
    if (k >= o.total) return;
    const size_t i = (size_t)o.order[k] - (size_t)o.from;
    if (o.order[k] < (uint32_t)o.from || i >= (size_t)o.n) return;
    double value[4] = {};
    for (int f = 0; f < o.nf; f++)
        value[f] = o.result[k + (size_t)f * o.total];
    if (o.moment) adjust(o, o.target + 4 * (size_t)k, value);
    if (o.pot) put(o.space.type, o.pot, (size_t)o.d + o.nd * i, value[0]);
    for (int axis = 0; o.grad && axis < dim; axis++)
        put(o.space.type, o.grad, (size_t)o.d + o.nd * (axis + dim * i), value[1 + axis]);
}

} /* namespace */

extern "C" size_t tw_gpu_box_bytes(void)
{
    return BOX_BLOCKS * sizeof(Part);
}

extern "C" int tw_gpu_box(const struct tw_cuda *q, const struct tw_gpu_space *s, const void *source, int ns,
                          const void *target, int nt, struct tw_gpu_info *info, void *work)
{
    int e = fmm_status(cudaMemsetAsync(info, 0, sizeof *info, (cudaStream_t)q->stream)); /* all of it travels */
    if (e) return e;
    if (s->side > 0) return launch(q, 1, 1, 0, take_cube, *s, info);
    e = launch(q, BOX_BLOCKS, BLOCK, 0, measure, *s, source, ns, target, nt, (Part *)work);
    return e ? e : launch(q, 1, BLOCK, 0, make_cube, (const Part *)work, BOX_BLOCKS, info);
}

extern "C" int tw_gpu_join(const struct tw_cuda *q, const struct tw_gpu_space *s, const void *source, int ns,
                           const void *target, int nt, void *to)
{
    const size_t size = (size_t)s->dim * (s->type == TW_FLOAT ? sizeof(float) : sizeof(double));
    cudaStream_t stream = (cudaStream_t)q->stream;
    cudaError_t e = cudaMemcpyAsync(to, source, (size_t)ns * size, cudaMemcpyDeviceToDevice, stream);
    if (e == cudaSuccess)
        e = cudaMemcpyAsync((char *)to + (size_t)ns * size, target, (size_t)nt * size, cudaMemcpyDeviceToDevice,
                            stream);
    return fmm_status(e);
}

/* Keys and numbers a second time, and what the sort counts with. */
extern "C" size_t tw_gpu_sort_bytes(int n)
{
    return (size_t)n * (sizeof(uint64_t) + sizeof(uint32_t)) + (size_t)n / 2 + ((size_t)8 << 20);
}

extern "C" int tw_gpu_sort(const struct tw_cuda *q, const struct tw_gpu_space *space, const void *xyz, int n,
                           const struct tw_gpu_info *info, uint64_t *key, uint32_t *order, void *work, size_t bytes)
{
    uint64_t *key2 = (uint64_t *)work;
    uint32_t *order2 = (uint32_t *)(key2 + n);
    char *rest = (char *)work + (((size_t)n * 12 + 255) & ~(size_t)255);
    cub::DoubleBuffer<uint64_t> keys(key, key2);
    cub::DoubleBuffer<uint32_t> orders(order, order2);
    cudaStream_t stream = (cudaStream_t)q->stream;
    size_t need = 0;
    cudaError_t e;
    int s;

    if (n == 0) return 0;
    if ((s = launch(q, blocks(n, BLOCK), BLOCK, 0, make_keys, *space, xyz, n, info, key, order))) return s;
    e = cub::DeviceRadixSort::SortPairs(NULL, need, keys, orders, n, 0, 3 * TW_GPU_BITS, stream);
    if (e != cudaSuccess) return fmm_status(e);
    if (rest + need > (char *)work + bytes) return fmm_status(cudaErrorMemoryAllocation);
    e = cub::DeviceRadixSort::SortPairs(rest, need, keys, orders, n, 0, 3 * TW_GPU_BITS, stream);
    if (e == cudaSuccess && keys.Current() != key)
        e = cudaMemcpyAsync(key, key2, (size_t)n * sizeof *key, cudaMemcpyDeviceToDevice, stream);
    if (e == cudaSuccess && orders.Current() != order)
        e = cudaMemcpyAsync(order, order2, (size_t)n * sizeof *order, cudaMemcpyDeviceToDevice, stream);
    return fmm_status(e);
}

extern "C" int tw_gpu_gather(const struct tw_cuda *q, const struct tw_gpu_space *s, const void *xyz, int n,
                             const struct tw_gpu_info *info, const uint32_t *order, double *to)
{
    if (n == 0) return 0;
    return launch(q, blocks(n, BLOCK), BLOCK, 0, copy_sorted, *s, xyz, n, info, order, to);
}

extern "C" int tw_gpu_charges(const struct tw_cuda *q, enum tw_type type, const void *charge, int nd, int d, int n,
                              const uint32_t *order, double *to)
{
    if (n == 0) return 0;
    return launch(q, blocks(n, BLOCK), BLOCK, 0, copy_charges, type, charge, nd, d, n, order, to);
}

extern "C" size_t tw_gpu_moment_bytes(void)
{
    return (1 + MOMENT_BLOCKS) * MOMENTS * sizeof(double);
}

extern "C" int tw_gpu_moments(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    double *part = f->moment + MOMENTS;
    int e = launch(q, MOMENT_BLOCKS, BLOCK, 0, sum_moments, f->space, f->source, f->ns, part);
    return e ? e : launch(q, 1, BLOCK, 0, sum_parts, part, MOMENT_BLOCKS, f->moment);
}

extern "C" int tw_gpu_scatter(const struct tw_cuda *q, const struct tw_gpu_fmm *f, int from, int n, int nd, int d,
                              void *pot, void *grad)
{
    const Output o = {f->space, f->result, f->target, f->moment,  f->torder, f->nt, from, n,
                      nd,       d,         f->nf,     f->tinfoil, f->self,   pot,   grad};
    if (n == 0) return 0;
    return launch(q, blocks(f->nt, BLOCK), BLOCK, 0, scatter, o);
}
