/* Matrices given by a formula in i and j (Higham, Accuracy and Stability of Numerical Algorithms, chapter 28). */
#include <string.h>
#include "kernels/dense/cpu/generate.h"
#include "runtime/base/types.h"

void tw_column_hilbert(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    (void)g, (void)im;
    for (tw_int i = 0; i < m; i++)
        re[i] = 1.0 / (double)(i0 + i + j + 1);
}

void tw_column_minij(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    (void)g, (void)im;
    for (tw_int i = 0; i < m; i++)
        re[i] = (double)(tw_min(i0 + i, j) + 1);
}

void tw_column_lehmer(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    (void)g, (void)im;
    for (tw_int i = 0; i < m; i++)
        re[i] = (double)(tw_min(i0 + i, j) + 1) / (double)(tw_max(i0 + i, j) + 1);
}

void tw_column_laplacian(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    (void)g, (void)im;
    for (tw_int i = 0; i < m; i++)
        re[i] = i0 + i == j ? 2.0 : i0 + i == j + 1 || i0 + i == j - 1 ? -1.0 : 0.0;
}

void tw_column_identity(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    (void)g, (void)im;
    for (tw_int i = 0; i < m; i++)
        re[i] = i0 + i == j ? 1.0 : 0.0;
}

void tw_column_zero(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    (void)g, (void)i0, (void)j, (void)im;
    memset(re, 0, (size_t)m * sizeof *re);
}

/* Kac-Murdock-Szego, from the table of powers. */
void tw_column_kms(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    (void)im;
    for (tw_int i = 0; i < m; i++)
        re[i] = g->work[i0 + i > j ? i0 + i - j : j - i0 - i];
}
