/* tilework potrs: solving with a Cholesky factor. */
#include "cli/cli.h"
#include "cli_rows.h"

static double flops(double n, double nrhs)
{
    return 2 * n * n * nrhs;
}

static int tiles(struct cli_problem *p)
{
    return tw_potrs(p->uplo, p->A, p->B);
}

static tw_int lapack(struct cli_problem *p){
    CLI_LAPACK_DOOR(potrs, p, ((char)p->uplo, p->n, p->nrhs, (const T *)p->a, p->ld, (T *)p->b, p->ld))}

CLI_ROUTINE(20, potrs) = {
    .name = "potrs",
    .summary = "solve A X = B with the factor from potrf",
    .text =
        "Factors A first (not part of the time), then solves for --nrhs right-hand sides (random, or --rhs FILE).\n"
        "--output writes X. --check: the largest |b - A x| / ((|A| |x| + |b|) n eps) of all columns, in the 1-norm.",
    .example = "tilework potrs --n 4096 --nrhs 256 --check",
    .factor = &cli_potrf,
    .has_rhs = 1,
    .solves = 1,
    .failure = "the leading minor of order %lld is not positive definite",
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_solve,
};
