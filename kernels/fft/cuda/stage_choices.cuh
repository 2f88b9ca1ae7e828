/* How the stages of long transforms are laid out: points per thread, columns per block, registers per thread (the
 * compiler is held to them). The fastest of four layouts in double precision on an H200: 4.9 to 6.2 ms for 2^29 points,
 * 2.8 to 3.5 TB/s. */
#ifndef TW_KERNELS_FFT_CUDA_STAGE_CHOICES_CUH
#define TW_KERNELS_FFT_CUDA_STAGE_CHOICES_CUH
#include "kernels/fft/cuda/stage_core.cuh"

enum { TW_STAGE_LEAST = 8, TW_STAGE_MOST = 11 }; /* 256 to 2048 points */

template <class R, int M> struct tw_fft_stage_choice;
template <int M> struct tw_fft_stage_choice<double, M> : tw_fft_stage_shape<double, M, 16, 4> {
    static constexpr int registers = 128;
};
template <int M> struct tw_fft_stage_choice<float, M> : tw_fft_stage_shape<float, M, 16, 8> {
    static constexpr int registers = 64;
};
#endif
