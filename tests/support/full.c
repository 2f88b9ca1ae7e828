/* Full double complex copies of stored matrices, and what the residuals need of them. */
#include "tt.h"

#include <cblas.h>
#include <complex.h>
#include <math.h>

/* With room for four more columns, none of which counts: OpenBLAS' zgemv and zdotc, below LAPACK's zgesvd, read so far
 * behind a row (tw_room_behind). */
static tt_z *zeros(tw_int m, tw_int n)
{
    size_t count = (size_t)(m > 0 ? m : 1) * (size_t)(n > 0 ? n : 1);
    tt_z *x = calloc(count + 4 * (size_t)(m > 0 ? m : 1), sizeof *x);
    if (!x) {
        fprintf(stderr, "no memory for a checker's copy of %zu elements\n", count);
        exit(1);
    }
    return x;
}

static tt_z stored(enum tt_structure s, enum tw_type t, char uplo, char diag, const void *a, tw_int lda, tw_int i,
                   tw_int j)
{
    int here = uplo == 'L' ? i >= j : uplo == 'U' ? i <= j : 1;

    if (s == TT_GENERAL) return tt_get(t, a, (size_t)(i + j * lda));
    if (i == j && s == TT_TRIANGULAR && diag == 'U') return 1;
    if (i == j && s == TT_HERMITIAN) return creal(tt_get(t, a, (size_t)(i + j * lda)));
    if (here) return tt_get(t, a, (size_t)(i + j * lda));
    if (s == TT_TRIANGULAR) return 0;
    return s == TT_HERMITIAN ? conj(tt_get(t, a, (size_t)(j + i * lda))) : tt_get(t, a, (size_t)(j + i * lda));
}

tt_z *tt_full(enum tt_structure s, enum tw_type t, char uplo, char diag, tw_int m, tw_int n, const void *a, tw_int lda)
{
    tt_z *x = zeros(m, n);
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i++)
            x[i + j * m] = stored(s, t, uplo, diag, a, lda, i, j);
    return x;
}

tt_z *tt_op(char trans, tw_int m, tw_int n, tt_z *x)
{
    tt_z *y;
    if (trans == 'N') return x;
    y = zeros(n, m);
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i++)
            y[j + i * n] = trans == 'C' ? conj(x[i + j * m]) : x[i + j * m];
    free(x);
    return y;
}

void tt_multiply(tw_int m, tw_int n, tw_int k, tt_z alpha, const tt_z *a, const tt_z *b, tt_z beta, tt_z *c)
{
    if (m > 0 && n > 0)
        cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)n, (int)k, &alpha, a, (int)m, b,
                    k > 0 ? (int)k : 1, &beta, c, (int)m);
}

static long double max_or_nan(long double x, long double v)
{
    return isnan(x) || isnan(v) ? (long double)NAN : v > x ? v : x;
}

/* No scaling needed: the squares of all doubles fit into a long double. Exact for real values. */
static long double modulus(tt_z v)
{
    long double re = creal(v), im = cimag(v);
    return im == 0 ? fabsl(re) : sqrtl(re * re + im * im);
}

static long double line_norm(tw_int lines, tw_int length, tw_int line_step, tw_int step, const tt_z *x)
{
    long double best = 0;
    for (tw_int l = 0; l < lines; l++) {
        long double sum = 0;
        for (tw_int e = 0; e < length; e++)
            sum += modulus(x[l * line_step + e * step]);
        best = max_or_nan(best, sum);
    }
    return best;
}

double tt_norm(char norm, tw_int m, tw_int n, const tt_z *x)
{
    long double value = 0;

    if (m <= 0 || n <= 0) return 0;
    if (norm == 'O') return (double)line_norm(n, m, m, 1, x);
    if (norm == 'I') return (double)line_norm(m, n, 1, m, x);
    for (tw_int e = 0; e < m * n; e++) {
        long double v = modulus(x[e]);
        value = norm == 'M' ? max_or_nan(value, v) : value + v * v;
    }
    return (double)(norm == 'M' ? value : sqrtl(value));
}
