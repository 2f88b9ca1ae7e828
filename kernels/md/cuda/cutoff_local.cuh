/* What the GPU's stages share. Before including: the type T, and CUB (whose names R and T would disturb). */
#include <cuda_runtime.h>

#include "kernels/md/cuda/md_cuda.h"
extern "C" {
#include "kernels/status.h"
}

namespace
{

__device__ __forceinline__ float root(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); /* 2^-22.9; no special case for tiny numbers */
    return y;
}
__device__ __forceinline__ double root(double x)
{
    return rsqrt(x);
}
__device__ __forceinline__ float inverse(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
__device__ __forceinline__ double inverse(double x)
{
    return 1 / x;
}
__device__ __forceinline__ float power(float x)
{
    return expf(x);
}
__device__ __forceinline__ double power(double x)
{
    return exp(x);
}

typedef T R;
#define TW_FN         static __device__ __forceinline__
#define TW_EXP(x)     power(x)
#define TW_ROOT(x)    root(x)
#define TW_PART(c, g) (&(c)->lone)
#include "kernels/md/cutoff_pair.h"
#include "kernels/md/cutoff_decide.h"
#include "kernels/md/cutoff_atom.h"

constexpr int LANES = TW_CUT_LANES, WARP = 32, BLOCK = 256,
              WARPS = 4; /* warps of the blocks that search and walk lists */
constexpr T NOWHERE = T(1e17);
constexpr unsigned PLACE = 0x7ffffffu;
constexpr int SAME = 13; /* the image that is the atom itself */

struct alignas(4 * sizeof(T)) Place {
    T x, y, z, q;
};
struct alignas(2 * sizeof(T)) Two {
    T a, b;
};
struct alignas(4 * sizeof(T)) Four {
    T a, b, c, d;
};

struct alignas(16) Reaction {
    float x, y, z, w;
};
/* Items begun with by each walk over all of them. */
enum { WALK_PRUNE = 4, WALK_SELF, WALK_FORCE, WALK_CHAIN };

/* Image k of the box: 27 shifts. */
struct Images {
    T x[27], y[27], z[27];
    __device__ void set(const tw_cut &c)
    {
        if (threadIdx.x < 27) {
            const int k = threadIdx.x;
            x[k] = T(k % 3 - 1) * T(c.s.box[0]);
            y[k] = T(k / 3 % 3 - 1) * T(c.s.box[1]);
            z[k] = T(k / 9 - 1) * T(c.s.box[2]);
        }
    }
};

__device__ __forceinline__ bool runs(const tw_cut &c)
{
    return c.control->state == TW_CUT_RUN;
}
__device__ __forceinline__ void raise(uint64_t *bits, double x) /* x >= 0 or NaN */
{
    const unsigned long long mine = x != x ? 0x7ff8000000000000ull : (unsigned long long)__double_as_longlong(x);
    if (mine > *(volatile uint64_t *)bits) atomicMax((unsigned long long *)bits, mine);
}

/* Largest value of a block, NaN if there is one; only thread 0's result counts. Every thread of the block takes
 * part. */
__device__ double block_largest(double x)
{
    __shared__ double warp[BLOCK / WARP];
    for (int k = WARP / 2; k; k /= 2)
        x = tw_cut_larger(x, __shfl_xor_sync(~0u, x, k));
    __syncthreads();
    if (threadIdx.x % WARP == 0) warp[threadIdx.x / WARP] = x;
    __syncthreads();
    for (int k = 0; k < BLOCK / WARP && threadIdx.x == 0; k++)
        x = tw_cut_larger(x, warp[k]);
    return x;
}

inline unsigned blocks_for(int64_t threads, int block)
{
    return (unsigned)((threads + block - 1) / block);
}
/* Launch, unless something failed before. */
#define TW_LAUNCH(e, on, grid, block, kernel, ...)                                                                     \
    do {                                                                                                               \
        if ((e) == cudaSuccess) {                                                                                      \
            cudaLaunchConfig_t config_ = {};                                                                           \
            config_.gridDim = dim3((unsigned)(grid));                                                                  \
            config_.blockDim = dim3((unsigned)(block));                                                                \
            config_.stream = (on);                                                                                     \
            (e) = cudaLaunchKernelEx(&config_, kernel, __VA_ARGS__);                                                   \
        }                                                                                                              \
    } while (0)

/* The next item of a walk, in lane 0. */
__device__ __forceinline__ int next_item(const tw_cut &c, int walk, int lane)
{
    return lane == 0 ? atomicAdd(&c.lone.count[walk], 1) : 0;
}

/* A kernel whose warps take one item after the other: as many blocks as the GPU holds. */
template <class Kernel> unsigned walkers(const tw_cut &c, Kernel kernel, cudaError_t *e)
{
    int device = 0, units = 0, blocks = 0;
    if (*e == cudaSuccess) *e = cudaGetDevice(&device);
    if (*e == cudaSuccess) *e = cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device);
    if (*e == cudaSuccess) *e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, WARPS * WARP, 0);
    const unsigned most = (unsigned)(units * blocks), wanted = blocks_for(c.s.items, WARPS);
    return most < wanted ? most : wanted;
}
#define TW_LAUNCH_WALK(e, on, kernel, c)                                                                               \
    do {                                                                                                               \
        const unsigned walkers_ = walkers(c, kernel, &(e));                                                            \
        TW_LAUNCH(e, on, walkers_, WARPS *WARP, kernel, c);                                                            \
    } while (0)

} /* namespace */
