/* The table of the CUDA kernel of a panel of the one-stage reduction, and its workspace. */
#include "kernels/eigen/cuda/latrd.h"
#include "runtime/base/types.h"

int tw_cuda_slatrd(const struct tw_cuda *, const struct tw_latrd *, void *),
    tw_cuda_dlatrd(const struct tw_cuda *, const struct tw_latrd *, void *),
    tw_cuda_clatrd(const struct tw_cuda *, const struct tw_latrd *, void *),
    tw_cuda_zlatrd(const struct tw_cuda *, const struct tw_latrd *, void *);
const tw_latrd_cuda_fn tw_latrd_cuda[TW_NTYPES] = {tw_cuda_slatrd, tw_cuda_dlatrd, tw_cuda_clatrd, tw_cuda_zlatrd};

size_t tw_latrd_cuda_work(enum tw_type type, int n, int columns, int nb, int tiles)
{
    const struct tw_latrd_blocks b = tw_latrd_blocks(nb);
    const size_t rows = (size_t)n, slots = (size_t)tiles * (size_t)(b.across + b.down),
                 pieces = rows / TW_LATRD_THREADS + 2;

    return 1024 + (size_t)tiles * ((size_t)tiles + 1) / 2 * sizeof(struct tw_tile_at) + pieces * sizeof(double) +
           (rows * (2 + slots) + pieces * (1 + 2 * (size_t)columns) + 4) * tw_sizeof(type);
}
