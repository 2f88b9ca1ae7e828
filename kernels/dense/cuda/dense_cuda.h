/* CUDA kernels: the same operations as kernels/dense/cpu/dense_cpu.h on arrays in GPU memory, enqueued on the worker's stream.
 *
 * Nothing here allocates, synchronises or uses the default stream. Every function returns 0 or a status that
 * tw_cuda_status_text() explains (CUDA, cuBLAS and cuSOLVER errors; never thrown away). */
#ifndef TW_KERNELS_DENSE_CUDA_DENSE_CUDA_H
#define TW_KERNELS_DENSE_CUDA_DENSE_CUDA_H
#include <stdint.h>
#include <tilework/runtime.h>
#include "kernels/dense/cpu/dense_cpu.h" /* enum tw_structure */
#include "runtime/machine/cuda.h"

/* Members: kernels/dense/cuda/dense_cuda_list.h. */
struct tw_cuda_kernels {
#define TW_KERNEL(name, ...) int (*name)(const struct tw_cuda *q, __VA_ARGS__);
#include "kernels/dense/cuda/dense_cuda_list.h"
#undef TW_KERNEL
};

extern const struct tw_cuda_kernels *const tw_cuda_kernels[TW_NTYPES];
/* "cublasDgemm: CUBLAS_STATUS_…" for a status of the functions above. */
const char *tw_cuda_status_text(int status);
#endif
