/* tilework potrf: the Cholesky factorization. */
#include "cli/cli.h"

static double flops(double n, double nrhs)
{
    (void)nrhs;
    return n * n * n / 3 + n * n / 2 + n / 6;
}

static int tiles(struct cli_problem *p)
{
    return tw_potrf(p->uplo, p->A);
}

static tw_int lapack(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(potrf, p, ((char)p->uplo, p->n, (T *)p->a, p->ld))
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    return cli_check_triangle(p, v, p->uplo == TW_LOWER ? "|A - L L^H| / (n eps |A|)" : "|A - U^H U| / (n eps |A|)",
                              check_potrf);
}

CLI_ROUTINE(10, potrf) = {
    .name = "potrf",
    .summary = "Cholesky factorization A = L L^H or U^H U",
    .text =
        "Factors a symmetric or hermitian positive definite matrix of order --n. info = k > 0 (exit status 1): the\n"
        "leading minor of order k is not positive definite. --check: |A - L L^H| / (n eps |A|) in the 1-norm.",
    .example = "tilework potrf --n 8192 --cond 1e12 --check",
    .failure = "the leading minor of order %lld is not positive definite",
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 2,
};
