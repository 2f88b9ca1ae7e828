/* The table of the CUDA kernel of the panels of the one-stage reduction to bidiagonal form, and its workspace. */
#include "kernels/svd/cuda/labrd.h"
#include "kernels/dense/cuda/one_stage.h"
#include "runtime/base/types.h"

int tw_cuda_slabrd(const struct tw_cuda *, const struct tw_labrd *, void *),
    tw_cuda_dlabrd(const struct tw_cuda *, const struct tw_labrd *, void *),
    tw_cuda_clabrd(const struct tw_cuda *, const struct tw_labrd *, void *),
    tw_cuda_zlabrd(const struct tw_cuda *, const struct tw_labrd *, void *);
const tw_labrd_cuda_fn tw_labrd_cuda[TW_NTYPES] = {tw_cuda_slabrd, tw_cuda_dlabrd, tw_cuda_clabrd, tw_cuda_zlabrd};

/* Sums of squares; a vector; parts of its products with two matrices, and with the matrix. There are at least as many
 * rows as columns. */
size_t tw_labrd_cuda_work(enum tw_type type, int rows, int across, int columns)
{
    const size_t strips = (size_t)rows / TW_STRIP_ROWS + 1, pieces = (size_t)rows / TW_STREAM_ROWS + 1;
    return 1024 + 3 * strips * sizeof(double) +
           ((size_t)rows + 2 * pieces * (size_t)columns + tw_stream_slots(rows, across)) * tw_sizeof(type);
}
