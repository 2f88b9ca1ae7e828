/* tilework getrf: the LU factorization. */
#include "cli/cli.h"

static double flops(double n, double nrhs)
{
    (void)nrhs;
    return 2 * n * n * n / 3 - n * n / 2 + 5 * n / 6;
}

static int tiles(struct cli_problem *p)
{
    return tw_getrf(p->A, p->P);
}

static tw_int lapack(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(getrf, p, (p->n, p->n, (T *)p->a, p->ld, p->ipiv))
}

CLI_ROUTINE(80, getrf) = {
    .name = "getrf",
    .summary = "LU factorization P A = L U with partial pivoting",
    .text = "Factors a general matrix of order --n. info = k > 0 (exit status 1): U(k, k) is exactly zero. The report "
            "has the growth, the\n"
            "largest |u_ij| over the largest |a_ij|. --check: |P A - L U| / (n eps |A|) in the 1-norm. --output writes "
            "L (without its\n"
            "ones) and U in one array, as LAPACK has them; the pivots are not written.",
    .example = "tilework getrf --n 8192 --check",
    .general = 1,
    .failure = "pivot %lld is exactly 0: the matrix is singular",
    .growth = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_getrf,
    .check_arrays = 3,
};
