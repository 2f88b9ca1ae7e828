/* The table of the CUDA kernels of the copies around the one-stage reduction. */
#include "kernels/eigen/cuda/sytrd.h"

extern const struct tw_sytrd_cuda tw_cuda_ssytrd, tw_cuda_dsytrd, tw_cuda_csytrd, tw_cuda_zsytrd;
const struct tw_sytrd_cuda *const tw_sytrd_cuda[TW_NTYPES] = {&tw_cuda_ssytrd, &tw_cuda_dsytrd, &tw_cuda_csytrd,
                                                              &tw_cuda_zsytrd};
