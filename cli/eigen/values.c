/* What routines with eigenvalues share. */
#include <math.h>
#include <stdlib.h>
#include "cli/cli.h"

enum tw_jobz cli_jobz(const struct cli_problem *p)
{
    return p->o->values_only ? TW_NOVECTORS : TW_VECTORS;
}

float *cli_single_values(const struct cli_problem *p)
{
    return malloc((size_t)(p->n + 1) * sizeof(float));
}

tw_int cli_keep_single_values(struct cli_problem *p, float *single, tw_int info)
{
    for (tw_int i = 0; i < p->found && info >= 0; i++)
        p->w[i] = (double)single[i];
    free(single);
    return info;
}

int cli_check_values(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_band band = {p->type, p->uplo, p->n, p->kd, p->ab, p->kd + 1};
    const struct check_matrix A = p->routine->banded ? check_of_band(&band) : cli_source_matrix(&p->source);
    double residual[2] = {0, 0};
    void *z, *copy = NULL;
    int e = 0;

    cli_verdict_begin(v, p->o->values_only ? "max |w - LAPACK's| / (n eps |A|)"
                                           : "max(|A Z - Z w| / (n eps |A|), |Z^H Z - I| / (n eps))");
    v->orthogonality = v->eigenvalue_error = NAN;
    v->zero_is_odd = 0;
    if (!p->o->values_only) {
        if ((e = cli_result_z(p, &z, &copy))) return e;
        e = check_syevd(&A, p->found, p->w, z, p->ld, residual);
        v->orthogonality = residual[1];
        residual[0] = check_worse(residual[0], residual[1]);
    }
    if (!e && p->n <= CHECK_VALUES_MAX && (p->o->values_only || p->n <= 1024)) {
        if (!p->routine->ranges)
            e = check_eigenvalues(&A, p->w, &v->eigenvalue_error);
        else if (p->o->which == TW_INTERVAL)
            e = check_interval(&A, p->o->vl, p->o->vu, p->found, p->w, &v->eigenvalue_error);
        else
            e = check_some_eigenvalues(&A, p->o->which == TW_INDICES ? p->o->il - 1 : 0, p->found, p->w,
                                       &v->eigenvalue_error);
        residual[0] = check_worse(residual[0], v->eigenvalue_error);
    }
    e = cli_verdict_end(p, v, e, residual[0]);
    free(copy);
    return e;
}
