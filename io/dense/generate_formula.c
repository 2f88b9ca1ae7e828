/* Matrices given by a formula in i and j (Higham, Accuracy and Stability of Numerical Algorithms, chapter 28). */
#include <math.h>
#include <string.h>

#include "io/io.h"

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

/* ---- Kac-Murdock-Szego ----------------------------------------------------------------------------------------- */

/* A table of powers, since every entry is one of max(m, n). */
int tw_setup_kms(tw_generator *g, const char *parameters)
{
    const tw_int length = tw_max(g->m, g->n);
    double rho = 0.5;
    int e;

    if (parameters) {
        const char *end;
        if (tw_number_parse(parameters, &end, &rho) != TW_NUMBER_OK || *end || !(fabs(rho) < 1.0))
            return tw_kind_fail(g, "rho must be a number between -1 and 1, not \"%.200s\"", parameters);
    }
    if (!(g->work = tw_io_alloc("kind \"kms\": the table of powers", length, sizeof *g->work, &e))) return e;
    for (tw_int k = 0; k < length; k++)
        g->work[k] = pow(rho, (double)k);
    return 0;
}

void tw_column_kms(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    (void)im;
    for (tw_int i = 0; i < m; i++)
        re[i] = g->work[i0 + i > j ? i0 + i - j : j - i0 - i];
}
