/* tilework geqp3: QR with column pivoting; geqp3_random: with columns chosen from a random sketch; geqp3rk: up to a
 * rank. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "cli_rows.h"

static double flops(double m, double n, double nrhs)
{
    return cli_geqrf.flops_of(m, n, nrhs);
}

static int tiles(struct cli_problem *p)
{
    memset(p->jpvt, 0, (size_t)p->n * sizeof *p->jpvt);
    return tw_geqp3(p->A, p->jpvt, p->P);
}

static tw_int lapack(struct cli_problem *p)
{
    memset(p->jpvt, 0, (size_t)p->n * sizeof *p->jpvt);
    CLI_LAPACK_DOOR(geqp3, p, (p->m, p->n, (T *)p->a, p->ld, p->jpvt, (T *)p->tau))
}

static int tiles_random(struct cli_problem *p)
{
    memset(p->jpvt, 0, (size_t)p->n * sizeof *p->jpvt);
    return tw_geqp3_random(p->A, p->jpvt, p->P);
}

static tw_int lapack_random(struct cli_problem *p)
{
    memset(p->jpvt, 0, (size_t)p->n * sizeof *p->jpvt);
    CLI_LAPACK_DOOR(geqp3_random, p, (p->m, p->n, (T *)p->a, p->ld, p->jpvt, (T *)p->tau))
}

/* What may end it, of routines that stop. */
static tw_int kmax(const struct cli_problem *p)
{
    return p->o->kmax >= 0 ? p->o->kmax : p->m < p->n ? p->m : p->n;
}

static int tiles_to(struct cli_problem *p, int (*run)(tw_matrix *, tw_int, double, double, tw_int *, double *, double *,
                                                      tw_int *, tw_matrix *))
{
    tw_int k = 0;
    const int info = run(p->A, kmax(p), p->o->abstol, p->o->reltol, &k, &p->left, &p->of_all, p->jpvt, p->P);

    p->rank = (int)k;
    return info;
}
static int tiles_rk(struct cli_problem *p)
{
    return tiles_to(p, tw_geqp3rk);
}
static int tiles_rk_random(struct cli_problem *p)
{
    return tiles_to(p, tw_geqp3rk_random);
}

/* R, T, x: what the four types differ in. */
#define THROUGH(R, T, x, name)                                                                                         \
    static tw_int x##name(struct cli_problem *p)                                                                       \
    {                                                                                                                  \
        R left = 0, of_all = 0;                                                                                        \
        tw_int k = 0, info;                                                                                            \
        info = tw_##x##name(p->m, p->n, 0, kmax(p), (R)p->o->abstol, (R)p->o->reltol, (T *)p->a, p->ld, &k, &left,     \
                            &of_all, p->jpvt, (T *)p->tau);                                                            \
        p->rank = (int)k, p->left = (double)left, p->of_all = (double)of_all;                                          \
        return info;                                                                                                   \
    }
#define THROUGH_ALL(name)                                                                                              \
    THROUGH(float, float, s, name)                                                                                     \
    THROUGH(double, double, d, name)                                                                                   \
    THROUGH(float, tw_complex_float, c, name)                                                                          \
    THROUGH(double, tw_complex_double, z, name)                                                                        \
    static tw_int name##_lapack(struct cli_problem *p)                                                                 \
    {                                                                                                                  \
        static tw_int (*const by_type[])(struct cli_problem *) = {s##name, d##name, c##name, z##name};                 \
        return by_type[p->type](p);                                                                                    \
    }
THROUGH_ALL(geqp3rk)
THROUGH_ALL(geqp3rk_random)

/* How much larger an |R(k, k)| of randomized pivots may be than one before it. Nothing bounds it; of 1350 matrices
 * whose singular values fall to 1e-12 it was 16 at most, and above 10 in one of 30. */
#define GROWS 100

/* k columns; left: the norm of the longest one of what is left. growth: how much larger an |R(k, k)| may be than one
 * before it. */
static int factors_right(struct cli_problem *p, struct cli_verdict *v, tw_int k, double left, double growth)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    void *tau = cli_result_tau(p), *f, *copy;
    double residual = 0;
    int e = CLI_FAILED;

    cli_verdict_begin(v, "max(|A P - Q R| / (max(m, n) eps |A|), |Q^H Q - I| / (m eps))");
    v->zero_is_odd = p->m >= 64 && p->n >= 64 && k > 0;
    if (tau && !(e = cli_result_a(p, &f, &copy))) {
        e = check_geqp3rk(&A, f, p->ld, k, left, p->jpvt, tau, growth, &residual);
        if (isnan(residual))
            v->reason = "P is no permutation, |R(k, k)| out of order, or what is left of another norm than was said";
        e = cli_verdict_end(p, v, e, residual);
        free(copy);
    }
    free(tau);
    return e;
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    return factors_right(p, v, p->m < p->n ? p->m : p->n, 0, 1);
}

static int check_random(struct cli_problem *p, struct cli_verdict *v)
{
    return factors_right(p, v, p->m < p->n ? p->m : p->n, 0, GROWS);
}

static int check_rk(struct cli_problem *p, struct cli_verdict *v)
{
    return factors_right(p, v, p->rank, p->left, 1);
}

static int check_rk_random(struct cli_problem *p, struct cli_verdict *v)
{
    return factors_right(p, v, p->rank, p->left, GROWS);
}

CLI_ROUTINE(115, geqp3) = {
    .name = "geqp3",
    .summary = "QR factorization with column pivoting A P = Q R",
    .text =
        "The column whose norm, what came before it taken off, is the largest always comes next: |R(k, k)| does not "
        "grow, and shows the "
        "rank.\n"
        "--check: the larger of |A P - Q R| / (max(m, n) eps |A|) and |Q^H Q - I| / (m eps) in the 1-norm; above 8192 "
        "for four vectors;\n"
        "and that P is a permutation and |R(k, k)| in order. --output writes R and the reflectors, as geqrf, --pivots "
        "which columns those of A P are.",
    .example = "tilework geqp3 --m 2000 --n 1000 --check",
    .general = 1,
    .rectangular = 1,
    .reflectors = 1,
    .pivoted = 1,
    .flops_of = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 3,
};

CLI_ROUTINE(116, geqp3_random) = {
    .name = "geqp3_random",
    .summary = "QR factorization A P = Q R, columns chosen by blocks from a random sketch",
    .text =
        "geqp3's results at nearly geqrf's speed: a block's columns are those that Gaussian elimination of a random "
        "sketch of what is left brings to\n"
        "the front. |R(k, k)| follows the singular values as geqp3's does, within some factors; it may grow here and "
        "there.\n"
        "--check: the larger of |A P - Q R| / (max(m, n) eps |A|) and |Q^H Q - I| / (m eps) in the 1-norm; above 8192 "
        "for four vectors;\n"
        "that P is a permutation, and that no |R(k, k)| is more than 100 times one before it. --output as geqp3.",
    .example = "tilework geqp3_random --m 4000 --n 3000 --check",
    .general = 1,
    .rectangular = 1,
    .reflectors = 1,
    .pivoted = 1,
    .flops_of = flops,
    .tiles = tiles_random,
    .lapack = lapack_random,
    .check = check_random,
    .check_arrays = 3,
};

CLI_ROUTINE(118, geqp3rk) = {
    .name = "geqp3rk",
    .summary = "QR factorization with column pivoting up to a rank",
    .text =
        "geqp3 that ends after --kmax columns, or where no column of what is left is longer than --abstol, or --reltol "
        "times the longest of A. The\n"
        "report has the columns done (rank), the largest norm of what is left (maxc2nrmk) and that over A's "
        "(relmaxc2nrmk).\n"
        "--check: the larger of |A P - Q R| / (max(m, n) eps |A|), R with what is left below it, and |Q^H Q - I| / (m "
        "eps); that P is a permutation,\n"
        "|R(k, k)| in order, and the norm that of what is left. --output as geqp3, what is left below R's rows.",
    .example = "tilework geqp3rk --m 2000 --n 1000 --kind lowrank:50 --reltol 1e-10 --check",
    .general = 1,
    .rectangular = 1,
    .reflectors = 1,
    .pivoted = 1,
    .stops = 1,
    .tiles = tiles_rk,
    .lapack = geqp3rk_lapack,
    .check = check_rk,
    .check_arrays = 3,
};

CLI_ROUTINE(119, geqp3rk_random) = {
    .name = "geqp3rk_random",
    .summary = "QR factorization up to a rank, columns chosen by blocks from a random sketch",
    .text = "geqp3_random that ends as geqp3rk does: after --kmax columns, or where no column of what is left is "
            "longer than "
            "--abstol, or --reltol times\n"
            "the longest of A. The report has the columns done (rank), the largest norm of what is left (maxc2nrmk) "
            "and that "
            "over A's (relmaxc2nrmk).\n"
            "--check: as geqp3rk's; no |R(k, k)| may be more than 100 times one before it. --output as geqp3rk.",
    .example = "tilework geqp3rk_random --m 4000 --n 3000 --kind lowrank:50 --reltol 1e-10 --check",
    .general = 1,
    .rectangular = 1,
    .reflectors = 1,
    .pivoted = 1,
    .stops = 1,
    .tiles = tiles_rk_random,
    .lapack = geqp3rk_random_lapack,
    .check = check_rk_random,
    .check_arrays = 3,
};
