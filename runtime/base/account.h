/* What routines and kernels tell of themselves, for reports: whose routines they called, and what was found on the way.
 * Kept until the next tw_counters_reset. */
#ifndef TW_RUNTIME_BASE_ACCOUNT_H
#define TW_RUNTIME_BASE_ACCOUNT_H
#include <stdint.h>

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */
/* Another library's routine that factors or solves is called for a problem of this order; "stedc" is LAPACK's,
 * "cusolver_getrf" cuSOLVER's. The name stays where it is. Products and single reflectors do not count. */
void tw_account_vendor(const char *routine, int64_t order);
/* A number about what runs, such as how many sub-diagonals its band has: the latest of its name counts. */
void tw_account_figure(const char *name, double value);
void tw_account_clear(void);
#pragma GCC visibility pop
#endif
