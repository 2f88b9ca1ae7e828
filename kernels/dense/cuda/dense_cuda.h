/* CUDA kernels: the same operations as kernels/dense/cpu/dense_cpu.h on arrays in GPU memory, enqueued on the worker's
 * stream.
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

/* gemm_half's: an operand of so many rows and columns, whose columns begin at 16 bytes; elements of single precision,
 * which a CPU's body takes. */
static inline int tw_gemm_half_room(int rows)
{
    return (rows + 7) / 8 * 8;
}
static inline size_t tw_gemm_half_elements(int rows, int columns)
{
    return (size_t)tw_gemm_half_room(rows) * (size_t)columns;
}
/* gemm_split's operands' parts: rows of one, whose columns begin at 16 bytes, as cuBLAS wants them for matrix units;
 * elements of all. */
static inline int tw_gemm_split_room(int k)
{
    return (k + 7) / 8 * 8;
}
static inline size_t tw_gemm_split_elements(int m, int n, int k)
{
    return 2 * (size_t)tw_gemm_split_room(k) * ((size_t)m + (size_t)n);
}

extern const struct tw_cuda_kernels *const tw_cuda_kernels[TW_NTYPES];
/* "cublasDgemm: CUBLAS_STATUS_…" for a status of the functions above. */
const char *tw_cuda_status_text(int status);
#endif
