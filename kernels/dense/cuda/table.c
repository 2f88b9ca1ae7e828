/* The CUDA kernels of one precision. */
#include "kernels/dense/cuda/typed_cuda.h"

extern const struct tw_cuda_kernels TW_NAME(tw_cuda_table_, );

const struct tw_cuda_kernels TW_NAME(tw_cuda_table_, ) = {
    .potrf = CUDA(potrf),
    .potrf_work = CUDA(potrf_work),
    .potrf_inverse = CUDA(potrf_inverse),
    .potrf_inverse_work = CUDA(potrf_inverse_work),
    .trsm_inverse = CUDA(trsm_inverse),
    .gemm = CUDA(gemm),
    .syrk = CUDA(syrk),
    .herk = CUDA(herk),
    .trsm = CUDA(trsm),
    .trmm = CUDA(trmm),
    .trtri = CUDA(trtri),
    .lauum = CUDA(lauum),
    .trdiag = CUDA(trdiag),
    .lacpy = CUDA(lacpy),
    .laset = CUDA(laset),
    .normmax = CUDA(normmax),
    .normsum = CUDA(normsum),
    .normfro = CUDA(normfro),
};
