/* The index arithmetic of the FFT family's CUDA kernels, compiled for the host too, where the tests run every thread of
 * a grid through it. */
#ifndef TW_KERNELS_FFT_CUDA_INDEX_H
#define TW_KERNELS_FFT_CUDA_INDEX_H
#include <stdint.h>

#ifdef __CUDACC__
#define TW_HOST_DEVICE static __host__ __device__ __forceinline__
#else
#define TW_HOST_DEVICE static inline
#endif

/* Transposing store of an n x w array (rows i, columns j) into w x n: blocks of 32 x 8 threads move tiles of 32 x 32
 * through shared memory, each thread 4 elements of it. Both sides touch consecutive addresses. */
enum { TW_FFT_TILE = 32, TW_FFT_TILE_ROWS = 8 };

struct tw_fft_at {
    int64_t i, j;
    int row, column; /* within the shared tile */
};
TW_HOST_DEVICE struct tw_fft_at tw_fft_tile_load(int64_t bi, int64_t bj, int tx, int ty, int step)
{
    struct tw_fft_at a;
    a.row = ty + step;
    a.column = tx;
    a.i = bi * TW_FFT_TILE + a.row;
    a.j = bj * TW_FFT_TILE + a.column;
    return a;
}
TW_HOST_DEVICE struct tw_fft_at tw_fft_tile_store(int64_t bi, int64_t bj, int tx, int ty, int step)
{
    struct tw_fft_at a;
    a.row = tx;
    a.column = ty + step;
    a.i = bi * TW_FFT_TILE + a.row;
    a.j = bj * TW_FFT_TILE + a.column;
    return a;
}
/* Which root of unity of order n element (i, j) is multiplied by; i, j < 2^31. */
TW_HOST_DEVICE int64_t tw_fft_root_index(int64_t i, int64_t j, int64_t n)
{
    return (n & (n - 1)) == 0 ? i * j & (n - 1) : i * j % n; /* a 64-bit division takes longer than all the rest */
}
#endif
