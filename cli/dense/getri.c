/* tilework getri: the inverse from LU factors. */
#include <stdlib.h>

#include "cli/cli.h"
#include "cli_rows.h"

static double flops(double n, double nrhs)
{
    (void)nrhs;
    return 4 * n * n * n / 3 - n * n + 5 * n / 3;
}

static int tiles(struct cli_problem *p)
{
    return tw_getri(p->A, p->P);
}

static tw_int lapack(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(getri, p, (p->n, (T *)p->a, p->ld, p->ipiv))
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    void *f, *copy;
    double residual = 0;
    int e;

    cli_verdict_begin(v, "|I - A inv(A)| / (n eps |A| |inv(A)|)");
    if ((e = cli_result_a(p, &f, &copy))) return e;
    e = check_getri(&A, f, p->ld, &residual);
    free(copy);
    return cli_verdict_end(p, v, e, residual);
}

CLI_ROUTINE(95, getri) = {
    .name = "getri",
    .summary = "inverse of A from the factors of getrf",
    .text = "Factors A first (not part of the time), then computes inv(A) over the factors. --output writes it.\n"
            "--check: |I - A inv(A)| / (n eps |A| |inv(A)|) in the 1-norm.",
    .example = "tilework getri --n 4096 --check",
    .factor = &cli_getrf,
    .general = 1,
    .failure = "pivot %lld is exactly 0: the matrix is singular",
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 2,
};
