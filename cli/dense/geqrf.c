/* tilework geqrf: the QR factorization. */
#include <stdlib.h>
#include "cli/cli.h"

static double flops(double m, double n, double nrhs)
{
    (void)nrhs;
    return m >= n ? 2 * m * n * n - 2 * n * n * n / 3 + m * n + n * n + 14 * n / 3
                  : 2 * n * m * m - 2 * m * m * m / 3 + 3 * n * m - m * m + 14 * m / 3;
}

static int tiles(struct cli_problem *p)
{
    return tw_geqrf(p->A, p->P);
}

static tw_int lapack(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(geqrf, p, (p->m, p->n, (T *)p->a, p->ld, (T *)p->tau))
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    void *tau = cli_result_tau(p), *f, *copy;
    double residual = 0;
    int e = CLI_FAILED;

    cli_verdict_begin(v, "max(|A - Q R| / (max(m, n) eps |A|), |Q^H Q - I| / (m eps))");
    v->zero_is_odd =
        p->m >= 64 && p->n >= 64; /* one row, or one column of zeros but for its first element: nothing happens */
    if (tau && !(e = cli_result_a(p, &f, &copy))) {
        e = check_geqrf(&A, f, p->ld, tau, &residual);
        e = cli_verdict_end(p, v, e, residual);
        free(copy);
    }
    free(tau);
    return e;
}

CLI_ROUTINE(110, geqrf) = {
    .name = "geqrf",
    .summary = "QR factorization A = Q R",
    .text =
        "Factors a general matrix of --m rows (default: as many as columns) and --n columns, in LAPACK's storage "
        "and signs.\n"
        "--check: the larger of |A - Q R| / (max(m, n) eps |A|) and |Q^H Q - I| / (m eps) in the 1-norm; above 8192 "
        "for four vectors.\n"
        "--output writes R and, below its diagonal, the vectors of Q's reflectors in one array, as LAPACK has "
        "them; --tau\n"
        "their factors.",
    .example = "tilework geqrf --m 20000 --n 2000 --check",
    .general = 1,
    .rectangular = 1,
    .reflectors = 1,
    .flops_of = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 2,
};
