/* CUDA kernels of divide and conquer: kernels/eigen/cpu/laed.h on arrays in GPU memory, enqueued on the worker's
 * stream; 0 or a status that tw_cuda_status_text() explains. */
#ifndef TW_KERNELS_EIGEN_CUDA_LAED_CUDA_H
#define TW_KERNELS_EIGEN_CUDA_LAED_CUDA_H
#include "runtime/machine/cuda.h"
#include "types/eigen/merge.h"

struct tw_cuda_laed_kernels {
    /* w: the eigenvalues of the tridiagonal matrix with diagonal d and sub-diagonal e, whose elements are at most 1,
     * ascending; work: 2 n doubles. */
    int (*values)(const struct tw_cuda *q, int n, const void *d, const void *e, void *w, void *work);
    int (*gather)(const struct tw_cuda *q, const struct tw_merge_columns *q1, const struct tw_merge_columns *q2,
                  const struct tw_merge_head *head, int skip, const int32_t *plan, const void *numbers, void *top,
                  void *bottom, void *rest);
    int (*roots)(const struct tw_cuda *q, int m, int k, int first, int count, const void *numbers, void *lambda,
                 void *delta, void *part);
    int (*weights)(const struct tw_cuda *q, int m, int k, int parts, const void *const *part, const void *numbers,
                   void *z);
    int (*vectors)(const struct tw_cuda *q, int k, int count, const void *z, const int32_t *place, const void *delta,
                   void *s);
    int (*sort)(const struct tw_cuda *q, const struct tw_merge_columns *from, const int32_t *order, int first,
                int known, int count, int is_complex, int rows, void *s, int lds);
};
#ifdef __cplusplus
extern "C" {
#endif
extern const struct tw_cuda_laed_kernels tw_cuda_slaed, tw_cuda_dlaed;
#ifdef __cplusplus
}
#endif
static inline const struct tw_cuda_laed_kernels *tw_cuda_laed_kernels(int single)
{
    return single ? &tw_cuda_slaed : &tw_cuda_dlaed;
}
#endif
