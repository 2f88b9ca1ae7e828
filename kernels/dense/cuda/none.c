/* A build without CUDA: in place of the room's other files, so that codelets are the same in both. No worker drives a
 * GPU then, so that nothing looks into the tables. */
#include "kernels/dense/cuda/dense_cuda.h"
#include "kernels/dense/cuda/gmres.h"

const struct tw_cuda_kernels *const tw_cuda_kernels[TW_NTYPES] = {NULL};

const struct tw_gmres_cuda_kernels *const tw_gmres_cuda_kernels[TW_NTYPES] = {NULL};

size_t tw_gmres_cuda_work(tw_int rows, int columns, int count)
{
    (void)rows, (void)columns, (void)count;
    return 0;
}

const char *tw_cuda_status_text(int status)
{
    return status ? "this build has no CUDA" : "success";
}
