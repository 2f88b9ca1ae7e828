/* What the CPU kernels share: the element type, letters as CBLAS enums, scalars as CBLAS wants them, the prototypes. */
#ifndef TW_KERNELS_DENSE_CPU_TYPED_H
#define TW_KERNELS_DENSE_CPU_TYPED_H
#include <stddef.h>
#include "runtime/base/account.h"
#include "runtime/base/blas_table.h" /* before the letters T and R are types */

#include "kernels/dense/cpu/dense_cpu.h"
#include "kernels/precision.h"

#if TW_IS_COMPLEX
#define T R _Complex
/* CBLAS takes complex scalars by address. */
#define TW_ARG(x)  (&(x))
#define TW_RE(x)   __real__(x)
#define TW_CONJ(x) (~(x))
#define TW_IM(x)   __imag__(x)
#else
#define T          R
#define TW_ARG(x)  (x)
#define TW_RE(x)   (x)
#define TW_CONJ(x) (x)
#define TW_IM(x)   ((R)0)
#endif

#define CPU(x) TW_NAME(tw_cpu_, x)

static inline T tw_value(tw_scalar s)
{
    T x = 0;
    __real__ x = (R)s.re;
#if TW_IS_COMPLEX
    __imag__ x = (R)s.im;
#endif
    return x;
}

/* a b, by the four products: C's own operator looks for NaN and infinities in a function of the compiler's library. */
static inline T tw_mul(T a, T b)
{
#if TW_IS_COMPLEX
    T x = TW_RE(a) * TW_RE(b) - TW_IM(a) * TW_IM(b);
    __imag__ x = TW_RE(a) * TW_IM(b) + TW_IM(a) * TW_RE(b);
    return x;
#else
    return a * b;
#endif
}

static inline int tw_min(int a, int b)
{
    return a < b ? a : b;
}
static inline int tw_max(int a, int b)
{
    return a > b ? a : b;
}

static const tw_scalar tw_zero = {0, 0};
static const tw_scalar tw_one = {1, 0}, tw_minus_one = {-1, 0};

/* Address of element (i, j), 0-based; 64-bit arithmetic: lda * j passes 2^31 in arrays wrapped in place. */
#define TW_AT(a, lda, i, j) ((a) + (size_t)(i) + (size_t)(lda) * (size_t)(j))

static inline enum CBLAS_UPLO tw_cblas_uplo(char c)
{
    return c == 'U' ? CblasUpper : CblasLower;
}
static inline enum CBLAS_TRANSPOSE tw_cblas_trans(char c)
{
    return c == 'N' ? CblasNoTrans : c == 'T' ? CblasTrans : CblasConjTrans;
}
static inline enum CBLAS_SIDE tw_cblas_side(char c)
{
    return c == 'L' ? CblasLeft : CblasRight;
}
static inline enum CBLAS_DIAG tw_cblas_diag(char c)
{
    return c == 'U' ? CblasUnit : CblasNonUnit;
}

/* Where recursive kernels cut a triangle of order n: near the middle, at a multiple of the vector length's block. */
static inline int tw_half(int n)
{
    return n > 32 ? (n / 2 + 15) / 16 * 16 : n / 2;
}

/* A variant of trsm. forward: the first rows (side 'L') or columns ('R') of B are solved first. */
struct tw_trsm_variant {
    int left, lower, forward;
    char trans, diag;
};
#define TW_TRSM_SMALL 32 /* largest order of trsm_small */
/* `count` right-hand sides, order n <= TW_TRSM_SMALL, alpha != 0. */
void CPU(trsm_small)(const struct tw_trsm_variant *s, int n, int count, T alpha, const T *a, int lda, T *b, int ldb);

/* What the QR kernels share. larft_join: T's upper right block of n1 x n2, T12 = -T11 (V1^H V2) T22, when both diagonal
 * blocks are there; V is p x (n1 + n2) columnwise (storev 'C') or (n1 + n2) x p rowwise ('R'), unit triangles in
 * front. */
void CPU(larft_join)(char storev, int p, int n1, int n2, const T *v, int ldv, T *t, int ldt);
/* The reflector that takes (alpha, x), m elements, to (beta, 0), LAPACK's larfg: alpha becomes beta, x the rest of v,
 * and tau is returned. */
T CPU(reflector)(int m, T *alpha, T *x);
/* Zeros in the strict lower triangle, so that T can be a factor of a plain product. */
void CPU(clear_below)(int n, T *t, int ldt);

#define TW_KERNEL(type, name, ...) type CPU(name)(__VA_ARGS__);
#include "kernels/dense/cpu/dense_cpu_list.h"
#undef TW_KERNEL
#endif
