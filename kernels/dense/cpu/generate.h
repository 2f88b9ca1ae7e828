/* Entries of generated matrices. */
#ifndef TW_KERNELS_DENSE_CPU_GENERATE_H
#define TW_KERNELS_DENSE_CPU_GENERATE_H
#include "types/dense/generator.h"

/* Rows i0 … i0 + m - 1 and columns j0 … j0 + n - 1 (0-based) into a (m x n, lda) of the generator's type. They lie in
 * its matrix. */
void tw_kernel_generate(const struct tw_generator *g, tw_int i0, tw_int j0, tw_int m, tw_int n, void *a, tw_int lda);

/* Rows i0 … i0 + m - 1 of column j, in double. im is NULL for real types. Kinds without imaginary parts leave im
 * alone. */
typedef void (*tw_column_fn)(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_random(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_spd(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_symmetric(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_spectrum(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_hilbert(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_minij(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_lehmer(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_kms(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_laplacian(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_identity(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_zero(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_gp(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_minor(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_nan(const struct tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_svd(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_orthogonal(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_lowrank(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_graded(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_dominant(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_zerocol(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_kahan(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_foster(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_wilkinson(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_chebyshev(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_dyadic(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
#endif
