/* The tables of the kernels of the ordered Schur form. */
#include "kernels/eigen/cpu/gees.h"

extern const struct tw_gees_kernels tw_cpu_sgees, tw_cpu_dgees, tw_cpu_cgees, tw_cpu_zgees;
const struct tw_gees_kernels *const tw_gees_kernels[TW_NTYPES] = {&tw_cpu_sgees, &tw_cpu_dgees, &tw_cpu_cgees,
                                                                  &tw_cpu_zgees};
