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

static int sygvd_tiles(struct cli_problem *p)
{
    return tw_sygvd(p->o->itype, cli_jobz(p), p->o->uplo, p->A, p->B, p->w, p->o->values_only ? NULL : p->A);
}
static int sygvx_tiles(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    return tw_sygvx(o->itype, cli_jobz(p), o->which, o->uplo, p->A, p->B, o->vl, o->vu, o->il, o->iu, &p->found, p->w,
                    p->Z);
}

/* Single precision's values, if there are any. */
static tw_int keep(struct cli_problem *p, float *single, tw_int info)
{
    if (info <= p->n) return cli_keep_single_values(p, single, info);
    free(single);
    return info;
}

#define SYGVD(name, w) tw_##name(o->itype, (char)cli_jobz(p), (char)o->uplo, p->n, p->a, p->ld, p->b, p->ld, w)
static tw_int sygvd_lapack(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    const int is_single = p->type == TW_FLOAT || p->type == TW_COMPLEX_FLOAT;
    float *single = is_single ? cli_single_values(p) : NULL;

    if (is_single && !single) return TW_E_MEMORY;
    switch (p->type) {
    case TW_FLOAT: return keep(p, single, SYGVD(ssygvd, single));
    case TW_DOUBLE: return SYGVD(dsygvd, p->w);
    case TW_COMPLEX_FLOAT: return keep(p, single, SYGVD(chegvd, single));
    default: return SYGVD(zhegvd, p->w);
    }
}

#define SYGVX(name, R, w)                                                                                              \
    tw_##name(o->itype, (char)cli_jobz(p), (char)o->which, (char)o->uplo, p->n, p->a, p->ld, p->b, p->ld, (R)o->vl,    \
              (R)o->vu, o->il, o->iu, 0, &p->found, w, p->z, p->ld, each)
static tw_int sygvx_lapack(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    const int is_single = p->type == TW_FLOAT || p->type == TW_COMPLEX_FLOAT;
    float *single = is_single ? cli_single_values(p) : NULL;
    tw_int *each = malloc((size_t)(p->n + 1) * sizeof *each), info = TW_E_MEMORY;

    if (each && (single || !is_single)) switch (p->type) {
        case TW_FLOAT: info = SYGVX(ssygvx, float, single); break;
        case TW_DOUBLE: info = SYGVX(dsygvx, double, p->w); break;
        case TW_COMPLEX_FLOAT: info = SYGVX(chegvx, float, single); break;
        default: info = SYGVX(zhegvx, double, p->w);
        }
    free(each);
    return is_single ? keep(p, single, info) : info;
}

/* Eigenvalues alone, all or those that --range says. */
static int check_alone(struct cli_problem *p, const struct check_matrix *A, const struct check_matrix *B, double *error)
{
    const struct cli_options *o = p->o;

    if (p->routine->ranges && o->which == TW_INTERVAL)
        return check_generalized_interval(o->itype, A, B, o->vl, o->vu, p->found, p->w, error);
    return check_generalized_values(o->itype, A, B, p->routine->ranges && o->which == TW_INDICES ? o->il - 1 : 0,
                                    p->found, p->w, error);
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
        e = check_alone(p, &A, &B, residual);
        v->eigenvalue_error = residual[0];
    } else {
        if ((e = cli_result_z(p, &z, &copy))) return e;
        e = check_sygvd(p->o->itype, &A, &B, p->found, p->w, z, p->ld, residual);
        v->orthogonality = residual[1];
        residual[0] = check_worse(residual[0], residual[1]);
    }
    e = cli_verdict_end(p, v, e, residual[0]);
    free(copy);
    return e;
}

#define FAILURE                                                                                                        \
    "above the order: a leading minor of B is not positive definite; else not all eigenvalues were found, or A or B "  \
    "has a NaN or an infinity (%lld)"
#define CHECK                                                                                                          \
    "--check: the problem's residual\nand how near Z^H B Z is to the unit matrix; with --jobz N the eigenvalues "      \
    "against LAPACK's."

CLI_ROUTINE(142, sygvd) = {
    .name = "sygvd",
    .summary = "generalized eigenvalues, and eigenvectors: A x = lambda B x, B positive definite",
    .text = "With --itype 1 A x = lambda B x, 2 A B x = lambda x, 3 B A x = lambda x, A symmetric or hermitian. --jobz "
            "N: w alone. --output writes Z, or "
            "with\n"
            "--jobz N w; --values FILE writes w. Rates count B's factorization, the standard form and its reduction, 8 "
            "n^3 / 3. " CHECK,
    .example = "tilework sygvd --itype 1 --n 500 --check",
    .failure = FAILURE,
    .kind = "symmetric",
    .values = 1,
    .has_rhs = 1,
    .pencil = 1,
    .flops = flops,
    .tiles = sygvd_tiles,
    .lapack = sygvd_lapack,
    .check = check,
    .check_arrays = 8,
};
CLI_ROUTINE(148, sygvx) = {
    .name = "sygvx",
    .summary = "some generalized eigenvalues, and eigenvectors: A x = lambda B x, B positive definite",
    .text = "sygvd with --range I:1:40, numbers 1 ... 40 in ascending order, V:-1:2.5, those in (-1, 2.5], or A, all.\n"
            "--output writes the eigenvectors, or with --jobz N the eigenvalues; --values FILE writes these. " CHECK,
    .example = "tilework sygvx --n 500 --range I:1:20 --check",
    .failure = FAILURE,
    .kind = "symmetric",
    .values = 1,
    .has_rhs = 1,
    .pencil = 1,
    .ranges = 1,
    .tiles_of = "sygvd",
    .flops = flops,
    .tiles = sygvx_tiles,
    .lapack = sygvx_lapack,
    .check = check,
    .check_arrays = 8,
};
