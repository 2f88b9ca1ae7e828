/* The tables of the kernels. */
#include "kernels/svd/cpu/svd_cpu.h"

extern const struct tw_svd_kernels tw_cpu_ssvd, tw_cpu_dsvd, tw_cpu_csvd, tw_cpu_zsvd;
const struct tw_svd_kernels *const tw_svd_kernels[TW_NTYPES] = {&tw_cpu_ssvd, &tw_cpu_dsvd, &tw_cpu_csvd, &tw_cpu_zsvd};
