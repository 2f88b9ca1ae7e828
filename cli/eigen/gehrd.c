/* tilework gehrd: the reduction of a general matrix to Hessenberg form in one stage. */
#include <math.h>
#include <stdlib.h>
#include "cli/cli.h"

/* LAPACK's for real types. */
static double flops(double n, double nrhs)
{
    (void)nrhs;
    return fmax(10 * n * n * n / 3 - n * n / 2 - 11 * n / 6, 0);
}

static int tiles(struct cli_problem *p)
{
    return tw_gehrd(1, p->n, p->A, p->P);
}

#define CALL(name) tw_##name(p->n, 1, p->n, p->a, p->ld, p->tau)
static tw_int lapack(struct cli_problem *p)
{
    switch (p->type) {
    case TW_FLOAT: return CALL(sgehrd);
    case TW_DOUBLE: return CALL(dgehrd);
    case TW_COMPLEX_FLOAT: return CALL(cgehrd);
    default: return CALL(zgehrd);
    }
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    void *tau = cli_result_tau(p), *f, *copy;
    double residual[2] = {0, 0};
    int e = CLI_FAILED;

    cli_verdict_begin(v, "max(|A Q - Q H| / (n eps |A|), |Q^H Q - I| / (n eps))");
    v->orthogonality = NAN;
    v->zero_is_odd = 0;
    if (tau && !(e = cli_result_a(p, &f, &copy))) {
        e = check_gehrd(&A, f, p->ld, tau, residual);
        v->orthogonality = residual[1];
        e = cli_verdict_end(p, v, e, check_worse(residual[0], residual[1]));
        free(copy);
    }
    free(tau);
    return e;
}

CLI_ROUTINE(153, gehrd) = {
    .name = "gehrd",
    .summary = "the reduction of a general matrix to Hessenberg form (one stage)",
    .text = "A = Q H Q^H, H zero below its sub-diagonal, in LAPACK's storage: H, and below it Q's reflectors.\n"
            "--output writes that matrix; the reflectors' factors tau are not written. --check: |A Q - Q H| / (n eps "
            "|A|), |Q^H Q - I| / (n eps),\n"
            "Q by LAPACK's ormtr, above n = 8192 for four vectors; the larger of them.",
    .example = "tilework gehrd --n 600 --check",
    .general = 1,
    .reflectors = 1,
    .told = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 6,
};
