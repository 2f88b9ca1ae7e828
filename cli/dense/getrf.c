/* tilework getrf: the LU factorization. */
#include <stdlib.h>

#include "cli/cli.h"

static double flops(double n, double nrhs)
{
    (void)nrhs;
    return 2 * n * n * n / 3 - n * n / 2 + 5 * n / 6;
}

static double flops_of(double m, double n, double nrhs)
{
    const double least = m < n ? m : n, most = m < n ? n : m;

    (void)nrhs;
    return least * least * (most - least / 3) - least * least / 2 + 5 * least / 6;
}

static int tiles(struct cli_problem *p)
{
    return tw_getrf(p->A, p->P);
}

static tw_int lapack(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(getrf, p, (p->m, p->n, (T *)p->a, p->ld, p->ipiv))
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    void *f, *copy;
    tw_int *ipiv;
    double residual = 0;
    int e;

    cli_verdict_begin(v, p->m == p->n ? "|P A - L U| / (n eps |A|)" : "|P A - L U| / (max(m, n) eps |A|)");
    v->zero_is_odd = p->m >= 64 && p->n >= 64;
    if ((e = cli_result_a(p, &f, &copy))) return e;
    if ((ipiv = cli_result_pivots(p))) {
        e = check_getrf(&A, f, p->ld, ipiv, &residual);
        e = cli_verdict_end(p, v, e, residual);
    } else {
        e = CLI_FAILED;
    }
    free(ipiv);
    free(copy);
    return e;
}

CLI_ROUTINE(80, getrf) = {
    .name = "getrf",
    .summary = "LU factorization P A = L U with partial pivoting",
    .text = "Factors a general matrix of --m rows and --n columns. info = k > 0 (exit status 1): U(k, k) is exactly "
            "zero; L U = P A all the same.\n"
            "The report has the growth, the largest |u_ij| over the largest |a_ij|. --check: |P A - L U| / (max(m, n) "
            "eps |A|) in the\n"
            "1-norm, with info > 0, too. --output writes L (without its ones) and U in one array, as LAPACK has them, "
            "--pivots the pivots.",
    .example = "tilework getrf --n 8192 --check",
    .general = 1,
    .rectangular = 1,
    .failure = "pivot %lld is exactly 0: the matrix is singular",
    .growth = 1,
    .goes_on = 1,
    .exchanges = 1,
    .flops = flops,
    .flops_of = flops_of,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 2,
};
