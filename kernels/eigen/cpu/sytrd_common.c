/* The table of the kernels of the copies around the one-stage reduction. */
#include "kernels/eigen/cpu/sytrd.h"

extern const struct tw_sytrd_kernels tw_cpu_ssytrd, tw_cpu_dsytrd, tw_cpu_csytrd, tw_cpu_zsytrd;
const struct tw_sytrd_kernels *const tw_sytrd_kernels[TW_NTYPES] = {&tw_cpu_ssytrd, &tw_cpu_dsytrd, &tw_cpu_csytrd,
                                                                    &tw_cpu_zsytrd};
