/* CUDA kernels of the FFT family: cuFFT for the transforms, our own kernels for what lies between them. All is enqueued
 * on the worker's stream: nothing here allocates, synchronises or uses the default stream, but the functions that make
 * plans, which run outside of tasks. Every function returns 0, or 1 with this thread's last message set; those that
 * make plans also TW_FFT_ASKS (cache.h). */
#ifndef TW_KERNELS_FFT_CUDA_FFT_CUDA_H
#define TW_KERNELS_FFT_CUDA_FFT_CUDA_H
#include <tilework/fft.h>
#include "types/fft/transforms.h"
#include "kernels/fft/cuda/cache.h"

#ifdef __cplusplus
extern "C" {
#endif
struct tw_buffer;

/* Transforms of length n along the columns of w columns. in: nin blocks one below another. out: nout blocks one below
 * another, or, transposed, side by side with element (j, i) multiplied by exp(sign 2 pi i (first + j) i / roots) if
 * roots > 0. out == in is allowed when not transposed. work: what tw_fft_cuda_columns_plan said. */
struct tw_fft_cuda_columns {
    int single, sign, transposed, nin, nout;
    tw_int n, w, roots, first;
    double scale;
    const struct tw_buffer *in, *out;
};
int tw_fft_cuda_columns(const struct tw_fft_gpu *q, const struct tw_fft_cuda_columns *c, void *work, size_t bytes);
/* On a worker, outside of tasks: make its plan (if it has none) and say how many bytes of workspace a task needs. ld:
 * elements from one row to the next of the one block that is transformed in place; 0: the rows of blocks have no
 * gaps. */
int tw_fft_cuda_columns_plan(int single, tw_int n, tw_int w, tw_int ld, size_t *bytes, const struct tw_fft_gpu *q);

/* Transforms of whole rows (of rank 1 to 3): `rows` rows of m_in and m_out elements, in blocks side by side. */
struct tw_fft_cuda_rows {
    int single, sign, rank, nin, nout;
    enum tw_fft_kind kind;
    enum tw_fft_r2r r2r[3]; /* real to real: rows without gaps, one block */
    tw_int n[3], rows, m_in, m_out, pad_in, pad_out, scaled;
    double scale;
    const struct tw_buffer *in, *out;
};
int tw_fft_cuda_rows(const struct tw_fft_gpu *q, const struct tw_fft_cuda_rows *r, void *work, size_t bytes);
int tw_fft_cuda_rows_plan(const struct tw_fft_cuda_rows *r, size_t *bytes, const struct tw_fft_gpu *q);

/* A whole transform, or a batch of them, on arrays of the GPU. Complex and half-complex: is[d - 1] is a multiple of
 * is[d], os likewise; batch, idist, odist are the loop. Real to real: any strides, `loop` instead. */
struct tw_fft_cuda_many {
    int single, sign, rank, in_place;
    enum tw_fft_kind kind;
    enum tw_fft_r2r r2r[3];
    int nloops;
    tw_fft_dim loop[3];
    const void *from, *to; /* when planning: the arrays; NULL: any that StarPU allocates */
    tw_int n[3], is[3], os[3], idist, odist, batch;
    size_t in_bytes, out_bytes; /* that the arrays span */
    int dense; /* out has no gaps; otherwise neighbours along its last dimension lie side by side if scale is not 1 */
    double scale;
};
int tw_fft_cuda_many(const struct tw_fft_gpu *q, const struct tw_fft_cuda_many *w, const void *in, void *out,
                     void *work, size_t bytes);
int tw_fft_cuda_many_plan(const struct tw_fft_cuda_many *w, size_t *bytes, const struct tw_fft_gpu *q);

/* A stage of a long transform: of 256 to 2048 points, a power of two. */
int tw_fft_cuda_stage(const struct tw_fft_gpu *q, int single, const struct tw_fft_stage *s, const void *in, void *out);
/* On a worker of each GPU, outside of tasks and before the first stage of n points. */
int tw_fft_cuda_stage_plan(const struct tw_fft_gpu *q, int single, tw_int n);
/* Bytes of shared memory that a block of it takes. */
size_t tw_fft_cuda_stage_shared(int single, tw_int n);

/* Rectangles between any two memories. */
int tw_fft_cuda_transfers(const struct tw_fft_gpu *q, const struct tw_fft_transfer *piece, int count);
/* On a worker of each GPU, outside of tasks and before the first transfers. */
int tw_fft_cuda_transfers_plan(const struct tw_fft_gpu *q);

/* 1 if p points to memory that CUDA knows, pinned or on a GPU (*device, else -1). */
int tw_fft_cuda_where(const void *p, int *device);
#ifdef __cplusplus
}
#endif
#endif
