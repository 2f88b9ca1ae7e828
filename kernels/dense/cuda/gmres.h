/* CUDA kernels of GMRES, and of the scalings and the scaled matrix before it: as kernels/dense/cpu/gmres.h and
 * dense_cpu_list.h have them, on arrays in GPU memory, enqueued on the worker's stream; 0 or a status that
 * tw_cuda_status_text() explains. They neither allocate nor wait. */
#ifndef TW_KERNELS_DENSE_CUDA_GMRES_H
#define TW_KERNELS_DENSE_CUDA_GMRES_H
#include <stddef.h>
#include <stdint.h>
#include <tilework/runtime.h>
#include "runtime/machine/cuda.h"
#include "types/dense/gmres.h"

struct tw_gmres_cuda_kernels {
    /* work: tw_gmres_cuda_work bytes */
    int (*begin)(const struct tw_cuda *q, const struct tw_gmres_block *b, void *work);
    /* *left becomes 0 if this is the first block column, and 1 if a column is not done. */
    int (*step)(const struct tw_cuda *q, const struct tw_gmres_block *b, int k, int first, double *left, void *work);
    int (*end)(const struct tw_cuda *q, const struct tw_gmres_block *b, void *work);
    int (*lag2_scaled)(const struct tw_cuda *q, char uplo, int m, int n, const void *a, int lda, const double *r,
                       const double *c, void *b, int ldb);
    int (*rsqrt_diagonal)(const struct tw_cuda *q, int n, const void *a, int lda, double *scale, int64_t *info,
                          int64_t offset);
    int (*rowmax)(const struct tw_cuda *q, int m, int n, const void *a, int lda, double *rows);
    int (*colmax_scaled)(const struct tw_cuda *q, int m, int n, const void *a, int lda, const double *rows,
                         double *cols);
    /* Of the doubles in parts, one column: out and *info as the task reciprocals (codelets/dense/equilibrate.c) says.
     * radix: of powers of 2 in their places, as the CPUs' radix_powers. list: room on the device for parts->count of
     * its elements. */
    int (*reciprocals)(const struct tw_cuda *q, int radix, const struct tw_tiles *parts, double *out, int64_t *info,
                       int64_t offset, struct tw_tile_at *list);
};
extern const struct tw_gmres_cuda_kernels *const tw_gmres_cuda_kernels[TW_NTYPES];

/* The rows of a vector that a block of threads takes. */
enum { TW_GMRES_CHUNK = 1024 };
/* Of a block column of so many rows and columns in `count` tiles: their lists; what was found of each column. */
size_t tw_gmres_cuda_work(tw_int rows, int columns, int count);
#endif
