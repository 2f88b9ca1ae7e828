/* CUDA kernels of the FFT family run on the host. */
#ifndef TESTS_FFT_SMALL_HOST_H
#define TESTS_FFT_SMALL_HOST_H
#include "kernels/fft/cuda/small.h"

#ifdef __cplusplus
extern "C" {
#endif
/* 1 if there is no kernel for it. */
int small_on_host(const struct tw_fft_cuda_lines *l, const void *in, void *out);
/* Real to real by the passes around an inner transform. */
void around_on_host(const struct tw_fft_cuda_lines *l, const void *in, void *out);
#ifdef __cplusplus
}
#endif
#endif
