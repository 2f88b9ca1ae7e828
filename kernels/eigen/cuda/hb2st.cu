/* Bulge chasing on a GPU: a block of threads for each sweep, many sweeps in flight, each two steps behind the one before it.
 *
 * A block takes the next sweep by a ticket, so it waits only for sweeps that other running blocks hold already: whatever else runs on the GPU, the earliest sweep
 * goes on. How far a sweep is stands in progress; what it has written is seen by who has seen that (release and acquire, over the L2 cache). The steps are those of
 * kernels/eigen/cpu/hb2st.c; a step's two blocks of the band are in registers, a column to a warp, rows to its lanes. */
#include "kernels/dense/cuda/element.cuh"
#include "kernels/launch.cuh"

extern "C" {
#include "kernels/eigen/cuda/hb2st.h"
int CUDA(hb2st)(const struct tw_cuda *q, const struct tw_hb2st_sweeps *t);
}

#define WARPS   16
#define THREADS (32 * WARPS)
#define ALL     0xffffffffu

struct sweeps {
    int n, b, depth, first, sweeps; /* first: sweep */
    int64_t ld;
    T *a;
    R *d, *e;
    unsigned long long *info;
    int *progress, *ticket;
    T *v[TW_CHASE_GROUPS];
};
template <int B> struct shared {
    T v[2][B], w[B], dots[B], part[WARPS][B], tau[2];
    int ticket;
};

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
/* Sum over a warp, the same bits in all lanes. */
static __device__ __forceinline__ T warp_sum(T x)
{
    for (int lane = 16; lane > 0; lane /= 2) {
#if TW_IS_COMPLEX
        x.x += __shfl_xor_sync(ALL, x.x, lane);
        x.y += __shfl_xor_sync(ALL, x.y, lane);
#else
        x += __shfl_xor_sync(ALL, x, lane);
#endif
    }
    return x;
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

/* LAPACK's larfg by one warp: x (m elements, element lane + 32 r) becomes (beta, 0), v and *tau are written, by all lanes. Squares are of scaled numbers where
 * they would leave the range. */
template <int ROWS> static __device__ void reflector(int m, T x[ROWS], T *v, T *tau_to)
{
    const int lane = threadIdx.x % 32;
    double largest = 0, tail = 0, scale = 1;

    for (int r = 0; r < ROWS; r++) {
        const double size = fmax(fabs((double)real_part(x[r])), fabs((double)imaginary(x[r])));
        largest = size > largest || size != size ? size : largest;
    }
    largest = warp_max(largest);
    if (largest > 0 && (largest < 1e-130 || largest > 1e130) && isfinite(largest))
        scale = ldexp(1.0, -max(ilogb(largest), -1000));
    for (int r = 0; r < ROWS; r++) {
        const double re = scale * (double)real_part(x[r]), im = scale * (double)imaginary(x[r]);
        if (lane + 32 * r > 0) tail += re * re + im * im;
    }
    tail = warp_sum_double(tail);
    const double re = __shfl_sync(ALL, scale * (double)real_part(x[0]), 0);
    const double im = __shfl_sync(ALL, scale * (double)imaginary(x[0]), 0);
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

/* Column s is final, of which x is the first element below the diagonal. */
static __device__ void results(const struct sweeps &c, int s, R e)
{
    const R d = real_part(fresh(c.a + (int64_t)s * c.ld));
    c.d[s] = d;
    c.e[s] = e;
    if (c.info && !(isfinite(d) && isfinite(e))) not_finite(c.info, (unsigned long long)s + 1);
}

/* p(i) of all warps' parts, in the threads of the first warps. */
template <int B> static __device__ T parts(const struct shared<B> *x, int i)
{
    T p = x->part[0][i];
    for (int w = 1; w < WARPS; w++)
        p = sum(p, x->part[w][i]);
    return p;
}

/* H(s, k-1), `old`, from the right, the first column's own reflector, `now`, from the left. */
template <int ROWS>
static __device__ void block(const struct sweeps &c, int m, T *a, struct shared<32 * ROWS> *x, int old, int now,
                             T A[ROWS][2 * ROWS])
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const T tau = x->tau[old];
    T next, vw = number(0), mine[ROWS];

    for (int r = 0; r < ROWS; r++) {
        T p = number(0);
        for (int q = 0; q < 2 * ROWS; q++)
            p = sum(p, product(A[r][q], x->v[old][warp + WARPS * q]));
        x->part[warp][lane + 32 * r] = p;
    }
    __syncthreads();
    if (threadIdx.x < 32 * ROWS) x->w[threadIdx.x] = parts<32 * ROWS>(x, threadIdx.x);
    __syncthreads();
    if (warp == 0) {
        T first[ROWS];
        for (int r = 0; r < ROWS; r++)
            first[r] = minus_product(A[r][0], tau, x->w[lane + 32 * r]);
        reflector<ROWS>(m, first, x->v[now], &x->tau[now]);
        for (int r = 0; r < ROWS; r++)
            A[r][0] = first[r];
    }
    __syncthreads();
    next = conjugate(x->tau[now]);
    for (int r = 0; r < ROWS; r++) {
        mine[r] = x->v[now][lane + 32 * r];
        vw = sum(vw, product(conjugate(mine[r]), x->w[lane + 32 * r]));
    }
    vw = warp_sum(vw);
    for (int q = 0; q < 2 * ROWS; q++) {
        const int j = warp + WARPS * q;
        const T u = product(tau, conjugate(x->v[old][j]));
        T z = number(0);
        for (int r = 0; r < ROWS; r++)
            z = sum(z, product(conjugate(mine[r]), A[r][q]));
        z = product(next, minus_product(warp_sum(z), u, vw));
        for (int r = 0; r < ROWS; r++) {
            const int i = lane + 32 * r;
            if (j > 0) A[r][q] = minus_product(minus_product(A[r][q], u, x->w[i]), z, mine[r]);
            if (i < m && j < c.b) a[i + j * (c.ld - 1)] = A[r][q];
        }
    }
}

/* The diagonal block, its lower triangle in D, from both sides. */
template <int ROWS>
static __device__ void both_sides(const struct sweeps &c, int m, T *a, struct shared<32 * ROWS> *x, int now,
                                  T D[ROWS][2 * ROWS])
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const T tau = x->tau[now];
    const T *v = x->v[now];
    T mine[ROWS], alpha = number(0);

    for (int r = 0; r < ROWS; r++) {
        const int i = lane + 32 * r;
        T p = number(0);
        mine[r] = v[i];
        for (int q = 0; q < 2 * ROWS; q++)
            p = sum(p, product(D[r][q], v[warp + WARPS * q]));
        x->part[warp][i] = p;
    }
    for (int q = 0; q < 2 * ROWS; q++) {
        const int j = warp + WARPS * q;
        T p = number(0);
        for (int r = 0; r < ROWS; r++)
            if (lane + 32 * r > j) p = sum(p, product(conjugate(D[r][q]), mine[r]));
        p = warp_sum(p);
        if (lane == 0) x->dots[j] = p;
    }
    __syncthreads();
    if (threadIdx.x < 32 * ROWS)
        x->w[threadIdx.x] = product(tau, sum(parts<32 * ROWS>(x, threadIdx.x), x->dots[threadIdx.x]));
    __syncthreads();
    for (int r = 0; r < ROWS; r++)
        alpha = sum(alpha, product(conjugate(x->w[lane + 32 * r]), mine[r]));
    alpha = scaled(product(tau, warp_sum(alpha)), (R)0.5);
    for (int q = 0; q < 2 * ROWS; q++) {
        const int j = warp + WARPS * q;
        const T vj = conjugate(v[j]), wj = conjugate(minus_product(x->w[j], alpha, v[j]));
        for (int r = 0; r < ROWS; r++) {
            const int i = lane + 32 * r;
            const T wi = minus_product(x->w[i], alpha, mine[r]);
            T y = minus_product(minus_product(D[r][q], mine[r], wj), wi, vj);
            if (i == j) y = number(real_part(y));
            if (i >= j && i < m) a[i + j * (c.ld - 1)] = y;
        }
    }
}

/* The lower triangle of the diagonal block. */
template <int ROWS>
static __device__ __forceinline__ void load_diagonal(const struct sweeps &c, int m, const T *a, T D[ROWS][2 * ROWS])
{
    for (int q = 0; q < 2 * ROWS; q++)
        for (int r = 0; r < ROWS; r++) {
            const int i = threadIdx.x % 32 + 32 * r, j = threadIdx.x / 32 + WARPS * q;
            D[r][q] = i >= j && i < m ? fresh(a + i + j * (c.ld - 1)) : number(0);
            if (i == j) D[r][q] = number(real_part(D[r][q]));
        }
}

template <int ROWS> static __device__ void step(const struct sweeps &c, int s, int k, struct shared<32 * ROWS> *x)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, now = k & 1;
    const int row = s + 1 + k * c.b, m = min(c.b, c.n - row);
    T *under = c.a + row + (row - c.b) * (c.ld - 1), *diagonal = c.a + row + row * (c.ld - 1);
    constexpr bool both = ROWS * ROWS * sizeof(T) <= 64; /* registers hold both blocks: one wait for memory less */
    T D[ROWS][2 * ROWS];

    if (both) load_diagonal<ROWS>(c, m, diagonal, D);
    if (k > 0) {
        T A[ROWS][2 * ROWS];
        for (int q = 0; q < 2 * ROWS; q++)
            for (int r = 0; r < ROWS; r++) {
                const int i = lane + 32 * r, j = warp + WARPS * q;
                A[r][q] = i < m && j < c.b ? fresh(under + i + j * (c.ld - 1)) : number(0);
            }
        block<ROWS>(c, m, under, x, 1 - now, now, A);
    } else {
        if (warp == 0) {
            T *column = c.a + 1 + s * c.ld, first[ROWS];
            for (int r = 0; r < ROWS; r++)
                first[r] = lane + 32 * r < m ? fresh(column + lane + 32 * r) : number(0);
            reflector<ROWS>(m, first, x->v[now], &x->tau[now]);
            for (int r = 0; r < ROWS; r++)
                if (lane + 32 * r < m) column[lane + 32 * r] = first[r];
            if (lane == 0) results(c, s, real_part(first[0]));
        }
        __syncthreads();
    }
    if (!both) load_diagonal<ROWS>(c, m, diagonal, D);
    both_sides<ROWS>(c, m, diagonal, x, now, D);
    T *kept = c.v[(s - c.first) / c.depth];
    const int g = (s - c.first) % c.depth, slot = ((k + g) / c.depth * c.depth + g) * c.depth + (k + g) % c.depth;
    if (kept && threadIdx.x < c.b)
        kept[(int64_t)slot * c.b + threadIdx.x] = threadIdx.x == 0 ? x->tau[now] : x->v[now][threadIdx.x];
}

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 1) sweep_kernel(const __grid_constant__ struct sweeps c)
{
    extern __shared__ __align__(16) unsigned char memory[];
    struct shared<32 *ROWS> *x = (struct shared<32 * ROWS> *)memory;

    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) x->ticket = atomicAdd(c.ticket, 1);
        __syncthreads();
        const int mine = x->ticket, s = c.first + mine, steps = (c.n - 1 - s + c.b - 1) / c.b;
        if (mine >= c.sweeps) return;
        for (int k = 0; k < steps; k++) {
            if (threadIdx.x == 0 && mine > 0)
                while (acquire(c.progress + mine - 1) < k + 2)
                    ;
            __syncthreads();
            step<ROWS>(c, s, k, x);
            __syncthreads();
            if (threadIdx.x == 0) {
                __threadfence();
                release(c.progress + mine, k + 1 < steps ? k + 1 : INT_MAX);
            }
        }
    }
}

/* The last diagonal element, once all sweeps are done. */
static __global__ void last_kernel(int n, int64_t ld, const T *a, R *d, unsigned long long *info)
{
    d[n - 1] = real_part(a[(n - 1) * ld]);
    if (info && !isfinite(d[n - 1])) not_finite(info, (unsigned long long)n);
}

template <int ROWS> static int start(const struct tw_cuda *q, const struct sweeps *c, int blocks)
{
    cudaLaunchConfig_t config = {};
    const size_t bytes = sizeof(struct shared<32 * ROWS>);
    int e = (int)cudaFuncSetAttribute((const void *)sweep_kernel<ROWS>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      (int)bytes);

    config.gridDim = dim3((unsigned)blocks);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = bytes;
    config.stream = (cudaStream_t)q->stream;
    if (!e) e = (int)cudaLaunchKernelEx(&config, sweep_kernel<ROWS>, *c);
    return TW_STATUS(CUDA, hb2st, e);
}

int CUDA(hb2st)(const struct tw_cuda *q, const struct tw_hb2st_sweeps *t)
{
    const struct tw_chase_shape *shape = &t->shape;
    const int first = t->first * shape->depth,
              sweeps = tw_min(t->groups * shape->depth, tw_chase_sweeps(shape) - first);
    /* a sweep is two steps ahead of the next one: more have nothing to do */
    const int blocks = tw_min(sweeps, tw_chase_steps(shape, first) / 2 + 2);
    struct sweeps c = {};

    if (sweeps <= 0) return 0;
    c.n = shape->n, c.b = shape->b, c.depth = shape->depth, c.first = first, c.sweeps = sweeps;
    c.ld = t->ld, c.a = (T *)t->a, c.d = (R *)t->d, c.e = (R *)t->e, c.info = (unsigned long long *)t->info;
    c.progress = t->progress + 1, c.ticket = t->progress;
    for (int g = 0; t->v && g < t->groups; g++)
        c.v[g] = (T *)t->v[g];
    TW_TRY(TW_STATUS(CUDA, hb2st,
                     cudaMemsetAsync(t->progress, 0, ((size_t)sweeps + 1) * sizeof(int), (cudaStream_t)q->stream)));
    TW_TRY(shape->b <= 32   ? start<1>(q, &c, blocks)
           : shape->b <= 64 ? start<2>(q, &c, blocks)
                            : start<4>(q, &c, blocks));
    if (first + sweeps < tw_chase_sweeps(shape)) return 0;
    return launch(TW_CALL_hb2st, q, dim3(1), dim3(1), last_kernel, c.n, c.ld, (const T *)c.a, c.d, c.info);
}
