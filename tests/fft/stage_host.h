/* The CUDA kernel of a stage of a long transform, run on the host. */
#ifndef TESTS_FFT_STAGE_HOST_H
#define TESTS_FFT_STAGE_HOST_H
#include "types/fft/stage.h"

#ifdef __cplusplus
extern "C" {
#endif
/* 256 to 2048 points. */
void stage_on_host(int single, const struct tw_fft_stage *s, const void *in, void *out);
#ifdef __cplusplus
}
#endif
#endif
