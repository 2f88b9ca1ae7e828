/* Random matrices: a hash of (seed, i, j) per entry; symmetric ones hash (max, min). */
#include <math.h>
#include "kernels/dense/cpu/generate.h"
#include "runtime/base/types.h"

/* ---- random ---------------------------------------------------------------------------------------------------- */

static void fill(uint64_t stream, tw_int i0, tw_int m, tw_int j, double *restrict x)
{
    for (tw_int i = 0; i < m; i++)
        x[i] = tw_uniform(stream, i0 + i, j);
}

void tw_column_random(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    fill(g->stream[0], i0, m, j, re);
    if (im) fill(g->stream[1], i0, m, j, im);
}

/* ---- symmetric, spd -------------------------------------------------------------------------------------------- */

/* Entries (max, min) of a stream; those above the diagonal times `above`. */
static void fill_symmetric(uint64_t stream, tw_int i0, tw_int m, tw_int j, double scale, double above,
                           double *restrict x)
{
    tw_int upper = tw_max(0, tw_min(m, j - i0));
    for (tw_int i = 0; i < upper; i++)
        x[i] = scale * above * tw_uniform(stream, j, i0 + i);
    for (tw_int i = upper; i < m; i++)
        x[i] = scale * tw_uniform(stream, i0 + i, j);
}

/* Complex entries are scaled into the unit disc, so that both kinds of types have |A(i, j)| < 1. */
void tw_column_symmetric(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    const double scale = im ? 0.70710678118654752 : 1.0;

    fill_symmetric(g->stream[0], i0, m, j, scale, 1.0, re);
    if (!im) return;
    fill_symmetric(g->stream[1], i0, m, j, scale, -1.0, im);
    if (j >= i0 && j < i0 + m) im[j - i0] = 0.0;
}

/* The diagonal n + |d| beats the n - 1 others of its row, each below 1: strictly dominant, the smallest eigenvalue
 * above 1. */
void tw_column_spd(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    tw_column_symmetric(g, i0, m, j, re, im);
    if (j >= i0 && j < i0 + m) re[j - i0] = (double)g->n + fabs(re[j - i0]);
}

/* ---- one odd entry --------------------------------------------------------------------------------------------- */

/* With its diagonal entry negated, the K-th Schur complement is negative and the K - 1 before it are those of spd. */
void tw_column_minor(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    tw_column_spd(g, i0, m, j, re, im);
    if (j == g->at[0] && j >= i0 && j < i0 + m) re[j - i0] = -re[j - i0];
}

void tw_column_nan(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    tw_column_spd(g, i0, m, j, re, im);
    for (int k = 0; k < 2; k++) {
        tw_int i = g->at[k];
        if (j == g->at[1 - k] && i >= i0 && i < i0 + m) re[i - i0] = NAN;
    }
}
