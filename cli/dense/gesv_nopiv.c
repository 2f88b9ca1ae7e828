/* tilework gesv_nopiv: LU without row exchanges and refinement, or gesv where that falls short. */
#include "cli/cli.h"
#include "cli_rows.h"

static double flops(double n, double nrhs)
{
    return cli_gesv.flops(n, nrhs);
}

static int tiles(struct cli_problem *p)
{
    return tw_gesv_nopiv(p->A, p->P, p->B, &p->corrections, &p->growth, &p->berr);
}

/* R, T, x: what the four types differ in. */
#define THROUGH(R, T, x)                                                                                               \
    static tw_int x##lapack(struct cli_problem *p)                                                                     \
    {                                                                                                                  \
        R growth = -1, berr = -1;                                                                                      \
        tw_int iter = 0, info;                                                                                         \
        info = tw_##x##gesv_nopiv(p->n, p->nrhs, (T *)p->a, p->ld, p->ipiv, (T *)p->b, p->ld, &iter, &growth, &berr);  \
        p->corrections = (int)iter, p->growth = (double)growth, p->berr = (double)berr;                                \
        return info;                                                                                                   \
    }
THROUGH(float, float, s)
THROUGH(double, double, d)
THROUGH(float, tw_complex_float, c)
THROUGH(double, tw_complex_double, z)

static tw_int lapack(struct cli_problem *p)
{
    static tw_int (*const by_type[])(struct cli_problem *) = {slapack, dlapack, clapack, zlapack};
    return by_type[p->type](p);
}

CLI_ROUTINE(103, gesv_nopiv) = {
    .name = "gesv_nopiv",
    .summary = "solve A X = B by LU without pivoting, refined; with pivoting where that falls short",
    .text =
        "The report has the method that X is from (nopiv, pivoted), iter, the corrections that were made, the growth "
        "of U's elements and berr, the\n"
        "largest max |b - A x| / (|A| max |x|). iter < 0: rows were exchanged after all, because U grew beyond 1 / "
        "sqrt(eps) (-2), a pivot was\n"
        "zero (-3), or corrections did not do (-31). info = k > 0 (exit status 1): U(k, k) is exactly zero, and B is "
        "as it was. --output writes X.\n"
        "--check: the largest |b - A x| / ((|A| |x| + |b|) n eps) of all columns, in the 1-norm.",
    .example = "tilework gesv_nopiv --n 2048 --kind dominant --check --json",
    .general = 1,
    .failure = "pivot %lld is exactly 0: the matrix is singular",
    .has_rhs = 1,
    .solves = 1,
    .method = 1,
    .copies = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_solve,
};
