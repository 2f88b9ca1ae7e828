/* Tables of roots of unity. */
#include <math.h>
#include <stdlib.h>
#include "kernels/fft/cpu/fft_cpu.h"

/* exp(-2 pi i m / n) with the angle folded into [0, pi/4], so that symmetric entries are exactly symmetric. */
static void exact(tw_int n, tw_int m, double *w)
{
    static const long double two_pi = 6.283185307179586476925286766559005768L;
    int octant = 0;
    long double c, s, t;

    if (2 * m > n) m = n - m, octant |= 4; /* below the real axis */
    if (4 * m > n)
        m = n - 2 * m, octant |= 2; /* left half; m is now twice an index */
    else
        m *= 2;
    if (4 * m > n)
        m = n - 2 * m, octant |= 1; /* above the diagonal; m is four times an index */
    else
        m *= 2;
    c = cosl(two_pi * (long double)m / (4.0L * (long double)n));
    s = sinl(two_pi * (long double)m / (4.0L * (long double)n));
    if (octant & 1) t = c, c = s, s = t;
    if (octant & 2) c = -c;
    w[0] = (double)c;
    w[1] = (double)(octant & 4 ? s : -s);
}

int tw_fft_roots_init(struct tw_fft_roots *r, tw_int n)
{
    tw_int fine, coarse;

    *r = (struct tw_fft_roots){.n = n};
    while (((tw_int)1 << (2 * r->shift)) < n)
        r->shift++;
    fine = (tw_int)1 << r->shift;
    coarse = ((n - 1) >> r->shift) + 1;
    r->fine = malloc((size_t)fine * 2 * sizeof(double));
    r->coarse = malloc((size_t)coarse * 2 * sizeof(double));
    if (!r->fine || !r->coarse) {
        tw_fft_roots_free(r);
        return -1;
    }
    for (tw_int m = 0; m < fine; m++)
        exact(n, m % n, r->fine + 2 * m);
    for (tw_int m = 0; m < coarse; m++)
        exact(n, m << r->shift, r->coarse + 2 * m);
    return 0;
}

void tw_fft_roots_free(struct tw_fft_roots *r)
{
    free(r->fine);
    free(r->coarse);
    r->fine = r->coarse = NULL;
}
