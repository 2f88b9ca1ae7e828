/* Localized interactions: which precision. */
#include <cuda_runtime.h>

#include "kernels/md/cuda/md_cuda.h"

extern "C" int tw_cut_cuda_segment_float(const tw_cuda *cuda, const tw_cut *c, int iterations);
extern "C" int tw_cut_cuda_segment_double(const tw_cuda *cuda, const tw_cut *c, int iterations);

/* CUB sorts into a second copy of keys and values, and keeps counts of digits for each of its blocks: 1 KiB for some
 * thousand keys. */
extern "C" size_t tw_cut_cuda_temp(int n)
{
    return (size_t)n * 16 + ((size_t)16 << 20);
}

extern "C" int tw_cut_cuda_segment(const struct tw_cuda *cuda, enum tw_type type, const struct tw_cut *c,
                                   int iterations)
{
    return type == TW_FLOAT ? tw_cut_cuda_segment_float(cuda, c, iterations)
                            : tw_cut_cuda_segment_double(cuda, c, iterations);
}
