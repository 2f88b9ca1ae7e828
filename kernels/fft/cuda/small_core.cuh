/* Complex transforms of M = 2^m points, several in a block: every thread holds P points of one of them in registers,
 * and between the (at most four) passes the block exchanges through shared memory. The passes are Stockham's: pass s of
 * radix R, after passes of radices whose product is N, reads points j + r M / R, multiplies by exp(-2 pi i r (j mod N)
 * / (N R)), transforms over r, and writes to (j div N) N R + j mod N + r N; the result is in natural order. A thread's
 * points are t + T i (T = M / P threads for a transform) at the beginning of every pass and at the end, whatever the
 * radices (A. Perez Dieguez, M. Amor, R. Doallo: BPLG, index-digit algorithms; Govindaraju et al., High performance
 * discrete Fourier transforms on graphics processors, SC08).
 *
 * Everything is written in steps between two synchronisations, so that the tests can run them on the host for every
 * thread in turn. */
#ifndef TW_KERNELS_FFT_CUDA_SMALL_CORE_CUH
#define TW_KERNELS_FFT_CUDA_SMALL_CORE_CUH
#include "kernels/fft/cuda/small_butterflies.cuh"

TW_HOST_DEVICE constexpr int tw_log2(int n)
{
    int m = 0;
    for (; n > 1; n /= 2)
        m++;
    return m;
}
/* How many roots a pass of this radix reads from the table per point j mod N; the others are products of two of
 * them. */
TW_HOST_DEVICE constexpr int tw_small_roots(int radix)
{
    return radix == 16 ? 6 : radix == 8 ? 4 : radix - 1;
}

template <class R_, int M_, int P_, int THREADS> struct tw_small_shape {
    typedef R_ R;
    typedef tw_cx<R> C;
    static constexpr int M = M_, P = P_ < M ? P_ : M, T = M / P, B = THREADS > T ? THREADS / T : 1, threads = T * B,
                         m = tw_log2(M), p = tw_log2(P), passes = (m + p - 1) / p;
    static TW_MEMBER constexpr int radix(int s)
    {
        return 1 << (m / passes + (s < m % passes));
    }
    static TW_MEMBER constexpr int before(int s)
    {
        int product = 1;
        for (int k = 0; k < s; k++)
            product *= radix(k);
        return product;
    }
    /* Of the roots of pass s (s = 0 has none) in the table. */
    static TW_MEMBER constexpr int roots(int s)
    {
        int count = 0;
        for (int k = 1; k < s; k++)
            count += tw_small_roots(radix(k)) * before(k);
        return count;
    }
    /* One element more per 16 (8): then the strides of the passes, powers of two, meet different banks. */
    static constexpr int every = sizeof(R) == 4 ? 4 : 3, block = 1 << every;
    static TW_MEMBER constexpr int at(int i)
    {
        return i + (i >> every);
    }
    /* The table of a shape, in complex numbers: the roots of the passes, then parts for the real transforms. Roots are
     * exp(-2 pi i k / order).
     * half:   order 2 M, k = 0 … M/2: between real and complex
     * eighth: order 8 M, k = 0 … M/2: DCT 2 and 3
     * fourth: order 32 M, 8 k + 1 for k = 0 … M-1: DCT 4 */
    static constexpr int half = roots(passes), eighth = half + M / 2 + 1, fourth = eighth + M / 2 + 1,
                         total = fourth + M;
    static constexpr int row = M + (M >> every) + (M < 1 << every), shared_bytes = row * B * (int)sizeof(C);
};

#ifdef __CUDA_ARCH__ /* the data pass once: they shall not push the roots out of the cache */
#define TW_READ_ROOT(p)     __ldg(p)
#define TW_READ_ONCE(p)     __ldcs(p)
#define TW_WRITE_ONCE(p, x) __stcs(p, x)
#else
#define TW_READ_ROOT(p)     (*(p))
#define TW_READ_ONCE(p)     (*(p))
#define TW_WRITE_ONCE(p, x) ((void)(*(p) = (x)))
#endif

template <class S> struct tw_small_core {
    typedef typename S::R R;
    typedef typename S::C C;

    /* S::at(t + T i): one address per thread and constants. */
    static TW_MEMBER int place(int t, int i)
    {
        return S::T % S::block == 0 ? S::at(t) + i * S::at(S::T) : t + S::at(S::T * i);
    }
    /* x: this thread's transform in shared memory, a pointer or what is indexed like one */
    template <class X> static TW_MEMBER void gather(C *v, X x, int t)
    {
        TW_UNROLL
        for (int i = 0; i < S::P; i++)
            v[i] = x[place(t, i)];
    }
    static TW_MEMBER void scatter(const C *v, C *x, int t)
    {
        TW_UNROLL
        for (int i = 0; i < S::P; i++)
            x[place(t, i)] = v[i];
    }

    /* Multiply points 1 … radix-1 of butterfly b of pass s by their roots. */
    template <int s> static TW_MEMBER void twiddle(C *v, int j, const C *table)
    {
        constexpr int radix = S::radix(s), N = S::before(s), step = S::P / radix, begin = S::roots(s);
        const C *root = table + begin + (j & (N - 1));
        C w[radix];

        if constexpr (radix == 16) {
            /* 1, 2, 3, 4, 8, 12 */
            TW_UNROLL
            for (int k = 1; k < 4; k++) {
                w[k] = TW_READ_ROOT(root + (k - 1) * N);
                w[4 * k] = TW_READ_ROOT(root + (k + 2) * N);
            }
            TW_UNROLL
            for (int k = 4; k < radix; k++)
                if (k % 4) w[k] = tw_mul(w[k / 4 * 4], w[k % 4]);
        } else if constexpr (radix == 8) {
            /* 1, 2, 3, 4 */
            TW_UNROLL
            for (int k = 1; k < 5; k++)
                w[k] = TW_READ_ROOT(root + (k - 1) * N);
            TW_UNROLL
            for (int k = 5; k < radix; k++)
                w[k] = tw_mul(w[4], w[k - 4]);
        } else {
            TW_UNROLL
            for (int k = 1; k < radix; k++)
                w[k] = TW_READ_ROOT(root + (k - 1) * N);
        }
        TW_UNROLL
        for (int k = 1; k < radix; k++)
            v[k * step] = tw_mul(v[k * step], w[k]);
    }

    /* The butterflies of pass s. */
    template <int s> static TW_MEMBER void compute(C *v, int t, const C *table)
    {
        constexpr int radix = S::radix(s), step = S::P / radix;
        TW_UNROLL
        for (int b = 0; b < step; b++) {
            if constexpr (s > 0) twiddle<s>(v + b, t + S::T * b, table);
            tw_butterfly<R, radix, step>::run(v + b);
        }
    }

    /* S::at(first + r N), where first / N is a multiple of the radix. */
    static TW_MEMBER int place_of(int first, int r, int N, int radix)
    {
        return N % S::block == 0       ? S::at(first) + r * S::at(N)
               : N * radix <= S::block ? S::at(first) + r * N
               : N == 1                ? S::at(first) + S::at(r)
                                       : S::at(first + r * N);
    }
    /* The results of pass s, but the last, to where the next one looks for them. */
    template <int s, class X> static TW_MEMBER void exchange(const C *v, X x, int t)
    {
        constexpr int radix = S::radix(s), N = S::before(s), step = S::P / radix;
        TW_UNROLL
        for (int b = 0; b < step; b++) {
            int j = t + S::T * b, first = j / N * N * radix + (j & (N - 1));
            TW_UNROLL
            for (int r = 0; r < radix; r++)
                x[place_of(first, r, N, radix)] = v[b + r * step];
        }
    }
};
#endif
