/* The CUDA kernel of a panel of the reduction to Hessenberg form, one per precision: as kernels/eigen/cpu/lahr2.h, on a
 * matrix that is one block column of at most 64 columns of panel, in GPU memory, enqueued on the worker's stream; 0 or
 * a status that tw_cuda_status_text() explains. */
#ifndef TW_KERNELS_EIGEN_CUDA_LAHR2_H
#define TW_KERNELS_EIGEN_CUDA_LAHR2_H
#include <stddef.h>
#include <tilework/runtime.h>
#include "runtime/machine/cuda.h"
#include "types/eigen/lahr2.h"

/* work: tw_lahr2_cuda_work bytes for at least as many rows of V, rows above it, and columns. */
typedef int (*tw_lahr2_cuda_fn)(const struct tw_cuda *q, const struct tw_lahr2 *p, void *work);
extern const tw_lahr2_cuda_fn tw_lahr2_cuda[TW_NTYPES];
size_t tw_lahr2_cuda_work(enum tw_type type, int rows, int above, int columns);
#endif
