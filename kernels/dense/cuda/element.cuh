/* Arithmetic of T, real or complex, in device code. */
#ifndef TW_KERNELS_DENSE_CUDA_ELEMENT_CUH
#define TW_KERNELS_DENSE_CUDA_ELEMENT_CUH
#include "kernels/dense/cuda/typed_cuda.h"

static __device__ __forceinline__ T number(R re)
{
#if TW_IS_COMPLEX
    T x;
    x.x = re;
    x.y = 0;
    return x;
#else
    return re;
#endif
}
/* c - a b */
static __device__ __forceinline__ T minus_product(T c, T a, T b)
{
#if TW_IS_COMPLEX
    T r;
    r.x = c.x - a.x * b.x + a.y * b.y;
    r.y = c.y - a.x * b.y - a.y * b.x;
    return r;
#else
    return c - a * b;
#endif
}
static __device__ __forceinline__ T scaled(T a, R s)
{
#if TW_IS_COMPLEX
    a.x *= s;
    a.y *= s;
    return a;
#else
    return a * s;
#endif
}
static __device__ __forceinline__ T conjugate(T a)
{
#if TW_IS_COMPLEX
    a.y = -a.y;
#endif
    return a;
}
static __device__ __forceinline__ R real_part(T a)
{
#if TW_IS_COMPLEX
    return a.x;
#else
    return a;
#endif
}
static __device__ __forceinline__ float size_of(T a)
{
#if TW_IS_COMPLEX
    return (float)(fabs((double)a.x) + fabs((double)a.y));
#else
    return (float)fabs((double)a);
#endif
}
static __device__ __forceinline__ bool is_zero(T a)
{
#if TW_IS_COMPLEX
    return a.x == 0 && a.y == 0;
#else
    return a == 0;
#endif
}
static __device__ __forceinline__ bool is_one(T a)
{
#if TW_IS_COMPLEX
    return a.x == 1 && a.y == 0;
#else
    return a == 1;
#endif
}
static __device__ __forceinline__ T product(T a, T b)
{
#if TW_IS_COMPLEX
    T r;
    r.x = a.x * b.x - a.y * b.y;
    r.y = a.x * b.y + a.y * b.x;
    return r;
#else
    return a * b;
#endif
}
static __device__ __forceinline__ T sum(T a, T b)
{
#if TW_IS_COMPLEX
    a.x += b.x;
    a.y += b.y;
    return a;
#else
    return a + b;
#endif
}
/* a / b, without overflow on the way */
static __device__ __forceinline__ T quotient(T a, T b)
{
#if TW_IS_COMPLEX && TW_IS_SINGLE
    return cuCdivf(a, b);
#elif TW_IS_COMPLEX
    return cuCdiv(a, b);
#else
    return a / b;
#endif
}
#endif
