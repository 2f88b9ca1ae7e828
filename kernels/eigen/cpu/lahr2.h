/* CPU kernel of the reduction to Hessenberg form, one table per precision. */
#ifndef TW_KERNELS_EIGEN_CPU_LAHR2_H
#define TW_KERNELS_EIGEN_CPU_LAHR2_H
#include <stddef.h>
#include <tilework/runtime.h>
#include "runtime/base/parts.h"
#include "types/eigen/lahr2.h"

struct tw_lahr2_kernels {
    /* A panel; team: its helpers, or NULL. The same bits with any. work: tw_lahr2_work bytes. */
    void (*panel)(const struct tw_lahr2 *p, struct tw_team *team, void *work);
};
extern const struct tw_lahr2_kernels *const tw_lahr2_kernels[TW_NTYPES];
size_t tw_lahr2_work(enum tw_type type, int rows, int columns, int blocks);
#endif
