/* tilework getrs: solving with LU factors. */
#include "cli/cli.h"
#include "cli_rows.h"

static double flops(double n, double nrhs)
{
    return 2 * n * n * nrhs;
}

static int tiles(struct cli_problem *p)
{
    return tw_getrs(p->o->trans, p->A, p->P, p->B);
}

static tw_int lapack(struct cli_problem *p){
    CLI_LAPACK_DOOR(getrs, p, (cli_trans(p), p->n, p->nrhs, (const T *)p->a, p->ld, p->ipiv, (T *)p->b, p->ld))}

CLI_ROUTINE(90, getrs) = {
    .name = "getrs",
    .summary = "solve A X = B, A^T X = B or A^H X = B with the factors from getrf",
    .text =
        "Factors A first (not part of the time), then solves for --nrhs right-hand sides (random, or --rhs FILE).\n"
        "--output writes X. --check: the largest |b - op(A) x| / ((|op(A)| |x| + |b|) n eps) of all columns, in the "
        "1-norm.",
    .example = "tilework getrs --n 4096 --nrhs 256 --check",
    .factor = &cli_getrf,
    .general = 1,
    .failure = "pivot %lld is exactly 0: the matrix is singular",
    .has_rhs = 1,
    .solves = 1,
    .transposes = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_solve,
};
