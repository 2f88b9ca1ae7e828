/* tilework stedc, stevd, sterf: eigenvalues and eigenvectors of a symmetric tridiagonal matrix. */
#include <stdlib.h>
#include "cli/cli.h"

/* Divide and conquer without deflation. */
static double flops(double n, double nrhs)
{
    (void)nrhs;
    return 4 * n * n * n / 3;
}

static enum tw_compz compz(const struct cli_problem *p)
{
    return p->o->values_only ? TW_COMPZ_N : TW_COMPZ_I;
}

static int stedc_tiles(struct cli_problem *p)
{
    return tw_stedc(compz(p), p->n, p->d, p->e, p->w, p->A);
}
static int stevd_tiles(struct cli_problem *p)
{
    return tw_stevd(cli_jobz(p), p->n, p->d, p->e, p->w, p->A);
}
static int sterf_tiles(struct cli_problem *p)
{
    return tw_sterf(p->n, p->d, p->e, p->w);
}

/* T over p->w and `off`, in which LAPACK's routines leave what they like; of single precision in one array. */
static tw_int lapack(struct cli_problem *p, tw_int (*of_singles)(struct cli_problem *, float *d, float *e),
                     tw_int (*of_doubles)(struct cli_problem *, double *d, double *e))
{
    const int single = p->type == TW_FLOAT || p->type == TW_COMPLEX_FLOAT;
    float *d = single ? cli_single_values(p) : NULL, *e = single ? cli_single_values(p) : NULL;
    tw_int info = TW_E_MEMORY;

    for (tw_int i = 0; i < p->n; i++) {
        p->w[i] = p->d[i];
        if (d && e) d[i] = (float)p->d[i], e[i] = i + 1 < p->n ? (float)p->e[i] : 0;
    }
    if (!single)
        info = of_doubles(p, p->w, p->e);
    else if (d && e)
        info = of_singles(p, d, e);
    if (single) info = cli_keep_single_values(p, d, info);
    free(e);
    return info;
}

static tw_int stedc_singles(struct cli_problem *p, float *d, float *e)
{
    return p->type == TW_FLOAT ? tw_sstedc((char)compz(p), p->n, d, e, p->a, p->ld)
                               : tw_cstedc((char)compz(p), p->n, d, e, p->a, p->ld);
}
static tw_int stedc_doubles(struct cli_problem *p, double *d, double *e)
{
    return p->type == TW_DOUBLE ? tw_dstedc((char)compz(p), p->n, d, e, p->a, p->ld)
                                : tw_zstedc((char)compz(p), p->n, d, e, p->a, p->ld);
}
static tw_int stedc_lapack(struct cli_problem *p)
{
    return lapack(p, stedc_singles, stedc_doubles);
}

static tw_int stevd_singles(struct cli_problem *p, float *d, float *e)
{
    return tw_sstevd((char)cli_jobz(p), p->n, d, e, p->a, p->ld);
}
static tw_int stevd_doubles(struct cli_problem *p, double *d, double *e)
{
    return tw_dstevd((char)cli_jobz(p), p->n, d, e, p->a, p->ld);
}
static tw_int stevd_lapack(struct cli_problem *p)
{
    return lapack(p, stevd_singles, stevd_doubles);
}

static tw_int sterf_singles(struct cli_problem *p, float *d, float *e)
{
    return tw_ssterf(p->n, d, e);
}
static tw_int sterf_doubles(struct cli_problem *p, double *d, double *e)
{
    return tw_dsterf(p->n, d, e);
}
static tw_int sterf_lapack(struct cli_problem *p)
{
    return lapack(p, sterf_singles, sterf_doubles);
}

#define INPUT                                                                                                          \
    "The matrix is the diagonal and the sub-diagonal (--uplo U: super-diagonal) of the one that --kind or --input "    \
    "names, of complex numbers the real parts.\n"

CLI_ROUTINE(142, stedc) = {
    .name = "stedc",
    .summary = "eigenvalues, and eigenvectors, of a symmetric tridiagonal matrix (divide and conquer)",
    .text = INPUT "--jobz N: eigenvalues alone; V: with the tridiagonal matrix' eigenvectors, compz I, in any type.\n"
                  "--output writes the eigenvectors, or with --jobz N the eigenvalues; --values FILE writes these. "
                  "--check as for syevd.",
    .example = "tilework stedc --n 2000 --kind laplacian --check",
    .failure = "not all eigenvalues were found, or the matrix has a NaN or an infinity (%lld)",
    .kind = "symmetric",
    .values = 1,
    .banded = 1,
    .flops = flops,
    .tiles = stedc_tiles,
    .lapack = stedc_lapack,
    .check = cli_check_values,
    .check_arrays = 4,
};
CLI_ROUTINE(143, stevd) = {
    .name = "stevd",
    .summary = "the same as stedc, by LAPACK's driver for real types",
    .text = INPUT "Types s and d. --output as for stedc, --check as for syevd.",
    .example = "tilework stevd --n 1000 --jobz N --check",
    .failure = "not all eigenvalues were found, or the matrix has a NaN or an infinity (%lld)",
    .kind = "symmetric",
    .values = 1,
    .banded = 1,
    .real = 1,
    .flops = flops,
    .tiles = stevd_tiles,
    .lapack = stevd_lapack,
    .check = cli_check_values,
    .check_arrays = 4,
};
CLI_ROUTINE(144, sterf) = {
    .name = "sterf",
    .summary = "eigenvalues alone of a symmetric tridiagonal matrix",
    .text = INPUT "Types s and d; the tiles' door computes in double. --output and --values write the eigenvalues,\n"
                  "which --check compares with LAPACK's.",
    .example = "tilework sterf --n 3000 --kind laplacian --check",
    .failure = "not all eigenvalues were found, or the matrix has a NaN or an infinity (%lld)",
    .kind = "symmetric",
    .values = 1,
    .only_values = 1,
    .banded = 1,
    .real = 1,
    .tiles = sterf_tiles,
    .lapack = sterf_lapack,
    .check = cli_check_values,
    .check_arrays = 3,
};
