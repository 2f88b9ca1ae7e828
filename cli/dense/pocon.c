/* tilework pocon: the condition number from a Cholesky factor. */
#include "cli/cli.h"
#include "cli_rows.h"

static int tiles(struct cli_problem *p)
{
    return tw_pocon(p->uplo, p->A, p->anorm, &p->rcond);
}

static tw_int lapack(struct cli_problem *p)
{
    if (p->type == TW_FLOAT || p->type == TW_COMPLEX_FLOAT) {
        float rcond = 0;
        tw_int info = p->type == TW_FLOAT ? tw_spocon((char)p->uplo, p->n, p->a, p->ld, (float)p->anorm, &rcond)
                                          : tw_cpocon((char)p->uplo, p->n, p->a, p->ld, (float)p->anorm, &rcond);
        p->rcond = rcond;
        return info;
    }
    if (p->type == TW_DOUBLE) return tw_dpocon((char)p->uplo, p->n, p->a, p->ld, p->anorm, &p->rcond);
    return tw_zpocon((char)p->uplo, p->n, p->a, p->ld, p->anorm, &p->rcond);
}

static int of_lapack(const struct cli_problem *p, const void *f, double *rcond)
{
    return check_lapack_pocon(p->type, p->uplo, p->n, f, p->ld, p->anorm, rcond);
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    return cli_check_condition(p, v, of_lapack);
}

CLI_ROUTINE(70, pocon) = {
    .name = "pocon",
    .summary = "reciprocal condition number of A from the factor of potrf",
    .text = "Factors A first (not part of the time), then estimates 1 / (|A| |inv(A)|) in the 1-norm. --check: the "
            "ratio to\n"
            "LAPACK's own estimate from the same factor, at least 1; a warning above 3, a failure above 10.",
    .example = "tilework pocon --n 2048 --cond 1e6 --check",
    .factor = &cli_potrf,
    .failure = "the leading minor of order %lld is not positive definite",
    .condition = 1,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
};
