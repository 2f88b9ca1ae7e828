/* Panels of a few columns by kernels whose blocks run together: lu_panel.cu, qr_panel.cu. getrf.cu and geqrf.cu make
 * whole block columns of them. */
#ifndef TW_KERNELS_DENSE_CUDA_PANEL_H
#define TW_KERNELS_DENSE_CUDA_PANEL_H
#include "kernels/dense/cuda/typed_cuda.h"

#define TW_PANEL_WIDEST 32  /* columns in registers */
#define TW_LU_SHARES    4   /* LU: so many times as many in a launch, one share after the other */
#define TW_PANEL_BLOCKS 160 /* more multiprocessors than that are not used */
#define TW_PANEL_STEP   64  /* messages of a block in a step, at most */

/* Memory that blocks talk through: zeros before the first launch of a series on one stream. */
#define TW_PANEL_TALK_BYTES ((size_t)2 * TW_PANEL_BLOCKS * TW_PANEL_STEP * 16)
/* tag: of the next message. */
struct tw_panel_talk {
    void *memory;
    unsigned tag;
};

#ifdef __cplusplus
extern "C" {
#endif
/* Multiprocessors whose blocks can wait for each other; 0 where a device has no cooperative launches, or too little
 * shared memory. */
int CUDA(panel_blocks)(void);

/* Columns of one panel of m rows; 0: none, there are too many rows for `blocks`. */
int CUDA(lu_panel_width)(int m, int blocks);
/* LU of m x n columns of A, n at most m and the width, row 0 being row `first` of what pivots are counted in (from 1):
 * ipiv gets n. Their exchanges go through `count` columns `all` from the same row on, of the same leading dimension,
 * A's among them. moves: 2 n ints of workspace. */
int CUDA(lu_panel)(const struct tw_cuda *q, int m, int n, T *a, int lda, int first, int32_t *ipiv, int *moves,
                   int count, T *all, int blocks, struct tw_panel_talk *talk);
/* B = L^-1 B, L unit lower, n1 x n1, n1 at most TW_LU_SOLVE. */
#define TW_LU_SOLVE 128
int CUDA(lu_solve)(const struct tw_cuda *q, int n1, int n2, const T *l, int ldl, T *b, int ldb);

int CUDA(qr_panel_width)(int m, int blocks);
/* QR of the columns of A from row `first` down, m rows of them, n columns (n at most the width). A keeps V with its
 * ones and zeros, and zeros in the rows above; all of R, first + min(m, n) rows, goes to r (its first row is A's). tau;
 * t gets the triangle T, zeros below. */
int CUDA(qr_panel)(const struct tw_cuda *q, int first, int m, int n, T *a, int lda, T *r, int ldr, T *tau, T *t,
                   int ldt, int blocks, struct tw_panel_talk *talk);
#ifdef __cplusplus
}
#endif
#endif
