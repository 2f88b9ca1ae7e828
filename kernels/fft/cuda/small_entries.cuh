/* The kernels of one precision, compiled: a file each, so that they are compiled side by side. */
#ifndef TW_KERNELS_FFT_CUDA_SMALL_ENTRIES_CUH
#define TW_KERNELS_FFT_CUDA_SMALL_ENTRIES_CUH
#include <cmath>
#include "kernels/fft/cuda/small_choices.cuh"
#include "kernels/fft/cuda/small_kernel.cuh"
#include "kernels/fft/cuda/small_roots.h"

template <class R, int KIND, int M> static struct tw_small_entry tw_small_entry_of(void)
{
    typedef tw_small_choice<R, KIND, M> choice;
    typedef tw_small_shape<R, M, choice::points, choice::threads> S;
    constexpr int fit = 65536 / (S::threads * choice::registers), most = 2048 / S::threads,
                  blocks = fit < 1      ? 1
                           : fit > most ? most > 32 ? 32 : most
                           : fit > 32   ? 32
                                        : fit;
    return {
        (const void *)tw_small_kernel<S, KIND, blocks>, S::threads, S::B, S::shared_bytes, S::total, tw_small_fill<S>};
}

template <class R, int KIND> static const struct tw_small_entry *tw_small_entries_of(int m)
{
    static const struct tw_small_entry entries[TW_SMALL_SIZES] = {
        tw_small_entry_of<R, KIND, 2>(),    tw_small_entry_of<R, KIND, 4>(),    tw_small_entry_of<R, KIND, 8>(),
        tw_small_entry_of<R, KIND, 16>(),   tw_small_entry_of<R, KIND, 32>(),   tw_small_entry_of<R, KIND, 64>(),
        tw_small_entry_of<R, KIND, 128>(),  tw_small_entry_of<R, KIND, 256>(),  tw_small_entry_of<R, KIND, 512>(),
        tw_small_entry_of<R, KIND, 1024>(), tw_small_entry_of<R, KIND, 2048>(), tw_small_entry_of<R, KIND, 4096>()};
    return &entries[m - 1];
}

template <class R> static const struct tw_small_entry *tw_small_entry_for(int kind, int m)
{
    switch (kind) {
    case TW_SMALL_C2C: return tw_small_entries_of<R, TW_SMALL_C2C>(m);
    case TW_SMALL_R2C: return tw_small_entries_of<R, TW_SMALL_R2C>(m);
    case TW_SMALL_C2R: return tw_small_entries_of<R, TW_SMALL_C2R>(m);
    case TW_SMALL_DHT: return tw_small_entries_of<R, TW_SMALL_DHT>(m);
    case TW_SMALL_T1: return tw_small_entries_of<R, TW_SMALL_T1>(m);
    case TW_SMALL_T2: return tw_small_entries_of<R, TW_SMALL_T2>(m);
    case TW_SMALL_T3: return tw_small_entries_of<R, TW_SMALL_T3>(m);
    default: return tw_small_entries_of<R, TW_SMALL_T4>(m);
    }
}
#endif
