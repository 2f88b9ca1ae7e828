/* tilework gesvx: LU with a condition estimate, refinement and error bounds. */
#include <stdlib.h>

#include "cli/cli.h"
#include "cli_rows.h"

static double flops(double n, double nrhs)
{
    return cli_gesv.flops(n, nrhs);
}

static double worst(tw_int n, const double *v)
{
    double most = 0;
    for (tw_int j = 0; j < n; j++)
        if (!(v[j] <= most)) most = v[j];
    return most;
}

/* The growth of U's elements, the condition, and X refined, where F has A's factors. */
static int refine(struct cli_problem *p, tw_matrix *F, tw_matrix *X, double *bounds)
{
    double anorm, largest, u;
    int e = tw_lange(TW_ONE_NORM, p->A, &anorm);

    if (!e) e = tw_lange(TW_MAX_NORM, p->A, &largest);
    if (!e) e = tw_lantr(TW_MAX_NORM, TW_UPPER, TW_NONUNIT, F, &u);
    if (!e) p->growth = largest > 0 ? u / largest : 1;
    if (!e) e = tw_gecon(TW_ONE_NORM, F, anorm, &p->rcond);
    if (!e) e = tw_lacpy(TW_GENERAL, p->B, X);
    if (!e) e = tw_getrs(TW_NOTRANS, F, p->P, X);
    if (!e) e = tw_gerfs(TW_NOTRANS, p->A, F, p->P, p->B, X, bounds, bounds + p->nrhs, &p->corrections);
    if (!e) e = tw_lacpy(TW_GENERAL, X, p->B);
    return e;
}

static int tiles(struct cli_problem *p)
{
    const tw_int nb = tw_matrix_nb(p->A);
    double *bounds = calloc(2 * (size_t)p->nrhs + 1, sizeof *bounds);
    tw_matrix *F = NULL, *X = NULL;
    int info = bounds ? tw_matrix_create(&F, p->type, TW_GENERAL, p->n, p->n, nb, NULL) : TW_E_MEMORY;

    if (!info) info = tw_matrix_create(&X, p->type, TW_GENERAL, p->n, p->nrhs, nb, NULL);
    if (!info) info = tw_lacpy(TW_GENERAL, p->A, F);
    if (!info) info = tw_getrf(F, p->P);
    if (!info) info = refine(p, F, X, bounds);
    if (!info) p->ferr = worst(p->nrhs, bounds), p->berr = worst(p->nrhs, bounds + p->nrhs);
    if (!info && p->rcond < check_eps(p->type)) info = (int)p->n + 1;
    tw_matrix_destroy(F);
    tw_matrix_destroy(X);
    free(bounds);
    return info;
}

#define THROUGH(R, T, letter)                                                                                          \
    static tw_int letter##lapack(struct cli_problem *p)                                                                \
    {                                                                                                                  \
        const size_t n = (size_t)p->n, k = (size_t)p->nrhs, ld = (size_t)p->ld;                                        \
        T *af = malloc(ld * n * sizeof *af + 1), *x = malloc(ld * k * sizeof *x + 1);                                  \
        R *real = malloc((2 * n + 2 * k + 1) * sizeof *real), *bound = real ? real + 2 * n : NULL, rcond = 0,          \
          pivot = 1;                                                                                                   \
        char equed = 'N';                                                                                              \
        tw_int info = TW_E_MEMORY;                                                                                     \
        if (af && x && real)                                                                                           \
            info = tw_##letter##gesvx('N', 'N', p->n, p->nrhs, p->a, p->ld, af, p->ld, p->ipiv, &equed, real,          \
                                      real + n, p->b, p->ld, x, p->ld, &rcond, bound, bound + k, &pivot);              \
        p->growth = pivot > 0 ? (double)(1 / pivot) : -1;                                                              \
        p->rcond = (double)rcond, p->berr = p->ferr = 0;                                                               \
        for (size_t j = 0; j < k && (info == 0 || info == p->n + 1); j++) {                                            \
            if (!((double)bound[j] <= p->ferr)) p->ferr = (double)bound[j];                                            \
            if (!((double)bound[k + j] <= p->berr)) p->berr = (double)bound[k + j];                                    \
        }                                                                                                              \
        if (info == 0 || info == p->n + 1) check_copy(p->type, p->n, p->nrhs, x, p->ld, p->b, p->ld);                  \
        free(af), free(x), free(real);                                                                                 \
        return info;                                                                                                   \
    }
THROUGH(float, float, s)
THROUGH(double, double, d)
THROUGH(float, tw_complex_float, c)
THROUGH(double, tw_complex_double, z)

static tw_int lapack(struct cli_problem *p)
{
    tw_int (*const by_type[])(struct cli_problem *) = {slapack, dlapack, clapack, zlapack};
    return by_type[p->type](p);
}

CLI_ROUTINE(105, gesvx) = {
    .name = "gesvx",
    .summary = "solve A X = B by LU, refined, with the condition and bounds of the errors",
    .text = "gesv with iterative refinement: the report has rcond, the growth of U's elements, the worst backward "
            "error berr, the worst\n"
            "bound of a forward error ferr, and how many corrections were made (iterations). info = k > 0 (exit status "
            "1): U(k, k) is\n"
            "exactly zero, and B is as it was; n + 1: rcond is below the unit roundoff. --output writes X.\n"
            "--check: the largest |b - A x| / ((|A| |x| + |b|) n eps) of all columns, in the 1-norm.",
    .example = "tilework gesvx --n 2048 --nrhs 10 --check --json",
    .general = 1,
    .failure = "info = %lld: the matrix is singular, exactly or to working precision",
    .has_rhs = 1,
    .solves = 1,
    .tiles_of = "gesv",
    .bounds = 1,
    .copies = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_solve,
};
