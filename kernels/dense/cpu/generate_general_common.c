/* General matrices that are hard on one thing or another, or have a known answer. */
#include <math.h>
#include <string.h>
#include "kernels/dense/cpu/generate.h"
#include "runtime/base/types.h"

/* The same bits with every instruction set: no fused operations. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

/* ---- sums of products of vectors --------------------------------------------------------------------------------- */

/* x(i) += or -= sum_l x_l(i) conj(y_l(j)) */
static void add_products(const tw_generator *g, double *work, double sign, tw_int i0, tw_int m, tw_int j,
                         double *restrict re, double *restrict im)
{
    for (tw_int l = 0; l < g->k; l++) {
        const struct tw_outer o = tw_outer_product(g, work, l);
        const double *restrict xr = o.xr + i0, *restrict xi = o.xi + i0;
        const double yr = sign * o.yr[j], yi = sign * o.yi[j];
        if (im)
            for (tw_int i = 0; i < m; i++) {
                re[i] += xr[i] * yr + xi[i] * yi;
                im[i] += xi[i] * yr - xr[i] * yi;
            }
        else
            for (tw_int i = 0; i < m; i++)
                re[i] += xr[i] * yr;
    }
}

static void clear(tw_int m, double *re, double *im)
{
    memset(re, 0, (size_t)m * sizeof *re);
    if (im) memset(im, 0, (size_t)m * sizeof *im);
}

/* io/dense/generate_svd.c: D - sum_l x_l y_l^H. */
void tw_column_svd(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    const tw_int k = tw_min(g->m, g->n);

    clear(m, re, im);
    if (j >= i0 && j < i0 + m && j < k) re[j - i0] = g->work[j];
    add_products(g, g->work + k, -1.0, i0, m, j, re, im);
}

void tw_column_lowrank(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    clear(m, re, im);
    add_products(g, g->work, 1.0, i0, m, j, re, im);
}

/* ---- tables of cosines (io/dense/generate_waves.c) --------------------------------------------------------------- */

static double sign(const tw_generator *g, int of_column, tw_int i)
{
    return tw_hash(g->stream[of_column], i, -1) & 1 ? -1.0 : 1.0;
}

void tw_column_orthogonal(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    const tw_int n = tw_max(g->m, g->n);
    const double *c = g->work, *s = c + n, *p = s + n + i0;
    const uint64_t q = (uint64_t)s[2 * n + j];

    for (tw_int i = 0; i < m; i++) {
        const uint64_t k = (uint64_t)p[i] * q % (uint64_t)n;
        const double both = sign(g, 1, j) * sign(g, 0, i0 + i);
        re[i] = both * c[k];
        if (im) im[i] = both * s[k];
    }
}

void tw_column_chebyshev(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    (void)im;
    for (tw_int i = 0; i < m; i++)
        re[i] = g->work[(uint64_t)j * (uint64_t)(2 * (i0 + i) + 1) % (uint64_t)(4 * g->m)];
}

/* ---- random ones ------------------------------------------------------------------------------------------------- */

/* Powers of two from 0 down to -levels over n rows or columns. */
static int grade(double levels, tw_int i, tw_int n)
{
    return n > 1 ? -(int)lround(levels * (double)i / (double)(n - 1)) : 0;
}

void tw_column_graded(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    tw_column_random(g, i0, m, j, re, im);
    for (tw_int i = 0; i < m; i++) {
        const int e = grade(g->scale, i0 + i, g->m) + grade(g->scale, j, g->n);
        re[i] = ldexp(re[i], e);
        if (im) im[i] = ldexp(im[i], e);
    }
}

/* The diagonal is twice what the others of a row or column can add up to: elimination keeps it so, and even |re| +
 * |im|, which is at most sqrt(2) |a|, finds the pivot there. Entries are below sqrt(2) if complex. */
void tw_column_dominant(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    tw_column_random(g, i0, m, j, re, im);
    if (j < i0 || j >= i0 + m) return;
    re[j - i0] = copysign((im ? 3.0 : 2.0) * (double)tw_max(g->m, g->n), re[j - i0]);
}

void tw_column_zerocol(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    if (j == g->at[0])
        clear(m, re, im);
    else
        tw_column_random(g, i0, m, j, re, im);
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

/* s^i (1 on the diagonal, -c right of it), c^2 + s^2 = 1 (Kahan, Numerical linear algebra, 1966). Columns of its
 * trailing parts are all of the same length, so that rounding would decide which of them pivoting takes: as in Higham's
 * gallery, 25 eps (n - i) is added on the diagonal. */
void tw_column_kahan(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    const double eps = tw_is_single(g->type) ? 0x1p-23 : 0x1p-52;

    (void)im;
    for (tw_int i = 0; i < m; i++) {
        const double s = j >= i0 + i ? exp(g->scale * (double)(i0 + i)) : 0.0;
        re[i] = j == i0 + i ? s + 25.0 * eps * (double)(g->n - j) : -g->shift * s;
    }
    for (tw_int i = tw_max(0, j - i0 + 1); i < m; i++)
        re[i] = 0.0; /* no -0 */
}

/* A Volterra integral equation by the trapezoidal rule (Foster, SIAM J. Matrix Anal. Appl. 15, 1994), with its k h =
 * 5/8, c = 1: no rows are exchanged, each step multiplies the last column by 21/11. At k h = 2/3 it would be 2, but
 * then rounding decides between equal pivots. */
void tw_column_foster(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    const double kh = 0.625;
    const tw_int last = g->n - 1;

    (void)im;
    for (tw_int i = 0; i < m; i++) {
        const tw_int r = i0 + i;
        const double a = r < j ? 0.0 : r == j ? (j == 0 ? 1.0 : 1.0 - kh / 2) : j == 0 ? -kh / 2 : -kh;
        re[i] = j == last && j > 0 ? a - 1.0 : a;
    }
}

/* Every step doubles the last column (Wilkinson, The Algebraic Eigenvalue Problem, 1965). */
void tw_column_wilkinson(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    (void)im;
    for (tw_int i = 0; i < m; i++)
        re[i] = i0 + i == j || j == g->n - 1 ? 1.0 : i0 + i > j ? -1.0 : 0.0;
}
