/* QR factors of a block of columns, and LQ factors of a block of rows, with the triangle T of their block reflector: the columns are
 * halved, down to a few that are done one by one, and T grows with them.
 *
 * LAPACK's storage and signs: H(j) = I - tau v v^H, H(k)^H ... H(1)^H A = R, v below R's diagonal; LQ is the adjoint of A^H's QR. */
#include <float.h>
#include <math.h>
#include <lapacke.h>
#include "kernels/dense/cpu/typed.h"

#define BASE  8 /* columns that are done one by one */
#define LANES 8

/* Sum of squares of x's parts, in double. */
static double sum_squares(int m, const T *x)
{
    const R *r = (const R *)x;
    double lane[LANES] = {0};
    int i = 0, count = TW_IS_COMPLEX ? 2 * m : m;
    for (; i + LANES <= count; i += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += (double)r[i + l] * (double)r[i + l];
    for (; i < count; i++)
        lane[0] += (double)r[i] * (double)r[i];
    for (int l = 1; l < LANES; l++)
        lane[0] += lane[l];
    return lane[0];
}

/* Are squares, their sum, beta and 1 / (alpha - beta) far from the ends of the range? */
static int in_range(double s)
{
    return TW_IS_SINGLE ? s > 1e-60 && s < 1e60 : s > 1e-260 && s < 1e260;
}

/* The reflector that takes (alpha, x) to (beta, 0), LAPACK's larfg: alpha becomes beta, x the rest of v. */
static T reflector(int m, T *alpha, T *x)
{
    double tail = sum_squares(m - 1, x), re = (double)TW_RE(*alpha), im = (double)TW_IM(*alpha);
    double norm = sqrt(tail + re * re + im * im), beta = -copysign(norm, re);
    T tau = 0, scale = (R)(re - beta);

    if (!in_range(tail) || !in_range(norm * norm)) { /* zero, tiny, huge, NaN */
        LAPACKE(larfg_work)(m, alpha, x, 1, &tau);
        return tau;
    }
    tau = (R)((beta - re) / beta);
#if TW_IS_COMPLEX
    __imag__ tau = (R)(-im / beta);
    __imag__ scale = (R)im;
#endif
    scale = 1 / scale;
    for (int i = 0; i + 1 < m; i++)
        x[i] = tw_mul(x[i], scale);
    *alpha = (R)beta;
    return tau;
}

/* C -= conj(tau) v w^H */
static void update(int m, int n, T tau, const T *v, const T *w, T *c, int ldc)
{
    T factor = -TW_CONJ(tau);
    if (n <= 0) return;
#if TW_IS_COMPLEX
    BLAS(gerc)(CblasColMajor, m, n, TW_ARG(factor), v, 1, w, 1, c, ldc);
#else
    BLAS(ger)(CblasColMajor, m, n, factor, v, 1, w, 1, c, ldc);
#endif
}

/* n <= BASE, n <= m. One product with v serves the update of the columns after it and T's column, which needs v's products with the
 * reflectors before it. */
static void few_columns(int m, int n, T *a, int lda, T *tau, T *t, int ldt)
{
    T one = 1, zero = 0, w[BASE];
    for (int j = 0; j < n; j++) {
        T *v = TW_AT(a, lda, j, j), beta;
        tau[j] = reflector(m - j, v, v + 1);
        beta = *v;
        *v = 1;
        BLAS(gemv)
        (CblasColMajor, CblasConjTrans, m - j, n, TW_ARG(one), TW_AT(a, lda, j, 0), lda, v, 1, TW_ARG(zero), w, 1);
        update(m - j, n - j - 1, tau[j], v, w + j + 1, TW_AT(a, lda, j, j + 1), lda);
        *v = beta;
        for (int i = 0; i < j; i++) { /* T(0:j, j) = -tau T(0:j, 0:j) w */
            T sum = 0;
            for (int c = i; c < j; c++)
                sum += tw_mul(*TW_AT(t, ldt, i, c), w[c]);
            *TW_AT(t, ldt, i, j) = -tw_mul(tau[j], sum);
        }
        *TW_AT(t, ldt, j, j) = tau[j];
    }
}

static void factor(int m, int n, T *a, int lda, T *tau, T *t, int ldt, T *work)
{
    int k = tw_min(m, n), n1 = k <= BASE ? k : tw_half(k), n2 = n - n1;
    T *a12 = TW_AT(a, lda, 0, n1), *a22 = TW_AT(a, lda, n1, n1);

    if (k <= BASE)
        few_columns(m, n1, a, lda, tau, t, ldt);
    else
        factor(m, n1, a, lda, tau, t, ldt, work);
    if (n2 == 0) return;
    CPU(larfb)('L', 'C', 'C', m, n2, n1, a, lda, t, ldt, a12, lda, work);
    if (k == n1) return;
    factor(m - n1, n2, a22, lda, tau + n1, TW_AT(t, ldt, n1, n1), ldt, work);
    CPU(larft_join)('C', m, n1, k - n1, a, lda, t, ldt);
}

void CPU(geqrf)(int m, int n, void *a, int lda, void *tau, void *t, int ldt, void *work)
{
    if (m <= 0 || n <= 0) return;
    factor(m, n, a, lda, tau, t, ldt, work);
    CPU(clear_below)(tw_min(m, n), t, ldt);
}

void CPU(gelqf)(int m, int n, void *a, int lda, void *tau, void *t, int ldt, void *work)
{
    T *adjoint = work;
    if (m <= 0 || n <= 0) return;
    CPU(transpose)('C', m, n, a, lda, adjoint, n);
    CPU(geqrf)(n, m, adjoint, n, tau, t, ldt, adjoint + (size_t)m * (size_t)n);
    CPU(transpose)('C', n, m, adjoint, n, a, lda);
}
