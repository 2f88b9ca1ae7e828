/* The kernel of the small transforms: the steps of small_filters.cuh and small_core.cuh in their order, with
 * synchronisations between them. */
#ifndef TW_KERNELS_FFT_CUDA_SMALL_KERNEL_CUH
#define TW_KERNELS_FFT_CUDA_SMALL_KERNEL_CUH
#include "kernels/fft/cuda/small_filters.cuh"

#ifdef __CUDACC__
template <class S, int s> struct tw_small_passes {
    static __device__ __forceinline__ void run(typename S::C *v, typename S::C *x, int t, const typename S::C *table,
                                               bool shared_in_use)
    {
        typedef tw_small_core<S> core;
        core::template compute<s>(v, t, table);
        if constexpr (s < S::passes - 1) {
            if (shared_in_use) __syncthreads();
            core::template exchange<s>(v, x, t);
            __syncthreads();
            core::gather(v, x, t);
            tw_small_passes<S, s + 1>::run(v, x, t, table, true);
        }
    }
};

template <class S, int KIND, int BLOCKS>
static __global__ void __launch_bounds__(S::threads, BLOCKS) tw_small_kernel(const struct tw_small_args args)
{
    typedef tw_small_core<S> core;
    extern __shared__ double2 memory[];
    typename S::C v[S::P];
    tw_small_filter<S, KIND> f = {&args, (typename S::C *)memory, (int64_t)blockIdx.x * S::B, (int)threadIdx.x};
    typename S::C *x = f.row((int)threadIdx.x / S::T);
    const int t = (int)threadIdx.x % S::T;

    f.load(v);
    if constexpr (f.joined) {
        __syncthreads();
        f.fetch_pairs(v);
        __syncthreads();
        f.join_pairs(v);
    }
    if (f.staged_in) {
        __syncthreads();
        core::gather(v, x, t);
    }
    tw_small_passes<S, 0>::run(v, x, t, (const typename S::C *)args.table, f.staged_in);
    if (f.staged_out) {
        if (f.staged_in || S::passes > 1) __syncthreads();
        core::scatter(v, x, t);
        __syncthreads();
    }
    f.store(v);
}
#endif
#endif
