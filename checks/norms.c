/* Norms, by loops of its own: what is wrong with a BLAS or a LAPACK cannot hide in what its results are divided by, and
 * sums in double precision do not overflow where single precision's would. */
#include <stdlib.h>

#include "checks/blas.h"

double check_max(tw_int n, const double *v)
{
    double most = 0;
    for (tw_int i = 0; i < n; i++)
        most = check_worse(most, v[i]);
    return most;
}

/* sizes[i] = |a[i]| of `count` elements in a row. */
static void sizes_of(enum tw_type type, tw_int count, const void *a, double *sizes)
{
    const float *s = a;
    const double *d = a;

    switch (type) {
    case TW_FLOAT:
        for (tw_int i = 0; i < count; i++)
            sizes[i] = fabs((double)s[i]);
        break;
    case TW_DOUBLE:
        for (tw_int i = 0; i < count; i++)
            sizes[i] = fabs(d[i]);
        break;
    case TW_COMPLEX_FLOAT: /* squares do not overflow in double precision */
        for (tw_int i = 0; i < count; i++)
            sizes[i] = sqrt((double)s[2 * i] * (double)s[2 * i] + (double)s[2 * i + 1] * (double)s[2 * i + 1]);
        break;
    default:
        for (tw_int i = 0; i < count; i++)
            sizes[i] = hypot(d[2 * i], d[2 * i + 1]);
    }
}

static const void *column(enum tw_type type, const void *a, tw_int i, tw_int j, tw_int lda)
{
    return (const char *)a + (size_t)(i + j * lda) * check_sizeof(type);
}

static double sum_of(tw_int n, const double *v)
{
    double sum = 0;
    for (tw_int i = 0; i < n; i++)
        sum += v[i];
    return sum;
}

double check_norm_ge(enum tw_type type, tw_int m, tw_int n, const void *a, tw_int lda)
{
    double most = 0, *sizes;

    if (m == 0 || n == 0) return 0;
    if (!(sizes = malloc((size_t)m * sizeof *sizes))) return NAN;
    for (tw_int j = 0; j < n; j++) {
        sizes_of(type, m, column(type, a, 0, j, lda), sizes);
        most = check_worse(most, sum_of(m, sizes));
    }
    free(sizes);
    return most;
}

/* Of the other triangle each element counts in its mirror's column; of the diagonal the real part. */
double check_norm_he(enum tw_type type, enum tw_uplo uplo, tw_int n, const void *a, tw_int lda)
{
    double most, *sizes, *sums, diagonal[2];

    if (n == 0) return 0;
    if (!(sizes = calloc(2 * (size_t)n, sizeof *sizes))) return NAN;
    sums = sizes + n;
    for (tw_int j = 0; j < n; j++) {
        const tw_int first = uplo == TW_LOWER ? j + 1 : 0, count = uplo == TW_LOWER ? n - j - 1 : j;
        sizes_of(type, count, column(type, a, first, j, lda), sizes);
        for (tw_int i = 0; i < count; i++)
            sums[first + i] += sizes[i];
        check_get(type, a, (size_t)(j + j * lda), diagonal);
        sums[j] += sum_of(count, sizes) + fabs(diagonal[0]);
    }
    most = check_max(n, sums);
    free(sizes);
    return most;
}

double check_norm_tr(enum tw_type type, char norm, enum tw_uplo uplo, tw_int n, const void *a, tw_int lda)
{
    double most = 0, *sizes, *sums;

    if (n == 0) return 0;
    if (!(sizes = calloc(2 * (size_t)n, sizeof *sizes))) return NAN;
    sums = sizes + n;
    for (tw_int j = 0; j < n; j++) {
        const tw_int first = uplo == TW_LOWER ? j : 0, count = uplo == TW_LOWER ? n - j : j + 1;
        sizes_of(type, count, column(type, a, first, j, lda), sizes);
        if (norm == 'M') most = check_worse(most, check_max(count, sizes));
        if (norm == '1') most = check_worse(most, sum_of(count, sizes));
        for (tw_int i = 0; norm == 'I' && i < count; i++)
            sums[first + i] += sizes[i];
    }
    if (norm == 'I') most = check_max(n, sums);
    free(sizes);
    return most;
}

double check_norm_max(enum tw_type type, tw_int n, const void *a, tw_int lda)
{
    return check_worse(check_norm_tr(type, 'M', TW_LOWER, n, a, lda), check_norm_tr(type, 'M', TW_UPPER, n, a, lda));
}
