/* The secular equation on a GPU, for eigenvalues (laed.cu) and for singular values (kernels/svd/cuda/lasd.cu).
 *
 * f(x) = 1 / rho + sum z(i)^2 / (d(i) - x) rises from -inf to inf between two d's; root j lies above d(j). x is kept as
 * its distance tau from the nearer d, so that all differences d(i) - x have small relative errors. With singular values
 * it is the same equation of squares, x = sigma^2 and d(i)^2 in d(i)'s place, whose differences are products (d(i) -
 * d(j)) (d(i) + d(j)): no square is formed where it would lose digits. R.-C. Li, "Solving secular equations stably and
 * efficiently" (LAPACK Working Note 89, 1994): the middle way, with bisection where it leaves the bracket. A block has
 * a root. */
#ifndef TW_KERNELS_EIGEN_CUDA_SECULAR_CUH
#define TW_KERNELS_EIGEN_CUDA_SECULAR_CUH
#include "kernels/launch.cuh"
#include "types/eigen/merge.h"

#define ROOT_THREADS 128
#define ROOT_WARPS   (ROOT_THREADS / 32)
#define ROOT_EPS     (sizeof(W) == sizeof(float) ? (W)5.9604645e-08 : (W)1.1102230246251565e-16)
enum { ROOT_STEPS = 120 };

/* What is computed in: squares of single precision's z / (d^2 - sigma^2) leave its range where d and z are tiny. */
template <bool SQUARES> struct computed {
    typedef R type;
};
template <> struct computed<true> {
    typedef double type;
};

/* Of two poles. */
template <bool SQUARES, class W> static __device__ __forceinline__ W apart(W a, W b)
{
    return SQUARES ? (a - b) * (a + b) : a - b;
}
/* The root of origin^2 + tau. */
template <class W> static __device__ __forceinline__ W root_of(W origin, W tau)
{
    return tau == 0 ? origin : origin + tau / (origin + sqrt(origin * origin + tau));
}

template <class W> struct sums {
    /* over d(i) with i <= j, and over the others: the function's part and its derivative's */
    W low, low_slope, high, high_slope;
};

template <class W> static __device__ W reduce(W x, W *shared)
{
    for (int offset = 16; offset > 0; offset /= 2)
        x += __shfl_xor_sync(0xffffffff, x, offset);
    __syncthreads();
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = x;
    __syncthreads();
    x = 0;
    for (int w = 0; w < ROOT_WARPS; w++)
        x += shared[w];
    return x;
}

/* All threads get the same bits. */
template <bool SQUARES, class W>
static __device__ struct sums<W> evaluate(int k, int j, const R *d, const R *z, W origin, W tau, W *shared) {
    struct sums<W> s = {
        0, 0, 0, 0
    };
    for (int i = threadIdx.x; i < k; i += ROOT_THREADS) {
        const W t = z[i] / (apart<SQUARES, W>(d[i], origin) - tau), value = z[i] * t, slope = t * t;
        if (i <= j)
            s.low += value, s.low_slope += slope;
        else
            s.high += value, s.high_slope += slope;
    }
    s.low = reduce<W>(s.low, shared);
    s.low_slope = reduce<W>(s.low_slope, shared);
    s.high = reduce<W>(s.high, shared);
    s.high_slope = reduce<W>(s.high_slope, shared);
    return s;
}

/* The root of c + a pole at p and one at q, from where f is w: the step. last: beyond the larger pole. */
template <class W>
static __device__ W step(W w, W p, W q, W p_slope, W q_slope, int last)
{
    const W c = w - p * p_slope - q * q_slope, a = (p + q) * w - p * q * (p_slope + q_slope), b = p * q * w,
            root = sqrt(fabs(a * a - 4 * (last ? fabs(c) : c) * b)), cc = last ? fabs(c) : c;
    if (cc == 0) return b / a;
    if (last) return a >= 0 ? (a + root) / (2 * cc) : 2 * b / (a - root);
    return a <= 0 ? (a - root) / (2 * cc) : 2 * b / (a + root);
}

template <class W> static __device__ W first_guess(int nearer, W zj, W zn, W c, W gap)
{
    if (nearer) { /* the first of the two: zj and zn are squares */
        const W a = c * gap + zj + zn, b = zj * gap, root = sqrt(fabs(a * a - 4 * b * c));
        return a > 0 ? 2 * b / (a + root) : (a - root) / (2 * c);
    }
    const W a = c * gap - zj - zn, b = zn * gap, root = sqrt(fabs(a * a + 4 * b * c));
    return a < 0 ? 2 * b / (a - root) : -(a + root) / (2 * c);
}

/* Root j: tau, and in *nearer the d that it is counted from. NaN: it was not found. */
template <bool SQUARES, class W>
static __device__ W find_root(int k, int j, const R *d, const R *z, W rho, int *nearer, W *shared)
{
    const int last = j == k - 1, p = last && k > 1 ? k - 2 : j, q = last ? k - 1 : j + 1;
    const W inverse = 1 / rho;
    W low = 0, high, tau, square = 0;

    *nearer = j;
    if (last) {
        for (int i = threadIdx.x; i < k; i += ROOT_THREADS)
            square += (W)z[i] * z[i];
        high = rho * reduce<W>(square, shared) * (1 + 8 * ROOT_EPS);
        tau = high / 2;
    } else {
        const W gap = apart<SQUARES, W>(d[j + 1], d[j]), half = gap / 2;
        const struct sums<W> s = evaluate<SQUARES, W>(k, j, d, z, d[j], half, shared);
        const W zj = (W)z[j] * z[j], zn = (W)z[j + 1] * z[j + 1], f = inverse + s.low + s.high,
                c = f + zj / half - zn / half; /* without the two poles */
        if (f < 0) *nearer = j + 1;
        low = f < 0 ? -half : 0;
        high = f < 0 ? 0 : half;
        tau = first_guess<W>(*nearer == j, zj, zn, c, gap);
    }
    if (!(tau > low && tau < high)) tau = (low + high) / 2;
    for (int it = 0; it < ROOT_STEPS; it++) {
        const W origin = d[*nearer];
        const struct sums<W> s = evaluate<SQUARES, W>(k, last ? k - 2 : j, d, z, origin, tau, shared);
        const W w = inverse + s.low + s.high, slope = s.low_slope + s.high_slope,
                error = 8 * (fabs(s.low) + fabs(s.high)) + 2 * inverse + fabs(tau) * slope;
        W next;
        if (!(w == w)) return w;
        if (fabs(w) <= ROOT_EPS * error) return tau;
        if (w < 0)
            low = tau;
        else
            high = tau;
        next = tau + (k == 1 ? w / slope * -1
                             : step<W>(w, apart<SQUARES, W>(d[p], origin) - tau, apart<SQUARES, W>(d[q], origin) - tau,
                                       s.low_slope, s.high_slope, last));
        if (w * (next - tau) >= 0) next = tau - w / slope;
        if (!(next > low && next < high)) {
            next = (low + high) / 2;
            if (low > 0 && high > 4 * low) next = sqrt(low) * sqrt(high);
            if (high < 0 && low < 4 * high) next = -sqrt(-low) * sqrt(-high);
            if (low == 0) next = high / 16;
            if (high == 0) next = low / 16;
        }
        if (next == tau || !(next > low && next < high)) return tau; /* neighbours in the arithmetic */
        tau = next;
    }
    return tau;
}

template <bool SQUARES>
static __global__ void __launch_bounds__(ROOT_THREADS)
    roots_kernel(int m, int k, int first, int count, const R *numbers, R *lambda, R *delta)
{
    typedef typename computed<SQUARES>::type W;
    __shared__ W shared[ROOT_WARPS];
    const R *d = TW_MERGE_AT(numbers, m, TW_MERGE_D), *z = TW_MERGE_AT(numbers, m, TW_MERGE_Z);
    const W rho = *TW_MERGE_AT(numbers, m, TW_MERGE_RHO);

    for (int c = blockIdx.x; c < count; c += gridDim.x) {
        int nearer;
        const W tau = find_root<SQUARES, W>(k, first + c, d, z, rho, &nearer, shared), origin = d[nearer];
        R *column = delta + (size_t)c * k, sum = 0;
        if (threadIdx.x == 0)
            lambda[c] = (R)(SQUARES ? root_of<W>(origin, tau) * *TW_MERGE_SCALE(numbers, m) : origin + tau);
        for (int i = threadIdx.x; i < k; i += ROOT_THREADS)
            column[i] = (R)(apart<SQUARES, W>(d[i], origin) - tau);
        if (!SQUARES && k <= 2) { /* the vector itself */
            for (int i = 0; i < k; i++) {
                const R x = z[i] / (R)((d[i] - origin) - tau);
                sum += x * x;
            }
            if (threadIdx.x < k) column[threadIdx.x] = z[threadIdx.x] / column[threadIdx.x] / sqrt(sum);
        }
    }
}

template <bool SQUARES>
static __global__ void __launch_bounds__(TW_BLOCK)
    part_kernel(int m, int k, int first, int count, const R *numbers, const R *delta, R *part)
{
    const R *d = TW_MERGE_AT(numbers, m, TW_MERGE_D);
    const int i = blockIdx.x * TW_BLOCK + threadIdx.x;
    R product = 1;

    if (i >= k) return;
    for (int c = 0; c < count && (SQUARES || k > 2); c++) {
        const R x = delta[(size_t)c * k + i];
        product *= first + c == i ? x : x / apart<SQUARES, R>(d[i], d[first + c]);
    }
    part[i] = product;
}

template <bool SQUARES>
static int find_roots(const struct tw_cuda *q, int m, int k, int first, int count, const R *numbers, R *lambda,
                      R *delta, R *part)
{
    const int e = launch(TW_CALL_laed4, q, dim3(count), dim3(ROOT_THREADS), roots_kernel<SQUARES>, m, k, first, count,
                         numbers, lambda, delta);
    return e ? e
             : launch(TW_CALL_laed4, q, dim3((k + TW_BLOCK - 1) / TW_BLOCK), dim3(TW_BLOCK), part_kernel<SQUARES>, m, k,
                      first, count, numbers, (const R *)delta, part);
}

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

enum { PLAIN, LEFT, RIGHT };

/* An element of a vector before it has length 1: of an eigenvector, or of left and right singular vectors, of which the
 * left one's first is -1. */
template <int SIDE, class W> static __device__ __forceinline__ W component(int i, const R *d, const R *z, const R *from)
{
    const W x = z[i] / (W)from[i];
    return SIDE == LEFT ? (i == 0 ? (W)-1 : d[i] * x) : x;
}

template <int SIDE>
static __global__ void __launch_bounds__(ROOT_THREADS)
    vectors_kernel(int k, const R *d, const R *z, const int32_t *place, const R *delta, R *s)
{
    typedef typename computed<SIDE != PLAIN>::type W;
    __shared__ W shared[ROOT_WARPS];
    const bool made = SIDE != PLAIN || k > 2; /* of one or two the roots' kernel has them already */
    const R *from = delta + (size_t)blockIdx.x * k;
    R *to = s + (size_t)blockIdx.x * k;
    W sum = 0;

    for (int i = threadIdx.x; i < k && made; i += ROOT_THREADS) {
        const W x = component<SIDE, W>(i, d, z, from);
        sum += x * x;
    }
    sum = 1 / sqrt(reduce<W>(sum, shared));
    for (int i = threadIdx.x; i < k; i += ROOT_THREADS)
        to[place[i]] = made ? (R)(component<SIDE, W>(i, d, z, from) * sum) : from[i];
}
#endif
