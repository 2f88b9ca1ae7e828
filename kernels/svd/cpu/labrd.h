/* CPU kernel of the one-stage reduction to bidiagonal form, one table per precision. */
#ifndef TW_KERNELS_SVD_CPU_LABRD_H
#define TW_KERNELS_SVD_CPU_LABRD_H
#include <stddef.h>
#include <tilework/runtime.h>
#include "runtime/base/parts.h"
#include "types/svd/labrd.h"

struct tw_labrd_kernels {
    /* A panel; team: its helpers, or NULL. The same bits with any. work: tw_labrd_work bytes. */
    void (*panel)(const struct tw_labrd *p, struct tw_team *team, void *work);
};
extern const struct tw_labrd_kernels *const tw_labrd_kernels[TW_NTYPES];
size_t tw_labrd_work(enum tw_type type, int rows, int columns, int blocks);
#endif
