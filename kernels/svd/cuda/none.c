/* A build without CUDA: in place of the room's other files, so that codelets are the same in both. No worker drives a
 * GPU then, so that nothing looks into the tables. */
#include "kernels/svd/cuda/labrd.h"
#include "kernels/svd/cuda/lasd_cuda.h"
#include "kernels/svd/cuda/tb2bd.h"

const struct tw_cuda_lasd_kernels tw_cuda_slasd = {0}, tw_cuda_dlasd = {0};
const tw_labrd_cuda_fn tw_labrd_cuda[TW_NTYPES] = {NULL};
const tw_tb2bd_cuda_fn tw_tb2bd_cuda[TW_NTYPES] = {NULL};

size_t tw_labrd_cuda_work(enum tw_type type, int rows, int across, int columns)
{
    (void)type, (void)rows, (void)across, (void)columns;
    return 0;
}
