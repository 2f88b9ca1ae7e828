/* tilework sygvd: generalized eigenvalue problems. */
#include <math.h>
#include <stdlib.h>
#include "cli/cli.h"
#include "cli_rows.h"

/* LAPACK's for real types: B's factor, the standard form, and its reduction to tridiagonal form. */
static double flops(double n, double nrhs)
{
    return cli_potrf.flops(n, nrhs) + n * n * n + cli_syevd.flops(n, nrhs);
}

static enum tw_jobz jobz(const struct cli_problem *p)
{
    return p->o->values_only ? TW_NOVECTORS : TW_VECTORS;
}

static int tiles(struct cli_problem *p)
{
    return tw_sygvd(p->o->itype, jobz(p), p->o->uplo, p->A, p->B, p->w, p->o->values_only ? NULL : p->A);
}

static tw_int lapack(struct cli_problem *p)
{
    const char job = (char)jobz(p), uplo = (char)p->o->uplo;
    const tw_int itype = p->o->itype;
    float *single;
    tw_int info;

    if (p->type == TW_DOUBLE) return tw_dsygvd(itype, job, uplo, p->n, p->a, p->ld, p->b, p->ld, p->w);
    if (p->type == TW_COMPLEX_DOUBLE) return tw_zhegvd(itype, job, uplo, p->n, p->a, p->ld, p->b, p->ld, p->w);
    if (!(single = malloc((size_t)(p->n + 1) * sizeof *single))) return TW_E_MEMORY;
    info = p->type == TW_FLOAT ? tw_ssygvd(itype, job, uplo, p->n, p->a, p->ld, p->b, p->ld, single)
                               : tw_chegvd(itype, job, uplo, p->n, p->a, p->ld, p->b, p->ld, single);
    for (tw_int i = 0; i < p->n && info >= 0 && info <= p->n; i++)
        p->w[i] = (double)single[i];
    free(single);
    return info;
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    static const char *const formulas[] = {
        "max(|A Z - B Z w| / (n eps |A| |Z|), |Z^H B Z - I| / (n eps |B| max |z|^2))",
        "max(|A B Z - Z w| / (n eps |A| |B| |Z|), |Z^H B Z - I| / (n eps |B| max |z|^2))",
        "max(|B A Z - Z w| / (n eps |A| |B| |Z|), |Z Z^H - B| / (n eps |B|))"};
    const struct check_matrix A = cli_source_matrix(&p->source), B = cli_source_matrix(&p->rhs);
    double residual[2] = {0, 0};
    void *z, *copy = NULL;
    int e;

    cli_verdict_begin(v, p->o->values_only ? "max |w - LAPACK's| / (n eps max |w|)" : formulas[p->o->itype - 1]);
    v->orthogonality = v->eigenvalue_error = NAN;
    v->zero_is_odd = 0;
    if (p->o->values_only) {
        e = check_generalized_values(p->o->itype, &A, &B, 0, p->n, p->w, residual);
        v->eigenvalue_error = residual[0];
    } else {
        if ((e = cli_result_a(p, &z, &copy))) return e;
        e = check_sygvd(p->o->itype, &A, &B, p->n, p->w, z, p->ld, residual);
        v->orthogonality = residual[1];
        if (!(residual[1] <= residual[0])) residual[0] = residual[1];
    }
    e = cli_verdict_end(p, v, e, residual[0]);
    free(copy);
    return e;
}

CLI_ROUTINE(142, sygvd) = {
    .name = "sygvd",
    .summary = "generalized eigenvalues, and eigenvectors: A x = lambda B x, B positive definite",
    .text = "With --itype 1 A x = lambda B x, 2 A B x = lambda x, 3 B A x = lambda x, A symmetric or hermitian. --jobz "
            "N: w alone. --output writes Z, or "
            "with\n"
            "--jobz N w; --values FILE writes w. Rates count B's factorization, the standard form and its reduction, 8 "
            "n^3 / 3. --check: the problem's "
            "residual\n"
            "and how near Z^H B Z is to the unit matrix; with --jobz N the eigenvalues against LAPACK's.",
    .example = "tilework sygvd --itype 1 --n 500 --check",
    .failure =
        "above the order: a leading minor of B is not positive definite; else not all eigenvalues were found (%lld)",
    .kind = "symmetric",
    .values = 1,
    .has_rhs = 1,
    .pencil = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 8,
};
