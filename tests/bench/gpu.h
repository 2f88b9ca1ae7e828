/* What the GPU peers share (builds with CUDA only). */
#ifndef BENCH_GPU_H
#define BENCH_GPU_H
#include <cuda_runtime_api.h>
#include <library_types.h>

#include "bench/bench.h"

/* In functions that return 0 or 1 and clean up at `out`. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        int status_ = (int)(call);                                                                                     \
        if (status_ != 0) {                                                                                            \
            bench_fail("%s: status %d (%s, line %d)", #call, status_, __func__, __LINE__);                             \
            goto out;                                                                                                  \
        }                                                                                                              \
    } while (0)

/* A peer: each step returns 0, or 1 after a message. The input stays on the GPUs, so that every run starts from the
 * same. */
struct bench_gpu_peer {
    enum tw_type type;
    tw_int n;
    void *host;                               /* pinned, n x n; NULL when only resident runs were asked for */
    int (*restore)(struct bench_gpu_peer *p); /* the input in place, all of it done on return */
    int (*copy)(struct bench_gpu_peer *p, enum cudaMemcpyKind kind); /* the whole array, either way; may return early */
    int (*factor)(struct bench_gpu_peer *p);                         /* may return early */
    int (*finish)(struct bench_gpu_peer *p);                         /* waits; 0 only if info is 0 */
    void (*close)(struct bench_gpu_peer *p);
};

/* finish() of a peer whose one stream leaves info on the GPU. */
int bench_gpu_info(cudaStream_t stream, const int *info, const char *who);
cudaDataType bench_cuda_type(enum tw_type type);
/* The pinned array, at least this large; NULL when there is no memory. */
void *bench_gpu_pinned(double bytes);
/* The generator's matrix, `width` columns at a time: put(context, block, columns, pointer to n x columns) copies
 * them. */
typedef int (*bench_put_fn)(void *context, tw_int block, tw_int columns, const void *from);
int bench_gpu_fill(const tw_generator *g, tw_int n, tw_int width, bench_put_fn put, void *context);
#endif
