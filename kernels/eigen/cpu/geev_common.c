/* The tables of the kernels of general eigenvalue problems. */
#include "kernels/eigen/cpu/geev.h"

extern const struct tw_geev_kernels tw_cpu_sgeev, tw_cpu_dgeev, tw_cpu_cgeev, tw_cpu_zgeev;
const struct tw_geev_kernels *const tw_geev_kernels[TW_NTYPES] = {&tw_cpu_sgeev, &tw_cpu_dgeev, &tw_cpu_cgeev,
                                                                  &tw_cpu_zgeev};
