/* tilework gehrd: the reduction of a general matrix to Hessenberg form. */
#include <math.h>
#include <stdlib.h>
#include "cli/cli.h"

static double flops(double n, double nrhs)
{
    (void)nrhs;
    return fmax(10 * n * n * n / 3 - n * n / 2 - 11 * n / 6, 0);
}

static int tiles(struct cli_problem *p)
{
    return tw_gehrd(1, p->n, p->A, p->P);
}

static tw_int lapack(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(gehrd, p, (p->n, 1, p->n, (T *)p->a, p->ld, (T *)p->tau))
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    void *tau = cli_result_tau(p), *f, *copy;
    double residual[2] = {0, 0};
    int e = CLI_FAILED;

    cli_verdict_begin(v, "max(|A Q - Q H| / (n eps |A|), |Q^H Q - I| / (n eps))");
    v->orthogonality = NAN;
    v->zero_is_odd = p->n >= 64;
    if (tau && !(e = cli_result_a(p, &f, &copy))) {
        e = check_gehrd(&A, f, p->ld, tau, residual);
        v->orthogonality = residual[1];
        e = cli_verdict_end(p, v, e, residual[1] > residual[0] || isnan(residual[1]) ? residual[1] : residual[0]);
        free(copy);
    }
    free(tau);
    return e;
}

CLI_ROUTINE(153, gehrd) = {
    .name = "gehrd",
    .summary = "the reduction of a general matrix to Hessenberg form",
    .text = "A = Q H Q^H, H with one diagonal below the main one, in LAPACK's storage: below it Q's reflectors, whose "
            "factors tau are not\n"
            "written. --output writes that array. --check: |A Q - Q H| / (n eps |A|), |Q^H Q - I| / (n eps), Q by "
            "LAPACK's ormtr, above\n"
            "n = 8192 for four vectors; the larger of them.",
    .example = "tilework gehrd --n 800 --check",
    .general = 1,
    .reflectors = 1,
    .told = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 6,
};
