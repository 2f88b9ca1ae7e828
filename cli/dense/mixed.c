/* tilework posv_mixed, gesv_mixed: Cholesky and LU in single precision, refined in double; posv_half, gesv_half: with
 * products of half precision's numbers, and GMRES. */
#include <stdlib.h>

#include "cli/cli.h"
#include "cli_rows.h"

static double posv_flops(double n, double nrhs)
{
    return cli_posv.flops(n, nrhs);
}
static double gesv_flops(double n, double nrhs)
{
    return cli_gesv.flops(n, nrhs);
}

static int by_tiles(struct cli_problem *p, int general, int half)
{
    tw_matrix *X = NULL;
    int info = tw_matrix_create(&X, p->type, TW_GENERAL, p->n, p->nrhs, tw_matrix_nb(p->A), NULL);

    if (!info && general)
        info = (half ? tw_gesv_half : tw_gesv_mixed)(p->A, p->P, p->B, X, &p->corrections, &p->berr);
    else if (!info)
        info = (half ? tw_posv_half : tw_posv_mixed)(p->uplo, p->A, p->B, X, &p->corrections, &p->berr);
    if (!info) info = tw_lacpy(TW_GENERAL, X, p->B);
    tw_matrix_destroy(X);
    return info;
}
static int posv_tiles(struct cli_problem *p)
{
    return by_tiles(p, 0, 0);
}
static int gesv_tiles(struct cli_problem *p)
{
    return by_tiles(p, 1, 0);
}
static int posv_half_tiles(struct cli_problem *p)
{
    return by_tiles(p, 0, 1);
}
static int gesv_half_tiles(struct cli_problem *p)
{
    return by_tiles(p, 1, 1);
}

/* x: as large as p->b. */
static tw_int posv(struct cli_problem *p, void *x, tw_int *iter)
{
    return p->type == TW_DOUBLE ? tw_dsposv((char)p->uplo, p->n, p->nrhs, p->a, p->ld, p->b, p->ld, x, p->ld, iter)
                                : tw_zcposv((char)p->uplo, p->n, p->nrhs, p->a, p->ld, p->b, p->ld, x, p->ld, iter);
}
static tw_int gesv(struct cli_problem *p, void *x, tw_int *iter)
{
    return p->type == TW_DOUBLE ? tw_dsgesv(p->n, p->nrhs, p->a, p->ld, p->ipiv, p->b, p->ld, x, p->ld, iter)
                                : tw_zcgesv(p->n, p->nrhs, p->a, p->ld, p->ipiv, p->b, p->ld, x, p->ld, iter);
}

static tw_int through_lapack(struct cli_problem *p, tw_int (*solve)(struct cli_problem *, void *, tw_int *))
{
    void *x = malloc((size_t)p->ld * (size_t)p->nrhs * check_sizeof(p->type) + 1);
    tw_int iter = 0;
    const tw_int info = x ? solve(p, x, &iter) : TW_E_MEMORY;

    p->corrections = (int)iter, p->berr = -1;
    if (info == 0) check_copy(p->type, p->n, p->nrhs, x, p->ld, p->b, p->ld);
    free(x);
    return info;
}
static tw_int posv_lapack(struct cli_problem *p)
{
    return through_lapack(p, posv);
}
static tw_int gesv_lapack(struct cli_problem *p)
{
    return through_lapack(p, gesv);
}

#define TEXT(names)                                                                                                    \
    "LAPACK's " names ", for --type d and z: the report has iter, the corrections that were made, and "                \
    "berr, the "                                                                                                       \
    "largest\n"                                                                                                        \
    "max |b - A x| / (|A| max |x|). iter < 0: double precision had to do it, because a number was beyond single "      \
    "precision's (-2),\n"                                                                                              \
    "its factorization failed (-3), or 30 corrections did not do (-31). --output writes X.\n"                          \
    "--check: the largest |b - A x| / ((|A| |x| + |b|) n eps) of all columns, in the 1-norm."

CLI_ROUTINE(32, posv_mixed) = {
    .name = "posv_mixed",
    .summary = "solve A X = B by Cholesky in single precision, refined in double",
    .text = TEXT("dsposv and zcposv"),
    .example = "tilework posv_mixed --n 2048 --nrhs 10 --check --json",
    .failure = "the leading minor of order %lld is not positive definite",
    .has_rhs = 1,
    .solves = 1,
    .mixed = 1,
    .copies = 1,
    .flops = posv_flops,
    .tiles = posv_tiles,
    .lapack = posv_lapack,
    .check = cli_check_solve,
};

CLI_ROUTINE(102, gesv_mixed) = {
    .name = "gesv_mixed",
    .summary = "solve A X = B by LU in single precision, refined in double",
    .text = TEXT("dsgesv and zcgesv"),
    .example = "tilework gesv_mixed --n 2048 --nrhs 10 --check --json",
    .general = 1,
    .failure = "pivot %lld is exactly 0: the matrix is singular",
    .has_rhs = 1,
    .solves = 1,
    .mixed = 1,
    .copies = 1,
    .flops = gesv_flops,
    .tiles = gesv_tiles,
    .lapack = gesv_lapack,
    .check = cli_check_solve,
};

#define HALF(factors)                                                                                                  \
    "For --type d and z: the matrix, its rows and columns scaled, is factored by " factors " in single precision "     \
    "with products\nof numbers rounded to half precision, and X found by GMRES in double precision that these "        \
    "factors precondition; for\nconditions up to 1e5 or so.\n"                                                         \
    "The report has factors (half, or double where it came to that), iter, the steps that were made, and berr, the "   \
    "largest\n"                                                                                                        \
    "max |b - A x| / (|A| max |x|). iter < 0: double precision had to do it, because the factorization failed (-3) "   \
    "or 50 steps\nwould not do (-31). --output writes X. --check: the largest |b - A x| / ((|A| |x| + |b|) n eps) of " \
    "all columns, in the\n1-norm."

CLI_ROUTINE(33, posv_half) = {
    .name = "posv_half",
    .summary = "solve A X = B by Cholesky with products in half precision, and GMRES in double",
    .text = HALF("Cholesky"),
    .example = "tilework posv_half --n 2048 --cond 1e3 --check --json",
    .failure = "the leading minor of order %lld is not positive definite",
    .has_rhs = 1,
    .solves = 1,
    .mixed = 1,
    .half = 1,
    .copies = 1,
    .flops = posv_flops,
    .tiles = posv_half_tiles,
    .check = cli_check_solve,
};

CLI_ROUTINE(104, gesv_half) = {
    .name = "gesv_half",
    .summary = "solve A X = B by LU with products in half precision, and GMRES in double",
    .text = HALF("LU"),
    .example = "tilework gesv_half --n 2048 --kind svd:1e4 --check --json",
    .general = 1,
    .failure = "pivot %lld is exactly 0: the matrix is singular",
    .has_rhs = 1,
    .solves = 1,
    .mixed = 1,
    .half = 1,
    .copies = 1,
    .flops = gesv_flops,
    .tiles = gesv_half_tiles,
    .check = cli_check_solve,
};
