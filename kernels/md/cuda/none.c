/* A build without CUDA: in place of the room's other files, so that codelets are the same in both. No GPU is ever in
 * use then (tw_gpus), and so no task and no plan comes here; the sort needs no room. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "kernels/md/cuda/md_cuda.h"

enum { NO_CUDA = 1 };

size_t tw_cut_cuda_temp(int n)
{
    return 0;
}
int tw_cut_cuda_segment(const struct tw_cuda *cuda, enum tw_type type, const struct tw_cut *c, int iterations)
{
    return NO_CUDA;
}
