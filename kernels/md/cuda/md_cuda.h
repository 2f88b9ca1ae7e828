/* The stages of localized interactions on a GPU: enqueued on the worker's stream, nothing more. One part only. */
#ifndef TW_KERNELS_MD_CUDA_MD_CUDA_H
#define TW_KERNELS_MD_CUDA_MD_CUDA_H
#include "kernels/md/cut.h"
#include "runtime/machine/cuda.h"
#include "runtime/base/types.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Bytes that the sort of n atoms may need, with reserve: no GPU is asked. */
size_t tw_cut_cuda_temp(int n);
/* Lists anew (unless the problem is done or broken), then `iterations` times: forces, totals, decision, move. Where the
 * lists turn stale before the end the rest does nothing. Everything is decided on the GPU. Returns a kernels/cuda
 * status. */
int tw_cut_cuda_segment(const struct tw_cuda *cuda, enum tw_type type, const struct tw_cut *c, int iterations);
#ifdef __cplusplus
}
#endif
#endif
