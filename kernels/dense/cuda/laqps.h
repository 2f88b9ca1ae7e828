/* How a block of QR with column exchanges cuts its work on a GPU (laqps.cu), and the workspace that this takes. */
#ifndef TW_KERNELS_DENSE_CUDA_LAQPS_H
#define TW_KERNELS_DENSE_CUDA_LAQPS_H
#include <stddef.h>
#include "kernels/dense/cuda/one_stage.h"
#include "types/dense/tiles.h"

enum {
    TW_LAQPS_PIECE = 1024, /* rows of a tile that a block of threads takes, at most */
    TW_LAQPS_FEW = 256,    /* norms to be summed up at once, each by many blocks; more: by one block each */
    TW_LAQPS_PAIRS = 16,   /* columns of a product come in so many */
};
/* Pieces of all rows, in tiles of mb rows. */
TW_BOTH int tw_laqps_pieces(int mb)
{
    return tw_pieces(mb, TW_LAQPS_PIECE);
}
/* A product with so many columns, one of its blocks: so many that there are about TW_STREAM_BLOCKS blocks, whatever the
 * GPU. */
TW_BOTH int tw_laqps_across(int columns, int down)
{
    const long long each = ((long long)columns * down + TW_STREAM_BLOCKS - 1) / TW_STREAM_BLOCKS;
    return (int)((each + TW_LAQPS_PAIRS - 1) / TW_LAQPS_PAIRS * TW_LAQPS_PAIRS);
}

/* Bytes for m x n elements in mt x nt tiles of mb rows: the list of tiles; columns whose norm is to be summed up, their
 * number and three more; sums of squares of a column, and of those columns; a column; the product's parts. */
static inline size_t tw_laqps_cuda_work(size_t element, int m, int n, int mt, int nt, int mb)
{
    const size_t strips = (size_t)tw_pieces(m, TW_STRIP_ROWS), columns = (size_t)n,
                 down = (size_t)mt * (size_t)tw_laqps_pieces(mb);
    return 1024 + (size_t)mt * (size_t)nt * sizeof(struct tw_tile_at) + (columns + 4) * sizeof(int) +
           3 * strips * (1 + (size_t)TW_LAQPS_FEW) * sizeof(double) + (columns * down + (size_t)m) * element;
}
#endif
