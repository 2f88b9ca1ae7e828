/* tilework gesdd: singular values and vectors of a general matrix. */
#include <math.h>
#include <stdlib.h>
#include "cli/cli.h"

/* LAPACK's for real types: the reduction to bidiagonal form. */
static double flops(double m, double n, double nrhs)
{
    const double most = m > n ? m : n, least = m > n ? n : m;
    (void)nrhs;
    return 4 * most * least * least - 4 * least * least * least / 3;
}

/* Values that count beside the largest one. */
static void find_rank(struct cli_problem *p)
{
    const double size = (double)(p->m > p->n ? p->m : p->n) * 2 * check_eps(p->type);

    p->rank = 0;
    while (p->rank < p->found && p->w[p->rank] > size * p->w[0])
        p->rank++;
}

static char job(const struct cli_problem *p)
{
    return (char)(p->o->values_only ? 'N' : p->o->jobz ? p->o->jobz : 'S');
}

static int tiles(struct cli_problem *p)
{
    const int info = tw_gesdd((enum tw_svd_job)job(p), p->A, p->w, p->U, p->Vt);
    if (info == 0) find_rank(p);
    return info;
}

#define CALL(name, w) tw_##name(job(p), p->m, p->n, p->a, p->ld, w, p->u, p->ld, p->vt, p->ld)
static tw_int lapack(struct cli_problem *p)
{
    const int single = p->type == TW_FLOAT || p->type == TW_COMPLEX_FLOAT;
    float *w = single ? cli_single_values(p) : NULL;
    tw_int info;

    if (single && !w) return TW_E_MEMORY;
    switch (p->type) {
    case TW_FLOAT: info = cli_keep_single_values(p, w, CALL(sgesdd, w)); break;
    case TW_DOUBLE: info = CALL(dgesdd, p->w); break;
    case TW_COMPLEX_FLOAT: info = cli_keep_single_values(p, w, CALL(cgesdd, w)); break;
    default: info = CALL(zgesdd, p->w);
    }
    if (info == 0) find_rank(p);
    return info;
}

static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    const struct cli_singular s = cli_singular(p);
    double residual[3] = {0, 0, 0};
    void *u, *vt, *copy_u = NULL, *copy_vt = NULL;
    int e;

    cli_verdict_begin(v,
                      p->o->values_only
                          ? "max |s - LAPACK's| / (max(m, n) eps |A|)"
                          : "max(|A - U s V^H| / (max(m, n) eps |A|), |U^H U - I| / (m eps), |V^H V - I| / (n eps))");
    v->orthogonality = v->orthogonality_v = v->eigenvalue_error = NAN;
    v->zero_is_odd = 0;
    if (!(e = cli_result_u(p, &u, &copy_u)) && !(e = cli_result_vt(p, &vt, &copy_vt))) {
        e = check_gesdd(&A, p->w, s.left, u, p->ld, s.right, vt, p->ld, residual);
        if (u) v->orthogonality = residual[1], v->orthogonality_v = residual[2];
        residual[0] = larger(residual[0], larger(residual[1], residual[2]));
        if (!e && s.k <= CHECK_VALUES_MAX && (p->o->values_only || s.k <= 1024)) {
            e = check_singular_values(&A, p->w, &v->eigenvalue_error);
            residual[0] = larger(residual[0], v->eigenvalue_error);
        }
        e = cli_verdict_end(p, v, e, residual[0]);
    }
    free(copy_u), free(copy_vt);
    return e;
}

CLI_ROUTINE(190, gesdd) = {
    .name = "gesdd",
    .summary = "singular values, and singular vectors, of a general matrix (two stages)",
    .text =
        "A = U diag(s) V^H, --m rows and --n columns. --output writes U, or with --jobz N s; --values FILE writes s.\n"
        "Rates count the reduction to bidiagonal form, 4 m n^2 - 4 n^3 / 3 for m >= n. --check: |A - U s V^H| / "
        "(max(m, n) eps |A|),\n"
        "|U^H U - I| / (m eps), |V^H V - I| / (n eps), up to 1024 values (--jobz N: 4096) their distance from "
        "LAPACK's in units of\n"
        "max(m, n) eps |A|; the largest of them. The rank counts values above 2 max(m, n) eps s(1).",
    .example = "tilework gesdd --m 800 --n 500 --check",
    .failure = "not all singular values were found (%lld)",
    .general = 1,
    .rectangular = 1,
    .values = 1,
    .singular = 1,
    .flops_of = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 4,
};
