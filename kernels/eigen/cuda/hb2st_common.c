/* The table of the CUDA kernels of bulge chasing. */
#include "kernels/eigen/cuda/hb2st.h"

int tw_cuda_shb2st(const struct tw_cuda *, const struct tw_hb2st_sweeps *);
int tw_cuda_dhb2st(const struct tw_cuda *, const struct tw_hb2st_sweeps *);
int tw_cuda_chb2st(const struct tw_cuda *, const struct tw_hb2st_sweeps *);
int tw_cuda_zhb2st(const struct tw_cuda *, const struct tw_hb2st_sweeps *);
const tw_hb2st_cuda_fn tw_hb2st_cuda[TW_NTYPES] = {tw_cuda_shb2st, tw_cuda_dhb2st, tw_cuda_chb2st, tw_cuda_zhb2st};
