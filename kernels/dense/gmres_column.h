/* GMRES' numbers of one column, on CPUs and on GPUs alike. */
#ifndef TW_KERNELS_DENSE_GMRES_COLUMN_H
#define TW_KERNELS_DENSE_GMRES_COLUMN_H
#include <math.h>
#include "types/dense/gmres.h"

#ifdef __CUDACC__
#define TW_ON_BOTH static __device__ inline
#else
#define TW_ON_BOTH static inline
#endif
#define TW_GMRES_ENOUGH 1e-8 /* of the residual: then it is made anew from X, with fewer rounding errors in it */

TW_ON_BOTH struct tw_gmres_number tw_gmres_times(struct tw_gmres_number a, struct tw_gmres_number b)
{
    const struct tw_gmres_number x = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return x;
}

/* A column whose residual has this length. */
TW_ON_BOTH void tw_gmres_first(struct tw_gmres_column *s, double length)
{
    s->first = length;
    s->g[0].re = length, s->g[0].im = 0;
    s->steps = 0;
    s->done = !(length > 0) || !isfinite(length);
}

/* The new column of H, h, through the rotations, and one more that takes away what is below its diagonal. */
TW_ON_BOTH void tw_gmres_rotate(struct tw_gmres_column *s, int k)
{
    struct tw_gmres_number *h = s->r[k], *g = s->g;

    for (int i = 0; i < k; i++) {
        const struct tw_gmres_number x = h[i], y = h[i + 1], c = s->c[i], conjugate = {c.re, -c.im},
                                     cx = tw_gmres_times(c, x), cy = tw_gmres_times(conjugate, y);
        h[i].re = cx.re + s->s[i] * y.re, h[i].im = cx.im + s->s[i] * y.im;
        h[i + 1].re = cy.re - s->s[i] * x.re, h[i + 1].im = cy.im - s->s[i] * x.im;
    }
    const double size = hypot(hypot(h[k].re, h[k].im), h[k + 1].re); /* below the diagonal is a length */
    s->c[k].re = size > 0 ? h[k].re / size : 1;
    s->c[k].im = size > 0 ? -h[k].im / size : 0;
    s->s[k] = size > 0 ? h[k + 1].re / size : 0;
    h[k].re = size, h[k].im = 0;
    g[k + 1].re = -s->s[k] * g[k].re, g[k + 1].im = -s->s[k] * g[k].im;
    g[k] = tw_gmres_times(s->c[k], g[k]);
}

/* r[k] has the parts along the vectors so far; rest: the length of what there is beside them. */
TW_ON_BOTH void tw_gmres_turn(struct tw_gmres_column *s, int k, double rest)
{
    s->r[k][k + 1].re = rest, s->r[k][k + 1].im = 0;
    tw_gmres_rotate(s, k);
    if (isfinite(s->r[k][k].re) && s->r[k][k].re > 0) s->steps = k + 1; /* else the vectors before have to do */
    s->done = s->steps <= k || rest == 0 || hypot(s->g[k + 1].re, s->g[k + 1].im) <= TW_GMRES_ENOUGH * s->first ? 1 : 0;
}

/* y: the combination of the z. */
TW_ON_BOTH void tw_gmres_solve(const struct tw_gmres_column *s, struct tw_gmres_number *y)
{
    const int k = (int)s->steps;

    for (int i = k - 1; i >= 0; i--) {
        y[i] = s->g[i];
        for (int l = i + 1; l < k; l++) {
            const struct tw_gmres_number part = tw_gmres_times(s->r[l][i], y[l]);
            y[i].re -= part.re, y[i].im -= part.im;
        }
        y[i].re /= s->r[i][i].re, y[i].im /= s->r[i][i].re;
    }
}
#endif
