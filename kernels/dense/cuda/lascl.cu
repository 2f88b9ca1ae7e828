/* A tile or a triangle times to / from, by factors that stay in range: a launch for each, in nearly all cases one. */
#include "kernels/dense/cuda/element.cuh"
#include "kernels/dense/scale_steps.h"
#include "kernels/launch.cuh"

static __global__ void __launch_bounds__(TW_BLOCK) scale_kernel(char uplo, int m, int n, R factor, T *a, int64_t lda)
{
    int64_t i = (int64_t)blockIdx.x * TW_BLOCK + threadIdx.x;
    if (i >= m) return;
    for (int64_t j = blockIdx.y; j < n; j += gridDim.y)
        if (in_part(uplo, (int)i, (int)j)) a[i + j * lda] = scaled(a[i + j * lda], factor);
}

int CUDA(lascl)(const struct tw_cuda *q, char uplo, int m, int n, double from, double to, void *a, int lda)
{
    struct tw_scale s = {(R)from, (R)to, 0};
    if (m <= 0 || n <= 0) return 0;
    while (!s.done) {
        R factor = tw_scale_step(&s);
        TW_TRY(launch(TW_CALL_lascl, q, tile_grid(m, n), dim3(TW_BLOCK), scale_kernel, uplo, m, n, factor, (T *)a,
                      (int64_t)lda));
    }
    return 0;
}
