/* tilework gebrd: the reduction of a general matrix to bidiagonal form in one stage. */
#include <math.h>
#include <stdlib.h>
#include "cli/cli.h"

static int tiles(struct cli_problem *p)
{
    return tw_gebrd(p->A, p->d, p->e, p->P, p->P2);
}

#define CALL(name, d, e) tw_##name(p->m, p->n, p->a, p->ld, d, e, p->tau, p->tau2)
static tw_int lapack(struct cli_problem *p)
{
    const int single = p->type == TW_FLOAT || p->type == TW_COMPLEX_FLOAT;
    const tw_int k = p->m < p->n ? p->m : p->n;
    float *d = single ? cli_single_values(p) : NULL, *e = single ? cli_single_values(p) : NULL;
    tw_int info = TW_E_MEMORY;

    if (!single)
        info = p->type == TW_DOUBLE ? CALL(dgebrd, p->d, p->e) : CALL(zgebrd, p->d, p->e);
    else if (d && e)
        info = p->type == TW_FLOAT ? CALL(sgebrd, d, e) : CALL(cgebrd, d, e);
    for (tw_int i = 0; single && info >= 0 && i < k; i++) {
        p->d[i] = (double)d[i];
        if (i + 1 < k) p->e[i] = (double)e[i];
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
    void *tauq = cli_result_tau(p), *taup = cli_result_tau2(p), *f, *copy;
    double residual[4] = {0, 0, 0, 0}, most = 0;
    int e = CLI_FAILED;

    cli_verdict_begin(v, "max(|A P - Q B| / (max(m, n) eps |A|), |Q^H Q - I| / (m eps), |P^H P - I| / (n eps))");
    v->orthogonality = NAN;
    v->zero_is_odd = 0;
    if (tauq && taup && !(e = cli_result_a(p, &f, &copy))) {
        e = check_gebrd(&A, f, p->ld, p->d, p->e, tauq, taup, residual);
        v->orthogonality = check_worse(residual[1], residual[2]);
        for (int k = 0; k < 3; k++)
            most = check_worse(most, residual[k]);
        e = cli_verdict_end(p, v, e, residual[3] == 0 ? most : NAN);
        free(copy);
    }
    free(tauq), free(taup);
    return e;
}

CLI_ROUTINE(197, gebrd) = {
    .name = "gebrd",
    .summary = "the reduction of a general matrix to bidiagonal form (one stage)",
    .text =
        "A = Q B P^H of --m rows and --n columns, B upper bidiagonal, with m < n lower, in LAPACK's storage: B in two "
        "diagonals, the\n"
        "reflectors of Q below and of P above them. --output writes that matrix; the reflectors' factors are not "
        "written. --check:\n"
        "|A P - Q B| / (max(m, n) eps |A|), |Q^H Q - I| / (m eps), |P^H P - I| / (n eps), Q and P by LAPACK's ormbr, "
        "above 8192 for four\n"
        "vectors; the largest of them.",
    .example = "tilework gebrd --m 600 --n 400 --check",
    .general = 1,
    .rectangular = 1,
    .reflectors = 2,
    .told = 1,
    .flops_of = cli_gebrd_flops,
    .tiles = tiles,
    .lapack = lapack,
    .before = before,
    .check = check,
    .check_arrays = 5,
};
