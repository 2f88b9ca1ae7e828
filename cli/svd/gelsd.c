/* tilework gelsd: least squares of matrices of any rank by singular values. */
#include <stdlib.h>
#include "cli/cli.h"

static double flops(double m, double n, double nrhs)
{
    return cli_gebrd_flops(m, n, nrhs) + 4 * m * n * nrhs;
}

static int tiles(struct cli_problem *p)
{
    double *s = malloc((size_t)(p->rows + 1) * sizeof *s);
    const int info = s ? tw_gelsd(p->A, p->B, s, cli_rcond(p), &p->rank) : TW_E_MEMORY;
    free(s);
    return info;
}

#define THROUGH(R, letter)                                                                                             \
    static tw_int letter##lapack(struct cli_problem *p)                                                                \
    {                                                                                                                  \
        R *s = malloc((size_t)(p->rows + 1) * sizeof *s);                                                              \
        tw_int rank = 0, info = TW_E_MEMORY;                                                                           \
        if (s) info = tw_##letter##gelsd(p->m, p->n, p->nrhs, p->a, p->ld, p->b, p->ld, s, (R)cli_rcond(p), &rank);    \
        p->rank = (int)rank;                                                                                           \
        free(s);                                                                                                       \
        return info;                                                                                                   \
    }
THROUGH(float, s)
THROUGH(double, d)
THROUGH(float, c)
THROUGH(double, z)

static tw_int lapack(struct cli_problem *p)
{
    tw_int (*const by_type[])(struct cli_problem *) = {slapack, dlapack, clapack, zlapack};
    return by_type[p->type](p);
}

CLI_ROUTINE(192, gelsd) = {
    .name = "gelsd",
    .summary = "least squares and least norm of a matrix of any rank, by singular values",
    .text = "For --nrhs right-hand sides (random, or --rhs FILE with as many rows as A) and A of --m rows and --n "
            "columns. The report has\n"
            "the rank: singular values above rcond times the largest one. --output writes X, n rows. "
            "Rates count the\n"
            "reduction to bidiagonal form and products with B. --check: with m >= n, or a rank below m, the largest\n"
            "|A^H (b - A x)| / (|A| (|A| |x| + |b|) max(m, n) eps) of all columns, in the 1-norm; else |b - A x| / "
            "((|A| |x| + |b|)\n"
            "max(m, n) eps), and up to 8192 how far x is from the range of A^H.",
    .example = "tilework gelsd --input A.mtx --rhs b.mtx --output x.mtx --check",
    .failure = "not all singular values were found, or A or B has a NaN or an infinity (%lld)",
    .general = 1,
    .rectangular = 1,
    .ranked = 1,
    .has_rhs = 1,
    .solves = 1,
    .flops_of = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_ranked,
    .check_arrays = 2,
};
