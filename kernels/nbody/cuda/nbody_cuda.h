/* What the tasks of the N-body routines compute on a GPU: enqueued on the worker's stream, nothing more. */
#ifndef TW_KERNELS_NBODY_CUDA_NBODY_CUDA_H
#define TW_KERNELS_NBODY_CUDA_NBODY_CUDA_H
#include "kernels/nbody/cpu/nbody_cpu.h"
#include "runtime/machine/cuda.h"
#include "runtime/base/types.h"

#ifdef __cplusplus
extern "C" {
#endif
/* As tw_direct_fn, on device pointers; first: the results are set instead of added to. Returns a kernels/cuda
 * status. */
int tw_nbody_cuda_direct(const struct tw_cuda *cuda, enum tw_type type, const struct tw_direct *d, int first);
#ifdef __cplusplus
}
#endif
#endif
