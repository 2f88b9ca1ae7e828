/* What rates the machine profile has. */
#ifndef TW_RUNTIME_MACHINE_RATE_H
#define TW_RUNTIME_MACHINE_RATE_H

/* Which rate of the machine profile the analytic cost model divides by. */
enum tw_rate {
    TW_RATE_GEMM,
    TW_RATE_SYRK,
    TW_RATE_TRSM,
    TW_RATE_TRMM,
    TW_RATE_POTRF,
    TW_RATE_TRI,
    TW_RATE_MEMORY,
    TW_NRATES
};
#endif
