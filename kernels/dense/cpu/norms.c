/* Pieces of the max, one, infinity and Frobenius norms of a matrix: what one tile adds to them.
 *
 * Everything is accumulated in double. A NaN anywhere makes the result NaN (|x| of a complex number is NaN if one of
 * its parts is), Inf makes it Inf. */
#include <math.h>
#include "kernels/dense/cpu/typed.h"

/* |x| without overflow. Squares of floats are always safe in double; for doubles the rare unsafe ones go to hypot(). */
static inline double magnitude(T x)
{
#if !TW_IS_COMPLEX
    return fabs((double)x);
#else
    double re = TW_RE(x), im = TW_IM(x), s = re * re + im * im;
#if !TW_IS_SINGLE
    if (!(s >= 1e-280 && s <= 1e300) && s == s) return hypot(re, im);
#endif
    return sqrt(s);
#endif
}

/* A diagonal element as the norm has to see it: ones if diag is 'U', without the imaginary part in a hermitian tile. */
static inline T diagonal(enum tw_structure s, char diag, T x)
{
    if (s == TW_STRUCT_TRIANGULAR && diag == 'U') return 1;
    return s == TW_STRUCT_HERMITIAN ? TW_RE(x) : x;
}

/* The strict part of column j that is stored, [*from, *to), and in *on whether its diagonal element is one apart:
 * full tiles have no diagonal of their own. */
static inline void stored(char uplo, int m, int j, int *from, int *to, int *on)
{
    *on = uplo != 'G' && j < m;
    *from = uplo == 'L' ? j + 1 : 0;
    *to = uplo == 'U' && j < m ? j : m;
}

/* The largest |x_i| of a run, NaN where one of them is: in lanes, without a branch. Of complex numbers the largest
 * square, and one root at the end; where that is not safe, one by one. */
static double one_by_one(int n, const T *x)
{
    double max = 0;
    for (int i = 0; i < n; i++) {
        double s = magnitude(x[i]);
        if (max < s || s != s) max = s; /* once NaN, max stays NaN: no comparison with it is true */
    }
    return max;
}
#if TW_IS_COMPLEX || TW_IS_SINGLE
#define LANE double
#else
#define LANE R
#endif
static inline LANE size_for_lane(T x)
{
#if TW_IS_COMPLEX
    double re = TW_RE(x), im = TW_IM(x);
    return re * re + im * im;
#else
    return (LANE)fabs((double)x);
#endif
}
static double largest(int n, const T *x)
{
    enum { LANES = 8 };
    LANE lane[LANES] = {0}, max = 0;
    long long bad[LANES] = {0}, any = 0;
    int i = 0;

    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++) {
            LANE s = size_for_lane(x[i + l]);
            lane[l] = s > lane[l] ? s : lane[l];
            bad[l] |= s != s;
        }
    for (int l = 0; l < LANES; l++) {
        max = lane[l] > max ? lane[l] : max;
        any |= bad[l];
    }
    if (any) return one_by_one(n, x);
#if TW_IS_COMPLEX
    if (i > 0 && !(max >= 1e-280 && max <= 1e300)) return one_by_one(n, x);
    max = sqrt(max);
#endif
    double rest = one_by_one(n - i, x + i);
    return rest != rest || rest > (double)max ? rest : (double)max;
}

void CPU(normmax)(enum tw_structure s, char uplo, char diag, int m, int n, const void *a_, int lda, double *value)
{
    const T *a = a_;
    double max = *value;
    for (int j = 0; j < n; j++) {
        const T *column = TW_AT(a, lda, 0, j);
        int from, to, on;
        stored(uplo, m, j, &from, &to, &on);
        if (from < to) {
            double x = largest(to - from, column + from);
            if (max < x || x != x) max = x; /* once NaN, max stays NaN: no comparison with it is true */
        }
        if (on) {
            double x = magnitude(diagonal(s, diag, column[j]));
            if (max < x || x != x) max = x;
        }
    }
    *value = max;
}

/* Sum of |x_i|, in four interleaved partial sums (latency), in a fixed order. */
static double sum_magnitudes(int n, const T *x)
{
    double part[4] = {0, 0, 0, 0};
    int i;
    for (i = 0; i + 4 <= n; i += 4)
        for (int l = 0; l < 4; l++)
            part[l] += magnitude(x[i + l]);
    for (; i < n; i++)
        part[0] += magnitude(x[i]);
    return (part[0] + part[1]) + (part[2] + part[3]);
}

static void add_magnitudes(int n, const T *x, double *sum)
{
    for (int i = 0; i < n; i++)
        sum[i] += magnitude(x[i]);
}

void CPU(normsum)(enum tw_structure s, char uplo, char diag, int m, int n, const void *a_, int lda, double *rows,
                  double *cols)
{
    const T *a = a_;
    if (uplo != 'G' && (s == TW_STRUCT_SYMMETRIC || s == TW_STRUCT_HERMITIAN)) {
        double *both = cols ? cols : rows; /* one vector: a stored element counts in its row and in its column */
        if (both == NULL) return;
        if (rows && rows != both) CPU(normsum)(s, uplo, diag, m, n, a, lda, rows, rows);
        rows = cols = both;
    }
    for (int j = 0; j < n; j++) {
        const T *column = TW_AT(a, lda, 0, j);
        int from, to, on;
        stored(uplo, m, j, &from, &to, &on);
        if (cols && from < to) cols[j] += sum_magnitudes(to - from, column + from);
        if (rows && from < to) add_magnitudes(to - from, column + from, rows + from);
        if (on) {
            double x = magnitude(diagonal(s, diag, column[j]));
            if (cols) cols[j] += x;
            if (rows && rows != cols) rows[j] += x;
        }
    }
}

/* sum (x_i * factor)^2 over the real and imaginary parts. */
static double sum_squares(int n, const T *x, double factor)
{
    double part[4] = {0, 0, 0, 0};
    const R *r = (const R *)x;
    int i, count = TW_IS_COMPLEX ? 2 * n : n;
    for (i = 0; i + 4 <= count; i += 4)
        for (int l = 0; l < 4; l++)
            part[l] += (r[i + l] * factor) * (r[i + l] * factor);
    for (; i < count; i++)
        part[0] += (r[i] * factor) * (r[i] * factor);
    return (part[0] + part[1]) + (part[2] + part[3]);
}

/* acc = (scale, sum) of the union of two sets (LAPACK's lassq). Equal scales apart: Inf / Inf is NaN. */
static void combine(double acc[2], double scale, double sum)
{
    if (scale == acc[0]) {
        acc[1] += sum;
    } else if (scale > acc[0]) {
        acc[1] = sum + acc[1] * (acc[0] / scale) * (acc[0] / scale);
        acc[0] = scale;
    } else {
        acc[1] += sum * (scale / acc[0]) * (scale / acc[0]);
    }
}

/* Largest part (real or imaginary) in absolute value, NaN if there is one. */
static double largest_part(enum tw_structure s, char uplo, char diag, int m, int n, const T *a, int lda)
{
    double max = 0;
    for (int j = 0; j < n; j++) {
        const T *column = TW_AT(a, lda, 0, j);
        int from, to, on, last;
        stored(uplo, m, j, &from, &to, &on);
        last = to + on; /* one turn more for the diagonal */
        for (int i = from; i < last; i++) {
            T x = i < to ? column[i] : diagonal(s, diag, column[j]);
            double re = fabs((double)TW_RE(x)), im = fabs((double)TW_IM(x));
            if (max < re || re != re) max = re;
            if (max < im || im != im) max = im;
        }
    }
    return max;
}

/* One power of two for the tile keeps all squares in range and costs no rounding: that of its largest part. */
void CPU(normfro)(enum tw_structure s, char uplo, char diag, int m, int n, const void *a_, int lda, int weight,
                  double acc[2])
{
    const T *a = a_;
    double twice = uplo != 'G' && (s == TW_STRUCT_SYMMETRIC || s == TW_STRUCT_HERMITIAN) ? 2 : 1;
    double max = largest_part(s, uplo, diag, m, n, a, lda), factor, sum = 0;
    int e;
    if (max == 0) return;
    if (max != max || isinf(max)) {
        combine(acc, isinf(max) ? max : 1, isinf(max) ? 1 : max);
        return;
    }
    e = ilogb(max) < -1022 ? -1022 : ilogb(max); /* 2^-e must not overflow */
    factor = ldexp(1, -e);
    for (int j = 0; j < n; j++) {
        const T *column = TW_AT(a, lda, 0, j);
        int from, to, on;
        stored(uplo, m, j, &from, &to, &on);
        if (from < to) sum += twice * sum_squares(to - from, column + from, factor);
        if (on) {
            T x = diagonal(s, diag, column[j]);
            sum += sum_squares(1, &x, factor);
        }
    }
    combine(acc, ldexp(1, e), weight * sum);
}

void CPU(colmax)(int m, int n, const void *a_, int lda, double *cols)
{
    const T *a = a_;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            T y = *TW_AT(a, lda, i, j);
            double x = fabs((double)TW_RE(y)) + fabs((double)TW_IM(y));
            if (cols[j] < x || x != x) cols[j] = x;
        }
}

void CPU(colfro)(int m, int n, const void *a, int lda, double *acc)
{
    for (int j = 0; j < n; j++)
        CPU(normfro)(TW_STRUCT_GENERAL, 'G', 'N', m, 1, TW_AT((const T *)a, lda, 0, j), lda, 1, acc + 2 * (size_t)j);
}
