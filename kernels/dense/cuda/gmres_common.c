/* The tables of GMRES' CUDA kernels, and their workspace. */
#include "kernels/dense/cuda/gmres.h"

extern const struct tw_gmres_cuda_kernels tw_cuda_sgmres, tw_cuda_dgmres, tw_cuda_cgmres, tw_cuda_zgmres;
const struct tw_gmres_cuda_kernels *const tw_gmres_cuda_kernels[TW_NTYPES] = {&tw_cuda_sgmres, &tw_cuda_dgmres,
                                                                              &tw_cuda_cgmres, &tw_cuda_zgmres};

size_t tw_gmres_cuda_work(tw_int rows, int columns, int count)
{
    const size_t chunks = ((size_t)rows + TW_GMRES_CHUNK - 1) / TW_GMRES_CHUNK;
    return 512 + 3 * (size_t)count * sizeof(struct tw_tile_at) +
           (size_t)columns * (sizeof(double) + (chunks + 1) * (TW_GMRES_MOST + 1) * sizeof(struct tw_gmres_number));
}
