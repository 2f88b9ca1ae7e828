/* The steps of divide and conquer for a bidiagonal matrix: LAPACK's own for leaves and roots, what is between them for
 * columns in pieces. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/dense/cpu/typed.h"
#include "kernels/svd/cpu/lasd.h"

#if !TW_IS_COMPLEX

#if TW_IS_SINGLE
#define EPS   (FLT_EPSILON / 2)
#define LASD0 slasd0_
#define LASD4 slasd4_
#else
#define EPS   (DBL_EPSILON / 2)
#define LASD0 dlasd0_
#define LASD4 dlasd4_
#endif
#include "kernels/eigen/cpu/deflate.h"
void LASD0(const int *n, const int *sqre, R *d, R *e, R *u, const int *ldu, R *vt, const int *ldvt, const int *smlsiz,
           int *iwork, R *work, int *info);
void LASD4(const int *n, const int *i, const R *d, const R *z, R *delta, const R *rho, R *sigma, R *work, int *info);

/* A diagonal element that rounding could have made. LAPACK's bdsdc takes it for that, too: no merge meets a matrix of
 * zeros. */
static R not_less(R x)
{
    return (R)fabs((double)x) < (R)EPS ? (R)copysign((double)EPS, (double)x) : x;
}

/* ---- leaves ------------------------------------------------------------------------------------------------------ */

static void transpose(int n, R *a, int lda)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++) {
            R *x = a + (size_t)i + (size_t)j * (size_t)lda, *y = a + (size_t)j + (size_t)i * (size_t)lda;
            const R t = *x;
            *x = *y;
            *y = t;
        }
}

/* Which lasd0 wants to find. */
static void identity(int n, R *a, int lda)
{
    for (int j = 0; j < n; j++) {
        memset(a + (size_t)j * (size_t)lda, 0, (size_t)n * sizeof *a);
        a[(size_t)j * (size_t)lda + (size_t)j] = 1;
    }
}

static int leaf(int n, int null, const void *d, const void *e, void *s, void *u, int ldu, void *v, int ldv, void *work)
{
    enum { SMALL = 25 };
    const int rows = n - null, small = SMALL;
    R *values = s, *U = u, *off = work, *space = off + n;
    int *integers = (int *)(space + 3 * (size_t)n * (size_t)n + 2 * (size_t)n), info = 0;

    identity(n, U, ldu);
    identity(n, v, ldv);
    for (int i = 0; i < rows; i++) {
        values[i] = not_less(((const R *)d)[i]);
        off[i] = i + 1 < n ? ((const R *)e)[i] : 0;
    }
    if (rows > 0) {
        tw_account_vendor("lasd0", rows);
        LASD0(&rows, &null, values, off, U, &ldu, v, &ldv, &small, integers, space, &info);
        transpose(n, v, ldv);
    }
    if (null) values[rows] = 0;
    return info < 0 ? n : info;
}

/* ---- deflation --------------------------------------------------------------------------------------------------- */

/* The first half's null column keeps its z, which is not to be small; the second half's, if it has one, is turned into
 * it: of right vectors alone, since rows of zeros stay such. */
static void null_columns(struct deflation *f, int first, int second)
{
    R length = second < 0 ? (R)fabs((double)f->z[first]) : (R)hypot((double)f->z[first], (double)f->z[second]);

    if (second >= 0) {
        const int small = length <= f->tolerance;
        f->plan.pair[0] = first, f->plan.pair[1] = second;
        f->turn[0] = small ? 1 : f->z[first] / length;
        f->turn[1] = small ? 0 : f->z[second] / length;
        f->rotations = 1;
        f->kind[first] = BOTH;
        f->kind[second] = DEFLATED;
        f->z[first] = length;
    }
    if (length <= f->tolerance) f->z[first] = (R)copysign((double)f->tolerance, (double)f->z[first]);
    f->stay[f->k++] = first;
}

/* d's of the columns that stay, ascending from 0: none of them too near to it. z of length 1, rho its square. */
static void settle(const struct deflation *f, int m, R scale, R *numbers)
{
    R *d = TW_MERGE_AT(numbers, m, TW_MERGE_D), *z = TW_MERGE_AT(numbers, m, TW_MERGE_Z),
      *deflated = TW_MERGE_AT(numbers, m, TW_MERGE_DEFLATED);
    double sum = 0;

    if (f->k > 1 && d[1] < f->tolerance / 2) d[1] = f->tolerance / 2;
    for (int i = 0; i < f->k; i++)
        sum += (double)z[i] * (double)z[i];
    for (int i = 0; i < f->k; i++)
        z[i] = (R)((double)z[i] / sqrt(sum));
    for (int i = 0; i < f->deflated; i++)
        deflated[i] *= scale;
    *TW_MERGE_AT(numbers, m, TW_MERGE_RHO) = (R)sum;
    *TW_MERGE_SCALE(numbers, m) = scale;
}

static void deflate(int n1, int n2, int null, double alpha, double beta, const void *d1, const void *d2, const void *z1,
                    const void *z2, struct tw_merge_head *head, int32_t *plan, void *numbers, void *work)
{
    const int m = n1 + n2;
    const R a = not_less((R)alpha);
    struct key *order = work;
    R *d = (R *)(order + m), *z = d + m, largest = (R)fmax(fabs((double)a), fabs(beta)), scale;
    int32_t *kind = (int32_t *)(z + m);
    struct deflation f = {.d = d, .z = z, .rho = 1, .kind = kind, .stay = kind + m};
    int others = 0;

    f.gone = f.stay + m;
    f.plan = tw_merge_plan(plan, m);
    f.turn = TW_MERGE_AT((R *)numbers, m, TW_MERGE_ROTATIONS);
    for (int i = 0; i < m; i++) {
        d[i] = i < n1 ? ((const R *)d1)[i] : ((const R *)d2)[i - n1];
        if (!(d[i] <= largest)) largest = d[i];
    }
    scale = isfinite(largest) ? (R)ldexp(1, ilogb((double)largest)) : 1; /* squares are in range then */
    for (int i = 0; i < m; i++) {
        d[i] /= scale;
        z[i] = i < n1 ? a / scale * ((const R *)z1)[i] : (R)beta / scale * ((const R *)z2)[i - n1];
        kind[i] = i < n1 ? FIRST : SECOND;
        if (i != n1 - 1 && !(null && i == m - 1)) order[others++] = (struct key){(double)d[i], i};
    }
    qsort(order, (size_t)others, sizeof *order, by_d);
    f.tolerance = 8 * (R)EPS * (largest / scale);
    null_columns(&f, n1 - 1, null ? m - 1 : -1);
    look(&f, others, order);
    if (null) f.gone[f.deflated++] = m - 1;
    arrange(&f, m, head, numbers);
    settle(&f, m, scale, numbers);
}

/* ---- the secular equation ---------------------------------------------------------------------------------------- */

static void roots(int m, int k, int first, int count, const void *numbers, void *lambda, void *delta, void *part,
                  void *work)
{
    const R *d = TW_MERGE_AT((const R *)numbers, m, TW_MERGE_D), *z = TW_MERGE_AT((const R *)numbers, m, TW_MERGE_Z),
            rho = *TW_MERGE_AT((const R *)numbers, m, TW_MERGE_RHO), scale = *TW_MERGE_SCALE((const R *)numbers, m);
    R *product = part, *sums = work;

    if (count > 0) tw_account_vendor("lasd4", k);
    for (int i = 0; i < k; i++)
        product[i] = 1;
    for (int c = 0; c < count; c++) {
        const int j = first + c, number = j + 1;
        R *column = (R *)delta + (size_t)c * (size_t)k, sigma = (R)sqrt((double)rho);
        int info = 0;
        if (k > 1)
            LASD4(&k, &number, d, z, column, &rho, &sigma, sums, &info);
        else
            column[0] = -sigma, sums[0] = sigma;
        ((R *)lambda)[c] = info ? (R)NAN : sigma * scale;
        for (int i = 0; i < k; i++)
            column[i] *= sums[i];
        for (int i = 0; i < j; i++)
            product[i] *= column[i] / (d[i] - d[j]) / (d[i] + d[j]);
        for (int i = j + 1; i < k; i++)
            product[i] *= column[i] / (d[i] - d[j]) / (d[i] + d[j]);
        product[j] *= column[j];
    }
}

static void vectors(int left, int m, int k, int count, const void *numbers, const void *z, const int32_t *place,
                    const void *delta, void *s)
{
    const R *d = TW_MERGE_AT((const R *)numbers, m, TW_MERGE_D), *weight = z;

    for (int c = 0; c < count; c++) {
        const R *from = (const R *)delta + (size_t)c * (size_t)k;
        R *to = (R *)s + (size_t)c * (size_t)k;
        double sum = 0, x;

        for (int i = 0; i < k; i++) {
            x = left && i == 0 ? -1 : (double)weight[i] / (double)from[i] * (left ? (double)d[i] : 1);
            to[place[i]] = (R)x;
            sum += x * x;
        }
        for (int i = 0; i < k; i++)
            to[i] = (R)((double)to[i] / sqrt(sum));
    }
}

#define TABLE TW_CAT3(tw_cpu_, TW_P, lasd)
const struct tw_lasd_kernels TABLE = {leaf, deflate, roots, vectors};

#endif
