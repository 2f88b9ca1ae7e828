/* CPU kernels of the one-stage reduction to tridiagonal form, one table per precision and instruction set. */
#ifndef TW_KERNELS_EIGEN_CPU_LATRD_H
#define TW_KERNELS_EIGEN_CPU_LATRD_H
#include <stddef.h>
#include <tilework/runtime.h>
#include "runtime/base/parts.h"
#include "types/eigen/latrd.h"

/* Rows that are one part of what goes over the panel's columns. */
enum { TW_LATRD_ROWS = 1024 };
/* A panel; team: its helpers, or NULL. The same bits with any. work: tw_latrd_work bytes. */
typedef void (*tw_latrd_fn)(const struct tw_latrd *p, struct tw_team *team, void *work);
tw_latrd_fn tw_latrd_kernel(enum tw_type type);
size_t tw_latrd_work(enum tw_type type, int n, int columns, int tiles);
#endif
