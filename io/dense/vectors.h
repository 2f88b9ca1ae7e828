/* Vectors of real and imaginary parts, for kinds that are products of reflectors.
 * A file that includes this compiles without fused operations from here on: the bits are the same with every
 * instruction set, and a spectrum's A(j, i) is the conjugate of A(i, j) bit for bit because its formulas are,
 * product by product. */
#ifndef TW_IO_DENSE_VECTORS_H
#define TW_IO_DENSE_VECTORS_H
#include <math.h>
#include "types/dense/generator.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

/* Re and Im of x^H y. */
static inline void tw_vectors_dot(tw_int n, const double *xr, const double *xi, const double *yr, const double *yi,
                                  double s[2])
{
    long double re = 0, im = 0;
    for (tw_int i = 0; i < n; i++) {
        re += (long double)xr[i] * yr[i] + (long double)xi[i] * yi[i];
        im += (long double)xr[i] * yi[i] - (long double)xi[i] * yr[i];
    }
    s[0] = (double)re, s[1] = (double)im;
}

/* y -= x s */
static inline void tw_vectors_subtract(tw_int n, const double *xr, const double *xi, const double s[2], double *yr,
                                       double *yi)
{
    for (tw_int i = 0; i < n; i++) {
        yr[i] -= xr[i] * s[0] - xi[i] * s[1];
        yi[i] -= xr[i] * s[1] + xi[i] * s[0];
    }
}

/* A vector of length 1, its direction from the seed. Columns below 0 are numbers that no entry uses. */
static inline void tw_vectors_unit(const tw_generator *g, tw_int n, tw_int column, double *re, double *im)
{
    const int complex = tw_is_complex(g->type);
    double norm[2];

    for (tw_int i = 0; i < n; i++) {
        re[i] = tw_uniform(g->stream[0], i, column);
        im[i] = complex ? tw_uniform(g->stream[1], i, column) : 0.0;
    }
    tw_vectors_dot(n, re, im, re, im, norm);
    norm[0] = sqrt(norm[0]);
    for (tw_int i = 0; i < n; i++)
        re[i] /= norm[0], im[i] /= norm[0];
}
#endif
