/* What the FFT's CUDA kernels are given, and keep between tasks: of the codelets. */
#ifndef TW_CODELETS_FFT_GPU_H
#define TW_CODELETS_FFT_GPU_H
#include "kernels/fft/cuda/small.h"
#include "runtime/machine/cuda.h"

/* In tasks. */
struct tw_fft_gpu tw_fft_gpu_of(const struct tw_cuda *cuda);

/* Outside of tasks, on a worker: run `plan`, which returns what the kernels' plan functions do, as often as it asks
 * whether a kernel of ours is the faster one. That is measured when it is asked for the first time for a kind,
 * precision and n (some milliseconds), and known from then on, to later programs, too. Where it cannot be measured, and
 * in the reproducible mode, in which nothing may depend on a measurement: yes for real to real transforms. 0, or
 * TW_E_DEVICE and why. */
typedef int (*tw_fft_plan_fn)(const struct tw_fft_gpu *q, void *arg);
int tw_fft_gpu_plan(const struct tw_cuda *cuda, tw_fft_plan_fn plan, void *arg, char why[512]);
#endif
