/* Transforms of 2, 4, 8 and 16 points in registers, forward (exp(-2 pi i j k / R)), in natural order. Compiled for the
 * host too, where the tests run the whole kernel. */
#ifndef TW_KERNELS_FFT_CUDA_SMALL_BUTTERFLIES_CUH
#define TW_KERNELS_FFT_CUDA_SMALL_BUTTERFLIES_CUH
#include <cuda_runtime.h>
#include "kernels/fft/cuda/index.h"

#define TW_MEMBER __host__ __device__ __forceinline__
#ifdef __CUDA_ARCH__
#define TW_UNROLL _Pragma("unroll")
#else
#define TW_UNROLL /* the host's compiler does not know it */
#endif

template <class R> struct tw_pair; /* the vector types of a precision */
template <> struct tw_pair<float> {
    typedef float2 C;
};
template <> struct tw_pair<double> {
    typedef double2 C;
};
template <class R> using tw_cx = typename tw_pair<R>::C;

template <class R> TW_HOST_DEVICE tw_cx<R> tw_make(R x, R y)
{
    tw_cx<R> z;
    z.x = x;
    z.y = y;
    return z;
}
TW_HOST_DEVICE float2 operator+(float2 a, float2 b)
{
    return tw_make<float>(a.x + b.x, a.y + b.y);
}
TW_HOST_DEVICE float2 operator-(float2 a, float2 b)
{
    return tw_make<float>(a.x - b.x, a.y - b.y);
}
TW_HOST_DEVICE double2 operator+(double2 a, double2 b)
{
    return tw_make<double>(a.x + b.x, a.y + b.y);
}
TW_HOST_DEVICE double2 operator-(double2 a, double2 b)
{
    return tw_make<double>(a.x - b.x, a.y - b.y);
}
template <class C> TW_HOST_DEVICE C tw_mul(C a, C b)
{
    C c;
    c.x = a.x * b.x - a.y * b.y;
    c.y = a.x * b.y + a.y * b.x;
    return c;
}
/* a conj(b) */
template <class C> TW_HOST_DEVICE C tw_mul_conj(C a, C b)
{
    C c;
    c.x = a.x * b.x + a.y * b.y;
    c.y = a.y * b.x - a.x * b.y;
    return c;
}
template <class C> TW_HOST_DEVICE C tw_conj(C a)
{
    a.y = -a.y;
    return a;
}
template <class C> TW_HOST_DEVICE C tw_swap(C a)
{
    C b;
    b.x = a.y;
    b.y = a.x;
    return b;
}
/* -i a */
template <class C> TW_HOST_DEVICE C tw_times_minus_i(C a)
{
    C b;
    b.x = a.y;
    b.y = -a.x;
    return b;
}

/* R points, S apart, in place. */
template <class R, int N, int S> struct tw_butterfly;

template <class R, int S> struct tw_butterfly<R, 2, S> {
    static TW_MEMBER void run(tw_cx<R> *v)
    {
        tw_cx<R> a = v[0], b = v[S];
        v[0] = a + b;
        v[S] = a - b;
    }
};

template <class R, int S> struct tw_butterfly<R, 4, S> {
    static TW_MEMBER void run(tw_cx<R> *v)
    {
        tw_cx<R> a = v[0] + v[2 * S], b = v[0] - v[2 * S], c = v[S] + v[3 * S], d = tw_times_minus_i(v[S] - v[3 * S]);
        v[0] = a + c;
        v[S] = b + d;
        v[2 * S] = a - c;
        v[3 * S] = b - d;
    }
};

template <class R, int S> struct tw_butterfly<R, 8, S> {
    static TW_MEMBER void run(tw_cx<R> *v)
    {
        const R h = (R)0.70710678118654752440;
        tw_cx<R> e[4], o[4];
        TW_UNROLL
        for (int k = 0; k < 4; k++) {
            e[k] = v[k * S] + v[(k + 4) * S];
            o[k] = v[k * S] - v[(k + 4) * S];
        }
        o[1] = tw_make<R>(h * (o[1].x + o[1].y), h * (o[1].y - o[1].x));
        o[2] = tw_times_minus_i(o[2]);
        o[3] = tw_make<R>(h * (o[3].y - o[3].x), -h * (o[3].x + o[3].y));
        tw_butterfly<R, 4, 1>::run(e);
        tw_butterfly<R, 4, 1>::run(o);
        TW_UNROLL
        for (int k = 0; k < 4; k++) {
            v[2 * k * S] = e[k];
            v[(2 * k + 1) * S] = o[k];
        }
    }
};

/* 4 x 4: element 4 a + b becomes row b, column a. */
template <class R, int S> struct tw_butterfly<R, 16, S> {
    static TW_MEMBER void run(tw_cx<R> *v)
    {
        const R c = (R)0.92387953251128675613, s = (R)0.38268343236508977173, h = (R)0.70710678118654752440;
        const tw_cx<R> w1 = tw_make<R>(c, -s), w3 = tw_make<R>(s, -c), w9 = tw_make<R>(-c, s);
        tw_cx<R> z[4];

        TW_UNROLL
        for (int b = 0; b < 4; b++)
            tw_butterfly<R, 4, 4 * S>::run(v + b * S);
        v[5 * S] = tw_mul(v[5 * S], w1);
        v[6 * S] = tw_make<R>(h * (v[6 * S].x + v[6 * S].y), h * (v[6 * S].y - v[6 * S].x));
        v[7 * S] = tw_mul(v[7 * S], w3);
        v[9 * S] = tw_make<R>(h * (v[9 * S].x + v[9 * S].y), h * (v[9 * S].y - v[9 * S].x));
        v[10 * S] = tw_times_minus_i(v[10 * S]);
        v[11 * S] = tw_make<R>(h * (v[11 * S].y - v[11 * S].x), -h * (v[11 * S].x + v[11 * S].y));
        v[13 * S] = tw_mul(v[13 * S], w3);
        v[14 * S] = tw_make<R>(h * (v[14 * S].y - v[14 * S].x), -h * (v[14 * S].x + v[14 * S].y));
        v[15 * S] = tw_mul(v[15 * S], w9);
        TW_UNROLL
        for (int d = 0; d < 4; d++)
            tw_butterfly<R, 4, S>::run(v + 4 * d * S);
        /* X[c + 4 d] lies at 4 c + d */
        TW_UNROLL
        for (int d = 0; d < 4; d++)
            TW_UNROLL
        for (int e = d + 1; e < 4; e++) {
            z[0] = v[(4 * d + e) * S];
            v[(4 * d + e) * S] = v[(4 * e + d) * S];
            v[(4 * e + d) * S] = z[0];
        }
    }
};
#endif
