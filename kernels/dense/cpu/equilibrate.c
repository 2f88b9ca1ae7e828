/* Row and column scalings, LAPACK's ?geequ and ?geequb. |z| is |re| + |im|. */
#include <float.h>
#include <math.h>
#include "kernels/dense/cpu/typed.h"

#if TW_IS_SINGLE
#define SAFEMIN FLT_MIN
#else
#define SAFEMIN DBL_MIN
#endif

static inline R abs1(T x)
{
    return (R)(fabs((double)TW_RE(x)) + fabs((double)TW_IM(x)));
}

void CPU(rowmax)(int m, int n, const void *a_, int lda, double *rows)
{
    const T *a = a_;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            const double x = (double)abs1(*TW_AT(a, lda, i, j));
            if (x > rows[i]) rows[i] = x;
        }
}

void CPU(colmax_scaled)(int m, int n, const void *a_, int lda, const double *rows, double *cols)
{
    const T *a = a_;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            const double x = (double)(abs1(*TW_AT(a, lda, i, j)) * (R)rows[i]);
            if (x > cols[j]) cols[j] = x;
        }
}

void CPU(laqge)(char part, int hermitian, int m, int n, void *a_, int lda, const double *r, const double *c)
{
    T *a = a_;

    for (int j = 0; j < n; j++) {
        const R cj = c ? (R)c[j] : 1;
        for (int i = part == 'L' ? j : 0; i < (part == 'U' && j + 1 < m ? j + 1 : m); i++) {
            const R by = cj * (r ? (R)r[i] : 1);
            T *x = TW_AT(a, lda, i, j);
            *x = hermitian && i == j ? by * TW_RE(*x) : by * *x;
        }
    }
}

void CPU(radix_powers)(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        const R v = (R)x[i];
        if (v > 0 && isfinite(v))
            x[i] = ldexp(1, TW_IS_SINGLE ? (int)(logf((float)v) / logf(2)) : (int)(log((double)v) / log(2)));
    }
}

double CPU(reciprocals)(int n, double *x, double least, double most)
{
    const R small = SAFEMIN, big = 1 / small;

    for (int i = 0; i < n; i++) {
        const R v = (R)x[i] < small ? small : (R)x[i] > big ? big : (R)x[i];
        x[i] = (double)(1 / v);
    }
    return (double)(((R)least > small ? (R)least : small) / ((R)most < big ? (R)most : big));
}
