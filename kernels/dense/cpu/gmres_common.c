/* The tables of GMRES' kernels. */
#include "kernels/dense/cpu/gmres.h"
#include "runtime/base/types.h"

extern const struct tw_gmres_kernels tw_cpu_sgmres, tw_cpu_dgmres, tw_cpu_cgmres, tw_cpu_zgmres;
const struct tw_gmres_kernels *const tw_gmres_kernels[TW_NTYPES] = {&tw_cpu_sgmres, &tw_cpu_dgmres, &tw_cpu_cgmres,
                                                                    &tw_cpu_zgmres};
