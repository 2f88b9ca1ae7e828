/* tilework geqrf and gelqf: the QR factorization; and the LQ, by the QR of A^H = Q^H L^H, whose reflectors are its. */
#include <stdlib.h>
#include "cli/cli.h"

static double flops(double m, double n, double nrhs)
{
    (void)nrhs;
    return m >= n ? 2 * m * n * n - 2 * n * n * n / 3 + m * n + n * n + 14 * n / 3
                  : 2 * n * m * m - 2 * m * m * m / 3 + 3 * n * m - m * m + 14 * m / 3;
}
static double flops_lq(double m, double n, double nrhs)
{
    return flops(n, m, nrhs);
}

static int tiles(struct cli_problem *p)
{
    return tw_geqrf(p->A, p->P);
}
static int tiles_lq(struct cli_problem *p)
{
    return tw_gelqf(p->A, p->P);
}

static tw_int lapack(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(geqrf, p, (p->m, p->n, (T *)p->a, p->ld, (T *)p->tau))
}
static tw_int lapack_lq(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(gelqf, p, (p->m, p->n, (T *)p->a, p->ld, (T *)p->tau))
}

static int verdict(struct cli_problem *p, struct cli_verdict *v, int lq, const char *formula)
{
    const struct check_matrix A = cli_source_matrix(&p->source), AH = check_adjoint(&A);
    const tw_int ld = lq && p->n > 0 ? p->n : 1, columns = lq ? p->m : 1;
    void *tau = cli_result_tau(p),
         *h = cli_alloc((double)ld * (double)columns * (double)check_sizeof(p->type), "--check"), *f, *copy;
    double residual = 0;
    int e = CLI_FAILED;

    cli_verdict_begin(v, formula);
    /* one row, or one column of zeros but for its first element: nothing happens */
    v->zero_is_odd = p->m >= 64 && p->n >= 64;
    if (tau && h && !(e = cli_result_a(p, &f, &copy))) {
        if (lq) check_adjoint_of_array(p->type, p->m, p->n, f, p->ld, h, ld);
        e = check_geqrf(lq ? &AH : &A, lq ? h : f, lq ? ld : p->ld, tau, &residual);
        e = cli_verdict_end(p, v, e, residual);
        free(copy);
    }
    free(tau), free(h);
    return e;
}
static int check(struct cli_problem *p, struct cli_verdict *v)
{
    return verdict(p, v, 0, "max(|A - Q R| / (max(m, n) eps |A|), |Q^H Q - I| / (m eps))");
}
static int check_lq(struct cli_problem *p, struct cli_verdict *v)
{
    return verdict(p, v, 1, "max(|A - L Q| / (max(m, n) eps |A|), |Q Q^H - I| / (n eps))");
}

/* What both rows say: of which matrix, and in which form its reflectors are. */
#define FACTORS                                                                                                        \
    "Factors a general matrix of --m rows (default: as many as columns) and --n columns, in LAPACK's storage and "     \
    "signs.\n"
#define REFLECTORS "the vectors of Q's reflectors in one array, as LAPACK has them; --tau\ntheir factors."

CLI_ROUTINE(110, geqrf) = {
    .name = "geqrf",
    .summary = "QR factorization A = Q R",
    .text = FACTORS "--check: the larger of |A - Q R| / (max(m, n) eps |A|) and |Q^H Q - I| / (m eps) in the 1-norm; "
                    "above 8192 for four vectors.\n"
                    "--output writes R and, below its diagonal, " REFLECTORS,
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

CLI_ROUTINE(112, gelqf) = {
    .name = "gelqf",
    .summary = "LQ factorization A = L Q",
    .text = FACTORS "--check: the larger of |A - L Q| / (max(m, n) eps |A|) and |Q Q^H - I| / (n eps), of A^H's QR in "
                    "the 1-norm; above 8192\n"
                    "for four vectors.\n"
                    "--output writes L and, right of its diagonal, " REFLECTORS,
    .example = "tilework gelqf --m 2000 --n 20000 --check",
    .general = 1,
    .rectangular = 1,
    .reflectors = 1,
    .flops_of = flops_lq,
    .tiles = tiles_lq,
    .lapack = lapack_lq,
    .check = check_lq,
    .check_arrays = 4,
};
