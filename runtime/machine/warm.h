/* CUDA loads a kernel when it is first called: 35 ms for a first trsm, 60 ms for the first Cholesky factorization. So
 * every kernel of the dense routines is called once on each GPU before the first task. */
#ifndef TW_RUNTIME_MACHINE_WARM_H
#define TW_RUNTIME_MACHINE_WARM_H
#include <stddef.h>
#include "runtime/machine/cuda.h"
#include "runtime/base/types.h"

/* codelets/dense/warm.c registers the list of kernels. `bytes`: device memory for `run`, which enqueues them all; with
 * full = 0 only what each stream needs for itself, in as much memory. run returns 0 or a kernel's status. */
struct tw_warm_list {
    size_t (*bytes)(enum tw_type type, int full);
    int (*run)(const struct tw_cuda *cuda, enum tw_type type, int full, void *memory);
};
void tw_warm_register(const struct tw_warm_list *list);
void tw_warm_list_register(void); /* codelets/dense/warm.c's, called at load time */
/* Make the GPUs ready for tasks of this type: does something once per type and start, and nothing without GPUs. A
 * failure is logged only: the same kernels fail, or work, in tasks. Not to be called from tasks. */
void tw_warm(enum tw_type type);
#endif
