/* Divide and conquer on a GPU: columns gathered, roots of the secular equation, vectors. */
#include "kernels/launch.cuh"
#include "kernels/eigen/cuda/laed_cuda.h"

#if !TW_IS_COMPLEX

/* ---- columns -------------------------------------------------------------------------------------------------------------- */

static __device__ const R *column(const struct tw_merge_columns *q, int j)
{
    const int rest = j >= q->columns, p = rest ? q->count : j / q->width;
    return (const R *)q->piece[p] + (size_t)(rest ? j - q->columns : j % q->width) * (size_t)q->ld[p];
}

/* As in kernels/eigen/cpu/laed.c: where the rows of the column at a place lie, if they are not zeros. */
struct places {
    int n1, n2, k, k1, k12;
    R *top, *bottom, *rest;
};
static __device__ R *upper(const struct places *p, int at)
{
    if (at >= p->k) return p->rest + (size_t)(at - p->k) * (size_t)(p->n1 + p->n2);
    return at < p->k12 ? p->top + (size_t)at * (size_t)p->n1 : NULL;
}
static __device__ R *lower(const struct places *p, int at)
{
    if (at >= p->k) return p->rest + (size_t)(at - p->k) * (size_t)(p->n1 + p->n2) + p->n1;
    return at >= p->k1 ? p->bottom + (size_t)(at - p->k1) * (size_t)p->n2 : NULL;
}

static __global__ void __launch_bounds__(TW_BLOCK)
    gather_kernel(const __grid_constant__ struct tw_merge_columns q1,
                  const __grid_constant__ struct tw_merge_columns q2, struct places p, const int32_t *source)
{
    const int m = p.n1 + p.n2, i = blockIdx.x * TW_BLOCK + threadIdx.x, below = i >= p.n1;
    if (i >= m) return;
    for (int at = blockIdx.y; at < m; at += gridDim.y) {
        const int j = source[at], second = j >= p.n1;
        R *to = below ? lower(&p, at) : upper(&p, at);
        if (!to) continue;
        to[below ? i - p.n1 : i] = below != second ? 0 : below ? column(&q2, j - p.n1)[i - p.n1] : column(&q1, j)[i];
    }
}

/* A thread takes a row through all rotations. */
static __global__ void __launch_bounds__(TW_BLOCK)
    rotate_kernel(struct places p, int rotations, const int32_t *dest, const int32_t *pair, const R *turn)
{
    const int i = blockIdx.x * TW_BLOCK + threadIdx.x, below = i >= p.n1, row = below ? i - p.n1 : i;
    if (i >= p.n1 + p.n2) return;
    for (int r = 0; r < rotations; r++) {
        const int at_x = dest[pair[2 * r]], at_y = dest[pair[2 * r + 1]];
        R *x = below ? lower(&p, at_x) : upper(&p, at_x), *y = below ? lower(&p, at_y) : upper(&p, at_y);
        if (!x || !y) continue;
        const R c = turn[2 * r], s = turn[2 * r + 1], a = x[row], b = y[row];
        x[row] = c * a + s * b;
        y[row] = c * b - s * a;
    }
}

static int gather(const struct tw_cuda *q, const struct tw_merge_columns *q1, const struct tw_merge_columns *q2,
                  const struct tw_merge_head *head, const int32_t *plan, const void *numbers, void *top, void *bottom,
                  void *rest)
{
    const int m = q1->rows + q2->rows;
    const struct places p = {q1->rows, q2->rows,    (int)head->k, (int)head->k1, (int)(head->k1 + head->k2),
                             (R *)top, (R *)bottom, (R *)rest};
    const struct tw_merge_plan t = tw_merge_plan((int32_t *)plan, m);
    const R *turn = TW_MERGE_AT((const R *)numbers, m, TW_MERGE_ROTATIONS);
    const int e = launch(TW_CALL_laed2, q, tile_grid(m, m), dim3(TW_BLOCK), gather_kernel, *q1, *q2, p, t.source);

    if (e || head->rotations == 0) return e;
    return launch(TW_CALL_laed2, q, dim3((m + TW_BLOCK - 1) / TW_BLOCK), dim3(TW_BLOCK), rotate_kernel, p,
                  (int)head->rotations, t.dest, t.pair, turn);
}

static __global__ void __launch_bounds__(TW_BLOCK)
    sort_kernel(const __grid_constant__ struct tw_merge_columns from, const int32_t *order, int count, int reals, R *s,
                int64_t lds)
{
    const int i = blockIdx.x * TW_BLOCK + threadIdx.x;
    if (i >= from.rows) return;
    for (int j = blockIdx.y; j < count; j += gridDim.y) {
        R *to = s + (int64_t)reals * (i + j * lds);
        to[0] = column(&from, order[j])[i];
        if (reals > 1) to[1] = 0;
    }
}

static int sort(const struct tw_cuda *q, const struct tw_merge_columns *from, const int32_t *order, int count,
                int is_complex, void *s, int lds)
{
    return launch(TW_CALL_laed2, q, tile_grid(from->rows, count), dim3(TW_BLOCK), sort_kernel, *from, order, count,
                  is_complex ? 2 : 1, (R *)s, lds);
}

/* ---- eigenvalues alone -------------------------------------------------------------------------------------------------------
 *
 * A thread takes an eigenvalue and halves the interval that holds it: as many eigenvalues are below x as there are negative pivots in T - x I = L D L^T (Givens;
 * W. Kahan, "Accurate eigenvalues of a symmetric tri-diagonal matrix", 1966). In double for all types. Pivots near 0 are made small ones, as in LAPACK's stebz. */

#define VALUES_THREADS 64
#define VALUES_PIECE   256 /* rows that a block has at hand */

static __global__ void __launch_bounds__(TW_BLOCK) squares_kernel(int n, const R *d, const R *e, double *work)
{
    const int i = blockIdx.x * TW_BLOCK + threadIdx.x;
    if (i >= n) return;
    work[i] = (double)d[i];
    work[n + i] = i > 0 ? (double)e[i - 1] * (double)e[i - 1] : 0; /* coupling to the row before */
}

/* Eigenvalues below x; every thread of the block calls it. */
static __device__ int below(int n, const double *d, const double *square, double x, double *shared)
{
    const double tiny = 1e-290;
    double pivot = 1;
    int count = 0;

    for (int first = 0; first < n; first += VALUES_PIECE) {
        const int rows = n - first < VALUES_PIECE ? n - first : VALUES_PIECE;
        __syncthreads();
        for (int i = threadIdx.x; i < rows; i += VALUES_THREADS) {
            shared[2 * i] = d[first + i];
            shared[2 * i + 1] = square[first + i];
        }
        __syncthreads();
        for (int i = 0; i < rows; i++) {
            pivot = (shared[2 * i] - x) - shared[2 * i + 1] / pivot;
            if (fabs(pivot) < tiny) pivot = -tiny;
            count += pivot < 0;
        }
    }
    return count;
}

static __global__ void __launch_bounds__(VALUES_THREADS) values_kernel(int n, const double *work, R *w)
{
    __shared__ double shared[2 * VALUES_PIECE];
    const int i = blockIdx.x * VALUES_THREADS + threadIdx.x;
    double low = -3.5, high = 3.5; /* Gershgorin: the elements are at most 1 */

    for (int step = 0; step < 64; step++) {
        const double x = 0.5 * (low + high);
        if (below(n, work, work + n, x, shared) <= i)
            low = x;
        else
            high = x;
    }
    if (i < n) w[i] = (R)(0.5 * (low + high));
}

static int values(const struct tw_cuda *q, int n, const void *d, const void *e, void *w, void *work)
{
    const int status = launch(TW_CALL_sterf, q, dim3((n + TW_BLOCK - 1) / TW_BLOCK), dim3(TW_BLOCK), squares_kernel, n,
                              (const R *)d, (const R *)e, (double *)work);
    return status ? status
                  : launch(TW_CALL_sterf, q, dim3((n + VALUES_THREADS - 1) / VALUES_THREADS), dim3(VALUES_THREADS),
                           values_kernel, n, (const double *)work, (R *)w);
}

/* ---- the secular equation ----------------------------------------------------------------------------------------------------
 *
 * f(x) = 1 / rho + sum z(i)^2 / (d(i) - x) rises from -inf to inf between two d's; root j lies above d(j). x is kept as its distance tau from the nearer d, so that
 * all differences d(i) - x have small relative errors. R.-C. Li, "Solving secular equations stably and efficiently" (LAPACK Working Note 89, 1994): the middle
 * way, with bisection where it leaves the bracket. A block has a root. */

#define ROOT_THREADS 128
#define ROOT_WARPS   (ROOT_THREADS / 32)
#define ROOT_EPS     (TW_IS_SINGLE ? (R)5.9604645e-08 : (R)1.1102230246251565e-16)
enum { ROOT_STEPS = 120 };

struct sums {
    R low, low_slope, high,
        high_slope; /* over d(i) with i <= j, and over the others: the function's part and its derivative's */
};

static __device__ R reduce(R x, R *shared)
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
static __device__ struct sums evaluate(int k, int j, const R *d, const R *z, R origin, R tau, R *shared)
{
    struct sums s = {0, 0, 0, 0};
    for (int i = threadIdx.x; i < k; i += ROOT_THREADS) {
        const R t = z[i] / ((d[i] - origin) - tau), value = z[i] * t, slope = t * t;
        if (i <= j)
            s.low += value, s.low_slope += slope;
        else
            s.high += value, s.high_slope += slope;
    }
    s.low = reduce(s.low, shared);
    s.low_slope = reduce(s.low_slope, shared);
    s.high = reduce(s.high, shared);
    s.high_slope = reduce(s.high_slope, shared);
    return s;
}

/* The root of c + a pole at p and one at q, from where f is w: the step. last: beyond the larger pole. */
static __device__ R step(R w, R p, R q, R p_slope, R q_slope, int last)
{
    const R c = w - p * p_slope - q * q_slope, a = (p + q) * w - p * q * (p_slope + q_slope), b = p * q * w,
            root = sqrt(fabs(a * a - 4 * (last ? fabs(c) : c) * b)), cc = last ? fabs(c) : c;
    if (cc == 0) return b / a;
    if (last) return a >= 0 ? (a + root) / (2 * cc) : 2 * b / (a - root);
    return a <= 0 ? (a - root) / (2 * cc) : 2 * b / (a + root);
}

static __device__ R first_guess(int k, int j, int nearer, const R *d, const R *z, R c, R gap)
{
    const R zj = z[j] * z[j], zn = z[j + 1] * z[j + 1];
    if (nearer == j) {
        const R a = c * gap + zj + zn, b = zj * gap, root = sqrt(fabs(a * a - 4 * b * c));
        return a > 0 ? 2 * b / (a + root) : (a - root) / (2 * c);
    }
    const R a = c * gap - zj - zn, b = zn * gap, root = sqrt(fabs(a * a + 4 * b * c));
    return a < 0 ? 2 * b / (a - root) : -(a + root) / (2 * c);
}

/* Root j: tau, and in *nearer the d that it is counted from. NaN: it was not found. */
static __device__ R find_root(int k, int j, const R *d, const R *z, R rho, int *nearer, R *shared)
{
    const int last = j == k - 1, p = last && k > 1 ? k - 2 : j, q = last ? k - 1 : j + 1;
    const R inverse = 1 / rho;
    R low = 0, high, tau, square = 0;

    *nearer = j;
    if (last) {
        for (int i = threadIdx.x; i < k; i += ROOT_THREADS)
            square += z[i] * z[i];
        high = rho * reduce(square, shared) * (1 + 8 * ROOT_EPS);
        tau = high / 2;
    } else {
        const R gap = d[j + 1] - d[j], half = gap / 2;
        const struct sums s = evaluate(k, j, d, z, d[j], half, shared);
        const R f = inverse + s.low + s.high,
                c = f + z[j] * z[j] / half - z[j + 1] * z[j + 1] / half; /* without the two poles */
        if (f < 0) *nearer = j + 1;
        low = f < 0 ? -half : 0;
        high = f < 0 ? 0 : half;
        tau = first_guess(k, j, *nearer, d, z, c, gap);
    }
    if (!(tau > low && tau < high)) tau = (low + high) / 2;
    for (int it = 0; it < ROOT_STEPS; it++) {
        const R origin = d[*nearer];
        const struct sums s = evaluate(k, last ? k - 2 : j, d, z, origin, tau, shared);
        const R w = inverse + s.low + s.high, slope = s.low_slope + s.high_slope,
                error = 8 * (fabs(s.low) + fabs(s.high)) + 2 * inverse + fabs(tau) * slope;
        R next;
        if (!(w == w)) return w;
        if (fabs(w) <= ROOT_EPS * error) return tau;
        if (w < 0)
            low = tau;
        else
            high = tau;
        next = tau + (k == 1 ? w / slope * -1
                             : step(w, (d[p] - origin) - tau, (d[q] - origin) - tau, s.low_slope, s.high_slope, last));
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

static __global__ void __launch_bounds__(ROOT_THREADS)
    roots_kernel(int m, int k, int first, int count, const R *numbers, R *lambda, R *delta)
{
    __shared__ R shared[ROOT_WARPS];
    const R *d = TW_MERGE_AT(numbers, m, TW_MERGE_D), *z = TW_MERGE_AT(numbers, m, TW_MERGE_Z);
    const R rho = *TW_MERGE_AT(numbers, m, TW_MERGE_RHO);

    for (int c = blockIdx.x; c < count; c += gridDim.x) {
        int nearer;
        const R tau = find_root(k, first + c, d, z, rho, &nearer, shared), origin = d[nearer];
        R *column = delta + (size_t)c * k, sum = 0;
        if (threadIdx.x == 0) lambda[c] = origin + tau;
        for (int i = threadIdx.x; i < k; i += ROOT_THREADS)
            column[i] = (d[i] - origin) - tau;
        if (k > 2) continue;
        for (int i = 0; i < k; i++) { /* the vector itself */
            const R x = z[i] / ((d[i] - origin) - tau);
            sum += x * x;
        }
        if (threadIdx.x < k) column[threadIdx.x] = z[threadIdx.x] / column[threadIdx.x] / sqrt(sum);
    }
}

static __global__ void __launch_bounds__(TW_BLOCK)
    part_kernel(int m, int k, int first, int count, const R *numbers, const R *delta, R *part)
{
    const R *d = TW_MERGE_AT(numbers, m, TW_MERGE_D);
    const int i = blockIdx.x * TW_BLOCK + threadIdx.x;
    R product = 1;

    if (i >= k) return;
    for (int c = 0; c < count && k > 2; c++) {
        const R x = delta[(size_t)c * k + i];
        product *= first + c == i ? x : x / (d[i] - d[first + c]);
    }
    part[i] = product;
}

static int roots(const struct tw_cuda *q, int m, int k, int first, int count, const void *numbers, void *lambda,
                 void *delta, void *part)
{
    const int e = launch(TW_CALL_laed4, q, dim3(count), dim3(ROOT_THREADS), roots_kernel, m, k, first, count,
                         (const R *)numbers, (R *)lambda, (R *)delta);
    return e ? e
             : launch(TW_CALL_laed4, q, dim3((k + TW_BLOCK - 1) / TW_BLOCK), dim3(TW_BLOCK), part_kernel, m, k, first,
                      count, (const R *)numbers, (const R *)delta, (R *)part);
}

/* ---- vectors -------------------------------------------------------------------------------------------------------------- */

struct parts {
    const R *part[TW_MERGE_PIECES];
    int count;
};

static __global__ void __launch_bounds__(TW_BLOCK)
    weights_kernel(int k, const __grid_constant__ struct parts p, const R *sign, R *z)
{
    const int i = blockIdx.x * TW_BLOCK + threadIdx.x;
    R product = 1;

    if (i >= k) return;
    for (int c = 0; c < p.count; c++)
        product *= p.part[c][i];
    z[i] = copysign(sqrt(-product), sign[i]);
}

static int weights(const struct tw_cuda *q, int m, int k, int count, const void *const *part, const void *numbers,
                   void *z)
{
    struct parts p = {{NULL}, count};
    for (int c = 0; c < count; c++)
        p.part[c] = (const R *)part[c];
    return launch(TW_CALL_laed3, q, dim3((k + TW_BLOCK - 1) / TW_BLOCK), dim3(TW_BLOCK), weights_kernel, k, p,
                  TW_MERGE_AT((const R *)numbers, m, TW_MERGE_Z), (R *)z);
}

static __global__ void __launch_bounds__(ROOT_THREADS)
    vectors_kernel(int k, const R *z, const int32_t *place, const R *delta, R *s)
{
    __shared__ R shared[ROOT_WARPS];
    const R *from = delta + (size_t)blockIdx.x * k;
    R *to = s + (size_t)blockIdx.x * k, sum = 0;

    for (int i = threadIdx.x; i < k && k > 2; i += ROOT_THREADS) {
        const R x = z[i] / from[i];
        sum += x * x;
    }
    sum = 1 / sqrt(reduce(sum, shared));
    for (int i = threadIdx.x; i < k; i += ROOT_THREADS)
        to[place[i]] = k > 2 ? z[i] / from[i] * sum : from[i];
}

static int vectors(const struct tw_cuda *q, int k, int count, const void *z, const int32_t *place, const void *delta,
                   void *s)
{
    return launch(TW_CALL_laed3, q, dim3(count), dim3(ROOT_THREADS), vectors_kernel, k, (const R *)z, place,
                  (const R *)delta, (R *)s);
}

#define TABLE TW_CAT3(tw_cuda_, TW_P, laed)
extern "C" const struct tw_cuda_laed_kernels TABLE = {values, gather, roots, weights, vectors, sort};

#endif
