/* The CUDA kernel of a panel of the one-stage reduction to bidiagonal form, one per precision: as
 * kernels/svd/cpu/labrd.h, on a matrix that is one block column of at most 64 columns of panel, in GPU memory, enqueued
 * on the worker's stream; 0 or a status that tw_cuda_status_text() explains. */
#ifndef TW_KERNELS_SVD_CUDA_LABRD_H
#define TW_KERNELS_SVD_CUDA_LABRD_H
#include <stddef.h>
#include <tilework/runtime.h>
#include "runtime/machine/cuda.h"
#include "types/svd/labrd.h"

/* work: tw_labrd_cuda_work bytes for at least as many rows of V, rows of U and columns. */
typedef int (*tw_labrd_cuda_fn)(const struct tw_cuda *q, const struct tw_labrd *p, void *work);
extern const tw_labrd_cuda_fn tw_labrd_cuda[TW_NTYPES];
size_t tw_labrd_cuda_work(enum tw_type type, int rows, int across, int columns);
#endif
