/* The table of the CUDA kernels of diamonds. */
#include "kernels/eigen/cuda/diamond.h"

extern const struct tw_diamond_cuda tw_cuda_sdiamond, tw_cuda_ddiamond, tw_cuda_cdiamond, tw_cuda_zdiamond;
const struct tw_diamond_cuda *const tw_diamond_cuda[TW_NTYPES] = {&tw_cuda_sdiamond, &tw_cuda_ddiamond,
                                                                  &tw_cuda_cdiamond, &tw_cuda_zdiamond};
