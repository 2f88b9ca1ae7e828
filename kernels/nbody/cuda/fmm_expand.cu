/* P2M and P2L, L2P and M2P of all cells, for each kind of expansion; and the first two levels of a periodic tree, whose
 * expansions are longer: on the device only from points, at points, and on their way to and from the host. */
#include "kernels/nbody/cuda/fmm_plane.cuh"

namespace
{

constexpr int BLOCK = EXPAND_BLOCK;

struct Far {
    const struct tw_gpu_info *info;
    const struct tw_gpu_cell *cell;
    const int *near;
    const double *source, *target;
    double *M, *L, *result, *first;
    double kappa;
    int few, top, nt;
};

__device__ __forceinline__ Image here()
{
    return Image{0, 0, 0};
}

__device__ __forceinline__ void clear(double *E, int n)
{
    for (int k = threadIdx.x; k < n; k += BLOCK)
        E[k] = 0;
    __syncthreads();
}

/* P2M of leaves; zero for other cells. */
template <typename Kind>
__global__ void __launch_bounds__(BLOCK) from_sources(const Far f, const struct tw_gpu_tables t)
{
    TW_DYNAMIC_SHARED(E);
    const int c = blockIdx.x;
    const struct tw_gpu_cell *cell = &f.cell[c];

    clear(E, t.stride);
    if (is_leaf(cell) && sources_of(cell) > 0 && cell->level >= f.top) {
        const Place place = place_of(f.info, cell, here());
        Kind::from_points(t, f.kappa / place.inverse, f.source + 4 * (size_t)cell->sbegin, sources_of(cell), place,
                          false, E);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < t.stride; k += BLOCK)
        f.M[(size_t)c * t.stride + k] = E[k];
}

/* P2L: large leaves that touch a cell's parent but not the cell. */
template <typename Kind, bool PERIODIC>
__global__ void __launch_bounds__(BLOCK) from_large(const Far f, const struct tw_gpu_tables t)
{
    TW_DYNAMIC_SHARED(E);
    const int c = blockIdx.x;
    const struct tw_gpu_cell *cell = &f.cell[c];
    bool any = false;

    if (cell->parent < 0 || targets_of(cell) <= f.few || cell->level < f.top) return;
    const int *list = f.near + (size_t)27 * cell->parent;
    for (int k = 0; k < 27; k++) {
        const int b = near_once<PERIODIC>(&f.cell[cell->parent], list, k);
        const Image image = image_at<PERIODIC>(&f.cell[cell->parent], k);
        if (b < 0 || !is_leaf(&f.cell[b]) || touch(cell, &f.cell[b], image)) continue;
        if (!any) clear(E, t.stride);
        any = true;
        /* the source stays, so the target moves the other way */
        const Place place = place_of(f.info, cell, Image{-image.x, -image.y, -image.z});
        Kind::from_points(t, f.kappa / place.inverse, f.source + 4 * (size_t)f.cell[b].sbegin, sources_of(&f.cell[b]),
                          place, true, E);
    }
    if (!any) return;
    __syncthreads();
    for (int k = threadIdx.x; k < t.stride; k += BLOCK)
        f.L[(size_t)c * t.stride + k] += E[k];
}

/* L2P and M2P of a leaf. */
template <typename Kind, int NF, bool PERIODIC>
__global__ void __launch_bounds__(BLOCK) to_targets(const Far f, const struct tw_gpu_tables t)
{
    TW_DYNAMIC_SHARED(E);
    const int c = blockIdx.x;
    const struct tw_gpu_cell *cell = &f.cell[c];
    bool expansion;

    if (!is_leaf(cell) || targets_of(cell) == 0) return;
    if (cell->level >= f.top && cell->level >= 2) { /* of a periodic tree's first levels: first_to_targets */
        const Place place = place_of(f.info, cell, here());
        const double kappa = f.kappa / place.inverse;
        Kind::fields(t, kappa, f.L + (size_t)c * t.stride, place.inverse, NF, 0, E);
        Kind::template at_points<NF>(t, kappa, f.target, cell->tbegin, cell->tend, place, false, E, f.result, f.nt);
    }
    Walk<PERIODIC> walk(f.cell, f.near, f.few, c);
    for (int b; (b = walk.next(&expansion)) >= 0;) {
        if (!expansion || f.cell[b].level < f.top) continue;
        const Place place = place_of(f.info, &f.cell[b], walk.image);
        const double kappa = f.kappa / place.inverse;
        Kind::fields(t, kappa, f.M + (size_t)b * t.stride, place.inverse, NF, 1, E);
        Kind::template at_points<NF>(t, kappa, f.target, cell->tbegin, cell->tend, place, true, E, f.result, f.nt);
    }
}

/* ---- the first two levels of a periodic tree ------------------------------------------------------------------------
 * t: their tables, of which the others' coefficients are the first ones. */

__device__ __forceinline__ double *first_local(const Far &f, const struct tw_gpu_tables &t, int c)
{
    return f.first + (size_t)(TW_GPU_TOP + c) * t.stride;
}

template <typename Kind>
__global__ void __launch_bounds__(BLOCK) to_first(const Far f, const struct tw_gpu_tables t, int nc, int stride)
{
    TW_DYNAMIC_SHARED(E);
    const int c = blockIdx.x;
    const struct tw_gpu_cell *cell = &f.cell[c];

    clear(E, t.stride);
    if (is_leaf(cell) && sources_of(cell) > 0)
        Kind::from_points(t, 0, f.source + 4 * (size_t)cell->sbegin, sources_of(cell), place_of(f.info, cell, here()),
                          false, E);
    for (int k = threadIdx.x; k < nc && !is_leaf(cell) && cell->level == 1; k += BLOCK)
        E[k] = f.M[(size_t)c * stride + k];
    __syncthreads();
    for (int k = threadIdx.x; k < t.stride; k += BLOCK)
        f.first[(size_t)c * t.stride + k] = E[k];
}

__global__ void __launch_bounds__(BLOCK) from_first(const Far f, const struct tw_gpu_tables t, int nc, int stride)
{
    const int c = blockIdx.x;
    for (int k = threadIdx.x; k < stride && f.cell[c].level == 1; k += BLOCK)
        f.L[(size_t)c * stride + k] = k < nc ? first_local(f, t, c)[k] : 0;
}

template <typename Kind, int NF>
__global__ void __launch_bounds__(BLOCK) first_to_targets(const Far f, const struct tw_gpu_tables t)
{
    TW_DYNAMIC_SHARED(E);
    const int c = blockIdx.x;
    const struct tw_gpu_cell *cell = &f.cell[c];

    if (!is_leaf(cell) || targets_of(cell) == 0) return;
    const Place place = place_of(f.info, cell, here());
    Kind::fields(t, 0, first_local(f, t, c), place.inverse, NF, 0, E);
    Kind::template at_points<NF>(t, 0, f.target, cell->tbegin, cell->tend, place, false, E, f.result, f.nt);
}

/* ---- launches ---- */

Far far_of(const struct tw_gpu_fmm *f)
{
    return Far{f->info,   f->cell,  f->near,  f->source, f->target, f->M, f->L,
               f->result, f->first, f->kappa, f->few,    f->top,    f->nt};
}

/* Beyond 48 KiB a kernel must be told; orders above 37 with gradients need it. */
template <typename Kernel> int allow(Kernel kernel, size_t shared)
{
    if (shared <= 48 << 10) return 0;
    return fmm_status(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
}

/* A block per cell, with room for n expansions. */
template <typename... Parameters, typename... Arguments>
int for_cells(const struct tw_cuda *q, int cells, int n, const struct tw_gpu_tables *t, void (*kernel)(Parameters...),
              Arguments... arguments)
{
    const size_t shared = (size_t)n * (size_t)t->stride * sizeof(double);
    int e = allow(kernel, shared);
    return e ? e : launch(q, (unsigned)cells, BLOCK, shared, kernel, arguments...);
}

typedef void (*Kernel)(const Far, const struct tw_gpu_tables);

/* By kind, with or without gradients, periodic or not. */
Kernel end_kernel(const struct tw_gpu_fmm *f)
{
    const bool periodic = f->space.side > 0, gradient = f->nf > 1;
    switch (f->kind) {
    case TW_GPU_YUKAWA: return gradient ? to_targets<Solid<true>, 4, false> : to_targets<Solid<true>, 1, false>;
    case TW_GPU_PLANE: return gradient ? to_targets<Planar, 3, false> : to_targets<Planar, 1, false>;
    case TW_GPU_COUNTING: return periodic ? to_targets<Numbers, 1, true> : to_targets<Numbers, 1, false>;
    case TW_GPU_LAPLACE: break;
    }
    if (periodic) return gradient ? to_targets<Solid<false>, 4, true> : to_targets<Solid<false>, 1, true>;
    return gradient ? to_targets<Solid<false>, 4, false> : to_targets<Solid<false>, 1, false>;
}

Kernel large_kernel(const struct tw_gpu_fmm *f)
{
    const bool periodic = f->space.side > 0;
    switch (f->kind) {
    case TW_GPU_YUKAWA: return from_large<Solid<true>, false>;
    case TW_GPU_PLANE: return from_large<Planar, false>;
    case TW_GPU_COUNTING: return periodic ? from_large<Numbers, true> : from_large<Numbers, false>;
    case TW_GPU_LAPLACE: break;
    }
    return periodic ? from_large<Solid<false>, true> : from_large<Solid<false>, false>;
}

} /* namespace */

int tw_gpu_p2m(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    const Kernel kernel = f->kind == TW_GPU_YUKAWA     ? from_sources<Solid<true>>
                          : f->kind == TW_GPU_PLANE    ? from_sources<Planar>
                          : f->kind == TW_GPU_COUNTING ? from_sources<Numbers>
                                                       : from_sources<Solid<false>>;
    return for_cells(q, f->ncells, 1, &f->t, kernel, far_of(f), f->t);
}

int tw_gpu_p2l(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    return for_cells(q, f->ncells, 1, &f->t, large_kernel(f), far_of(f), f->t);
}

int tw_gpu_to_first(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    int e = fmm_status(cudaMemsetAsync(f->first, 0, (size_t)(2 * TW_GPU_TOP) * (size_t)f->wide.stride * sizeof(double),
                                       (cudaStream_t)q->stream)); /* local expansions; all of it travels */
    if (e) return e;
    return for_cells(q, f->level_at[2], 1, &f->wide,
                     f->kind == TW_GPU_COUNTING ? to_first<Numbers> : to_first<Solid<false>>, far_of(f), f->wide,
                     f->t.nc, f->t.stride);
}

int tw_gpu_from_first(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    return launch(q, (unsigned)f->level_at[2], BLOCK, 0, from_first, far_of(f), f->wide, f->t.nc, f->t.stride);
}

static int end_first(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    const Kernel kernel = f->kind == TW_GPU_COUNTING ? first_to_targets<Numbers, 1>
                          : f->nf == 4               ? first_to_targets<Solid<false>, 4>
                                                     : first_to_targets<Solid<false>, 1>;
    return for_cells(q, f->level_at[2], f->nf, &f->wide, kernel, far_of(f), f->wide);
}

extern "C" int tw_gpu_end(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    int e = f->space.side > 0 ? end_first(q, f) : 0;
    return e ? e : for_cells(q, f->ncells, f->nf, &f->t, end_kernel(f), far_of(f), f->t);
}
