/* The CUDA kernel of a panel of the one-stage reduction, one per precision: as kernels/eigen/cpu/latrd.h, on arrays in GPU memory, enqueued on the worker's stream; 0 or a status that
 * tw_cuda_status_text() explains. */
#ifndef TW_KERNELS_EIGEN_CUDA_LATRD_H
#define TW_KERNELS_EIGEN_CUDA_LATRD_H
#include <stddef.h>
#include <tilework/runtime.h>
#include "runtime/machine/cuda.h"
#include "types/eigen/latrd.h"

/* work: tw_latrd_cuda_work bytes. */
typedef int (*tw_latrd_cuda_fn)(const struct tw_cuda *q, const struct tw_latrd *p, void *work);
extern const tw_latrd_cuda_fn tw_latrd_cuda[TW_NTYPES];
size_t tw_latrd_cuda_work(enum tw_type type, int n, int columns, int tiles);
#endif
