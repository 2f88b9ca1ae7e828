/* tilework trcon: reciprocal condition number of a triangular matrix. */
#include "cli/cli.h"

static int tiles(struct cli_problem *p)
{
    return tw_trcon(TW_ONE_NORM, p->uplo, TW_NONUNIT, p->A, &p->rcond);
}

static tw_int through_lapack(struct cli_problem *p, float *single)
{
    switch (p->type) {
    case TW_FLOAT: return tw_strcon('1', (char)p->uplo, 'N', p->n, p->a, p->ld, single);
    case TW_COMPLEX_FLOAT: return tw_ctrcon('1', (char)p->uplo, 'N', p->n, p->a, p->ld, single);
    case TW_DOUBLE: return tw_dtrcon('1', (char)p->uplo, 'N', p->n, p->a, p->ld, &p->rcond);
    default: return tw_ztrcon('1', (char)p->uplo, 'N', p->n, p->a, p->ld, &p->rcond);
    }
}
static tw_int lapack(struct cli_problem *p)
{
    float single = 0;
    const tw_int info = through_lapack(p, &single);

    if (p->type == TW_FLOAT || p->type == TW_COMPLEX_FLOAT) p->rcond = (double)single;
    return info;
}

static int of_lapack(const struct cli_problem *p, const void *f, double *rcond)
{
    return check_lapack_trcon(p->type, p->uplo, p->n, f, p->ld, rcond);
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    return cli_check_condition(p, v, of_lapack);
}

CLI_ROUTINE(67, trcon) = {
    .name = "trcon",
    .summary = "reciprocal condition number of a triangular matrix",
    .text = "Estimates 1 / (|T| |inv(T)|) in the 1-norm of the --uplo triangle T of the generated matrix or file. "
            "--check: the "
            "ratio to\n"
            "LAPACK's own estimate, at least 1; a warning above 3, a failure above 10.",
    .example = "tilework trcon --n 2048 --uplo U --check",
    .triangular = 1,
    .condition = 1,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
};
