/* The kernel of one stage of a long transform. The array is read once and written once. A block transforms B
 * neighbouring columns by the steps of small_core.cuh; neighbouring threads have neighbouring columns, in memory as in
 * shared memory, where point i of column b lies at i B + b: no bank is met twice, and nothing has to be padded.
 *
 * Backward transforms are forward ones with real and imaginary parts exchanged on both sides, roots included.
 * Everything is written in steps between two synchronisations, so that the tests can run them on the host for every
 * thread in turn. */
#ifndef TW_KERNELS_FFT_CUDA_STAGE_CORE_CUH
#define TW_KERNELS_FFT_CUDA_STAGE_CORE_CUH
#include <cmath>
#include "types/fft/stage.h"
#include "kernels/fft/cuda/small_core.cuh"

struct tw_fft_stage_args {
    const void *in;
    void *out;
    struct tw_fft_stage stage;
    int64_t blocks; /* that a group of columns takes */
    double turn;    /* half turns of the first root: -2 / roots */
    const void *table;
};

/* M points by P of each thread, B columns. */
template <class R_, int M_, int P_, int B_> struct tw_fft_stage_shape : tw_small_shape<R_, M_, P_, 1> {
    typedef tw_small_shape<R_, M_, P_, 1> alone; /* its table */
    static constexpr int B = B_, threads = alone::T * B, block = 1,
                         shared_bytes = M_ * B * (int)sizeof(typename alone::C);
    static TW_MEMBER constexpr int at(int i)
    {
        return i;
    }
};

/* A column in shared memory. */
template <class C, int B> struct tw_fft_stage_column {
    C *first;
    TW_MEMBER C &operator[](int i) const
    {
        return first[i * B];
    }
};

/* One thread's part. */
template <class S> struct tw_fft_stage_thread {
    typedef typename S::R R;
    typedef typename S::C C;

    const struct tw_fft_stage_args *a;
    int64_t column, outer; /* its transform */
    int t;                 /* its number among the transform's threads */

    TW_MEMBER tw_fft_stage_thread(const struct tw_fft_stage_args *args, int64_t block, int thread)
        : a(args), column(block % args->blocks * S::B + thread % S::B), outer(block / args->blocks), t(thread / S::B)
    {
    }
    TW_MEMBER bool exists() const
    {
        return column < a->stage.cols;
    }
    /* Its first element. */
    TW_MEMBER int64_t place(const struct tw_fft_layout &l) const
    {
        return t * l.point + column * l.col + outer * l.outer;
    }
    TW_MEMBER void load(C *v) const
    {
        const C *x = (const C *)a->in + place(a->stage.in);
        const int64_t step = S::T * a->stage.in.point;
        if (!exists()) return;
        TW_UNROLL
        for (int i = 0; i < S::P; i++) {
            v[i] = TW_READ_ONCE(x + i * step);
            if (a->stage.sign > 0) v[i] = tw_swap(v[i]);
        }
    }
    /* exp(-2 pi i k j / roots), j this column's number */
    TW_MEMBER C root(int64_t k) const
    {
        const double angle = a->turn * (double)tw_fft_root_index(k, a->stage.first + column, a->stage.roots);
        double c, s;
#ifdef __CUDA_ARCH__
        sincospi(angle, &s, &c);
#else
        c = (double)cosl(3.14159265358979323846264338327950288L * angle);
        s = (double)sinl(3.14159265358979323846264338327950288L * angle);
#endif
        return tw_make<R>((R)c, (R)s);
    }
    /* Results t, t + T, t + 2 T …: one root in four is computed, the others follow by multiplication. */
    TW_MEMBER void twiddle(C *v) const
    {
        if (a->stage.roots == 0) return;
        const C step = root(S::T);
        C w = root(t);
        TW_UNROLL
        for (int i = 0; i < S::P; i++) {
            if (i > 0) w = i % 4 == 0 ? root(t + S::T * i) : tw_mul(w, step);
            v[i] = tw_mul(v[i], w);
        }
    }
    TW_MEMBER void store(const C *v) const
    {
        C *y = (C *)a->out + place(a->stage.out);
        const int64_t step = S::T * a->stage.out.point;
        const R scale = (R)a->stage.scale;
        if (!exists()) return;
        TW_UNROLL
        for (int i = 0; i < S::P; i++) {
            const C z = a->stage.sign > 0 ? tw_swap(v[i]) : v[i];
            TW_WRITE_ONCE(y + i * step, tw_make<R>(scale * z.x, scale * z.y));
        }
    }
};

#ifdef __CUDACC__
template <class S, int s, class X>
static __device__ __forceinline__ void tw_fft_stage_steps(typename S::C *v, X x, int t, const typename S::C *table)
{
    typedef tw_small_core<S> core;
    core::template compute<s>(v, t, table);
    if constexpr (s < S::passes - 1) {
        if (s > 0) __syncthreads();
        core::template exchange<s>(v, x, t);
        __syncthreads();
        core::gather(v, x, t);
        tw_fft_stage_steps<S, s + 1>(v, x, t, table);
    }
}

template <class S, int BLOCKS>
static __global__ void __launch_bounds__(S::threads, BLOCKS) tw_fft_stage_kernel(const struct tw_fft_stage_args args)
{
    extern __shared__ double2 memory[];
    typedef typename S::C C;
    const tw_fft_stage_thread<S> k(&args, blockIdx.x, (int)threadIdx.x);
    const tw_fft_stage_column<C, S::B> x = {(C *)memory + (int)threadIdx.x % S::B};
    C v[S::P] = {};

    k.load(v);
    tw_fft_stage_steps<S, 0>(v, x, k.t, (const C *)args.table);
    k.twiddle(v);
    k.store(v);
}
#endif
#endif
