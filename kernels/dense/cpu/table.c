/* The CPU kernels of one precision. */
#include "kernels/dense/cpu/typed.h"

extern const struct tw_cpu_kernels TW_NAME(tw_cpu_table_, );

const struct tw_cpu_kernels TW_NAME(tw_cpu_table_, ) = {
#define TW_KERNEL(type, name, ...) .name = CPU(name),
#include "kernels/dense/cpu/dense_cpu_list.h"
#undef TW_KERNEL
};
