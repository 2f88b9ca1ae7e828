/* The triangle T of a block reflector, and copies of parts of V that products can be made with.
 *
 * With U the strict upper triangle of V^H V and D = diag(tau), the recurrence of LAPACK's larft, T(0:j, j) = -tau_j
 * T(0:j, 0:j) U(0:j, j), is T (I + U D) = D: one triangular solve with a unit diagonal, which a tau of 0 does not
 * disturb. */
#include "kernels/dense/cuda/element.cuh"
#include "kernels/launch.cuh"

static __global__ void __launch_bounds__(TW_BLOCK) front_kernel(char part, int k, const T *v, int64_t ldv, T *front)
{
    int64_t i = (int64_t)blockIdx.x * TW_BLOCK + threadIdx.x;
    if (i >= k) return;
    for (int64_t j = blockIdx.y; j < k; j += gridDim.y)
        front[i + j * k] = i == j ? number(1) : in_part(part, (int)i, (int)j) ? v[i + j * ldv] : number(0);
}

/* T holds V^H V and becomes D, `system` becomes I + U D. */
static __global__ void __launch_bounds__(TW_BLOCK) system_kernel(int k, const T *tau, T *t, int64_t ldt, T *system)
{
    int64_t i = (int64_t)blockIdx.x * TW_BLOCK + threadIdx.x;
    if (i >= k) return;
    for (int64_t j = blockIdx.y; j < k; j += gridDim.y) {
        system[i + j * k] = i < j ? product(t[i + j * ldt], tau[j]) : number(i == j);
        t[i + j * ldt] = i == j ? tau[j] : number(0);
    }
}

static __global__ void __launch_bounds__(TW_BLOCK)
    trapezoid_kernel(bool zero, int m, int n, int l, const T *a, int64_t lda, T *b, int64_t ldb)
{
    int64_t i = (int64_t)blockIdx.x * TW_BLOCK + threadIdx.x;
    if (i >= m) return;
    for (int64_t j = blockIdx.y; j < n; j += gridDim.y)
        if (i - (m - l) <= j)
            b[i + j * ldb] = a[i + j * lda];
        else if (zero)
            b[i + j * ldb] = number(0);
}

int CUDA(block_front)(const struct tw_cuda *q, char storev, int k, const void *v, int ldv, void *front)
{
    return launch(TW_CALL_larft, q, tile_grid(k, k), dim3(TW_BLOCK), front_kernel, storev == 'C' ? 'L' : 'U', k,
                  (const T *)v, (int64_t)ldv, (T *)front);
}

int CUDA(trapezoid)(const struct tw_cuda *q, int zero, int m, int n, int l, const void *a, int lda, void *b, int ldb)
{
    if (m <= 0 || n <= 0) return 0;
    return launch(TW_CALL_tpqrt, q, tile_grid(m, n), dim3(TW_BLOCK), trapezoid_kernel, zero != 0, m, n, l, (const T *)a,
                  (int64_t)lda, (T *)b, (int64_t)ldb);
}

int CUDA(larft_finish)(const struct tw_cuda *q, int k, const void *tau, void *t, int ldt, void *work)
{
    TW_TRY(launch(TW_CALL_larft, q, tile_grid(k, k), dim3(TW_BLOCK), system_kernel, k, (const T *)tau, (T *)t,
                  (int64_t)ldt, (T *)work));
    return CUDA(trsm)(q, 'R', 'U', 'N', 'U', k, k, tw_one, work, k, t, ldt);
}

int CUDA(larft)(const struct tw_cuda *q, char storev, int p, int k, const void *v, int ldv, const void *tau, void *t,
                int ldt, void *work)
{
    const bool columns = storev == 'C';
    const char first = columns ? 'C' : 'N', second = columns ? 'N' : 'C';
    const T *rest = columns ? (const T *)v + k : TW_AT((const T *)v, ldv, 0, k);

    if (k <= 0) return 0;
    TW_TRY(CUDA(block_front)(q, storev, k, v, ldv, work));
    TW_TRY(CUDA(gemm)(q, first, second, k, k, k, tw_one, work, k, work, k, tw_zero, t, ldt));
    if (p > k) TW_TRY(CUDA(gemm)(q, first, second, k, k, p - k, tw_one, rest, ldv, rest, ldv, tw_one, t, ldt));
    return CUDA(larft_finish)(q, k, tau, t, ldt, work);
}
