/* CPU kernels of bisection: eigenvalues of symmetric tridiagonal matrices by Sturm's counts (W. Givens 1954; W. Kahan,
 * "Accurate eigenvalues of a symmetric tri-diagonal matrix", Stanford CS-TR-41 (1966); LAPACK's laebz and stebz). All
 * in double, of matrices whose elements are at most 1 in size: e2 are squares of sub-diagonal elements, e2[i] between
 * rows i - 1 and i, e2[0] = 0, and 0 where the matrix splits. */
#ifndef TW_KERNELS_EIGEN_CPU_LAEBZ_H
#define TW_KERNELS_EIGEN_CPU_LAEBZ_H
#include <stdint.h>

enum { TW_POINTS = 64 }; /* that are counted in one pass over the matrix */

/* A determinant, m 2^power; m is no number where it is not known. */
struct tw_minor {
    double m;
    int64_t power;
};
/* below[i]: how many eigenvalues are at most x[i], i < count <= TW_POINTS; minor (NULL: not asked for): det(T - x[i]),
 * which is known of what is one block and has no tiny elements beside the diagonal. */
typedef void (*tw_sturm_fn)(int n, const double *d, const double *e2, int count, const double *x, int32_t *below,
                            struct tw_minor *minor);
tw_sturm_fn tw_sturm(void);

/* How exactly: an interval is narrow enough at max(absolute, relative |x|). */
struct tw_tolerance {
    double absolute, relative;
};
/* Brackets of eigenvalues number first (from 0) ..., `count` <= TW_POINTS of them, in ascending order: low[i] < the
 * eigenvalue <= high[i]. (least, most] holds them all. What is left of several eigenvalues' common bracket is cut at
 * several points at once, so that many that are nearly equal take no more passes than one; one eigenvalue's own bracket
 * where a line through the determinants at its ends is zero (regula falsi, a retained end's value halved: M. Dowell and
 * P. Jarratt, BIT 11 (1971)), or in its middle where that does not get on. */
void tw_laebz(int n, const double *d, const double *e2, struct tw_tolerance tolerance, double least, double most,
              int first, int count, double *low, double *high);

/* A symmetric tridiagonal matrix as stebz works on it. */
struct tw_laebz_form {
    int power;          /* its elements were multiplied by 2^-power */
    double precision;   /* of the type that it came in: twice the unit roundoff */
    double abstol;      /* LAPACK's, for the scaled matrix */
    double least, most; /* all eigenvalues are between these */
    double from, to;    /* and those that are wanted */
};
/* Of n elements on the diagonal and n - 1 beside it, floats or doubles: d, e2, and the last row of each block (from 0).
 * How many blocks; 0: it is not finite. */
int tw_laebz_split(int n, int single, const void *diagonal, const void *off, double abstol, double *d, double *e2,
                   int32_t *last, struct tw_laebz_form *form);
/* What bounds the eigenvalues of one block, or of all, that are wanted, and how exactly they are; LAPACK's
 * tolerance. */
struct tw_tolerance tw_laebz_bounds(int n, const double *d, const double *e2, const struct tw_laebz_form *f,
                                    double *least, double *most);
#endif
