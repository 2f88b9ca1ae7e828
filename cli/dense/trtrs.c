/* tilework trtrs: solving with a triangle, after a look at its diagonal. */
#include "cli/cli.h"

static double flops(double n, double nrhs)
{
    return n * n * nrhs;
}

static int tiles(struct cli_problem *p)
{
    return tw_trtrs(p->uplo, p->o->trans, TW_NONUNIT, p->A, p->B);
}

static tw_int lapack(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(trtrs, p,
                    ((char)p->uplo, cli_trans(p), 'N', p->n, p->nrhs, (const T *)p->a, p->ld, (T *)p->b, p->ld))
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    return cli_check_solve_part(p, v, p->uplo);
}

CLI_ROUTINE(65, trtrs) = {
    .name = "trtrs",
    .summary = "solve T X = B, T^T X = B or T^H X = B with a triangular matrix",
    .text =
        "The input T is the --uplo triangle of the generated matrix or file, B has --nrhs columns (random, or --rhs "
        "FILE). info = k > 0\n"
        "(exit status 1): element (k, k) is exactly zero, and B is as it was. --output writes X.\n"
        "--check: the largest |b - op(T) x| / ((|op(T)| |x| + |b|) n eps) of all columns, in the 1-norm.",
    .example = "tilework trtrs --n 4096 --nrhs 100 --uplo U --check",
    .triangular = 1,
    .failure = "element %lld of the diagonal is 0, so there is no solution",
    .has_rhs = 1,
    .solves = 1,
    .transposes = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
};
