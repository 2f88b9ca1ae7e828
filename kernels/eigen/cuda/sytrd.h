/* CUDA kernels of the copies around the one-stage reduction, one table per precision: as kernels/eigen/cpu/sytrd.h, on
 * arrays in GPU memory, enqueued on the worker's stream; 0 or a status that tw_cuda_status_text() explains. */
#ifndef TW_KERNELS_EIGEN_CUDA_SYTRD_H
#define TW_KERNELS_EIGEN_CUDA_SYTRD_H
#include <tilework/runtime.h>
#include "runtime/machine/cuda.h"
#include "types/eigen/sytrd.h"

struct tw_sytrd_cuda {
    int (*reversed)(const struct tw_cuda *q, int m, int n, const void *a, int lda, void *b, int ldb);
    int (*store)(const struct tw_cuda *q, const struct tw_sytrd_panel *p, const struct tw_sytrd_tile *t, const void *v,
                 int ldv, const void *d, const void *e, double scale, void *a, int lda);
    int (*load)(const struct tw_cuda *q, const struct tw_sytrd_panel *p, const struct tw_sytrd_tile *t, const void *a,
                int lda, void *v, int ldv);
};
extern const struct tw_sytrd_cuda *const tw_sytrd_cuda[TW_NTYPES];
#endif
