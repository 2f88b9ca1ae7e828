/* Elements off the diagonal (of the whole tile, uplo 'G', or of one triangle) to one value, the diagonal to another. */
#include "kernels/launch.cuh"

static __global__ void __launch_bounds__(TW_BLOCK)
    set_kernel(char uplo, int m, int n, T offdiag, T diag, T *a, int64_t lda)
{
    int64_t i = (int64_t)blockIdx.x * TW_BLOCK + threadIdx.x;
    if (i >= m) return;
    for (int64_t j = blockIdx.y; j < n; j += gridDim.y)
        if (in_part(uplo, (int)i, (int)j)) a[i + j * lda] = i == j ? diag : offdiag;
}

int CUDA(laset)(const struct tw_cuda *q, char uplo, int m, int n, tw_scalar offdiag, tw_scalar diag, void *a, int lda)
{
    if (m <= 0 || n <= 0) return 0;
    return launch(TW_CALL_laset, q, tile_grid(m, n), dim3(TW_BLOCK), set_kernel, uplo, m, n, tw_value(offdiag),
                  tw_value(diag), (T *)a, lda);
}
