/* CUDA kernels of the way back through bulge chasing, one table per precision: as kernels/eigen/cpu/diamond.h, on
 * arrays in GPU memory, enqueued on the worker's stream. Functions return 0 or a status that tw_cuda_status_text()
 * explains. */
#ifndef TW_KERNELS_EIGEN_CUDA_DIAMOND_H
#define TW_KERNELS_EIGEN_CUDA_DIAMOND_H
#include <stddef.h>
#include <tilework/runtime.h>
#include "runtime/machine/cuda.h"
#include "types/eigen/chase.h"

/* The reflectors of group S, in GPU memory. */
struct tw_chase_group {
    const void *v;
    int S;
};
struct tw_diamond_cuda {
    /* All diamonds of bundles first … first + count - 1, count x steps of the first bundle. work: width^2 x steps
     * elements. */
    int (*form)(const struct tw_cuda *q, const struct tw_chase_shape *c, int first, int count,
                const struct tw_chase_group *group, int groups, void *to, void *work);
    /* Z = (product of these bundles) Z for `columns` columns of all n rows. work: count x width x columns elements. */
    int (*apply)(const struct tw_cuda *q, const struct tw_chase_shape *c, int first, int count, const void *diamonds,
                 int columns, void *z, int ldz, void *work);
};
extern const struct tw_diamond_cuda *const tw_diamond_cuda[TW_NTYPES];
#endif
