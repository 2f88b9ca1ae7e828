/* tilework cholqr: QR of tall matrices with Q itself, by Cholesky factorizations. */
#include <stdlib.h>
#include "cli/cli.h"
#include "cli_rows.h"

/* The factorization, and Q formed. */
static double flops(double m, double n, double nrhs)
{
    (void)nrhs;
    return cli_geqrf.flops_of(m, n, 0) + 2 * m * n * n - 2 * n * n * n / 3;
}

static int tiles(struct cli_problem *p)
{
    return tw_cholqr(p->A, p->U, &p->corrections);
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    double residual[2] = {0};
    void *q, *r, *copy_q = NULL, *copy_r = NULL;
    int e;

    cli_verdict_begin(v, "max(|A - Q R| / (max(m, n) eps |A|), |Q^H Q - I| / (m eps))");
    v->zero_is_odd = p->m >= 64 && p->n >= 64;
    if (!(e = cli_result_a(p, &q, &copy_q)) && !(e = cli_result_of(p, p->U, NULL, p->n, &r, &copy_r))) {
        e = check_thin_product(&A, p->n, q, p->ld, r, p->ld, residual);
        e = cli_verdict_end(p, v, e, check_worse(residual[0], residual[1]));
    }
    free(copy_q), free(copy_r);
    return e;
}

CLI_ROUTINE(117, cholqr) = {
    .name = "cholqr",
    .summary = "QR of a tall matrix with Q itself, A = Q R, by Cholesky factorizations (CholeskyQR2)",
    .text = "For --m rows, no fewer than --n columns. Where the condition is too large for Cholesky, Householder's QR "
            "goes on; the report's\n"
            "choleskys is 2 (CholeskyQR2), 1 or 0. --output writes Q, --r R. --check: the larger of |A - Q R| / "
            "(max(m, n) eps "
            "|A|) and |Q^H Q - I| / (m eps)\n"
            "in the 1-norm; above 8192 for four vectors.",
    .example = "tilework cholqr --m 20000 --n 200 --check",
    .general = 1,
    .rectangular = 1,
    .tall = 1,
    .second = 'R',
    .flops_of = flops,
    .tiles = tiles,
    .check = check,
    .check_arrays = 4,
};
