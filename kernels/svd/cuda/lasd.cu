/* Bidiagonal matrices on a GPU: roots and vectors of divide and conquer (kernels/eigen/cuda/secular.cuh), and singular
 * values alone. */
#include "kernels/launch.cuh"
#include "kernels/svd/cuda/lasd_cuda.h"

#if !TW_IS_COMPLEX
#include "kernels/eigen/cuda/secular.cuh"

static int roots(const struct tw_cuda *q, int m, int k, int first, int count, const void *numbers, void *lambda,
                 void *delta, void *part)
{
    return find_roots<true>(q, m, k, first, count, (const R *)numbers, (R *)lambda, (R *)delta, (R *)part);
}

static int vectors(const struct tw_cuda *q, int left, int m, int k, int count, const void *numbers, const void *z,
                   const int32_t *place, const void *delta, void *s)
{
    return launch(TW_CALL_laed3, q, dim3(count), dim3(ROOT_THREADS),
                  left ? vectors_kernel<LEFT> : vectors_kernel<RIGHT>, k,
                  TW_MERGE_AT((const R *)numbers, m, TW_MERGE_D), (const R *)z, place, (const R *)delta, (R *)s);
}

/* ---- values alone ---------------------------------------------------------------------------------------------------
 *
 * The matrix (0 B^T; B 0) is, rows and columns put in turn, tridiagonal with zeros on its diagonal and d(0), e(0),
 * d(1), ... beside it (Golub, Kahan): n + i of its eigenvalues are below x >= 0 if i singular values are. The count of
 * negative pivots is exact for a matrix whose elements are within some eps of these, each for itself, so that bisection
 * finds every value to some n eps of its own size (J. Demmel, W. Kahan, SIAM J. Sci. Stat. Comput. 11 (1990); bound
 * there). LANES threads take a value, and cut its interval at as many points; midpoints are those of the numbers' bits,
 * so that tiny values take no more steps than others. In double for all types. */

#define LANES  8
#define GROUPS 16 /* values of a block */
#define PIECE  256

static __global__ void __launch_bounds__(TW_BLOCK) chain_kernel(int n, const R *d, const R *e, double *work)
{
    const int i = blockIdx.x * TW_BLOCK + threadIdx.x;
    if (i >= n) return;
    work[2 * i] = fabs((double)d[i]);
    work[2 * i + 1] = i + 1 < n ? fabs((double)e[i]) : 0;
}

/* How many of the 2 n eigenvalues are below x; all threads of the block call it. q (q / pivot) and not q^2: squares may
 * leave the range. */
static __device__ int negative_pivots(int n, const double *chain, double x, double *shared)
{
    double pivot = -x;
    int count = x > 0;

    for (int first = 0; first < 2 * n - 1; first += PIECE) {
        const int here = min(PIECE, 2 * n - 1 - first);
        __syncthreads();
        for (int i = threadIdx.x; i < here; i += LANES * GROUPS)
            shared[i] = chain[first + i];
        __syncthreads();
        for (int i = 0; i < here; i++) {
            if (fabs(pivot) < 1e-300) pivot = -1e-300;
            pivot = -x - shared[i] * (shared[i] / pivot);
            count += pivot < 0;
        }
    }
    return count;
}

static __global__ void __launch_bounds__(LANES *GROUPS) values_kernel(int n, const double *chain, R *s)
{
    __shared__ double shared[PIECE];
    const int i = blockIdx.x * GROUPS + threadIdx.x / LANES, lane = threadIdx.x % LANES;
    const unsigned group = 0xffu << (threadIdx.x % 32 / LANES * LANES);
    unsigned long long low = 0, high = 0;
    double largest = 0;

    for (int k = threadIdx.x % 32; k < 2 * n; k += 32)
        largest = fmax(largest, chain[k]);
    for (int bit = 16; bit > 0; bit /= 2)
        largest = fmax(largest, __shfl_xor_sync(0xffffffffu, largest, bit));
    high = (unsigned long long)__double_as_longlong(2 * largest * (1 + 1e-14)) + 1; /* |B| <= d + e */
    while (__syncthreads_or(high - low > 1)) { /* at most low are n + i eigenvalues or less, below high more */
        const unsigned long long gap = (high - low) / (LANES + 1), rest = (high - low) % (LANES + 1),
                                 at = low + gap * (lane + 1) + rest * (lane + 1) / (LANES + 1);
        const bool more = negative_pivots(n, chain, __longlong_as_double((long long)at), shared) > n + i;
        const unsigned above = (__ballot_sync(0xffffffffu, more) & group) >> (threadIdx.x % 32 / LANES * LANES);
        const int first = above ? __ffs((int)above) - 1 : LANES;
        const unsigned long long below = low + gap * first + rest * first / (LANES + 1),
                                 over = low + gap * (first + 1) + rest * (first + 1) / (LANES + 1);
        high = first < LANES ? over : high;
        low = first > 0 ? below : low;
    }
    if (i < n && lane == 0) s[n - 1 - i] = (R)__longlong_as_double((long long)low);
}

static int values(const struct tw_cuda *q, int n, const void *d, const void *e, void *s, void *work)
{
    const int status = launch(TW_CALL_sterf, q, dim3((n + TW_BLOCK - 1) / TW_BLOCK), dim3(TW_BLOCK), chain_kernel, n,
                              (const R *)d, (const R *)e, (double *)work);
    return status ? status
                  : launch(TW_CALL_sterf, q, dim3((n + GROUPS - 1) / GROUPS), dim3(LANES * GROUPS), values_kernel, n,
                           (const double *)work, (R *)s);
}

#define TABLE TW_CAT3(tw_cuda_, TW_P, lasd)
extern "C" const struct tw_cuda_lasd_kernels TABLE = {roots, vectors, values};

#endif
