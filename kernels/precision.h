/* One source, four precisions: a file of kernels/ is compiled once with each of TW_PRECISION_S, _D, _C, _Z defined.
 *
 *   T, R            element type, real type of the same precision
 *   TW_P            the letter
 *   TW_IS_COMPLEX   0 or 1
 *   TW_NAME(pre, x) pre_<letter>x, e.g. TW_NAME(tw_cpu_, potrf) = tw_cpu_dpotrf
 *   BLAS(x)         cblas_<letter>x         LAPACKE(x)  LAPACKE_<letter>x
 */
#ifndef TW_KERNELS_PRECISION_H
#define TW_KERNELS_PRECISION_H

#if defined(TW_PRECISION_S)
#define TW_P          s
#define TW_TYPE       TW_FLOAT
#define TW_IS_COMPLEX 0
#define TW_IS_SINGLE  1
#define R             float
#elif defined(TW_PRECISION_D)
#define TW_P          d
#define TW_TYPE       TW_DOUBLE
#define TW_IS_COMPLEX 0
#define TW_IS_SINGLE  0
#define R             double
#elif defined(TW_PRECISION_C)
#define TW_P          c
#define TW_TYPE       TW_COMPLEX_FLOAT
#define TW_IS_COMPLEX 1
#define TW_IS_SINGLE  1
#define R             float
#elif defined(TW_PRECISION_Z)
#define TW_P          z
#define TW_TYPE       TW_COMPLEX_DOUBLE
#define TW_IS_COMPLEX 1
#define TW_IS_SINGLE  0
#define R             double
#else
#error "compile with one of TW_PRECISION_S, TW_PRECISION_D, TW_PRECISION_C, TW_PRECISION_Z"
#endif

#define TW_CAT3_(a, b, c)  a##b##c
#define TW_CAT3(a, b, c)   TW_CAT3_(a, b, c)
#define TW_NAME(prefix, x) TW_CAT3(prefix, TW_P, x)
#define BLAS(x)            TW_NAME(cblas_, x)
#define LAPACKE(x)         TW_NAME(LAPACKE_, x)
#endif
