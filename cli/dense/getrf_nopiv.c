/* tilework getrf_nopiv: the LU factorization without row exchanges. */
#include <stdlib.h>

#include "cli/cli.h"
#include "cli_rows.h"

static double flops_of(double m, double n, double nrhs)
{
    return cli_getrf.flops_of(m, n, nrhs);
}

static int tiles(struct cli_problem *p)
{
    return tw_getrf_nopiv(p->A);
}

static tw_int lapack(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(getrf_nopiv, p, (p->m, p->n, (T *)p->a, p->ld))
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    void *f, *copy;
    double residual = 0;
    int e;

    cli_verdict_begin(v, p->m == p->n ? "|A - L U| / (n eps |A|)" : "|A - L U| / (max(m, n) eps |A|)");
    v->zero_is_odd = p->m >= 64 && p->n >= 64;
    if ((e = cli_result_a(p, &f, &copy))) return e;
    e = check_getrf(&A, f, p->ld, NULL, &residual);
    free(copy);
    return cli_verdict_end(p, v, e, residual);
}

CLI_ROUTINE(85, getrf_nopiv) = {
    .name = "getrf_nopiv",
    .summary = "LU factorization A = L U without pivoting",
    .text = "Factors a matrix of --m rows and --n columns (--kind spd, square, where none is named) without exchanging "
            "rows: for matrices that "
            "need no pivoting, such as\n"
            "diagonally dominant ones; of others the check may fail, whose error grows with the growth in the report.\n"
            "info = k > 0 (exit status 1): U(k, k) is exactly zero. --check: |A - L U| / (max(m, n) eps |A|) in the "
            "1-norm.",
    .example = "tilework getrf_nopiv --n 8192 --kind spd --check",
    .general = 1,
    .rectangular = 1,
    .kind = "spd",
    .failure = "pivot %lld is exactly 0: without row exchanges there are no factors",
    .growth = 1,
    .flops_of = flops_of,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 2,
};
