/* tilework gersvd: the largest singular values and their vectors, by random vectors. */
#include <math.h>
#include <stdlib.h>
#include "cli/cli.h"

static int tiles(struct cli_problem *p)
{
    const int info = tw_gersvd(p->A, p->o->tol > 0 ? p->o->tol : 0, p->o->oversampling, p->o->power, p->o->seed, p->w,
                               p->U, p->Vt, &p->rank, &p->error);
    p->found = p->rank;
    return info;
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    double residual[3] = {0}, distance = 0, most = 0;
    void *u, *vt, *copy_u = NULL, *copy_vt = NULL;
    int e;

    cli_verdict_begin(v, "max(|U^H A - s V^H| / (max(m, n) eps |A|), |U^H U - I| / (m eps), |V^H V - I| / (n eps)), "
                         "the error not below |A - U s V^H|");
    v->orthogonality = v->orthogonality_v = v->eigenvalue_error = NAN;
    v->zero_is_odd = 0;
    if (!(e = cli_result_u(p, &u, &copy_u)) && !(e = cli_result_vt(p, &vt, &copy_vt))) {
        e = check_gersvd(&A, p->rank, p->w, u, p->ld, vt, p->ld, residual, &distance);
        v->orthogonality = residual[1], v->orthogonality_v = residual[2];
        for (int k = 0; k < 3; k++)
            most = check_worse(most, residual[k]);
        /* what is below rounding cannot be bounded */
        if (!(distance <= p->error + 100 * (double)p->rows * check_eps(p->type) * (p->rank > 0 ? p->w[0] : 0)))
            most = INFINITY;
        e = cli_verdict_end(p, v, e, most);
    }
    free(copy_u), free(copy_vt);
    return e;
}

/* Two products with A, and two more for each power. */
static double flops(double m, double n, double nrhs)
{
    (void)nrhs;
    return 4 * m * n * (m < n ? m : n) / 8;
}

CLI_ROUTINE(194, gersvd) = {
    .name = "gersvd",
    .summary = "the largest singular values and their vectors, by random vectors (truncated)",
    .text = "A is about U diag(s) V^H with --rank columns of U, or as many as --tol takes. The report has the rank and "
            "the error, a bound of\n"
            "|A - U s V^H| in the 2-norm but with a probability of 1e-6. --seed counts for both matrix and random "
            "vectors. --output writes U,\n"
            "--values FILE s, --vt FILE V^H. Rates count two products of A with min(m, n) / 8 vectors. --check: |U^H A "
            "- s V^H| / "
            "(max(m, n) eps |A|),\n"
            "|U^H U - I| / (m eps), |V^H V - I| / (n eps), the largest of them; and that the error is not smaller than "
            "the power method finds.",
    .example = "tilework gersvd --m 2000 --n 1000 --kind svd:1e12 --rank 40 --check",
    .failure = "not all singular values were found, or it has a NaN or an infinity (%lld)",
    .general = 1,
    .rectangular = 1,
    .values = 1,
    .singular = 1,
    .truncated = 1,
    .flops_of = flops,
    .tiles = tiles,
    .check = check,
    .check_arrays = 1,
};
