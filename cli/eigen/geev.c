/* tilework geev: eigenvalues and eigenvectors of a general matrix. */
#include <math.h>
#include <stdlib.h>
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

static int tiles(struct cli_problem *p)
{
    return tw_geev((enum tw_jobz)p->o->jobvl, (enum tw_jobz)p->o->jobvr, p->A, p->d, p->e, p->Vt, p->U);
}

#define REAL(name, wr, wi) tw_##name(p->o->jobvl, p->o->jobvr, p->n, p->a, p->ld, wr, wi, p->vt, p->ld, p->u, p->ld)
#define COMPLEX(name, w)   tw_##name(p->o->jobvl, p->o->jobvr, p->n, p->a, p->ld, w, p->vt, p->ld, p->u, p->ld)
/* Eigenvalues as LAPACK's door has them, to d and e. */
static tw_int lapack(struct cli_problem *p)
{
    const int pairs = check_is_complex(p->type);
    void *w = p->type == TW_DOUBLE ? NULL : cli_alloc(2 * (double)p->n * sizeof(double), "--n");
    tw_int info;

    if (p->type == TW_DOUBLE) return REAL(dgeev, p->d, p->e);
    if (!w) return TW_E_MEMORY;
    info = p->type == TW_FLOAT           ? REAL(sgeev, w, (float *)w + p->n)
           : p->type == TW_COMPLEX_FLOAT ? COMPLEX(cgeev, w)
                                         : COMPLEX(zgeev, w);
    for (tw_int i = 0; i < p->n && info >= 0; i++) {
        double one[2], two[2];
        check_get(p->type, w, (size_t)i, one);
        if (!pairs) check_get(p->type, w, (size_t)(p->n + i), two);
        p->d[i] = one[0], p->e[i] = pairs ? one[1] : two[0];
    }
    free(w);
    return info;
}

static void keep_larger(double *most, double x)
{
    *most = check_worse(*most, x);
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    const char jobs[2] = {p->o->jobvr, p->o->jobvl};
    double most = 0, values = 0;
    int e = 0;

    cli_verdict_begin(v, "max(|A V - V D| / (n eps |A| |V|), ||v| - 1| / (n eps)) of right and left eigenvectors, "
                         "|sum w^p - trace A^p| / (p n eps |A|_F^p)");
    v->zero_is_odd = 0;
    for (int left = 0; left < 2 && !e; left++) {
        double residual[2];
        void *array, *copy;
        if (jobs[left] == 'N') continue;
        if ((e = cli_result_of(p, left ? p->Vt : p->U, left ? p->vt : p->u, p->n, &array, &copy))) return e;
        e = check_geev(&A, p->d, p->e, left, array, p->ld, residual);
        free(copy);
        keep_larger(&most, residual[0]), keep_larger(&most, residual[1]);
    }
    if (!e && p->n <= CHECK_FULL_MAX) e = check_general_values(&A, p->d, p->e, &values);
    keep_larger(&most, values);
    return cli_verdict_end(p, v, e, most);
}

CLI_ROUTINE(151, geev) = {
    .name = "geev",
    .summary = "eigenvalues, and eigenvectors, of a general matrix",
    .text =
        "A V = V D, and of left eigenvectors A^H V = V D^H. --output writes the right eigenvectors, with --jobvr N the "
        "left ones, and without\n"
        "both the eigenvalues, as complex numbers; of a real matrix' conjugate pairs two columns are real and "
        "imaginary "
        "part of the first's.\n"
        "Rates count the reduction to Hessenberg form, 10 n^3 / 3. --check: |A V - V D| / (n eps |A| |V|), how far "
        "lengths are from 1 in\n"
        "units of n eps, and up to n = 8192 sums of the eigenvalues' first four powers beside traces of A's, over "
        "p n eps |A|_F^p; the\n"
        "largest of them.",
    .example = "tilework geev --n 800 --jobvl V --check",
    .failure = "not all eigenvalues were found, or the matrix has a NaN or an infinity (%lld)",
    .general = 1,
    .nonsymmetric = 1,
    .told = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .before = before,
    .check = check,
    .check_arrays = 6,
};
