/* tilework gesv_mixed: LU in single precision, refined in double. */
#include <stdlib.h>

#include "cli/cli.h"
#include "cli_rows.h"

static double flops(double n, double nrhs)
{
    return cli_gesv.flops(n, nrhs);
}

static int tiles(struct cli_problem *p)
{
    tw_matrix *X = NULL;
    int info = tw_matrix_create(&X, p->type, TW_GENERAL, p->n, p->nrhs, tw_matrix_nb(p->A), NULL);

    if (!info) info = tw_gesv_mixed(p->A, p->P, p->B, X, &p->corrections, &p->berr);
    if (!info) info = tw_lacpy(TW_GENERAL, X, p->B);
    tw_matrix_destroy(X);
    return info;
}

static tw_int lapack(struct cli_problem *p)
{
    void *x = malloc((size_t)p->ld * (size_t)p->nrhs * check_sizeof(p->type) + 1);
    tw_int iter = 0, info = TW_E_MEMORY;

    if (x && p->type == TW_DOUBLE)
        info = tw_dsgesv(p->n, p->nrhs, p->a, p->ld, p->ipiv, p->b, p->ld, x, p->ld, &iter);
    else if (x)
        info = tw_zcgesv(p->n, p->nrhs, p->a, p->ld, p->ipiv, p->b, p->ld, x, p->ld, &iter);
    p->corrections = (int)iter, p->berr = -1;
    if (info == 0) check_copy(p->type, p->n, p->nrhs, x, p->ld, p->b, p->ld);
    free(x);
    return info;
}

CLI_ROUTINE(102, gesv_mixed) = {
    .name = "gesv_mixed",
    .summary = "solve A X = B by LU in single precision, refined in double",
    .text =
        "LAPACK's dsgesv and zcgesv, for --type d and z: the report has iter, the corrections that were made, and "
        "berr, the "
        "largest\n"
        "max |b - A x| / (|A| max |x|). iter < 0: double precision had to do it, because a number was beyond single "
        "precision's (-2),\n"
        "its factorization failed (-3), or 30 corrections did not do (-31). --output writes X.\n"
        "--check: the largest |b - A x| / ((|A| |x| + |b|) n eps) of all columns, in the 1-norm.",
    .example = "tilework gesv_mixed --n 2048 --nrhs 10 --check --json",
    .general = 1,
    .failure = "pivot %lld is exactly 0: the matrix is singular",
    .has_rhs = 1,
    .solves = 1,
    .mixed = 1,
    .copies = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_solve,
};
