/* tilework gees: the Schur form of a general matrix. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

/* LAPACK's for real types: the reduction to Hessenberg form. */
static double flops(double n, double nrhs)
{
    (void)nrhs;
    return fmax(10 * n * n * n / 3 - n * n / 2 - 11 * n / 6, 0);
}

static int before(struct cli_problem *p)
{
    if (!p->d) p->d = cli_alloc((double)p->n * sizeof *p->d, "--n");
    if (!p->e) p->e = cli_alloc((double)p->n * sizeof *p->e, "--n");
    return p->d && p->e ? 0 : CLI_USAGE;
}

/* ---- which eigenvalues come first -------------------------------------------------------------------------------- */

static int left(void *user, double wr, double wi)
{
    (void)user, (void)wi;
    return wr < 0;
}
static int disk(void *user, double wr, double wi)
{
    (void)user;
    return hypot(wr, wi) < 1;
}
static tw_select_fn selected(const struct cli_problem *p)
{
    return !strcmp(p->o->select, "left") ? left : !strcmp(p->o->select, "disk") ? disk : NULL;
}
#define OF_TYPE(p, P, re, im)                                                                                          \
    static int left_##p P                                                                                              \
    {                                                                                                                  \
        return left(NULL, re, im);                                                                                     \
    }                                                                                                                  \
    static int disk_##p P                                                                                              \
    {                                                                                                                  \
        return disk(NULL, re, im);                                                                                     \
    }                                                                                                                  \
    static tw_##p##_select_fn selected_##p(const struct cli_problem *q)                                                \
    {                                                                                                                  \
        return selected(q) == left ? left_##p : selected(q) == disk ? disk_##p : NULL;                                 \
    }
OF_TYPE(s, (const float *wr, const float *wi), (double)*wr, (double)*wi)
OF_TYPE(d, (const double *wr, const double *wi), *wr, *wi)
OF_TYPE(c, (const tw_complex_float *w), (double)__real__ *w, (double)__imag__ *w)
OF_TYPE(z, (const tw_complex_double *w), __real__ *w, __imag__ *w)

/* ---- the doors --------------------------------------------------------------------------------------------------- */

static int tiles(struct cli_problem *p)
{
    return tw_gees((enum tw_jobz)p->o->jobvr, selected(p), NULL, p->A, &p->sdim, p->d, p->e, p->U);
}

#define REAL(t, wr, wi)                                                                                                \
    tw_##t##gees(p->o->jobvr, selected(p) ? 'S' : 'N', selected_##t(p), p->n, p->a, p->ld, &p->sdim, wr, wi, p->u,     \
                 p->ld)
#define COMPLEX(t, w)                                                                                                  \
    tw_##t##gees(p->o->jobvr, selected(p) ? 'S' : 'N', selected_##t(p), p->n, p->a, p->ld, &p->sdim, w, p->u, p->ld)
/* Eigenvalues as LAPACK's door has them, to d and e. */
static tw_int lapack(struct cli_problem *p)
{
    const int pairs = check_is_complex(p->type);
    void *w = p->type == TW_DOUBLE ? NULL : cli_alloc(2 * (double)p->n * sizeof(double), "--n");
    tw_int info;

    if (p->type == TW_DOUBLE) return REAL(d, p->d, p->e);
    if (!w) return TW_E_MEMORY;
    info = p->type == TW_FLOAT           ? REAL(s, w, (float *)w + p->n)
           : p->type == TW_COMPLEX_FLOAT ? COMPLEX(c, w)
                                         : COMPLEX(z, w);
    for (tw_int i = 0; i < p->n && info >= 0; i++) {
        double one[2], two[2] = {0, 0};
        check_get(p->type, w, (size_t)i, one);
        if (!pairs) check_get(p->type, w, (size_t)(p->n + i), two);
        p->d[i] = one[0], p->e[i] = pairs ? one[1] : two[0];
    }
    free(w);
    return info;
}

/* ---- the check --------------------------------------------------------------------------------------------------- */

/* As many as sdim says are selected, and they come first. */
static int in_order(const struct cli_problem *p)
{
    const tw_select_fn select = selected(p);

    for (tw_int i = 0; select && i < p->n; i++)
        if (select(NULL, p->d[i], p->e[i]) != (i < p->sdim)) return 0;
    return select || p->sdim == 0;
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    double residual[2] = {0, NAN}, values = 0;
    void *t, *z, *copy_t, *copy_z = NULL;
    int e;

    cli_verdict_begin(
        v, "max(|A Z - Z T| / (n eps |A|), |Z^H Z - I| / (n eps)), |sum w^p - trace A^p| / (p n eps |A|_F^p)");
    v->zero_is_odd = 0;
    v->orthogonality = NAN; /* there are no vectors */
    if ((e = cli_result_a(p, &t, &copy_t))) return e;
    if (p->o->jobvr == 'V') {
        if ((e = cli_result_of(p, p->U, p->u, p->n, &z, &copy_z))) return free(copy_t), e;
        e = check_gees(&A, p->d, p->e, t, p->ld, z, p->ld, residual);
        v->orthogonality = residual[1];
        residual[0] = check_worse(residual[0], residual[1]);
    } else if (!check_schur_form(p->type, p->n, t, p->ld, p->d, p->e)) {
        residual[0] = NAN;
    }
    free(copy_t), free(copy_z);
    if (!e && p->n <= CHECK_FULL_MAX) e = check_general_values(&A, p->d, p->e, &values);
    residual[0] = check_worse(residual[0], values);
    if (!in_order(p)) residual[0] = NAN;
    return cli_verdict_end(p, v, e, residual[0]);
}

CLI_ROUTINE(152, gees) = {
    .name = "gees",
    .summary = "the Schur form of a general matrix",
    .text =
        "A = Z T Z^H: A becomes T, a triangle, of real matrices with blocks of two for conjugate pairs; those "
        "eigenvalues that "
        "--select says come\n"
        "first, sdim of them. --output writes Z, with --jobvs N the eigenvalues, as complex numbers, --schur T. Rates "
        "count the "
        "reduction to Hessenberg\n"
        "form, 10 n^3 / 3. --check: |A Z - Z T| / (n eps |A|) and |Z^H Z - I| / (n eps) with Schur vectors, up to "
        "n = 8192 "
        "sums of the\n"
        "eigenvalues' first four powers beside traces of A's, over p n eps |A|_F^p; the largest of them. That T "
        "has its "
        "form and the\n"
        "eigenvalues, and these their order, is asked for, too.",
    .example = "tilework gees --n 800 --select left --check",
    .failure = "the QR iteration did not converge, the eigenvalues could not be put in order, or the matrix has a NaN "
               "or an infinity (%lld)",
    .general = 1,
    .nonsymmetric = 1,
    .schur = 1,
    .told = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .before = before,
    .check = check,
    .check_arrays = 6,
};
