/* The CUDA kernels of one precision. */
#include "kernels/dense/cuda/typed_cuda.h"

extern const struct tw_cuda_kernels TW_NAME(tw_cuda_table_, );

const struct tw_cuda_kernels TW_NAME(tw_cuda_table_, ) = {
#define TW_KERNEL(name, ...) .name = CUDA(name),
#include "kernels/dense/cuda/dense_cuda_list.h"
#undef TW_KERNEL
};
