/* The table of the CUDA kernels of bulge chasing from a triangular band. */
#include "kernels/svd/cuda/tb2bd.h"

int tw_cuda_stb2bd(const struct tw_cuda *, const struct tw_tb2bd_sweeps *);
int tw_cuda_dtb2bd(const struct tw_cuda *, const struct tw_tb2bd_sweeps *);
int tw_cuda_ctb2bd(const struct tw_cuda *, const struct tw_tb2bd_sweeps *);
int tw_cuda_ztb2bd(const struct tw_cuda *, const struct tw_tb2bd_sweeps *);
const tw_tb2bd_cuda_fn tw_tb2bd_cuda[TW_NTYPES] = {tw_cuda_stb2bd, tw_cuda_dtb2bd, tw_cuda_ctb2bd, tw_cuda_ztb2bd};
