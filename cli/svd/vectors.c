/* What the commands of singular values and vectors share. */
#include <math.h>
#include <stdlib.h>
#include "cli/cli.h"

double cli_gebrd_flops(double m, double n, double nrhs)
{
    const double most = m > n ? m : n, least = m > n ? n : m;
    (void)nrhs;
    return 4 * most * least * least - 4 * least * least * least / 3;
}

void cli_find_rank(struct cli_problem *p)
{
    const double size = (double)(p->m > p->n ? p->m : p->n) * 2 * check_eps(p->type);

    p->rank = 0;
    while (p->rank < p->found && p->w[p->rank] > size * p->w[0])
        p->rank++;
}

char cli_svd_job(const struct cli_problem *p)
{
    return (char)(p->o->values_only ? 'N' : p->o->jobz ? p->o->jobz : 'S');
}

int cli_check_some_singular(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    const tw_int k = p->m < p->n ? p->m : p->n;
    double residual[4] = {0, 0, 0, 0};
    void *u, *vt, *copy_u = NULL, *copy_vt = NULL;
    int e;

    cli_verdict_begin(v, p->o->values_only ? "max |s - LAPACK's| / (max(m, n) eps |A|)"
                                           : "max(|A V - U s| / (max(m, n) eps |A|), |A^H U - V s| / (max(m, n) eps "
                                             "|A^H|), |U^H U - I| / (m eps), |V^H V - I| / (n eps))");
    v->orthogonality = v->orthogonality_v = v->eigenvalue_error = NAN;
    v->zero_is_odd = 0;
    if (!(e = cli_result_u(p, &u, &copy_u)) && !(e = cli_result_vt(p, &vt, &copy_vt))) {
        e = check_gesvdx(&A, p->found, p->w, u, p->ld, vt, p->ld, residual);
        if (u) v->orthogonality = residual[2], v->orthogonality_v = residual[3];
        residual[0] = check_worse(check_worse(residual[0], residual[1]), check_worse(residual[2], residual[3]));
        if (!e && k <= CHECK_VALUES_MAX && (p->o->values_only || k <= 1024)) {
            e = p->o->which == TW_INTERVAL
                    ? check_singular_interval(&A, p->o->vl, p->o->vu, p->found, p->w, &v->eigenvalue_error)
                    : check_some_singular_values(&A, p->o->which == TW_INDICES ? p->o->il - 1 : 0, p->found, p->w,
                                                 &v->eigenvalue_error);
            residual[0] = check_worse(residual[0], v->eigenvalue_error);
        }
        e = cli_verdict_end(p, v, e, residual[0]);
    }
    free(copy_u), free(copy_vt);
    return e;
}

int cli_check_singular(struct cli_problem *p, struct cli_verdict *v)
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
        residual[0] = check_worse(residual[0], check_worse(residual[1], residual[2]));
        if (!e && s.k <= CHECK_VALUES_MAX && (p->o->values_only || s.k <= 1024)) {
            e = check_singular_values(&A, p->w, &v->eigenvalue_error);
            residual[0] = check_worse(residual[0], v->eigenvalue_error);
        }
        e = cli_verdict_end(p, v, e, residual[0]);
    }
    free(copy_u), free(copy_vt);
    return e;
}
