/* The four tables, in the order of enum tw_type. Compiled once. */
#include "kernels/dense/cuda/dense_cuda.h"

extern const struct tw_cuda_kernels tw_cuda_table_s, tw_cuda_table_d, tw_cuda_table_c, tw_cuda_table_z;

const struct tw_cuda_kernels *const tw_cuda_kernels[TW_NTYPES] = {
    [TW_FLOAT] = &tw_cuda_table_s,
    [TW_DOUBLE] = &tw_cuda_table_d,
    [TW_COMPLEX_FLOAT] = &tw_cuda_table_c,
    [TW_COMPLEX_DOUBLE] = &tw_cuda_table_z,
};
