/* CUDA kernels of bulge chasing, one table per precision. */
#ifndef TW_KERNELS_EIGEN_CUDA_HB2ST_H
#define TW_KERNELS_EIGEN_CUDA_HB2ST_H
#include <stddef.h>
#include <stdint.h>
#include <tilework/runtime.h>
#include "runtime/machine/cuda.h"
#include "types/eigen/chase.h"

/* All steps of the sweeps of groups first … first + groups - 1 (at most TW_CHASE_GROUPS), on a band in GPU memory as
 * kernels/eigen/cpu/hb2st.h has it, 2 <= b <= TW_CHASE_B. */
enum { TW_CHASE_GROUPS = 256, TW_CHASE_B = 128 };
struct tw_hb2st_sweeps {
    struct tw_chase_shape shape;
    int first, groups;
    void *a;
    int ld;
    void *d, *e;
    int64_t *info;  /* the smallest k for which d(k) or e(k) is not finite, or NULL */
    void *const *v; /* the groups' reflectors; NULL: not kept. The list is on the host */
    int *progress;  /* 2 x groups x depth + 1 numbers of workspace */
};
/* Enqueued on the worker's stream; 0 or a status that tw_cuda_status_text() explains. */
typedef int (*tw_hb2st_cuda_fn)(const struct tw_cuda *q, const struct tw_hb2st_sweeps *t);
extern const tw_hb2st_cuda_fn tw_hb2st_cuda[TW_NTYPES];
#endif
