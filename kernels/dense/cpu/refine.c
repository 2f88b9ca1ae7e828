/* What error bounds are made of, as LAPACK's ?gerfs makes them: products of absolute values, ratios of residuals. |z|
 * is |re| + |im|. */
#include <float.h>
#include <math.h>
#include "kernels/dense/cpu/typed.h"

#if TW_IS_SINGLE
#define EPS       ((R)0x1p-24)
#define SAFEMIN   FLT_MIN
#define REAL_GEMM cblas_sgemm
#else
#define EPS       ((R)0x1p-53)
#define SAFEMIN   DBL_MIN
#define REAL_GEMM cblas_dgemm
#endif

static inline R abs1(T x)
{
    return (R)(fabs((double)TW_RE(x)) + fabs((double)TW_IM(x)));
}

void CPU(laabs)(int m, int n, const void *a_, int lda, void *b_, int ldb)
{
    const T *a = a_;
    T *b = b_;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            *TW_AT(b, ldb, i, j) = abs1(*TW_AT(a, lda, i, j));
}

/* |A| of a tile, whole: what is not stored is mirrored or zero. */
static void full_abs(enum tw_structure s, char uplo, char diag, int m, int n, const T *a, int lda, R *to)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            const int here = uplo == 'G' || (uplo == 'L' ? i >= j : i <= j);
            R v = here ? abs1(*TW_AT(a, lda, i, j)) : s == TW_STRUCT_TRIANGULAR ? 0 : abs1(*TW_AT(a, lda, j, i));
            if (i == j && s == TW_STRUCT_HERMITIAN && uplo != 'G') v = (R)fabs((double)TW_RE(*TW_AT(a, lda, i, j)));
            if (i == j && s == TW_STRUCT_TRIANGULAR && uplo != 'G' && diag == 'U') v = 1;
            *TW_AT(to, m, i, j) = v;
        }
}

void CPU(absmm)(enum tw_structure s, char uplo, char diag, char trans, int m, int n, int k, const void *a, int lda,
                const void *x_, int ldx, void *w_, int ldw, void *work)
{
    const int inner = trans == 'N' ? n : m, outer = trans == 'N' ? m : n;
    R *absa = work, *absx = absa + (size_t)m * (size_t)n, *sum = absx + (size_t)inner * (size_t)k;
    const T *x = x_;
    T *w = w_;

    full_abs(s, uplo, diag, m, n, a, lda, absa);
    for (int j = 0; j < k; j++)
        for (int i = 0; i < inner; i++)
            *TW_AT(absx, inner, i, j) = abs1(*TW_AT(x, ldx, i, j));
    REAL_GEMM(CblasColMajor, trans == 'N' ? CblasNoTrans : CblasTrans, CblasNoTrans, outer, k, inner, 1, absa, m, absx,
              inner, 0, sum, outer);
    for (int j = 0; j < k; j++)
        for (int i = 0; i < outer; i++)
            *TW_AT(w, ldw, i, j) += *TW_AT(sum, outer, i, j);
}

double CPU(berr)(int n, double nz, const void *r_, const void *w_)
{
    const R safe1 = (R)(nz * (double)SAFEMIN), safe2 = safe1 / EPS;
    const T *r = r_, *w = w_;
    R most = 0;

    for (int i = 0; i < n; i++) {
        const R sum = TW_RE(w[i]), ratio = sum > safe2 ? abs1(r[i]) / sum : (abs1(r[i]) + safe1) / (sum + safe1);
        if (!(ratio <= most)) most = ratio;
        if (most != most) break;
    }
    return (double)most;
}

void CPU(ferr_weights)(int n, double nz, const void *r_, const void *w_, void *f_)
{
    const R safe1 = (R)(nz * (double)SAFEMIN), safe2 = safe1 / EPS;
    const T *r = r_, *w = w_;
    T *f = f_;

    for (int i = 0; i < n; i++)
        f[i] = abs1(r[i]) + (R)nz * EPS * TW_RE(w[i]) + (TW_RE(w[i]) > safe2 ? 0 : safe1);
}

double CPU(max1)(int n, const void *x_)
{
    const T *x = x_;
    R most = 0;

    for (int i = 0; i < n; i++)
        if (abs1(x[i]) > most) most = abs1(x[i]);
    return (double)most;
}
