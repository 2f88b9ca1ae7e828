/* tilework gelsy: least squares of matrices of any rank. */
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "cli_rows.h"

static double flops(double m, double n, double nrhs)
{
    return cli_gels.flops_of(m, n, nrhs);
}

double cli_rcond(const struct cli_problem *p)
{
    return p->o->rcond >= 0 ? p->o->rcond : 10 * (double)p->rows * check_eps(p->type);
}

static int tiles(struct cli_problem *p)
{
    memset(p->jpvt, 0, (size_t)p->n * sizeof *p->jpvt);
    return tw_gelsy(p->A, p->jpvt, cli_rcond(p), &p->rank, p->B);
}

#define THROUGH(R, letter)                                                                                             \
    static tw_int letter##lapack(struct cli_problem *p)                                                                \
    {                                                                                                                  \
        tw_int rank = 0, info;                                                                                         \
        memset(p->jpvt, 0, (size_t)p->n * sizeof *p->jpvt);                                                            \
        info = tw_##letter##gelsy(p->m, p->n, p->nrhs, p->a, p->ld, p->b, p->ld, p->jpvt, (R)cli_rcond(p), &rank);     \
        p->rank = (int)rank;                                                                                           \
        return info;                                                                                                   \
    }
THROUGH(float, s)
THROUGH(double, d)
THROUGH(float, c)
THROUGH(double, z)

static tw_int lapack(struct cli_problem *p)
{
    tw_int (*const by_type[])(struct cli_problem *) = {slapack, dlapack, clapack, zlapack};
    return by_type[p->type](p);
}

int cli_check_ranked(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    void *x, *copy, *b = cli_alloc((double)p->ld * (double)p->nrhs * (double)check_sizeof(p->type), "--check");
    double residual = 0;
    int e = CLI_FAILED;

    cli_verdict_begin(v, p->m >= p->n || p->rank < p->m
                             ? p->o->rcond > 0 && p->rank < p->m && p->rank < p->n
                                   ? "max |A^H (b - A x)| / (|A| (|A| |x| + |b|) max(m, n) (eps + rcond))"
                                   : "max |A^H (b - A x)| / (|A| (|A| |x| + |b|) max(m, n) eps)"
                             : "max(|b - A x| / (|A| |x| + |b|), |x outside A^H's range| / |x|) / (max(m, n) eps)");
    v->zero_is_odd = p->nrhs > 0 && p->rank >= 64;
    if (b && !(e = cli_result_b(p, &x, &copy))) {
        e = cli_source_fill(&p->rhs, b, p->ld);
        if (!e) e = check_gelsy(&A, p->rank, p->nrhs, x, p->ld, b, p->ld, &residual);
        if (p->o->rcond > 0 && p->rank < p->m && p->rank < p->n) /* what was cut off */
            residual /= 1 + p->o->rcond / check_eps(p->type);
        e = cli_verdict_end(p, v, e, residual);
        free(copy);
    }
    free(b);
    return e;
}

CLI_ROUTINE(125, gelsy) = {
    .name = "gelsy",
    .summary = "least squares and least norm of a matrix of any rank, by QR with column pivoting",
    .text = "For --nrhs right-hand sides (random, or --rhs FILE with as many rows as A) and A of --m rows and --n "
            "columns. The report has\n"
            "the rank: of columns whose condition is at most 1 / rcond. --output writes X, n rows.\n"
            "--check: with m >= n, or a rank below m, the largest |A^H (b - A x)| / (|A| (|A| |x| + |b|) max(m, n) "
            "eps) of all columns,\n"
            "in the 1-norm; else |b - A x| / ((|A| |x| + |b|) max(m, n) eps), and up to 8192 how far x is from the "
            "range of A^H.",
    .example = "tilework gelsy --input A.mtx --rhs b.mtx --output x.mtx --check",
    .general = 1,
    .rectangular = 1,
    .pivoted = 1,
    .ranked = 1,
    .has_rhs = 1,
    .solves = 1,
    .flops_of = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_ranked,
    .check_arrays = 2,
};
