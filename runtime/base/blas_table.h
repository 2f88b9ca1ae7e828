/* BLAS and LAPACK as the library calls them: by addresses that were looked up when it was loaded (foreign.h), under
 * their own names. A function that is not in blas_functions.txt is called where the linker finds it, which
 * tests/foreign.sh notices. */
#ifndef TW_RUNTIME_BASE_BLAS_TABLE_H
#define TW_RUNTIME_BASE_BLAS_TABLE_H
#include <cblas.h>
#include <lapacke.h>
#include "blas_table_list.h"

/* LAPACKE has no door to it. The lengths of the letters come last, as gfortran passes them. */
#define TW_LATRS(name, T, R)                                                                                           \
    void name(const char *uplo, const char *trans, const char *diag, const char *normin, const lapack_int *n,          \
              const T *a, const lapack_int *lda, T *x, R *scale, R *cnorm, lapack_int *info, size_t, size_t, size_t,   \
              size_t);
TW_LATRS(slatrs_, float, float)
TW_LATRS(dlatrs_, double, double)
TW_LATRS(clatrs_, lapack_complex_float, float)
TW_LATRS(zlatrs_, lapack_complex_double, double)
#undef TW_LATRS

#define TW_LAIC1(name, T, R)                                                                                           \
    void name(const lapack_int *job, const lapack_int *j, const T *x, const R *sest, const T *w, const T *gamma,       \
              R *sestpr, T *s, T *c);
TW_LAIC1(slaic1_, float, float)
TW_LAIC1(dlaic1_, double, double)
TW_LAIC1(claic1_, lapack_complex_float, float)
TW_LAIC1(zlaic1_, lapack_complex_double, double)
#undef TW_LAIC1

#define TW_LAQR0(name, T, W)                                                                                           \
    void name(const lapack_int *wantt, const lapack_int *wantz, const lapack_int *n, const lapack_int *ilo,            \
              const lapack_int *ihi, T *h, const lapack_int *ldh, W, const lapack_int *iloz, const lapack_int *ihiz,   \
              T *z, const lapack_int *ldz, T *work, const lapack_int *lwork, lapack_int *info);
#define TW_EIGENVALUES(T) T *wr, T *wi
TW_LAQR0(slaqr0_, float, TW_EIGENVALUES(float))
TW_LAQR0(dlaqr0_, double, TW_EIGENVALUES(double))
TW_LAQR0(claqr0_, lapack_complex_float, lapack_complex_float *w)
TW_LAQR0(zlaqr0_, lapack_complex_double, lapack_complex_double *w)
#undef TW_EIGENVALUES
#undef TW_LAQR0

#define TW_BLAS_MEMBER(function) __typeof__(function) *function;
struct tw_blas_table {
    TW_BLAS_FUNCTIONS(TW_BLAS_MEMBER)
};
#undef TW_BLAS_MEMBER
extern struct tw_blas_table tw_blas_table;

#ifndef TW_BLAS_UNBOUND
#include "blas_table_calls.h"
#endif
#endif
