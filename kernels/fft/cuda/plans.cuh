/* cuFFT's plans. They belong to a stream of a device and are made outside of tasks (codelets' prepare functions);
 * their work areas are parts of the tasks' workspace. The latest used ones are kept. */
#ifndef TW_KERNELS_FFT_CUDA_PLANS_CUH
#define TW_KERNELS_FFT_CUDA_PLANS_CUH
#include <cufft.h>
#include "kernels/fft/cuda/fft_cuda.h"

/* Compared as bytes: made by tw_fft_cuda_key, which clears the gaps. */
struct tw_cufft_key {
    void *stream;
    int device, rank;
    cufftType type;
    long long n[3], inembed[3], istride, idist, onembed[3], ostride, odist, batch;
};
struct tw_cufft {
    struct tw_cufft_key key;
    cufftHandle handle;
    size_t work; /* bytes */
    unsigned long used;
    struct tw_cufft *next;
};

/* 0, or 1 with the message set. */
int tw_cufft_failed(const char *call, cufftResult e);
int tw_cufft_key(struct tw_cufft_key *k, const struct tw_fft_gpu *q, cufftType type, int rank);
/* The plan, made now if it is not there. On the worker of q's stream. */
int tw_cufft_get(const struct tw_fft_gpu *q, const struct tw_cufft_key *key, struct tw_cufft **plan);
/* Enqueue it; area: p->work bytes. */
int tw_cufft_run(const struct tw_cufft *p, int sign, void *in, void *out, void *area);
/* Too small a workspace: says so and returns 1. */
int tw_cufft_no_room(void);

static inline size_t tw_cufft_aligned(size_t bytes)
{
    return (bytes + 511) & ~(size_t)511;
}
static inline size_t tw_cufft_complex(int single)
{
    return single ? sizeof(cufftComplex) : sizeof(cufftDoubleComplex);
}
#endif
