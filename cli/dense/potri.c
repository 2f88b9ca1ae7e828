/* tilework potri: the inverse from a Cholesky factor. */
#include "cli/cli.h"
#include "cli_rows.h"

static double flops(double n, double nrhs)
{
    (void)nrhs;
    return 2 * n * n * n / 3 + n * n / 2 + 5 * n / 6;
}

static int tiles(struct cli_problem *p)
{
    return tw_potri(p->uplo, p->A);
}

static tw_int lapack(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(potri, p, ((char)p->uplo, p->n, (T *)p->a, p->ld))
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    return cli_check_triangle(p, v, "|I - A inv(A)| / (n eps |A| |inv(A)|)", check_potri);
}

CLI_ROUTINE(40, potri) = {
    .name = "potri",
    .summary = "inverse of A from the factor of potrf",
    .text =
        "Factors A first (not part of the time), then computes inv(A) in one triangle. --output writes a symmetric or\n"
        "hermitian file. --check: |I - A inv(A)| / (n eps |A| |inv(A)|) in the 1-norm.",
    .example = "tilework potri --n 4096 --type z --check",
    .factor = &cli_potrf,
    .symmetric_result = 1,
    .failure = "the leading minor of order %lld is not positive definite",
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 2,
};
