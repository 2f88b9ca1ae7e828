/* tilework trtri: the inverse of a triangular matrix. */
#include "cli/cli.h"

static double flops(double n, double nrhs)
{
    (void)nrhs;
    return n * n * n / 3 + 2 * n / 3;
}

static int tiles(struct cli_problem *p)
{
    return tw_trtri(p->uplo, TW_NONUNIT, p->A);
}

static tw_int lapack(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(trtri, p, ((char)p->uplo, 'N', p->n, (T *)p->a, p->ld))
}

static int residual(const struct check_matrix *A, enum tw_uplo uplo, const void *f, tw_int ldf, double *value)
{
    return check_trtri(A, uplo, TW_NONUNIT, f, ldf, value);
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    return cli_check_triangle(p, v, "|I - T inv(T)| / (n eps |T| |inv(T)|)", residual);
}

CLI_ROUTINE(60, trtri) = {
    .name = "trtri",
    .summary = "inverse of a triangular matrix, in place",
    .text =
        "The input T is the --uplo triangle of the generated matrix or file. info = k > 0 (exit status 1): element\n"
        "(k, k) is zero. --check: |I - T inv(T)| / (n eps |T| |inv(T)|) in the 1-norm.",
    .example = "tilework trtri --n 4096 --uplo U --check",
    .triangular = 1,
    .failure = "element %lld of the diagonal is 0, so there is no inverse",
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 6, /* three in double precision */
};
