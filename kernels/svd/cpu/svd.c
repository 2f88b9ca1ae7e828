/* What lies between the stages of a singular value problem: LAPACK's own routine for the bidiagonal matrix' values, and
 * the band's storage. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/dense/cpu/typed.h"
#include "kernels/svd/cpu/svd_cpu.h"
#include "types/dense/tiles.h"

/* OpenBLAS 0.3.21's cgemv and zgemv read past their matrix' last column: a copy with room behind it, NULL without
 * memory. */
static T *roomy(int m, int n, const T *a, int lda)
{
    const size_t room = TW_COLUMNS_BEHIND * (size_t)m + 16;
    T *copy = malloc(((size_t)m * (size_t)n + room) * sizeof *copy);

    for (int j = 0; copy && j < n; j++)
        memcpy(copy + (size_t)j * (size_t)m, a + (size_t)j * (size_t)lda, (size_t)m * sizeof *copy);
    if (copy) memset(copy + (size_t)m * (size_t)n, 0, room * sizeof *copy);
    return copy;
}

static int gesdd(char jobz, int m, int n, void *a, int lda, double *s, void *u, int ldu, void *vt, int ldvt)
{
    const int k = m < n ? m : n;
    R *values = malloc((size_t)k * sizeof *values);
    T *copy = TW_IS_COMPLEX ? roomy(m, n, a, lda) : a;
    int info = -1;

    if (values && copy) {
        tw_account_vendor("gesdd", k);
        info =
            (int)LAPACKE(gesdd)(LAPACK_COL_MAJOR, jobz, m, n, copy, TW_IS_COMPLEX ? m : lda, values, u, ldu, vt, ldvt);
        for (int i = 0; i < k; i++)
            s[i] = (double)values[i];
    }
    free(values);
    if (TW_IS_COMPLEX) free(copy);
    return info < 0 ? -1 : info;
}

static void store_band(int k, const void *r, int ldr, int l, const void *lh, int ldl, void *a, int across)
{
    const T *R1 = r, *L = lh;
    T *to = a;

    for (int j = 0; j < k; j++)
        for (int i = 0; i <= j; i++)
            to[(size_t)i + (size_t)j * (size_t)across] = R1[(size_t)i + (size_t)j * (size_t)ldr];
    for (int i = 0; i < k; i++)
        for (int j = 0; j <= i && j < l; j++)
            to[(size_t)i + (size_t)(k + j) * (size_t)across] = TW_CONJ(L[(size_t)j + (size_t)i * (size_t)ldl]);
}

/* Real numbers of an element. */
#define REALS (TW_IS_COMPLEX ? 2 : 1)

static void divide_rows(int m, int n, int first, const double *s, double tol, int e, void *c, int ldc)
{
    for (int i = 0; i < m; i++) {
        int of_s = 0;
        const double value = s[first + i], fraction = value > tol ? frexp(value, &of_s) : 0;
        for (int j = 0; j < n; j++) {
            R *at = (R *)c + ((size_t)i + (size_t)j * (size_t)ldc) * REALS;
            for (int p = 0; p < REALS; p++)
                at[p] = value > tol ? (R)ldexp((double)at[p] / fraction, e - of_s) : 0;
        }
    }
}

static void lengths(int m, int n, const void *r, int ldr, int e, int k, void *to, int ldt)
{
    for (int j = 0; j < n; j++) {
        const R *from = (const R *)r + (size_t)j * (size_t)ldr * REALS;
        R *at = (R *)to + (size_t)j * (size_t)ldt * REALS;
        double sum = 0;
        for (int i = 0; i < m * REALS; i++)
            sum += (double)from[i] * (double)from[i];
        memset(at, 0, (size_t)k * REALS * sizeof *at);
        if (k > 0) at[0] = (R)ldexp(sqrt(sum), e);
    }
}

#if TW_IS_COMPLEX
#define LASQ1 NULL
#else
/* In double precision for single, too: dqds works with squares, and those of single precision's smaller values are
 * below its range. */
static int lasq1(int n, void *d_, void *e_)
{
    const size_t count = (size_t)n;
    R *d = d_, *e = e_;
    double *values = malloc((6 * count + 1) * sizeof *values), *beside = values + count, none[1];
    int info = -1;

    if (values) {
        tw_account_vendor("lasq1", n);
        for (size_t i = 0; i < count; i++)
            values[i] = (double)d[i], beside[i] = i + 1 < count ? (double)e[i] : 0;
        info = (int)LAPACKE_dbdsqr_work(LAPACK_COL_MAJOR, 'U', n, 0, 0, 0, values, beside, none, 1, none, 1, none, 1,
                                        beside + count);
        for (size_t i = 0; i < count; i++)
            d[i] = (R)values[i];
        if (info < 0) info = n; /* it refuses NaN */
    }
    free(values);
    return info;
}
#define LASQ1 lasq1
#endif

const struct tw_svd_kernels TW_NAME(tw_cpu_, svd) = {LASQ1, gesdd, store_band, divide_rows, lengths};
