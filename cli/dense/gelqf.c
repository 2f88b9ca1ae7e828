/* tilework gelqf: the LQ factorization. */
#include <stdlib.h>
#include "cli/cli.h"

static double flops(double m, double n, double nrhs)
{
    (void)nrhs;
    return m >= n ? 2 * m * n * n - 2 * n * n * n / 3 + 3 * m * n - n * n + 14 * n / 3
                  : 2 * n * m * m - 2 * m * m * m / 3 + m * n + m * m + 14 * m / 3;
}

static int tiles(struct cli_problem *p)
{
    return tw_gelqf(p->A, p->P);
}

static tw_int lapack(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(gelqf, p, (p->m, p->n, (T *)p->a, p->ld, (T *)p->tau))
}

/* A^H = Q^H L^H is a QR factorization, whose reflectors are these. */
static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source), AH = check_adjoint(&A);
    const tw_int ld = p->n > 0 ? p->n : 1;
    void *tau = cli_result_tau(p), *h = cli_alloc((double)ld * (double)p->m * (double)check_sizeof(p->type), "--check"),
         *f, *copy;
    double residual = 0;
    int e = CLI_FAILED;

    cli_verdict_begin(v, "max(|A - L Q| / (max(m, n) eps |A|), |Q Q^H - I| / (n eps))");
    v->zero_is_odd = p->m >= 64 && p->n >= 64;
    if (tau && h && !(e = cli_result_a(p, &f, &copy))) {
        check_adjoint_of_array(p->type, p->m, p->n, f, p->ld, h, ld);
        e = check_geqrf(&AH, h, ld, tau, &residual);
        e = cli_verdict_end(p, v, e, residual);
        free(copy);
    }
    free(tau), free(h);
    return e;
}

CLI_ROUTINE(112, gelqf) = {
    .name = "gelqf",
    .summary = "LQ factorization A = L Q",
    .text =
        "Factors a general matrix of --m rows (default: as many as columns) and --n columns, in LAPACK's storage "
        "and signs.\n"
        "--check: the larger of |A - L Q| / (max(m, n) eps |A|) and |Q Q^H - I| / (n eps), of A^H's QR in the 1-norm; "
        "above 8192\n"
        "for four vectors.\n"
        "--output writes L and, right of its diagonal, the vectors of Q's reflectors in one array, as LAPACK has "
        "them; --tau\n"
        "their factors.",
    .example = "tilework gelqf --m 2000 --n 20000 --check",
    .general = 1,
    .rectangular = 1,
    .reflectors = 1,
    .flops_of = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = check,
    .check_arrays = 4,
};
