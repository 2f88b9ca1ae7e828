/* How each of the small transforms is laid out: points per thread, threads per block, registers per thread (the
 * compiler is held to them). The fastest of five layouts each on an H200. */
#ifndef TW_KERNELS_FFT_CUDA_SMALL_CHOICES_CUH
#define TW_KERNELS_FFT_CUDA_SMALL_CHOICES_CUH
#include "kernels/fft/cuda/small.h"

struct tw_small_layout {
    int points, threads, registers;
};

constexpr tw_small_layout tw_small_layout_single(int kind, int M)
{
    if (M <= 16) return {16, 128, 80};
    switch (kind) {
    case TW_SMALL_C2C:
        return M == 32     ? tw_small_layout{16, 128, 112}
               : M == 2048 ? tw_small_layout{8, 256, 48}
               : M == 4096 ? tw_small_layout{16, 256, 80}
                           : tw_small_layout{8, 256, 64};
    case TW_SMALL_C2R: return M >= 1024 ? tw_small_layout{16, 128, 80} : tw_small_layout{8, 128, 64};
    case TW_SMALL_T1: return M >= 256 ? tw_small_layout{16, 128, 80} : tw_small_layout{8, 128, 64};
    case TW_SMALL_T2:
        return M == 64                 ? tw_small_layout{8, 128, 48}
               : M == 512 || M == 1024 ? tw_small_layout{8, 128, 64}
                                       : tw_small_layout{16, 128, 80};
    case TW_SMALL_T3:
    case TW_SMALL_T4:
        return M == 4096   ? tw_small_layout{16, 256, 80}
               : M == 2048 ? tw_small_layout{8, 256, kind == TW_SMALL_T3 ? 48 : 64}
                           : tw_small_layout{8, 64, 64};
    default: return M >= 1024 ? tw_small_layout{16, 128, 80} : tw_small_layout{8, 128, 48};
    }
}

constexpr tw_small_layout tw_small_layout_double(int kind, int M)
{
    if (M <= 16) return {16, 64, 160};
    if (M == 4096)
        return kind == TW_SMALL_T2 || kind == TW_SMALL_C2R ? tw_small_layout{8, 512, 80}
                                                           : tw_small_layout{16, 256, 160};
    switch (kind) {
    case TW_SMALL_C2C:
        return M == 2048   ? tw_small_layout{8, 256, 80}
               : M == 1024 ? tw_small_layout{8, 128, 96}
                           : tw_small_layout{8, 256, 64};
    case TW_SMALL_C2R: return M == 2048 ? tw_small_layout{8, 256, 64} : tw_small_layout{8, 128, 96};
    case TW_SMALL_T2:
        return M == 2048                           ? tw_small_layout{16, 128, 160}
               : M == 128 || M == 256 || M == 1024 ? tw_small_layout{16, 64, 160}
                                                   : tw_small_layout{8, 128, 80};
    case TW_SMALL_T3: return M == 2048 ? tw_small_layout{8, 256, 64} : tw_small_layout{8, 128, 80};
    case TW_SMALL_R2C:
    case TW_SMALL_DHT: return M == 2048 ? tw_small_layout{16, 128, 160} : tw_small_layout{8, 128, 96};
    default: return {8, 128, 96};
    }
}

template <class R, int KIND, int M> struct tw_small_choice {
    static constexpr tw_small_layout layout =
        sizeof(R) == 4 ? tw_small_layout_single(KIND, M) : tw_small_layout_double(KIND, M);
    static constexpr int points = layout.points, threads = layout.threads, registers = layout.registers;
};
#endif
