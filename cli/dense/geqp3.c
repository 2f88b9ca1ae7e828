/* tilework geqp3: QR with column pivoting; geqp3_random: with columns chosen from a random sketch. */
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
    return tw_geqp3_random(p->A, p->jpvt, p->P);
}

static tw_int lapack_random(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(geqp3_random, p, (p->m, p->n, (T *)p->a, p->ld, p->jpvt, (T *)p->tau))
}

/* growth: how much larger an |R(k, k)| may be than one before it. */
static int factors_right(struct cli_problem *p, struct cli_verdict *v, double growth)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    void *tau = cli_result_tau(p), *f, *copy;
    double residual = 0;
    int e = CLI_FAILED;

    cli_verdict_begin(v, "max(|A P - Q R| / (max(m, n) eps |A|), |Q^H Q - I| / (m eps))");
    v->zero_is_odd = p->m >= 64 && p->n >= 64;
    if (tau && !(e = cli_result_a(p, &f, &copy))) {
        e = check_geqp3(&A, f, p->ld, p->jpvt, tau, growth, &residual);
        e = cli_verdict_end(p, v, e, residual);
        free(copy);
    }
    free(tau);
    return e;
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    return factors_right(p, v, 1);
}

static int check_random(struct cli_problem *p, struct cli_verdict *v)
{
    return factors_right(p, v, 10);
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
        "and that P is a permutation and |R(k, k)| in order. --output writes R and the reflectors, as geqrf.",
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
        "that P is a permutation, and that no |R(k, k)| is more than 10 times one before it. --output as geqp3.",
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
