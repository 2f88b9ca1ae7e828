/* CPU kernels: what one task computes, as plain functions on plain column-major arrays, one table per precision.
 *
 * Letters are LAPACK's. Scalars of any type come as tw_scalar. No StarPU, no global state; the caller has set BLAS to
 * one thread. Elements outside the stated triangle are neither read nor written. */
#ifndef TW_KERNELS_DENSE_CPU_DENSE_CPU_H
#define TW_KERNELS_DENSE_CPU_DENSE_CPU_H
#include <stdint.h>
#include <tilework/runtime.h>
#include "runtime/base/parts.h"
#include "types/dense/pivot_stop.h"
#include "types/dense/structure.h"
#include "types/dense/tiles.h"

#define TW_INVERSE_MIN 8 /* smallest order of potrf_inverse whose condition is known */

/* Members: kernels/dense/cpu/dense_cpu_list.h. */
struct tw_cpu_kernels {
#define TW_KERNEL(type, name, ...) type (*name)(__VA_ARGS__);
#include "kernels/dense/cpu/dense_cpu_list.h"
#undef TW_KERNEL
};

extern const struct tw_cpu_kernels *const tw_cpu_kernels[TW_NTYPES];
#endif
