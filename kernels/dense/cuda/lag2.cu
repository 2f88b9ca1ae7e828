/* From one precision to the other of the same kind, LAPACK's ?lag2? and ?lat2?. */
#include <cfloat>
#include "kernels/launch.cuh"

#if TW_IS_SINGLE
typedef double other;
#else
typedef float other;
#endif
#if TW_IS_COMPLEX
#define PARTS 2
#else
#define PARTS 1
#endif

/* Many threads may write the same 1. */
static __global__ void __launch_bounds__(TW_BLOCK)
    lag2_kernel(char uplo, int m, int n, const R *a, int64_t lda, other *b, int64_t ldb, double *lost)
{
    int64_t i = (int64_t)blockIdx.x * TW_BLOCK + threadIdx.x;
    if (i >= m) return;
    for (int64_t j = blockIdx.y; j < n; j += gridDim.y) {
        if (!in_part(uplo, (int)i, (int)j)) continue;
        for (int part = 0; part < PARTS; part++) {
            const R x = a[PARTS * (i + j * lda) + part];
            if (!TW_IS_SINGLE && (x < -(R)FLT_MAX || x > (R)FLT_MAX)) *lost = 1;
            b[PARTS * (i + j * ldb) + part] = (other)x;
        }
    }
}

int CUDA(lag2)(const struct tw_cuda *q, char uplo, int m, int n, const void *a, int lda, void *b, int ldb, double *lost)
{
    if (m <= 0 || n <= 0) return 0;
    return launch(TW_CALL_lag2, q, tile_grid(m, n), dim3(TW_BLOCK), lag2_kernel, uplo, m, n, (const R *)a, lda,
                  (other *)b, ldb, lost);
}
