/* The four tables, in the order of enum tw_type. Compiled once. */
#include "kernels/dense/cpu/dense_cpu.h"

extern const struct tw_cpu_kernels tw_cpu_table_s, tw_cpu_table_d, tw_cpu_table_c, tw_cpu_table_z;

const struct tw_cpu_kernels *const tw_cpu_kernels[TW_NTYPES] = {
    [TW_FLOAT] = &tw_cpu_table_s,
    [TW_DOUBLE] = &tw_cpu_table_d,
    [TW_COMPLEX_FLOAT] = &tw_cpu_table_c,
    [TW_COMPLEX_DOUBLE] = &tw_cpu_table_z,
};
