/* The table of the CUDA kernel of Hessenberg panels, and its workspace. */
#include "kernels/eigen/cuda/lahr2.h"
#include "kernels/dense/cuda/one_stage.h"
#include "runtime/base/types.h"

int tw_cuda_slahr2(const struct tw_cuda *, const struct tw_lahr2 *, void *),
    tw_cuda_dlahr2(const struct tw_cuda *, const struct tw_lahr2 *, void *),
    tw_cuda_clahr2(const struct tw_cuda *, const struct tw_lahr2 *, void *),
    tw_cuda_zlahr2(const struct tw_cuda *, const struct tw_lahr2 *, void *);
const tw_lahr2_cuda_fn tw_lahr2_cuda[TW_NTYPES] = {tw_cuda_slahr2, tw_cuda_dlahr2, tw_cuda_clahr2, tw_cuda_zlahr2};

/* Sums of squares; a column; parts of two products with V; parts of the product with the matrix, or, later, what of Y
 * lies above V, before T. */
size_t tw_lahr2_cuda_work(enum tw_type type, int rows, int above, int columns)
{
    const size_t strips = (size_t)rows / TW_STRIP_ROWS + 1, pieces = (size_t)rows / TW_STREAM_ROWS + 1,
                 product = tw_stream_slots(rows, rows), top = (size_t)above * (size_t)columns;
    return 1024 + 3 * strips * sizeof(double) +
           ((size_t)rows + (strips + pieces) * (size_t)columns + (product > top ? product : top)) * tw_sizeof(type);
}
