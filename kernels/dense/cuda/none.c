/* A build without CUDA: in place of the room's other files, so that codelets are the same in both. No worker drives a
 * GPU then, so that nobody looks into the table. */
#include "kernels/dense/cuda/dense_cuda.h"

const struct tw_cuda_kernels *const tw_cuda_kernels[TW_NTYPES] = {NULL};

const char *tw_cuda_status_text(int status)
{
    return status ? "this build has no CUDA" : "success";
}
