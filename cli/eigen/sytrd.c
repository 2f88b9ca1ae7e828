/* tilework sytrd: the reduction of a symmetric or hermitian matrix to tridiagonal form in one stage. */
#include <math.h>
#include <stdlib.h>
#include "cli/cli.h"

/* LAPACK's for real types. */
static double flops(double n, double nrhs)
{
    (void)nrhs;
    return fmax(4 * n * n * n / 3 + 3 * n * n - 20 * n / 3, 0);
}

static int tiles(struct cli_problem *p)
{
    return tw_sytrd(p->uplo, p->A, p->d, p->e, p->P);
}

#define CALL(name, d, e) tw_##name((char)p->uplo, p->n, p->a, p->ld, d, e, p->tau)
static tw_int lapack(struct cli_problem *p)
{
    const int single = p->type == TW_FLOAT || p->type == TW_COMPLEX_FLOAT;
    float *d = single ? cli_single_values(p) : NULL, *e = single ? cli_single_values(p) : NULL;
    tw_int info = TW_E_MEMORY;

    if (!single)
        info = p->type == TW_DOUBLE ? CALL(dsytrd, p->d, p->e) : CALL(zhetrd, p->d, p->e);
    else if (d && e)
        info = p->type == TW_FLOAT ? CALL(ssytrd, d, e) : CALL(chetrd, d, e);
    for (tw_int i = 0; single && info >= 0 && i < p->n; i++) {
        p->d[i] = (double)d[i];
        if (i + 1 < p->n) p->e[i] = (double)e[i];
    }
    free(d), free(e);
    return info;
}

static int before(struct cli_problem *p)
{
    if (!p->d) p->d = cli_alloc((double)p->n * sizeof *p->d, "--n");
    if (!p->e) p->e = cli_alloc((double)p->n * sizeof *p->e, "--n");
    return p->d && p->e ? 0 : CLI_USAGE;
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    void *tau = cli_result_tau(p), *f, *copy;
    double residual[3] = {0, 0, 0};
    int e = CLI_FAILED;

    cli_verdict_begin(v, "max(|A Q - Q T| / (n eps |A|), |Q^H Q - I| / (n eps))");
    v->orthogonality = NAN;
    v->zero_is_odd = 0;
    if (tau && !(e = cli_result_a(p, &f, &copy))) {
        e = check_sytrd(&A, p->uplo, f, p->ld, p->d, p->e, tau, residual);
        v->orthogonality = residual[1];
        e = cli_verdict_end(p, v, e, residual[2] == 0 ? check_worse(residual[0], residual[1]) : NAN);
        free(copy);
    }
    free(tau);
    return e;
}

CLI_ROUTINE(139, sytrd) = {
    .name = "sytrd",
    .summary = "the reduction of a symmetric or hermitian matrix to tridiagonal form (one stage)",
    .text = "A = Q T Q^H, T tridiagonal, in LAPACK's storage: T in the diagonal and beside it, Q's reflectors in the "
            "rest of "
            "the triangle.\n"
            "--output writes that triangle; the reflectors' factors tau are not written. --check: |A Q - Q T| / (n eps "
            "|A|), "
            "|Q^H Q - I| / (n eps),\n"
            "Q by LAPACK's ormtr, above n = 8192 for four vectors; the larger of them.",
    .example = "tilework sytrd --n 1000 --check",
    .kind = "symmetric",
    .reflectors = 1,
    .told = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .before = before,
    .check = check,
    .check_arrays = 5,
};
