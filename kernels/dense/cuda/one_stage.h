/* How the panels of one-stage reductions (to Hessenberg and to bidiagonal form) cut their work on a GPU: for the
 * kernels, and for what reserves their workspace. */
#ifndef TW_KERNELS_DENSE_CUDA_ONE_STAGE_H
#define TW_KERNELS_DENSE_CUDA_ONE_STAGE_H
#include <stddef.h>

#ifdef __CUDACC__
#define TW_BOTH static __host__ __device__ __forceinline__
#else
#define TW_BOTH static inline
#endif

enum {
    TW_PANEL_MOST = 64,   /* columns of a panel, at most */
    TW_STREAM_ROWS = 256, /* of a block of a product with the matrix */
    /* of them there are about so many: several for each multiprocessor, on every GPU the same, so that sums are */
    TW_STREAM_BLOCKS = 1024,
    TW_STREAM_LEAST = 8, /* columns of one */
    TW_DOTS_PARTS = 4,   /* blocks that share the products of 256 rows with the panel's columns */
    TW_STRIP_ROWS = 64,  /* of a block of what goes row by row */
};

/* The product with rows row ... row + rows - 1 of so many columns: its blocks begin at multiples of 256 rows of the
 * matrix, where lines of memory do. */
struct tw_stream_cut {
    int first, down;   /* blocks of rows */
    int across, count; /* columns of a block; how many blocks for them */
};
TW_BOTH int tw_pieces(int rows, int each)
{
    return (rows + each - 1) / each;
}
TW_BOTH struct tw_stream_cut tw_stream_cut(int row, int rows, int columns)
{
    struct tw_stream_cut c;
    long long across;

    c.first = row / TW_STREAM_ROWS;
    c.down = (row + rows - 1) / TW_STREAM_ROWS - c.first + 1;
    across = ((long long)columns * c.down + TW_STREAM_BLOCKS - 1) / TW_STREAM_BLOCKS;
    across = (across + TW_STREAM_LEAST - 1) / TW_STREAM_LEAST * TW_STREAM_LEAST;
    c.across = across < columns ? (int)across : columns;
    c.count = tw_pieces(columns, c.across);
    return c;
}

/* Elements of the parts of a product: a number for each row and block of columns, or, of the adjoint, for each column
 * and block of rows. A panel's part of the matrix shrinks by 64 rows at most, and its cut with it: rows of the panel
 * times blocks of columns of the last product are below twice what all blocks have. More rows or columns never need
 * less. */
static inline size_t tw_stream_slots(int rows, int columns)
{
    const size_t m = (size_t)rows, n = (size_t)columns, few = m * (n / TW_STREAM_LEAST + 2),
                 many = 2 * (size_t)TW_STREAM_BLOCKS * TW_STREAM_ROWS + m, plain = few < many ? few : many,
                 adjoint = n * (m / TW_STREAM_ROWS + 2);
    return plain > adjoint ? plain : adjoint;
}
#endif
