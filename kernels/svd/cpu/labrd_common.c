/* The tables of the kernel of the panels of the one-stage reduction to bidiagonal form. */
#include "kernels/svd/cpu/labrd.h"
#include "runtime/base/types.h"

extern const struct tw_labrd_kernels tw_cpu_slabrd, tw_cpu_dlabrd, tw_cpu_clabrd, tw_cpu_zlabrd;
const struct tw_labrd_kernels *const tw_labrd_kernels[TW_NTYPES] = {&tw_cpu_slabrd, &tw_cpu_dlabrd, &tw_cpu_clabrd,
                                                                    &tw_cpu_zlabrd};

size_t tw_labrd_work(enum tw_type type, int rows, int columns, int blocks)
{
    return ((size_t)blocks * (size_t)rows + 2 * (size_t)columns) * tw_sizeof(type);
}
