/* tilework gels: least squares, and the shortest solution. */
#include <stdlib.h>
#include "cli/cli.h"
#include "cli_rows.h"

/* The factorization, the product with Q and the triangular solve. */
static double flops(double m, double n, double nrhs)
{
    const double k = m < n ? m : n, longest = m < n ? n : m;
    return cli_geqrf.flops_of(longest, k, 0) + nrhs * (4 * longest * k - 2 * k * k + 3 * k) + nrhs * k * k;
}

static int tiles(struct cli_problem *p)
{
    return tw_gels((enum tw_trans)cli_trans(p), p->A, p->B);
}

static tw_int lapack(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(gels, p, (cli_trans(p), p->m, p->n, p->nrhs, (T *)p->a, p->ld, (T *)p->b, p->ld))
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix plain = cli_source_matrix(&p->source),
                              A = p->o->trans == TW_NOTRANS ? plain : check_adjoint(&plain);
    void *x, *copy, *b = cli_alloc((double)p->ld * (double)p->nrhs * (double)check_sizeof(p->type), "--check");
    double residual = 0;
    int e = CLI_FAILED;

    cli_verdict_begin(v, A.m >= A.n
                             ? "max |A^H (b - A x)| / (|A| (|A| |x| + |b|) max(m, n) eps)"
                             : "max(|b - A x| / (|A| |x| + |b|), |x outside A^H's range| / |x|) / (max(m, n) eps)");
    v->zero_is_odd = p->nrhs > 0 && p->m >= 64 && p->n >= 64;
    if (b && !(e = cli_result_b(p, &x, &copy))) {
        e = cli_source_fill(&p->rhs, b, p->ld);
        if (!e) e = check_gels(&A, p->nrhs, x, p->ld, b, p->ld, &residual);
        e = cli_verdict_end(p, v, e, residual);
        free(copy);
    }
    free(b);
    return e;
}

CLI_ROUTINE(120, gels) = {
    .name = "gels",
    .summary = "least squares by QR, min |b - A x|; the shortest solution by LQ if A has fewer rows than columns",
    .text = "For --nrhs right-hand sides (random, or --rhs FILE with as many rows as A) and A of --m rows and --n "
            "columns, of full rank;\n"
            "--trans T or C: with A^T or A^H in A's place.\n"
            "info = k > 0 (exit status 1): A has not, and B is as it was. --output writes X, as many rows as A has "
            "columns.\n"
            "--check: with m >= n the largest |A^H (b - A x)| / (|A| (|A| |x| + |b|) max(m, n) eps) of all columns, in "
            "the 1-norm; else\n"
            "|b - A x| / ((|A| |x| + |b|) max(m, n) eps), and up to 8192 how far x is from the range of A^H.",
    .example = "tilework gels --input A.mtx --rhs b.mtx --output x.mtx --check",
    .general = 1,
    .rectangular = 1,
    .failure = "diagonal element %lld of the triangle is exactly 0: the matrix has not full rank",
    .has_rhs = 1,
    .solves = 1,
    .transposes = 2,
    .flops_of = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 2,
};
