/* The tables of the kernel of Hessenberg panels. */
#include "kernels/eigen/cpu/lahr2.h"
#include "runtime/base/types.h"

extern const struct tw_lahr2_kernels tw_cpu_slahr2, tw_cpu_dlahr2, tw_cpu_clahr2, tw_cpu_zlahr2;
const struct tw_lahr2_kernels *const tw_lahr2_kernels[TW_NTYPES] = {&tw_cpu_slahr2, &tw_cpu_dlahr2, &tw_cpu_clahr2,
                                                                    &tw_cpu_zlahr2};

size_t tw_lahr2_work(enum tw_type type, int rows, int columns, int blocks)
{
    return ((size_t)blocks * (size_t)rows + 2 * (size_t)columns) * tw_sizeof(type);
}
