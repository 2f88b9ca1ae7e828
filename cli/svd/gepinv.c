/* tilework gepinv: the pseudo-inverse. */
#include <math.h>
#include <stdlib.h>
#include "cli/cli.h"

static double flops(double m, double n, double nrhs)
{
    const double most = m > n ? m : n, least = m > n ? n : m;
    return cli_gebrd_flops(m, n, nrhs) + 2 * most * least * least;
}

static int tiles(struct cli_problem *p)
{
    double *s = malloc((size_t)(p->rows + 1) * sizeof *s);
    const int info = s ? tw_gepinv(p->A, p->U, s, p->o->rcond, &p->rank) : TW_E_MEMORY;
    free(s);
    return info;
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    double residual[4] = {0}, most = 0;
    void *inverse, *copy;
    int e;

    cli_verdict_begin(v, "max of |A P A - A|, |P A P - P|, |A P - (A P)^H|, |P A - (P A)^H|, scaled");
    if ((e = cli_result_of(p, p->U, NULL, p->m, &inverse, &copy))) return e;
    e = check_gepinv(&A, inverse, p->ld, p->o->rcond > 0 ? p->o->rcond : 0, residual);
    for (int k = 0; k < 4; k++)
        most = check_worse(most, residual[k]);
    free(copy);
    return cli_verdict_end(p, v, e, most);
}

CLI_ROUTINE(193, gepinv) = {
    .name = "gepinv",
    .summary = "the pseudo-inverse of a matrix of any shape and rank, by its singular values",
    .text = "P = V inv(S) U^H, n x m, with singular values above rcond times the largest one. "
            "--output writes P.\n"
            "Rates count the reduction to bidiagonal form and the last product. --check: the conditions of Moore and "
            "Penrose, A P A = A and\n"
            "P A P = P in units of max(m, n) eps and the factors' norms, and that A P and P A are hermitian, likewise; "
            "the largest of the four.",
    .example = "tilework gepinv --m 600 --n 400 --check",
    .failure = "not all singular values were found, or the matrix has a NaN or an infinity (%lld)",
    .general = 1,
    .rectangular = 1,
    .ranked = 1,
    .second = 'P',
    .flops_of = flops,
    .tiles = tiles,
    .check = check,
    .check_arrays = 5,
};
