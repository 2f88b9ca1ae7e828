/* CUDA kernels of bulge chasing from a triangular band, one table per precision. */
#ifndef TW_KERNELS_SVD_CUDA_TB2BD_H
#define TW_KERNELS_SVD_CUDA_TB2BD_H
#include <stddef.h>
#include <stdint.h>
#include <tilework/runtime.h>
#include "runtime/machine/cuda.h"
#include "types/eigen/chase.h"

/* All steps of the sweeps of groups first … first + groups - 1 (at most TW_TB2BD_GROUPS), on a band in GPU memory as
 * kernels/svd/cpu/tb2bd.h has it, 2 <= b <= 128. */
enum { TW_TB2BD_GROUPS = 120 };
struct tw_tb2bd_sweeps {
    struct tw_chase_shape shape;
    int first, groups;
    void *a;
    int ld;
    void *d, *e;
    int64_t *info;             /* the smallest k for which d(k) or e(k) is not finite, or NULL */
    void *const *u, *const *v; /* the groups' left and right reflectors; NULL: not kept. The lists are on the host */
    int *progress;             /* 2 groups x depth + 1 numbers of workspace */
};
/* Enqueued on the worker's stream; 0 or a status that tw_cuda_status_text() explains. */
typedef int (*tw_tb2bd_cuda_fn)(const struct tw_cuda *q, const struct tw_tb2bd_sweeps *t);
extern const tw_tb2bd_cuda_fn tw_tb2bd_cuda[TW_NTYPES];
#endif
