/* Nested loops over an array with any strides, as one counter: compiled for the host too, where the tests count. */
#ifndef TW_KERNELS_FFT_CUDA_NEST_H
#define TW_KERNELS_FFT_CUDA_NEST_H
#include "kernels/fft/cuda/index.h"

enum { TW_NEST_LEVELS = 6 };
/* Loops, the outermost first; strides in elements. */
struct tw_nest {
    int levels;
    int64_t n[TW_NEST_LEVELS], stride[TW_NEST_LEVELS];
};

/* One loop more, inside the others; loops without a gap between them become one. */
TW_HOST_DEVICE void tw_nest_add(struct tw_nest *t, int64_t n, int64_t stride)
{
    const int last = t->levels - 1;

    if (n == 1) return;
    if (last >= 0 && t->stride[last] == n * stride) {
        t->n[last] *= n;
        t->stride[last] = stride;
    } else {
        t->n[t->levels] = n;
        t->stride[t->levels++] = stride;
    }
}

/* Where element number k lies, counted with the innermost loop first. I: 32 bits where the number of elements allows,
 * since divisions of 64 take several times as long. */
#ifdef __cplusplus
template <class I> TW_HOST_DEVICE int64_t tw_nest_at(const struct tw_nest *t, I k)
{
    int64_t at = 0;

    for (int l = t->levels - 1; l > 0; l--) {
        const I n = (I)t->n[l];
        at += (int64_t)(k % n) * t->stride[l];
        k /= n;
    }
    return t->levels ? at + (int64_t)k * t->stride[0] : 0;
}
#else
static inline int64_t tw_nest_at(const struct tw_nest *t, int64_t k)
{
    int64_t at = 0;

    for (int l = t->levels - 1; l > 0; l--) {
        at += k % t->n[l] * t->stride[l];
        k /= t->n[l];
    }
    return t->levels ? at + k * t->stride[0] : 0;
}
#endif
#endif
