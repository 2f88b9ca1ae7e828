/* Vectors of the instruction set that a file is compiled for, in GCC's vector types: one source for all of them.
 *
 *   T, V, I   element, vector, vector of integers of the same width;  VL elements each
 *   TW_NB(x)  x with the precision's letter and the instruction set behind it */
#ifndef TW_KERNELS_SIMD_H
#define TW_KERNELS_SIMD_H
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(TW_ISA_avx512)
#define TW_ISA   avx512
#define TW_BYTES 64
#elif defined(TW_ISA_avx2)
#define TW_ISA   avx2
#define TW_BYTES 32
#else
#define TW_ISA   generic
#define TW_BYTES 16
#endif

#if defined(TW_PRECISION_S)
typedef float T;
typedef int32_t TI;
#define TW_P   s
#define T_MIN  FLT_MIN
#define T_SQRT sqrtf
#else
typedef double T;
typedef int64_t TI;
#define TW_P   d
#define T_MIN  DBL_MIN
#define T_SQRT sqrt
#endif
#define TW_NB4_(x, p, isa) tw_nbody_##p##x##_##isa
#define TW_NB3_(x, p, isa) TW_NB4_(x, p, isa)
#define TW_NB(x)           TW_NB3_(x, TW_P, TW_ISA)

typedef T V __attribute__((vector_size(TW_BYTES)));
typedef TI I __attribute__((vector_size(TW_BYTES)));
#define VL ((int)(TW_BYTES / sizeof(T)))

static inline V load(const T *p)
{
    V v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void store(T *p, V v)
{
    memcpy(p, &v, sizeof v);
}
static inline V splat(T x)
{
    return x - (V){0};
}
/* x where mask is all ones, 0 where it is 0. */
static inline V keep(I mask, V x)
{
    return (V)((I)x & mask);
}

/* 1 / sqrt(x) for normal x to the last bit or two: an estimate e-bits good, then one step of the binomial series
 * y (1 + e/2 + 3/8 e^2 + 5/16 e^3), e = 1 - x y^2, as long as its terms matter. */
static inline V rsqrt(V x)
{
#if defined(TW_ISA_avx512) && defined(TW_PRECISION_S)
    V y = (V)_mm512_rsqrt14_ps((__m512)x), e = 1 - x * y * y;
    return y + y * (e * (T)0.5);
#elif defined(TW_ISA_avx512)
    V y = (V)_mm512_rsqrt14_pd((__m512d)x), e = 1 - x * y * y;
    return y + y * (e * (0.5 + e * (0.375 + e * 0.3125)));
#elif defined(TW_ISA_avx2) && defined(TW_PRECISION_S)
    V y = (V)_mm256_rsqrt_ps((__m256)x), e = 1 - x * y * y;
    return y + y * (e * ((T)0.5 + e * (T)0.375));
#elif defined(TW_ISA_avx2)
    return 1 / (V)_mm256_sqrt_pd((__m256d)x);
#else
    V y;
    for (int k = 0; k < VL; k++)
        y[k] = 1 / T_SQRT(x[k]);
    return y;
#endif
}
#endif
