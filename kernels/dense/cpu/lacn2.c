/* One turn of LAPACK's estimator of a 1-norm, and the triangular solves that no overflow can spoil, by LAPACK's
 * latrs. */
#include <math.h>

#include "kernels/dense/cpu/typed.h"
#include "types/dense/lacn2.h"

#define LATRS TW_CAT3(, TW_P, latrs_)
void CPU(lacn2)(int n, void *v, void *x, int32_t *isgn, double *est, int32_t *kase, int32_t isave[3])
{
    lapack_int k = *kase, save[3] = {isave[0], isave[1], isave[2]};
    R e = (R)*est;

#if TW_IS_COMPLEX
    (void)isgn;
    LAPACKE(lacn2_work)(n, v, x, &e, &k, save);
#else
    LAPACKE(lacn2_work)(n, v, x, isgn, &e, &k, save);
#endif
    *kase = k;
    *est = (double)e;
    for (int i = 0; i < 3; i++)
        isave[i] = save[i];
}

int CPU(finite)(int m, int n, const void *a_, int lda)
{
    const T *a = a_;

    for (int j = 0; j < n; j++) {
        R sum = 0; /* 0 x is 0, or NaN */
        for (int i = 0; i < m; i++)
            sum += 0 * TW_RE(*TW_AT(a, lda, i, j)) + 0 * TW_IM(*TW_AT(a, lda, i, j));
        if (sum != 0) return 0;
    }
    return 1;
}

/* The largest |re| or |im| of a finite x is below 2^this, and not below half of that; very small if x = 0. */
static int64_t exponent(int m, int n, const T *x, int ldx)
{
    R most = 0;
    int e;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            const R re = (R)fabs((double)TW_RE(*TW_AT(x, ldx, i, j))),
                    im = (R)fabs((double)TW_IM(*TW_AT(x, ldx, i, j)));
            if (re > most) most = re;
            if (im > most) most = im;
        }
    if (most == 0) return -(INT64_C(1) << 40);
    (void)frexp((double)most, &e);
    return e;
}

/* x 2^e */
static void shift(int n, T *x, int64_t e)
{
    const int by = e > 5000 ? 5000 : e < -5000 ? -5000 : (int)e;

    for (int i = 0; i < n; i++) {
        __real__ x[i] = (R)ldexp((double)TW_RE(x[i]), by);
#if TW_IS_COMPLEX
        __imag__ x[i] = (R)ldexp((double)TW_IM(x[i]), by);
#endif
    }
}

void CPU(shift)(int n, void *x, int64_t e)
{
    shift(n, x, e);
}

static int finite_triangle(char uplo, char diag, int n, const void *a_, int lda)
{
    const T *a = a_;

    for (int j = 0; j < n; j++) {
        const int unit = diag == 'U', from = uplo == 'L' ? j + unit : 0, to = uplo == 'L' ? n : j + 1 - unit;
        if (to > from && !CPU(finite)(to - from, 1, TW_AT(a, lda, from, j), lda)) return 0;
    }
    return 1;
}

void CPU(latrs)(char uplo, char trans, char diag, int n, const void *a, int lda, void *x_, int64_t *e, double *work)
{
    const lapack_int order = n, ld = lda;
    const int64_t top = exponent(n, 1, x_, n);
    lapack_int info = 0;
    R scale = 1, *cnorm = (R *)(void *)work;
    T *x = x_;
    int q;

    if (*e == TW_HOPELESS || top < -(INT64_C(1) << 39)) return; /* x = 0 */
    if (!finite_triangle(uplo, diag, n, a, lda)) {
        *e = TW_HOPELESS;
        return;
    }
    shift(n, x, -top);
    LATRS(&uplo, &trans, &diag, "N", &order, a, &ld, x, &scale, cnorm, &info, 1, 1, 1, 1);
    if (!(scale > 0) || info || !CPU(finite)(n, 1, x, n)) { /* a zero on the diagonal */
        *e = TW_HOPELESS;
        return;
    }
    const double m = frexp((double)scale, &q);
    for (int i = 0; i < n; i++)
        x[i] *= (R)(1 / m);
    *e += top - q;
}

void CPU(latrs_update)(char trans, int m, int n, const void *a, int lda, const void *x, int64_t ex, void *y,
                       int64_t *ey, void *work)
{
    const int inner = trans == 'N' ? n : m, outer = trans == 'N' ? m : n;
    const int64_t large_a = exponent(m, n, a, lda), large_x = exponent(inner, 1, x, inner),
                  large_y = exponent(outer, 1, y, outer);
    int64_t product, e, spread = 2;
    T *t = work;

    if (*ey == TW_HOPELESS || ex == TW_HOPELESS || !CPU(finite)(m, n, a, lda)) {
        *ey = TW_HOPELESS;
        return;
    }
    if (large_a < -(INT64_C(1) << 39) || large_x < -(INT64_C(1) << 39)) return;
    while (inner >> spread)
        spread++;
    product = large_a + large_x + spread + ex;
    e = product > large_y + *ey ? product : large_y + *ey; /* y becomes of size 1 */
    if (e < ex + large_x - (TW_IS_SINGLE ? 100 : 1000)) e = ex + large_x - (TW_IS_SINGLE ? 100 : 1000);
    for (int i = 0; i < inner; i++)
        t[i] = ((const T *)x)[i];
    shift(inner, t, ex - e);
    shift(outer, y, *ey - e);
    CPU(gemm)(trans, 'N', outer, 1, inner, tw_minus_one, a, lda, t, inner, tw_one, y, outer);
    *ey = e;
}
