/* The CUDA kernel of a panel of the one-stage reduction, one per precision: as kernels/eigen/cpu/latrd.h, on arrays in
 * GPU memory, enqueued on the worker's stream; 0 or a status that tw_cuda_status_text() explains. */
#ifndef TW_KERNELS_EIGEN_CUDA_LATRD_H
#define TW_KERNELS_EIGEN_CUDA_LATRD_H
#include <stddef.h>
#include <tilework/runtime.h>
#include "runtime/machine/cuda.h"
#include "types/eigen/latrd.h"

/* A block of threads takes 256 rows x 128 columns of a tile. */
enum { TW_LATRD_ROWS_OF_BLOCK = 256, TW_LATRD_COLUMNS_OF_BLOCK = 128, TW_LATRD_THREADS = 128 };
struct tw_latrd_blocks {
    int down, across; /* of a tile of order nb */
};
static inline struct tw_latrd_blocks tw_latrd_blocks(int nb)
{
    struct tw_latrd_blocks b;
    b.down = (nb + TW_LATRD_ROWS_OF_BLOCK - 1) / TW_LATRD_ROWS_OF_BLOCK;
    b.across = (nb + TW_LATRD_COLUMNS_OF_BLOCK - 1) / TW_LATRD_COLUMNS_OF_BLOCK;
    return b;
}
/* work: tw_latrd_cuda_work bytes. */
typedef int (*tw_latrd_cuda_fn)(const struct tw_cuda *q, const struct tw_latrd *p, void *work);
extern const tw_latrd_cuda_fn tw_latrd_cuda[TW_NTYPES];
size_t tw_latrd_cuda_work(enum tw_type type, int n, int columns, int nb, int tiles);
#endif
