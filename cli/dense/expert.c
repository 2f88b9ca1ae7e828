/* tilework posvx, gesvx: Cholesky and LU with a condition estimate, refinement and error bounds. */
#include <stdlib.h>

#include "cli/cli.h"
#include "cli_rows.h"

static double posvx_flops(double n, double nrhs)
{
    return cli_posv.flops(n, nrhs);
}
static double gesvx_flops(double n, double nrhs)
{
    return cli_gesv.flops(n, nrhs);
}

static double worst(tw_int n, const double *v)
{
    double most = 0;
    for (tw_int j = 0; j < n; j++)
        most = check_worse(most, v[j]);
    return most;
}

/* ---- by tiles ---------------------------------------------------------------------------------------------------- */

static int by_tiles(struct cli_problem *p, enum tw_uplo part)
{
    const tw_int nb = tw_matrix_nb(p->A);
    double *bounds = calloc(2 * (size_t)p->nrhs + 1, sizeof *bounds), *berr = bounds ? bounds + p->nrhs : NULL,
           pivot = 0;
    tw_matrix *F = NULL, *X = NULL;
    int info = bounds ? tw_matrix_create(&F, p->type, part, p->n, p->n, nb, NULL) : TW_E_MEMORY, equed = 'N', done,
        e = 0;

    if (!info) info = tw_matrix_create(&X, p->type, TW_GENERAL, p->n, p->nrhs, nb, NULL);
    if (!info && part == TW_GENERAL)
        info = tw_gesvx(TW_FACT_NONE, TW_NOTRANS, p->A, F, p->P, &equed, NULL, NULL, p->B, X, &p->rcond, bounds, berr,
                        &pivot, &p->corrections);
    else if (!info)
        info = tw_posvx(TW_FACT_NONE, part, p->A, F, &equed, NULL, p->B, X, &p->rcond, bounds, berr, &p->corrections);
    done = info == 0 || info == p->n + 1;
    if (done) e = tw_lacpy(TW_GENERAL, X, p->B);
    if (done) p->ferr = worst(p->nrhs, bounds), p->berr = worst(p->nrhs, berr);
    if (part == TW_GENERAL) p->growth = pivot > 0 ? 1 / pivot : -1;
    tw_matrix_destroy(F);
    tw_matrix_destroy(X);
    free(bounds);
    return e ? e : info;
}

static int posvx_tiles(struct cli_problem *p)
{
    return by_tiles(p, p->uplo);
}
static int gesvx_tiles(struct cli_problem *p)
{
    return by_tiles(p, TW_GENERAL);
}

/* ---- through LAPACK's names -------------------------------------------------------------------------------------- */

/* R, T, x: what the four types differ in. */
#define POSVX(x)                                                                                                       \
    tw_##x##posvx('N', (char)p->uplo, p->n, p->nrhs, p->a, p->ld, af, p->ld, &equed, real, p->b, p->ld, solved, p->ld, \
                  &rcond, bound, bound + k)
#define GESVX(x)                                                                                                       \
    tw_##x##gesvx('N', 'N', p->n, p->nrhs, p->a, p->ld, af, p->ld, p->ipiv, &equed, real, real + n, p->b, p->ld,       \
                  solved, p->ld, &rcond, bound, bound + k, &pivot)
#define THROUGH(R, T, letter, name, CALL)                                                                              \
    static tw_int letter##name(struct cli_problem *p)                                                                  \
    {                                                                                                                  \
        const size_t n = (size_t)p->n, k = (size_t)p->nrhs, ld = (size_t)p->ld;                                        \
        T *af = malloc(ld * n * sizeof *af + 1), *solved = malloc(ld * k * sizeof *solved + 1);                        \
        R *real = malloc((2 * n + 2 * k + 1) * sizeof *real), *bound = real ? real + 2 * n : NULL, rcond = 0,          \
          pivot = 0;                                                                                                   \
        char equed = 'N';                                                                                              \
        const tw_int info = af && solved && real ? CALL(letter) : TW_E_MEMORY;                                         \
        const int done = info == 0 || info == p->n + 1;                                                                \
        if (cli_##name.general) p->growth = pivot > 0 ? (double)(1 / pivot) : -1;                                      \
        p->rcond = (double)rcond, p->berr = p->ferr = 0;                                                               \
        for (size_t j = 0; j < k && done; j++) {                                                                       \
            p->ferr = check_worse(p->ferr, (double)bound[j]);                                                          \
            p->berr = check_worse(p->berr, (double)bound[k + j]);                                                      \
        }                                                                                                              \
        if (done) check_copy(p->type, p->n, p->nrhs, solved, p->ld, p->b, p->ld);                                      \
        free(af), free(solved), free(real);                                                                            \
        return info;                                                                                                   \
    }
#define THROUGH_ALL(name, CALL)                                                                                        \
    THROUGH(float, float, s, name, CALL)                                                                               \
    THROUGH(double, double, d, name, CALL)                                                                             \
    THROUGH(float, tw_complex_float, c, name, CALL)                                                                    \
    THROUGH(double, tw_complex_double, z, name, CALL)                                                                  \
    static tw_int name##_lapack(struct cli_problem *p)                                                                 \
    {                                                                                                                  \
        tw_int (*const by_type[])(struct cli_problem *) = {s##name, d##name, c##name, z##name};                        \
        return by_type[p->type](p);                                                                                    \
    }
THROUGH_ALL(posvx, POSVX)
THROUGH_ALL(gesvx, GESVX)

CLI_ROUTINE(35, posvx) = {
    .name = "posvx",
    .summary = "solve A X = B by Cholesky, refined, with the condition and bounds of the errors",
    .text = "posv with iterative refinement: the report has rcond, the worst backward error berr, the worst bound of a "
            "forward error\n"
            "ferr, and how many corrections were made (iterations). info = k > 0 (exit status 1): the leading minor of "
            "order k is not\n"
            "positive definite, and B is as it was; n + 1: rcond is below the unit roundoff. --output writes X.\n"
            "--check: the largest |b - A x| / ((|A| |x| + |b|) n eps) of all columns, in the 1-norm.",
    .example = "tilework posvx --n 2048 --nrhs 10 --check --json",
    .failure = "info = %lld: the matrix is not positive definite, or singular to working precision",
    .has_rhs = 1,
    .solves = 1,
    .tiles_of = "posv",
    .bounds = 1,
    .copies = 1,
    .flops = posvx_flops,
    .tiles = posvx_tiles,
    .lapack = posvx_lapack,
    .check = cli_check_solve,
};

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
    .flops = gesvx_flops,
    .tiles = gesvx_tiles,
    .lapack = gesvx_lapack,
    .check = cli_check_solve,
};
