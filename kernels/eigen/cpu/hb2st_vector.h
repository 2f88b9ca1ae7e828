/* Vectors for kernels in four precisions: lanes are real numbers, a complex element takes two. Products with a complex
 * x then need no shuffles if there is a second plane beside it, i x: c y = Re(c) y + Im(c) (i y), and conj(x) y sums up
 * lane by lane to its real part with x, to its imaginary part with i x. */
#ifndef TW_KERNELS_EIGEN_CPU_HB2ST_VECTOR_H
#define TW_KERNELS_EIGEN_CPU_HB2ST_VECTOR_H
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include "kernels/precision.h"
#if TW_IS_SINGLE
typedef int32_t RI;
#else
typedef int64_t RI;
#endif

#if defined(TW_ISA_avx512)
#define TW_ISA avx512
#define BYTES  64
#elif defined(TW_ISA_avx2)
#define TW_ISA avx2
#define BYTES  32
#else
#define TW_ISA generic
#define BYTES  16
#endif
#define TW_ISA_NAME3_(x, p, isa) tw_##p##x##_##isa
#define TW_ISA_NAME2_(x, p, isa) TW_ISA_NAME3_(x, p, isa)
#define TW_ISA_NAME(x)           TW_ISA_NAME2_(x, TW_P, TW_ISA) /* tw_dhb2st_avx2 */

typedef R V __attribute__((vector_size(BYTES)));
typedef RI VM __attribute__((vector_size(BYTES)));
#define VL     ((int)(BYTES / sizeof(R)))
#define PLANES (TW_IS_COMPLEX ? 2 : 1)
#define EACH   (VL / PLANES)         /* elements of a vector */
#define COLS   (EACH < 4 ? EACH : 4) /* columns that are done together */

static inline V load(const R *p)
{
    V v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void store(R *p, V v)
{
    memcpy(p, &v, sizeof v);
}
static inline V keep(VM mask, V x)
{
    return (V)((VM)x & mask);
}
/* All ones in the lanes from `lane` on. */
static inline VM lanes_from(int lane)
{
    VM index;
    for (int l = 0; l < VL; l++)
        index[l] = l;
    return index >= (VM){0} + (RI)lane;
}
/* new where the mask is all ones, old elsewhere, bit by bit. */
static inline V blend(VM mask, V new, V old)
{
    return (V)(((VM) new &mask) | ((VM)old & ~mask));
}
static inline R sum(V x)
{
#if defined(TW_ISA_avx512) && TW_IS_SINGLE
    return _mm512_reduce_add_ps((__m512)x);
#elif defined(TW_ISA_avx512)
    return _mm512_reduce_add_pd((__m512d)x);
#elif defined(TW_ISA_avx2) && !TW_IS_SINGLE
    const __m128d half = _mm256_castpd256_pd128((__m256d)x) + _mm256_extractf128_pd((__m256d)x, 1);
    return half[0] + half[1];
#else
    R part[VL];
    memcpy(part, &x, sizeof x);
    for (int half = VL / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++)
            part[l] += part[l + half];
    return part[0];
#endif
}
#endif
