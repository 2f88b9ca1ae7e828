/* The CPU kernels of one precision. */
#include "kernels/dense/cpu/typed.h"

extern const struct tw_cpu_kernels TW_NAME(tw_cpu_table_, );

const struct tw_cpu_kernels TW_NAME(tw_cpu_table_, ) = {
    .potrf = CPU(potrf),
    .potrf_inverse = CPU(potrf_inverse),
    .gemm = CPU(gemm),
    .syrk = CPU(syrk),
    .herk = CPU(herk),
    .trsm = CPU(trsm),
    .trmm = CPU(trmm),
    .trtri = CPU(trtri),
    .lauum = CPU(lauum),
    .trdiag = CPU(trdiag),
    .lacpy = CPU(lacpy),
    .laset = CPU(laset),
    .normmax = CPU(normmax),
    .normsum = CPU(normsum),
    .normfro = CPU(normfro),
};
