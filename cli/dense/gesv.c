/* tilework gesv: LU factorization and solve. */
#include "cli/cli.h"
#include "cli_rows.h"

static double flops(double n, double nrhs)
{
    return cli_getrf.flops(n, nrhs) + cli_getrs.flops(n, nrhs);
}

static int tiles(struct cli_problem *p)
{
    return tw_gesv(p->A, p->P, p->B);
}

static tw_int lapack(struct cli_problem *p){
    CLI_LAPACK_DOOR(gesv, p, (p->n, p->nrhs, (T *)p->a, p->ld, p->ipiv, (T *)p->b, p->ld))}

CLI_ROUTINE(100, gesv) = {
    .name = "gesv",
    .summary = "LU factorization of A and solve A X = B",
    .text = "getrf and getrs in one graph, for --nrhs right-hand sides (random, or --rhs FILE). info = k > 0 (exit "
            "status 1): U(k, k) is\n"
            "exactly zero, and B is as it was. --output writes X.\n"
            "--check: the largest |b - A x| / ((|A| |x| + |b|) n eps) of all columns, in the 1-norm.",
    .example = "tilework gesv --input A.mtx --rhs b.mtx --output x.mtx --check",
    .general = 1,
    .failure = "pivot %lld is exactly 0: the matrix is singular",
    .has_rhs = 1,
    .solves = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_solve,
};
