/* Bulge chasing on a GPU, from a hermitian band (hb2st.cu) and from a triangular one (kernels/svd/cuda/tb2bd.cu): a
 * block of threads for each sweep, many sweeps in flight, each less than two steps behind the one before it.
 *
 * A block takes the next sweep by a ticket, so it waits only for sweeps that other running blocks hold already:
 * whatever else runs on the GPU, the earliest sweep goes on. How far a sweep is stands in progress; what it has written
 * is seen by a block that has seen that (release and acquire, by the L2 cache). Steps are those of the CPUs' kernels; a
 * block of the band is in registers while it is worked on, a column to a warp, rows to its lanes. While a sweep works
 * on one block it loads the next one, if shared memory holds a block: each thread brings the elements that it will
 * take.
 *
 * Large blocks may belong to a cluster of two blocks of threads, C = 2, on two multiprocessors, each of which has every
 * second column: element (i, j) is in block j % C of the cluster. The sums over all columns go to both. Each has a
 * progress of its own, and the next sweep looks at both. */
#ifndef TW_KERNELS_EIGEN_CUDA_CHASE_CUH
#define TW_KERNELS_EIGEN_CUDA_CHASE_CUH
#include <cooperative_groups.h>
#include "kernels/dense/cuda/element.cuh"
#include "kernels/launch.cuh"
#include "types/eigen/chase.h"

#define WARPS   16
#define THREADS (32 * WARPS)
#define ALL     0xffffffffu

/* What is to be done: element (i, j) of the band is a[i + j (ld - 1)]. Callers with more, such as where reflectors are
 * kept, add it, and have a function step. */
struct sweeps {
    int n, b, depth, first, sweeps; /* first: sweep */
    int64_t ld;
    T *a;
    R *d, *e;
    unsigned long long *info;
    int *progress, *ticket;
};
template <int B, int C, bool AHEAD> struct shared {
    T next[AHEAD ? B * B / C : 1]; /* of the block that comes next */
    T v[2][B], first[B], dots[B], part[WARPS][B], tau[2];
    T sums[2][C][B]; /* of A(k) and of D(k): what each block of the cluster has of its columns */
    int ticket;
};

/* ---- two blocks for a sweep -------------------------------------------------------------------------------------- */

template <int C> static __device__ __forceinline__ int rank_of(void)
{
#if __CUDA_ARCH__ >= 900
    if (C > 1) return (int)cooperative_groups::this_cluster().block_rank();
#endif
    return 0;
}
/* By all threads of all blocks: what was sent is there. */
template <int C> static __device__ __forceinline__ void meet(void)
{
#if __CUDA_ARCH__ >= 900
    if (C > 1) {
        cooperative_groups::this_cluster().sync();
        return;
    }
#endif
    __syncthreads();
}
/* x into shared memory of both. */
template <int C, class Y> static __device__ __forceinline__ void send(Y *to, Y x)
{
    *to = x;
#if __CUDA_ARCH__ >= 900
    if (C > 1) *cooperative_groups::this_cluster().map_shared_rank(to, 1 - rank_of<C>()) = x;
#endif
}

static __device__ __forceinline__ R imaginary(T a)
{
#if TW_IS_COMPLEX
    return a.y;
#else
    (void)a;
    return 0;
#endif
}
static __device__ __forceinline__ T element(double re, double im)
{
    T x = number((R)re);
#if TW_IS_COMPLEX
    x.y = (R)im;
#else
    (void)im;
#endif
    return x;
}
static __device__ __forceinline__ T from_other(T x, int bit)
{
#if TW_IS_COMPLEX
    x.x = __shfl_xor_sync(ALL, x.x, bit);
    x.y = __shfl_xor_sync(ALL, x.y, bit);
    return x;
#else
    return __shfl_xor_sync(ALL, x, bit);
#endif
}
static __device__ __forceinline__ T from_lane(T x, int lane)
{
#if TW_IS_COMPLEX
    x.x = __shfl_sync(ALL, x.x, lane);
    x.y = __shfl_sync(ALL, x.y, lane);
    return x;
#else
    return __shfl_sync(ALL, x, lane);
#endif
}
/* Sum over a warp, the same bits in all lanes. */
static __device__ __forceinline__ T warp_sum(T x)
{
    for (int bit = 16; bit > 0; bit /= 2)
        x = sum(x, from_other(x, bit));
    return x;
}
/* Sums of N numbers each over a warp; number q's is in lanes 32/N q ... Lanes halve what they still have to sum with
 * every exchange. */
template <int N> static __device__ __forceinline__ T warp_sums(const T (&x)[N])
{
    T y[N];
    int bit = 16;

    for (int q = 0; q < N; q++)
        y[q] = x[q];
#pragma unroll
    for (int half = N / 2; half > 0; half /= 2, bit /= 2) {
        const bool upper = threadIdx.x & bit;
#pragma unroll
        for (int q = 0; q < half; q++) {
            const T mine = upper ? y[q + half] : y[q], theirs = upper ? y[q] : y[q + half];
            y[q] = sum(mine, from_other(theirs, bit));
        }
    }
    for (; bit > 0; bit /= 2)
        y[0] = sum(y[0], from_other(y[0], bit));
    return y[0];
}
static __device__ __forceinline__ double warp_sum_double(double x)
{
    for (int lane = 16; lane > 0; lane /= 2)
        x += __shfl_xor_sync(ALL, x, lane);
    return x;
}
static __device__ __forceinline__ double warp_max(double x)
{
    for (int lane = 16; lane > 0; lane /= 2) {
        const double other = __shfl_xor_sync(ALL, x, lane);
        x = other > x || other != other ? other : x;
    }
    return x;
}

/* Past the first level of cache, which is not kept coherent. */
static __device__ __forceinline__ T fresh(const T *p)
{
#if TW_IS_COMPLEX && TW_IS_SINGLE
    const float2 x = __ldcg((const float2 *)p);
    return make_cuFloatComplex(x.x, x.y);
#elif TW_IS_COMPLEX
    const double2 x = __ldcg((const double2 *)p);
    return make_cuDoubleComplex(x.x, x.y);
#else
    return __ldcg(p);
#endif
}
/* Without waiting; zero in place of what is not `there`. */
static __device__ __forceinline__ void bring(T *to, const T *from, bool there)
{
    const unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                 :
                 : "r"(at), "l"(from), "n"(sizeof(T)), "r"(there ? (int)sizeof(T) : 0)
                 : "memory");
}
static __device__ __forceinline__ void brought(void)
{
    asm volatile("cp.async.wait_all;" : : : "memory");
}
static __device__ __forceinline__ int acquire(const int *p)
{
    int x;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(x) : "l"(p) : "memory");
    return x;
}
static __device__ __forceinline__ void release(int *p, int x)
{
    asm volatile("st.release.gpu.global.s32 [%0], %1;" : : "l"(p), "r"(x) : "memory");
}

/* A power of 2 that brings the largest of x to the middle of the range, if it is far from there; by one warp. */
template <int ROWS> static __device__ double scale_of(const T x[ROWS])
{
    double largest = 0;

    for (int r = 0; r < ROWS; r++) {
        const double size = fmax(fabs((double)real_part(x[r])), fabs((double)imaginary(x[r])));
        largest = size > largest || size != size ? size : largest;
    }
    largest = warp_max(largest);
    if (largest > 0 && (largest < 1e-130 || largest > 1e130) && isfinite(largest))
        return ldexp(1.0, -max(ilogb(largest), -1000));
    return 1;
}
/* The sum of squares of all elements but the first, times scale. */
template <int ROWS> static __device__ __forceinline__ double tail_squares(const T x[ROWS], double scale)
{
    double tail = 0;

    for (int r = 0; r < ROWS; r++) {
        const double re = scale * (double)real_part(x[r]), im = scale * (double)imaginary(x[r]);
        if (threadIdx.x % 32 + 32 * r > 0) tail += re * re + im * im;
    }
    return warp_sum_double(tail);
}

/* LAPACK's larfg by one warp: x (m elements, element lane + 32 r) becomes (beta, 0), v and *tau are written, by all
 * lanes. Squares are of scaled numbers where they would leave the range. */
template <int ROWS> static __device__ void reflector(int m, T x[ROWS], T *v, T *tau_to)
{
    const int lane = threadIdx.x % 32;
    double scale = 1, tail = tail_squares<ROWS>(x, scale);
    double re = __shfl_sync(ALL, (double)real_part(x[0]), 0), im = __shfl_sync(ALL, (double)imaginary(x[0]), 0);

    if (!(tail + re * re + im * im > 1e-260 && tail + re * re + im * im < 1e260)) { /* rare: all 0, say */
        scale = scale_of<ROWS>(x);
        tail = tail_squares<ROWS>(x, scale);
        re *= scale, im *= scale;
    }
    const double beta = -copysign(sqrt(tail + re * re + im * im), re), size = (re - beta) * (re - beta) + im * im;
    const bool nothing = tail == 0 && im == 0;
    const T tau = nothing ? number(0) : element((beta - re) / beta, -im / beta);
    const double to_re = scale * (re - beta) / size, to_im = -scale * im / size;

    for (int r = 0; r < ROWS; r++) {
        const int i = lane + 32 * r;
        const double x_re = (double)real_part(x[r]), x_im = (double)imaginary(x[r]);
        if (i < m && i > 0)
            v[i] = nothing ? number(0) : element(to_re * x_re - to_im * x_im, to_re * x_im + to_im * x_re);
        else
            v[i] = number(i == 0 ? 1 : 0);
        if (i > 0)
            x[r] = number(0);
        else if (!nothing)
            x[r] = number((R)(beta / scale));
    }
    if (lane == 0) *tau_to = tau;
}

static __device__ void not_finite(unsigned long long *info, unsigned long long k)
{
    unsigned long long old = *(volatile unsigned long long *)info;
    while (old == 0 || old > k) {
        const unsigned long long seen = atomicCAS(info, old, k);
        if (seen == old) return;
        old = seen;
    }
}

/* Row or column s is final: its diagonal element, and e beside it. */
static __device__ void results(const struct sweeps &c, int s, R e)
{
    const R d = real_part(fresh(c.a + (int64_t)s * c.ld));
    c.d[s] = d;
    c.e[s] = e;
    if (c.info && !(isfinite(d) && isfinite(e))) not_finite(c.info, (unsigned long long)s + 1);
}

/* p(i) of all warps' parts, in the threads of the first warps. */
template <class X> static __device__ __forceinline__ T parts(const X *x, int i)
{
    T p[4];
    for (int w = 0; w < 4; w++)
        p[w] = sum(sum(x->part[w][i], x->part[w + 4][i]), sum(x->part[w + 8][i], x->part[w + 12][i]));
    return sum(sum(p[0], p[2]), sum(p[1], p[3]));
}

/* The reflector of step k of sweep number `mine`, tau in place of its leading 1, to its group's; NULL: it is not
 * kept. */
static __device__ __forceinline__ void keep(const struct sweeps &c, T *kept, int mine, int k, T tau, const T *v)
{
    const int g = mine % c.depth, at = ((k + g) / c.depth * c.depth + g) * c.depth + (k + g) % c.depth;
    if (kept && threadIdx.x < c.b) kept[(int64_t)at * c.b + threadIdx.x] = threadIdx.x == 0 ? tau : v[threadIdx.x];
}

/* ---- which sweep has come how far -------------------------------------------------------------------------------- */

/* By all threads: the sweep before this one has come so far. */
template <int C> static __device__ __forceinline__ void wait_for(const int *before, int far)
{
    if (threadIdx.x < C && before)
        while (acquire(before + threadIdx.x) < far)
            ;
    __syncthreads();
}
/* By all threads: what they have written is final. */
static __device__ __forceinline__ void reached(int *progress, int far)
{
    __syncthreads();
    if (threadIdx.x == 0) release(progress, far);
}

/* ---- blocks of the band ------------------------------------------------------------------------------------------ */

/* Element (lane + 32 r, warp + WARPS q) of a block of B rows. */
template <int B> static __device__ __forceinline__ int slot(int r, int q)
{
    return threadIdx.x % 32 + 32 * r + (threadIdx.x / 32 + WARPS * q) * B;
}

/* The column of this block of the cluster that is number q of this warp's. */
template <int C> static __device__ __forceinline__ int column(int q)
{
    return C * ((int)threadIdx.x / 32 + WARPS * q) + rank_of<C>();
}

/* The first m rows of a block, `lower`: of its lower triangle, on their way to x->next; not of columns from `columns`
 * on. */
template <int ROWS, int C, class X>
static __device__ __forceinline__ void bring_block(const struct sweeps &c, int m, int columns, bool lower, const T *a,
                                                   X *x)
{
    for (int q = 0; q < 2 * ROWS / C; q++)
        for (int r = 0; r < ROWS; r++) {
            const int i = threadIdx.x % 32 + 32 * r, j = column<C>(q);
            const bool there = i < m && j < columns && (!lower || i >= j);
            bring(&x->next[slot<32 * ROWS>(r, q)], there ? a + i + j * (c.ld - 1) : a, there);
        }
}
template <int ROWS, int C, class X>
static __device__ __forceinline__ void take_block(const X *x, T A[ROWS][2 * ROWS / C])
{
    for (int q = 0; q < 2 * ROWS / C; q++)
        for (int r = 0; r < ROWS; r++)
            A[r][q] = x->next[slot<32 * ROWS>(r, q)];
}
template <int ROWS, int C>
static __device__ __forceinline__ void load_block(const struct sweeps &c, int m, int columns, bool lower, const T *a,
                                                  T A[ROWS][2 * ROWS / C])
{
    for (int q = 0; q < 2 * ROWS / C; q++)
        for (int r = 0; r < ROWS; r++) {
            const int i = threadIdx.x % 32 + 32 * r, j = column<C>(q);
            A[r][q] = i < m && j < columns && (!lower || i >= j) ? fresh(a + i + j * (c.ld - 1)) : number(0);
        }
}
/* x's sums number `which` over all columns, element i. */
template <int C, class X> static __device__ __forceinline__ T total(const X *x, int which, int i)
{
    return C == 1 ? x->sums[which][0][i] : sum(x->sums[which][0][i], x->sums[which][C - 1][i]);
}

/* ---- a block between two reflectors ------------------------------------------------------------------------------ */

/* A reflector, `old`, from the right to a block of m x columns, the first column's own reflector, `now`, from the left;
 * says when the first row is final, or (CORNER, C = 1) its first element. `meanwhile` is done when all threads have
 * A. */
template <int ROWS, int C, bool CORNER, class X, class F>
static __device__ void block(const struct sweeps &c, int m, int columns, T *a, X *x, int old, int now,
                             T A[ROWS][2 * ROWS / C], int *progress, int far, F meanwhile)
{
    constexpr int Q = 2 * ROWS / C;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const T tau = x->tau[old];
    T next, vw = number(0), mine[ROWS], w[ROWS], z[Q], sums;

    for (int r = 0; r < ROWS; r++) {
        T p = number(0);
        for (int q = 0; q < Q; q++)
            p = sum(p, product(A[r][q], x->v[old][column<C>(q)]));
        x->part[warp][lane + 32 * r] = p;
        if (C > 1 && column<C>(0) == 0) send<C>(&x->first[lane + 32 * r], A[r][0]);
    }
    __syncthreads();
    if (threadIdx.x < 32 * ROWS) send<C>(&x->sums[0][rank_of<C>()][threadIdx.x], parts(x, threadIdx.x));
    meet<C>();
    for (int r = 0; r < ROWS; r++)
        w[r] = total<C>(x, 0, lane + 32 * r);
    if (warp == 0) {
        T first[ROWS];
        for (int r = 0; r < ROWS; r++)
            first[r] = minus_product(C > 1 ? x->first[lane + 32 * r] : A[r][0], tau, w[r]);
        reflector<ROWS>(m, first, x->v[now], &x->tau[now]);
        for (int r = 0; r < ROWS; r++)
            if (column<C>(0) == 0) A[r][0] = first[r];
        if (CORNER && lane == 0) {
            a[0] = first[0];
            release(progress, far); /* and what the others wrote before this function */
        }
    } else {
        meanwhile();
    }
    __syncthreads();
    next = conjugate(x->tau[now]);
    for (int r = 0; r < ROWS; r++) {
        mine[r] = x->v[now][lane + 32 * r];
        vw = sum(vw, product(conjugate(mine[r]), w[r]));
    }
    vw = warp_sum(vw);
    for (int q = 0; q < Q; q++) {
        z[q] = number(0);
        for (int r = 0; r < ROWS; r++)
            z[q] = sum(z[q], product(conjugate(mine[r]), A[r][q]));
    }
    sums = warp_sums<Q>(z);
    for (int q = 0; q < Q; q++) {
        const int j = column<C>(q);
        const T u = product(tau, conjugate(x->v[old][j]));
        const T by = product(next, minus_product(from_lane(sums, 32 / Q * q), u, vw));
        for (int r = 0; r < ROWS; r++)
            if (j > 0) A[r][q] = minus_product(minus_product(A[r][q], u, w[r]), by, mine[r]);
        if (lane == 0 && j < columns) a[j * (c.ld - 1)] = A[0][q];
    }
    if (!CORNER) reached(progress, far);
    if (warp == 0) meanwhile();
    for (int q = 0; q < Q; q++)
        for (int r = 0; r < ROWS; r++) {
            const int i = lane + 32 * r, j = column<C>(q);
            if (i > 0 && i < m && j < columns) a[i + j * (c.ld - 1)] = A[r][q];
        }
}

/* ---- all sweeps -------------------------------------------------------------------------------------------------- */

template <class S, int ROWS, int C, bool AHEAD>
static __global__ void __launch_bounds__(THREADS, 1) sweep_kernel(const __grid_constant__ S c)
{
    extern __shared__ __align__(16) unsigned char memory[];
    struct shared<32 * ROWS, C, AHEAD> *x = (struct shared<32 * ROWS, C, AHEAD> *)memory;

    for (;;) {
        meet<C>();
        if (threadIdx.x == 0 && rank_of<C>() == 0) send<C>(&x->ticket, atomicAdd(c.ticket, 1));
        meet<C>();
        const int mine = x->ticket, s = c.first + mine, steps = (c.n - 1 - s + c.b - 1) / c.b;
        if (mine >= c.sweeps) return;
        for (int k = 0; k < steps; k++)
            S::template step<ROWS, C, AHEAD>(c, s, k, steps, x);
        reached(c.progress + C * mine + rank_of<C>(), INT_MAX);
    }
}

/* The last diagonal element, once all sweeps are done. */
static __global__ void last_kernel(int n, int64_t ld, const T *a, R *d, unsigned long long *info)
{
    d[n - 1] = real_part(a[(n - 1) * ld]);
    if (info && !isfinite(d[n - 1])) not_finite(info, (unsigned long long)n);
}

template <class S, int ROWS, int C, bool AHEAD> static int start(const struct tw_cuda *q, const S *c, int blocks)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute pairs = {};
    const size_t bytes = sizeof(struct shared<32 * ROWS, C, AHEAD>);
    int e = (int)cudaFuncSetAttribute((const void *)sweep_kernel<S, ROWS, C, AHEAD>,
                                      cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);

    pairs.id = cudaLaunchAttributeClusterDimension;
    pairs.val.clusterDim.x = C, pairs.val.clusterDim.y = pairs.val.clusterDim.z = 1;
    config.gridDim = dim3((unsigned)(C * blocks));
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = bytes;
    config.stream = (cudaStream_t)q->stream;
    config.attrs = &pairs;
    config.numAttrs = C > 1;
    if (!e) e = (int)cudaLaunchKernelEx(&config, sweep_kernel<S, ROWS, C, AHEAD>, *c);
    return TW_STATUS(CUDA, hb2st, e);
}
/* A block ahead, where shared memory holds what a multiprocessor has of one: 64 KB of double precision with b = 128 and
 * two to a sweep. */
template <class S, int ROWS, int C> static int start(const struct tw_cuda *q, const S *c, int blocks)
{
    int device, most = 0;

    TW_TRY(TW_STATUS(CUDA, hb2st, cudaGetDevice(&device)));
    TW_TRY(TW_STATUS(CUDA, hb2st, cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)));
    return sizeof(struct shared<32 * ROWS, C, true>) <= (size_t)most ? start<S, ROWS, C, true>(q, c, blocks)
                                                                     : start<S, ROWS, C, false>(q, c, blocks);
}
/* All of them, begun by by_width. progress: a number, and two for each sweep. */
template <class S>
static int all_sweeps(const struct tw_cuda *q, const struct tw_chase_shape *shape, S *c, int first, int groups,
                      int *progress, int (*by_width)(const struct tw_cuda *, const S *, int))
{
    c->n = shape->n, c->b = shape->b, c->depth = shape->depth, c->first = first * shape->depth;
    c->sweeps = tw_min(groups * shape->depth, tw_chase_sweeps(shape) - c->first);
    c->progress = progress + 1, c->ticket = progress;
    if (c->sweeps <= 0) return 0;
    TW_TRY(TW_STATUS(CUDA, hb2st,
                     cudaMemsetAsync(progress, 0, (2 * (size_t)c->sweeps + 1) * sizeof(int), (cudaStream_t)q->stream)));
    /* a sweep is some one and a half steps ahead of the next one: more have nothing to do */
    TW_TRY(by_width(q, c, tw_min(c->sweeps, 3 * tw_chase_steps(shape, c->first) / 4 + 2)));
    if (c->first + c->sweeps < tw_chase_sweeps(shape)) return 0;
    return launch(TW_CALL_hb2st, q, dim3(1), dim3(1), last_kernel, c->n, c->ld, (const T *)c->a, c->d, c->info);
}
#endif
