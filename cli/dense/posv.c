/* tilework posv: factor and solve. */
#include "cli/cli.h"
#include "cli_rows.h"

static double flops(double n, double nrhs)
{
    return cli_potrf.flops(n, nrhs) + cli_potrs.flops(n, nrhs);
}

static int tiles(struct cli_problem *p)
{
    return tw_posv(p->uplo, p->A, p->B);
}

static tw_int lapack(struct cli_problem *p){
    CLI_LAPACK_DOOR(posv, p, ((char)p->uplo, p->n, p->nrhs, (T *)p->a, p->ld, (T *)p->b, p->ld))}

CLI_ROUTINE(30, posv) = {
    .name = "posv",
    .summary = "factor A and solve A X = B",
    .text = "potrf and potrs in one graph, for --nrhs right-hand sides (random, or --rhs FILE). --output writes X.\n"
            "--check: the largest |b - A x| / ((|A| |x| + |b|) n eps) of all columns, in the 1-norm.",
    .example = "tilework posv --input A.mtx --rhs b.mtx --output x.mtx --check",
    .has_rhs = 1,
    .solves = 1,
    .failure = "the leading minor of order %lld is not positive definite",
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_solve,
};
