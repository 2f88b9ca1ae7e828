/* tilework gecon: reciprocal condition number of A from the factors of getrf. */
#include "cli/cli.h"
#include "cli_rows.h"

static int tiles(struct cli_problem *p)
{
    return tw_gecon(TW_ONE_NORM, p->A, p->anorm, &p->rcond);
}

static tw_int through_lapack(struct cli_problem *p, float *single)
{
    switch (p->type) {
    case TW_FLOAT: return tw_sgecon('1', p->n, p->a, p->ld, (float)p->anorm, single);
    case TW_COMPLEX_FLOAT: return tw_cgecon('1', p->n, p->a, p->ld, (float)p->anorm, single);
    case TW_DOUBLE: return tw_dgecon('1', p->n, p->a, p->ld, p->anorm, &p->rcond);
    default: return tw_zgecon('1', p->n, p->a, p->ld, p->anorm, &p->rcond);
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
    return check_lapack_gecon(p->type, p->n, f, p->ld, p->anorm, rcond);
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    return cli_check_condition(p, v, of_lapack);
}

CLI_ROUTINE(97, gecon) = {
    .name = "gecon",
    .summary = "reciprocal condition number of A from the factors of getrf",
    .text = "Factors A first (not part of the time), then estimates 1 / (|A| |inv(A)|) in the 1-norm. --check: the "
            "ratio to\n"
            "LAPACK's own estimate from the same factors, at least 1; a warning above 3, a failure above 10.",
    .example = "tilework gecon --n 2048 --check",
    .factor = &cli_getrf,
    .general = 1,
    .failure = "pivot %lld is exactly 0: the matrix is singular",
    .condition = 1,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
};
