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
        if (!(v[j] <= most)) most = v[j];
    return most;
}

/* ---- by tiles ----------------------------------------------------------------------------------------------------------- */

/* A and X, B being done, with F for A's factors: the condition, and X refined. */
struct expert {
    tw_matrix *F, *X;
    double *ferr, *berr;
};

static int posvx(struct cli_problem *p, const struct expert *x)
{
    double anorm;
    int e = tw_potrf(p->uplo, x->F);

    if (!e) e = tw_lanhe(TW_ONE_NORM, p->uplo, p->A, &anorm);
    if (!e) e = tw_pocon(p->uplo, x->F, anorm, &p->rcond);
    if (!e) e = tw_potrs(p->uplo, x->F, x->X);
    return e ? e : tw_porfs(p->uplo, p->A, x->F, p->B, x->X, x->ferr, x->berr, &p->corrections);
}

/* And the growth of U's elements. */
static int gesvx(struct cli_problem *p, const struct expert *x)
{
    double anorm, largest, u;
    int e = tw_getrf(x->F, p->P);

    if (!e) e = tw_lange(TW_ONE_NORM, p->A, &anorm);
    if (!e) e = tw_lange(TW_MAX_NORM, p->A, &largest);
    if (!e) e = tw_lantr(TW_MAX_NORM, TW_UPPER, TW_NONUNIT, x->F, &u);
    if (!e) p->growth = largest > 0 ? u / largest : 1;
    if (!e) e = tw_gecon(TW_ONE_NORM, x->F, anorm, &p->rcond);
    if (!e) e = tw_getrs(TW_NOTRANS, x->F, p->P, x->X);
    return e ? e : tw_gerfs(TW_NOTRANS, p->A, x->F, p->P, p->B, x->X, x->ferr, x->berr, &p->corrections);
}

static int by_tiles(struct cli_problem *p, enum tw_uplo part, int (*solve)(struct cli_problem *, const struct expert *))
{
    const tw_int nb = tw_matrix_nb(p->A);
    double *bounds = calloc(2 * (size_t)p->nrhs + 1, sizeof *bounds);
    struct expert x = {NULL, NULL, bounds, bounds ? bounds + p->nrhs : NULL};
    int info = bounds ? tw_matrix_create(&x.F, p->type, part, p->n, p->n, nb, NULL) : TW_E_MEMORY;

    if (!info) info = tw_matrix_create(&x.X, p->type, TW_GENERAL, p->n, p->nrhs, nb, NULL);
    if (!info) info = tw_lacpy(part, p->A, x.F);
    if (!info) info = tw_lacpy(TW_GENERAL, p->B, x.X);
    if (!info) info = solve(p, &x);
    if (!info) info = tw_lacpy(TW_GENERAL, x.X, p->B);
    if (!info) p->ferr = worst(p->nrhs, x.ferr), p->berr = worst(p->nrhs, x.berr);
    if (!info && p->rcond < check_eps(p->type)) info = (int)p->n + 1;
    tw_matrix_destroy(x.F);
    tw_matrix_destroy(x.X);
    free(bounds);
    return info;
}

static int posvx_tiles(struct cli_problem *p)
{
    return by_tiles(p, p->uplo, posvx);
}
static int gesvx_tiles(struct cli_problem *p)
{
    return by_tiles(p, TW_GENERAL, gesvx);
}

/* ---- through LAPACK's names ------------------------------------------------------------------------------------------------ */

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
            if (!((double)bound[j] <= p->ferr)) p->ferr = (double)bound[j];                                            \
            if (!((double)bound[k + j] <= p->berr)) p->berr = (double)bound[k + j];                                    \
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
