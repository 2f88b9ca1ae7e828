/* tilework lauum: the product of a triangular matrix with its conjugate transpose. */
#include "cli/cli.h"
#include "cli_rows.h"

static int tiles(struct cli_problem *p)
{
    return tw_lauum(p->uplo, p->A);
}

static tw_int lapack(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(lauum, p, ((char)p->uplo, p->n, (T *)p->a, p->ld))
}

static double flops(double n, double nrhs)
{
    return cli_potrf.flops(n, nrhs); /* LAPACK counts the same operations */
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    return cli_check_triangle(
        p, v, p->uplo == TW_LOWER ? "|L^H L - R| / (n eps |L| |L^H|)" : "|U U^H - R| / (n eps |U| |U^H|)", check_lauum);
}

CLI_ROUTINE(50, lauum) = {
    .name = "lauum",
    .summary = "L^H L or U U^H of a triangular matrix, in place",
    .text =
        "The input is the --uplo triangle of the generated matrix or file. --output writes a symmetric or hermitian\n"
        "file. --check: |L^H L - result| / (n eps |L| |L^H|) in the 1-norm.",
    .example = "tilework lauum --n 4096 --check",
    .triangular = 1,
    .symmetric_result = 1,
    .failure = "the leading minor of order %lld is not positive definite",
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 6, /* three in double precision */
};
