/* CUDA kernels for bidiagonal matrices: kernels/svd/cpu/lasd.h's roots and vectors, and values by bisection, on arrays
 * in GPU memory, enqueued on the worker's stream; 0 or a status that tw_cuda_status_text() explains. */
#ifndef TW_KERNELS_SVD_CUDA_LASD_CUDA_H
#define TW_KERNELS_SVD_CUDA_LASD_CUDA_H
#include "runtime/machine/cuda.h"
#include "types/eigen/merge.h"

struct tw_cuda_lasd_kernels {
    int (*roots)(const struct tw_cuda *q, int m, int k, int first, int count, const void *numbers, void *lambda,
                 void *delta, void *part);
    int (*vectors)(const struct tw_cuda *q, int left, int m, int k, int count, const void *numbers, const void *z,
                   const int32_t *place, const void *delta, void *s);
    /* s: the singular values, descending, of the bidiagonal matrix with diagonal d (n) and super-diagonal e (n - 1); it
     * may be d. work: 2 n doubles. */
    int (*values)(const struct tw_cuda *q, int n, const void *d, const void *e, void *s, void *work);
};
#ifdef __cplusplus
extern "C" {
#endif
extern const struct tw_cuda_lasd_kernels tw_cuda_slasd, tw_cuda_dlasd;
#ifdef __cplusplus
}
#endif
static inline const struct tw_cuda_lasd_kernels *tw_cuda_lasd_kernels(int single)
{
    return single ? &tw_cuda_slasd : &tw_cuda_dlasd;
}
#endif
