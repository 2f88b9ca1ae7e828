/* CPU kernels of bisection for singular values of a bidiagonal matrix: counts of the matrix (0 B^T; B 0), which is,
 * rows and columns put in turn, tridiagonal with zeros on its diagonal and d(0), e(0), d(1), ... beside it (G. Golub,
 * W. Kahan, SIAM J. Numer. Anal. 2 (1965)). Such a count is exact for a matrix whose elements are within some eps of
 * these, each for itself, so that every value is found to some n eps of its own size (J. Demmel, W. Kahan, SIAM J. Sci.
 * Stat. Comput. 11 (1990)). All in double. */
#ifndef TW_KERNELS_SVD_CPU_GOLUB_KAHAN_H
#define TW_KERNELS_SVD_CPU_GOLUB_KAHAN_H
#include <stdint.h>

enum { TW_GK_POINTS = 64 }; /* that are counted in one pass */

/* below[i]: how many of the `length` + 1 eigenvalues of the tridiagonal matrix with zeros on its diagonal and `chain`
 * (length elements, none negative) beside it are at most x[i] >= 0; count <= TW_GK_POINTS. */
typedef void (*tw_gk_count_fn)(int length, const double *chain, int count, const double *x, int32_t *below);
tw_gk_count_fn tw_gk_count(void);

/* The chain of a bidiagonal matrix of order n, 2 n - 1 elements, from floats or doubles: times 2^-*power, so that the
 * largest one is about 2^25. *most: all singular values, scaled so, are below. */
void tw_gk_chain(int n, int single, const void *d, const void *e, double *chain, int *power, double *most);
/* How many of the n singular values are less than x, which is scaled as the chain is. */
int tw_gk_less(int n, const double *chain, double most, double x);
/* Numbers first (from 0) ... of them in descending order, `count` <= TW_GK_POINTS, scaled as the chain is: each a
 * number whose predecessor is less than the value that was counted. The same whatever others are looked for beside
 * them. */
void tw_gk_values(int n, const double *chain, double most, int first, int count, double *s);
#endif
