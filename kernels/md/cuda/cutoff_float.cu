/* Localized interactions in float. */
#include <cub/device/device_radix_sort.cuh>

#include <utility>

typedef float T;
#include "kernels/ptx.cuh"
#include "kernels/md/cuda/cutoff_local.cuh"
#include "kernels/md/cuda/cutoff_sort.cuh"
#include "kernels/md/cuda/cutoff_list.cuh"
#include "kernels/md/cuda/cutoff_pairs.cuh"
#include "kernels/md/cuda/cutoff_force.cuh"
#include "kernels/md/cuda/cutoff_move.cuh"
#include "kernels/md/cuda/cutoff_segment.cuh"

extern "C" int tw_cut_cuda_segment_float(const tw_cuda *cuda, const tw_cut *c, int iterations);
extern "C" int tw_cut_cuda_segment_float(const tw_cuda *cuda, const tw_cut *c, int iterations)
{
    return tw_cuda_status(TW_LIBRARY_CUDA, TW_FLOAT, TW_CALL_cutoff,
                          (int)segment((cudaStream_t)cuda->stream, *c, iterations));
}
